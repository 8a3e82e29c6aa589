#ifndef IPR_VIEW_SETTING_H
#define IPR_VIEW_SETTING_H

#include "base/error.h"
#include "core/pools.h"
#include "core/setting.h"
#include "uci/judge.h"

/*
 * The rule for what an answer rests on: the engine setting whose evaluations it uses, the
 * calibration that belongs to them, the pool of players that its ratings are compared with, and the
 * classes of time control that count. Every view, list, report, page and link, the queue and
 * `intrinsic rate` ask here, or in core/setting.h what needs no database. The pool of classes is
 * that of core/pools.h.
 *
 * An engine setting that is requested is used, and so is a calibration. Otherwise the purpose of
 * the answer names one or several settings; of several the one that has analysed something of the
 * scope, or most of it, is used.
 */

struct ipr_db;
struct ipr_view;
struct ipr_view_context;

/** Settings that a rule can try, at most. */
#define IPR_SETTING_CANDIDATES 3

/** How much of the scope a setting has analysed. `i`: its place in the rule, below
 * IPR_SETTING_CANDIDATES. */
typedef enum ipr_code ipr_setting_count_fn(void *of, size_t i, const struct ipr_view_context *c,
                                           int64_t *n, struct ipr_err *err);

struct ipr_setting_scope {
    const char *judge;           /* the requested setting, by name or id: no other; NULL: none */
    ipr_setting_count_fn *count; /* NULL: moves of all stored games */
    void *of;                    /* for `count` */
};

/** Opens the context of an answer, to be closed by ipr_view_context_close. A requested setting or
 * calibration that is not known is IPR_EPARSE. `scope` may be NULL. */
IPR_CHECK enum ipr_code ipr_setting_for(const struct ipr_view *v, enum ipr_purpose purpose,
                                        const struct ipr_setting_scope *scope,
                                        struct ipr_view_context *out, struct ipr_err *err);

/** The context of ratings that need no setting, since stored sums have theirs: the pool and the
 * classes of the request. */
struct ipr_view_context ipr_setting_games(const struct ipr_view *v);

/** The pool of sums of games of these classes; where there are none, the context's. */
const struct ipr_pool *ipr_setting_pool(const struct ipr_view_context *c, unsigned classes);

/** Games of a player, perhaps of one year or event, of an event, or of an upload; 0: not given. */
struct ipr_times_scope {
    int64_t player, year, event, upload;
};

/** The classes that count in an answer about such games unless requested: those of the pool with
 * most, of a player's over the board the standard ones if any, as in lists. 0: the default ones. */
IPR_CHECK enum ipr_code ipr_setting_times(struct ipr_db *db, const struct ipr_times_scope *scope,
                                          struct ipr_arena *mem, unsigned *times,
                                          struct ipr_err *err);

/** True if a setting has the lines that most methods need: more than two. */
bool ipr_setting_is_wide(const struct ipr_judge *judge);

/** Definition of the context's setting if it is wide, else of the default one for IPR_FOR_LINES. */
IPR_CHECK enum ipr_code ipr_setting_wide(const struct ipr_view_context *c, struct ipr_judge *out,
                                         struct ipr_err *err);

#endif
