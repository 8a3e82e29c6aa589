#include "ingest/report.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sodium.h>

#include "base/mem.h"
#include "core/digest.h"
#include "core/json_text.h"
#include "ingest/row.h"
#include "ingest/source.h"

#define MAX_TYPES       64  /* types of errors; there are about thirty */
#define MAX_PASSED_OVER 100 /* reported per file; all are counted */

struct type_count {
    char type[sizeof((struct ipr_err *)NULL)->type];
    uint64_t n;
};

struct ipr_report {
    FILE *to;
    enum ipr_report_form form;
    const char *file; /* being read */
    struct ipr_buf entry;
    uint64_t index;       /* of the last game of the file, 1-based */
    uint64_t passed_over; /* of the file */
    bool at_fault;        /* the file, or one in it, could not be read */
    struct {
        uint64_t files, failed, games, accepted, refused, variations, passed_over, bytes;
        uint64_t windows_1252, undecodable;
    } n;
    struct type_count types[MAX_TYPES];
    size_t n_types;
    struct ipr_buf out;
    struct ipr_arena mem;                               /* of one game */
    struct ipr_err write_error, file_error, game_error; /* the first ones */
    int64_t max_bytes;
    ipr_report_game_fn on_game; /* may be NULL */
    void *payload;
};

/* One game, PGN or interchange. */
struct seen {
    uint64_t offset;
    uint32_t line;
    const struct ipr_pgn_tag *tags;
    size_t n_tags;
    enum ipr_result result;
    const struct ipr_pos *start, *end; /* NULL when the place of the game is unknown */
    const ipr_move *moves;
    size_t n_moves;
    uint32_t variations;
    struct ipr_encoding encoding;
    const struct ipr_err *error; /* NULL: accepted */
    const struct ipr_interchange_game *game;
};

struct ipr_report *ipr_report_new(FILE *to, enum ipr_report_form form)
{
    struct ipr_report *r = ipr_xcalloc(1, sizeof *r);

    r->to = to;
    r->form = form;
    r->write_error = r->file_error = r->game_error = (struct ipr_err)IPR_ERR_INIT;
    r->max_bytes = INT64_MAX / 2; /* the operator's own files */
    return r;
}

void ipr_report_free(struct ipr_report **r)
{
    if (*r == NULL)
        return;
    ipr_buf_release(&(*r)->entry);
    ipr_buf_release(&(*r)->out);
    ipr_arena_release(&(*r)->mem);
    free(*r);
    *r = NULL;
}

void ipr_report_on_game(struct ipr_report *r, ipr_report_game_fn fn, void *payload)
{
    r->on_game = fn;
    r->payload = payload;
}

void ipr_report_limit(struct ipr_report *r, int64_t bytes)
{
    r->max_bytes = bytes;
}

/* ---- writing ----------------------------------------------------------------------------------
 */

static enum ipr_code cannot_write(struct ipr_report *r)
{
    return ipr_err_set(&r->write_error, IPR_EIO, "The report cannot be written: %s.",
                       strerrordesc_np(errno));
}

/* Writes the contents of `out` and empties it; what was read of a game goes with it. */
static enum ipr_code put_out(struct ipr_report *r)
{
    const size_t n = r->out.n;

    ipr_arena_release(&r->mem);
    if (r->to != NULL && fwrite(ipr_buf_c(&r->out), 1, n, r->to) != n)
        return cannot_write(r);
    ipr_buf_reset(&r->out);
    return IPR_OK;
}

static const char *report_type(const struct ipr_err *e)
{
    if (e->type[0] != '\0')
        return e->type;
    return e->code == IPR_EIO ? "cannot_read" : "bad_game";
}

static void put_member(struct ipr_buf *out, const char *name, struct ipr_str value)
{
    ipr_buf_printf(out, ",\"%s\":", name);
    ipr_json_string(out, value);
}

/* 0 means an unknown place. */
static void put_place(struct ipr_buf *out, const char *name, uint32_t place)
{
    if (place != 0)
        ipr_buf_printf(out, ",\"%s\":%" PRIu32, name, place);
    else
        ipr_buf_printf(out, ",\"%s\":null", name);
}

