#ifndef IPR_VIEW_RATE_H
#define IPR_VIEW_RATE_H

#include <jansson.h>

#include "db/turns.h"
#include "view/context.h"
#include "view/estimate.h"

/* The ratings of a set of a person's games, one file each: rate_NAME.c. */

/** What they are computed from. */
struct ipr_material {
    const struct ipr_view_context *context;
    const struct ipr_db_scope *scope;
    const struct ipr_db_player_turns *t; /* of the context's judge */
    size_t *keep;                        /* room for t->n: for windows */
    unsigned include;                    /* what was asked for beside the usual */
};

/** One rating, or why it is refused (view/estimate.h): where fewer than IPR_VIEW_MIN_TURNS turns
 * count, none is given. Only failures of our own are errors. New reference in *out, untouched on
 * error. What its object holds is told where it is defined. */
typedef enum ipr_code ipr_rate_fn(const struct ipr_material *m, json_t **out, struct ipr_err *err);

ipr_rate_fn ipr_rate_ipr IPR_CHECK, ipr_rate_conformance IPR_CHECK, ipr_rate_elo IPR_CHECK;
ipr_rate_fn ipr_rate_bayes IPR_CHECK, ipr_rate_concordance IPR_CHECK;

/** Only when asked for. */
ipr_rate_fn ipr_rate_depth IPR_CHECK;

/** The refusal of a rating for which too few turns count. */
json_t *ipr_rate_too_few(const struct ipr_provenance *from);

/** What is computed only when asked for, as it takes long. */
enum {
    IPR_RATE_FITS = 1,      /* "fits": of the IPR by every way of fitting */
    IPR_RATE_BOOTSTRAP = 2, /* "game_bootstrap": of the IPR's error */
    IPR_RATE_SIDES = 4,     /* "sides": each game by the reference agent */
    IPR_RATE_DEPTH = 8      /* "depth_weighted": a rating of its own */
};

/** "fits,depth_weighted" as a set; NULL is 0. IPR_EPARSE for a name that is none of these. */
IPR_CHECK enum ipr_code ipr_rate_include_read(const char *text, unsigned *out, struct ipr_err *err);

/** All of them: {"turns", "games", "ipr", "bayes", "concordance", "conformance", "elo"} and what
 * the set `include` asks for. */
IPR_CHECK enum ipr_code ipr_rate(const struct ipr_view_context *c, const struct ipr_db_scope *scope,
                                 unsigned include, json_t **out, struct ipr_err *err);

#endif
