/* Shares of moves that lose nothing, or little. */
#include "view/rating/rate.h"

#include <math.h>
#include <stdio.h>

#include "model/conformance.h"
#include "model/conformance_game.h"
#include "view/json.h"

/** Ways to measure a loss (methods section 1). */
struct form {
    const char *name;
    enum ipr_window_method window;
    enum ipr_loss loss;
};

/* Told without a name, as lists use it. */
static const struct form raw = { NULL, IPR_WINDOW_CONFORMANCE, IPR_LOSS_RAW };
static const struct form guid_bratko = { "guid_bratko", IPR_WINDOW_GUID_BRATKO, IPR_LOSS_RAW };
static const struct form ponderated = { "ponderated", IPR_WINDOW_CONFORMANCE, IPR_LOSS_WEIGHTED };

static struct ipr_conformance_params params_of(const struct form *form)
{
    struct ipr_conformance_params params = IPR_CONFORMANCE_INIT;

    params.loss = form->loss;
    return params;
}

/** Every form has the same members, refused or not. */
static json_t *figures(const struct ipr_conformance *r)
{
    if (!r)
        return json_pack("{s:n, s:n, s:n, s:n, s:n}", "at_0", "at_30", "mean_loss",
                         "mean_loss_standard_error", "mean_loss_interval");
    json_t *se = json_null(), *interval = json_null();

    if (r->games > 1 && r->mean_loss_se > 0.0) { /* all alike says nothing of the next */
        const double half = ipr_stats_quantile95(r->games) * r->mean_loss_se;

        se = ipr_json_num(r->mean_loss_se);
        interval = ipr_json_interval(
            (struct ipr_interval){ fmax(0.0, r->mean_loss - half), r->mean_loss + half });
    }
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "at_0", ipr_rate_share_json(&r->share_0), "at_30",
                     ipr_rate_share_json(&r->share_30), "mean_loss", ipr_json_num(r->mean_loss),
                     "mean_loss_standard_error", se, "mean_loss_interval", interval);
}

/** The turns of a form are left in m->keep. `known`: there are enough of them. */
struct result {
    struct ipr_conformance conformance;
    struct ipr_window_counts counts;
    bool known;
};

static enum ipr_code form_json(const struct ipr_material *m, const struct form *form,
                               struct result *r, json_t **out, struct ipr_err *err)
{
    const struct ipr_window window = ipr_window_default(form->window);
    const struct ipr_conformance_params params = params_of(form);
    struct ipr_provenance from = { .context = m->context,
                                   .method = IPR_METHOD_CONFORMANCE,
                                   .window = &window,
                                   .counts = &r->counts,
                                   .converged = true };

    from.turns = ipr_window_select(&window, m->t->turns, m->t->n, m->keep, &r->counts);
    from.games = ipr_rate_games(m->t->turns, m->keep, from.turns);
    r->known = from.turns >= IPR_VIEW_MIN_TURNS;
    if (r->known) {
        const enum ipr_code rc =
            ipr_conformance(&params, m->t->turns, m->keep, from.turns, &r->conformance, err);
        if (rc != IPR_OK)
            return rc;
    }
    json_t *o = figures(r->known ? &r->conformance : NULL);
    if (!r->known) {
        json_t *few = ipr_rate_too_few(m, &from);
        json_object_set(o, "reason", json_object_get(few, "reason"));
        json_decref(few);
    }
    if (form->loss == IPR_LOSS_WEIGHTED) {
        json_object_set_new(o, "k1", ipr_json_num(params.k1));
        json_object_set_new(o, "k2", ipr_json_num(params.k2));
    }
    ipr_estimate_provenance(o, &from);
    *out = o;
    return IPR_OK;
}

/** Up to the last class in which there is a turn; the last of all has no upper end. */
static json_t *distribution(const struct ipr_conformance *c)
{
    double share[IPR_LOSS_CLASSES], cumulative[IPR_LOSS_CLASSES];
    json_t *out = json_array();
    size_t n = IPR_LOSS_CLASSES;

    if (ipr_conformance_shares(c->classes, share, cumulative, NULL) != IPR_OK)
        return out;
    while (!(c->classes[n - 1] > 0.0))
        n--;
    for (size_t i = 0; i < n; i++)
        json_array_append_new(
            out,
            json_pack("{s:o, s:o, s:o}", "loss",
                      i + 1 < IPR_LOSS_CLASSES ? ipr_json_num((double)i / 10.0) : json_null(),
                      "share", ipr_json_num(share[i]), "cumulative", ipr_json_num(cumulative[i])));
    return out;
}

static json_t *line_json(const struct ipr_loss_line *l)
{
    if (!l->known)
        return json_pack("{s:n, s:n, s:n, s:I}", "a", "b", "b_over_a", "turns", (json_int_t)l->n);
    return json_pack("{s:o, s:o, s:o, s:I}", "a", ipr_json_num(l->a), "b", ipr_json_num(l->b),
                     "b_over_a", ipr_json_num(l->b_over_a), "turns", (json_int_t)l->n);
}

/** Of the n turns in m->keep. */
static json_t *lines(const struct ipr_material *m, size_t n)
{
    struct ipr_loss_line positive, negative;

    ipr_conformance_loss_lines(m->t->turns, m->keep, n, params_of(&raw).order, &positive,
                               &negative);
    return json_pack("{s:o, s:o}", "positive", line_json(&positive), "negative",
                     line_json(&negative));
}

