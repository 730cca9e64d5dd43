# Fills a page of an experiment with the figures of its last run, as experiments/page.sh explains:
#   awk -v folder=results/004 -f experiments/fill.awk results/004/figures.txt experiments/pages/004.md
# A figure or table that the run did not make is an error: a line on stderr for each, and status 1.
function missing(what) {
    printf("%s:%d: the run has made no %s\n", FILENAME, FNR, what) >"/dev/stderr"
    failed = 1
    return "**no " what "**"
}
# text_of CITED: what stands in the page for what was between the braces
function text_of(cited,    name, text) {
    name = cited
    sub(/\?.*/, "", name)
    if (!(name in value)) return missing("figure '" name "'")
    if (name == cited) return value[name]
    text = substr(cited, length(name) + 2)
    sub(/^ */, "", text)
    return value[name] == "yes" ? text : "**no longer** " text
}
function table(name,    file, line, n) {
    file = folder "/" name ".table"
    while ((getline line <file) > 0) {
        print line
        n++
    }
    close(file)
    if (!n) print missing("table '" name "'")
}
FNR == 1 { part++ }
part == 1 {
    at = index($0, "\t")
    value[substr($0, 1, at - 1)] = substr($0, at + 1)
    next
}
/^\{\{table [^}]*\}\}$/ { table(substr($0, 9, length($0) - 10)); next }
{
    out = ""
    while (match($0, /\{\{[^}]*\}\}/)) {
        out = out substr($0, 1, RSTART - 1) text_of(substr($0, RSTART + 2, RLENGTH - 4))
        $0 = substr($0, RSTART + RLENGTH)
    }
    print out $0
}
END { exit failed }
