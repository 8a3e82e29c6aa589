#ifndef IPR_CORE_BESIDE_H
#define IPR_CORE_BESIDE_H

#include <limits.h>

/** A path from the folder of this program, as of another one that is installed there. */
void ipr_program_beside(const char *name, char path[PATH_MAX]);

#endif
