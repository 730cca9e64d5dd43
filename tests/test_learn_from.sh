#!/bin/sh
# Learning from measurements: rows whose best choice and whose errors of prediction are known.
. "$(dirname "$0")/tap.sh"
echo 1..43

# rows FACTOR: prints rows of three algorithms, whose predictions are right but for pipeline's, which are FACTOR times the measured time.
rows() {
    echo set,use,collective,variant,ranks,per_node,bytes,group,measured_s,predicted_s
    for p in 4 8 16 32 64; do
        for m in 8 64 512 4096 32768 262144; do
            awk -v p="$p" -v m="$m" -v factor="$1" 'BEGIN {
                for (k = 1; k < p; k *= 2) r++
                t["linear"] = (p - 1) * 3e-7 + (p - 1) * m * 1e-10
                t["binomial"] = r * (1e-6 + m * 1e-10)
                t["pipeline"] = 3e-6 + p * 2e-7 + m * 2e-10
                for (a in t)
                    printf("s,score,bcast,%s,%d,1,%d,,%.9g,%.9g\n", a, p, m, t[a], t[a] * (a == "pipeline" ? factor : 1))
                printf("s,default,bcast,ompi-5:auto,%d,1,%d,,%.9g,\n", p, m, 2 * t["linear"])
            }'
        done
    done
}
rows 3 >rows.csv
rows 1 >right.csv
# cell FILE ROW COLUMN: prints a cell of the row that begins with ROW.
cell() { awk -F, -v row="$2" -v column="$3" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } $1 == row { print $at[column] }' "$1"; }
# cells COLUMN CONDITION: whether the condition holds for x, the cell of all points in the answer `out`.
cells() { cell out all "$1" | awk "{ x = \$1 } END { exit !(NR == 1 && x != \"\" && ($2)) }"; }

# ---- What each model does -----------------------------------------------------------------------------------------------------

ok 'an answer' sh -c '"$0" learn --from rows.csv -f csv >out 2>err' "$COLLSIM"
ok 'all points are tested' cells tested 'x == 30'
ok 'simulation takes what it wrongly predicts' cells simulation_x_mean 'x > 1.1'
ok '.. measurements correct it' cells corrected_x_mean 'x < 1.005'
ok 'the nearest points know most' cells nearest_x_mean 'x < 1.1'
ok 'a single choice does not' cells single_x_mean 'x > 1.1'
ok 'the default, twice the time of linear' cells default_x_mean 'x > 2'
ok '.. is known everywhere' cells unknown 'x == 0'
ok 'a row for each p' sh -c 'test "$(grep -c "^p = " out)" = 5 && grep -q "^p = 64,6," out'
ok 'one factor for an algorithm is found: the errors are small' sh -c '"$0" learn --from rows.csv -f json >out 2>err &&
    tr "{" "\n" <out | grep "\"corrected\"" | sed "s/.*\"p90_error\": *\([^,}]*\).*/\1/" | awk "{ exit !(\$1 < 0.06) }"' "$COLLSIM"
"$COLLSIM" learn --from right.csv -f csv >out 2>err
ok 'right predictions stay right' eval 'cells simulation_x_mean "x == 1" && cells corrected_x_mean "x == 1"'
ok 'one size at a time' gives 'm = 32K ' learn --from rows.csv --leave-out m
ok 'one octave at a time' gives 'p near 16 ' learn --from rows.csv --leave-out octave
"$COLLSIM" learn --from rows.csv --leave-out 'p>16' -f csv >out 2>err
ok 'from few ranks to many' eval 'cells tested "x == 12" && cells corrected_x_mean "x < 1.01" && ! grep -q "^p = 16" out'
ok 'the order of rows changes nothing' sh -c '"$0" learn --from rows.csv >out 2>err &&
    { head -1 rows.csv; tail -n +2 rows.csv | sort -r; } >turned.csv && "$0" learn --from turned.csv | sed s/turned/rows/ | cmp - out' "$COLLSIM"

# ---- Other files --------------------------------------------------------------------------------------------------------------

