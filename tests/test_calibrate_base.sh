#!/bin/sh
# Machines from logs: what labels say about levels is obeyed or refused under every model, and a file that is written is
# read back: what was calibrated is what runs use by default, and everything else is as in --base.
. "$(dirname "$0")/tap.sh"
serve

# osu FILE ALPHA BETA: a log of osu_latency whose times in us are ALPHA + bytes BETA.
osu() {
    { echo '# OSU MPI Latency Test v7.0'; echo '# Size Latency (us)'
      awk -v a="$2" -v b="$3" 'BEGIN { for (m = 1; m <= 4194304; m *= 2) printf "%d %.6f\n", m, a + m * b }'; } >"$1"
}
# figure FILE NAME: the value of a figure, as the file has it
figure() { sed -n "s/^$(echo "$2" | sed 's/[.]/[.]/g') = //p" "$1"; }
has() { [ "$(figure "$1" "$2")" = "$3" ]; } # has FILE NAME VALUE
osu far.txt 1.6 0.0001
osu near.txt 0.3 0.0002
osu socket.txt 0.2 0.0002
printf '[levels]\nnode = 16 ranks\n' >levels.ini
printf '[levels]\nsocket = 8 ranks\nnode = 2 sockets\ngroup = 4 nodes\n' >three.ini
two_levels 16 9us 8us 7ns/B 6ns/B 0.3ns/B >both.ini

# ---- Labels of levels ---------------------------------------------------------------------------------------------------
ok "each level has its own line" gives "alpha.node  300ns" calibrate far.txt one@node=near.txt --base levels.ini
ok ".. also far" says out "alpha.far   1.6us"
ok ".. and the pieces" says out "One line fits all one-way times at node."
c calibrate far.txt one@node=near.txt --base levels.ini --write l.ini
for f in alpha=1.6us alpha.node=300ns beta=0.1ns/B beta.node=0.2ns/B node="16 ranks"; do
    ok "written: $f" has l.ini "${f%%=*}" "${f#*=}"
done
ok "the file says where it comes from" says l.ini "alpha.node.source = near.txt (OSU, one-way latency): line through one-way times"
ok "inside a node" gives "300 ns" run bcast binomial -p 1x2 -m 0 --platform ./l.ini
ok "between nodes" gives "1.6 us" run bcast binomial -p 2x1 -m 0 --platform ./l.ini
c calibrate far.txt one@node=near.txt --base both.ini --write b.ini
for f in alpha.node=300ns beta.node=0.2ns/B alpha=1.6us beta=0.1ns/B gamma=0.3ns/B; do
    ok "the base's values are replaced: $f" has b.ini "${f%%=*}" "${f#*=}"
done
c calibrate one@node=near.txt --base both.ini --write b.ini
for f in alpha.node=300ns beta.node=0.2ns/B alpha=9us beta=7ns/B; do
    ok "one level: the others stay: $f" has b.ini "${f%%=*}" "${f#*=}"
done
ok ".. and what is not measured is not called missing" says_not out missing
c calibrate far.txt one@node=near.txt --base three.ini --write t.ini
for f in alpha.socket=300ns alpha.node=300ns alpha=1.6us; do
    ok "a level without rows is as the next outer one: $f" has t.ini "${f%%=*}" "${f#*=}"
done
ok ".. and says so" says t.ini "alpha.socket.source = as at node: near.txt"
c calibrate far.txt one@node=near.txt one@socket=socket.txt --base three.ini -f csv
ok "three levels, as CSV" [ "$(cut -d, -f3 out | grep -c '^alpha[.]\(far\|node\|socket\)$')" = 3 ]
ok "--set at a level is taken as it is" gives "alpha.node  5us" calibrate far.txt one@node=near.txt --base levels.ini --set alpha.node=5us
ok ".. also without rows of the level" c calibrate far.txt --base levels.ini --set alpha.node=5us --write set.ini
ok ".. which is written" has set.ini alpha.node 5us
ok ".. and beta is as at far" says_not set.ini beta.node
ok "loggops: --set at a level" c calibrate far.txt --model loggops --base levels.ini --set G.node=5ns/B --write set.ini
ok ".. is written too" has set.ini G.node 5ns/B
ok "far alone may be named" gives "alpha   1.6us" calibrate one@far=far.txt
ok "an unknown level" fails "near.txt: the label: unknown level 'nod', did you mean node? allowed: node, far" \
    calibrate far.txt one@nod=near.txt --base levels.ini
