#include "db/judged_games.h"

#include "db/side_turns.h"
#include "queries/judged_games_inside.h"

/* Games whose turns are read at once. */
#define CHUNK 500

/* Appends the turns of the games from games[first] on; sides[].game counts from 0 there. False if
 * there is no room for them. */
static bool take_turns(struct ipr_db_judged_games *out, int16_t *cp, size_t room, size_t first,
                       const struct ipr_db_side_figures *sides, size_t n_sides)
{
    for (size_t i = 0, of; i < n_sides; i += of) {
        struct ipr_db_judged_game *g = &out->games[first + (size_t)sides[i].game];
        size_t turns = 0;

        of = ipr_db_adjacent_sides(&sides[i], n_sides - i);
        for (size_t s = i; s < i + of; s++)
            turns += ipr_db_side_length(sides[s].figures);
        if (turns > room - out->n_turns)
            return false;
        g->first = out->n_turns;
        g->n = ipr_db_side_transitions(&sides[i], of, (int32_t)(first + (size_t)sides[i].game),
                                       &out->turns[g->first], &cp[2 * g->first]);
        out->n_turns += g->n;
    }
    return true;
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
    if (rc == IPR_OK) {
        int16_t *cp = ipr_arena_alloc(mem, 2 * room, sizeof *cp);

        all.turns = ipr_arena_alloc(mem, room, sizeof *all.turns);
        for (size_t i = 0; i < all.n && rc == IPR_OK; i += CHUNK) {
            const size_t n = all.n - i < CHUNK ? all.n - i : CHUNK;
            struct ipr_arena scratch = IPR_ARENA_INIT;
            struct ipr_db_side_figures *sides = NULL;
            size_t n_sides = 0;

            rc =
                ipr_db_reported_sides(db, scope, &all.games[i], n, &scratch, &sides, &n_sides, err);
            if (rc == IPR_OK && !take_turns(&all, cp, room, i, sides, n_sides))
                rc = ipr_err_set(err, IPR_ERETRY, "games were judged while they were read");
            ipr_arena_release(&scratch);
        }
    }
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
