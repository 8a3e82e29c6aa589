#include "core/name_similarity.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "core/names.h"
#include "core/near.h"

#define WORDS_MAX 32 /* words compared; further ones are ignored */

const char *ipr_similarity_name(enum ipr_similarity how)
{
    static const char *const names[] = { "",      "same_name", "title", "signs",
                                         "order", "initials",  "prefix" };

    return names[how];
}

/* ---- titles and brackets ----------------------------------------------------------------------
 */

/* Length of a title such as "gm " before a whole name; 0 when there is none. The same as
 * name_bare() in the database. */
static size_t title_length(const char *key)
{
    static const char *const titles[] = { "gm",  "im",  "fm",  "cm",  "nm",
                                          "igm", "wgm", "wim", "wfm", "wcm" };
    const size_t n = strcspn(key, " ");

    if (key[n] == '\0' || strpbrk(key + n + 1, " ,") == NULL)
        return 0;
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
        if (strlen(titles[i]) == n && memcmp(titles[i], key, n) == 0)
            return n + 1;
    return 0;
}

/* Length of "(urs)" or "(1931)" at the end of the name or of its surname; 0 for anything else. */
static size_t bracket_length(const char *s)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz", digits[] = "0123456789";

    if (*s != '(' || (strspn(s + 1, letters) != 3 && strspn(s + 1, digits) != 4))
        return 0;
    const size_t n = 1 + strspn(s + 1, s[1] > '9' ? letters : digits);
    return s[n] == ')' && (s[n + 1] == '\0' || s[n + 1] == ',') ? n + 1 : 0;
}

static const char *key_bare(const char *key, struct ipr_arena *mem)
{
    char *out = ipr_arena_strndup(mem, key, strlen(key)), *at = out;
    size_t n;

    for (const char *s = key + title_length(key); *s != '\0';) {
        const bool gap = *s == ' ';

        n = bracket_length(s + gap);
        if (n > 0)
            s += gap + n;
        else
            *at++ = *s++;
    }
    *at = '\0';
    return out;
}

/* ---- letters and words ------------------------------------------------------------------------
 */

/* ae, oe, ue and aa become a, o, u and a: umlauts written out equal those without dots. */
static const char *undo_umlauts(const char *folded, struct ipr_arena *mem)
{
    char *out = ipr_arena_strndup(mem, folded, strlen(folded)), *at = out;

    for (const char *s = folded; *s != '\0'; s++) {
        *at++ = *s;
        if (strchr("aou", *s) != NULL && (s[1] == 'e' || (s[0] == 'a' && s[1] == 'a')))
            s++;
    }
    *at = '\0';
    return out;
}

struct words {
    struct ipr_str word[WORDS_MAX];
    size_t n;
};

static struct words words_split(const char *s)
{
    static const char between[] = " -',_*`";
    struct words w = { .n = 0 };

    for (s += strspn(s, between); *s != '\0' && w.n < WORDS_MAX; s += strspn(s, between)) {
        const size_t n = strcspn(s, between);

        w.word[w.n++] = (struct ipr_str){ s, n };
        s += n;
    }
    return w;
}

static int compare_words(const void *a, const void *b)
{
    const struct ipr_str *x = a, *y = b;
    const int by = memcmp(x->p, y->p, x->n < y->n ? x->n : y->n);

    return by != 0 ? by : (x->n > y->n) - (x->n < y->n);
}

static bool same_words(const struct words *a, const struct words *b)
{
    if (a->n != b->n || a->n == 0)
        return false;
    for (size_t i = 0; i < a->n; i++)
        if (compare_words(&a->word[i], &b->word[i]) != 0)
            return false;
    return true;
}

/* The words, concatenated. */
static const char *words_letters(const struct words *w, struct ipr_arena *mem)
{
    const char *out = "";

    for (size_t i = 0; i < w->n; i++)
        out = ipr_arena_printf(mem, "%s%.*s", out, (int)w->word[i].n, w->word[i].p);
    return out;
}

static enum ipr_similarity whole_names(const char *a, const char *b, struct ipr_arena *mem)
{
    struct words x = words_split(undo_umlauts(ipr_name_fold(a, mem), mem));
    struct words y = words_split(undo_umlauts(ipr_name_fold(b, mem), mem));

    if (x.n > 0 && strcmp(words_letters(&x, mem), words_letters(&y, mem)) == 0)
        return IPR_SIMILARITY_SIGNS;
    qsort(x.word, x.n, sizeof *x.word, compare_words);
    qsort(y.word, y.n, sizeof *y.word, compare_words);
    return same_words(&x, &y) ? IPR_SIMILARITY_ORDER : IPR_SIMILARITY_NOT;
}

