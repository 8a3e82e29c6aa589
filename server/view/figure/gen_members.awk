# Turns members.def and answers.def into C (structures and tables, included by view/figure/shape.h
# and shape.c; rows of the database for view/rows.c) or, with -v form=md, into docs/members.md. Shapes
# of answers.def have no structure, but those `of` one that server/db has. What is wrong stops the build.

function die(why) {
    printf "%s:%d: %s\n", FILENAME, FNR, why > "/dev/stderr"
    failed = 1
    exit 1
}

function trim(text) {
    gsub(/^[ \t]+|[ \t]+$/, "", text)
    return text
}

function type_name(shape) {
    return "struct ipr_figure" (shape == "figure" ? "" : "_" shape)
}

BEGIN {
    split("number count flag text time interval counts", words, " ")
    for (i in words)
        simple[words[i]] = 1
    c_type["number"] = "double"; c_type["count"] = "size_t"; c_type["flag"] = "int"
    c_type["text"] = "const char *"; c_type["interval"] = "struct ipr_interval"
    c_type["counts"] = "struct ipr_figure_counts"
}

/^#/ || /^[ \t]*$/ { next }

/^shape / {
    split($0, part, "|")
    n = split(trim(substr(part[1], 7)), head, /[ :,]+/)
    shape = head[1]
    if (shape !~ /^[a-z][a-z0-9_]*$/ || shape in own)
        die("not a new shape: " shape)
    shapes[++n_shapes] = shape
    if (head[2] == "of") {
        row_of[shape] = "struct ipr_db_" head[3]
        for (i = 2; i + 2 <= n; i++)
            head[i] = head[i + 2]
        n -= 2
    }
    own[shape] = 0
    plain[shape] = FILENAME ~ /answers\.def$/
    unit_of[shape] = trim(part[2])
    digits_of[shape] = trim(part[3])
    what[shape] = trim(part[4])
    source_of[shape] = trim(part[5])
    size[shape] = n_bases[shape] = 0
    for (i = 2; i <= n; i++) {
        base[shape, ++n_bases[shape]] = head[i]
        if (!(head[i] in own))
            die("shape " head[i] " is not known yet")
        for (j = 1; j <= size[head[i]]; j++)
            inherit(shape, head[i], j)
    }
    next
}

function inherit(shape, from, j,    k) {
    k = ++size[shape]
    name[shape, k] = name[from, j]
    field[shape, k] = field[from, j]
    path[shape, k] = from "." path[from, j]
    type[shape, k] = type[from, j]
    when[shape, k] = when[from, j]
    unit[shape, k] = unit[from, j]
    digits[shape, k] = digits[from, j]
    meaning[shape, k] = meaning[from, j]
    cite[shape, k] = cite[from, j]
    index_of[shape, name[shape, k]] = k - 1
}

{
    if (split($0, part, "|") < 6)
        die("want name | type | when | unit | digits | meaning | source")
    k = ++size[shape]
    own[shape]++
    name[shape, k] = field[shape, k] = trim(part[1])
    if (sub(/ *=.*/, "", name[shape, k]))
        sub(/^[^=]*= */, "", field[shape, k])
    path[shape, k] = name[shape, k]
    type[shape, k] = trim(part[2])
    when[shape, k] = trim(part[3])
    unit[shape, k] = trim(part[4])
    digits[shape, k] = trim(part[5])
    meaning[shape, k] = trim(part[6])
    cite[shape, k] = trim(part[7])
    if (meaning[shape, k] == "")
        die("no meaning")
    check_type(type[shape, k], shape)
    if ((shape, name[shape, k]) in index_of && own_at(shape, name[shape, k]))
        die("twice: " name[shape, k])
    if (!((shape, name[shape, k]) in index_of))
        index_of[shape, name[shape, k]] = k - 1
}


function own_at(shape, member) {
    return path[shape, index_of[shape, member] + 1] == member
}

function check_type(text, shape,    i, n, part) {
    n = split(others(text), part, " ")
    part[++n] = bare(text)
    for (i = 1; i <= n; i++)
        if (part[i] != "ref" && !(part[i] in simple) && !(part[i] in own))
            die("no type " part[i])
    if (!plain[shape] && text !~ /^json / && (part[n] ~ /^(ref|time)$/ || n > 1 || dims(text) < 0))
        die("made elsewhere: json " text)
}

# The first type: "text" of "one of a, b", "ref" of "ref NAME", "count" of "json count[] or mate".
function bare(text) {
    sub(/^json /, "", text)
    if (text ~ /^one of /)
        return "text"
    if (text ~ /^ref /)
        return "ref"
    sub(/ or .*/, "", text)
    gsub(/[][*{}]/, "", text)
    return text
}

# The further types of "count or mate".
function others(text) {
    if (text ~ /^one of / || !sub(/^[^ ]+ or /, "", text))
        return ""
    gsub(/ or /, " ", text)
    return text
}

