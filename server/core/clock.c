#include "core/clock.h"

int64_t ipr_now_us(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

int64_t ipr_now_ms(void)
{
    return ipr_now_us() / 1000;
}

struct timespec ipr_clock_time(int64_t us)
{
    return (struct timespec){ .tv_sec = us / 1000000, .tv_nsec = us % 1000000 * 1000 };
}

void ipr_clock_cond_init(pthread_cond_t *cond)
{
    pthread_condattr_t attr;

    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(cond, &attr);
    pthread_condattr_destroy(&attr);
}

void ipr_clock_await_none(pthread_mutex_t *lock, pthread_cond_t *cond, const unsigned *n,
                          int64_t seconds)
{
    const struct timespec until = ipr_clock_time(ipr_now_us() + seconds * 1000000);
    int rc = 0;

    pthread_mutex_lock(lock);
    while (*n > 0 && rc == 0)
        rc = pthread_cond_timedwait(cond, lock, &until);
    pthread_mutex_unlock(lock);
}
