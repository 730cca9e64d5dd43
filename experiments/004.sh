#!/bin/sh
# The experiment that document 004 asks for: is an allreduce by a tree or by a butterfly better? Both versions on 2 to 128
# and on 1000 ranks, flat and on nodes: rounds, messages and times. experiments/pages/004.md says what this shows. It
# takes about a quarter of a minute. COLLSIM is the program, RESULTS the folder to write to (results/004).
set -eu
cd "$(dirname "$0")/.."
COLLSIM=$(realpath "${COLLSIM:-build/collsim}") RESULTS=${RESULTS:-results/004}
both=tree_v2,butterfly_v2 all=tree_v1,butterfly_v1,tree_v2,butterfly_v2,recursive_doubling
. experiments/page.sh

# columns NAME..: prints these columns of the CSV on standard input, for rows whose own algorithm ran, with spaces
columns() {
    cells - ran "$@" | sed -n 's/^\t//p' | tr '\t' ' '
}

# count NAME FILE BYTES: compares the second versions of the two with each other, and both with recursive doubling, at 2 ..
# 128 ranks, and keeps, as NAME.butterfly and so on: at how many ranks the butterfly is faster, for which, at how many both
# take as long, at how many the tree is faster, their largest ratios, and where recursive doubling is faster than both
count() {
    printf '\n'
    columns algorithm bytes ranks time_s <"$2" | awk -v name="$1" -v bytes="$3" '
        $2 == bytes && $3 <= 128 { t[$1, $3] = $4 }
        function order(a, b) { return a < b * (1 - 1e-12) ? -1 : a > b * (1 + 1e-12) }
        # spans LIST: the numbers of a list that rises, of which three and more in a row become "a to b"
        function spans(list,    n, word, i, j, text) {
            n = split(list, word, " ")
            for (i = 1; i <= n; i = j + 1) {
                for (j = i; j < n && word[j + 1] == word[j] + 1; j++)
                    ;
                if (j < i + 2) j = i
                text = text (i == 1 ? "" : j == n ? " and " : ", ") word[i] (j > i ? " to " word[j] : "")
            }
            return n ? text : "none"
        }
        END {
            for (p = 2; p <= 128; p++) {
                tree = t["tree_v2", p]; butterfly = t["butterfly_v2", p]; doubling = t["recursive_doubling", p]
                o = order(butterfly, tree); n[o]++
                if (p <= 64) to_64[o]++
                list[o] = list[o] " " p
                if (butterfly / tree > high) { high = butterfly / tree; high_p = p }
                if (tree / butterfly > low) { low = tree / butterfly; low_p = p }
                d = order(doubling, o < 0 ? butterfly : tree); m[d]++
                slower[d] = slower[d] " " p
            }
            print name ".butterfly " n[-1] + 0
            print name ".butterfly-at " spans(list[-1])
            print name ".tie " n[0] + 0
            print name ".tie-at " spans(list[0])
            print name ".tree " n[1] + 0
            printf "%s.to-64 %d %d %d\n", name, to_64[-1], to_64[1], to_64[0]
            printf "%s.tree-most %.2f\n%s.tree-most-at %d\n", name, high, name, high_p
            printf "%s.butterfly-most %.2f\n", name, low
            print name ".doubling " m[-1] + 0
            print name ".doubling-tie-at " spans(slower[0])
            print name ".doubling-slower-at " spans(slower[1])
        }' | keep
}

# One rank a node.
ask run allreduce $all -p 2..128,1000 -m 4,64K,1M --element 4 -f csv -o "$RESULTS/flat.csv"
for m in 4 65536 1048576; do
    count flat.$m "$RESULTS/flat.csv" $m
