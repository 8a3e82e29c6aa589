/* Players of the benchmark by their names. */
#include "ipr_test.h"
#include "lab/names.h"

static void assert_player(const char *name, const char *expected)
{
    char player[128];

    bench_player(name, player);
    assert_string_equal(player, expected);
}

static void test_spellings_of_one_player_are_one(void **state)
{
    (void)state;
    assert_player("Paehtz,E", "paehtze");
    assert_player("Paehtz, Elisabeth", "paehtze");
    assert_player("Li Chao2", "lichao");
    assert_player("Volkov,Sergey1", "volkovs");
    assert_player("Volkov,S1", "volkovs");
}

static void test_pseudonyms_stay_apart(void **state)
{
    (void)state;
    assert_player("online-7031b78cb1", "online7031b78cb");
    assert_player("online-1703b78cb1", "online1703b78cb");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spellings_of_one_player_are_one),
        cmocka_unit_test(test_pseudonyms_stay_apart),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
