#ifndef IPR_DB_TIME_CLASSES_H
#define IPR_DB_TIME_CLASSES_H

#include "db/games.h"

/** Reads the tags of the games again that a migration has put in game_to_classify, and sets their
 * classes of time control and all sums that they are in, each game in a transaction of its own; `n`
 * counts these games. */
IPR_CHECK enum ipr_code ipr_db_time_classes_renew(struct ipr_db *db, unsigned *n,
                                                  struct ipr_err *err);

#endif
