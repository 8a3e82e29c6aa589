#ifndef IPR_UCI_PARSE_H
#define IPR_UCI_PARSE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/** The contents of a line of an engine. */
enum ipr_uci_kind {
    IPR_UCI_OTHER,   /* unknown: skipped */
    IPR_UCI_BAD,     /* a known one with an impossible part: a broken engine */
    IPR_UCI_ID_NAME, /* text */
    IPR_UCI_OPTION,  /* name, text is the default ("" when none), lo and hi for a spin */
    IPR_UCI_UCIOK,
    IPR_UCI_READYOK,
    IPR_UCI_INFO,    /* of a search: the fields below, as far as present */
    IPR_UCI_BESTMOVE /* move */
};

enum ipr_uci_bound { IPR_UCI_EXACT, IPR_UCI_LOWER, IPR_UCI_UPPER };

/** Text is borrowed from the line. */
struct ipr_uci_line {
    enum ipr_uci_kind kind;
    struct ipr_str name, text;
    int64_t lo, hi;
    unsigned depth;   /* 0: not given */
    unsigned multipv; /* 0: not given */
    bool has_score, mate;
    int32_t score; /* centipawns, or moves to mate */
    enum ipr_uci_bound bound;
    bool has_nodes;
    uint64_t nodes;
    bool has_time;
    uint32_t time_ms;
    struct ipr_str move; /* best move, or the first of "pv"; "": none */
    struct ipr_str line; /* all of "pv" */
};

/** Never fails: what is not understood is OTHER or BAD. */
void ipr_uci_parse(struct ipr_str line, struct ipr_uci_line *out);

#endif
