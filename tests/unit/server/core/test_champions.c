#include "core/champions.h"

#include "core/names.h"
#include "ipr_test.h"

static struct ipr_arena mem;

static void names_are_as_people_say_them(void **state)
{
    static const struct {
        const char *tag, *spoken;
    } names[] = {
        { "Fischer, Robert J", "Bobby Fischer" },
        { "Fischer, Robert James", "Bobby Fischer" },
        { "FISCHER,Robert J.", "Bobby Fischer" },
        { "Spassky, Boris V.", "Boris Spassky" },
        { "Tal, Mihail", "Mikhail Tal" },
        { "Capablanca, José Raúl", "José Raúl Capablanca" },
        { "Ding, Liren", "Ding Liren" },
        { "Gukesh D", "Gukesh Dommaraju" },
        { "Fischer, Robert J, 1972", "Bobby Fischer, 1972" },
        { "Donner, Jan Hein", "Jan Hein Donner" },
        { "Donner, Jan Hein, 1960", "Jan Hein Donner, 1960" },
        { "Fischer, R", "R Fischer" }, /* there are others */
        { "Tal, M", "M Tal" },
        { "Morphy", "Morphy" },
        { "Anna 2026", "Anna 2026" },
        { "", "" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_string_equal(ipr_name_spoken(names[i].tag, &mem), names[i].spoken);
}

static const struct ipr_champion *called(const char *search)
{
    const char *key = NULL;

    assert_int_equal(ipr_name_key(search, &mem, &key, NULL), IPR_OK);
    return ipr_champion_called(key, &mem);
}

static void a_search_may_have_the_name_that_people_say(void **state)
{
    (void)state;
    assert_true(called("Bobby Fischer") == ipr_champion_of("Fischer, Robert J"));
    assert_true(called("fischer bobby") == ipr_champion_of("Fischer, Robert James"));
    assert_true(called("Jose Raul Capablanca") == ipr_champion_of("Capablanca, Jose Raul"));
    assert_true(called("mikhail tal") == ipr_champion_of("Tal, Mihail"));
    assert_true(called("fischer") == NULL);
    assert_true(called("robert fischer") == NULL);
    assert_true(called("lasker, edward") == NULL);
    assert_true(called("carlsen, magnus vs fischer, robert j") == NULL);
    assert_true(called("b fischer") == NULL);
}

static void reigns_end_where_they_have_ended(void **state)
{
    const struct ipr_champion *const botvinnik = ipr_champion_of("Botvinnik, Mikhail M"),
                                     *const keres = ipr_champion_of("Keres, Paul");

    (void)state;
    assert_true(botvinnik != NULL && keres != NULL);
    assert_int_equal(botvinnik->reign[0].from, 1948);
    assert_int_equal(botvinnik->reign[2].to, 1963);
    assert_int_equal(botvinnik->reign[3].from, 0);
    assert_int_equal(keres->reign[0].from, 0);
    assert_int_equal(ipr_champion_of("Gukesh D")->reign[0].to, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_as_people_say_them),
        cmocka_unit_test(a_search_may_have_the_name_that_people_say),
        cmocka_unit_test(reigns_end_where_they_have_ended),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);

    ipr_arena_release(&mem);
    return failed;
}
