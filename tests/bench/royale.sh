#!/bin/bash
# Speed of the royale on one core beside plain numpy, the same formulas on play of the same size;
# rows of the bench's table. Usage: royale.sh BENCH_ROYALE
set -eu
cd "$(dirname "$0")/../.."
bench=${1:?usage: royale.sh BENCH_ROYALE}
# shellcheck source=tests/bench/beside_numpy.sh
. tests/bench/beside_numpy.sh

beside_numpy royale "$bench"
awk -F'\t' '
    NR == FNR { theirs[$1] = $2; next }
    {
        printf "| %s, ms (limit 1000) | %.0f | ", $1, $2 * 1000
        if ($1 in theirs) printf "numpy | %.0f | %.1f |\n", theirs[$1] * 1000, theirs[$1] / $2
        else print "| | |"
    }' "$work/theirs" "$work/ours"
