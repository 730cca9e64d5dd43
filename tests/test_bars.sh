#!/bin/sh
# The kinds of figures of `collsim plot` that compare times with other times, and that show what they consist of. All
# values are counted by hand. Pictures are complete, no text leaves them, and bad input gives one line and status 2.
. "$(dirname "$0")/tap.sh"

plot() { "$COLLSIM" plot "$@" >out 2>err; }
fails() { # fails TEXT ARGUMENTS...: exits with 2, writes one line with TEXT to stderr, and no picture
    text=$1
    shift
    plot "$@"
    [ $? = 2 ] && [ "$(wc -l <err)" = 1 ] && grep -qF -- "$text" err && [ ! -s out ] && [ ! -e bad.svg ]
}
# inside FILE.svg: every text begins and ends inside the picture, a letter being 10 pixels wide, and no two overlap.
inside() {
    perl -0777 -ne '
        my ($width, $height) = /<svg[^>]* width="(\d+)" height="(\d+)"/ or exit 1;
        my @boxes;
        while (/<g transform="translate\(([\d.]+),([\d.]+)\)"[^>]*text-anchor="(\w+)"[^>]*>\s*<text>([^<]*)/g) {
            my ($x, $y, $anchor, $text) = ($1, $2, $3, $4);
            $text =~ s/&\w+;/x/g;
            my $long = 8.5 * length $text; # on average; the layout reserves more
            my $left = $anchor eq "end" ? $x - $long : $anchor eq "middle" ? $x - $long / 2 : $x;
            exit 1 if $left < 0 || $left + $long > $width || $y < 8 || $y > $height;
            for (@boxes) { exit 1 if $left < $$_[1] && $left + $long > $$_[0] && abs($y - $$_[2]) < 15; }
            push @boxes, [$left, $left + $long, $y];
        }
        exit !@boxes;' "$1"
}

HEAD=collective,algorithm,params,ranks,bytes,root,platform,model,transfer,time_s,certificate,costs,ran,x_bound
row() { echo "bcast,$1,,$2,$3,0,lumi,hockney,rendezvous,$4,x,$5,$6,$7"; } # row ALGORITHM P BYTES TIME COSTS RAN X_BOUND
{
    echo $HEAD
    row ring 8 64 8e-6 "alpha.far=6e-6;beta.far=2e-6" "" 4
    row ring 8 1024 9e-6 "alpha.far=6e-6;beta.far=3e-6" "" 3
    row ring 8 4096 4e-5 "alpha.far=1e-5;beta.far=3e-5" "" ""
    row chain 8 64 2e-6 "alpha.node=1e-6;alpha.far=5e-7;gamma=5e-7" "" 1
    row chain 8 1024 1.8e-5 "alpha.node=1e-6;alpha.far=5e-7;gamma=1.65e-5" "" 6
    row chain 8 4096 8e-5 "alpha.node=2e-5;beta.far=6e-5" "" ""
    row binomial 8 64 4e-6 "alpha.far=4e-6" "" 2
    row binomial 8 1024 4e-6 "alpha.far=4e-6" "ring (p is odd)" 2
    row binomial 8 4096 6e-5 "" "" ""
} >f.csv
sed -n '1p; /,8,64,/p' f.csv >one.csv

# ---- Ratios ----------------------------------------------------------------------------------------------------------

