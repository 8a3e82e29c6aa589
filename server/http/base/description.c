#include "http/base/description.h"

#include <string.h>

#define TITLE_END "</title>"

/* Text of the paragraph at `from` as an attribute: without tags, white space as one blank. */
static const char *description_text(const char *from, struct ipr_arena *mem)
{
    struct ipr_buf out = IPR_BUF_INIT;
    const char *end = strstr(from, "</p>");
    bool tag = true;

    for (const char *c = from; end != NULL && c < end; c++) {
        const bool space = *c == ' ' || *c == '\n' || *c == '\t';
        const bool kept = !tag && *c != '<' && !(space && (out.n == 0 || out.p[out.n - 1] == ' '));

        tag = *c == '<' || (tag && *c != '>');
        if (kept && *c == '"')
            ipr_buf_puts(&out, "&quot;");
        else if (kept)
            ipr_buf_putc(&out, space ? ' ' : *c);
    }
    while (out.n > 0 && out.p[out.n - 1] == ' ')
        out.n--;
    const char *text = ipr_arena_strndup(mem, ipr_buf_c(&out), out.n);
    ipr_buf_release(&out);
    return text;
}

/* As many whole sentences as there is room for, or else words of the first. */
static size_t description_fits(const char *text)
{
    const size_t n = strlen(text);
    size_t sentence = 0, word = 0;

    for (size_t i = 0; i < n && i <= IPR_DESCRIPTION_MAX; i++) {
        if (text[i + 1] == '\0' || text[i + 1] == ' ') {
            word = i + 1;
            if (strchr(".?!", text[i]) != NULL)
                sentence = i + 1;
        }
    }
    if (n <= IPR_DESCRIPTION_MAX)
        return n;
    return sentence > 0 ? sentence : word;
}

void ipr_description_add(struct ipr_buf *html, struct ipr_arena *mem)
{
    const char *page = ipr_buf_c(html), *title = strstr(page, TITLE_END);
    const char *from = strstr(page, "<p class=\"verdict");

    if (from == NULL)
        from = strstr(page, "<p class=\"lead");
    const char *text = from != NULL ? description_text(from, mem) : "";
    const size_t n = description_fits(text);
    if (title == NULL || n == 0)
        return;
    const size_t head = (size_t)(title - page) + strlen(TITLE_END);
    struct ipr_buf out = { .cap = html->cap };

    ipr_buf_add(&out, page, head);
    ipr_buf_printf(&out,
                   "\n<meta name=\"description\" content=\"%.*s\">\n"
                   "<meta property=\"og:description\" content=\"%.*s\">",
                   (int)n, text, (int)n, text);
    ipr_buf_add(&out, page + head, html->n - head);
    ipr_buf_release(html);
    *html = out;
}
