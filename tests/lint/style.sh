#!/bin/bash
# One format for all C, no doubtful shell, headers that compile alone, and none of the functions
# that are never right here.
set -u
cd "$(dirname "$0")/../.." || exit
build=${1:?usage: style.sh BUILD_DIR}
bad=0

mapfile -t sources < <(find analysis server tests -name node_modules -prune -o -name '*.[ch]' -print)
clang-format --dry-run -Werror "${sources[@]}" || bad=1

mapfile -t scripts < <(find setup sql tests docker .ci -name node_modules -prune -o -name '*.sh' -print -o -path .ci/run -print)
shellcheck --severity=warning "${scripts[@]}" || bad=1

while read -r header; do
    gcc -std=c17 -D_GNU_SOURCE -Ianalysis -Iserver -Itests/support -I"$build/gen" \
        -isystem /usr/include/postgresql -fsyntax-only -x c - <<<"#include \"$header\"" || bad=1
done < <(find analysis server -name '*.h' | sed 's,^[a-z]*/,,')

if grep -rnE --include='*.c' '\b(strcpy|strcat|sprintf|vsprintf|strtok|gets|atoi|atol|atof|sscanf|setlocale|gmtime|localtime|alloca|system|popen)\(' analysis server; then
    echo '  these are not used here'
    bad=1
fi
exit $bad
