#include "engine/process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/dialogue.h"
#include "engine/tablebase.h"
#include "uci/commands.h"
#include "uci/parse.h"
#include "uci/session.h"

/* The slowest machine and engine supported, in nodes per second at the lowest priority; and how
 * much longer than its limit a timed search may take. */
enum { LEAST_NPS = 10000, TIME_MARGIN_MS = 10000 };

/* A search that tests whether the engine supports a limit of nodes; its deadline is ten times what
 * the slowest machine needs. */
enum { TRY_NODES = 5000, TRY_NODES_MS = 5000 };

/* An engine reads its networks, 50 MB and more, as it starts: from a cold disk of a busy machine
 * that has taken more than ten seconds. */
const struct ipr_engine_limits ipr_engine_limits_default = {
    .uci_ms = 60000, .ready_ms = 30000, .search_ms = 60000, .silent_ms = 30000, .quit_ms = 2000
};

/* Known quirks of engines, which they do not report themselves. */
static const struct quirk {
    const char *name;    /* prefix of the engine's name */
    bool bounds;         /* scores of lines after the first are bounds */
    bool irreproducible; /* a repeated search gives other scores */
    bool leaks;          /* loses address space with every search */
} quirks[] = {
    /* Searches with a window around the best score, and prints a list's last bound with all its
     * lines. Its scores depend on its address in memory: they are stable only without address space
     * randomisation. */
    { "Toga II", .bounds = true, .irreproducible = true },
    /* Starts a thread for every search and never joins it: its stack, usually 8 MiB, stays mapped.
     */
    { "Ethereal", .leaks = true },
};

/* Room for the leaks of one game: more than a thousand searches. */
enum { LEAK_MB = 16384 };

struct ipr_engine {
    struct ipr_judge judge;
    struct ipr_judge asked; /* the same for the game at hand */
    struct ipr_engine_limits limits;
    struct ipr_dialogue talk;
    char *path; /* with the tables, to restart it */
    struct ipr_engine_tables tables;
    char endless[48]; /* the error of a search that passes its deadline */
    bool unable;      /* the start failed because of the judge */
    bool leaks;
    bool has_multipv, has_hash, has_threads, has_book, has_syzygy, has_chess960; /* options */
    bool chess960;                                                               /* it is set */
};

const struct ipr_judge *ipr_engine_judge_of(const struct ipr_engine *e)
{
    return &e->judge;
}

pid_t ipr_engine_pid(const struct ipr_engine *e)
{
    return e->talk.child.pid;
}

bool ipr_engine_alive(const struct ipr_engine *e)
{
    return e->talk.alive;
}

/* Copies text of the engine that is stored and shown; false unless printable and short enough. */
static bool keep_text(struct ipr_str text, char *out, size_t size)
{
    if (text.n >= size)
        return false;
    for (size_t i = 0; i < text.n; i++) {
        if (text.p[i] < ' ' || text.p[i] > '~')
            return false;
    }
    memcpy(out, text.p, text.n);
    out[text.n] = '\0';
    return true;
}

static bool spin_allows(const struct ipr_uci_line *l, unsigned value)
{
    return l->lo <= (int64_t)value && (int64_t)value <= l->hi;
}

/* Names of options are the same in both cases. */
static bool take_option(struct ipr_engine *e, const struct ipr_uci_line *l)
{
    if (ipr_str_is_like(l->name, "MultiPV"))
        e->has_multipv = spin_allows(l, e->judge.multipv);
    else if (ipr_str_is_like(l->name, "Hash"))
        e->has_hash = spin_allows(l, e->judge.hash_mb);
    else if (ipr_str_is_like(l->name, "Threads"))
        e->has_threads = spin_allows(l, e->judge.threads);
    else if (ipr_str_is_like(l->name, "OwnBook"))
        e->has_book = true;
    else if (ipr_str_is_like(l->name, "SyzygyPath"))
        e->has_syzygy = true;
    else if (ipr_str_is_like(l->name, "UCI_Chess960"))
        e->has_chess960 = true;
    else if (ipr_str_is_like(l->name, "EvalFile"))
        return keep_text(l->text, e->judge.network, sizeof e->judge.network);
    return true;
}

