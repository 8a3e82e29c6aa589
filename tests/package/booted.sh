#!/bin/bash
# booted.sh NEW.deb - runs unit.sh with the package on a bare Debian 12 that systemd has booted, in a container
# of its own with loopback alone. Needs root, mmdebstrap and systemd-nspawn; where they are missing it says
# so and is skipped.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
new=$(realpath "$1")

for tool in mmdebstrap systemd-nspawn; do
    command -v "$tool" >/dev/null || { echo "skipped: package under systemd: no $tool"; exit 0; }
done
[ "$(id -u)" = 0 ] || { echo 'skipped: package under systemd: not root'; exit 0; }

bare=$(mktemp -d /var/tmp/intrinsic-booted.XXXXXX)
trap 'rm -rf --one-file-system "$bare"' EXIT
mmdebstrap --quiet --variant=minbase --include=systemd-sysv bookworm "$bare/root" ||
    { echo 'skipped: package under systemd: mmdebstrap could not make a root'; exit 0; }
mkdir "$bare/root/packages"
cp "$new" "$bare/root/packages/new.deb"
cp "$here/unit.sh" "$bare/root/packages/"
# What the package depends on is fetched here and installed there, all in one go.
cp -L /etc/resolv.conf "$bare/root/etc/resolv.conf"
chroot "$bare/root" sh -c 'apt-get -q update && apt-get -q -y --download-only --no-install-recommends install /packages/new.deb' >"$bare/said" 2>&1 ||
    { tail -5 "$bare/said"; echo 'skipped: package under systemd: its packages could not be fetched'; exit 0; }
cat >"$bare/root/etc/systemd/system/unit-test.service" <<'EOF'
[Service]
Type=idle
ExecStart=/packages/unit.sh
ExecStopPost=/bin/sh -c 'exec systemctl exit $EXIT_STATUS'
StandardOutput=append:/packages/said
StandardError=inherit
EOF
mkdir -p "$bare/root/etc/systemd/system/multi-user.target.wants"
ln -s ../unit-test.service "$bare/root/etc/systemd/system/multi-user.target.wants/"

code=0
# Its own filter refuses what engines are confined by.
timeout -k 20 600 systemd-nspawn --quiet --boot --directory="$bare/root" --register=no --keep-unit --private-network \
    --console=pipe --system-call-filter='landlock_create_ruleset landlock_add_rule landlock_restrict_self' \
    </dev/null >"$bare/boot" 2>&1 || code=$?
# Where it cannot boot at all, nothing of the package was tried.
[ -s "$bare/root/packages/said" ] || { tail -3 "$bare/boot"; echo 'skipped: package under systemd: it does not boot here'; exit 0; }
cat "$bare/root/packages/said"
exit $code
