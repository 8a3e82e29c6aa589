#!/bin/bash
# What judging costs beside the engine; rows of the bench's table. Runs inside
# tests/support/with_pg.sh. Usage: judging.sh BUILD_DIR [PART…], parts: rate confirming start
# memory stages
#
#   rate    judged turns/s of `intrinsic worker`, from its start to the last commit, with 1 worker
#           and with 2, beside the same searches sent to as many bare Stockfish processes by a
#           script, from its start to the last best move. Pairs by turns, since machines are noisy;
#           the ratio is the median of the pairs'.
#   confirming  the same with the setting of the rating and one worker, while confirmations of other
#           games wait behind
#   start   from the start of `intrinsic worker` to the first judged game in the database
#   memory  resident memory of `intrinsic worker` itself, by workers, while they judge
#   stages  what a turn costs the judges `narrow` and `standard`
set -eu
cd "$(dirname "$0")/../.."
build=${1:?usage: judging.sh BUILD_DIR [PART...]}
shift
pairs=${BENCH_PAIRS:-3}
work=$(mktemp -d)
worker=''
stop_worker() {
    [ -z "$worker" ] || kill "$worker" 2>/dev/null || true
    [ -z "$worker" ] || wait "$worker" || true
    worker=''
}
cleanup() {
    stop_worker
    rm -rf "$work"
}
trap cleanup EXIT

intrinsic=$build/intrinsic
base=${INTRINSIC_TEST_PG:?run it by make bench}
export PATH=$PATH:/usr/games LC_ALL=C INTRINSIC_LOG=warn

