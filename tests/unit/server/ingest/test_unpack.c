#include "ipr_test.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/str.h"
#include "ingest/unpack.h"
#include "ipr_pack_test.h"

#define TEXT "[White \"A\"]\n\n1. e4 e5 *\n"

/* All texts of an upload, each with its name before it. */
static enum ipr_code unpack_all(int fd, const struct ipr_unpack_limits *limits, struct ipr_buf *out,
                                struct ipr_err *err)
{
    struct ipr_unpack *u = NULL;
    const char *name = NULL;
    char bytes[1000];
    size_t n = 0;
    enum ipr_code rc = ipr_unpack_open(fd, 0, limits, &u, err);

    while (rc == IPR_OK) {
        rc = ipr_unpack_next(u, &name, err);
        if (rc != IPR_OK || name == NULL)
            break;
        ipr_buf_printf(out, "<%s>", name);
        do {
            rc = ipr_unpack_read(u, bytes, sizeof bytes, &n, err);
            if (rc == IPR_OK)
                ipr_buf_add(out, bytes, n);
        } while (rc == IPR_OK && n > 0);
    }
    ipr_unpack_close(&u);
    return rc;
}

static void expect_text(int fd, const char *want)
{
    const struct ipr_unpack_limits limits = { .max_bytes = 1 << 20 };
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_buf got = IPR_BUF_INIT;

    assert_ok(unpack_all(fd, &limits, &got, &err), &err);
    assert_string_equal(ipr_buf_c(&got), want);
    ipr_buf_release(&got);
    close(fd);
}

static void expect_error(int fd, const struct ipr_unpack_limits *limits, enum ipr_code code,
                         const char *type)
{
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_buf got = IPR_BUF_INIT;

    assert_int_equal(unpack_all(fd, limits, &got, &err), code);
    assert_string_equal(err.type, type);
    ipr_buf_release(&got);
    close(fd);
}

static const struct ipr_unpack_limits roomy = { .max_bytes = 1 << 20 };

static void test_plain(void **state)
{
    (void)state;
    expect_text(ipr_pack_plain(TEXT, sizeof TEXT - 1), "<>" TEXT);
}

static void test_filters(void **state)
{
    static const char *const filters[] = { "gzip", "zstd", "bzip2" };

    (void)state;
    for (size_t i = 0; i < 3; i++)
        expect_text(ipr_pack_filtered(filters[i], TEXT, sizeof TEXT - 1), "<>" TEXT);
}

static void test_zip(void **state)
{
    const struct ipr_pack_entry entries[] = {
        { "folder/", "" },
        { "folder/one.pgn", TEXT },
        { "folder/readme.txt", "not this" },
        { "__MACOSX/._one.pgn", "nor this" },
        { "TWO.PGN", "second" },
        { "Nov\xc3\xa1k.ndjson", "third" },
        { "", NULL },
    };

    (void)state;
    expect_text(ipr_pack_zip(entries),
                "<folder/one.pgn>" TEXT "<TWO.PGN>second<Nov\xc3\xa1k.ndjson>third");
}

static void test_zip_without_texts(void **state)
{
    const struct ipr_pack_entry entries[] = { { "readme.txt", "not this" }, { "", NULL } };

    (void)state;
    expect_text(ipr_pack_zip(entries), "");
}

static void test_from_the_middle(void **state)
{
    struct ipr_unpack *u = NULL;
    struct ipr_err err = IPR_ERR_INIT;
    const char *name = NULL;
    char bytes[64];
    size_t n = 0;
    const int fd = ipr_pack_plain("HEADERtext", 10);

    (void)state;
    assert_ok(ipr_unpack_open(fd, 6, &roomy, &u, &err), &err);
    assert_ok(ipr_unpack_next(u, &name, &err), &err);
    assert_ok(ipr_unpack_read(u, bytes, sizeof bytes, &n, &err), &err);
    assert_int_equal(n, 4);
    assert_memory_equal(bytes, "text", 4);
    assert_int_equal(lseek(fd, 0, SEEK_CUR), 0);
    ipr_unpack_close(&u);
    close(fd);
}

static void test_empty(void **state)
{
    (void)state;
    expect_error(ipr_pack_plain("", 0), &roomy, IPR_EPARSE, "empty_body");
    expect_text(ipr_pack_filtered("gzip", "", 0), "");
}

