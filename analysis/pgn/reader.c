#include "pgn/reader.h"

#include <stdlib.h>
#include <string.h>

#include "pgn/game.h"
#include "pgn/section.h"

#define DEFAULT_GAME_BYTES ((size_t)4 * 1024 * 1024)
#define DEFAULT_PLIES      ((size_t)20000)

/*
 * Two steps: `scan` cuts the input into sections, which begin with tags; each section is parsed
 * when it is whole. A game is therefore always parsed from contiguous memory, however the input is
 * split.
 */
struct ipr_pgn_reader {
    struct ipr_game_parser parser;
    struct ipr_section_scan scan;
    struct ipr_buf section;  /* the section so far */
    struct ipr_pgn_place at; /* of its first byte */
    uint64_t searched;       /* the open comment has no tag line before this offset */
    size_t max_bytes;
    bool discard; /* until the next section begins */
    bool stopped; /* the callback stopped it, or the input has ended */
};

struct ipr_pgn_reader *ipr_pgn_reader_new(const struct ipr_pgn_limits *limits, ipr_pgn_game_fn fn,
                                          void *payload)
{
    struct ipr_pgn_reader *const r = ipr_xcalloc(1, sizeof *r);
    const struct ipr_pgn_limits given =
        limits != NULL ? *limits : (struct ipr_pgn_limits){ 0, 0, false };
    const size_t plies = given.max_plies != 0 ? given.max_plies : DEFAULT_PLIES;

    r->max_bytes = given.max_game_bytes != 0 ? given.max_game_bytes : DEFAULT_GAME_BYTES;
    r->at.line = 1;
    ipr_section_init(&r->scan, r->at);
    ipr_game_parser_init(&r->parser, fn, payload, plies, given.notes);
    return r;
}

void ipr_pgn_reader_free(struct ipr_pgn_reader **r)
{
    if (*r == NULL)
        return;
    ipr_game_parser_release(&(*r)->parser);
    ipr_buf_release(&(*r)->section);
    free(*r);
    *r = NULL;
}

/* Drops the first n bytes of what is held. `at` is the caller's to keep. */
static void reader_drop(struct ipr_pgn_reader *r, size_t n)
{
    memmove(r->section.p, r->section.p + n, r->section.n - n);
    r->section.n -= n;
}

/* Parses the first n bytes held, which are a whole section, and drops them. */
static enum ipr_code reader_parse(struct ipr_pgn_reader *r, size_t n, struct ipr_err *err)
{
    const struct ipr_pgn_section section = { .text = { r->section.p, n }, .at = r->at };
    struct ipr_section_outcome outcome;
    enum ipr_code rc;

    if (n == 0)
        return IPR_OK;
    rc = ipr_section_games(&r->parser, &section, &outcome, err);
    reader_drop(r, n);
    return rc;
}

/* The section passed the limit. Games without tags may follow each other in it: complete ones are
 * passed on. If there is none, the game is rejected and its rest ignored. */
static enum ipr_code reader_overflow(struct ipr_pgn_reader *r, struct ipr_err *err)
{
    struct ipr_pgn_section section = { .text = { r->section.p, r->section.n },
                                       .at = r->at,
                                       .cut = true };
    struct ipr_section_outcome outcome;
    enum ipr_code rc = ipr_section_games(&r->parser, &section, &outcome, err);

    if (rc == IPR_OK && outcome.used == 0) {
        section.cut = false;
        section.too_long = true;
        rc = ipr_section_games(&r->parser, &section, &outcome, err);
        outcome.used = r->section.n;
        outcome.lost = true;
    }
    ipr_place_advance(&r->at, r->section.p, outcome.used);
    reader_drop(r, outcome.used);
    if (outcome.lost) {
        r->discard = true;
        r->section.n = 0;
        if (r->scan.state == IPR_SECTION_BRACE) /* never closed: it must not hide what follows */
            r->scan.state = IPR_SECTION_TEXT;
    }
    return rc;
}

static enum ipr_code reader_take(struct ipr_pgn_reader *r, struct ipr_str bytes,
                                 struct ipr_err *err);

/* The comment that is open holds what looks like a tag section: it was never closed. The game
 * before the tags is rejected; the text after it is scanned again. */
static enum ipr_code reader_reopen(struct ipr_pgn_reader *r, size_t tag_line, struct ipr_err *err)
{
    struct ipr_buf rest = IPR_BUF_INIT;
    struct ipr_pgn_place at = r->at;
    enum ipr_code rc;

