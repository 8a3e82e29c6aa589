#ifndef IPR_BASE_MEM_H
#define IPR_BASE_MEM_H

#include <stddef.h>

/**
 * Allocation that aborts when memory is exhausted, so that callers need not handle it. Check a size
 * from untrusted input against a limit before; n * size is checked for overflow.
 */
void *ipr_xmalloc(size_t size);
void *ipr_xcalloc(size_t n, size_t size);
void *ipr_xrealloc(void *p, size_t n, size_t size);
char *ipr_xstrdup(const char *s);

struct ipr_arena_block;

/** Many small allocations freed together: one arena per request, per parsed game, per job. */
struct ipr_arena {
    struct ipr_arena_block *head;
    size_t used; /* bytes handed out since the last release */
};

#define IPR_ARENA_INIT                                                                             \
    {                                                                                              \
        NULL, 0                                                                                    \
    }

/** Zeroed memory aligned for any type, valid until release. Never NULL. */
void *ipr_arena_alloc(struct ipr_arena *a, size_t n, size_t size);
char *ipr_arena_strndup(struct ipr_arena *a, const char *s, size_t n);
char *ipr_arena_printf(struct ipr_arena *a, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
void ipr_arena_release(struct ipr_arena *a);

#endif
