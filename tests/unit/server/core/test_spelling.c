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

/* People of our own, in the manner of the real file; ids are made up where they are not common
 * knowledge. */
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
                             "Dupont, Antoine #-  FRA [2000] 1980\n"
                             "   %Bio FIDEID 601\n"
                             "Filip, Miroslav #-  CZE [1491] 1955\n"
                             "   %Bio FIDEID 602\n"
                             "Filip, Miroslav1 #gm  CSR/CZE [2677*] 1928.10.27--2009.04.27\n"
                             "   %Bio FIDEID 300098deprecated\n"
                             "   = Filip, Dr Miroslav\n"
                             "Filip, Petr1 #-  CZE [1974] 1973\n"
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
                             "Korchnoi, Viktor #gm  URS/SUI [2695] 1931.03.23--2016.06.06\n"
                             "   %Bio FIDEID 1300016deprecated\n"
                             "   = Kortschnoi, Viktor L\n"
                             "   = Korchnoi, V L\n"
                             "   = Kortschnoi, Viktor\n"
                             "Li, Wei #-  CHN [1500] 1990\n"
                             "Wei, Li #-  CHN [1600] 1991\n"
                             "Petrosian, Tigran L. #GM ARM [2562] 1984.09.17\n"
                             "   %Bio FIDEID 13301616\n"
                             "Petrosian, Tigran V #gm  URS [2645] 1929.06.17--1984.08.13\n"
                             "   = Petrosian, Tigran\n"
                             "Mueller, Hans #-  AUT [2300] 1896\n"
                             "Muller, Hans #-  GER [1900] 1950\n"
                             "Philidor #-  FRA [2400*] 1726.09.07--1795.08.31\n"
                             "Smith, J. R. #-  ENG [1800] 1950\n"
                             "Smith, John Robert #-  USA [1900] 1952\n"
                             "Tal, Mikhail #gm  LAT [2705] 1936.11.09--1992.06.28\n"
                             "   = Tal\n"
                             "Tal, Boris #-  ISR [2100] 1970\n"
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

