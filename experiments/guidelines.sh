#!/bin/sh
# Draws which performance guidelines Open MPI 4.1 breaks on LUMI by default, and with the file that tune writes. It takes half a
# minute; with the argument `default` it draws the first picture alone, in no time. COLLSIM is the program, RESULTS the folder to
# write to (results/guidelines).
#
#   experiments/guidelines.sh && cp results/guidelines/*.svg plots/
set -eu
cd "$(dirname "$0")/.."
COLLSIM=${COLLSIM:-build/collsim} RESULTS=${RESULTS:-results/guidelines}
mkdir -p "$RESULTS"
on='-p 2..128:x2 --platform lumi'
# shellcheck disable=SC2086
{
    $COLLSIM guidelines ompi-4.1 $on -m 8..2M:x4 --draw "$RESULTS/guidelines-lumi.svg"
    [ "${1:-}" != default ] || exit 0
    $COLLSIM tune ompi-4.1 $on -m 8..16M:x2 --sure 50 --commutative-only -o "$RESULTS/rules.conf"
    $COLLSIM guidelines ompi-4.1 $on -m 8..2M:x4 --rules "$RESULTS/rules.conf" --draw "$RESULTS/guidelines-lumi-tuned.svg"
}
