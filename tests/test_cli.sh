#!/bin/sh
# `collsim` as a user runs it. Bad input gives one line on stderr, nothing on stdout and exit status 2. Formats have the
# fields that they promise. Every algorithm runs with one rank and with no data. `show` draws as many messages as `run`
# counts.
. "$(dirname "$0")/tap.sh"
serve

each_of() { # each_of COMMAND...: COMMAND COLLECTIVE ALGORITHM passes for every entry, except for two_procs if p is not 2
    while IFS=, read -r collective algorithm; do
        "$@" "$collective" "$algorithm" || says err "ranks: p is not 2" ||
            { echo "# $collective $algorithm" >>err && return 1; }
    done <names
}
"$COLLSIM" list --format csv | sed 1d | cut -d, -f1,2 >names
COLLECTIVES=$(cut -d, -f1 names | uniq)
SHARED=$(sed -n 's/,shm_.*//p' names | uniq)
flat() { # flat TEXT ARGUMENTS...: exit 0, and TEXT on stdout, wherever lines break
    text=$1
    shift
    c "$@" && tr -s ' \n' ' ' <out >flat && says flat "$text"
}
not_given() { # not_given TEXT ARGUMENTS: exit 0, and no such TEXT
    text=$1
    shift
    c "$@" && says_not out "$text"
}
# A machine with two levels: 4 ranks on a node.
{ two_levels 4 3us 1us 1ns/B 250ps/B 500ps/B && cat; } >levels.ini <<'END'
[shared]
lanes = 2
lanes.source = test
write = 1ns/B
write.source = test
read = 1ns/B
read.source = test
flag = 1us
flag.source = test
END
same_answer() { # same_answer ARGUMENTS ARGUMENTS: both answers are the same
    # shellcheck disable=SC2086 # a word for each argument
    c $1 && mv out first && c $2 && cmp first out >>err
}
B="run bcast binomial -p 8 -m 8"

# ---- Bad input ----------------------------------------------------------------------------------------------------------
ok "unknown command, nearest" fails "did you mean list" lits
ok "an option before the command" fails "option '--platform' stands before the command" --platform lumi $B
ok "no command: help, exit 2" sh -c '"$0" >out 2>err; [ $? = 2 ] && [ ! -s out ] && grep -q Usage err' "$COLLSIM"
for command in list show run check; do
    ok "$command: unknown option" fails "nonsense" $command --nonsense
done
ok "list: unknown collective, nearest" fails "did you mean bcast" list bcats
for command in show run check; do
    ok "$command: unknown collective, nearest" fails "did you mean bcast" $command bcats binomial -p 8
    ok "$command: unknown algorithm, nearest" fails "did you mean binomial" $command bcast binomal -p 8
done
ok "segmented_ring with a block in as many parts as ranks" gives "8 alpha + 32 beta + 16 gamma" run allreduce segmented_ring -p 3 -m 24 --param segment=3
FREE="run reduce ring -p 33 -m 33 --set alpha=0s --set beta=0s/B"
ok "messages that take no time are not on the critical path" gives "ns  32 gamma" $FREE
ok "messages that take no time, with --full" gives "ns  32 gamma" $FREE --full
ok "--timing says why a gear ran" gives "lockstep: every rank's k-th operation" run allreduce ring -p 64 -m 1000 --timing
ok "unknown algorithm far from all: the list" fails "allowed: " run bcast zzzzzzzzz -p 8 -m 8
ok "unknown platform, nearest" fails "did you mean lumi" $B --platform lumm
ok "unknown model, nearest" fails "did you mean loggops" $B --model loggop
ok "unknown transfer, nearest" fails "did you mean eager" $B --transfer eagre
ok "unknown format, nearest" fails "did you mean json" $B --format jsn
ok "unknown --set key, nearest" fails "did you mean alpha" $B --set alhpa=1us
ok "unknown --set key: none of this model" fails "unknown parameter of hockney" $B --set L=1us
ok "--set without =" fails "KEY=VALUE" $B --set alpha
ok "--set without unit" fails "allowed" $B --set alpha=1
ok "--set negative" fails "allowed" $B --set alpha=-1us
ok "--set NaN" fails "allowed" $B --set beta=nanns/B
for p in 0 -1 1.5 x "" 256M 99999999999999999999; do
    ok "-p '$p'" fails "-p" run bcast binomial -m 8 -p "$p"
done
ok "-p missing" fails "-p is missing" run bcast binomial -m 8
ok "-m missing" fails "-m is missing" run bcast binomial -p 8
ok "-m is not needed for a barrier" gives dissemination run barrier dissemination -p 8
ok "falling list" fails "-p" run bcast binomial -p 33..2 -m 8
ok "list above 10,000 points" fails "10,000" run bcast binomial -p 1..10001 -m 8
ok "list of 10,000 points" sh -c '[ "$("$0" run bcast linear -p 2 -m 1..10000 --format csv | wc -l)" = 10001 ]' "$COLLSIM"
ok "lists above 10,000 points together" fails "10" run bcast binomial -p 1..200 -m 1..200
ok "roots above 10,000 points" fails "10" run bcast binomial -p 10001 -m 8 --root all
ok "list with nothing between commas" fails "-p" run bcast binomial -p 8,,9 -m 8
ok "list: factor 1" fails "-m" run bcast binomial -p 8 -m 1..8:x1
ok "list: the end is included only if a step hits it" sh -c '[ "$("$0" run bcast linear -p 2 -m 1K..10K:x4 --format csv | wc -l)" = 3 ]' "$COLLSIM"
for root in 8 -1 x 1K; do
    ok "--root $root of 8" fails "--root" $B --root $root
