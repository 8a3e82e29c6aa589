#ifndef IPR_DB_VERSIONS_H
#define IPR_DB_VERSIONS_H

#include "db/db.h"

/* Versions of the data that answers rest on: equal texts are equal data. */
#include "queries/versions.h"

#endif
