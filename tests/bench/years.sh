#!/bin/bash
# Strength over time of 50,000 player-years with all database work: the list filled again, one more
# analysed game, and a page of 100 players. Rows of the bench's table. Runs inside
# tests/support/with_pg.sh.
# Usage: years.sh BUILD_DIR [PLAYERS]: with ten years each
set -euo pipefail
cd "$(dirname "$0")/../.."
build=$(realpath "${1:?usage: years.sh BUILD_DIR [PLAYERS]}")
players=${2:-5000}
base=${INTRINSIC_TEST_PG:?run it by make bench}
export LC_ALL=C INTRINSIC_LOG=warn INTRINSIC_WORKERS=0 INTRINSIC_RATE_LIMIT=0 INTRINSIC_CACHE_MB=0
psql -X -q -d "$base" -c 'CREATE DATABASE years'
DATABASE_URL="$(sed 's/\bdbname=[^ ]*//' <<<"$base") dbname=years"
export DATABASE_URL
ask() { psql -X -qAt -v ON_ERROR_STOP=1 -d "$DATABASE_URL" "$@"; }
setup/prepare.sh "$build/intrinsic" >/dev/null 2>&1
ask -v players="$players" -f tests/bench/years.sql

port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
"$build/intrinsic" serve --listen="127.0.0.1:$port" >/dev/null 2>&1 &
service=$!
work=$(mktemp -d)
trap 'kill "$service"; rm -r "$work"' EXIT
list="http://127.0.0.1:$port/api/v1/players?sort=-rating&limit=100"
until curl -s -o /dev/null "http://127.0.0.1:$port/ready"; do sleep 0.1; done

ms() { curl -sf -o /dev/null -w '%{time_total}\n' "$list" | awk '{ print 1000 * $1 }'; }
median() { sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

begun=$EPOCHREALTIME
until ms >/dev/null; do :; done
fresh=$(awk -v a="$begun" -v b="$EPOCHREALTIME" 'BEGIN { print b - a }')
for i in $(seq 9); do
    ask -v game="$((players * 20 + 1000 * i))" <<<'
        CREATE TEMPORARY TABLE g AS
        SELECT * FROM game ORDER BY id DESC OFFSET :game LIMIT 1;
        UPDATE judged_side AS s SET strength_score = s.strength_score + 1000
        FROM g WHERE s.game_id = g.id;
        UPDATE player_year AS y SET strength_score = y.strength_score + 1000
        FROM g WHERE y.player_id IN (g.white_id, g.black_id) AND y.year = g.year;
        UPDATE player_total AS t SET strength_score = t.strength_score + 1000
        FROM g WHERE t.player_id IN (g.white_id, g.black_id);'
    ms >&3
    ms >&4
done 3>"$work/changed" 4>"$work/again"
page=$(median <"$work/again")
more=$(awk -v page="$page" '{ print $1 - page }' <"$work/changed" | median)
awk -v years="$((10 * players))" -v fresh="$fresh" -v page="$page" -v more="$more" '
    function row(what, ours, goal) { printf "| %s | %.1f | the goal | %d | %.2f |\n", what, ours, goal, goal / ours }
    BEGIN {
        row("strength over time of " years " player-years, all again with the database, s", fresh, 20)
        row("the same after one more analysed game, ms", more > .1 ? more : .1, 50)
        row("list of 100 of these players, computed, ms", page, 250)
    }'
