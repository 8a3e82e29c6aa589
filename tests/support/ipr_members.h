#ifndef IPR_MEMBERS_H
#define IPR_MEMBERS_H

#include "view/figure/shape.h"

/** Fails on a member of an answer that server/view/figure/members.def does not describe, at any
 * depth, or that has another type. */
void assert_members(enum ipr_shape_id id, const json_t *answer);

/** Fails when a figure, read back from its JSON, is written otherwise. */
void assert_read_back(enum ipr_shape_id id, const json_t *figure);

#endif
