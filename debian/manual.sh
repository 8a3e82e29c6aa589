#!/bin/sh
# manual.sh NAME SECTION WHAT - the manual page of a program, from what its --help prints, on
# standard input.
set -eu
printf '.TH %s %s\n.SH NAME\n%s \\- %s\n.SH USAGE\n.nf\n' "$1" "$2" "$1" "$3"
# A line that begins with a dot or an apostrophe would be a request; hyphens of options stay hyphens.
sed -e 's/\\/\\e/g' -e 's/-/\\-/g' -e "s/^[.']/\\\\\&&/"
printf '.fi\n'
