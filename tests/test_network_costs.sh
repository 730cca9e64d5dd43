#!/bin/sh
# Rates of links: what each command says of the network, and that its times are those of run. tests/test_network_costs.c holds the times.
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
ring rate 1GB/s background.dim1 0.5 >busy.ini
ok 'the traffic of others takes a share of a rate' costs '7 alpha + 7000 link.dim1' allgather ring -p 8 -m 1000 --platform busy.ini
ok '.. and a note says so' notes "minimal routing, 50 % of dim1 are others'; nodes in" run allgather ring -p 8 -m 1000 --platform busy.ini
ok 'run says what it assumes' notes 'note: network: torus 8, minimal routing; nodes in order' run allgather ring -p 8 -m 8 --platform ring.ini
ok 'so does best' notes 'note: network: torus 8, minimal routing; nodes random:2' best allgather -p 8 -m 8 --platform ring.ini --nodes random:2
ok 'CSV has it on stderr' warns 'network: torus 8, spread routing; nodes in order' run bcast binomial -p 8 -m 8 --platform ring.ini --routing spread -f csv
ok '--why names links' notes 'dim1 from host 4 up, of 4 messages' run allreduce recursive_doubling -p 8 -m 1000 --platform ring.ini --why
ok '--why says what faster links would save' notes 'rate=x2' run allreduce recursive_doubling -p 8 -m 1000 --platform ring.ini --why
ok 'a topology of as many classes keeps the rates' costs '15 alpha + 15000 link.dim1' allgather ring -p 16 -m 1000 --platform slow.ini --topology torus:16

# Ranks 1 and 3 are far from each other, so they begin their last messages 6 us after 0 and 2; a round is 1 us long. 4 of 7 messages.
ring rate 1GB/s hop 1us | sed 's/shape = 8/shape = 32/' >long.ini
printf '10 20 11 27 9 19 12 28\n' >far.nodes
ok 'rounds drift where ranks are not in step' notes 'rounds drift: 57 % of messages' run bcast binomial -p 8 -m 8 --platform long.ini --nodes far.nodes
drifts() { # drifts SHARE ARGUMENTS..: the column says so
    share=$1
    shift
    "$COLLSIM" run "$@" -f csv 2>err | awk -F, -v share="$share" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { exit $at["rounds_drift"] != share }'
}
ok '.. with a column' drifts 0.5714285714285714 bcast binomial -p 8 -m 8 --platform long.ini --nodes far.nodes
ok '.. 0 if they do not' drifts 0 bcast binomial -p 8 -m 8 --platform long.ini
ok '.. and empty where ranks are in step' drifts '' allreduce recursive_doubling -p 8 -m 8 --platform long.ini --nodes far.nodes

same_times() {
    "$COLLSIM" run allreduce all -p 8x1 -m 1000 --platform bare.ini -f csv 2>/dev/null | cut -d, -f1-12 >with
    sed '/topology/,$d' bare.ini >flat.ini && "$COLLSIM" run allreduce all -p 8x1 -m 1000 --platform flat.ini -f csv 2>/dev/null | cut -d, -f1-12 >without
    [ -s with ] && sed s/bare/flat/ with | cmp -s - without
}
ok 'a topology without a rate changes no time' same_times

