#!/bin/sh
# collsim sweep and merge: the rows are those of run; whatever stops a sweep, the same command goes on, and the file in the
# end has the same bytes, also from shards.
root=$(realpath "$(dirname "$0")/..")
. "$(dirname "$0")/tap.sh"
GRID='allreduce all -p 8,9,16x2 -m 8,64K --set beta=x1,x0.5'
sweep() { c sweep $GRID -o "$@"; } # sweep OUT..: the grid that most of the tests have
rows() { tail -n +3 "$1.rows"; }
same() { cmp -s "$1" good.csv; }

sweep good.csv || { echo "Bail out! $(cat err)" && exit 1; }

# ---- Rows -------------------------------------------------------------------------------------------------------------
as_run() { # a sweep of one machine has the lines of run in the columns of run, in its order
    c sweep bcast all -p 4,6x2 -m 8,64K -o one.csv && c run bcast all -p 4,6x2 -m 8,64K -f csv && cp out run.csv || return 1
    for field in collective algorithm params ranks bytes time_s x_best x_bound ranking messages certificate nodes; do
        [ "$(column $field one.csv)" = "$(column $field run.csv)" ] || return 1
    done
}
ok 'the rows are those of run, with their ranking' as_run
uneven() { # linear is the best: one rank has all bytes, and what tells on equal blocks must not exclude it
    c sweep gatherv linear,best -p 300 -m 8 --counts one-big --platform lumi -o uneven.csv &&
        [ "$(column time_s uneven.csv | tail -n 1)" = "$(column time_s uneven.csv | head -n 1)" ]
}
ok 'the best of unequal blocks is found by their own lengths' uneven
from_roots() { # the best from each root are those of best there
    c sweep gather linear,best -p 10 --map block:4 -m 4K --root 0,9 --platform lumi -o roots.csv || return 1
    for i in 0 9; do
        c best gather -p 10 --map block:4 -m 4K --root $i --platform lumi --top 1 -f csv &&
            [ "$(column time_s | head -n 1)" = "$(awk -F, -v root=$i 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
                $at["root"] == root { time = $at["time_s"] } END { print time }' roots.csv)" ] || return 1
    done
}
ok 'the best from each root' from_roots
foreseen() { # a long one says how long it takes once its first points are done, and is stopped here
    background "$COLLSIM" sweep allreduce all -p 2000..2400 -m 8..8M:x2 -o long.csv
    wait_for grep -q takes err
    kill $pid
    wait $pid
    grep -qx 'collsim: note: running [0-9]* points takes about [0-9]* \(s\|minutes\), at the rate of the first [0-9]*' err
}
ok 'a long sweep says how long it takes' foreseen
# .. which depends on the clock, so that it is not in the `err` of a test, whatever else is, and whatever the status is
passed_over() {
    grep takes err >said && echo 'collsim: note: another' >>said || return 1
    (COLLSIM='sh' && c -c 'cat said >&2; exit 3')
    [ $? = 3 ] && [ "$(cat err)" = 'collsim: note: another' ]
}
ok 'tests pass over that' passed_over
scaled() { [ "$(grep beta=x0.5 good.csv | cut -d, -f31 | sort -u)" = 3.9999999999999998e-11 ]; }
ok 'a figure is scaled' scaled
choices() { # best is what best finds; tuned is at least as fast as best finds this algorithm, and its row says what ran
    c sweep bcast chain,tuned:chain,best,ompi:auto -p 16 -m 64K -o tuned.csv && c best bcast -p 16 -m 64K -f csv --top 100 &&
        [ "$(column time_s tuned.csv | tail -n 1)" = "$(column time_s | head -n 1)" ] &&
        tuned=$(awk -F, '/,tuned:chain,/ { print $10 }' tuned.csv) params=$(awk -F, '/,tuned:chain,/ { print $3 }' tuned.csv) &&
        awk -F, -v tuned="$tuned" '$2 == "chain" { exit !(tuned > 0 && tuned <= $10) }' out &&
        c run bcast chain -p 16 -m 64K --param "${params%;*}" --param "${params#*;}" -f csv && [ "$(column time_s)" = "$tuned" ] &&
        [ "$(column algorithm tuned.csv | tr '\n' ' ')" = 'chain ompi-4.1:auto tuned:chain best ' ] &&
        grep -q '^bcast,best,' tuned.csv && grep -q '^bcast,tuned:chain,segment=' tuned.csv
}
ok 'tuned: and best are what best finds' choices
under() { # and of another model
    c sweep bcast best -p 8 -m 64K --model loggops -o loggops.csv && c best bcast -p 8 -m 64K --model loggops -f csv &&
        [ "$(column time_s loggops.csv | tail -n 1)" = "$(column time_s | head -n 1)" ] && grep -q ,loggops, loggops.csv
}
ok '.. under loggops too' under
notes() { # what cannot run at some points has rows that say why
    c sweep reduce all -p 2,8 -m 4,8 --element 8 --root 7 -o notes.csv &&
        grep -q '^reduce,binomial,[^,]*,2,8,7,.*,,cannot run: --root 7 is not among 2 ranks,,,1$' notes.csv &&
        grep -q '^reduce,binomial,[^,]*,8,4,7,.*,cannot run: -m 4 is not a multiple of --element 8,,,1$' notes.csv &&
        [ "$(column algorithm notes.csv | grep -cx binomial)" = 4 ]
}
ok 'points that cannot run have notes' notes
nothing() { # a search that finds nothing has a row without parameters, also if these would be algorithms
    c sweep allreduce tuned:han,tuned:ring,best -p 8,2x4 -m 8 -o nothing.csv &&
        [ "$(grep -c '^allreduce,tuned:han,,8,8,0,.*,cannot run: no parameters meet its needs,han,,,1$' nothing.csv)" = 1 ] &&
        grep -q '^allreduce,tuned:han,segment=[^,]*,8,8,0,.*,han,[123],[0-9.e-]*,1$' nothing.csv
}
ok 'a search that finds nothing has a note' nothing
prune() { # what is pruned is slower by the factor; everything else is as without
    c sweep allreduce all -p 8,9 -m 8,1M -o all.csv && c sweep allreduce all -p 8,9 -m 8,1M --prune 2 -o few.csv &&
        awk -F, 'NR == FNR { t[FNR] = $10; key = $4 "," $5; if (!(key in least) || $10 < least[key]) least[key] = $10; next }
            FNR > 1 && !/pruned: at least/ && $10 != t[FNR] { exit 1 }
            FNR > 1 && /pruned: at least/ { n++; if ($10 != "" || t[FNR] < 2 * least[$4 "," $5]) exit 1 }
            END { if (n < 10) exit 1 }' all.csv few.csv
}
ok '--prune leaves out what is too slow, and nothing else' prune
equal() { # on 3 ranks both take 2 alpha; on 2 ranks one takes as long as the other, and on 4 ranks 3 alpha and 2
    c sweep bcast linear,binomial -p 2,3,4 -m 8 --set beta=0 --prune $1 -o equal$1.csv && [ "$(grep -c pruned equal$1.csv)" = $2 ]
}
ok '--prune keeps what takes as long as the fastest' equal 1 1
ok '.. and what takes exactly K times as long' equal 1.5 0
ok '.. but not what takes longer' equal 1.49 1
readers() { # a plot and a validation read the file
    c plot notes.csv && c validate all.csv --platform generic-100g && says out ' 0.0 %' && c calibrate all.csv
}
ok 'plot, validate and calibrate read it' readers
sizes() { fails 'more than 10,000,000 points' sweep bcast all -p 1..10000 -m 0..9999 --root all -o x.csv && [ ! -e x.csv.rows ]; }
ok 'the size of the grid is checked' sizes

# ---- What stops a sweep -----------------------------------------------------------------------------------------------
again() { rm good.csv && sweep good.csv && says out '0 points done' && cp good.csv a.csv && cp good.csv.rows a.csv.rows; }
ok 'a sweep that is complete runs nothing again' again
torn() { # every length of the last line, and of the head
    total=$(wc -c <good.csv.rows)
    for cut in 1 2 9 30 200; do
        head -c $((total - cut)) good.csv.rows >t.csv.rows
        sweep t.csv && says out '1 point done' && cmp -s t.csv.rows good.csv.rows && same t.csv || return 1
    done
    for cut in 0 1 20 100 300; do
        head -c $cut good.csv.rows >t.csv.rows
        sweep t.csv && says_not out ' 1 point ' && same t.csv || return 1
    done
}
ok 'a torn line is recognised and its point run again' torn
damaged() { # a line whose bytes changed, and an empty one
    sed '10s/,8,/,9,/; 20s/.*//' good.csv.rows >d.csv.rows
    sweep d.csv && says err '2 damaged lines' && says out '2 points done' && same d.csv
}
ok 'a damaged line is run again' damaged
kills() { SEED=1 sh "$root/tests/kills.sh" 10 >out; }
ok 'ten kills lose nothing and double nothing' kills
full() { # a file that may not grow: what was written stays
    { (trap '' XFSZ && ulimit -f 20 && "$COLLSIM" sweep $GRID -o f.csv) 2>&1 | cat; } >err
    grep -q 'f.csv.rows: .*; what is done is kept' err && [ ! -e f.csv ] && sweep f.csv && same f.csv &&
        ! grep -q ' 0 before' out
}
ok 'a full disk keeps what is done' full
other() { # another specification, machine, or kind of file leaves the rows as they are
    cp good.csv.rows o.csv.rows
    fails 'o.csv.rows belongs to another specification' sweep allreduce all -p 8 -m 8 -o o.csv && same_rows || return 1
    echo hello >h.csv.rows
    fails 'h.csv.rows is not a file of collsim sweep' sweep bcast all -p 4 -m 8 -o h.csv && [ "$(cat h.csv.rows)" = hello ] &&
        two_levels 2 4us 1us 1ns/B 1ns/B 1ns/B >m.ini && c sweep bcast all -p 4 -m 8 --platform m.ini -o m.csv &&
        sed -i 's/4us/5us/' m.ini && fails 'm.csv.rows belongs to another' sweep bcast all -p 4 -m 8 --platform m.ini -o m.csv
}
same_rows() { cmp -s o.csv.rows good.csv.rows; }
ok 'rows of another specification are refused' other
locked() {
    cp good.csv.rows l.csv.rows
    flock l.csv.rows "$COLLSIM" sweep $GRID -o l.csv >out 2>err
    [ $? = 2 ] && says err 'another process writes l.csv.rows'
}
ok 'one process at a time writes the rows' locked
one_thread() { one_core "$COLLSIM" sweep $GRID -o s.csv >out 2>err && same s.csv; }
ok 'one thread writes the same' one_thread

# ---- Shards -----------------------------------------------------------------------------------------------------------
shards() {
    for i in 1 2 3; do sweep p.csv --shard $i/3 || return 1; done
    [ ! -e p.csv ] && c merge p.csv.*.rows -o p.csv && same p.csv && c merge p.csv.*.rows && cmp -s out good.csv &&
        sweep p.csv --shard 3/4 && sweep p.csv --shard 1/4 && # 1/2 has what 1/4 and 3/4 have
        sweep p.csv --shard 2/2 && c merge p.csv.?-of-4.rows p.csv.2-of-2.rows && cmp -s out good.csv
}
ok 'shards merge to the same bytes' shards
spread() { # each shard has its part of every number of ranks
    for i in 1 2 3; do awk -F, 'NR > 2 { print $9 }' p.csv.$i-of-3.rows | sort | uniq -c; done |
        awk '{ if (!least[$2] || $1 < least[$2]) least[$2] = $1; if ($1 > most[$2]) most[$2] = $1 }
             END { for (p in least) if (most[p] > least[p] + 4) exit 1 }'
}
ok 'shards have parts of every number of ranks' spread
modes() { # who else may use kept rows, which others may merge, is for the umask to say
    (umask 027 && c sweep bcast binomial -p 4,8 -m 8 -o mode.csv --shard 1/2) && (umask 0 && c sweep bcast binomial -p 4,8 -m 8 -o mode.csv --shard 2/2) &&
        [ "$(stat -c %a mode.csv.1-of-2.rows mode.csv.2-of-2.rows | tr '\n' ' ')" = '640 666 ' ]
}
ok 'rows have the mode that the umask leaves' modes
bad_merges() {
    fails 'points are missing, first number' merge p.csv.1-of-3.rows p.csv.3-of-3.rows &&
        fails 'belongs to another specification' merge p.csv.1-of-3.rows m.csv.rows &&
        fails 'is not a file of rows' merge good.csv &&
        fails 'nothere: No such file' merge nothere &&
        fails '-o ./p.csv.1-of-3.rows is one of the files to merge' merge p.csv.?-of-3.rows -o ./p.csv.1-of-3.rows &&
        sed 's/,[0-9a-f]*$/,00000000/; 1,2s/,00000000$//' p.csv.1-of-3.rows >broken.rows &&
        fails 'is not a file of rows' merge broken.rows
}
ok 'merge says what is wrong' bad_merges

# auto TEXT VARIABLE=VALUE..: what --shard auto makes of an environment
auto() {
    text=$1
    shift
    env -u OMPI_COMM_WORLD_RANK -u PMI_RANK -u SLURM_PROCID -u SLURM_ARRAY_TASK_ID "$@" \
        "$COLLSIM" sweep bcast binomial -p 4 -m 8 -o e.csv --shard auto >out 2>err
    grep -qF -- "$text" err || { echo "# $*: $(cat err)" && return 1; }
}
array='SLURM_ARRAY_TASK_ID=5 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_MAX=7 SLURM_ARRAY_TASK_STEP=2 SLURM_ARRAY_TASK_COUNT=4'
launchers() {
    auto 'shard 3/8 (OMPI' OMPI_COMM_WORLD_RANK=2 OMPI_COMM_WORLD_SIZE=8 SLURM_PROCID=0 SLURM_NTASKS=5 PMI_RANK=1 PMI_SIZE=3 &&
        auto 'shard 2/3 (PMI' SLURM_PROCID=0 SLURM_NTASKS=5 PMI_RANK=1 PMI_SIZE=3 &&
        auto 'shard 5/5 (SLURM_PROCID=4, SLURM_NTASKS=5)' SLURM_PROCID=4 SLURM_NTASKS=5 &&
        auto 'shard 3/4 (SLURM_ARRAY_TASK_ID=5, task 3 of 4)' $array &&
        auto 'shard 3/4 (' SLURM_PROCID=0 $array && auto 'shard 6/8 (' SLURM_PROCID=1 SLURM_NTASKS=2 $array
}
ok '--shard auto takes the launcher, and the array around it' launchers
most() { # of 2^20 shards, the last one is 8192 tasks of an array with 128 ranks each; one rank more is too much
    large='SLURM_ARRAY_TASK_ID=8191 SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_MAX=8191 SLURM_ARRAY_TASK_COUNT=8192'
    auto 'shard 1048576/1048576 (' PMI_RANK=127 PMI_SIZE=128 $large &&
        auto 'the array and its ranks make more than 1048576 shards; allowed: fewer' PMI_RANK=127 PMI_SIZE=129 $large
}
ok '--shard auto has at most 2^20 shards' most
bad_launchers() {
    auto 'no launcher is in the environment' A=1 &&
        auto 'allowed: ranks below the size' PMI_RANK=3 PMI_SIZE=3 && auto 'PMI_SIZE is ' PMI_RANK=3 PMI_SIZE=many &&
        auto 'the Slurm array has 3 tasks from 1 to 6' SLURM_ARRAY_TASK_ID=5 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_MAX=6 \
            SLURM_ARRAY_TASK_STEP=1 SLURM_ARRAY_TASK_COUNT=3
}
ok '--shard auto says what it does not understand' bad_launchers

# ---- Specifications ---------------------------------------------------------------------------------------------------
cat >spec.ini <<'END'
# the grid of this test
[sweep]
collective = allreduce
algorithm = all
p = 8,9,16x2
m = 8, 64K
[set]
beta = x1, x0.5
END
from_file() { c sweep spec.ini -o i.csv && same i.csv && [ "$(head -n 1 i.csv.rows)" = "$(head -n 1 good.csv.rows)" ]; }
ok 'a file is the same specification as options' from_file
shipped() { c sweep "$root/experiments/sweeps/what_if.ini" -o w.csv && says out "$(($(wc -l <w.csv) - 1)) points done"; }
ok 'the example of experiments/ runs' shipped
grids() { # collectives without a root, models without a transfer, and algorithms that only one collective has
    c sweep bcast,allreduce ring,binomial -p 4 -m 8 --root 0,3 --model hockney,loggp --transfer eager,rendezvous -o g.csv &&
        [ "$(cut -d, -f1,2,6,8,9 g.csv | tail -n +2 | tr '\n' ' ')" = "bcast,binomial,0,hockney,eager \
bcast,binomial,3,hockney,eager bcast,binomial,0,hockney,rendezvous bcast,binomial,3,hockney,rendezvous \
bcast,binomial,0,loggp, bcast,binomial,3,loggp, allreduce,ring,0,hockney,eager allreduce,ring,0,hockney,rendezvous \
allreduce,ring,0,loggp, " ]
}
ok 'dimensions that a collective or model does not have count once' grids
spec() { # spec TEXT LINES: the specification has this error
    printf '%b' "$2" >bad.ini
    fails "$1" sweep bad.ini -o x.csv || { echo "# $2: $(cat err)" && return 1; }
}
S='[sweep]\ncollective = bcast\nalgorithm = all\n'
errors() {
    spec 'bad.ini:4: p is set twice' "[sweep]\ncollective = bcast\np = 4\np = 5\n" && spec "bad.ini:2: unknown key in [sweep] 'colective'" '[sweep]\ncolective = x' &&
        spec "bad.ini:1: unknown section 'sweeep', did you mean sweep?" '[sweeep]\np = 4' &&
        spec 'bad.ini:3: section [sweep] appears twice' '[sweep]\np = 4\n[sweep]\n' && spec 'bad.ini:2: p is empty' '[sweep]\np =\n' &&
        spec 'the sweep has no collective' '[sweep]\np = 4\n' && spec '-p is missing' "$S" &&
        spec 'bad.ini:6: beta is set twice' "${S}[set]\nbeta = x1\nbeta = x2\n" &&
        spec 'is not a valid line' 'p = 4\n' && fails 'spec.ini both say what the grid is' sweep spec.ini -p 4 -o x.csv &&
        fails '-o is missing' sweep spec.ini && fails "algorithm 'chainn', did you mean chain?" sweep bcast,reduce chainn -p 4 -m 8 -o x.csv &&
        fails "--prune '0.5'" sweep bcast all -p 4 -m 8 --prune 0.5 -o x.csv && fails "--shard '3/2'" sweep spec.ini --shard 3/2 -o x.csv &&
        fails '-p has 8 ranks twice' sweep bcast all -p 4..16:x2,8 -m 8 -o x.csv && fails '-m has 8 bytes twice' sweep bcast all -p 4 -m 8,8 -o x.csv &&
        fails "collectives has 'bcast' twice" sweep bcast,bcast all -p 4 -m 8 -o x.csv &&
        fails "the list of machines has 'lumi beta=x1' twice" sweep bcast all -p 4 -m 8 --platform lumi --set beta=x1,x1 -o x.csv &&
        fails 'ALGORITHM is missing behind bcast' sweep bcast -p 4 -m 8 -o x.csv && fails 'no choice of transfers' sweep bcast all -p 4 -m 8 \
            --model loggp --transfer eager -o x.csv && [ ! -e x.csv.rows ]
}
ok 'what is wrong is said in one line' errors
echo "1..$n"
