#!/bin/bash
# check.sh - what must hold of the composed service, tried on one that is up: run it in
# the root of the project after `docker compose -f docker/compose.yml up -d`, with INTRINSIC_UPLOADS=listed. It adds games and a
# token, kills a worker, and takes everything down and up again (volumes stay). Prints each result;
# the exit status is 0 when all checks passed. Waits up to WAIT seconds (300) for each thing.
set -eu
cd "$(dirname "$0")/.."
export COMPOSE_FILE=${COMPOSE_FILE:-$PWD/docker/compose.yml}
export INTRINSIC_UPLOADS=listed # the lists are looked at
base=http://${PUBLISH:-127.0.0.1:8080}
wait_s=${WAIT:-300}

if docker compose version >/dev/null 2>&1; then compose='docker compose'; else compose=docker-compose; fi
if docker version >/dev/null 2>&1; then runtime=docker; else runtime=podman; fi

saw() { printf 'check: %s\n' "$*"; }
fail() {
    saw "FAILED: $*" >&2
    exit 1
}

# until_true WHAT COMMAND…: repeats the command until it succeeds.
until_true() {
    local what=$1 end=$((SECONDS + wait_s))
    shift
    until "$@"; do
        [ "$SECONDS" -lt "$end" ] || fail "$what: not within $wait_s s"
        sleep 1
    done
    saw "$what"
}

get() { curl -sS -f --max-time 20 "$base$1" 2>/dev/null; }
ready() { get /ready >/dev/null; }

# number NAME: the first figure of that name in the JSON on standard input.
number() { grep -o "\"$1\":[0-9]*" | head -1 | cut -d: -f2; }
of_upload() { get "/api/v1/uploads/$1" | number "$2"; }
at_least() { # UPLOAD NAME N
    local n
    n=$(of_upload "$1" "$2") && [ "${n:-0}" -ge "$3" ]
}

# game ROUND MOVES: one game of PGN.
game() {
    printf '[Event "Check of the containers"]\n[Date "2001.01.01"]\n[Round "%s"]\n' "$1"
    printf '[White "Ada, A"]\n[Black "Bo, B"]\n[Result "1/2-1/2"]\n\n%s 1/2-1/2\n\n' "$2"
}
opening='1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O'
short_games() {
    game 1 "$opening 9. h3 Na5 10. Bc2 c5 11. d4 Qc7"
    game 2 "$opening 9. h3 Nb8 10. d4 Nbd7 11. Nbd2 Bb7"
    game 3 "$opening 9. d4 Bg4 10. Be3 exd4 11. cxd4 Na5"
}
long_games() {
    local to_and_fro='13. Bc2 Re8 14. Nf1 Bf8 15. Ng3 g6 16. a4 c5 17. d5 Nb6 18. Qe2 Nxa4 19. Bxa4 bxa4'
    game 4 "$opening 9. h3 Nb8 10. d4 Nbd7 11. Nbd2 Bb7 12. a3 h6 $to_and_fro"
    game 5 "$opening 9. h3 Nb8 10. d4 Nbd7 11. Nbd2 Bb7 12. Kh2 h6 $to_and_fro 20. Rxa4"
    game 6 "$opening 9. h3 Nb8 10. d4 Nbd7 11. Nbd2 Bb7 12. Rb1 h6 $to_and_fro 20. Ra1"
    game 7 "$opening 9. h3 Nb8 10. d4 Nbd7 11. Nbd2 Bb7 12. Nb1 h6 13. Nbd2 Re8 14. a4 c6"
}

# upload TOKEN QUERY: sends standard input, prints the number of the upload, all of which was taken.
upload() {
    local answer
    answer=$(curl -sS -f --max-time 60 -H "Authorization: Bearer $1" --data-binary @- \
        "$base/api/v1/uploads?$2") || fail "the upload was refused"
    [ "$(number rejected <<<"$answer")" = 0 ] || fail "games were refused: $answer"
    number id <<<"$answer"
}

in_app() { $compose exec -T app "$@"; }
workers() { $compose ps -q worker; }

# ---- up ----

until_true "the service is ready at $base" ready
get / | grep -q '<title>' || fail "no dashboard"
saw "the dashboard is served"
# awk reads all of it: the sender of a pipe that closes early would fail.
get /api/v1/players?q=fischer | awk '/Fischer, Robert J/ { seen = 1 } END { exit !seen }' ||
    fail "no samples"
