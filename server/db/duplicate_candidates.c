#include "db/duplicate_candidates.h"

#include <stdlib.h>
#include <string.h>

#include "core/digest.h"
#include "core/names.h"
#include "db/jobs.h"
#include "db/turns.h"
#include "queries/deletion_inside.h"
#include "queries/duplicate_candidates_inside.h"

#define PRIORITY_AGAIN 5 /* of a game queued again because its moves changed */

#define MANY_NEW 1000 /* games of one import */

#define LOOK_MS 100 /* between two looks whether another import is over */

/* ---- one import at a time ---------------------------------------------------------------------
 */

enum ipr_code ipr_db_import_begin(struct ipr_db *db, int wait_s, struct ipr_err *err)
{
    static const struct timespec pause = { 0, LOOK_MS * 1000000L };
    const time_t start = ipr_db_clock();
    bool mine = false;

    for (;;) {
        const enum ipr_code rc = ipr_db_import_lock(db, &mine, err);

        if (rc != IPR_OK)
            return rc;
        if (mine)
            return ipr_db_import_settings(db, err);
        if (wait_s > 0 && ipr_db_clock() - start >= wait_s)
            return ipr_err_at(err, IPR_ERETRY, "import_running", 0, 0, -1,
                              "Another import is at work. Send the file again when it is over.");
        nanosleep(&pause, NULL);
    }
}

enum ipr_code ipr_db_import_end(struct ipr_db *db, int32_t imported, struct ipr_err *err)
{
    return imported < MANY_NEW ? IPR_OK
                               : ipr_db_command(db, "ANALYZE player, surname, spelling", err);
}

/* ---- candidates -------------------------------------------------------------------------------
 */

static void candidate_fill(struct ipr_db_row *r, void *out)
{
    struct ipr_db_candidate *c = out;

    c->at = (size_t)ipr_db_col_int(r, "at", 0, INT32_MAX);
    c->game.id = ipr_db_col_i64(r, "id");
    c->game.moves_key = ipr_db_col_i64(r, "moves_key");
    c->game.n_moves = (size_t)ipr_db_col_int(r, "plies", 0, INT16_MAX);
    c->game.date = ipr_db_col_text(r, "date");
    c->game.round = ipr_db_col_text(r, "round");
    c->game.result = (enum ipr_result)ipr_db_col_int(r, "result", IPR_RESULT_UNKNOWN, IPR_DRAW);
    c->game.event_id = ipr_db_col_i32(r, "event_id");
}

/* The games one query asks about, and where they are among all. */
struct probe {
    enum ipr_query query;
    struct ipr_db_array column[5];
    int columns;
    size_t *at; /* room for all */
    size_t n;
    struct ipr_db_candidate *found;
    size_t n_found;
};

static enum ipr_code probe_ask(struct ipr_db *db, struct probe *q, bool by_moves,
                               struct ipr_arena *mem, struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };
    void *list = NULL;

    if (q->n == 0)
        return IPR_OK;
    for (int i = 0; i < q->columns; i++)
        ipr_db_p_array_take(&p, &q->column[i]);
    const enum ipr_code rc = ipr_db_list(db, q->query, &p, mem, sizeof *q->found, candidate_fill,
                                         &list, &q->n_found, err);
    q->found = list;
    for (size_t i = 0; rc == IPR_OK && i < q->n_found; i++)
        q->found[i].at = q->at[q->found[i].at], q->found[i].by_moves = by_moves;
    return rc;
}

enum { MOVES, UNDATED, PAIR, SHORT, PERSONS, PROBES };

static void probe_add(struct probe *q, size_t at, const int64_t values[])
{
    for (int i = 0; i < q->columns; i++)
        ipr_db_array_int(&q->column[i], values[i]);
    q->at[q->n++] = at;
}

/* Persons of several identities, or with games moved away: decisions of people, so there are few.
 */
