/* Players of a paper among the persons stored. */
#include <string.h>

#include "core/names.h"
#include "view/paper/paper.h"

#define SEARCHED 20 /* persons with a name that begins like the one wanted */

bool ipr_paper_has_name(const json_t *names, const char *name)
{
    const json_t *one;
    size_t i;

    json_array_foreach(names, i, one) {
        if (strcmp(json_string_value(one), name) == 0)
            return true;
    }
    return false;
}

/* The person with most analysed moves whose name is one of the player's; 0: there is none. */
static enum ipr_code people_search(const struct ipr_view_context *c, const json_t *names,
                                   const char *name, int32_t *id, struct ipr_err *err)
{
    struct ipr_db_player *rows = NULL;
    const char *key = NULL;
    size_t n = 0;

    enum ipr_code rc = ipr_name_key(name, c->v->mem, &key, NULL);
    if (rc == IPR_OK)
        rc = ipr_db_player_list(c->v->db, key, c->judge_id, -1, 0, SEARCHED, c->v->mem, &rows, &n,
                                err);
    for (size_t i = 0; rc == IPR_OK && i < n && *id == 0; i++)
        if (ipr_paper_has_name(names, rows[i].name))
            *id = rows[i].id;
    return rc;
}

enum ipr_code ipr_paper_find_person(const struct ipr_view_context *c, const json_t *paper,
                                    const char *surname, int32_t *id, struct ipr_err *err)
{
    const json_t *names = json_object_get(json_object_get(paper, "players"), surname), *name;
    enum ipr_code rc = IPR_OK;
    size_t i;

    *id = 0;
    json_array_foreach(names, i, name) {
        if (rc == IPR_OK && *id == 0)
            rc = people_search(c, names, json_string_value(name), id, err);
    }
    return rc;
}
