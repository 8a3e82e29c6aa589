#include "ingest/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "core/setting.h"
#include "db/confirmations.h"
#include "db/duplicate_candidates.h"
#include "db/jobs.h"
#include "db/judges.h"
#include "db/strength.h"
#include "db/turns.h"
#include "ingest/staged.h"

#define ERRORS_MAX 1000 /* located errors stored per upload; all are counted */
#define CANDIDATES_MAX                                                                             \
    8 /* stored games of the same players that one is compared with, move by                       \
         move; and as many with the same moves */

#define SET_ASIDE "fide_id_set_aside"

/* The outcome of a row. */
struct outcome {
    enum ipr_duplicate kind; /* _NONE: it is new */
    struct ipr_staged *kept; /* what it is a duplicate of; NULL when new */
    bool improved;
    unsigned conflicts;
    bool refused;
    int32_t judge_id; /* of the judgements in the row; 0: none */
};

/* One batch being stored. */
struct store_work {
    struct ipr_store *s;
    struct ipr_batch *b;
    struct ipr_staged_set *set;
    bool distinct_loaded; /* `distinct` and `known` of the rows are filled */
    struct ipr_db_distinct_pairs distinct;
    struct outcome out[IPR_BATCH_ROWS];
};

/* ---- rejected games ----------------------------------------------------------------------------
 */

static enum ipr_code store_errors(struct store_work *w, struct ipr_err *err)
{
    struct ipr_store *s = w->s;
    enum ipr_code rc = IPR_OK;

    for (size_t i = 0; rc == IPR_OK && i < w->b->n_refused && s->errors < ERRORS_MAX; i++) {
        s->errors++;
        rc = ipr_db_upload_error_add(s->db, s->upload_id, &w->b->refused[i], err);
    }
    for (size_t i = 0; i < w->b->n_refused;
         i++) /* the others are files, or of games that are kept */
        s->counts.rejected +=
            w->b->refused[i].game > 0 && strcmp(w->b->refused[i].type, SET_ASIDE) != 0;
    w->b->n_refused = 0;
    return rc;
}

/* ---- judges -----------------------------------------------------------------------------------
 */

/* A judge given by name alone is the stored judge of that name. */
static enum ipr_code known_judge(struct ipr_db *db, const struct ipr_judge *judge, int32_t *id,
                                 struct ipr_err *err)
{
    struct ipr_judge known;
    struct ipr_err cause = IPR_ERR_INIT;
    enum ipr_code rc = ipr_db_judge_by_name(db, judge->name, id, &known, &cause);

    if (rc == IPR_OK && known.multipv == judge->multipv && known.depth == judge->depth &&
        known.first_move == judge->first_move)
        return IPR_OK;
    if (rc == IPR_OK || rc == IPR_ENOTFOUND)
        return ipr_err_type(err, IPR_EPARSE, "unknown_judge",
                            "No game has been judged by \"%s\" yet, so its name alone does not "
                            "define an engine.",
                            judge->name);
    if (err != NULL)
        *err = cause;
    return rc;
}

static enum ipr_code store_find_judge(struct ipr_store *s, const struct ipr_judge *judge,
                                      int32_t *id, struct ipr_err *err)
{
    enum ipr_code rc = IPR_OK;

    if (s->judge_id == 0 || !ipr_judge_same(&s->judge, judge) ||
        strcmp(s->judge.name, judge->name) != 0) {
        if (judge->engine[0] == '\0')
            rc = known_judge(s->db, judge, &s->judge_id, err);
        else
            rc = ipr_db_judge_ensure(s->db, judge, &s->judge_id, err);
        s->judge = *judge;
    }
    if (rc == IPR_OK)
        *id = s->judge_id;
    else
        s->judge_id = 0;
    return rc;
}

/* Games of two games, like chess and Go, are never in one database: players, engine settings and
 * all figures would be mixed. */