plot f.csv --y speedup --baseline chain -o speedup.svg
ok "speed-up: the axis" says speedup.svg ">speed-up over chain<"
ok "speed-up: the winners are those of the times" says speedup.svg "chain wins up to 64, ring from 1K on"
ok "speed-up: no text leaves the picture" inside speedup.svg
plot f.csv --y speedup
ok "speed-up: the baseline is the first row's algorithm" says out "speed-up over ring"
sed 's/,chain,/,ompi-4.1:auto,/' f.csv >auto.csv
plot auto.csv --y speedup
ok "speed-up: .. or a library's default" says out "speed-up over ompi-4.1:auto"
plot f.csv --y speedup --baseline binomial
ok "speed-up: what the baseline lacks is counted" sh -c 'tr "\n" " " <out | grep -q "2 points omitted: the baseline has no time there"'
sed '/chain/d; /binomial/d' f.csv >ring.csv
plot ring.csv --y speedup
ok "speed-up: of one line, the range" says out "ring is 1 to 1 times as fast as ring"
{ sed -n 1,2p ring.csv && row chain 8 64 4e-6 "" "" "" && sed -n '2s/,ring,,/,ring,seg=1,/p' ring.csv | sed 's/,8e-6,/,4e-5,/'; } >several.csv
plot several.csv --y speedup --baseline ring # 8 / 4, 8 / 8 and 8 / 40
ok "speed-up: of several rows of the baseline, the fastest counts" test "$(sed -n 's/.*  x//p' out | tr '\n' ' ')" = "2 1 0.2 "
ok "speed-up: the title names a faster one" says out "chain wins with 2 times the speed of ring"
plot one.csv --y speedup --baseline chain
ok "speed-up: the title says if there is none" says out "nothing is faster than chain"
plot several.csv --y speedup --baseline "ring seg=1"
ok "speed-up: a baseline with its parameters" says out "chain wins with 10 times the speed of ring seg=1"
plot one.csv --y speedup --baseline ring # 8 / 2, 8 / 4 and 8 / 8
ok "speed-up: the values" test "$(sed -n 's/.*  x//p' out | tr '\n' ' ')" = "4 2 1 "
plot f.csv --y x-bound -o bound.svg
ok "x-bound: the axis" says bound.svg ">time / lower bound<"
ok "x-bound: points without a bound are counted" says bound.svg "3 points omitted: no lower"
plot ring.csv --y x-bound
ok "x-bound: of one line, the range" says out "ring takes 3 to 4 times the lower bound"
{
    echo $HEAD,min_s,p95_s
    row ring 8 64 1e-5 "" "" "" | sed 's/hockney,rendezvous/measured,/; s/,x,/,,/; s/$/,8e-6,1.2e-5/'
    row ring 8 1024 1.8e-5 "" "" "" | sed 's/hockney,rendezvous/measured,/; s/,x,/,,/; s/$/,9e-6,2e-5/'
    row chain 8 64 1e-6 "" "" "" | sed 's/hockney,rendezvous/measured,/; s/,x,/,,/; s/$/,1e-6,1e-6/'
    row tree 8 64 1e-6 "" "" "" | sed 's/hockney,rendezvous/measured,/; s/,x,/,,/; s/$/,1e-6,1e-6/'
} >seen.csv
plot f.csv seen.csv --y x-bound --only ring -o both.svg
ok "x-bound: a measurement has the bound of its point" says_not both.svg "4 points omitted: no lower"
plot f.csv seen.csv --y x-predicted -o errors.svg # 10/8, 18/9 and 1/2
ok "x-predicted: the title has the range and the median" says errors.svg "0.5 to 2 times the predicted time, 1.25 in the median"
ok "x-predicted: the axis" says errors.svg ">measured / predicted time<"
ok "x-predicted: what is not predicted is counted" says errors.svg "nothing predicts them"
ok "x-predicted: no text leaves the picture" inside errors.svg
{
    echo set,file,line,use,collective,variant,ranks,per_node,bytes,group,measured_s,predicted_s,error
    echo s,f,1,test,bcast,ring,8,1,64,g,2e-6,1e-6,x
    echo s,f,2,test,bcast,ring,8,1,128,g,6e-6,2e-6,x
    echo s,f,3,test,bcast,ring,8,1,256,g,6e-6,,x
} >points.csv
plot points.csv --y x-predicted
ok "x-predicted: the points of validate" says out "2 to 3 times the predicted time, 2.5 in the median"

# ---- Bars ------------------------------------------------------------------------------------------------------------

plot one.csv
cat >expected <<'END'
bcast, 8 ranks, 64 bytes, lumi: chain wins with 2 us; binomial takes 2 times as long

   chain  ##################                                                         2 us
binomial  ####################################                                       4 us, x2
    ring  ########################################################################  8 us, x4

