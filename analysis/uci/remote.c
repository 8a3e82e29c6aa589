#include "uci/remote.h"

#include <string.h>

#define BOTH_SIDES 3U

#define TIMEOUT_MS     7000U
#define TIMEOUT_MS_MAX 120000U
#define TIMEOUT_DEPTH  12U
#define TIMEOUT_NODES  1000000U

bool ipr_remote_judge_fits(const struct ipr_judge *judge)
{
    return ipr_judge_valid(judge) && judge->depth >= 2 && !judge->tablebases;
}

bool ipr_remote_asks(const struct ipr_judge *judge, const bool *chosen, size_t n_moves,
                     size_t position)
{
    if (chosen == NULL)
        return position == n_moves || position >= ipr_judge_first_ply(judge);
    return (position < n_moves && chosen[position]) || (position > 0 && chosen[position - 1]);
}

unsigned ipr_remote_timeout_ms(const struct ipr_judge *judge)
{
    unsigned ms = TIMEOUT_MS;

    if (judge->nodes > TIMEOUT_NODES)
        ms = (unsigned)((uint64_t)ms * judge->nodes / TIMEOUT_NODES);
    for (unsigned d = TIMEOUT_DEPTH; d < judge->depth && ms < TIMEOUT_MS_MAX; d++)
        ms = ms * 8 / 5;
    return ms < TIMEOUT_MS_MAX ? ms : TIMEOUT_MS_MAX;
}

struct conversion {
    const struct ipr_judge *judge;
    struct ipr_arena *mem;
    struct ipr_err *err;
    struct ipr_pos pos; /* before the turn that is being converted */
    ipr_move played;
    unsigned ply;
    ipr_move legal[IPR_MAX_MOVES];
    unsigned n_legal, k;
    unsigned depth;   /* of the turn */
    unsigned reached; /* of the position after it */
    struct ipr_remote_position here, after;
    ipr_move moves[IPR_MAX_MOVES]; /* of the lines, best first */
    int16_t *score;                /* [line][depth - 1] */
};

static enum ipr_code conversion_bad(const struct conversion *c, const char *what)
{
    return ipr_err_at(c->err, IPR_EPARSE, "bad_evaluation", 0, 0, (int32_t)c->ply,
                      "position after %u half-moves: %s", c->ply, what);
}

static const struct ipr_remote_cell *cell_at(const struct ipr_remote_position *p, unsigned line,
                                             unsigned depth)
{
    return &p->cell[(size_t)line * (p->depth + 1) + depth];
}

static int16_t *conversion_score_at(const struct conversion *c, unsigned line, unsigned depth)
{
    return &c->score[(size_t)line * c->depth + depth - 1];
}

/* ---- the last depth of a search ---- */

/* True if a depth has so many lines, and no move twice. */
static bool has_lines(const struct ipr_remote_position *p, unsigned lines, unsigned depth)
{
    for (unsigned i = 0; i < lines; i++) {
        const struct ipr_remote_cell *cell = cell_at(p, i, depth);

        if (cell->move[0] == '\0' || cell->score == IPR_SCORE_NONE)
            return false;
        for (unsigned k = 0; k < i; k++)
            if (strcmp(cell_at(p, k, depth)->move, cell->move) == 0)
                return false;
    }
    return true;
}

/* A search that its nodes ended has not completed the depth that it was at: the one before counts,
 * or, if the engine then printed lines of it again at other ranks, one before that. 0: there is
 * none, or the search had less than half of its nodes, short of a mate or the depth requested. */
static unsigned last_depth(const struct conversion *c, const struct ipr_remote_position *p,
                           unsigned legal)
{
    const unsigned lines = legal < p->lines ? legal : p->lines;
    unsigned depth = p->depth;

    while (depth > 0 && cell_at(p, 0, depth)->move[0] == '\0')
        depth--;
    const bool ended = depth == p->depth;
    while (depth > 0 && !has_lines(p, lines, --depth)) {
    }
    if (depth > 0 && !ended && p->nodes < c->judge->nodes / 2 &&
        !ipr_score_is_mate(cell_at(p, 0, depth)->score, NULL))
        return 0;
    return depth;
}

/* The depths of the turn and of the position after it. */
static enum ipr_code find_depths(struct conversion *c)
{
    struct ipr_pos pos = c->pos;
    ipr_move legal[IPR_MAX_MOVES];

    c->depth = c->judge->depth;
    c->reached = c->depth - 1;
    if (c->judge->nodes == 0)
        return IPR_OK;
    ipr_pos_play(&pos, c->played);
    const unsigned n_after = (unsigned)ipr_pos_legal(&pos, legal);
    c->depth = last_depth(c, &c->here, c->n_legal);
    c->reached = n_after > 0 ? last_depth(c, &c->after, n_after) : 1;
    if (c->depth == 0 || c->reached == 0)
        return conversion_bad(c, c->depth == 0
                                     ? "not searched with the nodes requested"
                                     : "the position after it not with the nodes requested");
    return IPR_OK;
}

