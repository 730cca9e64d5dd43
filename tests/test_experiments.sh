#!/bin/sh
# The pages of the experiments: each has a script, whose figures and pictures it shows; the index is made of them, and its links
# lead somewhere; running all experiments goes on after one that fails, which then has no page.
root=$(realpath "$(dirname "$0")/..")
. "$(dirname "$0")/tap.sh"
pages=$root/experiments/pages

scripts() { # every page has a script, and every experiment of a document a page
    for page in "$pages"/*.md; do
        [ -x "$root/experiments/$(basename "$page" .md).sh" ] || return 1
    done
    for script in "$root"/experiments/[0-9]*.sh "$root/experiments/ours.sh"; do
        [ -e "$pages/$(basename "$script" .sh).md" ] || return 1
    done
}
ok 'pages and scripts belong together' scripts
shapes() { # one heading of the first level, and a paragraph
    for page in "$pages"/*.md; do
        [ "$(grep -c '^# ' "$page")" = 1 ] && [ "$(sed -n 3p "$page" | cut -c1 | tr A-Z x)" = x ] || { echo "# $page" && return 1; }
    done
}
ok 'a page begins with a heading and a paragraph' shapes
tables() { # each row of a document's table has three cells, and a verdict
    for page in "$pages"/[0-9]*.md; do
        awk '/^\| the document says \| here \| verdict \|$/ { getline; inside = found = 1; next }
             !/^\|/ { inside = 0 }
             inside && !/^\|[^|]*[^| ][^|]*\|[^|]*[^| ][^|]*\| ([a-z]|\{\{)[^|]*\|$/ { print "# " $0; bad = 1 }
             END { exit bad || !found }' "$page" || { echo "# $page" && return 1; }
    done
}
ok 'a document has a table of verdicts' tables
cited() {
    for page in "$pages"/*.md; do
        grep -q '{{' "$page" || { echo "# $page" && return 1; }
    done
}
ok 'a page cites the figures of its run' cited

# ---- Filling a page --------------------------------------------------------------------------------------------------------
fill() { awk -v folder=. -f "$root/experiments/fill.awk" figures.txt page >out 2>err; }
printf 'a\t1.5 times\ngood\tyes\nbad\tno\n' >figures.txt
printf '| x |\n| --- |\n| 1 |\n' >t.table
printf 'It takes {{a}}, {{a}}.\n\n{{table t}}\n| is it | {{good? right}} | {{bad? wrong, mostly}} |\n' >page
filled() {
    fill && [ ! -s err ] && printf 'It takes 1.5 times, 1.5 times.\n\n| x |\n| --- |\n| 1 |\n| is it | right | **no longer** wrong, mostly |\n' | cmp - out
}
ok 'figures, tables and verdicts go where they are cited' filled
unknown() { # unknown TEXT LINE: a page with it is refused
    printf 'x\n%s\n' "$1" >page
    ! fill && [ "$(cat err)" = "page:2: the run has made no $2" ]
}
ok 'a figure that is missing' unknown 'takes {{b}}' "figure 'b'"
ok 'a condition that is missing' unknown '{{b? right}}' "figure 'b'"
ok 'a table that is missing' unknown '{{table u}}' "table 'u'"
: >empty.table
ok 'a table that is empty' unknown '{{table empty}}' "table 'empty'"

# ---- Running all ----------------------------------------------------------------------------------------------------------
mkdir -p house/experiments/pages
cp "$root"/experiments/all.sh "$root"/experiments/index.sh "$root"/experiments/fill.awk "$root"/experiments/page.sh house/experiments
script() { # script NAME COMMAND: the experiment NAME, which takes its figure from a command
    cat >"house/experiments/$1.sh" <<END
#!/bin/sh
set -eu
cd "\$(dirname "\$0")/.."
. experiments/page.sh
value=\$($2)
figure time "\$value"
figure verdict yes
echo '<svg/>' >"\$RESULTS/curve.svg"
mkdir -p "\$RESULTS/audit"
printf '%s\n' '| source | claims | exact |' '| --- | --- | --- |' '| $1, Title | 7 | 5 |' '| all | 7 | 5 |' '' '| where | claim |' >"\$RESULTS/audit/report.md"
END
    chmod +x "house/experiments/$1.sh"
    cat >"house/experiments/pages/$1.md" <<END
# Page $1

Text of
$1.

![a]($1-curve.svg)

| the document says | here | verdict |
| --- | --- | --- |
| 1 s | {{time}} | {{verdict? right}} |
END
}
script 000 'echo 1.5 s'
script 001 'echo 2.5 s; false'
script 002 'sleep 9'
script 003 'echo 3.5 s'
script ours 'echo fine'
sed -i 's/^figure verdict/: &/' house/experiments/003.sh
index=house/results/experiments/index.md
run_all() {
    LIMIT=1 house/experiments/all.sh >out 2>err
    [ $? = 1 ] && says out 'These failed: 001 002.' && grep -q '^ours .*done' out && grep -q '^001 .*failed with status 1' out &&
        grep -q '^002 .*stopped, because it took longer than 1 s' out && says out "003.md:10: the run has made no figure 'verdict'"
}
ok 'all experiments run, also after one that fails, and the status is 1' run_all
absent() { # what failed has no page, no picture and no verdict
    grep -q '^| Page 001 | none | \*\*failed\*\* after' $index && grep -q '^| Page 002 | none | \*\*stopped\*\* after' $index &&
        grep -q '^| Page 003 | none | done after .*but made less than its page cites' $index &&
        [ "$(grep -c '^| \[Page 00[123]\|^| 00[123], Title' $index)" = 0 ] && [ "$(ls house/results/experiments/00[123]* | grep -vc txt)" = 0 ]
}
ok 'what failed has no page and no verdict' absent
present() {
    grep -q '^| \[Page 000\](000.md) | 1 right, 0 wrong | done after' $index && says $index '| [000](000.md) | right | 1 s | 1.5 s |' &&
        [ -e house/results/experiments/000-curve.svg ] && grep -q 'time.*fine' house/results/ours/figures.txt
}
ok 'what ended well has its figures, verdicts and pictures' present
judged() { # one head, a row for each that ended well, and neither their sums nor the claims
    [ "$(grep -A 4 '^| source' $index | paste -sd' ')" = '| source | claims | exact | | --- | --: | --: | | 000, Title | 7 | 5 | | ours, Title | 7 | 5 | ' ]
}
ok 'the numbers of verdicts are those of the runs that ended well' judged
changes() { # another figure, and a verdict that no longer holds
    script 000 'echo 9.5 s'
    sed -i 's/^figure verdict yes/figure verdict no/' house/experiments/000.sh
    LIMIT=1 house/experiments/all.sh >out 2>err
    says $index '| [000](000.md) | **no longer** right | 1 s | 9.5 s |' && ! grep -q '1\.5 s' house/results/experiments/000.md
}
ok 'another figure changes the page and its verdict' changes
good() {
    rm house/experiments/00[123].sh house/experiments/pages/00[12].md
    house/experiments/all.sh >out 2>err && says $index '| Page 003 | none | not run |'
}
ok 'the status is 0 if none fails' good
links() { # links SED-EXPRESSION FILE..: what the files name, without what is elsewhere on the web, exists
    find=$1
    shift
    for file in "$@"; do
        sed -n "$find" "$file"
    done | sed 's/#.*//; /^http/d; /^$/d' | sort -u >targets
    [ -s targets ] && while read -r target; do [ -e "house/results/experiments/$target" ] || { echo "# $target" && return 1; }; done <targets
}
ok 'the links of the index and the pages in Markdown' links ':a;s/!*\[[^]]*\](\([^)]*\))/\n\1\n/;ta;s/^/ /;s/\n\([^ \n]*\)\n/\n&/;/\n/{s/[^\n]*\n*\([^\n]*\)\n.*/\1/p;}' house/results/experiments/*.md
if command -v cmark-gfm >/dev/null; then
    ok 'the links of the HTML' links 's/></>\n</g;s/.*\(href\|src\)="\([^"]*\)".*/\2/p' house/results/experiments/*.html
    ok 'the HTML is whole' says house/results/experiments/index.html '</html>'
else
    ok 'without cmark-gfm there is no HTML, and it says so' says out 'Debian: cmark-gfm'
fi
false_program() { # with a program that fails, no page stands
    COLLSIM=/bin/false RESULTS=$dir/false/experiments LIMIT=60 "$root/experiments/all.sh" >out 2>err
    [ $? = 1 ] && ! ls false/experiments/[0-9o]*.md >ls 2>&1 && ! grep -Ei 'right|wrong|exact|loose' false/experiments/index.md && ! ls false/experiments/*.svg >ls 2>&1
}
ok 'with a program that fails there is no page, no picture and no verdict' false_program
echo "1..$n"
