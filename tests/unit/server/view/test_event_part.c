/* Whether games are plainly not all of an event, by the shapes of events and of collections. */
#include <stdio.h>
#include <string.h>

#include "ipr_sentences_sample.h"
#include "ipr_test.h"
#include "view/event/field.h"

#define PLAYERS 64
#define SIDES   64

struct scene {
    struct ipr_arena mem;
    struct ipr_event_entry all[PLAYERS];
    struct ipr_db_player_side sides[PLAYERS][SIDES];
    char names[PLAYERS][16];
    int rounds[32];
    struct ipr_event_field f;
};

static int scene_open(void **state)
{
    struct scene *s = ipr_xcalloc(1, sizeof *s);

    s->f = (struct ipr_event_field){ .all = s->all, .rounds = s->rounds, .tagged = true };
    for (int i = 0; i < PLAYERS; i++) {
        snprintf(s->names[i], sizeof s->names[i], "P%d, X", i);
        /* the order of the ids is not that of the points */
        s->all[i].player =
            (struct ipr_db_tournament_player){ (i * 37) % 101 + 1, s->names[i], s->sides[i], 0 };
    }
    ipr_sentences_sample();
    *state = s;
    return 0;
}

static int scene_close(void **state)
{
    struct scene *s = *state;

    ipr_arena_release(&s->mem);
    free(s);
    return 0;
}

static void begin(struct scene *s, size_t players)
{
    s->f.n = players;
    s->f.n_rounds = 0;
    for (int i = 0; i < PLAYERS; i++)
        s->all[i].player.n_sides = 0;
}

/* n games of two players. */
static void play(struct scene *s, int a, int b, int n)
{
    struct ipr_db_tournament_player *const x = &s->all[a].player, *const y = &s->all[b].player;

    for (; n > 0; n--) {
        x->sides[x->n_sides++] = (struct ipr_db_player_side){ .opponent = y->id };
        y->sides[y->n_sides++] = (struct ipr_db_player_side){ .opponent = x->id };
    }
}

static void whole(struct scene *s, const char *what)
{
    const struct ipr_event_part part = ipr_event_part_of(&s->f, &s->mem);

    if (part.why != NULL)
        fail_msg("%s: \"%s\"", what, part.why);
    assert_null(part.of);
}

static void part(struct scene *s, size_t n, const char *why)
{
    const struct ipr_event_part got = ipr_event_part_of(&s->f, &s->mem);

    assert_non_null(got.why);
    assert_string_equal(got.why, why);
    assert_int_equal(got.n, n);
}

/* A round of the circle method: of n players, even, the pair number `k` of round `r`. */
static void circle(int n, int r, int k, int *a, int *b)
{
    *a = k == 0 ? n - 1 : (r + k) % (n - 1);
    *b = (r - k + n - 1) % (n - 1);
}

/* The first `rounds` rounds of n players, `games` of each pair; `of` > 0: only games of the first
 * players are stored. */
static void rounds_of(struct scene *s, int n, int rounds, int games, int of)
{
    begin(s, (size_t)n);
    for (int r = 0; r < rounds; r++)
        for (int k = 0; k < n / 2; k++) {
            int a, b;

            circle(n, r, k, &a, &b);
            if (of == 0 || a < of || b < of)
                play(s, a, b, games);
        }
}

/* Linares, Zurich: everybody against everybody, once, twice, or ten times. */
static void test_round_robin(void **state)
{
    struct scene *s = *state;

    for (int n = 4; n <= 20; n += 2)
        for (int games = 1; games <= 2; games++) {
            rounds_of(s, n, n - 1, games, 0);
            whole(s, "round robin");
        }
    begin(s, 5); /* The Hague and Moscow 1948 */
    for (int a = 0; a < 5; a++)
        for (int b = 0; b < a; b++)
            play(s, a, b, 5);
    whole(s, "World Championship 1948");
}

/* From each round half of the players have White: also with few rounds, or of few players. */
static void test_swiss(void **state)
{
    struct scene *s = *state;

    for (int n = 6; n <= 60; n += 2)
        for (int rounds = 3; rounds < 12 && rounds < n; rounds++) {
            rounds_of(s, n, rounds, 1, 0);
            whole(s, "Swiss");
        }
    rounds_of(s, 40, 5, 1, 0);
    for (int i = 0; i < 12;
         i += 2) /* six who left after the first round, and six who came for them */
        play(s, 40 + i / 2, i + 1, 1);
    s->f.n = 46;
    whole(s, "Swiss with withdrawals");
}

/* The winner is in most games, and the losers have one opponent each. */
static void test_knockout(void **state)
{
    struct scene *s = *state;

    for (int n = 4; n <= 64; n *= 2)
        for (int games = 1; games <= 3; games++) {
            begin(s, (size_t)n);
            for (int step = 1; step < n; step *= 2)
                for (int i = 0; i + step < n; i += 2 * step)
                    play(s, i, i + step, games);
            whole(s, "knockout");
            play(s, n / 4, n / 2 + n / 4, games); /* of those who lost the semi-finals */
            whole(s, "knockout with a match for the third place");
        }
    begin(s, 12); /* four with a bye */
    for (int i = 0; i < 4; i++) {
        play(s, 4 + i, 8 + i, 2);
        play(s, i, 4 + i, 2);
    }
    play(s, 0, 1, 2);
    play(s, 2, 3, 2);
    play(s, 0, 2, 4);
    whole(s, "knockout with byes");
    begin(s, 4); /* double elimination */
    play(s, 0, 1, 2);
    play(s, 2, 3, 2);
    play(s, 0, 2, 2);
    play(s, 1, 3, 2);
    play(s, 1, 2, 2);
    play(s, 0, 2, 2);
    whole(s, "double elimination");
}