done
ask run allreduce $all -p 8,15,17,85,1000 -m 4 --element 4
columns algorithm ranks bytes time_s <"$RESULTS/flat.csv" | awk '
    $2 == 1000 && $3 == 4 { t[$1] = $4 }
    END {
        x = t["butterfly_v2"] / t["recursive_doubling"]
        printf "flat.inefficient %.1f\nflat.is-inefficient %s\n", x, (x > 2 ? "yes" : "no")
    }' | keep

# The versions are the same at powers of two, and the first is for these alone.
columns algorithm ranks bytes certificate messages <"$RESULTS/flat.csv" | awk '{ id = $1; sub(/_v[12]/, "", id); sub(/^[^ ]* /, "")
    } { key = id " " $1 " " $2; if (key in seen && seen[key] != $0) different++; else if (key in seen) same++; seen[key] = $0 }
    END { printf "versions.same %d\nversions.points %d\n", same, same + different }' | keep

# How far the fastest of the three is from the best of all.
ask best allreduce -p 64,1000 -m 4,64K,1M --element 4 --top 1 -f csv -o "$RESULTS/best.csv"
cat "$RESULTS/flat.csv" "$RESULTS/best.csv" | awk -F, '
    $1 == "collective" { for (i = 1; i <= NF; i++) at[$i] = i; part++; next }
    { here = $at["ranks"] " " $at["bytes"] }
    part == 1 { if ($at["algorithm"] == "recursive_doubling") time[here] = $at["time_s"]; next }
    !(here in best) { best[here] = $at["time_s"]; name[here] = $at["algorithm"] }
    END {
        print "| recursive doubling / the best of `collsim best` | 4 B | 64 KiB | 1 MiB |\n| --- | --- | --- | --- |"
        for (p = 64; p <= 1000; p += 936) {
            printf("| %s ranks", p == 1000 ? "1,000" : p)
            for (m = 4; m <= 2^20; m = m == 4 ? 65536 : 2^20 + (m == 2^20)) {
                here = p " " m
                printf(" | %.2f%s", time[here] / best[here], name[here] == "recursive_doubling" ? "" : " (" name[here] ")")
            }
            print " |"
        }
    }' >"$RESULTS/best.table"
cat "$RESULTS/best.table"

# Up to which size recursive doubling is within a tenth of the best of all.
ask best allreduce -p 64,1000 -m 4..1M:x4 --element 4 --top 1 -f csv -o "$RESULTS/advice-best.csv"
ask run allreduce recursive_doubling -p 64,1000 -m 4..1M:x4 --element 4 -f csv -o "$RESULTS/advice.csv"
for name in advice-best advice; do
    cells "$RESULTS/$name.csv" ranks bytes time_s
done | awk -F '\t' "$words"'
    $3 == "" { next }
    !(($1, $2) in best) { best[$1, $2] = $3; next }
    { x[$1, $2] = $3 / best[$1, $2] }
    END {
        for (p = 64; p <= 1000; p += 936) {
            for (m = 4; m <= 1048576 && x[p, m] <= 1.1; m *= 4) upto = m
            printf("advice.%d %s\nadvice.%d-most %.2f\n", p, size(upto), p, x[p, 1048576])
            upto = 0
        }
    }' | keep

