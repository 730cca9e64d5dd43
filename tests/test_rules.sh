#!/bin/sh
# `collsim rules`: what it prints, its exit status, and its errors. test_rules has the files and their traps.
. "$(dirname "$0")/tap.sh"
serve

cat >good.conf <<'END'
# two collectives
2
2 1          # allreduce
2 2
0 3 0 0
8192 1 0 0
0 1          # allgather
2 1
0 4 0 0
END
cat >bad.conf <<'END'
1
2 2
4 2
0 3 0 0
010 4 0 64K
16 1
0 9 0 0
END
printf '1\n2 1\n' >cut.conf

trapped() { # trapped TEXT ARGUMENTS...: the program exits with 1, and prints TEXT on stdout
    text=$1
    shift
    c "$@"
    [ $? = 1 ] && [ ! -s err ] && says out "$text"
}

noted() { # noted TEXT ARGUMENTS...: the same, with a note on stderr of what the machine is taken for
    text=$1
    shift
    c "$@"
    [ $? = 1 ] && says err note && says out "$text"
}

ok 'a file without traps' gives 'good.conf, text, version 1, as Open MPI 4.1.4 reads it: 3 rules, 0 traps' \
    rules check good.conf --for ompi-4.1
ok 'a rule in the table' grep -Eq '^allreduce +2\.\. +8K\.\. +type x count +1 basic_linear +0 +0 +6$' out
ok 'the factor p' grep -Eq '^allgather +2\.\. +0\.\. +type x count x ranks +4 ring ' out
ok 'a prefix of a version' gives 'Open MPI 5.0.9' rules check good.conf --for ompi-5.0
# shellcheck disable=SC2016 # the inner shell expands it
ok 'standard input' sh -c '"$1" rules check - --for ompi-4.1 <good.conf >out && grep -q "^stdin, text" out' sh "$COLLSIM"

ok 'a trap' trapped "bad.conf:5: misread: '010' is octal: it is read as 8" rules check bad.conf --for ompi-4.1
ok 'every trap of the file' [ "$(grep -c '^bad.conf:' out)" = 6 ]
ok 'no line is longer than 100' [ "$(awk 'length > 100' out | wc -l)" = 0 ]
ok 'an ignored file' trapped 'No rule is in effect: everything runs the fixed decision.' \
    rules check cut.conf --for ompi-4.1
ok 'where it is cut' says out 'cut.conf:3: ignored: the library ignores the whole file'
printf '1 2 1 2 4294967298\n' >crash.conf
ok 'a file that can crash the library' trapped 'Nothing can be said of what runs, if the library survives.' \
    rules check crash.conf --for ompi-4.1
printf '1\n7\n2\n2 1\n0 6 0 0\n2 1\n0 3 0 4096\n' >same.conf
ok 'a key that comes twice' trapped 'same.conf:4: dead: bcast: two sets of rules have the number of ranks 2' \
    rules check same.conf --for ompi-4.1
ok 'shifted keys' trapped 'bad.conf:3: shifted: allreduce: these rules serve fewer than 4 ranks' \
    rules check bad.conf --for ompi-main

ok 'csv' trapped 'allreduce,any,2,15,0,7,type x count,,3,recursive_doubling,0,0,0,4,1' \
    rules check bad.conf --for ompi-4.1 -f csv
ok 'json' trapped '{"file":"bad.conf","line":5,"trap":"misread","note":"'"'010' is octal: it is read as 8"'"}' \
    rules check bad.conf --for ompi-4.1 -f json

