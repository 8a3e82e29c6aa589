/* A record, checked and made ready for use. */
#include "view/calibration/calibration.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/judge_json.h"
#include "model/judged.h"
#include "sentence/sentence.h"
#include "view/calibration/parts.h"
#include "view/calibration/use.h"
#include "view/json.h"

#define REFERENCE_MAX 100000
/* Stands for a hash size that was not published; no engine here is given so little. */
#define UNKNOWN_HASH_MB 1

static enum ipr_code load_error(struct ipr_err *err, enum ipr_calibration_fault what)
{
    return ipr_err_at(err, IPR_EPARSE, "bad_calibration", 0, 0, -1, "calibration record: %s",
                      ipr_say_calibration_fault(what));
}

static bool load_text_is(const json_t *record, const char *path, const char *want)
{
    return strcmp(ipr_json_text_at(record, path), want) == 0;
}

/* Settings of this program; a record with other settings is rejected, not reinterpreted. */
static enum ipr_code load_check_method(const json_t *record, const struct ipr_calibration_use *use,
                                       struct ipr_err *err)
{
    if (!load_text_is(record, "method.fit", "moments") ||
        !load_text_is(record, "method.tie", "first") ||
        !load_text_is(record, "method.tail", "extrapolated") ||
        !load_text_is(record, "method.curve", "exp"))
        return load_error(err, IPR_CALIBRATION_FAULT_METHOD);
    if (fabs(ipr_json_at(record, "method.cap_pawns", -1.0) - use->params.cap) > 1e-12 ||
        fabs(ipr_json_at(record, "method.tie_pawns", -1.0) - use->params.tie_pawns) > 1e-12)
        return load_error(err, IPR_CALIBRATION_FAULT_CAP);
    if ((unsigned)ipr_json_at(record, "method.window.first_move", 0.0) != use->window.first_move ||
        fabs(ipr_json_at(record, "method.window.limit_pawns", 0.0) * 100.0 - use->window.limit_cp) >
            1e-9)
        return load_error(err, IPR_CALIBRATION_FAULT_WINDOW);
    return IPR_OK;
}

static enum ipr_code load_read_line(const json_t *record, struct ipr_calibration *line,
                                    struct ipr_err *err)
{
    const double sd = ipr_json_at(record, "residual_sd", -1.0);

    *line = (struct ipr_calibration){
        .a = ipr_json_at(record, "a", NAN),
        .b = ipr_json_at(record, "b", NAN),
        .se_a = ipr_json_at(record, "a_se", 0.0),
        .se_b = ipr_json_at(record, "b_se", 0.0),
        .cov_ab = ipr_json_at(record, "ab_covariance", 0.0),
        .residual_variance = sd * sd,
        .elo_min = ipr_json_at(record, "elo_range.low", NAN),
        .elo_max = ipr_json_at(record, "elo_range.high", NAN),
        .c_intercept = ipr_json_at(record, "c_line.intercept", 0.0),
        .c_slope = ipr_json_at(record, "c_line.slope", 0.0),
        .mileposts = json_array_size(ipr_json_find(record, "mileposts")),
        .turns = (size_t)ipr_json_at(record, "turns", 0.0),
    };
    line->sampling_variance =
        ipr_calibration_sampling_in(record, line->b, "fits.moments.ae_ref_se", "turns");
    if (!isfinite(line->a) || !(line->b > 0.0) || sd < 0.0)
        return load_error(err, IPR_CALIBRATION_FAULT_LINE);
    if (!(line->elo_min < line->elo_max))
        return load_error(err, IPR_CALIBRATION_FAULT_RANGE);
    return IPR_OK;
}

/* Mean of a fit's AE_ref over the mileposts, by turns. */
static double load_mean_error(const json_t *record, const char *kind)
{
    const json_t *m;
    double sum = 0.0, turns = 0.0;
    char path[64];
    size_t i;

    snprintf(path, sizeof path, "fits.%s.ae_ref", kind);
    json_array_foreach(json_object_get(record, "mileposts"), i, m) {
        const double weight = ipr_json_at(m, "turns", 0.0);

        sum += weight * ipr_json_at(m, path, NAN);
        turns += weight;
    }
    return sum / turns;
}

/* The errors of a line Elo = a - b AE whose record has no covariance of a and b: a line turns about
 * the mean of its points, so that it is that mean times the variance of b. */
static void load_read_errors(const json_t *record, const char *kind, const json_t *line,
                             struct ipr_calibration *out)
{
    const double mean = load_mean_error(record, kind);
    char se[64];

    snprintf(se, sizeof se, "fits.%s.ae_ref_se", kind);
    out->se_a = ipr_json_at(line, "a_se", 0.0);
    out->se_b = ipr_json_at(line, "b_se", 0.0);
    out->cov_ab = isfinite(mean) ? mean * out->se_b * out->se_b : 0.0;
    out->sampling_variance = ipr_calibration_sampling_in(record, out->b, se, "turns");
}

