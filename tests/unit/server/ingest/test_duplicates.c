#include "ingest/duplicates.h"

#include <stdlib.h>
#include <string.h>

#include "core/digest.h"
#include "ipr_test.h"

#define LONG_PLIES 60

/* A game of made-up moves: the first `n` of one sequence, or of another. */
struct side {
    const char *date, *round;
    enum ipr_result result;
    int32_t event, white;
    const char *white_key;
    size_t n;
    bool other_moves;
};

static const ipr_move *moves_of(bool other)
{
    static ipr_move moves[2][LONG_PLIES];

    for (size_t i = 0; i < LONG_PLIES; i++) {
        moves[0][i] = (ipr_move)(i + 1);
        moves[1][i] = (ipr_move)(i == 15 ? 999 : i + 1);
    }
    return moves[other];
}

static struct ipr_db_new_game game_of(const struct side *s)
{
    const ipr_move *moves = moves_of(s->other_moves);

    return (struct ipr_db_new_game){
        .white = { .name = s->white_key, .key = s->white_key, .tagged = s->white_key },
        .black = { .name = "tal,mikhail", .key = "tal,mikhail", .tagged = "tal,mikhail" },
        .white_id = { s->white, s->white },
        .black_id = { 9, 9 },
        .date = s->date,
        .round = s->round,
        .site = "",
        .event = s->event != 0 ? "x" : "",
        .event_id = s->event,
        .result = s->result,
        .moves = moves,
        .n_moves = s->n,
        .moves_key = ipr_moves_key("", moves, s->n),
        .stem = ipr_moves_stem("", moves, s->n),
        .tags_json = "{}",
    };
}

#define W   IPR_WHITE_WINS
#define B   IPR_BLACK_WINS
#define NO  IPR_RESULT_UNKNOWN
#define KEY "fischer,robert j"

