#!/bin/sh
# No command contradicts another: what searches, reports and files say of a point is what `collsim run` says of it. First
# points where they once differed, then points that tests/agree.pl draws. COLLSIM_SEED is the number of the first point, and
# COLLSIM_POINTS how many there are. By default each CHECK_SEED, or each day, as 20261126, has 30 points of its own.
root=$(realpath "$(dirname "$0")/..")
. "$(dirname "$0")/tap.sh"

one_time() { # one_time ARGUMENTS...: the time of the first row
    c "$@" -f csv && column time_s | head -n 1
}
equal_times() { # equal_times A -- B: the first rows of two commands have one time
    a=${1%% -- *} b=${1#* -- }
    [ -n "$(one_time $a)" ] && [ "$(one_time $a)" = "$(one_time $b)" ]
}
ok 'best: fewer elements than ranks' equal_times \
    'best reduce_scatter -p 5 -m 1 --transfer eager -- run reduce_scatter nonoverlapping -p 5 -m 1 --transfer eager --param reduce=chain'
B='best reduce_scatter -p 5 -m 8 --element 8 --only ompi-4.1 --platform leonardo'
ok 'best: --top does not change the best' equal_times "$B --top 1 -- $B --top 9"
bound_and_learn() {
    equal_times 'bound reduce_scatter -p 5 -m 1 --transfer eager -- run reduce_scatter nonoverlapping -p 5 -m 1 --transfer eager --param reduce=chain' &&
        c regret ompi-4.1 reduce_scatter -p 5 -m 8 --platform leonardo -f json && says out '"best":"nonoverlapping"'
}
ok 'bound and regret: fewer elements than ranks' bound_and_learn
fewer_per_node() { # fewer_per_node NAME P HALF: --why with half as many ranks on a node is the run there
    c run allreduce "$1" -p "$2" -m 1000 --platform leonardo --why -f json &&
        said=$(sed -n 's/.*"change":"[0-9]* ranks\{0,1\} per node","time_s":\([^,]*\),.*/\1/p' out) &&
        [ "$said" = "$(one_time run allreduce "$1" -p "$3" -m 1000 --platform leonardo)" ]
}
ok '--why: half as many ranks on a node' fewer_per_node smp 1x8 2x4
ok '--why: .. where a library decides anew' fewer_per_node ompi-5:auto 2x8 4x4
printed() { # printed COLUMN COLLECTIVE POINT WORDS: what the first row of `WORDS POINT` prints has its time when it is run
    c $4 $3 -f csv && time=$(column time_s | head -n 1) && row=$(column "$1" | head -n 1) && params=$(column params | head -n 1) &&
        [ -n "$params" ] && [ "$(one_time run "$2" "$row" $3 $(echo "$params" | tr ';' '\n' | sed 's/^/--param /'))" = "$time" ]
}
ok 'parameters inside a part: best --only' printed algorithm allreduce '-p 9 -m 8 --element 8 --platform lumi' \
    'best allreduce --only ompi-main --top 1'
ok 'parameters inside a part: LIB:auto' printed entry reduce '-p 4x3 -m 64K --element 8' 'run reduce mpich-4.0:auto'
misordered() {
    c run reduce all --only ompi-4.1 -p 9 -m 72 --element 8 --non-commutative &&
        says out 'not ranked: binomial, cannot run: wrong for operations that do not commute' &&
        equal_times 'best reduce --only ompi-4.1 -p 9 -m 72 --element 8 --non-commutative -- run reduce in_order_binary -p 9 -m 72 --element 8 --non-commutative'
}
ok 'results that a library would compute wrong' misordered
tail() { # a part of a schedule has phases of its own (found by a sanitizer, or as a broken heap)
    c run bcast mpich-4.0:auto -p 200 -m 250400 --element 4 --platform orfeo-thin --why && says out 'what would help'
}
ok '--why of a text whose tail runs in lockstep' tail
unknown_default() { # a library's choice that is not in the data is a row with a note
    c sweep gatherv linear,ompi-4.1:auto,best -p 5 -m 8 -o sweep.csv && [ "$(wc -l <sweep.csv)" = 4 ] &&
        says sweep.csv 'is not in the data'
}
ok 'sweep of a default that is not in the data' unknown_default

seed=${COLLSIM_SEED:-$((${CHECK_SEED:-$(date -u +%Y%m%d)} * 30))}
drawn() {
    if [ "${SANITIZED-}" ]; then # which is slow, and Python would need the sanitizer too
        points=30 python=
    else
        points=$([ "${CHECK_ALL-}" ] && echo 300 || echo 15) python=$root/sim/library/python
        python3 -c 'import sys, ctypes; sys.exit(sys.version_info < (3, 8))' 2>/dev/null || python=
    fi
    perl "$root/tests/agree.pl" "$COLLSIM" "$seed" "${COLLSIM_POINTS:-$points}" \
        ${python:+"$python" "$(dirname "$COLLSIM")/libcollsim.so.0"} >out 2>err
}
ok "points that are drawn, from $seed on" drawn
echo "1..$n"