# allgather's rule has ring for all; allreduce's are 3 below 8192 bytes and 1 above. bcast has no rule.
c rules check good.conf --for ompi-4.1 -p 4 -m 1K,8K
ok 'points: a rule' grep -Eq '^allreduce +4 +8K +8K +6 +1 basic_linear' out
ok 'points: the size that counts' grep -Eq '^allgather +4 +1K +4K +9 +4 ring' out
ok 'points: only the collectives of the file' says_not out bcast
printf '2\n0 1 8 2\n0 3 0 0\n512 0 0 0\n3 1 2 1 0 5 0 0\n' >fixed.conf
c rules check fixed.conf --for ompi-4.1 -p 3 -m 8,1K
ok 'points: a fallback' says out '2 bruck (chosen 3: p is not a power of two)'
ok 'points: the fixed decision' grep -Eq '^allgather +3 +1K +3K +none +2 bruck' out
ok 'points: an error' grep -Eq '^alltoall +3 +8 +24 +5 +an error$' out
printf '1 2 1 2 1 0 5 0 1024' >segmented.conf
ok "points: a need of the rule's segment" trapped '5 segmented_ring' rules check segmented.conf --for ompi-4.1 -p 4 -m 2K,64K
ok "points: .. that is not met" says out '4 ring (chosen 5: count < p segments)'
ok 'points need both' fails 'm' rules check good.conf --for ompi-4.1 -p 4
ok 'an element without points' fails '--element is for points' rules check good.conf --for ompi-4.1 --element 8

ok 'a map' gives 'allreduce, id from so many ranks and so many bytes on (type x count):' \
    rules show good.conf --for ompi-4.1
ok 'its sizes' grep -Eqx ' +ranks +0 +8K' out
ok 'its ids' grep -Eqx ' +2 +3 +1' out
printf 'rule-file-version-2\n1\n3\n1\n2 3\n0 0 0 0\n1024 4 0 0 64\n4096 4 0 0 4\n' >requests.conf
ok 'the number of requests' gives 'runs            fanout  segment  requests  line' rules show requests.conf --for ompi-5
ok '.. of each rule' grep -Eq '^alltoall +2\.\. +1K\.\.4095 .* 4 linear_sync +0 +0 +64 +7$' out
ok '.. in check, too' gives ' 4     8' rules check requests.conf --for ompi-5
ok '.. if a rule has one' sh -c '"$1" rules show good.conf --for ompi-4.1 >out && ! grep -q requests out' sh "$COLLSIM"
sed 's/^8192 1/4096 1/' good.conf >other.conf
ok 'a difference' trapped 'good.conf and other.conf, as Open MPI 4.1.4 reads them: they differ' \
    rules diff good.conf other.conf --for ompi-4.1
ok 'where' grep -Eq '^allreduce +2\.\. +4K\.\.8191 +type x count +3 recursive_doubling +1 basic_linear +0\.54$' out
ok 'its cost, at its least point' grep -Eq '^allreduce +2 +4K +1\.532 us +2\.86 us +0\.54 +3 recursive_doubling +1 basic_linear$' out
ok 'a difference in csv' trapped 'allreduce,2,,4096,8191,type x count,,3 recursive_doubling,1 basic_linear,1,2,,4096,' \
    rules diff good.conf other.conf --for ompi-4.1 -f csv
ok 'points of a grid' trapped 'allreduce,2,,4096,8191,type x count,,3 recursive_doubling,1 basic_linear,4,' \
    rules diff good.conf other.conf --for ompi-4.1 -f csv -p 4,8 -m 2K,4K,6K,8K
ok 'no point of the grid lies in it' trapped 'basic_linear,0,,,,,,,ompi-4.1,' \
    rules diff good.conf other.conf --for ompi-4.1 -f csv -p 4 -m 8
printf '1 2 1 4 1 0 3 0 0' >doubling.conf
ok 'against the default' trapped ' 48    128  322.5 us  24.08 us   13.4  1 basic_linear' \
    rules diff default doubling.conf --for ompi-4.1 --platform lumi -p 48,32,3 -m 128,4K
ok 'what costs most is first' sh -c 'test "$(awk "/^allreduce/ && / us / { print \$2; exit }" out)" = 48'
ok 'what the default runs, too, is not a point' trapped '"points":[]}' \
    rules diff default doubling.conf --for ompi -p 48 -m 120 -f json
