#!/bin/sh
# Draws which allreduce of 64 KiB is the fastest on Leonardo, over nodes and ranks per node. It takes some seconds.
# COLLSIM is the program, RESULTS the folder to write to (results/winners).
#
#   experiments/winners.sh && cp results/winners/winners-leonardo.svg plots/
set -eu
cd "$(dirname "$0")/.."
COLLSIM=${COLLSIM:-build/collsim} RESULTS=${RESULTS:-results/winners}
algorithms=recursive_doubling,rabenseifner,circulant,two_tree,smp,multi_leader,lane
mkdir -p "$RESULTS"

places=$(for k in 1 2 4 8 16 24 32 48; do
    for nodes in 2 3 4 6 8 12 16 24 32 48 64 96 128; do echo "${nodes}x$k"; done
done | paste -sd,)
$COLLSIM run allreduce $algorithms -p "$places" -m 64K --element 8 --platform leonardo -f csv >"$RESULTS/places.csv"
$COLLSIM plot "$RESULTS/places.csv" --map -o "$RESULTS/winners-leonardo.svg"
