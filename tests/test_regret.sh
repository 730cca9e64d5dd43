#!/bin/sh
# What a library's defaults cost. The cells of an answer are in test_cells.sh.
. "$(dirname "$0")/tap.sh"
export COLLSIM

# ---- Against run ----------------------------------------------------------------------------------------------------------

# Without parameters to choose, the best is the fastest of the ids, and the default is what LIB:auto runs.
cat >same.pl <<'END'
use strict;
use warnings;
use JSON::PP;
my ($collective, $library, $elem) = @ARGV;
my ($points, $bad) = (0, 0);
for my $place (@{decode_json(scalar `"$ENV{COLLSIM}" regret $library $collective -p 3,8,12 -m 64,4K -f json`)->{points}}) {
    my $on = "$collective -p $place->{ranks} -m $place->{bytes} --element $elem -f json";
    my @rows = grep { !defined $_->{ran} } @{decode_json(scalar `"$ENV{COLLSIM}" run $on $library:all,$library:auto`)->{rows}};
    my ($least) = sort { $a <=> $b } map { $_->{time_s} } @rows;
    my ($auto) = grep { $_->{algorithm} =~ /:auto$/ } @rows;
    $points++;
    next if $auto->{time_s} == $place->{default_s} && $least == $place->{best_s};
    print "$on: $auto->{time_s} $place->{default_s} $least $place->{best_s}\n";
    $bad = 1;
}
print "$points points\n";
exit($bad || $points < 3);
END
if command -v perl >/dev/null; then
    for x in 'allgather ompi 1' 'barrier ompi-5 1' 'scan ompi 8' 'reduce_scatter ompi 8' 'alltoallv mpich-4.0 1' \
        'allreduce mpich-4.0 8' 'bcast mpich-4.0 1'; do
        ok "$x: the best of run" sh -c "perl same.pl $x >out 2>err"
    done
fi

# ---- The best of all algorithms -------------------------------------------------------------------------------------------

# `best` finds it, and regret, the rules file, the header and the report show one mean of it.
cat >of_all.pl <<'END'
use strict;
use warnings;
use JSON::PP;
my ($collective, $elem) = @ARGV;
my $on = "-p 8x4,16 -m 8,64K --platform lumi";
my $answer = decode_json(scalar `"$ENV{COLLSIM}" regret ompi-4.1 $collective $on --of-all -f json`);
my ($logs, $n, $bad, $faster) = (0, 0, 0, 0);
for my $place (grep { $_->{grid} } @{$answer->{points}}) {
    my $p = $place->{per_node} ? $place->{ranks} / $place->{per_node} . "x$place->{per_node}" : $place->{ranks};
    my $at = "$collective -p $p -m $place->{bytes} --element $elem --platform lumi";
    my $best = decode_json(scalar `"$ENV{COLLSIM}" best $at -f json`)->{rows}[0];
    $logs += log($place->{all_s} / $place->{best_s});
    $n++;
    $faster += $place->{all_s} < $place->{best_s};
    next if $place->{all_s} == $best->{time_s};
    print "$at: $place->{all_s} $best->{time_s}\n";
    $bad = 1;
}
my $mean = $answer->{rows}[0]{all_x_mean};
my ($three, $two) = (sprintf("%.3f", $mean), sprintf("%.2f", $mean));
my ($rules) = `"$ENV{COLLSIM}" tune ompi-4.1 $collective $on --of-all` =~ /best of all ([0-9.]+)/;
my ($header) = `"$ENV{COLLSIM}" tune ompi-4.1 $collective $on --of-all -f c` =~ /best of all ([0-9.]+)/;
my ($page) = `"$ENV{COLLSIM}" report $collective $on --of-all` =~ /all \/ best.*?<td[^>]*>\Q$two\E</s;
print "$n points, $faster faster: $mean, rules $rules, header $header, page ", defined $page ? "has it" : "lacks it", "\n";
exit($bad || $n != 4 || !$faster || abs(exp($logs / $n) - $mean) > 1e-9 || $rules ne $three || $header ne $three ||
     !defined $page);
END
if command -v perl >/dev/null; then
    ok 'the best of all scans' sh -c 'perl of_all.pl scan 8 >out 2>err'
fi

# ---- Another root ---------------------------------------------------------------------------------------------------------

