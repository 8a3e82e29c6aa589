/* The ratings in a spelling file: those of whom they are wanted, located faults, and files that are
 * cut or spoiled anywhere. */
#include "ipr_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "core/rating_file.h"

#define SAMPLE "tests/data/ratings/lists.ssp"

struct seen {
    struct ipr_buf taken, faults;
    size_t n_taken, n_faults;
    bool stop;
};

static enum ipr_code take(void *arg, const struct ipr_rated *r, struct ipr_err *err)
{
    struct seen *s = arg;

    s->n_taken++;
    ipr_buf_printf(&s->taken, "%u %s %zu:", r->person, r->name, r->n);
    for (int y = IPR_ELO_YEAR_FIRST; y <= IPR_ELO_YEAR_LAST; y++)
        for (int i = 0; i < IPR_ELO_LISTS_MAX; i++)
            if (r->ratings->elo[y - IPR_ELO_YEAR_FIRST][i] != 0)
                ipr_buf_printf(&s->taken, " %d.%d=%d", y, i,
                               r->ratings->elo[y - IPR_ELO_YEAR_FIRST][i]);
    ipr_buf_puts(&s->taken, "\n");
    return s->stop ? ipr_err_set(err, IPR_EDB, "stopped") : IPR_OK;
}

static void fault(void *arg, uint32_t line, uint32_t column, const char *word, const char *why)
{
    struct seen *s = arg;

    (void)why;
    s->n_faults++;
    ipr_buf_printf(&s->faults, "%u:%u %s\n", line, column, word);
}

static enum ipr_code read_file(const char *path, const uint32_t *wanted, size_t n, struct seen *s,
                               struct ipr_err *err)
{
    const struct ipr_rating_reader r = { wanted, n, take, fault, s };

    return ipr_rating_file_read(path, &r, err);
}

static void forget(struct seen *s)
{
    ipr_buf_release(&s->taken);
    ipr_buf_release(&s->faults);
    *s = (struct seen){ 0 };
}

static void test_wanted(void **state)
{
    const uint32_t some[] = { 0, 1, 6, 11 }, all[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 };
    struct ipr_err err = IPR_ERR_INIT;
    struct seen s = { 0 };

    (void)state;
    assert_ok(read_file(SAMPLE, some, 4, &s, &err), &err);
    assert_string_equal(ipr_buf_c(&s.taken),
                        "0 Adler, Vera 5: 1988.0=2400 1989.0=2410 1990.0=2420 1990.1=2430 "
                        "1991.1=2440\n"
                        "1 Brandt, Ole 4: 2009.1=2300 2009.2=2310 2009.3=2320 2009.4=2330\n");
    assert_int_equal(s.n_faults, 0);
    forget(&s);
    /* Elm has none; of Costa's mark nothing is left. */
    assert_ok(read_file(SAMPLE, all, 10, &s, &err), &err);
    assert_int_equal(s.n_taken, 9);
    assert_non_null(strstr(s.taken.p, "2 Costa, Ana 2:"));
    assert_null(strstr(s.taken.p, "Elm"));
    forget(&s);
    assert_ok(read_file(SAMPLE, NULL, 0, &s, &err), &err);
    assert_int_equal(s.n_taken, 0);
}

static void test_faults(void **state)
{
    const uint32_t falk[] = { 7 };
    struct ipr_err err = IPR_ERR_INIT;
    struct seen s = { 0 };

    (void)state;
    assert_ok(read_file(SAMPLE, falk, 1, &s, &err), &err);
    assert_string_equal(ipr_buf_c(&s.taken),
                        "7 Falk, Kim 4: 1979.0=2050 2001.0=2070 2013.0=2040 2013.2=2050\n");
    assert_string_equal(ipr_buf_c(&s.faults), "28:9 1978:1980:\n"
                                              "28:30 nonsense\n"
                                              "28:39 1994:2050,,2060\n"
                                              "28:55 1965:1900\n"
                                              "29:9 2102:2058,2065\n"
                                              "29:24 2013:2040,?2045,2050,19,0,235,3001\n"
                                              "30:9 1979:2055\n"
                                              "32:18 :2000\n"
                                              "32:24 2000,2010\n");
    forget(&s);
}

