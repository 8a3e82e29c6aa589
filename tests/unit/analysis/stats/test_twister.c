/* The numbers are those of the library's generator, whose streams replicates were drawn by. */
#include <gsl/gsl_rng.h>

#include "ipr_test.h"
#include "stats/twister.h"

static void test_same_as_gsl(void **state)
{
    const uint32_t seeds[] = { 0, 1, 4357, 20240229, UINT32_MAX };
    const uint32_t n[] = { 1, 2, 3, 7, 100, 65537, 0x80000001U, UINT32_MAX };
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct ipr_twister t;

    (void)state;
    for (size_t s = 0; s < sizeof seeds / sizeof *seeds; s++) {
        gsl_rng_set(rng, seeds[s]);
        ipr_twister_seed(&t, seeds[s]);
        for (size_t i = 0; i < 5000; i++) {
            const uint32_t below = n[i % (sizeof n / sizeof *n)];

            assert_int_equal(ipr_twister_below(&t, below), gsl_rng_uniform_int(rng, below));
        }
    }
    gsl_rng_free(rng);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_same_as_gsl) };

    return cmocka_run_group_tests_name("twister", tests, NULL, NULL);
}
