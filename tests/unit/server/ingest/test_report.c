#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include <jansson.h>

#include "base/mem.h"
#include "base/str.h"
#include "ingest/report.h"
#include "ingest/unpack.h"
#include "ipr_pack_test.h"
#include "ipr_test.h"

#define GOOD  "[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 1-0\n\n"
#define WRONG "[White \"C\"]\n[Black \"D\"]\n\n1. e4 e5 2. Ke3 *\n\n"

/* The whole report on one descriptor, as lines of JSON or as text; freed by the caller. */
static char *report(int fd, enum ipr_report_form form, enum ipr_code want)
{
    char *text = NULL;
    size_t n = 0;
    FILE *to = open_memstream(&text, &n);
    struct ipr_report *r = ipr_report_new(to, form);
    struct ipr_err err = IPR_ERR_INIT;

    assert_non_null(to);
    assert_ok(ipr_report_fd(r, fd, "a file", &err), &err);
    assert_int_equal(ipr_report_finish(r, &err), want);
    ipr_report_free(&r);
    fclose(to);
    close(fd);
    return text;
}

/* Lines as objects, the summary last. */
static json_t *lines(int fd, enum ipr_code want)
{
    char *text = report(fd, IPR_REPORT_NDJSON, want), *save = NULL;
    json_t *all = json_array();

    for (char *line = strtok_r(text, "\n", &save); line != NULL;
         line = strtok_r(NULL, "\n", &save)) {
        json_error_t why;
        json_t *o = json_loads(line, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &why);

        if (o == NULL)
            fail_msg("%s: %s", line, why.text);
        json_array_append_new(all, o);
    }
    free(text);
    return all;
}

static const char *text_of(json_t *all, size_t i, const char *name)
{
    return json_string_value(json_object_get(json_array_get(all, i), name));
}

static json_int_t number_of(json_t *all, size_t i, const char *name)
{
    return json_integer_value(json_object_get(json_array_get(all, i), name));
}

static json_t *summary(json_t *all)
{
    return json_object_get(json_array_get(all, json_array_size(all) - 1), "summary");
}

static json_int_t total(json_t *all, const char *name)
{
    return json_integer_value(json_object_get(summary(all), name));
}

static const char *error_type(json_t *all, size_t i)
{
    json_t *e = json_object_get(json_array_get(all, i), "error");

    return json_string_value(json_object_get(e, "type"));
}

static void test_games(void **state)
{
    json_t *all = lines(ipr_pack_plain(GOOD WRONG GOOD, sizeof GOOD WRONG GOOD - 1), IPR_EDATA);
    json_t *e = json_object_get(json_array_get(all, 1), "error");

    (void)state;
    assert_int_equal(json_array_size(all), 4);
    assert_string_equal(text_of(all, 0, "file"), "a file");
    assert_null(text_of(all, 0, "entry"));
    assert_string_equal(text_of(all, 0, "status"), "accepted");
    assert_string_equal(text_of(all, 0, "white"), "A");
    assert_string_equal(text_of(all, 0, "black"), "B");
    assert_string_equal(text_of(all, 0, "result"), "1-0");
    assert_int_equal(number_of(all, 0, "index"), 1);
    assert_int_equal(number_of(all, 0, "plies"), 2);
    assert_string_equal(text_of(all, 0, "fen"),
                        "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");

    assert_string_equal(text_of(all, 1, "status"), "refused");
    assert_string_equal(error_type(all, 1), "illegal_move");
    assert_int_equal(json_integer_value(json_object_get(e, "line")), 9);
    assert_int_equal(json_integer_value(json_object_get(e, "column")), 13);
    assert_int_equal(json_integer_value(json_object_get(e, "ply")), 2);
    assert_int_equal(number_of(all, 1, "index"), 2);
    assert_int_equal(number_of(all, 1, "offset"), sizeof GOOD - 1);
    assert_int_equal(number_of(all, 1, "line"), 6);
    assert_int_equal(number_of(all, 1, "plies"), 2);
    /* Before the refused move it stands where the good game ended. */
    assert_string_equal(text_of(all, 1, "fen"), text_of(all, 0, "fen"));
    assert_string_equal(text_of(all, 1, "digest"), text_of(all, 0, "digest"));

    assert_int_equal(total(all, "files"), 1);
    assert_int_equal(total(all, "games"), 3);
    assert_int_equal(total(all, "accepted"), 2);
    assert_int_equal(total(all, "refused"), 1);
    assert_int_equal(total(all, "failed"), 0);
    assert_int_equal(total(all, "bytes"), sizeof GOOD WRONG GOOD - 1);
    assert_int_equal(json_integer_value(json_object_get(
                         json_object_get(summary(all), "refused_by_type"), "illegal_move")),
                     1);
    json_decref(all);
}

