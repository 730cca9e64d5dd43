#!/bin/sh
# The experiments of document 003, "Shared memory based MPI Reduce and Bcast algorithms": its collectives in shared memory
# divided by Open MPI's own, measured here for as many ranks as there are cores, and predicted for its 8 and 16 ranks; its
# advice for each size (tables 1 and 2); fragments and slots; shared memory inside an allreduce of several nodes.
# experiments/pages/003.md says what this shows. It takes a minute, mostly measurements. COLLSIM is the program, RESULTS
# the folder to write to (results/003), SIZES what to measure, in ROUNDS rounds, and
# BUDGET the time for a point in each.
set -eu
cd "$(dirname "$0")/.."
root=$PWD
COLLSIM=$(realpath "${COLLSIM:-build/collsim}") RESULTS=${RESULTS:-results/003} BUDGET=${BUDGET:-20ms}
SIZES=${SIZES:-64..4M:x4} ROUNDS=${ROUNDS:-4}
mkdir -p "$RESULTS"
rm -f "$RESULTS"/*.csv "$RESULTS"/*.rows "$RESULTS"/*.txt "$RESULTS"/*.svg "$RESULTS"/*.png
RESULTS=$(realpath "$RESULTS")
. experiments/page.sh
cd "$RESULTS"

# try ARGUMENTS: the same for what may fail on a busy machine; what failed is missing in the answers
try() { ask "$@" || echo "failed: collsim $*"; }

# The functions of all awk programs below: the columns of a CSV by name, and what the document's tables 1 and 2 advise.
cat >common.awk <<'AWK'
function header(i) { for (i = 1; i <= NF; i++) at[$i] = i }
function get(name) { return $(at[name]) }
function size_text(n) { return n >= 2^20 ? n / 2^20 "M" : n >= 1024 ? n / 1024 "K" : n "" }
function row(file, collective, algorithm, ranks, bytes, t, ran) {
    if (!(file in begun)) { begun[file] = 1; print "collective,algorithm,ranks,bytes,time_s,ran" >file }
    printf("%s,\"%s\",%d,%d,%.9g,%s\n", collective, algorithm, ranks, bytes, t, ran) >file
}
function short(name) { sub("shm_", "", name); return name ~ /auto/ ? "tuned" : name }
function advice(collective, p, n, K) {
    K = 1024
    if (collective == "reduce" && p == 8)
        return n <= 512 || n == 4 * K ? "flat" : n <= 2 * K || n == 8 * K ? "tuned" : "knomial"
    if (collective == "reduce")
        return n == 4 * K || n >= 32 * K ? "knomial" : "tuned"
    if (p == 8)
        return n <= 512 || n == 4 * K || n == 8 * K ? "flat" : \
               n <= 2 * K || n >= 64 * K && n <= 512 * K ? "tuned" : "knomial"
    return n >= 2 * K * K ? "knomial" : "tuned"
}
AWK

# The document's server: 2 sockets of 8 cores. Its times are not given. Those of ORFEO's THIN nodes (platforms/orfeo-thin.ini,
# also two Xeons) stand for them.
cat >server.ini <<'INI'
[machine]
title = two sockets of 8 cores, with the times of ORFEO's THIN nodes
[levels]
socket = 8 ranks
node = 2 sockets
[hockney]
alpha = 0.64us
alpha.source = orfeo-thin: alpha.node
alpha.socket = 0.29us
alpha.socket.source = orfeo-thin
beta = 0.0617ns/B
beta.source = orfeo-thin: beta.node
beta.socket = 0.0622ns/B
beta.socket.source = orfeo-thin
gamma = 0.1ns/B
gamma.source = orfeo-thin, where it is assumed
[node]
memory = 4K:0.35 64K:0.5 1M:1
memory.source = orfeo-thin
[shared]
write = 0.0622ns/B
write.source = taken as beta.socket: a message between two cores is copied at least once
read = 0.0622ns/B
read.source = the same
flag = 0.1us
flag.source = assumed: about two cache lines, one of the store and one of the load
lanes = 2.8
lanes.source = 1/0.36, where 0.36 is the share of the memory that a message of 8 KiB uses
streams = 2.8
streams.source = as lanes: writers, and readers of different queues, use the same memory
line = 42ns
line.source = J. McCalpin, Intel forum 700477: Intel MLC on a Xeon E5-2660 v4, the same generation, 40.3 to 42.3 ns
raise = 42ns
raise.source = assumed: as line, because a store needs the line too
local = 0.0622ns/B
local.source = assumed: as write
remote = 1.125
remote.source = the middle of the 10 to 15 % of Li, Hoefler, Snir 2013, which document 003 cites
INI
figure machine.line "$(sed -n 's/^line = \([0-9.]*\)ns$/\1 ns/p' server.ini)"
figure machine.remote "$(awk '$1 == "remote" { printf "%.1f %%", 100 * ($3 - 1) }' server.ini)"
# The document's reductions of time, for its factors.
for times in 6.5 3.3 1.4; do
    figure less.$times "$(awk -v times=$times 'BEGIN { printf "%.1f", 100 * (1 - 1 / times) }')"
done
# Peak's node, for comparison: lanes = 1/0.154 in the same way, and the lines of the same generation of Xeon.
server='--platform ./server.ini' server_shm=
peak='--platform peak'
peak_shm='--set write=0.0974ns/B --set read=0.0974ns/B --set flag=0.1us --set lanes=6.5 --set streams=6.5'
peak_shm="$peak_shm --set line=42ns --set raise=42ns --set local=0.0974ns/B"
shm=shm_flat,shm_knomial,shm_sets sizes=64..16M:x2 # IMB reduces floats: 4 bytes

echo '---- Measured here'
figure when "$(LC_ALL=C date -u '+%e %B %Y' | sed 's/^ //')"
figure where "$(nproc) cores of $(sed -n 's/^model name.*: //p' /proc/cpuinfo | sort -u | head -n 1 | tr -s ' ')"
figure mpi "Open MPI $(mpirun.openmpi --version 2>&1 | sed -n '1s/.* //p')"
figure rounds "$ROUNDS"
ranks=2 p=2
while p=$((2 * p)) && [ "$p" -le "$(nproc)" ]; do ranks=$ranks,$p; done
# In rounds, so that other work on the machine does not hit all measurements of one point.
round=0
while round=$((round + 1)) && [ $round -le "$ROUNDS" ]; do
    for collective in bcast reduce allreduce; do
        try measure $collective $shm -p $ranks -m "$SIZES" --element 4 --sync window --budget "$BUDGET" \
            -f csv -o measured-$collective-$round.csv
        try measure $collective library -p $ranks -m "$SIZES" --element 4 --sync window --budget "$BUDGET" \
            -f csv -o library-$collective-$round.csv
    done
    # At 4 KiB a broadcast of Open MPI takes much longer than at 4,000 bytes, because between two cores messages up to 4 KiB,
    # with their header, are eager. With a higher limit it does not. The component is called vader in Open MPI 4, sm in 5.
    for limit in 4096 32768; do
        export OMPI_MCA_btl_vader_eager_limit=$limit OMPI_MCA_btl_sm_eager_limit=$limit
        printf 'eager limit %s: ' $limit
        try measure bcast library -p 2 -m 1K,4000,4K,8K --sync window --budget "$BUDGET" -f csv -o eager-$limit-$round.csv
    done
    unset OMPI_MCA_btl_vader_eager_limit OMPI_MCA_btl_sm_eager_limit
done
awk -F, -f common.awk -f /dev/stdin eager-*.csv <<'AWK' | keep
FNR == 1 { header(); split(FILENAME, f, "-"); next }
!((f[2], get("bytes")) in least) || get("min_s") + 0 < least[f[2], get("bytes")] { least[f[2], get("bytes")] = get("min_s") + 0 }
END {
    for (x in least) {
        split(x, k, SUBSEP)
        printf("eager.%d-%d %.2f us\n", k[1], k[2], least[x] * 1e6) | "sort"
    }
}
AWK
fragments=1K,4K,8K,32K,128K,1M slots=1,2,4,8,32
for pair in 'bcast shm_flat' 'reduce shm_knomial'; do
    for round in 1 2 3; do
        # shellcheck disable=SC2086
        try measure $pair -p 2 -m 1M --element 4 --param fragment=$fragments --param slots=$slots --sync window \
            --budget "$BUDGET" -f csv -o tried-${pair% *}-$round.csv
    done
    awk -F, -f common.awk -f /dev/stdin tried-"${pair% *}"-*.csv >queue-measured-"${pair% *}".csv <<'AWK'
FNR == 1 { header(); if (NR == 1) print; next }
!(get("params") in least) || get("min_s") + 0 < least[get("params")] { least[get("params")] = get("min_s") + 0; row_of[get("params")] = $0 }
END { for (x in row_of) print row_of[x] }
AWK
done

# The least time of each point, as a table of the page.
cat >measured.awk <<'AWK'
FNR == 1 { header(); next }
{
    x = get("collective") SUBSEP get("ranks") SUBSEP get("bytes")
    if (!seen[x]++) order[++n] = x
    x = x SUBSEP short(get("algorithm"))
    if (!(x in least) || get("min_s") + 0 < least[x]) least[x] = get("min_s") + 0
}
END {
    print "| least times, 2 ranks and more | ranks | bytes | Open MPI | flat / that | k-nomial / that | sets / that |"
    print "| --- | --: | --: | --: | --: | --: | --: |"
    for (i = 1; i <= n; i++) {
        split(order[i], k, SUBSEP)
        if (!((order[i], "library") in least)) continue
        t = least[order[i], "library"]
        if (k[2] == 2) row("measured.csv", k[1], "Open MPI", 2, k[3], t)
        printf("| %s | %s | %s | %.2f us |", k[1], k[2], size_text(k[3]), t * 1e6)
        for (j = 1; j <= 3; j++) {
            a = j == 1 ? "flat" : j == 2 ? "knomial" : "sets"
            if (!((order[i], a) in least)) { printf(" |"); continue }
            printf(" %.2f |", least[order[i], a] / t)
            if (k[2] == 2) row("measured.csv", k[1], a, 2, k[3], least[order[i], a])
            if (k[2] == 2) printf("measured.%s-%s-%s %.1f\n", k[1], a, size_text(k[3]), t / least[order[i], a]) >figures
        }
        print ""
    }
}
AWK
set -- measured-*.csv library-*.csv
awk -F, -v figures=measured.figures -f common.awk -f measured.awk "$@" | tee measured.table
[ ! -e measured.figures ] || keep <measured.figures
for file in measured-*.csv; do
    cat "$file"
done | awk 'NR == 1 || !/^collective/' >alone.csv
echo "the figures of [shared] that the medians of this machine give:"
try calibrate --model shared --set lanes=1 alone.csv

echo '---- Predicted'
# Three cases of each machine, all of them the model's:
#   without     copies share nothing, and cache lines cost nothing
#   with        readers of one fragment share `lanes`, and all copies together `streams`
#   lines       with, and cache lines, flags that are written, local copies and the other socket cost what the machine says
for machine in server peak; do
    if [ $machine = server ]; then figures_of=$server shm_of=$server_shm; else figures_of=$peak shm_of=$peak_shm; fi
    free='--set line=none --set raise=none --set local=none'
    [ $machine = peak ] || free="$free --set remote=none"
    for case in without with lines; do
        off=
        case $case in
        without) off='--set memory=none' off_shm="$free --set lanes=1024 --set streams=none" ;;
        with) off_shm=$free ;;
        lines) off_shm= ;;
        esac
        for collective in bcast reduce allreduce; do
            name=$machine-$case-$collective
            # shellcheck disable=SC2086
            [ $case = lines ] ||
                ask run $collective ompi-5:auto -p 1x8,1x16 -m $sizes --element 4 $figures_of $off -f csv -o p2p-$name.csv
            # shellcheck disable=SC2086
            ask run $collective $shm --model shared -p 1x8,1x16 -m $sizes --element 4 $figures_of $shm_of $off_shm \
                -f csv -o shm-$name.csv
        done
    done
done

# Prints `machine case collective ranks bytes algorithm seconds`
cat >cases.awk <<'AWK'
FNR == 1 { header(); split(FILENAME, f, "-"); next }
{
    here = get("collective") " " get("ranks") " " get("bytes") " " short(get("algorithm")) " " get("time_s") + 0
    print f[2], f[3], here
    if (f[1] == "p2p" && f[3] == "with") print f[2], "lines", here
}
AWK
awk -F, -f common.awk -f cases.awk p2p-*.csv shm-*.csv >cases.txt

cat >ratios.awk <<'AWK'
{ time[$1, $2, $3, $4, $5, $6] = $7 }
END {
    split("bcast reduce allreduce", C); split("flat knomial sets", A); split("server peak", M); split("with without lines", K)
    for (m = 1; m <= 2; m++) for (c = 1; c <= 3; c++) for (p = 8; p <= 16; p += 8) {
        printf("\n%s, %s, %d ranks: time / that of Open MPI 5, with contention | without | with contention and lines\n", \
               M[m], C[c], p)
        printf("%6s %11s  %-22s %-22s %-22s\n", "bytes", "Open MPI", "flat", "knomial", "sets")
        for (n = 64; n <= 2^24; n *= 2) {
            printf("%6s %8.2f us", size_text(n), time[M[m], "with", C[c], p, n, "tuned"] * 1e6)
            for (a = 1; a <= 3; a++) {
                for (k = 1; k <= 3; k++) {
                    r[k] = time[M[m], K[k], C[c], p, n, A[a]] / time[M[m], K[k], C[c], p, n, "tuned"]
                    if (!((m, c, p, a, k) in low) || r[k] < low[m, c, p, a, k]) {
                        low[m, c, p, a, k] = r[k]
                        where[m, c, p, a, k] = n
                    }
                }
                printf("  %5.2f | %5.2f | %5.2f", r[1], r[2], r[3])
            }
            print ""
        }
    }
    print "| most that Open MPI 5 takes longer by (at bytes) | ranks | flat: with, without, lines | k-nomial | sets |" >table
    print "| --- | --: | --- | --- | --- |" >table
    for (m = 1; m <= 2; m++) for (c = 1; c <= 3; c++) for (p = 8; p <= 16; p += 8) {
        printf("| %s, %s | %d", M[m], C[c], p) >table
        for (a = 1; a <= 3; a++) {
            printf(" |") >table
            for (k = 1; k <= 3; k++)
                printf("%s %.2f (%s)", k > 1 ? "," : "", 1 / low[m, c, p, a, k], size_text(where[m, c, p, a, k])) >table
        }
        print " |" >table
    }
    for (k = 1; k <= 3; k++) {
        gain("bcast.4k-" K[k], "bcast", 16, 4096, "flat", K[k])
        gain("bcast.64-" K[k], "bcast", 16, 64, "flat", K[k])
        gain("reduce.16m-" K[k], "reduce", 16, 2^24, "knomial", K[k])
        gain("allreduce.16m-" K[k], "allreduce", 16, 2^24, "knomial", K[k])
        gain("allreduce.4k-" K[k], "allreduce", 8, 4096, "flat", K[k])
        gain("large.flat-8-" K[k], "reduce", 8, 2^24, "knomial", K[k], "flat")
        gain("large.flat-16-" K[k], "reduce", 16, 2^24, "knomial", K[k], "flat")
    }
}
# gain: how many times as long `than` (Open MPI 5 if it is empty) takes as the algorithm, on the server
function gain(name, collective, p, n, algorithm, kind, than) {
    if (than == "") than = "tuned"
    printf("%s %.2f\n", name, \
           time["server", kind, collective, p, n, than] / time["server", kind, collective, p, n, algorithm]) >figures
}
AWK
awk -v table=ratios.table -v figures=ratios.figures -f common.awk -f ratios.awk cases.txt
cat ratios.table
keep <ratios.figures
awk -f common.awk -f /dev/stdin cases.txt <<'AWK'
$1 == "server" && $2 == "with" { row("predicted.csv", $3, $6 == "tuned" ? "Open MPI" : $6, $4, $5, $7) }
$1 == "server" && $2 == "lines" && $3 != "bcast" && $6 ~ /flat|knomial/ { row("predicted.csv", $3, $6 ", lines", $4, $5, $7) }
AWK
measured=
[ ! -e measured.csv ] || measured=measured.csv
ask plot $measured predicted.csv --y speedup --baseline 'Open MPI' --all -o ratio.svg \
    --title "Shared memory: 2 ranks as measured on two cores, 8 and 16 as predicted"

cat >advice.awk <<'AWK'
{ time[$1, $2, $3, $4, $5, $6] = $7 }
END {
    split("reduce allreduce", C); split("flat knomial tuned", A); split("server peak", M); split("without with lines", K)
    for (c = 1; c <= 2; c++) for (p = 8; p <= 16; p += 8) {
        printf("\ntable %d, %d ranks: the document's choice, and the fastest of flat, knomial and tuned ", c, p)
        print "(time of the document's choice / that)"
        printf("%6s %-8s", "bytes", "document")
        for (m = 1; m <= 2; m++) for (k = 1; k <= 3; k++) printf(" %-15s", M[m] " " K[k])
        print ""
        for (n = 64; n <= 2^24; n *= 2) {
            theirs = advice(C[c], p, n)
            chosen[c, p, theirs]++
            small[c, p] += n < 65536 && theirs != "tuned"
            printf("%6s %-8s", size_text(n), theirs)
            for (m = 1; m <= 2; m++) for (k = 1; k <= 3; k++) {
                best = ""
                for (a = 1; a <= 3; a++) {
                    t = time[M[m], K[k], C[c], p, n, A[a]]
                    if (best == "" || t < least) { least = t; best = A[a] }
                }
                x = time[M[m], K[k], C[c], p, n, theirs] / least
                printf(" %-7s (%5.2f)", best, x)
                hits[c, p, m, k] += best == theirs
                close_by[c, p, m, k] += x <= 1.1
            }
            print ""
        }
    }
    print "| | server, without | server, with | server, lines | peak, without | peak, with | peak, lines | always the same | cases above that |" >table
    print "| --- | --: | --: | --: | --: | --: | --: | --: | --: |" >table
    for (c = 1; c <= 2; c++) for (p = 8; p <= 16; p += 8) {
        printf("| table %d, %s, %d ranks", c, C[c], p) >table
        most = beats = 0
        for (a = 1; a <= 3; a++) if (chosen[c, p, A[a]] > most) most = chosen[c, p, A[a]]
        for (m = 1; m <= 2; m++) for (k = 1; k <= 3; k++) {
            printf(" | %d (%d)", hits[c, p, m, k], close_by[c, p, m, k]) >table
            beats += hits[c, p, m, k] > most
        }
        print " | " most " | " beats " |" >table
        x = "table" c "-" p
        printf("%s.lines %d\n%s.with %d\n%s.same %d\n", x, hits[c, p, 1, 3], x, hits[c, p, 1, 2], x, most) >figures
        printf("%s.small %d\n", x, small[c, p]) >figures
        printf("%s.skill %s\n", x, hits[c, p, 1, 3] >= most + 3 ? "some skill" : "no skill") >figures
    }
}
AWK
awk -v table=advice.table -v figures=advice.figures -f common.awk -f advice.awk cases.txt
cat advice.table
keep <advice.figures
echo
echo 'what Open MPI 5 runs:'
awk -F, -f "common.awk" -f /dev/stdin p2p-server-with-*.csv <<'AWK'
FNR == 1 { header(); last = ""; next }
{ now = get("collective") ", " get("ranks") " ranks: " get("decided") }
now != last { print now, "from", size_text(get("bytes")); last = now }
AWK
figure runs.allreduce "$(cells p2p-server-with-allreduce.csv ranks bytes decided |
    awk -F '\t' '$1 == 16 && $2 == 2^24 { sub(/^[0-9]* /, "", $3); print $3 }')"

echo
echo '---- The claims as data, and the largest message of -msglog 6:24'
claims 003
cells audit.csv verdict | awk '{ sub(/,.*/, ""); n[$0]++ }
    END {
        print "claims.all", NR
        print "claims.exact", n["exact"] + 0
        print "claims.loose", n["loose"] + 0
        print "claims.order", n["right order"] + 0
        print "claims.wrong", n["wrong"] + 0
    }' | keep