static void put_error(struct ipr_buf *out, const struct ipr_err *e)
{
    ipr_buf_puts(out, ",\"error\":{\"type\":");
    ipr_json_string(out, ipr_str_c(report_type(e)));
    put_place(out, "line", e->line);
    put_place(out, "column", e->column);
    if (e->ply >= 0)
        ipr_buf_printf(out, ",\"ply\":%" PRId32, e->ply);
    else
        ipr_buf_puts(out, ",\"ply\":null");
    put_member(out, "detail", ipr_str_c(e->msg));
    ipr_buf_putc(out, '}');
}

static void put_names(struct ipr_report *r)
{
    ipr_buf_puts(&r->out, "{\"file\":");
    ipr_json_string(&r->out, ipr_str_c(r->file));
    if (r->entry.n > 0)
        put_member(&r->out, "entry", ipr_str_c(ipr_buf_c(&r->entry)));
}

static void put_end(struct ipr_report *r, const struct seen *g)
{
    unsigned char digest[32];
    char fen[IPR_FEN_MAX], hex[2 * sizeof digest + 1];

    if (g->end == NULL) {
        ipr_buf_puts(&r->out, ",\"fen\":null,\"digest\":null");
        return;
    }
    const size_t n = ipr_pos_to_fen(g->end, fen);
    put_member(&r->out, "fen", (struct ipr_str){ fen, n });
    /* The initial position has an empty FEN, as in the database, so that the digests agree. */
    const char *start = ipr_row_start_fen(g->start, &r->mem);
    ipr_moves_digest(start != NULL ? start : "", g->moves, g->n_moves, digest);
    put_member(&r->out, "digest",
               ipr_str_c(sodium_bin2hex(hex, sizeof hex, digest, sizeof digest)));
}

static void put_json_game(struct ipr_report *r, const struct seen *g)
{
    struct ipr_buf *out = &r->out;

    put_names(r);
    ipr_buf_printf(out, ",\"index\":%" PRIu64 ",\"offset\":%" PRIu64 ",\"line\":%" PRIu32, r->index,
                   g->offset, g->line);
    ipr_buf_puts(out, g->error != NULL ? ",\"status\":\"refused\"" : ",\"status\":\"accepted\"");
    if (g->error != NULL)
        put_error(out, g->error);
    put_member(out, "white", ipr_pgn_tag_find(g->tags, g->n_tags, "White"));
    put_member(out, "black", ipr_pgn_tag_find(g->tags, g->n_tags, "Black"));
    ipr_buf_printf(out, ",\"result\":\"%s\",\"plies\":%zu", ipr_result_text(g->result), g->n_moves);
    put_end(r, g);
    ipr_buf_printf(
        out, ",\"variations\":%" PRIu32 ",\"encoding\":\"%s\",\"undecodable\":%" PRIu32 "}\n",
        g->variations, g->encoding.cp1252 ? "windows-1252" : "utf-8", g->encoding.undecodable);
}

/* Safe for a terminal: without control characters. */
static const char *report_shown(struct ipr_report *r, struct ipr_str s)
{
    return ipr_row_text(s, 500, &r->mem);
}

static void put_text_place(struct ipr_report *r, const struct ipr_err *e)
{
    ipr_buf_puts(&r->out, report_shown(r, ipr_str_c(r->file)));
    if (r->entry.n > 0)
        ipr_buf_printf(&r->out, "(%s)", report_shown(r, ipr_str_c(ipr_buf_c(&r->entry))));
    if (e->line != 0)
        ipr_buf_printf(&r->out, ":%" PRIu32, e->line);
    if (e->line != 0 && e->column != 0)
        ipr_buf_printf(&r->out, ":%" PRIu32, e->column);
    ipr_buf_puts(&r->out, ": ");
}

/* ---- counting ---------------------------------------------------------------------------------
 */

