#!/bin/sh
# `run --goal`, `export goal` and `export dot` as a user runs them: formats, schedules that get stuck and bad input. An
# exported schedule can be read again and takes the time that the algorithm takes. The graph of `export dot` has every
# operation, dependency and message.
. "$(dirname "$0")/tap.sh"

cat >pair.goal <<'END'
num_ranks 2
rank 0 {
l1: send 8b to 1 tag 3
}
rank 1 {
l1: recv 8b from -1 tag -1 // any
}
END

# ---- Answers ------------------------------------------------------------------------------------------------------------
ok "LogGOPSim's parameters are the default" gives '"max_finish_ns":5542,"slowest_rank":1,' run --goal pair.goal --format json
ok "the table" gives "    2  5.542 us  5542             1         1           2" run --goal pair.goal
ok "each rank in the table" gives "   1         5542" run --goal pair.goal
ends() { # ends "NS NS ..." ARGUMENTS...: the ranks end at these times, in CSV and in JSON
    times=$1
    shift
    c run "$@" --format csv && [ "$(sed 1d out | cut -d, -f3 | tr '\n' ' ')" = "$times " ] && c run "$@" --format json &&
        [ "$(sed -n 's/.*"finish_ns":\([0-9.]*\),.*/\1/p' out | tr '\n' ' ')" = "$times " ]
}
ok "when each rank ends" ends "1500 5542" --goal pair.goal
ok "--set" gives '"S_bytes":0}' run --goal pair.goal --set S=0 --format json
ok "--set: rendezvous" ends "4000 5542" --goal pair.goal --set S=0
ok "--set: never rendezvous" gives '"S_bytes":null' run --goal pair.goal --set S=unlimited --format json
ok "parts of a ns" ends "200 1000.56" --goal pair.goal --platform generic-100g
ok "parts of a ps" ends "1500 5500.560875" --goal pair.goal --set G=0.080125ns/B
ok "parts of a fs are rounded, and the answer says so" gives "figures rounded to 1 fs" run --goal pair.goal --set G=12.3GB/s
ok "--model loggops is allowed" gives 5542 run --goal pair.goal --model loggops
ok "--timing" gives "read and run in 0." run --goal pair.goal --timing
ok "--timing, json" gives '"peak_rss_bytes":' run --goal pair.goal --timing --format json
ok "standard input" sh -c '"$0" run --goal - <pair.goal | grep -q 5542' "$COLLSIM"
# A token goes round 300 ranks twenty times. Its 6,000 messages of 5 us are many more than any rank sends and receives, so
# the counts of the certificate run over where tallies expect a chain to have about as many messages as a rank.
awk 'BEGIN {
    print "num_ranks 300"
    for (rank = 0; rank < 300; rank++) {
        print "rank " rank " {"
        for (i = 1; i <= 20; i++) {
            print "s" i ": send 1b to " (rank + 1) % 300 " tag " i "\nr" i ": recv 1b from " (rank + 299) % 300 " tag " i
            if (rank > 0) print "s" i " requires r" i
            if (i > 1) print (rank > 0 ? "r" i " requires s" : "s" i " requires r") i - 1
        }
        print "}"
    }
}' >token.goal
{
    printf '[levels]\npair = 2 ranks\nsocket = 10 ranks\nnode = 50 ranks\n[measured]\n'
    for level in pair socket node far; do printf 'one.%s = 0:5us 1M:5us\none.%s.source = invented\n' "$level" "$level"; done
} >four.ini
ok "a chain with many more messages than a rank" gives '"rank":0,"finish_ns":30000000.00' \
    run --goal token.goal --platform four.ini --model measured --format json
