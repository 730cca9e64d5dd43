#!/bin/sh
# Asks how much the families between few rounds and few bytes gain (`make families`): for each collective, the fastest
# algorithm with them and without them, on flat machines of 2 to 1000 ranks. Writes the table of docs/ALGORITHMS.md, and
# with `--picture FILE.svg` draws an allreduce on 32768 ranks both ways, over the bound. A second table does the same for
# the families that use many ranks of a node at once, on nodes of several ranks. Usage: families.sh [FOLDER], where FOLDER
# gets the answers (default build/families); families.sh --nodes [FOLDER] makes the second table alone.
set -eu
cd "$(dirname "$0")/.."
COLLSIM=${COLLSIM:-build/collsim}
machines='lumi leonardo generic-100g archer2'
page=docs/ALGORITHMS.md

# The families of a collective, and of the parts that its algorithms are composed of.
families() {
    case $1 in
        allreduce) echo census,k_census,k_census_overlap,hybrid,hybrid_overlap,scatter_allgather,grid,reduce/hybrid,reduce/circulant_overlap,bcast/hybrid ;;
        reduce) echo hybrid,circulant_overlap,postal,grid ;;
        bcast) echo hybrid,postal,grid ;;
        gather | scatter) echo postal ;;
        scan) echo grid,pipeline,halving,k_halving,k_dissemination,k_dissemination_overlap ;;
        exscan) echo grid,pipeline,halving,k_halving,two_phase,k_dissemination,k_dissemination_overlap ;;
        reduce_scatter) echo k_bruck,circulant_overlap ;;
        allgatherv) echo k_bruck ;;
        alltoall) echo k_bruck,circulant ;;
    esac
}
# answers COLLECTIVE MACHINE RANKS SIZES ARGUMENTS..: a line "p nodes m algorithm seconds x_bound" for each point; nodes is 0
# if they are not known
answers() {
    local collective=$1 machine=$2 ranks=$3 sizes=$4
    shift 4
    [ "$collective" = barrier ] && sizes= || sizes="-m $sizes"
    "$COLLSIM" best "$collective" -p "$ranks" $sizes --platform "$machine" --top 1 -f csv "$@" 2>/dev/null |
        sed 's/"[^"]*"//g' | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
            $at["time_s"] { print $at["ranks"], $at["nodes"] + 0, $at["bytes"] + 0, $at["algorithm"], $at["time_s"], $at["x_bound"] }'
}

if [ "${1:-}" = --picture ]; then
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    {
        echo collective,algorithm,ranks,bytes,platform,model,time_s,x_bound
        for with in '' "--without=$(families allreduce)"; do
            answers allreduce lumi 32768 1K..1M:x2 $with |
                awk -v name="$([ "$with" ] && echo without them || echo census, hybrid and scatter_allgather)" '{ print "allreduce,\"" name "\",32768," $3 ",lumi,hockney," $5 "," $6 }'
        done
    } >"$work/envelope.csv"
    "$COLLSIM" plot "$work/envelope.csv" --y x-bound --title 'The fastest allreduce on 32768 ranks of LUMI' -o "$2"
    exit
fi

flat=yes
[ "${1:-}" = --nodes ] && flat= && shift
work=${1:-build/families}
mkdir -p "$work"

