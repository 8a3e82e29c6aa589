#ifndef LAB_NAMES_H
#define LAB_NAMES_H

#include <stdint.h>

#include "base/str.h"

/** FNV-1a with a final mixing step: a digest without a secret, the same on every machine. */
uint64_t bench_digest(const char *text);

/** Surname and first initial in lower-case letters, so that "Paehtz,E" and "Paehtz, Elisabeth" are
 * one player. Different players with the same surname and initial become one, too. The digits of a
 * pseudonym ("online-7031b78cb1") are kept: accounts differ in nothing else. A last one is not:
 * some collections number namesakes with it ("Li Chao2"). */
void bench_player(const char *name, char out[128]);

/** The number that a tag begins with; 0: none. */
long bench_number_in(struct ipr_str tag);

#endif
