#!/bin/bash
# Answers over HTTP: warm ones beside nginx, which serves a file of the same size, by wrk with 64
# connections in the same run; 304; cold ones; the same requests at a hundred times the games; and
# exports. Rows of the bench's table, each with its goal. Runs inside tests/support/with_pg.sh.
# Usage: serving.sh BUILD_DIR [GAMES [SECONDS]]: GAMES beside the samples (0: only the first rows),
# SECONDS a measurement. A million games take a quarter of an hour.
set -eu
cd "$(dirname "$0")/../.."
build=$(realpath "${1:?usage: serving.sh BUILD_DIR [GAMES [SECONDS]]}")
games=${2:-1000000}
seconds=${3:-5}
base=${INTRINSIC_TEST_PG:?run it by make bench}
shared=${IPR_SHARED:-../shared}
export LC_ALL=C
work=$(mktemp -d)
chmod 755 "$work"
nginx_port=0 port=0 cache_mb=64
# Within a subshell, too: its number is in a file.
stop_service() {
    [ -s "$work/service.pid" ] || return 0
    kill "$(cat "$work/service.pid")" 2>/dev/null || true
    while kill -0 "$(cat "$work/service.pid")" 2>/dev/null; do sleep 0.05; done
    rm -f "$work/service.pid"
}
cleanup() {
    stop_service
    [ ! -s "$work/nginx.pid" ] || kill "$(cat "$work/nginx.pid")" 2>/dev/null || true
    rm -rf "$work"
}
trap cleanup EXIT

free_port() {
    python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

database() { # NAME: an empty one, with the samples in it
    PGOPTIONS='-c client_min_messages=warning' psql -X -q -d "$base" \
        -c "DROP DATABASE IF EXISTS $1 WITH (FORCE)" -c "CREATE DATABASE $1"
    DATABASE_URL="$(sed 's/\bdbname=[^ ]*//' <<<"$base") dbname=$1"
    export DATABASE_URL
    setup/prepare.sh "$build/intrinsic" >/dev/null 2>&1
}

serve() {
    stop_service
    port=$(free_port)
    INTRINSIC_LOG=warn INTRINSIC_WORKERS=0 INTRINSIC_RATE_LIMIT=0 INTRINSIC_CACHE_MB=$cache_mb \
        "$build/intrinsic" serve --listen="127.0.0.1:$port" \
        >"$work/serve.log" 2>&1 &
    echo $! >"$work/service.pid"
    for _ in $(seq 100); do
        curl -s -o /dev/null "http://127.0.0.1:$port/ready" && return
        sleep 0.1
    done
    cat "$work/serve.log" >&2
    exit 1
}

start_nginx() {
    nginx_port=$(free_port)
    cat >"$work/nginx.conf" <<EOF
worker_processes 2;
pid $work/nginx.pid;
error_log $work/nginx.err;
events { worker_connections 1024; }
http {
    access_log off;
    keepalive_requests 100000000;
    client_body_temp_path $work;
    proxy_temp_path $work;
    fastcgi_temp_path $work;
    uwsgi_temp_path $work;
    scgi_temp_path $work;
    server { listen 127.0.0.1:$nginx_port; root $work/files; }
}
EOF
    mkdir -p "$work/files"
    nginx -c "$work/nginx.conf" -e "$work/nginx.err"
}

# Requests a second and the 99th percentile in ms.
load() { # URL
    wrk -t2 -c64 -d"${seconds}s" --latency "$1" | awk '
        $1 == "99%" { ms = $2 ~ /us$/ ? $2 / 1000 : $2 ~ /ms$/ ? $2 + 0 : $2 * 1000 }
        $1 == "Requests/sec:" { rate = $2 }
        /Non-2xx/ { bad = 1 }
        END { printf "%d %.2f %s\n", rate, ms, bad ? "bad" : "ok" }'
}

warm() { # NAME PATH
    local ours theirs
    curl -s "http://127.0.0.1:$port$2" -o "$work/files/$1"
    load "http://127.0.0.1:$port$2" >/dev/null # the service is just started
    ours=$(load "http://127.0.0.1:$port$2")
    theirs=$(load "http://127.0.0.1:$nginx_port/$1")
    awk -v what="$2" -v ours="$ours" -v theirs="$theirs" 'BEGIN {
        split(ours, o); split(theirs, t)
        if (o[3] != "ok") what = what " (NOT ALL 200)"
        printf "| warm `%s`, requests/s (goal 0.5 of it) | %d | nginx, a file of the same size | %d | %.2f |\n", what, o[1], t[1], o[1] / t[1]
        printf "| the same, 99th percentile, ms (limit 10) | %.2f | nginx | %.2f | %.2f |\n", o[2], t[2], o[2] / t[2]
    }'
}

