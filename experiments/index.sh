#!/bin/sh
# Writes the pages of the experiments and their index, index.md and index.html. A page is experiments/pages/NAME.md with the
# figures, tables and pictures of its last run, which experiments/NAME.sh left in the folder NAME beside RESULTS. Where that run
# failed, or made less than its page cites, there is no page, and the index says so and has none of its verdicts. In the index
# are a page's first heading and paragraph, its first picture, its table "the document says | here | verdict", and how `collsim
# audit` judged its claims in that run. HTML needs cmark-gfm.
# RESULTS is the folder to write to (results/experiments); runs.csv in it, which all.sh writes, says how the runs ended.
# The status is 1 if a run that ended well made less than its page cites.
set -eu
cd "$(dirname "$0")/.."
RESULTS=${RESULTS:-results/experiments}
mkdir -p "$RESULTS"
house=$(realpath --relative-to="$RESULTS" .)
runs=$RESULTS/runs.csv
[ -e "$runs" ] || runs=/dev/null
names=$(for page in experiments/pages/*.md; do basename "$page" .md; done)

# page NAME: writes its page and copies its pictures, or leaves neither
page() {
    folder=$(dirname "$RESULTS")/$1 made=$RESULTS/$1.md
    rm -f "$made" "$RESULTS/$1.html" "$RESULTS/$1"-*.svg
    [ "$(awk -F, -v name="$1" '$1 == name { print $2 }' "$runs")" = 0 ] || return 0
    [ -e "$folder/figures.txt" ] || : >"$folder/figures.txt"
    awk -v folder="$folder" -f experiments/fill.awk "$folder/figures.txt" "experiments/pages/$1.md" >"$made.part" || return 1
    for picture in $(grep -o "($1-[^)]*\.svg)" "$made.part" | tr -d '()' | sort -u); do
        cp "$folder/${picture#"$1"-}" "$RESULTS/$picture" || return 1
    done
    sed "s#](\.\./\.\./#]($house/#g" "$made.part" >"$made"
    rm "$made.part"
}
short=
for name in $names; do
    page "$name" 2>"$RESULTS/missing.txt" && continue
    rm -f "$RESULTS/$name"-*.svg "$RESULTS/$name.md.part"
    cat "$RESULTS/missing.txt" >&2
    short="$short $name "
done
rm -f "$RESULTS/missing.txt"
# written NAME: tells whether it has a page
written() { [ -e "$RESULTS/$1.md" ]; }
# heading NAME: prints its heading, as a link if it has a page
heading() {
    text=$(sed -n 's/^# //p;/^# /q' "experiments/pages/$1.md")
    if written "$1"; then echo "[$text]($1.md)"; else echo "$text"; fi
}

# rows PAGE: prints the rows of its table
rows() {
    awk '/^\| *the document says *\| *here *\| *verdict *\|$/ { inside = 1; getline; next }
         !/^\|/ { inside = 0 }
         inside' "$1"
}
# how_many PAGE: prints how many of its verdicts begin with right and with wrong, and how many with neither
how_many() {
    rows "$1" | sed 's/\\|//g; s/ *| *$//; s/.*| *//' | awk '
        { n[$1 ~ /^right/ ? "right" : $1 ~ /^wrong/ ? "wrong" : "other"]++ }
        END { print NR ? n["right"] + 0 " right, " n["wrong"] + 0 " wrong" (n["other"] ? ", " n["other"] " neither" : "") : "about no document" }'
}
# run_of NAME: prints how its run ended
run_of() {
    awk -F, -v name="$1" '$1 == name {
        printf("%s after %d s of %d s", $2 == 0 ? "done" : $2 == 124 ? "**stopped**" : "**failed**", $3, $4)
        if ($5 != "") printf(", %d s of CPU", $5)
        found = 1
    }
    END { if (!found) print "not run" }' "$runs"
    case $short in *" $1 "*) echo ' **but made less than its page cites**' ;; esac
}
{
    printf '# The experiments of five documents, and ours\n\n'
    printf 'Each page says what a document found, under what conditions, what this program finds, and why they differ. '
    printf 'The script of the same name in `experiments/` makes its figures.\n\n'
    printf '| page | its verdicts on the document | run |\n| --- | --- | --- |\n'
    for name in $names; do
        verdicts=none
        ! written "$name" || verdicts=$(how_many "$RESULTS/$name.md")
        printf '| %s | %s | %s |\n' "$(heading "$name")" "$verdicts" "$(run_of "$name" | tr -d '\n')"
    done
    shown=$(for name in $names; do ! written "$name" || echo "$name"; done)
    if [ -n "$shown" ]; then
        printf '\n## What each document says, and what is true here\n\n| page | verdict | the document says | here |\n| --- | --- | --- | --- |\n'
        for name in $shown; do
            rows "$RESULTS/$name.md" | sed "s#^|\(.*\)|\([^|]*\)|\$#| [$name]($name.md) |\2|\1|#"
        done
        printf '\nTheir formulas, bounds and other claims, as `collsim audit` judged them in these runs:\n\n'
        for name in $shown; do
            report=$(dirname "$RESULTS")/$name/audit/report.md
            [ ! -e "$report" ] || sed -n '/^| source/,/^$/{/^| all /d;/^|/p;}' "$report"
        done | awk '
            NR == 2 { gsub(/---/, "--:"); sub(/--:/, "---") } # numbers stand on the right
            NR <= 2 || !/^[|] (source|---) [|]/'
        printf '\n## The pages\n'
        for name in $shown; do
            awk -v name="$name" '
                !head && /^# / { head = 1; printf("\n### [%s](%s.md)\n\n", substr($0, 3), name); next }
                head == 1 && NF { head = 2 }
                head == 2 && !NF { head = 3; print "" }
                head == 2
                head == 3 && /^!\[/ { print; exit }' "$RESULTS/$name.md"
        done
    fi
} >"$RESULTS/index.md"
echo "wrote $RESULTS/index.md"

if ! command -v cmark-gfm >/dev/null; then
    echo 'index.html is not written: cmark-gfm is missing (Debian: cmark-gfm)'
    [ -z "$short" ]
    exit
fi
# html NAME: writes NAME.html from NAME.md. A table is in a box that scrolls, and a picture is a link to itself.
html() {
    {
        cat <<END
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>$(sed -n 's/^# //p;/^# /q' "$RESULTS/$1.md" | sed 's/&/\&amp;/g; s/</\&lt;/g')</title>
<style>
:root { color-scheme: light dark; --ink: #222; --page: #fff; --line: #ccc; --link: #0b5ca8 }
@media (prefers-color-scheme: dark) { :root { --ink: #ddd; --page: #181a1b; --line: #555; --link: #7ab8f5 } }
body { font: 16px/1.5 'DejaVu Sans', Verdana, sans-serif; max-width: 62em; margin: 1.5em auto; padding: 0 1em;
       color: var(--ink); background: var(--page); overflow-wrap: break-word }
a { color: var(--link) }
h1, h2, h3 { line-height: 1.25 }
.table { overflow-x: auto; margin: 1em 0 }
table { border-collapse: collapse; font-size: 14px }
th, td { text-align: left; vertical-align: top; padding: 4px 10px; border-bottom: 1px solid var(--line) }
td[align=right], th[align=right] { text-align: right }
th { border-bottom: 2px solid var(--ink) }
code { font: 13px 'DejaVu Sans Mono', monospace }
pre { overflow-x: auto }
img { max-width: 100%; background: #fff; border-radius: 4px }
@media (max-width: 40em) { th, td { padding: 4px 5px } }
@media print { :root { --ink: #000; --page: #fff; --link: #000 } body { max-width: none; font-size: 11pt } table { font-size: 9pt }
    .table { overflow: visible } tr, img { break-inside: avoid } h2, h3 { break-after: avoid } }
</style>
</head>
<body>
END
        [ "$1" = index ] || echo '<p><a href="index.html">all experiments</a></p>'
        cmark-gfm -e table "$RESULTS/$1.md" | sed 's#href="\([0-9a-z]*\)\.md#href="\1.html#g
            s#<table>#<div class="table"><table>#; s#</table>#</table></div>#
            s#<img src="\([^"]*\)"#<a href="\1"><img src="\1"#; /<img /s#/>#/></a>#'
        printf '</body>\n</html>\n'
    } >"$RESULTS/$1.html"
}
for name in $names index; do
    ! written "$name" || html "$name"
done
echo "wrote $RESULTS/index.html"
[ -z "$short" ]
