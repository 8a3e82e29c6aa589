#include "command/command.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/log.h"
#include "core/outage.h"
#include "core/signals.h"
#include "core/watchdog.h"
#include "ingest/unpack.h"

enum { RETRY_MS = 1000, RETRY_STEPS = 3 }; /* 4.5 seconds at most */

enum ipr_code ipr_command_with_db(const struct ipr_config *config, ipr_db_tx_fn fn, void *arg,
                                  struct ipr_err *err)
{
    struct ipr_db_pool *pool = NULL;
    struct ipr_db *db = NULL;
    enum ipr_code rc = ipr_db_pool_open(config->database_url, 1, &pool, err);

    if (rc == IPR_OK)
        rc = ipr_db_lease(pool, &db, err);
    if (rc == IPR_OK)
        rc = fn(db, arg, err);
    ipr_db_return(&db);
    ipr_db_pool_close(&pool);
    return rc;
}

enum ipr_code ipr_command_await_db(const struct ipr_config *config, bool *stopped,
                                   struct ipr_err *err)
{
    struct ipr_outage outage = { .begins = "database_away", .ends = "database_back" };
    struct ipr_db_pool *pool = NULL;
    enum ipr_code rc;

    *stopped = false;
    while ((rc = ipr_db_pool_open(config->database_url, 1, &pool, err)) != IPR_OK &&
           strcmp(err->type, IPR_DB_AWAY) == 0 && ipr_db_away(config->database_url) && !*stopped) {
        ipr_outage_failed(&outage, "start", err->msg, ipr_now_ms());
        ipr_err_clear(err);
        /* Who starts the service must not wait as long as the database is unavailable. */
        ipr_watchdog_notify("READY=1\nSTATUS=Waiting for the database\nWATCHDOG=1");
        /* Later each time, and not in step with others: a server that a thousand workers come to
         * at once lets in more of them if the rest waits. */
        const int steps = outage.failures < RETRY_STEPS ? (int)outage.failures : RETRY_STEPS;
        const int ms = RETRY_MS * steps;
        *stopped = ipr_signals_stopped(ms / 2 + (int)(ipr_now_us() % ms));
    }
    if (*stopped) {
        ipr_err_clear(err);
        rc = IPR_OK;
    } else if (rc == IPR_OK && outage.failures > 0) {
        ipr_log(IPR_LOG_INFO, outage.ends, "failures=%" PRIu64, outage.failures);
    }
    ipr_db_pool_close(&pool);
    return rc;
}

enum ipr_code ipr_command_spelling(const struct ipr_config *config, struct ipr_spelling **out,
                                   struct ipr_err *err)
{
    struct ipr_err cause = IPR_ERR_INIT;

    *out = NULL;
    if (config->scid_ratings_path[0] == '\0')
        return IPR_OK;
    const enum ipr_code rc = ipr_spelling_open(config->scid_ratings_path, out, &cause);
    if (rc != IPR_OK)
        return ipr_err_set(err, rc, "SCID_RATINGS_PATH: %s", cause.msg);
    return IPR_OK;
}

enum ipr_code ipr_command_read_file(const char *path, size_t cap, struct ipr_buf *out,
                                    struct ipr_err *err)
{
    const struct ipr_unpack_limits limits = { .max_bytes = (int64_t)cap, .max_ratio = INT64_MAX };
    struct ipr_err cause = IPR_ERR_INIT;
    struct ipr_unpack *u = NULL;
    const char *name = "";
    char chunk[65536];
    size_t n = 1;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);

    if (fd < 0)
        return ipr_err_set(err, IPR_EIO, "%s: %s", path, strerror(errno));
    enum ipr_code rc = ipr_unpack_open(fd, 0, &limits, &u, &cause);
    if (rc == IPR_OK)
        rc = ipr_unpack_next(u, &name, &cause);
    while (rc == IPR_OK && name != NULL && n > 0) {
        rc = ipr_unpack_read(u, chunk, sizeof chunk, &n, &cause);
        ipr_buf_add(out, chunk, rc == IPR_OK ? n : 0);
    }
    ipr_unpack_close(&u);
    close(fd);
    if (rc == IPR_OK)
        return rc;
    return ipr_err_set(err, rc == IPR_ELIMIT ? rc : IPR_EIO, "%s: %s", path, cause.msg);
}

static FILE *temporary_open(const char *path, char temporary[PATH_MAX], struct ipr_err *err)
{
    if (snprintf(temporary, PATH_MAX, "%s.new", path) >= PATH_MAX) {
        (void)ipr_err_set(err, IPR_EPARSE, "%s: name too long", path);
        return NULL;
    }
    FILE *const f = fopen(temporary, "wbe");
    if (f == NULL)
        (void)ipr_err_set(err, IPR_EIO, "%s: %s", temporary, strerror(errno));
    return f;
}

enum ipr_code ipr_command_may_write(const char *path, struct ipr_err *err)
{
    char temporary[PATH_MAX];
    struct stat there;

    if (stat(path, &there) == 0 && !S_ISREG(there.st_mode))
        return ipr_err_set(err, IPR_EIO, "%s: not a file", path);
    FILE *const f = temporary_open(path, temporary, err);
    if (f == NULL)
        return err->code;
    fclose(f);
    unlink(temporary);
    return IPR_OK;
}

enum ipr_code ipr_command_write_file(const char *path, struct ipr_str text, struct ipr_err *err)
{
    char temporary[PATH_MAX];

    if (strcmp(path, "-") == 0) {
        if (fwrite(text.p, 1, text.n, stdout) != text.n || fflush(stdout) != 0)
            return ipr_err_set(err, IPR_EIO, "stdout: %s", strerror(errno));
        return IPR_OK;
    }
    FILE *const f = temporary_open(path, temporary, err);
    if (f == NULL)
        return err->code;
    const bool written = fwrite(text.p, 1, text.n, f) == text.n && fflush(f) == 0;
    if (fclose(f) != 0 || !written || rename(temporary, path) != 0) {
        const int why = errno;
        unlink(temporary);
        return ipr_err_set(err, IPR_EIO, "%s: %s", path, strerror(why));
    }
    return IPR_OK;
}
