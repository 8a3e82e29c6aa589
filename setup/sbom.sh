#!/bin/bash
# sbom.sh BUILD_DIR - writes a bill of materials (CycloneDX 1.5) to standard output: what docs/licences.md
# lists, with the versions of this machine's packages and of static/package-lock.json. The same input
# gives the same output.
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:?usage: sbom.sh BUILD_DIR}

deb_version() { dpkg-query -W -f '${Version}' "$1" 2>/dev/null || :; }
. setup/lockfile.sh
codename=$(. /etc/os-release && echo "$VERSION_CODENAME")

# component TYPE NAME VERSION PURL LICENCE [HASH]: empty ones are left out.
first=yes
component() {
    [ -n "$first" ] || printf ',\n'
    first=''
    printf '    {"type": "%s", "name": "%s"' "$1" "$2"
    [ -z "$3" ] || printf ', "version": "%s"' "$3"
    [ -z "$4" ] || printf ', "purl": "%s"' "$4"
    [ -z "${6:-}" ] || printf ', "hashes": [{"alg": "SHA-512", "content": "%s"}]' "$6"
    printf ', "licenses": [{"expression": "%s"}]}' "$5"
}
deb() { # TYPE NAME LICENCE
    local version purl
    version=$(deb_version "$2")
    purl="pkg:deb/debian/$2${version:+@${version//+/%2B}}?distro=$codename"
    component "$1" "$2" "$version" "$purl" "$3"
}
npm() { # NAME LICENCE
    local version
    version=$(npm_field "$1" version)
    component library "$1" "$version" "pkg:npm/${1//@/%40}@$version" "$2" "$(npm_sha512 "$1")"
}

version=$("$build/intrinsic" --version | cut -d' ' -f2)
cat <<END
{
  "bomFormat": "CycloneDX",
  "specVersion": "1.5",
  "version": 1,
  "metadata": {
    "component": {"type": "application", "name": "intrinsic", "version": "$version", "licenses": [{"expression": "GPL-3.0-only"}]}
  },
  "components": [
END
while read -r section name licence; do
    case $section in
    Libraries) deb library "$name" "$licence" ;;
    Programs) deb application "$name" "$licence" ;;
    Scripts) npm "$name" "$licence" ;;
    Data) component data "$name" '' '' "$licence" ;;
    esac
done < <(awk -F'|' '/^## / { split($0, words, " "); section = words[2] }
    /^\| `/ { gsub(/[` ]/, "", $2); gsub(/^ | $/, "", $3); print section, $2, $3 }' docs/licences.md)
printf '\n  ]\n}\n'
