/* The games of an event by player and round, and the test of each player's moves. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "db/strength.h"
#include "model/screening.h"
#include "sentence/sentence.h"
#include "view/event/field.h"

/* z of a set of moves against play at an Elo in a year; NAN beyond the calibrated range. */
static double sides_z(const struct ipr_pool *pool, const struct ipr_strength_mix *mix, double score,
                      double information, double elo, double year)
{
    const struct ipr_strength_set set = { .score = score / IPR_STRENGTH_UNIT,
                                          .information = information / IPR_STRENGTH_UNIT,
                                          .elo = elo,
                                          .year = year,
                                          .events = 1 };

    if (information <= 0 || !ipr_scale_holds(&pool->moves, elo))
        return NAN;
    const struct ipr_strength_calibration m = ipr_strength_calibration_of(
        pool->moves.fit, ipr_strength_mix_error(mix, information, score / information));
    return ipr_strength_surprise(&m, &set);
}

/* ---- rounds ---- */

/* "7", or "7.2" of a match within it; 0 where the tag has no number. */
static int sides_round(const char *tag)
{
    const long n = strtol(tag, NULL, 10);

    return n > 0 && n < 1000 ? (int)n : 0;
}

static int sides_by_date(const void *a, const void *b)
{
    const struct ipr_event_side *x = a, *y = b;
    const int order = strcmp(x->of->date, y->of->date);

    return order ? order : (x->of->game_id > y->of->game_id) - (x->of->game_id < y->of->game_id);
}

/* The numbers that occur, once each; each side's becomes its index. */
static void sides_rounds(struct ipr_event_field *f, struct ipr_arena *mem)
{
    size_t n = 0;

    for (size_t i = 0; i < f->n; i++)
        n += f->all[i].player.n_sides;
    f->rounds = ipr_arena_alloc(mem, n + 1, sizeof *f->rounds);
    n = 0;
    for (size_t i = 0; i < f->n; i++)
        for (size_t k = 0; k < f->all[i].player.n_sides; k++)
            f->rounds[n++] = f->all[i].sides[k].round;
    f->n_rounds = ipr_sort_unique(f->rounds, n, sizeof *f->rounds, ipr_compare_int32);
    for (size_t i = 0; i < f->n; i++)
        for (size_t k = 0; k < f->all[i].player.n_sides; k++) {
            struct ipr_event_side *const s = &f->all[i].sides[k];
            const int *const at =
                bsearch(&s->round, f->rounds, f->n_rounds, sizeof *f->rounds, ipr_compare_int32);

            s->round = (int)(at - f->rounds);
        }
}

/* ---- sums ---- */

static int sides_compare_sums(const void *a, const void *b)
{
    const struct ipr_db_event_sums *x = a, *y = b;

    return x->game_id != y->game_id ? (x->game_id > y->game_id) - (x->game_id < y->game_id)
                                    : x->colour - y->colour;
}

static struct ipr_event_side sides_one(const struct ipr_pool *pool, const struct ipr_event_entry *e,
                                       size_t k, const struct ipr_db_event_sums *row)
{
    const struct ipr_db_player_side *const of = &e->player.sides[k];
    const struct ipr_elo_source *const own = &e->elo[k].own;
    struct ipr_event_side s = { .of = of, .own = own };
    struct ipr_answer_event_game *const game = &s.game;

    ipr_shape_blank(IPR_SHAPE_EVENT_GAME, game);
    game->game = of->game_id;
    game->color = of->colour == 0 ? "white" : "black";
    game->opponent = ipr_named(of->opponent, of->opponent_name);
    if (of->half_points >= 0)
        game->points = of->half_points / 2.;
    game->forfeited = of->plies == 0;
    game->elo = own->elo;
    if (own->elo > 0)
        game->elo_source = own->listed ? "rating list" : "game tags";
    if (row == NULL)
        return s;
    s.round = sides_round(row->round);
    game->moves = row->moves;
    s.score = row->score;
    s.information = row->information;
    s.mix = row->mix;
    if (row->moves >= IPR_EVENT_ROUND_MOVES)
        game->z = sides_z(pool, &s.mix, (double)s.score, (double)s.information, own->elo, of->year);
    return s;
}

