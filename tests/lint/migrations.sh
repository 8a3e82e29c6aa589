#!/bin/bash
# Every migration has the text by which it landed: a database that has had it refuses another one.
set -u
cd "$(dirname "$0")/../../sql/migrations" || exit
bad=0
sha256sum --check --quiet SHA256SUMS || bad=1
for file in *.sql; do
    grep -q "  $file\$" SHA256SUMS && continue
    echo "SHA256SUMS: no line for $file (sha256sum $file >>SHA256SUMS)"
    bad=1
done
exit $bad
