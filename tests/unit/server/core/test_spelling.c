#include "ipr_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/names.h"
#include "core/spelling.h"

/* People of our own, in the manner of the real file; years and ids are made up where they are not
 * common knowledge. */
static const char people[] = "# Comment\n"
                             "%Anything before the section\n"
                             "\n"
                             "@PLAYER \"., -_*\"\n"
                             "### START ###\n"
                             "A.K.M. Mehfuz #-  BAN [2015] 0000 i\n"
                             "   = Mehfuz, A K M\n"
                             "Anand V #-  IND [1400] 2003\n"
                             "Anand, Viswanathan #GM IND [2817] 1969.12.11\n"
                             "   %Bio FIDEID 5000017\n"
                             "Craig, Carin #wfm AUS [2005] ????\n"
                             "Fischer, Robert1 #-  FRA [1363] 1941\n"
                             "Fischer, Robert2 #-  USA [1922] 1960\n"
                             "Fischer, Robert J #gm  USA [2785] 1943.03.09--2008.01.17\n"
                             "   %Bio World champion 1972-1975\n"
                             "   = Fischer, Robert James\n"
                             "   = Fischer, R J\n"
                             "Fischer, Roger #-  GER [2108] 1973\n"
                             "Gemy\t, Kareem #-  EGY [1281] 1987 i\n"
                             "Hou, Yifan #GM CHN [2658] 1994.02.27 w\n"
                             "   %Bio FIDEID 8602980\n"
                             "Hou, Yifan b #-  CHN [2100] 2005\n"
                             "   %Bio FIDEID 8619492\n"
                             "Huebner, Robert #GM GER [2600] 1948.11.06\n"
                             "Karpov, Anatoly #GM RUS [2617] 1951.05.23\n"
                             "   %Bio FIDEID 4100026\n"
                             "   = Karpov, An\n"
                             "Karpov, Andrey #-  RUS [2159] 1985 i\n"
                             "   %Bio FIDEID 4185722\n"
                             "Kim, Sjoerd #-  NED [1500] 1970\n"
                             "Korchnoi, Viktor #gm  URS/XXX/SUI [2695] 1931.03.23--2016.06.06\n"
                             "   %Bio FIDEID 1300016deprecated\n"
                             "   = Kortschnoi, Viktor L\n"
                             "   = Korchnoi, V L\n"
                             "Li, Wei #-  CHN [1500] 1990\n"
                             "Wei, Li #-  CHN [1600] 1991\n"
                             "Petrosian, Tigran L. #GM ARM [2562] 1984.09.17\n"
                             "   %Bio FIDEID 13301616\n"
                             "Petrosian, Tigran V #gm  URS [2645] 1929.06.17--1984.08.13\n"
                             "   = Petrosian, Tigran\n"
                             "Philidor #-  FRA [2400*] 1726.09.07--1795.08.31\n"
                             "Smith, J. R. #-  ENG [1800] 1950\n"
                             "Smith, John Robert #-  USA [1900] 1952\n"
                             "Tolush, Alexander #gm  URS [2500] 1910.05.01--1969.03.03\n"
                             "   %Bio FIDEID 0\n"
                             "Van der Wiel, John T H #GM NED [2560] 1959.08.08\n"
                             "   %Bio FIDEID 1000019\n"
                             "### END ###\n"
                             "@SITE \"., -_()\"\n"
                             "    Not of the section\n"
                             "Fischer, R\n";

static char path[] = "/tmp/intrinsic-spelling-XXXXXX";

