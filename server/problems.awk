# Turns server/problems.def into the rows of gen/problem_types.h, for server/http/base/problems.c. Errors
# stop the build.

function die(why) {
    printf "%s:%d: %s\n", FILENAME, FNR, why > "/dev/stderr"
    exit 1
}

function quoted(s) { gsub(/["\\]/, "\\\\&", s); return "\"" s "\"" }

function text(    line) {
    if ((getline line) <= 0 || line !~ /^    [^ ]/) die("want two lines: the meaning, what to do")
    return quoted(substr(line, 5))
}

BEGIN { print "/* Generated from server/problems.def by server/problems.awk. */" }

/^(#.*)?$/ { next }

$1 == "problem" && NF > 3 && $3 ~ /^[45][0-9][0-9]$/ {
    if ($3 < status) die("want the types by their status")
    status = $3
    title = substr($0, index($0, " " status " ") + 5)
    type = quoted($2)
    meaning = text()
    printf "{ %s, %d, %s, %s, %s },\n", type, status, quoted(title), meaning, text()
    next
}

{ die("want `problem TYPE STATUS TITLE'") }
