#!/bin/sh
# `collsim run --why` as a user runs it: the verdict, the path with its phases, and what would help.
. "$(dirname "$0")/tap.sh"

halved() { # halved ARGUMENTS: each time of "relief" is that of a run with these figures, or with these ranks on a node
    c run "$@" --why --format json || return 1
    perl -MJSON::PP -e '
        my ($program, @run) = @ARGV;
        local $/;
        my $a = decode_json(<STDIN>);
        my $n = 0;
        for my $x (@{$a->{relief}}) {
            my @changed = @run;
            if ($x->{change} =~ /^(\d+) ranks? per node/) {
                my $k = $1;
                s/^(\d+)x(\d+)$/($1 * $2 \/ $k) . "x$k"/e for @changed;
            } else {
                push @changed, map { ("--set", $_) } split / /, $x->{change};
            }
            open my $out, "-|", $program, "run", @changed, "--format", "json" or die;
            my $y = decode_json(<$out>)->{rows}[0];
            $x->{time_s} == $y->{time_s} && $x->{saves_s} == $a->{rows}[0]{time_s} - $y->{time_s}
                or die "$x->{change}: $x->{time_s}, but $y->{time_s}\n";
            $n++;
        }
        die "nothing was halved\n" if $n < 2;' "$COLLSIM" "$@" <out 2>err
}
narrow() { # narrow ARGUMENTS: below the title of the path, no line has more than 80 columns
    c run "$@" --why && [ "$(sed '1,/^Critical path/d' out | awk 'length > 80' | wc -l)" = 0 ]
}
while read -r label run; do
    ok "$label: what would help is a run each" halved $run
    ok "$label: 80 columns" narrow $run
done <<'END'
hockney allreduce ring -p 24 -m 64K
eager allreduce rabenseifner -p 13 -m 8M --transfer eager
NICs allreduce recursive_doubling -p 16x8 -m 8 --platform leonardo
compositions allreduce han -p 8x4 -m 64K --platform leonardo
measured allreduce ring -p 8x8 -m 64K --platform archer2
shared bcast shm_flat -p 16 -m 64K
loggops allreduce ring -p 24 -m 64K --model loggops
logp reduce binomial -p 100 -m 8K --model logp
END

why() { # why TEXT ARGUMENTS: the answer has this text, whose blanks may be breaks
    text=$1
    shift
    c run "$@" --why && tr -s ' \n' '  ' <out >flat && says flat "$text"
}
ok 'a ring' why '126 messages form one ring, each from rank r to r+1.' allreduce ring -p 8x8 -m 64K --platform archer2
ok 'a chain' why '31 messages form one chain, each from rank r to r+1.' bcast pipeline -p 32 -m 8
ok 'a butterfly' why 'The distances of 9 messages double from 1 to 8, then halve from 8 to 1 ranks.' allreduce rabenseifner -p 13 -m 8M
ok 'a tree' why 'form a tree of depth 6, in which each rank receives once.' bcast binomial -p 100 -m 8K --model loggops
ok 'messages of one rank' why '7 messages follow each other, all from rank 0.' bcast linear -p 8 -m 8
ok 'the verdict' why '95 % latency: 62 alpha = 62 us; beta 2.54 us (4 %); gamma 793.6 ns (1 %).' allreduce ring -p 32 -m 16K
ok 'equal shares are not told apart by rounding' why '50 % latency: 2 alpha = 2 us; beta 2 us (50 %)' bcast linear -p 3 -m 1000 --set alpha=1us --set beta=1ns/B
ok 'under measured, what messages of no bytes would take is latency' why 'without bytes' allreduce ring -p 8x8 -m 64K --platform archer2
ok 'phases' why 'phases: fold 882.8 us; reduce-scatter 957.2 us; allgather 590.2 us; unfold 672.1 us' allreduce rabenseifner -p 13 -m 8M
ok 'a part of a composition is a phase' why 'phases: reduce binomial inside nodes 1.462 us; allreduce recursive_doubling across nodes, doubling 8.708 us;' allreduce smp -p 64x32 -m 8 --platform leonardo
for of in 'bcast binomial' 'alltoall pairwise'; do
    ok "$of: nodes of one rank that do not wait for NICs have no use for more" sh -c '
        "$COLLSIM" run $0 -p 8x1 -m 8 --platform leonardo --why >out && grep -q "what would help" out && ! grep -qi nic out' "$of"
    ok '.. and nodes of two are told what more would bring' sh -c '
        "$COLLSIM" run $0 -p 8x2 -m 8 --platform leonardo --why >out && grep -q "nic.rate" out' "$of"
done
ok 'a run of one rank' why 'No operation takes time.' barrier dissemination -p 1
ok 'a text without phases has none' sh -c '"$0" run bcast binomial -p 8 -m 8 --why >out && ! grep phases: out' "$COLLSIM"
ok 'stretches inside stretches that repeat' why 'the last 16 lines 7 times in all, each at rank +8' allreduce ring -p 8x8 -m 64K --platform archer2
ok 'CSV has the same rows as without a path' sh -c '"$0" run bcast binomial -p 8 -m 8 -f csv --why >a 2>err && "$0" run bcast binomial -p 8 -m 8 -f csv >b && cmp a b' "$COLLSIM"
ok '.. and a note says so' grep -q -e 'note: --why has no place' err
ok 'the path of a fallback has its name' why 'Critical path of ring, 16 ranks, 8 bytes, ran: recursive_doubling (count < p): 4.004 us' allreduce ring -p 16 -m 8
echo "1..$n"
