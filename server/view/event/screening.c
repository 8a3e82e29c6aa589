/* Crosstable and screening of an event. */
#include "model/screening.h"

#include <math.h>
#include <string.h>

#include "sentence/sentence.h"
#include "view/document.h"
#include "view/event/field.h"
#include "view/json.h"

#define SCREENING_LIMIT 3    /* standard errors that are counted */
#define SCREENING_LEVEL 0.05 /* of the corrected probability */
#define COMMON          0.2  /* tail of one player that is no news */
#define FINDS_FEWEST    50 /* players of a field that the figures of composed Swisses are shown in */
#define FINDS_MOST      200
#define FINDS_NEAR      200. /* Elo from the mean of the field to their level */
#define FINDS_SHARE     0.5  /* of the moves, an engine's */

/* ---- rounds ---- */

struct ipr_answer_event_game ipr_event_game(const struct ipr_event_field *f,
                                            const struct ipr_event_side *s)
{
    struct ipr_answer_event_game out = s->game;

    for (size_t i = 0; i < f->n && out.opponent_number == IPR_NO_COUNT; i++)
        if (f->all[i].player.id == s->of->opponent)
            out.opponent_number = (int64_t)i + 1;
    return out;
}

static struct ipr_list_event_round crosstable_rounds(const struct ipr_event_field *f,
                                                     const struct ipr_event_entry *e,
                                                     struct ipr_arena *mem)
{
    struct ipr_answer_event_round *const rounds =
        ipr_arena_alloc(mem, f->n_rounds + 1, sizeof *rounds);
    struct ipr_answer_event_game *games =
        ipr_arena_alloc(mem, e->player.n_sides + 1, sizeof *games);

    for (size_t r = 0; r < f->n_rounds; r++) {
        rounds[r] = (struct ipr_answer_event_round){ .round = f->rounds[r], .games = { games, 0 } };
        for (size_t k = 0; k < e->player.n_sides; k++)
            if ((size_t)e->sides[k].round == r)
                games[rounds[r].games.n++] = ipr_event_game(f, &e->sides[k]);
        games += rounds[r].games.n;
    }
    return (struct ipr_list_event_round){ rounds, f->n_rounds };
}

struct ipr_answer_crosstable *ipr_event_crosstable(const struct ipr_event_field *f,
                                                   struct ipr_arena *mem)
{
    struct ipr_answer_crosstable *const out = ipr_arena_alloc(mem, 1, sizeof *out);

    if (f->n > IPR_EVENT_TABLE)
        return NULL;
    *out = (struct ipr_answer_crosstable){
        .rounds = { ipr_arena_alloc(mem, f->n_rounds + 1, sizeof *out->rounds.at), f->n_rounds },
        .numbered_by = f->tagged ? "tags" : "dates",
        .rows = { ipr_arena_alloc(mem, f->n + 1, sizeof *out->rows.at), f->n },
    };
    for (size_t r = 0; r < f->n_rounds; r++)
        out->rounds.at[r] = f->rounds[r];
    for (size_t i = 0; i < f->n; i++) {
        const struct ipr_event_entry *const e = &f->all[i];

        out->rows.at[i] = (struct ipr_answer_crosstable_row){
            .number = (int64_t)i + 1,
            .place = (int64_t)e->place,
            .player = ipr_named(e->player.id, e->player.name),
            .elo = e->results->elo_mean.figure.estimate,
            .score = e->score,
            .rounds = crosstable_rounds(f, e, mem),
        };
    }
    return out;
}

/* ---- tests ---- */

/* How often somebody is so far above in a field of this size; NULL where that is most matches,
 * where the player alone is tested, or where these are no games of a field. By Holm's bound, which
 * holds whatever the players have in common. */
static const char *screening_by_chance(const struct ipr_event_field *f,
                                       const struct ipr_event_entry *e, struct ipr_arena *mem)
{
    const struct ipr_event_by_chance_slots slots = { .field = (double)f->n_tested,
                                                     .expected =
                                                         (double)f->n_tested * e->test.tail };
    enum ipr_event_by_chance which = IPR_EVENT_BY_CHANCE_TOURNAMENT;

    if (f->n_tested < 2 || f->only != NULL || (f->n == 2 && slots.expected >= .5))
        return NULL;
    if (f->n == 2)
        which = IPR_EVENT_BY_CHANCE_MATCH;
    else if (slots.expected >= .5)
        which = IPR_EVENT_BY_CHANCE_MOST;
    return ipr_say_event_by_chance(which, &slots, mem);
}

