#!/bin/sh
# The experiment of document 000, a report on Open MPI's algorithms: the data set that its chapter 5 describes and the tree
# that it would have learnt; the same where the best algorithm is not nearly always the same; what it recommends; and the
# two algorithms that it measured. experiments/pages/000.md says what this shows. It takes one or two minutes.
# COLLSIM is the program, RESULTS the folder to write to (results/000), BUDGET the time for a measured point.
set -eu
cd "$(dirname "$0")/.."
COLLSIM=$(realpath "${COLLSIM:-build/collsim}") RESULTS=${RESULTS:-results/000} BUDGET=${BUDGET:-300ms}
operations=bcast,scatter,gather,allgather,reduce
. experiments/page.sh

# learnt NAME: takes what `learn` says, and keeps as NAME.x how many choices and points there are, and of the tree its leaves
learnt() {
    awk -v name="$1" "$words"'
        /^[0-9]+ choices,/ { print name ".choices", $1; print name ".different", $3; sub(/;/, "", $0) }
        match($0, /[0-9]+ points, [0-9]+ times/) { split(substr($0, RSTART, RLENGTH), n, " "); print name ".points", number(n[1]); print name ".times", number(n[3]) }
        /^The tree, grown from all points:/ { print name ".leaves", $7 }' "$RESULTS/$1.txt" | keep
}
# tested FILE TEXT..: the rows of a table of tests in what `learn` says: each TEXT is "what is left out: how learn calls it"
tested() {
    file=$RESULTS/$1.txt
    shift
    for text in "$@"; do
        awk -v text="${text%%: *}" -v row="${text#*: }" '
            index($0, row " ") == 1 && NF - split(row, w, " ") == 10 {
                sub(row, "")
                printf("| %s | %d of %d | %s (%s) | %s (%s) | %s (%s) | %s (%s) |\n", text, $2, $1, $3, $4, $5, $6, $7, $8, $9, $10)
                exit
            }' "$file"
    done
}
head_of_tests='| left out | as fast as the best | x of the tree | x of the three nearest points | x of one choice for each operation | x of the default |
| --- | --: | --: | --: | --: | --: |'

# 203 configurations, 200 points.
ask learn ompi-4.1 --choices experiments/choices/openmpi_report.csv --data "$RESULTS/data.csv" --draw "$RESULTS/tree.svg" \
    --rules "$RESULTS/rules.conf" | tee "$RESULTS/data.txt"
learnt data
{
    echo "$head_of_tests"
    tested data '4, 8 and 16, interpolated: interpolated' '2 and 32, extrapolated: extrapolated' 'nothing: nothing'
} >"$RESULTS/tests.table"
# What is the best at each place, by operation, those first that are it most often; and what the tree mixes up at most cost.
awk '
    /^Best choices/ { on = 1; getline; next }
    on && !NF { on = 0 }
    on { n[$1]++; times[$1, n[$1]] = $5; label[$1, n[$1]] = $2 " " $3 " " $5 }
    /^Mistakes of the tree/ { getline; getline; split($0, w, " "); mistake = w[3] "` taken for `" w[3]; first = $0 }
    END {
        print "| operation | best id, and at how many of 40 places |\n| --- | --- |"
        k = split("allgather gather scatter bcast reduce", c, " ")
        for (i = 1; i <= k; i++) {
            row = ""
            for (left = n[c[i]]; left; left--) {
                top = 0
                for (j = 1; j <= n[c[i]]; j++) if (!((i, j) in done) && (!top || times[c[i], j] > times[c[i], top])) top = j
                done[i, top] = 1
                row = row (row == "" ? "" : ", ") label[c[i], top]
            }
            print "| " c[i] " | " row " |"
        }
    }' "$RESULTS/data.txt" >"$RESULTS/labels.table"
awk '/^Mistakes of the tree/ { getline; getline
        printf("mistake %s, where `%s` is the best and `%s` chosen, at %d places, for %.0f %%\n", $1, $3, $5, $6, 100 * ($7 - 1)) }' "$RESULTS/data.txt" | keep
