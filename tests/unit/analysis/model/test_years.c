#include "model/years.h"

#include "ipr_test.h"

static void test_weights(void **state)
{
    (void)state;
    assert_close(ipr_year_weight(1972, 1972, IPR_FORGETTING), 1.0, 0.0);
    assert_close(ipr_year_weight(1969, 1972, IPR_FORGETTING), 0.125, 0.0);
    assert_close(ipr_year_weight(1970, 1972, 0.9), 0.81, 1e-15);
    assert_close(ipr_year_weight(1972, 1972, 0.0), 1.0, 0.0); /* the year alone */
    assert_close(ipr_year_weight(1971, 1972, 0.0), 0.0, 0.0);
    assert_close(ipr_year_weight(1900, 1972, 1.0), 1.0, 0.0); /* all the same */
    assert_close(ipr_year_weight(1973, 1972, 1.0), 0.0, 0.0);
    assert_close(ipr_year_weight(0, 1972, 1.0), 0.0, 0.0);
    assert_close(ipr_year_weight(0, 0, 0.5), 1.0, 0.0); /* whole career */
    assert_close(ipr_year_weight(1972, 0, 0.0), 1.0, 0.0);
}

struct strata_case {
    size_t runs[4], n;
    size_t strata[4], n_strata; /* games of each */
    size_t drawn[8], games;
};

static void test_strata(void **state)
{
    static const struct strata_case cases[] = {
        { { 3 }, 1, { 3 }, 1, { 0, 1, 2 }, 3 },
        { { 3, 1, 2, 1 }, 4, { 3, 2, 2 }, 3, { 0, 1, 2, 4, 5, 3, 6 }, 7 },
        { { 2, 1, 3 }, 3, { 2, 4 }, 2, { 0, 1, 3, 4, 5, 2 }, 6 }, /* joins the largest */
        { { 1, 1 }, 2, { 2 }, 1, { 0, 1 }, 2 },
    };

    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const struct strata_case *want = &cases[c];
        struct ipr_stratum strata[4];
        size_t drawn[8], first = 0;

        for (size_t k = 0; k < want->n; first += want->runs[k++])
            strata[k] = (struct ipr_stratum){ .first = first, .games = want->runs[k] };
        assert_int_equal(ipr_strata(strata, want->n, want->games, drawn), want->n_strata);
        first = 0;
        for (size_t k = 0; k < want->n_strata; first += want->strata[k++]) {
            assert_int_equal(strata[k].first, first);
            assert_int_equal(strata[k].games, want->strata[k]);
        }
        for (size_t i = 0; i < want->games; i++)
            assert_int_equal(drawn[i], want->drawn[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_weights),
        cmocka_unit_test(test_strata),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
