#include "ipr_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/spelling.h"
#include "ingest/ingest.h"
#include "ipr_db_test.h"
#include "ipr_pack_test.h"

static const char people[] = "@PLAYER \"., -_*\"\n"
                             "Fischer, Robert J #gm  USA [2785] 1943.03.09--2008.01.17\n"
                             "   = Fischer, R J\n"
                             "Fischer, Roger #-  GER [2108] 1973\n"
                             "Korchnoi, Viktor #gm  URS/SUI [2695] 1931.03.23--2016.06.06\n"
                             "   %Bio FIDEID 1300016deprecated\n"
                             "   = Kortschnoi, Viktor\n"
                             "Dupont, Antoine #-  FRA [2000] 1980\n"
                             "   %Bio FIDEID 601\n"
                             "Filip, Miroslav #-  CZE [1491] 1955\n"
                             "   %Bio FIDEID 602\n"
                             "Filip, Miroslav1 #gm  CSR/CZE [2677*] 1928.10.27--2009.04.27\n"
                             "   %Bio FIDEID 300098deprecated\n";

#define GAME(white, black, date, more, moves)                                                      \
    "[White \"" white "\"]\n[Black \"" black "\"]\n" date more "\n" moves " *\n\n"
#define ON(year) "[Date \"" year ".??.??\"]\n"

/* clang-format off */
static const char games[] =
    GAME("Fischer, Robert J", "Kortschnoi, Viktor", ON("1962"), "", "1. e4 e5")
    GAME("Robert J. Fischer", "Korchnoi, V", ON("1962"), "", "1. d4 d5")
    GAME("Fischer, R", "Viktor Korchnoi", ON("1970"), "", "1. c4 c5")
    GAME("Fischer, R", "Dupont, A", ON("1990"), "", "1. b4 b5")
    GAME("Filip, Miroslav", "Dupont, Antoine", ON("1955"), "", "1. g4 g5")
    GAME("Filip, Miroslav", "NN", ON("1972"), "", "1. a4 a5")
    GAME("Filip, Miroslav", "Y", "", "[WhiteFideId \"300098\"]\n", "1. a3 a6")
    GAME("Y", "Kortschnoi, Viktor", "", "[BlackFideId \"1300016\"]\n", "1. h4 h5")
    GAME("Y", "Kortschnoi, Viktor", "", "[BlackFideId \"7\"]\n", "1. h3 h6");
/* clang-format on */

static struct ipr_spelling *open_people(void)
{
    char path[] = "/tmp/intrinsic-ingest-XXXXXX";
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_spelling *s = NULL;
    const int fd = mkstemp(path);

    assert_true(fd >= 0);
    assert_int_equal(write(fd, people, sizeof people - 1), sizeof people - 1);
    close(fd);
    assert_ok(ipr_spelling_open(path, &s, &err), &err);
    unlink(path);
    return s;
}

static void test_names(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct ipr_spelling *s = open_people();
    const struct ipr_ingest_options options = {
        .source = "test.pgn", .priority = 5, .owner = "local", .max_bytes = 1 << 20, .spelling = s
    };
    struct ipr_ingest_result r = { 0 };
    const int fd = ipr_pack_plain(games, sizeof games - 1);

    assert_ok(ipr_ingest_fd(f->db, fd, &options, &r, &f->err), &f->err);
    close(fd);
    ipr_spelling_close(&s);
    assert_int_equal(r.imported, 9);
    /* In the order of the games; the tags stay as they were. */
    assert_string_equal(
        ipr_db_test_sql("SELECT string_agg(concat_ws(' ', w.name, w.fide_id, '-', b.name,"
                        " b.fide_id), '; ' ORDER BY g.id)"
                        " FROM game AS g JOIN player AS w ON w.id = g.white_id"
                        " JOIN player AS b ON b.id = g.black_id"),
        "Fischer, Robert J - Korchnoi, Viktor 1300016; Fischer, Robert J - Korchnoi, V; "
        "Fischer, R - Korchnoi, Viktor 1300016; Fischer, R - Dupont, A; "
        "Filip, Miroslav - Dupont, Antoine 601; Filip, Miroslav - ?; Filip, Miroslav 300098 - Y; "
        "Y - Korchnoi, Viktor 1300016; Y - Kortschnoi, Viktor 7");
    /* Whatever the year. */
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM player WHERE name LIKE 'Filip%'"), 2);
    assert_string_equal(ipr_db_test_sql("SELECT string_agg(s.name, '; ' ORDER BY s.key)"
                                        " FROM spelling AS s JOIN player AS p ON p.id = s.player_id"
                                        " WHERE p.name = 'Korchnoi, Viktor'"),
                        "Korchnoi, Viktor; Kortschnoi, Viktor; Viktor Korchnoi");
    assert_string_equal(ipr_db_test_sql("SELECT tags ->> 'White' FROM game ORDER BY id OFFSET 1"),
                        "Robert J. Fischer");
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_names) };

    return cmocka_run_group_tests_name("ingest spelling", tests, ipr_db_fixture_setup,
                                       ipr_db_fixture_teardown);
}