struct changed {
    int32_t *person; /* ascending */
    size_t n;
};

static int compare_ids(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;

    return (x > y) - (x < y);
}

static bool is_changed(const struct changed *m, int32_t person)
{
    return m->n > 0 && bsearch(&person, m->person, m->n, sizeof *m->person, compare_ids) != NULL;
}

static void add_probes(struct probe q[PROBES], const struct ipr_db_new_game *g, size_t at,
                       size_t spelled, const struct changed *changed,
                       const struct ipr_db_import_filter *own)
{
    const int64_t white = g->white_id.id, black = g->black_id.id, year = g->year;

    if (is_changed(changed, g->white_id.person) || is_changed(changed, g->black_id.person))
        probe_add(&q[PERSONS], at,
                  (const int64_t[]){ g->white_id.person, g->black_id.person, g->stem, g->moves_key,
                                     year });
    else if (g->n_moves < IPR_STEM_PLIES)
        probe_add(&q[SHORT], at, (const int64_t[]){ white, black, g->moves_key, year });
    else if (ipr_db_import_filter_may_have_pair(own, g))
        probe_add(&q[PAIR], at, (const int64_t[]){ white, black, g->stem, g->moves_key, year });
    if (g->n_moves >= spelled && ipr_db_import_filter_may_have_moves(own, g))
        probe_add(&q[year != 0 ? MOVES : UNDATED], at, (const int64_t[]){ g->moves_key, year });
}

static void probe_gather(const struct probe q[PROBES], struct ipr_arena *mem,
                         struct ipr_db_candidate **out, size_t *n_out)
{
    size_t n = 0;

    *n_out = 0;
    for (int k = 0; k < PROBES; k++)
        *n_out += q[k].n_found;
    *out = ipr_arena_alloc(mem, *n_out, sizeof **out);
    for (int k = 0; k < PROBES; k++) {
        if (q[k].n_found > 0)
            memcpy(*out + n, q[k].found, q[k].n_found * sizeof **out);
        n += q[k].n_found;
    }
}

enum ipr_code ipr_db_candidates(struct ipr_db *db, const struct ipr_db_import_filter *own,
                                const struct ipr_db_new_game *games, size_t n, size_t spelled,
                                struct ipr_arena *mem, struct ipr_db_candidate **out, size_t *n_out,
                                struct ipr_err *err)
{
    struct probe q[PROBES] = {
        [MOVES] = { .query = IPR_Q_CANDIDATES_MOVES, .columns = 2 },
        [UNDATED] = { .query = IPR_Q_CANDIDATES_MOVES_UNDATED, .columns = 1 },
        [PAIR] = { .query = IPR_Q_CANDIDATES_PAIR, .columns = 5 },
        [SHORT] = { .query = IPR_Q_CANDIDATES_PAIR_SHORT, .columns = 4 },
        [PERSONS] = { .query = IPR_Q_CANDIDATES_PERSONS, .columns = 5 },
    };
    struct changed changed = { NULL, 0 };
    enum ipr_code rc = ipr_db_persons_changed(db, mem, &changed.person, &changed.n, err);

    for (int k = 0; k < PROBES; k++)
        q[k].at = ipr_arena_alloc(mem, n, sizeof *q[k].at);
    for (size_t i = 0; i < n; i++)
        add_probes(q, &games[i], i, spelled, &changed, own);
    for (int k = 0; k < PROBES && rc == IPR_OK; k++)
        rc = probe_ask(db, &q[k], k == MOVES || k == UNDATED, mem, err);
    for (int k = 0; k < PROBES; k++)
        for (int i = 0; i < q[k].columns; i++)
            ipr_buf_release(&q[k].column[i].text);
    if (rc == IPR_OK)
        probe_gather(q, mem, out, n_out);
    return rc;
}

/* ---- whole rows -------------------------------------------------------------------------------
 */

/* Columns of a side. */
enum { ID, PERSON, NAME, KEY, FIDE, TAGGED, DECIDED, SIDE_COLUMNS };