/* SHA-256 of a NUL and the moves e2e4 (12 | 28 << 6), e7e5 (52 | 36 << 6), by sha256sum. */
static void test_digest(void **state)
{
    json_t *all = lines(ipr_pack_plain(GOOD, sizeof GOOD - 1), IPR_OK);

    (void)state;
    assert_string_equal(text_of(all, 0, "digest"),
                        "becc4e93115020c9c048fcaba3b5b9aedd758b7de23a208a1c382991cd95ad63");
    json_decref(all);
}

static void test_entries(void **state)
{
    const struct ipr_pack_entry entries[] = {
        { "one.pgn", GOOD GOOD }, { "read.me", "no" }, { "two\n.pgn", GOOD }, { "", NULL }
    };
    json_t *all = lines(ipr_pack_zip(entries), IPR_OK);

    (void)state;
    assert_int_equal(json_array_size(all), 5);
    assert_string_equal(text_of(all, 1, "entry"), "one.pgn");
    assert_string_equal(text_of(all, 2, "entry"), "read.me");
    assert_string_equal(text_of(all, 2, "status"), "passed_over");
    assert_string_equal(text_of(all, 3, "entry"), "two\n.pgn");
    assert_int_equal(number_of(all, 3, "index"), 3);  /* of the file */
    assert_int_equal(number_of(all, 3, "offset"), 0); /* of the text */
    assert_int_equal(total(all, "passed_over"), 1);
    assert_int_equal(total(all, "failed"), 0);
    json_decref(all);
}

#define JUDGE                                                                                      \
    "\"judge\":{\"name\":\"standard\",\"engine\":\"E\",\"multipv\":20,\"limit\":{\"depth\":10},"   \
    "\"threads\":1,\"hash_mb\":16,\"first_move\":9}"
#define LINE(moves)                                                                                \
    "{\"tags\":{\"White\":\"A\",\"Black\":\"B\"},\"result\":\"1-0\",\"moves\":\"" moves            \
    "\"," JUDGE ",\"turns\":[]}\n"

static void test_interchange(void **state)
{
    static const char text[] = LINE("e2e4 e7e5") "\n" LINE("e2e4 e7e4") "{\"no\": game}\n";
    json_t *all = lines(ipr_pack_plain(text, sizeof text - 1), IPR_EDATA);
    json_t *pgn = lines(ipr_pack_plain(GOOD, sizeof GOOD - 1), IPR_OK);

    (void)state;
    assert_int_equal(json_array_size(all), 4);
    assert_string_equal(text_of(all, 0, "status"), "accepted");
    assert_string_equal(text_of(all, 0, "fen"), text_of(pgn, 0, "fen"));
    assert_string_equal(text_of(all, 0, "digest"), text_of(pgn, 0, "digest"));
    assert_string_equal(error_type(all, 1), "illegal_move");
    assert_int_equal(number_of(all, 1, "line"), 3);
    assert_int_equal(number_of(all, 1, "offset"), sizeof LINE("e2e4 e7e5") - 1 + 1);
    assert_true(json_is_null(json_object_get(json_array_get(all, 1), "fen")));
    assert_string_equal(text_of(all, 1, "white"), "A");
    assert_string_equal(error_type(all, 2), "bad_json");
    json_decref(all);
    json_decref(pgn);
}

/* ---- what a file may be ---- */

#define TEXT(literal)                                                                              \
    {                                                                                              \
        (literal), sizeof(literal) - 1                                                             \
    }

