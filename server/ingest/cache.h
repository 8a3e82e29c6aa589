#ifndef IPR_INGEST_CACHE_H
#define IPR_INGEST_CACHE_H

#include <stdbool.h>

#include "db/events.h"
#include "db/identities.h"

/* Ids of the players and events that an import has seen, to save queries. Bounded: of two with the
 * same index the later one is kept. */

struct ipr_cache;

struct ipr_cache *ipr_cache_new(void);
void ipr_cache_free(struct ipr_cache **c);

bool ipr_cache_player(const struct ipr_cache *c, const struct ipr_identity *who,
                      struct ipr_db_identity *out);
void ipr_cache_put_player(struct ipr_cache *c, const struct ipr_identity *who,
                          struct ipr_db_identity id);
bool ipr_cache_event(const struct ipr_cache *c, const struct ipr_db_event *event, int32_t *out);
void ipr_cache_put_event(struct ipr_cache *c, const struct ipr_db_event *event, int32_t id);

#endif
