#!/bin/sh
# add.sh <EXPORT: writes the games of `intrinsic export --judge=rating --figures` that the parts here
# do not have, or not with all their analysed sides, as the next part.
set -eu
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

# Identities over all parts; a part that has them already stays as it is, to the byte.
names() {
    zstd -dcq "$here"/../samples/judged/*.zst | grep -oE '"(White|Black)":"[^"]*"' |
        sed -E 's/^"(White|Black)":"(.*)"$/\2/' | sort -u
}
for file in "$here"/rating.*.ndjson.zst; do
    {
        names
        echo
        zstd -dcq "$here"/rating.*.ndjson.zst
        echo
        zstd -dcq "$file"
    } | awk -f "$here/ids.awk" >"$here/new"
    zstd -dcq "$file" | cmp -s - "$here/new" || zstd -q -19 -f "$here/new" -o "$file"
    rm "$here/new"
done
