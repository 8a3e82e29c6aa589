#ifndef IPR_TEST_VECTORS_H
#define IPR_TEST_VECTORS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "model/turn.h"

/*
 * Reader of the reference vectors: tests/data/vectors, or the folder that INTRINSIC_VECTORS
 * names (their README describes the form). Everything fails the running test when it can't be
 * read; objects are borrowed from the file unless said.
 */

/* The whole file; json_decref it. */
json_t *ipr_test_vectors(const char *file);

/* Member of an object, present or not. */
const json_t *ipr_test_get(const json_t *object, const char *key);
double ipr_test_num(const json_t *object, const char *key);
bool ipr_test_has(const json_t *object, const char *key);

/* Array of numbers into x; returns how many. */
size_t ipr_test_array(const json_t *array, double *x, size_t room);

/* a + r |want| of the case's tolerance ("exact" is 0). */
double ipr_test_tol(const json_t *c, double want);

/* Turns of a case. */
struct ipr_test_turns {
    struct ipr_turn *turns;
    size_t n;
    int16_t *cp;
};

/* Turns of `array`; the judge has k lines. The vectors' plies count from 1. */
void ipr_test_turns_read(const json_t *array, unsigned k, struct ipr_test_turns *out);
/* Turns of the case's `turns` or `turns_of_case`. */
void ipr_test_turns_of(const json_t *file, const json_t *c, struct ipr_test_turns *out);
void ipr_test_turns_release(struct ipr_test_turns *t);

/* Fails, naming what was compared, unless |got - want| <= tol. */
void ipr_test_near(double got, double want, double tol, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

#endif
