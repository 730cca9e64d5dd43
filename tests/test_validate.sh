#!/bin/sh
# `collsim validate` on small sets for which everything can be computed by hand, and, where they are, on the measurements
# of others: there it must give the errors and losses that are known for two columns of predictions.
measured=$(realpath "${COLLSIM_MEASURED:-$(dirname "$0")/../../shared/measured}" 2>/dev/null)
. "$(dirname "$0")/tap.sh"
serve

# fact SET BY PART COLUMN: prints one cell of the CSV in `out`
fact() {
    awk -F, -v set="$1" -v by="$2" -v part="$3" -v name="$4" '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) column = i }
        $1 == set && $2 == by && $3 == part { print $column }' out
}
is() { # is VALUE SET BY PART COLUMN: the cell is this number, to nine digits
    awk -v due="$1" -v got="$(fact "$2" "$3" "$4" "$5")" \
        'BEGIN { exit !(got != "" && (got - due) ^ 2 <= 1e-18 * (due ^ 2 + 1)) }'
}

# ---- Errors and losses by hand ---------------------------------------------------------------------------------------------

# Errors of bcast: 0, 33.3, 10 and 20 %; of barrier: 40 %. At 64 bytes, binomial and chain are tied for being the fastest;
# they take 1 and 1.5 times as long as the fastest one, so the mean loss is 25 %. At 2048 bytes two algorithms are predicted.
cat >set.csv <<'END'
use,collective,algorithm,p,bytes,measured_us,guess_us,group
score,bcast,binomial,4,64,10,10,
score,bcast,chain chains=4,4,64,15,10.005,
score,bcast,linear,4,64,50,55,
score,bcast,binomial,8,2048,10,12,
calibrate,bcast,pipeline,8,2048,10,10,
score,bcast,linear,8,2048,10,,
score,barrier,linear,8,0,10,6,
END
c validate --rows set.csv --column guess_us -f csv
ok "every scored row with a prediction counts" is 5 set set "" rows
ok "the median is that of the absolute errors" is 0.2 set set "" median_error
ok "p90 is interpolated" is 0.3732 set set "" p90_error
ok "the bias is the median with its sign" is 0 set set "" bias
ok "a row without a prediction is counted" is 1 set set "" unpredicted
ok "by collective" is 0.4 set collective barrier median_error
ok "by p" is 0.3 set p 8 median_error
ok "by band" is 0.2 set bytes "up to 32K" median_error
# The last size of each band belongs to it, and one byte more does not.
{
    echo 'use,collective,algorithm,p,bytes,measured_us,guess_us'
    for end in 1024 32768 1048576; do printf 'score,bcast,binomial,4,%d,10,%d\n' $end 11 $((end + 1)) 12; done
} >ends.csv
c validate --rows ends.csv --column guess_us -f csv
ok "a band has its end: 1K" is 1 ends bytes "up to 1K" rows
ok "a band has its end: 32K" is 2 ends bytes "up to 32K" rows
ok "a band has its end: 1M" is 2 ends bytes "up to 1M" rows
ok "the last band has no end" is 0.2 ends bytes "above 1M" median_error
c validate --rows set.csv --column guess_us -f csv
ok "choices have three algorithms with predictions" is 1 set set "" choices
ok "the loss of tied algorithms is their mean" is 0.25 set set "" mean_loss
c validate --rows set.csv --column guess_us -f csv --tie 0%
ok "--tie: without ties, the fastest one counts" is 0 set set "" mean_loss
c validate --rows set.csv --column guess_us -f csv --by algorithm
ok "--by algorithm" is 0.1 set algorithm "bcast linear" median_error
ok "--by: others are not there" test -z "$(fact set p 8 rows)"

