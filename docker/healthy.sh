#!/bin/bash
# healthy.sh - succeeds when the service of this container answers and its database does.
set -eu
exec 3<>"/dev/tcp/127.0.0.1/${INTRINSIC_LISTEN##*:}"
printf 'GET /ready HTTP/1.0\r\n\r\n' >&3
read -r _ status _ <&3
[ "$status" = 200 ]
