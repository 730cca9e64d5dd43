#!/bin/sh
# Holds the times that messages take on links that they share against SimGrid's SMPI, which runs the same texts on the same
# links: 15 algorithms with large messages, one rank a node, on a torus, a tapered fat tree and a dragonfly. Prints the
# table of docs/NETWORKS.md and writes the rows. SMPI needs ten minutes on two cores for the numbers of ranks below,
# and points for which it needs more than a minute are left out; RANKS="16 32" is a first look. COLLSIM is the program, RESULTS the folder to write to (results/contention).
set -eu
cd "$(dirname "$0")/.."
COLLSIM=$(realpath "${COLLSIM:-build/collsim}") RESULTS=${RESULTS:-results/contention} RANKS=${RANKS:-16 32 64 128}
mkdir -p "$RESULTS"
cd "$RESULTS"

# shape KIND RANKS: prints a shape with as many hosts
shape() {
    case $1-$2 in
    torus-16) echo '4,4' ;;
    torus-32) echo '4,4,2' ;;
    torus-64) echo '4,4,4' ;;
    torus-128) echo '8,4,4' ;;
    torus-256) echo '8,8,4' ;;
    torus-512) echo '8,8,8' ;;
    fat_tree-16) echo '2; 4,4; 1,2; 1,1' ;;
    fat_tree-32) echo '2; 8,4; 1,4; 1,1' ;;
    fat_tree-64) echo '2; 8,8; 1,4; 1,1' ;;
    fat_tree-128) echo '2; 8,16; 1,4; 1,1' ;;
    fat_tree-256) echo '2; 16,16; 1,8; 1,1' ;;
    fat_tree-512) echo '2; 16,32; 1,8; 1,1' ;;
    dragonfly-16) echo '4,1; 1,1; 4,1; 1' ;;
    dragonfly-32) echo '4,1; 2,1; 4,1; 1' ;;
    dragonfly-64) echo '4,1; 2,1; 4,1; 2' ;;
    dragonfly-128) echo '4,1; 2,1; 4,1; 4' ;;
    dragonfly-256) echo '8,1; 2,1; 8,1; 2' ;;
    dragonfly-512) echo '8,1; 2,1; 8,1; 4' ;;
    *) echo "no shape of $2 hosts for a $1" >&2 && exit 2 ;;
    esac
}
# platform KIND RANKS: writes a machine whose links are as fast as its ports
platform() {
    cat <<END
[hockney]
alpha = 1us
alpha.source = an example
beta = 0.1ns/B
beta.source = an example
gamma = 0
gamma.source = reductions are free, as in SMPI
[topology]
kind = $1
shape = $(shape "$1" "$2")
shape.source = an example
routing = minimal
rate = 10GB/s
rate.source = an example
hop = 0.1us
hop.source = an example
END
}
# check COLLECTIVE BYTES ALGORITHM..: adds a row for each; SMPI may take too long for one of them
check() {
    collective=$1 bytes=$2
    shift 2
    for algorithm in "$@"; do
        "$COLLSIM" check --backends sim,smpi "$collective" "$algorithm" -p "$p" -m "$bytes" --platform "./$kind-$p.ini" -f csv 2>>errors.txt |
            awk -v kind="$kind" -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
                { print kind "," $at["collective"] "," $at["algorithm"] "," $at["ranks"] "," $at["bytes"] "," $at["time_s"] "," $at["smpi_time_s"] }' >>rows.csv
    done
}

echo 'topology,collective,algorithm,ranks,bytes,time_s,smpi_time_s' >rows.csv
: >errors.txt
for p in $RANKS; do
    for kind in torus fat_tree dragonfly; do
        platform $kind "$p" >"$kind-$p.ini"
        check allreduce 1M recursive_doubling rabenseifner ring
        check bcast 1M binomial_far scatter_rd_allgather scatter_ring_allgather
        check reduce 1M binomial rabenseifner
        check reduce_scatter 1M recursive_halving pairwise
        check allgather 64K recursive_doubling ring bruck
        check alltoall 64K pairwise bruck
    done
done

# Prints the median, the p90 and the maximum of |sim / SMPI - 1| in percent. They are those of the nearest rank.
table() {
    awk -F, -v kind="$1" 'NR > 1 && (kind == "all" || $1 == kind) && $7 > 0 { d = $6 / $7 - 1; print 100 * (d < 0 ? -d : d) }' rows.csv | sort -g |
        awk -v kind="$1" '{ x[NR] = $1 }
            END { m = int((NR + 1) / 2); n = int(0.9 * NR + 0.999999); printf("| %s | %d | %.1f | %.1f | %.1f |\n", kind, NR, x[m], x[n], x[NR]) }'
}
echo '| topology | points | median | p90 | max |'
echo '| --- | --- | --- | --- | --- |'
for kind in all torus fat_tree dragonfly; do
    table $kind
done
echo
echo 'The largest differences, in percent:'
awk -F, 'NR > 1 && $7 > 0 { d = 100 * ($6 / $7 - 1); printf("%.1f %s %s %s on %d ranks: %+.1f %%\n", d < 0 ? -d : d, $1, $2, $3, $4, d) }' rows.csv |
    sort -rg | head -n 10 | cut -d' ' -f2-
