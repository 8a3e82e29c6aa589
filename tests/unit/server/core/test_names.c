#include "ipr_test.h"

#include <stdio.h>
#include <stdlib.h>

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

int main(void)
{
    struct CMUnitTest tests[sizeof rows / sizeof rows[0]] = { 0 };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        tests[i].name = rows[i].name;
        tests[i].test_func = test_key;
        tests[i].initial_state = &rows[i];
    }
    return cmocka_run_group_tests_name("names", tests, NULL, NULL);
}
