#include "db/deletion.h"

#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "core/names.h"
#include "db/duplicate_candidates.h"
#include "db/turns.h"
#include "db/uploads.h"
#include "queries/deletion_inside.h"
#include "queries/duplicate_candidates_inside.h"
#include "queries/uploads_inside.h"

#define DELETED_CHUNK 2000  /* games deleted by one statement */
#define SETTLE_S      1     /* for a running import */
#define PART          20000 /* games deleted by one transaction: a second or two */
#define PART_S        60    /* for a running import, between two parts */

struct deletion {
    int64_t upload, game; /* one of them is 0 */
    int wait_s;
    const struct ipr_err *why; /* the upload stays on record as failed; NULL: it does not */
    bool begun, more;          /* there was a part before, there is another one */
    struct ipr_db_deletion counts;
    struct ipr_arena mem;
    /* These are of the deleted games: */
    struct tagged *tagged; /* players, and their names in the games */
    int32_t *events;
    size_t n_tagged, n_events;
};

struct tagged {
    int32_t id;
    const char *key;
};

/* ---- whom games named ---- */

static void tagged_add(struct deletion *d, int32_t id, const char *name)
{
    const char *key = NULL;

    if (id != 0)
        d->tagged[d->n_tagged++] =
            (struct tagged){ id, ipr_name_key(name, &d->mem, &key, NULL) == IPR_OK ? key : "" };
}

static int tagged_compare(const void *a, const void *b)
{
    const struct tagged *x = a, *y = b;

    return x->id != y->id ? (x->id > y->id) - (x->id < y->id) : strcmp(x->key, y->key);
}

static void deletion_note_games(struct deletion *d, const struct ipr_db_deleted_game *rows,
                                size_t n)
{
    d->tagged = ipr_xrealloc(d->tagged, d->n_tagged + 2 * n, sizeof *d->tagged);
    d->events = ipr_xrealloc(d->events, d->n_events + n, sizeof *d->events);
    for (size_t i = 0; i < n; i++) {
        tagged_add(d, rows[i].white_id, rows[i].white);
        tagged_add(d, rows[i].black_id, rows[i].black);
        d->events[d->n_events++] = rows[i].event_id;
    }
    /* A large upload has few players compared with its games. */
    d->n_tagged = ipr_sort_unique(d->tagged, d->n_tagged, sizeof *d->tagged, tagged_compare);
    d->n_events = ipr_sort_unique(d->events, d->n_events, sizeof *d->events, ipr_compare_int32);
}

/* ---- evaluations ---- */

static enum ipr_code forget_sides(struct ipr_db *db, struct deletion *d,
                                  const struct ipr_db_judged_sides *rows, size_t n,
                                  struct ipr_err *err)
{
    enum ipr_code rc = IPR_OK;

    for (size_t i = 0; rc == IPR_OK && i < n; i++) {
        rc = ipr_db_judgement_forget(db, rows[i].game_id, rows[i].judge_id, rows[i].sides, err);
        d->counts.evaluations += rows[i].sides == 3u ? 2 : 1;
    }
    return rc;
}

/* Lines are evaluations of moves, which leave with the upload; figures stay. */
static enum ipr_code delete_lines(struct ipr_db *db, struct deletion *d, int64_t game_id,
                                  struct ipr_err *err)
{
    struct ipr_db_judged_sides *rows = NULL;
    struct ipr_db_unqueued *jobs = NULL;
    size_t n = 0, n_jobs = 0;
    enum ipr_code rc = ipr_db_game_unqueue(db, game_id, &d->mem, &jobs, &n_jobs, err);

    if (rc == IPR_OK)
        rc = ipr_db_game_sides_with_lines(db, game_id, &d->mem, &rows, &n, err);
    return rc == IPR_OK ? forget_sides(db, d, rows, n, err) : rc;
}

/* ---- games that it added something to ---- */

static enum ipr_code restore_game(struct ipr_db *db, struct deletion *d,
                                  const struct ipr_db_improved_game *g, struct ipr_err *err)
{
    enum ipr_code rc = g->loses_moves ? delete_lines(db, d, g->game_id, err) : IPR_OK;

    if (rc == IPR_OK)
        rc = g->new_moves ? ipr_db_sides_forget(db, g->game_id, err)
                          : ipr_db_sides_count(db, g->game_id, -1, err);
    if (rc == IPR_OK)
        rc = ipr_db_game_restore(db, d->upload, g->game_id, err);
    return rc == IPR_OK && !g->new_moves ? ipr_db_sides_count(db, g->game_id, 1, err) : rc;
}

/* If a later upload changed a game further, its changes stay. */
static enum ipr_code restore_games(struct ipr_db *db, struct deletion *d, struct ipr_err *err)
{
    struct ipr_db_deleted_game *now = NULL;
    struct ipr_db_improved_game *rows = NULL;
    size_t n = 0;
    enum ipr_code rc = ipr_db_upload_improved_as(db, d->upload, &d->mem, &now, &n, err);

