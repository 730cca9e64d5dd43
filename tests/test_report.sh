#!/bin/sh
# `collsim report`, and the page of `audit --report`: well-formed pages that stand alone, the same bytes each time, commands
# that run, text in place of pictures, and bad input.
html_check=$(realpath "$(dirname "$0")/html_check.pl")
. "$(dirname "$0")/tap.sh"

# A few claims are enough.
mkdir claims && export COLLSIM_CLAIMS=$PWD/claims
printf '%s\n' 'id,source,place,collective,algorithm,params,quantity,against,kind,claim,let,where,without,truth,note' \
    'mine,"<b>a & b",page 1,bcast,binomial,,time,,equality,log2(p)*alpha + beta*m,,,,,' >claims/mine.csv
page='bcast -p 4,8 -m 8,64K --platform lumi'
# command WORD: the first command line of a page that begins with it, as a shell takes it
command_of() { sed -n 's/.*<code>\(collsim '"$2"' .*\)/\1/p; s/^\(collsim '"$2"' .*\)/\1/p' "$1" | head -n 1 |
    sed 's/<\/code>.*//; s/&#39;/'"'"'/g; s/&quot;/"/g; s/&amp;/\&/g'; }
runs() { # runs WORD: that command of the page ends well
    line=$(command_of r.html "$1")
    [ "$line" ] || return 1
    eval "\"\$COLLSIM\" ${line#collsim }" >out 2>err
}
if command -v gnuplot >/dev/null; then
    ok 'a page' c report $page -o r.html
    ok '.. which takes no time that is worth a note' says_not err 'this page takes'
    ok '.. is well-formed and stands alone' perl "$html_check" r.html
    ok '.. has the same bytes again' sh -c '"$1" report '"$page"' 2>/dev/null >again.html; cmp r.html again.html' sh "$COLLSIM"
    for word in tune best run regret bound trace; do ok ".. its command $word runs" runs $word; done
    ok '.. what it draws' sh -c "$(command_of r.html best | sed "s|^collsim|$COLLSIM|") 2>/dev/null && $(command_of r.html plot | sed "s|^collsim|$COLLSIM|") 2>/dev/null && test -s winners-bcast.svg"
    ok '.. it has pictures' says r.html '<svg'
    ok '.. a dark page has dark pictures' sh -c 'grep -q "prefers-color-scheme:dark).\.picture" r.html && grep -q "^.picture svg{filter:invert\|picture svg{filter:invert" r.html'
    # The cells of a table of more than four columns name their columns, because a narrow screen hides the heads.
    ok '.. a wide table fits a narrow screen' sh -c 'grep -q "<table class=\"wide\">" r.html && grep -q "<td[^>]* data-head=\"ranks\">" r.html && grep -q "\.wide td{display:block}" r.html'
    ok '.. and a picture does' says r.html '.picture svg{min-width:0}'
    ok '.. and what is assumed' says r.html 'assumed: that of ARCHER2'
    ok 'any library' c report scan -p 4 -m 8 --only any --title '<b> & "x"' -o r2.html
    ok '.. is well-formed' perl "$html_check" r2.html
    ok '.. its title is text' says r2.html '<h1>&lt;b&gt; &amp; &quot;x&quot;</h1>'
    c audit --report audit
    ok "the audit's page is well-formed and stands alone" perl "$html_check" audit/report.html
    ok '.. has a filter' says audit/report.html '#verdict-4:checked~section'
