#!/bin/bash
# Speed of the models on one core beside plain numpy, the same formulas on play of the same size;
# rows of the bench's table. Usage: models.sh BENCH_MODELS
set -eu
cd "$(dirname "$0")/../.."
bench=${1:?usage: models.sh BENCH_MODELS}
# shellcheck source=tests/bench/beside_numpy.sh
. tests/bench/beside_numpy.sh

beside_numpy models "$bench"
awk -F'\t' '
    NR == FNR { theirs[$1] = $2; next }
    {
        what = $1 ", " $2 " turns" ($4 == "fastest" ? "" : ", " $4)
        printf "| %s, ms | %.2f | ", what, $3 * 1000
        if ($1 in theirs) printf "numpy | %.1f | %.1f |\n", theirs[$1] * 1000, theirs[$1] / $3
        else print "| | |"
    }' "$work/theirs" "$work/ours"
