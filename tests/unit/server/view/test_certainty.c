/* A probability is printed as one number everywhere, and never past the limit of its word. */
#include "ipr_test.h"
#include "view/certainty.h"

static const struct row {
    double probability;
    const char *word, *percent;
} rows[] = {
    { .004, NULL, "below 1%" },
    { .175, NULL, "18%" },
    { .654, NULL, "65%" },
    { .656, "likely", "66%" }, /* the word of what is printed */
    { .66, "likely", "66%" },
    { .894, "likely", "89%" },
    { .9, "very likely", "90%" },
    { .944, "very likely", "94%" },
    { .9776, "extremely likely", "98%" },
    { .9843, "extremely likely", "98%" },
    { .99, "virtually certain", "99%" },
    { .9951, "virtually certain", "above 99%" },
    { 1, "virtually certain", "above 99%" },
};

static void test_words_and_percentages(void **state)
{
    struct ipr_arena mem = { 0 };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *const word = ipr_certainty_word(rows[i].probability);

        assert_string_equal(word != NULL ? word : "", rows[i].word != NULL ? rows[i].word : "");
        assert_string_equal(ipr_certainty_percent(rows[i].probability, &mem), rows[i].percent);
    }
    ipr_arena_release(&mem);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_words_and_percentages) };

    return cmocka_run_group_tests_name("certainty", tests, NULL, NULL);
}