/* Cut anywhere, or with a byte changed, nothing is taken for whole. */
static void test_damaged(void **state)
{
    static const char *const filters[] = { "gzip", "zstd", "bzip2" };
    char packed[4096], text[3000];

    (void)state;
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (char)('a' + (i * i / 7 + i) % 26);
    for (size_t f = 0; f < 3; f++) {
        const int fd = ipr_pack_filtered(filters[f], text, sizeof text);
        const ssize_t n = read(fd, packed, sizeof packed);

        close(fd);
        assert_true(n > 40);
        expect_error(ipr_pack_plain(packed, (size_t)n / 2), &roomy, IPR_EPARSE, "bad_archive");
        expect_error(ipr_pack_plain(packed, (size_t)n - 9), &roomy, IPR_EPARSE, "bad_archive");
    }
}

/* The last eight bytes of gzip are the check sum and the length of what is packed. */
static void test_gzip_sums(void **state)
{
    const int fd = ipr_pack_filtered("gzip", TEXT, sizeof TEXT - 1);
    char packed[1024];
    const ssize_t n = read(fd, packed, sizeof packed);

    (void)state;
    close(fd);
    assert_true(n > 18);
    for (ssize_t i = n - 8; i < n; i++) {
        packed[i] = (char)(packed[i] ^ 1);
        const int bad = ipr_pack_plain(packed, (size_t)n);
        const int wrapped = ipr_pack_filtered("gzip", packed, (size_t)n);

        expect_error(bad, &roomy, IPR_EPARSE, "bad_archive");
        expect_error(wrapped, &roomy, IPR_EPARSE, "bad_archive");
        packed[i] = (char)(packed[i] ^ 1);
    }
    expect_text(ipr_pack_plain(packed, (size_t)n), "<>" TEXT);
    expect_text(ipr_pack_filtered("gzip", packed, (size_t)n), "<>" TEXT);
}

static void test_zip_damaged(void **state)
{
    const struct ipr_pack_entry entries[] = { { "a.pgn", TEXT TEXT TEXT }, { "", NULL } };
    const int fd = ipr_pack_zip(entries);
    char packed[4096];
    const ssize_t n = read(fd, packed, sizeof packed);

    (void)state;
    close(fd);
    assert_true(n > 60);
    /* Into the compressed bytes: after the header, the name and what its bytes 28, 29 announce. */
    const size_t data = 30 + 5 + (size_t)(unsigned char)packed[28];
    packed[data + 8] = (char)(packed[data + 8] ^ 0x55);
    expect_error(ipr_pack_plain(packed, (size_t)n), &roomy, IPR_EPARSE, "bad_archive");
}

static void test_limit(void **state)
{
    const struct ipr_unpack_limits exact = { .max_bytes = 5000 }, less = { .max_bytes = 4999 };
    char text[5000];
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_buf got = IPR_BUF_INIT;

    (void)state;
    memset(text, 'x', sizeof text);
    int fd = ipr_pack_plain(text, sizeof text);
    assert_ok(unpack_all(fd, &exact, &got, &err), &err);
    ipr_buf_release(&got);
    expect_error(fd, &less, IPR_ELIMIT, "too_large");
    fd = ipr_pack_filtered("zstd", text, sizeof text);
    expect_error(fd, &less, IPR_ELIMIT, "too_large");
}

static void test_limit_of_all_texts(void **state)
{
    const struct ipr_unpack_limits less = { .max_bytes = 2 * (sizeof TEXT - 1) - 1 };
    const struct ipr_pack_entry entries[] = { { "1.pgn", TEXT }, { "2.pgn", TEXT }, { "", NULL } };

    (void)state;
    expect_error(ipr_pack_zip(entries), &less, IPR_ELIMIT, "too_large");
}

/* Three megabytes of nothing in a few hundred bytes, alone and in a zip. */
static void test_ratio(void **state)
{
    const struct ipr_unpack_limits wide = { .max_bytes = INT64_MAX };
    const size_t n = 3 << 20;
    char *zeros = ipr_xmalloc(n + 1);

    (void)state;
    memset(zeros, ' ', n);
    zeros[n] = '\0';
    const struct ipr_pack_entry entries[] = { { "bomb.pgn", zeros }, { "", NULL } };
    expect_error(ipr_pack_filtered("gzip", zeros, n), &wide, IPR_ELIMIT, "too_large");
    expect_error(ipr_pack_filtered("bzip2", zeros, n), &wide, IPR_ELIMIT, "too_large");
    expect_error(ipr_pack_zip(entries), &wide, IPR_ELIMIT, "too_large");
    free(zeros);
}

