/* The page of careers: titles and the links that add and remove sets. */
#include "view/page/page.h"

#include <string.h>

#include "model/career.h"
#include "resource/types.h"
#include "sentence/sentence.h"
#include "view/json.h"
#include "view/view.h"

#define TOGETHER 5 /* sets in one picture; more have one each */
#define NAMED    3 /* in the title of more than these */
#define BESIDE   2 /* of which Elo and strength from results are drawn unasked */

/* "Careers: Fischer, Spassky"; of many sets "Careers: Fischer, Spassky, Tal and 9 more". */
static json_t *careers_title(const json_t *sets)
{
    const size_t n = json_array_size(sets), named = n > TOGETHER ? NAMED : n;
    json_t *title = ipr_page_format("%s", n > 0 ? "Careers: " : "Careers");
    const json_t *one;
    size_t i;

    json_array_foreach(sets, i, one) {
        if (i == named)
            break;
        json_t *longer = ipr_page_format("%s%s%s", json_string_value(title), i > 0 ? ", " : "",
                                         ipr_json_text_at(one, "label"));

        json_decref(title);
        title = longer;
    }
    if (named < n) {
        json_t *longer = ipr_page_format("%s and %zu more", json_string_value(title), n - named);

        json_decref(title);
        title = longer;
    }
    return title;
}

/* The queries of all sets but one. */
static json_t *careers_others(const json_t *sets, size_t without)
{
    json_t *out = json_array();
    const json_t *one;
    size_t i;

    json_array_foreach(sets, i, one) {
        if (i != without)
            json_array_append_new(out, ipr_page_format("set=%s", ipr_json_text_at(one, "set")));
    }
    return out;
}

/* "against" as the template shows it: a set against itself is an empty cell. */
static void careers_cells(json_t *rows)
{
    json_t *row;
    size_t i, j;

    json_array_foreach(rows, i, row) {
        json_t *cells = json_array(), *cell;

        json_array_foreach(json_object_get(row, "against"), j, cell) {
            json_array_append_new(cells, json_is_null(cell) ? json_object() : json_incref(cell));
        }
        json_object_set_new(row, "cells", cells);
    }
}

static bool year_has_few_moves(const json_t *year)
{
    const double moves = ipr_json_at(year, "rating.turns", 0.0);

    return moves > 0.0 && moves < IPR_VIEW_MIN_TURNS;
}

/* True if each set is the whole career of a player: its text is the number of the player alone. */
static bool careers_are_players(const json_t *sets)
{
    const json_t *one;
    size_t i;

    json_array_foreach(sets, i, one) {
        const char *const set = ipr_json_text_at(one, "set");

        if (set[strspn(set, "0123456789")] != '\0')
            return false;
    }
    return true;
}

/* The form that adds a set is below the picture, unless there is none or a search goes on. */
static bool careers_begin_with_form(const json_t *resource)
{
    return json_array_size(json_object_get(resource, "sets")) == 0 ||
           json_is_array(json_object_get(resource, "found")) ||
           json_is_object(json_object_get(resource, "refused"));
}

/* ---- ages ---- */

/* Why there is no picture over ages: the reason of all sets, where they have one in common. NULL:
 * there is one. */
static json_t *careers_ageless(const json_t *sets)
{
    const char *const first = ipr_json_text_at(json_array_get(sets, 0), "no_ages");
    const json_t *one;
    bool same = true;
    size_t i;

    json_array_foreach(sets, i, one) {
        if (*ipr_json_text_at(one, "no_ages") == '\0')
            return NULL;
        same = same && strcmp(ipr_json_text_at(one, "no_ages"), first) == 0;
    }
    return json_string(same ? first : ipr_say_player_no_ages(IPR_PLAYER_NO_AGES_OF_NONE));
}

static void careers_put_ages(const json_t *resource, json_t *page)
{
    const json_t *const sets = json_object_get(resource, "sets");
    json_t *const none = json_array_size(sets) > 0 ? careers_ageless(sets) : NULL;
    bool born = false;
    const json_t *one;
    size_t i;

    json_array_foreach(sets, i, one)
        born = born || json_is_integer(json_object_get(one, "born"));
    json_object_set_new(page, "ages",
                        json_boolean(strcmp(ipr_json_text_at(resource, "by"), "age") == 0));
    json_object_set_new(page, "switch",
                        json_boolean(born || json_is_true(json_object_get(page, "ages"))));
    if (none != NULL)
        json_object_set_new(page, "ageless", none);
}

/* ---- the page ---- */

bool ipr_page_careers(json_t *resource, json_t *page)
{
    json_t *sets = json_object_get(resource, "sets"), *one;
    const json_t *found = json_object_get(resource, "found");
    bool extrapolated = false, few = false, beside = false, strengths = false;
    const size_t n = json_array_size(sets);
    size_t i;

    if (!json_is_array(sets) && !json_is_object(json_object_get(resource, "refused")))
        return false;
    json_array_foreach(sets, i, one) {
        const json_t *year;
        size_t k;

        json_object_set_new(one, "others", careers_others(sets, i));
        json_object_set_new(one, "number", json_integer((json_int_t)i + 1));
        beside = beside || json_object_get(one, "path") == NULL;
        strengths = strengths || json_object_get(one, "path") != NULL;
        json_array_foreach(json_object_get(one, "years"), k, year) {
            const bool alone = json_object_get(one, "path") == NULL; /* each year has its mark */

            extrapolated |= alone && ipr_json_true_at(year, "rating.extrapolated");
            few |= alone && year_has_few_moves(year);
        }
    }
    careers_cells(json_object_get(resource, "against"));
    json_object_set_new(page, "title", careers_title(sets));
    json_object_set_new(page, "form_first", json_boolean(careers_begin_with_form(resource)));
    careers_put_ages(resource, page);
    json_object_set_new(page, "extrapolated", json_boolean(extrapolated));
    json_object_set_new(page, "few", json_boolean(few));
    json_object_set_new(page, "beside", json_boolean(beside));
    json_object_set_new(page, "by_ratings", json_boolean(!strengths));
    json_object_set_new(page, "on_request", json_boolean(n > BESIDE && n <= TOGETHER));
    json_object_set_new(page, "of_players", json_boolean(careers_are_players(sets)));
    json_object_set_new(page, "several", json_boolean(n > 1));
    json_object_set_new(page, "apart", json_boolean(n > TOGETHER));
    json_object_set_new(page, "none_found",
                        json_boolean(found != NULL && json_array_size(found) == 0));
    json_object_set_new(page, "full", json_boolean(n >= IPR_PARAM_TEXTS_MAX));
    return true;
}
