#ifndef IPR_VIEW_ROWS_H
#define IPR_VIEW_ROWS_H

#include "view/figure/shape.h"

/*
 * Rows of the database as JSON, by the shapes of answers.def that are `of` a struct. Members that
 * are made elsewhere (`json` there) are left to the caller. All return new references.
 */

/** One row. */
json_t *ipr_row_json(enum ipr_shape_id id, const void *row);

/** A list of n rows. */
json_t *ipr_rows_json(enum ipr_shape_id id, const void *rows, size_t n);

#endif