static void sides_fill(const struct ipr_view_context *c, struct ipr_event_field *f,
                       const struct ipr_db_event_sums *rows, size_t n)
{
    f->tagged = true;
    for (size_t i = 0; i < f->n; i++) {
        struct ipr_event_entry *const e = &f->all[i];

        e->sides = ipr_arena_alloc(c->v->mem, e->player.n_sides, sizeof *e->sides);
        for (size_t k = 0; k < e->player.n_sides; k++) {
            const struct ipr_db_event_sums key = { .game_id = e->player.sides[k].game_id,
                                                   .colour = e->player.sides[k].colour };

            e->sides[k] =
                sides_one(f->pool, e, k,
                          n > 0 ? bsearch(&key, rows, n, sizeof *rows, sides_compare_sums) : NULL);
            f->tagged = f->tagged && e->sides[k].round > 0;
        }
    }
    for (size_t i = 0; i < f->n && !f->tagged; i++) { /* the games of each numbered by date */
        struct ipr_event_entry *const e = &f->all[i];

        qsort(e->sides, e->player.n_sides, sizeof *e->sides, sides_by_date);
        for (size_t k = 0; k < e->player.n_sides; k++)
            e->sides[k].round = (int)k + 1;
    }
    sides_rounds(f, c->v->mem);
}

/* ---- the test of a player ---- */

/* Sums over the analysed games of a player. */
struct sums {
    double score, information, elo, year, dated;
    struct ipr_strength_mix mix;
    int64_t moves, without; /* without: of games of unknown Elo */
    size_t games, tags, lists;
};

static struct sums sides_sum(const struct ipr_event_entry *e)
{
    struct sums sum = { 0 };

    for (size_t k = 0; k < e->player.n_sides; k++) {
        const struct ipr_event_side *const s = &e->sides[k];
        const double w = (double)s->information;

        if (s->game.moves <= 0)
            continue;
        sum.games++;
        sum.moves += s->game.moves;
        sum.without += s->own->elo == 0 ? s->game.moves : 0;
        sum.tags += s->own->elo > 0 && !s->own->listed;
        sum.lists += s->own->listed;
        ipr_strength_mix_sum(&sum.mix, &s->mix, 1);
        sum.score += (double)s->score;
        sum.information += w;
        sum.elo += w * s->own->elo;
        sum.dated += s->of->year > 0 ? w : 0;
        sum.year += w * s->of->year;
    }
    return sum;
}

/* Why a player is not tested; NULL: there is a test. */
static const char *test_reason(const struct ipr_pool *pool, const struct sums *sum, double elo,
                               struct ipr_arena *mem)
{
    const struct ipr_scale *const scale = &pool->moves;
    const struct ipr_event_not_tested_slots slots = { .end = elo < scale->low ? scale->low
                                                                              : scale->high };
    enum ipr_event_not_tested which;

    if (sum->games == 0)
        which = IPR_EVENT_NOT_TESTED_NO_MOVE;
    else if (scale->fit == NULL)
        return ipr_scale_none(pool, scale, mem);
    else if (sum->without == sum->moves)
        which = IPR_EVENT_NOT_TESTED_NO_ELO;
    else if (sum->without > 0)
        which = IPR_EVENT_NOT_TESTED_SOME_ELO;
    else if (elo < scale->low)
        which = IPR_EVENT_NOT_TESTED_BELOW;
    else if (elo > scale->high)
        which = IPR_EVENT_NOT_TESTED_ABOVE;
    else if (sum->moves < IPR_EVENT_MOVES)
        which = IPR_EVENT_NOT_TESTED_FEW;
    else
        return NULL;
    return ipr_say_event_not_tested(which, &slots, mem);
}

