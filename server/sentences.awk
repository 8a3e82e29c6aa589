# Turns templates/sentences/*.txt into gen/sentences.h: of each sentence an enum of its cases, a struct
# of its slots and a function that renders a case; with -v part=table the table of slots and texts that
# server/sentence/ has. A service reads the texts anew when it starts. server/sentence/sentence.h
# describes the language. Malformed input stops the build.

function die(why) {
    printf "%s:%d: %s\n", FILENAME, FNR, why > "/dev/stderr"
    failed = 1
    exit 1
}

function quoted(s) {
    gsub(/["\\]/, "\\\\&", s)
    return "\"" s "\""
}

BEGIN {
    c_type["text"] = "const char *"
    c_type["texts"] = "struct ipr_texts "
    c_type["number"] = "double "
    c_type["flag"] = "bool "
    c_type["interval"] = "struct ipr_interval "
}

FNR == 1 {
    page = FILENAME
    gsub(/.*\/|\.txt$/, "", page)
    name = ""
}

/^(#.*)?$/ { next }

/^    [^ ]/ {
    if (n_cases[name]) text[name, n_cases[name]] = text[name, n_cases[name]] " " substr($0, 5)
    next
}

$1 == "sentence" && $2 ~ /^[a-z][a-z0-9_]*$/ && $3 == "|" && NF > 3 {
    name = page "_" $2
    if (name in meaning) die("twice: " $2)
    names[++n_names] = name
    label[name] = page "." $2
    meaning[name] = substr($0, index($0, "| ") + 2)
    next
}

name == "" { die("want `sentence NAME | what it is about'") }

$1 == "slot" && $2 ~ /^[a-z][a-z0-9_]*$/ && ($3 == "flag" ? NF == 3 : NF > 3) {
    if (n_cases[name]) die("want the slots before the cases")
    k = ++n_slots[name]
    slot[name, k] = $2
    type[name, k] = $3
    optional[name, k] = $3 == "flag" || sub(/\?$/, "", type[name, k])
    if (!(type[name, k] in c_type)) die("no type " $3)
    example[name, k] = $0
    sub(/^slot [^ ]+ [^ ]+ ?/, "", example[name, k])
    next
}

$1 == "case" && $2 ~ /^[a-z][a-z0-9_]*$/ && $3 == "|" && NF > 3 {
    cases[name, ++n_cases[name]] = $2
    text[name, n_cases[name]] = substr($0, index($0, " | ") + 3)
    next
}

{ die("want `slot NAME TYPE EXAMPLE' or `case NAME | TEXT'") }

function print_slots(name,    k) {
    printf "\n/** Slots of %s: %s. */\nstruct ipr_%s_slots {\n", label[name], meaning[name], name
    for (k = 1; k <= n_slots[name]; k++)
        printf "    %s%s;%s\n", c_type[type[name, k]], slot[name, k], example[name, k] == "" ? "" : " /* " example[name, k] (optional[name, k] ? "; or none" : "") " */"
    print "};"
}

function print_code(    i, k, name) {
    print "/* Generated from templates/sentences/ by server/sentences.awk. */"
    print "enum ipr_sentence_id {"
    for (i = 1; i <= n_names; i++)
        for (k = 1; k <= n_cases[names[i]]; k++)
            printf "    IPR_SENTENCE_%s_%s,\n", toupper(names[i]), toupper(cases[names[i], k])
    print "    IPR_SENTENCES\n};\n"
    print "/** The text of a case with these slots, from `mem`. */"
    print "const char *ipr_sentence(enum ipr_sentence_id id, const void *slots, struct ipr_arena *mem);\n"
    print "/** The text of a case of a sentence without slots. */"
    print "const char *ipr_sentence_fixed(enum ipr_sentence_id id);"
    for (i = 1; i <= n_names; i++) {
        name = names[i]
        if (name ~ /^words_/) # read by their names
            continue
        if (n_slots[name])
            print_slots(name)
        printf "\n/** The cases of %s: %s. */\nenum ipr_%s {\n", label[name], meaning[name], name
        for (k = 1; k <= n_cases[name]; k++)
            printf "    IPR_%s_%s,\n", toupper(name), toupper(cases[name, k])
        printf "};\n\nstatic inline const char *ipr_say_%s(enum ipr_%s which%s)\n{\n", name, name,
            n_slots[name] ? ",\n    const struct ipr_" name "_slots *slots, struct ipr_arena *mem" : ""
        printf "    return ipr_sentence%s((enum ipr_sentence_id)(IPR_SENTENCE_%s_%s + (int)which)%s);\n}\n",
            n_slots[name] ? "" : "_fixed", toupper(name), toupper(cases[name, 1]), n_slots[name] ? ", slots, mem" : ""
    }
}

function print_table(    i, k, name) {
    print "/* Generated from templates/sentences/ by server/sentences.awk. */"
    for (i = 1; i <= n_names; i++) {
        name = names[i]
        printf "static const struct ipr_sentence_slot slots_of_%s[] = {\n", name
        for (k = 1; k <= n_slots[name]; k++)
            printf "    { %s, IPR_SLOT_%s, offsetof(struct ipr_%s_slots, %s), %s, %s },\n", quoted(slot[name, k]),
                toupper(type[name, k]), name, slot[name, k], optional[name, k] ? "true" : "false", quoted(example[name, k])
        print "    { NULL, IPR_SLOT_TEXT, 0, false, NULL },\n};"
    }
    for (i = 1; i <= n_names; i++)
        if (!n_slots[names[i]]) {
            printf "static struct ipr_word %s[] = {", names[i]
            for (k = 1; k <= n_cases[names[i]]; k++)
                printf " { %s, %s },", quoted(cases[names[i], k]), quoted(text[names[i], k])
            print " { NULL, NULL } };"
        }
    print "static const struct ipr_sentence_case sentence_cases[IPR_SENTENCES] = {"
    for (i = 1; i <= n_names; i++)
        for (k = 1; k <= n_cases[names[i]]; k++)
            printf "    { %s, slots_of_%s, %s, %s },\n", quoted(label[names[i]] "." cases[names[i], k]), names[i],
                n_slots[names[i]] ? "NULL" : "&" names[i] "[" k - 1 "]", quoted(text[names[i], k])
    print "};"
    print "static const struct {\n    const char *name;\n    const struct ipr_word *words;\n} dictionaries[] = {"
    for (i = 1; i <= n_names; i++)
        if (names[i] ~ /^words_/)
            printf "    { %s, %s },\n", quoted(substr(names[i], 7)), names[i]
    print "};"
}

END {
    if (failed)
        exit 1
    for (i = 1; i <= n_names; i++)
        if (!n_cases[names[i]])
            die("no case of " label[names[i]])
    if (part == "table")
        print_table()
    else
        print_code()
}
