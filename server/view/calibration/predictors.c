/* The page of what `make validate` computes. */
#include "core/setting.h"
#include "view/json.h"
#include "view/view.h"

#define PLAYERS_SHOWN 20

/* With players whose moves they are: those with most moves of the engine setting that the
 * champions' are of. */
enum ipr_code ipr_view_predictors_page(const struct ipr_view *v,
                                       const struct ipr_predictors_request *p, json_t **out,
                                       struct ipr_err *err)
{
    struct ipr_players_request q = IPR_PLAYERS_REQUEST_INIT;
    json_t *answer = NULL, *players = NULL, *list = json_array(), *one;
    size_t i;

    q.judge = ipr_setting_name(IPR_FOR_RATING);
    q.limit = PLAYERS_SHOWN;
    enum ipr_code rc = ipr_view_predictors(v, p, &answer, err);
    if (rc == IPR_OK)
        rc = ipr_view_players(v, &q, &players, err);
    json_array_foreach(json_object_get(players, "players"), i, one)
        if (ipr_json_at(one, "turns", 0.0) > 0.0)
            json_array_append(list, one);
    json_object_set_new(answer, "players", list);
    json_decref(players);
    if (rc == IPR_OK)
        *out = answer;
    else
        json_decref(answer);
    return rc;
}
