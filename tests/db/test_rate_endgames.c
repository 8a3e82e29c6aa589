/* Endgame ratings over a real database, held to what tablebases say. */
#include "ratings.h"

#define ENDGAMES 8
#define TRUTHS   5

/* White: queen and king against a king. Black always has one move; White's third mates. */
static void add_endgame(struct ipr_view_scene *s, unsigned seed,
                        const struct ipr_db_endgame_turn *truth)
{
    static const char *const played[TRUTHS] = { "g5g4", "h8h7", "g4g5", "h7h8", "g5g7" };
    ipr_move moves[TRUTHS];
    struct ipr_pos pos;
    struct ipr_db_new_game g = ipr_sample_game(&s->mem, seed, "End, A", "End, B", 2001, 1);

    g.start_fen = "7k/8/5K2/6Q1/8/8/8/8 w - - 0 1";
    assert_ok(ipr_pos_from_fen(&pos, ipr_str_c(g.start_fen), &s->err), &s->err);
    for (size_t i = 0; i < TRUTHS; i++) {
        assert_ok(ipr_move_from_uci(&pos, ipr_str_c(played[i]), &moves[i], &s->err), &s->err);
        ipr_pos_play(&pos, moves[i]);
    }
    assert_int_equal(ipr_pos_legal(&pos, (ipr_move[IPR_MAX_MOVES]){ 0 }), 0);
    g.moves = moves;
    g.n_moves = TRUTHS;
    g.moves_key = seed;
    ipr_sample_store(s->db, &g, 1, "sample");
    assert_ok(ipr_db_endgame_store(s->db, g.id, truth, TRUTHS, &s->err), &s->err);
}

/* Of the eight games: every first move takes the win five half-moves farther off, in one of them
 * without a distance; two second moves let it become a draw; one of these games begins with a value
 * that rises. */
static void add_endgames(struct ipr_view_scene *s)
{
    for (unsigned i = 0; i < ENDGAMES; i++) {
        struct ipr_db_endgame_turn t[TRUTHS] = {
            { .ply = 0,
              .mover = 0,
              .men = 3,
              .before = 2,
              .after = 2,
              .dtz_before = 1,
              .dtz_after = 5 },
            { .ply = 1, .mover = 1, .men = 3, .before = -2, .after = -2, .dtz_before = -4 },
            { .ply = 2,
              .mover = 0,
              .men = 3,
              .before = 2,
              .after = 2,
              .dtz_before = 3,
              .dtz_after = 2 },
            { .ply = 3, .mover = 1, .men = 3, .before = -2, .after = -2, .dtz_before = -2 },
            { .ply = 4, .mover = 0, .men = 3, .before = 2, .after = 2, .dtz_before = 1 },
        };

        if (i == 0)
            t[0].dtz_after = 0; /* the table of distances was missing */
        if (i == 1 || i == 2)
            t[2].after = 1; /* the fifty-move rule */
        if (i == 2)
            t[0].before = 0; /* out of a draw, which no move makes a win */
        add_endgame(s, i + 1, t);
    }
}

static void endgames_are_held_to_the_truth(void **state)
{
    struct ipr_view_scene *s = *state;

    add_endgames(s);
    json_t *r = ratings(s, ipr_db_test_player("End, A"), year(2001));
    const json_t *e = json_object_get(r, "endgame");
    /* 24 turns except for the contradictory one; of the 23 two lost their value. */
    same_number(e, "kept.all.share", 21.0 / 23.0);
    same_number(e, "kept.won.share", 21.0 / 23.0);
    same_number(e, "kept.at_stake.turns", 23.0);
    same_number(e, "turns", 23.0);
    same_number(e, "games", 8.0);
    same_number(e, "excluded.contradictory", 1.0);
    assert_true(ipr_json_at(e, "kept.all.interval.low", 1.0) < 21.0 / 23.0);
    assert_true(json_is_null(ipr_json_find(e, "kept.drawn.share")));
    assert_non_null(strstr(ipr_json_text_at(e, "kept.drawn.reason"), "20 moves are needed"));
    /* Distances: six first moves lose five each; six second ones and eight mates lose none. */
    same_number(e, "dtz_lost.turns", 20.0);
    same_number(e, "dtz_lost.mean", 30.0 / 20.0);
    same_number(e, "dtz_lost.best", 14.0);
    assert_true(json_is_null(json_object_get(e, "judge")));
    assert_true(json_is_null(json_object_get(e, "window")));
    /* No judge has said anything of these games: the others are refused, this one is not. */
    assert_true(json_is_null(ipr_json_find(r, "conformance.at_0")));
    json_decref(r);

    /* The other side never had a choice. */
    r = ratings(s, ipr_db_test_player("End, B"), year(2001));
    e = json_object_get(r, "endgame");
    assert_true(json_is_null(json_object_get(e, "kept")));
    assert_non_null(strstr(ipr_json_text_at(e, "reason"), "0 moves within"));
    same_number(e, "excluded.forced", 16.0);
    json_decref(r);

    /* The scope is kept to: no games as Black, four of one event. */
    r = ratings(s, ipr_db_test_player("End, A"),
                (struct ipr_ratings_request){ .color = IPR_RATINGS_COLOR_WHITE });
    same_number(r, "endgame.turns", 23.0);
    json_decref(r);
    const int32_t odd = (int32_t)ipr_db_test_int("SELECT id FROM event WHERE name = 'Odd'");
    r = ratings(s, ipr_db_test_player("End, A"), SCOPE(.event = odd));
    assert_non_null(strstr(ipr_json_text_at(r, "endgame.reason"), "20 are needed"));
    json_decref(r);
}

static void without_tablebases_there_is_no_truth(void **state)
{
    struct ipr_view_scene *s = *state;

    add_games(s, 1, 8, "None, A", "None, B", 2001);
    json_t *r = ratings(s, ipr_db_test_player("None, A"), year(2001));
    assert_true(json_is_null(ipr_json_find(r, "endgame.kept")));
    assert_string_equal(ipr_json_text_at(r, "endgame.reason"),
                        "there were no tablebases when games were analysed");
    json_decref(r);
    add_endgames(s);
    r = ratings(s, ipr_db_test_player("None, A"), year(2001));
    assert_non_null(strstr(ipr_json_text_at(r, "endgame.reason"), "no position of these games"));
    json_decref(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_SCENE(endgames_are_held_to_the_truth),
        WITH_SCENE(without_tablebases_there_is_no_truth),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
