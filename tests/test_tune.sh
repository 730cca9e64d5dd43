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
sound() { # sound LIBRARY: `rules check` finds no trap in the file `rules`
    c rules check rules --for "$1"
}

# Recursive doubling in place of the linear algorithm that Open MPI takes for 16 doubles on 48 ranks.
ok 'a known cliff' writes '0 3 0 0' ompi-4.1 allreduce $T --platform lumi
ok 'the first line is a comment' sh -c 'head -n 1 rules | grep -q "^# Rules for Open MPI 4.1.4"'
ok 'no trap' sound ompi-4.1
ok 'the gain' says rules 'allreduce            elements of 8: default'
ok 'version 2' writes 'rule-file-version-2' ompi-5 allreduce $T
ok 'version 2: no comment before it' sh -c '[ "$(head -n 1 rules)" = rule-file-version-2 ]'
ok 'version 2: no trap' sound ompi-5
ok 'JSON' writes '"alg": "' ompi-main allreduce $T
ok 'JSON: no trap' sound ompi-main
ok 'any operation' writes 'right for any operation' ompi allreduce $T
ok 'operations that commute' writes 'ONLY FOR COMMUTATIVE OPERATIONS' ompi allreduce $T --commutative-only
ok '--within' writes 'within 50 %' ompi allreduce $T --within 50%
ok 'without --within' writes 'within 3 %' ompi allreduce $T
ok '--verify' writes 'random calls off the grid: default' ompi allreduce,barrier $T --verify 40
ok '--verify draws the same calls again' sh -c 'cp rules first && "$COLLSIM" tune ompi allreduce,barrier -p 2,4,48 -m 128,8K --verify 40 -o rules && cmp first rules'
ok '--verify: no trap' sound ompi-4.1
ok '--verify where the grid has all numbers of ranks' writes 'random calls' ompi bcast -p 2..4 -m 8 --verify 3
ok 'standard output' gives '# collectives' tune ompi barrier $T

ok 'MPICH' writes '"collective=ineighbor_alltoallw": { "algorithm=' mpich-4.0 allreduce $T --platform lumi
ok 'MPICH: a comment comes first' sh -c 'head -n 1 rules | grep -q "^/\* Rules for MPICH 4.0.2"'
ok 'MPICH: how to load it' says rules 'MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=FILE MPIR_CVAR_DEVICE_COLLECTIVES=none'
ok 'MPICH asks whether an operation commutes' fails '--commutative-only is not for mpich-4.3' tune mpich $T --commutative-only
ok 'an unknown library' fails 'ompi-7' tune ompi-7 $T
ok 'an unknown collective' fails 'allredux' tune ompi allredux $T
for w in 0 0% -1 101% x 3%% ''; do
    ok "--within '$w'" fails "--within $w is not a share; allowed: above 0% and at most 100%" tune ompi $T --within="$w"
done
ok '--verify 0' fails "--verify '0'; allowed: 1 .." tune ompi $T --verify 0
ok 'model shared' fails 'tune does not know model shared' tune ompi $T --model shared
ok 'no folder' fails 'no/such' tune ompi $T -o no/such
echo kept >rules
ok 'a failure keeps the old file' sh -c '! "$COLLSIM" tune ompi-4.1 allredux -o rules 2>err && [ "$(cat rules)" = kept ]'

echo "1..$n"