/* "uci" to "uciok": identity and options. */
static enum ipr_code engine_introduce(struct ipr_engine *e, struct ipr_err *err)
{
    struct ipr_watch w = { 0 };
    struct ipr_uci_line l = { .kind = IPR_UCI_OTHER };
    struct ipr_str line;
    bool ok = true;
    enum ipr_code rc = ipr_dialogue_send(&e->talk, IPR_STR("uci\n"), e->limits.uci_ms, err);

    e->judge.engine[0] = '\0';
    e->judge.network[0] = '\0';
    e->judge.options[0] = '\0';
    e->chess960 = false;
    ipr_watch_start(&w, e->limits.uci_ms, 0, "no answer to \"uci\" in time");
    while (rc == IPR_OK && l.kind != IPR_UCI_UCIOK) {
        rc = ipr_dialogue_read(&e->talk, &w, &line, err);
        if (rc != IPR_OK)
            break;
        ipr_uci_parse(line, &l);
        if (l.kind == IPR_UCI_ID_NAME)
            ok = keep_text(l.text, e->judge.engine, sizeof e->judge.engine);
        else if (l.kind == IPR_UCI_OPTION)
            ok = take_option(e, &l);
        if (!ok || l.kind == IPR_UCI_BAD)
            rc = ipr_dialogue_fail(&e->talk, err, "engine_protocol", "malformed introduction");
    }
    if (rc == IPR_OK && e->judge.engine[0] == '\0')
        rc = ipr_dialogue_fail(&e->talk, err, "engine_protocol", "has no name");
    return rc;
}

/* The hash is cleared at 1 GiB/s or more; an engine that needs longer counts as hanging. */
static enum ipr_code wait_ready(struct ipr_engine *e, struct ipr_err *err)
{
    struct ipr_watch w = { 0 };
    struct ipr_uci_line l = { .kind = IPR_UCI_OTHER };
    struct ipr_str line;
    enum ipr_code rc = IPR_OK;

    ipr_watch_start(&w, e->limits.ready_ms + e->judge.hash_mb, 0,
                    "no answer to \"isready\" in time");
    while (rc == IPR_OK && l.kind != IPR_UCI_READYOK) {
        rc = ipr_dialogue_read(&e->talk, &w, &line, err);
        if (rc == IPR_OK)
            ipr_uci_parse(line, &l);
    }
    return rc;
}

/* Options set in addition to the judge's settings become part of the judge. */
static enum ipr_code add_option(struct ipr_engine *e, const char *option, const char *value,
                                struct ipr_err *err)
{
    char *options = e->judge.options;
    const size_t n = strlen(options), size = sizeof e->judge.options;
    const int more = snprintf(options + n, size - n, "%s%s%s%s", n > 0 ? "; " : "", option,
                              value[0] != '\0' ? "=" : "", value);

    if (more < 0 || (size_t)more >= size - n)
        return ipr_err_set(err, IPR_EINVAL, "engine: options of judge %s are too long",
                           e->judge.name);
    return IPR_OK;
}

/* Threads come first: the engine sizes its hash for them, and its new search threads inherit the
 * priority that was set on the main one.
 */
static enum ipr_code set_up(struct ipr_engine *e, struct ipr_err *err)
{
    struct ipr_buf text = IPR_BUF_INIT;
    enum ipr_code rc = IPR_OK;