    if (rc == IPR_OK)
        deletion_note_games(d, now, n);
    if (rc == IPR_OK)
        rc = ipr_db_upload_improved(db, d->upload, &d->mem, &rows, &n, err);

    for (size_t i = 0; rc == IPR_OK && i < n; i++) {
        rc = rows[i].later != 0
                 ? ipr_db_game_before_pass_on(db, d->upload, rows[i].game_id, rows[i].later, err)
                 : restore_game(db, d, &rows[i], err);
        d->counts.restored += rows[i].later == 0;
    }
    return rc;
}

/* ---- games ---- */

static enum ipr_code delete_games(struct ipr_db *db, struct deletion *d, struct ipr_err *err)
{
    int64_t *ids = NULL;
    size_t n = 0;
    enum ipr_code rc = ipr_db_games_judged(db, d->upload, d->game, &d->mem, &ids, &n, err);

    for (size_t i = 0; rc == IPR_OK && i < n; i++)
        rc = ipr_db_sides_forget(db, ids[i], err);
    for (n = DELETED_CHUNK; rc == IPR_OK && n == DELETED_CHUNK && d->counts.games < PART;) {
        struct ipr_arena mem = IPR_ARENA_INIT;
        struct ipr_db_deleted_game *rows = NULL;

        rc = ipr_db_games_delete(db, d->upload, d->game, DELETED_CHUNK, &mem, &rows, &n, err);
        if (rc == IPR_OK)
            deletion_note_games(d, rows, n);
        d->counts.games += rc == IPR_OK ? (int64_t)n : 0;
        ipr_arena_release(&mem);
    }
    d->more = n == DELETED_CHUNK;
    return rc;
}

/* ---- players and events ---- */

static int32_t *player_ids(struct deletion *d, size_t *n)
{
    int32_t *ids = ipr_arena_alloc(&d->mem, d->n_tagged, sizeof *ids);

    *n = 0;
    for (size_t i = 0; i < d->n_tagged; i++)
        if (*n == 0 || ids[*n - 1] != d->tagged[i].id)
            ids[(*n)++] = d->tagged[i].id;
    return ids;
}

/* Names that occurred only in the deleted games. */
static enum ipr_code delete_spellings(struct ipr_db *db, struct deletion *d, const int32_t *ids,
                                      size_t n, struct ipr_err *err)
{
    struct ipr_db_tagged_name *rows = NULL;
    size_t n_rows = 0, n_gone = 0;
    const enum ipr_code rc = ipr_db_names_tagged(db, ids, n, &d->mem, &rows, &n_rows, err);

    if (rc != IPR_OK)
        return rc;
    struct tagged *still = ipr_arena_alloc(&d->mem, n_rows, sizeof *still);
    int32_t *of = ipr_arena_alloc(&d->mem, d->n_tagged, sizeof *of);
    const char **keys = ipr_arena_alloc(&d->mem, d->n_tagged, sizeof *keys);
    for (size_t i = 0; i < n_rows; i++) {
        const char *key = NULL;
        const bool ok = ipr_name_key(rows[i].name, &d->mem, &key, NULL) == IPR_OK;

        still[i] = (struct tagged){ rows[i].id, ok ? key : "" };
    }
    qsort(still, n_rows, sizeof *still, tagged_compare);
    for (size_t i = 0; i < d->n_tagged; i++)
        if (bsearch(&d->tagged[i], still, n_rows, sizeof *still, tagged_compare) == NULL) {
            of[n_gone] = d->tagged[i].id;
            keys[n_gone++] = d->tagged[i].key;
        }
    return ipr_db_spellings_delete(db, of, n_gone, keys, n_gone, err);
}

/* ---- all of it ---- */

static enum ipr_code delete_upload(struct ipr_db *db, struct deletion *d, struct ipr_err *err)
{
    int64_t id;
    enum ipr_code rc = ipr_db_upload_lock(db, d->upload, &id, err);

    if (rc == IPR_OK && d->why != NULL)
        rc = ipr_db_upload_resume(db, d->upload, err); /* it may be stored by now */
    if (rc == IPR_OK)
        rc = ipr_db_sides_hand_over(db, d->upload, err);
    if (rc == IPR_OK && !d->begun) {
        struct ipr_db_judged_sides *rows = NULL;
        size_t n = 0;

        rc = ipr_db_upload_unqueue(db, d->upload, err);
        if (rc == IPR_OK)
            rc = ipr_db_upload_judged(db, d->upload, &d->mem, &rows, &n, err);
        if (rc == IPR_OK)
            rc = forget_sides(db, d, rows, n, err);
        if (rc == IPR_OK)
            rc = restore_games(db, d, err);
    }
    /* Between two parts an import may have found games of this upload, which are its own then. */
    return rc == IPR_OK ? ipr_db_games_hand_over(db, d->upload, &d->counts.kept, err) : rc;
}

