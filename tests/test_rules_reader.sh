#!/bin/sh
# The rules reader of the program against rules_reader.pl, a second one that was written without a look at it. The random
# files are the same in every run; FILES=1000 tries more of them.
tests=$(realpath "$(dirname "$0")")
. "$tests/tap.sh"
DECISIONS=${COLLSIM_DECISIONS:-$tests/../decisions}
export COLLSIM DECISIONS
if ! command -v perl >/dev/null; then
    echo '1..0 # SKIP perl is missing'
    exit
fi

agree() { perl "$tests/rules_reader.pl" "$@" >out 2>err && [ ! -s err ]; }

ok 'random files' agree random "${FILES:-15}"
tail -n 1 out | sed 's/^/# /'

# What tune writes, at all of its thresholds; and the same rules written for other versions.
tuned() { # tuned ARGUMENTS: writes the file `rules` for the version VERSION
    "$COLLSIM" tune "$VERSION" "$@" -o rules 2>err
}
for VERSION in ompi-4.1 ompi-5 ompi-main; do
    ok "the file of tune for $VERSION" tuned -p 2,3,6,8 -m 8,1K
    ok '.. is read alike' agree files "$VERSION:rules"
done
VERSION=ompi-4.1
tuned bcast,allreduce,allgather,alltoall,scan -p 2,4,12,48 -m 8,1K,32K --platform lumi
for to in ompi-5 ompi-main; do
    "$COLLSIM" rules convert rules --for ompi-4.1 --to $to -o rules.$to
done
ok 'files for three versions run the same' agree files ompi-4.1:rules ompi-5:rules.ompi-5
tail -n 1 out | sed 's/^/# /'
ok '.. in JSON, too' agree files ompi-5:rules.ompi-5 ompi-main:rules.ompi-main

# The comparison notices a difference.
sed 's/"msg_size_min": 0,/"msg_size_min": 9,/' rules.ompi-main >wrong
ok 'a difference is noticed' sh -c '! perl "$1/rules_reader.pl" files ompi-4.1:rules ompi-main:wrong >out && grep -q "0 or" out' sh "$tests"
echo "1..$n"
