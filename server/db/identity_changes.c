#include "db/identity_changes.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "db/identities.h"
#include "db/side_turns.h"
#include "db/similar_pairs.h"
#include "queries/identity_changes_inside.h"
#include "queries/turns_inside.h"

/* One change in progress, the argument of its transaction. */
struct change {
    int64_t id; /* of its row */
    const char *kind, *by;
    int32_t player, other;
    bool sure; /* of a merge */
    const struct ipr_db_split *split;
    struct ipr_arena mem;
};

static enum ipr_code change_conflict(struct ipr_err *err, const char *type, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
static enum ipr_code change_conflict(struct ipr_err *err, const char *type, const char *fmt, ...)
{
    char text[IPR_ERR_TEXT];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    return ipr_err_type(err, IPR_ECONFLICT, type, "%s", text);
}

/* ---- the persons of a change ------------------------------------------------------------------
 */

/* Locks both; they must be two persons and named by their roots. */
static enum ipr_code lock_persons(struct ipr_db *db, struct change *c, struct ipr_err *err)
{
    struct ipr_db_root *roots = NULL;
    size_t n = 0;
    const enum ipr_code rc =
        ipr_db_person_lock(db, (int32_t[]){ c->player, c->other }, 2, &c->mem, &roots, &n, err);

    if (rc != IPR_OK)
        return rc;
    if (c->player == c->other && n == 1)
        return change_conflict(err, "same_player", "a player cannot be named twice");
    for (int i = 0; i < 2; i++) {
        const int32_t id = i == 0 ? c->player : c->other;
        size_t k = 0;

        while (k < n && roots[k].id != id)
            k++;
        if (k == n)
            return ipr_err_set(err, IPR_ENOTFOUND, "no player %d", (int)id);
        if (roots[k].merged_into == 0)
            continue;
        if (roots[k].merged_into == c->player || roots[k].merged_into == c->other)
            return change_conflict(err, "same_player", "player %d is merged into %d already",
                                   (int)id, (int)roots[k].merged_into);
        return change_conflict(err, "already_merged",
                               "player %d is merged into %d: name that one instead", (int)id,
                               (int)roots[k].merged_into);
    }
    return IPR_OK;
}

static enum ipr_code refuse_distinct(struct ipr_db *db, const struct change *c, struct ipr_err *err)
{
    bool found = false;
    int64_t id = 0;
    const enum ipr_code rc = ipr_db_distinct_between(db, c->player, c->other, &found, &id, err);

    if (rc != IPR_OK || !found)
        return rc;
    return change_conflict(
        err, "declared_distinct",
        "players %d and %d were declared two persons by change %lld: undo that first",
        (int)c->player, (int)c->other, (long long)id);
}

static enum ipr_code add_change(struct ipr_db *db, struct change *c, struct ipr_err *err)
{
    return ipr_db_change_add(db, c->kind, c->player, c->other, c->by, &c->id, err);
}

static enum ipr_code touch_persons(struct ipr_db *db, const struct change *c, struct ipr_err *err)
{
    return ipr_db_person_touch(db, (int32_t[]){ c->player, c->other }, 2, err);
}

/* ---- merge and distinct -----------------------------------------------------------------------
 */

static enum ipr_code refuse_unlikely(struct ipr_db *db, const struct change *c, struct ipr_err *err)
{
    struct ipr_db_evidence e;
    const enum ipr_code rc =
        c->sure ? IPR_OK : ipr_db_pair_evidence(db, c->player, c->other, &e, err);

    if (rc != IPR_OK || c->sure)
        return rc;
    if (e.two_fide_ids)
        return change_conflict(
            err, "two_fide_ids",
            "players %d and %d have a FIDE id each: say \"sure\": true to merge them",
            (int)c->player, (int)c->other);
    if (e.met)
        return change_conflict(
            err, "played_each_other",
            "players %d and %d have played each other: say \"sure\": true to merge them",
            (int)c->player, (int)c->other);
    return IPR_OK;
}

static enum ipr_code change_merge(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    struct change *c = arg;
    enum ipr_code rc = lock_persons(db, c, err);

    if (rc == IPR_OK)
        rc = refuse_distinct(db, c, err);
    if (rc == IPR_OK)
        rc = refuse_unlikely(db, c, err);
    if (rc == IPR_OK)
        rc = add_change(db, c, err);
    if (rc == IPR_OK)
        rc = ipr_db_merge_members(db, c->id, c->player, err);
    if (rc == IPR_OK)
        rc = ipr_db_merge_apply(db, c->player, c->other, err);
    if (rc == IPR_OK)
        rc = touch_persons(db, c, err);
    return rc;
}

static enum ipr_code change_distinct(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    struct change *c = arg;
    enum ipr_code rc = lock_persons(db, c, err);

    if (rc == IPR_OK)
        rc = refuse_distinct(db, c, err);
    if (rc == IPR_OK)
        rc = add_change(db, c, err);
    return rc;
}

static enum ipr_code change_run(struct ipr_db *db, ipr_db_tx_fn fn, struct change *c,
                                int64_t *change, struct ipr_err *err)
{
    const enum ipr_code rc = ipr_db_tx(db, fn, c, err);

    ipr_arena_release(&c->mem);
    if (rc == IPR_OK && change != NULL)
        *change = c->id;
    return rc;
}

enum ipr_code ipr_db_merge(struct ipr_db *db, int32_t who, int32_t into, bool sure, const char *by,
                           int64_t *change, struct ipr_err *err)
{
    struct change c = { .kind = "merge", .by = by, .player = who, .other = into, .sure = sure };

    return change_run(db, change_merge, &c, change, err);
}

enum ipr_code ipr_db_merge_in_tx(struct ipr_db *db, int32_t who, int32_t into, const char *by,
                                 int64_t *change, struct ipr_err *err)
{
    struct change c = { .kind = "merge", .by = by, .player = who, .other = into };
    const enum ipr_code rc = change_merge(db, &c, err);

    ipr_arena_release(&c.mem);
    *change = c.id;
    return rc;
}

struct merged_several {
    const int64_t *who;
    size_t n;
    const char *by;
    int64_t *change;
};

static enum ipr_code merge_several(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    const struct merged_several *const s = arg;
    enum ipr_code rc = IPR_OK;

    for (size_t i = 1; rc == IPR_OK && i < s->n; i++)
        rc = ipr_db_merge_in_tx(db, (int32_t)s->who[i], (int32_t)s->who[0], s->by, s->change, err);
    return rc;
}

enum ipr_code ipr_db_merge_several(struct ipr_db *db, const int64_t *who, size_t n, const char *by,
                                   int64_t *change, struct ipr_err *err)
{
    return ipr_db_tx(db, merge_several, &(struct merged_several){ who, n, by, change }, err);
}

enum ipr_code ipr_db_distinct(struct ipr_db *db, int32_t who, int32_t from, const char *by,
                              int64_t *change, struct ipr_err *err)
{
    struct change c = { .kind = "distinct", .by = by, .player = who, .other = from };

    return change_run(db, change_distinct, &c, change, err);
}

/* ---- split ------------------------------------------------------------------------------------
 */

static enum ipr_code add_both(struct ipr_db *db, const struct ipr_db_share *share,
                              struct ipr_err *err)
{
    const enum ipr_code rc = ipr_db_player_years_add(db, share, 1, err);

    return rc == IPR_OK ? ipr_db_player_totals_add(db, share, 1, err) : rc;
}

/* From where the sides came to the identity `to`; sign -1: back. */
static enum ipr_code move_aggregate(struct ipr_db *db, const struct ipr_db_moved_side *t, size_t n,
                                    int32_t to, int sign, struct ipr_err *err)
{
    const struct ipr_db_aggregate of = { t->player_id, t->judge_id, t->year, t->time_class };
    struct ipr_db_share gain = { .of = of, .sides = sign * (int)n };
    struct ipr_db_share loss = { .of = of, .sides = -sign * (int)n };

    for (size_t i = 0; i < n; i++) {
        struct ipr_contribution side = {
            .nodes = t[i].nodes,
            .strength_score = t[i].strength_score,
            .strength_information = t[i].strength_information,
            .strength_moves = t[i].strength_moves,
        };

        ipr_db_side_count(t[i].figures, &side);
        ipr_contribution_sum(&gain.sum, &side, sign);
        ipr_contribution_sum(&loss.sum, &side, -sign);
    }
    gain.of.player_id = to;
    const enum ipr_code rc = add_both(db, &loss, err);
    return rc == IPR_OK ? add_both(db, &gain, err) : rc;
}

static enum ipr_code move_aggregates(struct ipr_db *db, struct change *c, int sign,
                                     struct ipr_err *err)
{
    struct ipr_db_moved_side *t = NULL;
    size_t n = 0;
    enum ipr_code rc = ipr_db_split_judged(db, c->id, &c->mem, &t, &n, err);

    for (size_t i = 0, end; rc == IPR_OK && i < n; i = end) {
        for (end = i + 1;
             end < n && t[i].player_id == t[end].player_id && t[i].judge_id == t[end].judge_id &&
             t[i].year == t[end].year && t[i].time_class == t[end].time_class;
             end++)
            ;
        rc = move_aggregate(db, t + i, end - i, c->other, sign, err);
    }
    return rc;
}

/* Moves games and their aggregates and invalidates cached ratings; the sides are on record. sign
 * -1: back. */
static enum ipr_code move_sides(struct ipr_db *db, struct change *c, int sign, struct ipr_err *err)
{
    enum ipr_code rc = ipr_db_split_lock(db, c->id, err);

    if (rc == IPR_OK)
        rc = move_aggregates(db, c, sign, err);
    if (rc == IPR_OK)
        rc = ipr_db_split_apply(db, c->id, sign > 0 ? c->other : 0, err);
    return rc == IPR_OK ? touch_persons(db, c, err) : rc;
}

static enum ipr_code check_sides(struct ipr_db *db, const struct change *c, struct ipr_err *err)
{
    int64_t taken = 0, sides = 0, twice = 0;
    const enum ipr_code rc = ipr_db_split_check(db, c->id, c->player, &taken, &sides, &twice, err);

    if (rc != IPR_OK)
        return rc;
    if (twice != 0)
        return change_conflict(err, "both_sides",
                               "game %lld has player %d on both sides: say which colour is meant",
                               (long long)twice, (int)c->player);
    if (taken == 0)
        return ipr_err_type(err, IPR_EDATA, "no_such_games", "no game of player %d is like that",
                            (int)c->player);
    if (c->split->games != NULL && taken != (int64_t)c->split->n_games)
        return ipr_err_type(err, IPR_EDATA, "no_such_games",
                            "of the %zu games named, %lld are of player %d", c->split->n_games,
                            (long long)taken, (int)c->player);
    if (taken == sides)
        return change_conflict(err, "nothing_left", "these are all games of player %d",
                               (int)c->player);
    return IPR_OK;
}

static enum ipr_code change_split(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    struct change *c = arg;
    const struct ipr_identity who = { .name = c->split->name,
                                      .key = c->split->key,
                                      .tagged = c->split->key,
                                      .tagged_name = c->split->name };
    struct ipr_db_identity id;
    enum ipr_code rc = ipr_db_identities(db, &who, 1, &id, err);

    if (rc == IPR_OK)
        c->other = id.id;
    if (rc == IPR_OK)
        rc = lock_persons(db, c, err);
    if (rc == IPR_OK)
        rc = add_change(db, c, err);
    if (rc == IPR_OK)
        rc = ipr_db_split_sides(db, c->id, c->player, c->split, err);
    if (rc == IPR_OK)
        rc = check_sides(db, c, err);
    if (rc == IPR_OK)
        rc = move_sides(db, c, 1, err);
    return rc;
}

enum ipr_code ipr_db_split(struct ipr_db *db, int32_t who, const struct ipr_db_split *split,
                           const char *by, int64_t *change, struct ipr_err *err)
{
    struct change c = { .kind = "split", .by = by, .player = who, .split = split };

    return change_run(db, change_split, &c, change, err);
}

/* ---- undo -------------------------------------------------------------------------------------
 */

typedef enum ipr_code (*later_fn)(struct ipr_db *db, int64_t change, int32_t other, bool *found,
                                  int64_t *id, struct ipr_err *err);

static enum ipr_code refuse_later(struct ipr_db *db, const struct change *c, later_fn later,
                                  struct ipr_err *err)
{
    bool found = false;
    int64_t id = 0;
    const enum ipr_code rc = later(db, c->id, c->other, &found, &id, err);

    if (rc != IPR_OK || !found)
        return rc;
    return change_conflict(err, "later_change", "change %lld rests on change %lld: undo that first",
                           (long long)id, (long long)c->id);
}

static enum ipr_code undo_one(struct ipr_db *db, struct change *c, struct ipr_err *err)
{
    struct ipr_db_root *roots;
    bool undone = false;
    size_t n;
    enum ipr_code rc =
        ipr_db_change_get(db, c->id, &c->mem, &c->kind, &c->player, &c->other, &undone, err);

    if (rc == IPR_OK && undone)
        rc = change_conflict(err, "already_undone", "change %lld is undone already",
                             (long long)c->id);
    if (rc == IPR_OK)
        rc =
            ipr_db_person_lock(db, (int32_t[]){ c->player, c->other }, 2, &c->mem, &roots, &n, err);
    if (rc == IPR_OK && strcmp(c->kind, "merge") == 0) {
        rc = refuse_later(db, c, ipr_db_merge_later, err);
        if (rc == IPR_OK)
            rc = ipr_db_merge_undo(db, c->id, err);
        if (rc == IPR_OK)
            rc = touch_persons(db, c, err);
    } else if (rc == IPR_OK && strcmp(c->kind, "split") == 0) {
        rc = refuse_later(db, c, ipr_db_split_later, err);
        if (rc == IPR_OK)
            rc = move_sides(db, c, -1, err);
    }
    return rc == IPR_OK ? ipr_db_change_undo(db, c->id, c->by, err) : rc;
}

/* Undoes the changes that were decided together, starting with the last. */
static enum ipr_code change_undo(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    struct change *c = arg;
    int64_t *ids = NULL;
    size_t n = 0;
    enum ipr_code rc = ipr_db_batch_changes(db, c->id, &c->mem, &ids, &n, err);

    if (rc == IPR_OK && n == 0)
        rc = undo_one(db, c, err);
    for (size_t i = 0; rc == IPR_OK && i < n; i++) {
        c->id = ids[i];
        rc = undo_one(db, c, err);
    }
    return rc;
}

enum ipr_code ipr_db_identity_undo(struct ipr_db *db, int64_t change, const char *by,
                                   struct ipr_err *err)
{
    struct change c = { .id = change, .by = by };

    return change_run(db, change_undo, &c, NULL, err);
}

/* ---- the log ----------------------------------------------------------------------------------
 */

enum ipr_code ipr_db_identity_change_get(struct ipr_db *db, int64_t id, struct ipr_arena *mem,
                                         struct ipr_db_identity_change *out, struct ipr_err *err)
{
    struct ipr_db_identity_change *rows = NULL;
    size_t n = 0;

    /* The latest change before the next number, if it exists. */
    const enum ipr_code rc =
        id < INT64_MAX ? ipr_db_identity_changes(db, id + 1, 0, 1, mem, &rows, &n, err) : IPR_OK;
    if (rc != IPR_OK)
        return rc;
    if (n == 0 || rows[0].id != id)
        return ipr_err_set(err, IPR_ENOTFOUND, "no identity change %lld", (long long)id);
    *out = rows[0];
    return IPR_OK;
}
