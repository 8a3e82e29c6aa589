#!/bin/bash
# What a judged turn takes in the database, indexes and the rows beside it included. The judged
# samples, as if a worker had judged them here: each turn with the key of its position, and no
# position twice, which is the worst case. A row of the bench's table. Runs inside
# tests/support/with_pg.sh.
# Usage: turn_bytes.sh BUILD_DIR
set -eu
cd "$(dirname "$0")/../.."
build=${1:?usage: turn_bytes.sh BUILD_DIR}
base=${INTRINSIC_TEST_PG:?run it by make bench}

PGOPTIONS='-c client_min_messages=warning' psql -X -q -d "$base" \
    -c 'DROP DATABASE IF EXISTS bench_bytes WITH (FORCE)' -c 'CREATE DATABASE bench_bytes'
DATABASE_URL="$(sed 's/\bdbname=[^ ]*//' <<<"$base") dbname=bench_bytes"
export DATABASE_URL
"$build/intrinsic" migrate >/dev/null
"$build/intrinsic" import --quiet static/samples/judged/*.ndjson.zst >/dev/null
psql -X -qAt -d "$DATABASE_URL" <<'EOF'
UPDATE turn SET position_key = gen_random_uuid();
VACUUM FULL turn;
WITH sizes AS (
    SELECT
        count(*) AS turns,
        pg_total_relation_size('turn') + pg_total_relation_size('judged_side')
        + pg_total_relation_size('endgame_turn') AS bytes
    FROM turn
)
SELECT format(
    '| database bytes a judged turn, indexes included, %s turns | %s | limit | 900 | %s |',
    turns, bytes / turns, round(bytes::numeric / turns / 900, 2)
)
FROM sizes;
EOF
