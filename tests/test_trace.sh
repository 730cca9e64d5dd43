#!/bin/sh
# `collsim trace` and `run --trace` as a user runs them.
. "$(dirname "$0")/tap.sh"

traced() { # traced TEXT ARGUMENTS: exit 0, and TEXT on stdout, with notes on stderr
    text=$1
    shift
    c "$@" && says out "$text"
}
R="trace allreduce ring -p 8 -m 1M"
ok 'the trace goes to stdout' traced '"name":"critical path"' $R
ok 'every line but the first and the last is an event' sh -c 'sed -e 1d -e "\$d" out | grep -qv "^{\"ph\":.*},*$" && exit 1; exit 0'
ok '-o FILE writes it, and nothing to stdout' sh -c '"$0" trace bcast binomial -p 4 -m 8 -o t.json >out 2>err && [ ! -s out ] && [ -s t.json ]' "$COLLSIM"
ok 'a note says the time and how much of the run there is' says err 'bcast binomial, 8 bytes on 4 ranks: 2.001 us; the trace has 23 events of 4 ranks'
ok 'run --trace writes the same trace' sh -c '"$0" run bcast binomial -p 4 -m 8 --trace u.json >out 2>err && cmp t.json u.json' "$COLLSIM"
ok '--ranks: the others are missing' traced '"missing":"5 of 8 ranks"' $R --ranks 1..2,2,5
ok '--ranks: no track of another one' says_not out 'rank 3 '
ok '--from and --to: the window' traced 'what is outside of --from and --to' $R --from 50us --to 60us
ok 'a map: a process a node' traced '"name":"node 1"' trace bcast binomial -p 2x4 -m 8
ok 'shared memory: one track a rank' traced '"rank 7 CPU"' trace bcast shm_flat -p 8 -m 8 --set write=1ns/B --set read=1ns/B --set lanes=2 --set flag=1us
ok 'a run of more than 400,000 events is cut' sh -c '"$0" trace allreduce ring -p 4096 -m 1M -o t.json 2>err' "$COLLSIM"
ok 'a note says what is missing' says err 'missing: 4032 of 4096 ranks, and what begins at '
ok 'the LogP family is refused' fails 'allowed: hockney, measured or shared' $R --model loggops
ok 'several algorithms are refused' fails 'a trace shows one run' trace bcast binomial,linear -p 8 -m 8
ok 'several sizes are refused' fails 'a trace shows one run' trace bcast binomial -p 8 -m 8,16
ok 'a rank beyond p is refused' fails '--ranks' $R --ranks 8
ok 'a moment without a unit is refused' fails '--from' $R --from 5
ok 'a window of nothing is refused' fails 'allowed: a time after --from' $R --from 5us --to 5us
ok 'a GOAL schedule is refused' fails 'does not apply to a GOAL schedule' run --goal x.goal --trace t.json
ok 'several machines are refused' fails '--trace shows one run' run bcast binomial -p 8 -m 8 --set alpha=x1,x2 --trace t.json
ok '-f svg draws the ranks' traced '>12</text>' trace allreduce rabenseifner -p 13 -m 64K -f svg
ok '-o FILE.svg is a picture' sh -c '"$0" trace bcast binomial -p 2x2 -m 8 -o t.svg 2>err && grep -q "^</svg>" t.svg' "$COLLSIM"
ok 'a picture of more than 64 ranks is refused' fails 'a picture of 65 ranks; allowed: at most 64' trace bcast binomial -p 65 -m 8 -f svg
ok 'an unknown format is refused' fails 'allowed: json' $R -f xml
ok 'help fits 80 columns' sh -c '"$0" trace --help >out && [ "$(awk "length > 80" out | wc -l)" = 0 ]' "$COLLSIM"
echo "1..$n"
