#ifndef IPR_ENGINE_JAIL_FILES_H
#define IPR_ENGINE_JAIL_FILES_H

#include "base/mem.h"

/** Version of Landlock's interface; 0: the kernel has none, or does not allow it here. */
int ipr_jail_files_abi(void);

/**
 * A ruleset of Landlock, -1 when there is none. A process that enters it can read and run `program`
 * (its interpreter too, when it is a script), load libraries, read what the machine is, and read
 * and run the `granted` files and folders, NULL at the end. It writes nowhere but to /dev/null, and
 * by later versions of the interface it cannot connect or bind TCP sockets, nor reach sockets or
 * send signals outside.
 */
int ipr_jail_files_ruleset(const char *program, const char *const *granted, struct ipr_arena *mem);

#endif