ok "no levels" fails "near.txt: the label has the level 'node', and the machine has none; allowed: --base with a platform that has [levels]" \
    calibrate far.txt one@node=near.txt
ok "nothing for far" fails "alpha is known at level node, but not at far; allowed: with rows of far" \
    calibrate one@node=near.txt --base levels.ini --write no.ini
ok ".. and no file" [ ! -e no.ini ]
head -n 4 near.txt >few.txt
ok "too few sizes at a level" fails "alpha and beta of level node cannot be determined; missing: one-way times of at least 3" \
    calibrate far.txt one@node=few.txt --base levels.ini
for model in loggops loggp logp; do
    ok "$model: a level" fails "near.txt:3: the label has the level node, and figures of $model are found at far only" \
        calibrate far.txt one@node=near.txt --model $model --base levels.ini
done
ok "shared" fails "near.txt:3: the label has \`one\`, which model shared does not know; allowed: flag, or --model measured" \
    calibrate one@node=near.txt --model shared --base levels.ini
c run bcast pipeline -p 4 -m 8..64K:x8 -f csv
grep -v '^#' out >bcast.csv
ok "hockney: a collective inside a node" fails "the label has the level node, where hockney takes one-way times only" \
    calibrate far.txt one@node=bcast:pipeline=bcast.csv --base levels.ini
c run allgather ring -p 4 -m 8..64K:x8 -f csv
grep -v '^#' out >ring.csv
for model in hockney loggops; do
    ok "$model: step" fails "the label has \`step\`, which model $model does not know; allowed: one, or --model measured" \
        calibrate far.txt step=allgather:ring=ring.csv --model $model
done
for command in validate compare; do
    ok "$command: a table" fails "label step: $command fits no tables; allowed: COLLECTIVE=FILE" \
        $command step=allgather:ring=ring.csv
done

# ---- Tables of several levels -----------------------------------------------------------------------------------------------
cat far.txt near.txt >tables.txt
ok "two tables of one file" fails "tables.txt:4 has 1.6 us for 2 bytes, and tables.txt:29 has 300.4 ns" calibrate tables.txt
ok ".. which need a file each" says err "or a file for each table and labels that say the level, as one@node=FILE"
ok "two files of one label" fails "near.txt:4 has 300.4 ns: rows of one level are not so far apart" \
    calibrate one@far=far.txt one@far=near.txt --model measured
awk 'NR > 3 { $2 *= 2.9 } { print }' far.txt >slow.txt
ok "less than 3 times apart: both count" c calibrate far.txt slow.txt
awk 'NR == 3 { $2 *= 9 } { print }' far.txt >cold.txt
ok "a first row that is cold is not compared" c calibrate far.txt cold.txt
c run allgather ring -p 4 -m 8..64K:x8 -f csv --set alpha=9us
cp out slow.csv
c run allgather ring -p 4 -m 8..64K:x8 -f csv
cp out fast.csv
ok "collectives" fails "slow.csv:2 has 27 us for 8 bytes, and fast.csv:2 has 3.002 us: rows of one level are not so far apart" \
    calibrate slow.csv fast.csv --model measured
ok ".. and the label for them" says err "as step@node=fast.csv"
for s in 1 3 4; do # without beta, all take three times these seconds
    "$COLLSIM" run allgather ring -p 4 -m 8 -f csv --set alpha=${s}s --set beta=0 >$s.csv
