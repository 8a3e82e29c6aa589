#!/bin/bash
# Speed of the models of results on one core, compared with plain numpy: same formulas, same number
# of games. Prints rows of the benchmark's table. Usage: results.sh BENCH_RESULTS
set -eu
cd "$(dirname "$0")/../.."
bench=${1:?usage: results.sh BENCH_RESULTS}
# shellcheck source=tests/bench/beside_numpy.sh
. tests/bench/beside_numpy.sh

beside_numpy results "$bench"
awk -F'\t' '
    NR == FNR { theirs[$1] = $2; next }
    {
        printf "| %s, ms%s | %.2f | ", $1, $1 ~ /over time/ ? " (limit 2000)" : "", $2 * 1000
        if ($1 in theirs) printf "numpy | %.1f | %.1f |\n", theirs[$1] * 1000, theirs[$1] / $2
        else print "| | |"
    }' "$work/theirs" "$work/ours"
