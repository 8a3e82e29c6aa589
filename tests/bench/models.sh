#!/bin/bash
# Speed of the models on one core beside plain numpy, the same formulas on play of the same size;
# rows of the bench's table. Usage: models.sh BENCH_MODELS
set -eu
cd "$(dirname "$0")/../.."
bench=${1:?usage: models.sh BENCH_MODELS}
export OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$bench" >"$work/ours" 2>/dev/null
# Debian's own Python: another one on the path may be without numpy.
if /usr/bin/python3 -c 'import numpy' 2>/dev/null; then
    /usr/bin/python3 -B tests/bench/models_reference.py >"$work/theirs"
else
    echo 'skipped: no numpy to compare the models with' >&2
    : >"$work/theirs"
fi
awk -F'\t' '
    NR == FNR { theirs[$1] = $2; next }
    {
        what = $1 ", " $2 ($1 ~ /royale/ ? " player-years" : " turns") ($4 == "fastest" ? "" : ", " $4)
        printf "| %s, ms | %.2f | ", what, $3 * 1000
        if ($1 in theirs) printf "numpy | %.1f | %.1f |\n", theirs[$1] * 1000, theirs[$1] / $3
        else print "| | |"
    }' "$work/theirs" "$work/ours"
