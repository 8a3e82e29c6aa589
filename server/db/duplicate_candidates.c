#include "db/duplicate_candidates.h"

#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "core/digest.h"
#include "core/names.h"
#include "db/events.h"
#include "db/jobs.h"
#include "db/turns.h"
#include "queries/deletion_inside.h"
#include "queries/duplicate_candidates_inside.h"
#include "queries/identity_changes_inside.h"

#define PRIORITY_AGAIN 5 /* of a game queued again because its moves changed */

#define MANY_NEW 1000 /* games of one import */

#define LOOK_MS 100 /* between two checks whether another import is over */

/* ---- one import at a time ---------------------------------------------------------------------
 */

/* A process that may wait for ever, as the command that imports many files, looks from time to
 * time: those who queue for the lock have it first. */
static enum ipr_code await_lock(struct ipr_db *db, struct ipr_err *err)
{
    static const struct timespec pause = { 0, LOOK_MS * 1000000L };
    bool mine = false;
    enum ipr_code rc = ipr_db_import_lock(db, &mine, err);

    while (rc == IPR_OK && !mine) {
        nanosleep(&pause, NULL);
        rc = ipr_db_import_lock(db, &mine, err);
    }
    return rc;
}

static enum ipr_code queue_for_lock(struct ipr_db *db, int wait_s, struct ipr_err *err)
{
    struct ipr_err cause = IPR_ERR_INIT;
    enum ipr_code rc = ipr_db_import_lock_patience(db, 1000 * wait_s, err);

    if (rc != IPR_OK)
        return rc;
    rc = ipr_db_import_lock_wait(db, &cause);
    if (rc == IPR_ERETRY && cause.type[0] == '\0')
        return ipr_err_type(err, IPR_ERETRY, "import_running",
                            "Another import is running. Try again when it is over.");
    return rc == IPR_OK ? ipr_db_import_lock_patience(db, 0, err) : ipr_err_pass(err, &cause);
}

enum ipr_code ipr_db_import_begin(struct ipr_db *db, int wait_s, struct ipr_err *err)
{
    const enum ipr_code rc = wait_s > 0 ? queue_for_lock(db, wait_s, err) : await_lock(db, err);

    return rc == IPR_OK ? ipr_db_import_settings(db, err) : rc;
}

enum ipr_code ipr_db_import_end(struct ipr_db *db, int32_t imported, struct ipr_err *err)
{
    return imported < MANY_NEW ? IPR_OK : ipr_db_players_analyse(db, err);
}

/* ---- candidates -------------------------------------------------------------------------------
 */

#define KEY_PARTS 4

/* The part of a game that a query asks for; games with one key share one search. */
struct probe_key {
    int64_t part[KEY_PARTS];
    size_t game; /* its index */
};

/* One query and the games it is run for. */
struct probe {
    enum ipr_code (*ask)(struct ipr_db *db, const struct ipr_db_new_game *const *games,
                         size_t n_games, struct ipr_arena *mem, struct ipr_db_candidate **rows,
                         size_t *n, struct ipr_err *err);
    void (*key)(const struct ipr_db_new_game *g, int64_t part[KEY_PARTS]);
    struct probe_key *keys; /* room for all */
    size_t n;
    /* Each group has one key; `in` has the games in the order of the groups. */
    const struct ipr_db_new_game **first;
    size_t *begin, *in, n_groups;
    struct ipr_db_candidate *found;
    size_t n_found;
};

static void key_pair_other(const struct ipr_db_new_game *g, int64_t part[KEY_PARTS])
{
    part[0] = g->white_id.id;
    part[1] = g->black_id.id;
    part[2] = g->stem;
}

static void key_pair_same(const struct ipr_db_new_game *g, int64_t part[KEY_PARTS])
{
    key_pair_other(g, part);
    part[3] = g->moves_key;
}