    if (e->has_threads)
        ipr_buf_printf(&text, "setoption name Threads value %u\n", (unsigned)e->judge.threads);
    ipr_buf_printf(&text, "setoption name Hash value %u\n", (unsigned)e->judge.hash_mb);
    if (e->has_multipv)
        ipr_buf_printf(&text, "setoption name MultiPV value %u\n",
                       e->judge.apart >= IPR_APART_EACH ? 1 : e->judge.multipv);
    if (e->has_book) {
        ipr_buf_puts(&text, "setoption name OwnBook value false\n");
        rc = add_option(e, "OwnBook", "false", err);
    }
    if (rc == IPR_OK && e->judge.tablebases && e->has_syzygy && e->tables.path != NULL &&
        e->tables.path[0] != '\0') {
        ipr_buf_printf(&text, "setoption name SyzygyPath value %s\n", e->tables.path);
        rc = add_option(e, "SyzygyPath", e->tables.identity, err);
    }
    ipr_buf_puts(&text, "isready\n");
    if (rc == IPR_OK) {
        rc = ipr_dialogue_send(&e->talk, (struct ipr_str){ text.p, text.n }, e->limits.ready_ms,
                               err);
        if (rc == IPR_OK)
            rc = wait_ready(e, err);
    }
    ipr_buf_release(&text);
    return rc;
}

/* A test search of the start position; *a2a3: whether that move was chosen. */
static enum ipr_code try_search(struct ipr_engine *e, const char *go, struct ipr_watch *w,
                                bool *a2a3, struct ipr_err *err)
{
    struct ipr_uci_line l = { .kind = IPR_UCI_OTHER };
    struct ipr_str line;
    enum ipr_code rc = ipr_dialogue_send(&e->talk, ipr_str_c(go), e->limits.ready_ms, err);

    while (rc == IPR_OK && l.kind != IPR_UCI_BESTMOVE) {
        rc = ipr_dialogue_read(&e->talk, w, &line, err);
        if (rc == IPR_OK)
            ipr_uci_parse(line, &l);
    }
    if (rc == IPR_OK)
        *a2a3 = ipr_str_is(l.move, "a2a3");
    return rc;
}

/* An engine that does not support a limit of nodes would never finish the first turn. */
static enum ipr_code try_nodes(struct ipr_engine *e, struct ipr_err *err)
{
    const uint32_t ms = e->limits.search_ms < TRY_NODES_MS ? e->limits.search_ms : TRY_NODES_MS;
    struct ipr_watch w = { 0 };
    bool any;
    char go[80];

    if (e->judge.nodes == 0)
        return IPR_OK;
    snprintf(go, sizeof go, "position startpos\ngo nodes %d depth %d\n", TRY_NODES, IPR_DEPTH_MAX);
    ipr_watch_start(&w, ms, 0, "does not know nodes");
    return try_search(e, go, &w, &any, err);
}

/* Determines how this engine can judge a move that is not among its lines. */
static enum ipr_code settle_apart(struct ipr_engine *e, struct ipr_err *err)
{
    bool knows = true;

    if (e->judge.apart != IPR_APART_SEARCHMOVES && e->judge.apart != IPR_APART_LINE)
        return IPR_OK;
    /* The engine supports "searchmoves" if it chooses a2a3 when restricted to it. */
    struct ipr_watch w = { 0 };
    ipr_watch_start(&w, e->limits.search_ms, 0, "no answer to a search of depth 1 in time");
    const enum ipr_code rc =
        try_search(e, "position startpos\ngo depth 1 searchmoves a2a3\n", &w, &knows, err);
    if (rc == IPR_OK && !knows)
        e->judge.apart = IPR_APART_AFTER;
    return rc;
}

/* Sets what follows from the engine's options and its quirks. */
static enum ipr_code settle_quirks(struct ipr_engine *e, struct ipr_err *err)
{
    const bool many = e->judge.multipv > 1;
    bool bounds = many && !e->has_multipv;
    enum ipr_code rc = IPR_OK;

    for (size_t i = 0; i < sizeof quirks / sizeof quirks[0]; i++) {
        const struct quirk *m = &quirks[i];

        if (strncmp(e->judge.engine, m->name, strlen(m->name)) != 0)
            continue;
        bounds = bounds || (many && m->bounds);
        if (m->irreproducible && rc == IPR_OK)
            rc = add_option(e, IPR_IRREPRODUCIBLE, "", err);
    }
    if (bounds)
        e->judge.apart = IPR_APART_EACH;
    if (rc == IPR_OK && (!e->has_hash || (!e->has_threads && e->judge.threads != 1)))
        return ipr_dialogue_fail(&e->talk, err, "engine_protocol",
                                 "cannot be set to the judge's Threads and Hash");
    if (rc == IPR_OK && bounds && e->judge.depth == 0)
        return ipr_dialogue_fail(
            &e->talk, err, "engine_protocol",
            "cannot be set to the judge's MultiPV, and searches each move separately "
            "only to a depth");
    return rc;
}

