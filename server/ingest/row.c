#include "ingest/row.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>
#include <unistr.h>

#include "core/digest.h"
#include "core/identity.h"
#include "core/name_similarity.h"
#include "core/names.h"

#define TAG_BYTES 4096 /* of a tag's value; more than any page can show */
#define ELO_MAX   4000
#define YEAR_MAX  2100 /* "9999" stands for an unknown one */

/* ---- texts ------------------------------------------------------------------------------------
 */

const char *ipr_row_text(struct ipr_str s, size_t max, struct ipr_arena *mem)
{
    /* A byte that is not UTF-8 becomes the replacement character of three bytes. */
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

/* Unknown values are written "?", "-" or "????.??.??" in PGN. */
bool ipr_row_known(const char *value)
{
    return value[strspn(value, "?.- *")] != '\0';
}

/* Columns have "" for unknown values. */
static const char *known_text(const struct ipr_row_source *src, const char *name,
                              struct ipr_arena *mem)
{
    const char *text = ipr_row_text(ipr_pgn_tag_find(src->tags, src->n_tags, name), TAG_BYTES, mem);

    return ipr_row_known(text) ? text : "";
}

static bool row_digit(struct ipr_str s, size_t i)
{
    return i < s.n && s.p[i] >= '0' && s.p[i] <= '9';
}

/* Four digits at a place, and no more. */
static int row_year_at(struct ipr_str s, size_t at)
{
    int year = 0;

    for (size_t i = at; i < at + 4; i++) {
        if (!row_digit(s, i))
            return 0;
        year = 10 * year + s.p[i] - '0';
    }
    if (row_digit(s, at + 4) || (at > 0 && row_digit(s, at - 1)))
        return 0;
    return year >= 1000 && year <= YEAR_MAX ? year : 0;
}

int ipr_row_year(struct ipr_str date)
{
    const struct ipr_str s = ipr_str_trim(date);
    const int year = row_year_at(s, 0);

    return year != 0 || s.n < 5 ? year : row_year_at(s, s.n - 4);
}

/* The first of these tags that has a year; of one that does not begin with it the year alone, since
 * "02.03.2024" does not say which is the month. */
static const char *row_date(const struct ipr_row_source *src, struct ipr_arena *mem)
{
    static const char *const tags[] = { "Date", "UTCDate", "EventDate" };

    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++) {
        const char *const text = known_text(src, tags[i], mem);
        const int year = ipr_row_year(ipr_str_c(text));

        if (year != 0 && i < 2 && row_year_at(ipr_str_c(text), 0) == year)
            return text;
        if (year != 0)
            return ipr_arena_printf(mem, "%d.??.??", year);
    }
    return known_text(src, "Date", mem);
}

static int read_elo(const struct ipr_row_source *src, const char *name)
{
    int64_t elo;

    if (!ipr_str_int(ipr_str_trim(ipr_pgn_tag_find(src->tags, src->n_tags, name)), 1, ELO_MAX,
                     &elo))
        return 0;
    return (int)elo;
}

/* ---- tags as JSON -----------------------------------------------------------------------------
 */

static const char *row_tags_json(const struct ipr_row_source *src, struct ipr_arena *mem)
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

/* ---- the row ----------------------------------------------------------------------------------
 */

static enum ipr_code read_player(const struct ipr_row_source *src, const char *tag,
                                 const char *fide_tag, struct ipr_arena *mem,
                                 struct ipr_identity *out, struct ipr_err *err)
{
    struct ipr_err cause = IPR_ERR_INIT;
    /* One character more than a name may have, so that a longer one is recognised. */
    const char *name =
        ipr_row_text(ipr_pgn_tag_find(src->tags, src->n_tags, tag), IPR_NAME_MAX + 4, mem);
    const enum ipr_code rc =
        ipr_identity_make(ipr_str_c(name), ipr_pgn_tag_find(src->tags, src->n_tags, fide_tag),
                          src->spelling, mem, out, &cause);

