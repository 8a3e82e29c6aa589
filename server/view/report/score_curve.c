/*
 * Expected score as a function of the evaluation, by rating of the mover (L's figure 3).
 *
 * Order of the work: a profile likelihood over the distinct evaluations of each band, one sort of
 * its positions for the errors. Memory: the games (view/report/games.h) and 24 bytes a position.
 */
#include "view/report/report.h"

#include <stdlib.h>

#include "model/score_curve.h"
#include "sentence/sentence.h"
#include "view/figure/figure.h"
#include "view/json.h"
#include "view/report/games.h"

#define ELO_MAX 4000

/* Positions of one band of ratings, or of all. */
struct band {
    struct ipr_score_position *x;
    size_t n, games;
    int low, high; /* high excluded; 0, 0: all */
};

/* Every judged turn: its best evaluation and the mover's score in the game. */
static void score_curve_take_positions(const struct ipr_report_games *g, struct band *b)
{
    b->n = 0;
    b->games = 0;
    for (size_t i = 0; i < g->n; i++) {
        const struct ipr_db_judged_game *game = &g->all.games[g->at[i]];
        const size_t before = b->n;

        for (size_t t = 0; t < g->games[i].n; t++) {
            const struct ipr_turn *turn = &g->games[i].turns[t];
            const int black = turn->mover != 0;
            const int elo = game->elo[black];
            if (b->high == 0 || (elo > 0 && elo >= b->low && elo < b->high))
                b->x[b->n++] = (struct ipr_score_position){
                    turn->game, ipr_judged(turn, IPR_PLAYED_PLACED).best_cp / 100.0,
                    (1 + (black ? -game->result : game->result)) / 2.0
                };
        }
        b->games += b->n > before;
    }
}

static struct ipr_figure_curve_number score_curve_number(double value, double se,
                                                         struct ipr_interval interval, bool known,
                                                         const char *unknown,
                                                         const struct ipr_provenance *from)
{
    return (struct ipr_figure_curve_number){
        ipr_figure(value, ipr_number_if(known, se), ipr_interval_if(known, interval), from), unknown
    };
}

static void score_curve_add_curve(struct ipr_answer_score_band *out, const struct band *b,
                                  struct ipr_provenance *from)
{
    struct ipr_err why = IPR_ERR_INIT;
    const char *reason = ipr_report_too_few(from);
    struct ipr_score_curve r;

    if (reason == NULL && ipr_score_curve(b->x, b->n, &r, &why) != IPR_OK)
        reason = ipr_arena_printf(from->context->v->mem, "%s", why.msg);
    if (reason != NULL) {
        out->a.figure = out->b.figure = ipr_figure_none(from, reason);
        return;
    }
    from->iterations = r.evaluations;
    out->a = score_curve_number(
        r.a, r.se_a, r.a_interval, r.errors_known && !r.a_at_bound,
        r.a_at_bound ? ipr_say_reason_interval(IPR_REASON_INTERVAL_AT_BOUND) : NULL, from);
    out->b = score_curve_number(r.b, r.se_b, r.b_interval, r.errors_known, NULL, from);
    out->a_at_bound = r.a_at_bound;
}

static void score_curve_band(const struct ipr_view_context *c, const struct band *b,
                             struct ipr_answer_score_band *out)
{
    const struct ipr_window window = { .first_move = c->judge.first_move };
    const struct ipr_answer_count_range range = { b->low, b->high };
    struct ipr_provenance from = { .context = c,
                                   .method = IPR_METHOD_SCORE_CURVE,
                                   .window = &window,
                                   .turns = b->n,
                                   .games = b->games,
                                   .converged = true };

    if (b->high > 0)
        out->elo = ipr_shape_copy(IPR_SHAPE_COUNT_RANGE, &range, c->v->mem);
    out->positions = (int64_t)b->n;
    out->games = (int64_t)b->games;
    out->bins.n = ipr_figure_score_bins(b->x, b->n, ipr_json_round, c->v->mem, &out->bins.at);
    score_curve_add_curve(out, b, &from);
}

/* Positions whose mover has no Elo in the tags: they count only for all. */
static size_t score_curve_without_elo(const struct ipr_report_games *g)
{
    size_t n = 0;

    for (size_t i = 0; i < g->n; i++)
        for (size_t t = 0; t < g->games[i].n; t++)
            n += g->all.games[g->at[i]].elo[g->games[i].turns[t].mover != 0] <= 0;
    return n;
}

static json_t *score_curve_answer(const struct ipr_view_context *c,
                                  const struct ipr_report_games *g, int width)
{
    struct ipr_answer_score_curve_report *const out =
        ipr_shape_new(IPR_SHAPE_SCORE_CURVE_REPORT, c->v->mem);
    struct band b = { .x = ipr_xcalloc(g->all.n_turns + 1, sizeof *b.x) };

    out->games = ipr_report_games_counted(g, 0, c->v->mem);
    out->all = ipr_shape_new(IPR_SHAPE_SCORE_BAND, c->v->mem);
    score_curve_take_positions(g, &b);
    score_curve_band(c, &b, out->all);
    out->bands.at = ipr_shape_list(IPR_SHAPE_SCORE_BAND, (size_t)(ELO_MAX / width + 1), c->v->mem);
    for (b.low = 0; b.low < ELO_MAX; b.low += width) {
        b.high = b.low + width;
        score_curve_take_positions(g, &b);
        if (b.n > 0)
            score_curve_band(c, &b, &out->bands.at[out->bands.n++]);
    }
    free(b.x);
    out->without_elo = (int64_t)score_curve_without_elo(g);
    out->reason = out->all->b.figure.group.reason;
    return ipr_shape_json(IPR_SHAPE_SCORE_CURVE_REPORT, out);
}

/* p_v = a + (1 - 2a)/(1 + exp(-b v)), v in pawns. Every judged turn counts, from the judge's first
 * move on. */
static enum ipr_code score_curve_compute(const struct ipr_view_context *c, const json_t *params,
                                         json_t **out, struct ipr_err *err)
{
    struct ipr_report_games g;

    const enum ipr_code rc = ipr_report_games(c, false, params, &g, err);
    if (rc == IPR_OK)
        *out = score_curve_answer(c, &g, (int)ipr_json_at(params, "band", 0.0));
    return rc;
}

const struct ipr_report_kind ipr_report_score_curve = {
    .name = "score_curve",
    .answer = IPR_SHAPE_SCORE_CURVE_REPORT,
    .compute = score_curve_compute,
    .version = 3,
};