printf '1 7 1 2 1 0 4 0 0 ' >tree.conf
printf '1 7 1 2 1 0 4 0 1024' >segments.conf
ok 'a segment that a rule passes is simulated' trapped '4 split_binary_tree, segment=1K"' \
    rules diff tree.conf segments.conf --for ompi-4.1 -p 8 -m 64K -f json
printf '1 2 1 2 1 0 9 0 0' >unknown.conf
ok 'a call that returns an error has no time' trapped '"second_s":null,"time_ratio":null' \
    rules diff good.conf unknown.conf --for ompi-4.1 -p 8 -m 64K -f json
ok '--top' sh -c '"$1" rules diff default doubling.conf --for ompi -p 32,48 -m 128 --top 1 >out; grep -q "^and 1 more; --top" out' sh "$COLLSIM"
ok 'an unknown machine' fails 'unknown platform' rules diff good.conf other.conf --for ompi-4.1 --platform lumo
ok 'no such second file' fails 'nosuch.conf' rules diff good.conf nosuch.conf --for ompi-4.1
ok 'no difference' gives 'they run the same' rules diff good.conf good.conf --for ompi-4.1
ok 'a file for another version' gives '"msg_size_min": 8192, "alg": "basic_linear"}' \
    rules convert good.conf --for ompi-4.1 --to ompi-main
cp out good.json
ok '.. which reads it so' gives 'good.json, JSON, as Open MPI main reads it: 3 rules, 0 traps' \
    rules check good.json --for ompi-main
ok '.. and back' sh -c '"$1" rules convert good.json --for ompi-main --to ompi-4.1 -o back.conf 2>err &&
    "$1" rules diff good.conf back.conf --for ompi-4.1 >out' sh "$COLLSIM"
ok 'what cannot be converted' fails 'bad.conf:7: allreduce has no algorithm 9' \
    rules convert bad.conf --for ompi-4.1 --to ompi-5
ok 'no target' fails 'rules convert needs --to LIB-VERSION' rules convert good.conf --for ompi-4.1
ok 'a target of another library' fails 'rules for ompi-4.1 cannot be converted for mpich-4.3; allowed: a version of ompi' \
    rules convert good.conf --for ompi-4.1 --to mpich
cat >tree.json <<'END'
{"collective=bcast": {
  "comm_size<4": {"algorithm=MPIR_Bcast_intra_binomial": {}},
  "comm_size=any": {"avg_msg_size<=64K": {"algorithm=MPIR_Bcast_intra_binomial": {}},
                    "avg_msg_size=any": {"algorithm=MPIR_Bcast_intra_scatter_ring_allgather": {}}}}}
END
ok 'a tree' trapped "tree.json:3: misread: avg_msg_size<=: '64K' is read as 64" rules check tree.json --for mpich-4.0
ok 'a row' grep -Eq '^bcast +4\.\. +0\.\.64 +MPIR_Bcast_intra_binomial +3$' out
ok 'a point' trapped 'MPIR_Bcast_intra_scatter_ring_allgather' rules check tree.json --for mpich-4.0 -p 4 -m 128
ok 'its line' grep -Eq '^bcast +4 +128 +128 +4 +MPIR_Bcast_intra_scatter_ring' out
ok 'a map of a tree' gives 'bcast, from so many ranks and bytes' rules show tree.json --for mpich-4.0
ok 'its letters' grep -Eqx ' +4 +a +b' out
sed 's/64K/32/' tree.json >tree2.json
ok 'a difference of trees' trapped 'they differ' rules diff tree.json tree2.json --for mpich-4.0
ok '.. and what it costs' grep -Eq '^bcast +4\.\. +33\.\.64 +binomial +scatter_ring_allgather +[0-9.]+$' out
ok '.. at a point, too' grep -Eq '^bcast +4 +33 .* binomial +scatter_ring_allgather$' out
ok 'a difference of trees in csv' noted 'bcast,4,,33,64,avg_msg_size,,MPIR_Bcast_intra_binomial,MPIR_Bcast_intra_scatter_ring_allgather,1,12,,64,' \
    rules diff tree.json tree2.json --for mpich-4.0 -f csv -p 12 -m 64,128
