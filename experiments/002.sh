#!/bin/sh
# The experiment of document 002, a gatherv over a binomial tree that receives chains of blocks straight into place: time
# with copies, connections and memory of linear and the tree, with and without chains, on both levels and with three broadcasts
# of the lengths, on 1K to 32K ranks with 8 B and 8 KB; blocks that touch, with gaps, and mixed. Then how long a chain must
# be to be worth its message, also under other rules of messages; what the document's speed-ups imply; and what follows if
# connections, lines of messages and eager copies cost what they imply. experiments/pages/002.md says what this shows. It
# takes half a minute. COLLSIM is the program, RESULTS the folder to write to (results/002).
# shellcheck disable=SC2086 # places, ranks and algorithms are words of this script
set -eu
cd "$(dirname "$0")/.."
COLLSIM=$(realpath "${COLLSIM:-build/collsim}") RESULTS=${RESULTS:-results/002}
places=1K,2K,4K,8K,16K,32K ranks='1024 2048 4096 8192 16384 32768' group=16
rm -rf "$RESULTS/points"
mkdir -p "$RESULTS/points"
. experiments/page.sh
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
        --param lengths=far,near,mpich
    points $displs-aggressive $tree -p $places -m 8,8K --displs $displs --element 8 --param level=aggressive
done
for p in $ranks; do
    for m in 8 8192; do
        mixed $p $m $group
        for level in conservative aggressive; do
            points mixed-$p-$m-$level $tree -p $p -m $m --displs "$RESULTS/mixed-$p-$m-$group" --param level=$level \
                $([ $level = aggressive ] || echo --param lengths=mpich)
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
        level = params ~ /aggressive/ ? "aggressive" : params ~ /near/ ? "conservative-near" : params ~ /mpich/ ? "conservative" : "conservative-far"
        name = $1 == "gather" ? "gather" : $2 == "linear" ? "linear" : level ($2 ~ /chains/ ? "-chains" : "-copies")
        displs = $1 == "gather" ? "consecutive" : $column["displs"]
        group = 0
        if (displs ~ /mixed/) { group = displs; sub(/.*-/, "", group); displs = "mixed" }
        print name, $column["ranks"], $column["bytes"], displs, group, $column["time_s"], $column["root_connections"],
            $column["max_connections"], $column["root_scratch_bytes"], $column["max_scratch_bytes"],
            $column["root_copied_bytes"], $column["messages"], $column["all_connections"]
    }' "$RESULTS"/points/*.csv | sort -u >"$RESULTS/rows.txt"

# ---- Tables and figures -------------------------------------------------------------------------------------------------
# from_rows PROGRAM TABLE: runs an awk program on rows.txt; T[name, p, m, arrangement] are the times, with the arrangement none
# where blocks have no places, and mixed/GROUP. It may write TABLE.table.
from_rows() {
    awk -v table="$RESULTS/${2-}.table" "$words"'
        {
            where = $4 == "mixed" ? "mixed/" $5 : $1 == "linear" || $1 == "gather" ? "none" : $4
            T[$1, $2, $3, where] = $6
            root[$1, $2] = $7; most[$1, $2] = $8; all[$1, $2] = $13
            scratch[$1, $2, $3, where] = $9; inner[$1, $2, $3, where] = $10; copied[$1, $2, $3, where] = $11; messages[$1, $2, $3, where] = $12
        }
        '"$1" "$RESULTS/rows.txt"
}

