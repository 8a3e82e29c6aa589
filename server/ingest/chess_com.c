#include "ingest/chess_com.h"

#include <jansson.h>
#include <string.h>

enum { IN_FILE, IN_ARCHIVE, IN_GAMES, IN_GAME }; /* depths */

bool ipr_chess_com_begins(struct ipr_str text)
{
    static const char member[] = "\"games\"";
    const char *const quote = memchr(text.p, '"', text.n);

    return quote != NULL && (size_t)(text.p + text.n - quote) >= sizeof member - 1 &&
           memcmp(quote, member, sizeof member - 1) == 0;
}

/* Nothing is read after what is no archive. */
static enum ipr_code archive_refuse(struct ipr_chess_com *c, const char *why, struct ipr_err *err)
{
    struct ipr_err said = IPR_ERR_INIT;

    c->ended = true;
    c->at = (struct ipr_chess_com_game){ c->line, c->column, c->offset, NULL, &said };
    (void)ipr_err_at(&said, IPR_EPARSE, "bad_json", c->line, c->column, -1,
                     "This is no archive of chess.com in JSON, {\"games\":[…]}: %s.", why);
    return c->game(c->payload, &c->at, err);
}

static enum ipr_code archive_game(struct ipr_chess_com *c, struct ipr_err *err)
{
    struct ipr_err said = IPR_ERR_INIT;
    struct ipr_chess_com_game *const at = &c->at;
    json_error_t why;
    json_t *game = NULL;

    if (c->text.n > IPR_CHESS_COM_GAME_MAX) {
        (void)ipr_err_at(&said, IPR_EPARSE, "bad_json", at->line, at->column, -1,
                         "The game is longer than %zu bytes.", IPR_CHESS_COM_GAME_MAX);
    } else {
        game = json_loadb(c->text.p, c->text.n, JSON_REJECT_DUPLICATES, &why);
        at->pgn = json_string_value(json_object_get(game, "pgn"));
        if (game == NULL)
            (void)ipr_err_at(&said, IPR_EPARSE, "bad_json", at->line + (uint32_t)why.line - 1,
                             (uint32_t)why.column + (why.line > 1 ? 0 : at->column - 1), -1,
                             "This game is no JSON: %s.", why.text);
        else if (at->pgn == NULL)
            (void)ipr_err_at(&said, IPR_EPARSE, "bad_json", at->line, at->column, -1,
                             "This game of chess.com has no moves: a member \"pgn\" is missing.");
    }
    at->why = at->pgn == NULL ? &said : NULL;
    const enum ipr_code rc = c->game(c->payload, at, err);
    json_decref(game);
    ipr_buf_reset(&c->text);
    return rc;
}

enum ipr_code ipr_chess_com_feed(struct ipr_chess_com *c, struct ipr_str bytes, struct ipr_err *err)
{
    enum ipr_code rc = IPR_OK;

    if (c->line == 0)
        c->line = c->column = 1;
    if (c->offset == 0 && bytes.n >= 3 && memcmp(bytes.p, "\xef\xbb\xbf", 3) == 0) {
        bytes = (struct ipr_str){ bytes.p + 3, bytes.n - 3 };
        c->offset = 3;
    }
    for (size_t i = 0; rc == IPR_OK && i < bytes.n && !c->ended; i++) {
        const char b = bytes.p[i];
        const bool plain = !c->string && b != '"', space = strchr(" \t\r\n", b) != NULL;
        const bool opens = plain && (b == '{' || b == '['),
                   closes = plain && (b == '}' || b == ']');

        if (c->depth == IN_FILE && !space && (c->closed || !opens))
            rc = archive_refuse(c, "there is more after its end", err);
        else if (c->depth == IN_GAMES && !space && b != ',' && b != '{' && !closes)
            rc = archive_refuse(c, "a game is an object", err);
        else if (c->depth == IN_GAMES && opens)
            c->at = (struct ipr_chess_com_game){ c->line, c->column, c->offset, NULL, NULL };
        c->depth += opens;
        if (c->depth >= IN_GAME && c->text.n <= IPR_CHESS_COM_GAME_MAX)
            ipr_buf_putc(&c->text, b);
        c->depth -= closes;
        c->closed = c->closed || (closes && c->depth == IN_FILE);
        if (closes && c->depth == IN_GAMES && rc == IPR_OK)
            rc = archive_game(c, err);
        c->string = !plain && (b != '"' || !c->string || c->escaped);
        c->escaped = c->string && b == '\\' && !c->escaped;
        c->offset++;
        c->column = b == '\n' ? 1 : c->column + 1;
        c->line += b == '\n';
    }
    return rc;
}

enum ipr_code ipr_chess_com_finish(struct ipr_chess_com *c, struct ipr_err *err)
{
    const enum ipr_code rc =
        c->ended || c->depth == IN_FILE ? IPR_OK : archive_refuse(c, "it ends in the middle", err);

    ipr_buf_release(&c->text);
    return rc;
}
