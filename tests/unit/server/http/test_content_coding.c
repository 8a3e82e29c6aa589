#include "ipr_test.h"

#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "http/base/content_coding.h"

static void test_choice(void **state)
{
    static const struct {
        const char *accept;
        enum ipr_coding large, small;
    } rows[] = {
        { NULL, IPR_CODING_NONE, IPR_CODING_NONE },
        { "", IPR_CODING_NONE, IPR_CODING_NONE },
        { "gzip", IPR_CODING_GZIP, IPR_CODING_NONE },
        { "GZip", IPR_CODING_GZIP, IPR_CODING_NONE },
        { "x-gzip", IPR_CODING_GZIP, IPR_CODING_NONE },
        { "gzip, deflate, br, zstd", IPR_CODING_ZSTD, IPR_CODING_NONE },
        { "zstd;q=0.5, gzip ; q=0.8", IPR_CODING_GZIP, IPR_CODING_NONE },
        { "gzip;q=0", IPR_CODING_NONE, IPR_CODING_NONE },
        { "gzip;Q=0.000, *", IPR_CODING_ZSTD, IPR_CODING_NONE },
        { "*;q=0.1", IPR_CODING_ZSTD, IPR_CODING_NONE },
        { "gzip;q=0.5, identity", IPR_CODING_NONE, IPR_CODING_NONE },
        { "gzip;q=0.5, identity;q=0.5", IPR_CODING_GZIP, IPR_CODING_NONE },
        { "gzip;q=0.5, *;q=0.9", IPR_CODING_ZSTD, IPR_CODING_NONE },
        { "br, deflate", IPR_CODING_NONE, IPR_CODING_NONE },
        { "gzip;q=high", IPR_CODING_NONE, IPR_CODING_NONE },
        { "gzip;q=2", IPR_CODING_NONE, IPR_CODING_NONE },
        { ",, ;q=1 ,gzip", IPR_CODING_GZIP, IPR_CODING_NONE },
        { "gzipped", IPR_CODING_NONE, IPR_CODING_NONE },
        { "gzip, identity;q=0", IPR_CODING_GZIP, IPR_CODING_GZIP },
        { "*;q=0, gzip;q=0.1", IPR_CODING_GZIP, IPR_CODING_GZIP },
        { "*;q=0", IPR_CODING_UNACCEPTABLE, IPR_CODING_UNACCEPTABLE },
        { "identity;q=0", IPR_CODING_UNACCEPTABLE, IPR_CODING_UNACCEPTABLE },
        { "br, identity;q=0", IPR_CODING_UNACCEPTABLE, IPR_CODING_UNACCEPTABLE },
        { "*;q=0, identity", IPR_CODING_NONE, IPR_CODING_NONE },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (ipr_coding_choose(rows[i].accept, true) != rows[i].large)
            print_error("large: %s\n", rows[i].accept);
        assert_int_equal(ipr_coding_choose(rows[i].accept, true), rows[i].large);
        if (ipr_coding_choose(rows[i].accept, false) != rows[i].small)
            print_error("small: %s\n", rows[i].accept);
        assert_int_equal(ipr_coding_choose(rows[i].accept, false), rows[i].small);
    }
}

static void test_pays(void **state)
{
    (void)state;
    assert_true(ipr_coding_pays("application/json", 1024));
    assert_true(ipr_coding_pays("text/html; charset=utf-8", 5000));
    assert_true(ipr_coding_pays("image/svg+xml", 5000));
    assert_false(ipr_coding_pays("application/json", 1023));
    assert_false(ipr_coding_pays("image/png", 5000));
    assert_false(ipr_coding_pays("application/zstd", 5000));
}

static size_t gunzip(const struct ipr_buf *in, char *out, size_t max)
{
    z_stream z = { .next_in = (Bytef *)in->p,
                   .avail_in = (uInt)in->n,
                   .next_out = (Bytef *)out,
                   .avail_out = (uInt)max };

    assert_int_equal(inflateInit2(&z, 15 + 16), Z_OK);
    assert_int_equal(inflate(&z, Z_FINISH), Z_STREAM_END);
    assert_int_equal(inflateEnd(&z), Z_OK);
    return z.total_out;
}

/* What was compressed comes out again: nothing, what does not shrink, and what does. */
static void test_round_trip(void **state)
{
    static char text[100000], back[100000];
    static const size_t lengths[] = { 0, 1, 4096, sizeof text };

    (void)state;
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = i < 4096 ? (char)(i * i * 2654435761u >> 13) : "abcd"[i % 4];
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        for (int once = 0; once < 2; once++) {
            const struct ipr_str in = { text, lengths[i] };
            struct ipr_buf gzip = IPR_BUF_INIT, zstd = IPR_BUF_INIT;

            ipr_coding_apply(IPR_CODING_GZIP, once, in, &gzip);
            ipr_coding_apply(IPR_CODING_ZSTD, once, in, &zstd);
            assert_int_equal(gunzip(&gzip, back, sizeof back), in.n);
            assert_memory_equal(back, text, in.n);
            assert_int_equal(ZSTD_decompress(back, sizeof back, zstd.p, zstd.n), in.n);
            assert_memory_equal(back, text, in.n);
            ipr_buf_release(&gzip);
            ipr_buf_release(&zstd);
        }
    }
}

/* Of a body in pieces each can be read once it is there, and together they are one body. */
static void test_pieces(void **state)
{
    static char back[100000];
    static const char piece[] = "{\"id\":12,\"name\":\"Fischer, Robert James\"}\n";
    const size_t n = sizeof piece - 1;
    const enum ipr_coding codings[] = { IPR_CODING_GZIP, IPR_CODING_ZSTD };

    (void)state;
    for (size_t k = 0; k < 2; k++) {
        struct ipr_coder *c = ipr_coder_new(codings[k], false);
        struct ipr_buf out = IPR_BUF_INIT;
        z_stream z = { .next_out = (Bytef *)back, .avail_out = sizeof back };
        ZSTD_DCtx *zstd = ZSTD_createDCtx();
        ZSTD_outBuffer to = { back, sizeof back, 0 };
        size_t read = 0;

        assert_int_equal(inflateInit2(&z, 15 + 16), Z_OK);
        for (size_t i = 1; i <= 1000; i++) {
            ipr_coder_add(c, (struct ipr_str){ piece, n }, i == 1000, &out);
            if (codings[k] == IPR_CODING_ZSTD) {
                ZSTD_inBuffer from = { out.p + read, out.n - read, 0 };

                assert_false(ZSTD_isError(ZSTD_decompressStream(zstd, &to, &from)));
            } else {
                z.next_in = (Bytef *)out.p + read;
                z.avail_in = (uInt)(out.n - read);
                assert_int_equal(inflate(&z, Z_SYNC_FLUSH), i == 1000 ? Z_STREAM_END : Z_OK);
                to.pos = z.total_out;
            }
            assert_int_equal(to.pos, i * n);
            assert_memory_equal(back + (i - 1) * n, piece, n);
            read = out.n;
        }
        assert_true(read < 1000 * n / 2);
        inflateEnd(&z);
        ZSTD_freeDCtx(zstd);
        ipr_buf_release(&out);
        ipr_coder_free(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_choice),
        cmocka_unit_test(test_pays),
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_pieces),
    };

    return cmocka_run_group_tests_name("content coding", tests, NULL, NULL);
}
