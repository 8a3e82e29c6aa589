/* The sentences at the head of queue and uploads. */
#include "view/queue/findings.h"

#include <math.h>
#include <string.h>

#include "core/pools.h"
#include "db/analyses.h"
#include "db/uploads.h"
#include "sentence/sentence.h"
#include "view/figure/figure.h"
#include "view/json.h"
#include "view/wording.h"

/* NULL where nothing is left. */
static const char *remaining_text(const json_t *progress)
{
    const char *const left = ipr_json_text_at(progress, "remaining");

    return *left == '\0' ? NULL : left;
}

/* ---- queue ---- */

const char *ipr_queue_finding(const struct ipr_answer_queue_progress *q, struct ipr_arena *mem)
{
    const struct ipr_db_progress *const p = q->row;
    const struct ipr_queue_queue_slots slots = { .ready = (double)p->ready,
                                                 .running = (double)p->running,
                                                 .paused = (double)p->paused,
                                                 .left = (double)p->turns_left,
                                                 .remaining = q->remaining,
                                                 .failed = (double)p->failed,
                                                 .analyses = (double)q->judged_games,
                                                 .moves = (double)q->judged_turns };

    return ipr_say_queue_queue(slots.ready + slots.running + slots.paused > 0
                                   ? IPR_QUEUE_QUEUE_BUSY
                                   : IPR_QUEUE_QUEUE_IDLE,
                               &slots, mem);
}

/* ---- uploads ---- */

const char *ipr_uploads_finding(const struct ipr_answer_uploads *uploads, struct ipr_arena *mem)
{
    const size_t n = uploads->uploads.n;
    struct ipr_queue_uploads_slots slots = { .more = uploads->next != NULL, .n = (double)n };

    for (size_t i = 0; i < n; i++) {
        const struct ipr_db_upload *const u = uploads->uploads.at[i].row;

        slots.games += (double)u->imported + (double)u->duplicate;
        slots.fresh += (double)u->imported;
        slots.left += (double)u->queued + (double)u->running;
        slots.failed += (double)u->failed;
    }
    return ipr_say_queue_uploads(n == 0 ? IPR_QUEUE_UPLOADS_NONE : IPR_QUEUE_UPLOADS_FILES, &slots,
                                 mem);
}

static enum ipr_queue_upload upload_said(const json_t *u, double queued, double analysed)
{
    const char *const state = ipr_json_text_at(u, "state");

    if (strcmp(state, "waiting") == 0)
        return IPR_QUEUE_UPLOAD_WAITING;
    if (strcmp(state, "importing") == 0)
        return IPR_QUEUE_UPLOAD_IMPORTING;
    if (strcmp(state, "failed") == 0)
        return IPR_QUEUE_UPLOAD_FAILED;
    if (strcmp(state, "cancelled") == 0)
        return IPR_QUEUE_UPLOAD_CANCELLED;
    if (queued == 0)
        return IPR_QUEUE_UPLOAD_NONE_QUEUED;
    return analysed == queued ? IPR_QUEUE_UPLOAD_ALL_ANALYSED : IPR_QUEUE_UPLOAD_SOME_ANALYSED;
}

/* Says what becomes of the file, or how many games of a stored one are analysed. */
static const char *upload_state(const json_t *u, struct ipr_arena *mem)
{
    const double analysed = ipr_json_at(u, "analysed", 0), failed = ipr_json_at(u, "failed", 0);
    const double queued =
        ipr_json_at(u, "queued", 0) + ipr_json_at(u, "running", 0) + analysed + failed;
    const double bytes = ipr_json_at(u, "bytes", 0);
    const struct ipr_queue_upload_slots slots = {
        .read = ipr_number_if(bytes > 0, 100 * ipr_json_at(u, "bytes_read", 0) / bytes),
        .games = ipr_json_at(u, "imported", 0) + ipr_json_at(u, "duplicate", 0),
        .queued = queued,
        .analysed = analysed,
        .one = analysed == 1,
        .failed = failed,
        .remaining = remaining_text(json_object_get(u, "judging")),
    };

    return ipr_say_queue_upload(upload_said(u, queued, analysed), &slots, mem);
}

static bool upload_is_rated(const json_t *one, struct ipr_arena *mem)
{
    return ipr_wording_rating(json_object_get(one, "rating"), mem) != NULL;
}

/* How many at least of the games that a rating of an upload rests on were not analysed for it but
 * earlier; 0 where its analysis is not queued, or done. `one`: of "ratings", or "choice". */
static double upload_earlier(const json_t *u, const json_t *one)
{
    const double analysed = ipr_json_at(u, "analysed", 0);
    const double queued =
        ipr_json_at(u, "queued", 0) + ipr_json_at(u, "running", 0) + ipr_json_at(u, "failed", 0);
    const double earlier = ipr_json_at(one, "rating.games", 0) - analysed;

    return queued > 0 && earlier > 0 && !ipr_json_true_at(one, "by_file") ? earlier : 0;
}

/* "Lasker, Emanuel (10 of these games) is rated 2472 (…) in rapid over the board." */
static const char *upload_rating_text(const json_t *u, const json_t *one, struct ipr_arena *mem)
{
    const double earlier = upload_earlier(u, one);
    const char *const pool = ipr_pool_in(ipr_pool_named(ipr_json_text_at(one, "rating.pool")), mem);
    const struct ipr_queue_rated_slots slots = {
        .who = ipr_json_text_at(one, "player.name"),
        .games = ipr_json_at(one, "games", 0),
        .rating = ipr_wording_rating(json_object_get(one, "rating"), mem),
        .pool = *pool == ' ' ? pool + 1 : NULL,
        .file = ipr_json_true_at(one, "by_file"),
        .earlier = ipr_number_if(earlier > 0, earlier),
        .all = earlier == ipr_json_at(one, "rating.games", 0),
    };

    return ipr_say_queue_rated(IPR_QUEUE_RATED_SAID, &slots, mem);
}

/* The player who was chosen; else all who have the most games, if they are at most two (a match);
 * else the first who is rated. */
static const char *upload_ratings_text(const json_t *u, struct ipr_arena *mem)
{
    const json_t *const choice = json_object_get(u, "choice");
    const json_t *const list = json_object_get(u, "ratings");
    const json_t *one, *first = NULL, *before = NULL;
    const char *out = "";
    double most = NAN;
    size_t i, n = 0;

    if (choice != NULL)
        return upload_is_rated(choice, mem) ? upload_rating_text(u, choice, mem) : "";
    json_array_foreach(list, i, one) {
        if (!upload_is_rated(one, mem) ||
            ipr_json_at(one, "player.id", -1) == ipr_json_at(before, "player.id", -2))
            continue;
        before = one;
        if (first == NULL) {
            first = one;
            most = ipr_json_at(one, "games", 0);
        }
        if (ipr_json_at(one, "games", 0) < most)
            break;
        n++;
        out =
            ipr_arena_printf(mem, "%s%s%s", out, n > 1 ? " " : "", upload_rating_text(u, one, mem));
    }
    return n <= 2 || first == NULL ? out : upload_rating_text(u, first, mem);
}

const char *ipr_upload_finding(const json_t *upload, struct ipr_arena *mem)
{
    const char *const rated = upload_ratings_text(upload, mem);

    return ipr_arena_printf(mem, "%s%s%s", upload_state(upload, mem), *rated != '\0' ? " " : "",
                            rated);
}
