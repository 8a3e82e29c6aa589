/* Every case of every sentence with its examples, with all slots and without each that may be
 * empty.
 * `--print` prints them for reading. */
#include "sentence/sentence.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ipr_test.h"
#include "sentences_table.h" /* generated */
#include "view/page/format.h"

static int sentences_open(void **state)
{
    struct ipr_err err = IPR_ERR_INIT;

    (void)state;
    assert_ok(ipr_sentences_load("templates", ipr_page_formatters, &err), &err);
    return 0;
}

static int sentences_close(void **state)
{
    (void)state;
    ipr_sentences_free();
    return 0;
}

/* What a slip in a text shows as: blanks before a point, two of them, a tag left open. */
static void sentence_reads(const char *name, const char *text)
{
    static const char *const slips[] = { "  ", " .", " ,", " )", " ;", "..",
                                         ",,", "()", "{",  "}",  "nan" };

    if (text[0] == '\0')
        fail_msg("%s has no text", name);
    for (size_t i = 0; i < sizeof slips / sizeof *slips; i++)
        if (strstr(text, slips[i]) != NULL)
            fail_msg("%s: \"%s\" in \"%s\"", name, slips[i], text);
    if (isspace((unsigned char)text[0]) || isspace((unsigned char)text[strlen(text) - 1]))
        fail_msg("%s begins or ends with a blank: \"%s\"", name, text);
}

#define SLOTS 16 /* of a sentence, at most */

/* Whether a text is one of those before it. */
static bool sentence_met(const char *const *before, size_t n, const char *text)
{
    while (n > 0)
        if (strcmp(before[--n], text) == 0)
            return true;
    return false;
}

static json_t *slot_example(const struct ipr_sentence_slot *slot)
{
    const char *at = slot->example;
    char *end = NULL;
    double low;
    json_t *list;

    switch (slot->type) {
    case IPR_SLOT_TEXT:
        return json_string(at);
    case IPR_SLOT_NUMBER:
        return json_real(strtod(at, NULL));
    case IPR_SLOT_FLAG:
        return json_true();
    case IPR_SLOT_INTERVAL:
        low = strtod(at, &end);
        return json_pack("{s:f, s:o}", "low", low, "high",
                         strncmp(end, " to ", 4) == 0 ? json_real(strtod(end + 4, NULL))
                                                      : json_null());
    case IPR_SLOT_TEXTS:
        break;
    }
    list = json_array();
    for (size_t n; *at != '\0'; at += n + strspn(at + n, "; ")) {
        n = strcspn(at, ";");
        json_array_append_new(list, json_stringn(at, n));
    }
    return list;
}

/* A case with the examples as slots. `without` is a set of the slots, by their order, that are
 * empty or false; NULL where one of these may not be. */
static const char *sentence_example(enum ipr_sentence_id id, unsigned without,
                                    struct ipr_arena *mem)
{
    const struct ipr_sentence_slot *const slots = sentence_cases[id].slots;
    json_t *data = json_object();
    bool possible = true;

    for (size_t i = 0; slots[i].name != NULL; i++, without >>= 1) {
        if ((without & 1) == 0)
            json_object_set_new(data, slots[i].name, slot_example(&slots[i]));
        possible = possible && ((without & 1) == 0 || slots[i].optional);
    }
    if (possible && without == 0)
        return ipr_sentence_render(id, data, mem);
    json_decref(data);
    return NULL;
}

/* Calls `each` with every text of every case once. */
static void sentences_walk(void (*each)(const char *name, const char *text))
{
    struct ipr_arena mem = IPR_ARENA_INIT;

    for (enum ipr_sentence_id id = 0; id < IPR_SENTENCES; id++) {
        const char *texts[SLOTS + 1];
        size_t n = 0;

        for (unsigned slot = 0; slot <= SLOTS; slot++) {
            texts[n] = sentence_example(id, slot == 0 ? 0 : 1u << (slot - 1), &mem);
            if (texts[n] != NULL && !sentence_met(texts, n, texts[n]))
                each(sentence_cases[id].name, texts[n++]);
        }
    }
    ipr_arena_release(&mem);
}

static void test_every_case_reads(void **state)
{
    (void)state;
    sentences_walk(sentence_reads);
}