/* ---- surname and given names ------------------------------------------------------------------
 */

/* Compares the first two given names that differ, of names that fit. */
static enum ipr_similarity how_given(const char *a, const char *b)
{
    const struct words x = words_split(a), y = words_split(b);

    for (size_t i = 0; i < x.n && i < y.n; i++) {
        const struct ipr_str l = x.word[i], r = y.word[i];
        const size_t n = l.n < r.n ? l.n : r.n;

        if (compare_words(&l, &r) == 0)
            continue;
        /* Neither is a prefix of the other: consonants for initials, "rj" for "robert j". */
        return n == 1 || memcmp(l.p, r.p, n) != 0 ? IPR_SIMILARITY_INITIALS : IPR_SIMILARITY_PREFIX;
    }
    return IPR_SIMILARITY_PREFIX;
}

static enum ipr_similarity readings_similarity(const struct ipr_name_reading *a,
                                               const struct ipr_name_reading *b,
                                               struct ipr_arena *mem)
{
    if (a->order == IPR_NAME_FIRST && b->order == IPR_NAME_FIRST)
        return IPR_SIMILARITY_NOT;
    if (strcmp(undo_umlauts(a->surname, mem), undo_umlauts(b->surname, mem)) != 0)
        return IPR_SIMILARITY_NOT;
    const char *x = undo_umlauts(a->given, mem), *y = undo_umlauts(b->given, mem);
    return ipr_name_given_fit(x, y) ? how_given(x, y) : IPR_SIMILARITY_NOT;
}

static enum ipr_similarity names_similarity(const char *a_key, const char *b_key,
                                            struct ipr_arena *mem)
{
    struct ipr_name_reading a[IPR_NAME_READINGS], b[IPR_NAME_READINGS];
    enum ipr_similarity how = whole_names(a_key, b_key, mem);

    if (how != IPR_SIMILARITY_NOT)
        return how;
    const size_t n_a = ipr_name_readings(a_key, mem, a);
    const size_t n_b = ipr_name_readings(b_key, mem, b);
    for (size_t i = 0; i < n_a; i++)
        for (size_t k = 0; k < n_b; k++) {
            const enum ipr_similarity one = readings_similarity(&a[i], &b[k], mem);

            if (one != IPR_SIMILARITY_NOT && (how == IPR_SIMILARITY_NOT || one < how))
                how = one;
        }
    return how;
}

enum ipr_similarity ipr_name_similarity(const char *a_key, const char *b_key)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    enum ipr_similarity how = IPR_SIMILARITY_TITLE;

    if (strcmp(a_key, b_key) == 0)
        return IPR_SIMILARITY_SAME;
    const char *a = key_bare(a_key, &mem), *b = key_bare(b_key, &mem);
    if (strcmp(a, b) != 0)
        how = names_similarity(a, b, &mem);
    if (how == IPR_SIMILARITY_NOT) /* "Im" is a surname, too */
        how = names_similarity(a_key, b_key, &mem);
    ipr_arena_release(&mem);
    return how;
}

/* ---- apart ------------------------------------------------------------------------------------
 */

/* True if they may be one word in two spellings. */
static bool words_near(struct ipr_str a, struct ipr_str b, struct ipr_arena *mem)
{
    const size_t least = a.n < b.n ? a.n : b.n;
    const unsigned most = least >= 7 ? 2 : least >= 5;

    return memcmp(a.p, b.p, least < 4 ? least : 4) == 0 ||
           (most > 0 && ipr_near_beginning(ipr_arena_strndup(mem, a.p, a.n),
                                           ipr_arena_strndup(mem, b.p, b.n), most) <= most);
}

bool ipr_names_apart(const char *a_key, const char *b_key)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    const char *const text[2] = { undo_umlauts(ipr_name_fold(a_key, &mem), &mem),
                                  undo_umlauts(ipr_name_fold(b_key, &mem), &mem) };
    const struct words a = words_split(text[0]), b = words_split(text[1]);
    bool any = false, near = false;

    for (int i = 0; i < 2; i++)
        for (const char *s = text[i]; *s != '\0'; s++)
            near |= (*s & 0x80) != 0; /* another script */
    for (size_t i = 0; i < a.n; i++)
        for (size_t k = 0; k < b.n && a.word[i].n > 1; k++)
            if (b.word[k].n > 1) {
                any = true;
                near = near || words_near(a.word[i], b.word[k], &mem);
            }
    ipr_arena_release(&mem);
    return any && !near;
}
