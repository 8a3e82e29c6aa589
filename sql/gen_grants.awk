# Turns sql/grants.sql into a text of C, for `intrinsic migrate`.
BEGIN {
    print "/* Generated from sql/grants.sql by sql/gen_grants.awk. */"
    print "#ifndef IPR_GEN_GRANTS_H\n#define IPR_GEN_GRANTS_H\n"
    print "static const char ipr_grants_sql[] ="
}

{
    gsub(/\\/, "&&")
    gsub(/"/, "\\\"")
    print "    \"" $0 "\\n\""
}

END { print "    ;\n\n#endif" }
