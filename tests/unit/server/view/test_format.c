/* What the formatters of the templates make of values, and that wrong ones are found at load. */
#include <string.h>

#include "ipr_sentences_sample.h"
#include "ipr_test.h"
#include "model/window.h"
#include "resource/resource.h"
#include "tmpl/mustache.h"
#include "view/page/format.h"

static enum ipr_code render(const char *text, const char *json, struct ipr_buf *out,
                            struct ipr_err *err)
{
    struct ipr_tmpl_set *set = ipr_tmpl_set_new(NULL, ipr_page_formatters);
    json_t *data = json_loads(json, JSON_DECODE_ANY, NULL);

    assert_non_null(data);
    enum ipr_code rc = ipr_tmpl_set_add(set, IPR_TMPL_PAGE, "page", ipr_str_c(text), err);
    if (rc == IPR_OK)
        rc = ipr_tmpl_render(set, "page", data, out, err);
    json_decref(data);
    ipr_tmpl_set_free(&set);
    return rc;
}

static struct row {
    const char *text, *json, *want;
} rows[] = {
    { "{{.|elo}}", "2741.4", "2741" },
    { "{{.|elo}}", "{\"low\":2633.6,\"high\":2887.2,\"level\":0.95}", "2634 to 2887" },
    { "{{.|elo}}", "{\"low\":2500,\"high\":null}", "above 2500" },
    { "{{.|elo}}", "{\"low\":null,\"high\":2500}", "below 2500" },
    { "[{{.|elo}}]", "{\"low\":null,\"high\":null}", "[]" },
    { "[{{x|elo}}]", "{\"x\":\"text\"}", "[]" },
    { "{{.|count}}", "12345", "12,345" },
    { "{{.|count}}", "-1234567", "−1,234,567" },
    { "{{.|count}}", "999", "999" },
    { "{{.|elo}}", "2740.5", "2741" },
    { "[{{.|count}}]", "1e19", "[]" },
    { "{{.|fixed:3}}", "{\"low\":-0.25,\"high\":null}", "above −0.250" },
    { "{{.|fixed:1}}", "-0.04", "0.0" },
    { "{{.|share}}", "{\"low\":-0.1,\"high\":0.2}", "−10.0% to 20.0%" },
    { "{{.|elo}}", "-12.4", "−12" },
    { "{{.|share}}", "0.3125", "31.3%" },
    { "{{.|general}}", "-1.5", "-1.5" },
    { "{{.|share}}", "0.5431", "54.3%" },
    { "{{.|share:0}}", "0.5431", "54%" },
    { "{{.|share}}", "{\"low\":0.543,\"high\":0.601}", "54.3% to 60.1%" },
    { "{{.|share}}", "{\"low\":0.543}", "above 54.3%" },
    { "{{.|percent}} {{.|percent:0}}", "0.5431", "54.3 54" },
    { "{{.|fixed:3}}", "0.41249", "0.412" },
    { "{{.|points}}", "0.1496", "0.14" },
    { "{{.|points}}", "0.15", "0.15" },
    { "{{.|points}}", "0.29", "0.29" },
    { "{{.|fixed:2}}", "{\"low\":0.412,\"high\":0.527}", "0.41 to 0.53" },
    { "{{.|signed:2}}", "0.478", "+0.48" },
    { "{{.|signed:1}}", "-2.26", "−2.3" },
    { "{{.|signed:1}}", "-0.04", "0.0" },
    { "{{.|signed:1}}", "{\"low\":-1,\"high\":2}", "−1.0 to +2.0" },
    { "{{.|significant:3}}", "0.0000123456", "1.23e-05" },
    { "{{.|general}} {{.|general|or:x}}", "15.5", "15.5 15.5" },
    { "{{.|plural:game:games}}", "1", "1 game" },
    { "{{.|plural:game:games}}", "12345", "12,345 games" },
    { "{{.|plural:judged game:judged games}}", "0", "0 judged games" },
    { "{{.|odds}}", "0.112", "one in nine" },
    { "{{.|odds}}", "0.5", "one in two" },
    { "{{.|odds}}", "0.49", "almost one in two" },
    { "{{.|odds}}", "0.71", "three in four" },
    { "{{.|odds}}", "0.66", "two in three" },
    { "{{.|odds}}", "0.097", "one in ten" },
    { "{{.|odds}}", "0.07", "one in 14" },
    { "{{.|odds}}", "0.04", "one in 25" },
    { "{{.|odds}}", "0.0034", "fewer than one in 100" },
    { "{{.|odds}}", "0.94", "nine in ten" },
    { "{{.|odds}}", "0.96", "nearly all" },
    { "{{.|pawns}}", "135", "1.35" },
    { "[{{.|odds}}{{.|pawns}}]", "null", "[]" },
    { "{{.|duration}}", "0.01", "less than 0.1 s" },
    { "{{.|duration}}", "3.14", "3.1 s" },
    { "{{.|duration}}", "42.4", "42 s" },
    { "{{.|move}}", "34", "18. (White)" },
    { "{{.|move}}", "35", "18… (Black)" },
    { "{{.|less:1}}", "3", "2" },
    { "[{{.|less:1}}]", "1", "[]" },
    { "{{.|score}}", "-31", "−0.31" },
    { "{{.|score:reversed}}", "-31", "+0.31" },
    { "{{.|score:reversed}}", "{\"mate\":2}", "#-2" },
    { "{{.|clock}}", "7199900", "1:59:59" },
    { "{{.|glyph}}", "5", "!?" },
    { "{{.|glyph}}", "146", "$146" },
    { "{{.|when}}", "\"2026-11-21T12:01:02Z\"", "2026-11-21 12:01" },
    { "{{.|day}}", "\"2026-11-21T12:01:02Z\"", "2026-11-21" },
    { "{{.|list}}", "[\"classical\",\"unknown\"]", "classical and unknown" },
    { "{{.|list}}", "[\"a\",\"b\",\"c\"]", "a, b and c" },
    { "{{.|list:,}}", "[\"a\",\"b\",\"c\"]", "a, b, c" },
    { "[{{.|list}}]", "[]", "[]" },
    { "{{.|words}}", "\"white_fide_id\"", "white fide id" },
    { "{{#.|linked}}<{{text}}{{#.href}} {{.}}{{/.href}}>{{/.}}",
      "\"Of [terms](/glossary#a), of (others) [too](/b)\"",
      "<Of ><terms /glossary#a><, of (others) ><too /b>" },
    { "{{#.|linked}}<{{text}}{{#.href}} {{.}}{{/.href}}>{{/.}}", "\"[a] (b)\"", "<[a] (b)>" },
    { "{{#.|linked}}<{{text}}>{{/.}}", "\"\"", "" },
    { "{{.|surname}}", "\"Fischer, Robert James\"", "Fischer" },
    { "{{.|place}}", "\"Reykjavik ISL\"", "Reykjavik" },
    { "{{.|place}}", "\"New York\"", "New York" },
    { "{{.|place}}", "\"USA\"", "USA" },
    { "{{.|date}}", "\"1972.08.31\"", "31 August 1972" },
    { "{{.|date}}", "\"1972.08.??\"", "August 1972" },
    { "{{.|date}}", "\"1972.??.??\"", "1972" },
    { "{{.|date}}", "\"1972\"", "1972" },
    { "[{{.|date}}]", "\"????.??.??\"", "[]" },
    { "{{.|event}}", "\"World Championship 31th\"", "World Championship 31st" },
    { "{{.|event|slug}}", "\"World Championship 31th\"", "/world-championship-31st" },
    { "[{{.|event}}]", "31", "[]" },
    { "{{.|person}}", "\"Fischer, Robert James\"", "Bobby Fischer" },
    { "{{.|person}}", "\"Donner, Jan Hein\"", "Jan Hein Donner" },
    { "{{.|slug}}", "\"Fischer, Robert James\"", "/fischer-robert-james" },
    { "[{{.|slug}}]", "\"1972\"", "[]" },
    { "{{.|csv}}", "\"/api/v1/reports/royale?active=300\"",
      "/api/v1/reports/royale.csv?active=300" },
    { "{{.|csv:curve}}", "\"/api/v1/x\"", "/api/v1/x.csv?rows=curve" },
    { "{{.|csv:curve}}", "\"/api/v1/x?b=1\"", "/api/v1/x.csv?b=1&amp;rows=curve" },
    { "[{{.|csv}}]", "null", "[]" },
    { "{{.|span}}", "{\"first_year\":1970,\"last_year\":1972}", "1970–1972" },
    { "{{.|span}}", "{\"first_year\":1970,\"last_year\":1970}", "1970" },
    { "[{{.|span}}]", "{\"first_year\":null,\"last_year\":null}", "[]" },
    { "{{.|counts}}", "{\"blitz\":12,\"rapid\":3,\"bullet\":0}", "12 blitz, 3 rapid" },
    { "{{.|counts:progress}}", "{\"failed\":1,\"judged\":7,\"ready\":1234,\"running\":0}",
      "1,234 waiting, 1 failed" },
    { "{{.|sum:a:b}}", "{\"a\":1,\"b\":2,\"c\":4}", "3" },
    { "{{.|span}}", "{\"low\":2700,\"high\":2785}", "2700–2785" },
    { "[{{.|span}}]", "{\"low\":null,\"high\":null}", "[]" },
    { "{{.|called}}", "{\"name\":\"Tal\",\"fide_id\":4711}", "Tal (FIDE 4711)" },
    { "{{.|called}}", "{\"name\":\"Tal\",\"fide_id\":null}", "Tal" },
    { "[{{.|counts}}]", "{}", "[]" },
    { "{{.|rests_on}}", "{\"turns\":1685,\"games\":1}", "1,685 moves, 1 game" },
    { "{{.|rests_on}}", "{\"games\":20}", "20 games" },
    { "{{.|interval}}", "{\"estimate\":2624,\"interval\":{\"low\":2501,\"high\":2950}}",
      "2501 to 2950" },
    { "{{.|interval}}", "{\"estimate\":2624,\"interval\":{\"low\":2624,\"high\":2950}}",
      "up to 2950" },
    { "[{{.|interval}}]", "{\"estimate\":2624}", "[]" },
    { "[{{.|rests_on}}]", "{\"turns\":5}", "[]" },
    { "{{.|judge}}",
      "{\"name\":\"standard\",\"engine\":\"Engine 1\",\"multipv\":20,\"limit\":{\"depth\":10},"
      "\"first_move\":9}",
      "standard: Engine 1, depth 10, 20 lines, from move 9" },
    { "{{.|judge}}",
      "{\"name\":\"n\",\"engine\":\"E\",\"multipv\":1,\"limit\":{\"nodes\":100000},"
      "\"first_move\":1}",
      "n: E, 100,000 nodes, 1 line, from move 1" },
    { "{{.|remark}}", "{\"extrapolated\":true,\"at_bound\":true}",
      "outside the calibrated range; depends on where the prior ends" },
    { "[{{.|remark}}]", "{\"extrapolated\":false}", "[]" },
    { "{{.|game}}", "{\"white\":\"A\",\"black\":null,\"year\":1960}", "A – ?, 1960" },
    { "{{.|game}}", "{\"white\":\"A\",\"black\":\"B\",\"year\":null}", "A – B" },
    { "{{#.|known}}yes{{/.}}{{^.|known}}no{{/.}}", "{\"estimate\":null,\"bound\":{\"low\":1}}",
      "yes" },
    { "{{#.|known}}yes{{/.}}{{^.|known}}no{{/.}}", "{\"estimate\":null,\"interval\":null}", "no" },
    { "{{.|player_year}}", "{\"player\":{\"name\":\"Tal\"},\"year\":1960}", "Tal 1960" },
    { "{{.|player_year}}", "{\"player\":{\"name\":\"Tal\"},\"year\":null}", "Tal, career" },
    { "{{.|word:reasons}}", "\"unjudged\"", "not analysed" },
    { "{{.|word:reasons}}", "\"unheard_of\"", "unheard_of" },
    { "{{#.|rows:results}}{{text}} {{value}} {{key}};{{/.}}",
      "{\"lost\":3,\"other\":4,\"won\":1,\"drew\":null}", "won 1 won;lost 3 lost;other 4 other;" },
    { "{{^.|rows:results}}none{{/.}}", "{}", "none" },
    { "{{g|without:a:c|query:?}} {{g|query:&}} {{e|query:?}}",
      "{\"g\":[{\"name\":\"a\",\"query\":\"a=1\"},{\"name\":\"b\",\"query\":\"b=%20\"},"
      "{\"name\":\"c\",\"query\":\"c=2\"}],\"e\":[]}",
      "?b=%20 &amp;a=1&amp;b=%20&amp;c=2 " },
    { "{{#.|rows}}{{key}} {{value}};{{/.}}", "{\"b\":3,\"a\":4}", "b 3;a 4;" },
    { "{{.|size}}", "[1,2]", "2" },
    { "{{.|list:or}}", "[\"a\",\"b\",\"c\"]", "a or b or c" },
    { "{{x|or:none}}{{.|or:none}}", "{}", "none" },
    { "{{x|elo|or:none}}", "{\"x\":null}", "none" },
    { "{{#x|some}}{{.}}{{/x}}{{^y|some}}none{{/y}}", "{\"x\":3,\"y\":0}", "3none" },
    { "{{^a|some}}no a,{{/a}}{{^b|some}}no b{{/b}}", "{\"a\":{},\"b\":\"\"}", "no a,no b" },
    { "{{#l|any}}<{{#l}}{{.}}{{/l}}>{{/l}}{{#m|any}}some{{/m}}", "{\"l\":[1,2],\"m\":[]}", "<12>" },
    { "{{#l|any:a.b}}yes{{/l}}{{#l|any:c}}no{{/l}}",
      "{\"l\":[{\"a\":{\"b\":null}},{\"a\":{\"b\":2}}]}", "yes" },
    { "{{#s|eq:failed}}yes{{/s}}{{#s|eq:done}}no{{/s}}{{#n|eq:404}}404{{/n}}",
      "{\"s\":\"failed\",\"n\":404}", "yes404" },
    { "{{#n|more:2}}more{{/n}}{{#n|more:3}}no{{/n}}", "{\"n\":3}", "more" },
};

