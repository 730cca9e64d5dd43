# Writes a page of Markdown as a page of the manual: awk -v name=collsim-formats -v section=5 -v about=TEXT
# -v version=0.9.0 -f man.awk FILE.md. It knows what our pages use: headings, paragraphs, lists, tables, code that is
# indented or fenced, and in a text `code`, **bold** and links.

function escaped(s) {
    gsub(/\\/, "\\e", s)
    gsub(/-/, "\\-", s)
    gsub(/'/, "\\(aq", s)
    gsub(/\^/, "\\(ha", s)
    gsub(/~/, "\\(ti", s)
    gsub(/"/, "\\(dq", s)
    return s
}
# A line that is printed as it is.
function line(s) {
    return (s ~ /^[.]/ ? "\\&" : "") escaped(s)
}
# A text without code: links become their text, and ** and * change the font.
function plain(s,    n, i, part, out) {
    while (match(s, /\[[^]]*\]\([^)]*\)/)) {
        part = substr(s, RSTART + 1, RLENGTH)
        sub(/\].*/, "", part)
        s = substr(s, 1, RSTART - 1) part substr(s, RSTART + RLENGTH)
    }
    n = split(s, piece, "[*][*]")
    for (i = 1; i <= n; i++) {
        if (i > 1) {
            bold = !bold
            out = out (bold ? "\\fB" : "\\fR")
        }
        while (match(piece[i], /[*][^* ][^*]*[*]/)) {
            out = out escaped(substr(piece[i], 1, RSTART - 1)) "\\fI" escaped(substr(piece[i], RSTART + 1, RLENGTH - 2)) "\\fR"
            piece[i] = substr(piece[i], RSTART + RLENGTH)
        }
        out = out escaped(piece[i])
    }
    return out
}
function inline(s,    n, i, half, out) {
    bold = 0
    n = split(s, half, "`")
    for (i = 1; i <= n; i++)
        out = out (i % 2 ? plain(half[i]) : "\\fB" escaped(half[i]) (bold ? "" : "\\fR"))
    return (out ~ /^[.]/ ? "\\&" : "") out
}
function flush() {
    if (text != "")
        print inline(text)
    text = ""
}
function end_code() {
    if (code)
        print ".RE\n.fi"
    code = 0
}
# Prints a row of a table: the first cell in bold, the others below it. The head of a table is in italics.
function row(cells, head,    n, i, cell, rest) {
    gsub(/\\\|/, "\001", cells)
    n = split(cells, cell, / *\| */)
    for (i = 3; i < n; i++)
        if (cell[i] != "")
            rest = rest (rest == "" ? "" : ": ") cell[i]
    cells = head ? "\\fI" inline(cell[2]) "\\fR\n\\fI" inline(rest) "\\fR" : inline(cell[2]) "\n" inline(rest)
    gsub(/\001/, "|", cells)
    print ".TP\n" cells
}
# Prints the row that was read last. The line after it says whether it is a head.
function end_row(head) {
    if (held != "")
        row(held, head)
    held = ""
}
BEGIN {
    printf(".TH %s %s \"\" \"collsim %s\" \"collsim\"\n.nh\n.ad l\n.SH NAME\n%s \\- %s\n", toupper(name), section, version, escaped(name), about)
}
/^<!--.*-->$/ { next }
/^```/ {
    flush()
    fenced = !fenced
    print fenced ? ".PP\n.nf\n.RS 2n" : ".RE\n.fi"
    next
}
fenced { print line($0); next }
/^    / && (code || text == "") && !list {
    if (!code)
        print ".PP\n.nf\n.RS 2n"
    code = 1
    print line(substr($0, 5))
    next
}
/^$/ {
    flush()
    end_row(0)
    # Code that goes on after an empty line becomes two parts.
    end_code()
    gap = 1
    next
}
{ end_code() }
/^# / {
    print ".SH DESCRIPTION"
    after_title = 1
    next
}
/^##+ / {
    flush()
    end_row(0)
    list = 0
    title = $0
    sub(/^#+ /, "", title)
    gsub(/`/, "", title)
    print ($0 ~ /^## / ? ".SH \"" plain(toupper(title)) "\"" : ".SS \"" plain(title) "\"")
    after_title = 1
    gap = 0
    next
}
/^[|]/ {
    flush()
    if ($0 ~ /^[| :-]+$/) {
        end_row(1)
        next
    }
    end_row(0)
    held = $0
    next
}
{ end_row(0) }
/^(-|[0-9]+[.]) / {
    flush()
    print ($1 == "-" ? ".IP \\(bu 2" : ".IP " $1 " 4")
    list = 1
    sub(/^[^ ]+ +/, "")
    text = $0
    gap = 0
    next
}
{
    if (gap && text == "" && !(list && /^ /)) {
        list = 0
        if (!after_title)
            print ".PP"
    } else if (gap)
        print ".sp"
    gap = after_title = 0
    sub(/^ +/, "")
    text = text (text == "" ? "" : " ") $0
}
END {
    flush()
    end_row(0)
    end_code()
    print ".SH SEE ALSO\n\\fBcollsim\\fR(1)"
}
