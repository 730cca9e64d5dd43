#!/bin/sh
# Where the model measured stands among the commands: it is the default where a platform has its figures, its answers have no
# columns of hockney, best and crossover simulate, and what knows only hockney says so. $COLLSIM is the program.
. "$(dirname "$0")/tap.sh"
serve

# ini FIGURES...: prints a section [measured] with these figures, each KEY=VALUE.
ini() {
    echo "[measured]"
    for figure; do
        printf '%s = %s\n%s.source = test\n' "${figure%%=*}" "${figure#*=}" "${figure%%=*}"
    done
}
hockney='[hockney]\nalpha = %s\nalpha.source = test\nbeta = 0.1ns/B\nbeta.source = test\n'
one='8:1us 64:1.33us 4K:2.9us 1M:90us'
ini "one=$one" eager=unlimited >flat.ini
{ printf "$hockney" 1us && cat flat.ini; } >both.ini
{ printf "$hockney" 1000s && cat flat.ini; } >odd.ini
{ printf '[levels]\nnode = 4 ranks\n' && ini "one=$one" "one.node=8:0.5us 1M:60us" eager=unlimited gamma=0.1ns/B; } >levels.ini
printf "$hockney" 1us >ping.ini
B="run bcast linear -p 2 -m 64"

# ---- The model ------------------------------------------------------------------------------------------------------------
ok "it is the default" gives "model measured" $B --platform ./both.ini
ok "a message takes its time from the table" gives "1.33 us" $B --platform ./both.ini
ok "a certificate names length" gives "1 one(64)" $B --platform ./both.ini
ok "and level" gives "1 one(node, 64)" $B --platform ./levels.ini --per-node 4
ok "--model hockney" gives "1 alpha + 64 beta" $B --platform ./both.ini --model hockney
ok "without [measured]" gives "model hockney" $B --platform ./ping.ini
ok "--model measured without [measured]" fails "platform ping lacks one (time of a message one way), which model measured needs" \
    $B --platform ./ping.ini --model measured
ok "--transfer" fails "--transfer: model measured has no choice of transfers; allowed: with --model hockney" \
    $B --platform ./both.ini --transfer eager

# ---- Figures --------------------------------------------------------------------------------------------------------------
ok "--set one= makes a platform one of measured" gives "2 us" $B --platform ./ping.ini --model measured --set "one=8:2us 64:2us"
printf '[levels]\nnode = 4 ranks\n' >empty.ini
ok "at one level only" fails "lacks one.far" $B --platform ./empty.ini --model measured --set "one.node=8:2us 64:2us"
ok "--set one.node=" gives "2 us" $B --platform ./levels.ini --per-node 2 --set "one.node=8:2us 64:2us"
ok "--set one.node= of one point" fails "--set: one.node: the table has only one point" $B --platform ./levels.ini \
    --set one.node=8:2us
ok "--set alpha=" fails "unknown parameter of measured 'alpha'; allowed: one, step, gap" $B --platform ./both.ini \
    --set alpha=1us
ok "--set one= under hockney" fails "unknown parameter of hockney 'one'; allowed: alpha" $B --platform ./ping.ini \
    --set "one=$one"
ok "--set lambda=2" fails "--set: lambda: 2 is too large; allowed: 0 to 1" $B --platform ./both.ini --set lambda=2
ok "--set eager=none is a value" gives "model measured, eager=none" $B --platform ./both.ini --set eager=none --why
ok "--set swap=" fails "--set: swap: '0.5' is not a valid number; allowed: 1 or more" $B --platform ./both.ini --set swap=0.5
ok "--set far.node=" fails "far cannot be given per level" $B --platform ./levels.ini --set far.node=1us
ok "--set take= of one time" fails "--set: take: '1us' is not a table of times; allowed: a list of SIZE:TIME such as" \
    $B --platform ./both.ini --set take=1us
ok "--set take=x0.5, where it is the gap" fails "--set: take: it is the gap; allowed: gap=x0.5" $B --platform ./both.ini \
    --set take=gap --set take=x0.5
ok "--set ports.node=" fails "ports cannot be given per level" $B --platform ./levels.ini --set ports.node=2
R="run allreduce reduce_bcast -p 2 -m 1000"
ok "a bcast needs no gamma" gives "1 alpha + 64 beta" $B --platform ./ping.ini
ok "an allreduce does" fails "platform ping lacks gamma, which reductions need" $R --platform ./ping.ini
ok "also under measured" fails "platform both lacks gamma, which reductions need" $R --platform ./both.ini
ok "--set gamma= gives it" gives "1000 gamma" $R --platform ./both.ini --set gamma=1ns/B
ok "gamma may be a rate with a threshold" gives "2 one(1000)" $R --platform ./both.ini --set "gamma=1ns/B above 1000"
ok "or a table" gives "1 gamma(1000)" $R --platform ./both.ini --set "gamma=8:1us 1000:1us"
ok "but not for hockney" fails "is not a cost per byte" $R --platform ./both.ini --model hockney --set "gamma=1ns/B above 1000"
ok "[measured] has gamma" gives "1000 gamma" $R --platform ./levels.ini