# points FILE COLLECTIVE FAMILIES RANKS SIZES MACHINES: adds lines to FILE for the points: collective, machine, ranks, nodes,
# bytes, the fastest and its seconds, the fastest without the families and its seconds.
points() {
    local machine
    for machine in $6; do
        echo "families: $2 on $machine, ranks $4" >&2
        answers "$2" "$machine" "$4" "$5" >"$work/with.txt"
        answers "$2" "$machine" "$4" "$5" --without "$3" >"$work/without.txt"
        awk -v of="$2 $machine" 'FNR == NR { with[$1, $2, $3] = $4 " " $5; next }
            ($1, $2, $3) in with { print of, $1, $2, $3, with[$1, $2, $3], $4, $5 }' "$work/with.txt" "$work/without.txt" >>"$1"
    done
}
# table FILE: the rows of a table of such points
table() {
    sort -s -k1,1 "$1" | awk '
        function size(m) { return m >= 1048576 ? m / 1048576 "M" : m >= 1024 ? m / 1024 "K" : m }
        {
            if (!($1 in points)) { order[++n] = $1 }
            points[$1]++
            gain = $9 / $7
            if (gain <= 1.03) { next }
            key = $1 SUBSEP $6
            if (!(key in wins)) { names[$1] = names[$1] " " $6 }
            wins[key]++
            if (gain > most[key]) {
                most[key] = gain
                there[key] = ($4 > 0 && $4 < $3 ? $4 " nodes of " $3 / $4 : $3) " ranks, " ($1 == "barrier" ? "" : size($5) ", ") $2 ", where `" $8 "` was the fastest"
            }
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
        }'
}
# put MARK FILE: writes a table into the page, behind its mark
put() {
    awk -v mark="<!-- $1 -->" -v table="$2" '
        $0 == mark { print; print "| collective | fastest | points won by over 3 % | most | there |"; print "| --- | --- | --- | --- | --- |"
            while ((getline line <table) > 0) { print line }; skip = 1; next }
        skip && /^$/ { skip = 0 }
        !skip' "$page" >"$work/page.md"
    cp "$work/page.md" "$page"
}

: >"$work/points.txt"
for collective in ${flat:+allreduce reduce bcast scan exscan reduce_scatter allgatherv gather scatter alltoall}; do
    ranks=2,3,5,8,13,16,17,24,33,64,96,100,1000 sizes=8..16M:x8
    [ $collective = alltoall ] || [ $collective = gather ] || [ $collective = scatter ] &&
        ranks=2,3,5,8,13,16,17,24,33,64,96,100 sizes=8..1M:x8
    points "$work/points.txt" $collective "$(families $collective)" $ranks $sizes "$machines"
    # With tables of times, no closed form excludes anything, and each of so many ranks runs every candidate.
    [ $collective = alltoall ] || points "$work/points.txt" $collective "$(families $collective)" 6144,32768 64..4M:x16 "lumi leonardo generic-100g"
done
[ -z "$flat" ] || { table "$work/points.txt" >"$work/table.md" && put families "$work/table.md"; }

: >"$work/nodes.txt"
for collective in allreduce reduce bcast barrier allgather allgatherv gather scatter gatherv scatterv alltoall alltoallv reduce_scatter scan exscan; do
    case $collective in
        allreduce) of=node_census ;;
        barrier) of=node_dissemination ;;
        bcast) of=node_tree,scatter_allgather ;;
        reduce) of=node_tree,scatter_gather ;;
        allgather) of=node_bruck ;;
        allgatherv) of=node_bruck,lane ;;
        alltoall | reduce_scatter) of=node_pairs ;;
        alltoallv) of=lane,multi_leader,tuna,k_tuna,hybrid,padded ;;
        scan) of=node_dissemination ;;
        exscan) of=node_dissemination,smp_exscan ;;
        *) of=node_tree,lane ;;
    esac
    case $collective in
        # On other machines the NICs decide what is fast, so that all candidates are run.
        allgather | allgatherv | alltoall | reduce_scatter) points "$work/nodes.txt" $collective $of 8x4,16x8,64x48 8..64K:x8 lumi ;;
        alltoallv) points "$work/nodes.txt" $collective $of 8x4,16x8,64x48 8..512:x8 lumi ;;
        *)
            points "$work/nodes.txt" $collective $of 8x4,16x8,64x48 8..64K:x8 "lumi leonardo"
            points "$work/nodes.txt" $collective $of 8x4,16x8 8..64K:x8 archer2
            ;;
    esac
done
table "$work/nodes.txt" >"$work/nodes.md"
put 'families over nodes' "$work/nodes.md"