    ipr_buf_add(&rest, r->section.p + tag_line, r->section.n - tag_line);
    r->section.n = tag_line;
    ipr_place_advance(&at, r->section.p, tag_line);
    rc = reader_parse(r, tag_line, err);
    r->at = at;
    ipr_section_init(&r->scan, r->at);
    r->searched = 0;
    if (rc == IPR_OK)
        rc = reader_take(r, (struct ipr_str){ rest.p, rest.n }, err);
    ipr_buf_release(&rest);
    return rc;
}

/* Looks for a tag line in the part of the open comment not yet searched. */
static size_t tag_line_in_comment(struct ipr_pgn_reader *r)
{
    const uint64_t from = r->searched > r->scan.brace ? r->searched : r->scan.brace;
    const size_t skip = (size_t)(from - r->at.offset);
    const struct ipr_str text = { r->section.p + skip, r->section.n - skip };

    return skip + ipr_find_tag_line(text);
}

static enum ipr_code nested_brace(struct ipr_pgn_reader *r, struct ipr_err *err)
{
    if (r->discard)
        return IPR_OK;
    const size_t tag_line = tag_line_in_comment(r);
    if (tag_line < r->section.n)
        return reader_reopen(r, tag_line, err);
    r->searched = r->at.offset + r->section.n - 1;
    return IPR_OK;
}

static enum ipr_code reader_full(struct ipr_pgn_reader *r, struct ipr_err *err)
{
    if (r->scan.state == IPR_SECTION_BRACE) {
        const size_t tag_line = tag_line_in_comment(r);

        if (tag_line < r->section.n)
            return reader_reopen(r, tag_line, err);
    }
    return reader_overflow(r, err);
}

static enum ipr_code reader_take(struct ipr_pgn_reader *r, struct ipr_str bytes,
                                 struct ipr_err *err)
{
    enum ipr_section_event event;
    enum ipr_code rc = IPR_OK;

    while (rc == IPR_OK && bytes.n > 0) {
        const size_t room = r->max_bytes - r->section.n;
        const struct ipr_str piece = { bytes.p, !r->discard && bytes.n > room ? room : bytes.n };
        const size_t n = ipr_section_next(&r->scan, piece, &event);

        if (!r->discard)
            ipr_buf_add(&r->section, bytes.p, n);
        bytes.p += n;
        bytes.n -= n;
        if (event == IPR_SECTION_BEGIN) {
            /* A section begins at the bracket just scanned. */
            const uint64_t held = r->scan.at.offset - r->scan.bracket.offset; /* "[" and blanks */

            if (r->discard) {
                ipr_buf_reset(&r->section);
                ipr_buf_putc(&r->section, '[');
                /* The blanks keep columns right, but not more than half the bound of them. */
                for (uint64_t i = 1; i < held && i < r->max_bytes / 2; i++)
                    ipr_buf_putc(&r->section, ' ');
                r->discard = false;
            } else {
                rc = reader_parse(r, r->section.n - (size_t)held, err);
            }
            r->at = r->scan.bracket;
        } else if (event == IPR_SECTION_NESTED) {
            rc = nested_brace(r, err);
        }
        if (rc == IPR_OK && !r->discard && r->section.n >= r->max_bytes)
            rc = reader_full(r, err);
    }
    return rc;
}

enum ipr_code ipr_pgn_reader_feed(struct ipr_pgn_reader *r, const void *bytes, size_t n,
                                  struct ipr_err *err)
{
    enum ipr_code rc;

    if (r->stopped)
        return ipr_err_set(err, IPR_EINVAL, "pgn reader: fed after its end");
    rc = reader_take(r, (struct ipr_str){ bytes, n }, err);
    r->stopped = rc != IPR_OK;
    return rc;
}

enum ipr_code ipr_pgn_reader_finish(struct ipr_pgn_reader *r, struct ipr_err *err)
{
    enum ipr_code rc = IPR_OK;

    if (r->stopped)
        return ipr_err_set(err, IPR_EINVAL, "pgn reader: finished after its end");
    while (rc == IPR_OK && !r->discard && r->scan.state == IPR_SECTION_BRACE) {
        const size_t tag_line = tag_line_in_comment(r);

        if (tag_line >= r->section.n)
            break;
        rc = reader_reopen(r, tag_line, err);
    }
    if (rc == IPR_OK && !r->discard)
        rc = reader_parse(r, r->section.n, err);
    r->stopped = true;
    if (rc == IPR_OK && r->parser.index == 0)
        return ipr_err_at(err, IPR_EPARSE, "no_games", 0, 0, -1, "there is no game in this input");
    return rc;
}
