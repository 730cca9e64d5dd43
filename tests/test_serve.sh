#!/bin/sh
# `collsim serve`, which collsim-explore starts: it answers one command line after the other as the program would answer each
# of them alone, and goes on after a wrong one.
. "$(dirname "$0")/tap.sh"
cmds='best allreduce --defaults --top 2 -p 6,8,12 -m 8..1M:x32 --format csv
best allreduce --defaults --top 2 -p 6,8,12 -m 8..1M:x32 --set alpha=x0.1 --format csv
best allreduce --defaults --top 2 -p 6,8,12 -m 8..1M:x32 --set alpha=x0.1 --transfer eager --format csv
best allreduce --defaults --top 2 -p 2x6 -m 8..1M:x32 --platform lumi --set alpha.far=x0.1 --format csv
best allreduce --defaults --top 2 -p 6,8,12 -m 8..1M:x32 --element 4 --format csv
best alltoall --defaults -p 9 -m 1K --format csv
run alltoall pairwise -p 9 -m 1K --set beta=x7
best nosuch -p 4
best bcast -p 0
best allreduce --defaults --top 2 -p 6,8,12 -m 8..1M:x32 --format csv'
i=0
echo "$cmds" | while read -r line; do
    i=$((i + 1))
    printf 'answer%d\0' $i
    for word in $line; do printf '%s\0' "$word"; done
    printf '\0'
done >requests
umask 022
c serve <requests
ok 'it ends with its requests' [ "$(wc -l <out)" = 10 ]
ok 'nobody else can read an answer' [ "$(stat -c %a answer1)" = 600 ]
mv out replies
i=0
while read -r line; do
    i=$((i + 1))
    # shellcheck disable=SC2086
    "$COLLSIM" $line >alone 2>why
    expected="$? $(sed -n 's/^collsim: //; /^note/!p' why | head -n 1)"
    ok "request $i has its status" [ "$(sed -n ${i}p replies | sed 's/ *$//')" = "$(echo "$expected" | sed 's/ *$//')" ]
    ok '.. and its answer' cmp alone answer$i
done <<EOF
$cmds
EOF
# A note appears in each request that causes it, as it does without serve.
noted='run bcast binomial,chain -p 4 -m 1MB'
for i in 1 2; do
    printf 'answer\0'
    printf '%s\0' $noted
    printf '\0'
done >requests
# shellcheck disable=SC2086
"$COLLSIM" $noted >alone 2>why
cat why why >whys
c serve <requests
has_notes() { [ -s why ] && cmp err whys; }
ok 'each request has its notes' has_notes
printf 'nowhere/x\0list\0\0answer\0list\0\0' >requests
c serve <requests
ok 'a file that cannot be written' says out '2 nowhere/x: '
ok '.. ends nothing' [ "$(sed -n 2p out)" = '0 ' ]
printf '/dev/full\0list\0\0answer\0list\0\0' >requests
c serve <requests
ok 'a full disk' says out '2 stdout: No space left on device'
ok '.. ends it, because stdout writes nothing more' [ "$(wc -l <out)" = 1 ]
printf 'answer\0list' >requests
c serve <requests
ok 'a request that does not end' [ ! -s out ]
echo "1..$n"