static void key_persons_other(const struct ipr_db_new_game *g, int64_t part[KEY_PARTS])
{
    part[0] = g->white_id.person;
    part[1] = g->black_id.person;
    part[2] = g->stem;
}

static void key_persons_same(const struct ipr_db_new_game *g, int64_t part[KEY_PARTS])
{
    key_persons_other(g, part);
    part[3] = g->moves_key;
}

static void key_moves(const struct ipr_db_new_game *g, int64_t part[KEY_PARTS])
{
    part[0] = g->moves_key;
    part[1] = g->year;
}

static int key_compare(const void *a, const void *b)
{
    const struct probe_key *x = a, *y = b;

    for (int i = 0; i < KEY_PARTS; i++)
        if (x->part[i] != y->part[i])
            return x->part[i] < y->part[i] ? -1 : 1;
    return (x->game > y->game) - (x->game < y->game);
}

static void probe_group(struct probe *q, const struct ipr_db_new_game *games, struct ipr_arena *mem)
{
    qsort(q->keys, q->n, sizeof *q->keys, key_compare);
    q->first = ipr_arena_alloc(mem, q->n, sizeof(const struct ipr_db_new_game *));
    q->begin = ipr_arena_alloc(mem, q->n + 1, sizeof *q->begin);
    q->in = ipr_arena_alloc(mem, q->n, sizeof *q->in);
    for (size_t i = 0; i < q->n; i++) {
        q->in[i] = q->keys[i].game;
        if (i > 0 && memcmp(q->keys[i - 1].part, q->keys[i].part, sizeof q->keys[i - 1].part) == 0)
            continue;
        q->begin[q->n_groups] = i;
        q->first[q->n_groups++] = &games[q->in[i]];
    }
    q->begin[q->n_groups] = q->n;
}

/* Those with the same moves first. */
enum { PAIR_SAME, PERSONS_SAME, PAIR_OTHER, PERSONS_OTHER, MOVES, UNDATED, PROBES };

static void probe_add(struct probe q[PROBES], int kind, const struct ipr_db_new_game *g, size_t at)
{
    struct probe_key *key = &q[kind].keys[q[kind].n++];

    *key = (struct probe_key){ .game = at };
    q[kind].key(g, key->part);
}

/* Persons with several identities, or with games moved away: these come from decisions of editors,
 * so there are few.
 */
struct changed {
    int32_t *person; /* ascending */
    size_t n;
};

static bool is_changed(const struct changed *m, int32_t person)
{
    return m->n > 0 &&
           bsearch(&person, m->person, m->n, sizeof *m->person, ipr_compare_int32) != NULL;
}

static void add_probes(struct probe q[PROBES], const struct ipr_db_new_game *g, size_t at,
                       size_t spelled, const struct changed *changed,
                       const struct ipr_db_import_filter *own)
{
    const bool many =
        is_changed(changed, g->white_id.person) || is_changed(changed, g->black_id.person);

    /* So few moves without a day or an event prove nothing (ipr_duplicate_possible). */
    if (g->n_moves < spelled && g->year == 0 && g->event_id == IPR_EVENT_NONE)
        return;
    if (many || g->n_moves < IPR_STEM_PLIES || ipr_db_import_filter_may_have_pair(own, g)) {
        probe_add(q, many ? PERSONS_SAME : PAIR_SAME, g, at);
        probe_add(q, many ? PERSONS_OTHER : PAIR_OTHER, g, at);
    }
    /* Without moves it has no stem to look for. */
    if ((g->n_moves >= spelled || (g->moves == NULL && g->n_moves > 0)) &&
        ipr_db_import_filter_may_have_moves(own, g))
        probe_add(q, g->year != 0 ? MOVES : UNDATED, g, at);
}

/* All that was found. */
static void probe_gather(const struct probe q[PROBES], struct ipr_arena *mem,
                         struct ipr_db_candidate **out, size_t *n_out)
{
    size_t n = 0;

