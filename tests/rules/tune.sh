#!/bin/sh
# Holds the files of `collsim tune ompi-4.1` against Open MPI: the library reads each of them when it starts, and calls at
# and beside the file's sizes on 2 to 9 ranks run what the file says. Run by `make rules-real`.
cd "$(dirname "$0")/../.." || exit 2
program=${RULES_OMPI:-build/tests/rules_ompi}
mpirun=$(command -v mpirun.openmpi) || mpirun=
[ -x "$program" ] && [ "$mpirun" ] || { echo "Open MPI is not asked: mpirun.openmpi or $program is missing"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=
[ "$(id -u)" != 0 ] || root=--allow-run-as-root
failed=0
for platform in generic-100g lumi; do
    for option in '' --commutative-only; do
        # shellcheck disable=SC2086 # no option, or one
        build/collsim tune ompi-4.1 -p 2..9 -m 8..64K:x2 --platform $platform $option -o "$work/file" 2>"$work/err" ||
            { cat "$work/err"; failed=1; continue; }
        # shellcheck disable=SC2086
        "$mpirun" $root --oversubscribe --mca btl self,vader --mca mpi_yield_when_idle 1 \
            --mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_dynamic_rules_filename "$work/file" \
            -np 9 "$program" "$work/file" </dev/null >"$work/out" || failed=1
        echo "tune $platform $option: $(cat "$work/out")"
    done
done
exit $failed