# The binary form of pair.goal: the head and the table of ranks, then for each rank its counts and its operation.
{
    printf '\177\020\0\0\0\0\0\0\002\0\0\0\0\0\046\0\0\0\0\0\0\0\131\0\0\0\0\0\0\0\131\0\0\0\0\0\0\0\214\0\0\0\0\0\0\0'
    printf '\001\0\0\0\001\0\0\0\0\0\0\0'
    printf '\0\0\0\0\001\001\0\0\0\010\0\0\0\0\0\0\0\003\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0'
    printf '\001\0\0\0\001\0\0\0\0\0\0\0'
    printf '\0\0\0\0\002\377\377\377\377\010\0\0\0\0\0\0\0\377\377\377\377\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0'
} >pair.bin
ok "the binary form" ends "1500 5542" --goal pair.bin
ok "the binary form from standard input" sh -c '"$0" run --goal - <pair.bin | grep -q 5542' "$COLLSIM"
head -c 100 pair.bin >cut.bin
ok "the binary form, cut off" fails "cut.bin: byte 97: the file ends too early; allowed: 5 more bytes" run --goal cut.bin
sed 's/tag -1/tag 18446744073709551615/' pair.goal >any.goal
ok "Schedgen's any tag" ends "1500 5542" --goal any.goal
printf 'num_ranks 1\nrank 0 {\n}' >empty.goal
ok "no operation" ends 0 --goal empty.goal
printf 'num_ranks 2\nrank 0 {\nsend 0b to 1\n}\nrank 1 {\nrecv 0b from 0\n}\n' >zero.goal
ok "a clock below 0 wraps, as in LogGOPSim" gives '"max_finish_ns":18446744073709551614,"slowest_rank":0' \
    run --goal zero.goal --set o=1ns --set O=3ns/B --format json
# A receive of more than S bytes that finds a message of at most S frees its sender a second time.
cat >unequal.goal <<'END'
num_ranks 2
rank 0 {
send 1b to 1
}
rank 1 {
a: calc 100000
b: recv 2b from 0
b requires a
}
END
unequal="the sizes at the two ends of 1 message differ: rank 0 sends 1b and rank 1 receives 2b; they are run as LogGOPSim runs them"
ok "unequal sizes, as in LogGOPSim" ends "100000 101500" --goal unequal.goal --set S=1
ok ".. and a note" sh -c '[ "$(cat err)" = "collsim: note: $1" ]' sh "$unequal"
awk 'BEGIN { print "num_ranks 2\nrank 0 {"; for (i = 0; i < 9; i++) print "send 8b to 1"; print "}\nrank 1 {"
             for (i = 0; i < 9; i++) print "recv " (i < 8 ? i : 8) "b from 0"; print "}" }' >many.goal
ok "a note of many unequal sizes ends with their number" sh -c '"$0" run --goal many.goal 2>&1 >out |
    grep -qx "collsim: note: the sizes at the two ends of 8 messages differ: .*receives 2b, rank 0 .* receives 3b, and 4 more; they .*" ' "$COLLSIM"

# ---- Memory -------------------------------------------------------------------------------------------------------------
# It follows what the file has, not what its numbers could mean.
small() { # small ARGUMENTS...: the run succeeds, and takes at most 200 MB
    c run "$@" --timing --format json && [ "$(sed -n 's/.*"peak_rss_bytes":\([0-9]*\),.*/\1/p' out)" -lt 200000000 ]
}
{
    printf 'num_ranks 740\nrank 0 {\nsend 1b to 0 tag 1 cpu 255 nic 255\nrecv 1b from 0 tag 1 cpu 9 nic 8\n}\n'
    awk 'BEGIN { for (rank = 1; rank < 740; rank++) print "rank " rank " {\n}" }'
} >places.goal
ok "740 ranks, one with CPU and NIC 255" small --goal places.goal
pairs=16384 # every CPU with the last 64 NICs
[ -z "${CHECK_ALL-}" ] || pairs=65536
awk -v n="$pairs" 'BEGIN { print "num_ranks 1\nrank 0 {"; for (i = 0; i < n; i++) printf "send 0b to 0 cpu %d nic %d\nrecv 0b from 0\n", i % 256, 255 - int(i / 256); print "}" }' >all.goal
ok "every pair of CPU and NIC of a rank" small --goal all.goal
echo "num_ranks 2000000000" >ranks.goal
ok "2,000,000,000 ranks that are not there" fails "ends before rank 0" run --goal ranks.goal

