#include "db/events.h"

#include "ipr_db_test.h"
#include "ipr_test.h"

static const struct ipr_db_event asked[] = {
    { "Linares", 1993 }, { "", 0 },           { "Linares", 1994 }, { "Hastings", 1993 },
    { "", 1993 },        { "Linares", 1993 }, { "linares", 1993 }, { "Wijk \"aan\" {Zee}, \\", 0 },
};
enum { ASKED = sizeof asked / sizeof *asked };

struct call {
    const struct ipr_db_event *events;
    size_t n;
    int32_t ids[ASKED];
};

static enum ipr_code ask(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    struct call *c = arg;

    return ipr_db_events(db, c->events, c->n, c->ids, err);
}

/* Doubles are one event, and some being there changes nothing for the others. */
static void test_ids(void **state)
{
    struct ipr_db_fixture *f = *state;
    struct call some = { asked + 2, 2, { 0 } }, all = { asked, ASKED, { 0 } }, again = all;
    struct call none = { asked, 0, { 0 } };

    assert_ok(ipr_db_tx(f->db, ask, &some, &f->err), &f->err);
    assert_ok(ipr_db_tx(f->db, ask, &all, &f->err), &f->err);
    assert_ok(ipr_db_tx(f->db, ask, &again, &f->err), &f->err);
    assert_ok(ipr_db_tx(f->db, ask, &none, &f->err), &f->err);
    assert_memory_equal(all.ids, again.ids, sizeof all.ids);
    assert_memory_equal(all.ids + 2, some.ids, 2 * sizeof *all.ids);
    assert_int_equal(all.ids[1], IPR_EVENT_NONE);
    assert_int_equal(ipr_db_test_int("SELECT count(*) FROM event"), 6);
    for (size_t i = 0; i < ASKED; i++)
        for (size_t k = 0; k < i; k++) {
            const bool same = (i == 4 && k == 1) || (i == 5 && k == 0);

            assert_int_equal(all.ids[i] == all.ids[k], same);
        }
    for (size_t i = 0; i < ASKED; i++) {
        const char *name = ipr_db_test_sql(
            ipr_arena_printf(&f->mem, "SELECT name FROM event WHERE id = %d", all.ids[i]));

        assert_string_equal(name, asked[i].name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_DB(test_ids),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