static struct row {
    const char *name;
    struct ipr_str bytes;
    enum ipr_code code;
    const char *type; /* of the first line */
    const char *status;
} rows[] = {
    { "nothing", { "", 0 }, IPR_EDATA, "empty_body", "error" },
    { "only blanks", { " \n\n", 3 }, IPR_EDATA, "no_games", "error" },
    { "UTF-16", { "\xff\xfe[\0W\0", 6 }, IPR_EDATA, "unknown_encoding", "error" },
    { "xz", { "\xfd\x37zXZ\0\0\0", 8 }, IPR_EDATA, "bad_archive", "error" },
    { "7z", { "7z\xbc\xaf\x27\x1c\0\0", 8 }, IPR_EDATA, "bad_archive", "error" },
    { "RAR", { "Rar!\x1a\x07\0\0", 8 }, IPR_EDATA, "bad_archive", "error" },
    { "a bad start", TEXT("[FEN \"k7/8/8/8/8/8/8/8 w - - 0 1\"]\n\n1. e4 *\n"), IPR_EDATA,
      "bad_fen", "refused" },
    { "no names", TEXT("1. e4 e5 1-0\n"), IPR_OK, NULL, "accepted" },
    { "no moves", TEXT("[White \"A\"]\n[Black \"B\"]\n\n1-0\n"), IPR_OK, NULL, "accepted" },
    { "a lone result", TEXT("*\n"), IPR_EDATA, "no_games", "error" },
    { "words", TEXT("Dear friends\n"), IPR_EDATA, "no_games", "error" },
    { "a lone result before a game", TEXT("*\n\n[White \"A\"]\n\n1. e4 *\n"), IPR_EDATA,
      "empty_game", "refused" },
    { "words before a game", TEXT("Dear friends\n\n[White \"A\"]\n\n1. e4 *\n"), IPR_EDATA,
      "bad_move", "refused" },
};

static void test_row(void **state)
{
    const struct row *r = *state;
    json_t *all = lines(ipr_pack_plain(r->bytes.p, r->bytes.n), r->code);

    assert_string_equal(text_of(all, 0, "status"), r->status);
    if (r->type != NULL)
        assert_string_equal(error_type(all, 0), r->type);
    json_decref(all);
}

/* A text without a game is one fault, which says where and why: there is no game to refuse. */
static void test_words(void **state)
{
    json_t *all = lines(ipr_pack_plain("\nDear friends\n", 14), IPR_EDATA);
    json_t *e = json_object_get(json_array_get(all, 0), "error");

    (void)state;
    assert_int_equal(json_array_size(all), 2);
    assert_non_null(strstr(json_string_value(json_object_get(e, "detail")), "line 2, column 1"));
    assert_non_null(strstr(json_string_value(json_object_get(e, "detail")), "Dear"));
    assert_int_equal(total(all, "failed"), 1);
    assert_int_equal(total(all, "games"), 0);
    assert_int_equal(total(all, "refused"), 0);
    json_decref(all);
}

/* Longer than a game may be: what it is was not seen, so it is refused as too long, from where it
 * begins. */
static void test_long_comment(void **state)
{
    struct ipr_buf text = IPR_BUF_INIT;

    (void)state;
    ipr_buf_puts(&text, "\n{");
    while (text.n < (size_t)5 << 20)
        ipr_buf_puts(&text, "words ");
    ipr_buf_puts(&text, "} 1. e4 *\n");
    json_t *all = lines(ipr_pack_plain(text.p, text.n), IPR_EDATA);
    assert_int_equal(json_array_size(all), 2);
    assert_string_equal(error_type(all, 0), "game_too_long");
    assert_int_equal(number_of(all, 0, "offset"), 1);
    assert_int_equal(number_of(all, 0, "line"), 2);
    assert_int_equal(total(all, "failed"), 0);
    json_decref(all);
    ipr_buf_release(&text);
}

