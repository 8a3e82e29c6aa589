# Reads server/predictors.def for a generator that stands after it on the command line, as its file does
# before the generator's:
#   registry_words(NAME)      "a|b", for `@NAME' among the words of a choice (resources.def): predictors,
#                             royale (the predictors that take part in it)
#   registry_members(NAME)    lines of a shape, for a line `@NAME' in it (members.def)
# The generator has `die'.

function registry_value(    at) {
    match($0, /[a-z]+[ \t]*/)
    at = substr($0, RSTART + RLENGTH)
    if (at == "") die("want `" $1 " …'")
    return at
}

FILENAME ~ /predictors\.def$/ && /^[ \t]*(#|$)/ { next }

FILENAME ~ /predictors\.def$/ && $1 == "predictor" {
    registry_end()
    if (split($0, registry_part, / \| /) != 2 || $2 !~ /^[a-z][a-z0-9_]*$/) die("want `predictor NAME | LABEL'")
    if (($2, "label") in predictor) die($2 " is there twice")
    predictors[++n_predictors] = $2
    predictor[$2, "label"] = registry_part[2]
    next
}

FILENAME ~ /predictors\.def$/ {
    if ($1 !~ /^(phrase|from|member|method|reads|royale|tested|title|text)$/) die("what is " $1)
    if (n_predictors == 0) die("want `predictor NAME | LABEL' first")
    if ($1 == "reads" && $2 !~ /^(turns|lines|ratings)$/) die("want `reads turns|lines|ratings'")
    if ((predictors[n_predictors], $1) in predictor) die($1 " is there twice")
    predictor[predictors[n_predictors], $1] = registry_value()
    next
}

FNR == 1 { registry_end() }

# Nothing is left out of the last one.
function registry_end(    name, want, n, i) {
    name = predictors[n_predictors]
    n = n_predictors == 0 ? 0 : split("phrase from member method reads title text", want, " ")
    for (i = 1; i <= n; i++)
        if (!((name, want[i]) in predictor)) die("before: " name " has no line `" want[i] "'")
}

function registry_words(list,    i, out) {
    if (list !~ /^(predictors|royale)$/) die("no list @" list)
    for (i = 1; i <= n_predictors; i++)
        if (list == "predictors" || (predictors[i], list) in predictor)
            out = out (out == "" ? "" : "|") predictors[i]
    return out
}

# "a|@predictors|b" with the words of the list.
function registry_expand(words,    n, i, part, out) {
    n = split(words, part, "|")
    for (i = 1; i <= n; i++)
        out = out (i == 1 ? "" : "|") (part[i] ~ /^@/ ? registry_words(substr(part[i], 2)) : part[i])
    return out
}

# Lines of a shape, the number of them being returned.
function registry_members(list, lines,    i, part) {
    if (list != "predictors") die("no list @" list)
    for (i = 1; i <= n_predictors; i++) {
        split(predictor[predictors[i], "member"], part, / \| /)
        lines[i] = predictors[i] " | prediction* | optional | score | 3 | " part[1] " | " part[2]
    }
    return n_predictors
}
