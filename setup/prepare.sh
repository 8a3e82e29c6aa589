#!/bin/sh
# prepare.sh INTRINSIC - what a database needs before `intrinsic serve`: the schema, the shipped
# calibrations and, unless SAMPLES=no, judged games to look at, one match to watch and the champions'
# games without moves (SAMPLES=standard: games with evaluations by that engine setting only).
# Everything that is there already stays as it is. MIGRATE=no: the schema is another role's, and there.
# Runs in the folder that holds static/.
set -eu
intrinsic=${1:?usage: prepare.sh INTRINSIC}

[ "${MIGRATE:-yes}" = no ] || "$intrinsic" migrate
for record in static/calibrations/*.json.zst; do
    "$intrinsic" calibrate --load="$record"
done
[ "${SAMPLES:-yes}" != no ] || exit 0
# Judged matches first, since they have more tags. One match is left to be analysed while the
# visitor watches.
samples() {
    "$intrinsic" import --quiet static/samples/judged/*.ndjson.zst
    "$intrinsic" import --quiet static/samples/world_championships_1886-1985.pgn.zst
    "$intrinsic" import --quiet --analyse static/samples/unjudged.pgn
    [ "${SAMPLES:-yes}" = standard ] ||
        "$intrinsic" import --quiet static/samples/rating.ndjson.zst static/champions/*.ndjson.zst
}
said=$(samples)
printf '%s\n' "$said" | awk '/ games read, / { read += $2; stored += $5 }
    END { if (read) printf "samples and champions: %d games read, %d stored\n", read, stored }'
