#ifndef IPR_VIEW_ROWS_H
#define IPR_VIEW_ROWS_H

#include "view/figure/shape.h"

/*
 * Rows of the database as JSON, by the shapes of answers.def that are `of` a struct. Members that
 * are no fields (`= -` there) are left to the caller. All return new references.
 */

/** One row. */
json_t *ipr_row_json(enum ipr_shape_id id, const void *row);

/** A list of n rows. */
json_t *ipr_rows_json(enum ipr_shape_id id, const void *rows, size_t n);

/** Adds the members of a row to an object. */
void ipr_row_add(enum ipr_shape_id id, const void *row, json_t *out);
/** Size of such a row. */
size_t ipr_row_size(enum ipr_shape_id id);
/** Reads what ipr_row_add has written; texts in arrays of characters are cut. */
void ipr_row_read(enum ipr_shape_id id, const json_t *json, struct ipr_arena *mem, void *row);

#endif
