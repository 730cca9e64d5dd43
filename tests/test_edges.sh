#!/bin/sh
# The edges of what is allowed: one and two ranks, sizes that hold no whole number of elements, and little stack. No input
# reaches an assertion, which would end the program by a signal.
. "$(dirname "$0")/tap.sh"
export LC_ALL=C
serve

ends() { # ends ARGUMENTS...: the program ends with status 0, or with 2 and one line
    c "$@"
    case $? in
    0) ;;
    2) [ "$(grep -vc '^collsim: note' err)" = 1 ] ;;
    *) false ;;
    esac
}
each_ends() { # each_ends BEFORE AFTER: with each collective between these words, the program ends
    for collective in $collectives; do
        # shellcheck disable=SC2086
        ends $1 "$collective" $2 || { echo "$1 $collective $2" >>err; return 1; }
    done
}
collectives=$("$COLLSIM" list | sed -n '2,$s/^\([a-z_]*\)$/\1/p')
lists() { [ "$(echo "$collectives" | wc -l)" -ge 16 ]; }

ok 'list has the collectives' lists
for model in hockney shared; do
    ok "best ends on 1, 2 and 3 ranks, $model" each_ends best "-p 1..3 -m 0,8 --model $model"
    ok "run ends on 1 rank, $model" each_ends run "all -p 1 -m 0,8 --model $model"
    ok "bound ends on 1 and 2 ranks, $model" each_ends bound "-p 1,2 -m 0,8 --model $model"
done
ok 'formulas hold on 1, 2 and 3 ranks' c check -p 1..3
: >err
ok 'sweep ends on 1 and 2 ranks' ends sweep bcast tuned:all -p 1,2 -m 8 --model shared -o sweep.csv
for lib in ompi-4.1 mpich-4.3; do
    ok "tune $lib ends with 100 bytes" c tune $lib -p 4,8 -m 100 -o tuned
done
ok 'tune ends with 100 bytes, and writes C' c tune ompi-4.1 -p 4,8 -m 100 --format c -o tuned.h
ok 'report ends with 100 bytes' c report scatterv,reduce_scatter_block -p 4,8 -m 100 -o report.html
ok 'regret ends on 1 and 2 ranks, with 0 and 100 bytes' c regret ompi-4.1 -p 1,2 -m 0,100

# ---- Sizes that hold no whole number of elements -----------------------------------------------------------------------

for command in 'run allreduce ring' 'best allreduce' 'bound allreduce' 'matrix allreduce ring' \
    'trace allreduce ring' 'export goal allreduce ring' 'export dot allreduce ring'; do
    # shellcheck disable=SC2086
    ok "$command refuses 33 bytes" fails '-m 33 is not a multiple of --element 8; allowed: whole elements' $command -p 4 -m 33 --element 8
done
uneven='-m 33 is not a multiple of 8, the bytes of an element of allreduce; allowed: whole elements, or another --element'
for command in 'regret ompi-4.1 allreduce' 'tune ompi-4.1 allreduce' 'tune mpich-4.3 allreduce' \
    'tune ompi-4.1 allreduce --format c' 'report allreduce' 'report allreduce --only any' 'learn ompi-4.1 allreduce'; do
    # shellcheck disable=SC2086
    ok "$command refuses 33 bytes" fails "$uneven" $command -p 4,8 -m 8,33
done
left='size 33 of allreduce (no whole number of elements of 8 bytes)'
ok 'regret names a size that one collective leaves out' gives "note: left out: $left" regret ompi-4.1 allreduce,bcast -p 4 -m 8,33
ok '.. in JSON too' gives "left out: $left" regret ompi-4.1 allreduce,bcast -p 4 -m 8,33 -f json
ok 'learn names it' gives "note: left out: $left" learn ompi-4.1 allreduce,bcast -p 4,8 -m 8,33
ok 'tune names it' gives "# Left out: $left." tune ompi-4.1 allreduce,bcast -p 4 -m 8,33
ok '.. in C too' gives "Left out: $left." tune ompi-4.1 allreduce,bcast -p 4 -m 8,33 --format c
report() {
    c report exscan,scatterv -p 4 -m 8,33 -o page.html &&
        says page.html 'Left out: size 33 of exscan (no whole number of elements of 8 bytes).'
}
ok 'report names it' report
bare() { c tune ompi-4.1 allreduce,bcast -p 4 -m 33 && says out '#   bcast  ' && says_not out '#   allreduce '; }
ok 'tune lists no collective that has no size' bare
used() { c tune ompi-4.1 scatter -p 4 --element 16 && says out 'sizes 32,128,512,' && says out 'Left out: size 8 of scatter'; }
ok 'tune lists the sizes of its own grid that it uses' used
ok 'no size of the own grid is left' fails 'is not a multiple of 3, the bytes of an element of bcast' regret ompi-4.1 bcast -p 4 --element 3
"$COLLSIM" tune ompi-4.1 allreduce -p 6,12 -m 16K,1M --sure 50 -o rules.conf 2>/dev/null
ok 'rules check refuses 33 bytes' fails '-m 33 is not a multiple of --element 8' rules check rules.conf --for ompi-4.1 -p 4 -m 33 --element 8
diff_33() { c rules diff rules.conf default --for ompi-4.1 -p 4 -m 33; [ $? = 2 ] && says err "$uneven"; }
ok 'rules diff refuses 33 bytes' diff_33

