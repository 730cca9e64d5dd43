#!/bin/sh
# Asks `collsim compare` what algorithm each measured curve is of, where other people forced one (`make compare`), and writes
# the table of docs/FIDELITY.md that says how often it is right. The measurements are not part of this project; they are
# looked for in ../shared/measured, or where $COLLSIM_MEASURED says. Without them nothing is changed. Usage: compare.sh
# [FOLDER], where FOLDER gets the answers (default build/compare).
#
# Curves that calibrate are never scored. What calibrates does not depend on what is scored: the platform is made first, from
# the rows in experiments/names/*_known.csv.
set -eu
cd "$(dirname "$0")/.."
COLLSIM=${COLLSIM:-build/collsim}
measured=${COLLSIM_MEASURED:-../shared/measured}
work=${1:-build/compare}
names=experiments/names
page=docs/FIDELITY.md
if [ ! -f "$measured/peak_osu.csv" ]; then
    echo "compare: SKIPPED: there are no measurements in $measured (docs/FIDELITY.md says which), so nothing was done" >&2
    exit 0
fi
mkdir -p "$work"

# Peak: inside a node from a ring of two ranks, between nodes by simulation of three collectives on 64 and 128 ranks, as in
# validate.sh. The ids are those of Open MPI 4.1, which has the same as the version measured.
echo "compare: peak" >&2
"$COLLSIM" calibrate --model measured "$measured/peak_osu.csv" --names $names/peak_known.csv --base platforms/peak.ini \
    --write "$work/peak.ini" >"$work/peak.calibrated"
"$COLLSIM" compare "$measured/peak_osu.csv" --names $names/peak.csv --platform "$work/peak.ini" --only ompi-4.1 -f csv \
    >"$work/peak.csv"

# CloudLab: -p on eight hosts, -v on eight virtual machines of one host; each from two of its bcasts. What is set is as in
# validate.sh.
for x in p v; do
    echo "compare: cloudlab-$x" >&2
    "$COLLSIM" calibrate --model measured "$measured/cloudlab_osu.csv" --names $names/cloudlab_known.csv \
        --where "experiment=broadcast-$x" --set gamma=0.1ns/B --set lambda=0.75 --set eager=32K \
        --write "$work/cloudlab-$x.ini" >"$work/cloudlab-$x.calibrated"
    "$COLLSIM" compare "$measured/cloudlab_osu.csv" --names $names/cloudlab.csv --where "experiment=allreduce-$x" \
        --where "experiment=broadcast-$x" --platform "$work/cloudlab-$x.ini" --only ompi-5 -f csv >"$work/cloudlab-$x.csv"
done

# A row for each set and collective, and a last one for all but bcast. Curves of fewer than 8 ranks do not count.
awk -F, -v known="$names/peak_known.csv" '
    function add(set, what) {
        key = set SUBSEP what
        if (!(key in curves)) { order[++n] = key }
        curves[key]++
        right[key] += $column["recognised"]
        chance[key] += 1 / $column["candidates"]
        # `fits` is the last column but the schema. It is empty if the answer is "cannot tell", and says "to SIZE" if several
        # candidates fit.
        declined[key] += $0 ~ /,,[0-9]+$/
        split_up = $0 ~ / to [0-9]+[KM]?,/
        pieces[key] += split_up
        alone[key] += $column["recognised"] && !split_up
    }
    function line(key, parts) {
        split(key, parts, SUBSEP)
        printf("| %s | %s | %d | %d | %.1f %% | %.0f %% | %d | %d | %d |\n", parts[1], parts[2], curves[key], right[key],
            100 * right[key] / curves[key], 100 * chance[key] / curves[key], declined[key], pieces[key], alone[key])
    }
    FILENAME == known { if (FNR > 1) { sub(/^p=/, "", $5); calibrates[$4, $2, $5] = 1 } next }
    FNR == 1 {
        for (i = 1; i <= NF; i++) column[$i] = i
        set = FILENAME
        sub(/.*\//, "", set)
        sub(/\.csv$/, "", set)
        next
    }
    $column["recognised"] == "" || $column["ranks"] < 8 { next }
    set == "peak" && ($column["collective"], $column["variant"], $column["ranks"]) in calibrates { next }
    set ~ /cloudlab/ && $column["collective"] == "bcast" && $column["variant"] ~ /^(linear|pipeline)$/ { next }
    { add(set, $column["collective"]) }
    $column["collective"] != "bcast" { add("all but bcast", "") }
    $column["collective"] != "bcast" && set != "cloudlab-v" { add("all but bcast", "without cloudlab-v") }
    END {
        print "| set | collective | curves | nearest | share | chance | cannot tell | several | nearest, and alone |"
        print "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
        for (i = 1; i <= n; i++) if (order[i] !~ /^all/) line(order[i])
        for (i = 1; i <= n; i++) if (order[i] ~ /^all/) line(order[i])
    }' "$names/peak_known.csv" "$work/peak.csv" "$work/cloudlab-p.csv" "$work/cloudlab-v.csv" >"$work/compare.md"
awk -v mark="<!-- compare -->" -v file="$work/compare.md" '
    $0 == mark { print; while ((getline line < file) > 0) print line; skip = 1; next }
    /^<!-- end -->/ { skip = 0 } !skip' "$page" >"$work/page.md"
cp "$work/page.md" "$page"
cat "$work/compare.md"
echo "compare: wrote $page" >&2