hockney, rendezvous
END
sed 's/#//g; s/  */ /g' out >words
sed 's/#//g; s/  */ /g' expected >due
ok "bars: the fastest first, with times" cmp words due
ok "bars: their lengths are as the times" test "$(tr -dc '#\n' <out | awk 'length { printf "%s ", length }')" = "$(awk 'BEGIN { n = 100 - 8 - 8 - 4; print n / 4, n / 2, n " " }')"
plot one.csv -o bars.svg
ok "bars: the title" says bars.svg "bcast, 8 ranks, 64 bytes, lumi: chain wins with 2 us"
ok "bars: the times" sh -c 'grep -q ">4 us, x2<" bars.svg && grep -q ">8 us, x4<" bars.svg'
ok "bars: no text leaves the picture" inside bars.svg
ok "bars: the same bytes twice" sh -c '"$0" plot one.csv -o again.svg 2>err && cmp bars.svg again.svg' "$COLLSIM"
plot one.csv --map -o map.svg
ok "bars: in place of a map of one place" cmp map.svg bars.svg
plot one.csv --y x-bound
ok "bars: ratios" sh -c 'grep -q "chain wins with 1 times the lower bound" out && grep -q "x4$" out'
{ cat one.csv && row linear 8 64 1e-4 "" "" ""; } >long.csv
plot long.csv
ok "bars: a long one is cut, and its text has the time" sh -c 'grep -q "#>  100 us, x50" out && grep -q "1 bar is cut at 20 times the shortest" out'
sed 's/,2e-6,x/,4e-6,x/' one.csv >tie.csv
plot tie.csv
ok "bars: two tie" says out "binomial and chain tie at 4 us; ring takes 2 times as long"
{ cat one.csv && sed -n '2,$p' one.csv | sed 's/^bcast/gather/'; } >two.csv
plot two.csv
ok "bars: a group for each collective" sh -c 'grep -qx bcast out && grep -qx gather out && grep -q "^8 ranks, 64 bytes, lumi: chain wins each time" out'
sed -n '1p; /,8,64,/p' seen.csv >seen1.csv
plot one.csv seen1.csv -o both1.svg
ok "bars: measured times decide" says both1.svg "chain and tree tie at 1 us"
ok "bars: predicted and measured" says both1.svg "8 us; measured 10 us, x10"
plot one.csv seen1.csv --y speedup --baseline ring # 8 / 2 and 10 / 1
ok "bars: what is measured is compared with what is measured" says out "x4; measured 10"
ok "bars: measured: no text leaves the picture" inside both1.svg
for m in png pdf; do ok "bars: as $m" plot one.csv -o "bars.$m"; done
{ echo $HEAD && for i in $(seq 28); do row "algorithm_with_a_long_name_$i" 8 64 "${i}e-6" "" "" ""; done; } >many.csv
plot many.csv -o many.svg
ok "bars: 28 of them are all drawn" test "$(grep -c 'algorithm_with_a_long_name_[0-9]*<' many.svg)" = 28
ok "bars: many: no text leaves the picture" inside many.svg

# ---- Parts -----------------------------------------------------------------------------------------------------------

