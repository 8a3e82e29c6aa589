/* Reads what was typed into a search. */
#include "view/player/search.h"

#include <string.h>
#include <strings.h>
#include <time.h>

#include "base/str.h"

static struct ipr_str search_trim(struct ipr_str s)
{
    while (s.n > 0 && strchr(" \t,:'", s.p[0]) != NULL)
        s = (struct ipr_str){ s.p + 1, s.n - 1 };
    while (s.n > 0 && strchr(" \t,:'", s.p[s.n - 1]) != NULL)
        s.n--;
    return s;
}

static bool search_is_digits(struct ipr_str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] < '0' || s.p[i] > '9')
            return false;
    return s.n == 2 || s.n == 4;
}

static int search_this_year(void)
{
    const time_t now = time(NULL);
    struct tm t;

    return gmtime_r(&now, &t)->tm_year + 1900;
}

static bool search_read_years(struct ipr_str word, struct ipr_search *out)
{
    static const int centuries[] = { 1900, 2000, 1800 };
    int64_t n;

    if (!search_is_digits(word) || !ipr_str_int(word, 0, 9999, &n) || (word.n == 4 && n < 1000))
        return false;
    if (word.n == 4) {
        out->years[out->n_years++] = (int)n;
        return true;
    }
    for (size_t i = 0; i < 3; i++)
        if (centuries[i] + (int)n <= search_this_year())
            out->years[out->n_years++] = centuries[i] + (int)n;
    return true;
}

/* A year is the last word or the first one, and not the only one. */
struct ipr_search ipr_search_read(const char *text, struct ipr_arena *mem)
{
    struct ipr_str s = search_trim(ipr_str_c(text));
    struct ipr_search out = { .n_years = 0 };
    size_t last = s.n, first = 0;

    while (last > 0 && s.p[last - 1] != ' ' && s.p[last - 1] != '\'')
        last--;
    while (first < s.n && s.p[first] != ' ')
        first++;
    if (last > 0 && search_read_years((struct ipr_str){ s.p + last, s.n - last }, &out))
        s.n = last;
    else if (first < s.n && search_read_years((struct ipr_str){ s.p, first }, &out))
        s = (struct ipr_str){ s.p + first, s.n - first };
    s = search_trim(s);
    out.words = ipr_arena_strndup(mem, s.p, s.n);
    return out;
}

/* Words between two names. */
static bool search_word_is_against(struct ipr_str word)
{
    static const char *const words[] = {
        "vs", "vs.", "v", "v.", "versus", "against", "-", "\u2013"
    };

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (word.n == strlen(words[i]) && strncasecmp(word.p, words[i], word.n) == 0)
            return true;
    return false;
}

enum ipr_search_two ipr_search_read_two(const char *text, const char *name[2],
                                        struct ipr_arena *mem)
{
    const struct ipr_str s = search_trim(ipr_str_c(text));
    size_t words = 0, second = 0, last = 0;

    for (size_t i = 0, n = 0; i < s.n; i += n) {
        const struct ipr_str rest = { s.p + i, s.n - i };
        const char *const blank = memchr(rest.p, ' ', rest.n);

        n = blank != NULL ? (size_t)(blank - rest.p) : rest.n;
        if (i > 0 && n > 0 && i + n < s.n &&
            search_word_is_against((struct ipr_str){ rest.p, n })) {
            name[0] = ipr_arena_strndup(mem, s.p, i - 1);
            name[1] = ipr_arena_strndup(mem, rest.p + n + 1, rest.n - n - 1);
            return IPR_SEARCH_AGAINST;
        }
        const bool year =
            i > 0 && search_read_years((struct ipr_str){ rest.p, n }, &(struct ipr_search){ 0 });
        words += n > 0 && !year;
        second = words == 2 && n > 0 && !year ? i : second;
        last = year ? i : last;
        n += blank != NULL;
    }
    if (words != 2)
        return IPR_SEARCH_NOT_TWO;
    name[0] = ipr_arena_strndup(mem, s.p, second - 1);
    name[1] = ipr_arena_strndup(mem, s.p + second, s.n - second);
    if (last > second && ipr_search_read(name[0], mem).n_years == 0)
        name[0] = ipr_arena_printf(mem, "%s %s", name[0], s.p + last);
    return IPR_SEARCH_TWO_WORDS;
}
