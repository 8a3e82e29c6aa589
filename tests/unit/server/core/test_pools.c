#include "core/pools.h"
#include "ipr_test.h"
#include "pgn/time_class.h"

#define BIT(c) IPR_TIME_BIT(IPR_TIME_##c)

/* Every class belongs to one pool. */
static void test_classes(void **state)
{
    (void)state;
    for (unsigned c = 0; c < IPR_TIME_CLASSES; c++) {
        size_t n = 0;

        for (size_t i = 0; i < IPR_POOLS; i++)
            n += (ipr_pool_at(i)->times & IPR_TIME_BIT(c)) != 0;
        assert_int_equal(n, 1);
    }
    for (size_t i = 0; i < IPR_POOLS; i++) {
        const struct ipr_pool *const pool = ipr_pool_at(i);

        assert_ptr_equal(ipr_pool_of(pool->times), pool);
        assert_ptr_equal(ipr_pool_of(pool->times | IPR_TIME_OWN), pool);
        assert_ptr_equal(ipr_pool_named(pool->name), pool);
    }
}

static void test_sets(void **state)
{
    (void)state;
    assert_string_equal(ipr_pool_of(0)->name, "otb");
    assert_string_equal(ipr_pool_of(IPR_TIME_OWN)->name, "otb");
    assert_string_equal(ipr_pool_of(BIT(RAPID))->name, "otb-rapid");
    assert_string_equal(ipr_pool_of(BIT(RAPID) | BIT(BLITZ))->name, "mixed");
    assert_string_equal(ipr_pool_of(BIT(CLASSICAL) | BIT(RAPID))->name, "mixed");
    assert_string_equal(ipr_pool_of(BIT(ONLINE_RAPID))->name, "online-rapid");
    assert_string_equal(ipr_pool_of(BIT(ONLINE_RAPID) | BIT(ONLINE_BLITZ))->name, "mixed");
    assert_string_equal(ipr_pool_of(BIT(CLASSICAL) | BIT(ONLINE_CLASSICAL))->name, "mixed");
    assert_string_equal(ipr_pool_of(IPR_TIME_SET_ALL)->name, "mixed");
    assert_string_equal(ipr_pool_named("mixed")->name, "mixed");
    assert_string_equal(ipr_pool_named("")->name, "otb");
}

/* Scales of online games are of lichess, wherever the games were played. */
static void test_servers(void **state)
{
    const struct ipr_pool *const blitz = ipr_pool_named("online-blitz");
    struct ipr_arena mem = IPR_ARENA_INIT;

    (void)state;
    assert_string_equal(ipr_pool_foreign(blitz, "chess.com"), "chess.com");
    assert_null(ipr_pool_foreign(blitz, "lichess"));
    assert_null(ipr_pool_foreign(blitz, NULL));
    assert_null(ipr_pool_foreign(ipr_pool_named("otb"), "chess.com"));
    assert_string_equal(ipr_pool_in(blitz, &mem), " on the scale of lichess blitz");
    assert_string_equal(ipr_pool_in(ipr_pool_named("otb-rapid"), &mem), " in rapid over the board");
    assert_string_equal(ipr_pool_in(ipr_pool_named("otb"), &mem), "");
    ipr_arena_release(&mem);
}

/* Without a scale nothing holds, and there is a reason. */
static void test_scales(void **state)
{
    const struct ipr_pool *const otb = ipr_pool_of(0), *const bullet = ipr_pool_of(BIT(BULLET)),
                                 *const all = ipr_pool_of(IPR_TIME_SET_ALL);
    struct ipr_arena mem = IPR_ARENA_INIT;

    (void)state;
    assert_null(ipr_scale_none(otb, &otb->moves, &mem));
    assert_true(ipr_scale_holds(&otb->moves, 2000));
    assert_true(ipr_scale_holds(&otb->moves, 1200) && ipr_scale_holds(&otb->moves, 2900));
    assert_false(ipr_scale_holds(&otb->moves, 1199) || ipr_scale_holds(&otb->moves, 2901));
    assert_false(ipr_scale_holds(&all->moves, 2000));
    assert_string_equal(ipr_scale_none(bullet, &bullet->moves, &mem),
                        "ratings of bullet games over the board have no scale yet");
    assert_non_null(ipr_scale_none(all, &all->files, &mem));
    const struct ipr_pool *const online = ipr_pool_of(BIT(ONLINE_BLITZ));
    assert_string_equal(ipr_scale_none(online, &online->files, &mem),
                        "online blitz games are rated when they are analysed here: there is no "
                        "scale for evaluations in their file");
    for (size_t i = 0; i < IPR_POOLS; i++) {
        const struct ipr_pool *const pool = ipr_pool_at(i);

        assert_non_null(ipr_pool_scale(pool)->fit);
        assert_string_equal(ipr_scale_name(&pool->moves), "rating");
        assert_string_equal(ipr_scale_name(&pool->files), "pgn-evals");
    }
    ipr_arena_release(&mem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_classes),
        cmocka_unit_test(test_sets),
        cmocka_unit_test(test_servers),
        cmocka_unit_test(test_scales),
    };

    return cmocka_run_group_tests_name("pools", tests, NULL, NULL);
}
