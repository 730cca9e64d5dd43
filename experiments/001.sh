#!/bin/sh
# The experiment of document 001, a survey of allreduce: which of five algorithms wins where, their bandwidths at 32 KB,
# whether binary blocks win where delta is small, what the libraries choose, and the sizes and ranks at which MPICH
# changes its reduce-scatter and its broadcast. experiments/pages/001.md says what this shows. It takes one or two minutes.
# COLLSIM is the program, RESULTS the folder to write to (results/001).
#
#   experiments/001.sh && cp results/001/winners.svg experiments/pages/001-winners.svg && \
#       cp results/001/bandwidth.svg experiments/pages/001-bandwidth.svg
set -eu
cd "$(dirname "$0")/.."
COLLSIM=$(realpath "${COLLSIM:-build/collsim}") RESULTS=${RESULTS:-results/001}
five=recursive_doubling,ring,rabenseifner,binary_blocks,reduce_bcast
mkdir -p "$RESULTS"

# ask ARGUMENTS: prints the command and runs it
ask() {
    printf '\n$ collsim %s\n' "$*"
    "$COLLSIM" "$@"
}

# won FILE: prints how often each algorithm wins, as its map counts
won() {
    "$COLLSIM" plot "$1" --map | grep ', at [0-9]* of '
}

# from_times PROGRAM: runs an awk program on a table of `run`; T[algorithm, p, m] has the times of the algorithms that ran as
# themselves, and of the libraries' choices. best(p, m) is the least time of the five.
from_times() {
    awk -F, -v five=$five '
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

# Who wins at 511 numbers of ranks and 21 sizes, elements of 8 bytes as MPI_DOUBLE has.
rm -f "$RESULTS/winners.csv" "$RESULTS/winners.csv.rows"
ask sweep allreduce $five -p 2..512 -m 8..8M:x2 --element 8 -o "$RESULTS/winners.csv"
ask plot "$RESULTS/winners.csv" --map -o "$RESULTS/winners.svg" \
    --title "allreduce, generic-100g: recursive_doubling wins up to 8K, then rabenseifner, binary_blocks and ring"
won "$RESULTS/winners.csv"

# Bandwidths at 32 KB.
ask run allreduce $five -p 2..64 -m 32K --element 8 -f csv -o "$RESULTS/bandwidth.csv"
ask plot "$RESULTS/bandwidth.csv" --x p --y bandwidth -o "$RESULTS/bandwidth.svg" \
    --title "allreduce, 32K bytes, generic-100g: rabenseifner wins at 47 of 63 p, binary_blocks at 11"
won "$RESULTS/bandwidth.csv"

# Binary blocks and delta, from the table of the map: how often they are the best of the five, and faster than
# rabenseifner.
printf '\nbinary_blocks: the best of the five, and no slower than rabenseifner, of so many p\n'
from_times '
    function judge(p, m, t) {
        if (!(("binary_blocks", p, m) in T)) return
        t = T["binary_blocks", p, m]
        good[m, "all"] += is_best = t <= best(p, m) * (1 + 1e-9)
        good[m, delta(p)] += is_best
        all[m, delta(p)]++
        faster[m, delta(p)] += t <= T["rabenseifner", p, m] * (1 + 1e-9)
    }
    END {
        for (most = 64; most <= 512; most += 448) {
            for (key in good) delete good[key]
            for (key in all) delete all[key]
            for (key in faster) delete faster[key]
            for (p = 2; p <= most; p++) for (m = 32768; m <= 8388608; m *= 2) judge(p, m)
            printf "p 2..%d\n%8s %5s", most, "bytes", "best"
            for (d = 0; d <= 5; d++) printf "  delta %d: best faster of", d
            print ""
            for (m = 32768; m <= 8388608; m *= 2) {
                printf "%8d %5d", m, good[m, "all"]
                for (d = 0; d <= 5; d++) printf " %14d %6d %3d", good[m, d], faster[m, d], all[m, d]
                print ""
            }
        }
    }' <"$RESULTS/winners.csv"
{
    head -n 1 experiments/claims/allreduce_survey.csv
    grep '^001-5-small-delta' experiments/claims/allreduce_survey.csv
} >"$RESULTS/claims.csv"
ask audit --claims "$RESULTS/claims.csv"

ask run allreduce binary_blocks,rabenseifner,ring -p 31,33,48,63 -m 256K --element 8

# The time of what the libraries choose, divided by that of the best of the five; and by the best of their own.
ask run allreduce $five,ompi-4.1:auto,mpich-4.0:auto -p 2..512 -m 8..8M:x4 --element 8 -f csv -o "$RESULTS/libraries.csv"
for library in ompi-4.1 mpich-4.0; do
    printf '\n%s: its choice divided by the best of the five\n' $library
    from_times '
        END {
            printf "%8s %6s %6s %6s\n", "bytes", "mean", "worst", "at p"
            for (m = 8; m <= 8388608; m *= 4) {
                sum = worst = 0
                for (p = 2; p <= 512; p++) {
                    x = T["'$library':auto", p, m] / best(p, m)
                    sum += log(x)
                    over += x > 1.1
                    if (x > worst) { worst = x; where = p }
                }
                total += sum
                printf "%8d %6.2f %6.2f %6d\n", m, exp(sum / 511), worst, where
            }
            printf "%8s %6.2f; above 1.1 at %.0f %% of %d points\n", "all", exp(total / 511 / 11), 100 * over / 511 / 11, 511 * 11
        }' <"$RESULTS/libraries.csv"
    ask regret $library allreduce -p 2..512:+2 -m 8..8M:x4 --element 8 --top 3
done

# Reduce-scatter: recursive halving below 256 KB and pairwise from there on. Broadcast: binomial below 8 ranks.
ask crossover reduce_scatter recursive_halving pairwise -p 4,8,16,32,64,128,256,512 --element 8
ask crossover reduce_scatter recursive_halving pairwise -p 3,6,12,24,33,48,66,96,192,384 --element 8
for machine in lumi leonardo alps; do
    ask crossover reduce_scatter recursive_halving pairwise -p 48,64 --element 8 --platform $machine
done
ask crossover bcast binomial_far scatter_ring_allgather -p 2..16
ask crossover bcast binomial_far scatter_rd_allgather -p 2..16
ask run bcast binomial_far,scatter_ring_allgather,scatter_rd_allgather,mpich-4.0:auto -p 3,4,7,8 -m 12K,64K,1M