/* The lines of the other kinds of fits, of the same mileposts; a kind whose mileposts could not be
 * fitted has a reason instead. */
static enum ipr_code load_read_fits(const json_t *record, struct ipr_calibration_use *use,
                                    struct ipr_err *err)
{
    static const char *const kinds[] = {
        [IPR_RH_PERCENTILE] = "percentile", [IPR_RH_MLE] = "mle", [IPR_RH_RMLE] = "rmle"
    };

    use->fits[IPR_RH_MOMENTS].line = use->line;
    use->fits[IPR_RH_MOMENTS].known = true;
    for (int k = IPR_RH_PERCENTILE; k <= IPR_RH_RMLE; k++) {
        const json_t *line = json_object_get(json_object_get(record, "lines"), kinds[k]);
        struct ipr_calibration *out = &use->fits[k].line;
        const double sd = ipr_json_at(line, "residual_sd", NAN);

        if (json_object_get(line, "b") == NULL)
            continue;
        *out = use->line;
        out->a = ipr_json_at(line, "a", NAN);
        out->b = ipr_json_at(line, "b", NAN);
        out->residual_variance = sd * sd;
        load_read_errors(record, kinds[k], line, out);
        if (!isfinite(out->a) || !isfinite(out->b) || !isfinite(sd))
            return load_error(err, IPR_CALIBRATION_FAULT_FITS);
        use->fits[k].known =
            out->b > 0.0; /* an error that grows with Elo is no measure of strength */
    }
    return IPR_OK;
}

/* The line of mean c on the Elo scale; absent from earlier records, {"reason"} if there is none.
 */
static enum ipr_code load_read_bayes(const json_t *record, struct ipr_calibration_use *use,
                                     struct ipr_err *err)
{
    const json_t *line = json_object_get(record, "bayes");
    const double sd = ipr_json_at(line, "residual_sd", NAN);

    if (json_object_get(line, "b") == NULL)
        return IPR_OK;
    use->bayes = (struct ipr_bayes_calibration){
        .line = { .a = ipr_json_at(line, "a", NAN),
                  .b = ipr_json_at(line, "b", NAN),
                  .residual_variance = sd * sd,
                  .se_a = ipr_json_at(line, "a_se", NAN),
                  .se_b = ipr_json_at(line, "b_se", NAN),
                  .cov_ab = ipr_json_at(line, "ab_covariance", NAN) },
        .elo_min = ipr_json_at(line, "elo_range.low", NAN),
        .elo_max = ipr_json_at(line, "elo_range.high", NAN),
        .mileposts = (size_t)fmax(0.0, ipr_json_at(line, "mileposts", 0.0)),
        .events = (size_t)fmax(0.0, ipr_json_at(line, "events", 0.0)),
    };
    use->bayes.line.n = use->bayes.mileposts;
    use->bayes.sampling_variance = ipr_calibration_sampling_in(
        record, use->bayes.line.b, "bayes.clustered_se", "bayes.events");
    if (!isfinite(use->bayes.line.a) || !(use->bayes.line.b > 0.0) || !isfinite(sd) ||
        !isfinite(use->bayes.line.se_a) || !isfinite(use->bayes.line.se_b) ||
        !isfinite(use->bayes.line.cov_ab))
        return load_error(err, IPR_CALIBRATION_FAULT_BAYES_LINE);
    if (use->bayes.mileposts < 3 || !(use->bayes.elo_min < use->bayes.elo_max))
        return load_error(err, IPR_CALIBRATION_FAULT_BAYES_RANGE);
    use->bayes_known = true;
    return IPR_OK;
}

/* The rest of what earlier records do not have. */
static enum ipr_code load_read_more(const json_t *record, struct ipr_calibration_use *use,
                                    struct ipr_err *err)
{
    use->random_share = ipr_json_at(record, "random_share.estimate", 0.0);
    use->factor_mm = ipr_json_at(record, "concordance.factor_mm", 0.0);
    use->factor_ad = ipr_json_at(record, "concordance.factor_ad", 0.0);
    if (!(use->random_share >= 0.0 && use->random_share < 1.0))
        return load_error(err, IPR_CALIBRATION_FAULT_RANDOM_SHARE);
    if ((use->factor_mm != 0.0 || use->factor_ad != 0.0) &&
        !(use->factor_mm >= 1.0 && use->factor_ad >= 1.0))
        return load_error(err, IPR_CALIBRATION_FAULT_CONCORDANCE);
    if (!ipr_calibration_pool_read(record, &use->pool))
        return load_error(err, IPR_CALIBRATION_FAULT_POOL);
    const enum ipr_code rc = load_read_fits(record, use, err);
    return rc == IPR_OK ? load_read_bayes(record, use, err) : rc;
}

