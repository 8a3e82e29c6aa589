/* Pages: what a template needs beyond the resource it shows. */
#include "view/page/page.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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

/* ---- pages that need little else ---- */

bool ipr_page_dashboard(json_t *resource, json_t *page)
{
    json_t *years = json_object_get(resource, "player_years");

    if (!json_is_array(years))
        return false;
    ipr_page_years(years, page);
    return true;
}

bool ipr_page_upload(json_t *resource, json_t *page)
{
    json_object_set_new(page, "title",
                        ipr_page_format("Upload %.0f", ipr_json_at(resource, "id", 0.0)));
    return json_is_array(json_object_get(resource, "errors"));
}

bool ipr_page_error(json_t *resource, json_t *page)
{
    const char *title = ipr_json_text_at(resource, "title");

    if (*title != '\0')
        json_object_set_new(page, "title", ipr_page_format("%s", title));
    return true;
}

/* ---- all of them ---- */

static const struct page_kind {
    const char *name, *section;
    const char *title; /* unless `fill` has a better one */
    const char *list;  /* member of its resource, for pages without `fill` */
    bool (*fill)(json_t *resource, json_t *page);
} page_kinds[] = {
    { "dashboard", "at_dashboard", "Ratings from the moves", NULL, ipr_page_dashboard },
    { "players", "at_players", "Players", "players", NULL },
    { "player", "at_players", NULL, NULL, ipr_page_player },
    { "doubtful", "at_players", "Who is who", NULL, ipr_page_doubtful },
    { "player_year", "at_players", NULL, NULL, ipr_page_player_year },
    { "queue", "at_queue", "Queue", NULL, ipr_page_queue },
    { "compare", "at_compare", "Compare two player-years", NULL, ipr_page_compare },
    { "events", "at_events", "Events", "events", NULL },
    { "event", "at_events", NULL, NULL, ipr_page_event },
    { "game", "at_players", NULL, NULL, ipr_page_game },
    { "upload", "at_dashboard", NULL, NULL, ipr_page_upload },
    { "calibrations", "at_calibrations", "Calibrations", NULL, ipr_page_calibrations },
    { "calibration", "at_calibrations", NULL, NULL, ipr_page_calibration },
    { "royale", "at_royale", NULL, NULL, ipr_page_royale },
    { "reports", "at_reports", "Reports", "reports", NULL },
    { "comparisons", "at_reports", NULL, NULL, ipr_page_comparisons },
    { "conformance", "at_reports", NULL, NULL, ipr_page_report_conformance },
    { "complexity", "at_reports", NULL, NULL, ipr_page_report },
    { "covariance", "at_reports", NULL, NULL, ipr_page_report_covariance },
    { "score_curve", "at_reports", NULL, NULL, ipr_page_report },
    { "error", "at_error", "Something went wrong", NULL, ipr_page_error },
    { "problem", "at_error", "Something went wrong", NULL, ipr_page_error },
    { "docs", "at_docs", "API", "sections", NULL },
};

static const struct page_kind *page_kind_of(const char *template_name)
{
    for (size_t i = 0; i < sizeof page_kinds / sizeof *page_kinds; i++)
        if (strcmp(page_kinds[i].name, template_name) == 0)
            return &page_kinds[i];
    return NULL;
}

static bool page_fill(const struct page_kind *kind, json_t *resource, json_t *page)
{
    if (!json_is_object(resource))
        return false;
    if (kind->title != NULL)
        json_object_set_new(page, "title", json_string(kind->title));
    json_object_set_new(page, "min_turns", json_integer(IPR_VIEW_MIN_TURNS));
    json_object_set_new(page, kind->section, json_true());
    return kind->fill != NULL ? kind->fill(resource, page)
                              : json_is_array(json_object_get(resource, kind->list));
}

enum ipr_code ipr_view_page(const char *template_name, json_t *resource, struct ipr_err *err)
{
    const struct page_kind *kind = page_kind_of(template_name);
    json_t *page = json_object();

    if (kind == NULL || !page_fill(kind, resource, page)) {
        json_decref(page);
        return kind == NULL
                   ? ipr_err_set(err, IPR_EINVAL, "no page %s", template_name)
                   : ipr_err_set(err, IPR_EINVAL, "page %s of another resource", template_name);
    }
    json_object_set_new(resource, "page", page);
    return IPR_OK;
}