ask() { psql -X -qAt -d "$DATABASE_URL" -c "$1"; }
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.3f", a / b }'; }
median() { sort -n | awk '{ v[NR] = $1 } END { print (NR % 2) ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }
column() { cut -d ' ' -f "$2" "$1" | median; }

# Games of the match of 1972, a third of a minute each (one, the second, has no moves).
games() { # NUMBER
    zstdcat static/samples/world_championships_1886-1985.pgn.zst | awk -v number="$1" '
        /^\[Event /{ keep = /World Championship 28th/ && n++ < number } keep' >"$work/games.pgn"
}

# An empty database with the games queued.
queue() { # JUDGE
    PGOPTIONS='-c client_min_messages=warning' psql -X -q -d "$base" \
        -c 'DROP DATABASE IF EXISTS bench WITH (FORCE)' -c 'CREATE DATABASE bench'
    DATABASE_URL="$(sed 's/\bdbname=[^ ]*//' <<<"$base") dbname=bench"
    export DATABASE_URL
    "$intrinsic" migrate >/dev/null
    "$intrinsic" import --analyse --judge="$1" "$work/games.pgn" >/dev/null
}

start_worker() { # WORKERS
    INTRINSIC_WORKERS=$1 "$intrinsic" worker &
    worker=$!
}

emptied() { while [ "$(ask "SELECT count(*) FROM job WHERE kind = 'judge'")" != 0 ]; do sleep 1; done; }

since() { # BEGIN: seconds from then to the last commit
    ask "SELECT round(extract(epoch FROM max(finished)) - $1, 4) FROM judged_side"
}

# Judged turns/s; leaves the judged games behind.
product() { # WORKERS JUDGE [CONFIRMED: games whose confirmations wait]
    local begin
    queue "$2"
    if [ -n "${3-}" ]; then
        "$intrinsic" import --confirm "$3" >/dev/null
        [ "$(ask "SELECT count(*) FROM job WHERE kind = 'confirm'")" -gt 0 ]
    fi
    begin=$(date +%s.%N)
    start_worker "$1"
    emptied
    stop_worker
    [ -n "${3-}" ] || "$intrinsic" export --judge="$2" >"$work/judged.ndjson"
    awk -v s="$(since "$begin")" -v n="$(ask "SELECT sum(turns) FROM judged_side WHERE source <> 'import'")" 'BEGIN { printf "%.4f\n", n / s }'
}

script() { # PROCESSES: the same searches
    node tests/bench/bare_stockfish.mjs "$1" "$work/judged.ndjson" |
        sed -n 's/.*"rate":\([0-9.]*\).*/\1/p'
}

beside_script() { # WORKERS JUDGE WHAT [CONFIRMED]
    local n=$1 judge=$2 i p s
    : >"$work/pairs"
    product "$n" "$judge" >/dev/null # the searches the script is to repeat
    for ((i = 0; i < pairs; i++)); do
        # Either goes first as often, should the machine get faster or slower.
        if ((i % 2)); then
            p=$(product "$n" "$judge" "${4-}") s=$(script "$n")
        else
            s=$(script "$n") p=$(product "$n" "$judge" "${4-}")
        fi
        echo "$p $s $(ratio "$p" "$s")" >>"$work/pairs"
        echo "  $n workers, pair $((i + 1)): product $p, script $s turns/s" >&2
    done
    printf '| judged turns/s, %s judge, %s worker(s)%s | %.2f | as many bare Stockfish processes, same searches | %.2f | %.3f |\n' \
        "$judge" "$n" "$3" "$(column "$work/pairs" 1)" "$(column "$work/pairs" 2)" "$(column "$work/pairs" 3)"
}

rate() {
    local n
    for n in ${BENCH_WORKERS:-1 2}; do
        games $((3 * n))
        beside_script "$n" standard ''
    done
}

# Sample games of other events, as if nothing of them were confirmed.
confirming() {
    games "${BENCH_RATED:-12}"
    zstdcat static/samples/rating.ndjson.zst | grep -v 'World Championship 28th' | head -n 20 |
        node -e 'for (const line of require("fs").readFileSync(0, "utf8").trim().split("\n"))
            console.log(JSON.stringify({ ...JSON.parse(line), confirmed: undefined }));' >"$work/confirmed.ndjson"
    INTRINSIC_CONFIRM_NODES=2000000 beside_script 1 rating ', confirmations waiting' "$work/confirmed.ndjson"
}

start() {
    local i begin
    printf '[White "A"]\n[Black "B"]\n[Date "2020.01.01"]\n[Result "*"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 *\n' >"$work/games.pgn"
    for ((i = 0; i < pairs; i++)); do
        queue standard
        begin=$(date +%s.%N)
        start_worker 1
        emptied
        stop_worker
        since "$begin" >>"$work/start"
    done
    printf '| start of `intrinsic worker` to the first judged game (of one turn), s | %.2f | limit | 1.00 | %.2f |\n' \
        "$(median <"$work/start")" "$(median <"$work/start")"
}

memory() {
    local n kb
    games 24
    for n in 1 2 8; do
        queue quick
        start_worker "$n"
        while [ "$(ask "SELECT count(*) FROM judged_side")" -lt $((2 * n)) ]; do sleep 0.2; done
        kb=$(sed -n 's/^VmHWM:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$worker/status")
        stop_worker
        awk -v n="$n" -v kb="$kb" 'BEGIN { printf "| resident memory of `intrinsic worker` beside its engines, %d worker(s), MiB a worker | %.1f | limit | 8.0 | %.2f |\n", n, kb / 1024 / n, kb / 1024 / n / 8 }'
    done
}

stages() {
    local narrow wide
    games 2
    narrow=$(product 1 narrow) wide=$(product 1 standard)
    awk -v n="$narrow" -v w="$wide" 'BEGIN { printf "| engine time a turn, judge narrow, ms | %.0f | judge standard | %.0f | %.3f |\n", 1000 / n, 1000 / w, w / n }'
}

[ $# -gt 0 ] || set -- rate confirming start memory stages
for part in "$@"; do
    case $part in
    rate | confirming | start | memory | stages) "$part" ;;
    *) echo "judging.sh: no part $part" >&2; exit 2 ;;
    esac
done
