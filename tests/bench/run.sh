#!/bin/bash
# run.sh BUILD_DIR - speed, each figure as a ratio to something run beside it. Prints the table
# of docs/speed.md. Runs inside tests/support/with_pg.sh.
set -eu
cd "$(dirname "$0")/../.."
build=${1:?usage: run.sh BUILD_DIR}

echo "| what | ours | beside it | its figure | ratio |"
echo "| --- | ---: | --- | ---: | ---: |"
tests/bench/judging.sh "$build"
"$build/tests/bench/bench_jail"
tests/bench/queue.sh "$build"
tests/bench/turn_bytes.sh "$build"
tests/bench/reading.sh "$build"
tests/bench/file_evals.sh "$build"
tests/bench/rating.sh "$build"
tests/bench/importing.sh "$build"
tests/bench/figure_sets.sh "$build"
tests/bench/years.sh "$build"
tests/bench/serving.sh "$build"
tests/bench/perft.sh "$build/tests/bench/bench_perft"
tests/bench/models.sh "$build/tests/bench/bench_models"
tests/bench/royale.sh "$build/tests/bench/bench_royale"
tests/bench/strength.sh "$build/tests/bench/bench_strength"
tests/bench/covariance.sh "$build/tests/bench/bench_covariance"
tests/bench/results.sh "$build/tests/bench/bench_results"
