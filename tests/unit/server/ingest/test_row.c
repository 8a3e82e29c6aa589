#include "ipr_test.h"

#include <stdlib.h>

#include "base/mem.h"
#include "ingest/row.h"

static struct year_row {
    const char *name, *date;
    int year;
} year_rows[] = {
    { "whole date", "1972.07.11", 1972 },  { "year alone", "1851", 1851 },
    { "unknown day", "1971.??.??", 1971 }, { "dashes", "1990-01-02", 1990 },
    { "spaces", " 1921 ", 1921 },          { "unknown", "????.??.??", 0 },
    { "unknown decade", "19??.??.??", 0 }, { "day first", "11.07.1972", 1972 },
    { "too long", "19720711", 0 },         { "nothing", "", 0 },
    { "sign", "-972.01.01", 0 },           { "early", "0972.01.01", 0 },
};

static void test_dates(void **state)
{
    static const struct {
        const char *tag, *text, *date;
        int year;
    } rows[] = {
        { "UTCDate", "2017.08.31", "2017.08.31", 2017 },
        { "EventDate", "1972.07.11", "1972.??.??", 1972 },
        { "Date", "??.??.1972", "1972.??.??", 1972 },
        { "Date", "02.03.2024", "2024.??.??", 2024 },
        { "Date", "2024-03-02", "2024-03-02", 2024 },
        { "Date", "9999.01.01", "9999.01.01", 0 },
        { "Date", "12345", "12345", 0 },
        { "Date", "????.??.??", "", 0 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct ipr_pgn_tag tags[] = { { ipr_str_c("White"), ipr_str_c("A") },
                                      { ipr_str_c("Black"), ipr_str_c("B") },
                                      { ipr_str_c(rows[i].tag), ipr_str_c(rows[i].text) } };
        struct ipr_arena mem = IPR_ARENA_INIT;
        struct ipr_db_new_game row;
        struct ipr_err err = IPR_ERR_INIT;
        struct ipr_pos start;

        ipr_pos_start(&start);
        assert_ok(
            ipr_row_make(&(struct ipr_row_source){ .tags = tags, .n_tags = 3, .start = &start },
                         &mem, &row, &err),
            &err);
        assert_string_equal(row.date, rows[i].date);
        assert_int_equal(row.year, rows[i].year);
        ipr_arena_release(&mem);
    }
}

static void test_year(void **state)
{
    const struct year_row *r = *state;

    assert_int_equal(ipr_row_year(ipr_str_c(r->date)), r->year);
}

static struct text_row {
    const char *name;
    struct ipr_str in;
    size_t max;
    const char *out;
} text_rows[] = {
    { "as it is", { "Nov\xc3\xa1k", 6 }, 100, "Nov\xc3\xa1k" },
    { "trimmed", { "  a b ", 6 }, 100, "a b" },
    { "NUL and line end", { "a\0b\nc", 5 }, 100, "a b c" },
    { "C1 control", { "a\xc2\x85z", 4 }, 100, "a z" },
    { "not UTF-8", { "a\xe1z", 3 }, 100, "a\xef\xbf\xbdz" },
    { "cut at the end", { "a\xc3", 2 }, 100, "a\xef\xbf\xbd" },
    { "cut between characters", { "ab\xc3\xa1z", 5 }, 3, "ab" },
    { "cut after a character", { "ab\xc3\xa1z", 5 }, 4, "ab\xc3\xa1" },
    { "empty", { "", 0 }, 100, "" },
};

static void test_text(void **state)
{
    const struct text_row *r = *state;
    struct ipr_arena mem = IPR_ARENA_INIT;

    assert_string_equal(ipr_row_text(r->in, r->max, &mem), r->out);
    ipr_arena_release(&mem);
}

#define TAG(name, value)                                                                           \
    {                                                                                              \
        IPR_STR_INIT(name), IPR_STR_INIT(value)                                                    \
    }
#define IPR_STR_INIT(s)                                                                            \
    {                                                                                              \
        (s), sizeof(s) - 1                                                                         \
    }

static const struct ipr_pgn_tag tags[] = {
    TAG("Event", "World Championship 28th"),
    TAG("Site", "?"),
    TAG("Date", "1972.07.11"),
    TAG("Round", "-"),
    TAG("White", "Spassky, Boris V."),
    TAG("Black", "Fischer,  Robert J"),
    TAG("WhiteElo", " 2660 "),
    TAG("BlackElo", "2785?"),
    TAG("Zeta", "last \"but\" one"),
    TAG("Event", "a second one"),
    TAG("Alpha", "a\0b"),
};
#define N_TAGS (sizeof tags / sizeof tags[0])

static struct ipr_row_source source(const struct ipr_pos *start)
{
    static const ipr_move moves[] = { 12 | 28 << 6, 52 | 36 << 6 };

    return (struct ipr_row_source){ .tags = tags,
                                    .n_tags = N_TAGS,
                                    .start = start,
                                    .moves = moves,
                                    .n_moves = 2,
                                    .result = IPR_WHITE_WINS };
}

static void test_fields(void **state)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_db_new_game row;
    struct ipr_pos start;

    (void)state;
    ipr_pos_start(&start);
    const struct ipr_row_source src = source(&start);
    assert_ok(ipr_row_make(&src, &mem, &row, &err), &err);
    assert_string_equal(row.white.name, "Spassky, Boris V.");
    assert_string_equal(row.white.key, "spassky,boris v");
    assert_string_equal(row.black.key, "fischer,robert j");
    assert_string_equal(row.event, "World Championship 28th");
    assert_string_equal(row.site, "");
    assert_string_equal(row.round, "");
    assert_string_equal(row.date, "1972.07.11");
    assert_int_equal(row.year, 1972);
    assert_int_equal(row.white_elo, 2660);
    assert_int_equal(row.black_elo, 0);
    assert_int_equal(row.result, IPR_WHITE_WINS);
    assert_null(row.start_fen);
    assert_int_equal(row.n_moves, 2);
    assert_true(row.moves != src.moves);
    assert_string_equal(row.tags_json,
                        "{\"Event\":\"World Championship 28th\",\"Site\":\"?\",\"Date\":"
                        "\"1972.07.11\",\"Round\":\"-\",\"White\":\"Spassky, Boris V.\",\"Black\":"
                        "\"Fischer,  Robert J\",\"WhiteElo\":\"2660\",\"BlackElo\":\"2785?\","
                        "\"Zeta\":\"last \\\"but\\\" one\",\"Alpha\":\"a b\"}");
    ipr_arena_release(&mem);
}