done
apart() { c calibrate "$@" --model measured; says err 'rows of one level are not so far apart'; }
ok "more than 3 times apart, in both orders" sh -c '[ "$(wc -l <1.csv)" = 2 ]' && apart 1.csv 4.csv && apart 4.csv 1.csv
not_apart() { ! apart "$@"; }
ok "exactly 3 times is not more" not_apart 1.csv 3.csv
ok ".. nor in the other order" not_apart 3.csv 1.csv

# ---- What is not calibrated is as before --------------------------------------------------------------------------------
cat >full.ini <<'E'
# A machine that has all sections
[machine]
title = Full
network = wires
mpi = Open MPI 5.0.6
note = a note

[levels]
# of this many cores
socket = 8 ranks
node = 2 sockets
source = the vendor

[hockney]
alpha = 2us
alpha.source = alpha of all others
alpha.node = 0.40us
alpha.node.source = alpha of a node
alpha.socket = 0.20us
alpha.socket.source = alpha of a socket
beta = 12.5GB/s
beta.source = beta of all
gamma = 0.10ns/B
gamma.source = gamma of all

[measured]
one.socket = 8:0.2us 1M:100us
one.socket.source = one of a socket
one.node = 8:0.30us 1M:120us
one.node.source = one of a node
one.far = 8:2us 1M:90us
one.far.source = one of far
step.node = 8:0.35us 1M:140us
step.node.source = step of a node
gap.far = 8:0.3us 1M:80us
gap.far.source = gap of far
eager.far = 16K
eager.far.source = eager of far
lambda = 0.5
lambda.source = lambda of all
ports = 1
ports.source = ports of all
gamma = 0.11ns/B
gamma.source = gamma of measured
copy = 0.05ns/B
copy.source = copy of all
fresh = 0.45ns/B above 32M
fresh.source = fresh of all

[loggops]
L = 1us
L.source = L of all
o = 0.3us
o.source = o of all
g = 0.2us
g.source = g of all
G = 0.1ns/B
G.source = G of all
O = 0.01ns/B
O.source = O of all
S = 64K
S.source = S of all

[shared]
write = 0.20ns/B
write.source = write of all
read = 0.3ns/B
read.source = read of all
flag = 50ns
flag.source = flag of all
lanes = 3
lanes.source = lanes of all

[node]
nics = 2
nics.source = nics of all
nic.rate = 25GB/s
nic.rate.source = rate of all
nic.messages = 10M/s
nic.messages.source = messages of all
memory = 4K:0.35 1M:1
memory.source = memory of all

[topology]
kind = torus
shape = 4,4
shape.source = shape of all
E
# kept FILE KEY...: FILE has all lines of full.ini that are not blank, apart from those of the keys and their sources
kept() {
    file=$1
    shift
    keys=$(echo "$*" | sed 's/[.]/[.]/g; s/ /|/g')
    grep -v '^$' full.ini | grep -Ev "^($keys)([.]source)? = " >expected
    while read -r line; do grep -qxF -- "$line" "$file" || { echo "lost: $line" >err; return 1; }; done <expected
}
new() { c calibrate "$@" --base full.ini --write new.ini; } # new ARGUMENTS...: calibrates, and writes new.ini
flat() { tr -s ' \n' ' ' <"$1" >flat.txt && says flat.txt "$2"; } # flat FILE TEXT: the file has the text, wherever lines break
ok "the base itself can be read" c run bcast binomial -p 2x16 -m 8 --platform ./full.ini
ok "measured: one level" new one@far=far.txt --model measured
ok ".. the rest is as before" kept new.ini one.far
ok ".. the answer says so" says out "one.node: as it was, one of a node"
ok ".. and what was measured is new" says new.ini "one.far = 1:1.6us"
ok ".. its runs have it" c run bcast pipeline -p 2x1 -m 64 --platform ./new.ini
ok ".. by default" says out "model measured"
ok ".. at far" says out "1.606 us"
ok ".. and what was in a node" c run bcast pipeline -p 1x2 -m 8 --platform ./new.ini
ok ".. as it was" says out "200 ns"
ok "measured: an inner level" new one@node=near.txt --model measured
ok ".. the rest is as before" kept new.ini one.node
ok "measured: steps alone" new step@far=allgather:ring=ring.csv --model measured
ok ".. the rest is as before" kept new.ini
ok ".. and one was not made of them" says_not new.ini "one.far.source = ring"
ok ".. but step" says new.ini "step.far.source = ring.csv"
{ echo '# OSU MPI Bandwidth Test v7.0'; echo '# Size Bandwidth (MB/s)'
  for m in 1 8 64 512 4096 32768; do echo "$m 100"; done; } >bw.txt
