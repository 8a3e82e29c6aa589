#include "http/base/page_address.h"

#include <string.h>

#include "core/names.h"
#include "http/base/routes.h"
#include "http/base/url.h"
#include "resource/write.h"
#include "view/json.h"

/* Name of what a page at that address is of; events also have their year. */
static const char *page_named(struct ipr_req *req, const struct ipr_address *at,
                              const json_t *resource)
{
    const bool event = strncmp(at->path, "/events/{", 9) == 0;
    const double year = event ? ipr_json_at(resource, "event.year", 0.0) : 0.0;
    const char *name =
        json_string_value(ipr_json_find(resource, event ? "event.name" : "player.name"));

    if (!event && strncmp(at->path, "/players/{", 10) != 0)
        return "";
    if (name == NULL)
        name = ipr_json_text_at(resource, "name");
    return event ? ipr_name_dated(name, (int)year, &req->mem) : name;
}

/* Value of a parameter for a path: that of the request's path, or of `given`; NULL: neither. */
static const char *page_piece(struct ipr_req *req, const json_t *given, const char *name)
{
    const json_t *one;
    size_t i;

    for (i = 0; i < ipr_route_pieces(req->route); i++)
        if (strcmp(ipr_route_piece(req, req->route, i), name) == 0)
            return req->ids[i];
    json_array_foreach(given, i, one) {
        if (strcmp(ipr_json_text_at(one, "name"), name) == 0)
            return ipr_json_text_at(one, "value");
    }
    return NULL;
}

static bool page_fits(struct ipr_req *req, const struct ipr_address *a, const json_t *given)
{
    for (size_t i = 0; i < ipr_route_pieces(a); i++)
        if (page_piece(req, given, ipr_route_piece(req, a, i)) == NULL)
            return false;
    return true;
}

/* The address of the page with most parameters in its path. */
static const struct ipr_address *page_best(struct ipr_req *req, const json_t *given)
{
    const struct ipr_address *best = req->route;

    for (const struct ipr_address *a = ipr_addresses; a->method != NULL; a++)
        if (a->id == req->route->id && a->page != NULL && page_fits(req, a, given) &&
            ipr_route_pieces(a) > ipr_route_pieces(best))
            best = a;
    return best;
}

/* The parameters that are not in its path, as a query. */
static void page_add_query(const struct ipr_address *a, const json_t *given, struct ipr_buf *out)
{
    const json_t *one;
    bool any = false;
    size_t i;

    json_array_foreach(given, i, one) {
        if (ipr_path_has(a->path, ipr_json_text_at(one, "name")))
            continue;
        ipr_buf_printf(out, "%c%s", any ? '&' : '?', ipr_json_text_at(one, "query"));
        any = true;
    }
}

const char *ipr_page_address(struct ipr_req *req, const json_t *resource, const json_t *given)
{
    const struct ipr_address *a = page_best(req, given);
    const char *slug = ipr_name_slug(page_named(req, a, resource), &req->mem);
    struct ipr_buf out = IPR_BUF_INIT;
    size_t n = 0;

    for (const char *at = a->path; *at != '\0'; at++) {
        if (*at != '{') {
            ipr_buf_putc(&out, *at);
            continue;
        }
        const char *value = page_piece(req, given, ipr_route_piece(req, a, n++));
        ipr_buf_puts(&out, ipr_url_encode_path(&req->mem, value));
        if (n == 1 && slug[0] != '\0')
            ipr_buf_printf(&out, "/%s", slug);
        at = strchr(at, '}');
    }
    page_add_query(a, given, &out);
    const char *address = ipr_arena_strndup(&req->mem, ipr_buf_c(&out), out.n);
    ipr_buf_release(&out);
    return address;
}
