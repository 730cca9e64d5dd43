#!/bin/sh
# `collsim traffic` and `collsim network` as a user runs them.
. "$(dirname "$0")/tap.sh"

# cell COLUMN CLASS ARGUMENTS: prints the cell of the row of a class.
cell() {
    column=$1 class=$2
    shift 2
    "$COLLSIM" traffic "$@" -f json 2>err | tr '{' '\n' | sed -n "/\"link_class\":\"$class\"/s/.*\"$column\":\([^,}]*\).*/\1/p"
}
has() { # has VALUE COLUMN CLASS ARGUMENTS
    value=$1
    shift
    [ "$(cell "$@" | tr '\n' ' ')" = "$value " ]
}

# ---- Closed forms ----------------------------------------------------------------------------------------------------------

for m in 8 1000; do
    ok "a fat tree of full bisection: each exchange of $m bytes has a link for itself" has $m round_link_bytes level2 \
        allreduce recursive_doubling -p 512 -m $m --topology 'fat_tree:2;16,32;1,16;1,1' --routing minimal
done
ok 'a torus: recursive doubling by half a ring loads a link with all pairs that cross it' has 32 round_link_bytes dim1 \
    allreduce recursive_doubling -p 8 -m 8 --topology torus:8
ok 'a ring of ranks in a ring of hosts: a message a link' has 8 round_link_bytes dim1 allgather ring -p 16 -m 8 --topology torus:16
ok 'groups: bytes that leave them, as they are counted over global links' has 16384 link_bytes pair \
    allreduce recursive_doubling -p 16 -m 512 --topology groups:4 --element 8 --per-node 1
ok '.. of Rabenseifner: 2 (1/8 + 1/16) of the vector for each rank' has 3072 link_bytes pair \
    allreduce rabenseifner -p 16 -m 512 --topology groups:4 --element 8
ok 'ranks of a node use no link between nodes' has 0 network_bytes host allreduce recursive_doubling -p 1x16 -m 8 --topology groups:4
ok 'spread routing halves a way round' has 12 busiest_link_bytes dim1 bcast linear -p 3 -m 8 --topology torus:4 --routing spread
ok 'what has no network between nodes sends as much as run says' sh -c '
    [ "$("$0" traffic alltoall bruck -p 24 -m 100 --topology groups:8 -f json 2>err | sed -n "s/.*\"bytes_sent\":\([0-9]*\).*/\1/p" | head -1)" = \
      "$("$0" run alltoall bruck -p 24 -m 100 -f json 2>>err | sed -n "s/.*\"bytes_sent\":\([0-9]*\).*/\1/p" | head -1)" ]' "$COLLSIM"

# ---- Placements ------------------------------------------------------------------------------------------------------------

printf '[machine]\ntitle = x\n[topology]\nkind = groups\nshape = 4\nshape.source = x\nhosts = hosts.txt\n' >x.ini
printf '# hosts\nn[01-04] 0\nn[05-08] 1\nn09 7\n' >hosts.txt
printf 'n[01-02]\nn[05-06]\n' >job.txt
ok 'names of hosts' has 48 link_bytes pair allgather ring -p 4 -m 8 --platform ./x.ini --nodes job.txt
printf 'n01 n99\n' >bad.txt
ok 'a host that the file does not know' fails "bad.txt:1: 'n99' is not a host of ./hosts.txt" traffic bcast binomial -p 2 -m 8 --platform ./x.ini --nodes bad.txt
printf 'n01\nn01\n' >bad.txt
ok 'a host twice' fails "bad.txt:2: 'n01' is there twice, first in line 1" traffic bcast binomial -p 2 -m 8 --platform ./x.ini --nodes bad.txt
ok 'too few hosts' fails 'the file names 4 hosts, 5 are needed' traffic bcast binomial -p 5 -m 8 --platform ./x.ini --nodes job.txt
ok 'too few hosts in the network' fails 'topology torus 2,2 has 4 hosts, 5 are needed' traffic bcast binomial -p 5 -m 8 --topology torus:2,2
ok 'the same seed gives the same answer' sh -c '
    "$0" traffic alltoall pairwise -p 64 -m 8 --topology "groups:8;16" --nodes random:3 >one 2>err &&
        "$0" traffic alltoall pairwise -p 64 -m 8 --topology "groups:8;16" --nodes random:3 >two 2>>err && cmp one two' "$COLLSIM"
ok 'several seeds: median and range' gives 'median, and range' traffic alltoall pairwise -p 64 -m 8 --topology 'groups:8;16' --nodes random:1..5
ok '.. and a row for each' sh -c '[ "$("$0" traffic alltoall pairwise -p 64 -m 8 --topology "groups:8;16" --nodes random:1..5 -f csv 2>err | grep -c ,pair,)" = 5 ]' "$COLLSIM"

