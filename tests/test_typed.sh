#!/bin/sh
# What people type: it is accepted where its meaning is plain, with a remark on stderr where it may surprise, and refused with a
# hint otherwise. $COLLSIM is the program.
. "$(dirname "$0")/tap.sh"
serve

same() { # same A B: both command lines succeed and print the same answer
    c $1 && cp out first && c $2 && cmp -s first out
}
same_times() { # same_times A B: the same, but for the --set in the first line
    c $1 && sed 1d out >first && c $2 && sed 1d out | cmp -s first - && [ -s first ]
}
notes() { # notes TEXT ARGUMENTS...: exit 0, and the only line on stderr is the remark TEXT
    text=$1
    shift
    c "$@" && [ "$(cat err)" = "collsim: note: $text" ] && [ -s out ] && says_not out note:
}
silent() { c "$@" && [ ! -s err ]; }
B="run bcast binomial -p 8"

# ---- Sizes ----------------------------------------------------------------------------------------------------------------
for size in 64k 64KiB 65536 65536B 65536.0 0.0625M; do
    ok "-m $size is 64K" same "$B -m $size" "$B -m 64K"
    ok "-m $size: without a remark" silent $B -m $size
done
ok "-m 1.5M" same "$B -m 1.5M" "$B -m 1536K"
ok "-m 64kB: a remark" notes "64kB is taken as 64 KiB, 65536 bytes" $B -m 64kB
ok "-m 1MB: a remark" notes "1MB is taken as 1 MiB, 1048576 bytes" $B -m 1MB
ok "-m 1MB,2MB: one remark" notes "1MB is taken as 1 MiB, 1048576 bytes" $B -m 1MB,2MB
ok "--element 1KB: a remark" notes "1KB is taken as 1 KiB, 1024 bytes" $B -m 1M --element 1KB
ok "--param segment=64kB: a remark" notes "64kB is taken as 64 KiB, 65536 bytes" $B -m 1M --param segment=64kB
ok "-m '8, 16'" sh -c '[ "$("$0" run bcast binomial -p "2, 4" -m "8, 16" --format csv | wc -l)" = 5 ]' "$COLLSIM"
for size in 1e400 1.5 0.5B 1.00000001K 99999999999999999999T 8,,16 " " "" -1 1.K 1KBB 64kb 1PB; do
    ok "-m '$size'" fails "-m: '" $B -m "$size"
done
ok "an integer is needed" fails "--element '1.5'; allowed: 1 .. 1G" $B -m 8 --element 1.5

# ---- Figures --------------------------------------------------------------------------------------------------------------
ok "--set gamma=0" same_times "run allreduce ring -p 8 -m 64K --set gamma=0" "run allreduce ring -p 8 -m 64K --set gamma=0s/B"
ok "--set alpha=0" gives "0 s" $B -m 0 --set alpha=0
ok "--set alpha=1 still needs a unit" fails "alpha: '1' is not a time" $B -m 8 --set alpha=1
for beta in 100Gb/s 100Gbit/s 100Gbps 12500MB/s 0.08ns/B; do
    ok "--set beta=$beta" same_times "$B -m 1M --set beta=$beta" "$B -m 1M --set beta=12.5GB/s"
done
ok "rates are decimal" gives "1 s" run bcast linear -p 2 -m 1000000 --set alpha=0 --set beta=1MB/s
ok "unless they are binary" gives "1 s" run bcast linear -p 2 -m 1M --set alpha=0 --set beta=1MiB/s
ok "--set latency=" same "$B -m 8 --set latency=3us" "$B -m 8 --set alpha=3us"
ok "--set bandwidth=" same "$B -m 1M --set bandwidth=1GB/s" "$B -m 1M --set beta=1GB/s"
ok "--set Alpha=" same "$B -m 8 --set Alpha=3us" "$B -m 8 --set alpha=3us"
ok "--set latenzy=" fails "did you mean latency? allowed: alpha, beta, gamma, latency, bandwidth" $B -m 8 --set latenzy=1us
ok "--set bandwidth=0" fails "a bandwidth above 0" $B -m 8 --set bandwidth=0
ok "--set bandwidth=1us" fails "beta: '1us' is not a cost per byte" $B -m 8 --set bandwidth=1us
ok "--set nicrate=" fails "did you mean nic.rate? allowed: alpha, beta, gamma, latency, bandwidth, nics, nic.rate, nic.messages, memory, write, read, lanes, flag" \
    $B -m 8 --set nicrate=1GB/s
