#!/bin/sh
# Runs the experiments of the five documents and ours, one after the other, and writes an index of what they show.
# `make experiments` runs this script. It brings the index up to date after each of them, goes on after one that fails, and ends
# with status 1 if there was one.
# COLLSIM is the program, RESULTS the folder to write to (results/experiments), LIMIT the seconds that one may take.
set -eu
cd "$(dirname "$0")/.."
COLLSIM=$(realpath "${COLLSIM:-build/collsim}") RESULTS=${RESULTS:-results/experiments} LIMIT=${LIMIT:-300}
export COLLSIM
mkdir -p "$RESULTS"
limits="$(nproc) processors; each experiment may take $LIMIT s, which is meant for 2"
echo "$limits"
printf 'experiment,status,seconds,limit\n' >"$RESULTS/runs.csv"

failed= incomplete=
for script in experiments/[0-9]*.sh experiments/ours.sh; do
    name=$(basename "$script" .sh) status=0 begin=$(date +%s)
    rm -f "$(dirname "$RESULTS")/$name/figures.txt"
    RESULTS=$(dirname "$RESULTS")/$name timeout "$LIMIT" "$script" >"$RESULTS/$name.txt" 2>&1 </dev/null || status=$?
    took=$(($(date +%s) - begin))
    case $status in
    0) said=done ;;
    124) said="stopped, because it took longer than $LIMIT s" ;;
    *) said="failed with status $status: $(tail -n 1 "$RESULTS/$name.txt")" ;;
    esac
    [ $status = 0 ] || failed="$failed $name"
    printf '%-5s %4d of %d s  %s\n' "$name" $took "$LIMIT" "$said"
    printf '%s,%d,%d,%d\n' "$name" $status $took "$LIMIT" >>"$RESULTS/runs.csv"
    RESULTS=$RESULTS experiments/index.sh >"$RESULTS/index.txt" 2>&1 || incomplete=yes
done

cat "$RESULTS/index.txt"
if [ -n "$incomplete" ]; then
    echo "The pages above cite what their runs did not make."
fi
if [ -n "$failed" ]; then
    echo "These failed:$failed. Their output is in $RESULTS."
fi
[ -z "$failed$incomplete" ]