# ---- Schedules that get stuck ---------------------------------------------------------------------------------------------
cat >stuck.goal <<'END'
num_ranks 2
rank 0 {
a: send 8b to 1 tag 3
b: recv 4b from -1 tag -1
c: calc 5
c requires b
}
rank 1 {
recv 8b from 0 tag 4
}
END
stuck() { # stuck TEXT FILE ARGUMENTS...: the program exits with 1, and FILE (out or err) contains TEXT
    text=$1
    file=$2
    shift 2
    c run --goal stuck.goal "$@"
    [ $? = 1 ] && grep -qF -- "$text" "$file"
}
for line in '"unmatched":[' '{"rank":0,"kind":"recv","peer":-1,"message_bytes":4,"tag":-1},' \
    '{"rank":1,"kind":"recv","peer":0,"message_bytes":8,"tag":4},' '{"rank":0,"kind":"send","peer":1,"message_bytes":8,"tag":3}],' \
    '"blocked":[' '{"rank":0,"kind":"calc","peer":null,"message_bytes":5,"tag":null}]}'; do
    ok "stuck, json: $line" stuck "$line" out --format json
done
ok "stuck: a message that was not received" stuck "  rank 0: send 8b to 1 tag 3: nobody received it" err
ok "stuck: a receive from any rank" stuck "  rank 0: recv 4b from -1 tag -1: no message came" err
ok "stuck: an operation that never started" stuck "  rank 0: calc 5: it never started" err
printf 'num_ranks 1\nrank 0 {\na: calc 5\nb: calc 7\na requires b\nb requires a\n}\n' >circle.goal
ok "stuck: a circle of dependencies" sh -c '"$0" run --goal circle.goal 2>err >out; [ $? = 1 ] &&
    [ "$(tr "\n" "|" <err)" = "circle.goal does not end:|  rank 0: calc 5: it never started|  rank 0: calc 7: it never started|" ]' "$COLLSIM"
ok "stuck: csv has no rows" sh -c '"$0" run --goal stuck.goal --format csv 2>err >out; [ $? = 1 ] && [ "$(wc -l <out)" = 1 ]' "$COLLSIM"

# ---- Bad input ----------------------------------------------------------------------------------------------------------
sed 's/-1 tag/2 tag/' pair.goal >bad.goal
ok "file and line" fails "bad.goal:6: '2' is too large; allowed: a rank or -1, at most 1" run --goal bad.goal
ok "no such file" fails "none.goal: No such file" run --goal none.goal
ok "a directory" fails "Is a directory" run --goal /
ok "--goal and a collective" fails "-m is missing" run bcast binomial --goal pair.goal
ok "neither --goal nor an algorithm" fails "or --goal FILE" run bcast
for option in "-p 2" "-m 8" "--root 0" "--param segment=8" "--why" "--full" "--transfer eager"; do
    ok "$option with --goal" fails "${option%% *} does not apply to a GOAL schedule" run --goal pair.goal $option
done
ok "--timing with csv, which has a row per rank" fails "allowed: -f table or json" run --goal pair.goal --timing --format csv
ok "another model" fails "allowed: loggops, hockney or measured" run --goal pair.goal --model loggp
ok "--set of another model's parameter" fails "unknown parameter of loggops" run --goal pair.goal --set alpha=1us
ok "a platform without LogGOPS parameters" fails "or --set KEY=VALUE, or --model hockney" run --goal pair.goal --platform lumi
ok "parameters too long" fails "too long for 64 bits" run --goal pair.goal --set L=1e7s --set o=1ps

