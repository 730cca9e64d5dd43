#!/bin/sh
# What a machine does not know: each answer whose times depend on it says so, once and in its first lines, and no answer
# says so that does not depend on it.
. "$(dirname "$0")/tap.sh"

two_levels 48 2us 0.3us 0.09ns/B 0.1ns/B 0.1ns/B >plain.ini
{ cat plain.ini; printf '[node]\nnic.rate = 25GB/s\nnic.rate.source = test\n'; } >nics.ini
{ cat plain.ini; printf '[node]\nnic.messages = 25M/s\nnic.messages.source = test\n'; } >messages.ini
sed 's/^gamma = .*/gamma = 0/' nics.ini >zero.ini
NIC="48 ranks a node and no NIC: each sends at full speed; set nic.rate"
GAMMA="gamma is not known: reductions cost nothing here; set gamma"
# said TEXT ARGUMENTS...: the answer, with what stderr notes, has the text once, wherever lines break
said() {
    text=$1
    shift
    "$COLLSIM" "$@" >out 2>err || return 1
    [ "$(cat out err | tr -s ' \n' ' ' | grep -oF -- "$text" | wc -l)" = 1 ]
}
unsaid() { # unsaid TEXT ARGUMENTS...: the answer does not have it
    text=$1
    shift
    "$COLLSIM" "$@" >out 2>err && ! cat out err | tr -s ' \n' ' ' | grep -qF -- "$text"
}

# ---- NICs ---------------------------------------------------------------------------------------------------------------
printf 'collective,calls,bytes,ranks,per_node\nbcast,10,65536,192,48\n' >mix.csv
"$COLLSIM" run bcast binomial,pipeline -p 4x48 -m 8,64K --platform ./nics.ini -f csv >log.csv 2>/dev/null
for command in "run bcast binomial -m 64K" "best bcast --defaults -m 64K" "regret ompi-4.1 bcast -m 64K" "tune ompi-4.1 bcast -m 64K -o t.conf" \
    "crossover bcast binomial pipeline" "trace bcast binomial -m 64K -o t.json" \
    "sweep bcast binomial -m 64K -o s.csv" "learn ompi-4.1 bcast -m 8,64K --leave-out m"; do
    rm -f s.csv*
    # shellcheck disable=SC2086
    ok "$command: no NIC" said "$NIC" $command -p 4x48 --platform ./plain.ini
    rm -f s.csv*
    # shellcheck disable=SC2086
    ok ".. with a NIC" unsaid "each sends at full speed" $command -p 4x48 --platform ./nics.ini
done
ok "the file of tune has it too" sh -c '"$COLLSIM" tune ompi-4.1 bcast -m 64K -p 4x48 --platform ./plain.ini 2>/dev/null | grep -q "^# NOTE: 48 ranks a node and no NIC"'
ok ".. and its header" sh -c '"$COLLSIM" tune ompi-4.1 bcast -m 64K -p 4x48 --platform ./plain.ini -o pick.h 2>/dev/null && grep -q "NOTE: 48 ranks a node and no NIC" pick.h'
ok "app" said "$NIC" app mix.csv --for ompi-4.1 --platform ./plain.ini
ok ".. with a NIC" unsaid "each sends at full speed" app mix.csv --for ompi-4.1 --platform ./nics.ini
ok "compare" said "$NIC" compare log.csv --platform ./plain.ini
ok ".. with a NIC" unsaid "each sends at full speed" compare log.csv --platform ./nics.ini
ok "validate" said "$NIC" validate log.csv --platform ./plain.ini
ok ".. with a NIC" unsaid "each sends at full speed" validate log.csv --platform ./nics.ini
c report barrier -p 2x2 --platform ./plain.ini -o r.html
ok "report" grep -q "Note: 2 ranks a node and no NIC: each sends at full speed" r.html
c report barrier -p 2x2 --platform ./nics.ini -o r.html
ok ".. with a NIC" says_not r.html "each sends at full speed"
ok "the first line below the title" sh -c '"$COLLSIM" run bcast binomial -m 8 -p 4x48 --platform ./plain.ini | sed -n 2p | grep -qx "note: 48 ranks a node and no NIC: each sends at full speed; set nic.rate"'
ok "JSON" said "\"note\":\"$NIC\"" run bcast binomial -m 8 -p 4x48 --platform ./plain.ini -f json
ok "several numbers: the largest" said "$NIC" run bcast binomial -m 8 -p 4x48,8x4 --platform ./plain.ini
ok "a map" said "4 ranks a node and no NIC" run bcast binomial -m 8 -p 16 --map cyclic:4 --platform ./plain.ini
ok "measured" said "4 ranks a node and no NIC" run bcast binomial -m 8 -p 4x4 --platform ./plain.ini --model measured --set 'one=8:1us 1M:90us'
ok "messages alone" said "48 ranks a node and no nic.rate: each sends at full speed" run bcast binomial -m 8 -p 4x48 --platform ./messages.ini
ok "loggops" said "2 ranks a node: each sends at full speed, because model loggops knows no NIC" \
    run bcast binomial -p 4x2 -m 8 --model loggops --platform loggopsim