static struct row {
    const char *name;
    int32_t tagged;        /* FIDE id */
    const char *canonical; /* NULL: nobody's */
    int32_t fide_id;
} rows[] = {
    /* Letter by letter, whatever case, accents, punctuation and order. */
    { "Fischer, Robert J", 0, "Fischer, Robert J", 0 },
    { "Fischer, Robert James", 0, "Fischer, Robert J", 0 },
    { "fischer,  ROBERT james", 0, "Fischer, Robert J", 0 },
    { "Fischer, R. J.", 0, "Fischer, Robert J", 0 },
    { "Fischer, RJ", 0, "Fischer, Robert J", 0 },
    { "Robert J Fischer", 0, "Fischer, Robert J", 0 },
    { "R. J. Fischer", 0, "Fischer, Robert J", 0 },
    { "Fischer Robert J", 0, "Fischer, Robert J", 0 },
    { "Kortschnoi, Viktor", 0, "Korchnoi, Viktor", 1300016 },
    { "Viktor Kortschnoi", 0, "Korchnoi, Viktor", 1300016 },
    { "H\xc3\xbc"
      "bner, Robert",
      0, "Huebner, Robert", 0 },
    { "John T. H. Van der Wiel", 0, "Van der Wiel, John T H", 1000019 },
    { "Van-der-Wiel, John T.H.", 0, "Van der Wiel, John T H", 1000019 },
    { "A. K. M. Mehfuz", 0, "A.K.M. Mehfuz", 0 },
    { "Mehfuz, A.K.M.", 0, "A.K.M. Mehfuz", 0 },
    { "Gemy, Kareem", 0, "Gemy, Kareem", 0 },
    { "Philidor", 0, "Philidor", 0 },
    { "Tolush, Alexander", 0, "Tolush, Alexander", 0 },
    { "Dupont, Antoine", 0, "Dupont, Antoine", 601 },
    /* Less than the file says: nobody's, even if nobody else fits. */
    { "Dupont, A", 0, NULL, 0 },
    { "Dupont", 0, NULL, 0 },
    { "Kortschnoi, V", 0, NULL, 0 },
    { "Fischer, Ro Ja", 0, NULL, 0 },
    { "Craig, C.", 0, NULL, 0 },
    { "Huebner, R", 0, NULL, 0 },
    { "John Van der Wiel", 0, NULL, 0 },
    { "Vanderwiel, John", 0, NULL, 0 },
    { "Van-der-Wiel, JTH", 0, NULL, 0 },
    { "Kim, S J", 0, NULL, 0 },
    /* More. */
    { "Tolush, Alexander V", 0, NULL, 0 },
    { "Korchnoi, Viktor Lvovich", 0, NULL, 0 },
    /* Short for several people, or spelled for one and short for another. */
    { "Fischer, R", 0, NULL, 0 },
    { "Fischer", 0, NULL, 0 },
    { "Karpov, An", 0, NULL, 0 },
    { "Petrosian, Tigran", 0, NULL, 0 },
    { "Petrosian, T", 0, NULL, 0 },
    { "Tal", 0, NULL, 0 },
    { "Li Wei", 0, NULL, 0 },
    { "Anand,V", 0, NULL, 0 },
    { "Anand V", 0, NULL, 0 },
    { "V Anand", 0, NULL, 0 },
    { "Smith, J R", 0, NULL, 0 },
    { "M\xc3\xbc"
      "ller, Hans",
      0, NULL, 0 },
    { "Mueller, Hans", 0, "Mueller, Hans", 0 },
    /* Namesakes, and what the file has for one of them alone. */
    { "Filip, Miroslav", 0, NULL, 0 },
    { "Filip, Miroslav1", 0, NULL, 0 },
    { "Filip, Dr Miroslav", 0, NULL, 0 },
    { "Filip, Petr", 0, NULL, 0 },
    { "Fischer, Robert", 0, NULL, 0 },
    { "Robert Fischer", 0, NULL, 0 },
    { "Hou, Yifan", 0, NULL, 0 },
    { "Hou, Yi Fan", 0, NULL, 0 },
    /* A tagged id distinguishes them. */
    { "Filip, Miroslav", 602, "Filip, Miroslav", 602 },
    { "Filip, Miroslav", 300098, "Filip, Miroslav", 300098 },
    { "Filip, Dr Miroslav", 300098, "Filip, Miroslav", 300098 },
    { "Hou Yi Fan", 8602980, "Hou, Yifan", 8602980 },
    { "Hou, Yifan", 8619492, "Hou, Yifan", 8619492 },
    { "Karpov, An", 4100026, "Karpov, Anatoly", 4100026 },
    { "Karpov, An", 4185722, NULL, 0 },
    { "Karpov, A", 4100026, NULL, 0 },
    { "Karpov, Anatoly", 42, NULL, 0 },
    { "Fischer, R J", 42, NULL, 0 },
    /* Other people, letters of one name for two. */
    { "Tolush, Boris", 0, NULL, 0 },
    { "Kim, T", 0, NULL, 0 },
    { "Fisch, E", 0, NULL, 0 },
    { "Anan, D V", 0, NULL, 0 },
    { "Zukertort", 0, NULL, 0 },
    { "\xd0\xa2\xd0\xb0\xd0\xbb\xd1\x8c, \xd0\x9c", 0, NULL, 0 },
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
    struct ipr_spelling_person p = { .fide_id = -1 };

    assert_int_equal(ipr_spelling_find(spelling, key_of(r->name, &mem), r->tagged, &mem, &p),
                     r->canonical != NULL);
    if (r->canonical != NULL) {
        assert_string_equal(p.name, r->canonical);
        assert_int_equal(p.fide_id, r->fide_id);
    } else {
        assert_null(p.name);
    }
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
    { "nobody", BYTES("@PLAYER \"\"\n# nobody\n@SITE \"\"\n"), 0, "it contains no names" },
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
    { "no name", BYTES("@PLAYER\n?\n"), 2, "line 2 has no valid name" },
    { "empty alternative", BYTES("@PLAYER\nTal, M\n =\n"), 3, "line 3 has no valid name" },
    { "surname missing", BYTES("@PLAYER\n-, M\n"), 2, "line 2 has no valid name" },
    { "not UTF-8",
      BYTES("@PLAYER\nH\xfc"
            "bner, R\n"),
      2, "line 2 has no valid name" },
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
    expect_refused(path, IPR_EPARSE, "line 2 has no valid name", &name_err);
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
        ipr_buf_printf(&text, "Family%d, Given #-  NED [....] 1950\n  %%Bio FIDEID %d\n", i, i + 1);
    write_file(text.p, text.n);
    assert_ok(ipr_spelling_open(path, &s, &err), &err);
    for (int i = 0; i < 20000; i += 7) {
        const char *name = ipr_arena_printf(&mem, "Given Family%d", i);
        assert_true(ipr_spelling_find(s, key_of(name, &mem), 0, &mem, &p));
        assert_int_equal(p.fide_id, i + 1);
    }
    ipr_spelling_close(&s);
    ipr_buf_release(&text);
    ipr_arena_release(&mem);
}

