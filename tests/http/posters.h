#ifndef IPR_TEST_HTTP_POSTERS_H
#define IPR_TEST_HTTP_POSTERS_H

/* Clients that upload at the same moment, each on a thread of its own. */

#include <pthread.h>
#include <stdbool.h>

#include "client.h"

#define POSTERS_MAX 80

struct poster {
    pthread_t thread;
    bool joined;
    const char *page; /* to ask for; NULL: an upload */
    int from;         /* 127.0.0.from; 0: .1 */
    const char *to;   /* where to upload; NULL: games */
    char body[256];
    struct reply reply;
    CURLcode rc;
};

static struct {
    pthread_mutex_t lock; /* guards `answered` */
    pthread_cond_t changed;
    int answered; /* of all posters since posters_reset, with whatever answer */
} posters = { .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER };

static inline void posters_reset(void)
{
    pthread_mutex_lock(&posters.lock);
    posters.answered = 0;
    pthread_mutex_unlock(&posters.lock);
}

static inline int posters_answered(void)
{
    pthread_mutex_lock(&posters.lock);
    const int n = posters.answered;
    pthread_mutex_unlock(&posters.lock);
    return n;
}

static inline void posters_await(int answered)
{
    pthread_mutex_lock(&posters.lock);
    while (posters.answered < answered)
        pthread_cond_wait(&posters.changed, &posters.lock);
    pthread_mutex_unlock(&posters.lock);
}

static void *poster_main(void *cls)
{
    struct poster *p = cls;
    struct curl_slist *list;
    const bool games = p->page == NULL && p->to == NULL;
    const char *path = p->page != NULL ? p->page : games ? "/api/v1/uploads" : p->to;
    CURL *c =
        client_handle(p->page == NULL ? "POST" : "GET", path,
                      games ? "Content-Type: application/x-chess-pgn" : NULL, &p->reply, &list);

    char from[24];

    snprintf(from, sizeof from, "host!127.0.0.%d", p->from > 0 ? p->from : 1);
    curl_easy_setopt(c, CURLOPT_INTERFACE, from);
    if (p->page == NULL)
        curl_easy_setopt(c, CURLOPT_POSTFIELDS, p->body);
    curl_easy_setopt(c, CURLOPT_TIMEOUT, 0L); /* it is the test that makes it wait */
    curl_easy_setopt(c, CURLOPT_NOSIGNAL, 1L);
    p->rc = client_perform(c, list, &p->reply);
    pthread_mutex_lock(&posters.lock);
    posters.answered++;
    pthread_cond_broadcast(&posters.changed);
    pthread_mutex_unlock(&posters.lock);
    return NULL;
}

/* Sends p->body. */
static void poster_start(struct poster *p)
{
    assert_int_equal(pthread_create(&p->thread, NULL, poster_main, p), 0);
}

static void poster_join(struct poster *p)
{
    if (!p->joined)
        pthread_join(p->thread, NULL);
    p->joined = true;
    assert_int_equal(p->rc, CURLE_OK);
}

/* These two release the reply. */
static inline void expect_accepted(struct poster *p)
{
    poster_join(p);
    expect_status(&p->reply, 202, "upload");
    reply_release(&p->reply);
}

static inline void expect_refused(struct poster *p, const char *type)
{
    poster_join(p);
    assert_string_equal(header(&p->reply, "Retry-After"), "5");
    expect_problem(&p->reply, 503, type, "upload");
}

#endif
