/* Sides with what their moves lost, from figures and from evaluations in files. */
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "chess/kind.h"
#include "core/digest.h"
#include "core/file_evals.h"
#include "core/interchange.h"
#include "core/openings.h"
#include "lab/data.h"
#include "lab/names.h"
#include "lab/pgn.h"
#include "lab/profile/profile.h"
#include "pgn/reader.h"
#include "stats/resample.h"

#define CAREER_LEVEL 2600. /* where there was no Elo yet */

static struct profile_side *read_side(struct profile_sides *s, double rating, uint64_t player)
{
    if ((s->n & (s->n - 1)) == 0)
        s->side = ipr_xrealloc(s->side, s->n > 0 ? 2 * s->n : 1, sizeof *s->side);
    s->side[s->n] = (struct profile_side){
        .rating = rating, .player = player, .set = player, .first = s->moves
    };
    return &s->side[s->n++];
}

static void read_move(struct profile_sides *s, struct profile_side *side,
                      const struct ipr_profile_move *m)
{
    if ((s->moves & (s->moves - 1)) == 0)
        s->move = ipr_xrealloc(s->move, s->moves > 0 ? 2 * s->moves : 1, sizeof *s->move);
    s->move[s->moves++] = *m;
    side->n++;
}

void profile_free(struct profile_sides *s)
{
    free(s->side);
    free(s->move);
}

/* The opening, as the service names it. */
static uint32_t read_line(const struct ipr_pgn_game *g)
{
    return ipr_opening_of(ipr_pgn_tag_get(g, "ECO"), &g->start, g->moves, g->n_moves).number;
}

/* ---- clocks, by game ---- */

struct read_clocks {
    uint64_t game; /* digest of the moves, as lab/figures.c has it */
    uint32_t line; /* of the opening */
    size_t n;
    int64_t *ms; /* [n] left after each half-move; -1: not known */
};

static int clocks_compare(const void *a, const void *b)
{
    const struct read_clocks *x = a, *y = b;

    return (x->game > y->game) - (x->game < y->game);
}

static int64_t *clocks_of(const struct ipr_pgn_game *g)
{
    int64_t *const ms = ipr_xcalloc(g->n_moves + 1, sizeof *ms);

    for (size_t i = 0; i < g->n_moves; i++)
        ms[i] = -1;
    for (size_t k = 0; k < g->n_notes; k++)
        if (g->notes[k].kind == IPR_NOTE_CLK && g->notes[k].ply > 0 &&
            g->notes[k].ply <= g->n_moves)
            ms[g->notes[k].ply - 1] = g->notes[k].ms;
    return ms;
}

/* True if the move at `ply` was made with little time left: what was left after the player's move
 * before it, and at the start after the first one. */
static int8_t clocks_hurried(const int64_t *ms, size_t n, size_t ply)
{
    const size_t first = ply % 2;

    if (ms == NULL || ply < 2 || ply >= n || ms[ply - 2] < 0 || ms[first] < 0)
        return -1;
    return ms[ply - 2] < ipr_profile_hurried_below(ms[first]);
}

static enum ipr_code clocks_take(void *payload, const struct ipr_pgn_game *g, struct ipr_err *err)
{
    void **const tree = payload;
    struct read_clocks *c;
    struct ipr_pos pos = g->start;
    char *text, *at;

    (void)err;
    if (g->error.code != IPR_OK || g->custom_start)
        return IPR_OK;
    at = text = ipr_xcalloc(g->n_moves * (IPR_UCI_MAX + 1) + 1, 1);
    for (size_t i = 0; i < g->n_moves; i++) {
        if (i > 0)
            *at++ = ' ';
        at += ipr_move_to_uci(&pos, g->moves[i], at);
        ipr_pos_play(&pos, g->moves[i]);
    }
    c = ipr_xcalloc(1, sizeof *c);
    *c = (struct read_clocks){ bench_digest(text), read_line(g), g->n_moves, clocks_of(g) };
    tsearch(c, tree, clocks_compare);
    free(text);
    return IPR_OK;
}

/* Reads PGN of another file than standard input. */
static bool clocks_read(const char *path, void **tree)
{
    return path == NULL || (freopen(path, "r", stdin) != NULL && bench_pgn_read(clocks_take, tree));
}

/* ---- figures ---- */

static int16_t figures_cp(const int16_t cp[IPR_STRENGTH_DEPTHS])
{
    size_t k = IPR_STRENGTH_DEPTHS;

    while (k > 0 && cp[k - 1] == IPR_STRENGTH_NONE)
        k--;
    return k > 0 ? cp[k - 1] : IPR_STRENGTH_NONE;
}

