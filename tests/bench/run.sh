#!/bin/bash
# run.sh BUILD_DIR - speed, each figure as a ratio to something run beside it. Prints the table
# that stands in the README. Runs inside tests/support/with_pg.sh.
set -eu
cd "$(dirname "$0")/../.."
build=${1:?usage: run.sh BUILD_DIR}
pairs=${BENCH_PAIRS:-3}
work=$(mktemp -d)
service=''
cleanup() {
    [ -z "$service" ] || kill "$service" 2>/dev/null || true
    rm -rf "$work"
}
trap cleanup EXIT

intrinsic=$build/intrinsic
cores=$(nproc)
base=${INTRINSIC_TEST_PG:?run it by make bench}
export PATH=$PATH:/usr/games

database() { # NAME: an empty, migrated one
    PGOPTIONS='-c client_min_messages=warning' psql -X -q -d "$base" -c "DROP DATABASE IF EXISTS $1 WITH (FORCE)" -c "CREATE DATABASE $1"
    DATABASE_URL="$(sed 's/\bdbname=[^ ]*//' <<<"$base") dbname=$1"
    export DATABASE_URL
    "$intrinsic" migrate >/dev/null
}

# Judged turns/s of the product: from the start of the service to the last commit.
product() {
    local begin end
    database bench
    "$intrinsic" import --analyse "$work/games.pgn" >/dev/null 2>&1
    begin=$(date +%s.%N)
    INTRINSIC_LISTEN=127.0.0.1:0 INTRINSIC_WORKERS=$cores INTRINSIC_LOG=warn "$intrinsic" serve >/dev/null &
    service=$!
    while [ "$(psql -X -qAt -d "$DATABASE_URL" -c 'SELECT count(*) FROM job')" != 0 ]; do sleep 0.5; done
    kill "$service"
    wait "$service" || true
    service=''
    end=$(psql -X -qAt -d "$DATABASE_URL" -c 'SELECT extract(epoch FROM max(finished)) FROM judged_side')
    "$intrinsic" export >"$work/judged.ndjson"
    awk -v b="$begin" -v e="$end" -v n="$(psql -X -qAt -d "$DATABASE_URL" -c 'SELECT count(*) FROM turn')" \
        'BEGIN { printf "%.3f\n", n / (e - b) }'
}

script() { # the same turns, from the start of the script to the last best move
    node tests/bench/bare_stockfish.mjs "$cores" "$work/judged.ndjson" |
        sed -n 's/.*"rate":\([0-9.]*\).*/\1/p'
}

median() { sort -n | awk '{ v[NR] = $1 } END { print (NR % 2) ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }

judging() {
    local i p s
    zstdcat static/samples/world_championships_1886-1985.pgn.zst | awk '
        /^\[Event /{ keep = /World Championship 28th/ && n++ < 4 } keep' >"$work/games.pgn"
    for ((i = 0; i < pairs; i++)); do
        p=$(product) s=$(script)
        echo "$p $s" >>"$work/judging"
        echo "  pair $((i + 1)): product $p, script $s turns/s" >&2
    done
    printf '| judged turns per second, standard judge, %s workers | %.2f | %s bare Stockfish processes, same searches | %.2f | %.3f |\n' \
        "$cores" "$(cut -d' ' -f1 "$work/judging" | median)" "$cores" \
        "$(cut -d' ' -f2 "$work/judging" | median)" \
        "$(awk '{ print $1 / $2 }' "$work/judging" | median)"
}

echo "| what | ours | beside it | its figure | ratio |"
echo "| --- | ---: | --- | ---: | ---: |"
judging
tests/bench/reading.sh "$build"
tests/bench/importing.sh "$build"
tests/bench/perft.sh "$build/tests/bench/bench_perft"
tests/bench/covariance.sh "$build/tests/bench/bench_covariance"