# Connections, and their memory at 41,989 bytes each (figure 8).
from_rows '
    function memory(n) { return sprintf("%s: %s MB", number(n), n * 41989 / 2^20 < 1 ? sprintf("%.2f", n * 41989 / 2^20) : \
        number(sprintf("%.0f", n * 41989 / 2^20))) }
    END {
        print "| connections of the rank with most, and their memory | 1,024 ranks | 4,096 | 32,768 |\n| --- | --- | --- | --- |" >table
        tree = "aggressive-chains"
        for (k = 1; k <= 2; k++) {
            name = k == 1 ? "linear" : tree
            print "| " (k == 1 ? "linear" : "binomial tree, both levels and trees") " | " memory(most[name, 1024]) " | " memory(most[name, 4096]) \
                " | " memory(most[name, 32768]) " |" >table
        }
        same = 1
        for (n = 1024; n <= 32768; n *= 2)
            same = same && most[tree, n] == most["conservative-far-chains", n] && most[tree, n] == most["conservative-near-chains", n] && most[tree, n] == most["conservative-chains", n] && \
                root[tree, n] == most[tree, n]
        yes("connections.same", same)
        doubles = gains = 1
        for (n = 1024; n <= 16384; n *= 2) {
            doubles = doubles && most["linear", 2 * n] == 2 * most["linear", n] + 1
            gains = gains && most[tree, 2 * n] == most[tree, n] + 1
        }
        yes("connections.shape", doubles && gains)
        print "connections.linear", number(root["linear", 32768]); print "connections.tree", root[tree, 32768]
        printf("connections.linear-mb %s\nconnections.tree-mb %.2f\n", "1,312.12", root[tree, 32768] * 41989 / 2^20)
        print "connections.near", number(all["conservative-far-chains", 32768]); print "connections.far", number(all["conservative-near-chains", 32768]); print "connections.mpich", number(all["conservative-chains", 32768])
        yes("connections.right", root["linear", 32768] == 32767 && root[tree, 32768] == 15)
    }' memory | keep

