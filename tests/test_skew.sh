#!/bin/sh
# --arrival, --noise, --seeds and --by: what run, best and trace say, and what is refused. tests/test_skew.c holds the times.
. "$(dirname "$0")/tap.sh"

close() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a - b < 1e-12 && b - a < 1e-12) }'; }
bcast() { "$COLLSIM" run bcast binomial -p 8 -m 8 --set alpha=1us --set beta=0 "$@" 2>err; }

# Binomial: 0 sends to 4, 2, 1; 2 to 3; 4 to 6, 5; 6 to 7. Rank 7 is 3 messages away.
metrics() {
    bcast --arrival one-late:10us -f csv >out
    close "$(column time_s)" 11e-6 && close "$(column last_arrival_s)" 10e-6 &&
        close "$(column after_s)" 1e-6 && close "$(column end_min_s)" "$(bcast -f csv | column end_min_s -)" &&
        [ "$(column certificate)" = '10000 arrival + 1 alpha + 8 beta' ] && [ "$(column seed_runs)" = 1 ]
}
ok 'the times after the last arrival' metrics
mean() { # all arrive when the message is there, so the mean is below the last arrival
    bcast --arrival one-late:10us -f csv >out
    close "$(column mean_after_s)" "$(awk -v m="$(column end_mean_s)" 'BEGIN { printf "%.12g", m - 10e-6 }')"
}
ok 'the mean of the ends' mean
printf '10us # the root\n\n0\n1.5us\n0\n  250ns\n0\n0\n0\n' >late.txt
file() { bcast --arrival late.txt -f csv >out && close "$(column time_s)" 13e-6 && [ "$(column arrival)" = late.txt ]; }
ok 'a file of arrivals' file
why() { bcast --arrival late.txt --why >out && says out 'arrival: 10,000 arrival = 10 us' && grep -q '^ *0.000 *10.000 *0  arrival ' out && grep -q 'arrival=0 *3 us' out; }
ok '--why begins with the arrival' why
noisy() { # every message takes 3 us more, and those of rank 0 and to it as well
    bcast --noise message:spike:3us:1,rank:spike:1us:1 -f csv >out && close "$(column time_s)" 18e-6 &&
        [ "$(column certificate)" = '3 alpha + 24 beta + 15000 noise' ] && bcast --noise message:spike:3us:1 --why >out && grep -q 'noise=0 *3 us' out
}
ok 'noise of messages and ranks' noisy
same() { # the same seeds on one thread and on all, and in another order of points
    "$COLLSIM" run allreduce recursive_doubling,ring -p 8,16 -m 64 --noise message:exp:1us --seeds 9 -f csv >a 2>err &&
        one_core "$COLLSIM" run allreduce ring,recursive_doubling -p 16,8 -m 64 --noise message:exp:1us --seeds 9 -f csv >b 2>err &&
        sort a >a.sorted && sort b | cmp - a.sorted
}
threads() { # the seeds of one point run on several threads, if there are processors
    for machine in generic-100g "./links.ini --nodes random:1..25"; do
        # shellcheck disable=SC2086 # a word for each argument
        set -- run allreduce ring -p 4x4 -m 64 --noise message:exp:1us,rank:exp:300ns --seeds 25 -f csv --platform $machine
        "$COLLSIM" "$@" >a 2>err && one_core "$COLLSIM" "$@" >b 2>err && cmp a b || return 1
    done
}
{
    printf '[hockney]\nalpha = 1us\nalpha.source = test\nbeta = 0.1ns/B\nbeta.source = test\ngamma = 0.3ns/B\ngamma.source = test\n'
    printf '[topology]\nkind = torus\nshape = 4,4\nshape.source = test\nrate = 7GB/s\nrate.source = test\n'
} >links.ini
if command -v taskset >/dev/null; then
    ok 'draws depend on nothing else' same
    ok 'the number of threads changes no byte' threads
fi
seeds() {
    for i in 5 6 7; do bcast --arrival random:9us:$i -f csv | column time_s -; done | sort -g >three
    bcast --arrival random:9us:5 --seeds 3 -f csv >out && close "$(column time_s)" "$(sed -n 2p three)" &&
        close "$(column seeds_p99_s)" "$(sed -n 3p three)" && close "$(column seeds_min_s)" "$(sed -n 1p three)" &&
        [ "$(column judged_by)" = median ] && bcast --arrival random:9us:5 --seeds 3 --by p99 -f csv >out &&
        close "$(column time_s)" "$(sed -n 3p three)" && [ "$(column judged_by)" = p99 ]
}
ok 'median and p99 of several seeds' seeds
ranked() { # best finds what run ranks first, by either
    for by in median p99; do
        "$COLLSIM" best bcast -p 8 -m 8K --noise message:spike:300us:40 --seeds 20 --by $by --top 40 -f csv >best.csv 2>err || return 1
        column time_s best.csv | grep . | sort -g -c || return 1
        "$COLLSIM" run bcast all -p 8 -m 8K --noise message:spike:300us:40 --seeds 20 --by $by -f csv 2>err | column time_s - | grep . | sort -g |
            head -n 1 >least
        awk -v best="$(column time_s best.csv | head -n 1)" '{ exit !(best <= $1 + 1e-12) }' least || return 1
    done
}
ok 'best ranks by median or p99' ranked
measured() { "$COLLSIM" run allreduce ring,rabenseifner -p 4x4 -m 64K --platform "$1" --arrival random:40us:2 --noise message:exp:2us --seeds 5 >out 2>err; }
for platform in $("$COLLSIM" list --platforms 2>/dev/null | awk '/measured/ { print $1; exit }'); do
    ok "model measured on $platform" measured "$platform"