static void write_file(const void *bytes, size_t n)
{
    FILE *f = fopen(path, "wb");

    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

static struct ipr_spelling *spelling;

static int open_people(void **state)
{
    struct ipr_err err = IPR_ERR_INIT;
    const int fd = mkstemp(path);

    (void)state;
    if (fd < 0)
        return -1;
    close(fd);
    write_file(people, sizeof people - 1);
    assert_ok(ipr_spelling_open(path, &spelling, &err), &err);
    assert_int_equal(ipr_spelling_people(spelling), 25);
    return 0;
}

static int close_people(void **state)
{
    (void)state;
    ipr_spelling_close(&spelling);
    assert_null(spelling);
    ipr_spelling_close(&spelling);
    return unlink(path);
}

#define NONE   IPR_SPELLING_NONE
#define ONE    IPR_SPELLING_ONE
#define UNSURE IPR_SPELLING_UNSURE

static struct row {
    const char *name;
    int year;
    enum ipr_spelling_fit fit;
    const char *canonical;
    int32_t fide_id;
} rows[] = {
    /* One person, several spellings. */
    { "Fischer, Robert J", 0, ONE, "Fischer, Robert J", 0 },
    { "Fischer, Robert James", 0, ONE, "Fischer, Robert J", 0 },
    { "fischer,  ROBERT james", 0, ONE, "Fischer, Robert J", 0 },
    { "Fischer, R. J.", 0, ONE, "Fischer, Robert J", 0 },
    { "Fischer, RJ", 0, ONE, "Fischer, Robert J", 0 },
    { "Fischer, Ro Ja", 1970, ONE, "Fischer, Robert J", 0 },
    { "Robert J Fischer", 0, ONE, "Fischer, Robert J", 0 },
    { "R. J. Fischer", 0, ONE, "Fischer, Robert J", 0 },
    { "Fischer Robert J", 0, ONE, "Fischer, Robert J", 0 },
    { "Kortschnoi, Viktor", 1960, ONE, "Korchnoi, Viktor", 1300016 },
    { "Kortschnoi, V", 1960, ONE, "Korchnoi, Viktor", 1300016 },
    { "Viktor Kortschnoi", 0, ONE, "Korchnoi, Viktor", 1300016 },
    { "H\xc3\xbc"
      "bner, Robert",
      0, ONE, "Huebner, Robert", 0 },
    { "John Van der Wiel", 0, ONE, "Van der Wiel, John T H", 1000019 },
    { "Vanderwiel, John", 0, ONE, "Van der Wiel, John T H", 1000019 },
    { "Van-der-Wiel, JTH", 0, ONE, "Van der Wiel, John T H", 1000019 },
    { "A. K. M. Mehfuz", 0, ONE, "A.K.M. Mehfuz", 0 },
    { "Mehfuz, A.K.M.", 0, ONE, "A.K.M. Mehfuz", 0 },
    { "Gemy, Kareem", 0, ONE, "Gemy, Kareem", 0 },
    { "Philidor", 0, ONE, "Philidor", 0 },
    { "Tolush, Alexander", 1950, ONE, "Tolush, Alexander", 0 },
    /* Several people. */
    { "Fischer, R", 0, UNSURE, NULL, 0 },
    { "Fischer, R", 1970, UNSURE, NULL, 0 },
    { "Fischer, Robert", 0, UNSURE, NULL, 0 },
    { "Robert Fischer", 0, UNSURE, NULL, 0 },
    { "Fischer", 0, UNSURE, NULL, 0 },
    { "Karpov, An", 0, UNSURE, NULL, 0 },
    { "Petrosian, Tigran", 0, UNSURE, NULL, 0 },
    { "Petrosian, T", 0, UNSURE, NULL, 0 },
    { "Li Wei", 0, UNSURE, NULL, 0 },
    { "Anand,V", 2020, UNSURE, NULL, 0 },
    { "Smith, J R", 0, UNSURE, NULL, 0 },
    { "Smith, J R", 1955, ONE, "Smith, J. R.", 0 },
    /* Years tell them apart. */
    { "Karpov, An", 1975, ONE, "Karpov, Anatoly", 4100026 },
    { "Karpov, An", 1988, ONE, "Karpov, Anatoly", 4100026 },
    { "Karpov, An", 1989, UNSURE, NULL, 0 },
    { "Petrosian, Tigran", 1966, ONE, "Petrosian, Tigran V", 0 },
    { "Petrosian, Tigran", 2005, ONE, "Petrosian, Tigran L.", 13301616 },
    { "Petrosian, T", 2005, ONE, "Petrosian, Tigran L.", 13301616 },
    { "Anand,V", 2000, ONE, "Anand, Viswanathan", 5000017 },
    { "Fischer, Robert J", 2020, UNSURE, NULL, 0 },
    { "Tolush, Alexander", 1911, NONE, NULL, 0 },
    /* Namesakes: the name as it is, but not whose. */
    { "Hou, Yifan", 0, ONE, "Hou, Yifan", 0 },
    { "Hou Yifan", 2020, ONE, "Hou, Yifan", 0 },
    { "Hou, Yi Fan", 2007, ONE, "Hou, Yifan", 0 },
    { "Hou, Y", 2007, ONE, "Hou, Yifan", 0 },
    /* Initials of nobody known to have been there. */
    { "Craig, Carin", 1919, ONE, "Craig, Carin", 0 },
    { "Craig, C.", 1919, UNSURE, NULL, 0 },
    { "Huebner, R", 0, UNSURE, NULL, 0 },
    { "Huebner, R", 1955, UNSURE, NULL, 0 },
    { "Huebner, R", 1956, ONE, "Huebner, Robert", 0 },
    /* More than the file says, other people, letters of one name for two. */
    { "Tolush, Alexander V", 1950, UNSURE, NULL, 0 },
    { "Tolush, Boris", 1950, NONE, NULL, 0 },
    { "Kim, S J", 1990, UNSURE, NULL, 0 },
    { "Kim, T", 1990, NONE, NULL, 0 },
    { "Anand V", 2020, UNSURE, NULL, 0 },
    { "V Anand", 2000, ONE, "Anand, Viswanathan", 5000017 },
    { "Fisch, E", 0, NONE, NULL, 0 },
    { "Anan, D V", 0, NONE, NULL, 0 },
    { "Zukertort", 0, NONE, NULL, 0 },
    { "Carlsen, Magnus", 0, NONE, NULL, 0 },
    { "\xd0\xa2\xd0\xb0\xd0\xbb\xd1\x8c, \xd0\x9c", 0, NONE, NULL, 0 },
};

static const char *key_of(const char *name, struct ipr_arena *mem)
{
    struct ipr_err err = IPR_ERR_INIT;
    const char *key = NULL;

    assert_ok(ipr_name_key(name, mem, &key, &err), &err);
    return key;
}

static void test_find(void **state)
{
    const struct row *r = *state;
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_spelling_person p = { NULL, -1, 0, 0 };

    assert_int_equal(ipr_spelling_find(spelling, key_of(r->name, &mem), r->year, &mem, &p), r->fit);
    if (r->fit == ONE) {
        assert_string_equal(p.name, r->canonical);
        assert_int_equal(p.fide_id, r->fide_id);
    } else {
        assert_null(p.name);
    }
    ipr_arena_release(&mem);
}

static struct asked {
    const char *name;
    int year;
    size_t cap;
    const char *candidates; /* joined */
} asked[] = {
    { "Fischer, R", 0, 9, "Fischer, Robert1; Fischer, Robert2; Fischer, Robert J; Fischer, Roger" },
    { "Fischer, R", 1950, 9, "Fischer, Robert1; Fischer, Robert J" },
    { "Fischer, R", 0, 2, "Fischer, Robert1; Fischer, Robert2" },
    { "Fischer, R", 0, 0, "" },
    { "Fischer", 0, 3, "Fischer, Robert1; Fischer, Robert2; Fischer, Robert J" },
    { "Robert Fischer", 0, 9, "Fischer, Robert1; Fischer, Robert2; Fischer, Robert J" },
    { "Tolush, Alexander V", 0, 9, "Tolush, Alexander" },
    { "Li Wei", 0, 9, "Li, Wei; Wei, Li" },
    { "Karpov, An", 0, 9, "Karpov, Anatoly; Karpov, Andrey" },
    { "Karpov, Boris", 0, 9, "" },
};

static void test_candidates(void **state)
{
    const struct asked *r = *state;
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_spelling_person p[9];
    struct ipr_buf got = IPR_BUF_INIT;

    const size_t n =
        ipr_spelling_candidates(spelling, key_of(r->name, &mem), r->year, &mem, p, r->cap);
    for (size_t i = 0; i < n; i++)
        ipr_buf_printf(&got, "%s%s", i > 0 ? "; " : "", p[i].name);
    assert_string_equal(ipr_buf_c(&got), r->candidates);
    ipr_buf_release(&got);
    ipr_arena_release(&mem);
}

static void test_life(void **state)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_spelling_person p;

    (void)state;
    assert_int_equal(ipr_spelling_find(spelling, key_of("Korchnoi, Viktor", &mem), 0, &mem, &p),
                     ONE);
    assert_int_equal(p.born, 1931);
    assert_int_equal(p.died, 2016);
    assert_int_equal(ipr_spelling_find(spelling, key_of("Gemy, Kareem", &mem), 0, &mem, &p), ONE);
    assert_int_equal(p.born, 1987);
    assert_int_equal(p.died, 0);
    assert_int_equal(ipr_spelling_find(spelling, key_of("A.K.M. Mehfuz", &mem), 0, &mem, &p), ONE);
    assert_int_equal(p.born, 0);
    ipr_arena_release(&mem);
}

