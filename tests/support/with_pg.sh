#!/bin/sh
# with_pg.sh COMMAND...: runs a command with a throw-away PostgreSQL server, named by
# INTRINSIC_TEST_PG (a libpq string; databases may be created there). The server and its files
# are gone afterwards, however the command ended. fsync is off: nothing here is to be kept.
set -eu

[ $# -gt 0 ] || { echo "usage: with_pg.sh COMMAND..." >&2; exit 2; }

bin=$(find /usr/lib/postgresql/*/bin -maxdepth 0 2>/dev/null | sort -V | tail -n 1)
[ -n "$bin" ] || { echo "with_pg.sh: no PostgreSQL server under /usr/lib/postgresql" >&2; exit 1; }

dir=$(mktemp -d /tmp/intrinsic-pg.XXXXXX)

# PostgreSQL refuses to run as root.
as_owner() {
    if [ "$(id -u)" -eq 0 ]; then
        (cd / && setpriv --reuid=postgres --regid=postgres --init-groups "$@")
    else
        "$@"
    fi
}

finish() {
    status=$?
    trap - EXIT INT TERM HUP
    as_owner "$bin/pg_ctl" -D "$dir/data" -m immediate -w stop >/dev/null 2>&1 || true
    rm -rf "$dir"
    exit "$status"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP

[ "$(id -u)" -ne 0 ] || chown postgres: "$dir"

as_owner "$bin/initdb" -D "$dir/data" -U intrinsic -A trust -E UTF8 --locale=C.UTF-8 --no-sync \
    >"$dir/initdb.log" 2>&1 || { cat "$dir/initdb.log" >&2; exit 1; }
cat >>"$dir/data/postgresql.conf" <<EOF
listen_addresses = ''
unix_socket_directories = '$dir'
fsync = off
synchronous_commit = off
full_page_writes = off
shared_buffers = 32MB
max_connections = 60
timezone = 'UTC'
EOF
as_owner "$bin/pg_ctl" -D "$dir/data" -l "$dir/server.log" -w -t 60 start >/dev/null 2>&1 ||
    { cat "$dir/server.log" >&2; exit 1; }

# The server accepts the caller, who may be root, through the socket: the directory is open for
# passing, the data is not.
chmod 711 "$dir"
INTRINSIC_TEST_PG="host=$dir user=intrinsic dbname=postgres"
export INTRINSIC_TEST_PG
# Debian's psql is a script that looks for this one, in three times as long as a query takes.
PATH=$bin:$PATH
"$@"