done
trace() {
    "$COLLSIM" trace bcast binomial -p 8 -m 8 --set alpha=1us --set beta=0 --arrival late.txt -o t.json 2>err &&
        says t.json '"ts":0.000,"dur":10.000,"name":"not arrived"' && says t.json '"name":"0 not arrived"' &&
        "$COLLSIM" trace bcast binomial -p 8 -m 8 --arrival late.txt -o t.svg 2>err && says t.svg '>not arrived<'
}
ok 'traces show the time until a rank arrives' trace
goal() { # an exported graph with a calc before each rank takes as long
    "$COLLSIM" export goal bcast binomial -p 8 -m 8 >b.goal 2>err &&
        awk '/^rank/ { print; print "late: calc " (1000 * $2); next } /^l[0-9]+: / { sub(":", "", $1); id[++n] = $1; line = $0; sub(/^l[0-9]+ /, $1 ": ", line) }
             /requires/ { waits[$1] = 1 } /^}/ { for (i = 1; i <= n; i++) if (!(id[i] in waits)) print id[i] " requires late"; n = 0; delete waits; print; next }
             /^l[0-9]+ (send|recv|calc)/ { print line; next } { print }' b.goal >late.goal &&
        "$COLLSIM" run --goal late.goal --model hockney -f csv 2>err >a &&
        for r in 0 1 2 3 4 5 6 7; do echo ${r}us; done >steps.txt && "$COLLSIM" run --goal b.goal --model hockney --arrival steps.txt -f csv >b 2>err &&
        column finish_ns a >a.ends && column finish_ns b | cmp - a.ends
}
ok 'a delayed GOAL schedule takes as long' goal
big() { # 25 seeds on 32,768 ranks take 5 s of CPU time at most, of which a fast machine needs a fifth
    ( ulimit -t 5 && "$COLLSIM" run allreduce recursive_doubling -p 32K -m 8 --arrival random:20us:1 --noise message:exp:200ns --seeds 25 >out 2>err )
}
[ "${SANITIZED-}" ] || ok '32,768 ranks with 25 seeds' big

no() { # no TEXT OPTIONS..: run refuses these
    text=$1
    shift
    fails "$text" run bcast binomial -p 8 -m 8 "$@"
}
printf '1us\n2us\n' >short.txt
printf '1us\n-2us\n' >negative.txt
printf '1us\n2\n' >unit.txt
printf '1us\nsoon\n' >word.txt
printf '1us\n9e9s\n' >long.txt
printf '1us\n1\0us\n' >zero.txt
ok 'a file of another length' no 'has 2 times; allowed: 8' --arrival short.txt
ok 'a time below 0' no "negative.txt:2: '-2us' is not a time" --arrival negative.txt
ok 'a time without a unit' no "unit.txt:2: '2' is not a time" --arrival unit.txt
ok 'a word' no "word.txt:2: 'soon' is not a time" --arrival word.txt
ok 'a time that is too long' no "long.txt:2: '9e9s' is not a time; allowed: 0 to 1000s" --arrival long.txt
ok 'a byte 0' no 'zero.txt:2: the line has a byte 0' --arrival zero.txt
ok 'no file' no "did you mean random" --arrival rendom:5us
ok 'a pattern without a time' no "'' is not a time" --arrival one-late
ok 'a time of 0' no "'0' is not a time; allowed: 1ns to 1000s" --arrival ascending:0
ok 'no seed' no "'x' is not a seed" --arrival random:1us:x
ok 'too many parts' no 'has too many parts' --arrival ascending:1us:2
ok 'noise of nothing' no "'cpu:exp:1us'; allowed: message:DRAW" --noise cpu:exp:1us
ok 'noise without a draw' no 'has no distribution' --noise message
ok 'noise twice' no 'has noise by rank twice' --noise rank:exp:1us,rank:exp:2us
ok 'only a seed' no 'has no noise' --noise seed:3
ok 'a spike in 0 draws' no "'0' is not a number of draws" --noise rank:spike:1us:0
ok 'seeds of nothing' no 'nothing is random' --seeds 5 --arrival one-late:1us
ok 'no number of seeds' no 'allowed: 1 .. 10000' --seeds 0 --noise message:exp:1us
ok 'a percentile of one run' no 'says which of several runs counts' --by p99 --noise message:exp:1us
ok 'another percentile' no 'allowed: median, p99' --by p98 --seeds 3 --noise message:exp:1us
ok 'another model' no 'does not know --arrival and --noise' --model loggops --noise message:exp:1us
schedule() { "$COLLSIM" run --goal b.goal --arrival steps.txt >out 2>err; [ $? = 2 ] && says err '--arrival does not apply'; }
ok 'a GOAL schedule under loggops' schedule

echo "1..$n"
