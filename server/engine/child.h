#ifndef IPR_ENGINE_CHILD_H
#define IPR_ENGINE_CHILD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

/** A confined child process with pipes to its standard input and output. */
struct ipr_child {
    pid_t pid;    /* also its process group; -1 when none was started */
    int pidfd;    /* -1 when closed, as the next two */
    int to, from; /* its standard input and output; neither blocks */
};

/**
 * Starts `path` without arguments, environment, shell, open files beside its pipes and blocked
 * signals, in a process group of its own, stderr to /dev/null; then limits it to `memory_mb` of
 * memory and of address space (the latter not when it `maps` files, which may be larger than
 * that), no core, no written files and few open ones, at the lowest priority. These limits are set
 * from outside a moment after the start: tell the child nothing before.
 * IPR_EIO; then *out has nothing to end, but may be ended.
 */
IPR_CHECK enum ipr_code ipr_child_start(const char *path, unsigned memory_mb, bool maps,
                                        struct ipr_child *out, struct ipr_err *err);

/** SIGKILL to the whole group. The child stays to be reaped by ipr_child_end. */
void ipr_child_kill(const struct ipr_child *c);

/** How it ended, waiting up to `ms` for that: "exited with 1", "signal 11", or, when it lives
 * on, "closed its output". Does not reap. */
void ipr_child_fate(const struct ipr_child *c, uint32_t ms, char *out, size_t size);

/** Closes the pipes, waits up to `patience_ms` for the exit, kills what is left of the group,
 * reaps. */
void ipr_child_end(struct ipr_child *c, uint32_t patience_ms);

#endif
