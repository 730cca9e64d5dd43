#!/bin/sh
# Holds the model measured against the measurements of other people (`make validate`): writes the tables of
# docs/FIDELITY.md and docs/TUNING.md, and the picture plots/fidelity.svg. The measurements are not part of this project; they are looked for in
# ../shared/measured, or where $COLLSIM_MEASURED says. Without them nothing is changed. Usage: validate.sh [FOLDER], where
# FOLDER gets each row with its prediction (default build/validate).
set -eu
cd "$(dirname "$0")/.."
COLLSIM=${COLLSIM:-build/collsim}
measured=${COLLSIM_MEASURED:-../shared/measured}
work=${1:-build/validate}
names=experiments/names
if [ ! -d "$measured/rows" ]; then
    echo "validate: SKIPPED: there are no measurements in $measured (docs/FIDELITY.md says which), so nothing was done" >&2
    exit 0
fi
mkdir -p "$work"

# predict SET FILES OPTIONS...: predicts the rows of a set; FILES are joined by commas. A set SET-radix2 has the rows of SET with
# k_bruck of radix 2, which that benchmark's source says, and not 8, which the rows say.
mkdir -p "$work/rows"
cp "$measured"/rows/*.csv "$work/rows"
chmod u+w "$work"/rows/*

# more_rows SET LIB DATA [RANKS] adds what the library took by default, and with RANKS the numbers of ranks that are left out.
more_rows() {
    awk -v library="$2" -v ranks="${4:-}" -f experiments/more_rows.awk "$measured/$3" "$measured/rows/$1.csv" >>"$work/rows/$1.csv"
}
more_rows cloudlab ompi-5 cloudlab_osu.csv
more_rows leonardo ompi-4.1 pico_collectives.csv
more_rows lumi mpich pico_collectives.csv
more_rows orfeo ompi-4.1 orfeo_osu.csv
more_rows peak ompi-4.0 peak_osu.csv ranks # the library is older than the decisions of 4.1
for set in leonardo lumi; do
    sed 's/k_bruck radix=8/k_bruck radix=2/' "$work/rows/$set.csv" >"$work/rows/$set-radix2.csv"
    sed -n "s/k_bruck radix=8/k_bruck radix=2/; s/^$set,/$set-radix2,/p" "$measured/rows/winners.csv" >>"$work/rows/winners.csv"
done
predict() {
    name=$1
    files=$(echo "$2" | tr , '\n' | sed "s|^|$measured/|")
    shift 2
    echo "validate: $name" >&2
    # shellcheck disable=SC2086
    "$COLLSIM" validate $files --rows "$work/rows/$name.csv" "$@" --points -f csv >"$work/$name.csv"
}

# Four clouds and supercomputers, each calibrated from its ping-pong and the rows of its dissemination. There is nothing to
# reduce: an allreduce stands for a dissemination.
predict cloud_noise cloud_noise_collectives.csv,cloud_noise_pingpong.csv --calibrate same-run --names $names/cloud_noise.csv \
    --set gamma=0

# Calibrated from pipelined and linear bcasts and a ring allreduce. gamma is assumed. Open MPI's btl_tcp_eager_limit is 64K
# with the header, so messages of 64K are not eager.
predict cloudlab cloudlab_osu.csv --calibrate all --names $names/cloudlab.csv --set gamma=0.1ns/B --set lambda=0.75 \
    --set eager=32K

# Each run is calibrated from its own ring allgather. Two runs have none, and only choices are made there. gamma, lambda,
# fresh and copy are set: the last three were chosen on these rows.
for set in leonardo leonardo-radix2; do
    predict $set pico_collectives.csv --calibrate same-run --names $names/pico.csv \
        --fallback 2025_06_04___14_26_23=2025_06_04___15_12_34 --fallback 2025_04_04___18_21_29=2025_03_28___18_19_43 \
        --set gamma=0.12ns/B --set lambda=0 --set 'fresh=0.45ns/B above 32M' --set 'copy=0.1ns/B above 64K'
done

# Each run is calibrated from its own rings, and one, which has none, from another day's.
for set in lumi lumi-radix2; do
    predict $set pico_collectives.csv --calibrate same-run --names $names/pico.csv \
        --fallback 2025_04_08___15_21_06=2025_03_27___19_15_25 --set gamma=0.19ns/B
done

# One table for each level, from bcasts of two ranks; memory and NIC are the platform's.
predict orfeo orfeo_osu.csv --calibrate all --platform orfeo-thin --place socket=socket --place node=node

# Inside a node from a ring on two ranks; between nodes by simulation of collectives; memory and NICs are the platform's.
predict peak peak_osu.csv --calibrate all --platform peak

# ---- The tables ------------------------------------------------------------------------------------------------------------

# SET MEDIAN P90 LOSS: the bars, in %. LOSS is - where a set has no bar, or no choices.
cat >"$work/bars" <<'END'
cloud_noise 11 38 -
cloudlab 11 25 6
leonardo 14 52 14
leonardo-radix2 14 52 14
lumi 15 50 4
lumi-radix2 15 50 4
orfeo 20 58 -
peak 31 89 19
END
sets=$(cut -d' ' -f1 "$work/bars")
rows= drawn= lines=
for set in $sets; do
    rows="$rows --rows $work/$set.csv"
    lines="$lines --rows $work/rows/$set.csv"
    case $set in *-radix2) ;; *) drawn="$drawn --rows $work/$set.csv" ;; esac
done
winners="$work/rows/winners.csv"
# shellcheck disable=SC2086
"$COLLSIM" validate $lines --column line_us --winners "$winners" --by set -f csv >"$work/lines.csv"
# shellcheck disable=SC2086
"$COLLSIM" validate $rows --column predicted_s --winners "$winners" -f csv >"$work/scores.csv"
# Rows with k_bruck as the benchmark's source has it, and without cloud_noise, whose machines have no default.
winning=
for set in $sets; do
    case $set in leonardo | lumi | cloud_noise) ;; *) winning="$winning --rows $work/$set.csv" ;; esac
done
# shellcheck disable=SC2086
"$COLLSIM" validate $winning --column predicted_s --winners "$winners" >"$work/winners.txt"
# shellcheck disable=SC2086
"$COLLSIM" validate $drawn --column predicted_s --winners "$winners" --draw plots/fidelity.svg >/dev/null

{
    echo '| set | rows | line | measured | bias | bar | choices | loss, line | loss, measured | bar |'
    echo '| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |'
    awk -F, '
        function percent(x) { return x == "" ? "" : sprintf("%.1f", 100 * x) }
        function bar(reached, text) { return text == "-" ? "" : text (reached ? ", reached" : ", not reached") }
        FILENAME ~ /bars$/ { split($0, b, " "); median[b[1]] = b[2]; p90[b[1]] = b[3]; loss[b[1]] = b[4]; next }
        $2 != "set" { next }
        FILENAME ~ /lines.csv$/ { line[$1] = sprintf("%.1f / %.1f", 100 * $5, 100 * $6); line_loss[$1] = percent($10); next }
        {
            printf("| %s | %d | %s | %.1f / %.1f | %+.1f | %s | %s | %s | %s | %s |\n", $1, $4, line[$1], 100 * $5, 100 * $6,
                100 * $7, bar(100 * $5 < median[$1] + 0.5 && 100 * $6 < p90[$1] + 0.5, median[$1] " / " p90[$1]),
                $9 > 0 ? $9 : "", line_loss[$1],
                $9 > 0 ? percent($10) " / " percent($11) " / " percent($12) : "", $9 > 0 ? bar(100 * $10 < loss[$1] + 0.5, loss[$1]) : "")
        }' "$work/bars" "$work/lines.csv" "$work/scores.csv"
} >"$work/sets.md"
{
    echo '| set | part | rows | median / p90 | bias | choices | mean / median / p90 loss |'
    echo '| --- | --- | --- | --- | --- | --- | --- |'
    awk -F, '
        $2 == "collective" || $2 == "p" || $2 == "bytes" {
            printf("| %s | %s | %d | %s | %s | %s | %s |\n", $1, $2 == "collective" ? $3 : $2 " " $3, $4,
                $4 ? sprintf("%.1f / %.1f", 100 * $5, 100 * $6) : "", $4 ? sprintf("%+.1f", 100 * $7) : "", $9 > 0 ? $9 : "",
                $9 > 0 ? sprintf("%.1f / %.1f / %.1f", 100 * $10, 100 * $11, 100 * $12) : "")
        }' "$work/scores.csv"
} >"$work/parts.md"
{
    echo '| set | rule | points | time / default | slower by over 5 % | worst | rules |'
    echo '| --- | --- | --: | --: | --: | --: | --: |'
    awk -F '  +' '/^Measured times/ { on = 1; next } on && !NF { exit }
        on && $3 != "rule" { printf("| %s | %s | %s | %s | %s | %s | %s |\n", $2, $3, $4, $5, $6, $7, $8) }' "$work/winners.txt"
} >"$work/winners.md"
{
    echo '| family | rows | deviation | spread | assumed |'
    echo '| --- | --: | --: | --: | --: |'
    awk -F '  +' '/^Deviation of/ { on = 1; next } on && !NF { exit }
        on && $2 != "family" { printf("| %s | %s | %s | %s | %s |\n", $2, $3, $4, $5, $6) }' "$work/winners.txt"
} >"$work/spreads.md"
# fill PAGE TABLE: puts a table between its mark and the next end.
fill() {
    awk -v mark="<!-- $2 -->" -v file="$work/$2.md" '
        $0 == mark { print; while ((getline line < file) > 0) print line; skip = 1; next }
        /^<!-- end -->/ { skip = 0 } !skip' "$1" >"$work/page.md"
    cp "$work/page.md" "$1"
}
fill docs/FIDELITY.md sets
fill docs/FIDELITY.md parts
fill docs/TUNING.md winners
fill docs/TUNING.md spreads
cat "$work/sets.md"
echo "validate: wrote docs/FIDELITY.md, docs/TUNING.md and plots/fidelity.svg" >&2
