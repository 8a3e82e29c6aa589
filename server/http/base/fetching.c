#include "http/base/fetching.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/str.h"
#include "core/beside.h"

#define LOOK_MS 200 /* between looks for a stop */
#define DAY_S   86400

/* ---- the name ---- */

static const char *const sites[] = { "lichess", "chesscom" };

static bool is_account(const char *s)
{
    const size_t n = strlen(s);

    for (size_t i = 0; i < n; i++)
        if (!isalnum((unsigned char)s[i]) && s[i] != '-' && s[i] != '_')
            return false;
    return n >= 2 && n <= 40;
}

bool ipr_fetch_named(int fd, char who[IPR_FETCH_WHO])
{
    char text[IPR_FETCH_WHO + 1] = "";
    const ssize_t n = pread(fd, text, IPR_FETCH_WHO, 0);

    if (n <= 0 || n == IPR_FETCH_WHO)
        return false;
    const struct ipr_str body = ipr_str_trim(ipr_str_c(text));
    snprintf(who, IPR_FETCH_WHO, "%.*s", (int)body.n, body.p);
    for (size_t i = 0; i < sizeof sites / sizeof *sites; i++) {
        const size_t length = strlen(sites[i]);

        if (strncmp(who, sites[i], length) == 0 && who[length] == ':')
            return is_account(who + length + 1);
    }
    return false;
}

/* ---- whether ---- */

/* INTRINSIC_FETCH is words, each a site or site=address. False: the site is not among them; else
 * its address, empty for its own. */
static bool fetch_address(const struct ipr_config *config, const char *who, struct ipr_str *address)
{
    const size_t length = strcspn(who, ":");
    const char *const words = config->fetch != NULL ? config->fetch : "";

    for (const char *s = words; *s != '\0'; s += strspn(s, " ")) {
        const size_t n = strcspn(s, " ");

        if (strncmp(s, who, length) == 0 && (n == length || s[length] == '=')) {
            *address = (struct ipr_str){ s + length + 1, n > length ? n - length - 1 : 0 };
            return true;
        }
        s += n;
    }
    return false;
}

json_t *ipr_fetch_sites(const struct ipr_config *config)
{
    json_t *list = json_array();
    struct ipr_str address;

    for (size_t i = 0; i < sizeof sites / sizeof *sites; i++)
        if (fetch_address(config, sites[i], &address))
            json_array_append_new(list, json_string(sites[i]));
    return list;
}

enum ipr_code ipr_fetch_allowed(const struct ipr_config *config, const char *who,
                                struct ipr_err *err)
{
    struct ipr_str address;

    if (fetch_address(config, who, &address))
        return IPR_OK;
    return ipr_err_type(err, IPR_EDENIED, "fetch_off",
                        "This service does not go to other sites. Export the games there and send "
                        "the file; `intrinsic fetch %s` does it on your computer.",
                        who);
}

/* ---- the program ---- */

struct fetching {
    pid_t pid;
    int said; /* what it writes to standard error */
    char message[400];
    size_t n;
};

static enum ipr_code fetch_fail(struct ipr_err *err, const char *why)
{
    return ipr_err_type(err, IPR_EDATA, "fetch_failed", "%s", why);
}

/* Only what leads out, so that no password of the database is in it. */
static char **fetch_environment(char *kept[8])
{
    static const char *const names[] = { "PATH",     "https_proxy",   "http_proxy",
                                         "no_proxy", "SSL_CERT_FILE", "SSL_CERT_DIR" };
    size_t n = 0;

    for (char **e = environ; *e != NULL; e++)
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            if (strncmp(*e, names[i], strlen(names[i])) == 0 && (*e)[strlen(names[i])] == '=')
                kept[n++] = *e;
    kept[n] = NULL;
    return kept;
}

static enum ipr_code fetch_start(struct fetching *f, char **argv, struct ipr_err *err)
{
    char path[PATH_MAX], *kept[8];
    posix_spawn_file_actions_t files;
    int ends[2];

    if (pipe2(ends, O_CLOEXEC) != 0)
        return fetch_fail(err, strerrordesc_np(errno));
    ipr_program_beside("intrinsic-fetch", path);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&files, ends[1], STDERR_FILENO);
    const int error = posix_spawn(&f->pid, path, &files, NULL, argv, fetch_environment(kept));
    posix_spawn_file_actions_destroy(&files);
    close(ends[1]);
    if (error != 0) {
        close(ends[0]);
        return fetch_fail(err, strerrordesc_np(error));
    }
    f->said = ends[0];
    return IPR_OK;
}