static enum ipr_code report_game(struct ipr_report *r, const struct seen *g)
{
    r->index++;
    r->n.games++;
    r->n.variations += g->variations;
    r->n.windows_1252 += g->encoding.cp1252;
    r->n.undecodable += g->encoding.undecodable;
    if (g->error != NULL) {
        const char *type = report_type(g->error);
        size_t i = 0;

        if (r->n.refused++ == 0)
            r->game_error = *g->error;
        while (i < r->n_types && strcmp(r->types[i].type, type) != 0)
            i++;
        if (i == MAX_TYPES)
            i--; /* there are not so many */
        if (i == r->n_types)
            snprintf(r->types[r->n_types++].type, sizeof r->types[i].type, "%s", type);
        r->types[i].n++;
    } else {
        r->n.accepted++;
    }
    if (r->form == IPR_REPORT_NDJSON) {
        put_json_game(r, g);
    } else if (g->error != NULL) {
        put_text_place(r, g->error);
        ipr_buf_printf(&r->out, "game %" PRIu64 " (%s - %s): %s: %s\n", r->index,
                       report_shown(r, ipr_pgn_tag_find(g->tags, g->n_tags, "White")),
                       report_shown(r, ipr_pgn_tag_find(g->tags, g->n_tags, "Black")),
                       report_type(g->error), report_shown(r, ipr_str_c(g->error->msg)));
    }
    if (g->error == NULL && r->on_game != NULL)
        r->on_game(r->payload, r->file, r->index, g->game);
    return put_out(r);
}

/* ---- games -----------------------------------------------------------------------------
 */

/* Errors of the import in a game that could be read: invalid names, one player on both sides. */
static enum ipr_code report_check_players(struct ipr_report *r, const struct seen *g,
                                          struct ipr_err *err)
{
    const struct ipr_row_source src = { .tags = g->tags, .n_tags = g->n_tags };
    struct ipr_identity white, black;
    const enum ipr_code rc = ipr_row_players(&src, &r->mem, &white, &black, err);

    if (rc != IPR_OK)
        err->line = g->line;
    return rc;
}

static enum ipr_code take_seen(struct ipr_report *r, struct seen *g)
{
    struct ipr_err err = IPR_ERR_INIT;

    if (g->error == NULL && report_check_players(r, g, &err) != IPR_OK)
        g->error = &err;
    return report_game(r, g);
}

static bool stands_somewhere(const struct ipr_err *e)
{
    static const char *const nowhere[] = { "bad_fen", "unsupported_variant", "bad_json",
                                           "line_too_long" };

    for (size_t i = 0; i < sizeof nowhere / sizeof *nowhere; i++)
        if (strcmp(e->type, nowhere[i]) == 0)
            return false;
    return true;
}

static enum ipr_code report_take_game(void *payload, const struct ipr_pgn_game *game,
                                      struct ipr_err *err)
{
    struct ipr_report *r = payload;
    const struct ipr_interchange_game plain = { .tags = game->tags,
                                                .n_tags = game->n_tags,
                                                .start = game->start,
                                                .custom_start = game->custom_start,
                                                .moves = game->moves,
                                                .n_moves = game->n_moves,
                                                .result = game->result,
                                                .notes = game->notes,
                                                .n_notes = game->n_notes };
    struct seen g = {
        .offset = game->offset,
        .line = game->line,
        .tags = game->tags,
        .n_tags = game->n_tags,
        .result = game->result,
        .start = &game->start,
        .end = stands_somewhere(&game->error) ? &game->end : NULL,
        .moves = game->moves,
        .n_moves = game->n_moves,
        .variations = game->variations,
        .encoding = game->encoding,
        .game = &plain,
    };

    if (game->error.code != IPR_OK)
        g.error = &game->error;

    (void)err; /* errors of writing are not errors of reading */
    return take_seen(r, &g);
}

static enum ipr_code report_take_line(void *payload, const struct ipr_source_line *line,
                                      struct ipr_err *err)
{
    struct ipr_report *r = payload;
    struct ipr_pos end = line->game->start;
    struct seen g = {
        .offset = line->offset,
        .line = line->line,
        .tags = line->game->tags,
        .n_tags = line->game->n_tags,
        .result = line->game->result,
        .start = &line->game->start,
        .moves = line->game->moves,
        .n_moves = line->game->n_moves,
        .error = line->error.code != IPR_OK ? &line->error : NULL,
        .game = line->game,
    };

