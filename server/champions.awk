# Turns server/champions.def into the rows of gen/champions_table.h, for server/core/champions.c. Errors stop the
# build.

function die(why) {
    printf "%s:%d: %s\n", FILENAME, FNR, why > "/dev/stderr"
    exit 1
}

BEGIN {
    FS = " *[|] *"
    print "/* Generated from server/champions.def by server/champions.awk. */"
}

/^(#.*)?$/ { next }

/["\\]/ || NF != 3 || $1 == "" || $2 == "" { die("want NAME | SPELLING; SPELLING | YEARS") }

{
    n = split($2, spelled, " *; *")
    printf "{ \"%s\", {", $1
    for (i = 1; i <= n; i++) {
        if (spelled[i] in of) die("\"" spelled[i] "\" is " of[spelled[i]] ", too")
        of[spelled[i]] = $1
        printf " \"%s\",", spelled[i]
    }
    n = split($3, reigns, " ")
    printf " NULL }, {"
    for (i = 1; i <= n; i++) {
        if (reigns[i] !~ /^[12][0-9][0-9][0-9]-([12][0-9][0-9][0-9])?$/) die("want years as 1937-1946, not " reigns[i])
        split(reigns[i], year, "-")
        if (year[2] != "" && year[2] < year[1]) die("a reign ends before it begins")
        printf " { %d, %d },", year[1], year[2]
    }
    print " { 0, 0 } } },"
}
