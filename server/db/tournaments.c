#include "db/tournaments.h"

#include <stdlib.h>

#include "db/side_turns.h"
#include "queries/tournaments_inside.h"

/* ---- who played ---- */

/* Rows of one person are adjacent. */
static struct ipr_db_tournament_player *by_person(const struct ipr_db_tournament_side *rows,
                                                  size_t n, struct ipr_arena *mem,
                                                  size_t *n_players)
{
    struct ipr_db_player_side *sides = ipr_arena_alloc(mem, n, sizeof *sides);
    struct ipr_db_tournament_player *players = ipr_arena_alloc(mem, n, sizeof *players);
    size_t k = 0;

    for (size_t i = 0; i < n; i++) {
        sides[i] = rows[i].side;
        if (i == 0 || rows[i].person != rows[i - 1].person)
            players[k++] =
                (struct ipr_db_tournament_player){ rows[i].person, rows[i].name, &sides[i], 0 };
        players[k - 1].n_sides++;
    }
    *n_players = k;
    return players;
}

enum ipr_code ipr_db_tournament_players(struct ipr_db *db, int32_t id, int32_t judge_id,
                                        unsigned times, struct ipr_arena *mem,
                                        struct ipr_db_tournament_player **rows, size_t *n,
                                        struct ipr_err *err)
{
    struct ipr_db_tournament_side *sides = NULL;
    size_t n_sides = 0;
    const enum ipr_code rc =
        ipr_db_tournament_sides(db, id, judge_id, times, mem, &sides, &n_sides, err);

    if (rc == IPR_OK)
        *rows = by_person(sides, n_sides, mem, n);
    return rc;
}

/* ---- their turns ---- */

static int by_row_person(const void *person, const void *row)
{
    const int32_t a = *(const int32_t *)person, b = ((const struct ipr_db_row_turn *)row)->person;

    return (a > b) - (a < b);
}

/* The rows of a person, which are adjacent; *n is 0 when there are none. */
static const struct ipr_db_row_turn *
rows_of_person(int32_t person, const struct ipr_db_row_turn *rows, size_t n_rows, size_t *n)
{
    const struct ipr_db_row_turn *const end = rows + n_rows;
    const struct ipr_db_row_turn *first =
        n_rows > 0 ? bsearch(&person, rows, n_rows, sizeof *rows, by_row_person) : NULL;

    *n = 0;
    if (first == NULL)
        return NULL;
    while (first > rows && first[-1].person == person)
        first--;
    while (first + *n < end && first[*n].person == person)
        ++*n;
    return first;
}

/* Every side with judged turns. */
static struct ipr_db_person_side *judged_sides(const struct ipr_db_tournament_player *players,
                                               size_t n, struct ipr_arena *mem, size_t *n_sides)
{
    struct ipr_db_person_side *sides;
    size_t room = 0;

    for (size_t i = 0; i < n; i++)
        room += players[i].n_sides;
    sides = ipr_arena_alloc(mem, room, sizeof *sides);
    *n_sides = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < players[i].n_sides; k++)
            if (players[i].sides[k].turns > 0)
                sides[(*n_sides)++] =
                    (struct ipr_db_person_side){ players[i].id, &players[i].sides[k] };
    return sides;
}

enum ipr_code ipr_db_tournament_turns(struct ipr_db *db, int32_t judge_id,
                                      const struct ipr_db_tournament_player *players, size_t n,
                                      struct ipr_arena *mem, struct ipr_db_player_turns *out,
                                      struct ipr_err *err)
{
    struct ipr_db_side_lines *lines = NULL;
    struct ipr_db_row_turn *list = NULL;
    size_t n_sides = 0, n_lines = 0, n_rows = 0, k = 0;
    const struct ipr_db_person_side *sides = judged_sides(players, n, mem, &n_sides);
    enum ipr_code rc =
        ipr_db_lines_of_sides(db, judge_id, sides, n_sides, mem, &lines, &n_lines, err);

    if (rc == IPR_OK)
        rc = ipr_db_side_rows(lines, n_lines, mem, &list, &n_rows, err);
    for (size_t i = 0; rc == IPR_OK && i < n; i++) {
        const struct ipr_db_row_turn *rows = rows_of_person(players[i].id, list, n_rows, &k);

        out[i] = ipr_db_player_turns_of(rows, k, players[i].sides, players[i].n_sides, mem);
    }
    return rc;
}