# At each point the default is what `run` says of it from this root, and the best what `best` finds, or the default. A
# collective without a root is as without the option.
cat >rooted.pl <<'END'
use strict;
use warnings;
use JSON::PP;
my ($root, $library, $collectives, $on) = @ARGV;
my %has = map { $_ => 1 } qw(bcast reduce gather scatter gatherv scatterv);
my $answer = decode_json(scalar `"$ENV{COLLSIM}" regret $library $collectives $on --platform lumi --root $root -f json`);
my ($points, $other, $bad) = (0, 0, 0);
for my $place (@{$answer->{rows}}, @{$answer->{points}}, @{$answer->{worst}}) {
    my $due = $has{$place->{collective}} ? $root : 0;
    next if $place->{root} == $due;
    print "$place->{collective}: root $place->{root}, not $due\n";
    $bad = 1;
}
for my $place (@{$answer->{points}}) {
    my $p = $place->{per_node} ? $place->{ranks} / $place->{per_node} . "x$place->{per_node}" : $place->{ranks};
    my ($element) = map { $_->{element} } grep { $_->{collective} eq $place->{collective} } @{$answer->{rows}};
    my $at = "-p $p -m $place->{bytes} --element $element --platform lumi -f json";
    my $from = $has{$place->{collective}} ? "--root $root" : '';
    my $time = sub { decode_json(scalar `"$ENV{COLLSIM}" $_[0] $at $_[1]`)->{rows}[0]{time_s} };
    my $default = $time->("run $place->{collective} $library:auto", $from);
    my $best = $time->("best $place->{collective} --only $library --top 1", $from);
    $best = $default if $default < $best;
    $points++;
    $other += $from && $default != $time->("run $place->{collective} $library:auto", '');
    next if $default == $place->{default_s} && $best == $place->{best_s};
    print "$place->{collective} $at: $default $place->{default_s} $best $place->{best_s}\n";
    $bad = 1;
}
print "$points points, the default takes another time than from rank 0 at $other\n";
exit($bad || $points < 4 || !$other);
END
if command -v perl >/dev/null; then
    ok 'from another root' perl rooted.pl 5 ompi-4.1 bcast,scan '-p 6,3x4 -m 64,4K'
    ok '.. of MPICH' perl rooted.pl 3 mpich-4.3 reduce,gather '-p 2x4,10 -m 64,128K'
fi
ok 'the title says the root' gives 'Open MPI 4.1.4, root 5 on lumi' regret ompi-4.1 bcast,barrier -p 8 -m 8 --platform lumi --root 5
# Of 4 nodes, one rank less on each makes 28 ranks; rank 30 is the root of the grid alone.
least_ranks() { # least_ranks: the fewest ranks of all points
    sed -n '/"points"/,/\]/p' out | grep -o '"ranks":[0-9]*' | cut -d: -f2 | sort -n | head -n 1
}
ok 'a neighbour that the root is not among' c regret ompi-4.1 bcast -p 4x8 -m 8,128K --root 30 -f json
ok '.. is not examined' sh -c '[ "$1" = 32 ]' sh "$(least_ranks)"
c regret ompi-4.1 bcast -p 4x8 -m 8,128K --root 27 -f json
ok '.. but one that it is among is' sh -c '[ "$1" = 28 ]' sh "$(least_ranks)"
ok 'a root that is not there' fails '--root 8 is not among 8 ranks; allowed: 0 .. p-1' regret ompi bcast,scan -p 9,8 -m 8 --root 8
ok 'a root where there is none' fails '--root: barrier has no root' regret ompi barrier -p 8 --root 1
ok '.. in several collectives' fails '--root: allreduce, scan have no root' regret ompi scan,allreduce -p 8 -m 8 --root 1
ok 'all roots' fails "--root 'all'; allowed: 0 .. p-1" regret ompi bcast -p 8 -m 8 --root all
ok '.. are not offered' says_not err 'or all'

# ---- Known cliffs ---------------------------------------------------------------------------------------------------------

R="regret ompi-4.1 allreduce --platform lumi"
ok '16 doubles on 48 ranks' sh -c '"$COLLSIM" $0 -p 48 -m 128 >out && grep -q "48 *128  13.4 .*1 basic_linear" out' "$R"
ok '32K on 65,536 ranks' sh -c '"$COLLSIM" $0 -p 65536 -m 32K >out && grep -q "65536 *32K  6430 *1.489 s  231.6 us" out' "$R"
ok 'both sides of a threshold' sh -c '
    "$COLLSIM" $0 -p 48 -m 8..1K:x2 >out && grep -q "48 *120  1.00 *48 *128  *13.4" out &&
    grep -q "48 *248  13.4 *48 *256  *1.82" out' "$R"
