#!/bin/sh
# docs/members.md and docs/parameters.md are what the tables say.
set -eu
cd "$(dirname "$0")/../.."

stale() {
    echo "docs/$1: run make docs" >&2
    exit 1
}

registry="-f server/registry.awk"
awk -v form=md $registry -f server/view/figure/gen_members.awk server/predictors.def server/ratings.def \
    server/view/figure/members.def server/answers.def | diff docs/members.md - || stale members.md
awk -v part=md $registry -f server/resources.awk server/predictors.def server/ratings.def server/resources.def |
    diff docs/parameters.md - || stale parameters.md
