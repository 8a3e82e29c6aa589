/* The page of the queue. */
#include <math.h>
#include <string.h>

#include "view/json.h"
#include "view/page/page.h"

#define PRIORITY_FIRST 1
#define PRIORITY_LAST  9

static json_t *count_at(const json_t *o, const char *path)
{
    return ipr_page_count(ipr_json_at(o, path, 0.0));
}

static json_t *names_text(const json_t *g)
{
    const char *white = ipr_json_text_at(g, "white"), *black = ipr_json_text_at(g, "black");
    const double year = ipr_json_at(g, "year", NAN);
    const char *w = *white ? white : "?", *b = *black ? black : "?";

    return isfinite(year) ? ipr_page_format("%s – %s, %.0f", w, b, year)
                          : ipr_page_format("%s – %s", w, b);
}

static json_t *game_href(const json_t *g)
{
    return ipr_page_format("/games/%.0f", ipr_json_at(g, "game_id", 0.0));
}

/* A row for each element of a list. */
static json_t *rows_of(const json_t *list, json_t *(*row)(const json_t *))
{
    json_t *rows = json_array();
    const json_t *one;
    size_t i;

    json_array_foreach(list, i, one)
        json_array_append_new(rows, row(one));
    return rows;
}

static json_t *running_row(const json_t *g)
{
    return json_pack("{s:o, s:o, s:s, s:s, s:o, s:o}", "names", names_text(g), "href", game_href(g),
                     "judge", ipr_json_text_at(g, "judge"), "worker", ipr_json_text_at(g, "worker"),
                     "value", ipr_page_fixed(ipr_json_at(g, "turns_done", 0.0), 0), "max",
                     ipr_page_fixed(fmax(1.0, ipr_json_at(g, "turns_total", 0.0)), 0));
}

static json_t *owner_row(const json_t *o)
{
    return json_pack("{s:s, s:s, s:o, s:o}", "owner", ipr_json_text_at(o, "owner"), "program",
                     ipr_json_text_at(o, "program"), "priority", count_at(o, "priority"), "games",
                     count_at(o, "games"));
}

static json_t *waiting_row(const json_t *g)
{
    return json_pack("{s:o, s:o, s:s, s:s, s:o}", "names", names_text(g), "href", game_href(g),
                     "judge", ipr_json_text_at(g, "judge"), "owner", ipr_json_text_at(g, "owner"),
                     "priority", count_at(g, "priority"));
}

static json_t *failed_row(const json_t *a)
{
    const char *reason = ipr_json_text_at(a, "reason");

    return json_pack("{s:o, s:o, s:s, s:s, s:o, s:o}", "names", names_text(a), "href", game_href(a),
                     "judge", ipr_json_text_at(a, "judge"), "reason",
                     *reason ? reason : "no reason was kept", "attempts", count_at(a, "attempts"),
                     "selection",
                     ipr_page_format("game=%.0f&judge=%s", ipr_json_at(a, "game_id", 0.0),
                                     ipr_json_text_at(a, "judge")));
}

/* What it is known by: "Schlechter – Lasker and 9 more, World Championship 10th". */
static json_t *upload_name(const json_t *u)
{
    const double more = ipr_json_at(u, "games", 0.0) - 1.0;
    const char *white = ipr_json_text_at(u, "white"), *black = ipr_json_text_at(u, "black");
    const char *event = ipr_json_text_at(u, "event");
    json_t *others = more > 0.0 ? ipr_page_plural(more, "more", "more") : json_string("");
    json_t *name = ipr_page_format("%s – %s%s%s%s%s", *white ? white : "?", *black ? black : "?",
                                   more > 0.0 ? " and " : "", json_string_value(others),
                                   *event ? ", " : "", event);

    json_decref(others);
    return name;
}

static json_t *owners_text(const json_t *u)
{
    const double others = ipr_json_at(u, "owners", 1.0) - 1.0;
    const char *owner = ipr_json_text_at(u, "owner");

    return others > 0.0 ? ipr_page_format("%s and %.0f more", owner, others) : json_string(owner);
}