ok "measured: windows alone" new bw.txt --model measured
ok ".. the rest is as before" kept new.ini gap.far
ok ".. and gap is new" says new.ini "gap.far.source = bw.txt"
{ echo collective,ranks,bytes,time_us; for m in 256 1024 4096 65536; do echo "reduce_local,1,$m,$((m / 128))"; done; } >reduce.csv
ok "hockney: far" new far.txt
ok ".. which the answer says" flat out "model hockney by default"
ok ".. the rest is as before" kept new.ini alpha beta
ok ".. runs have the new figures" c run bcast pipeline -p 2x1 -m 0 --platform ./new.ini
ok ".. by default" says out "model hockney"
ok ".. which are these" says out "1.6 us"
ok ".. and the tables, if they are asked for" c run bcast pipeline -p 2x1 -m 8 --platform ./new.ini --model measured
ok ".. as they were" says out "2 us"
ok "measured on such a file" c calibrate one@far=far.txt --model measured --base new.ini --write again.ini
ok ".. says that it is the default again" flat out "have model measured by default; they had hockney"
ok ".. and it is" c run bcast pipeline -p 2x1 -m 8 --platform ./again.ini
ok ".. in an answer" says out "model measured"
ok "hockney: an inner level" new one@node=near.txt
ok ".. the rest is as before" kept new.ini alpha.node
ok ".. also far" c run bcast pipeline -p 2x1 -m 0 --platform ./new.ini
ok ".. which is" says out "2 us"
ok "hockney: gamma alone is one of any model" new reduce.csv
ok ".. the rest is as before" kept new.ini gamma
ok ".. also the default" says_not new.ini "model ="
ok "loggops" new far.txt --model loggops
ok ".. the rest is as before" kept new.ini G S
ok ".. and the answer says how to use it" flat out "runs use these figures with --model loggops; without it, they have model measured"
c run bcast shm_flat --model shared -p 2..9 -m 64..64K:x32 -f csv --platform ./full.ini
cp out shm.csv
ok "shared" new shm.csv --model shared
ok ".. the rest is as before" kept new.ini write read flag lanes
printf '[machine]\nmodel = measured\n[hockney]\nalpha = 1us\nalpha.source = x\n' >wrong.ini
ok "a default that is missing" fails "wrong.ini:2: model is measured, but [measured] has no one; allowed: hockney" \
    run bcast pipeline -p 2 -m 8 --platform ./wrong.ini
printf '[machine]\nmodel = hockny\n' >wrong.ini
ok "a default that is unknown" fails "wrong.ini:2: unknown model of a platform 'hockny', did you mean hockney?" \
    run bcast pipeline -p 2 -m 8 --platform ./wrong.ini

# ---- Rows that a model does not use ---------------------------------------------------------------------------------------
ok "windows under hockney" c calibrate far.txt bw.txt
ok ".. are passed over, which the answer says" flat out "bw.txt: 6 rows of window are passed over: model hockney does not use them; --model measured does"

# ---- A gap without a time -----------------------------------------------------------------------------------------------
ok "windows alone" fails "\`one\` cannot be determined; missing: a ping-pong" calibrate bw.txt --model measured
ok "windows of a level without its one-way times" fails "rows of windows or gaps at level node do not say how long a message takes" \
    calibrate far.txt gap@node=bw.txt --model measured --base levels.ini

