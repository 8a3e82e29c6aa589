#ifndef IPR_ENGINE_PROGRAMS_H
#define IPR_ENGINE_PROGRAMS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/mem.h"

/* The operator's engines: "stockfish" (STOCKFISH_PATH, or found), and those of INTRINSIC_ENGINES,
 * "name=path,name=path". Nobody else says what is started. */

#define IPR_PROGRAMS_MAX 16

struct ipr_programs {
    struct ipr_program {
        const char *name, *path;
    } program[IPR_PROGRAMS_MAX + 1]; /* Stockfish first, when there is one */
    size_t n;
};

/** From the configuration; memory from `mem`. IPR_EPARSE naming what is wrong in `engines`: a
 * malformed or repeated name ("stockfish" and "fishnet" are taken), a path that is no executable
 * file. IPR_EIO "engine_missing" when there is no Stockfish, unless other engines are given and
 * no path of Stockfish is. */
IPR_CHECK enum ipr_code ipr_programs_read(const char *stockfish_path, const char *engines,
                                          struct ipr_arena *mem, struct ipr_programs *out,
                                          struct ipr_err *err);

/** Path of the one of that name, NULL when the operator has none such. */
const char *ipr_programs_path(const struct ipr_programs *p, const char *name);

#endif
