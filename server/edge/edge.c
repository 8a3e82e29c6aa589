#include "edge/edge.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sockios.h>
#include <linux/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/queue.h>
#include <unistd.h>

#include "base/mem.h"
#include "core/clock.h"
#include "core/log.h"
#include "edge/address.h"
#include "edge/framing.h"
#include "edge/proxies.h"

#define SWEEP_MS   1000
#define ACCEPTS    64 /* in a row, before others are looked after */
#define FDS_MAX    65536
#define UNREAD_MAX 65536
/* The last sixteenth of the connections is for addresses that have few. */
#define RESERVE 16
#define FEW     8u

struct ipr_edge_client {
    LIST_ENTRY(ipr_edge_client) link;
    struct ipr_edge *edge;
    int fd;
    struct in6_addr peer, address; /* the latter: for whom it counts, perhaps one behind the peer */
    void *request;

    /* The thread that serves it reads and writes these. */
    struct ipr_framing framing;
    bool guarded; /* recv(2) here has read from it */
    bool refused;

    /* Written by that thread, read by the edge's: since when it waits for the rest of a head, or of
     * a body and how much of that there is; 0: it does not. */
    atomic_int_fast64_t head_us, body_us;
    atomic_uint_fast64_t body;
    atomic_bool slow; /* the reverse */

    /* The edge's thread alone: since when the client has not read all that was sent, and what it
     * had read then. */
    int64_t unread_us;
    uint64_t read_then;
};

struct ipr_edge {
    struct ipr_edge_options o;
    pthread_t thread;
    bool running;
    int wake_fd, spare_fd; /* the spare: for an answer to who comes when no other is left */
    atomic_bool quiet, stopping;
    atomic_uint_fast64_t refused[IPR_EDGE_REASONS];
    pthread_mutex_t lock; /* guards the list; a client in it is open */
    LIST_HEAD(, ipr_edge_client) clients;
    unsigned n;
};

/* By descriptor. recv(2) has no other way to them. */
static _Atomic(struct ipr_edge_client *) served[FDS_MAX];

static _Atomic(struct ipr_edge_client *) accepted[FDS_MAX]; /* the same, before they are served */

static const char *const reasons[IPR_EDGE_REASONS] = { "framing", "slow", "connections",
                                                       "descriptors" };

/* ---- refusals ---- */

static void edge_refuse(struct ipr_edge *e, int fd, enum ipr_edge_reason reason, const char *type,
                        const char *detail)
{
    struct ipr_buf out = IPR_BUF_INIT;

    atomic_fetch_add(&e->refused[reason], 1);
    ipr_log(IPR_LOG_DEBUG, "refused", "type=%s detail=\"%s\"", type, detail);
    e->o.refusal(type, detail, &out);
    (void)!send(fd, out.p, out.n, MSG_DONTWAIT | MSG_NOSIGNAL);
    ipr_buf_release(&out);
    shutdown(fd, SHUT_WR);
}

/* A socket that is closed with unread bytes resets the connection, and the answer may be lost. */
static void edge_turn_away(struct ipr_edge *e, int fd, enum ipr_edge_reason reason,
                           const char *detail)
{
    char unread[4096];

    edge_refuse(e, fd, reason, "too_many_connections", detail);
    for (size_t n = 0; n < UNREAD_MAX; n += sizeof unread)
        if (recvfrom(fd, unread, sizeof unread, MSG_DONTWAIT, NULL, NULL) <= 0)
            break;
    close(fd);
}

/* ---- what clients send ---- */

/* Returns how many bytes the web library gets; 0, as if the client had gone, after a fault. */
static size_t client_received(struct ipr_edge_client *c, const char *data, size_t n)
{
    const size_t good = ipr_framing_take(&c->framing, data, n);

    const struct ipr_framing *f = &c->framing;
    if (!ipr_framing_in_head(f))
        atomic_store(&c->head_us, 0);
    else if (atomic_load(&c->head_us) == 0)
        atomic_store(&c->head_us, ipr_now_us());
    if (!ipr_framing_in_body(f)) {
        atomic_store(&c->body_us, 0);
    } else if (atomic_load(&c->body_us) == 0) {
        atomic_store(&c->body, n);
        atomic_store(&c->body_us, ipr_now_us());
    } else {
        atomic_fetch_add(&c->body, n);
    }
    /* It answers the good ones first. That wakes it up when it has: it reads no more by itself. */
    if (c->framing.fault != NULL && good > 0)
        shutdown(c->fd, SHUT_RD);
    return good;
}

