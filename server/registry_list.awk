# Turns what server/registry.awk has read into gen/registry.h: one macro for each list of predictors,
# ratings and methods that C has, an initialiser of what the comment beside it names.

function die(why) {
    printf "%s:%d: %s\n", FILENAME, FNR, why > "/dev/stderr"
    failed = 1
    exit 1
}

function q(text) {
    gsub(/\\/, "&&", text)
    gsub(/"/, "\\\"", text)
    return "\"" text "\""
}

# Whether the method is its own: its name and its version.
function has_method(name) { return split(predictor[name, "method"], method, " ") == 2 }

function tested(name) { return ((name, "tested") in predictor) ? predictor[name, "tested"] : name }

function one(list, name,    reads) {
    reads = predictor[name, "reads"]
    if (list == "FUNCTIONS") return "ipr_predict_" name " IPR_CHECK"
    if (list == "ROWS")
        return "{ " q(name) ", " q(tested(name)) ", ipr_predict_" name ", offsetof(struct ipr_figure_predictions, " name "), " \
            (reads ~ /^(turns|published)$/ ? "true" : "false") ", " (reads == "published" ? "true" : "false") ", " (reads == "lines" ? "true" : "false") " }"
    if (list == "ROYALE") {
        if (!((name, "royale") in predictor)) return ""
        has_method(name)
        return "{ " q(name) ", " q(tested(name)) ", IPR_ROYALE_" toupper(predictor[name, "royale"]) ", IPR_METHOD_" toupper(method[1]) " }"
    }
    return "{ " q(name) ", " q(predictor[name, tolower(list)]) " }"
}

function print_list(list, about,    i, text, out) {
    for (i = 1; i <= n_predictors; i++)
        if ((text = one(list, predictors[i])) != "") out = out (out == "" ? "" : ",") " \\\n    " text
    printf "/* %s */\n#define IPR_PREDICTOR_%s%s\n\n", about, list, out
}

# A macro of lines.
function print_lines(name, about, line, n,    i, out) {
    for (i = 1; i <= n; i++)
        if (line[i] != "") out = out (out == "" ? "" : ",") " \\\n    " line[i]
    printf "/* %s */\n#define IPR_%s%s\n\n", about, name, out
}

function print_methods(    i, n, name, row) {
    for (i = 1; i <= n_predictors; i++)
        if (has_method(predictors[i])) {
            methods[++n_methods] = method[1]
            version[method[1]] = method[2]
        }
    for (i = 1; i <= n_methods; i++) {
        name[i] = "IPR_METHOD_" toupper(methods[i])
        row[i] = "[" name[i] "] = { " q(methods[i]) ", " version[methods[i]] " }"
    }
    print_lines("METHOD_NAMES", "enum ipr_method", name, n_methods)
    print_lines("METHOD_ROWS", "view/figure/figure.c: their names and versions", row, n_methods)
}

function bit(name) { return "IPR_RATE_" toupper(name) }

# Those of a rating on request are its bits in `include`.
function print_ratings(    i, n, how, name, bits, usual, row, fn) {
    for (i = 1; i <= n_ratings; i++) {
        name = ratings[i]
        how = rating[name, "rated"]
        if (how == "beside") continue
        bits[++n] = bit(name) " = " (how == "include" ? "IPR_RATINGS_INCLUDE_" toupper(name) : "1 << " (15 + n))
        usual = usual (how == "always" ? (usual == "" ? "" : " | ") bit(name) : "")
        row[n] = "{ " bit(name) ", ipr_rate_" name ", offsetof(struct ipr_figure_ratings, " name ") }"
        fn[n] = "ipr_rate_" name " IPR_CHECK"
    }
    bits[n + 1] = "IPR_RATE_DEFAULT = " usual
    print_lines("RATING_BITS", "view/rating/rate.h", bits, n + 1)
    print_lines("RATING_FUNCTIONS", "view/rating/rate.h", fn, n)
    print_lines("RATING_ROWS", "view/rating/methods.c", row, n)
}

function of_value(name, what) { return ((name, what) in value) && value[name, what] != "-" ? q(value[name, what]) : "NULL" }

function print_values(    i, name, line, part, term) {
    for (i = 1; i <= n_values; i++) {
        name = values[i]
        term = split(((name, "row") in value) ? value[name, "row"] : "", part, / \| /) > 1 ? q(part[2]) : "NULL"
        line[i] = "{ .path = " q(name) ", .name = " q(value[name, "name"]) ", .scaled = " of_value(name, "scaled") \
            ", .plot = " of_value(name, "plot") ", .row = " (part[1] == "" ? "NULL" : q(part[1])) ", .term = " term \
            ", .apart = " (((name, "apart") in value) ? "true" : "false") " }"
        split("", part)
    }
    print_lines("RATING_VALUES", "view/page/ratings.c", line, n_values)
}

END {
    if (failed) exit 1
    registry_end()
    print "/* Generated from server/predictors.def and server/ratings.def by registry_list.awk. */\n"
    print_methods()
    print_list("FUNCTIONS", "view/prediction/predict.h")
    print_list("ROWS", "view/prediction/methods.c")
    print_list("ROYALE", "view/report/royale.c")
    print_list("LABEL", "name, and what people read of it")
    print_list("PHRASE", "within a sentence")
    print_list("FROM", "what it predicts from")
    print_list("TITLE", "heading of its section")
    print_list("TEXT", "text of its section")
    print_ratings()
    print_values()
}