for p in 1x48 48x1 192; do
    ok "-p $p: nothing shares a NIC" unsaid "each sends at full speed" run bcast binomial -m 8 -p $p --platform ./plain.ini
done
ok "--set nic.rate" unsaid "each sends at full speed" run bcast binomial -m 8 -p 4x48 --platform ./plain.ini --set nic.rate=25GB/s

# ---- gamma --------------------------------------------------------------------------------------------------------------
"$COLLSIM" run allreduce ring,recursive_doubling -p 4x4 -m 8,64K --platform ./nics.ini -f csv >log.csv 2>/dev/null
printf 'collective,calls,bytes,ranks,per_node\nallreduce,10,65536,16,4\n' >mix.csv
for command in "run allreduce ring -m 64K" "best allreduce -m 64K" "regret ompi-4.1 allreduce -m 64K" \
    "tune ompi-4.1 allreduce -m 64K -o t.conf" "crossover allreduce ring recursive_doubling" "learn ompi-4.1 allreduce -m 8,64K --leave-out m" \
    "trace allreduce ring -m 64K -o t.json" "sweep allreduce ring -m 64K -o s.csv"; do
    rm -f s.csv*
    # shellcheck disable=SC2086
    ok "$command: no gamma" said "$GAMMA" $command -p 4x4 --platform ./zero.ini
    rm -f s.csv*
    # shellcheck disable=SC2086
    ok ".. with gamma" unsaid "$GAMMA" $command -p 4x4 --platform ./nics.ini
done
for command in app\ mix.csv\ --for\ ompi-4.1 compare\ log.csv validate\ log.csv; do
    # shellcheck disable=SC2086
    ok "$command" said "$GAMMA" $command --platform ./zero.ini
    # shellcheck disable=SC2086
    ok ".. with gamma" unsaid "$GAMMA" $command --platform ./nics.ini
done
grep -v gamma nics.ini >none.ini
for command in compare validate; do
    ok "$command: not even 0" said "$GAMMA" $command log.csv --platform ./none.ini
done
for command in "regret ompi-4.1 bcast" "tune ompi-4.1 bcast" "learn ompi-4.1 bcast --leave-out m"; do
    # shellcheck disable=SC2086
    ok "$command: without gamma" unsaid "$GAMMA" $command -p 2x2 -m 8,64K --platform ./none.ini
done
ok "several collectives, the last of which does not reduce" said "$GAMMA" regret ompi-4.1 allreduce,barrier -p 4x4 -m 8 --platform ./zero.ini
ok "regret of a reduction without gamma" fails "platform none lacks gamma, which reductions need" \
    regret ompi-4.1 allreduce -p 4x4 -m 8 --platform ./none.ini
c report scan -m 8 -p 2x2 --platform ./zero.ini -o r.html
ok "report" grep -q "Note: $GAMMA" r.html
c report barrier -p 2x2 --platform ./none.ini -o r.html
ok ".. of what does not reduce" says_not r.html "$GAMMA"
ok "bcast reduces nothing" unsaid "$GAMMA" run bcast binomial -m 8 -p 4x4 --platform ./zero.ini
ok "tune of bcast" unsaid "$GAMMA" tune ompi-4.1 bcast -m 8 -p 4x4 --platform ./zero.ini
ok "--set gamma=0 is known" unsaid "$GAMMA" run allreduce ring -m 8 -p 4x4 --platform ./zero.ini --set gamma=0
ok "gamma of [measured]" unsaid "$GAMMA" run allreduce ring -m 8 -p 4x4 --platform ./zero.ini --model measured \
    --set 'one=8:1us 1M:90us' --set gamma=0.1ns/B
ok "shared memory" said "$GAMMA" run reduce shm_flat -m 8 -p 4 --platform ./zero.ini --set write=1ns/B --set read=1ns/B \
    --set flag=1us --set lanes=1

# ---- --set without effect ---------------------------------------------------------------------------------------------------
ok "NICs that a node does not have" said "--set nics=2 has no effect without nic.rate or nic.messages" \
    run bcast binomial -m 8 -p 4x4 --platform ./plain.ini --set nics=2
ok ".. and that it has" unsaid "has no effect" run bcast binomial -m 8 -p 4x4 --platform ./nics.ini --set nics=2
ok "shared memory that nobody uses" said "--set write=1ns/B has no effect: no part of the algorithm runs in shared memory" \
    run bcast binomial -m 8 -p 4x4 --platform ./nics.ini --set write=1ns/B
ok ".. and that a part uses" unsaid "has no effect" run bcast smp -m 8 -p 4x4 --param inner=shm_flat --platform ./nics.ini \
    --set write=1ns/B --set read=1ns/B --set flag=1us --set lanes=1

echo "1..$n"
