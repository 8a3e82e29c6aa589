/* Figures of queue, workers and database for a monitoring system. */
#include "core/metrics.h"

#include <string.h>

#include "db/analyses.h"
#include "db/monitor.h"
#include "db/remote.h"
#include "db/workers.h"
#include "view/view.h"

static void put_sample(struct ipr_buf *out, const char *name, const char *label, const char *text,
                       double value)
{
    const struct ipr_metric_label one = { label, text };

    ipr_metric_sample(out, name, &one, 1, value);
}

/* ---- queue ---- */

static enum ipr_code put_jobs(const struct ipr_view *v, struct ipr_buf *out, struct ipr_err *err)
{
    struct ipr_db_job_count *rows = NULL;
    double oldest = 0.0;
    size_t n = 0;

    const enum ipr_code rc = ipr_db_job_counts(v->db, v->mem, &rows, &n, err);
    if (rc != IPR_OK)
        return rc;
    ipr_metric_family(out, "intrinsic_jobs", IPR_METRIC_GAUGE,
                      "Games in the queue: to be analysed (kind judge) or of which some moves are "
                      "analysed again (kinds check and confirm).");
    for (size_t i = 0; i < n; i++) {
        const struct ipr_metric_label labels[] = { { "judge", rows[i].judge },
                                                   { "kind", rows[i].kind },
                                                   { "state", rows[i].state } };
        ipr_metric_sample(out, "intrinsic_jobs", labels, 3, (double)rows[i].jobs);
        /* Confirmations are idle work: they may wait for long. */
        if (strcmp(rows[i].state, "ready") == 0 && strcmp(rows[i].kind, "confirm") != 0 &&
            rows[i].oldest_s > oldest)
            oldest = rows[i].oldest_s;
    }
    ipr_metric_one(out, "intrinsic_oldest_ready_job_seconds", IPR_METRIC_GAUGE,
                   "Age of the oldest waiting job but confirmations; 0 if none waits.", oldest);
    return IPR_OK;
}

static enum ipr_code put_judged(const struct ipr_view *v, struct ipr_buf *out, struct ipr_err *err)
{
    struct ipr_db_queue q;

    const enum ipr_code rc = ipr_db_queue_state(v->db, &q, err);
    if (rc != IPR_OK)
        return rc;
    ipr_metric_one(out, "intrinsic_judged_games", IPR_METRIC_GAUGE,
                   "Games stored with both sides analysed, over all engine settings.",
                   (double)q.judged_games);
    ipr_metric_one(out, "intrinsic_judged_turns", IPR_METRIC_GAUGE,
                   "Analysed moves stored, over all engine settings.", (double)q.judged_turns);
    return IPR_OK;
}

/* ---- reports ---- */

static enum ipr_code put_reports(const struct ipr_view *v, struct ipr_buf *out, struct ipr_err *err)
{
    struct ipr_db_report_count *rows = NULL;
    size_t n = 0;

    const enum ipr_code rc = ipr_db_report_counts(v->db, v->mem, &rows, &n, err);
    if (rc != IPR_OK)
        return rc;
    ipr_metric_family(
        out, "intrinsic_reports", IPR_METRIC_GAUGE,
        "Reports that wait (wanted), are being computed (running), are stored (kept) or failed.");
    for (size_t i = 0; i < n; i++) {
        const struct ipr_metric_label labels[] = { { "kind", rows[i].kind },
                                                   { "state", rows[i].state } };
        ipr_metric_sample(out, "intrinsic_reports", labels, 2, (double)rows[i].reports);
    }
    return IPR_OK;
}

/* ---- workers ---- */

static const struct {
    const char *name, *help;
} counts[] = {
    { "intrinsic_worker_games_total", "Games analysed since the worker's start." },
    { "intrinsic_worker_turns_total",
      "Moves analysed since the worker's start, known ones included." },
    { "intrinsic_worker_cached_turns_total", "Of these moves, those known from another game." },
    { "intrinsic_worker_engine_failures_total", "Engines that died, hung or broke the protocol." },
    { "intrinsic_worker_leases_lost_total",
      "Games given back because the lease ran out or was revoked." },
};

/* In their order. */
static double worker_count(const struct ipr_db_worker *w, size_t i)
{
    const int64_t n[] = { w->games, w->turns, w->cached, w->failures, w->leases_lost };

    return (double)n[i];
}

static enum ipr_code put_workers(const struct ipr_view *v, struct ipr_buf *out, struct ipr_err *err)
{
    struct ipr_db_worker *w = NULL;
    size_t n = 0;