ok 'p and p + 1' sh -c '
    "$COLLSIM" regret ompi barrier -p 4,7,16 >out && grep -q "barrier *7 *0  4.00 *8 *0  *1.00" out'
ok 'no neighbour below the grid' sh -c '"$COLLSIM" regret ompi barrier -p 8,16 >out && ! grep "barrier *7" out'
ok 'one node more' sh -c '
    "$COLLSIM" regret ompi bcast -p 3x4,8x4 -m 32K >out && grep -q "bcast *3x4 *32K  2.87 *4x4 *32K  *1.12" out &&
    grep -q "bcast *7x4 *32K  1.05 *8x4 *32K  *1.68" out'
ok 'one rank more on each node' sh -c 'grep -q "bcast *8x3 *32K  1.05 *8x4 *32K  *1.68" out'
ok 'no neighbour beyond the nodes of the grid' sh -c '! grep -e 2x4 -e 9x4 -e 3x5 -e 8x5 out &&
    "$COLLSIM" regret ompi allgather -p 1x2 -m 1M >out && ! grep 1x1 out'
ok 'a default with x = 1 has no worst points' sh -c '
    "$COLLSIM" regret ompi alltoallv -p 4,16 >out && ! grep -e Worst -e Cliffs out'
ok '--top' sh -c '"$COLLSIM" $0 -p 16,48 -m 8..1K:x2 --top 1 >out 2>err && test "$(grep -c ^allreduce out)" = 4' "$R"

# ---- Libraries and nodes --------------------------------------------------------------------------------------------------

ok 'all collectives by default' sh -c '"$COLLSIM" regret mpich -p 4 -m 64 -f csv >out && test "$(wc -l <out)" = 17'
# Without beta and gamma times are whole alphas. On 7 ranks alltoall takes exactly twice as long as the best.
shares() { # shares X SHARE ARGUMENTS...: the answer has both texts
    x=$1 share=$2
    shift 2
    c regret "$@" --set alpha=1us --set beta=0 --set gamma=0 -f json && says out "$x" && says out "$share"
}
ok 'twice as long is not above 2' shares '"x":2,' '"above_2":0,' ompi-4.1 alltoall -p 7 -m 8
ok '.. but above 1.1' says out '"above_1_1":1,'
# With alpha = a and beta = b the default takes 6a + 48b and the best 3a + 72b, whose ratio is 1.1 where 9a = 104b.
tenth() { # tenth ALPHA ABOVE: with this alpha, as many of the one point count as above 1.1
    c regret ompi-4.1 alltoall -p 7 -m 8 --set alpha="$1"s --set beta=9s/B --set gamma=0 -f json && says out '"above_1_1":'"$2,"
}
ok 'a tenth longer is not above 1.1' tenth 104 0
ok '.. nor is less' tenth 103 0
ok '.. but more is' tenth 105 1
ok 'three times as long is above 2' shares '"x":3,' '"above_2":1,' ompi-4.1 barrier -p 4
ok 'some' sh -c '"$COLLSIM" regret mpich bcast,scan -p 4 -m 64 -f csv >out && test "$(wc -l <out)" = 3'
ok 'HAN' gives 'han (bcast: ' regret ompi-5 bcast -p 4x4 -m 1M
ok '.. or not' sh -c '"$COLLSIM" regret ompi-5 bcast -p 4x4 -m 1M --no-han >out && ! grep "han (" out'
ok 'what is not in the data is not compared, and a note says why' sh -c '
    "$COLLSIM" regret ompi gatherv -p 4 -m 8,64 -f csv >out 2>err && grep -q "^gatherv,1,0,0,2,," out &&
    grep -q "note: gatherv: .* leaves gatherv to its component basic" err'
"$COLLSIM" regret ompi-5 bcast -p 2x4 -m 64,128K >out
ok 'it says whether HAN counts' grep -q '^note: the default is that with HAN' out
ok '.. and what run notes' grep -q '^note: bcast: what HAN runs between the nodes is not in the data' out
ok '.. and the header of a rules file says the same, with the same mean' sh -c '
    mean=$("$COLLSIM" regret ompi-5 bcast -p 2x4 -m 64,128K -f csv 2>/dev/null | awk -F, "NR == 2 { printf \"%.3f\", \$6 }")
    "$COLLSIM" tune ompi-5 bcast -p 2x4 -m 64,128K --no-han >header && grep -q "^# NOTE: the default is that with HAN" header &&
    grep -q "^# NOTE: bcast: what HAN runs between the nodes" header && grep -q "bcast .*: default $mean," header'
