#!/bin/bash
# Speed of the PGN reader, every move checked, beside pgn-extract and (as the floor: what it takes
# to look at every byte) grep on the same file, made from real games in this run; rows of the
# bench's table. All figures are CPU seconds of one core, medians of three rounds.
# Usage: reading.sh BUILD_DIR [GAMES]
set -eu
cd "$(dirname "$0")/../.."
build=${1:?usage: reading.sh BUILD_DIR [GAMES]}
games=${2:-120000}
rounds=${BENCH_ROUNDS:-3}
shared=${IPR_SHARED:-../shared}
export LC_ALL=C PATH=$PATH:/usr/games
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

from='world championships'
real=(static/samples/world_championships_1886-1985.pgn.zst)
if [ -d "$shared/data/champions" ]; then
    real+=("$shared"/data/champions/*.pgn.zst)
    from="$from and champions' games"
fi
zstdcat "${real[@]}" | "$build/tests/bench/make_games" "$games" >"$work/big.pgn"
bytes=$(stat -c %s "$work/big.pgn")

cpu_seconds() { # OUT COMMAND…: user and system
    local out=$1
    shift
    TIMEFORMAT='%U %S'
    { time "$@" >"$out" 2>"$work/said"; } 2>&1 | awk '{ print $1 + $2 }'
}

for ((i = 0; i < rounds; i++)); do
    ours=$(cpu_seconds "$work/ours" "$build/tests/bench/bench_read" "$work/big.pgn")
    notes=$(cpu_seconds "$work/notes" "$build/tests/bench/bench_read" "$work/big.pgn" notes)
    theirs=$(cpu_seconds "$work/theirs" pgn-extract -s -r "$work/big.pgn")
    floor=$(cpu_seconds "$work/floor" grep -c '^\[Event ' "$work/big.pgn")
    echo "$ours $notes $theirs $floor" >>"$work/seconds"
done

read -r read _ _ refused rss <"$work/ours"
if [ "$read" != "$games" ] || [ "$refused" != 0 ] || [ "$(cat "$work/floor")" != "$games" ]; then
    echo "reading.sh: $read games read, $refused refused, of $games" >&2
    exit 1
fi

awk -v games="$games" -v bytes="$bytes" -v from="$from" -v rss="$rss" '
    function median(column,    i, j, t, v) {
        for (i = 1; i <= NR; i++) v[i] = seconds[i, column]
        for (i = 1; i <= NR; i++) for (j = i + 1; j <= NR; j++)
            if (v[j] < v[i]) { t = v[i]; v[i] = v[j]; v[j] = t }
        return NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2
    }
    function row(what, amount, format, s, name, other) {
        printf "| reading %s | " format " | %s | " format " | %.2f |\n", what, amount / s, name,
            amount / other, other / s
    }
    { for (i = 1; i <= NF; i++) seconds[NR, i] = $i }
    END {
        ours = median(1); notes = median(2); theirs = median(3); floor = median(4)
        what = sprintf("%d games (%.0f MB) out of %s, every move checked", games, bytes / 1e6, from)
        row(what ", games/s", games, "%.0f", ours, "`pgn-extract -s -r`", theirs)
        row(what ", MB/s", bytes / 1e6, "%.0f", ours, "`pgn-extract -s -r`", theirs)
        row("them, notes kept too, MB/s", bytes / 1e6, "%.0f", notes, "`pgn-extract -s -r`", theirs)
        row("them, MB/s", bytes / 1e6, "%.0f", ours, "`grep -c`, the floor", floor)
        printf "| reading them, resident memory, MiB | %.1f | the limit | 64 | %.2f |\n", rss / 1024, rss / 1024 / 64
    }' "$work/seconds"