static void game_fill_side(struct ipr_db_row *r, const char *const column[SIDE_COLUMNS],
                           struct ipr_identity *who, struct ipr_db_identity *id)
{
    id->id = ipr_db_col_i32(r, column[ID]);
    id->person = ipr_db_col_i32(r, column[PERSON]);
    id->was = id->id;
    id->was_person = id->person;
    id->decided = ipr_db_col_bool(r, column[DECIDED]);
    who->name = ipr_db_col_text(r, column[NAME]);
    who->key = ipr_db_col_text(r, column[KEY]);
    who->fide_id = ipr_db_col_i32_or(r, column[FIDE], 0);
    who->tagged_name = ipr_db_col_text(r, column[TAGGED]);
    if (ipr_name_key(who->tagged_name, r->mem, &who->tagged, NULL) != IPR_OK)
        who->tagged = who->key;
}

static void game_fill_loaded(struct ipr_db_row *r, void *out)
{
    static const char *const white[SIDE_COLUMNS] = { "white_id",     "white_person", "white",
                                                     "white_key",    "white_fide",   "white_tagged",
                                                     "white_decided" };
    static const char *const black[SIDE_COLUMNS] = { "black_id",     "black_person", "black",
                                                     "black_key",    "black_fide",   "black_tagged",
                                                     "black_decided" };
    struct ipr_db_new_game *g = out;
    size_t n = 0;

    g->id = ipr_db_col_i64(r, "id");
    game_fill_side(r, white, &g->white, &g->white_id);
    game_fill_side(r, black, &g->black, &g->black_id);
    g->event = ipr_db_col_text(r, "event");
    g->event_id = ipr_db_col_i32(r, "event_id");
    g->event_year = ipr_db_col_i32(r, "event_year");
    g->year = ipr_db_col_i32(r, "year");
    g->date = ipr_db_col_text(r, "date");
    g->site = ipr_db_col_text(r, "site");
    g->round = ipr_db_col_text(r, "round");
    g->result = (enum ipr_result)ipr_db_col_int(r, "result", IPR_RESULT_UNKNOWN, IPR_DRAW);
    g->white_elo = ipr_db_col_i32_or(r, "white_elo", 0);
    g->black_elo = ipr_db_col_i32_or(r, "black_elo", 0);
    g->time_class = (enum ipr_time_class)ipr_db_col_int(r, "time_class", 0, IPR_TIME_CLASSES - 1);
    g->time_known = (enum ipr_time_known)ipr_db_col_int(r, "time_known", 0, IPR_TIME_INFERRED);
    g->start_fen = ipr_db_col_text_or(r, "start_fen", NULL);
    g->moves = ipr_db_col_moves(r, "moves", &n);
    g->n_moves = n;
    g->moves_key = ipr_db_col_i64(r, "moves_key");
    g->stem = ipr_db_col_i32(r, "stem");
    g->tags_json = ipr_db_col_text(r, "tags");
    g->notes = ipr_db_col_bytes_or(r, "notes");
}

enum ipr_code ipr_db_games_load(struct ipr_db *db, const int64_t *ids, size_t n,
                                struct ipr_arena *mem, struct ipr_db_new_game **out, size_t *n_out,
                                struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };
    void *list = NULL;

    ipr_db_p_int64s(&p, ids, n);
    const enum ipr_code rc = ipr_db_list(db, IPR_Q_GAMES_LOAD, &p, mem, sizeof **out,
                                         game_fill_loaded, &list, n_out, err);
    if (rc == IPR_OK)
        *out = list;
    return rc;
}

/* ---- what is known of identities --------------------------------------------------------------
 */

