/*
 * The estimators of the papers, of which each side of a game gives a score that is linear near the
 * play of its milepost: what the side adds to the estimate from a set. Scores are taken at the fit
 * to the mileposts beside its own, so that no side is in the fit that it is scored by.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "lab/lines.h"
#include "model/bayes.h"
#include "model/conformance.h"
#include "model/regan_fit.h"

#define PAPERS_BESIDE 150  /* Elo from a milepost to those beside it, at most */
#define PAPERS_STEP   1e-3 /* of ln s, ln c and c, for derivatives */

enum papers_entry {
    PAPERS_MOMENTS,
    PAPERS_AGENT,
    PAPERS_SHARE,
    PAPERS_LOSS,
    PAPERS_CAPPED,
    PAPERS
};

static const char *const papers_name[PAPERS] = {
    "s and c by moments (IPR), 20 lines",  "reference agent, 20 lines",
    "share of losses <= 0.30, 20 lines",   "mean loss, 20 lines",
    "mean loss, at most 1 pawn, 20 lines",
};

/* Turns, and those of them in R's window. */
struct papers_turns {
    struct ipr_turn *turn;
    size_t *keep;
    size_t n, kept;
};

/* Fits to all mileposts but one. */
struct papers_point {
    double s, c, ae; /* moments fit, and its AE */
    double slope[2]; /* dAE / d(mm_a, ad_a) */
    double agent;    /* c of the reference agent */
};

static void papers_turns_select(struct papers_turns *t)
{
    const struct ipr_window w = ipr_window_default(IPR_WINDOW_REGAN);

    t->keep = ipr_xcalloc(t->n + 1, sizeof *t->keep);
    t->kept = ipr_window_select(&w, t->turn, t->n, t->keep, NULL);
}

/* Turns of the mileposts from Elo `from` to `to`, except `milepost`. */
static struct papers_turns papers_turns_of(const struct ipr_figures *f, size_t milepost,
                                           double from, double to)
{
    struct papers_turns t = { .n = 0 };
    size_t n = 0;

    for (size_t i = 0; i < f->n; i++)
        n += f->mileposts[i].n;
    t.turn = ipr_xcalloc(n + 1, sizeof *t.turn);
    for (size_t i = 0; i < f->n; i++) {
        const struct ipr_figures_milepost *m = &f->mileposts[i];

        if (i == milepost || m->nominal < from || m->nominal > to)
            continue;
        memcpy(t.turn + t.n, m->turns, m->n * sizeof *m->turns);
        t.n += m->n;
    }
    papers_turns_select(&t);
    return t;
}

static void papers_turns_free(struct papers_turns *t)
{
    free(t->turn);
    free(t->keep);
}

static enum ipr_code papers_set(const struct ipr_figures *f, const struct papers_turns *t,
                                struct ipr_rh_set **set, struct ipr_err *err)
{
    struct ipr_rh_params params = IPR_RH_PARAMS_INIT;

    params.k = f->judge.multipv;
    return ipr_rh_set_new(&params, t->turn, t->keep, t->kept, set, err);
}

/* dAE by the actual moments: the gradient of AE times the inverse of the moments' derivatives. */
static enum ipr_code papers_slope(const struct ipr_rh_set *set, const double gradient[2],
                                  struct papers_point *p, struct ipr_err *err)
{
    double j[2][2], det;
    enum ipr_code rc = IPR_OK;

    for (int k = 0; k < 2 && rc == IPR_OK; k++) {
        const double up[2] = { k == 0 ? exp(PAPERS_STEP) : 1, k == 1 ? exp(PAPERS_STEP) : 1 };
        struct ipr_rh_aggregates a, b;

        rc = ipr_rh_aggregates(set, p->s * up[0], p->c * up[1], &a, err);
        if (rc == IPR_OK)
            rc = ipr_rh_aggregates(set, p->s / up[0], p->c / up[1], &b, err);
        if (rc == IPR_OK) {
            j[0][k] = (a.mm_p - b.mm_p) / (2 * PAPERS_STEP);
            j[1][k] = (a.ad_p - b.ad_p) / (2 * PAPERS_STEP);
        }
    }
    if (rc != IPR_OK)
        return rc;
    det = j[0][0] * j[1][1] - j[0][1] * j[1][0];
    p->slope[0] = (gradient[0] * j[1][1] - gradient[1] * j[1][0]) / det;
    p->slope[1] = (gradient[1] * j[0][0] - gradient[0] * j[0][1]) / det;
    return IPR_OK;
}

static enum ipr_code papers_point(const struct ipr_figures *f, size_t milepost,
                                  const struct ipr_rh_set *reference, struct papers_point *p,
                                  struct ipr_err *err)
{
    const struct ipr_rh_fit_options moments = { .kind = IPR_RH_MOMENTS };
    const struct ipr_bayes_params agent = ipr_bayes_default();
    const double elo = f->mileposts[milepost].nominal;
    struct papers_turns t = papers_turns_of(f, milepost, elo - PAPERS_BESIDE, elo + PAPERS_BESIDE);
    struct ipr_rh_set *set = NULL;
    struct ipr_bayes_posterior posterior;
    struct ipr_rh_fit fit;
    double gradient[2];
    enum ipr_code rc = papers_set(f, &t, &set, err);

