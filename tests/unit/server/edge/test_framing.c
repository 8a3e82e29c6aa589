/* Framing of requests, whole and cut at every byte. */
#include "ipr_test.h"

#include <string.h>

#include "edge/framing.h"

#define H    "Host: a\r\n"
#define GET  "GET / HTTP/1.1\r\n" H
#define POST "POST /p HTTP/1.1\r\n" H

/* `good`: bytes before the request with the fault. */
static const struct {
    struct ipr_str input;
    size_t good;
    const char *fault; /* NULL: none */
} cases[] = {
#define GOOD(text)                                                                                 \
    {                                                                                              \
        { text, sizeof(text) - 1 }, sizeof(text) - 1, NULL                                         \
    }
#define BAD(text)                                                                                  \
    {                                                                                              \
        { text, sizeof(text) - 1 }, 0, "bad_framing"                                               \
    }
#define AFTER(good, text, why)                                                                     \
    {                                                                                              \
        { good text, sizeof(good text) - 1 }, sizeof(good) - 1, why                                \
    }
    GOOD(GET "\r\n"),
    GOOD(GET "\r\n" GET "\r\n"),
    GOOD("\r\n" GET "\r\n"),
    GOOD(GET "X:\r\nY: a\tb\xc3\xa9\r\nZ:  c \r\n\r\n"),
    GOOD("GET /?a=\xc3\xa9 HTTP/1.0\r\n\r\n"),
    GOOD("M-SEARCH * HTTP/1.1\r\nhOST:\r\n\r\n"),
    GOOD("GET / HTTP/1.1\r\nHost:\t [2001:db8::1]:8080\r\n\r\n"),
    GOOD("GET / HTTP/1.1\r\nHost: chess-1.example_a.:\r\n\r\n"),
    GOOD(GET "Cookie: a=b \r\n\r\n"),
    GOOD(POST "content-length: 5\r\n\r\n\r\n\n\r\n" GET "\r\n"),
    GOOD(POST "Content-Length: 0\r\n\r\n" GET "\r\n"),
    GOOD(POST "Content-Length: 005\r\n\r\nabcde"),
    GOOD(POST
         "Transfer-Encoding: Chunked\r\n\r\n5\r\nab\r\nc\r\nA;x=y\r\n0123456789\r\n0\r\n\r\n" GET
         "\r\n"),
    GOOD(POST "Transfer-Encoding: chunked\r\n\r\n0\r\nX: y\r\n\r\n" GET "\r\n"),

    GOOD("OPTIONS * HTTP/1.1\r\n" H "\r\n"),
    GOOD("GET http://a/ HTTP/1.1\r\n" H "\r\n"),
    GOOD("CONNECT a:1 HTTP/1.1\r\n" H "\r\n"),

    BAD("GET / HTTP/1.1\n" H "\r\n"),
    BAD(GET "X: a\n\r\n"),
    BAD(GET "\n"),
    BAD("GET /\0a HTTP/1.1\r\n" H "\r\n"),
    BAD("GET /\ra HTTP/1.1\r\n" H "\r\n"),
    BAD("GET /\x7f HTTP/1.1\r\n" H "\r\n"),
    BAD("GET  / HTTP/1.1\r\n" H "\r\n"),
    BAD("GET / a HTTP/1.1\r\n" H "\r\n"),
    BAD("GET a HTTP/1.1\r\n" H "\r\n"),
    BAD("GET ?a=/ HTTP/1.1\r\n" H "\r\n"),
    BAD("GET /\r\n\r\n"),
    BAD(" / HTTP/1.1\r\n" H "\r\n"),
    BAD("G\"T / HTTP/1.1\r\n" H "\r\n"),
    BAD("GET / http/1.1\r\n" H "\r\n"),
    BAD("GET / HTTP/1.10\r\n" H "\r\n"),
    BAD("GET / HTTP/1.1\r\n\r\n"),
    /* The library would not read the same: no answer to one, two to the next. */
    BAD(POST "Transfer-Encoding: chunked \r\n\r\n0\r\n\r\n" GET "\r\n"),
    BAD(POST "Content-Length: 1\t\r\n\r\na"),
    BAD(GET "Origin: http://a \r\n\r\n"),
    BAD("GET / HTTP/1.1\r\nHost: a \r\n\r\n"),
    BAD("GET / HTTP/1.1\r\nHost: a:80@b\r\n\r\n"),
    BAD("GET / HTTP/1.1\r\nHost: a:b\r\n\r\n"),
    BAD("GET / HTTP/1.1\r\nHost: a/b\r\n\r\n"),
    BAD("GET / HTTP/1.1\r\nHost: a, b\r\n\r\n"),
    BAD("GET / HTTP/1.1\r\nHost: [::1\r\n\r\n"),
    BAD("GET / HTTP/1.1\r\nHost: [::1]b\r\n\r\n"),
    BAD("GET / HTTP/1.1\r\nHost: ::1\r\n\r\n"),
    BAD(GET H "\r\n"),
    BAD(GET "Origin: b\r\nOrigin: b\r\n\r\n"),
    BAD(GET "X: a\0b\r\n\r\n"),
    BAD(GET "X: a\rb\r\n\r\n"),
    BAD(GET "X: a\r\n b\r\n\r\n"),
    BAD(GET "X : a\r\n\r\n"),
    BAD(GET ": a\r\n\r\n"),
    BAD(GET "X\r\n\r\n"),
    BAD(POST "Content-Length: 1\r\nContent-Length: 1\r\n\r\na"),
    BAD(POST "Content-Length: 1, 1\r\n\r\na"),
    BAD(POST "Content-Length: +1\r\n\r\na"),
    BAD(POST "Content-Length: -1\r\n\r\na"),
    BAD(POST "Content-Length: 0x1\r\n\r\na"),
    BAD(POST "Content-Length:\r\n\r\n"),
    BAD(POST "Content-Length: 99999999999999999999\r\n\r\na"),
    BAD(POST "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
    BAD(POST "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
    BAD(POST "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"),
    BAD(POST "Transfer-Encoding: identity\r\n\r\n"),
    BAD("POST / HTTP/1.0\r\n" H "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
    BAD(POST "Transfer-Encoding: chunked\r\n\r\n5\nabcde\r\n0\r\n\r\n"),
    BAD(POST "Transfer-Encoding: chunked\r\n\r\n\r\n"),
    BAD(POST "Transfer-Encoding: chunked\r\n\r\n0x5\r\nabcde\r\n0\r\n\r\n"),
    BAD(POST "Transfer-Encoding: chunked\r\n\r\n5 \r\nabcde\r\n0\r\n\r\n"),
    BAD(POST "Transfer-Encoding: chunked\r\n\r\n-5\r\nabcde\r\n0\r\n\r\n"),
    BAD(POST "Transfer-Encoding: chunked\r\n\r\n5;\1\r\nabcde\r\n0\r\n\r\n"),
    BAD(POST "Transfer-Encoding: chunked\r\n\r\n1000000000000000\r\n"),
    BAD(POST "Transfer-Encoding: chunked\r\n\r\n5\r\nabcdef\r\n0\r\n\r\n"),
    BAD(POST "Transfer-Encoding: chunked\r\n\r\n0\r\nX\r\n\r\n"),

    AFTER("\r\n", "\r\n" GET "\r\n", "bad_framing"),
    AFTER(GET "\r\n", "GET / HTTP/1.1\r\n\r\n", "bad_framing"),
    AFTER(POST "Content-Length: 2\r\n\r\nab", "c\n", "bad_framing"),
    AFTER("", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "bad_version"),
};

static void check(size_t i, const struct ipr_framing *f, size_t good)
{
    const char *fault = f->fault != NULL ? f->fault : "none";
    const char *want = cases[i].fault != NULL ? cases[i].fault : "none";

    if (strcmp(fault, want) != 0 || (f->fault != NULL) != (f->detail != NULL))
        print_error("case %zu: %.*s\n", i, (int)cases[i].input.n, cases[i].input.p);
    assert_string_equal(fault, want);
    assert_int_equal(good, cases[i].good);
    if (f->fault == NULL)
        assert_true(f->part == IPR_FRAMING_IDLE && !ipr_framing_in_head(f));
}

static void test_whole(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ipr_framing f = { 0 };
        const size_t good = ipr_framing_take(&f, cases[i].input.p, cases[i].input.n);

        check(i, &f, good);
        ipr_framing_release(&f);
    }
}

/* What is good may be passed on before the fault comes; the fault is the same. */
static void cut(size_t i, size_t at)
{
    const struct ipr_str input = cases[i].input;
    struct ipr_framing f = { 0 };
    size_t good = ipr_framing_take(&f, input.p, at);

    if (f.fault == NULL) {
        assert_int_equal(good, at);
        good += ipr_framing_take(&f, input.p + at, input.n - at);
    }
    check(i, &f, at > cases[i].good && good == at ? cases[i].good : good);
    ipr_framing_release(&f);
}

static void test_cut_in_two(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t at = 1; at < cases[i].input.n; at++)
            cut(i, at);
}

static void test_byte_by_byte(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ipr_framing f = { 0 };

        for (size_t at = 0; at < cases[i].input.n && f.fault == NULL; at++)
            (void)ipr_framing_take(&f, cases[i].input.p + at, 1);
        check(i, &f, cases[i].good);
        ipr_framing_release(&f);
    }
}

