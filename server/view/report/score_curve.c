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

static json_t *score_curve_number(double value, double se, struct ipr_interval interval, bool known,
                                  const char *unknown, const struct ipr_provenance *from)
{
    const struct ipr_figure_curve_number out = {
        ipr_figure(value, ipr_number_if(known, se), ipr_interval_if(known, interval), from), unknown
    };

    return ipr_shape_json(IPR_SHAPE_CURVE_NUMBER, &out);
}

static void score_curve_add_curve(json_t *out, const struct band *b, struct ipr_provenance *from)
{
    struct ipr_err why = IPR_ERR_INIT;
    const char *reason = ipr_report_too_few(from);
    struct ipr_score_curve r;

    if (reason == NULL && ipr_score_curve(b->x, b->n, &r, &why) != IPR_OK)
        reason = why.msg;
    if (reason != NULL) {
        const struct ipr_figure none = ipr_figure_none(from, reason);

        json_object_set_new(out, "a", ipr_shape_json(IPR_SHAPE_FIGURE, &none));
        json_object_set(out, "b", json_object_get(out, "a"));
        return;
    }
    from->iterations = r.evaluations;
    json_object_set_new(
        out, "a",
        score_curve_number(
            r.a, r.se_a, r.a_interval, r.errors_known && !r.a_at_bound,
            r.a_at_bound ? ipr_say_reason_interval(IPR_REASON_INTERVAL_AT_BOUND) : NULL, from));
    json_object_set_new(out, "b",
                        score_curve_number(r.b, r.se_b, r.b_interval, r.errors_known, NULL, from));
    json_object_set_new(out, "a_at_bound", json_boolean(r.a_at_bound));
}

static json_t *score_curve_band_json(const struct ipr_view_context *c, const struct band *b)
{
    const struct ipr_window window = { .first_move = c->judge.first_move };
    struct ipr_provenance from = { .context = c,
                                   .method = IPR_METHOD_SCORE_CURVE,
                                   .window = &window,
                                   .turns = b->n,
                                   .games = b->games,
                                   .converged = true };
    json_t *out =
        json_pack("{s:o, s:I, s:I, s:o}", "elo",
                  b->high ? json_pack("{s:i, s:i}", "low", b->low, "high", b->high) : json_null(),
                  "positions", (json_int_t)b->n, "games", (json_int_t)b->games, "bins",
                  ipr_figure_score_bins(b->x, b->n, ipr_json_num, true));

    score_curve_add_curve(out, b, &from);
    return out;
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
    struct band b = { .x = ipr_xcalloc(g->all.n_turns + 1, sizeof *b.x) };
    json_t *bands = json_array();

    score_curve_take_positions(g, &b);
    json_t *all = score_curve_band_json(c, &b);
    for (b.low = 0; b.low < ELO_MAX; b.low += width) {
        b.high = b.low + width;
        score_curve_take_positions(g, &b);
        if (b.n > 0)
            json_array_append_new(bands, score_curve_band_json(c, &b));
    }
    free(b.x);
    json_t *out =
        json_pack("{s:o, s:o, s:o, s:I}", "games", ipr_report_games_json(g, 0), "all", all, "bands",
                  bands, "without_elo", (json_int_t)score_curve_without_elo(g));
    json_t *reason = json_object_get(json_object_get(all, "b"), "reason");
    if (reason != NULL)
        json_object_set(out, "reason", reason);
    return out;
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
    .compute = score_curve_compute,
    .version = 3,
};