/* By FIDE id alone, today's or a retired one; an id of two people is nobody's. */
static void test_by_id(void **state)
{
    static const char text[] = "@PLAYER\n"
                               "Tal, M #gm\n  %Bio FIDEID 12deprecated\n  %Bio FIDEID 7\n"
                               "Tal, N1\n  %Bio FIDEID 5\n"
                               "Tal, O\n  %Bio FIDEID 9\n  %Bio FIDEID 9\n"
                               "Tal, P\n  %Bio FIDEID 5\n  %Bio World champion\n";
    static const struct {
        int32_t id;
        const char *name; /* NULL: nobody's */
        uint32_t person;
        int32_t today;
    } rows_by_id[] = {
        { 7, "Tal, M", 0, 7 }, { 12, "Tal, M", 0, 7 }, { 9, "Tal, O", 2, 9 }, { 5, NULL, 0, 0 },
        { 8, NULL, 0, 0 },     { 1, NULL, 0, 0 },      { 13, NULL, 0, 0 },
    };
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_spelling *s = NULL;

    (void)state;
    write_file(text, sizeof text - 1);
    assert_ok(ipr_spelling_open(path, &s, &err), &err);
    for (size_t i = 0; i < sizeof rows_by_id / sizeof *rows_by_id; i++) {
        struct ipr_spelling_person p = { .name = NULL };

        assert_int_equal(ipr_spelling_by_id(s, rows_by_id[i].id, &p), rows_by_id[i].name != NULL);
        if (rows_by_id[i].name == NULL)
            continue;
        assert_string_equal(p.name, rows_by_id[i].name);
        assert_int_equal(p.person, rows_by_id[i].person);
        assert_int_equal(p.fide_id, rows_by_id[i].today);
    }
    ipr_spelling_close(&s);
}

/* ---- Debian's file ----------------------------------------------------------------------------
 */

/* Scid's own, by whichever of Debian's packages; true for all of the last years. */
static struct row real[] = {
    { "Fischer, Robert James", 0, "Fischer, Robert J", 0 },
    { "Fischer, R J", 0, "Fischer, Robert J", 0 },
    { "Robert J Fischer", 0, "Fischer, Robert J", 0 },
    { "Fischer, R", 0, NULL, 0 },
    { "Fischer, Robert", 0, NULL, 0 },
    { "Korchnoi, Viktor Lvovich", 0, "Korchnoi, Viktor", 1300016 },
    { "Magnus Carlsen", 0, "Carlsen, Magnus", 1503014 },
    { "Kasparov,G", 0, NULL, 0 },
    { "Kasparov, Garry", 0, "Kasparov, Garry", 4100018 },
    { "Petrosian, Tigran", 0, NULL, 0 },
    { "Karpov, A", 0, NULL, 0 },
    { "Ivanov, A", 0, NULL, 0 },
    { "Zukertort", 0, NULL, 0 },
    { "Filip, Miroslav", 0, NULL, 0 },
    { "Fischer, Johannes", 0, NULL, 0 },
    { "Fischer, Johannes", 4602099, "Fischer, Johannes", 4602099 },
    { "Goldsmith, J.", 0, NULL, 0 },
    { "Walz, W.", 0, NULL, 0 },
    { "Schoene, A.", 0, NULL, 0 },
    { "Rinaldo, J.", 0, NULL, 0 },
};

