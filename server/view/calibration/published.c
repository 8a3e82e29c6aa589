/* A calibration published as a table: Regan & Haworth's of 2011. */
#include "view/calibration/calibration.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/regan_prob.h"
#include "sentence/sentence.h"
#include "stats/line.h"
#include "stats/solve.h"
#include "view/calibration/parts.h"
#include "view/calibration/use.h"
#include "view/json.h"

#define ROWS_MAX 200

static enum ipr_code published_error(struct ipr_err *err, enum ipr_calibration_fault what)
{
    return ipr_err_at(err, IPR_EPARSE, "bad_calibration", 0, 0, -1, "published table: %s",
                      ipr_say_calibration_fault(what));
}

/* A table being converted to a record. */
struct published {
    const json_t *table;
    const struct ipr_calibration_use *reference;
    const char *period;     /* of the regression */
    struct ipr_milepost *m; /* rows of that period, at s_fit and c_fit */
    const json_t **row;     /* the same rows */
    size_t n;
    struct ipr_calibration line;
};

static bool published_is_regression(const struct published *p, const json_t *row)
{
    return strcmp(ipr_json_text_at(row, "period"), p->period) == 0;
}

static bool published_has_agent(const json_t *row, const char *s_name, const char *c_name)
{
    const double s = ipr_json_at(row, s_name, 0.0), c = ipr_json_at(row, c_name, 0.0);

    return s >= IPR_RH_S_MIN && s <= IPR_RH_S_MAX && c >= IPR_RH_C_MIN && c <= IPR_RH_C_MAX;
}

static enum ipr_code published_check_row(const json_t *row, struct ipr_err *err)
{
    const double elo = ipr_json_at(row, "elo", 0.0);

    if (!published_has_agent(row, "s", "c") || !published_has_agent(row, "s_fit", "c_fit"))
        return published_error(err, IPR_CALIBRATION_FAULT_ROW);
    return elo >= 100.0 && elo <= 4000.0 ? IPR_OK
                                         : published_error(err, IPR_CALIBRATION_FAULT_ROW_ELO);
}

/* Selects the rows of the regression. */
static enum ipr_code published_take_rows(struct published *p, struct ipr_err *err)
{
    const json_t *rows = json_object_get(p->table, "rows");
    enum ipr_code rc = IPR_OK;
    const json_t *row;
    size_t i;

    if (json_array_size(rows) == 0 || json_array_size(rows) > ROWS_MAX)
        return published_error(err, IPR_CALIBRATION_FAULT_ROWS);
    json_array_foreach(rows, i, row) {
        if (rc == IPR_OK)
            rc = published_check_row(row, err);
        if (rc != IPR_OK || !published_is_regression(p, row))
            continue;
        p->row[p->n] = row;
        p->m[p->n++] =
            (struct ipr_milepost){ .elo = ipr_json_at(row, "elo", 0.0),
                                   .s = ipr_json_at(row, "s_fit", 0.0),
                                   .c = ipr_json_at(row, "c_fit", 0.0),
                                   .turns = 1 }; /* the number was not published: equal weights */
    }
    return rc;
}

/* The line from AE_ref to Elo, and that of c on Elo from the c that was fitted first. */
static enum ipr_code published_fit_lines(struct published *p, struct ipr_err *err)
{
    double *x = ipr_xcalloc(2 * ROWS_MAX, sizeof *x);
    struct ipr_line c;

    for (size_t i = 0; i < p->n; i++) {
        x[i] = p->m[i].elo;
        x[ROWS_MAX + i] = ipr_json_at(p->row[i], "c", 0.0);
    }
    enum ipr_code rc = ipr_calibration_line(p->m, p->n, p->reference->reference, &p->line, err);
    if (rc == IPR_OK)
        rc = ipr_stats_line(x, x + ROWS_MAX, NULL, p->n, &c, err);
    free(x);
    if (rc != IPR_OK)
        return rc;
    if (!(p->line.b > 0.0))
        return ipr_err_set(err, IPR_EDATA, "%s",
                           ipr_say_calibration_fault(IPR_CALIBRATION_FAULT_CURVE));
    p->line.c_intercept = c.a;
    p->line.c_slope = c.b;
    p->line.se_c_intercept = c.se_a;
    p->line.se_c_slope = c.se_b;
    p->line.cov_c = c.cov_ab;
    p->line.c_residual_variance = c.residual_variance;
    return IPR_OK;
}

/* Excess of the error: AE(s, c) less the target. */
struct aim {
    const struct ipr_rh_set *set;
    double c, ae;
};

static double published_beyond(double log_s, void *arg)
{
    const struct aim *a = arg;
    double ae = INFINITY;

    return ipr_rh_ae(a->set, exp(log_s), a->c, &ae, NULL, NULL) == IPR_OK ? ae - a->ae : INFINITY;
}

