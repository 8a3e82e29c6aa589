#!/bin/bash
# bare.sh NEW.deb OLD.deb - runs installs.sh with these packages on a bare Debian 12, in namespaces of
# its own with loopback alone. Needs root, mmdebstrap and ip; where they are missing it says so and is
# skipped.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
new=$(realpath "$1") old=$(realpath "$2")

for tool in mmdebstrap unshare ip; do
    command -v "$tool" >/dev/null || { echo "skipped: package on a bare Debian: no $tool"; exit 0; }
done
[ "$(id -u)" = 0 ] || { echo 'skipped: package on a bare Debian: not root'; exit 0; }

bare=$(mktemp -d /var/tmp/intrinsic-bare.XXXXXX)
trap 'rm -rf --one-file-system "$bare"' EXIT
# What the package depends on and nothing else: of alternatives the first, as apt takes them.
needs=$(dpkg-deb -f "$new" Depends | sed -E 's/ *\|[^,]*//g; s/ *\([^)]*\)//g; s/ //g')
mmdebstrap --quiet --variant=minbase --include="$needs" bookworm "$bare/root" ||
    { echo 'skipped: package on a bare Debian: mmdebstrap could not make one'; exit 0; }
mkdir "$bare/root/packages"
cp "$new" "$bare/root/packages/new.deb"
cp "$old" "$bare/root/packages/old.deb"
cp "$here/installs.sh" "$bare/root/packages/"
# shellcheck disable=SC2016
unshare --mount --pid --net --ipc --uts --fork --kill-child bash -c '
    mount -t proc proc "$1/proc"
    mount --rbind /dev "$1/dev"
    ip link set lo up
    exec chroot "$1" /packages/installs.sh /packages/new.deb /packages/old.deb' - "$bare/root"
