#!/bin/bash
# roles.sh - lets the roles of sql/roles.sql log in, with the passwords of the environment, or of the files
# that it names. Run in a container of PostgreSQL's image by docker/compose.yml, at every start.
set -eu
cd "$(dirname "$0")"
. ./password.sh
hide_password OWNER_DATABASE_URL
from_file SERVICE_PASSWORD
from_file WORKER_PASSWORD
ask() { psql -X -q -v ON_ERROR_STOP=1 -d "$OWNER_DATABASE_URL" "$@"; }
ask -f roles.sql
ask <<'END'
\getenv service SERVICE_PASSWORD
\getenv worker WORKER_PASSWORD
ALTER ROLE intrinsic_service LOGIN PASSWORD :'service';
ALTER ROLE intrinsic_worker LOGIN PASSWORD :'worker';
END
