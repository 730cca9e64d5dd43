#!/bin/sh
# `tune intel`, `tune nccl` and `tune pgmpi`, what NCCL's logs say in `compare` and `plot`, and `rules check|show` of the files.
. "$(dirname "$0")/tap.sh"

# ---- NCCL -------------------------------------------------------------------------------------------------------------------

# nccl NAME ALGO PROTO LATENCY BANDWIDTH(MB/s): a log of 16 ranks on 2 nodes; ALGO - is NCCL's own choice
nccl() {
    awk -v algo="$2" -v proto="$3" -v latency="$4" -v bandwidth="$5" 'BEGIN {
        print "# Collective test starting: all_reduce_perf"
        print "# nThread 1 nGpus 1 minBytes 8 maxBytes 67108864 step: 2(factor) warmup iters: 5 iters: 20"
        for (i = 0; i < 16; i++) printf "#  Rank %2d Group  0 Pid 6899 on n1 device  0 [0000:04:00] NVIDIA H100 80GB HBM3\n", i
        print "n1:1:9 [0] NCCL INFO comm 0x5 rank 0 nRanks 16 nNodes 2 localRanks 8 localRank 0 MNNVL 0"
        if (algo != "-") {
            print "n1:1:9 [0] NCCL INFO NCCL_ALGO set by environment to " algo
            print "n1:1:9 [0] NCCL INFO NCCL_PROTO set by environment to " proto
        }
        print "#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong"
        for (m = 8; m <= 67108864; m *= 8) {
            t = latency + m / bandwidth; a = m / t / 1000
            printf "%d %d float sum -1 %.3f %.2f %.2f 0 %.3f %.2f %.2f 0\n", m, m / 4, t, a, a * 30 / 16, t * 2, a / 2, a * 15 / 16
        }
    }' >"$1.log"
}
nccl tree_ll Tree LL 20 8000
nccl ring_simple Ring Simple 110 120000
nccl tree_ll128 Tree LL128 45 60000
nccl auto - - 45 60000
ok 'NCCL: a row for each range' c tune nccl --measured tree_ll.log ring_simple.log tree_ll128.log
grep -v '^#' out >rows
cat >due <<'END'
allreduce,262144,16777215,tree,ll128,-1,2,16,-1,-1
allreduce,16777216,18446744073709551615,ring,simple,-1,2,16,-1,-1
allreduce,0,262143,tree,ll,-1,2,16,-1,-1
END
ok '.. as few as possible, within 2 %' sh -c 'test "$(wc -l <rows)" = 3 && sort rows >a && sort due >b && cmp a b'
ok '.. for ranks of so many nodes' grep -q '^# *allreduce on 2x8 ranks, 8 sizes: ' out
"$COLLSIM" tune nccl --measured tree_ll.log ring_simple.log tree_ll128.log >out 2>err
ok "NCCL's own choice needs no row" sh -c '"$COLLSIM" tune nccl tree_ll.log ring_simple.log auto.log >out 2>err &&
    ! grep -q "^allreduce,262144," out && test "$(grep -c ^allreduce out)" = 2'
ok '.. and one row serves all within 10 times' sh -c '"$COLLSIM" tune nccl tree_ll.log ring_simple.log --within 90% >out 2>err; test $? = 0'
ok 'in place' sh -c '"$COLLSIM" tune nccl --in-place tree_ll.log ring_simple.log >out 2>err && grep -q "times in place" out'
sed '/set by environment/d' tree_ll.log >bare.log
ok 'a label names the pair' sh -c '"$COLLSIM" tune nccl allreduce:tree/ll=bare.log >out 2>err && grep -q "^allreduce,0,.*,tree,ll," out'
ok 'no log names one' fails 'no log names an algorithm and a protocol; allowed' tune nccl auto.log
ok 'no log' fails 'tune nccl needs measurements' tune nccl
"$COLLSIM" tune nccl --measured tree_ll.log ring_simple.log tree_ll128.log -o tuner.csv 2>err
ok 'the file has no trap' c rules check tuner.csv --for nccl
ok '.. and is shown' sh -c '"$COLLSIM" rules show tuner.csv --for nccl >out && grep -q "allreduce .* tree/ll128 " out'
ok '.. and said by point' sh -c '"$COLLSIM" rules check tuner.csv --for nccl -p 16 -m 1M -f json >out; grep -q "\"traps\":\[\]" out'
printf 'allreduce,0,64K,tree,ll,-1,-1,-1\n' >bad.csv
ok 'a trap' sh -c '"$COLLSIM" rules check bad.csv --for nccl >out; test $? = 1 && grep -q "bad.csv:1: misread:" out'

# ---- What NCCL says of its choices --------------------------------------------------------------------------------------