static enum ipr_code store_check_domain(struct ipr_store *s, const struct ipr_interchange_game *g,
                                        struct ipr_arena *mem, struct ipr_err *err)
{
    const char *const domain = g != NULL && g->domain != NULL ? g->domain : IPR_DOMAIN_CHESS;
    enum ipr_code rc = IPR_OK;

    if (s->domain[0] == '\0') {
        const char *stored = NULL;

        rc = ipr_db_domain_claim(s->db, domain, mem, &stored, err);
        if (rc == IPR_OK)
            snprintf(s->domain, sizeof s->domain, "%s", stored);
    }
    if (rc != IPR_OK || strcmp(s->domain, domain) == 0)
        return rc;
    return ipr_err_type(err, IPR_EPARSE, "other_domain",
                        "The stored games are of %s, this one is of %s: import it into a database "
                        "of its own.",
                        s->domain, domain);
}

/* A game with an unknown judge is rejected, like one that cannot be read. */
static enum ipr_code find_judges(struct store_work *w, struct ipr_err *err)
{
    for (size_t i = 0; i < w->b->n; i++) {
        const struct ipr_interchange_game *g = w->b->judged[i];
        struct ipr_err cause = IPR_ERR_INIT;

        enum ipr_code rc = store_check_domain(w->s, g, &w->b->mem, &cause);
        if (rc == IPR_OK && g != NULL)
            rc = store_find_judge(w->s, &g->judge, &w->out[i].judge_id, &cause);
        if (rc == IPR_EPARSE) {
            cause.line = w->b->lines[i];
            w->out[i].refused = true;
            ipr_batch_refuse(w->b, g != NULL ? g->tags : NULL, g != NULL ? g->n_tags : 0,
                             w->b->rows[i].ordinal, "", &cause);
        } else if (rc != IPR_OK) {
            *err = cause;
            return rc;
        }
    }
    return IPR_OK;
}

/* ---- players and events -----------------------------------------------------------------------
 */

/* Takes ids away that are set aside, and reports each game once. */
static enum ipr_code report_set_aside(struct store_work *w, struct ipr_err *err)
{
    enum ipr_code rc = IPR_OK;

    static const char *const ids[] = { "", "WhiteFideId", "BlackFideId", "both FIDE ids" };

    for (size_t i = 0; rc == IPR_OK && i < w->b->n; i++) {
        struct ipr_db_new_game *g = &w->b->rows[i];
        const bool white = g->white.set_aside || g->white_id.set_aside;
        const bool black = g->black.set_aside || g->black_id.set_aside;
        struct ipr_err why = IPR_ERR_INIT;

        if (w->out[i].refused || (!white && !black))
            continue;
        (void)ipr_err_at(&why, IPR_EPARSE, SET_ASIDE, w->b->lines[i], 0, -1,
                         "The game is kept without %s, which another name has.",
                         ids[white + 2 * black]);
        if (white)
            g->white.fide_id = 0;
        if (black)
            g->black.fide_id = 0;
        ipr_batch_refuse(w->b, NULL, 0, g->ordinal, "", &why);
        w->b->refused[w->b->n_refused - 1].white = g->white.tagged_name;
        w->b->refused[w->b->n_refused - 1].black = g->black.tagged_name;
        if (w->b->n_refused == IPR_BATCH_ROWS)
            rc = store_errors(w, err);
    }
    return rc == IPR_OK ? store_errors(w, err) : rc;
}

static enum ipr_code resolve_players(struct store_work *w, struct ipr_arena *mem,
                                     struct ipr_err *err)
{
    struct ipr_batch *b = w->b;
    struct ipr_identity *who = ipr_arena_alloc(mem, 2 * b->n, sizeof *who);
    struct ipr_db_identity **to = ipr_arena_alloc(mem, 2 * b->n, sizeof(struct ipr_db_identity *));
    struct ipr_db_identity *ids = ipr_arena_alloc(mem, 2 * b->n, sizeof *ids);
    size_t n = 0;