static void test_entries(void **state)
{
    const struct ipr_unpack_limits two = { .max_bytes = 1 << 20, .max_entries = 2 };
    const struct ipr_pack_entry entries[] = {
        { "1.pgn", "1" }, { "2.txt", "2" }, { "3.pgn", "3" }, { "", NULL }
    };

    (void)state;
    expect_error(ipr_pack_zip(entries), &two, IPR_ELIMIT, "too_many_files");
}

static void test_wrapped(void **state)
{
    const int inner = ipr_pack_filtered("gzip", TEXT, sizeof TEXT - 1);
    char packed[1024];
    const ssize_t n = read(inner, packed, sizeof packed);
    const int outer = ipr_pack_filtered("zstd", packed, (size_t)n);

    (void)state;
    close(inner);
    const ssize_t n_outer = read(outer, packed, sizeof packed);
    assert_true(n_outer > 0);
    expect_text(outer, "<>" TEXT);
    expect_error(ipr_pack_filtered("gzip", packed, (size_t)n_outer), &roomy, IPR_EPARSE,
                 "bad_archive");
}

/* Also of gzip in another packing the check sum is compared, and the end. */
static void test_wrapped_sums(void **state)
{
    static const char *const outer[] = { "zstd", "bzip2" };
    const int inner = ipr_pack_filtered("gzip", TEXT, sizeof TEXT - 1);
    char packed[1024];
    const ssize_t n = read(inner, packed, sizeof packed);

    (void)state;
    close(inner);
    assert_true(n > 8);
    for (size_t i = 0; i < sizeof outer / sizeof *outer; i++) {
        expect_text(ipr_pack_filtered(outer[i], packed, (size_t)n), "<>" TEXT);
        expect_error(ipr_pack_filtered(outer[i], packed, (size_t)n - 1), &roomy, IPR_EPARSE,
                     "bad_archive");
        packed[n - 6] ^= 1;
        expect_error(ipr_pack_filtered(outer[i], packed, (size_t)n), &roomy, IPR_EPARSE,
                     "bad_archive");
        packed[n - 6] ^= 1;
    }
}

/* The default: a thousand files, of any kind. */
static void test_many_entries(void **state)
{
    enum { N = 1001 };
    static char names[N][16];
    struct ipr_pack_entry entries[N + 1] = { 0 };

    (void)state;
    for (size_t i = 0; i < N; i++) {
        snprintf(names[i], sizeof names[i], "%zu.pgn", i);
        entries[i] = (struct ipr_pack_entry){ names[i], "x" };
    }
    entries[N].name = "";
    expect_error(ipr_pack_zip(entries), &roomy, IPR_ELIMIT, "too_many_files");
    entries[N - 1].name = "";
    struct ipr_buf got = IPR_BUF_INIT;
    struct ipr_err err = IPR_ERR_INIT;
    const int fd = ipr_pack_zip(entries);
    assert_ok(unpack_all(fd, &roomy, &got, &err), &err);
    ipr_buf_release(&got);
    close(fd);
}

/* Files made by appending one packed file to another are read to their end. */
static void test_several_members(void **state)
{
    static const char *const filters[] = { "gzip", "zstd", "bzip2" };

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        const int first = ipr_pack_filtered(filters[i], "first ", 6);
        const int second = ipr_pack_filtered(filters[i], TEXT, sizeof TEXT - 1);

        expect_text(ipr_pack_joined(first, second), "<>first " TEXT);
    }
}

/* What follows the packed bytes and is not packed would be lost without a word. */
static void test_bytes_after_the_end(void **state)
{
    static const char *const filters[] = { "gzip", "zstd", "bzip2" };

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        const int packed = ipr_pack_filtered(filters[i], TEXT, sizeof TEXT - 1);

        expect_error(ipr_pack_joined(packed, ipr_pack_plain(TEXT, sizeof TEXT - 1)), &roomy,
                     IPR_EPARSE, "bad_archive");
    }
}

static void test_empty_zip(void **state)
{
    const struct ipr_pack_entry none[] = { { "", NULL } },
                                folder[] = { { "a/", "" }, { "", NULL } };

    (void)state;
    expect_text(ipr_pack_zip(none), "");
    expect_text(ipr_pack_zip(folder), "");
}