# Up to 1,024 ranks: the numbers of messages and reductions on the critical path decide for all figures of a machine.
ask run allreduce $both -p 2..1024 -m 4 --element 4 -f csv -o "$RESULTS/many.csv"
columns algorithm ranks alpha_count gamma_count messages <"$RESULTS/many.csv" >"$RESULTS/many.txt"
awk "$words"'
    function log2_up(p,    c) { while (2 ^ c < p) c++; return c }
    function path(u, g) { return u " u + " g " g" }
    { u[$1, $2] = $3; g[$1, $2] = $4 / 4; n[$1, $2] = $5; if ($2 > last) last = $2 }
    END {
        powers = below = trees = twice = near = every = 1
        least = 1e9
        for (p = 2; p <= last; p++) {
            c = log2_up(p); U = u["tree_v2", p]; G = g["tree_v2", p]; b = u["butterfly_v2", p]; r = g["butterfly_v2", p]
            trees = trees && U == 2 * c && G == c
            twice = twice && n["tree_v2", p] == 2 * p - 2
            if (p == 2 ^ c) powers = powers && b == c && r == c && n["butterfly_v2", p] == p * c
            if (p == 2 ^ c - 1) below = below && b == 2 * c - 1 && r == c
            if (b == U && r == G) ties++
            else if (b <= U && r <= G) { better++; every = every && (p == 2 ^ c || p == 2 ^ c - 1 || p == 6) }
            else if (r < G && (b - U) / (G - r) < least) { least = (b - U) / (G - r); least_p = p }
            if (n["butterfly_v2", p] / n["tree_v2", p] > most) { most = n["butterfly_v2", p] / n["tree_v2", p]; most_p = p }
            formula = p * log(p) / log(2)
            x = n["butterfly_v2", p] / formula
            if (x < 1) x = 1 / x
            if (x > off) off = x
            if (b > longest) { longest = b; longest_p = p }
        }
        yes("rule.tree", trees); yes("rule.tree-messages", twice)
        yes("rule.powers", powers); yes("rule.below", below); yes("rule.where", every)
        yes("rule.two-messages", least >= 2)
        print "many.last", number(last)
        print "many.costs", least; print "many.costs-at", least_p
        print "many.longest", longest; print "many.longest-at", longest_p; print "many.longest-tree", u["tree_v2", longest_p]
        printf "many.messages %.2f\nmany.messages-at %d\nmany.messages-off %.2f\n", most, most_p, off
        yes("many.far-more", most > 2); yes("many.linear", longest > last / 2)
        k = split("8 17 85 1000", word, " ")
        for (i = 1; i <= k; i++) {
            p = word[i]
            print "messages.butterfly." p, number(n["butterfly_v2", p])
            print "messages.tree." p, number(n["tree_v2", p])
            print "path.butterfly." p, u["butterfly_v2", p]
        }
        print "messages.formula.1000", number(sprintf("%.0f", 1000 * log(1000) / log(2)))
        k = split("3 5 6 12 14 17 85 1000", word, " ")
        print "| p | butterfly | tree | messages less |\n| --- | --- | --- | --- |" >table
        for (i = 1; i <= k; i++) {
            p = word[i]; U = u["tree_v2", p]; b = u["butterfly_v2", p]
            print "| " p " | " path(b, g["butterfly_v2", p]) " | " path(U, g["tree_v2", p]) " | " \
                (b < U ? "butterfly, by " U - b : b == U ? "neither" : sprintf("tree, %.2f times", b / U)) " |" >table
        }
    }' table="$RESULTS/paths.table" "$RESULTS/many.txt" | keep
cat "$RESULTS/paths.table"

# What if the first rank of a group did not serve ranks that have the result already, because the group has no upper half?
awk "$words"'function time(p, K, served,    H, lower, upper) { # messages on the path, as in the closed form of butterfly_v2
        if (K == 0 || p == 2 ^ K) return K
        H = 2 ^ (K - 1)
        if (p <= H) return time(p, K - 1, served) + (served ? p - 1 : 0)
        lower = K - 1; upper = time(p - H, K - 1, served)
        return (lower > upper ? lower : upper) + 1 + 2 * H - p
    }
    END {
        for (p = 2; p <= 128; p++) {
            for (rounds = 0; 2 ^ rounds < p; rounds++)
                ;
            messages = time(p, rounds, 0)
            if (messages < 2 * rounds) fewer++
            if (messages / (2 * rounds) > worst) { worst = messages / (2 * rounds); worst_p = p }
        }
        printf "waste.most %.2f\nwaste.85 %d\nwaste.1000 %d\n", worst, time(85, 7, 0), time(1000, 10, 0)
        yes("waste.formula", time(85, 7, 1) == longest85)
        yes("waste.same", fewer == kept)
    }' kept="$(of flat.4.butterfly)" longest85="$(of path.butterfly.85)" </dev/null | keep

