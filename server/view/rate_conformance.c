/* Shares of moves that lose nothing, or little. */
#include "view/rate.h"

#include "model/conformance.h"
#include "view/json.h"

static json_t *share_json(const struct ipr_share *s)
{
    /* A few games can agree by chance, and the clustered interval is then too narrow: the wider
     * of the two stands for the figure. */
    const double by_game = s->clustered_known ? s->clustered.hi - s->clustered.lo : 0.0;
    const bool clustered = by_game >= s->wilson.hi - s->wilson.lo;

    return json_pack("{s:o, s:o, s:o, s:o}", "share", ipr_json_num(s->share), "interval",
                     ipr_json_interval(clustered ? s->clustered : s->wilson), "interval_clustered",
                     s->clustered_known ? ipr_json_interval(s->clustered) : json_null(),
                     "interval_wilson", ipr_json_interval(s->wilson));
}

static json_t *refuse(const struct ipr_provenance *from)
{
    json_t *out = ipr_rate_too_few(from);

    json_object_del(out, "estimate");
    json_object_del(out, "interval");
    json_object_del(out, "standard_error");
    json_object_set_new(out, "at_0", json_null());
    json_object_set_new(out, "at_30", json_null());
    json_object_set_new(out, "mean_loss", json_null());
    return out;
}

/**
 * {"at_0", "at_30": {"share", "interval" (the wider of the two), "interval_clustered" (by game) or
 * null, "interval_wilson"}, "mean_loss", "mean_loss_standard_error" [pawns], provenance} or nulls
 * and "reason".
 */
enum ipr_code ipr_rate_conformance(const struct ipr_material *m, json_t **out, struct ipr_err *err)
{
    const struct ipr_window window = ipr_window_default(IPR_WINDOW_CONFORMANCE);
    const struct ipr_conformance_params params = IPR_CONFORMANCE_INIT;
    struct ipr_window_counts counts;
    struct ipr_conformance r;

    const size_t n = ipr_window_select(&window, m->t->turns, m->t->n, m->keep, &counts);
    struct ipr_provenance from = { .context = m->context,
                                   .method = IPR_METHOD_CONFORMANCE,
                                   .window = &window,
                                   .counts = &counts,
                                   .turns = n,
                                   .converged = true };
    if (n < IPR_VIEW_MIN_TURNS) {
        *out = refuse(&from);
        return IPR_OK;
    }
    const enum ipr_code rc = ipr_conformance(&params, m->t->turns, m->keep, n, &r, err);
    if (rc != IPR_OK)
        return rc;
    from.turns = r.turns;
    from.games = r.games;
    *out = json_pack("{s:o, s:o, s:o, s:o}", "at_0", share_json(&r.share_0), "at_30",
                     share_json(&r.share_30), "mean_loss", ipr_json_num(r.mean_loss),
                     "mean_loss_standard_error", ipr_json_num(r.mean_loss_se));
    ipr_estimate_provenance(*out, &from);
    return IPR_OK;
}
