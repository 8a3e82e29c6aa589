#ifndef IPR_CORE_CLOCK_H
#define IPR_CORE_CLOCK_H

#include <pthread.h>
#include <stdint.h>
#include <time.h>

/** The monotonic clock. */
int64_t ipr_now_us(void);
int64_t ipr_now_ms(void);

/** A time of it, for pthread_cond_timedwait on a condition that was initialised here. */
struct timespec ipr_clock_time(int64_t us);
void ipr_clock_cond_init(pthread_cond_t *cond);

/** Waits until *n is 0, at most `seconds`. `lock` protects *n; `cond` is signalled when it changes.
 */
void ipr_clock_await_none(pthread_mutex_t *lock, pthread_cond_t *cond, const unsigned *n,
                          int64_t seconds);

#endif
