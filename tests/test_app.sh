#!/bin/sh
# The mix of an application: what is read from profiles, what it adds up to, and whether the command in the last line saves
# what the answer says. The cells of an answer are in test_cells.sh.
corpus=$(realpath "$(dirname "$0")/fuzz/corpus/profile")
. "$(dirname "$0")/tap.sh"
export COLLSIM
H='--set alpha=1us --set beta=1ns/B --set gamma=10ns/B'
row() { printf '%s\n' "$@" >p.csv; } # row LINE...: writes a profile
HEAD=collective,calls,bytes,ranks
# flat_of ARGUMENTS...: the program exits with 0; the file flat has what it writes, with one space between words
flat_of() { "$COLLSIM" "$@" >out 2>err && cat out err | tr -s ' \n' '  ' >flat; }

# ---- Sums, counted by hand ------------------------------------------------------------------------------------------------

# On 48 ranks, 128 bytes take 94 alpha + 94 x 128 beta + 47 x 128 gamma = 166.192 us by default and 15.576 us at best, and
# 120 bytes 15.04 us; the barrier on 7 nodes takes 12 alpha by default and 3 at best.
row $HEAD,per_node allreduce,1000,128,48, allreduce,500,120,48, barrier,1000,,7,1
# shellcheck disable=SC2086
ok 'the sums' gives 'in all: 185.7 ms with the defaults of Open MPI 4.1.4, 26.1 ms with the best' app p.csv --for ompi $H
ok '.. what is saved' says out 'settings: these save 159.6 ms, 85.9 %'
ok '.. of a row' grep -q '^allreduce *48 *128 *1000 *166.2 us *166.2 ms *89.5 % *150.6 ms *recursive_doubling$' out
ok '.. of a collective' grep -q '^allreduce *1500 *173.7 ms *93.5 % *150.6 ms *86.7 %$' out
ok '.. the longest first' sh -c 'test "$(awk "NF > 8 && / us  / { printf \$1 \$3 }" out)" = allreduce128barrier0allreduce120'
# shellcheck disable=SC2086
ok 'shares add up to 1' sh -c '"$COLLSIM" app p.csv --for ompi '"$H"' -f csv | awk -F, "
    NR > 1 { s += \$8; t += \$7 } END { exit !(s > 1 - 1e-12 && s < 1 + 1e-12 && t > 0.1857119 && t < 0.1857121) }"'
row $HEAD allreduce,1000,128,48 allreduce,500,128,48
# shellcheck disable=SC2086
ok 'equal rows are added up' gives ' 1500  166.2 us   249.3 ms  100.0 %' app p.csv --for ompi $H
row $HEAD allreduce,3,12,4 allreduce,3,6,4 allreduce,3,7,4 bcast,1,12,4
ok 'elements of reductions divide the size' sh -c '
    "$COLLSIM" app p.csv -f csv | cut -d, -f4,5 | sed 1d | sort | tr "\n" " " | grep -qx "12,1 12,4 6,2 7,1 "'
ok '.. unless they are given' fails 'allreduce has 6 bytes, which are not whole elements of 4' app p.csv --element 4
row $HEAD allreduce,1000,128,48
# shellcheck disable=SC2086
ok 'without a library, the best of all' gives 'with the best of all algorithms' app p.csv $H
ok '.. which has no settings' sh -c '! grep -e saves -e tune -e default out'
ok '.. and is what best finds' sh -c '
    "$COLLSIM" best allreduce -p 48 -m 128 --element 8 --top 1 '"$H"' >best &&
    grep -q "$(sed -n "s/^allreduce .* //p" out)" best'

