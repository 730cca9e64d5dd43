#!/bin/sh
# Decision trees that choose algorithms. The cells of an answer are in test_cells.sh, and the trees in test_learn.c.
root=$(realpath "$(dirname "$0")/..")
. "$(dirname "$0")/tap.sh"
serve
REPORT="learn ompi-4.1 --choices $root/experiments/choices/openmpi_report.csv"
H=collective,id,name,algorithm,params,unused
echo 1..38

# ---- The data set of the report on Open MPI ---------------------------------------------------------------------------------

# The whole report is asked once for each format, because that takes a third of a second.
# shellcheck disable=SC2086 # words are words
data() { c $REPORT --data data.csv && cp out report && [ "$(wc -l <data.csv)" = 8121 ]; }
ok 'a row for each point and choice' data
# shellcheck disable=SC2086
csv() { c $REPORT -f csv && mv out report.csv; }
ok '.. and its answer in CSV' csv
ok 'its title' says report '203 choices, 40 of which run differently; 200 points, 8120 times'
ok 'one best choice at each point' test "$(awk -F, '$13 == 1' data.csv | wc -l)" = 200
ok 'what is best' sh -c 'grep -q "^allgather *2 *bruck *bruck *40 *40$" report && grep -q "^gather *2 *binomial *binomial *32 *40$" report'
ok 'all values are interpolated or extrapolated' sh -c 'grep -q "^interpolated *120 " report && grep -q "^extrapolated *80 " report'
ok 'the time of a row is that of run' sh -c '
    t=$(grep "^bcast,8,,4096,1,generic-100g,6,knomial,knomial,segment=0;radix=8,radix=8," data.csv | cut -d, -f12)
    "$0" run bcast knomial -p 8 -m 4K --param radix=8 -f csv >out 2>err && [ -n "$t" ] && grep -qF ",$t," out' "$COLLSIM"
ok 'features are encoded: logarithms, from 0 to 1, and a digit for each collective' sh -c '
    grep "^bcast,8,,4096,1,generic-100g,6,knomial," data.csv | cut -d, -f15-19 | sort -u | grep -qx "3,0.5,12,0.4285714[0-9]*,0;1;0;0;0"'
ok 'parameters are scored alone' \
    grep -qx "interpolated: parameters alone, against the best of the id chosen: x 1.0[01], worst 1.[0-9]*" report
ok 'times by terms are within 5 %, and 25 % at nine of ten points' awk -F, '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
    /^interpolated/ { exit !($at["median_error"] < 0.05 && $at["p90_error"] < 0.25) }' report.csv