static ssize_t client_refuse(struct ipr_edge_client *c)
{
    if (c->refused)
        return 0;
    c->refused = true;
    if (c->framing.fault != NULL)
        edge_refuse(c->edge, c->fd, IPR_EDGE_FRAMING, c->framing.fault, c->framing.detail);
    else
        edge_refuse(c->edge, c->fd, IPR_EDGE_SLOW, "too_slow",
                    "the request was not complete in time");
    return 0;
}

/*
 * Stands before that of the C library, for the web library and, as a symbol has one meaning in a
 * program, for everything else in it, which passes by one load of `served`. Why it is done so:
 * libmicrohttpd 0.9.75, the one of Debian 12, takes two lengths of one body, bare line feeds and
 * blanks before a colon, has no deadline for a head or a body but only one for silence, and gives a
 * program no place between the socket and its parser. Newer ones are stricter, but have neither
 * those deadlines nor that place, and bookworm has no newer one. A pair of sockets for each
 * connection with a thread of our own between would have that place, for twice the descriptors, a
 * copy of every byte both ways and a peer's address that the library no longer knows.
 *
 * It rests on the library reading by recv(2). One that does not is seen at the first request:
 * ipr_edge_guards.
 */
ssize_t recv(int fd, void *data, size_t n, int flags)
{
    struct ipr_edge_client *c = fd >= 0 && fd < FDS_MAX ? atomic_load(&served[fd]) : NULL;

    if (c != NULL && (c->framing.fault != NULL || atomic_load(&c->slow)))
        return client_refuse(c);
    const ssize_t got = recvfrom(fd, data, n, flags, NULL, NULL);
    if (c == NULL || got <= 0)
        return got;
    c->guarded = true;
    const size_t good = client_received(c, data, (size_t)got);
    return good > 0 ? (ssize_t)good : client_refuse(c);
}

/* ---- clients ---- */

static unsigned clients_of(const struct ipr_edge *e, const struct in6_addr *address)
{
    const struct ipr_edge_client *c;
    unsigned n = 0;

    LIST_FOREACH(c, &e->clients, link)
        n += ipr_address_same(&c->address, address);
    return n;
}

/* Under the lock. */
static bool address_is_greedy(const struct ipr_edge *e, const struct in6_addr *address)
{
    const bool reserved = e->n >= e->o.connections - e->o.connections / RESERVE;
    const unsigned most = reserved && FEW < e->o.per_address ? FEW : e->o.per_address;

    return most > 0 && clients_of(e, address) >= most && !ipr_proxies_trust(e->o.proxies, address);
}

static void client_free(struct ipr_edge_client *c)
{
    struct ipr_edge *e = c->edge;

    pthread_mutex_lock(&e->lock);
    LIST_REMOVE(c, link);
    e->n--;
    pthread_mutex_unlock(&e->lock);
    ipr_framing_release(&c->framing);
    free(c);
}

struct ipr_edge_client *ipr_edge_begun(int fd)
{
    struct ipr_edge_client *c =
        fd >= 0 && fd < FDS_MAX ? atomic_exchange(&accepted[fd], NULL) : NULL;

    if (c != NULL)
        atomic_store(&served[fd], c);
    return c;
}

void *ipr_edge_ended(struct ipr_edge_client *c)
{
    void *request = c->request;

    atomic_store(&served[c->fd], NULL);
    client_free(c);
    return request;
}

bool ipr_edge_guards(const struct ipr_edge_client *c)
{
    return c != NULL && c->guarded;
}

void *ipr_edge_request(struct ipr_edge_client *c, void *request)
{
    void *before = c->request;

    c->request = request;
    if (request == NULL && memcmp(&c->address, &c->peer, sizeof c->peer) != 0) {
        pthread_mutex_lock(&c->edge->lock);
        c->address = c->peer;
        pthread_mutex_unlock(&c->edge->lock);
    }
    return before;
}

