#ifndef IPR_HTTP_REQUEST_H
#define IPR_HTTP_REQUEST_H

#include <jansson.h>
#include <microhttpd.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "base/mem.h"
#include "base/str.h"
#include "http/http.h"
#include "http/metrics.h"
#include "view/view.h"

/* Inner contracts of server/http. */

struct ipr_events;
struct ipr_files;
struct ipr_import;
struct ipr_import_queue;
struct ipr_rate_limit;
struct ipr_report_runner;
struct ipr_spool;
struct ipr_req;

struct ipr_http {
    struct ipr_http_options o;
    struct MHD_Daemon *mhd;
    struct ipr_files *files;
    struct ipr_events *events;
    struct ipr_import_queue *imports, *works; /* of uploads, of figures */
    struct ipr_report_runner *reports;
    struct ipr_rate_limit *rate_limit;
    int listen_fd; /* ours again once MHD was told to stop accepting; -1 before */
    int port;
    const char *tmp_dir; /* for bodies under way */
    atomic_uint heavy;   /* requests with a place (http/concurrency.h) */
    bool loopback;       /* nobody but this machine can connect */
    struct ipr_http_counts counts;
};

/** One JSON for API and page. New reference in *out, untouched on error. */
typedef enum ipr_code (*ipr_resource_fn)(struct ipr_req *req, const struct ipr_view *view,
                                         json_t **out, struct ipr_err *err);
typedef enum MHD_Result (*ipr_handler_fn)(struct ipr_req *req);

enum {
    IPR_ROUTE_UPLOAD = 1,  /* the body is spooled; a browser's form may post here */
    IPR_ROUTE_BODY = 2,    /* a small body: JSON or a form (http/body.h) */
    IPR_ROUTE_FORMS = 4,   /* a page with such forms: it is told whether they need a token */
    IPR_ROUTE_RAW = 16,    /* a body of any type, spooled as it is, of at most IPR_REQ_RAW_MAX */
    IPR_ROUTE_FISHNET = 8, /* of the fishnet protocol, which has keys and bodies of its own */
};

struct ipr_route {
    const char *method;
    const char *path;          /* "/players/{id}"; at most two {…} */
    ipr_resource_fn resource;  /* either this … */
    const char *page;          /* … rendered by this template, or as JSON when NULL … */
    ipr_handler_fn handle;     /* … or this, which may fall back on the resource */
    const char *const *params; /* query parameters known here, NULL-terminated; NULL: none */
    unsigned flags;
};

struct ipr_param {
    const char *name, *value;
};

/** What a client is told instead of an answer. status 0: nothing. */
struct ipr_problem {
    unsigned status;
    char type[32];
    char detail[IPR_ERR_TEXT];
    uint32_t line, column;
    int32_t ply;
};

#define IPR_YEAR_MAX    9999
#define IPR_REQ_IDS     2
#define IPR_REQ_RAW_MAX ((int64_t)16 << 20)
#define IPR_REQ_HEADERS 16

/** From the request line to MHD's completion callback, which frees it. One thread at a time: that
 * of its connection, or while that is suspended the one that will resume it. */
struct ipr_req {
    struct ipr_http *http;
    struct MHD_Connection *conn; /* from the first call of the access handler on */
    struct ipr_arena mem;
    char id[17];        /* log context, X-Request-Id */
    const char *target; /* as sent: path and query, still encoded */
    const char *method;
    const char *path; /* decoded; "" until then */
    const struct ipr_route *route;
    const char *ids[IPR_REQ_IDS]; /* what stood for {…} */
    const struct ipr_param *param;
    size_t n_params;
    bool begun; /* headers were looked at */
    bool api, html, head;
    bool heavy;                 /* has a place among those that take long (http/concurrency.h) */
    bool stream;                /* answered by an event stream */
    const char *writer;         /* name of the token a write came with, or "local" */
    const char *moved;          /* by a resource: its page is at this address */
    struct ipr_problem refusal; /* told once the body is through */
    size_t drained;             /* body bytes thrown away */
    struct ipr_spool *spool;
    struct ipr_import *import; /* of the spooled body, once it was handed over */
    struct ipr_buf body;       /* of a route with IPR_ROUTE_BODY */
    bool token_in_form;        /* no header has one: the field of the form decides */
    struct {
        const char *name, *value;
    } header[IPR_REQ_HEADERS]; /* for the reply, beyond the usual ones */
    size_t n_headers;
    const char *idempotency_key; /* of a write that may be repeated; NULL: none */
    bool idempotency_held;       /* it is the first with that key and has no answer yet */
    int64_t started_us;
    unsigned status; /* of the reply; 0: none was given */
    size_t bytes;
};

/** Monotonic clock, in microseconds. */
int64_t ipr_now_us(void);

/** Value of a query parameter or NULL. */
const char *ipr_req_param(const struct ipr_req *req, const char *name);

/** Whether a Content-Type is of a type: "text/plain; charset=utf-8" is of type "text/plain". */
bool ipr_req_is_type(const char *header, const char *type);

/** Value of a request header or NULL. */
const char *ipr_req_header(const struct ipr_req *req, const char *name);

/** A number within [lo, hi]; `preset` when absent. IPR_EPARSE "bad_parameter" naming it. */
IPR_CHECK enum ipr_code ipr_req_int(const struct ipr_req *req, const char *name, int64_t lo,
                                    int64_t hi, int64_t preset, int64_t *out, struct ipr_err *err);

/** ids[i] as a number from 1 to max; IPR_ENOTFOUND otherwise: such a thing cannot exist. */
IPR_CHECK enum ipr_code ipr_req_id(const struct ipr_req *req, size_t i, int64_t max, int64_t *out,
                                   struct ipr_err *err);

/** Whether this is a GET or HEAD. */
bool ipr_req_is_read(const struct ipr_req *req);

/** IPR_EPARSE "bad_parameter" when no judge of that name is defined. */
IPR_CHECK enum ipr_code ipr_req_judge(struct ipr_db *db, const char *name, struct ipr_err *err);

/** Leases a connection; IPR_ERETRY when there is no pool. Return it with ipr_db_return. */
IPR_CHECK enum ipr_code ipr_req_lease(const struct ipr_req *req, struct ipr_db **db,
                                      struct ipr_err *err);

#endif
