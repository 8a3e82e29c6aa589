#!/bin/sh
# plots.sh - fetches the libraries of the pages' plots into static/vendor/: two files of two tarballs of
# npm's registry (npm_config_registry names another one), by curl or wget, each checked against
# static/package-lock.json. Without Node.js: npm would fetch 373 packages for the same two files.
set -eu
cd "$(dirname "$0")/.."
. setup/lockfile.sh

registry=${npm_config_registry:-https://registry.npmjs.org/}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fetch() { # ADDRESS FILE
    if command -v curl >/dev/null; then
        curl -fsSL --retry 2 --connect-timeout 20 --max-time 120 -o "$2" "$1"
    else
        wget -q --tries=3 --timeout=20 -O "$2" "$1"
    fi
}

library() { # NAME FILE: a file of a package
    version=$(npm_field "$1" version)
    tarball=$work/package.tgz
    fetch "${registry%/}/$1/-/${1##*/}-$version.tgz" "$tarball"
    echo "$(npm_sha512 "$1")  $tarball" | sha512sum --status -c || {
        echo "plots: $1 $version is not what static/package-lock.json says" >&2
        return 1
    }
    tar -xzf "$tarball" -C "$work" "package/$2"
    mv "$work/package/$2" "$work/"
}

library d3 dist/d3.min.js
library @observablehq/plot dist/plot.umd.min.js
mkdir -p static/vendor
mv "$work/d3.min.js" "$work/plot.umd.min.js" static/vendor/
cp static/package-lock.json static/vendor/
