#include "engine/handoff.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"

struct queue {
    struct ipr_assignment *first, **end;
};

struct ipr_handoff {
    atomic_bool closed;   /* set under the lock, read anywhere */
    pthread_mutex_t lock; /* guards all below; nothing waits while it is held */
    pthread_cond_t offered, news;
    struct queue ready, handed_in;
    unsigned n_ready, idle, near_end, present;
    bool stir; /* something the clerk is to look at */
};

static void queue_init(struct queue *q)
{
    q->first = NULL;
    q->end = &q->first;
}

static void queue_add(struct queue *q, struct ipr_assignment *a)
{
    a->next = NULL;
    *q->end = a;
    q->end = &a->next;
}

/* Takes out what *link points to. */
static struct ipr_assignment *queue_take(struct queue *q, struct ipr_assignment **link)
{
    struct ipr_assignment *a = *link;

    if (a == NULL)
        return NULL;
    *link = a->next;
    if (q->end == &a->next)
        q->end = link;
    a->next = NULL;
    return a;
}

struct ipr_handoff *ipr_handoff_new(void)
{
    struct ipr_handoff *d = ipr_xcalloc(1, sizeof *d);
    pthread_condattr_t attr;

    pthread_mutex_init(&d->lock, NULL);
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&d->offered, &attr);
    pthread_cond_init(&d->news, &attr);
    pthread_condattr_destroy(&attr);
    queue_init(&d->ready);
    queue_init(&d->handed_in);
    return d;
}

void ipr_handoff_free(struct ipr_handoff **d)
{
    if (*d == NULL)
        return;
    assert((*d)->ready.first == NULL && (*d)->handed_in.first == NULL);
    pthread_cond_destroy(&(*d)->offered);
    pthread_cond_destroy(&(*d)->news);
    pthread_mutex_destroy(&(*d)->lock);
    free(*d);
    *d = NULL;
}

/* With the lock held. */
static void tell_clerk(struct ipr_handoff *d)
{
    d->stir = true;
    pthread_cond_signal(&d->news);
}

void ipr_handoff_close(struct ipr_handoff *d)
{
    pthread_mutex_lock(&d->lock);
    atomic_store(&d->closed, true);
    pthread_cond_broadcast(&d->offered);
    tell_clerk(d);
    pthread_mutex_unlock(&d->lock);
}

bool ipr_handoff_closed(const struct ipr_handoff *d)
{
    return atomic_load(&d->closed);
}

int64_t ipr_handoff_clock(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

void ipr_handoff_offer(struct ipr_handoff *d, struct ipr_assignment *a)
{
    a->state = IPR_ASSIGNMENT_READY;
    pthread_mutex_lock(&d->lock);
    queue_add(&d->ready, a);
    d->n_ready++;
    pthread_cond_signal(&d->offered);
    pthread_mutex_unlock(&d->lock);
}

struct ipr_assignment *ipr_handoff_collect(struct ipr_handoff *d)
{
    pthread_mutex_lock(&d->lock);
    struct ipr_assignment *a = queue_take(&d->handed_in, &d->handed_in.first);
    pthread_mutex_unlock(&d->lock);
    return a;
}

struct ipr_assignment *ipr_handoff_withdraw(struct ipr_handoff *d)
{
    pthread_mutex_lock(&d->lock);
    struct ipr_assignment *a = queue_take(&d->ready, &d->ready.first);
    d->n_ready -= a != NULL;
    pthread_mutex_unlock(&d->lock);
    return a;
}

unsigned ipr_handoff_wanted(struct ipr_handoff *d)
{
    pthread_mutex_lock(&d->lock);
    const unsigned soon = d->idle + d->near_end;
    const unsigned wanted = soon > d->n_ready ? soon - d->n_ready : 0;
    pthread_mutex_unlock(&d->lock);
    return wanted;
}

void ipr_handoff_wait(struct ipr_handoff *d, int64_t until)
{
    const struct timespec t = { .tv_sec = until / 1000, .tv_nsec = until % 1000 * 1000000 };

    pthread_mutex_lock(&d->lock);
    while (!d->stir && pthread_cond_timedwait(&d->news, &d->lock, &t) == 0)
        continue;
    d->stir = false;
    pthread_mutex_unlock(&d->lock);
}

unsigned ipr_handoff_present(struct ipr_handoff *d)
{
    pthread_mutex_lock(&d->lock);
    const unsigned present = d->present;
    pthread_mutex_unlock(&d->lock);
    return present;
}

/* Another engine, or another judge, costs a start: a game for the one at hand comes first. The
 * queue holds no more games than there are workers. */
static struct ipr_assignment **queue_choose(struct queue *q, const struct ipr_judge *at_hand)
{
    if (at_hand != NULL)
        for (struct ipr_assignment **a = &q->first; *a != NULL; a = &(*a)->next)
            if (strcmp((*a)->definition.name, at_hand->name) == 0 &&
                ipr_judge_same_search(&(*a)->definition, at_hand))
                return a;
    return &q->first;
}

struct ipr_assignment *ipr_handoff_take(struct ipr_handoff *d, const struct ipr_judge *at_hand)
{
    struct ipr_assignment *a = NULL;

    pthread_mutex_lock(&d->lock);
    d->idle++;
    if (d->ready.first == NULL)
        tell_clerk(d);
    while (d->ready.first == NULL && !ipr_handoff_closed(d))
        pthread_cond_wait(&d->offered, &d->lock);
    if (!ipr_handoff_closed(d)) {
        a = queue_take(&d->ready, queue_choose(&d->ready, at_hand));
        d->n_ready--;
    }
    d->idle--;
    pthread_mutex_unlock(&d->lock);
    if (a != NULL)
        a->state = IPR_ASSIGNMENT_RUNNING;
    return a;
}

void ipr_handoff_near_end(struct ipr_handoff *d, struct ipr_assignment *a)
{
    if (atomic_exchange(&a->near_end, true))
        return;
    pthread_mutex_lock(&d->lock);
    d->near_end++;
    tell_clerk(d);
    pthread_mutex_unlock(&d->lock);
}

void ipr_handoff_hand_in(struct ipr_handoff *d, struct ipr_assignment *a)
{
    assert(a->state != IPR_ASSIGNMENT_READY && a->state != IPR_ASSIGNMENT_RUNNING);
    pthread_mutex_lock(&d->lock);
    d->near_end -= atomic_exchange(&a->near_end, false);
    queue_add(&d->handed_in, a);
    tell_clerk(d);
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
    tell_clerk(d);
    pthread_mutex_unlock(&d->lock);
}
