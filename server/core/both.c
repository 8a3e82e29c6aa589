#include "core/both.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

struct call {
    void (*f)(void *);
    void *a;
};

static void *both_thread(void *cls)
{
    const struct call *c = cls;

    c->f(c->a);
    return NULL;
}

void ipr_both(void (*f)(void *), void *a, void *b)
{
    struct call first = { f, a };
    pthread_t thread;
    const bool beside = pthread_create(&thread, NULL, both_thread, &first) == 0;

    if (!beside)
        f(a);
    f(b);
    if (beside)
        pthread_join(thread, NULL);
}