/* ---- files that are none ----------------------------------------------------------------------
 */

#define BYTES(s) s, sizeof(s) - 1

static struct hostile {
    const char *name, *bytes;
    size_t n;
    uint32_t line;
    const char *says;
} hostile[] = {
    { "empty", BYTES(""), 0, "it has no section @PLAYER" },
    { "other text", BYTES("[White \"Fischer\"]\n"), 0, "it has no section @PLAYER" },
    { "other sections only", BYTES("@SITE \"\"\nParis\n"), 0, "it has no section @PLAYER" },
    { "section of a like name", BYTES("@PLAYERS\nTal, M\n"), 0, "it has no section @PLAYER" },
    { "nobody", BYTES("@PLAYER \"\"\n# nobody\n@SITE \"\"\n"), 0, "it names nobody" },
    { "binary",
      BYTES("\x7f"
            "ELF\0\0\n@PLAYER\nTal, M\n"),
      1, "line 1 is not text" },
    { "binary below", BYTES("@PLAYER\nTal, M\0\n"), 2, "line 2 is not text" },
    { "cut short", BYTES("@PLAYER\nTal, Mikhail #gm\n   = Tal, Mih"), 3, "line 3 breaks off" },
    { "cut short at the start", BYTES("# Spell"), 1, "line 1 breaks off" },
    { "alternative of nobody", BYTES("@PLAYER\n  = Tal, M\n"), 2, "line 2 belongs to no name" },
    { "note on nobody", BYTES("@PLAYER\n%Bio FIDEID 1\n"), 2, "line 2 belongs to no name" },
    { "indented text", BYTES("@PLAYER\nTal, M\n  Tal, Mikhail\n"), 3, "line 3 belongs to no name" },
    { "no name", BYTES("@PLAYER\n?\n"), 2, "line 2 has no name that could be one" },
    { "empty alternative", BYTES("@PLAYER\nTal, M\n =\n"), 3, "line 3 has no name" },
    { "surname missing", BYTES("@PLAYER\n-, M\n"), 2, "line 2 has no name" },
    { "not UTF-8",
      BYTES("@PLAYER\nH\xfc"
            "bner, R\n"),
      2, "line 2 has no name" },
};