fi
mkdir bare
ok 'without gnuplot' sh -c 'PATH=bare exec "$1" report '"$page"' -o text.html 2>err' sh "$COLLSIM"
ok '.. it says so' says err 'gnuplot is not installed'
ok '.. the map is text' sh -c '! grep -q "gnuplot_canvas" text.html && grep -q "at .* of 4" text.html'
ok '.. is well-formed' perl "$html_check" text.html
# What the page says of the file is what the head of the file says that its command writes.
cat >heads.pl <<'END'
local $/;
my $page = do { open my $in, '<', $ARGV[0] or die; <$in> };
my $file = do { open my $in, '<', $ARGV[1] or die; <$in> };
my ($n, $bad) = (0, 0);
while ($file =~ /^#? +(\w+) +elements of \d+: default (\S+), these rules (\S+) \(.*\), at worst (\S+)(?:\n#? +most at (.*))?/mg) {
    my @due = ($2, $3, $4, $5 // '');
    my ($name, $row) = ($1, $page =~ /^<tr>(<td data-head="collective"><a href="#$1">.*)/m);
    my @cell = map { s/<.*?>//gr } ($row // '') =~ m{(<td.*?</td>)}g;
    $n++;
    next if "$cell[2] $cell[4] $cell[5] $cell[6]" =~ /^(\S+ )?\Q@due\E$/; # the default has a sign
    print "$name: the page has @cell, the file @due\n";
    $bad = 1;
}
my ($most) = sort { $b <=> $a } $file =~ /^#? +most at .*: saves (\S+)x/mg;
my ($top) = $page =~ /<p>With the rules file.*, which saves (\S+)x \(/;
print "the page saves at most $top, the file $most\n" if $most != $top;
exit($bad || $n != 2 || $most != $top);
END
heads_agree() { # heads_agree ARGUMENTS...: for this report of two collectives
    c report "$@" -o heads.html
    (eval "\"$COLLSIM\" $(command_of heads.html tune | sed 's/^collsim //')") >err 2>&1 || return 1
    perl heads.pl heads.html "$(command_of heads.html tune | sed 's/.* -o //')" >out
}
ok "the page's numbers are those of the file" heads_agree alltoall,allreduce -p 16,48 -m 128,1M --platform lumi
ok '.. of MPICH' heads_agree reduce_scatter,allreduce --only mpich-4.3 -p 12,48 -m 2K,128K --platform archer2
ok '.. on nodes' heads_agree alltoall,allgather --only ompi-4.1 -p 4x4,6x4 -m 128,128K --platform leonardo
printf 'collective,algorithm,p,bytes,time_s\nbcast,binomial,4,8,1e-5\nbcast,binomial,8,8,2e-5\nbcast,linear,8,8,4e-5\n' >m.csv
ok 'with measurements' c report bcast -p 4 -m 8 --measured m.csv -o m.html
ok '.. the scores' says m.html 'How far predictions are'
printf '# OSU MPI Broadcast Latency Test v5.8\n# Size Avg Latency(us)\n8 10\n' >m.txt
ok '.. of a log with a label' c report bcast -p 4 -m 8 --measured bcast:binomial:4=m.txt -o m.html
ok '.. its scores' says m.html 'How far predictions are'
ok 'a label that is none' fails 'has no algorithm `bin`' report bcast -p 4 -m 8 --measured bcast:bin:4=m.txt -o x.html
ok 'a library that is not known' fails 'lam' report --only lam -o x.html
ok 'a collective that is not known' fails 'bcastt' report bcastt -o x.html
ok 'a platform that is not there' fails 'none.ini' report bcast --platform ./none.ini -o x.html
ok 'ranks that are none' fails '-p' report bcast -p 0 -o x.html
ok 'a file of measurements that is not there' fails 'none.csv' report bcast -p 4 -m 8 --measured none.csv -o x.html
ok '.. leaves nothing' test ! -e x.html

# The short page has the sums of the full one, and of `app`.
printf 'collective,calls,bytes,ranks,per_node\nallgather,100,65536,32,4\n' >profile.csv
brief="report allgather,scan --only ompi-5 -p 8x4 -m 64,1M --platform leonardo -o full.html --brief brief.html"
ok 'a short page' c $brief --app profile.csv
ok '.. is well-formed' perl "$html_check" brief.html
ok '.. and so is the full one' perl "$html_check" full.html
share=$(sed -n 's/.*take \([0-9]* %\) less time.*/\1/p' full.html)
ok '.. both say what is saved' says brief.html "take ${share:-none} less time"
ok '.. and how sure that is' sh -c 'grep -q "x ([0-9.]* to [0-9.]*), [0-9]* % sure" brief.html'
total=$(sed -n 's/.*>\([0-9.]* [mu]*s\) of .*/\1/p' brief.html)
ok '.. what a run saves is what app says' sh -c '"$1" app profile.csv --for ompi-5 --platform leonardo 2>err | grep -qF "'"${total:-none}"'"' sh "$COLLSIM"
ok '.. it has one picture' test "$(grep -c '<figure' brief.html)" = 1
# What each collective saves: in the table, beside its bar, and as what the blue bar lacks of the grey one.
saved() {
    sed -n 's/.*"time saved">\([0-9]* %\)<.*/\1/p' brief.html >table
    sed -n 's/^<text .*>[^0-9 ]*\([0-9][0-9]* %\)<.text>.*/\1/p' brief.html >beside
    sed -n 's/.*width="\([0-9.]*\)".*fill="#ddd".*width="\([0-9.]*\)".*fill="#2b6cb0".*/\1 \2/p' brief.html | awk '{ printf "%.0f %%\n", 100 * (1 - $2 / $1) }' >bars
    [ "$(wc -l <table)" = 2 ] && cmp table beside && cmp table bars
}
ok '.. which says what the table says' saved
ok 'a short page for MPICH' c report alltoall --only mpich-4.3 -p 8 -m 64,64K --platform lumi -o full.html --brief brief.html
ok '.. without a profile' says_not brief.html 'saved in a run'
ok 'a short page without a library' fails '--only any' report bcast --only any -p 4 -m 8 --brief x.html
ok 'a profile without a short page' fails '--brief' report bcast -p 4 -m 8 --app profile.csv
ok 'a profile that is not there' fails 'none.csv' report bcast -p 4 -m 8 -o y.html --brief x.html --app none.csv
ok '.. leaves nothing' test ! -e x.html -a ! -e y.html

# The sign before the default's mean. On 7 ranks the default of alltoall takes 6 alpha + 48 beta, and the best 3 alpha + 72 beta.
signed() { # signed SIGN ALPHA BETA
    c report alltoall -p 7 -m 8 --set alpha="$2" --set beta="$3" --set gamma=0 -o signed.html && says signed.html "<span class=\"mark $1\">"
}
ok 'a mean below 1.1 has a tick' signed good 103s 9s/B
ok '.. of 1.1 a wave' signed fair 104s 9s/B
ok '.. below 2 too' signed fair 1us 1ns/B
ok '.. and of 2 a cross' signed bad 1us 0

# From another root, the page has what `best` and `regret` say of it, and its commands ask about it, but for those about
# what has no root, and about a library's file.
on='-p 3x4 -m 8,128K --platform lumi'
root_page() { # root_page COLLECTIVES ARGUMENTS...: of root 5
    c report "$@" --root 5 $on -o root.html
}
as_best() { # as_best ARGUMENTS...: the page has the two times that best finds
    c best "$@" --top 1 $on -f csv || return 1
    column time_s | awk 'NF { printf "%.4g us\n", $1 * 1e6 }' >times
    sed -n '/<h3>Who wins/,/<h3>How near/p' root.html >who
    [ "$(wc -l <times)" = 2 ] || return 1
    while read -r time; do
        grep -qF ">$time<" who || return 1
    done <times
}
ok 'a page of another root' root_page bcast
ok '.. is well-formed' perl "$html_check" root.html
ok '.. says so' says root.html 'for p 3x4, sizes 8,128K and root 5'
ok '.. has the times of best' as_best bcast --only ompi-4.1 --root 5
other_times() { ! as_best bcast --only ompi-4.1 && [ "$(wc -l <times)" = 2 ]; }
ok '.. which are others than from rank 0' other_times
for word in best run regret bound trace; do
    ok ".. its command $word asks about it" sh -c 'echo "$1" | grep -q -e "--root 5"' sh "$(command_of root.html $word)"
done
ok '.. but that of the settings does not' sh -c '! grep -q "collsim tune.*--root" root.html && grep -q "Its choices, and what they save, are those of root 0" root.html'
ok '.. of all algorithms' root_page gather --only any
ok '.. has the times of best' as_best gather --root 5
ok 'a page where some have no root' root_page barrier,scatter
ok '.. commands about these do not ask' sh -c '! grep -e "collsim [a-z]* barrier.*--root" root.html && grep -q "collsim best scatter.*--root 5" root.html'
ok 'a root that few ranks lack' sh -c '"$COLLSIM" report bcast -p 12 -m 8 --root 9 -o root.html 2>err && grep -q "collsim trace bcast" root.html && ! grep -q "collsim trace.*--root" root.html'
ok 'a page where none has a root' fails '--root: scan has no root' report scan --root 1 -p 4 -o x.html
ok 'a page of a root that is not there' fails '--root 4 is not among 4 ranks; allowed: 0 .. p-1' report bcast --root 4 -p 8,4 -o x.html
ok '.. of all algorithms too' fails '--root 4 is not among 4 ranks; allowed: 0 .. p-1' report bcast --only any --root 4 -p 8,4 -o x.html
ok '.. leaves nothing' test ! -e x.html

# A signal leaves a page of the collectives that are done, and nothing if none is.
has_files() { [ "$(ls -A stop | wc -l)" = "$1" ]; }
stops() { # stops FILES COLLECTIVES: sends TERM when the folder `stop` has so many files
    mkdir -p stop && rm -rf stop/.collsim-* stop/r.html
    background $DEFAULTS "$COLLSIM" report "$2" --only ompi-5 -p 96x48 -o stop/r.html
    wait_for has_files "$1"
    kill -TERM $pid
    wait $pid 2>/dev/null
    [ $? = 143 ]
}
ok 'a signal after one collective of two' stops 2 barrier,bcast
ok '.. leaves a page' perl "$html_check" stop/r.html
ok '.. alone' test "$(ls -A stop)" = r.html
ok '.. of what is done' says stop/r.html '<h2>barrier</h2>'
ok '.. that says what it lacks' says stop/r.html 'stopped after 1 of 2 collectives. It lacks bcast'
ok '.. and how to make that' says stop/r.html 'collsim report bcast -p 96x48'
ok '.. which the program says' says err 'stopped after 1 of 2 collectives; stop/r.html has what is done'
ok 'a signal before the first is done' stops 1 bcast
ok '.. leaves nothing' test -z "$(ls -A stop)"

# The checker refuses what it should.
refuses() { printf '<!DOCTYPE html>\n<title>t</title><nav></nav><main><h1>x</h1>%s</main>\n' "$1" >bad.html && ! perl "$html_check" bad.html >out; }
for text in '<p>' '<b><i></b></i>' '<p id="a"></p><p id="a"></p>' '<a href="#none">x</a>' '<a href="http://x">x</a>' \
    '<img src="x.svg">' '<script></script>' 'a & b' '<style>a{background:url(x)}</style>' '<p onclick="x"></p>'; do
    ok "the checker refuses $text" refuses "$text"
done

ok 'a page under another model' sh -c '"$COLLSIM" report barrier -p 4,6 --model loggops -o loggops.html 2>err && grep -q "model loggops" loggops.html'
ok 'what was searched' sh -c '"$COLLSIM" report bcast --only mpich-4.3 -p 4x4 -m 64 --platform leonardo -o searched.html 2>err &&
    grep -q "Searched: [1-9].* settings of parameters and parts that the library can be told: [0-9]* excluded by forms" searched.html'
echo "1..$n"
