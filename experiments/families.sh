#!/bin/sh
# Asks how much the families between few rounds and few bytes gain (`make families`): for each collective, the fastest
# algorithm with them and without them, on flat machines of 2 to 1000 ranks. Writes the table of docs/ALGORITHMS.md, and
# with `--picture FILE.svg` draws an allreduce on 32768 ranks both ways, over the bound. Usage: families.sh [FOLDER], where
# FOLDER gets the answers (default build/families).
set -eu
cd "$(dirname "$0")/.."
COLLSIM=${COLLSIM:-build/collsim}
machines='lumi leonardo generic-100g archer2'
page=docs/ALGORITHMS.md

# The families of a collective, and of the parts that its algorithms are composed of.
families() {
    case $1 in
        allreduce) echo census,hybrid,scatter_allgather,reduce/hybrid,reduce/circulant_overlap,bcast/hybrid ;;
        reduce) echo hybrid,circulant_overlap ;;
        bcast) echo hybrid ;;
        scan) echo pipeline,halving ;;
        exscan) echo pipeline,halving,two_phase ;;
        reduce_scatter | allgatherv) echo k_bruck ;;
        alltoall) echo k_bruck,circulant ;;
    esac
}
# answers COLLECTIVE MACHINE RANKS SIZES ARGUMENTS..: a line "p m algorithm seconds x_bound" for each point
answers() {
    local collective=$1 machine=$2 ranks=$3 sizes=$4
    shift 4
    "$COLLSIM" best "$collective" -p "$ranks" -m "$sizes" --platform "$machine" --top 1 -f csv "$@" 2>/dev/null |
        sed 's/"[^"]*"//g' | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
            $at["time_s"] { print $at["ranks"], $at["bytes"], $at["algorithm"], $at["time_s"], $at["x_bound"] }'
}

if [ "${1:-}" = --picture ]; then
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    {
        echo collective,algorithm,ranks,bytes,platform,model,time_s,x_bound
        for with in '' "--without=$(families allreduce)"; do
            answers allreduce lumi 32768 1K..1M:x2 $with |
                awk -v name="$([ "$with" ] && echo without them || echo census, hybrid and scatter_allgather)" '{ print "allreduce,\"" name "\",32768," $2 ",lumi,hockney," $4 "," $5 }'
        done
    } >"$work/envelope.csv"
    "$COLLSIM" plot "$work/envelope.csv" --y x-bound --title 'The fastest allreduce on 32768 ranks of LUMI' -o "$2"
    exit
fi

work=${1:-build/families}
mkdir -p "$work"
: >"$work/points.txt"
for collective in allreduce reduce bcast scan exscan reduce_scatter allgatherv alltoall; do
    ranks=2,3,5,8,13,16,17,24,33,64,96,100,1000 sizes=8..16M:x8
    [ $collective = alltoall ] && ranks=2,3,5,8,13,16,17,24,33,64,96,100 sizes=8..1M:x8
    for machine in $machines; do
        echo "families: $collective on $machine" >&2
        answers $collective $machine $ranks $sizes >"$work/with.txt"
        answers $collective $machine $ranks $sizes --without "$(families $collective)" >"$work/without.txt"
        awk -v of="$collective $machine" 'FNR == NR { with[$1, $2] = $3 " " $4; next }
            ($1, $2) in with { print of, $1, $2, with[$1, $2], $3, $4 }' "$work/with.txt" "$work/without.txt" >>"$work/points.txt"
    done
done
# points.txt has: collective, machine, ranks, bytes, the fastest and its seconds, the fastest without families and its seconds.
sort -s -k1,1 "$work/points.txt" | awk '
    function size(m) { return m >= 1048576 ? m / 1048576 "M" : m >= 1024 ? m / 1024 "K" : m }
    {
        if (!($1 in points)) { order[++n] = $1 }
        points[$1]++
        gain = $8 / $6
        if (gain <= 1.03) { next }
        key = $1 SUBSEP $5
        if (!(key in wins)) { names[$1] = names[$1] " " $5 }
        wins[key]++
        if (gain > most[key]) { most[key] = gain; there[key] = $3 " ranks, " size($4) ", " $2 ", where `" $7 "` was the fastest" }
    }
    END {
        for (i = 1; i <= n; i++) {
            of = order[i]
            k = split(substr(names[of], 2), name, " ")
            if (k == 0) { printf("| %s | | 0 of %d | | |\n", of, points[of]) }
            for (j = 1; j <= k; j++) {
                key = of SUBSEP name[j]
                printf("| %s | `%s` | %d of %d | %.2f | %s |\n", of, name[j], wins[key], points[of], most[key], there[key])
            }
        }
    }' >"$work/table.md"
awk -v table="$work/table.md" '
    /^<!-- families -->/ { print; print "| collective | fastest | points won by over 3 % | most | there |"; print "| --- | --- | --- | --- | --- |"
        while ((getline line <table) > 0) { print line }; skip = 1; next }
    skip && /^$/ { skip = 0 }
    !skip' "$page" >"$work/page.md"
cp "$work/page.md" "$page"
