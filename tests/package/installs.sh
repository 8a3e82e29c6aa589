#!/bin/bash
# installs.sh NEW.deb OLD.deb - what an operator does with the package, on a Debian that has never had it
# and is thrown away afterwards: install OLD, serve, upgrade to NEW, remove, purge. Needs root, and an
# apt-get that can install what the package depends on. Prints each result; the exit status is 0 when
# all held.
set -eu
new=$1 old=$2
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8
port=18199
settings=/etc/intrinsic/intrinsic.env

saw() { printf 'package: %s\n' "$*"; }
fail() {
    saw "FAILED: $*" >&2
    exit 1
}
holds() { # WHAT COMMAND…
    local what=$1
    shift
    "$@" >/tmp/said 2>&1 || { cat /tmp/said >&2; fail "$what"; }
    saw "$what"
}
fails() { ! "$@"; }

install_package() { # FILE
    apt-get -q -y -o Dpkg::Options::=--force-confold --no-install-recommends install "$1" >/tmp/apt 2>&1 ||
        { cat /tmp/apt >&2; fail "apt-get install $1"; }
}

get() {
    exec 3<>"/dev/tcp/127.0.0.1/$port"
    printf 'GET %s HTTP/1.0\r\nHost: localhost\r\n\r\n' "$1" >&3
    cat <&3
    exec 3>&-
}
answers() { # PATH TEXT: a 200 with that text
    local said
    said=$(get "$1" 2>/dev/null) || return 1
    [[ $said == HTTP/1.?\ 200* && $said == *"$2"* ]]
}
until_answers() {
    local n=0
    until answers "$@"; do
        n=$((n + 1))
        [ "$n" -lt 60 ] || { get "$1" >&2; head -20 /tmp/serve >&2; fail "$1 does not answer"; }
        sleep 0.5
    done
}

# Numbers of the processes that run the program; a bare Debian has no ps.
processes() {
    local p
    for p in /proc/[0-9]*; do
        [ "$(readlink "$p/exe")" != /usr/bin/intrinsic ] || echo "${p#/proc/}"
    done 2>/dev/null
}

# served WHAT COMMAND…: the program of the unit with the unit's settings, as its user, without systemd.
served() {
    local what=$1 unit=/lib/systemd/system/intrinsic.service program
    shift
    [ "$(sed -n 's/^EnvironmentFile=//p' $unit)" = $settings ] || fail "another file of settings in the unit"
    program=$(sed -n 's/^ExecStart=//p' $unit)
    [ "$program" = '/usr/bin/intrinsic serve' ] || fail "the unit starts $program"
    INTRINSIC_LISTEN=127.0.0.1:$port intrinsicctl run serve >/tmp/serve 2>&1 &
    service=$!
    until_answers /ready ready
    [ "$(stat -c %U "/proc/$(processes)")" = intrinsic ] || fail "it runs as another user"
    "$@"
    kill -TERM "$(processes)"
    wait "$service" || { cat /tmp/serve >&2; fail "the service ended with an error"; }
    saw "$what"
}
has_pages() {
    until_answers / '<title>'
    until_answers /static/css/intrinsic.css 'font'
    until_answers /static/vendor/d3.min.js 'd3'
    until_answers /api/v1/calibrations standard
}

psql_postgres() { (cd / && runuser -u postgres -- psql -XAtq -d "$1" -c "$2"); }
has_database() { [ "$(psql_postgres postgres "SELECT count(*) FROM pg_database WHERE datname = 'intrinsic'")" = 1 ]; }

pg_lsclusters -h 2>/dev/null | grep -q online || service postgresql start >/dev/null 2>&1 || :

install_package "$old"
saw "installed $(dpkg-query -W -f '${Version}' intrinsic)"
holds "the user intrinsic is there, without a shell" grep -q '^intrinsic:.*:/usr/sbin/nologin$' /etc/passwd
holds "its settings are root's alone" test "$(stat -c '%U %a' $settings)" = 'root 600'
holds "the database is there" has_database
served "serves pages, files and calibrations from what was installed" has_pages
holds "the service owns no table" test "$(psql_postgres intrinsic \
    "SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname = 'public'")" = intrinsic_owner
token=$(intrinsicctl run token create before)
[ "${#token}" = 48 ] || fail "no token: $token"
saw "a token is made"
dump=$(mktemp -d)/before.dump
echo kept >/tmp/kept
ln -s /tmp/kept "$dump"
ln -s /tmp/kept "$dump.part"
mkdir -p /var/lib/prometheus/node-exporter # as prometheus-node-exporter has it
holds "a backup is made" intrinsicctl backup "$dump"
holds "its time is on record for the alert" grep -q "^intrinsic_backup_timestamp_seconds [0-9]" /var/lib/prometheus/node-exporter/intrinsic_backup.prom
holds "it follows no link" test "$(cat /tmp/kept)" = kept -a ! -L "$dump"
holds "it is for root alone" test "$(stat -c '%U %a' "$dump")" = 'root 600'

echo '#INTRINSIC_LOG=warn' >>$settings
install_package "$new"
saw "upgraded to $(dpkg-query -W -f '${Version}' intrinsic)"
holds "changed settings stay" grep -q '^#INTRINSIC_LOG=warn$' $settings
intrinsicctl run token list >/tmp/tokens
holds "the token is still there" grep -q before /tmp/tokens
served "serves after the upgrade" has_pages

intrinsicctl run token create after >/dev/null
apt-get -q -y --allow-downgrades install "$old" >/tmp/apt 2>&1 || { cat /tmp/apt >&2; fail "back to the old version"; }
holds "rolled back: the backup is restored" intrinsicctl restore "$dump"
replaced=$(psql_postgres postgres "SELECT datname FROM pg_database WHERE datname LIKE 'intrinsic\_%'")
holds "the database from before is kept" test -n "$replaced"
(cd / && runuser -u postgres -- dropdb "$replaced")
intrinsicctl run token list >/tmp/tokens
holds "as it was before the upgrade" sh -c 'grep -q before /tmp/tokens && ! grep -q after /tmp/tokens'
served "serves after the rollback" has_pages
install_package "$new"
holds "upgraded again" test "$(dpkg-query -W -f '${Version}' intrinsic)" != 0.0.1

holds "removed" apt-get -q -y remove intrinsic
holds "settings and database stay" test -s $settings
holds "the program is gone" fails test -e /usr/bin/intrinsic
apt-get -q -y purge intrinsic >/tmp/apt 2>&1 || { cat /tmp/apt >&2; fail purge; }
holds "purged: how to delete the database is said" grep -q 'dropdb intrinsic' /tmp/apt
holds "the database is kept" has_database
left=$(find / -xdev -path /proc -prune -o -path /packages -prune -o -path /var/lib/postgresql -prune -o \
    -name '*intrinsic*' -print 2>/dev/null | grep -vE '^/(srv|tmp|root|dev|sys|var/cache|var/log)/' || :)
[ -z "$left" ] || fail "left after the purge: $left"
holds "nothing else is left, the user neither" fails grep -q '^intrinsic:' /etc/passwd

install_package "$new"
intrinsicctl run token list >/tmp/tokens
holds "installed again: the token is still there" grep -q before /tmp/tokens
echo 'intrinsic intrinsic/drop-database boolean true' | debconf-set-selections
holds "purged with a yes to the question" apt-get -q -y purge intrinsic
holds "the database is gone" fails has_database
holds "its role is gone" test "$(psql_postgres postgres "SELECT count(*) FROM pg_roles WHERE rolname LIKE 'intrinsic%'")" = 0
saw "all held"
