/* The moves of an event's games that are flagged. */
#include <string.h>

#include "model/strength_shipped.h"
#include "view/event/field.h"
#include "view/game/report.h"

/* Read at a time, at most; a player is never divided. With the lines of a wide setting a turn has
 * 1.5 kB. */
#define FLAG_PLAYERS 20
#define FLAG_MOVES   6000

/* Players whose sides say which the rating's engine setting has analysed, as the reader of turns
 * expects it. */
static struct ipr_db_tournament_player *flag_players(struct ipr_event_entry *const *players,
                                                     size_t n, struct ipr_arena *mem,
                                                     int32_t *judge_id)
{
    struct ipr_db_tournament_player *out = ipr_arena_alloc(mem, n, sizeof *out);

    *judge_id = 0;
    for (size_t i = 0; i < n; i++) {
        const struct ipr_event_entry *const e = players[i];

        out[i] = (struct ipr_db_tournament_player){ .id = e->player.id,
                                                    .name = e->player.name,
                                                    .sides = ipr_arena_alloc(mem, e->player.n_sides,
                                                                             sizeof *out->sides),
                                                    .n_sides = e->player.n_sides };
        for (size_t k = 0; k < e->player.n_sides; k++) {
            out[i].sides[k] = *e->sides[k].of;
            out[i].sides[k].turns =
                e->sides[k].game.moves > 0 ? (int32_t)e->sides[k].game.moves : -1;
        }
        if (e->strength.judge_id != 0)
            *judge_id = e->strength.judge_id;
    }
    return out;
}

enum ipr_code ipr_event_turns(const struct ipr_view_context *c,
                              struct ipr_event_entry *const *players, size_t n,
                              struct ipr_arena *mem, struct ipr_db_player_turns *out,
                              struct ipr_err *err)
{
    int32_t judge_id;
    const struct ipr_db_tournament_player *const of = flag_players(players, n, mem, &judge_id);

    memset(out, 0, n * sizeof *out);
    return judge_id == 0 ? IPR_OK
                         : ipr_db_tournament_turns(c->v->db, judge_id, of, n, mem, out, err);
}

/* The moves of a player by the setting of the rating, and by that which marks them, if there is
 * one. */
struct flag_moves {
    const struct ipr_db_player_turns *t, *wide;
    struct ipr_marking *by;
    struct ipr_arena *mem;
};

/* Returns a player's half of a game by the setting that marks: its turns are adjacent. */
static struct ipr_judged_game flag_wide_game(const struct ipr_db_player_turns *wide, int64_t id,
                                             int colour, struct ipr_arena *mem)
{
    struct ipr_judged_game out = { NULL, 0 };
    size_t k = 0, first = 0;

    while (k < wide->n_sides && (wide->sides[k].game_id != id || wide->sides[k].colour != colour))
        k++;
    if (wide->n == 0 || k == wide->n_sides || wide->sides[k].game < 0)
        return out;
    while (first < wide->n && wide->turns[first].game != wide->sides[k].game)
        first++;
    while (first + out.n < wide->n && wide->turns[first + out.n].game == wide->sides[k].game)
        out.n++;
    out.turns = ipr_arena_alloc(mem, out.n + 1, sizeof *out.turns);
    if (out.n > 0)
        memcpy(out.turns, wide->judged + first, out.n * sizeof *out.turns);
    return out;
}

static int flag_ply(const struct flag_moves *m, int32_t game, bool better)
{
    const struct ipr_db_player_turns *const t = m->t;
    int first = -1, other = -1;

    for (size_t i = 0; i < t->n; i++) {
        if (t->turns[i].game != game ||
            t->judged[i].moves == NULL) /* figures alone have no board */
            continue;
        if (first < 0)
            first = t->turns[i].ply + 1;
        const enum ipr_mark mark = ipr_marking_of(m->by, &t->judged[i], &t->turns[i], m->mem).mark;

        if (mark != IPR_MARK_NONE && (mark == IPR_MARK_FOUND) == better)
            return t->turns[i].ply + 1;
        if (mark != IPR_MARK_NONE && other < 0)
            other = t->turns[i].ply + 1;
    }
    return other >= 0 ? other : first;
}

static void flag_player(const struct flag_moves *m, struct ipr_event_entry *e)
{
    const struct ipr_db_player_turns *const t = m->t;

    for (size_t k = 0; k < e->player.n_sides && t->n > 0; k++) {
        struct ipr_event_side *const s = &e->sides[k];

        for (size_t i = 0; i < t->n_sides; i++)
            if (t->sides[i].game_id == s->of->game_id && t->sides[i].colour == s->of->colour &&
                t->sides[i].game >= 0) {
                m->by->game = flag_wide_game(m->wide, s->of->game_id, s->of->colour, m->mem);
                s->game.ply = flag_ply(m, t->sides[i].game, s->game.z > 0);
            }
    }
}

/* How many of n players are read at a time. */
static size_t flag_batch(struct ipr_event_entry *const *players, size_t n)
{
    size_t some = 0;
    int64_t moves = 0;

    while (some < n && some < FLAG_PLAYERS) {
        moves += players[some]->strength.moves;
        if (some > 0 && moves > FLAG_MOVES)
            break;
        some++;
    }
    return some;
}

/* Both settings' moves of n players with a query each. */
static enum ipr_code flag_some(const struct ipr_view_context *c, struct ipr_marking *by,
                               struct ipr_event_entry *const *players, size_t n,
                               struct ipr_arena *mem, struct ipr_err *err)
{
    struct ipr_db_player_turns turns[FLAG_PLAYERS], wide[FLAG_PLAYERS] = { 0 };
    int32_t judge_id;

    enum ipr_code rc = ipr_event_turns(c, players, n, mem, turns, err);
    if (rc == IPR_OK && by->judge_id != 0)
        rc = ipr_db_tournament_turns(c->v->db, by->judge_id,
                                     flag_players(players, n, mem, &judge_id), n, mem, wide, err);
    for (size_t i = 0; rc == IPR_OK && i < n; i++)
        flag_player(&(struct flag_moves){ &turns[i], &wide[i], by, mem }, players[i]);
    return rc;
}

enum ipr_code ipr_event_flag(const struct ipr_view_context *c,
                             struct ipr_event_entry *const *players, size_t n, struct ipr_err *err)
{
    struct ipr_marking by = { 0 };
    const struct ipr_judge shown = ipr_setting_rating();
    enum ipr_code rc = n > 0 ? ipr_marking_open(c, &shown, &by, err) : IPR_OK;

    for (size_t from = 0, some; rc == IPR_OK && from < n; from += some) {
        struct ipr_arena mem = IPR_ARENA_INIT;

        some = flag_batch(players + from, n - from);
        rc = flag_some(c, &by, players + from, some, &mem, err);
        ipr_arena_release(&mem);
    }
    return rc;
}
