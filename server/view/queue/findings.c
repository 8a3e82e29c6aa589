/* The sentences at the head of queue and uploads. */
#include "view/queue/findings.h"

#include <math.h>
#include <string.h>

#include "core/pools.h"
#include "view/json.h"
#include "view/wording.h"

static const char *games_text(double n, struct ipr_arena *mem)
{
    return ipr_wording_plural(n, "game", "games", mem);
}

/* " Time remaining: about 3 minutes."; `remaining` is null where nothing is left. */
static const char *remaining_text(const json_t *progress, struct ipr_arena *mem)
{
    const char *const left = ipr_json_text_at(progress, "remaining");

    return *left == '\0' ? "" : ipr_arena_printf(mem, " Time remaining: %s.", left);
}

static const char *failed_text(double failed, struct ipr_arena *mem)
{
    return failed > 0 ? ipr_arena_printf(mem, " %s failed.", games_text(failed, mem)) : "";
}

/* ---- queue ---- */

static const char *queue_busy(const json_t *q, double ready, double running, double paused,
                              struct ipr_arena *mem)
{
    const char *const is = ipr_arena_printf(mem, "%s being analysed", running == 1 ? "is" : "are");
    const char *const now = running > 0
                                ? ipr_arena_printf(mem, "%s %s", games_text(running, mem), is)
                                : "No game is being analysed";
    const char *wait = "", *rest = "";

    if (ready > 0)
        wait = ipr_arena_printf(mem, ", %s", ipr_wording_plural(ready, "waits", "wait", mem));
    if (paused > 0)
        rest = ipr_arena_printf(mem, ", %s",
                                ipr_wording_plural(paused, "is paused", "are paused", mem));
    return ipr_arena_printf(
        mem, "%s%s%s: %s left.%s", now, wait, rest,
        ipr_wording_plural(ipr_json_at(q, "turns_left", 0), "move is", "moves are", mem),
        remaining_text(q, mem));
}

const char *ipr_queue_finding(const json_t *queue, struct ipr_arena *mem)
{
    const json_t *const q = json_object_get(queue, "queue");
    const double ready = ipr_json_at(q, "ready", 0), running = ipr_json_at(q, "running", 0),
                 paused = ipr_json_at(q, "paused", 0);
    const char *const now = ready + running + paused > 0
                                ? queue_busy(q, ready, running, paused, mem)
                                : "No game waits for analysis.";

    return ipr_arena_printf(
        mem, "%s%s Done so far: %s of %s.", now, failed_text(ipr_json_at(q, "failed", 0), mem),
        ipr_wording_plural(ipr_json_at(q, "judged_games", 0), "analysis", "analyses", mem),
        ipr_wording_plural(ipr_json_at(q, "judged_turns", 0), "move", "moves", mem));
}

/* ---- uploads ---- */

const char *ipr_uploads_finding(const json_t *uploads, struct ipr_arena *mem)
{
    const json_t *const list = json_object_get(uploads, "uploads");
    const bool more = *ipr_json_text_at(uploads, "next") != '\0';
    const size_t n = json_array_size(list);
    const double games = ipr_json_sum(list, "imported") + ipr_json_sum(list, "duplicate");
    const double left = ipr_json_sum(list, "queued") + ipr_json_sum(list, "running");
    const char *which = "1 file was uploaded. It contains";

    if (n == 0)
        return more ? "No upload is on this page." : "No file has been uploaded yet.";
    if (more)
        which = ipr_arena_printf(mem, "The %zu files listed contain", n);
    else if (n > 1)
        which = ipr_arena_printf(mem, "%zu files were uploaded. They contain", n);
    return ipr_arena_printf(
        mem, "%s %s, of which %s; %s.%s", which, games_text(games, mem),
        ipr_wording_plural(ipr_json_sum(list, "imported"), "was new", "were new", mem),
        left > 0 ? ipr_arena_printf(mem, "%s not analysed yet",
                                    ipr_wording_plural(left, "of those queued for analysis is",
                                                       "of those queued for analysis are", mem))
                 : "no game of them waits for analysis",
        failed_text(ipr_json_sum(list, "failed"), mem));
}

