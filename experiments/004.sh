#!/bin/sh
# The experiment that document 004 asks for: is an allreduce by a tree or by a butterfly better? Both versions on 2 to 128
# and on 1000 ranks, flat and on nodes: rounds, messages and times. experiments/pages/004.md says what this shows. It
# takes about a quarter of a minute. COLLSIM is the program, RESULTS the folder to write to (results/004).
#
#   experiments/004.sh && cp results/004/ratio.svg experiments/pages/004-ratio.svg && \
#       cp results/004/places.svg experiments/pages/004-places.svg
set -eu
cd "$(dirname "$0")/.."
COLLSIM=$(realpath "${COLLSIM:-build/collsim}") RESULTS=${RESULTS:-results/004}
both=tree_v2,butterfly_v2 all=tree_v1,butterfly_v1,tree_v2,butterfly_v2,recursive_doubling
mkdir -p "$RESULTS"

# ask ARGUMENTS: prints the command and runs it
ask() {
    printf '\n$ collsim %s\n' "$*"
    "$COLLSIM" "$@"
}

# columns NAME..: prints these columns of the CSV on standard input, for rows whose own algorithm ran, with spaces
columns() {
    awk -F, -v names="$*" 'NR == 1 { n = split(names, name, " "); for (i = 1; i <= NF; i++) at[$i] = i; next }
        $at["ran"] == "" { for (i = 1; i <= n; i++) printf "%s%s", $at[name[i]], i < n ? " " : "\n" }'
}

# count FILE BYTES: prints at how many of 2 .. 128 ranks the second version of which of the two is faster, for which ranks
# it is the butterfly, the largest ratios of their times, and for which ranks the faster one is not slower than
# recursive doubling
count() {
    columns algorithm bytes ranks time_s <"$1" | awk -v bytes="$2" '
        $2 == bytes && $3 <= 128 { t[$1, $3] = $4 }
        function order(a, b) { return a < b * (1 - 1e-12) ? -1 : a > b * (1 + 1e-12) }
        END {
            for (p = 2; p <= 128; p++) {
                tree = t["tree_v2", p]; butterfly = t["butterfly_v2", p]; doubling = t["recursive_doubling", p]
                o = order(butterfly, tree); n[o]++
                if (o < 0) faster = faster " " p
                if (o == 0) ties = ties " " p
                if (butterfly / tree > high) { high = butterfly / tree; high_p = p }
                if (tree / butterfly > low) { low = tree / butterfly; low_p = p }
                d = order(doubling, o < 0 ? butterfly : tree); m[d]++
                if (d > 0) slower = slower " " p
            }
            printf "butterfly faster at %d:%s\n", n[-1], faster
            printf "as fast at %d:%s; tree faster at %d\n", n[0], ties, n[1]
            printf "the tree is up to %.2f times as fast (p = %d), the butterfly %.2f times (p = %d)\n", high, high_p, low, low_p
            printf "recursive doubling is faster than both at %d, slower than one of them at %d:%s\n", m[-1], m[1], slower
        }'
}

# One rank a node.
ask run allreduce $all -p 2..128,1000 -m 4,64K,1M --element 4 -f csv -o "$RESULTS/flat.csv"
for m in 4 65536 1048576; do
    printf '\nflat, %s bytes, 2 to 128 ranks\n' $m
    count "$RESULTS/flat.csv" $m
done
ask run allreduce $all -p 8,15,17,85,1000 -m 4 --element 4
printf '\nthe messages of all ranks:\n'
columns algorithm ranks bytes messages certificate <"$RESULTS/flat.csv" | grep -E '^(tree|butterfly)_v2 (8|15|17|85|1000) 4 '

# The two versions are the same at powers of two, and the first is for these alone.
columns algorithm ranks bytes certificate messages <"$RESULTS/flat.csv" | awk '{ id = $1; sub(/_v[12]/, "", id); sub(/^[^ ]* /, "")
    } { key = id " " $1 " " $2; if (key in seen && seen[key] != $0) different++; else if (key in seen) same++; seen[key] = $0 }
    END { printf "\nversions 1 and 2 have the same certificate and messages at %d of %d points\n", same, same + different }'

