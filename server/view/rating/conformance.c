/* Shares of moves that lose nothing or little. */
#include "view/rating/rate.h"

#include <math.h>

#include "model/conformance.h"
#include "model/conformance_game.h"

/* Ways to measure a loss (methods section 1). */
struct loss_form {
    enum ipr_window_method window;
    enum ipr_loss loss;
};

static const struct loss_form raw = { IPR_WINDOW_CONFORMANCE, IPR_LOSS_RAW };
static const struct loss_form guid_bratko = { IPR_WINDOW_GUID_BRATKO, IPR_LOSS_RAW };
static const struct loss_form weighted = { IPR_WINDOW_CONFORMANCE, IPR_LOSS_WEIGHTED };

static struct ipr_conformance_params conformance_params(const struct loss_form *form)
{
    struct ipr_conformance_params params = IPR_CONFORMANCE_INIT;

    params.loss = form->loss;
    return params;
}

static struct ipr_figure_share *conformance_share(const struct ipr_share *s, struct ipr_arena *mem)
{
    const struct ipr_figure_share share = ipr_rate_share(s);

    return ipr_shape_copy(IPR_SHAPE_SHARE, &share, mem);
}

static void conformance_fill(const struct ipr_conformance *r, struct ipr_arena *mem,
                             struct ipr_figure_conformance_form *out)
{
    out->at_0 = conformance_share(&r->share_0, mem);
    out->at_30 = conformance_share(&r->share_30, mem);
    out->mean_loss = r->mean_loss;
    if (r->games > 1 && r->mean_loss_se > 0.0) { /* 0: all equal, which estimates no error */
        const double half = ipr_stats_quantile95(r->games) * r->mean_loss_se;

        out->mean_loss_standard_error = r->mean_loss_se;
        out->mean_loss_interval =
            (struct ipr_interval){ fmax(0.0, r->mean_loss - half), r->mean_loss + half };
    }
}

/* Sets m->keep to its turns, and `r` to their conformance. */
static enum ipr_code conformance_rate(const struct ipr_material *m, const struct loss_form *form,
                                      struct ipr_rate_turns *t, struct ipr_conformance *r,
                                      struct ipr_figure_conformance_form *out, struct ipr_err *err)
{
    const struct ipr_conformance_params params = conformance_params(form);
    enum ipr_code rc = IPR_OK;

    ipr_rate_select(m, IPR_METHOD_CONFORMANCE, ipr_window_default(form->window), t);
    out->group = ipr_figure_group(&t->from, t->reason);
    if (form->loss == IPR_LOSS_WEIGHTED) {
        out->k1 = params.k1;
        out->k2 = params.k2;
    }
    if (t->reason == NULL)
        rc = ipr_conformance(&params, m->t->turns, m->keep, t->n, r, err);
    if (t->reason == NULL && rc == IPR_OK)
        conformance_fill(r, m->context->v->mem, out);
    return rc;
}

static enum ipr_code conformance_add_form(const struct ipr_material *m,
                                          const struct loss_form *form,
                                          struct ipr_figure_conformance_form **out,
                                          struct ipr_err *err)
{
    struct ipr_conformance r;
    struct ipr_rate_turns t;

    *out = ipr_shape_new(IPR_SHAPE_CONFORMANCE_FORM, m->context->v->mem);
    return conformance_rate(m, form, &t, &r, *out, err);
}

/* Up to the last class with a turn; the last possible class has no upper end. */
static size_t conformance_classes(const struct ipr_conformance *c,
                                  struct ipr_figure_loss_class out[IPR_LOSS_CLASSES])
{
    double share[IPR_LOSS_CLASSES], cumulative[IPR_LOSS_CLASSES];
    size_t n = IPR_LOSS_CLASSES;

    if (ipr_conformance_shares(c->classes, share, cumulative, NULL) != IPR_OK)
        return 0;
    while (!(c->classes[n - 1] > 0.0))
        n--;
    for (size_t i = 0; i < n; i++)
        out[i] = (struct ipr_figure_loss_class){
            ipr_number_if(i + 1 < IPR_LOSS_CLASSES, (double)i / 10.0), share[i], cumulative[i]
        };
    return n;
}

static struct ipr_figure_loss_line conformance_line(const struct ipr_loss_line *l)
{
    return (struct ipr_figure_loss_line){ ipr_number_if(l->known, l->a),
                                          ipr_number_if(l->known, l->b),
                                          ipr_number_if(l->known, l->b_over_a), l->n };
}