done
ok "--root where there is none" fails "has no root" run allreduce ring -p 8 -m 8 --root 0
ok "unknown parameter: the nearest" fails "did you mean segment" $B --param segmnt=1K
ok "unknown parameter to all of a collective" fails "nothing" run bcast all -p 8 -m 8 --param nothing=1
ok "parameter of some algorithms: these get it" gives "segment=1K" run bcast all -p 8 -m 8K --param segment=1K
part_of_part() { # a parameter of a part, in any order, and only where the part has it
    c run allreduce allgather_reduce -p 9 -m 8 --param allgather.radix=2 --param allgather=k_bruck,ring -f csv &&
        [ "$(awk -F, '{ print $3 }' out | sed 1d | sort)" = "allgather=k_bruck;allgather.radix=2
allgather=ring" ] &&
        fails "--param allgather.radix='1'; allowed: a number such as 4 or 64K (default 4, 2 or more)" run allreduce allgather_reduce \
            -p 9 -m 8 --param allgather=k_bruck --param allgather.radix=1 &&
        fails "unknown parameter of allreduce allgather_reduce 'allgather.radix'" run allreduce allgather_reduce -p 9 -m 8 \
            --param allgather=ring --param allgather.radix=2
}
ok "parameters of parts" part_of_part
most_allowed() { # a limit is in the message and on the page, and the limit itself is allowed
    fails "--param radix='65'; allowed: a number such as 4 or 64K (default 4, 2 .. 64)" run scan k_halving -p 9 -m 8 --param radix=65 &&
        c run scan k_halving -p 9 -m 8 --param radix=64 && c show scan k_halving && grep -q 'radix: default 4, 2 \.\. 64;' out
}
ok "the largest value of a parameter" most_allowed
ok "parameter out of range" fails "1 or more" run bcast chain -p 8 -m 8 --param chains=0
ok "parameter out of range: radix" fails "2 or more" run bcast knomial -p 8 -m 8 --param radix=1
ok "parameter out of range: too large" fails "chains" run bcast chain -p 8 -m 8 --param chains=1T
ok "parameter: no number" fails "chains" run bcast chain -p 8 -m 8 --param chains=many
ok "parameter: choice, nearest" fails "did you mean mpich" run allreduce rabenseifner -p 8 -m 8 --param prestep=mpihc
ok "parameter: no value" fails "NAME=VALUE" $B --param segment
ok "--element does not divide" fails "is not a multiple" run bcast binomial -p 8 -m 12 --element 8
ok "--element 0" fails "--element" $B --element 0
ok "overflow" fails "overflow" run allgather ring -p 1M -m 1G
ok "overflow of a number" fails "-m" run bcast binomial -p 8 -m 99999999999999999999
C="run reduce_scatter ring -p 8 -m 64K"
ok "--counts where blocks are alike" fails "have one length, and touch; allowed: with a v-collective such as allgatherv, or with reduce_scatter" $B --counts linear
ok "--counts unknown" fails "allowed: equal, linear" $C --counts lineer
ok "--counts: no seed" fails "random:SEED" $C --counts random:x
ok "--displs of a reduce_scatter" fails "always touch; allowed: with a v-collective" $C --displs gaps
printf '8\n16 # second\n\n0\n' >counts
ok "--counts FILE: too few" fails "has 3 numbers; allowed: 8" $C --counts counts
ok "--counts FILE" gives "counts counts" run reduce_scatter ring -p 3 -m 8 --counts counts
D="run gatherv linear -p 3 -m 8 --displs"
printf '16\n0\n8\n' >displs
ok "--displs FILE" gives "displs displs" $D displs
ok "--displs FILE: too few" fails "the file of --displs has 3 numbers; allowed: 4" run gatherv linear -p 4 -m 8 --displs displs
ok "--displs FILE: blocks overlap" fails "--displs has rank 2 at byte 8, within the 9 bytes from 0 on of rank 1; allowed: blocks that do not overlap" run gatherv linear -p 3 -m 9 --displs displs
ok "--displs unknown" fails "allowed: consecutive, gaps, or a file" $D gasp
ok "--displs and --counts from standard input" fails "standard input is read once" $D - --counts -
printf '8\nx\n' >counts
ok "--counts FILE: no number" fails "counts:2" $C --counts counts
for nodes in 0 -1 x 1.5; do
    ok "--per-node $nodes" fails "--per-node" $B --per-node $nodes
    ok "--map block:$nodes" fails "K from 1" $B --map block:$nodes
    ok "--map cyclic:$nodes" fails "K from 1" $B --map cyclic:$nodes
    ok "-p 4x$nodes" fails "is not NxK" run bcast binomial -m 8 -p "4x$nodes"
    ok "-p ${nodes}x4" fails "is not NxK" run bcast binomial -m 8 -p "${nodes}x4"
done
ok "-p NxK: too many ranks" fails "at most 128M ranks in all" run bcast binomial -m 8 -p 128Mx2
ok "-p NxK: K twice" fails "is not NxK" run bcast binomial -m 8 -p 2x2x2
ok "-p NxK in a list: another item is wrong" fails "neither a number nor a range" run bcast binomial -m 8 -p 2x2,y
ok "-p NxK in a list: too many values" fails "10,000" run bcast binomial -m 8 -p 2x2,1..9999,1
ok "--map unknown" fails "allowed: block:K, cyclic:K" $B --map scatter
ok "--map and --per-node" fails "both place the ranks" $B --map block:4 --per-node 4
ok "-p NxK and --per-node" fails "both place the ranks" run bcast binomial -m 8 -p 8,2x4 --per-node 4
ok "-p NxK and --map of another K" fails "puts 2 ranks on a node, and -p 2x4 puts 4 there" \
    run bcast binomial -m 8 -p 2x4 --map cyclic:2
printf '0\n0\n1\n1\n' >two-and-two
printf '1\n0\n1\n1\n' >one-and-three
map_file() { # map_file TEXT ARGUMENTS...: the map two-and-two is refused
    text=$1
    shift
    fails "$text" "$@" --map ./two-and-two
}
ok "--map FILE: the title has it" gives "2 nodes of 2 ranks, map ./two-and-two" \
    run bcast binomial -p 4 -m 8 --map ./two-and-two
ok "--map FILE: nodes of several sizes" gives "2 nodes of at most 3 ranks, map ./one-and-three" \
    run bcast binomial -p 4 -m 8 --map ./one-and-three
ok "--map FILE and NxK: the nodes agree" gives "2 nodes of 2 ranks, map ./two-and-two" \
    run bcast binomial -p 2x2 -m 8 --map ./two-and-two
ok "--map FILE and NxK: the nodes differ" map_file "does not put 4 ranks on each node, as -p 1x4 says" \
    run bcast binomial -p 1x4 -m 8
ok "--map FILE and NxK: nodes of several sizes" fails "does not put 2 ranks on each node, as -p 2x2 says" \
    run bcast binomial -p 2x2 -m 8 --map ./one-and-three
for command in "run bcast all -m 8" "show bcast binomial" "best bcast -m 8" "bound bcast -m 8" \
    "crossover bcast binomial linear" "check --backends sim bcast -m 8" "export goal bcast binomial -m 8" \
    "measure bcast binomial -m 8"; do
    ok "$command: --map FILE of other than p lines" map_file "has 4 ranks; allowed: 5" $command -p 5
done
for command in "show bcast binomial" "best bcast -m 8" "bound bcast -m 8" "crossover bcast binomial linear" \
    "check --backends sim bcast -m 8" "export goal bcast binomial -m 8" "measure bcast binomial -m 8"; do
    ok "$command: --map and --per-node" fails "both place the ranks" $command -p 8 --map block:4 --per-node 4
    ok "$command: -p NxK and --per-node" fails "both place the ranks" $command -p 2x4 --per-node 4
done
for option in "--map block:2" "--nodes order" "--topology torus:2,2" "--routing spread" "--patience 1s"; do
    # shellcheck disable=SC2086 # a word for each argument
    ok "check: ${option%% *} needs --backends" fails "takes only -p" check -p 2 $option
done
for spelling in "-p4 -m8 -fcsv" "-p=4 -m=8 -f=csv" "-np4 --bytes=8 --format=csv" "--np=4 -m 8 -f csv" "-n 4 -m8 -f csv"; do
    # shellcheck disable=SC2086 # a word for each argument
    ok "values beside their letters: $spelling" sh -c '"$0" run bcast binomial "$@" >out 2>err && "$0" run bcast binomial -p 4 -m 8 -f csv | cmp - out' "$COLLSIM" $spelling
done
ok "an unknown letter with a value" fails "Unknown option -x4; see" run bcast binomial -p 4 -m 8 -x4
ok "check: NxK needs --backends" fails "neither a number nor a range" check -p 2x2
ok "measure pingpong: no --map" fails "takes only -m" measure pingpong -m 8 --map block:2
ok "show: one number of ranks" fails "allowed: one number, 1 .. 64" show bcast binomial -p 4,8
ok "show: too many ranks" fails "allowed: one number, 1 .. 64" show bcast binomial -p 5x13
ok "NxK is block:K" same_answer "run allreduce smp -m 64 -p 3x4" "run allreduce smp -m 64 -p 12 --map block:4"
ok "--per-node is block:K" same_answer "run allreduce smp -m 64 -p 13 --per-node 4" \
    "run allreduce smp -m 64 -p 13 --map block:4"
alone="note: every rank has a node of its own; see -p NxK and --map"
same="note: links inside a node cost the same as the network"
ok "note: no map, a machine of one level: silence" not_given "$alone" run allreduce ring -p 8 -m 64
ok "note: no map, an algorithm that groups" gives "$alone" run allreduce smp -p 8 -m 64
ok "note: no map, a machine with levels" gives "$alone" run allreduce ring -p 8 -m 64 --platform levels.ini
ok "note: no map, a machine with NICs" gives "$alone" best allreduce -p 8 -m 64 --set nic.rate=1GB/s
ok "note: no map for some ranks" gives "note: where -p does not say NxK, every rank has a node of its own" \
    run allreduce ring -p 2x4,8 -m 64 --platform levels.ini
ok "note: a map on a machine of one level" gives "$same" run allreduce ring -p 2x4 -m 64
ok "note: a map on a machine with levels and NICs: silence" not_given "note:" run allreduce ring -p 2x4 -m 64 \
    --platform levels.ini --set nic.rate=1GB/s
ok "note: a map on a machine without NICs" gives "note: 4 ranks a node and no NIC: each sends at full speed; set nic.rate" \
    run allreduce ring -p 2x4 -m 64 --platform levels.ini
ok "note: a node has fewer ranks" gives "note: a node of levels has 4 ranks, and the map puts 5 on one" \
    run allreduce ring -p 2x5 -m 64 --platform levels.ini
printf '[loggops]\nL = 1us\nL.source = t\no = 1us\no.source = t\ng = 1us\ng.source = t\nG = 1ns/B\nG.source = t\n' >nics.ini
printf '[hockney]\ngamma = 0\ngamma.source = t\n[node]\nnic.rate = 1GB/s\nnic.rate.source = t\nmemory = 1\nmemory.source = t\n' >>nics.ini
for model in loggp logp; do
    ok "note: $model ignores what a node's ranks share" \
        gives "note: model $model ignores nic.rate, memory of platform nics:" \
        run bcast binomial -p 2x4 -m 64 --model $model --platform nics.ini
done
ok "note: hockney ignores nothing" not_given "ignores" run bcast binomial -p 2x4 -m 64 --platform nics.ini --set alpha=1us --set beta=1ns/B
ok "note: crossover" gives "$same" crossover allreduce ring smp -p 2x4
ok "note: best" gives "$same" best allreduce -p 2x4 -m 64
ok "note: model shared has one node: silence" not_given "ranks a node" run bcast shm_flat -p 8 -m 64 --model shared --platform levels.ini
for command in "run allreduce ring -m 64" "best allreduce -m 64" "crossover allreduce ring smp"; do
    ok "note: JSON has a sheet of notes: $command" gives '"note":"links inside a node cost the same as the network"' \
        $command -p 2x4 -f json
done
ok "the title has the map" gives "4 nodes of at most 4 ranks, cyclic" run bcast binomial -p 13 -m 8 --map cyclic:4
ok "rankings have the nodes" gives "fastest on 16 ranks (4 nodes of 4 ranks, block): " \
    run allreduce smp,ring -p 4x4,16 -m 64,1M
ok "missing platform keys: named" fails "lacks L, o, g" $B --platform lumi --model loggops
ok "--transfer with loggops" fails "--transfer" $B --model loggops --transfer eager
ok "--format on too many words" fails "but 'extra' comes after that" $B extra
ok "an argument with a line break" fails "algorithm" run bcast "bino
mial" -p 8 -m 8
ok "a parameter with a line break" fails "param" $B --param "seg
ment=1"
ok "a root with a line break" fails "--root" $B --root "1
2"
ok "an option with a line break" fails "option" $B "--no
such"
ok "show: too many ranks to draw" fails "1 .. 64" show bcast binomial -p 65
ok "show: a list of ranks" fails "-p" show bcast binomial -p 8,9
ok "show: root" fails "0 .. 4" show bcast binomial -p 5 --root 5
ok "show: root where there is none" fails "has no root" show allreduce ring --root 0
ok "show: parameter" fails "1 or more" show bcast chain --param chains=0
ok "show: overflow" fails "allowed" show allgather ring -m 1T -m 4096T

platform() { # platform LINE: writes bad.ini, with LINE as its line 4
    printf '[machine]\ntitle = T\n[hockney]\n%s\nalpha.source = s\n' "$1" >bad.ini
}
for line in "alpa = 1us" "alpha = 1" "alpha = -1us" "alpha = nanus" "alpha" "alpha = infus"; do
    platform "$line"
    ok "platform '$line': file and line" fails "bad.ini:4: " $B --platform bad.ini
    ok "platform '$line': what is allowed" says err "allowed: "
done
ok "platform: no such file" fails "no.ini" $B --platform no.ini
ok "platform: a folder" fails "./" $B --platform ./
printf '\377\000' >binary.ini
ok "platform: binary" fails "binary.ini" $B --platform binary.ini

full() { "$COLLSIM" "$@" >/dev/full 2>err; [ $? = 2 ] && [ "$(wc -l <err)" = 1 ] && says err "No space left"; }
for format in table csv json; do
    ok "full disk: run, $format" full $B --format $format
done
ok "full disk: much output" full run bcast linear -p 1..2000 -m 1 --format csv
ok "full disk: list" full list
ok "full disk: show" full show bcast binomial
ok "full disk: check" full check bcast -p 8
ok "full disk: help" full --help
ok "full disk: a command's help" full run --help
ok "closed pipe: quiet" sh -c '"$0" run bcast linear -p 1..2000 -m 1 --format csv 2>err | head -n 1 >out; [ "$(wc -l <out)" = 1 ] && [ ! -s err ]' "$COLLSIM"

# ---- Help -----------------------------------------------------------------------------------------------------------------
ok "help" gives "  collsim run" --help
for command in list show run check plot calibrate; do
    ok "$command --help: an example" gives "  collsim $command " $command --help
done

# ---- Answers ----------------------------------------------------------------------------------------------------------------
ok "golden: the certificate" gives "15 alpha + 122880 beta" run bcast binomial -p 32768 -m 8K
ok "golden: the time" says out "24.83 us"
ok "golden: the same with --full" gives "15 alpha + 122880 beta" run bcast binomial -p 32768 -m 8K --full
ok "--set" gives "15 alpha + 122880 beta" run bcast binomial -p 32768 -m 8K --set alpha=1s --set beta=0s/B
ok "--set: the time" says out "15 s"
ok "check passes" gives "" check bcast -p 2..9
ok "more than p-1 chains: the number that is used is shown" gives "chains=2 (of 4)" run bcast chain -p 3 -m 8
ok "--root all: every root" sh -c '[ "$("$0" run bcast binomial -p 5 -m 8 --root all --format csv | sed 1d | cut -d, -f6 | tr "\n" " ")" = "0 1 2 3 4 " ]' "$COLLSIM"
first() { c run allreduce all -p 1024 -m 8 && sed -n 5p out | grep -q "^recursive_doubling .* 1.00 "; }
ok "all: the fastest comes first, of equally fast ones a library's" first
ok "fallback: the table names it" gives "ran: linear (count < p)" run bcast scatter_ring_allgather -p 8 -m 7
ok "fallback: csv" gives ",linear (count < p)" run bcast scatter_ring_allgather -p 8 -m 7 --format csv
ok "fallback: json" gives '"ran":"linear (count < p)"' run bcast scatter_ring_allgather -p 8 -m 7 --format json
ok "fallback: not ranked, with the reason" gives "not ranked: ring, ran: recursive_doubling (count < p)" run allreduce all -p 8 -m 7
ok "fallback: nowhere in the ranking" sh -c '! grep -Eq "^ +[0-9]+ +ring" out'
ok "no fallback: ran is null in json" sh -c '"$0" run bcast binomial -p 8 -m 7 --format json >out && grep -q "\"ran\":null" out' "$COLLSIM"
ok "show: what runs instead" gives "count < p, so linear runs" show bcast scatter_ring_allgather -p 8 -m 7
narrow() { c "$@" && awk 'length > 100 { bad = 1 } END { exit bad }' out; }
ok "at most 100 columns: run" narrow run bcast binomial -p 8,64,1K,32K,1M -m 8,1M
ok "at most 100 columns: all" narrow run allreduce all -p 1024 -m 8,1M --platform lumi
ok "at most 80 columns: list" sh -c '"$0" list | awk "length > 80 { bad = 1 } END { exit bad }"' "$COLLSIM"

# ---- Formats --------------------------------------------------------------------------------------------------------------
FIELDS=collective,algorithm,params,ranks,bytes,root,platform,model,transfer,time_s,messages,bytes_sent,max_messages_sent,max_messages_received,max_bytes_sent,max_bytes_received,max_bytes_reduced,certificate,costs,ran,parts_ran,counts,displs,per_node,nodes,map,element,time_is,sets,alpha_s,beta_s_per_byte,gamma_s_per_byte,alpha_count,beta_count,gamma_count,ranking,x_best,x_bound,end_min_s,end_mean_s,end_max_s
TIMING=wall_s,gear,ranks_simulated,peak_rss_bytes,gear_why
cat >fields.pl <<'END'
# Fails unless the input is valid JSON with an array of rows. Prints the names of each row in the order in which they are
# written.
use JSON::PP;
my $text = do { local $/; <STDIN> };
my $answer = JSON::PP->new->decode($text);
die "no rows\n" unless ref $answer->{rows} eq 'ARRAY' && $answer->{schema} == 1 && $answer->{answer} eq 'run';
$text =~ s/"path":.*//s;
$text =~ s/^.*"rows"//s;
print join(",", $_ =~ /"(\w+)"\s*:/g), "\n" for $text =~ /\{([^{}]*)\}/g;
END
json_fields() { # json_fields FIELDS ARGUMENTS...: every point has exactly these fields, in this order
    fields=$1
    shift
    c "$@" --format json && perl fields.pl <out 2>err | sort -u >got && [ "$(cat got)" = "$fields" ]
}
json_is() { # json_is PERL ARGUMENTS...: the Perl expression is true; in it, $p is the first point and $a the answer
    test=$1
    shift
    c "$@" --format json && perl -MJSON::PP -e 'local $/; my $a = decode_json(<STDIN>); my $p = $a->{rows}[0]; exit !eval $ARGV[0]' "$test" <out 2>err
}
R="run allreduce ring -p 8 -m 64"
ok "json: fields in order" json_fields $FIELDS run bcast linear -p 3,8 -m 64,1K
ok "json: all points" json_is "@{\$a->{rows}} == 4 * $("$COLLSIM" list allreduce --format csv | grep ^allreduce | grep -vc shm_)" run allreduce all -p 3,8 -m 64,1K
ok "json: a fallback has the same fields" json_fields $FIELDS run allreduce ring -p 8 -m 1
ok "json: the path is a sheet of its own" json_is '$a->{path}[0]{rank} == 0 && $a->{path}[-1]{end_s} == $p->{time_s}' run bcast binomial -p 8 -m 64 --why
ok "json: --timing adds its five" json_fields $FIELDS,$TIMING $R --timing
ok "json: certificate of hockney" json_is '$p->{certificate} eq "14 alpha + 112 beta + 56 gamma" && $p->{alpha_count} == 14 && $p->{beta_count} == 112 && $p->{gamma_count} == 56' $R
ok "json: the machine" json_is '$p->{transfer} eq "rendezvous" && $p->{platform} eq "generic-100g" && $p->{alpha_s} == 2e-6 && $p->{gamma_s_per_byte} == 0.05e-9 && $p->{sets} eq "alpha=2us;beta=0s/B"' $R --set alpha=2us --set beta=0s/B
for model in loggops loggp logp; do
    ok "json: transfer null with $model" json_is 'exists $p->{transfer} && !defined $p->{transfer} && $p->{model} eq "'$model'"' $R --model $model
    ok "json: certificate of $model" json_is 'exists $p->{L_count} && exists $p->{L_s} && !exists $p->{alpha_count}' $R --model $model
done
ok "json: 17 digits" json_is 'sprintf("%.17g", 14e-6 + 112 * 0.08e-9 + 56 * 0.05e-9) == $p->{time_s}' $R
ok "json: parameters" json_is '$p->{params} eq "segment=1K;chains=3"' run bcast chain -p 8 -m 8K --param segment=1K --param chains=3
ok "json: list" sh -c '"$0" list --format json | json_pp >out && grep -q bruck out' "$COLLSIM"
header() { # header FIELDS ARGUMENTS...: CSV begins with these columns, and ends with the version of the schema
    fields=$1
    shift
    c "$@" --format csv && [ "$(head -n 1 out)" = "$fields,schema" ] && sed 1d out | grep -vq ',1$' && return 1
    [ "$(head -n 1 out)" = "$fields,schema" ]
}
ok "csv: fields in order" header $FIELDS $R
ok "csv: --timing adds its five" header $FIELDS,$TIMING $R --timing
ok "csv: as many cells as fields" sh -c '"$0" run bcast all -p 1,3,8 -m 0,8,1K --format csv | awk -F, "NF != 42 { bad = 1 } END { exit bad }"' "$COLLSIM"
for command in "run bcast binomial -p 8 -m 8" "run bcast all -p 8 -m 8" "best bcast -p 8 -m 8" "bound bcast -p 8 -m 8" "crossover bcast linear binomial -p 8"; do
    ok "--set is named by the table: $command" gives ", model hockney, rendezvous, beta=1ns/B" $command --set beta=1ns/B
done
ok "csv: a row for each point" sh -c '[ "$("$0" run bcast binomial -p 2..5 -m 8,64 --format csv | wc -l)" = 9 ]' "$COLLSIM"
twice() { c "$@" && cp out first && c "$@" && cmp out first; }
for format in table csv json; do
    ok "$format: the same bytes twice" twice run bcast all -p 7,64 -m 8,64K --why --format $format
done
ok "show: the same bytes twice" twice show allreduce rabenseifner -p 13
other_locale() { c $R --format json && cp out first && LC_ALL=de_DE.UTF-8 LC_NUMERIC=de_DE.UTF-8 "$COLLSIM" $R --format json >out && cmp out first; }
ok "numbers do not depend on the locale" other_locale

# ---- Shared memory -----------------------------------------------------------------------------------------------------------
S="run bcast shm_flat -p 8 -m 1M"
ok "shared memory: the certificate has its terms, and the memory segment is shown" gives "8192 write + 7340032 read/lanes + 1 flag    66432" $S
ok "shared memory: with as many lanes as readers, reading takes no longer" gives "8192 write + 1048576 read + 1 flag" $S --set lanes=7
ok "shared memory: why" gives "the last line 128 times in all" $S --why
ok "shared memory: show draws accesses" gives "1 => 0" show reduce shm_fused -p 4
for model in hockney loggops loggp logp; do
    ok "shared memory: model $model is refused" fails "allowed: --model shared" $S --model $model
done
ok "messages: model shared is refused" fails "allowed: any other model" $B --model shared
ok "shared memory: a platform without its figures" fails "lacks write, read, lanes, flag" $S --platform lumi
ok "shared memory: --transfer is refused" fails "--transfer" $S --transfer eager
ok "shared memory: an element too large" fails "larger than a fragment" run bcast shm_flat -p 8 -m 64 --element 64 --param fragment=8
ok "shared memory: lanes below 1" fails "lanes: '0' is not a valid number" $S --set lanes=0
for map in "--map block:4" "--per-node 7" "--map cyclic:1"; do
    ok "shared memory: $map uses several nodes" fails "and model shared has one; allowed: no map, or one that puts all ranks on a node" $S $map
done
ok "shared memory: a map may use one node" gives "8192 write + 7340032 read/lanes + 1 flag    66432" $S --map cyclic:8
ok "shared memory: -p NxK of one node" gives "8192 write" run bcast shm_flat -p 1x8 -m 1M
# 8 ranks, 64 bytes, one fragment: the root writes 64 bytes, 7 ranks read 64 bytes of it, a flag between: flat is best.
ok "shared memory: what is left out" gives 'note: not known: line, raise, local; ' run bcast shm_flat -p 8 -m 64 --model shared
ok "shared memory: guesses" gives 'note: guesses, by their sources: write, read, lanes, flag, gamma' \
    run bcast shm_flat -p 8 -m 64 --model shared
ok "shared memory: nothing is left out" not_given "not known" \
    run bcast shm_flat -p 8 -m 64 --model shared --set line=42ns --set raise=42ns --set local=0.1ns/B
cat >sockets.ini <<'END'
[levels]
socket = 2 ranks
node = 2 sockets
[hockney]
gamma = 1ns/B
gamma.source = x
[shared]
write = 1ns/B
write.source = x
read = 1ns/B
read.source = x
flag = 1us
flag.source = x
lanes = 8
lanes.source = x
remote = 2
remote.source = x
END
ok "shared memory: the other socket" gives ' + 64 remote' \
    run bcast shm_flat -p 1x4 -m 64 --model shared --platform sockets.ini
ok "shared memory: one socket" not_given 'remote + \|remote *[0-9]' run bcast shm_flat -p 1x2 -m 64 --model shared --platform sockets.ini
# A part pays what the same algorithm pays alone, and each memory has the bytes of its own node only.
ok "shared memory: a part pays for reductions" gives ' 3 call' \
    run reduce smp --param inner=shm_flat -p 2x4 -m 64 --set call=1us
ok "shared memory: a part pays for copies" gives ' 192 local' \
    run reduce smp --param inner=shm_flat -p 2x4 -m 64 --set local=1ns/B
ok "shared memory: a node's memory limits" gives ' 838.9 us  8388608 read/streams ' \
    run bcast smp --param inner=shm_flat -p 2x8 -m 1M --set streams=1
# Single copies: one copy with a start-up, and no slot. Flags and lines of each level: 0 and 1 are on one socket.
single="bcast shm_single -p 1x4 -m 64 --model shared --platform sockets.ini"
ok "shared memory: single copies" gives ' 64 read + 2 flag + 64 remote + 1 single ' run $single --set single=0.5us
ok "shared memory: single copies without a start-up" gives ' 64 read + 2 flag + 64 remote ' run $single
ok "shared memory: single copies without a start-up: a note" gives 'note: single is not known: single copies start ' run $single
ok "shared memory: .. with one: no note" not_given 'single is not known' run $single --set single=0.5us
ok "shared memory: .. without single copies: no note" not_given 'single is not known' \
    run bcast shm_flat -p 1x4 -m 64 --model shared --platform sockets.ini
ok "shared memory: flags by level" gives '64 write + 64 read + 1 flag.node + 64 remote ' \
    run bcast shm_flat -p 1x4 -m 64 --model shared --platform sockets.ini --set flag.node=3us
ok "shared memory: lines by level" gives ' + 1 line.node ' \
    run bcast shm_flat -p 1x4 -m 64 --model shared --platform sockets.ini --set line.node=3us
ok "shared memory: a line of a level that nobody crosses" not_given 'line.node +' \
    run bcast shm_flat -p 1x2 -m 64 --model shared --platform sockets.ini --set line.node=3us
ok "shared memory: a machine with all figures" gives 'guesses, by their sources: write, read, ' \
    run bcast shm_flat -p 1x16 -m 64 --model shared --platform xeon-e5
ok "shared memory: all copies at once" gives ' 8388608 read/streams ' run bcast shm_flat -p 8 -m 1M --model shared --set streams=1
ok "shared memory: best" gives '64 write + 448 read/lanes + 1 flag' best bcast -p 8 -m 64 --model shared
ok "shared memory: best of given fragments" gives 'shm_knomial fragment=1K ' best reduce -p 8 -m 64K --param fragment=1K --model shared
ok "shared memory: bound" gives 'no lower bound is known for shared memory' bound reduce -p 8 -m 64,64K --model shared
ok "shared memory: bound has no ports" fails "no bound is known for shared memory; allowed" bound reduce -p 8 -m 64 --model shared --ports 2
ok "crossover: what a library runs there" gives 'From 12296 bytes on, mpich-4.3:auto runs scatter_ring_allgather instead of' \
    crossover bcast mpich-4.3:auto ompi-main:auto -p 48 --platform lumi --element 8
ok "crossover: what a library runs on both sides" gives 'There, mpich-4.3:auto runs scattered.' \
    crossover alltoall mpich-4.3:auto bruck -p 48 --platform lumi --element 8
ok "crossover: why, each at its best" gives 'pipeline segment=15626 sends each byte once' crossover bcast pipeline binomial -p 8 --best
ok "shared memory: crossover" gives 'the model has no closed forms' crossover bcast shm_flat shm_knomial -p 2
ok "shared memory: crossover with messages" fails "algorithms of one kind" crossover bcast shm_flat binomial -p 8
ok "shared memory: scan has no algorithm for it" fails "no algorithm of scan" run scan all -p 8 -m 8 --model shared
ok "all: the algorithms that send messages" sh -c '"$0" run bcast all -p 8 -m 8 >out && ! grep -q shm_ out' "$COLLSIM"
ok "all --model shared: the algorithms in shared memory" sh -c '[ "$("$0" run bcast all -p 8 -m 8 --model shared --format csv | cut -d, -f2 | sort | tr "\n" " ")" = "algorithm shm_flat shm_flat_counter shm_kary shm_knomial shm_queue shm_sets shm_single shm_single_knomial " ]' "$COLLSIM"

# ---- Every algorithm, at the edges -------------------------------------------------------------------------------------------
rows_of() { # rows_of COLLECTIVE SHARED LEAST TEST: `out` has LEAST rows or more of each of the collective's algorithms
    # that work in shared memory, or do not, and no others, and the awk TEST holds for each row. two_procs needs p = 2.
    awk -F, -v of="$1" -v shared="$2" -v least="$3" '
        NR == FNR { if ($1 == of && ($2 ~ /^shm_/) == shared) due[$2]; next }
        FNR > 1 { rows[$2]++; if (!($2 in due) || !('"$4"')) { print > "/dev/stderr"; bad = 1 } }
        END {
            for (name in due) if (rows[name] < least && name != "two_procs") { print name > "/dev/stderr"; bad = 1 }
            exit bad
        }' names out 2>err
}
edges() { # edges COLLECTIVE: -p 1 takes no time; -m 0 and -m 1 run under every model and transfer
    for how in "" "--transfer eager" "--transfer eager-port" "--model loggops" "--model logp"; do
        c run "$1" all -p 1 -m 0,1,1M --format csv $how && [ ! -s err ] && rows_of "$1" 0 1 '$10 == 0 && $11 == 0' &&
            c run "$1" all -p 2,3,8 -m 0,1 --format csv $how && [ ! -s err ] &&
            rows_of "$1" 0 3 '($10 > 0 && $11 > 0) || ($5 == 0 && $1 ~ /^(gatherv|scatterv|reduce_scatter|reduce_scatter_block)$/)' || return 1
    done
}
shared_edges() { # the same in shared memory: with -m 0 there are only flags, and other models are refused
    sizes=3
    [ "$1" != barrier ] || sizes=1
    c run "$1" all --model shared -p 1 -m 0,1,1M --format csv && rows_of "$1" 1 $sizes '$10 == 0 && $11 == 0' &&
        c run "$1" all --model shared -p 2,3,8 -m 0,1 --format csv && ! grep -v '^collsim: note: \(not known\|guesses\|single is not known\)' err &&
        rows_of "$1" 1 $((sizes < 3 ? 3 : 6)) '$10 > 0 && $11 / 7 <= $5 * $4' &&
        ! c run "$1" shm_flat -p 8 -m 1 --model hockney && [ "$(wc -l <err)" = 1 ]
}
every_edge() {
    for collective in $(sampled 4 $COLLECTIVES); do
        edges "$collective" || return 1
    done
    for collective in $SHARED; do
        shared_edges "$collective" || return 1
    done
}
cat >drawn.pl <<'END'
# Reads what `show` drew for $ARGV[0] ranks, each answer after a line "=== NAME". Prints for each the name and the numbers of
# messages and of rounds.
my ($p, $name, $messages, $rounds, $times) = $ARGV[0];
sub answer { print "$name $messages $rounds\n" if defined $name }
while (<STDIN>) {
    if (/^=== (.*)/) { answer(); ($name, $messages, $rounds, $times) = ($1, 0, 0, 0) }
    if (/^  and (\d+) more rounds? with (\d+)/) { $rounds += $1; $messages += $2 }
    next unless length > 26 && substr($_, 0, 26) =~ /^ {2,}(?:(\d+)(?:\.\.(\d+))?)? +(?:\d\S*)?  $/;
    my ($first, $last, $text) = ($1, $2, substr($_, 26));
    next unless $text =~ /^(\d+|r) /;
    if (defined $first) {
        die "$name: round $first after $rounds\n" if $first != $rounds + 1;
        $rounds = $last || $first;
        $times = $rounds - $first + 1;
    }
    $messages += $times * ($text =~ /^r/ ? $p : (() = $text =~ /> /g) + (() = $text =~ /</g) + (() = $text =~ /writes/g));
}
answer();
END
counted() { # counted P BYTES: the messages and rounds of all algorithms, as `run` counts them: rounds are times if each
    # message takes 1 s. In shared memory the messages are accesses, by the bytes of each.
    for collective in $COLLECTIVES; do
        "$COLLSIM" run "$collective" all -p "$1" -m "$2" --set alpha=1s --set beta=0s/B --set gamma=0s/B --format csv |
            awk -F, 'NR > 1 { print $1, $2, $11, $10 }'
    done
    for collective in $SHARED; do
        [ "$collective" != barrier ] || continue # its flags are drawn, and do not count as accesses
        "$COLLSIM" run "$collective" all --model shared -p "$1" -m "$2" --set write=1s/B --set read=1s/B \
            --set lanes=1000 --set flag=0s --set gamma=0s/B --format csv |
            awk -F, -v m="$2" 'NR > 1 { print $1, $2, m ? ($11 + $12) / m : 0, m ? $10 / m : 0 }'
    done
}
drawn() { # drawn P BYTES: of every algorithm, `show` draws as many messages as `run` counts, in as many rounds, and as narrow
    rm -rf shown && mkdir shown
    while IFS=, read -r collective algorithm; do
        case $collective,$algorithm in barrier,shm_*) continue ;; esac
        into="shown/$collective $algorithm"
        c show "$collective" "$algorithm" -p "$1" -m "$2" || says err "ranks: p is not 2" || { into= && return 1; }
    done <names
    into=
    (cd shown && awk 'FNR == 1 { print "=== " FILENAME } 1' *) >all
    awk 'length > 100' all >err && [ ! -s err ] && counted "$1" "$2" | sort >wanted && perl drawn.pl "$1" <all 2>err | sort >got && diff wanted got >out
}
ok "-p 1 and -m 0 work for every algorithm" every_edge
for point in $(sampled 5 1:192 2:192 3:192 5:192 7:0 7:61 8:1000 13:192 33:192 64:1000); do
    ok "show draws what run counts, p = ${point%:*}, m = ${point#*:}" drawn "${point%:*}" "${point#*:}"
