#!/bin/bash
# One format for all C, functions of at most 70 lines, one style of comments and of tests for NULL, no
# doubtful shell, headers that compile alone, and none of the functions that are never right here.
set -u
cd "$(dirname "$0")/../.." || exit
build=${1:?usage: style.sh BUILD_DIR}
bad=0

mapfile -t sources < <(find analysis api lab fetch server tests -name node_modules -prune -o -name '*.[ch]' -print)
clang-format --dry-run -Werror "${sources[@]}" || bad=1

mapfile -t scripts < <(find setup sql tests docker debian .ci -name node_modules -prune -o -path debian/intrinsic -prune -o -name '*.sh' -print -o -path .ci/run -print)
shellcheck --severity=warning "${scripts[@]}" || bad=1

while read -r header; do
    gcc -std=c17 -D_GNU_SOURCE -I. -Ianalysis -Iserver -Itests/support -I"$build/gen" \
        -isystem /usr/include/postgresql -fsyntax-only -x c - <<<"#include \"$header\"" || bad=1
done < <(find analysis server -name '*.h' | sed 's,^[a-z]*/,,')

if grep -rnE --include='*.c' '\b(strcpy|strcat|sprintf|vsprintf|strtok|gets|atoi|atol|atof|sscanf|setlocale|gmtime|localtime|alloca|system|popen)\(' analysis fetch server; then
    echo '  these are not used here'
    bad=1
fi

# A body's lines are counted from "{" to "}", both in the first column.
mapfile -t bodies < <(find analysis lab fetch server -name '*.c' | sort)
awk '
/^\{$/ { start = FNR }
/^}$/ && FNR - start >= 70 {
    print FILENAME ":" start ": a function of " FNR - start + 1 " lines; 70 are allowed"
    bad = 1
}
END { exit bad }' "${bodies[@]}" || bad=1

# Comments on statics are /* ... */; /** ... */ documents declarations, in headers alone. A pointer
# is compared with NULL, never tested as a truth value; macros of jansson and sys/queue.h do so
# themselves.
mapfile -t ours < <(find analysis fetch server -name '*.c' | sort)
if grep -nE '^ */\*\*|^ *//' "${ours[@]}"; then
    echo '  a comment in a .c file is /* ... */'
    bad=1
fi
pointer='ignoringParenImpCasts(expr(hasType(qualType(hasCanonicalType(pointerType())))))'
here='isExpansionInMainFile()'
command -v clang-query-14 >/dev/null || bad=1 # deps.sh test installs it
truths=$(clang-query-14 -c 'set output diag' \
    -c "match unaryOperator($here, hasOperatorName(\"!\"), hasUnaryOperand($pointer))" \
    -c "match binaryOperator($here, hasAnyOperatorName(\"&&\", \"||\"), hasEitherOperand($pointer))" \
    -c "match stmt(anyOf(ifStmt($here, hasCondition($pointer)), whileStmt($here, hasCondition($pointer)),
        forStmt($here, hasCondition($pointer)), conditionalOperator($here, hasCondition($pointer))))" \
    "${ours[@]}" -- -std=c17 -D_GNU_SOURCE -I. -Ianalysis -Iserver -I"$build/gen" -isystem /usr/include/postgresql 2>&1 |
    sed -nE "s,^$PWD/([^:]+:[0-9]+):[0-9]+: note: .*,\1,p" | sort -u)
while IFS=: read -r file line; do
    text=$(sed -n "${line}p" "$file")
    case $text in *json_is_* | *json_*_foreach* | *LIST_* | *TAILQ_*) continue ;; esac
    echo "$file:$line:$text"
    echo '  compare the pointer with NULL'
    bad=1
done < <(printf '%s' "${truths:+$truths
}")
exit $bad
