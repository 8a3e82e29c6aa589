/* The record of a calibration, from its input. */
#include "view/calibration/calibration.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "sentence/sentence.h"
#include "view/calibration/parts.h"
#include "view/json.h"

static enum ipr_code make_check_stop(const struct ipr_calibration_sets *sets, struct ipr_err *err)
{
    return ipr_calibration_go_on(sets) ? IPR_OK : ipr_err_set(err, IPR_ERETRY, "stopped");
}

static json_t *make_reference(const struct ipr_calibration_opened *o)
{
    const struct ipr_turn *turns = o->reference_turns;
    const size_t n = o->n_reference;
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

static json_t *make_milepost(int nominal, const struct ipr_milepost *m,
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

static json_t *make_mileposts(const struct ipr_calibration_sets *p, const struct ipr_milepost *m)
{
    json_t *list = json_array();

    for (size_t i = 0; i < p->figures->n; i++)
        json_array_append_new(
            list, make_milepost(p->figures->mileposts[i].nominal, &m[i], &p->at[i].counts));
    return list;
}

/* Everything but the reference turns and the digest of the figures. */
static json_t *make_whole_record(const char *name, const struct ipr_calibration_sets *p,
                                 const struct ipr_calibration *line, const struct ipr_milepost *m)
{
    json_t *record = json_pack("{s:s, s:O, s:o}", "name", name, "judge", p->figures->judge_json,
                               "method", ipr_calibration_method(&p->params));
    json_t *mileposts = make_mileposts(p, m);

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

static enum ipr_code make_fit(const struct ipr_calibration_sets *p, struct ipr_milepost *m,
                              struct ipr_calibration *line, struct ipr_err *err)
{
    const struct ipr_rh_fit_options options = { .kind = IPR_RH_MOMENTS };

    for (size_t i = 0; i < p->figures->n; i++)
        m[i].elo = p->at[i].elo;
    enum ipr_code rc =
        ipr_calibration_fit(p->sets, p->figures->n, p->reference, &options, m, line, err);
    if (rc == IPR_OK && line->b <= 0.0)
        rc = ipr_err_set(err, IPR_EDATA, "%s",
                         ipr_say_calibration_fault(IPR_CALIBRATION_FAULT_CURVE));
    return rc;
}

/* Also those of R section 4's comparison. */
static enum ipr_code make_families(const struct ipr_calibration_sets *p, json_t *record,
                                   struct ipr_err *err)
{
    json_t *rows = NULL;
    const enum ipr_code rc = ipr_calibration_families(p, &rows, err);

    if (rc == IPR_OK)
        json_object_set_new(record, "curve_families", rows);
    return rc;
}

static enum ipr_code make_opened(const char *name, struct ipr_str text, bool families,
                                 const struct ipr_calibration_opened *o, json_t **out,
                                 struct ipr_err *err)
{
    struct ipr_milepost *m = ipr_xcalloc(o->figures.n, sizeof *m);
    struct ipr_calibration line = { 0 };
    char digest[IPR_CALIBRATION_DIGEST];
    json_t *record = NULL;

    enum ipr_code rc = make_fit(&o->sets, m, &line, err);
    if (rc == IPR_OK) {
        ipr_calibration_digest(text, digest);
        record = make_whole_record(name, &o->sets, &line, m);
        json_object_set_new(record, "reference", make_reference(o));
        json_object_set_new(record, "figures_digest", json_string(digest));
        rc = make_check_stop(&o->sets, err);
    }
    if (rc == IPR_OK && families)
        rc = make_families(&o->sets, record, err);
    if (rc == IPR_OK)
        rc = make_check_stop(&o->sets, err);
    free(m);
    if (rc == IPR_OK)
        *out = record;
    else
        json_decref(record);
    return rc;
}

enum ipr_code ipr_calibration_make(const char *name, struct ipr_str figures, bool families,
                                   const atomic_bool *stop, json_t **record, struct ipr_err *err)
{
    struct ipr_calibration_opened o;
    enum ipr_code rc = ipr_calibration_open(figures, stop, &o, err);

    if (rc != IPR_OK)
        return rc;
    rc = make_opened(name, figures, families, &o, record, err);
    ipr_calibration_close(&o);
    return rc;
}
