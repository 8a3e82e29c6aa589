# Turns what server/registry.awk has read into gen/predictor_list.h: one macro for each list of
# predictors that C has, an initialiser of what the comment beside it names.

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
    if (list == "METHODS") return has_method(name) ? "IPR_METHOD_" toupper(method[1]) : ""
    if (list == "VERSIONS")
        return has_method(name) ? "[IPR_METHOD_" toupper(method[1]) "] = { " q(method[1]) ", " method[2] " }" : ""
    if (list == "FUNCTIONS") return "ipr_predict_" name " IPR_CHECK"
    if (list == "ROWS")
        return "{ " q(name) ", " q(tested(name)) ", ipr_predict_" name ", offsetof(struct ipr_figure_predictions, " name "), " \
            (reads == "turns" ? "true" : "false") ", " (reads == "lines" ? "true" : "false") " }"
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

END {
    if (failed) exit 1
    registry_end()
    print "/* Generated from server/predictors.def by predictors.awk. */\n"
    print_list("METHODS", "enum ipr_method: those of their own")
    print_list("VERSIONS", "view/figure/figure.c: their names and versions")
    print_list("FUNCTIONS", "view/prediction/predict.h")
    print_list("ROWS", "view/prediction/predict.c")
    print_list("ROYALE", "view/report/royale.c")
    print_list("LABEL", "name, and what people read of it")
    print_list("PHRASE", "within a sentence")
    print_list("FROM", "what it predicts from")
    print_list("TITLE", "heading of its section")
    print_list("TEXT", "text of its section")
}
