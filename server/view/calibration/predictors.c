/* Answers what `make validate` computes, and which predictor is best by it. */
#include <math.h>
#include <string.h>

#include "core/setting.h"
#include "uci/judge.h"
#include "view/document.h"
#include "view/json.h"
#include "view/recommended.h"
#include "view/view.h"
#include "view/wording.h"

#define PLAYERS_SHOWN 20

static const char *predictors_games(const json_t *verdict, struct ipr_arena *mem)
{
    return ipr_arena_printf(mem, "%s games of %.0f champions",
                            ipr_wording_count(ipr_json_at(verdict, "games", 0), mem),
                            ipr_json_at(verdict, "champions", 0));
}

/* True if the predictor needs moves and nothing else. */
static bool predictors_is_of_moves(const char *name)
{
    return strcmp(name, "even") != 0 && strncmp(name, "elo", 3) != 0;
}

/* Returns the predictor from moves with the lowest corrected log loss; NULL: there is none. */
static const json_t *predictors_best_of_moves(const json_t *table)
{
    const json_t *row, *best = NULL;
    size_t i;

    json_array_foreach(json_object_get(table, "predictors"), i, row)
        if (predictors_is_of_moves(ipr_json_text_at(row, "predictor")) &&
            (best == NULL || ipr_json_at(row, "corrected_log_loss", INFINITY) <
                                 ipr_json_at(best, "corrected_log_loss", INFINITY)))
            best = row;
    return best;
}

/* "0.0105 higher, 95% interval 0.0057 to 0.0153" */
static const char *predictors_difference(const json_t *row, struct ipr_arena *mem)
{
    const double d = ipr_json_at(row, "difference", NAN), sign = d < 0 ? -1 : 1;
    const double low = sign * ipr_json_at(row, "interval.low", NAN);
    const double high = sign * ipr_json_at(row, "interval.high", NAN);

    return ipr_arena_printf(mem, "%s %s, 95%% interval %s to %s",
                            ipr_wording_fixed(sign * d, 4, mem), d < 0 ? "lower" : "higher",
                            ipr_wording_fixed(fmin(low, high), 4, mem),
                            ipr_wording_fixed(fmax(low, high), 4, mem));
}

/* Says which predictor is best for players with an Elo. */
static const char *predictors_with_elo(const json_t *table, const json_t *verdict,
                                       struct ipr_arena *mem)
{
    const char *const of = predictors_games(verdict, mem);
    const json_t *const closest = predictors_best_of_moves(table);
    const char *const name = ipr_json_text_at(verdict, "predictor");

    if (ipr_json_true_at(verdict, "better_than_base"))
        return ipr_arena_printf(
            mem, "On %s, %s predicts results better than %s: its log loss is %s.", of,
            ipr_json_text_at(verdict, "title"), ipr_json_text_at(verdict, "base"),
            predictors_difference(
                ipr_json_first(json_object_get(table, "predictors"), "predictor", name), mem));
    if (closest == NULL)
        return ipr_arena_printf(mem, "%s predicts results best, on %s.",
                                ipr_json_text_at(verdict, "base"), of);
    return ipr_arena_printf(
        mem,
        "%s predicts results best: on %s no predictor from the moves is better; the "
        "log loss of the closest, %s, is %s.",
        ipr_json_text_at(verdict, "base"), of, ipr_json_text_at(closest, "title"),
        predictors_difference(closest, mem));
}

static const char *predictors_without_elo(const json_t *table, const json_t *verdict,
                                          struct ipr_arena *mem)
{
    const char *const of = predictors_games(verdict, mem);
    const json_t *const closest = predictors_best_of_moves(table);
    const char *const name = ipr_json_text_at(verdict, "predictor");

    if (ipr_json_true_at(verdict, "better_than_base"))
        return ipr_arena_printf(
            mem,
            " Without Elo, on %s, %s is best, with a log loss %s than half the "
            "points for everybody.",
            of, ipr_json_text_at(verdict, "title"),
            predictors_difference(
                ipr_json_first(json_object_get(table, "predictors"), "predictor", name), mem));
    return closest == NULL
               ? ""
               : ipr_arena_printf(mem,
                                  " Without Elo, on %s who played each other, none is shown to "
                                  "be better than half the points for everybody: the log loss "
                                  "of %s, the lowest, is %s.",
                                  of, ipr_json_text_at(closest, "title"),
                                  predictors_difference(closest, mem));
}

enum ipr_code ipr_view_predictors(const struct ipr_view *v, const struct ipr_predictors_request *p,
                                  json_t **out, struct ipr_err *err)
{
    (void)p;
    const enum ipr_code rc = ipr_view_document(v, "predictors.json", out, err);
    if (rc != IPR_OK)
        return rc;
    json_t *const of = json_object_get(*out, "recommended");
    const json_t *const tables = json_object_get(*out, "tables");
    const char *const text =
        ipr_arena_printf(v->mem, "%s%s",
                         predictors_with_elo(ipr_json_first(tables, "name", "any"),
                                             json_object_get(of, "with_elo"), v->mem),
                         predictors_without_elo(ipr_json_first(tables, "name", "champions"),
                                                json_object_get(of, "without_elo"), v->mem));
    json_object_set_new(*out, "finding", json_string(text));
    ipr_recommended_add_text(*out, v->mem);
    return IPR_OK;
}

/* Whose moves they are: those with most moves of the engine setting that the champions' are of. */
static enum ipr_code predictors_add_players(const struct ipr_view *v, json_t *out,
                                            struct ipr_err *err)
{
    struct ipr_players_request q = IPR_PLAYERS_REQUEST_INIT;
    json_t *answer = NULL, *list = json_array(), *one;
    size_t i;

    q.judge = ipr_setting_name(IPR_FOR_RATING);
    q.limit = PLAYERS_SHOWN;
    const enum ipr_code rc = ipr_view_players(v, &q, &answer, err);
    json_array_foreach(json_object_get(answer, "players"), i, one)
        if (ipr_json_at(one, "turns", 0.0) > 0.0)
            json_array_append(list, one);
    json_object_set_new(out, "players", list);
    json_decref(answer);
    return rc;
}

enum ipr_code ipr_view_predictors_page(const struct ipr_view *v,
                                       const struct ipr_predictors_request *p, json_t **out,
                                       struct ipr_err *err)
{
    enum ipr_code rc = ipr_view_predictors(v, p, out, err);

    if (rc == IPR_OK)
        rc = predictors_add_players(v, *out, err);
    if (rc != IPR_OK) {
        json_decref(*out);
        *out = NULL;
    }
    return rc;
}