/* Says how many games of a stored upload are analysed. */
static const char *upload_analysed(const json_t *u, struct ipr_arena *mem)
{
    const double games = ipr_json_at(u, "imported", 0) + ipr_json_at(u, "duplicate", 0);
    const double left = ipr_json_at(u, "queued", 0) + ipr_json_at(u, "running", 0),
                 analysed = ipr_json_at(u, "analysed", 0), failed = ipr_json_at(u, "failed", 0);
    const char *const stored =
        ipr_arena_printf(mem, "%s stored", ipr_wording_plural(games, "game is", "games are", mem));

    if (left + analysed + failed == 0)
        return ipr_arena_printf(mem, "%s; none of them is queued for analysis.", stored);
    if (left + failed == 0)
        return ipr_arena_printf(mem, "%s, and %s analysed.", stored,
                                analysed == 1 ? "the one that was queued is"
                                              : "all that were queued are");
    return ipr_arena_printf(mem, "%s; %s of the %s queued for analysis %s done.%s%s", stored,
                            ipr_wording_count(analysed, mem),
                            ipr_wording_count(left + analysed + failed, mem),
                            analysed == 1 ? "is" : "are", failed_text(failed, mem),
                            remaining_text(json_object_get(u, "judging"), mem));
}

static const char *upload_state(const json_t *u, struct ipr_arena *mem)
{
    const char *const state = ipr_json_text_at(u, "state");
    const double bytes = ipr_json_at(u, "bytes", 0);

    if (strcmp(state, "waiting") == 0)
        return "The file waits for its import.";
    if (strcmp(state, "importing") == 0)
        return bytes > 0
                   ? ipr_arena_printf(mem, "The file is being imported: %.0f%% of it is read.",
                                      100 * ipr_json_at(u, "bytes_read", 0) / bytes)
                   : "The file is being imported.";
    if (strcmp(state, "failed") == 0)
        return "The import failed: no game of the file is stored.";
    if (strcmp(state, "cancelled") == 0)
        return "The upload was cancelled before its import ended.";
    return upload_analysed(u, mem);
}

static bool upload_is_rated(const json_t *one, struct ipr_arena *mem)
{
    return ipr_wording_rating(json_object_get(one, "rating"), mem) != NULL;
}

double ipr_upload_earlier(const json_t *u, const json_t *one)
{
    const double analysed = ipr_json_at(u, "analysed", 0);
    const double queued =
        ipr_json_at(u, "queued", 0) + ipr_json_at(u, "running", 0) + ipr_json_at(u, "failed", 0);
    const double earlier = ipr_json_at(one, "rating.games", 0) - analysed;

    return queued > 0 && earlier > 0 && !ipr_json_true_at(one, "by_file") ? earlier : 0;
}

/* ", which were analysed earlier": not for this upload. */
static const char *upload_earlier_text(const json_t *u, const json_t *one, struct ipr_arena *mem)
{
    const double earlier = ipr_upload_earlier(u, one);

    if (earlier == 0)
        return "";
    if (earlier == ipr_json_at(one, "rating.games", 0))
        return ipr_arena_printf(mem, ", which %s analysed earlier", earlier == 1 ? "was" : "were");
    return ipr_arena_printf(mem, ", at least %s of them analysed earlier",
                            ipr_wording_count(earlier, mem));
}

/* " Lasker, Emanuel (10 of these games) is rated 2472 (…) in rapid over the board." */
static const char *upload_rating_text(const json_t *u, const json_t *one, struct ipr_arena *mem)
{
    const char *const count = ipr_wording_count(ipr_json_at(one, "games", 0), mem);
    const char *const games = ipr_arena_printf(mem, "%s of these games", count);

    return ipr_arena_printf(mem, " %s (%s) is rated %s%s%s.", ipr_json_text_at(one, "player.name"),
                            games, ipr_wording_rating(json_object_get(one, "rating"), mem),
                            ipr_pool_in(ipr_pool_named(ipr_json_text_at(one, "rating.pool")), mem),
                            ipr_json_true_at(one, "by_file") ? ", by the evaluations in the file"
                                                             : upload_earlier_text(u, one, mem));
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
        out = ipr_arena_printf(mem, "%s%s", out, upload_rating_text(u, one, mem));
    }
    return n <= 2 || first == NULL ? out : upload_rating_text(u, first, mem);
}

const char *ipr_upload_finding(const json_t *upload, struct ipr_arena *mem)
{
    return ipr_arena_printf(mem, "%s%s", upload_state(upload, mem),
                            upload_ratings_text(upload, mem));
}
