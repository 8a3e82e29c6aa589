#!/bin/bash
# A large database on disk, and what is slow in it: the figures of docs/scaling.md. In a PostgreSQL of
# its own in DIR, at nice 19. Each step goes on where it was interrupted.
# Usage: large.sh BUILD_DIR DIR load GAMES   games of the samples and of ../shared/data again and again,
#                                            with players, events and years of their own, and ten
#                                            analysed moves a game; 20 rounds of them a transaction
#        large.sh BUILD_DIR DIR index        what `load` has dropped; seconds and size of each
#        large.sh BUILD_DIR DIR measure      rows of the table
#        large.sh BUILD_DIR DIR drop         stops the server and deletes DIR
set -eu
cd "$(dirname "$0")/../.."
root=$PWD
build=$(realpath "${1:?usage: large.sh BUILD_DIR DIR load GAMES|index|measure|drop}")
dir=$(realpath -m "${2:?usage: large.sh BUILD_DIR DIR load GAMES|index|measure|drop}")
step=${3:?usage: large.sh BUILD_DIR DIR load GAMES|index|measure|drop}
shared=${IPR_SHARED:-../shared}
export LC_ALL=C
mkdir -p "$dir"
chmod 755 "$dir" # the server may run as another user
cluster() { (cd "$dir" && nice -n 19 sh "$root/sql/cluster.sh" "$1"); }
cluster start >&2
DATABASE_URL=$(cluster url)
export DATABASE_URL
ask() { psql -X -qAt -v ON_ERROR_STOP=1 -d "$DATABASE_URL" "$@"; }
seconds() { # COMMAND…
    local begun=$EPOCHREALTIME
    "$@" >/dev/null
    awk -v a="$begun" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.2f", b - a }'
}

# About 10,000 real games, one in six of them analysed.
base() {
    SAMPLES=standard setup/prepare.sh "$build/intrinsic" >&2
    "$build/intrinsic" import --quiet static/samples/rating.ndjson.zst \
        "$shared"/data/rating/*.ndjson.zst >&2
    for player in Anand Carlsen Kasparov Fischer Lasker Tal; do
        "$build/intrinsic" import --quiet "$shared/data/champions/$player.pgn.zst" >&2 || true # some are refused
    done
    ask -f tests/bench/large_base.sql
}

load() { # GAMES
    local at to rounds
    [ -n "$(ask -c "SELECT to_regclass('large_base')")" ] || base
    ask -f tests/bench/large_indexes.sql
    at=$(ask -c 'SELECT rounds FROM large_base')
    rounds=$(ask -c "SELECT ceil($1 / games::float) - 1 FROM large_base")
    while [ "$at" -lt "$rounds" ]; do
        to=$((at + 20 < rounds ? at + 20 : rounds))
        ask -v first=$((at + 1)) -v last="$to" -f tests/bench/large.sql
        at=$to
        echo "round $at of $rounds" >&2
    done
}

index() {
    local name
    while read -r name; do
        printf '%s: %s s, ' "$name" "$(seconds ask -c "SET maintenance_work_mem = '7GB'" \
            -c "$(ask -c "SELECT definition FROM large_index WHERE name = '$name'")")"
        ask -c "SELECT pg_size_pretty(pg_relation_size('$name'))"
    done < <(ask -c 'SELECT name FROM large_index WHERE to_regclass(name) IS NULL ORDER BY name')
    echo "VACUUM ANALYZE: $(seconds ask -c 'VACUUM ANALYZE') s"
}

service=''
stop_service() {
    [ -z "$service" ] || kill "$service" 2>/dev/null || true
    [ -z "$service" ] || wait "$service" || true
    service=''
}
serve() {
    local port
    port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
    INTRINSIC_LOG=warn INTRINSIC_WORKERS=0 INTRINSIC_RATE_LIMIT=0 INTRINSIC_CACHE_MB=0 \
        "$build/intrinsic" serve --listen="127.0.0.1:$port" &
    service=$!
    trap stop_service EXIT
    at=http://127.0.0.1:$port
    for _ in $(seq 100); do
        curl -s -o /dev/null "$at/ready" && return
        sleep 0.1
    done
    echo 'large.sh: the service does not answer' >&2
    exit 1
}

# The first answer, and the median of the next nine, in ms.
answers() { # PATH
    local i
    for i in $(seq 10); do
        curl -s -o /dev/null -w '%{http_code} %{time_total}\n' "$at${1//SEED/$i}"
    done | awk -v p="$1" '
        $1 != 200 { bad = " (" $1 ")" }
        NR == 1 { first = $2 }
        NR > 1 { for (n = NR - 1; n > 1 && t[n - 1] > $2; n--) t[n] = t[n - 1]; t[n] = $2 }
        END { printf "%s%s: %.0f, then %.0f ms\n", p, bad, 1000 * first, 1000 * t[5] }'
}

pages() {
    local player other path
    player=$(ask -c "SELECT p.id FROM player AS p WHERE p.name LIKE 'Fischer, Robert%' ORDER BY id LIMIT 1")
    other=$(ask -c "SELECT p.id FROM player AS p WHERE p.name LIKE 'Kasparov, Gar%' ORDER BY id LIMIT 1")
    serve
    for path in / "/api/v1/predictions?white=$player:1972&black=$other:1984&seed=SEED" \
        "/api/v1/players/$player/ratings?year=1972" /api/v1/games /api/v1/events /api/v1/uploads \
        /api/v1/players '/api/v1/players?q=fischer' '/api/v1/players?q=an' /api/v1/player-years \
        '/api/v1/player-years?judge=rating&sort=-rating' /players/doubtful; do
        answers "$path"
    done
    stop_service
}

# Real games of players who are not there.
import_beside() {
    local s games
    zstdcat "$shared"/data/champions/{Spassky,Karpov,Kramnik,Topalov}.pgn.zst |
        sed 's/^\[\(White\|Black\) "/&New /' >"$dir/new.pgn"
    games=$(grep -c '^\[Event ' "$dir/new.pgn")
    s=$(seconds "$build/intrinsic" import --quiet "$dir/new.pgn")
    awk -v n="$games" -v s="$s" 'BEGIN { printf "import of %d games: %.0f games/s\n", n, n / s }'
    rm "$dir/new.pgn"
}

measure() {
    ask -F ': ' -c "SELECT relname, pg_size_pretty(pg_total_relation_size(oid)), pg_size_pretty(pg_relation_size(oid))
        FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
        ORDER BY pg_total_relation_size(oid) DESC LIMIT 10"
    pages
    import_beside
}

drop() {
    cluster stop
    rm -rf "$dir"
}

case $step in
load) load "${4:?how many games}" ;;
index | measure | drop) "$step" ;;
*) echo "large.sh: no step $step" >&2; exit 2 ;;
esac
