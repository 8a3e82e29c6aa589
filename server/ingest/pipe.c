#include "ingest/pipe.h"

#include <pthread.h>
#include <stdlib.h>

#define BATCHES 3 /* one being filled, one being stored, one between */

struct ipr_pipe {
    pthread_mutex_t mutex; /* protects all members below */
    pthread_cond_t changed;
    struct ipr_batch *blank[BATCHES], *full[BATCHES]; /* full batches in order of sending */
    size_t n_blank, n_full;
    bool closed, given_up;
};

struct ipr_pipe *ipr_pipe_new(void)
{
    struct ipr_pipe *p = ipr_xcalloc(1, sizeof *p);

    pthread_mutex_init(&p->mutex, NULL);
    pthread_cond_init(&p->changed, NULL);
    for (; p->n_blank < BATCHES; p->n_blank++)
        p->blank[p->n_blank] = ipr_xcalloc(1, sizeof **p->blank);
    return p;
}

static void free_all(struct ipr_batch **list, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        ipr_batch_reset(list[i]);
        free(list[i]);
    }
}

void ipr_pipe_free(struct ipr_pipe **pipe)
{
    struct ipr_pipe *p = *pipe;

    if (p == NULL)
        return;
    free_all(p->blank, p->n_blank);
    free_all(p->full, p->n_full);
    pthread_cond_destroy(&p->changed);
    pthread_mutex_destroy(&p->mutex);
    free(p);
    *pipe = NULL;
}

struct ipr_batch *ipr_pipe_blank(struct ipr_pipe *p)
{
    struct ipr_batch *b = NULL;

    pthread_mutex_lock(&p->mutex);
    while (p->n_blank == 0 && !p->given_up)
        pthread_cond_wait(&p->changed, &p->mutex);
    if (!p->given_up)
        b = p->blank[--p->n_blank];
    pthread_mutex_unlock(&p->mutex);
    return b;
}

void ipr_pipe_send(struct ipr_pipe *p, struct ipr_batch *b)
{
    pthread_mutex_lock(&p->mutex);
    p->full[p->n_full++] = b;
    pthread_cond_signal(&p->changed);
    pthread_mutex_unlock(&p->mutex);
}

void ipr_pipe_close(struct ipr_pipe *p)
{
    pthread_mutex_lock(&p->mutex);
    p->closed = true;
    pthread_cond_signal(&p->changed);
    pthread_mutex_unlock(&p->mutex);
}

struct ipr_batch *ipr_pipe_receive(struct ipr_pipe *p)
{
    struct ipr_batch *b = NULL;

    pthread_mutex_lock(&p->mutex);
    while (p->n_full == 0 && !p->closed)
        pthread_cond_wait(&p->changed, &p->mutex);
    if (p->n_full > 0) {
        b = p->full[0];
        p->n_full--;
        for (size_t i = 0; i < p->n_full; i++)
            p->full[i] = p->full[i + 1];
    }
    pthread_mutex_unlock(&p->mutex);
    return b;
}

void ipr_pipe_return(struct ipr_pipe *p, struct ipr_batch *b)
{
    ipr_batch_reset(b);
    pthread_mutex_lock(&p->mutex);
    p->blank[p->n_blank++] = b;
    pthread_cond_signal(&p->changed);
    pthread_mutex_unlock(&p->mutex);
}

void ipr_pipe_give_up(struct ipr_pipe *p)
{
    pthread_mutex_lock(&p->mutex);
    p->given_up = true;
    pthread_cond_signal(&p->changed);
    pthread_mutex_unlock(&p->mutex);
}
