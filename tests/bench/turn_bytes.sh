#!/bin/bash
# Bytes per analysed turn in the database, including indexes and the rows of its side. Uses samples of
# two engine settings as if a worker had analysed them here: each turn of the first 20 moves has a
# key for its position and no position occurs twice, which is the worst case. Prints rows of the
# benchmark's table. Runs inside tests/support/with_pg.sh.
# Usage: turn_bytes.sh BUILD_DIR
set -eu
cd "$(dirname "$0")/../.."
build=${1:?usage: turn_bytes.sh BUILD_DIR}
base=${INTRINSIC_TEST_PG:?run it by make bench}

# bytes SETTING LIMIT FILE...: a row of the turns of these files.
bytes() {
    local setting=$1 limit=$2
    shift 2
    PGOPTIONS='-c client_min_messages=warning' psql -X -q -d "$base" \
        -c 'DROP DATABASE IF EXISTS bench_bytes WITH (FORCE)' -c 'CREATE DATABASE bench_bytes'
    "$build/intrinsic" migrate >/dev/null
    "$build/intrinsic" import --quiet "$@" >/dev/null
    psql -X -qAt -d "$DATABASE_URL" -v setting="$setting" -v limit="$limit" <<'EOF'
UPDATE side_turns AS s
SET position_keys = array(
    SELECT gen_random_uuid()
    FROM turn AS t
    WHERE (t.game_id, t.judge_id, t.mover) = (s.game_id, s.judge_id, s.colour) AND t.ply < 40
);
VACUUM FULL side_turns;
WITH sizes AS (
    SELECT
        count(*) AS turns,
        (SELECT sum(pg_total_relation_size(relid)) FROM pg_partition_tree('side_turns')) + pg_total_relation_size('judged_side')
        + pg_total_relation_size('endgame_turn') AS bytes
    FROM turn
)
SELECT format(
    '| database bytes a turn of `%s`, indexes included, %s turns | %s | limit | %s | %s |',
    :'setting', turns, bytes / turns, :limit, round(bytes::numeric / turns / :limit, 2)
)
FROM sizes;
EOF
}

DATABASE_URL="$(sed 's/\bdbname=[^ ]*//' <<<"$base") dbname=bench_bytes"
export DATABASE_URL
bytes standard 900 static/samples/judged/*.ndjson.zst
bytes rating 120 static/samples/rating.ndjson.zst