# A file of choices: the same algorithm may be a candidate twice. Its two codes are tied, at 0 and 100 %.
cat >winners.csv <<'END'
set,collective,p,per_node,bytes,candidates,group
set,bcast,4,1,64,binomial:10;binomial:20;linear:50,
other,bcast,4,1,64,binomial:10,
END
c validate --rows set.csv --column guess_us -f csv
ok "winners.csv beside the rows is read" is 0.5 set set "" mean_loss
mv winners.csv elsewhere.csv
c validate --rows set.csv --column guess_us -f csv --winners elsewhere.csv
ok "--winners" is 0.5 set set "" mean_loss
ok "the table has percent" gives "50.0 %" validate --rows set.csv --column guess_us --winners elsewhere.csv

# ---- Rows and data ---------------------------------------------------------------------------------------------------------

# The measured time is in the column max_us, so line 3 of the second file is wrong although 12 stands there.
cat >data.csv <<'END'
name,avg_us,max_us
a,8,10
b,12,13
END
cp data.csv wrong.csv
cat >lines.csv <<'END'
file,line,use,collective,algorithm,p,bytes,measured_s,guess_s
data.csv,2,score,bcast,binomial,4,64,10e-6,11e-6
data.csv,3,score,bcast,binomial,4,128,13e-6,13e-6
END
sed 's/data.csv/wrong.csv/; s/13e-6,13/12e-6,13/' lines.csv >wrong_lines.csv
sed 's/,3,score/,4,score/' lines.csv >beyond.csv
ok "the rows are held against the data" gives "5.0 %" validate data.csv --rows lines.csv --column guess_s --by bytes
ok "another measured time" fails "wrong_lines.csv:3: measured 12 us, which line 3 of wrong.csv does not say" \
    validate wrong.csv --rows wrong_lines.csv --column guess_s
ok "a line that is not there" fails "beyond.csv:3: data.csv has no row on line 4" \
    validate data.csv --rows beyond.csv --column guess_s
ok "another file" fails "lines.csv:2: the row is of data.csv, which is not among the files" \
    validate wrong.csv --rows lines.csv --column guess_s

# ---- Predictions -----------------------------------------------------------------------------------------------------------

two_levels 2 2us 1us 0ns/B 0ns/B 1ns/B >here.ini
cat >runs.csv <<'END'
file,line,use,collective,algorithm,p,per_node,bytes,measured_us,group
times.csv,2,score,bcast,linear,4,2,0,4,near
times.csv,3,score,bcast,chain chains=1,4,2,0,6,near
times.csv,4,winner,bcast,chain chains=1,4,2,0,6,far
times.csv,5,score,allreduce,recursive_doubling,2,2,1000,6,near
times.csv,6,calibrate,pingpong,,2,1,8,7,near
END
printf 'time_us\n4\n6\n6\n6\n7\n' >times.csv
here() { c validate times.csv --rows runs.csv --platform ./here.ini --model hockney "$@"; }
predicted() { # predicted LINE TIME: the row of this line of times.csv is predicted to take TIME seconds
    awk -F, -v line="$1" -v due="$2" '$3 == line && $12 != "" && ($12 - due) ^ 2 <= 1e-18 * due ^ 2 { n++ } END { exit n != 1 }' out
}
# A chain on nodes of 2 passes two messages inside nodes and one between them: 4 us. Dealt out, all three go between nodes.
here --place far=node --points -f csv
ok "ranks fill nodes in their order" predicted 3 4e-6
ok "--place deals them out" predicted 4 6e-6
ok "reductions are charged" predicted 5 2e-6
ok "a row without an algorithm has no prediction" awk -F, '$3 == 6 && $12 == "" { n++ } END { exit n != 1 }' out
cp out points.csv
here --place far=node -f csv && sed 's/^runs,//; s/^points,//' out >direct
sed 's/^runs,//' points.csv >again.csv
c validate --rows points.csv --column predicted_s -f csv && sed 's/^runs,//' out >read
ok "--points writes what --rows reads" cmp direct read
here --points -f csv --set gamma=0
ok "--set changes a figure" predicted 5 1e-6

