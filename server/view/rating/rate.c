#include "view/rating/rate.h"

#include <stdlib.h>
#include <string.h>

#include "view/json.h"

static const struct {
    const char *name;
    ipr_rate_fn *rate;
} ratings[] = {
    { "ipr", ipr_rate_ipr },
    { "bayes", ipr_rate_bayes },
    { "concordance", ipr_rate_concordance },
    { "conformance", ipr_rate_conformance },
    { "complexity", ipr_rate_complexity },
    { "elo", ipr_rate_elo },
};

/* What may be asked for: ratings of their own, or parts of the others. */
static const struct {
    unsigned bit;
    const char *name;
    ipr_rate_fn *rate; /* NULL: a part */
} includes[] = {
    { IPR_RATE_FITS, "fits", NULL },          { IPR_RATE_BOOTSTRAP, "game_bootstrap", NULL },
    { IPR_RATE_SIDES, "sides", NULL },        { IPR_RATE_DEPTH, "depth_weighted", ipr_rate_depth },
    { IPR_RATE_GAIN, "gain", ipr_rate_gain },
};

/** 0: nothing is of that name. */
static unsigned bit_of(const char *name, size_t n)
{
    for (size_t i = 0; i < sizeof includes / sizeof *includes; i++)
        if (strlen(includes[i].name) == n && strncmp(includes[i].name, name, n) == 0)
            return includes[i].bit;
    return 0;
}

enum ipr_code ipr_rate_include_read(const char *text, unsigned *out, struct ipr_err *err)
{
    unsigned set = 0;

    for (const char *p = text; p; p = *p ? p + 1 : NULL) {
        const size_t n = strcspn(p, ",");
        const unsigned bit = bit_of(p, n);

        if (!bit)
            return ipr_err_at(
                err, IPR_EPARSE, "bad_parameter", 0, 0, -1,
                "include: \"%.*s\" is not known; a list of fits, game_bootstrap, sides, "
                "depth_weighted, gain",
                (int)(n < 40 ? n : 40), p);
        set |= bit;
        p += n;
    }
    *out = set;
    return IPR_OK;
}

static const struct {
    const char *of; /* which rating it is a member of; NULL: none */
    const char *name;
    ipr_rate_fn *rate;
} beside[] = {
    { "conformance", "accumulated", ipr_rate_accumulated },
    { NULL, "endgame", ipr_rate_endgame },
};

size_t ipr_rate_games(const struct ipr_turn *turns, const size_t *keep, size_t n)
{
    size_t games = 0;

    for (size_t i = 0; i < n; i++)
        games += i == 0 || turns[keep[i]].game != turns[keep[i - 1]].game;
    return games;
}

json_t *ipr_rate_too_few(const struct ipr_material *m, const struct ipr_provenance *from)
{
    if (m->t->n_sides == 0)
        return ipr_estimate_refusal(from, "no game of these classes of time control");
    if (from->counts->turns == 0) /* the opponents' moves may have been */
        return ipr_estimate_refusal(from, "none of the player's moves has been judged yet");
    return ipr_estimate_refusal(from, "%d turns are needed, %zu remain after the exclusions",
                                IPR_VIEW_MIN_TURNS, from->counts->used);
}

static enum ipr_code add(const struct ipr_material *m, const char *name, ipr_rate_fn *rate,
                         json_t *all, struct ipr_err *err)
{
    json_t *one = NULL;

    const enum ipr_code rc = rate(m, &one, err);
    if (rc == IPR_OK)
        json_object_set_new(all, name, one);
    return rc;
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

    for (size_t i = 0; rc == IPR_OK && i < sizeof ratings / sizeof *ratings; i++)
        if (listed(ratings[i].name, names))
            rc = add(m, ratings[i].name, ratings[i].rate, all, err);
    for (size_t i = 0; rc == IPR_OK && i < sizeof includes / sizeof *includes; i++)
        if (includes[i].rate && m->include & includes[i].bit)
            rc = add(m, includes[i].name, includes[i].rate, all, err);
    if (rc != IPR_OK) {
        json_decref(all);
        return rc;
    }
    *out = all;
    return IPR_OK;
}

enum ipr_code ipr_rate(const struct ipr_view_context *c, const struct ipr_db_scope *scope,
                       unsigned include, json_t **out, struct ipr_err *err)
{
    struct ipr_db_player_turns t = { 0 };

    enum ipr_code rc = ipr_db_player_turns(c->v->db, scope, c->judge_id, c->v->mem, &t, err);
    if (rc != IPR_OK)
        return rc;
    size_t *keep = ipr_xcalloc(t.n ? t.n : 1, sizeof *keep);
    const struct ipr_material m = { c, scope, &t, keep, include };

    rc = ipr_rate_material(&m, NULL, out, err);
    free(keep);
    return rc;
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