# Other rules for what a rank may do while a message is under way.
for how in "--transfer eager" "--transfer eager-port" "--model loggops"; do
    name=$(echo "$how" | sed 's/.* //')
    ask run allreduce $both,recursive_doubling -p 2..128,1000 -m 4 --element 4 $how -f csv -o "$RESULTS/$name.csv"
    count "$name.4" "$RESULTS/$name.csv" 4
done
row() { # row TEXT NAME: the row of a rule, or of a place
    echo "| $1 | $(of "$2.butterfly") | $(of "$2.tie") | $(of "$2.tree") | $(of "$2.tree-most") | $(of "$2.doubling") |"
}
{
    echo '| rule | butterfly | tie | tree | most for the tree | recursive doubling faster than both |'
    echo '| --- | --: | --: | --: | --: | --: |'
    row rendezvous flat.4
    for name in eager-port eager loggops; do
        row $name $name.4
    done
} >"$RESULTS/rules.table"

# Nodes: consecutive ranks share a node, and the last node may have fewer.
for machine in leonardo lumi; do
    for k in 4 8 16 32; do
        file=$RESULTS/$machine-$k.csv
        ask run allreduce $both,recursive_doubling -p 2..128,1000 -m 4,64K,1M --element 4 --platform $machine --per-node $k \
            -f csv -o "$file"
        for m in 4 65536 1048576; do
            count $machine-$k.$m "$file" $m
        done
    done
done
{
    echo '| ranks a node | Leonardo 4 bytes | 64 KiB | 1 MiB | LUMI 4 bytes | 64 KiB | 1 MiB |'
    echo '| --- | --: | --: | --: | --: | --: | --: |'
    for k in 1 4 8 16 32; do
        printf '| %s' "$([ $k = 1 ] && echo '1, flat (`generic-100g`)' || echo $k)"
        for machine in leonardo lumi; do
            for m in 4 65536 1048576; do
                printf ' | %s' "$(of "$([ $k = 1 ] && echo flat || echo $machine-$k).$m.butterfly")"
            done
        done
        echo ' |'
    done
} >"$RESULTS/nodes.table"
# The most that the tree gains, and the numbers of ranks at which recursive doubling does not win, over all nodes.
sed -n 's/^\(l[^.]*\)\.\([0-9]*\)\.\(tree-most\|tree-most-at\|doubling\)\t\(.*\)/\1 \2 \3 \4/p' "$figures" | awk '
    { v[$1, $2, $3] = $4; places[$1 " " $2] }
    END {
        for (key in places) {
            split(key, k, " ")
            if (v[k[1], k[2], "tree-most"] > most) { most = v[k[1], k[2], "tree-most"]; machine = k[1]; m = k[2] }
            d = v[k[1], k[2], "doubling"]
            if (!low || d < low) low = d
            if (d > high) high = d
        }
        sub(/-/, ", ", machine); sub(/leonardo/, "Leonardo", machine); sub(/lumi/, "LUMI", machine)
        print "nodes.most", most
        name = machine; sub(/, /, "-", name); name = tolower(name)
        print "nodes.most-at", machine " ranks a node, " v[name, m, "tree-most-at"] " ranks, " m " bytes"
        print "nodes.doubling", low " to " high
    }' | keep
for name in flat leonardo-8 leonardo-32; do
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR == 1 ||
        ($at["bytes"] == 4 && $at["ranks"] <= 128 && $at["algorithm"] ~ /^(tree|butterfly)_v2$/)' \
        "$RESULTS/$name.csv" >"$RESULTS/ratio-$name.csv"
done
ask plot "$RESULTS"/ratio-*.csv --y speedup --baseline tree_v2 --only butterfly_v2 \
    --title 'Tree or butterfly: the tree, except at powers of two and just below them' -o "$RESULTS/ratio.svg"