"$COLLSIM" learn --from rows.csv --test right.csv -f csv >out 2>err
ok 'another machine' eval 'cells tested "x == 30" && cells simulation_x_mean "x == 1" && cells nearest_x_mean "x < 1.01"'
ok '.. whose predictions are right is corrected wrongly' cells corrected_x_mean 'x > 1.01'
sed 's/^s,score,bcast,pipeline/s,calibrate,bcast,pipeline/' rows.csv >calibrated.csv
ok 'what calibrated is said' gives "the simulation's figures come from 30 of the 90 times (33 %)" learn --from calibrated.csv
sed '1!s/,1,\([0-9]*\),,/,1,\1,mon,/' rows.csv >days.csv
sed '1d; s/,1,\([0-9]*\),,/,1,\1,tue,/; s/linear/x/; s/binomial/linear/; s/,x,/,binomial,/' rows.csv >>days.csv
ok 'the noise between two days' gives 'noise: the best choice of another group' learn --from days.csv
ok 'each group by itself' gives 'bcast mon ' learn --from days.csv --apart
"$COLLSIM" run bcast binomial,linear,pipeline -p 4,8,16 -m 8,1K,64K --platform lumi --model hockney -f csv >times.csv 2>err
ok 'a log, simulated on the machine that it is of' sh -c '"$0" learn --from times.csv --platform lumi --model hockney bcast -f csv >out 2>err' "$COLLSIM"
ok '.. is predicted exactly' cells simulation_x_mean 'x == 1'
ok 'a log without a machine' gives 'nothing was simulated' learn --from times.csv

# ---- Shares of the points -----------------------------------------------------------------------------------------------------

# shares COLUMN ORDER SHARE: prints a cell of the sheet `shares` of the answer `out`, which is JSON.
shares() { tr '{' '\n' <out | grep "\"measured_in\": *\"$2\"" | grep "\"learnt_share\": *$3," | sed "s/.*\"$1\": *\([^,}]*\).*/\1/"; }
"$COLLSIM" learn --from rows.csv --share -f json >out 2>err
ok 'without a measurement, predictions stay' eval '[ -n "$(shares corrected_x_mean random 0)" ] && [ "$(shares corrected_x_mean random 0)" = "$(shares simulation_x_mean random 0)" ] && shares simulation_x_mean random 0 | awk "{ exit !(\$1 > 1.1) }"'
ok '.. and a half corrects them' eval 'shares corrected_x_mean random 0.5 | awk "{ exit !(\$1 < 1.02) }"'
ok 'more points teach more' eval '{ shares nearest_x_mean random 0.05; shares nearest_x_mean random 0.5; } | awk "{ x[NR] = \$1 } END { exit !(x[2] < x[1] - 0.1) }"'
ok 'at least one point' test "$(shares learnt_points random 0.01)" = 1
ok 'half of 30' test "$(shares learnt_points spread 0.5)" = 15
one_thread() { one_core "$COLLSIM" learn --from rows.csv --share -f json 2>err | cmp - out; }
ok 'the same on one thread' one_thread
ok 'what is predicted to be the fastest, alone' eval 'tr "{" "\n" <out | grep "\"few\": *1," | grep -q "\"few_x_mean\": *$(shares simulation_x_mean random 0),"'
ok 'a picture' sh -c '"$0" learn --from rows.csv --share --seeds 2 --draw curve.svg >out 2>err && grep -q "corrected" curve.svg' "$COLLSIM"
ok 'a picture of nothing' fails '--draw draws what --share finds' learn --from rows.csv --draw curve.svg
ok 'seeds of nothing' fails '--seeds is for the curve of --share' learn --from rows.csv --seeds 3

# ---- What to measure next -------------------------------------------------------------------------------------------------

grep -v ',64,1,262144,' rows.csv >most.csv
ok 'the point that is missing' sh -c '"$0" learn --from most.csv --next 3 >out 2>err && grep -q "^bcast *64 *1 *256K *[0-9.]* *all$" out' "$COLLSIM"
ok '.. and no other' sh -c 'test "$(grep -c "^bcast .* all$" out)" = 1'
ok 'the farthest of a grid, and the two fastest there' sh -c '"$0" learn --from times.csv --platform lumi --model hockney --next 2 -p 16,512 -m 64K,2M >out 2>err' "$COLLSIM"
time=$("$COLLSIM" run bcast binomial -p 512 -m 2M --platform lumi --model hockney 2>err | sed -n 's/^ *512 *2M *\([0-9.]* [mu]*s\) .*/\1/p')
ok '.. with the time that run has' grep -q "^bcast *512 *1 *2M *7.07 *binomial segment=0, [a-z]* *$time\$" out
ok 'a grid for nothing' fails '-p is for a grid that is simulated' learn --from rows.csv -p 8,16

# ---- Bad input ----------------------------------------------------------------------------------------------------------------

grep -v pipeline rows.csv >two.csv
ok 'two algorithms' fails 'no collective has 3 algorithms measured on the same ranks' learn --from two.csv
ok 'a grid' fails '-p is for a grid that is simulated; allowed: without --from' learn --from rows.csv -p 4
ok 'no measurements' fails '--apart is for measurements; allowed: with --from FILE' learn ompi bcast --apart
ok 'more ranks than any' fails "no collective was measured on fewer and on more ranks" learn --from rows.csv --leave-out 'p>64'
ok 'a file that is not there' fails 'none.csv' learn --from none.csv
