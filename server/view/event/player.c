/* A player in an event: the dossier that an arbiter prints. */
#include <math.h>
#include <sodium.h>
#include <string.h>

#include "chess/san.h"
#include "db/games.h"
#include "model/judged.h"
#include "model/screening.h"
#include "model/strength_shipped.h"
#include "view/certainty.h"
#include "view/event/event.h"
#include "view/event/field.h"
#include "view/game/report.h"
#include "view/json.h"

/* ---- flagged moves ---- */

static json_t *flagged_move(const struct ipr_pos *pos, const struct ipr_judged_turn *t,
                            const struct ipr_marked *marked)
{
    char played[IPR_SAN_MAX], best[IPR_SAN_MAX];

    ipr_san_write(pos, t->moves[t->played], played);
    ipr_san_write(pos, t->moves[0], best);
    return json_pack("{s:i, s:i, s:s, s:s, s:s, s:s, s:o}", "ply", (int)t->ply + 1, "number",
                     (int)pos->fullmove, "mover", t->mover == IPR_WHITE ? "w" : "b", "san", played,
                     "mark", ipr_mark_name(marked->mark), "best", best, "points_lost",
                     ipr_json_num(marked->lost));
}

/* Those of the player in one game. `at`: the first of its turns. */
static enum ipr_code flagged_of_game(const struct ipr_view_context *c, struct ipr_marking *by,
                                     const struct ipr_db_player_turns *t, size_t at, int64_t id,
                                     json_t *list, struct ipr_err *err)
{
    struct ipr_db_game game;
    enum ipr_code rc = ipr_db_game_get(c->v->db, id, c->v->mem, &game, err);

    if (rc == IPR_OK)
        rc = ipr_marking_read(c, id, by, err);

    if (rc != IPR_OK)
        return rc;
    struct ipr_pos pos = game.start;
    const int32_t number = t->turns[at].game;
    for (size_t ply = 0; ply < game.n_moves && at < t->n && t->turns[at].game == number; ply++) {
        if (t->turns[at].ply == ply) {
            const struct ipr_marked marked =
                ipr_marking_of(by, &t->judged[at], &t->turns[at], c->v->mem);

            if (marked.mark != IPR_MARK_NONE)
                json_array_append_new(list, flagged_move(&pos, &t->judged[at], &marked));
            at++;
        }
        ipr_pos_play(&pos, game.moves[ply]);
    }
    return IPR_OK;
}

/* Sets "flagged" of every game: null where its moves are not known or not analysed. */
static enum ipr_code flagged_of_rounds(const struct ipr_view_context *c,
                                       const struct ipr_db_player_turns *t, json_t *rounds,
                                       struct ipr_err *err)
{
    struct ipr_marking by = { 0 };
    struct ipr_judge shown = { .multipv = 0 };
    enum ipr_code rc = ipr_judge_builtin(IPR_STRENGTH_JUDGE, &shown)
                           ? ipr_marking_open(c, &shown, &by, err)
                           : IPR_OK;
    json_t *round, *game;
    size_t r, i;

    json_array_foreach(rounds, r, round)
        json_array_foreach(json_object_get(round, "games"), i, game) {
            const int64_t id = json_integer_value(json_object_get(game, "game"));
            json_t *list = NULL;

            for (size_t k = 0; k < t->n_sides && list == NULL; k++)
                for (size_t at = 0; at < t->n && t->sides[k].game_id == id && list == NULL; at++)
                    if (t->turns[at].game == t->sides[k].game) {
                        list = json_array();
                        if (rc == IPR_OK)
                            rc = flagged_of_game(c, &by, t, at, id, list, err);
                    }
            json_object_set_new(game, "flagged", list != NULL ? list : json_null());
        }
    return rc;
}

static enum ipr_code add_rounds(const struct ipr_view_context *c, const struct ipr_event_field *f,
                                struct ipr_event_entry *e, json_t *out, struct ipr_err *err)
{
    struct ipr_db_player_turns turns;
    enum ipr_code rc = ipr_event_flag(c, &e, 1, err);

    if (rc == IPR_OK)
        rc = ipr_event_turns(c, &e, 1, c->v->mem, &turns, err);
    if (rc != IPR_OK)
        return rc;
    json_t *rounds = ipr_event_rounds_json(f, e);
    rc = flagged_of_rounds(c, &turns, rounds, err);
    json_object_set_new(out, "rounds", rounds);
    json_object_set_new(out, "numbered_by", json_string(f->tagged ? "tags" : "dates"));
    return rc;
}

/* ---- base rates ---- */

static json_t *base_rates(void)
{
    json_t *out = json_array();

    for (size_t i = 0; i < IPR_STRENGTH_NULLS; i++) {
        const struct ipr_strength_null *const row = &ipr_strength_shipped.null_sets[i];

        json_array_append_new(
            out, json_pack("{s:I, s:I, s:o, s:o, s:o}", "moves", (json_int_t)row->moves, "sets",
                           (json_int_t)row->sets, "above_2", ipr_json_num(row->above[0]), "above_3",
                           ipr_json_num(row->above[1]), "above_4", ipr_json_num(row->above[2])));
    }
    return out;
}

