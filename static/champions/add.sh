#!/bin/sh
# add.sh [INTRINSIC] <EXPORT: writes the games of `intrinsic export --judge=rating --figures` that the
# parts here do not have, or not with all their analysed sides, as the next part.
set -eu
intrinsic=${1:-intrinsic}
here=$(cd "$(dirname "$0")" && pwd)
part=1
while [ -e "$here/rating.$part.ndjson.zst" ]; do part=$((part + 1)); done

awk -v names="$here/names.tsv" -f "$here/names.awk" | {
    [ $part -eq 1 ] || zstd -dcq "$here"/rating.*.ndjson.zst
    echo
    cat
} | awk '
    # The key of the moves, and the sides that have figures.
    function sides(    k) {
        match($0, /"key":"[0-9a-f]*"/)
        k = substr($0, RSTART + 7, RLENGTH - 8)
        return k (/"mover":"w"/ ? "w" : "") (/"mover":"b"/ ? "b" : "")
    }
    $0 == "" { added = 1; next }
    !added { known[sides()]; next }
    /"White":"Kramnik, Vladimir".*"Black":"Kramnik, Vladimir"/ { next } # so in its collection
    /"moves":{"plies":[01],/ { next } # forfeits
    !(sides() in known)
' | zstd -q -19 >"$here/new.zst"
mv "$here/new.zst" "$here/rating.$part.ndjson.zst"

# The same over all parts; a part that has it already stays as it is, to the byte.
samples() {
    for sample in "$here"/../samples/judged/*.zst "$here"/../samples/*.pgn*; do
        "$intrinsic" import --dry-run --report=ndjson "$sample" | grep '"digest"' |
            sed -E 's/.*"white":"([^"]*)".*"black":"([^"]*)".*"digest":"([0-9a-f]{16}).*/\3\t\1\t\2/' >"$here/new"
        zstdcat -fq "$sample" | grep -oE '(\[Date |"Date":)"[^"]*"' | sed -E 's/.*"([^"]*)"$/\1/' |
            paste "$here/new" -
    done
}
for file in "$here"/rating.*.ndjson.zst; do
    {
        samples
        echo
        zstd -dcq "$here"/rating.*.ndjson.zst
        echo
        zstd -dcq "$file"
    } | awk -f "$here/same.awk" >"$here/new.ndjson"
    zstd -dcq "$file" | cmp -s - "$here/new.ndjson" || zstd -q -19 -f "$here/new.ndjson" -o "$file"
    rm "$here/new" "$here/new.ndjson"
done
