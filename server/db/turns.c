#include "db/turns.h"

#include <string.h>

#include "base/mem.h"
#include "db/side_turns.h"
#include "queries/turns_inside.h"

enum ipr_code ipr_db_game_turns_or_figures(struct ipr_db *db, int32_t judge_id, int64_t game_id,
                                           struct ipr_arena *mem, struct ipr_judged_game *turns,
                                           struct ipr_judged_game *figures, struct ipr_err *err)
{
    struct ipr_db_game_side *sides = NULL;
    size_t n = 0;
    enum ipr_code rc = ipr_db_sides_of_game(db, game_id, judge_id, mem, &sides, &n, err);

    if (rc == IPR_OK)
        rc = ipr_db_side_game(sides, n, IPR_SIDES_WITH_LINES, mem, turns, err);
    return rc == IPR_OK && figures != NULL
               ? ipr_db_side_game(sides, n, IPR_SIDES_OF_FIGURES, mem, figures, err)
               : rc;
}

enum ipr_code ipr_db_game_turns(struct ipr_db *db, int32_t judge_id, int64_t game_id,
                                struct ipr_arena *mem, struct ipr_judged_game *out,
                                struct ipr_err *err)
{
    return ipr_db_game_turns_or_figures(db, judge_id, game_id, mem, out, NULL, err);
}

static enum ipr_code add_sums(struct ipr_db *db, int32_t judge_id, int64_t game_id,
                              struct ipr_arena *mem, struct ipr_side_figures side[2],
                              struct ipr_err *err)
{
    struct ipr_db_judged_colour *rows = NULL;
    size_t n = 0;
    const enum ipr_code rc = ipr_db_colours_judged(db, game_id, judge_id, mem, &rows, &n, err);

    for (size_t i = 0; rc == IPR_OK && i < n; i++)
        side[rows[i].colour].sums =
            (struct ipr_side_sums){ .version = rows[i].strength_version,
                                    .score = rows[i].strength_score,
                                    .information = rows[i].strength_information,
                                    .moves = rows[i].strength_moves };
    return rc;
}

enum ipr_code ipr_db_game_figures(struct ipr_db *db, int32_t judge_id, int64_t game_id,
                                  unsigned multipv, struct ipr_arena *mem,
                                  struct ipr_side_figures side[2], unsigned *sides,
                                  struct ipr_err *err)
{
    struct ipr_db_game_side *rows = NULL;
    size_t n = 0;
    enum ipr_code rc = ipr_db_sides_of_game(db, game_id, judge_id, mem, &rows, &n, err);

    *sides = 0;
    for (size_t i = 0; rc == IPR_OK && i < n; i++) {
        *sides |= 1u << rows[i].colour;
        rc = ipr_db_side_unpack_figures(&rows[i], multipv, mem, &side[rows[i].colour], err);
    }
    return rc == IPR_OK ? add_sums(db, judge_id, game_id, mem, side, err) : rc;
}

struct ipr_db_player_turns ipr_db_player_turns_of(const struct ipr_db_row_turn *rows, size_t n,
                                                  struct ipr_db_player_side *sides, size_t n_sides,
                                                  struct ipr_arena *mem)
{
    struct ipr_db_player_turns t = { .n = n, .sides = sides, .n_sides = n_sides };
    struct ipr_judged_turn *judged = ipr_arena_alloc(mem, n, sizeof *judged);
    struct ipr_turn *out = ipr_arena_alloc(mem, n, sizeof *out);
    size_t k = 0;

    t.turns = out;
    t.judged = judged;
    /* Games are numbered from 0 in ascending order of their ids. */
    for (size_t i = 0; i < n; i++) {
        t.games += i == 0 || rows[i].game_id != rows[i - 1].game_id;
        judged[i] = rows[i].judged;
        out[i] = rows[i].turn;
        out[i].game = t.games - 1;
    }
    /* Both lists ascend by the game. */
    for (size_t i = 0; i < t.n; i++) {
        while (k < t.n_sides && t.sides[k].game_id < rows[i].game_id)
            k++;
        for (size_t s = k; s < t.n_sides && t.sides[s].game_id == rows[i].game_id; s++)
            if (t.sides[s].colour == rows[i].turn.mover)
                t.sides[s].game = t.turns[i].game;
    }
    return t;
}

enum ipr_code ipr_db_player_turns(struct ipr_db *db, const struct ipr_db_scope *scope,
                                  int32_t judge_id, struct ipr_arena *mem,
                                  struct ipr_db_player_turns *out, struct ipr_err *err)
{
    struct ipr_db_player_side *sides = NULL;
    struct ipr_db_side_lines *lines = NULL;
    struct ipr_db_row_turn *rows = NULL;
    size_t n_sides = 0, n_lines = 0, n = 0;
    enum ipr_code rc = ipr_db_player_sides(db, scope, judge_id, mem, &sides, &n_sides, err);

    if (rc == IPR_OK)
        rc = ipr_db_player_lines(db, scope, judge_id, mem, &lines, &n_lines, err);
    if (rc == IPR_OK)
        rc = ipr_db_side_rows(lines, n_lines, mem, &rows, &n, err);
    if (rc == IPR_OK)
        *out = ipr_db_player_turns_of(rows, n, sides, n_sides, mem);
    return rc;
}

enum ipr_code ipr_db_player_transitions(struct ipr_db *db, int32_t person, int year,
                                        int32_t judge_id, unsigned times, struct ipr_arena *mem,
                                        struct ipr_turn **turns, size_t *n, struct ipr_err *err)
{
    struct ipr_db_side_figures *sides = NULL;
    size_t n_sides = 0, room = 0;
    int32_t game = 0;
    const enum ipr_code rc =
        ipr_db_player_figures(db, person, year, judge_id, times, mem, &sides, &n_sides, err);

    *n = 0;
    if (rc != IPR_OK)
        return rc;
    for (size_t i = 0; i < n_sides; i++)
        room += ipr_db_side_length(sides[i].figures);
    *turns = ipr_arena_alloc(mem, room, sizeof **turns);
    int16_t *cp = ipr_arena_alloc(mem, 2 * room, sizeof *cp);

    for (size_t i = 0, of; i < n_sides; i += of) {
        of = ipr_db_adjacent_sides(&sides[i], n_sides - i);
        *n += ipr_db_side_transitions(&sides[i], of, game++, *turns + *n, cp + 2 * *n);
    }
    return IPR_OK;
}

enum ipr_code ipr_db_scope_games(struct ipr_db *db, const struct ipr_db_scope *scope,
                                 int32_t games[IPR_TIME_CLASSES], struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_db_class_games *rows = NULL;
    struct ipr_db_scope any = *scope;
    size_t n = 0;

    any.times = IPR_TIME_SET_ALL;
    const enum ipr_code rc = ipr_db_scope_classes(db, &any, &mem, &rows, &n, err);
    if (rc == IPR_OK) {
        memset(games, 0, IPR_TIME_CLASSES * sizeof *games);
        for (size_t i = 0; i < n; i++)
            games[rows[i].time_class] = rows[i].games;
    }
    ipr_arena_release(&mem);
    return rc;
}
