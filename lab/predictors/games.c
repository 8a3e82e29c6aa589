/* Reads the champions' figures. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/interchange.h"
#include "lab/names.h"
#include "lab/predictors/predictors.h"
#include "model/strength_shipped.h"
#include "stats/resample.h"

#define SUMS_UNIT 1e6 /* of the sums in a file */

void predictors_moves_add(struct predictors_moves *m, struct ipr_turn turn, int16_t best,
                          int16_t played)
{
    if (m->n == m->room) {
        m->room = m->room == 0 ? 4096 : 2 * m->room;
        m->turn = ipr_xrealloc(m->turn, m->room, sizeof *m->turn);
        m->cp = ipr_xrealloc(m->cp, m->room, sizeof *m->cp);
    }
    m->cp[m->n][0] = best;
    m->cp[m->n][1] = played;
    m->turn[m->n++] = turn;
}

struct predictors_year *predictors_year(struct predictors_person *p, int year)
{
    const int k = year - PREDICTORS_FIRST_YEAR;

    return k >= 0 && k < PREDICTORS_YEARS ? &p->year[k] : NULL;
}

static size_t games_person(struct predictors_games *g, struct ipr_str name)
{
    for (size_t i = 0; i < g->persons; i++)
        if (ipr_str_is(name, g->person[i].name))
            return i;
    g->person = ipr_xrealloc(g->person, g->persons + 1, sizeof *g->person);
    g->person[g->persons] = (struct predictors_person){ .name = strndup(name.p, name.n) };
    return g->persons++;
}

static void games_add_side(struct predictors_person *p, const struct ipr_side_figures *side,
                           unsigned colour, int32_t game, int year)
{
    struct predictors_year *const y = predictors_year(p, year);

    if (y == NULL)
        return;
    y->turns += side->n;
    if (side->sums.version == IPR_STRENGTH_SUMS_VERSION) {
        y->score += (double)side->sums.score / SUMS_UNIT;
        y->information += (double)side->sums.information / SUMS_UNIT;
    }
    for (size_t i = 0; i < side->n; i++) {
        const struct ipr_turn_figures *t = &side->turns[i];
        const struct ipr_turn turn = { .game = game,
                                       .year = year,
                                       .ply = t->ply,
                                       .mover = (uint8_t)colour,
                                       .lines = 2,
                                       .n_cp = 2,
                                       .played = 1,
                                       .legal = t->legal,
                                       .repeated = t->repeated };

        if (t->ply >= 18 && t->legal > 1)
            predictors_moves_add(&p->moves, turn, t->best_cp, t->played_cp);
    }
}

static int games_tag(const struct ipr_interchange_game *in, const char *name)
{
    int64_t value = 0;
    const struct ipr_str text = ipr_pgn_tag_find(in->tags, in->n_tags, name);

    return ipr_str_int((struct ipr_str){ text.p, text.n < 4 ? text.n : 4 }, 1, 4000, &value)
               ? (int)value
               : 0;
}

/* A game of the same moves, players and year; NULL: there is none yet. */
static struct predictors_game *games_find(struct predictors_games *g,
                                          const struct predictors_game *like)
{
    for (size_t i = 0; i < g->n; i++) {
        struct predictors_game *const have = &g->game[i];

        if (have->key == like->key && have->year == like->year &&
            memcmp(have->person, like->person, sizeof like->person) == 0)
            return have;
    }
    g->game = ipr_xrealloc(g->game, g->n + 1, sizeof *g->game);
    g->game[g->n] = *like;
    return &g->game[g->n++];
}

static void games_add(struct predictors_games *g, const struct ipr_interchange_game *in)
{
    static const double score[] = { [IPR_WHITE_WINS] = 1, [IPR_BLACK_WINS] = 0, [IPR_DRAW] = 0.5 };
    struct predictors_game game = { .year = games_tag(in, "Date"),
                                    .elo = { games_tag(in, "WhiteElo"), games_tag(in, "BlackElo") },
                                    .key = in->moves_key };

    if (in->figures == NULL)
        return;
    game.score = in->result == IPR_RESULT_UNKNOWN ? -1 : score[in->result];
    for (unsigned c = 0; c < 2; c++)
        game.person[c] =
            games_person(g, ipr_pgn_tag_find(in->tags, in->n_tags, c == 0 ? "White" : "Black"));
    struct predictors_game *const to = games_find(g, &game);
    for (unsigned c = 0; c < 2; c++) {
        if (in->figures[c].n == 0 || to->side[c])
            continue;
        games_add_side(&g->person[game.person[c]], &in->figures[c], c, (int32_t)(to - g->game),
                       game.year);
        to->side[c] = true;
    }
}

