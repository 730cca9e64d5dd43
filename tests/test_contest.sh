#!/bin/sh
# `collsim crossover`, `best` and `bound`: answers that are known beforehand, bad input, and well-formed CSV and JSON.
. "$(dirname "$0")/tap.sh"
figures='--set alpha=1us --set beta=0.08ns/B --set gamma=0.05ns/B'

closed() { # closed COLLECTIVE A B M8 M64 M1024: the closed forms give these crossovers on 8, 64 and 1024 ranks
    # shellcheck disable=SC2086
    c crossover "$1" "$2" "$3" -p 8,64,1024 $figures || return 1
    got=$(awk '/ alpha = m / || / = m / { printf "%s ", $2 }' out)
    [ "$got" = "$4 $5 $6 " ]
}
# The sizes at which two formulas cross.
takes 0 3 && ok 'binomial, scatter and doubling' closed bcast binomial scatter_rd_allgather 30000.0 18604.7 15621.2
takes 1 3 && ok 'binomial, scatter and ring' closed bcast binomial scatter_ring_allgather 70000.0 195348.8 1598047.4
takes 2 3 && ok 'doubling, Rabenseifner' closed allreduce recursive_doubling rabenseifner 14545.5 10466.1 9172.6
takes 0 3 && ok 'doubling, ring' closed allreduce recursive_doubling ring 53333.3 209321.3 1867538.5
takes 1 3 && ok 'Bruck, pairwise' closed alltoall bruck pairwise 10000.0 5523.3 3090.7
ok 'the bracket is simulated' gives '14547' crossover allreduce recursive_doubling rabenseifner -p 8
ok 'crossover with an unknown algorithm' fails 'nosuch' crossover allreduce nosuch ring -p 8
ok 'crossover without -p' fails '-p is missing' crossover allreduce ring rabenseifner

# Times need not rise with the size: what is said of other sizes than those tried must be proven.
honest() { # honest COLLECTIVE A B ARGUMENTS...: run agrees at both sizes of each crossover and an element beside them
    what="$1 $2,$3"
    rm -f asked
    c crossover "$@" --element 8 -f csv || return 1
    shift 3
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { print $at["before"], $at["last_bytes"], $at["after"], $at["next_bytes"] }' out >asked
    while read -r before last after next; do
        for m in "$last" $((last + 8)) "$next" $((next - 8)); do
            # shellcheck disable=SC2086
            "$COLLSIM" run $what "$@" --element 8 -m "$m" -f csv | sed 's/"[^"]*"//g' | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
                $at["ranking"] == 1 { print $at["algorithm"] }' >winners
            case $m in
            "$last") [ "$(cat winners)" = "$before" ] || return 1 ;;
            "$next") [ "$(cat winners)" = "$after" ] || return 1 ;;
            $((last + 8))) [ "$(cat winners)" != "$before" ] || return 1 ;;
            *) [ "$(cat winners)" != "$after" ] || return 1 ;;
            esac
        done
    done <asked
    [ "$(wc -l <asked)" -ge 1 ]
}
takes 0 2 && ok 'crossovers where ranks share a NIC' honest reduce_scatter pairwise ring -p 3x4 --platform leonardo
takes 1 2 && ok 'crossovers where messages are sent in another way' honest alltoall han bruck -p 5x2 --platform archer2
ok 'crossovers from another root' honest bcast binomial scatter_ring_allgather -p 3x4 --root 5 --platform leonardo
ok '.. which is in the answer' [ "$(column root)" = "$(column last_bytes | sed 's/.*/5/')" ]
ok '.. and in that for people' gives 'scatter_ring_allgather, root 5' crossover bcast binomial scatter_ring_allgather -p 12 --root 5
ok '.. which says that no closed form is of it' says out 'closed forms hold for root 0'
ok 'crossovers of every root' fails 'allowed: 0 .. p-1' crossover bcast binomial pipeline -p 8 --root all
ok 'crossovers from a root that is not there' fails '--root 8 is not among 8 ranks' crossover bcast binomial pipeline -p 8 --root 8
ok 'crossovers without a root' fails 'allreduce has no root' crossover allreduce ring rabenseifner -p 8 --root 1
field() { # field NAME: prints a column of the first row of a CSV
    column "$1" csv | head -n 1
}
at_best() { # with --best, each takes at the crossover at most 3 % longer than what `best` finds for it there
    c crossover bcast pipeline binomial -p 8 --best -f csv && cp out csv || return 1
    [ "$(field after)" = pipeline ] && field next_choice | grep -q '^pipeline segment=' || return 1
    c best bcast pipeline,binomial -p 8 -m "$(field next_bytes)" -f csv &&
        awk -F, -v pipeline="$(field next_first_s)" -v binomial="$(field next_second_s)" '
            NR == 1 { for (i = 1; i <= NF; i++) if ($i == "time_s") at = i }
            $2 == "pipeline" { n++; bad += pipeline > 1.03 * $at }
            $2 == "binomial" { n++; bad += binomial > 1.03 * $at }
            END { exit bad > 0 || n != 2 }' out
}
ok 'each at its best' at_best
takes 3 6 && ok '.. with parts' gives 'lane wins at every size tried from 32 to 16M' \
    crossover allreduce lane ring -p 2x2 --best --element 8 --platform leonardo
takes 0 6 && ok '.. whose segments are the same share of every size' gives '    8  32584  26.17 us  26.19 us  ring' \
    crossover allreduce ring smp -p 2x4 --best --element 8 --platform leonardo
ok '.. says what was searched' gives 'excluded by forms and bounds' crossover bcast chain binomial -p 4 --best
sed -n 's/.*among [0-9]*: \([0-9]*\) excluded by forms and bounds, \([0-9]*\) run, \([0-9]*\) stopped, \([0-9]*\) not tried$/2 \1 \2 \3 \4/p' out >due
in_columns() {
    c crossover bcast chain binomial -p 4 --best -f csv && cp out csv &&
        for name in searched_algorithms settings_excluded settings_run settings_stopped settings_not_tried; do field $name; done |
        paste -sd' ' >is && [ -s due ] && cmp is due
}
ok '.. in columns, too' in_columns
# Under every model, the times at a crossover are those of run.
crosses() { # crosses MODEL ALGORITHM ALGORITHM
    c crossover bcast "$2" "$3" -p 16 --model "$1" -f csv && cp out csv || return 1
    for at in last next; do
        for side in first second; do
            [ "$side" = first ] && rival=$2 || rival=$3
            c run bcast "$rival" -p 16 -m "$(field ${at}_bytes)" --model "$1" -f csv &&
                [ "$(column time_s)" = "$(field ${at}_${side}_s)" ] || return 1
        done
    done
}
for model in $(sampled 3 hockney loggops loggp); do
    ok "a crossover under $model" crosses $model binomial scatter_ring_allgather
done
ok '.. under logp, bytes cost nothing' gives 'no crossover: chain wins at every size tried' \
    crossover bcast chain binomial -p 8 --model logp
ok '.. with the best settings' gives 'each with the fastest of 2 and 1 settings' crossover bcast chain binomial -p 8 --model logp --best
ok '.. which are not there without a search' sh -c '"$COLLSIM" crossover bcast chain binomial -p 4 -f csv >out && ! grep -q settings_run out'
ok '.. but for what a library has' fails 'has parameters of a library' crossover bcast ompi-4.1:auto binomial -p 8 --best
c crossover reduce_scatter pairwise ring -p 3x4 --platform leonardo --element 8
ok '.. it is said which sizes were tried' says out 'ring wins at every size tried up to 224536 and pairwise from'
ok '.. and no more is claimed' sh -c '! grep -qE "always|at every size (from|up)" out'
c crossover allreduce recursive_doubling rabenseifner -p 8
ok 'what is proven' sh -c 'grep -qE "^ +8  rabenseifner +14547 +1T .* 16512 +1099511627712$" out'

