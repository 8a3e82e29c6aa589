#ifndef IPR_TEST_PAGE_H
#define IPR_TEST_PAGE_H

/* Page templates rendered from answers of the API. */
#include "view/view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ipr_sentences_sample.h"
#include "ipr_test.h"
#include "tmpl/mustache.h"
#include "view/json.h"
#include "view/page/format.h"

#define JUDGE                                                                                      \
    "\"judge\":{\"id\":1,\"name\":\"standard\",\"engine\":\"Engine 1\",\"network\":\"n\","         \
    "\"multipv\":20,\"limit\":{\"depth\":10},\"first_move\":9},"                                   \
    "\"calibration\":{\"name\":\"standard\",\"digest\":\"d\"},"
#define IPR                                                                                        \
    "\"ipr\":{\"method\":\"moments\",\"estimate\":2801.4,\"interval\":{\"low\":2618.2,\"high\":"   \
    "2984.6,\"level\":0.95},\"standard_error\":93.5,\"extrapolated\":true,\"calibrated_range\":"   \
    "{\"low\":1600,\"high\":2791},\"line_se\":41.4,\"residual_sd\":151.2,\"turns\":1702,"          \
    "\"games\":20,"                                                                                \
    "\"excluded\":{\"decided\":64},\"s\":0.1,\"c\":0.6,\"covariance_ln_sc\":[1,2,3],"              \
    "\"ae_ref\":0.07,\"ae_ref_se\":0.004,\"mm\":{\"projected\":0.5,\"actual\":0.5},"               \
    "\"ad\":{\"projected\":0.06,\"actual\":0.06},\"converged\":true}"
#define REFUSAL                                                                                    \
    "\"ipr\":{\"estimate\":null,\"interval\":null,\"reason\":\"150 turns are needed, 112 remain "  \
    "after the exclusions\",\"turns\":112,\"excluded\":{}}"

static struct ipr_tmpl_set *templates;

static inline int load(void **state)
{
    struct ipr_err err = IPR_ERR_INIT;

    (void)state;
    assert_ok(ipr_tmpl_set_load("templates", NULL, ipr_page_formatters, &templates, &err), &err);
    return 0;
}

static inline int unload(void **state)
{
    (void)state;
    ipr_tmpl_set_free(&templates);
    return 0;
}

/* Checks that a page has nothing that the content security policy forbids, nothing unescaped and no
 * unformatted number. */
static inline void assert_sound(const char *html)
{
    static const char *const never[] = { " style=", "<script>", "onclick", "<Fischer>", "0.571",
                                         "2801.4",  "nan",      "(null)",  "{{" };

    assert_non_null(strstr(html, "<title>"));
    assert_non_null(strstr(html, "</html>"));
    assert_non_null(strstr(html, "href=\"#main\""));
    for (size_t i = 0; i < sizeof never / sizeof *never; i++)
        if (strstr(html, never[i]) != NULL)
            fail_msg("the page has \"%s\"", never[i]);
}

/* Renders a page; the caller frees it. */
static inline char *render(const char *page, const char *json)
{
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_buf out = IPR_BUF_INIT;
    json_error_t why;
    json_t *resource = json_loads(json, 0, &why);

    if (resource == NULL)
        fail_msg("%s at %d: %s", page, why.position, why.text);
    ipr_sentences_sample();
    assert_ok(ipr_view_page(page, resource, &err), &err);
    assert_ok(ipr_tmpl_render(templates, page, resource, &out, &err), &err);
    json_decref(resource);
    char *html = ipr_buf_steal(&out);
    assert_sound(html);
    return html;
}

static inline void expect(const char *page, const char *json, const char *const *wanted)
{
    char *html = render(page, json);

    for (; *wanted != NULL; wanted++)
        if (strstr(html, *wanted) == NULL)
            fail_msg("%s lacks \"%s\"", page, *wanted);
    free(html);
}
#define EXPECT(page, json, ...) expect(page, json, (const char *const[]){ __VA_ARGS__, NULL })

#endif