/* False: it has closed its end. */
static bool fetch_listen(struct fetching *f)
{
    struct pollfd ready = { .fd = f->said, .events = POLLIN };
    char text[256];

    if (poll(&ready, 1, LOOK_MS) <= 0)
        return true;
    const ssize_t n = read(f->said, text, sizeof text);
    for (ssize_t i = 0; i < n && f->n + 1 < sizeof f->message; i++)
        f->message[f->n++] = (char)(iscntrl((unsigned char)text[i]) ? ' ' : text[i]);
    return n > 0;
}

static enum ipr_code fetch_wait(struct fetching *f, int64_t max_s, const atomic_bool *stop,
                                struct ipr_err *err)
{
    const size_t name = sizeof "intrinsic fetch: " - 1; /* what it begins with */
    const time_t end = time(NULL) + (time_t)max_s;
    int status = 0;

    while (fetch_listen(f) && !atomic_load(stop) && time(NULL) < end)
        continue;
    const bool late = time(NULL) >= end;
    if (late || atomic_load(stop))
        kill(f->pid, SIGKILL);
    while (waitpid(f->pid, &status, 0) < 0 && errno == EINTR)
        continue;
    close(f->said);
    if (atomic_load(stop))
        return ipr_err_set(err, IPR_ERETRY, "the service stopped before the games were there");
    if (late)
        return fetch_fail(err, "The site took too long.");
    while (f->n > 0 && f->message[f->n - 1] == ' ')
        f->n--;
    f->message[f->n] = '\0';
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return IPR_OK;
    return fetch_fail(err, f->n > name ? f->message + name : "The games cannot be read.");
}

static enum ipr_code fetch_games(const struct ipr_config *config, const char *who, const char *file,
                                 const atomic_bool *stop, struct ipr_err *err)
{
    const time_t since = time(NULL) - (time_t)IPR_FETCH_DAYS * DAY_S;
    char output[PATH_MAX + 48], url[512], newest[40] = "", name[IPR_FETCH_WHO];
    char *argv[9] = { (char[]){ "intrinsic-fetch" },
                      (char[]){ "--quiet" },
                      (char[]){ "--timeout=30" },
                      output,
                      newest,
                      name };
    struct fetching f = { .pid = -1 };
    struct ipr_str address = { 0 };
    struct tm day;

    (void)fetch_address(config, who, &address);
    snprintf(output, sizeof output, "--output=%s", file);
    snprintf(name, sizeof name, "%s", who);
    snprintf(url, sizeof url, "--url=%.*s", (int)address.n, address.p);
    if (*who == 'l')
        snprintf(newest, sizeof newest, "--max=%d", IPR_FETCH_GAMES);
    else
        strftime(newest, sizeof newest, "--since=%Y-%m-%d", gmtime_r(&since, &day));
    if (address.n > 0)
        argv[6] = url;
    const enum ipr_code rc = fetch_start(&f, argv, err);
    return rc == IPR_OK ? fetch_wait(&f, config->import_max_s, stop, err) : rc;
}

enum ipr_code ipr_fetch_into(const struct ipr_config *config, const char *who, const char *folder,
                             const atomic_bool *stop, int fd, struct ipr_err *err)
{
    char place[PATH_MAX], file[PATH_MAX + 16], part[PATH_MAX + 32];

    snprintf(place, sizeof place, "%s/intrinsic-fetch-XXXXXX", folder);
    if (mkdtemp(place) == NULL)
        return fetch_fail(err, strerrordesc_np(errno));
    snprintf(file, sizeof file, "%s/games", place);
    snprintf(part, sizeof part, "%s.part", file);
    enum ipr_code rc = fetch_games(config, who, file, stop, err);
    const int games = rc == IPR_OK ? open(file, O_RDONLY | O_CLOEXEC) : -1;
    if (rc == IPR_OK && (games < 0 || dup3(games, fd, O_CLOEXEC) < 0))
        rc = fetch_fail(err, strerrordesc_np(errno));
    if (games >= 0)
        close(games);
    unlink(file);
    unlink(part);
    rmdir(place);
    return rc;
}
