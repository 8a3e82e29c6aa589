#ifndef IPR_CORE_CONFIG_H
#define IPR_CORE_CONFIG_H

#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "core/args.h"

/* Every setting: parser, help and documentation are made from this table.
 *   X(kind, field, environment name, flag, default, min, max, help)
 * Order of precedence: flag, environment, default. Secrets (DATABASE_URL, DATABASE_URL_READ) have
 * no flag; a file may have them.
 */
#define IPR_CONFIG(X)                                                                              \
    X(TEXT, database_url, "DATABASE_URL", NULL, "", 0, 0,                                          \
      "PostgreSQL connection string; `make run` fills in its private cluster. DATABASE_URL_FILE, " \
      "DATABASE_URL_READ_FILE and PGPASSWORD_FILE name files that have these secrets instead")     \
    X(TEXT, database_url_read, "DATABASE_URL_READ", NULL, "", 0, 0,                                \
      "the same of a streaming replica, from which answers are read where it is not behind; "      \
      "empty: none")                                                                               \
    X(TEXT, listen, "INTRINSIC_LISTEN", "listen", "127.0.0.1:8080", 0, 0,                          \
      "address and port of the web service")                                                       \
    X(TEXT, public_url, "INTRINSIC_PUBLIC_URL", "public-url", "", 0, 0,                            \
      "scheme and name under which others reach the service through a proxy, as "                  \
      "https://chess.example; writing then needs a token")                                         \
    X(TEXT, trusted_proxies, "INTRINSIC_TRUSTED_PROXIES", "trusted-proxies", "", 0, 0,             \
      "addresses and networks of proxies whose X-Forwarded headers are believed, as 127.0.0.1 "    \
      "192.0.2.0/24; empty: nobody's")                                                             \
    X(TEXT, origins, "INTRINSIC_ORIGINS", "origins", "", 0, 0,                                     \
      "sites whose pages may write here with a token, as https://chess.example, separated by "     \
      "spaces")                                                                                    \
    X(INT, rate_limit, "INTRINSIC_RATE_LIMIT", "rate-limit", "1200", 0, 1000000,                   \
      "costly requests a minute by one client address; 0: no limit")                               \
    X(INT, connections, "INTRINSIC_CONNECTIONS", "connections", "256", 0, 1024,                    \
      "connections of one client address at a time, of 1024 in all; 0: no limit")                  \
    X(INT, workers, "INTRINSIC_WORKERS", "workers", "-1", -1, 1024,                                \
      "engine worker threads; -1: one per core")                                                   \
    X(INT, hash_mb, "INTRINSIC_HASH_MB", "hash-mb", "0", 0, 65535,                                 \
      "hash of an engine in MiB; 0: as in the engine setting. Other values are other settings")    \
    X(TEXT, stockfish_path, "STOCKFISH_PATH", "stockfish", "", 0, 0,                               \
      "the engine; empty: searched on PATH, then /usr/games")                                      \
    X(TEXT, engines, "INTRINSIC_ENGINES", "engines", "", 0, 0,                                     \
      "further engines for engine settings, as name=path,name=path; besides Stockfish")            \
    X(TEXT, jail, "INTRINSIC_JAIL", "jail", "on", 0, 0,                                            \
      "engines without network, files and access to other processes: on, off, or require where "   \
      "the kernel must grant it")                                                                  \
    X(TEXT, engine_files, "INTRINSIC_ENGINE_FILES", "engine-files", "", 0, 0,                      \
      "files and folders that engines may read and run besides their program, separated by ':'")   \
    X(TEXT, syzygy_path, "SYZYGY_PATH", "syzygy", "", 0, 0,                                        \
      "folders of Syzygy tablebases, separated by ':'; empty: none")                               \
    X(INT, fishnet_check, "INTRINSIC_FISHNET_CHECK", "fishnet-check", "10", 0, 100,                \
      "percentage of games from fishnet keys of which a local worker rechecks some moves")         \
    X(INT, fishnet_leases, "INTRINSIC_FISHNET_LEASES", "fishnet-leases", "64", 1, 100000,          \
      "games that clients of one fishnet key may hold at a time")                                  \
    X(TEXT, human_model, "INTRINSIC_HUMAN_MODEL", "human-model", "", 0, 0,                         \
      "folder of the networks maia-1100.pb.gz to maia-1900.pb.gz, by which `rate` rates lichess "  \
      "rapid games; empty: none")                                                                  \
    X(TEXT, scid_ratings_path, "SCID_RATINGS_PATH", "scid-ratings", "", 0, 0,                      \
      "spelling file of names and ratings (Debian: /usr/share/scid/data/spelling.ssp); empty: "    \
      "none")                                                                                      \
    X(TEXT, judge, "INTRINSIC_JUDGE", "judge", "rating", 0, 0,                                     \
      "default engine setting of the queue, and of figures if it has more than two lines")         \
    X(TEXT, calibration, "INTRINSIC_CALIBRATION", "calibration", "standard", 0, 0,                 \
      "name of the calibration that turns errors into ratings")                                    \
    X(INT, max_upload_mb, "INTRINSIC_MAX_UPLOAD_MB", "max-upload-mb", "64", 1, 65536,              \
      "largest upload, packed and unpacked, in MiB")                                               \
    X(TEXT, fetch, "INTRINSIC_FETCH", "fetch", "", 0, 0,                                           \
      "sites from which the service may get a player's games when lichess:NAME or chesscom:NAME "  \
      "is sent: lichess, chesscom, or lichess=URL of a lila of one's own, separated by spaces; "   \
      "empty: it never goes out")                                                                  \
    X(INT, import_max_s, "INTRINSIC_IMPORT_MAX_S", "import-max-s", "600", 1, 86400,                \
      "seconds that the import of one upload may take, its wait for others aside")                 \
    X(INT, cache_mb, "INTRINSIC_CACHE_MB", "cache-mb", "64", 0, 65536,                             \
      "memory for finished answers, in MiB")                                                       \
    X(INT, lease_s, "INTRINSIC_LEASE_S", "lease-s", "20", 2, 3600,                                 \
      "seconds after which a game of a silent worker is requeued")                                 \
    X(INT, confirm_nodes, "INTRINSIC_CONFIRM_NODES", "confirm-nodes", "2000000", 0, 100000000,     \
      "nodes by which engines at leisure search moves again that are to be marked; 0: no marks")   \
    X(INT, search_timeout_s, "INTRINSIC_SEARCH_TIMEOUT_S", "search-timeout-s", "120", 1, 86400,    \
      "seconds after which a search counts as hung")                                               \
    X(TEXT, read, "INTRINSIC_READ", "read", "open", 0, 0,                                          \
      "who may read: open: everybody; token: who has a token of the scope read")                   \
    X(TEXT, uploads, "INTRINSIC_UPLOADS", "uploads", "", 0, 0,                                     \
      "who sees an upload: listed: everybody; private: who has its address. Default: private "     \
      "where other machines, or a proxy, can reach the service, else listed")                      \
    X(INT, public_uploads_mb, "INTRINSIC_PUBLIC_UPLOADS_MB", "public-uploads-mb", "0", 0, 1048576, \
      "megabytes that visitors without a token may upload in a day, all together, always "         \
      "privately; an address at most a tenth. 0: uploads need a token")                            \
    X(TEXT, home, "INTRINSIC_HOME", "home", ".", 0, 0, "folder that holds templates/ and static/") \
    X(TEXT, log, "INTRINSIC_LOG", "log", "info", 0, 0,                                             \
      "minimum level logged: debug, info, warn, error")

struct ipr_config {
#define TEXT_FIELD(field)                              const char *field;
#define INT_FIELD(field)                               int64_t field;
#define X(kind, field, env, flag, def, min, max, help) kind##_FIELD(field)
    IPR_CONFIG(X)
#undef X
#undef TEXT_FIELD
#undef INT_FIELD
};

/**
 * Fills `out` from defaults, environment and the flags in argv[1..argc), and `args` with the
 * options of the command, `own` (may be NULL), and what is no option. All texts are borrowed from
 * the environment and argv, whose order changes. IPR_EPARSE, naming the setting: unknown INTRINSIC_
 * variable, unknown flag, malformed value. IPR_EIO: a secret's file that cannot be read.
 */
IPR_CHECK enum ipr_code ipr_config_read(int argc, char **argv, const struct ipr_option *own,
                                        struct ipr_config *out, struct ipr_args *args,
                                        struct ipr_err *err);

/** One of them, by its flag, as an option of a command. */
void ipr_config_help_flag(const char *flag, FILE *to);

/** Table of all settings with their defaults, for --help. */
void ipr_config_help(FILE *to);

/** Worker threads after resolving -1 to the number of usable cores. */
unsigned ipr_config_workers(const struct ipr_config *c);

#endif
