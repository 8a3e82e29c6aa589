#!/bin/sh
# ratings.sh INTRINSIC - takes over the FIDE ratings of the players that the database knows, from
# the spelling file of the settings, else Debian's, if it is there and has ratings (package
# scid-rating-data), or packed as FILE.zst, as in the container. It takes a second or two and says something only when ratings changed; make it
# a background job.
set -eu
intrinsic=${1:?usage: ratings.sh INTRINSIC}
file=${SCID_RATINGS_PATH:-/usr/share/scid/data/spelling.ssp}

if [ ! -r "$file" ] && [ -r "$file.zst" ]; then
    folder=$(mktemp -d)
    trap 'rm -r "$folder"' EXIT
    zstd -dcq "$file.zst" >"$folder/${file##*/}"
    file=$folder/${file##*/}
fi
[ -r "$file" ] && grep -q -m1 '^ *%Elo ' "$file" || exit 0
nice "$intrinsic" ratings --quiet "$file"
