#!/bin/sh
# `collsim matrix` as a user runs it.
. "$(dirname "$0")/tap.sh"
serve

sums() { # sums ARGUMENTS: the cells of the matrix have the messages and bytes that `run` counts
    c matrix "$@" -f csv && awk -F, 'NR > 1 { m += $5; b += $6 } END { printf "%.0f,%.0f\n", m, b }' out >cells &&
        c run "$@" -f csv && awk -F, '
            NR == 1 { for (i = 1; i <= NF; i++) { if ($i == "messages") m = i; if ($i == "bytes_sent") b = i } }
            NR == 2 { print $m "," $b }' out >ran && cmp cells ran >err
}
for p in 7 32 300; do
    ok "ring, $p ranks: the sums of run" sums allreduce ring -p $p -m 10000 --element 4
    ok "bruck, $p ranks: the sums of run" sums allgather bruck -p $p -m 10
done
ok 'nodes: the sums of run' sums bcast smp -p 96x48 -m 64K
ok '1,073,709,056 messages: the sums of run' sums alltoall pairwise -p 32K -m 8
ok 'few ranks: a table of bytes' gives '  7 |  1792K' matrix allreduce ring -p 8 -m 1M
printf '1\n1\n1000000\n1\n' >last.txt
ok '.. as wide as the last cell' gives '  2 |           1000000' matrix gatherv linear -p 4 --root 3 -m 8 --counts last.txt --cells 2
ok 'more ranks: shades, and what they stand for' gives '  @  16K' matrix bcast binomial -p 100 -m 8K
ok 'nodes: how much leaves them' gives '20 % of the bytes' matrix bcast smp -p 4x4 -m 64K
ok '.. a small share, and what it leaves' gives 'Bytes by level: node 99.5 %, far 0.5 %' matrix allgather ring -p 2x200 -m 8
ok '.. which is neither nothing nor all' gives 'Bytes by level: node 99.9 %, far 0.1 %' matrix allgather ring -p 2x2000 -m 8
ok 'levels of a machine' gives 'Bytes by level: ccx 75.4 %' matrix bcast smp -p 4x48 -m 64K --platform orfeo-epyc
ok '--messages' gives '  0 |     1  1' matrix bcast binomial -p 3 -m 8 --messages
ok 'a barrier has messages only' sh -c '"$0" matrix barrier dissemination -p 4 2>err | grep -q "^Messages that" && grep -q "messages are shown" err' "$COLLSIM"
ok 'one rank sends nothing' gives '0 bytes in 0 messages' matrix bcast binomial -p 1 -m 8
ok 'cells that p does not fill' gives '6,6,' matrix allgather ring -p 7 -m 8 --cells 3 -f csv
c export goal bcast binomial -p 4 -m 8 && cp out bcast.goal
ok 'a GOAL schedule' gives 'bcast.goal: 24 bytes in 3 messages' matrix --goal bcast.goal
ok 'JSON has the levels' gives '"level":"far","messages":3' matrix bcast smp -p 4x4 -m 64K -f json
ok 'shared memory is refused' fails 'works in shared memory, without messages' matrix bcast shm_flat -p 8 -m 8
ok 'several runs are refused' fails 'a matrix shows one run' matrix bcast binomial -p 8,16 -m 8
ok 'an algorithm that cannot run is refused' fails 'p is not 2' matrix barrier two_procs -p 3
ok '257 cells are refused' fails 'allowed: 1 .. 256' matrix bcast binomial -p 8 -m 8 --cells 257
ok '-p with a schedule is refused' fails 'allowed with --goal: --cells' matrix --goal bcast.goal -p 4
ok 'a picture of another kind is refused' fails 'must end in .svg, .png or .pdf' matrix bcast binomial -p 8 -m 8 --draw x.gif
c matrix allreduce ring -p 16 -m 8
ok 'a fallback is named in the title' says out 'ring, 8 bytes on 16 ranks, ran: recursive_doubling (count < p)'
ok 'help fits 80 columns' sh -c '"$0" matrix --help >out && [ "$(awk "length > 80" out | wc -l)" = 0 ]' "$COLLSIM"
ok "the process that answered ends well" served_well
echo "1..$n"