# Which of the page's verdicts hold: by the claims, and by the figures above.
cells audit.csv id verdict | awk -F '\t' "$words"'
    $1 ~ /^003-4[.]1-/ { n++; exact += $2 == "exact" }
    $1 ~ /^003-4[.]2-/ { m++; slots += $2 == "exact" }
    $1 ~ /^003-(a1-|a2-line)/ && $2 == "wrong" { slips++ }
    $1 ~ /^003-6-advice-/ { k++; advice += $2 == "wrong" }
    END {
        yes("holds.allocated", n && exact == n)
        yes("holds.slots", m && slots == m)
        yes("holds.advice", k && advice == k)
        print "slips", slips + 0
    }' | keep
awk -F '\t' "$words"'
    function near(name, claim) { return x[name] > claim - 2 && x[name] < claim + 2 }
    { x[$1] = $2 }
    END {
        yes("holds.percent", near("less.6.5", 85) && near("less.3.3", 70) && near("less.1.4", 30))
        yes("holds.reduce", x["reduce.16m-with"] > 1)
        yes("holds.allreduce", x["allreduce.16m-with"] > 1)
        yes("holds.contention", x["allreduce.16m-with"] > 1 && x["allreduce.16m-without"] < 1)
        yes("holds.large", x["large.flat-8-with"] > 1 && x["large.flat-16-with"] > 1)
        yes("holds.table1", x["table1-8.skill"] x["table1-16.skill"] == "no skillno skill")
        yes("holds.table2", x["table2-8.lines"] < x["table2-8.same"] + 3 || x["table2-16.lines"] < x["table2-16.same"] + 3)
        yes("holds.eager", x["eager.4096-4096"] > 2 * x["eager.4096-4000"] && x["eager.32768-4096"] < 2 * x["eager.4096-4000"])
    }' "$figures" >holds
