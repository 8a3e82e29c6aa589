# Turns sql/queries/*.sql into a C header: an enum, and (where IPR_QUERIES_TABLE is defined) a table
# with the name, the text and the number of parameters of each query. The number is computed: the
# highest $n outside comments and quotes. What is wrong stops the build.

function die(why) {
    printf "%s:%d: %s\n", FILENAME, FNR, why > "/dev/stderr"
    failed = 1
    exit 1
}

function finish() {
    if (name != "" && sql[count] !~ /[^ \t\n]/)
        die("query " name " is empty")
    name = ""
}

function n_params(text,    i, c, two, state, num, max, seen) {
    split("", seen)
    for (i = 1; i <= length(text); i++) {
        c = substr(text, i, 1)
        two = substr(text, i, 2)
        if (state == "") {
            if (two == "--")
                state = "\n"
            else if (c == "'" || c == "\"")
                state = c
            else if (two ~ /^\$[1-9]/) {
                match(substr(text, i + 1), /^[0-9]+/)
                num = substr(text, i + 1, RLENGTH) + 0
                seen[num] = 1
                if (num > max)
                    max = num
            }
        } else if (c == state)
            state = ""
    }
    for (i = 1; i <= max; i++)
        if (!(i in seen))
            return -i
    return max + 0
}

function literal(text) {
    sub(/\n+$/, "", text)
    gsub(/\\/, "&&", text)
    gsub(/"/, "\\\"", text)
    gsub(/\n/, "\\n\"\n      \"", text)
    return "\"" text "\""
}

FNR == 1 { finish() }

/^-- name:/ {
    finish()
    name = $3
    if (NF != 3 || name !~ /^[a-z][a-z0-9_]*$/)
        die("want `-- name: some_query'")
    if (name in where)
        die("query " name " is there already, in " where[name])
    where[name] = FILENAME
    names[++count] = name
    sql[count] = ""
    next
}

name == "" {
    if ($0 !~ /^[ \t]*(--.*)?$/)
        die("a query without a name")
    next
}

{ sql[count] = sql[count] $0 "\n" }

END {
    if (failed)
        exit 1
    finish()
    print "/* Generated from sql/queries by sql/gen_queries.awk. */"
    print "#ifndef IPR_GEN_QUERIES_H\n#define IPR_GEN_QUERIES_H\n"
    print "enum ipr_query {"
    for (i = 1; i <= count; i++)
        print "    IPR_Q_" toupper(names[i]) ","
    print "    IPR_Q_COUNT\n};\n"
    for (i = 1; i <= count; i++) {
        params[i] = n_params(sql[i])
        if (params[i] < 0) {
            printf "%s: query %s uses no $%d\n", where[names[i]], names[i],
                -params[i] > "/dev/stderr"
            failed = 1
        }
        if (params[i] > most)
            most = params[i]
    }
    if (failed)
        exit 1
    print "#define IPR_Q_PARAMS_MAX " (most > 0 ? most : 1) "\n"
    print "#ifdef IPR_QUERIES_TABLE"
    print "#pragma GCC diagnostic push\n#pragma GCC diagnostic ignored \"-Woverlength-strings\""
    print "static const struct ipr_query_text {\n    const char *name, *sql;\n    int n_params;"
    print "} ipr_queries[IPR_Q_COUNT] = {"
    for (i = 1; i <= count; i++)
        printf "    { \"%s\",\n      %s,\n      %d },\n", names[i], literal(sql[i]), params[i]
    print "};\n#pragma GCC diagnostic pop\n#endif\n\n#endif"
}
