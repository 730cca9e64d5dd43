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
ok 'a slice names its phase' traced '"phase":"reduce-scatter"' $R
ok 'a slice of the phase encloses it' says out '"ts":0.000,"dur":126.276,"cat":"phase","name":"reduce-scatter"}'
ok '-o FILE writes it, and nothing to stdout' sh -c '"$0" trace bcast binomial -p 4 -m 8 -o t.json >out 2>err && [ ! -s out ] && [ -s t.json ]' "$COLLSIM"
ok 'a note says the time and how much of the run there is' says err 'bcast binomial, 8 bytes on 4 ranks: 2.001 us; the trace has 23 events of 4 ranks'
ok 'run --trace writes the same trace' sh -c '"$0" run bcast binomial -p 4 -m 8 --trace u.json >out 2>err && cmp t.json u.json' "$COLLSIM"
for spelling in -p4 -np4 --np=4 '-n 4'; do
    # shellcheck disable=SC2086 # a word for each argument
    ok "$spelling are processes, and not the ranks to show" sh -c '"$0" trace bcast binomial "$@" -m 8 >out 2>err && grep -q "on 4 ranks: .* events of 4 ranks" err' "$COLLSIM" $spelling
done
ok '--ranks: the others are missing' traced '"missing":"5 of 8 ranks"' $R --ranks 1..2,2,5
ok '--ranks: no track of another one' says_not out 'rank 3 '
ok '--from and --to: the window' traced 'what is outside of --from and --to' $R --from 50us --to 60us
ok 'a map: a process a node' traced '"name":"node 1"' trace bcast binomial -p 2x4 -m 8
ok 'shared memory: one track a rank' traced '"rank 7 CPU"' trace bcast shm_flat -p 8 -m 8 --set write=1ns/B --set read=1ns/B --set lanes=2 --set flag=1us
ok 'a run of more than 400,000 events is cut' sh -c '"$0" trace allreduce ring -p 4096 -m 1M -o t.json 2>err' "$COLLSIM"
ok 'a note says what is missing' says err 'missing: 4032 of 4096 ranks, and what begins at '
ok 'the LogP family: o on the CPU' traced '"ph":"X","pid":2,"tid":1,"ts":0.000,"dur":0.200,"name":"send"' trace bcast binomial -p 4 -m 8 --model loggp
ok 'the LogP family: the flight is a step of the path' says out 'flight to 3"'
ok 'the LogP family: a run is cut' sh -c '"$0" trace allreduce ring -p 256 -m 1M --model logp -o t.json 2>err' "$COLLSIM"
ok 'a note says what is missing there' says err 'missing: 192 of 256 ranks'
cat >pair.goal <<'END'
num_ranks 2
rank 0 {
l1: send 8b to 1 tag 3
l2: calc 500 cpu 1
l3: send 0b to 1 tag 4 nic 1
l3 requires l1
}
rank 1 {
l1: recv 8b from -1 tag -1
l2: recv 0b from 0 tag 4 nic 1
l3: calc 1000
l3 requires l2
}
END
ok 'a GOAL schedule: its calcs' traced '"ts":7.036,"dur":1.000,"name":"calc"}' trace --goal pair.goal
ok 'a GOAL schedule: a track for each CPU' says out '"rank 0 CPU[1]"'
ok 'a GOAL schedule: a track for each direction of each NIC' says out '"rank 1 in[1]"'
ok 'a GOAL schedule: the note' says err 'pair.goal: 8.036 us; the trace has 21 events of 2 ranks'
ok 'run --goal --trace writes the same' sh -c '"$0" trace --goal pair.goal -o t.json && "$0" run --goal pair.goal --trace u.json >out 2>err && cmp t.json u.json' "$COLLSIM"
ok 'a schedule that waits for an answer' traced '"missing":""' trace --goal pair.goal --set S=0
ok 'clocks that are set back: there is no critical path' traced '"missing":"a critical path, because messages of 0 bytes set clocks back"' trace --goal pair.goal --set g=0ns --set o=0ns --set G=1us/B
ok 'a picture of a schedule' traced '</svg>' trace --goal pair.goal -f svg
ok 'a schedule that does not end' sh -c 'echo "num_ranks 1
rank 0 {
l1: recv 8b from 0
}" >stuck.goal; "$0" trace --goal stuck.goal 2>err; [ $? = 1 ] && grep -q "does not end" err' "$COLLSIM"
ok 'a schedule and an algorithm are refused' fails '--goal FILE runs alone, without ' trace bcast --goal pair.goal
ok '-p with a schedule is refused' fails 'allowed with --goal: --platform, --set, --model, --ranks' trace --goal pair.goal -p 4
ok 'nodes: their NIC has tracks' traced '"name":"NIC out"' trace bcast smp -p 2x4 -m 64K --set nic.rate=10GB/s
ok 'nodes: and their slices say who sends to whom' says out '"name":"0 to 4","args":{"bytes":65536,'
ok 'a time after the end of the run is refused' fails '--from 5 s is after the end of the run; allowed: at most 206.7 us' $R --from 5s -o late.json
ok 'and no file is left' sh -c '[ ! -e late.json ]'
ok 'the picture has round times, and says what is missing' sh -c '"$0" '"$R"' --from 50us --to 100us -f svg >out 2>err && grep -q ">70 us</text>" out && grep -q "missing: what is outside of --from and --to</text>" out' "$COLLSIM"
ok 'nodes: a step of the path in which their NIC is busy' traced '"2 NIC busy with 1"' trace alltoall linear -p 2x2 -m 64K --set nic.rate=10GB/s
ok 'several algorithms are refused' fails 'a trace shows one run' trace bcast binomial,linear -p 8 -m 8
ok 'several sizes are refused' fails 'a trace shows one run' trace bcast binomial -p 8 -m 8,16
ok 'a rank beyond p is refused' fails '--ranks' $R --ranks 8
ok 'a moment without a unit is refused' fails '--from' $R --from 5
ok 'a window of nothing is refused' fails 'allowed: a time after --from' $R --from 5us --to 5us
ok 'a GOAL schedule that is not there is refused' fails 'x.goal' run --goal x.goal --trace t.json
ok 'several machines are refused' fails '--trace shows one run' run bcast binomial -p 8 -m 8 --set alpha=x1,x2 --trace t.json
ok '-f svg draws the ranks' traced '>12</text>' trace allreduce rabenseifner -p 13 -m 64K -f svg
ok '-o FILE.svg is a picture' sh -c '"$0" trace bcast binomial -p 2x2 -m 8 -o t.svg 2>err && grep -q "^</svg>" t.svg' "$COLLSIM"
c trace allreduce shm_flat -p 8 -m 64K --model shared -o jump.svg
ok 'where the critical path is vertical it is dotted, and the legend says why' sh -c 'grep -q "^<path.*stroke-dasharray" jump.svg && grep -q "goes to another rank in next to no time" jump.svg'
ok '.. elsewhere the legend does not' sh -c '! grep -q "next to no time" t.svg'
ok 'a picture of more than 64 ranks is refused' fails 'a picture of 65 ranks; allowed: at most 64' trace bcast binomial -p 65 -m 8 -f svg
ok 'an unknown format is refused' fails 'allowed: json' $R -f xml
ok 'the picture of a fallback says that it is one' traced 'ring, 8 bytes on 16 ranks, ran: recursive_doubling (count &lt; p)' \
    trace allreduce ring -p 16 -m 8 -f svg
