#ifndef IPR_HTTP_REQUEST_H
#define IPR_HTTP_REQUEST_H

#include <jansson.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/queue.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/clock.h"
#include "http/base/metrics.h"
#include "http/base/options.h"
#include "resource/read.h"
#include "view/view.h"

/* Shared within server/http. */

struct ipr_edge;
struct ipr_events;
struct ipr_files;
struct ipr_import;
struct ipr_import_queue;
struct ipr_proxies;
struct ipr_rate_limit;
struct ipr_visitors;
struct ipr_report_runner;
struct ipr_answers;
struct ipr_compute_pool;
struct ipr_cached;
struct ipr_spool;
struct ipr_req;

#define IPR_HTTP_THREADS 4
#define IPR_RATES_MAX    2

/** The name under which others reach the service (INTRINSIC_PUBLIC_URL). */
struct ipr_public_name {
    char authority[256]; /* "chess.example", with a port where it is not the scheme's own … */
    char origin[264];    /* … and with its scheme; both "": none is set */
    bool https;
};

struct ipr_http {
    struct ipr_http_options o;
    struct MHD_Daemon *mhd[IPR_HTTP_THREADS]; /* one thread each */
    atomic_uint next;                         /* of them, for a connection */
    struct ipr_edge *edge;
    struct ipr_files *files;
    struct ipr_events *events;
    struct ipr_import_queue *imports, *works; /* of uploads, of figures */
    struct ipr_report_runner *reports;
    struct ipr_rate_limit *rate_limit;
    struct ipr_visitors *visitors;
    struct ipr_answers *cache;
    atomic_ulong
        writes; /* answered: what the cache has holds no longer without a look at its version */
    struct ipr_compute_pool *computing;
    int listen_fd; /* -1 before */
    int port;
    const char *tmp_dir; /* for bodies being received */
    atomic_uint heavy;   /* admitted costly requests (http/answer/concurrency.h) */
    struct {
        pthread_mutex_t lock;
        LIST_HEAD(, ipr_req) list;
    } streams; /* of rows, admitted */
    struct {
        pthread_mutex_t lock;
        pthread_cond_t changed;
        struct in6_addr of[IPR_RATES_MAX]; /* clients */
        bool taken[IPR_RATES_MAX];
        unsigned streams; /* of events that have not ended */
    } rates;              /* being computed (http/write/rate.c) */
    char build[65];       /* digest of the program and its templates: part of every version */
    bool loopback;        /* only this machine can connect */
    struct ipr_public_name public_name;
    atomic_bool nameless;        /* it was logged that it has none (ipr_client_warn_nameless) */
    struct ipr_proxies *proxies; /* that are trusted */
    struct ipr_http_counts counts;
};

enum ipr_reading { IPR_READING_UNKNOWN, IPR_READING_PRIMARY, IPR_READING_REPLICA };

/** Representations of a resource of the API. */
enum ipr_format {
    IPR_FORMAT_ANY, /* not chosen yet */
    IPR_FORMAT_JSON,
    IPR_FORMAT_NDJSON, /* a row a line */
    IPR_FORMAT_CSV,
    IPR_FORMAT_PGN,
    IPR_FORMATS
};

/** One JSON for API and page. New reference in *out, untouched on error. */
typedef enum ipr_code (*ipr_view_fn)(const struct ipr_view *view, const void *params, json_t **out,
                                     struct ipr_err *err);
typedef enum MHD_Result (*ipr_handler_fn)(struct ipr_req *req);

/** An address of a resource (server/resources.def). */
struct ipr_address {
    const char *method;
    const char *path; /* "/players/{player}"; at most two {…} */
    enum ipr_resource_id id;
    const char *moved;     /* only a redirect, to this page; or … */
    ipr_view_fn view;      /* … a view … */
    const char *page;      /* … rendered by this template, or as JSON when NULL … */
    bool own_view;         /* … which only the page has: required parameters may be missing … */
    bool queue;            /* … and which shows the queue, too … */
    ipr_handler_fn handle; /* … or this, which may fall back on the view */
    bool (*heavy)(const void *params); /* which answers of IPR_COST_HEAVY are; NULL: all */
};

/** A problem, sent instead of an answer. status 0: none. */
struct ipr_problem {
    unsigned status;
    char type[32];
    char detail[IPR_ERR_TEXT];
    uint32_t line, column;
    int32_t ply;
    char param[32];  /* refused; "": the problem is of none */
    uint32_t nth;    /* of its values; as in struct ipr_err */
    uint32_t reason; /* where in detail the reason begins, behind its name */
};

#define IPR_REQ_IDS     2
#define IPR_REQ_RAW_MAX ((int64_t)16 << 20)
#define IPR_REQ_HEADERS 24
#define IPR_REQ_GIVEN   64

/** From the request line to MHD's completion callback, which frees it. One thread at a time: that
 * of its connection, or while that is suspended the one that will resume it. */
