#include "http/base/format.h"

#include <string.h>
#include <strings.h>

#include "http/base/content_coding.h"
#include "http/base/reply.h"

static const struct {
    const char *suffix, *type, *content_type;
    const char *other; /* a client that accepts this accepts the format */
} formats[] = {
    [IPR_FORMAT_JSON] = { ".json", "application/json", "application/json",
                          "application/problem+json" },
    [IPR_FORMAT_NDJSON] = { ".ndjson", "application/x-ndjson", "application/x-ndjson",
                            "application/x-ndjson" },
    [IPR_FORMAT_CSV] = { ".csv", "text/csv", "text/csv; charset=utf-8; header=present",
                         "text/csv" },
    [IPR_FORMAT_PGN] = { ".pgn", "application/x-chess-pgn",
                         "application/x-chess-pgn; charset=utf-8", "application/vnd.chess-pgn" },
};

const char *ipr_format_type(enum ipr_format f)
{
    return formats[f].content_type;
}

const char *ipr_format_ending(enum ipr_format f)
{
    return formats[f].suffix;
}

const char *ipr_format_media(enum ipr_format f)
{
    return formats[f].type;
}

enum ipr_format ipr_format_suffix(struct ipr_str *path)
{
    for (size_t f = IPR_FORMAT_JSON; f < IPR_FORMATS; f++) {
        const size_t n = strlen(formats[f].suffix);

        if (path->n > n && memcmp(path->p + path->n - n, formats[f].suffix, n) == 0) {
            path->n -= n;
            return (enum ipr_format)f;
        }
    }
    return IPR_FORMAT_ANY;
}

bool ipr_format_exists(const struct ipr_resource *r, enum ipr_format f)
{
    if (r->flags & IPR_FLAG_FORMATS)
        return f != IPR_FORMAT_ANY;
    switch (f) {
    case IPR_FORMAT_JSON:
        return !(r->flags & IPR_FLAG_STREAM);
    case IPR_FORMAT_NDJSON:
    case IPR_FORMAT_CSV:
        return r->columns != NULL || r->tables != NULL;
    case IPR_FORMAT_PGN:
        return (r->flags & IPR_FLAG_PGN) != 0;
    case IPR_FORMAT_ANY:
    case IPR_FORMATS:
        break;
    }
    return false;
}

static bool range_fits(struct ipr_str range, const char *type)
{
    const size_t slash = strcspn(type, "/") + 1;

    if (ipr_str_is(range, "*/*") || ipr_str_is_like(range, type))
        return true;
    return range.n == slash + 1 && range.p[slash] == '*' && strncasecmp(range.p, type, slash) == 0;
}

/* Weight in Accept of a type that has two names: the most specific matching range counts, and among
 * types of equal weight one that is named wins. */
static double accept_weight(const char *accept, const char *type, const char *other)
{
    struct ipr_str list = ipr_str_c(accept), range;
    double weight = 0.0, q;
    int precise = 0;

    while (ipr_accept_next(&list, &range, &q)) {
        int precision = 3;

        if (!range_fits(range, type) && !range_fits(range, other))
            continue;
        if (range.n > 0 && memchr(range.p, '*', range.n) != NULL)
            precision = ipr_str_is(range, "*/*") ? 1 : 2;
        if (precision > precise || (precision == precise && q > weight)) {
            precise = precision;
            weight = q;
        }
    }
    return weight > 0.0 ? weight + (double)precise * 1e-6 : 0.0;
}

static double format_weight(const char *accept, enum ipr_format f)
{
    return accept_weight(accept, formats[f].type, formats[f].other);
}

/* The format of the highest weight; of several JSON. IPR_FORMAT_ANY: none fits. */
static enum ipr_format format_of_accept(const struct ipr_resource *r, const char *accept)
{
    enum ipr_format best = IPR_FORMAT_ANY;
    double weight = 0.0;

    for (int i = IPR_FORMAT_JSON; i < IPR_FORMATS; i++) {
        const enum ipr_format f = (enum ipr_format)i;

        if (ipr_format_exists(r, f) && format_weight(accept, f) > weight) {
            weight = format_weight(accept, f);
            best = f;
        }
    }
    return best;
}

struct ipr_problem ipr_format_choose(struct ipr_req *req)
{
    const char *accept = ipr_req_header(req, "Accept");

    if (req->format == IPR_FORMAT_ANY)
        req->format = accept == NULL ? IPR_FORMAT_JSON : format_of_accept(req->resource, accept);
    if (req->format != IPR_FORMAT_ANY && ipr_format_exists(req->resource, req->format))
        return (struct ipr_problem){ 0 };
    return ipr_problem_make("not_acceptable", "this resource is JSON%s%s only",
                            ipr_format_exists(req->resource, IPR_FORMAT_CSV) ? ", NDJSON and CSV"
                                                                             : "",
                            ipr_format_exists(req->resource, IPR_FORMAT_PGN) ? " and PGN" : "");
}
