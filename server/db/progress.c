/* How far the judging of a selection is, and how long it will take. */
#include <string.h>

#include "db/selection.h"

/* Jobs of one program, judge and state. */
struct group {
    const char *program, *judge, *state;
    int64_t jobs, turns, age_s;
};

static void fill_group(struct ipr_db_row *r, void *out)
{
    struct group *g = out;

    g->program = ipr_db_col_text(r, "program");
    g->judge = ipr_db_col_text(r, "judge");
    g->state = ipr_db_col_text(r, "state");
    g->jobs = ipr_db_col_i64(r, "jobs");
    g->turns = ipr_db_col_i64(r, "turns");
    g->age_s = ipr_db_col_i64(r, "age_s");
}

/* Turns for one judge. */
struct share {
    const char *judge;
    int64_t turns;
};

static void fill_share(struct ipr_db_row *r, void *out)
{
    struct share *s = out;

    s->judge = ipr_db_col_text(r, "judge");
    s->turns = ipr_db_col_i64(r, "turns");
}

struct speed {
    double seconds; /* a turn; < 0: not measured */
};

static void fill_speed(struct ipr_db_row *r, void *out)
{
    struct speed *s = out;

    s->seconds =
        ipr_db_col_text_or(r, "seconds", NULL) != NULL ? ipr_db_col_double(r, "seconds") : -1.0;
}

struct engines {
    int engines, missing;
};

static void fill_engines(struct ipr_db_row *r, void *out)
{
    struct engines *e = out;

    e->engines = ipr_db_col_i32(r, "engines");
    e->missing = ipr_db_col_i32(r, "missing");
}

static void fill_games(struct ipr_db_row *r, void *out)
{
    int64_t *games = out;

    *games = ipr_db_col_i64(r, "games");
}

static bool is_whole_queue(const struct ipr_db_selection *s)
{
    return s->upload == 0 && s->game == 0 && s->person == 0;
}

static bool is_open(const struct group *g)
{
    return strcmp(g->state, "ready") == 0 || strcmp(g->state, "leased") == 0;
}

static void count(struct ipr_db_progress *out, const struct group *g, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (strcmp(g[i].state, "ready") == 0) {
            out->ready += g[i].jobs;
            if (g[i].age_s > out->oldest_s)
                out->oldest_s = g[i].age_s;
        } else if (strcmp(g[i].state, "leased") == 0) {
            out->running += g[i].jobs;
        } else if (strcmp(g[i].state, "paused") == 0) {
            out->paused += g[i].jobs;
        } else {
            out->failed += g[i].jobs;
        }
        if (is_open(&g[i]))
            out->turns_left += g[i].turns;
    }
}

static enum ipr_code find_judged(struct ipr_db *db, const struct ipr_db_selection *s,
                                 int64_t *games, struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };
    enum ipr_query q = IPR_Q_SELECTION_JUDGED;

    if (is_whole_queue(s)) {
        q = IPR_Q_JUDGED_GAMES;
        ipr_db_p_text(&p, s->judge);
    } else {
        ipr_db_p_selection(&p, s);
    }
    return ipr_db_one(db, q, &p, NULL, sizeof *games, fill_games, games, "games", err);
}

/* ---- time -------------------------------------------------------------------------------------
 */

/* Engines for the programs of what is ready or running. */
static enum ipr_code find_engines(struct ipr_db *db, const struct group *g, size_t n,
                                  struct engines *out, struct ipr_err *err)
{
    struct ipr_db_array programs = { 0 };
    struct ipr_db_params p = { 0 };

    for (size_t i = 0; i < n; i++)
        if (is_open(&g[i]))
            ipr_db_array_text(&programs, g[i].program);
    ipr_db_p_array_take(&p, &programs);
    return ipr_db_one(db, IPR_Q_WORKER_ENGINES, &p, NULL, sizeof *out, fill_engines, out, "workers",
                      err);
}

/* Seconds that one engine would need for all shares; < 0 when a judge was not measured. */
static enum ipr_code find_work(struct ipr_db *db, const struct share *shares, size_t n,
                               struct ipr_arena *mem, double *seconds, struct ipr_err *err)
{
    struct ipr_db_array judges = { 0 };
    struct ipr_db_params p = { 0 };
    void *list = NULL;
    size_t n_speeds = 0;

