#!/bin/bash
# Speed of importing figure sets, beside \copy of the rows of their sides into a table without
# indexes; bytes a turn, as shipped and as stored with indexes. The champions' sets that ship, again
# under other keys until there are a million turns. Rows of the benchmark's table. Runs inside
# tests/support/with_pg.sh.
# Usage: figure_sets.sh BUILD_DIR
set -eu
cd "$(dirname "$0")/../.."
build=${1:?usage: figure_sets.sh BUILD_DIR}
base=${INTRINSIC_TEST_PG:?run it by make bench}
export LC_ALL=C
work=$(mktemp -d)
chmod 755 "$work" # the server may run as another user
trap 'rm -rf "$work"' EXIT

parts=(static/champions/*.ndjson.zst)
zstdcat "${parts[@]}" >"$work/once"
awk '{ print; all[NR] = $0 }
    END {
        for (i = 1; i <= NR; i++) {
            match(all[i], /"key":"/)
            at = RSTART + RLENGTH
            digit = substr("123456789abcdef0", index("0123456789abcdef", substr(all[i], at, 1)), 1)
            print substr(all[i], 1, at - 1) digit substr(all[i], at + 1)
        }
    }' "$work/once" >"$work/sets"

psql -X -q -d "$base" -c 'SET client_min_messages = warning' \
    -c 'DROP DATABASE IF EXISTS bench_sets WITH (FORCE)' -c 'CREATE DATABASE bench_sets'
DATABASE_URL="$(sed 's/\bdbname=[^ ]*//' <<<"$base") dbname=bench_sets"
export DATABASE_URL
ask() { psql -X -qAt -d "$DATABASE_URL" -c "$1"; }

# Seconds that a command takes; its output goes to standard error.
seconds() {
    local begin end
    begin=$(date +%s.%N)
    "$@" >&2
    end=$(date +%s.%N)
    awk -v a="$begin" -v b="$end" 'BEGIN { print b - a }'
}

"$build/intrinsic" migrate >/dev/null
imported=$(seconds "$build/intrinsic" import --quiet "$work/sets")
turns=$(ask 'SELECT sum(turns) FROM judge_total')
ask 'CREATE TABLE bare (LIKE side_turns)'
ask "\\copy (SELECT * FROM side_turns) TO '$work/rows' (FORMAT binary)"
copied=$(seconds ask "\\copy bare FROM '$work/rows' (FORMAT binary)")
ask 'VACUUM FULL side_turns'
stored=$(ask "SELECT (SELECT sum(pg_total_relation_size(relid)) FROM pg_partition_tree('side_turns')) + pg_total_relation_size('judged_side')")
shipped=$(cat "${parts[@]}" | wc -c)

awk -v turns="$turns" -v imported="$imported" -v copied="$copied" -v stored="$stored" -v shipped="$shipped" \
    -v once="$(wc -l <"$work/once")" -v all="$(wc -l <"$work/sets")" 'BEGIN {
    printf "| importing figure sets of %d games, %d turns (goal 500,000), turns/s | %.0f | `\\copy` of the rows of their sides, no index | %.0f | %.2f |\n",
        all, turns, turns / imported, turns / copied, copied / imported
    printf "| figure sets as they ship, bytes a turn | %.1f | in the database, indexes included | %.1f | %.2f |\n",
        shipped / (turns * once / all), stored / turns, shipped / (turns * once / all) / (stored / turns)
}'