# Times at 32,768 ranks, divided by those of gather binomial.
from_rows '
    function cell(name, m, where,    t) {
        t = name == "linear" ? T[name, 32768, m, "none"] : T[name, 32768, m, where]
        if (t == 0) return " | "
        x = t / T["gather", 32768, m, "none"]
        return sprintf(" | %.*f", x < 100 ? 2 : 0, x)
    }
    function line(text, name) {
        out = "| " text
        for (m = 8; m <= 8192; m *= 1024) out = out cell(name, m, "consecutive") cell(name, m, "gaps") cell(name, m, "mixed/'$group'")
        print out " |" >table
    }
    function factor(a, b) { return sprintf("%.3g", a / b) }
    END {
        print "| | 8 B touching | gaps | mixed | 8 KB touching | gaps | mixed |\n| --- | --: | --: | --: | --: | --: | --: |" >table
        line("aggressive, chains", "aggressive-chains"); line("aggressive, no chains", "aggressive-copies")
        line("conservative, chains", "conservative-chains"); line("conservative, no chains", "conservative-copies")
        line("conservative down a tree, chains", "conservative-far-chains")
        line("linear", "linear")
        g = T["gather", 32768, 8, "none"]; G = T["gather", 32768, 8192, "none"]
        printf("time.gather-8 %.2f us\ntime.gather-8k %.2f ms\n", g * 1e6, G * 1e3)
        printf("time.linear-8 %.1f ms\ntime.linear-8k %.1f ms\n", T["linear", 32768, 8, "none"] * 1e3, T["linear", 32768, 8192, "none"] * 1e3)
        printf("copy.least %.2f us\n", (T["linear", 32768, 8192, "none"] - T["linear", 32768, 8, "none"]) / 32767 * 1e6)
        yes("time.linear-grows", T["linear", 32768, 8, "none"] < T["linear", 32768, 8192, "none"])
        same = 1
        for (m = 8; m <= 8192; m *= 1024) same = same && T["conservative-far-chains", 32768, m, "consecutive"] == T["conservative-near-chains", 32768, m, "consecutive"]
        yes("time.same-trees", same)
        a = "aggressive-chains"; b = "aggressive-copies"
        printf("copies.8 %.1f us\ncopies.8k %.1f ms\n", (T[b, 32768, 8, "consecutive"] - T[a, 32768, 8, "consecutive"]) * 1e6, \
            (T[b, 32768, 8192, "consecutive"] - T[a, 32768, 8192, "consecutive"]) * 1e3)
        print "copies.bytes-8", number(copied[b, 32768, 8, "consecutive"])
        printf("copies.bytes-8k %.0f MB\n", copied[b, 32768, 8192, "consecutive"] / 2^20)
        print "copies.with-chains", copied[a, 32768, 8, "consecutive"]
        print "copies.scratch", number(scratch[b, 32768, 8, "consecutive"])
        yes("copies.half", copied[a, 32768, 8, "mixed/'$group'"] > 0.45 * copied[b, 32768, 8, "mixed/'$group'"] && \
            copied[a, 32768, 8, "mixed/'$group'"] < 0.55 * copied[b, 32768, 8, "mixed/'$group'"])
        x = T[b, 32768, 8, "consecutive"] / T[a, 32768, 8, "consecutive"]; X = T[b, 32768, 8192, "consecutive"] / T[a, 32768, 8192, "consecutive"]
        printf("chains.gain %.2f and %.2f\n", x, X)
        mixed = "mixed/'$group'"
        printf("chains.lose %.1f\nchains.pairs %.0f\n", T[a, 32768, 8, mixed] / T[b, 32768, 8, mixed], T[a, 32768, 8, "mixed/2"] / T[b, 32768, 8, "mixed/2"])
        yes("chains.long-only", x > 1 && X > 1 && T[a, 32768, 8, mixed] > T[b, 32768, 8, mixed])
        print "chains.more", number(messages[a, 32768, 8, mixed] - messages[b, 32768, 8, mixed])
        printf("chains.worth %d\n", T[b, 32768, 8, "consecutive"] * 1e6 / 2 - T[a, 32768, 8, "consecutive"] * 1e6 / 2)
        printf("chains.2048 %.0f\n", 100 * (1 - T[a, 32768, 8, "mixed/2048"] / T[b, 32768, 8, "mixed/2048"]))
        pairs = T[a, 32768, 8192, "mixed/2"] > T[b, 32768, 8192, "mixed/2"]
        for (n = 4; n <= 4096; n *= 2) pairs = pairs && T[a, 32768, 8192, "mixed/" n] < T[b, 32768, 8192, "mixed/" n]
        yes("chains.all-but-pairs", pairs)
        c = "conservative-chains"
        slow = 1; up = 1
        for (m = 8; m <= 8192; m *= 1024) {
            last = 0; first = ""
            for (n = 1024; n <= 32768; n *= 2) {
                x = T["linear", n, m, "none"] / T[c, n, m, "consecutive"]
                slow = slow && x > 1; up = up && x > last
                if (first == "") first = x
                last = x
            }
            printf("order.%s %.3g to %.3g\norder.%s-last %.3g\n", m == 8 ? "8" : "8k", first, last, m == 8 ? "8" : "8k", last)
        }
        yes("order.right", slow && up)
        for (m = 8; m <= 8192; m *= 1024) {
            k = m == 8 ? "8" : "8k"
            x = T[c, 1024, m, "consecutive"] / T[a, 1024, m, "consecutive"]; X = T[c, 32768, m, "consecutive"] / T[a, 32768, m, "consecutive"]
            printf("levels.%s-first %s\nlevels.%s-last %s\n", k, m == 8 ? sprintf("%.2f", x) : sprintf("%.3f", x), k, m == 8 ? sprintf("%.1f", X) : sprintf("%.3f", X))
        }
        yes("levels.8-much", T[c, 32768, 8, "consecutive"] > 2 * T[a, 32768, 8, "consecutive"])
        printf("levels.tree %.1f\n", T["conservative-far-chains", 32768, 8, "consecutive"] / T[a, 32768, 8, "consecutive"])
        yes("levels.8k-slight", T[c, 32768, 8192, "consecutive"] < 1.1 * T[a, 32768, 8192, "consecutive"])
        yes("levels.gather", T[a, 32768, 8, "consecutive"] == g && T[a, 32768, 8192, "consecutive"] == G)
        # What a tenth of the gather with 8 B is for each number of the list, and of the gather with 8 KB.
        printf("list.each %.2f ns\nlist.share %.2f %%\n", g / 10 / 32767 * 1e9, g / 10 / G * 100)
    }' times | keep

