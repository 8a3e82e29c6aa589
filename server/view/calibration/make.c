#include "view/calibration/calibration.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "model/regan_fit.h"
#include "view/calibration/input.h"
#include "view/calibration/parts.h"
#include "view/calibration/use.h"
#include "view/json.h"

/* About this many turns in the reference set: enough that which of them were picked moves a
 * rating by a few points only, few enough that a projection takes milliseconds. */
#define REFERENCE_TURNS 2400
#define MILEPOSTS_MAX   100 /* a set for every 40 points of any scale there is */
#define MILEPOST_MIN    100 /* counted turns under which a milepost says nothing */

bool ipr_calibration_go_on(const struct ipr_calibration_sets *sets)
{
    return !sets->stop || !atomic_load(sets->stop);
}

static enum ipr_code check_stop(const struct ipr_calibration_sets *sets, struct ipr_err *err)
{
    return ipr_calibration_go_on(sets) ? IPR_OK : ipr_err_set(err, IPR_ERETRY, "stopped");
}

static enum ipr_code prepare(const struct ipr_figures_milepost *m,
                             const struct ipr_rh_params *params, struct ipr_arena *mem,
                             struct ipr_calibration_set *out, struct ipr_err *err)
{
    const struct ipr_window window = ipr_window_default(IPR_WINDOW_REGAN);
    double sum = 0.0;

