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

    json_object_set_new(page, "title",
                        ipr_page_format("%s", *title != '\0' ? title : "Something went wrong"));
    return true;
}

/* ---- all of them ---- */

/* Pages that need more than their resource. */
static const struct page_fill {
    const char *name;
    bool (*fill)(json_t *resource, json_t *page);
} page_fills[] = {
    { "dashboard", ipr_page_dashboard },
    { "player", ipr_page_player },
    { "doubtful", ipr_page_doubtful },
    { "player_year", ipr_page_player_year },
    { "queue", ipr_page_queue },
    { "compare", ipr_page_compare },
    { "event", ipr_page_event },
    { "game", ipr_page_game },
    { "upload", ipr_page_upload },
    { "calibrations", ipr_page_calibrations },
    { "calibration", ipr_page_calibration },
    { "royale", ipr_page_royale },
    { "comparisons", ipr_page_comparisons },
    { "conformance", ipr_page_report_conformance },
    { "complexity", ipr_page_report },
    { "covariance", ipr_page_report_covariance },
    { "score_curve", ipr_page_report },
    { "error", ipr_page_error },
    { "problem", ipr_page_error },
};

static const struct page_fill *page_fill_of(const char *template_name)
{
    for (size_t i = 0; i < sizeof page_fills / sizeof *page_fills; i++)
        if (strcmp(page_fills[i].name, template_name) == 0)
            return &page_fills[i];
    return NULL;
}

/* `r`: NULL for the pages of problems, which are of no resource. */
static bool page_fill(const struct ipr_resource *r, const struct page_fill *own, json_t *resource,
                      json_t *page)
{
    if (!json_is_object(resource))
        return false;
    if (r != NULL) {
        json_object_set_new(page, "title", json_string(r->heading));
        json_object_set_new(page, "menu", json_string(r->menu));
    }
    json_object_set_new(page, "min_turns", json_integer(IPR_VIEW_MIN_TURNS));
    return own != NULL ? own->fill(resource, page)
                       : r->rows == NULL || json_is_array(json_object_get(resource, r->rows));
}

enum ipr_code ipr_view_page(const char *template_name, json_t *resource, struct ipr_err *err)
{
    const struct ipr_resource *r = ipr_resource_of_page(template_name);
    const struct page_fill *own = page_fill_of(template_name);
    const bool known = r != NULL || own != NULL;
    json_t *page = json_object();

    if (!known || !page_fill(r, own, resource, page)) {
        json_decref(page);
        return !known ? ipr_err_set(err, IPR_EINVAL, "no page %s", template_name)
                      : ipr_err_set(err, IPR_EINVAL, "page %s of another resource", template_name);
    }
    json_object_set_new(resource, "page", page);
    return IPR_OK;
}
