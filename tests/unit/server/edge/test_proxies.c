#include "ipr_test.h"

#include <string.h>

#include "edge/proxies.h"

static struct ipr_proxies *proxies_of(const char *list)
{
    struct ipr_proxies *p = NULL;
    struct ipr_err err = IPR_ERR_INIT;

    assert_ok(ipr_proxies_read(list, &p, &err), &err);
    return p;
}

static struct in6_addr address(const char *text)
{
    struct in6_addr out;

    assert_true(ipr_address_read(ipr_str_c(text), &out));
    return out;
}

static void test_trust(void **state)
{
    static const struct {
        const char *list, *who;
        bool trusted;
    } rows[] = {
        { "", "127.0.0.1", false },
        { NULL, "127.0.0.1", false },
        { "127.0.0.1", "127.0.0.1", true },
        { "127.0.0.1", "::ffff:127.0.0.1", true },
        { "127.0.0.1", "127.0.0.2", false },
        { "127.0.0.1, ::1", "::1", true },
        { "10.0.0.0/8 192.0.2.0/25", "10.255.0.1", true },
        { "10.0.0.0/8 192.0.2.0/25", "192.0.2.127", true },
        { "10.0.0.0/8 192.0.2.0/25", "192.0.2.128", false },
        { "10.0.0.0/8", "::a00:1", false },
        { "2001:db8::/33", "2001:db8:7fff::1", true },
        { "2001:db8::/33", "2001:db8:8000::1", false },
        { "0.0.0.0/0", "203.0.113.1", true },
        { "0.0.0.0/0", "2001:db8::1", false },
        { "::/0", "203.0.113.1", true },
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct ipr_proxies *p = proxies_of(rows[i].list);
        const struct in6_addr who = address(rows[i].who);

        assert_int_equal(ipr_proxies_trust(p, &who), rows[i].trusted);
        ipr_proxies_free(&p);
    }
}

static void test_bad_lists(void **state)
{
    static const char *const bad[] = {
        "localhost",    "10.0.0.0/33",  "2001:db8::/129", "10.0.0/8",      "*",  "127.0.0.1/",
        "127.0.0.1/-1", "127.0.0.1:80", "[::1]",          "192.0.2.1;::1", "all"
    };

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct ipr_proxies *never = NULL;
        struct ipr_err err = IPR_ERR_INIT;

        assert_int_equal(ipr_proxies_read(bad[i], &never, &err), IPR_EPARSE);
        assert_memory_equal(err.msg, "INTRINSIC_TRUSTED_PROXIES: ", 27);
        assert_null(never);
    }
}

static void test_client(void **state)
{
    static const struct {
        const char *peer, *chain, *client;
    } rows[] = {
        { "127.0.0.1", "", "127.0.0.1" },
        { "127.0.0.1", "203.0.113.5", "203.0.113.5" },
        { "127.0.0.1", "198.51.100.9, 203.0.113.5", "203.0.113.5" },
        { "127.0.0.1", "198.51.100.9,203.0.113.5:4711", "203.0.113.5" },
        { "127.0.0.1", "198.51.100.9, 203.0.113.5, 10.1.2.3", "203.0.113.5" },
        { "127.0.0.1", "10.1.2.4, 10.1.2.3", "10.1.2.4" },
        { "127.0.0.1", "198.51.100.9, unknown", "127.0.0.1" },
        { "127.0.0.1", "198.51.100.9, unknown, 10.1.2.3", "10.1.2.3" },
        { "127.0.0.1", "198.51.100.9,", "127.0.0.1" },
        { "127.0.0.1", "2001:db8::5", "2001:db8::5" },
        { "127.0.0.1", "[2001:db8::5]:443", "2001:db8::5" },
        { "127.0.0.1", "for=203.0.113.5", "203.0.113.5" },
        { "127.0.0.1", "for=\", for=203.0.113.5;proto=https", "203.0.113.5" },
        { "127.0.0.1", "for=_hidden, For=\"[2001:db8::5]:4711\";by=10.1.2.3", "2001:db8::5" },
        { "127.0.0.1", "proto=https;for=_hidden", "127.0.0.1" },
        { "127.0.0.1", "proto=https", "127.0.0.1" },
        /* Anybody can say so. */
        { "203.0.113.7", "198.51.100.9", "203.0.113.7" },
        { "203.0.113.7", "127.0.0.1", "203.0.113.7" },
    };
    struct ipr_proxies *p = proxies_of("127.0.0.1 10.0.0.0/8");

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char got[IPR_ADDRESS_TEXT];
        const struct in6_addr client =
            ipr_proxies_client(p, address(rows[i].peer), ipr_str_c(rows[i].chain));

        ipr_address_text(&client, got);
        if (strcmp(got, rows[i].client) != 0)
            print_error("\"%s\"\n", rows[i].chain);
        assert_string_equal(got, rows[i].client);
    }
    ipr_proxies_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_trust),
        cmocka_unit_test(test_bad_lists),
        cmocka_unit_test(test_client),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
