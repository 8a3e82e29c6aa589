#ifndef IPR_CORE_ELO_LISTS_H
#define IPR_CORE_ELO_LISTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

/*
 * FIDE's rating lists and how a spelling file writes a player's ratings on them:
 *   %Elo 1989:2515 1990:2555,2610 2009:?,?,2788,2788,2788
 * A year and the ratings of its lists, one after the other; "?" where the player was not on one;
 * lists left out at the end are such as well.
 *
 * When the lists of a year appeared (as the file has them; the number of ratings a year agrees):
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

/** What is wrong with a line; `at` is the word that is. */
typedef void ipr_elo_fault_fn(void *arg, struct ipr_str at, const char *why);

/**
 * Adds what a line behind its "%Elo" says. What is wrong is passed over and told: a word that is no
 * YEAR:RATINGS or that has more ratings than the year has lists, as a whole; a rating that is no
 * number from IPR_ELO_LOW to IPR_ELO_HIGH, alone; a year that was there already and says something
 * else, as a whole.
 */
void ipr_elo_read(struct ipr_str text, struct ipr_elo_ratings *r, ipr_elo_fault_fn *fault,
                  void *arg);

/**
 * The month in which a game was played, as "YYYY-MM-01", from its date ("1972.07.11", as tagged)
 * and the year that was read from it. Of a date without a month the first one of the year: no
 * list that may have come after the game is taken for one before it. False without a year.
 */
bool ipr_elo_month(const char *date, int year, char out[11]);

#endif