static struct row {
    const char *name;
    struct side sent, kept;
    enum ipr_duplicate kind;
} rows[] = {
    { "the same in all",
      { "1972.07.11", "1", W, 1, 1, KEY, 40, false },
      { "1972.07.11", "1", W, 1, 1, KEY, 40, false },
      IPR_DUPLICATE_IDENTICAL },
    { "less is known of one",
      { "1972", "", NO, 0, 1, KEY, 40, false },
      { "1972.07.11", "1", W, 1, 1, KEY, 40, false },
      IPR_DUPLICATE_IDENTICAL },
    { "nothing but moves and names",
      { "", "", NO, 0, 1, KEY, 40, false },
      { "1972.07.11", "1", W, 1, 1, KEY, 40, false },
      IPR_DUPLICATE_IDENTICAL },
    { "another day",
      { "1972.07.12", "1", W, 1, 1, KEY, 40, false },
      { "1972.07.11", "1", W, 1, 1, KEY, 40, false },
      IPR_DUPLICATE_NONE },
    { "another month, day unknown",
      { "1972.09", "1", W, 1, 1, KEY, 40, false },
      { "1972.08.11", "1", W, 1, 1, KEY, 40, false },
      IPR_DUPLICATE_NONE },
    { "the same month, day unknown",
      { "1972.08", "1", W, 1, 1, KEY, 40, false },
      { "1972.08.11", "1", W, 1, 1, KEY, 40, false },
      IPR_DUPLICATE_IDENTICAL },
    { "another year",
      { "1973", "1", W, 1, 1, KEY, 40, false },
      { "1972.07.11", "1", W, 1, 1, KEY, 40, false },
      IPR_DUPLICATE_NONE },
    { "a board of the round",
      { "", "3", W, 1, 1, KEY, 40, false },
      { "", "3.1", W, 1, 1, KEY, 40, false },
      IPR_DUPLICATE_IDENTICAL },
    { "another round",
      { "", "3", W, 1, 1, KEY, 40, false },
      { "", "31", W, 1, 1, KEY, 40, false },
      IPR_DUPLICATE_NONE },
    { "another result on the same day",
      { "1972.07.11", "1", B, 1, 1, KEY, 40, false },
      { "1972.07.11", "1", W, 1, 1, KEY, 40, false },
      IPR_DUPLICATE_IDENTICAL },
    { "another result, day unknown",
      { "1972", "1", B, 1, 1, KEY, 40, false },
      { "1972.07.11", "1", W, 1, 1, KEY, 40, false },
      IPR_DUPLICATE_NONE },
    { "other moves",
      { "1972.07.11", "1", W, 1, 1, KEY, 40, true },
      { "1972.07.11", "1", W, 1, 1, KEY, 40, false },
      IPR_DUPLICATE_NONE },
    { "the beginning",
      { "1972.07.11", "1", NO, 2, 1, KEY, 24, false },
      { "1972.07.11", "1", W, 1, 1, KEY, 40, false },
      IPR_DUPLICATE_CONTAINED },
    { "goes on",
      { "1972.07.11", "1", W, 2, 1, KEY, 60, false },
      { "", "", NO, 1, 1, KEY, 40, false },
      IPR_DUPLICATE_EXTENDS },
    { "goes on and ends otherwise",
      { "1972.07.11", "1", W, 2, 1, KEY, 60, false },
      { "1972.07.11", "1", B, 1, 1, KEY, 40, false },
      IPR_DUPLICATE_NONE },
    { "the beginning of a game of another person",
      { "1972.07.11", "1", W, 1, 2, "fischer,r", 24, false },
      { "1972.07.11", "1", W, 1, 1, KEY, 40, false },
      IPR_DUPLICATE_NONE },
    { "a short beginning, nothing else in common",
      { "1972", "", NO, 2, 1, KEY, 10, false },
      { "1972.07.11", "1", W, 1, 1, KEY, 40, false },
      IPR_DUPLICATE_NONE },
    { "a short beginning on the same day",
      { "1972.07.11", "", NO, 2, 1, KEY, 10, false },
      { "1972.07.11", "1", W, 1, 1, KEY, 40, false },
      IPR_DUPLICATE_CONTAINED },
    { "a short beginning of the same event",
      { "", "", NO, 1, 1, KEY, 10, false },
      { "1972.07.11", "1", W, 1, 1, KEY, 40, false },
      IPR_DUPLICATE_CONTAINED },
    { "a short game played twice in a year",
      { "1972", "", IPR_DRAW, 1, 1, KEY, 16, false },
      { "1972.07.11", "1", IPR_DRAW, 2, 1, KEY, 16, false },
      IPR_DUPLICATE_NONE },
    { "no moves, the round says which",
      { "", "4", W, 1, 1, KEY, 0, false },
      { "1972.07.11", "4", W, 1, 1, KEY, 40, false },
      IPR_DUPLICATE_CONTAINED },
    { "no moves, no round, the same day",
      { "1972.07.11", "", W, 1, 1, KEY, 0, false },
      { "1972.07.11", "", W, 1, 1, KEY, 0, false },
      IPR_DUPLICATE_IDENTICAL },
    { "no moves, nothing that says which",
      { "1972", "", W, 1, 1, KEY, 0, false },
      { "1972", "", W, 1, 1, KEY, 0, false },
      IPR_DUPLICATE_NONE },
    { "no moves, another result",
      { "1972.07.11", "4", B, 1, 1, KEY, 0, false },
      { "1972.07.11", "4", W, 1, 1, KEY, 0, false },
      IPR_DUPLICATE_NONE },
    { "initials",
      { "1972.07.11", "1", W, 2, 2, "fischer,r", 40, false },
      { "1972.07.11", "1", W, 1, 1, KEY, 40, false },
      IPR_DUPLICATE_SPELLING },
    { "initials and another result",
      { "1972.07.11", "1", NO, 2, 2, "fischer,r", 40, false },
      { "1972.07.11", "1", W, 1, 1, KEY, 40, false },
      IPR_DUPLICATE_NONE },
    { "initials in a short game",
      { "1972.07.11", "1", W, 1, 2, "fischer,r", 18, false },
      { "1972.07.11", "1", W, 1, 1, KEY, 18, false },
      IPR_DUPLICATE_NONE },
    { "somebody else",
      { "1972.07.11", "1", W, 1, 2, "fine,reuben", 40, false },
      { "1972.07.11", "1", W, 1, 1, KEY, 40, false },
      IPR_DUPLICATE_NONE },
    { "nobody, identical", /* model games */
      { "", "", NO, 1, 0, "", 40, false },
      { "", "", NO, 1, 0, "", 40, false },
      IPR_DUPLICATE_IDENTICAL },
    { "nobody, the beginning",
      { "", "", NO, 1, 0, "", 40, false },
      { "", "", NO, 1, 0, "", 50, false },
      IPR_DUPLICATE_NONE },
    { "nobody and somebody",
      { "", "", NO, 1, 0, "", 40, false },
      { "", "", NO, 1, 1, KEY, 40, false },
      IPR_DUPLICATE_NONE },
};