static void expect_refused(const char *at, enum ipr_code code, const char *says,
                           struct ipr_err *err)
{
    struct ipr_spelling *s = NULL;

    assert_int_equal(ipr_spelling_open(at, &s, err), code);
    assert_null(s);
    assert_non_null(strstr(err->msg, at));
    assert_null(strchr(err->msg, '\n'));
    if (strstr(err->msg, says) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", err->msg, says);
}

static void test_hostile(void **state)
{
    const struct hostile *r = *state;
    struct ipr_err err = IPR_ERR_INIT;

    write_file(r->bytes, r->n);
    expect_refused(path, IPR_EPARSE, r->says, &err);
    assert_string_equal(err.type, "not_spelling");
    assert_int_equal(err.line, r->line);
}

/* One byte repeated, with something before and behind it. */
static void write_long(const char *before, size_t n, const char *behind)
{
    struct ipr_buf text = IPR_BUF_INIT;

    ipr_buf_puts(&text, before);
    for (size_t i = 0; i < n; i++)
        ipr_buf_putc(&text, 'a');
    ipr_buf_puts(&text, behind);
    write_file(text.p, text.n);
    ipr_buf_release(&text);
}

static void test_gigantic_line(void **state)
{
    struct ipr_err err = IPR_ERR_INIT, short_err = IPR_ERR_INIT, name_err = IPR_ERR_INIT;

    (void)state;
    write_long("@PLAYER\nTal, M\n", 10 << 20, "\n");
    expect_refused(path, IPR_EPARSE, "line 3 is too long", &err);
    write_long("@PLAYER\nTal, M\n", 5000, "\nTal, N\n");
    expect_refused(path, IPR_EPARSE, "line 3 is too long", &short_err);
    write_long("@PLAYER\n", IPR_NAME_MAX + 1, "\n");
    expect_refused(path, IPR_EPARSE, "line 2 has no name", &name_err);
}

static void test_too_many(void **state)
{
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_buf text = IPR_BUF_INIT;

    (void)state;
    ipr_buf_puts(&text, "@PLAYER\nTal, M\n");
    for (int i = 0; i < 2 << 20; i++)
        ipr_buf_puts(&text, "=T\n");
    write_file(text.p, text.n);
    ipr_buf_release(&text);
    expect_refused(path, IPR_ELIMIT, "line 2097154: more names", &err);
}

static void test_unreadable(void **state)
{
    struct ipr_err none = IPR_ERR_INIT, folder = IPR_ERR_INIT, pipe = IPR_ERR_INIT;
    char fifo[sizeof path + 5];

    (void)state;
    expect_refused("/nowhere/spelling.ssp", IPR_EIO, "No such file", &none);
    expect_refused("/tmp", IPR_EIO, "not a file", &folder);
    snprintf(fifo, sizeof fifo, "%s.pipe", path);
    assert_int_equal(mkfifo(fifo, 0600), 0);
    expect_refused(fifo, IPR_EIO, "not a file", &pipe);
    unlink(fifo);
}

/* Lines across the borders of what is read at a time, and more people than room was made for. */
static void test_many(void **state)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_buf text = IPR_BUF_INIT;
    struct ipr_spelling *s = NULL;
    struct ipr_spelling_person p;

