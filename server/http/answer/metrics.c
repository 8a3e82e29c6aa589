/* GET /metrics: the state of queue, workers, database, web service and process, for Prometheus. */
#include "http/base/metrics.h"

#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "core/log.h"
#include "core/metrics.h"
#include "core/version.h"
#include "edge/edge.h"
#include "http/base/answer_cache.h"
#include "http/base/reply.h"
#include "http/base/routes.h"

static const double bounds[IPR_HTTP_TOOK] = { 0.005, 0.025, 0.1, 0.25, 1.0, 2.5, 10.0 };

void ipr_http_count(struct ipr_http_counts *counts, unsigned status, int64_t us)
{
    size_t i = 0;

    if (status >= 100 && status < 600)
        atomic_fetch_add(&counts->of_class[status / 100 - 1], 1);
    if (us < 0)
        return;
    while (i < IPR_HTTP_TOOK && (double)us > bounds[i] * 1e6)
        i++;
    atomic_fetch_add(&counts->took[i], 1);
    atomic_fetch_add(&counts->took_us, (uint64_t)us);
}

static void put_requests(struct ipr_http_counts *counts, struct ipr_buf *out)
{
    uint64_t took[IPR_HTTP_TOOK + 1];

    ipr_metric_family(out, "intrinsic_http_requests_total", IPR_METRIC_COUNTER,
                      "Answered requests by class of status.");
    for (size_t i = 0; i < 5; i++) {
        const char class[] = { (char)('1' + i), 'x', 'x', '\0' };
        const struct ipr_metric_label label = { "status", class };

        ipr_metric_sample(out, "intrinsic_http_requests_total", &label, 1,
                          (double)atomic_load(&counts->of_class[i]));
    }
    for (size_t i = 0; i <= IPR_HTTP_TOOK; i++)
        took[i] = atomic_load(&counts->took[i]);
    ipr_metric_family(out, "intrinsic_http_request_duration_seconds", IPR_METRIC_HISTOGRAM,
                      "From the request line to the end of the answer, without event streams.");
    ipr_metric_histogram(out, "intrinsic_http_request_duration_seconds", bounds, took,
                         IPR_HTTP_TOOK, (double)atomic_load(&counts->took_us) / 1e6);
}

/* The second number in /proc/self/statm is the resident pages; 0 if there is no such file. */
static double resident_bytes(void)
{
    char line[128] = "";
    struct ipr_str rest, size, pages;
    int64_t n = 0;
    FILE *f = fopen("/proc/self/statm", "re");

    if (f == NULL)
        return 0.0;
    const bool read = fgets(line, sizeof line, f) != NULL;
    fclose(f);
    rest = ipr_str_c(line);
    if (!read || !ipr_str_word(&rest, &size) || !ipr_str_word(&rest, &pages) ||
        !ipr_str_int(pages, 0, INT64_MAX, &n))
        return 0.0;
    return (double)n * (double)sysconf(_SC_PAGESIZE);
}