ok 'a tree against the default' trapped 'the program ends' rules diff default tree.json --for mpich-4.0 -p 4 -m 8
ok 'the default against itself' gives 'they run the same' rules diff default default --for mpich-4.3
ok 'no tuning file' fails 'nosuch.json: No such file or directory' rules check nosuch.json --for mpich-4.0
ok 'a tree for another version' gives '"avg_msg_size<=64": {' rules convert tree.json --for mpich-4.0 --to mpich-4.3
cat >ch4.json <<'END'
{"collective=bcast": {"comm_hierarchy=parent": {"composition=MPIDI_Bcast_intra_composition_alpha": {}},
                      "comm_hierarchy=flat": {"composition=MPIDI_Bcast_intra_composition_gamma": {}}}}
END
ok "a file of ch4's compositions" gives 'ch4.json, JSON, as MPICH 4.3 reads it: 3 rules, 1 trap' rules show ch4.json --for mpich-4.3
ok '.. is called that' says out 'a file for MPIR_CVAR_CH4_COLL_SELECTION_TUNING_JSON_FILE, not for MPIR_CVAR_COLL_SEL'
ok '.. its rows' grep -Eq '^bcast +2\.\. +0\.\. +parent +MPIDI_Bcast_intra_composition_alpha +1$' out
ok '.. and what it leaves' grep -Eq '^bcast +2\.\. +0\.\. +node.node_roots +the tree of algorithms +2$' out
ok '.. at a point' trapped 'calls on intercommunicators get to' rules check ch4.json --for mpich-4.3 -p 4 -m 8
ok '.. runs' grep -Eq '^bcast +4 +8 +8 +2 +MPIDI_Bcast_intra_composition_gamma$' out
ok '.. on nodes' trapped '' rules check ch4.json --for mpich-4.3 -p 2x2,2x1 -m 8
ok '.. runs another' grep -Eq '^bcast +2x2 +8 +8 +1 +MPIDI_Bcast_intra_composition_alpha$' out
ok '.. where no ranks share one' grep -Eq '^bcast +2x1 +8 +8 +2 +MPIDI_Bcast_intra_composition_gamma$' out
ok '.. is compared with the default' trapped '2^k ranks, parent' rules diff default ch4.json --for mpich-4.3 -p 4x4 -m 16K,1M
ok '.. which runs compositions' grep -Eq '^bcast +16 +16K .* beta .bcast.* alpha .bcast' out
ok '.. or all ranks' grep -Eq '^bcast +16 +1M .* scatter_ring_allgather +alpha .bcast' out
ok '.. a collective without one' grep -Eq '^gather +2\.\. +0\.\. +alpha +all ranks' out
ok '.. is not compared with a tree' fails 'ch4.json and tree.json are for different variables' rules diff ch4.json tree.json --for mpich-4.0
ok '.. is converted' sh -c '"$COLLSIM" rules convert ch4.json --for mpich-4.3 --to mpich-4.0 >ch40.json &&
    "$COLLSIM" rules diff ch4.json ch40.json --for mpich-4.0 >out && "$COLLSIM" rules check ch40.json --for mpich-4.0 | grep -q composition_alpha'