static void test_row(void **state)
{
    const struct row *r = *state;
    struct ipr_buf out = IPR_BUF_INIT;
    struct ipr_err err = IPR_ERR_INIT;

    assert_ok(render(r->text, r->json, &out, &err), &err);
    assert_string_equal(ipr_buf_c(&out), r->want);
    ipr_buf_release(&out);
}

static void test_wrong(void **state)
{
    static const char *const texts[] = {
        "{{x|fixed}}",        "{{x|fixed:two}}",   "{{x|fixed:12}}", "{{x|share:-1}}",
        "{{x|word}}",         "{{x|word:nouns}}",  "{{x|elo:1}}",    "{{#x|rows:nouns}}{{/x}}",
        "{{x|counts:nouns}}", "{{x|plural:game}}", "{{x|eq}}",       "{{#x|more:many}}{{/x}}",
        "{{x|elephant}}",     "{{x|score:black}}", "{{x|list:nor}}", "{{x|query:#}}",
        "{{x|without}}",
    };

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct ipr_buf out = IPR_BUF_INIT;
        struct ipr_err err = IPR_ERR_INIT;

        if (render(texts[i], "{}", &out, &err) != IPR_EPARSE)
            fail_msg("%s is accepted", texts[i]);
        ipr_buf_release(&out);
    }
}