# On two ranks a broadcast is one message, which takes L + 2 o, and under loggp 7 G more.
LOGP='--set L=5us --set o=1us --set g=2us'
row $HEAD bcast,10,8,2
# shellcheck disable=SC2086
ok 'the model logp' gives 'in all: 70 us with the defaults of Open MPI 4.1.4, 70 us' app p.csv --for ompi --model logp $LOGP
# shellcheck disable=SC2086
ok '.. loggp' gives 'in all: 140 us with the defaults' app p.csv --for ompi --model loggp $LOGP --set G=1us/B
# shellcheck disable=SC2086
ok '.. and loggops, with what run says' sh -c '
    t=$("$COLLSIM" run bcast ompi:auto -p 2 -m 8 --model loggops '"$LOGP"' --set O=3us/B | awk "\$1 == 2 { print \$3 }") &&
    "$COLLSIM" app p.csv --for ompi --model loggops '"$LOGP"' --set O=3us/B >out && grep -q "^bcast  *2  *8  *10  *$t us " out'
ok '.. and a tune of that model' says out 'tune ompi-4.1 bcast -p 2 -m 8 --model loggops'

# ---- The three formats ----------------------------------------------------------------------------------------------------

# The corpus has one profile in all formats. Only the measured times are rounded otherwise; tables show them alike.
answer() { # answer FILE: prints its rows without measured times
    "$COLLSIM" app "$corpus/$1" --for ompi-4.1 -f csv | cut -d, -f1-10,12-
}
answer csv >due
for format in mpip mpip-short ipm-hent ipm-func; do
    ok "$format: the same answer as CSV" sh -c 'test "$(wc -l <due)" = 4 && cmp due "$0"' "$(answer $format >is; echo is)"
    ok '.. and the same measured times' sh -c '
        "$COLLSIM" app "$0" --for ompi-4.1 >out && grep -q "^allreduce .* 12 ms  the default" out &&
        grep -q "^bcast .* 4 ms  scatter_rd_allgather$" out && grep -q "^barrier .* 1 ms  the default$" out &&
        grep -q "^\(MPI_\)*Send *60 *3 ms  15.0 %  not a collective$" out && grep -q "Measured: 17 ms" out' "$corpus/$format"
done
{ echo 'some output of the program'; cat "$corpus/mpip"; echo 'real 0m1s'; cat "$corpus/mpip"; } >job
ok "mpiP's report in a job's output" sh -c 'test "$(wc -l <due)" = 4 && cmp due "$0"' "$(corpus=. answer job >is; echo is)"
flat_of app job --for ompi-4.1
ok '.. begins where it does' says flat "job:2: mpiP's report begins here; what is above it is passed over"
ok '.. and the second is passed over' says flat 'a second report of mpiP begins here; it is passed over'
ok 'mpiP: the ranks of communicators' gives 'bcast           4    64K     10 ' app "$corpus/mpip" --for ompi-4.1 -p 4
ok '.. on nodes' gives 'bcast         2x2    64K     10 ' app "$corpus/mpip" --for ompi-4.1 -p 2x2
ok '.. --map counts more than its hosts' gives '8 nodes of 1 rank, cyclic' app "$corpus/mpip" --for ompi-4.1 --map cyclic:1
sed 's/: 4 node2/: 4 node1/' "$corpus/mpip" >uneven
ok 'mpiP: hosts that are not blocks' gives 'the hosts of the ranks are not equal blocks' app uneven --for ompi-4.1
sed '/Sent statistics/,$ s/1024      1024      1024 8/2000      1030         8 8/' "$corpus/mpip" >mean
ok 'mpiP: several sizes count as their mean, in whole elements' gives 'allreduce     2x4   1032   1000 ' app mean --for ompi-4.1
ok '.. which the answer says' says out 'have calls of several'
sed '/^Bcast/d' "$corpus/mpip" >less
awk '/Message Sent stat/ { sent = 1 } sent && /^Bcast/ { next } /Aggregate Sent/ { all = 1 } /Callsite Time/ { all = 0 }
    all && /^Bcast/ { next } { sub(/^Bcast    /, "Alltoallv"); print }' "$corpus/mpip" >less
ok 'mpiP: calls without sizes are not predicted' sh -c '
    "$COLLSIM" app less --for ompi-4.1 >out && grep -q "^Alltoallv *10 *4 ms  20.0 %  the profile has no sizes of it$" out'
