#!/bin/sh
# `collsim plot` as a user runs it. Pictures are complete, the same in every run, and their titles say what they show.
# Bad input gives one line and exit status 2. No temporary file is left.
. "$(dirname "$0")/tap.sh"

plot() { "$COLLSIM" plot "$@" >out 2>err; }
fails() { # fails TEXT ARGUMENTS...: exits with 2, writes one line with TEXT to stderr, nothing to stdout and no picture
    text=$1
    shift
    plot "$@"
    [ $? = 2 ] && errs "$text" && [ ! -s out ] && [ ! -e bad.svg ]
}
same_twice() { plot f.csv -o "b.$1" && cmp "a.$1" "b.$1"; } # same_twice FORMAT: as `a`, which was drawn a second before
alone() { [ "$(ls -A "$1")" = "$2" ]; } # alone FOLDER NAMES: the folder has these files and no others

HEAD=collective,algorithm,params,p,bytes,root,platform,model,transfer,time_s,certificate,ran
row() { echo "$1,$2,$3,$4,$5,0,lumi,hockney,rendezvous,$6,\"15 alpha + 8 beta\",$7"; }
{
    echo $HEAD
    row allreduce recursive_doubling "" 32768 8 51e-6 ""
    row allreduce recursive_doubling "" 32768 65536 4e-4 ""
    row allreduce recursive_doubling "" 32768 1048576 5.3e-3 ""
    row allreduce ring "" 32768 8 51e-6 "recursive_doubling (count < p)"
    row allreduce ring "" 32768 65536 0.22 ""
    row allreduce ring "" 32768 1048576 0.221 ""
    row allreduce rabenseifner "segment=64K;chains=4" 32768 65536 2e-4 ""
    row allreduce rabenseifner "segment=64K;chains=4" 32768 1048576 8e-4 ""
    row allreduce rabenseifner "segment=64K;chains=4" 32768 0 1e-4 ""
} >f.csv

for format in svg png pdf; do plot f.csv -o a.$format; done
sleep 1.1 # by now a date would differ
for format in svg png pdf; do
    ok "$format: the same bytes twice" same_twice $format
done
ok "svg: it is complete" grep -q '</svg>' a.svg
ok "png: it is PNG" sh -c 'head -c 4 a.png | tail -c 3 | grep -q PNG'
ok "pdf: it is PDF" sh -c 'head -c 5 a.pdf | grep -q %PDF-'
ok "the title says who wins" says a.svg "recursive_doubling wins up to 8, rabenseifner from 64K on"
ok "the title says what was run" says a.svg "allreduce, 32K ranks, lumi"
ok "the points left out are counted" says a.svg "1 point omitted: another algorithm ran; 1 point omitted: size or time"
ok ".. and those that the file does not have" says a.svg "ringed: 1 point there has no time in the files"
ok "sizes have binary labels" says a.svg "64K"
ok "times have units" says a.svg "100 us"
ok "known names have their colours" says a.svg "rgb(213,  94,   0)"
plot f.csv -o t.svg --title "Mine & 'yours' \`touch x\` \$(touch x)"
ok "--title: the title is as given" says t.svg "Mine &amp; 'yours' \`touch x\` \$(touch x)"
ok "--title: the shell does not execute it" test ! -e x
plot f.csv -o t.svg --title "it's @x's"
ok "--title: gnuplot expands no macro" says t.svg "it's @x's"
long=$(for i in $(seq 30); do printf 'word%s ' "$i"; done)end
plot f.csv -o long.svg --title "$long"
ok "a long title is not cut" sh -c 'sed "s/<title>.*<.title>//" long.svg >body && grep -q "word1 " body && grep -q "word30 end" body'
height() { sed -n 's/.*viewBox="0 0 [0-9]* \([0-9]*\)".*/\1/p' "$1"; }
ok ".. and makes room for itself" test "$(height long.svg)" -ge $(($(height a.svg) + 26))
sed 's/,rendezvous,/,rendezvous with words that make a note long beyond the width of the picture,/' f.csv >note.csv
plot note.csv -o note.svg
ok "a long note has a second line" sh -c 'grep -q "hockney, rendezvous with words" note.svg && grep -q "no time in" note.svg && ! grep -q "hockney.*is 0" note.svg'
plot note.csv
ok "text: a long note too" sh -c '! grep -q "hockney.*is 0" out && grep -q "no time in the files" out'
ok "text: drawn without -o" plot f.csv
ok "text: the title" says out "rabenseifner from 64K on"
ok "text: the names" says out "A ring"
{
    echo $HEAD
    row bcast ring "" 8 8 1e-6 "" && row bcast bruck "" 8 8 1.001e-6 ""
    row bcast ring "" 8 1024 1e-4 "" && row bcast bruck "" 8 1024 1e-5 ""
} >cell.csv
ok "text: of two points in one place, the winner's letter" sh -c '"$0" plot cell.csv >out && grep -q "A ring" out && grep -q "|A" out && ! grep -q "|B" out' "$COLLSIM"
ok "text: no form feed" sh -c '! grep -q "$(printf "\f")" out'
ok "stdin" sh -c '"$0" plot - -o s.svg <f.csv && cmp s.svg a.svg' "$COLLSIM"

# Of lines that tie at a size, a library's comes first (ring, not swing), then the first by name (aaa, not zzz).
{
    echo $HEAD
    row allreduce zzz "" 8 64 5e-6 "" && row allreduce aaa "" 8 64 5e-6 ""
    row allreduce zzz "" 8 1024 6e-6 "" && row allreduce aaa "" 8 1024 7e-6 ""
    row allreduce swing "" 8 4096 9e-6 "" && row allreduce ring "" 8 4096 9e-6 ""
    row allreduce swing "" 8 8192 9e-6 "" && row allreduce ring "" 8 8192 9.5e-6 ""
} >tie.csv
plot tie.csv
ok "a tie: who wins" says out "aaa wins up to 64, zzz to 1K, ring to 4K, swing from 8K on"

