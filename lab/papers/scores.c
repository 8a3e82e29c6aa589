/*
 * Scores of matches beside those expected by the moves of the same matches (A's figure 7, left).
 *
 * Order of the work: the moves of both players, for each match. Memory: those of all matches.
 */
#include <math.h>

#include "lab/papers/figure.h"
#include "model/conformance_predict.h"
#include "view/json.h"

/* The winner's share of the points, and the games. NaN without any. */
static double scores_actual(const struct ipr_paper_moves *m, int32_t loser, size_t *games)
{
    int half_points = 0;

    *games = 0;
    for (size_t i = 0; i < m->t.n_sides; i++) {
        const struct ipr_db_player_side *s = &m->t.sides[i];

        if (s->opponent != loser || s->half_points < 0)
            continue;
        half_points += s->half_points;
        ++*games;
    }
    return *games > 0 ? half_points / (2.0 * (double)*games) : NAN;
}

/* Half the points, and beta times what the winner's share of good moves is above the loser's. */
static enum ipr_code scores_expect(const struct ipr_paper_moves m[2], const json_t *form, int year,
                                   json_t *points, struct ipr_err *err)
{
    enum ipr_window_method window;
    const struct ipr_acs_params params = { .loss = ipr_paper_loss(form, &window),
                                           .threshold = ipr_json_at(form, "threshold", 0.0),
                                           .alpha = ipr_json_at(form, "alpha", 0.0),
                                           .beta = ipr_json_at(form, "beta", 1.0) };
    struct ipr_acs_player player[2];
    struct ipr_acs_prediction p;

    for (int of = 0; of < 2; of++)
        player[of] = (struct ipr_acs_player){ m[of].t.turns, m[of].keep, m[of].n, year };
    const enum ipr_code rc = ipr_acs_predict(&player[0], &player[1], &params, &p, err);
    if (rc == IPR_OK)
        ipr_paper_add_point(points, year, p.expected,
                            p.interval_known ? p.interval : (struct ipr_interval){ NAN, NAN },
                            m[0].n + m[1].n);
    return rc;
}

/* The points of a match are added to the series: the actual score, then each form. */
static enum ipr_code scores_match(struct ipr_paper_figure *f, const json_t *match,
                                  struct ipr_err *err)
{
    const int year = (int)ipr_json_at(match, "year", 0.0);
    struct ipr_paper_moves m[2];
    enum ipr_code rc = IPR_OK;
    const json_t *form;
    int32_t loser;
    size_t i, games;

    for (int of = 0; of < 2 && rc == IPR_OK; of++)
        rc = ipr_paper_match_moves(f, match, of, &m[of], err);
    if (rc == IPR_OK)
        rc = ipr_paper_find_person(f->context, f->paper, ipr_paper_match_name(match, 1), &loser,
                                   err);
    if (rc != IPR_OK || m[0].n < IPR_VIEW_MIN_TURNS || m[1].n < IPR_VIEW_MIN_TURNS)
        return rc;
    const double actual = scores_actual(&m[0], loser, &games);
    if (isfinite(actual))
        ipr_paper_add_point(json_object_get(json_array_get(f->series, 0), "points"), year, actual,
                            (struct ipr_interval){ NAN, NAN }, games);
    json_array_foreach(json_object_get(f->def, "forms"), i, form) {
        if (rc == IPR_OK)
            rc = scores_expect(m, form, year,
                               json_object_get(json_array_get(f->series, i + 1), "points"), err);
    }
    return rc;
}

/* Mean absolute difference from the actual scores of a line or, with NULL, of half the points. */
static void scores_add_error(struct ipr_paper_figure *f, const json_t *line)
{
    const json_t *actual = json_object_get(json_array_get(f->series, 0), "points"), *point;
    const json_t *points = json_object_get(line, "points");
    const char *name = line != NULL ? ipr_json_text_at(line, "name") : "half the points";
    double sum = 0.0;
    size_t i;

    json_array_foreach(actual, i, point)
        sum +=
            fabs(ipr_json_at(json_array_get(points, i), "y", 0.5) - ipr_json_at(point, "y", NAN));
    ipr_paper_add_constant(f, ipr_arena_printf(f->context->v->mem, "mean error: %s", name),
                           sum / (double)i, (struct ipr_interval){ NAN, NAN });
}

enum ipr_code ipr_paper_match_scores(struct ipr_paper_figure *f, struct ipr_err *err)
{
    const json_t *form, *line;
    size_t i;

    ipr_paper_add_series(f, "Actual score", NULL);
    json_array_foreach(json_object_get(f->def, "forms"), i, form)
        ipr_paper_add_series(f, ipr_json_text_at(form, "name"), NULL);
    const enum ipr_code rc = ipr_paper_each_match(f, scores_match, err);
    if (rc != IPR_OK)
        return rc;
    if (json_array_size(json_object_get(json_array_get(f->series, 0), "points")) == 0) {
        f->reason = "of no match 150 moves of both players are analysed here";
        return rc;
    }
    json_array_foreach(f->series, i, line)
        scores_add_error(f, i > 0 ? line : NULL);
    return rc;
}
