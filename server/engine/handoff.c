#include "engine/handoff.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

TAILQ_HEAD(queue, ipr_assignment);

struct ipr_handoff {
    atomic_bool closed;   /* set under the lock, read anywhere */
    pthread_mutex_t lock; /* protects all members below; held only briefly */
    pthread_cond_t ready_cond, wake_cond;
    struct queue ready, returned;
    struct queue confirming; /* RUNNING, with a worker that is to be asked to yield */
    unsigned n_ready, idle, nearly_done, present;
    bool awake; /* the store thread has something to do */
};

/* NULL: none. */
static struct ipr_assignment *queue_take(struct queue *q, struct ipr_assignment *a)
{
    if (a != NULL)
        TAILQ_REMOVE(q, a, queued);
    return a;
}

struct ipr_handoff *ipr_handoff_new(void)
{
    struct ipr_handoff *d = ipr_xcalloc(1, sizeof *d);

    pthread_mutex_init(&d->lock, NULL);
    ipr_clock_cond_init(&d->ready_cond);
    ipr_clock_cond_init(&d->wake_cond);
    TAILQ_INIT(&d->ready);
    TAILQ_INIT(&d->returned);
    TAILQ_INIT(&d->confirming);
    return d;
}

void ipr_handoff_free(struct ipr_handoff **d)
{
    if (*d == NULL)
        return;
    assert(TAILQ_EMPTY(&(*d)->ready) && TAILQ_EMPTY(&(*d)->returned) &&
           TAILQ_EMPTY(&(*d)->confirming));
    pthread_cond_destroy(&(*d)->ready_cond);
    pthread_cond_destroy(&(*d)->wake_cond);
    pthread_mutex_destroy(&(*d)->lock);
    free(*d);
    *d = NULL;
}

/* The caller holds the lock. */
static void wake_store_thread(struct ipr_handoff *d)
{
    d->awake = true;
    pthread_cond_signal(&d->wake_cond);
}

void ipr_handoff_close(struct ipr_handoff *d)
{
    pthread_mutex_lock(&d->lock);
    atomic_store(&d->closed, true);
    pthread_cond_broadcast(&d->ready_cond);
    wake_store_thread(d);
    pthread_mutex_unlock(&d->lock);
}

bool ipr_handoff_closed(const struct ipr_handoff *d)
{
    return atomic_load(&d->closed);
}

void ipr_handoff_put(struct ipr_handoff *d, struct ipr_assignment *a)
{
    a->state = IPR_ASSIGNMENT_READY;
    pthread_mutex_lock(&d->lock);
    TAILQ_INSERT_TAIL(&d->ready, a, queued);
    d->n_ready++;
    pthread_cond_signal(&d->ready_cond);
    pthread_mutex_unlock(&d->lock);
}

struct ipr_assignment *ipr_handoff_collect(struct ipr_handoff *d)
{
    pthread_mutex_lock(&d->lock);
    struct ipr_assignment *a = queue_take(&d->returned, TAILQ_FIRST(&d->returned));
    pthread_mutex_unlock(&d->lock);
    return a;
}

struct ipr_assignment *ipr_handoff_withdraw(struct ipr_handoff *d)
{
    pthread_mutex_lock(&d->lock);
    struct ipr_assignment *a = queue_take(&d->ready, TAILQ_FIRST(&d->ready));
    d->n_ready -= a != NULL;
    pthread_mutex_unlock(&d->lock);
    return a;
}

unsigned ipr_handoff_wanted(struct ipr_handoff *d)
{
    pthread_mutex_lock(&d->lock);
    const unsigned soon = d->idle + d->nearly_done;
    const unsigned wanted = soon > d->n_ready ? soon - d->n_ready : 0;
    pthread_mutex_unlock(&d->lock);
    return wanted;
}

unsigned ipr_handoff_idling(struct ipr_handoff *d)
{
    const struct ipr_assignment *a;
    unsigned n = 0;

    pthread_mutex_lock(&d->lock);
    TAILQ_FOREACH(a, &d->confirming, queued)
        n += !atomic_load(&a->yields);
    pthread_mutex_unlock(&d->lock);
    return n;
}