# PICO's files of allocations: a row for each rank. Nodes of 8 ranks are in groups A A B A B B C C, so of the pairs that recursive
# doubling makes, 1 of 4, 3 of 4 and 4 of 4 exchange between groups; in the ring 1-2, 2-3, 3-4, 5-6 and 7-0 do.
printf '[machine]\ntitle = y\n[topology]\nkind = groups\nshape = 4;3\nshape.source = x\nhosts = cells.txt\n' >y.ini
printf 'c[1-4] 0\nc[5-8] 1\nc[9-12] 2\n' >cells.txt
printf 'MPI_Rank,allocation\n0,c2\n1,c1\n2,c7\n3,c4\n4,c5\n5,c8\n6,c12\n7,c9\n' >pico.csv
pico() { # pico ALGORITHM TOTAL BUSIEST ROUND: bytes between groups, most between two of them, and most of that in a round
    for file in pico.csv early.csv; do
        has "$2" link_bytes pair allreduce "$1" -p 8 -m 64 --platform ./y.ini --nodes $file &&
            has "$3" busiest_link_bytes pair allreduce "$1" -p 8 -m 64 --platform ./y.ini --nodes $file &&
            has "$4" round_link_bytes pair allreduce "$1" -p 8 -m 64 --platform ./y.ini --nodes $file || return 1
    done
}
# The first version of PICO left bytes 0 between the rows.
perl -pe 'chomp; $_ = $. > 1 ? pack("a64", "$_\n") : "$_\n"' pico.csv >early.csv
ok "PICO's allocation: recursive doubling" pico recursive_doubling 1024 256 128 # 16 m, 4 m and 2 m
ok '.. Rabenseifner' pico rabenseifner 448 128 32                                # 7 m, 2 m and m / 2
ok '.. ring' pico ring 560 224 16                                                # 5 of 8 links, 2 of them from A to B, in 14 rounds
awk -F, 'NR == 1 { print; next } { print 2 * $1 "," $2; print 2 * $1 + 1 "," $2 }' pico.csv >twice.csv
ok '.. two ranks a node' has 1024 link_bytes pair allreduce recursive_doubling -p 8 -m 64 --platform ./y.ini --nodes twice.csv
sed 's/^7,/9,/' pico.csv >gap.csv
ok '.. a rank is missing' fails "gap.csv:9: '9,c9' is not a row; allowed: the rank, here 7" traffic bcast binomial -p 8 -m 8 --platform ./y.ini --nodes gap.csv
tr '\n' '\0' <job.txt >zeros.txt
ok 'a byte 0 elsewhere' fails 'zeros.txt:1: the line has a byte 0' traffic bcast binomial -p 4 -m 8 --platform ./x.ini --nodes zeros.txt

# ---- Answers ---------------------------------------------------------------------------------------------------------------

ok 'all ranks by the class that leads furthest' gives 'links of class pair, the fewest bytes first' traffic allreduce all -p 16x4 -m 64K --topology groups:4
ok '.. or another one' gives 'links of class host, the fewest bytes first' traffic allreduce all -p 16 -m 64K --topology groups:4 --by host
ok '--rounds' gives '        6..7         64         0         0       32K' traffic allreduce rabenseifner -p 64 -m 1M --topology torus:4,4,4 --rounds
ok 'a machine' gives 'in 1 of 20 groups' network leonardo -p 128
ok 'a job in groups' gives '128 nodes in 7 of 24 groups' network lumi -p 128 --nodes fragment:7:1
printf 'nid[005000-005003,007977]\n' >lumi.txt
ok 'a job on LUMI' gives '5 nodes in 2 of 24 groups' network lumi -p 5 --nodes lumi.txt
rated_bundles() { # hosts' links have no rate, so no share is one of their rate
    printf '[topology]\nkind = groups\nshape = 4\nshape.source = test\nrate.out = 36GB/s\nrate.out.source = test\nrate.in = 36GB/s\nrate.in.source = test\n' >bundles.ini
    c network bundles.ini -p 16 && tr '\n' ' ' <out | grep -q 'of the rate of a link of class out, the first one that has a rate, median' && ! grep -q 'own rate' out
}
ok 'the share of a bundle is not that of a host' rated_bundles
ok '.. and of a host otherwise' gives "a host's own" network --topology torus:4,4
ok 'a torus: half of it is cut in two places' gives '  dim3    8192  512' network --topology torus:16,16,16

# ---- Bad input -------------------------------------------------------------------------------------------------------------

ok 'no topology' fails 'platform generic-100g has no network between nodes' traffic bcast binomial -p 8 -m 8
ok '--nodes without one' fails 'platform generic-100g has no network between nodes' traffic bcast binomial -p 8 -m 8 --nodes random:1
ok 'an unknown kind' fails "unknown topology 'tours', did you mean torus?" traffic bcast binomial -p 8 -m 8 --topology tours:4
ok 'a shape that is none' fails "shape '4;4' is not a torus" traffic bcast binomial -p 8 -m 8 --topology 'torus:4;4'
ok 'a class that the kind lacks' fails "unknown class of links 'dim3'" traffic bcast binomial -p 8 -m 8 --topology torus:4,4 --by dim3
ok 'a routing' fails "unknown routing 'valiant'" traffic bcast binomial -p 8 -m 8 --topology torus:4,4 --routing valiant
ok 'several sizes' fails 'traffic shows one number of ranks and one size' traffic bcast binomial -p 8 -m 8,16 --topology torus:4,4
ok 'several algorithms by round' fails '--rounds shows one algorithm' traffic bcast binomial,linear -p 8 -m 8 --topology torus:4,4 --rounds
ok 'shared memory' fails 'sends no messages' traffic bcast shm_flat -p 8 -m 8 --topology torus:4,4
ok 'a network of unknown size' fails 'has as many groups as a job needs' network --topology groups:4
for command in traffic network; do
    ok "$command: help fits 80 columns" sh -c '"$0" "$1" --help >out && [ "$(awk "length > 80" out | wc -l)" = 0 ]' "$COLLSIM" $command
done
echo "1..$n"
