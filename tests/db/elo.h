#ifndef IPR_TEST_DB_ELO_H
#define IPR_TEST_DB_ELO_H

/* Rating lists, and sample games without ratings in their tags. */
#include "db/elo.h"

#include <stdio.h>
#include <stdlib.h>

#include "ingest/ratings.h"
#include "ipr_db_sample.h"
#include "ipr_db_test.h"
#include "ipr_test.h"
#include "ipr_view_sample.h"

#define SAMPLE "tests/data/ratings/lists.ssp"

static inline void no_fault(void *arg, uint32_t line, uint32_t column, const char *word,
                            const char *why)
{
    (void)arg;
    (void)line;
    (void)column;
    (void)word;
    (void)why;
}

static inline struct ipr_ratings_result import(struct ipr_view_scene *s, const char *path)
{
    struct ipr_ratings_result r = { 0 };

    assert_ok(ipr_ratings_import(s->db, path, no_fault, NULL, &r, &s->err), &s->err);
    return r;
}

static inline struct ipr_db_new_game game(struct ipr_view_scene *s, unsigned seed,
                                          const char *white, const char *black, const char *date)
{
    struct ipr_db_new_game g = ipr_sample_game(&s->mem, seed, white, black, 0, 60);

    g.year = g.event_year = (int)strtol(date, NULL, 10); /* 0 for "????" */
    g.date = date;
    g.white_elo = g.black_elo = 0;
    g.result = IPR_DRAW;
    return g;
}

static inline void store(struct ipr_view_scene *s, struct ipr_db_new_game g)
{
    ipr_sample_store(s->db, &g, 1, "sample");
}

#endif
