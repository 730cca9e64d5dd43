# What the scripts of the experiments share: each sets RESULTS and sources this file. A page, experiments/pages/NAME.md, has no
# figure of its own. {{x}} stands for what figures.txt says of x after this run, {{x? right}} for "right" if that is yes, and a
# line {{table x}} for the file x.table. experiments/fill.awk puts them in.
mkdir -p "$RESULTS"
figures=$RESULTS/figures.txt
: >"$figures"
rm -f "$RESULTS"/*.table

# For awk programs: number(n) has commas between thousands, size(n) is 64K for 65536, and yes(name, good) keeps a condition.
words='
    function number(n) {
        n += 0
        return n < 1000 ? n "" : n < 1000000 ? int(n / 1000) sprintf(",%03d", n % 1000) : \
            int(n / 1000000) sprintf(",%03d,%03d", int(n / 1000) % 1000, n % 1000)
    }
    function size(n) { n += 0; return n >= 1048576 ? n / 1048576 "M" : n >= 1024 ? n / 1024 "K" : n "" }
    function yes(name, good) { print name, (good ? "yes" : "no") }
'

# ask ARGUMENTS: prints the command and runs it
ask() {
    printf '\n$ collsim %s\n' "$*"
    "$COLLSIM" "$@"
}

# claims SOURCE: judges the claims of a document, as audit.csv and as a report, from which the index has the numbers of verdicts
claims() {
    ask audit --source "$1" --report "$RESULTS/audit" -f csv -o "$RESULTS/audit.csv"
}

# figure NAME VALUE..: says what {{NAME}} stands for
figure() {
    printf '%s\t' "$1" >>"$figures"
    shift
    printf '%s\n' "$*" >>"$figures"
}

# keep: takes lines `NAME VALUE`, the name without spaces, and says for each what {{NAME}} stands for; it prints them, too
keep() {
    sed 's/ /\t/' | tee -a "$figures"
}

# of NAME: prints what {{NAME}} stands for
of() {
    awk -F '\t' -v name="$1" '$1 == name { print $2 }' "$figures"
}

# cells FILE NAME..: prints these columns of a CSV file, a line for each row and a tab between two cells
cells() {
    file=$1
    shift
    awk -v names="$*" '
        # split_row: the cells of a row, of which those in quotes may have commas and doubled quotes
        function split_row(row, cell,    n, length_of) {
            for (n = 1; ; n++) {
                if (match(row, /^"([^"]|"")*"/)) {
                    cell[n] = substr(row, 2, RLENGTH - 2)
                    gsub(/""/, "\"", cell[n])
                } else {
                    match(row, /^[^,]*/)
                    cell[n] = substr(row, 1, RLENGTH)
                }
                length_of = RLENGTH
                if (length(row) == length_of) return n
                row = substr(row, length_of + 2)
            }
        }
        { cells = split_row($0, cell) }
        NR == 1 {
            n = split(names, name, " ")
            for (i = 1; i <= cells; i++) at[cell[i]] = i
            next
        }
        { for (i = 1; i <= n; i++) printf("%s%s", cell[at[name[i]]], i < n ? "\t" : "\n") }' "$file"
}
