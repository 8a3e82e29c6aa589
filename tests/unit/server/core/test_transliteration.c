/* Names as other languages write them. */
#include "core/transliteration.h"

#include <stdbool.h>
#include <string.h>

#include "ipr_test.h"

static struct ipr_arena mem = IPR_ARENA_INIT;

/* Whether one of the ways to write a word is the beginning of a name, as searches take it. */
static bool finds(const char *word, const char *name)
{
    const char *out[IPR_TRANSLITERATIONS_MAX];
    const size_t n = ipr_transliterations(word, &mem, out);

    assert_true(n <= IPR_TRANSLITERATIONS_MAX);
    for (size_t i = 0; i < n; i++) {
        assert_string_not_equal(out[i], word);
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(out[i], out[k]);
        if (strncmp(name, out[i], strlen(out[i])) == 0)
            return true;
    }
    return false;
}

static void test_languages(void **state)
{
    static const char *const names[][2] = {
        { "aljechin", "alekhine" },     { "alekhine", "aljechin" },
        { "kortschnoj", "korchnoi" },   { "kortchnoi", "korchnoi" },
        { "korchnoi", "kortschnoj" },   { "spasski", "spassky" },
        { "spasskij", "spassky" },      { "botwinnik", "botvinnik" },
        { "petrosjan", "petrosian" },   { "tschigorin", "chigorin" },
        { "jussupow", "yusupov" },      { "judowitsch", "yudovich" },
        { "nimzovich", "nimzowitsch" }, { "schereschewskij", "shereshevsky" },
        { "tschechower", "chekhover" }, { "bogoljubov", "bogoljubow" },
        { "kasparow", "kasparov" },     { "polugajewski", "polugaevsky" },
        { "rachmanow", "rakhmanov" },   { "ljubojevic", "lubojevic" },
        { "iwantschuk", "ivanchuk" },   { "waganjan", "vaganian" },
        { "taimanoff", "taimanov" },    { "szymanski", "shimanski" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!finds(names[i][0], names[i][1]))
            fail_msg("%s does not find %s", names[i][0], names[i][1]);
}

static void test_others(void **state)
{
    static const char *const names[][2] = {
        { "karpov", "kasparov" }, { "tal", "tahl" },       { "fischer", "fine" },
        { "smyslov", "spassky" }, { "o'kelly", "okelly" }, { "petrov", "petrosian" },
    };
    const char *out[IPR_TRANSLITERATIONS_MAX];

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (finds(names[i][0], names[i][1]))
            fail_msg("%s finds %s", names[i][0], names[i][1]);
    assert_int_equal(ipr_transliterations("", &mem, out), 0);
    assert_int_equal(ipr_transliterations("abcdefghijabcdefghijx", &mem, out), 0);
    assert_int_equal(ipr_transliterations("wwwwwwwwwwwwwwwwwwww", &mem, out), 1);
    assert_string_equal(out[0], "vvvvvvvvvvvvvvvvvvvv");
    assert_true(ipr_transliterations("jajujejozhtskhszxwvc", &mem, out) ==
                IPR_TRANSLITERATIONS_MAX);
}

static void test_name(void **state)
{
    (void)state;
    assert_string_equal(ipr_transliterations_of_name("botw, m", &mem), "botw>botv");
    assert_string_equal(ipr_transliterations_of_name("owna.rowa-x", &mem), "owna>ovna rowa>rova");
    assert_string_equal(ipr_transliterations_of_name("a b c d owna", &mem), "");
    assert_string_equal(ipr_transliterations_of_name("", &mem), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_languages),
        cmocka_unit_test(test_others),
        cmocka_unit_test(test_name),
    };
    const int rc = cmocka_run_group_tests(tests, NULL, NULL);

    ipr_arena_release(&mem);
    return rc;
}