# Every command that predicts times prices the links: the same algorithm takes as long everywhere.
time_of() { # time_of ARGUMENTS..: prints the time that `run` has
    "$COLLSIM" run "$@" -f csv 2>/dev/null | column time_s - | head -n 1
}
assumes='network: torus 8, minimal routing; nodes in order'
ok 'crossover says what it assumes' notes "$assumes" crossover allreduce ring recursive_doubling -p 8 --platform slow.ini
ok 'crossover has no closed form for links' says out 'no closed form knows the links'
ok 'regret prices links' notes "$assumes" regret ompi-5 allreduce -p 8 -m 64K --platform slow.ini
priced_regret() {
    "$COLLSIM" regret ompi-5 allreduce -p 8 -m 64K --platform slow.ini -f json >slow.json 2>/dev/null &&
        "$COLLSIM" regret ompi-5 allreduce -p 8 -m 64K --platform bare.ini -f json >bare.json 2>/dev/null &&
        ! cmp -s slow.json bare.json
}
ok 'and its times are not those without' priced_regret
ok 'tune says it in its file' notes "NOTE: $assumes" tune ompi-5 allreduce -p 8 -m 8,64K --platform ring.ini
ok 'so does tune intel' notes "NOTE: $assumes" tune intel allreduce -p 8 -m 8,64K --platform ring.ini
profiled() {
    c tune pgmpi mpich-4.3 -p 8 -m 8,64K --platform ring.ini --topology torus:8 -o profiles && grep -qF "NOTE: $assumes" profiles/p8/*.prf
}
ok 'and tune pgmpi' profiled
echo 'collective,algorithm,p,m,time_us
bcast,library,8,8,5' >measured.csv
ok '.. which needs no network for logs' fails 'options of a machine are for predictions' tune pgmpi measured.csv --nodes random:2 -o profiles
every() { # every command that prices messages between ranks of a machine takes its network: all but two, which have formulas
    for name in $("$COLLSIM" help | sed -n 's/^  \([a-z]*\)  .*/\1/p') 'tune intel' 'tune pgmpi'; do
        # shellcheck disable=SC2086
        "$COLLSIM" $name --help >help 2>&1
        ! grep -q -e ' --transfer=' help || grep -q -e ' --topology=' help || echo "$name"
    done >out
    [ "$(sort out | tr '\n' ' ')" = "audit bound " ]
}
ok 'every command that prices messages knows the network' every
many_threads() { # the runs of all points share the figures of the links
    c tune ompi-5 allreduce,allgather,reduce_scatter,alltoall -p 8 --platform ring.ini && [ "$(grep -c CRITICAL err)" = 0 ] && ! grep -q 'default [0-9]\{5\}' out
}
ok 'runs side by side share the figures' many_threads
ok 'guidelines price links' notes "$assumes" guidelines ompi-5 -p 8 -m 64K --platform ring.ini --of allreduce
swept() {
    c sweep allgather ring -p 8 -m 1000 --platform slow.ini -o swept.csv && [ "$(column time_s swept.csv)" = "$(time_of allgather ring -p 8 -m 1000 --platform slow.ini)" ]
}
ok 'sweep has the times of run' swept
other_rows() { ! c sweep allgather ring -p 8 -m 1000 --platform slow.ini --nodes random:1 -o swept.csv && says err 'belongs to another specification'; }
ok 'a sweep on another placement is another one' other_rows
unpruned() { # by its closed form without links, recursive_doubling would be pruned against the ring
    c sweep allreduce ring,linear -p 8 -m 64K --platform slow.ini --prune 1 -o pruned.csv && ! grep -q pruned pruned.csv
}
ok 'nothing is pruned by closed forms that do not know links' unpruned
traced() { # the trace ends when run does
    c trace allgather ring -p 8 -m 1000 --platform slow.ini && says out "\"time_s\":\"$(time_of allgather ring -p 8 -m 1000 --platform slow.ini)\""
}
ok 'trace has the times of run' traced
tracks() { # the ring's busiest link has 7 messages of 1000 bytes, one after the other
    c trace allgather ring -p 8 -m 1000 --platform slow.ini && [ "$(grep -c '"link 1: dim1 from host 0 up","args":{"messages":1,"bytes":1000}' out)" -ge 1 ] &&
        says out '"name":"link 4: ' && ! grep -q '"name":"link 5: ' out
}
ok 'a trace has tracks of the busiest links' tracks
shared_track() { c trace allreduce recursive_doubling -p 8 -m 1000 --platform ring.ini && says out '"link 1: dim1 from host 0 up","args":{"messages":4,"bytes":4000}'; }
ok 'a track says how many messages share a link' shared_track
pictured() { c trace allreduce recursive_doubling -p 8 -m 1000 --platform ring.ini -f svg && says out 'busiest link, dim1 from host 0 up: 6000 bytes, at most 4 messages at a time'; }
ok 'a picture has the busiest link' pictured
no_track() { c trace allreduce recursive_doubling -p 8 -m 1000 --platform bare.ini && ! grep -q '"link' out; }
ok 'without rates there is no such track' no_track
measured_rows() {
    printf 'collective,algorithm,ranks,bytes,time_s\nallgather,ring,8,1000,%s\n' "$(time_of allgather ring -p 8 -m 1000 --platform slow.ini)" >rows.csv
    c validate rows.csv --platform slow.ini --model hockney && says out "$assumes" && says out '0.0 %'
}
ok 'validate predicts with links' measured_rows
compared() { c compare rows.csv --platform slow.ini --model hockney && says out "$assumes"; }
ok 'compare predicts with links' compared
ok 'report says what it assumes' notes "$assumes" report barrier -p 8 --platform ring.ini --only ompi-4.1
ok 'the program check runs on links' warns "$assumes" check --backends sim allgather ring -p 8 -m 1000 --platform slow.ini
exported() { # 8 hosts, 8 x 8 routes, the links of a ring in both directions
    c export smpi-platform -p 8 --platform slow.ini -o ring8.xml && [ "$(grep -c '<route' ring8.xml)" = 64 ] &&
        [ "$(grep -c '<link id="l[0-9]' ring8.xml)" = 16 ] && says ring8.xml 'bandwidth="499999999.99'
}
ok "SMPI's platform has each link with its rate" exported
ok "SMPI has no spread routing" fails 'allowed: --routing minimal' export smpi-platform -p 8 --platform slow.ini --routing spread
ok 'bound leaves the network out' warns 'is left out' bound allreduce -p 8 -m 8 --platform ring.ini
ok 'another model refuses rates' fails 'model loggp does not know the rates of links' run bcast binomial -p 8 -m 8 --platform ring.ini --model loggp
ok 'nodes that have no room' fails 'has 8 hosts, 9 are needed' run bcast binomial -p 9 -m 8 --platform ring.ini
placed() { # several placements: the runs are those of one seed each
    "$COLLSIM" run allreduce rabenseifner -p 6 -m 8000 --platform wide.ini --nodes random:3..13 "$@" -f csv >placed.csv 2>err
}
cell_of() { column "$1" placed.csv | head -n 1; }
near() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a > 0 && a - b < 1e-12 && b - a < 1e-12) }'; }
sed 's/shape = 8/shape = 40/' slow.ini >wide.ini
for seed in 3 4 5 6 7 8 9 10 11 12 13; do
    time_of allreduce rabenseifner -p 6 -m 8000 --platform wide.ini --nodes random:$seed
