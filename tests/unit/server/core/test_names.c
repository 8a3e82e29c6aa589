#include "ipr_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/names.h"

#define A20  "aaaaaaaaaaaaaaaaaaaa"
#define A200 A20 A20 A20 A20 A20 A20 A20 A20 A20 A20

static struct row {
    const char *name, *spelled, *key; /* key, or the type of the error */
    enum ipr_code code;
} rows[] = {
    { "plain", "Fischer, Robert J.", "fischer,robert j", IPR_OK },
    { "spaces and case", "fischer,  robert j", "fischer,robert j", IPR_OK },
    { "no space at comma", "FISCHER,ROBERT J", "fischer,robert j", IPR_OK },
    { "space before comma", " Fischer , Robert J . ", "fischer,robert j", IPR_OK },
    { "initials", "Fischer, R.J.", "fischer,r j", IPR_OK },
    { "not merged", "Fischer, R", "fischer,r", IPR_OK },
    { "tabs and line ends", "Tal\t\r\nMikhail", "tal mikhail", IPR_OK },
    { "precomposed", "Nov\xc3\xa1k", "nov\xc3\xa1k", IPR_OK },
    { "decomposed", "Nova\xcc\x81k", "nov\xc3\xa1k", IPR_OK },
    { "upper case accents", "NOV\xc3\x81K", "nov\xc3\xa1k", IPR_OK },
    { "sharp s", "Gro\xc3\x9f", "gross", IPR_OK },
    { "cyrillic", "\xd0\xa2\xd0\xb0\xd0\xbb\xd1\x8c", "\xd1\x82\xd0\xb0\xd0\xbb\xd1\x8c", IPR_OK },
    { "final sigma", "\xce\xa3\xce\x91\xce\xa3", "\xcf\x83\xce\xb1\xcf\x83", IPR_OK },
    { "han", "\xe4\xb8\x81\xe7\xab\x8b\xe4\xba\xba", "\xe4\xb8\x81\xe7\xab\x8b\xe4\xba\xba",
      IPR_OK },
    { "no-break space", "Anand\xc2\xa0V", "anand v", IPR_OK },
    { "zero width",
      "An\xe2\x80\x8b"
      "and\xef\xbb\xbf",
      "anand", IPR_OK },
    { "direction marks", "\xe2\x80\xaeTal\xe2\x80\xac", "tal", IPR_OK },
    { "soft hyphen", "Bot\xc2\xadvinnik", "botvinnik", IPR_OK },
    { "digits", "Player 1", "player 1", IPR_OK },
    { "engine", "Stockfish 15.1", "stockfish 15 1", IPR_OK },
    { "as long as may be", A200, A200, IPR_OK },
    { "too long", A200 "a", "name_too_long", IPR_EPARSE },
    { "empty", "", "no_player", IPR_EPARSE },
    { "blank", " . ", "no_player", IPR_EPARSE },
    { "question mark", "?", "no_player", IPR_EPARSE },
    { "question marks", "?, ?", "no_player", IPR_EPARSE },
    { "dash", "-", "no_player", IPR_EPARSE },
    { "only zero width", "\xe2\x80\x8b\xe2\x80\x8d", "no_player", IPR_EPARSE },
    { "not UTF-8", "Nov\xe1k", "bad_name", IPR_EPARSE },
    { "overlong UTF-8", "a\xc0\xafz", "bad_name", IPR_EPARSE },
};

static void test_key(void **state)
{
    const struct row *r = *state;
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_err err = IPR_ERR_INIT;
    const char *key = NULL, *again = NULL;

    assert_int_equal(ipr_name_key(r->spelled, &mem, &key, &err), r->code);
    if (r->code == IPR_OK) {
        assert_string_equal(key, r->key);
        assert_ok(ipr_name_key(key, &mem, &again, &err), &err);
        assert_string_equal(again, key);
    } else {
        assert_null(key);
        assert_string_equal(err.type, r->key);
    }
    ipr_arena_release(&mem);
}

static struct nobody {
    const char *spelled;
    bool nobody;
} nobodies[] = {
    { "NN", true },       { "N.N.", true },         { "N N", true },      { "n. n.", true },
    { "N, N", true },     { "N., N.", true },       { "Unknown", true },  { "ANONYMOUS", true },
    { "N", false },       { "NNN", false },         { "Nnamdi", false },  { "Nunn, N", false },
    { "N, Nora", false }, { "Unknown, Jo", false }, { "Amateur", false },
};

static void test_nobody(void **state)
{
    const struct nobody *r = *state;
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_err err = IPR_ERR_INIT;
    const char *key = NULL;

    assert_ok(ipr_name_key(r->spelled, &mem, &key, &err), &err);
    assert_int_equal(ipr_name_of_nobody(key), r->nobody);
    ipr_arena_release(&mem);
}