    if (rc == IPR_OK)
        rc = ipr_rh_fit(set, &moments, &fit, err);
    if (rc == IPR_OK) {
        p->s = fit.s;
        p->c = fit.c;
        rc = ipr_rh_ae(reference, p->s, p->c, &p->ae, gradient, err);
    }
    if (rc == IPR_OK)
        rc = papers_slope(set, gradient, p, err);
    if (rc == IPR_OK)
        rc = ipr_bayes_rate(&agent, t.turn, t.n, &posterior, err);
    if (rc == IPR_OK)
        p->agent = posterior.mode;
    ipr_rh_set_free(&set);
    papers_turns_free(&t);
    return rc;
}

static struct ipr_strength_side *papers_answer(struct bench_report *r, enum papers_entry k,
                                               size_t at)
{
    return &r->entry[r->n - PAPERS + k].answer[at];
}

/* AE of the fit plus a linear correction for the side's own moments. */
static void papers_moments(const struct ipr_figures *f, const struct papers_turns *t,
                           const struct papers_point *p, struct ipr_strength_side *answer)
{
    struct ipr_rh_set *set = NULL;
    struct ipr_rh_aggregates a;

    if (papers_set(f, t, &set, NULL) == IPR_OK &&
        ipr_rh_aggregates(set, p->s, p->c, &a, NULL) == IPR_OK) {
        answer->z = p->ae + p->slope[0] * (a.mm_a - a.mm_p) + p->slope[1] * (a.ad_a - a.ad_p);
        answer->information = (double)a.turns;
    }
    ipr_rh_set_free(&set);
}

/* One Newton step from the c of the reference agent. */
static void papers_agent(const struct papers_turns *t, const struct papers_point *p,
                         struct ipr_strength_side *answer)
{
    const struct ipr_bayes_params params = ipr_bayes_default();
    struct ipr_bayes_events *e = NULL;
    double l[3], information;

    if (ipr_bayes_events_new(&params, t->turn, t->n, &e, NULL) != IPR_OK)
        return;
    for (int k = 0; k < 3; k++)
        l[k] = ipr_bayes_log_likelihood(e, p->agent + (k - 1) * PAPERS_STEP);
    ipr_bayes_events_free(&e);
    information = (2 * l[1] - l[0] - l[2]) / (PAPERS_STEP * PAPERS_STEP);
    if (!(information > 0))
        return;
    answer->z = p->agent + (l[2] - l[0]) / (2 * PAPERS_STEP) / information;
    answer->information = information;
}

static void papers_capped(const struct papers_turns *t, struct ipr_strength_side *answer)
{
    double sum = 0;

    for (size_t i = 0; i < t->kept; i++) {
        const struct ipr_judged j = ipr_judged(&t->turn[t->keep[i]], IPR_PLAYED_PLACED);

        sum += fmin(j.best_cp - j.played_cp, 100);
    }
    if (t->kept > 0) {
        answer->z = sum / (double)t->kept;
        answer->information = (double)t->kept;
    }
}

static void papers_conformance(const struct papers_turns *t, struct ipr_strength_side *share,
                               struct ipr_strength_side *loss)
{
    const struct ipr_conformance_params params = IPR_CONFORMANCE_INIT;
    const struct ipr_window w = ipr_window_default(IPR_WINDOW_CONFORMANCE);
    struct ipr_conformance c;
    size_t *keep = ipr_xcalloc(t->n + 1, sizeof *keep);

    if (ipr_conformance(&params, t->turn, keep, ipr_window_select(&w, t->turn, t->n, keep, NULL),
                        &c, NULL) == IPR_OK) {
        share->z = c.share_30.share;
        loss->z = c.mean_loss;
        share->information = loss->information = (double)c.turns;
    }
    free(keep);
}

static void papers_side(const struct bench_lines *l, const struct bench_lines_side *s,
                        const struct papers_point *p, struct bench_report *r)
{
    struct papers_turns t = { .turn = l->figures.mileposts[s->milepost].turns + s->from,
                              .n = s->to - s->from };

    papers_turns_select(&t);
    papers_moments(&l->figures, &t, p, papers_answer(r, PAPERS_MOMENTS, s->at));
    papers_agent(&t, p, papers_answer(r, PAPERS_AGENT, s->at));
    papers_conformance(&t, papers_answer(r, PAPERS_SHARE, s->at),
                       papers_answer(r, PAPERS_LOSS, s->at));
    papers_capped(&t, papers_answer(r, PAPERS_CAPPED, s->at));
    free(t.keep);
}

enum ipr_code bench_papers(const struct bench_lines *l, struct bench_report *r, struct ipr_err *err)
{
    const struct ipr_figures *f = &l->figures;
    struct papers_turns all = papers_turns_of(f, SIZE_MAX, -INFINITY, INFINITY);
    struct papers_point *point = ipr_xcalloc(f->n + 1, sizeof *point);
    struct ipr_rh_set *reference = NULL;
    enum ipr_code rc = papers_set(f, &all, &reference, err);

    for (size_t i = 0; i < f->n && rc == IPR_OK; i++)
        rc = papers_point(f, i, reference, &point[i], err);
    for (size_t k = 0; k < PAPERS && rc == IPR_OK; k++)
        if (bench_report_new(r, papers_name[k]) != NULL)
            r->entry[r->n - 1].every_line = r->entry[r->n - 1].sets = true;
        else
            rc = ipr_err_set(err, IPR_EDATA, "no memory for the estimators");
    for (size_t i = 0; i < l->n && rc == IPR_OK; i++)
        if (l->side[i].at != BENCH_NO_SIDE)
            papers_side(l, &l->side[i], &point[l->side[i].milepost], r);
    ipr_rh_set_free(&reference);
    papers_turns_free(&all);
    free(point);
    return rc;
}
