#!/bin/sh
# Every kind of picture, drawn of small made-up data: no text overlaps another one or leaves the picture. text_boxes.pl
# measures the texts. The cases go from 2 to 140 series, with long and short titles, names, notes and machines.
boxes=$(realpath "$(dirname "$0")/text_boxes.pl")
root=$(realpath "$(dirname "$0")/..")
. "$(dirname "$0")/tap.sh"
for program in gnuplot perl; do
    if ! command -v $program >/dev/null; then
        echo "1..0 # SKIP $program is missing"
        exit
    fi
done

# rows NAMES RANKS SIZES [COLLECTIVES [PLATFORM]]: rows of CSV for as many algorithms, numbers of ranks, sizes and collectives.
# The names are those of the registry, then made-up ones; times cross, so that many algorithms win somewhere.
rows() {
    awk -v names="$1" -v ranks="$2" -v sizes="$3" -v collectives="${4:-1}" -v platform="${5:-lumi}" -v notes="${6:-rendezvous}" 'BEGIN {
        split("ring k_ring recursive_doubling rabenseifner reduce_scatter_allgather bine circulant swing knomial han smp lane", known)
        split("allreduce reduce_scatter_block bcast allgatherv", collective)
        print "collective,algorithm,params,p,bytes,root,platform,model,transfer,time_s,certificate,ran"
        for (c = 1; c <= collectives; c++) for (i = 1; i <= names; i++) for (k = 1; k <= ranks; k++) for (s = 0; s < sizes; s++) {
            m = 8 * 4 ^ s; p = k < 6 ? 2 ^ (k + 1) : 48 * k
            name = i in known ? known[i] : "made_up_algorithm_" i
            m = sprintf("%.0f", m)
            t = 1e-6 * (1 + (i * 37 % names) / names * 3) * log(p) + m * p * 1e-9 * (4 - (i * 37 % names) / names * 3) / (1 + c)
            print collective[c] "," name ",," p "," m ",0," platform ",hockney," notes "," t ",1 alpha,"
        }
    }'
}
# Of two pictures that follow each other one is in the sample.
place=0
next_taken() { place=$((place + 1)) && takes $place 2; }
plot() { # plot NAME ROWS.. -- OPTIONS: draws NAME.svg of these rows
    next_taken || return 0
    name=$1
    shift
    args=
    while [ $# -gt 0 ] && [ "$1" != -- ]; do
        args="$args $1"
        shift
    done
    [ $# -gt 0 ] && shift
    # shellcheck disable=SC2086
    rows $args >rows.csv
    drawn "$name" plot rows.csv -o "$name.svg" "$@"
}
draw() { # draw NAME ARGUMENTS..: the program draws NAME.svg
    next_taken || return 0
    drawn "$@"
}
drawn() { # drawn NAME ARGUMENTS..: runs the program; the texts of NAME.svg are checked at the end
    picture=$1
    shift
    c "$@" && [ -s "$picture.svg" ] || echo "$picture: $(head -n 1 err)" >>failed
    pictures="$pictures $picture"
}
pictures=
touch failed

# ---- plot: lines -------------------------------------------------------------------------------------------------------
for i in 2 3 5 8 9 12; do plot "lines-$i" $i 1 6; done
for i in 10 20 40; do plot "lines-all-$i" $i 1 5 -- --all; done
plot lines-140 140 1 4
plot lines-140-panels 35 1 3 4 -- --all
plot one-size 6 1 1
plot two-sizes 4 1 2
plot many-sizes 4 1 28
plot two-p 4 2 5
plot three-p 4 3 5
plot four-p 12 4 5
plot six-p 5 6 7
plot eight-sizes 6 9 8 -- --x p
plot twelve-panels 3 12 13
plot two-collectives 5 1 5 2
plot four-collectives 9 1 5 4
plot collectives-and-p 3 3 4 3
plot bandwidth 5 1 6 -- --y bandwidth
plot bandwidth-p 5 3 4 -- --y bandwidth --x p
plot short-title 3 1 4 -- --title T
plot long-title 3 1 4 -- --title "$(seq -s ' WIDE WORDS ' 30)"
plot long-word 3 1 4 -- --title "$(printf 'M%.0s' $(seq 150))"
plot long-title-panels 3 4 5 -- --title "$(seq -s ' WIDE WORDS ' 20)"
plot long-platform 5 1 5 1 the_machine_of_a_centre_with_a_very_long_name_that_nobody_can_remember
plot long-platform-panels 5 4 5 1 THE_MACHINE_OF_A_CENTRE_WITH_A_VERY_LONG_NAME_THAT_NOBODY_CAN_REMEMBER
rows 5 1 5 >rows.csv
sed 's/,rendezvous,/,WITH WORDS MADE OF MANY WIDE LETTERS THAT MAKE A NOTE MUCH WIDER THAN THE PICTURE IS WIDE AS A WHOLE,/' rows.csv >note.csv
draw long-note plot note.csv -o long-note.svg
rows 12 1 6 | awk -F, -v OFS=, 'NR > 1 { $10 = 1e-6 * $5 } { print }' >same.csv
draw names-alike plot same.csv -o names-alike.svg
rows 9 1 6 | awk -F, -v OFS=, 'NR > 1 { $3 = "segment=" 1024 * NR ";chains=4" } { print }' | sort -u -t, -k2,2 -k5,5n |
    { printf '%s\n' "$(rows 1 1 1 | head -n 1)"; grep -v ^collective; } >params.csv
draw long-names plot params.csv -o long-names.svg --all
{ rows 4 2 6; rows 4 2 6 | sed 1d | sed 's/,hockney,/,measured,/; s/,1 alpha,$/,,/'; } >both.csv
draw measured plot both.csv -o measured.svg
"$COLLSIM" best allreduce -p 4..7 -m 8,1K,64K,1M,8M -f csv >best.csv 2>err
draw best plot best.csv -o best.svg

# ---- plot --map --------------------------------------------------------------------------------------------------------
plot map 5 6 8 -- --map
plot map-one 3 1 1 -- --map
plot map-wide 12 12 20 -- --map
plot map-many 60 12 20 -- --map
plot map-fine 3 400 1 -- --map
plot map-title 5 4 5 -- --map --title "$(seq -s ' WIDE WORDS ' 20)"
plot map-platform 5 4 5 1 the_machine_of_a_centre_with_a_very_long_name_that_nobody_can_remember -- --map

# ---- Other pictures ----------------------------------------------------------------------------------------------------
draw guidelines guidelines ompi-4.1 --platform lumi -p 16x8,48,64 -m 64,4K --draw guidelines.svg
draw regret regret ompi-4.1 allreduce --platform lumi -p 16,48 -m 64,128,256,512 --draw regret.svg
draw regret-large regret ompi-4.1 bcast -p 2..40:+6 -m 8..1M:x8 --draw regret-large.svg
draw bound bound allreduce -p 4,8,16 -m 8..1M:x8 --draw bound.svg
draw bound-p bound allgather -p 3..33:+3 -m 8,1K,64K --draw bound-p.svg
draw bound-many bound reduce_scatter_block -p 2..5 -m 8..64M:x4 --platform leonardo --draw bound-many.svg
"$COLLSIM" run allreduce ring,rabenseifner,recursive_doubling -p 768,96,48 -m 8..4M:x4 --element 4 -f csv >log.csv 2>err
draw calibrate calibrate log.csv --draw calibrate.svg
"$COLLSIM" run reduce_scatter_block recursive_halving,ring,butterfly -p 768,1000 -m 8..4M:x4 --element 4 -f csv >wide.csv 2>err
draw calibrate-names calibrate wide.csv --draw calibrate-names.svg
"$COLLSIM" run allreduce all -p 7,8,96 -m 8..4M:x8 --element 4 -f csv >many.csv 2>err
draw calibrate-many calibrate many.csv --draw calibrate-many.svg
head -n 1 log.csv >curve.csv
grep ring,.*,48, log.csv >>curve.csv
draw compare compare curve.csv --draw compare.svg
draw compare-title compare curve.csv --draw compare-title.svg --title "$(seq -s ' WIDE WORDS ' 20)"
draw learn learn ompi-4.1 allreduce,bcast -p 2..16:+2 -m 8..64K:x4 --draw learn.svg
draw space-time trace allreduce rabenseifner -p 13 -m 8K -f svg -o space-time.svg
draw space-time-nodes trace bcast smp -p 4x4 -m 64K --platform leonardo -f svg -o space-time-nodes.svg
draw space-time-two trace bcast binomial -p 2 -m 8 -f svg -o space-time-two.svg
draw matrix matrix bcast binomial -p 2 -m 8 --draw matrix.svg
draw matrix-nodes matrix allreduce rabenseifner -p 16x4 -m 1M --platform leonardo --draw matrix-nodes.svg
draw matrix-sockets matrix allgather bruck -p 4x48 -m 1000 --platform orfeo-epyc --draw matrix-sockets.svg
draw matrix-large matrix alltoall pairwise -p 32K -m 8 --draw matrix-large.svg
draw matrix-cells matrix allreduce ring -p 96x48 -m 1000001 --cells 256 --draw matrix-cells.svg
draw traffic traffic alltoall pairwise -p 64 -m 8 --topology groups:4 --draw traffic.svg
draw traffic-rounds traffic allreduce rabenseifner -p 64 -m 1M --topology torus:4,4,4 --rounds --draw traffic-rounds.svg
draw traffic-many traffic allreduce rabenseifner -p 512x8 -m 1M --platform leonardo --nodes random:1 --draw traffic-many.svg
draw network network lumi -p 300 --nodes fragment:7:3 --draw network.svg
draw network-torus network --topology torus:16,16,8 --draw network-torus.svg
draw network-tree network --topology "fat_tree:2;16,16;1,8;1,1" --draw network-tree.svg
draw network-fugaku network fugaku --pairings 0 --draw network-fugaku.svg
draw matrix-17 matrix allgatherv ring -p 17 -m 777 --counts linear --messages --draw matrix-17.svg
draw space-time-long trace reduce_scatter_block recursive_halving -p 64 -m 64K -f svg -o space-time-long.svg
awk 'BEGIN {
    print "use,collective,algorithm,p,bytes,measured_us,guess_us,set"
    split("allreduce allgather alltoall barrier bcast gather reduce reduce_scatter_block scatter", what)
    for (s = 1; s <= 12; s++) for (c in what) for (i = 0; i < 4; i++)
        print "score," what[c] ",linear,8," 8 * 2 ^ i "," 1 + 9 * i "," 1 + i * 9.3 + s ",a_set_with_a_long_name_" s
}' >sets.csv
for i in 1 2 12; do
    awk -F, -v most="$i" 'NR == 1 || $8 ~ "_([1-9]|1[0-2])$" && substr($8, 24) + 0 <= most' sets.csv >some.csv
    draw "validate-$i" validate --rows some.csv --column guess_us --draw "validate-$i.svg"
done
cat >claims.csv <<'END'
id,source,place,collective,algorithm,params,quantity,against,kind,claim,let,where,without,truth,note
claim,x,"section 1",allreduce,ring,,time,,equality,"(p-1)*alpha + 2*(p-1)/p*m*beta + ceil(log2(p))*gamma*m + floor(sqrt(p))*ceil(log2(p))*alpha + max(p-1, 1)*alpha",,,,,
END
"$COLLSIM" audit --claims claims.csv --report pages >out 2>err && cp pages/claim.svg . && pictures="$pictures claim"

judge() { # judge PICTURE...: nothing is said against a picture, whose name a line begins with
    : >out
    for picture; do
        : >err
        [ ! -s faults ] && [ ! -s failed ] || grep -hE "^$picture(\.svg)?: " failed faults >err
        ok "${picture#"$root"/}" test ! -s err
    done
}
perl "$boxes" *.svg >faults
# shellcheck disable=SC2086
judge $pictures

# The pictures of the documentation. Some show measurements, and are not drawn again.
perl "$boxes" "$root"/plots/*.svg >faults
judge "$root"/plots/*.svg

# The checker fails where it must: two texts on one place, one that touches, one that leaves the picture, one that is turned.
text() { echo "<text x=\"$1\" y=\"$2\" font-size=\"16\"$4>$3</text>"; }
picture() { { echo '<svg width="200" height="100">' && cat && echo '</svg>'; } >"$1.svg"; }
{ text 10 50 one && text 10 67 two && text 60 50 three; } | picture apart
{ text 10 50 one && text 30 52 two; } | picture overlap
{ text 10 50 one && text 10 66 two; } | picture touch
text 150 50 "leaves it" | picture leaves
{ text 0 0 turned ' transform="translate(20,90) rotate(-90)"' && text 10 60 two; } | picture turned
ok "the checker passes texts that are apart" perl "$boxes" apart.svg
for fault in overlap touch leaves turned; do
    ok "the checker sees a fault: $fault" sh -c '! perl "$0" "$1.svg" >out' "$boxes" $fault
done
echo "1..$n"