static struct pair {
    const char *name, *a, *b;
    bool fit;
} pairs[] = {
    { "fit: the same", "Fischer, Robert James", "Fischer, Robert James", true },
    { "fit: middle name as initial", "Fischer, Robert James", "Fischer, Robert J", true },
    { "fit: middle name missing", "Fischer, Robert James", "Fischer, Robert", true },
    { "fit: initials", "Fischer, R. J.", "Fischer, Robert James", true },
    { "fit: initials in one word", "Fischer,RJ", "Fischer, Robert James", true },
    { "fit: one initial", "Fischer, R", "Fischer, Robert James", true },
    { "fit: surname last", "Robert J Fischer", "Fischer, Robert J", true },
    { "fit: surname last, initials", "R. J. Fischer", "Fischer, Robert James", true },
    { "fit: both surname last", "R. J. Fischer", "Robert Fischer", true },
    { "fit: surname first, no comma", "Fischer Robert", "Fischer, Robert J", true },
    { "fit: either order, no comma", "Hou Yifan", "Yifan Hou", true },
    { "fit: short form", "Ivanov, Alex", "Ivanov, Alexander", true },
    { "fit: comma elsewhere", "Le, Quang Liem", "Le Quang, Liem", true },
    { "fit: given names joined", "Hou, Yi Fan", "Hou, Yifan", true },
    { "fit: surname joined", "Van der Wiel, John", "Vanderwiel, J", true },
    { "fit: apostrophe", "O'Kelly, Alberic", "O Kelly, Alberic", true },
    { "fit: typographic apostrophe", "O\xe2\x80\x99Kelly, Alberic", "OKelly, A", true },
    { "fit: hyphen", "Vachier-Lagrave, Maxime", "Vachier Lagrave, M", true },
    { "fit: long dash", "Vachier\xe2\x80\x93Lagrave, M", "Vachier-Lagrave, Maxime", true },
    { "fit: double surname last", "Maxime Vachier-Lagrave", "Vachier Lagrave, Maxime", true },
    { "fit: hyphened given name", "Dupont, Jean-Pierre", "Dupont, J P", true },
    { "fit: accents", "Nov\xc3\xa1k, Ji\xc5\x99\xc3\xad", "Novak, Jiri", true },
    { "fit: umlaut dropped",
      "H\xc3\xbc"
      "bner, Robert",
      "Hubner, Robert", true },
    { "fit: umlaut spelled",
      "H\xc3\xbc"
      "bner, Robert",
      "Huebner, R", true },
    { "fit: slashed o", "\xc3\x98stergaard, Jens", "Ostergaard, Jens", true },
    { "fit: slashed o spelled", "\xc3\x98stergaard, Jens", "Oestergaard, Jens", true },
    { "fit: ae", "K\xc3\xa6rgaard, A", "Kaergaard, Anders", true },
    { "fit: l with stroke", "\xc5\x81ukasz Nowak", "Nowak, Lukasz", true },
    { "fit: d with stroke", "\xc4\x90uri\xc4\x87, Stefan", "Duric, Stefan", true },
    { "fit: eth and thorn",
      "\xc3\x9e\xc3\xb3r\xc3\xb0"
      "arson, J",
      "Thordarson, Jon", true },
    { "fit: sharp s", "Gro\xc3\x9f, Stefan", "Gross, Stefan", true },
    { "fit: bare surname", "Steinitz", "STEINITZ", true },
    { "fit: cyrillic", "\xd0\xa2\xd0\xb0\xd0\xbb\xd1\x8c, \xd0\x9c",
      "\xd0\xa2\xd0\xb0\xd0\xbb\xd1\x8c, \xd0\x9c\xd0\xb8\xd1\x85", true },
    { "not: bare surname", "Fischer", "Fischer, Robert", false },
    { "not: bare surname, no comma", "Fischer", "Robert Fischer", false },
    { "not: two Petrosians", "Petrosian, Tigran V", "Petrosian, Tigran L", false },
    { "not: two Karpovs", "Karpov, An", "Karpov, Al", false },
    { "not: two Karpovs, one full", "Karpov, Anatoly", "Karpov, Al", false },
    { "not: other initial", "Polgar, Judit", "Polgar, S", false },
    { "not: surname begins alike", "Anders, J", "Anderson, J", false },
    { "not: surname and initial run together", "Ander, S", "Anderson, K", false },
    { "not: surname begins alike, no comma", "John Smith", "John Smithson", false },
    { "not: initial against surname", "John S", "John Smith", false },
    { "not: given name skipped", "Fischer, James", "Fischer, Robert James", false },
    { "not: letters of one name are no initials", "Kim, S J", "Kim, Sjoerd K", false },
    { "not: vowels are no initials", "Karpov, An", "Karpov, Alexander Nikolaevich", false },
    { "not: engines", "Stockfish 15", "Stockfish 15.1", false },
    { "not: numbered namesakes", "Fischer, Robert1", "Fischer, Robert2", false },
    { "not: accents on another letter", "M\xc3\xbcller, A", "Moller, A", false },
    { "not: punctuation alone", "!, a", "?!, a", false },
};