# ---- What a ranking leaves out -------------------------------------------------------------------------------------------

flat() { tr -s '\n ' '  ' <out >flat; }
ok 'run names what cannot run' gives 'not ranked: two_procs, cannot run: p is not 2' run alltoall all -p 9 -m 8
best() { c best alltoall -p 8,9 -m 8 --top 1 && flat && says flat '; two_procs (p is not 2); bine, pairwise_xor (p is not a power of two) at 1 of 2 points'; }
ok 'best names it at the end' best
ok '.. in CSV as rows' gives ',left out: p is not 2,' best alltoall -p 9 -m 8 --top 1 -f csv
ok '.. in JSON too' gives '"note":"left out: p is not 2"' best alltoall -p 9 -m 8 --top 1 -f json
machines() { c best alltoall -p 9 -m 8 --top 1 --platform lumi,alps && flat && says flat 'left out: '; }
ok '.. with several machines' machines
ok 'best of a library names it' gives '(count < p)' best allreduce -p 9 -m 8 --only ompi-4.1
# Every rank sends each byte about five times.
too_large() { c best alltoall bruck -p 1K -m 1T --param radix=2 --top 1 && flat && says flat "bruck (2^62 bytes or more in all messages)"; }
ok 'best names what is too large' too_large
noted() { c "$@" && flat && says flat "note: left out: allreduce: ring (count < p) at 1 of 2 points"; }
ok 'regret names it' noted regret ompi-4.1 allreduce -p 9 -m 8,64K
ok 'learn names it' eval 'c learn ompi-4.1 allreduce -p 8,9 -m 8,64K && flat && says flat "left out: allreduce: ring (count < p) at 2 of 4 points"'
ok 'tune names it' gives '# Left out: allreduce: ring (count < p) at 1 of 2 points' tune ompi-4.1 allreduce -p 9 -m 8,64K
bound() { c bound alltoall -p 9 -m 8 && flat && says flat 'two_procs (p is not 2)'; }
ok 'bound names it' bound
page() { c report alltoallv -p 9 -m 8 --only any -o page.html && says page.html 'Left out: '; }
ok 'report names it' page

# ---- Parts that wait for any of their requests -------------------------------------------------------------------------

# limited COLLECTIVE ALGORITHM PARAMETERS: gives each part of it algorithms with a limit of requests. These run or are refused.
limited() {
    IFS=';'
    for param in $3; do
        case ${param#*=} in [a-z]*) ;; *) continue ;; esac
        for algorithm in linear_sync generic; do
            c run "$1" "$2" -p 8x4 -m 64K --element 8 --platform orfeo-thin --param "${param%%=*}=$algorithm" \
                --param "${param%%=*}.max_requests=1"
            case $? in 0 | 2) ;; *) echo "$1 $2 ${param%%=*}=$algorithm" ;; esac
        done
    done
}
limits() {
    "$COLLSIM" list -f csv | cut -d, -f1-3 | tail -n +2 | while IFS=, read -r collective algorithm params; do
        limited "$collective" "$algorithm" "$params"
    done >ended
    [ ! -s ended ]
}
ok 'no part with a limit of requests ends the program' limits
ok '.. alltoall han says what runs instead' eval 'c run alltoall han -p 8x4 -m 64 --platform orfeo-thin --param low=linear_sync --param low.max_requests=2 && says out "ran: linear (low has a limit of requests)"'

# ---- Little stack ------------------------------------------------------------------------------------------------------

ok 'the process that answered ends well' served_well
# Sanitizers need more stack.
little() {
    [ "${SANITIZED-}" ] || (ulimit -s 64 && ends "$@")
}
ok 'run ends with 64 KiB of stack' little run allreduce all -p 8x4 -m 1M --platform lumi
ok 'best ends with 64 KiB of stack' little best reduce -p 24 -m 64K --platform lumi
ok '.. on many ranks' little best reduce -p 3000 -m 8 --platform lumi
ok 'plot ends with 64 KiB of stack' eval 'c run bcast all -p 4 -m 8,1K -f csv -o rows.csv && little plot rows.csv -o rows.svg'
ok 'audit ends with 64 KiB of stack' little audit --claim 'alpha * ceil(log2(p))' reduce chain
echo "1..$n"
