#ifndef IPR_HTTP_REPLY_H
#define IPR_HTTP_REPLY_H

#include "http/base/content_coding.h"
#include "http/base/problems.h"
#include "http/base/request.h"

/* Sends every answer: headers, ETag, content coding, problem documents. */

#define IPR_DIGEST_TEXT 33

/** A body that outlives the request, with its ETag and codings computed beforehand. */
struct ipr_stored {
    const char *type; /* Content-Type */
    char digest[IPR_DIGEST_TEXT];
    struct ipr_str body[IPR_CODINGS]; /* without zstd and gzip if they do not pay */
};

/** Hexadecimal digest of a body: its ETag, without quotes and suffix. */
void ipr_reply_digest(struct ipr_str body, char out[IPR_DIGEST_TEXT]);

/** The coding of the request's answer. `pays` false: none, unless the client refuses that. */
enum ipr_coding ipr_reply_coding(const struct ipr_req *req, bool pays);

/** Answers a read in a coding that the body has, by 304 if the client has it. `done` (NULL: it
 * lives as long as the service) is called once it is sent, or is not. */
enum MHD_Result ipr_reply_stored(struct ipr_req *req, const struct ipr_stored *stored,
                                 enum ipr_coding coding, const char *cache_control,
                                 void (*done)(void *), void *arg);
#define IPR_NO_CACHE "no-cache"

/** True if the client has the answer of this digest; it is then answered with 304. */
bool ipr_reply_known(struct ipr_req *req, const char *digest, enum MHD_Result *out);

/** Takes `body`, leaving it empty; ETag and 304 when this is a read and the status 200. */
enum MHD_Result ipr_reply_buf(struct ipr_req *req, unsigned status, const char *content_type,
                              struct ipr_buf *body);

/** As JSON. Takes `value`; NULL gives 500. */
enum MHD_Result ipr_reply_json(struct ipr_req *req, unsigned status, json_t *value);

/** Answers a write: a program by `value` (taken), with Location unless `api` is NULL; the form of a
 * browser goes to the page that its field `back` names, else to `page`. */
enum MHD_Result ipr_reply_written(struct ipr_req *req, unsigned status, const char *api,
                                  const char *page, json_t *value);

/** Renders a page, appended to `out`. Takes `resource`. */
IPR_CHECK enum ipr_code ipr_reply_render(struct ipr_req *req, const char *page, json_t *resource,
                                         struct ipr_buf *out, struct ipr_err *err);
#define IPR_JSON_TYPE    "application/json"
#define IPR_HTML_TYPE    "text/html; charset=utf-8"
#define IPR_PROBLEM_TYPE "application/problem+json"

/** Rendered by a template. Takes `resource`. */
enum MHD_Result ipr_reply_page(struct ipr_req *req, const char *page, json_t *resource);

/** 406: the client refuses every content coding. */
enum MHD_Result ipr_reply_unacceptable(struct ipr_req *req);

/** An empty answer (204, 303). */
enum MHD_Result ipr_reply_empty(struct ipr_req *req, unsigned status);

/** Queues an existing response of MHD, adding the common headers; used for streams. On a thread of
 * the compute pool it is kept for ipr_reply_send. */
enum MHD_Result ipr_reply_queue(struct ipr_req *req, unsigned status, struct MHD_Response *r);

/** The same of a stream of server-sent events. */
enum MHD_Result ipr_reply_events(struct ipr_req *req, struct MHD_Response *r);

/** Queues the response that was kept; MHD_NO, which closes the connection, when there is none. */
enum MHD_Result ipr_reply_send(struct ipr_req *req);
/** Releases a kept response that was not sent. */
void ipr_reply_drop(struct ipr_req *req);

/** problem+json, or the page "error" for a browser. */
enum MHD_Result ipr_reply_problem(struct ipr_req *req, struct ipr_problem p);

/** Appends the document of a problem, for a stream that has begun. */
void ipr_reply_problem_text(const char *request_id, const struct ipr_problem *p,
                            struct ipr_buf *out);

/** Logs and answers. */
enum MHD_Result ipr_reply_error(struct ipr_req *req, const struct ipr_err *err);

#endif
