/* Storing judged sides; what reads them is in turns.c. */
#include "db/turns.h"

#include <string.h>

#include "db/contribution.h"
#include "db/pq.h"

#define SHARDS 16 /* rows of judge_total a judge */

struct store {
    struct ipr_db *db;
    int32_t judge_id;
    const struct ipr_db_game *game;
    const struct ipr_judged_game *judged;
    struct ipr_contribution side[2];
    int sign; /* of what goes into the aggregates */
    struct ipr_err *err;
};

static enum ipr_code lock_game(const struct store *s)
{
    struct ipr_db_params p = { 0 };
    int64_t rows = 0;

    ipr_db_p_int(&p, s->game->id);
    const enum ipr_code rc = ipr_db_exec_count(s->db, IPR_Q_GAME_LOCK, &p, &rows, s->err);
    if (rc == IPR_OK && rows == 0)
        return ipr_err_set(s->err, IPR_ENOTFOUND, "game %lld is gone", (long long)s->game->id);
    return rc;
}

static enum ipr_code add_sides(const struct store *s, unsigned sides, const char *source)
{
    struct ipr_db_array colours = { 0 }, turns = { 0 }, nodes = { 0 };
    struct ipr_db_params p = { 0 };

    for (int c = 0; c < 2; c++)
        if (sides >> c & 1u) {
            ipr_db_array_int(&colours, c);
            ipr_db_array_int(&turns, s->side[c].turns);
            ipr_db_array_int(&nodes, s->side[c].nodes);
        }
    ipr_db_p_int(&p, s->game->id);
    ipr_db_p_int(&p, s->judge_id);
    ipr_db_p_text(&p, source);
    ipr_db_p_array_take(&p, &colours);
    ipr_db_p_array_take(&p, &turns);
    ipr_db_p_array_take(&p, &nodes);
    return ipr_db_exec(s->db, IPR_Q_SIDES_ADD, &p, NULL, s->err);
}

enum { PLY, MOVER, LEGAL, NODES, BEST, PLAYED_CP, PLAYED, REPEATED, LINES, COLUMNS };

static void add_turn(struct ipr_db_array a[COLUMNS], const struct ipr_judged_turn *t)
{
    struct ipr_buf lines = IPR_BUF_INIT;
    int16_t best, played;

    ipr_contribution_cp(t, &best, &played);
    ipr_judged_pack(t, &lines);
    ipr_db_array_int(&a[PLY], t->ply);
    ipr_db_array_int(&a[MOVER], t->mover);
    ipr_db_array_int(&a[LEGAL], t->legal);
    ipr_db_array_int(&a[NODES], (int64_t)t->nodes);
    ipr_db_array_int(&a[BEST], best);
    ipr_db_array_int(&a[PLAYED_CP], played);
    ipr_db_array_int(&a[PLAYED], t->played);
    ipr_db_array_bool(&a[REPEATED], t->repeated);
    ipr_db_array_bytes(&a[LINES], lines.p, lines.n);
    ipr_buf_release(&lines);
}

static enum ipr_code add_turns(const struct store *s, unsigned sides)
{
    struct ipr_db_array a[COLUMNS] = { 0 };
    struct ipr_db_params p = { 0 };

    for (size_t i = 0; i < s->judged->n; i++)
        if (sides >> s->judged->turns[i].mover & 1u)
            add_turn(a, &s->judged->turns[i]);
    ipr_db_p_int(&p, s->game->id);
    ipr_db_p_int(&p, s->judge_id);
    for (size_t c = 0; c < COLUMNS; c++)
        ipr_db_p_array_take(&p, &a[c]);
    return ipr_db_exec(s->db, IPR_Q_TURNS_ADD, &p, NULL, s->err);
}

static void p_transitions(struct ipr_db_params *p, const int32_t counts[IPR_TRANSITIONS])
{
    struct ipr_db_array a = { 0 };

    for (size_t i = 0; i < IPR_TRANSITIONS; i++)
        ipr_db_array_int(&a, counts[i]);
    ipr_db_p_array_take(p, &a);
}

static enum ipr_code add_year(const struct store *s, int32_t player_id,
                              const struct ipr_contribution *c)
{
    struct ipr_db_params p = { 0 };

    ipr_db_p_int(&p, player_id);
    ipr_db_p_int(&p, s->game->year);
    ipr_db_p_int(&p, s->judge_id);
    ipr_db_p_int(&p, s->sign);
    ipr_db_p_int(&p, c->turns);
    ipr_db_p_int(&p, c->counted);
    ipr_db_p_int(&p, c->at_0);
    ipr_db_p_int(&p, c->at_30);
    p_transitions(&p, c->transitions);
    return ipr_db_exec(s->db, IPR_Q_PLAYER_YEAR_ADD, &p, NULL, s->err);
}

static enum ipr_code add_player(const struct store *s, int32_t player_id,
                                const struct ipr_contribution *c)
{
    struct ipr_db_params p = { 0 };

    ipr_db_p_int(&p, player_id);
    ipr_db_p_int(&p, s->judge_id);
    ipr_db_p_int(&p, s->sign);
    ipr_db_p_int(&p, c->turns);
    return ipr_db_exec(s->db, IPR_Q_PLAYER_TOTAL_ADD, &p, NULL, s->err);
}

static enum ipr_code add_judge(const struct store *s, unsigned sides, bool first)
{
    struct ipr_contribution sum = { 0 };
    struct ipr_db_params p = { 0 };
    int n = 0;

