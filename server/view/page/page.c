/* Pages: what a template needs beyond the resource it shows. */
#include "view/page/page.h"

#include <math.h>
#include <string.h>

#include "view/json.h"
#include "view/view.h"

bool ipr_page_dashboard(json_t *resource, json_t *page)
{
    json_t *years = json_object_get(resource, "player_years");

    if (!json_is_array(years))
        return false;
    ipr_page_head(page, "Ratings from the moves", "/api/v1/dashboard");
    ipr_page_years(years, page);
    return true;
}

bool ipr_page_players(json_t *resource, json_t *page)
{
    ipr_page_head(page, "Players", "/api/v1/players");
    return json_is_array(json_object_get(resource, "players"));
}

/* Upload */

static json_t *progress_text(const json_t *u)
{
    const double queued = ipr_json_at(u, "queued", 0.0), running = ipr_json_at(u, "running", 0.0);
    const double analysed = ipr_json_at(u, "analysed", 0.0), failed = ipr_json_at(u, "failed", 0.0);
    const double turns = ipr_json_at(u, "turns_total", 0.0);
    const double total = queued + running + analysed + failed;

    if (total <= 0.0)
        return json_null();
    return json_pack("{s:o, s:o, s:o, s:o, s:b}", "value",
                     ipr_page_fixed(turns > 0.0 ? ipr_json_at(u, "turns_done", 0.0) : analysed, 0),
                     "max", ipr_page_fixed(turns > 0.0 ? turns : total, 0), "done",
                     ipr_page_count(analysed), "total", ipr_page_count(total), "finished",
                     ipr_json_true_at(u, "done"));
}

static json_t *or_dash(const char *text)
{
    return json_string(*text ? text : "?");
}

/** "18 … d5" is how people find a half-move: number and whose it is. */
static json_t *place_text(const json_t *e)
{
    const double ply = ipr_json_at(e, "ply", NAN);

    if (!isfinite(ply))
        return json_null();
    return ipr_page_format("%d%s", (int)ply / 2 + 1, (int)ply % 2 ? "… (Black)" : ". (White)");
}

/** Lines and columns count from 1; 0 is not known. */
static json_t *ordinal(const json_t *e, const char *name)
{
    const double n = ipr_json_at(e, name, 0.0);
    return n > 0.0 ? ipr_page_count(n) : json_null();
}

static json_t *error_rows(const json_t *errors)
{
    json_t *rows = json_array();
    const json_t *e;
    size_t i;

    json_array_foreach(errors, i, e)
        json_array_append_new(
            rows, json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "game", ordinal(e, "game"),
                            "line", ordinal(e, "line"), "column", ordinal(e, "column"), "place",
                            place_text(e), "white", or_dash(ipr_json_text_at(e, "white")), "black",
                            or_dash(ipr_json_text_at(e, "black")), "detail",
                            or_dash(ipr_json_text_at(e, "detail"))));
    return rows;
}

static json_t *kind_text(const char *kind)
{
    static const struct {
        const char *kind, *text;
    } texts[] = {
        { "identical", "the same game" },
        { "contained", "the beginning of a longer version" },
        { "extends", "a longer version: the kept game took its moves" },
        { "spelling", "the same game, names spelled otherwise" },
    };

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (strcmp(kind, texts[i].kind) == 0)
            return json_string(texts[i].text);
    return ipr_json_text(kind);
}

/* "result, white fide id": the API's words. */
static json_t *conflict_text(const json_t *conflicts)
{
    struct ipr_buf text = IPR_BUF_INIT;
    const json_t *c;
    size_t i;

    json_array_foreach(conflicts, i, c)
        ipr_buf_printf(&text, "%s%s", i > 0 ? ", " : "", json_string_value(c));
    for (size_t k = 0; k < text.n; k++)
        if (text.p[k] == '_')
            text.p[k] = ' ';
    json_t *out = json_string(ipr_buf_c(&text));
    ipr_buf_release(&text);
    return out;
}

static json_t *duplicate_rows(const json_t *duplicates)
{
    json_t *rows = json_array();
    const json_t *d;
    size_t i;

    json_array_foreach(duplicates, i, d)
        json_array_append_new(
            rows, json_pack("{s:o, s:o, s:o, s:o, s:b, s:o}", "game", ordinal(d, "game"), "what",
                            kind_text(ipr_json_text_at(d, "kind")), "kept",
                            ipr_page_format("%.0f", ipr_json_at(d, "kept", 0.0)), "href",
                            ipr_page_format("/games/%.0f", ipr_json_at(d, "kept", 0.0)), "improved",
                            (int)ipr_json_true_at(d, "improved"), "conflicts",
                            conflict_text(json_object_get(d, "conflicts"))));
    return rows;
}

static json_t *upload_players(const json_t *players)
{
    json_t *rows = json_array();
    const json_t *p;
    size_t i;

    json_array_foreach(players, i, p) {
        const json_int_t year = json_integer_value(json_object_get(p, "year"));
        const double id = ipr_json_at(p, "player.id", 0.0);
        json_array_append_new(
            rows, json_pack("{s:o, s:o, s:o, s:o}", "name",
                            ipr_json_text(ipr_json_text_at(p, "player.name")), "year",
                            ipr_json_known(year), "games",
                            ipr_page_count(ipr_json_at(p, "games", 0.0)), "href",
                            year ? ipr_page_format("/players/%.0f/%" JSON_INTEGER_FORMAT, id, year)
                                 : ipr_page_format("/players/%.0f", id)));
    }
    return rows;
}

