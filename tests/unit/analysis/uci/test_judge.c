#include "ipr_test.h"

#include <stdlib.h>

#include "uci/judge.h"

static void test_builtins(void **state)
{
    static const struct {
        const char *name;
        unsigned depth;
    } want[] = { { "quick", 8 }, { "standard", 10 }, { "deep", 14 } };
    struct ipr_judge j;

    (void)state;
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        assert_true(ipr_judge_builtin(want[i].name, &j));
        assert_string_equal(j.name, want[i].name);
        assert_string_equal(j.engine, "");
        assert_string_equal(j.network, "");
        assert_int_equal(j.depth, want[i].depth);
        assert_int_equal(j.multipv, 20);
        assert_int_equal(j.hash_mb, 16);
        assert_int_equal(j.threads, 1);
        assert_int_equal(ipr_judge_first_ply(&j), 16);
        assert_true(ipr_judge_valid(&j));
    }
    assert_true(ipr_judge_retired("quick"));
    assert_true(ipr_judge_retired("narrow"));
    for (size_t i = 0; ipr_judge_builtin_at(i) != NULL; i++)
        if (ipr_judge_builtin_at(i)->multipv != 1 && ipr_judge_builtin_at(i)->depth != 8)
            assert_false(ipr_judge_retired(ipr_judge_builtin_at(i)->name));
    assert_false(ipr_judge_builtin("Standard", &j));
    assert_false(ipr_judge_builtin("", &j));
}

/* The games of earlier databases and of calibrations were analysed by this search, there defined by
 * POST /api/v1/judges {"name": "rating", "multipv": 2, "depth": 10}. */
static void test_rating(void **state)
{
    const struct ipr_judge searched = {
        .multipv = 2, .depth = 10, .hash_mb = 16, .threads = 1, .first_move = 9
    };
    struct ipr_judge j;

    (void)state;
    assert_true(ipr_judge_builtin("rating", &j));
    assert_true(ipr_judge_same_search(&j, &searched));
    assert_string_equal(j.program, "stockfish");
    assert_int_equal(j.apart, IPR_APART_SEARCHMOVES);
    assert_true(ipr_judge_is_pure(&j));
    assert_true(ipr_judge_valid(&j));
}