# ---- --set ----------------------------------------------------------------------------------------------------------------
M="calibrate far.txt bw.txt step=allgather:ring=ring.csv --model measured"
c $M --write rows.ini
for set in "one=8:5us 1M:90us" "step=8:6us 1M:95us" "gap=8:0.5us 1M:80us"; do
    ok "--set $set is taken as it is" c $M --set "$set" --write set.ini
    ok ".. in the file" has set.ini "${set%%=*}" "$(echo "${set#*=}" | sed 's/0.5us/500ns/')"
    ok ".. which says so" has set.ini "${set%%=*}.source" "assumed, not measured: --set $set"
    ok ".. and so does the answer" flat out "${set%%=*}: --set $set"
    for other in one step gap; do # a gap is never below a share of one
        [ $other = "${set%%=*}" ] || [ "$other ${set%%=*}" = "gap one" ] || ok ".. $other is not" has set.ini $other "$(figure rows.ini $other)"
    done
done
ok "hockney: --set of what the base has" c calibrate far.txt --base full.ini --set gamma=0.7ns/B --set alpha=3us --write set.ini
for f in alpha=3us alpha.node=0.40us beta=0.1ns/B; do
    ok ".. $f" has set.ini "${f%%=*}" "${f#*=}"
done
ok ".. gamma" grep -qx "gamma = 0.7ns/B" set.ini
ok "--set at one level" c calibrate far.txt one@node=near.txt --model measured --base levels.ini \
    --set 'one.node=8:5us 1M:90us' --write set.ini
ok ".. is taken there" has set.ini one.node "8:5us 1M:90us"
ok ".. and nowhere else" says set.ini "one.far = 1:1.6us"
c run bcast pipeline -p 4 -m 8,64,512,4K --platform ./rows.ini -f csv
cp out data.csv
{ echo set,use,file,line,collective,algorithm,p,bytes,measured_us
  awk -F, 'NR > 1 { for (i = 1; i <= NF; i++) if (name[i] == "time_s") t = $i
      printf "s,%s,data.csv,%d,bcast,%s,4,%s,%.12g\n", NR < 5 ? "calibrate" : "score", NR, $2, $5, t * 1e6 }
      NR == 1 { for (i = 1; i <= NF; i++) name[i] = $i }' data.csv; } >rows.csv
c validate data.csv --rows rows.csv --calibrate all --set gamma=0 --points -f csv
cp out before.csv
ok "validate --calibrate --set one=" c validate data.csv --rows rows.csv --calibrate all --set gamma=0 --points -f csv \
    --set "one=8:50us 1M:90us"
ok ".. changes predictions" sh -c '! cmp -s out before.csv'
ok "--column predicts nothing" fails "--column has the predictions, so nothing is predicted; allowed: without --platform, --set" \
    validate --rows rows.csv --column measured_us --set alpha=1us
ok "a schedule has gamma only" c export goal bcast binomial -p 4 -m 8 --set L=1us
ok ".. which a note says" says err "--set L=1us has no effect: a GOAL schedule has no figure but gamma"

# ---- Rows that reduce -------------------------------------------------------------------------------------------------------
{ c run allreduce recursive_doubling -p 8 -m 8,64,512,4K,32K -f csv; cat out
  c run allgather recursive_doubling -p 8 -m 8,64,512,4K,32K -f csv; tail -n +2 out; } >doubling.csv
c calibrate doubling.csv --model measured
ok "recursive doubling: allgather makes the table" flat out "one: 5 points from doubling.csv (CSV): allgather recursive_doubling, 8 ranks, time/3"
ok ".. so that gamma is found" flat out "gamma: fitted by simulation"
ok ".. and nothing is off" flat out "calibrated: allreduce recursive_doubling, 8 ranks 5 0.0 % 0.0 % 0.0 %"
grep -v allgather doubling.csv >reducing.csv
c calibrate reducing.csv --model measured
ok "allreduce alone: a usual gamma is taken off its times, which the answer says" flat out \
    "gamma: 0.1ns/B, as no row shows what a reduction takes"

ok "the process that answered ends well" served_well
echo "1..$n"
