#include "view/rate.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    ipr_rate_fn *rate;
} ratings[] = {
    { "ipr", ipr_rate_ipr },
    { "conformance", ipr_rate_conformance },
    { "elo", ipr_rate_elo },
};

json_t *ipr_rate_too_few(const struct ipr_provenance *from)
{
    if (from->counts->turns == 0)
        return ipr_estimate_refusal(from, "no game has been judged yet");
    return ipr_estimate_refusal(from, "%d turns are needed, %zu remain after the exclusions",
                                IPR_VIEW_MIN_TURNS, from->counts->used);
}

static bool listed(const char *name, const char *const *names)
{
    if (!names)
        return true;
    while (*names && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

enum ipr_code ipr_rate_material(const struct ipr_material *m, const char *const *names,
                                json_t **out, struct ipr_err *err)
{
    json_t *all = json_pack("{s:I, s:i}", "turns", (json_int_t)m->t->n, "games", (int)m->t->games);
    enum ipr_code rc = IPR_OK;

    for (size_t i = 0; rc == IPR_OK && i < sizeof ratings / sizeof *ratings; i++) {
        json_t *one = NULL;

        if (!listed(ratings[i].name, names))
            continue;
        rc = ratings[i].rate(m, &one, err);
        if (rc == IPR_OK)
            json_object_set_new(all, ratings[i].name, one);
    }
    if (rc != IPR_OK) {
        json_decref(all);
        return rc;
    }
    *out = all;
    return IPR_OK;
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

    rc = ipr_rate_material(&m, NULL, out, err);
    free(keep);
    return rc;
}
