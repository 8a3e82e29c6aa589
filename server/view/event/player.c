/* A player in an event: the dossier that an arbiter prints. */
#include <math.h>
#include <sodium.h>
#include <stddef.h>
#include <string.h>

#include "chess/san.h"
#include "db/confirmations.h"
#include "model/judged.h"
#include "model/screening.h"
#include "model/strength_shipped.h"
#include "sentence/sentence.h"
#include "view/event/field.h"
#include "view/game/report.h"

/* ---- flagged moves ---- */

static const char *flagged_san(const struct ipr_pos *pos, ipr_move move, struct ipr_arena *mem)
{
    char *const out = ipr_arena_alloc(mem, IPR_SAN_MAX, 1);

    ipr_san_write(pos, move, out);
    return out;
}

/* Those of the player in one game. */
static enum ipr_code flagged_of_game(const struct ipr_view_context *c,
                                     const struct ipr_db_player_side *side,
                                     struct ipr_list_flagged_move *out, struct ipr_err *err)
{
    struct ipr_marked *marked = NULL;
    struct ipr_db_game game;
    size_t waiting = 0;
    enum ipr_code rc = ipr_db_game_get(c->v->db, side->game_id, c->v->mem, &game, err);

    if (rc == IPR_OK)
        rc = ipr_db_marked(c->v->db, &game, NULL, c->v->mem, &marked, &waiting, err);
    if (rc != IPR_OK || game.n_moves == 0)
        return rc;
    struct ipr_pos pos = game.start;
    out->at = ipr_arena_alloc(c->v->mem, game.n_moves / 2 + 2, sizeof *out->at);
    for (size_t ply = 0; ply < game.n_moves; ply++) {
        const struct ipr_judged_turn *const turn = marked[ply].by;

        if (pos.turn == side->colour && marked[ply].mark != IPR_MARK_NONE)
            out->at[out->n++] = (struct ipr_answer_flagged_move){
                .ply = turn->ply + 1,
                .number = pos.fullmove,
                .mover = ipr_colour_letter(turn->mover),
                .san = flagged_san(&pos, turn->moves[turn->played], c->v->mem),
                .mark = ipr_mark_name(marked[ply].mark),
                .best = flagged_san(&pos, turn->moves[0], c->v->mem),
                .points_lost = marked[ply].lost,
            };
        ipr_pos_play(&pos, game.moves[ply]);
    }
    return IPR_OK;
}

/* ---- rounds ---- */

static enum ipr_code player_rounds(const struct ipr_view_context *c,
                                   const struct ipr_event_field *f, struct ipr_event_entry *e,
                                   struct ipr_answer_event_player *out, struct ipr_err *err)
{
    struct ipr_answer_event_player_game *games =
        ipr_arena_alloc(c->v->mem, e->player.n_sides + 1, sizeof *games);
    enum ipr_code rc = IPR_OK;

    out->numbered_by = f->tagged ? "tags" : "dates";
    out->rounds.at = ipr_arena_alloc(c->v->mem, f->n_rounds + 1, sizeof *out->rounds.at);
    out->rounds.n = f->n_rounds;
    for (size_t r = 0; r < f->n_rounds; r++) {
        struct ipr_list_event_player_game *const of = &out->rounds.at[r].games;

        out->rounds.at[r].round = f->rounds[r];
        of->at = games;
        for (size_t k = 0; rc == IPR_OK && k < e->player.n_sides; k++) {
            const struct ipr_event_side *const side = &e->sides[k];

            if ((size_t)side->round != r)
                continue;
            games->event_game = ipr_event_game(f, side);
            if (side->game.moves > 0)
                rc = flagged_of_game(c, side->of, &games->flagged, err);
            games++;
            of->n++;
        }
    }
    return rc;
}

/* ---- all of it ---- */

/* SHA-256 of the constants that the rating and z are computed with: those of moves, no addresses.
 */
static const char *calibration_digest(const struct ipr_strength_shipped *s, struct ipr_arena *mem)
{
    unsigned char raw[crypto_hash_sha256_BYTES];
    char *const hex = ipr_arena_alloc(mem, 2, sizeof raw + 1);
    struct ipr_strength_shipped moves = *s;

    moves.sides = NULL;
    crypto_hash_sha256(raw, (const unsigned char *)&moves,
                       offsetof(struct ipr_strength_shipped, human));
    return sodium_bin2hex(hex, 2 * sizeof raw + 1, raw, sizeof raw);
}

static struct ipr_event_entry *find_player(const struct ipr_event_field *f, int32_t root)
{
    for (size_t i = 0; i < f->n; i++)
        if (f->all[i].player.id == root)
            return &f->all[i];
    return NULL;
}

/* A player all of whose games are of other classes of time control than those that count: without
 * games. NULL: no player of the event. */
