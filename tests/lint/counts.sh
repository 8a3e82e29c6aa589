#!/bin/bash
# counts.sh [BUILD_DIR | --print]: counts of the code that may only fall. A count above its record in counts.txt is a
# fault; one below is said, and the record is lowered with the change, or with a later one. --print prints the table.
set -u
cd "$(dirname "$0")/../.." || exit
records=tests/lint/counts.txt

sources() { find -L "$@" -name '*.[ch]' | sort; }

# The code of files without comments and preprocessor lines, a statement a line ("{" and "}" end one, too), as
# FILE TAB STATEMENT; literals that follow each other are one.
statements() {
    awk '
    FNR == 1 { if (name != "") flush(); name = FILENAME; text = "" }
    !/^#/ { text = text $0 "\n" }
    END { flush() }
    function flush(   c, i, n, out, rest) {
        n = length(text); out = ""
        while (match(text, /\/\*|"|\047|[;{}]/)) {
            out = out substr(text, 1, RSTART - 1); c = substr(text, RSTART, RLENGTH); text = substr(text, RSTART + RLENGTH)
            if (c == "/*")
                text = substr(text, index(text, "*/") + 2)
            else if (c == "\"" || c == "\047") {
                if (c == "\"") match(text, /^([^"\\]|\\.)*"/); else match(text, /^([^\047\\]|\\.)*\047/)
                rest = substr(text, 1, RLENGTH); text = substr(text, RLENGTH + 1)
                if (c == "\"" && out ~ /"[ \n]*$/)
                    sub(/"[ \n]*$/, "", out)
                else
                    out = out c
                gsub(/[;{}\n]/, " ", rest)
                if (c == "\047")
                    rest = "x\047"
                out = out rest
            } else {
                gsub(/[ \n]+/, " ", out)
                print name "\t" out c
                out = ""
            }
        }
    }' "$@"
}

server=$(mktemp) product=$(mktemp)
trap 'rm -f "$server" "$product"' EXIT
mapfile -t all < <(sources analysis server)
mapfile -t served < <(find -L server -name '*.c' | sort)
statements "${all[@]}" >"$product"
awk -F '\t' '$1 ~ /^server\/.*\.c$/' "$product" >"$server"
lines=$(cat "${all[@]}" | wc -l)

# Names of members that C writes: literal keys of json_object_set… and of json_pack.
members_by_hand() {
    awk -F '\t' '{
        text = $2
        n += gsub(/json_object_set[a-z_]*\([^,()"]*(\([^()"]*\)[^,()"]*)*, *"[A-Za-z_0-9]+"/, "", text)
        while (match(text, /json_pack(_ex)?\([^"]*"[^"]*"/)) {
            form = substr(text, RSTART, RLENGTH); text = substr(text, RSTART + RLENGTH)
            n += gsub(/s:/, "", form)
        }
    } END { print n + 0 }' "$server"
}

# Members of answers.def whose structure no C names, nor one that it is a part of. A document of static/ is made of no
# structure: no C of the service writes its members.
described_only() {
    awk 'FILENAME ~ /\.def$/ {
        if (/^shape /) {
            split($0, part, "|"); n = split(substr(part[1], 7), head, /[ :,]+/); shape = head[1]; shapes[shape] = 1; parts[shape] = ""
            for (i = 2; i <= n; i++)
                if (head[i] == "of") row[shape] = 1; else if (head[i] != "") parts[shape] = parts[shape] " " head[i]
        } else if (/^[a-z]/) {
            split($0, cell, "|"); type = cell[2]; gsub(/[ \[\]]|\{\}/, "", type); members[shape]++; parts[shape] = parts[shape] " " type
        }
        next
    }
    FILENAME == "-" { seen[$0] = 1; next }
    { while (match($0, /ipr_answer_[a-z0-9_]+/)) { seen[substr($0, RSTART + 11, RLENGTH - 11)] = 1; $0 = substr($0, RSTART + RLENGTH) } }
    END {
        for (more = 1; more; ) {
            more = 0
            for (shape in shapes)
                if (shape in seen) { n = split(parts[shape], part, " "); for (i = 1; i <= n; i++) if (!(part[i] in seen)) { seen[part[i]] = 1; more = 1 } }
        }
        for (shape in shapes) if (!(shape in seen) && !(shape in row)) sum += members[shape]
        print sum + 0
    }' server/answers.def - "${served[@]}" < <(awk '$1 == "answer" { shape = $2 } $1 == "document" { print shape }' server/resources.def)
}

# String literals of four words or more in view: sentences in C.
english_in_view() {
    awk -F '\t' '$1 ~ /^server\/view\// {
        text = $2
        while (match(text, /"([^"\\]|\\.)*"/)) {
            literal = substr(text, RSTART + 1, RLENGTH - 2); text = substr(text, RSTART + RLENGTH)
            gsub(/%[-+.*0-9]*[a-z]+|\\./, " ", literal)
            words = split(literal, word, / +/); found = 0
            for (i = 1; i <= words; i++) found += word[i] ~ /^[("]*[A-Za-z][a-z\047-]*[).,;:!?"]*$/
            n += found >= 4
        }
    } END { print n + 0 }' "$server"
}

files_naming_settings() { grep -lE '"(pgn-evals|alliot-pgn|maia-1100-1900)"' "${all[@]}" | wc -l; }

# Places that take the first pool, whatever the request is for.
pools_by_default() { grep -hoE 'ipr_pool_of\(0\)' "${all[@]}" | wc -l; }

# Statements with two ?: or more.
nested_conditionals() {
    awk -F '\t' -v lines="$lines" '{ text = $2; gsub(/"([^"\\]|\\.)*"/, "", text); n += gsub(/\?/, "", text) >= 2 }
        END { printf "%.2f\n", 1000 * n / lines }' "$product"
}

# Per cent of the static functions that are named once beside their definition.
statics_used_once() {
    awk -F '\t' '
    $1 != file { count(); file = $1; split("", defined); split("", uses) }
    { text = $2; gsub(/"([^"\\]|\\.)*"/, "", text); definition = text ~ /^ *(IPR_CHECK )?static [^=]*\) ?\{$/
      declared = text ~ /^ *(IPR_CHECK )?static [^={]*\);$/
      if ((definition || declared) && match(text, /[a-z_0-9]+\(/)) {
          name = substr(text, RSTART, RLENGTH - 1)
          if (definition) defined[name] = 1
          text = substr(text, RSTART + RLENGTH)
      }
      while (match(text, /[a-z_][a-z_0-9]*/)) { uses[substr(text, RSTART, RLENGTH)]++; text = substr(text, RSTART + RLENGTH) } }
    END { count(); printf "%.1f\n", 100 * once / all }
    function count(   name) { for (name in defined) { all++; once += uses[name] == 1 } }' "$product"
}

functions_over_70() {
    awk '/^\{$/ { start = FNR } /^}$/ && FNR - start >= 70 { n++ } END { print n + 0 }' "${all[@]}"
}

# Comments that begin with a fragment, "Of …", "What …", "Whether …", instead of a sentence.
fragments_as_comments() {
    find -L analysis server lab -name '*.[ch]' -print0 | xargs -0 cat | grep -cE '/\*\*? +(Of|What|Whether)\b'
}

# What an error is, found out from the words of its message.
messages_parsed() {
    grep -hE '\b(strstr|strcasestr|strn?cmp|strn?casecmp|strc?spn|strr?chr|strpbrk)\(([^();]|\([^()]*\))*\b(detail|msg|message)\b' "${served[@]}" | wc -l
}

names=(members_by_hand described_only english_in_view files_naming_settings pools_by_default nested_conditionals statics_used_once
    functions_over_70 messages_parsed fragments_as_comments product_lines)
product_lines() { echo "$lines"; }

bad=0
for name in "${names[@]}"; do
    now=$("$name")
    read -r record goal what < <(awk -v name="$name" '$1 == name { $1 = ""; print }' "$records")
    [ -n "${record:-}" ] || { echo "$records: no record of $name, which is $now"; bad=1; continue; }
    [ "${1:-}" != --print ] || printf '%-20s %8s  record %8s  goal %8s  %s\n' "$name" "$now" "$record" "$goal" "$what"
    case $(awk -v a="$now" -v b="$record" 'BEGIN { print((a + 0 > b + 0) ? "above" : (a + 0 < b + 0) ? "below" : "same") }') in
    above) echo "$name: $now, and $record is its record: $what"; bad=1 ;;
    below) [ "${1:-}" = --print ] || echo "$name: the record $record can be lowered to $now" ;;
    esac
done
exit "$bad"
