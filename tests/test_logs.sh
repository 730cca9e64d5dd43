#!/bin/sh
# Logs as people have them: the output of jobs, several benchmarks in a file, labels of all kinds. What an error suggests
# works when it is typed.
. "$(dirname "$0")/tap.sh"
serve

# suggests FILE COMMAND...: the command fails with FILE as its last argument, which may have a label, and succeeds with each
# label that the error suggests instead.
suggests() {
    file=${1##*=} last=$1
    shift
    c "$@" "$last" <input && return 1
    tr ' ' '\n' <err | sed 's/[,;]$//' | grep -E '^[a-z_]+(@[a-z]+)?(:[a-z0-9_:-]+)?=.' | sed "s|=FILE\$|=$file|" >labels
    [ -s labels ] || return 1
    while read -r label; do
        c "$@" "$label" <input || return 1
    done <labels
}

# ---- A job's output -------------------------------------------------------------------------------------------------------
cat >job.txt <<'E'
export UCX_TLS=rc
time srun -N2 -n2 osu_latency

# OSU MPI Latency Test v5.8
# Size          Latency (us)
0                       2.00
1024                    2.10
[n017:4711] WARNING: no OpenFabrics device
65536                   8.55
1048576               106.86

real	0m2.270s
user	0m0.073s
# OSU MPI Put Latency Test v5.8
# Size          Latency (us)
0                       1.61
# OSU MPI Allreduce Latency Test v5.8
# Size       Avg Latency(us)
4                      12.00
1024                   13.50
65536                  90.00
E
ok "a job's output: the rows that can be used" gives "alpha   1.999us         4" calibrate job.txt
tr -s ' \n' '  ' <out >flat
ok ".. the lines that are not in a table" says flat "job.txt: passed over: lines 8, 12 to 13, not in a table"
ok ".. the benchmark that is not known" says flat "job.txt: passed over: line 14: this OSU test cannot be used"
ok ".. rows that do not say what ran" says flat \
    "3 rows from line 19 on, which do not say which algorithm ran, or on how many ranks; a label says it, as allreduce:ring:8=job.txt"
ok "compare: the same" gives "job.txt: passed over: lines 8, 12 to 13, not in a table" compare job.txt -p 8
c validate allreduce:ring:8=job.txt
ok "validate: the same" says out "job.txt: passed over: lines 8, 12 to 13, not in a table"
ok ".. of the label's collective" says out "job.txt: passed over: 4 rows that the label does not ask for"
sed 's/^/[1,0]<stdout>:/' job.txt >tagged.txt
ok "prefixes of a launcher" gives "alpha   1.999us         4" calibrate tagged.txt
ok "nothing to use" fails "put.txt:1: this OSU test cannot be used" \
    calibrate "$(sed -n '14,16p' job.txt >put.txt; echo put.txt)"

# A CSV that a job was writing when it ended, with a row that lost a field.
printf '%s\n' collective,bytes,time_us pingpong,0,2.00 pingpong,1024 pingpong,65536,8.55 pingpong,1048576,106.86 pingp >cut.csv
ok "CSV: rows with another number of fields" gives "alpha   2us" calibrate cut.csv
ok ".. are passed over" says out "cut.csv: passed over: line 3: the row has 2 fields; allowed: 3, as in the header"
ok ".. also the last one" says out "cut.csv: passed over: line 6: the row has 1 field; allowed: 3, as in the header"
c run allreduce ring -p 8 -m 8,1K -f csv && cp out cut.csv
{ echo '# of one run'; cat cut.csv; echo allreduce,ring; echo; } >cut2.csv
c plot cut2.csv -o whole.svg
ok "plot: also in what collsim writes" says err "cut2.csv:5: the row has 2 fields; allowed: "
c plot cut.csv -o cut.svg
ok ".. which does not change the picture" cmp cut.svg whole.svg
sed -i 's/,.*//; 1s/$/,x/' cut.csv
ok ".. a file of such rows only" fails 'cut.csv:2: the row has 1 field; allowed: 2' plot cut.csv
printf '%s\n' collective,bytes,time_us pingpong,0 >cut.csv
ok ".. a file of such rows only is refused" fails "cut.csv:2: the row has 2 fields; allowed: 3" calibrate cut.csv

# Date and version of IMB, whose header no table needs.
cat >imb.txt <<'E'
#    Intel(R) MPI Benchmarks 2019 Update 6, MPI-1 part
# Date                  : Mon Mar 11 09:36:51 2019
# MPI Version           : 3.1
# Benchmarking PingPong
# #processes = 2
       #bytes #repetitions      t[usec]   Mbytes/sec
            0         1000         2.00         0.00
         1024         1000         2.10       487.00
        65536          640         8.55      7665.00
      1048576           40       106.86      9812.00
# Benchmarking Allreduce
# #processes = 4
       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]
         1024         1000         6.10         6.20         6.15
