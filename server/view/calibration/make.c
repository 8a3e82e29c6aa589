/* The record of a calibration, from its input. */
#include "view/calibration/calibration.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "sentence/sentence.h"
#include "view/calibration/parts.h"

static enum ipr_code make_check_stop(const struct ipr_calibration_sets *sets, struct ipr_err *err)
{
    return ipr_calibration_go_on(sets) ? IPR_OK : ipr_err_set(err, IPR_ERETRY, "stopped");
}

static void make_reference(const struct ipr_calibration_opened *o,
                           struct ipr_answer_reference_set *out)
{
    const size_t n = o->n_reference;

    out->size = (int64_t)n;
    out->turns.n = n;
    out->turns.at = ipr_shape_list(IPR_SHAPE_REFERENCE_TURN, n, o->sets.mem);
    for (size_t i = 0; i < n; i++) {
        const struct ipr_turn *const turn = &o->reference_turns[i];
        struct ipr_answer_reference_turn *const to = &out->turns.at[i];

        to->legal = turn->legal;
        to->lines = turn->lines;
        to->played = turn->played;
        to->cp.n = turn->n_cp;
        to->cp.at = ipr_arena_alloc(o->sets.mem, turn->n_cp, sizeof *to->cp.at);
        for (unsigned k = 0; k < turn->n_cp; k++)
            to->cp.at[k] = turn->cp[k];
    }
}

static void make_milepost(int nominal, const struct ipr_milepost *m,
                          const struct ipr_window_counts *counts, struct ipr_answer_milepost *out)
{
    out->nominal = nominal;
    out->elo = m->elo;
    out->turns = (int64_t)m->turns;
    out->games = (int64_t)m->games;
    out->s = m->s;
    out->c = m->c;
    out->ae_ref = m->ae_ref;
    out->fitted = m->fitted_elo;
    out->residual = m->elo - m->fitted_elo;
    out->excluded = ipr_figure_excluded(counts);
    out->c_fit = ipr_calibration_figure(m->c_fit);
    out->s_fit = ipr_calibration_figure(m->s_fit > 0.0 ? m->s_fit : NAN);
}

/* Everything but the reference turns and the digest of the figures. */
static void make_whole_record(const char *name, const struct ipr_calibration_sets *p,
                              const struct ipr_calibration *line, const struct ipr_milepost *m,
                              struct ipr_answer_calibration_made *record)
{
    const size_t n = p->figures->n;

    record->name = name;
    record->judge = json_incref(p->figures->judge_json);
    record->method = ipr_calibration_method(&p->params);
    record->mileposts.n = n;
    record->mileposts.at = ipr_shape_list(IPR_SHAPE_MILEPOST, n, p->mem);
    for (size_t i = 0; i < n; i++)
        make_milepost(p->figures->mileposts[i].nominal, &m[i], &p->at[i].counts,
                      &record->mileposts.at[i]);
    ipr_calibration_add_line(line, p->reference, p->mem, record);
    record->turns = (int64_t)line->turns;
    record->games = (int64_t)p->figures->games;
    ipr_calibration_add_factors(p, m, record);
    const double random = ipr_calibration_go_on(p) ? ipr_calibration_add_random(p, record) : 0.0;
    ipr_calibration_add_fits(p, random, record);
    ipr_calibration_add_bayes(p, record);
    ipr_calibration_add_score_curve(p, record);
    ipr_calibration_add_pool(p, record);
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

static enum ipr_code make_opened(const char *name, struct ipr_str text, bool families,
                                 const struct ipr_calibration_opened *o, json_t **out,
                                 struct ipr_err *err)
{
    struct ipr_answer_calibration_made *record =
        ipr_shape_new(IPR_SHAPE_CALIBRATION_MADE, o->sets.mem);
    struct ipr_milepost *m = ipr_xcalloc(o->figures.n, sizeof *m);
    struct ipr_calibration line = { 0 };
    char digest[IPR_CALIBRATION_DIGEST];

    enum ipr_code rc = make_fit(&o->sets, m, &line, err);
    if (rc == IPR_OK) {
        ipr_calibration_digest(text, digest);
        record->figures_digest = digest;
        make_whole_record(name, &o->sets, &line, m, record);
        make_reference(o, &record->reference);
        rc = make_check_stop(&o->sets, err);
    }
    if (rc == IPR_OK && families)
        rc = ipr_calibration_add_families(&o->sets, record, err);
    if (rc == IPR_OK)
        rc = make_check_stop(&o->sets, err);
    free(m);
    if (rc == IPR_OK)
        *out = ipr_shape_json(IPR_SHAPE_CALIBRATION_MADE, record);
    else
        json_decref(record->judge);
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