ok "--set nic.rate=0" fails "--set: nic.rate: '0' is not a bandwidth" $B -m 8 --set nic.rate=0
ok "--set nics=1.5" fails "--set: nics: '1.5' is not a valid number" $B -m 8 --set nics=1.5
ok "--set memory=" fails "--set: memory: the table is empty" $B -m 8 --set memory=
ok "--set alpha.far= without levels" same_times "$B -m 8 --set alpha.far=3us" "$B -m 8 --set alpha=3us"
ok "--set alpha.node= without levels" fails "--set: alpha.node: unknown level 'node'; allowed: far" $B -m 8 --set alpha.node=3us
ok "--set alhpa.far=" fails "unknown parameter of hockney 'alhpa', did you mean alpha?" $B -m 8 --set alhpa.far=3us
ok "--set gamma.far=" fails "--set: gamma cannot be given per level; allowed: alpha, beta, L, G, flag, one" $B -m 8 --set gamma.far=0
printf '[levels]\nnode = 4 ranks\n' >levels.ini
ok "--set Latency.Node=" gives "alpha.node=3us" run bcast binomial -p 1x2 -m 8 -f csv --platform ./levels.ini \
    --set beta=0 --set gamma=0 --set alpha=5us --set Latency.Node=3us
ok "--set alpha.node= alone" fails "platform levels lacks alpha.far, beta, which model hockney needs" \
    $B -m 8 --platform ./levels.ini --set alpha.node=3us
ok "--set bandwidth.far=0" fails "a bandwidth above 0" $B -m 8 --set bandwidth.far=0
ok "--set nics= is for hockney" fails "unknown parameter of loggops 'nics'; allowed: L, o, g, gamma, G, O, S" \
    $B -m 8 --model loggops --set nics=2
for set in nics=2 nic.rate=1GB/s nic.messages=1M/s memory=1; do
    ok "--set $set is not for calibrate" fails "--set ${set%%=*}: calibrate fits no figure that a node's ranks share" \
        calibrate none.csv --set $set
done
L="run bcast binomial -p 8 -m 1M --model loggops --platform loggopsim"
ok "--set latency= is L in loggops" same "$L --set gamma=0 --set latency=9us" "$L --set gamma=0 --set L=9us"
ok "--set bandwidth= is G in loggops" same_times "$L --set gamma=0 --set bandwidth=1GB/s" "$L --set gamma=0 --set G=1ns/B"
ok "o and O stay apart" says_not out "did you mean"

# ---- Names ----------------------------------------------------------------------------------------------------------------
for name in broadcast Broadcast MPI_Bcast BCAST mpi_bcast MPI_Broadcast; do
    ok "$name" same "run $name binomial -p 8 -m 8" "$B -m 8"
done
ok "Allreduce" same "run Allreduce Recursive-Doubling -p 8 -m 8" "run allreduce recursive_doubling -p 8 -m 8"
ok "all_reduce" same "run all_reduce ring -p 8 -m 8" "run allreduce ring -p 8 -m 8"
ok "MPI_Reduce_scatter is not MPI_Reduce_scatter_block" same "list MPI_Reduce_scatter_block" "list reduce_scatter_block"
ok "MPI_Bcats: the nearest" fails "unknown collective 'MPI_Bcats'" list MPI_Bcats
for option in "-n 8" "-np 8" "-n8" "-np8" "-p8" "--np 8" "--np=8" "--ranks 8"; do
    ok "$option is -p 8" same "run bcast binomial $option -m 8" "$B -m 8"
done
ok "-np of show" same "show bcast binomial -np 5" "show bcast binomial -p 5"
ok "-nx is not -p" fails "Unknown option" run bcast binomial -nx 8 -m 8
ok "-n for plot is not -p" fails "Unknown option" plot -n 8
for name in LUMI Lumi; do
    ok "--platform $name" same "$B -m 8 --platform $name" "$B -m 8 --platform lumi"
done
ok "--platform lumo: the nearest" fails "did you mean lumi" $B -m 8 --platform lumo
ok "--model Hockney" same "$B -m 8 --model Hockney --format CSV" "$B -m 8 --format csv"

