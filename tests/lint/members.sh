#!/bin/sh
# docs/members.md is what the table of members says.
set -eu
cd "$(dirname "$0")/../.."

awk -v form=md -f server/view/figure/gen_members.awk server/view/figure/members.def |
    diff docs/members.md - || { echo 'docs/members.md: run make docs/members.md' >&2; exit 1; }
