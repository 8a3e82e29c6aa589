#include "base/mem.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_LEAST ((size_t)1024)
#define BLOCK_BYTES ((size_t)16 * 1024)

struct ipr_arena_block {
    struct ipr_arena_block *next;
    size_t size, used;
    alignas(max_align_t) unsigned char data[];
};

static size_t size_product(size_t n, size_t size)
{
    size_t total;

    if (__builtin_mul_overflow(n, size, &total))
        abort();
    return total;
}

static void *or_die(void *p)
{
    if (p == NULL) {
        fputs("out of memory\n", stderr);
        abort();
    }
    return p;
}

void *ipr_xmalloc(size_t size)
{
    return or_die(malloc(size ? size : 1));
}

void *ipr_xcalloc(size_t n, size_t size)
{
    if (n == 0 || size == 0)
        n = size = 1;
    return or_die(calloc(n, size));
}

void *ipr_xrealloc(void *p, size_t n, size_t size)
{
    const size_t total = size_product(n, size);

    return or_die(realloc(p, total ? total : 1));
}

char *ipr_xstrdup(const char *s)
{
    return or_die(strdup(s));
}

void *ipr_arena_alloc(struct ipr_arena *a, size_t n, size_t size)
{
    const size_t align = alignof(max_align_t);
    size_t total = size_product(n, size);

    if (total > SIZE_MAX / 2)
        abort();
    total = (total + align - 1) / align * align;
    if (a->head == NULL || a->head->size - a->head->used < total) {
        /* Each as large as all before: a small arena, of which there may be many, stays small. */
        size_t size_new = a->used < BLOCK_LEAST ? BLOCK_LEAST : a->used;
        size_new = size_new > BLOCK_BYTES ? BLOCK_BYTES : size_new;
        size_new = total > size_new ? total : size_new;
        struct ipr_arena_block *b = ipr_xmalloc(sizeof *b + size_new);

        b->size = size_new;
        b->used = 0;
        b->next = a->head;
        a->head = b;
    }
    void *p = a->head->data + a->head->used;
    a->head->used += total;
    a->used += total;
    return memset(p, 0, total);
}

char *ipr_arena_strndup(struct ipr_arena *a, const char *s, size_t n)
{
    char *copy = ipr_arena_alloc(a, n + 1, 1);

    if (n > 0)
        memcpy(copy, s, n);
    return copy;
}

char *ipr_arena_printf(struct ipr_arena *a, const char *fmt, ...)
{
    va_list ap, again;

    va_start(ap, fmt);
    va_copy(again, ap);
    const int n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    if (n < 0)
        abort();
    char *s = ipr_arena_alloc(a, (size_t)n + 1, 1);
    vsnprintf(s, (size_t)n + 1, fmt, again);
    va_end(again);
    return s;
}

void ipr_arena_release(struct ipr_arena *a)
{
    for (struct ipr_arena_block *b = a->head, *next; b != NULL; b = next) {
        next = b->next;
        free(b);
    }
    a->head = NULL;
    a->used = 0;
}
