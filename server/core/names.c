#include "core/names.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <unicase.h>
#include <unictype.h>
#include <uninorm.h>
#include <unistr.h>

#include "base/str.h"

static bool is_ascii(const char *s)
{
    for (; *s != '\0'; s++)
        if ((unsigned char)*s >= 0x80)
            return false;
    return true;
}

static uint8_t *fold_ascii(const uint8_t *s, size_t n)
{
    uint8_t *folded = malloc(n + 1);

    for (size_t i = 0; folded != NULL && i <= n; i++)
        folded[i] = s[i] >= 'A' && s[i] <= 'Z' ? (uint8_t)(s[i] - 'A' + 'a') : s[i];
    return folded;
}

/* Case folding in NFC of a NUL-terminated text; NULL when out of memory. The caller frees. */
static uint8_t *name_fold(const uint8_t *s, size_t n, size_t *n_out)
{
    if (is_ascii(
            (const char *)s)) { /* fast path for most names; the tables are ten times as slow */
        *n_out = n;
        return fold_ascii(s, n);
    }
    size_t n_nfc;
    uint8_t *nfc = u8_normalize(UNINORM_NFC, s, n, NULL, &n_nfc);
    uint8_t *folded = NULL;

    if (nfc != NULL)
        folded = u8_casefold(nfc, n_nfc, NULL, UNINORM_NFC, NULL, n_out);
    free(nfc);
    return folded;
}

/* Squeezes folded text into `out`, which has room for all of it. Returns whether it contains
 * anything that can distinguish persons. */
static bool name_squeeze(const uint8_t *s, size_t n, struct ipr_buf *out)
{
    bool names_someone = false, gap = false;

    for (size_t i = 0; i < n;) {
        ucs4_t c;
        const int len = u8_mbtouc(&c, s + i, n - i);
        const size_t at = i;

        i += (size_t)len;
        /* Zero-width joiners, direction marks, byte order marks: invisible characters. */
        if (uc_is_property_default_ignorable_code_point(c))
            continue;
        if (c == '.' || uc_is_property_white_space(c) ||
            uc_is_general_category(c, UC_CATEGORY_Cc)) {
            gap = true;
            continue;
        }
        if (gap && c != ',' && out->n > 0 && out->p[out->n - 1] != ',')
            ipr_buf_putc(out, ' ');
        gap = false;
        ipr_buf_add(out, s + at, (size_t)len);
        if (c != ',' && c != '?' && c != '-')
            names_someone = true;
    }
    return names_someone;
}

enum ipr_code ipr_name_key(const char *name, struct ipr_arena *mem, const char **out,
                           struct ipr_err *err)
{
    const size_t n = strlen(name);
    struct ipr_buf key = IPR_BUF_INIT;
    size_t n_folded = 0;

    if (n > IPR_NAME_MAX)
        return ipr_err_type(err, IPR_EPARSE, "name_too_long",
                            "The player's name is longer than %d bytes.", IPR_NAME_MAX);
    if (u8_check((const uint8_t *)name, n) != NULL)
        return ipr_err_type(err, IPR_EPARSE, "bad_name", "The player's name is not valid UTF-8.");
    /* The library may return NULL for an empty result, so empty text is not folded. */
    uint8_t *folded = n > 0 ? name_fold((const uint8_t *)name, n, &n_folded) : NULL;
    const bool names_someone = folded != NULL && name_squeeze(folded, n_folded, &key);

    if (names_someone)
        *out = ipr_arena_strndup(mem, key.p, key.n);
    free(folded);
    ipr_buf_release(&key);
    if (!names_someone)
        return ipr_err_type(err, IPR_EPARSE, "no_player", "The player's name is missing.");
    return IPR_OK;
}