static void test_team_event(void **state)
{
    struct scene *s = *state;

    begin(s, 8); /* Scheveningen: each of a team against each of the other */
    for (int a = 0; a < 4; a++)
        for (int b = 4; b < 8; b++)
            play(s, a, b, 1);
    whole(s, "Scheveningen");
    begin(s, 22); /* a match on ten boards, of two games, with a reserve each */
    for (int board = 0; board < 10; board++) {
        play(s, board, 11 + board, 1);
        play(s, board == 9 ? 10 : board, board == 9 ? 21 : 11 + board, 1);
    }
    whole(s, "match of teams");
    begin(s, 24); /* six teams of four, everybody against the same board of the others */
    for (int board = 0; board < 4; board++)
        for (int a = 0; a < 6; a++)
            for (int b = 0; b < a; b++)
                play(s, 4 * a + board, 4 * b + board, 1);
    whole(s, "Olympiad final");
}

static void test_match_and_simul(void **state)
{
    struct scene *s = *state;

    begin(s, 2);
    play(s, 0, 1, 24);
    whole(s, "match");
    begin(s, 21); /* also one player's games of a Swiss, which "only_player" says of both */
    for (int i = 1; i < 21; i++)
        play(s, 0, i, 1);
    whole(s, "simul");
    s->f.only = &s->all[0];
    whole(s, "simul, or games of one player");
    s->f.only = NULL;
}

/* The Sinquefield Cup of 2019 and others, of which only games of some champions are stored. */
static void test_of_round_robin(void **state)
{
    struct scene *s = *state;

    rounds_of(s, 12, 11, 1, 2);
    part(s, 2, "only games of P0 and P1 are stored");
    rounds_of(s, 14, 13, 1, 3);
    part(s, 3, "only games of P0, P1 and P2 are stored");
    rounds_of(s, 16, 15, 1, 5);
    part(s, 5, "only games of 5 of its players are stored");
    rounds_of(s, 6, 5, 2, 2); /* Bilbao */
    part(s, 2, "only games of P0 and P1 are stored");
    rounds_of(s, 6, 5, 2, 3); /* Las Palmas 1996 */
    part(s, 3, "only games of P0, P1 and P2 are stored");
    rounds_of(s, 8, 7, 2, 4); /* AVRO 1938 */
    part(s, 4, "only games of 4 of its players are stored");
    rounds_of(s, 4, 3, 4, 2); /* Leiden 1970: two players never met, and all others four times */
    part(s, 2, "only games of P0 and P1 are stored");
    rounds_of(s, 4, 3, 1, 2); /* one game that is not stored may be a forfeit */
    whole(s, "four players");
    rounds_of(s, 20, 19, 1, 2);
    play(s, 10, 11, 1); /* and games of another */
    play(s, 10, 12, 1);
    part(s, 3, "only games of P0, P1 and P10 are stored");
}

static void test_of_swiss(void **state)
{
    struct scene *s = *state;

    begin(s, 21); /* an Olympiad: two of a team, who never play each other */
    for (int i = 0; i < 10; i++) {
        play(s, 0, 2 + i, 1);
        play(s, 1, 11 + i, 1);
    }
    part(s, 2, "only games of P0 and P1 are stored");
    begin(s, 9); /* a way through a knockout, and a match of another one */
    for (int i = 1; i < 8; i++)
        play(s, 0, i, 2);
    play(s, 1, 8, 2);
    part(s, 2, "only games of P0 and P1 are stored");
    begin(s, 60);
    rounds_of(s, 60, 9, 1, 3);
    size_t n = 0; /* those without a game stored are no players of the field */
    for (size_t i = 0; i < 60; i++)
        if (s->all[i].player.n_sides > 0)
            s->all[n++] = s->all[i];
    s->f.n = n;
    part(s, 3, "only games of P0, P1 and P2 are stored");
}

/* Of a larger field half of the rounds must lack a game. */
static void test_rounds(void **state)
{
    struct scene *s = *state;

    begin(s, 6); /* a year of a league */
    play(s, 0, 1, 1);
    play(s, 2, 3, 1);
    play(s, 4, 5, 1);
    s->f.n_rounds = 2;
    s->rounds[0] = 8;
    s->rounds[1] = 10;
    part(s, 0, "of 10 rounds in the tags 8 have no game");
    s->rounds[0] = 1;
    s->rounds[1] = 3;
    whole(s, "a round of three without a game");
    s->f.tagged = false;
    s->rounds[1] = 10;
    whole(s, "numbered by date");
    s->f.tagged = true;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_round_robin, scene_open, scene_close),
        cmocka_unit_test_setup_teardown(test_swiss, scene_open, scene_close),
        cmocka_unit_test_setup_teardown(test_knockout, scene_open, scene_close),
        cmocka_unit_test_setup_teardown(test_team_event, scene_open, scene_close),
        cmocka_unit_test_setup_teardown(test_match_and_simul, scene_open, scene_close),
        cmocka_unit_test_setup_teardown(test_of_round_robin, scene_open, scene_close),
        cmocka_unit_test_setup_teardown(test_of_swiss, scene_open, scene_close),
        cmocka_unit_test_setup_teardown(test_rounds, scene_open, scene_close),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
