#ifndef IPR_CORE_BESIDE_H
#define IPR_CORE_BESIDE_H

#include <limits.h>

/** The path of another program that is installed in the folder of this one. */
void ipr_program_beside(const char *name, char path[PATH_MAX]);

#endif