/* `n` times `unit` between two texts. */
static const char *fault_of(const char *before, const char *unit, size_t n, const char *after)
{
    struct ipr_framing f = { 0 };
    struct ipr_buf text = IPR_BUF_INIT;

    ipr_buf_puts(&text, before);
    for (size_t i = 0; i < n; i++)
        ipr_buf_puts(&text, unit);
    ipr_buf_puts(&text, after);
    (void)ipr_framing_take(&f, text.p, text.n);
    const char *fault = f.fault != NULL ? f.fault : "none";
    ipr_framing_release(&f);
    ipr_buf_release(&text);
    return fault;
}

static void test_limits(void **state)
{
    static const char rest[] = " HTTP/1.1\r\n" H "\r\n";
    static const char chunked[] = POST "Transfer-Encoding: chunked\r\n\r\n";

    (void)state;
    assert_string_equal(fault_of("GET /?a", "&", IPR_FRAMING_PARTS_MAX - 1, rest), "none");
    assert_string_equal(fault_of("GET /?a", "&", IPR_FRAMING_PARTS_MAX, rest), "target_too_long");
    assert_string_equal(fault_of("GET /", "a", 16000, rest), "none");
    assert_string_equal(fault_of("GET /", "a", 17000, rest), "target_too_long");
    assert_string_equal(fault_of("GET /", "a", 17000, ""), "target_too_long");
    assert_string_equal(fault_of(GET, "X: y\r\n", IPR_FRAMING_FIELDS_MAX - 1, "\r\n"), "none");
    assert_string_equal(fault_of(GET, "X: y\r\n", IPR_FRAMING_FIELDS_MAX, "\r\n"),
                        "head_too_large");
    assert_string_equal(fault_of(GET "Cookie: a", ";a", 255, "\r\n\r\n"), "none");
    assert_string_equal(fault_of(GET "Cookie: a", ";a", 256, "\r\n\r\n"), "head_too_large");
    assert_string_equal(fault_of(GET "X: ", "y", 17000, ""), "head_too_large");
    assert_string_equal(fault_of(GET "\r\n", GET "\r\n", 1000, ""), "none");
    assert_string_equal(fault_of(chunked, "1\r\na\r\n", 10000, "0\r\n\r\n"), "none");
    assert_string_equal(fault_of(chunked, "0", 300, ""), "bad_framing");
    assert_string_equal(
        fault_of(POST "Transfer-Encoding: chunked\r\n\r\n0\r\n", "X: y\r\n", 101, ""),
        "head_too_large");
}

/* Whether it waits for a head is what the deadlines rest on. */
static void test_in_head(void **state)
{
    struct ipr_framing f = { 0 };

    (void)state;
    assert_false(ipr_framing_in_head(&f));
    (void)ipr_framing_take(&f, "P", 1);
    assert_true(ipr_framing_in_head(&f));
    (void)ipr_framing_take(&f, "OST / HTTP/1.1\r\n", 16);
    assert_true(ipr_framing_in_head(&f));
    (void)ipr_framing_take(&f, H "Content-Length: 2\r\n\r\n", sizeof(H) - 1 + 21);
    assert_false(ipr_framing_in_head(&f));
    assert_int_equal(f.part, IPR_FRAMING_SIZED);
    assert_int_equal(f.rest, 2);
    ipr_framing_release(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole),        cmocka_unit_test(test_cut_in_two),
        cmocka_unit_test(test_byte_by_byte), cmocka_unit_test(test_limits),
        cmocka_unit_test(test_in_head),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
