#ifndef IPR_INGEST_REPORT_H
#define IPR_INGEST_REPORT_H

#include <stdio.h>

#include "core/interchange.h"

/* Reads files without a database, and reports, game by game, what an import would read, and what it
 * would reject and why. docs/import.md describes the lines. Memory does not grow with the files. */

enum ipr_report_form {
    IPR_REPORT_TEXT,  /* for people: a line for every rejected game, totals */
    IPR_REPORT_NDJSON /* for programs: a line for every game, a summary */
};

struct ipr_report;

/** Called for every accepted game; of PGN without a judge, turns and figures. `file` is its file,
 * `number` its place there, from 1. All is borrowed until it returns. */
typedef void (*ipr_report_game_fn)(void *payload, const char *file, uint64_t number,
                                   const struct ipr_interchange_game *game);

/** Writes to `to`, which remains the caller's; NULL: nothing is written. */
struct ipr_report *ipr_report_new(FILE *to, enum ipr_report_form form);
void ipr_report_free(struct ipr_report **r);
void ipr_report_on_game(struct ipr_report *r, ipr_report_game_fn fn, void *payload);

/** Most bytes of a file, unpacked; default: any number. */
void ipr_report_limit(struct ipr_report *r, int64_t bytes);

/** Reads a file to its end, from any descriptor, and reports its games under the name `file`. A
 * file that cannot be read or has no game is part of the report. IPR_EIO only when the report
 * cannot be written.
 */
IPR_CHECK enum ipr_code ipr_report_fd(struct ipr_report *r, int fd, const char *file,
                                      struct ipr_err *err);

/** The same of the file at a path, "-" for standard input; one that cannot be opened is part of the
 * report. */
IPR_CHECK enum ipr_code ipr_report_path(struct ipr_report *r, const char *path,
                                        struct ipr_err *err);

/** Writes the totals; as ipr_report_verdict. */
IPR_CHECK enum ipr_code ipr_report_finish(struct ipr_report *r, struct ipr_err *err);

/** IPR_EDATA when a game was rejected or a file could not be read. */
IPR_CHECK enum ipr_code ipr_report_verdict(const struct ipr_report *r, struct ipr_err *err);

/** The first fault of a file, or of a game if none was accepted, with its type and place. */
IPR_CHECK enum ipr_code ipr_report_fault(const struct ipr_report *r, uint64_t *rejected,
                                         struct ipr_err *err);

#endif
