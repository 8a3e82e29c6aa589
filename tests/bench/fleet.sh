#!/bin/bash
# A thousand workers on one PostgreSQL (docs/scaling.md), for a minute
# at the lowest priority. Runs inside tests/support/with_pg.sh, whose server it
# gives room for the connections.
# Usage: fleet.sh BUILD_DIR [WORKERS [SECONDS [GAME_SECONDS]]]
set -eu
cd "$(dirname "$0")/../.."
build=${1:?usage: fleet.sh BUILD_DIR [WORKERS [SECONDS [GAME_SECONDS]]]}
workers=${2:-1000} seconds=${3:-10} game_s=${4:-2.3}
base=${INTRINSIC_TEST_PG:?run it by tests/support/with_pg.sh}
dir=$(sed 's/.*host=\([^ ]*\).*/\1/' <<<"$base")
bin=$(find /usr/lib/postgresql/*/bin -maxdepth 0 | sort -V | tail -n 1)
ulimit -n 8192

echo "max_connections = $((workers + 50))" >>"$dir/data/postgresql.conf"
as_owner=()
[ "$(id -u)" != 0 ] || as_owner=(setpriv --reuid=postgres --regid=postgres --init-groups)
(cd / && "${as_owner[@]}" "$bin/pg_ctl" -D "$dir/data" -l "$dir/server.log" -m fast -w restart) >/dev/null

PGOPTIONS='-c client_min_messages=warning' psql -X -q -d "$base" -c 'CREATE DATABASE bench_fleet'
url="$(sed 's/\bdbname=[^ ]*//' <<<"$base") dbname=bench_fleet"
DATABASE_URL=$url "$build/intrinsic" migrate >/dev/null
psql -X -q -d "$url" <<'SQL'
INSERT INTO player (name, name_key) VALUES ('A', 'a'), ('B', 'b');
INSERT INTO game (white_id, black_id, event_id, date, site, round, result, plies, moves, moves_key, stem, tags)
SELECT 1, 2, 0, '', '', '', 0, 80, '\x', n, n, '{}' FROM generate_series(1, 60000) n;
INSERT INTO job (game_id, judge, place, turns_total) SELECT id, 'bench', id, 64 FROM game ORDER BY id;
SQL
nice -n 19 "$build/tests/bench/bench_fleet" "$url" "$workers" "$seconds" "$game_s"