/* How rare that is for one player, and in a field of this size; z is in the table. */
const char *ipr_event_player_answer(const struct ipr_event_field *f,
                                    const struct ipr_event_entry *e, struct ipr_arena *mem)
{
    const struct ipr_answer_screening_row *const t = &e->test;
    const bool ranked = f->only == NULL && f->n_tested >= 2;
    struct ipr_event_player_slots slots = { .reason = t->reason,
                                            .elo = t->elo,
                                            .tail = t->tail,
                                            .moves = (double)t->moves,
                                            .games = (double)t->games_tested,
                                            .rank = ranked ? (double)t->rank : (double)NAN,
                                            .tested = (double)f->n_tested };
    enum ipr_event_player which = IPR_EVENT_PLAYER_ABOVE;

    if (t->reason != NULL)
        return ipr_say_event_player(IPR_EVENT_PLAYER_NOT_TESTED, &slots, mem);
    slots.source = t->elo_source;
    if (strcmp(t->elo_source, "both") == 0)
        slots.source = ipr_say_event_source(IPR_EVENT_SOURCE_BOTH);
    if (t->tail >= .5)
        which = IPR_EVENT_PLAYER_NOT_ABOVE;
    else
        slots.by_chance = screening_by_chance(f, e, mem);
    if (t->tail < .5 && t->tail >= COMMON)
        which = IPR_EVENT_PLAYER_COMMON;
    return ipr_say_event_player(which, &slots, mem);
}

/*
 * The answer: whether anybody stands out once the number of players tested is corrected for, and
 * how rare that is in a field of this size (at most, whatever the players have in common). Where
 * the games are those of one player, no field: the test of that player.
 */
static const char *screening_answer(const struct ipr_event_field *f, struct ipr_arena *mem,
                                    size_t alarms)
{
    enum ipr_event_standout which;

    if (f->only != NULL)
        return ipr_event_player_answer(f, f->only, mem);
    if (f->n_tested == 0)
        return NULL;
    const struct ipr_event_entry *const first = f->tested[0];
    const struct ipr_event_standout_slots slots = { .name = ipr_event_name(f, first, mem),
                                                    .tail = first->test.tail,
                                                    .field = (double)f->n_tested * first->test.tail,
                                                    .tested = (double)f->n_tested,
                                                    .alarms = (double)alarms };

    if (f->n_tested == 1 && slots.tail >= .5)
        which = IPR_EVENT_STANDOUT_ONE_NOT_ABOVE;
    else if (f->n_tested == 1 && slots.tail >= COMMON)
        which = IPR_EVENT_STANDOUT_ONE_COMMON;
    else if (f->n_tested == 1)
        which = alarms > 0 ? IPR_EVENT_STANDOUT_ONE_ALARM : IPR_EVENT_STANDOUT_ONE_ABOVE;
    else if (alarms == 0)
        which = f->n == 2 ? IPR_EVENT_STANDOUT_NEITHER : IPR_EVENT_STANDOUT_NOBODY;
    else if (alarms == 1)
        which = f->n == 2 ? IPR_EVENT_STANDOUT_MATCH : IPR_EVENT_STANDOUT_TOURNAMENT;
    else
        which =
            f->n == 2 ? IPR_EVENT_STANDOUT_MATCH_SEVERAL : IPR_EVENT_STANDOUT_TOURNAMENT_SEVERAL;
    return ipr_say_event_standout(which, &slots, mem);
}

/* Who is furthest above their own Elo, how rare that is for one player and in a field, and how many
 * are left by the correction. NULL where the answer says it all. */
static const char *screening_detail(const struct ipr_event_field *f, struct ipr_arena *mem,
                                    size_t alarms)
{
    enum ipr_event_furthest which = IPR_EVENT_FURTHEST_ABOVE;

    if (f->only != NULL || f->n_tested < 2)
        return NULL;
    const struct ipr_event_entry *const first = f->tested[0];
    const struct ipr_event_furthest_slots slots = {
        .name = ipr_event_name(f, first, mem),
        .match = f->n == 2,
        .tail = first->test.tail,
        .by_chance = screening_by_chance(f, first, mem),
        .alarms = alarms > 0 ? (double)alarms : (double)NAN,
    };

    if (slots.tail >= .5)
        which = f->n == 2 ? IPR_EVENT_FURTHEST_NEITHER : IPR_EVENT_FURTHEST_NOBODY;
    else if (slots.tail >= COMMON)
        which = IPR_EVENT_FURTHEST_COMMON;
    return ipr_say_event_furthest(which, &slots, mem);
}