sed 's/MPI_Bcast/MPI_Ibcast/' "$corpus/ipm-hent" >ibcast
ok 'calls that do not block are not predicted' sh -c '
    "$COLLSIM" app ibcast --for ompi-4.1 >out && grep -q "^MPI_Ibcast *10 *4 ms  20.0 %  it does not block$" out'
printf '<?xml version="1.0"?>\n<task mpi_size="4" >\n<hent call="MPI_Reduce_scatter" bytes="16" count="3" >1e-3 0</hent>\n' >rs
ok 'IPM: the block of a reduce_scatter' gives 'reduce_scatter      4     64      3 ' app rs
ok '.. on fewer ranks' gives 'reduce_scatter      2     32      3 ' app rs -p 2
ok '.. of one rank of four' says out 'the profile has 1 of 4 ranks'
ok '.. not of all ranks' sh -c '"$COLLSIM" app "$0" --for ompi-4.1 >out && ! grep "stands for all" out' "$corpus/ipm-hent"
{ echo '<?xml version="1.0"?>' && printf '<task mpi_rank="%d" mpi_size="4" >\n<hent call="MPI_Bcast" bytes="16" count="3" >%s 0</hent>\n</task>\n' 0 1e-3 1 3e-3; } >two
ok 'IPM: times are means over the ranks that the profile has' sh -c '
    "$COLLSIM" app two -f json 2>err >out && grep -q "\"mpi_s\":0.002," out && grep -q "\"measured_total_s\":0.002," out'
for mean in 3 4 6 7; do # below an element of 8 bytes
    sed "/Sent statistics/,\$ s/1024      1024      1024 8/2000      $mean         1 8/" "$corpus/mpip" >small
    ok "mpiP: a mean of $mean bytes does not become an element more" gives "allreduce     2x4      $mean   1000 " app small --for ompi-4.1
done
for mean in 8:8 11:8 12:16 13:16; do
    sed "/Sent statistics/,\$ s/1024      1024      1024 8/2000      ${mean%:*}         1 8/" "$corpus/mpip" >small
    ok "mpiP: a mean of ${mean%:*} bytes is ${mean#*:}" sh -c '"$COLLSIM" app small --for ompi-4.1 | grep -Eq "^allreduce +2x4 +$0 +1000 "' "${mean#*:}"
done
row $HEAD,bytes_are reduce_scatter,3,16,4,block alltoall,3,64,4,total bcast,3,64,4,total
ok 'CSV: bytes_are' sh -c '"$COLLSIM" app p.csv -f csv | cut -d, -f1,4 | sort | tr "\n" " " |
    grep -qx "alltoall,16 bcast,64 collective,bytes reduce_scatter,64 "'

# ---- The command of the last line ------------------------------------------------------------------------------------------

row $HEAD allreduce,1000,128,48 bcast,10,1048576,48 allgather,5,16,48
ok 'the command' gives 'collsim tune ompi-4.1 allreduce,bcast -p 48 -m 128,1M --platform lumi -o rules.conf' \
    app p.csv --for ompi-4.1 --platform lumi
sed -n 's/^collsim //p' out >command
# shellcheck disable=SC2046
ok '.. writes a file' sh -c '"$COLLSIM" $(cat command) 2>err && test -s rules.conf'
"$COLLSIM" app p.csv --for ompi-4.1 --platform lumi -f csv | awk -F, 'NR > 1 && $10 > 0.03 { print $1, $13 }' >due
"$COLLSIM" rules diff default rules.conf --for ompi-4.1 --platform lumi -p 48 -m 128,1M -f json >diff
if command -v perl >/dev/null; then
    ok '.. that saves as much' perl -MJSON::PP -e '
        open my $due, "<", "due"; open my $diff, "<", "diff"; local $/;
        my ($rows, $n) = (decode_json(<$diff>)->{rows}, 0);
        for (split /\n/, <$due>) {
            my ($collective, $best) = split; my $m = $collective eq "bcast" ? 1048576 : 128;
            my ($row) = grep { $_->{collective} eq $collective && ($_->{bytes} // 0) == $m } @$rows;
            $n += $row->{second_s} <= 1.03 * $best;
        }
        exit($n != 2)'
fi
row $HEAD allreduce,1000,12,48
for element in 8 4; do
    row $HEAD,element reduce,1000,4096,7,$element bcast,1000,1,48,1
    # shellcheck disable=SC2086
    ok ".. with elements of $element bytes, where they are short" sh -c '
        command=$("$COLLSIM" app p.csv --for ompi-4.1 '"$H"' | tail -n 1)
        case $command in "collsim tune "*" --element $0 "*) [ "$0" = 4 ] ;; "collsim tune "*--element*) false ;; "collsim tune "*) [ "$0" = 8 ] ;; *) false ;; esac' $element