ok 'reductions have elements of 8 bytes' fails '-m 12 is not a multiple of 8' regret ompi allreduce -p 4 -m 12,16
c regret ompi allreduce -p 4 -m 12,16 --element 4 -f csv
ok '.. unless told otherwise' says out ',4,0,2,0,'

# ---- The map --------------------------------------------------------------------------------------------------------------

if command -v gnuplot >/dev/null; then
    # Of 2 x 4 places, two are slow: 48 ranks with 128 bytes (13.4) and 256 bytes (1.8).
    ok 'a map' c $R -p 16,48 -m 64,128,256,512 --draw a.svg
    ok 'a map: the answer is printed too' says out 'Worst points'
    ok 'a map: the title' says a.svg 'Open MPI 4.1.4, allreduce, lumi: the default takes 1.6 times the best (geometric mean), 13 times on 48 ranks'
    part places a.svg >a.places
    ok 'a map: the places, in the colours of their x' sh -c '
        grep -o "polygon fill = .rgb([^)]*)" a.places | head -n 8 | tr -dc "0-9,\n" | tr "\n" " " >places
        grep -qx "242,242,242 242,242,242 242,242,242 242,242,242 242,242,242 201,74,8 254,196,79 254,196,79 " places'
    ok 'a map: how many places each colour has' sh -c '
        grep -q ">5 to 20: 1<" a.svg && grep -q ">1.5 to 2: 2<" a.svg && grep -q ">below 1.1: 5<" a.svg'
    ok 'a map: x stands in the place if it is large' sh -c 'grep -q ">13<" a.svg && grep -q ">1.8<" a.svg && ! grep -q ">1.0<" a.svg'
    # The cliffs: 120 and 128, 248 and 256 bytes on 48 ranks; 31 and 32 ranks, below 48, do not lie beside 16 or 48.
    "$COLLSIM" $R -p 16,48 -m 64,128,256,512 -f json >cliffs.json
    ok 'a map: the cliffs are counted' sh -c '
        n=$(perl -MJSON::PP -0777 -ne "print scalar @{decode_json(\$_)->{cliffs}}" cliffs.json) && grep -q ", $n in all" a.svg'
    ok 'a map: -o draws too' sh -c '"$COLLSIM" $0 -p 16,48 -m 64,128,256,512 -o b.svg >out 2>err && cmp a.svg b.svg' "$R"
    ok 'a map from another root' sh -c '"$COLLSIM" regret ompi bcast -p 4,8 -m 8,1M --root 3 --draw root.svg >out && grep -q "Open MPI 4.1.4, bcast, root 3, generic-100g: " root.svg'
    ok 'a map over nodes' sh -c '"$COLLSIM" regret ompi-5 bcast -p 2x4,4x4 -m 8,64 --draw n.svg >out && grep -q ">2x4<" n.svg && grep -q ">4x4<" n.svg'
    ok 'a map of a barrier' sh -c '"$COLLSIM" regret ompi barrier -p 4,7,16 --draw barrier.svg >out && grep -q "4.0 times on 7 ranks<" barrier.svg'
    ok 'a map without regret' sh -c '"$COLLSIM" regret ompi alltoallv -p 4,16 -m 64 --draw none.svg >out && grep -q "no default is slower than the best" none.svg'
    ok 'a map: places that are not known' fails 'the default is not known at any point' regret ompi gatherv -p 4 -m 8 --draw u.svg
fi
# The same places and cliffs as above, as text.
ok 'a map as text' c $R -p 16,48 -m 64,128,256,512 --draw -
ok 'a map as text: after the answer' sh -c 'tail -n +2 out | head -n 5 | grep -q "x: time" && grep -q "^Worst points" out'
ok 'a map as text: its places and cliffs' sh -c '
    printf "%s\n" "ranks" "  48 |    .|  13| 1.8  1.8" "            ---- ---- ----" \
        "  16 |    .    .    .    ." \
        "         64  128  256  512  size (bytes)" >want && sed -n "/^ranks$/,/size (bytes)/p" out | cmp - want'
ok 'a map as text: a cliff between ranks' sh -c '
    "$COLLSIM" regret ompi barrier -p 7,8 --draw - >out && grep -B1 -A1 -e "---$" out | tr "\n" "/" | grep -q "8 |    ./ *----/ *7 |  4.0/"'
ok 'a map as text: what is not known' sh -c '
    "$COLLSIM" regret ompi-5 bcast -p 4x1,4x2 -m 8,64 --draw - >out && grep -q "4x1 |    ?    ?" out'
