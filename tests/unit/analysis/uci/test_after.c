#include "ipr_test.h"

#include "uci/after.h"

#define NONE IPR_SCORE_NONE

/* Moves judged by the position after them. `best`: scores of the search there, by depth. */
static struct row {
    const char *name, *fen, *move;
    unsigned depth, behind, depth_there;
    bool ended;
    int16_t best[4], want[4];
} rows[] = {
    { "one ply later",
      "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
      "e2e4",
      4,
      1,
      3,
      false,
      { -30, 20, 31990, NONE },
      { NONE, 30, -20, -31990 } },
    { "a mate is one move further off",
      "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
      "e2e4",
      3,
      1,
      2,
      false,
      { -31995, NONE },
      { NONE, 31994, NONE } },
    { "depth one is searched one deep",
      "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
      "e2e4",
      1,
      1,
      1,
      false,
      { -30 },
      { 30 } },
    /* 1. Ra7 Kg8 is forced: the mover's own view again, and mates one move further off. */
    { "forced answers are played",
      "7k/8/6K1/8/8/8/8/R7 w - - 0 1",
      "a1a7",
      4,
      2,
      2,
      false,
      { 500, 31990 },
      { NONE, NONE, 500, 31989 } },
    { "mate ends it",
      "k7/8/1K6/8/8/8/8/6R1 w - - 0 1",
      "g1g8",
      3,
      1,
      2,
      true,
      { 0 },
      { 31999, 31999, 31999 } },
    { "stalemate ends it",
      "k7/8/8/1Q6/8/8/8/7K w - - 0 1",
      "b5b6",
      3,
      1,
      2,
      true,
      { 0 },
      { 0, 0, 0 } },
    { "no deeper than the turn",
      "7k/8/6K1/8/8/8/8/R7 w - - 0 1",
      "a1a7",
      2,
      2,
      1,
      false,
      { 500 },
      { NONE, 500 } },
};

static void test_scores(void **state)
{
    const struct row *r = *state;
    static struct ipr_search search;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_after a;
    struct ipr_pos pos;
    ipr_move m;
    int16_t got[4];

    assert_ok(ipr_pos_from_fen(&pos, ipr_str_c(r->fen), &err), &err);
    assert_ok(ipr_move_from_uci(&pos, ipr_str_c(r->move), &m, &err), &err);
    ipr_after_begin(&a, &pos, m, r->depth);
    assert_int_equal(a.ended, r->ended);
    assert_int_equal(a.behind, r->behind);
    assert_int_equal(a.moves[0], m);
    if (!r->ended)
        assert_int_equal(a.depth, r->depth_there);
    ipr_search_begin(&search, &a.pos, 1, a.depth);
    memcpy(search.best, r->best, sizeof r->best);
    ipr_after_scores(&a, &search, r->depth, got);
    for (unsigned d = 0; d < r->depth; d++)
        assert_int_equal(got[d], r->want[d]);
}

static void test_score_before(void **state)
{
    static const int16_t rows_before[][2] = {
        { 13, -13 },       { 0, 0 },          { -20000, 20000 }, { 31999, -31999 },
        { -31999, 31998 }, { -32000, 31999 }, { -31754, 31754 }, { 31754, -31754 },
        { -31755, 31754 }, { NONE, NONE },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows_before / sizeof rows_before[0]; i++)
        assert_int_equal(ipr_score_before(rows_before[i][0]), rows_before[i][1]);
}

#define N (sizeof rows / sizeof rows[0])

int main(void)
{
    struct CMUnitTest tests[N + 1] = { cmocka_unit_test(test_score_before) };

    for (size_t i = 0; i < N; i++)
        tests[1 + i] = (struct CMUnitTest){ .name = rows[i].name,
                                            .test_func = test_scores,
                                            .initial_state = &rows[i] };
    return cmocka_run_group_tests_name("uci/after", tests, NULL, NULL);
}
