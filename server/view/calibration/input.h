#ifndef IPR_VIEW_CALIBRATION_INPUT_H
#define IPR_VIEW_CALIBRATION_INPUT_H

#include <jansson.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/str.h"
#include "model/turn.h"
#include "uci/judge.h"

/* Figures of a calibration read into memory, one group a milepost, ascending. */

struct ipr_figures_milepost {
    int nominal;            /* round Elo figure it is named after */
    struct ipr_turn *turns; /* in the order of the file; cp from the arena */
    double *elo;            /* of the mover, beside each turn */
    double *score;          /* what the mover made of the game, beside each turn; NaN: not known */
    size_t n;
};

struct ipr_figures {
    struct ipr_judge judge;
    json_t *judge_json; /* as in the first line, new reference */
    struct ipr_figures_milepost *mileposts;
    size_t n;
    size_t games;  /* lines: sides of games */
    size_t scored; /* of them, with a known result */
};

/**
 * Reads NDJSON figures (calibration.h). Memory from `mem`, but for judge_json.
 * IPR_EPARSE with the line and type "bad_figures" or "mixed_judges"; nothing is skipped.
 */
IPR_CHECK enum ipr_code ipr_figures_read(struct ipr_str text, struct ipr_arena *mem,
                                         struct ipr_figures *out, struct ipr_err *err);

#endif
