# Turns members.def, answers.def and pages.def into C (structures and tables, included by
# view/figure/shape.h and shape.c; rows of the database for view/rows.c) or, with -v form=md, the first
# two into build/docs/members.md. What is wrong stops the build.

function die(why) {
    printf "%s:%d: %s\n", FILENAME, FNR, why > "/dev/stderr"
    failed = 1
    exit 1
}

function trim(text) {
    gsub(/^[ \t]+|[ \t]+$/, "", text)
    return text
}

# The structure of a shape; of one that has no more than a row of the database that row.
function type_name(shape) {
    if (pure(shape))
        return row_of[shape]
    if (kind[shape] == "page")
        return "struct ipr_" shape
    return "struct ipr_" kind[shape] (shape == "figure" ? "" : "_" shape)
}

function pure(shape) {
    return (shape in row_of) && !(shape in beside)
}

BEGIN {
    split("number count flag text time interval counts", words, " ")
    for (i in words)
        simple[words[i]] = 1
    c_type["number"] = "double"; c_type["count"] = "size_t"; c_type["flag"] = "int"
    c_type["text"] = "const char *"; c_type["interval"] = "struct ipr_interval"
    c_type["counts"] = "struct ipr_figure_counts"; c_type["time"] = "const char *"; c_type["ref"] = "json_t *"
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
    if (FILENAME ~ /pages\.def$/ && shape !~ /^page_/)
        die("the name does not begin with page_: " shape)
    own[shape] = 0
    kind[shape] = FILENAME ~ /answers\.def$/ ? "answer" : FILENAME ~ /pages\.def$/ ? "page" : "figure"
    unit_of[shape] = trim(part[2])
    digits_of[shape] = trim(part[3])
    what[shape] = trim(part[4])
    source_of[shape] = trim(part[5])
    size[shape] = n_bases[shape] = 0
    for (i = 2; i <= n; i++) {
        base[shape, ++n_bases[shape]] = head[i]
        if (!(head[i] in own))
            die("shape " head[i] " is not known yet")
        take_row(shape, head[i])
        for (j = 1; j <= size[head[i]]; j++)
            inherit(shape, head[i], j)
    }
    if (shape in row_of && !(shape in holder)) {
        holder[shape] = shape
        row_path[shape] = "row"
    }
    next
}

# Which row the shape holds, and where: `holder` is the shape whose fields of it are written.
function take_row(shape, from) {
    if (!(from in holder))
        return
    if (shape in row_of && pure(from))
        return # its members are fields of this shape's row
    if (shape in holder)
        die("two rows")
    if (shape in row_of && row_of[holder[from]] != row_of[shape])
        die("another row than that of " from)
    holder[shape] = shape in row_of ? shape : holder[from]
    row_path[shape] = pure(from) ? "row" : base_name(shape, from) "." row_path[from]
    if (shape in row_of)
        beside[shape] = 1
}

# Under which name a base is a member of the structure: one of its members may have its own.
function base_name(shape, from) {
    return kind[shape] != "figure" && (from, from) in index_of ? from "_base" : from
}

# Whether a base is a member of the structure, or of a shape `of` a row its members are fields of that.
function embeds(shape, from) {
    return !pure(from) && (!(shape in row_of) || (from in holder))
}

function inherit(shape, from, j,    k) {
    k = ++size[shape]
    in_row[shape, k] = in_row[from, j] || (shape in row_of && !embeds(shape, from))
    name[shape, k] = name[from, j]
    field[shape, k] = field[from, j]
    path[shape, k] = base_name(shape, from) "." path[from, j]
    type[shape, k] = type[from, j]
    of_kind[shape, k] = of_kind[from, j]
    when[shape, k] = when[from, j]
    unit[shape, k] = unit[from, j]
    digits[shape, k] = digits[from, j]
    meaning[shape, k] = meaning[from, j]
    cite[shape, k] = cite[from, j]
    index_of[shape, name[shape, k]] = k - 1
}

/^@/ {
    n = registry_members(substr($0, 2), lines)
    for (i = 1; i <= n; i++)
        read_member(lines[i])
    next
}

{ read_member($0) }

