#!/bin/sh
# Holds what `collsim rules check --for mpich-4.0` says against what MPICH does with $FILES random tuning files (1000 unless
# set), each in a launch of its own: its exit status, how far it comes, and the lengths of the messages that its calls
# send; and with some of the files on two nodes. Writes what happened with the first 100 files to tests/golden/rules-mpich.txt, with which test_rules_trees compares
# what is predicted for the same files. Run by `make rules-real`.
cd "$(dirname "$0")/../.." || exit 2
program=${RULES_MPICH:-build/tests/rules_mpich} sample=tests/golden/rules-mpich.txt
[ -x "$program" ] && command -v mpiexec.mpich >/dev/null ||
    { echo "MPICH is not asked: mpiexec.mpich or $program is missing"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
"$program" 1 "${FILES:-1000}" "$work" || failed=1
for how in blocks cyclic; do
    "$program" 1 "${NODES_FILES:-200}" "$work" $how || failed=1
done
"$program" 1 100 "$work" recorded >"$work/sample" 2>"$work/said" || { failed=1; cat "$work/said"; }
[ $failed = 1 ] || mv "$work/sample" "$sample"
exit $failed
