#ifndef IPR_TEST_HTTP_FISHNET_CLIENT_H
#define IPR_TEST_HTTP_FISHNET_CLIENT_H

/* Clients of the fishnet protocol as they behave, version 1.18 and version 2.14, with a real
 * engine: what they ask of it, in which order, and the shape of what they send. */

#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/str.h"
#include "chess/position.h"
#include "ipr_test.h"

#define LINES_MAX  20
#define DEPTHS_MAX 64

struct fish_engine {
    pid_t pid;
    FILE *to, *from;
    char name[64];
};

/* What an engine has said of one position, by rank and depth. */
struct fish_table {
    struct fish_cell {
        bool there, mate;
        int score;
        char pv[512];
    } cell[LINES_MAX][DEPTHS_MAX];
    long long nodes;
};

static void fish_send(struct fish_engine *e, const char *line)
{
    fprintf(e->to, "%s\n", line);
    fflush(e->to);
}

static void fish_line(struct fish_engine *e, char line[4096])
{
    if (fgets(line, 4096, e->from) == NULL)
        fail_msg("the engine is gone");
    line[strcspn(line, "\n")] = '\0';
}

static void fish_until(struct fish_engine *e, const char *word)
{
    char line[4096];

    do {
        fish_line(e, line);
        if (strncmp(line, "id name ", 8) == 0)
            snprintf(e->name, sizeof e->name, "%.63s", line + 8);
    } while (strncmp(line, word, strlen(word)) != 0);
}

static struct fish_engine fish_engine_start(const char *path)
{
    struct fish_engine e = { 0 };
    int in[2], out[2];

    assert_int_equal(pipe2(in, O_CLOEXEC), 0);
    assert_int_equal(pipe2(out, O_CLOEXEC), 0);
    e.pid = fork();
    if (e.pid == 0) {
        dup2(in[0], 0);
        dup2(out[1], 1);
        execl(path, path, (char *)NULL);
        _exit(127);
    }
    close(in[0]);
    close(out[1]);
    e.to = fdopen(in[1], "w");
    e.from = fdopen(out[0], "r");
    fish_send(&e, "uci");
    fish_until(&e, "uciok");
    return e;
}

static void fish_engine_stop(struct fish_engine *e)
{
    int status;

    fish_send(e, "quit");
    fclose(e->to);
    fclose(e->from);
    waitpid(e->pid, &status, 0);
}

static void fish_new_game(struct fish_engine *e)
{
    fish_send(e, "ucinewgame");
    fish_send(e, "isready");
    fish_until(e, "readyok");
}

static void fish_info(char *line, struct fish_table *t)
{
    struct ipr_str rest = ipr_str_c(line), word;
    int64_t depth = -1, rank = 1, v = 0, nodes = 0;
    struct fish_cell c = { .there = false };
    bool bound = false;

    while (ipr_str_word(&rest, &word)) {
        struct ipr_str value = rest, arg;

        if (ipr_str_is(word, "pv")) {
            snprintf(c.pv, sizeof c.pv, "%.*s", (int)ipr_str_trim(rest).n, ipr_str_trim(rest).p);
            break;
        }
        if (ipr_str_is(word, "lowerbound") || ipr_str_is(word, "upperbound"))
            bound = true;
        if (!ipr_str_word(&value, &arg))
            break;
        if (ipr_str_is(word, "depth"))
            ipr_str_int(arg, 0, 1000, &depth);
        else if (ipr_str_is(word, "multipv"))
            ipr_str_int(arg, 1, 1000, &rank);
        else if (ipr_str_is(word, "nodes"))
            ipr_str_int(arg, 0, INT64_MAX, &nodes);
        else if (ipr_str_is(word, "cp") || ipr_str_is(word, "mate"))
            c.there = ipr_str_int(arg, -100000, 100000, &v), c.mate = ipr_str_is(word, "mate");
    }
    if (!c.there || (bound && rank == 1) || rank > LINES_MAX || depth < 0 || depth >= DEPTHS_MAX)
        return;
    c.score = (int)v;
    t->cell[rank - 1][depth] = c;
    t->nodes = nodes > t->nodes ? nodes : t->nodes;
}