static void set_known(const struct ipr_db_known_name *names, size_t n, struct ipr_db_identity *id)
{
    const struct ipr_db_known_name *k =
        n > 0 ? bsearch(&id->id, names, n, sizeof *names, compare_ids) : NULL; /* id comes first */

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

/* ---- changes ----------------------------------------------------------------------------------
 */

static void p_elo(struct ipr_db_params *p, int elo)
{
    if (elo > 0 && elo <= INT16_MAX)
        ipr_db_p_int(p, elo);
    else
        ipr_db_p_text(p, NULL);
}

static enum ipr_code game_update(struct ipr_db *db, const struct ipr_db_new_game *g,
                                 struct ipr_err *err)
{
    struct ipr_buf moves = IPR_BUF_INIT;
    struct ipr_db_params p = { 0 };

    ipr_db_moves_bytes(g->moves, g->n_moves, &moves);
    ipr_db_p_int(&p, g->id);
    ipr_db_p_int(&p, g->year);
    ipr_db_p_text(&p, g->date);
    ipr_db_p_int(&p, g->event_id);
    ipr_db_p_text(&p, g->site);
    ipr_db_p_text(&p, g->round);
    ipr_db_p_int(&p, g->result);
    p_elo(&p, g->white_elo);
    p_elo(&p, g->black_elo);
    ipr_db_p_int(&p, g->time_class);
    ipr_db_p_int(&p, g->time_known);
    ipr_db_p_bytes(&p, moves.p, moves.n);
    ipr_db_p_int(&p, (int64_t)g->n_moves);
    ipr_db_p_int(&p, g->moves_key);
    ipr_db_p_int(&p, g->stem);
    ipr_db_p_text(&p, g->tags_json);
    if (g->notes.n > 0)
        ipr_db_p_bytes(&p, g->notes.p, g->notes.n);
    else
        ipr_db_p_text(&p, NULL);
    ipr_db_p_int(&p, g->white_id.was);
    ipr_db_p_int(&p, g->white_id.id);
    ipr_db_p_int(&p, g->black_id.was);
    ipr_db_p_int(&p, g->black_id.id);
    ipr_buf_release(&moves);
    return ipr_db_exec(db, IPR_Q_GAME_UPDATE, &p, NULL, err);
}

/* A job that is being worked on would bring judgements of the old moves: its lease ends here. */
static enum ipr_code judge_again(struct ipr_db *db, int64_t id, struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_db_unqueued *u = NULL;
    size_t n = 0;
    int32_t queued;
    enum ipr_code rc = ipr_db_game_unqueue(db, id, &mem, &u, &n, err);

    if (rc == IPR_OK)
        rc = ipr_db_sides_forget(db, id, err);
    for (size_t i = 0; rc == IPR_OK && i < n; i++)
        rc = ipr_db_jobs_enqueue(db, &id, 1, u[i].judge, PRIORITY_AGAIN, u[i].owner, &queued, err);
    ipr_arena_release(&mem);
    return rc;
}

/* People split and merge in their own time: of a person that loses a side, after or before, not
 * meanwhile. */
static enum ipr_code lock_losers(struct ipr_db *db, const struct ipr_db_new_game *g,
                                 struct ipr_err *err)
{
    const struct ipr_db_identity *side[] = { &g->white_id, &g->black_id };
    struct ipr_db_params p = { 0 };
    int32_t persons[2];
    size_t n = 0;

    for (size_t i = 0; i < 2; i++) {
        if (side[i]->id == side[i]->was || side[i]->was == IPR_PLAYER_NOBODY)
            continue;
        persons[n++] = side[i]->was_person;
    }
    if (n == 0)
        return IPR_OK;
    ipr_db_p_int32s(&p, persons, n);
    return ipr_db_exec(db, IPR_Q_PERSON_LOCK, &p, NULL, err);
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
        rc = game_update(db, game, err);
    if (rc == IPR_OK)
        rc = ipr_db_sides_count(db, game->id, 1, err);
    if (rc == IPR_OK && new_moves)
        rc = judge_again(db, game->id, err);
    return rc;
}
