#include "engine/check.h"

#include <inttypes.h>
#include <math.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/log.h"
#include "db/confirmations.h"
#include "db/judges.h"
#include "db/remote.h"
#include "db/turns.h"

#define CLIP_CP    500.0
#define FACTOR_MIN 0.5
#define FACTOR_MAX 2.0
/* A failed check requeues games with these. */
#define PRIORITY 5
#define OWNER    "check"

struct ipr_check {
    struct ipr_db_job job;
    struct ipr_db_unchecked of;
    const struct ipr_db_game *game;
    struct ipr_judged_turn theirs[IPR_CHECK_TURNS]; /* the turns drawn, as received */
    size_t n;
    struct ipr_check_verdict verdict; /* once run */
};

/* ---- comparison ---- */

/* The two scores of a move that both list; mates exceed the clip for any factor. */
struct pair {
    double theirs, ours;
};

static size_t pairs_of(const struct ipr_judged_turn *theirs, const struct ipr_judged_turn *ours,
                       struct pair *out)
{
    size_t n = 0;

    for (unsigned i = 0; i < theirs->lines; i++)
        for (unsigned j = 0; j < ours->lines; j++)
            if (theirs->moves[i] == ours->moves[j])
                out[n++] = (struct pair){ ipr_judged_final(theirs, i), ipr_judged_final(ours, j) };
    return n;
}

static double check_clipped(double cp)
{
    return fmin(fmax(cp, -CLIP_CP), CLIP_CP);
}

enum ipr_code ipr_check_compare(const struct ipr_judged_turn *theirs,
                                const struct ipr_judged_turn *ours, size_t n,
                                struct ipr_check_verdict *out, struct ipr_err *err)
{
    struct ipr_check_verdict v = { .turns = (unsigned)n };
    struct pair *pairs = ipr_xcalloc(n * IPR_MAX_MOVES + 1, sizeof *pairs);
    size_t n_pairs = 0;
    enum ipr_code rc = IPR_OK;

    for (size_t i = 0; rc == IPR_OK && i < n; i++) {
        if (theirs[i].ply != ours[i].ply)
            rc = ipr_err_set(err, IPR_EINVAL, "check: turns at ply %u and %u",
                             (unsigned)theirs[i].ply, (unsigned)ours[i].ply);
        else
            n_pairs += pairs_of(&theirs[i], &ours[i], pairs + n_pairs);
    }
    /* Least squares through the origin, over pairs with both scores inside the clip. */
    double ab = 0.0, aa = 0.0;
    for (size_t i = 0; i < n_pairs; i++) {
        if (fabs(pairs[i].theirs) >= CLIP_CP || fabs(pairs[i].ours) >= CLIP_CP)
            continue;
        ab += pairs[i].theirs * pairs[i].ours;
        aa += pairs[i].theirs * pairs[i].theirs;
    }
    const double factor = aa > 0.0 ? fmin(fmax(ab / aa, FACTOR_MIN), FACTOR_MAX) : 1.0;
    for (size_t i = 0; i < n_pairs; i++)
        v.difference +=
            fabs(check_clipped(factor * pairs[i].theirs) - check_clipped(pairs[i].ours));
    if (n_pairs > 0)
        v.difference /= (double)n_pairs;
    const bool shallow = n > 0 && ours[0].depth < IPR_CHECK_SHALLOW_DEPTH;
    v.passed = v.difference <= (shallow ? IPR_CHECK_TOLERANCE_SHALLOW_CP : IPR_CHECK_TOLERANCE_CP);
    free(pairs);
    if (rc == IPR_OK)
        *out = v;
    return rc;
}

/* ---- the three steps ---- */

static bool is_confirmation(const struct ipr_db_unchecked *of)
{
    return strcmp(of->judge, IPR_CONFIRM) == 0;
}

enum ipr_code ipr_check_load(struct ipr_db *db, const struct ipr_db_job *job,
                             const struct ipr_db_game *game, struct ipr_arena *mem,
                             struct ipr_check **out, struct ipr_judge *definition,
                             struct ipr_err *err)
{
    struct ipr_check *c = ipr_arena_alloc(mem, 1, sizeof *c);
    struct ipr_judged_game stored = { 0 };
    struct ipr_judge judge;

