#ifndef IPR_ENGINE_JAIL_H
#define IPR_ENGINE_JAIL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/mem.h"

/** The kernel confines an engine. docs/security.md says what an engine can and cannot do then.
 * Nothing here is a failure when the kernel, or the container around us, does not grant it, unless
 * the operator requires it. */

/** Bits of what was granted. */
enum {
    IPR_JAIL_FILES = 1,      /* Landlock: no files but those named */
    IPR_JAIL_CALLS = 2,      /* seccomp: no calls but those that an engine needs */
    IPR_JAIL_USER = 4,       /* a user of its own, which only root can give */
    IPR_JAIL_NAMESPACES = 8, /* of users, network and System V IPC */
    IPR_JAIL_THREADS = 16    /* the number of its threads is limited */
};

/**
 * How engines of this process are confined from now on: `mode` is "on", "off" or "require" (no
 * engine is started without Landlock and seccomp); `files` are further files and folders that
 * engines may read and run, separated by ':', as ipr_config has both (NULL: "on", and none). Tries
 * it, and logs what the kernel grants. IPR_EPARSE: no such file; IPR_EDATA: what is required is not
 * granted. Call it before threads start engines; without it the mode is "on".
 */
IPR_CHECK enum ipr_code ipr_jail_open(const char *mode, const char *files, struct ipr_err *err);
void ipr_jail_close(void);

/** The jail of one program, made before its process is. */
struct ipr_jail {
    bool on;
    bool root;           /* we are */
    unsigned threads;    /* as many may run */
    int ruleset;         /* of Landlock; -1: none */
    const char *program; /* borrowed; NULL: none, this is a trial */
    const char **needed; /* what else it must be able to read, NULL at the end */
    struct ipr_arena mem;
};

/** `tables`: folders that it may read, separated by ':'; NULL: none. */
void ipr_jail_prepare(const char *program, const char *tables, unsigned threads,
                      struct ipr_jail *out);
void ipr_jail_release(struct ipr_jail *j);

/** In the new process, before the program: each part that is granted, but for the calls. Only calls
 * of the system, since other threads may have held locks at the fork. */
unsigned ipr_jail_enter(const struct ipr_jail *j);
/** The last step: of the calls that fail from now on are those that set limits. */
unsigned ipr_jail_seal(const struct ipr_jail *j);

/** True if an engine may run with so much of it: not with less than is required, nor without
 * Landlock or seccomp when ipr_jail_open found it. */
bool ipr_jail_suffices(unsigned granted);

/** The line of the log about it; `abi` is that of Landlock. */
void ipr_jail_describe(unsigned granted, bool root, int abi, char *out, size_t size);

#endif