    for (int k = 0; k < PROBES; k++)
        n += q[k].n_found;
    *out = ipr_arena_alloc(mem, n, sizeof **out);
    *n_out = 0;
    for (int k = 0; k < PROBES; k++)
        for (size_t i = 0; i < q[k].n_found; i++) {
            struct ipr_db_candidate *c = &(*out)[(*n_out)++];

            *c = q[k].found[i];
            c->games = &q[k].in[q[k].begin[c->at]];
            c->n_games = q[k].begin[c->at + 1] - q[k].begin[c->at];
            c->by_moves = k == MOVES || k == UNDATED;
        }
}

enum ipr_code ipr_db_candidates(struct ipr_db *db, const struct ipr_db_import_filter *own,
                                const struct ipr_db_new_game *games, size_t n, size_t spelled,
                                struct ipr_arena *mem, struct ipr_db_candidate **out, size_t *n_out,
                                struct ipr_err *err)
{
    struct probe q[PROBES] = {
        [PAIR_SAME] = { .ask = ipr_db_candidates_pair_same, .key = key_pair_same },
        [PERSONS_SAME] = { .ask = ipr_db_candidates_persons_same, .key = key_persons_same },
        [PAIR_OTHER] = { .ask = ipr_db_candidates_pair_other, .key = key_pair_other },
        [PERSONS_OTHER] = { .ask = ipr_db_candidates_persons_other, .key = key_persons_other },
        [MOVES] = { .ask = ipr_db_candidates_moves, .key = key_moves },
        [UNDATED] = { .ask = ipr_db_candidates_moves_undated, .key = key_moves },
    };
    struct changed changed = { NULL, 0 };
    enum ipr_code rc = ipr_db_persons_changed(db, mem, &changed.person, &changed.n, err);

    for (int k = 0; k < PROBES; k++)
        q[k].keys = ipr_arena_alloc(mem, n, sizeof *q[k].keys);
    for (size_t i = 0; i < n; i++)
        add_probes(q, &games[i], i, spelled, &changed, own);
    if (rc == IPR_OK)
        rc = ipr_db_candidates_settings(db, err);
    for (int k = 0; k < PROBES && rc == IPR_OK; k++) {
        probe_group(&q[k], games, mem);
        rc = q[k].ask(db, q[k].first, q[k].n_groups, mem, &q[k].found, &q[k].n_found, err);
    }
    if (rc == IPR_OK)
        probe_gather(q, mem, out, n_out);
    return rc;
}

/* ---- whole rows -------------------------------------------------------------------------------
 */

/* Adds the present identity of a stored side, and the key of its tag. */
static void side_complete(struct ipr_identity *who, struct ipr_db_identity *id,
                          struct ipr_arena *mem)
{
    id->was = id->id;
    id->was_person = id->person;
    if (ipr_name_key(who->tagged_name, mem, &who->tagged, NULL) != IPR_OK)
        who->tagged = who->key;
}

enum ipr_code ipr_db_games_load(struct ipr_db *db, const int64_t *ids, size_t n,
                                struct ipr_arena *mem, struct ipr_db_new_game **out, size_t *n_out,
                                struct ipr_err *err)
{
    const enum ipr_code rc = ipr_db_games_stored(db, ids, n, mem, out, n_out, err);

    for (size_t i = 0; rc == IPR_OK && i < *n_out; i++) {
        side_complete(&(*out)[i].white, &(*out)[i].white_id, mem);
        side_complete(&(*out)[i].black, &(*out)[i].black_id, mem);
    }
    return rc;
}

/* ---- what is known of identities --------------------------------------------------------------
 */

static void set_known(const struct ipr_db_known_name *names, size_t n, struct ipr_db_identity *id)
{
    const struct ipr_db_known_name *k =
        n > 0 ? bsearch(&id->id, names, n, sizeof *names, ipr_compare_int32)
              : NULL; /* id comes first */

    if (k != NULL)
        id->known = k->key;
}