static void test_stops(void **state)
{
    const uint32_t all[] = { 0, 1, 2, 3 };
    struct ipr_err err = IPR_ERR_INIT;
    struct seen s = { .stop = true };

    (void)state;
    assert_int_equal(read_file(SAMPLE, all, 4, &s, &err), IPR_EDB);
    assert_int_equal(s.n_taken, 1);
    forget(&s);
}

static char path[] = "/tmp/intrinsic-ratings-XXXXXX";

static void write_file(const char *bytes, size_t n)
{
    FILE *f = fopen(path, "wb");

    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

static void expect(const char *text, enum ipr_code code, const char *says)
{
    const uint32_t first[] = { 0 };
    struct ipr_err err = IPR_ERR_INIT;
    struct seen s = { 0 };

    write_file(text, strlen(text));
    assert_int_equal(read_file(path, first, 1, &s, &err), code);
    if (strstr(err.msg, says) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", err.msg, says);
    forget(&s);
}

static void test_no_ratings(void **state)
{
    (void)state;
    expect("@PLAYER\nTal, M\n   %Bio FIDEID 5\n", IPR_EDATA, "contains no ratings");
    expect("@PLAYER\nTal, M\n   %Elocution 1971:2600\n", IPR_EDATA, "contains no ratings");
    expect("@PLAYER\n%Elo 1971:2600\n", IPR_EPARSE, "line 2 belongs to no name");
    expect("@PLAYER\nTal, M\n   %Elo 1971:2600", IPR_EPARSE, "line 3 breaks off");
    expect("Tal, M\n   %Elo 1971:2600\n", IPR_EPARSE, "no section @PLAYER");
    expect("@PLAYER\nTal, M\n   %Elo 1971:2600\n", IPR_OK, "");
}

static char *sample_bytes(size_t *n)
{
    FILE *f = fopen(SAMPLE, "rb");
    char *bytes = calloc(1, 65536);

    assert_non_null(f);
    *n = fread(bytes, 1, 65536, f);
    fclose(f);
    assert_true(*n > 1000 && *n < 65536);
    return bytes;
}

static void read_anything(const char *bytes, size_t n)
{
    const uint32_t all[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 };
    struct ipr_err err = IPR_ERR_INIT;
    struct seen s = { 0 };

    write_file(bytes, n);
    const enum ipr_code rc = read_file(path, all, 12, &s, &err);
    assert_true(rc == IPR_OK || rc == IPR_EPARSE || rc == IPR_EDATA);
    assert_int_equal(rc == IPR_OK, err.msg[0] == '\0');
    forget(&s);
}

/* Cut after every byte: whole lines are read or the cut is reported. */
static void test_cut(void **state)
{
    size_t n;
    char *bytes = sample_bytes(&n);

    (void)state;
    for (size_t i = 0; i <= n; i++)
        read_anything(bytes, i);
    free(bytes);
}

/* Bytes turned into others, a few at a time, at places drawn from a seed. */
static void test_spoiled(void **state)
{
    static const char evil[] = "%:,?=#@\n\t 0129\xff\x00";
    size_t n;
    char *bytes = sample_bytes(&n), *copy = calloc(1, n);
    unsigned seed = 20260101;

    (void)state;
    for (int round = 0; round < 3000; round++) {
        memcpy(copy, bytes, n);
        for (int k = 0; k < 1 + round % 8; k++) {
            seed = seed * 1664525u + 1013904223u;
            const size_t at = (seed >> 8) % n;
            seed = seed * 1664525u + 1013904223u;
            copy[at] = evil[(seed >> 8) % sizeof evil];
        }
        read_anything(copy, n);
    }
    free(copy);
    free(bytes);
}

static int make_path(void **state)
{
    (void)state;
    const int fd = mkstemp(path);
    return fd < 0 ? -1 : close(fd);
}

static int drop_path(void **state)
{
    (void)state;
    return unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wanted), cmocka_unit_test(test_faults),
        cmocka_unit_test(test_stops),  cmocka_unit_test(test_no_ratings),
        cmocka_unit_test(test_cut),    cmocka_unit_test(test_spoiled),
    };

    return cmocka_run_group_tests_name("rating file", tests, make_path, drop_path);
}