/* What its buttons can do: nothing is offered that would change nothing. */
static json_t *upload_row(const json_t *u)
{
    const double ready = ipr_json_at(u, "ready", 0.0), running = ipr_json_at(u, "running", 0.0);
    const double paused = ipr_json_at(u, "paused", 0.0), failed = ipr_json_at(u, "failed", 0.0);
    const int priority = (int)ipr_json_at(u, "priority", 5.0);
    const bool moves = ready + running + paused > 0.0;
    json_t *row =
        json_pack("{s:o, s:s, s:o, s:o, s:o, s:s, s:o, s:o, s:o, s:o, s:o}", "name", upload_name(u),
                  "source", ipr_json_text_at(u, "source"), "owner", owners_text(u), "href",
                  ipr_page_format("/uploads/%.0f", ipr_json_at(u, "id", 0.0)), "when",
                  ipr_page_when(ipr_json_text_at(u, "created")), "judge",
                  ipr_json_text_at(u, "judge"), "ready", ipr_page_count(ready), "running",
                  ipr_page_count(running), "paused", ipr_page_count(paused), "failed",
                  ipr_page_count(failed), "priority", ipr_page_count(priority));

    json_object_set_new(row, "selection",
                        ipr_page_format("upload=%.0f&judge=%s", ipr_json_at(u, "id", 0.0),
                                        ipr_json_text_at(u, "judge")));
    json_object_set_new(row, "can_pause", json_boolean(ready + running > 0.0));
    json_object_set_new(row, "can_resume", json_boolean(paused > 0.0));
    json_object_set_new(row, "can_retry", json_boolean(failed > 0.0));
    json_object_set_new(row, "sooner",
                        moves && priority > PRIORITY_FIRST ? ipr_page_format("%d", priority - 1)
                                                           : json_null());
    json_object_set_new(row, "later",
                        moves && priority < PRIORITY_LAST ? ipr_page_format("%d", priority + 1)
                                                          : json_null());
    return row;
}

static json_t *worker_row(const json_t *w)
{
    const double men = ipr_json_at(w, "tablebases", 0.0);

    return json_pack("{s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "name",
                     ipr_json_text_at(w, "name"), "version", ipr_json_text_at(w, "version"),
                     "programs", ipr_json_text_at(w, "programs"), "started",
                     ipr_page_when(ipr_json_text_at(w, "started")), "engines",
                     count_at(w, "engines"), "tablebases",
                     men > 0.0 ? ipr_page_format("%.0f men", men) : json_string("none"), "games",
                     count_at(w, "games"), "turns", count_at(w, "turns"), "cached",
                     ipr_page_share(ipr_json_at(w, "cached_share", NAN)), "failures",
                     count_at(w, "failures"), "leases_lost", count_at(w, "leases_lost"));
}

bool ipr_page_queue(json_t *resource, json_t *page)
{
    static const struct {
        const char *member, *key;
        json_t *(*row)(const json_t *);
    } lists[] = {
        { "running", "running_rows", running_row }, { "owners", "owner_rows", owner_row },
        { "waiting", "waiting_rows", waiting_row }, { "uploads", "upload_rows", upload_row },
        { "failed", "failed_rows", failed_row },    { "workers", "worker_rows", worker_row },
    };
    static const char *const counts[] = { "ready",  "running",      "paused",
                                          "failed", "judged_games", "judged_turns" };
    const json_t *queue = json_object_get(resource, "queue");

    if (!json_is_object(queue) || !json_is_array(json_object_get(resource, "workers")))
        return false;
    ipr_page_head(page, "Queue", "/api/v1/queue");
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        json_object_set_new(page, counts[i], count_at(queue, counts[i]));
    json_object_set_new(page, "remaining", ipr_json_text(ipr_json_text_at(queue, "remaining")));
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        json_object_set_new(page, lists[i].key,
                            rows_of(json_object_get(resource, lists[i].member), lists[i].row));
    json_object_set_new(page, "any_uploads",
                        json_boolean(json_array_size(json_object_get(resource, "uploads")) > 0));
    json_object_set_new(page, "any_failed",
                        json_boolean(json_array_size(json_object_get(resource, "failed")) > 0));
    json_object_set_new(page, "more_failed",
                        json_boolean(ipr_json_at(queue, "failed", 0.0) >
                                     (double)json_array_size(json_object_get(resource, "failed"))));
    json_object_set_new(page, "cached", ipr_page_share(ipr_json_at(resource, "cache.share", NAN)));
    json_object_set_new(page, "cache_turns", count_at(resource, "cache.turns"));
    return true;
}
