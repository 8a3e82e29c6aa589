// The hand-off queue: who gets which game when, and that nothing is lost between threads.
#include "ipr_test.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "engine/handoff.h"

static struct ipr_assignment *game(int64_t id, const char *judge)
{
    const struct ipr_db_job job = { .id = id, .game_id = id };
    struct ipr_assignment *a = ipr_assignment_new(&job);

    assert_true(ipr_judge_builtin(judge, &a->definition));
    return a;
}

static void offer(struct ipr_handoff *d, int64_t id, const char *judge)
{
    ipr_handoff_put(d, game(id, judge));
}

/* Takes, and says which it was. */
static struct ipr_assignment *take(struct ipr_handoff *d, const char *at_hand, int64_t expected)
{
    struct ipr_judge judge;

    assert_true(at_hand == NULL || ipr_judge_builtin(at_hand, &judge));
    struct ipr_assignment *a = ipr_handoff_take(d, at_hand != NULL ? &judge : NULL);
    assert_non_null(a);
    assert_int_equal(a->job.id, expected);
    assert_int_equal(a->state, IPR_ASSIGNMENT_RUNNING);
    return a;
}

static void hand_in(struct ipr_handoff *d, struct ipr_assignment *a)
{
    a->state = IPR_ASSIGNMENT_JUDGED;
    ipr_handoff_return(d, a);
    struct ipr_assignment *back = ipr_handoff_collect(d);
    assert_ptr_equal(back, a);
    ipr_assignment_free(&back);
}

/* The hand-off only asks whether it is one. */
static struct ipr_assignment *confirmation(int64_t id)
{
    struct ipr_assignment *a = game(id, "confirm");

    a->confirm = (struct ipr_confirm *)a;
    return a;
}

/* Confirmations come after all games, and are abandoned for them, each once. */
static void test_confirmations_are_idle(void **state)
{
    struct ipr_handoff *d = ipr_handoff_new();

    (void)state;
    ipr_handoff_put(d, confirmation(1));
    ipr_handoff_put(d, confirmation(2));
    offer(d, 3, "quick");
    hand_in(d, take(d, "confirm", 3));
    struct ipr_assignment *a = take(d, "confirm", 1), *b = take(d, "confirm", 2);
    assert_int_equal(ipr_handoff_idling(d), 2);
    ipr_handoff_interrupt(d);
    assert_int_equal(ipr_handoff_idling(d), 1);
    assert_int_equal(atomic_load(&a->yields) + atomic_load(&b->yields), 1);
    ipr_handoff_interrupt(d);
    assert_int_equal(ipr_handoff_idling(d), 0);
    ipr_handoff_interrupt(d); /* nobody is left to be asked */
    hand_in(d, b);
    hand_in(d, a);
    assert_int_equal(ipr_handoff_idling(d), 0);
    ipr_handoff_free(&d);
}

static void test_order(void **state)
{
    struct ipr_handoff *d = ipr_handoff_new();

    (void)state;
    offer(d, 1, "standard");
    offer(d, 2, "quick");
    offer(d, 3, "quick");
    hand_in(d, take(d, "quick", 2)); /* no other engine needs to be started */
    hand_in(d, take(d, "deep", 1));  /* none fits: the first */
    hand_in(d, take(d, NULL, 3));
    offer(d, 4, "standard"); /* the queue's end was taken out: it still works */
    offer(d, 5, "quick");
    hand_in(d, take(d, "quick", 5));
    offer(d, 6, "deep");
    hand_in(d, take(d, NULL, 4));
    hand_in(d, take(d, NULL, 6));
    assert_null(ipr_handoff_collect(d));
    ipr_handoff_free(&d);
    assert_null(d);
}

static void test_wanted_near_the_end(void **state)
{
    struct ipr_handoff *d = ipr_handoff_new();

    (void)state;
    offer(d, 1, "quick");
    struct ipr_assignment *a = take(d, NULL, 1);
    assert_int_equal(ipr_handoff_wanted(d),
                     0); /* it has just begun: the next one may go elsewhere */
    ipr_handoff_prefetch(d, a);
    ipr_handoff_prefetch(d, a); /* said twice, meant once */
    assert_int_equal(ipr_handoff_wanted(d), 1);
    offer(d, 2, "quick");
    assert_int_equal(ipr_handoff_wanted(d), 0);
    hand_in(d, a);
    hand_in(d, take(d, NULL, 2));
    assert_int_equal(ipr_handoff_wanted(d), 0);
    ipr_handoff_free(&d);
}

