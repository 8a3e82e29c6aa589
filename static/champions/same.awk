# One player, one identity: a name that has a FIDE id in some games gets it in all; but players of
# ../samples, where nobody has one, have none. A name with several ids keeps each where it is.
#
# One game, one date: of a match that crosses the new year some collections have the year it began
# in. Long games of the same players with the same moves are one game, with the date of the samples,
# else with the one that says most.
#
# Reads games of the samples ("key TAB white TAB black TAB date"), "", then the games twice with ""
# between.
BEGIN { FS = "\t" }

# Takes the name and the FIDE id of a colour; `at` and `length_of` are where they stand.
function find(colour) {
    if (!match($0, "\"" colour "\":\"([^\"\\\\]|\\\\.)*\"(,\"" colour "FideId\":\"[0-9]+\")?"))
        return 0
    at = RSTART
    length_of = RLENGTH
    name = substr($0, at + length(colour) + 4, length_of - length(colour) - 4)
    id = ""
    if (match(name, "\",\"" colour "FideId\":\"")) {
        id = substr(name, RSTART + RLENGTH, length(name) - RSTART - RLENGTH)
        name = substr(name, 1, RSTART - 1)
    } else {
        sub("\"$", "", name)
    }
    return 1
}

function know(colour) {
    if (!find(colour) || id == "")
        return
    if (known[name] != "" && known[name] != id)
        several[name]
    known[name] = id
}

function identify(colour) {
    if (!find(colour) || name in several)
        return
    id = name in of_samples ? "" : known[name]
    $0 = substr($0, 1, at - 1) "\"" colour "\":\"" name "\"" \
        (id != "" ? ",\"" colour "FideId\":\"" id "\"" : "") substr($0, at + length_of)
}

# What is the same of a game everywhere; "" of a short one, which others can have played, too.
function game(    plies, key) {
    match($0, /"plies":[0-9]+/)
    plies = substr($0, RSTART + 8, RLENGTH - 8)
    match($0, /"key":"[0-9a-f]+"/)
    key = substr($0, RSTART + 7, RLENGTH - 8)
    find("White")
    key = key "\t" name
    find("Black")
    return plies + 0 < 16 ? "" : key "\t" name
}

function said(day) {
    return gsub(/[0-9]/, "", day)
}

function date(    day, of) {
    of = game()
    if (of == "" || !match($0, /"Date":"[^"]*"/))
        return
    day = substr($0, RSTART + 8, RLENGTH - 9)
    if (part == 1 && said(day) > said(played[of]))
        played[of] = day
    else if (part == 2)
        $0 = substr($0, 1, RSTART + 7) played[of] substr($0, RSTART + RLENGTH - 1)
}

$0 == "" { part++; next }
part == 0 {
    of_samples[$2]
    of_samples[$3]
    played[$1 "\t" $2 "\t" $3] = $4
    next
}
part == 1 { know("White"); know("Black") }
part == 2 { identify("White"); identify("Black") }
{ date() }
part == 2