keep <holds

echo '---- Fragments and slots'
# shellcheck disable=SC2086
ask sweep bcast,reduce,allreduce $shm -p 8,16 -m 64K,1M --model shared --element 4 $server \
    --set line=none --set raise=none --set local=none --set remote=none --set streams=none \
    --param fragment=$fragments --param slots=$slots -o queue.csv
# shellcheck disable=SC2086
ask sweep bcast,reduce,allreduce $shm -p 8,16 -m 64K,1M --model shared --element 4 $server \
    --param fragment=$fragments --param slots=$slots -o queue-lines.csv
# By how much f changes the time while s is 8, and s while f is 8 KiB; and the best of all.
cat >queue.awk <<'AWK'
FNR == 1 { header(); next }
get(column) != "" && get(column) > 0 {
    f = 8192; s = 8
    text = get("params")
    n = split(text, word, ";")
    for (i = 1; i <= n; i++) {
        split(word[i], k, "=")
        if (k[1] == "slots") s = k[2]
        if (k[1] == "fragment") f = k[2] ~ /K/ ? k[2] * 1024 : k[2] ~ /M/ ? k[2] * 2^20 : k[2] + 0
    }
    x = get("collective") " " short(get("algorithm")) " p=" get("ranks") " m=" size_text(get("bytes")); t = get(column)
    if (!(x in known)) { known[x] = 1; order[++count] = x }
    if (s == 8) {
        if (!(x in f_low) || t < f_low[x]) { f_low[x] = t; f_at[x] = f }
        if (t > f_high[x]) { f_high[x] = t; f_to[x] = f }
    }
    if (f == 8192) {
        if (!(x in s_low) || t < s_low[x]) { s_low[x] = t; s_at[x] = s }
        if (t > s_high[x]) { s_high[x] = t; s_to[x] = s }
        if (s > 1 && t > s_high2[x]) s_high2[x] = t
        if (s > 1 && (!(x in s_low2) || t < s_low2[x])) s_low2[x] = t
    }
    if (s == 8 && f == 8192) usual[x] = t
    if (!(x in least) || t < least[x]) { least[x] = t; best[x] = size_text(f) " x " s }
}
END {
    for (i = 1; i <= count; i++) {
        x = order[i]
        if (f_high[x] / f_low[x] > most_f) most_f = f_high[x] / f_low[x]
        if (s_high2[x] / s_low2[x] > most_s) most_s = s_high2[x] / s_low2[x]
        if (usual[x] / least[x] > most_usual) most_usual = usual[x] / least[x]
        if (x !~ /m=1M/) continue
        printf("| %s%s | %.2f (%s, %s) | %.2f (%d, %d) | %.2f | %.2f (%s) |\n", x, said, f_high[x] / f_low[x], size_text(f_at[x]), size_text(f_to[x]), \
            s_high[x] / s_low[x], s_at[x], s_to[x], s_high2[x] / s_low2[x], usual[x] / least[x], best[x])
    }
    sub(/, /, "", said)
    if (count) printf("queue.f-%s %.1f\nqueue.s-%s %.1f\nqueue.usual-%s %.1f\n", \
                      said, most_f, said, most_s, said, most_usual) >>figures
}
AWK
rm -f queue.figures
{
    echo '| slowest / fastest | over f, s = 8 (fastest, slowest) | over s, f = 8 KiB | s > 1 | 8 KiB and 8 slots / the best (f x s) |'
    echo '| --- | --- | --- | --: | --- |'
    awk -F, -v figures=queue.figures -v column=time_s -v said=', predicted' -f common.awk -f queue.awk queue.csv
    awk -F, -v figures=queue.figures -v column=time_s -v said=', lines' -f common.awk -f queue.awk queue-lines.csv
    awk -F, -v figures=queue.figures -v column=min_s -v said=', measured' -f common.awk -f queue.awk queue-measured-*.csv
} | tee queue.table
keep <queue.figures

