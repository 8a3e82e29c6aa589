/* Names of persons and events, for addresses. */
#include "core/names.h"
#include "db/events.h"
#include "db/players.h"
#include "view/view.h"

enum ipr_code ipr_view_player_name(const struct ipr_view *v, int32_t id, const char **name,
                                   struct ipr_err *err)
{
    struct ipr_db_player player;
    const enum ipr_code rc = ipr_db_player_get(v->db, id, 0, 1, v->mem, &player, err);

    if (rc == IPR_OK)
        *name = player.name;
    return rc;
}

enum ipr_code ipr_view_event_name(const struct ipr_view *v, int32_t id, const char **name,
                                  int *year, struct ipr_err *err)
{
    struct ipr_db_event event;
    const enum ipr_code rc = ipr_db_event_get(v->db, id, v->mem, &event, err);

    if (rc == IPR_OK) {
        *name = ipr_name_event(event.name, v->mem);
        *year = event.year;
    }
    return rc;
}
