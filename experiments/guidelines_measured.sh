#!/bin/sh
# Which guidelines Leonardo's and Peak's defaults break as measured, and which of these violations are predicted: the table of
# docs/TUNING.md. The measurements are not part of this project; they are looked for in ../shared/measured, or where
# $COLLSIM_MEASURED says. It takes two minutes. COLLSIM is the program, RESULTS the folder to write to (results/guidelines).
set -eu
cd "$(dirname "$0")/.."
COLLSIM=${COLLSIM:-build/collsim} RESULTS=${RESULTS:-results/guidelines}
measured=${COLLSIM_MEASURED:-../shared/measured}
if [ ! -d "$measured/rows" ]; then
    echo "guidelines_measured: SKIPPED: there are no measurements in $measured (docs/FIDELITY.md says which)" >&2
    exit 0
fi
mkdir -p "$RESULTS"

# The rows that calibrate each run, and all defaults. PICO's bytes are those of all blocks, and its elements have 4 bytes.
awk -F, -v OFS=, '
    FNR == 1 { file++; split("", at); for (i = 1; i <= NF; i++) at[$i] = i }
    FNR == 1 && file == 1 { print "file,line,use,collective,algorithm,p,per_node,bytes,measured_us,group,element" }
    function element(op) { return op ~ /reduce/ ? 4 : "" }
    function trusted(flags) { gsub(/library_default|few_iters|\|/, "", flags); return flags == "" }
    FNR == 1 { next }
    file == 1 && $at["use"] == "calibrate" {
        op = $at["collective"]
        print $at["file"], $at["line"], "calibrate", op, $at["algorithm"], $at["p"], $at["per_node"], $at["bytes"], $at["measured_us"], $at["group"], element(op)
    }
    file == 2 && $at["system"] == "leonardo" && $at["algorithm"] ~ /^default_/ && trusted($at["flags"]) {
        op = tolower($at["collective"])
        blocks = op ~ /^(allgather|alltoall|gather|scatter)$/ ? $at["p"] : 1
        print "pico_collectives.csv", FNR, "default", op, "ompi-4.1:auto", $at["p"], $at["ppn"], $at["bytes"] / blocks, \
            sprintf("%.9g", $at["median_ns"] / 1000), $at["timestamp"], element(op)
    }' OFMT=%d CONVFMT=%d "$measured/rows/leonardo.csv" "$measured/pico_collectives.csv" >"$RESULTS/leonardo.csv"

# Each run is calibrated as in experiments/validate.sh; those that cannot be, from another one of that day or size.
"$COLLSIM" validate "$measured/pico_collectives.csv" --rows "$RESULTS/leonardo.csv" --calibrate same-run --names experiments/names/pico.csv \
    --fallback 2025_06_04___14_26_23=2025_06_04___15_12_34 --fallback 2025_04_04___18_21_29=2025_03_28___18_19_43 \
    --fallback 2025_03_19___20_04_47=2025_03_19___20_05_06 --fallback 2025_04_06___23_05_13=2025_04_06___20_44_58 \
    --platform leonardo --set gamma=0.12ns/B --set lambda=0 --set 'fresh=0.45ns/B above 32M' --set 'copy=0.1ns/B above 64K' \
    --points -f csv >"$RESULTS/leonardo-predicted.csv"

grep -v '^each\|^barrier\| on nodes ' decisions/guidelines.csv >"$RESULTS/mock-ups.csv"
{ cat "$RESULTS/mock-ups.csv"; grep '^each(m) <= each(next' decisions/guidelines.csv; } >"$RESULTS/sizes.csv"
for list in "$RESULTS/mock-ups.csv" "$RESULTS/sizes.csv" decisions/guidelines.csv; do
    echo "Leonardo, each run calibrated from its own rings, $list:"
    "$COLLSIM" guidelines "$RESULTS/leonardo-predicted.csv" --list "$list" | sed -n '/^Of /,$p'
done
echo "Leonardo, --platform leonardo:"
"$COLLSIM" guidelines ompi-4.1 "$measured/pico_collectives.csv" --bytes-are total --where system=leonardo --element 4 --platform leonardo |
    sed -n '/^Of /,$p'
echo "Peak, --platform peak:"
"$COLLSIM" guidelines ompi-4.1 "$measured/peak_osu.csv" --element 4 --platform peak | sed -n '/^Of /,/^$/p'
