#!/bin/bash
# The queue while somebody holds an old snapshot, as a backup or a long report does: how much slower
# it becomes. Snapshots hold up only the database they are taken in, so that another one of the same
# server is what it is compared with. Rows of the bench's table. Runs inside
# tests/support/with_pg.sh.
# Usage: queue.sh BUILD_DIR [SECONDS], of a window
set -eu
cd "$(dirname "$0")/../.."
build=${1:?usage: queue.sh BUILD_DIR [SECONDS]}
base=${INTRINSIC_TEST_PG:?run it by make bench}

database() { # NAME: the libpq string of an empty, migrated one
    PGOPTIONS='-c client_min_messages=warning' psql -X -q -d "$base" \
        -c "DROP DATABASE IF EXISTS $1 WITH (FORCE)" -c "CREATE DATABASE $1"
    DATABASE_URL="$(sed 's/\bdbname=[^ ]*//' <<<"$base") dbname=$1"
    export DATABASE_URL
    "$build/intrinsic" migrate >/dev/null
    echo "$DATABASE_URL"
}

"$build/tests/bench/bench_queue" "$(database bench_held)" "$(database bench_free)" "${2:-10}"
