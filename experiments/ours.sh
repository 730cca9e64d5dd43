#!/bin/sh
# Weak scaling of the fastest algorithm of three collectives to 32,768 ranks, on four machines: with one rank on a node, with
# 32 that share its NIC, and with 32 that have a NIC each. experiments/pages/ours.md says what this shows. It
# takes about a minute. COLLSIM is the program, RESULTS the folder to write to (results/ours).
set -eu
cd "$(dirname "$0")/.."
COLLSIM=$(realpath "${COLLSIM:-build/collsim}") RESULTS=${RESULTS:-results/ours}
. experiments/page.sh
rm -f "$RESULTS"/*.csv "$RESULTS"/*.rows

# The invented machine has no nodes of its own. Here it gets one NIC with the bandwidth of its links, so that nothing but the
# NIC tells nodes from ranks.
generic=$RESULTS/generic-nic.ini
{
    cat platforms/generic-100g.ini
    printf '\n[node]\nnics = 1\nnics.source = invented\nnic.rate = 12.5GB/s\nnic.rate.source = invented: the bandwidth of its links\n'
} >"$generic"
machines="lumi leonardo peak $generic"

# grow TABLE: moves the rows of $point.csv to the end of TABLE
grow() {
    if [ -e "$1" ]; then tail -n +2 "$point.csv" >>"$1"; else cat "$point.csv" >"$1"; fi
    rm "$point.csv"
}

# settings RANKS TABLE..: prints the algorithms of these tables that take at most a quarter longer there than the best one, with
# that many ranks, each with its parameters as options
settings() {
    places=$1
    shift
    for table in "$@"; do cells "$table" algorithm params ranks x_best; done |
        awk -F '\t' -v ranks="$places" '$3 == ranks && $4 != "" && $4 <= 1.25 {
            n = split($2, param, ";")
            for (i = 1; i <= n; i++) $1 = $1 " --param " param[i]
            print $1
        }' | sort -u
}

# With one rank on a node up to 4,096 ranks, and on 2 and 16 nodes of 32, all algorithms compete with all parameters. On more
# ranks those settings compete, as they are, that are among the four fastest on the most of these, of 32 on a node in
# either way, and not much slower than the best: to ask about all there takes many times as long as all the rest. An allreduce has 256 KiB, which are as many
# elements as ranks at the end, a broadcast 64 KiB, and a block 1 KiB.
own='--set nics=32'
for job in 'allreduce 256K 8' 'bcast 64K 1' 'allgather 1K 1'; do
    # shellcheck disable=SC2086
    set -- $job
    for machine in $machines; do
        point=$RESULTS/$1-$(basename "$machine" .ini) on="-m $2 --element $3 --platform $machine"
        # shellcheck disable=SC2086
        {
            ask best "$1" -p 64,512,4K $on --top 4 -f csv -o "$point-flat-shared.csv"
            ask best "$1" -p 2x32,16x32 $on --top 4 -f csv -o "$point-shared.csv"
            ask best "$1" -p 2x32,16x32 $on $own --top 4 -f csv -o "$point-own.csv"
            settings 4096 "$point-flat-shared.csv" >"$point.settings"
            while read -r setting; do
                ask run "$1" $setting -p 32K $on -f csv -o "$point.csv"
                grow "$point-more-flat-shared.csv"
            done <"$point.settings"
            settings 512 "$point-shared.csv" "$point-own.csv" >"$point.settings"
            while read -r setting; do
                ask run "$1" $setting -p 128x32,1024x32 $on -f csv -o "$point.csv"
                grow "$point-more-shared.csv"
                ask run "$1" $setting -p 128x32,1024x32 $on $own -f csv -o "$point.csv"
                grow "$point-more-own.csv"
            done <"$point.settings"
        }
        rm "$point.settings"
    done
done

# winners.csv: the fastest at each place. NICS is flat (one rank on a node), shared or own.
awk -F, '
    FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["time_s"] == "" || $at["ran"] != "" { next }
    {
        nics = $at["per_node"] == "" ? "flat" : $at["sets"] ~ /nics=/ ? "own" : "shared"
        place = $at["collective"] "," $at["platform"] "," nics "," $at["ranks"]
        if (!(place in best) || $at["time_s"] < best[place]) {
            best[place] = $at["time_s"] + 0
            row[place] = $at["algorithm"] "," $at["params"] "," $at["time_s"] "," $at["certificate"]
        }
    }
    END { for (place in row) print place "," row[place] }' "$RESULTS"/*-shared.csv "$RESULTS"/*-own.csv |
    sort -t, -k1,1 -k2,2 -k3,3 -k4,4n >"$RESULTS/winners.part"
{
    echo 'collective,platform,nics,ranks,algorithm,params,time_s,certificate'
    cat "$RESULTS/winners.part"
} >"$RESULTS/winners.csv"
rm "$RESULTS/winners.part"

# What stands on the page: the winners at 32,768 ranks with their times, and what the winner with a NIC each takes where NICs
# are shared, divided by the winner there; then what a shared NIC costs at all ranks.
awk -F, '
    function scaled(t) { return t < 1e-3 ? sprintf("%.4g us", t * 1e6) : sprintf("%.4g ms", t * 1e3) }
    FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    FILENAME !~ /winners.csv$/ {
        if ($at["ranks"] != 32768 || $at["time_s"] == "" || $at["ran"] != "") next
        key = $1 SUBSEP $at["platform"] SUBSEP $2
        if (!(key in kept) || $at["time_s"] < kept[key]) kept[key] = $at["time_s"] + 0
        next
    }
    { time[$1, $2, $3, $4] = $7; name_of[$1, $2, $3, $4] = $5 }
    END {
        nc = split("allreduce,bcast,allgather", c, ","); np = split("lumi,leonardo,peak,generic-nic", m, ",")
        ns = split("flat,own,shared", n, ",")
        print "| collective | machine | one rank a node | 32 with a NIC each | 32 that share | shared/own | the winner with a NIC each, if they share |" >winners
        print "| --- | --- | --- | --- | --- | --: | --: |" >winners
        many_low = 1e300
        for (i = 1; i <= nc; i++) for (j = 1; j <= np; j++) {
            line = "| " c[i] " | " m[j]
            for (k = 1; k <= ns; k++) line = line " | " name_of[c[i], m[j], n[k], 32768] " " scaled(time[c[i], m[j], n[k], 32768])
            best = time[c[i], m[j], "shared", 32768]
            won = name_of[c[i], m[j], "shared", 32768]
            if (won != name_of[c[i], m[j], "own", 32768] && !(won in listed)) { listed[won]; instead = instead (instead == "" ? "" : ", ") won }
            cost = best / time[c[i], m[j], "own", 32768]
            own = name_of[c[i], m[j], "own", 32768]
            regret = kept[c[i], m[j], own] / best
            printf("%s | %.3g | %.3g |\n", line, cost, regret) >winners
            if (m[j] == "lumi") { if (cost > lumi) lumi = cost }
            else {
                if (cost < many_low) many_low = cost
                if (cost > many_high) { many_high = cost; many_what = c[i] }
            }
            if (regret > first) { second = first; second_at = first_at; first = regret; first_at = c[i] ", " own ", on `" m[j] "`" }
            else if (regret > second) { second = regret; second_at = c[i] ", " own ", on `" m[j] "`" }
        }
        print "| collective | shared/own, least and most | where most | from 64 to 32,768 ranks, shared |" >nics
        print "| --- | --- | --- | --- |" >nics
        slowest = 1e300
        for (i = 1; i <= nc; i++) {
            low = slow = 1e300; high = fast = 0
            for (j = 1; j <= np; j++) {
                for (p = 64; p <= 32768; p *= 8) {
                    x = time[c[i], m[j], "shared", p] / time[c[i], m[j], "own", p]
                    if (x < low) low = x
                    if (x > high) { high = x; where = m[j] ", " p }
                }
                x = time[c[i], m[j], "shared", 32768] / time[c[i], m[j], "shared", 64]
                if (x < slow) slow = x
                if (x > fast) fast = x
            }
            printf("| %s | %.3g to %.3g | %s | %.3g to %.3g times |\n", c[i], low, high, where, slow, fast) >nics
            if (c[i] == "allgather") printf("grow.allgather %.0f to %.0f\n", slow, fast)
            else { if (slow < slowest) slowest = slow; if (fast > fastest) fastest = fast }
            title = title (i == 1 ? "" : i < nc ? ", " : " and ") c[i] (i == 1 ? " up to" : "") sprintf(" %.1f", high)
        }
        print "instead", (instead == "" ? "nothing else" : instead)
        print "title A shared NIC makes " title " times as slow"
        printf("lumi.most %.0f\none.least %.1f\none.most %.1f\none.most-at %s\n", 100 * (lumi - 1), many_low, many_high, many_what)
        printf("regret.first %.1f\nregret.first-at %s\nregret.second %.1f\nregret.second-at %s\n", first, first_at, second, second_at)
        printf("grow.others %.1f to %.1f\n", slowest, fastest)
    }' winners="$RESULTS/winners.table" nics="$RESULTS/nics.table" "$RESULTS"/*-more-shared.csv "$RESULTS/winners.csv" | keep
cat "$RESULTS/winners.table" "$RESULTS/nics.table"
# What the page says of the machines and of the ranks
figure lumi.nics "$(sed -n 's/^nics = //p' platforms/lumi.ini) NICs of $(sed -n 's/^nic.rate = //p' platforms/lumi.ini)"
figure generic.rate "$(sed -n 's/^nic.rate = //p' "$generic")"
figure ranks.times $((32768 / 64))

# The picture: a panel for each collective, and for each machine a line where its NIC is shared, and one where each rank has one.
awk -F, 'BEGIN { print "collective,algorithm,params,ranks,bytes,time_s"; m["allreduce"] = 262144; m["bcast"] = 65536; m["allgather"] = 1024 }
    $3 == "shared" || $3 == "own" { print $1 "," $2 "," ($3 == "own" ? "(a NIC each)" : "(shared)") "," $4 "," m[$1] "," $7 }' \
    "$RESULTS/winners.csv" >"$RESULTS/weak.csv"
ask plot "$RESULTS/weak.csv" --x p --all --title "$(of title)" -o "$RESULTS/weak.svg"
