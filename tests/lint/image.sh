#!/bin/bash
# The container image: known base images, nothing that only some builders know, every library that
# the program needs, every setting passed on, and documented with its default.
set -u
cd "$(dirname "$0")/../.." || exit
build=${1:?usage: image.sh BUILD_DIR}
bad=0
wrong() {
    echo "$*"
    bad=1
}

hits=$(grep -hE '^ *(FROM|image:) ' docker/Dockerfile docker/*.yml |
    grep -vE '^(FROM \$\{DEBIAN_IMAGE\} AS (builder|root)|FROM scratch|    image: \$\{(POSTGRES|PROMETHEUS|NODE|GRAFANA)_IMAGE:-[a-z/-]+:[a-z0-9.]+\}|  image: \$\{PUBLISHED:-intrinsic\})$')
[ -z "$hits" ] || wrong "other base images: $hits"
hits=$(grep -nE '^# *syntax=|^(RUN|COPY|ADD) +--(mount|network|security|link|chmod|parents|exclude)|<<' docker/Dockerfile)
[ -z "$hits" ] || wrong "BuildKit alone knows this: $hits"

# Of the libraries the program names, those of the C library come with the base image.
packages=" $(sed -n "/^image_packages='/,/'\$/p" setup/deps.sh | tr -s "\n'=" ' ') "
while read -r library; do
    file=$(ldd "$build/intrinsic" "$build/intrinsic-fetch" | awk -v l="$library" '$1 == l { print $3; exit }')
    owner=$(dpkg -S "$(realpath "$file")" "$file" 2>/dev/null | head -1 | cut -d: -f1)
    case "$packages libc6 libgcc-s1 libasan8 libubsan1 libtsan2 " in
    *" ${owner:-none} "*) ;;
    *) wrong "setup/deps.sh image: $library is missing (${owner:-of no package})" ;;
    esac
done < <(readelf -d "$build/intrinsic" "$build/intrinsic-fetch" | sed -nE 's/.*\(NEEDED\).*\[(.*)\]/\1/p')

while read -r name; do
    grep -qE "^#?$name=" docker/.env.example || [ "$name" = DATABASE_PUBLISH ] ||
        wrong "docker/.env.example does not have $name"
done < <(grep -hoE '\$\{[A-Z_]+' docker/*.yml | cut -c3- | sort -u)

# Secrets from files: each password of a service of compose.yml is empty there, and its file is one that the service gets.
passwords() { awk '/^  [a-z]+:/ { s = $1 } { while (match($0, /[A-Z]*PASSWORD: /)) { print s, substr($0, RSTART, RLENGTH - 2); $0 = substr($0, RSTART + RLENGTH) } }' "$1" | sort; }
[ "$(passwords docker/compose.yml)" = "$(passwords docker/secrets.yml)" ] || wrong "docker/secrets.yml: other passwords than docker/compose.yml"
awk '/^  [a-z]+:/ { split("", files) } { n = gsub(/PASSWORD: ""/, "&"); at = $0
    while (match(at, /\/run\/secrets\/[a-z_]+/)) { files[substr(at, RSTART + 13, RLENGTH - 13)]; at = substr(at, RSTART + RLENGTH); n-- } left += n }
    /^    secrets:/ { for (f in files) if ($0 !~ f) bad = 1 } END { exit bad || left != 0 }' docker/secrets.yml ||
    wrong "docker/secrets.yml: a password without its file, or a file that its service does not get"

# The images of others have one name each, in the example, which docker/pin.sh reads, too.
while read -r name image; do
    grep -qx "#$name=$image" docker/.env.example || wrong "docker/.env.example does not have #$name=$image"
done < <(grep -hoE '\$\{[A-Z]+_IMAGE:-[^}]+' docker/*.yml | sort -u | sed -E 's/..([A-Z_]+):-/\1 /')
grep -qx "ARG $(sed -n 's/^#\(DEBIAN_IMAGE=\)/\1/p' docker/.env.example)" docker/Dockerfile ||
    wrong "docker/Dockerfile: another DEBIAN_IMAGE than docker/.env.example"

# Pinned are these names, of the same software.
while IFS='=@' read -r name image digest; do
    [[ $digest =~ ^sha256:[0-9a-f]{64}$ ]] || wrong "docker/pinned.env: $name has no digest"
    default=$(sed -n "s/^#$name=//p" docker/.env.example)
    [[ -n $default && ($image = "$default" || $image = "$default"-*) ]] ||
        wrong "docker/pinned.env: $name is $image, the default ${default:-none}"
done < <(grep -E '^[A-Z_]+=' docker/pinned.env)

# Every setting reaches the containers, but for those that the image itself decides.
settings=0
while read -r name default; do
    settings=$((settings + 1))
    case $name in
    INTRINSIC_HOME | INTRINSIC_LISTEN | SCID_RATINGS_PATH | STOCKFISH_PATH) continue ;;
    esac
    grep -qE "^ +$name: " docker/compose.yml || wrong "docker/compose.yml does not pass $name"
    case $name in DATABASE_URL | SYZYGY_PATH) continue ;; esac # the containers' own
    grep -qx "#$name=$default" docker/.env.example ||
        wrong "docker/.env.example does not have #$name=$default"
done < <(sed -n '/^#define IPR_CONFIG/,/^$/p' server/core/config.h |
    sed -nE 's/^ *X\([A-Z]+, [a-z_]+, "([A-Z_]+)", ("[^"]*"|NULL), "([^"]*)".*/\1 \3/p')
[ "$settings" -gt 10 ] || wrong "server/core/config.h: its table was not understood"
exit $bad
