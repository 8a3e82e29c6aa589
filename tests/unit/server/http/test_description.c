#include "ipr_test.h"

#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "http/base/description.h"

static const struct row {
    const char *name, *html, *content; /* NULL: no description */
} rows[] = {
    { "lead", "<title>a</title><p class=\"lead\">One &amp; <b>two</b>.</p>", "One &amp; two." },
    { "verdict first",
      "<title>a</title><p class=\"lead\">x</p><p class=\"verdict\" id=\"v\">He\n  won.</p>",
      "He won." },
    { "quotes", "<title>a</title><p class=\"lead\">the \"rating\"</p>", "the &quot;rating&quot;" },
    { "neither", "<title>a</title><p>x</p>", NULL },
    { "empty", "<title>a</title><p class=\"lead\"> </p>", NULL },
    { "not closed", "<title>a</title><p class=\"lead\">x", NULL },
    { "tag not closed", "<title>a</title><p class=\"lead\">x<b</p>", "x" },
    { "no title", "<p class=\"lead\">x</p>", NULL },
};

static void test_row(void **state)
{
    const struct row *r = *state;
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_buf html = IPR_BUF_INIT;

    ipr_buf_puts(&html, r->html);
    ipr_description_add(&html, &mem);
    if (r->content == NULL) {
        assert_string_equal(ipr_buf_c(&html), r->html);
    } else {
        const char *end = strstr(r->html, "</title>") + strlen("</title>");

        assert_string_equal(ipr_buf_c(&html),
                            ipr_arena_printf(&mem,
                                             "%.*s\n<meta name=\"description\" content=\"%s\">\n"
                                             "<meta property=\"og:description\" content=\"%s\">%s",
                                             (int)(end - r->html), r->html, r->content, r->content,
                                             end));
    }
    ipr_buf_release(&html);
    ipr_arena_release(&mem);
}

/* Whole sentences; of one that is too long whole words. */
static void test_long(void **state)
{
    struct ipr_arena mem = IPR_ARENA_INIT;

    (void)state;
    for (int sentences = 0; sentences < 2; sentences++) {
        struct ipr_buf html = IPR_BUF_INIT;

        ipr_buf_puts(&html, "<title></title><p class=\"lead\">");
        for (int i = 0; i < 90; i++)
            ipr_buf_printf(&html, "word%s ", sentences && i % 40 == 39 ? "." : "");
        ipr_buf_puts(&html, "</p>");
        ipr_description_add(&html, &mem);
        const char *from = strstr(ipr_buf_c(&html), "content=\"") + strlen("content=\"");
        const size_t n = strcspn(from, "\"");
        assert_int_equal(n, sentences ? 40 * 5 : 299);
        assert_int_equal(from[n - 1], sentences ? '.' : 'd');
        ipr_buf_release(&html);
    }
    ipr_arena_release(&mem);
}

#define N_ROWS (sizeof rows / sizeof rows[0])

int main(void)
{
    struct CMUnitTest tests[N_ROWS + 1] = { 0 };

    for (size_t i = 0; i < N_ROWS; i++)
        tests[i] =
            (struct CMUnitTest){ rows[i].name, test_row, NULL, NULL, (void *)(uintptr_t)&rows[i] };
    tests[N_ROWS] = (struct CMUnitTest)cmocka_unit_test(test_long);
    return cmocka_run_group_tests_name("description", tests, NULL, NULL);
}
