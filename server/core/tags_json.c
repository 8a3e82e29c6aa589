#include "core/tags_json.h"

#include <jansson.h>
#include <string.h>

static struct ipr_str arena_copy(struct ipr_arena *mem, const char *text)
{
    const size_t n = strlen(text);

    return (struct ipr_str){ ipr_arena_strndup(mem, text, n), n };
}

enum ipr_code ipr_tags_from_json(const char *text, struct ipr_arena *mem,
                                 const struct ipr_pgn_tag **tags, size_t *n, struct ipr_err *err)
{
    json_error_t why = { .text = "not an object" };
    json_t *json = json_loads(text, 0, &why);
    struct ipr_pgn_tag *rows;
    const char *name;
    json_t *value;
    size_t i = 0;

    if (!json_is_object(json)) {
        json_decref(json);
        return ipr_err_set(err, IPR_EDB, "stored tags: %s", why.text);
    }
    rows = ipr_arena_alloc(mem, json_object_size(json) + 1, sizeof *rows);
    json_object_foreach(json, name, value) {
        rows[i].name = arena_copy(mem, name);
        rows[i++].value = arena_copy(mem, json_is_string(value) ? json_string_value(value) : "");
    }
    json_decref(json);
    *tags = rows;
    *n = i;
    return IPR_OK;
}
