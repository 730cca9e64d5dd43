#!/bin/sh
# `collsim tune`: its files, its options and its errors. test_tune has what the files make the library run.
. "$(dirname "$0")/tap.sh"
export COLLSIM

T="-p 2,4,48 -m 128,8K"
writes() { # writes TEXT ARGUMENTS...: the program writes the file `rules`, which has the text
    text=$1
    shift
    rm -f rules
    c tune "$@" -o rules && [ ! -s out ] && says rules "$text"
}
sound() { # sound LIBRARY: `rules check` finds no trap in the file `rules`, or in the pair in the folder `rules`
    [ -d rules ] || { c rules check rules --for "$1" && return; }
    [ ! -e rules/ch4.json ] || { c rules check rules/ch4.json --for "$1" && c rules check rules/mpir.json --for "$1" && return; }
    c rules check rules/han.conf --for "$1" && c rules check rules/tuned.* --for "$1" --han rules/han.conf
}

# Recursive doubling in place of the linear algorithm that Open MPI takes for 16 doubles on 48 ranks.
ok 'a known cliff' writes '0 3 0 0' ompi-4.1 allreduce $T --platform lumi
ok 'the first line is a comment' sh -c 'head -n 1 rules | grep -q "^# Rules for Open MPI 4.1.4"'
ok 'no trap' sound ompi-4.1
ok 'the gain' says rules 'allreduce            elements of 8: default'
ok 'version 2' writes 'rule-file-version-2' ompi-5 allreduce $T
ok 'version 2: no comment before it' sh -c '[ "$(head -n 1 rules)" = rule-file-version-2 ]'
ok 'version 2: no trap' sound ompi-5
ok 'JSON' writes '"alg": "' ompi-main allreduce $T --sure 50
ok 'JSON: the comment is on stderr' says err 'note: Rules for Open MPI main, made by collsim'
ok 'JSON: no trap' sound ompi-main
# The keys that Open MPI's schema of these files allows, apart from the collectives'.
keys='alg|collectives|comm_rank_distribution|comm_size_m(in|ax)|faninout|module|msg_size_m(in|ax)|reqs|rule_file_version|rules|seg_size'
known() { # known COLLECTIVES: the file `rules` has no other keys
    grep -Eo '"[^"]*":' rules | sort -u | tr -d '":' | grep -Evx "$keys|$1" >out
    [ ! -s out ]
}
ok 'JSON: rules with segments' writes 'seg_size' ompi-main bcast,reduce -p 48 -m 2M --platform lumi
ok 'JSON: no key that the schema lacks' known 'bcast|reduce'
ok 'JSON: a collective that the schema lacks' writes '"allgatherv"' ompi-main gather,allgatherv -p 4,8 -m 8,32K
ok 'JSON: .. is named' says err 'note: Open MPI reads allgatherv, which its schema of rules files lacks'
ok 'any operation' writes 'right for any operation' ompi allreduce $T
ok 'operations that commute' writes 'ONLY FOR COMMUTATIVE OPERATIONS' ompi allreduce $T --commutative-only
ok '.. with rings' writes ' 4 0 0' ompi allreduce -p 4,8 -m 8K,1M --platform leonardo --commutative-only
ok '.. which check says' sh -c '! "$COLLSIM" rules check rules --for ompi-4.1 >out && grep -q ": order: allreduce 4" out'
ok '.. unless it is told so' sh -c '"$COLLSIM" rules check rules --for ompi-4.1 --commutative-only >out && ! grep -q order out'
ok '--within' writes 'within 50 %' ompi allreduce $T --within 50%
ok 'without --within' writes 'within 3 %' ompi allreduce $T
ok '--sure' writes '99.9 % sure to be faster' ompi allreduce $T --sure 99.9%
ok 'without --sure' writes '90 % sure to be faster' ompi allreduce $T
# 322.5 us of linear and 24.08 us of recursive doubling; 29.62 us of knomial and 22.22 us of binomial, as at regret.
ok 'how sure the largest gain is' writes 'most at 128 bytes on 48 ranks: saves 13x (5.9 to 30), 99 % sure' \
    ompi-4.1 allreduce -p 48 -m 128 --platform lumi
ok 'what --sure allows is sure enough' writes 'most at 2K bytes on 48 ranks: saves 1.3x (0.8 to 2.4), 74 % sure' \
    ompi-4.1 bcast -p 48 -m 2K --platform lumi --sure 50
