#ifndef IPR_VIEW_QUEUE_FINDINGS_H
#define IPR_VIEW_QUEUE_FINDINGS_H

#include "view/figure/shape.h"

/* Sentences about queue and uploads, by rules (docs/figures.md, "Lists"). Texts from `mem`. */

/** For /queue: what is analysed, what waits and how long that takes; else what has been analysed.
 * Failed games are named. */
const char *ipr_queue_finding(const struct ipr_answer_queue_progress *q, struct ipr_arena *mem);

/** For /uploads: how many files are listed, their games, and how many of these are not analysed
 * yet. */
const char *ipr_uploads_finding(const struct ipr_answer_uploads *uploads, struct ipr_arena *mem);

/** For /uploads/{upload}: its state, and the rating of the player of the request, or else of the
 * one with the most games who has a rating. */
const char *ipr_upload_finding(const json_t *upload, struct ipr_arena *mem);

#endif
