#include "ingest/row.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>
#include <sodium.h>
#include <unistr.h>

#include "core/names.h"

#define TAG_BYTES 4096 /* of a tag's value; more than any page can show */
#define ELO_MAX   4000

/* ---- texts ------------------------------------------------------------------------------------
 */

const char *ipr_row_text(struct ipr_str s, size_t max, struct ipr_arena *mem)
{
    /* A byte that is no UTF-8 becomes the replacement character, three bytes at most. */
    const size_t n_in = s.n < max ? s.n : max;
    uint8_t *text = ipr_arena_alloc(mem, n_in * 3 + 1, 1);
    size_t n = 0;

    for (size_t i = 0; i < s.n;) {
        uint8_t utf8[6];
        ucs4_t c;

        i += (size_t)u8_mbtouc(&c, (const uint8_t *)s.p + i, s.n - i);
        if (c < 0x20 || (c >= 0x7f && c < 0xa0))
            c = ' ';
        const int len = u8_uctomb(utf8, c, sizeof utf8);
        if (len < 0 || n + (size_t)len > max || n + (size_t)len > n_in * 3)
            break;
        memcpy(text + n, utf8, (size_t)len);
        n += (size_t)len;
    }
    const struct ipr_str trimmed = ipr_str_trim((struct ipr_str){ (const char *)text, n });
    return ipr_arena_strndup(mem, trimmed.p, trimmed.n);
}

struct ipr_str ipr_row_tag(const struct ipr_pgn_tag *tags, size_t n_tags, const char *name)
{
    for (size_t i = 0; i < n_tags; i++) {
        if (ipr_str_is(tags[i].name, name))
            return tags[i].value;
    }
    return (struct ipr_str){ "", 0 };
}

/* Unknown values are written "?", "-" or "????.??.??" in PGN; columns keep "" for them. */
static const char *known_text(const struct ipr_row_source *src, const char *name,
                              struct ipr_arena *mem)
{
    const char *text = ipr_row_text(ipr_row_tag(src->tags, src->n_tags, name), TAG_BYTES, mem);

    return text[strspn(text, "?.- ")] == '\0' ? "" : text;
}

int ipr_row_year(struct ipr_str date)
{
    const struct ipr_str s = ipr_str_trim(date);
    int64_t year;

    if (s.n < 4 || (s.n > 4 && s.p[4] >= '0' && s.p[4] <= '9') || s.p[0] < '1' || s.p[0] > '9' ||
        !ipr_str_int((struct ipr_str){ s.p, 4 }, 1000, 9999, &year))
        return 0;
    return (int)year;
}

static int read_elo(const struct ipr_row_source *src, const char *name)
{
    int64_t elo;

    if (!ipr_str_int(ipr_str_trim(ipr_row_tag(src->tags, src->n_tags, name)), 1, ELO_MAX, &elo))
        return 0;
    return (int)elo;
}

/* ---- tags as JSON -----------------------------------------------------------------------------
 */

static const char *tags_json(const struct ipr_row_source *src, struct ipr_arena *mem)
{
    json_t *o = json_object();

    for (size_t i = 0; i < src->n_tags; i++) {
        const char *name = ipr_row_text(src->tags[i].name, TAG_BYTES, mem);

        if (name[0] == '\0' || json_object_get(o, name) != NULL)
            continue;
        json_object_set_new(o, name, json_string(ipr_row_text(src->tags[i].value, TAG_BYTES, mem)));
    }
    char *text = json_dumps(o, JSON_COMPACT);
    if (text == NULL)
        abort(); /* out of memory: every text above is valid */
    const char *kept = ipr_arena_strndup(mem, text, strlen(text));
    free(text);
    json_decref(o);
    return kept;
}

/* ---- digest -----------------------------------------------------------------------------------
 */