# With 1 us a message, the root of a linear barrier of 4 receives from 0 to 3 us and sends until 6; the others leave it at
# 4, 5 and 6. A binomial tree takes 2 us if all begin at 0. Here its root sends to rank 2 from 6 to 7 us and to rank 1 from 7
# to 8 us; rank 1 has then waited for 4 us.
cat >runs.csv <<'END'
file,line,use,collective,algorithm,p,per_node,bytes,measured_us
times.csv,2,score,bcast,binomial,4,4,8,4
times.csv,3,score,bcast,linear,4,4,16,6
END
two_levels 4 2us 1us 0ns/B 0ns/B 1ns/B >here.ini
here --points -f csv --barrier linear:5..7
ok "--barrier: only with so many ranks" predicted 2 2e-6
here --points -f csv --barrier linear:4..7:8
ok "--barrier: each rank's time counts from its begin" predicted 2 4e-6
ok "--barrier: only up to so many bytes" predicted 3 3e-6

# ---- Calibration -----------------------------------------------------------------------------------------------------------

# In run a, a message takes 1 us + 1 ns/B, in run b twice as long; c has no run of its own. The rows called `twice` are two
# bcasts of half the bytes. On two ranks, each of these is one message.
cat >runs.csv <<'END'
file,line,use,collective,algorithm,p,bytes,measured_us,group
times.csv,2,calibrate,pingpong,,2,1000,2,a
times.csv,3,calibrate,pingpong,,2,2000,3,a
times.csv,4,calibrate,pingpong,,2,1000,4,b
times.csv,5,calibrate,pingpong,,2,2000,6,b
times.csv,6,score,bcast,binomial,2,1500,2.5,a
times.csv,7,score,bcast,binomial,2,1500,2.5,b
times.csv,8,score,bcast,binomial,2,1500,2.5,c
times.csv,9,score,twice,,2,3000,5,a
END
printf 'time_us\n2\n3\n4\n6\n2.5\n2.5\n2.5\n5\n' >times.csv
cat >names.csv <<'END'
theirs,ours,params,collective,bytes,factor
twice,binomial,,bcast,bytes/2,p
END
run() { c validate times.csv --rows runs.csv --calibrate same-run --set gamma=0 --names names.csv "$@"; }
run --fallback c=b --points -f csv
ok "--calibrate same-run: a run is predicted from its own rows" predicted 6 2.5e-6
ok "--calibrate same-run: and another one from its own" predicted 7 5e-6
ok "--fallback: a run without such rows from another one's" predicted 8 5e-6
ok "--names: a row of another name, size and time" predicted 9 5e-6
printf 'theirs,ours,params,collective\ntwice,binomial,,bcast\n' >same.csv
c validate times.csv --rows runs.csv --set alpha=1us --set beta=1ns/B --model hockney --names same.csv --points -f csv
ok "--names: a row of another name, and of its own size and time" predicted 9 4e-6
mv out points.csv
c compare points.csv --platform lumi --where collective=bcast
ok "compare reads the points of validate" says out "bcast"
printf 'theirs,ours\nfirst,ompi-4.1:1\nagain,ompi-4.1:basic_linear\nother,ompi-4.1:6\n' >theirs_names.csv
printf 'collective,algorithm,p,bytes,time_us\nbcast,first,8,1K,9\nbcast,other,8,1K,5\nbcast,again,8,1K,9\n' | sed 's/1K/1024/' >named.csv
c validate named.csv --names theirs_names.csv --platform lumi --points -f csv
ok "--names: an algorithm of a version, by id or name" sh -c '[ "$(grep -c "ompi-4.1:" out)" = 3 ]'
run --fallback c=b --by group -f csv
ok "rows that calibrated are not scored" is 4 runs set "" rows
run --fallback c=b
ok "it says what calibrated" says out "runs a: one: 2 points"
ok "a run without calibrating rows" fails "runs c: no row calibrates; allowed: rows with the use calibrate, or --fallback" \
    validate times.csv --rows runs.csv --calibrate same-run --set gamma=0