function read_member(line,    part, k) {
    if (split(line, part, "|") < 6)
        die("want name | type | when | unit | digits | meaning | source")
    k = ++size[shape]
    own[shape]++
    name[shape, k] = field[shape, k] = trim(part[1])
    if (sub(/ *=.*/, "", name[shape, k]))
        sub(/^[^=]*= */, "", field[shape, k])
    path[shape, k] = name[shape, k]
    type[shape, k] = trim(part[2])
    of_kind[shape, k] = kind[shape]
    in_row[shape, k] = shape in row_of && field[shape, k] != "-"
    if (shape in row_of && !in_row[shape, k])
        beside[shape] = 1
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
    if (kind[shape] == "figure" && text !~ /^json / && (part[n] ~ /^(ref|time)$/ || n > 1 || dims(text) < 0))
        die("made elsewhere: json " text)
    if (n > 1 && dims(text) && text !~ /^json /)
        die("a list of several types is made elsewhere: json " text)
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
    sub(/^json /, "", text)
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

# An object that may be unknown is held by a pointer, and so is one that is a row.
function storage(shape, k,    t, b) {
    t = type[shape, k]
    b = bare(t)
    if (in_row[shape, k])
        return "ROW"
    if (t ~ /^json / || b == "ref")
        return "JSON"
    if (others(t) != "")
        return "ANY"
    if (t ~ /\*$/ && b in own)
        return "POINTER"
    if (!(b in own) || dims(t) || of_kind[shape, k] == "figure")
        return "VALUE"
    return pure(b) || when[shape, k] != "given" ? "POINTER" : "VALUE"
}

function c_name(member) {
    return member == "default" ? "default_" : member
}

function c_of(shape, k, b) {
    if (b == "count")
        return of_kind[shape, k] == "figure" ? "size_t" : "int64_t"
    return b in simple || b == "ref" ? c_type[b] : type_name(b)
}

function spaced(c, rest) {
    return c (c ~ /\*$/ ? "" : " ") rest
}

function pointer_to(c, rest) {
    return (c ~ /^struct ipr_db_/ ? "const " : "") spaced(c, "*" rest)
}

function declare_any(shape, k,    part, n, i, out) {
    n = split(bare(type[shape, k]) " " others(type[shape, k]), part, " ")
    for (i = 1; i <= n; i++)
        out = out "        " (part[i] in own ? pointer_to(type_name(part[i]), part[i]) \
            : spaced(c_of(shape, k, part[i]), part[i])) ";\n"
    return "struct {\n" out "    } " c_name(name[shape, k]) "; /* the one that is known */"
}

function declare(shape, k,    t, b, c, m) {
    t = type[shape, k]
    b = bare(t)
    c = c_of(shape, k, b)
    m = c_name(name[shape, k])
    if (storage(shape, k) == "JSON")
        return "json_t *" m "; /* taken over when it is written */"
    if (storage(shape, k) == "ANY")
        return declare_any(shape, k)
    if (dims(t) > 0 && of_kind[shape, k] == "figure")
        return "struct {\n        const " c (c ~ /\*$/ ? "const *" : " *") "at;\n        size_t n" (dims(t) == 2 ? ", columns" : "") ";\n    } " m ";"
    if (dims(t) != 0)
        return "struct ipr_" (dims(t) == 2 ? "matrix" : dims(t) == 1 ? "list" : "map") "_" b " " m ";"
    return storage(shape, k) == "POINTER" ? pointer_to(c, m) ";" : spaced(c, m ";")
}

# The lists and maps that members are of.
function print_many(    i, s, k, t, b, c, seen) {
    for (i = 1; i <= n_shapes; i++)
        for (k = 1; k <= size[s = shapes[i]]; k++) {
            t = type[s, k]
            b = bare(t)
            if (of_kind[s, k] == "figure" || !dims(t) || storage(s, k) == "JSON" || (dims(t), b) in seen)
                continue
            seen[dims(t), b] = 1
            c = c_of(s, k, b)
            if (dims(t) > 0)
                printf "struct ipr_%s_%s {\n    %s;\n    size_t n%s;\n};\n\n", dims(t) == 2 ? "matrix" : "list", b,
                    pointer_to(c, "at"), dims(t) == 2 ? ", columns" : ""
            else
                printf "struct ipr_map_%s {\n    struct ipr_in_map_%s *at;\n    size_t n;\n};\n\n", b, b
        }
}

# An element of a map of shape or type b, once that is declared.
function print_in_map(b,    i, s, k) {
    for (i = 1; i <= n_shapes; i++)
        for (k = 1; k <= size[s = shapes[i]]; k++)
            if (dims(type[s, k]) < 0 && storage(s, k) != "JSON" && bare(type[s, k]) == b) {
                printf "struct ipr_in_map_%s {\n    const char *name;\n    %s;\n};\n\n", b, spaced(c_of(s, k, b), "of")
                return
            }
}

function when_code(shape, k,    w) {
    w = when[shape, k]
    if (w == "always" || w == "given")
        return "IPR_WHEN_" toupper(w)
    if (w == "nullable" || w == "page")
        return "IPR_WHEN_" toupper(w)
    if (w ~ /^optional/)
        return "IPR_WHEN_KNOWN"
    return (shape, w) in index_of ? index_of[shape, w] : "IPR_WHEN_ALWAYS"
}

# From where on a number says something: "always from 1".
function from_code(w) {
    return w ~ /^(always|optional) from -?[0-9]+$/ ? substr(w, index(w, " from ") + 6) : "IPR_NO_COUNT"
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

# Members of a structure. But for figures those of a base are its own, too: x.base.member is x.member,
# unless the shape or another base has one of that name.
function print_body(shape,    k, b) {
    for (k = 1; k <= n_bases[shape]; k++) {
        b = base[shape, k]
        if (!embeds(shape, b))
            continue
        if (!flat(shape, b)) {
            printf "    %s %s;\n", type_name(b), base_name(shape, b)
            continue
        }
        printf "    union {\n    %s %s;\n    struct {\n", type_name(b), base_name(shape, b)
        print_body(b)
        print "    };\n    };"
    }
    if (row_path[shape] == "row")
        print "    " pointer_to(row_of[holder[shape]], "row") ";"
    for (k = 1; k <= size[shape]; k++)
        if (index(path[shape, k], ".") == 0 && !in_row[shape, k])
            printf "    %s\n", declare(shape, k)
}

function flat(shape, b,    j, k) {
    if (kind[shape] == "figure" || (shape, base_name(shape, b)) in index_of)
        return 0
    for (j = 1; j <= size[b]; j++)
        for (k = 1; k <= size[shape]; k++)
            if (name[shape, k] == name[b, j] && path[shape, k] != base_name(shape, b) "." path[b, j])
                return 0
    return 1
}

function print_struct(shape) {
    if (pure(shape))
        return
    printf "/* %s */\n%s {\n", what[shape], type_name(shape)
    print_body(shape)
    print "};\n"
}

function text_or_null(text) {
    return text == "" ? "NULL" : q(text)
}

function element_size(shape, k,    t, b) {
    t = type[shape, k]
    b = bare(t)
    if (!dims(t) || storage(shape, k) ~ /JSON|ROW/ || pure(b))
        return "0"
    return "sizeof(" (dims(t) < 0 ? "struct ipr_in_map_" b : c_of(shape, k, b)) ")"
}

# Enumerators of a type.
function type_code(shape, k, b) {
    return "IPR_MEMBER_" toupper(b in own ? "shape" : b == "count" && of_kind[shape, k] == "figure" ? "size" : b)
}

function shape_code(b) {
    return "IPR_SHAPE_" toupper(b in own ? b : "none")
}

# Of "count or mate", one after the other.
function print_any(shape, k,    part, n, i, at) {
    at = path[shape, k]
    sub(/default$/, "default_", at)
    n = split(bare(type[shape, k]) " " others(type[shape, k]), part, " ")
    printf "static const struct ipr_member any_of_%s_%s[] = {\n", shape, name[shape, k]
    for (i = 1; i <= n; i++)
        printf "    { .name = \"%s\", .type = %s, .stored = IPR_STORED_%s, .when = IPR_WHEN_KNOWN, .from = IPR_NO_COUNT, .of = %s, .offset = offsetof(%s, %s.%s) },\n",
            part[i], type_code(shape, k, part[i]), part[i] in own ? "POINTER" : "VALUE", shape_code(part[i]),
            type_name(shape), at, part[i]
    print "    { .name = NULL },\n};\n"
}

function any_code(shape, k) {
    if (storage(shape, k) != "ANY")
        return "NULL"
    return "any_of_" shape "_" name[shape, k]
}

function print_table(shape,    k, b, d, u, t, at, last, dot) {
    for (k = 1; k <= size[shape]; k++)
        if (storage(shape, k) == "ANY")
            print_any(shape, k)
    printf "static const struct ipr_member members_of_%s[] = {\n", shape
    for (k = 1; k <= size[shape]; k++) {
        t = type[shape, k]
        b = bare(t)
        at = path[shape, k]
        sub(/default$/, "default_", at)
        at = in_row[shape, k] ? "0" : "offsetof(" type_name(shape) ", " at ")"
        u = own_of(shape, unit[shape, k], unit_of[shape])
        d = own_of(shape, digits[shape, k], digits_of[shape])
        printf "    { %s, %s, IPR_STORED_%s, %d, %s, %s, %s, %s, %s,\n      %s, %d,\n      %s,\n      %s, %s, %s, %s, %s },\n",
            q(name[shape, k]), type_code(shape, k, b), storage(shape, k),
            dims(t), when_code(shape, k), from_code(when[shape, k]), shape_code(b), at, element_size(shape, k), q(u),
            d == "" || d == "own" ? -1 : d, q(meaning[shape, k]), q(cite[shape, k]),
            text_or_null(choices(t)), text_or_null(others(t)), b == "ref" ? q(substr(t, 5)) : "NULL", any_code(shape, k)
    }
    print "};\n"
}

# What a value that says nothing becomes, and from where on a count says something.
function row_when(w) {
    if (w == "given")
        return "ROW_GIVEN, 0"
    return (w ~ /^optional/ ? "ROW_ABSENT, " : "ROW_NULL, ") (w ~ / from / ? from_code(w) : "ROW_ALL")
}

function print_field(shape, parent, of, k, member, when_) {
    printf "    { %s, %s, ROW_FIELD(%s, %s), %s, %s },\n", text_or_null(parent), q(name[of, k]),
        row_of[shape], member, when_, text_or_null(choices(type[of, k]))
}

function print_row(shape,    k, j, b, part) {
    printf "static const struct row_member fields_of_%s[] = {\n", shape
    for (k = 1; k <= size[shape]; k++) {
        b = bare(type[shape, k])
        if (!in_row[shape, k])
            continue
        if (dims(type[shape, k]))
            die(shape "." name[shape, k] " is a list, and no field: " name[shape, k] " = -")
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
    print "/* Generated from members.def, answers.def and pages.def by gen_members.awk. */"
    print "#if !defined IPR_FIGURES_TABLE && !defined IPR_FIGURES_ROWS\n"
    print "enum ipr_shape_id {\n    IPR_SHAPE_NONE,"
    for (i = 1; i <= n_shapes; i++)
        printf "    IPR_SHAPE_%s,\n", toupper(shapes[i])
    print "    IPR_SHAPES\n};\n"
    for (i = 1; i <= n_shapes; i++)
        if (pure(shapes[i]))
            print row_of[shapes[i]] ";"
        else
            print type_name(shapes[i]) ";"
    print ""
    print_many()
    print_in_map("text")
    for (i = 1; i <= n_shapes; i++) {
        print_struct(shapes[i])
        print_in_map(shapes[i])
    }
    print "#elif defined IPR_FIGURES_ROWS\n"
    print_rows()
    print "#else\n"
    for (i = 1; i <= n_shapes; i++)
        print_table(shapes[i])
    print "static const struct ipr_shape shapes[IPR_SHAPES] = {"
    for (i = 1; i <= n_shapes; i++) {
        s = shapes[i]
        printf "    [IPR_SHAPE_%s] = { %s, %s, members_of_%s,\n        sizeof members_of_%s / sizeof *members_of_%s,\n        %s, %s, %s, %d, %s, %s },\n",
            toupper(s), q(s), pure(s) ? "0" : "sizeof(" type_name(s) ")", s, s, s, q(unit_of[s]),
            q(what[s]), q(source_of[s]), kind[s] == "figure", shape_code(s in holder ? holder[s] : ""),
            !(s in holder) || pure(s) ? "0" : "offsetof(" type_name(s) ", " row_path[s] ")"
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
    if (when[shape, k] ~ /^optional/)
        return "optional"
    if (when[shape, k] == "nullable")
        return "optional, may be null"
    return "with `" when[shape, k] "`"
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
            if (index(path[s, k], ".") == 0 && when[s, k] != "page")
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
