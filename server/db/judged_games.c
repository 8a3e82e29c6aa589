#include "db/judged_games.h"

#include <string.h>

#include "pgn/time_class.h"
#include "queries/judged_games_inside.h"

/* Games whose turns are read at once. */
#define CHUNK 500

/* Appends the turns of games[first .. first + n). */
static void take_turns(struct ipr_db_judged_games *out, int16_t *cp, size_t first,
                       const struct ipr_db_transition *rows, size_t n_rows)
{
    for (size_t i = 0; i < n_rows; i++) {
        const size_t g = first + (size_t)rows[i].game;
        struct ipr_turn *t = &out->turns[out->n_turns];
        int16_t *own = &cp[2 * out->n_turns];

        memcpy(own, rows[i].cp, sizeof rows[i].cp);
        *t = rows[i].turn;
        t->game = (int32_t)g;
        t->cp = own;
        if (out->games[g].n++ == 0)
            out->games[g].first = out->n_turns;
        out->n_turns++;
    }
}

static enum ipr_code list_turns(struct ipr_db *db, const struct ipr_db_judged_scope *scope,
                                struct ipr_arena *mem, struct ipr_db_judged_games *out, size_t room,
                                struct ipr_err *err)
{
    int16_t *cp = ipr_arena_alloc(mem, 2 * room, sizeof *cp);
    enum ipr_code rc = IPR_OK;

    out->turns = ipr_arena_alloc(mem, room, sizeof *out->turns);
    for (size_t i = 0; i < out->n && rc == IPR_OK; i += CHUNK) {
        const size_t n = out->n - i < CHUNK ? out->n - i : CHUNK;
        struct ipr_arena scratch = IPR_ARENA_INIT;
        struct ipr_db_transition *rows = NULL;
        size_t n_rows = 0;

        rc = ipr_db_reported_turns(db, scope, &out->games[i], n, &scratch, &rows, &n_rows, err);
        if (rc == IPR_OK && n_rows > room - out->n_turns)
            rc = ipr_err_set(err, IPR_ERETRY, "games were judged while they were read");
        if (rc == IPR_OK)
            take_turns(out, cp, i, rows, n_rows);
        ipr_arena_release(&scratch);
    }
    return rc;
}

enum ipr_code ipr_db_judged_games(struct ipr_db *db, const struct ipr_db_judged_scope *scope,
                                  struct ipr_arena *mem, struct ipr_db_judged_games *out,
                                  struct ipr_err *err)
{
    struct ipr_db_judged_games all = { 0 };
    size_t room = 0;

    enum ipr_code rc = ipr_db_reported_games_count(db, scope->judge_id, scope->times,
                                                   &all.available, &all.one_sided, err);
    if (rc == IPR_OK)
        rc = ipr_db_reported_games(db, scope, mem, &all.games, &all.n, err);
    for (size_t i = 0; i < all.n; i++)
        room += (size_t)all.games[i].turns;
    if (rc == IPR_OK)
        rc = list_turns(db, scope, mem, &all, room, err);
    if (rc == IPR_OK)
        *out = all;
    return rc;
}

enum ipr_code ipr_db_matches(struct ipr_db *db, const struct ipr_db_match_scope *scope,
                             struct ipr_arena *mem, struct ipr_db_match **rows, size_t *n,
                             int64_t *available, struct ipr_err *err)
{
    struct ipr_db_match_found *found = NULL;
    const enum ipr_code rc = ipr_db_matches_found(db, scope, mem, &found, n, err);

    if (rc != IPR_OK)
        return rc;
    *rows = ipr_arena_alloc(mem, *n, sizeof **rows);
    *available = *n > 0 ? found[0].available : 0;
    for (size_t i = 0; i < *n; i++)
        (*rows)[i] = found[i].match;
    return IPR_OK;
}
