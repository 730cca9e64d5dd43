#!/bin/sh
# `collsim compare` on curves that are simulated, with noise and on a machine with other figures than those that predict;
# and, where they are, on the logs that other people measured.
measured=$(realpath "${COLLSIM_MEASURED:-$(dirname "$0")/../../shared/measured}" 2>/dev/null)
names=$(realpath "$(dirname "$0")/../experiments/names")
. "$(dirname "$0")/tap.sh"

# noisy SEED SPREAD: multiplies the times of `run -f csv` by e^(-SPREAD .. SPREAD), the same for the same seed
noisy() {
    awk -F, -v OFS=, -v seed="$1" -v spread="$2" '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == "time_s") t = i; print; next }
        { seed = (seed * 16807) % 2147483647; $t *= exp((2 * seed / 2147483647 - 1) * spread); print }'
}
# recognised N: the answer has N curves, and all are recognised
recognised() {
    [ "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "recognised") at = i; next } { n++; sum += $at }
        END { print n + 0, sum + 0 }' out)" = "$1 $1" ]
}

# ---- Simulated curves ------------------------------------------------------------------------------------------------------

# The machine that is measured is slower than the one that predicts: latency by 30 %, bandwidth by 20 %.
slower="--set alpha=2.6us --set beta=0.12ns/B"
faster="--set alpha=2us --set beta=0.1ns/B --set gamma=0.2ns/B"
for p in 16 24 64; do
    # shellcheck disable=SC2086
    "$COLLSIM" run allreduce linear,reduce_bcast,recursive_doubling,ring,rabenseifner -p $p -m 8..4M:x4 --element 4 $slower \
        --set gamma=0.2ns/B -f csv 2>err | noisy $p 0.3 >noisy.csv
    # shellcheck disable=SC2086
    c compare noisy.csv $faster --only ompi-4.1 -f csv
    ok "p $p: five algorithms with noise of 30 % are recognised" recognised 5
done
cp out one.csv
# shellcheck disable=SC2086
c compare noisy.csv $faster --only ompi-4.1 -f csv
ok "the same bytes come out again" cmp out one.csv
# shellcheck disable=SC2086
c compare noisy.csv $faster --only ompi-4.1
ok "the answer counts them" says out "5 of 5 curves whose algorithm is known are nearest to it (100.0 %)"

# A library that changes its algorithm after 8K: the log does not say what ran.
{
    echo "# OSU MPI Allreduce Latency Test v5.6.2"
    echo "# Size       Avg Latency(us)"
    # shellcheck disable=SC2086
    "$COLLSIM" run allreduce recursive_doubling,ring -p 16 -m 64..4M:x2 --element 4 $faster -f csv 2>err | noisy 7 0.1 | awk -F, '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        ($at["bytes"] <= 8192) == ($at["algorithm"] == "recursive_doubling") { print $at["bytes"], $at["time_s"] * 1e6 }'
} >osu.txt
# shellcheck disable=SC2086
ok "a change of the algorithm" c compare osu.txt -p 16 $faster --only ompi-4.1
tr -s ' \n' '  ' <out >line
ok "the sentence has both, and where the change is" says line \
    "fits ompi-4.1:3 (recursive_doubling) to 8K, ompi-4.1:4 (ring; as 5) from 16K, off by"
ok "the sentence says how much worse others are" grep -q "the second candidate is [0-9.]* times worse" line
sed 's/^64 .*/64 1000/' osu.txt >outlier.txt
# shellcheck disable=SC2086
c compare outlier.txt -p 16 $faster --only ompi-4.1 --tie 90%
tr -s ' \n' '  ' <out >line
ok "a piece that two candidates fit names both" says line "(recursive_doubling) or ompi-4.1:auto (ompi-4.1:auto) to 8K"

# At 1000 bytes, linear sends three messages of 2 us and bruck two of 3 us.
cat >middle.csv <<'END'
collective,algorithm,ranks,bytes,time_us
alltoall,linear,4,1000,6
END
ok "equal candidates count as one" gives "ompi-4.1:1" compare middle.csv --only ompi-4.1 --set alpha=1us --set beta=1ns/B
c compare middle.csv --only ompi-4.1 --set alpha=1us --set beta=1ns/B
ok "cannot tell: linear and bruck take 6 us both, with other messages" says out "cannot tell ompi-4.1:1 (linear; as 2, 4, auto) from"
c compare middle.csv --only ompi-4.1 --set alpha=1us --set beta=1ns/B -f csv
ok "who cannot tell has not recognised" says out ",1,0,,1"
ok "all algorithms of collsim are candidates without --only" gives "pairwise" compare middle.csv
ok "--points" gives "+0 %" compare middle.csv --only ompi-4.1 --set alpha=1us --set beta=1ns/B --points

printf 'collective,ranks,bytes,time_us\nallreduce,4,2,1\nallreduce,4,8,1\n' >parts.csv
ok "a part of an element is passed over" gives "parts.csv: rows that have no whole number of elements (--element) are passed" \
    compare parts.csv --element 4
c compare parts.csv --element 2
ok "--element" says_not out "whole"
c compare parts.csv
ok ".. which are bytes if nobody says it" says_not out "whole"

# The log's datatype decides, for all that read it. rabenseifner needs an element for each rank: with elements of 4 bytes its
# fallback would run at 32 and 64 bytes.
{
    printf '# OSU MPI Allreduce Latency Test v7.4\n# Datatype: MPI_CHAR.\n# Size Avg Latency(us) Min Latency(us) Max Latency(us)\n'
    # shellcheck disable=SC2086
    "$COLLSIM" run allreduce rabenseifner -p 16 -m 8..4096:x2 $faster -f csv 2>err | awk -F, '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { t = $at["time_s"] * 1e6; print $at["bytes"], t, t, t }'
} >char.txt
ok "compare: elements of a log's datatype" gives "fits ompi-4.1:6 (rabenseifner), off by 0 %" \
    compare char.txt -p 16 $faster --only ompi-4.1
ok "validate: the same" gives "0.0 %" validate allreduce:rabenseifner:16=char.txt $faster
c calibrate allreduce:rabenseifner:16=char.txt --set beta=0.1ns/B --set gamma=0.2ns/B
ok "calibrate: the same" sh -c 'grep -q "^alpha *2us .* 0.0 %.* 0.0 %" out'
c compare char.txt -p 16 $faster --only ompi-4.1 --element 4
ok "--element counts more than the log" says_not out "off by 0 %"
ok ".. and a note says so" says out "char.txt:4 has elements of 1 byte, and --element makes them 4"
c validate allreduce:rabenseifner:16=char.txt $faster --element 4
ok ".. in validate too" says out "char.txt:4 has elements of 1 byte, and --element makes them 4"
ok ".. and in calibrate" gives "char.txt:4 has elements of 1 byte, and --element makes them 4" \
    calibrate allreduce:rabenseifner:16=char.txt --set beta=0.1ns/B --set gamma=0.2ns/B --element 4
c validate allreduce:rabenseifner:16=char.txt $faster --element 4
ok ".. which differs" says out "that runs where a need of the algorithm"
sed 's/v7.4/v7.0/; /Datatype/d' char.txt >float.txt
ok "before 7.1 elements are floats" gives "off by 0 %" compare float.txt -p 16 $faster --only ompi-4.1 --element 1
c compare float.txt -p 16 $faster --only ompi-4.1
ok ".. which differ" says_not out "off by 0 %"

# linear takes 3 us on 4 ranks; the log says twice as much for it.
printf 'collective,algorithm,ranks,bytes,time_us\nbcast,x,4,64,6\nbcast,x,4,128,6\n' >double.csv
printf 'theirs,ours,params,collective,factor\nx,linear,,bcast,2\n' >double-names.csv
ok "the factor of a file of names counts once" gives "cannot tell ompi-4.1:1 (linear; as 2, 3, 7) from ompi-4.1:4 (split_bintree)" \
    compare double.csv --names double-names.csv --set alpha=1us --set beta=0s/B --only ompi-4.1

# Both times of 1000 bytes are of one curve, and the least counts, which is that of linear.
printf 'collective,ranks,bytes,time_us\nalltoall,4,1000,9\nalltoall,4,1000,6\nalltoall,4,1000,8\n' >twice.csv
c compare twice.csv --only ompi-4.1 --set alpha=1us --set beta=1ns/B --points
ok "of several times of a size, the least counts" test "$(grep -c '6 us .*6 us  +0 %' out)" = 2

# ---- Bad input -------------------------------------------------------------------------------------------------------------

ok "no log" fails "compare" compare
ok "a log that is not there" fails "none.txt" compare none.txt
ok "ranks that nobody says" fails "osu.txt:3: the log does not say on how many ranks allreduce ran; allowed: with -p" \
    compare osu.txt
ok "several numbers of ranks" fails "-p 2,4; allowed: one number of ranks" compare osu.txt -p 2,4
ok "one rank" fails "-p 1; allowed: 2 ranks or more" compare osu.txt -p 1
ok "a map without ranks" fails "--per-node and --map say where ranks are; allowed: with -p" compare osu.txt --per-node 4
ok "a library that is none" fails "ompi-9" compare osu.txt -p 8 --only ompi-9
ok "--tie" fails "--tie '1'; allowed: at least 0% and below 100%" compare osu.txt -p 8 --tie 1
ok "--draw of two curves" fails "--draw: there are 5 curves; allowed: one" compare noisy.csv --draw a.svg
ok "a picture of another format" fails "--draw" compare osu.txt -p 8 --draw a.gif
printf 'collective,ranks,bytes,time_us\npingpong,2,8,1\n' >pingpong.csv
ok "a log without collectives" fails "pingpong.csv: there is no curve; allowed: times of a collective" compare pingpong.csv
printf 'collective,ranks,bytes,time_us\nallreduce,1,8,1\n' >one.csv
ok "a log of one rank" fails "one.csv: there is no curve" compare one.csv

# ---- The picture -----------------------------------------------------------------------------------------------------------

if command -v gnuplot >/dev/null; then
    ok "--draw" c compare osu.txt -p 16 --only ompi-4.1 --set alpha=2us --draw a.svg
    ok "its title is the sentence" says a.svg "allreduce on 16 ranks: fits"
    ok "its legend has the candidates" says a.svg ">ompi-4.1:3 (recursive_doubling)<"
else
    echo "# SKIP the picture: gnuplot is missing"
fi

# ---- What a library chooses itself ---------------------------------------------------------------------------------------------

# curve LIBRARY COLLECTIVE P: adds the times of LIBRARY:auto to chosen.csv, unless no data say what it runs
curve() {
    c run "$2" "$1:auto" -p "$3" -m 8,64,4K,256K,2M --platform leonardo --element 1 -f csv
    status=$?
    while IFS= read -r line; do
        case $line in *'is not in the data'* | *leaves\ [a-z_]*\ to\ Open\ MPI*) return 0 ;; esac
    done <err
    [ $status = 0 ] || return 1
    curves=$((curves + 1))
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { print $at["collective"] "," $at["ranks"] "," $at["bytes"] "," $at["time_s"] }' out >>chosen.csv
}
# chosen LIBRARY P: each curve of LIBRARY:auto is recognised as that, of all collectives in one file
chosen() {
    echo collective,ranks,bytes,time_s >chosen.csv
    curves=0
    for collective in $collectives; do curve "$1" "$collective" "$2" || return 1; done
    c compare chosen.csv -p "$2" --platform leonardo --only "$1" --element 1 && tr -s ' \n' '  ' <out >line &&
        [ "$(grep -o 'fits [^,]*\(:auto\|as [^)]*auto\)[^,]*), off by 0 %' line | wc -l)" = $curves ]
}
all_chosen() {
    libraries=$("$COLLSIM" regret nix 2>&1 | sed 's/.*allowed: //; s/ [^ ]* (.*//; s/,/ /g')
    [ -z "${SANITIZED-}" ] || libraries=ompi-5 # the others reach no other code
    collectives=$("$COLLSIM" list -f csv | sed '1d; s/,.*//' | uniq | grep -v barrier)
    seen=0
    for library in $libraries; do
        for p in 16 4x4; do
            chosen "$library" $p || { echo "$library -p $p: $curves curves" >>wrong; cat line >>wrong; }
            seen=$((seen + curves))
        done
    done
    if [ -e wrong ]; then mv wrong out && return 1; fi
    [ $seen -ge 20 ] # those of one library
}
serve
ok "a library's own choice is a candidate, HAN too, for all libraries and collectives" all_chosen
ok "the process that answered ends well" served_well