static void test_zip_cut(void **state)
{
    const struct ipr_pack_entry entries[] = { { "a.pgn", TEXT TEXT TEXT TEXT },
                                              { "b.pgn", TEXT },
                                              { "", NULL } };

    (void)state;
    /* Within the first file, and within what announces the second. */
    expect_error(ipr_pack_cut(ipr_pack_zip(entries), 50), &roomy, IPR_EPARSE, "bad_archive");
    expect_error(ipr_pack_cut(ipr_pack_zip(entries), 150), &roomy, IPR_EPARSE, "bad_archive");
}

static void test_zip_encrypted(void **state)
{
    const struct ipr_pack_entry entries[] = { { "secret.pgn", TEXT }, { "", NULL } };
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_buf got = IPR_BUF_INIT;
    const int fd = ipr_pack_zip_encrypted(entries);

    (void)state;
    assert_int_equal(unpack_all(fd, &roomy, &got, &err), IPR_EPARSE);
    assert_string_equal(err.type, "bad_archive");
    assert_non_null(strstr(err.msg, "secret.pgn"));
    assert_non_null(strcasestr(err.msg, "passphrase"));
    ipr_buf_release(&got);
    close(fd);
}

/* Names are only names: nothing is written anywhere. */
static void test_zip_with_paths(void **state)
{
    const struct ipr_pack_entry entries[] = { { "../../../tmp/ipr_escaped.pgn", TEXT },
                                              { "/tmp/ipr_escaped.pgn", "second" },
                                              { "", NULL } };

    (void)state;
    expect_text(ipr_pack_zip(entries),
                "<../../../tmp/ipr_escaped.pgn>" TEXT "</tmp/ipr_escaped.pgn>second");
    assert_int_equal(access("/tmp/ipr_escaped.pgn", F_OK), -1);
}

/* Notes the names and first bytes of skipped files. */
static enum ipr_code note_other(void *payload, const char *name, struct ipr_str begin,
                                struct ipr_err *err)
{
    struct ipr_buf *seen = payload;

    (void)err;
    assert_true(begin.n <= IPR_UNPACK_BEGIN);
    ipr_buf_printf(seen, "<%s>%zu:", name, begin.n);
    ipr_buf_add(seen, begin.p, begin.n < 10 ? begin.n : 10);
    return IPR_OK;
}

static void test_others(void **state)
{
    char text[3000];

    (void)state;
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    const struct ipr_pack_entry entries[] = {
        { "one.pgn", TEXT },       { "readme.txt", "not this" },
        { "folder/", "" },         { "folder/empty", "" },
        { "inner.zip", text },     { "two.ndjson", "12345" },
        { "last.pgn.gz", "\x1f" }, { "", NULL }
    };
    struct ipr_unpack *u = NULL;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_buf seen = IPR_BUF_INIT;
    const char *name = "";
    char bytes[64];
    size_t n;
    const int fd = ipr_pack_zip(entries);

    assert_ok(ipr_unpack_open(fd, 0, &roomy, &u, &err), &err);
    ipr_unpack_on_other(u, note_other, &seen);
    for (;;) {
        assert_ok(ipr_unpack_next(u, &name, &err), &err);
        if (name == NULL)
            break;
        assert_ok(ipr_unpack_read(u, bytes, sizeof bytes, &n, &err), &err);
    }
    assert_string_equal(ipr_buf_c(&seen), "<readme.txt>8:not this<folder/empty>0:"
                                          "<inner.zip>512:xxxxxxxxxx<last.pgn.gz>1:\x1f");
    assert_int_equal(ipr_unpack_bytes(u), sizeof TEXT - 1 + 5); /* of the texts alone */
    ipr_unpack_close(&u);
    ipr_buf_release(&seen);
    close(fd);
}

/* Skipped files may be unreadable; PGN files must not be. */
static void test_others_encrypted(void **state)
{
    const struct ipr_pack_entry entries[] = { { "secret.doc", TEXT },
                                              { "b.doc", TEXT },
                                              { "", NULL } };
    struct ipr_unpack *u = NULL;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_buf seen = IPR_BUF_INIT;
    const char *name = "";
    const int fd = ipr_pack_zip_encrypted(entries);

    (void)state;
    assert_ok(ipr_unpack_open(fd, 0, &roomy, &u, &err), &err);
    ipr_unpack_on_other(u, note_other, &seen);
    assert_ok(ipr_unpack_next(u, &name, &err), &err);
    assert_null(name);
    assert_string_equal(ipr_buf_c(&seen), "<secret.doc>0:<b.doc>0:");
    ipr_unpack_close(&u);
    ipr_buf_release(&seen);
    close(fd);
}

