#!/bin/sh
# What a process of `collsim serve` answers does not depend on what it answered before: each command line below is asked twice
# in a row, of the process that has answered all lines above it, and answers what a process of its own does. Some lines do
# what a process could remember: they add algorithms, read schedules, machines, rules and measurements, or fail halfway.
root=$(realpath "$(dirname "$0")/..")
. "$(dirname "$0")/tap.sh"
limit 300
every=${CHECK_ALL-}
unset CHECK_ALL # with which `serve` does nothing

printf 'num_ranks 2\nrank 0 {\na: calc 5000\nb: send 1000b to 1\nb requires a\n}\nrank 1 {\nrecv 1000b from 0\n}\n' >two.goal
printf 'num_ranks 3\nrank 0 {\nsend 8b to 1\n}\nrank 1 {\nrecv 8b from 0\n}\nrank 2 {\n}\n' >three.goal
printf 'num_ranks 1\nrank 0 {\na: calc 1\nb: calc 2\na requires b\nb requires a\n}\n' >circle.goal
two_levels 2 2us 500ns 1ns/B 0.2ns/B 0.1ns/B >here.ini
printf '[tune]\nname = \n' >broken.ini
c new bcast mine
{
    echo '#include "coll.h"'
    echo '#include "times/times.h"'
    echo 'static void text(const Coll *c) { (void)c; }'
    for name in good binomial; do # the name of the second entry is taken, so the first stays behind
        echo "static const CollAlgorithm ${name}_entry = {.collective = COLL_BCAST, .name = \"$name\", .summary = \"does nothing\","
        echo '    .run = text, .peers = PEERS_SHIFT, .cost = "0", .unknown = "no formula is known yet", .source = "a test"};'
    done
    echo 'COLL_PLUGIN(&good_entry, &binomial_entry)'
} >half.c
printf '# OSU MPI Broadcast Latency Test v7.3\n# Size       Avg Latency(us)\n8 3.1\n1024 4.2\n65536 20.5\n' >osu.txt
printf '# OSU MPI Latency Test v7.3\n# Size       Latency (us)\n1 1.1\n8 1.1\n1024 1.9\n65536 9.7\n' >latency.txt

# answers FILE STATUS COMMAND...: the process that serves answers what FILE and FILE.err have, and exits with this status.
answers() {
    as=$1 status=$2
    shift 2
    c "$@"
    [ $? = "$status" ] && cmp out "$as" && cmp err "$as.err" && return
    diff "$as" out | head -n 20
    return 1
}
# served_as_alone STATUS COMMAND: asks a process of its own, which exits with this status, and twice the one that serves.
served_as_alone() {
    status=$1
    # shellcheck disable=SC2086
    set -- $2
    (
        served=
        c "$@"
        [ $? = "$status" ]
    ) || return 1
    mv out alone && mv err alone.err
    for time in first second; do
        answers alone "$status" "$@" && continue
        echo "# asked the $time time, it answers otherwise"
        return 1
    done
}
for part in 1 2; do c sweep bcast all -p 8 -m 8 --shard $part/2 -o parts.csv; done # a later one says that all is done
printf 'collective,calls,bytes,ranks\nallreduce,1000,128,8\nbcast,10,65536,8\n' >profile.csv
cat >lines <<'END'
0 run bcast --goal two.goal -m 1000
0 run bcast --goal two.goal -m 1000 --why
0 run allreduce all --goal three.goal -m 1K -f csv
0 run --goal two.goal --model hockney
0 run --goal three.goal
0 trace --goal two.goal --model hockney
2 run bcast --goal circle.goal -m 8
2 run bcast --goal none.goal -m 8
0 run bcast binomial -p 4 -m 8
2 run bcast goal -p 2 -m 8
2 run bcast --goal two.goal -p 4 -m 8
0 run bcast ./mine.c,binomial -p 4 -m 8
0 run bcast all -p 4 -m 8
2 run bcast mine -p 4 -m 8
0 list ./mine.c
0 run bcast all,./mine.c --goal two.goal -m 8
2 list ./half.c
2 run bcast good -p 4 -m 8
0 list bcast
0 run bcast all -p 4x2 -m 8 --platform ./here.ini
0 run bcast all -p 4x2 -m 8 --platform ./here.ini,lumi -f csv
2 run bcast all -p 4x2 -m 8 --platform ./broken.ini
0 run bcast binomial -p 4x2 -m 8 --platform ./here.ini --set alpha.far=3us
0 run bcast binomial -p 4x2 -m 8 --platform ./here.ini
0 run bcast binomial -p 4x2 -m 8 --platform leonardo --arrival random:10us:1 --seeds 3
0 run bcast binomial -p 4x2 -m 8 --platform leonardo --noise rank:exp:1us
0 run bcast binomial -p 4x2 -m 8 --platform leonardo --map cyclic:2
0 best allreduce --defaults -p 8 -m 1K
0 best allreduce -p 4x8 -m 64K --only ompi-5
0 run allreduce ompi:3,mpich:ring -p 8 -m 64K
0 show bcast binomial -p 8
0 cite bcast binomial
0 check bcast binomial -p 2..9
0 bound bcast -p 8 -m 64K
0 crossover bcast binomial pipeline -p 8
0 matrix bcast binomial -p 4 -m 8
0 traffic alltoall pairwise -p 16 -m 1K --platform fat-tree-16
0 network fat-tree-16
0 tune ompi-5 bcast -p 8 -m 8..64K:x8 -o rules.conf
0 rules check rules.conf --for ompi-5
0 rules show rules.conf --for ompi-5
0 regret ompi-5 bcast -p 8 -m 8..32K:x8
0 calibrate latency.txt
0 calibrate latency.txt --write made.ini
0 validate bcast:binomial:8=osu.txt --platform ./here.ini
0 compare bcast:library:8=osu.txt --platform ./here.ini
0 export goal bcast binomial -p 4 -m 8
0 plot bcast:binomial:8=osu.txt -o plot.svg
0 learn ompi-5 bcast -p 4,8 -m 8..32K:x8
0 report barrier -p 4 -m 8
0 report barrier -p 4 --only any -o page.html
0 audit --claim alpha*log2(p) bcast binomial
0 app profile.csv --for ompi-4.1
0 guidelines ompi-4.1 -p 8 -m 64
0 sweep bcast all -p 8 -m 8 --shard 1/2 -o parts.csv
0 merge parts.csv.1-of-2.rows parts.csv.2-of-2.rows
2 new bcast mine
0 list bcast
END
serve
while read -r status line; do
    ok "$line" served_as_alone "$status" "$line"