# Median of 20, in ms.
median() { # CURL ARGUMENTS…
    for _ in $(seq 20); do
        curl -s -o /dev/null -w '%{time_total}\n' "$@"
    done | sort -n | awk '{ t[NR] = $1 } END { printf "%.2f\n", 1000 * t[int((NR + 1) / 2)] }'
}

row() { # WHAT MS LIMIT
    awk -v w="$1" -v ms="$2" -v l="$3" \
        'BEGIN { printf "| %s, ms | %.2f | limit | %s | %.2f |\n", w, ms, l, ms / l }'
}

not_modified() { # PATH
    local tag
    tag=$(curl -s -D - -o /dev/null "http://127.0.0.1:$port$1" | awk 'tolower($1) == "etag:" { print $2 }' | tr -d '\r')
    row "304 of \`$1\`" "$(median -H "If-None-Match: $tag" "http://127.0.0.1:$port$1")" 1
}

# One after a write to something else, so that versions are looked up and nothing is cached.
cold() { # WHAT PATH LIMIT [QUERY THAT DIFFERS]
    local n=0
    row "$1" "$(for _ in $(seq 20); do
        n=$((n + 1))
        curl -s -o /dev/null -w '%{time_total}\n' "http://127.0.0.1:$port$2${4:-}$n"
    done | sort -n | awk '{ t[NR] = $1 } END { print 1000 * t[int((NR + 1) / 2)] }')" "$3"
}

fischer='' other=''
find_players() {
    fischer=$(curl -s "http://127.0.0.1:$port/api/v1/players.csv?q=fischer&fields=id&limit=1" | tail -1 | tr -d '\r')
    other=$(curl -s "http://127.0.0.1:$port/api/v1/players.csv?q=kasparov&fields=id&limit=1" | tail -1 | tr -d '\r')
}

database bench_serving
serve
start_nginx
find_players
warm ratings "/api/v1/players/$fischer/ratings?year=1972"
warm predictions "/api/v1/predictions?white=$fischer:1972&black=$other:1984"
warm page "/players/$fischer/1972"
warm compare "/compare?white=$fischer:1972&black=$other:1984"
not_modified "/api/v1/players/$fischer/ratings?year=1972"
cold 'cold head-to-head by Markov with 4,000 replicates' \
    "/api/v1/predictions?white=$fischer:1972&black=$other:1984&method=markov&replicates=4000&seed=" 50
[ "$games" -gt 0 ] || exit 0

