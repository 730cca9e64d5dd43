#!/bin/sh
# The pages of the experiments: each has a script, and its pictures exist; the index is made of them, and its links lead
# somewhere; and running all experiments goes on after one that fails.
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
             inside && !/^\|[^|]*[^| ][^|]*\|[^|]*[^| ][^|]*\| [a-z][^|]*\|$/ { print "# " $0; bad = 1 }
             END { exit bad || !found }' "$page" || { echo "# $page" && return 1; }
    done
}
ok 'a document has a table of verdicts' tables
pictures() { # what pages show is there, and what is there is shown
    cat "$pages"/*.md | grep -o '!\[[^]]*\]([^)]*)' | sed 's/.*(//; s/)$//' | sort -u >shown
    (cd "$pages" && ls ./*.svg) | sed 's#^\./##' | sort | diff shown - >out
}
ok 'the pictures of the pages' pictures

index() { RESULTS=$dir/index "$root/experiments/index.sh" >out 2>err && [ ! -s err ]; }
ok 'the index is written' index
complete() { # it has every page with its verdicts
    for page in "$pages"/*.md; do
        says index/index.md "$(sed -n 1p "$page" | cut -c3-)" || return 1
    done
    [ "$(grep -c '^| \[[0-9]*\]' index/index.md)" = "$(cat "$pages"/[0-9]*.md | awk '
        /^\| the document says/ { getline; inside = 1; next } !/^\|/ { inside = 0 } inside' | wc -l)" ] && says index/index.md '| 004, tree and butterfly'
}
ok 'the index has all pages and verdicts' complete
links() { # links SED-EXPRESSION FILE..: what the files name, without what is elsewhere on the web, exists
    find=$1
    shift
    for file in "$@"; do
        sed -n "$find" "$file"
    done | sed 's/#.*//; /^http/d; /^$/d' | sort -u >targets
    [ -s targets ] && while read -r target; do [ -e "index/$target" ] || { echo "# $target" && return 1; }; done <targets
}
ok 'the links of the index and the pages in Markdown' links ':a;s/!*\[[^]]*\](\([^)]*\))/\n\1\n/;ta;s/^/ /;s/\n\([^ \n]*\)\n/\n&/;/\n/{s/[^\n]*\n*\([^\n]*\)\n.*/\1/p;}' index/*.md
if command -v cmark-gfm >/dev/null; then
    ok 'the links of the HTML' links 's/></>\n</g;s/.*\(href\|src\)="\([^"]*\)".*/\2/p' index/*.html
    ok 'the HTML is whole' says index/index.html '</html>'
else
    ok 'without cmark-gfm there is no HTML, and it says so' says out 'Debian: cmark-gfm'
fi

# ---- Running all ----------------------------------------------------------------------------------------------------------
mkdir -p house/experiments/pages
cp "$root/experiments/all.sh" "$root/experiments/index.sh" house/experiments
cp "$root/README.md" house
for name in 000:true 001:false 002:'sleep 9' ours:'echo fine'; do
    printf '#!/bin/sh\n%s\n' "${name#*:}" >house/experiments/"${name%%:*}.sh"
    printf '# Page %s\n\nText of\n%s.\n\n![a](%s.svg)\n' "${name%%:*}" "${name%%:*}" "${name%%:*}" >house/experiments/pages/"${name%%:*}.md"
    : >house/experiments/pages/"${name%%:*}.svg"
done
chmod +x house/experiments/*.sh
run_all() {
    LIMIT=2 house/experiments/all.sh >out 2>err
    [ $? = 1 ] && says out 'These failed: 001 002.' && grep -q '^ours .*done' out && grep -q '^001 .*failed with status 1' out &&
        grep -q '^002 .*stopped, because it took longer than 2 s' out && says house/results/experiments/ours.txt fine &&
        grep -q '^| \[Page 001\](001.md) | about no document | \*\*failed\*\* after' house/results/experiments/index.md
}
ok 'all experiments run, also after one that fails, and the status is 1' run_all
good() {
    rm house/experiments/00[12].sh
    house/experiments/all.sh >out 2>err && says house/results/experiments/index.md '| not run |'
}
ok 'the status is 0 if none fails' good
echo "1..$n"