    if (rc != IPR_OK)
        return ipr_err_type(err, rc, cause.type, "%s: %s", tag, cause.msg);
    return IPR_OK;
}

enum ipr_code ipr_row_players(const struct ipr_row_source *src, struct ipr_arena *mem,
                              struct ipr_identity *white, struct ipr_identity *black,
                              struct ipr_err *err)
{
    enum ipr_code rc = read_player(src, "White", "WhiteFideId", mem, white, err);

    if (rc == IPR_OK)
        rc = read_player(src, "Black", "BlackFideId", mem, black, err);
    if (rc != IPR_OK || white->fide_id == 0 || white->key[0] == '\0' || black->key[0] == '\0' ||
        white->fide_id != black->fide_id)
        return rc;
    if (ipr_names_apart(white->key, black->key)) { /* a program wrote one id to every tag */
        white->fide_id = black->fide_id = 0;
        white->set_aside = black->set_aside = true;
        return IPR_OK;
    }
    return ipr_err_type(err, IPR_EPARSE, "same_player",
                        "White and Black are one player, the one with FIDE id %d.",
                        (int)white->fide_id);
}

static int event_year(const struct ipr_row_source *src)
{
    const int year = ipr_row_year(ipr_pgn_tag_find(src->tags, src->n_tags, "EventDate"));

    return year != 0 ? year : ipr_row_year(ipr_pgn_tag_find(src->tags, src->n_tags, "Date"));
}

static void row_moves(const struct ipr_row_source *src, struct ipr_arena *mem,
                      struct ipr_db_new_game *row)
{
    const char *fen = row->start_fen != NULL ? row->start_fen : "";

    row->n_moves = src->n_moves;
    row->moves_key = src->moves_key;
    if (src->moves == NULL && src->n_moves > 0)
        return;
    ipr_move *moves = ipr_arena_alloc(mem, src->n_moves, sizeof *moves);
    memcpy(moves, src->moves, src->n_moves * sizeof *moves);
    row->moves = moves;
    row->moves_key = ipr_moves_key(fen, row->moves, row->n_moves);
    row->stem = ipr_moves_stem(fen, row->moves, row->n_moves);
}

const char *ipr_row_start_fen(const struct ipr_pos *start, struct ipr_arena *mem)
{
    char fen[IPR_FEN_MAX], initial[IPR_FEN_MAX];
    struct ipr_pos first;

    ipr_pos_start(&first);
    ipr_pos_to_fen(&first, initial);
    const size_t n = ipr_pos_to_fen(start, fen);
    return strcmp(fen, initial) != 0 ? ipr_arena_strndup(mem, fen, n) : NULL;
}

enum ipr_code ipr_row_make(const struct ipr_row_source *src, struct ipr_arena *mem,
                           struct ipr_db_new_game *out, struct ipr_err *err)
{
    struct ipr_db_new_game row = { .result = src->result };

    row.date = row_date(src, mem);
    row.year = ipr_row_year(ipr_str_c(row.date));
    row.event_year = event_year(src);
    const enum ipr_code rc = ipr_row_players(src, mem, &row.white, &row.black, err);
    if (rc != IPR_OK)
        return rc;

    row.event = known_text(src, "Event", mem);
    row.site = known_text(src, "Site", mem);
    row.round = known_text(src, "Round", mem);
    row.time_class = ipr_time_class(src->tags, src->n_tags, &row.time_known);
    row.white_elo = read_elo(src, "WhiteElo");
    row.black_elo = read_elo(src, "BlackElo");
    row.tags_json = row_tags_json(src, mem);
    row.start_fen = ipr_row_start_fen(src->start, mem);
    row_moves(src, mem, &row);
    struct ipr_buf packed = IPR_BUF_INIT;
    ipr_notes_pack(src->notes, src->n_notes, &packed);
    const struct ipr_str kept = { ipr_arena_strndup(mem, ipr_buf_c(&packed), packed.n), packed.n };
    ipr_buf_release(&packed);
    row.notes = kept;
    *out = row;
    return IPR_OK;
}