ask rules show "$RESULTS/rules.conf" --for ompi-4.1

# Three machines with nodes, up to 4,096 ranks, by the library's own ids; and a machine that the tree has not seen.
places=16,64,256,1024,4096,4x4,16x4,64x4,4x16,16x16,64x16,256x16 machines=lumi,leonardo,generic-100g
ask learn ompi-4.1 $operations -p $places -m 64,1K,16K,128K,1M --platform $machines --prune 1 --data "$RESULTS/nodes.csv" \
    --draw "$RESULTS/nodes.svg" | tee "$RESULTS/nodes.txt"
learnt nodes
ask learn ompi-4.1 bcast,allgather -p 16,256,16x4,16x16,64x16 -m 64,1K,16K,128K,1M --platform $machines --leave-out platform |
    tee "$RESULTS/machines.txt"
learnt machines
{
    echo "$head_of_tests"
    tested nodes '64, 256 and 1,024 ranks, interpolated: interpolated' '16 and 4,096 ranks, extrapolated: extrapolated' 'nothing: nothing'
    tested machines 'generic-100g, a machine not seen (bcast and allgather on 5 places): generic-100g' 'leonardo, likewise: leonardo' \
        'lumi, likewise: lumi'
} >"$RESULTS/nodes.table"
cat "$RESULTS"/*.table
# The worst of the tree on ranks that are further away than those that it has seen; and what nodes change for an allgather.
awk '$1 == "extrapolated" { print "nodes.cliff", $5; exit }' "$RESULTS/nodes.txt" | keep
awk "$words"'/^Best choices/ { on = 1; getline; next } on && !NF { on = 0 }
    on && $1 == "allgather" && $3 ~ /^(neighbor_exchange|recursive_doubling)$/ { n += $5; of = $6 }
    on && $1 ~ /^(scatter|gather)$/ && $3 != "binomial" { other += $5 }
    END { print "nodes.allgather", n " of " of; yes("nodes.binomial", !other) }' "$RESULTS/nodes.txt" | keep
# docs/TUNING.md has what was learnt from measurements, which are not part of this project (experiments/learn_measured.sh).
sed -n '/^<!-- learned -->$/,/^<!-- end -->$/{/^|/p;}' docs/TUNING.md >"$RESULTS/learned.table"
sed -n '/^<!-- shares -->$/,/^<!-- end -->$/{/^|/p;}' docs/TUNING.md >"$RESULTS/shares.table"
# Which of them are worse than the library's default, where that was measured. The empty cell is EPYC's.
awk -F ' *[|] *' '
    NR == 1 { for (i = 4; i <= NF - 2; i++) name[i] = $i; next }
    $4 == "" || $4 ~ /-/ { next }
    {
        machine = $2
        sub(/^[.][.] /, "Peak, ", machine)
        for (i = 5; i <= NF - 2; i++) {
            gsub(/[*]/, "", $i)
            if ($i + 0 >= $4 + 0) {
                above = above (above == "" ? "" : ", ") name[i] " on " machine " (" $i ", the default " $4 ")"
                if (name[i] ~ /^(tree|nearest|corrected)$/) worse = 1
            }
        }
    }
    END {
        print "learned.above", (above == "" ? "none" : above)
        print "learned.below", (worse ? "no" : "yes")
    }' "$RESULTS/learned.table" | keep

# What it recommends.
claims 000
cells "$RESULTS/audit.csv" id collective algorithm params where verdict at true kind | awk -F '\t' '$9 == "suited"' |
    awk -F '\t' -v table="$RESULTS/suited.table" "$words"'
    function points(verdict) { match(verdict, /[0-9]+ of [0-9]+ points/); return substr(verdict, RSTART, RLENGTH - 7) }
    function sized(at) {
        if (match(at, /m=[0-9]+/)) {
            m = substr(at, RSTART + 2, RLENGTH - 2)
            return substr(at, 1, RSTART + 1) size(m)
        }
        return at
    }
    BEGIN { print "| recommendation | for | points within 10 % of the best | worst |\n| --- | --- | --: | --- |" >table }
    {
        kind[$6 ~ /^exact/ ? "all" : $6 ~ /^wrong/ ? "none" : "some"]++
        gsub(/ times the best/, " times", $8)
        gsub(/;/, " ", $4)
        print "| " $2 " " $3 ($4 == "" ? "" : " " $4) " | " ($5 == "" ? "all" : "`" $5 "`") " | " points($6) " | " ($7 == "" ? "" : $8 ", " sized($7)) " |" >table
        if ($1 == "000-4.12-suited-1") { print "suited.binomial", points($6); yes("suited.is-binomial", $6 ~ /^exact/) }
        if ($1 ~ /^000-(3.4.2.1|3.4.3.1|4.8|3.4.4.2)-suited-1$/) { trees++; right += $6 ~ /^exact/ }
        if ($1 == "000-4.8.2-suited-2") { print "suited.pipeline", points($6); yes("suited.is-pipeline", $6 !~ /^exact/) }
        if ($1 == "000-3.4.1.5-suited-1") { sub(/ times.*/, "", $8); print "suited.segments", $8 }
    }
    END {
        print "suited.claims", NR
        print "suited.counts", kind["all"] + 0 " hold at all of their points, " kind["some"] + 0 " at some, " kind["none"] + 0 " at none"
        yes("suited.trees", trees == 4 && right == 4)
    }' | keep
