#!/bin/sh
# run.sh - the whole of `make run` after the build: database, samples, service. Ctrl-C stops
# everything that it started; what was accepted stays in .local/.
set -eu
cd "$(dirname "$0")/.."
intrinsic=build/release/intrinsic

mine='' ratings=''
stop_cluster() {
    [ -z "$ratings" ] || wait "$ratings" || :
    [ -z "$mine" ] || sql/cluster.sh stop
}
trap stop_cluster EXIT
# A terminal's Ctrl-C reaches the service too, a plain kill only this shell: it is passed on. The
# shell itself outlives the service, to stop the database.
service=''
interrupted() {
    [ -n "$service" ] || exit 130
    kill -TERM "$service" 2>/dev/null || :
}
trap interrupted INT TERM HUP

if [ -z "${DATABASE_URL:-}" ]; then
    # One `make run` a folder: the first to end would stop the database under the other.
    mkdir -p .local
    exec 9>.local/run.lock
    flock -n 9 || {
        echo "run: another \`make run\` is using .local/ here; stop it first, or set DATABASE_URL" >&2
        exit 1
    }
    sql/cluster.sh status >/dev/null || mine=yes
    sql/cluster.sh start 9>&-
    DATABASE_URL=$(sql/cluster.sh url)
    export DATABASE_URL
fi

setup/prepare.sh "$intrinsic"
"$intrinsic" serve "$@" 9>&- &
service=$!
setup/ratings.sh "$intrinsic" 9>&- &
ratings=$!
# wait returns early when a signal comes; the service is still to finish then.
while kill -0 "$service" 2>/dev/null; do
    if wait "$service"; then code=0; else code=$?; fi
done
exit "${code:-0}"