/* The row with one tag replaced and a given start; texts live until the next call. */
static struct ipr_db_new_game row_with(const char *name, const char *value, const char *fen)
{
    static struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_pgn_tag own[N_TAGS];
    struct ipr_db_new_game row;
    struct ipr_pos start;

    ipr_arena_release(&mem);
    ipr_pos_start(&start);
    if (fen != NULL)
        assert_ok(ipr_pos_from_fen(&start, ipr_str_c(fen), &err), &err);
    memcpy(own, tags, sizeof own);
    for (size_t i = 0; i < N_TAGS; i++) {
        if (ipr_str_is(own[i].name, name))
            own[i].value = ipr_str_c(value);
    }
    struct ipr_row_source src = source(&start);
    src.tags = own;
    assert_ok(ipr_row_make(&src, &mem, &row, &err), &err);
    assert_int_equal(row.start_fen != NULL, fen != NULL);
    return row;
}

/* Moves alone: names and dates are compared apart. */
static void test_moves_key(void **state)
{
    const int64_t plain = row_with("", "", NULL).moves_key;

    (void)state;
    assert_true(row_with("White", "somebody else", NULL).moves_key == plain);
    assert_true(row_with("Date", "1973.07.11", NULL).moves_key == plain);
    assert_true(
        row_with("", "", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w Kkq - 0 1").moves_key !=
        plain);
}

static void test_event_year(void **state)
{
    (void)state;
    assert_int_equal(row_with("", "", NULL).event_year, 1972);
    assert_int_equal(row_with("Date", "?", NULL).event_year, 0);
    assert_int_equal(row_with("Round", "1", NULL).event_year, 1972);
}

static void test_nobody(void **state)
{
    (void)state;
    assert_string_equal(row_with("White", "?", NULL).white.key, "");
    assert_string_equal(row_with("Black", "", NULL).black.name, "?");
    assert_string_equal(row_with("Black", "N.N.", NULL).black.key, "");
}

/* The tags are kept as they are spelled. */
static void test_other_case(void **state)
{
    static const struct ipr_pgn_tag own[] = { TAG("white", "Tal, M"), TAG("BLACK", "X"),
                                              TAG("Black", "Y"),      TAG("date", "1960.03.15"),
                                              TAG("EVENT", "Moscow"), TAG("whiteelo", "2660") };
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_db_new_game row;
    struct ipr_pos start;

    (void)state;
    ipr_pos_start(&start);
    struct ipr_row_source src = source(&start);
    src.tags = own;
    src.n_tags = sizeof own / sizeof own[0];
    assert_ok(ipr_row_make(&src, &mem, &row, &err), &err);
    assert_string_equal(row.white.key, "tal,m");
    assert_string_equal(row.black.key, "y");
    assert_string_equal(row.event, "Moscow");
    assert_int_equal(row.year, 1960);
    assert_int_equal(row.white_elo, 2660);
    assert_string_equal(row.tags_json,
                        "{\"white\":\"Tal, M\",\"BLACK\":\"X\",\"Black\":\"Y\","
                        "\"date\":\"1960.03.15\",\"EVENT\":\"Moscow\",\"whiteelo\":\"2660\"}");
    ipr_arena_release(&mem);
}

static void expect_refused(const char *name, const char *value, const char *type)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_pgn_tag own[N_TAGS];
    struct ipr_db_new_game row;
    struct ipr_pos start;

    ipr_pos_start(&start);
    memcpy(own, tags, sizeof own);
    for (size_t i = 0; i < N_TAGS; i++) {
        if (ipr_str_is(own[i].name, name))
            own[i].value = ipr_str_c(value);
    }
    struct ipr_row_source src = source(&start);
    src.tags = own;
    assert_int_equal(ipr_row_make(&src, &mem, &row, &err), IPR_EPARSE);
    assert_string_equal(err.type, type);
    ipr_arena_release(&mem);
}

