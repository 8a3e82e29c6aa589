#!/bin/bash
# unit.sh - in a container that systemd has booted (booted.sh): installs the package with everything it
# depends on in one go, and holds that its unit serves, is ended by the watchdog and comes back, stops in
# order, and is purged. Prints each result; the exit status is 0 when all held.
set -eu
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8

saw() { printf 'unit: %s\n' "$*"; }
fail() {
    saw "FAILED: $*"
    journalctl --no-pager -n 30 -u intrinsic
    exit 1
}
value() { systemctl show --value -p "$1" intrinsic; }
until_holds() { # WHAT SECONDS COMMAND…
    local what=$1 n=$(($2 * 5))
    shift 2
    until "$@" >/dev/null 2>&1; do
        n=$((n - 1))
        [ "$n" -gt 0 ] || fail "$what"
        sleep 0.2
    done
    saw "$what"
}
ask() { # METHOD PATH [BODY]
    exec 3<>/dev/tcp/127.0.0.1/8080
    printf '%s %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/x-chess-pgn\r\nContent-Length: %d\r\n\r\n%s' \
        "$1" "$2" "${#3}" "$3" >&3
    cat <&3
    exec 3>&-
}
answers() { # PATH TEXT
    local said
    said=$(ask GET "$1" '') && [[ $said == HTTP/1.?\ 200* && $said == *"$2"* ]]
}
active() { [ "$(value ActiveState)/$(value SubState)" = active/running ]; }
back() { active && [ "$(value MainPID)" != "$1" ]; }
pinged() { [ "$(value WatchdogTimestampMonotonic)" != "$1" ]; }

apt-get -q -y --no-install-recommends install /packages/new.deb >/tmp/apt 2>&1 || { cat /tmp/apt; fail "apt-get install"; }
saw 'installed in one go, with PostgreSQL'
until_holds 'the service is started by the installation' 60 active
[ "$(value Type) $(value NotifyAccess) $(value WatchdogUSec)" = 'notify main 1min' ] || fail 'another kind of unit'
until_holds 'it serves from a database of its own' 10 answers /ready ready
grep -q 'event=engine_jail .*not granted: nothing' <(journalctl -u intrinsic) || fail 'engines are not confined'
ask POST /api/v1/uploads '[Event "Unit"] [White "A"] [Black "B"] [Result "1-0"] 1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0
' | grep -q '"games_read":1' || fail 'an upload is refused'
until_holds 'an uploaded game is analysed' 60 answers '/api/v1/dashboard' '"ready":0,"running":0'

# A minute is long for a test.
mkdir -p /run/systemd/system/intrinsic.service.d
printf '[Service]\nWatchdogSec=3\n' >/run/systemd/system/intrinsic.service.d/short.conf
systemctl daemon-reload
systemctl restart intrinsic
first=$(value WatchdogTimestampMonotonic)
until_holds 'it tells the watchdog that it answers' 10 pinged "$first"
pid=$(value MainPID)
kill -STOP "$pid"
until_holds 'stopped in its tracks, it is ended by the watchdog and comes back' 30 back "$pid"
grep -q 'Watchdog timeout' <(journalctl -u intrinsic) || fail 'not by the watchdog'
until_holds 'and serves' 10 answers /ready ready

systemctl stop intrinsic || fail stop
[ "$(value Result) $(value ExecMainStatus)" = 'success 0' ] || fail "it stops with $(value Result) $(value ExecMainStatus)"
saw 'it stops in order'
systemctl start intrinsic
apt-get -q -y purge intrinsic >/tmp/apt 2>&1 || { cat /tmp/apt; fail purge; }
[ "$(value LoadState)" != loaded ] || fail 'the unit is still there'
! readlink /proc/[0-9]*/exe 2>/dev/null | grep -q '^/usr/bin/intrinsic' || fail 'it still runs'
saw 'purged: neither unit nor process is left'