saw "the samples are there"
fischer=$(get /api/v1/players?q=fischer,robert | sed 's/.*"players":\[{"id":\([0-9]*\).*/\1/')
has_elo() { get "/api/v1/elo?player=$fischer" | awk '/"history":\[{/ { seen = 1 } END { exit !seen }'; }
until_true "the ratings of FIDE are there" has_elo
[ "$(in_app id -u | tr -d '\r')" != 0 ] || fail "the service runs as root"
[ "$(in_app cat /proc/1/comm | tr -d '\r')" = tini ] || fail "no init that reaps"
! in_app sh -c 'command -v gcc || command -v make' >/dev/null || fail "build tools in the image"
! in_app sh -c 'echo >/usr/local/share/intrinsic/x' 2>/dev/null || fail "the image can be written"
size=$($runtime image inspect --format '{{.Size}}' intrinsic | head -1)
[ "$size" -le 250000000 ] || fail "the image has $((size / 1000000)) MB"
saw "the image has $((size / 1000000)) MB"
saw "not root, an init that reaps, no build tools, nothing to write to"

# ---- a judged game ----

status=$(short_games | curl -sS -o /dev/null -w '%{http_code}' --data-binary @- \
    "$base/api/v1/uploads?judge=quick")
[ "$status" = 401 ] || fail "an upload without a token was answered $status, not 401"
saw "an upload without a token is refused"
name=check-$$-$(date +%s)
token=$(in_app intrinsic token create "$name" | tr -d '\r' | tail -1)
first=$(short_games | upload "$token" 'judge=quick&priority=1')
[ "$first" -lt 1000000000 ] || fail "uploads are private: start the services with INTRINSIC_UPLOADS=listed"
saw "upload $first: three games"
until_true "upload $first: a game is judged" at_least "$first" analysed 1

# ---- two workers, of which one is killed while both judge ----

export INTRINSIC_WORKERS=1
$compose up -d --no-build --scale worker=2 >/dev/null 2>&1 || fail "--scale worker=2"
[ "$(workers | wc -l)" = 2 ] || fail "not two workers"
saw "two workers, of one engine each"
until_true "upload $first: all three games are judged" at_least "$first" analysed 3
second=$(long_games | upload "$token" 'judge=standard&priority=1')
saw "upload $second: four games, at the standard judge"
until_true "upload $second: two of them are being judged" at_least "$second" running 2
victim=$(workers | head -1)
$runtime kill --signal KILL "$victim" >/dev/null || fail "cannot kill $victim"
saw "killed the worker ${victim:0:12}; judged by then: $(of_upload "$second" analysed) of 4"
until_true "upload $second: all four games are judged" at_least "$second" analysed 4
[ "$(of_upload "$second" failed)" = 0 ] || fail "games failed"

# ---- down and up ----

before=$(get "/api/v1/uploads/$second")
$compose down >/dev/null 2>&1 || fail "down"
! ready || fail "it answers when it is down"
saw "down"
$compose up -d --no-build >/dev/null 2>&1 || fail "up"
until_true "up again: the service is ready" ready
after=$(get "/api/v1/uploads/$second")
[ "$before" = "$after" ] || fail "upload $second was $before and is $after"
at_least "$first" analysed 3 || fail "upload $first is not what it was"
third=$(short_games | upload "$token" 'judge=quick')
[ "$(of_upload "$third" duplicate)" = 3 ] || fail "the games are not known any more"
saw "the games, their evaluations and the token are still there"

# ---- a backup is restored, as docs/containers.md says ----

in_postgres() { $compose exec -T postgres "$@"; }
in_postgres pg_dump -U intrinsic -Fc -O -x intrinsic >check.dump || fail "pg_dump"
fourth=$(game 8 "$opening 9. a4 b4" | upload "$token" 'judge=quick')
$compose stop app worker >/dev/null 2>&1 || fail "stop"
in_postgres createdb -U intrinsic restored &&
    in_postgres pg_restore -U intrinsic -O -x -e -1 -d restored <check.dump &&
    in_postgres psql -Xq -U intrinsic -d postgres -c 'ALTER DATABASE intrinsic RENAME TO before' \
        -c 'ALTER DATABASE restored RENAME TO intrinsic' || fail "the backup cannot be restored"
rm check.dump
$compose up -d --no-build >/dev/null 2>&1 || fail "up after the restore"
until_true "restored: the service is ready" ready
[ "$after" = "$(get "/api/v1/uploads/$second")" ] || fail "upload $second was $after"
get "/api/v1/uploads/$fourth" >/dev/null && fail "upload $fourth came after the backup"
saw "what was there at the backup is back, and nothing else"
in_postgres dropdb -U intrinsic before
saw "all held"
