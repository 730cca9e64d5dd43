#!/bin/sh
# Machines from logs: what labels say about levels is obeyed or refused under every model, and a file that is written is
# read back: what was calibrated is what runs use by default, and everything else is as in --base.
. "$(dirname "$0")/tap.sh"

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
ok "shared" fails "near.txt:3: the label has \`one\`, which model shared does not know; allowed: --model measured" \
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

echo "1..$n"
