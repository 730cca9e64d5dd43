#!/bin/sh
# The pictures of docs/START.md: one message over its size, and an allreduce by recursive doubling and by a ring, in time. It takes
# some seconds. COLLSIM is the program, RESULTS the folder to write to (results/start).
#
#   experiments/start.sh && cp results/start/*.svg plots/
set -eu
cd "$(dirname "$0")/.."
COLLSIM=${COLLSIM:-build/collsim} RESULTS=${RESULTS:-results/start}
mkdir -p "$RESULTS"
"$COLLSIM" run bcast linear -p 2 -m 8..16M:x2 -f csv -o "$RESULTS/one.csv"
"$COLLSIM" plot "$RESULTS/one.csv" --title 'One message, generic-100g: 1 us (alpha) while it is short, then 0.08 ns for each byte (beta)' \
    -o "$RESULTS/start-message.svg"
for algorithm in recursive_doubling ring; do
    "$COLLSIM" trace allreduce $algorithm -p 8 -m 1M -o "$RESULTS/start-$algorithm.svg"
done
