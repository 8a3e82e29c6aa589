#!/bin/bash
# Speed of the rating on one core beside plain numpy, the same formulas on play of the same size;
# rows of the bench's table. Usage: strength.sh BENCH_STRENGTH
set -eu
cd "$(dirname "$0")/../.."
bench=${1:?usage: strength.sh BENCH_STRENGTH}
# shellcheck source=tests/bench/beside_numpy.sh
. tests/bench/beside_numpy.sh

"$bench" --shipped >"$work/shipped"
beside_numpy strength "$bench" "$work/shipped"
awk -F'\t' '
    NR == FNR { theirs[$1] = $2; next }
    /^peak/ { printf "| memory of the calibration, MB | %.0f | limit | 500 | %.2f |\n", $2 / 1e6, $2 / 5e8; next }
    function ms(s) { return sprintf(s < 0.1 ? "%.3f" : "%.0f", s * 1000) }
    {
        limit = $1 ~ /^calibration/ ? 60000 : $1 ~ /event/ ? 1000 : 2
        printf "| %s, ms (limit %d) | %s | ", $1, limit, ms($2)
        beside = $1 ~ /evaluations|^calibration/ ? "numpy, features given" : "numpy"
        if ($1 in theirs) printf "%s | %s | %.2f |\n", beside, ms(theirs[$1]), theirs[$1] / $2
        else print "| | |"
    }' "$work/theirs" "$work/ours"