# How long a chain must be.
from_rows '
    END {
        split("2 16 128 1024 2048 4096", group, " ")
        print "| time with chains / without, 32,768 ranks in groups of | 2 | 16 | 128 | 1,024 | 2,048 | 4,096 |\n| --- | --: | --: | --: | --: | --: | --: |" >table
        for (m = 8; m <= 8192; m *= 1024) {
            out = m == 8 ? "| 8 B" : "| 8 KB"
            for (i = 1; i <= 6; i++) {
                x = T["aggressive-chains", 32768, m, "mixed/" group[i]] / T["aggressive-copies", 32768, m, "mixed/" group[i]]
                out = out sprintf(" | %.*f", x < 10 ? 2 : x < 100 ? 1 : 0, x)
            }
            print out " |" >table
        }
    }' groups

# Growth of the time from p to 2p.
from_rows '
    function growth(name, m, where,    n, x, high) {
        for (n = 1024; n <= 16384; n *= 2) {
            x = T[name, 2 * n, m, where] / T[name, n, m, where]
            if (x > high) high = x
        }
        return high
    }
    END {
        for (k = 1; k <= 2; k++) for (m = 8; m <= 8192; m *= 1024) {
            name = k == 1 ? "conservative-chains" : "aggressive-chains"
            x = growth(name, m, "consecutive")
            printf("growth.%s-%s %.*f\n", k == 1 ? "conservative" : "aggressive", m == 8 ? "8" : "8k", m == 8 ? 3 : 4, x)
            if (x > largest) largest = x
        }
        yes("growth.below-2", largest < 2)
        for (m = 8; m <= 8192; m *= 1024) {
            x = growth("aggressive-chains", m, "mixed/'$group'"); y = growth("conservative-chains", m, "mixed/'$group'")
            printf("growth.mixed-%s %.*f\n", m == 8 ? "8" : "8k", m == 8 ? 3 : 4, x > y ? x : y)
        }
    }' | keep

# What the speed-ups at 32,768 ranks imply of a message of linear; the tree is conservative, with chains.
from_rows '
    END {
        speedup[8] = 41068; speedup[8192] = 32709
        for (m = 8; m <= 8192; m *= 1024) {
            k = m == 8 ? "8" : "8k"
            tree = T["conservative-chains", 32768, m, "consecutive"]; linear = T["linear", 32768, m, "none"]
            printf("implied.%s-trees %.3g\n", k, speedup[m] / 32767)
            t = speedup[m] * tree / 32767
            printf("implied.%s-message %s\n", k, t < 1e-3 ? sprintf("%.0f us", t * 1e6) : sprintf("%.1f ms", t * 1e3))
            printf("implied.%s-ours %.1f us\n", k, linear / 32767 * 1e6)
        }
        printf("implied.ratio %.2f\nimplied.ours %.2g\n", 32709 / 41068, \
            T["conservative-chains", 32768, 8, "consecutive"] / T["conservative-chains", 32768, 8192, "consecutive"])
        cost = 32709 / 41068 * T["conservative-chains", 32768, 8192, "consecutive"]
        printf("implied.at-most %s\nimplied.cost %.1f ms\nimplied.each %.2f ms\n", number(sprintf("%.0f", 32767 / 45)), cost * 1e3, cost * 1e3 / 45)
    }' | keep