/* Letters that do not decompose, and the usual spellings of umlauts without them. */
static const struct letter {
    ucs4_t c;
    const char *plain; /* NULL: decomposes */
    const char *two;   /* as two letters */
} letters[] = {
    { 0x00e4, NULL, "ae" }, { 0x00e5, NULL, "aa" }, { 0x00e6, "ae", "ae" }, { 0x00f0, "d", "d" },
    { 0x00f6, NULL, "oe" }, { 0x00f8, "o", "oe" },  { 0x00fc, NULL, "ue" }, { 0x00fe, "th", "th" },
    { 0x0111, "d", "d" },   { 0x0127, "h", "h" },   { 0x0131, "i", "i" },   { 0x0142, "l", "l" },
    { 0x0153, "oe", "oe" },
};

static const char *spell_out(ucs4_t c, bool as_two)
{
    for (size_t i = 0; i < sizeof letters / sizeof letters[0]; i++)
        if (letters[i].c == c)
            return as_two ? letters[i].two : letters[i].plain;
    return NULL;
}

/* Removes marks, replaces punctuation by that of a keyboard. */
static void add_plain(ucs4_t c, const uint8_t *bytes, size_t n, struct ipr_buf *out)
{
    if (uc_is_general_category(c, UC_CATEGORY_M))
        return;
    if (uc_is_general_category(c, UC_CATEGORY_Pd))
        ipr_buf_putc(out, '-');
    else if (c == 0x02bc || c == 0x2018 || c == 0x2019 || c == '`')
        ipr_buf_putc(out, '\'');
    else
        ipr_buf_add(out, bytes, n);
}

static const char *fold_letters(const char *key, bool as_two, struct ipr_arena *mem)
{
    struct ipr_buf out = IPR_BUF_INIT;

    if (is_ascii(key))
        return ipr_arena_strndup(mem, key, strlen(key));
    struct ipr_buf spelled = IPR_BUF_INIT;
    const uint8_t *s = (const uint8_t *)key;
    size_t n = strlen(key), n_apart = 0;
    ucs4_t c;
    for (size_t i = 0; i < n;) {
        const size_t len = (size_t)u8_mbtouc(&c, s + i, n - i);
        const char *as = spell_out(c, as_two);

        if (as != NULL)
            ipr_buf_puts(&spelled, as);
        else
            ipr_buf_add(&spelled, s + i, len);
        i += len;
    }
    uint8_t *apart =
        u8_normalize(UNINORM_NFKD, (const uint8_t *)spelled.p, spelled.n, NULL, &n_apart);
    for (size_t i = 0; apart != NULL && i < n_apart;) {
        const size_t len = (size_t)u8_mbtouc(&c, apart + i, n_apart - i);

        add_plain(c, apart + i, len, &out);
        i += len;
    }
    free(apart);
    ipr_buf_release(&spelled);
    const char *folded = ipr_arena_strndup(mem, ipr_buf_c(&out), out.n);
    ipr_buf_release(&out);
    return folded;
}

const char *ipr_name_fold(const char *key, struct ipr_arena *mem)
{
    return fold_letters(key, false, mem);
}

const char *ipr_name_slug(const char *name, struct ipr_arena *mem)
{
    size_t n = 0, words = 0; /* words: where the last whole one ends */
    uint8_t *lower = u8_casefold((const uint8_t *)name, strlen(name) + 1, NULL, NULL, NULL, &n);
    const char *folded = lower != NULL ? ipr_name_fold((const char *)lower, mem) : "";
    char *out = ipr_arena_alloc(mem, strlen(folded) + 1, 1);
    bool any = false;

    free(lower);
    n = 0;
    for (const char *c = folded; *c != '\0' && n < IPR_SLUG_MAX; c++) {
        const bool letter = *c >= 'a' && *c <= 'z';

        any = any || letter;
        if (letter || (*c >= '0' && *c <= '9')) {
            out[n++] = *c;
        } else if (n > 0 && *c != '\'' && out[n - 1] != '-') {
            words = n;
            out[n++] = '-';
        }
    }
    if (n == IPR_SLUG_MAX && words > 0)
        n = words;
    while (n > 0 && out[n - 1] == '-')
        n--;
    out[any ? n : 0] = '\0';
    return out;
}