static enum ipr_code check_identity(struct ipr_engine *e, const struct ipr_judge *wanted,
                                    struct ipr_err *err)
{
    const struct ipr_judge *is = &e->judge;

    if (wanted->engine[0] != '\0' && strcmp(wanted->engine, is->engine) != 0)
        return ipr_err_type(err, IPR_ECONFLICT, "engine_mismatch",
                            "judge %s is \"%s\", the engine here is \"%s\"", wanted->name,
                            wanted->engine, is->engine);
    if (wanted->network[0] != '\0' && strcmp(wanted->network, is->network) != 0)
        return ipr_err_type(err, IPR_ECONFLICT, "engine_mismatch",
                            "judge %s has network %s, the engine here %s", wanted->name,
                            wanted->network, is->network);
    return IPR_OK;
}

/* Room for the program and its network, the hash, and the stacks and heaps of its threads. */
static unsigned memory_mb(const struct ipr_judge *j)
{
    return 1024U + j->hash_mb + 128U * j->threads;
}

/* A failure of this type at this step is caused by the judge. */
static enum ipr_code blame_judge(struct ipr_engine *e, enum ipr_code rc, const char *type,
                                 const struct ipr_err *err)
{
    e->unable = rc == IPR_EIO && err != NULL && strcmp(err->type, type) == 0;
    return rc;
}

/* A setting of the judge is unknown to the engine, rejected by it or crashes it. */
static enum ipr_code engine_suit(struct ipr_engine *e, struct ipr_err *err)
{
    enum ipr_code rc = blame_judge(e, settle_quirks(e, err), "engine_protocol", err);

    if (rc == IPR_OK)
        rc = blame_judge(e, set_up(e, err), "engine_died", err);
    if (rc == IPR_OK)
        rc = settle_apart(e, err);
    if (rc == IPR_OK)
        rc = blame_judge(e, try_nodes(e, err), "engine_timeout", err);
    return rc;
}

static enum ipr_code start_process(struct ipr_engine *e, struct ipr_err *err)
{
    const char *tables = e->judge.tablebases ? e->tables.path : NULL;
    const struct ipr_child_needs needs = { .program = e->path,
                                           .tables = tables,
                                           .tables_bytes = ipr_tablebase_bytes(tables),
                                           .memory_mb =
                                               memory_mb(&e->judge) + (e->leaks ? LEAK_MB : 0),
                                           .threads = e->judge.threads };
    const enum ipr_code rc = ipr_child_start(&needs, &e->talk.child, err);

    e->talk.alive = rc == IPR_OK;
    e->talk.ply = -1;
    e->talk.read_at = 0;
    e->talk.filled = 0;
    return rc == IPR_OK ? engine_introduce(e, err) : rc;
}

static bool known_to_leak(const struct ipr_engine *e)
{
    for (size_t i = 0; i < sizeof quirks / sizeof quirks[0]; i++)
        if (strncmp(e->judge.engine, quirks[i].name, strlen(quirks[i].name)) == 0 &&
            quirks[i].leaks)
            return true;
    return false;
}

/* Starts a process configured for the judge; e->judge names the engine required, if any. A process
 * keeps the limits that it starts with, so one that needs more, as its name tells, starts again. */
static enum ipr_code engine_launch(struct ipr_engine *e, struct ipr_err *err)
{
    const struct ipr_judge wanted = e->judge;
    enum ipr_code rc = start_process(e, err);

    if (rc == IPR_OK && !e->leaks && known_to_leak(e)) {
        e->leaks = true;
        ipr_child_end(&e->talk.child, 0);
        rc = start_process(e, err);
    }
    if (rc == IPR_OK)
        rc = check_identity(e, &wanted, err);
    return rc == IPR_OK ? engine_suit(e, err) : rc;
}