# ---- Growth beyond the document's sizes ---------------------------------------------------------------------------------------
# The lengths go down a tree; beyond 32,768 ranks MPICH sends them around a ring, which takes p-1 rounds.
ask run gatherv binomial -p 32K,64K -m 8 -f csv -o "$RESULTS/beyond.csv"
figure beyond.tree "$(cells "$RESULTS/beyond.csv" time_s | awk 'NR == 1 { t = $1 } NR == 2 { printf("%.3f", $1 / t) }')"

# ---- Other rules of messages ----------------------------------------------------------------------------------------------------
# Mixed blocks on 32,768 ranks under the four rules that 004 tries. Only measured knows copies, so those of the root are added.
for m in 8 8192; do
    for how in "--transfer rendezvous" "--transfer eager-port" "--transfer eager" "--model loggops"; do
        ask run $tree -p 32768 -m $m --displs "$RESULTS/mixed-32768-$m-$group" --param level=aggressive $how --memory -f csv \
            -o "$RESULTS/rule.csv" 2>>"$RESULTS/log"
        cells "$RESULTS/rule.csv" algorithm time_s root_copied_bytes | sed "s/^/${how#* }	$m	/"
    done
done | sed '/^[$]/d; /^$/d' >"$RESULTS/rules.txt"
awk -F '\t' -v table="$RESULTS/rules.table" "$words"'
    { t[$1, $2, $3] = $4 + $5 * 1e-10 }
    END {
        print "| mixed blocks, 32,768 ranks | 8 B, chains | no chains | quotient | 8 KB, chains | no chains | quotient |" >table
        print "| --- | --: | --: | --: | --: | --: | --: |" >table
        n = split("rendezvous eager-port eager loggops", rule, " ")
        low = 1e300
        for (i = 1; i <= n; i++) {
            out = "| " rule[i]
            for (m = 8; m <= 8192; m *= 1024) {
                a = t[rule[i], m, "binomial_chains"]; b = t[rule[i], m, "binomial"]
                out = out sprintf(m == 8 ? " | %.0f us | %.0f us | %.3g" : " | %.1f ms | %.1f ms | %.3g", a * (m == 8 ? 1e6 : 1e3), b * (m == 8 ? 1e6 : 1e3), a / b)
                if (m == 8) { if (a / b < low) low = a / b; if (a / b > high) high = a / b }
            }
            print out " |" >table
        }
        printf("rules.lose %.0f to %.0f\n", low, high)
        yes("rules.all", low > 1)
    }' "$RESULTS/rules.txt" | keep

