/* A year among the others of a career, in words, from made-up ratings. */
#include <math.h>
#include <string.h>

#include "ipr_test.h"

#include "view/player/career.h"

static void assert_found(const char *text, const char *part)
{
    if (text == NULL || strstr(text, part) == NULL)
        fail_msg("\"%s\" is not in \"%s\"", part, text != NULL ? text : "(none)");
}

/* Years with 200 moves, but the last, with 149. */
static void check_year(const double *raw, size_t n, int year, const char *want)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_career_year years[4];
    const struct ipr_career k = { .years = years, .n = n, .best = 1 };

    for (size_t i = 0; i < n; i++) {
        years[i] = (struct ipr_career_year){ .year = 1970 + (int)i, .raw = raw[i], .raw_se = 50 };
        years[i].rating.turns = i == 3 ? 149 : 200;
    }
    const char *const text = ipr_career_year_finding(&k, year, &mem);
    if (want == NULL)
        assert_null(text);
    else
        assert_found(text, want);
    ipr_arena_release(&mem);
}

static void year_in_career_in_words(void **state)
{
    static const double near[] = { 2600, 2680, 2640, 2000 }, far[] = { 2300, 2700, 2320 },
                        beyond[] = { 2600, 2850, 2640 };

    (void)state;
    check_year(near, 4, 1971,
               "By the moves 1971 is rated highest of 3 years and is 60 Elo above the mean of the "
               "others, 95% interval −60 to 180; this may be chance: if all 3 years were equal, "
               "one of them would be as far from the others in 70% of careers.");
    check_year(near, 4, 1970,
               "1970 is 60 Elo below the mean of 2 others, 95% interval −60 to 180; this may be "
               "chance");
    check_year(far, 3, 1971,
               "95% interval 270 to 510; more than chance explains: if all 3 years were equal, one "
               "of them would be as far from the others in less than 1% of careers.");
    check_year(near, 2, 1970,
               "1970 is 80 Elo below 1971, 95% interval −59 to 219; this may be chance: equal "
               "years differ as much in 26% of careers with two.");
    check_year(near, 4, 1973, "Too few moves of 1973 are analysed");
    check_year(beyond, 3, 1971, "is not known: it lies beyond the calibrated range.");
    check_year(beyond, 3, 1970, "is not known: some of them lie beyond the calibrated range.");
    check_year(near, 4, 1950, NULL);
    check_year(near, 1, 1970, NULL);
}

/* Two years above the calibrated range, and `within` of 2600 within it. */
static void check_above(size_t within, const char *want)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_career_year years[3] = { 0 };
    const struct ipr_career k = { .of.player.name = "Tal, Mihail",
                                  .years = years,
                                  .n = 2 + within,
                                  .best = within > 0 ? 2 : IPR_CAREER_NONE,
                                  .eligible = within,
                                  .best_probability = 1,
                                  .rating.estimate = NAN };

    for (size_t i = 0; i < k.n; i++) {
        struct ipr_figure_rating_short *const r = &years[i].rating;

        years[i].year = 1970 + (int)i;
        r->turns = 200;
        r->estimate = i < 2 ? NAN : 2600;
        r->bound.low = i < 2 ? 2800 : NAN;
        r->bound.high = NAN;
        r->interval.lo = 2500;
        r->interval.hi = 2700;
    }
    assert_string_equal(ipr_career_finding(&k, &mem), want);
    ipr_arena_release(&mem);
}

static void years_above_in_words(void **state)
{
    (void)state;
    check_above(0,
                "2 years of Tal are rated above 2800, beyond the calibrated range: which was the "
                "best is not known.");
    check_above(1,
                "2 years of Tal are rated above 2800, beyond the calibrated range: which was the "
                "best is not known. Of the 1 within it 1972 comes first, rated 2600, 95% "
                "interval 2500 to 2700.");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(year_in_career_in_words),
        cmocka_unit_test(years_above_in_words),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