plot one.csv --y shares
# ring: 3/4 alpha.far; chain: 1/4 alpha.far, 1/2 alpha.node and 1/4 gamma; of 80 characters
ok "shares: the terms" says out "# alpha.far, = alpha.node, + beta.far, - gamma"
ok "shares: the title names the largest" says out "chain wins with 2 us; 50 % of it is alpha.node"
ok "shares: of ring" says out "ring  $(printf '%60s' '' | tr ' ' '#')$(printf '%20s' '' | tr ' ' '+')  8 us, x4"
ok "shares: of chain" says out "chain  $(printf '%20s' '' | tr ' ' '#')$(printf '%40s' '' | tr ' ' '=')$(printf '%20s' '' | tr ' ' '-')  2 us"
plot one.csv --y parts
ok "parts: of chain" says out "chain  #####==========-----  "
plot f.csv --y shares -o shares.svg
ok "shares: over sizes, the title says what the time goes to" says shares.svg "the fastest spends most on alpha.node up to 64,"
ok "shares: what was not simulated is counted" says shares.svg "1 point omitted: not simulated"
ok "shares: a group for each size" sh -c 'grep -q ">64 bytes<" shares.svg && grep -q ">1K bytes<" shares.svg && grep -q ">4K bytes<" shares.svg'
ok "shares: no text leaves the picture" inside shares.svg
ok "shares: hatched areas tell terms apart" test "$(grep -c "url(#gpPat" shares.svg)" -ge 3
{ echo $HEAD && row ring 8 64 1e-5 "\"one(far,8)=1e-6;one(far,64)=2e-6;a=1e-6;b=1e-6;c=1e-6;d=1e-6;e=1e-6;f=5e-7;h=7.5e-7;i=7.5e-7\"" "" ""; } >terms.csv
plot terms.csv --y shares
ok "shares: sizes of one figure are added" says out "30 % of it is one.far"
ok "shares: the least terms share a name" says out ". other terms"
"$COLLSIM" run allreduce ring,rabenseifner,smp -p 4x4 -m 1K,64K --platform leonardo -f csv >leonardo.csv 2>err
plot leonardo.csv --y shares -o levels.svg
ok "shares: levels of a machine" sh -c 'grep -q ">alpha.node<" levels.svg && grep -q ">beta.far<" levels.svg'
"$COLLSIM" run allreduce ring,rabenseifner -p 8 -m 64K --platform archer2 --model measured -f csv >tables.csv 2>err
"$COLLSIM" run allreduce ring -p 8 -m 64K --platform archer2 --model measured --why -f json >why.json 2>err
plot tables.csv --y shares -o tables.svg
part bars tables.svg >tables.bars
ok "shares: a part has the colour of the resource that run --why names" sh -c '
    grep -q "\"term\":\"one(far, 8K)\",\"resource\":\"bandwidth\"" why.json &&
    grep -q "rgb(230, 159,   0)" tables.bars && ! grep -q "polygon fill = .rgb(  0, 114, 178)" tables.bars'
"$COLLSIM" run bcast pipeline -p 4 -m 8 --model loggops -f csv >loggops.csv 2>err
plot loggops.csv --y shares
ok "shares: parts follow each other by resource" says out "# L, = G, + o"
ok "costs: they add up to the time" awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } {
        n = split($at["costs"], part, ";"); sum = 0
        for (i = 1; i <= n; i++) { split(part[i], of, "="); sum += of[2] }
        if (sum < 0.999999999 * $at["time_s"] || sum > 1.000000001 * $at["time_s"]) exit 1
    } END { exit NR != 7 }' leonardo.csv

# ---- Bad input -------------------------------------------------------------------------------------------------------

ok "bad: --baseline" fails "--baseline 'rong' is not in f.csv; allowed: an algorithm of the files" f.csv --y speedup --baseline rong -o bad.svg
ok "bad: --baseline without --y speedup" fails "--baseline is for --y speedup" f.csv --baseline ring -o bad.svg
ok "bad: --baseline and --map" fails "--map cannot be used with" f.csv --map --baseline ring -o bad.svg
cut -d, -f1-10,13 f.csv | sed 's/,costs//' >plain.csv
ok "bad: no bound" fails 'plain.csv: no column `x_bound`; add the CSV that' plain.csv --y x-bound -o bad.svg
ok "bad: no costs" fails 'plain.csv: no column `costs`; draw the CSV that' plain.csv --y shares -o bad.svg
ok "bad: nothing measured" fails "f.csv: only predictions; allowed with --y x-predicted" f.csv --y x-predicted -o bad.svg
ok "bad: nothing predicted" fails "seen.csv: only measurements; allowed with --y x-predicted" seen.csv --y x-predicted -o bad.svg
sed '2s/,4$/,-4/' f.csv >negative.csv
ok "bad: x_bound" fails 'negative.csv:2: x_bound is `-4`; allowed: a number, 0 or above' negative.csv --y x-bound -o bad.svg
sed '2s/alpha.far=6e-6/alpha.far/' f.csv >broken.csv
ok "bad: costs" fails "costs of ring are 'alpha.far;beta.far=2e-6'; allowed: NAME=SECONDS, joined by ;" broken.csv --y shares -o bad.svg
printf 'collective,algorithm,ranks,bytes,model,time_s,certificate,costs,x_bound\nbcast,ring,4,64,hockney,8e-6,x,alpha=0;beta=1e-999,4\nbcast,chain,8,64,hockney,2e-6,x,alpha=1e-6,1\n' >nothing.csv
for y in shares parts; do ok "bad: costs that are all 0, $y" fails "costs of ring are 'alpha=0;beta=1e-999'; allowed: NAME=SECONDS, joined by ;, and not all of them 0" nothing.csv --y $y; done
{ echo $HEAD && for i in $(seq 8 320); do row ring 8 "$i" 1e-6 "alpha=1e-6" "" ""; done; } >hundreds.csv
ok "bad: too many bars" fails "313 bars; allowed: at most 300" hundreds.csv --y shares -o bad.svg
echo "1..$n"
