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
printf 'experiment,status,seconds,limit,cpu_seconds\n' >"$RESULTS/runs.csv"

# cpu: prints the seconds of CPU time that the commands of this shell have taken so far; `times` tells these only to a shell
# that is not a pipe's
cpu() {
    awk 'NR == 2 { split($1, user, /[ms]/); split($2, system_of, /[ms]/); print 60 * user[1] + user[2] + 60 * system_of[1] + system_of[2] }' "$RESULTS/times.txt"
}

failed= incomplete= all=0
for script in experiments/[0-9]*.sh experiments/ours.sh; do
    name=$(basename "$script" .sh) status=0 begin=$(date +%s)
    times >"$RESULTS/times.txt"
    before=$(cpu)
    rm -f "$(dirname "$RESULTS")/$name/figures.txt"
    RESULTS=$(dirname "$RESULTS")/$name timeout "$LIMIT" "$script" >"$RESULTS/$name.txt" 2>&1 </dev/null || status=$?
    took=$(($(date +%s) - begin))
    times >"$RESULTS/times.txt"
    used=$(echo "$before $(cpu)" | awk '{ printf("%.0f", $2 - $1) }')
    case $status in
    0) said=done ;;
    124) said="stopped, because it took longer than $LIMIT s" ;;
    *) said="failed with status $status: $(tail -n 1 "$RESULTS/$name.txt")" ;;
    esac
    [ $status = 0 ] || failed="$failed $name"
    printf '%-5s %4d of %d s, %d s of CPU  %s\n' "$name" $took "$LIMIT" "$used" "$said"
    printf '%s,%d,%d,%d,%d\n' "$name" $status $took "$LIMIT" "$used" >>"$RESULTS/runs.csv"
    all=$((all + used))
    RESULTS=$RESULTS experiments/index.sh >"$RESULTS/index.txt" 2>&1 || incomplete=yes
done

rm -f "$RESULTS/times.txt"
cat "$RESULTS/index.txt"
echo "$all s of CPU in all"
if [ -n "$incomplete" ]; then
    echo "The pages above cite what their runs did not make."
fi
if [ -n "$failed" ]; then
    echo "These failed:$failed. Their output is in $RESULTS."
fi
[ -z "$failed$incomplete" ]
