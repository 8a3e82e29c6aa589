# Turns server/resources.def into C. The variable `part` chooses which:
#   params    gen/resources.h: ids, parameter structs and their defaults, choices as enums
#   table     gen/resource_table.h: descriptors, for server/resource/resource.c
#   views     gen/views.h: prototypes of the view functions
#   fills     gen/view_fills.c: the view functions ipr_view_X of those that are given as ipr_fill_X
#   handlers  gen/handlers.h: prototypes of the handlers and the table of addresses, for server/http
#   stand_ins gen/stand_ins.h: FAKE_VIEW of every view function, for tests/http
#   api       gen/api_addresses.h: the addresses of the API as they are documented, for api/
#   md        build/docs/parameters.md
# Of view/figure/members.def, which is read before, only the names of the shapes matter: their
# structures are called otherwise than those of answers.def. It stands after
# server/registry.awk. Errors stop the build.

function die(why) {
    printf "%s:%d: %s\n", FILENAME, FNR, why > "/dev/stderr"
    failed = 1
    exit 1
}

function upper(s) { gsub(/[^A-Za-z0-9]/, "_", s); return toupper(s) }

function text_or_null(s) { return s == "" ? "NULL" : quoted(s) }

# Pages and OpenAPI show a text as it is: without the marks of code.
function quoted(s) { gsub(/`/, "", s); gsub(/\\/, "&&", s); gsub(/"/, "\\\"", s); return "\"" s "\"" }

# "a b | help" into words and help.
function split_help(line,    at) {
    at = index(line, " | ")
    help = at ? substr(line, at + 3) : ""
    return at ? substr(line, 1, at - 1) : line
}

# A parameter's line, as a row of `p` under the key owner, number.
function read_param(owner, line, shared,    word, n, i, k) {
    n = split(split_help(line), word, " ")
    if (n < 3 || help == "")
        die("want `param NAME TYPE … | help'")
    n_params[owner]++
    k = owner SUBSEP n_params[owner]
    p_name[k] = word[2]; p_type[k] = word[3]; p_help[k] = help; p_shared[k] = shared
    p_lo[k] = p_hi[k] = p_words[k] = p_default[k] = p_of[k] = ""
    p_required[k] = 0; p_query[k] = 0; p_api[k] = 0; p_rows[k] = 0; p_with[k] = p_without[k] = p_upto[k] = ""
    i = 4
    if (word[3] ~ /^(int|real|ints)$/) {
        if (split(word[i++], range, /\.\./) != 2)
            die("want a range LO..HI")
        p_lo[k] = range[1]; p_hi[k] = range[2]
    } else if (word[3] ~ /^(choice|set)$/)
        p_words[k] = registry_expand(word[i++])
    else if (word[3] ~ /^texts?$/)
        p_hi[k] = word[i++]
    else if (word[3] !~ /^(bool|times|side|cursor|json|date)$/)
        die("no type " word[3])
    for (; i <= n; i++)
        if (word[i] ~ /^=/) p_default[k] = substr(word[i], 2)
        else if (word[i] == "required") p_required[k] = 1
        else if (word[i] == "query") p_query[k] = 1
        else if (word[i] == "api") p_api[k] = 1
        else if (word[i] ~ /^for=/) p_of[k] = substr(word[i], 5)
        else if (word[i] ~ /^with=/) p_with[k] = substr(word[i], 6)
        else if (word[i] ~ /^without=/) p_without[k] = substr(word[i], 9)
        else if (word[i] ~ /^upto=/) p_upto[k] = substr(word[i], 6)
        else die("what is " word[i])
}

# Parameters, by commas, of sets that most pages have.
function carry(name) {
    if (("," carried ",") !~ "," name ",") carried = carried (carried == "" ? "" : ",") name
}

function use(owner, set,    i, k, from) {
    if (!(set in n_params)) die("no set " set)
    for (i = 1; i <= n_params[set]; i++) {
        from = set SUBSEP i
        n_params[owner]++
        k = owner SUBSEP n_params[owner]
        p_name[k] = p_name[from]; p_type[k] = p_type[from]; p_help[k] = p_help[from]
        p_lo[k] = p_lo[from]; p_hi[k] = p_hi[from]; p_words[k] = p_words[from]
        p_default[k] = p_default[from]; p_of[k] = p_of[from]; p_required[k] = p_required[from]
        p_query[k] = p_query[from]; p_api[k] = p_api[from]; p_shared[k] = set != "list"
        if (set ~ /^(setting|moves|evaluations|era)$/) carry(p_name[k])
        p_with[k] = p_with[from]; p_without[k] = p_without[from]; p_upto[k] = p_upto[from]
    }
}

function address(method, path, template, view, to, queue) {
    a_method[++n_addresses] = method; a_path[n_addresses] = path; a_of[n_addresses] = owner
    a_page[n_addresses] = template; a_view[n_addresses] = view; a_to[n_addresses] = to
    a_queue[n_addresses] = queue
    addressed[owner] = 1
    if (template != "" && page[owner] == "") {
        page[owner] = path
        page_template[owner] = template
    }
    if (method == "GET" && path ~ /^\/api\// && api[owner] == "") api[owner] = path
}

/^[ \t]*(#|$)/ { next }

FILENAME ~ /members\.def$/ {
    if ($1 == "shape") of_figures[$2] = 1
    next
}

$1 == "section" {
    split_help($0)
    now = $2
    section_help[now] = help
    next
}

$1 == "set" || $1 == "resource" {
    owner = $2
    if (owner in n_params) die(owner " is there twice")
    n_params[owner] = 0
    if ($1 == "resource") {
        names[++count] = owner
        split_help($0)
        if (help == "") die("want `resource NAME | what it is'")
        title[owner] = help
        section[owner] = now
        cost[owner] = "cheap"
    }
    next
}
$1 == "@params" { for (i = 1; i <= n_predictor_params; i++) read_param(owner, predictor_param[i], 0); next }
$1 == "param" { read_param(owner, $0, owner in title ? 0 : 1); next }
$1 == "use" { use(owner, $2); next }
$1 ~ /^(get|post|patch|delete)$/ { address(toupper($1), $2, "", "", ""); next }
$1 == "page" {
    if (NF > 4 && $5 != "queue") die("want `page PATH TEMPLATE [VIEW [queue]]'")
    address("GET", $2, $3, $4, "", $5)
    next
}
$1 == "redirect" { redirect[owner] = $2; next }
$1 == "title" {
    menu[owner] = $2
    heading[owner] = substr($0, index($0, $2) + length($2) + 1)
    next
}
$1 == "menu" {
    if (NF < 4) die("want `menu NAME PATH LABEL'")
    entry[++n_entries] = menu_entry("NULL", $2, $3)
    next
}
$1 == "within" {
    if (NF < 5) die("want `within MENU NAME PATH LABEL'")
    entry[++n_entries] = menu_entry(quoted($2), $3, $4)
    next
}
$1 == "moved" { address("GET", $2, "", "", $3); next }
$1 == "view" { view[owner] = $2; next }
$1 == "document" { view[owner] = "ipr_view_" owner; document[view[owner]] = $2; next }
$1 == "fill" {
    if ($2 !~ /^ipr_fill_/ || (NF > 2 && $3 != "view")) die("want `fill ipr_fill_X [view]'")
    view[owner] = $2
    filled[$2] = 1
    if (NF > 2) no_context[$2] = 1
    next
}
$1 == "handle" { handle[owner] = $2; next }
$1 == "rows" { rows[owner] = $2; next }
$1 == "columns" {
    key = t_count[owner] == 0 ? owner : owner SUBSEP t_count[owner]
    for (i = 2; i <= NF; i++) columns[key] = columns[key] (columns[key] == "" ? "" : " ") $i
    next
}
$1 == "table" {
    n = split(split_help($0), word, " ")
    if (n < 3 || help == "") die("want `table NAME PATH… | what it has'")
    t_count[owner]++
    key = owner SUBSEP t_count[owner]
    t_name[key] = word[2]; t_help[key] = help
    for (i = 3; i <= n; i++)
        t_rows[key] = t_rows[key] (i == 3 ? "" : " ") (word[i] == "@scaled" ? registry_paths() : word[i])
    next
}
$1 == "each" { each[owner] = $2; next }
$1 == "body" {
    for (i = 2; i <= NF; i++) types[owner] = types[owner] (types[owner] == "" ? "" : " ") $i
    next
}
$1 == "cost" { cost[owner] = $2; heavy[owner] = $3; next }
$1 == "setting" { purpose[owner] = $2; next }
$1 == "depends" { depends[owner] = $2; next }
$1 == "answer" { answer[owner] = $2; statuses[owner] = NF > 2 ? $3 : "200"; next }
$1 == "example" {
    example[owner] = $2
    body[owner] = substr($0, index($0, $2) + length($2) + 1)
    next
}
$1 == "inside" { inside[owner] = 1; next }
$1 == "scope" { scope[owner] = $2; next }
$1 == "flags" { for (i = 2; i <= NF; i++) flags[owner] = flags[owner] " | IPR_FLAG_" upper($i); next }
{ die("want a line of a set or resource") }

# The parameter `rows` of a resource with tables: one of them, by default the list, or the first.
function add_rows(o,    i, k, key, also) {
    k = o SUBSEP (n_params[o] + 1)
    for (i = 1; i <= n_params[o]; i++) if (p_name[o SUBSEP i] == "fields") also = " without=fields"
    for (i = 1; i <= t_count[o]; i++) {
        key = o SUBSEP i
        if (columns[key] == "") die("want columns of the table " t_name[key] " of " o)
        p_words[k] = p_words[k] (i == 1 ? "" : "|") t_name[key]
        p_help[k] = p_help[k] (i == 1 ? "" : "; ") "`" t_name[key] "`, " t_help[key]
    }
    key = p_help[k]
    read_param(o, "param rows choice " p_words[k] (rows[o] == "" ? " =" t_name[o SUBSEP 1] : "") " api" also \
        " | rows of CSV and NDJSON" (rows[o] == "" ? "" : ", in place of the list") ": " key, 0)
    p_rows[k] = 1
}

function c_type(k) {
    if (p_type[k] == "int") return p_hi[k] > 2147483647 ? "int64_t " : "int "
    if (p_type[k] == "real") return "double "
    if (p_type[k] == "bool") return "bool "
    if (p_type[k] == "choice") return "int "
    if (p_type[k] ~ /^(set|times)$/) return "unsigned "
    if (p_type[k] == "side") return "struct ipr_param_side "
    if (p_type[k] == "ints") return "struct ipr_param_ints "
    if (p_type[k] == "texts") return "struct ipr_param_texts "
    if (p_type[k] == "json") return "const json_t *"
    return "const char *"
}

# The default as C, empty where zero is it.
function c_default(k,    w, n, i) {
    if (p_type[k] == "choice") {
        n = split(p_words[k], w, "|")
        for (i = 1; i <= n; i++) if (w[i] == p_default[k]) return i - 1
        if (p_default[k] != "") die("no choice " p_default[k])
        return -1
    }
    if (p_type[k] == "real") return p_default[k] != "" ? p_default[k] : "NAN"
    if (p_type[k] == "int" && p_default[k] == "" && p_lo[k] <= 0) return "IPR_PARAM_ABSENT"
    return p_type[k] ~ /^(int|bool)$/ ? p_default[k] : ""
}

function print_params(o,    i, k, d, init, w, n, j) {
    printf "\n/** %s */\nstruct ipr_%s_request {\n", title[o], o
    if (n_params[o] == 0) print "    char none;"
    for (i = 1; i <= n_params[o]; i++) {
        k = o SUBSEP i
        printf "    %s%s; /* %s */\n", c_type(k), p_name[k], p_help[k]
        d = c_default(k)
        if (d != "") init = init (init == "" ? "" : ", ") "." p_name[k] " = " d
    }
    print "};"
    printf "#define IPR_%s_REQUEST_INIT { %s }\n", upper(o), init == "" ? "0" : init
    for (i = 1; i <= n_params[o]; i++) {
        k = o SUBSEP i
        if (p_type[k] !~ /^(choice|set)$/ || p_shared[k]) continue
        n = split(p_words[k], w, "|")
        printf "enum {"
        for (j = 1; j <= n; j++)
            printf "%s IPR_%s_%s_%s = %s", (j == 1 ? "" : ","), upper(o), upper(p_name[k]),
                upper(w[j]), (p_type[k] == "set" ? "1 << " (j - 1) : j - 1)
        print " };"
    }
}

# A parameter of the set `list` is of a part of a list, also where a list has its own range of it.
function is_paging(name,    i) {
    for (i = 1; i <= n_params["list"]; i++) if (p_name["list" SUBSEP i] == name) return 1
    return 0
}

# Parameters that another one names.
function check_names(o,    i, j, k, n, others, known) {
    split("", known)
    for (i = 1; i <= n_params[o]; i++) known[p_name[o SUBSEP i]] = 1
    for (i = 1; i <= n_params[o]; i++) {
        k = o SUBSEP i
        n = split(p_with[k] "," p_without[k] "," p_upto[k], others, ",")
        for (j = 1; j <= n; j++)
            if (others[j] != "" && !(others[j] in known)) die("no parameter " others[j] " of " o)
    }
}

function names_list(list) { gsub(/,/, "`, `", list); return "`" list "`" }

function commas(list) { gsub(/,/, ", ", list); return list }

# What a parameter has to do with others.
function relations(k) {
    return (p_of[k] == "" ? "" : " (method " commas(p_of[k]) ")") \
        (p_with[k] == "" ? "" : " (only with " names_list(p_with[k]) ")") \
        (p_without[k] == "" ? "" : " (only without " names_list(p_without[k]) ")") \
        (p_upto[k] == "" ? "" : " (at most " names_list(p_upto[k]) ")")
}

function print_descriptor(o,    i, k, w, n, j) {
    for (i = 1; i <= n_params[o]; i++) {
        k = o SUBSEP i
        if (p_type[k] !~ /^(choice|set)$/) continue
        printf "static const char *const %s_%s_words[] = { ", o, p_name[k]
        n = split(p_words[k], w, "|")
        for (j = 1; j <= n; j++) printf "\"%s\", ", w[j]
        print "NULL };"
    }
    printf "static const struct ipr_param_def %s_defs[] = {\n", o
    for (i = 1; i <= n_params[o]; i++) {
        k = o SUBSEP i
        printf "    { .name = \"%s\", .help = %s, .type = IPR_PARAM_%s", p_name[k], quoted(p_help[k] relations(k)), upper(p_type[k])
        printf ", .at = offsetof(struct ipr_%s_request, %s), .size = sizeof(((struct ipr_%s_request *)0)->%s)", o, p_name[k], o, p_name[k]
        if (p_lo[k] != "") printf ", .lo = %s", p_lo[k]
        if (p_hi[k] != "") printf ", .hi = %s", p_hi[k] ~ /^9223372036854775807$/ ? "9223372036854775807.0" : p_hi[k]
        if (p_words[k] != "") printf ", .words = %s_%s_words", o, p_name[k]
        if (p_default[k] != "") printf ", .preset = %s", quoted(p_default[k])
        if (p_of[k] != "") printf ", .of = %s", quoted(p_of[k])
        if (p_with[k] != "") printf ", .with = %s", quoted(p_with[k])
        if (p_without[k] != "") printf ", .without = %s", quoted(p_without[k])
        if (p_upto[k] != "") printf ", .upto = %s", quoted(p_upto[k])
        if (is_paging(p_name[k])) printf ", .paging = true"
        if (p_rows[k]) printf ", .rows = true"
        printf ", .required = %s, .query = %s, .api = %s, .shared = %s },\n", p_required[k] ? "true" : "false",
            p_query[k] ? "true" : "false", p_api[k] ? "true" : "false", p_shared[k] ? "true" : "false"
    }
    print "    { .name = NULL },\n};"
    printf "static const struct ipr_%s_request %s_init = IPR_%s_REQUEST_INIT;\n", o, o, upper(o)
}

function print_tables(o,    i, key) {
    if (t_count[o] == 0) return
    printf "static const struct ipr_table %s_tables[] = {\n", o
    for (i = 1; i <= t_count[o]; i++) {
        key = o SUBSEP i
        printf "    { .name = \"%s\", .rows = \"%s\", .columns = \"%s\" },\n", t_name[key], t_rows[key], columns[key]
    }
    print "    { .name = NULL },\n};"
}

function print_table(    i, o) {
    for (i = 1; i <= count; i++) {
        print_descriptor(names[i])
        print_tables(names[i])
    }
    print "\nstatic const struct ipr_menu_entry menu[] = {"
    for (i = 1; i <= n_entries; i++) print "    " entry[i] ","
    print "    { .name = NULL },\n};\n\nstatic const struct ipr_resource table[IPR_RESOURCES] = {"
    for (i = 1; i <= count; i++) {
        o = names[i]
        printf "    { .name = \"%s\", .title = %s, .api = %s, .page = %s, .page_template = %s, .menu = %s, .heading = %s, .redirect = %s, .rows = %s, .columns = %s, .each = %s, .tables = %s, .types = %s, .cost = IPR_COST_%s, .depends = IPR_DEPENDS_%s, .flags = 0%s, .scope = %s, .params = %s_defs, .init = &%s_init, .size = sizeof %s_init },\n",
            o, quoted(title[o]), text_or_null(api[o]), text_or_null(page[o]), text_or_null(page_template[o]), text_or_null(menu[o]), text_or_null(heading[o]),
            text_or_null(redirect[o]), text_or_null(rows[o]), text_or_null(columns[o]), text_or_null(each[o]), (t_count[o] ? o "_tables" : "NULL"), text_or_null(types[o]),
            upper(cost[o]), depends[o] == "" ? "NOTHING" : upper(depends[o]), flags[o], scope[o] == "" ? 0 : "IPR_SCOPE_" upper(scope[o]), o, o, o
    }
    print "};"
}

function menu_entry(section, name, path) {
    return "{ .section = " section ", .name = " quoted(name) ", .path = " quoted(path) ", .label = " quoted(substr($0, index($0, " " path " ") + length(path) + 2)) " }"
}

# The view function: of ipr_fill_X, which fills an object in a context, it is generated.
function view_name(f) {
    sub(/^ipr_fill_/, "ipr_view_", f)
    return f
}

function struct_of(o) {
    return "struct ipr_" (answer[o] in of_figures ? "figure" : "answer") "_" answer[o]
}

function prototype(f, o,    from) {
    from = "const struct ipr_view *v, "
    if (f ~ /^ipr_fill_/ && !(f in no_context)) from = "const struct ipr_view_context *c, "
    return "enum ipr_code " f "(" from "const struct ipr_" o "_request *p, " \
        (f in filled ? struct_of(o) " *out" : f ~ /^ipr_fill_/ ? "json_t *out" : "json_t **out") ", struct ipr_err *err)"
}

# Calls `do_view` for every view function, once.
function each_view(part,    i, seen) {
    split("", seen)
    for (i = 1; i <= count; i++)
        if (view[names[i]] != "" && !(view[names[i]] in seen)) {
            seen[view[names[i]]] = 1
            do_view(part, view[names[i]], names[i], title[names[i]])
        }
    for (i = 1; i <= n_addresses; i++)
        if (a_view[i] != "") do_view(part, a_view[i], a_of[i], "For the page " a_path[i] ".")
}

function do_view(part, f, o, about) {
    if (part == "thunks") {
        if (o in addressed) thunk(view_name(f), o)
    } else if (part == "views") {
        printf "/** %s */\nIPR_CHECK %s;\n", about, prototype(view_name(f), o)
        if (f != view_name(f)) printf "IPR_CHECK %s;\n", prototype(f, o)
    } else if (part == "stand_ins") {
        printf "FAKE_VIEW(%s, %s, %s, \"%s\")\n", view_name(f), o, upper(o), (f == view[o] ? "" : "page ")
    } else if (part == "structs") {
        if (f in filled) print struct_of(o) ";"
    } else if (f in document)
        printf "\n%s\n{\n    (void)p;\n    return ipr_view_shipped(v, \"%s\", out, err);\n}\n", \
            prototype(f, o), document[f]
    else if (f != view_name(f))
        print_fill(f, o)
}

# The request's engine setting, if the resource has that parameter.
function judge_of(o,    i) {
    for (i = 1; i <= n_params[o]; i++) if (p_name[o SUBSEP i] == "judge") return "p->judge"
    return "NULL"
}

# What is filled is written as JSON in any case, since that takes the members that are JSON already, and
# before the context is closed, whose texts it may point to.
function print_fill(f, o) {
    printf "\n%s\n{\n", prototype(view_name(f), o)
    if (f in filled)
        printf "    %s *const filled = ipr_shape_new(IPR_SHAPE_%s, v->mem);\n    json_t *answer = NULL;\n", struct_of(o), upper(answer[o])
    else
        printf "    json_t *answer = json_object();\n"
    if (f in no_context)
        printf "    const enum ipr_code rc = %s(v, p, filled, err);\n\n", f
    else {
        printf "    struct ipr_view_context c;\n"
        printf "    const struct ipr_setting_scope scope = { .judge = %s };\n", judge_of(o)
        printf "    enum ipr_code rc = ipr_setting_for(v, IPR_FOR_%s, &scope, &c, err);\n\n", toupper(purpose[o] == "" ? "lines" : purpose[o])
        printf "    if (rc == IPR_OK) {\n        rc = %s(&c, p, %s, err);\n", f, f in filled ? "filled" : "answer"
    }
    if (f in filled)
        printf "        answer = ipr_shape_json(IPR_SHAPE_%s, filled);\n", upper(answer[o])
    if (!(f in no_context))
        printf "        ipr_view_context_close(&c);\n    }\n"
    printf "    if (rc == IPR_OK)\n        *out = answer;\n    else\n        json_decref(answer);\n    return rc;\n}\n"
}

function thunk(f, o) {
    printf "static enum ipr_code call_%s(const struct ipr_view *v, const void *p, json_t **out, struct ipr_err *err)\n{\n    return %s(v, p, out, err);\n}\n", f, f
}

function print_handlers(    i, o, f, seen) {
    split("", seen)
    for (i = 1; i <= count; i++)
        if (handle[names[i]] != "" && !(handle[names[i]] in seen)) {
            seen[handle[names[i]]] = 1
            printf "enum MHD_Result %s(struct ipr_req *req);\n", handle[names[i]]
        }
    print "\n#ifdef IPR_HANDLERS_TABLE"
    each_view("thunks")
    for (i = 1; i <= count; i++)
        if ((f = heavy[names[i]]) != "")
            printf "static bool is_heavy_%s(const void *p)\n{\n    return %s(p);\n}\n", names[i], f
    print "\nstatic const struct ipr_address addresses[] = {"
    for (i = 1; i <= n_addresses; i++) {
        o = a_of[i]
        f = view_name(a_view[i] != "" ? a_view[i] : view[o])
        printf "    { .method = \"%s\", .path = %s, .id = IPR_RESOURCE_%s", a_method[i], quoted(a_path[i]), upper(o)
        if (a_to[i] != "") printf ", .moved = %s", quoted(a_to[i])
        if (a_page[i] != "") printf ", .page = \"%s\"", a_page[i]
        if (f != "") printf ", .view = call_%s", f
        if (a_view[i] != "") printf ", .own_view = true"
        if (a_queue[i] != "") printf ", .queue = true"
        if (handle[o] != "") printf ", .handle = %s", handle[o]
        if (heavy[o] != "") printf ", .heavy = is_heavy_%s", o
        print " },"
    }
    print "    { .method = NULL },\n};\n#endif"
}

# An address of the API; one of the pages alone is in the list for tests.
function is_described(i) { return a_path[i] ~ /^\/api\// && answer[a_of[i]] != "" && !(a_of[i] in inside) }

function print_api(    i, o) {
    print "static const struct ipr_api_address addresses[] = {"
    for (i = 1; i <= n_addresses; i++) {
        o = a_of[i]
        if (a_path[i] !~ /^\/api\//) continue
        if (!is_described(i)) print "#ifdef IPR_API_INSIDE"
        printf "    { .method = \"%s\", .path = %s, .id = IPR_RESOURCE_%s", a_method[i], quoted(a_path[i]), upper(o)
        printf ", .answer = IPR_SHAPE_%s, .statuses = \"%s\"", upper(answer[o]), statuses[o]
        printf ", .section = %s, .section_help = %s", quoted(section[o]), quoted(section_help[section[o]])
        printf ", .example = %s", quoted(example[o])
        if (body[o] != "") printf ", .example_body = %s", quoted(body[o])
        print " },"
        if (!is_described(i)) print "#endif"
    }
    print "    { .method = NULL },\n};"
}

function cell(text) { gsub(/\|/, "\\|", text); return text }

function md_values(k,    list) {
    list = "`" p_words[k] "`"
    gsub(/\|/, "`, `", list)
    if (p_type[k] == "choice") return list
    if (p_type[k] == "set") return "list of " list
    if (p_type[k] == "times") return "list of classes of time control, or all"
    if (p_type[k] == "text") return "text, at most " p_hi[k] " bytes"
    if (p_type[k] == "texts") return "up to 12 texts, at most " p_hi[k] " bytes each, the parameter repeated"
    if (p_type[k] == "bool") return "true, false"
    if (p_type[k] == "side") return "PLAYER:YEAR"
    if (p_type[k] == "cursor") return "cursor"
    if (p_type[k] == "date") return "date: YYYY, YYYY-MM or YYYY-MM-DD"
    if (p_type[k] == "json") return "JSON"
    if (p_hi[k] > 2147483646) return "whole number from " p_lo[k]
    return (p_type[k] == "real" ? "number from " : p_type[k] == "ints" ? "list of whole numbers from " : "whole number from ") \
        p_lo[k] " to " p_hi[k]
}

function print_md(    i, j, o, k, now) {
    print "# Addresses and parameters\n\nGenerated from `server/resources.def`. What holds for all addresses: api.md; the members of the answers: [members.md](members.md)."
    for (i = 1; i <= n_addresses; i++) {
        o = a_of[i]
        if (!is_described(i)) continue
        if (section[o] != now) {
            now = section[o]
            print "\n## " toupper(substr(now, 1, 1)) substr(now, 2) "\n\n" section_help[now]
        }
        printf "\n### `%s %s`\n\n%s Answer: [%s](members.md#%s).%s\n", a_method[i], a_path[i], title[o], answer[o], answer[o],
            scope[o] == "" ? "" : " Scope of the token: `" scope[o] "`."
        if (n_params[o] > 0) print "\n| parameter | values | default | meaning |\n| --- | --- | --- | --- |"
        for (j = 1; j <= n_params[o]; j++) {
            k = o SUBSEP j
            printf "| `%s` | %s | %s | %s |\n", p_name[k], cell(md_values(k)),
                p_required[k] || index(a_path[i], "{" p_name[k] "}") ? "required" : p_default[k] == "" ? "" : "`" p_default[k] "`",
                cell(p_help[k] relations(k))
        }
    }
}

END {
    if (failed) exit 1
    for (i = 1; i <= count; i++) if (t_count[names[i]] > 0) add_rows(names[i])
    if (part == "md") {
        print_md()
        exit
    }
    for (i = 1; i <= n_addresses; i++)
        if (a_path[i] ~ /^\/api\// && (answer[a_of[i]] == "" || example[a_of[i]] == ""))
            die("want an answer and an example of " a_of[i])
    for (i = 1; i <= n_addresses; i++)
        if (a_method[i] != "GET" && a_path[i] ~ /^\/api\// && scope[a_of[i]] == "")
            die("want the scope of a token for " a_of[i])
    for (o in page)
        if (menu[o] == "") die("want a title of the page of " o)
    for (i = 1; i <= count; i++) check_names(names[i])
    for (o in view)
        if (depends[o] == "") die("want what " o " depends on")
    print "/* Generated from server/resources.def by server/resources.awk. */"
    if (part == "params") {
        print "#ifndef IPR_GEN_RESOURCES_H\n#define IPR_GEN_RESOURCES_H\n\n#include <math.h>\n#include <stdbool.h>\n#include <stdint.h>\n\n#include <jansson.h>\n\n#include \"resource/types.h\"\n"
        print "enum ipr_resource_id {"
        for (i = 1; i <= count; i++) print "    IPR_RESOURCE_" upper(names[i]) ","
        print "    IPR_RESOURCES\n};"
        printf "/* Parameters that select data, which links of pages carry. */\n#define IPR_CARRIED_PARAMS \"%s\"\n", carried
        for (i = 1; i <= count; i++) print_params(names[i])
        print "\n#endif"
    } else if (part == "table") print_table()
    else if (part == "views") {
        print "struct ipr_view_context;"
        each_view("structs")
        each_view("views")
        for (i = 1; i <= count; i++)
            if (heavy[names[i]] != "")
                printf "bool %s(const struct ipr_%s_request *p);\n", heavy[names[i]], names[i]
    } else if (part == "fills") {
        print "#include \"view/context.h\"\n#include \"view/document.h\"\n#include \"view/figure/shape.h\""
        each_view("fills")
    }
    else if (part == "stand_ins") each_view("stand_ins")
    else if (part == "handlers") print_handlers()
    else if (part == "api") print_api()
}
