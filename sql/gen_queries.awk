# Makes C of sql/queries/*.sql, into the folder `dir`:
#
#   queries.h             enum ipr_query; where IPR_QUERIES_TABLE is defined, a table with the name,
#                         text and types of each query
#   queries/FILE.h        structs of rows and prototypes, for db/FILE.h, which includes it
#   queries/FILE_inside.h what only server/db may use: fills of rows, wrappers marked `inside`
#   queries/FILE_rows.c   fills and wrappers
#
# A query begins with its name; its annotations stand before its text:
#
#   -- name: player_members :many ipr_db_member
#   -- Identities merged into a root, ascending id.         goes to the header as documentation
#   -- param person int32                                   $1, an argument of the function
#   -- column id int32                                      of the result, and of the struct
#   -- column fide_id int32 or 0       -- 0 none            default for NULL; a comment
#   --     which may go on here
#   --
#   -- A note on the SQL, which stays here.
#   SELECT …
#
# makes struct ipr_db_member and ipr_db_player_members(db, person, mem, rows, n, err). Kinds:
#
#   :many ROW, :one ROW   an array of rows, one row; the first query with columns defines ROW
#   :many, :one           an array of the only column; each column through a pointer of its own
#   :maybe                as :one, but no row is no error: *found says whether there was one
#   :exec                 nothing is read
#   :later                the same, without waiting for the result (db/db.h)
#   :count                the number of rows affected
#   none                  only the text: the call is written by hand
#
# `inside` after it keeps the wrapper in server/db. Lines:
#
#   -- row: ROW                            a struct by itself, before any query; columns follow
#   -- fill: ROW                           the same of a struct that a header of C has
#   -- hand: ROW                           both are in C, the struct and ipr_db_fill_ROW
#   -- param NAME, … TYPE                  arguments that are parameters. TYPE: int32, int64, int,
#                                          unsigned, double, bool, text, text or "…" (for NULL),
#                                          digest (32 bytes), int32[], int64[], text[], times,
#                                          scope (eight parameters), selection (five), bytes (struct
#                                          ipr_str; or NULL when empty), moves (a->moves, a->n_moves)
#   -- arg DECLARATION                     an argument that is none, e.g. a struct
#   -- bind EXPRESSION, … TYPE             a parameter that is no argument, e.g. of such a struct
#   -- each DECLARATION                    an argument that is an array: const struct a x makes const
#                                          struct a *x and n_x. Without elements no query is run.
#   -- bind x[].EXPRESSION, … TYPE[]       a parameter of each element of x; TYPE bool, bytes, uuid, too
#   -- column NAME, … TYPE [LO..HI] [or DEFAULT] [by FUNCTION] [as MEMBER]
#                                          TYPE: int8 … int64, uint8 … uint64, int, unsigned, double,
#                                          bool, text, bytes, enum TAG (with a range), char[N] (a text
#                                          that is cut), moves (and n_MEMBER), start (struct ipr_pos;
#                                          NULL is the initial position). NAME_0..5 are six columns and
#                                          one array. FUNCTION makes the value of a text: bool
#                                          FUNCTION(const char *, TYPE *)
#   -- also ROW [as MEMBER]                the columns of another row, to a member of its type
#   -- include HEADER                      what the wrappers inside need, before any query
#   -- planned                             for its parameters each time: what they exclude costs nothing
#   -- missing [CODE] [TYPE] MESSAGE       the error when there is no row, or none touched; IPR_ENOTFOUND
#                                          unless CODE. MESSAGE may be "format", arguments
#
#   -- part: NAME [a b …]                  text for several queries, of any file. A line `@NAME(x; y)` of
#                                          SQL, alone but for what follows it, stands for it, with
#                                          @a and @b replaced by x and y
#
# What is malformed stops the build, and so does a number of parameters that is not the SQL's (the
# highest $n outside comments and quotes). That columns and types are those of the database is
# tested by tests/db/test_queries.c.

function die(why) {
    printf "%s:%d: %s\n", FILENAME, FNR, why > "/dev/stderr"
    failed = 1
    exit 1
}

# The owner of the columns that a query reads: its row, or itself.
function owner_of(q) {
    return row_of[q] != "" ? row_of[q] : "query " q
}