ok 'the best at 8 bytes' gives 'binomial' best bcast -p 64 -m 8
ok 'the best segment' gives 'circulant segment=144632' best bcast -p 64 -m 8M
ok 'messages of a digit overlap' gives 'k_bruck radix=8' best alltoall -p 64 -m 64 --platform archer2
ok 'reductions overlap with messages' gives 'k_bruck radix=8' best reduce_scatter -p 8 -m 8M
ok '.. in an allreduce too' gives 'scatter_allgather scatter=k_bruck_overlap;' best allreduce -p 64 -m 16M
takes 1 4 && ok 'a radix that its formula finds' gives 'bruck radix=10' best alltoall bruck -p 1000 -m 256 --top 1
ok 'fewer blocks than bruck in as many rounds' gives '4 alpha + 19456 beta' best alltoall -p 12 -m 1K --platform lumi
ok 'extra rounds that their formula finds' gives 'circulant extra=8' best alltoall -p 100 -m 4K --platform lumi
ok '.. which takes at most 1024 ranks, and is left alone beyond' \
    sh -c '"$COLLSIM" best alltoall -p 3072 -m 1M --platform lumi | tr -s " \n" " " | grep -q "circulant (there are more than 1024 ranks)"'
ok 'a bad size' fails '-m' best bcast -p 64 -m x

# A number of rounds is searched from 0 up, and its best is the best of all.
least_s() { # least_s ALGORITHM ARGUMENTS...: the least time of its rows
    local of=$1
    shift
    "$COLLSIM" "$@" --platform lumi -f csv 2>/dev/null | sed 's/"[^"]*"//g' | awk -F, -v of="$of" '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $at["algorithm"] ~ of && $at["time_s"] { print $at["time_s"] }' | sort -g | sed q
}
best_s() { least_s . best "$@"; }
at_most() { awk -v x="$1" -v most="$2" 'BEGIN { exit !(x > 0 && x <= most) }'; } # at_most X MOST
best_of_all() { # best_of_all COLLECTIVE P M: no number of halvings is faster than the best of all, nor than what `best` finds for hybrid
    local run
    run=$(least_s hybrid run "$1" hybrid -p "$2" -m "$3" --param halvings=0,1,2,3,4,5,6,7,8,9,10)
    at_most "$(best_s "$1" -p "$2" -m "$3")" "$run" && at_most "$(least_s hybrid best "$1" hybrid -p "$2" -m "$3")" "$run"
}
points=
for p in 2 12 96 97 1009; do
    for m in 4 8 1K 16K 128K 1M; do points="$points allreduce:$p:$m"; done
    for m in 1K 16K 128K; do points="$points reduce:$p:$m bcast:$p:$m"; done
done
for point in $(sampled 20 $points); do
    # shellcheck disable=SC2046
    set -- $(echo "$point" | tr : ' ')
    ok "halvings of $1, $2 ranks, $3" best_of_all "$1" "$2" "$3"
done
# The best on many ranks takes up to 20 s, so one of these runs every third day.
large='allreduce:32768:4K:63.8 allreduce:32768:16K:75.9 reduce:6144:256K:174.1 reduce:32749:16K:75.3 bcast:32768:64K:89.5 bcast:32749:64K:90.5'
for bar in $(sampled 5 allreduce:96:16K:43.5 allreduce:6144:16K:68.3 allreduce:32768:256K:206.75 reduce:97:64K:66 reduce:1009:16M:3482 \
    scan:33:16M:4200 exscan:33:16M:4200 scan:64:1M:565 exscan:33:16K:47 bcast:4x4:4M:371.5) $(sampled 18 '' $large); do
    # shellcheck disable=SC2046
    set -- $(echo "$bar" | tr : ' ')
    ok "$1 on $2 ranks, $3, at most $4 us" at_most "$(best_s $1 -p $2 -m $3)" "$4e-6"
done
as_near() { # as_near P: at most 10 % slower than P - 1 or P + 1, whichever is slower
    near=$({ best_s allreduce -p $(($1 - 1)) -m 16K; best_s allreduce -p $(($1 + 1)) -m 16K; } | sort -g | tail -1)
    at_most "$(best_s allreduce -p "$1" -m 16K)" "$(echo "$near" | awk '{ print 1.1 * $1 }')"
}
for p in $(sampled 2 97 1009) ${CHECK_ALL:+32749}; do ok "$p ranks are not far behind their neighbours" as_near $p; done

