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

static enum ipr_code add_trust(const struct ipr_view *v, json_t *out, struct ipr_err *err)
{
    json_t *validation = NULL, *predictors = NULL;

    json_object_set_new(out, "trust", json_null());
    enum ipr_code rc = ipr_view_document(v, "validation.json", &validation, err);
    if (rc == IPR_OK)
        rc = ipr_view_document(v, "predictors.json", &predictors, err);
    const json_t *part = json_array_get(json_object_get(validation, "parts"), 0);
    const json_t *set = chosen_of(json_object_get(part, "sets"), "band", TRUST_GAMES);
    const json_t *estimator = chosen_of(json_object_get(part, "estimators"), NULL, 0);

    if (rc == IPR_OK && set != NULL && estimator != NULL)
        json_object_set_new(
            out, "trust",
            json_pack("{s:O, s:O, s:O, s:b, s:O?}", "coverage", json_object_get(set, "coverage"),
                      "sets", json_object_get(set, "sets"), "sd", json_object_get(estimator, "sd"),
                      "better_than_elo",
                      ipr_json_true_at(predictors, "recommended.with_elo.better_than_base"),
                      "predicted", ipr_json_find(predictors, "recommended.with_elo.games")));
    json_decref(predictors);
    json_decref(validation);
    return rc;
}

/* ---- all of it ---- */

/* Only where nothing has a rating by the moves: the player-years with most analysed moves, with
 * their IPRs. */
static enum ipr_code add_unrated(const struct ipr_view_context *c, bool any_rated, json_t *out,
                                 struct ipr_err *err)
{
    struct ipr_db_player_year *rows = NULL;
    unsigned budget = IPR_VIEW_BUDGET;
    json_t *list = json_array();
    enum ipr_code rc = IPR_OK;
    size_t n = 0;

    json_object_set_new(out, "player_years", list);
    if (c->judge_id != 0 && !any_rated)
        rc = ipr_db_player_years_top(c->v->db, c->judge_id, c->times, IPR_VIEW_MIN_TURNS,
                                     YEARS_SHOWN, c->v->mem, &rows, &n, err);
    return rc == IPR_OK ? ipr_view_add_year_rows(c, NULL, rows, n, 0, true, &budget, list, err)
                        : rc;
}

static enum ipr_code add_ranking(const struct ipr_view_context *c,
                                 const struct ipr_dashboard_request *p, json_t *out,
                                 struct ipr_err *err)
{
    json_t *const list = json_array();
    struct ipr_ranking r;
    const enum ipr_code rc = ipr_ranking_open(c, &r, err);

    json_object_set_new(out, "ranking", list);
    if (rc != IPR_OK)
        return rc;
    for (size_t i = 0; i < r.n && i < (size_t)p->limit; i++) {
        const struct ipr_champion *const champion = ipr_champion_of(r.player[i].name);
        struct ipr_answer_reign reigns[IPR_REIGNS];
        size_t n = 0;

        for (; champion != NULL && champion->reign[n].from != 0; n++)
            reigns[n] = (struct ipr_answer_reign){ champion->reign[n].from, champion->reign[n].to };
        const struct ipr_answer_ranked_player one = {
            .named = { (size_t)r.player[i].id, r.player[i].name },
            .peak = r.path[i].peak,
            .first = r.first[i],
            .first_five = r.first_five[i],
            .path = { r.path[i].year, r.path[i].n },
            .reigns = { reigns, n },
        };

        json_array_append_new(list, ipr_shape_json(IPR_SHAPE_RANKED_PLAYER, &one));
    }
    const struct ipr_answer_ranking_said said = { .finding =
                                                      ipr_ranking_finding(&r, false, c->v->mem),
                                                  .fastest = r.fastest,
                                                  .ranked_from = r.moves,
                                                  .ranked = (int64_t)r.n,
                                                  .complete = r.complete };
    json_object_update_new(out, ipr_shape_json(IPR_SHAPE_RANKING_SAID, &said));
    return add_unrated(c, r.n > 0, out, err);
}

enum ipr_code ipr_fill_dashboard(const struct ipr_view_context *c,
                                 const struct ipr_dashboard_request *p, json_t *out,
                                 struct ipr_err *err)
{
    const struct ipr_answer_upload_rule rule = { .uploads_private = c->v->uploads_private,
                                                 .uploads_open = c->v->uploads_open };

    ipr_view_context_add_basis(c, out);
    json_object_update_new(out, ipr_shape_json(IPR_SHAPE_UPLOAD_RULE, &rule));
    struct ipr_answer_queue_progress queue;

    enum ipr_code rc = ipr_view_queue_progress(c->v, &queue, err);
    if (rc == IPR_OK)
        json_object_set_new(out, "queue", ipr_shape_json(IPR_SHAPE_QUEUE_PROGRESS, &queue));
    if (rc == IPR_OK)
        rc = add_ranking(c, p, out, err);
    return rc == IPR_OK ? add_trust(c->v, out, err) : rc;
}