/* Sections of another kind of file, fewer and more than are held back. */
static void test_many_words(void **state)
{
    static const struct {
        size_t n;
        json_int_t failed, refused;
    } cases[] = { { 900, 1, 0 }, { 1100, 0, 1100 } };

    (void)state;
    for (size_t c = 0; c < 2; c++) {
        struct ipr_buf text = IPR_BUF_INIT;

        for (size_t i = 0; i < cases[c].n; i++)
            ipr_buf_puts(&text, "[section]\nkey = value\n");
        json_t *all = lines(ipr_pack_plain(text.p, text.n), IPR_EDATA);
        assert_int_equal(total(all, "failed"), cases[c].failed);
        assert_int_equal(total(all, "refused"), cases[c].refused);
        assert_int_equal(total(all, "games"), cases[c].refused);
        json_decref(all);
        ipr_buf_release(&text);
    }
}

/* What lies in an archive and cannot be read is named; everything else is read. */
static void test_archive(void **state)
{
    static char tar[IPR_UNPACK_BEGIN + 1];
    static const struct {
        const char *entry, *status, *type; /* an entry of NULL: of the file as a whole */
    } want[] = {
        { "a.pgn", "accepted", NULL },          { "b.pgn", "error", "bad_archive" },
        { "c.pgn.gz", "error", "bad_archive" }, { "d", "error", "bad_archive" },
        { "e.dat", "error", "bad_archive" },    { "f.TAR", "error", "bad_archive" },
        { "._g.zip", "passed_over", NULL },     { "zip", "passed_over", NULL },
        { "h.pgn", "error", "no_games" },       { "j.pgn", "error", "unknown_encoding" },
        { "z.pgn", "accepted", NULL },
    };

    (void)state;
    memset(tar, 'x', sizeof tar - 1);
    memcpy(tar + 257, "ustar", 5);
    const struct ipr_pack_entry entries[] = { { "a.pgn", GOOD },
                                              { "b.pgn", "PK\x03\x04 and so on" },
                                              { "c.pgn.gz", "\x1f\x8b\x08 and so on" },
                                              { "d", "\x28\xb5\x2f\xfd and so on" },
                                              { "e.dat", tar },
                                              { "f.TAR", "" },
                                              { "._g.zip", "" },
                                              { "zip", "" },
                                              { "h.pgn", "hello" },
                                              { "i.pgn", "\n" },
                                              { "j.pgn", "\xff\xfe[" },
                                              { "z.pgn", GOOD },
                                              { "", NULL } };
    enum { N = sizeof want / sizeof *want };
    json_t *all = lines(ipr_pack_zip(entries), IPR_EDATA);
    assert_int_equal(json_array_size(all), N + 1);
    for (size_t i = 0; i < N; i++) {
        assert_string_equal(text_of(all, i, "entry"), want[i].entry);
        assert_string_equal(text_of(all, i, "status"), want[i].status);
        if (want[i].type != NULL)
            assert_string_equal(error_type(all, i), want[i].type);
    }
    assert_int_equal(total(all, "games"), 2);
    assert_int_equal(total(all, "accepted"), 2);
    assert_int_equal(total(all, "failed"), 1);
    assert_int_equal(total(all, "passed_over"), 2);
    json_decref(all);
}

/* One FIDE id on both sides; one name may be namesakes', and nobody may play nobody. */
static void test_same_player(void **state)
{
    static const char text[] = "[White \"A, A\"]\n[Black \"a,  A.\"]\n\n1. e4 *\n\n"
                               "[White \"A, A\"]\n[Black \"B, B\"]\n[WhiteFideId "
                               "\"7\"]\n[BlackFideId \"7\"]\n\n1. e4 *\n\n"
                               "[White \"A, A\"]\n[Black \"A, A\"]\n[WhiteFideId "
                               "\"7\"]\n[BlackFideId \"8\"]\n\n1. e4 *\n\n"
                               "[White \"?\"]\n[Black \"?\"]\n\n1. e4 *\n";

    (void)state;
    json_t *all = lines(ipr_pack_plain(text, sizeof text - 1), IPR_EDATA);
    assert_string_equal(text_of(all, 0, "status"), "accepted");
    assert_string_equal(error_type(all, 1), "same_player");
    assert_int_equal(json_integer_value(
                         json_object_get(json_object_get(json_array_get(all, 1), "error"), "line")),
                     6);
    assert_string_equal(text_of(all, 2, "status"), "accepted");
    assert_string_equal(text_of(all, 3, "status"), "accepted");
    json_decref(all);
}

