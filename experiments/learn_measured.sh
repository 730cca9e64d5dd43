#!/bin/sh
# What learning from measurements is worth, and how much of them simulation saves: the tables of docs/TUNING.md. It needs the rows of
# `make validate` in build/validate (or where $VALIDATE says). The measurements are not part of this project; they are looked for in
# ../shared/measured, or where $COLLSIM_MEASURED says. It takes a minute. RESULTS is the folder to write to (results/learn).
set -eu
cd "$(dirname "$0")/.."
COLLSIM=${COLLSIM:-build/collsim} RESULTS=${RESULTS:-results/learn} VALIDATE=${VALIDATE:-build/validate}
measured=${COLLSIM_MEASURED:-../shared/measured}
if [ ! -d "$measured/rows" ] || [ ! -f "$VALIDATE/leonardo.csv" ]; then
    echo "learn_measured: SKIPPED: there are no measurements in $measured, or no rows of make validate in $VALIDATE" >&2
    exit 0
fi
mkdir -p "$RESULTS"

# Every id of the collectives in which Peak's averages over the ranks hide no rank, in the median of its runs. With p = 2 nothing
# leaves the node. EPYC's one collective of each kind, as its names file reads them.
awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
    NR == 1 || ($at["collective"] ~ /^(allgatherv?|allreduce|alltoall|reduce_scatter)$/ && $at["p"] > 2) {
        print $at["machine"], $at["collective"], $at["ompi_id"], $at["p"], $at["per_node"], $at["bytes"], $at["median_run_us"] }' \
    "$measured/peak_osu.csv" >"$RESULTS/peak.csv"
awk -F, 'NR == 1 || ($2 == "EPYC" && $7 > 2)' "$measured/orfeo_osu.csv" >"$RESULTS/epyc.csv"

# ask NAME ARGUMENTS: learns, and shows what a share of the points is worth.
ask() {
    name=$1
    shift
    printf '\n$ collsim learn %s --share\n' "$*"
    "$COLLSIM" learn "$@" --share --draw "$RESULTS/$name.svg"
}
ask peak --from "$RESULTS/peak.csv" --platform peak --element 4
"$COLLSIM" learn --from "$RESULTS/peak.csv" --platform peak --element 4 --leave-out 'p>64'
ask leonardo --from "$VALIDATE/leonardo.csv"
ask lumi --from "$VALIDATE/lumi.csv"
ask cloudlab --from "$VALIDATE/cloudlab.csv" --leave-out m
ask thin --from "$VALIDATE/orfeo.csv" --apart --leave-out octave
ask epyc --from "$RESULTS/epyc.csv" --names experiments/names/orfeo.csv --platform orfeo-epyc
