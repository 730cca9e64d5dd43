#!/bin/sh
# `run COLLECTIVE --goal FILE`: a GOAL schedule as an algorithm, under the models of messages. What an exported algorithm
# takes is what the algorithm takes.
. "$(dirname "$0")/tap.sh"
serve

# time_of ARGUMENTS...: prints the time_s of the only row.
time_of() { c run "$@" -f csv && column time_s; }
lasts() { # lasts NANOSECONDS ARGUMENTS...
    wanted=$1
    shift
    got=$(time_of "$@" --set alpha=1us --set beta=1ns/B | awk '{ printf "%.12g", 1e9 * $1 }')
    [ "$got" = "$wanted" ] || { echo "# $got instead of $wanted" && return 1; }
}

cat >two.goal <<'END_OF_GOAL'
num_ranks 2
rank 0 {
a: calc 5000
b: calc 3000
c: send 1000b to 1 tag 1
d: send 1000b to 1 tag 2
c requires a
d requires b
}
rank 1 {
recv 1000b from 0 tag 1
recv 1000b from 0 tag 2
}
END_OF_GOAL
# c leaves at 5 us and arrives at 7 us; b ends at 8 us, and d arrives at 10 us.
ok "calcs on one CPU follow each other" lasts 10000 bcast --goal two.goal -m 1000
ok "the certificate" gives "1 alpha + 1000 beta + 8000 calc" run bcast --goal two.goal -m 1000
ok "gamma changes no calc" lasts 10000 bcast --goal two.goal -m 1000 --set gamma=9ns/B
ok "--why" gives "calc  " run bcast --goal two.goal -m 1000 -p 2x1 --platform leonardo --why
ok "--trace" c run bcast --goal two.goal -m 1000 --trace trace.json
ok "the trace has the messages" grep -q "the trace has 17 events of 2 ranks" err
ok "beside others" gives "goal " run bcast all --goal two.goal -m 1000
ok "by LogGOPS" gives "8000 calc" run bcast --goal two.goal -m 1000 --model loggops
# b and d wait for nothing else than the start and end of calcs: c arrives at 2 us, and d, after 8 us, at 10 us.
sed 's/c requires a/c irequires a/' two.goal >start.goal
ok "irequires waits for the start" lasts 10000 bcast --goal start.goal -m 1000
sed -e 's/c requires a/c irequires a/' -e 's/d requires b/d irequires b/' two.goal >starts.goal
# d starts when b does, at 5 us.
ok "the start of a calc that waits for its CPU" lasts 8000 bcast --goal starts.goal -m 1000
sed 's/calc 3000/calc 3000 cpu 1/' two.goal >cpus.goal
# d leaves at 3 us and c at 5 us.
ok "calcs side by side" lasts 7000 bcast --goal cpus.goal -m 1000
sed -e 's/0 tag 1/0 tag 9/' -e 's/0 tag 2/0 tag 1/' -e 's/0 tag 9/0 tag 2/' two.goal >cross.goal
ok "crossing tags" lasts 10000 bcast --goal cross.goal -m 1000
sed 's/recv 1000b from 0 tag 1/recv 1000b from -1 tag 1/' two.goal >any.goal
ok "any source" lasts 10000 bcast --goal any.goal -m 1000
sed 's/recv 1000b from 0 tag 2/recv 900b from 0 tag 2/' two.goal >sizes.goal
ok "a message has the size of its send" lasts 10000 bcast --goal sizes.goal -m 1000
ok "a note says so" grep -q "the sizes at the two ends of 1 message differ" err
printf 'num_ranks 1\nrank 0 {\na: calc 1\nb: calc 2\na requires b\nb requires a\n}\n' >circle.goal
ok "a circle is refused" fails "circle.goal: rank 0: calc 1 waits for itself" run bcast --goal circle.goal -m 8
ok "another number of ranks" fails "-p 4: the schedule of --goal has 2 ranks; allowed: 2" run bcast --goal two.goal -p 4 -m 8
ok "hockney without a collective" gives "9.08 us  9080 " run --goal two.goal --model hockney
ok "the trace of hockney" c trace --goal two.goal --model hockney
ok "the trace has the calcs" says out '"dur":3.000,"name":"calc"'
ok "measured without a collective" gives "11.93 us" run --goal two.goal --model measured --platform archer2
cat >react.goal <<'END_OF_GOAL'
num_ranks 6
rank 0 {
send 8b to 2
}
rank 1 {
recv 8b from 5
}
rank 2 {
a: recv 8b from 0
b: send 8b to 4
c: calc 1
c requires a
b irequires c
}
rank 3 {
}
rank 4 {
a: recv 8b from 2
b: send 8b to 5
b requires a
}
rank 5 {
a: recv 8b from 4
b: send 8b to 1
b irequires a
}
END_OF_GOAL
printf '[measured]\none = 8:1us 64:2us\none.source = test\nfar = 500ns\nfar.source = test\n' >far.ini
# c of rank 2 starts after a has ended, so b reacts: it is at rank 4 at 1 + 1.5 us. Rank 5, which is next to 4, has it 1 us
# later. Its own message to rank 1 does not react, because b waits for the start of a receive.
ok "messages that react" c run --goal react.goal --model measured --platform ./far.ini -f csv
ok "a message that reacts takes far longer" grep -q '^react.goal,5,3500,' out
ok "one that waits for a start does not" grep -q '^react.goal,1,1000,' out
ok "another model" fails "--model logp with a GOAL schedule; allowed: loggops, hockney or measured" \
    run --goal two.goal --model logp
