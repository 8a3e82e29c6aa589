#!/bin/sh
# plots.sh - fetches the libraries of the pages' plots and board into static/vendor/: files of three
# tarballs that static/package-lock.json names and has checksums of, by curl or wget, from the registry
# that npm would use (npm_config_registry names another). Without Node.js: Debian's npm would bring 373
# packages for the same files, so only its own is looked into for the registry that it is set to.
set -eu
cd "$(dirname "$0")/.."
. setup/lockfile.sh

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

registry() {
    if [ -n "${npm_config_registry:-}" ]; then
        echo "$npm_config_registry"
    elif command -v npm >/dev/null; then
        npm config get registry
    else
        (cd "$work" && apt-get -qq download npm >/dev/null 2>&1) || {
            echo "plots: npm_config_registry is not set, and the package npm of Debian, which has its default, cannot be had" >&2
            return 1
        }
        dpkg-deb --fsys-tarfile "$work"/npm_*.deb |
            tar -xO ./usr/share/nodejs/npm/lib/utils/config/definitions.js |
            sed -n "s/^  default: '\(http[^']*\)',\$/\1/p"
    fi
}

fetch() { # ADDRESS FILE
    if command -v curl >/dev/null; then
        curl -fsSL --retry 2 --connect-timeout 20 --max-time 120 -o "$2" "$1"
    else
        wget -q --tries=3 --timeout=20 -O "$2" "$1"
    fi
}

library() { # NAME FILE…: files of a package
    name=$1
    shift
    version=$(npm_field "$name" version)
    tarball=$work/package.tgz
    fetch "${from%/}/$name/-/${name##*/}-$version.tgz" "$tarball"
    echo "$(npm_sha512 "$name")  $tarball" | sha512sum --status -c || {
        echo "plots: $name $version is not what static/package-lock.json says" >&2
        return 1
    }
    for file; do
        tar -xzf "$tarball" -C "$work" "package/$file"
        mv "$work/package/$file" "$work/files/"
    done
}

from=$(registry)
mkdir "$work/files"
library d3 dist/d3.min.js
library @observablehq/plot dist/plot.umd.min.js
library @lichess-org/chessground dist/chessground.min.js assets/chessground.base.css assets/chessground.cburnett.css
mkdir -p static/vendor
mv "$work"/files/* static/vendor/
cp static/package-lock.json static/vendor/
