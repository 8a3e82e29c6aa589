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
 * memory and address space, no core, no written files and few open ones, at the lowest priority.
 * These limits are set from outside a moment after the start: tell the child nothing before. The
 * first can be set anew by ipr_child_limit, once the child has said what it is.
 * IPR_EIO; then *out has nothing to end, but may be ended.
 */
IPR_CHECK enum ipr_code ipr_child_start(const char *path, unsigned memory_mb, struct ipr_child *out,
                                        struct ipr_err *err);

/** Limits it to so much memory and, unless it `maps` files that may be larger, address space, for
 * good. False when that cannot be done. */
bool ipr_child_limit(const struct ipr_child *c, unsigned memory_mb, bool maps);

/** Address space in use, in MiB; 0 when that cannot be told. */
unsigned ipr_child_space_mb(const struct ipr_child *c);

/** SIGKILL to the whole group. The child stays to be reaped by ipr_child_end. */
void ipr_child_kill(const struct ipr_child *c);

/** How it ended, waiting up to `ms` for that: "exited with 1", "signal 11", or, when it lives
 * on, "closed its output". Does not reap. */
void ipr_child_fate(const struct ipr_child *c, uint32_t ms, char *out, size_t size);

/** Closes the pipes, waits up to `patience_ms` for the exit, kills what is left of the group,
 * reaps. */
void ipr_child_end(struct ipr_child *c, uint32_t patience_ms);

#endif