done
row $HEAD bcast,10,8,4
ok 'nothing to tune' gives 'No rules file saves anything here.' app p.csv --for ompi-4.1
ok '--top' sh -c '"$COLLSIM" app "$0" --for ompi-4.1 --top 1 | grep -q "and 2 more kinds of calls"' "$corpus/csv"
ok '.. that all rows fit' sh -c '"$COLLSIM" app "$0" --for ompi-4.1 --top 3 >out && grep -q "^allreduce " out && ! grep "more kinds" out' "$corpus/csv"
awk 'BEGIN { print "collective,calls,bytes,ranks"; for (i = 1; i <= 20; i++) print "bcast,1," i * 1000 ",8" }' >p.csv
ok 'many sizes are a range' sh -c '"$COLLSIM" app p.csv --for ompi-4.1 | tail -n 1 | grep -q -e "-m 512..32K:x2"'

# ---- Bad input --------------------------------------------------------------------------------------------------------------

row $HEAD bcast,1,8,4
ok 'ranks twice' fails '-p 4: p.csv has the number of ranks in each row' app p.csv -p 4
ok 'no ranks' fails 'does not say on how many ranks the calls are; allowed: with -p' app "$corpus/csv-without-ranks"
ok '.. but -p' gives '4      8      1' app "$corpus/csv-without-ranks" -p 4
ok 'several ranks' fails '-p 2,4 has 2 numbers; allowed: one' app "$corpus/csv-without-ranks" -p 2,4
ok 'calls that overflow' flat_of app "$corpus/csv-overflow"
ok '.. are passed over' says flat 'csv-overflow:3: the sum of the calls or of their times is too large; allowed: below 2^63; the row is passed over'
ok '.. do not change the sum' says flat 'allreduce 2 8 4611686018427387904 '
row $HEAD allreduce,10,8,4 allreduce,5 bcast,x,8,4 bcast,1,8,4 , allred
ok 'malformed rows are passed over' flat_of app p.csv
for note in 'p.csv:3: the row has 2 fields; allowed: 4, as in the header' 'p.csv:4: calls is `x`' 'p.csv:6: the row has 2 fields' \
    'p.csv:7: the row has 1 field;'; do
    ok ".. $note" says flat "note: $note"
done
ok '.. and others are not' sh -c 'grep -q "^allreduce .* 10 " out && grep -q "^bcast .* 1 " out'
row $HEAD allreduce,5 bcast,x,8,4
ok '.. a profile of such rows only is refused' fails 'p.csv:2: the row has 2 fields; allowed: 4' app p.csv
row $HEAD bcast,4611686018427387904,8,4 allgather,4611686018427387904,8,4
ok '.. over all rows' fails 'p.csv: the sum of all calls or of their times is too large' app p.csv
row $HEAD,bytes_are reduce_scatter,1,1125899906842624,2,block
ok 'a vector that is too long' fails 'p.csv: the vector of reduce_scatter on 2 ranks is too long' app p.csv
row $HEAD alltoall,1,1125899906842624,1048576
ok 'a call that is too large' fails 'p.csv: alltoall of 1125899906842624 bytes on 1048576 ranks overflows' app p.csv
for case in 'bcats,1,8,4|p.csv:2: unknown collective' 'bcast,x,8,4|p.csv:2: calls is `x`' 'bcast,1,-8,4|p.csv:2: bytes is `-8`' \
    'bcast,1,8,0|p.csv:2: ranks is `0`' 'bcast,1,8|p.csv:2:' 'MPI_Send,1,8,4|no collective that can be predicted: MPI_Send, not a'; do
    row $HEAD "${case%%|*}"
    ok "CSV: ${case%%|*}" fails "${case##*|}" app p.csv
