#!/bin/bash
# run.sh BUILD_DIR TARGET… - libFuzzer on each target for FUZZ_SECONDS, from the corpus in
# tests/fuzz/corpus, found.tar.zst there and what earlier runs have kept in BUILD_DIR/corpus. Fails on
# any finding; its input is kept in BUILD_DIR/findings. Called by `make fuzz`.
set -u
cd "$(dirname "$0")/../.." || exit
build=${1:?usage: run.sh BUILD_DIR TARGET…}
shift
seconds=${FUZZ_SECONDS:-60}
log=$(mktemp)
trap 'rm -f "$log"' EXIT
status=0

# No input takes more than a second a megabyte; libFuzzer counts in whole seconds, and sanitizers
# and six readings cost about that of 128 KiB.
options=(-max_total_time="$seconds" -timeout=1 -rss_limit_mb=1024 -malloc_limit_mb=256
    -print_final_stats=1 -verbosity=1)
max_len() {
    case $1 in
    pgn) echo 131072 ;;
    archive) echo 65536 ;;
    interchange) echo 8192 ;;
    *) echo 2048 ;;
    esac
}

stat() { awk -v k="stat::$1:" '$1 == k { print $2 }' "$log"; }

for target in "$@"; do
    found=$build/findings/$target
    kept=$build/corpus/$target
    mkdir -p "$found" "$kept"
    rm -f "$found"/*
    tar -x --zstd --skip-old-files -f tests/fuzz/corpus/found.tar.zst -C "$build/corpus" "$target"
    dictionary=tests/fuzz/$target.dict
    [ -e "$dictionary" ] && with=(-dict="$dictionary") || with=()
    # The engine makes its own choices from one seed, so that a finding can be found again.
    "$build/tests/fuzz/fuzz_$target" "${options[@]}" -max_len="$(max_len "$target")" \
        "${with[@]}" -seed="${FUZZ_SEED:-1}" -artifact_prefix="$found/" "$kept" \
        "tests/fuzz/corpus/$target" >"$log" 2>&1
    code=$?
    findings=$(find "$found" -type f | wc -l)
    printf '%-11s %9s inputs, %6s/s, %5s worth keeping, %4s MB at most, %s findings\n' "$target" \
        "$(stat number_of_executed_units)" "$(stat average_exec_per_sec)" \
        "$(find "$kept" -type f | wc -l)" "$(stat peak_rss_mb)" "$findings"
    if [ "$code" != 0 ] || [ "$findings" != 0 ]; then
        grep -aE 'does not hold|ERROR|SUMMARY|runtime error|ALARM' "$log" | head -8
        tail -n 40 "$log"
        find "$found" -type f -printf '  kept: %p\n'
        status=1
    fi
done
exit $status
