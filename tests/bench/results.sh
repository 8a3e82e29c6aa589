#!/bin/bash
# Speed of the models of results on one core beside plain numpy, the same formulas on games of the
# same size; rows of the bench's table. Usage: results.sh BENCH_RESULTS
set -eu
cd "$(dirname "$0")/../.."
bench=${1:?usage: results.sh BENCH_RESULTS}
export OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$bench" >"$work/ours" 2>/dev/null
# Debian's own Python: another one on the path may be without numpy.
if /usr/bin/python3 -c 'import numpy' 2>/dev/null; then
    /usr/bin/python3 tests/bench/results_reference.py >"$work/theirs"
else
    echo 'skipped: no numpy to compare the models of results with' >&2
    : >"$work/theirs"
fi
awk -F'\t' '
    NR == FNR { theirs[$1] = $2; next }
    {
        printf "| %s, ms%s | %.2f | ", $1, $1 ~ /over time/ ? " (limit 2000)" : "", $2 * 1000
        if ($1 in theirs) printf "numpy | %.1f | %.1f |\n", theirs[$1] * 1000, theirs[$1] / $2
        else print "| | |"
    }' "$work/theirs" "$work/ours"