struct ipr_figure_loss_lines ipr_rate_loss_lines(const struct ipr_turn *turns, const size_t *keep,
                                                 size_t n, enum ipr_played_order order)
{
    struct ipr_loss_line positive, negative;

    ipr_conformance_loss_lines(turns, keep, n, order, &positive, &negative);
    return (struct ipr_figure_loss_lines){ conformance_line(&positive),
                                           conformance_line(&negative) };
}

enum ipr_code ipr_rate_conformance(const struct ipr_material *m, struct ipr_figure_ratings *out,
                                   struct ipr_err *err)
{
    struct ipr_arena *mem = m->context->v->mem;
    struct ipr_figure_conformance *figure = ipr_shape_new(IPR_SHAPE_CONFORMANCE, mem);
    struct ipr_figure_loss_class *classes = ipr_arena_alloc(mem, IPR_LOSS_CLASSES, sizeof *classes);
    struct ipr_conformance r;
    struct ipr_rate_turns t;

    out->conformance = figure;
    enum ipr_code rc = conformance_rate(m, &raw, &t, &r, &figure->conformance_form, err);
    if (rc != IPR_OK)
        return rc;
    figure->distribution.at = classes;
    if (t.reason == NULL) {
        figure->distribution.n = conformance_classes(&r, classes);
        figure->loss_lines = ipr_arena_alloc(mem, 1, sizeof *figure->loss_lines);
        *figure->loss_lines =
            ipr_rate_loss_lines(m->t->turns, m->keep, t.n, conformance_params(&raw).order);
    }
    rc = conformance_add_form(m, &guid_bratko, &figure->guid_bratko, err);
    return rc == IPR_OK ? conformance_add_form(m, &weighted, &figure->weighted, err) : rc;
}

/* The counted turns of all years up to the scope's. */
static enum ipr_code conformance_accumulate(const struct ipr_material *m,
                                            struct ipr_provenance *from,
                                            struct ipr_window_counts *counts,
                                            struct ipr_figure_accumulated *out, struct ipr_err *err)
{
    const struct ipr_view_context *c = m->context;
    const struct ipr_conformance_params params = conformance_params(&raw);
    const int year = m->scope->to;
    struct ipr_turn *turns = NULL;
    struct ipr_share at_0, at_30;
    const char *reason = NULL;
    size_t n = 0;

    enum ipr_code rc = ipr_db_player_transitions(c->v->db, m->scope->person, year, c->judge_id,
                                                 m->scope->times, c->v->mem, &turns, &n, err);
    if (rc != IPR_OK)
        return rc;
    size_t *keep = ipr_arena_alloc(c->v->mem, n, sizeof *keep);
    n = ipr_window_select(from->window, turns, n, keep, counts);
    from->turns = n;
    from->games = ipr_rate_games(turns, keep, n);
    if (n < IPR_VIEW_MIN_TURNS)
        reason = ipr_say_reason_needed(
            IPR_REASON_NEEDED_UP_TO_YEAR,
            &(struct ipr_reason_needed_slots){ IPR_VIEW_MIN_TURNS, (double)n, year }, c->v->mem);
    out->group = ipr_figure_group(from, reason);
    if (reason != NULL)
        return IPR_OK;
    rc = ipr_conformance_accumulated(&params, turns, keep, n, year, 0.0, &at_0, err);
    if (rc == IPR_OK)
        rc = ipr_conformance_accumulated(&params, turns, keep, n, year, 0.3, &at_30, err);
    if (rc != IPR_OK)
        return rc;
    out->at_0 = conformance_share(&at_0, c->v->mem);
    out->at_30 = conformance_share(&at_30, c->v->mem);
    out->year = (size_t)year;
    return IPR_OK;
}

/* Accumulated conformance Q of a calendar year, in which the turns of each year have half the
 * weight of those of the next. */
enum ipr_code ipr_rate_accumulated(const struct ipr_material *m, struct ipr_figure_ratings *out,
                                   struct ipr_err *err)
{
    const struct ipr_window window = ipr_window_default(raw.window);
    struct ipr_figure_accumulated *figure =
        ipr_shape_new(IPR_SHAPE_ACCUMULATED, m->context->v->mem);
    struct ipr_window_counts counts = { 0 };
    struct ipr_provenance from = { .context = m->context,
                                   .method = IPR_METHOD_CONFORMANCE,
                                   .window = &window,
                                   .counts = &counts,
                                   .converged = true };
    const struct ipr_db_scope *s = m->scope;

    out->conformance->accumulated = figure;
    if (s->to != 0 && s->from == s->to && s->event == 0 && s->colours == IPR_DB_BOTH_COLOURS)
        return conformance_accumulate(m, &from, &counts, figure, err);
    figure->group = ipr_figure_group(&from, ipr_say_reason_fit(IPR_REASON_FIT_CALENDAR_YEAR));
    return IPR_OK;
}
