/* A record, checked and made ready for use. */
#include "view/calibration/calibration.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/judge_json.h"
#include "model/judged.h"
#include "sentence/sentence.h"
#include "view/calibration/parts.h"
#include "view/calibration/use.h"

#define REFERENCE_MAX 100000
/* Stands for a hash size that was not published; no engine here is given so little. */
#define UNKNOWN_HASH_MB 1

static enum ipr_code load_error(struct ipr_err *err, enum ipr_calibration_fault what)
{
    return ipr_err_at(err, IPR_EPARSE, "bad_calibration", 0, 0, -1, "calibration record: %s",
                      ipr_say_calibration_fault(what));
}

static bool load_text_is(const char *text, const char *want)
{
    return text != NULL && strcmp(text, want) == 0;
}

/* Settings of this program; a record with other settings is rejected, not reinterpreted. */
static enum ipr_code load_check_method(const struct ipr_answer_calibration_method *m,
                                       const struct ipr_calibration_use *use, struct ipr_err *err)
{
    if (!load_text_is(m->fit, "moments") || !load_text_is(m->tie, "first") ||
        !load_text_is(m->tail, "extrapolated") || !load_text_is(m->curve, "exp"))
        return load_error(err, IPR_CALIBRATION_FAULT_METHOD);
    if (!(fabs(m->cap_pawns - use->params.cap) <= 1e-12 &&
          fabs(m->tie_pawns - use->params.tie_pawns) <= 1e-12))
        return load_error(err, IPR_CALIBRATION_FAULT_CAP);
    if (m->window.first_move != use->window.first_move ||
        !(fabs(m->window.limit_pawns * 100.0 - use->window.limit_cp) <= 1e-9))
        return load_error(err, IPR_CALIBRATION_FAULT_WINDOW);
    return IPR_OK;
}

static size_t load_count(int64_t n)
{
    return n > 0 ? (size_t)n : 0;
}

static double load_or_none(double x)
{
    return isfinite(x) ? x : 0.0;
}

static enum ipr_code load_read_line(const struct ipr_answer_calibration_made *record,
                                    struct ipr_calibration *line, struct ipr_err *err)
{
    *line = (struct ipr_calibration){
        .a = record->a,
        .b = record->b,
        .se_a = load_or_none(record->a_se),
        .se_b = load_or_none(record->b_se),
        .cov_ab = load_or_none(record->ab_covariance),
        .residual_variance = record->residual_sd * record->residual_sd,
        .sampling_variance = ipr_calibration_sampling_in(record, record->b, IPR_RH_MOMENTS),
        .elo_min = record->elo_range.low,
        .elo_max = record->elo_range.high,
        .c_intercept = load_or_none(record->c_line.intercept),
        .c_slope = load_or_none(record->c_line.slope),
        .mileposts = record->mileposts.n,
        .turns = load_count(record->turns),
    };
    if (!isfinite(line->a) || !(line->b > 0.0) || !(record->residual_sd >= 0.0))
        return load_error(err, IPR_CALIBRATION_FAULT_LINE);
    if (!(line->elo_min < line->elo_max))
        return load_error(err, IPR_CALIBRATION_FAULT_RANGE);
    return IPR_OK;
}

/* Mean of a fit's AE_ref over the mileposts, by turns. */
static double load_mean_error(const struct ipr_answer_calibration_made *record,
                              enum ipr_rh_fit_kind kind)
{
    double sum = 0.0, turns = 0.0;

    for (size_t i = 0; i < record->mileposts.n; i++) {
        const struct ipr_answer_milepost *const m = &record->mileposts.at[i];
        const struct ipr_answer_milepost_fit *const fit = ipr_calibration_fit_of(m, kind);

        sum += (double)m->turns * (fit != NULL ? fit->ae_ref : NAN);
        turns += (double)m->turns;
    }
    return sum / turns;
}

/* The lines of the other kinds of fits, of the same mileposts; a kind whose mileposts could not be
 * fitted has a reason instead. The record has no covariance of their a and b: a line Elo = a - b AE
 * turns about the mean of its points, so that it is that mean times the variance of b. */
