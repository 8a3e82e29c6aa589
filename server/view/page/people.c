/* Who is who: the page of doubtful pairs and decisions. */
#include "view/json.h"
#include "view/page/page.h"

static void array_swap(json_t *two)
{
    json_t *first = json_incref(json_array_get(two, 0));

    json_array_remove(two, 0);
    json_array_append_new(two, first);
}

bool ipr_page_doubtful(json_t *resource, json_t *page __attribute__((unused)))
{
    json_t *pairs = json_object_get(resource, "pairs");
    json_t *pair;
    size_t i;

    json_array_foreach(pairs, i, pair) {
        json_t *two = json_object_get(pair, "players");

        /* The player with more games stays, unless people decide otherwise: the second here. */
        if (ipr_json_at(json_array_get(two, 0), "games", 0.0) <=
            ipr_json_at(json_array_get(two, 1), "games", 0.0))
            continue;
        array_swap(two);
        if (json_array_size(json_object_get(pair, "spelled")) > 1)
            array_swap(json_object_get(pair, "spelled"));
    }
    return json_is_array(pairs);
}
