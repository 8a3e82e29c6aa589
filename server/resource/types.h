#ifndef IPR_RESOURCE_TYPES_H
#define IPR_RESOURCE_TYPES_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

/* Types of parameters that C does not have (server/resources.def). */

/** Absent value of an int that may be 0. */
#define IPR_PARAM_ABSENT INT_MIN

#define IPR_PARAM_TYPED_MAX 200 /* bytes */

/** A player-year; player 0: absent. */
struct ipr_param_side {
    int player, year;
    const char *typed; /* of a page: another text, a name and a year to be looked up; or NULL */
};

#define IPR_PARAM_INTS_MAX 250

/** A list of numbers; n 0: absent. */
struct ipr_param_ints {
    int64_t v[IPR_PARAM_INTS_MAX];
    size_t n;
};

#define IPR_PARAM_TEXTS_MAX 12

/** Texts of a parameter that may be repeated, in their order; n 0: absent. */
struct ipr_param_texts {
    const char *v[IPR_PARAM_TEXTS_MAX];
    size_t n;
};

#endif
