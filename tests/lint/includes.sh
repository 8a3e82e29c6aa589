#!/bin/bash
# Dependencies point one way. For every folder, the folders it may include from; anything else
# is an arrow against the design.
set -u
cd "$(dirname "$0")/../.." || exit
bad=0
pure='base chess pgn uci stats model human'

allowed() {
    case $1 in
    analysis/base) echo base ;;
    analysis/chess) echo 'base chess' ;;
    analysis/pgn) echo 'base chess pgn' ;;
    analysis/uci) echo 'base chess uci' ;;
    analysis/stats) echo 'base stats' ;;
    analysis/model) echo 'base stats model' ;;
    analysis/human) echo 'base chess stats model human' ;;
    # All of server/ may use the pure library; it is below everything.
    server/core) echo "$pure core" ;;
    server/resource) echo "$pure resource" ;;
    server/db) echo "$pure core db queries" ;;
    server/engine) echo "$pure core db engine" ;;
    server/ingest) echo "$pure core db ingest" ;;
    lab/confirm) echo "$pure core db engine" ;;
    lab/methods) echo 'base stats model lab' ;;
    lab/papers) echo "$pure core db sentence view lab" ;;
    lab | lab/*) echo "$pure core view lab" ;;
    server/view/page) echo "$pure core db resource view tmpl sentence" ;;
    server/view | server/view/*) echo "$pure core db resource sentence view" ;;
    server/edge) echo "$pure core edge" ;;
    server/sentence) echo "$pure tmpl sentence" ;;
    server/tmpl) echo "$pure tmpl" ;;
    server/http | server/http/*) echo "$pure core db engine ingest resource sentence view tmpl edge rate http" ;;
    fetch) echo "$pure core fetch" ;;
    api) echo "$pure core resource view tmpl http api" ;;
    server/rate) echo "$pure core db engine ingest resource view tmpl rate" ;;
    server/command) echo "$pure core db engine ingest resource sentence view tmpl edge http rate command" ;;
    *) echo "includes: no rule for $1" >&2; return 1 ;;
    esac
}

# The rooms of server/view, and those that each may include besides itself.
room() {
    case $1 in
    figure) ;;
    calibration | rating) echo figure ;;
    prediction) echo 'figure rating' ;;
    game) echo 'figure rating' ;;
    evidence) echo 'figure rating game' ;;
    player) echo 'figure rating game evidence' ;;
    event) echo 'figure rating game evidence player' ;;
    queue) echo 'figure rating player' ;;
    report) echo 'figure rating prediction queue' ;;
    paper) echo 'queue' ;;
    page) echo 'figure queue' ;;
    *) echo "includes: no rule for the room $1" >&2; return 1 ;;
    esac
}
for dir in server/view/*/; do
    from=$(basename "$dir")
    rule=" $from $(room "$from") " || { bad=1; continue; }
    while IFS=: read -r file line text; do
        to=${text#*\"view/} to=${to%%/*}
        [[ $rule == *" $to "* ]] || { echo "$file:$line: the room $from must not include from $to"; bad=1; }
    done < <(grep -nHE '^#include "view/+[a-z_]+/' "$dir"*.[ch])
done

# The constants of a rating, and where it is calibrated, are those of a pool's scale.
grep -rnE '(&ipr_strength_(shipped|evals)\b|\bipr_strength_(shipped|evals)\.)' server --include='*.[ch]' |
    grep -v '^server/core/pools.c:' && bad=1

# Rooms of server/http: each includes from itself and from base; http.c from all.
for room in base answer write fishnet; do
    grep -nH '^#include "http/' server/http/$room/*.[ch] | grep -vE "\"http/($room|base)/" && bad=1
done

for dir in analysis/*/ server/*/ server/*/*/ lab/ lab/*/ api/ fetch/; do
    dir=${dir%/}
    compgen -G "$dir/*.[ch]" >/dev/null || continue
    rule=" $(allowed "$dir") " || { bad=1; continue; }
    while IFS=: read -r file line text; do
        to=${text#*\"} to=${to%%/*}
        case $rule in
        *" $to "*) ;;
        *) echo "$file:$line: $dir must not include from $to"; bad=1 ;;
        esac
    done < <(grep -nH '^#include "[a-z]*/' "$dir"/*.[ch])
done

# Libraries stay behind one door each; the pure library reads no files and no clocks.
door() { # HEADER-PATTERN ALLOWED-PATTERN
    local hits
    hits=$(grep -rnE "^#include <($1)" analysis lab server fetch api | grep -vE "^($2)")
    [ -z "$hits" ] || { echo "$hits"; echo "  belongs in $2 alone"; bad=1; }
}
door 'libpq-fe\.h' 'server/db/'
door 'microhttpd\.h' '(server/http|api)/'
door 'gsl/' '(analysis/(stats|model)|lab)/|server/main\.c'
door '(archive|archive_entry)\.h' 'none/'
door '(zip|bzlib|zstd)\.h' 'server/(ingest|http)/'
door 'jansson\.h' '(server|lab|fetch|api)/'
door 'curl/' 'fetch/client\.c'
door 'tbprobe\.h' 'server/engine/tablebase\.c'
hits=$(grep -rnE '\b(fopen|open|read|write|time|clock_gettime|getenv|pthread_[a-z_]+|rand|printf|puts) ?\(' analysis --include='*.c' |
    grep -vE 'analysis/chess/gen/|[a-z_]+_(open|read|write|time)\(|fputs\("out of memory|snprintf|->|\.(open|read|write)')
[ -z "$hits" ] || { echo "$hits"; echo '  analysis/ does no input, output, clocks or threads'; bad=1; }
exit $bad
