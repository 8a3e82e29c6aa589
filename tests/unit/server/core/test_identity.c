#include "ipr_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "core/identity.h"
#include "core/spelling.h"

/* More are in tests/unit/server/core/test_spelling.c. */
static const char people[] = "@PLAYER \"., -_*\"\n"
                             "Fischer, Robert J #gm  USA [2785] 1943.03.09--2008.01.17\n"
                             "   = Fischer, Robert James\n"
                             "   = Fischer, R J\n"
                             "Fischer, Roger #-  GER [2108] 1973\n"
                             "Korchnoi, Viktor #gm  URS/SUI [2695] 1931.03.23--2016.06.06\n"
                             "   %Bio FIDEID 1300016deprecated\n"
                             "   = Kortschnoi, Viktor\n"
                             "Hou, Yifan #GM CHN [2658] 1994.02.27 w\n"
                             "   %Bio FIDEID 8602980\n"
                             "Hou, Yifan b #-  CHN [2100] 2005\n"
                             "   %Bio FIDEID 8619492\n";

static struct ipr_spelling *spelling;

static int open_people(void **state)
{
    char path[] = "/tmp/intrinsic-identity-XXXXXX";
    struct ipr_err err = IPR_ERR_INIT;
    const int fd = mkstemp(path);

    (void)state;
    assert_true(fd >= 0);
    assert_int_equal(write(fd, people, sizeof people - 1), sizeof people - 1);
    close(fd);
    assert_ok(ipr_spelling_open(path, &spelling, &err), &err);
    return unlink(path);
}

static int close_people(void **state)
{
    (void)state;
    ipr_spelling_close(&spelling);
    return 0;
}

#define A20  "aaaaaaaaaaaaaaaaaaaa"
#define A220 A20 A20 A20 A20 A20 A20 A20 A20 A20 A20 A20

static struct row {
    const char *name, *fide_tag;
    bool corrected; /* with the spelling file */
    enum ipr_code code;
    struct ipr_identity want; /* tagged_name: but for nobody, the name */
} rows[] = {
#define WANT(name, key, tagged, id)                                                                \
    {                                                                                              \
        name, key, tagged, NULL, id, false                                                         \
    }
    { "Fischer, R. J.", "", false, IPR_OK,
      WANT("Fischer, R. J.", "fischer,r j", "fischer,r j", 0) },
    { "Fischer, R. J.", "", true, IPR_OK,
      WANT("Fischer, Robert J", "fischer,robert j", "fischer,r j", 0) },
    { "Robert J Fischer", "", true, IPR_OK,
      WANT("Fischer, Robert J", "fischer,robert j", "robert j fischer", 0) },
    { "Fischer, R", "", true, IPR_OK, WANT("Fischer, R", "fischer,r", "fischer,r", 0) },
    { "Korchnoi, V", "", true, IPR_OK, WANT("Korchnoi, V", "korchnoi,v", "korchnoi,v", 0) },
    { "Kortschnoi, Viktor", "", true, IPR_OK,
      WANT("Korchnoi, Viktor", "korchnoi,viktor", "kortschnoi,viktor", 1300016) },
    { "Kortschnoi, Viktor", " 1300016 ", true, IPR_OK,
      WANT("Korchnoi, Viktor", "korchnoi,viktor", "kortschnoi,viktor", 1300016) },
    /* The tag says that it is somebody else, or somebody the file does not number. */
    { "Kortschnoi, Viktor", "42", true, IPR_OK,
      WANT("Kortschnoi, Viktor", "kortschnoi,viktor", "kortschnoi,viktor", 42) },
    { "Fischer, R J", "42", true, IPR_OK, WANT("Fischer, R J", "fischer,r j", "fischer,r j", 42) },
    /* Namesakes: by the tagged id alone, without the file's mark. */
    { "Hou, Yifan", "", true, IPR_OK, WANT("Hou, Yifan", "hou,yifan", "hou,yifan", 0) },
    { "Hou Yifan", "8619492", true, IPR_OK, WANT("Hou, Yifan", "hou,yifan", "hou yifan", 8619492) },
    { "Tal, M", "99", false, IPR_OK, WANT("Tal, M", "tal,m", "tal,m", 99) },
    { "Tal, M", "0", true, IPR_OK, WANT("Tal, M", "tal,m", "tal,m", 0) },
    { "Tal, M", "9x", true, IPR_OK, WANT("Tal, M", "tal,m", "tal,m", 0) },
    { "Tal, M", "2147483648", true, IPR_OK, WANT("Tal, M", "tal,m", "tal,m", 0) },
    { "?", "", true, IPR_OK, WANT("?", "", "", 0) },
    { "", "", true, IPR_OK, WANT("?", "", "", 0) },
    { "-", "77", true, IPR_OK, WANT("?", "", "", 77) },
    { "NN", "", false, IPR_OK, WANT("?", "", "", 0) },
    { "n.n.", "", true, IPR_OK, WANT("?", "", "", 0) },
    { "Unknown", "", false, IPR_OK, WANT("?", "", "", 0) },
    { "Nnamdi", "", false, IPR_OK, WANT("Nnamdi", "nnamdi", "nnamdi", 0) },
    { A220, "", true, IPR_EPARSE, WANT(NULL, NULL, NULL, 0) },
};

static void test_make(void **state)
{
    const struct row *r = *state;
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_identity got;

    assert_int_equal(ipr_identity_make(ipr_str_c(r->name), ipr_str_c(r->fide_tag),
                                       r->corrected ? spelling : NULL, &mem, &got, &err),
                     r->code);
    if (r->code == IPR_OK) {
        assert_string_equal(got.name, r->want.name);
        assert_string_equal(got.key, r->want.key);
        assert_string_equal(got.tagged, r->want.tagged);
        assert_string_equal(got.tagged_name, got.key[0] != '\0' ? r->name : "?");
        assert_int_equal(got.fide_id, r->want.fide_id);
    } else {
        assert_string_equal(err.type, "name_too_long");
    }
    ipr_arena_release(&mem);
}

#define N_ROWS (sizeof rows / sizeof rows[0])

int main(void)
{
    struct CMUnitTest tests[N_ROWS] = { 0 };

    for (size_t i = 0; i < N_ROWS; i++)
        tests[i] = (struct CMUnitTest){ rows[i].name, test_make, NULL, NULL, &rows[i] };
    return cmocka_run_group_tests_name("identity", tests, open_people, close_people);
}
