#ifndef IPR_ENGINE_PROGRAMS_H
#define IPR_ENGINE_PROGRAMS_H

#include <stddef.h>

#include "base/error.h"
#include "base/mem.h"

/* The engines configured by the operator: "stockfish" (STOCKFISH_PATH, or found), and those of
 * INTRINSIC_ENGINES, "name=path,name=path". No other programs are started. */

#define IPR_PROGRAMS_MAX 16

struct ipr_programs {
    struct ipr_program {
        const char *name, *path;
    } program[IPR_PROGRAMS_MAX + 1]; /* Stockfish first, if there is one */
    size_t n;
};

/** From the configuration; memory from `mem`. IPR_EPARSE with the faulty part of `engines`: a
 * malformed or repeated name ("stockfish" and "fishnet" are reserved), a path that is not an
 * executable file. IPR_EIO "engine_missing" when there is no Stockfish, unless other engines are
 * configured and Stockfish is not. */
IPR_CHECK enum ipr_code ipr_programs_read(const char *stockfish_path, const char *engines,
                                          struct ipr_arena *mem, struct ipr_programs *out,
                                          struct ipr_err *err);

/** Path of the engine with that name; NULL if there is none. */
const char *ipr_programs_path(const struct ipr_programs *p, const char *name);

#endif
