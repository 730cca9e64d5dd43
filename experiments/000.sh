#!/bin/sh
# The experiment of document 000, a report on Open MPI's algorithms: the data set that its chapter 5 describes and the tree
# that it would have learnt; the same where the best algorithm is not nearly always the same; what it recommends; and the
# two algorithms that it measured. experiments/pages/000.md says what this shows. It takes one or two minutes.
# COLLSIM is the program, RESULTS the folder to write to (results/000), BUDGET the time for a measured point.
#
#   experiments/000.sh && cp results/000/tree.svg experiments/pages/000-tree.svg && \
#       cp results/000/nodes.svg experiments/pages/000-nodes.svg
set -eu
cd "$(dirname "$0")/.."
COLLSIM=$(realpath "${COLLSIM:-build/collsim}") RESULTS=${RESULTS:-results/000} BUDGET=${BUDGET:-300ms}
operations=bcast,scatter,gather,allgather,reduce
mkdir -p "$RESULTS"

# ask ARGUMENTS: prints the command and runs it
ask() {
    printf '\n$ collsim %s\n' "$*"
    "$COLLSIM" "$@"
}

# 203 configurations, 200 points.
ask learn ompi-4.1 --choices experiments/choices/openmpi_report.csv --data "$RESULTS/data.csv" --draw "$RESULTS/tree.svg" \
    --rules "$RESULTS/rules.conf"
ask rules show "$RESULTS/rules.conf" --for ompi-4.1

# Three machines with nodes, up to 4,096 ranks, by the library's own ids; and a machine that the tree has not seen.
places=16,64,256,1024,4096,4x4,16x4,64x4,4x16,16x16,64x16,256x16 machines=lumi,leonardo,generic-100g
ask learn ompi-4.1 $operations -p $places -m 64..4M:x4 --platform $machines --prune 1 --data "$RESULTS/nodes.csv" \
    --draw "$RESULTS/nodes.svg"
ask learn ompi-4.1 bcast,allgather -p 16,256,16x4,16x16,64x16 -m 64..4M:x4 --platform $machines --leave-out platform

# What it recommends.
{
    head -n 1 experiments/claims/openmpi_report.csv
    grep ',suited,' experiments/claims/openmpi_report.csv
} >"$RESULTS/suited.csv"
ask audit --claims "$RESULTS/suited.csv" -f csv -o "$RESULTS/suited-verdicts.csv"

# What it measured: ids 3 and 4 on 4 ranks, 1 KB and more. 4 ranks share the cores of a small machine.
if command -v mpirun.openmpi >/dev/null; then
    for id in 3 4 5 6; do
        ask measure bcast library:$id -p 2,4 -m 1K,32K --budget "$BUDGET" -f csv -o "$RESULTS/measured-$id.csv"
        [ $id != 3 ] || sed -n 1p "$RESULTS/measured-3.csv" >"$RESULTS/measured.csv"
        sed 1d "$RESULTS/measured-$id.csv" >>"$RESULTS/measured.csv"
        rm "$RESULTS/measured-$id.csv"
    done
    cut -d, -f2,4,5,10 "$RESULTS/measured.csv"
fi
