#ifndef IPR_COMMAND_COMMAND_H
#define IPR_COMMAND_COMMAND_H

#include "base/error.h"
#include "base/str.h"
#include "core/config.h"
#include "core/spelling.h"
#include "db/db.h"

/** A subcommand, one per file. */
struct ipr_command {
    const char *name, *words, *help;  /* words: what it takes besides options, "" if nothing */
    int least, most;                  /* how many of those; most -1: any number */
    const struct ipr_option *options; /* its own, which end with a row without a name */
    const char *const *settings;      /* flags of settings that its help shows, too; may be NULL */
    bool needs_database;
    const char *offline_flag; /* with this option no database is needed; NULL: none */
    enum ipr_code (*run)(const struct ipr_config *config, const struct ipr_args *args,
                         struct ipr_err *err);
    const char *program; /* instead of `run`: the program in the folder of this one which gets all
                            that follows the command's name; NULL: none */
};

extern const struct ipr_command ipr_command_serve, ipr_command_worker, ipr_command_migrate,
    ipr_command_import, ipr_command_export, ipr_command_calibrate, ipr_command_ratings,
    ipr_command_analyse, ipr_command_identities, ipr_command_token, ipr_command_audit,
    ipr_command_partition, ipr_command_rate, ipr_command_fetch;

/** Calls fn with a connection of a pool of one. */
IPR_CHECK enum ipr_code ipr_command_with_db(const struct ipr_config *config, ipr_db_tx_fn fn,
                                            void *arg, struct ipr_err *err);

/** Waits until the database answers, and says so in the log. *stopped: a stop was requested
 * meanwhile (ipr_signals_install). Errors are those that waiting does not end. */
IPR_CHECK enum ipr_code ipr_command_await_db(const struct ipr_config *config, bool *stopped,
                                             struct ipr_err *err);

/** The spelling file of the settings; NULL when none is set. The caller closes. */
IPR_CHECK enum ipr_code ipr_command_spelling(const struct ipr_config *config,
                                             struct ipr_spelling **out, struct ipr_err *err);

/** A whole file, unpacked when it is gzip or zstd; caller releases. At most `cap` bytes. */
IPR_CHECK enum ipr_code ipr_command_read_file(const char *path, size_t cap, struct ipr_buf *out,
                                              struct ipr_err *err);
/** Tries the temporary file of ipr_command_write_file. IPR_EIO: it cannot be written. */
IPR_CHECK enum ipr_code ipr_command_may_write(const char *path, struct ipr_err *err);
/** Writes a temporary file and renames it, so that the file is complete or absent. "-": stdout. */
IPR_CHECK enum ipr_code ipr_command_write_file(const char *path, struct ipr_str text,
                                               struct ipr_err *err);

#endif