ok "another model" fails "--model hockney with --calibrate; allowed: measured" \
    validate times.csv --rows runs.csv --calibrate same-run --model hockney
sed 's/,[abc]$/,/' runs.csv | grep -v '^times.csv,[45],' >one.csv
c validate times.csv --rows one.csv --calibrate all --set gamma=0 --points -f csv
ok "--calibrate all: one machine" predicted 8 2.5e-6

# ---- Without rows ----------------------------------------------------------------------------------------------------------

# On nodes of 2, a chain of 4 takes 4 us if ranks fill the nodes, and 6 us if they are dealt out; a linear bcast 5 and 5 us.
two_levels 2 2us 1us 0ns/B 0ns/B 1ns/B >here.ini
cat >mine.csv <<'END'
collective,algorithm,params,ranks,bytes,median_us,map,oversubscribed
bcast,chain,chains=1,4,64,5,block:2,0
bcast,chain,chains=1,4,64,5,cyclic:2,0
bcast,linear,,4,64,5,block:2,0
bcast,binomial,,4,64,5,block:2,1
bcast,library,,4,64,5,block:2,0
pingpong,,,2,64,5,,0
END
c validate mine.csv --platform ./here.ini --model hockney --points -f csv
ok "without --rows: every row of a collective" predicted 2 4e-6
ok "without --rows: the map holds" predicted 3 6e-6
ok "without --rows: crowded rows and the library's own are passed over" test "$(wc -l <out)" = 4
ok "and it says so" gives "rows that are of the library's own choice are passed over: 1" \
    validate mine.csv --platform ./here.ini --model hockney

# A linear bcast on 4 ranks, 1 us a message: they end after 3, 1, 2 and 3 us.
cat >mean.csv <<'END'
file,line,use,collective,algorithm,p,per_node,bytes,measured_us,time_is
times.csv,2,score,bcast,linear,4,4,8,2,mean
times.csv,2,score,bcast,linear,4,4,8,2,last
times.csv,2,score,bcast,linear,4,4,8,2,
END
c validate times.csv --rows mean.csv --platform ./here.ini --model hockney --points -f csv
ok "time_is: the mean over the ranks" [ "$(awk -F, 'NR > 1 { printf "%.3f ", $12 * 1e6 }' out)" = "2.250 3.000 3.000 " ]
sed 's/,last$/,first/' mean.csv >first.csv
ok "time_is of another word" fails "first.csv:3: time_is is first; allowed: mean (over the ranks) or last (rank)" \
    validate times.csv --rows first.csv --platform ./here.ini --model hockney

# ---- Calibrated from the logs themselves ------------------------------------------------------------------------------------

# A message takes about 2 us + 1 ns/B, and a step of the ring a tenth more. A binomial tree of 4 takes two messages.
cat >way.csv <<'END'
bytes,time_us
8,2.008
1024,3.024
65536,67.54
1048576,1051
END
cat >logged.csv <<'END'
collective,algorithm,ranks,bytes,time_us,run
allgather,ring,4,8,6.6,a
allgather,ring,4,1024,9.9,a
allgather,ring,4,65536,220.5,a
allgather,ring,4,1048576,3450,a
bcast,binomial,4,1024,6.048,a
bcast,linear,4,65536,200,a
bcast,chain,4,65536,300,a
bcast,ompi-5:auto,4,65536,300,a
END
c validate pingpong=way.csv logged.csv --calibrate all --set gamma=0 --set lambda=0 --points -f csv
uses() { awk -F, -v line="$1" -v use="$2" '$2 == "logged.csv" && $3 == line && $4 == use { n++ } END { exit n != 1 }' out; }
ok "--calibrate without rows: a ring calibrates" uses 2 calibrate
ok ".. and is predicted to take what it took" predicted 4 0.0002205
ok ".. a tree is scored, by the ping-pong" predicted 6 6.048e-06
ok ".. as score" uses 6 score
ok ".. the library's own choice calibrates nothing" uses 9 score
c validate pingpong=way.csv logged.csv --calibrate all --set gamma=0
ok ".. it says what calibrated" says out "these logs: step: 4 points from logged.csv (CSV): allgather ring, 4 ranks"
c validate logged.csv --calibrate same-run --set gamma=0 --set lambda=0 --points -f csv
ok "--calibrate same-run without rows" predicted 6 6.6e-06
c validate pingpong=way.csv logged.csv --calibrate all --set gamma=0 --set lambda=0 --set "one=8:4us 1K:5us 64K:100us 1M:1.5ms" --points -f csv
ok "--set one wins over the rows" predicted 6 1e-05
c validate pingpong=way.csv logged.csv --calibrate all --set gamma=0 --set lambda=0 --set "step=8:3us 1K:4us 64K:100us 1M:2ms" --points -f csv
ok "--set step wins over the rows" predicted 4 0.0003
ok ".. so that the ring does not calibrate" uses 4 score
c validate pingpong=way.csv logged.csv --calibrate all --set gamma=0 --set "gap=8:1us 1M:2us" --set eager=1M
ok "--set gap wins over the rows, and it says so" says out "these logs, assumed: gap: --set gap=8:1us 1M:2us"