static void test_refused(void **state)
{
    char name[202];

    (void)state;
    memset(name, 'x', 201);
    name[201] = '\0';
    expect_refused("White", name, "name_too_long");
    expect_refused("Black", name, "name_too_long");
}

int main(void)
{
    enum { YEARS = sizeof year_rows / sizeof year_rows[0] };
    enum { TEXTS = sizeof text_rows / sizeof text_rows[0] };
    struct CMUnitTest years[YEARS] = { 0 }, texts[TEXTS] = { 0 };
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fields), cmocka_unit_test(test_moves_key),
        cmocka_unit_test(test_dates),  cmocka_unit_test(test_event_year),
        cmocka_unit_test(test_nobody), cmocka_unit_test(test_other_case),
        cmocka_unit_test(test_refused)
    };
    int failed = 0;

    for (size_t i = 0; i < YEARS; i++) {
        years[i].name = year_rows[i].name;
        years[i].test_func = test_year;
        years[i].initial_state = &year_rows[i];
    }
    for (size_t i = 0; i < TEXTS; i++) {
        texts[i].name = text_rows[i].name;
        texts[i].test_func = test_text;
        texts[i].initial_state = &text_rows[i];
    }
    failed += cmocka_run_group_tests_name("row years", years, NULL, NULL);
    failed += cmocka_run_group_tests_name("row texts", texts, NULL, NULL);
    failed += cmocka_run_group_tests_name("rows", tests, NULL, NULL);
    return failed;
}
