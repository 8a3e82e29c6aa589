#include "core/transliteration.h"

#include <stdbool.h>
#include <string.h>

#include "base/str.h"

#define WORD_LEAST 4
#define WORD_MOST  20
#define WORDS_MOST 4
#define KINDS_MOST 12 /* of graphemes in a word that are changed */
#define COST_MOST  4
#define OTHERS     5

/* Each row is what is written and what else it may be, the most usual first. At the end of a word
 * "$" stands behind it. */
static const struct grapheme {
    const char *text;
    const char *other[OTHERS];
} graphemes[] = {
    { "schtsch", { "shch", "sch" } },
    { "shch", { "schtsch", "sch" } },
    { "dsch", { "j", "dzh", "dj" } },
    { "dzh", { "j", "dsch", "dj" } },
    { "tsch", { "ch", "tch", "cz" } },
    { "tch", { "ch", "tsch", "cz" } },
    { "sch", { "sh", "sz" } },
    { "cz", { "ch", "tsch" } },
    { "ch", { "kh", "tsch", "h", "sh", "tch" } },
    { "kh", { "ch", "h" } },
    { "sh", { "sch", "sz", "ch" } },
    { "sz", { "sh", "s", "sch" } },
    { "zh", { "j", "z", "sch" } },
    { "ts", { "z", "tz", "c" } },
    { "tz", { "ts", "z" } },
    { "ck", { "k" } },
    { "ks", { "x" } },
    { "ph", { "f" } },
    { "th", { "t" } },
    { "ij", { "y", "i", "iy" } },
    { "iy", { "y", "i", "ij" } },
    { "yi", { "y", "i" } },
    { "ii", { "y", "i" } },
    { "ja", { "ya", "ia" } },
    { "ya", { "ia", "ja" } },
    { "ia", { "ya", "ja" } },
    { "ju", { "yu", "iu" } },
    { "yu", { "ju", "iu" } },
    { "iu", { "yu", "ju" } },
    { "je", { "e", "ye", "ie" } },
    { "ye", { "e", "je", "ie" } },
    { "ie", { "e", "ye", "je" } },
    { "jo", { "yo", "io", "e" } },
    { "yo", { "jo", "io", "e" } },
    { "lj", { "l", "li", "ly" } },
    { "nj", { "ni", "n", "ny" } },
    { "le", { "lje" } },
    { "ae", { "a" } },
    { "oe", { "o" } },
    { "ue", { "u" } },
    { "bb", { "b" } },
    { "ff", { "v", "f" } },
    { "kk", { "k" } },
    { "ll", { "l" } },
    { "mm", { "m" } },
    { "nn", { "n" } },
    { "pp", { "p" } },
    { "rr", { "r" } },
    { "ss", { "s" } },
    { "tt", { "t" } },
    { "w", { "v" } },
    { "v", { "w" } },
    { "x", { "ks" } },
    { "z", { "ts", "zh" } },
    { "j", { "i", "y" } },
    { "y", { "i", "j", "ij", "iy" } },
    { "i", { "y", "j" } },
    { "c", { "k", "ts", "ch" } },
    { "h", { "kh", "ch" } },
    { "s", { "ss" } },
    { "e$", { "" } },
};
#define GRAPHEMES (sizeof graphemes / sizeof *graphemes)

/* A word cut into pieces: graphemes of the table, or single letters. */
struct cut_word {
    const char *word;
    size_t n_pieces, n_kinds;
    struct {
        size_t at, length;
        int kind; /* of `kinds`; -1: a letter that stays */
    } piece[WORD_MOST];
    const struct grapheme *kinds[KINDS_MOST];
    unsigned choice[KINDS_MOST]; /* 0: as it is */
};

struct transliterated {
    struct cut_word cut;
    struct ipr_arena *mem;
    const char **out;
    size_t n;
};

/* The longest grapheme that the text begins with; NULL: none, a single letter. */
static const struct grapheme *grapheme_longest(const char *text, size_t *length)
{
    const struct grapheme *best = NULL;

    *length = 1;
    for (size_t i = 0; i < GRAPHEMES; i++) {
        const char *const own = graphemes[i].text;
        const size_t n = strcspn(own, "$");

        if (strncmp(text, own, n) == 0 && (own[n] == '\0' || text[n] == '\0') &&
            (best == NULL || n > *length)) {
            best = &graphemes[i];
            *length = n;
        }
    }
    return best;
}

