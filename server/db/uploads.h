#ifndef IPR_DB_UPLOADS_H
#define IPR_DB_UPLOADS_H

#include "db/db.h"

struct ipr_db_upload {
    int64_t id;
    const char *created, *source, *judge; /* RFC 3339; file name or "api"; "" when not queued */
    int64_t bytes;
    int32_t games_read, imported, duplicate, rejected, judged;
    int64_t variations; /* passed over in its games */
    /* Of its games that were to be judged, now: */
    int32_t queued;   /* waiting, or paused */
    int32_t running;  /* being judged */
    int32_t analysed; /* both sides judged by its judge */
    int32_t failed;   /* given up, reason in jobs */
    /* Of its games but those given up: turns judged, those of running games among them; and with
     * what is to be judged. A game that is taken back begins anew. */
    int64_t turns_done, turns_total;
};

struct ipr_db_upload_error {
    int32_t game; /* 1-based; below 0: no game, but a file of an archive that cannot be read */
    int32_t line, column, ply;
    const char *type, *detail, *white, *black;
};

/** What a game sent was to the one kept. The numbers are stored. */
enum ipr_duplicate {
    IPR_DUPLICATE_IDENTICAL,
    IPR_DUPLICATE_CONTAINED, /* its moves are the first of the kept one's */
    IPR_DUPLICATE_EXTENDS,   /* the other way round: the kept one took its moves */
    IPR_DUPLICATE_SPELLING,  /* identical but for the spelling of names */
    IPR_DUPLICATE_NONE       /* no duplicate; never stored */
};
/** "identical", "contained", "extends", "spelling". */
const char *ipr_duplicate_name(enum ipr_duplicate kind);

/** What a duplicate says otherwise than the kept game. The bits are stored. */
enum {
    IPR_CONFLICT_RESULT = 1,
    IPR_CONFLICT_WHITE_FIDE_ID =
        2, /* another id; or one that is known by a name that does not fit */
    IPR_CONFLICT_BLACK_FIDE_ID = 4,
    IPR_CONFLICT_WHITE_ELO = 8,
    IPR_CONFLICT_BLACK_ELO = 16
};
#define IPR_CONFLICTS 5 /* bits */
/** Of bit number 0..IPR_CONFLICTS-1: "result", "white_fide_id", ... */
const char *ipr_conflict_name(int bit);

struct ipr_db_duplicate {
    int32_t game; /* 1-based number in the upload */
    enum ipr_duplicate kind;
    int64_t kept; /* id */
    bool improved;
    unsigned conflicts; /* set of IPR_CONFLICT_... */
};

struct ipr_db_failed_job {
    int64_t game_id;
    const char *white, *black, *reason;
};

/** Starts an upload row (in the caller's transaction). */
IPR_CHECK enum ipr_code ipr_db_upload_begin(struct ipr_db *db, const char *source,
                                            const unsigned char digest[32], int64_t bytes,
                                            const char *judge, int64_t *id, struct ipr_err *err);
IPR_CHECK enum ipr_code ipr_db_upload_error_add(struct ipr_db *db, int64_t id,
                                                const struct ipr_db_upload_error *e,
                                                struct ipr_err *err);
/** Stores the final counts. */
IPR_CHECK enum ipr_code ipr_db_upload_end(struct ipr_db *db, const struct ipr_db_upload *u,
                                          struct ipr_err *err);
/** Newest upload with this digest; IPR_ENOTFOUND when these bytes are new. */
IPR_CHECK enum ipr_code ipr_db_upload_by_digest(struct ipr_db *db, const unsigned char digest[32],
                                                int64_t *id, struct ipr_err *err);
IPR_CHECK enum ipr_code ipr_db_upload_get(struct ipr_db *db, int64_t id, struct ipr_arena *mem,
                                          struct ipr_db_upload *out, struct ipr_err *err);
/** Newest first. */
IPR_CHECK enum ipr_code ipr_db_upload_list(struct ipr_db *db, int limit, struct ipr_arena *mem,
                                           struct ipr_db_upload **rows, size_t *n,
                                           struct ipr_err *err);
IPR_CHECK enum ipr_code ipr_db_upload_errors(struct ipr_db *db, int64_t id, struct ipr_arena *mem,
                                             struct ipr_db_upload_error **rows, size_t *n,
                                             struct ipr_err *err);
/** Records duplicates of an upload, inside the caller's transaction; game numbers are distinct. At
 * work. */
IPR_CHECK enum ipr_code ipr_db_duplicates_add(struct ipr_db *db, int64_t upload_id,
                                              const struct ipr_db_duplicate *rows, size_t n,
                                              struct ipr_err *err);
/** Those after a game number, ascending, at most `limit`. */
IPR_CHECK enum ipr_code ipr_db_duplicates(struct ipr_db *db, int64_t upload_id, int32_t after,
                                          int limit, struct ipr_arena *mem,
                                          struct ipr_db_duplicate **rows, size_t *n,
                                          struct ipr_err *err);
IPR_CHECK enum ipr_code ipr_db_upload_failed(struct ipr_db *db, int64_t id, struct ipr_arena *mem,
                                             struct ipr_db_failed_job **rows, size_t *n,
                                             struct ipr_err *err);

/** The players of an upload's games, most games first, with the years they played in. */
struct ipr_db_upload_player {
    int32_t player_id;
    const char *name;
    int year; /* 0 unknown */
    int32_t games;
};
IPR_CHECK enum ipr_code ipr_db_upload_players(struct ipr_db *db, int64_t id, int limit,
                                              struct ipr_arena *mem,
                                              struct ipr_db_upload_player **rows, size_t *n,
                                              struct ipr_err *err);

#endif
