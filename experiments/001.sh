#!/bin/sh
# The experiment of document 001, a survey of allreduce: which of five algorithms wins where, their bandwidths at 32 KB,
# whether binary blocks win where delta is small, what the libraries choose, and the sizes and ranks at which MPICH
# changes its reduce-scatter and its broadcast. experiments/pages/001.md says what this shows. It takes one or two minutes.
# COLLSIM is the program, RESULTS the folder to write to (results/001).
set -eu
cd "$(dirname "$0")/.."
COLLSIM=$(realpath "${COLLSIM:-build/collsim}") RESULTS=${RESULTS:-results/001}
five=recursive_doubling,ring,rabenseifner,binary_blocks,reduce_bcast
. experiments/page.sh

# won NAME FILE: keeps how often each algorithm wins, in its map, as NAME.ALGORITHM, and of how many places, as NAME.all
won() {
    "$COLLSIM" plot "$2" --map | awk -v name="$1" "$words"'/, at [0-9]* of / {
        sub(",", "", $2)
        print name "." $2, number($4)
        all = $6
    }
    END { print name ".all", number(all) }' | keep
}

# from_times PROGRAM TABLE: runs an awk program on a table of `run`; T[algorithm, p, m] has the times of the algorithms that ran as
# themselves, and of the libraries' choices. best(p, m) is the least time of the five.
from_times() {
    awk -F, -v five=$five -v table="$RESULTS/${2-}.table" "$words"'
        function best(p, m, i, t) {
            t = 1e9
            for (i = 1; i <= n; i++) if (((name[i], p, m) in T) && T[name[i], p, m] < t) t = T[name[i], p, m]
            return t
        }
        function delta(p, last, e, d) {
            d = 0
            last = -1
            for (e = 0; p; e++) {
                if (p % 2) { if (last >= 0 && e - last > d) d = e - last; last = e }
                p = int(p / 2)
            }
            return d
        }
        BEGIN { n = split(five, name, ",") }
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $at["ran"] == "" || $at["algorithm"] ~ /:auto$/ { T[$at["algorithm"], $at["ranks"], $at["bytes"]] = $at["time_s"] }
        '"$1"
}

# Who wins at 127 numbers of ranks and 21 sizes, elements of 8 bytes as MPI_DOUBLE has.
rm -f "$RESULTS/winners.csv" "$RESULTS/winners.csv.rows"
ask sweep allreduce $five -p 2..128 -m 8..8M:x2 --element 8 -o "$RESULTS/winners.csv"
won won "$RESULTS/winners.csv"
# Up to what size recursive doubling is the fastest at all p but few, where rabenseifner is on four of five, and from where on
# on fewer than half.
from_times '
    END {
        for (m = 8; m <= 8388608; m *= 2) {
            lost = ""; few = others = 0
            for (p = 2; p <= 128; p++) {
                if (T["recursive_doubling", p, m] > best(p, m) * (1 + 1e-9)) { lost = lost " " p; few++ }
                if (("rabenseifner", p, m) in T && T["rabenseifner", p, m] <= best(p, m) * (1 + 1e-9)) others++
            }
            if (few <= 5 && !above) { doubling = size(m); except = few; which = lost }
            else above = 1
            if (others >= 0.8 * 127) { if (middle == "") middle = size(m); last = size(m) }
            if (last != "" && digits == "" && others < 127 / 2) digits = size(m)
        }
        sub(/^ /, "", which)
        print "map.doubling", doubling
        print "map.doubling-except", except ? "except on " which " ranks" : "on all"
        print "map.middle", middle == last ? middle : middle " to " last
        print "map.last", last
        print "map.digits", digits
    }' <"$RESULTS/winners.csv" | keep
ask plot "$RESULTS/winners.csv" --map -o "$RESULTS/winners.svg" \
    --title "allreduce, generic-100g: recursive_doubling wins at $(of won.recursive_doubling) of $(of won.all) places"

