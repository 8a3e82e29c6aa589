#include "resource/set.h"

#include <string.h>

#include "ipr_test.h"

static void texts_are_read_and_written(void **state)
{
    static const struct {
        const char *text, *written;
        struct ipr_set want;
    } sets[] = {
        { "12", "12", { .player = 12 } },
        { "2147483647", "2147483647", { .player = INT32_MAX } },
        { "12:1972", "12:1972", { .player = 12, .from = 1972, .to = 1972 } },
        { "12:1972-1972", "12:1972", { .player = 12, .from = 1972, .to = 1972 } },
        { "12:1968-1972", "12:1968-1972", { .player = 12, .from = 1968, .to = 1972 } },
        { "12:1968-", "12:1968-", { .player = 12, .from = 1968 } },
        { "12:-1972", "12:-1972", { .player = 12, .to = 1972 } },
        { "12,color=white", "12,color=white", { .player = 12, .colours = 1 } },
        { "12,opponent=7,color=black,opponent=9",
          "12,color=black,opponent=7,opponent=9",
          { .player = 12, .colours = 2, .opponents = { 7, 9 }, .n_opponents = 2 } },
        { "12:1968-1972,upload=9223372036854775807,event=5",
          "12:1968-1972,event=5,upload=9223372036854775807",
          { .player = 12, .from = 1968, .to = 1972, .event = 5, .upload = INT64_MAX } },
        { "12,phase=endgame", "12,phase=endgame", { .player = 12, .phases = 4 } },
        { "12:1972,phase=endgame,color=white,phase=middlegame",
          "12:1972,color=white,phase=middlegame,phase=endgame",
          { .player = 12, .from = 1972, .to = 1972, .colours = 1, .phases = 6 } },
        { "12,phase=endgame,phase=opening,phase=middlegame", "12", { .player = 12 } },
    };
    struct ipr_arena mem = IPR_ARENA_INIT;

    (void)state;
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        struct ipr_err err = IPR_ERR_INIT;
        struct ipr_set got;

        assert_ok(ipr_set_read(sets[i].text, &got, &err), &err);
        assert_memory_equal(&got, &sets[i].want, sizeof got);
        assert_string_equal(ipr_set_text(&got, &mem), sets[i].written);
    }
    ipr_arena_release(&mem);
}

static void others_are_refused_at_their_place(void **state)
{
    static const struct {
        const char *text, *says;
    } wrong[] = {
        { "x", "the id of a player, got \"x\" at character 1 of \"x\"" },
        { "0", "the id of a player, got " },
        { "-1", "the id of a player, got " },
        { "+12", "the id of a player, got " },
        { " 12", "the id of a player, got " },
        { "12 ", "the id of a player, got " },
        { "2147483648", "the id of a player, got " },
        { ",12", "the id of a player, got \",\" at character 1 of \",12\"" },
        { "12:", "a year from 1 to 9999, got \"\" at character 4 of \"12:\"" },
        { "12:-", "a year from 1 to 9999, got \"-\" at character 4 of \"12:-\"" },
        { "12:19x", "a year from 1 to 9999, got \"19x\" at character 4 of \"12:19x\"" },
        { "12:10000", "a year from 1 to 9999, got " },
        { "12:1968--1972", "a year from 1 to 9999, got " },
        { "12,phase=", "opening, middlegame or endgame, got " },
        { "12,phase=late", "opening, middlegame or endgame, got " },
        { "12,phase=opening,phase=opening", "each phase once, got " },
        { "12:1972-1968", "a last year that is not before the first, got " },
        { "12:1968:1972", "a year from 1 to 9999, got " },
        { "12,",
          "color=, event=, opponent=, upload= or phase=, got \"\" at character 4 of \"12,\"" },
        { "12,colour=white",
          "color=, event=, opponent=, upload= or phase=, got \"colour=white\" at character 4" },
        { "12,15", "got \"15\" at character 4 of \"12,15\"" },
        { "12,color=green", "white or black, got \"green\" at character 10 of \"12,color=green\"" },
        { "12,color=white,color=black", "one colour, got " },
        { "12,event=", "the id of an event, got \"\" at character 10 of \"12,event=\"" },
        { "12,event=5,event=6", "one event, got " },
        { "12,event=5:1972", "a comma or the end, got " },
        { "12,upload=0", "the id of an upload, got " },
        { "12,upload=1,upload=2", "one upload, got " },
        { "12,upload=9223372036854775808", "the id of an upload, got " },
        { "12,opponent=1,opponent=2,opponent=3,opponent=4,opponent=5,opponent=6,opponent=7,"
          "opponent=8,opponent=9",
          "at most 8 opponents" },
        { "12\u00e9", "the id of a player, got " },
    };

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct ipr_err err = IPR_ERR_INIT;
        struct ipr_set set = { .player = 99 };

        assert_int_equal(ipr_set_read(wrong[i].text, &set, &err), IPR_EPARSE);
        assert_string_equal(err.type, "bad_parameter");
        if (strstr(err.msg, wrong[i].says) == NULL)
            fail_msg("%s: %s", wrong[i].text, err.msg);
        assert_int_equal(set.player, 99);
        ipr_err_clear(&err);
    }
}

/* Every beginning of a text, and every text with one character replaced, is read or refused. */
static void any_text_is_read_or_refused(void **state)
{
    static const char text[] = "12:1968-1972,color=white,event=5,opponent=7,upload=3";

    (void)state;
    for (size_t i = 0; i < sizeof text; i++)
        for (int c = 0; c < 256; c++) {
            struct ipr_err err = IPR_ERR_INIT;
            struct ipr_set set;
            char copy[sizeof text];

            memcpy(copy, text, sizeof text);
            copy[i] = (char)c;
            copy[sizeof copy - 1] = '\0';
            if (ipr_set_read(copy, &set, &err) == IPR_OK)
                assert_true(set.player > 0);
            else
                assert_non_null(strstr(err.msg, "at character"));
            ipr_err_clear(&err);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_read_and_written),
        cmocka_unit_test(others_are_refused_at_their_place),
        cmocka_unit_test(any_text_is_read_or_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
