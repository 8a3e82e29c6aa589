#include "db/monitor.h"

#include "db/pq.h"

static void fill_count(struct ipr_db_row *r, void *out)
{
    struct ipr_db_job_count *c = out;

    c->judge = ipr_db_col_text(r, "judge");
    c->kind = ipr_db_col_text(r, "kind");
    c->state = ipr_db_col_text(r, "state");
    c->jobs = ipr_db_col_i64(r, "jobs");
    c->oldest_s = ipr_db_col_double(r, "oldest_s");
}

enum ipr_code ipr_db_job_counts(struct ipr_db *db, struct ipr_arena *mem,
                                struct ipr_db_job_count **rows, size_t *n, struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };

    return ipr_db_list(db, IPR_Q_MONITOR_JOBS, &p, mem, sizeof **rows, fill_count, (void **)rows, n,
                       err);
}

static void fill_reports(struct ipr_db_row *r, void *out)
{
    struct ipr_db_report_count *c = out;

    c->kind = ipr_db_col_text(r, "kind");
    c->state = ipr_db_col_text(r, "state");
    c->reports = ipr_db_col_i64(r, "reports");
}

enum ipr_code ipr_db_report_counts(struct ipr_db *db, struct ipr_arena *mem,
                                   struct ipr_db_report_count **rows, size_t *n,
                                   struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };

    return ipr_db_list(db, IPR_Q_MONITOR_REPORTS, &p, mem, sizeof **rows, fill_reports,
                       (void **)rows, n, err);
}

static void fill_health(struct ipr_db_row *r, void *out)
{
    struct ipr_db_health *h = out;

    h->xmin_age = ipr_db_col_i64(r, "xmin_age");
    h->oldest_snapshot_s = ipr_db_col_double(r, "oldest_snapshot_s");
    h->live_jobs = ipr_db_col_i64(r, "live_jobs");
    h->dead_jobs = ipr_db_col_i64(r, "dead_jobs");
}

enum ipr_code ipr_db_health(struct ipr_db *db, struct ipr_db_health *out, struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };

    return ipr_db_one(db, IPR_Q_MONITOR_DATABASE, &p, NULL, sizeof *out, fill_health, out,
                      "table of jobs", err);
}

static void fill_owner(struct ipr_db_row *r, void *out)
{
    struct ipr_db_waiting_owner *o = out;

    o->owner = ipr_db_col_text(r, "owner");
    o->program = ipr_db_col_text(r, "program");
    o->priority = ipr_db_col_i32(r, "priority");
    o->jobs = ipr_db_col_i64(r, "jobs");
    o->place = ipr_db_col_i64(r, "place");
}

enum ipr_code ipr_db_waiting_owners(struct ipr_db *db, int limit, struct ipr_arena *mem,
                                    struct ipr_db_waiting_owner **rows, size_t *n,
                                    struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };

    ipr_db_p_int(&p, limit);
    return ipr_db_list(db, IPR_Q_MONITOR_OWNERS, &p, mem, sizeof **rows, fill_owner, (void **)rows,
                       n, err);
}

static void fill_game(struct ipr_db_row *r, void *out)
{
    struct ipr_db_waiting_game *g = out;

    g->id = ipr_db_col_i64(r, "id");
    g->game_id = ipr_db_col_i64(r, "game_id");
    g->place = ipr_db_col_i64(r, "place");
    g->white = ipr_db_col_text(r, "white");
    g->black = ipr_db_col_text(r, "black");
    g->event = ipr_db_col_text(r, "event");
    g->judge = ipr_db_col_text(r, "judge");
    g->owner = ipr_db_col_text(r, "owner");
    g->program = ipr_db_col_text(r, "program");
    g->year = ipr_db_col_i32(r, "year");
    g->priority = ipr_db_col_i32(r, "priority");
}

enum ipr_code ipr_db_waiting_games(struct ipr_db *db, int limit, struct ipr_arena *mem,
                                   struct ipr_db_waiting_game **rows, size_t *n,
                                   struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };

    ipr_db_p_int(&p, limit);
    return ipr_db_list(db, IPR_Q_MONITOR_NEXT, &p, mem, sizeof **rows, fill_game, (void **)rows, n,
                       err);
}

