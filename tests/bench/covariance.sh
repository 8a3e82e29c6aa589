#!/bin/bash
# Speed of the covariance predictor on one core beside plain numpy, the same formula on play of the
# same size; rows of the bench's table. Usage: covariance.sh BENCH_COVARIANCE
set -eu
cd "$(dirname "$0")/../.."
bench=${1:?usage: covariance.sh BENCH_COVARIANCE}
# shellcheck source=tests/bench/beside_numpy.sh
. tests/bench/beside_numpy.sh

beside_numpy covariance "$bench"
awk -F'\t' '
    NR == FNR { theirs[$1] = $2; next }
    {
        printf "| %s, %d %s, ms | %.2f | ", $1, $2, $1 ~ /surface/ ? "games" : "turns", $3 * 1000
        if ($1 in theirs) printf "numpy | %.1f | %.1f |\n", theirs[$1] * 1000, theirs[$1] / $3
        else print "| | |"
    }' "$work/theirs" "$work/ours"