/* Why it was not started, and whether only this judge is affected. One that died may have been
 * killed: the type says so. */
static enum ipr_code fail_start(const struct ipr_engine *e, const struct ipr_err *why,
                                struct ipr_err *err)
{
    if (e->unable)
        return ipr_err_type(
            err, IPR_EDATA, strcmp(why->type, "engine_died") == 0 ? why->type : "engine_unable",
            "%s cannot be set up for judge %s: %s", e->judge.engine, e->judge.name, why->msg);
    return ipr_err_at(err, why->code, why->type, why->line, why->column, why->ply, "%s", why->msg);
}

enum ipr_code ipr_engine_start(const char *path, const struct ipr_judge *judge,
                               const struct ipr_engine_tables *tables,
                               const struct ipr_engine_limits *limits, struct ipr_engine **out,
                               struct ipr_err *err)
{
    struct ipr_err why = IPR_ERR_INIT;
    struct ipr_engine *e;

    if (!ipr_judge_valid(judge))
        return ipr_err_set(err, IPR_EINVAL, "engine: settings of judge %s", judge->name);
    e = ipr_xcalloc(1, sizeof *e);
    e->judge = *judge;
    e->limits = limits != NULL ? *limits : ipr_engine_limits_default;
    e->path = ipr_xstrdup(path);
    if (judge->nodes > 0)
        snprintf(e->endless, sizeof e->endless, "does not stop at %u nodes",
                 (unsigned)judge->nodes);
    else
        snprintf(e->endless, sizeof e->endless, "search takes too long");
    if (tables != NULL)
        e->tables = *tables;

    enum ipr_code rc = engine_launch(e, &why);
    if (rc == IPR_OK) {
        *out = e;
        return IPR_OK;
    }
    rc = fail_start(e, &why, err);
    ipr_engine_stop(&e);
    return rc;
}

void ipr_engine_stop(struct ipr_engine **e)
{
    struct ipr_engine *old = *e;

    *e = NULL;
    if (old == NULL)
        return;
    if (old->talk.alive)
        (void)!write(old->talk.child.to, "quit\n", 5); /* the error is the same */
    ipr_child_end(&old->talk.child, old->talk.alive ? old->limits.quit_ms : 0);
    free(old->path);
    free(old);
}

static enum ipr_code send_session(struct ipr_engine *e, struct ipr_session *s, struct ipr_watch *w,
                                  struct ipr_err *err)
{
    const bool was_searching = ipr_session_searching(s); /* "stop" does not extend the deadline */
    const enum ipr_code rc =
        ipr_dialogue_send(&e->talk, ipr_session_out(s), e->limits.ready_ms, err);

    if (!ipr_session_searching(s)) {
        ipr_watch_start(w, e->limits.ready_ms, 0, "no answer to \"isready\" in time");
    } else if (!was_searching) {
        const uint64_t by_nodes = (uint64_t)e->asked.nodes * 1000 * 4 / LEAST_NPS;
        const uint64_t by_time = e->judge.time_ms > 0 ? e->judge.time_ms + TIME_MARGIN_MS : 0;
        uint64_t ms = by_nodes > by_time ? by_nodes : by_time;

        if (ms < e->limits.search_ms)
            ms = e->limits.search_ms;
        if (ms > UINT32_MAX)
            ms = UINT32_MAX;
        ipr_watch_start(w, (uint32_t)ms, e->judge.depth > 0 ? e->limits.silent_ms : 0, e->endless);
    }
    return rc;
}

static enum ipr_code feed_session(struct ipr_engine *e, struct ipr_session *s, struct ipr_watch *w,
                                  struct ipr_err *err)
{
    struct ipr_err why = IPR_ERR_INIT;
    struct ipr_str line;
    const enum ipr_code rc = ipr_dialogue_read(&e->talk, w, &line, err);

    if (rc != IPR_OK)
        return rc;
    if (ipr_session_line(s, line, &why) != IPR_OK) {
        /* An error of the session is an error of the engine, whatever code the parser gives it. */
        e->talk.alive = false;
        ipr_child_kill(&e->talk.child);
        return ipr_err_at(err, IPR_EIO, why.type, 0, 0, why.ply, "%s", why.msg);
    }
    if (ipr_session_turns_done(s) == w->done)
        return IPR_OK;
    w->done = ipr_session_turns_done(s);
    return w->tick != NULL ? ipr_dialogue_tick(&e->talk, w, err) : IPR_OK;
}

