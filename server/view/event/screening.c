/* Crosstable and screening of an event as JSON. */
#include "model/screening.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "view/event/field.h"
#include "view/json.h"
#include "view/wording.h"

#define SCREENING_LIMIT 3    /* standard errors that are counted */
#define SCREENING_LEVEL 0.05 /* of the corrected probability */
#define COMMON          0.2  /* tail of one player that is no news */

/* ---- rounds ---- */

static json_t *round_game_json(const struct ipr_event_field *f, const struct ipr_event_side *s)
{
    json_t *out =
        json_pack("{s:I, s:s, s:o, s:o, s:b}", "game", (json_int_t)s->of->game_id, "color",
                  s->of->colour == 0 ? "white" : "black", "opponent",
                  ipr_json_player(s->of->opponent, s->of->opponent_name), "points",
                  s->of->half_points < 0 ? json_null() : json_real(s->of->half_points / 2.),
                  "forfeited", s->of->plies == 0);
    json_t *number = json_null();

    for (size_t i = 0; i < f->n && json_is_null(number); i++)
        if (f->all[i].player.id == s->of->opponent)
            number = json_integer((json_int_t)i + 1);
    json_object_set_new(out, "opponent_number", number);
    json_object_set_new(out, "elo", ipr_json_known(s->own.elo));
    json_object_set_new(out, "elo_source",
                        s->own.elo > 0 ? json_string(s->own.listed ? "rating list" : "game tags")
                                       : json_null());
    json_object_set_new(out, "moves", s->moves < 0 ? json_null() : json_integer(s->moves));
    json_object_set_new(out, "z", ipr_json_num(s->z));
    json_object_set_new(out, "ply", s->ply < 0 ? json_null() : json_integer(s->ply));
    return out;
}

json_t *ipr_event_rounds_json(const struct ipr_event_field *f, const struct ipr_event_entry *e)
{
    json_t *out = json_array();

    for (size_t r = 0; r < f->n_rounds; r++) {
        json_t *games = json_array();

        for (size_t k = 0; k < e->player.n_sides; k++)
            if ((size_t)e->sides[k].round == r)
                json_array_append_new(games, round_game_json(f, &e->sides[k]));
        json_array_append_new(out, json_pack("{s:i, s:o}", "round", f->rounds[r], "games", games));
    }
    return out;
}

json_t *ipr_event_crosstable(const struct ipr_event_field *f)
{
    json_t *rows = json_array(), *rounds = json_array();

    if (f->n > IPR_EVENT_TABLE) {
        json_decref(rows);
        json_decref(rounds);
        return json_null();
    }
    for (size_t r = 0; r < f->n_rounds; r++)
        json_array_append_new(rounds, json_integer(f->rounds[r]));
    for (size_t i = 0; i < f->n; i++) {
        const struct ipr_event_entry *const e = &f->all[i];

        json_array_append_new(
            rows,
            json_pack("{s:I, s:I, s:o, s:o, s:o, s:o}", "number", (json_int_t)i + 1, "place",
                      (json_int_t)e->place, "player", ipr_json_player(e->player.id, e->player.name),
                      "elo", ipr_json_num(e->results->elo_mean.figure.estimate), "score",
                      json_real(e->score), "rounds", ipr_event_rounds_json(f, e)));
    }
    return json_pack("{s:o, s:s, s:o}", "rounds", rounds, "numbered_by",
                     f->tagged ? "tags" : "dates", "rows", rows);
}

/* ---- tests ---- */

json_t *ipr_event_test_json(const struct ipr_event_field *f, const struct ipr_event_entry *e)
{
    const struct ipr_event_test *const t = &e->test;
    const bool tested = t->reason == NULL;

    return json_pack("{s:o, s:o, s:o, s:o, s:I, s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:o}", "rank",
                     tested ? json_integer((json_int_t)t->rank) : json_null(), "player",
                     ipr_json_player(e->player.id, e->player.name), "elo",
                     t->elo > 0 ? ipr_json_num(t->elo) : json_null(), "elo_source",
                     t->source != NULL ? json_string(t->source) : json_null(), "moves",
                     (json_int_t)t->moves, "games", (json_int_t)e->player.n_sides, "games_tested",
                     (json_int_t)t->games, "z", ipr_json_num(tested ? t->z : NAN), "tail",
                     ipr_json_num(tested ? t->tail : NAN), "expected",
                     ipr_json_num(tested ? (double)f->n_tested * t->tail : NAN), "adjusted",
                     ipr_json_num(tested ? t->holm : NAN), "false_discovery_rate",
                     ipr_json_num(tested ? t->fdr : NAN), "reason",
                     tested ? json_null() : json_string(t->reason));
}

