/* Crosstable and screening of an event. */
#include "model/screening.h"

#include <math.h>
#include <string.h>

#include "view/event/field.h"
#include "view/wording.h"

#define SCREENING_LIMIT 3    /* standard errors that are counted */
#define SCREENING_LEVEL 0.05 /* of the corrected probability */
#define COMMON          0.2  /* tail of one player that is no news */

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

/* How rare that is for one player, and in a field of this size; z is in the table. */
const char *ipr_event_player_answer(const struct ipr_event_field *f,
                                    const struct ipr_event_entry *e, struct ipr_arena *mem)
{
    const struct ipr_answer_screening_row *const t = &e->test;
    const bool above = t->tail < .5;

    if (t->reason != NULL)
        return ipr_arena_printf(mem, "Not tested: %s.", t->reason);
    return ipr_arena_printf(
        mem, "The moves %s play at the player's Elo, %.0f (%s)%s: %lld moves of %lld game%s%s.%s",
        !above              ? "are not above"
        : t->tail >= COMMON ? "do not stand out from"
                            : "are above",
        t->elo, strcmp(t->elo_source, "both") == 0 ? "game tags and rating list" : t->elo_source,
        !above || t->tail >= COMMON
            ? ""
            : ipr_arena_printf(mem, ", as far as those of one player in %s by chance",
                               ipr_event_one_in(t->tail, mem)),
        (long long)t->moves, (long long)t->games_tested, t->games_tested == 1 ? "" : "s",
        f->only != NULL || f->n_tested < 2
            ? ""
            : ipr_arena_printf(mem, ", no. %lld of %zu players tested", (long long)t->rank,
                               f->n_tested),
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
