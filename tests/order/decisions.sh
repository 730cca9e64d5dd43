#!/bin/sh
# Holds what `collsim run COLLECTIVE LIB:auto` says against what Open MPI 4.1.4 and MPICH 4.0.2 run in $CALLS random calls
# each (1000 unless set). Of Open MPI it is known which functions a call enters. MPICH makes every call once as it
# decides, and once with each algorithm forced; the algorithms that send the same messages are those that it may have run.
# The program has no option for an operation that is not commutative, so test_decide looks at these calls, and at all
# others too. Every fourth call goes to tests/golden/decisions-real.csv, which test_decide replays in `make check`. Run by
# `make decisions-real`.
cd "$(dirname "$0")/../.." || exit 2
calls=${CALLS:-1000} seed=${SEED:-1} golden=tests/golden/decisions-real.csv
mpirun=$(command -v mpirun.openmpi) mpiexec=$(command -v mpiexec.mpich)
[ "$mpirun" ] && [ "$mpiexec" ] && [ -x build/tests/decisions_ompi ] && [ -x build/tests/order_mpich ] ||
    { echo "the libraries are not asked: Open MPI, MPICH or a program that asks them is missing"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=
[ "$(id -u)" != 0 ] || root=--allow-run-as-root

# Writes the lines LIBRARY,CALL,CHOSEN,RAN,PARTS of Open MPI.
real_ompi() {
    # shellcheck disable=SC2086 # no option, or one
    "$mpirun" $root --oversubscribe --mca btl self,vader --mca mpi_yield_when_idle 1 -np 9 build/tests/decisions_ompi \
        "$seed" "$calls" </dev/null | sed 's/^/ompi-4.1,/'
}

# Runs MPICH with the settings of the environment. NOLOCAL sends all messages through UCX, and DEVICE_COLLECTIVES chooses
# the collectives of src/mpi/coll.
mpich() {
    MPIR_CVAR_NOLOCAL=1 MPIR_CVAR_DEVICE_COLLECTIVES=none UCX_WARN_UNUSED_ENV_VARS=n \
        env "$@" "$mpiexec" -n 9 build/tests/order_mpich calls "$seed" "$calls" </dev/null
}

# Writes the same lines of MPICH, where RAN has all algorithms that send the messages of the call.
real_mpich() {
    mpich A=1 >"$work/default" || return
    for k in 1 2 3 4; do # the k-th algorithm of each collective
        awk -F, -v k=$k 'NR > 1 && $4 ~ /4\.0\.2/ && $3 != "" && $3 != "smp" && ++n[$1] == k { print $1, $3 }' \
            decisions/mpich-algorithms.csv >"$work/names$k"
        # shellcheck disable=SC2046 # words are words
        mpich $(awk '{ print "MPIR_CVAR_" toupper($1) "_INTRA_ALGORITHM=" $2 }' "$work/names$k") >"$work/forced$k" || return
    done
    awk -F, -v work="$work" '
        BEGIN { for (k = 1; k <= 4; k++) while ((getline line < (work "/names" k)) > 0) {
            split(line, word, " "); name[k, word[1]] = word[2] } }
        {
            ran = ""
            for (k = 1; k <= 4; k++) {
                getline line < (work "/forced" k)
                if (line == $0 && (k, $1) in name) ran = ran (ran ? " " : "") name[k, $1]
            }
            print "mpich-4.0," $1 "," $2 "," $3 "," $4 "," $5 "," $6 "," $7 ",," ran ","
        }' "$work/default"
}

# ask LIBRARY: reads these lines, and writes COLLECTIVE,ELEMENT,ROOT,P,BYTES,TEXT for the calls that the program can be
# asked about. It is run once for all p and sizes of a collective, an element and a root.
ask() {
    awk -F, '$7 == "yes" { key = $2 "," $5 "," $6; print key ",p," $3; print key ",m," $4 * $5 }' |
        sort -t, -u -k1,1 -k2,2n -k3,3n -k4,4 -k5,5n |
        awk -F, '{ key = $1 " " $2 " " $3 }
            key != last { if (last) print last, p, m; p = m = ""; last = key }
            $4 == "p" { p = p (p ? "," : "") $5 }
            $4 == "m" { m = m (m ? "," : "") $5 }
            END { print last, p, m }' |
        while read -r collective element at p m; do
            size="-m $m --element $element"
            [ "$collective" != barrier ] || size=
            [ "$at" = 0 ] || size="$size --root $at"
            # shellcheck disable=SC2086 # words are words
            build/collsim run "$collective" "$1:auto" -p "$p" $size -f csv |
                awk -F, -v key="$collective,$element,$at" '
                    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
                    { print key "," $at["ranks"] "," $at["bytes"] "," $at["decided"] }'
        done
}

# compare: says how many of the calls in the file $work/calls run what $work/asked says.
compare() {
    awk -F, -v asked="$work/asked" '
        BEGIN { while ((getline line < asked) > 0) {
            split(line, f, ","); text[f[1], f[2], f[3], f[4], f[5]] = f[6] } }
        {
            key = $2 SUBSEP $5 SUBSEP $6 SUBSEP $3 SUBSEP $4 * $5
            if ($7 != "yes") { other++; next }
            says = text[key]
            split(says, word, " ")
            if ($1 ~ /^ompi/) {
                chosen = word[1]
                if (says ~ /^[0-9]+ [^ ]+ \(chosen /) chosen = word[4] + 0
                right = says != "" && word[1] == $10 && chosen == $9
                left = says
                while (right && match(left, /[a-z_]+: [0-9]+ /)) {
                    part = substr(left, RSTART, RLENGTH - 1)
                    sub(": ", ":", part)
                    right = index(" " $11 " ", " " part " ") > 0
                    left = substr(left, RSTART + RLENGTH)
                }
            } else {
                right = says != "" && index(" " $10 " ", " " word[1] " ") > 0
                alone += right && $10 == word[1]
            }
            agree += right
            wrong += !right
            if (!right) print "  " $0 " is not: " says
        }
        END {
            printf "%s: %d of %d calls run what the program says", $1, agree, agree + wrong
            if ($1 ~ /^mpich/) printf ", %d of these could be no other algorithm", alone
            printf "; %d calls have an operation that is not commutative\n", other
            exit wrong > 0
        }' "$work/calls"
}

failed=0
echo library,collective,p,count,type_size,root,commutative,in_place,chosen,ran,parts >"$work/all"
for library in ompi-4.1 mpich-4.0; do
    "real_${library%%-*}" >"$work/calls" && [ "$(wc -l <"$work/calls")" = "$calls" ] || { echo "$library did not answer"; exit 1; }
    ask "$library" <"$work/calls" >"$work/asked"
    compare || failed=1
    cat "$work/calls" >>"$work/all"
done
COLLSIM_CALLS=$work/all build/tests/test_decide -p /decide/real >"$work/out" || { failed=1; cat "$work/out"; }
[ $failed = 1 ] || awk 'NR == 1 || NR % 4 == 1' "$work/all" >"$golden"
exit $failed
