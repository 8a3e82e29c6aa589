/* What the log says of something that fails for long: its beginning, a line a minute, its end. */
#include "core/outage.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "ipr_test.h"

/* The log goes to stderr, which is a file meanwhile. */
struct capture {
    FILE *file;
    int stderr_fd;
    char text[4096];
};

static void begin(struct capture *c)
{
    fflush(stderr);
    c->file = tmpfile();
    assert_non_null(c->file);
    c->stderr_fd = dup(STDERR_FILENO);
    dup2(fileno(c->file), STDERR_FILENO);
}

/* The lines, and how many. */
static unsigned end(struct capture *c)
{
    unsigned lines = 0;

    fflush(stderr);
    dup2(c->stderr_fd, STDERR_FILENO);
    close(c->stderr_fd);
    rewind(c->file);
    const size_t n = fread(c->text, 1, sizeof c->text - 1, c->file);
    c->text[n] = '\0';
    fclose(c->file);
    for (const char *p = c->text; (p = strchr(p, '\n')) != NULL; p++)
        lines++;
    return lines;
}

#define OUTAGE                                                                                     \
    {                                                                                              \
        .begins = "away", .ends = "back"                                                           \
    }

static void test_all_is_well(void **state)
{
    struct ipr_outage o = OUTAGE;
    struct capture c;

    (void)state;
    begin(&c);
    for (int64_t now = 0; now < 100000; now += 1000)
        ipr_outage_worked(&o, now);
    assert_int_equal(end(&c), 0);
}

static void test_long(void **state)
{
    struct ipr_outage o = OUTAGE;
    struct capture c;
    int64_t now = 5000;

    (void)state;
    begin(&c);
    for (; now <= 5000 + 150000; now += 1500)
        ipr_outage_failed(&o, "heartbeat", "a \"reason\"", now);
    assert_int_equal(end(&c), 3);
    assert_non_null(strstr(c.text, "event=away what=heartbeat msg=\"a 'reason'\"\n"));
    assert_non_null(strstr(c.text, "failures=40 seconds=60 msg="));
    assert_non_null(strstr(c.text, "failures=40 seconds=120 msg="));

    begin(&c);
    ipr_outage_worked(&o, now); /* 1.5 s after the last: it may be one of several */
    ipr_outage_worked(&o, now + 3000);
    ipr_outage_worked(&o, now + 6000);
    assert_int_equal(end(&c), 1);
    assert_non_null(strstr(c.text, "level=info event=back failures=101 seconds=150\n"));
}

/* Some things fail while others work: that is one outage. */
static void test_now_and_then(void **state)
{
    struct ipr_outage o = OUTAGE;
    struct capture c;

    (void)state;
    begin(&c);
    for (int64_t now = 0; now < 60000; now += 1000) {
        ipr_outage_failed(&o, "claim", "locked", now);
        ipr_outage_worked(&o, now + 500);
    }
    assert_int_equal(end(&c), 1);
}

static void test_again(void **state)
{
    struct ipr_outage o = OUTAGE;
    struct capture c;

    (void)state;
    begin(&c);
    ipr_outage_failed(&o, "claim", "locked", 0);
    ipr_outage_worked(&o, 5000);
    ipr_outage_failed(&o, "claim", "locked", 10000); /* a new outage is logged at once */
    ipr_outage_worked(&o, 15000);
    assert_int_equal(end(&c), 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_all_is_well),
                                        cmocka_unit_test(test_long),
                                        cmocka_unit_test(test_now_and_then),
                                        cmocka_unit_test(test_again) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
