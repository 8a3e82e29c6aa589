#include "ingest/lines.h"

#include <string.h>

void ipr_lines_init(struct ipr_lines *l, size_t max_line, ipr_line_fn fn, void *payload)
{
    *l = (struct ipr_lines){
        .buf = { .cap = max_line }, .line_no = 1, .fn = fn, .payload = payload
    };
}

/* Truncates at the limit and marks the buffer. */
static void line_append(struct ipr_buf *buf, const char *p, size_t n)
{
    const size_t room = buf->cap - buf->n;

    ipr_buf_add(buf, p, n < room ? n : room);
    if (n > room)
        buf->over = true;
}

static enum ipr_code end_line(struct ipr_lines *l, struct ipr_err *err)
{
    static const char mark[] = "\xef\xbb\xbf";
    struct ipr_str line = { ipr_buf_c(&l->buf), l->buf.n };
    enum ipr_code rc = IPR_OK;

    if (l->line_no == 1 && line.n >= 3 && memcmp(line.p, mark, 3) == 0)
        line = (struct ipr_str){ line.p + 3, line.n - 3 };
    line = ipr_str_trim(line);
    if (line.n > 0)
        rc = l->fn(l->payload, line, l->line_no, l->buf.over, err);
    ipr_buf_reset(&l->buf);
    l->line_no++;
    return rc;
}

enum ipr_code ipr_lines_feed(struct ipr_lines *l, const void *bytes, size_t n, struct ipr_err *err)
{
    const char *p = bytes, *end = p + n;

    while (p < end) {
        const char *stop = memchr(p, '\n', (size_t)(end - p));

        line_append(&l->buf, p, (size_t)((stop != NULL ? stop : end) - p));
        if (stop == NULL)
            break;
        const enum ipr_code rc = end_line(l, err);
        if (rc != IPR_OK)
            return rc;
        p = stop + 1;
        l->offset = l->fed + (uint64_t)(p - (const char *)bytes);
    }
    l->fed += n;
    return IPR_OK;
}

enum ipr_code ipr_lines_finish(struct ipr_lines *l, struct ipr_err *err)
{
    return end_line(l, err);
}

void ipr_lines_release(struct ipr_lines *l)
{
    ipr_buf_release(&l->buf);
}