static enum ipr_code load_read_fits(const struct ipr_answer_calibration_made *record,
                                    struct ipr_calibration_use *use, struct ipr_err *err)
{
    use->fits[IPR_RH_MOMENTS].line = use->line;
    use->fits[IPR_RH_MOMENTS].known = true;
    for (enum ipr_rh_fit_kind k = IPR_RH_PERCENTILE; record->lines != NULL && k <= IPR_RH_RMLE;
         k++) {
        const struct ipr_answer_fit_line *const line = *ipr_calibration_line_at(record->lines, k);
        struct ipr_calibration *out = &use->fits[k].line;

        if (line == NULL || line->reason != NULL)
            continue;
        const double mean = load_mean_error(record, k);

        *out = use->line;
        out->a = line->a;
        out->b = line->b;
        out->residual_variance = line->residual_sd * line->residual_sd;
        out->se_a = load_or_none(line->a_se);
        out->se_b = load_or_none(line->b_se);
        out->cov_ab = isfinite(mean) ? mean * out->se_b * out->se_b : 0.0;
        out->sampling_variance = ipr_calibration_sampling_in(record, out->b, (int)k);
        if (!isfinite(out->a) || !isfinite(out->b) || !isfinite(line->residual_sd))
            return load_error(err, IPR_CALIBRATION_FAULT_FITS);
        use->fits[k].known =
            out->b > 0.0; /* an error that grows with Elo is no measure of strength */
    }
    return IPR_OK;
}

/* The line of mean c on the Elo scale; absent from earlier records, or a reason if there is none.
 */
static enum ipr_code load_read_bayes(const struct ipr_answer_calibration_made *record,
                                     struct ipr_calibration_use *use, struct ipr_err *err)
{
    const struct ipr_answer_agent_line *const line = record->bayes;

    if (line == NULL || line->reason != NULL)
        return IPR_OK;
    use->bayes = (struct ipr_bayes_calibration){
        .line = { .a = line->a,
                  .b = line->b,
                  .residual_variance = line->residual_sd * line->residual_sd,
                  .se_a = line->a_se,
                  .se_b = line->b_se,
                  .cov_ab = line->ab_covariance,
                  .n = load_count(line->mileposts) },
        .sampling_variance = ipr_calibration_sampling_in(record, line->b, IPR_CALIBRATION_AGENT),
        .mileposts = load_count(line->mileposts),
        .events = load_count(line->events),
    };
    if (line->elo_range != NULL) {
        use->bayes.elo_min = line->elo_range->low;
        use->bayes.elo_max = line->elo_range->high;
    }
    if (!isfinite(line->a) || !(line->b > 0.0) || !isfinite(line->residual_sd) ||
        !isfinite(line->a_se) || !isfinite(line->b_se) || !isfinite(line->ab_covariance))
        return load_error(err, IPR_CALIBRATION_FAULT_BAYES_LINE);
    if (use->bayes.mileposts < 3 || !(use->bayes.elo_min < use->bayes.elo_max))
        return load_error(err, IPR_CALIBRATION_FAULT_BAYES_RANGE);
    use->bayes_known = true;
    return IPR_OK;
}

/* The rest of what earlier records do not have. */
static enum ipr_code load_read_more(const struct ipr_answer_calibration_made *record,
                                    struct ipr_calibration_use *use, struct ipr_err *err)
{
    if (record->random_share != NULL)
        use->random_share = load_or_none(record->random_share->estimate);
    if (record->concordance != NULL) {
        use->factor_mm = load_or_none(record->concordance->factor_mm);
        use->factor_ad = load_or_none(record->concordance->factor_ad);
    }
    if (!(use->random_share >= 0.0 && use->random_share < 1.0))
        return load_error(err, IPR_CALIBRATION_FAULT_RANDOM_SHARE);
    if ((use->factor_mm != 0.0 || use->factor_ad != 0.0) &&
        !(use->factor_mm >= 1.0 && use->factor_ad >= 1.0))
        return load_error(err, IPR_CALIBRATION_FAULT_CONCORDANCE);
    if (!ipr_calibration_pool_read(record->markov_pool, &use->pool))
        return load_error(err, IPR_CALIBRATION_FAULT_POOL);
    const enum ipr_code rc = load_read_fits(record, use, err);
    return rc == IPR_OK ? load_read_bayes(record, use, err) : rc;
}

/* The judge and, if the record names it, that of the reference set. The settings of a published
 * judge are not all known. */
static enum ipr_code load_read_judges(const struct ipr_answer_calibration_made *record,
                                      struct ipr_calibration_use *use, struct ipr_err *err)
{
    const json_t *const other = record->reference_judge;

    if (other == NULL) {
        const enum ipr_code rc = ipr_judge_from_json(record->judge, &use->judge, err);
        use->reference_judge = use->judge;
        return rc;
    }
    json_t *judge = json_deep_copy(record->judge);
    if (json_is_object(judge) && json_is_null(json_object_get(judge, "hash_mb")))
        json_object_set_new(judge, "hash_mb", json_integer(UNKNOWN_HASH_MB));
    enum ipr_code rc = ipr_judge_from_json(judge, &use->judge, err);
    if (rc == IPR_OK)
        rc = ipr_judge_from_json(other, &use->reference_judge, err);
    json_decref(judge);
    return rc;
}