/* An archive without one game: its fault says which the first is. */
static void test_archive_without_games(void **state)
{
    const struct ipr_pack_entry entries[] = { { "games.txt", GOOD },
                                              { "c.pgn.gz", "\x1f\x8b\x08" },
                                              { "", NULL } };
    json_t *all = lines(ipr_pack_zip(entries), IPR_EDATA);
    json_t *e = json_object_get(json_array_get(all, 2), "error");

    (void)state;
    assert_int_equal(json_array_size(all), 4);
    assert_string_equal(text_of(all, 0, "status"), "passed_over");
    assert_string_equal(error_type(all, 1), "bad_archive");
    assert_string_equal(error_type(all, 2), "no_games");
    assert_null(text_of(all, 2, "entry"));
    assert_non_null(strstr(json_string_value(json_object_get(e, "detail")), "c.pgn.gz"));
    assert_int_equal(total(all, "failed"), 1);
    json_decref(all);
}

static void test_many_passed_over(void **state)
{
    enum { N = 150 };
    static char names[N][16];
    struct ipr_pack_entry entries[N + 2] = { { "a.pgn", GOOD } };

    (void)state;
    for (size_t i = 0; i < N; i++) {
        snprintf(names[i], sizeof names[i], "%zu.txt", i);
        entries[i + 1] = (struct ipr_pack_entry){ names[i], "x" };
    }
    entries[N + 1].name = "";
    json_t *all = lines(ipr_pack_zip(entries), IPR_OK);
    assert_int_equal(json_array_size(all), 1 + 100 + 1);
    assert_string_equal(text_of(all, 100, "entry"), "99.txt");
    assert_int_equal(total(all, "passed_over"), N);
    json_decref(all);
}

static void test_encodings(void **state)
{
    static const char text[] =
        GOOD "[White \"M\xfcller\"]\n[Black \"P\xc3\xb6ttinger\"]\n\n1. e4 *\n\n"
             "[White \"a\x81\"]\n[Black \"B\"]\n\n1. e4 {\x9d} *\n\n"
             "[White \"\xc3\xb6\"]\n[Black \"B\"]\n\n1. e4 *\n";
    json_t *all = lines(ipr_pack_plain(text, sizeof text - 1), IPR_OK);

    (void)state;
    assert_int_equal(json_array_size(all), 5);
    assert_string_equal(text_of(all, 0, "encoding"), "utf-8");
    assert_string_equal(text_of(all, 1, "encoding"), "windows-1252");
    assert_int_equal(number_of(all, 1, "undecodable"), 0);
    assert_string_equal(text_of(all, 1, "white"), "M\xc3\xbcller");
    assert_string_equal(text_of(all, 1, "black"), "P\xc3\xb6ttinger");
    assert_string_equal(text_of(all, 2, "status"), "accepted");
    assert_string_equal(text_of(all, 2, "encoding"), "windows-1252");
    assert_int_equal(number_of(all, 2, "undecodable"), 2);
    assert_string_equal(text_of(all, 3, "encoding"), "utf-8");
    assert_int_equal(total(all, "windows_1252"), 2);
    assert_int_equal(total(all, "undecodable"), 2);
    json_decref(all);
}

static void test_text_of_archive(void **state)
{
    const struct ipr_pack_entry entries[] = { { "a.pgn", "[White \"\x81\"]\n\n1. e4 *\n" },
                                              { "b.txt", GOOD },
                                              { "c.gz", "" },
                                              { "", NULL } };
    char *text = report(ipr_pack_zip(entries), IPR_REPORT_TEXT, IPR_EDATA);

    (void)state;
    assert_non_null(strstr(text, "a file(b.txt): skipped: by its name neither PGN nor NDJSON\n"));
    assert_non_null(strstr(text, "a file(c.gz): bad_archive: By its name it is packed"));
    assert_non_null(strstr(text, "neither PGN nor NDJSON 1\n"));
    assert_non_null(strstr(
        text, "read as Windows-1252: games 1, bytes in them that stand for no character 1\n"));
    free(text);
}