for name in alltoall allgather; do
    leaf() { echo "MPIDI_$(echo $name | sed 's/^a/A/')_intra_composition_$1"; }
    echo "{\"collective=$name\": {\"composition=$(leaf alpha)\": {}}}" >ch40.json
    ok "what 4.0's $name calls alpha is beta in 4.3" gives "$(leaf beta)" rules convert ch40.json --for mpich-4.0 --to mpich-4.3
    ok '.. whose alpha 4.0 lacks' fails 'ch40.json:1: the version has nothing that does the same' \
        rules convert ch40.json --for mpich-4.3 --to mpich-4.0
done
printf '{"collective=bcast": {"algorithm=MPIR_Bcast_intra_tree": {"tree_type=kary": {}, "k=2": {}, "is_non_blocking=1": {}}}}' >new.json
ok 'a tree that cannot be converted' fails 'new.json:1: MPIR_Bcast_intra_tree does not exist in MPICH 4.0.2' \
    rules convert new.json --for mpich-4.3 --to mpich-4.0
ok 'a tree that ends MPI_Init' trapped 'No call is made: MPI_Init ends the program.' rules check good.conf --for mpich-4.0
printf '1\nbcast 1\nglobal_communicator 1\n1 2\n0 han @simple\n8192 tuned\n' >han.conf
ok 'a file for HAN' gives 'han.conf, text, as Open MPI 5.0.9 reads it: 2 rules, 0 traps' rules check han.conf --for ompi-5
ok '.. is called that' says out 'This is a file for coll_han_dynamic_rules_filename, not for coll_tuned_dynamic_rules_filename.'
ok '.. its rules' grep -Eq '^bcast +global_communicator +1\.\. +0\.\.8191 +type x count +han @simple +5$' out
ok '.. in csv' gives 'bcast,,1,,8192,,type x count,global_communicator,,tuned,,,,6,1' rules show han.conf --for ompi-5 -f csv
ok '.. decides no calls' fails 'han.conf is a file for coll_han_dynamic_rules_filename' rules check han.conf --for ompi-5 -p 4 -m 8
ok '.. is not compared' fails 'allowed: rules check, rules show, rules convert' rules diff default han.conf --for ompi-5
ok '.. is converted' gives '8192 tuned' rules convert han.conf --for ompi-5 --to ompi-main
ok '.. without what the version lacks' fails 'han.conf:5: a file for Open MPI 4.1.4 names no algorithm of HAN' \
    rules convert han.conf --for ompi-5 --to ompi-4.1
printf '1\n7 2\n0 1\n0 0 0 0\n96 2\n0 1 0 0\n8192 6 0 0\n' >pair.conf
ok 'a pair' trapped 'pair.conf:6: dead: bcast: this rule never acts on all ranks of several nodes' rules check pair.conf --for ompi-5 --han han.conf
ok '.. one trap' [ "$(grep -c '^pair.conf:.*: dead:' out)" = 1 ]
ok '.. and where tuned acts within HAN' says out 'pair.conf:6: note: bcast: on nodes of 96 ranks and more'
ok '.. without the other' gives 'note: bcast: on several nodes HAN serves this' rules check pair.conf --for ompi-5
c rules check pair.conf --for ompi-4.1
ok '.. in 4.1 tuned comes first' says_not out HAN
ok '.. not twice tuned' fails 'pair.conf is not a file for coll_han_dynamic_rules_filename' \
    rules check pair.conf --for ompi-5 --han pair.conf
ok '.. not twice HAN' fails '--han goes with a file for coll_tuned_dynamic_rules_filename' \
    rules check han.conf --for ompi-5 --han han.conf
ok '.. not MPICH' fails '--han goes with a file for coll_tuned_dynamic_rules_filename' \
    rules check pair.conf --for mpich-4.3 --han han.conf
ok '.. none' fails 'nosuch' rules check pair.conf --for ompi-5 --han nosuch
for kind in show diff convert; do
    ok "help of $kind" gives '--for=LIB-VERSION' rules $kind --help
    ok "help of $kind fits 80 columns" [ "$(awk 'length > 80' out | wc -l)" = 0 ]
done

