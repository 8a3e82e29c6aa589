#ifndef IPR_UCI_SEARCH_H
#define IPR_UCI_SEARCH_H

#include "chess/position.h"
#include "uci/judge.h"
#include "uci/parse.h"

/**
 * The output of an engine in one search of one position. Only numbered lines with an exact score
 * and a move count (with one line requested, also unnumbered ones): bounds are never stored.
 *
 * A depth is complete when every line has been reported for it, from the first on. After three
 * seconds Stockfish also prints lists of which the first lines belong to the current depth and the
 * others to the previous one, or are its former best moves. So the result does not depend on the
 * clock, only the last complete list of a depth counts. The same holds for lists cut short by the
 * end of the time or of the nodes.
 *
 * Rarely Stockfish ends a search to a depth with a bound for a line (the last word of 15.1 with two
 * lines, depth 10 and 16 MB of cleared hash on "8/1P4p1/8/1K4p1/5p2/6P1/4pk2/8 w - - 0 70" is
 * "multipv 2 score cp -667 upperbound"). Some other move may then be better than the one it shows.
 * So the exact lines above it count, and the rest of the moves are searched again to that depth.
 */
struct ipr_search {
    struct ipr_pos pos;
    ipr_move legal[IPR_MAX_MOVES];
    size_t n_legal;
    unsigned lines; /* that must be there */
    unsigned depth; /* of the limit; 0: another limit, and the last complete depth counts */
    bool alone;     /* one move only is searched: */
    ipr_move only;
    unsigned exact; /* lines that searches before this one settled; it is over the other moves */

    unsigned reached;             /* last complete depth, 0 for none */
    bool completed;               /* by the latest line */
    uint16_t rows[IPR_MAX_MOVES]; /* its lines: rows of `score` */
    int16_t best[IPR_DEPTH_MAX];  /* score of the first line at each depth, or NONE */
    int16_t score[IPR_MAX_MOVES][IPR_DEPTH_MAX]; /* of each legal move at each depth, or NONE */
    char line[6 * IPR_LINE_MAX]; /* where one line is searched: the latest, from its move on */
    uint64_t nodes;
    uint32_t time_ms; /* as the engine reports */

    unsigned block, n_listed; /* current list: its depth, and the number of its lines so far */
    bool bounded;             /* one of its lines is a bound */
    bool listed[IPR_MAX_MOVES];
    uint16_t list[IPR_MAX_MOVES];
};

/** Before "go". depth 0: the limit is another one. */
void ipr_search_begin(struct ipr_search *s, const struct ipr_pos *pos, unsigned multipv,
                      unsigned depth);
/** The same for "go ... searchmoves only" in the same position. */
void ipr_search_begin_only(struct ipr_search *s, ipr_move only, unsigned depth);

/** Call after the best move. Returns the moves to search again, in the order of move generation, as
 * the list at the depth requested ended with a bound; 0 if it did not. */
size_t ipr_search_rest(struct ipr_search *s, ipr_move *rest);
/** The same for "go ... searchmoves" with these moves; scores at lower depths stay. */
void ipr_search_begin_rest(struct ipr_search *s);

/** Adds a line of kind IPR_UCI_INFO. Returns NULL, or what is invalid in it. */
const char *ipr_search_info(struct ipr_search *s, const struct ipr_uci_line *l);

/** The line of a search with one line, as far as it is legal; how many moves. */
size_t ipr_search_line(const struct ipr_search *s, ipr_move out[IPR_LINE_MAX]);

/**
 * Reads the best move. Returns NULL, or what is missing or wrong. With a limit of depth the best
 * move must be that of the engine's own first line; else the search was stopped early and any legal
 * one is accepted. Sorts the lines by their final score, for engines number lines they do not sort.
 */
const char *ipr_search_end(struct ipr_search *s, struct ipr_str best);

#endif