# A linear gather takes (p-1) (alpha + m beta), which is a sum of terms.
printf '%s\ngather,1,linear,linear,,\n' "$H" >linear.csv
ok 'the times of an algorithm whose time is a sum of terms are right' sh -c '"$0" learn ompi --choices linear.csv -f csv >rows 2>err && awk -F, "
    NR == 1 { for (i = 1; i <= NF; i++) at[\$i] = i }
    /^interpolated|^extrapolated/ { bad = bad || !(\$at[\"p90_error\"] < 1e-6); n++ } END { exit bad || n != 2 }" rows' "$COLLSIM"
# On two ranks a linear broadcast is one message, which takes L + 2 o, and under loggp 7 G more.
timed() { # timed TIME OPTION...: a row of the data has this time
    time=$1
    shift
    c learn ompi bcast -p 2,4 -m 8 "$@" --set L=5us --set o=1us --set g=2us --data data.csv &&
        grep -q "^bcast,2,,8,1,generic-100g,1,basic_linear,linear,,,$time," data.csv
}
ok 'the model logp' timed '7.0*[0-9]*e-06' --model logp
ok '.. loggp' timed '1.40*[0-9]*e-05' --model loggp --set G=1us/B
ok '.. loggops' timed '1.40*[0-9]*e-05' --model loggops --set G=1us/B --set O=0s/B
if command -v taskset >/dev/null; then
    # shellcheck disable=SC2086
    one_thread() { one_core "$COLLSIM" $REPORT bcast,gather -f json >one 2>err && "$COLLSIM" $REPORT bcast,gather -f json | cmp - one; }
    ok 'one thread' one_thread
else ok 'one thread # SKIP taskset is missing' true; fi

# ---- Trees ------------------------------------------------------------------------------------------------------------------

ok 'a tree' gives 'yes: bcast 3 binomial (2 points)' $REPORT bcast -p 8,16 -m 1K,64K --prune 0
ok 'it says which mistakes cost most' grep -q "^bcast *4  pipeline *5  split_bintree *3  1.31" report
ok 'what a tree by time is worth between known numbers of ranks, and the nearest points' \
    awk -F, '/^interpolated/ { exit !($5 < 1.02 && $6 < 1.6 && $8 < 1.01 && $9 < 1.4) }' report.csv
ok 'no questions' gives '1 leaf, at most 0 questions' $REPORT --depth 0
# Without pruning, some leaves of this tree have one point.
ok 'leaves of one point by default' sh -c '"$0" $1 --prune 0 >out 2>err && "$0" $1 --prune 0 --leaf 1 >one && "$0" $1 --prune 0 --leaf 2 >two && cmp out one && ! cmp -s out two' "$COLLSIM" "$REPORT"
ok 'large leaves' sh -c '"$0" $1 --leaf 30 >out 2>err && grep -o "([0-9]* point" out | tr -d "(a-z" | awk "\$1 < 30 { bad = 1 } END { exit bad || !NR }"' "$COLLSIM" "$REPORT"
ok 'pruned to nothing' gives '1 leaf' $REPORT bcast --prune 1000
ok 'leaving out sizes' gives 'm = 16K' $REPORT bcast --leave-out m
ok 'leaving out platforms' gives 'lumi ' learn ompi-4.1 bcast -p 4,16 -m 64,1M --platform lumi,leonardo --leave-out platform
ok 'ids of a library' gives 'scatter_allgather' learn ompi-4.1 bcast -p 8,16 -m 64,1M

# ---- Rules ------------------------------------------------------------------------------------------------------------------

ok 'rules' sh -c '"$0" $1 bcast --rules r.conf >out 2>err && "$0" rules show r.conf --for ompi-4.1 >out 2>err &&
    grep -q "^bcast *2..32 *131073.. .* 4 split_binary_tree *0 *32K" out' "$COLLSIM" "$REPORT"
ok '.. choose what the tree says' sh -c '
    "$0" rules check r.conf --for ompi-4.1 -p 16 -m 1M >out 2>err; grep -q "4 split_binary_tree" out' "$COLLSIM"
printf '%s\nscatter,3,bintree,bintree_aggregated,,\n' $H >only.csv
ok '.. and name what the library lacks' sh -c '"$0" learn ompi-4.1 --choices only.csv --rules r.conf >out 2>err &&
    grep -q "^# scatter 3 bintree: ompi-4.1 does not have it" r.conf && grep -q "^0 # collectives" r.conf' "$COLLSIM"
ok 'no rules about machines' fails 'the tree asks for per_node, which no rules file knows; allowed' learn ompi-4.1 allgather \
    -p 8x8,16x16,64,256 -m 64,4K,64K --platform lumi --rules r.conf --prune 0

# ---- Bad input --------------------------------------------------------------------------------------------------------------

ok 'one platform' fails '--leave-out platform: the grid has one value of it' learn ompi-4.1 bcast -p 4,8 -m 8 --leave-out platform
ok 'one value' fails '--leave-out p: the grid has one value of it; allowed: two or more' learn ompi-4.1 bcast -p 8
ok 'no ids' fails 'learn needs ids, which mpich-4.3 has not; allowed: ompi-4.1' learn mpich
ok 'a platform twice' fails '--platform has lumi twice' learn ompi --platform lumi,lumi
printf '%s\nbcast,1,a,knomial,radix=2;chains=8,\n' $H >bad.csv
ok 'a list with a mistake' fails "bad.csv:2: bcast knomial has no parameter 'chains'; allowed: those in collsim list bcast" \
    learn ompi --choices bad.csv
printf '%s\n' $H >none.csv
ok 'no choices' fails 'there is nothing to choose from; allowed: at least one algorithm' learn ompi --choices none.csv
ok 'doublings' fails '--prune two is not a number of doublings; allowed: 0 to 1048576, such as 0.1' learn ompi bcast --prune two
ok 'an unknown feature' fails "did you mean per_node" learn ompi bcast --leave-out pernod
ok "the process that answered ends well" served_well