echo
echo '---- Shared memory inside an allreduce of 64 nodes of 16 ranks'
thin='--platform orfeo-thin --set write=0.0622ns/B --set read=0.0622ns/B --set flag=0.1us --set lanes=2.8 --set line=42ns'
thin="$thin --set raise=42ns"
# What the memory limits, which a composition does not know: sizes at which the copies of reduce and bcast take longer
# by `streams` (case with) than without.
for limit in 2.8 none; do
    for collective in reduce bcast; do
        ask run $collective $shm --model shared -p 16 -m 8..2M:x4 --element 4 $server --set remote=none --set local=none \
            --set streams=$limit -f csv -o streams-$limit-$collective.csv
    done
done
for outer in recursive_doubling rabenseifner; do
    for inner in binomial shm_flat shm_knomial shm_sets; do
        # shellcheck disable=SC2086
        ask run allreduce smp --param outer=$outer --param reduce=$inner --param bcast=$inner -p 64x16 -m 8..2M:x4 \
            --element 4 $thin -f csv -o levels-$outer-$inner.csv
    done
done
# shellcheck disable=SC2086
ask run allreduce ompi-5:auto,recursive_doubling,rabenseifner,lane -p 64x16 -m 8..2M:x4 --element 4 $thin \
    -f csv -o levels-others.csv