# The colours of the paths of a picture, in the order in which they are drawn, each with a - if it is dashed. A path from
# each line to its name comes after the lines.
paths() { { part series "$1" && part names "$1"; } | grep -o "<path stroke='rgb([^)]*)'\( stroke-dasharray\)*" | tr -d ' ' | sed 's/.*(//; s/).stroke.*/-/; s/).*//' | tr '\n' ' '; }
{
    echo $HEAD
    row bcast pipeline "" 8 64 4e-6 "" && row bcast pipeline "" 8 1024 9e-6 ""
    row bcast scatter_rd_allgather "" 8 64 2e-6 "" && row bcast scatter_rd_allgather "" 8 1024 6e-6 ""
} >dashed.csv
plot dashed.csv -o dashed.svg
paths dashed.svg >paths
# The numbers of the kinds of points in a picture, in the order in which they are drawn.
glyphs() { grep -o "#gpPt[0-9]*. transform" "$1" | tr -dc '0-9\n' | uniq | tr '\n' ' '; }
ok "a dashed line has a hollow point of another shape" test "$(glyphs dashed.svg)" = "6 7 6 "
ok "a dashed line is drawn after a solid one, even if it ends above it" says paths "0,114,178 213,94,0- 213,94,0 0,114,178 "

{
    cat f.csv
    row bcast binomial "" 32768 8 5e-5 ""
} >two.csv
plot two.csv -o two.svg
ok "a panel per collective" says two.svg 'width="1500"'
ok "one line: the title gives its times, not a winner" says two.svg "bcast, 32K ranks, lumi: binomial takes 50 us to 50 us"
{
    echo $HEAD
    for p in 8 64 512; do
        row barrier dissemination "" $p 0 ${p}e-6 ""
        row barrier tree "" $p 0 ${p}e-5 ""
    done
} >p.csv
plot p.csv -o p.svg
ok "sizes that do not vary: drawn over ranks" says p.svg "barrier, lumi: dissemination wins everywhere"
sed -n 1,3p f.csv >dup.csv
{ row allreduce ring seg=1 8 64 1 "" && row allreduce ring seg=2 8 64 2 ""; } >>dup.csv
plot dup.csv -o dup.svg
ok "parameters tell lines apart" says dup.svg "ring seg=2"

