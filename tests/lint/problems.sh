#!/bin/bash
# Every type of an error that a client may see is in server/problems.def, and every one there
# is of a type that is used: /problems/{type} says what it means.
set -u
cd "$(dirname "$0")/../.." || exit
bad=0

# Types are the first text in the call of a function that makes or refuses something, or stand in
# the reader's own table of faults.
calls='(\w*(?:err_at|err_type|problem_make|denied|conflict|refuse|fail|_bad|\bbad))\(([^";{}]*)"([a-z]+(?:_[a-z]+)+)"'
# A type of one word, where no other text can stand.
words='(\w*(?:err_at|err_type|problem_make|denied|conflict))\(([^";{}]*)"([a-z]+)"'
faults='\{ IPR_PGN_\w+, "([a-z_]+)", "'
# Not of requests: the command line, engines, templates, files read at start.
mapfile -t sources < <(find server analysis -name '*.c' | grep -vE \
    '^server/(command|engine|tmpl)/|core/(ssp|spelling|rating_file|definition_json)\.c|uci/session\.c')
used=$({
    perl -0777 -ne "while (/$calls/g) { print \"\$3\\n\" }" "${sources[@]}"
    perl -0777 -ne "while (/$words/g) { print \"\$3\\n\" }" "${sources[@]}"
    perl -0777 -ne "while (/$faults/g) { print \"\$1\\n\" }" "${sources[@]}"
    sed -nE 's/^#define IPR_DB_(AWAY|SCHEMA) +"(.*)"$/\2/p' server/db/db.h
    # Types of errors without one of their own.
    perl -0777 -ne 'while (/return "([a-z_]+)";/g) { print "$1\n" }' server/http/base/reply.c
} | sort -u)
known=$(awk '$1 == "problem" { print $2 }' server/problems.def | sort)

[ "$(wc -l <<<"$known")" -gt 50 ] || { echo 'problems.def was not understood'; bad=1; }
[ "$known" = "$(uniq <<<"$known")" ] || { echo "twice: $(uniq -d <<<"$known")"; bad=1; }
while read -r type; do
    [ -n "$type" ] || continue
    echo "server/problems.def has no $type"
    bad=1
done < <(comm -23 <(echo "$used") <(echo "$known"))
while read -r type; do
    grep -rqF --include='*.c' --include='*.h' "\"$type\"" server analysis && continue
    echo "server/problems.def: nothing is of type $type"
    bad=1
done <<<"$known"
exit $bad
