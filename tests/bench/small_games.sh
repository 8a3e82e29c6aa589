#!/bin/bash
# small_games.sh BUILD_DIR [GAMES] - seconds that an import takes of GAMES (1,000,000) games with almost nothing in
# them, of three kinds, each into an empty database; fails if one takes more than a minute for a million.
set -eu
cd "$(dirname "$0")/../.."
build=$(realpath "${1:?usage: small_games.sh BUILD_DIR [GAMES]}")
games=${2:-1000000}
work=$(mktemp -d)
chmod 755 "$work" # the server may run as another user
root=$PWD
cleanup() {
    (cd "$work" && sh "$root/sql/cluster.sh" stop) || true
    rm -rf "$work"
}
trap cleanup EXIT

# With different moves where there are any: games alike are answered by one search.
made() { # KIND
    awk -v n="$games" -v kind="$1" 'BEGIN {
        split("a3 a4 b3 b4 c3 c4 d3 d4 e3 e4 f3 f4 g3 g4 h3 h4 Na3 Nc3 Nf3 Nh3", white)
        split("a6 a5 b6 b5 c6 c5 d6 d5 e6 e5 f6 f5 g6 g5 h6 h5 Na6 Nc6 Nf6 Nh6", black)
        for (i = 0; i < n; i++) {
            if (kind == "pair")
                printf "[White \"Ada, A\"]\n[Black \"Bo, B\"]\n[Date \"%d.%02d.%02d\"]\n", 1900 + i % 100, 1 + i % 12, 1 + i % 28
            printf "[Result \"1-0\"]\n\n"
            if (kind != "empty")
                printf "1. %s %s ", white[1 + i % 20], black[1 + int(i / 20) % 20]
            print "1-0\n"
        }
    }'
}

(cd "$work" && sh "$root/sql/cluster.sh" start >&2)
url=$(cd "$work" && sh "$root/sql/cluster.sh" url)
status=0
for kind in empty short pair; do
    made $kind >"$work/$kind.pgn"
    psql -X -q -d "$url" -c "CREATE DATABASE small_$kind"
    export DATABASE_URL=${url/dbname=intrinsic/dbname=small_$kind}
    "$build/intrinsic" migrate >/dev/null
    begin=$(date +%s.%N)
    "$build/intrinsic" import --quiet "$work/$kind.pgn" >&2
    seconds=$(awk -v a="$begin" -v b="$(date +%s.%N)" 'BEGIN { print b - a }')
    printf '%s: %d games in %.1f s, %s stored\n' $kind "$games" "$seconds" \
        "$(psql -X -qAt -d "$DATABASE_URL" -c 'SELECT count(*) FROM game')"
    awk -v s="$seconds" -v n="$games" 'BEGIN { exit s > 60 * n / 1e6 + 5 }' || status=1
done
exit $status
