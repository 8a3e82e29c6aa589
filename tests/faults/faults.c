/* Preloaded into a program of the service (LD_PRELOAD), breaks its connection to the database at a
 * chosen call of libpq, or refuses it memory at a chosen allocation:
 *
 *   FAULT_QUERY=before|after   at what the connection breaks: before a query is sent, or after the
 *                              server has done it, so that the answer is lost
 *   FAULT_MEMORY=1             allocations fail instead
 *   FAULT_AT=N                 the Nth, once
 *   FAULT_GAPS=N               the first, the second after that, the third after that, … up to N
 *   FAULT_WHEN=FILE            none before that file is there, and calls count from then on; "at N"
 *                              in it is another FAULT_AT, from which on they count again
 *   FAULT_SITES=FILE           with FAULT_MEMORY: N is a place of the program, a stack of calls,
 *                              and its first allocation fails; FILE gets a line for each that is
 *                              met: its N, and its calls as FILE+OFFSET, the innermost first
 *   FAULT_LOG=FILE             the number of calls and of faults, each time one is made and at exit
 */
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <libpq-fe.h>

static struct {
    pthread_mutex_t lock;
    bool ready, after, memory;
    long at, gaps;     /* 0: not so */
    long calls, since; /* of all; since the last fault */
    long faults;
    const char *log, *when, *sites;
} faults = { .lock = PTHREAD_MUTEX_INITIALIZER };

static long faults_number(const char *name)
{
    const char *const text = getenv(name);

    return text != NULL ? strtol(text, NULL, 10) : 0;
}

/* Needs no memory. */
static void faults_log(void)
{
    char text[64];
    const int n = snprintf(text, sizeof text, "%ld %ld\n", faults.calls, faults.faults);
    const int fd = faults.log != NULL ? open(faults.log, O_WRONLY | O_CREAT | O_TRUNC, 0600) : -1;

    if (fd >= 0 && write(fd, text, (size_t)n) == n)
        close(fd);
}

__attribute__((constructor)) static void faults_read(void)
{
    const char *const query = getenv("FAULT_QUERY");

    faults.memory = getenv("FAULT_MEMORY") != NULL;
    faults.after = query != NULL && strcmp(query, "after") == 0;
    faults.at = faults_number("FAULT_AT");
    faults.gaps = faults_number("FAULT_GAPS");
    faults.log = getenv("FAULT_LOG");
    faults.when = getenv("FAULT_WHEN");
    faults.sites = getenv("FAULT_SITES");
    (void)backtrace(&(void *){ NULL }, 1); /* loads what it needs, by malloc */
    faults.ready = true;
}

__attribute__((destructor)) static void faults_end(void)
{
    faults.ready = false;
    faults_log();
}

/* Whether the file says that faults may be made; without it calls count from 0 again. Needs no
 * memory. */
static bool faults_armed(void)
{
    char text[32] = "";
    long at = faults.at;
    const int fd = faults.when != NULL ? open(faults.when, O_RDONLY | O_CLOEXEC) : -1;

    if (faults.when != NULL && fd < 0) {
        faults.calls = faults.since = faults.faults = 0;
        return false;
    }
    if (fd >= 0 && read(fd, text, sizeof text - 1) > 0)
        (void)sscanf(text, "at %ld", &at);
    if (fd >= 0)
        close(fd);
    if (at != faults.at)
        faults.calls = faults.since = faults.faults = 0;
    faults.at = at;
    return true;
}

/* Whether this call is the one; `site` numbers its place, NULL: calls are counted. */
static bool faults_now(long (*site)(void))
{
    bool now;

    pthread_mutex_lock(&faults.lock);
    if (!faults_armed()) {
        pthread_mutex_unlock(&faults.lock);
        return false;
    }
    faults.calls++;
    faults.since++;
    if (site != NULL)
        now = site() == faults.at && faults.faults == 0;
    else
        now = faults.at > 0 ? faults.calls == faults.at
                            : faults.faults < faults.gaps && faults.since > faults.faults;
    if (now) {
        faults.faults++;
        faults.since = 0;
        faults_log();
    }
    pthread_mutex_unlock(&faults.lock);
    return now;
}

/* ---- queries ---- */

static void connection_break(PGconn *conn)
{
    shutdown(PQsocket(conn), SHUT_RDWR);
}

/* Waits until the server is done, which it says by its answer, and throws that away. */
static void answer_lose(PGconn *conn)
{
    struct pollfd p = { .fd = PQsocket(conn), .events = POLLIN };
    char waste[4096];

    PQflush(conn);
    if (poll(&p, 1, 10000) > 0)
        while (recv(p.fd, waste, sizeof waste, MSG_DONTWAIT) > 0 && poll(&p, 1, 20) > 0) {
        }
    connection_break(conn);
}

#define REAL(name, ...) (__extension__(__typeof__(&name)) dlsym(RTLD_NEXT, #name))(__VA_ARGS__)

