#!/bin/sh
# Rates of links: what run and best say of the network, and who refuses it. tests/test_network_costs.c holds the times.
. "$(dirname "$0")/tap.sh"

figure() { printf '%s = %s\n%s.source = test\n' "$1" "$2" "$1"; }
ring() { # ring FIGURE VALUE..: a ring of 8 hosts, with these figures of its links
    printf '[hockney]\n'
    figure alpha 1us
    figure beta 1ns/B
    figure gamma 0
    printf '[topology]\nkind = torus\n'
    figure shape 8
    while [ $# -gt 0 ]; do
        figure "$1" "$2"
        shift 2
    done
}
ring >bare.ini
ring rate 1GB/s hop 10ns >ring.ini
ring rate.dim1 0.5GB/s >slow.ini

costs() { # costs CERTIFICATE ARGUMENTS..: run says this, and nothing of trouble
    certificate=$1
    shift
    "$COLLSIM" run "$@" -f csv 2>err | grep -qF ",$certificate,"
}
warns() { # warns TEXT ARGUMENTS..: says it on stderr, and goes on
    text=$1
    shift
    c "$@" && says err "$text"
}
notes() { # notes TEXT ARGUMENTS..: a table says it
    text=$1
    shift
    c "$@" && says out "$text"
}

# Each of 8 ranks sends 1000 bytes to the host 4 further: each link upwards has 4 messages, 3 links beyond the first.
ok 'messages share links' costs '3 alpha + 1000 beta + 3000 gamma + 4 hop + 6000 link.dim1' allreduce recursive_doubling -p 8 -m 1000 --platform ring.ini
ok 'links that are as fast as ports change nothing for neighbours' costs '7 alpha + 7000 beta' allgather ring -p 8 -m 1000 --platform ring.ini
ok 'slower links limit them' costs '7 alpha + 7000 link.dim1' allgather ring -p 8 -m 1000 --platform slow.ini
ok 'run says what it assumes' notes 'note: network: torus 8, minimal routing; nodes in order' run allgather ring -p 8 -m 8 --platform ring.ini
ok 'so does best' notes 'note: network: torus 8, minimal routing; nodes random:2' best allgather -p 8 -m 8 --platform ring.ini --nodes random:2
ok 'CSV has it on stderr' warns 'network: torus 8, spread routing; nodes in order' run bcast binomial -p 8 -m 8 --platform ring.ini --routing spread -f csv
ok '--why names links' notes 'dim1 from host 4 up, of 4 messages' run allreduce recursive_doubling -p 8 -m 1000 --platform ring.ini --why
ok '--why says what faster links would save' notes 'rate=x2' run allreduce recursive_doubling -p 8 -m 1000 --platform ring.ini --why
ok 'a topology of as many classes keeps the rates' costs '15 alpha + 15000 link.dim1' allgather ring -p 16 -m 1000 --platform slow.ini --topology torus:16

same_times() {
    "$COLLSIM" run allreduce all -p 8x1 -m 1000 --platform bare.ini -f csv 2>/dev/null | cut -d, -f1-12 >with
    sed '/topology/,$d' bare.ini >flat.ini && "$COLLSIM" run allreduce all -p 8x1 -m 1000 --platform flat.ini -f csv 2>/dev/null | cut -d, -f1-12 >without
    [ -s with ] && sed s/bare/flat/ with | cmp -s - without
}
ok 'a topology without a rate changes no time' same_times

refused='has rates of links, which only run and best take into account'
ok 'crossover refuses rates' fails "$refused" crossover allreduce ring recursive_doubling -p 8 --platform ring.ini
ok 'tune refuses rates' fails "$refused" tune ompi-5 -p 8 --platform ring.ini
ok 'regret refuses rates' fails "$refused" regret ompi-5 allreduce -p 8 -m 8 --platform ring.ini
ok 'trace refuses rates' fails "$refused" trace allreduce ring -p 8 -m 8 --platform ring.ini
ok 'bound leaves the network out' warns 'is left out' bound allreduce -p 8 -m 8 --platform ring.ini
ok 'another model refuses rates' fails 'model loggp does not know the rates of links' run bcast binomial -p 8 -m 8 --platform ring.ini --model loggp
ok 'nodes that have no room' fails 'has 8 hosts, 9 are needed' run bcast binomial -p 9 -m 8 --platform ring.ini
ok 'several seeds' fails 'has several seeds' run bcast binomial -p 8 -m 8 --platform ring.ini --nodes random:1..3
ok '--nodes without a network' fails 'has no network between nodes' run bcast binomial -p 8 -m 8 --nodes random:1
ok '--nodes without a rate' fails 'has no rate of links' run bcast binomial -p 8 -m 8 --platform bare.ini --nodes random:1
ok 'too many messages to price' fails 'messages on a network' run alltoall pairwise -p 10000 -m 8 --platform ring.ini --topology torus:10000

echo "1..$n"