function finish() {
    if (name != "" && sql[count] !~ /[^ \t\n]/)
        die("query " name " is empty")
    name = row = part = ""
}

# A line of SQL, or of a part that stands there.
function expand(text,    indent, of, tail, n, k, value, lines, out) {
    if (text !~ /^ *@[a-z_]+\(/)
        return text "\n"
    match(text, /[^ ]/)
    indent = substr(text, 1, RSTART - 1)
    of = substr(text, RSTART + 1, index(text, "(") - RSTART - 1)
    if (!(of in part_text))
        die("there is no part `" of "'")
    match(text, /\)[,;]?$/)
    tail = substr(text, RSTART + 1)
    n = split(substr(text, index(text, "(") + 1, RSTART - index(text, "(") - 1), value, /; */)
    if (RSTART == 0 || n != split(part_names[of], lines, " "))
        die("malformed use of the part `" of "'")
    out = part_text[of]
    for (k = 1; k <= n; k++)
        while (match(out, "@" lines[k] "[^a-z_0-9]"))
            out = substr(out, 1, RSTART - 1) value[k] substr(out, RSTART + RLENGTH - 1)
    n = split(out, lines, "\n")
    out = ""
    for (k = 1; k < n; k++)
        out = out expand(indent lines[k] (k == n - 1 ? tail : ""))
    return out
}