    (void)err;
    if (g.error == NULL && line->game->figures == NULL) {
        for (size_t i = 0; i < g.n_moves; i++)
            ipr_pos_play(&end, g.moves[i]);
        g.end = &end;
    }
    return take_seen(r, &g);
}

static void report_begin_text(void *payload, const char *name)
{
    struct ipr_report *r = payload;

    ipr_buf_reset(&r->entry);
    ipr_buf_puts(&r->entry, name);
}

/* ---- files ------------------------------------------------------------------------------------
 */

/* The file, or the file `entry` of an archive, cannot be read. */
static enum ipr_code report_fault(struct ipr_report *r, const struct ipr_err *cause)
{
    r->at_fault = true;
    if (r->file_error.code == IPR_OK)
        r->file_error = *cause;
    if (r->form == IPR_REPORT_NDJSON) {
        put_names(r);
        ipr_buf_puts(&r->out, ",\"status\":\"error\"");
        put_error(&r->out, cause);
        ipr_buf_puts(&r->out, "}\n");
    } else {
        put_text_place(r, cause);
        ipr_buf_printf(&r->out, "%s: %s\n", report_type(cause),
                       report_shown(r, ipr_str_c(cause->msg)));
    }
    return put_out(r);
}

static enum ipr_code report_passed_over(struct ipr_report *r)
{
    if (++r->passed_over > MAX_PASSED_OVER)
        return IPR_OK;
    if (r->form == IPR_REPORT_NDJSON) {
        put_names(r);
        ipr_buf_puts(&r->out, ",\"status\":\"passed_over\"}\n");
    } else {
        put_text_place(r, &(struct ipr_err)IPR_ERR_INIT);
        ipr_buf_puts(&r->out, "skipped: by its name neither PGN nor NDJSON\n");
    }
    return put_out(r);
}

static enum ipr_code report_take_skipped(void *payload, const struct ipr_source_skipped *left,
                                         struct ipr_err *err)
{
    struct ipr_report *r = payload;

    (void)err;
    report_begin_text(r, left->name);
    return left->why != NULL ? report_fault(r, left->why) : report_passed_over(r);
}

static void begin_file(struct ipr_report *r, const char *file)
{
    r->file = file;
    r->index = r->passed_over = 0;
    r->at_fault = false;
    r->n.files++;
    ipr_buf_reset(&r->entry);
}

static enum ipr_code end_file(struct ipr_report *r, enum ipr_code rc, const struct ipr_err *cause,
                              struct ipr_err *err)
{
    if (rc != IPR_OK && r->write_error.code == IPR_OK)
        rc = report_fault(r, cause);
    r->n.failed += r->at_fault;
    r->n.passed_over += r->passed_over;
    return ipr_err_pass(err, &r->write_error);
}

enum ipr_code ipr_report_fd(struct ipr_report *r, int fd, const char *file, struct ipr_err *err)
{
    const struct ipr_unpack_limits limits = { .max_bytes = r->max_bytes };
    const struct ipr_source_sink sink = { .payload = r,
                                          .text = report_begin_text,
                                          .skipped = report_take_skipped,
                                          .pgn = report_take_game,
                                          .line = report_take_line,
                                          .mem = &r->mem, /* released with every game reported */
                                          .limits = { .notes = true } };
    struct ipr_unpack *u = NULL;
    struct ipr_err cause = IPR_ERR_INIT;
    enum ipr_code rc;

    begin_file(r, file);
    rc = ipr_unpack_open(fd, 0, &limits, &u, &cause);
    if (rc == IPR_OK) {
        rc = ipr_source_read(u, &sink, &cause);
        r->n.bytes += (uint64_t)ipr_unpack_bytes(u);
    }
    ipr_unpack_close(&u);
    return end_file(r, rc, &cause, err);
}