/* The judge and, if the record names it, that of the reference set. The settings of a published
 * judge are not all known. */
static enum ipr_code load_read_judges(const json_t *record, struct ipr_calibration_use *use,
                                      struct ipr_err *err)
{
    const json_t *other = json_object_get(record, "reference_judge");

    if (other == NULL) {
        const enum ipr_code rc =
            ipr_judge_from_json(json_object_get(record, "judge"), &use->judge, err);
        use->reference_judge = use->judge;
        return rc;
    }
    json_t *judge = json_deep_copy(json_object_get(record, "judge"));
    if (json_is_object(judge) && json_is_null(json_object_get(judge, "hash_mb")))
        json_object_set_new(judge, "hash_mb", json_integer(UNKNOWN_HASH_MB));
    enum ipr_code rc = ipr_judge_from_json(judge, &use->judge, err);
    if (rc == IPR_OK)
        rc = ipr_judge_from_json(other, &use->reference_judge, err);
    json_decref(judge);
    return rc;
}

static enum ipr_code load_read_turn(const json_t *json, int32_t index, struct ipr_arena *mem,
                                    struct ipr_turn *turn, struct ipr_err *err)
{
    const json_t *list = json_object_get(json, "cp");
    const size_t n = json_array_size(list);
    const double legal = ipr_json_at(json, "legal", 0.0);
    const double lines = ipr_json_at(json, "lines", 0.0);
    const double played = ipr_json_at(json, "played", -1.0);

    if (n == 0 || n > UINT8_MAX || !(legal >= 1.0 && legal <= UINT8_MAX) ||
        !(lines >= 1.0 && lines <= UINT8_MAX) || !(played >= 0.0 && played <= UINT8_MAX))
        return load_error(err, IPR_CALIBRATION_FAULT_TURN);

    int16_t *cp = ipr_arena_alloc(mem, n, sizeof *cp);
    for (size_t i = 0; i < n; i++) {
        const json_t *value = json_array_get(list, i);
        if (!json_is_integer(value) || llabs(json_integer_value(value)) > IPR_CP_LIMIT)
            return load_error(err, IPR_CALIBRATION_FAULT_EVALUATION);
        cp[i] = (int16_t)json_integer_value(value);
    }
    *turn = (struct ipr_turn){ .game = index,
                               .legal = (uint8_t)legal,
                               .lines = (uint8_t)lines,
                               .n_cp = (uint8_t)n,
                               .played = (uint8_t)played,
                               .cp = cp };
    return ipr_turn_valid(turn) ? IPR_OK : load_error(err, IPR_CALIBRATION_FAULT_CONTRADICTION);
}

static enum ipr_code load_read_reference(const json_t *record, struct ipr_calibration_use *use,
                                         struct ipr_err *err)
{
    const json_t *list = ipr_json_find(record, "reference.turns");
    const size_t n = json_array_size(list);
    struct ipr_arena mem = IPR_ARENA_INIT;
    enum ipr_code rc = IPR_OK;

    if (n == 0 || n > REFERENCE_MAX)
        return load_error(err, IPR_CALIBRATION_FAULT_TURNS);
    struct ipr_turn *turns = ipr_arena_alloc(&mem, n, sizeof *turns);
    for (size_t i = 0; rc == IPR_OK && i < n; i++)
        rc = load_read_turn(json_array_get(list, i), (int32_t)i, &mem, &turns[i], err);
    if (rc == IPR_OK)
        rc = ipr_rh_set_new(&use->params, turns, NULL, n, &use->reference, err);
    ipr_arena_release(&mem);
    return rc;
}

enum ipr_code ipr_calibration_load(const json_t *record, struct ipr_calibration_use **out,
                                   struct ipr_err *err)
{
    struct ipr_calibration_use *use = ipr_xcalloc(1, sizeof *use);
    const char *name = ipr_json_text_at(record, "name");

    enum ipr_code rc = load_read_judges(record, use, err);
    use->params = ipr_calibration_params(&use->reference_judge);
    use->window = ipr_window_default(IPR_WINDOW_REGAN);
    if (rc == IPR_OK && (!*name || strlen(name) >= sizeof use->name))
        rc = load_error(err, IPR_CALIBRATION_FAULT_NAME);
    if (rc == IPR_OK)
        memcpy(use->name, name, strlen(name) + 1);
    if (rc == IPR_OK)
        rc = load_check_method(record, use, err);
    if (rc == IPR_OK)
        rc = load_read_line(record, &use->line, err);
    if (rc == IPR_OK)
        rc = load_read_more(record, use, err);
    if (rc == IPR_OK)
        rc = load_read_reference(record, use, err);
    if (rc != IPR_OK) {
        ipr_calibration_free(&use);
        return rc;
    }
    *out = use;
    return IPR_OK;
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