static void fish_search(struct fish_engine *e, const char *position, const char *go,
                        struct fish_table *t)
{
    char line[4096];

    memset(t, 0, sizeof *t);
    fish_send(e, position);
    fish_send(e, go);
    for (;;) {
        fish_line(e, line);
        if (strncmp(line, "bestmove", 8) == 0)
            return;
        if (strncmp(line, "info ", 5) == 0 && strstr(line, " score ") != NULL)
            fish_info(line, t);
    }
}

/* ---- a job as a client reads it ---- */

struct fish_job {
    json_t *json;
    const char *id, *position, *variant;
    char *moves[600]; /* as they are to be sent to the engine */
    size_t n_moves;
    bool skip[601];
    int multipv, depth;
    long long nodes;
    struct fish_table *table; /* n_moves + 1 */
};

static const char *fish_text(const json_t *of, const char *name)
{
    const char *text = json_string_value(json_object_get(of, name));

    if (text == NULL)
        fail_msg("the job has no text \"%s\"", name);
    return text;
}

static int fish_number(const json_t *of, const char *name)
{
    const json_t *n = json_object_get(of, name);

    if (!json_is_integer(n))
        fail_msg("the job has no number \"%s\"", name);
    return (int)json_integer_value(n);
}

/* Version 2 always plays Chess960, and turns castling into king takes rook. */
static char *fish_move(struct ipr_pos *pos, struct ipr_str text, bool chess960)
{
    char *out = ipr_xcalloc(8, 1);
    ipr_move m;

    if (ipr_move_from_uci(pos, text, &m, NULL) != IPR_OK)
        fail_msg("the job has an illegal move %.*s", (int)text.n, text.p);
    snprintf(out, 8, "%.*s", (int)text.n, text.p);
    if (chess960 && (m & IPR_MOVE_CASTLING))
        snprintf(out, 8, "%c%c%c%c", 'a' + (char)(ipr_move_from(m) % 8),
                 '1' + (char)(ipr_move_from(m) / 8), 'a' + (char)(ipr_move_to(m) % 8),
                 '1' + (char)(ipr_move_to(m) / 8));
    ipr_pos_play(pos, m);
    return out;
}

static struct fish_job fish_job_read(const char *body, int version)
{
    struct fish_job j = { .json = json_loads(body, 0, NULL) };
    struct ipr_pos pos;
    struct ipr_str rest, word;
    size_t i;
    json_t *skip;

    assert_non_null(j.json);
    const json_t *work = json_object_get(j.json, "work");
    const json_t *limits = version == 1 ? j.json : work;
    assert_string_equal(fish_text(work, "type"), "analysis");
    j.id = fish_text(work, "id");
    assert_true(strlen(j.id) <= 24);
    j.position = fish_text(j.json, "position");
    j.variant = fish_text(j.json, "variant");
    j.depth = fish_number(limits, "depth");
    j.multipv = fish_number(limits, "multipv");
    if (version == 2) { /* each is required by some version */
        const json_t *nodes = json_object_get(work, "nodes");
        assert_true(json_is_integer(json_object_get(nodes, "classical")));
        assert_true(json_is_integer(json_object_get(nodes, "nnue")));
        assert_true(json_is_integer(json_object_get(nodes, "sf15")));
        assert_true(json_is_integer(json_object_get(nodes, "sf16")));
        j.nodes = json_integer_value(json_object_get(nodes, "sf16")) * 6 / 7;
        assert_true(fish_number(work, "timeout") > 0);
    }
    assert_true(json_is_integer(json_object_get(j.json, "nodes")));
    if (version == 1)
        j.nodes = json_integer_value(json_object_get(j.json, "nodes"));
    assert_int_equal(ipr_pos_from_fen(&pos, ipr_str_c(j.position), NULL), IPR_OK);
    rest = ipr_str_c(fish_text(j.json, "moves"));
    while (ipr_str_word(&rest, &word))
        j.moves[j.n_moves++] = fish_move(&pos, word, version == 2);
    assert_true(j.n_moves > 0); /* version 1 makes two positions of no move */
    json_array_foreach(json_object_get(j.json, "skipPositions"), i, skip)
        j.skip[json_integer_value(skip)] = true;
    j.table = ipr_xcalloc(j.n_moves + 1, sizeof *j.table);
    return j;
}

