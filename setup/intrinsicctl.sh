#!/bin/sh
# What an operator of the Debian package does with the database; `intrinsicctl --help`.
set -eu

usage() {
    cat <<'END'
intrinsicctl COMMAND - the database of the service, with the settings of /etc/intrinsic/intrinsic.env

  intrinsicctl setup [--if-local]
      create roles and database on the PostgreSQL of this machine if they are missing, bring
      the schema up to date and load the shipped calibrations and, where scid-rating-data is
      installed, the ratings of the players that are stored. The package does so when it is
      installed and upgraded; with --if-local it does nothing where DATABASE_URL is another
      database. Of such a one /etc/intrinsic/owner.env has the DATABASE_URL of the owner
  intrinsicctl samples
      load the games that are shipped as samples
  intrinsicctl backup FILE
      a dump of one moment of the database, while the service goes on
  intrinsicctl restore FILE
      read a dump into a new database, bring it up to date, and put it in the place of the
      present one, which is kept under another name. Stop the service first
  intrinsicctl run COMMAND...
      a command of intrinsic as the user of the service, as in
      intrinsicctl run token create --scopes=upload club

Run it as root.
END
}

settings=/etc/intrinsic/intrinsic.env
owner_settings=/etc/intrinsic/owner.env # not of the service, whose unit reads the other
INTRINSIC_HOME=/usr/share/intrinsic
export INTRINSIC_HOME

fail() {
    echo "intrinsicctl: $*" >&2
    exit 1
}

# read_settings FILE: it is systemd's: the rest of a line is the value, in quotes or not.
read_settings() {
    [ -r "$1" ] || fail "cannot read $1"
    unset DATABASE_URL DATABASE_URL_FILE PGPASSWORD PGPASSWORD_FILE # of the settings read before
    while IFS= read -r line || [ -n "$line" ]; do
        case $line in
        '#'* | ';'*) continue ;;
        *=*) ;;
        *) continue ;;
        esac
        value=${line#*=}
        case $value in
        \"*\" | \'*\')
            value=${value#?}
            value=${value%?}
            ;;
        esac
        export "${line%%=*}=$value"
    done <"$1"
    [ -n "${DATABASE_URL:-${DATABASE_URL_FILE:-}}" ] || fail "$1 has no DATABASE_URL and no DATABASE_URL_FILE"
}

as_service() { runuser -u intrinsic -- "$@"; }
as_postgres() { runuser -u postgres -- "$@"; }
ask() { as_postgres psql -XAtq -v ON_ERROR_STOP=1 -d postgres -c "$1"; }

local_url='postgresql:///intrinsic?host=/run/postgresql'
owner_url="$local_url&options=-crole%3Dintrinsic_owner"
is_local() { [ "${DATABASE_URL:-}" = "$local_url" ]; }

has() { [ "$(ask "SELECT count(*) FROM $1 = '$2'")" = 1 ]; }

# The owner cannot log in: it is the superuser of PostgreSQL who acts for it.
create_database() {
    [ -S /run/postgresql/.s.PGSQL.5432 ] ||
        fail "no PostgreSQL runs on this machine: start it, or set DATABASE_URL in $settings"
    as_postgres psql -Xq -v ON_ERROR_STOP=1 -d postgres -f "$INTRINSIC_HOME/sql/roles.sql"
    has 'pg_roles WHERE rolname' intrinsic_owner || ask 'CREATE ROLE intrinsic_owner NOLOGIN'
    has 'pg_roles WHERE rolname' intrinsic || ask 'CREATE ROLE intrinsic LOGIN IN ROLE intrinsic_service'
    has 'pg_database WHERE datname' intrinsic ||
        as_postgres createdb -O intrinsic_owner -E UTF8 -l C.UTF-8 -T template0 intrinsic
}

# as_owner COMMAND…: with the DATABASE_URL of the owner.
as_owner() {
    if is_local; then
        DATABASE_URL=$owner_url as_postgres "$@"
    else
        (read_settings "$owner_settings" && "$@")
    fi
}

# prepare SAMPLES: what there is already stays as it is.
prepare() {
    SAMPLES=$1 MIGRATE=no
    export SAMPLES MIGRATE
    cd "$INTRINSIC_HOME"
    as_service setup/prepare.sh intrinsic
    as_service setup/ratings.sh intrinsic
}

setup() {
    if is_local; then
        create_database
    elif [ "${1:-}" = --if-local ]; then
        echo 'intrinsicctl: the database is another one: run intrinsicctl setup' >&2
        return
    fi
    as_owner intrinsic migrate
    prepare no
}

# The part is new, whatever stands in the folder: no link is followed, and it is root's alone.
backup() {
    umask 077
    part=$(mktemp "$1.XXXXXX") || exit 1
    trap 'rm -f "$part"' EXIT
    as_owner "$INTRINSIC_HOME/setup/backup.sh" >"$part"
    mv -T "$part" "$1"
    "$INTRINSIC_HOME/setup/stamp.sh"
}

rename_database() { ask "ALTER DATABASE $1 RENAME TO $2"; }

# A database elsewhere is the operator's to make and to rename: it has to be empty.
restore() {
    [ -r "$1" ] || fail "cannot read $1"
    if ! is_local; then
        as_owner "$INTRINSIC_HOME/setup/restore.sh" intrinsic <"$1"
        return
    fi
    create_database
    ask 'DROP DATABASE IF EXISTS intrinsic_restored'
    as_postgres createdb -O intrinsic_owner -E UTF8 -l C.UTF-8 -T template0 intrinsic_restored
    DATABASE_URL="$owner_url&dbname=intrinsic_restored" as_postgres \
        "$INTRINSIC_HOME/setup/restore.sh" intrinsic <"$1"
    before=intrinsic_$(date -u +%Y%m%d%H%M%S)
    rename_database intrinsic "$before" ||
        fail 'the database is in use: systemctl stop intrinsic, and restore again'
    rename_database intrinsic_restored intrinsic
    echo "restored; the database from before is $before:"
    echo "    runuser -u postgres -- dropdb $before"
}

command=${1:-}
[ -z "$command" ] || shift
case $command in
-h | --help | help) usage; exit 0 ;;
setup | samples | run) ;;
backup | restore) [ $# = 1 ] || { usage >&2; exit 2; } ;;
*) usage >&2; exit 2 ;;
esac
[ "$(id -u)" = 0 ] || fail "run it as root"
read_settings "$settings"
case $command in backup | restore) set -- "$(realpath -s "$1")" ;; esac
cd /
case $command in
setup) setup "$@" ;;
samples) prepare yes ;;
backup | restore) "$command" "$1" ;;
run) as_service intrinsic "$@" ;;
esac