enum ipr_code ipr_report_path(struct ipr_report *r, const char *path, struct ipr_err *err)
{
    const bool standard_input = strcmp(path, "-") == 0;
    const int fd = standard_input ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    struct ipr_err cause = IPR_ERR_INIT;

    if (fd < 0) {
        ipr_err_set(&cause, IPR_EIO, "The file cannot be read: %s.", strerrordesc_np(errno));
        begin_file(r, path);
        return end_file(r, cause.code, &cause, err);
    }
    const enum ipr_code rc = ipr_report_fd(r, fd, path, err);
    if (!standard_input)
        close(fd);
    return rc;
}

/* ---- totals -----------------------------------------------------------------------------------
 */

static void put_text_totals(struct ipr_report *r)
{
    struct ipr_buf *out = &r->out;

    ipr_buf_printf(out,
                   "files %" PRIu64 ", unreadable %" PRIu64 "; games %" PRIu64 ", accepted %" PRIu64
                   ", rejected %" PRIu64 "\n",
                   r->n.files, r->n.failed, r->n.games, r->n.accepted, r->n.refused);
    for (size_t i = 0; i < r->n_types; i++)
        ipr_buf_printf(out, "  %8" PRIu64 " %s\n", r->types[i].n, r->types[i].type);
    ipr_buf_printf(out,
                   "skipped: variations %" PRIu64
                   ", files in archives that are neither PGN nor NDJSON %" PRIu64 "\n",
                   r->n.variations, r->n.passed_over);
    if (r->n.windows_1252 > 0)
        ipr_buf_printf(out,
                       "read as Windows-1252: games %" PRIu64
                       ", bytes in them that stand for no character %" PRIu64 "\n",
                       r->n.windows_1252, r->n.undecodable);
}

enum ipr_code ipr_report_finish(struct ipr_report *r, struct ipr_err *err)
{
    if (r->form == IPR_REPORT_NDJSON) {
        struct ipr_buf *out = &r->out;

        ipr_buf_printf(out,
                       "{\"summary\":{\"files\":%" PRIu64 ",\"failed\":%" PRIu64
                       ",\"games\":%" PRIu64 ",\"accepted\":%" PRIu64 ",\"refused\":%" PRIu64
                       ",\"refused_by_type\":{",
                       r->n.files, r->n.failed, r->n.games, r->n.accepted, r->n.refused);
        for (size_t i = 0; i < r->n_types; i++)
            ipr_buf_printf(out, "%s\"%s\":%" PRIu64, i > 0 ? "," : "", r->types[i].type,
                           r->types[i].n);
        ipr_buf_printf(
            out,
            "},\"variations\":%" PRIu64 ",\"windows_1252\":%" PRIu64 ",\"undecodable\":%" PRIu64
            ",\"passed_over\":%" PRIu64 ",\"bytes\":%" PRIu64 "}}\n",
            r->n.variations, r->n.windows_1252, r->n.undecodable, r->n.passed_over, r->n.bytes);
    } else {
        put_text_totals(r);
    }
    enum ipr_code rc = put_out(r);
    if (rc == IPR_OK && fflush(r->to) != 0)
        rc = cannot_write(r);
    return rc != IPR_OK ? ipr_err_pass(err, &r->write_error) : ipr_report_verdict(r, err);
}

enum ipr_code ipr_report_verdict(const struct ipr_report *r, struct ipr_err *err)
{
    if (r->n.failed > 0 || r->n.refused > 0)
        return ipr_err_set(err, IPR_EDATA,
                           "%" PRIu64 " of %" PRIu64 " games rejected, %" PRIu64 " of %" PRIu64
                           " files unreadable",
                           r->n.refused, r->n.games, r->n.failed, r->n.files);
    return IPR_OK;
}

enum ipr_code ipr_report_fault(const struct ipr_report *r, uint64_t *rejected, struct ipr_err *err)
{
    *rejected = r->n.refused;
    if (r->file_error.code != IPR_OK || r->n.accepted > 0)
        return ipr_err_pass(err, &r->file_error);
    return ipr_err_pass(err, &r->game_error);
}