static void fish_job_release(struct fish_job *j)
{
    for (size_t i = 0; i < j->n_moves; i++)
        free(j->moves[i]);
    free(j->table);
    json_decref(j->json);
}

static void fish_search_at(struct fish_engine *e, struct fish_job *j, size_t ply, const char *go,
                           struct fish_table *t)
{
    struct ipr_buf text = IPR_BUF_INIT;

    ipr_buf_printf(&text, "position fen %s moves", j->position);
    for (size_t i = 0; i < ply; i++)
        ipr_buf_printf(&text, " %s", j->moves[i]);
    fish_search(e, ipr_buf_c(&text), go, t);
    ipr_buf_release(&text);
}

/* ---- version 2: backwards, five positions at a time and the one after them, whose result is
 * thrown away ---- */

static void fish_analyse_2(struct fish_engine *e, struct fish_job *j)
{
    static struct fish_table overlap;
    char line[64], go[64];
    size_t todo[601], n = 0;

    fish_send(e, "setoption name UCI_Chess960 value true");
    snprintf(line, sizeof line, "setoption name MultiPV value %d", j->multipv);
    fish_send(e, line);
    snprintf(go, sizeof go, "go nodes %lld depth %d", j->nodes, j->depth);
    for (size_t i = j->n_moves + 1; i-- > 0;)
        if (!j->skip[i])
            todo[n++] = i;
    for (size_t i = 0; i < n; i++) {
        if (i % 5 == 0) {
            fish_new_game(e);
            if (i > 0)
                fish_search_at(e, j, todo[i - 1], go, &overlap);
        }
        fish_search_at(e, j, todo[i], go, &j->table[todo[i]]);
    }
}

static json_t *fish_pv_list(const char *pv)
{
    struct ipr_str rest = ipr_str_c(pv), word;
    json_t *out = json_array();

    while (ipr_str_word(&rest, &word))
        json_array_append_new(out, json_stringn(word.p, word.n));
    return out;
}

/* Rows up to the last rank and columns up to the last depth that were reported. */
static int fish_depths(const struct fish_table *t, int line)
{
    int n = 0;

    for (int d = 0; d < DEPTHS_MAX; d++)
        if (t->cell[line][d].there)
            n = d + 1;
    return n;
}

static json_t *fish_matrix(const struct fish_table *t)
{
    json_t *score = json_array(), *pv = json_array();

    for (int i = 0; i < LINES_MAX && fish_depths(t, i) > 0; i++) {
        json_t *scores = json_array(), *pvs = json_array();

        for (int d = 0; d < fish_depths(t, i); d++) {
            const struct fish_cell *c = &t->cell[i][d];
            json_array_append_new(scores,
                                  c->there ? json_pack("{s:i}", c->mate ? "mate" : "cp", c->score)
                                           : json_null());
            json_array_append_new(pvs, c->there ? fish_pv_list(c->pv) : json_null());
        }
        json_array_append_new(score, scores);
        json_array_append_new(pv, pvs);
    }
    return json_pack("{s:o, s:o, s:i, s:I, s:i}", "pv", pv, "score", score, "depth",
                     fish_depths(t, 0) - 1, "nodes", (json_int_t)t->nodes, "time", 1);
}

