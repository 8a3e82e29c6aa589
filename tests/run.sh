#!/bin/bash
# run.sh BUILD_DIR - every test, one summary line last. Called by `make test`, which builds the
# programs first. They run in two lanes at the same time, each with a private PostgreSQL:
# run.sh BUILD_DIR programs|e2e COUNTS - one lane; the file gets its numbers
set -u
cd "$(dirname "$0")/.." || exit
build=${1:?usage: run.sh BUILD_DIR}
passed=0 failed=0 skipped=0
work=$(mktemp -d) log=$work/log
trap 'rm -rf "$work"' EXIT

# With the files outside the repository at hand nothing has a reason to be skipped.
shared=${IPR_SHARED:-../shared}
complete=''
[ ! -d "$shared/data" ] || [ ! -x /usr/games/stockfish ] || complete=yes

count() { # NAME EXIT_CODE PASSED FAILED SKIPPED
    if [ "$2" = 0 ] && [ $(($3 + $4 + $5)) = 0 ]; then
        echo "ran no test" >"$log"
        set -- "$1" 1 0 1 0
    elif [ -n "$complete" ] && [ "$2" = 0 ] && [ "$5" != 0 ]; then
        echo "skipped $5 with all files at hand" >>"$log"
        set -- "$1" 1 "$3" "$5" 0
    fi
    passed=$((passed + $3)) failed=$((failed + $4)) skipped=$((skipped + $5))
    # A program that died counts, whatever it printed before.
    [ "$2" = 0 ] || [ "$4" != 0 ] || failed=$((failed + 1))
    if [ "$2" != 0 ]; then
        echo "FAILED $1 (exit $2)"
        grep -aE -A 30 '^ *not ok ' "$log" | head -400
        grep -av '^ok ' "$log" | tail -60
    else
        printf 'ok %-52s %4d passed%s\n' "$1" "$3" "$([ "$5" = 0 ] || echo ", $5 skipped")"
        grep -ha '^skipped:' "$log" | sort -u
    fi
}

tap() { # NAME COMMAND…: a program that prints TAP
    local name=$1
    shift
    CMOCKA_MESSAGE_OUTPUT=TAP timeout -k 10 300 "$@" >"$log" 2>&1
    local code=$? skips oks bad
    skips=$(grep -ac '# SKIP' "$log")
    oks=$(grep -av '# SKIP' "$log" | grep -ac '^ok ')
    bad=$(grep -av '# SKIP' "$log" | grep -ac '^not ok ')
    count "$name" "$code" "$oks" "$bad" "$skips"
}

# The corpora of the fuzz targets, and what fuzzing has found worth keeping, in a build with every
# sanitizer.
replays() {
    local target found
    found=$(mktemp -d)
    tar -x --zstd -f tests/fuzz/corpus/found.tar.zst -C "$found"
    local more=("$shared"/data/torture)
    [ -d "${more[0]}" ] || more=()
    for target in pgn notes fen san archive remote interchange http; do
        [ "$target" = pgn ] || more=()
        ASAN_OPTIONS=detect_leaks=1 tap "fuzz/replay_$target" \
            "build/replay/tests/fuzz/replay_$target" "tests/fuzz/corpus/$target" "$found/$target" "${more[@]}"
    done
    rm -r "$found"
}

check() { # NAME COMMAND…: one test, by its exit code
    local name=$1 code
    shift
    timeout -k 10 600 "$@" >"$log" 2>&1
    code=$?
    if [ "$code" = 0 ]; then count "$name" 0 1 0 0; else count "$name" "$code" 0 1 0; fi
}

node_tests() {
    # Two files at a time: they wait for engines, browsers and databases as much as they compute.
    timeout -k 10 2700 node --test --test-concurrency=2 --test-reporter=tap "$@" >"$log" 2>&1
    local code=$?
    sum() { awk -v k="$1" '$1 == "#" && $2 == k { n += $3 } END { print n + 0 }' "$log"; }
    count "cli and e2e" "$code" "$(sum pass)" "$(sum fail)" "$(sum skipped)"
}

# By their sources, so that what an older checkout built is not run.
programs() {
    local source t
    for source in tests/unit/{*,*/*}/test_*.c tests/{db,engine,http}/test_*.c; do
        source=${source%.c}
        tap "${source#tests/}" "$build/$source"
    done
    replays
    for t in tests/lint/*.sh; do
        check "${t#tests/}" bash "$t" "$build"
    done
}

# Browsers and services wait as much as they compute; programs take the rest of the cores.
both() {
    local lane p f s
    trap 'trap "" TERM; kill 0' INT TERM # what runs in the background ignores Ctrl-C
    for lane in programs e2e; do
        tests/support/with_pg.sh tests/run.sh "$build" "$lane" "$work/$lane" &
    done
    wait
    for lane in programs e2e; do
        read -r p f s <"$work/$lane" || p=0 f=1 s=0 # it died
        passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
    done
    echo "$passed passed, $failed failed, $skipped skipped"
    [ "$failed" = 0 ]
}

case ${2:-} in
programs) programs ;;
e2e) node_tests tests/{cli,e2e}/*.test.mjs ;;
*) both; exit ;;
esac
echo "$passed $failed $skipped" >"$3"
