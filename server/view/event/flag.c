/* The moves of an event's games that are flagged. */
#include <string.h>

#include "view/event/field.h"
#include "view/game/report.h"

/* Read at a time: some 10 MB. */
#define FLAG_PLAYERS 20

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
            out[i].sides[k].turns = e->sides[k].moves > 0 ? e->sides[k].moves : -1;
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

static int flag_ply(const struct ipr_db_player_turns *t, int32_t game, bool better)
{
    int first = -1, other = -1;

    for (size_t i = 0; i < t->n; i++) {
        if (t->turns[i].game != game)
            continue;
        if (first < 0)
            first = t->turns[i].ply + 1;
        const enum ipr_mark mark = ipr_game_mark(&t->judged[i], &t->turns[i]);

        if (mark != IPR_MARK_NONE && (mark == IPR_MARK_FOUND) == better)
            return t->turns[i].ply + 1;
        if (mark != IPR_MARK_NONE && other < 0)
            other = t->turns[i].ply + 1;
    }
    return other >= 0 ? other : first;
}

static void flag_player(const struct ipr_db_player_turns *t, struct ipr_event_entry *e)
{
    for (size_t k = 0; k < e->player.n_sides && t->n > 0; k++) {
        struct ipr_event_side *const s = &e->sides[k];

        for (size_t i = 0; i < t->n_sides; i++)
            if (t->sides[i].game_id == s->of->game_id && t->sides[i].colour == s->of->colour &&
                t->sides[i].game >= 0)
                s->ply = flag_ply(t, t->sides[i].game, s->z > 0);
    }
}

enum ipr_code ipr_event_flag(const struct ipr_view_context *c,
                             struct ipr_event_entry *const *players, size_t n, struct ipr_err *err)
{
    struct ipr_db_player_turns turns[FLAG_PLAYERS];
    enum ipr_code rc = IPR_OK;

    for (size_t from = 0; rc == IPR_OK && from < n; from += FLAG_PLAYERS) {
        const size_t some = n - from < FLAG_PLAYERS ? n - from : FLAG_PLAYERS;
        struct ipr_arena mem = IPR_ARENA_INIT;

        rc = ipr_event_turns(c, players + from, some, &mem, turns, err);
        for (size_t i = 0; rc == IPR_OK && i < some; i++)
            flag_player(&turns[i], players[from + i]);
        ipr_arena_release(&mem);
    }
    return rc;
}