static void test_closed(void **state)
{
    struct ipr_handoff *d = ipr_handoff_new();

    (void)state;
    offer(d, 1, "quick");
    offer(d, 2, "quick");
    struct ipr_assignment *a = take(d, NULL, 1);
    ipr_handoff_close(d);
    assert_true(ipr_handoff_closed(d));
    assert_null(ipr_handoff_take(d, NULL)); /* though one is there */
    hand_in(d, a);
    a = ipr_handoff_withdraw(d);
    assert_int_equal(a->job.id, 2);
    ipr_assignment_free(&a);
    assert_null(ipr_handoff_withdraw(d));
    ipr_handoff_free(&d);
}

/* ---- one store thread and many workers ---- */

enum { WORKERS = 6, GAMES = 3000 };

static struct {
    struct ipr_handoff *handoff;
    atomic_int times[GAMES]; /* each game was worked at */
} crowd;

static void *work(void *arg)
{
    struct ipr_assignment *a;

    (void)arg;
    while ((a = ipr_handoff_take(crowd.handoff, NULL)) != NULL) {
        ipr_handoff_prefetch(crowd.handoff, a);
        atomic_fetch_add(&crowd.times[a->job.id], 1);
        a->state = IPR_ASSIGNMENT_JUDGED;
        ipr_handoff_return(crowd.handoff, a);
    }
    ipr_handoff_leave(crowd.handoff);
    return NULL;
}

static void test_crowd(void **state)
{
    pthread_t threads[WORKERS];
    int ready_cond = 0, collected = 0;

    (void)state;
    crowd.handoff = ipr_handoff_new();
    for (int i = 0; i < WORKERS; i++) {
        ipr_handoff_enter(crowd.handoff);
        assert_int_equal(pthread_create(&threads[i], NULL, work, NULL), 0);
    }
    while (collected < GAMES) {
        struct ipr_assignment *a;

        while ((a = ipr_handoff_collect(crowd.handoff)) != NULL) {
            ipr_assignment_free(&a);
            collected++;
        }
        for (unsigned n = ipr_handoff_wanted(crowd.handoff); n > 0 && ready_cond < GAMES; n--)
            offer(crowd.handoff, ready_cond++, "quick");
        assert_true(ready_cond - collected <= 3 * WORKERS);
        if (collected < GAMES) /* woken by what workers do, long before the time is over */
            ipr_handoff_wait(crowd.handoff, ipr_now_ms() + 60000);
    }
    assert_int_equal(ipr_handoff_present(crowd.handoff), WORKERS);
    ipr_handoff_close(crowd.handoff);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(ipr_handoff_present(crowd.handoff), 0);
    for (int i = 0; i < GAMES; i++)
        assert_int_equal(atomic_load(&crowd.times[i]), 1);
    ipr_handoff_free(&crowd.handoff);
}

/* ---- assignments ---- */

static void test_reason(void **state)
{
    struct ipr_assignment *a = game(1, "quick");
    struct ipr_pos pos;
    char reason[IPR_REASON_MAX];

    (void)state;
    ipr_pos_start(&a->game.start);
    pos = a->game.start;
    ipr_move *played = ipr_arena_alloc(&a->mem, 2, sizeof *played);
    a->game.moves = played;
    a->game.n_moves = 2;
    static const char *const moves[] = { "e2e4", "e7e5" };
    for (int i = 0; i < 2; i++) {
        assert_int_equal(ipr_move_from_uci(&pos, ipr_str_c(moves[i]), &played[i], NULL), IPR_OK);
        ipr_pos_play(&pos, played[i]);
    }
    ipr_err_at(&a->why, IPR_EIO, "engine_died", 0, 0, 1, "signal 11");
    ipr_assignment_reason(a, reason);
    assert_string_equal(
        reason, "at ply 1 (rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1): signal 11");
    a->why.ply = -1;
    ipr_assignment_reason(a, reason);
    assert_string_equal(reason, "signal 11");
    a->why.ply = 3; /* beyond the game: nothing is played that is not there */
    ipr_assignment_reason(a, reason);
    assert_string_equal(reason, "signal 11");
    ipr_assignment_free(&a);
    assert_null(a);
}

static void test_same_judge(void **state)
{
    struct ipr_judge a, b;

    (void)state;
    assert_true(ipr_judge_builtin("quick", &a));
    b = a;
    assert_true(ipr_assignment_same_judge(&a, &b));
    strcpy(b.engine, "Stockfish 16");
    assert_false(ipr_assignment_same_judge(&a, &b));
    b = a;
    strcpy(b.options, "OwnBook=false");
    assert_false(ipr_assignment_same_judge(&a, &b));
    b = a;
    b.hash_mb++;
    assert_false(ipr_assignment_same_judge(&a, &b));
    b = a;
    b.apart = IPR_APART_AFTER;
    assert_false(ipr_assignment_same_judge(&a, &b));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_confirmations_are_idle),
        cmocka_unit_test(test_wanted_near_the_end),
        cmocka_unit_test(test_closed),
        cmocka_unit_test(test_crowd),
        cmocka_unit_test(test_reason),
        cmocka_unit_test(test_same_judge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
