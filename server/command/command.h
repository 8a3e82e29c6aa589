#ifndef IPR_COMMAND_COMMAND_H
#define IPR_COMMAND_COMMAND_H

#include "base/error.h"
#include "base/str.h"
#include "core/config.h"
#include "core/spelling.h"
#include "db/db.h"

/** A subcommand, one per file. args are the arguments after its name, including its own flags. */
struct ipr_command {
    const char *name, *usage, *help; /* usage "": takes no arguments */
    const char *const *flags;        /* its own: "name", or "name=" with a value; NULL-terminated */
    bool needs_database;
    const char *offline_flag; /* with this flag no database is needed; NULL: none */
    enum ipr_code (*run)(const struct ipr_config *config, int n, char **args, struct ipr_err *err);
};

extern const struct ipr_command ipr_command_serve, ipr_command_worker, ipr_command_migrate,
    ipr_command_import, ipr_command_export, ipr_command_calibrate, ipr_command_ratings,
    ipr_command_analyse, ipr_command_identities, ipr_command_token, ipr_command_audit,
    ipr_command_partition, ipr_command_rate;

/** Value of "--name=value" or "--name value" among args, NULL when absent. */
const char *ipr_command_value(int n, char **args, const char *name);
/** True when "--name" is among args. */
bool ipr_command_has(int n, char **args, const char *name);

/** Reads the number of "--name", lo to hi; *out is unchanged if it is absent. */
IPR_CHECK enum ipr_code ipr_command_number(int n, char **args, const char *name, int64_t lo,
                                           int64_t hi, int *out, struct ipr_err *err);

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
/** Writes a temporary file and renames it, so that the file is complete or absent. "-": stdout. */
IPR_CHECK enum ipr_code ipr_command_write_file(const char *path, struct ipr_str text,
                                               struct ipr_err *err);

#endif
