#ifndef IPR_CORE_INTERCHANGE_FIGURES_H
#define IPR_CORE_INTERCHANGE_FIGURES_H

#include <jansson.h>

#include "core/interchange.h"

/* Internal to interchange.c and interchange_read.c: games without moves. */

/** Reads the members `moves` and `figures`, after tags, start and judge. */
IPR_CHECK enum ipr_code ipr_interchange_read_figures(const json_t *root, struct ipr_arena *mem,
                                                     struct ipr_interchange_game *g,
                                                     struct ipr_err *err);

/** Writes the two members. */
void ipr_interchange_write_moves_key(struct ipr_buf *out, const struct ipr_interchange_game *g);
void ipr_interchange_write_figures(struct ipr_buf *out, const struct ipr_interchange_game *g);

#endif