static void test_long_name(void **state)
{
    struct ipr_buf text = IPR_BUF_INIT;

    (void)state;
    ipr_buf_puts(&text, GOOD "[White \"");
    for (int i = 0; i < 201; i++)
        ipr_buf_putc(&text, 'a');
    ipr_buf_puts(&text, "\"]\n[Black \"B\"]\n\n1. e4 *\n");
    json_t *all = lines(ipr_pack_plain(text.p, text.n), IPR_EDATA);
    assert_string_equal(error_type(all, 1), "name_too_long");
    assert_int_equal(json_integer_value(
                         json_object_get(json_object_get(json_array_get(all, 1), "error"), "line")),
                     6);
    json_decref(all);
    ipr_buf_release(&text);
}

static void test_any_bytes_in_names(void **state)
{
    static const char text[] = "[White \"a\x01\x1b\xe9\\\"\"]\n[Black \"\xc3\xa9\"]\n\n1. e4 *\n";
    json_t *all = lines(ipr_pack_plain(text, sizeof text - 1), IPR_OK);

    (void)state;
    /* One byte is no UTF-8, so the name is Windows-1252, and the reader has spaces for control
     * characters. */
    assert_string_equal(text_of(all, 0, "white"), "a  \xc3\xa9\"");
    assert_string_equal(text_of(all, 0, "black"), "\xc3\xa9");
    json_decref(all);
}

static void test_text(void **state)
{
    char *text =
        report(ipr_pack_plain(GOOD WRONG, sizeof GOOD WRONG - 1), IPR_REPORT_TEXT, IPR_EDATA);

    (void)state;
    assert_non_null(strstr(text, "a file:9:13: game 2 (C - D): illegal_move: Ke3 is not legal"));
    assert_non_null(strstr(text, "files 1, unreadable 0; games 2, accepted 1, rejected 1\n"));
    assert_null(strstr(text, "game 1"));
    free(text);
}

struct lichess_seen {
    size_t games;
    char text[1024];
};

static void lichess_take(void *payload, const char *file, uint64_t number,
                         const struct ipr_interchange_game *game)
{
    static const char *const names[] = { "Event",           "Site",       "UTCDate", "WhiteElo",
                                         "WhiteRatingDiff", "TimeControl" };
    struct lichess_seen *const seen = payload;
    struct ipr_buf text = IPR_BUF_INIT;

    (void)file;
    (void)number;
    seen->games++;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct ipr_str value = ipr_pgn_tag_find(game->tags, game->n_tags, names[i]);

        ipr_buf_printf(&text, "%s=%.*s ", names[i], (int)value.n, value.p);
    }
    for (size_t i = 0; i < game->n_notes; i++) {
        const struct ipr_pgn_note *const note = &game->notes[i];

        if (note->kind == IPR_NOTE_CLK)
            ipr_buf_printf(&text, "%dms ", (int)note->ms);
        else
            ipr_buf_printf(&text, note->mate ? "mate%d " : "%dcp ", note->value);
    }
    snprintf(seen->text, sizeof seen->text, "%s", ipr_buf_c(&text));
    ipr_buf_release(&text);
}

static void test_full_disk(void **state)
{
    FILE *to = fopen("/dev/full", "w");
    struct ipr_report *r = ipr_report_new(to, IPR_REPORT_NDJSON);
    struct ipr_err err = IPR_ERR_INIT;
    const int fd = ipr_pack_plain(GOOD, sizeof GOOD - 1);
    enum ipr_code rc = ipr_report_fd(r, fd, "a file", &err);

    (void)state;
    if (rc == IPR_OK)
        rc = ipr_report_finish(r, &err);
    assert_int_equal(rc, IPR_EIO);
    assert_non_null(strstr(err.msg, strerrordesc_np(ENOSPC)));
    ipr_report_free(&r);
    close(fd);
    fclose(to);
}

