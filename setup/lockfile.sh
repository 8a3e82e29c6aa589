# shellcheck shell=sh
# What static/package-lock.json says of a package, for scripts in the root of the checkout.

npm_field() { # NAME FIELD: its version, or integrity
    awk -v name="\"node_modules/$1\": {" -v field="\"$2\":" '
        index($0, name) { inside = 1 }
        inside && $1 == field { gsub(/[",]/, "", $2); print $2; exit }' static/package-lock.json
}

npm_sha512() { # NAME: of its tarball, in hexadecimal digits
    npm_field "$1" integrity | sed 's/^sha512-//' | base64 -d | od -An -v -tx1 | tr -d ' \n'
}