static void test_scores(void **state)
{
    static const struct {
        int score;
        bool valid, mate;
        int moves;
    } want[] = {
        { 0, true, false, 0 },
        { 20000, true, false, 0 },
        { -20000, true, false, 0 },
        { 20001, false, true, 11999 },
        { 31999, true, true, 1 },
        { -31999, true, true, -1 },
        { 32000 - 246, true, true, 246 },
        { 32000 - 247, false, true, 247 },
        { -32000 + 246, true, true, -246 },
        { -32000 + 247, false, true, -247 },
        { 32000, false, true, 0 },
        { -32000, false, true, 0 },
        { INT16_MAX, false, true, -767 },
        { INT16_MIN, false, false, 0 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        const int16_t score = (int16_t)want[i].score;
        int moves = 0;

        assert_int_equal(ipr_score_valid(score), want[i].valid);
        assert_int_equal(ipr_score_is_mate(score, &moves), want[i].mate);
        assert_int_equal(moves, want[i].moves);
        assert_int_equal(ipr_score_is_mate(score, NULL), want[i].mate);
    }
}

/*
 * A game of knights going out and back, judged by a judge with two lines to depth 2, its third
 * and fourth turn by White: the first with the move played among the lines, the other beside
 * them. Each row spoils it in one way.
 */
struct fixture {
    struct ipr_judge judge;
    struct ipr_pos start;
    ipr_move game[8];
    size_t n;
    unsigned sides;
    ipr_move moves[2][3];
    int16_t score[2][6];
    struct ipr_judged_turn turns[2];
    struct ipr_judged_game judged;
};

static ipr_move at(const struct ipr_pos *pos, const char *text)
{
    ipr_move m;
    struct ipr_err err = IPR_ERR_INIT;

    assert_ok(ipr_move_from_uci(pos, ipr_str_c(text), &m, &err), &err);
    return m;
}

static void set_turn(struct fixture *f, size_t i, const struct ipr_pos *pos, uint16_t ply,
                     const char *const text[3], uint8_t played)
{
    static const int16_t score[6] = { 10, 30, IPR_SCORE_NONE, 20, -5, 25 };
    uint8_t lines = 0;

    memcpy(f->score[i], score, sizeof score);
    for (; lines < 3 && text[lines] != NULL; lines++)
        f->moves[i][lines] = at(pos, text[lines]);
    f->turns[i] = (struct ipr_judged_turn){ .ply = ply,
                                            .depth = 2,
                                            .lines = lines,
                                            .played = played,
                                            .moves = f->moves[i],
                                            .score = f->score[i] };
}

static void set_up(struct fixture *f)
{
    static const char *const game[] = { "g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1" };
    struct ipr_pos pos;

    *f = (struct fixture){
        .judge = { .multipv = 2, .depth = 2, .hash_mb = 1, .threads = 1, .first_move = 3 },
        .n = 7,
        .sides = 1
    };
    ipr_pos_start(&f->start);
    pos = f->start;
    for (size_t i = 0; i < f->n; i++) {
        if (i == 4)
            set_turn(f, 0, &pos, 4, (const char *[3]){ "e2e4", "g1f3", NULL }, 1);
        if (i == 6)
            set_turn(f, 1, &pos, 6, (const char *[3]){ "e2e4", "d2d4", "f3g1" }, 2);
        f->game[i] = at(&pos, game[i]);
        ipr_pos_play(&pos, f->game[i]);
    }
    f->judged = (struct ipr_judged_game){ f->turns, 2 };
}

static enum ipr_code check(struct fixture *f, struct ipr_err *err)
{
    return ipr_judged_check(&f->judge, &f->start, f->game, f->n, f->sides, &f->judged, err);
}

static void test_check_accepts(void **state)
{
    struct ipr_err err = IPR_ERR_INIT;
    struct fixture f;

    (void)state;
    set_up(&f);
    assert_ok(check(&f, &err), &err);
    assert_int_equal(f.turns[0].legal, 20);
    assert_int_equal(f.turns[0].mover, IPR_WHITE);
    assert_true(f.turns[0].repeated);
    assert_int_equal(f.turns[1].legal, 22);
    assert_true(f.turns[1].repeated);
    assert_int_equal(ipr_judged_final(&f.turns[1], 2), 25);
}

static void test_repeated(void **state)
{
    struct ipr_err err = IPR_ERR_INIT;
    struct fixture f;

    (void)state;
    set_up(&f);
    f.game[3] = (ipr_move)(45 | 39 << 6); /* the knight goes to h5 and back to f6 instead */
    f.game[5] = (ipr_move)(39 | 45 << 6);
    assert_ok(check(&f, &err), &err);
    assert_false(f.turns[0].repeated);
    assert_true(f.turns[1].repeated); /* of ply 2 */
}

/* Without a depth of the judge's own each turn has its own, within bounds. */
static void test_free_depth(void **state)
{
    struct ipr_err err = IPR_ERR_INIT;
    struct fixture f;

    (void)state;
    set_up(&f);
    f.judge.depth = 0;
    f.judge.nodes = 1000;
    f.turns[0].depth = 1;
    f.score[0][1] = 5; /* with depth 1 the score of the second line */
    assert_ok(check(&f, &err), &err);
    f.turns[0].depth = IPR_DEPTH_MAX + 1;
    assert_int_equal(check(&f, &err), IPR_EPARSE);
    ipr_err_clear(&err);
    f.turns[0].depth = 0;
    assert_int_equal(check(&f, &err), IPR_EPARSE);
}

/* Change anything but the names and it is another judge. */
static void test_same(void **state)
{
    const struct ipr_judge a = { .name = "a",
                                 .program = "x",
                                 .engine = "E",
                                 .network = "N",
                                 .options = "O",
                                 .nodes = 1,
                                 .multipv = 2,
                                 .hash_mb = 3,
                                 .threads = 1,
                                 .first_move = 9 };
    struct ipr_judge b[11];

    (void)state;
    for (size_t i = 0; i < 11; i++)
        b[i] = a;
    b[0].engine[0] = b[1].network[0] = b[2].options[0] = 'Z';
    b[3].nodes++;
    b[4].multipv++;
    b[5].hash_mb++;
    b[6].threads++;
    b[7].first_move++;
    b[8].clear = IPR_CLEAR_GAME;
    b[9].apart = IPR_APART_AFTER;
    b[10].name[0] = b[10].program[0] = 'z';
    for (size_t i = 0; i < 11; i++) {
        assert_int_equal(ipr_judge_same(&a, &b[i]), i == 10);
        assert_int_equal(ipr_judge_same_search(&a, &b[i]), i < 3 || i > 8);
    }
}

static void test_pure(void **state)
{
    static const struct {
        struct ipr_judge judge;
        bool pure;
        const char *limit;
    } want[] = {
        { { .depth = 10, .threads = 1 }, true, "depth 10" },
        { { .nodes = 100000, .threads = 1, .options = "OwnBook=false" }, true, "100000 nodes" },
        { { .time_ms = 2500, .threads = 1 }, false, "at most 2.5 s" },
        { { .depth = 10, .threads = 2 }, false, "depth 10" },
        { { .depth = 10, .threads = 1, .clear = IPR_CLEAR_GAME }, false, "depth 10" },
        { { .depth = 10, .threads = 1, .clear = IPR_CLEAR_REMOTE }, false, "depth 10" },
        { { .depth = 10, .threads = 1, .options = "irreproducible; OwnBook=false" },
          false,
          "depth 10" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        char limit[IPR_LIMIT_TEXT_MAX];

        assert_int_equal(ipr_judge_is_pure(&want[i].judge), want[i].pure);
        ipr_judge_limit_text(&want[i].judge, limit);
        assert_string_equal(limit, want[i].limit);
    }
}

static void no_turns(struct fixture *f)
{
    f->judged.n = 0;
}
static void last_turn_missing(struct fixture *f)
{
    f->judged.n = 1;
}
static void other_side_missing(struct fixture *f)
{
    f->sides = 3;
}
static void out_of_order(struct fixture *f)
{
    const struct ipr_judged_turn t = f->turns[0];

    f->turns[0] = f->turns[1];
    f->turns[1] = t;
}
static void twice(struct fixture *f)
{
    f->turns[1] = f->turns[0];
}
static void beyond_the_game(struct fixture *f)
{
    f->turns[1].ply = 8;
    f->n = 6;
}
static void other_depth(struct fixture *f)
{
    f->turns[0].depth = 1;
}
static void no_lines(struct fixture *f)
{
    f->turns[0].lines = 0;
}
static void too_few_lines(struct fixture *f)
{
    f->turns[0].lines = 1;
    f->turns[0].played = 0;
}
static void too_many_lines(struct fixture *f)
{
    f->judge.multipv = 1;
}
static void played_out_of_range(struct fixture *f)
{
    f->turns[0].played = 2;
}
static void extra_line_is_not_played(struct fixture *f)
{
    f->turns[1].played = 1;
}
static void other_move_played(struct fixture *f)
{
    f->turns[0].played = 0;
}
static void illegal_line(struct fixture *f)
{
    f->moves[0][0] = (ipr_move)(12 | 36 << 6); /* e2e5 */
}
static void no_move(struct fixture *f)
{
    f->moves[0][0] = IPR_MOVE_NONE;
}
static void line_twice(struct fixture *f)
{
    f->moves[0][0] = f->moves[0][1];
}
static void final_score_missing(struct fixture *f)
{
    f->score[0][3] = IPR_SCORE_NONE;
}
static void score_out_of_range(struct fixture *f)
{
    f->score[0][0] = 20001;
}
static void unsorted(struct fixture *f)
{
    f->score[0][3] = 31;
}

static struct refusal {
    const char *name;
    void (*spoil)(struct fixture *f);
    const char *type;
    int32_t ply;
} refusals[] = {
    { "no turns", no_turns, "missing_turn", 4 },
    { "last turn missing", last_turn_missing, "missing_turn", 6 },
    { "other side missing", other_side_missing, "missing_turn", 5 },
    { "out of order", out_of_order, "missing_turn", 4 },
    { "turn twice", twice, "bad_evaluation", 4 },
    { "beyond the game", beyond_the_game, "bad_evaluation", 8 },
    { "other depth", other_depth, "bad_evaluation", 4 },
    { "no lines", no_lines, "bad_evaluation", 4 },
    { "too few lines", too_few_lines, "bad_evaluation", 4 },
    { "too many lines", too_many_lines, "bad_evaluation", 6 },
    { "played out of range", played_out_of_range, "bad_evaluation", 4 },
    { "extra line is not played", extra_line_is_not_played, "bad_evaluation", 6 },
    { "other move played", other_move_played, "bad_evaluation", 4 },
    { "illegal line", illegal_line, "bad_evaluation", 4 },
    { "no move", no_move, "bad_evaluation", 4 },
    { "line twice", line_twice, "bad_evaluation", 4 },
    { "final score missing", final_score_missing, "bad_evaluation", 4 },
    { "score out of range", score_out_of_range, "bad_evaluation", 4 },
    { "unsorted", unsorted, "bad_evaluation", 4 },
};

static void test_refusal(void **state)
{
    const struct refusal *r = *state;
    struct ipr_err err = IPR_ERR_INIT;
    struct fixture f;

    set_up(&f);
    r->spoil(&f);
    assert_int_equal(check(&f, &err), IPR_EPARSE);
    assert_int_equal(err.code, IPR_EPARSE);
    assert_string_equal(err.type, r->type);
    assert_int_equal(err.ply, r->ply);
}

/* Contracts broken by our own code. */
static void test_einval(void **state)
{
    struct ipr_err err = IPR_ERR_INIT;
    struct fixture f;

    (void)state;
    set_up(&f);
    f.judge.depth = 0;
    assert_int_equal(check(&f, &err), IPR_EINVAL);
    ipr_err_clear(&err);
    set_up(&f);
    f.game[1] = f.game[0];
    assert_int_equal(check(&f, &err), IPR_EINVAL);
}

#define N (sizeof refusals / sizeof refusals[0])

int main(void)
{
    struct CMUnitTest tests[N + 9] = {
        cmocka_unit_test(test_free_depth), cmocka_unit_test(test_same),
        cmocka_unit_test(test_pure),       cmocka_unit_test(test_builtins),
        cmocka_unit_test(test_scores),     cmocka_unit_test(test_check_accepts),
        cmocka_unit_test(test_repeated),   cmocka_unit_test(test_einval),
        cmocka_unit_test(test_rating),
    };

    for (size_t i = 0; i < N; i++)
        tests[9 + i] = (struct CMUnitTest){ .name = refusals[i].name,
                                            .test_func = test_refusal,
                                            .initial_state = &refusals[i] };
    return cmocka_run_group_tests_name("uci/judge", tests, NULL, NULL);
}