# Up to 1,024 ranks: the numbers of messages and reductions on the critical path decide for all figures of a machine.
ask run allreduce $both -p 2..1024 -m 4 --element 4 -f csv -o "$RESULTS/many.csv"
columns algorithm ranks alpha_count gamma_count messages <"$RESULTS/many.csv" | awk '
    $1 == "tree_v2" { U[$2] = $3; G[$2] = $4 / 4; M[$2] = $5; next }
    { u[$2] = $3; g[$2] = $4 / 4; if ($5 / M[$2] > most) { most = $5 / M[$2]; most_p = $2 } if ($2 > last) last = $2 }
    $1 == "butterfly_v2" && $3 > worst { worst = $3; worst_p = $2 }
    END {
        least = 1e9
        for (p = 2; p <= last; p++)
            if (u[p] == U[p] && g[p] == G[p]) same = same " " p
            else if (u[p] <= U[p] && g[p] <= G[p]) better = better " " p
            else if (g[p] < G[p] && (u[p] - U[p]) / (G[p] - g[p]) < least) {
                least = (u[p] - U[p]) / (G[p] - g[p]); least_p = p
            }
        print "\nthe butterfly has fewer messages and no more reductions on its path:" better
        print "as many of both:" same
        printf "at all others it has more messages; fewer reductions make up for them if one costs %g messages (p = %d)\n",
            least, least_p
        printf "most messages on its path: %d (p = %d); most messages in all, divided by those of the tree: %.2f (p = %d)\n",
            worst, worst_p, most, most_p
    }'

# What if the first rank of a group did not serve ranks that have the result already, because the group has no upper half?
awk 'function time(p, K, served,    H, lower, upper) { # messages on the path, as in the closed form of butterfly_v2
        if (K == 0 || p == 2 ^ K) return K
        H = 2 ^ (K - 1)
        if (p <= H) return time(p, K - 1, served) + (served ? p - 1 : 0)
        lower = K - 1; upper = time(p - H, K - 1, served)
        return (lower > upper ? lower : upper) + 1 + 2 * H - p
    }
    BEGIN {
        for (p = 2; p <= 128; p++) {
            for (rounds = 0; 2 ^ rounds < p; rounds++)
                ;
            messages = time(p, rounds, 0)
            if (messages < 2 * rounds) fewer = fewer " " p
            if (messages / (2 * rounds) > worst) { worst = messages / (2 * rounds); worst_p = p }
        }
        print "\nwithout serving ranks that have the result, the butterfly has fewer messages on its path than the tree at" fewer
        printf "and at most %.2f times as many (p = %d); at p = 85 %d in place of %d, at 1000 %d in place of %d\n", worst, worst_p,
            time(85, 7, 0), time(85, 7, 1), time(1000, 10, 0), time(1000, 10, 1)
    }'

# Other rules for what a rank may do while a message is under way.
for how in "--transfer eager" "--transfer eager-port" "--model loggops"; do
    name=$(echo "$how" | sed 's/.* //')
    ask run allreduce $both,recursive_doubling -p 2..128,1000 -m 4 --element 4 $how -f csv -o "$RESULTS/$name.csv"
    printf '\nflat, 4 bytes, %s\n' "$name"
    count "$RESULTS/$name.csv" 4
done

# Nodes: consecutive ranks share a node, and the last node may have fewer.
for machine in leonardo lumi; do
    for k in 4 8 16 32; do
        file=$RESULTS/$machine-$k.csv
        ask run allreduce $both,recursive_doubling -p 2..128,1000 -m 4,64K,1M --element 4 --platform $machine --per-node $k \
            -f csv -o "$file"
        for m in 4 65536 1048576; do
            printf '\n%s, %s ranks a node, %s bytes\n' $machine $k $m
            count "$file" $m
        done
    done
done
for name in flat leonardo-8 leonardo-32; do
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR == 1 ||
        ($at["bytes"] == 4 && $at["ranks"] <= 128 && $at["algorithm"] ~ /^(tree|butterfly)_v2$/)' \
        "$RESULTS/$name.csv" >"$RESULTS/ratio-$name.csv"
done
ask plot "$RESULTS"/ratio-*.csv --y speedup --baseline tree_v2 --only butterfly_v2 \
    --title 'Tree or butterfly: the tree, except at powers of two and just below them' -o "$RESULTS/ratio.svg"
places=$(for nodes in $(seq 16); do for k in $(seq 16); do echo "${nodes}x$k"; done; done | sed 1d | paste -sd,)
ask run allreduce $both -p "$places" -m 4 --element 4 --platform leonardo -f csv -o "$RESULTS/places.csv"
ask plot "$RESULTS/places.csv" --map -o "$RESULTS/places.svg"

# Which tree: the document's pairs distant ranks first, the other one neighbours.
for m in 4 1M; do
    ask run allreduce reduce_bcast,$both,recursive_doubling -p 61,64 -m $m --element 4 --platform leonardo --per-node 8 \
        --param reduce=binomial_blocking
done

# SimGrid has the same times, and with a real MPI every rank gets the sum, for the document's numbers of ranks. These share
# the cores of a small machine, so that their times say nothing.
if command -v smpirun >/dev/null; then
    ask check --backends sim,smpi allreduce $both -p 5,17,33,100,128 -m 4,1M --element 4
fi
if command -v mpirun >/dev/null; then
    ask check --backends sim,mpi allreduce $both -p 5,6,8,15,16,17 -m 4 --element 4
fi

ask audit --claims experiments/claims/tree_butterfly.csv -f csv -o "$RESULTS/verdicts.csv"