# Games beside the samples, and three judged sides for ten of them, as far as there are.
real=(static/samples/world_championships_1886-1985.pgn.zst)
[ ! -d "$shared/data/champions" ] || real+=("$shared"/data/champions/*.pgn.zst)
number() { psql -X -qAt -d "$DATABASE_URL" -c "$1"; }
add_games() { # GAMES
    zstdcat "${real[@]}" | "$build/tests/bench/make_games" "$1" >"$work/many.pgn"
    "$build/intrinsic" import --quiet "$work/many.pgn" >/dev/null 2>&1 || true # some games are refused
    rm "$work/many.pgn"
    psql -X -q -d "$DATABASE_URL" -v copied=$(($1 / 200)) -v other=$(($1 * 29 / 200)) \
        -f tests/bench/judged_sides.sql >/dev/null
    psql -X -q -d "$DATABASE_URL" -c 'VACUUM ANALYZE'
    serve # which counts the games of uploads
    for _ in $(seq 600); do
        [ "$(number 'SELECT count(*) FROM upload WHERE count_after IS NOT NULL')" != 0 ] || break
        sleep 0.5
    done
}

# The same requests at both sizes. A search has as many rows as fit, so it is there with one row, too.
lists=('/' '/players' '/api/v1/players' '/api/v1/players?q=fischer&limit=1'
    '/api/v1/players?q=fischer' '/api/v1/players?q=an' '/players?q=fischer' '/api/v1/events'
    '/api/v1/games' '/api/v1/player-years' '/api/v1/player-years?sort=-rating'
    '/api/v1/players?sort=-rating' '/api/v1/uploads'
    '/uploads/UPLOAD' '/players/doubtful' '/compare' "/compare?white=$fischer:1972&black=$other:1984"
    "/api/v1/predictions?white=$fischer:1972&black=$other:1984" "/api/v1/players/$fischer"
    "/players/$fischer/1972" "/api/v1/players/$fischer/ratings?year=1972")
# Without the answer cache every answer is computed; the first ones prepare the queries.
cold_list() { # PATH, in ms
    local path=${1/UPLOAD/$(number 'SELECT max(id) FROM upload')}
    median "http://127.0.0.1:$port$path" >/dev/null
    median "http://127.0.0.1:$port$path"
}
cache_mb=0
add_games $((games / 100))
few=()
for path in "${lists[@]}"; do few+=("$(cold_list "$path")"); done
small=$(number 'SELECT count(*) FROM game')
database bench_serving
add_games "$games"
all=$(number 'SELECT count(*) FROM game') sides=$(number 'SELECT count(*) FROM judged_side')
for i in "${!lists[@]}"; do
    many=$(cold_list "${lists[$i]}")
    [ "${lists[$i]}" != / ] || row "\`/\` beside $all games and $sides judged sides, computed" "$many" 20
    awk -v p="${lists[$i]}" -v few="${few[$i]}" -v many="$many" -v n="$all" -v s="$small" 'BEGIN {
        printf "| `%s` beside %d games, computed, ms (goal 1.2) | %.2f | beside %d games | %.2f | %.2f |\n", p, n, many, s, few, many / few }'
done

# Exports beside the same rows by COPY, and the memory of the service before and after.
resident() { awk '/VmRSS/ { printf "%.0f", $2 / 1024 }' "/proc/$(cat "$work/service.pid")/status"; }
seconds() { # COMMAND…: its seconds and the bytes it writes
    local begun=$EPOCHREALTIME n
    n=$("$@" | wc -c)
    awk -v a="$begun" -v b="$EPOCHREALTIME" -v n="$n" 'BEGIN { printf "%.3f %d\n", b - a, n }'
}
export_row() { # WHAT PATH QUERY
    local before ours theirs
    serve
    curl -s -o /dev/null "http://127.0.0.1:$port/api/v1/games.ndjson?limit=500"
    before=$(resident)
    ours=$(seconds curl -s "http://127.0.0.1:$port$2")
    theirs=$(seconds psql -X -q -d "$DATABASE_URL" -c 'SET jit = off' -c "COPY ($3) TO STDOUT")
    awk -v w="$1" -v ours="$ours" -v theirs="$theirs" -v before="$before" -v after="$(resident)" 'BEGIN {
        split(ours, o); split(theirs, t)
        printf "| export of %s, %.0f MB, MB/s (goal 1) | %.1f | `COPY` of the same rows, %.0f MB | %.1f | %.2f |\n", w, o[2] / 1e6, o[2] / 1e6 / o[1], t[2] / 1e6, t[2] / 1e6 / t[1], o[2] / o[1] / (t[2] / t[1])
        printf "| resident memory after it, MiB (goal: flat) | %d | before it | %d | %.2f |\n", after, before, after / before }'
}
# The first years that have so many games, or all of them.
years_with() { # GAMES CONDITION
    number "SELECT coalesce(min(year) FILTER (WHERE n >= $1), max(year))
        FROM (SELECT year, sum(count(*)) OVER (ORDER BY year) AS n FROM game
            WHERE year > 0 AND $2 GROUP BY year) AS y"
}
to=$(years_with 100000 true)
to_judged=$(years_with 1000 'id IN (SELECT game_id FROM side_turns)')
export_row 'about 100,000 games' "/api/v1/games.ndjson?sort=id&to=$to" "
    SELECT row_to_json(r)
    FROM (
        SELECT g.id, w.id AS white_id, w.name AS white, g.white_elo, b.id AS black_id,
            b.name AS black, g.black_elo, g.result, e.name AS event, g.event_id, g.round, g.date,
            g.year, g.time_class, g.plies,
            ARRAY(SELECT DISTINCT j.name FROM judged_side AS s INNER JOIN judge AS j
                ON j.id = s.judge_id WHERE s.game_id = g.id) AS judged_by
        FROM game AS g
        INNER JOIN player AS i ON i.id = g.white_id
        INNER JOIN player AS w ON w.id = coalesce(i.merged_into, i.id)
        INNER JOIN player AS k ON k.id = g.black_id
        INNER JOIN player AS b ON b.id = coalesce(k.merged_into, k.id)
        INNER JOIN event AS e ON e.id = g.event_id
        WHERE g.year BETWEEN 1 AND $to
        ORDER BY g.id
    ) AS r"
export_row 'evaluations of the first years' "/api/v1/evaluations.ndjson?to=$to_judged" "
    SELECT t.*
    FROM game AS g
    INNER JOIN side_turns AS t ON t.game_id = g.id AND t.judge_id = 1
    WHERE g.year BETWEEN 1 AND $to_judged
    ORDER BY t.game_id, t.colour"