    for (int c = 0; c < 2; c++)
        if (sides >> c & 1u) {
            n += s->sign;
            sum.turns += s->side[c].turns;
            for (size_t i = 0; i < IPR_TRANSITIONS; i++)
                sum.transitions[i] += s->side[c].transitions[i];
        }
    ipr_db_p_int(&p, s->judge_id);
    ipr_db_p_int(&p, s->game->id % SHARDS);
    ipr_db_p_int(&p, first ? s->sign : 0);
    ipr_db_p_int(&p, n);
    ipr_db_p_int(&p, sum.turns);
    p_transitions(&p, sum.transitions);
    return ipr_db_exec(s->db, IPR_Q_JUDGE_TOTAL_ADD, &p, NULL, s->err);
}

/* Every transaction locks in one order: the game; player-years by ascending player (a game has
 * one year); player totals by ascending player; the judge's total. So none waits in a circle. */
static enum ipr_code add_aggregates(const struct store *s, unsigned sides, bool first)
{
    const int32_t id[2] = { s->game->white_id, s->game->black_id };
    const int low = id[0] <= id[1] ? 0 : 1;
    enum ipr_code rc = IPR_OK;

    for (int i = 0; i < 2 && rc == IPR_OK && s->game->year != 0; i++)
        if (sides >> (i ^ low) & 1u)
            rc = add_year(s, id[i ^ low], &s->side[i ^ low]);
    for (int i = 0; i < 2 && rc == IPR_OK; i++)
        if (sides >> (i ^ low) & 1u)
            rc = add_player(s, id[i ^ low], &s->side[i ^ low]);
    if (rc == IPR_OK)
        rc = add_judge(s, sides, first);
    return rc;
}

enum ipr_code ipr_db_sides_store(struct ipr_db *db, int32_t judge_id,
                                 const struct ipr_db_game *game,
                                 const struct ipr_judged_game *judged, unsigned sides,
                                 const char *source, unsigned *stored, struct ipr_err *err)
{
    struct store s = {
        .db = db, .judge_id = judge_id, .game = game, .judged = judged, .sign = 1, .err = err
    };
    unsigned there = 0;

    for (size_t i = 0; i < judged->n; i++)
        ipr_contribution_add(&s.side[judged->turns[i].mover & 1u], &judged->turns[i]);

    enum ipr_code rc = lock_game(&s);
    if (rc == IPR_OK)
        rc = ipr_db_sides_judged(db, judge_id, game->id, &there, err);
    if (rc != IPR_OK)
        return rc;
    const unsigned fresh = sides & 3u & ~there;
    if (fresh != 0) {
        rc = add_sides(&s, fresh, source);
        if (rc == IPR_OK)
            rc = add_turns(&s, fresh);
        if (rc == IPR_OK)
            rc = add_aggregates(&s, fresh, there == 0);
        if (rc == IPR_OK)
            rc = ipr_db_exec(db, IPR_Q_NOTIFY_PROGRESS, NULL, NULL, err);
    }
    if (rc == IPR_OK && stored != NULL)
        *stored = fresh;
    return rc;
}

/* ---- taking away ------------------------------------------------------------------------------
 */

static void negate(struct ipr_contribution *c)
{
    c->turns = -c->turns;
    c->counted = -c->counted;
    c->at_0 = -c->at_0;
    c->at_30 = -c->at_30;
    for (size_t i = 0; i < IPR_TRANSITIONS; i++)
        c->transitions[i] = -c->transitions[i];
}

/* All sides of one judge. */
static enum ipr_code count_judge(struct ipr_db *db, const struct ipr_db_game *game,
                                 int32_t judge_id, int sign, struct ipr_arena *mem,
                                 struct ipr_err *err)
{
    struct ipr_judged_game judged = { 0 };
    struct store s = { .db = db, .judge_id = judge_id, .game = game, .sign = sign, .err = err };
    unsigned sides = 0;
    enum ipr_code rc = ipr_db_sides_judged(db, judge_id, game->id, &sides, err);

    if (rc == IPR_OK)
        rc = ipr_db_game_turns(db, judge_id, game->id, mem, &judged, err);
    for (size_t i = 0; i < judged.n; i++)
        ipr_contribution_add(&s.side[judged.turns[i].mover & 1u], &judged.turns[i]);
    for (int c = 0; c < 2 && sign < 0; c++)
        negate(&s.side[c]);
    return rc == IPR_OK ? add_aggregates(&s, sides, true) : rc;
}

enum ipr_code ipr_db_sides_count(struct ipr_db *db, int64_t game_id, int sign, struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_db_params p = { 0 };
    struct ipr_db_game game;
    struct store s = { .db = db, .game = &game, .err = err };
    void *list = NULL;
    size_t n = 0;

    ipr_db_p_int(&p, game_id);
    enum ipr_code rc = ipr_db_list(db, IPR_Q_GAME_JUDGES, &p, &mem, sizeof(int32_t),
                                   ipr_db_fill_id32, &list, &n, err);
    if (rc == IPR_OK && n > 0)
        rc = ipr_db_game_get(db, game_id, &mem, &game, err);
    if (rc == IPR_OK && n > 0)
        rc = lock_game(&s);
    for (size_t i = 0; rc == IPR_OK && i < n; i++)
        rc = count_judge(db, &game, ((const int32_t *)list)[i], sign, &mem, err);
    ipr_arena_release(&mem);
    return rc;
}

enum ipr_code ipr_db_sides_forget(struct ipr_db *db, int64_t game_id, struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };
    enum ipr_code rc = ipr_db_sides_count(db, game_id, -1, err);

    ipr_db_p_int(&p, game_id);
    return rc == IPR_OK ? ipr_db_exec(db, IPR_Q_GAME_FORGET, &p, NULL, err) : rc;
}
