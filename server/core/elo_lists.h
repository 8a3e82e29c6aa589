#ifndef IPR_CORE_ELO_LISTS_H
#define IPR_CORE_ELO_LISTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

/*
 * FIDE's rating lists and how a spelling file writes a player's ratings on them:
 *   %Elo 1989:2515 1990:2555,2610 2009:?,?,2788,2788,2788
 * A year and the ratings of its lists in order; "?" if the player was not on a list, as on lists
 * omitted at the end.
 *
 * When the lists of a year appeared (as in the file; the number of ratings per year agrees):
 *   1971-1973 July, 1974 May, 1975-1989 January (FIDE's second list of the years from 1981 on is
 *   not in the file), 1990-2000 January and July, 2001-2008 every quarter, 2009 January, April,
 *   July, September, November, 2010-2011 every second month, 2012 the same until July and every
 *   month from there, since 2013 every month.
 */
#define IPR_ELO_YEAR_FIRST 1971
#define IPR_ELO_YEAR_LAST  2099
#define IPR_ELO_LISTS_MAX  12 /* a year */
#define IPR_ELO_LOW        1000
#define IPR_ELO_HIGH       3000

/** Months (1 to 12, ascending) of the lists of a year, their number in *n; NULL for a year without
 * any. */
const uint8_t *ipr_elo_lists(int year, size_t *n);

/** A player's ratings: [year - FIRST][list], 0 where there is none. */
struct ipr_elo_ratings {
    int16_t elo[IPR_ELO_YEAR_LAST - IPR_ELO_YEAR_FIRST + 1][IPR_ELO_LISTS_MAX];
};

/** Receives what is wrong with a line; `at` is the faulty word. */
typedef void ipr_elo_fault_fn(void *arg, struct ipr_str at, const char *why);

/** Adds the ratings of a line, after its "%Elo". Errors are reported and skipped: a word that is
 * not YEAR:RATINGS or has more ratings than the year has lists, a year that contradicts an earlier
 * entry (the whole word each), a rating that is not a number from IPR_ELO_LOW to IPR_ELO_HIGH (only
 * that rating).
 */
void ipr_elo_read(struct ipr_str text, struct ipr_elo_ratings *r, ipr_elo_fault_fn *fault,
                  void *arg);

/**
 * The month in which a game was played, as "YYYY-MM-01", from its date ("1972.07.11", as tagged)
 * and the year read from it. January for a date without a month, so that no list that may be later
 * than the game is used. False without a year.
 */
bool ipr_elo_month(const char *date, int year, char out[11]);

#endif