# ---- Lists ----------------------------------------------------------------------------------------------------------------
ok "a list that ends early" notes "-m 8..64M:x8 ends at 16M: 128M is beyond 64M" $B -m 8..64M:x8
ok "of ranks" notes "-p 2..9:+3 ends at 8: 11 is beyond 9" run bcast binomial -p 2..9:+3 -m 8
ok "a list that hits its end" silent $B -m 8..16M:x8
ok "in CSV, stdout has the answer alone" sh -c '[ "$("$0" run bcast binomial -p 8 -m 8..64M:x8 --format csv 2>err | grep -c ^bcast)" = 8 ] && [ -s err ]' "$COLLSIM"
ok "two algorithms" gives "rabenseifner" run allreduce rabenseifner,ring -p 8 -m 64K
ok "are ranked" sh -c 'sed -n "/^algorithm/,/^$/p" out | sed 1d | grep -c . | grep -qx 2 && grep -q "^ring .* 1.44 " out' "$COLLSIM"
ok "in any order, with spaces, each once" sh -c '"$0" run allreduce "ring, rabenseifner,Ring" -p 8 -m 64K >second && cmp out second' "$COLLSIM"
ok "an unknown one of several" fails "did you mean ring" run allreduce rabenseifner,rign -p 8 -m 8
ok "nothing between commas" fails "unknown allreduce algorithm ''" run allreduce rabenseifner,,ring -p 8 -m 8
ok "of both kinds" fails "shared memory" run bcast binomial,shm_flat -p 8 -m 8
ok "two values of a parameter" sh -c '[ "$("$0" run bcast pipeline -p 8 -m 64K --param segment=0,8K --format csv | cut -d, -f3 | tr "\n" " ")" = "params segment=0 segment=8K " ]' "$COLLSIM"
ok "are ranked" gives "pipeline segment=8K" run bcast pipeline -p 8 -m 64K --param segment=0,8K
ok "the product of two parameters" sh -c '[ "$("$0" run bcast chain -p 16 -m 64K --param segment=0,8K --param chains=2,4,4 --format csv | sed 1d | cut -d, -f3 | sort -u | wc -l)" = 4 ]' "$COLLSIM"
ok "for those that have it" sh -c '[ "$("$0" run bcast linear,pipeline -p 8 -m 64K --param "segment=0, 8K" --format csv | sed 1d | wc -l)" = 3 ]' "$COLLSIM"
ok "a wrong value of several" fails "1 or more" run bcast chain -p 8 -m 8 --param chains=4,0
ok "no value between commas" fails "--param segment=''" run bcast pipeline -p 8 -m 8 --param segment=0,,8K
ok "too many points" fails "the lists have 15000 points; allowed: at most 10000" run bcast pipeline -p 1..5000 -m 8 --param segment=1,2,3
for command in "show bcast pipeline" "best bcast -p 8 -m 8" "crossover bcast pipeline binomial -p 8" \
    "export goal bcast pipeline -p 8 -m 8"; do
    ok "${command%% *}: one value" fails "allowed: one value" $command --param segment=0,1
done
ok "export: one algorithm" fails "a schedule belongs to one algorithm" export goal bcast linear,binomial -p 8 -m 8

# ---- What cannot run ------------------------------------------------------------------------------------------------------
ok "what can run runs, and the rest is named" notes "allgather two_procs did not run on 4 ranks: p is not 2" \
    run allgather two_procs -p 2,4 -m 8
ok "the answer has the others" says out "1 alpha + 8 beta"
ok "for all numbers of ranks at once" notes "allgather two_procs did not run on 3, 4, 5, 6, 7, 8, 9, 10 and 2 other numbers of ranks: p is not 2" \
    run allgather two_procs -p 2..12 -m 8
ok "of several algorithms" notes "allgather two_procs did not run on 4 ranks: p is not 2" run allgather ring,two_procs -p 4 -m 8
ok "nothing runs: exit 2" fails "allgather two_procs cannot run on 4 ranks: p is not 2; allowed: " run allgather two_procs -p 4,5 -m 8

# ---- Arguments ------------------------------------------------------------------------------------------------------------
ok "run: nothing" fails "collsim: run takes COLLECTIVE ALGORITHM|all, or --goal FILE, but COLLECTIVE is missing; see collsim run --help" run
ok "run: no algorithm" fails "but ALGORITHM is missing; see collsim run --help" run allreduce -p 8 -m 8
ok "run: too many" fails "but 'extra' comes after that" run allreduce ring extra
ok "show: no algorithm" fails "show takes COLLECTIVE ALGORITHM, but ALGORITHM is missing" show bcast
ok "crossover: B is missing" fails "but B is missing" crossover bcast linear
ok "plot: no file" fails "but FILE is missing" plot
ok "measure: nothing" fails "but COLLECTIVE is missing" measure
ok "export goal: no algorithm" fails "export goal takes COLLECTIVE ALGORITHM, but ALGORITHM is missing" export goal bcast
ok "an unknown option: the nearest" fails "Unknown option --sett, did you mean --set? see" $B --sett alpha=1us
ok "far from all" fails "Unknown option --zzzzzzz; see collsim run --help" $B --zzzzzzz

# ---- Version and help -----------------------------------------------------------------------------------------------------
ok "--version" sh -c '"$0" --version >out && grep -qxE "collsim [0-9]+\.[0-9]+\.[0-9]+" out' "$COLLSIM"
ok "-V" same --version -V
ok "help" same help --help
ok "help of an unknown command" fails "did you mean list" help lits
narrow() { # no line of the help is too long, and no two are empty
    c "$@" --help && awk 'length > 80 || ($0 == "" && last == "" && NR > 1) { bad = 1; print "# " $0 > "err" } { last = $0 } END { exit bad }' out
}
c --help
i=0
for command in $(sed -n 's/^  \([a-z]\{4,\}\)  .*/\1/p' out) best 'export goal' 'export dot' 'export smpi-platform'; do
    ok "help $command: at most 80 columns" narrow $command
    takes $((i += 1)) 6 && ok "help $command" sh -c '"$COLLSIM" help $1 >first && cmp first out' sh "$command"
done
ok "help: at most 80 columns" narrow
ok "the process that answered ends well" served_well
echo "1..$n"
