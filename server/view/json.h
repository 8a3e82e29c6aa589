#ifndef IPR_VIEW_JSON_H
#define IPR_VIEW_JSON_H

#include <stdbool.h>

#include <jansson.h>

#include "base/error.h"
#include "base/str.h"
#include "stats/interval.h"

/* Small JSON values for all resources. All return new references, never NULL. */

/** A figure rounded to 10 significant digits, so that the last bits of a sum do not show. */
json_t *ipr_json_num(double x);
double ipr_json_round(double x);

/** {"low", "high", "level": 0.95} */
json_t *ipr_json_interval(struct ipr_interval i);
/** Reads one; NAN for an end that it does not have. */
struct ipr_interval ipr_json_interval_of(const json_t *interval);
/** null if it is not known. */
json_t *ipr_json_interval_if(bool known, struct ipr_interval i);

/** Text, or null when it is NULL, "" or PGN's "?". */
json_t *ipr_json_text(const char *s);

/** A whole number, or null when it is 0 (year, Elo: 0 is unknown). */
json_t *ipr_json_known(json_int_t n);

/** {"id", "name"} */
json_t *ipr_json_player(json_int_t id, const char *name);

/** Number at a dotted path, or `fallback` when there is none ("ipr.interval.low"). */
double ipr_json_at(const json_t *o, const char *path, double fallback);

/** Value at a dotted path, borrowed; NULL when there is none. */
const json_t *ipr_json_find(const json_t *o, const char *path);

/** Text at a dotted path, or "". */
const char *ipr_json_text_at(const json_t *o, const char *path);

/** The first object of a list with that text as its member, borrowed; NULL when there is none. */
json_t *ipr_json_first(const json_t *list, const char *member, const char *text);

/** Sum of a number over the objects of a list; those without it count as 0. */
double ipr_json_sum(const json_t *list, const char *member);

/** True if the value at a path is true. */
bool ipr_json_true_at(const json_t *o, const char *path);

#endif