done
row $HEAD,per_node bcast,1,8,6,4
ok 'nodes that do not fit' fails 'p.csv:2: per_node is 4 on 6 ranks' app p.csv
row $HEAD,element bcast,1,8,6,3
ok 'elements that do not fit' fails 'p.csv:2: 8 bytes are not whole elements of 3' app p.csv
row $HEAD,bytes_are alltoall,1,9,2,total
ok 'blocks that do not fit' fails 'p.csv:2: 9 bytes in all are not 2 equal blocks' app p.csv
row collective,bytes bcast,8
ok 'a missing column' fails 'p.csv:1: column `calls` is missing; the header has ' app p.csv
row hello
ok 'another file' fails 'p.csv:1: unknown layout' app p.csv
sed 's/: 5 node2/: 6 node2/' "$corpus/mpip" >bad
ok 'mpiP: ranks out of order' fails "bad:10: the task assignment is '6 node2'" app bad
sed 's/^Send                 4    \*    480/Send                 4    *    x/' "$corpus/mpip" >bad
ok 'mpiP: a count' flat_of app bad --for ompi-4.1
ok '.. its row is passed over' says flat "bad:54: Count is 'x'; allowed: an integer, 0 or above; the row is passed over"
sed '/Task Assignment/d' "$corpus/mpip" >bad
ok 'mpiP: no ranks' fails 'the report has no lines `@ MPI Task Assignment`' app bad
for banner in ipm-banner:3 ipm-banner-0.98:1; do
    ok "IPM: a banner, at $banner" fails "$banner: the banner of IPM has no sizes of calls; allowed: the XML file" app "$corpus/${banner%:*}"
done
ok 'IPM: bytes' flat_of app "$corpus/ipm-bad"
ok '.. their element is passed over' says flat "ipm-bad:4: bytes is '-1'; allowed: an integer, 0 or above; the row is passed over"
sed '0,/mpi_size="8"/s//mpi_size="9"/' "$corpus/ipm-hent" >bad
ok 'IPM: two jobs' fails 'a task of 8 ranks; allowed: one job in a file' app bad
"$COLLSIM" app "$corpus/ipm-hent" --for ompi-4.1 -f csv >whole 2>err
same_as_whole() { "$COLLSIM" app "$1" --for ompi-4.1 -f csv >out 2>err && cmp -s out whole; }
tr '\n' ' ' <"$corpus/ipm-hent" | sed "s/\"/'/g; s/ call=/   call =/g" >lines
ok 'IPM: the XML in one line, with other quotes' same_as_whole lines
sed "s|^<regions|<cmdline realpath=\"a\" >./a.out --x=1\&y=2</cmdline>\n&|" "$corpus/ipm-hent" >command
ok 'IPM: a command line that is not escaped' same_as_whole command
sed '/<task .*mpi_rank="1"/,$d' "$corpus/ipm-hent" >half
printf '<task mpi_rank="1" mpi_size="8" >\n<hash>\n<hent call="MPI_Bcast" bytes="65536" cou' >>half
ok 'IPM: half a file' gives "half:$(($(wc -l <half) + 1)): the XML ends here, and what follows is passed over" app half --for ompi-4.1
head -5 "$corpus/ipm-hent" >none
ok 'IPM: too little of it' fails 'none:6: this is not XML: ' app none
row $HEAD bcast,1,8,4
ok 'an unknown library' fails "unknown library 'impi'" app p.csv --for impi
ok 'shared memory' fails 'app does not know model shared' app p.csv --model shared
echo "1..$n"