done <lines
# What a search counts, too, does not depend on what the process keeps of texts that ran for another question: with other
# limits, for another machine, or among other settings. A sample has one of the pairs, since some take seconds.
cat >searches <<'END'
best scatter -p 64x8 -m 64K --element 8
best gather -p 64x8 -m 1K --element 8
best reduce_scatter -p 64x8 -m 1K --element 8
best allgather -p 64x8 -m 64K --element 8
best bcast -p 512 -m 4K --set alpha=5us
best bcast -p 512 -m 4K
best allgather -p 320 -m 4K
best allgather -p 320 -m 4K --set alpha=20us
best bcast -p 320 -m 64K --platform leonardo
best bcast -p 10x32 -m 64K --platform leonardo
best reduce -p 64x8 -m 1K --element 8 --set alpha=3us
best reduce -p 64x8 -m 1K --element 8 --set alpha=1us
END
line_n=0
while read -r line; do
    (CHECK_ALL=$every && takes $((line_n / 2)) 6) && echo "$line"
    line_n=$((line_n + 1))
done <searches >drawn
while read -r line; do
    ok "$line" served_as_alone 0 "$line"
    mv alone "alone.$n" && mv alone.err "alone.$n.err"
done <drawn
i=$n
tac drawn >backwards
while read -r line; do
    # shellcheck disable=SC2086
    ok "$line, after others" answers "alone.$i" 0 $line
    i=$((i - 1))
done <backwards
# Every command that the help lists is above, except the two that start MPI or a server.
all_asked() {
    "$COLLSIM" --help | sed -n 's/^  \([a-z]*\)  .*/\1/p' >commands
    [ "$(wc -l <commands)" -gt 20 ] || return 1
    while read -r command; do
        case $command in measure | explore) continue ;; esac
        grep -q "^[0-9] $command " lines || { echo "# $command is not asked" && return 1; }
    done <commands
}
ok 'every command is asked' all_asked
# What a test sets after `serve` holds for the commands that follow.
mkdir claims else
printf '%s\n' 'id,source,place,collective,algorithm,params,quantity,against,kind,claim,let,where,without,truth,note' \
    'mine,"me",page 1,bcast,binomial,,time,,equality,log2(p)*alpha + beta*m,,,,,' >claims/mine.csv
sees_variables() (
    export COLLSIM_CLAIMS="$PWD/claims"
    c audit -f csv && says out mine, && [ "$(wc -l <out)" = 2 ]
)
ok 'a variable that is set later' sees_variables
enters() (
    two_levels 2 2us 500ns 1ns/B 0.2ns/B 0.1ns/B >else/there.ini
    cd else && c run bcast binomial -p 4 -m 8 --platform ./there.ini
)
ok 'a folder that is entered later' enters
is_alone() { # is_alone COMMAND...: the command asks a process of its own
    "$@" || return 1
    surroundings
    [ "$around" != "$served_in" ]
}
a_mask() (
    umask 077
    is_alone c list bcast
)
a_limit() (
    ulimit -c 0
    is_alone c list bcast
)
a_variable() (
    export SLURM_NTASKS=1
    is_alone c list bcast
)
if [ "$served" ]; then
    ok 'a mask that is set later' a_mask
    ok 'a limit that is set later' a_limit
    ok 'any variable that is set later' a_variable
fi
all_looked_at() {
    for variable in $SURROUNDINGS; do echo "$variable"; done | sort >looked
    grep -rhoE '"(COLLSIM|SLURM|PMI|OMPI_COMM)_[A-Z_]*[A-Z]"|getenv\("[A-Z_]*"' "$root/sim" "$root/cli" --include='*.[ch]' |
        grep -oE '[A-Z_]+' | sort -u >read
    [ "$(wc -l <read)" -gt 15 ] && [ -z "$(comm -13 looked read | tee err)" ]
}
ok 'every variable that the program reads is looked at' all_looked_at
# A file that has changed since
sed -i 's/summary = "/summary = "now /' mine.c
ok "a changed plugin" served_as_alone 0 "list ./mine.c"
sed -i 's/calc 5000/calc 7000/' two.goal
ok "a changed schedule" served_as_alone 0 "run bcast --goal two.goal -m 1000"
sed -i 's/2us/9us/' here.ini
ok "a changed machine" served_as_alone 0 "run bcast binomial -p 4 -m 8 --platform ./here.ini"
ok 'the process that answered ends well' served_well
echo "1..$n"
