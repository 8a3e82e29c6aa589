/* Careers in words, from made-up ratings: a year among the others, one career, several. */
#include <math.h>
#include <string.h>

#include "ipr_sentences_sample.h"
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
    const struct ipr_career k = { .years = years, .n = n };

    for (size_t i = 0; i < n; i++) {
        years[i] = (struct ipr_career_year){ .year = 1970 + (int)i, .raw = raw[i], .raw_se = 50 };
        years[i].rating.turns = i == 3 ? 149 : 200;
        years[i].rating.estimate = raw[i];
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

struct made {
    const char *name;
    double peak, error;
    size_t from, to; /* 0: undated */
};

static struct ipr_career career_of(const struct made *m, struct ipr_arena *mem)
{
    struct ipr_career k = { .of.player.name = m->name, .label = m->name };

    k.rating =
        (struct ipr_figure_rating_short){ .estimate = m->peak - 200, .standard_error = m->error };
    k.path = ipr_arena_alloc(mem, 1, sizeof *k.path);
    *k.path = (struct ipr_path){ .person = 1 };
    k.part = (struct ipr_path_part){ k.path, { 0, 0 }, { m->peak, m->error, m->error, 0, 0 } };
    ipr_shape_blank(IPR_SHAPE_PLAYER_PEAK, &k.path->peak);
    k.path->peak.rating_short.estimate = m->peak;
    if (m->from > 0) {
        k.path->peak.from = m->from;
        k.path->peak.to = m->to;
    }
    return k;
}

static void check_career(const struct made *m, const char *want)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    const struct ipr_career k = career_of(m, &mem);

    assert_string_equal(ipr_career_finding(&k, &mem), want);
    ipr_arena_release(&mem);
}

static void career_in_words(void **state)
{
    (void)state;
    check_career(&(struct made){ "Tal, Mihail", 2653, 50, 1979, 1981 },
                 "Tal peaked from 1979 to 1981 at 2653, by the moves.");
    check_career(&(struct made){ "Tal, Mihail", 2653, 50, 1979, 1979 },
                 "Tal played at 2653 by the moves in 1979.");
    check_career(&(struct made){ "Tal, Mihail", 2653, 50, 0, 0 },
                 "Tal played at 2653 by the moves.");
}

/* The years that the peak may lie in are stated where they are more than its own. */
static void peak_may_be_elsewhere(void **state)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    const struct ipr_career k = career_of(&(struct made){ "Tal", 2653, 50, 1979, 1981 }, &mem);
    struct ipr_figure_peak_within within = { 1979, 1981, .95 };

    (void)state;
    k.path->peak.within = &within;
    assert_string_equal(ipr_career_finding(&k, &mem),
                        "Tal peaked from 1979 to 1981 at 2653, by the moves.");
    within.from = 1972;
    assert_string_equal(ipr_career_finding(&k, &mem),
                        "Tal peaked from 1979 to 1981 at 2653, by the moves. The best three "
                        "years may have been any from 1972 to 1981 (95%).");
    ipr_arena_release(&mem);
}

static void part_in_words(void **state)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_career k = career_of(&(struct made){ "Tal", 2753, 50, 1979, 1979 }, &mem);

    (void)state;
    k.label = "Tal 1979";
    k.set = (struct ipr_set){ .from = 1979, .to = 1979 };
    k.part.at.lo = 2653;
    k.part.at.hi = 2853;
    assert_string_equal(ipr_career_finding(&k, &mem),
                        "Tal 1979 played at 2753, 95% interval 2653 to 2853, by the moves of all "
                        "years.");
    k.set.to = 0;
    assert_found(ipr_career_finding(&k, &mem), "played at 2753 on average, 95% interval");
    k.path = NULL;
    k.set.phases = 1u << IPR_PHASE_ENDGAME;
    assert_string_equal(ipr_career_finding(&k, &mem),
                        "Tal: 2553 is the rating of these games by the moves in the endgame.");
    k.set = (struct ipr_set){ .colours = 1 };
    assert_string_equal(ipr_career_finding(&k, &mem),
                        "Tal: 2553 is the rating of these games by the moves alone.");
    k.reason = "there is no game";
    assert_string_equal(ipr_career_finding(&k, &mem), "No rating of Tal: there is no game.");
    ipr_arena_release(&mem);
}

/* What the careers of `made` say; the first is of Black alone if `limited`, or all are. */
static void check_careers(const struct made *made, size_t n, size_t limited, const char *want)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_career of[IPR_PARAM_TEXTS_MAX];
    double p;

    for (size_t i = 0; i < n; i++) {
        of[i] = career_of(&made[i], &mem);
        of[i].set.player = of[i].path->person = (int)i + 1;
    }
    for (size_t i = 0; i < limited; i++) {
        of[i].set.colours = 2u;
        of[i].path = NULL;
        of[i].beside = limited < n;
    }
    assert_found(ipr_careers_finding(of, n, &p, &mem), want);
    assert_true(p > 1. / (double)n && p <= 1);
    ipr_arena_release(&mem);
}

static void careers_in_words(void **state)
{
    static const struct made all[] = { { "Euwe", 2553, 58, 1938, 1940 },
                                       { "Tal", 2711, 57, 1979, 1981 },
                                       { "Lasker", 2718, 57, 1908, 1910 },
                                       { "Zukertort", 2500, 57, 1881, 1883 },
                                       { "Steinitz", 2099, 60, 1895, 1897 } };

    (void)state;
    check_careers(all, 3, 0,
                  "The moves do not show which of the 3 players was the strongest: Lasker is the "
                  "highest, 2718, and Euwe the lowest, 2553.");
    check_careers(all + 1, 2, 0,
                  "The moves do not show who was stronger: Lasker, 2718, or Tal, 2711, at their "
                  "peaks.");
    check_careers(all + 3, 2, 0,
                  "It is virtually certain (above 99%) that Zukertort was stronger than Steinitz, "
                  "2500 against 2099 by the moves at their peaks.");
    check_careers(all + 1, 4, 1,
                  "(above 99%) that Lasker was the strongest of the 3 players, 2718 by the moves; "
                  "the lowest is Steinitz, 2099. Sets by colour, phase, event, opponent or upload "
                  "have only a rating of their games, and are not compared with strengths.");
    check_careers(all + 3, 2, 2,
                  "that Zukertort played better than Steinitz, 2300 against 1899 by the moves of "
                  "these games.");
}

/* Whether two sets can have moves in common, and the sentence says so. */
static void check_overlap(struct ipr_set a, struct ipr_set b, bool want)
{
    const struct made made = { "Tal", 2600, 50, 1979, 1981 };
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_career of[2] = { career_of(&made, &mem), career_of(&made, &mem) };
    double p;

    for (size_t i = 0; i < 2; i++)
        of[i].path = NULL;
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
        of[i] = career_of(&(struct made){ "Tal", 2600, 50, 1979, 1981 }, &mem);
        if (i == 1)
            of[i].part.at.mean = NAN;
    }
    assert_string_equal(ipr_careers_finding(of, 2, &p, &mem),
                        "The moves do not show which was the strongest: fewer than two are rated.");
    assert_true(isnan(p));
    assert_null(ipr_careers_finding(of, 0, &p, &mem));
    ipr_arena_release(&mem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(year_in_career_in_words), cmocka_unit_test(career_in_words),
        cmocka_unit_test(part_in_words),           cmocka_unit_test(careers_in_words),
        cmocka_unit_test(careers_of_one_player),   cmocka_unit_test(careers_without_ratings),
        cmocka_unit_test(peak_may_be_elsewhere),
    };

    ipr_sentences_sample();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