static double screening_mean(const struct ipr_event_field *f)
{
    double sum = 0;

    for (size_t i = 0; i < f->n_tested; i++)
        sum += f->tested[i]->test.z;
    return f->n_tested > 0 ? sum / (double)f->n_tested : NAN;
}

/* "7", "740", "10,000": of which one is there by chance, two digits of it. */
const char *ipr_event_one_in(double probability, struct ipr_arena *mem)
{
    const double n = 1 / probability, unit = n < 100 ? 1 : pow(10, floor(log10(n)) - 1);

    return ipr_wording_count(round(n / unit) * unit, mem);
}

const char *ipr_event_by_chance(const struct ipr_event_field *f, const struct ipr_event_entry *e,
                                struct ipr_arena *mem)
{
    const double expected = (double)f->n_tested * e->test.tail;

    if (f->n_tested < 2 || f->only != NULL || (f->n == 2 && expected >= .5))
        return "";
    if (f->n == 2)
        return ipr_arena_printf(mem, " In one match in %s a player is this far above by chance.",
                                ipr_event_one_in(expected, mem));
    return expected < .5
               ? ipr_arena_printf(mem,
                                  " In a field of %zu, one tournament in %s has somebody this far "
                                  "above by chance.",
                                  f->n_tested, ipr_event_one_in(expected, mem))
               : ipr_arena_printf(mem,
                                  " In a field of %zu somebody is this far above in most "
                                  "tournaments, by chance.",
                                  f->n_tested);
}

json_t *ipr_event_only_json(const struct ipr_event_field *f)
{
    return f->only == NULL ? json_null()
                           : ipr_json_player(f->only->player.id, f->only->player.name);
}

/* How rare that is for one player, and in a field of this size; z is in the table. */
const char *ipr_event_player_answer(const struct ipr_event_field *f,
                                    const struct ipr_event_entry *e, struct ipr_arena *mem)
{
    const struct ipr_event_test *const t = &e->test;
    const bool above = t->tail < .5;

    if (t->reason != NULL)
        return ipr_arena_printf(mem, "Not tested: %s.", t->reason);
    return ipr_arena_printf(
        mem, "The moves %s play at the player's Elo, %.0f (%s)%s: %lld moves of %zu game%s%s.%s",
        !above              ? "are not above"
        : t->tail >= COMMON ? "do not stand out from"
                            : "are above",
        t->elo, strcmp(t->source, "both") == 0 ? "game tags and rating list" : t->source,
        !above || t->tail >= COMMON
            ? ""
            : ipr_arena_printf(mem, ", as far as those of one player in %s by chance",
                               ipr_event_one_in(t->tail, mem)),
        (long long)t->moves, t->games, t->games == 1 ? "" : "s",
        f->only != NULL || f->n_tested < 2
            ? ""
            : ipr_arena_printf(mem, ", no. %zu of %zu players tested", t->rank, f->n_tested),
        above ? ipr_event_by_chance(f, e, mem) : "");
}

/* Of one player tested, in a field or a match. */
static const char *screening_of_one(const char *name, double tail, bool alarm,
                                    struct ipr_arena *mem)
{
    if (tail >= .5)
        return ipr_arena_printf(mem,
                                "The moves of the one player tested, %s, are not above play at "
                                "their own Elo.",
                                name);
    if (tail >= COMMON)
        return ipr_arena_printf(mem,
                                "The one player tested, %s, does not stand out from play at their "
                                "Elo.",
                                name);
    return ipr_arena_printf(mem,
                            "The one player tested, %s, %s their own Elo%s as far as one player in "
                            "%s is by chance.",
                            name, alarm ? "stands out: above" : "is above", alarm ? "," : "",
                            ipr_event_one_in(tail, mem));
}

/*
 * The answer: whether anybody stands out once the number of players tested is corrected for, and
 * how rare that is in a field of this size (at most, whatever the players have in common). Where
 * the games are those of one player, no field: the test of that player.
 */