E
for command in calibrate compare plot; do
    c $command imb.txt
    cat out err | tr -s ' \n' '  ' >flat
    ok "$command: when and with what it was measured" says flat \
        'imb.txt: measured on Mon Mar 11 09:36:51 2019 with Intel(R) MPI Benchmarks 2019 Update 6, MPI-1 part'
done
{ cat imb.txt; sed 's/Mar 11/Mar 12/' imb.txt; } >twice.txt
c plot twice.txt
tr -s ' \n' '  ' <err >flat
ok ".. of several runs" says flat 'MPI-1 part, and in 1 more run, the last on Mon Mar 12 09:36:51 2019 with Intel(R)'
printf '%s\n' collective,algorithm,ranks,bytes,root,map,time_us allreduce,ring,4,64,0,,8 bcast,binomial,4,64,1,,8 \
    bcast,binomial,4,128,1,,9 bcast,binomial,4,64,0,file.map,9 bcast,binomial,4,64,2,,9 >roots.csv
c validate roots.csv
tr -s ' \n' '  ' <out >flat
ok "validate: rows with another root" says flat "roots.csv: rows that have another root than rank 0 are passed over: 3, lines 3 to 4, 6"
ok ".. with a map that is a file" says flat "roots.csv: rows that have a map that is a file are passed over: 1, line 5"

# ---- Labels -----------------------------------------------------------------------------------------------------------------
# imb BENCHMARK P: a table of the collective's times, of a ring with alpha = 2 us and beta = 0.1 ns/B.
imb() {
    printf '# Benchmarking %s\n# #processes = %s\n#bytes #repetitions t_min[usec] t_max[usec] t_avg[usec]\n' "$1" "$2"
    c run "$3" ring -p "$2" -m 64..64K:x4 -f csv --set alpha=2us --set beta=0.1ns/B --set gamma=0.1ns/B
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { t = $at["time_s"] * 1e6; printf "%d 1000 %.6f %.6f %.6f\n", $at["bytes"], t, t, t }' out
}
{
    echo '# Intel(R) MPI Benchmarks 2021.3, MPI-1 part'
    imb Allreduce 4 allreduce
    imb Allreduce 8 allreduce
    imb Allgather 8 allgather
} >imb.txt
ok "a label picks its collective" gives "beta    0.1ns/B     6" calibrate allgather:ring=imb.txt
tr -s ' \n' '  ' <out >flat
ok ".. and the others are counted" says flat "imb.txt: passed over: 12 rows that the label does not ask for"
ok "a label picks its ranks" gives "imb.txt: passed over: 12 rows that the label does not ask for" \
    calibrate allreduce:ring:4=imb.txt --set gamma=0.1ns/B
c validate allgather:ring=imb.txt --set alpha=2us --set beta=0.1ns/B
ok "validate picks too" says out "collective  allgather     6   0.0 %"
c compare allgather=imb.txt --set alpha=2us --set beta=0.1ns/B
ok "compare picks too" says out "allgather on 8 ranks"
ok ".. and nothing else" says_not out "allreduce"
ok "nothing that the label asks for" fails "imb.txt:5: the log is of allreduce, the label says bcast" calibrate bcast:binomial=imb.txt
ok ".. ranks" fails "imb.txt:5: the log is of 4 ranks, the label says 5" calibrate allreduce:ring:5=imb.txt

# What a library chooses by default, on nodes.
printf '# OSU MPI Allreduce Latency Test v7.4\n# Datatype: MPI_CHAR.\n# Size Avg Latency(us) Min Latency(us) Max Latency(us)\n' >auto.txt
c run allreduce ompi-5:auto -p 4x16 -m 64..64K:x4 -f csv --platform leonardo
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { t = $at["time_s"] * 1e6; printf "%d %.6f %.6f %.6f\n", $at["bytes"], t, t, t }' \
    out >>auto.txt
c validate allreduce:ompi-5:auto:4x16=auto.txt --platform leonardo
ok "validate: LIB:auto on nodes" says out "allreduce     6   0.0 %"
c validate allreduce:ompi-5:auto:64=auto.txt --platform leonardo
ok ".. without nodes it differs" says_not out "allreduce     6   0.0 %"
c calibrate allreduce:ompi-5:auto:64=auto.txt --points --set gamma=0.1ns/B --set beta=0.1ns/B
ok "calibrate: LIB:auto" says out "allreduce ompi-5:auto"
ok "a library that is none" fails "auto.txt:4: unknown library 'ompi-9'" calibrate allreduce:ompi-9:auto:64=auto.txt
ok ".. in validate" fails "auto.txt:4: unknown library 'ompi-9'" validate allreduce:ompi-9:auto:64=auto.txt
c calibrate job.txt allreduce:library:64=auto.txt
tr -s ' \n' '  ' <out >flat
ok "calibrate: library is passed over" says flat \
    "auto.txt: rows of the library's own choice (an unknown algorithm) are passed over; a label may name the library, as ompi-5:auto"
