#ifndef IPR_VIEW_CALIBRATION_CALIBRATION_H
#define IPR_VIEW_CALIBRATION_CALIBRATION_H

#include <stdatomic.h>

#include <jansson.h>

#include "base/error.h"
#include "base/str.h"
#include "uci/judge.h"

/*
 * The two files of a calibration. Figures (NDJSON, one game side a line) are its input, the record
 * (JSON) is its result. The record can be reproduced from the figures.
 *
 * Figures line: {"game":12,"milepost":2000,"elo":1985,"year":2022,"mover":"w","result":0.5,
 *   "judge":{…},"turns":[{"ply":16,"played":0,"legal":31,"repeated":false,"cp":[…]}]}
 * "result" is what the side scored: 1, 0.5 or 0; null, or left out, where it is not known.
 */

/** Reads figures from memory and computes the record; with "curve_families", R section 4's
 * comparison, for which every milepost is fitted twenty times more, if `families`. Ends after the
 * running fit, within seconds, when *stop is set: IPR_ERETRY. NULL: never stopped. IPR_EPARSE with
 * the line; IPR_EDATA, IPR_ENOCONV when no line can be fitted. */
IPR_CHECK enum ipr_code ipr_calibration_make(const char *name, struct ipr_str figures,
                                             bool families, const atomic_bool *stop,
                                             json_t **record, struct ipr_err *err);

/**
 * The record of a published table of mileposts whose turns are not available:
 *   {"name", "source", "judge", "fit", "regression_period", "turns_each": {"low", "high"} turns of
 * a milepost, "rows": [{"period", "elo", "s", "c", "c_fit", "s_fit", "mm_p", "mm_a" [percent],
 *    "ad_p", "ad_a" [scaled pawns], "q_fit"}]}
 * with the reference set, and so the judge of the evaluations, from another record:
 * "reference_judge", "reference_calibration". The line is fitted to the rows of the regression's
 * period, with equal weights, from s_fit and c_fit; "c_line" is the regression of their c. The
 * other rows are "other_periods" and are not fitted. "reproduced" of each: c_fit on that line, and
 * the s_fit that gives the same error on the reference set as the row's s and c. Turns and games
 * are null: they were not published.
 *
 * IPR_EPARSE "bad_calibration"; IPR_EDATA when no line can be fitted.
 */
IPR_CHECK enum ipr_code ipr_calibration_published(const json_t *table, const json_t *reference,
                                                  json_t **record, struct ipr_err *err);

/** BLAKE2b-256 in hexadecimal digits: of a record's text, to distinguish records of one name; of
 * figures, to identify the input of a record. */
#define IPR_CALIBRATION_DIGEST 65
void ipr_calibration_digest(struct ipr_str text, char hex[IPR_CALIBRATION_DIGEST]);

struct ipr_calibration_use; /* the record, ready for use */

/** Ready for use; does not refer to `record`. Free with _free. */
IPR_CHECK enum ipr_code ipr_calibration_load(const json_t *record, struct ipr_calibration_use **out,
                                             struct ipr_err *err);
void ipr_calibration_free(struct ipr_calibration_use **c);

#endif