# Bandwidths at 32 KB.
ask run allreduce $five -p 2..64 -m 32K --element 8 -f csv -o "$RESULTS/bandwidth.csv"
won at-32k "$RESULTS/bandwidth.csv"
ask plot "$RESULTS/bandwidth.csv" --x p --y bandwidth -o "$RESULTS/bandwidth.svg" \
    --title "allreduce, 32K bytes, generic-100g: rabenseifner wins at $(of at-32k.rabenseifner) of $(of at-32k.all) p, binary_blocks at $(of at-32k.binary_blocks)"

# Binary blocks and delta, from the table of the map: how often they are the best of the five, and faster than
# rabenseifner; 2 to 64 ranks for the page, and the most for 2 to 128.
from_times '
    function judge(p, m, t) {
        if (!(("binary_blocks", p, m) in T)) return
        t = T["binary_blocks", p, m]
        is_best = t <= best(p, m) * (1 + 1e-9)
        good[m, "all"] += is_best
        good[m, delta(p)] += is_best
        all[m, delta(p)]++
        faster[m, delta(p)] += t <= T["rabenseifner", p, m] * (1 + 1e-9)
        if (is_best && (p == 31 || p == 63)) runs_of_ones++
        if (m == 8388608) {
            level += t <= T["rabenseifner", p, m] * (1 + 1e-9)
            ring += T["ring", p, m] < t * (1 - 1e-9) && T["ring", p, m] < T["rabenseifner", p, m] * (1 - 1e-9)
        }
    }
    END {
        for (p = 2; p <= 64; p++) for (m = 32768; m <= 8388608; m *= 2) judge(p, m)
        print "| bytes | best, of 63 | delta 0: best, of " all[m = 32768, 0] " | delta 1: best, faster, of " all[m, 1] " | delta 2: best, faster, of " all[m, 2] \
            " | delta 3: best, faster, of " all[m, 3] " | delta 4, 5: faster, of " all[m, 4] + all[m, 5] " |" >table
        print "| --- | --: | --: | --: | --: | --: | --: |" >table
        for (m = 32768; m <= 8388608; m *= m == 1048576 ? 8 : 2)
            print "| " size(m) " | " good[m, "all"] " | " good[m, 0] " | " good[m, 1] ", " faster[m, 1] " | " good[m, 2] ", " faster[m, 2] " | " \
                good[m, 3] ", " faster[m, 3] " | " faster[m, 4] + faster[m, 5] " |" >table
        print "blocks.256k", good[262144, 1] " of " all[262144, 1]
        yes("blocks.runs-of-ones", !runs_of_ones)
        print "blocks.level", level; print "blocks.ring", ring
        for (key in good) delete good[key]
        for (p = 2; p <= 128; p++) for (m = 32768; m <= 8388608; m *= 2) judge(p, m)
        for (m = 32768; m <= 8388608; m *= 2) if (good[m, "all"] > most) { most = good[m, "all"]; where = size(m) }
        print "blocks.most", most; print "blocks.most-at", where
    }' delta <"$RESULTS/winners.csv" | keep
cat "$RESULTS/delta.table"

# Its claims, the three about delta among them.
claims 001
cells "$RESULTS/audit.csv" id verdict at true | awk -F '\t' "$words"'
    $1 ~ /^001-5-small-delta/ {
        name = substr($1, length("001-5-small-delta-") + 1)
        if (name == "") name = "all"
        match($2, /[0-9]+ of [0-9]+/)
        print "claim." name, substr($2, RSTART, RLENGTH)
        sub(/ times.*/, "", $4)
        split($3, at, /[= ]/)
        printf("claim.%s-worst %.2f times the best, %d ranks, %s\n", name, $4, at[2], size(at[4]))
    }' | keep