# ---- far, take and swap ---------------------------------------------------------------------------------------------------
D="run allreduce recursive_doubling -p 16 -m 8 --platform ./levels.ini"
ok "a message that reacts takes far longer" gives "4 one(far, 8) + 3 far " $D --set far=1us
ok "nodes that follow each other are not far" gives "2 one(far, 8) + 1 far + 2 one(node, 8)" $D --set far=1us --per-node 4
ok "what if it were half" gives "far=x0.5" $D --set far=1us --why
ok "a rank takes faster than others send" gives "1 one(far, 8) + 14 take(far, 8)" run gather linear -p 16 -m 8 --platform ./levels.ini
ok "unless take is the gap" gives "14 gap(far, 8) + 1 one(far, 8)" run gather linear -p 16 -m 8 --platform ./levels.ini --set take=gap
ok "ranks that exchange 4M are slower" gives "1 swap(far, 4M) + 1 one(far, 2M)" run allgather recursive_doubling -p 4 -m 2M \
    --platform ./levels.ini --set eager=8K --set swap=1.5
ok "what if they were not" gives "swap=1 " run allgather recursive_doubling -p 4 -m 2M --platform ./levels.ini \
    --set swap=1.5 --why
ini "one=$one" far=1.5us swap=1.25 "take=8:0us 64:100ns" gamma=0.1ns/B >own.ini
ok "a file has them" gives "3 far + 4 one(8) " run allreduce recursive_doubling -p 16 -m 8 --platform ./own.ini
ok "CSV has what they cost" gives ",gamma=3.2e-09;one(8)=4e-06;far=4.5" run allreduce recursive_doubling -p 16 -m 8 --platform ./own.ini -f csv

# ---- Answers --------------------------------------------------------------------------------------------------------------
ok "CSV" c run bcast all -p 4x4 -m 1K,64K --platform ./levels.ini -f csv
cp out measured.csv
ok "no column of hockney" sh -c '! head -n 1 measured.csv | grep -q alpha'
ok "each row has a certificate" [ "$(grep -c '[0-9] [a-z]*(\(far\|node\), ' measured.csv)" = "$(($(wc -l <measured.csv) - 1))" ]
ok "plot draws predictions" gives "model measured" plot measured.csv
ok "and no measurements" says_not out "points: measured"
ok "a cell of a figure that is missing is empty" gives ",9.9999999999999995e-07,1e-10,,1,64,0," $B --platform ./ping.ini -f csv

# ---- Searches -------------------------------------------------------------------------------------------------------------
ok "the process that answered ends well" served_well
# What a process keeps of earlier requests could hide what a search leaves out, so each search has a process of its own.
# Figures of hockney that make every message seem to take longer than all of these algorithms change nothing.
rows() { # rows ARGUMENTS...: prints algorithm, parameters and time of each row, the fastest first
    c "$@" -f csv && sed 1d out | cut -d, -f 2,3,10 | sort -g -t, -k 3
}
rows best bcast -p 2x3 -m 1K --platform ./flat.ini --top 40 >best.flat
rows best bcast -p 2x3 -m 1K --platform ./odd.ini --top 40 >best.odd
rows run bcast all -p 2x3 -m 1K --platform ./flat.ini >run.flat
ok "best ranks all algorithms" [ "$(wc -l <best.flat)" = "$(wc -l <run.flat)" ]
ok "by simulation alone" cmp best.flat best.odd
ok "and none is slower than at its defaults" sh -c "sort -t, -k 1,1 best.flat >a && sort -t, -k 1,1 run.flat >b &&
    join -t, a b | awk -F, '{ slower += \$3 > \$5 } END { exit !NR || slower }'"
ok "crossover" gives "(the model has no closed forms)" crossover bcast binomial scatter_ring_allgather -p 8 \
    --platform ./flat.ini
sed 1d out >cross.flat
ok "also by simulation alone" c crossover bcast binomial scatter_ring_allgather -p 8 --platform ./odd.ini
ok "with the same answer" sh -c 'sed 1d out | cmp -s - cross.flat'

# ---- Who does not know it -------------------------------------------------------------------------------------------------
ok "bound" gives "model measured" bound bcast -p 4 -m 8 --platform ./both.ini
ok "bound: the machine has its ports" fails "allowed: --set ports=2" bound bcast -p 4 -m 8 --platform ./both.ini --ports 2
ok "bound --model hockney" gives "model hockney" bound bcast -p 4 -m 8 --platform ./both.ini --model hockney
ok "audit --model measured" fails "model of audit 'measured'; allowed: hockney" \
    audit --claim alpha bcast binomial --platform ./both.ini --model measured
ok "audit: a formula is about counts, which need no figures" gives "verdict: wrong: in alpha" \
    audit --claim alpha bcast binomial --platform ./both.ini
ok "SMPI" fails "smpi does not know model measured; allowed: --model hockney" check --backends sim,smpi bcast binomial -p 2 \
    -m 8 --platform ./both.ini --model measured

echo "1..$n"