    for (size_t i = 0; i < n; i++)
        ipr_db_array_text(&judges, shares[i].judge);
    ipr_db_p_array_take(&p, &judges);
    const enum ipr_code rc = ipr_db_list(db, IPR_Q_JUDGE_SPEEDS, &p, mem, sizeof(struct speed),
                                         fill_speed, &list, &n_speeds, err);
    const struct speed *speeds = list;
    double sum = 0.0;

    for (size_t i = 0; rc == IPR_OK && sum >= 0.0 && i < n_speeds && i < n; i++) {
        if (shares[i].turns == 0)
            continue;
        sum = speeds[i].seconds < 0.0 ? -1.0 : sum + (double)shares[i].turns * speeds[i].seconds;
    }
    if (rc == IPR_OK)
        *seconds = sum;
    return rc;
}

static bool any_external(const struct group *g, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (is_open(&g[i]) && strcmp(g[i].program, "fishnet") == 0)
            return true;
    return false;
}

/* Before the end of the queue is all of it. Groups of one judge need not be one share. */
static void share_whole_queue(const struct group *groups, size_t n, struct ipr_arena *mem,
                              struct share **shares, size_t *n_shares)
{
    *shares = ipr_arena_alloc(mem, n, sizeof **shares);
    *n_shares = 0;
    for (size_t i = 0; i < n; i++)
        if (is_open(&groups[i]))
            (*shares)[(*n_shares)++] = (struct share){ groups[i].judge, groups[i].turns };
}

static enum ipr_code find_ahead(struct ipr_db *db, const struct ipr_db_selection *s,
                                struct ipr_arena *mem, struct share **shares, size_t *n,
                                struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };
    void *list = NULL;

    ipr_db_p_selection(&p, s);
    const enum ipr_code rc =
        ipr_db_list(db, IPR_Q_ANALYSES_AHEAD, &p, mem, sizeof **shares, fill_share, &list, n, err);
    if (rc == IPR_OK)
        *shares = list;
    return rc;
}

static enum ipr_code find_time(struct ipr_db *db, const struct ipr_db_selection *s,
                               const struct group *groups, size_t n, struct ipr_arena *mem,
                               struct ipr_db_progress *out, struct ipr_err *err)
{
    struct share *shares = NULL;
    struct engines e = { 0 };
    double work = 0.0;
    size_t n_shares = 0;

    enum ipr_code rc = IPR_OK;

    if (is_whole_queue(s) && s->judge == NULL)
        share_whole_queue(groups, n, mem, &shares, &n_shares);
    else
        rc = find_ahead(db, s, mem, &shares, &n_shares, err);
    if (rc == IPR_OK)
        rc = find_engines(db, groups, n, &e, err);
    if (rc == IPR_OK)
        rc = find_work(db, shares, n_shares, mem, &work, err);
    if (rc != IPR_OK)
        return rc;
    for (size_t i = 0; i < n_shares; i++)
        out->turns_ahead += shares[i].turns;
    out->engines = e.engines;
    if (any_external(groups, n))
        out->unknown = "external";
    else if (e.engines == 0 || e.missing > 0)
        out->unknown = "no_worker";
    else if (work < 0.0)
        out->unknown = "not_measured";
    else
        out->seconds = work / e.engines;
    return IPR_OK;
}

enum ipr_code ipr_db_analyses_progress(struct ipr_db *db, const struct ipr_db_selection *s,
                                       struct ipr_db_progress *out, struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_db_params p = { 0 };
    struct ipr_db_progress progress = { .seconds = -1.0 };
    void *list = NULL;
    size_t n = 0;

    if (is_whole_queue(s))
        ipr_db_p_text(&p, s->judge);
    else
        ipr_db_p_selection(&p, s);
    enum ipr_code rc =
        ipr_db_list(db, is_whole_queue(s) ? IPR_Q_QUEUE_GROUPS : IPR_Q_ANALYSES_GROUPS, &p, &mem,
                    sizeof(struct group), fill_group, &list, &n, err);
    if (rc == IPR_OK) {
        count(&progress, list, n);
        rc = find_judged(db, s, &progress.judged, err);
    }
    if (rc == IPR_OK && progress.ready + progress.running > 0)
        rc = find_time(db, s, list, n, &mem, &progress, err);
    else if (rc == IPR_OK && progress.paused > 0)
        progress.unknown = "paused";
    else if (rc == IPR_OK)
        progress.seconds = 0.0;
    ipr_arena_release(&mem);
    if (rc == IPR_OK)
        *out = progress;
    return rc;
}