enum ipr_code ipr_db_known_names(struct ipr_db *db, struct ipr_db_new_game *games, size_t n,
                                 struct ipr_arena *mem, struct ipr_err *err)
{
    int32_t *ids = ipr_arena_alloc(mem, 2 * n, sizeof *ids);
    struct ipr_db_known_name *names = NULL;
    size_t n_ids = 0, found = 0;

    for (size_t i = 0; i < n; i++) {
        if (games[i].white.fide_id != 0)
            ids[n_ids++] = games[i].white_id.id;
        if (games[i].black.fide_id != 0)
            ids[n_ids++] = games[i].black_id.id;
    }
    const enum ipr_code rc = ipr_db_identities_known(db, ids, n_ids, mem, &names, &found, err);
    for (size_t i = 0; rc == IPR_OK && i < n; i++) {
        set_known(names, found, &games[i].white_id);
        set_known(names, found, &games[i].black_id);
    }
    return rc;
}

/* ---- domain -----------------------------------------------------------------------------------
 */

enum ipr_code ipr_db_domain_claim(struct ipr_db *db, const char *domain, struct ipr_arena *mem,
                                  const char **stored, struct ipr_err *err)
{
    const enum ipr_code rc = ipr_db_domain_set(db, domain, err);

    return rc == IPR_OK ? ipr_db_domain_get(db, mem, stored, err) : rc;
}

/* ---- changes ----------------------------------------------------------------------------------
 */

/* Splits and merges run at any time: a person that loses a side is locked, so that they run before
 * or after, not meanwhile. */
static enum ipr_code lock_losers(struct ipr_db *db, const struct ipr_db_new_game *g,
                                 struct ipr_err *err)
{
    const struct ipr_db_identity *side[] = { &g->white_id, &g->black_id };
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_db_root *locked = NULL;
    enum ipr_code rc = IPR_OK;
    int32_t persons[2];
    size_t n = 0;

    for (size_t i = 0; i < 2; i++)
        if (side[i]->id != side[i]->was && side[i]->was != IPR_PLAYER_NOBODY)
            persons[n++] = side[i]->was_person;
    if (n > 0)
        rc = ipr_db_person_lock(db, persons, n, &mem, &locked, &n, err);
    ipr_arena_release(&mem);
    return rc;
}

enum ipr_code ipr_db_game_change(struct ipr_db *db, int64_t upload_id,
                                 const struct ipr_db_new_game *game, bool new_moves,
                                 struct ipr_err *err)
{
    enum ipr_code rc = lock_losers(db, game, err);

    if (rc == IPR_OK && upload_id != 0)
        rc = ipr_db_game_before_keep(db, upload_id, game->id, err);
    if (rc == IPR_OK)
        rc = ipr_db_sides_count(db, game->id, -1, err);

    if (rc == IPR_OK)
        rc = ipr_db_game_update(db, game, err);
    if (rc == IPR_OK)
        rc = ipr_db_sides_count(db, game->id, 1, err);
    if (rc == IPR_OK && new_moves) {
        /* A running job would store judgements of the old moves: its lease ends here. */
        const int64_t id = game->id;
        struct ipr_arena mem = IPR_ARENA_INIT;
        struct ipr_db_unqueued *u = NULL;
        size_t n = 0;
        int32_t queued;

        rc = ipr_db_game_unqueue(db, id, &mem, &u, &n, err);
        if (rc == IPR_OK)
            rc = ipr_db_sides_forget(db, id, err);
        for (size_t i = 0; rc == IPR_OK && i < n; i++)
            rc = ipr_db_jobs_enqueue_sides(db, &id, &u[i].sides, 1, u[i].judge, PRIORITY_AGAIN,
                                           u[i].owner, &queued, err);
        ipr_arena_release(&mem);
    }
    return rc;
}
