#include "fetch/fetch.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "fetch/site.h"

static const struct ipr_fetch_site *const sites[] = { &ipr_fetch_lichess, &ipr_fetch_chesscom };

/* Part of an address and of a file's name: letters, digits, - and _, as both sites allow. */
static bool name_is_fit(const char *name)
{
    const size_t n = strlen(name);

    for (size_t i = 0; i < n; i++)
        if (!isalnum((unsigned char)name[i]) && name[i] != '_' && (name[i] != '-' || i == 0))
            return false;
    return n >= 2 && n <= 30;
}

static enum ipr_code request_find_site(struct ipr_fetch *f, const char **name, struct ipr_err *err)
{
    const char *const who = f->request->who;

    for (size_t i = 0; i < sizeof sites / sizeof *sites; i++)
        if (strncmp(who, sites[i]->prefix, strlen(sites[i]->prefix)) == 0)
            f->site = sites[i];
    if (f->site == NULL)
        return ipr_err_set(err, IPR_EPARSE, "'%s' is neither lichess:NAME nor chesscom:NAME", who);
    *name = who + strlen(f->site->prefix);
    if (!name_is_fit(*name))
        return ipr_err_set(err, IPR_EPARSE,
                           "'%s' is no name of a player there: 2 to 30 letters, digits, - or _",
                           *name);
    for (size_t i = 0; (*name)[i] != '\0'; i++)
        f->name[i] = (char)tolower((unsigned char)(*name)[i]);
    return IPR_OK;
}

static bool text_is_of(const char *text, const char *others)
{
    for (; text != NULL && *text != '\0'; text++)
        if (!isalnum((unsigned char)*text) && strchr(others, *text) == NULL)
            return false;
    return true;
}

static enum ipr_code request_check(struct ipr_fetch *f, struct ipr_err *err)
{
    const struct ipr_fetch_request *r = f->request;

    if (!f->site->chooses && (r->perf != NULL || r->max > 0))
        return ipr_err_set(err, IPR_EPARSE, "--perf and --max are for lichess: %s gives months",
                           f->site->title);
    if (!text_is_of(r->perf, ","))
        return ipr_err_set(err, IPR_EPARSE, "--perf: '%s' is not as blitz,rapid", r->perf);
    if (!text_is_of(r->contact, "@.+-_:/ "))
        return ipr_err_set(err, IPR_EPARSE, "--contact: an address of mail or of a page");
    if (r->span.from_ms > r->span.to_ms)
        return ipr_err_set(err, IPR_EPARSE, "--since is after --until");
    f->url = r->url != NULL ? r->url : f->site->url;
    if (strncmp(f->url, "https://", 8) != 0 && strncmp(f->url, "http://", 7) != 0)
        return ipr_err_set(err, IPR_EPARSE, "--url: '%s' begins with neither https:// nor http://",
                           f->url);
    return IPR_OK;
}

/* The first line of the file; where it is another one, so is the request. */
static void request_describe(const struct ipr_fetch *f, struct ipr_buf *out)
{
    const struct ipr_fetch_request *r = f->request;

    ipr_buf_printf(out, "%% intrinsic fetch %s%s", f->site->prefix, f->name);
    if (r->perf != NULL)
        ipr_buf_printf(out, " perf=%s", r->perf);
    if (r->max > 0)
        ipr_buf_printf(out, " max=%d", r->max);
    if (r->span.from_ms > 0)
        ipr_buf_printf(out, " since=%" PRId64, r->span.from_ms / 1000);
    if (r->span.to_ms < INT64_MAX)
        ipr_buf_printf(out, " until=%" PRId64, r->span.to_ms / 1000);
    ipr_buf_putc(out, '\n');
}

static enum ipr_code fetch_open(struct ipr_fetch *f, const char *path, const char *asked,
                                struct ipr_err *err)
{
    const struct ipr_fetch_request *r = f->request;
    const struct ipr_fetch_options o = { f->site->title, r->contact, r->silence_s,
                                         f->url == r->url };
    const enum ipr_code rc = ipr_fetch_file_open(path, asked, r->max > 0, r->span, &f->file, err);

    f->progress = ipr_progress_begin(r->quiet);
    return rc == IPR_OK ? ipr_fetch_open(&o, &f->client, err) : rc;
}

static enum ipr_code fetch_finish(struct ipr_fetch *f, const char *path, struct ipr_err *err)
{
    const uint64_t games = ipr_fetch_file_games(f->file);

    if (games == 0)
        return ipr_err_set(err, IPR_EDATA, "%s has no such games of '%s'", f->site->title, f->name);
    const enum ipr_code rc = ipr_fetch_file_finish(f->file, err);
    if (rc == IPR_OK)
        printf("%s: %" PRIu64 " games, %" PRIu64 " new\n", path, games,
               ipr_fetch_file_added(f->file));
    return rc;
}

static enum ipr_code fetch_run(struct ipr_fetch *f, const char *path, const char *asked,
                               struct ipr_err *err)
{
    struct ipr_err cause = IPR_ERR_INIT;
    enum ipr_code rc = fetch_open(f, path, asked, err);

    if (rc != IPR_OK)
        return rc;
    rc = f->site->games(f, &cause);
    ipr_progress_end(&f->progress);
    if (rc == IPR_OK)
        return fetch_finish(f, path, err);
    const uint64_t kept = f->request->max > 0 ? 0 : ipr_fetch_file_games(f->file);
    return kept == 0
               ? ipr_err_set(err, rc, "%s", cause.msg)
               : ipr_err_set(err, rc,
                             "%s. %" PRIu64 " games are kept: started again, it goes on there",
                             cause.msg, kept);
}

enum ipr_code ipr_fetch(const struct ipr_fetch_request *r, struct ipr_err *err)
{
    struct ipr_fetch f = { .request = r };
    struct ipr_buf asked = IPR_BUF_INIT;
    const char *name = NULL;
    char path[40];
    enum ipr_code rc = request_find_site(&f, &name, err);

    if (rc == IPR_OK)
        rc = request_check(&f, err);
    if (rc == IPR_OK) {
        snprintf(path, sizeof path, "%s.pgn", name);
        request_describe(&f, &asked);
        rc = fetch_run(&f, r->output != NULL ? r->output : path, ipr_buf_c(&asked), err);
    }
    ipr_fetch_close(&f.client);
    ipr_fetch_file_close(&f.file);
    ipr_buf_release(&asked);
    return rc;
}
