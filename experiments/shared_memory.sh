#!/bin/sh
# The comparison of broadcast and reduction in shared memory (flat against k-nomial trees, as Romanyuta and Kurnosov
# made it; p = 2, 4, 8; 64 B to 16 MB): measured on this machine, and predicted with the figures that calibrate takes
# from what was measured while no ranks shared a core. 2 to 4 minutes; a machine that does other things meanwhile gives
# long bars. COLLSIM is the program, RESULTS where to write (results/shared_memory), SIZES and RANKS what to measure.
#
#   experiments/shared_memory.sh && cp results/shared_memory/shared-memory.svg plots/
#
# With fewer than 3 cores `lanes`, how many ranks read one fragment at full speed, cannot be told: it is taken as 1, that
# readers share what one could read, as the ranks share the cores. With 2 ranks it has no effect.
set -eu
cd "$(dirname "$0")/.."
COLLSIM=${COLLSIM:-build/collsim} RESULTS=${RESULTS:-results/shared_memory}
SIZES=${SIZES:-64..16M:x4} RANKS=${RANKS:-2,4,8}
machine=$RESULTS/this-machine.ini
mkdir -p "$RESULTS"

for collective in bcast reduce allreduce; do
    $COLLSIM measure $collective all --model shared -p "$RANKS" -m "$SIZES" --element 8 --budget 0.3s \
        -o "$RESULTS/measured-$collective.csv"
done

# column CSV NAME: its number
column() { head -n 1 "$1" | tr , '\n' | grep -nx "$2" | cut -d: -f1; }
bcast=$RESULTS/measured-bcast.csv
p=$(column "$bcast" p) bytes=$(column "$bcast" bytes) time=$(column "$bcast" time_s) crowded=$(column "$bcast" oversubscribed)
cat "$RESULTS"/measured-*.csv | awk -F, -v crowded="$crowded" 'NR == 1 || $crowded == "0"' >"$RESULTS/alone.csv"
lanes='--set lanes=1'
[ "$(awk -F, -v p="$p" 'NR > 1 && $p > 2' "$RESULTS/alone.csv" | wc -l)" = 0 ] || lanes=
echo
# shellcheck disable=SC2086
$COLLSIM calibrate --model shared $lanes "$RESULTS/alone.csv" -o "$machine"

for collective in bcast reduce allreduce; do
    $COLLSIM run $collective all --model shared -p "$RANKS" -m "$SIZES" --element 8 --platform "$machine" --format csv \
        >"$RESULTS/predicted-$collective.csv"
done
# all COMMAND...: with the files in the order of the picture
all() {
    "$@" "$RESULTS"/predicted-bcast.csv "$RESULTS"/predicted-reduce.csv "$RESULTS"/predicted-allreduce.csv \
        "$RESULTS"/measured-bcast.csv "$RESULTS"/measured-reduce.csv "$RESULTS"/measured-allreduce.csv
}
for format in svg png; do
    all "$COLLSIM" plot --x size -o "$RESULTS/shared-memory.$format"
done

echo
all "$COLLSIM" plot --x size | grep -E '^(bcast|reduce|allreduce), |predictions are off|^the fastest is as predicted'
echo
echo 'predicted by measured time where no ranks share cores, shm_flat:'
for collective in bcast reduce allreduce; do
    awk -F, -v name=$collective -v p="$p" -v bytes="$bytes" -v time="$time" -v crowded="$crowded" '
        $2 != "shm_flat" { next }
        FNR == NR { predicted[$p, $bytes] = $time; next }
        $crowded == "0" { text[$p] = text[$p] sprintf("  %s: %.2f", $bytes, predicted[$p, $bytes] / $time) }
        END { for (i in text) printf("  %-9s %3d ranks%s\n", name, i, text[i]) }' \
        "$RESULTS/predicted-$collective.csv" "$RESULTS/measured-$collective.csv" | sort
done
echo
echo "drawn: $RESULTS/shared-memory.svg and .png"