const char *ipr_name_ordinal(const char *digits, size_t n)
{
    static const char *const endings[] = { "th", "st", "nd", "rd" };
    const char last = digits[n - 1];

    return last > '3' || (n > 1 && digits[n - 2] == '1') ? endings[0] : endings[last - '0'];
}

const char *ipr_name_event(const char *name, struct ipr_arena *mem)
{
    static const char digits[] = "0123456789";
    char *const out = ipr_arena_strndup(mem, name, strlen(name));

    for (char *at = strpbrk(out, digits); at != NULL; at = strpbrk(at, digits)) {
        const bool begins = at == out || !isalnum((unsigned char)at[-1]);
        const size_t n = strspn(at, digits);
        char *const ending = at + n;

        at = ending;
        if (begins && strncmp(ending, "th", 2) == 0 && !isalnum((unsigned char)ending[2]))
            memcpy(ending, ipr_name_ordinal(ending - n, n), 2);
    }
    return out;
}

const char *ipr_name_dated(const char *name, int year, struct ipr_arena *mem)
{
    const char *const written = ipr_name_event(name, mem);
    const char *const ending = ipr_arena_printf(mem, " %d", year);
    const size_t n = strlen(written), m = strlen(ending);
    const bool dated = n >= m && strcmp(written + n - m, ending) == 0;

    return year <= 0 || dated ? written : ipr_arena_printf(mem, "%s%s", written, ending);
}

/* Folded text as words separated by `gap`, or as letters only when `gap` is 0. */
static char *words_of(const char *s, size_t n, char gap, struct ipr_arena *mem)
{
    char *out = ipr_arena_alloc(mem, n + 1, 1), *at = out;

    for (size_t i = 0; i < n; i++) {
        if (strchr(" -',_*`", s[i]) == NULL)
            *at++ = s[i];
        else if (gap != '\0' && at > out && at[-1] != gap)
            *at++ = gap;
    }
    if (gap != '\0' && at > out && at[-1] == gap)
        at--;
    *at = '\0';
    return out;
}

bool ipr_name_of_nobody(const char *key)
{
    static const char *const names[] = { "nn", "n n", "n,n", "unknown", "anonymous" };

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(key, names[i]) == 0)
            return true;
    return false;
}

static size_t read_marked(const char *folded, size_t n_surname, struct ipr_arena *mem,
                          struct ipr_name_reading *out)
{
    const char *rest = folded + n_surname;

    out->surname = words_of(folded, n_surname, '\0', mem);
    out->given = words_of(rest, strlen(rest), ' ', mem);
    out->order = IPR_NAME_MARKED;
    return out->surname[0] != '\0' ? 1 : 0;
}

/* The n_words-th space from the start, or from the end; NULL when there are fewer. */
static const char *words_space(const char *words, int n_words, bool from_end)
{
    const char *at = from_end ? words + strlen(words) : words - 1;

    while (n_words-- > 0) {
        at = from_end ? memrchr(words, ' ', (size_t)(at - words)) : strchr(at + 1, ' ');
        if (at == NULL)
            return NULL;
    }
    return at;
}

static size_t read_folded(const char *folded, struct ipr_arena *mem, struct ipr_name_reading *out)
{
    const char *comma = strchr(folded, ',');

    if (comma != NULL)
        return read_marked(folded, (size_t)(comma - folded), mem, out);
    const char *words = words_of(folded, strlen(folded), ' ', mem), *gap;
    const size_t n = strlen(words);
    size_t n_out = 0;
    if (strchr(words, ' ') == NULL)
        return read_marked(words, n, mem, out);
    for (int k = 1; k <= 3 && (gap = words_space(words, k, false)) != NULL; k++) {
        out[n_out].surname = words_of(words, (size_t)(gap - words), '\0', mem);
        out[n_out].given = gap + 1;
        out[n_out++].order = IPR_NAME_FIRST;
        gap = words_space(words, k, true);
        out[n_out].surname = words_of(gap, strlen(gap), '\0', mem);
        out[n_out].given = ipr_arena_strndup(mem, words, (size_t)(gap - words));
        out[n_out++].order = IPR_NAME_LAST;
    }
    return n_out;
}