# ---- The measurements of others --------------------------------------------------------------------------------------------

if [ -d "$measured/raw_logs" ]; then
    c calibrate --model measured "$measured/cloudlab_osu.csv" --names "$names/cloudlab_known.csv" --set gamma=0.1ns/B \
        --where experiment=broadcast-p --set lambda=0.75 --set eager=32K --write cloudlab.ini
    for x in ring recursive-doubling; do
        c compare "$measured/raw_logs/allreduce-p__osu-allreduce-$x.txt" -p 8 --platform ./cloudlab.ini --only ompi-5
        ok "OSU's log of $x" says out "fits ompi-5:$([ $x = ring ] && echo '4 (ring' || echo '3 (recursive_doubling')"
    done
    c compare "$measured/raw_logs/allreduce-p__osu-allreduce-ring.txt" -p 48 --platform orfeo-epyc
    ok "nothing fits on the wrong machine" says out "nothing fits; the nearest is"
    c compare "$measured/cloudlab_osu.csv" --names "$names/cloudlab.csv" --where experiment=allreduce-p \
        --platform ./cloudlab.ini --only ompi-5 -f csv
    ok "CloudLab's five allreduces" recognised 5
else
    n=$((n + 1))
    echo "ok $n # SKIP the measurements of others are not in ../shared/measured (or \$COLLSIM_MEASURED)"
fi
# Rows at which the algorithm's need is not met, so that the prediction is its fallback's.
printf 'collective,algorithm,ranks,bytes,median_s\nallreduce,ring,16,8,4e-6\nallreduce,ring,16,8192,4e-5\n' >fallback.csv
c compare fallback.csv --points
ok 'the prediction of a fallback says so' sh -c 'grep -q "4 us  ring  *4.004 us .*recursive_doubling (count < p)" out && ! grep " 8K .*recursive_doubling (count" out'
echo "1..$n"
