#!/bin/sh
# `collsim guidelines`: predictions, logs, and both. The forms of guidelines are in test_guidelines.c.
measured=$(realpath "${COLLSIM_MEASURED:-$(dirname "$0")/../../shared/measured}" 2>/dev/null)
. "$(dirname "$0")/tap.sh"
G="-p 4..32:x2 -m 8..2M:x8 --platform lumi"

# cell COLUMN: prints the value of the sum of all guidelines in CSV
cell() {
    awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i } $1 == "all" { print $at }' out
}

# ---- Predictions ------------------------------------------------------------------------------------------------------------

# Each side is what `run` says of LIB:auto.
cat >same.pl <<'END'
use strict;
use warnings;
use JSON::PP;
my ($library, $ranks, @machine) = @ARGV;
my $answer = decode_json(scalar `"$ENV{COLLSIM}" guidelines $library -p $ranks -m 64,4K @machine -f json`);
my (%known, %sizes, $n, $bad);
# A command asks for all sizes at once that are wanted of a collective on some ranks.
sub time_of {
    my ($what, $p, $bytes) = @_;
    unless (exists $known{"$what $p $bytes"}) {
        my $elem = $what =~ /reduce|scan/ ? 8 : 1;
        my $sizes = join ',', sort { $a <=> $b } keys %{$sizes{"$what $p"}};
        open my $run, '-|', $ENV{COLLSIM}, 'run', $what, "$library:auto", '-p', $p, '-m', $sizes, '--element', $elem, @machine, '-f', 'json';
        $known{"$what $p " . ($_->{bytes} // 0)} = $_->{time_s} for @{decode_json(do { local $/; <$run> })->{rows}};
    }
    return $known{"$what $p $bytes"};
}
my @asked; # what is compared: the row, its ranks, and [FACTOR, COLLECTIVE, BYTES] of its left and right side
for my $row (@{$answer->{points}}) {
    next if $row->{right_side} =~ /reduce_local| on / || !defined $row->{predicted_x};
    my $p = $row->{per_node} ? $row->{ranks} / $row->{per_node} . "x$row->{per_node}" : $row->{ranks};
    my @terms = ([1, $row->{collective}, $row->{bytes}]);
    for my $term (split / \+ /, $row->{right_side}) {
        my ($k, $what, $size) = $term =~ /^(?:(\d+)\*)?(\w+)\((\w*)\)$/;
        $size = $1 * 1024 ** (1 + index 'KM', $2) if $size =~ /^(\d+)([KM])$/;
        push @terms, [$k // 1, $what, $size || 0];
    }
    $sizes{"$_->[1] $p"}{$_->[2]} = 1 for @terms;
    push @asked, [$row, $p, @terms];
}
for (@asked) {
    my ($row, $p, $of_left, @terms) = @$_;
    my ($left, $right) = (time_of($of_left->[1], $p, $of_left->[2]), 0);
    $right += $_->[0] * time_of($_->[1], $p, $_->[2]) for @terms;
    $n++;
    next if abs($row->{predicted_left_s} / $left - 1) < 1e-12 && abs($row->{predicted_right_s} / $right - 1) < 1e-12;
    print "$row->{guideline} on $p, $row->{bytes}: $row->{predicted_left_s} $left $row->{predicted_right_s} $right\n";
    $bad = 1;
}
print "$n rows\n";
exit($bad || $n < 30);
END
if command -v perl >/dev/null; then
    ok 'both sides are what run says of the default' sh -c 'perl same.pl ompi-4.1 8 --platform lumi >out 2>err'
    ok '.. on nodes too, and of MPICH' sh -c 'perl same.pl mpich-4.3 2x4 --platform lumi >out 2>err'
    for model in logp loggp loggops; do
        ok ".. under $model" sh -c 'perl same.pl ompi-4.1 6 --model "$0" >out 2>err' $model
    done
fi

# shellcheck disable=SC2086
c guidelines ompi-4.1 $G
ok 'a violation with its cure' sh -c 'grep -q "^reduce .*allreduce(" out && grep -q "coll_tuned_reduce_algorithm" out'
# shellcheck disable=SC2086
ok 'what the library decides, and for which sizes' sh -c '"$COLLSIM" guidelines ompi-4.1 '"$G"' -f json >out 2>err &&
    grep -q "\"decided\":\"5 binomial\",\"decided_sizes\":\"[a-z]" out'
ok 'scatter is cured for all sizes at once' says out '"tunes":"for all sizes at once"'
# shellcheck disable=SC2086
ok 'without --strict the status is 0' c guidelines ompi-4.1 $G -f csv
violated=$(cell predicted_violations)
# shellcheck disable=SC2086
ok 'with it 1' sh -c '"$COLLSIM" guidelines ompi-4.1 '"$G"' --strict -f csv >out 2>err; test $? = 1'
ok '.. and 0 if all hold' c guidelines ompi-4.1 -p 4 -m 8,64 --of bcast --strict
# shellcheck disable=SC2086
c guidelines ompi-4.1 $G --tolerance 99% -f csv
ok 'a larger tolerance leaves fewer' test "$(cell predicted_violations)" -lt "$violated"
printf 'guideline,source\ngather(m) <= allgather(m),mine\n' >mine.csv
# shellcheck disable=SC2086
c guidelines ompi-4.1 $G --list mine.csv --add 'scatter(m)<=bcast( p*m )' -f csv
ok "a list of one's own, and one more" sh -c 'grep -q "^gather(m) <= allgather(m),mock-up,.*,mine," out &&
    grep -q "^scatter(m) <= bcast(p\*m),mock-up,.*,--add," out && test "$(wc -l <out)" = 4'
c guidelines ompi-5 -p 4x4,8x4 -m 64,4K --of allreduce,alltoall --no-han
ok 'by nodes' sh -c 'grep -q "allreduce(m) on nodes <= allreduce(m)  *4 " out && grep -q "alltoall(per_node\*per_node\*m) on nodes" out'

# ---- After tune -------------------------------------------------------------------------------------------------------------

# What is left can be told away only for all sizes of a collective at once. To tune bcast and reduce, which have many
# parameters, takes five times as long as to tune all others.
others=allgather,allgatherv,allreduce,alltoall,alltoallv,exscan,gather,reduce_scatter,reduce_scatter_block,scan,scatter
[ -z "${CHECK_ALL-}" ] || others=
left() { # left LIB OPTIONS: `tune` and then `guidelines`
    library=$1
    shift
    # shellcheck disable=SC2086
    c guidelines "$library" $G ${others:+--of $others} -f csv && violated=$(cell predicted_violations) &&
        c tune "$library" $others -p 4..32:x2 -m 8..16M:x2 --platform lumi --sure 50 "$@" -o rules &&
        c guidelines "$library" $G ${others:+--of $others} --rules rules -f json &&
        perl -MJSON::PP -e 'local $/; my $x = decode_json(<STDIN>); my $all = $x->{rows}[-1]{predicted_violations};
            exit 1 if $all * 3 > $ARGV[0] || grep { $_->{cures} && $_->{tunes} ne "for all sizes at once" } @{$x->{violations}}' \
            "$violated" <out
}
if command -v perl >/dev/null; then
    ok 'after tune, no violation is left that the library can be told away' left ompi-4.1 --commutative-only
    ok '.. binomial serves all sizes of gather and scatter, although the default takes it for some' \
        perl -MJSON::PP -e 'local $/; my $x = decode_json(<STDIN>);
            exit 1 if grep { $_->{collective} =~ /^(gather|scatter)$/ } @{$x->{violations}};
            exit 1 if grep { $_->{elsewhere_x} < 1.03 } @{$x->{violations}}' <out
    [ -z "${CHECK_ALL-}" ] || ok '.. for MPICH' left mpich-4.3
fi

# ---- Logs -------------------------------------------------------------------------------------------------------------------

osu() { # osu NAME TITLE COLUMNS ROWS..: a log of OSU
    { echo "mpirun -np 4 ./osu_$1"; echo "# OSU MPI $2 Latency Test v7.5"; echo "# Size $3"; shift 3; printf '%s\n' "$@"; } >"$1.txt"
}
osu allreduce Allreduce 'Avg Latency(us)' '8 9.00' '16 12.00'
osu reduce Reduce 'Avg Latency(us)' '8 2.00' '16 2.00'
osu bcast Broadcast 'Avg Latency(us)' '8 3.00' '16 3.00'
c guidelines allreduce.txt reduce.txt bcast.txt --strict
ok "OSU's averages are marked and do not count" sh -c 'grep -q "^all  *2  *0  *8 " out && grep -q "do not count" out'
ok '.. and a label may say how many ranks there were' c guidelines allreduce:library:8x2=allreduce.txt
for f in allreduce reduce bcast; do
    sed 's/Avg Latency(us)/Avg Latency(us) Min Latency(us) Max Latency(us) Iterations/; s/^\([0-9]* [0-9.]*\)$/\1 1.00 \1 1000/; s/1.00 [0-9]* /1.00 /' $f.txt >full-$f.txt
done
c guidelines full-allreduce.txt full-reduce.txt full-bcast.txt
ok 'with the maximum they do' grep -q '^allreduce(m) <= reduce(m) + bcast(m)  *2  *2  *0  *2.40' out
# shellcheck disable=SC2086
c guidelines ompi-4.1 full-allreduce.txt full-reduce.txt full-bcast.txt --platform lumi
ok 'predicted and measured side by side' sh -c 'tr "\n" " " <out | grep -q "Of [0-9]* rows, 2 are violations as measured"'
ok 'strict goes by what was measured' sh -c '"$COLLSIM" guidelines ompi-4.1 full-*.txt --platform lumi --strict >out; test $? = 1'

# ---- Pictures ---------------------------------------------------------------------------------------------------------------

# shellcheck disable=SC2086
ok 'a map as text' sh -c '"$COLLSIM" guidelines ompi-4.1 '"$G"' --draw - >out 2>err && grep -q "guidelines are violated" out'
# The guideline "on nodes" adds 4x1.
ok 'a map as text: ranks on nodes are above the others' sh -c '
    "$COLLSIM" guidelines ompi-4.1 -p 12,4x4,32 -m 8 --platform lumi --draw - >out 2>err &&
    test "$(sed -n "s/^ *\([0-9x]*\) |.*/\1/p" out | tr "\n" " ")" = "4x4 4x1 32 12 "'
for map in block:2 cyclic:2 block:3; do
    ok "nodes by --map $map" sh -c '"$COLLSIM" guidelines mpich-4.0 -p 2..5 -m 8 --map '$map' -f csv >out 2>err && grep -q "^scan(m) <= exscan(m) + reduce_local(m),mock-up," out'
done
ok 'too large a map' fails 'values on an axis' guidelines ompi-4.1 -p 2..64 -m 8 --draw -

# ---- Errors -----------------------------------------------------------------------------------------------------------------

ok 'a guideline that is none' fails "column 11: 'q) <= bcast(m)'; allowed: a number" guidelines ompi-4.1 --add 'allgather(q) <= bcast(m)'
printf '# OSU MPI Broadcast Latency Test v7.5\n# Size Avg Latency(us)\n8 1.00\n' >bare.txt
ok 'a log that does not say how many ranks' fails 'do not say on how many ranks; a label does' guidelines bare.txt
ok 'an unknown library' fails "unknown library 'ompi-9'" guidelines ompi-9
ok 'a file that does not exist' fails 'No such file' guidelines nothing.txt
ok 'a machine without predictions' fails '--platform is for predictions' guidelines full-bcast.txt --platform lumi
ok 'a grid for a log' fails 'are for a grid' guidelines full-bcast.txt -p 4
ok 'options of logs without logs' fails 'are for logs' guidelines ompi-4.1 --best
ok 'a tolerance that is none' fails '--tolerance' guidelines ompi-4.1 --tolerance x
echo '{' >broken.json
ok 'rules that the library ignores' fails 'ignores this file' guidelines mpich-4.3 --rules broken.json

# ---- Peak -------------------------------------------------------------------------------------------------------------------

if [ -r "$measured/peak_osu.csv" ]; then
    cat >peak.csv <<'END'
guideline
allgather(m) <= gather(m) + bcast(p*m)
allgather(m) <= alltoall(m)
allgather(m) <= allreduce(p*m)
allreduce(m) <= reduce(m) + bcast(m)
bcast(p*m) <= scatter(m) + allgather(m)
gather(m) <= allgather(m)
gather(m) <= reduce(p*m)
reduce(m) <= allreduce(m)
scatter(m) <= bcast(p*m)
each(m) <= each(next(m))
END
    c guidelines "$measured/peak_osu.csv" --list peak.csv -f csv
    ok 'Peak: an independent list has 3184 rows, and 278 violations' sh -c 'test "$1 $2" = "3184 278"' sh \
        $(($(cell measured_rows) + $(cell marked_rows))) $(($(cell measured_violations) + $(cell marked_violations)))
    c guidelines "$measured/peak_osu.csv" --list peak.csv --points -f csv
    ok '.. the worst of which is allreduce on 512 ranks, 8.18 times' sh -c 'grep -q "allreduce,512,42,16384,.*,8.18" out'
else
    echo "ok $((n += 1)) - Peak # SKIP there are no measurements in ../shared/measured"
fi
echo "1..$n"