    for (size_t i = 0; i < 2 * b->n; i++) {
        struct ipr_db_new_game *g = &b->rows[i / 2];
        const struct ipr_identity *player = i % 2 == 0 ? &g->white : &g->black;

        to[n] = i % 2 == 0 ? &g->white_id : &g->black_id;
        if (!w->out[i / 2].refused && !ipr_cache_player(w->s->cache, player, to[n]))
            who[n++] = *player;
    }
    const enum ipr_code rc = n > 0 ? ipr_db_identities(w->s->db, who, n, ids, err) : IPR_OK;
    for (size_t i = 0; rc == IPR_OK && i < n; i++) {
        *to[i] = ids[i];
        ipr_cache_put_player(w->s->cache, &who[i], ids[i]);
    }
    return rc == IPR_OK ? report_set_aside(w, err) : rc;
}

static enum ipr_code resolve_events(struct store_work *w, struct ipr_arena *mem,
                                    struct ipr_err *err)
{
    struct ipr_batch *b = w->b;
    struct ipr_db_event *events = ipr_arena_alloc(mem, b->n, sizeof *events);
    int32_t **to = ipr_arena_alloc(mem, b->n, sizeof(int32_t *));
    int32_t *ids = ipr_arena_alloc(mem, b->n, sizeof *ids);
    size_t n = 0;

    for (size_t i = 0; i < b->n; i++) {
        struct ipr_db_new_game *g = &b->rows[i];
        const struct ipr_db_event event = { g->event, g->event_year };

        to[n] = &g->event_id;
        if (!w->out[i].refused && !ipr_cache_event(w->s->cache, &event, to[n]))
            events[n++] = event;
    }
    if (n == 0)
        return IPR_OK;
    const enum ipr_code rc = ipr_db_events(w->s->db, events, n, ids, err);
    for (size_t i = 0; rc == IPR_OK && i < n; i++) {
        *to[i] = ids[i];
        ipr_cache_put_event(w->s->cache, &events[i], ids[i]);
    }
    return rc;
}

/* ---- duplicates -------------------------------------------------------------------------------
 */

/* The stored games that a game is compared with. */
struct wanted {
    int64_t id[2][CANDIDATES_MAX]; /* by players, by moves */
    int n[2];
};

/* True if a candidate is one more for this game. */
static bool wanted_add(struct wanted *w, const struct ipr_db_new_game *row,
                       const struct ipr_db_candidate *c)
{
    const int k = c->by_moves;

    if (w->n[k] == CANDIDATES_MAX || !ipr_duplicate_possible(row, &c->game))
        return false;
    for (int i = 0; i < w->n[k]; i++)
        if (w->id[k][i] == c->game.id)
            return false;
    w->id[k][w->n[k]++] = c->game.id;
    return true;
}

/* Which games of the batch it is compared with; true: some. */
static bool candidate_is_wanted(struct wanted *wanted, const struct ipr_batch *b,
                                const struct ipr_db_candidate *c)
{
    bool any = false;

    for (size_t i = 0; i < c->n_games; i++)
        any = wanted_add(&wanted[c->games[i]], &b->rows[c->games[i]], c) || any;
    return any;
}

/* Adds stored games to the set that may be duplicates of one in the batch, as complete rows. */
static enum ipr_code load_candidates(struct store_work *w, struct ipr_err *err)
{
    struct ipr_batch *b = w->b;
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_db_candidate *c = NULL;
    struct ipr_db_new_game *games = NULL;
    struct wanted *wanted = ipr_xcalloc(b->n, sizeof *wanted);
    size_t n = 0, n_ids = 0, n_games = 0;
    enum ipr_code rc = ipr_db_candidates(w->s->db, w->s->own, b->rows, b->n, IPR_DUPLICATE_LONG,
                                         &mem, &c, &n, err);
    int64_t *ids = ipr_arena_alloc(&mem, n, sizeof *ids);

