/* Names that a search means although letters of it are wrong. */
#include "core/near.h"

#include <string.h>

#include "ipr_test.h"

static struct ipr_arena mem = IPR_ARENA_INIT;

static void test_beginning(void **state)
{
    static const struct {
        const char *word, *other;
        unsigned most, letters;
    } rows[] = {
        { "alekh", "alekhine", 2, 0 },
        { "aleknie", "alekhine", 2, 2 },
        { "kasprov", "kasparov", 2, 1 },
        { "fishcer", "fischer", 2, 1 },
        { "", "anything", 2, 0 },
        { "aleknie", "aleksievitis", 2, 1 },
        { "tal", "petrosian", 2, 3 },
        { "botvinik", "bot", 2, 3 },
        { "abc", "", 1, 2 },
        { "fischer", "fischer", 0, 0 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(ipr_near_beginning(rows[i].word, rows[i].other, rows[i].most),
                         rows[i].letters);
    assert_int_equal(ipr_near_beginning("longer than any word of a name, and longer still, by far",
                                        "longer than any word of a name, and longer still, by far "
                                        "even than the other",
                                        1),
                     2);
}

static unsigned letters(const char *search, const char *name, const char **likely)
{
    const struct ipr_near *s = ipr_near_make(search, &mem);

    assert_non_null(s);
    return ipr_near_letters(s, name, &mem, likely);
}

static void test_names(void **state)
{
    static const struct {
        const char *search, *name;
        unsigned letters;
    } rows[] = {
        { "aleknie", "alekhine,alexander a", 2 },
        { "alechin", "alekhine,alexander a", 0 },
        { "botwinik", "botvinnik,mikhail m", 1 },
        { "garri kasprov", "kasparov,garri", 1 },
        { "kasprov g", "kasparov,garri", 1 },
        { "aleknie", "tschepurnoff,anatol aleksievitis", 3 }, /* not the surname */
        { "karkov", "smyslov,vassily v", 3 },
        { "robert x fischre", "fischer,robert j", 1 },
    };
    const char *likely;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(letters(rows[i].search, rows[i].name, &likely), rows[i].letters);
    assert_int_equal(letters("aleknie", "alekhine,alexander", &likely), 2);
    assert_null(likely);
    assert_int_equal(letters("bobby fischre", "fischer,robert j", &likely), 1);
    assert_string_equal(likely, "bobby fischer");
    ipr_arena_release(&mem);
}

static void test_searches(void **state)
{
    (void)state;
    assert_null(ipr_near_make("", &mem));
    assert_null(ipr_near_make("tal", &mem));
    assert_null(ipr_near_make("one of far too many words", &mem));
    assert_null(ipr_near_make("12345 67890", &mem));
    assert_non_null(strstr(ipr_near_beginnings(ipr_near_make("kortschnoi", &mem)), "kor:*"));
    ipr_arena_release(&mem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_beginning),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_searches),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