static bool load_fits_byte(int64_t x, int64_t low)
{
    return x >= low && x <= UINT8_MAX;
}

static enum ipr_code load_read_turn(const struct ipr_answer_reference_turn *t, int32_t index,
                                    struct ipr_arena *mem, struct ipr_turn *turn,
                                    struct ipr_err *err)
{
    const size_t n = t->cp.n;

    if (n == 0 || n > UINT8_MAX || !load_fits_byte(t->legal, 1) || !load_fits_byte(t->lines, 1) ||
        !load_fits_byte(t->played, 0))
        return load_error(err, IPR_CALIBRATION_FAULT_TURN);

    int16_t *cp = ipr_arena_alloc(mem, n, sizeof *cp);
    for (size_t i = 0; i < n; i++) {
        if (t->cp.at[i] < -IPR_CP_LIMIT || t->cp.at[i] > IPR_CP_LIMIT)
            return load_error(err, IPR_CALIBRATION_FAULT_EVALUATION);
        cp[i] = (int16_t)t->cp.at[i];
    }
    *turn = (struct ipr_turn){ .game = index,
                               .legal = (uint8_t)t->legal,
                               .lines = (uint8_t)t->lines,
                               .n_cp = (uint8_t)n,
                               .played = (uint8_t)t->played,
                               .cp = cp };
    return ipr_turn_valid(turn) ? IPR_OK : load_error(err, IPR_CALIBRATION_FAULT_CONTRADICTION);
}

static enum ipr_code load_read_reference(const struct ipr_list_reference_turn *list,
                                         struct ipr_arena *mem, struct ipr_calibration_use *use,
                                         struct ipr_err *err)
{
    enum ipr_code rc = IPR_OK;

    if (list->n == 0 || list->n > REFERENCE_MAX)
        return load_error(err, IPR_CALIBRATION_FAULT_TURNS);
    struct ipr_turn *turns = ipr_arena_alloc(mem, list->n, sizeof *turns);
    for (size_t i = 0; rc == IPR_OK && i < list->n; i++)
        rc = load_read_turn(&list->at[i], (int32_t)i, mem, &turns[i], err);
    return rc == IPR_OK ? ipr_rh_set_new(&use->params, turns, NULL, list->n, &use->reference, err)
                        : rc;
}

static enum ipr_code load_read(const struct ipr_answer_calibration_made *record,
                               struct ipr_arena *mem, struct ipr_calibration_use *use,
                               struct ipr_err *err)
{
    const char *const name = record->name;

    enum ipr_code rc = load_read_judges(record, use, err);
    use->params = ipr_calibration_params(&use->reference_judge);
    use->window = ipr_window_default(IPR_WINDOW_REGAN);
    if (rc == IPR_OK && (name == NULL || *name == '\0' || strlen(name) >= sizeof use->name))
        rc = load_error(err, IPR_CALIBRATION_FAULT_NAME);
    if (rc == IPR_OK) {
        memcpy(use->name, name, strlen(name) + 1);
        rc = load_check_method(&record->method, use, err);
    }
    if (rc == IPR_OK)
        rc = load_read_line(record, &use->line, err);
    if (rc == IPR_OK)
        rc = load_read_more(record, use, err);
    return rc == IPR_OK ? load_read_reference(&record->reference.turns, mem, use, err) : rc;
}

enum ipr_code ipr_calibration_load(const json_t *json, struct ipr_calibration_use **out,
                                   struct ipr_err *err)
{
    struct ipr_calibration_use *use = ipr_xcalloc(1, sizeof *use);
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_answer_calibration_made record;

    ipr_shape_read(IPR_SHAPE_CALIBRATION_MADE, json, &mem, &record);
    const enum ipr_code rc = load_read(&record, &mem, use, err);
    json_decref(record.judge);
    json_decref(record.reference_judge);
    ipr_arena_release(&mem);
    if (rc == IPR_OK)
        *out = use;
    else
        ipr_calibration_free(&use);
    return rc;
}

void ipr_calibration_free(struct ipr_calibration_use **c)
{
    if (*c == NULL)
        return;
    ipr_rh_set_free(&(*c)->reference);
    free((*c)->pool.transitions);
    free(*c);
    *c = NULL;
}
