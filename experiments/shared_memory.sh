#!/bin/sh
# Compares flat and k-nomial trees for broadcast and reductions in shared memory, as Romanyuta and Kurnosov did (p = 2, 4,
# 8; 64 B to 16 MB). The times are measured on this machine, and predicted with figures that calibrate fits to the times
# measured while no ranks shared a core. It takes 2 to 4 minutes; other work on the machine makes the error bars longer.
# COLLSIM is the program, RESULTS the folder to write to (results/shared_memory), SIZES and RANKS what to measure.
#
#   experiments/shared_memory.sh && cp results/shared_memory/shared-memory.svg plots/
#
# `lanes` is the number of ranks that can read one fragment at full speed. It cannot be measured with fewer than 3 cores
# and is then taken as 1: readers share the bandwidth of one reader, as the ranks share the cores. It has no effect with
# 2 ranks.
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

# column CSV NAME: prints the number of a column
column() { head -n 1 "$1" | tr , '\n' | grep -nx "$2" | cut -d: -f1; }
bcast=$RESULTS/measured-bcast.csv
p=$(column "$bcast" ranks) bytes=$(column "$bcast" bytes) time=$(column "$bcast" time_s) crowded=$(column "$bcast" oversubscribed)
cat "$RESULTS"/measured-*.csv | awk -F, -v crowded="$crowded" 'NR == 1 || $crowded == "0"' >"$RESULTS/alone.csv"
lanes='--set lanes=1'
[ "$(awk -F, -v p="$p" 'NR > 1 && $p > 2' "$RESULTS/alone.csv" | wc -l)" = 0 ] || lanes=
echo
# shellcheck disable=SC2086
$COLLSIM calibrate --model shared $lanes "$RESULTS/alone.csv" --write "$machine"

for collective in bcast reduce allreduce; do
    $COLLSIM run $collective all --model shared -p "$RANKS" -m "$SIZES" --element 8 --platform "$machine" --format csv \
        >"$RESULTS/predicted-$collective.csv"
done
# all COMMAND...: runs a command with all files, in the order of the picture
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
echo 'predicted / measured time of shm_flat where no ranks share cores:'
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
