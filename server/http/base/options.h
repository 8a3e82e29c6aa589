#ifndef IPR_HTTP_OPTIONS_H
#define IPR_HTTP_OPTIONS_H

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
     * names at start (http/answer/files.h), before any page is rendered. */
    struct ipr_tmpl_set *templates;
    const char *
        static_dir; /* with css/, js/, plots/, vendor/, img/, samples/; read at start. NULL: none */
    const char *listen;  /* host:port, [v6]:port or :port; NULL: config->listen */
    int import_wait_s;   /* an upload's wait for another process's import; 0: 30 */
    int head_s, grace_s; /* deadlines of the edge (edge/edge.h); 0: the usual ones */
};

#endif
