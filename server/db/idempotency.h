#ifndef IPR_DB_IDEMPOTENCY_H
#define IPR_DB_IDEMPOTENCY_H

#include "db/db.h"

/* Answers to requests with Idempotency-Key. */
#include "queries/idempotency.h"

#endif