static void test_fit(void **state)
{
    const struct pair *r = *state;
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_err err = IPR_ERR_INIT;
    const char *a, *b;

    assert_ok(ipr_name_key(r->a, &mem, &a, &err), &err);
    assert_ok(ipr_name_key(r->b, &mem, &b, &err), &err);
    assert_int_equal(ipr_names_fit(a, b), r->fit);
    assert_int_equal(ipr_names_fit(b, a), r->fit);
    assert_true(ipr_names_fit(a, a));
    assert_false(ipr_names_fit(a, ""));
    assert_false(ipr_names_fit("", b));
    ipr_arena_release(&mem);
}

static void test_longest(void **state)
{
    /* Compatibility decomposition makes eighteen letters of this one. */
    char name[201] = "";
    struct ipr_arena mem = IPR_ARENA_INIT;

    (void)state;
    for (size_t i = 0; i + 3 <= 198; i += 3)
        memcpy(name + i, "\xef\xb7\xba", 4);
    assert_true(ipr_names_fit(name, name));
    assert_false(ipr_names_fit(name, "x"));
    assert_true(strlen(ipr_name_fold(name, &mem)) > 66 * 18);
    ipr_arena_release(&mem);
}

static void test_event_ordinals(void **state)
{
    static const char *const names[][2] = {
        { "World Championship 31th", "World Championship 31st" },
        { "22th and 23th", "22nd and 23rd" },
        { "11th, 12th, 13th, 111th, 112th", "11th, 12th, 13th, 111th, 112th" },
        { "World Championship 32th-KK2", "World Championship 32nd-KK2" },
        { "1th", "1st" },
        { "4th 10th 1st 2nd 3rd", "4th 10th 1st 2nd 3rd" },
        { "21thing, B21th, 21 th, 21", "21thing, B21th, 21 th, 21" },
        { "", "" },
    };
    struct ipr_arena mem = IPR_ARENA_INIT;

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_string_equal(ipr_name_event(names[i][0], &mem), names[i][1]);
    ipr_arena_release(&mem);
}

static void test_slug(void **state)
{
    static const char *const slugs[][2] = {
        { "Fischer, Robert J", "fischer-robert-j" },
        { "World Championship 28th", "world-championship-28th" },
        { "O'Kelly de Galway, Alb\xc3\xa9ric", "okelly-de-galway-alberic" },
        { "\xc3\x98st, J\xc3\xb8rgen ", "ost-jorgen" },
        { "\xe4\xb8\x81\xe7\xab\x8b", "" },
        { "1972", "" },
        { " /../<b>\"%?#", "b" },
        { "An event with a name of more letters than an address should have, by far",
          "an-event-with-a-name-of-more-letters-than-an-address-should" },
    };
    struct ipr_arena mem = IPR_ARENA_INIT;

    (void)state;
    for (size_t i = 0; i < sizeof slugs / sizeof *slugs; i++)
        assert_string_equal(ipr_name_slug(slugs[i][0], &mem), slugs[i][1]);
    ipr_arena_release(&mem);
}

static void test_dated(void **state)
{
    struct ipr_arena mem = IPR_ARENA_INIT;

    (void)state;
    assert_string_equal(ipr_name_dated("Linares", 1994, &mem), "Linares 1994");
    assert_string_equal(ipr_name_dated("Linares", 0, &mem), "Linares");
    assert_string_equal(ipr_name_dated("World Cup 2019", 2019, &mem), "World Cup 2019");
    assert_string_equal(ipr_name_dated("World Cup 2019", 2020, &mem), "World Cup 2019 2020");
    assert_string_equal(ipr_name_dated("1994", 1994, &mem), "1994 1994");
    assert_string_equal(ipr_name_dated("World Championship 31th", 1984, &mem),
                        "World Championship 31st 1984");
    ipr_arena_release(&mem);
}

#define N_NOBODIES (sizeof nobodies / sizeof nobodies[0])
#define N_ROWS     (sizeof rows / sizeof rows[0])
#define N_PAIRS    (sizeof pairs / sizeof pairs[0])

int main(void)
{
    struct CMUnitTest tests[N_ROWS + N_NOBODIES + N_PAIRS + 4] = { 0 };
    size_t n = 0;

    for (size_t i = 0; i < N_ROWS; i++)
        tests[n++] = (struct CMUnitTest){ rows[i].name, test_key, NULL, NULL, &rows[i] };
    for (size_t i = 0; i < N_NOBODIES; i++)
        tests[n++] =
            (struct CMUnitTest){ nobodies[i].spelled, test_nobody, NULL, NULL, &nobodies[i] };
    for (size_t i = 0; i < N_PAIRS; i++)
        tests[n++] = (struct CMUnitTest){ pairs[i].name, test_fit, NULL, NULL, &pairs[i] };
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(test_longest);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(test_slug);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(test_dated);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(test_event_ordinals);
    return cmocka_run_group_tests_name("names", tests, NULL, NULL);
}
