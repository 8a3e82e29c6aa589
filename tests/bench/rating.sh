#!/bin/bash
# What `intrinsic rate` costs beside the engine; rows of the bench's table.
# Usage: rating.sh BUILD_DIR [PART…], parts: rate first memory
#
#   rate    analysed moves/s with one engine and with two, from the start of the command to its table, beside
#           the same searches sent to as many bare Stockfish processes by a script. Pairs by turns, since
#           machines are noisy; the ratio is the median of the pairs'.
#   first   from the start to the rating of one game, and of the script on its searches
#   memory  resident memory of the command itself: with two engines, and of evaluations in files
set -eu
cd "$(dirname "$0")/../.."
build=${1:?usage: rating.sh BUILD_DIR [PART...]}
shift
pairs=${BENCH_PAIRS:-3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
intrinsic=$build/intrinsic
export PATH=$PATH:/usr/games LC_ALL=C INTRINSIC_LOG=warn

median() { sort -n | awk '{ v[NR] = $1 } END { print (NR % 2) ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }
column() { cut -d ' ' -f "$2" "$1" | median; }

# Games of the match of 1972 after the second, which has no moves.
games() { # NUMBER
    zstdcat static/samples/world_championships_1886-1985.pgn.zst | awk -v number="$1" '
        /^\[Event /{ keep = /World Championship 28th/ && n++ < number + 2 && n > 2 } keep' >"$work/games.pgn"
}

product() { # CORES: seconds; leaves the evaluations in $work/saved.ndjson
    local begin
    rm -f "$work/saved.ndjson"
    begin=$(date +%s.%N)
    "$intrinsic" rate --quiet --judge=rating --cores="$1" --save="$work/saved.ndjson" "$work/games.pgn" >"$work/table"
    awk -v a="$begin" -v b="$(date +%s.%N)" 'BEGIN { print b - a }'
}

script() { # PROCESSES: seconds and moves of the same searches
    node tests/bench/bare_stockfish.mjs "$1" "$work/saved.ndjson" |
        sed -n 's/.*"turns":\([0-9]*\),"seconds":\([0-9.]*\).*/\2 \1/p'
}

compare() { # CORES: lines "seconds, seconds of the script, moves" into $work/pairs
    local i p s
    : >"$work/pairs"
    product "$1" >/dev/null # the searches that the script is to repeat
    cp "$work/saved.ndjson" "$work/searches.ndjson"
    for ((i = 0; i < pairs; i++)); do
        if ((i % 2)); then
            p=$(product "$1") s=$(script "$1")
        else
            s=$(script "$1") p=$(product "$1")
        fi
        cmp "$work/saved.ndjson" "$work/searches.ndjson"
        echo "$p $s" >>"$work/pairs"
        echo "  rate, $1 engine(s), pair $((i + 1)): $p s, script $s" >&2
    done
}

rate() {
    local n
    for n in 1 2; do
        games $((6 * n))
        compare "$n"
        awk '{ print $3 / $1, $3 / $2, $2 / $1 }' "$work/pairs" >"$work/rates"
        printf '| `intrinsic rate`, %d engine(s), analysed moves/s | %.1f | as many bare Stockfish processes, same searches | %.1f | %.3f |\n' \
            "$n" "$(column "$work/rates" 1)" "$(column "$work/rates" 2)" "$(column "$work/rates" 3)"
    done
}

first() {
    games 1
    compare 1
    awk '{ print $1 / $2 }' "$work/pairs" >"$work/rates"
    printf '| start of `intrinsic rate` to the rating of one game, s | %.2f | bare Stockfish, same searches | %.2f | %.3f |\n' \
        "$(column "$work/pairs" 1)" "$(column "$work/pairs" 2)" "$(median <"$work/rates")"
}

peak() { # WHAT COMMAND…: MiB of the process itself until it ends
    local what=$1 pid kb=0 now
    shift
    "$@" >/dev/null &
    pid=$!
    while now=$(sed -n 's/^VmHWM:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$pid/status" 2>/dev/null) && [ -n "$now" ]; do
        kb=$now
        sleep 0.02
    done
    wait "$pid"
    awk -v what="$what" -v kb="$kb" 'BEGIN {
        printf "| resident memory of `intrinsic rate`%s, MiB | %.1f | limit | 64.0 | %.2f |\n", what, kb / 1024, kb / 1024 / 64 }'
}

memory() {
    games 4
    peak ' beside two engines' "$intrinsic" rate --quiet --judge=rating --cores=2 "$work/games.pgn"
    # Short ones lack too many evaluations.
    zstdcat static/samples/rating.ndjson.zst | grep -E '"ply":40,' | node tests/support/strip_evals.mjs >"$work/once.pgn"
    for k in {1..20}; do sed "s/^\[White \"/&$k /" "$work/once.pgn"; done >"$work/evals.pgn"
    peak ", $(grep -c '^\[Event ' "$work/evals.pgn") games with evaluations" "$intrinsic" rate --quiet "$work/evals.pgn"
}

[ $# -gt 0 ] || set -- rate first memory
for part in "$@"; do
    case $part in
    rate | first | memory) "$part" ;;
    *) echo "rating.sh: no part $part" >&2; exit 2 ;;
    esac
done
