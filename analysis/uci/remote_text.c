#include "uci/remote_text.h"

#include <stdlib.h>
#include <string.h>

/* 1.x writes centipawns up to this, and what is beyond as a mate. */
#define COLUMN_CP_MAX 30000

/* ---- who sends ---- */

static bool is_alnum(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

static bool is_version(char c)
{
    return is_alnum(c) || c == '.' || c == '-' || c == '+';
}

static bool is_printable(char c)
{
    return c >= ' ' && c <= '~' && c != '\\';
}

/* A text of at most size - 1 bytes, all of which are allowed; anything else counts as absent. */
static void remote_copy_text(struct ipr_str text, bool (*allowed)(char), char *out, size_t size)
{
    out[0] = '\0';
    if (text.n >= size)
        return;
    for (size_t i = 0; i < text.n; i++)
        if (!allowed(text.p[i]))
            return;
    memcpy(out, text.p, text.n);
    out[text.n] = '\0';
}

static void remote_read_text(struct ipr_scan *s, bool (*allowed)(char), char *out, size_t size)
{
    struct ipr_str text;

    if (ipr_scan_peek(s) != '"')
        ipr_scan_skip(s, NULL);
    else if (ipr_scan_string(s, &text))
        remote_copy_text(text, allowed, out, size);
}

/* A member of an object that is a text. */
struct text_member {
    const char *name;
    bool (*allowed)(char);
    char *out;
    size_t size;
};

/* Reads two members of an object; any other value counts as absent. */
static void remote_read_texts(struct ipr_scan *s, const struct text_member member[2])
{
    struct ipr_str name;

    if (ipr_scan_peek(s) != '{') {
        ipr_scan_skip(s, NULL);
        return;
    }
    ipr_scan_object(s);
    while (ipr_scan_member(s, &name)) {
        const struct text_member *m = ipr_str_is(name, member[0].name) ? &member[0] : &member[1];

        if (ipr_str_is(name, m->name))
            remote_read_text(s, m->allowed, m->out, m->size);
        else
            ipr_scan_skip(s, NULL);
    }
}

enum ipr_code ipr_remote_body_read(struct ipr_str text, struct ipr_remote_body *out,
                                   struct ipr_err *err)
{
    struct ipr_scan s = ipr_scan_of(ipr_str_trim(text));
    struct ipr_remote_body b = { 0 };
    struct ipr_remote_client *const c = &b.client;
    const struct text_member fishnet[2] = {
        { "apikey", is_alnum, c->key, sizeof c->key },
        { "version", is_version, c->version, sizeof c->version },
    };
    const struct text_member engine[2] = {
        { "name", is_printable, c->engine, sizeof c->engine },
        { "flavor", is_alnum, c->flavor, sizeof c->flavor },
    };
    struct ipr_str name;

    if (s.p == s.end) {
        *out = b;
        return IPR_OK;
    }
    ipr_scan_object(&s);
    while (ipr_scan_member(&s, &name)) {
        if (ipr_str_is(name, "fishnet"))
            remote_read_texts(&s, fishnet);
        else if (ipr_str_is(name, "stockfish"))
            remote_read_texts(&s, engine);
        else if (ipr_str_is(name, "analysis"))
            ipr_scan_skip(&s, &b.analysis);
        else
            ipr_scan_skip(&s, NULL);
    }
    if (!ipr_scan_done(&s))
        return ipr_err_at(err, IPR_EPARSE, "bad_body", 0, 0, -1, "the body is no JSON object");
    *out = b;
    return IPR_OK;
}

void ipr_remote_agent_version(const char *user_agent, char version[16])
{
    static const char name[] = "fishnet-";
    const char *slash = strchr(user_agent, '/');

    version[0] = '\0';
    if (strncmp(user_agent, name, sizeof name - 1) == 0 && slash != NULL)
        remote_copy_text((struct ipr_str){ slash + 1, strcspn(slash + 1, " ") }, is_version,
                         version, 16);
}

bool ipr_remote_version_fits(const char *version)
{
    const char *dot = strchr(version, '.');
    int64_t major, minor;

    if (dot == NULL)
        return false;
    const struct ipr_str first = { version, (size_t)(dot - version) };
    const struct ipr_str second = { dot + 1, strspn(dot + 1, "0123456789") };
    return ipr_str_int(first, 1, 2, &major) && ipr_str_int(second, 0, 999, &minor) &&
           minor >= (major == 1 ? 18 : 1);
}

/* ---- analyses ---- */

static enum ipr_code remote_bad(struct ipr_err *err, const char *what)
{
    return ipr_err_at(err, IPR_EPARSE, "bad_evaluation", 0, 0, -1, "analysis: %s", what);
}

/* True if a list contains a null: then it is a partial report. Advances past the list. */
static bool is_partial(struct ipr_scan *s)
{
    bool partial = false;

    for (ipr_scan_array(s); ipr_scan_next(s); ipr_scan_skip(s, NULL))
        partial = partial || ipr_scan_peek(s) == 'n';
    return partial && !s->bad;
}

static enum ipr_code open_columns(struct ipr_scan s, struct ipr_remote_report *r,
                                  struct ipr_err *err)
{
    bool score = false, pv = false;
    struct ipr_str name, text;

    r->form = IPR_REMOTE_BY_COLUMN;
    ipr_scan_object(&s);
    while (ipr_scan_member(&s, &name) && ipr_scan_skip(&s, &text)) {
        const bool is_score = ipr_str_is(name, "score"), is_pv = ipr_str_is(name, "pv");
        const bool is_nodes = ipr_str_is(name, "nodes");

        if (is_score)
            r->score = ipr_scan_of(text);
        else if (is_pv)
            r->pv = ipr_scan_of(text);
        else if (is_nodes)
            r->nodes = ipr_scan_of(text);
        score = score || is_score;
        pv = pv || is_pv;
        r->has_nodes = r->has_nodes || is_nodes;
    }
    if (s.bad || !score || !pv || !ipr_scan_array(&r->score) || !ipr_scan_array(&r->pv) ||
        (r->has_nodes && !ipr_scan_array(&r->nodes)))
        return remote_bad(err, "without lists of scores and lines");
    return IPR_OK;
}

enum ipr_code ipr_remote_report_open(struct ipr_str analysis, struct ipr_remote_report *out,
                                     struct ipr_err *err)
{
    struct ipr_remote_report r = { .form = IPR_REMOTE_BY_POSITION };
    struct ipr_scan s = ipr_scan_of(analysis);
    enum ipr_code rc = IPR_OK;

    if (ipr_scan_peek(&s) == '{') {
        rc = open_columns(s, &r, err);
    } else if (ipr_scan_peek(&s) == '[') {
        r.score = s;
        ipr_scan_array(&r.score);
        if (is_partial(&s))
            r.form = IPR_REMOTE_PARTIAL;
        if (s.bad)
            rc = remote_bad(err, "malformed");
    } else {
        rc = remote_bad(err, "neither a list nor an object");
    }
    if (rc == IPR_OK)
        *out = r;
    return rc;
}

struct ipr_remote_position ipr_remote_position_new(unsigned lines, unsigned depth,
                                                   struct ipr_arena *mem)
{
    const size_t cells = (size_t)lines * (depth + 1);

    return (struct ipr_remote_position){ .lines = lines,
                                         .depth = depth,
                                         .cell = ipr_arena_alloc(mem, cells,
                                                                 sizeof(struct ipr_remote_cell)) };
}

/* Reads one value into a cell; false when it is not of its kind. Not called for null. */
typedef bool (*value_fn)(struct ipr_scan *s, struct ipr_remote_cell *c);

static bool remote_mate(int64_t n, int16_t *out)
{
    if (n == 0) {
        *out = IPR_SCORE_NONE; /* the game is over here: no line at all */
        return true;
    }
    if (llabs(n) > IPR_SCORE_MATE_IN_MAX)
        return false;
    *out = (int16_t)(n > 0 ? IPR_SCORE_MATE - n : -IPR_SCORE_MATE - n);
    return true;
}

static bool read_score_object(struct ipr_scan *s, struct ipr_remote_cell *c)
{
    struct ipr_str name, rest;
    int64_t n;

    if (!ipr_scan_object(s) || !ipr_scan_member(s, &name))
        return false;
    const bool is_mate = ipr_str_is(name, "mate");
    if (!is_mate && !ipr_str_is(name, "cp"))
        return false;
    const int64_t most = is_mate ? IPR_SCORE_MATE_IN_MAX : IPR_SCORE_CP_MAX;
    if (!ipr_scan_integer(s, -most, most, &n) || ipr_scan_member(s, &rest))
        return false;
    if (is_mate)
        return remote_mate(n, &c->score);
    c->score = (int16_t)n;
    return true;
}

static bool read_score_number(struct ipr_scan *s, struct ipr_remote_cell *c)
{
    int64_t n;

    if (!ipr_scan_integer(s, -IPR_SCORE_MATE, IPR_SCORE_MATE, &n))
        return false;
    if (llabs(n) > COLUMN_CP_MAX)
        return remote_mate(n > 0 ? IPR_SCORE_MATE - n : -IPR_SCORE_MATE - n, &c->score);
    if (llabs(n) > IPR_SCORE_CP_MAX)
        return false;
    c->score = (int16_t)n;
    return true;
}

static bool keep_move(struct ipr_str text, struct ipr_remote_cell *c)
{
    remote_copy_text(text, is_alnum, c->move, sizeof c->move);
    return c->move[0] != '\0';
}

/* Only the first move is used; an empty line is a hole. */
static bool read_pv_list(struct ipr_scan *s, struct ipr_remote_cell *c)
{
    struct ipr_str move;
    bool first = true;

    for (ipr_scan_array(s); ipr_scan_next(s); first = false) {
        if (!ipr_scan_string(s, &move) || (first && !keep_move(move, c)))
            return false;
    }
    return true;
}

static bool read_pv_text(struct ipr_scan *s, struct ipr_remote_cell *c)
{
    struct ipr_str pv, move;

    if (!ipr_scan_string(s, &pv))
        return false;
    return !ipr_str_word(&pv, &move) || keep_move(move, c);
}

/* [depth] of one line; deeper values than requested are skipped. */
static bool remote_read_line(struct ipr_scan *s, value_fn value, struct ipr_remote_cell *cells,
                             unsigned depth)
{
    unsigned d = 0;

    for (ipr_scan_array(s); ipr_scan_next(s); d++) {
        struct ipr_remote_cell beyond, *const cell = d <= depth ? &cells[d] : &beyond;

        if (!(ipr_scan_peek(s) == 'n' ? ipr_scan_null(s) : value(s, cell)))
            return false;
    }
    return !s->bad;
}

/* [line][depth] of one position. */
static bool remote_read_lines(struct ipr_scan *s, value_fn value, struct ipr_remote_position *p)
{
    unsigned line = 0;

    if (ipr_scan_peek(s) != '[')
        return false;
    for (ipr_scan_array(s); ipr_scan_next(s); line++) {
        if (line == p->lines ||
            !remote_read_line(s, value, p->cell + (size_t)line * (p->depth + 1), p->depth))
            return false;
    }
    return !s->bad;
}

static bool read_position(struct ipr_scan *s, struct ipr_remote_position *p)
{
    struct ipr_str name;
    int64_t nodes;

    if (!ipr_scan_object(s))
        return false;
    while (ipr_scan_member(s, &name)) {
        bool ok = true;

        if (ipr_str_is(name, "score"))
            ok = remote_read_lines(s, read_score_object, p);
        else if (ipr_str_is(name, "pv"))
            ok = remote_read_lines(s, read_pv_list, p);
        else if (!ipr_str_is(name, "nodes"))
            ok = ipr_scan_skip(s, NULL);
        else if ((ok = ipr_scan_integer(s, 0, INT64_MAX, &nodes)))
            p->nodes = (uint64_t)nodes;
        if (!ok)
            return false;
    }
    return !s->bad;
}

/* Nodes are counted from the beginning of the search: the largest number is the last one. */
static bool read_most_nodes(struct ipr_scan *s, uint64_t *most)
{
    for (ipr_scan_array(s); ipr_scan_next(s);) {
        for (ipr_scan_array(s); ipr_scan_next(s);) {
            int64_t n = 0;

            if (!(ipr_scan_peek(s) == 'n' ? ipr_scan_null(s)
                                          : ipr_scan_integer(s, 0, INT64_MAX, &n)))
                return false;
            *most = (uint64_t)n > *most ? (uint64_t)n : *most;
        }
    }
    return !s->bad;
}

static bool read_columns(struct ipr_remote_report *r, struct ipr_remote_position *p)
{
    if (!ipr_scan_next(&r->pv) || !remote_read_lines(&r->score, read_score_number, p) ||
        !remote_read_lines(&r->pv, read_pv_text, p))
        return false;
    return !r->has_nodes || (ipr_scan_next(&r->nodes) && read_most_nodes(&r->nodes, &p->nodes));
}

enum ipr_code ipr_remote_report_next(struct ipr_remote_report *r, struct ipr_remote_position *out,
                                     bool *there, struct ipr_err *err)
{
    const size_t cells = (size_t)out->lines * (out->depth + 1);

    for (size_t i = 0; i < cells; i++)
        out->cell[i] = (struct ipr_remote_cell){ .score = IPR_SCORE_NONE };
    out->nodes = 0;
    *there = ipr_scan_next(&r->score);
    if (r->score.bad)
        return remote_bad(err, "malformed");
    if (!*there)
        return IPR_OK;
    if (!(r->form == IPR_REMOTE_BY_COLUMN ? read_columns(r, out) : read_position(&r->score, out)))
        return remote_bad(err,
                          "a position is malformed, or not with the lines that were requested");
    return IPR_OK;
}
