#ifndef IPR_TEST_DB_DUPLICATES_H
#define IPR_TEST_DB_DUPLICATES_H

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "db/duplicate_candidates.h"
#include "db/identity_changes.h"
#include "db/jobs.h"
#include "db/judges.h"
#include "db/turns.h"
#include "db/uploads.h"
#include "ingest/ingest.h"
#include "ipr_db_sample.h"
#include "ipr_db_test.h"
#include "ipr_pack_test.h"
#include "ipr_test.h"
#include "view/view.h"

#define PLIES_24 "1. e4 " PLIES_24_ON
#define PLIES_24_ON                                                                                \
    "e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O "                 \
    "9. h3 Na5 10. Bc2 c5 11. d4 Qc7 12. Nbd2 cxd4"
#define PLIES_30 PLIES_24 " 13. cxd4 Nc6 14. Nb3 a5 15. Be3 a4"

#define GAME(tags, result, moves) tags "[Result \"" result "\"]\n\n" moves " " result "\n\n"
#define PLAYERS                   "[White \"Fischer, Robert J\"]\n[Black \"Spassky, Boris V\"]\n"
#define POOR                      "[Event \"?\"]\n[Date \"????.??.??\"]\n" PLAYERS
#define RICH                                                                                       \
    "[Event \"World Championship 28th\"]\n[Site \"Reykjavik\"]\n[Date \"1972.08.27\"]\n"           \
    "[Round \"20\"]\n" PLAYERS "[WhiteElo \"2785\"]\n"

static const struct ipr_ingest_options plain = {
    .source = "test.pgn", .priority = 5, .owner = "local", .max_bytes = 1 << 28, .again = true
};

static inline enum ipr_code try(struct ipr_db_fixture *f, const char *text,
                                const struct ipr_ingest_options *options,
                                struct ipr_ingest_result *r)
{
    const int fd = ipr_pack_plain(text, strlen(text));
    const enum ipr_code rc = ipr_ingest_fd(f->db, fd, options, r, &f->err);

    close(fd);
    return rc;
}

static inline struct ipr_ingest_result import(struct ipr_db_fixture *f, const char *text)
{
    struct ipr_ingest_result r = { 0 };

    assert_ok(try(f, text, &plain, &r), &f->err);
    return r;
}

static inline void expect(const struct ipr_ingest_result *r, int imported, enum ipr_duplicate kind,
                          int duplicates, int improved)
{
    assert_int_equal(r->imported, imported);
    assert_int_equal(r->duplicate, duplicates);
    assert_int_equal(r->duplicates[kind], duplicates);
    assert_int_equal(r->improved, improved);
    assert_int_equal(r->rejected, 0);
}

static inline int totals_teardown(void **state)
{
    ipr_sample_totals_hold();
    return ipr_db_fixture_teardown(state);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, ipr_db_fixture_setup, totals_teardown)

#endif
