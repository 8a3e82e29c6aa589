# shellcheck shell=bash
# password.sh - sourced by bash: `hide_password VARIABLE` takes the password out of a connection string into PGPASSWORD.
# The arguments of programs are shown to every user of the machine, their environment is not. `from_file VARIABLE` reads
# the file of VARIABLE_FILE, where that is set, as the program does (server/core/config.c); for both of these, too.
from_file() {
    local -n secret=$1 file=$1_FILE
    [ -n "${file:-}" ] || return 0
    local why=''
    if [ -n "${secret:-}" ]; then
        echo "$1 and $1_FILE are both set: leave one out" >&2
        exit 1
    fi
    if [ -f "$file" ] && [ -r "$file" ]; then secret=$(tr -d '\r' <"$file"); else why='cannot be read'; fi
    [ -n "$why" ] || [ -n "$secret" ] || why='is empty'
    case ${secret:-} in *$'\n'*) why='is not one line' ;; esac
    if [ -n "$why" ]; then
        echo "$1_FILE: $file $why" >&2
        exit 1
    fi
    unset "$1_FILE"
    export "${1?}"
}

hide_password() {
    from_file "$1"
    from_file PGPASSWORD
    local -n string=$1
    local of_user='^(postgres(ql)?://[^:@/]*):([^@/]*)(@.*)$'
    local of_query='^(postgres(ql)?://[^?]*\?(.*&)?)password=([^&]*)&?(.*)$'
    local of_words='^((.*[[:space:]])?)password[[:space:]]*=[[:space:]]*('\''(([^'\''\\]|\\.)*)'\''|(([^[:space:]'\''\\]|\\.)*))(.*)$'
    local encoded=''
    if [[ $string =~ $of_user ]]; then
        string=${BASH_REMATCH[1]}${BASH_REMATCH[4]} encoded=${BASH_REMATCH[3]}
    elif [[ $string =~ $of_query ]]; then
        string=${BASH_REMATCH[1]}${BASH_REMATCH[5]} encoded=${BASH_REMATCH[4]}
    elif [[ $string != *://* && $string =~ $of_words ]]; then
        string=${BASH_REMATCH[1]}${BASH_REMATCH[8]}
        PGPASSWORD=$(sed 's/\\\(.\)/\1/g' <<<"${BASH_REMATCH[4]}${BASH_REMATCH[6]}")
    fi
    if [ -n "$encoded" ]; then
        encoded=${encoded//\\/\\\\}
        printf -v PGPASSWORD %b "${encoded//%/\\x}"
    fi
    [ -z "${PGPASSWORD:-}" ] || export PGPASSWORD
}