static void test_fill(const struct ipr_view_context *c, const struct ipr_pool *pool,
                      const struct ipr_event_entry *e, struct ipr_answer_screening_row *t)
{
    const struct sums sum = sides_sum(e);

    ipr_shape_blank(IPR_SHAPE_SCREENING_ROW, t);
    t->player = ipr_named(e->player.id, e->player.name);
    t->games = (int64_t)e->player.n_sides;
    t->moves = sum.moves;
    t->games_tested = (int64_t)sum.games;
    if (sum.tags > 0 && sum.lists > 0)
        t->elo_source = "both";
    else if (sum.tags > 0 || sum.lists > 0)
        t->elo_source = sum.tags > 0 ? "game tags" : "rating list";
    if (sum.information > 0 && sum.without == 0)
        t->elo = sum.elo / sum.information;
    t->reason = test_reason(pool, &sum, t->elo, c->v->mem);
    if (t->reason != NULL)
        return;
    t->z = sides_z(pool, &sum.mix, sum.score, sum.information, t->elo,
                   sum.dated > 0 ? sum.year / sum.dated : 0);
    t->tail = ipr_screening_tail(t->z);
}

static int tests_by_z(const void *a, const void *b)
{
    const struct ipr_event_entry *const *x = a, *const *y = b;
    const double p = (*x)->test.z, q = (*y)->test.z;

    return p != q ? (p < q) - (p > q) : (*x)->player.id - (*y)->player.id;
}

/* Corrected for the number of players tested. */
static void tests_correct(struct ipr_event_field *f, struct ipr_arena *mem)
{
    double *tail = ipr_arena_alloc(mem, 3 * f->n_tested + 1, sizeof *tail);
    double *holm = tail + f->n_tested, *fdr = holm + f->n_tested;

    if (f->n_tested > 1)
        qsort(f->tested, f->n_tested, sizeof(struct ipr_event_entry *), tests_by_z);
    for (size_t i = 0; i < f->n_tested; i++)
        tail[i] = f->tested[i]->test.tail;
    ipr_screening_correct(tail, f->n_tested, holm, fdr);
    for (size_t i = 0; i < f->n_tested; i++) {
        struct ipr_answer_screening_row *const t = &f->tested[i]->test;

        t->adjusted = holm[i];
        t->false_discovery_rate = fdr[i];
        t->expected = (double)f->n_tested * t->tail;
        t->rank = (int64_t)i + 1;
    }
}

enum ipr_code ipr_event_test_all(const struct ipr_view_context *c, int32_t event,
                                 struct ipr_event_field *f, struct ipr_err *err)
{
    struct ipr_db_event_sums *rows = NULL;
    size_t n = 0;
    const enum ipr_code rc =
        ipr_db_event_sums(c->v->db, event, c->times, c->v->mem, &rows, &n, err);

    if (rc != IPR_OK)
        return rc;
    for (size_t i = 0; i + 1 < n; i += 2) /* both sides of a game are adjacent */
        f->games_analysed += rows[i].moves >= 0 || rows[i + 1].moves >= 0;
    unsigned classes = 0;
    for (size_t i = 0; i < f->n; i++)
        classes |= f->all[i].strength.classes;
    f->pool = ipr_setting_pool(c, classes);
    sides_fill(c, f, rows, n);
    f->tested = ipr_arena_alloc(c->v->mem, f->n + 1, sizeof(struct ipr_event_entry *));
    for (size_t i = 0; i < f->n; i++) {
        test_fill(c, f->pool, &f->all[i], &f->all[i].test);
        if (f->all[i].test.reason == NULL)
            f->tested[f->n_tested++] = &f->all[i];
    }
    tests_correct(f, c->v->mem);
    return IPR_OK;
}
