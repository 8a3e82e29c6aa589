/* Players of a paper among the persons stored. */
#include "core/names.h"
#include "view/paper/paper.h"

/* By any spelling, since an import with a spelling file shows another name than the games have. */
enum ipr_code ipr_paper_find_person(const struct ipr_view_context *c, const json_t *paper,
                                    const char *surname, int32_t *id, struct ipr_err *err)
{
    const json_t *names = json_object_get(json_object_get(paper, "players"), surname), *name;
    const char **keys = ipr_arena_alloc(c->v->mem, json_array_size(names) + 1, sizeof *keys);
    enum ipr_code rc = IPR_OK;
    bool found = false;
    size_t i;

    *id = 0;
    json_array_foreach(names, i, name) {
        if (rc == IPR_OK)
            rc = ipr_name_key(json_string_value(name), c->v->mem, &keys[i], err);
    }
    return rc == IPR_OK ? ipr_db_person_of_keys(c->v->db, keys, json_array_size(names), c->judge_id,
                                                &found, id, err)
                        : rc;
}
