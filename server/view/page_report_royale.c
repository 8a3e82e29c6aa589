/* The page of the royale. */
#include "view/page.h"

#include <math.h>

#include "view/json.h"

static json_t *ranking_rows(const json_t *ranking)
{
    json_t *rows = json_array();
    const json_t *r;
    size_t i;

    json_array_foreach(ranking, i, r)
    {
        const double year = ipr_json_at(r, "year", 0.0), id = ipr_json_at(r, "player.id", 0.0);
        json_t *row = json_pack(
            "{s:o, s:o, s:o, s:o, s:o}", "rank", ipr_page_count(ipr_json_at(r, "rank", 0.0)),
            "name", ipr_json_text(ipr_json_text_at(r, "player.name")), "year",
            ipr_page_format("%.0f", year), "href", ipr_page_format("/players/%.0f/%.0f", id, year),
            "expected", ipr_page_share(ipr_json_at(r, "expected", NAN)));

        json_object_set_new(row, "wins", ipr_page_count(ipr_json_at(r, "wins", 0.0)));
        json_object_set_new(row, "draws", ipr_page_count(ipr_json_at(r, "draws", 0.0)));
        json_object_set_new(row, "losses", ipr_page_count(ipr_json_at(r, "losses", 0.0)));
        json_object_set_new(row, "turns", ipr_page_count(ipr_json_at(r, "turns", 0.0)));
        json_object_set_new(row, "best", json_boolean(ipr_json_true_at(r, "best")));
        json_array_append_new(rows, row);
    }
    return rows;
}

bool ipr_page_royale(json_t *resource, json_t *page)
{
    if (!ipr_page_report(resource, "Battle royale", page))
        return false;
    json_object_set_new(page, "rows", ranking_rows(json_object_get(resource, "ranking")));
    return true;
}
