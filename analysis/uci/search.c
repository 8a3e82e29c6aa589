#include "uci/search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void search_restart(struct ipr_search *s)
{
    s->reached = 0;
    s->completed = false;
    s->bounded = false;
    s->nodes = 0;
    s->time_ms = 0;
    s->block = 0;
    s->n_listed = 0;
}

static void search_forget(struct ipr_search *s, unsigned lines, unsigned depth)
{
    s->lines = lines;
    s->depth = depth;
    s->exact = 0;
    search_restart(s);
    for (size_t d = 0; d < IPR_DEPTH_MAX; d++)
        s->best[d] = IPR_SCORE_NONE;
    for (size_t i = 0; i < s->n_legal; i++) {
        for (size_t d = 0; d < IPR_DEPTH_MAX; d++)
            s->score[i][d] = IPR_SCORE_NONE;
    }
}

void ipr_search_begin(struct ipr_search *s, const struct ipr_pos *pos, unsigned multipv,
                      unsigned depth)
{
    s->pos = *pos;
    s->n_legal = ipr_pos_legal(pos, s->legal);
    s->alone = false;
    search_forget(s, s->n_legal < multipv ? (unsigned)s->n_legal : multipv, depth);
}

void ipr_search_begin_only(struct ipr_search *s, ipr_move only, unsigned depth)
{
    s->alone = true;
    s->only = only;
    search_forget(s, 1, depth);
}

static bool search_has_exact(const struct ipr_search *s, uint16_t row)
{
    for (unsigned k = 0; k < s->exact; k++) {
        if (s->rows[k] == row)
            return true;
    }
    return false;
}

size_t ipr_search_rest(struct ipr_search *s, ipr_move *rest)
{
    size_t n = 0;

    if (s->depth == 0 || s->block != s->depth || s->reached == s->depth || !s->bounded)
        return 0;
    /* Reads the lines of the last list from the first on, as far as they are exact. */
    while (s->exact < s->lines && s->listed[s->exact]) {
        s->rows[s->exact] = s->list[s->exact];
        s->exact++;
    }
    for (size_t i = 0; i < s->n_legal; i++) {
        if (s->alone ? s->legal[i] == s->only : !search_has_exact(s, (uint16_t)i))
            rest[n++] = s->legal[i];
    }
    return n;
}

void ipr_search_begin_rest(struct ipr_search *s)
{
    search_restart(s);
}

/* Row of a root move; false when it is not one of the position. */
static bool find_row(const struct ipr_search *s, struct ipr_str text, uint16_t *row)
{
    ipr_move m;

    if (ipr_move_from_uci(&s->pos, text, &m, NULL) != IPR_OK)
        return false;
    for (size_t i = 0; i < s->n_legal; i++) {
        if (s->legal[i] == m) {
            *row = (uint16_t)i;
            return true;
        }
    }
    return false;
}

static bool to_score(const struct ipr_uci_line *l, int16_t *out)
{
    const int32_t n = abs(l->score);

    if (!l->mate) {
        *out = (int16_t)l->score;
        return n <= IPR_SCORE_CP_MAX;
    }
    if (n < 1 || n > IPR_SCORE_MATE_IN_MAX)
        return false;
    *out = (int16_t)(l->score > 0 ? IPR_SCORE_MATE - n : n - IPR_SCORE_MATE);
    return true;
}

/* A complete list is the last word on its depth: moves of earlier lists have no score there. */
static void list_replace_earlier(struct ipr_search *s)
{
    int16_t kept[IPR_MAX_MOVES];

    for (unsigned k = 0; k < s->lines; k++)
        kept[k] = s->score[s->rows[k]][s->block - 1];
    for (size_t i = 0; i < s->n_legal; i++)
        s->score[i][s->block - 1] = IPR_SCORE_NONE;
    for (unsigned k = 0; k < s->lines; k++)
        s->score[s->rows[k]][s->block - 1] = kept[k];
}