static void test_real(void **state)
{
    const char *set = getenv("SCID_RATINGS_PATH");
    const char *file = set != NULL && set[0] != '\0' ? set : "/usr/share/scid/data/spelling.ssp";
    struct ipr_spelling *own = spelling;
    struct ipr_err err = IPR_ERR_INIT;

    (void)state;
    if (access(file, R_OK) != 0) {
        printf("skipped: %s is not there (Debian package scid-rating-data)\n", file);
        skip();
    }
    spelling = NULL;
    assert_ok(ipr_spelling_open(file, &spelling, &err), &err);
    for (size_t i = 0; i < sizeof real / sizeof real[0]; i++) {
        void *row = &real[i];
        test_find(&row);
    }
    ipr_spelling_close(&spelling);
    spelling = own;
}

#define N(table) (sizeof table / sizeof table[0])

static void test_alive(void **state)
{
    static const struct {
        const char *name;
        int32_t fide_id;
        int first, last;
        const char *is; /* NULL: no person, or more than one */
    } alive[] = {
        { "Karpov, An", 0, 1965, 1980, "Karpov, Anatoly" }, /* Andrey was not born yet */
        { "Karpov, A.", 0, 1965, 1988, "Karpov, Anatoly" },
        { "Karpov, A.", 0, 1989, 1990, NULL },
        { "A. Karpov", 0, 1970, 1970, "Karpov, Anatoly" },
        { "Karpov", 0, 1970, 1970, NULL },
        { "Petrosian, T", 0, 1960, 1970, "Petrosian, Tigran V" },
        { "Petrosian, T", 0, 1999, 2005, "Petrosian, Tigran L." },
        { "Petrosian, T", 0, 1980, 1999, NULL },
        { "Fischer, R", 0, 1955, 1960, NULL },
        { "Fischer, Robert", 0, 1945, 1945, "Fischer, Robert1" },
        { "Tal, M", 0, 1993, 1993, NULL },
        { "Mehfuz, A", 0, 1800, 1800, "A.K.M. Mehfuz" }, /* unknown dates */
        { "Anything", 4100026, 1970, 1970, "Karpov, Anatoly" },
        { "Karpov, Anatoly", 4100026, 1953, 1970, NULL },
        { "Nobody, N", 0, 1970, 1970, NULL },
    };
    struct ipr_arena mem = IPR_ARENA_INIT;

    (void)state;
    for (size_t i = 0; i < N(alive); i++) {
        struct ipr_spelling_person p;
        struct ipr_err err = IPR_ERR_INIT;
        const char *key;

        assert_ok(ipr_name_key(alive[i].name, &mem, &key, &err), &err);
        const bool is = ipr_spelling_alive(spelling, key, alive[i].fide_id, alive[i].first,
                                           alive[i].last, &mem, &p);
        if (is != (alive[i].is != NULL) ||
            (is && strncmp(alive[i].is, p.name, strlen(p.name)) != 0))
            fail_msg("%s in %d: %s", alive[i].name, alive[i].first, is ? p.name : "nobody");
    }
    ipr_arena_release(&mem);
}

int main(void)
{
    struct CMUnitTest tests[N(rows) + N(hostile) + 7] = { 0 };
    size_t n = 0;

    for (size_t i = 0; i < N(rows); i++)
        tests[n++] = (struct CMUnitTest){ rows[i].name, test_find, NULL, NULL, &rows[i] };
    for (size_t i = 0; i < N(hostile); i++)
        tests[n++] = (struct CMUnitTest){ hostile[i].name, test_hostile, NULL, NULL, &hostile[i] };
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(test_gigantic_line);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(test_too_many);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(test_unreadable);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(test_many);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(test_by_id);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(test_alive);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(test_real);
    return cmocka_run_group_tests_name("spelling", tests, open_people, close_people);
}