c validate pingpong=way.csv --calibrate all
ok "no row is left to score" says out "no row is left to score"

# Run b has the same messages on 8 nodes instead of 4, and each takes twice as long.
cat >rings.csv <<'END'
collective,algorithm,ranks,bytes,time_us,run
allgather,ring,4,8,6,a
allgather,ring,4,1024,9,a
allgather,ring,4,65536,210,a
bcast,binomial,4,1024,6,a
allgather,ring,8,8,28,b
allgather,ring,8,1024,42,b
allgather,ring,8,65536,980,b
bcast,binomial,8,1024,18,b
END
c validate rings.csv --calibrate same-run --set gamma=0
tr '\n' ' ' <out >flat
ok "a ring that is slower than one on fewer nodes is named" says flat \
    "b, note: its ring on 8 nodes takes 2 times as long for a step as that of a on 4 (8: 4 us, otherwise 2 us)"
ok ".. with the option that predicts without it" says flat "--fallback 'b=a' predicts by the other one"
ok ".. and the other one is not" sh -c '! grep -q "^a, note: its ring" out'
c validate rings.csv --calibrate same-run --set gamma=0 --fallback b=a --points -f csv
ok ".. which it does" predicted 9 9e-06
c calibrate rings.csv --model measured --where run=a
ok "calibrate: one ring is not congested" sh -c '! grep -q "takes .* times as long for a step" out'
sed 's/,[ab]$/,a/' rings.csv >one_run.csv
c calibrate one_run.csv --model measured --set gamma=0
tr -s '\n ' ' ' <out >flat
ok "calibrate: rings of several sizes are compared" says flat "the ring on 8 nodes takes 2 times as long for a step as rings on fewer"

# ---- Spreads into a machine ------------------------------------------------------------------------------------------------

# Twelve measured times are half more or a third less than predicted, so |ln(measured / predicted)| is 0.405 in all of them,
# and 0.327 without a noise of 0.24.
c run bcast binomial -p 4 -m 1..2K:x2 --platform ./here.ini --model hockney -f csv
{
    echo 'collective,algorithm,ranks,bytes,median_us'
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { printf "bcast,binomial,4,%d,%.9g\n", $at["bytes"], $at["time_s"] * 1e6 * (NR % 2 ? 1.5 : 1 / 1.5) }' out
} >apart.csv
written() { c validate "$@" --platform ./here.ini --model hockney --write spread.ini; }
ok "--write" written apart.csv
ok "--write: the spread, and whose it is" \
    [ "$(sed -n '/^\[spread\]/,$p' spread.ini | tr '\n' ' ')" = \
    "[spread] binomial = 0.327 source = validate, rows of apart.csv: binomial 12 " ]