    const enum ipr_code rc = ipr_db_workers(v->db, v->mem, &w, &n, err);
    if (rc != IPR_OK)
        return rc;
    ipr_metric_one(out, "intrinsic_workers", IPR_METRIC_GAUGE,
                   "Worker processes that reported in the last minute.", (double)n);
    ipr_metric_family(out, "intrinsic_worker_engines", IPR_METRIC_GAUGE, "Engines of the worker.");
    for (size_t i = 0; i < n; i++)
        put_sample(out, "intrinsic_worker_engines", "worker", w[i].name, w[i].threads);
    for (size_t f = 0; f < sizeof counts / sizeof *counts; f++) {
        ipr_metric_family(out, counts[f].name, IPR_METRIC_COUNTER, counts[f].help);
        for (size_t i = 0; i < n; i++)
            put_sample(out, counts[f].name, "worker", w[i].name, worker_count(&w[i], f));
    }
    return IPR_OK;
}

/* ---- other people's machines ---- */

static const struct {
    const char *name, *help;
} key_counts[] = {
    { "intrinsic_fishnet_games", "Games analysed with a fishnet key." },
    { "intrinsic_fishnet_games_checked", "Of these, games that a local worker has checked." },
    { "intrinsic_fishnet_games_failed", "Of these, games whose analysis was found to be wrong." },
    { "intrinsic_fishnet_leases_run_out",
      "Games whose lease ran out without an answer of the client." },
    { "intrinsic_fishnet_key_suspended",
      "1 if the key is suspended (see `intrinsic token list`)." },
};

static double key_count(const struct ipr_db_token *t, size_t i)
{
    const int64_t n[] = { t->games, t->checked, t->failed, t->silences, t->suspended != NULL };

    return (double)n[i];
}

static enum ipr_code put_keys(const struct ipr_view *v, struct ipr_buf *out, struct ipr_err *err)
{
    struct ipr_db_token *t = NULL;
    size_t n = 0;

    const enum ipr_code rc = ipr_db_token_list(v->db, v->mem, &t, &n, err);
    if (rc != IPR_OK)
        return rc;
    for (size_t f = 0; f < sizeof key_counts / sizeof *key_counts; f++) {
        ipr_metric_family(out, key_counts[f].name, IPR_METRIC_GAUGE, key_counts[f].help);
        for (size_t i = 0; i < n; i++)
            if (strcmp(t[i].kind, "fishnet") == 0 && t[i].revoked == NULL)
                put_sample(out, key_counts[f].name, "key", t[i].name, key_count(&t[i], f));
    }
    return IPR_OK;
}

/* ---- database ---- */

static enum ipr_code put_database(const struct ipr_view *v, struct ipr_buf *out,
                                  struct ipr_err *err)
{
    struct ipr_db_health h;

    const enum ipr_code rc = ipr_db_health(v->db, &h, err);
    if (rc != IPR_OK)
        return rc;
    ipr_metric_one(out, "intrinsic_database_xmin_age_transactions", IPR_METRIC_GAUGE,
                   "Transactions since the oldest snapshot, prepared transaction or replication "
                   "slot; rows that became dead since then cannot be removed.",
                   (double)h.xmin_age);
    ipr_metric_one(out, "intrinsic_database_oldest_snapshot_seconds", IPR_METRIC_GAUGE,
                   "Age of the oldest transaction that holds a snapshot.", h.oldest_snapshot_s);
    ipr_metric_one(out, "intrinsic_job_table_live_rows", IPR_METRIC_GAUGE,
                   "Rows of the table of jobs, as PostgreSQL estimates.", (double)h.live_jobs);
    ipr_metric_one(out, "intrinsic_job_table_dead_rows", IPR_METRIC_GAUGE,
                   "Dead rows of the table of jobs, as PostgreSQL estimates.", (double)h.dead_jobs);
    return IPR_OK;
}

enum ipr_code ipr_view_metrics(const struct ipr_view *v, struct ipr_buf *out, struct ipr_err *err)
{
    static enum ipr_code (*const parts[])(const struct ipr_view *, struct ipr_buf *,
                                          struct ipr_err *) = { put_jobs,    put_judged,
                                                                put_reports, put_workers,
                                                                put_keys,    put_database };
    enum ipr_code rc = IPR_OK;

    for (size_t i = 0; rc == IPR_OK && i < sizeof parts / sizeof *parts; i++)
        rc = parts[i](v, out, err);
    return rc;
}
