#!/bin/sh
# kills.sh N: kills a sweep N times (-9) at random moments, going on each time, and compares what it writes in the end
# with what a sweep writes that nobody disturbs. Prints a line for what is wrong, and one with what happened. $COLLSIM is
# the program, and SEED the moments.
set -u
COLLSIM=${COLLSIM:-build/collsim}
COLLSIM=$(realpath "$COLLSIM")
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
kills=$1 n=0 early=0 tries=0 torn=0
step=4 # 5,888 points
[ "$kills" -gt 10 ] || step=16
set -- sweep allreduce,bcast all -p 8..260:+$step -m 8,64K -o
before=$(date +%s%N)
"$COLLSIM" "$@" good.csv >/dev/null 2>&1 || exit 1
took=$((($(date +%s%N) - before) / 1000))
: "${SEED:=$$}"
# Each moment is up to 2 / N of what the whole takes, so that most kills find a sweep that still runs.
while [ "$n" -lt "$kills" ] && [ "$tries" -lt $((4 * kills)) ]; do
    tries=$((tries + 1))
    wait=$(awk -v seed="$SEED$tries" -v most=$((2 * took / kills)) \
        'BEGIN { srand(seed); printf "%.6f", (2000 + rand() * most) / 1e6 }')
    "$COLLSIM" "$@" out.csv >/dev/null 2>&1 &
    pid=$!
    sleep "$wait"
    if kill -9 $pid 2>/dev/null; then n=$((n + 1)); else early=$((early + 1)); fi
    wait $pid 2>/dev/null
    [ -s out.csv.rows ] && [ "$(tail -c 1 out.csv.rows | od -An -c | tr -d ' ')" != '\n' ] && torn=$((torn + 1))
    [ -e out.csv ] && rm -f out.csv out.csv.rows # it was complete: begin again
done
rows=$(tail -n +3 out.csv.rows 2>/dev/null | wc -l)
"$COLLSIM" "$@" out.csv >last 2>err || { cat err && exit 1; }
status=0
cmp out.csv good.csv || status=1
twice=$(tail -n +3 out.csv.rows | cut -d, -f2 | sort | uniq -d | wc -l)
[ "$twice" = 0 ] || { echo "$twice points have two rows" && status=1; }
[ "$(tail -n +3 out.csv.rows | wc -l)" = "$(tail -n +2 good.csv | wc -l)" ] || { echo "rows are lost" && status=1; }
echo "$n kills, $early sweeps were done before theirs, $torn torn lines, $rows rows before the last run: $(cat last)"
exit $status