/* SHA-256 of the constants that the rating and z are computed with. */
static json_t *calibration_digest(void)
{
    unsigned char raw[crypto_hash_sha256_BYTES];
    char hex[2 * sizeof raw + 1];

    crypto_hash_sha256(raw, (const unsigned char *)&ipr_strength_shipped,
                       sizeof ipr_strength_shipped);
    return json_string(sodium_bin2hex(hex, sizeof hex, raw, sizeof raw));
}

static json_t *calibration_json(void)
{
    return json_pack("{s:s, s:i, s:o, s:s, s:s, s:i, s:i}", "name", "rating", "version",
                     IPR_STRENGTH_VERSION, "digest", calibration_digest(), "engine",
                     IPR_STRENGTH_ENGINE, "network", IPR_STRENGTH_NETWORK, "lines", 2, "depth",
                     IPR_STRENGTH_DEPTHS);
}

/* ---- the answer ---- */

static void add_player(const struct ipr_view_context *c, const struct ipr_event_field *f,
                       const struct ipr_event_entry *e, json_t *out)
{
    json_t *whole = ipr_event_screening(c, f);

    json_object_del(whole, "rows");
    json_object_del(whole, "excluded");
    json_object_del(whole, "detail");
    json_object_set_new(out, "player", ipr_json_player(e->player.id, e->player.name));
    json_object_set_new(out, "place", json_integer((json_int_t)e->place));
    json_object_set_new(out, "players", json_integer((json_int_t)f->n));
    json_object_set_new(out, "only_player", ipr_event_only_json(f));
    json_object_set_new(out, "games", json_integer((json_int_t)e->player.n_sides));
    json_object_set_new(out, "score", json_real(e->score));
    json_object_set_new(out, "results", ipr_shape_json(IPR_SHAPE_RESULTS, &e->results->results));
    json_object_set_new(out, "rating",
                        ipr_shape_json(IPR_SHAPE_RATING, ipr_strength_figure(c, &e->strength)));
    json_object_set_new(out, "test", ipr_event_test_json(f, e));
    json_object_set_new(out, "field", whole);
    json_object_set_new(out, "answer", json_string(ipr_event_player_answer(f, e, c->v->mem)));
    json_object_set_new(out, "base_rates", base_rates());
    json_object_set_new(out, "rating_calibration", calibration_json());
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
        e->test = (struct ipr_event_test){ .reason = "no game of this time control", .z = NAN };
    }
    *out = e;
    return IPR_OK;
}

static enum ipr_code fill_player(const struct ipr_view_context *c, int32_t event, int32_t root,
                                 bool all_classes, json_t *out, struct ipr_err *err)
{
    struct ipr_event_field f = { 0 };
    enum ipr_code rc = ipr_event_field_of(c, event, &f, err);

    if (rc == IPR_OK)
        rc = ipr_event_test_all(c, event, &f, err);
    if (rc != IPR_OK)
        return rc;
    struct ipr_event_entry *e = find_player(&f, root);
    if (e == NULL)
        rc = player_of_other_class(c, event, root, &e, err);
    if (rc != IPR_OK)
        return rc;
    if (e == NULL)
        return ipr_err_set(err, IPR_ENOTFOUND, "no games of player %d in event %d", (int)root,
                           (int)event);
    rc = add_rounds(c, &f, e, out, err);
    if (rc == IPR_OK) {
        add_player(c, &f, e, out);
        ipr_event_add_part(&f, all_classes, c->v->mem, out);
    }
    return rc;
}

enum ipr_code ipr_fill_event_player(const struct ipr_view_context *c,
                                    const struct ipr_event_player_request *p, json_t *out,
                                    struct ipr_err *err)
{
    struct ipr_db_tournament_games t;
    struct ipr_db_player player;

    enum ipr_code rc =
        ipr_db_tournament_get(c->v->db, p->event, c->judge_id, c->times, c->v->mem, &t, err);
    if (rc == IPR_OK)
        rc = ipr_db_player_get(c->v->db, p->player, c->judge_id, c->times, c->v->mem, &player, err);
    if (rc != IPR_OK)
        return rc;
    if (t.games > IPR_TOURNAMENT_GAMES)
        return ipr_err_set(err, IPR_ENOTFOUND, "event %d has too many games for a tournament",
                           (int)p->event);
    ipr_view_context_add_basis(c, out);
    json_object_set_new(out, "event",
                        json_pack("{s:i, s:s, s:o}", "id", (int)t.id, "name", t.name, "year",
                                  ipr_json_known(t.year)));
    rc = ipr_event_add_with_moves(c, p->event, out, err);
    return rc == IPR_OK ? fill_player(c, p->event, player.id, ipr_event_has_all(c, &t), out, err)
                        : rc;
}
