/* The table of addresses. */
#define IPR_HANDLERS_TABLE
#include "http/base/routes.h"

#include <string.h>

#include "http/base/url.h"

const struct ipr_address *const ipr_addresses = addresses;

const char *ipr_route_piece(struct ipr_req *req, const struct ipr_address *a, size_t i)
{
    const char *at = strchr(a->path, '{') + 1;

    while (i-- > 0)
        at = strchr(at, '{') + 1;
    return ipr_arena_strndup(&req->mem, at, strcspn(at, "}"));
}

size_t ipr_route_pieces(const struct ipr_address *a)
{
    size_t n = 0;

    for (const char *at = strchr(a->path, '{'); at != NULL; at = strchr(at + 1, '{'))
        n++;
    return n;
}

bool ipr_route_is_open(const struct ipr_req *req)
{
    const struct ipr_str path = { req->target, strcspn(req->target, "?") };
    struct ipr_str ids[IPR_REQ_IDS];

    for (const struct ipr_address *a = addresses; a->method != NULL; a++)
        if ((ipr_resource_at(a->id)->flags & IPR_FLAG_OPEN) && ipr_url_match(a->path, path, ids))
            return true;
    return false;
}
