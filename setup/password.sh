# shellcheck shell=bash
# password.sh - sourced by bash: `hide_password VARIABLE` takes the password out of a connection string into PGPASSWORD.
# The arguments of programs are shown to every user of the machine, their environment is not.
hide_password() {
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