# "w, b" of "one of w, b".
function choices(text) {
    return sub(/^(json )?one of /, "", text) ? text : ""
}

# 1: a list, 2: a matrix, -1: an object of names.
function dims(text) {
    return text ~ /\{\}/ ? -1 : gsub(/\[\]/, "", text)
}

function storage(text) {
    return text ~ /^json / ? "JSON" : text ~ /\*$/ ? "POINTER" : "VALUE"
}

function declare(shape, k,    t, b, c) {
    t = type[shape, k]
    b = bare(t)
    c = b in simple ? c_type[b] : type_name(b)
    if (storage(t) == "JSON")
        return "json_t *" name[shape, k] "; /* taken over when it is written */"
    if (dims(t) > 0)
        return "struct {\n        const " c (c ~ /\*$/ ? "const *" : " *") "at;\n        size_t n;\n    } " name[shape, k] ";"
    if (storage(t) == "POINTER")
        return c " *" name[shape, k] ";"
    return c (c ~ /\*$/ ? "" : " ") name[shape, k] ";"
}

function when_code(shape, k,    w) {
    w = when[shape, k]
    if (w == "always" || w == "given")
        return "IPR_WHEN_" toupper(w)
    if (w == "optional" || w == "nullable")
        return w == "optional" ? "IPR_WHEN_KNOWN" : "IPR_WHEN_NULLABLE"
    return (shape, w) in index_of ? index_of[shape, w] : "IPR_WHEN_ALWAYS"
}

