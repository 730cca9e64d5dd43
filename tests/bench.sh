#!/bin/bash
# For make bench: measures the wall time (the median of 3 processes) and the peak memory of some runs, and prints both
# with their bars, the most that is allowed, and as multiples of them.
set -eu
COLLSIM=${COLLSIM:-build/collsim}
over=0

# bar SECONDS MB ARGUMENTS...: measures `collsim run ARGUMENTS`; MB = 0 sets no bar for the memory
bar() {
    local seconds=$1 mb=$2 walls=() out i start
    shift 2
    for i in 1 2 3; do
        start=$EPOCHREALTIME
        out=$(timeout 60 "$COLLSIM" run "$@" --timing --format csv) ||
            { printf '%-68s no answer within a minute\n' "$*"; over=$((over + 1)); return; }
        walls+=("$(echo "$EPOCHREALTIME $start" | awk '{ print $1 - $2 }')")
    done
    printf '%s\n' "${walls[@]}" | sort -g | sed -n 2p | awk -v bar="$seconds" -v mbbar="$mb" -v what="$*" \
        -v first="$(head -n 1 <<<"$out")" -v last="$(tail -n 1 <<<"$out")" '{
            split(first, name, ","); n = split(last, f, ",")
            for (i = 1; i <= n; i++) value[name[i]] = f[i]
            mb = value["peak_rss_bytes"] / 1048576; gear = value["gear"]
            memory = mbbar ? sprintf("%6.0f MB  (%.2f of %d)", mb, mb / mbbar, mbbar) : sprintf("%6.0f MB", mb)
            printf "%-68s %7.3f s  (%.2f of %s s) %-26s %s\n", what, $1, $1 / bar, bar, memory, gear
            exit $1 > bar || (mbbar && mb > mbbar)
        }' || over=$((over + 1))
}

# goal_bar SECONDS MB: measures how long `collsim run --goal` takes with a text of 2^20 ranks (81 MB)
goal_bar() {
    local seconds=$1 mb=$2 file mbs walls=() i start
    file=$(mktemp)
    "$COLLSIM" export goal bcast binomial -p 1M -m 8 -o "$file"
    for i in 1 2 3; do
        start=$EPOCHREALTIME
        mbs=$("$COLLSIM" run --goal "$file" --timing | sed -n 's/.*peak memory \([0-9]*\) MB/\1/p')
        walls+=("$(echo "$EPOCHREALTIME $start" | awk '{ print $1 - $2 }')")
    done
    rm -f "$file"
    printf '%s\n' "${walls[@]}" | sort -g | sed -n 2p | awk -v bar="$seconds" -v mbbar="$mb" -v mb="$mbs" '{
            memory = sprintf("%6.0f MB  (%.2f of %d)", mb, mb / mbbar, mbbar)
            printf "%-68s %7.3f s  (%.2f of %s s) %-26s\n", "--goal, bcast binomial -p 1M -m 8", $1, $1 / bar, bar, memory
            exit $1 > bar || mb > mbbar
        }' || over=$((over + 1))
}

# trace_bar SECONDS MB ARGUMENTS...: measures `collsim trace ARGUMENTS`; MB bounds the file
trace_bar() {
    local seconds=$1 mb=$2 file walls=() i start
    shift 2
    file=$(mktemp)
    for i in 1 2 3; do
        start=$EPOCHREALTIME
        "$COLLSIM" trace "$@" -o "$file" 2>/dev/null
        walls+=("$(echo "$EPOCHREALTIME $start" | awk '{ print $1 - $2 }')")
    done
    printf '%s\n' "${walls[@]}" | sort -g | sed -n 2p | awk -v bar="$seconds" -v mbbar="$mb" -v bytes="$(wc -c <"$file")" \
        -v what="trace $*" '{
            mb = bytes / 1048576
            memory = sprintf("%6.0f MB  (%.2f of %d) written", mb, mb / mbbar, mbbar)
            printf "%-68s %7.3f s  (%.2f of %s s) %-26s\n", what, $1, $1 / bar, bar, memory
            exit $1 > bar || mb > mbbar
        }' || over=$((over + 1))
    rm -f "$file"
}

