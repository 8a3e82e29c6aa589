/* Careers in words, from made-up ratings: a year among the others, one career, several. */
#include <math.h>
#include <string.h>

#include "ipr_test.h"

#include "model/move_mark.h"
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
                        beyond[] = { 2600, 3180, 2640 };

    (void)state;
    check_year(near, 4, 1971,
               "By the moves 1971 is rated highest of 3 years and is 60 Elo above the mean of the "
               "others, 95% interval −60 to 180; this may be chance: among 3 equally strong years "
               "one stands out as much with a probability of 70%.");
    check_year(near, 4, 1970,
               "1970 is 60 Elo below the mean of 2 others, 95% interval −60 to 180; this may be "
               "chance");
    check_year(far, 3, 1971,
               "95% interval 270 to 510; more than chance explains: among 3 equally strong years "
               "one stands out as much with a probability of less than 1%.");
    check_year(near, 2, 1970,
               "1970 is 80 Elo below 1971, 95% interval −59 to 219; this may be chance: two "
               "equally strong years differ as much with a probability of 26%.");
    check_year(near, 4, 1973, "Too few moves of 1973 are analysed");
    check_year(beyond, 3, 1971,
               "By the moves 1971 is rated highest of 3 years and is 560 Elo above the mean of the "
               "others, 95% interval 440 to 680; more than chance explains");
    check_year(beyond, 3, 1970, "1970 is 310 Elo below the mean of 2 others, 95% interval 190 to");
    check_year(near, 4, 1950, NULL);
    check_year(near, 1, 1970, NULL);
}

/* ---- careers as wholes ---- */

#define YEARS 3

struct made {
    const char *name;
    double rating, error;
    double year[YEARS]; /* from 1970 on; 0: there is none */
    double probability; /* of the best one */
};

static struct ipr_figure_rating_short rated(double elo, double error)
{
    return (struct ipr_figure_rating_short){ .turns = 200,
                                             .estimate = elo,
                                             .standard_error = error,
                                             .extrapolated = elo > 2900,
                                             .interval.lo = elo - 2 * error,
                                             .interval.hi = elo + 2 * error };
}

static struct ipr_career career_of(const struct made *m, struct ipr_arena *mem)
{
    struct ipr_career k = { .of.player.name = m->name,
                            .label = m->name,
                            .rating = rated(m->rating, m->error),
                            .best = IPR_CAREER_NONE,
                            .best_probability = m->probability };

    k.years = ipr_arena_alloc(mem, YEARS, sizeof *k.years);
    for (size_t i = 0; i < YEARS && m->year[i] > 0; i++) {
        k.years[k.n++] =
            (struct ipr_career_year){ .year = 1970 + (int)i, .rating = rated(m->year[i], 50) };
        k.eligible++;
        if (k.best == IPR_CAREER_NONE || m->year[i] > m->year[k.best])
            k.best = i;
    }
    return k;
}

static void check_career(const struct made *m, bool interval, const char *want)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    const struct ipr_career k = career_of(m, &mem);

    assert_string_equal(ipr_career_finding(&k, interval, &mem), want);
    ipr_arena_release(&mem);
}

static void career_in_words(void **state)
{
    (void)state;
    check_career(&(struct made){ "Tal, Mihail", 2553, 50, { 2600, 2744, 2700 }, .2527 }, false,
                 "Tal is rated 2553 by the moves of all games. The best year is 1971, rated 2744; "
                 "the probability that it really was the best is 25%.");
    check_career(&(struct made){ "Tal, Mihail", 2553, 50, { 2600, 2744, 2700 }, .729 }, true,
                 "Tal is rated 2553 (95% interval 2453 to 2653) by the moves of all games. It is "
                 "likely (73%) that 1971 was the best year, rated 2744.");
    check_career(&(struct made){ "Tal, Mihail", 2600, 50, { 2600 }, 1 }, false,
                 "Tal is rated 2600 by the moves of all games.");
    check_career(
        &(struct made){ "Tal, Mihail", 2950, 50, { 2940, 2960 }, .6 }, true,
        "Tal is rated 2950 (95% interval 2850 to 3050) by the moves of all games. The best "
        "year is 1971, rated 2960; the probability that it really was the best is 60%.");
    check_career(&(struct made){ "Tal, Mihail", 2700, 50, { 2950, 2600 }, .996 }, false,
                 "Tal is rated 2700 by the moves of all games. It is virtually certain (above 99%) "
                 "that 1970 was the best year, rated 2950.");
}

static void trend_in_words(void **state)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_career k = career_of(&(struct made){ "Tal", 2553, 50, { 2553 }, 1 }, &mem);

    (void)state;
    k.has_trend = true;
    k.trend = (struct ipr_career_trend){ -3.25, 1, { .lo = -5, .hi = -1 } };
    k.set.phases = 1u << IPR_PHASE_ENDGAME;
    assert_string_equal(ipr_career_finding(&k, false, &mem),
                        "Tal is rated 2553 by the moves in the endgame. Over the years the rating "
                        "fell by 3.2 Elo a year.");
    k.trend.interval.hi = 1;
    k.set = (struct ipr_set){ .from = 1970 };
    assert_string_equal(ipr_career_finding(&k, false, &mem),
                        "Tal is rated 2553 by the moves of these games.");
    k.reason = "there is no game";
    assert_string_equal(ipr_career_finding(&k, false, &mem), "No rating of Tal: there is no game.");
    ipr_arena_release(&mem);
}