cat >table.txt <<'END'
NCCL version 2.20.5+cuda12.4
n1:1:9 [0] NCCL INFO   Algorithm   |      Tree      |      Ring      |
n1:1:9 [0] NCCL INFO   Protocol    |  LL |  LL128 |  Simple |  LL |  LL128 |  Simple |
n1:1:9 [0] NCCL INFO     AllReduce | 25.2/ 8.7 | 48.5/ 70.4 | 448.0/ 75.0 | 43.4/ 2.7 | 79.4/ 80.0 | 90.0/100.0 |
n1:1:1 [0] NCCL INFO 512 Bytes -> Algo 0 proto 0 time 25.3
n1:1:1 [0] NCCL INFO 262144 Bytes -> Algo 1 proto 2 time 54.7
END
sed -n '1,/nNodes/p' auto.log | cat - table.txt >both.log
sed -n '/#       size/,$p' auto.log >>both.log
c compare both.log
ok 'compare: the choice of the table and that of the log' sh -c 'grep -q "NCCL.s choices: 1 of 2 are what its table" out &&
    grep -q "^allreduce  *16  *2  *512  *45.01 us  *tree/ll  *tree/ll  *1 " out && grep -q " tree/ll128  *ring/simple  *0 " out'
ok '.. in place is a curve of its own' grep -q '^allreduce on 16 ranks, in place (both.log)' out
# A size that was measured several times counts with its least time, and NCCL counts the bytes of all blocks of an allgather.
sed 's/^512 .*/&\n&/; s/^4096 .*/&\n&/' both.log | awk '$1 == 512 && !n++ { $6 = 60 } $1 == 4096 && m++ { $6 = 31.25 } { print }' >repeated.log
ok '.. the least of several times' sh -c '"$COLLSIM" compare repeated.log >out 2>err; grep -q "^allreduce  *16  *2  *512  *45.01 us " out &&
    grep -q "^allreduce  *16  *2  *4K  *31.25 us " out'
sed 's/all_reduce/all_gather/; s/AllReduce/AllGather/; s/ time [0-9.]*$//; /Bytes -> Algo/d' both.log >gather.log
ok '.. of an allgather the bytes of all ranks' sh -c '"$COLLSIM" compare gather.log >out 2>err; cat out >>err; grep -q "^allgather  *16  *2  *512  *45.01 us " out'
ok '.. without times' sh -c '"$COLLSIM" compare allreduce=table.txt -f csv >out 2>err && test "$(wc -l <out)" = 3'
ok '.. a log that does not say the collective' fails 'do not say the collective: 2; allowed: a label, as allreduce=table.txt' compare table.txt
ok '.. is nothing to calibrate from' fails "lines of NCCL's choices, without times" calibrate table.txt
sed '/|/d' both.log >without.log
ok '.. and a pair is not an algorithm of ours' sh -c '"$COLLSIM" calibrate tree_ll.log --set gamma=0.1ns/B 2>err; test $? = 2 &&
    ! grep -q "is a file" err && grep -q "allowed: a label" err'
ok '.. choices without a table' sh -c '"$COLLSIM" compare without.log 2>err | tr "\n" " " | grep -q "have no table of latencies"'
ok 'plot names what ran' sh -c '"$COLLSIM" plot both.log >out 2>err && grep -q "both tree/ll in place" out'
ok '.. and what was set' sh -c '"$COLLSIM" plot tree_ll.log ring_simple.log >out 2>err && grep -q "tree/ll wins up to" out'

# ---- Intel MPI --------------------------------------------------------------------------------------------------------------

ok 'Intel: lines for a shell' c tune intel allreduce,bcast --platform lumi -p 4,8,16 -m 8..2M:x4
ok '.. and what is not known' sh -c 'tr "\n#" "  " <out | tr -s " " | grep -q "What Intel MPI chooses by itself is not known"'
cp out adjust.sh
ok '.. which a shell takes' sh -c '. ./adjust.sh && test "$I_MPI_ADJUST_ALLREDUCE" = "1:0-32767@4-16;2:32768-2147483647@4-16"'
ok '.. has no trap' c rules check adjust.sh --for intel -p 8 -m 8,1M
ok '.. and says what runs' sh -c 'grep -q "allreduce  *8  *1M .* 2 Rabenseifner" out'
ok '.. up to the next number of ranks' sh -c '"$COLLSIM" tune intel allreduce,alltoall --platform lumi -p 2,4,1024 -m 8..2M:x4 >out 2>err && . ./out &&
    test "$I_MPI_ADJUST_ALLREDUCE" = "1:0-131071@2-3,0-32767@4-1024;2:131072-2147483647@2-3,32768-2147483647@4-1024" &&
    test "$I_MPI_ADJUST_ALLTOALL" = "1:0-2147483647@2-3,0-32767@4-1023,0-8191@1024-1024;2:32768-2147483647@4-1023,8192-2147483647@1024-1024"'
ok 'the ids that are the fastest' sh -c '"$COLLSIM" run allreduce intel:1,intel:2,intel:3,intel:8 -p 8 -m 1M --element 8 --platform lumi -f csv >out 2>err &&
    test "$(sed 1d out | sort -t, -k10g | head -1 | cut -d, -f2)" = rabenseifner'