static json_t *fish_result_2(const struct fish_job *j)
{
    json_t *analysis = json_array();

    for (size_t i = 0; i <= j->n_moves; i++)
        json_array_append_new(analysis, j->skip[i] ? json_pack("{s:b}", "skipped", 1)
                                                   : fish_matrix(&j->table[i]));
    return json_pack("{s:{s:s}, s:o}", "stockfish", "flavor", "nnue", "analysis", analysis);
}

/* ---- version 1: backwards in one go, figures in columns ---- */

static inline void fish_analyse_1(struct fish_engine *e, struct fish_job *j)
{
    char line[64], go[64];

    fish_send(e, strcmp(j->variant, "standard") == 0 ? "setoption name UCI_Chess960 value false"
                                                     : "setoption name UCI_Chess960 value true");
    snprintf(line, sizeof line, "setoption name MultiPV value %d", j->multipv);
    fish_send(e, line);
    snprintf(go, sizeof go, "go movetime 6000 depth %d nodes %lld", j->depth, j->nodes);
    fish_new_game(e);
    for (size_t i = j->n_moves + 1; i-- > 0;)
        if (!j->skip[i])
            fish_search_at(e, j, i, go, &j->table[i]);
}

static json_t *fish_score_1(const struct fish_cell *c)
{
    if (!c->there)
        return json_null();
    if (c->mate)
        return json_integer(c->score > 0 ? 32000 - c->score : -32000 - c->score);
    return json_integer(c->score);
}

/* [position][line][depth] of what `of` makes of a cell. */
static json_t *fish_column(const struct fish_job *j, json_t *(*of)(const struct fish_cell *))
{
    json_t *out = json_array();

    for (size_t p = 0; p <= j->n_moves; p++) {
        json_t *lines = json_array();

        for (int i = 0; !j->skip[p] && i < LINES_MAX && fish_depths(&j->table[p], i) > 0; i++) {
            json_t *depths = json_array();

            for (int d = 0; d < fish_depths(&j->table[p], i); d++)
                json_array_append_new(depths, of(&j->table[p].cell[i][d]));
            json_array_append_new(lines, depths);
        }
        json_array_append_new(out, lines);
    }
    return out;
}

static json_t *fish_pv_1(const struct fish_cell *c)
{
    return c->there && c->pv[0] != '\0' ? json_string(c->pv) : json_null();
}

static json_t *fish_one(const struct fish_cell *c)
{
    return c->there ? json_integer(1) : json_null();
}

/* Nodes of a position, in each cell. */
static json_t *fish_nodes_1(const struct fish_job *j)
{
    json_t *out = fish_column(j, fish_one), *lines, *depths, *cell;
    size_t p, i, d;

    json_array_foreach(out, p, lines)
        json_array_foreach(lines, i, depths)
            json_array_foreach(depths, d, cell)
                if (!json_is_null(cell))
                    json_array_set_new(depths, d, json_integer(j->table[p].nodes));
    return out;
}

/* What every request of version 1 carries. */
static json_t *fish_about_1(const struct fish_engine *e, const char *key)
{
    return json_pack("{s:{s:s, s:s, s:s}, s:{s:s, s:{s:s, s:s}}}", "fishnet", "version", "1.18.2",
                     "python", "3.11.2", "apikey", key, "stockfish", "name", e->name, "options",
                     "threads", "1", "hash", "16");
}

static inline json_t *fish_result_1(const struct fish_engine *e, const char *key,
                                    const struct fish_job *j)
{
    json_t *out = fish_about_1(e, key);

    json_object_set_new(out, "analysis",
                        json_pack("{s:o, s:o, s:o, s:o}", "time", fish_column(j, fish_one), "nodes",
                                  fish_nodes_1(j), "score", fish_column(j, fish_score_1), "pv",
                                  fish_column(j, fish_pv_1)));
    return out;
}

#endif
