#!/bin/bash
# For make bench: measures the wall time and peak memory of a process for every algorithm of the registry, with 32,768
# ranks in nodes of 8 and blocks of 8 bytes. Algorithms in which one rank stands for all and sends at most 64 messages
# run on 1,048,576 ranks too. Prints the runs that need more than a small part of their bars.
set -u
COLLSIM=${COLLSIM:-build/collsim}
over=0 n=0
total=$EPOCHREALTIME

# cell COLUMN: prints the cell of the last row of the CSV on standard input; no cell before it may hold a comma.
cell() { awk -F, -v column="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } { last = $at[column] } END { print last }'; }

# one SECONDS COLLECTIVE ALGORITHM P: measures one run, on 2 ranks if the algorithm cannot run on P. Prints it if it
# failed or needed more than 1/30 of SECONDS or 512 MB. Sets $gear, and $sent to the most messages that a rank sends.
one() {
    local m=8 start=$EPOCHREALTIME out wall mb
    case $2 in bcast | reduce | allreduce | reduce_scatter | scan | exscan) m=$((8 * $4)) ;; esac
    if ! out=$(timeout 120 "$COLLSIM" run "$2" "$3" -p "$4" -m $m --per-node 8 --timing --format csv 2>&1); then
        out=$("$COLLSIM" run "$2" "$3" -p 2 -m 8 --timing --format csv 2>&1) || { echo "$2 $3: $out"; over=$((over + 1)); return; }
    fi
    wall=$(echo "$EPOCHREALTIME $start" | awk '{ print $1 - $2 }')
    mb=$(($(cell peak_rss_bytes <<<"$out") / 1048576))
    gear="$(cell gear <<<"$out") $([ "$(cell ranks_simulated <<<"$out")" -lt "$(cell ranks <<<"$out")" ] && echo "one for all")"
    sent=$(cell max_messages_sent <<<"$out")
    n=$((n + 1))
    awk -v wall="$wall" -v bar="$1" -v mb="$mb" -v what="$2 $3 -p $4 -m $m" -v gear="$gear" -v messages="$(cell messages <<<"$out")" '
        BEGIN {
            if (wall > bar / 30 || mb > 512)
                printf "%-58s %7.2f s (%.2f of %s s) %6d MB  %9.3g messages, %s\n", what, wall, wall / bar, bar, mb, messages, gear
            exit wall > bar || mb > 2048
        }' || over=$((over + 1))
}

while IFS=, read -r collective algorithm _; do
    one 30 "$collective" "$algorithm" 32768
    [[ $gear == *"one for all" && $sent -le 64 ]] && one 0.5 "$collective" "$algorithm" 1048576
done < <("$COLLSIM" list --format csv | sed 1d)
echo "$EPOCHREALTIME $total" | awk -v n=$n '{ printf "%d runs in %.1f s (%.2f of 300 s)\n", n, $1 - $2, ($1 - $2) / 300; exit $1 - $2 > 300 }' ||
    over=$((over + 1))
[ $over = 0 ] && echo "every run is below its bar" || echo "$over runs are above their bar"