/**
 * {"at_0", "at_30": {"share", "standard_error", "interval" (the wider of the two),
 * "interval_clustered" (by game) or null, "interval_wilson"}, "mean_loss",
 * "mean_loss_standard_error", "mean_loss_interval" [pawns], provenance} of the raw losses, or nulls
 * and "reason"; beside them
 *
 *  "guid_bratko" (turns of |v_b| <= 2.00 alone), "ponderated" (with "k1", "k2" [pawns]): the same
 *   members for each of the other forms,
 *
 *  "distribution": [{"loss": upper end of the class [pawns], null for the last one, "share" R,
 *   "cumulative" R'}] of the raw losses, [] when refused,
 *
 *  "loss_lines": {"positive", "negative": {"a", "b", "b_over_a": mean raw loss of the turns that
 *   lose = a v_b + b for v_b > 0, v_b < 0 [pawns], null where it cannot be told, "turns"}} or null.
 */
enum ipr_code ipr_rate_conformance(const struct ipr_material *m, json_t **out, struct ipr_err *err)
{
    static const struct form *const others[] = { &guid_bratko, &ponderated };
    struct result r;
    json_t *all = NULL;

    enum ipr_code rc = form_json(m, &raw, &r, &all, err);
    if (rc != IPR_OK)
        return rc;
    json_object_set_new(all, "distribution", r.known ? distribution(&r.conformance) : json_array());
    json_object_set_new(all, "loss_lines", r.known ? lines(m, r.counts.used) : json_null());
    for (size_t i = 0; rc == IPR_OK && i < sizeof others / sizeof *others; i++) {
        json_t *one = NULL;

        rc = form_json(m, others[i], &r, &one, err);
        if (rc == IPR_OK)
            json_object_set_new(all, others[i]->name, one);
    }
    if (rc == IPR_OK)
        *out = all;
    else
        json_decref(all);
    return rc;
}

static json_t *accumulated_refusal(const struct ipr_provenance *from, const char *reason)
{
    json_t *out = json_pack("{s:n, s:n, s:s}", "at_0", "at_30", "reason", reason);

    ipr_estimate_provenance(out, from);
    return out;
}

/** The counted turns of all years up to the scope's, as n turns in keep. */
static enum ipr_code accumulate(const struct ipr_material *m, struct ipr_provenance *from,
                                struct ipr_window_counts *counts, json_t **out, struct ipr_err *err)
{
    const struct ipr_view_context *c = m->context;
    const struct ipr_conformance_params params = params_of(&raw);
    struct ipr_turn *turns = NULL;
    struct ipr_share at[2];
    char reason[IPR_ERR_TEXT];
    size_t n = 0;

    enum ipr_code rc =
        ipr_db_player_transitions(c->v->db, m->scope->person, m->scope->to, c->judge_id,
                                  m->scope->times, c->v->mem, &turns, &n, err);
    if (rc != IPR_OK)
        return rc;
    size_t *keep = ipr_arena_alloc(c->v->mem, n, sizeof *keep);
    n = ipr_window_select(from->window, turns, n, keep, counts);
    from->turns = n;
    from->games = ipr_rate_games(turns, keep, n);
    if (n < IPR_VIEW_MIN_TURNS) {
        snprintf(reason, sizeof reason, "%d turns are needed, %zu remain of the years up to %d",
                 IPR_VIEW_MIN_TURNS, n, m->scope->to);
        *out = accumulated_refusal(from, reason);
        return IPR_OK;
    }
    rc = ipr_conformance_accumulated(&params, turns, keep, n, m->scope->to, 0.0, &at[0], err);
    if (rc == IPR_OK)
        rc = ipr_conformance_accumulated(&params, turns, keep, n, m->scope->to, 0.3, &at[1], err);
    if (rc != IPR_OK)
        return rc;
    *out = json_pack("{s:o, s:o, s:i}", "at_0", ipr_rate_share_json(&at[0]), "at_30",
                     ipr_rate_share_json(&at[1]), "year", m->scope->to);
    ipr_estimate_provenance(*out, from);
    return IPR_OK;
}

/**
 * Accumulated conformance Q of a calendar year, in which turns of a year before it weigh half of
 * those of the next one: {"at_0", "at_30": {as in conformance}, "year", provenance: turns and games
 * of all years up to it} or nulls and "reason".
 */
enum ipr_code ipr_rate_accumulated(const struct ipr_material *m, json_t **out, struct ipr_err *err)
{
    const struct ipr_window window = ipr_window_default(raw.window);
    struct ipr_window_counts counts = { 0 };
    struct ipr_provenance from = { .context = m->context,
                                   .method = IPR_METHOD_CONFORMANCE,
                                   .window = &window,
                                   .counts = &counts,
                                   .converged = true };
    const struct ipr_db_scope *s = m->scope;

    if (s->to == 0 || s->from != s->to || s->event || s->colours != IPR_DB_BOTH_COLOURS) {
        *out = accumulated_refusal(&from, "it is told of all games of a calendar year");
        return IPR_OK;
    }
    return accumulate(m, &from, &counts, out, err);
}