/* The second stage: s at c_fit; NaN when there is none. */
static double published_second_stage(const struct ipr_rh_set *set, const json_t *row, double c_fit)
{
    struct aim a = { .set = set, .c = c_fit };
    double x;

    if (ipr_rh_ae(set, ipr_json_at(row, "s", 0.0), ipr_json_at(row, "c", 0.0), &a.ae, NULL, NULL) !=
            IPR_OK ||
        ipr_solve_root(published_beyond, &a, log(1e-3), log(10.0), 1e-10, &x, NULL) != IPR_OK)
        return NAN;
    return exp(x);
}

static struct ipr_figure_projection *published_compared(const json_t *row, const char *projected,
                                                        const char *actual, double unit,
                                                        struct ipr_arena *mem)
{
    return ipr_calibration_compared(unit * ipr_json_at(row, projected, NAN),
                                    unit * ipr_json_at(row, actual, NAN), mem);
}

static void published_row(const struct published *p, const json_t *row, struct ipr_arena *mem,
                          struct ipr_answer_milepost *out)
{
    const double c_fit = p->line.c_intercept + p->line.c_slope * ipr_json_at(row, "elo", NAN);
    struct ipr_answer_second_stage *const own = ipr_shape_new(IPR_SHAPE_SECOND_STAGE, mem);

    ipr_shape_read(IPR_SHAPE_MILEPOST, row, mem,
                   out); /* elo, s, c; turns and games are not known */
    out->nominal = (int64_t)out->elo;
    (void)!ipr_rh_ae(p->reference->reference, out->printed_stage.s_fit, out->printed_stage.c_fit,
                     &out->ae_ref, NULL, NULL); /* rows are in the domain */
    out->fitted = p->line.a - p->line.b * out->ae_ref;
    out->residual = out->elo - out->fitted;
    out->mm = published_compared(row, "mm_p", "mm_a", 0.01, mem);
    out->ad = published_compared(row, "ad_p", "ad_a", 1.0, mem);
    out->qfit = ipr_calibration_figure(ipr_json_at(row, "q_fit", NAN));
    own->c_fit = ipr_calibration_figure(c_fit);
    own->s_fit =
        ipr_calibration_figure(published_second_stage(p->reference->reference, row, c_fit));
    out->reproduced = own;
}

/* Rows of the regression's period, or the others. */
static struct ipr_list_milepost published_rows(const struct published *p, bool regression,
                                               struct ipr_arena *mem)
{
    const json_t *const rows = json_object_get(p->table, "rows");
    struct ipr_list_milepost out = { ipr_shape_list(IPR_SHAPE_MILEPOST, json_array_size(rows), mem),
                                     0 };
    const json_t *row;
    size_t i;

    json_array_foreach(rows, i, row) {
        if (published_is_regression(p, row) == regression)
            published_row(p, row, mem, &out.at[out.n++]);
    }
    return out;
}

static json_t *published_record(const struct published *p, const json_t *reference)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_answer_calibration_made out, of;
    const char *const fit = ipr_json_text_at(p->table, "fit");

    ipr_shape_read(IPR_SHAPE_CALIBRATION_MADE, p->table, &mem, &out); /* name, source, judge, … */
    ipr_shape_read(IPR_SHAPE_CALIBRATION_MADE, reference, &mem, &of);
    out.reference_judge = json_incref(of.judge);
    out.reference_calibration = of.name;
    out.reference = of.reference;
    out.method = ipr_calibration_method(&p->reference->params);
    out.method.milepost_fit = fit;
    ipr_calibration_add_line(&p->line, p->reference->reference, &mem, &out);
    out.mileposts = published_rows(p, true, &mem);
    out.other_periods = published_rows(p, false, &mem);
    json_t *const record = ipr_shape_json(IPR_SHAPE_CALIBRATION_MADE, &out);
    json_decref(of.judge);
    json_decref(of.reference_judge);
    ipr_arena_release(&mem);
    return record;
}

enum ipr_code ipr_calibration_published(const json_t *table, const json_t *reference,
                                        json_t **record, struct ipr_err *err)
{
    struct ipr_calibration_use *use = NULL, *check = NULL;
    struct published p = { .table = table,
                           .period = ipr_json_text_at(table, "regression_period"),
                           .m = ipr_xcalloc(ROWS_MAX, sizeof *p.m),
                           .row = ipr_xcalloc(ROWS_MAX, sizeof *p.row) };
    json_t *made = NULL;

    enum ipr_code rc = ipr_calibration_load(reference, &use, err);
    p.reference = use;
    if (rc == IPR_OK)
        rc = published_take_rows(&p, err);
    if (rc == IPR_OK)
        rc = published_fit_lines(&p, err);
    if (rc == IPR_OK) {
        made = published_record(&p, reference);
        rc = ipr_calibration_load(made, &check, err); /* name and judge are valid */
    }
    ipr_calibration_free(&check);
    ipr_calibration_free(&use);
    free(p.m);
    free(p.row);
    if (rc == IPR_OK)
        *record = made;
    else
        json_decref(made);
    return rc;
}