    enum ipr_code rc = ipr_db_unchecked_get(db, job->game_id, job->judge, mem, &c->of, err);
    if (rc == IPR_OK && is_confirmation(&c->of))
        rc = ipr_db_confirmed_by(db, game->id, c->of.judge_id, mem, &judge, &stored, err);
    else if (rc == IPR_OK)
        rc = ipr_db_definition_get(db, job->judge, &judge, err);
    if (rc == IPR_OK && !is_confirmation(&c->of))
        rc = ipr_db_game_turns(db, c->of.judge_id, game->id, mem, &stored, err);
    if (rc != IPR_OK)
        return rc;
    c->job = *job;
    c->game = game;
    /* Each turn with the same probability, in their order (Knuth, vol. 2, algorithm 3.4.2 S). */
    for (size_t i = 0; i < stored.n; i++)
        if (randombytes_uniform((uint32_t)(stored.n - i)) < IPR_CHECK_TURNS - c->n)
            c->theirs[c->n++] = stored.turns[i];
    /* The same search by our own engine, as far as it is known. */
    snprintf(judge.program, sizeof judge.program, "stockfish");
    judge.clear = IPR_CLEAR_POSITION;
    judge.apart = IPR_APART_SEARCHMOVES;
    judge.engine[0] = judge.network[0] = judge.options[0] = '\0';
    *definition = judge;
    *out = c;
    return IPR_OK;
}

enum ipr_code ipr_check_run(struct ipr_check *c, struct ipr_engine *e, ipr_engine_tick_fn tick,
                            void *payload, struct ipr_arena *mem, struct ipr_err *err)
{
    struct ipr_judged_turn ours[IPR_CHECK_TURNS] = { { 0 } };
    enum ipr_code rc = IPR_OK;

    for (size_t i = 0; rc == IPR_OK && i < c->n; i++) {
        struct ipr_judged_game judged = { 0 };
        struct ipr_engine_task task = {
            .start = &c->game->start, .moves = c->game->moves, .tick = tick, .payload = payload
        };

        ipr_engine_task_turn(&task, &c->theirs[i]);
        rc = ipr_engine_judge(e, &task, mem, &judged, NULL, err);
        if (rc == IPR_OK && judged.n == 1)
            ours[i] = judged.turns[0];
    }
    if (rc == IPR_OK)
        rc = ipr_check_compare(c->theirs, ours, c->n, &c->verdict, err);
    if (is_confirmation(&c->of))
        c->verdict.passed =
            c->n < IPR_CHECK_CHOSEN_MIN || c->verdict.difference <= IPR_CHECK_TOLERANCE_CHOSEN_CP;
    return rc;
}

/* Queues the game to be judged again, and a check of everything else this key has sent. */
static enum ipr_code check_distrust(struct ipr_db *db, const struct ipr_check *c,
                                    struct ipr_arena *mem, struct ipr_err *err)
{
    struct ipr_db_unchecked *others = NULL;
    size_t n = 0;
    int32_t queued = 0;
    const char *why = ipr_arena_printf(
        mem, "game %" PRId64 ": %u turns judged again differ by %.0f centipawns on average",
        c->of.game_id, c->verdict.turns, c->verdict.difference);

    ipr_log(IPR_LOG_ERROR, "key_suspended", "key=\"%s\" msg=\"%s\"", ipr_log_text(c->of.key), why);
    enum ipr_code rc = ipr_db_key_suspend(db, c->of.key_id, why, err);
    if (rc == IPR_OK && is_confirmation(&c->of))
        rc = ipr_db_jobs_confirm(db, &c->of.game_id, 1, 0, &(int64_t){ 0 }, err);
    else if (rc == IPR_OK)
        rc = ipr_db_jobs_enqueue(db, &c->of.game_id, 1, c->of.judge, PRIORITY, OWNER, &queued, err);
    if (rc == IPR_OK)
        rc = ipr_db_unchecked_list(db, c->of.key_id, mem, &others, &n, err);
    for (size_t i = 0; rc == IPR_OK && i < n; i++)
        rc = ipr_db_job_add_check(db, others[i].game_id, others[i].judge, err);
    return rc;
}

enum ipr_code ipr_check_store(struct ipr_db *db, const struct ipr_check *c, struct ipr_err *err)
{
    const struct ipr_check_verdict *v = &c->verdict;
    struct ipr_arena mem = IPR_ARENA_INIT;
    enum ipr_code rc = IPR_OK;

    ipr_log(IPR_LOG_INFO, "game_checked", "game=%" PRId64 " key=\"%s\" turns=%u difference=%.1f%s",
            c->of.game_id, ipr_log_text(c->of.key), v->turns, v->difference,
            v->passed ? "" : " failed=true");
    /* Lock order as everywhere: game, aggregates, job, key. The job is locked and not yet deleted:
     * another failing check of this key waits for its end before it queues the game again. */
    if (!v->passed)
        rc = is_confirmation(&c->of)
                 ? ipr_db_confirmation_forget(db, c->of.game_id, c->of.judge_id, err)
                 : ipr_db_judgement_forget(db, c->of.game_id, c->of.judge_id, 3u, err);
    if (rc == IPR_OK)
        rc = ipr_db_job_lock(db, &c->job, err);
    if (rc == IPR_OK)
        rc = ipr_db_remote_checked(db, &c->of, v->turns, v->difference, v->passed, err);
    if (rc == IPR_OK && !v->passed)
        rc = check_distrust(db, c, &mem, err);
    ipr_arena_release(&mem);
    return rc;
}