# ---- Export goal --------------------------------------------------------------------------------------------------------
MACHINE="--set L=700ns --set o=200ns --set g=300ns --set G=2ns/B --set O=1ns/B --set S=1K --set gamma=3ns/B"
same() { # same COLLECTIVE ALGORITHM OPTIONS...: the exported schedule takes the time that the algorithm takes
    c export goal "$@" $MACHINE -o x.goal || return 1
    goal=$("$COLLSIM" run --goal x.goal $MACHINE --format json | sed -n 's/.*"max_finish_ns":\([0-9]*\),.*/\1/p')
    direct=$("$COLLSIM" run "$@" --model loggops $MACHINE --format csv | awk -F, 'NR == 1 {
        for (i = 1; i <= NF; i++) if ($i == "time_s") column = i } NR == 2 { printf "%.0f", $column * 1e9 }')
    echo "# $goal $direct" >err
    [ -n "$goal" ] && [ "$goal" = "$direct" ]
}
ok "same time: bcast binomial" same bcast binomial -p 21 -m 64K --root 5
ok "same time: allreduce ring" same allreduce ring -p 12 -m 1200
ok "same time: allreduce rabenseifner, elements of 8 bytes" same allreduce rabenseifner -p 13 -m 8K --element 8
ok "same time: reduce chain, parameters" same reduce chain -p 9 -m 8K --param segment=1K --param chains=2
ok "same time: barrier" same barrier dissemination -p 17
ok "same time: counts" same gatherv binomial -p 9 -m 1000 --counts linear
ok "same time: throttled" same alltoall linear_sync -p 7 -m 24 --param max_requests=2
ok "throttled: each rank waits for two messages at a time" gives "  2 L + 4 o + 14 G " run alltoall linear_sync -p 3 -m 8 --param max_requests=1 --model loggops
ok "same time: nodes" same allreduce smp -p 12 -m 3K --per-node 4
# A schedule has no levels: all messages are charged as between ranks that are far from each other.
cat >levels.ini <<'END'
[levels]
node = 4 ranks
[hockney]
gamma = 0
gamma.source = test
[loggops]
L = 2500ns
L.source = test
L.node = 500ns
L.node.source = test
o = 1500ns
o.source = test
g = 1000ns
g.source = test
G = 6ns/B
G.source = test
O = 0
O.source = test
S = 65535
S.source = test
END
left_out="note: a GOAL schedule has no levels: messages inside a node will cost the same as others"
ok "levels: a map" c export goal bcast binomial -p 8 -m 64 --map block:4
ok "levels: a map, the note" says err "$left_out"
ok "levels: a map, the comment" says out "// levels are left out: messages inside a node cost the same as others"
ok "levels: a map, the schedule can be read" sh -c '"$0" run --goal - <out | grep -q "17.63 us"' "$COLLSIM"
ok "levels: -p NxK" c export goal allreduce smp -p 2x4 -m 64
ok "levels: -p NxK, the note" says err "$left_out"
ok "levels: a platform" c export goal bcast binomial -p 8 -m 64 --platform levels.ini
ok "levels: a platform, the note" says err "$left_out"
ok "levels: neither" c export goal bcast binomial -p 8 -m 64
ok "levels: neither, no note" sh -c '! grep -q levels err && ! grep -q levels out'
ok "levels: --goal" c run --goal pair.goal --platform levels.ini
ok "levels: --goal runs with the figures of far" says out "    2  5.542 us  5542"
ok "levels: --goal notes it" says err "all messages have the L and G of level far"
ok "the first line says what the schedule is" sh -c '"$0" export goal bcast binomial -p 4 -m 8K | head -n 1 | grep -qx "// written by collsim: bcast binomial, 4 ranks, 8K bytes, root 0, segment = 0"' "$COLLSIM"
ok "the head says what a calc stands for" gives "reducing a byte takes 0.05 ns (generic-100g); each calc is rounded to whole ns" \
    export goal allreduce ring -p 4 -m 8K
ok "the head says that 1b stands for 0 bytes too" gives "messages of 0 bytes are written as 1b" export goal barrier dissemination -p 4
ok "gamma is not needed if nothing is reduced" gives "num_ranks 4" export goal bcast binomial -p 4 -m 8 --platform loggopsim
ok "gamma is needed for a reduction" fails "lacks gamma" export goal allreduce ring -p 4 -m 8 --platform loggopsim
ok "gamma too long" fails "less than 2^62" export goal allreduce ring -p 4 -m 1G --set gamma=1e9s/B
ok "the head names the fallback that runs" gives "ran: " export goal allreduce ring -p 8 -m 4
ok "a second export writes the same bytes" sh -c '"$0" export goal allreduce ring -p 5 -m 99 >a && "$0" export goal allreduce ring -p 5 -m 99 -o b && cmp a b' "$COLLSIM"
ok "export without a kind" fails "allowed: goal, dot" export
ok "export of an unknown kind: the nearest is suggested" fails "did you mean goal" export gaol
ok "export --help names the kinds" gives "for Graphviz" export --help
for kind in goal dot; do
    ok "$kind: help with an example" gives "collsim export $kind bcast binomial" export $kind --help
    ok "$kind: all" fails "belongs to one algorithm" export $kind bcast all -p 4 -m 8
    ok "$kind: two sizes" fails "one size" export $kind bcast binomial -p 4 -m 8,9
    ok "$kind: two numbers of ranks" fails "one number of ranks" export $kind bcast binomial -p 4,5 -m 8
    ok "$kind: every root" fails "allowed: 0 .. p-1" export $kind bcast binomial -p 4 -m 8 --root all
    ok "$kind: shared memory" fails "shared memory" export $kind bcast shm_flat -p 4 -m 8
    ok "$kind: -o in a folder that does not exist" fails "none/x" export $kind bcast binomial -p 4 -m 8 -o none/x
