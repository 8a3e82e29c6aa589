# Names as in static/samples where the collections spell a player otherwise, so that both are one
# player.
BEGIN {
    FS = "\t"
    while ((getline <names) > 0)
        to["\"" $1 "\""] = "\"" $2 "\""
}
{
    for (from in to) {
        for (colour = 1; colour <= 2; colour++) {
            tag = (colour == 1 ? "\"White\":" : "\"Black\":") from
            at = index($0, tag)
            if (at > 0)
                $0 = substr($0, 1, at - 1) substr(tag, 1, 8) to[from] substr($0, at + length(tag))
        }
    }
    print
}