    for (size_t i = 0; rc == IPR_OK && i < n; i++)
        if (candidate_is_wanted(wanted, b, &c[i]))
            ids[n_ids++] = c[i].game.id;
    n_ids = ipr_sort_unique(ids, n_ids, sizeof *ids, ipr_compare_int64);
    if (rc == IPR_OK && n_ids > 0)
        rc = ipr_db_games_load(w->s->db, ids, n_ids, &b->mem, &games, &n_games, err);
    for (size_t i = 0; rc == IPR_OK && i < n_games; i++)
        ipr_staged_add(w->set, &games[i], true);
    free(wanted);
    ipr_arena_release(&mem);
    return rc;
}

/* Loads, once per batch, what is needed only for duplicates with other players. */
static enum ipr_code store_load_distinct(struct store_work *w, struct ipr_err *err)
{
    if (w->distinct_loaded)
        return IPR_OK;
    w->distinct_loaded = true;
    const enum ipr_code rc =
        ipr_db_persons_distinct(w->s->db, &w->b->mem, &w->distinct.pair, &w->distinct.n, err);
    return rc == IPR_OK ? ipr_db_known_names(w->s->db, w->b->rows, w->b->n, &w->b->mem, err) : rc;
}

static enum ipr_code store_enrich(struct store_work *w, size_t i, struct ipr_err *err)
{
    struct outcome *o = &w->out[i];
    const struct ipr_db_new_game *row = &w->b->rows[i], *kept = o->kept->game;

    if (row->white_id.id != kept->white_id.id || row->black_id.id != kept->black_id.id) {
        const enum ipr_code rc = store_load_distinct(w, err);

        if (rc != IPR_OK)
            return rc;
    }
    o->improved =
        ipr_staged_enrich(w->set, o->kept, row, o->kind, &w->distinct, &w->b->mem, &o->conflicts);
    return IPR_OK;
}

/* In order, so that the games of the batch are compared with each other, too. */
static enum ipr_code store_decide(struct store_work *w, struct ipr_err *err)
{
    enum ipr_code rc = IPR_OK;

    for (size_t i = 0; rc == IPR_OK && i < w->b->n; i++) {
        struct outcome *o = &w->out[i];
        struct ipr_db_new_game *row = &w->b->rows[i];

        o->kind = IPR_DUPLICATE_NONE;
        if (o->refused)
            continue;
        o->kept = ipr_staged_find(w->set, row, &o->kind);
        if (o->kept == NULL)
            ipr_staged_add(w->set, row, false);
        else
            rc = store_enrich(w, i, err);
    }
    return rc;
}

static enum ipr_code write_games(struct store_work *w, struct ipr_err *err)
{
    struct ipr_db_new_game *fresh[IPR_BATCH_ROWS];
    size_t n = 0, n_fresh = 0;
    struct ipr_staged *const *kept = ipr_staged_all(w->set, &n);
    enum ipr_code rc = IPR_OK;

    for (size_t i = 0; rc == IPR_OK && i < n; i++) {
        if (!kept[i]->stored)
            fresh[n_fresh++] = kept[i]->game;
        else if (kept[i]->improved)
            rc = ipr_db_game_change(w->s->db, w->s->upload_id, kept[i]->game, kept[i]->new_moves,
                                    err);
        if (!kept[i]->stored || kept[i]->improved)
            ipr_db_import_filter_add(w->s->own, kept[i]->game);
    }
    if (rc == IPR_OK)
        rc = ipr_db_games_insert(w->s->db, w->s->upload_id, fresh, n_fresh, err);
    if (rc == IPR_OK)
        w->s->counts.imported += (int32_t)n_fresh;
    return rc;
}

static enum ipr_code record_duplicates(struct store_work *w, struct ipr_err *err)
{
    struct ipr_db_duplicate rows[IPR_BATCH_ROWS];
    size_t n = 0;

