#include "db/tournaments.h"

#include <stdlib.h>

#include "db/turn_rows.h"

/* ---- who played ---- */

struct row_side {
    struct ipr_db_player_side side;
    int32_t person;
    const char *name;
};

static void tournament_fill_side(struct ipr_db_row *r, void *out)
{
    struct row_side *row = out;

    ipr_db_fill_player_side(r, &row->side);
    row->person = ipr_db_col_i32(r, "person");
    row->name = ipr_db_col_text(r, "person_name");
}

/* Rows of one person stand together. */
static struct ipr_db_tournament_player *by_person(const struct row_side *rows, size_t n,
                                                  struct ipr_arena *mem, size_t *n_players)
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
    struct ipr_db_params p = { 0 };
    void *list = NULL;
    size_t n_sides = 0;

    ipr_db_p_int(&p, id);
    ipr_db_p_int(&p, judge_id);
    ipr_db_p_times(&p, times);
    const enum ipr_code rc =
        ipr_db_list(db, IPR_Q_TOURNAMENT_SIDES, &p, mem, sizeof(struct row_side),
                    tournament_fill_side, &list, &n_sides, err);
    if (rc == IPR_OK)
        *rows = by_person(list, n_sides, mem, n);
    return rc;
}

/* ---- their turns ---- */

static void tournament_fill_turn(struct ipr_db_row *r, void *out)
{
    struct ipr_db_row_turn *row = out;

    ipr_db_fill_row_turn(r, out);
    row->person = ipr_db_col_i32(r, "person");
}

static int by_row_person(const void *person, const void *row)
{
    const int32_t a = *(const int32_t *)person, b = ((const struct ipr_db_row_turn *)row)->person;

    return (a > b) - (a < b);
}

/* The rows of a person, which stand together; *n 0 when there are none. */
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

/* Parameters: every side with judged turns. */
static void put_sides(const struct ipr_db_tournament_player *players, size_t n,
                      struct ipr_db_params *p)
{
    struct ipr_db_array persons = { 0 }, games = { 0 }, colours = { 0 }, years = { 0 };

    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < players[i].n_sides; k++) {
            const struct ipr_db_player_side *side = &players[i].sides[k];

            if (side->turns <= 0)
                continue;
            ipr_db_array_int(&persons, players[i].id);
            ipr_db_array_int(&games, side->game_id);
            ipr_db_array_int(&colours, side->colour);
            ipr_db_array_int(&years, side->year);
        }
    ipr_db_p_array_take(p, &persons);
    ipr_db_p_array_take(p, &games);
    ipr_db_p_array_take(p, &colours);
    ipr_db_p_array_take(p, &years);
}

enum ipr_code ipr_db_tournament_turns(struct ipr_db *db, int32_t judge_id,
                                      const struct ipr_db_tournament_player *players, size_t n,
                                      struct ipr_arena *mem, struct ipr_db_player_turns *out,
                                      struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };
    void *list = NULL;
    size_t n_rows = 0, k = 0;

    ipr_db_p_int(&p, judge_id);
    put_sides(players, n, &p);
    const enum ipr_code rc =
        ipr_db_list(db, IPR_Q_TURNS_OF_SIDES, &p, mem, sizeof(struct ipr_db_row_turn),
                    tournament_fill_turn, &list, &n_rows, err);
    for (size_t i = 0; rc == IPR_OK && i < n; i++) {
        const struct ipr_db_row_turn *rows = rows_of_person(players[i].id, list, n_rows, &k);

        out[i] = ipr_db_player_turns_of(rows, k, players[i].sides, players[i].n_sides, mem);
    }
    return rc;
}