ok "--write: the machine is the same" [ "$(grep -c -F -x -f spread.ini here.ini)" = "$(grep -c '' here.ini)" ]
ok "--write: that is what is assumed then" sh -c '
    "$COLLSIM" validate apart.csv --platform ./spread.ini --model hockney | grep -Eq "^ +binomial +12 +0.41 +0.33 +0.327$"'
echo bcast,chain,4,64,9 >>apart.csv
ok "--write: a family of few rows" written apart.csv
ok "--write: .. is named" says out "not written, because a family needs 10 rows: chain 1"
ok "--write: .. and left out" [ "$(grep -c chain spread.ini)" = 0 ]
sed '1p; /chain/!d' apart.csv | uniq >few.csv
rm spread.ini
ok "--write: no family has enough" fails "no family of algorithms has 10 rows" \
    validate few.csv --platform ./here.ini --model hockney --write spread.ini
ok "--write: .. nothing is written" [ ! -e spread.ini ]
ok "--write without a machine" fails "allowed: with --platform" validate apart.csv --write spread.ini

# ---- Bad input -------------------------------------------------------------------------------------------------------------

ok "--winners without rows" fails "--column and --winners need rows" validate times.csv --winners elsewhere.csv
ok "--where with rows" fails "--bytes and --where say how to read data without --rows" \
    validate times.csv --rows runs.csv --platform ./here.ini --where a=b
ok "no data" fails "MEASURED.csv.., or --column" validate --rows runs.csv
ok "neither" fails "MEASURED.csv.., or --column" validate
sed 's/^score,bcast,linear/scored,bcast,linear/' set.csv >use.csv
ok "a use that is none" fails "use.csv:4: use is scored; allowed: score, calibrate, twin, winner or default" \
    validate --rows use.csv --column guess_us
ok "a column that is not there" fails "column \`line_us\` is missing" validate --rows set.csv --column line_us
ok "a column without a unit" fails "has no unit" validate --rows set.csv --column p
sed 's/binomial/binomal/' runs.csv >name.csv
ok "an algorithm that is none" fails "name.csv:6: " validate times.csv --rows name.csv --platform ./here.ini --model hockney
ok "--tie" fails "--tie '1'; allowed: at least 0%" validate --rows set.csv --column guess_us --tie 1
ok "--by" fails "unknown --by 'ranks'" validate --rows set.csv --column guess_us --by ranks
ok "--place of no group" fails "--place x=node; allowed: GROUP=.. with a group of the rows" \
    validate times.csv --rows runs.csv --platform ./here.ini --model hockney --place x=node
ok "--barrier" fails "--barrier linear; allowed: NAME:P..P" \
    validate times.csv --rows runs.csv --platform ./here.ini --barrier linear
sed 's/linear:50/linear/' elsewhere.csv >bad.csv
ok "malformed candidates" fails "bad.csv:2: candidates are malformed" \
    validate --rows set.csv --column guess_us --winners bad.csv

# ---- The picture -----------------------------------------------------------------------------------------------------------

if command -v gnuplot >/dev/null; then
    ok "--draw" c validate --rows set.csv --column guess_us --draw a.svg
    ok "its title says how far predictions are off" says a.svg "Half of the predictions are off by at most 20 %"
    ok "its panel names the set" says a.svg "set: 20 %, p90 37 % of 5 rows"
    ok "its diagonals are named" sh -c 'grep -q ">x 2<" a.svg && grep -q ">/ 2<" a.svg && grep -q "dark diagonal: measured as predicted; pale ones: twice and half as long" a.svg'
    awk 'BEGIN { print "use,collective,algorithm,p,bytes,measured_us,guess_us,group"; for (i = 1; i <= 500; i++) print "score,bcast,linear," i + 3 ",64," i "," i * (1 + i % 7 / 10) "," }' >many.csv
    c validate --rows many.csv --column guess_us --draw many.svg
    ok "many points are small and let those below through" sh -c 'grep -q ") *. opacity=" many.svg && ! grep -q ") *. opacity=" a.svg'
    long="a title that is much longer than the picture is wide, so that it needs a second line to be read to its end"
    ok "a long title is not cut" sh -c '"$COLLSIM" validate --rows set.csv --column guess_us --draw long.svg --title "$0" 2>err >out &&
        grep -q ">a title that is much" long.svg && grep -q "to its end<" long.svg && ! grep -v "<title>" long.svg | grep -q ">a title.*to its end"' "$long"
    grep -v ^score set.csv >none.csv
    ok "nothing to draw" fails "rows of 0 sets" validate --rows none.csv --column guess_us --draw b.svg