/* A query that is sent and answered in one call. */
#define SYNCHRONOUS(now, name, conn, ...)                                                          \
    do {                                                                                           \
        if ((now) && faults.after)                                                                 \
            PQclear(REAL(name, conn, __VA_ARGS__));                                                \
        if (now)                                                                                   \
            connection_break(conn);                                                                \
        return REAL(name, conn, __VA_ARGS__);                                                      \
    } while (0)

/* One whose answer is read later. */
#define SENT(now, name, conn, ...)                                                                 \
    do {                                                                                           \
        if ((now) && !faults.after)                                                                \
            connection_break(conn);                                                                \
        const int sent = REAL(name, conn, __VA_ARGS__);                                            \
        if ((now) && faults.after)                                                                 \
            answer_lose(conn);                                                                     \
        return sent;                                                                               \
    } while (0)

PGresult *PQexec(PGconn *conn, const char *query)
{
    const bool now = !faults.memory && query[0] != '\0' && faults_now(NULL);

    SYNCHRONOUS(now, PQexec, conn, query);
}

/* BEGIN, COMMIT, COPY. What breaks while a statement is prepared breaks before it is sent. */
int PQsendQuery(PGconn *conn, const char *query)
{
    const bool now = !faults.memory && faults_now(NULL);

    SENT(now, PQsendQuery, conn, query);
}

int PQsendQueryPrepared(PGconn *conn, const char *name, int n, const char *const *values,
                        const int *lengths, const int *formats, int format)
{
    const bool now = !faults.memory && faults_now(NULL);

    SENT(now, PQsendQueryPrepared, conn, name, n, values, lengths, formats, format);
}

int PQsendQueryParams(PGconn *conn, const char *query, int n, const Oid *types,
                      const char *const *values, const int *lengths, const int *formats, int format)
{
    const bool now = !faults.memory && faults_now(NULL);

    SENT(now, PQsendQueryParams, conn, query, n, types, values, lengths, formats, format);
}

int PQputCopyEnd(PGconn *conn, const char *message)
{
    const bool now = !faults.memory && faults_now(NULL);

    SENT(now, PQputCopyEnd, conn, message);
}

/* ---- memory ---- */

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);

#define SITE_DEPTH 12    /* some four of them are here */
#define SITES      65536 /* power of two */

/* A stack of calls, by their places in their files, which are the same in each process. */
struct site {
    long number;
    char calls[300];
};

/* Once for each place. Needs no memory. */
static void site_note(const struct site *site)
{
    static long seen[SITES];
    size_t at = (size_t)site->number % SITES;
    char text[sizeof site->calls + 32];

    while (seen[at] != 0 && seen[at] != site->number)
        at = (at + 1) % SITES;
    if (seen[at] == site->number)
        return;
    seen[at] = site->number;
    const int n = snprintf(text, sizeof text, "%ld%s\n", site->number, site->calls);
    const int fd = open(faults.sites, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);

    if (fd >= 0 && write(fd, text, (size_t)n) == n)
        close(fd);
}

static long site_number(void)
{
    struct site site = { 0 };
    void *frames[SITE_DEPTH];
    uint64_t hash = UINT64_C(14695981039346656037); /* FNV-1a */
    const int n = backtrace(frames, SITE_DEPTH);
    Dl_info own = { 0 };
    size_t length = 0;

    (void)dladdr(&faults, &own);
    for (int i = 0; i < n; i++) {
        Dl_info file = { 0 };

        if (dladdr(frames[i], &file) == 0 || file.dli_fbase == own.dli_fbase)
            continue;
        const uintptr_t offset = (uintptr_t)frames[i] - (uintptr_t)file.dli_fbase;
        const char *const slash = strrchr(file.dli_fname, '/');

        hash = (hash ^ offset) * UINT64_C(1099511628211);
        if (length < sizeof site.calls)
            length += (size_t)snprintf(site.calls + length, sizeof site.calls - length, " %s+%#lx",
                                       slash != NULL ? slash + 1 : file.dli_fname, offset);
    }
    site.number = (long)(hash >> 12) | 1; /* JavaScript's numbers are exact up to 53 bits */
    site_note(&site);
    return site.number;
}

static bool memory_refused(void)
{
    static _Thread_local bool inside; /* what looks at a stack may need memory */

    if (!faults.ready || !faults.memory || inside)
        return false;
    inside = true;
    const bool refused = faults_now(faults.sites != NULL ? site_number : NULL);
    inside = false;
    return refused;
}

static void *no_memory(void)
{
    errno = ENOMEM;
    return NULL;
}

void *malloc(size_t n)
{
    return memory_refused() ? no_memory() : __libc_malloc(n);
}

void *calloc(size_t n, size_t size)
{
    return memory_refused() ? no_memory() : __libc_calloc(n, size);
}

void *realloc(void *p, size_t n)
{
    return memory_refused() ? no_memory() : __libc_realloc(p, n);
}