static void figures_turn(struct profile_sides *s, struct profile_side *side,
                         const struct ipr_strength_turn *t, const struct read_clocks *clocks)
{
    const int16_t best = figures_cp(t->cp[0]), played = figures_cp(t->cp[2]);

    if (t->legal < 2 || best == IPR_STRENGTH_NONE || played == IPR_STRENGTH_NONE)
        return;
    const double expected = ipr_points(best), lost = expected - ipr_points(played);
    const struct ipr_profile_move m = {
        .phase = ipr_phase_of(t->ply / 2u + 1, t->pieces[0] + (unsigned)t->pieces[1]),
        .standing = ipr_standing_of(expected),
        .black = t->ply % 2 == 1,
        .hurried = clocks == NULL ? -1 : clocks_hurried(clocks->ms, clocks->n, t->ply),
        .lost = lost > 0 ? lost : 0,
    };
    read_move(s, side, &m);
}

bool profile_read_figures(const char *clocks, struct profile_sides *out)
{
    void *tree = NULL;
    struct bench_data d;

    *out = (struct profile_sides){ .n = 0 };
    if (!bench_data_read(&d) || !clocks_read(clocks, &tree))
        return false;
    for (size_t i = 0, from = 0, to = 0; i < d.n_sides; i++) {
        const struct bench_side *const side = &d.side[i];
        const struct read_clocks key = { .game = strtoull(d.id[side->game], NULL, 16) };
        void *const found = tfind(&key, &tree, clocks_compare);
        const struct read_clocks *const of = found == NULL ? NULL : *(struct read_clocks **)found;
        struct profile_side *const own = read_side(out, side->elo, side->player);

        own->line = of == NULL ? 0 : of->line;
        for (from = i % 2 == 0 ? to : from, to = from;
             to < d.n_turns && d.side[d.of[to]].game == side->game; to++)
            ;
        for (size_t k = from; k < to; k++)
            if (d.of[k] == i)
                figures_turn(out, own, &d.turn[k], of);
    }
    return out->moves > 0;
}

/* ---- figures of games without moves ---- */

struct read_phases {
    int64_t key; /* of the moves */
    uint32_t line;
    size_t n;
    uint8_t *phase; /* [n] */
};

static int phases_compare(const void *a, const void *b)
{
    const struct read_phases *x = a, *y = b;

    return (x->key > y->key) - (x->key < y->key);
}

static enum ipr_code phases_take(void *payload, const struct ipr_pgn_game *g, struct ipr_err *err)
{
    struct ipr_pos pos = g->start;
    void **const tree = payload;

    (void)err;
    if (g->error.code != IPR_OK || g->custom_start)
        return IPR_OK;
    struct read_phases *const p = ipr_xcalloc(1, sizeof *p);

    *p = (struct read_phases){ ipr_moves_key("", g->moves, g->n_moves), read_line(g), g->n_moves,
                               ipr_xcalloc(g->n_moves + 1, 1) };
    for (size_t i = 0; i < g->n_moves; i++) {
        p->phase[i] = (uint8_t)ipr_phase_of(pos.fullmove, ipr_pos_pieces(&pos, IPR_WHITE) +
                                                              ipr_pos_pieces(&pos, IPR_BLACK));
        ipr_pos_play(&pos, g->moves[i]);
    }
    tsearch(p, tree, phases_compare);
    return IPR_OK;
}

static void careers_side(struct profile_sides *s, const struct ipr_side_figures *f,
                         const struct read_phases *of, bool black, struct profile_side *side)
{
    for (size_t i = 0; i < f->n && f->turns[i].ply < of->n; i++) {
        const struct ipr_turn_figures *const t = &f->turns[i];
        const double expected = ipr_points(t->best_cp);
        const struct ipr_profile_move m = { .phase = (enum ipr_phase)of->phase[t->ply],
                                            .standing = ipr_standing_of(expected),
                                            .black = black,
                                            .hurried = -1,
                                            .lost = expected - ipr_points(t->played_cp) };

        if (t->legal > 1)
            read_move(s, side, &m);
    }
}

static void careers_take(const struct ipr_interchange_game *g, const struct read_phases *of,
                         struct profile_sides *out)
{
    const long year = bench_number_in(ipr_pgn_tag_find(g->tags, g->n_tags, "Date"));