ok 'a map as text: no line is longer than 100' sh -c '
    "$COLLSIM" $0 -p 2..5,41 -m 8,16,32,64,80,96,128,136,144,152,160,168,176,184,192,200,208,256 --draw - >out &&
    test "$(sed -n "/^ranks$/,\$p" out | awk "length > 100" | wc -l)" = 0 && test "$(grep -c "^ranks$" out)" = 2' "$R"
ok 'a map as text goes with tables' fails '--draw - is text among tables; allowed: without -f' \
    regret ompi bcast -p 4 -m 8 --draw - -f csv
ok 'a map of two collectives' fails '--draw draws one collective, and 2 are asked for' regret ompi bcast,scan -p 4 -m 8 --draw x.svg
ok 'a map of all' fails '--draw draws one collective, and 16 are asked for' regret ompi -p 4 -m 8 --draw x.svg
ok 'a map that is too large' fails '--draw: 41 values on an axis; allowed: at most 40' regret ompi bcast -p 2..42 -m 8 --draw x.svg
ok 'a picture of another kind' fails '.svg, .png or .pdf' regret ompi bcast -p 4 --draw x.txt

# ---- Bad input ------------------------------------------------------------------------------------------------------------

ok 'an unknown library' fails "unknown library 'impi', did you mean ompi? allowed: ompi-4.1" regret impi
ok 'an unknown collective' fails "unknown collective 'bcats', did you mean bcast?" regret ompi bcats
ok 'shared memory' fails 'regret does not know model shared' regret ompi bcast --model shared
ok 'too large' fails 'allowed: less than 2^62 bytes' regret ompi alltoall -p 1M -m 16T
# A grid that takes more than a few seconds says so before it begins. It is stopped then.
TAKES='^collsim: note: this grid takes about [0-9]+ (s|minutes|hours)$'
says_time() {
    background $DEFAULTS "$COLLSIM" regret ompi-4.1 --platform lumi
    wait_for grep -qE "$TAKES" err
    kill -TERM $pid 2>err.kill
    wait $pid 2>/dev/null
    grep -qE "$TAKES" err && says_not out 'takes about' # `out` may have what was judged until then
}
ok 'how long a large grid takes' says_time
small() { c regret ompi-4.1 bcast -p 8 -m 8 && says_not err 'takes about'; }
ok '.. and a small one says nothing' small

# What was searched, in a table and on a page.
ok 'what was searched' gives 'settings of parameters and parts that the' regret mpich-4.3 bcast -p 4x4 -m 64 --platform leonardo
{ tr -s ' \n' ' ' <out && echo; } >text
numbers() { # the numbers of the text, without their sum: those of the columns
    c regret mpich-4.3 bcast -p 4x4 -m 64 --platform leonardo -f csv &&
        for name in searched_algorithms settings_excluded settings_run settings_stopped settings_not_tried; do column $name; done |
        paste -sd' ' >columns &&
        sed -n 's/.*: \([0-9]*\) algorithms with [0-9]* settings[a-z ]*: \([0-9]*\) excluded[a-z ]*, \([0-9]*\) run, \([0-9]*\) stopped, \([0-9]*\) not tried.*/\1 \2 \3 \4 \5/p' text >due &&
        grep -q '^[1-9]' due && cmp columns due
}
ok '.. in columns of CSV' numbers

# Under every model, the default is what run says of it, and the best what best finds.
under() { # under MODEL
    c regret ompi bcast -p 8 -m 65536 --model "$1" -f json && sed -n '/"points"/,$p' out >points || return 1
    usual=$(sed -n 's/.*"bytes":65536,"root":0,"grid":1,.*"default_s":\([-0-9.e]*\),.*/\1/p' points)
    best=$(sed -n 's/.*"bytes":65536,"root":0,"grid":1,.*"best_s":\([-0-9.e]*\),.*/\1/p' points)
    c run bcast ompi:auto -p 8 -m 64K --model "$1" -f json && [ -n "$usual" ] && grep -q "\"time_s\":$usual," out &&
        c best bcast --only ompi -p 8 -m 64K --model "$1" --top 1 -f json && [ -n "$best" ] && grep -q "\"time_s\":$best," out
}
for model in hockney loggops loggp logp; do
    ok "the default and the best under $model" under $model
done
ok '.. a machine that lacks the figures' fails 'platform lumi lacks L, o, g, G' regret ompi bcast --model loggops --platform lumi
echo "1..$n"
