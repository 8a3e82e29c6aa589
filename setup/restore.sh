#!/bin/bash
# restore.sh INTRINSIC - reads a dump of backup.sh from standard input into the database of DATABASE_URL,
# which must be empty, and brings it up to date (MIGRATE=no: leaves it at the schema of the dump). All of it
# or nothing is restored.
set -eu
. "$(dirname "$0")/password.sh"
intrinsic=${1:?usage: restore.sh INTRINSIC}
hide_password DATABASE_URL

tables=$(psql -XAtq -d "$DATABASE_URL" -c "SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace")
[ "$tables" = 0 ] || {
    echo "restore: the database is not empty; nothing was changed" >&2
    exit 1
}
pg_restore --no-owner --no-privileges --exit-on-error --single-transaction -d "$DATABASE_URL"
# Until autovacuum has been there the planner knows nothing.
psql -Xq -d "$DATABASE_URL" -c ANALYZE
[ "${MIGRATE:-yes}" = no ] || "$intrinsic" migrate
