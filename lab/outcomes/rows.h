#ifndef LAB_OUTCOMES_ROWS_H
#define LAB_OUTCOMES_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/** A game: year, players (numbered from 0), Elo (0: none), White's score in half points. */
struct result_row {
    int32_t year;
    uint32_t white, black;
    int elo[2];
    int halves;
};

struct result_rows {
    struct result_row *row; /* [n] by year */
    size_t n, players;
    int32_t *year; /* [years] ascending */
    size_t years;
};

/** Reads static/results/champions.tsv; false when it is malformed. */
bool result_rows_read(FILE *in, struct result_rows *out);
void result_rows_free(struct result_rows *r);

#endif
