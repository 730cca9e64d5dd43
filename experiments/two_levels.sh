#!/bin/sh
# Draws how the time of a broadcast on 64 nodes of Leonardo grows with the ranks per node: texts that do not know the
# nodes against those that do. It takes some seconds. COLLSIM is the program, RESULTS the folder to write to
# (results/two_levels).
#
#   experiments/two_levels.sh && cp results/two_levels/two-levels.svg plots/
set -eu
cd "$(dirname "$0")/.."
COLLSIM=${COLLSIM:-build/collsim} RESULTS=${RESULTS:-results/two_levels}
flat=binomial,binomial_far,scatter_ring_allgather two_levels=han,ch4_alpha,multi_leader,lane
mkdir -p "$RESULTS"

places=64x2,64x4,64x8,64x16,64x32,64x64
$COLLSIM run bcast $flat,$two_levels -p "$places" -m 8,64K,4M --platform leonardo -f csv >"$RESULTS/bcast.csv"
for format in svg png; do
    $COLLSIM plot "$RESULTS/bcast.csv" --x per-node -o "$RESULTS/two-levels.$format"
done
$COLLSIM plot "$RESULTS/bcast.csv" --x per-node | grep 'fastest' || :