done | sort -g >ends
at_end() { sed -n "$1p" ends; }
median_placed() {
    placed && near "$(cell_of time_s)" "$(at_end 6)" && near "$(cell_of seeds_min_s)" "$(at_end 1)" &&
        near "$(cell_of seeds_max_s)" "$(at_end 11)" && [ "$(cell_of seed_runs)" = 11 ] &&
        near "$(time_of allreduce rabenseifner -p 6 -m 8000 --platform wide.ini --nodes "$(cell_of placement)")" "$(at_end 6)"
}
ok 'several placements: median and range' median_placed
same_figures() { # to the last bit, with links that no binary fraction can express
    sed 's/^rate = .*/rate = 7GB\/s/' wide.ini >sevenths.ini
    for seed in 3 4 5 6 7 8 9 10 11 12 13; do
        time_of allreduce ring -p 6 -m 8000 --platform sevenths.ini --nodes random:$seed
    done | sort -g >sevenths
    for by in median p99; do
        "$COLLSIM" run allreduce ring -p 6 -m 8000 --platform sevenths.ini --nodes random:3..13 --by $by -f csv >placed.csv 2>err
        [ "$(cell_of seeds_min_s) $(cell_of seeds_median_s) $(cell_of seeds_p99_s) $(cell_of seeds_max_s)" = \
            "$(sed -n 1p sevenths) $(sed -n 6p sevenths) $(sed -n 11p sevenths) $(sed -n 11p sevenths)" ] && [ "$(cell_of time_s)" = "$(cell_of seeds_${by}_s)" ] || return 1
    done
}
ok '.. are the times of the runs with one seed' same_figures
worst_placed() {
    placed --by p99 && near "$(cell_of time_s)" "$(at_end 11)" &&
        near "$(time_of allreduce rabenseifner -p 6 -m 8000 --platform wide.ini --nodes "$(cell_of placement)")" "$(at_end 11)"
}
ok 'several placements: p99' worst_placed
table_placed() {
    c run allreduce ring,rabenseifner -p 6 -m 8000 --platform wide.ini --nodes random:3..13 && says out 'median of 11 runs' &&
        says out 'nodes random:3..13' && says out 'shortest'
}
ok '.. and a table says so' table_placed
best_placed() { # what best finds is what run has at the top
    for by in median p99; do
        "$COLLSIM" best allgather -p 6 -m 8000 --platform wide.ini --nodes random:1..9 --by $by -f csv >placed.csv 2>err || return 1
        "$COLLSIM" run allgather all -p 6 -m 8000 --platform wide.ini --nodes random:1..9 --by $by -f csv 2>err |
            column time_s - | grep . | sort -g | head -n 1 >least
        awk -v best="$(cell_of time_s)" '{ exit !(best > 0 && best <= $1 + 1e-12) }' least || return 1
    done
}
ok 'best ranks by several placements' best_placed
noisy_placed() { # the noise of the run that is shown is that of its seed, in its placement
    placed --noise message:exp:1us && [ "$(cell_of noise)" = message:exp:1us ] &&
        at=$(cell_of placement) shown=$(cell_of shown_run) due=$(cell_of time_s) && [ "$at" = random:$((3 + shown)) ] &&
        near "$(time_of allreduce rabenseifner -p 6 -m 8000 --platform wide.ini --nodes "$at" --noise message:exp:1us,seed:$((1 + shown)))" "$due"
}
ok 'placements and noise draw together' noisy_placed
traced_placed() { # the links of a trace are those of the run that is shown
    placed && at=$(cell_of placement) && "$COLLSIM" trace allreduce rabenseifner -p 6 -m 8000 --platform wide.ini --nodes "$at" >one 2>err &&
        "$COLLSIM" trace allreduce rabenseifner -p 6 -m 8000 --platform wide.ini --nodes random:3..13 2>err | cmp - one
}
ok 'a trace shows the placement of the median' traced_placed
ok 'other commands take one seed' fails 'has several seeds' crossover bcast binomial linear -p 8 --platform ring.ini --nodes random:1..3
ok 'another number of seeds' fails '--seeds 4: --nodes has 3 seeds, and makes a run with each; allowed: --seeds 3' run bcast binomial -p 8 -m 8 --platform ring.ini --nodes random:1..3 --seeds 4
ok 'several seeds of one placement' fails 'nothing is random' run bcast binomial -p 8 -m 8 --platform ring.ini --nodes random:1 --seeds 4
ok '--nodes without a network' fails 'has no network between nodes' run bcast binomial -p 8 -m 8 --nodes random:1
ok '--nodes without a rate' fails 'has no rate of links' run bcast binomial -p 8 -m 8 --platform bare.ini --nodes random:1
ok 'too many messages to price' fails 'messages on a network' run alltoall linear -p 10000 -m 8 --platform ring.ini --topology torus:10000

echo "1..$n"