    (void)state;
    ipr_buf_puts(&text, "@PLAYER\n");
    for (int i = 0; i < 20000; i++)
        ipr_buf_printf(&text, "Family%d, Given #-  NED [....] %d\n  %%Bio FIDEID %d\n", i,
                       1900 + i % 100, i + 1);
    write_file(text.p, text.n);
    assert_ok(ipr_spelling_open(path, &s, &err), &err);
    assert_int_equal(ipr_spelling_people(s), 20000);
    for (int i = 0; i < 20000; i += 7) {
        const char *name = ipr_arena_printf(&mem, "Given Family%d", i);
        assert_int_equal(ipr_spelling_find(s, key_of(name, &mem), 0, &mem, &p), ONE);
        assert_int_equal(p.fide_id, i + 1);
        assert_int_equal(p.born, 1900 + i % 100);
    }
    ipr_spelling_close(&s);
    ipr_buf_release(&text);
    ipr_arena_release(&mem);
}

/* ---- Debian's file ----------------------------------------------------------------------------
 */

/* Scid's own, by whichever of Debian's packages; true for all of the last years. */
static struct row real[] = {
    { "Fischer, Robert James", 1972, ONE, "Fischer, Robert J", 0 },
    { "Fischer, R J", 1972, ONE, "Fischer, Robert J", 0 },
    { "Robert J Fischer", 1972, ONE, "Fischer, Robert J", 0 },
    { "Fischer, R", 1972, UNSURE, NULL, 0 },
    { "Fischer, Robert", 1972, UNSURE, NULL, 0 },
    { "Kortschnoi, Viktor", 1978, ONE, "Korchnoi, Viktor", 1300016 },
    { "Kortchnoi, V", 1978, ONE, "Korchnoi, Viktor", 1300016 },
    { "Korchnoi, Viktor Lvovich", 0, ONE, "Korchnoi, Viktor", 1300016 },
    { "Magnus Carlsen", 2013, ONE, "Carlsen, Magnus", 1503014 },
    { "Kasparov,G", 1985, ONE, "Kasparov, Garry", 4100018 },
    { "Kasparov,G", 2015, UNSURE, NULL, 0 },
    { "Petrosian, Tigran", 0, UNSURE, NULL, 0 },
    { "Petrosian, Tigran", 1966, ONE, "Petrosian, Tigran V", 0 },
    { "Petrosian,TL", 2010, ONE, "Petrosian, Tigran L.", 13301616 },
    { "Karpov, A", 1975, UNSURE, NULL, 0 },
    { "Ivanov, A", 2000, UNSURE, NULL, 0 },
    { "Zukertort", 0, UNSURE, NULL, 0 },
};

