/* Figures of queue, workers and database for a monitoring system. */
#include "core/metrics.h"

#include <string.h>

#include "db/analyses.h"
#include "db/monitor.h"
#include "db/remote.h"
#include "db/workers.h"
#include "sentence/sentence.h"
#include "view/view.h"

/* A family begins with what the catalogue says of it. */
static void put_family(struct ipr_buf *out, const char *name, enum ipr_metric_type type)
{
    ipr_metric_family(out, name, type, ipr_sentence_word(ipr_sentence_words("metrics"), name));
}

static void put_gauge(struct ipr_buf *out, const char *name, double value)
{
    put_family(out, name, IPR_METRIC_GAUGE);
    ipr_metric_sample(out, name, NULL, 0, value);
}

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
    put_family(out, "intrinsic_jobs", IPR_METRIC_GAUGE);
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
    put_gauge(out, "intrinsic_oldest_ready_job_seconds", oldest);
    return IPR_OK;
}

static enum ipr_code put_judged(const struct ipr_view *v, struct ipr_buf *out, struct ipr_err *err)
{
    struct ipr_db_queue q;

    const enum ipr_code rc = ipr_db_queue_state(v->db, &q, err);
    if (rc != IPR_OK)
        return rc;
    put_gauge(out, "intrinsic_judged_games", (double)q.judged_games);
    put_gauge(out, "intrinsic_judged_turns", (double)q.judged_turns);
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
    put_family(out, "intrinsic_reports", IPR_METRIC_GAUGE);
    for (size_t i = 0; i < n; i++) {
        const struct ipr_metric_label labels[] = { { "kind", rows[i].kind },
                                                   { "state", rows[i].state } };
        ipr_metric_sample(out, "intrinsic_reports", labels, 2, (double)rows[i].reports);
    }
    return IPR_OK;
}

/* ---- workers ---- */

static const char *const counts[] = { "intrinsic_worker_games_total",
                                      "intrinsic_worker_turns_total",
                                      "intrinsic_worker_cached_turns_total",
                                      "intrinsic_worker_engine_failures_total",
                                      "intrinsic_worker_leases_lost_total" };

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
    put_gauge(out, "intrinsic_workers", (double)n);
    put_family(out, "intrinsic_worker_engines", IPR_METRIC_GAUGE);
    for (size_t i = 0; i < n; i++)
        put_sample(out, "intrinsic_worker_engines", "worker", w[i].name, w[i].threads);
    for (size_t f = 0; f < sizeof counts / sizeof *counts; f++) {
        put_family(out, counts[f], IPR_METRIC_COUNTER);
        for (size_t i = 0; i < n; i++)
            put_sample(out, counts[f], "worker", w[i].name, worker_count(&w[i], f));
    }
    return IPR_OK;
}

/* ---- other people's machines ---- */

static const char *const key_counts[] = {
    "intrinsic_fishnet_games", "intrinsic_fishnet_games_checked", "intrinsic_fishnet_games_failed",
    "intrinsic_fishnet_leases_run_out", "intrinsic_fishnet_key_suspended"
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
        put_family(out, key_counts[f], IPR_METRIC_GAUGE);
        for (size_t i = 0; i < n; i++)
            if (strcmp(t[i].kind, "fishnet") == 0 && t[i].revoked == NULL)
                put_sample(out, key_counts[f], "key", t[i].name, key_count(&t[i], f));
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
    put_gauge(out, "intrinsic_database_xmin_age_transactions", (double)h.xmin_age);
    put_gauge(out, "intrinsic_database_oldest_snapshot_seconds", h.oldest_snapshot_s);
    put_gauge(out, "intrinsic_job_table_live_rows", (double)h.live_jobs);
    put_gauge(out, "intrinsic_job_table_dead_rows", (double)h.dead_jobs);
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