static void add_errors(const json_t *resource, json_t *page)
{
    const json_t *errors = json_object_get(resource, "errors");
    const double rejected = ipr_json_at(resource, "rejected", 0.0);
    const double listed = (double)json_array_size(errors);

    json_object_set_new(page, "error_rows", error_rows(errors));
    json_object_set_new(page, "has_errors", json_boolean(listed > 0.0));
    if (rejected > listed) {
        json_object_set_new(page, "errors_shown", ipr_page_count(listed));
        json_object_set_new(page, "errors_left", ipr_page_count(rejected));
    }
}

static void add_duplicates(const json_t *resource, const char *href, json_t *page)
{
    const json_t *duplicates = json_object_get(resource, "duplicates");
    const double listed = (double)json_array_size(duplicates);

    json_object_set_new(page, "duplicate_rows", duplicate_rows(duplicates));
    json_object_set_new(page, "has_duplicates", json_boolean(listed > 0.0));
    json_object_set_new(page, "all_duplicates", ipr_page_format("%s/duplicates", href));
    json_object_set_new(page, "duplicates_shown", ipr_page_count(listed));
    json_object_set_new(page, "duplicates_found",
                        ipr_page_count(ipr_json_at(resource, "duplicate", 0.0)));
}

static json_t *upload_counts(const json_t *resource)
{
    static const struct {
        const char *key, *name;
    } counts[] = {
        { "games_read", "games read" },
        { "imported", "new" },
        { "duplicate", "known already" },
        { "rejected", "rejected" },
        { "queued", "waiting" },
        { "running", "being judged" },
        { "analysed", "judged" },
        { "failed", "given up" },
        { "variations", "variations passed over" },
    };
    json_t *list = json_array();

    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        json_array_append_new(
            list, json_pack("{s:s, s:s, s:o}", "key", counts[i].key, "name", counts[i].name,
                            "value", ipr_page_count(ipr_json_at(resource, counts[i].key, 0.0))));
    return list;
}

bool ipr_page_upload(json_t *resource, json_t *page)
{
    char href[48], title[32];
    const json_int_t id = json_integer_value(json_object_get(resource, "id"));

    if (!json_is_array(json_object_get(resource, "errors")))
        return false;
    snprintf(href, sizeof href, "/api/v1/uploads/%" JSON_INTEGER_FORMAT, id);
    snprintf(title, sizeof title, "Upload %" JSON_INTEGER_FORMAT, id);
    ipr_page_head(page, title, href);
    json_object_set_new(page, "events", ipr_page_format("%s/events", href));
    json_object_set_new(page, "counts", upload_counts(resource));
    json_object_set_new(page, "progress", progress_text(resource));
    json_object_set_new(page, "live", json_boolean(!ipr_json_true_at(resource, "done")));
    json_object_set_new(page, "when", ipr_page_when(ipr_json_text_at(resource, "created")));
    add_errors(resource, page);
    add_duplicates(resource, href, page);
    json_object_set_new(page, "has_failures",
                        json_boolean(json_array_size(json_object_get(resource, "failures")) > 0));
    json_object_set_new(page, "player_rows", upload_players(json_object_get(resource, "players")));
    return true;
}

/* A problem of RFC 9457 as a page */

bool ipr_page_error(json_t *resource, json_t *page)
{
    const char *title = ipr_json_text_at(resource, "title");

    ipr_page_head(page, *title != '\0' ? title : "Something went wrong", NULL);
    return true;
}

/* All */

enum ipr_code ipr_view_page(const char *template_name, json_t *resource, struct ipr_err *err)
{
    static const struct {
        const char *name, *section;
        bool (*fill)(json_t *resource, json_t *page);
    } pages[] = {
        { "dashboard", "at_dashboard", ipr_page_dashboard },
        { "players", "at_players", ipr_page_players },
        { "player", "at_players", ipr_page_player },
        { "doubtful", "at_players", ipr_page_doubtful },
        { "player_year", "at_players", ipr_page_player_year },
        { "queue", "at_queue", ipr_page_queue },
        { "compare", "at_compare", ipr_page_compare },
        { "events", "at_events", ipr_page_events },
        { "event", "at_events", ipr_page_event },
        { "game", "at_players", ipr_page_game },
        { "upload", "at_dashboard", ipr_page_upload },
        { "calibrations", "at_calibrations", ipr_page_calibrations },
        { "calibration", "at_calibrations", ipr_page_calibration },
        { "royale", "at_royale", ipr_page_royale },
        { "reports", "at_reports", ipr_page_reports },
        { "comparisons", "at_reports", ipr_page_comparisons },
        { "conformance", "at_reports", ipr_page_report_conformance },
        { "complexity", "at_reports", ipr_page_report_complexity },
        { "covariance", "at_reports", ipr_page_report_covariance },
        { "score_curve", "at_reports", ipr_page_report_score_curve },
        { "error", "at_error", ipr_page_error },
        { "problem", "at_error", ipr_page_error },
    };

    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
        if (strcmp(pages[i].name, template_name) != 0)
            continue;
        json_t *page = json_object();
        if (!json_is_object(resource) || !pages[i].fill(resource, page)) {
            json_decref(page);
            return ipr_err_set(err, IPR_EINVAL, "page %s of another resource", template_name);
        }
        json_object_set_new(page, pages[i].section, json_true());
        json_object_set_new(resource, "page", page);
        return IPR_OK;
    }
    return ipr_err_set(err, IPR_EINVAL, "no page %s", template_name);
}
