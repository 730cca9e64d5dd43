#!/bin/sh
# Holds the times that messages take on links that they share against SimGrid's SMPI, which runs the same texts on the same
# links: 15 algorithms with large messages on a torus, a tapered fat tree and a dragonfly, with one rank a node, and on 16 nodes
# of 4 ranks that share a NIC. Adds rows to those of earlier runs and prints the tables of docs/NETWORKS.md.
#
# RANKS are the numbers to run: RANKS="16 32" is a first look, RANKS= prints what is there. SMPI needs ten minutes for the numbers
# up to 128, and hours for all of them, on one core: it has LIMIT seconds of CPU time (600) for a point, and a point for which
# this is too short is named. COLLSIM is the program, RESULTS the folder to write to (results/contention), and with
# WRITE=1 the tables of docs/NETWORKS.md are written anew.
set -eu
cd "$(dirname "$0")/.."
COLLSIM=$(realpath "${COLLSIM:-build/collsim}") RESULTS=$(realpath -m "${RESULTS:-results/contention}") RANKS=${RANKS-16 32 64 16x4 128 256 512}
LIMIT=${LIMIT:-600}
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
# nodes KIND RANKS: writes what ranks of a node share, if RANKS is NODESxRANKS
nodes() {
    case $2 in
    *x*) cat <<END ;;
[levels]
node = ${2#*x} ranks
[node]
nics = 1
nics.source = an example
nic.rate = 10GB/s
nic.rate.source = an example
[hockney]
alpha.node = 0.5us
alpha.node.source = an example
beta.node = 0.05ns/B
beta.node.source = an example
END
    *) echo '[hockney]' ;;
    esac
}
# platform KIND RANKS: writes a machine whose links are as fast as its ports
platform() {
    nodes "$@"
    cat <<END
alpha = 1us
alpha.source = an example
beta = 0.1ns/B
beta.source = an example
gamma = 0
gamma.source = reductions are free, as in SMPI
[topology]
kind = $1
shape = $(shape "$1" "${2%x*}")
shape.source = an example
routing = minimal
rate = 10GB/s
rate.source = an example
hop = 0.1us
hop.source = an example
END
}
# check COLLECTIVE BYTES ALGORITHM..: adds a row for each that has none. The time of SMPI is empty if it takes too long.
check() {
    collective=$1 bytes=$2
    shift 2
    for algorithm in "$@"; do
        point=$kind,$collective,$algorithm,$p,$bytes
        ! grep -q "^$point," rows.csv || continue
        if (
            # shellcheck disable=SC3045 # dash, bash and ksh have it
            ulimit -t "$LIMIT"
            "$COLLSIM" check --backends sim,smpi "$collective" "$algorithm" -p "$p" -m "$bytes" --element 8 \
                --platform "./$kind-$p.ini" --patience 36000s -f csv >row.csv 2>errors.txt
        ); then
            awk -v point="$point" -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
                { print point "," $at["time_s"] "," $at["smpi_time_s"] "," $at["class"] }' row.csv >>rows.csv
        elif grep -q 'Killed$\|CPU time limit' errors.txt; then
            echo "$point,,," >>rows.csv
        else
            cat errors.txt >&2
            exit 2
        fi
    done
}

[ -f rows.csv ] || echo 'topology,collective,algorithm,ranks,bytes,time_s,smpi_time_s,class' >rows.csv
for p in $RANKS; do
    case $p in # a rank holds several copies of all blocks
    256) block=16K ;;
    512) block=4K ;;
    *) block=64K ;;
    esac
    for kind in torus fat_tree dragonfly; do
        platform $kind "$p" >"$kind-$p.ini"
        check allreduce 1M recursive_doubling rabenseifner
        check bcast 1M binomial_far scatter_rd_allgather
        check reduce 1M binomial rabenseifner
        check reduce_scatter 1M recursive_halving
        check allgather $block recursive_doubling bruck
        check alltoall $block bruck
    done
    for kind in torus fat_tree dragonfly; do # these have a round for each rank
        check bcast 1M scatter_ring_allgather
        check reduce_scatter 1M pairwise
        check allgather $block ring
        check alltoall $block pairwise
        check allreduce 1M ring
    done
done

# table TITLE KIND RANKS TEXTS: prints the median, the p90 and the maximum of |sim / SMPI - 1| in percent, all of the nearest rank,
# of the rows whose topology, ranks, and collective and algorithm match three patterns.
table() {
    awk -F, -v kind="$2" -v ranks="$3" -v texts="$4" '
        NR > 1 && $7 > 0 && $1 ~ kind && $4 ~ ranks && $2 " " $3 ~ texts { d = 100 * ($6 / $7 - 1); print d < 0 ? -d : d }' rows.csv | sort -g |
        awk -v title="$1" '{ x[NR] = $1 }
            END {
                m = int((NR + 1) / 2)
                n = int(0.9 * NR + 0.999999)
                if (NR)
                    printf("| %s | %d | %.1f | %.1f | %.1f |\n", title, NR, x[m], x[n], x[NR])
            }'
}
# head_of WHAT: prints the head of a table.
head_of() { printf '| %s | points | median | p90 | max |\n| --- | --- | --- | --- | --- |\n' "$1"; }
# largest N PATTERN: prints the N rows that differ most.
largest() {
    awk -F, -v ranks="$2" 'NR > 1 && $7 > 0 && $4 ~ ranks {
        d = 100 * ($6 / $7 - 1)
        printf("%.4f %s %s %s on %s ranks: %+.1f %% (%s)\n", d < 0 ? -d : d, $1, $2, $3, $4, d, $8) }' rows.csv |
        sort -rg | head -n "$1" | cut -d' ' -f2-
}
one='^[0-9]+$' four=x
{
    head_of 'one rank a node'
    for kind in . torus fat_tree dragonfly; do
        table "$(echo $kind | sed 's/^[.]$/all/')" $kind "$one" .
    done
    for p in 16 32 64 128 256 512; do
        table "all, $p ranks" . "^$p\$" .
    done
} | tee one.md
echo
# In these all ranks exchange in step. In pairwise some ranks of a node send to another node than the others of it.
lockstep='^(allreduce|reduce_scatter|allgather|alltoall) ' pairs=' pairwise'
{
    head_of '16 nodes of 4 ranks'
    for kind in . torus fat_tree dragonfly; do
        table "$(echo $kind | sed 's/^[.]$/all/'), in step" $kind $four "$lockstep"
    done
    table 'all, in step, without pairwise' . $four "${lockstep}[^p]"
    table 'pairwise' . $four "$pairs"
    table 'all, others' . $four '^(bcast|reduce) '
} | tee nodes.md
echo
echo 'The largest differences with one rank a node:'
largest 15 "$one"
echo
echo 'The largest differences on 16 nodes of 4 ranks:'
largest 15 $four
echo
echo "No answer from SMPI within $LIMIT s of CPU time:"
awk -F, 'NR > 1 && !($7 > 0) { print $1, $2, $3, "on", $4, "ranks" }' rows.csv
if [ "${WRITE-}" ]; then
    cd - >/dev/null
    . experiments/marks.sh
    fill docs/NETWORKS.md contention "$RESULTS/one.md"
    fill docs/NETWORKS.md contention-nodes "$RESULTS/nodes.md"
fi
