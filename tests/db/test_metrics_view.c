#include "queue_view.h"

#include <libpq-fe.h>

#include "ipr_prometheus.h"

static void metrics_are_in_the_text_format(void **state)
{
    struct scene *s = open_scene(state);
    const struct ipr_db_selection of_upload = { .upload = s->upload };
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_buf out = IPR_BUF_INIT;

    ipr_buf_puts(&out, "");
    assert_ok(ipr_view_metrics(&s->view, &out, &err), &err);
    ipr_prometheus_read(ipr_buf_c(&out)); /* families may have no samples */
    ipr_buf_reset(&out);

    queue(s, &of_upload, "standard", GAMES);
    (void)ipr_db_test_sql("UPDATE job SET state = 'paused', created = now() - interval '1 day' "
                          "WHERE id = (SELECT min(id) FROM job)");
    (void)ipr_db_test_sql("UPDATE job SET created = now() - interval '1 hour' "
                          "WHERE id = (SELECT max(id) FROM job)");
    judge_game(s, s->games[0].id, "quick");
    (void)ipr_db_test_sql("INSERT INTO report (kind, params, judge_id, time_classes, usual, state)"
                          " SELECT 'royale', n::text, max(j.id), 3, FALSE,"
                          "   CASE WHEN n < 3 THEN 'wanted' ELSE 'failed' END"
                          " FROM generate_series(1, 3) AS n, judge AS j GROUP BY n");
    beat(s, "host \"a\":1", "stockfish", 2);
    assert_ok(ipr_view_metrics(&s->view, &out, &err), &err);
    const char *text = ipr_buf_c(&out);
    ipr_prometheus_read(text);
    static const struct {
        const char *sample;
        double value;
    } rows[] = {
        { "intrinsic_jobs{judge=\"standard\",kind=\"judge\",state=\"ready\"}", GAMES - 1 },
        { "intrinsic_jobs{judge=\"standard\",kind=\"judge\",state=\"paused\"}", 1 },
        { "intrinsic_judged_turns", TURNS },
        { "intrinsic_reports{kind=\"royale\",state=\"wanted\"}", 2 },
        { "intrinsic_reports{kind=\"royale\",state=\"failed\"}", 1 },
        { "intrinsic_workers", 1 },
        { "intrinsic_worker_engines{worker=\"host \\\"a\\\":1\"}", 2 },
        { "intrinsic_worker_turns_total{worker=\"host \\\"a\\\":1\"}", 200 },
        { "intrinsic_worker_cached_turns_total{worker=\"host \\\"a\\\":1\"}", 50 },
        { "intrinsic_worker_engine_failures_total{worker=\"host \\\"a\\\":1\"}", 1 },
        { "intrinsic_worker_leases_lost_total{worker=\"host \\\"a\\\":1\"}", 2 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_close(ipr_prometheus_value(text, rows[i].sample), rows[i].value, 0.0);
    const double oldest = ipr_prometheus_value(text, "intrinsic_oldest_ready_job_seconds");
    assert_true(oldest >= 3600.0 && oldest < 80000.0);
    assert_true(ipr_prometheus_value(text, "intrinsic_job_table_dead_rows") >= 0.0);
    ipr_buf_release(&out);
}

/* An open snapshot slows the queue down. */
static void old_snapshots_are_in_the_metrics(void **state)
{
    static const char age[] = "intrinsic_database_xmin_age_transactions";
    struct scene *s = open_scene(state);
    struct ipr_err err = IPR_ERR_INIT;
    struct ipr_buf out = IPR_BUF_INIT;
    PGconn *holder = PQconnectdb(s->f->url);

    assert_int_equal(PQstatus(holder), CONNECTION_OK);
    PQclear(PQexec(holder, "BEGIN ISOLATION LEVEL REPEATABLE READ"));
    PQclear(PQexec(holder, "SELECT count(*) FROM job"));
    for (int i = 0; i < 5; i++)
        beat(s, "a:1", "stockfish", i);
    assert_ok(ipr_view_metrics(&s->view, &out, &err), &err);
    assert_true(ipr_prometheus_value(ipr_buf_c(&out), age) >= 5.0);
    assert_true(
        ipr_prometheus_value(ipr_buf_c(&out), "intrinsic_database_oldest_snapshot_seconds") > 0.0);
    PQfinish(holder);
    ipr_buf_release(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(metrics_are_in_the_text_format),
        cmocka_unit_test(old_snapshots_are_in_the_metrics),
    };

    return cmocka_run_group_tests_name("metrics view", tests, ipr_db_fixture_setup,
                                       ipr_db_fixture_teardown);
}
