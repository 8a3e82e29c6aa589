#!/bin/sh
# deps.sh run|test|bench|fuzz|build|image|ratings|package|plots - installs what is missing from Debian's packages
# and the plots' libraries; for the tests also from npm. Prints what it installs, once; prints and does nothing
# when nothing is missing. build: what compiling takes; image: what the compiled program takes, in a
# container; ratings: the rating list that goes into it; package: what making Debian's package takes; plots: those libraries alone.
set -eu
cd "$(dirname "$0")/.."

build_packages='make gcc libc6-dev libmicrohttpd-dev libjansson-dev libpq-dev libgsl-dev
  libzip-dev libbz2-dev libunistring-dev libsodium-dev libfathom-dev libseccomp-dev zlib1g-dev
  libzstd-dev libcurl4-openssl-dev'
run_packages="$build_packages postgresql stockfish"
image_packages='libmicrohttpd12 libjansson4 libpq5 libgsl27 libzip4 libbz2-1.0 libunistring2 libsodium23
  libfathom1 libseccomp2 zlib1g libzstd1 libcurl4 stockfish tini zstd'
ratings_packages='scid-rating-data zstd'
test_packages='libcmocka-dev libarchive-dev curl bzip2 zstd procps chromium-headless-shell shellcheck
  clang-format clang-tools-14 iproute2 pgn-extract toga2 ethereal-chess fairy-stockfish python3-numpy
  nginx caddy pgbouncer prometheus-node-exporter openssl systemd debhelper dpkg-dev fakeroot po-debconf lintian'
package_packages="$build_packages debhelper dpkg-dev fakeroot po-debconf"
fuzz_packages='clang-14 libclang-rt-14-dev'
bench_packages='wrk'

fail() {
    echo "deps: $*" >&2
    exit 1
}

case ${1:-} in
run) wanted=$run_packages ;;
test) wanted="$run_packages $test_packages" ;;
fuzz) wanted="$run_packages $fuzz_packages" ;;
bench) wanted="$run_packages $test_packages $bench_packages" ;;
build) wanted=$build_packages ;;
image) wanted=$image_packages ;;
ratings) wanted=$ratings_packages ;;
package) wanted=$package_packages ;;
plots) wanted='' ;;
*) fail "usage: deps.sh run|test|bench|fuzz|build|image|ratings|package|plots" ;;
esac

missing=''
for p in $wanted; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$p" 2>/dev/null)" = installed ] ||
        missing="$missing $p"
done
# Names and ratings for the tests. Two packages bring this file and exclude one another; the other
# one, scid-spell-data, has no ratings.
case $1 in
test | fuzz)
    grep -q -s -m1 '^ *%Elo ' /usr/share/scid/data/spelling.ssp || missing="$missing scid-rating-data"
    ;;
esac
# Node.js may be installed from another source than Debian.
if [ "$1" = test ]; then
    command -v node >/dev/null || missing="$missing nodejs"
    command -v npm >/dev/null || missing="$missing npm"
fi
wants_plots() {
    case $1 in
    test | run | package | plots) ! cmp -s static/package-lock.json static/vendor/package-lock.json ;;
    *) false ;;
    esac
}
wished=''
if [ "$1" != test ] && wants_plots "$1"; then
    command -v curl >/dev/null || command -v wget >/dev/null || wished=' curl'
fi
# In one go with what is needed anyway.
if [ -n "$missing" ]; then
    missing=$missing$wished
    wished=''
fi

# apt_install SUDO PACKAGES OPTIONS: quietly; false, with the end of what it said, when that fails. Lists
# of packages are fetched where there are none, or they name files that are gone.
apt_install() {
    as=''
    if [ "$(id -u)" != 0 ]; then as=$1; fi
    log=$(mktemp)
    apt="$as env DEBIAN_FRONTEND=noninteractive apt-get -q -y $3 --no-install-recommends"
    # shellcheck disable=SC2086
    if { $apt install $2 || { $apt update && $apt install $2; }; } >"$log" 2>&1 </dev/null; then
        rm -f "$log"
    else
        tail -5 "$log" >&2
        return 1
    fi
}

if [ -n "$missing" ]; then
    echo "installing:$missing"
    if [ "$(id -u)" = 0 ]; then as=''; else
        command -v sudo >/dev/null ||
            fail "needs root or sudo to install; or install them yourself: apt-get install$missing"
        as=sudo
    fi
    # These would start as services, and take ports 80, 443 and 9100. A policy of the machine stays.
    policy=/usr/sbin/policy-rc.d
    case $missing in
    *nginx* | *caddy* | *node-exporter*)
        if [ -e $policy ]; then
            policy=''
        else
            printf '#!/bin/sh\nexit 101\n' | $as tee $policy >/dev/null
            $as chmod 755 $policy
        fi
        ;;
    *) policy='' ;;
    esac
    # Debian's PostgreSQL would start a cluster of its own on port 5432, which is not needed.
    no_cluster=/etc/postgresql-common/createcluster.d/intrinsic.conf
    case $missing in *postgresql*)
        $as mkdir -p "${no_cluster%/*}"
        echo 'create_main_cluster = false' | $as tee "$no_cluster" >/dev/null
        ;;
    esac
    fine=yes
    apt_install sudo "$missing" '' || fine=''
    $as rm -f "$no_cluster" ${policy:+"$policy"}
    [ -n "$fine" ] || fail "apt-get could not install:$missing (all it said: $log)"
fi

# Without asking for a password, and with short timeouts if there is no network.
if [ -n "$wished" ]; then
    echo "installing, for the plots:$wished"
    apt_install 'sudo -n' "$wished" '-o Acquire::Retries=0 -o Acquire::http::Timeout=20' ||
        { rm -f "$log"; echo "deps: apt-get could not install:$wished" >&2; }
fi

# Pages have all figures in their tables, too: without these only the plots are missing.
if wants_plots "$1"; then
    echo "installing: the libraries of the plots"
    if ! setup/plots.sh; then
        [ "$1" != test ] || fail "the libraries of the plots could not be fetched"
        echo "deps: the libraries of the plots could not be fetched: pages have no plots" >&2
    fi
fi

stamp=tests/e2e/node_modules/.installed-lock.json
if [ "$1" = test ] && ! cmp -s tests/e2e/package-lock.json "$stamp"; then
    echo "installing: npm packages of tests/e2e"
    npm ci --prefix tests/e2e --no-audit --no-fund --loglevel=error >/dev/null ||
        fail "npm could not install the packages of tests/e2e"
    cp tests/e2e/package-lock.json "$stamp"
fi
