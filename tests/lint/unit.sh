#!/bin/bash
# The systemd unit: understood by systemd in every line, and as confined as it was (10 is no
# confinement at all; what remains is the network, and namespaces, which engines are put into).
set -u
cd "$(dirname "$0")/../.." || exit
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
bad=0

sed 's#/usr/local/bin/intrinsic#/bin/true#' setup/intrinsic.service >"$work/intrinsic.service"
said=$(systemd-analyze verify --man=no "$work/intrinsic.service" 2>&1) || bad=1
[ -z "$said" ] || { echo "$said"; bad=1; }
systemd-analyze security --offline=yes --threshold=25 --no-pager "$work/intrinsic.service" \
    >"$work/security" 2>&1 || { grep '✗' "$work/security"; bad=1; }
grep -q 'Overall exposure' "$work/security" || { cat "$work/security"; bad=1; }
exit $bad
