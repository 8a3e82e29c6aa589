#ifndef IPR_PGN_LEXER_H
#define IPR_PGN_LEXER_H

#include "base/str.h"

/* Tokens of one section that is wholly in memory. Internal. */

enum ipr_pgn_kind {
    IPR_PGN_END,
    IPR_PGN_TAG,
    IPR_PGN_BAD_TAG,
    IPR_PGN_MOVE, /* anything else in place of a move */
    IPR_PGN_NULL_MOVE,
    IPR_PGN_RESULT,
    IPR_PGN_COMMENT,        /* {...}, or ; to the end of the line */
    IPR_PGN_NAG,            /* $n */
    IPR_PGN_SIGNS,          /* annotation signs by themselves: "!?", "+-" */
    IPR_PGN_VARIATION,      /* with its brackets and all that are nested in it */
    IPR_PGN_OPEN_COMMENT,   /* never closed */
    IPR_PGN_OPEN_VARIATION, /* never closed */
    IPR_PGN_STRAY_CLOSE     /* a ) or } that closes nothing */
};

struct ipr_pgn_token {
    enum ipr_pgn_kind kind;
    struct ipr_str text;
    struct ipr_str name, value; /* of a tag; the value as written, still escaped */
    bool plain;                 /* name and value have only printable ASCII, no backslash */
    uint32_t variations;        /* of a variation: itself and those nested in it */
    struct ipr_str move;        /* the text of a move in ASCII, as far as it can be written so */
    char san[16];               /* memory for it */
};

struct ipr_pgn_lexer {
    const char *begin, *p, *end;
    bool begins_line; /* `begin` is the first byte of a line */
    bool unbalanced;  /* a comment had unbalanced braces: braces are no longer paired */
    unsigned number;  /* last move number skipped, 0 when none since it was cleared */
};

/**
 * The next token. White space, move numbers, % lines and "e.p." are skipped.
 *
 * A comment ends at its first }: the standard says that they do not nest. If the following text
 * cannot be moves and the braces are balanced, as in {a {b} c}, they are read as nested: that is
 * what the author meant, and by the standard the text could only be rejected.
 */
void ipr_pgn_next(struct ipr_pgn_lexer *lex, struct ipr_pgn_token *token);

#endif
