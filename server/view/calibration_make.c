#include "view/calibration.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "model/regan_fit.h"
#include "view/calibration_use.h"
#include "view/figures.h"
#include "view/json.h"

/* About this many turns in the reference set: enough that which of them were picked moves a
 * rating by a few points only, few enough that a projection takes milliseconds. */
#define REFERENCE_TURNS 2400
#define MILEPOST_MIN    100 /* counted turns under which a milepost says nothing */

/** A milepost on its way to a fit. */
struct prepared {
    size_t *keep; /* turns in R's window */
    size_t n;
    double elo; /* mean of the movers' ratings over these turns */
    struct ipr_rh_set *set;
};

static enum ipr_code prepare(const struct ipr_figures_milepost *m,
                             const struct ipr_rh_params *params, struct ipr_arena *mem,
                             struct prepared *out, struct ipr_err *err)
{
    const struct ipr_window window = ipr_window_default(IPR_WINDOW_REGAN);
    double sum = 0.0;

    out->keep = ipr_arena_alloc(mem, m->n ? m->n : 1, sizeof *out->keep);
    out->n = ipr_window_select(&window, m->turns, m->n, out->keep, NULL);
    if (out->n < MILEPOST_MIN)
        return ipr_err_at(err, IPR_EPARSE, "thin_milepost", 0, 0, -1,
                          "milepost %d has %zu counted turns, %d are needed", m->nominal, out->n,
                          MILEPOST_MIN);
    for (size_t i = 0; i < out->n; i++)
        sum += m->elo[out->keep[i]];
    out->elo = sum / (double)out->n;
    return ipr_rh_set_new(params, m->turns, out->keep, out->n, &out->set, err);
}

/** The same number of turns of every milepost, spread evenly over its list. */
static size_t pick_reference(const struct ipr_figures *f, const struct prepared *p,
                             struct ipr_turn *turns)
{
    size_t each = REFERENCE_TURNS / f->n;
    size_t n = 0;

    for (size_t i = 0; i < f->n; i++)
        if (p[i].n < each)
            each = p[i].n;
    for (size_t i = 0; i < f->n; i++)
        for (size_t k = 0; k < each; k++) {
            turns[n] = f->mileposts[i].turns[p[i].keep[(2 * k + 1) * p[i].n / (2 * each)]];
            turns[n].game = (int32_t)n; /* an order of their own: the set sorts by game */
            n++;
        }
    return n;
}

static json_t *reference_json(const struct ipr_turn *turns, size_t n)
{
    json_t *list = json_array();

    for (size_t i = 0; i < n; i++) {
        json_t *cp = json_array();
        for (unsigned k = 0; k < turns[i].n_cp; k++)
            json_array_append_new(cp, json_integer(turns[i].cp[k]));
        json_array_append_new(list,
                              json_pack("{s:i, s:i, s:i, s:o}", "legal", turns[i].legal, "lines",
                                        turns[i].lines, "played", turns[i].played, "cp", cp));
    }
    return json_pack("{s:I, s:o}", "size", (json_int_t)n, "turns", list);
}

static json_t *mileposts_json(const struct ipr_figures *f, const struct ipr_milepost *m)
{
    json_t *list = json_array();

    for (size_t i = 0; i < f->n; i++)
        json_array_append_new(
            list, json_pack("{s:i, s:o, s:I, s:I, s:o, s:o, s:o, s:o, s:o}", "nominal",
                            f->mileposts[i].nominal, "elo", ipr_json_num(m[i].elo), "turns",
                            (json_int_t)m[i].turns, "games", (json_int_t)m[i].games, "s",
                            ipr_json_num(m[i].s), "c", ipr_json_num(m[i].c), "ae_ref",
                            ipr_json_num(m[i].ae_ref), "fitted", ipr_json_num(m[i].fitted_elo),
                            "residual", ipr_json_num(m[i].elo - m[i].fitted_elo)));
    return list;
}

static json_t *method_json(const struct ipr_rh_params *params)
{
    const struct ipr_window w = ipr_window_default(IPR_WINDOW_REGAN);

    return json_pack("{s:s, s:s, s:s, s:s, s:f, s:f, s:s, s:{s:i, s:f, s:b, s:b}}", "fit",
                     "moments", "tail", "extrapolated", "tie", "first", "curve", "exp", "tie_pawns",
                     params->tie_pawns, "cap_pawns", params->cap, "played", "placed", "window",
                     "first_move", (int)w.first_move, "limit_pawns", w.limit_cp / 100.0,
                     "drop_forced", w.drop_forced, "drop_repeated", w.drop_repeated);
}

static json_t *figures_digest(struct ipr_str figures)
{
    unsigned char digest[crypto_generichash_BYTES];
    char hex[2 * sizeof digest + 1];

    crypto_generichash(digest, sizeof digest, (const unsigned char *)figures.p, figures.n, NULL, 0);
    sodium_bin2hex(hex, sizeof hex, digest, sizeof digest);
    return json_string(hex);
}