cat "$RESULTS/suited.table"

# Its two times, in simulation: 4 ranks on 4 nodes.
for m in 1K 32K; do
    ask run bcast pipeline,split_bintree,binomial -p 4 -m $m -f csv -o "$RESULTS/two-$m.csv"
    cells "$RESULTS/two-$m.csv" algorithm time_s | awk -v m=$m '{ printf("two.%s.%s %.1f us\n", $1, m, $2 * 1e6) }' | keep
done

# What it measured: ids 3 and 4 on 4 ranks, 1 KB and more. 4 ranks share the cores of a small machine.
if command -v mpirun.openmpi >/dev/null; then
    for id in 3 4 6; do
        ask measure bcast library:$id -p 2,4 -m 1K,32K --budget "$BUDGET" -f csv -o "$RESULTS/measured-$id.csv"
        cells "$RESULTS/measured-$id.csv" ranks bytes time_s | sed "s/^/$id\t/"
        rm "$RESULTS/measured-$id.csv"
    done >"$RESULTS/measured.txt"
    awk -F '\t' '
        function scaled(t) { return t < 1e-6 ? sprintf("%.2f us", t * 1e6) : t < 1e-3 ? sprintf("%.1f us", t * 1e6) : sprintf("%.1f ms", t * 1e3) }
        { t[$1, $2, $3] = $4 }
        END {
            print "| id | what runs | 2 ranks, 1 KB | 2 ranks, 32 KB | 4 ranks, 1 KB | 4 ranks, 32 KB |\n| --- | --- | --: | --: | --: | --: |" >table
            split("3 4 6", id, " "); split("pipeline split_binary_tree binomial", name, " ")
            for (i = 1; i <= 3; i++) {
                print "| " id[i] " | " name[i] " | " scaled(t[id[i], 2, 1024]) " | " scaled(t[id[i], 2, 32768]) " | " scaled(t[id[i], 4, 1024]) " | " \
                    scaled(t[id[i], 4, 32768]) " |" >table
                x = t[id[i], 4, 1024] / t[id[i], 2, 1024]
                if (!low || x < low) low = x
                if (x > high) high = x
            }
            printf("measured.share %.0f to %.0f\n", low, high)
        }' table="$RESULTS/measured.table" "$RESULTS/measured.txt" | keep
    figure measured.how "Measured here with Open MPI $(mpirun.openmpi --version | sed -n '1s/.* //p'), medians, on $(nproc) cores:"
    figure measured.scale "Four ranks on $(nproc) cores take $(of measured.share) times as long as two for 1 KB."
else
    echo '| |' >"$RESULTS/measured.table"
    figure measured.how 'Nothing was measured in this run, because there is no Open MPI.'
    figure measured.scale ''
fi