else
    echo "# SKIP the picture: gnuplot is missing"
fi

# ---- Labels ----------------------------------------------------------------------------------------------------------------

cat >osu.txt <<'END'
# OSU MPI Allreduce Latency Test v7.0
# Size       Avg Latency(us)
1024                   10.00
END
V="--set alpha=1us --set beta=1ns/B --set gamma=0s/B --model hockney --platform generic-100g -f csv"
ok "a log of OSU says neither the algorithm nor the ranks" fails "a label in front of the file" validate osu.txt $V
ok "a label says both" c validate allreduce:ring:4=osu.txt $V
ok "6 alpha + 1536 beta are 7.536 us" is -0.2464 osu.txt set "" bias
ok "a slip in a label" fails "did you mean allreduce" validate alreduce:ring:4=osu.txt $V
printf 'collective,algorithm,ranks,bytes,time_us\nbcast,tree_7,4,8,3\n' >theirs.csv
ok "a name of somebody else asks for --names" fails "theirs.csv:2: bcast has no algorithm \`tree_7\`; allowed: the names of" validate theirs.csv $V

# ---- The measurements of others --------------------------------------------------------------------------------------------

# SET COLUMN ROWS MEDIAN P90 MEAN-LOSS, in %, as they are known from the scorer that came with the data, with ties of 1e-9.
if [ -d "$measured/rows" ]; then
    while read -r set column rows median p90 loss; do
        c validate --rows "$measured/rows/$set.csv" --column "$column" --by set --tie 0.0000001% -f csv
        ok "$set, $column: $rows rows, $median and $p90 %, loss $loss %" test "$(awk -F, 'NR == 2 {
            printf "%d %.1f %.1f %s", $4, 100 * $5, 100 * $6, $10 == "" ? "-" : sprintf("%.1f", 100 * $10) }' out)" = \
            "$rows $median $p90 $loss"
    done <<'END'
cloud_noise line_us 86 30.1 56.7 -
cloud_noise study_us 86 9.6 35.1 -
cloudlab line_us 176 25.2 71.4 25.1
cloudlab study_us 176 11.4 23.2 5.5
leonardo line_us 221 32.4 216.7 63.9
leonardo study_us 221 14.1 50.0 13.7
lumi line_us 204 26.8 155.7 7.1
lumi study_us 204 15.0 49.6 3.2
orfeo line_us 4347 52.6 280.4 14.0
orfeo study_us 4347 19.3 55.8 21.3
peak line_us 461 53.9 78.6 31.6
peak study_us 461 31.1 89.2 19.2
END
    c validate "$measured/cloudlab_osu.csv" --rows "$measured/rows/cloudlab.csv" --column line_us
    ok "the rows of CloudLab are held against the data" says out "25.2 %"
else
    n=$((n + 1))
    echo "ok $n # SKIP the measurements of others are not in ../shared/measured (or \$COLLSIM_MEASURED)"
fi
# Rows at which the algorithm's need is not met, so that the prediction is its fallback's.
printf 'collective,algorithm,ranks,bytes,median_s\nallreduce,ring,16,8,4e-6\nallreduce,ring,16,8192,4e-5\n' >fallback.csv
c validate fallback.csv --points
ok 'a row that a fallback predicts says so' says out '+0.1 %   recursive_doubling (count < p)'
ok '.. and is counted' says out 'met: 1; see `ran` in --points'
ok "the process that answered ends well" served_well
echo "1..$n"
