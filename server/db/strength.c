#include "db/strength.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/pools.h"
#include "core/setting.h"
#include "core/strength_turns.h"
#include "db/judges.h"
#include "queries/strength_inside.h"

const struct ipr_strength_engine *ipr_judge_strength_engine(const struct ipr_judge *judge)
{
    const struct ipr_judge rating = ipr_setting_rating();

    if (!ipr_judge_same_search(judge, &rating) || judge->engine[0] == '\0')
        return NULL;
    /* With options of its own, or searches that differ from time to time, it is another engine. */
    return ipr_strength_engine_of(judge->options[0] == '\0' ? judge->engine : "", judge->network);
}

bool ipr_judge_may_rate(const struct ipr_judge *judge)
{
    const struct ipr_strength_engine *const engine = ipr_judge_strength_engine(judge);

    return engine != NULL && (ipr_strength_engine_is_own(engine) ||
                              strcmp(judge->name, ipr_setting_name(IPR_FOR_RATING)) == 0);
}

const char *ipr_judge_equation(const struct ipr_judge *judge, struct ipr_arena *mem)
{
    struct ipr_strength_mix q = { 0 };

    if (!ipr_judge_may_rate(judge))
        return "";
    ipr_strength_mix_add(&q, ipr_judge_strength_engine(judge), 1);
    return ipr_arena_printf(mem, "{%.17g,%.17g,%.17g,%g,%g}", q.shift_error, q.scale_error,
                            q.centre, q.other, q.unknown);
}

static int64_t strength_millionths(double x)
{
    return (int64_t)llround(IPR_STRENGTH_UNIT * x);
}

void ipr_move_strengths(const struct ipr_judge *judge, const struct ipr_pos *start,
                        const ipr_move *moves, size_t n_moves, const struct ipr_judged_game *judged,
                        struct ipr_move_strength *out)
{
    const struct ipr_strength_model *m = &ipr_pool_of(IPR_TIME_SET_DEFAULT)->moves.fit->model;
    const struct ipr_strength_engine *const engine = ipr_judge_strength_engine(judge);
    struct ipr_strength_turn *turn = ipr_xcalloc(judged->n + 1, sizeof *turn);
    struct ipr_strength_score *score = ipr_xcalloc(judged->n + 1, sizeof *score);

    ipr_strength_turns(start, moves, n_moves, judged, turn);
    ipr_strength_scores(m, turn, judged->n, score);
    for (size_t i = 0; i < judged->n; i++) {
        const struct ipr_strength_score s = ipr_strength_equate(engine, score[i]);

        out[i] = (struct ipr_move_strength){ .counts = ipr_strength_counts(&turn[i]),
                                             .score = strength_millionths(s.score),
                                             .information = strength_millionths(s.information) };
    }
    free(score);
    free(turn);
}

void ipr_side_strength(const struct ipr_judge *judge, const struct ipr_db_game *game,
                       const struct ipr_judged_game *judged, struct ipr_contribution side[2])
{
    struct ipr_move_strength *move = ipr_xcalloc(judged->n + 1, sizeof *move);

    ipr_move_strengths(judge, &game->start, game->moves, game->n_moves, judged, move);
    for (size_t c = 0; c < 2; c++)
        side[c].strength_score = side[c].strength_information = side[c].strength_moves = 0;
    for (size_t i = 0; i < judged->n; i++) {
        struct ipr_contribution *c = &side[judged->turns[i].mover & 1u];

        c->strength_score += move[i].score;
        c->strength_information += move[i].information;
        c->strength_moves += move[i].counts;
    }
    free(move);
}

double ipr_strength_error_of_stored(const struct ipr_strength_mix *mix, int64_t score,
                                    int64_t information)
{
    return mix != NULL ? ipr_strength_mix_error(mix, (double)information,
                                                (double)score / (double)information)
                       : 0;
}

struct ipr_strength_estimate ipr_strength_of_stored(const struct ipr_scale *scale,
                                                    const struct ipr_strength_mix *mix,
                                                    int64_t score, int64_t information)
{
    const struct ipr_strength_shipped *s = scale->fit;

    if (s == NULL)
        return (struct ipr_strength_estimate){ NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN };
    return ipr_strength_rating(s, ipr_strength_error_of_stored(mix, score, information),
                               (double)score / IPR_STRENGTH_UNIT,
                               (double)information / IPR_STRENGTH_UNIT, s->prior_mean, s->prior_sd);
}

bool ipr_trajectory_of_stored(const struct ipr_scale *scale, const struct ipr_db_person_year *year,
                              size_t n, struct ipr_strength_calibration *calibration,
                              struct ipr_trajectory *out)
{
    const struct ipr_strength_shipped *const s = scale->fit;
    const size_t undated = n > 1 && year[0].of.year == 0;
    struct ipr_strength_mix mix = { 0 };
    int64_t score = 0, information = 0;

    if (s == NULL || n == 0)
        return false;
    struct ipr_trajectory_year *const sums = ipr_xcalloc(n, sizeof *sums);
    for (size_t i = undated; i < n; i++) {
        const struct ipr_db_year_strength *const y = &year[i].of;

        sums[i - undated] = (struct ipr_trajectory_year){
            .year = y->year,
            .score = (double)y->score / IPR_STRENGTH_UNIT,
            .information = (double)y->information / IPR_STRENGTH_UNIT,
            .events = year[i].events,
            .moves = (int32_t)y->moves,
        };
        score += y->score;
        information += y->information;
        ipr_strength_mix_sum(&mix, &y->mix, 1);
    }
    *calibration =
        ipr_strength_calibration_of(s, ipr_strength_error_of_stored(&mix, score, information));
    const enum ipr_code rc = ipr_trajectory_fit(&ipr_trajectory_shipped, calibration, s->prior_mean,
                                                s->prior_sd, sums, n - undated, out, NULL);
    free(sums);
    return rc == IPR_OK;
}

struct ipr_strength_parts ipr_strength_parts_of_stored(const struct ipr_scale *scale,
                                                       const struct ipr_strength_mix *mix,
                                                       int64_t score, int64_t information)
{
    const struct ipr_strength_shipped *s = scale->fit;

    if (s == NULL || information <= 0)
        return (struct ipr_strength_parts){ NAN, NAN, NAN, NAN };
    const struct ipr_strength_calibration m =
        ipr_strength_calibration_of(s, ipr_strength_error_of_stored(mix, score, information));
    return ipr_strength_parts(&m, (double)score / IPR_STRENGTH_UNIT,
                              (double)information / IPR_STRENGTH_UNIT, s->prior_mean, s->prior_mean,
                              s->prior_sd);
}

double ipr_strength_part_of_stored(const struct ipr_strength_parts *p, int64_t score,
                                   int64_t information)
{
    return ipr_strength_part(p, (double)score / IPR_STRENGTH_UNIT,
                             (double)information / IPR_STRENGTH_UNIT);
}