# The parts of compositions are searched, and their parameters.
least() { # least ARGUMENTS...: prints the least time
    "$COLLSIM" best "$@" -f csv 2>/dev/null | sed 's/"[^"]*"//g' | column time_s - | awk 'NR == 1 { printf "%.12e\n", $1 }'
}
for bar in $(sampled 4 '' 2x8:64K:30.2) ${CHECK_ALL:+64x48:64K:51 32x16:1M:462.6}; do
    ranks=${bar%%:*} us=${bar##*:} bytes=${bar#*:}
    ok "compositions with other parts, $ranks ranks" at_most \
        "$(least allreduce -p "$ranks" -m "${bytes%:*}" --element 8 --platform leonardo)" "${us}e-6"
done
small='allreduce -p 3x6 -m 1K --element 8 --platform leonardo --top 1'
# shellcheck disable=SC2086
takes 0 2 && ok 'a composition with a parameter of a part of its part' gives ';outer.inner=hybrid_overlap;outer.inner.halvings=0;' best $small -f csv
# shellcheck disable=SC2086
takes 1 2 && ok '.. whose list of parameters goes on in the lines below' gives '  outer.inner.halvings=0;outer.bcast=bine' \
    best $small
# shellcheck disable=SC2086
ok '.. but not a part that the call sets' c best $small --param outer=circulant
ok '.. which is not replaced' says_not out 'outer=node_census'

# A composition that the call names has the parts that are best for it, although others are faster.
own_best() { # own_best ALGORITHM US ARGUMENTS...
    at_most "$(least_s "^$1\$" best allreduce "$1" -p "$3" -m "$4" --element 8 --top 1)" "$2e-6"
}
takes 0 2 && ok 'parts of a composition that the call names' own_best reduce_bcast 27.82 5x9 4K
takes 1 2 && ok '.. on more ranks' own_best grid 49.56 24x7 64K

# On many ranks too, parts that replace others have parameters of their own, and groups divide a node. No search may
# be slower than settings that were given to `run`.
for bar in $(sampled 3 bcast:16x20:64K:leonardo:35.26 reduce:16x20:64K:leonardo:42.6 scan:8x36:4K:lumi:24.8) \
    $(sampled 6 '' allreduce:32x16:4M:leonardo:1767.2); do
    # shellcheck disable=SC2046
    set -- $(echo "$bar" | tr : ' ')
    ok "$1 on $2 ranks, $3, $4: at most $5 us" \
        at_most "$(least "$1" -p "$2" -m "$3" --element 8 --platform "$4")" "$5e-6"
done

# Numbers that are not among the usual ones, of an algorithm and of its parts.
for bar in gatherv:4x5:48:4.28 gather:16x29:8:6.83 $(sampled 6 '' exscan:15x17:64:11.2 bcast:16x32:64K:28.95 reduce:16x32:64K:25.6); do
    # shellcheck disable=SC2046
    set -- $(echo "$bar" | tr : ' ')
    ok "$1 on $2 ranks, $3, with any number: at most $4 us" \
        at_most "$(least "$1" -p "$2" -m "$3" --element 8 --platform archer2)" "$4e-6"
done
ok '.. and no other than those that the call sets' gives 'node_relay level=aggressive;direct=1 ' \
    best gatherv -p 4x5 -m 48 --element 8 --platform archer2 --param direct=1
# The bounds of these hardly differ, and many segments of the default length with a share far from the best run first.
# This one takes 10 s.
takes 0 24 && ok '.. a share and a segment that bounds do not tell from others' \
    at_most "$(least reduce -p 8x3 -m 64M --element 8 --platform leonardo --top 1)" 8.8e-3
# Where messages wait for each other at a NIC, times jump from one length of segments to the next.
takes 1 4 && ok '.. and a segment that is a little shorter than a power of two' at_most \
    "$(least reduce -p 77 --map block:9 -m 768K --element 8 --platform leonardo --top 1)" 2.86e-4
# Under eager-port, one number of segments in each cycle of rounds lets no message wait for another one.
takes 0 2 && ok '.. a number of segments for which messages do not wait' at_most \
    "$(least bcast -p 320 -m 2M --element 8 --transfer eager-port --top 1)" 2.495e-4
# Groups need not divide the ranks, and a prime number of ranks has none that do.
group_is_best() { # COLLECTIVE PARAMETERS: none of these groups is faster on 97 ranks
    c run "$1" grid --param group="$(seq -s, 12 2 40)" -p 97 -m 256K --element 8 --platform archer2 -f csv || return 1
    at_most "$(least "$1" -p 97 -m 256K --element 8 --platform archer2 --top 1)" \
        "$(column time_s | sort -g | awk 'NR == 1 { printf "%.12e\n", 1.000001 * $1 }')"
}
for i in $(sampled 6 '' allreduce bcast reduce); do ok "$i: no group is faster" group_is_best "$i"; done
takes 3 6 && ok '.. and of a part of a part that replaces another' at_most \
    "$(least reduce -p 72 --map cyclic:10 -m 256K --element 8 --platform leonardo --transfer eager-port)" 8.21e-5
awk '{ print } / = / && !/ranks/ { print $1 ".source = a test" }' >memory.ini <<'END'
[levels]
socket = 8 ranks
node = 32 ranks
[hockney]
alpha = 2us
alpha.node = 0.7us
alpha.socket = 0.3us
beta = 0.1ns/B
beta.node = 0.12ns/B
beta.socket = 0.05ns/B
gamma = 0.1ns/B
[node]
nics = 4
nic.messages = 5M/s
memory = 4
END
takes 0 2 && ok '.. also of what is little behind at first' at_most \
    "$(least reduce_scatter -p 9x13 -m 1K --element 8 --platform memory.ini --transfer eager --non-commutative)" 1.19e-5
awk '{ print } / = / && !/ranks|sockets/ { print $1 ".source = a test" }' >matches.ini <<'END'
[levels]
socket = 12 ranks
node = 2 sockets
[measured]
one = 8:10us 512:12.04us 8K:12.04us 64K:17.24us 4M:345.5us
one.node = 8:6us 512:7.212us 8K:7.212us 64K:8.773us 4M:106.7us
one.socket = 8:6us 512:7.282us 8K:7.311us 64K:17.69us 4M:677.1us
gamma = 0.05ns/B
lambda = 0.5
ports = 2
match = 10ns
[node]
nics = 2
nic.rate = 6.25GB/s
memory = 0.3
END
ok '.. and of requests that are open, where matching them costs time' gives 'linear_sync max_requests=7 ' \
    best alltoall -p 28 --map block:5 -m 8736 --element 8 --platform matches.ini --top 1
ok '.. but not in shared memory, where nothing bounds them' gives ' 1.00 ' best reduce -p 24 -m 64K --model shared --top 1

# Messages leave a node one by one, and the search finds how many are under way: node_tree takes 13 % longer.
takes 0 2 && ok 'a postal tree over nodes' gives 'node_postal latency=5  7.564 us    1.00' best bcast -p 64x48 -m 8 --platform leonardo
# Where a node's ranks receive less at a time from each other than from other nodes, both travel at once: a scatter and an
# allgather take 8 % longer.
takes 1 4 && ok 'streams of segments over nodes' at_most "$(least bcast -p 8x12 -m 1M --element 8 --platform leonardo)" 2.453e-4

# Of a row of cases whose searches take long, the sample has one or two.
# A scan by parts adds up what comes in the order in which it arrives, so that messages and reductions overlap: a
# pipeline takes 21 % longer on lumi, and 30 % on archer2, where the parts took 37 % longer with the sums at the end.
takes 0 4 && ok 'a scan by parts of the vector' at_most "$(least scan -p 24 -m 1M --element 8 --platform lumi)" 4.633e-4
takes 1 4 && ok '.. an exscan' at_most "$(least exscan -p 33 -m 1M --element 8 --platform archer2)" 2.362e-4
# Levels of parts that overlap: without k_halving_overlap 15 % longer where divisors make the levels, and 8 % longer where
# rows of unequal length do.
takes 2 4 && ok 'a scan whose levels overlap' at_most "$(least scan -p 100 -m 256K --element 8 --platform lumi --top 1)" 1.549e-4
takes 3 4 && ok '.. an exscan, any p' at_most "$(least exscan -p 94 -m 256K --element 8 --platform lumi --top 1)" 1.804e-4

# Where the order of the ranks must be kept: without direct_in_order 38 % longer.
takes 0 2 && ok 'a reduce-scatter in order' at_most \
    "$(least reduce_scatter -p 24 -m 1M --element 8 --platform lumi --non-commutative)" 2.436e-4

# Sums of a node that are made while others travel between nodes: without lane_overlap 27 % and 15 % longer.
ok 'a reduce-scatter whose sums overlap' at_most "$(least reduce_scatter -p 24x7 -m 256K --element 8 --platform lumi --top 1)" 5.618e-5
takes 0 2 && ok '.. as a part' at_most \
    "$(least reduce_scatter -p 24x7 -m 256K --element 8 --platform archer2 --top 1)" 4.1901e-5

# Rounds whose reductions overlap: without k_bruck_overlap 13 % longer, and an allreduce 5 %.
takes 1 2 && ok 'a reduce-scatter whose rounds overlap' at_most "$(least reduce_scatter -p 64 -m 256K --element 8 --platform lumi --top 1)" 7.347e-5
takes 0 2 && ok 'an allreduce whose rounds overlap' at_most "$(least allreduce -p 64 -m 1M --element 8 --platform lumi --top 1)" 3.924e-4

# A reduction whose sums overlap in segments, and whose root adds nothing: without reduce lane_overlap 18 % longer.
takes 0 8 && ok 'a reduction whose sums overlap' at_most "$(least reduce -p 4x8 -m 1M --element 8 --platform archer2 --top 1)" 1.6048e-4

# Blocks for the shares of a node instead of for each of its ranks: without bcast lane_shares 11 % longer.
ok 'a bcast of blocks in shares' at_most "$(least bcast -p 16x32 -m 16K --platform archer2 --top 1)" 1.7365e-5
# Segments that the root's node passes on in pieces: whole they take 6 % longer.
ok 'a bcast of segments in pieces' at_most "$(least bcast -p 8x16 -m 16M --platform lumi --top 1)" 9.995e-4
# Parts of segments that travel between nodes while others are spread in them: without bcast lane_overlap 20 % longer.
takes 1 8 && ok 'a bcast whose segments overlap' at_most "$(least bcast -p 8x16 -m 1M --element 8 --platform archer2 --top 1)" 9.312e-5

# Blocks that some ranks send to other nodes while others hand them on in theirs: without allgather lane_overlap 20 % longer.
takes 2 8 && ok 'an allgather whose steps overlap' at_most "$(least allgather -p 8x16 -m 16K --element 8 --platform archer2 --top 1)" 1.1175e-4

# Where nodes are not runs of ranks, those with one number in them have other neighbours, so they are not alike.
for i in 'allreduce -p 12 --map cyclic:4 -m 87' 'bcast -p 12 --map cyclic:4 -m 93' 'reduce -p 18 --map cyclic:6 -m 123'; do
    # shellcheck disable=SC2086
    ok "equal shares of nodes that are not runs of ranks: $i" c best $i --platform lumi --top 1
done

# Nodes that can have equal shares of a vector have them, although ranks cannot: if the first ranks of all have an element
# more, the first nodes have more to send, and this takes 14 % longer. Nodes are alike then, so few ranks stand for all.
equal_shares() {
    c run bcast scatter_allgather -p 64x48 -m 1M --element 8 --platform leonardo --param scatter=node_tree \
        --param scatter.rounds=6 --param scatter.level=aggressive --param gather=node_bruck --param gather.rounds=1 \
        --param gather.exchange=circulant_blocks -f csv && at_most "$(column time_s)" 3.0105e-4
}
ok 'nodes have equal shares' equal_shares
few_as_all() { # few_as_all COLLECTIVE ALGORITHM PARAMETERS..
    local few
    set -- "$@" -p 6x4 -m 480 --element 8 --platform lumi -f csv
    c run "$@" && few=$(column costs) && [ "$few" ] && c run "$@" --full && [ "$(column costs)" = "$few" ]
}
ok '.. and a few ranks stand for all' few_as_all allreduce scatter_allgather --param scatter=lane --param gather=lane
ok '.. also to the root' few_as_all reduce scatter_gather --param scatter=lane --param gather=node_tree

# A chain whose messages are longer between nodes: without node_pipeline 12 % longer.
takes 5 8 && ok 'an exscan along a chain over nodes' at_most \
    "$(least exscan -p 4x8 -m 1M --element 8 --platform lumi --top 1 --without grid_pipeline)" 3.635e-4
# .. and where a bound of its segments points to others: 10 % longer with the fastest that the bound leads to.
ok '.. with the segments of its estimate' at_most \
    "$(least scan -p 8x16 -m 2M --element 8 --platform leonardo --top 1)" 7.44e-4

# A pipeline whose steps are rows of ranks: without grid_pipeline 62 % and 26 % longer.
takes 3 8 && ok 'an exscan along a chain of rows' at_most \
    "$(least exscan -p 8x16 -m 1M --element 8 --platform archer2 --top 1)" 1.932e-4
takes 4 8 && ok 'an exscan where reductions take longest' at_most \
    "$(least exscan -p 4x8 -m 1M --element 8 --platform lumi --top 1)" 2.8795e-4

# Its numbers by an estimate: by bounds alone, 2.192 ms.
takes 6 8 && ok 'a scan along a chain of rows, on several hundred ranks' at_most \
    "$(least scan -p 24x12 -m 8M --element 8 --platform lumi --top 1)" 2.17e-3

# Rounds in which ranks that share a NIC take turns: without node_pairwise_overlap 12 % longer.
takes 7 8 && ok 'an alltoall whose rounds overlap' at_most "$(least alltoall -p 3x8 -m 256K --element 8 --platform lumi --top 1)" 7.626e-4

# In nodes of unequal size, a part may run in some of them and fall back in the others: without such parts 5 % longer.
ok 'a part that runs in one of two nodes' at_most \
    "$(least alltoall -p 9 --map block:7 -m 24 --element 8 --platform orfeo-epyc)" 2.894e-6

# What is searched depends on the nodes, and not on how the request says them.
awk 'BEGIN { for (rank = 0; rank < 28; rank++) print int(rank / 7) }' >sevens
ranking() { # ranking ARGUMENTS..: the algorithms of the answer, with their settings and times
    c best "$@" -f csv || return 1
    column algorithm out && column params out && column time_s out
}
same_by_file() { # same_by_file FILE MAP ARGUMENTS..: the file's nodes are those of the map
    local file="$1" map="$2"
    shift 2
    [ "$(ranking "$@" --map "$file")" = "$(ranking "$@" --map "$map")" ]
}
takes 1 3 && ok 'a file of nodes: as a map of the same' same_by_file sevens block:7 alltoall -p 28 -m 64 --element 8 --platform orfeo-epyc

as_options() { sed '/^null$/d; s/^\(.\)/--param \1/; s/;/ --param /g'; } # prints parameters, a=1;b=2, as run takes them

# The search is about the root and the blocks of the call: nothing at its defaults is faster, and what it finds takes as
# long there as it says, and another time from root 0 or with blocks that are alike.
elsewhere() { # elsewhere "COLLECTIVE ARGUMENTS.." "ARGUMENTS OF THE ROOT OR THE BLOCKS" [PLATFORM]
    local at="$1 --element 8 --platform ${3:-leonardo}"
    # shellcheck disable=SC2086
    c best $at $2 --top 1 -f csv || return 1
    local algorithm time param
    algorithm=$(column algorithm | head -n 1) time=$(column time_s | head -n 1) param=$(column params | head -n 1 | as_options)
    # shellcheck disable=SC2086
    c run "${at%% *}" "$algorithm" ${at#* } $2 $param -f csv && [ "$(column time_s)" = "$time" ] || return 1
    # shellcheck disable=SC2086
    c run "${at%% *}" "$algorithm" ${at#* } $param -f csv && [ "$(column time_s)" != "$time" ] || return 1
    # shellcheck disable=SC2086
    least=$(least_s . run "${at%% *}" all ${at#* } $2)
    at_most "$time" "$least"
}
ok 'the best from another root' elsewhere 'gather -p 10 --map block:4 -m 4K' '--root 9'
takes 0 2 && ok '.. on nodes that share NICs' elsewhere 'bcast -p 6x8 -m 64K' '--root 13'
ok '.. of a reduction' elsewhere 'reduce -p 10 --map block:4 -m 64' '--root 8'
ok 'the best of blocks that differ' elsewhere 'alltoallv -p 3x4 -m 1K' '--counts zero-holes'
ok '.. from another root' elsewhere 'gatherv -p 3x4 -m 4K' '--root 5 --counts linear'
# It took a part without a limit of open requests for the fastest, which that part does not allow.
takes 1 2 && ok '.. with a limit that a part must have' elsewhere 'alltoallv -p 9x7 -m 1K' '--counts one-big' lumi
ok '.. has no closed form, and it is said why' gives 'none with --counts' best allgatherv -p 9 -m 64K --counts linear
ok '.. nor from another root' gives 'none with --root' best bcast -p 9 -m 64K --root 4
ok 'the best from all roots at once' fails 'allowed: 0 .. p-1' best bcast -p 9 -m 64K --root all
one_root() { # one_root COMMAND..: it does not offer `all`, whatever root it refuses
    for root in all 9 x; do
        fails "allowed: 0 .. p-1" "$@" -p 9 --root $root && says_not err 'or all' || return 1
    done
}
for i in 'best bcast -m 8' 'bound bcast -m 8' 'crossover bcast binomial pipeline' 'trace bcast binomial -m 8' \
    'matrix bcast binomial -m 8' 'traffic bcast binomial -m 8 --topology torus:4,4,4' 'export goal bcast binomial -m 8'; do
    ok "all roots at once are not offered: $i" one_root $i
done
ok 'the best from a root where there is none' fails 'has no root' best allreduce -p 9 -m 64K --root 1

# Algorithms that the call passes over.
ok 'without an algorithm, as a part too' gives 'left out: allgather_reduce (--without)' \
    best allreduce -p 2x4 -m 1K --element 8 --platform leonardo --without allgather_reduce
ok '.. it is not there' says_not out '=allgather_reduce'
ok '.. and others are' says out 'outer='
ok 'without those of a library' gives 'recursive_doubling' best allreduce -p 6 -m 64 --only ompi-4.1 --without allreduce/linear
ok '.. they are not there' says_not out 'linear  '
ok 'without an algorithm that is unknown' fails "unknown reduce algorithm 'nix'" best bcast -p 8 -m 8 --without reduce/nix
ok '.. or none' fails '--without is empty' best bcast -p 8 -m 8 --without ''
ok '.. or one that the answer is to have' fails 'the answer is to have it' best bcast chain,linear -p 8 -m 8 --without linear

# An algorithm more makes no winner slower: neither those that lead while the parts of others are searched, nor a slow
# plugin, which may be a part, too.
scan='scan -p 48x32 -m 64K --element 8 --platform leonardo'
no_slower() { # no_slower MORE LESS: times, both there
    [ "$1" ] && [ "$2" ] && awk -v more="$1" -v less="$2" 'BEGIN { exit !(more <= less) }'
}
# shellcheck disable=SC2086
takes 1 12 && ok 'more algorithms: no slower winner' no_slower "$(least $scan)" "$(least $scan --without lane,k_halving)"
reduce='reduce -p 64x48 -m 1M --element 8 --platform leonardo'
# shellcheck disable=SC2086
takes 2 12 && ok 'more algorithms as parts: no slower winner' no_slower "$(least $reduce)" "$(least $reduce --without reduce_scatter/lane_overlap)"
cat >backward.c <<'END'
#include "coll.h"
// A binomial tree whose largest subtree begins last: what a rank does takes little time, and all together take long.
static void text(const Coll *c)
{
    const int i = (c->rank - c->root + c->p) % c->p;
    int low = 1;
    while (low < c->p && !(i & low))
        low <<= 1;
    if (i > 0)
        coll_recv(c, (c->rank + c->p - low) % c->p, c->out);
    for (int d = 1; d < low; d <<= 1)
        if (i + d < c->p)
            coll_send(c, (c->rank + d) % c->p, c->out);
}
static const CollAlgorithm backward = {.collective = COLL_BCAST, .name = "backward", .summary = "a slow tree", .run = text,
                                       .cost = "no formula", .unknown = "the largest subtree begins last",
                                       .source = "a test", .peers = PEERS_SHIFT};
COLL_PLUGIN(&backward)
END
bcast='-p 16x8 -m 16M --element 8 --platform lumi'
# shellcheck disable=SC2086
takes 3 12 && ok 'a slow plugin: no slower winner' [ "$(least bcast ./backward.c $bcast)" = "$(least bcast $bcast)" ]

# The answer says what was searched, and the numbers add up.
searched() { # searched ARGUMENTS...: prints the settings, and how many were excluded, run, stopped and given up
    "$COLLSIM" best "$@" 2>/dev/null | tr -s ' \n' ' ' |
        sed -n 's/.*searched [1-9][0-9]* algorithms with \([0-9]*\) settings of parameters[a-z ]*: \([0-9]*\) excluded by forms and bounds, \([0-9]*\) run, \([0-9]*\) stopped, \([0-9]*\) not tried.*/\1 \2 \3 \4 \5/p'
}
adds_up() { # adds_up MINIMUM ARGUMENTS...: in the text and in JSON, with at least MINIMUM settings
    local least=$1
    shift
    searched "$@" >text && searched "$@" -f json >json && cmp text json &&
        awk -v least="$least" '{ n++ } $1 != $2 + $3 + $4 + $5 || $1 < least || $3 < 1 { exit 1 } END { exit n != 1 }' text
}
ok 'best says what it has searched' adds_up 1000 allreduce -p 2x4 -m 16K --element 8 --platform leonardo
# A run that a limit has ended proves nothing: with one composition whose parts are tried, some are stopped.
ok '.. and counts stopped runs apart' [ "$(cut -d' ' -f4 text)" -gt 0 ]
# On a flat machine of many ranks, chains of messages exclude most of what single ranks' texts leave.
takes 0 4 && ok '.. and excludes by chains of messages' [ "$(searched reduce -p 1000 -m 64K --platform lumi | cut -d' ' -f5)" -lt 120 ]
# Where no time can be shorter by a thousandth, no parts are replaced; with them there are more than 3600 settings.
takes 1 4 && ok '.. and no parts where nothing can be gained' \
    [ "$(searched alltoallv -p 16x48 -m 1M --element 8 --platform leonardo | cut -d' ' -f1)" -lt 3300 ]
ok '.. at several points' adds_up 100 bcast -p 4,8 -m 8,64K
ok '.. and of a library' adds_up 3 allreduce -p 4x8 -m 64K --only ompi-5
c best allreduce -p 4x8 -m 64K --only ompi-5 -f json
ok '.. whose parts are those that it can be told' says out 'settings of parameters and parts that the library can be told: '
told() { # HAN's simple with other parts than Open MPI's own, which a setting names
    c best allreduce -p 12x32 -m 64K --element 8 --only ompi-5 --platform leonardo --top 3 &&
        head -5 out | grep -q '^smp outer=rabenseifner.* han simple ' && says out 'coll_han_use_allreduce_algorithm simple' &&
        says out 'coll_tuned_allreduce_algorithm 6' && says out 'coll_tuned_bcast_algorithm 8'
}
takes 0 2 && ok 'parts that keep the order, where those by default do not' gives 'lane,outer=hybrid_in_order;outer.halvings=1;scatter=direct_in_order;' \
    best allreduce -p 16x8 -m 64K --element 8 --platform leonardo --non-commutative -f csv
ok 'parts, where the number of leaders by default cannot be' gives 'multi_leader leaders=1;' \
    best reduce_scatter_block -p 3x7 -m 8 --element 8 --platform leonardo --top 1
takes 1 4 && ok 'a part on all ranks that knows the nodes' gives ';gather=node_bruck;gather.rounds=1' \
    best bcast -p 16x8 -m 64K --platform leonardo --top 1 -f csv
ok '.. with parts that keep the order, too' gives 'multi_leader,leaders=1;outer=direct_in_order;' \
    best reduce_scatter -p 3x7 -m 112 --element 8 --platform leonardo --non-commutative --top 1 -f csv
takes 2 4 && ok 'a part of a part that is slower with the defaults of its own' gives ';share=nonoverlapping;share.reduce=postal;' \
    best reduce_scatter -p 12x10 -m 1K --element 8 --platform leonardo --transfer eager --top 1 -f csv
takes 0 2 && ok 'a number of rounds more, from 0 on' gives 'outer.alltoall=circulant;outer.alltoall.extra=5' \
    best alltoallv -p 5x2 -m 39320 --element 8 --platform orfeo-epyc --top 1 \
    --without node_pairwise_overlap,alltoall/node_pairwise_overlap
ok 'a number of messages, from 0 on' gives 'node_relay direct=5 ' best gather -p 5x4 -m 512 --element 8 --platform archer2 --top 1
ok '.. beside another number' gives 'node_relay direct=4 ' best gather -p 8x3 -m 128K --element 8 --platform archer2 --top 1
ok '.. on over 256 ranks' gives 'node_relay run=4;direct=20 ' best scatter -p 96x4 -m 16K --element 8 --platform archer2 --top 1
ok 'a variant of a part that is the fastest beside another part' gives 'lane outer=nonoverlapping;' \
    best reduce_scatter -p 4x8 -m 48 --element 8 --platform archer2 --top 1
ok '.. on more ranks' gives 'node_pairs,leaders=1;share=bruck;share.radix=3;node=bruck;node.radix=3,' \
    best alltoall -p 8x9 -m 1136 --element 8 --platform lumi --transfer eager --top 1 -f csv
# The time falls along thousands of lengths, element by element.
strides() {
    # shellcheck disable=SC2046
    set -- $(searched bcast -p 48 -m 1M --only ompi-4.1 --platform lumi)
    at_most "$1" 2000
}
ok 'segments become shorter by strides, and not byte by byte' strides
ok 'the parts of HAN that a library can be told' told
ok '.. and why no option sets parts of one collective that differ' gives 'different settings of' \
    best reduce -p 4x8 -m 16K --element 8 --only ompi-5 --platform leonardo --top 1
ok '.. also between the nodes, where a bcast is one segment' gives 'No option sets it for all calls: its parts need' \
    best bcast -p 12x32 -m 64K --only ompi-5 --platform leonardo
ok '.. of which --param fixes some' gives ';low=bintree ' best bcast -p 12x32 -m 128K --only ompi-5 --param low=bintree
ok 'the parts of compositions of MPICH' gives 'ch4_alpha inner=scatter_rd_allgather' \
    best bcast -p 12x32 -m 64K --only mpich-4.3 --platform leonardo
set_by() { # TEXT COMMAND...: the setting that the answer ends with has it
    local text=$1
    shift
    c "$@" && tail -n 1 out | grep -q "$text"
}
B="best reduce -p 16x8 -m 256K --platform leonardo --without redscat_gather,binomial_blocking --top 1"
ok '.. by variables for the composition and its parts' set_by \
    'MPIR_CVAR_REDUCE_COMPOSITION=1 MPIR_CVAR_REDUCE_INTRA_ALGORITHM=reduce_scatter_gather MPIR_CVAR_REDUCE_POSIX_INTRA_ALGORITHM=mpir$' \
    $B --only mpich-4.3
ok '.. which 4.0 does not have' gives 'no variable for a composition' $B --only mpich-4.0
ok '.. also for the release of a barrier' set_by 'COMPOSITION=1.* MPIR_CVAR_BCAST_INTRA_ALGORITHM=binomial MPIR_CVAR_BCAST_POSIX' \
    best barrier -p 16x8 --platform leonardo --only mpich-4.3 --top 1
ok 'a parameter that is given to those of a library' gives 'split_bintree segment=8K' \
    best bcast -p 48 -m 64K --only ompi-4.1 --param segment=8K --platform lumi

# one_processor TIMES ARGUMENTS...: the answer does not depend on what runs at the same time, so often
one_processor() {
    local times=$1
    shift
    one_core "$COLLSIM" "$@" --format json >one || return 1
    for i in $(seq "$times"); do c "$@" --format json && cmp one out || return 1; done
}
ranks=$([ "${SANITIZED:-}" ] && echo 60 || echo 300) # a sanitizer finds in few ranks what it finds in many
several=$([ "${CHECK_ALL-}" ] && echo 3 || echo 1)
if command -v taskset >/dev/null; then
    takes 0 6 && ok 'the same on one processor' one_processor 1 best reduce -p "$ranks" -m 64K --top 8
    takes 1 6 && ok 'the same on one processor, many sizes' one_processor 1 best bcast -p "$ranks" -m 8,64K,1M --transfer eager
    # A helper's bound of tree, radix 4, is found with another limit, in most runs.
    takes 1 2 && ok 'the same on one processor, few ranks' one_processor $several best bcast -p 2x9 -m 29256 --element 8 --platform lumi
    takes 2 6 && ok 'the same on one processor, measured' one_processor 1 best bcast -p 64 -m 512K --top 1 --platform archer2
    takes 3 6 && ok 'the same on one processor, nodes' one_processor 1 best allreduce -p 9x6 -m 64K --top 2 --platform leonardo
fi

# ---- Ties ------------------------------------------------------------------------------------------------------------

tied() { # tied NAMES ARGUMENTS...: these are tied for the fastest, in this order
    names=$1
    shift
    c "$@" && [ "$(sed -n '/^tied/,/^$/p' out | tr -s ' \n' ' ')" = "tied for the fastest: $names " ]
}
# Open MPI's algorithms come first, then MPICH's, and those with their defaults before others.
ok 'a tie: a library comes first, then defaults, then the name' \
    tied 'bruck, recursive_doubling, circulant_blocks, recexch, recursive_doubling_any, k_bruck radix=2, circulant, pat and 3 more' \
    best allgather -p 8 -m 8 --top 30
ok 'a tie of one algorithm: the smaller parameter' tied 'knomial radix=2, knomial radix=3' \
    run bcast knomial -p 5 -m 8 --param radix=3,2,4
ok 'a tie of one algorithm: its default' tied 'knomial, knomial radix=2, knomial radix=3' \
    run bcast knomial -p 3 -m 8 --param radix=3,2,4
best_of() { # best_of CHOICE RANKS: what best names of bcast knomial, with every radix, when bytes cost nothing
    c best bcast -p "$2" -m 8 --top 100 --set beta=0s/B --format csv && [ "$(sed -n 's/^bcast,knomial,\([^,]*\),.*/\1/p' out)" = "$1" ]
}
ok 'best: of equal parameters the smallest' best_of 'segment=0;radix=2' 5
ok 'best: of equal parameters the default' best_of 'segment=0;radix=4' 3
ok 'a winner that nothing ties with' sh -c '"$0" run bcast linear,binomial -p 4 -m 8 >out && ! grep -q tied out' "$COLLSIM"
ok 'no crossover of equal times' gives '8 ranks: no crossover: both take equally long at every size tried from 1 to 1T' \
    crossover allgather recursive_doubling circulant -p 8
ok 'no crossover where everything is free' gives 'both take equally long at every size' \
    crossover bcast linear binomial -p 8 --set alpha=0s --set beta=0s/B

# ---- best: nothing is faster -----------------------------------------------------------------------------------------

# nothing_faster COLLECTIVE RANKS SIZES LONGEST MACHINE...: runs every algorithm with every segment from 0 to LONGEST
# bytes, with and without other parameters. No run is faster than what `best` finds for the algorithm.
nothing_faster() {
    coll=$1 ranks=$2 sizes=$3 longest=$4
    shift 4
    : >all
    for param in "" chains=1,2,3 radix=2,3,5 tree=binary tree=in_order_binary; do
        # shellcheck disable=SC2086
        c run "$coll" all -p "$ranks" -m "$sizes" --format csv --param "segment=$(seq -s, 0 "$longest")" \
            ${param:+--param $param} "$@" && cat out >>all
    done
    c best "$coll" -p "$ranks" -m "$sizes" --top 1000 --format csv "$@" || return 1
    awk -F, 'FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        $1 == "collective" || $at["ran"] != "" || $at["time_s"] == "" { next }
        { key = $at["algorithm"] " " $at["ranks"] " " $at["bytes"]; time = $at["time_s"] + 0 }
        FILENAME == "all" { if (!(key in least) || time < least[key]) least[key] = time; next }
        { n++; if (key in least && time > least[key] * (1 + 1e-9)) { bad++; print key, time, least[key] } }
        END { exit bad > 0 || n < 30 }' all out >err
}
takes 0 2 && ok 'nothing is faster: bcast' nothing_faster bcast 3,5,8,9 24,40 40 --set alpha=1ns
takes 1 2 && ok 'nothing is faster: reduce' nothing_faster reduce 2,5,8,9 24,40 40 --set alpha=1ns
takes 0 3 && ok 'nothing is faster: allreduce' nothing_faster allreduce 3,4,8 24,40 24 --set alpha=1ns
takes 1 3 && ok 'nothing is faster: eager' nothing_faster reduce 3,6,8 24 24 --set alpha=1ns --transfer eager
takes 2 3 && ok 'nothing is faster: eager-port' nothing_faster bcast 3,6,8 24 24 --set alpha=1ns --transfer eager-port

one_thread() { # `best` gives the same answer on one core as on all
    c best reduce -p 2..7,21 -m 8,4K --format csv && mv out many &&
        one_core "$COLLSIM" best reduce -p 2..7,21 -m 8,4K --format csv | cmp - many
}
takes 2 3 && command -v taskset >/dev/null && ok 'the same with one thread' one_thread
ok 'the best of many cells' gives '9 ranks, 64K bytes' best allreduce -p 2..6,9 -m 8,64K --top 1
ok 'the best with a given parameter' gives 'segment=1000' best bcast -p 8 -m 1M --param segment=1000 --top 20
ok '--top 1000' gives 'binomial' best bcast -p 64 -m 8 --top 1000
ok '--top 1001' fails '1 .. 1000' best bcast -p 8 -m 8 --top 1001
ok '--top 0' fails '1 .. 1000' best bcast -p 8 -m 8 --top 0
ok '--within that holds' gives 'proven: no algorithm can be faster than the lower bound, 9.227 ms, and the' \
    best alltoall -p 56x8 -m 64K --platform leonardo --within 5%
ok '.. in lines of 80 columns' says out 'fastest takes at most 5% longer'
ok '--within that does not' gives 'not proven within 0%: the lower bound is 6 us, and the fastest takes' \
    best allreduce -p 64 -m 8K --element 8 --within 0%
ok '.. by how much: 6 x 64 x 0.13 ns are 0.832 % of 6 us' gives 'and the fastest takes 0.832%' \
    best allreduce -p 64 -m 64 --element 8 --within 0% --set beta=0.08ns/B --set gamma=0.05ns/B --set alpha=1us
# The fields that CSV has of the two fastest at each place, in the order of their times.
two() { # two ARGUMENTS...: prints the times of the two fastest of each place, and the winner
    c "$@" -f csv && awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $at["time_s"] != "" && ($at["ranking"] == 1 || $at["ranking"] == 2) { print $at["ranks"], $at["bytes"], $at["ranking"], $at["time_s"], $at["ranking"] == 1 ? $at["algorithm"] : "" }' out | sort
}
same_two() { # same_two COLLECTIVE ARGUMENTS...: best --defaults finds the times of the two fastest of run all
    collective=$1
    shift
    two best "$collective" --defaults --top 2 "$@" >found && two run "$collective" all "$@" >all && [ -s all ] && cmp found all >>err
}
for collective in $(sampled 3 allreduce bcast alltoall reduce_scatter scan); do
    ok "best --defaults is run all: $collective" same_two $collective -p 5,8,33 -m 8,1000,64K,1M
    ok "best --defaults is run all, on nodes: $collective" same_two $collective -p 4x8,3x7 -m 8,1000,64K,1M --platform lumi
done
unset_too() { c best bcast pipeline --defaults --top 1 -p 8 -m 1M -f csv && says out 'bcast,pipeline,segment=0' && ! grep -q '^bcast,pipeline,segment=[1-9]' out; }
ok 'best --defaults leaves a segment as it is' unset_too
ok 'best --defaults takes --param' gives 'segment=64K' best bcast pipeline --defaults --top 1 -p 8 -m 1M --param segment=64K
c best allreduce -p 8 -m 8K --platform lumi,alps --within 5%
ok 'several machines: what was searched on each' sh -c 'grep -c "^[AB]  searched [0-9]* algorithms" out | grep -qx 2'
ok '.. and what is proven on each' sh -c 'grep -cE "^[AB]  (not )?proven" out | grep -qx 2'
ok '--within without a bound' fails 'shared has none; allowed: --model hockney' \
    best bcast -p 8 -m 8 --model shared --within 5%
ok '--within, under logp' gives 'lower bound, 4.1 us' best bcast -p 64 -m 1K --model logp --within 5%
ok '--within with --counts' fails '--within needs a lower bound, which is not known with --counts' \
    best allgatherv -p 8 -m 8 --counts linear --within 5%
ok '--within, under measured' gives 'lower bound, 2.6 us' best bcast -p 2 -m 8 --platform archer2 --within 5%
ok '--within 5' fails "--within '5'; allowed: at least 0% and below 100%" best bcast -p 8 -m 8 --within 5
stops() { # with --within, best simulates fewer algorithms
    c best bcast -p 64 -m 8 --top 100 --format csv && wc -l <out >all &&
        c best bcast -p 64 -m 8 --top 100 --format csv --within 1% && [ "$(wc -l <out)" -lt "$(cat all)" ]
}
ok '--within stops early' stops
radix_runs() { # an algorithm that can run only with other parameters than its defaults is not reported as a fallback
    c best allreduce -p 9 -m 64 --top 100 --format csv && grep '^allreduce,k_ring,radix=3,9,64,' out >row && ! grep -q multiple row
}
ok 'k_ring on 9 ranks, which needs another radix than its default' radix_runs

# ---- bound -----------------------------------------------------------------------------------------------------------

joined() { column "$1" | paste -sd,; } # joined NAME: prints a column in a line, with commas between
bounded() { # bounded COLUMN VALUES ARGUMENTS...: `bound ARGUMENTS` has these values in the column
    figure=$1 values=$2
    shift 2
    c bound "$@" --format csv && [ "$(joined "$figure")" = "$values" ]
}
ok 'rounds, 1 port' bounded bound_rounds 0,1,2,3,3,4,5 alltoall -p 1,2,3,7,8,9,32 -m 64
ok 'rounds, 2 ports' bounded bound_rounds 1,1,2,2,3,4 allgather -p 2,3,4,9,27,28 -m 64 --ports 2
ok 'rounds, 3 ports' bounded bound_rounds 1,2,2,3 barrier -p 4,5,16,17 --ports 3
ok 'bytes, 3 ports' bounded bound_port_bytes 64,320 gather -p 4,16 -m 64 --ports 3
ok 'bytes of an allreduce' bounded bound_port_bytes 64,96,112 allreduce -p 2,4,8 -m 64
ok 'work of a reduce' bounded bound_work_bytes 32,48,56 reduce -p 2,4,8 -m 64
ok 'eager: all send at once' bounded bound_rounds 1,1 gather -p 4,16 -m 64 --transfer eager
ok 'with more than one port no algorithm is compared' bounded x_bound '' bcast -p 8 -m 64 --ports 2
ok 'nothing to move' bounded bound_s 0,0 bcast -p 1,8 -m 0

at_bound() { # at_bound ARGUMENTS...: the fastest algorithm takes exactly the bound, at four points
    c bound "$@" --format csv && column x_bound |
        awk '{ n++; if ($1 < 1 - 1e-9 || $1 > 1 + 1e-9) bad = 1 } END { exit bad || n != 4 }'
}
for i in $(sampled 3 allgather allgatherv alltoall gather scatter reduce_scatter reduce_scatter_block allreduce); do
    ok "at the bound of bytes: $i" at_bound $i -p 2,4,8,16 -m 64K --set alpha=0us --set gamma=0ns/B
done
for i in $(sampled 3 allgather gather scatter bcast reduce allreduce scan alltoall); do
    ok "at the bound of rounds: $i" at_bound $i -p 2,4,8,16 -m 64 --set beta=0ns/B --set gamma=0ns/B
done
ok 'at the bounds of rounds and bytes at once' gives '1.00  1.00  bruck' bound allgather -p 8 -m 64K
ok 'a bound that is reached' gives 'recursive_doubling' bound allreduce -p 8 -m 8

as_best() { # as_best COLLECTIVE [OPTION..]: the fastest algorithm in the answer of `bound` is the first of `best`
    c bound "$@" -p 3,12 -m 8,64K --format csv && joined time_s >fastest && joined root >roots &&
        c best "$@" -p 3,12 -m 8,64K --top 1 --format csv && [ "$(column root | sort -u)" = "$(tr , '\n' <roots | sort -u)" ] &&
        [ "$(joined time_s | sed 's/,*$//')" = "$(cat fastest)" ]
}
for i in $(sampled 4 bcast allreduce alltoall reduce); do ok "the fastest is the best: $i" as_best $i; done
ok '.. from another root' as_best reduce --root 2
ok '.. which is said' gives 'scatter, root 2 on' bound scatter -p 6 -m 8 --root 2
ok '.. also of more ports' gives ',64,2,' bound scatter -p 6 -m 64 --root 2 --ports 2 -f csv
ok 'a bound from a root that is not there' fails '--root 8 is not among 8 ranks' bound bcast -p 8 -m 8 --root 8
ok 'a bound from every root' fails 'allowed: 0 .. p-1' bound bcast -p 8 -m 8 --root all
ok 'a bound from a root where there is none' fails 'has no root' bound allreduce -p 8 -m 8 --root 1

ok 'negative ports' fails "--ports '-1'" bound bcast -p 8 -m 8 --ports -1
ok 'no ports' fails 'allowed: 1 .. 128M' bound bcast -p 8 -m 8 --ports 0
ok 'a picture of more ports' fails '--ports 1' bound bcast -p 8 -m 8 --ports 2 --draw x.svg
ok 'a negative size' fails "'-5'" bound bcast -p 8 -m -5
ok 'no rank at all' fails 'out of range' bound bcast -p 0 -m 8
ok 'half an element' fails 'is not a multiple' bound bcast -p 8 -m 12 --element 8
ok 'no such collective' fails "unknown collective 'nosuch'" bound nosuch -p 8 -m 8
ok 'no such machine' fails 'nosuch' bound bcast -p 8 -m 8 --platform nosuch

# ---- For machines ----------------------------------------------------------------------------------------------------

csv_is_whole() { # every row has as many fields as the header; none is infinite or not a number, and only a sentence is quoted
    c "$@" --format csv && sed 's/,"[a-z][^"]* [^"]*",/,sentence,/' out |
        awk -F, 'NR == 1 { n = NF } NF != n || /"/ || /,(nan|-?inf),/ { exit bad = 1 } END { exit bad || NR < 2 }'
}
json_is_whole() { # replaces strings and numbers by one letter each, then objects and arrays from the inside out, until one is left
    c "$@" --format json && tr -d '\n' <out |
        sed 's/"[^"]*"/s/g; s/null/n/g; s/-\{0,1\}[0-9][0-9.]*\(e[-+]\{0,1\}[0-9]*\)\{0,1\}/n/g' >shape || return 1
    [ "$(sed ':fold; s/{\(s:[sn],\)*s:[sn]}/n/g; s/{}/n/g; s/\[\([sn],\)*[sn]\]/n/g; s/\[\]/n/g; t fold' shape)" = n ]
}
whole=0
for i in 'bound allreduce -p 2,8 -m 8,64K' 'bound barrier -p 2..4' 'bound alltoall -p 8 -m 8 --ports 2' \
    'bound bcast -p 8 -m 0' 'best bcast -p 8 -m 8,1M' 'best barrier -p 8' 'crossover bcast pipeline binomial -p 8,64' \
    'crossover allreduce recursive_doubling rabenseifner -p 6,8' 'crossover bcast scatter_ring_allgather binomial -p 2'; do
    # shellcheck disable=SC2086
    takes $whole 3 && ok "CSV: $i" csv_is_whole $i
    # shellcheck disable=SC2086
    takes $((whole + 1)) 3 && ok "JSON: $i" json_is_whole $i
    whole=$((whole + 1))
done

# ---- The picture -----------------------------------------------------------------------------------------------------

c bound allreduce -p 8 -m 8 --format csv
ok 'bounds as CSV' says out 'x_bound'
ok 'a picture' c bound allreduce -p 8 -m 8,64K,8M --draw bound.svg
ok '.. is SVG' says bound.svg '<svg'
ok 'a picture, as -o asked for it before 1.0' c bound allreduce -p 8 -m 8,64K,8M -o old.svg
ok '.. the same' cmp bound.svg old.svg
ok 'no picture of another kind' fails '.svg, .png or .pdf' bound allreduce -p 8 -m 8 --draw bound.txt
ok 'no picture of too many lines' fails '--draw: 18 lines; allowed: 16, so fewer sizes' bound bcast -p 2..40 -m 8..1M:x2 --draw x.svg
ok 'no picture where no bound is above 0' fails '--draw: the bound is 0 everywhere' bound bcast -p 1 -m 8 --draw zero.svg

# ---- The best of the LogP family: run says the same time of it, and no algorithm with its defaults is faster ----------------
point="-p 2x2 -m 4K --element 8 --platform alps" # a few ranks: most of the time of `best` is spent on what bounds leave
value() { sed -n "/^{\"collective\"/{ s/.*\"$1\":\"\{0,1\}\([^,\"]*\).*/\1/p; q; }" best.json; } # value NAME: prints a column of the fastest
for model in $(sampled 3 loggops loggp logp); do
    ok "best --model $model" c best allreduce $point --model $model --top 1 -f json
    cp out best.json
    ok "$model: its bounds exclude some" grep -q ': [1-9][0-9]* excluded by forms and bounds' best.json
    setting="$(value algorithm) $(value params | as_options)"
    ok "$model: run says the same" c run allreduce $setting $point --model $model -f csv
    ok "$model: to the last digit" test "$(column time_s)" = "$(value time_s)"
    ok "$model: run all" c run allreduce all $point --model $model -f csv
    ok "$model: none is faster" awk -F, -v least="$(value time_s)" '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == "time_s") t = i; next }
        $t != "" { seen++; bad += $t < least * (1 - 1e-12) }
        END { exit bad > 0 || seen < 20 }' out
done

# No formula says which radix is promising where tables say how long messages take, so bounds do.
printf '%s\n' '[levels]' 'node = 12 ranks' 'group = 2 nodes' 'source = x' '[measured]' 'one = 8:0.5016us 512:0.7024us' \
    'one.source = x' 'one.group = 8:0.05048us 512:0.09072us' 'one.group.source = x' 'eager = unlimited' \
    'eager.source = x' 'ports = 2' 'ports.source = x' >tables.ini
radix() { # best is no slower than a radix that is in no list of values
    c run barrier recursive_knomial --param radix=9 -p 144 --map cyclic:12 --platform tables.ini -f csv &&
        least=$(column time_s) && c best barrier -p 144 --map cyclic:12 --platform tables.ini -f csv --top 1 &&
        awk -v a="$(column time_s | head -n 1)" -v b="$least" 'BEGIN { exit !(a <= b) }'
}
ok 'best finds a radix by bounds under measured' radix

echo "1..$n"
