#ifndef IPR_VIEW_RATING_RATE_H
#define IPR_VIEW_RATING_RATE_H

#include <jansson.h>

#include "db/turns.h"
#include "model/complexity.h"
#include "stats/clustered.h"
#include "view/context.h"
#include "view/figure/estimate.h"

/* The ratings of a set of a person's games, one file each: rate_NAME.c. */

/** What they are computed from. */
struct ipr_material {
    const struct ipr_view_context *context;
    const struct ipr_db_scope *scope;
    const struct ipr_db_player_turns *t; /* of the context's judge */
    size_t *keep;                        /* room for t->n: for windows */
    unsigned include;                    /* what was asked for beside the usual */
};

/** One rating, or why it is refused (view/figure/estimate.h): where fewer than IPR_VIEW_MIN_TURNS
 * turns count, none is given. Only failures of our own are errors. New reference in *out, untouched
 * on error. What its object holds is told where it is defined. */
typedef enum ipr_code ipr_rate_fn(const struct ipr_material *m, json_t **out, struct ipr_err *err);

ipr_rate_fn ipr_rate_ipr IPR_CHECK, ipr_rate_conformance IPR_CHECK, ipr_rate_elo IPR_CHECK;
ipr_rate_fn ipr_rate_bayes IPR_CHECK, ipr_rate_concordance IPR_CHECK, ipr_rate_complexity IPR_CHECK;

/** Only when asked for. */
ipr_rate_fn ipr_rate_depth IPR_CHECK, ipr_rate_gain IPR_CHECK;

/* Of ipr_rate_beside: the material is without turns. */
ipr_rate_fn ipr_rate_accumulated IPR_CHECK, ipr_rate_endgame IPR_CHECK;

/** The refusal of a rating for which too few turns count: of the material's turns, as many as
 * from->counts says. */
json_t *ipr_rate_too_few(const struct ipr_material *m, const struct ipr_provenance *from);

/** Of how many games the turns keep[n] are, which ascend by game. */
size_t ipr_rate_games(const struct ipr_turn *turns, const size_t *keep, size_t n);

/** What is computed only when asked for, as it takes long. */
enum {
    IPR_RATE_FITS = 1,      /* "fits": of the IPR by every way of fitting */
    IPR_RATE_BOOTSTRAP = 2, /* "game_bootstrap": of the IPR's error */
    IPR_RATE_SIDES = 4,     /* "sides": each game by the reference agent */
    IPR_RATE_DEPTH = 8,     /* "depth_weighted": a rating of its own */
    IPR_RATE_GAIN = 16      /* "gain": the distribution of the losses */
};

/** "fits,depth_weighted" as a set; NULL is 0. IPR_EPARSE for a name that is none of these. */
IPR_CHECK enum ipr_code ipr_rate_include_read(const char *text, unsigned *out, struct ipr_err *err);

/** A share as ratings have it: {"share", "standard_error" or null, "interval" (the wider of the
 * two), "interval_clustered" (by game) or null, "interval_wilson"}. */
json_t *ipr_rate_share_json(const struct ipr_share *s);

/** Complexity and raw losses of the n turns in m->keep; to be freed. Depth against time is among
 * these turns' searches. */
struct ipr_complexity_turn *ipr_rate_indicators(const struct ipr_material *m, size_t n);
/** Why a correlation is not given, too few turns among it; NULL where it is. */
const char *ipr_rate_complexity_reason(enum ipr_complexity_kind kind,
                                       const struct ipr_complexity_rho *r,
                                       const struct ipr_judge *judge);

/** All that rest on the judged turns and the results of the scope alone, so that they may be kept
 * as long as these stay the same: {"turns", "games", "ipr", "bayes", "concordance", "conformance",
 * "complexity", "elo"}, and what the set `include` asks for. */
IPR_CHECK enum ipr_code ipr_rate(const struct ipr_view_context *c, const struct ipr_db_scope *scope,
                                 unsigned include, json_t **out, struct ipr_err *err);

/** The same of material made elsewhere, and of the usual ratings those alone that `names` lists
 * (ended by NULL), or all when it is NULL. */
IPR_CHECK enum ipr_code ipr_rate_material(const struct ipr_material *m, const char *const *names,
                                          json_t **out, struct ipr_err *err);

/** Adds to them what rests on more, so that it is computed for every answer: "accumulated" to
 * "conformance" (of a calendar year; other years count) and "endgame" (true whatever the judge, so
 * that it may come from another's work). */
IPR_CHECK enum ipr_code ipr_rate_beside(const struct ipr_view_context *c,
                                        const struct ipr_db_scope *scope, json_t *all,
                                        struct ipr_err *err);

#endif