size_t ipr_name_readings(const char *key, struct ipr_arena *mem,
                         struct ipr_name_reading out[IPR_NAME_READINGS])
{
    const char *plain = fold_letters(key, false, mem);
    size_t n = read_folded(plain, mem, out);

    if (!is_ascii(key)) {
        const char *as_two = fold_letters(key, true, mem);
        if (strcmp(plain, as_two) != 0)
            n += read_folded(as_two, mem, out + n);
    }
    return n;
}

static bool stands_for_initials(struct ipr_str w)
{
    if (w.n < 2 || w.n > 3)
        return false;
    for (size_t i = 0; i < w.n; i++)
        if (w.p[i] < 'a' || w.p[i] > 'z' || strchr("aeiouy", w.p[i]) != NULL)
            return false;
    return true;
}

/* The next given name: a word, or one letter of a word that stands for initials. */
struct given {
    struct ipr_str rest, letters;
    bool split; /* consonants count as initials */
};

static bool next_given(struct given *g, struct ipr_str *out)
{
    if (g->letters.n == 0) {
        if (!ipr_str_word(&g->rest, out))
            return false;
        if (!g->split || !stands_for_initials(*out))
            return true;
        g->letters = *out;
    }
    *out = (struct ipr_str){ g->letters.p++, 1 };
    g->letters.n--;
    return true;
}

static bool word_begins(struct ipr_str a, struct ipr_str b)
{
    return a.n <= b.n && memcmp(a.p, b.p, a.n) == 0;
}

static bool words_agree(const char *a, const char *b, bool split, bool within)
{
    struct given left = { ipr_str_c(a), { "", 0 }, split };
    struct given right = { ipr_str_c(b), { "", 0 }, split };
    struct ipr_str l, r;

    while (next_given(&left, &l)) {
        if (!next_given(&right, &r))
            return !within;
        if (!word_begins(l, r) && (within || !word_begins(r, l)))
            return false;
    }
    return true;
}

/* The letters of `a`, without spaces, are those of `b`; with `part`, a prefix of them. */
static bool letters_agree(const char *a, const char *b, bool part)
{
    for (;;) {
        a += strspn(a, " ");
        b += strspn(b, " ");
        if (*a == '\0')
            return part || *b == '\0';
        if (*a++ != *b++)
            return false;
    }
}

bool ipr_name_given_fit(const char *a, const char *b)
{
    if (a[0] == '\0' || b[0] == '\0')
        return a[0] == b[0];
    return words_agree(a, b, false, false) || words_agree(a, b, true, false);
}

bool ipr_name_given_within(const char *given, const char *longer)
{
    const bool one_word = strchr(given, ' ') == NULL;

    return words_agree(given, longer, false, true) || words_agree(given, longer, true, true) ||
           letters_agree(given, longer, one_word);
}

static bool same_letters(const char *a_key, const char *b_key, struct ipr_arena *mem)
{
    const char *a = ipr_name_fold(a_key, mem), *b = ipr_name_fold(b_key, mem);

    a = words_of(a, strlen(a), '\0', mem);
    b = words_of(b, strlen(b), '\0', mem);
    return a[0] != '\0' && strcmp(a, b) == 0;
}

bool ipr_names_fit(const char *a_key, const char *b_key)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_name_reading a[IPR_NAME_READINGS], b[IPR_NAME_READINGS];

    if (strcmp(a_key, b_key) == 0)
        return true;
    bool fit = same_letters(a_key, b_key, &mem);
    const size_t n_a = ipr_name_readings(a_key, &mem, a);
    const size_t n_b = ipr_name_readings(b_key, &mem, b);
    for (size_t i = 0; i < n_a && !fit; i++)
        for (size_t k = 0; k < n_b && !fit; k++)
            fit = (a[i].order != IPR_NAME_FIRST || b[k].order != IPR_NAME_FIRST) &&
                  strcmp(a[i].surname, b[k].surname) == 0 &&
                  ipr_name_given_fit(a[i].given, b[k].given);
    ipr_arena_release(&mem);
    return fit;
}
