#ifndef IPR_FETCH_SITE_H
#define IPR_FETCH_SITE_H

#include "core/progress.h"
#include "fetch/client.h"
#include "fetch/fetch.h"

/* What the sites share; inside server/fetch. */

#define IPR_FETCH_PGN "application/x-chess-pgn"

struct ipr_fetch {
    const struct ipr_fetch_request *request;
    const struct ipr_fetch_site *site;
    char name[32]; /* in small letters */
    const char *url;
    struct ipr_fetch_client *client;
    struct ipr_fetch_file *file;
    struct ipr_progress progress;
    double done, parts; /* of the answers; parts 0: unknown */
};

struct ipr_fetch_site {
    const char *prefix, *title, *url;
    int pause_s, pause_least_s; /* after a 429 without Retry-After, and with any */
    bool chooses;               /* takes perf and max */
    enum ipr_code (*games)(struct ipr_fetch *f, struct ipr_err *err);
};

extern const struct ipr_fetch_site ipr_fetch_lichess, ipr_fetch_chesscom;

/** A request; `address` writes the address for each try. */
struct ipr_fetch_question {
    const char *type;
    void (*address)(const struct ipr_fetch *f, const void *arg, struct ipr_buf *out);
    const void *arg;
    struct ipr_buf *text; /* takes the answer; NULL: it is PGN, for the file */
};

/** Asks until there is a whole answer, with the pauses that the site wants. */
IPR_CHECK enum ipr_code ipr_fetch_ask(struct ipr_fetch *f, const struct ipr_fetch_question *q,
                                      struct ipr_err *err);

#endif