    for (size_t i = 0; i < w->b->n; i++) {
        const struct outcome *o = &w->out[i];

        if (o->kept == NULL)
            continue;
        w->s->counts.duplicates[o->kind]++;
        w->s->counts.improved += o->improved ? 1 : 0;
        w->s->counts.conflicting += o->conflicts != 0 ? 1 : 0;
        rows[n++] = (struct ipr_db_duplicate){ .game = w->b->rows[i].ordinal,
                                               .kind = o->kind,
                                               .kept = o->kept->game->id,
                                               .improved = o->improved,
                                               .conflicts = o->conflicts };
    }
    w->s->counts.duplicate += (int32_t)n;
    return ipr_db_duplicates_add(w->s->db, w->s->upload_id, rows, n, err);
}

/* ---- judgements and the queue -----------------------------------------------------------------
 */

static const struct ipr_db_new_game *kept_of(const struct store_work *w, size_t i)
{
    return w->out[i].kept != NULL ? w->out[i].kept->game : &w->b->rows[i];
}

/* A game keeps the confirmed moves that it has; only those by more nodes come beside them. */
static enum ipr_code store_confirmed(struct store_work *w, const struct ipr_interchange_game *g,
                                     int64_t game_id, const char *source, struct ipr_arena *mem,
                                     struct ipr_err *err)
{
    struct ipr_confirmed_turn *turns = ipr_arena_alloc(mem, g->confirmed.n, sizeof *turns);
    struct ipr_judged_game there = { NULL, 0 };
    struct ipr_judge by;
    int32_t judge_id = 0;
    enum ipr_code rc = ipr_db_confirmed_by(w->s->db, game_id, 0, mem, &by, &there, err);

    if (rc != IPR_OK || (there.n > 0 && by.nodes >= g->confirmed_by.nodes))
        return rc;
    for (size_t i = 0; i < g->confirmed.n; i++)
        turns[i] = (struct ipr_confirmed_turn){ g->confirmed.turns[i], false };
    rc = ipr_db_judge_ensure(w->s->db, &g->confirmed_by, &judge_id, err);
    return rc == IPR_OK ? ipr_db_confirm_store(w->s->db, judge_id, game_id, source, turns,
                                               g->confirmed.n, err)
                        : rc;
}

static enum ipr_code store_sides(struct store_work *w, size_t i, const struct ipr_db_work *work,
                                 struct ipr_err *err)
{
    const struct ipr_interchange_game *g = w->b->judged[i];
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_db_game stored;
    unsigned fresh = 0;
    enum ipr_code rc = ipr_db_game_get(w->s->db, kept_of(w, i)->id, &mem, &stored, err);

    if (rc == IPR_OK)
        rc = ipr_db_sides_store(w->s->db, w->out[i].judge_id, &stored, &g->judged, g->sides, work,
                                &fresh, err);
    if (rc == IPR_OK && g->confirmed.n > 0)
        rc = store_confirmed(w, g, stored.id, work->source, &mem, err);
    if (rc == IPR_OK)
        w->s->counts.judged++;
    ipr_arena_release(&mem);
    return rc;
}

static size_t add_figures(const struct store_work *w, size_t i, struct ipr_db_new_side *sides)
{
    const struct ipr_interchange_game *g = w->b->judged[i];
    size_t n = 0;

    for (unsigned c = 0; c < 2; c++)
        if (g->sides >> c & 1u)
            sides[n++] = (struct ipr_db_new_side){ .game = kept_of(w, i),
                                                   .judge_id = w->out[i].judge_id,
                                                   .colour = c,
                                                   .figures = &g->figures[c] };
    w->s->counts.judged++;
    return n;
}

