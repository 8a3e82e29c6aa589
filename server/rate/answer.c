#include "rate/answer.h"

#include "core/clock.h"
#include "core/setting.h"
#include "core/signals.h"
#include "engine/process.h"
#include "ingest/report.h"
#include "rate/judging.h"

struct answer {
    const struct ipr_rate_question *q;
    struct ipr_rate_games games;
    int64_t until_ms;
};

static bool answer_stops(void *arg)
{
    const struct answer *a = arg;

    return ipr_now_ms() >= a->until_ms || a->q->stop(a->q->arg);
}

static void answer_tells(void *arg, size_t games, size_t of)
{
    const struct answer *a = arg;

    if (a->q->progress != NULL)
        a->q->progress(a->q->arg, games, of);
}

static enum ipr_code answer_read(struct answer *a, int fd, uint64_t *rejected, struct ipr_err *err)
{
    struct ipr_report *report = ipr_report_new(NULL, IPR_REPORT_TEXT);
    enum ipr_code rc = ipr_rate_games_networks(&a->games, a->q->config->human_model, err);

    ipr_report_limit(report, (int64_t)a->q->config->max_upload_mb << 20);
    ipr_report_on_game(report, ipr_rate_games_add, &a->games);
    if (rc == IPR_OK)
        rc = ipr_report_fd(report, fd, "-", err);
    if (rc == IPR_OK)
        rc = ipr_report_fault(report, rejected, err);
    ipr_report_free(&report);
    return rc == IPR_OK ? ipr_rate_games_settle(&a->games, err) : rc;
}

static enum ipr_code answer_judge(struct answer *a, struct ipr_err *err)
{
    const struct ipr_config *config = a->q->config;
    const unsigned workers = ipr_config_workers(config), share = workers / a->q->at_a_time;
    const size_t n = ipr_rate_engine_games(&a->games),
                 most = workers > 0 ? IPR_RATE_ENGINE_GAMES : 0;
    struct ipr_rate_judging j = { .games = &a->games,
                                  .config = config,
                                  .engines = share > 0 ? share : 1,
                                  .stop = answer_stops,
                                  .progress = answer_tells,
                                  .arg = a,
                                  .quiet = true };
    struct ipr_arena mem = IPR_ARENA_INIT;
    enum ipr_code rc = IPR_OK;

    if (n > most)
        return ipr_err_set(err, IPR_ELIMIT,
                           "%zu games have to be analysed by an engine, and at most %zu are for "
                           "one answer; games with evaluations need none (evals=only)",
                           n, most);
    if (n > 0)
        rc = ipr_engine_find(config->stockfish_path, &mem, &j.engine, err);
    if (rc == IPR_OK)
        rc = ipr_rate_judge(&j, err);
    ipr_arena_release(&mem);
    /* That the service stops, or that it takes too long, is not the engine's fault. */
    const bool stopped = ipr_signals_stopped(0);
    if (rc == IPR_OK || !(stopped || answer_stops(a)))
        return rc;
    ipr_err_clear(err);
    if (stopped)
        return ipr_err_set(err, IPR_ERETRY, "the service is being stopped");
    return ipr_err_set(err, IPR_ELIMIT, "rating the games took longer than %lld s",
                       (long long)config->import_max_s);
}

enum ipr_code ipr_rate_answer(const struct ipr_rate_question *q, int fd, struct ipr_buf *out,
                              uint64_t *rejected, struct ipr_err *err)
{
    struct answer a = { .q = q,
                        .games = { .judge = ipr_setting_rating(),
                                   .calibrated = true,
                                   .spelling = q->spelling,
                                   .choice = &q->choice,
                                   .evals =
                                       q->evals_only ? IPR_RATE_EVALS_ONLY : IPR_RATE_EVALS_OF_ALL,
                                   .keep_texts = q->format == IPR_RATE_PGN },
                        .until_ms = ipr_now_ms() + (int64_t)q->config->import_max_s * 1000 };
    enum ipr_code rc = answer_read(&a, fd, rejected, err);

    if (rc == IPR_OK)
        rc = answer_judge(&a, err);
    if (rc == IPR_OK) {
        json_t *rows = ipr_rate_rows(&a.games);

        if (json_array_size(rows) == 0)
            rc = ipr_err_set(err, IPR_EDATA, "no game to rate");
        else
            ipr_rate_write(q->format, &a.games, rows, out);
        json_decref(rows);
    }
    ipr_rate_games_free(&a.games);
    return rc;
}