awk -F, -v figures=levels.figures -f common.awk -f /dev/stdin streams-*.csv levels-*.csv <<'AWK' | tee levels.table
FNR == 1 { header(); split(FILENAME, f, "-"); next }
f[1] == "streams" {
    x = short(get("algorithm")) SUBSEP get("bytes")
    if (f[2] == "none") plain[x] += get("time_s")
    else limited[x] += get("time_s")
    next
}
{
    name = get("algorithm")
    if (name == "smp") {
        name = FILENAME
        gsub(/levels-|[.]csv/, "", name)
        sub("recursive_doubling-", "rd + ", name)
        sub("rabenseifner-", "rab + ", name)
    }
    ran = get("ran") get("parts_ran") != "" ? "another" : "" # rabenseifner needs an element for each rank
    if (name ~ /[+]|ompi/ && name !~ /sets/) row("levels.csv", "allreduce", name, 1024, get("bytes"), get("time_s"), ran)
    if (ran) next
    x = name
    sub(/.*shm_/, "", x)
    x = x SUBSEP get("bytes")
    if (name ~ /shm_/ && limited[x] > 1.01 * plain[x]) next
    if (!(name in known)) { known[name] = 1; names[++n] = name }
    t[name, get("bytes")] = get("time_s"); sizes[get("bytes")]
}
END {
    head = "| inside the node + among the leaders, us"
    rule = "| ---"
    for (b = 8; b <= 2^23; b *= 4) if (b in sizes) {
        head = head " | " size_text(b)
        rule = rule " | --:"
        for (i = 1; i <= n; i++) if ((names[i], b) in t && (!(b in least) || t[names[i], b] < least[b])) least[b] = t[names[i], b]
    }
    print head " |"
    print rule " |"
    for (i = 1; i <= n; i++) {
        line = "| " names[i]
        for (b = 8; b <= 2^23; b *= 4) if (b in sizes) {
            if (!((names[i], b) in t)) { line = line " |"; continue }
            text = sprintf("%.*f", t[names[i], b] < 1e-4 ? 1 : 0, t[names[i], b] * 1e6)
            line = line " | " (t[names[i], b] == least[b] ? "**" text "**" : text)
        }
        print line " |"
    }
    small = t["rd + shm_flat", 512] / t["rd + binomial", 512]
    printf("levels.small %.2f\n", small) >figures
}
AWK
keep <levels.figures
ask plot levels.csv --all --title 'Shared memory inside an allreduce of 64 nodes of 16 ranks of ORFEO THIN' -o levels.svg
