#!/bin/sh
# Move generation speed beside Stockfish's, on this machine, in this run: the same positions to
# the same depths; rows of the bench's table. Usage: perft.sh BENCH_PERFT [FOLDER WITH standard.epd AND fischer.epd]
set -eu

bench=$1
suites=${2:-../shared/data/perft}
stockfish=${STOCKFISH:-/usr/games/stockfish}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# CPU seconds (user and system) of a command that reads its input from $work/in.
cpu_seconds() {
    bash -c 'TIMEFORMAT="%U %S"; time "$0" < "$1" > "$2"' "$1" "$work/in" "$work/out" \
        2>&1 | awk 'END { print $1 + $2 }'
}

# Stockfish on the positions of $work/ours; prints its CPU seconds without its start-up.
# Counts are left in $work/theirs.
run_stockfish() {
    printf 'isready\nquit\n' > "$work/in"
    start=$(cpu_seconds "$stockfish")
    {
        echo "setoption name UCI_Chess960 value true"
        awk -F'\t' '{ print "position fen " $4; print "go perft " $3 }' "$work/ours"
        echo quit
    } > "$work/in"
    all=$(cpu_seconds "$stockfish")
    awk '/^Nodes searched/ { print $3 }' "$work/out" > "$work/theirs"
    echo "$all $start" | awk '{ print $1 - $2 }'
}

status=0
for suite in "standard 200000000" "fischer 1000000"; do
    name=${suite% *}
    limit=${suite#* }
    if [ ! -r "$suites/$name.epd" ]; then
        echo "skipped: $suites/$name.epd is absent"
        continue
    fi
    "$bench" "$limit" list < "$suites/$name.epd" > "$work/ours" 2> "$work/sum" || status=1
    grep '^WRONG' "$work/ours" || true
    if [ ! -x "$stockfish" ]; then
        echo "skipped: no Stockfish to compare $name with"
        continue
    fi
    theirs=$(run_stockfish)
    # Stockfish counts the last ply without playing it; so does "generated", and "played" does not.
    awk -F'\t' -v name="$name" -v theirs="$theirs" '
        function row(what, s) {
            printf "| perft, %s.epd, %.0f M nodes, %s, M nodes/s | %.0f | Stockfish, `go perft` | %.0f | %.2f |\n",
                name, $1 / 1e6, what, $1 / s / 1e6, $1 / theirs / 1e6, theirs / s
        }
        { row("last ply generated", $2); row("every move played", $3) }' "$work/sum"
    cut -f1 "$work/ours" | cmp - "$work/theirs" || status=1
done
exit $status