# sweep_bar SECONDS ARGUMENTS...: measures `collsim sweep ARGUMENTS` from nothing, and says how many points it does in a
# second and how long `run` takes with the same arguments
sweep_bar() {
    local seconds=$1 walls=() i start dir alone
    shift
    dir=$(mktemp -d)
    for i in 1 2 3; do
        rm -f "$dir"/*
        start=$EPOCHREALTIME
        "$COLLSIM" sweep "$@" -o "$dir/out.csv" >/dev/null 2>&1
        walls+=("$(echo "$EPOCHREALTIME $start" | awk '{ print $1 - $2 }')")
    done
    start=$EPOCHREALTIME
    "$COLLSIM" run "$@" -o "$dir/run.csv" >/dev/null 2>&1
    alone=$(echo "$EPOCHREALTIME $start" | awk '{ print $1 - $2 }')
    printf '%s\n' "${walls[@]}" | sort -g | sed -n 2p |
        awk -v bar="$seconds" -v what="collsim sweep $*" -v rows="$(($(wc -l <"$dir/out.csv") - 1))" -v alone="$alone" '{
            printf "%-68s %7.3f s  (%.2f of %s s) %.0f points/s, run takes %.3f s\n", what, $1, $1 / bar, bar, rows / $1, alone
            exit $1 > bar
        }' || over=$((over + 1))
    rm -rf "$dir"
}

# command_bar SECONDS ARGUMENTS...: measures the wall time of `collsim ARGUMENTS`
command_bar() {
    local seconds=$1 walls=() i start
    shift
    for i in 1 2 3; do
        start=$EPOCHREALTIME
        "$COLLSIM" "$@" >/dev/null
        walls+=("$(echo "$EPOCHREALTIME $start" | awk '{ print $1 - $2 }')")
    done
    printf '%s\n' "${walls[@]}" | sort -g | sed -n 2p | awk -v bar="$seconds" -v what="collsim $*" '{
            printf "%-68s %7.3f s  (%.2f of %s s)\n", what, $1, $1 / bar, bar
            exit $1 > bar
        }' || over=$((over + 1))
}

# cpu_bar SECONDS ARGUMENTS...: measures the CPU time of `collsim ARGUMENTS`, all threads together, of one process
cpu_bar() {
    local seconds=$1 cpu
    shift
    cpu=$(TIMEFORMAT=%U; { time "$COLLSIM" "$@" >/dev/null; } 2>&1)
    awk -v cpu="$cpu" -v bar="$seconds" -v what="collsim $*" 'BEGIN {
            printf "%-68s %7.3f s of CPU  (%.2f of %s s)\n", what, cpu, cpu / bar, bar
            exit cpu > bar
        }' || over=$((over + 1))
}

# header_bar NANOSECONDS: measures what a decision of the header of `collsim tune --format c` takes, at random calls
header_bar() {
    local folder walls=() i
    folder=$(mktemp -d)
    "$COLLSIM" tune ompi-4.1 --platform lumi --format c -o "$folder/pick.h"
    cat >"$folder/ask.c" <<'END'
#include <stdio.h>
#include <time.h>
#include "pick.h"
int main(void)
{
    enum { CALLS = 1 << 24 };
    struct timespec begin, end;
    uint64_t x = 88172645463325252u; // xorshift
    unsigned sum = 0;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
    for (int i = 0; i < CALLS; i++) {
        x ^= x << 13, x ^= x >> 7, x ^= x << 17;
        sum += (unsigned)pick_algorithm((pick_collective)((x & 0xffff) % PICK_COLLECTIVES), (int)(x >> 16 & 127) + 1,
                                        x >> 32 >> (x >> 23 & 31), 8, x >> 62 & 1)->id;
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    fprintf(stderr, "%u\n", sum); // so that no call is left out
    printf("%.1f\n", ((double)(end.tv_sec - begin.tv_sec) * 1e9 + (double)(end.tv_nsec - begin.tv_nsec)) / CALLS);
    return 0;
}
END
    gcc -O2 "$folder/ask.c" -o "$folder/ask"
    for i in 1 2 3; do walls+=("$("$folder/ask" 2>/dev/null)"); done
    printf '%s\n' "${walls[@]}" | sort -g | sed -n 2p | awk -v bar="$1" -v lines="$(wc -l <"$folder/pick.h")" '{
            printf "%-68s %7.1f ns (%.2f of %s ns)\n", "a decision of tune --format c, a header of " lines " lines", $1, $1 / bar, bar
            exit $1 > bar
        }' || over=$((over + 1))
    rm -r "$folder"
}

# against FACTOR SECONDS FIRST SECOND: compares the wall time of `collsim run SECOND` with that of `collsim run FIRST`, both
# the median of 5 processes. It may be FACTOR times as long, and SECONDS more.
against() {
    local first=() second=() i start
    for i in 1 2 3 4 5; do
        start=$EPOCHREALTIME
        "$COLLSIM" run $3 >/dev/null
        first+=("$(echo "$EPOCHREALTIME $start" | awk '{ print $1 - $2 }')")
        start=$EPOCHREALTIME
        "$COLLSIM" run $4 >/dev/null
        second+=("$(echo "$EPOCHREALTIME $start" | awk '{ print $1 - $2 }')")
    done
    i=$(printf '%s\n' "${first[@]}" | sort -g | sed -n 3p)
    printf '%s\n' "${second[@]}" | sort -g | sed -n 3p | awk -v factor="$1" -v more="$2" -v first="$i" -v what="${4//$line/LINE}" '{
            printf "%-68s %7.3f s  (%.2f times the other run; at most %g times and %g s)\n", what, $1, $1 / first, factor, more
            exit $1 > factor * first + more
        }' || over=$((over + 1))
}

# measured FACTOR ARGUMENTS: compares the model measured with hockney on a machine whose table is one line.
measured() {
    against "$1" 0.005 "$2 --platform $line --model hockney" "$2 --platform $line --model measured"
}
# further ARGUMENTS: compares measured with far, take and swap to measured without them, on the same machine.
further() {
    against 1.1 0.005 "$1 --platform $line --model measured --set take=gap" \
        "$1 --platform $line --model measured --set far=0.5us --set swap=1.2"
}
line=$(mktemp --suffix .ini)
trap 'rm -f "$line"' EXIT
cat >"$line" <<'END'
[hockney]
alpha = 1.6us
alpha.source = invented
beta = 0.0848ns/B
beta.source = invented
gamma = 0.1ns/B
gamma.source = invented
[measured]
one = 0:1.6us 1M:90.5us
one.source = invented
END

# goal_text SHAPE: writes a GOAL schedule of 100,000 messages to rank 0, as text. `as sent`: rank 0 posts the receives in
# the order in which the messages arrive. The other shapes are those that would be quadratic with a plain search.
goal_text() {
    awk -v shape="$1" -v n=100000 'BEGIN {
        later = shape == "older ones later" # the first half of the messages arrives after the second half
        print "num_ranks " n + 1 "\nrank 0 {"
        if (later) print "c: calc 20000"
        for (i = 1; i <= n; i++) {
            tag = shape == "reversed tags" ? n + 1 - i : i
            label = ""
            for (bit = 16; shape == "labels of one hash" && bit >= 0; bit--)
                label = label (int(i / 2 ^ bit) % 2 ? "Ab" : "BA")
            print (label ? label ": " : "") "recv 1b from " tag " tag " tag
        }
        print "}"
        for (i = 1; i <= n; i++) {
            print "rank " i " {"
            if (later) {
                cpu = i > n / 2 ? " cpu 1" : ""
                print "a: calc " (cpu ? 7000 : 6000) cpu "\nb: calc 1" cpu "\nb requires a"
                print "s: send 1b to 0 tag " i "\ns requires b\n}"
            } else print "send 1b to 0 tag " i "\n}"
        }
    }'
}

# goal_shapes MOST: measures how long these schedules take, and compares the times with that of the first one. MOST bars
# the ratio.
goal_shapes() {
    local most=$1 shape file first= walls i start
    file=$(mktemp)
    for shape in "as sent" "reversed tags" "older ones later" "labels of one hash"; do
        goal_text "$shape" >"$file"
        walls=()
        for i in 1 2 3; do
            start=$EPOCHREALTIME
            "$COLLSIM" run --goal "$file" -f csv >/dev/null
            walls+=("$(echo "$EPOCHREALTIME $start" | awk '{ print $1 - $2 }')")
        done
        i=$(printf '%s\n' "${walls[@]}" | sort -g | sed -n 2p)
        awk -v t="$i" -v first="${first:=$i}" -v most="$most" -v what="--goal, 100,000 messages, $shape" 'BEGIN {
            printf "%-68s %7.3f s  (%.2f times the first; at most %g)\n", what, t, t / first, most
            exit t > most * first
        }' || over=$((over + 1))
    done
    rm -f "$file"
}

bar 0.25 128 bcast binomial -p 1M -m 8 --full
bar 0.05 32 allreduce recursive_doubling -p 32768 -m 8 --full
bar 0.3 128 allreduce recursive_doubling -p 1M -m 8 --full
bar 0.3 128 barrier dissemination -p 1M --full
bar 1 64 allgather ring -p 32768 -m 8 --full
bar 0.05 0 allgather ring -p 32768 -m 8
bar 2 0 allreduce ring -p 1M -m 1G
bar 4 64 allreduce ring -p 32768 -m 1000003
bar 0.6 64 bcast pipeline -p 32768 -m 8M --param segment=32K --full
bar 0.5 64 allreduce k_ring -p 7680 -m 64K --element 4
bar 1 64 gather pipeline -p 32768 -m 64K
bar 1 64 scatter pipeline -p 32768 -m 64K
bar 1 256 gather linear -p 1M -m 8 --transfer eager-port --full
bar 0.7 512 reduce linear -p 1M -m 8 --transfer eager-port
bar 1 512 reduce knomial -p 1M -m 8
bar 1 128 allreduce recursive_doubling -p 1000000 -m 8
bar 0.02 0 bcast binomial -p 8 -m 8
bar 0.1 32 allgather ring -p 4096 -m 8 --model loggops
bar 0.1 32 allreduce ring -p 4096 -m 4M --model loggops
bar 3 0 allreduce all -p 32768 -m 8,1K,64K,1M,64M
against 3 0.005 "allreduce recursive_doubling -p 32784 -m 8 --full" \
    "allreduce recursive_doubling -p 683x48 -m 8 --full --platform leonardo --set nics=none --set nic.rate=none --set nic.messages=none"
against 3 0 "bcast binomial -p 1048608 -m 8 --full" \
    "bcast binomial -p 21846x48 -m 8 --full --platform leonardo --set nics=none --set nic.rate=none --set nic.messages=none"
measured 1.1 "allreduce recursive_doubling -p 1M -m 8 --full"
measured 1.1 "allgather ring -p 32768 -m 8 --full"
measured 1.1 "allreduce ring -p 32768 -m 1000003"
measured 1.1 "allreduce ring -p 1M -m 1G"
measured 1.1 "barrier dissemination -p 1M --full"
measured 1.1 "bcast pipeline -p 32768 -m 8M --param segment=32K --full"
measured 1.1 "reduce knomial -p 1M -m 8"
measured 1.1 "gather linear -p 1M -m 8 --full"
measured 1.1 "gather pipeline -p 32768 -m 64K"
measured 1.1 "allreduce k_ring -p 7680 -m 64K --element 4"
measured 2 "bcast binomial -p 1M -m 8 --full"
measured 2 "bcast binomial -p 1M -m 64K --full"
measured 2 "allreduce recursive_doubling -p 1000000 -m 8"
further "allreduce recursive_doubling -p 8M -m 8 --full"
further "barrier dissemination -p 8M --full"
further "allreduce k_ring -p 1920 -m 60K --element 4"
further "gather linear -p 1M -m 8 --full"
further "bcast binomial -p 1M -m 8 --full"
further "allreduce recursive_doubling -p 1000000 -m 8"
further "gather pipeline -p 32768 -m 64K"
further "alltoall linear -p 256 -m 8 --full"
bar 0.1 16 alltoall pairwise -p 16x32 -m 64 --full --platform archer2 --model measured
against 1.1 0.005 "alltoall pairwise -p 16x32 -m 64 --full --platform archer2 --model measured --set take=gap" \
    "alltoall pairwise -p 16x32 -m 64 --full --platform archer2 --model measured"
bar 0.21 0 alltoall pairwise -p 32x32 -m 64 --full --platform leonardo
bar 0.1 64 allreduce ring -p 1024x32 -m 64M --platform leonardo
bar 0.1 128 allgather ring -p 1024x32 -m 1K --platform leonardo
bar 0.1 128 alltoall pairwise -p 1024x32 -m 1K --platform leonardo
bar 0.1 128 reduce_scatter pairwise -p 1024x32 -m 1M --platform leonardo
bar 0.2 0 allreduce ring -p 96x48 -m 64K --platform leonardo
bar 1 64 allreduce ring -p 300x48 -m 256M --platform leonardo
bar 1.5 128 allreduce k_ring -p 96x48 -m 64K --platform leonardo
bar 0.1 64 allreduce k_ring -p 96x48 -m 72K --platform leonardo
bar 1 64 reduce_scatter ring -p 500x32 -m 1M --platform lumi
bar 1 64 reduce_scatter ring -p 500x32 -m 1M --platform archer2
bar 30 0 allreduce all -p 1024x32 -m 8,64K,4M --platform leonardo
for collective in $("$COLLSIM" list -f csv | awk -F, 'NR > 1 && !seen[$1]++ { print $1 }'); do
    for name in $("$COLLSIM" list "$collective" -f csv | awk -F, 'NR > 1 { print $2 }'); do
        "$COLLSIM" show "$collective" "$name" -p 2x2 | grep -q 'needs.* several nodes' || continue
        case $collective in barrier) sizes=0 ;; *) sizes=8,64K,4M ;; esac
        bar 1 0 "$collective" "$name" -p 1024x32 -m $sizes
    done
done
trace_bar 1 60 allreduce ring -p 256 -m 1M
trace_bar 2 60 allreduce ring -p 32768 -m 1M
trace_bar 2 60 allreduce ring -p 32768 -m 1000001
trace_bar 2 60 allreduce rabenseifner -p 32768 -m 1000001
goal_bar 3 1024
goal_shapes 3
sweep_bar 2 allreduce all -p 8..260:+4 -m 8,64K # 3,200 points
command_bar 60 audit
command_bar 1 best reduce -p 1024 -m 16M
command_bar 0.5 best reduce -p 32768 -m 8,64K,4M
command_bar 0.3 best bcast -p 128 -m 2M --platform archer2
for collective in allreduce bcast reduce gather; do
    command_bar 3 best $collective -p 96x48 -m 64K --platform leonardo
done
# One point, with all algorithms and parts: CPU time, not wall time.
cpu_bar 1 best allreduce -p 32768 -m 8 --element 8 --platform leonardo
cpu_bar 1 best allreduce -p 6144 -m 1M --element 8 --platform lumi
cpu_bar 1 best scan -p 6144 -m 1M --element 8 --platform lumi
cpu_bar 1 best scan -p 32749 -m 16M --element 8 --platform generic-100g
cpu_bar 1 best bcast -p 32749 -m 1M --element 8 --platform generic-100g
cpu_bar 1 best exscan -p 6144 -m 1M --element 8 --platform leonardo
cpu_bar 1 best allreduce -p 32749 -m 1M --element 8 --platform leonardo
cpu_bar 1 best reduce_scatter -p 32749 -m 1M --element 8 --platform leonardo
cpu_bar 5 best allreduce -p 64x48 -m 64K --element 8 --platform leonardo
cpu_bar 5 best allreduce -p 64x48 -m 1M --element 8 --platform archer2
cpu_bar 5 best reduce -p 64x48 -m 16M --element 8 --platform leonardo
cpu_bar 5 best allgather -p 64x48 -m 64K --element 8 --platform leonardo
cpu_bar 5 best allgatherv -p 64x48 -m 64K --element 8 --platform leonardo
cpu_bar 5 best reduce_scatter_block -p 64x48 -m 64K --element 8 --platform leonardo
cpu_bar 5 best alltoall -p 64x48 -m 64K --platform leonardo
cpu_bar 5 best alltoall -p 64x48 -m 64K --platform archer2
cpu_bar 5 best alltoallv -p 64x48 -m 64K --platform leonardo
command_bar 5 best alltoall -p 96x48 -m 64K --platform leonardo
command_bar 15 regret ompi-4.1 -p 96x48 -m 8,1K,64K --platform leonardo
header_bar 100
command_bar 40 tune ompi-4.1 --platform archer2
command_bar 60 tune ompi-4.1 -p 2..32768:x2,3..24576:x2 -m 8..64M:x2 --platform lumi --model hockney
command_bar 1 crossover allreduce recursive_doubling rabenseifner -p 1024
echo
[ $over = 0 ] && echo "every run is below its bar" || echo "$over runs are above their bar"
