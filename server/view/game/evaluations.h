#ifndef IPR_VIEW_GAME_EVALUATIONS_H
#define IPR_VIEW_GAME_EVALUATIONS_H

#include "db/db.h"
#include "uci/judge.h"

/** Appends a game with what a judge has said of it as a line of docs/interchange.md. */
IPR_CHECK enum ipr_code ipr_evaluations_line(struct ipr_db *db, int64_t game_id, int32_t judge_id,
                                             const struct ipr_judge *judge, struct ipr_buf *out,
                                             struct ipr_err *err);

#endif