static enum ipr_code stop(void *payload, const char *name, struct ipr_str begin,
                          struct ipr_err *err)
{
    (void)payload;
    (void)begin;
    return ipr_err_set(err, IPR_EDB, "enough of %s", name);
}

static void test_others_stop(void **state)
{
    const struct ipr_pack_entry entries[] = { { "readme.txt", "x" },
                                              { "one.pgn", TEXT },
                                              { "", NULL } };
    struct ipr_unpack *u = NULL;
    struct ipr_err err = IPR_ERR_INIT;
    const char *name = "";
    const int fd = ipr_pack_zip(entries);

    (void)state;
    assert_ok(ipr_unpack_open(fd, 0, &roomy, &u, &err), &err);
    ipr_unpack_on_other(u, stop, NULL);
    assert_int_equal(ipr_unpack_next(u, &name, &err), IPR_EDB);
    assert_string_equal(err.msg, "enough of readme.txt");
    ipr_unpack_close(&u);
    close(fd);
}

/* The same bytes through a pipe, which is read once and cannot be searched. They fit into what a
 * pipe holds. */
static int piped(int fd)
{
    int ends[2];
    char bytes[60000];
    const ssize_t n = read(fd, bytes, sizeof bytes);

    assert_true(n >= 0 && n < (ssize_t)sizeof bytes);
    close(fd);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], bytes, (size_t)n), n);
    close(ends[1]);
    return ends[0];
}

static void test_pipe(void **state)
{
    const struct ipr_pack_entry entries[] = {
        { "a.pgn", TEXT }, { "b.txt", "not this" }, { "c.pgn", "third" }, { "", NULL }
    };

    (void)state;
    expect_text(piped(ipr_pack_plain(TEXT, sizeof TEXT - 1)), "<>" TEXT);
    expect_text(piped(ipr_pack_filtered("gzip", TEXT, sizeof TEXT - 1)), "<>" TEXT);
    expect_text(piped(ipr_pack_filtered("zstd", TEXT, sizeof TEXT - 1)), "<>" TEXT);
    expect_text(piped(ipr_pack_zip(entries)), "<a.pgn>" TEXT "<c.pgn>third");
    expect_error(piped(ipr_pack_plain("", 0)), &roomy, IPR_EPARSE, "empty_body");
    expect_error(piped(ipr_pack_cut(ipr_pack_zip(entries), 50)), &roomy, IPR_EPARSE, "bad_archive");
}

static void test_pipe_ratio(void **state)
{
    const struct ipr_unpack_limits wide = { .max_bytes = INT64_MAX };
    const size_t n = 3 << 20;
    char *zeros = ipr_xmalloc(n);

    (void)state;
    memset(zeros, ' ', n);
    expect_error(piped(ipr_pack_filtered("gzip", zeros, n)), &wide, IPR_ELIMIT, "too_large");
    free(zeros);
}

static void test_folder(void **state)
{
    const int fd = open("/tmp", O_RDONLY | O_CLOEXEC);

    (void)state;
    expect_error(fd, &roomy, IPR_EIO, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain),
        cmocka_unit_test(test_filters),
        cmocka_unit_test(test_zip),
        cmocka_unit_test(test_zip_without_texts),
        cmocka_unit_test(test_from_the_middle),
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_gzip_sums),
        cmocka_unit_test(test_zip_damaged),
        cmocka_unit_test(test_limit),
        cmocka_unit_test(test_limit_of_all_texts),
        cmocka_unit_test(test_ratio),
        cmocka_unit_test(test_entries),
        cmocka_unit_test(test_wrapped),
        cmocka_unit_test(test_wrapped_sums),
        cmocka_unit_test(test_many_entries),
        cmocka_unit_test(test_several_members),
        cmocka_unit_test(test_bytes_after_the_end),
        cmocka_unit_test(test_empty_zip),
        cmocka_unit_test(test_zip_cut),
        cmocka_unit_test(test_zip_encrypted),
        cmocka_unit_test(test_zip_with_paths),
        cmocka_unit_test(test_others),
        cmocka_unit_test(test_others_encrypted),
        cmocka_unit_test(test_others_stop),
        cmocka_unit_test(test_pipe),
        cmocka_unit_test(test_pipe_ratio),
        cmocka_unit_test(test_folder),
    };

    return cmocka_run_group_tests_name("unpack", tests, NULL, NULL);
}