static void test_real(void **state)
{
    const char *set = getenv("SCID_RATINGS_PATH");
    const char *file = set != NULL && set[0] != '\0' ? set : "/usr/share/scid/data/spelling.ssp";
    struct ipr_spelling *own = spelling;
    struct ipr_err err = IPR_ERR_INIT;

    (void)state;
    if (access(file, R_OK) != 0) {
        printf("skipped: %s is not there (Debian package scid-spell-data)\n", file);
        skip();
    }
    spelling = NULL;
    assert_ok(ipr_spelling_open(file, &spelling, &err), &err);
    assert_true(ipr_spelling_people(spelling) > 100000);
    for (size_t i = 0; i < sizeof real / sizeof real[0]; i++) {
        void *row = &real[i];
        test_find(&row);
    }
    ipr_spelling_close(&spelling);
    spelling = own;
}

#define N(table) (sizeof table / sizeof table[0])

int main(void)
{
    struct CMUnitTest tests[N(rows) + N(asked) + N(hostile) + 6] = { 0 };
    size_t n = 0;

    for (size_t i = 0; i < N(rows); i++)
        tests[n++] = (struct CMUnitTest){ rows[i].name, test_find, NULL, NULL, &rows[i] };
    for (size_t i = 0; i < N(asked); i++)
        tests[n++] = (struct CMUnitTest){ asked[i].name, test_candidates, NULL, NULL, &asked[i] };
    for (size_t i = 0; i < N(hostile); i++)
        tests[n++] = (struct CMUnitTest){ hostile[i].name, test_hostile, NULL, NULL, &hostile[i] };
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(test_life);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(test_gigantic_line);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(test_too_many);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(test_unreadable);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(test_many);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(test_real);
    return cmocka_run_group_tests_name("spelling", tests, open_people, close_people);
}
