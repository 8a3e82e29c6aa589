#!/bin/sh
# What an operator of the Debian package does with the database; `intrinsicctl --help`.
set -eu

usage() {
    cat <<'END'
intrinsicctl COMMAND - the database of the service, with the settings of /etc/intrinsic/intrinsic.env

  intrinsicctl setup [--if-local]
      create role and database on the PostgreSQL of this machine if they are missing, bring
      the schema up to date and load the shipped calibrations. The package does so when it is
      installed and upgraded; with --if-local it does nothing where DATABASE_URL is another
      database
  intrinsicctl samples
      load the games that are shipped as samples
  intrinsicctl run COMMAND...
      a command of intrinsic as the user of the service, as in
      intrinsicctl run token create --scopes=upload club

Run it as root.
END
}

settings=${INTRINSIC_SETTINGS:-/etc/intrinsic/intrinsic.env}
INTRINSIC_HOME=/usr/share/intrinsic
export INTRINSIC_HOME

fail() {
    echo "intrinsicctl: $*" >&2
    exit 1
}

# The file is systemd's: the rest of a line is the value, in quotes or not.
read_settings() {
    [ -r "$settings" ] || fail "cannot read $settings: run it as root"
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
    done <"$settings"
    [ -n "${DATABASE_URL:-}" ] || fail "$settings has no DATABASE_URL"
}

as_service() { runuser -u intrinsic -- "$@"; }
as_postgres() { runuser -u postgres -- "$@"; }
ask() { as_postgres psql -XAtq -v ON_ERROR_STOP=1 -d postgres -c "$1"; }

is_local() { [ "$DATABASE_URL" = 'postgresql:///intrinsic?host=/run/postgresql' ]; }

create_database() {
    [ -S /run/postgresql/.s.PGSQL.5432 ] ||
        fail "no PostgreSQL runs on this machine: start it, or set DATABASE_URL in $settings"
    [ "$(ask "SELECT count(*) FROM pg_roles WHERE rolname = 'intrinsic'")" = 1 ] ||
        as_postgres createuser intrinsic
    [ "$(ask "SELECT count(*) FROM pg_database WHERE datname = 'intrinsic'")" = 1 ] ||
        as_postgres createdb -O intrinsic -E UTF8 -l C.UTF-8 -T template0 intrinsic
}

# prepare SAMPLES: what there is already stays as it is.
prepare() {
    SAMPLES=$1
    export SAMPLES
    cd "$INTRINSIC_HOME"
    as_service setup/prepare.sh intrinsic
}

setup() {
    if is_local; then
        create_database
    elif [ "${1:-}" = --if-local ]; then
        echo 'intrinsicctl: DATABASE_URL is set: the service brings that database up to date' >&2
        return
    fi
    prepare no
}

command=${1:-}
[ -z "$command" ] || shift
case $command in
-h | --help | help) usage; exit 0 ;;
setup | samples | run) ;;
*) usage >&2; exit 2 ;;
esac
[ "$(id -u)" = 0 ] || fail "run it as root"
read_settings
cd /
case $command in
setup) setup "$@" ;;
samples) prepare yes ;;
run) as_service intrinsic "$@" ;;
esac
