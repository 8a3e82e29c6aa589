#ifndef IPR_DB_PLAYERS_H
#define IPR_DB_PLAYERS_H

#include "db/db.h"
#include "pgn/time_class.h"

/*
 * Persons: an identity (db/identities.h) with all that are merged into it. Ids are those of roots,
 * except for ipr_db_player_get, which finds the root of any identity. `times` is a set of
 * IPR_TIME_BIT; only games of these classes count unless it says otherwise.
 */
#include "queries/players.h"

#endif
