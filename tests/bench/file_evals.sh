#!/bin/bash
# Speed of rating 1,000 games by the evaluations in their file, beside pgn-extract reading the file, which
# is made from the samples in this run; a row of the bench's table. CPU seconds, medians of three rounds.
# Usage: file_evals.sh BUILD_DIR
set -eu
cd "$(dirname "$0")/../.."
build=${1:?usage: file_evals.sh BUILD_DIR}
rounds=${BENCH_ROUNDS:-3}
games=1000
export LC_ALL=C PATH=$PATH:/usr/games
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Other players for games that come again, or they would count once. Short ones lack too many evaluations.
zstd -dcq static/samples/rating.ndjson.zst | grep -E '"ply":40,' >"$work/games.ndjson"
node tests/support/strip_evals.mjs <"$work/games.ndjson" >"$work/once.pgn"
for k in 1 2 3; do sed "s/^\[White \"/&$k /" "$work/once.pgn"; done |
    awk -v games=$games '/^\[Event / && ++n > games { exit } { print }' >"$work/evals.pgn"

cpu_seconds() { # COMMAND…: user and system
    TIMEFORMAT='%U %S'
    { time "$@" >/dev/null 2>"$work/said"; } 2>&1 | awk '{ print $1 + $2 }'
}

rated=$(STOCKFISH_PATH=/nonexistent "$build/intrinsic" rate --format=csv "$work/evals.pgn" 2>"$work/said" | grep -c pgn-evals) || true
if ! grep -q "^rated by the evaluations in the file (pgn-evals): $games of" "$work/said" || [ "$rated" = 0 ]; then
    cat "$work/said" >&2
    exit 1
fi
for ((i = 0; i < rounds; i++)); do
    echo "$(cpu_seconds "$build/intrinsic" rate --quiet "$work/evals.pgn") $(cpu_seconds pgn-extract -s -r "$work/evals.pgn")"
done >"$work/seconds"
median() { cut -d' ' -f"$1" "$work/seconds" | sort -n | sed -n "$(((rounds + 1) / 2))p"; }
awk -v games=$games -v ours="$(median 1)" -v theirs="$(median 2)" 'BEGIN {
    printf "| rating %d games by the evaluations in their file, games/s | %.0f | `pgn-extract -s -r` reading it | %.0f | %.2f |\n",
        games, games / ours, games / theirs, theirs / ours }'