done
ok "no temporary file is left" sh -c '[ -z "$(ls | grep x.goal.)" ]'
ok "too many messages" fails "at most 50000000" export goal alltoall linear -p 32768 -m 8
ok "a device is written to, not replaced" sh -c '"$0" export goal bcast binomial -p 4 -m 8 -o /dev/null && [ -c /dev/null ]' "$COLLSIM"

# ---- Export dot ---------------------------------------------------------------------------------------------------------
# whole COLLECTIVE ALGORITHM OPTIONS...: the braces of the exported graph are balanced, and it has a node for each
# operation of the GOAL text and an edge for each dependency and each message. Graphviz, if it is there, can read it.
whole() {
    c export goal "$@" --set gamma=1ns/B -o x.goal && c export dot "$@" -o x.dot || return 1
    operations=$(grep -cE '^l[0-9]+: ' x.goal)
    waits=$(grep -c requires x.goal)
    messages=$(grep -cE '^l[0-9]+: send' x.goal)
    [ "$(grep -o '{' x.dot | wc -l)" = "$(grep -o '}' x.dot | wc -l)" ] &&
        [ "$(grep -cE '^ +o[0-9]+ \[label="[^"]+".*\];$' x.dot)" = "$operations" ] &&
        [ "$(grep -cE '^ +o[0-9]+ -> o[0-9]+ \[color="#999999", weight=8\];$' x.dot)" = "$waits" ] &&
        [ "$(grep -cE '^ +o[0-9]+ -> o[0-9]+ \[label="[0-9]+[KMG]?", .*\];$' x.dot)" = "$messages" ] || return 1
    ! command -v dot >/dev/null || dot -Tplain x.dot >x.plain 2>err || return 1
    ! command -v dot >/dev/null || [ "$(grep -c '^node' x.plain)" = "$operations" ]
}
command -v dot >/dev/null || echo "# graphviz is not installed, so only the text of the graphs is checked"
ok "graph: bcast binomial" whole bcast binomial -p 8 -m 8K
ok "graph: allreduce rabenseifner" whole allreduce rabenseifner -p 8 -m 1M
ok "graph: allgather bruck" whole allgather bruck -p 7 -m 24
ok "graph: alltoall linear" whole alltoall linear -p 9 -m 24
ok "graph: throttled" whole alltoall linear_sync -p 7 -m 24 --param max_requests=2
ok "graph: one rank" whole reduce binomial -p 1 -m 8
ok "graph: an edge joins the two ends of a message" sh -c '"$0" export dot bcast linear -p 2 -m 64K | grep -q "o0 -> o1 \[label=\"64K\""' "$COLLSIM"
two() { # two TEXT: the graph of two messages from rank 0 to rank 1 has this
    gives "$1" export dot bcast pipeline -p 2 -m 8 --param segment=4
}
ok "graph: a send names its receiver" two 'o1 [label="send to 1"];'
ok "graph: a receive names its sender" two 'o2 [label="recv from 0"];'
ok "graph: the first message meets the first receive" two 'o0 -> o2 [label="4"'
ok "graph: the second message meets the second receive" two 'o1 -> o3 [label="4"'
ok "graph: as large as it may be" sh -c '[ "$("$0" export dot bcast binomial -p 2501 -m 8 | grep -c " \[label=\"\(send\|recv\)")" = 5000 ]' "$COLLSIM"
ok "graph: too large" fails "the graph has 5002 operations, too many to read; allowed: at most 5000" export dot bcast binomial -p 2502 -m 8

echo "1..$n"
