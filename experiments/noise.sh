#!/bin/sh
# Which algorithm is the fastest if ranks do not arrive together: nine patterns, two sizes and four collectives on 64 nodes.
# Of each case it compares the algorithm that is the fastest without delay with the one that is the fastest after the last
# arrival; delays are 0.5, 1 and 2 times the time without delay. It prints the table of docs/NOISE.md, and takes some seconds.
# COLLSIM is the program, RESULTS the folder to write to (results/noise).
set -eu
cd "$(dirname "$0")/.."
COLLSIM=${COLLSIM:-build/collsim} RESULTS=${RESULTS:-results/noise}
mkdir -p "$RESULTS"
# ask COLLECTIVE SIZE OPTIONS..: prints all its algorithms as CSV
ask() {
    what=$1 size=$2
    shift 2
    "$COLLSIM" run "$what" all -p 64 -m "$size" --platform leonardo --model hockney --element 8 -f csv "$@" 2>/dev/null
}

# rows COLUMN: of CSV, prints the algorithm and the value of a column, in ns, of each row that has a place, in their order
rows() {
    awk -F, -v column="$1" '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $at["ranking"] != "" { printf "%d %s %.0f\n", $at["ranking"], $at["algorithm"], 1e9 * $at[column] }' | sort -n | cut -d' ' -f2-
}

: >"$RESULTS/cases"
for collective in bcast reduce allreduce allgather; do
    for m in 8K 1M; do
        ask $collective $m | rows time_s >"$RESULTS/without"
        read -r usual time <"$RESULTS/without"
        for factor in 0.5 1 2; do
            T=$(awk -v t="$time" -v f=$factor 'BEGIN { printf "%.0fns", t * f }')
            for pattern in one-late ascending random; do
                ask $collective $m --arrival $pattern:"$T" | rows after_s >"$RESULTS/late"
                awk -v case="$collective $m $pattern $factor" -v usual="$usual" -v time="$time" '
                    NR == FNR { ties[$1] = $2 == time; next }
                    FNR == 1 { best = $1; least = $2 }
                    $1 == usual { mine = $2 }
                    ties[$1] && $2 > slowest { slowest = $2 }
                    END { print case, usual, mine, best, least, slowest }' "$RESULTS/without" "$RESULTS/late" >>"$RESULTS/cases"
            done
        done
    done
done

# A row for each collective and size, with the case in which the usual winner loses most.
awk '
    function times(x) { return x > 1.01 ? sprintf("%.2f", x) : "-" }
    function finish() {
        if (cases) printf "| %s | %s | `%s` | %d of %d | %s | %s | %s |\n", collective, size, usual, changed, cases, times(most), at, times(tied)
    }
    BEGIN {
        print "| collective | bytes | fastest without delay | changes in | by at most | where, and the fastest there | of those that tie with it, by at most |"
        print "| --- | --- | --- | --- | --- | --- | --- |"
    }
    $1 != collective || $2 != size { finish(); collective = $1; size = $2; usual = $5; cases = changed = 0; most = tied = 1; at = "-" }
    {
        x = $8 > 0 ? $6 / $8 : 1
        y = $8 > 0 ? $9 / $8 : 1
        cases++
        if (x > 1.01) changed++
        if (x > most && x > 1.01) { most = x; at = $3 ", " $4 " times: `" $7 "`" }
        if (y > tied) tied = y
    }
    END { finish() }' "$RESULTS/cases"
