#!/bin/bash
# Files of these folders call each other in one direction, as the linker sees it: who reads one file needs
# to know those below it alone.
set -u
cd "$(dirname "$0")/../.." || exit
build=${1:?usage: circles.sh BUILD_DIR}
bad=0

for folder in analysis/* server/* server/{http,view}/* lab lab/* fetch api; do
    objects=()
    for source in "$folder"/*.c; do
        object=$build/${source%.c}.o # of lab/ there may be none, or an old one
        [ "$source" -nt "$object" ] || objects+=("$object")
    done
    [ ${#objects[@]} -gt 1 ] || continue
    # "FILE:VALUE T NAME" where a function is, "FILE: U NAME" where it is called.
    circle=$(nm -Ag "${objects[@]}" | awk '
        { file = $1; sub(/:.*/, "", file); sub(/.*\//, "", file); sub(/\.o$/, ".c", file) }
        $(NF - 1) ~ /U$/ { calls[file, $NF] }
        $(NF - 1) !~ /U$/ { home[$NF] = file }
        END {
            for (call in calls) {
                split(call, of, SUBSEP)
                if (of[2] in home && home[of[2]] != of[1])
                    print of[1], home[of[2]]
            }
        }' | tsort 2>&1 >/dev/null | sed -n '2,$s/^tsort: //p' | grep -v '^-: ' | sort -u | tr '\n' ' ')
    [ -z "$circle" ] || { echo "$folder: a circle of $circle"; bad=1; }
done
exit $bad
