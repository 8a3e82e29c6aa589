# shellcheck shell=bash
# Sourced by the benchmarks of models. `beside_numpy NAME BENCH [ARGUMENT…]` writes the rows of BENCH
# to $work/ours and those of NAME_reference.py to $work/theirs, which is empty without numpy.
export OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

beside_numpy() {
    local name=$1 bench=$2

    shift 2
    "$bench" >"$work/ours" 2>/dev/null
    # Debian's Python has the packaged numpy; another Python on the path may not.
    if /usr/bin/python3 -c 'import numpy' 2>/dev/null; then
        /usr/bin/python3 -B "tests/bench/${name}_reference.py" "$@" >"$work/theirs"
    else
        echo "skipped: no numpy to compare bench_$name with" >&2
        : >"$work/theirs"
    fi
}
