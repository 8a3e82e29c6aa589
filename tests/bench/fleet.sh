#!/bin/bash
# A thousand workers on one PostgreSQL (docs/scaling.md), for a minute
# at the lowest priority. Runs inside tests/support/with_pg.sh, whose server it
# gives room for the connections.
# With a pool mode, session or transaction, they come through PgBouncer, in the latter with 40 connections.
# Usage: fleet.sh BUILD_DIR [WORKERS [SECONDS [GAME_SECONDS [POOL_MODE]]]]
set -eu
cd "$(dirname "$0")/../.."
build=${1:?usage: fleet.sh BUILD_DIR [WORKERS [SECONDS [GAME_SECONDS [POOL_MODE]]]]}
workers=${2:-1000} seconds=${3:-10} game_s=${4:-2.3} mode=${5:-}
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
if [ -n "$mode" ]; then
    [ "$mode" = transaction ] && pool=40 || pool=$workers
    cat >"$dir/pgbouncer.ini" <<EOF
[databases]
* = host=$dir user=intrinsic
[pgbouncer]
listen_addr =
unix_socket_dir = $dir
listen_port = 6432
auth_type = any
pool_mode = $mode
default_pool_size = $pool
max_client_conn = $((workers + 50))
logfile = $dir/pgbouncer.log
EOF
    (cd / && exec "${as_owner[@]}" /usr/sbin/pgbouncer -q "$dir/pgbouncer.ini") &
    pooler=$!
    trap 'kill "$pooler"' EXIT
    until [ -S "$dir/.s.PGSQL.6432" ]; do sleep 0.1; done
    url="$url port=6432"
fi
nice -n 19 "$build/tests/bench/bench_fleet" "$url" "$workers" "$seconds" "$game_s"