# ---- Costs that the document names --------------------------------------------------------------------------------------------
# Short messages are eager, and the receiver copies each of them in 1 us. Then two figures, of a connection and of a pair of
# messages in line, are such that the two speed-ups of the document come out on 32,768 ranks, with either broadcast of the
# lengths. A time is a sum of counts and figures, so these follow from the counts of a run; a second one has the counts of
# these figures.
fit=$RESULTS/fit.ini
sed 's/^eager = none/eager = 4K/; s/^eager.source.*/eager.source = short messages are eager/' "$machine" >"$fit"
printf 'take = gap\ntake.source = as gap\nbounce = 0:1us 8K:1us\nbounce.source = assumed\n' >>"$fit"
# fitted NAME CONNECT PASS ARGUMENTS: runs with these figures, in ns, and writes fit-NAME.csv
fitted() {
    name=$1 figures_of="--set connect=$2ns --set match=$3ns"
    shift 3
    ask run "$@" --platform "$fit" $figures_of -f csv -o "$RESULTS/fit-$name.csv" \
        >>"$RESULTS/log" 2>&1
}
tree="gatherv binomial_chains --element 8 --param level="
# solve WAY CONNECT PASS: the figures with which the speed-ups come out, in ns, from a run with these
solve() {
    way=$1
    fitted linear "$2" "$3" gatherv linear -p 32768 -m 8,8K
    fitted conservative "$2" "$3" ${tree}conservative --param lengths=$way -p 32768 -m 8,8K
    for name in linear conservative; do
        cells "$RESULTS/fit-$name.csv" bytes time_s certificate | sed "s/^/$name	/"
    done | awk -F '\t' -v connect="$2" -v pass="$3" '
        function count(text, what,    n, i, part) {
            n = split(text, part, " [+] ")
            for (i = 1; i <= n; i++) if (part[i] ~ " " what "$") return part[i] + 0
            return 0
        }
        { c[$1, $2] = count($4, "connect"); k[$1, $2] = count($4, "match"); rest[$1, $2] = $3 * 1e9 - c[$1, $2] * connect - k[$1, $2] * pass }
        END {
            s[8] = 41068; s[8192] = 32709
            for (m = 8; m <= 8192; m *= 1024) { # a connect + b pass = d
                a[m] = s[m] * c["conservative", m] - c["linear", m]; b[m] = s[m] * k["conservative", m] - k["linear", m]
                d[m] = rest["linear", m] - s[m] * rest["conservative", m]
            }
            det = a[8] * b[8192] - a[8192] * b[8]
            printf("%.0f %.0f\n", (d[8] * b[8192] - d[8192] * b[8]) / det, (a[8] * d[8192] - a[8192] * d[8]) / det)
        }'
}
for way in far mpich; do
    found=$(solve $way 1000000 1000)
    found=$(solve $way $found)
    connect=${found% *} pass=${found#* }
    fitted linear "$connect" "$pass" gatherv linear -p $places -m 8,8K
    fitted conservative "$connect" "$pass" ${tree}conservative --param lengths=$way -p $places -m 8,8K
    fitted aggressive "$connect" "$pass" ${tree}aggressive -p $places -m 8,8K
    fitted gather "$connect" "$pass" gather binomial -p $places -m 8,8K
    fitted alone "$connect" 0 gatherv linear -p 32768 -m 8,8K
    for name in linear conservative aggressive gather alone; do
        cells "$RESULTS/fit-$name.csv" ranks bytes time_s | sed "s/^/$way	$connect	$pass	$name	/"
    done
done >"$RESULTS/fit.txt"
awk -F '\t' -v table="$RESULTS/fit.table" "$words"'
    { figure_of[$1, "connect"] = $2; figure_of[$1, "match"] = $3; t[$1, $4, $5, $6] = $7 }
    function most(name, m,    n, x, high) { # growth from p to 2p
        for (n = 1024; n <= 16384; n *= 2) {
            x = t[way, name, 2 * n, m] / t[way, name, n, m]
            if (x > high) high = x
        }
        return high
    }
    function quotient(a, b, p, m) { return t[way, a, p, m] / t[way, b, p, m] }
    function both(what, a, b, p) { return sprintf(what ", " what, quotient(a, b, p, 8), quotient(a, b, p, 8192)) }
    function rises(m,    n, last, x) {
        for (n = 1024; n <= 32768; n *= 2) {
            x = quotient("linear", "conservative", n, m)
            if (x <= last) return 0
            last = x
        }
        return 1
    }
    function cell(row, text) { line[row] = line[row] " | " text }
    END {
        line[1] = "| a connection, at each of its ends"; line[2] = "| a pair of messages in line"
        line[3] = "| speed-up over linear at 32,768 ranks, 8 B and 8 KB (fitted)"; line[4] = "| the same without lines"
        line[5] = "| at 1,024 ranks"; line[6] = "| most growth from p to 2p, conservative"
        line[7] = "| .. aggressive"; line[8] = "| .. linear"; line[9] = "| linear with 8 B / 8 KB, least"
        line[10] = "| conservative / aggressive at 32,768 ranks"
        for (k = 1; k <= 2; k++) {
            way = k == 1 ? "far" : "mpich"
            cell(1, sprintf("%.2f ms", figure_of[way, "connect"] / 1e6)); cell(2, sprintf("%.2f us", figure_of[way, "match"] / 1e3))
            cell(3, both("%.0f", "linear", "conservative", 32768)); cell(4, both("%.0f", "alone", "conservative", 32768))
            cell(5, both("%.0f", "linear", "conservative", 1024))
            cell(6, sprintf("%.2f, %.2f", most("conservative", 8), most("conservative", 8192)))
            cell(7, sprintf("%.2f, %.2f", most("aggressive", 8), most("aggressive", 8192)))
            cell(8, sprintf("%.2f, %.2f", most("linear", 8), most("linear", 8192)))
            least = 1e300
            for (n = 1024; n <= 32768; n *= 2) if (t[way, "linear", n, 8] / t[way, "linear", n, 8192] < least) least = t[way, "linear", n, 8] / t[way, "linear", n, 8192]
            cell(9, sprintf("%.6f", least)); cell(10, both("%.3f", "conservative", "aggressive", 32768))
            yes("fit." way ".slower", least > 1); yes("fit." way ".rises", rises(8) && rises(8192))
            yes("fit." way ".grows", most("conservative", 8) < 2 && most("conservative", 8192) < 2 && most("aggressive", 8) < 2 && most("aggressive", 8192) < 2)
            yes("fit." way ".slight", quotient("conservative", "aggressive", 32768, 8) < 1.1 && quotient("conservative", "aggressive", 32768, 8192) < 1.1)
            yes("fit." way ".much", quotient("conservative", "aggressive", 32768, 8) > 1.5 && quotient("conservative", "aggressive", 32768, 8192) > 1.5)
            yes("fit." way ".gather", t[way, "gather", 32768, 8] == t[way, "aggressive", 32768, 8])
            printf("fit.%s.connect %.2f ms\nfit.%s.match %.2f us\nfit.%s.linear %.0f s\n", way, figure_of[way, "connect"] / 1e6, way, figure_of[way, "match"] / 1e3, way, t[way, "linear", 32768, 8])
            printf("fit.%s.alone %s\n", way, number(sprintf("%.0f", quotient("alone", "conservative", 32768, 8))))
            printf("fit.%s.growth %.2f\n", way, most("conservative", 8))
            printf("fit.%s.list %.1f us\n", way, t[way, "gather", 32768, 8] / 10 / 32767 * 1e6)
            printf("fit.%s.levels %s\n", way, both("%.3f", "conservative", "aggressive", 32768))
        }
        print "| 8 B and 8 KB | lengths down the tree | as MPICH |\n| --- | --: | --: |" >table
        for (i = 1; i <= 10; i++) print line[i] " |" >table
    }' "$RESULTS/fit.txt" | keep

cat "$RESULTS"/*.table

claims 002 2>>"$RESULTS/log"
# Two claims say what a message of linear must cost to be that much slower.
for k in 8 8K; do
    figure "audit.$k" "$(sed -n "s/^002-speedup-$k,.*implied cost a message: in linear \([0-9.]*\) times.*/\1/p" "$RESULTS/audit.csv")"
done

# ---- The picture -----------------------------------------------------------------------------------------------------------
# Blocks that touch; linear has no arrangement.
{
    echo 'collective,algorithm,ranks,bytes,time_s'
    awk '$1 == "linear" || $4 == "consecutive" && $1 !~ /near|far/ {
            name = $1
            sub("-copies", ", no chains", name); sub("-chains", ", chains", name)
            printf("gatherv,\"%s\",%d,%d,%s\n", name, $2, $3, $6)
        }' "$RESULTS/rows.txt" | sort -u
} >"$RESULTS/times.csv"
printf '\n'
ask plot "$RESULTS/times.csv" --x p --all --title 'The broadcast of the lengths costs most with 8 B, copies with 8 KB' \
    -o "$RESULTS/times.svg"
