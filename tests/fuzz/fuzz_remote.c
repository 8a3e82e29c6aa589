/* The input is a body as clients of the fishnet protocol send it; its analysis is taken for one of
 * 1. e4 e5 by two lines to depth 3. What is accepted holds what ipr_judged_check asks for, and the
 * same text is read the same way twice. */
#include <string.h>

#include "fuzz.h"
#include "uci/remote.h"

static const struct ipr_judge judge = { .multipv = 2,
                                        .depth = 3,
                                        .hash_mb = 16,
                                        .threads = 1,
                                        .first_move = 1,
                                        .clear = IPR_CLEAR_REMOTE,
                                        .apart = IPR_APART_AFTER };

/* The same as a confirmation of the first move. */
static const struct ipr_judge nodes = { .multipv = 2,
                                        .nodes = 1000,
                                        .hash_mb = 16,
                                        .threads = 1,
                                        .first_move = 1,
                                        .clear = IPR_CLEAR_REMOTE,
                                        .apart = IPR_APART_AFTER };
static const bool chosen[] = { true, false };

static size_t game(struct ipr_pos *start, ipr_move moves[2])
{
    static const char *const text[] = { "e2e4", "e7e5" };
    struct ipr_pos pos;

    ipr_pos_start(start);
    pos = *start;
    for (size_t i = 0; i < 2; i++) {
        HOLDS(ipr_move_from_uci(&pos, ipr_str_c(text[i]), &moves[i], NULL) == IPR_OK);
        ipr_pos_play(&pos, moves[i]);
    }
    return 2;
}

static enum ipr_code read_game(struct ipr_str analysis, bool confirm, struct ipr_arena *mem,
                               struct ipr_judged_game *out)
{
    struct ipr_remote_report report;
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_pos start;
    ipr_move moves[2];
    const size_t n = game(&start, moves);
    const struct ipr_judge *by = confirm ? &nodes : &judge;
    enum ipr_code rc = ipr_remote_report_open(analysis, &report, &err);

    if (rc == IPR_OK && report.form == IPR_REMOTE_PARTIAL)
        return IPR_EDATA;
    if (rc == IPR_OK)
        rc = ipr_remote_judged(by, &start, moves, n, confirm ? chosen : NULL, &report, mem, out,
                               &err);
    HOLDS(rc == IPR_OK || (rc == IPR_EPARSE && err.msg[0] != '\0'));
    if (rc == IPR_OK)
        HOLDS(ipr_judged_check(by, &start, moves, n, confirm ? 0 : 3, out, NULL) == IPR_OK);
    return rc;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ipr_remote_body body = { 0 };
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_judged_game once = { 0 }, twice = { 0 };

    if (ipr_remote_body_read((struct ipr_str){ (const char *)data, size }, &body, NULL) != IPR_OK)
        return 0;
    HOLDS(strlen(body.client.key) < sizeof body.client.key);
    HOLDS(strpbrk(body.client.engine, "\n\"\\") == NULL);
    if (body.analysis.p != NULL) {
        const enum ipr_code rc = read_game(body.analysis, false, &mem, &once);

        HOLDS(read_game(body.analysis, false, &mem, &twice) == rc);
        HOLDS(rc != IPR_OK || (once.n == 2 && twice.n == 2));
        HOLDS(read_game(body.analysis, true, &mem, &once) != IPR_OK || once.n == 1);
    }
    ipr_arena_release(&mem);
    return 0;
}