/* Lines as lichess's API writes them: each is a game of its own, whatever its text holds. */
static void test_lichess(void **state)
{
    static const char text[] =
        "{\"id\":\"q7\",\"rated\":true,\"variant\":\"standard\",\"speed\":\"blitz\",\"perf\":"
        "\"blitz\","
        "\"createdAt\":1514505150384,\"status\":\"draw\",\"players\":{\"white\":{\"user\":{"
        "\"name\":"
        "\"L\\\\\\\"][x \\\"\"},\"rating\":2389,\"ratingDiff\":4},\"black\":{\"aiLevel\":3}},"
        "\"moves\":\"f3 e5 g4\",\"clock\":{\"initial\":300,\"increment\":3},"
        "\"clocks\":[30003,366100,1],\"analysis\":[{\"eval\":-17},{\"mate\":-2}]}\n"
        "{\"id\":\"r8\",\"speed\":\"rapid\",\"perf\":\"rapid\",\"status\":\"mate\",\"winner\":"
        "\"black\","
        "\"players\":{\"white\":{},\"black\":{}},\"moves\":\"f3 } * [White \\\"x\\\"] e5\"}\n"
        "\n"
        "{\"id\":\"s9\",\"players\":[]}\n"
        "{\"id\":\"t0\",\"variant\":\"atomic\",\"players\":{},\"moves\":\"e4\"}\n";
    struct lichess_seen seen = { 0 };
    json_t *all = lines(ipr_pack_plain(text, sizeof text - 1), IPR_EDATA);

    (void)state;
    assert_int_equal(json_array_size(all), 5);
    assert_string_equal(text_of(all, 0, "status"), "accepted");
    assert_string_equal(text_of(all, 0, "white"), "L\\\"][x \"");
    assert_string_equal(text_of(all, 0, "black"), "lichess AI level 3");
    assert_string_equal(text_of(all, 0, "result"), "1/2-1/2");
    assert_int_equal(number_of(all, 0, "plies"), 3);
    assert_string_equal(error_type(all, 1), "bad_move");
    assert_int_equal(number_of(all, 1, "plies"), 1);
    assert_string_equal(error_type(all, 2), "bad_json");
    assert_int_equal(number_of(all, 2, "line"), 4);
    assert_true(json_is_null(json_object_get(json_array_get(all, 2), "fen")));
    assert_string_equal(error_type(all, 3), "unsupported_variant");
    json_decref(all);

    struct ipr_report *r = ipr_report_new(NULL, IPR_REPORT_TEXT);
    struct ipr_err err = IPR_ERR_INIT;
    const int fd = ipr_pack_plain(text, sizeof text - 1);

    ipr_report_on_game(r, lichess_take, &seen);
    assert_ok(ipr_report_fd(r, fd, "a file", &err), &err);
    assert_int_equal(seen.games, 1);
    assert_string_equal(seen.text, "Event=Rated blitz game Site=https://lichess.org/q7 "
                                   "UTCDate=2017.12.28 WhiteElo=2389 WhiteRatingDiff=+4 "
                                   "TimeControl=300+3 -17cp 300000ms mate-2 3661000ms 0ms ");
    ipr_report_free(&r);
    close(fd);
}

int main(void)
{
    enum { N = sizeof rows / sizeof *rows };
    struct CMUnitTest fixed[] = {
        cmocka_unit_test(test_games),
        cmocka_unit_test(test_digest),
        cmocka_unit_test(test_entries),
        cmocka_unit_test(test_interchange),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_same_player),
        cmocka_unit_test(test_many_words),
        cmocka_unit_test(test_long_comment),
        cmocka_unit_test(test_archive),
        cmocka_unit_test(test_archive_without_games),
        cmocka_unit_test(test_many_passed_over),
        cmocka_unit_test(test_encodings),
        cmocka_unit_test(test_text_of_archive),
        cmocka_unit_test(test_long_name),
        cmocka_unit_test(test_any_bytes_in_names),
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_full_disk),
        cmocka_unit_test(test_lichess),
    };
    enum { FIXED = sizeof fixed / sizeof *fixed };
    struct CMUnitTest tests[FIXED + N] = { 0 };

    memcpy(tests, fixed, sizeof fixed);
    for (size_t i = 0; i < N; i++)
        tests[FIXED + i] = (struct CMUnitTest){ .name = rows[i].name,
                                                .test_func = test_row,
                                                .initial_state = &rows[i] };
    return cmocka_run_group_tests_name("report", tests, NULL, NULL);
}