/* Start, names and year each end in a NUL, so that no two games run into one another. */
static void digest_game(struct ipr_db_new_game *row, const char *fen)
{
    crypto_generichash_state state;
    const unsigned char year[3] = { (unsigned char)(row->year & 0xff),
                                    (unsigned char)(row->year >> 8), 0 };

    crypto_generichash_init(&state, NULL, 0, sizeof row->digest);
    crypto_generichash_update(&state, (const unsigned char *)fen, strlen(fen) + 1);
    crypto_generichash_update(&state, (const unsigned char *)row->white_key,
                              strlen(row->white_key) + 1);
    crypto_generichash_update(&state, (const unsigned char *)row->black_key,
                              strlen(row->black_key) + 1);
    crypto_generichash_update(&state, year, sizeof year);
    for (size_t i = 0; i < row->n_moves; i++) {
        const unsigned char move[2] = { (unsigned char)(row->moves[i] & 0xff),
                                        (unsigned char)(row->moves[i] >> 8) };
        crypto_generichash_update(&state, move, sizeof move);
    }
    crypto_generichash_final(&state, row->digest, sizeof row->digest);
}

/* ---- the row ----------------------------------------------------------------------------------
 */

static enum ipr_code read_player(const struct ipr_row_source *src, const char *tag,
                                 struct ipr_arena *mem, const char **name, const char **key,
                                 struct ipr_err *err)
{
    /* One byte more than a name may have, so that a longer one is seen to be longer. */
    *name = ipr_row_text(ipr_row_tag(src->tags, src->n_tags, tag), IPR_NAME_MAX + 4, mem);
    struct ipr_err cause = IPR_ERR_INIT;
    const enum ipr_code rc = ipr_name_key(*name, mem, key, &cause);
    if (rc != IPR_OK)
        return ipr_err_at(err, rc, cause.type, 0, 0, -1, "%s: %s", tag, cause.msg);
    return IPR_OK;
}

static void copy_moves(const struct ipr_row_source *src, struct ipr_arena *mem,
                       struct ipr_db_new_game *row)
{
    ipr_move *moves = ipr_arena_alloc(mem, src->n_moves, sizeof *moves);

    memcpy(moves, src->moves, src->n_moves * sizeof *moves);
    row->moves = moves;
    row->n_moves = src->n_moves;
}

enum ipr_code ipr_row_make(const struct ipr_row_source *src, struct ipr_arena *mem,
                           struct ipr_db_new_game *out, struct ipr_err *err)
{
    struct ipr_db_new_game row = { .result = src->result };
    char fen[IPR_FEN_MAX], initial[IPR_FEN_MAX];
    struct ipr_pos start;
    enum ipr_code rc;

    rc = read_player(src, "White", mem, &row.white, &row.white_key, err);
    if (rc == IPR_OK)
        rc = read_player(src, "Black", mem, &row.black, &row.black_key, err);
    if (rc == IPR_OK && src->n_moves == 0)
        rc = ipr_err_at(err, IPR_EPARSE, "no_moves", 0, 0, -1,
                        "No move was played, so there is nothing to judge.");
    if (rc != IPR_OK)
        return rc;

    row.date = known_text(src, "Date", mem);
    row.event = known_text(src, "Event", mem);
    row.site = known_text(src, "Site", mem);
    row.round = known_text(src, "Round", mem);
    row.year = ipr_row_year(ipr_str_c(row.date));
    row.white_elo = read_elo(src, "WhiteElo");
    row.black_elo = read_elo(src, "BlackElo");
    row.tags_json = tags_json(src, mem);
    copy_moves(src, mem, &row);
    ipr_pos_start(&start);
    const size_t n_fen = ipr_pos_to_fen(src->start, fen);
    ipr_pos_to_fen(&start, initial);
    if (strcmp(fen, initial) != 0)
        row.start_fen = ipr_arena_strndup(mem, fen, n_fen);
    digest_game(&row, fen);
    *out = row;
    return IPR_OK;
}