static enum ipr_code engine_converse(struct ipr_engine *e, struct ipr_session *s,
                                     const struct ipr_engine_task *task, int32_t search_ms[2],
                                     struct ipr_err *err)
{
    int64_t since = ipr_now_ms();
    struct ipr_watch w = { .tick = task->tick,
                           .payload = task->payload,
                           .done = ipr_session_turns_done(s),
                           .total = ipr_session_turns_total(s),
                           .next_tick = since };
    enum ipr_code rc = IPR_OK;

    while (rc == IPR_OK && ipr_session_want(s) != IPR_SESSION_DONE) {
        const size_t done = w.done;

        e->talk.ply = ipr_session_ply(s);
        rc = ipr_session_want(s) == IPR_SESSION_SEND ? send_session(e, s, &w, err)
                                                     : feed_session(e, s, &w, err);
        if (w.done > done) {
            /* The side whose turn was searched spent the time since the last one. */
            const int64_t now = ipr_now_ms();

            search_ms[(task->start->turn + e->talk.ply) % 2] += (int32_t)(now - since);
            since = now;
        }
    }
    e->talk.ply = -1;
    return rc;
}

/* Only those who offer the option know it; they keep it from one game to the next. */
static enum ipr_code set_chess960(struct ipr_engine *e, bool on, struct ipr_err *err)
{
    if (e->chess960 == on)
        return IPR_OK;
    e->chess960 = on;
    return ipr_dialogue_send(&e->talk,
                             on ? IPR_STR("setoption name UCI_Chess960 value true\n")
                                : IPR_STR("setoption name UCI_Chess960 value false\n"),
                             e->limits.ready_ms, err);
}

void ipr_engine_task_turn(struct ipr_engine_task *task, const struct ipr_judged_turn *turn)
{
    task->n_moves = turn->ply + 1U;
    task->sides = 1U << turn->mover;
    task->first_move = (uint16_t)(turn->ply / 2 + 1);
}

enum ipr_code ipr_engine_judge(struct ipr_engine *e, const struct ipr_engine_task *task,
                               struct ipr_arena *mem, struct ipr_judged_game *out,
                               int32_t search_ms[2], struct ipr_err *err)
{
    struct ipr_session *s = NULL;
    int32_t ms[2] = { 0, 0 };
    enum ipr_code rc = IPR_OK;

    if (!e->talk.alive)
        return ipr_err_type(err, IPR_EIO, "engine_died", "engine process %ld is dead",
                            (long)e->talk.child.pid);
    if (!e->has_chess960 && ipr_uci_is_chess960(task->start))
        return ipr_err_type(err, IPR_EDATA, "engine_unable", "%s does not play Chess960",
                            e->judge.engine);
    /* A leaking engine is restarted before it runs out of address space. */
    if (e->leaks && ipr_child_space_mb(&e->talk.child) >= LEAK_MB / 4) {
        ipr_child_end(&e->talk.child, 0);
        rc = engine_launch(e, err);
    }
    e->asked = e->judge;
    if (task->first_move > 0)
        e->asked.first_move = task->first_move;
    if (task->nodes > 0 && e->judge.nodes > 0)
        e->asked.nodes = task->nodes;
    if (rc == IPR_OK)
        rc = ipr_session_new(&e->asked, task->start, task->moves, task->n_moves, task->sides,
                             task->known, mem, &s, err);
    if (rc == IPR_OK)
        rc = set_chess960(e, ipr_uci_is_chess960(task->start), err);
    if (rc == IPR_OK)
        rc = engine_converse(e, s, task, ms, err);
    if (rc != IPR_OK)
        return rc;
    *out = *ipr_session_result(s);
    if (search_ms != NULL)
        memcpy(search_ms, ms, sizeof ms);
    return IPR_OK;
}