/* The sentence of careers of `made`, the first of which is limited to Black if `limited`. */
static void check_careers(const struct made *made, size_t n, bool limited, const char *want)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_career of[IPR_PARAM_TEXTS_MAX];
    double p;

    for (size_t i = 0; i < n; i++) {
        of[i] = career_of(&made[i], &mem);
        of[i].set.player = (int)i + 1;
    }
    of[0].set.colours = limited ? 2u : 0;
    assert_string_equal(ipr_careers_finding(of, n, &p, &mem), want);
    assert_true(p > 1. / (double)n && p <= 1);
    ipr_arena_release(&mem);
}

static void careers_in_words(void **state)
{
    static const struct made all[] = { { "Euwe", 2553, 58, { 2600, 2744 }, .3 },
                                       { "Tal", 2711, 57, { 2791, 2700 }, .3 },
                                       { "Lasker", 2718, 57, { 2950, 2700 }, .3 },
                                       { "Zukertort", 2500, 57, { 2500 }, 1 },
                                       { "Steinitz", 2099, 60, { 2100, 2000 }, .3 },
                                       { "Blackburne", 2098, 60, { 2100, 2000 }, .3 },
                                       { "Carlsen", 2950, 60, { 2950, 2950 }, .5 },
                                       { "Kasparov", 2940, 60, { 2950, 2950 }, .5 } };

    (void)state;
    check_careers(all, 3, false,
                  "The moves do not show which of the 3 players is the strongest. The largest "
                  "difference: Lasker is rated above Euwe by 165 Elo, more than its error.");
    check_careers(all + 1, 2, true,
                  "The moves do not show which of the two sets is the stronger. Lasker is rated "
                  "above Tal by 7 Elo, within its error.");
    check_careers(
        all + 3, 2, false,
        "By the moves it is virtually certain (above 99%) that Zukertort is the stronger of "
        "the two players. The difference, 401 Elo, is more than its error.");
    check_careers(all, 6, false,
                  "The moves do not show which of the 6 players is the strongest. The largest "
                  "difference: Lasker is rated above Blackburne by 620 Elo, more than its error.");
    check_careers(
        all + 5, 2, false,
        "By the moves it is virtually certain (above 99%) that Carlsen is the stronger of "
        "the two players. The difference, 852 Elo, is more than its error.");
    check_careers(
        all + 6, 2, false,
        "The moves do not show which of the two players is the stronger. Carlsen is rated "
        "above Kasparov by 10 Elo, within its error.");
}

/* Whether two sets can have moves in common, and the sentence says so. */
static void check_overlap(struct ipr_set a, struct ipr_set b, bool want)
{
    const struct made made = { "Tal", 2600, 50, { 2600 }, 1 };
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_career of[2] = { career_of(&made, &mem), career_of(&made, &mem) };
    double p;

    of[0].set = a;
    of[1].set = b;
    assert_int_equal(strstr(ipr_careers_finding(of, 2, &p, &mem), "Sets that share moves") != NULL,
                     want);
    ipr_arena_release(&mem);
}

static void careers_of_one_player(void **state)
{
    const struct ipr_set all = { .player = 1 };

    (void)state;
    check_overlap(all, (struct ipr_set){ .player = 2 }, false);
    check_overlap(all, (struct ipr_set){ .player = 1, .phases = 4 }, true);
    check_overlap((struct ipr_set){ .player = 1, .phases = 1 },
                  (struct ipr_set){ .player = 1, .phases = 4 }, false);
    check_overlap((struct ipr_set){ .player = 1, .colours = 1 },
                  (struct ipr_set){ .player = 1, .colours = 2 }, false);
    check_overlap((struct ipr_set){ .player = 1, .from = 1950, .to = 1960 },
                  (struct ipr_set){ .player = 1, .from = 1960, .to = 1970 }, true);
    check_overlap((struct ipr_set){ .player = 1, .from = 1961, .to = 1970 },
                  (struct ipr_set){ .player = 1, .from = 1950, .to = 1960 }, false);
    check_overlap((struct ipr_set){ .player = 1, .event = 3 },
                  (struct ipr_set){ .player = 1, .event = 4 }, false);
}

static void careers_without_ratings(void **state)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_career of[2];
    double p = 0;

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        of[i] = career_of(&(struct made){ "Tal", 2600, 50, { 2600 }, 1 }, &mem);
        if (i == 1)
            of[i].rating.estimate = NAN;
    }
    assert_string_equal(ipr_careers_finding(of, 2, &p, &mem),
                        "The moves do not show which of the players is the strongest: fewer than "
                        "two have a rating.");
    assert_true(isnan(p));
    assert_null(ipr_careers_finding(of, 0, &p, &mem));
    ipr_arena_release(&mem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(year_in_career_in_words), cmocka_unit_test(career_in_words),
        cmocka_unit_test(trend_in_words),          cmocka_unit_test(careers_in_words),
        cmocka_unit_test(careers_of_one_player),   cmocka_unit_test(careers_without_ratings),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