static void test_kind(void **state)
{
    const struct row *r = *state;
    const struct ipr_db_new_game sent = game_of(&r->sent), kept = game_of(&r->kept);

    assert_int_equal(ipr_duplicate_of(&sent, &kept), r->kind);
    /* Either way round; a beginning is the other's extension. */
    const enum ipr_duplicate back = r->kind == IPR_DUPLICATE_CONTAINED ? IPR_DUPLICATE_EXTENDS
                                    : r->kind == IPR_DUPLICATE_EXTENDS ? IPR_DUPLICATE_CONTAINED
                                                                       : r->kind;
    assert_int_equal(ipr_duplicate_of(&kept, &sent), back);
}

static void test_other_start(void **state)
{
    const struct side s = { "1972.07.11", "1", W, 1, 1, KEY, 40, false };
    struct ipr_db_new_game sent = game_of(&s), kept = game_of(&s);

    (void)state;
    sent.start_fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    sent.moves_key = ipr_moves_key(sent.start_fen, sent.moves, sent.n_moves);
    assert_int_equal(ipr_duplicate_of(&sent, &kept), IPR_DUPLICATE_NONE);
}

/* ---- the richer tags win ----------------------------------------------------------------------
 */

static void test_enrich(void **state)
{
    const struct side poor = { "1972", "", NO, 0, 1, KEY, 40, false };
    const struct side rich = { "1972.07.11", "1", W, 7, 1, KEY, 40, false };
    struct ipr_db_new_game kept = game_of(&poor), sent = game_of(&rich);
    struct ipr_arena mem = IPR_ARENA_INIT;

    (void)state;
    kept.year = sent.year = 1972;
    kept.tags_json =
        "{\"White\":\"Fischer, R\",\"Date\":\"1972.??.??\",\"Site\":\"?\",\"Result\":\"*\","
        "\"ECO\":\"B77\"}";
    sent.tags_json =
        "{\"White\":\"Fischer, Robert J\",\"Date\":\"1972.07.11\",\"Site\":\"Rejkjavik\","
        "\"Result\":\"1-0\",\"ECO\":\"C95\",\"Opening\":\"Ruy Lopez\",\"Annotator\":\"?\"}";
    sent.site = "Rejkjavik";
    sent.white_elo = 2785;
    sent.event_year = 1972;
    sent.time_class = IPR_TIME_CLASSICAL;
    sent.time_known = IPR_TIME_INFERRED;
    sent.notes = IPR_STR("packed");
    assert_true(ipr_duplicate_enrich(&kept, &sent, IPR_DUPLICATE_IDENTICAL, &mem));
    assert_string_equal(kept.tags_json,
                        "{\"White\":\"Fischer, R\",\"Date\":\"1972.07.11\",\"Site\":\"Rejkjavik\","
                        "\"Result\":\"1-0\",\"ECO\":\"B77\",\"Opening\":\"Ruy Lopez\"}");
    assert_string_equal(kept.date, "1972.07.11");
    assert_string_equal(kept.round, "1");
    assert_string_equal(kept.site, "Rejkjavik");
    assert_int_equal(kept.result, IPR_WHITE_WINS);
    assert_int_equal(kept.event_id, 7);
    assert_int_equal(kept.white_elo, 2785);
    assert_int_equal(kept.time_class, IPR_TIME_CLASSICAL);
    assert_int_equal(kept.notes.n, 6);
    /* It has everything now. */
    assert_false(ipr_duplicate_enrich(&kept, &sent, IPR_DUPLICATE_IDENTICAL, &mem));
    ipr_arena_release(&mem);
}

