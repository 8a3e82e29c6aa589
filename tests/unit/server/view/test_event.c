/* What many comparisons mean. */
#include <math.h>

#include "ipr_test.h"
#include "view/event/field.h"

/* A comparison; replicates 0: refused. */
struct compared {
    double z_mm, tail_mm, z_ad, tail_ad;
    size_t replicates;
};

static void test_comparisons(void **state)
{
    /* n, beyond two: mm, ad, by tails mm, ad (-1: unknown), beyond three: the same */
    static const struct {
        struct compared players[2];
        size_t of;
        int n, two[4], three[4];
    } rows[] = {
        { .of = 0 },
        { .of = 2 },
        { { { 1.9, 0.01, -2.5, 0.05, 999 } }, 2, 1, { 0, 1, 1, 0 }, { 0, 0, 0, 0 } },
        { { { -3.1, 0.001, 3.2, 0.0001, 9999 }, { 2.1, 0.02, 0, 0.5, 9999 } },
          2,
          2,
          { 2, 1, 2, 1 },
          { 1, 1, 1, 1 } },
        { { { -3.1, 0.002, 0, 0.5, 499 } }, 1, 1, { 1, 0, 1, 0 }, { 1, 0, -1, -1 } },
        { { { 2.1, 0.02, 0, 0.5, 9 } }, 1, 1, { 1, 0, -1, -1 }, { 0, 0, -1, -1 } },
    };
    static const double share[] = { 0.0455002639, 0.0026997961 };
    struct ipr_arena mem = IPR_ARENA_INIT;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct ipr_figure_event_row players[2] = { 0 };
        struct ipr_figure_concordance of[2] = { 0 };
        struct ipr_figure_compared both[2][2];

        for (size_t k = 0; k < rows[i].of; k++) {
            const struct compared *const p = &rows[i].players[k];

            ipr_shape_blank(IPR_SHAPE_COMPARED, &both[k][0]);
            both[k][1] = both[k][0];
            both[k][0].z = p->z_mm;
            both[k][0].tail = p->tail_mm;
            both[k][1].z = p->z_ad;
            both[k][1].tail = p->tail_ad;
            of[k].replicates = p->replicates;
            if (p->replicates > 0) {
                of[k].mm = &both[k][0];
                of[k].ad = &both[k][1];
            }
            players[k].concordance = k == 0 || p->replicates > 0 ? &of[k] : NULL;
        }
        const struct ipr_answer_event_comparisons out =
            ipr_event_comparisons(players, rows[i].of, &mem);

        assert_int_equal(out.compared, rows[i].n);
        assert_int_equal(out.beyond.n, 2);
        for (size_t k = 0; k < 2; k++) {
            const struct ipr_answer_beyond *const b = &out.beyond.at[k];
            const int64_t got[] = { b->mm, b->ad, b->by_tails.mm, b->by_tails.ad };

            assert_int_equal(b->standard_errors, k + 2);
            assert_close(b->expected, rows[i].n * share[k], 1e-8);
            for (size_t j = 0; j < 4; j++)
                assert_int_equal(got[j] == IPR_NO_COUNT ? -1 : got[j],
                                 k == 0 ? rows[i].two[j] : rows[i].three[j]);
        }
    }
    ipr_arena_release(&mem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_comparisons),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