void ipr_handoff_interrupt(struct ipr_handoff *d)
{
    struct ipr_assignment *a;

    pthread_mutex_lock(&d->lock);
    TAILQ_FOREACH(a, &d->confirming, queued)
        if (!atomic_exchange(&a->yields, true))
            break;
    pthread_mutex_unlock(&d->lock);
}

void ipr_handoff_wait(struct ipr_handoff *d, int64_t until)
{
    const struct timespec t = ipr_clock_time(until * 1000);

    pthread_mutex_lock(&d->lock);
    while (!d->awake && pthread_cond_timedwait(&d->wake_cond, &d->lock, &t) == 0)
        continue;
    d->awake = false;
    pthread_mutex_unlock(&d->lock);
}

unsigned ipr_handoff_present(struct ipr_handoff *d)
{
    pthread_mutex_lock(&d->lock);
    const unsigned present = d->present;
    pthread_mutex_unlock(&d->lock);
    return present;
}

/* Starting another engine or judge takes time, so a game for the engine at hand comes first. The
 * queue holds few more games than there are workers. */
static struct ipr_assignment *queue_choose(struct queue *q, const struct ipr_judge *at_hand)
{
    struct ipr_assignment *a, *first = NULL;

    TAILQ_FOREACH(a, q, queued) {
        if (a->confirm == NULL && at_hand != NULL &&
            strcmp(a->definition.name, at_hand->name) == 0 &&
            ipr_judge_same_search(&a->definition, at_hand))
            return a;
        if (first == NULL || (first->confirm != NULL && a->confirm == NULL))
            first = a;
    }
    return first;
}

struct ipr_assignment *ipr_handoff_take(struct ipr_handoff *d, const struct ipr_judge *at_hand)
{
    struct ipr_assignment *a = NULL;

    pthread_mutex_lock(&d->lock);
    d->idle++;
    if (TAILQ_EMPTY(&d->ready))
        wake_store_thread(d);
    while (TAILQ_EMPTY(&d->ready) && !ipr_handoff_closed(d))
        pthread_cond_wait(&d->ready_cond, &d->lock);
    if (!ipr_handoff_closed(d))
        a = queue_take(&d->ready, queue_choose(&d->ready, at_hand));
    if (a != NULL) {
        d->n_ready--;
        if (a->confirm != NULL)
            TAILQ_INSERT_TAIL(&d->confirming, a, queued);
    }
    d->idle--;
    pthread_mutex_unlock(&d->lock);
    if (a != NULL)
        a->state = IPR_ASSIGNMENT_RUNNING;
    return a;
}

void ipr_handoff_prefetch(struct ipr_handoff *d, struct ipr_assignment *a)
{
    if (atomic_exchange(&a->nearly_done, true))
        return;
    pthread_mutex_lock(&d->lock);
    d->nearly_done++;
    wake_store_thread(d);
    pthread_mutex_unlock(&d->lock);
}

void ipr_handoff_return(struct ipr_handoff *d, struct ipr_assignment *a)
{
    assert(a->state != IPR_ASSIGNMENT_READY && a->state != IPR_ASSIGNMENT_RUNNING);
    pthread_mutex_lock(&d->lock);
    d->nearly_done -= atomic_exchange(&a->nearly_done, false);
    if (a->confirm != NULL)
        TAILQ_REMOVE(&d->confirming, a, queued);
    TAILQ_INSERT_TAIL(&d->returned, a, queued);
    wake_store_thread(d);
    pthread_mutex_unlock(&d->lock);
}

void ipr_handoff_enter(struct ipr_handoff *d)
{
    pthread_mutex_lock(&d->lock);
    d->present++;
    pthread_mutex_unlock(&d->lock);
}

void ipr_handoff_leave(struct ipr_handoff *d)
{
    pthread_mutex_lock(&d->lock);
    d->present--;
    wake_store_thread(d);
    pthread_mutex_unlock(&d->lock);
}
