#!/bin/bash
# Speed of the import into PostgreSQL: reading, every move checked, names, duplicates, indexes, one
# transaction a file; beside it, in the same run, psql's \copy of the very same rows into a table
# without any index. The cluster is the one of `make run`, fsync and all. Rows of the bench's table.
# Usage: importing.sh BUILD_DIR [GAMES [ROOM]]; GAMES a file, into nothing and into ROOM games.
set -eu
cd "$(dirname "$0")/../.."
build=$(realpath "${1:?usage: importing.sh BUILD_DIR [GAMES [ROOM]]}")
games=${2:-200000}
room=${3:-1000000}
shared=${IPR_SHARED:-../shared}
export LC_ALL=C
root=$PWD
work=$(mktemp -d)
chmod 755 "$work" # the server may run as another user
cleanup() {
    (cd "$work" && sh "$root/sql/cluster.sh" stop) || true
    rm -rf "$work"
}
trap cleanup EXIT

real=(static/samples/world_championships_1886-1985.pgn.zst)
[ ! -d "$shared/data/champions" ] || real+=("$shared"/data/champions/*.pgn.zst)
zstdcat "${real[@]}" | "$build/tests/bench/make_games" $((room + games)) |
    awk -v first="$games" -v second="$room" -v dir="$work" '
        /^\[Event / { n++; out = dir (n <= first ? "/first" : n <= second ? "/between" : "/last") }
        { print > out }'

(cd "$work" && sh "$root/sql/cluster.sh" start >&2)
DATABASE_URL=$(cd "$work" && sh "$root/sql/cluster.sh" url)
export DATABASE_URL
"$build/intrinsic" migrate >/dev/null
ask() { psql -X -qAt -d "$DATABASE_URL" -c "$1"; }

# seconds, games read, resident KiB at the most
timed_import() { # FILE
    /usr/bin/time -f '%e %M' -o "$work/time" "$build/intrinsic" import "$work/$1" >"$work/said"
    sed 's/\([^ ]*\) \(.*\)/\1 '"$(sed -n 's/.*: \([0-9]*\) games read.*/\1/p' "$work/said")"' \2/' \
        "$work/time"
    cat "$work/said" >&2
}

first=$(timed_import first)
size=$(ask 'SELECT pg_database_size(current_database())')
between=$(timed_import between)
there=$(ask 'SELECT count(*) FROM game')
last=$(timed_import last)

# The rows of the last file, as they are, and the same table without indexes.
ask "CREATE TABLE bare (LIKE game)"
ask "\\copy (SELECT * FROM game WHERE upload_id = (SELECT max(id) FROM upload)) TO '$work/rows' (FORMAT binary)"
begin=$(date +%s.%N)
ask "\\copy bare FROM '$work/rows' (FORMAT binary)"
end=$(date +%s.%N)
copied=$(ask 'SELECT count(*) FROM bare')

awk -v first="$first" -v between="$between" -v last="$last" -v there="$there" -v size="$size" \
    -v pgn="$(stat -c %s "$work/first")" \
    -v copied="$copied" -v seconds="$(awk -v a="$begin" -v b="$end" 'BEGIN { print b - a }')" '
    function row(what, rate, copy) {
        printf "| importing %s | %.0f games/s | `\\copy` of the same rows, no index | %.0f games/s | %.2f |\n",
            what, rate, copy, rate / copy
    }
    BEGIN {
        split(first, f); split(between, b); split(last, l)
        copy = copied / seconds
        row(sprintf("%d games into an empty database", f[2]), f[2] / f[1], copy)
        row(sprintf("%d games after them", b[2]), b[2] / b[1], copy)
        row(sprintf("%d games beside %d", l[2], there), l[2] / l[1], copy)
        rss = f[3] > b[3] ? f[3] : b[3]; rss = l[3] > rss ? l[3] : rss
        printf "| resident memory of an import, at the most | %.0f MiB | limit | 64 MiB | %.2f |\n",
            rss / 1024, rss / 1024 / 64
        printf "| database with the first file | %.0f MB | its PGN | %.0f MB | %.2f |\n", size / 1e6,
            pgn / 1e6, size / pgn
    }'