# A panel of twelve lines: two win somewhere, one has the same points as another, and four are far off.
{
    echo $HEAD
    for name in ring bruck linear circulant binomial rabenseifner two_tree; do
        row allreduce $name "" 64 8 $((${#name} + 10))e-6 ""
        row allreduce $name "" 64 1024 $((40 - ${#name}))e-6 ""
    done
    row allreduce swing "" 64 8 14.0000000000001e-6 "" # as ring
    row allreduce swing "" 64 1024 36e-6 ""
    for name in far1 far2 far3 far4; do
        row allreduce $name "" 64 8 1e-2 ""
        row allreduce $name "" 64 1024 2${name#far}e-2 ""
    done
    row allreduce ompi-4.1:auto "" 64 8 9e-2 ""
    row allreduce ompi-4.1:auto "" 64 1024 9e-2 ""
} >many.csv
plot many.csv -o many.svg
ok "many: what is far off is counted, not drawn" says many.svg "4 others omitted: nowhere below 714 times the fastest"
ok "many: what is far off is not named" says_not many.svg far1
ok "many: but a library's default is" says many.svg "ompi-4.1:auto"
ok "many: the same points are one line with both names" says many.svg "= swing"
ok "many: as text" plot many.csv
ok "many: the text names the lines that are the same" says out "ring = swing"
# close STEP: ten lines. The first one takes 1 us, and each of the others STEP us longer than the one before it.
close() {
    echo $HEAD
    for i in 0 1 2 3 4 5 6 7 8 9; do
        for m in 8 64; do row bcast "near$i" "" 64 $m "$(awk -v i="$i" -v step="$1" 'BEGIN { print 1 + i * step }')e-6" ""; done
    done
}
for case in 0.0001: 0.005:': nowhere below 1.04' 0.0125:': nowhere below 1.1' 0.2:': nowhere below 2.6' 1.2:': nowhere below 10'; do
    close "${case%%:*}" >close.csv
    plot close.csv -o close.svg
    ok "many: how far off, a step of ${case%%:*} us" grep -qE ">2 others omitted${case#*:}( times the fastest)?<" close.svg
done
# Ten lines, each of which is the fastest at one size: more than FIGURE_FEW, and all are drawn.
{
    echo $HEAD
    for i in 1 2 3 4 5 6 7 8 9 10; do
        for k in 1 2 3 4 5 6 7 8 9 10; do
            row bcast "winner$i" "" 64 $((8 * k)) $((i == k ? 1 : 5 + i + k))e-6 ""
        done
    done
} >winners.csv
plot winners.csv -o winners.svg
ok "many: every line that is the fastest somewhere is drawn" test "$(grep -o '>winner[0-9]*<' winners.svg | sort -u | wc -l)" = 10
plot many.csv --all -o all.svg
ok "--all: everything" says all.svg far4
ok "--all: nothing left out" says_not all.svg "omitted"
plot many.csv --only ring,far1 -o only.svg
ok "--only: what was asked for" says only.svg far1
ok "--only: the others are counted" says only.svg "only the algorithms asked for are compared; 11 others are omitted"
ok "bad: --only, an unknown name" fails '`rung` has no point' many.csv --only rung -o bad.svg
ok "bad: --only and --all" fails "cannot be used together" many.csv --only ring --all -o bad.svg

# Predicted and measured times: an algorithm's line and points have one colour and name, and each p has a panel.
MEASURED=$HEAD,min_s,p95_s,mpi,oversubscribed
measured() { echo "$1,$2,,$3,$4,0,host,measured,,$5,,,$6,$7,Open MPI 4.1.4,$8"; }
{
    echo $HEAD
    for p in 2 8; do
        row bcast ring "" $p 64 4e-6 ""
        row bcast ring "" $p 1024 5e-6 ""
        row bcast binomial "" $p 64 2e-6 ""
        row bcast binomial "" $p 1024 6e-6 ""
    done
} >said.csv
{
    echo $MEASURED
    measured bcast ring 2 64 5e-6 4.5e-6 6e-6 0      # the prediction is off by 20 %
    measured bcast ring 2 1024 10e-6 9e-6 12e-6 0    # off by 50 %
    measured bcast binomial 2 64 2e-6 1.9e-6 3e-6 0  # exact; the fastest, as predicted
    measured bcast binomial 2 1024 8e-6 7e-6 9e-6 0  # off by 25 %; the fastest, but ring was predicted
    measured bcast ring 8 64 5e-6 1e-6 6e-6 1        # as fast as binomial within the bars
    measured bcast ring 8 1024 5e-6 4e-6 6e-6 1
    measured bcast binomial 8 64 4e-6 3e-6 9e-6 1
    measured bcast binomial 8 1024 6e-6 4.5e-6 9e-6 1
} >seen.csv
plot said.csv seen.csv -o both.svg
ok "both: the winner as measured, and how far predictions are off" says both.svg "binomial wins everywhere; predictions are off by 22.5 %"
ok "both: at how many sizes the fastest was predicted" says both.svg "the fastest is as predicted at 1 of 2 sizes"
ok "both: equal within the bars, so none wins" says both.svg "none is clearly faster than another"
ok "both: a panel for each p" sh -c 'grep -q "bcast, 2 ranks, measured" both.svg && grep -q "bcast, 8 ranks, measured" both.svg && grep -q "width=\"1500\"" both.svg'
ok "both: the note" says both.svg "lines: lumi; hockney, rendezvous; points: measured, Open MPI 4.1.4, bars: minimum to 95th percentile; hollow: ranks share cores"
plot seen.csv said.csv -o swapped.svg
ok "both: the order of the files does not matter" cmp both.svg swapped.svg
# colors FILE: prints the colours of all lines, bars and points, each with how often it occurs
colors() { part series "$1" | awk 'match($0, /(path stroke|color)=.rgb\([^)]*/) { print substr($0, RSTART, RLENGTH) }' | sort | uniq -c | sed 's/^ *//' | tr "\n" ";"; }
plot said.csv seen.csv --only ring -o ring.svg
ok "both: lines, bars, points full and hollow in the colour of the algorithm, in each panel" test "$(colors ring.svg)" = "4 color='rgb(213,  94,   0;4 path stroke='rgb(213,  94,   0;"
# Each panel has its points, and the point beside the name, which is full.
ok "both: full points where no cores were shared, hollow elsewhere" test "$(glyphs ring.svg)" = "4 3 4 "
{ sed -n 1p seen.csv && grep 'ring,,2,' seen.csv; } >single.csv
plot said.csv single.csv -o single.svg
ok "both: one measured line: how far predictions are off" says single.svg "predictions are off by 35.0 %"
ok "both: one measured line is not a contest" says_not single.svg "the fastest is as predicted"
{
    echo $MEASURED
    measured bcast ring 2 64 4e-6 4e-6 6e-6 0
    measured bcast binomial 2 64 5e-6 5e-6 6e-6 0
    measured bcast ring 2 1024 7e-6 6e-6 8e-6 0 # its bar just reaches binomial's time
    measured bcast binomial 2 1024 6e-6 5.5e-6 8e-6 0
} >touch.csv
plot touch.csv
ok "measured: the winner before stays the winner if its bar reaches the fastest time" says out "ring wins everywhere"
sed 's/7e-6,,,6e-6/7e-6,,,6.1e-6/' touch.csv >clear.csv
plot clear.csv
ok "measured: it does not if the bar ends above" says out "ring wins up to 64, binomial from 1K on"
sed '/,,8,/d' seen.csv >alone.csv
plot alone.csv -o alone.svg
ok "measured alone: the title says so" says alone.svg "bcast, 2 ranks, host, measured: binomial wins everywhere"
ok "measured alone: the title does not mention predictions" says_not alone.svg "predictions are"
ok "measured alone: nothing is hollow" says_not alone.svg hollow
ok "both: as text" plot said.csv seen.csv
ok "both: as text: the title" says out "predictions are off by 22.5 %"
grep -v 'ring,,8,1024' seen.csv | sed 's/ring,,8,64/chain,,8,64/' >less.csv
plot said.csv less.csv -o less.svg
ok "both: measured alone, predicted alone: each is drawn" sh -c 'grep -q ">chain<" less.svg && grep -q ">ring<" less.svg'
{ cat said.csv && for p in 16 32; do row bcast ring "" $p 64 4e-6 "" && row reduce ring "" $p 64 4e-6 ""; done; } >grid.csv
plot grid.csv --x size -o grid.svg
ok "more than two p: each collective has a row of panels, and all share a legend" sh -c 'grep -q "width=\"2320\"" grid.svg && [ "$(grep -c ">ring<" grid.svg)" = 1 ]'
sed -n 1,2p said.csv >said2.csv
ok "bad: a point in two files; the error names both" fails "said2.csv:2: a second row for bcast ring, p 2, bytes 64 (said.csv:2)" said.csv said2.csv -o bad.svg
sed 's/4.5e-6,6e-6,Open/5.5e-6,6e-6,Open/' seen.csv >above.csv
ok "bad: the least time above the median" fails "above.csv:2: min_s is above time_s" said.csv above.csv -o bad.svg
sed 's/4.5e-6,6e-6,Open/5.00000001e-6,6e-6,Open/' seen.csv >digits.csv
ok "both: a least time that exceeds the median by rounding only" plot said.csv digits.csv
sed 's/4.5e-6,6e-6,Open/x,6e-6,Open/' seen.csv >min.csv
ok "bad: a bar that is not a number" fails 'min.csv:2: min_s is `x`' said.csv min.csv -o bad.svg
ok "bad: the second file is missing" fails "no.csv: No such file" said.csv no.csv -o bad.svg

# distinct COLLECTIVE: in a picture of all its algorithms, no two lines have the same colour and dash, or colour and point.
distinct() {
    { echo $HEAD && "$COLLSIM" list "$1" --format csv | tr -d '"' | awk -F, -v c="$1" 'NR > 1 {
        for (x = 8; x < 40; x *= 4) print c "," $2 ",," 64 "," x ",0,lumi,hockney,rendezvous," NR * 1e-6 ",x," }'; } >"$1.csv"
    plot "$1.csv" --all -o "$1.svg" || return 1
    part series "$1.svg" | awk '/<title>/ { open = 1 }
        open && match($0, /<path stroke=[^d]*(dasharray=[^d]*)? d=/) { print substr($0, RSTART, RLENGTH); open = 0 }' >looks
    part series "$1.svg" | awk '/<title>/ { open = 1 }
        open && match($0, /#gpPt.*color=.rgb[^;]*/) { print substr($0, RSTART, 7), substr($0, RLENGTH + RSTART - 16); open = 0 }' |
        sed "s/'.*rgb/ rgb/" >points
    [ "$(sort points | uniq -d | wc -l)" = 0 ] && [ -s points ] || return 1
    [ "$(sort -u looks | wc -l)" = $(($(wc -l <"$1.csv") / 2)) ] && [ "$(sort looks | uniq -d | wc -l)" = 0 ]
}
for collective in $(sampled 3 $("$COLLSIM" list --format csv | tr -d '"' | awk -F, 'NR > 1 && !seen[$1]++ { print $1 }')); do
    ok "looks: $collective: no two lines alike" distinct "$collective"
done

# Logs, as calibrate reads them. Of two times of a size the least counts, and what ran is called by the file.
cat >nccl.log <<'END'
# nThread 1 nGpus 1 minBytes 1024 maxBytes 2048 step: 2(factor) warmup iters: 1 iters: 20 agg iters: 1 validation: 1 graph: 0
#  Rank  0 Group  0 Pid   6899 on n1 device  0 [0000:04:00] GPU
#  Rank  1 Group  0 Pid   6900 on n1 device  1 [0000:05:00] GPU
#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
        1024           256     float     sum      -1    10.00    0.10    0.10      0    9.00    0.11    0.11      0
        2048           512     float     sum      -1    20.00    0.10    0.10      0    19.00    0.11    0.11      0
        2048           512     float     sum      -1    30.00    0.07    0.07      0    19.00    0.11    0.11      0
END
ok "nccl-tests, with a label" plot allreduce=nccl.log -o nccl.svg
ok ".. what is passed over" says err "nccl.log: passed over: line 1: the buffers are a GPU"
ok ".. is measured, and called by its file" says nccl.svg "allreduce, 2 ranks, measured: nccl in place wins"
ok ".. or by the label, beside predictions" plot allreduce:ring=nccl.log f.csv --x size --all -o nccl.svg
ok ".. without the label" fails "does not say which collective it measured; allowed: a label, as allreduce=nccl.log, in compare and plot" nccl.log -o bad.svg
printf '# OSU MPI Broadcast Latency Test v7.0\n# Size Avg Latency(us)\n8 2\n64 3\n' >osu.txt
ok "OSU without ranks: the label that says them" fails "osu.txt:3: the log does not say on how many ranks; allowed: a label, as bcast:binomial:8=osu.txt" osu.txt -o bad.svg
ok ".. works" plot bcast:binomial:8=osu.txt -o osu.svg
ok ".. which the answer says are means" says err "note: osu.txt:3 and others: the times are means over the ranks"
printf 'collective,algorithm,ranks,bytes,time_s,time_is\nbcast,ring,4,8,1e-6,predicted\nbcast,ring,4,64,2e-6,predicted\nbcast,ring,4,8,2e-6,measured\nbcast,ring,4,64,4e-6,measured\n' >is.csv
ok "time_is: predictions and measurements" plot is.csv --y x-predicted -o is.svg
ok ".. are told apart without a certificate" says is.svg "measured: 2 to 2 times the predicted time"
ok "bad: extension" fails "-o bad.jpg: the name must end in .svg, .png or .pdf" f.csv -o bad.jpg
ok "bad: no file" fails "FILE is missing" -o bad.svg
ok "bad: missing file" fails "no.csv: No such file" no.csv -o bad.svg
plot f.csv --y bandwidth -o rate.svg
ok "--y bandwidth: the axis" sh -c 'grep -q ">bandwidth<" rate.svg && grep -q ">1 GB/s<" rate.svg && ! grep -q ">time<" rate.svg'
ok "--y bandwidth: the winners are those of the times" says rate.svg "recursive_doubling wins up to 8, rabenseifner from 64K on"
plot p.csv --y bandwidth -o bad.svg
ok "--y bandwidth: nothing without bytes" says err "6 points omitted: p, size or time is 0"
sed -n "1p; /,ring,/p" f.csv >one.csv
plot one.csv --y bandwidth
ok "--y bandwidth: one line: its bandwidths" says out "ring has 297.9 kB/s to 4.745 MB/s"
plot f.csv --y time -o time.svg
ok "--y time is the default" cmp time.svg a.svg
plot said.csv seen.csv --y bandwidth -o rates.svg
ok "--y bandwidth: measured too" says rates.svg "binomial wins everywhere; predictions are off by 22.5 %"
ok "bad: --y" fails "--y 'speed'; allowed: time, bandwidth, speedup" f.csv -o bad.svg --y speed
ok "bad: --map and --y" fails "--map cannot be used with" f.csv --map --y time -o bad.svg
ok "bad: axis" fails "size, p or per-node" f.csv -o bad.svg --x bytes
ok "bad: option" fails "nonsense" f.csv --nonsense
: >empty.csv
ok "bad: empty" fails "empty.csv: the file is empty" empty.csv -o bad.svg
echo $HEAD >head.csv
ok "bad: header alone" fails "head.csv: a header and no rows; allowed: one row or more" head.csv -o bad.svg
echo collective,algorithm,p,bytes >miss.csv
ok "bad: column" fails 'miss.csv:1: column `time_s` is missing' miss.csv -o bad.svg
sed 's/4e-4/4e-4s/' f.csv >num.csv
ok "bad: number, with its line" fails 'num.csv:3: time_s is `4e-4s`' num.csv -o bad.svg
{ cat f.csv && sed -n 2p f.csv; } >twice.csv
ok "bad: a point twice" fails "twice.csv:11: a second row for allreduce recursive_doubling, p 32768, bytes 8 (line 2); keep one of them" twice.csv -o bad.svg
{ echo $HEAD && for p in $(seq 13); do row bcast ring "" "$p" 8 1e-6 ""; done; } >p13.csv
ok "bad: too many p" fails "13 values of p; allowed over size: at most 12" p13.csv --x size -o bad.svg
for p in $(seq 9); do for c in bcast scan reduce; do row $c ring "" "$p" 8 1e-6 ""; done; done >p27.csv
ok "bad: too many panels" sh -c '{ head -n 1 f.csv && cat p27.csv; } >p27h.csv; "$0" plot p27h.csv --x size -o bad.svg 2>err; [ $? = 2 ] &&
    grep -q "27 panels for 3 collectives and 9 values of p; allowed: at most 24" err && [ ! -e bad.svg ]' "$COLLSIM"
sed -n 1p f.csv >none.csv
row gather linear "" 8 0 0 "" >>none.csv
ok "bad: nothing to draw" fails "nothing to draw" none.csv --x size -o bad.svg
plot f.csv --only ring,rabenseifner -o close.svg
plot f.csv --only ' ring , rabenseifner' -o apart.svg
ok "--only: spaces around names do not count" cmp close.svg apart.svg
{
    echo $HEAD
    for name in ring swing bine; do row allreduce $name "" 64 8 1e-6 "" && row allreduce $name "" 64 65536 3e-4 ""; done
} >equal.csv
plot equal.csv
ok "text: a line says how many others share it" grep -q '  A [a-z]* +2$' out
# on_terminal ROWS COLUMNS: draws on a terminal of this size, and prints how many rows the plot has, and how long its axis is.
on_terminal() {
    script -qec "stty rows $1 columns $2; '$COLLSIM' plot equal.csv" /dev/null | tr -d '\r' >shown
    echo "$(grep -c ' |' shown) $(grep -o -e '---*$' shown | wc -c)"
}
if command -v script >/dev/null; then
    ok "text: it leaves one row of a terminal to the prompt" test "$(on_terminal 40 120)" = '32 96'
    ok "text: at most 60 rows of 200" test "$(on_terminal 70 300)" = "$(on_terminal 61 200)"
    ok "text: at least 20 rows of 60" test "$(on_terminal 10 40)" = "$(on_terminal 21 60)"
fi
# --map: over nodes and ranks per node, and otherwise over sizes and ranks.
place() { echo "allreduce,$1,,$(($2 * $3)),65536,0,$3,leonardo,hockney,rendezvous,$4,$5"; } # place ALGORITHM NODES K TIME RAN
{
    echo collective,algorithm,params,ranks,bytes,root,per_node,platform,model,transfer,time_s,ran
    place smp 2 8 1e-6 "" && place smp 4 8 1e-6 "" && place smp 8 8 1e-6 ""
    place ring 2 8 2e-6 "" && place ring 4 8 2e-6 "" && place ring 8 8 2e-6 ""
    place smp 2 2 3e-6 "" && place smp 4 2 2e-6 "" && place smp 8 2 8e-6 ""
    place ring 2 2 1e-6 "" && place ring 4 2 3e-6 "" && place ring 8 2 7e-6 ""
    place circulant 2 2 1.0000000000001e-6 "" # ties with ring, which a library has
    place swing 8 8 1e-9 "ring (p is odd)"
} >nodes.csv
ok "per node: several numbers of nodes" fails "nodes.csv:3: 4 nodes, and others have 2; allowed with --x per-node" nodes.csv --x per-node -o bad.svg
awk -F, 'NR == 1 || ($4 / $7 == 2 && $2 != "circulant")' nodes.csv >four.csv
plot four.csv --x per-node -o four.svg
ok "per node: the axis" says four.svg "ranks per node"
ok "per node: the title" says four.svg "allreduce, 64K bytes, leonardo: ring wins up to 2, smp from 8 on"
plot four.csv --x per-node
ok "per node: the axis of the text" grep -q '[0-9]  ranks per node$' out
ok "per node: no ranks per node" fails 'f.csv:1: column `per_node` is missing' f.csv --x per-node -o bad.svg
plot nodes.csv --map -o nodes.svg
ok "map: the title counts the places" says nodes.svg "allreduce, 64K bytes, leonardo: smp wins at 4 of 6 places, ring at 2"
ok "map: the axes" sh -c 'grep -q ">nodes<" nodes.svg && grep -q ">ranks per node<" nodes.svg'
# The colours of the first N areas of a picture, which are its places, row by row from below: ring's in three shades.
colors_of_places() { part places "$1" | grep -o "polygon fill = 'rgb([^)]*)" | tr -dc '0-9,\n' | sed 's/^213,94,0$/ring/; s/^224,134,64$/ring2/; s/^234,175,128$/ring3/; s/^136,34,85$/smp/' | head -n "$2" | tr '\n' ' '; }
ok "map: each place has the colour of its winner, in the shade of its lead" test "$(colors_of_places nodes.svg 6)" = "ring3 smp ring2 smp smp smp "
ok "map: the shades are counted" sh -c 'grep -q ">0 (tie): 1<" nodes.svg && grep -q ">5 to 25 %: 1<" nodes.svg && grep -q ">more: 4<" nodes.svg && ! grep -q "below 5 %" nodes.svg'
ok "map: a tie is hatched, and so is its key" test "$(grep -c "fill = 'url(#gpPat" nodes.svg)" = 2
ok "map: a row at which another algorithm ran does not win, and is counted" sh -c \
    'grep -q "1 point omitted: another algorithm ran" nodes.svg && ! grep -q ">swing<" nodes.svg'
ok "map: a name stands in its region, and with its letter in the list" sh -c '
    test "$(grep -c ">smp<" nodes.svg)" = 1 && test "$(grep -c ">ring<" nodes.svg)" = 2 && grep -q ">A smp: 4<" nodes.svg && grep -q ">B ring: 2<" nodes.svg'
plot nodes.csv --map
cat >expected <<'END'
allreduce, 64K bytes, leonardo: smp wins at 4 of 6 places, ring at 2

ranks per node
   8 |  A*  A*  A*
   2 |  B=  A*  B+
        2   4   8  nodes

A  smp, at 4 of 6
B  ring, at 2 of 6
=  a tie; + the second takes 5 to 25 % longer; * more, or there is no second
hockney, rendezvous; 1 point omitted: another algorithm ran
END
ok "map: as text, a place is a letter and the lead" cmp out expected
plot nodes.csv --map --title Mine
ok "map: as text, with a title" sh -c 'head -n 1 out | grep -qx Mine'
ok "map: the same bytes twice" sh -c '"$0" plot nodes.csv --map -o again.svg && cmp nodes.svg again.svg' "$COLLSIM"
plot f.csv --map -o sizes.svg
ok "map: without ranks per node, over sizes and ranks" sh -c 'grep -q ">size (bytes)<" sizes.svg && grep -q ">ranks<" sizes.svg'
ok "map: over sizes, 0 is a size" says sizes.svg "allreduce, 32K ranks, lumi: rabenseifner wins at 3 of 4 places, recursive_doubling at 1"
grep -v '^allreduce,[a-z]*,,8,65536,0,2,' nodes.csv >hole.csv
plot hole.csv --map -o hole.svg
ok "map: a place without a time stays empty" test "$(colors_of_places hole.svg 5)" = "ring3 ring2 smp smp smp "
{ echo $HEAD && row bcast swing "" 8 64 1e-6 "" && row bcast bine "" 8 128 1e-6 "" && row bcast swing "" 8 256 1e-6 ""; } >family.csv
plot family.csv --map -o family.svg
ok "map: two of one colour differ" test "$(colors_of_places family.svg 3 | tr ' ' '\n' | sort -u | grep -c .)" = 2
{ echo $HEAD && k=0 && for name in rabenseifner reduce_scatter_allgather binary_blocks bine swing circulant ring k_ring; do
    k=$((k + 1))
    for m in 1 2 3 4 5 6 7 8; do row allreduce $name "" 8 $((8 << m)) "$([ $m != $k ] && echo 2e-6 || echo 1e-6 1.7e-6 1.9e-6 | cut -d " " -f $((k % 3 + 1)))" ""; done
done; } >eight.csv
plot eight.csv -o eight.svg
{ echo $HEAD && for m in 8 64 512; do row bcast knomial k=$((m / 8)) 8 $m 1e-6 "" && row bcast lane "" 8 $m 2e-6 "$([ $m = 8 ] && echo "binomial (one node)")"; done; } >begins.csv
plot begins.csv -o begins.svg
ok "a line that begins late is ringed, and the note says why" sh -c 'grep -q "1 point omitted: another algorithm ran; ringed: the point beside it is omitted" begins.svg && grep -q "<use xlink:href=.#gpPt5. transform" begins.svg'
ok "the note says whose parameters change along" says begins.svg "parameters change along knomial<"
# page FILE.pdf: prints the width and the height of its page in points, as WIDTHxHEIGHT
page() { grep -a -o 'MediaBox \[[^]]*' "$1" | head -n 1 | awk '{ print $5 "x" $6 }'; }
for p in 2 4 8; do for m in 8 64 512; do row allreduce ring "" $p $m 1e-6 ""; row allreduce swing "" $p $m 2e-6 ""; done; done | cat begins.csv - | grep -v bcast >three.csv
plot three.csv -o three.pdf
ok "a pdf of three panels is 11 inches wide" test "$(page three.pdf | cut -dx -f1)" = 792
for size in column:244x page:504x 7:504x 7x3:504x216 2x10:144x720; do
    ok "--size ${size%:*}" plot three.csv -o size.pdf --size "${size%:*}"
    ok ".. is that size" sh -c 'case $0 in "$1"*) ;; *) false ;; esac' "$(page size.pdf)" "${size#*:}"
done
for kind in three.csv:504x288 begins.csv:504x288 one.csv:504x288 eight.csv:504x288; do
    grep -E 'algorithm|,8,8,' three.csv >one.csv
    plot "${kind%:*}" -o size.pdf --size 7x4 --font 9 && [ "$(page size.pdf)" = "${kind#*:}" ] || echo "${kind%:*}" >>odd
done
plot eight.csv --map -o size.pdf --size 7x4 && [ "$(page size.pdf)" = 504x288 ] || echo map >>odd
ok "--size of lines, bars and maps" test ! -e odd
# The same options serve every command that draws.
head -n 1 f.csv >fit.csv && for m in 8 64 512; do row bcast binomial "" 8 $m "${m}e-6" ""; done >>fit.csv
mkdir score && printf 'use,collective,algorithm,p,bytes,measured_us,guess_us\nscore,bcast,linear,8,64,10,12\n' >score/rows.csv
while read -r command; do
    # shellcheck disable=SC2086
    ok "${command%% *}: --size" sh -c '"$0" "$@" --draw size.pdf --size 7x4 --font 9 >out 2>err' "$COLLSIM" $command
    ok ".. is that size" test "$(page size.pdf)" = 504x288
    # shellcheck disable=SC2086
    ok ".. and without a picture it is refused" sh -c '"$0" "$@" --size 7x4 >out 2>err; [ $? = 2 ] && grep -q "allowed: with --draw" err' "$COLLSIM" $command
    case $command in calibrate*) continue ;; esac
    # shellcheck disable=SC2086
    ok ".. --title" sh -c '"$0" "$@" --draw mine.svg --title Mine >out 2>err && grep -q ">Mine<" mine.svg' "$COLLSIM" $command
done <<'END'
bound bcast -p 8,16 -m 8,64
regret ompi-4.1 bcast -p 4,8 -m 8,64
guidelines ompi-4.1 -p 4,8 -m 8,64
learn ompi-4.1 bcast -p 2,4 -m 8,64K
matrix bcast binomial -p 8 -m 64
traffic bcast binomial -p 8 -m 64 --topology torus:4,4
network --topology torus:4,4
compare fit.csv --only ompi-4.1
validate --rows score/rows.csv --column guess_us
calibrate fit.csv
END
plot three.csv -o font.svg --size page --font 9
ok "--font" says font.svg 'font-size="12.00"'
plot begins.csv -o titled.svg --title ''
ok "--title '': the picture has no title, and is lower" sh -c 'grep -v "<title>" titled.svg | grep -q "bcast, 8 ranks" && exit 1; grep -q "<title>bcast, 8 ranks" titled.svg && [ "$0" -lt "$1" ]' "$(height titled.svg)" "$(height begins.svg)"
for size in 0 7x 7x4x x4 7x0 0x7 1000 a ""; do ok "bad: --size '$size'" fails "allowed: column, page, or inches from 1 to 100" f.csv -o bad.svg --size "$size"; done
ok "bad: --font" fails "--font '3'; allowed: 4 to 48 points" f.csv -o bad.svg --font 3
ok "bad: --size of text" fails "--size and --font are for a picture in a file" f.csv --size 7
{ echo $HEAD && for m in 8 64 512; do row allreduce rabenseifner "" 8 $m 1e-6 ""; row allreduce reduce_scatter_allgather "" 8 $m 2e-6 ""; done; } >orange.csv
plot orange.csv -o orange.svg
ok "a winner shares its colour with nobody, whatever their usual colours are" test "$(colors orange.svg | tr ';' '\n' | grep 'path stroke' | sort -u | wc -l)" = 2
ok "no two winners have the same colour" test "$(colors eight.svg | tr ';' '\n' | grep -c "path stroke")" = 8
plot eight.csv --map -o eight-map.svg
# The least difference between two colours of a file, 0 to 765; white and greys, which are not of places, are left out.
least_difference() { part places "$1" | grep -o "polygon fill = 'rgb([^)]*)" | tr -dc '0-9,\n' | sort -u | awk -F, 'BEGIN { least = 765 }
    { for (i = 1; i < NR; i++) { m = ($1 + r[i]) / 2; d = sqrt((2 + m / 256) * ($1 - r[i])^2 + 4 * ($2 - g[i])^2 + (2 + (255 - m) / 256) * ($3 - b[i])^2)
        if (d < least) least = d }
      r[NR] = $1; g[NR] = $2; b[NR] = $3 } END { print int(least) }'; }
ok "map: eight winners are easy to tell apart" test "$(least_difference eight-map.svg)" -ge 50
# Rabenseifner's usual colour is orange and ring's vermilion, whose light shades look alike.
{
    echo $HEAD
    for m in 8 64 512; do row allreduce recursive_doubling "" 8 $m 2e-6 ""; done
    row allreduce rabenseifner "" 8 8 1e-6 "" && row allreduce ring "" 8 64 1e-6 "" && row allreduce ring "" 8 512 1e-6 ""
} >oranges.csv
plot oranges.csv --map -o oranges.svg
ok "map: two colours with shades that look alike do not meet" sh -c '! grep -q "rgb(230, 159,   0)" oranges.svg && grep -q "rgb(213,  94,   0)" oranges.svg'
ok "map: over sizes, each place has its letter" sh -c '"$0" plot family.csv --map >out && grep -qx "   8 |   A\*   B\*   A\*" out && grep -qx "  *64  128  256  bytes" out' "$COLLSIM"
# Twenty winners, each at two sizes, and an axis that a line of text does not hold.
{
    echo $HEAD
    for i in $(seq 40); do
        for k in 0 1; do row bcast "algorithm$(((i + 1) / 2 + k))" "" 8 $((8 * i)) "1.0${k}e-6" ""; done
    done
} >twenty.csv
plot twenty.csv --map -o twenty.svg
ok "map: twenty winners have a letter each, in the grid and in the list" sh -c '
    for x in A B C D E F G H I J K L M N O P Q R S T; do grep -q ">$x<" twenty.svg && grep -q ">$x algorithm[0-9]*: 2<" twenty.svg || exit 1; done'
ok "map: all have a lead below 5 %" says twenty.svg ">below 5 %: 40<"
plot twenty.csv --map
ok "map: as text, lines of at most 100 characters" sh -c 'test "$(grep -c "^ *8 |" out)" = 3 && ! grep -qE "^.{101}" out'
ok "bad: --map and --only" fails "--map cannot be used with --only" nodes.csv --map --only ring -o bad.svg
for other in --all '--x p' '--y time' '--baseline ring'; do
    # shellcheck disable=SC2086
    ok "bad: --map and $other" fails "--map cannot be used with --only" nodes.csv --map $other -o bad.svg
done
{ cat nodes.csv && place ring 2 4 1e-6 "" | sed 's/,65536,/,8,/'; } >two_sizes.csv
ok "bad: --map, two sizes" fails "65536 and 8 bytes; allowed with --map over nodes: one size" two_sizes.csv --map -o bad.svg
"$COLLSIM" run bcast binomial,linear -p 2x4,4x8 -m 8,64 --platform leonardo -f csv >levels.csv
plot levels.csv --map
ok "map: each number of ranks on one number of nodes is over sizes" sh -c 'grep -q "^ *32 |  *A" out && grep -q "8 *64 *bytes" out'
{ cat nodes.csv && place ring 2 4 1e-6 "" | sed 's/,0,4,/,0,,/'; } >some.csv
ok "bad: --map, some rows without ranks per node" fails "some.csv:16: the row has no per_node, others have one; allowed with --map: rows of ranks on nodes" some.csv --map -o bad.svg
for p in 8 4x2 2x4; do
    "$COLLSIM" run bcast binomial,linear -p $p -m 8,64,512 --platform leonardo -f csv >nodes-$p.csv
done
plot nodes-8.csv nodes-4x2.csv nodes-2x4.csv -o placed.svg
ok "the same ranks on other nodes: a line for each, labelled nodes x ranks" sh -c 'grep -q ">binomial 4x2<" placed.svg && grep -q ">binomial 2x4<" placed.svg && grep -q ">binomial<" placed.svg'
"$COLLSIM" run bcast binomial -p 8,4x2,16,8x2 -m 8 --platform leonardo -f csv >nodes-p.csv
plot nodes-p.csv --x p -o placed.svg
ok "over ranks, the label has ranks per node" sh -c 'grep -q ">binomial<" placed.svg && grep -q ">binomial 2 per node<" placed.svg'
for p in 4x2 2x4; do
    awk -F, 'NR == 1 || $5 == 8' nodes-$p.csv >one-$p.csv
done
plot one-4x2.csv one-2x4.csv --map
ok "map: the same ranks on other nodes are places" says out "ranks per node"
sed 's/,leonardo,/,lumi,/' nodes-8.csv >elsewhere.csv
ok "bad: --map, two machines" fails "nodes-8.csv, elsewhere.csv: rows on leonardo and on lumi; allowed with --map: one machine" nodes-8.csv elsewhere.csv --map -o bad.svg
ok "bad: --map, two collectives" fails "allreduce and bcast; allowed with --map: one collective" two.csv --map -o bad.svg
ok "bad: --map, predictions and measurements" fails "predictions and measurements; allowed with --map: one kind" said.csv seen.csv --map -o bad.svg
{ cat nodes.csv && place ring 2 2 5e-6 ""; } >again.csv
ok "bad: --map, a point twice" fails "a second row for allreduce ring, p 4, bytes 65536" again.csv --map -o bad.svg
{ echo $HEAD && for i in $(seq 41); do row bcast ring "" 8 "$i" 1e-6 ""; done; } >wide.csv
ok "bad: --map, too many values" fails "41 x 1 values on the axes; allowed with --map: at most 40 x 1024" wide.csv --map -o bad.svg
# 511 ranks: rows of two pixels, of which multiples of 16 have a label; ring wins at odd p of 2 .. 256, and above 256.
{
    echo $HEAD
    for p in $(seq 2 512); do
        row bcast ring "" "$p" 8 $((p % 2 || p > 256 ? 1 : 3))e-6 ""
        row bcast bruck "" "$p" 8 2e-6 ""
    done
} >high.csv
plot high.csv --map -o high.svg
ok "map: many ranks: who wins where" says high.svg "bcast, 8 bytes, lumi: ring wins at 383 of 511 places, bruck at 128"
ok "map: many ranks: a text where there is room, and none at single rows" test "$(grep -c '>ring<' high.svg) $(grep -c '>[AB]<' high.svg) $(grep -c '>bruck<' high.svg)" = "1 0 0"
ok "map: many ranks: multiples of 16 are labels" test "$(grep -o '>[0-9]*<' high.svg | tr -dc '0-9\n' | awk '$1 >= 16 && $1 % 16 == 0' | wc -l)" = 32
ok "map: many ranks: places of one colour that touch are one area" test "$(grep -c '<polygon' high.svg)" -lt 300
ok "bad: --map, nothing to draw" fails "nothing to draw" none.csv --map -o bad.svg

ok "bad: no such folder" fails "nowhere/bad.svg" f.csv -o nowhere/bad.svg
mkdir shadow
printf '#!/bin/sh\necho first >&2\necho "out of ink" >&2\nexit 1\n' >shadow/gnuplot
chmod +x shadow/gnuplot
ok "bad: gnuplot fails: its last line" env PATH="$dir/shadow:$PATH" sh -c '"$0" plot f.csv -o bad.svg 2>err; [ $? = 2 ] && grep -q "gnuplot failed: out of ink" err && [ ! -e bad.svg ]' "$COLLSIM"
mkdir nothing
ok "bad: gnuplot missing: the package" sh -c 'PATH="$1" "$0" plot f.csv -o bad.svg 2>err; [ $? = 2 ] && grep -q "apt-get install gnuplot-nox" err' "$COLLSIM" "$dir/nothing"
ok "bad: a full disk under stdout" sh -c '"$0" plot f.csv >/dev/full 2>err; [ $? = 2 ] && grep -q "No space left" err' "$COLLSIM"

mkdir stopped
printf '#!/bin/sh\n: >%s/drawing\nexec sleep 100\n' "$dir" >shadow/gnuplot
background $DEFAULTS PATH="$dir/shadow:$PATH" "$COLLSIM" plot f.csv -o stopped/s.svg
wait_for test -e drawing
kill -TERM $pid
wait $pid 2>/dev/null
ok "stopped: ends by the signal" test $? = 143
ok "stopped: no half file, no temporary" alone stopped ""
mkdir done
plot f.csv -o done/s.svg
ok "done: no temporary" alone done s.svg
echo "1..$n"
