/* What many comparisons mean. */
#include "view/event/event.h"

#include "ipr_test.h"
#include "view/json.h"

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
        cmocka_unit_test(test_comparisons),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
