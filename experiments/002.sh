#!/bin/sh
# The experiment of document 002, a gatherv over a binomial tree that receives chains of blocks straight into place: time
# with copies, connections and memory of linear and the tree, with and without chains, on both levels and with both trees
# for the lengths, on 1K to 32K ranks with 8 B and 8 KB; blocks that touch, with gaps, and mixed. Then how long a chain must
# be to be worth its message, and what the document's speed-ups imply. experiments/pages/002.md says what this shows. It
# takes half a minute. COLLSIM is the program, RESULTS the folder to write to (results/002).
#
#   experiments/002.sh && cp results/002/times.svg experiments/pages/002-times.svg
# shellcheck disable=SC2086 # places, ranks and algorithms are words of this script
set -eu
cd "$(dirname "$0")/.."
COLLSIM=$(realpath "${COLLSIM:-build/collsim}") RESULTS=${RESULTS:-results/002}
places=1K,2K,4K,8K,16K,32K ranks='1024 2048 4096 8192 16384 32768' group=16
rm -rf "$RESULTS/points"
mkdir -p "$RESULTS/points"

# ask ARGUMENTS: prints the command and runs it
ask() {
    printf '$ collsim %s\n' "$*"
    "$COLLSIM" "$@"
}
# points NAME ARGUMENTS: predicts, and writes points/NAME.csv
points() {
    name=$1
    shift
    ask run "$@" --platform "$machine" --memory -f csv -o "$RESULTS/points/$name.csv" 2>"$RESULTS/log"
}

# generic-100g, in the model that has copies: the same alpha and beta, and a byte is copied at the rate at which its shared
# memory is written. Every message uses rendezvous.
machine=$RESULTS/copies.ini
{
    cat platforms/generic-100g.ini
    cat <<'END'

[measured]
one = 0:1us 1G:85900.34592us
one.source = alpha + n beta of [hockney]
gap = 0:1us 1G:85900.34592us
gap.source = the same: a message holds the port until it ends
eager = none
eager.source = the default of hockney: rendezvous
copy = 0.1ns/B
copy.source = write of [shared]
END
} >"$machine"

# mixed RANKS BYTES GROUP: displacements of blocks in groups. The blocks of every second group touch; an unused 8 bytes lie
# before each block of the others, and between groups.
mixed() {
    awk -v p="$1" -v m="$2" -v g="$3" 'BEGIN {
        for (i = 0; i < p; i++) {
            if (int(i / g) % 2 || i % g == 0) at += 8
            printf("%d\n", at)
            at += m
        }
    }' >"$RESULTS/mixed-$1-$2-$3"
}

# ---- Points -------------------------------------------------------------------------------------------------------------
points gather gather binomial -p $places -m 8,8K
points linear gatherv linear -p $places -m 8,8K
tree='gatherv binomial,binomial_chains'
for displs in consecutive gaps; do
    points $displs-conservative $tree -p $places -m 8,8K --displs $displs --element 8 --param level=conservative \
        --param lengths=far,near
    points $displs-aggressive $tree -p $places -m 8,8K --displs $displs --element 8 --param level=aggressive
done
for p in $ranks; do
    for m in 8 8192; do
        mixed $p $m $group
        for level in conservative aggressive; do
            points mixed-$p-$m-$level $tree -p $p -m $m --displs "$RESULTS/mixed-$p-$m-$group" --param level=$level
        done
    done
done
for g in 2 4 8 32 64 128 256 512 1024 2048 4096; do
    for m in 8 8192; do
        mixed 32768 $m $g
        points mixed-32768-$m-aggressive-$g $tree -p 32768 -m $m --displs "$RESULTS/mixed-32768-$m-$g" \
            --param level=aggressive
    done
done

# rows.txt: one line for each point, `name p m arrangement group time_s root_connections max_connections root_scratch
# max_scratch root_copied messages all_connections`. The name is the collective, or the level, its tree and whether there are
# chains.
awk -F, '
    FNR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
    {
        params = $column["params"]
        level = params ~ /aggressive/ ? "aggressive" : params ~ /near/ ? "conservative-near" : "conservative-far"
        name = $1 == "gather" ? "gather" : $2 == "linear" ? "linear" : level ($2 ~ /chains/ ? "-chains" : "-copies")
        displs = $1 == "gather" ? "consecutive" : $column["displs"]
        group = 0
        if (displs ~ /mixed/) { group = displs; sub(/.*-/, "", group); displs = "mixed" }
        print name, $column["ranks"], $column["bytes"], displs, group, $column["time_s"], $column["root_connections"],
            $column["max_connections"], $column["root_scratch_bytes"], $column["max_scratch_bytes"],
            $column["root_copied_bytes"], $column["messages"], $column["all_connections"]
    }' "$RESULTS"/points/*.csv | sort -u >"$RESULTS/rows.txt"