static void test_slots_are_filled(void **state)
{
    static const char *const names[] = { "Müller & Søn", "Tal", "O'Kelly" };
    struct ipr_arena mem = IPR_ARENA_INIT;

    (void)state;
    const struct ipr_event_leader_slots shared = { .names = { names, 3 }, .score = 7.5 };
    assert_string_equal(ipr_say_event_leader(IPR_EVENT_LEADER_SEVERAL, &shared, &mem),
                        "Müller & Søn, Tal and O'Kelly scored most, 7.5 each.");
    const struct ipr_event_rating_slots high = { .estimate = 2951.4, .interval = { 2650, 3252.6 } };
    assert_string_equal(ipr_say_event_rating(IPR_EVENT_RATING_FIRST, &high, &mem),
                        "2951 (95% interval 2650 to 3253)");
    const struct ipr_event_rating_slots next = { .estimate = 2104.6, .interval = { 1990, 2219 } };
    assert_string_equal(ipr_say_event_rating(IPR_EVENT_RATING_NEXT, &next, &mem),
                        "2105 (1990 to 2219)");
    const struct ipr_event_rating_slots end = { .estimate = 2624.2, .interval = { 2623.8, 2950 } };
    assert_string_equal(ipr_say_event_rating(IPR_EVENT_RATING_NEXT, &end, &mem),
                        "2624 (up to 2950)");
    ipr_arena_release(&mem);
}

/* A program without templates/ says what it was built with: the same texts, as they are of one
 * state of the files. */
static void test_built_in(void **state)
{
    const enum ipr_sentence_id id = IPR_SENTENCE_REASON_STRENGTH_NO_MOVE;
    const char *const built = ipr_sentence_fixed(id);
    struct ipr_err err = IPR_ERR_INIT;

    (void)state;
    assert_string_equal(built, "no move of these games counts");
    assert_ok(ipr_sentences_load("templates", ipr_page_formatters, &err), &err);
    const uint64_t read = ipr_sentences_hash();
    assert_string_equal(ipr_sentence_fixed(id), built);
    assert_ptr_not_equal(ipr_sentence_fixed(id), built);
    assert_ok(ipr_sentences_load(NULL, ipr_page_formatters, &err), &err);
    assert_true(ipr_sentences_hash() == read);
    sentences_walk(sentence_reads);
    ipr_sentences_free();
    assert_ptr_equal(ipr_sentence_fixed(id), built);
}

/* A folder with one file of sentences. */
static void sentence_file(const char *folder, const char *text)
{
    char path[128];

    snprintf(path, sizeof path, "%s/sentences/event.txt", folder);
    FILE *f = fopen(path, "we");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void test_refused(void **state)
{
    static const struct {
        const char *text, *reason;
    } cases[] = {
        { "sentence leader | who leads\ncase one | {{score|general}}\n",
          "no text for calibration." },
        { "sentence leader | who leads\ncase nobody | Nobody leads.\n",
          "event.leader.nobody is not in this program" },
        { "sentence leader | who leads\ncase one {{score}}\n", "event.txt:2: not a sentence" },
        { "sentence leader | who leads\ncase one | {{score|shouted}}\n", "shouted" },
        { "sentence leader | who leads\ncase one | First.\n    {{#scoer}}Then.{{/scoer}}\n",
          "event.txt:2: event.leader.one has no slot \"scoer\"" },
    };
    char folder[] = "/tmp/intrinsic-sentences.XXXXXX", sub[128];

    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(sub, sizeof sub, "%s/sentences", folder);
    assert_int_equal(mkdir(sub, 0700), 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ipr_err err = IPR_ERR_INIT;

        sentence_file(folder, cases[i].text);
        assert_int_not_equal(ipr_sentences_load(folder, ipr_page_formatters, &err), IPR_OK);
        if (strstr(err.msg, cases[i].reason) == NULL)
            fail_msg("\"%s\" lacks \"%s\"", err.msg, cases[i].reason);
    }
    snprintf(sub, sizeof sub, "%s/sentences/event.txt", folder);
    assert_int_equal(unlink(sub), 0);
    snprintf(sub, sizeof sub, "%s/sentences", folder);
    assert_int_equal(rmdir(sub), 0);
    assert_int_equal(rmdir(folder), 0);
}

static void sentence_print(const char *name, const char *text)
{
    static const char *last;

    if (name != last)
        printf("%s\n", name);
    last = name;
    printf("    %s\n", text);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_every_case_reads, sentences_open, sentences_close),
        cmocka_unit_test_setup_teardown(test_slots_are_filled, sentences_open, sentences_close),
        cmocka_unit_test(test_built_in),
        cmocka_unit_test(test_refused),
    };

    if (argc > 1 && strcmp(argv[1], "--print") == 0) {
        sentences_open(NULL);
        sentences_walk(sentence_print);
        sentences_close(NULL);
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