/* Line k (from 0) of the current list. */
static void list_line(struct ipr_search *s, unsigned k, uint16_t row)
{
    s->n_listed += s->listed[k] ? 0 : 1;
    s->listed[k] = true;
    s->list[k] = row;
    if (s->n_listed < s->lines - s->exact)
        return;
    memcpy(s->rows + s->exact, s->list + s->exact, (s->lines - s->exact) * sizeof *s->rows);
    s->reached = s->block;
    s->completed = true;
    if (s->exact == 0)
        list_replace_earlier(s);
}

const char *ipr_search_info(struct ipr_search *s, const struct ipr_uci_line *l)
{
    const unsigned deepest = s->depth > 0 ? s->depth : IPR_DEPTH_MAX;
    const bool unnumbered = l->multipv == 0 && s->lines == 1 && l->has_score && l->move.n > 0;
    const unsigned number = unnumbered ? 1 : l->multipv;
    uint16_t row;
    int16_t score;

    s->completed = false;
    if (l->has_nodes)
        s->nodes = l->nodes;
    if (l->has_time)
        s->time_ms = l->time_ms;
    if (number == 1) {
        s->block = l->depth;
        s->n_listed = 0;
        s->bounded = false;
        memset(s->listed, 0, sizeof s->listed);
    }
    if (number == 0 || !l->has_score || l->move.n == 0 || l->depth == 0 || l->depth > deepest)
        return NULL;
    if (l->depth != s->block)
        return NULL;
    if (l->bound != IPR_UCI_EXACT) {
        s->bounded = true;
        return NULL;
    }
    if (number > s->lines)
        return "more lines than requested";
    if (number + s->exact > s->lines)
        return NULL;
    if (!find_row(s, l->move, &row))
        return "illegal root move";
    if ((s->alone && s->legal[row] != s->only) || search_has_exact(s, row))
        return "another move than requested";
    if (!to_score(l, &score))
        return "impossible score";
    s->score[row][l->depth - 1] = score;
    if (s->lines == 1)
        snprintf(s->line, sizeof s->line, "%.*s", (int)l->line.n, l->line.p);
    if (number == 1)
        s->best[l->depth - 1] = score;
    list_line(s, s->exact + number - 1, row);
    return NULL;
}

size_t ipr_search_line(const struct ipr_search *s, ipr_move out[IPR_LINE_MAX])
{
    struct ipr_str rest = ipr_str_c(s->line), word;
    struct ipr_pos pos = s->pos;
    size_t n = 0;

    /* The last word of a text that is full may have been cut off. */
    while (n < IPR_LINE_MAX && ipr_str_word(&rest, &word) &&
           (rest.n > 0 || strlen(s->line) < sizeof s->line - 1) &&
           ipr_move_from_uci(&pos, word, &out[n], NULL) == IPR_OK)
        ipr_pos_play(&pos, out[n++]);
    return n;
}

static bool search_repeats(const struct ipr_search *s)
{
    bool seen[IPR_MAX_MOVES] = { false };

    for (unsigned k = 0; k < s->lines; k++) {
        if (seen[s->rows[k]])
            return true;
        seen[s->rows[k]] = true;
    }
    return false;
}

/* Sorts by insertion: that is stable, and the lines are few and nearly in order. */
static void search_sort_lines(struct ipr_search *s)
{
    for (unsigned k = 1; k < s->lines; k++) {
        const uint16_t row = s->rows[k];
        unsigned at = k;

        for (; at > 0 && s->score[s->rows[at - 1]][s->reached - 1] < s->score[row][s->reached - 1];
             at--)
            s->rows[at] = s->rows[at - 1];
        s->rows[at] = row;
    }
}

const char *ipr_search_end(struct ipr_search *s, struct ipr_str best)
{
    uint16_t row;

    if (!find_row(s, best, &row))
        return "illegal best move";
    if (s->depth > 0 && s->reached != s->depth)
        return "line missing at the depth requested; best move";
    if (s->reached == 0)
        return "no depth complete; best move";
    if (search_repeats(s))
        return "two lines with one move; best move";
    if ((s->depth > 0 && s->rows[s->exact] != row) || (s->alone && s->legal[row] != s->only))
        return "best move is not the first line's";
    search_sort_lines(s);
    return NULL;
}
