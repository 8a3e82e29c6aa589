#!/bin/sh
# start.sh COMMAND… - a command of intrinsic, as the main process of a container. The service gets
# its database ready first, so that workers, which wait until it is healthy, find it so.
set -eu
if [ "${1:-}" = serve ]; then
    setup/prepare.sh intrinsic
    setup/ratings.sh intrinsic &
fi
exec intrinsic "$@"