    for (unsigned k = 0; k < 2; k++) {
        const long elo =
            bench_number_in(ipr_pgn_tag_find(g->tags, g->n_tags, k == 0 ? "WhiteElo" : "BlackElo"));
        const struct ipr_str name =
            ipr_pgn_tag_find(g->tags, g->n_tags, k == 0 ? "White" : "Black");
        char text[256] = "", player[128];

        if (g->figures[k].n == 0 || year == 0)
            continue;
        memcpy(text, name.p, name.n < sizeof text ? name.n : sizeof text - 1);
        bench_player(text, player);
        struct profile_side *const side =
            read_side(out, elo > 0 ? (double)elo : CAREER_LEVEL, bench_digest(player));

        side->set = ipr_mix64(side->player + (uint64_t)year);
        side->line = of->line;
        careers_side(out, &g->figures[k], of, k == 1, side);
    }
}

bool profile_read_careers(const char *figures, struct profile_sides *out)
{
    struct ipr_err err = IPR_ERR_INIT;
    enum ipr_code rc = IPR_OK;
    void *tree = NULL;
    uint32_t number = 0;
    char *line = NULL;
    size_t size = 0;
    ssize_t n;
    FILE *const in = fopen(figures, "r");

    *out = (struct profile_sides){ .n = 0 };
    if (in == NULL || !bench_pgn_read(phases_take, &tree))
        return false;
    while (rc == IPR_OK && (n = getline(&line, &size, in)) > 0) {
        struct ipr_arena mem = IPR_ARENA_INIT;
        struct ipr_interchange_game g;

        rc = ipr_interchange_read((struct ipr_str){ line, (size_t)n }, ++number, &mem, &g, &err);
        if (rc == IPR_OK && g.figures != NULL) {
            const struct read_phases key = { .key = g.moves_key };
            void *const found = tfind(&key, &tree, phases_compare);

            if (found != NULL)
                careers_take(&g, *(struct read_phases **)found, out);
        }
        ipr_arena_release(&mem);
    }
    free(line);
    fclose(in);
    if (rc != IPR_OK)
        fprintf(stderr, "careers: %s\n", err.msg);
    return rc == IPR_OK && out->moves > 0;
}

/* ---- evaluations in files ---- */

static void evals_side(struct profile_sides *s, const struct ipr_pgn_game *g,
                       const struct ipr_file_evals *e, unsigned colour, const int64_t *clocks,
                       struct profile_side *side)
{
    struct ipr_pos pos = g->start;
    size_t ply = 0;

    for (size_t i = 0; i < e->n; i++) {
        const struct ipr_turn_figures f = ipr_file_evals_figures(&e->moves[i]);
        const double expected = ipr_points(f.best_cp);

        for (; ply < f.ply; ply++)
            ipr_pos_play(&pos, g->moves[ply]);
        if (f.legal < 2 || f.ply % 2u != colour)
            continue;
        const struct ipr_profile_move m = {
            .phase = ipr_phase_of(pos.fullmove, ipr_pos_pieces(&pos, IPR_WHITE) +
                                                    ipr_pos_pieces(&pos, IPR_BLACK)),
            .standing = ipr_standing_of(expected),
            .black = colour == 1,
            .hurried = clocks_hurried(clocks, g->n_moves, f.ply),
            .lost = expected - ipr_points(f.played_cp),
        };
        read_move(s, side, &m);
    }
}

static enum ipr_code evals_take(void *payload, const struct ipr_pgn_game *g, struct ipr_err *err)
{
    const double rating[2] = { (double)bench_number_in(ipr_pgn_tag_get(g, "WhiteElo")),
                               (double)bench_number_in(ipr_pgn_tag_get(g, "BlackElo")) };
    struct profile_sides *const s = payload;
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_file_evals e;

    (void)err;
    if (g->error.code != IPR_OK || g->custom_start || rating[0] <= 0 || rating[1] <= 0)
        return IPR_OK;
    ipr_file_evals_read(&g->start, g->moves, g->n_moves, g->notes, g->n_notes, &mem, &e);
    if (ipr_file_evals_suffice(&e)) {
        int64_t *const clocks = clocks_of(g);
        const uint32_t line = read_line(g);

        for (unsigned colour = 0; colour < 2; colour++) {
            struct profile_side *const side =
                read_side(s, rating[colour], bench_pgn_player(g, colour == 0 ? "White" : "Black"));

            side->line = line;
            evals_side(s, g, &e, colour, clocks, side);
        }
        free(clocks);
    }
    ipr_arena_release(&mem);
    return IPR_OK;
}

bool profile_read_evals(struct profile_sides *out)
{
    *out = (struct profile_sides){ .n = 0 };
    return bench_pgn_read(evals_take, out) && out->moves > 0;
}
