/* Results of an event, and what many comparisons mean. */
#include "view/event.h"

#include <math.h>

#include "ipr_test.h"
#include "view/json.h"

#define SIDE(points, own, other)                                                                   \
    {                                                                                              \
        .half_points = (points), .elo = (own), .opponent_elo = (other), .turns = -1                \
    }

static void test_scores(void **state)
{
    static struct {
        const char *name;
        struct ipr_db_player_side sides[4];
        size_t n, scored, elo_games, expected_games;
        int half_points;
        bool performed, bounded;
        double elo, opponents, performance, expected; /* NaN: none */
    } rows[] = {
        { "even",
          { SIDE(1, 2000, 2000), SIDE(1, 2000, 2000) },
          2,
          2,
          2,
          2,
          2,
          true,
          false,
          2000.0,
          2000.0,
          2000.0,
          1.0 },
        { "200 points",
          { SIDE(2, 2200, 2000) },
          1,
          1,
          1,
          1,
          2,
          true,
          true,
          2200.0,
          2000.0,
          2800.0,
          0.7597469 },
        { "an opponent without",
          { SIDE(2, 2200, 2000), SIDE(0, 2200, 0) },
          2,
          2,
          2,
          1,
          2,
          false,
          false,
          2200.0,
          2000.0,
          NAN,
          0.7597469 },
        { "without a result",
          { SIDE(-1, 2200, 0), SIDE(1, 2100, 2100) },
          2,
          1,
          2,
          1,
          1,
          true,
          false,
          2150.0,
          2100.0,
          2100.0,
          0.5 },
        { "without a rating",
          { SIDE(0, 0, 2000), SIDE(2, 0, 2000) },
          2,
          2,
          0,
          0,
          2,
          true,
          false,
          NAN,
          2000.0,
          2000.0,
          0.0 },
        { "nothing known", { SIDE(-1, 0, 0) }, 1, 0, 0, 0, 0, false, false, NAN, NAN, NAN, 0.0 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct ipr_db_tournament_player p = { 1, "x", rows[i].sides, rows[i].n };
        struct ipr_event_score s;

        ipr_event_score(&p, &s);
        assert_int_equal(s.games, rows[i].n);
        assert_int_equal(s.scored, rows[i].scored);
        assert_int_equal(s.elo_games, rows[i].elo_games);
        assert_int_equal(s.half_points, rows[i].half_points);
        assert_int_equal(s.expected_games, rows[i].expected_games);
        assert_int_equal(s.performed, rows[i].performed);
        assert_int_equal(s.judged, 0);
        assert_close(s.expected, rows[i].expected, 1e-6);
        assert_int_equal(isfinite(s.elo) != 0, isfinite(rows[i].elo) != 0);
        if (isfinite(rows[i].elo))
            assert_close(s.elo, rows[i].elo, 1e-9);
        assert_int_equal(isfinite(s.opponents) != 0, isfinite(rows[i].opponents) != 0);
        if (isfinite(rows[i].opponents))
            assert_close(s.opponents, rows[i].opponents, 1e-9);
        if (!rows[i].performed)
            continue;
        assert_int_equal(s.performance.bounded, rows[i].bounded);
        assert_close(s.performance.rating, rows[i].performance, 1e-6);
    }
}

#define COMPARED(z_mm, tail_mm, z_ad, tail_ad, n)                                                  \
    "{\"concordance\":{\"mm\":{\"z\":" #z_mm ",\"tail\":" #tail_mm "},\"ad\":{\"z\":" #z_ad        \
    ",\"tail\":" #tail_ad "},\"replicates\":" #n "}}"
#define REFUSED "{\"concordance\":{\"mm\":null,\"ad\":null,\"reason\":\"few\"}}"

static void test_comparisons(void **state)
{
    /* n, beyond two: mm, ad, by tails mm, ad (-1: null), beyond three: the same */
    static const struct {
        const char *players;
        int n, two[4], three[4];
    } rows[] = {
        { "[]", 0, { 0, 0, 0, 0 }, { 0, 0, 0, 0 } },
        { "[" REFUSED ",{}]", 0, { 0, 0, 0, 0 }, { 0, 0, 0, 0 } },
        { "[" COMPARED(1.9, 0.01, -2.5, 0.05, 999) "," REFUSED "]",
          1,
          { 0, 1, 1, 0 },
          { 0, 0, 0, 0 } },
        { "[" COMPARED(-3.1, 0.001, 3.2, 0.0001, 9999) "," COMPARED(2.1, 0.02, 0, 0.5, 9999) "]",
          2,
          { 2, 1, 2, 1 },
          { 1, 1, 1, 1 } },
        { "[" COMPARED(-3.1, 0.002, 0, 0.5, 499) "]", 1, { 1, 0, 1, 0 }, { 1, 0, -1, -1 } },
        { "[" COMPARED(2.1, 0.02, 0, 0.5, 9) "]", 1, { 1, 0, -1, -1 }, { 0, 0, -1, -1 } },
    };
    static const char *const paths[] = { "mm", "ad", "by_tails.mm", "by_tails.ad" };
    static const double share[] = { 0.0455002639, 0.0026997961 };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        json_t *players = json_loads(rows[i].players, 0, NULL);
        json_t *out = ipr_event_comparisons(players);

        assert_int_equal(ipr_json_at(out, "compared", -1.0), rows[i].n);
        for (size_t k = 0; k < 2; k++) {
            const json_t *b = json_array_get(json_object_get(out, "beyond"), k);

            assert_close(ipr_json_at(b, "standard_errors", 0.0), (double)k + 2.0, 0.0);
            assert_close(ipr_json_at(b, "expected", -1.0), rows[i].n * share[k], 1e-8);
            for (size_t j = 0; j < 4; j++)
                assert_int_equal(ipr_json_at(b, paths[j], -1.0),
                                 k == 0 ? rows[i].two[j] : rows[i].three[j]);
        }
        json_decref(out);
        json_decref(players);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scores),
        cmocka_unit_test(test_comparisons),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