cat >ring.goal <<'END_OF_GOAL'
num_ranks 3
rank 0 {
a: recv 100b from -1 tag -1
b: recv 10b from -1 tag 5
c: send 5b to 0
d: recv 5b from 0
c requires a
}
rank 1 {
send 100b to 0 tag 4
}
rank 2 {
send 10b to 0 tag 5
}
END_OF_GOAL
# a takes the message of rank 1, because of those that are offered at once it is from the lowest rank: 0 to 1.1 us. c is
# offered then, but b was posted before d: 1.1 to 2.11 us, and 2.11 to 3.115 us.
ok "any source and tag, and a message to itself" gives "3.115 us" run --goal ring.goal --model hockney \
    --set alpha=1us --set beta=1ns/B
ok "its path" gives "0  recv              1       100" run bcast --goal ring.goal -m 8 --why
sed 's/^send 10b.*//' ring.goal >none.goal
c run --goal none.goal --model hockney
ok "who waits for any rank" grep -q "rank 0 waits for any rank: operation 1, recv of 10 bytes" err
printf 'num_ranks 2\nrank 0 {\nrecv 8b from 1\n}\nrank 1 {\nrecv 8b from 0\n}\n' >dead.goal
status=0
c run bcast --goal dead.goal -m 8 || status=$?
ok "a deadlock" test $status = 1
ok "who waits for whom" grep -q "rank 0 waits for rank 1: operation 0, recv of 8 bytes" err
printf 'num_ranks 2\nrank 0 {\nsend 8b to 1\n}\nrank 1 {\n}\n' >left.goal
c run bcast --goal left.goal -m 8 --transfer eager
ok "a message that is left over" grep -q "rank 0: its send of 8 bytes to rank 1 was never met" err
{
    printf '\177\020\0\0\0\0\0\0\002\0\0\0\0\0\046\0\0\0\0\0\0\0\131\0\0\0\0\0\0\0\131\0\0\0\0\0\0\0\214\0\0\0\0\0\0\0'
    printf '\001\0\0\0\001\0\0\0\0\0\0\0'
    printf '\0\0\0\0\001\001\0\0\0\010\0\0\0\0\0\0\0\003\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0'
    printf '\001\0\0\0\001\0\0\0\0\0\0\0'
    printf '\0\0\0\0\002\0\0\0\0\010\0\0\0\0\0\0\0\003\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0'
} >pair.bin
ok "the binary form" lasts 1008 bcast --goal pair.bin -m 8

# ---- The registry -------------------------------------------------------------------------------------------------------
# A message of 0 bytes is exported as one of 1, so these runs are left out.
same_times() { # same_times COLLECTIVE
    c run "$1" all -p 6 -m 6000 --set gamma=1ns/B -f csv || return 1
    column algorithm >names && column time_s | paste -d ' ' names - | grep ' .' >all || return 1
    compared=0 i=0
    while read -r algorithm seconds; do
        takes $((i += 1)) 4 || continue
        c export goal "$1" "$algorithm" -p 6 -m 6000 --set gamma=1ns/B -o x.goal || continue
        grep -q "written as 1b" x.goal && continue
        again=$(time_of "$1" --goal x.goal -m 6000)
        [ "$again" = "$seconds" ] || { echo "# $1 $algorithm: $seconds, as a schedule $again" && return 1; }
        compared=$((compared + 1))
    done <all
    [ $compared -gt 0 ]
}
for collective in allreduce bcast; do # test_graph compares all, without files
    ok "algorithms of $collective take as long when exported" same_times $collective
done
ok "the process that answered ends well" served_well
echo "1..$n"