# What the boundaries between blocks cost, and where binary blocks gain.
ask run allreduce binary_blocks,rabenseifner,ring -p 31,33,48,63 -m 256K --element 8 -f csv -o "$RESULTS/boundaries.csv"
cells "$RESULTS/boundaries.csv" algorithm ranks time_s alpha_count beta_count | awk -F '\t' "$words"'
    { t[$1, $2] = $3; a[$1, $2] = $4; b[$1, $2] = $5 }
    END {
        print "boundary.33", a["binary_blocks", 33] " alpha against " a["rabenseifner", 33]
        printf("boundary.48 %.0f us against %.0f us\n", t["binary_blocks", 48] * 1e6, t["rabenseifner", 48] * 1e6)
        print "boundary.48-counts", a["binary_blocks", 48] " alpha + " number(b["binary_blocks", 48]) " beta against " \
            a["rabenseifner", 48] " alpha + " number(b["rabenseifner", 48]) " beta"
    }' | keep

# The time of what the libraries choose, divided by that of the best of the five; and by the best of their own. Every fifth
# number of ranks is odd as often as even.
ask run allreduce $five,ompi-4.1:auto,mpich-4.0:auto -p 2..512:+5 -m 8..8M:x4 --element 8 -f csv -o "$RESULTS/libraries.csv"
from_times '
    END {
        print "| bytes | Open MPI 4.1.4 | worst, at p | MPICH 4.0.2 | worst, at p |\n| --- | --: | --: | --: | --: |" >table
        for (m = 8; m <= 8388608; m *= 4) {
            line = "| " size(m)
            for (k = 1; k <= 2; k++) {
                sum = worst = 0
                for (p = 2; p <= 512; p += 5) {
                    x = T[k == 1 ? "ompi-4.1:auto" : "mpich-4.0:auto", p, m] / best(p, m)
                    sum += log(x)
                    if (x > worst * (1 + 1e-9)) { worst = x; where = p }
                    if (k == 2 && m <= 8192 && x > lead) lead = x
                }
                total[k] += sum
                line = line sprintf(" | %.2f | %.2f%s", exp(sum / 103), worst, worst < 1.005 ? "" : ", " where)
            }
            print line " |" >table
        }
        printf("| all 11 sizes | %.2f | | %.2f | |\n", exp(total[1] / 103 / 11), exp(total[2] / 103 / 11)) >table
        printf("libraries.mpich-short %.1f\n", lead)
    }' libraries <"$RESULTS/libraries.csv" | keep
cat "$RESULTS/libraries.table"
for library in ompi-4.1 mpich-4.0; do
    ask regret $library allreduce -p 2..512:+10 -m 8..8M:x4 --element 8 --top 1 -f csv -o "$RESULTS/regret-$library.csv"
    figure regret.$library "$(cells "$RESULTS/regret-$library.csv" collective x_mean | awk '$1 == "allreduce" && !n++ { printf("%.2f", $2) }')"
done

# changes FILE: prints `ranks size` for each row of a crossover in CSV: the size from which on the second one is faster
changes() {
    cells "$1" ranks second before after next_bytes | awk -F '\t' '
        function rounded(m) { return m < 1024 ? m "" : m < 1000 * 1024 ? sprintf("%.0fK", m / 1024) : sprintf("%.1fM", m / 1048576) }
        { print $1, $4 != $2 ? "never" : $3 == $2 ? "always" : rounded($5) }'
}
# line TEXT RANKS..: a row of the table of what changes prints, for these ranks
line() {
    printf '| %s |' "$1"
    shift
    awk -v ranks="$*" '{ size[$1] = $2 } END { n = split(ranks, p, " "); for (i = 1; i <= n; i++) printf(" %s |", size[p[i]]); print "" }'
}
# head RANKS..: the head of such a table
head_of() {
    printf '| ranks |'
    printf ' %s |' "$@"
    printf '\n| --- |'
    printf ' --: |%.0s' "$@"
    echo
}

