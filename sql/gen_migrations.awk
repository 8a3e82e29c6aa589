# Turns sql/migrations/NNNN_what.sql into a C table of number, name and text, so that the program
# can migrate without its source tree. Numbers run from 1 without a gap.

function die(why) {
    printf "%s: %s\n", FILENAME, why > "/dev/stderr"
    failed = 1
    exit 1
}

FNR == 1 {
    name = FILENAME
    sub(/.*\//, "", name)
    if (name !~ /^[0-9][0-9][0-9][0-9]_[a-z0-9_]+\.sql$/)
        die("want NNNN_what.sql")
    if (substr(name, 1, 4) + 0 != ++count)
        die("want number " count)
    sub(/\.sql$/, "", name)
    names[count] = name
}

{
    gsub(/\\/, "&&")
    gsub(/"/, "\\\"")
    text[count] = text[count] "\n      \"" $0 "\\n\""
}

END {
    if (failed)
        exit 1
    print "/* Generated from sql/migrations by sql/gen_migrations.awk. */"
    print "#ifndef IPR_GEN_MIGRATIONS_H\n#define IPR_GEN_MIGRATIONS_H\n"
    print "#define IPR_MIGRATIONS " count "\n"
    print "#pragma GCC diagnostic push\n#pragma GCC diagnostic ignored \"-Woverlength-strings\""
    print "static const struct ipr_migration {\n    int number;\n    const char *name, *sql;"
    print "} ipr_migrations[IPR_MIGRATIONS] = {"
    for (i = 1; i <= count; i++)
        printf "    { %d, \"%s\",%s },\n", i, names[i], text[i]
    print "};\n#pragma GCC diagnostic pop\n\n#endif"
}
