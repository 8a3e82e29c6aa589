#ifndef IPR_ENGINE_CHILD_H
#define IPR_ENGINE_CHILD_H

#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

/** A confined child process with pipes to its standard input and output. */
struct ipr_child {
    pid_t pid;        /* also its process group; -1 when none was started */
    int pidfd;        /* -1 when closed, as the next two */
    int to, from;     /* its standard input and output, non-blocking */
    unsigned granted; /* parts of its jail, as in engine/jail.h */
};

/** All texts are borrowed until the start. */
struct ipr_child_needs {
    const char *program;
    const char *tables;    /* folders that it reads, separated by ':'; NULL: none */
    uint64_t tables_bytes; /* in them, which it may map */
    unsigned memory_mb;
    unsigned threads; /* that search */
};

/**
 * Starts the program without arguments, environment, shell, open files besides its pipes and
 * blocked signals, in a process group of its own, stderr to /dev/null, with limited memory, no
 * core, no written files and few open ones, at the lowest priority, in a jail (engine/jail.h). It
 * is killed when the calling thread ends. IPR_EIO; then ipr_child_end is allowed but not needed.
 */
IPR_CHECK enum ipr_code ipr_child_start(const struct ipr_child_needs *needs, struct ipr_child *out,
                                        struct ipr_err *err);

/** Address space in use, in MiB; 0 when unknown. */
unsigned ipr_child_space_mb(const struct ipr_child *c);

/** SIGKILL to the whole group. ipr_child_end reaps the child. */
void ipr_child_kill(const struct ipr_child *c);

/** Waits up to `ms` and says how the process ended: "exited with 1", "signal 11", or, if it still
 * runs, "closed its output". Does not reap. */
void ipr_child_fate(const struct ipr_child *c, uint32_t ms, char *out, size_t size);

/** Closes the pipes, waits up to `patience_ms` for the exit, kills the remaining group, reaps. */
void ipr_child_end(struct ipr_child *c, uint32_t patience_ms);

#endif