static double square_root_or_zero(double x)
{
    return x > 0.0 ? sqrt(x) : 0.0;
}

static json_t *record_json(const char *name, const struct ipr_figures *f,
                           const struct ipr_rh_params *params, const struct ipr_calibration *line,
                           const struct ipr_milepost *m, json_t *reference)
{
    json_t *record = json_pack("{s:s, s:O, s:o}", "name", name, "judge", f->judge_json, "method",
                               method_json(params));

    json_object_set_new(record, "elo_range",
                        json_pack("{s:o, s:o}", "low", ipr_json_num(line->elo_min), "high",
                                  ipr_json_num(line->elo_max)));
    json_object_set_new(record, "a", ipr_json_num(line->a));
    json_object_set_new(record, "a_se", ipr_json_num(line->se_a));
    json_object_set_new(record, "b", ipr_json_num(line->b));
    json_object_set_new(record, "b_se", ipr_json_num(line->se_b));
    json_object_set_new(record, "residual_sd",
                        ipr_json_num(square_root_or_zero(line->residual_variance)));
    json_object_set_new(record, "c_line",
                        json_pack("{s:o, s:o}", "intercept", ipr_json_num(line->c_intercept),
                                  "slope", ipr_json_num(line->c_slope)));
    json_object_set_new(record, "turns", json_integer((json_int_t)line->turns));
    json_object_set_new(record, "games", json_integer((json_int_t)f->games));
    json_object_set_new(record, "mileposts", mileposts_json(f, m));
    json_object_set_new(record, "reference", reference);
    return record;
}

static enum ipr_code fit(const struct ipr_figures *f, const struct prepared *p,
                         const struct ipr_rh_set *reference, struct ipr_milepost *m,
                         struct ipr_calibration *line, struct ipr_err *err)
{
    const struct ipr_rh_fit_options options = { .kind = IPR_RH_MOMENTS };
    const struct ipr_rh_set **sets = ipr_xcalloc(f->n, sizeof *sets);

    for (size_t i = 0; i < f->n; i++) {
        m[i].elo = p[i].elo;
        sets[i] = p[i].set;
    }
    enum ipr_code rc = ipr_calibration_fit(sets, f->n, reference, &options, m, line, err);
    if (rc == IPR_OK && line->b <= 0.0)
        rc = ipr_err_set(err, IPR_EDATA, "the mean error does not fall with the rating");
    free(sets);
    return rc;
}

static enum ipr_code make(const char *name, struct ipr_str text, const struct ipr_figures *f,
                          struct ipr_arena *mem, json_t **record, struct ipr_err *err)
{
    const struct ipr_rh_params params = ipr_calibration_params(&f->judge);
    struct prepared *p = ipr_arena_alloc(mem, f->n, sizeof *p);
    struct ipr_turn *turns = ipr_arena_alloc(mem, REFERENCE_TURNS, sizeof *turns);
    struct ipr_milepost *m = ipr_arena_alloc(mem, f->n, sizeof *m);
    struct ipr_calibration line = { 0 };
    struct ipr_rh_set *reference = NULL;
    size_t n_reference = 0;
    enum ipr_code rc = IPR_OK;

    for (size_t i = 0; rc == IPR_OK && i < f->n; i++)
        rc = prepare(&f->mileposts[i], &params, mem, &p[i], err);
    if (rc == IPR_OK) {
        n_reference = pick_reference(f, p, turns);
        rc = ipr_rh_set_new(&params, turns, NULL, n_reference, &reference, err);
    }
    if (rc == IPR_OK)
        rc = fit(f, p, reference, m, &line, err);
    if (rc == IPR_OK) {
        *record = record_json(name, f, &params, &line, m, reference_json(turns, n_reference));
        json_object_set_new(*record, "figures_digest", figures_digest(text));
    }
    for (size_t i = 0; i < f->n; i++)
        ipr_rh_set_free(&p[i].set);
    ipr_rh_set_free(&reference);
    return rc;
}

enum ipr_code ipr_calibration_make(const char *name, struct ipr_str figures, json_t **record,
                                   struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_figures f;

    enum ipr_code rc = ipr_figures_read(figures, &mem, &f, err);
    if (rc == IPR_OK) {
        if (f.n < 3 || f.n > REFERENCE_TURNS)
            rc = ipr_err_at(err, IPR_EPARSE, "thin_milepost", 0, 0, -1,
                            "%zu mileposts, at least 3 are needed", f.n);
        else
            rc = make(name, figures, &f, &mem, record, err);
        json_decref(f.judge_json);
    }
    ipr_arena_release(&mem);
    return rc;
}
