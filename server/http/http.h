#ifndef IPR_HTTP_HTTP_H
#define IPR_HTTP_HTTP_H

#include "base/error.h"
#include "core/config.h"
#include "core/spelling.h"
#include "db/db.h"
#include "db/replica.h"
#include "tmpl/mustache.h"

/** All borrowed until ipr_http_stop. */
struct ipr_http_options {
    const struct ipr_config *config;
    struct ipr_db_pool *pool;
    struct ipr_db_replica *replica;      /* of the same database, for reads; NULL: none */
    const struct ipr_spelling *spelling; /* for uploads; NULL: none */
    /* Linked; pages by the names in routes.c. References to static files are replaced by hashed
     * names at start (http/files.h), before any page is rendered. */
    struct ipr_tmpl_set *templates;
    const char *
        static_dir; /* with css/, js/, plots/, vendor/, img/, samples/; read at start. NULL: none */
    const char *listen;  /* host:port, [v6]:port or :port; NULL: config->listen */
    int import_wait_s;   /* an upload's wait for another process's import; 0: 30 */
    int head_s, grace_s; /* deadlines of the edge (edge/edge.h); 0: the usual ones */
};

struct ipr_http;

/**
 * Listens and answers on threads of its own. IPR_EPARSE: not an address; IPR_EIO with one clear
 * line: "cannot listen on 127.0.0.1:8080: address already in use", or a static file that cannot
 * be read; IPR_EDB: the listener for progress cannot connect.
 */
IPR_CHECK enum ipr_code ipr_http_start(const struct ipr_http_options *options,
                                       struct ipr_http **out, struct ipr_err *err);

/** The port that is listened on: the one to use after asking for port 0. */
int ipr_http_port(const struct ipr_http *http);

/** Refuses new connections, ends event streams, answers 503 to uploads that wait for their import,
 * lets running requests and the running import finish, stops the report that is being computed,
 * frees. Accepts NULL inside. */
void ipr_http_stop(struct ipr_http **http);

#endif
