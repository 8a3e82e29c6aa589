#!/bin/bash
# make.sh COMMIT… - for each commit with a schema that has landed, writes SCHEMA.sql.zst here: the
# database that the program of that commit makes of analysed.ndjson and queued.pgn, with a
# token. upgrade.test.mjs brings them up to date.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)

fill() { # PROGRAM SCHEMA
    "$1" migrate
    "$1" import --quiet "$here/analysed.ndjson"
    "$1" import --quiet --analyse "$here/queued.pgn"
    "$1" token create upgrade >/dev/null
    pg_dump --no-owner "$DATABASE_URL" | zstd -q -19 -f -o "$here/$2.sql.zst"
}

if [ "$1" = --fill ]; then
    export DATABASE_URL=$INTRINSIC_TEST_PG
    fill "$2" "$3"
    exit
fi
for commit; do
    work=$(mktemp -d)
    git -C "$root" archive "$commit" | tar -x -C "$work"
    (
        cd "$work"
        make -s OPT.release='-O0 -fPIE' build
        schema=$(find sql/migrations -name '*.sql' | wc -l)
        "$root/tests/support/with_pg.sh" "$here/make.sh" --fill "$work/build/release/intrinsic" "$schema"
    )
    rm -rf "$work"
done
