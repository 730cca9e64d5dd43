#!/bin/sh
# What learning from measurements is worth, and how much of them simulation saves: writes the two tables of docs/TUNING.md. It needs
# the rows of `make validate` in build/validate (or where $VALIDATE says). The measurements are not part of this project; they are
# looked for in ../shared/measured, or where $COLLSIM_MEASURED says. It takes a minute. RESULTS is the folder to write to
# (results/learn).
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

# ask NAME TITLE ARGUMENTS: learns, with the share of the points that is measured, and adds a row to both tables
ask() {
    name=$1 title=$2
    shift 2
    printf '\n$ collsim learn %s\n' "$*"
    "$COLLSIM" learn "$@" >"$RESULTS/$name.txt"
    cat "$RESULTS/$name.txt"
    awk -v title="$title" '
        function cell(name) { return name in x ? (x[name] == least ? sprintf(" **%.3f** |", x[name]) : sprintf(" %.3f |", x[name])) : " |" }
        /^x by what was tested/ { exit }
        $1 ~ /^(tree|nearest|single|simulation|corrected|default)$/ && NF >= 5 {
            x[$1] = $4
            points = $2
            if (!least || $4 < least) least = $4
            if (NF > 5) error[$1] = $6 " %"
        }
        END {
            sub(" %", "", error["simulation"])
            print "| " title " | " points " |" cell("default") cell("single") cell("tree") cell("nearest") cell("simulation") cell("corrected") " " \
                error["simulation"] ", " error["corrected"] " |"
        }' "$RESULTS/$name.txt" >>"$RESULTS/learned.md"
    ! grep -q '^random ' "$RESULTS/$name.txt" || awk -v title="$title" '
        $1 == "random" && $2 == 0 { printf("| %s | - / %s |", title, $NF); next }
        $1 == "random" { least = $5; for (i = 6; i <= 7; i++) if ($i < least) least = $i; printf(" %s / %s |", least, $NF) }
        END { print "" }' "$RESULTS/$name.txt" >>"$RESULTS/shares.md"
}
{
    echo '| measured on | points | default | single | tree | nearest | simulation | corrected | median error: simulation, corrected |'
    echo '| --- | --: | --: | --: | --: | --: | --: | --: | --- |'
} >"$RESULTS/learned.md"
{
    echo '| | 0 | 1 % | 2 % | 5 % | 10 % | 20 % | 50 % |'
    echo '| --- | --- | --- | --- | --- | --- | --- | --- |'
} >"$RESULTS/shares.md"
ask peak 'Peak, 5 collectives' --from "$RESULTS/peak.csv" --platform peak --element 4 --share --draw "$RESULTS/peak.svg"
ask peak-above '.. measured to p = 64, asked about more' --from "$RESULTS/peak.csv" --platform peak --element 4 --leave-out 'p>64'
ask leonardo Leonardo --from "$VALIDATE/leonardo.csv" --share
ask lumi LUMI --from "$VALIDATE/lumi.csv" --share
ask cloudlab CloudLab --from "$VALIDATE/cloudlab.csv" --leave-out m --share
ask thin 'ORFEO, THIN nodes' --from "$VALIDATE/orfeo.csv" --apart --leave-out octave --share
ask epyc 'ORFEO, an EPYC node' --from "$RESULTS/epyc.csv" --names experiments/names/orfeo.csv --platform orfeo-epyc --share
. experiments/marks.sh
fill docs/TUNING.md learned "$RESULTS/learned.md"
fill docs/TUNING.md shares "$RESULTS/shares.md"
cat "$RESULTS/learned.md" "$RESULTS/shares.md"