/* ---- games of the calibration ---- */

static uint64_t game_mark(int year, const uint32_t player[2], const int elo[2], double score)
{
    uint64_t h = ipr_mix64((uint64_t)year << 32 | (isnan(score) ? 3 : (uint64_t)(2 * score)));

    for (unsigned c = 0; c < 2; c++)
        h = ipr_mix64(h ^ ((uint64_t)player[c] << 32 | (uint64_t)elo[c]));
    return h;
}

static int marks_compare(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* Returns the mark of each game, ascending. */
static uint64_t *calibration_marks(const struct bench_data *d)
{
    uint64_t *marks = ipr_xcalloc(d->n_games + 1, sizeof *marks);

    for (size_t i = 0; i < d->n_games; i++) {
        const struct bench_side *const s = &d->side[2 * i];

        marks[i] = game_mark(s->year, (const uint32_t[2]){ s[0].player, s[1].player },
                             (const int[2]){ (int)s[0].elo, (int)s[1].elo }, s->result);
    }
    qsort(marks, d->n_games, sizeof *marks, marks_compare);
    return marks;
}

/* As `figures` writes it (lab/figures.c). */
static uint32_t person_digest(const char *name)
{
    char player[128];

    bench_player(name, player);
    return (uint32_t)(bench_digest(player) >> 32);
}

size_t predictors_games_leave_out(struct predictors_games *g, const struct bench_data *calibration)
{
    uint64_t *const marks = calibration_marks(calibration);
    size_t left_out = 0;

    for (size_t i = 0; i < g->n; i++) {
        struct predictors_game *const game = &g->game[i];
        const uint32_t player[2] = { person_digest(g->person[game->person[0]].name),
                                     person_digest(g->person[game->person[1]].name) };
        const uint64_t mark =
            game->score < 0 ? 0 : game_mark(game->year, player, game->elo, game->score);

        if (game->score < 0 ||
            bsearch(&mark, marks, calibration->n_games, sizeof mark, marks_compare) == NULL)
            continue;
        game->score = -1;
        left_out++;
    }
    free(marks);
    return left_out;
}

static int games_by_year(const void *a, const void *b)
{
    const struct predictors_game *x = a, *y = b;

    return x->year - y->year;
}

enum ipr_code predictors_games_read(FILE *in, struct predictors_games *out, struct ipr_err *err)
{
    crypto_hash_sha256_state state;
    char *line = NULL;
    size_t size = 0;
    enum ipr_code rc = IPR_OK;
    uint32_t number = 0;
    ssize_t n;

    *out = (struct predictors_games){ 0 };
    crypto_hash_sha256_init(&state);
    while (rc == IPR_OK && (n = getline(&line, &size, in)) > 0) {
        struct ipr_arena mem = IPR_ARENA_INIT;
        struct ipr_interchange_game game;

        crypto_hash_sha256_update(&state, (const unsigned char *)line, (size_t)n);
        rc = ipr_interchange_read((struct ipr_str){ line, (size_t)n }, ++number, &mem, &game, err);
        if (rc == IPR_OK)
            games_add(out, &game);
        ipr_arena_release(&mem);
    }
    free(line);
    bench_hex(&state, out->digest);
    for (size_t i = 0; i < out->persons; i++)
        for (size_t k = 0; k < out->person[i].moves.n; k++)
            out->person[i].moves.turn[k].cp = out->person[i].moves.cp[k];
    qsort(out->game, out->n, sizeof *out->game, games_by_year);
    return rc;
}

void predictors_games_free(struct predictors_games *g)
{
    for (size_t i = 0; i < g->persons; i++) {
        free(g->person[i].name);
        free(g->person[i].moves.turn);
        free(g->person[i].moves.cp);
    }
    free(g->person);
    free(g->game);
}
