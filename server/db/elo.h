#ifndef IPR_DB_ELO_H
#define IPR_DB_ELO_H

#include "core/elo_lists.h"
#include "db/db.h"

/* Ratings on published lists: histories of identities, read as those of persons. */

struct ipr_db_elo_history {
    int32_t player_id;
    bool by_id; /* matched by FIDE id, not by name */
    const char *name;
    const char *listed, *elo; /* ipr_db_elo_text */
};

struct ipr_db_born {
    int32_t person;
    int born; /* year; 0: unknown */
};

#include "queries/elo.h"

/** The lists of a history, and the ratings on them, as the database stores them; from `mem`. */
void ipr_db_elo_text(const struct ipr_elo_ratings *r, struct ipr_arena *mem,
                     struct ipr_db_elo_history *out);

/** Fills in the answers. */
IPR_CHECK enum ipr_code ipr_db_elo_at(struct ipr_db *db, struct ipr_db_elo_at *at, size_t n,
                                      struct ipr_err *err);

#endif