# Reduce-scatter: recursive halving below 256 KB and pairwise from there on. Broadcast: binomial below 8 ranks.
ask crossover reduce_scatter recursive_halving pairwise -p 4,8,16,32,64,128,256,512 --element 8 -f csv -o "$RESULTS/powers.csv"
figure halving.powers "$([ -z "$(changes "$RESULTS/powers.csv" | grep -v never)" ] && echo yes || echo no)"
others='3 6 12 24 33 48 66 96 192 384'
ask crossover reduce_scatter recursive_halving pairwise -p "$(echo $others | tr ' ' ,)" --element 8 -f csv -o "$RESULTS/others.csv"
{
    head_of $others
    changes "$RESULTS/others.csv" | line 'pairwise is faster from' $others
} >"$RESULTS/halving.table"
figure halving.least "$(changes "$RESULTS/others.csv" | sed -n 's/^6 //p')"
figure halving.most "$(changes "$RESULTS/others.csv" | sed -n 's/^384 //p')"
for machine in generic-100g lumi leonardo alps; do
    ask crossover reduce_scatter recursive_halving pairwise -p 48 --element 8 --platform $machine -f csv -o "$RESULTS/48-$machine.csv"
    figure halving.48.$machine "$(changes "$RESULTS/48-$machine.csv" | sed 's/.* //')"
done
few='3 4 5 6 7 8 9 12 16'
ask crossover bcast binomial_far scatter_ring_allgather -p 2..16 -f csv -o "$RESULTS/with-ring.csv"
ask crossover bcast binomial_far scatter_rd_allgather -p 2..16 -f csv -o "$RESULTS/with-doubling.csv"
{
    head_of $few
    changes "$RESULTS/with-ring.csv" | line 'with a ring' $few
    changes "$RESULTS/with-doubling.csv" | line 'with recursive doubling' $few
} >"$RESULTS/bcast.table"
cat "$RESULTS/halving.table" "$RESULTS/bcast.table"
figure bcast.two-ranks "$(cat "$RESULTS/with-ring.csv" "$RESULTS/with-doubling.csv" >"$RESULTS/with.csv"; changes "$RESULTS/with.csv" | grep -c '^2 never' | sed 's/2/yes/; s/[01]/no/')"
changes "$RESULTS/with-ring.csv" | awk '$1 >= 3 && $1 <= 7 { n = $2 + 0; if (!low || n < low) low = n; if (n > high) high = n }
    END { print "bcast.few", low "K to " high "K" }' | keep
ask run bcast binomial_far,scatter_ring_allgather,scatter_rd_allgather,mpich-4.0:auto -p 7,8 -m 1M -f csv -o "$RESULTS/bcast.csv"
cells "$RESULTS/bcast.csv" algorithm ranks time_s | awk -F '\t' '
    { time[$1, $2] = $3; if (!($2 in best) || $3 < best[$2]) best[$2] = $3 }
    END {
        printf("bcast.binomial %.0f us\nbcast.ring %.0f us\n", time["binomial_far", 7] * 1e6, time["scatter_ring_allgather", 7] * 1e6)
        printf("bcast.gain %.2f\n", time["binomial_far", 7] / time["scatter_ring_allgather", 7])
        printf("bcast.eight %.0f us\nbcast.within %.0f\n", time["mpich-4.0:auto", 8] * 1e6, 100 * (time["mpich-4.0:auto", 8] / best[8] - 1) + 0.5)
    }' | keep

# What the page cites of its claims
verdict_of() { cells "$RESULTS/audit.csv" id verdict | awk -F '\t' -v id="$1" '$1 == id { print $2 }'; }
figure switch "$(verdict_of 001-4-switch)"
figure ordered "$(verdict_of 001-3-switch-ordered | grep -q '^wrong' && echo yes || echo no)"
figure names "$(cells "$RESULTS/audit.csv" id verdict | awk -F '\t' '
    $1 ~ /^001-ompi-/ { n++; exact += $2 == "exact" }
    END { print (n && n == exact ? "yes" : "no") }')"
