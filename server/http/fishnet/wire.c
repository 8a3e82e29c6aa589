#include "http/fishnet/wire.h"

#include <string.h>

#include "uci/remote.h"

#define TOKEN_DIGITS 11 /* 62^11 > 2^63 */
/* Clients read 32 bits; no search limited by depth needs as many. */
#define NODES INT64_C(4000000000)

static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

void ipr_fishnet_id_write(int64_t job, int64_t token, char out[IPR_FISHNET_ID_SIZE])
{
    char text[IPR_FISHNET_ID_SIZE];
    size_t at = sizeof text;

    text[--at] = '\0';
    for (int i = 0; i < TOKEN_DIGITS; i++, token /= 62)
        text[--at] = digits[token % 62];
    do {
        text[--at] = digits[job % 62];
        job /= 62;
    } while (job > 0);
    memcpy(out, text + at, sizeof text - at);
}

static bool read_base62(const char *text, size_t n, int64_t *out)
{
    int64_t v = 0;

    for (size_t i = 0; i < n; i++) {
        const char *at = strchr(digits, text[i]);

        if (at == NULL || __builtin_mul_overflow(v, (int64_t)62, &v) ||
            __builtin_add_overflow(v, (int64_t)(at - digits), &v))
            return false;
    }
    *out = v;
    return true;
}

bool ipr_fishnet_id_read(const char *text, int64_t *job, int64_t *token)
{
    const size_t n = strlen(text);

    return n > TOKEN_DIGITS && n < IPR_FISHNET_ID_SIZE &&
           read_base62(text, n - TOKEN_DIGITS, job) &&
           read_base62(text + n - TOKEN_DIGITS, TOKEN_DIGITS, token);
}

static json_t *moves_json(const struct ipr_db_game *game)
{
    struct ipr_buf text = IPR_BUF_INIT;
    struct ipr_pos pos = game->start;
    char move[IPR_UCI_MAX];

    for (size_t i = 0; i < game->n_moves; i++) {
        const ipr_move m = game->moves[i];

        if (i > 0)
            ipr_buf_putc(&text, ' ');
        if (game->custom_start && (m & IPR_MOVE_CASTLING)) {
            ipr_buf_printf(&text, "%c%c%c%c", 'a' + ipr_move_from(m) % 8,
                           '1' + ipr_move_from(m) / 8, 'a' + ipr_move_to(m) % 8,
                           '1' + ipr_move_to(m) / 8);
        } else {
            ipr_move_to_uci(&pos, m, move);
            ipr_buf_puts(&text, move);
        }
        ipr_pos_play(&pos, m);
    }
    json_t *out = json_stringn(ipr_buf_c(&text), text.n);
    ipr_buf_release(&text);
    return out;
}

/* Some clients use six sevenths. */
static json_int_t nodes_of(const struct ipr_judge *judge)
{
    return judge->nodes > 0 ? judge->nodes + (judge->nodes + 5) / 6 : NODES;
}

/* Each version sends its own engines, and some require theirs. */
static json_t *nodes_json(json_int_t nodes)
{
    static const char *const engines[] = { "classical", "nnue", "sf15", "sf16", "sf17_1", "sf18" };
    json_t *out = json_object();

    for (size_t i = 0; i < sizeof engines / sizeof *engines; i++)
        json_object_set_new(out, engines[i], json_integer(nodes));
    return out;
}

static json_t *skipped_json(const struct ipr_judge *judge, const struct ipr_db_game *game,
                            const bool *chosen)
{
    json_t *out = json_array();

    for (size_t i = 0; i <= game->n_moves; i++)
        if (!ipr_remote_asks(judge, chosen, game->n_moves, i))
            json_array_append_new(out, json_integer((json_int_t)i));
    return out;
}

json_t *ipr_fishnet_job_json(const struct ipr_db_job *job, const struct ipr_judge *judge,
                             const struct ipr_db_game *game, const bool *chosen)
{
    const int depth = judge->depth > 0 ? judge->depth : IPR_DEPTH_MAX;
    char id[IPR_FISHNET_ID_SIZE], fen[IPR_FEN_MAX];

    ipr_fishnet_id_write(job->id, job->token, id);
    ipr_pos_to_fen(&game->start, fen);
    json_t *work =
        json_pack("{s:s, s:s, s:o, s:i, s:i, s:i}", "type", "analysis", "id", id, "nodes",
                  nodes_json(nodes_of(judge)), "timeout", (int)ipr_remote_timeout_ms(judge),
                  "depth", depth, "multipv", (int)judge->multipv);
    return json_pack("{s:o, s:s, s:s, s:s, s:o, s:o, s:I, s:i, s:i}", "work", work, "game_id", "",
                     "position", fen, "variant", game->custom_start ? "chess960" : "standard",
                     "moves", moves_json(game), "skipPositions", skipped_json(judge, game, chosen),
                     "nodes", nodes_of(judge), "depth", depth, "multipv", (int)judge->multipv);
}

static json_t *group_json(const struct ipr_db_status *s)
{
    return json_pack("{s:I, s:I, s:I}", "acquired", (json_int_t)s->acquired, "queued",
                     (json_int_t)s->queued, "oldest", (json_int_t)s->oldest_s);
}

json_t *ipr_fishnet_status_json(const struct ipr_db_status status[2])
{
    return json_pack("{s:{s:o, s:o}}", "analysis", "user", group_json(&status[0]), "system",
                     group_json(&status[1]));
}
