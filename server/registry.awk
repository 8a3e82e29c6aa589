# Reads server/predictors.def and server/ratings.def for a generator that stands after it on the command
# line, as these files do before the generator's:
#   registry_words(NAME)      "a|b", for `@NAME' among the words of a choice (resources.def): predictors,
#                             royale (the predictors that take part in it), ratings (those on request)
#   registry_paths()          "a b", for `@scaled' among the paths of a table (resources.def): the values on
#                             the Elo scale
#   registry_members(NAME)    lines of a shape, for a line `@NAME' in it (members.def): predictors, ratings, params
#                             (those of one predictor alone)
#   predictor_param[i]        lines `param', for `@params' (resources.def), 1 <= i <= n_predictor_params
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

FILENAME ~ /predictors\.def$/ && $1 == "param" {
    if (n_predictors == 0 || !match($0, / \| /)) die("want `param NAME TYPE … | help' of a predictor")
    predictor_param[++n_predictor_params] = substr($0, 1, RSTART - 1) " for=" predictors[n_predictors] substr($0, RSTART)
    param_name[n_predictor_params] = $2
    next
}

FILENAME ~ /predictors\.def$/ && $1 == "echo" {
    if (n_predictor_params == 0 || split($0, registry_part, / *\| */) < 4) die("want `echo TYPE | UNIT | DIGITS | MEANING' of a param")
    predictor_echo[n_predictor_params] = registry_value()
    next
}

FILENAME ~ /predictors\.def$/ {
    if ($1 !~ /^(phrase|from|member|method|reads|royale|tested|title|text)$/) die("what is " $1)
    if (n_predictors == 0) die("want `predictor NAME | LABEL' first")
    if ($1 == "reads" && $2 !~ /^(turns|published|lines|ratings)$/) die("want `reads turns|published|lines|ratings'")
    if ((predictors[n_predictors], $1) in predictor) die($1 " is there twice")
    predictor[predictors[n_predictors], $1] = registry_value()
    next
}

FILENAME ~ /ratings\.def$/ && /^[ \t]*(#|$)/ { next }

FILENAME ~ /ratings\.def$/ && $1 == "rating" {
    registry_end()
    if (NF != 2 || ($2, "member") in rating || $2 !~ /^[a-z][a-z0-9_]*$/) die("want `rating NAME', once")
    ratings[++n_ratings] = $2
    next
}

FILENAME ~ /ratings\.def$/ && $1 == "value" {
    registry_end()
    if (split($0, registry_part, / \| /) != 2) die("want `value PATH | NAME'")
    values[++n_values] = $2
    value[$2, "name"] = registry_part[2]
    next
}

FILENAME ~ /ratings\.def$/ && $1 == "method" {
    if (NF < 3 || (NF > 3 && $4 != "|")) die("want `method NAME VERSION [| WHAT]'")
    methods[++n_methods] = $2
    version[$2] = $3
    next
}

FILENAME ~ /ratings\.def$/ && n_values > 0 {
    if ($1 !~ /^(apart|scaled|plot|row)$/) die("what is " $1)
    value[values[n_values], $1] = $1 == "apart" ? "true" : registry_value()
    next
}

FILENAME ~ /ratings\.def$/ {
    if ($1 !~ /^(member|rated)$/) die("what is " $1)
    if (n_ratings == 0) die("want `rating NAME' first")
    if ($1 == "rated" && $2 !~ /^(always|include|beside)$/) die("want `rated always|include|beside'")
    if ($1 == "member" && split($0, registry_part, /\|/) < 4) die("want `member TYPE | UNIT | DIGITS | MEANING'")
    if ((ratings[n_ratings], $1) in rating) die($1 " is there twice")
    rating[ratings[n_ratings], $1] = registry_value()
    next
}

FNR == 1 { registry_end() }

# Nothing is left out of the last one.
function registry_end(    name, want, n, i) {
    n = split("phrase from member method reads title text", want, " ")
    name = predictors[n_predictors]
    for (i = 1; n_predictors > 0 && i <= n; i++)
        if (!((name, want[i]) in predictor)) die("before: " name " has no line `" want[i] "'")
    name = ratings[n_ratings]
    if (n_ratings > 0 && !((name, "member") in rating && (name, "rated") in rating))
        die("before: " name " has no lines `member' and `rated'")
    name = values[n_values]
    if (n_values > 0 && ((name, "scaled") in value) != ((name, "plot") in value))
        die("before: " name " has one of `scaled' and `plot' alone")
}

function registry_words(list,    i, out) {
    if (list !~ /^(predictors|royale|ratings)$/) die("no list @" list)
    for (i = 1; list == "ratings" && i <= n_ratings; i++)
        if (rating[ratings[i], "rated"] == "include")
            out = out (out == "" ? "" : "|") ratings[i]
    for (i = 1; list != "ratings" && i <= n_predictors; i++)
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

function registry_paths(    i, out) {
    for (i = 1; i <= n_values; i++)
        if ((values[i], "scaled") in value) out = out (out == "" ? "" : " ") values[i]
    return out
}

# Lines of a shape, the number of them being returned.
function registry_members(list, lines,    i, n, part, source) {
    if (list !~ /^(predictors|ratings|params)$/) die("no list @" list)
    for (i = 1; list == "params" && i <= n_predictor_params; i++) {
        source = split(predictor_echo[i], part, / *\| */) > 4 ? part[5] : ""
        lines[i] = param_name[i] " | " part[1] " | optional | " part[2] " | " part[3] " | " part[4] " | " source
    }
    if (list == "params") return n_predictor_params
    n = list == "ratings" ? n_ratings : n_predictors
    for (i = 1; i <= n; i++)
        if (list == "predictors") {
            source = split(predictor[predictors[i], "member"], part, / \| /) > 1 ? part[2] : ""
            lines[i] = predictors[i] " | prediction* | optional | score | 3 | " part[1] " | " source
        } else {
            source = split(rating[ratings[i], "member"], part, / *\| */) > 4 ? part[5] : ""
            lines[i] = ratings[i] " | " part[1] " | optional | " part[2] " | " part[3] " | " part[4] " | " source
        }
    return n
}