function expand_all(text,    n, k, lines, out) {
    n = split(text, lines, "\n")
    for (k = 1; k < n; k++)
        out = out expand(lines[k])
    return out
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

# ---- annotations ---------------------------------------------------------------------------------

function trim(s) {
    gsub(/^ +| +$/, "", s)
    return s
}

# The type of C, with a space unless it ends in a star. Sets letter: how the test knows the type.
function c_type(type) {
    letter = "i"
    if (type ~ /^u?int(8|16|32|64)$/)
        return type "_t "
    if (type ~ /^row /)
        return "struct " substr(type, 5) " "
    if (type == "int" || type == "unsigned" || type ~ /^enum [a-z_0-9]+$/)
        return type " "
    letter = substr(type, 1, 1)
    if (type == "double" || type == "bool")
        return type " "
    if (type ~ /^char\[/ || type == "start") {
        letter = "t"
        return type == "start" ? "struct ipr_pos " : "char "
    }
    if (type == "moves") {
        letter = "y"
        return "ipr_move *"
    }
    if (type == "text")
        return "const char *"
    if (type == "bytes") {
        letter = "y"
        return "struct ipr_str "
    }
    die("there is no type `" type "'")
}

# Splits "A, B TYPE …" into names[1..n] and what follows; arguments of a call are no list.
function split_names(text,    n) {
    n = 0
    split("", list)
    while (match(text, /^[^ ,]+, */)) {
        list[++n] = substr(text, 1, RLENGTH)
        sub(/, *$/, "", list[n])
        text = substr(text, RLENGTH + 1)
    }
    if (!match(text, type_pattern))
        die("want a name and a type, not `" text "'")
    list[++n] = trim(substr(text, 1, RSTART - 1))
    rest = trim(substr(text, RSTART))
    return n
}

# Of the type, range and default that column_line has found.
function add_column(owner, column, member, text,    k) {
    k = ++n_columns[owner]
    if (column !~ /^[a-z_0-9]*$/ || member !~ /^[a-z_0-9.]*(\[[0-9]+\])?$/)
        die("column `" column "' of member `" member "'")
    col[owner, k] = column
    mem_of[owner, k] = member
    col_type[owner, k] = type
    col_range[owner, k] = range
    col_else[owner, k] = else_
    col_by[owner, k] = by
    col_text[owner, k] = text
}

function column_line(owner, text,    n, i, k, tail, member, from, to, what) {
    tail = ""
    if (match(text, / -- /)) {
        tail = trim(substr(text, RSTART + 4))
        text = trim(substr(text, 1, RSTART - 1))
    }
    n = split_names(text)
    member = else_ = by = range = ""
    if (match(rest, / as [^ ]+$/)) {
        member = substr(rest, RSTART + 4)
        rest = substr(rest, 1, RSTART - 1)
    }
    if (match(rest, / by [^ ]+$/)) {
        by = substr(rest, RSTART + 4)
        rest = substr(rest, 1, RSTART - 1)
    }
    if (match(rest, / or .+$/)) {
        else_ = substr(rest, RSTART + 4)
        rest = substr(rest, 1, RSTART - 1)
    }
    match(rest, /^(enum )?[^ ]+/)
    type = substr(rest, 1, RLENGTH)
    range = trim(substr(rest, RLENGTH + 1))
    if (range != "" && range !~ /\.\./)
        die("want a range, `or' or `as', not `" range "'")
    if (range == "" && by == "" && type ~ /^(enum|unsigned|u?int(8|16)$|uint(32|64))/)
        die(type " needs a range")
    if (member != "" && n > 1)
        die("one member for " n " columns")
    for (i = 1; i <= n; i++) {
        if (match(list[i], /[0-9]+\.\.[0-9]+$/)) {
            what = substr(list[i], 1, RSTART - 1)
            from = substr(list[i], RSTART) + 0
            to = substr(list[i], index(list[i], "..") + 2) + 0
            for (k = from; k <= to; k++)
                add_column(owner, what k, (member != "" ? member : what) "[" (k - from) "]",
                    k == to ? tail : "")
        } else
            add_column(owner, list[i], member != "" ? member : list[i], i == n ? tail : "")
        if (i < n)
            joined[owner, n_columns[owner]] = 1
    }
}

# Another row within this one.
function also_line(owner, text,    n, part, tail) {
    if (match(text, / -- /)) {
        tail = trim(substr(text, RSTART + 4))
        text = trim(substr(text, 1, RSTART - 1))
    }
    n = split(text, part, " ")
    if (n != 1 && !(n == 3 && part[2] == "as"))
        die("want `-- also ROW as MEMBER', not `" text "'")
    range = else_ = by = ""
    type = "row " part[1]
    add_column(owner, "", part[3], tail)
}

function argument(text) {
    args[count] = args[count] text "\n"
}

function each_line(text,    name) {
    if (!match(text, /[a-z_0-9]+$/))
        die("want a declaration, not `" text "'")
    name = substr(text, RSTART)
    argument(substr(text, 1, RSTART - 1) "*" name)
    argument("size_t n_" name)
    each[count] = name
}

# "a->x" has a->n_x elements.
function length_of(expression) {
    sub(/[a-z_0-9]+$/, "n_&", expression)
    return expression
}

# A parameter of each element: "x[].a" is x[i].a.
function bind_each(expression, type,    n, list, item) {
    n = length(binds[count])
    match(expression, /([a-z_0-9]+->)*[a-z_0-9]+\[\]/)
    list = substr(expression, RSTART, RLENGTH - 2)
    item = expression
    sub(/\[\]/, "[i]", item)
    sub(/\[\]$/, "", type)
    if (type ~ /^u?int/)
        type = "int"
    if (type !~ /^(int|text|bool|bytes|uuid)$/)
        die("there are no lists of `" type "'")
    if (type == "bytes")
        item = item ".p, " item ".n"
    binds[count] = binds[count] (type == "int" ? "I" : type == "bytes" ? "Y" : toupper(substr(type, 1, 1)))
    calls[count] = calls[count] "    struct ipr_db_array a" n " = { 0 };\n" \
        "    for (size_t i = 0; i < " length_of(list) "; i++)\n" \
        "        ipr_db_array_" type "(&a" n ", " item ");\n" \
        "    ipr_db_p_array_take(&p, &a" n ");\n"
}

function bind(expression, type, else_,    n, k, part) {
    if (expression ~ /\[\]/ || type ~ /\[\]$/) {
        bind_each(expression ~ /\[\]/ ? expression : expression "[]", type)
        return
    }
    if (type == "scope" || type == "selection") {
        n = split(parts[type], part, " ")
        for (k = 1; k <= n; k += 2)
            bind(expression "->" part[k], part[k + 1])
        return
    }
    if (type == "times")
        letter = "I"
    else if (type == "digest" || type == "moves")
        letter = "y"
    else
        c_type(type)
    binds[count] = binds[count] letter
    if (type == "digest")
        expression = expression ", 32"
    if (type == "text" && else_ != "")
        expression = expression " != NULL ? " expression " : " else_
    if (type == "bytes")
        expression = (else_ != "" ? expression ".n == 0 ? NULL : " : "") expression ".p, " expression ".n"
    if (type == "moves")
        expression = expression ", " length_of(expression)
    if (letter == "i")
        type = "int"
    sub(/digest/, "bytes", type)
    calls[count] = calls[count] "    ipr_db_p_" type "(&p, " expression ");\n"
}

function param_line(text, is_argument,    n, i, type, else_) {
    n = split_names(text)
    else_ = ""
    if (match(rest, / or .+$/)) {
        else_ = substr(rest, RSTART + 4)
        rest = substr(rest, 1, RSTART - 1)
    }
    type = rest
    if (type ~ / / || (else_ != "" && type !~ /^(text|bytes)$/))
        die("malformed parameter of type `" rest "'")
    for (i = 1; i <= n; i++) {
        bind(list[i], type, else_)
        if (!is_argument)
            continue
        if (type == "times")
            argument("unsigned " list[i])
        else if (type == "scope" || type == "selection")
            argument("const struct ipr_db_" type " *" list[i])
        else if (type == "digest")
            argument("const unsigned char " list[i] "[32]")
        else if (type == "text[]") {
            argument("const char *const *" list[i])
            argument("size_t n_" list[i])
        } else if (type ~ /\[\]$/) {
            argument("const " substr(type, 1, length(type) - 2) "_t *" list[i])
            argument("size_t n_" list[i])
        } else
            argument(c_type(type) list[i])
    }
}

function kind_line(    i, file) {
    if (NF == 3)
        return
    kind[count] = substr($4, 2)
    if ($4 !~ /^:(many|one|maybe|exec|later|count)$/)
        die("there is no kind `" $4 "'")
    i = 5
    if ($i ~ /^ipr_[a-z_0-9]+$/)
        row_of[count] = $(i++)
    if ($i == "inside")
        inside[count] = $(i++)
    if (i <= NF || (row_of[count] != "" && kind[count] !~ /^(many|one|maybe)$/))
        die("want `-- name: some_query :kind ipr_db_row inside'")
}

function about(owner, text,    what) {
    if (text == "" || noted)
        noted = 1
    else if (text ~ /^    / && last != "") {
        sub(/^ +/, "", text)
        col_text[last] = col_text[last] (col_text[last] != "" ? " " : "") text
    } else if (text ~ /^(column|also) /) {
        if (row == "" && row_of[count] != "" && (row_of[count] in defined) && defined[row_of[count]] != count)
            die(row_of[count] " has columns already")
        if (row == "" && row_of[count] != "" && !(row_of[count] in defined)) {
            defined[row_of[count]] = count
            items[file, n_items[file]] = "row " row_of[count]
            add_item("query " count)
        }
        if (text ~ /^also /)
            also_line(owner, substr(text, 6))
        else
            column_line(owner, substr(text, 8))
        last = owner SUBSEP n_columns[owner]
    } else if (row == "" && text ~ /^param /)
        param_line(substr(text, 7), 1)
    else if (row == "" && text ~ /^bind /)
        param_line(substr(text, 6), 0)
    else if (row == "" && text ~ /^arg /)
        argument(substr(text, 5))
    else if (row == "" && text ~ /^each /)
        each_line(substr(text, 6))
    else if (row == "" && text ~ /^missing /)
        missing[count] = substr(text, 9)
    else if (row == "" && text == "planned")
        calls[count] = calls[count] "    p.planned = true;\n"
    else {
        what = row != "" ? row : "query " count
        doc[what] = doc[what] text " "
    }
}

# Structs and functions in the order of the file.
function add_item(what) {
    items[file, ++n_items[file]] = what
}

BEGIN {
    parts["scope"] = "person int from int to int event int colours int times times opponents text upload int64"
    parts["selection"] = "upload int game int person int year int judge text"
    type_pattern = " (u?int(8|16|32|64)?|unsigned|double|bool|text|bytes|digest|times|scope|" \
        "selection|char|moves|start|uuid|enum [a-z_0-9]+)(\\[[0-9]*\\])?( |$)"
}

FNR == 1 {
    finish()
    file = FILENAME
    sub(/.*\//, "", file)
    sub(/\.sql$/, "", file)
    files[++n_files] = file
}

/^-- include / {
    includes[file] = includes[file] "#include \"" $3 "\"\n"
    next
}

/^-- (name|row|fill|hand|part):/ {
    finish()
    noted = 0
    last = ""
}

/^-- (row|fill|hand):/ {
    row = $3
    if (NF != 3 || row !~ /^ipr_[a-z_0-9]+$/)
        die("want `-- row: ipr_db_some_row'")
    if (row in defined)
        die(row " has columns already")
    defined[row] = 0
    in_c[row] = $2 != "row:"
    by_hand[row] = $2 == "hand:"
    add_item("row " row)
    next
}

/^-- part:/ {
    part = $3
    if (part !~ /^[a-z_]+$/ || part in part_text)
        die("want `-- part: new_name'")
    part_text[part] = ""
    part_names[part] = $0
    sub(/^-- part: [^ ]+ ?/, "", part_names[part])
    next
}

part != "" {
    if ($0 !~ /^(--.*)?$/)
        part_text[part] = part_text[part] $0 "\n"
    next
}

/^-- name:/ {
    name = $3
    if (name !~ /^[a-z][a-z0-9_]*$/)
        die("want `-- name: some_query'")
    if (name in where)
        die("query " name " is there already, in " where[name])
    where[name] = FILENAME
    names[++count] = name
    line[count] = FNR
    sql[count] = ""
    kind_line()
    if (kind[count] != "")
        add_item("query " count)
    next
}

(row != "" || (name != "" && kind[count] != "" && sql[count] == "")) && /^--/ {
    sub(/^--( |$)/, "")
    about(row != "" ? row : owner_of(count), $0)
    next
}

name == "" {
    if ($0 !~ /^[ \t]*(--.*)?$/)
        die("a query without a name")
    next
}

{ sql[count] = sql[count] $0 "\n" }

# ---- C -------------------------------------------------------------------------------------------

# Words of `text` in lines of at most 100, after `first`, then `others`.
function wrap(text, first, others,    n, i, words, out, at) {
    n = split(text, words, " ")
    out = at = first
    for (i = 1; i <= n; i++) {
        if (length(at) + length(words[i]) + 1 > 97) {
            out = out "\n" others
            at = others
        }
        out = out (i > 1 || first != "" ? " " : "") words[i]
        at = at " " words[i]
    }
    return out
}

# "/** … */" of a text, or nothing.
function comment(text) {
    return text == "" ? "" : wrap(trim(text), "/**", " *") " */\n"
}

function call(head, list,    n, i, part, out, at, pad) {
    n = split(list, part, "\n")
    out = at = head "("
    pad = sprintf("%" length(head) + 1 "s", "")
    for (i = 1; i < n; i++) {
        if (length(at) + length(part[i]) + 2 > 100 && i > 1) {
            sub(/ $/, "", out)
            out = out "\n" pad
            at = pad
        }
        out = out part[i] (i < n - 1 ? ", " : ")")
        at = at part[i] ", "
    }
    return out
}

function base(member) {
    sub(/\[.*/, "", member)
    return member
}

function struct(owner, tag,    k, out, size, member, type, at, ended, text, array) {
    split("", size)
    for (k = 1; k <= n_columns[owner]; k++)
        if (mem_of[owner, k] ~ /\[/)
            size[base(mem_of[owner, k])]++
    out = "struct " tag " {\n"
    for (k = 1; k <= n_columns[owner]; k++) {
        member = base(mem_of[owner, k])
        text = col_text[owner, k]
        if (k == n_columns[owner] || base(mem_of[owner, k + 1]) != member || !(member in size)) {
            type = c_type(col_type[owner, k])
            array = member in size ? "[" size[member] "]" : ""
            if (match(col_type[owner, k], /\[.*\]$/))
                array = substr(col_type[owner, k], RSTART)
            at = ended == "," ? at " " (type ~ /\*/ ? "*" : "") : "    " type
            ended = (owner, k) in joined ? "," : ";"
            at = at member array ended
            if (col_type[owner, k] == "moves")
                at = at "\n    size_t n_" member ";"
            if (ended == ";")
                out = out (text != "" ? wrap(text, at " /*", "     *") " */" : at) "\n"
        }
    }
    return out "};\n"
}

# One assignment of a fill.
function read_column(owner, k, to,    type, range, f, column, else_) {
    type = col_type[owner, k]
    else_ = col_else[owner, k]
    if (type ~ /^row /)
        return "    " fill_name(substr(type, 5)) "(r, " (mem_of[owner, k] == "" ? "o" : "&" to) ");\n"
    column = "(r, \"" col[owner, k] "\""
    if (col_by[owner, k] != "")
        return "    ipr_db_col_accept" column ", " col_by[owner, k] "(ipr_db_col_word" column "), &" to "));\n"
    if (type ~ /^char\[/)
        return "    ipr_db_col_chars" column ", " to ", sizeof " to ");\n"
    if (type == "start")
        return "    ipr_db_col_start" column ", &" to ");\n"
    if (type == "moves")
        return "    " to " = ipr_db_col_moves" column ", &" length_of(to) ");\n"
    range = col_range[owner, k]
    if (range != "") {
        sub(/\.\./, ", ", range)
        return "    " to " = (" trim(c_type(type)) ")ipr_db_col_int" column ", " range ");\n"
    }
    f = type
    sub(/^int32$|^int$/, "i32", f)
    sub(/^int64$/, "i64", f)
    if (else_ != "")
        return "    " to " = ipr_db_col_" f "_or" column (type == "bytes" ? "" : ", " else_) ");\n"
    return "    " to " = ipr_db_col_" f column ");\n"
}

function fill(owner, head, tag, to,    k, out) {
    out = head "(struct ipr_db_row *r, void *out)\n{\n    " tag " *o = out;\n\n"
    for (k = 1; k <= n_columns[owner]; k++)
        out = out read_column(owner, k, to == "" ? "o->" mem_of[owner, k] : to)
    return out "}\n"
}

function fill_name(tag) {
    sub(/^ipr_(db_)?/, "ipr_db_fill_", tag)
    return tag
}

# The wrapper of a query, in parts: `own` stands before it, `vars` begin its body, `all_args` are its
# arguments, and it returns what its kind says.
function many(q, owner,    read, tag) {
    read = fill_name(row_of[q])
    tag = "struct " row_of[q]
    if (row_of[q] == "") {
        read = names[q] "_fill"
        tag = trim(c_type(col_type[owner, 1]))
        own = fill(owner, "static void " read, tag, "*o") "\n"
    }
    all_args = all_args "struct ipr_arena *mem\n" tag (tag ~ /\*$/ ? "*" : " **") "rows\nsize_t *n\n"
    vars = vars "    void *list = NULL;\n"
    if (each[q] != "")
        vars = vars "    *rows = NULL;\n    *n = 0;\n"
    return "    const enum ipr_code rc = ipr_db_list(" run ", mem, sizeof **rows,\n" \
        "                                         " read ", &list, n, err);\n" \
        "    if (rc == IPR_OK)\n        *rows = list;\n    return rc;\n"
}

# Whether a row has texts, which need an arena; one that is read by hand may.
function needs_mem(owner,    k, type) {
    if (by_hand[owner])
        return 1
    for (k = 1; k <= n_columns[owner]; k++) {
        type = col_type[owner, k]
        if (type ~ /^(text|bytes|moves)$/ || (type ~ /^row / && needs_mem(substr(type, 5))))
            return 1
    }
    return 0
}

# The end of a call after `what` was not there.
function unless(there, q,    code, type, text) {
    code = "IPR_ENOTFOUND"
    text = missing[q] != "" ? missing[q] : "no row"
    if (match(text, /^IPR_E[A-Z]+ /)) {
        code = substr(text, 1, RLENGTH - 1)
        text = substr(text, RLENGTH + 1)
    }
    if (match(text, /^[a-z_]+ "/)) {
        type = substr(text, 1, RLENGTH - 2)
        text = substr(text, RLENGTH)
    }
    if (text !~ /^"/)
        text = "\"" text "\""
    return "    if (rc == IPR_OK && !" there ")\n        return " \
        (type != "" ? "ipr_err_type(err, " code ", \"" type "\", " : "ipr_err_set(err, " code ", ") \
        text ");\n"
}

function one(q, owner,    mem, k, to, out, maybe) {
    mem = needs_mem(owner) ? "mem" : "NULL"
    maybe = kind[q] == "maybe"
    if (mem == "mem")
        all_args = all_args "struct ipr_arena *mem\n"
    if (maybe)
        all_args = all_args "bool *found\n"
    else
        vars = vars "    bool there = false;\n"
    out = "    const enum ipr_code rc = ipr_db_maybe(" run ", " mem ", sizeof "
    if (row_of[q] != "") {
        all_args = all_args "struct " row_of[q] " *out\n"
        return out "*out, " fill_name(row_of[q]) ",\n                                          out, " \
            (maybe ? "found" : "&there") ", err);\n" (maybe ? "" : unless("there", q)) "    return rc;\n"
    }
    own = struct(owner, names[q] "_row") "\n" \
        fill(owner, "static void " names[q] "_fill", "struct " names[q] "_row", "") "\n"
    vars = vars "    struct " names[q] "_row o;\n"
    for (k = 1; k <= n_columns[owner]; k++) {
        all_args = all_args c_type(col_type[owner, k]) "*" mem_of[owner, k] "\n"
        to = to "    *" mem_of[owner, k] " = o." mem_of[owner, k] ";\n"
    }
    return out "o, " names[q] "_fill, &o,\n                                          " \
        (maybe ? "found" : "&there") ", err);\n" (maybe ? "" : unless("there", q)) \
        "    if (rc != IPR_OK" (maybe ? " || !*found" : "") ")\n        return rc;\n" to "    return IPR_OK;\n"
}

function touching(q) {
    if (kind[q] == "count") {
        all_args = all_args "int64_t *rows\n"
        return "    return ipr_db_exec_count(" run ", rows, err);\n"
    }
    if (missing[q] == "")
        return "    return ipr_db_exec" (kind[q] == "later" ? "_later(" run : "(" run ", NULL") ", err);\n"
    vars = vars "    int64_t rows = 0;\n"
    return "    const enum ipr_code rc = ipr_db_exec_count(" run ", &rows, err);\n" \
        unless("rows", q) "    return rc;\n"
}

function wrapper(q,    owner, out) {
    owner = owner_of(q)
    own = ""
    vars = calls[q] != "" ? "    struct ipr_db_params p = { 0 };\n" : ""
    all_args = "struct ipr_db *db\n" args[q]
    run = "db, IPR_Q_" toupper(names[q]) ", " (calls[q] != "" ? "&p" : "NULL")
    out = kind[q] == "many" ? many(q, owner) : kind[q] ~ /^(one|maybe)$/ ? one(q, owner) : touching(q)
    all_args = all_args "struct ipr_err *err\n"
    if (each[q] != "")
        vars = vars "\n    if (n_" each[q] " == 0)\n        return IPR_OK;\n"
    return own call("enum ipr_code ipr_db_" names[q], all_args) "\n{\n" vars "\n" calls[q] out "}\n"
}

function guard(what) {
    what = toupper("IPR_GEN_QUERIES_" what "_H")
    return "/* Generated from sql/queries by sql/gen_queries.awk. */\n#ifndef " what "\n#define " what "\n\n"
}

function check(q,    owner) {
    owner = owner_of(q)
    if (kind[q] ~ /^(one|maybe|many)$/ && !n_columns[owner] && !by_hand[owner])
        return "has no columns"
    if (each[q] != "" && kind[q] !~ /^(many|exec|later)$/)
        return "asks something of an empty list"
    if (kind[q] !~ /^(one|maybe|many)$/ && n_columns[owner])
        return "reads no columns"
    if (kind[q] == "many" && row_of[q] == "" && n_columns[owner] != 1)
        return "has no row for its columns"
    if (params[q] < 0)
        return "uses no $" (-params[q])
    if (kind[q] != "" && length(binds[q]) != params[q])
        return "has " params[q] " parameters, not " length(binds[q])
    return ""
}

function write_file(f,    out, i, what, key, q, public, within, code, proto) {
    public = within = code = ""
    for (i = 1; i <= n_items[f]; i++) {
        what = items[f, i]
        key = substr(what, index(what, " ") + 1)
        if (what ~ /^row /) {
            is_inside = defined[key] > 0 && inside[defined[key]] != ""
            proto = in_c[key] ? "" : comment(doc[key]) struct(key, key) "\n"
            within = within (is_inside ? proto : "") "void " fill_name(key) "(struct ipr_db_row *r, void *out);\n"
            public = public (is_inside ? "" : proto)
            if (!by_hand[key])
                code = code fill(key, "void " fill_name(key), "struct " key, "") "\n"
            continue
        }
        q = key + 0
        code = code wrapper(q) "\n"
        proto = comment(doc[what]) call("IPR_CHECK enum ipr_code ipr_db_" names[q], all_args) ";\n"
        if (inside[q] != "")
            within = within proto "\n"
        else
            public = public proto "\n"
    }
    out = dir "/queries/" f
    printf "%s%s#endif\n", guard(f), public > (out ".h")
    printf "%s#include \"db/%s.h\"\n#include \"db/pq.h\"\n%s\n%s\n#endif\n", guard(f "_inside"), f,
        includes[f], within > (out "_inside.h")
    printf "/* Generated from sql/queries by sql/gen_queries.awk. */\n%s\"queries/%s_inside.h\"\n\n%s",
        "#include ", f, code > (out "_rows.c")
}

# "name:letter …" of all columns; "?" where some are read by hand.
function columns_of(owner,    k, out) {
    if (by_hand[owner])
        return "?"
    for (k = 1; k <= n_columns[owner]; k++) {
        if (k > 1)
            out = out " "
        if (col_type[owner, k] ~ /^row /)
            out = out columns_of(substr(col_type[owner, k], 5))
        else {
            c_type(col_type[owner, k])
            out = out col[owner, k] ":" (col_by[owner, k] != "" ? "t" : letter)
        }
    }
    return out
}

function types(q,    found) {
    if (kind[q] == "")
        return "NULL, NULL"
    found = columns_of(owner_of(q))
    return "\"" binds[q] "\", " (found == "" || found ~ /\?/ ? "NULL" : "\"" found "\"")
}

function write_table(out,    i) {
    printf "%s#include <stddef.h>\n\nenum ipr_query {\n", guard("table") > out
    for (i = 1; i <= count; i++)
        print "    IPR_Q_" toupper(names[i]) "," > out
    print "    IPR_Q_COUNT\n};\n" > out
    print "#define IPR_Q_PARAMS_MAX " (most > 0 ? most : 1) "\n" > out
    print "#ifdef IPR_QUERIES_TABLE" > out
    print "#pragma GCC diagnostic push\n#pragma GCC diagnostic ignored \"-Woverlength-strings\"" > out
    print "static const struct ipr_query_text {\n    const char *name, *sql;\n    int n_params;" > out
    print "    const char *params, *columns; /* letters of their types; NULL: called by hand */" > out
    print "} ipr_queries[IPR_Q_COUNT] = {" > out
    for (i = 1; i <= count; i++)
        printf "    { \"%s\",\n      %s,\n      %d, %s },\n", names[i], literal(sql[i]), params[i],
            types(i) > out
    print "};\n#pragma GCC diagnostic pop\n#endif\n\n#endif" > out
}

END {
    if (failed)
        exit 1
    finish()
    for (i = 1; i <= count; i++) {
        sql[i] = expand_all(sql[i])
        params[i] = n_params(sql[i])
        if (params[i] > most)
            most = params[i]
        why = check(i)
        if (why != "") {
            printf "%s:%d: query %s %s\n", where[names[i]], line[i], names[i], why > "/dev/stderr"
            failed = 1
        }
    }
    if (failed)
        exit 1
    write_table(dir "/queries.h")
    for (i = 1; i <= n_files; i++)
        write_file(files[i])
}