struct ipr_req {
    struct ipr_http *http;
    struct MHD_Connection *conn; /* from the first call of the access handler on */
    struct ipr_arena mem;
    char id[17];        /* log context, X-Request-Id */
    const char *target; /* as sent: path and query, still encoded */
    const char *method;
    const char *path;          /* decoded; "" until then */
    struct ipr_cached *cached; /* the answer, if it is cached and fresh */
    uint64_t generation;       /* of the store when the request began (http/base/answer_cache.h) */
    enum ipr_reading reading;  /* of its answer (http/answer/reading.h) … */
    const char *version; /* … and the version of its data; NULL: not asked, or it has none */
    const struct ipr_address *route;
    const struct ipr_resource *resource; /* of the route */
    enum ipr_format format;              /* of a read of the API */
    const char *ids[IPR_REQ_IDS];        /* the values of {…} in the path */
    struct ipr_given *given;             /* parameters as received */
    size_t n_given;
    const void *params;     /* the same, read: the struct of the resource */
    json_t *body_json;      /* memory of some of them; of a form, of the last of each name … */
    json_t *body_fields;    /* … and of all its fields */
    bool begun;             /* headers were checked */
    bool http10;            /* of HTTP/1.0 */
    struct in6_addr client; /* who sent it (http/base/client.h) */
    bool api, html, head;
    bool heavy;                      /* admitted as a costly request (http/answer/concurrency.h) */
    bool streams;                    /* admitted as a stream of rows, … */
    LIST_ENTRY(ipr_req) stream_link; /* … among them */
    bool stream;                     /* answered by an event stream */
    const char *writer;              /* name of the token of a write, or "local" */
    bool visitor;                    /* who needs no token for it (http/base/visitors.h) */
    unsigned char writer_digest[32]; /* of that token; zeros: none */
    bool writer_judges;              /* it may bring evaluations: it has the scope judge */
    bool writer_rules;               /* it has the scope admin */
    int64_t space;                   /* what its statements see (ipr_db_enter) … */
    bool unlisted;                   /* … which may be a private upload: no answer is cached */
    const char *upload_key;          /* of that upload's address; NULL: it is about none … */
    const char *owner_key;           /* … and its owner's; NULL: not given */
    int64_t audit_id;                /* of its row in the record of writes; 0: none yet */
    bool audited;                    /* with the outcome */
    bool password_asked;             /* reading takes a token, also as a password */
    size_t received;                 /* bytes of the body … */
    size_t counted;                  /* … of which the token's quota has these */
    struct ipr_problem refusal;      /* sent at the end of the body */
    size_t drained;                  /* body bytes thrown away */
    struct ipr_spool *spool;
    struct ipr_import *import; /* of the spooled body, after it was handed over */
    struct ipr_buf body;       /* of a route with IPR_FLAG_BODY */
    bool token_in_form;        /* no header has one: the field of the form decides */
    struct {
        const char *name, *value;
    } header[IPR_REQ_HEADERS]; /* for the reply, in addition to the common ones */
    size_t n_headers;
    bool headers_lost;           /* there were more */
    const char *idempotency_key; /* of a write that may be repeated; NULL: none */
    bool idempotency_held;       /* it is the first with that key and has no answer yet */
    struct {
        STAILQ_ENTRY(ipr_req) link; /* work that waits for a thread, or for the same answer */
        uint64_t turn;              /* before higher ones */
        bool (*work)(void *arg);
        void *arg;
        bool away; /* handed over (http/base/compute_pool.h) … */
        bool open; /* … and not yet answered */
    } job;
    const char *shared; /* digest of the answer that another request is computing; NULL: none */
    struct MHD_Response *response; /* computed, to be sent when the connection is resumed */
    int64_t started_us;
    unsigned status; /* of the reply; 0: none was given */
    size_t bytes;
};

/** True if a Content-Type is of a type: "text/plain; charset=utf-8" is of type "text/plain". */
bool ipr_req_is_type(const char *header, const char *type);

/** Value of a request header or NULL. */
const char *ipr_req_header(const struct ipr_req *req, const char *name);

/** Reads the parameters given so far into req->params. */
IPR_CHECK enum ipr_code ipr_req_params(struct ipr_req *req, struct ipr_err *err);

/** True if this is a GET or HEAD. */
bool ipr_req_is_read(const struct ipr_req *req);

/** IPR_EPARSE "bad_parameter" when no judge of that name is defined. */
IPR_CHECK enum ipr_code ipr_req_judge(struct ipr_db *db, const char *name, struct ipr_err *err);

/** Leases a connection; IPR_ERETRY when there is no pool. Return it with ipr_db_return. */
IPR_CHECK enum ipr_code ipr_req_lease(const struct ipr_req *req, struct ipr_db **db,
                                      struct ipr_err *err);

/** A header beyond the usual ones; both borrowed for the life of the request. */
void ipr_reply_header(struct ipr_req *req, const char *name, const char *value);

#endif