static const char *screening_answer(const struct ipr_event_field *f, struct ipr_arena *mem,
                                    size_t alarms)
{
    if (f->only != NULL)
        return ipr_event_player_answer(f, f->only, mem);
    if (f->n_tested == 0)
        return NULL;
    const struct ipr_event_entry *const first = f->tested[0];
    const char *const name = ipr_event_name(f, first, mem);

    if (f->n_tested == 1)
        return screening_of_one(name, first->test.tail, alarms > 0, mem);
    if (alarms == 0)
        return f->n == 2 ? "Neither player stands out from play at their Elo."
                         : ipr_arena_printf(mem, "Nobody stands out among the %zu players tested.",
                                            f->n_tested);
    const char *const rare = ipr_event_one_in((double)f->n_tested * first->test.tail, mem);
    const char *const who =
        alarms == 1
            ? ipr_arena_printf(mem, "%s stands out among the %zu players tested", name, f->n_tested)
            : ipr_arena_printf(mem, "%zu of the %zu players tested stand out, %s most", alarms,
                               f->n_tested, name);

    return ipr_arena_printf(mem, "%s: one %s in %s has somebody so far above their Elo by chance.",
                            who, f->n == 2 ? "match" : "tournament", rare);
}

/* Who is furthest above their own Elo, how rare that is for one player and in a field, and how many
 * are left by the correction. NULL where the answer says it all. */
static const char *screening_detail(const struct ipr_event_field *f, struct ipr_arena *mem,
                                    size_t alarms)
{
    if (f->only != NULL || f->n_tested < 2)
        return NULL;
    const struct ipr_event_entry *const first = f->tested[0];
    const char *const name = ipr_event_name(f, first, mem);

    if (first->test.tail >= .5)
        return f->n == 2 ? "Neither player's moves are above play at their own Elo."
                         : "Nobody's moves are above play at their own Elo.";
    if (first->test.tail >= COMMON)
        return ipr_arena_printf(mem,
                                "%s is %sabove their own Elo, by no more than chance explains.",
                                name, f->n == 2 ? "" : "furthest ");
    return ipr_arena_printf(
        mem, "%s is %s above their own Elo, as far as one player in %s is by chance.%s%s", name,
        f->n == 2 ? "further" : "furthest", ipr_event_one_in(first->test.tail, mem),
        ipr_event_by_chance(f, first, mem),
        alarms == 0
            ? ""
            : ipr_arena_printf(mem,
                               " Corrected for the number of players tested, the probability by "
                               "chance is below 5%% for %zu of them.",
                               alarms));
}

json_t *ipr_event_screening(const struct ipr_view_context *c, const struct ipr_event_field *f)
{
    json_t *rows = json_array(), *excluded = json_array();
    size_t found = 0, alarms = 0;

    for (size_t i = 0; i < f->n_tested; i++) {
        found += f->tested[i]->test.z > SCREENING_LIMIT;
        alarms += f->tested[i]->test.holm < SCREENING_LEVEL;
        json_array_append_new(rows, ipr_event_test_json(f, f->tested[i]));
    }
    for (size_t i = 0; i < f->n; i++)
        if (f->all[i].test.reason != NULL)
            json_array_append_new(excluded, ipr_event_test_json(f, &f->all[i]));
    return json_pack(
        "{s:I, s:i, s:I, s:o, s:o, s:o, s:s, s:o, s:I, s:I, s:o, s:o, s:o, s:o}", "tested",
        (json_int_t)f->n_tested, "beyond", SCREENING_LIMIT, "found", (json_int_t)found, "expected",
        ipr_json_num(ipr_screening_expected(f->n_tested, SCREENING_LIMIT)), "fewer_by_chance",
        ipr_json_num(
            ipr_screening_fewer(ipr_screening_expected(f->n_tested, SCREENING_LIMIT), found)),
        "mean_z", ipr_json_num(screening_mean(f)), "correction", "holm", "level",
        json_real(SCREENING_LEVEL), "below_level", (json_int_t)alarms, "games_analysed",
        (json_int_t)f->games_analysed, "answer",
        ipr_json_text(screening_answer(f, c->v->mem, alarms)), "detail",
        ipr_json_text(screening_detail(f, c->v->mem, alarms)), "rows", rows, "excluded", excluded);
}
