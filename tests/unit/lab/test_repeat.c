/* Weaknesses named from half of the games: of players who have them, they are in the other half; of
 * players who differ in nothing, no more often than by chance. */
#include <math.h>
#include <stdlib.h>

#include "ipr_test.h"
#include "lab/profile/profile.h"
#include "stats/twister.h"

#define PLAYERS 60
#define GAMES   24
#define MOVES   30 /* of a game, ten of each phase */

static struct profile_side side[PLAYERS * GAMES];
static struct ipr_profile_move move[PLAYERS * GAMES * MOVES];
static struct profile_sides sides = { side, PLAYERS *GAMES, move, PLAYERS *GAMES *MOVES };
static bool take[PLAYERS * GAMES];
static struct ipr_profile_reference flat = { .low = 1000, .high = 2000, .colour = { 1, 1 } };

/* Every move loses nothing or .2, one in four; of every other player three times as much in one
 * phase. */
static void players(void)
{
    struct ipr_twister rng;

    ipr_twister_seed(&rng, 5);
    for (size_t i = 0; i < PLAYERS * GAMES; i++) {
        const size_t player = i / GAMES;

        take[i] = true;
        side[i] = (struct profile_side){ .rating = 1500 + (double)(player % 7),
                                         .player = player + 1,
                                         .set = player + 1,
                                         .first = i * MOVES,
                                         .n = MOVES };
        for (size_t k = 0; k < MOVES; k++) {
            const bool there = player % 2 == 0 && k / 10 == player / 2 % IPR_PHASES;

            move[i * MOVES + k] =
                (struct ipr_profile_move){ .phase = (enum ipr_phase)(k / 10),
                                           .standing = IPR_STANDING_LEVEL,
                                           .black = i % 2 == 1,
                                           .hurried = -1,
                                           .lost = ipr_twister_below(&rng, 4) == 0 ? .2 : 0 };
            move[i * MOVES + k].lost *= there ? 3 : 1;
        }
    }
}

static struct profile_repeated repeated(void)
{
    struct profile_repeat t = { .r = &flat };
    struct profile_repeated out;

    profile_repeat_add(&sides, take, PROFILE_REAL, &t);
    profile_repeat_of(&t, 0, 0, &out);
    profile_repeat_free(&t);
    return out;
}

static int set_up(void **state)
{
    (void)state;
    for (int p = 0; p < IPR_PHASES; p++)
        for (int s = 0; s < IPR_STANDINGS; s++)
            flat.loss[p][s][0] = .05;
    for (int k = 0; k <= IPR_PROFILE_PARTS; k++) {
        flat.kappa[k] = .15;
        flat.between[k] = .1;
    }
    return 0;
}

static void test_weak(void **state)
{
    (void)state;
    players();
    const struct profile_repeated r = repeated();

    assert_int_equal(r.sets, PLAYERS);
    assert_int_equal(r.players, PLAYERS);
    assert_true(r.named > PLAYERS / 2.); /* a halving has two halves of each player */
    assert_true(r.there > r.chance + .3);
    assert_true(r.p < .001);
    assert_true(r.after > .3 && r.before > r.after);
}

/* The same games, dealt to others. */
static void test_dealt(void **state)
{
    (void)state;
    players();
    profile_scramble(&sides, take, 1);
    const struct profile_repeated dealt = repeated();

    assert_int_equal(dealt.sets, PLAYERS);
    assert_true(dealt.p > .01 && fabs(dealt.after) < .1);
}

/* A set is compared with those of its own group alone, and a player with others. */
static void test_groups(void **state)
{
    struct profile_repeat t = { .r = &flat };
    struct profile_repeated both, one;

    (void)state;
    players();
    profile_repeat_add(&sides, take, PROFILE_REAL, &t);
    profile_repeat_of(&t, 0, 0, &one);
    t.group = 1;
    profile_repeat_add(&sides, take, PROFILE_REAL, &t);
    profile_repeat_of(&t, 0, 1, &both);
    assert_int_equal(both.sets, 2 * PLAYERS);
    assert_int_equal(both.players, PLAYERS);
    assert_close(both.named, 2 * one.named, 1e-9);
    assert_close(both.there, one.there, 1e-9);
    assert_close(both.chance, one.chance, 1e-9);
    profile_repeat_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_weak),
        cmocka_unit_test(test_dealt),
        cmocka_unit_test(test_groups),
    };

    return cmocka_run_group_tests(tests, set_up, NULL);
}
