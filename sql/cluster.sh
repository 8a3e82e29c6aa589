#!/bin/sh
# cluster.sh start|stop|status|url: the private PostgreSQL cluster of `make run`, under .local/ of
# the working directory. Unix socket only, no password, reachable for its owner and root alone.
#
#   start   creates it when missing, starts it when stopped, waits until it answers
#   stop    ends it and waits; fine when it is not running
#   status  prints "running" or "stopped"; exit status 0 or 3
#   url     prints the libpq connection string
#
# PostgreSQL does not run as root: for root it runs as the owner of the data, at first `postgres`.
# Where that user cannot reach .local (a clone under /root), the data is kept below /var/lib and
# .local/pg is a link to it.
set -eu

local=$(pwd -P)/.local
database=intrinsic

fail() {
    echo "cluster.sh: $*" >&2
    exit 1
}

# as_owner COMMAND...: from /, since the owner may not be allowed to be in the working directory.
as_owner() {
    if [ "$(id -un)" = "$owner" ]; then
        (cd / && "$@")
    else
        (cd / && setpriv --reuid="$owner" --regid="$(id -g "$owner")" --init-groups "$@")
    fi
}

find_owner() {
    owner=$(id -un)
    if [ -d "$local/pg" ] && ! { [ "$(id -u)" -ne 0 ] && [ -O "$local/pg/" ]; }; then
        owner=$(stat -L -c %U "$local/pg")
        [ "$(id -u)" -eq 0 ] || fail "$local/pg belongs to $owner"
    elif [ "$(id -u)" -eq 0 ]; then
        owner=postgres
        id "$owner" >/dev/null 2>&1 || fail "no user postgres: install postgresql"
    fi
}

# home: where data and socket are. Kept once the data is there.
find_home() {
    home=$local
    if [ -L "$local/pg" ]; then
        home=$(dirname "$(readlink "$local/pg")")
    elif [ ! -d "$local/pg" ] && ! as_owner test -x "$local"; then
        home=/var/lib/intrinsic-$(printf %s "$local" | cksum | cut -d ' ' -f 1)
    fi
    data=$home/pg
}

# A socket's path has at most 107 bytes, and a path with unusual characters would need quoting in
# three places: then a directory under /tmp, remembered in .local/socket.
find_socket() {
    run=$home/run
    case $run in
    *[!A-Za-z0-9/._-]*) ;;
    *) [ "${#run}" -ge 90 ] || return 0 ;;
    esac
    run=$(cat "$local/socket" 2>/dev/null || true)
    if [ -n "$run" ] && [ -d "$run" ] && [ "$(stat -c %U "$run")" = "$owner" ]; then
        return 0
    fi
    [ "$1" = start ] || { run=; return 0; }
    run=$(as_owner mktemp -d /tmp/intrinsic.XXXXXX)
    echo "$run" >"$local/socket"
}