static int cut_kind(struct cut_word *c, const struct grapheme *g)
{
    for (size_t k = 0; k < c->n_kinds; k++)
        if (c->kinds[k] == g)
            return (int)k;
    if (g == NULL || c->n_kinds == KINDS_MOST)
        return -1;
    c->kinds[c->n_kinds] = g;
    return (int)c->n_kinds++;
}

static void transliterated_add(struct transliterated *t)
{
    const struct cut_word *const c = &t->cut;
    struct ipr_buf text = IPR_BUF_INIT;
    bool known = false;

    for (size_t i = 0; i < c->n_pieces; i++) {
        const int kind = c->piece[i].kind;
        const unsigned choice = kind >= 0 ? c->choice[kind] : 0;

        if (choice > 0)
            ipr_buf_puts(&text, c->kinds[kind]->other[choice - 1]);
        else
            ipr_buf_add(&text, c->word + c->piece[i].at, c->piece[i].length);
    }
    for (size_t i = 0; i < t->n && !known; i++)
        known = strcmp(t->out[i], ipr_buf_c(&text)) == 0;
    if (!known && strcmp(c->word, ipr_buf_c(&text)) != 0)
        t->out[t->n++] = ipr_arena_strndup(t->mem, ipr_buf_c(&text), text.n);
    ipr_buf_release(&text);
}

/* Every choice for the kinds from k on that costs so much in all: the second way of one kind costs
 * as much as the first ways of two. */
static void transliterated_spend(struct transliterated *t, size_t k, unsigned cost)
{
    struct cut_word *const c = &t->cut;

    if (t->n == IPR_TRANSLITERATIONS_MAX)
        return;
    if (k == c->n_kinds) {
        if (cost == 0)
            transliterated_add(t);
        return;
    }
    for (unsigned i = 0; i <= cost && i <= OTHERS; i++) {
        if (i > 0 && c->kinds[k]->other[i - 1] == NULL)
            break;
        c->choice[k] = i;
        transliterated_spend(t, k + 1, cost - i);
    }
    c->choice[k] = 0;
}

size_t ipr_transliterations(const char *word, struct ipr_arena *mem,
                            const char *out[IPR_TRANSLITERATIONS_MAX])
{
    struct transliterated t = { .mem = mem, .out = out };
    const size_t n = strlen(word);

    if (n < WORD_LEAST || n > WORD_MOST || strspn(word, "abcdefghijklmnopqrstuvwxyz") != n)
        return 0;
    size_t length;
    t.cut.word = word;
    for (size_t at = 0; word[at] != '\0'; at += length) {
        const struct grapheme *const g = grapheme_longest(word + at, &length);

        t.cut.piece[t.cut.n_pieces].at = at;
        t.cut.piece[t.cut.n_pieces].length = length;
        t.cut.piece[t.cut.n_pieces++].kind = cut_kind(&t.cut, g);
    }
    for (unsigned cost = 1; cost <= COST_MOST; cost++)
        transliterated_spend(&t, 0, cost);
    return t.n;
}

const char *ipr_transliterations_of_name(const char *folded, struct ipr_arena *mem)
{
    static const char between[] = " ,.-";
    const char **out = ipr_arena_alloc(mem, IPR_TRANSLITERATIONS_MAX, sizeof *out);
    struct ipr_buf text = IPR_BUF_INIT;
    size_t words = 0, length;

    for (const char *at = folded; *(at += strspn(at, between)) != '\0'; at += length) {
        length = strcspn(at, between);
        const char *const word = ipr_arena_strndup(mem, at, length);
        const size_t n = ipr_transliterations(word, mem, out);

        words++;
        if (n > 0)
            ipr_buf_printf(&text, "%s%s", text.n > 0 ? " " : "", word);
        for (size_t i = 0; i < n; i++)
            ipr_buf_printf(&text, ">%s", out[i]);
    }
    const char *const all =
        words <= WORDS_MOST ? ipr_arena_strndup(mem, ipr_buf_c(&text), text.n) : "";
    ipr_buf_release(&text);
    return all;
}
