#ifndef IPR_TEST_DB_PEOPLE_H
#define IPR_TEST_DB_PEOPLE_H

#include "db/identity_changes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libpq-fe.h>

#include "db/identities.h"
#include "db/judges.h"
#include "db/players.h"
#include "db/similar_pairs.h"
#include "db/turns.h"
#include "ipr_db_sample.h"
#include "ipr_db_test.h"
#include "ipr_test.h"

struct mentions {
    const struct ipr_identity *who;
    size_t n;
    struct ipr_db_identity *out;
};

static inline enum ipr_code resolve(struct ipr_db *db, void *arg, struct ipr_err *err)
{
    const struct mentions *m = arg;

    return ipr_db_identities(db, m->who, m->n, m->out, err);
}

static inline void identities(struct ipr_db_fixture *f, const struct ipr_identity *who, size_t n,
                              struct ipr_db_identity *out)
{
    struct mentions m = { who, n, out };

    assert_ok(ipr_db_tx(f->db, resolve, &m, &f->err), &f->err);
}

/* A game, judged when asked; its id. */
static inline int64_t play(struct ipr_db_fixture *f, unsigned seed, const char *white,
                           const char *black, int year, bool judged)
{
    struct ipr_db_new_game g = ipr_sample_game(&f->mem, seed, white, black, year, 60);

    g.tags_json =
        ipr_arena_printf(&f->mem, "{\"White\":\"%s\",\"Black\":\"%s\",\"BlackFideId\":\"%u\"}",
                         white, black, 100 + seed);
    ipr_sample_store(f->db, &g, 1, "sample");
    if (judged)
        ipr_sample_judge_game(f->db, &f->mem, g.id, seed);
    return g.id;
}

static inline struct ipr_db_split into(const char *name)
{
    return (struct ipr_db_split){ .name = name, .key = name, .colour = -1 };
}

#endif