static void expect_word(const char *dictionary, const char *key)
{
    if (ipr_sentence_word(ipr_words(dictionary), key) == key)
        fail_msg("\"%s\" has no word among \"%s\"", key, dictionary);
}

static size_t count_words(const char *dictionary)
{
    const struct ipr_word *words = ipr_words(dictionary);
    size_t n = 0;

    while (words[n].key != NULL)
        n++;
    return n;
}

/* The predictors, and the half that they are compared with. */
static void expect_predictors(void)
{
    const struct ipr_resource *r = ipr_resource_at(IPR_RESOURCE_PREDICTION);
    size_t n = 0;

    for (const char *const *w = ipr_resource_param(r, "method")->words; *w != NULL; w++) {
        if (strcmp(*w, "all") == 0)
            continue;
        expect_word("predictors", *w);
        n++;
    }
    expect_word("predictors", "even");
    assert_int_equal(count_words("predictors"), n + 1);
}

/* The reports, each with what its form offers. */
static void expect_reports(void)
{
    for (int id = 0; id < IPR_RESOURCES; id++) {
        const struct ipr_resource *r = ipr_resource_at((enum ipr_resource_id)id);

        if (!(r->flags & IPR_FLAG_REPORT))
            continue;
        expect_word("reports", r->name);
        expect_word("report_texts", r->name);
        for (const struct ipr_param_def *d = r->params; d->name != NULL; d++)
            if (ipr_param_is_own(d))
                expect_word("report_params", d->name);
    }
}

/* What other tables name has a word for people, and nothing else has. */
static void test_dictionaries(void **state)
{
    (void)state;
    assert_null(ipr_words("nouns"));
    assert_string_equal(ipr_sentence_word(ipr_words("predictors"), "markov"), "Markov");
    expect_predictors();
    expect_reports();
    for (int i = 0; i < IPR_EXCLUDED_REASONS; i++)
        expect_word("reasons", ipr_excluded_name((enum ipr_excluded)i));
    assert_int_equal(count_words("reasons"), IPR_EXCLUDED_REASONS);
}

#define ROWS (sizeof rows / sizeof *rows)

int main(void)
{
    struct CMUnitTest tests[ROWS + 2];

    for (size_t i = 0; i < ROWS; i++)
        tests[i] = (struct CMUnitTest){ rows[i].text, test_row, NULL, NULL, &rows[i] };
    tests[ROWS] = (struct CMUnitTest)cmocka_unit_test(test_wrong);
    tests[ROWS + 1] = (struct CMUnitTest)cmocka_unit_test(test_dictionaries);
    ipr_sentences_sample();
    return cmocka_run_group_tests_name("format", tests, NULL, NULL);
}
