#!/bin/bash
# A static function's name stands for itself in a backtrace, a profile and a search: no two .c
# files define the same one, and none is a bare word such as run, take or find.
set -u
cd "$(dirname "$0")/../.." || exit

mapfile -t sources < <(find analysis api server fetch -name '*.c' | sort)
awk '
# A definition starts in the first column with "static"; its name is what the first "(" follows.
function name_of(line) {
    sub(/\(.*/, "", line)
    sub(/.*[ *]/, "", line)
    return line
}
FNR == 1 { open = "" }
/^static [^=;]*\(/ { open = $0 }
open != "" && /;[ ]*$/ && !/\{/ { open = "" }  # a prototype
/^\{/ && open != "" {
    name = name_of(open)
    open = ""
    if (name !~ /_/) {
        print FILENAME ": " name " does not name its subject"
        bad = 1
    }
    if (name in first && first[name] != FILENAME) {
        print FILENAME ": " name " is also in " first[name]
        bad = 1
    }
    first[name] = FILENAME
}
END { exit bad }' "${sources[@]}"