ok 'the same ranks twice' fails '-p has 16 ranks twice' tune intel allreduce -p 2x8,4x4
ok 'no id that is known' fails 'no id that is predicted' tune intel exscan -p 4

# ---- PGMPITuneLib -----------------------------------------------------------------------------------------------------------

ok 'profiles' c tune pgmpi ompi-4.1 -p 16,64 -m 8..2M:x4 --platform lumi -o profiles
ok '.. say how to load them' grep -q "PGMPI_PROFILE_PATH=.*/profiles/p64 mpirun -n 64" out
for file in profiles/p*/*.prf; do
    ok "no trap in $file" c rules check "$file" --for pgmpi
done
sed '/^#/d' profiles/p64/allreduce.prf >bare
printf '%s\n' MPI_Allreduce '64 # ranks' '1 # mock-ups' '1 allreduce_as_reducescatter_allgatherv' \
    '1 # ranges of bytes, and the mock-up of each' '32768 524287 1' >due
ok 'a profile' cmp bare due
# Each range is one that guidelines calls violated, with this mock-up as the best one.
printf 'guideline\nallreduce(p*m) <= reduce_scatter(p*m) + allgatherv(m)\n' >list.csv
ok '.. is of what guidelines finds' sh -c '"$COLLSIM" guidelines ompi-4.1 -p 64 -m 8..2M:x4 --platform lumi --list list.csv -f json >out 2>err &&
    grep -q "\"bytes\":32768,\"right_side\":\"reduce_scatter(32K) + allgatherv(512)\",\"predicted_x\":1.44" out'
osu() { # osu NAME TITLE ROWS..: a log of OSU with the maximum
    { echo "mpirun -np 4 ./osu_$1"; echo "# OSU MPI $2 Latency Test v7.5"
      echo '# Size Avg Latency(us) Min Latency(us) Max Latency(us) Iterations'; shift 2; printf '%s\n' "$@"; } >"$name.txt"
}
name=allreduce; osu allreduce Allreduce '8 9 9 9 1000' '16 90 90 90 1000' '32 90 90 90 1000' '64 9 9 9 1000'
name=reduce; osu reduce Reduce '8 5 5 5 1000' '16 5 5 5 1000' '32 5 5 5 1000' '64 5 5 5 1000'
name=bcast; osu bcast Broadcast '8 5 5 5 1000' '16 5 5 5 1000' '32 5 5 5 1000' '64 5 5 5 1000'
ok 'from logs' c tune pgmpi allreduce.txt reduce.txt bcast.txt -o measured
sed '/^#/d' measured/p4/allreduce.prf >bare
printf '%s\n' MPI_Allreduce '4 # ranks' '1 # mock-ups' '1 allreduce_as_reduce_bcast' '1 # ranges of bytes, and the mock-up of each' \
    '16 63 1' >due
ok '.. from 16 to below 64 bytes' cmp bare due
name=allreduce; osu allreduce Allreduce '8 90 90 90 1000' '16 90 90 90 1000' '67108864 9 9 9 1000' '134217728 9e7 9e7 9e7 1000'
name=reduce; osu reduce Reduce '8 5 5 5 1000' '16 5 5 5 1000' '67108864 5 5 5 1000' '134217728 5 5 5 1000'
name=bcast; osu bcast Broadcast '8 5 5 5 1000' '16 5 5 5 1000' '67108864 5 5 5 1000' '134217728 5 5 5 1000'
ok 'calls of 128M' c tune pgmpi allreduce.txt reduce.txt bcast.txt -o vectors
sed '/^#/d' vectors/p4/allreduce.prf >bare
printf '%s\n' MPI_Allreduce '4 # ranks' '1 # mock-ups' '1 allreduce_as_reduce_bcast' '2 # ranges of bytes, and the mock-up of each' \
    '1 67108863 1' '134217728 134217728 1' >due
ok '.. and of one byte, but not of none' cmp bare due
ok '.. need a buffer of two vectors' grep -q '^size_msg_buffer_bytes 268435456$' vectors/p4/pgmpi.conf
ok 'large buffers' sh -c '"$COLLSIM" tune pgmpi ompi-4.1 -p 1300 -m 8,4K --platform lumi -o large >out 2>err &&
    grep -q "PGMPI_CONFIG_FILE=.*/large/p1300/pgmpi.conf " out && grep -q "^size_int_buffer_bytes 10400$" large/p1300/pgmpi.conf'
ok 'without a folder' fails 'allowed: -o FOLDER' tune pgmpi ompi-4.1 -p 4
ok 'the same ranks on other nodes' fails 'a profile asks for the number of ranks only' tune pgmpi ompi-4.1 -p 2x8,4x4 -o same
ok 'a grid for logs' fails 'are for predictions' tune pgmpi allreduce.txt -p 4 -o grid
ok 'diff is not for these' fails "unknown library 'pgmpi'" rules diff profiles/p64/bcast.prf default --for pgmpi
echo "1..$n"
