/* The queue: what its buttons can do. */
#include "view/json.h"
#include "view/page/page.h"

#define PRIORITY_FIRST 1
#define PRIORITY_LAST  9

/* "sooner" and "later" of an upload, null where they would change nothing. */
static void put_upload_buttons(json_t *u)
{
    const bool moves = ipr_json_at(u, "ready", 0.0) + ipr_json_at(u, "running", 0.0) +
                           ipr_json_at(u, "paused", 0.0) >
                       0.0;
    const json_int_t priority = json_integer_value(json_object_get(u, "priority"));

    json_object_set_new(
        u, "sooner", moves && priority > PRIORITY_FIRST ? json_integer(priority - 1) : json_null());
    json_object_set_new(
        u, "later", moves && priority < PRIORITY_LAST ? json_integer(priority + 1) : json_null());
}

bool ipr_page_queue(json_t *resource, json_t *page __attribute__((unused)))
{
    json_t *u;
    size_t i;

    json_array_foreach(json_object_get(resource, "uploads"), i, u)
        put_upload_buttons(u);
    return json_is_object(json_object_get(resource, "queue")) &&
           json_is_array(json_object_get(resource, "workers"));
}