done
ok "show: rounds that are not drawn are counted" gives "and 39 more rounds with 39 messages" show bcast linear -p 64
ok "show: rounds that look alike are drawn once" gives "1..7           8  r => r+1" show allreduce ring -p 8
ok "show: pairs" gives "r <=> r xor 4" show allreduce recursive_doubling -p 8
ok "show: a tree" gives "0 -> 4   1 -> 5   2 -> 6   3 -> 7" show bcast binomial
ok "show: from another root" gives "6 -> 0   7 -> 1" show bcast binomial --root 6
ok "show: segments" gives "0 -> 1   1 -> 2   2 -> 3   3 -> 4" show bcast pipeline -p 5 -m 40 --param segment=8
ok "show: the fallback" flat "else linear runs" show allreduce rabenseifner
ok "show: the names in other libraries" says flat "Open MPI id 6, MPICH reduce_scatter_allgather"
ok "show: memory" gives "root 0                     3  0.12 MiB            120      56" show gatherv binomial -p 8
ok "run: memory, as published" gives "0.60 MiB" run gatherv all -p 32K -m 8 --memory
ok "run: memory of the linear one" says out "1312.12 MiB"
ok "run: memory at another cost of a connection" gives "128.00 MiB" run gatherv linear -p 32K -m 8 --connection 4K
ok "run: memory as csv" gives "root_connections,max_connections" run gatherv linear -p 8 -m 8 --memory -f csv
ok "run: --connection without a size" fails "allowed" run gatherv linear -p 8 -m 8 --connection x
cat >connections.ini <<'END'
[hockney]
alpha = 1us
alpha.source = x
beta = 1ns/B
beta.source = x
gamma = 1ns/B
gamma.source = x
[measured]
one = 8:1us 1K:2us
one.source = x
connect = 10us
connect.source = x
END
ok "run: who pays for connections" gives '15 connect' run bcast linear -p 16 -m 8 --platform connections.ini
ok "run: who does not" gives 'model hockney does not charge connect of platform connections; ' \
    run bcast linear -p 16 -m 8 --platform connections.ini --model hockney
ok "show: an algorithm by Open MPI's id" gives "bcast binomial" show bcast ompi:6
ok "show: more than p-1 chains: the number that is used is shown" gives "chains = 2 (of 4)" show bcast chain -p 3
ok "show: too many messages" gives "not drawn" show bcast pipeline -m 1M --param segment=1K -p 64
ok "the process that answered ends well" served_well
echo "1..$n"
