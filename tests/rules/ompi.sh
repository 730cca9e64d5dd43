#!/bin/sh
# Holds what `collsim rules check --for ompi-4.1` says against what Open MPI does with $FILES random rules files (1000
# unless set), and writes the first 120 of them, with what ran, to tests/golden/rules-ompi.txt, which test_rules replays.
# A few files are read by the library itself when it starts. Run by `make rules-real`.
cd "$(dirname "$0")/../.." || exit 2
program=${RULES_OMPI:-build/tests/rules_ompi} files=${FILES:-1000} sample=tests/golden/rules-ompi.txt
mpirun=$(command -v mpirun.openmpi) || mpirun=
[ -x "$program" ] && [ "$mpirun" ] || { echo "Open MPI is not asked: mpirun.openmpi or $program is missing"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=
[ "$(id -u)" != 0 ] || root=--allow-run-as-root
real() { # real [--mca NAME VALUE] -- ARGUMENTS...: runs the program on 9 ranks
    option=
    [ "$1" = -- ] || { option="$1 $2 $3" && shift 3; }
    shift
    # shellcheck disable=SC2086 # no option, or one
    "$mpirun" $root --oversubscribe --mca btl self,vader --mca mpi_yield_when_idle 1 \
        --mca coll_tuned_use_dynamic_rules 1 $option -np 9 "$program" "$@" </dev/null
}
failed=0
real -- 1 "$files" || failed=1
real -- 1 120 recorded >"$work/sample" || failed=1
[ $failed = 1 ] || mv "$work/sample" "$sample"
# Of the same files, each in a launch of its own. Those that name an id which does not exist are left out, because the
# library then fails where it makes communicators.
launched=0
for seed in $(seq 1 120); do
    [ $launched -lt "${LAUNCHES:-20}" ] || break
    awk -v seed="$seed" '$1 == "file" { on = $2 == seed } on && /^\|/ { print substr($0, 3) }' "$sample" |
        while IFS= read -r line; do printf '%b\n' "$line"; done >"$work/file"
    build/collsim rules check "$work/file" --for ompi-4.1 -f csv >"$work/rows"
    build/collsim rules check "$work/file" --for ompi-4.1 -f json | grep -q '"trap":"error"' && continue
    [ "$(wc -l <"$work/rows")" -gt 1 ] || continue
    launched=$((launched + 1))
    real --mca coll_tuned_dynamic_rules_filename "$work/file" -- "$work/file" >"$work/out" || { failed=1; cat "$work/out"; }
done
[ $failed = 1 ] || echo "$launched files in launches of their own agree"
exit $failed
