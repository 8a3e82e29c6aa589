/* A request until it has an answer. */
#include <inttypes.h>
#include <stdio.h>

#include "core/signals.h"
#include "fetch/site.h"

#define TRIES    5                 /* in a row without a new game */
#define TEXT_MAX ((size_t)4 << 20) /* of an answer that is not games */
#define CLOSED   410

struct taking {
    struct ipr_fetch *f;
    struct ipr_buf *text;
};

static enum ipr_code ask_take(void *arg, const char *bytes, size_t n, struct ipr_err *err)
{
    struct taking *t = arg;
    struct ipr_fetch *f = t->f;

    if (t->text != NULL) {
        ipr_buf_add(t->text, bytes, n);
        return t->text->n <= TEXT_MAX
                   ? IPR_OK
                   : ipr_err_set(err, IPR_ELIMIT, "an answer has more than %zu bytes", TEXT_MAX);
    }
    const enum ipr_code rc = ipr_fetch_file_add(f->file, bytes, n, err);
    ipr_progress_say(&f->progress, f->done, f->parts, "%s: %" PRIu64 " games", f->site->title,
                     ipr_fetch_file_games(f->file));
    return rc;
}

/* What another try does not change. */
static enum ipr_code ask_refusal(const struct ipr_fetch *f, long status, struct ipr_err *err)
{
    const char *const site = f->site->title;

    if (status == 404)
        return ipr_err_set(err, IPR_ENOTFOUND, "%s has no player '%s', or the account is closed",
                           site, f->name);
    if (status == CLOSED)
        return ipr_err_set(err, IPR_ENOTFOUND, "%s: the account '%s' is closed", site, f->name);
    if (status == 403)
        return ipr_err_set(err, IPR_EDENIED,
                           "%s refuses (403); it may want to know who asks: --contact=MAIL", site);
    return ipr_err_set(err, IPR_EIO, "%s answers %ld", site, status);
}

/* Seconds until the next try, by the answer and how many tries there were; 0: none. */
static int ask_pause(const struct ipr_fetch *f, const struct ipr_fetch_answer *a, int tries)
{
    const struct ipr_fetch_site *site = f->site;

    if (a->status == 429 && a->after_s == 0)
        return site->pause_s;
    if (a->status == 429)
        return a->after_s > site->pause_least_s ? a->after_s : site->pause_least_s;
    if (a->status >= 500 && a->after_s > 0)
        return a->after_s;
    return a->cut || a->status >= 500 ? 1 << tries : 0;
}

static enum ipr_code ask_wait(struct ipr_fetch *f, const struct ipr_fetch_answer *a, int seconds,
                              struct ipr_err *err)
{
    ipr_progress_end(&f->progress);
    if (!f->request->quiet && a->status == 429)
        fprintf(stderr, "%s asks to wait: %d s\n", f->site->title, seconds);
    else if (!f->request->quiet)
        fprintf(stderr, "%s: %s; again in %d s\n", f->site->title,
                a->cut ? a->why : "it answers with an error of its own", seconds);
    if (ipr_signals_stopped(seconds * 1000))
        return ipr_err_set(err, IPR_EIO, "stopped");
    return IPR_OK;
}

/* One try. *whole: it has its answer. */
static enum ipr_code ask_once(struct ipr_fetch *f, const struct ipr_fetch_question *q,
                              struct ipr_fetch_answer *a, bool *whole, struct ipr_err *err)
{
    struct taking t = { f, q->text };
    struct ipr_buf address = IPR_BUF_INIT;

    if (q->text != NULL)
        ipr_buf_reset(q->text);
    q->address(f, q->arg, &address);
    const enum ipr_code rc =
        ipr_fetch_get(f->client, ipr_buf_c(&address), q->type, ask_take, &t, a, err);
    ipr_buf_release(&address);
    /* Of an answer that ends in the middle of a game without a word of the connection. */
    if (q->text == NULL && !ipr_fetch_file_end_answer(f->file) && !a->cut) {
        a->cut = true;
        snprintf(a->why, sizeof a->why, "the answer ends in the middle of a game");
    }
    *whole = rc == IPR_OK && a->status == 200 && !a->cut;
    return rc;
}

enum ipr_code ipr_fetch_ask(struct ipr_fetch *f, const struct ipr_fetch_question *q,
                            struct ipr_err *err)
{
    struct ipr_fetch_answer a = { 0 };
    enum ipr_code rc = IPR_OK;
    bool whole = false;

    for (int tries = 0; rc == IPR_OK && !whole; tries++) {
        const uint64_t before = ipr_fetch_file_added(f->file);
        rc = ask_once(f, q, &a, &whole, err);
        if (rc != IPR_OK || whole)
            break;
        if (ipr_fetch_file_added(f->file) > before)
            tries = 0;
        const int pause = ask_pause(f, &a, tries);
        if (pause == 0)
            return ask_refusal(f, a.status, err);
        if (tries + 1 >= TRIES)
            return ipr_err_set(err, IPR_ERETRY, "%s: %s, %d times", f->site->title,
                               a.cut             ? a.why
                               : a.status == 429 ? "it still asks to wait"
                                                 : "it answers with an error of its own",
                               TRIES);
        rc = ask_wait(f, &a, pause, err);
    }
    return rc;
}