bool ipr_edge_passed_on(struct ipr_edge_client *c, const struct in6_addr *sender)
{
    struct ipr_edge *e = c->edge;

    pthread_mutex_lock(&e->lock);
    const bool greedy = address_is_greedy(e, sender);
    if (!greedy)
        c->address = *sender;
    else
        atomic_fetch_add(&e->refused[IPR_EDGE_CONNECTIONS], 1);
    pthread_mutex_unlock(&e->lock);
    return !greedy;
}

/* ---- deadlines ---- */

static bool client_is_slow(const struct ipr_edge_client *c, int64_t now_us)
{
    const int64_t head = atomic_load(&c->head_us), body = atomic_load(&c->body_us);

    return (head != 0 && (now_us - head) / 1000000 >= c->edge->o.head_s) ||
           (body != 0 && (now_us - body) / 1000000 >=
                             c->edge->o.grace_s + (int64_t)(atomic_load(&c->body) / IPR_EDGE_RATE));
}

/* True if it reads what was sent slower than it may. */
static bool client_stalls(struct ipr_edge_client *c, int64_t now_us)
{
    struct tcp_info info = { 0 };
    socklen_t size = sizeof info;
    int unread = 0;

    if (ioctl(c->fd, SIOCOUTQ, &unread) != 0 || unread == 0 ||
        getsockopt(c->fd, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) {
        c->unread_us = 0;
        return false;
    }
    if (c->unread_us == 0) {
        c->unread_us = now_us;
        c->read_then = info.tcpi_bytes_acked;
    }
    return (now_us - c->unread_us) / 1000000 >=
           c->edge->o.grace_s + (int64_t)((info.tcpi_bytes_acked - c->read_then) / IPR_EDGE_RATE);
}

static void edge_sweep(struct ipr_edge *e)
{
    struct ipr_edge_client *c;
    const int64_t now_us = ipr_now_us();

    pthread_mutex_lock(&e->lock);
    LIST_FOREACH(c, &e->clients, link) {
        if (!atomic_load(&c->slow) && client_is_slow(c, now_us)) {
            atomic_store(&c->slow, true);
            shutdown(c->fd, SHUT_RD); /* wakes who serves it, who sends the refusal */
        } else if (client_stalls(c, now_us)) {
            atomic_fetch_add(&e->refused[IPR_EDGE_SLOW], 1);
            c->unread_us = 0;
            shutdown(c->fd, SHUT_RDWR);
        }
    }
    pthread_mutex_unlock(&e->lock);
}

/* ---- new connections ---- */

/* The library failed to serve it, and has closed it: the descriptor is another's now. */
static void client_forget(int fd)
{
    struct ipr_edge_client *c = atomic_exchange(&accepted[fd], NULL);

    if (c != NULL)
        client_free(c);
}

static void edge_admit(struct ipr_edge *e, int fd, const struct sockaddr *peer, socklen_t n)
{
    const struct in6_addr address = ipr_address_of(peer);

    pthread_mutex_lock(&e->lock);
    const bool full = fd >= FDS_MAX || e->n >= e->o.connections;
    const bool greedy = !full && address_is_greedy(e, &address);
    pthread_mutex_unlock(&e->lock);
    if (full || greedy) {
        edge_turn_away(e, fd, IPR_EDGE_CONNECTIONS,
                       full ? "as many clients are connected as the service takes"
                            : "as many connections of this address are open as one may have");
        return;
    }
    client_forget(fd);
    struct ipr_edge_client *c = ipr_xcalloc(1, sizeof *c);
    c->edge = e;
    c->fd = fd;
    c->peer = c->address = address;
    atomic_init(&c->head_us, ipr_now_us());
    pthread_mutex_lock(&e->lock);
    LIST_INSERT_HEAD(&e->clients, c, link);
    e->n++;
    pthread_mutex_unlock(&e->lock);
    atomic_store(&accepted[fd], c);
    if (!e->o.serve(e->o.arg, fd, peer, n))
        client_forget(fd);
}

/* No descriptor is left: who comes gets an answer, instead of waiting for ever. */
static void edge_out_of_descriptors(struct ipr_edge *e)
{
    if (e->spare_fd >= 0) {
        close(e->spare_fd);
        const int fd = accept4(e->o.listen_fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (fd >= 0)
            edge_turn_away(e, fd, IPR_EDGE_DESCRIPTORS,
                           "the service has no descriptor left for a connection");
    }
    e->spare_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (e->spare_fd < 0)
        usleep(100000); /* another thread took it; poll(2) would return at once */
}

static void edge_accept(struct ipr_edge *e)
{
    for (int i = 0; i < ACCEPTS; i++) {
        struct sockaddr_storage peer = { 0 };
        struct sockaddr *address = (void *)&peer;
        socklen_t n = sizeof peer;
        const int fd = accept4(e->o.listen_fd, address, &n, SOCK_CLOEXEC | SOCK_NONBLOCK);

        if (fd >= 0) {
            edge_admit(e, fd, address, n);
        } else if (errno == EMFILE || errno == ENFILE) {
            edge_out_of_descriptors(e);
            return;
        } else if (errno != ECONNABORTED && errno != EINTR) {
            return;
        }
    }
}

static void *edge_thread(void *arg)
{
    struct ipr_edge *e = arg;
    int64_t swept_us = 0;

    while (!atomic_load(&e->stopping)) {
        struct pollfd fds[] = { { .fd = e->wake_fd, .events = POLLIN },
                                { .fd = e->o.listen_fd, .events = POLLIN } };
        const nfds_t n = atomic_load(&e->quiet) ? 1 : 2;

        if (poll(fds, n, SWEEP_MS) > 0 && fds[0].revents != 0)
            (void)eventfd_read(e->wake_fd, &(eventfd_t){ 0 });
        if (n == 2 && fds[1].revents != 0)
            edge_accept(e);
        if (ipr_now_us() - swept_us >= SWEEP_MS * 1000) {
            edge_sweep(e);
            swept_us = ipr_now_us();
        }
    }
    return NULL;
}

/* ---- life ---- */

enum ipr_code ipr_edge_start(const struct ipr_edge_options *options, struct ipr_edge **out,
                             struct ipr_err *err)
{
    struct ipr_edge *e = ipr_xcalloc(1, sizeof *e);

    e->o = *options;
    LIST_INIT(&e->clients);
    pthread_mutex_init(&e->lock, NULL);
    e->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    e->spare_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    *out = e;
    e->running = e->wake_fd >= 0 && pthread_create(&e->thread, NULL, edge_thread, e) == 0;
    return e->running
               ? IPR_OK
               : ipr_err_set(err, IPR_EIO, "the thread that accepts connections cannot start");
}

static void edge_wake(struct ipr_edge *e, atomic_bool *why)
{
    atomic_store(why, true);
    (void)eventfd_write(e->wake_fd, 1);
}

void ipr_edge_quiesce(struct ipr_edge *e)
{
    edge_wake(e, &e->quiet);
}

void ipr_edge_free(struct ipr_edge **edge)
{
    struct ipr_edge *e = *edge;

    if (e == NULL)
        return;
    edge_wake(e, &e->stopping);
    if (e->running)
        pthread_join(e->thread, NULL);
    while (!LIST_EMPTY(&e->clients))
        client_forget(LIST_FIRST(&e->clients)->fd);
    close(e->wake_fd);
    if (e->spare_fd >= 0)
        close(e->spare_fd);
    pthread_mutex_destroy(&e->lock);
    free(e);
    *edge = NULL;
}

uint64_t ipr_edge_refused(const struct ipr_edge *e, enum ipr_edge_reason reason)
{
    return atomic_load(&e->refused[reason]);
}

const char *ipr_edge_reason_name(enum ipr_edge_reason reason)
{
    return reasons[reason];
}

unsigned ipr_edge_open(struct ipr_edge *e)
{
    pthread_mutex_lock(&e->lock);
    const unsigned n = e->n;
    pthread_mutex_unlock(&e->lock);
    return n;
}
