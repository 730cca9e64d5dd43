#!/bin/sh
# Predicts the measurements of Leonardo as validate.sh does, without links and with the links between its cells, by spread and by
# minimal routing, and prints the table of docs/NETWORKS.md. Like those of validate.sh, the measurements are not part of this
# project. COLLSIM is the program, RESULTS the folder to write to (results/leonardo). It takes a minute of processor time.
#
# A cell has 18 spine switches with 22 links of 200 Gb/s to other cells (as we remember arXiv 2307.16885, unchecked): 9.9 TB/s
# leave it, 450 GB/s to each other cell. Nobody knows which nodes the jobs had, so they are in the order of hosts.
set -eu
cd "$(dirname "$0")/.."
COLLSIM=$(realpath "${COLLSIM:-build/collsim}") RESULTS=${RESULTS:-results/leonardo} measured=${COLLSIM_MEASURED:-../shared/measured}
export COLLSIM
if [ ! -d "$measured/rows" ]; then
    echo "leonardo_links: SKIPPED: there are no measurements in $measured (docs/FIDELITY.md says which)" >&2
    exit 0
fi
mkdir -p "$RESULTS"
sh experiments/validate.sh --check "$RESULTS" leonardo

# cells ROUTING RATE CLASS..: writes the machine, on which links of these classes have a rate.
cells() {
    printf '[machine]\ntitle = cells\n[topology]\nkind = groups\nshape = 180;20\nshape.source = arXiv 2307.16885\nrouting = %s\n' "$1"
    rate=$2
    shift 2
    for class in "$@"; do printf 'rate.%s = %s\nrate.%s.source = arXiv 2307.16885\n' "$class" "$rate" "$class"; done
}
cells spread 9.9TB/s out in >"$RESULTS/spread.ini"
cells minimal 450GB/s pair >"$RESULTS/minimal.ini"
for routing in spread minimal; do # the options of validate.sh
    "$COLLSIM" validate "$measured/pico_collectives.csv" --rows "$RESULTS/rows/leonardo.csv" --calibrate same-run \
        --names experiments/names/pico.csv --fallback 2025_06_04___14_26_23=2025_06_04___15_12_34 \
        --fallback 2025_04_04___18_21_29=2025_03_28___18_19_43 --set gamma=0.12ns/B --set lambda=0 \
        --set 'fresh=0.45ns/B above 32M' --set 'copy=0.1ns/B above 64K' --platform "$RESULTS/$routing.ini" --points -f csv \
        >"$RESULTS/$routing.csv" 2>"$RESULTS/$routing.txt"
done

# error ROUTING FIRST LAST: prints how many rows have FIRST to LAST ranks, and the median and the p90 of their errors in percent.
error() {
    awk -F, -v first="$2" -v last="$3" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "ranks") at = i; print; next }
        $at >= first && $at <= last' "$RESULTS/$1.csv" >"$RESULTS/part.csv"
    "$COLLSIM" validate --rows "$RESULTS/part.csv" --column predicted_s --by set -f csv 2>/dev/null |
        awk -F, '$2 == "set" { printf("%d|%.1f / %.1f\n", $4, 100 * $5, 100 * $6) }'
}
echo '| nodes | rows | without links | spread | minimal |'
echo '| --- | --: | --- | --- | --- |'
for nodes in '1 254' '512 512' '1024 1024' '2048 2048' '255 4096' '1 4096'; do
    first=${nodes% *} last=${nodes#* }
    none=$(error leonardo "$first" "$last") spread=$(error spread "$first" "$last") minimal=$(error minimal "$first" "$last")
    case $nodes in
    '1 254') title='up to 254' ;;
    '255 4096') title='above 254' ;;
    '1 4096') title=all ;;
    *) title=$first ;;
    esac
    echo "| $title | ${none%|*} | ${none#*|} | ${spread#*|} | ${minimal#*|} |"
done
