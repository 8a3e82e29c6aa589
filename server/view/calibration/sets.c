/* A calibration's input prepared: a set of turns for each milepost, and the reference set. */
#include <string.h>

#include "view/calibration/parts.h"

/* Approximate number of turns in the reference set: enough that their choice changes a rating by
 * only a few points, few enough that a projection takes milliseconds. */
#define REFERENCE_TURNS 2400
#define MILEPOSTS_MAX   100 /* a set for every 40 points of any scale */
#define MILEPOST_MIN    100 /* minimum number of counted turns of a milepost */

bool ipr_calibration_go_on(const struct ipr_calibration_sets *sets)
{
    return sets->stop == NULL || !atomic_load(sets->stop);
}

static enum ipr_code sets_prepare(const struct ipr_figures_milepost *m,
                                  const struct ipr_rh_params *params, struct ipr_arena *mem,
                                  struct ipr_calibration_set *out, struct ipr_err *err)
{
    const struct ipr_window window = ipr_window_default(IPR_WINDOW_REGAN);
    double sum = 0.0;

    out->keep = ipr_arena_alloc(mem, m->n ? m->n : 1, sizeof *out->keep);
    out->n = ipr_window_select(&window, m->turns, m->n, out->keep, &out->counts);
    if (out->n < MILEPOST_MIN)
        return ipr_err_at(err, IPR_EPARSE, "thin_milepost", 0, 0, -1,
                          "milepost %d has %zu counted moves, %d are needed", m->nominal, out->n,
                          MILEPOST_MIN);
    for (size_t i = 0; i < out->n; i++)
        sum += m->elo[out->keep[i]];
    out->elo = sum / (double)out->n;
    return ipr_rh_set_new(params, m->turns, out->keep, out->n, &out->set, err);
}

/* The same number of turns of every milepost, spread evenly over its list. */
static size_t sets_pick_reference(const struct ipr_figures *f, const struct ipr_calibration_set *p,
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
            turns[n].game = (int32_t)n; /* a separate order: the set sorts by game */
            n++;
        }
    return n;
}

static enum ipr_code sets_prepare_all(struct ipr_calibration_opened *o, const atomic_bool *stop,
                                      struct ipr_err *err)
{
    const struct ipr_figures *f = &o->figures;
    struct ipr_calibration_sets *p = &o->sets;
    enum ipr_code rc = IPR_OK;

    *p = (struct ipr_calibration_sets){ .figures = f,
                                        .mem = &o->mem,
                                        .stop = stop,
                                        .params = ipr_calibration_params(&f->judge),
                                        .at = ipr_arena_alloc(&o->mem, f->n, sizeof *p->at),
                                        .sets = ipr_arena_alloc(&o->mem, f->n, sizeof *p->sets) };
    memset(p->at, 0, f->n * sizeof *p->at);
    o->reference_turns = ipr_arena_alloc(&o->mem, REFERENCE_TURNS, sizeof *o->reference_turns);
    for (size_t i = 0; rc == IPR_OK && i < f->n; i++) {
        rc = sets_prepare(&f->mileposts[i], &p->params, &o->mem, &p->at[i], err);
        p->sets[i] = p->at[i].set;
    }
    if (rc == IPR_OK) {
        o->n_reference = sets_pick_reference(f, p->at, o->reference_turns);
        rc = ipr_rh_set_new(&p->params, o->reference_turns, NULL, o->n_reference, &o->reference,
                            err);
        p->reference = o->reference;
    }
    return rc;
}

void ipr_calibration_close(struct ipr_calibration_opened *o)
{
    for (size_t i = 0; o->sets.at != NULL && i < o->figures.n; i++)
        ipr_rh_set_free(&o->sets.at[i].set);
    ipr_rh_set_free(&o->reference);
    json_decref(o->figures.judge_json);
    ipr_arena_release(&o->mem);
}

enum ipr_code ipr_calibration_open(struct ipr_str text, const atomic_bool *stop,
                                   struct ipr_calibration_opened *o, struct ipr_err *err)
{
    *o = (struct ipr_calibration_opened){ .mem = IPR_ARENA_INIT };
    enum ipr_code rc = ipr_figures_read(text, &o->mem, &o->figures, err);

    if (rc != IPR_OK)
        o->figures = (struct ipr_figures){ 0 };
    else if (o->figures.n < 3 || o->figures.n > MILEPOSTS_MAX)
        rc = ipr_err_at(err, IPR_EPARSE, "thin_milepost", 0, 0, -1,
                        "%zu mileposts, 3 to %d are needed", o->figures.n, MILEPOSTS_MAX);
    else
        rc = sets_prepare_all(o, stop, err);
    if (rc != IPR_OK)
        ipr_calibration_close(o);
    return rc;
}