/* ---- lines ---- */

/* Index of a move among the first k lines; k when it is not there. */
static unsigned line_of(const struct conversion *c, ipr_move m, unsigned k)
{
    unsigned i = 0;

    while (i < k && c->moves[i] != m)
        i++;
    return i;
}

static enum ipr_code final_lines(struct conversion *c)
{
    const unsigned depth = c->depth;

    for (unsigned i = 0; i < c->here.lines; i++) {
        const struct ipr_remote_cell *cell = cell_at(&c->here, i, depth);
        const bool there = cell->move[0] != '\0' && cell->score != IPR_SCORE_NONE;

        if (i >= c->k && there)
            return conversion_bad(c, "more lines than legal moves");
        if (i >= c->k)
            continue;
        if (!there)
            return conversion_bad(c, "a line is missing at the depth requested");
        if (ipr_move_from_uci(&c->pos, ipr_str_c(cell->move), &c->moves[i], NULL) != IPR_OK)
            return conversion_bad(c, "an illegal move among the lines");
        if (line_of(c, c->moves[i], i) < i)
            return conversion_bad(c, "a move twice among the lines");
        *conversion_score_at(c, i, depth) = cell->score;
    }
    return IPR_OK;
}

/* While an engine searches a depth it may print the lines of the previous one again, at other
 * ranks: then a move occurs twice, usually with one score. */
static enum ipr_code shallow_lines(struct conversion *c, unsigned depth)
{
    bool seen[IPR_MAX_MOVES] = { false };

    for (unsigned i = 0; i < c->k; i++)
        *conversion_score_at(c, i, depth) = IPR_SCORE_NONE;
    for (unsigned i = 0; i < c->here.lines; i++) {
        const struct ipr_remote_cell *cell = cell_at(&c->here, i, depth);
        ipr_move m;

        if (cell->move[0] == '\0')
            continue;
        if (ipr_move_from_uci(&c->pos, ipr_str_c(cell->move), &m, NULL) != IPR_OK)
            return conversion_bad(c, "an illegal move among the lines of a shallower depth");
        const unsigned line = line_of(c, m, c->k);
        if (line == c->k)
            continue;
        int16_t *score = conversion_score_at(c, line, depth);
        *score = seen[line] && *score != cell->score ? IPR_SCORE_NONE : cell->score;
        seen[line] = true;
    }
    return IPR_OK;
}

/* Some engines number lines that they do not sort. Stable. */
static void conversion_sort_lines(struct conversion *c)
{
    const unsigned depth = c->depth;
    int16_t row[IPR_DEPTH_MAX];
    const size_t size = depth * sizeof *row;

    for (unsigned i = 1; i < c->k; i++) {
        const ipr_move m = c->moves[i];
        unsigned at = i;

        memcpy(row, conversion_score_at(c, i, 1), size);
        for (; at > 0 && *conversion_score_at(c, at - 1, depth) < row[depth - 1]; at--) {
            c->moves[at] = c->moves[at - 1];
            memcpy(conversion_score_at(c, at, 1), conversion_score_at(c, at - 1, 1), size);
        }
        c->moves[at] = m;
        memcpy(conversion_score_at(c, at, 1), row, size);
    }
}

/* The move played as a line of its own, from the best line of the position after it: one ply less
 * deep, or, with a limit of nodes, as deep as that search is; depths are counted back from the last
 * one. */
static enum ipr_code conversion_played_line(struct conversion *c)
{
    const unsigned depth = c->depth;
    struct ipr_pos pos = c->pos;
    ipr_move legal[IPR_MAX_MOVES], m;

    ipr_pos_play(&pos, c->played);
    if (ipr_pos_legal(&pos, legal) == 0) {
        const int16_t end = ipr_pos_in_check(&pos) ? ipr_score_before(-IPR_SCORE_MATE) : 0;

        for (unsigned d = 1; d <= depth; d++)
            *conversion_score_at(c, c->k, d) = end;
        return IPR_OK;
    }
    const struct ipr_remote_cell *best = cell_at(&c->after, 0, c->reached);
    if (best->score == IPR_SCORE_NONE || best->move[0] == '\0')
        return conversion_bad(c,
                              "the position after the move played lacks the depth before the last");
    if (ipr_move_from_uci(&pos, ipr_str_c(best->move), &m, NULL) != IPR_OK)
        return conversion_bad(c, "an illegal move in the position after the move played");
    for (unsigned back = 0; back < depth; back++)
        *conversion_score_at(c, c->k, depth - back) =
            back < c->reached ? ipr_score_before(cell_at(&c->after, 0, c->reached - back)->score)
                              : IPR_SCORE_NONE;
    return IPR_OK;
}