    out->keep = ipr_arena_alloc(mem, m->n ? m->n : 1, sizeof *out->keep);
    out->n = ipr_window_select(&window, m->turns, m->n, out->keep, &out->counts);
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
static size_t pick_reference(const struct ipr_figures *f, const struct ipr_calibration_set *p,
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

static json_t *milepost_json(int nominal, const struct ipr_milepost *m,
                             const struct ipr_window_counts *counts)
{
    json_t *out = json_pack(
        "{s:i, s:o, s:I, s:I, s:o, s:o, s:o, s:o, s:o}", "nominal", nominal, "elo",
        ipr_json_num(m->elo), "turns", (json_int_t)m->turns, "games", (json_int_t)m->games, "s",
        ipr_json_num(m->s), "c", ipr_json_num(m->c), "ae_ref", ipr_json_num(m->ae_ref), "fitted",
        ipr_json_num(m->fitted_elo), "residual", ipr_json_num(m->elo - m->fitted_elo));

    json_object_set_new(out, "excluded", ipr_calibration_excluded(counts));
    json_object_set_new(out, "c_fit", ipr_calibration_figure(m->c_fit));
    json_object_set_new(out, "s_fit", ipr_calibration_figure(m->s_fit > 0.0 ? m->s_fit : NAN));
    return out;
}

static json_t *mileposts_json(const struct ipr_calibration_sets *p, const struct ipr_milepost *m)
{
    json_t *list = json_array();

    for (size_t i = 0; i < p->figures->n; i++)
        json_array_append_new(
            list, milepost_json(p->figures->mileposts[i].nominal, &m[i], &p->at[i].counts));
    return list;
}

json_t *ipr_calibration_method(const struct ipr_rh_params *params)
{
    const struct ipr_window w = ipr_window_default(IPR_WINDOW_REGAN);

    return json_pack("{s:s, s:s, s:s, s:s, s:f, s:f, s:s, s:{s:i, s:f, s:b, s:b}}", "fit",
                     "moments", "tail", "extrapolated", "tie", "first", "curve", "exp", "tie_pawns",
                     params->tie_pawns, "cap_pawns", params->cap, "played", "placed", "window",
                     "first_move", (int)w.first_move, "limit_pawns", w.limit_cp / 100.0,
                     "drop_forced", w.drop_forced, "drop_repeated", w.drop_repeated);
}

void ipr_calibration_digest(struct ipr_str text, char hex[IPR_CALIBRATION_DIGEST])
{
    unsigned char digest[IPR_CALIBRATION_DIGEST / 2];

    crypto_generichash(digest, sizeof digest, (const unsigned char *)text.p, text.n, NULL, 0);
    sodium_bin2hex(hex, IPR_CALIBRATION_DIGEST, digest, sizeof digest);
}

static json_t *figures_digest(struct ipr_str figures)
{
    char hex[IPR_CALIBRATION_DIGEST];

    ipr_calibration_digest(figures, hex);
    return json_string(hex);
}

static double square_root_or_zero(double x)
{
    return x > 0.0 ? sqrt(x) : 0.0;
}

void ipr_calibration_add_line(const struct ipr_calibration *line,
                              const struct ipr_rh_set *reference, json_t *record)
{
    json_object_set_new(record, "elo_range",
                        json_pack("{s:o, s:o}", "low", ipr_json_num(line->elo_min), "high",
                                  ipr_json_num(line->elo_max)));
    json_object_set_new(record, "a", ipr_json_num(line->a));
    json_object_set_new(record, "a_se", ipr_json_num(line->se_a));
    json_object_set_new(record, "b", ipr_json_num(line->b));
    json_object_set_new(record, "b_se", ipr_json_num(line->se_b));
    json_object_set_new(record, "ab_covariance", ipr_json_num(line->cov_ab));
    json_object_set_new(record, "residual_sd",
                        ipr_json_num(square_root_or_zero(line->residual_variance)));
    json_object_set_new(record, "c_line", ipr_calibration_c_line(line));
    json_object_set_new(record, "band", ipr_calibration_band(line, reference));
}

/** Everything but the reference turns and the digest of the figures. */
static json_t *record_json(const char *name, const struct ipr_calibration_sets *p,
                           const struct ipr_calibration *line, const struct ipr_milepost *m)
{
    json_t *record = json_pack("{s:s, s:O, s:o}", "name", name, "judge", p->figures->judge_json,
                               "method", ipr_calibration_method(&p->params));
    json_t *mileposts = mileposts_json(p, m);

    ipr_calibration_add_line(line, p->reference, record);
    json_object_set_new(record, "turns", json_integer((json_int_t)line->turns));
    json_object_set_new(record, "games", json_integer((json_int_t)p->figures->games));
    ipr_calibration_add_factors(p, m, mileposts, record);
    const double random = ipr_calibration_go_on(p) ? ipr_calibration_add_random(p, record) : 0.0;
    ipr_calibration_add_fits(p, random, mileposts, record);
    ipr_calibration_add_bayes(p->figures, mileposts, record);
    json_object_set_new(record, "score_curve", ipr_calibration_score_curve(p->figures));
    json_object_set_new(record, "markov_pool", ipr_calibration_pool_json(p->figures));
    json_object_set_new(record, "mileposts", mileposts);
    return record;
}

static enum ipr_code fit(const struct ipr_calibration_sets *p, struct ipr_milepost *m,
                         struct ipr_calibration *line, struct ipr_err *err)
{
    const struct ipr_rh_fit_options options = { .kind = IPR_RH_MOMENTS };

    for (size_t i = 0; i < p->figures->n; i++)
        m[i].elo = p->at[i].elo;
    enum ipr_code rc =
        ipr_calibration_fit(p->sets, p->figures->n, p->reference, &options, m, line, err);
    if (rc == IPR_OK && line->b <= 0.0)
        rc = ipr_err_set(err, IPR_EDATA, "the mean error does not fall with the rating");
    return rc;
}

/** Figures with what is made of them; to be closed. */
struct opened {
    struct ipr_arena mem;
    struct ipr_figures figures;
    struct ipr_calibration_sets sets;
    struct ipr_turn *reference_turns;
    size_t n_reference;
    struct ipr_rh_set *reference;
};

static enum ipr_code prepare_all(struct opened *o, const atomic_bool *stop, struct ipr_err *err)
{
    const struct ipr_figures *f = &o->figures;
    struct ipr_calibration_sets *p = &o->sets;
    enum ipr_code rc = IPR_OK;

    *p = (struct ipr_calibration_sets){ .figures = f,
                                        .stop = stop,
                                        .params = ipr_calibration_params(&f->judge),
                                        .at = ipr_arena_alloc(&o->mem, f->n, sizeof *p->at),
                                        .sets = ipr_arena_alloc(&o->mem, f->n, sizeof *p->sets) };
    memset(p->at, 0, f->n * sizeof *p->at);
    o->reference_turns = ipr_arena_alloc(&o->mem, REFERENCE_TURNS, sizeof *o->reference_turns);
    for (size_t i = 0; rc == IPR_OK && i < f->n; i++) {
        rc = prepare(&f->mileposts[i], &p->params, &o->mem, &p->at[i], err);
        p->sets[i] = p->at[i].set;
    }
    if (rc == IPR_OK) {
        o->n_reference = pick_reference(f, p->at, o->reference_turns);
        rc = ipr_rh_set_new(&p->params, o->reference_turns, NULL, o->n_reference, &o->reference,
                            err);
        p->reference = o->reference;
    }
    return rc;
}

static void close_figures(struct opened *o)
{
    for (size_t i = 0; o->sets.at && i < o->figures.n; i++)
        ipr_rh_set_free(&o->sets.at[i].set);
    ipr_rh_set_free(&o->reference);
    json_decref(o->figures.judge_json);
    ipr_arena_release(&o->mem);
}

static enum ipr_code open_figures(struct ipr_str text, const atomic_bool *stop, struct opened *o,
                                  struct ipr_err *err)
{
    *o = (struct opened){ .mem = IPR_ARENA_INIT };
    enum ipr_code rc = ipr_figures_read(text, &o->mem, &o->figures, err);

    if (rc != IPR_OK)
        o->figures = (struct ipr_figures){ 0 };
    else if (o->figures.n < 3 || o->figures.n > MILEPOSTS_MAX)
        rc = ipr_err_at(err, IPR_EPARSE, "thin_milepost", 0, 0, -1,
                        "%zu mileposts, 3 to %d are needed", o->figures.n, MILEPOSTS_MAX);
    else
        rc = prepare_all(o, stop, err);
    if (rc != IPR_OK)
        close_figures(o);
    return rc;
}

static enum ipr_code make(const char *name, struct ipr_str text, struct opened *o, json_t **out,
                          struct ipr_err *err)
{
    struct ipr_milepost *m = ipr_arena_alloc(&o->mem, o->figures.n, sizeof *m);
    struct ipr_calibration line = { 0 };

    enum ipr_code rc = fit(&o->sets, m, &line, err);
    if (rc != IPR_OK)
        return rc;
    json_t *record = record_json(name, &o->sets, &line, m);
    json_object_set_new(record, "reference", reference_json(o->reference_turns, o->n_reference));
    json_object_set_new(record, "figures_digest", figures_digest(text));
    rc = check_stop(&o->sets, err);
    if (rc == IPR_OK)
        *out = record;
    else
        json_decref(record);
    return rc;
}

static enum ipr_code compare(const struct opened *o, json_t *record, struct ipr_err *err)
{
    json_t *rows = NULL;
    enum ipr_code rc = ipr_calibration_families(&o->sets, &rows, err);

    if (rc != IPR_OK)
        return rc;
    json_object_set_new(record, "curve_families", rows);
    return check_stop(&o->sets, err);
}

enum ipr_code ipr_calibration_make(const char *name, struct ipr_str figures, json_t **record,
                                   struct ipr_err *err)
{
    struct opened o;
    enum ipr_code rc = open_figures(figures, NULL, &o, err);

    if (rc != IPR_OK)
        return rc;
    rc = make(name, figures, &o, record, err);
    close_figures(&o);
    return rc;
}

enum ipr_code ipr_calibration_make_whole(const char *name, struct ipr_str figures,
                                         const atomic_bool *stop, json_t **out, struct ipr_err *err)
{
    struct opened o;
    json_t *record = NULL;
    enum ipr_code rc = open_figures(figures, stop, &o, err);

    if (rc != IPR_OK)
        return rc;
    rc = make(name, figures, &o, &record, err);
    if (rc == IPR_OK)
        rc = compare(&o, record, err);
    if (rc == IPR_OK)
        *out = record;
    else
        json_decref(record);
    close_figures(&o);
    return rc;
}
