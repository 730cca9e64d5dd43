#!/bin/sh
# Draws what the defaults of Open MPI's allreduce cost on LUMI, up to 65,536 ranks. It takes some seconds.
# COLLSIM is the program, RESULTS the folder to write to (results/regret).
#
#   experiments/regret.sh && cp results/regret/regret-lumi.svg plots/
set -eu
cd "$(dirname "$0")/.."
COLLSIM=${COLLSIM:-build/collsim} RESULTS=${RESULTS:-results/regret}
mkdir -p "$RESULTS"
$COLLSIM regret ompi-4.1 allreduce --platform lumi -p 2..64K:x2,12..48K:x2 -m 8..4M:x2 --draw "$RESULTS/regret-lumi.svg"
