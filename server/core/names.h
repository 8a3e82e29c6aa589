#ifndef IPR_CORE_NAMES_H
#define IPR_CORE_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/str.h"

#define IPR_NAME_MAX 200 /* bytes of a player's name */

/** The key by which two spellings of a name are one player: NFC, case folded, runs of white space
 * and of "." as one space, no space around ",", trimmed, zero-width characters removed. "Fischer,
 * Robert J." and "fischer, robert j" agree; "Fischer, R" does not: players are never merged by
 * guess. IPR_EPARSE when empty or "?" ("no_player"), longer than IPR_NAME_MAX
 * ("name_too_long") or not UTF-8 ("bad_name"). */
IPR_CHECK enum ipr_code ipr_name_key(const char *name, struct ipr_arena *mem, const char **out,
                                     struct ipr_err *err);

/** True for a key (ipr_name_key) that means an unknown player: "NN", "N.N.", "N, N" (nomen nescio,
 * as usual in collections of games), "Unknown", "Anonymous". */
bool ipr_name_of_nobody(const char *key);

/** The key in letters without accents: NFKD without marks, letters without a mark spelled out
 * (æ ae, ø o, ł l, đ ð d, þ th, œ oe), dashes "-", apostrophes "'". */
const char *ipr_name_fold(const char *key, struct ipr_arena *mem);

#define IPR_SLUG_MAX 60

/** A name as a piece of an address: lower-case letters and digits of ASCII, one "-" between words,
 * at most IPR_SLUG_MAX bytes, cut between words. "" when nothing is left, or digits alone, which
 * would be an id. */
const char *ipr_name_slug(const char *name, struct ipr_arena *mem);

/** Ending of an ordinal of n digits, 1 at least: "st" of 1, "th" of 11. */
const char *ipr_name_ordinal(const char *digits, size_t n);

/** A name of an event as it is read: tags have "31th", which is "31st". Exports and the API have
 * the name of the tags, which identifies the event. */
const char *ipr_name_event(const char *name, struct ipr_arena *mem);

/** The same with the year of the event, for its address: "Linares 1994". Without the year where
 * none is known (0), or where the name ends with it. */
const char *ipr_name_dated(const char *name, int year, struct ipr_arena *mem);

/** The place of the surname. */
enum ipr_name_order {
    IPR_NAME_MARKED, /* before a comma, or the name is one word */
    IPR_NAME_FIRST,  /* no comma: the surname assumed first */
    IPR_NAME_LAST    /* no comma: the surname assumed last */
};

/** One way to read a name. */
struct ipr_name_reading {
    const char *surname; /* folded, letters alone: "o'kelly" and "o kelly" are "okelly"; never "" */
    const char *given;   /* folded words, one space between them; "" when there are none */
    enum ipr_name_order order;
};

#define IPR_NAME_READINGS 12

/** Every way to read a key, in `mem`; none for "". A comma ends the
 * surname; without one the first or the last one to three words may be it. Names with ä ö ü ø å
 * are read twice, as a o u o a and as ae oe ue oe aa: both spellings occur.
 */
size_t ipr_name_readings(const char *key, struct ipr_arena *mem,
                         struct ipr_name_reading out[IPR_NAME_READINGS]);

/** True if given names may belong to one person: each pair of words equal, or one a prefix of the
 * other (initials), as far as both go; not when one side has none. Two or three consonants may
 * stand for as many initials ("rj", "robert j"). */
bool ipr_name_given_fit(const char *a, const char *b);

/** True if `given` is a short form of `longer`: as above, but each word of `given` is a prefix of
 * one of `longer`, or both have the same letters ("yi fan", "yifan"). "" is a short form of
 * everything. */
bool ipr_name_given_within(const char *given, const char *longer);

/** True if two keys (ipr_name_key) may be one person: the same letters, or one reading of each with
 * the same surname and given names that fit. A surname alone is not enough: "fischer" fits
 * "fischer" but not "fischer,robert"; "" fits only itself. Without commas the same order is
 * accepted only with the surname last: "john s" may be short for "john smith", but hardly John by
 * surname. Fitting does not mean identity: "karpov,a" fits both "karpov,anatoly" and
 * "karpov,alexander".
 */
bool ipr_names_fit(const char *a_key, const char *b_key);

#endif
