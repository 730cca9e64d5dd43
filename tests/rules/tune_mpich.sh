#!/bin/sh
# Holds the files of `collsim tune mpich-4.0` against MPICH 4.0.2: the library reads each of them when it starts, and calls
# at and beside the file's sizes on 2 to 16 ranks, of which 5, 7, 9 .. are not in the grid, send what the algorithm that the
# file names sends when it is forced. A call whose messages another algorithm sends too is counted apart. Then every
# collective is called with what may be wrong with a file: no elements, MPI_IN_PLACE, operations of the program's own,
# intercommunicators. Run by `make rules-real`.
cd "$(dirname "$0")/../.." || exit 2
mpiexec=$(command -v mpiexec.mpich) || mpiexec=
[ "$mpiexec" ] && [ -x build/tests/order_mpich ] && [ -x build/tests/tune_list ] && [ -x build/tests/tune_calls ] ||
    { echo "MPICH is not asked: mpiexec.mpich or a program that asks it is missing"; exit 0; }
ranks=${RANKS:-16} sizes='8 32 128 512 2048 8192 32768 131072'
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Makes the calls of $work/list, and prints each with the messages' numbers. NOLOCAL sends all messages through UCX.
list() { # list SETTINGS...
    env UCX_WARN_UNUSED_ENV_VARS=n MPIR_CVAR_NOLOCAL=1 MPIR_CVAR_DEVICE_COLLECTIVES=none "$@" \
        "$mpiexec" -n "$ranks" build/tests/order_mpich list "$work/list" </dev/null
}
# What the library sends without a file, and with each algorithm forced. The calls are the same for all files.
forced() {
    list A=1 >"$work/forced0" || return
    for k in 1 2 3 4; do # the k-th algorithm of each collective
        awk -F, -v k=$k 'NR > 1 && $4 ~ /4\.0\.2/ && $3 != "" && $3 != "smp" && ++n[$1] == k { print $1, $3 }' \
            decisions/mpich-algorithms.csv >"$work/names$k"
        # shellcheck disable=SC2046 # words are words
        list $(awk '{ print "MPIR_CVAR_" toupper($1) "_INTRA_ALGORITHM=" $2 }' "$work/names$k") >"$work/forced$k" || return
    done
}
# Says how many calls sent what the algorithm that the file names sends.
compare() {
    awk -F, -v work="$work" '
        BEGIN { for (k = 1; k <= 4; k++) while ((getline line < (work "/names" k)) > 0) {
            split(line, word, " "); name[k, word[1]] = word[2] } }
        {
            getline said < (work "/said")
            getline usual < (work "/forced0")
            same = known = 0
            for (k = 1; k <= 4; k++) {
                getline line < (work "/forced" k)
                if (!((k, $1) in name)) continue
                named = $9 ~ ("_" name[k, $1] "$")
                known += named
                if (line == said) { same++; right += named; found = named ? NR : found }
            }
            if (!known && said == usual) { right++; found = NR } # an algorithm that cannot be forced, but is the default
            if (said == "" || found != NR) { wrong++; print "  " $0 " sends something else" }
            else alone += same == 1
            effect += said != usual
        }
        END {
            printf "%d of %d calls send what the file says, %d of these could be no other algorithm; ", NR - wrong, NR, alone
            printf "%d differ from the default\n", effect
            exit wrong > 0
        }' "$work/list"
}
failed=0
for platform in ${PLATFORMS:-generic-100g lumi leonardo}; do
    # shellcheck disable=SC2086 # words are words
    build/collsim tune mpich-4.0 -p 2,3,4,6,8,12,16 -m "$(echo $sizes | tr ' ' ,)" --platform "$platform" -o "$work/file" 2>"$work/err" &&
        build/tests/tune_list "$work/file" "$ranks" $sizes >"$work/list" || { cat "$work/err"; failed=1; continue; }
    [ -e "$work/forced4" ] || forced || { failed=1; break; }
    list MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE="$work/file" >"$work/said" || { echo "$platform: no answer"; failed=1; continue; }
    compare >"$work/out" || failed=1
    echo "tune mpich-4.0 $platform: $(cat "$work/out")"
    # With every rank on a node of its own, on one node, and on four nodes. Where the device divides calls among nodes, its
    # reduce in shared memory ends the program at some of these calls, also without a file; it is not tried.
    for nodes in NOLOCAL=1 NOLOCAL=0 NUM_CLIQUES=4; do
        UCX_WARN_UNUSED_ENV_VARS=n env "MPIR_CVAR_$nodes" MPIR_CVAR_DEVICE_COLLECTIVES=none \
            MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE="$work/file" \
            "$mpiexec" -n "$ranks" build/tests/tune_calls </dev/null >"$work/out" 2>&1 ||
            { failed=1; echo "$platform $nodes: a call ended the program, or a result is wrong"; }
        echo "tune mpich-4.0 $platform, $nodes: $(tail -n 3 "$work/out")"
    done
done
exit $failed
