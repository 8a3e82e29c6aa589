#include "core/name_similarity.h"

#include "core/names.h"
#include "ipr_test.h"

static struct pair {
    const char *name, *a, *b;
    enum ipr_similarity how;
} pairs[] = {
    { "same", "Fischer,  Robert J.", "fischer, robert j", IPR_SIMILARITY_SAME },
    { "title", "GM Kasparov, Garry", "Kasparov, Garry", IPR_SIMILARITY_TITLE },
    { "title, no comma", "WGM Judit Polgar", "Judit Polgar", IPR_SIMILARITY_TITLE },
    { "federation", "Viktor Korchnoi (URS)", "Viktor Korchnoi", IPR_SIMILARITY_TITLE },
    { "federation behind the surname", "Korchnoi (URS), Viktor", "Korchnoi, Viktor",
      IPR_SIMILARITY_TITLE },
    { "year", "Petrosian, Tigran (1929)", "Petrosian, Tigran", IPR_SIMILARITY_TITLE },
    { "title and initial", "GM Kasparov, G", "Kasparov, Garry", IPR_SIMILARITY_INITIALS },
    { "federation and order", "Viktor Korchnoi (URS)", "Korchnoi, Viktor", IPR_SIMILARITY_ORDER },
    { "accents", "T\u00e1l, Mikhail", "Tal, Mikhail", IPR_SIMILARITY_SIGNS },
    { "comma aside", "Tal Mikhail", "Tal, Mikhail", IPR_SIMILARITY_SIGNS },
    { "umlaut", "M\u00fcller, Hans", "Muller, Hans", IPR_SIMILARITY_SIGNS },
    { "umlaut written out", "Mueller, Hans", "M\u00fcller, Hans", IPR_SIMILARITY_SIGNS },
    { "umlaut written out, and left out", "Mueller, Hans", "Muller, Hans", IPR_SIMILARITY_SIGNS },
    { "umlaut and initial", "Mueller, H", "Muller, Hans", IPR_SIMILARITY_INITIALS },
    { "umlaut in a given name", "Kern, Juergen", "Kern, Jurgen K", IPR_SIMILARITY_PREFIX },
    { "order", "Robert J Fischer", "Fischer, Robert J", IPR_SIMILARITY_ORDER },
    { "no order, but initials", "Robert J Fischer", "Fischer, R", IPR_SIMILARITY_INITIALS },
    { "initial", "Fischer, R", "Fischer, Robert J", IPR_SIMILARITY_INITIALS },
    { "initial, one name", "Polgar, J", "Polgar, Judit", IPR_SIMILARITY_INITIALS },
    { "initials run together", "Fischer, RJ", "Fischer, Robert J", IPR_SIMILARITY_INITIALS },
    { "shortened", "Tal, Mikh", "Tal, Mikhail", IPR_SIMILARITY_PREFIX },
    { "left out", "Fischer, Robert", "Fischer, Robert J", IPR_SIMILARITY_PREFIX },
    { "a surname that could be a title", "Im, Dong", "Im, D", IPR_SIMILARITY_INITIALS },
    { "not: surname alone", "Fischer", "Fischer, Robert", IPR_SIMILARITY_NOT },
    { "not: surname alone with a title", "GM Fischer", "Fischer, Robert", IPR_SIMILARITY_NOT },
    { "not: spelled otherwise", "Fisher, Robert", "Fischer, Robert", IPR_SIMILARITY_NOT },
    { "not: other initial", "Polgar, Judit", "Polgar, S", IPR_SIMILARITY_NOT },
    { "not: two given names", "Karpov, Anatoly", "Karpov, Alexander", IPR_SIMILARITY_NOT },
    { "not: title alone", "GM", "IM", IPR_SIMILARITY_NOT },
};

static void test_alike(void **state)
{
    const struct pair *r = *state;
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_err err = IPR_ERR_INIT;
    const char *a, *b;

    assert_ok(ipr_name_key(r->a, &mem, &a, &err), &err);
    assert_ok(ipr_name_key(r->b, &mem, &b, &err), &err);
    assert_string_equal(ipr_similarity_name(ipr_name_similarity(a, b)),
                        ipr_similarity_name(r->how));
    assert_string_equal(ipr_similarity_name(ipr_name_similarity(b, a)),
                        ipr_similarity_name(r->how));
    ipr_arena_release(&mem);
}

static void test_apart(void **state)
{
    static const struct {
        const char *a, *b;
        bool apart;
    } rows[] = {
        { "zimmers,paul", "castello,luis", true },
        { "ahlborn,nora", "castello,l", true },
        { "hou yifan", "carlsen,magnus", true },
        { "castello,luis", "luis castello", false },
        { "nepomniachtchi,ian", "nepomnjascij,jan", false },
        { "castello,luis", "kastelo,l", false },
        { "cmilyte,viktorija", "nielsen,viktorija", false },
        { "m\xC3\xBCller,j", "mueller,johann", false },
        { "\xD0\xB8\xD0\xB2\xD0\xB0\xD0\xBD\xD0\xBE\xD0\xB2", "petrov,p", false },
        { "a,a", "b,b", false },
        { "li,x", "li,xue", false },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(ipr_names_apart(rows[i].a, rows[i].b), rows[i].apart);
        assert_int_equal(ipr_names_apart(rows[i].b, rows[i].a), rows[i].apart);
    }
}

int main(void)
{
    struct CMUnitTest tests[sizeof pairs / sizeof *pairs + 1] = { 0 };
    size_t n = 0;

    tests[sizeof pairs / sizeof *pairs] = (struct CMUnitTest)cmocka_unit_test(test_apart);
    for (; n < sizeof pairs / sizeof *pairs; n++)
        tests[n] = (struct CMUnitTest){ pairs[n].name, test_alike, NULL, NULL, &pairs[n] };
    return cmocka_run_group_tests_name("alike", tests, NULL, NULL);
}
