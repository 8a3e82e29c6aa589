#ifndef IPR_TEST_DB_ANALYSES_H
#define IPR_TEST_DB_ANALYSES_H

/* Uploads of sample games and requests for their analysis. */
#include "db/analyses.h"

#include "ipr_db_sample.h"
#include "ipr_db_test.h"
#include "ipr_test.h"

#define PLIES 36 /* of every game here: 20 turns of the judge "sample" */

static const struct ipr_db_selection everything;

struct upload {
    int64_t id;
    const struct ipr_db_new_game *games;
    size_t n;
};

/* Stores n games of two players in one year. */
static inline struct upload store(struct ipr_db_fixture *f, unsigned n, const char *white,
                                  const char *black, int year)
{
    static unsigned seed = 1000;
    struct ipr_db_new_game *g = ipr_arena_alloc(&f->mem, n, sizeof *g);

    for (unsigned i = 0; i < n; i++)
        g[i] = ipr_sample_game(&f->mem, ++seed, white, black, year, PLIES);
    return (struct upload){ ipr_sample_store(f->db, g, n, "sample"), g, n };
}

static inline void queue(struct ipr_db_fixture *f, struct ipr_db_selection s, const char *owner,
                         int32_t want_queued, int32_t want_there)
{
    const struct ipr_db_plan plan = { .games = s };
    struct ipr_db_planned n = { 0 };

    assert_ok(ipr_db_analyses_queue(f->db, &plan, "sample", 5, owner, false, &n, &f->err), &f->err);
    assert_int_equal(n.games - n.there, want_queued);
    assert_int_equal(n.there, want_there);
}

static inline void steer(struct ipr_db_fixture *f, struct ipr_db_selection s,
                         enum ipr_db_steer what, int priority, int32_t want)
{
    int32_t changed = -1;

    assert_ok(ipr_db_analyses_steer(f->db, &s, what, priority, &changed, &f->err), &f->err);
    assert_int_equal(changed, want);
}

static inline void queue_toga(struct ipr_db_fixture *f, int64_t upload, int priority,
                              const char *owner)
{
    const struct ipr_db_selection s = { .upload = upload };
    const struct ipr_db_plan plan = { .games = s };
    struct ipr_db_planned n;

    assert_ok(ipr_db_analyses_queue(f->db, &plan, "toga", priority, owner, false, &n, &f->err),
              &f->err);
}

#endif