# ---- Tables -------------------------------------------------------------------------------------------------------------
printf '\nconnections of the root, which has the most; MiB at 41,989 bytes each (figure 8); connections of all ranks\n'
awk '$3 == 8 && $4 == "consecutive" && $1 ~ /^(linear|aggressive-chains|conservative-.*-chains)$/ {
        root[$1, $2] = $7; most[$1, $2] = $8; all[$1, $2] = $13
    }
    function memory(name, n) {
        return sprintf("%s%6d %8.2f %7d", root[name, n] == most[name, n] ? " " : "?", root[name, n],
            root[name, n] * 41989 / 2^20, all[name, n])
    }
    END {
        printf("%6s  %24s  %24s  %24s  %24s\n", "p", "linear", "aggressive", "conservative, far", "conservative, near")
        for (n = 1024; n <= 32768; n *= 2)
            printf("%6d  %s  %s  %s  %s\n", n, memory("linear", n), memory("aggressive-chains", n),
                memory("conservative-far-chains", n), memory("conservative-near-chains", n))
    }' "$RESULTS/rows.txt"

printf '\n32,768 ranks: time, divided by that of gather binomial; at the root: scratch and bytes copied; messages\n'
awk -v group=$group '$2 == 32768 && ($5 == 0 || $5 == group) {
        if ($1 == "gather") gather[$3] = $6
        line[++n] = $0
    }
    END {
        for (i = 1; i <= n; i++) {
            split(line[i], x, " ")
            printf("%5d B  %-12s %-25s %12.2f us %9.2f x %12d %12d %9d\n", x[3], x[4], x[1], x[6] * 1e6, x[6] / gather[x[3]],
                x[9], x[11], x[12])
        }
    }' "$RESULTS/rows.txt" | sort -k3,3 -k1,1n -k5,5g

printf '\ngrowth of the time from p to 2p: smallest and largest\n'
awk -v group=$group '$5 == 0 || $5 == group { time[$1 " " $3 " " $4, $2] = $6; names[$1 " " $3 " " $4] }
    END {
        for (k in names) {
            low = 1e9; high = 0
            for (n = 1024; n <= 16384; n *= 2) {
                x = time[k, 2 * n] / time[k, n]
                low = x < low ? x : low; high = x > high ? x : high
            }
            split(k, word, " ")
            printf("%5d B  %-12s %-25s %.4f %.4f\n", word[2], word[3], word[1], low, high)
        }
    }' "$RESULTS/rows.txt" | sort -k3,3 -k1,1n -k4,4

printf '\ntouching blocks, chains: linear / conservative (figures 9, 10), conservative / aggressive / gather (11, 12)\n'
awk '$4 == "consecutive" { time[$1, $2, $3] = $6 }
    END {
        for (m = 8; m <= 8192; m *= 1024)
            for (n = 1024; n <= 32768; n *= 2) {
                slow = time["conservative-far-chains", n, m]; fast = time["aggressive-chains", n, m]
                printf("%5d B  %6d %9.2f %9.3f %9.4f\n", m, n, time["linear", n, m] / slow, slow / fast,
                    fast / time["gather", n, m])
            }
    }' "$RESULTS/rows.txt"

printf '\nmixed, 32,768 ranks, aggressive: time with chains, without, ratio; messages of the root with chains\n'
awk '$2 != 32768 || $4 != "mixed" || $1 !~ /aggressive/ { next }
    { time[$3, $5, $1] = $6 }
    $1 ~ /chains/ { messages[$3, $5] = $12 }
    END {
        for (m = 8; m <= 8192; m *= 1024)
            for (g = 2; g <= 4096; g *= 2) {
                chains = time[m, g, "aggressive-chains"]; copies = time[m, g, "aggressive-copies"]
                printf("%5d B  groups of %4d  %10.1f us %10.1f us %8.3f %6d\n", m, g, chains * 1e6, copies * 1e6,
                    chains / copies, messages[m, g] - 32767 + 15) # all but the root receive 32767 - 15
            }
    }' "$RESULTS/rows.txt"

printf '\nwhat the speed-ups at 32,768 ranks imply of a message of linear; the tree is conservative, with chains\n'
awk '$2 == 32768 && $4 == "consecutive" { time[$1, $3] = $6 }
    END {
        speedup[8] = 41068; speedup[8192] = 32709
        for (m = 8; m <= 8192; m *= 1024) {
            tree = time["conservative-far-chains", m]; linear = time["linear", m]
            printf("%5d B  here %.2f times as fast; %d means that a message takes %.4f times the whole tree: %.4g us, not %.4g\n",
                m, linear / tree, speedup[m], speedup[m] / 32767, speedup[m] * tree / 32767 * 1e6, linear / 32767 * 1e6)
        }
    }' "$RESULTS/rows.txt"

printf '\n'
ask audit --source 002 -f csv -o "$RESULTS/verdicts.csv" 2>>"$RESULTS/log"
ask audit --source 002 | sed -n '/^source/,$p'

# ---- The picture -----------------------------------------------------------------------------------------------------------
# Blocks that touch, with either tree for the lengths, as p is a power of two; linear has no arrangement.
{
    echo 'collective,algorithm,ranks,bytes,time_s'
    awk '$1 == "linear" || $4 == "consecutive" && $1 !~ /near/ {
            name = $1
            sub("-far", "", name); sub("-copies", ", no chains", name); sub("-chains", ", chains", name)
            printf("gatherv,\"%s\",%d,%d,%s\n", name, $2, $3, $6)
        }' "$RESULTS/rows.txt" | sort -u
} >"$RESULTS/times.csv"
printf '\n'
ask plot "$RESULTS/times.csv" --x p --all --title 'The broadcast of the lengths costs most with 8 B, copies with 8 KB' \
    -o "$RESULTS/times.svg"
