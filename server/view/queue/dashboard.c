/* The front page. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/champions.h"
#include "db/players.h"
#include "db/turns.h"
#include "view/document.h"
#include "view/json.h"
#include "view/player/ranking.h"
#include "view/queue/analyses.h"

#define TRUST_GAMES 30
#define YEARS_SHOWN 40 /* without ratings by the moves */

/* ---- how far to trust them ---- */

static const json_t *chosen_of(const json_t *list, const char *of, int games)
{
    const json_t *one;
    size_t i;

    json_array_foreach(list, i, one) {
        if (ipr_json_true_at(one, "chosen") &&
            (of == NULL || (strcmp(ipr_json_text_at(one, "of"), of) == 0 &&
                            (int)ipr_json_at(one, "games", 0.0) == games)))
            return one;
    }
    return NULL;
}

static enum ipr_code dashboard_trust(const struct ipr_view *v, struct ipr_answer_dashboard *out,
                                     struct ipr_err *err)
{
    json_t *validation = NULL, *predictors = NULL;

    enum ipr_code rc = ipr_view_document(v, "validation.json", &validation, err);
    if (rc == IPR_OK)
        rc = ipr_view_document(v, "predictors.json", &predictors, err);
    const json_t *part = json_array_get(json_object_get(validation, "parts"), 0);
    const json_t *set = chosen_of(json_object_get(part, "sets"), "band", TRUST_GAMES);
    const json_t *estimator = chosen_of(json_object_get(part, "estimators"), NULL, 0);
    const json_t *elo = ipr_json_find(predictors, "recommended.with_elo");

    if (rc == IPR_OK && set != NULL && estimator != NULL) {
        out->trust = ipr_shape_new(IPR_SHAPE_DASHBOARD_TRUST, v->mem);
        *out->trust = (struct ipr_answer_dashboard_trust){
            .coverage = ipr_json_at(set, "coverage", NAN),
            .sets = ipr_json_at(set, "sets", NAN),
            .sd = ipr_json_at(estimator, "sd", NAN),
            .better_than_elo = ipr_json_true_at(elo, "better_than_base"),
            .predicted = (int64_t)ipr_json_at(elo, "games", 0.0),
        };
    }
    json_decref(predictors);
    json_decref(validation);
    return rc;
}

/* ---- all of it ---- */

/* Only where nothing has a rating by the moves: the player-years with most analysed moves, with
 * their IPRs. */
static enum ipr_code dashboard_unrated(const struct ipr_view_context *c, json_t *list,
                                       struct ipr_err *err)
{
    struct ipr_db_player_year *rows = NULL;
    unsigned budget = IPR_VIEW_BUDGET;
    enum ipr_code rc = IPR_OK;
    size_t n = 0;

    if (c->judge_id != 0)
        rc = ipr_db_player_years_top(c->v->db, c->judge_id, c->times, IPR_VIEW_MIN_TURNS,
                                     YEARS_SHOWN, c->v->mem, &rows, &n, err);
    return rc == IPR_OK ? ipr_view_add_year_rows(c, NULL, rows, n, 0, true, &budget, list, err)
                        : rc;
}

static struct ipr_list_reign dashboard_reigns(const char *player, struct ipr_arena *mem)
{
    const struct ipr_champion *const champion = ipr_champion_of(player);
    struct ipr_list_reign out = { ipr_shape_list(IPR_SHAPE_REIGN, IPR_REIGNS, mem), 0 };

    for (; champion != NULL && champion->reign[out.n].from != 0; out.n++)
        out.at[out.n] =
            (struct ipr_answer_reign){ champion->reign[out.n].from, champion->reign[out.n].to };
    return out;
}

static enum ipr_code dashboard_ranking(const struct ipr_view_context *c, size_t limit,
                                       struct ipr_answer_dashboard *out, struct ipr_err *err)
{
    struct ipr_arena *const mem = c->v->mem;
    struct ipr_ranking r;
    const enum ipr_code rc = ipr_ranking_open(c, &r, err);

    if (rc != IPR_OK)
        return rc;
    out->ranking.n = r.n < limit ? r.n : limit;
    out->ranking.at = ipr_shape_list(IPR_SHAPE_RANKED_PLAYER, out->ranking.n, mem);
    for (size_t i = 0; i < out->ranking.n; i++)
        out->ranking.at[i] = (struct ipr_answer_ranked_player){
            .named = ipr_named(r.player[i].id, r.player[i].name),
            .peak = r.path[i].peak,
            .first = r.first[i],
            .first_five = r.first_five[i],
            .path = { r.path[i].year, r.path[i].n },
            .reigns = dashboard_reigns(r.player[i].name, mem),
        };
    out->ranking_said =
        (struct ipr_answer_ranking_said){ .finding = ipr_ranking_finding(&r, false, mem),
                                          .fastest = r.fastest,
                                          .ranked_from = r.moves,
                                          .ranked = (int64_t)r.n,
                                          .complete = r.complete };
    return r.n > 0 ? IPR_OK : dashboard_unrated(c, out->player_years, err);
}

enum ipr_code ipr_fill_dashboard(const struct ipr_view_context *c,
                                 const struct ipr_dashboard_request *p,
                                 struct ipr_answer_dashboard *out, struct ipr_err *err)
{
    ipr_view_context_basis(c, &out->basis_of_figures);
    out->uploads_private = c->v->uploads_private;
    out->uploads_open = c->v->uploads_open;
    out->player_years = json_array();
    enum ipr_code rc = ipr_view_queue_progress(c->v, &out->queue, err);
    if (rc == IPR_OK)
        rc = dashboard_ranking(c, (size_t)p->limit, out, err);
    return rc == IPR_OK ? dashboard_trust(c->v, out, err) : rc;
}