find_programs() {
    if [ -f "$data/PG_VERSION" ] || as_owner test -f "$data/PG_VERSION"; then
        version=$(as_owner cat "$data/PG_VERSION")
        bin=/usr/lib/postgresql/$version/bin
    else
        bin=$(find /usr/lib/postgresql/*/bin -maxdepth 0 2>/dev/null | sort -V | tail -n 1)
    fi
    if [ ! -x "$bin/pg_ctl" ]; then
        bin=$(dirname "$(command -v pg_ctl || echo /nonexistent/pg_ctl)")
    fi
    [ -x "$bin/pg_ctl" ] || fail "no PostgreSQL ${version:-} server: apt-get install postgresql"
}

url() {
    echo "host=$run dbname=$database user=intrinsic"
}

answers() {
    [ -n "$run" ] && [ -S "$run/.s.PGSQL.5432" ] &&
        PGCONNECT_TIMEOUT=2 "$bin/psql" -X -q -d "$(url)" -c '' >/dev/null 2>&1
}

# A server's processes have the data directory as their working directory. The number in a lock
# file alone proves nothing: after a crash of the machine it may belong to any process.
is_server() {
    [ "$(as_owner readlink "/proc/$1/cwd" 2>/dev/null)" = "$data" ]
}

running() {
    pid=$(as_owner head -n 1 "$data/postmaster.pid" 2>/dev/null || true)
    [ -n "$pid" ] && is_server "$pid"
}

# PostgreSQL assumes that any process with the number in its lock file is a server, and refuses to
# start.
remove_stale() {
    tries=0
    while as_owner find /proc -maxdepth 2 -name cwd -lname "$data" 2>/dev/null | grep -q .; do
        tries=$((tries + 1)) # what a killed server left behind is finishing
        [ "$tries" -le 100 ] || fail "processes of an earlier server still use $data"
        sleep 0.1
    done
    as_owner rm -f "$data/postmaster.pid" "$run/.s.PGSQL.5432.lock" "$run/.s.PGSQL.5432"
}

create() {
    if [ "$home" != "$local" ]; then
        mkdir -p "$home"
        chown "$owner" "$home"
        chmod 700 "$home"
        ln -sfn "$data" "$local/pg"
    fi
    # Into another directory first, so that an incomplete one is never used as a cluster.
    rm -rf "$data.new"
    mkdir "$data.new"
    chown "$owner" "$data.new"
    chmod 700 "$data.new"
    message=$(as_owner "$bin/initdb" -D "$data.new" -U intrinsic -A trust -E UTF8 \
        --locale=C.UTF-8 --data-checksums --no-instructions 2>&1) || fail "initdb: $message"
    echo "include 'intrinsic.conf'" | as_owner tee -a "$data.new/postgresql.conf" >/dev/null
    mv -T "$data.new" "$data"
    echo "created a private PostgreSQL cluster in .local/pg"
}

# A sixteenth of the machine's memory in MB, 128 to 1024.
buffers() {
    awk '/^MemTotal:/ { mb = int($2 / 16384) }
        END { if (mb < 128) mb = 128; if (mb > 1024) mb = 1024; print mb }' /proc/meminfo
}

# Pages in the log: an import beside a million games takes a tenth less with LZ4 than with
# PostgreSQL's own compression, but not every server was built with it.
compression() {
    if as_owner "$bin/postgres" -D "$data" -c config_file=/dev/null -c wal_compression=lz4 \
        -C wal_compression >/dev/null 2>&1; then
        echo lz4
    else
        echo on
    fi
}

# For a laptop that imports a million games now and then: the write-ahead log may grow to what such
# an import writes in a minute. What was accepted is never lost: fsync and synchronous_commit stay
# on.
settings() {
    cat <<EOF
listen_addresses = ''
unix_socket_directories = '$run'
unix_socket_permissions = 0700
max_connections = $(($(nproc) * 2 + 50))
shared_buffers = $(buffers)MB
fsync = on
synchronous_commit = on
full_page_writes = on
wal_compression = $(compression)
max_wal_size = 2GB
checkpoint_timeout = 15min
timezone = 'UTC'
log_timezone = 'UTC'
EOF
}

prepare_run() {
    if [ ! -d "$run" ]; then
        mkdir "$run"
        chown "$owner" "$run"
        chmod 700 "$run"
    fi
    settings | as_owner tee "$data/intrinsic.conf" >/dev/null
}

start() {
    if answers; then
        return 0
    fi
    as_owner test -f "$data/PG_VERSION" || create
    prepare_run
    if ! running; then
        remove_stale
        as_owner "$bin/pg_ctl" -D "$data" -l "$data/server.log" -w -t 120 start >/dev/null 2>&1 \
            9>&- || running || {
            as_owner tail -n 15 "$data/server.log" >&2 || true
            fail "PostgreSQL does not start; its log is $data/server.log"
        }
    fi
    tries=0
    until "$bin/pg_isready" -q -h "$run"; do
        tries=$((tries + 1))
        [ "$tries" -le 600 ] || fail "PostgreSQL does not answer; its log is $data/server.log"
        sleep 0.1
    done
    if ! answers; then
        as_owner "$bin/createdb" -h "$run" -U intrinsic "$database" ||
            fail "the database $database cannot be created"
    fi
}

stop() {
    if running; then
        as_owner "$bin/pg_ctl" -D "$data" -m fast -w -t 120 stop >/dev/null ||
            fail "PostgreSQL does not stop; its log is $data/server.log"
    fi
}

status() {
    if answers; then
        echo running
    else
        echo stopped
        exit 3
    fi
}

case ${1-} in
start | stop | status | url) ;;
*)
    echo "usage: cluster.sh start|stop|status|url" >&2
    exit 2
    ;;
esac

if [ "$1" = start ]; then
    mkdir -p "$local"
elif [ ! -e "$local/pg" ]; then
    case $1 in
    status) echo stopped; exit 3 ;;
    stop) exit 0 ;;
    url) fail "there is no cluster in $local: run \`cluster.sh start' first" ;;
    esac
fi
find_owner
if [ "$1" = start ]; then
    # Two starts at a time would both create it.
    exec 9>"$local/lock"
    flock 9
fi
find_home
find_socket "$1"
find_programs
"$1"