static void deletion_reset(struct deletion *d)
{
    free(d->tagged);
    free(d->events);
    ipr_arena_release(&d->mem);
    *d = (struct deletion){
        .upload = d->upload, .game = d->game, .wait_s = d->wait_s, .why = d->why, .begun = d->begun
    };
}

/* May run several times. */
static enum ipr_code deletion_transaction(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    struct deletion *d = arg;

    deletion_reset(d);
    enum ipr_code rc = ipr_db_import_begin(db, d->wait_s, err);
    if (rc == IPR_OK && d->upload != 0)
        rc = delete_upload(db, d, err);
    if (rc == IPR_OK)
        rc = delete_games(db, d, err);
    if (rc == IPR_OK && d->game != 0 && d->counts.games == 0)
        rc = ipr_err_set(err, IPR_ENOTFOUND, "no such game");
    if (rc == IPR_OK && d->more)
        rc = ipr_db_upload_deleting(db, d->upload, err);
    else if (rc == IPR_OK && d->upload != 0)
        rc = d->why == NULL ? ipr_db_upload_remove(db, d->upload, err)
                            : ipr_db_upload_fail(db, d->upload, d->why->type, d->why->msg, err);
    if (rc == IPR_OK) {
        size_t n = 0;
        const int32_t *ids = player_ids(d, &n);

        rc = ipr_db_events_delete(db, d->events, d->n_events, &d->counts.events, err);
        if (rc == IPR_OK)
            rc = ipr_db_players_delete(db, ids, n, &d->counts.players, err);
        if (rc == IPR_OK)
            rc = delete_spellings(db, d, ids, n, err);
    }
    return rc == IPR_OK ? ipr_db_deletion_note(db, err) : rc;
}

static enum ipr_code deletion_run(struct ipr_db *db, struct deletion *d,
                                  struct ipr_db_deletion *out, struct ipr_err *err)
{
    struct ipr_db_deletion sum = { 0 };
    enum ipr_code rc;

    do {
        rc = ipr_db_tx(db, deletion_transaction, d, err);
        sum.games += d->counts.games;
        sum.evaluations += d->counts.evaluations;
        sum.kept += d->counts.kept;
        sum.restored += d->counts.restored;
        sum.players += d->counts.players;
        sum.events += d->counts.events;
        d->begun = true;
        d->wait_s = PART_S;
    } while (rc == IPR_OK && d->more);
    if (rc == IPR_OK)
        *out = sum;
    deletion_reset(d);
    return rc;
}

enum ipr_code ipr_db_upload_delete(struct ipr_db *db, int64_t upload_id, int wait_s,
                                   struct ipr_db_deletion *out, struct ipr_err *err)
{
    struct deletion d = { .upload = upload_id, .wait_s = wait_s };

    return deletion_run(db, &d, out, err);
}

/* ---- uploads that were not finished ---- */

enum ipr_code ipr_db_upload_undo(struct ipr_db *db, int64_t upload_id, int wait_s,
                                 const struct ipr_err *why, struct ipr_err *err)
{
    struct deletion d = { .upload = upload_id, .wait_s = wait_s, .why = why };
    struct ipr_db_deletion gone;
    struct ipr_err cause = IPR_ERR_INIT;
    const enum ipr_code rc = deletion_run(db, &d, &gone, &cause);

    if (rc == IPR_ECONFLICT && strcmp(cause.type, "upload_cancelled") == 0)
        return IPR_OK;
    return ipr_err_pass(err, &cause);
}

enum ipr_code ipr_db_uploads_settle(struct ipr_db *db, bool *settled, struct ipr_err *err)
{
    struct ipr_err why = IPR_ERR_INIT, cause = IPR_ERR_INIT;
    struct ipr_db_deletion gone;
    bool cancelled = false;
    int64_t id = 0;
    enum ipr_code rc = ipr_db_upload_abandoned(db, &id, &cancelled, err);

    *settled = false;
    if (rc != IPR_OK || id == 0)
        return rc;
    rc = ipr_db_enter(db, ipr_db_space_of(id), err);
    if (rc != IPR_OK)
        return rc;
    (void)ipr_err_type(&why, IPR_ERETRY, "upload_interrupted",
                       "The service ended while this upload was imported.");
    rc = cancelled ? ipr_db_upload_delete(db, id, SETTLE_S, &gone, &cause)
                   : ipr_db_upload_undo(db, id, SETTLE_S, &why, &cause);
    *settled = rc == IPR_OK;
    /* Another process did it, or the next look will. */
    if (rc == IPR_ENOTFOUND || (rc == IPR_ERETRY && strcmp(cause.type, "import_running") == 0))
        return IPR_OK;
    return ipr_err_pass(err, &cause);
}

enum ipr_code ipr_db_game_delete(struct ipr_db *db, int64_t game_id, int wait_s,
                                 struct ipr_db_deletion *out, struct ipr_err *err)
{
    struct deletion d = { .game = game_id, .wait_s = wait_s };

    return deletion_run(db, &d, out, err);
}
