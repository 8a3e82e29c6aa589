#include "core/near.h"

#include <string.h>

#include "base/str.h"
#include "core/transliteration.h"

#define LETTERS    64 /* of a word, with its end */
#define WORDS      4  /* of a search */
#define NAME_WORDS 12
#define WAYS       20 /* to write a word */
#define SHORT      5  /* letters from which on one may be wrong … */
#define LONG       7  /* … and two */
#define BEGINNING  3
static const char between[] = " ,.-'";

struct near_word {
    const char *way[WAYS + 1]; /* as it is, then as other languages write it */
    size_t n;
    unsigned most; /* letters that may be wrong */
};

struct ipr_near {
    struct near_word words[WORDS];
    size_t n;
    const char *beginnings;
};

static unsigned near_less(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* Optimal string alignment, a row for each letter of the word; the last row has the distance to
 * every beginning of the other. */
unsigned ipr_near_beginning(const char *word, const char *other, unsigned most)
{
    unsigned row[3][LETTERS];
    const size_t m = strlen(word), n = strlen(other);
    unsigned best = most + 1;

    if (m >= LETTERS || n >= LETTERS || m > n + most)
        return best;
    for (size_t k = 0; k <= n; k++)
        row[0][k] = (unsigned)k;
    for (size_t i = 1; i <= m; i++) {
        unsigned *const now = row[i % 3], *const last = row[(i - 1) % 3];
        const unsigned *const before = row[(i + 1) % 3];

        now[0] = (unsigned)i;
        for (size_t k = 1; k <= n; k++) {
            now[k] = near_less(near_less(last[k], now[k - 1]) + 1,
                               last[k - 1] + (word[i - 1] != other[k - 1] ? 1 : 0));
            if (i > 1 && k > 1 && word[i - 1] == other[k - 2] && word[i - 2] == other[k - 1])
                now[k] = near_less(now[k], before[k - 2] + 1);
        }
    }
    for (size_t k = 0; k <= n; k++)
        best = near_less(best, row[m % 3][k]);
    return best;
}

static size_t near_split(const char *text, size_t n, struct ipr_arena *mem, const char **out,
                         size_t most)
{
    size_t words = 0, length;

    for (size_t at = 0; at < n && words < most; at += length) {
        length = strspn(text + at, between);
        if (length > 0)
            continue;
        length = strcspn(text + at, between);
        out[words++] = ipr_arena_strndup(mem, text + at, length);
    }
    return words;
}

static void near_word_fill(struct near_word *w, const char *word, struct ipr_arena *mem)
{
    const char **others = ipr_arena_alloc(mem, IPR_TRANSLITERATIONS_MAX, sizeof *others);
    const size_t length = strlen(word), n = ipr_transliterations(word, mem, others);

    w->way[w->n++] = word;
    for (size_t i = 0; i < n && w->n <= WAYS; i++)
        w->way[w->n++] = others[i];
    w->most = (unsigned)(length >= SHORT) + (unsigned)(length >= LONG);
}

const struct ipr_near *ipr_near_make(const char *folded, struct ipr_arena *mem)
{
    struct ipr_near *const s = ipr_arena_alloc(mem, 1, sizeof *s);
    const char *words[WORDS + 1];
    const size_t n = near_split(folded, strlen(folded), mem, words, WORDS + 1);

    *s = (struct ipr_near){ .n = 0 };
    if (n > WORDS)
        return NULL;
    for (size_t i = 0; i < n; i++)
        near_word_fill(&s->words[s->n++], words[i], mem);
    struct ipr_buf text = IPR_BUF_INIT;
    for (size_t i = 0; i < s->n; i++)
        for (size_t k = 0; s->words[i].most > 0 && k < s->words[i].n; k++)
            if (strspn(s->words[i].way[k], "abcdefghijklmnopqrstuvwxyz") >= BEGINNING)
                ipr_buf_printf(&text, "%s%.*s:*", text.n > 0 ? " | " : "", BEGINNING,
                               s->words[i].way[k]);
    s->beginnings = ipr_arena_strndup(mem, ipr_buf_c(&text), text.n);
    ipr_buf_release(&text);
    return *s->beginnings != '\0' ? s : NULL;
}

const char *ipr_near_beginnings(const struct ipr_near *s)
{
    return s->beginnings;
}

/* The wrong letters of the best of these words; *at: which it is. */
static unsigned near_best_word(const struct near_word *w, const char *const *words, size_t n,
                               size_t *at)
{
    unsigned best = w->most + 1;

    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < w->n && best > 0; k++) {
            const unsigned letters = ipr_near_beginning(w->way[k], words[i], w->most);

            if (letters < best) {
                best = letters;
                *at = i;
            }
        }
    return best;
}

/* The search with this word in the place of one of its own. */
static const char *near_with(const struct ipr_near *s, size_t place, const char *word,
                             struct ipr_arena *mem)
{
    const char *text = "";

    for (size_t i = 0; i < s->n; i++) {
        const char *const one = i == place ? word : s->words[i].way[0];

        text = i > 0 ? ipr_arena_printf(mem, "%s %s", text, one) : one;
    }
    return text;
}

/* As ipr_near_letters, with the word at `place` for the surname. */
static unsigned near_placed(const struct ipr_near *s, size_t place, const char *const *words,
                            size_t n, size_t n_surname, size_t *at, unsigned *odd)
{
    const unsigned most = s->words[place].most;
    unsigned letters = near_best_word(&s->words[place], words, n_surname, at);
    size_t other;

    *odd = 0;
    if (letters > most || most == 0)
        return IPR_NEAR_LETTERS + 1;
    for (size_t i = 0; i < s->n; i++) {
        const unsigned more = i == place ? 0 : near_best_word(&s->words[i], words, n, &other);

        if (more > s->words[i].most)
            (*odd)++;
        else
            letters += more;
    }
    return *odd <= 1 ? letters : IPR_NEAR_LETTERS + 1;
}

unsigned ipr_near_letters(const struct ipr_near *s, const char *folded, struct ipr_arena *mem,
                          const char **likely)
{
    const char *words[NAME_WORDS];
    const size_t n_surname = near_split(folded, strcspn(folded, ","), mem, words, NAME_WORDS);
    const size_t n = near_split(folded, strlen(folded), mem, words, NAME_WORDS);
    unsigned best = IPR_NEAR_LETTERS + 1;

    *likely = NULL;
    for (size_t i = 0; i < s->n; i++) {
        unsigned odd;
        size_t at = 0;
        const unsigned letters = near_placed(s, i, words, n, n_surname, &at, &odd);

        if (letters > IPR_NEAR_LETTERS || letters + odd >= best + (*likely != NULL ? 1 : 0))
            continue;
        best = letters;
        *likely = odd > 0 ? near_with(s, i, words[at], mem) : NULL;
    }
    return best;
}