static double cpu_seconds(void)
{
    struct rusage u;

    if (getrusage(RUSAGE_SELF, &u) != 0)
        return 0.0;
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

static void put_process(const struct ipr_http_counts *counts, struct ipr_buf *out)
{
    const struct ipr_metric_label version = { "version", IPR_VERSION };

    ipr_metric_family(out, "intrinsic_build_info", IPR_METRIC_GAUGE,
                      "Always 1; the label is the version.");
    ipr_metric_sample(out, "intrinsic_build_info", &version, 1, 1.0);
    ipr_metric_one(out, "process_resident_memory_bytes", IPR_METRIC_GAUGE,
                   "Resident memory of this process, without engines.", resident_bytes());
    ipr_metric_one(out, "process_cpu_seconds_total", IPR_METRIC_COUNTER,
                   "Processor time of this process, without engines.", cpu_seconds());
    ipr_metric_one(out, "process_start_time_seconds", IPR_METRIC_GAUGE,
                   "When this process began to serve, in seconds since the epoch.",
                   (double)counts->started);
}

static void put_edge(struct ipr_edge *edge, struct ipr_buf *out)
{
    static const char name[] = "intrinsic_http_refused_total";

    ipr_metric_one(out, "intrinsic_http_connections", IPR_METRIC_GAUGE, "Open connections.",
                   ipr_edge_open(edge));
    ipr_metric_family(out, name, IPR_METRIC_COUNTER,
                      "Connections refused or closed before a request was read.");
    for (enum ipr_edge_reason r = 0; r < IPR_EDGE_REASONS; r++) {
        const struct ipr_metric_label reason = { "reason", ipr_edge_reason_name(r) };

        ipr_metric_sample(out, name, &reason, 1, (double)ipr_edge_refused(edge, r));
    }
}

static void put_pool(struct ipr_db_pool *pool, struct ipr_buf *out)
{
    unsigned lent = 0, size = 0;

    if (pool != NULL)
        ipr_db_pool_use(pool, &lent, &size);
    ipr_metric_one(out, "intrinsic_database_connections_in_use", IPR_METRIC_GAUGE,
                   "Connections of the pool in use.", lent);
    ipr_metric_one(out, "intrinsic_database_connections_max", IPR_METRIC_GAUGE, "Size of the pool.",
                   size);
}

/* Does nothing if there is no replica. */
static void put_replica(struct ipr_db_replica *replica, struct ipr_buf *out)
{
    static const char name[] = "intrinsic_replica_reads_total";
    struct ipr_replica_state s;
    unsigned lent = 0, size = 0;

    if (replica == NULL)
        return;
    ipr_db_replica_state(replica, &s);
    ipr_db_replica_pool_use(replica, &lent, &size);
    ipr_metric_one(
        out, "intrinsic_replica_used", IPR_METRIC_GAUGE,
        "1 if answers are read from the replica; 0 if it does not answer or may not be used.",
        s.used ? 1.0 : 0.0);
    if (s.lag_s >= 0.0)
        ipr_metric_one(out, "intrinsic_replica_lag_seconds", IPR_METRIC_GAUGE,
                       "Age of the oldest change that the replica does not have.", s.lag_s);
    ipr_metric_one(out, "intrinsic_replica_connections_in_use", IPR_METRIC_GAUGE,
                   "Connections to the replica in use.", lent);
    ipr_metric_family(out, name, IPR_METRIC_COUNTER,
                      "Reads by what became of them: all but the answered ones went to the "
                      "primary.");
    for (enum ipr_replica_read r = 0; r < IPR_REPLICA_READS; r++) {
        const struct ipr_metric_label what = { "result", ipr_replica_read_name(r) };

        ipr_metric_sample(out, name, &what, 1, (double)s.reads[r]);
    }
}

static void put_cache(struct ipr_answers *cache, struct ipr_buf *out)
{
    const struct ipr_answers_counts n = ipr_answers_counted(cache);

    ipr_metric_one(out, "intrinsic_answer_cache_hits_total", IPR_METRIC_COUNTER,
                   "Requests answered from the answer cache.", (double)n.hits);
    ipr_metric_one(out, "intrinsic_answer_cache_misses_total", IPR_METRIC_COUNTER,
                   "Answers computed for the answer cache.", (double)n.misses);
    ipr_metric_one(out, "intrinsic_answer_cache_bytes", IPR_METRIC_GAUGE,
                   "Size of the answers in the cache.", (double)n.bytes);
    ipr_metric_one(out, "intrinsic_answer_cache_entries", IPR_METRIC_GAUGE,
                   "Number of answers in the cache.", (double)n.entries);
}

/* The other metrics are answered without a database, too: they are needed most then. */
static void put_database_figures(struct ipr_req *req, struct ipr_buf *out)
{
    struct ipr_view view = { .config = req->http->o.config, .mem = &req->mem };
    struct ipr_buf found = IPR_BUF_INIT;
    struct ipr_err err = IPR_ERR_INIT;

    enum ipr_code rc = ipr_req_lease(req, &view.db, &err);
    if (rc == IPR_OK)
        rc = ipr_view_metrics(&view, &found, &err);
    ipr_db_return(&view.db);
    ipr_metric_one(out, "intrinsic_database_up", IPR_METRIC_GAUGE,
                   "1 if the database answered; if not, its metrics are missing.",
                   rc == IPR_OK ? 1.0 : 0.0);
    if (rc == IPR_OK)
        ipr_buf_add(out, ipr_buf_c(&found), found.n);
    else
        ipr_log(IPR_LOG_WARN, "metrics_failed", "code=%s msg=\"%s\"", ipr_code_name(rc),
                ipr_log_text(err.msg));
    ipr_buf_release(&found);
}

enum MHD_Result ipr_http_metrics(struct ipr_req *req)
{
    struct ipr_buf out = IPR_BUF_INIT;

    put_process(&req->http->counts, &out);
    put_requests(&req->http->counts, &out);
    put_edge(req->http->edge, &out);
    put_pool(req->http->o.pool, &out); /* before this request takes one */
    put_replica(req->http->o.replica, &out);
    put_cache(req->http->cache, &out);
    put_database_figures(req, &out);
    return ipr_reply_buf(req, MHD_HTTP_OK, IPR_METRICS_TYPE, &out);
}