static enum ipr_code conversion_run(struct conversion *c, struct ipr_judged_turn *out)
{
    c->n_legal = (unsigned)ipr_pos_legal(&c->pos, c->legal);
    c->k = c->n_legal < c->judge->multipv ? c->n_legal : c->judge->multipv;
    enum ipr_code rc = find_depths(c);
    if (rc != IPR_OK)
        return rc;
    c->score = ipr_arena_alloc(c->mem, (size_t)(c->k + 1) * c->depth, sizeof *c->score);
    rc = final_lines(c);
    for (unsigned d = 1; rc == IPR_OK && d < c->depth; d++)
        rc = shallow_lines(c, d);
    if (rc != IPR_OK)
        return rc;
    conversion_sort_lines(c);
    unsigned played = line_of(c, c->played, c->k);
    unsigned lines = played == c->k ? c->k + 1 : c->k;
    c->moves[played] = c->played;
    if (played == c->k)
        rc = conversion_played_line(c);
    if (rc != IPR_OK)
        return rc;
    if (lines > c->k && c->judge->nodes > 0) { /* it and the best of the others are enough */
        lines = c->k;
        c->moves[c->k - 1] = c->played;
        memcpy(conversion_score_at(c, c->k - 1, 1), conversion_score_at(c, c->k, 1),
               c->depth * sizeof *c->score);
        conversion_sort_lines(c);
        played = line_of(c, c->played, c->k);
    }
    ipr_move *moves = ipr_arena_alloc(c->mem, lines, sizeof *moves);
    memcpy(moves, c->moves, lines * sizeof *moves);
    *out = (struct ipr_judged_turn){ .ply = (uint16_t)c->ply,
                                     .depth = (uint8_t)c->depth,
                                     .lines = (uint8_t)lines,
                                     .played = (uint8_t)played,
                                     .nodes = c->here.nodes,
                                     .moves = moves,
                                     .score = c->score };
    return IPR_OK;
}

static enum ipr_code next_position(struct conversion *c, struct ipr_remote_report *report,
                                   struct ipr_remote_position *p)
{
    bool there = false;
    const enum ipr_code rc = ipr_remote_report_next(report, p, &there, c->err);

    return rc == IPR_OK && !there ? conversion_bad(c, "no word of it") : rc;
}

enum ipr_code ipr_remote_judged(const struct ipr_judge *judge, const struct ipr_pos *start,
                                const ipr_move *moves, size_t n_moves, const bool *chosen,
                                struct ipr_remote_report *report, struct ipr_arena *mem,
                                struct ipr_judged_game *out, struct ipr_err *err)
{
    const unsigned depth = judge->depth > 0 ? judge->depth : IPR_DEPTH_MAX;
    struct conversion *c = ipr_arena_alloc(mem, 1, sizeof *c);
    struct ipr_judged_game g = { 0 };
    bool more = false;

    if (!(chosen != NULL ? judge->nodes > 0 : ipr_remote_judge_fits(judge)) ||
        n_moves >= UINT16_MAX)
        return ipr_err_set(err, IPR_EINVAL, "no judge for other people's machines");
    *c = (struct conversion){ .judge = judge, .mem = mem, .err = err, .pos = *start };
    c->here = ipr_remote_position_new(judge->multipv, depth, mem);
    c->after = ipr_remote_position_new(judge->multipv, depth, mem);
    g.turns = ipr_arena_alloc(mem, n_moves, sizeof *g.turns);
    enum ipr_code rc = next_position(c, report, &c->after);
    for (size_t i = 0; rc == IPR_OK && i < n_moves; i++) {
        const struct ipr_remote_position here = c->after;

        c->after = c->here;
        c->here = here;
        c->ply = (unsigned)i + 1;
        rc = next_position(c, report, &c->after);
        c->ply = (unsigned)i;
        c->played = moves[i];
        if (rc == IPR_OK && (chosen != NULL ? chosen[i] : i >= ipr_judge_first_ply(judge)))
            rc = conversion_run(c, &g.turns[g.n++]);
        ipr_pos_play(&c->pos, moves[i]);
    }
    if (rc == IPR_OK)
        rc = ipr_remote_report_next(report, &c->here, &more, err);
    if (rc == IPR_OK && more)
        rc = conversion_bad(c, "more positions than the game has");
    if (rc == IPR_OK)
        rc = ipr_judged_check(judge, start, moves, n_moves, chosen != NULL ? 0 : BOTH_SIDES, &g,
                              err);
    if (rc == IPR_OK)
        *out = g;
    return rc;
}
