# One player, one identity: a name that has a FIDE id in some games gets it in all; but players of
# ../samples, where nobody has one, have none. Reads the names of the samples (a line each), "",
# then the games twice with "" between.
function add_id(colour,    tag, of) {
    tag = "\"" colour "\":\"([^\"\\\\]|\\\\.)*\"(,\"" colour "FideId\":\"[0-9]+\")?"
    if (!match($0, tag))
        return
    of = substr($0, RSTART, RLENGTH)
    name = of
    id = ""
    if (match(of, ",\"" colour "FideId\":\"")) {
        id = substr(of, RSTART + RLENGTH)
        sub("\"$", "", id)
        name = substr(of, 1, RSTART - 1)
    }
    name = substr(name, length(colour) + 4)
    if (part == 1) {
        if (id != "" && known[name] != "" && known[name] != id)
            several[name]
        if (id != "")
            known[name] = id
        return
    }
    id = name in of_samples || name in several ? "" : known[name]
    match($0, tag)
    $0 = substr($0, 1, RSTART - 1) "\"" colour "\":" name \
        (id != "" ? ",\"" colour "FideId\":\"" id "\"" : "") substr($0, RSTART + RLENGTH)
}
$0 == "" { part++; next }
part == 0 { of_samples["\"" $0 "\""]; next }
{ add_id("White"); add_id("Black") }
part == 2
