/* Reads the analysed games of careers. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/digest.h"
#include "core/interchange.h"
#include "core/strength_turns.h"
#include "lab/names.h"
#include "lab/trajectory/trajectory.h"
#include "model/strength_shipped.h"

static void games_text(const struct ipr_interchange_game *g, const char *tag, char out[256])
{
    const struct ipr_str text = ipr_pgn_tag_find(g->tags, g->n_tags, tag);
    const size_t n = text.n < 255 ? text.n : 255;

    memcpy(out, text.p, n);
    out[n] = '\0';
}

static int games_number(const struct ipr_interchange_game *g, const char *tag)
{
    char text[256];

    games_text(g, tag, text);
    return (int)strtol(text, NULL, 10);
}

static struct career *games_career(struct careers *c, const char *name)
{
    char player[128];

    bench_player(name, player);
    for (size_t i = 0; i < c->n; i++)
        if (strcmp(c->career[i].name, player) == 0)
            return &c->career[i];
    c->career = ipr_xrealloc(c->career, c->n + 1, sizeof *c->career);
    c->career[c->n] = (struct career){ .side = NULL };
    memcpy(c->career[c->n].name, player, sizeof player);
    return &c->career[c->n++];
}

static void games_add(struct careers *c, const char *name, const struct career_side *side)
{
    if (side->year == 0 || !(side->information > 0))
        return;
    struct career *const to = games_career(c, name);

    if ((to->n & (to->n - 1)) == 0)
        to->side = ipr_xrealloc(to->side, to->n == 0 ? 1 : 2 * to->n, sizeof *to->side);
    to->side[to->n++] = *side;
}

/* Sums that are in the file, or those of the moves. */
static void games_sums(const struct ipr_interchange_game *g, struct career_side side[2])
{
    if (g->figures != NULL) {
        for (unsigned k = 0; k < 2; k++) {
            const struct ipr_side_sums *const s = &g->figures[k].sums;

            if (s->version != IPR_STRENGTH_SUMS_VERSION)
                continue;
            side[k].score = (double)s->score / IPR_STRENGTH_UNIT;
            side[k].information = (double)s->information / IPR_STRENGTH_UNIT;
            side[k].moves = s->moves;
        }
        return;
    }
    struct ipr_strength_turn *const turn = ipr_xcalloc(g->judged.n + 1, sizeof *turn);
    struct ipr_strength_score *const score = ipr_xcalloc(g->judged.n + 1, sizeof *score);

    ipr_strength_turns(&g->start, g->moves, g->n_moves, &g->judged, turn);
    ipr_strength_scores(&ipr_strength_shipped.model, turn, g->judged.n, score);
    for (size_t i = 0; i < g->judged.n; i++) {
        struct career_side *const s = &side[g->judged.turns[i].mover];

        s->score += score[i].score;
        s->information += score[i].information;
        s->moves += ipr_strength_counts(&turn[i]);
    }
    free(score);
    free(turn);
}

static void games_take(struct careers *c, const struct ipr_interchange_game *g)
{
    static const double points[] = {
        [IPR_RESULT_UNKNOWN] = NAN, [IPR_WHITE_WINS] = 1, [IPR_BLACK_WINS] = 0, [IPR_DRAW] = .5
    };
    struct career_side side[2] = { { .white = true }, { .white = false } };
    const int elo[2] = { games_number(g, "WhiteElo"), games_number(g, "BlackElo") };
    char text[256];

    games_sums(g, side);
    games_text(g, "Event", text);
    for (unsigned k = 0; k < 2; k++) {
        side[k].year = games_number(g, "Date");
        side[k].event = bench_digest(text);
        side[k].game = g->figures != NULL ? g->moves_key : ipr_moves_key("", g->moves, g->n_moves);
        side[k].elo = elo[k];
        side[k].opponent = elo[1 - k];
        side[k].points = k == 0 ? points[g->result] : 1 - points[g->result];
    }
    for (unsigned k = 0; k < 2; k++) {
        games_text(g, k == 0 ? "White" : "Black", text);
        games_add(c, text, &side[k]);
    }
}