ok "validate: library alone says what else" fails "or allreduce:ompi-5:auto:2x4=FILE" validate allreduce:library:64=auto.txt

# ---- Means over the ranks ---------------------------------------------------------------------------------------------------
# OSU without -f prints the mean over the ranks. In a linear bcast of 8 ranks with alpha = 1 us they end at 7, 1, 2 .. 7 us.
{
    printf '# OSU MPI Broadcast Latency Test v7.4\n# Datatype: MPI_CHAR.\n# Size       Avg Latency(us)\n'
    for m in 8 64 512; do echo "$m 4.375"; done
} >mean.txt
sed 's/Avg Latency(us)/& Max Latency(us)/; s/4.375/& 7.000/' mean.txt >last.txt
H="--set alpha=1us --set beta=0s/B --set gamma=0"
c compare mean.txt -p 8 $H --only ompi-4.1
ok "compare: a mean is held against means" says out "fits ompi-4.1:1 (linear; as 3), off by 0 % on average"
tr -s ' \n' '  ' <out >flat
ok ".. and a note says so" says flat "mean.txt:4 and others: the times are means over the ranks, which end at different times; they are compared with predicted means"
c compare last.txt -p 8 $H --only ompi-4.1
ok ".. not where the log has the last rank's time" says_not out "means"
c validate bcast:linear:8=mean.txt $H
ok "validate: the same" grep -q "bcast  *3   0.0 %  0.0 %" out
c validate bcast:linear:8=mean.txt --model loggp
tr -s ' \n' '  ' <out >flat
ok "a model without means says so" says flat "the model has no means, and the last rank's end stands for them"
c validate bcast:linear:8=last.txt $H
ok ".. and a log of the last rank does not" says_not out "means"
c calibrate bcast:linear:8=mean.txt --set beta=0s/B
ok "calibrate: the same" says out "alpha   1us       3"
c calibrate bcast:linear:8=last.txt --set beta=0s/B
ok ".. as from the last rank's time" says out "alpha   1us       3"
ok "a mean is not a sum of equal steps" fails "the times are means over the ranks, which end at different times, and do not determine \`gap\`" \
    calibrate gap=bcast:linear:8=mean.txt --model measured

# ---- Bases ------------------------------------------------------------------------------------------------------------------
ok "--base: the name of a machine" c calibrate pingpong=job.txt --base LUMI --write base.ini
c run bcast linear -p 4x8 -m 8 --platform lumi && cp out lumi
ok ".. whose levels stay" sh -c 'sed -n "/^\[levels\]/,/^\[/p" base.ini | grep -q "^node = "'
c run bcast linear -p 4x8 -m 8 --platform lumi
ok ".. whose file is not touched" cmp out lumi
ok "--base: a name that is none" fails "unknown platform 'lumy', did you mean lumi?" calibrate pingpong=job.txt --base lumy --write no.ini

# ---- Suggestions ------------------------------------------------------------------------------------------------------------
: >input
{ printf '# OSU MPI Allgather Latency Test v5.8\n'; echo '# Size Avg Latency(us)'; sed -n '/Allgather/,$p' imb.txt | awk 'NR > 3 { print $1, $4 }'; } >osu.txt
ok "an algorithm and ranks" suggests osu.txt calibrate
ok "an algorithm" suggests allreduce=imb.txt calibrate --set gamma=0.1ns/B
ok "ranks" suggests allgather:ring=osu.txt calibrate
cp osu.txt input
ok "standard input" suggests - calibrate
: >input
awk 'NR > 2 { print $1 "," $2 }' osu.txt | sed '1i bytes,time_us' >plain.csv
ok "a CSV that does not say what it has" suggests plain.csv calibrate
sed 's/^\([0-9]*\) .*/\1 0.4/' job.txt >near.txt
printf '[levels]\nnode = 16 ranks\n' >levels.ini
ok "a level" suggests near.txt calibrate --base levels.ini pingpong=job.txt
ok "validate: what ran" suggests auto.txt validate
ok "a label of a ping-pong" suggests pingpong:2=job.txt calibrate
ok "the process that answered ends well" served_well
echo "1..$n"
