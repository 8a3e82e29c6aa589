#include "view/rate.h"

#include <stdlib.h>

#include "view/json.h"

static const struct {
    const char *name;
    ipr_rate_fn *rate;
} ratings[] = {
    { "ipr", ipr_rate_ipr },
    { "conformance", ipr_rate_conformance },
    { "complexity", ipr_rate_complexity },
    { "elo", ipr_rate_elo },
};

static const struct {
    const char *of; /* which rating it is a member of; NULL: none */
    const char *name;
    ipr_rate_fn *rate;
} beside[] = {
    { "conformance", "accumulated", ipr_rate_accumulated },
    { NULL, "endgame", ipr_rate_endgame },
};

json_t *ipr_rate_too_few(const struct ipr_provenance *from)
{
    if (from->counts->turns == 0)
        return ipr_estimate_refusal(from, "no game has been judged yet");
    return ipr_estimate_refusal(from, "%d turns are needed, %zu remain after the exclusions",
                                IPR_VIEW_MIN_TURNS, from->counts->used);
}

json_t *ipr_rate_share_json(const struct ipr_share *s)
{
    /* A few games can agree by chance, and the clustered interval is then too narrow: the wider
     * of the two stands for the figure. */
    const double by_game = s->clustered_known ? s->clustered.hi - s->clustered.lo : 0.0;
    const bool clustered = by_game >= s->wilson.hi - s->wilson.lo;

    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "share", ipr_json_num(s->share), "standard_error",
                     s->clustered_known ? ipr_json_num(s->se) : json_null(), "interval",
                     ipr_json_interval(clustered ? s->clustered : s->wilson), "interval_clustered",
                     s->clustered_known ? ipr_json_interval(s->clustered) : json_null(),
                     "interval_wilson", ipr_json_interval(s->wilson));
}

enum ipr_code ipr_rate(const struct ipr_view_context *c, const struct ipr_db_scope *scope,
                       json_t **out, struct ipr_err *err)
{
    struct ipr_db_player_turns t = { 0 };

    enum ipr_code rc = ipr_db_player_turns(c->v->db, scope, c->judge_id, c->v->mem, &t, err);
    if (rc != IPR_OK)
        return rc;
    size_t *keep = ipr_xcalloc(t.n ? t.n : 1, sizeof *keep);
    const struct ipr_material m = { c, scope, &t, keep };
    json_t *all = json_pack("{s:I, s:i}", "turns", (json_int_t)t.n, "games", (int)t.games);

    for (size_t i = 0; rc == IPR_OK && i < sizeof ratings / sizeof *ratings; i++) {
        json_t *one = NULL;

        rc = ratings[i].rate(&m, &one, err);
        if (rc == IPR_OK)
            json_object_set_new(all, ratings[i].name, one);
    }
    free(keep);
    if (rc != IPR_OK) {
        json_decref(all);
        return rc;
    }
    *out = all;
    return IPR_OK;
}

enum ipr_code ipr_rate_beside(const struct ipr_view_context *c, const struct ipr_db_scope *scope,
                              json_t *all, struct ipr_err *err)
{
    const struct ipr_material m = { .context = c, .scope = scope };
    enum ipr_code rc = IPR_OK;

    for (size_t i = 0; rc == IPR_OK && i < sizeof beside / sizeof *beside; i++) {
        json_t *in = beside[i].of ? json_object_get(all, beside[i].of) : all;
        json_t *one = NULL;

        rc = beside[i].rate(&m, &one, err);
        if (rc == IPR_OK)
            json_object_set_new(in, beside[i].name, one);
    }
    return rc;
}
