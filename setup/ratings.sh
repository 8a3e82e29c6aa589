#!/bin/sh
# ratings.sh INTRINSIC - takes over the FIDE ratings of the players that the database knows, from
# the spelling file of the settings, else Debian's, if it is there and has ratings (package
# scid-rating-data). It takes a second or two and says something only when ratings changed; make it
# a background job.
set -eu
intrinsic=${1:?usage: ratings.sh INTRINSIC}
file=${SCID_RATINGS_PATH:-/usr/share/scid/data/spelling.ssp}

[ -r "$file" ] && grep -q -m1 '^ *%Elo ' "$file" || exit 0
exec nice "$intrinsic" ratings --quiet "$file"