static enum ipr_code player_of_other_class(const struct ipr_view_context *c, int32_t event,
                                           int32_t root, struct ipr_event_entry **out,
                                           struct ipr_err *err)
{
    struct ipr_view_context all = *c;
    struct ipr_event_field f = { 0 };

    all.times = IPR_TIME_SET_ALL;
    const enum ipr_code rc = ipr_event_field_of(&all, event, &f, err);
    if (rc != IPR_OK)
        return rc;
    struct ipr_event_entry *const e = find_player(&f, root);
    if (e != NULL) {
        e->player.n_sides = 0;
        e->strength = (struct ipr_db_strength){ 0 };
        e->results->results = ipr_elo_results(c, NULL, 0);
        e->score = 0;
        ipr_shape_blank(IPR_SHAPE_SCREENING_ROW, &e->test);
        e->test.player = ipr_named(e->player.id, e->player.name);
        e->test.moves = e->test.games = e->test.games_tested = 0;
        e->test.reason = ipr_say_event_not_tested(
            IPR_EVENT_NOT_TESTED_TIME, &(struct ipr_event_not_tested_slots){ 0 }, c->v->mem);
    }
    *out = e;
    return IPR_OK;
}

enum ipr_code ipr_fill_event_player(const struct ipr_view_context *c,
                                    const struct ipr_event_player_request *p,
                                    struct ipr_answer_event_player *out, struct ipr_err *err)
{
    struct ipr_event_field f = { 0 };
    struct ipr_db_tournament_games t;
    struct ipr_db_player player;
    struct ipr_event_entry *e = NULL;

    enum ipr_code rc = ipr_event_get(c, p->event, &t, &out->event, &out->games_with_moves, err);
    if (rc == IPR_OK)
        rc = ipr_db_player_get(c->v->db, p->player, c->judge_id, c->times, c->v->mem, &player, err);
    if (rc == IPR_OK && t.games > IPR_TOURNAMENT_GAMES)
        return ipr_err_set(err, IPR_ENOTFOUND, "event %d has too many games for a tournament",
                           (int)p->event);
    if (rc == IPR_OK)
        rc = ipr_event_field_of(c, p->event, &f, err);
    if (rc == IPR_OK)
        rc = ipr_event_test_all(c, p->event, &f, err);
    if (rc == IPR_OK && (e = find_player(&f, player.id)) == NULL)
        rc = player_of_other_class(c, p->event, player.id, &e, err);
    if (rc == IPR_OK && e == NULL)
        return ipr_err_set(err, IPR_ENOTFOUND, "no games of player %d in event %d", (int)player.id,
                           (int)p->event);
    if (rc == IPR_OK)
        rc = player_rounds(c, &f, e, out, err);
    if (rc != IPR_OK)
        return rc;
    ipr_view_context_basis(c, &out->basis_of_figures);
    ipr_event_stored(c, &t, &f, &out->event_stored);
    out->player = ipr_named(e->player.id, e->player.name);
    out->place = (int64_t)e->place;
    out->players = (int64_t)f.n;
    out->games = (int64_t)e->player.n_sides;
    out->score = e->score;
    out->results = e->results->results;
    out->rating = *ipr_strength_figure(c, &e->strength);
    out->test = e->test;
    out->field = ipr_event_screening(&f, c->v->mem)->event_player_field;
    out->answer = ipr_event_player_answer(&f, e, c->v->mem);
    out->base_rates.at = ipr_arena_alloc(c->v->mem, IPR_STRENGTH_NULLS, sizeof *out->base_rates.at);
    const struct ipr_scale *const scale = &f.pool->moves;
    for (size_t i = 0; scale->fit != NULL && i < IPR_STRENGTH_NULLS; i++) {
        const struct ipr_strength_null *const row = &scale->fit->null_sets[i];

        if (i > 0 && row->moves <= row[-1].moves)
            break; /* so many moves are not tested */
        out->base_rates.at[out->base_rates.n++] =
            (struct ipr_answer_base_rate){ .moves = (int64_t)row->moves,
                                           .sets = (int64_t)row->sets,
                                           .above_2 = row->above[0],
                                           .above_3 = row->above[1],
                                           .above_4 = row->above[2] };
    }
    out->rating_calibration = (struct ipr_answer_rating_calibration){
        .name = ipr_scale_name(scale),
        .version = IPR_STRENGTH_VERSION,
        .digest = scale->fit != NULL ? calibration_digest(scale->fit, c->v->mem) : NULL,
        .engine = IPR_STRENGTH_ENGINE,
        .network = IPR_STRENGTH_NETWORK,
        .lines = 2,
        .depth = IPR_STRENGTH_DEPTHS,
    };
    return IPR_OK;
}