/* Judgements of a prefix of the game are not judgements of its sides. */
static enum ipr_code store_judged_sides(struct store_work *w, struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_db_new_side *figures = ipr_arena_alloc(&mem, 2 * w->b->n, sizeof *figures);
    const char *owner = w->s->options->owner;
    /* Evaluations are marked with who sent them. */
    const struct ipr_db_work work = { .source = strcmp(owner, "import") == 0
                                                    ? owner
                                                    : ipr_arena_printf(&mem, "import:%s", owner),
                                      .upload_id = w->s->upload_id };
    enum ipr_code rc = IPR_OK;
    size_t n = 0;

    for (size_t i = 0; rc == IPR_OK && i < w->b->n; i++) {
        const struct ipr_interchange_game *g = w->b->judged[i];

        if (g == NULL || w->out[i].refused || g->n_moves != kept_of(w, i)->n_moves)
            continue;
        if (g->figures != NULL)
            n += add_figures(w, i, figures + n);
        else
            rc = store_sides(w, i, &work, err);
    }
    if (rc == IPR_OK && n > 0)
        rc = ipr_db_new_sides_store(w->s->db, figures, n, &work, err);
    ipr_arena_release(&mem);
    return rc;
}

/* Every game once, although a file may contain it several times. */
static enum ipr_code store_enqueue(struct store_work *w, struct ipr_err *err)
{
    int64_t ids[IPR_BATCH_ROWS];
    size_t n = 0;
    int32_t queued = 0;

    if (w->s->options->judge == NULL)
        return IPR_OK;
    for (size_t i = 0; i < w->b->n; i++)
        if (!w->out[i].refused)
            ids[n++] = kept_of(w, i)->id;
    n = ipr_sort_unique(ids, n, sizeof *ids, ipr_compare_int64);
    const struct ipr_ingest_options *o = w->s->options;
    const enum ipr_code rc =
        ipr_db_jobs_enqueue_import(w->s->db, ids, n, o->judge, o->priority, o->owner, &queued, err);
    if (rc == IPR_OK)
        w->s->counts.queued += queued;
    return rc;
}

/* For games whose evaluations ratings are made of. A worker finds out whether any move is left to
 * be confirmed. */
static enum ipr_code store_enqueue_confirm(struct store_work *w, struct ipr_err *err)
{
    int64_t ids[IPR_BATCH_ROWS], queued;
    size_t n = 0;

    for (size_t i = 0; w->s->options->confirm && i < w->b->n; i++) {
        const struct ipr_interchange_game *const g = w->b->judged[i];

        if (!w->out[i].refused && g != NULL &&
            (ipr_judge_may_rate(&g->judge) ||
             strcmp(g->judge.name, ipr_setting_name(IPR_FOR_FILES)) == 0))
            ids[n++] = kept_of(w, i)->id;
    }
    return n > 0 ? ipr_db_jobs_confirm(w->s->db, ids, n, 0, &queued, err) : IPR_OK;
}

/* ---- the whole --------------------------------------------------------------------------------
 */

enum ipr_code ipr_store_batch(struct ipr_store *s, struct ipr_batch *b, struct ipr_err *err)
{
    struct store_work *w = ipr_xcalloc(1, sizeof *w);

    w->s = s;
    w->b = b;
    w->set = ipr_staged_new();
    enum ipr_code rc = find_judges(w, err);
    if (rc == IPR_OK)
        rc = store_errors(w, err);
    if (rc == IPR_OK && b->n > 0) {
        struct ipr_arena mem = IPR_ARENA_INIT;

        rc = resolve_players(w, &mem, err);
        if (rc == IPR_OK)
            rc = resolve_events(w, &mem, err);
        ipr_arena_release(&mem);

        if (rc == IPR_OK)
            rc = load_candidates(w, err);
        if (rc == IPR_OK)
            rc = store_decide(w, err);
        if (rc == IPR_OK)
            rc = write_games(w, err);
        if (rc == IPR_OK)
            rc = record_duplicates(w, err);
        if (rc == IPR_OK)
            rc = store_judged_sides(w, err);
        if (rc == IPR_OK)
            rc = store_enqueue(w, err);
        if (rc == IPR_OK)
            rc = store_enqueue_confirm(w, err);
    }
    ipr_staged_free(&w->set);
    free(w);
    return rc;
}
