#!/bin/sh
# What narrows the tests to one algorithm (tests/only.h): they run that algorithm's tests and no others, and they refuse an unknown
# name instead of passing with nothing run.
check_one=$(realpath "$(dirname "$0")/check_one.sh")
. "$(dirname "$0")/tap.sh"
tests=$(dirname "$COLLSIM")/tests

# only ALGORITHM PROGRAM: runs a test program, narrowed to the algorithm.
only() {
    COLLSIM_ALGO=$1 "$tests/$2" >out 2>err
}
# listed ALGORITHM PROGRAM: the paths of the program's tests, narrowed to the algorithm.
listed() {
    COLLSIM_ALGO=$1 "$tests/$2" -l | grep '^/'
}
one_test() { # one_test ALGORITHM: contents and mutants are those of this algorithm alone
    [ "$(listed "$1" test_contents)" = "/contents/$1" ] && [ "$(listed "$1" test_mutants)" = "/mutants/$1" ]
}
gears() { # gears ALGORITHM HOW_MANY: test_gears has so many tests of the algorithm
    [ "$(listed "$1" test_gears | wc -l)" = "$2" ]
}
refused() { # refused ALGORITHM TEXT: exit 2, one line that holds TEXT, nothing else
    only "$1" test_contents
    [ $? = 2 ] && [ "$(wc -l <err)" = 1 ] && says err "$2" && ! grep -q '^ok' out
}
proves() { # proves ALGORITHM STEP...: tests/check_one.sh passes, and each of these steps is ok
    COLLSIM=$COLLSIM "$check_one" "$1" >out 2>err || return 1
    shift
    for step in "$@"; do
        grep -q "^$step *ok" out || return 1
    done
}
# A copy of the test programs in which test_mutants runs nothing.
nothing_ran() {
    mkdir -p build/tests && cp "$COLLSIM" build/
    for i in libtested.so test_contents test_heads test_registry; do cp "$tests/$i" build/tests/; done
    for i in mutants gears shared form; do
        printf '#!/bin/sh\necho 1..0\n' >build/tests/test_$i && chmod +x build/tests/test_$i
    done
    COLLSIM=$PWD/build/collsim "$check_one" alltoall/two_procs >out 2>err
    [ $? = 1 ] && says out 'mutants    FAILED'
}
skipped() { # skipped PROGRAM ALGORITHM REASON
    only "$2" "$1" && says out "# SKIP $3"
}

ok 'one algorithm of messages' one_test allreduce/ring
ok 'one algorithm of shared memory' one_test bcast/shm_flat
ok 'the gears of an algorithm of messages' gears allreduce/ring 7
ok 'the schedules of an algorithm of shared memory' gears bcast/shm_flat 3
ok 'a name with a typo' refused bcast/binomal 'ALGO=bcast/binomal is not an algorithm, did you mean bcast/binomial?'
ok 'a collective with a typo' refused bcst/binomial 'did you mean bcast/binomial?'
ok 'a name without its collective' refused binomial 'allowed: COLLECTIVE/NAME'
ok 'tests that do not apply say why' skipped test_shared bcast/binomial 'the algorithm sends messages'
ok 'the search for a formula says why' skipped test_form allreduce/shm_flat 'the search knows no shared memory'
ok 'check_one.sh proves an algorithm' proves alltoall/two_procs contents mutants gears formula
ok 'check_one.sh fails where a program runs nothing' nothing_ran
echo "1..$n"
