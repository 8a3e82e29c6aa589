#!/bin/bash
# docs/licences.md has every library that the program loads, every package of npm, every program of the image,
# and nothing that is not there; and the bill of materials says the same.
set -u
cd "$(dirname "$0")/../.." || exit
build=${1:?usage: licences.sh BUILD_DIR}
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
bad=0

listed() { # SECTION: name and licence
    awk -F'|' -v want="$1" '/^## / { split($0, words, " "); section = words[2] }
        section == want && /^\| `/ { gsub(/[` ]/, "", $2); gsub(/^ | $/, "", $3); print $2, $3 }' docs/licences.md
}
same() { # WHAT FOUND LISTED
    diff "$2" "$3" >"$work/diff" && return
    echo "docs/licences.md, $1 (<: missing, >: not there):"
    cat "$work/diff"
    bad=1
}

# Files are known to dpkg by their path with or without /usr.
while read -r file; do
    real=$(realpath "$file")
    dpkg -S "$real" "/usr$real" "${real#/usr}" 2>/dev/null | head -1 | cut -d: -f1
done < <(ldd "$build/intrinsic" "$build/intrinsic-fetch" | awk '$3 ~ /^\// { print $3 } $1 ~ /^\// { print $1 }') | grep -vxE 'lib(a|ub|t)san[0-9]' | sort -u >"$work/found"
listed Libraries | cut -d' ' -f1 | sort >"$work/listed"
same Libraries "$work/found" "$work/listed"
[ "$(wc -l <"$work/found")" -gt 20 ] || { echo "ldd was not understood"; bad=1; }

python3 -c '
import json
for name, p in sorted(json.load(open("static/package-lock.json"))["packages"].items()):
    if name: print(name.removeprefix("node_modules/"), p["license"])' | sort >"$work/found"
listed Scripts | sort >"$work/listed"
same 'Scripts of the pages' "$work/found" "$work/listed"

for package in $(sed -n "/^image_packages='/,/'\$/p" setup/deps.sh | tr -s "\n'=" ' ') scid-rating-data; do
    case $package in image_packages) continue ;; esac
    { listed Libraries; listed Programs; listed Data; } | grep -q "^$package " ||
        { echo "docs/licences.md does not have $package of the image"; bad=1; }
done

setup/sbom.sh "$build" >"$work/sbom" || bad=1
python3 - "$work/sbom" "$(grep -c '^| `' docs/licences.md)" <<'PYTHON' || bad=1
import json, sys
bom = json.load(open(sys.argv[1]))
parts = bom["components"]
assert bom["bomFormat"] == "CycloneDX" and len(parts) == int(sys.argv[2]), len(parts)
for p in parts:
    assert p["name"] and p["licenses"][0]["expression"], p
    if p["type"] == "library":
        assert p["version"] and p["purl"].startswith(("pkg:deb/debian/", "pkg:npm/")), p
    if p.get("purl", "").startswith("pkg:npm/"):
        assert len(p["hashes"][0]["content"]) == 128, p
PYTHON
exit $bad