/* ---- order ---- */

static int sides_by_game(const void *a, const void *b)
{
    const struct career_side *x = a, *y = b;

    if (x->game != y->game)
        return x->game < y->game ? -1 : 1;
    return x->year - y->year;
}

static int sides_by_event(const void *a, const void *b)
{
    const struct career_side *x = a, *y = b;

    if (x->year != y->year)
        return x->year - y->year;
    if (x->event != y->event)
        return x->event < y->event ? -1 : 1;
    return sides_by_game(a, b);
}

static int careers_by_name(const void *a, const void *b)
{
    return strcmp(((const struct career *)a)->name, ((const struct career *)b)->name);
}

void career_order(struct career *c)
{
    size_t n = 0;

    qsort(c->side, c->n, sizeof *c->side, sides_by_game);
    for (size_t i = 0; i < c->n; i++)
        if (n == 0 || c->side[n - 1].game != c->side[i].game ||
            c->side[n - 1].year != c->side[i].year)
            c->side[n++] = c->side[i];
    c->n = n;
    qsort(c->side, c->n, sizeof *c->side, sides_by_event);
    c->years = 0;
    for (size_t i = 0; i < c->n; i++)
        c->years += i == 0 || c->side[i].year != c->side[i - 1].year;
}

static void careers_order(struct careers *c)
{
    size_t n = 0;

    for (size_t i = 0; i < c->n; i++) {
        career_order(&c->career[i]);
        if (c->career[i].years >= TRAJECTORY_YEARS)
            c->career[n++] = c->career[i];
        else
            free(c->career[i].side);
    }
    c->n = n;
    qsort(c->career, c->n, sizeof *c->career, careers_by_name);
}

enum ipr_code careers_read(FILE *in, struct careers *out, struct ipr_err *err)
{
    enum ipr_code rc = IPR_OK;
    uint32_t number = 0;
    char *line = NULL;
    size_t size = 0;
    ssize_t n;

    *out = (struct careers){ 0 };
    while (rc == IPR_OK && (n = getline(&line, &size, in)) > 0) {
        struct ipr_arena mem = IPR_ARENA_INIT;
        struct ipr_interchange_game game;

        rc = ipr_interchange_read((struct ipr_str){ line, (size_t)n }, ++number, &mem, &game, err);
        if (rc == IPR_OK)
            games_take(out, &game);
        ipr_arena_release(&mem);
    }
    free(line);
    careers_order(out);
    return rc;
}

void careers_free(struct careers *c)
{
    for (size_t i = 0; i < c->n; i++)
        free(c->career[i].side);
    free(c->career);
}

/* ---- years ---- */

size_t career_years(const struct career *c, const bool *take, int before,
                    struct ipr_trajectory_year *year)
{
    const struct career_side *last = NULL;
    double event = 0; /* information in the games of this event so far */
    size_t n = 0;

    for (size_t i = 0; i < c->n; i++) {
        const struct career_side *const s = &c->side[i];

        if (s->year >= before || (take != NULL && !take[i]))
            continue;
        if (last == NULL || last->year != s->year)
            year[n++] = (struct ipr_trajectory_year){ .year = s->year };
        if (last == NULL || last->year != s->year || last->event != s->event)
            event = 0;
        last = s;
        year[n - 1].moves += s->moves;
        year[n - 1].score += s->score;
        year[n - 1].information += s->information;
        year[n - 1].events += s->information * (2 * event + s->information);
        event += s->information;
    }
    for (size_t i = 0; i < n; i++)
        year[i].events /= year[i].information * year[i].information;
    return n;
}

int career_moves(const struct career *c, int year)
{
    int moves = 0;

    for (size_t i = 0; i < c->n; i++)
        if (c->side[i].year == year)
            moves += c->side[i].moves;
    return moves;
}
