#!/bin/sh
# The manual and the completion of shells have all that --help has: every command, kind and option, with its description.
# The pages are valid roff and fit 80 columns. $COLLSIM is the program.
root=$(realpath "$(dirname "$0")/..")
. "$(dirname "$0")/tap.sh"

# ---- The same as --help -----------------------------------------------------------------------------------------------------
"$COLLSIM" man >pages
# options_of_help PAGE: the options of --help, each as "-p, --ranks" or "--root", and its description
options_of_help() {
    sed -n '1d; s/`//g; /Options:/,$s/^ *\(\(-., \)\{0,1\}--[a-z-]*\)[^ ]*  *\(.*\)/\1\t\3/p' "$1.help"
}
# options_of_page PAGE: the same of the page, without roff
options_of_page() {
    sed -n '/^.SH OPTIONS/,/^.SH SEE/{s/\\(aq/'\''/g; s/\\(dq/"/g; s/\\(ti/~/g; s/\\(ha/^/g; s/\\e/\\/g; s/\\-/-/g; s/\\f[BIR]//g; p;}' "$1.1" |
        awk '/^\.TP/ { getline term; sub(/=.*/, "", term); getline text; sub(/; may be repeated$/, "", text); gsub(/`/, "", text); print term "\t" text }'
}
# options_of_line WORDS: the names that are completed
options_of_line() { "$COLLSIM" complete "$1 --" | cut -f1 | sort; }
for page in $(cat pages); do
    words=${page#collsim-}
    case $words in rules-* | export-*) words="${words%%-*} ${words#*-}" ;; esac
    [ "$page" = collsim ] && words=
    # shellcheck disable=SC2086
    "$COLLSIM" $words --help >"$page.help"
    "$COLLSIM" man "$page" >"$page.1"
    [ -z "$words" ] && continue
    options_of_help "$page" >"$page.asked"
    options_of_page "$page" >"$page.has"
    options_of_line "collsim $words" >"$page.line"
    sed 's/\t.*//; s/^-., //' "$page.asked" | sort | cmp -s - "$page.line" || echo "$page: the completion" >>wrong
    cmp -s "$page.asked" "$page.has" || { echo "$page: the page" && diff "$page.asked" "$page.has"; } >>wrong
done 2>>err
touch wrong
ok "every option of --help is in its page and in the completion" sh -c '! [ -s wrong ] || { cat wrong >out && false; }'
ok "there are pages, with options" [ "$(cat ./*.has | wc -l)" -gt 300 ]
commands() { sed -n 's/^  \([a-z]*\)  *[a-z].*/\1/p' collsim.help | grep -v collsim; }
# each LINE FILE NAME...: the file has this line, with & for the name, for each name
each() {
    line=$1 file=$2
    shift 2
    printf '%s\n' "$@" | sed "s/.*/$line/" >due
    [ $# -gt 0 ] && ! grep -vxF -f "$file" due >out
}
ok "every command has a page" each 'collsim-&' pages $(commands)
ok "every command is in collsim(1)" each '\\fB&\\fR' collsim.1 $(commands)
"$COLLSIM" complete "collsim " | cut -f1 | grep -v -e ^help$ -e ^-- >offered
ok "every command is completed" sh -c 'printf "%s\n" "$@" | cmp - offered' sh $(commands)
ok "an unknown page" fails "unknown page 'collsim-runn', did you mean collsim-run?" man collsim-runn
ok "two pages" fails "man prints one page" man collsim collsim-run

# ---- The environment --------------------------------------------------------------------------------------------------------
# Variables of launchers are read by name, or in a list; those that a user sets are in the manual.
grep -rhoE '"COLLSIM_[A-Z_]*"|getenv\("[A-Z_]*"' "$root/sim" "$root/cli" --include='*.c' | sed 's/.*("//; s/"//g' |
    grep -v -e COLLSIM_ERROR | sort -u >variables
for variable in $(cat variables); do
    sed 's/\\-/-/g' collsim.1 | grep -q "$variable" || echo "$variable" >>unnamed
done
touch unnamed
ok "every variable of the environment is in collsim(1)" sh -c '! [ -s unnamed ] || { cat unnamed >out && false; }'

# ---- Roff -------------------------------------------------------------------------------------------------------------------
awk -v name=collsim-formats -v section=5 -v about=x -v version=1 -f "$root/install/man.awk" "$root/docs/FORMATS.md" >collsim-formats.5
lines() { # lines FILE...: every line of roff is a request that we use, or text without a leftover of Markdown
    ! awk '/^[.]/ && !/^[.](TH|SH|SS|PP|TP|IP|RS|RE|nf|fi|br|sp|in|nh|ad)( |$)/ { print FILENAME ": " $0 }
        /^[^.]/ && /`|\*\*|\]\(/ { print FILENAME ": " $0 }' "$@" | grep . >out
}
ok "requests are known, and no Markdown is left" lines ./*.1 collsim-formats.5
columns=$("$COLLSIM" list --columns -f csv | sed 1d | cut -d, -f1)
ok "collsim-formats(5) has every column" each '\\fB&\\fR' collsim-formats.5 $columns
ok "collsim-formats(5) has every section" sh -c '[ "$(grep -c "^\.S[HS] " "$0")" = $(($(grep -c "^##* " "$1") + 2)) ]' collsim-formats.5 "$root/docs/FORMATS.md"
if command -v groff >/dev/null; then
    rendered() { cat ./*.1 collsim-formats.5 | groff -man -ww -Tascii -P-cbu >text 2>err && [ ! -s err ]; }
    ok "groff has nothing to say" rendered
    ok "the pages of commands fit 80 columns" sh -c 'cat ./*.1 | groff -man -Tascii -P-cbu | expand | awk "length > 80" >out; [ ! -s out ]'
fi
if command -v mandoc >/dev/null; then
    ok "mandoc has nothing to say but that there is no date" \
        sh -c 'mandoc -Tlint -Wwarning ./*.1 collsim-formats.5 | grep -v "missing date" >out; [ ! -s out ]'
fi
echo "1..$n"