static void fill_upload(struct ipr_db_row *r, void *out)
{
    struct ipr_db_upload_jobs *u = out;

    u->id = ipr_db_col_i64(r, "id");
    u->source = ipr_db_col_text(r, "source");
    u->created = ipr_db_col_text(r, "created");
    u->judge = ipr_db_col_text(r, "judge");
    u->white = ipr_db_col_text_or(r, "white", "");
    u->black = ipr_db_col_text_or(r, "black", "");
    u->event = ipr_db_col_text_or(r, "event", "");
    u->owner = ipr_db_col_text(r, "owner");
    u->owners = ipr_db_col_i32(r, "owners");
    u->games = ipr_db_col_i64(r, "games");
    u->priority = ipr_db_col_i32(r, "priority");
    u->ready = ipr_db_col_i64(r, "ready");
    u->running = ipr_db_col_i64(r, "running");
    u->paused = ipr_db_col_i64(r, "paused");
    u->failed = ipr_db_col_i64(r, "failed");
}

enum ipr_code ipr_db_upload_jobs(struct ipr_db *db, int limit, struct ipr_arena *mem,
                                 struct ipr_db_upload_jobs **rows, size_t *n, struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };

    ipr_db_p_int(&p, limit);
    return ipr_db_list(db, IPR_Q_MONITOR_UPLOADS, &p, mem, sizeof **rows, fill_upload,
                       (void **)rows, n, err);
}

struct unjudged {
    int64_t games, turns;
};

static void fill_unjudged(struct ipr_db_row *r, void *out)
{
    struct unjudged *u = out;

    u->games = ipr_db_col_i64(r, "games");
    u->turns = ipr_db_col_i64(r, "turns");
}

enum ipr_code ipr_db_unjudged(struct ipr_db *db, int32_t person, int year, const char *judge,
                              int64_t *games, int64_t *turns, struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };
    struct unjudged u = { 0, 0 };

    ipr_db_p_int(&p, person);
    ipr_db_p_int(&p, year);
    ipr_db_p_text(&p, judge);
    const enum ipr_code rc =
        ipr_db_one(db, IPR_Q_MONITOR_UNJUDGED, &p, NULL, sizeof u, fill_unjudged, &u, "games", err);
    if (rc == IPR_OK) {
        *games = u.games;
        *turns = u.turns;
    }
    return rc;
}

static void fill_judged_by(struct ipr_db_row *r, void *out)
{
    struct ipr_db_judged_by *j = out;

    j->judge_id = ipr_db_col_i32(r, "id");
    j->name = ipr_db_col_text(r, "name");
    j->multipv = ipr_db_col_i32(r, "multipv");
    j->games = ipr_db_col_i64(r, "games");
    j->turns = ipr_db_col_i64(r, "turns");
}

enum ipr_code ipr_db_judged_by(struct ipr_db *db, int32_t person, int year, struct ipr_arena *mem,
                               struct ipr_db_judged_by **rows, size_t *n, struct ipr_err *err)
{
    struct ipr_db_params p = { 0 };

    ipr_db_p_int(&p, person);
    ipr_db_p_int(&p, year);
    return ipr_db_list(db, IPR_Q_MONITOR_JUDGED_BY, &p, mem, sizeof **rows, fill_judged_by,
                       (void **)rows, n, err);
}

static void fill_speed(struct ipr_db_row *r, void *out)
{
    double *seconds = out;

    *seconds =
        ipr_db_col_text_or(r, "seconds", NULL) != NULL ? ipr_db_col_double(r, "seconds") : -1.0;
}

enum ipr_code ipr_db_turn_cost(struct ipr_db *db, const char *judge, double *seconds,
                               struct ipr_err *err)
{
    struct ipr_arena mem = IPR_ARENA_INIT;
    struct ipr_db_array judges = { 0 };
    struct ipr_db_params p = { 0 };

    ipr_db_array_text(&judges, judge);
    ipr_db_p_array_take(&p, &judges);
    const enum ipr_code rc = ipr_db_one(db, IPR_Q_JUDGE_SPEEDS, &p, &mem, sizeof *seconds,
                                        fill_speed, seconds, "speed", err);
    ipr_arena_release(&mem);
    return rc;
}