sized='bcast,reduce -p 16 -m 64K'
export sized
for sure in 49.9 49.9% 100 -90 x '' nan; do
    ok "--sure '$sure'" fails 'is not how sure to be; allowed: at least 50% and below 100%' tune ompi allreduce $T --sure "$sure"
done
ok '--sure 50 names more than the default does' sh -c '
    for sure in 50 90 99.999; do "$COLLSIM" tune ompi-4.1 $sized --platform lumi --sure $sure |
        grep -Ec "^[0-9]+ [1-9]"; done >out; sort -rn out | uniq | cmp - out && [ "$(tail -1 out)" -ge 0 ] && [ "$(wc -l <out)" = 3 ]'
ok 'few rules between the grid and few bytes lost on it' sh -c '
    "$COLLSIM" tune ompi-4.1 bcast --platform lumi -p 48,96 -m 8..4M:x8 >rules && [ "$(grep -vc "#" rules)" -le 12 ] &&
    awk "/^#   bcast .*these rules [0-9.]* \\(/ { found = substr(\$11, 2) <= 1.01 } END { exit !found }" rules'
ok 'segments are powers of two' sh -c 'awk "!/#/ && \$4 > 0 { n++; x = \$4; while (x % 2 == 0) x /= 2; bad += x != 1 } END { exit !(n && !bad) }" rules'
ok '--verify' writes 'random calls off the grid: default' ompi allreduce,barrier $T --verify 40
ok '--verify draws the same calls again' sh -c 'cp rules first && "$COLLSIM" tune ompi allreduce,barrier -p 2,4,48 -m 128,8K --verify 40 -o rules && cmp first rules'
ok '--verify: no trap' sound ompi-4.1
ok '--verify where the grid has all numbers of ranks' writes 'random calls' ompi bcast -p 2..4 -m 8 --verify 3
ok 'standard output' gives '# collectives' tune ompi barrier $T

# What tune writes, for all versions and several machines: algorithms that call others, and grids that leave out numbers of
# ranks and small sizes. The last grid has all ranks as nodes x ranks, so that nothing between them is looked at.
machines=$(sampled 2 leonardo archer2)
[ -z "${SANITIZED-}" ] || machines=leonardo # under measured, a sanitizer takes long
for version in $(sampled 3 ompi-4.1 ompi-5 ompi-main mpich-4.0 mpich-4.3); do
    for machine in $machines; do
        for grid in '-p 3,4,7 -m 128,32K' '-p 2x2,4x2 -m 64,64K'; do
            rm -rf rules
            ok "$version on $machine, $grid" c tune $version allgather,allreduce,reduce,reduce_scatter $grid \
                --platform $machine -o rules
            ok '.. has no trap' sound $version
        done
    done
done
rm -rf rules

# On several nodes Open MPI 5 has HAN, and a setting is two files.
printf 'collective,calls,bytes,ranks,per_node\nallreduce,10,1048576,32,4\n' >job.csv
P='-p 2x4,8x4 -m 64,64K'
ok 'a pair' c tune ompi-5 allgather,allreduce $P -o new/pair
ok '.. of HAN' says new/pair/han.conf '      0 han'
ok '.. as sure as a file alone' says new/pair/han.conf '90 % sure'
ok '.. what was searched for each' sh -c '[ "$(grep -c "# *searched [0-9]* settings: [0-9]* excluded by forms and bounds, [0-9]* run, [0-9]* stopped, [0-9]* not tried$" new/pair/han.conf)" = \
    "$(grep -c "elements of [0-9]*: default" new/pair/han.conf)" ]'
ok '.. and of tuned' sh -c '[ "$(head -n 1 new/pair/tuned.conf)" = rule-file-version-2 ]'
ok '.. nothing else' sh -c '[ "$(ls new/pair | tr "\n" " ")" = "han.conf tuned.conf " ]'
ok '.. the options' says out "mpirun --mca coll_han_use_dynamic_file_rules 1 --mca coll_han_dynamic_rules_filename $PWD/new/pair/han.conf"
ok '.. and the variables' says out "export OMPI_MCA_coll_tuned_dynamic_rules_filename=$PWD/new/pair/tuned.conf"
ok '.. without ^han' says_not out '^han'
ok '.. no trap in one' c rules check new/pair/han.conf --for ompi-5
ok '.. or in both' c rules check new/pair/tuned.conf --for ompi-5 --han new/pair/han.conf
ok '.. verified' sh -c '"$COLLSIM" tune ompi-5 allgather -p 2x4,8x4 -m 64,8K,1M -o "a b" --verify 20 >out && grep -q "random calls off the grid" "a b/han.conf"'
ok '.. quoted' says out "rules_filename '$PWD/a b/han.conf'"
in_node() { # rules for the ranks of a node, which make HAN faster than any rule for all ranks
    c tune ompi-5 bcast -p 12x32 -m 64..1M:x8 --platform leonardo --verify 20 -o node &&
        [ "$(awk '/^32 .*ranks, rules/ { on = 1 } /^33 / { on = 0 } on' node/tuned.conf | grep -c ' 8 0 0 0$')" = 1 ] &&
        says node/han.conf 'bcast in a node' && ! grep -q ' tuned$' node/han.conf &&
        sed -n 's/.* random calls off the grid: default \([0-9.]*\), these rules \([0-9.]*\);.*/\1 \2/p' node/han.conf |
        awk '{ n++; bad += $1 < 1.1 || $2 > 1.03 } END { exit n != 1 || bad > 0 }'
}
ok 'what HAN runs within a node' in_node
ok '.. no trap' c rules check node/tuned.conf --for ompi-5 --han node/han.conf
ok '.. which says where they act' sh -c 'tr -s " \n" " " <out | grep -q "on several nodes, this rule acts only within a node and between the nodes: han serves"'
between() { # rules for as many ranks as there are nodes, which make HAN faster than any rule for all ranks
    c tune ompi-5 barrier -p 7x48 --platform leonardo -o between &&
        [ "$(awk '/^7 .*ranks, rules/ { on = 1 } /^8 / { on = 0 } on' between/tuned.conf | grep -c '^0 4 0 0 0$')" = 1 ] &&
        says between/han.conf 'barrier between nodes' && ! grep -q ' tuned$' between/han.conf
}
ok 'what HAN runs between the nodes' between
ok '.. as its file then runs it' c rules check between/tuned.conf --for ompi-5 --han between/han.conf
ok '.. which says so' sh -c 'tr -s " \n" " " <out | grep -q "this rule acts only within a node and between the nodes"'
ok '.. main' c tune ompi-main allgather $P -o main
ok '.. main: JSON' says main/tuned.json '"alg": '
ok '.. segments that are faster' c tune ompi-5 reduce -p 2x4,8x4 -m 8M --platform leonardo -o seg
ok '.. 4.1 with a priority' c tune ompi-4.1 allgather $P --han priority=40 -o old
ok '.. is set' says out 'export OMPI_MCA_coll_han_priority=40'
ok '.. the command of app' c app job.csv --for ompi-5 --platform leonardo
ok '.. writes a pair' grep -Eq '^collsim tune ompi-5 allreduce -p 8x4 .* -o setting$' out
ok '.. without a note on ^han' says_not out '^han'
ok '.. and a report has both' sh -c '"$COLLSIM" report barrier --only ompi-5 -p 2x4,8x4 -o r.html &&
    grep -q "The rules file of HAN" r.html && ! grep -q "what HAN runs between the nodes" r.html &&
    grep -q "collsim tune ompi-5 barrier .* -o setting" r.html'
ok '.. of what HAN does not serve' c tune ompi-5 scan -p 2x4 -m 8 -o scan
ok '.. no trap in one' c rules check scan/han.conf --for ompi-5
ok '.. or in both' c rules check scan/tuned.conf --for ompi-5 --han scan/han.conf
ok '.. a header is one file' c tune ompi-5 allgather $P -o pair.h
ok '.. asks for a folder' fails 'allowed: -o FOLDER for both, or --no-han' tune ompi-5 bcast -p 2x4 -m 8
: >file
ok '.. and not a file' fails 'file: Not a directory; allowed: a folder' tune ompi-5 bcast -p 2x4 -m 8 -o file
ok '.. writes none if it fails' sh -c '! "$COLLSIM" tune ompi-5 allreduce -p 2x4 -m 12 -o gone 2>err && [ ! -e gone ]'
mkdir -p half/tuned.conf
ok '.. writes none of two' sh -c '! "$COLLSIM" tune ompi-5 bcast -p 2x4 -m 8 -o half >out 2>err && [ ! -e half/han.conf ] && [ ! -s out ]'
ok '--no-han: one file' writes 'coll_tuned_dynamic_rules_filename FILE --mca coll ^han' ompi-5 allgather $P --no-han
ok 'unknown nodes: one file' writes 'HAN comes first unless it is switched off (--mca coll ^han)' ompi-5 bcast -p 4,8 -m 64
ok '.. which needs no ^han on one node' says rules 'coll_tuned_dynamic_rules_filename FILE.'
ok 'one node: one file' writes 'coll_tuned_dynamic_rules_filename FILE.' ompi-5 bcast -p 1x4,1x8 -m 64
ok '.. without a word on HAN' says_not rules HAN
ok '4.1: no word either' writes 'FILE.' ompi-4.1 bcast -p 4,8 -m 64
ok '.. on several nodes' sh -c '! grep HAN rules && "$COLLSIM" tune ompi-4.1 bcast -p 2x4 -m 64 -o rules && ! grep HAN rules'
ok 'one rank on each node' writes 'FILE --mca coll ^han' ompi-5 bcast -p 2x1,4x1 -m 64
ok 'a header for several nodes' writes 'They hold with --mca coll ^han' ompi-5 bcast -p 2x4 -m 64 -f c
ok '.. also where a priority puts HAN first' writes 'They hold with --mca coll ^han' ompi-4.1 bcast -p 2x4 -m 64 -f c --han priority=40
ok '.. and for one node' sh -c '"$COLLSIM" tune ompi-5 bcast -p 1x4 -m 64 -f c >out && ! grep HAN out'
ok 'an algorithm that calls a tuned one' c tune ompi-4.1 allreduce,bcast,reduce -p 8,12 -m 64K --platform archer2 --sure 50 -o rules
ok '.. is not a trap' sound ompi-4.1
ok '.. but is noted' says out 'note: allreduce 2 (nonoverlapping) calls reduce'

# Where ranks share nodes, MPICH has compositions, and a setting is two files too.
ok 'a pair of MPICH' c tune mpich-4.3 bcast,allreduce $P --sure 50 -o ch4
ok '.. of compositions' grep -q 'composition=MPIDI_Bcast_intra_composition_beta' ch4/ch4.json
ok '.. and of algorithms' grep -q 'algorithm=MPIR_Allreduce_intra_' ch4/mpir.json
ok '.. the command' says out "MPIR_CVAR_CH4_COLL_SELECTION_TUNING_JSON_FILE=$PWD/ch4/ch4.json MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=$PWD/ch4/mpir.json mpiexec ..."
ok '.. and the variables' says out "export MPIR_CVAR_CH4_COLL_SELECTION_TUNING_JSON_FILE=$PWD/ch4/ch4.json"
ok '.. with the device' sh -c '! grep -q DEVICE_COLLECTIVES ch4/* out'
ok '.. rules differ from the default' sh -c '! "$COLLSIM" rules diff default ch4/ch4.json --for mpich-4.3 >out && grep -Eq "^allreduce +8\.\.32 .*parent +alpha +beta" out'
ok '.. the command of app' sh -c '"$COLLSIM" app job.csv --for mpich-4.3 --platform leonardo >out && grep -Eq "^collsim tune mpich-4.3 allreduce -p 8x4 .* -o setting$" out'
ok '.. and a report has both' sh -c '"$COLLSIM" report alltoall --only mpich-4.3 -p 2x4,8x4 -m 64,1M --platform leonardo -o r.html 2>err &&
    grep -q "The rules file of ch4" r.html && grep -q "collsim tune mpich-4.3 alltoall .* -o setting" r.html'
ok '.. asks for a folder' fails "one for ch4's compositions and one for the algorithms; allowed: -o FOLDER for both" tune mpich-4.0 bcast -p 2x4 -m 8
ok '.. not without nodes' writes 'MPIR_CVAR_DEVICE_COLLECTIVES=none' mpich-4.0 bcast -p 2,4 -m 8
ok '.. and a header is one file' writes 'MPIR_CVAR_DEVICE_COLLECTIVES=none' mpich-4.0 bcast -p 2x4 -m 8 -f c

# A header, by its ending or by --format; test_tune_header has what it decides.
builds() { # builds COMPILER...: a program that includes pick.h compiles, and asks for what --platform lumi is known for
    cat >ask.c <<'END'
#include "pick.h"
#include <stdio.h>
int main(void)
{
    const pick_choice *choice = pick_algorithm(PICK_ALLREDUCE, 48, 128, 8, PICK_COMMUTES);
    return printf("%s %d %s\n", pick_name(PICK_ALLREDUCE), choice->id, choice->name) < 0;
}
END
    "$@" -Wall -Wextra -Wpedantic -Werror ask.c -o ask 2>err && ./ask >out && says out 'allreduce 3 recursive_doubling'
}
rm -f pick.h
ok 'a header' c tune ompi-4.1 allreduce $T --platform lumi -o pick.h
ok 'C' builds gcc -std=c11
[ ! "$(command -v clang)" ] || ok 'C, clang' builds clang -std=c11
ok 'C++' builds g++ -x c++ -std=c++11
ok 'says what made it' says pick.h 'Which algorithm of Open MPI 4.1.4 to run, as collsim'
ok 'and for what' says pick.h "for p 2,4,48 and sizes 128,8K on lumi (LUMI-G), model hockney, rendezvous."
c tune ompi-4.1 allreduce $T --platform lumi --format c >/dev/null && mv out twice.h
ok 'the same bytes' cmp twice.h pick.h
ok '--prefix' gives '#ifndef MINE_H' tune ompi barrier $T --format c --prefix mine
ok '--prefix: no other name is left' sh -c '! grep -qi pick out'

ok 'nothing to choose' fails 'ompi-4.1 cannot be told what to run for this collective' tune ompi gatherv -f c
ok '--format' fails "unknown format 'd'; allowed: rules, c" tune ompi $T --format d
ok '--verify of a header' fails '--verify is for rules files' tune ompi $T -f c --verify 9
ok '--prefix of a file' fails '--prefix is for a header; allowed: with --format c' tune ompi $T --prefix mine
for prefix in '' 2x a-b _x; do
    ok "--prefix '$prefix'" fails 'cannot begin a name in C; allowed: a letter, and at most 39' tune ompi $T -f c \
        --prefix "$prefix"
done
ok '--commutative-only of a header' fails '--commutative-only is for rules files' tune ompi $T -f c --commutative-only

rm -f pick.h
ok "a header of MPICH" c tune mpich-4.0 allreduce,alltoall $T --platform lumi -o pick.h
ok 'has its names' says pick.h '"recursive_doubling"}, /* 1: allreduce */'
ok 'compiles' gcc -std=c11 -Wall -Wextra -Wpedantic -Werror -fsyntax-only ask.c
ok 'MPICH' writes '"collective=ineighbor_alltoallw": { "algorithm=' mpich-4.0 allreduce $T --platform lumi
ok 'MPICH: a comment comes first' sh -c 'head -n 1 rules | grep -q "^/\* Rules for MPICH 4.0.2"'
ok 'MPICH: how to load it' says rules 'MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=FILE MPIR_CVAR_DEVICE_COLLECTIVES=none'
for version in mpich-4.0 mpich-4.3; do
    ok "the whole tree of $version" c tune $version -p 4,15 -m 8,64K --platform lumi -o rules
    ok '.. has no trap' sound $version
    ok '.. asks iscan for consecutive ranks' sh -c \
        'grep -A 2 "collective=iscan" rules | grep -q "is_node_consecutive=yes.*MPIR_Iscan_intra_sched_smp"'
done
ok 'MPICH: --verify' fails '--verify is not for mpich-4.0; allowed: ompi-4.1, ompi-5, ompi-main' tune mpich-4.0 $T --verify 9
ok 'MPICH asks whether an operation commutes' fails '--commutative-only is not for mpich-4.3' tune mpich $T --commutative-only
ok 'an unknown library' fails 'ompi-7' tune ompi-7 $T
ok 'an unknown collective' fails 'allredux' tune ompi allredux $T
for w in 0 0% -1 101% x 3%% ''; do
    ok "--within '$w'" fails "--within $w is not a share; allowed: above 0% and at most 100%" tune ompi $T --within="$w"
done
ok '--verify 0' fails "--verify '0'; allowed: 1 .." tune ompi $T --verify 0
ok 'model loggops' c tune ompi-4.1 bcast -p 8,16 -m 64,64K --model loggops --verify 20 -o lg.conf
ok '.. faster, and off the grid not slower' sh -c 'sed -n "s/.* default \([0-9.]*\), these rules \([0-9.]*\)[ ;].*/\1 \2/p" lg.conf |
    awk "{ n++; bad += \$2 > \$1; good += \$2 < \$1 } END { exit n != 2 || bad || !good }"'
ok '.. which it names' grep -q 'model loggops' lg.conf
ok 'model shared' fails 'tune does not know model shared' tune ompi $T --model shared
ok 'no folder' fails 'no/such' tune ompi $T -o no/such
echo kept >rules
ok 'a failure keeps the old file' sh -c '! "$COLLSIM" tune ompi-4.1 allredux -o rules 2>err && [ "$(cat rules)" = kept ]'

echo "1..$n"