ok '.. and so does the trace' traced '"operation":"allreduce ring, 8 bytes on 16 ranks, ran: recursive_doubling (count < p)"' \
    trace allreduce ring -p 16 -m 8
# The path of a picture is one line, which visits the ranks in this order.
visits() { # visits RANKS ARGUMENTS...: ranks as "0 1 2"
    due=$1
    shift
    c trace "$@" -o path.svg || return
    sed -n 's/.*id="path" d="M\([^"M]*\)".*/\1/p' path.svg | tr -d L | tr ' ' '\n' | awk -F, -v due="$due" '
        NF && $2 != y { seen = seen (seen == "" ? "" : " ") ($2 - 70) / 24; y = $2 }
        END { if (seen != due) { print "visits " seen >"err"; exit 1 } }'
}
chain='0 1 2 3 4 5 6 7 8 9 10 11'
for how in --transfer=rendezvous --transfer=eager --transfer=eager-port --model=loggops --model=loggp --model=logp; do
    ok "the path of the picture goes down a tree: $how" visits '7 6 4 0' reduce binomial -p 13 -m 8 $how
    case $how in --model=*) last=' 12' ;; *) last= ;; esac # under hockney ranks 11 and 12 end together, and the lower one counts
    ok ".. and along a chain: $how" visits "$chain$last" bcast pipeline -p 13 -m 8 $how
done
"$COLLSIM" export goal bcast pipeline -p 13 -m 8 >chain.goal
ok '.. and along that of a GOAL schedule' visits "$chain 12" --goal chain.goal
ok 'help fits 80 columns' sh -c '"$0" trace --help >out && [ "$(awk "length > 80" out | wc -l)" = 0 ]' "$COLLSIM"
echo "1..$n"