places=$(for nodes in $(seq 16); do for k in $(seq 16); do echo "${nodes}x$k"; done; done | sed 1d | paste -sd,)
ask run allreduce $both -p "$places" -m 4 --element 4 --platform leonardo -f csv -o "$RESULTS/places.csv"
columns algorithm nodes per_node time_s <"$RESULTS/places.csv" | awk '
    { t[$1, $2, $3] = $4; seen[$2 " " $3] }
    END {
        for (here in seen) {
            split(here, k, " ")
            x = t["tree_v2", k[1], k[2]] / t["butterfly_v2", k[1], k[2]]
            all++
            if (x < 1 - 1e-12) tree++
            else if (x < 1 + 1e-12) ties++
            else if (k[1] == 2) wins[k[2]] = 1
        }
        print "places.tree", tree; print "places.all", all; print "places.ties", ties + 0
        for (i = 1; i <= 16; i++) if (i in wins) list = list (list == "" ? "" : ", ") i
        print "places.two-nodes", list
    }' | keep
ask plot "$RESULTS/places.csv" --map -o "$RESULTS/places.svg"

# Which tree: the document's pairs distant ranks first, the other one neighbours.
ask run allreduce reduce_bcast,$both,recursive_doubling -p 61,64 -m 4,1M --element 4 --platform leonardo --per-node 8 \
    --param reduce=binomial_blocking -f csv -o "$RESULTS/trees.csv"
columns algorithm ranks bytes time_s certificate <"$RESULTS/trees.csv" | awk "$words"'
    function scaled(t) { return t < 1e-3 ? sprintf("%.1f us", t * 1e6) : sprintf("%.2f ms", t * 1e3) }
    function line(text, name) { print "| " text " | " time[name, 64, 4] " | " time[name, 64, 1048576] " | " path[name] " |" >table }
    {
        time[$1, $2, $3] = scaled($4)
        if ($2 == 64 && $3 == 4) { path[$1] = $0; sub(/^[^ ]* [^ ]* [^ ]* [^ ]* /, "", path[$1]); gsub(/ \+ [0-9]+ (beta\.[a-z]+|gamma)/, "", path[$1]) }
        if ($2 == 61) { print "trees." $1 "." $3, scaled($4); t[$1, $3] = $4 }
    }
    END {
        print "| | 4 bytes | 1 MiB | critical path, 4 bytes, without the bytes |\n| --- | --: | --: | --- |" >table
        line("distant first (the document\047s)", "tree_v2")
        line("neighbours first", "reduce_bcast")
        line("butterfly, recursive doubling", "butterfly_v2")
        yes("trees.small", t["tree_v2", 4] < t["butterfly_v2", 4])
        yes("trees.large", t["tree_v2", 1048576] > t["butterfly_v2", 1048576])
    }' table="$RESULTS/trees.table" | keep

# SimGrid has the same times, and with a real MPI every rank gets the sum, for the document's numbers of ranks. These share
# the cores of a small machine, so that their times say nothing.
if command -v smpirun >/dev/null; then
    ask check --backends sim,smpi allreduce $both -p 5,17,33,100,128 -m 4,1M --element 4 | tee "$RESULTS/smpi.txt"
    figure smpi "SimGrid's simulator and the engine: $(sed -n 's/^sim and smpi: //p' "$RESULTS/smpi.txt")."
else
    figure smpi 'SimGrid was not there in this run.'
fi
if command -v mpirun >/dev/null; then
    figure sums no
    ask check --backends sim,mpi allreduce $both -p 5,6,8,15,16,17 -m 4 --element 4
    sed -i '/^sums\t/d' "$figures"
    figure sums yes
    figure sums.how 'verified with a real MPI for these numbers of ranks'
else
    figure sums yes
    figure sums.how 'not verified in this run, which had no MPI'
fi

claims 004