echo '{"collective=bcast": {"comm_type=intra": {"algorithm=MPIDI_POSIX_mpi_bcast_release_gather": {}}}}' >posix.json
c rules check posix.json --for mpich-4.3 -p 2x4 -m 8
ok "a file of ch4's posix" says out 'This is a file for MPIR_CVAR_CH4_POSIX_COLL_SELECTION_TUNING_JSON_FILE'
ok '.. at a point' says out 'bcast         2x4      8        8             1  MPIDI_POSIX_mpi_bcast_release_gather'
ok '.. is not compared' fails 'allowed: rules check, rules show, rules convert' \
    rules diff posix.json default --for mpich-4.3
ok '.. is for no guideline' fails 'allowed: one of algorithms, or of compositions' \
    guidelines mpich-4.3 --rules posix.json -p 4 -m 8
ok '.. 4.0.2 opens another' trapped 'posix.json:1: unread: MPICH 4.0.2 opens' rules check posix.json --for mpich-4.0

cat >ucc.conf <<'END'
UCC_TL_UCP_BCAST_KN_RADIX=4
[vendor=amd team_size=2-64 nnodes=2-8]
UCC_TL_UCP_TUNE=bcast:0-4k:@sag_knomial
END
echo "allreduce:0-4k:@sra_knomial#reduce_scatter:@ring:[4]" >ucc.txt
c rules check ucc.conf --for ucc-1.4 -p 2x4,8 -m 8,4K
ok 'a section of UCC' says out 'vendor=amd team_size=2-64 nnodes=2-8  bcast       2..64  0..4095'
ok '.. on two nodes' says out 'bcast         2x4      8        8             3  sag_knomial'
ok '.. not on one' says out 'bcast           8      8        8          none  knomial'
ok '.. a radix is noted' says out "ucc.conf:1: note: 'UCC_TL_UCP_BCAST_KN_RADIX' is not looked at"
ok '.. no difference of a section' fails 'ucc.conf has a section; allowed: a selection string outside of all' \
    rules diff default ucc.conf --for ucc-1.4
ok '.. a version of it' gives 'UCC_TL_UCP_TUNE=bcast:host:0-4096:@sag_knomial' \
    rules convert ucc.conf --for ucc-1.4 --to ucc-1.3
c rules diff default ucc.txt --for ucc-1.4 -p 4 -m 8
ok 'a string of UCC differs' says out 'reduce_scatter_block      4      0..  type x count  fixed decision  ring'
ok '.. a version of it' gives "export UCC_TL_UCP_TUNE='allreduce:host:0-4096:[2-inf]:@sra_knomial#reduce_sc" \
    rules convert ucc.txt --for ucc-1.4 --to ucc-1.3
ok '.. not a header' fails '--format c' tune ucc-1.4 allreduce -p 8 -m 8 --format c

ok 'help' gives 'rules check rules.conf --for ompi-4.1' rules --help
ok 'help of check' gives '--for=LIB-VERSION' rules check --help
ok 'help fits 80 columns' [ "$(awk 'length > 80' out | wc -l)" = 0 ]
ok 'no kind' fails 'rules takes KIND, but KIND is missing; allowed: check, show, diff, convert' rules
ok 'an unknown kind' fails "unknown kind of rules 'chek', did you mean check?" rules chek good.conf
ok 'no file' fails 'FILE' rules check --for ompi-4.1
ok 'no version' fails 'rules check needs --for LIB-VERSION; allowed: ompi-4.1' rules check good.conf
ok 'an unknown version' fails "unknown library 'ompi-3'" rules check good.conf --for ompi-3
ok 'no such file' fails 'nosuch.conf' rules check nosuch.conf --for ompi-4.1
printf '1\0002' >zero.conf
ok 'not text' fails 'zero.conf:1' rules check zero.conf --for ompi-4.1
ok "the process that answered ends well" served_well
echo "1..$n"
