#ifndef IPR_TEST_DB_REPORTS_H
#define IPR_TEST_DB_REPORTS_H

#include "db/reports.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "db/duplicate_candidates.h"
#include "db/identity_changes.h"
#include "db/jobs.h"
#include "db/judges.h"
#include "db/turns.h"
#include "ipr_db_sample.h"
#include "ipr_db_test.h"
#include "ipr_test.h"
#include "view/json.h"
#include "view/report/report.h"

#define TIMES IPR_TIME_SET_DEFAULT

static inline int64_t play(struct ipr_db_fixture *f, unsigned seed, const char *white,
                           const char *black)
{
    struct ipr_db_new_game g = ipr_sample_game(&f->mem, seed, white, black, 2001, 60);

    g.tags_json = ipr_arena_printf(&f->mem, "{\"White\":\"%s\",\"Black\":\"%s\"}", white, black);
    ipr_sample_store(f->db, &g, 1, "sample");
    return g.id;
}

static inline int64_t version(struct ipr_db_fixture *f, unsigned times)
{
    int64_t v = -1;

    assert_ok(ipr_db_data_version(f->db, ipr_sample_judge_id(f->db), times, false, &v, &f->err),
              &f->err);
    return v;
}

#endif
