#ifndef BENCHMARK_NAMES_H
#define BENCHMARK_NAMES_H

#include <stdint.h>

/** FNV-1a, mixed: a digest of text that needs no secret, only to be the same everywhere. */
uint64_t bench_digest(const char *text);

/** Surname and first initial in lower-case letters, so that "Paehtz,E" and "Paehtz, Elisabeth" are
 * one player. So are different players of one such name. */
void bench_player(const char *name, char out[128]);

#endif
