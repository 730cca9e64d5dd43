#!/bin/sh
# What an error suggests works when it is typed: each command fails, and succeeds with the words of its own error.
# test_logs.sh does the same with labels of logs.
. "$(dirname "$0")/tap.sh"
serve

# mends WRONG PATTERN COMMAND...: the command fails, and succeeds with what PATTERN (of sed, with one group) finds in the
# error: in place of its argument WRONG, or behind it if WRONG is an option with a +, as in +--let. WRONG may be the beginning
# of an argument, as in mesage/ of mesage:exp:1us.
mends() {
    wrong=$1 pattern=$2
    shift 2
    c "$@" && return 1
    right=$(sed -n "s/.*$pattern.*/\1/p" err)
    [ -n "$right" ] || return 1
    case $wrong in
    +*) set -- "$@" "${wrong#+}" "$right" ;;
    *)
        for word; do
            shift
            case $wrong in
            */) word=$(echo "$word" | sed "s/^${wrong%/}\([:=*]\)/$right\1/") ;;
            *) [ "$word" = "$wrong" ] && word=$right ;;
            esac
            set -- "$@" "$word"
        done
        ;;
    esac
    c "$@"
}

R="-p 8 -m 64"
mean='did you mean \([a-z0-9_-]*\)?'
ok "a collective" mends bcats "$mean" run bcats binomial $R
ok "an algorithm" mends binomal "$mean" run bcast binomal $R
ok "a platform" mends lumy "$mean" run bcast binomial $R --platform lumy
ok "an option" mends --platfrom "$mean" run bcast binomial $R --platfrom lumi
ok "a command" mends comapre "$mean" comapre --help
ok "a model" mends hockny "$mean" run bcast binomial $R --model hockny
ok "a library" mends ompi-5x "$mean" best bcast $R --only ompi-5x
ok ".. of a default" mends opmi-5 "$mean" regret opmi-5 bcast -p 8 -m 64
ok ".. before an algorithm" mends opmi-5/ "$mean" run bcast opmi-5:3 $R
ok "an algorithm of a library" mends ompi:binomail "did you mean \([a-z]*\)?" run bcast ompi:binomail $R
ok "noise" mends mesage/ "$mean" run bcast binomial $R --noise mesage:exp:1us
ok "counts" mends lienar "$mean" run allgatherv ring $R --counts lienar
ok "displacements" mends gasp "$mean" run allgatherv ring $R --displs gasp
ok "a parameter in audit" mends segmnet/ "$mean" audit --param segmnet=1M --claim p*alpha bcast pipeline
ok "a format of tune" mends rulse "$mean" tune ompi-4.1 bcast $R --format rulse
ok "a letter of another case" mends P/ "$mean" audit --claim 'P*alpha' bcast linear
ok "a letter that a claim does not define" mends +--let "allowed: --let \([^,]*\)," audit --claim '2alpha + (log P)*beta*n' bcast binomial
printf 'run,bytes,time_us\nmonday,8,2\nmonday,1024,3\nmonday,65536,9\ntuesday,8,2\n' >runs.csv
ok "two runs in a file" mends +--where "as with --where \([a-z=]*\)," calibrate pingpong=runs.csv
cat >nccl.log <<'END'
# nThread 1 nGpus 1 minBytes 1024 maxBytes 2048 step: 2(factor) warmup iters: 1 iters: 20 agg iters: 1 validation: 1 graph: 0
#  Rank  0 Group  0 Pid   6899 on n1 device  0 [0000:04:00] GPU
#  Rank  1 Group  0 Pid   6900 on n1 device  1 [0000:05:00] GPU
#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
        1024           256     float     sum      -1    10.00    0.10    0.10      0    9.00    0.11    0.11      0
        2048           512     float     sum      -1    20.00    0.10    0.10      0    19.00    0.11    0.11      0
END
some='as \([a-z]*=nccl.log\), in compare and plot' all='or \([a-z]*:[a-z]*=nccl.log\) in calibrate and validate'
ok "compare: which test of nccl-tests it is" mends nccl.log "$some" compare nccl.log
ok "plot: the same" mends nccl.log "$some" plot nccl.log
ok "validate: and what ran" mends nccl.log "$all" validate nccl.log
ok "calibrate: the same" mends nccl.log "$all" calibrate nccl.log --set gamma=0.1ns/B --set alpha=1us
printf '# OSU MPI Broadcast Latency Test v7.0\n# Size Avg Latency(us)\n8 2\n64 3\n' >osu.txt
ok "plot: on how many ranks" mends osu.txt "as \([a-z:0-9]*=osu.txt\)" plot osu.txt
printf 'bytes,time_us\n8,2\n64,3\n1024,4\n' >plain.csv
for command in plot calibrate; do
    ok "$command: a CSV that does not say what it has" mends plain.csv '\(pingpong=[a-z.]*\) for' $command plain.csv
done
ok "the process that answered ends well" served_well
echo "1..$n"
