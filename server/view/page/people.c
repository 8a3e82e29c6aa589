/* Who is who: the page of doubtful pairs and decisions. */
#include <math.h>
#include <string.h>

#include "view/json.h"
#include "view/page/page.h"

static json_t *elo_range(const json_t *elo)
{
    const double low = ipr_json_at(elo, "low", NAN), high = ipr_json_at(elo, "high", NAN);

    if (!isfinite(low))
        return json_null();
    return low < high ? ipr_page_format("Elo %.0f–%.0f", low, high)
                      : ipr_page_format("Elo %.0f", low);
}

static json_t *suspect_page(const json_t *p)
{
    const double id = ipr_json_at(p, "id", 0.0), fide = ipr_json_at(p, "fide_id", NAN);
    const char *name = ipr_json_text_at(p, "name");

    return json_pack("{s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "id", ipr_page_format("%.0f", id),
                     "name", name, "called",
                     isfinite(fide) ? ipr_page_format("%s (FIDE %.0f)", name, fide)
                                    : json_string(name),
                     "href", ipr_page_format("/players/%.0f", id), "fide",
                     isfinite(fide) ? ipr_page_format("FIDE %.0f", fide) : json_null(), "games",
                     ipr_page_plural(ipr_json_at(p, "games", 0.0), "game", "games"), "span",
                     ipr_page_span(p), "elo", elo_range(json_object_get(p, "elo")));
}

static const char *why_text(const char *why)
{
    static const struct {
        const char *why, *text;
    } texts[] = {
        { "same_name", "the same name, with and without FIDE id" },
        { "title", "the same name but for a title or what is in brackets" },
        { "signs", "the same letters but for accents, umlauts and signs" },
        { "order", "the same words in another order" },
        { "initials", "the same surname, initials that fit" },
        { "prefix", "the same surname, given names shortened or left out" },
    };

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (strcmp(texts[i].why, why) == 0)
            return texts[i].text;
    return why;
}

/* Two names in the order of the page; without them the names shown are meant. */
static json_t *why_page(const json_t *pair, bool swap)
{
    const json_t *spelled = json_object_get(pair, "spelled");
    const char *a = json_string_value(json_array_get(spelled, swap ? 1 : 0));
    const char *b = json_string_value(json_array_get(spelled, swap ? 0 : 1));
    const char *why = ipr_json_text_at(pair, "why");

    if (a == NULL || b == NULL)
        return json_string(why_text(why));
    if (strcmp(why, "same_name") == 0)
        return ipr_page_format("both also spelled “%s”", a);
    return ipr_page_format("also spelled “%s” and “%s”: %s", a, b, why_text(why));
}

static json_t *pair_pages(const json_t *pairs)
{
    json_t *rows = json_array();
    const json_t *p;
    size_t i;

    json_array_foreach(pairs, i, p) {
        const json_t *two = json_object_get(p, "players");
        const json_t *a = json_array_get(two, 0), *b = json_array_get(two, 1);
        /* The one with more games goes on, unless people say otherwise. */
        const bool swap = ipr_json_at(a, "games", 0.0) > ipr_json_at(b, "games", 0.0);

        json_array_append_new(
            rows, json_pack("{s:o, s:o, s:o, s:o}", "a", suspect_page(swap ? b : a), "b",
                            suspect_page(swap ? a : b), "why", why_page(p, swap), "common",
                            ipr_page_plural(ipr_json_at(p, "common_opponents", 0.0),
                                            "opponent in common", "opponents in common")));
    }
    return rows;
}

/** What a change did, as a sentence with two links: player, verb, other. */
static json_t *change_page(const json_t *c)
{
    const char *kind = ipr_json_text_at(c, "kind");
    const double id = ipr_json_at(c, "id", 0.0), sides = ipr_json_at(c, "sides_moved", 0.0);
    json_t *verb;

    if (strcmp(kind, "merge") == 0) {
        verb = json_string("merged into");
    } else if (strcmp(kind, "split") == 0) {
        json_t *games = ipr_page_plural(sides, "game", "games");
        verb = ipr_page_format("split: %s moved to", json_string_value(games));
        json_decref(games);
    } else {
        verb = json_string("told apart from");
    }
    return json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "id", ipr_page_format("%.0f", id),
        "undo", ipr_page_format("/api/v1/identity-changes/%.0f/undo", id), "player",
        ipr_json_text(ipr_json_text_at(c, "player.name")), "player_href",
        ipr_page_format("/players/%.0f", ipr_json_at(c, "player.id", 0.0)), "verb", verb, "other",
        ipr_json_text(ipr_json_text_at(c, "other.name")), "other_href",
        ipr_page_format("/players/%.0f", ipr_json_at(c, "other.id", 0.0)), "when",
        ipr_page_when(ipr_json_text_at(c, "made")), "by",
        ipr_json_text(ipr_json_text_at(c, "made_by")), "undone",
        json_is_string(json_object_get(c, "undone"))
            ? json_pack("{s:o, s:o}", "when", ipr_page_when(ipr_json_text_at(c, "undone")), "by",
                        ipr_json_text(ipr_json_text_at(c, "undone_by")))
            : json_null());
}

bool ipr_page_doubtful(json_t *resource, json_t *page)
{
    const json_t *pairs = json_object_get(resource, "pairs");
    json_t *changes = json_array();
    const json_t *c;
    size_t i;

    ipr_page_head(page, "Who is who", "/api/v1/players/doubtful");
    json_array_foreach(json_object_get(resource, "changes"), i, c)
        json_array_append_new(changes, change_page(c));
    json_object_set_new(page, "change_rows", changes);
    json_object_set_new(page, "has_changes", json_boolean(json_array_size(changes) > 0));
    json_object_set_new(page, "any_pairs", json_boolean(json_array_size(pairs) > 0));
    json_object_set_new(page, "pair_rows", pair_pages(pairs));
    const char *after = ipr_json_text_at(resource, "after");
    json_object_set_new(page, "back",
                        *after ? ipr_page_format("/players/doubtful?after=%s", after)
                               : json_string("/players/doubtful"));
    json_object_set_new(page, "next", ipr_json_text(ipr_json_text_at(resource, "next")));
    return json_is_array(pairs);
}
