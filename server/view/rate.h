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
};

/** One rating, or why it is refused (view/estimate.h): where fewer than IPR_VIEW_MIN_TURNS turns
 * count, none is given. Only failures of our own are errors. New reference in *out, untouched on
 * error. What its object holds is told where it is defined. */
typedef enum ipr_code ipr_rate_fn(const struct ipr_material *m, json_t **out, struct ipr_err *err);

ipr_rate_fn ipr_rate_ipr IPR_CHECK, ipr_rate_conformance IPR_CHECK, ipr_rate_elo IPR_CHECK;

/** The refusal of a rating for which too few turns count. */
json_t *ipr_rate_too_few(const struct ipr_provenance *from);

/** All of them: {"turns", "games", "ipr", "conformance", "elo"}. */
IPR_CHECK enum ipr_code ipr_rate(const struct ipr_view_context *c, const struct ipr_db_scope *scope,
                                 json_t **out, struct ipr_err *err);

/** The same of material made elsewhere; of the ratings those that `names` lists (ended by NULL), or
 * all when it is NULL. */
IPR_CHECK enum ipr_code ipr_rate_material(const struct ipr_material *m, const char *const *names,
                                          json_t **out, struct ipr_err *err);

#endif
