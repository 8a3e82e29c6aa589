#include "core/elo_lists.h"

#include <stdio.h>
#include <string.h>

static const struct {
    int from, to; /* years */
    uint8_t n, months[IPR_ELO_LISTS_MAX];
} lists[] = {
    { 1971, 1973, 1, { 7 } },
    { 1974, 1974, 1, { 5 } },
    { 1975, 1989, 1, { 1 } },
    { 1990, 2000, 2, { 1, 7 } },
    { 2001, 2008, 4, { 1, 4, 7, 10 } },
    { 2009, 2009, 5, { 1, 4, 7, 9, 11 } },
    { 2010, 2011, 6, { 1, 3, 5, 7, 9, 11 } },
    { 2012, 2012, 9, { 1, 3, 5, 7, 8, 9, 10, 11, 12 } },
    { 2013, IPR_ELO_YEAR_LAST, 12, { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 } },
};

const uint8_t *ipr_elo_lists(int year, size_t *n)
{
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (year >= lists[i].from && year <= lists[i].to) {
            *n = lists[i].n;
            return lists[i].months;
        }
    *n = 0;
    return NULL;
}

/* Up to the next comma; false at the end. */
static bool next_rating(struct ipr_str *rest, struct ipr_str *out)
{
    if (rest->p == NULL)
        return false;
    const char *comma = memchr(rest->p, ',', rest->n);

    *out = (struct ipr_str){ rest->p, comma != NULL ? (size_t)(comma - rest->p) : rest->n };
    *rest = comma != NULL ? (struct ipr_str){ comma + 1, rest->n - out->n - 1 }
                          : (struct ipr_str){ NULL, 0 };
    return true;
}

static const char *read_year(struct ipr_str word, int *year, struct ipr_str *ratings)
{
    const char *colon = memchr(word.p, ':', word.n);
    int64_t y;
    size_t n_lists;

    if (colon == NULL ||
        !ipr_str_int((struct ipr_str){ word.p, (size_t)(colon - word.p) }, 1, 9999, &y))
        return "is not a year and its ratings";
    if (ipr_elo_lists((int)y, &n_lists) == NULL)
        return "is of a year without rating lists";
    *year = (int)y;
    *ratings = (struct ipr_str){ colon + 1, word.n - (size_t)(colon + 1 - word.p) };
    struct ipr_str rest = *ratings, one;
    size_t n = 0;

    while (next_rating(&rest, &one))
        n++;
    return n > n_lists ? "has more ratings than that year had lists" : NULL;
}

/* The ratings of one year; false when one of them is not a rating. */
static bool list_read_ratings(struct ipr_str text, int16_t out[IPR_ELO_LISTS_MAX])
{
    struct ipr_str one;
    bool good = true;

    for (size_t i = 0; next_rating(&text, &one); i++) {
        int64_t elo = 0;

        if (!ipr_str_is(one, "?"))
            good &= ipr_str_int(one, IPR_ELO_LOW, IPR_ELO_HIGH, &elo);
        out[i] = (int16_t)elo;
    }
    return good;
}

void ipr_elo_read(struct ipr_str text, struct ipr_elo_ratings *r, ipr_elo_fault_fn *fault,
                  void *arg)
{
    static const int16_t none[IPR_ELO_LISTS_MAX];
    struct ipr_str word, ratings;

    while (ipr_str_word(&text, &word)) {
        int16_t elo[IPR_ELO_LISTS_MAX] = { 0 };
        int year;
        const char *why = read_year(word, &year, &ratings);

        if (why != NULL) {
            fault(arg, word, why);
            continue;
        }
        int16_t *row = r->elo[year - IPR_ELO_YEAR_FIRST];
        if (!list_read_ratings(ratings, elo))
            fault(arg, word, "has a value that is not a rating");
        if (memcmp(row, none, sizeof none) == 0)
            memcpy(row, elo, sizeof elo);
        else if (memcmp(row, elo, sizeof elo) != 0)
            fault(arg, word, "contradicts an earlier entry of that year");
    }
}

bool ipr_elo_month(const char *date, int year, char out[11])
{
    int64_t month = 1;

    if (year < 1 || year > 9999)
        return false;
    if (strnlen(date, 7) == 7 && (date[7] == '\0' || date[7] == '.') && date[4] == '.' &&
        !ipr_str_int((struct ipr_str){ date + 5, 2 }, 1, 12, &month))
        month = 1;
    snprintf(out, 11, "%04d-%02d-01", year, (int)month);
    return true;
}
