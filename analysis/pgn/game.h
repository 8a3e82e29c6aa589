#ifndef IPR_PGN_GAME_H
#define IPR_PGN_GAME_H

#include "base/mem.h"
#include "pgn/comment.h"
#include "pgn/reader.h"
#include "pgn/section.h"

/* Parses the text of a section into games. Internal. */

struct ipr_game_parser {
    ipr_pgn_game_fn fn;
    void *payload;
    size_t max_plies;
    bool keep_notes;
    uint32_t index; /* of the next game */
    bool after_end; /* the token before the next game was a result, maybe of the text before */
    struct ipr_arena mem; /* texts that had to be made; one game's */
    struct ipr_pgn_tag *tags;
    ipr_move *moves;
    size_t moves_size;
    struct ipr_note_list notes;
};

/** A section, or its beginning. */
struct ipr_pgn_section {
    struct ipr_str text;
    struct ipr_pgn_place at; /* of its first byte */
    bool cut;                /* more may follow: a game without an end is kept */
    bool too_long;           /* the game without an end passed the limit: refuse it */
};

struct ipr_section_outcome {
    size_t used; /* bytes up to the end of the last game passed on */
    bool lost; /* a game was rejected in its moves: everything up to the next section is ignored */
};

void ipr_game_parser_init(struct ipr_game_parser *gp, ipr_pgn_game_fn fn, void *payload,
                          size_t max_plies, bool keep_notes);
void ipr_game_parser_release(struct ipr_game_parser *gp);

/** Calls the callback for every game of the section; returns its code unless that is IPR_OK. */
enum ipr_code ipr_section_games(struct ipr_game_parser *gp, const struct ipr_pgn_section *section,
                                struct ipr_section_outcome *outcome, struct ipr_err *err);

#endif