/* What is known stays: nothing is overwritten by what is merely different, or poorer. */
static void test_keep(void **state)
{
    const struct side side = { "1972.07.11", "1", W, 7, 1, KEY, 40, false };
    const struct side poor = { "1972", "1.2", B, 8, 1, KEY, 40, false };
    struct ipr_db_new_game kept = game_of(&side), sent = game_of(&poor);
    struct ipr_arena mem = IPR_ARENA_INIT;

    (void)state;
    kept.site = "Rejkjavik";
    kept.time_class = IPR_TIME_CLASSICAL;
    kept.time_known = IPR_TIME_TAGGED;
    kept.tags_json = "{\"Site\":\"Rejkjavik\",\"Result\":\"1-0\",\"Date\":\"1972.07.11\"}";
    sent.site = "Iceland";
    sent.time_class = IPR_TIME_BLITZ;
    sent.time_known = IPR_TIME_INFERRED;
    sent.tags_json = "{\"Site\":\"Iceland\",\"Result\":\"0-1\",\"Date\":\"1972.??.??\"}";
    const struct ipr_db_new_game before = kept;
    assert_false(ipr_duplicate_enrich(&kept, &sent, IPR_DUPLICATE_IDENTICAL, &mem));
    assert_memory_equal(&kept, &before, sizeof kept);
    ipr_arena_release(&mem);
}

static void test_extend(void **state)
{
    const struct side side = { "", "", NO, 0, 1, KEY, 40, false };
    const struct side more = { "", "", W, 0, 1, KEY, 60, false };
    struct ipr_db_new_game kept = game_of(&side), sent = game_of(&more);
    struct ipr_arena mem = IPR_ARENA_INIT;

    (void)state;
    kept.tags_json = "{\"Result\":\"*\",\"PlyCount\":\"40\"}";
    sent.tags_json = "{\"Result\":\"1-0\",\"PlyCount\":\"60\"}";
    assert_true(ipr_duplicate_enrich(&kept, &sent, IPR_DUPLICATE_EXTENDS, &mem));
    assert_int_equal(kept.n_moves, 60);
    assert_true(kept.moves_key == sent.moves_key);
    assert_int_equal(kept.result, IPR_WHITE_WINS);
    assert_string_equal(kept.tags_json, "{\"Result\":\"1-0\",\"PlyCount\":\"60\"}");
    ipr_arena_release(&mem);
}

int main(void)
{
    enum { N = sizeof rows / sizeof rows[0] };
    struct CMUnitTest kinds[N] = { 0 };
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_other_start),
        cmocka_unit_test(test_enrich),
        cmocka_unit_test(test_keep),
        cmocka_unit_test(test_extend),
    };

    for (size_t i = 0; i < N; i++) {
        kinds[i].name = rows[i].name;
        kinds[i].test_func = test_kind;
        kinds[i].initial_state = &rows[i];
    }
    int failed = cmocka_run_group_tests_name("kinds of duplicates", kinds, NULL, NULL);
    failed += cmocka_run_group_tests_name("enriching", tests, NULL, NULL);
    return failed;
}
