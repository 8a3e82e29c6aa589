/* Dates of rating lists, lines of ratings and the parts that are skipped, dates of games. */
#include "ipr_test.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/elo_lists.h"

static const struct {
    int year;
    size_t n;
    uint8_t first, last;
} lists[] = {
    { 1970, 0, 0, 0 },  { 1971, 1, 7, 7 },  { 1973, 1, 7, 7 },   { 1974, 1, 5, 5 },
    { 1975, 1, 1, 1 },  { 1989, 1, 1, 1 },  { 1990, 2, 1, 7 },   { 2000, 2, 1, 7 },
    { 2001, 4, 1, 10 }, { 2008, 4, 1, 10 }, { 2009, 5, 1, 11 },  { 2010, 6, 1, 11 },
    { 2011, 6, 1, 11 }, { 2012, 9, 1, 12 }, { 2013, 12, 1, 12 }, { 2099, 12, 1, 12 },
    { 2100, 0, 0, 0 },
};

static void test_lists(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        size_t n = 99;
        const uint8_t *months = ipr_elo_lists(lists[i].year, &n);

        assert_int_equal(n, lists[i].n);
        assert_int_equal(months == NULL, n == 0);
        if (n > 0) {
            assert_int_equal(months[0], lists[i].first);
            assert_int_equal(months[n - 1], lists[i].last);
        }
        for (size_t m = 1; m < n; m++)
            assert_true(months[m] > months[m - 1]);
    }
}

struct faults {
    char text[2000];
};

static void note(void *arg, struct ipr_str at, const char *why)
{
    struct faults *f = arg;
    const size_t n = strlen(f->text);

    snprintf(f->text + n, sizeof f->text - n, "%.*s %s; ", (int)at.n, at.p, why);
}

static struct row {
    const char *name, *text;
    int year;
    int16_t elo[IPR_ELO_LISTS_MAX];
    const char *faults;
} rows[] = {
    { "one list", " 1971:2760", 1971, { 2760 }, "" },
    { "two lists", "1990:2800,2805 1991:2800", 1990, { 2800, 2805 }, "" },
    { "lists left out", "2009:?,?,2788", 2009, { 0, 0, 2788 }, "" },
    { "tabs between years", "1989:2775\t\t1990:2800", 1990, { 2800 }, "" },
    { "least and greatest", "2001:1000,3000", 2001, { 1000, 3000 }, "" },
    { "nothing", "", 1971, { 0 }, "" },
    { "said twice", "1971:2760 1971:2760", 1971, { 2760 }, "" },
    { "contradiction",
      "1971:2760 1971:2750",
      1971,
      { 2760 },
      "1971:2750 contradicts an earlier entry of that year; " },
    { "one rating of a year is none",
      "2013:2320,?2320,2325",
      2013,
      { 2320, 0, 2325 },
      "2013:2320,?2320,2325 has a value that is not a rating; " },
    { "out of range",
      "2001:999,3001,2000,-2000",
      2001,
      { 0, 0, 2000 },
      "2001:999,3001,2000,-2000 has a value that is not a rating; " },
    { "empty rating",
      "2001:2330,,2320",
      2001,
      { 2330, 0, 2320 },
      "2001:2330,,2320 has a value that is not a rating; " },
    { "a year of empty ratings", "2001:", 2001, { 0 }, "2001: has a value that is not a rating; " },
    { "more than the year had",
      "1994:2330,2320,2310",
      1994,
      { 0 },
      "1994:2330,2320,2310 has more ratings than that year had lists; " },
    { "thirteen",
      "2013:1,2,3,4,5,6,7,8,9,10,11,12,13",
      2013,
      { 0 },
      "2013:1,2,3,4,5,6,7,8,9,10,11,12,13 has more ratings than that year had lists; " },
    { "no colon", "1992.2270,2270", 1992, { 0 }, "1992.2270,2270 is not a year and its ratings; " },
    { "no year", ":2000", 1971, { 0 }, ":2000 is not a year and its ratings; " },
    { "another century",
      "2102:2058",
      2099,
      { 0 },
      "2102:2058 is of a year without rating lists; " },
    { "before there were lists",
      "1965:2000 1971:2010",
      1971,
      { 2010 },
      "1965:2000 is of a year without rating lists; " },
    { "two colons", "1978:1980:", 1978, { 0 }, "1978:1980: has a value that is not a rating; " },
    { "a number too great for any",
      "1971:99999999999999999999",
      1971,
      { 0 },
      "1971:99999999999999999999 has a value that is not a rating; " },
};

static void test_read(void **state)
{
    const struct row *r = *state;
    struct ipr_elo_ratings *ratings = calloc(1, sizeof *ratings);
    struct faults faults = { "" };

    ipr_elo_read(ipr_str_c(r->text), ratings, note, &faults);
    assert_memory_equal(ratings->elo[r->year - IPR_ELO_YEAR_FIRST], r->elo, sizeof r->elo);
    assert_string_equal(faults.text, r->faults);
    free(ratings);
}

static const struct {
    const char *date;
    int year;
    const char *month; /* NULL: none */
} dates[] = {
    { "1972.07.11", 1972, "1972-07-01" },
    { "1972.12", 1972, "1972-12-01" },
    { "1972.07.??", 1972, "1972-07-01" },
    { "1972.??.??", 1972, "1972-01-01" },
    { "1972", 1972, "1972-01-01" },
    { "1972.13.01", 1972, "1972-01-01" },
    { "1972.7.11", 1972, "1972-01-01" },
    { "1972-07-11", 1972, "1972-01-01" },
    { "1972.123", 1972, "1972-01-01" },
    { "", 1972, "1972-01-01" },
    { "????.??.??", 0, NULL },
    { "", 10000, NULL },
    { "0876.05.01", 876, "0876-05-01" },
};

static void test_month(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof dates / sizeof *dates; i++) {
        char month[11] = "untouched";

        assert_int_equal(ipr_elo_month(dates[i].date, dates[i].year, month),
                         dates[i].month != NULL);
        assert_string_equal(month, dates[i].month != NULL ? dates[i].month : "untouched");
    }
}

int main(void)
{
    struct CMUnitTest tests[sizeof rows / sizeof *rows + 2] = { 0 };
    size_t n = 0;

    for (; n < sizeof rows / sizeof *rows; n++)
        tests[n] = (struct CMUnitTest){ rows[n].name, test_read, NULL, NULL, &rows[n] };
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(test_lists);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(test_month);
    return cmocka_run_group_tests_name("elo lists", tests, NULL, NULL);
}
