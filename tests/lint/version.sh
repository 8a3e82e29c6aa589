#!/bin/bash
# One version: that of the program, of the API, of the package, of CHANGELOG.md, of the bill of materials, and of a
# release's tag on this commit (CONTRIBUTING.md, A release).
set -u
cd "$(dirname "$0")/../.." || exit
build=${1:?usage: version.sh BUILD_DIR}
bad=0
version=$(sed -n 's/^#define IPR_VERSION "\(.*\)"$/\1/p' server/core/version.h)
[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || { echo "server/core/version.h: '$version' is no version"; bad=1; }

same() { # WHAT VERSION
    [ "$2" = "$version" ] || { echo "$1: version '$2', and $version in server/core/version.h"; bad=1; }
}
same 'intrinsic --version' "$("$build/intrinsic" --version | sed 's/^intrinsic //')"
same static/api/openapi.json "$(python3 -c 'import json; print(json.load(open("static/api/openapi.json"))["info"]["version"])')"
same debian/changelog "$(sed -n '1s/^intrinsic (\(.*\)) .*/\1/p' debian/changelog)"
# What is unreleased stands above the latest version.
read -r released day < <(sed -nE 's/^## ([0-9.]+), (.*)$/\1 \2/p' CHANGELOG.md)
same CHANGELOG.md "$released"
built=$(sed -n 's/^ -- .*>  //p' debian/changelog | head -1)
[ "$(date -ud "$built" +%F)" = "$(date -ud "$day" +%F)" ] || { echo "CHANGELOG.md: $released of $day, and of $built in debian/changelog"; bad=1; }
same 'setup/sbom.sh' "$(setup/sbom.sh "$build" | python3 -c 'import json, sys; print(json.load(sys.stdin)["metadata"]["component"]["version"])')"
while read -r tag; do
    same 'the tag of this commit' "${tag#v}"
done < <(git tag --points-at HEAD 'v*' 2>/dev/null)
exit $bad