struct ipr_answer_screening *ipr_event_screening(const struct ipr_event_field *f,
                                                 struct ipr_arena *mem)
{
    struct ipr_answer_screening *const out = ipr_arena_alloc(mem, 1, sizeof *out);
    struct ipr_answer_screening_row *const rows = ipr_arena_alloc(mem, f->n + 1, sizeof *rows);
    size_t alarms = 0, excluded = f->n_tested;
    double sum = 0;

    out->rows = (struct ipr_list_screening_row){ rows, f->n_tested };
    for (size_t i = 0; i < f->n_tested; i++) {
        rows[i] = f->tested[i]->test;
        sum += rows[i].z;
        out->found += rows[i].z > SCREENING_LIMIT;
        alarms += rows[i].adjusted < SCREENING_LEVEL;
    }
    for (size_t i = 0; i < f->n; i++)
        if (f->all[i].test.reason != NULL)
            rows[excluded++] = f->all[i].test;
    out->excluded = (struct ipr_list_screening_row){ rows + f->n_tested, excluded - f->n_tested };
    out->tested = (int64_t)f->n_tested;
    out->beyond = SCREENING_LIMIT;
    out->expected = ipr_screening_expected(f->n_tested, SCREENING_LIMIT);
    out->fewer_by_chance = ipr_screening_fewer(out->expected, (size_t)out->found);
    out->mean_z = f->n_tested > 0 ? sum / (double)f->n_tested : NAN;
    out->correction = "holm";
    out->level = SCREENING_LEVEL;
    out->below_level = (int64_t)alarms;
    out->games_analysed = (int64_t)f->games_analysed;
    out->answer = screening_answer(f, mem, alarms);
    out->detail = screening_detail(f, mem, alarms);
    return out;
}

/* ---- what such a test finds ---- */

/* After the first and the last number of rounds that the field has played. */
enum ipr_code ipr_event_finds(const struct ipr_view_context *c, const struct ipr_event_field *f,
                              const char **out, struct ipr_err *err)
{
    struct ipr_event_finds_slots slots = { .early = NAN };
    const json_t *row, *after, *nearest = NULL;
    double elo = 0, games = 0, near = FINDS_NEAR;
    json_t *validation = NULL;
    size_t i;

    if (f->only != NULL || f->n_tested < FINDS_FEWEST || f->n_tested > FINDS_MOST ||
        f->pool != ipr_pool_at(0))
        return IPR_OK;
    for (i = 0; i < f->n_tested; i++) {
        elo += f->tested[i]->test.elo / (double)f->n_tested;
        games += (double)f->tested[i]->test.games_tested / (double)f->n_tested;
    }
    const enum ipr_code rc = ipr_view_document(c->v, "validation.json", &validation, err);
    json_array_foreach(ipr_json_find(validation, "planted.rows"), i, row)
        if (ipr_json_at(row, "share", NAN) == FINDS_SHARE &&
            strcmp(ipr_json_text_at(row, "engine"), "close") == 0 &&
            fabs(ipr_json_at(row, "elo", NAN) - elo) < near) {
            nearest = row;
            near = fabs(ipr_json_at(row, "elo", NAN) - elo);
        }
    json_array_foreach(json_object_get(nearest, "after"), i, after) {
        if (ipr_json_at(after, "rounds", NAN) > round(games))
            break;
        slots.early = i == 1 ? slots.flagged : slots.early;
        slots.rounds = ipr_json_at(after, "rounds", NAN);
        slots.first = i == 0 ? slots.rounds : slots.first;
        slots.flagged = round(100 * ipr_json_at(after, "flagged", NAN));
    }
    slots.elo = ipr_json_at(nearest, "elo", NAN);
    slots.players = ipr_json_at(validation, "planted.players", NAN);
    json_decref(validation);
    if (slots.rounds > 0)
        *out = ipr_say_event_finds(IPR_EVENT_FINDS_HALF, &slots, c->v->mem);
    return rc;
}