function q(text) {
    gsub(/`/, "", text)
    gsub(/\\/, "&&", text)
    gsub(/"/, "\\\"", text)
    return "\"" text "\""
}

function own_of(shape, text, of) {
    return text == "own" ? of : text
}

function print_struct(shape,    k) {
    printf "/* %s */\n%s {\n", what[shape], type_name(shape)
    for (k = 1; k <= n_bases[shape]; k++)
        printf "    %s %s;\n", type_name(base[shape, k]), base[shape, k]
    for (k = 1; k <= size[shape]; k++)
        if (index(path[shape, k], ".") == 0)
            printf "    %s\n", declare(shape, k)
    print "};\n"
}

function text_or_null(text) {
    return text == "" ? "NULL" : q(text)
}

function print_table(shape,    k, b, d, u, t, at) {
    printf "static const struct ipr_member members_of_%s[] = {\n", shape
    for (k = 1; k <= size[shape]; k++) {
        t = type[shape, k]
        b = bare(t)
        at = plain[shape] ? "0" : "offsetof(" type_name(shape) ", " path[shape, k] ")"
        u = own_of(shape, unit[shape, k], unit_of[shape])
        d = own_of(shape, digits[shape, k], digits_of[shape])
        printf "    { %s, IPR_MEMBER_%s, IPR_STORED_%s, %d, %s, IPR_SHAPE_%s, %s,\n      %s, %d,\n      %s,\n      %s, %s, %s, %s },\n",
            q(name[shape, k]), toupper(b in own ? "shape" : b), plain[shape] ? "JSON" : storage(t),
            dims(t), when_code(shape, k), toupper(b in own ? b : "none"), at, q(u),
            d == "" || d == "own" ? -1 : d, q(meaning[shape, k]), q(cite[shape, k]),
            text_or_null(choices(t)), text_or_null(others(t)), b == "ref" ? q(substr(t, 5)) : "NULL"
    }
    print "};\n"
}

# What a value that says nothing becomes, and from where on a count says something.
function row_when(w) {
    if (w == "given")
        return "ROW_GIVEN, 0"
    if (w == "optional")
        return "ROW_ABSENT, ROW_ALL"
    return "ROW_NULL, " (sub(/^always from /, "", w) ? w : "ROW_ALL")
}

function print_field(shape, parent, of, k, member, when_) {
    printf "    { %s, %s, ROW_FIELD(%s, %s), %s, %s },\n", text_or_null(parent), q(name[of, k]),
        row_of[shape], member, when_, text_or_null(choices(type[of, k]))
}

function print_row(shape,    k, j, b, part) {
    printf "static const struct row_member fields_of_%s[] = {\n", shape
    for (k = 1; k <= size[shape]; k++) {
        b = bare(type[shape, k])
        if (type[shape, k] ~ /^json /)
            continue
        if (dims(type[shape, k]))
            die(shape "." name[shape, k] " is a list, made elsewhere: json " type[shape, k])
        if (!(b in own)) {
            print_field(shape, "", shape, k, field[shape, k], row_when(when[shape, k]))
            continue
        }
        if (split(field[shape, k], part, /, */) != size[b])
            die(shape "." name[shape, k] ": want the " size[b] " fields of " b)
        for (j = 1; j <= size[b]; j++)
            print_field(shape, name[shape, k], b, j, part[j],
                when[shape, k] == "always" ? "ROW_PARENT_NULL, ROW_ALL" : row_when(when[b, j]))
    }
    print "};\n"
}

function print_rows(    i, s) {
    for (i = 1; i <= n_shapes; i++)
        if (shapes[i] in row_of)
            print_row(shapes[i])
    print "static const struct row_shape row_shapes[IPR_SHAPES] = {"
    for (i = 1; i <= n_shapes; i++)
        if ((s = shapes[i]) in row_of)
            printf "    [IPR_SHAPE_%s] = { fields_of_%s, sizeof fields_of_%s / sizeof *fields_of_%s, sizeof(%s) },\n",
                toupper(s), s, s, s, row_of[s]
    print "};\n"
}

function print_c(    i, s) {
    print "/* Generated from server/view/figure/members.def by gen_members.awk. */"
    print "#if !defined IPR_FIGURES_TABLE && !defined IPR_FIGURES_ROWS\n"
    print "enum ipr_shape_id {\n    IPR_SHAPE_NONE,"
    for (i = 1; i <= n_shapes; i++)
        printf "    IPR_SHAPE_%s,\n", toupper(shapes[i])
    print "    IPR_SHAPES\n};\n"
    for (i = 1; i <= n_shapes; i++)
        if (!plain[shapes[i]])
            print_struct(shapes[i])
    print "#elif defined IPR_FIGURES_ROWS\n"
    print_rows()
    print "#else\n"
    for (i = 1; i <= n_shapes; i++)
        print_table(shapes[i])
    print "static const struct ipr_shape shapes[IPR_SHAPES] = {"
    for (i = 1; i <= n_shapes; i++) {
        s = shapes[i]
        printf "    [IPR_SHAPE_%s] = { %s, %s, members_of_%s,\n        sizeof members_of_%s / sizeof *members_of_%s,\n        %s, %s, %s },\n",
            toupper(s), q(s), plain[s] ? "0" : "sizeof(" type_name(s) ")", s, s, s, q(unit_of[s]),
            q(what[s]), q(source_of[s])
    }
    print "};\n\n#endif"
}

function cell(text) {
    gsub(/\|/, "\\|", text)
    return text
}

function md_link(t) {
    return t in own ? "[" t "](#" t ")" : t
}

function md_type(text,    b, i, n, other) {
    b = bare(text)
    if (b == "ref")
        return "parameters"
    if (choices(text) != "")
        return "one of " choices(text)
    b = md_link(b)
    n = split(others(text), other, " ")
    for (i = 1; i <= n; i++)
        b = b " or " md_link(other[i])
    return (dims(text) == 2 ? "matrix of " : dims(text) == 1 ? "list of " : dims(text) < 0 ? "by name, " : "") b
}

function md_when(shape, k) {
    if (when[shape, k] == "given")
        return "always"
    if (when[shape, k] ~ /^always/)
        return ""
    if (when[shape, k] == "nullable")
        return "optional, may be null"
    return when[shape, k] == "optional" ? "optional" : "with `" when[shape, k] "`"
}

function print_md(    i, k, s, first) {
    print "# Members of the answers\n"
    print "Generated from `server/view/figure/members.def` (ratings and predictions) and `server/answers.def` (all others). A member that is \"always\" there is never null. An optional member is absent where it is unknown; one \"with\" another is absent where that one is unknown; every other unknown value is null."
    print "\nSources: A: Alliot, *Who is the Master?* (ICGA Journal 39, 2017); R: Regan & Haworth, *Intrinsic Chess Ratings* (AAAI 2011); D: Di Fatta, Haworth & Regan, *Skill Rating by Bayesian Inference* (CIDM 2009); L: Regan, *Rating Computer Science via Chess* (LNCS 10000); F: Ferreira, *Determining the Strength of Chess Players Based on Actual Play* (ICGA Journal 35, 2012); G: Guid & Bratko (ICGA Journal 29, 2006); W: Wilson (JASA 22, 1927); E: FIDE Handbook B.02. Numbers are sections."
    for (i = 1; i <= n_shapes; i++) {
        s = shapes[i]
        printf "\n## %s\n\n%s.", s, what[s]
        if (source_of[s] != "")
            printf " Source: %s.", source_of[s]
        for (k = 1; k <= n_bases[s]; k++)
            printf "%s[%s](#%s)", k == 1 ? " With the members of " : ", ", base[s, k], base[s, k]
        print (n_bases[s] ? "." : "")
        if (!own[s])
            continue
        print "\n| member | type | unit | meaning | |\n| --- | --- | --- | --- | --- |"
        for (k = 1; k <= size[s]; k++)
            if (index(path[s, k], ".") == 0)
                printf "| `%s` | %s | %s | %s%s | %s |\n", name[s, k], md_type(type[s, k]),
                    cell(own_of(s, unit[s, k], unit_of[s])), cell(meaning[s, k]),
                    cite[s, k] == "" ? "" : " (" cite[s, k] ")", md_when(s, k)
    }
}

END {
    if (failed)
        exit 1
    if (form == "md")
        print_md()
    else
        print_c()
}
