/* Pages: what a template needs beyond the resource it shows. */
#include "view/page/page.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "pgn/time_class.h"
#include "view/json.h"
#include "view/view.h"

/* ---- what all pages have in common ---- */

json_t *ipr_page_format(const char *fmt, ...)
{
    char text[512];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    json_t *out = json_string(text);
    for (size_t n = strlen(text); out == NULL && n > 0; out = json_string(text))
        text[--n] = '\0'; /* a name was cut within a letter */
    return out;
}

void ipr_page_head(json_t *page, const char *title, const char *json_href)
{
    json_object_set_new(page, "title", ipr_page_format("%s", title));
    json_object_set_new(page, "json", json_href != NULL ? json_string(json_href) : json_null());
}

json_t *ipr_page_times_query(const json_t *classes, const char *mark)
{
    json_t *fallback = json_pack("[s, s]", ipr_time_class_name(IPR_TIME_CLASSICAL),
                                 ipr_time_class_name(IPR_TIME_UNKNOWN));
    struct ipr_buf query = IPR_BUF_INIT;

    if (!json_equal(classes, fallback))
        for (size_t i = 0; i < json_array_size(classes); i++)
            ipr_buf_printf(&query, "%s%s%s", i == 0 ? mark : ",", i == 0 ? "time_class=" : "",
                           json_string_value(json_array_get(classes, i)));
    json_t *out = json_string(ipr_buf_c(&query));
    ipr_buf_release(&query);
    json_decref(fallback);
    return out;
}

/* ---- pages that need little else ---- */

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

bool ipr_page_upload(json_t *resource, json_t *page)
{
    char href[48], title[32];
    const json_int_t id = json_integer_value(json_object_get(resource, "id"));

    snprintf(href, sizeof href, "/api/v1/uploads/%" JSON_INTEGER_FORMAT, id);
    snprintf(title, sizeof title, "Upload %" JSON_INTEGER_FORMAT, id);
    ipr_page_head(page, title, href);
    return json_is_array(json_object_get(resource, "errors"));
}

bool ipr_page_error(json_t *resource, json_t *page)
{
    const char *title = ipr_json_text_at(resource, "title");

    ipr_page_head(page, *title != '\0' ? title : "Something went wrong", NULL);
    return true;
}

/* The API */

static bool page_docs(json_t *resource, json_t *page)
{
    ipr_page_head(page, "API", NULL);
    return json_is_array(json_object_get(resource, "resources"));
}

/* ---- all of them ---- */

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
        { "complexity", "at_reports", ipr_page_report },
        { "covariance", "at_reports", ipr_page_report_covariance },
        { "score_curve", "at_reports", ipr_page_report },
        { "error", "at_error", ipr_page_error },
        { "problem", "at_error", ipr_page_error },
        { "docs", "at_docs", page_docs },
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
