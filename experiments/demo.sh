#!/bin/sh
# Predicts every allreduce and bcast on 586 nodes of 56 ranks, which is 32,816 ranks of a real machine, says which one wins
# where, checks the winners against their closed forms, and draws pictures. `make demo` runs this script. COLLSIM is the
# program, RESULTS the folder to write to (results/demo). `make readme` draws one of these pictures for README.
set -eu
cd "$(dirname "$0")/.."
COLLSIM=${COLLSIM:-build/collsim} RESULTS=${RESULTS:-results/demo}
platform=lumi ranks=586x56 shown='8 64K 4M' checked=8..64:x2,56
mkdir -p "$RESULTS"

# ranked CSV: prints algorithm, bytes, time_s, x_best and certificate of the rows that `best` has ranked. The others have no
# time, or a fallback ran.
ranked() {
    awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $at["ranking"] { print $at["algorithm"], $at["bytes"], $at["time_s"], $at["x_best"], $at["certificate"] }' "$1"
}

# fastest COLLECTIVE CSV SIZE BYTES: prints a few rows with the fastest algorithms at one size; algorithms that tie share a
# row.
fastest() {
    ranked "$2" | awk -F, -v bytes="$4" '$2 == bytes' | sort -t, -k3,3g -k1,1 |
        awk -F, -v collective="$1" -v size="$3" '
            function scaled(t) {
                return t < 1e-3 ? sprintf("%.4g us", t * 1e6) : t < 1 ? sprintf("%.4g ms", t * 1e3) : sprintf("%.4g s", t)
            }
            NR == 1 { printf("\n%s bytes: %s takes %s = %s\n", size, collective, scaled($3), $5) }
            $4 > last * (1 + 1e-9) && ++rows <= 4 { printf("%s%8.2fx ", rows > 1 ? "\n" : "", $4); column = 10 }
            { last = $4 }
            rows > 4 { more++; next }
            column + length($1) > 96 { printf("\n%10s", ""); column = 10 }
            { printf(" %s", $1); column += length($1) + 1 }
            END { print more ? sprintf("\n           %d more, up to %.0fx", more, last) : "" }'
}

# certain COLLECTIVE: checks every algorithm that is the fastest at some size, and counts the times that check finds equal.
certain() {
    winners=$(ranked "$RESULTS/$1.csv" | awk -F, '$4 == 1 { print $1 }' | sort -u | paste -sd,)
    $COLLSIM check "$1" "$winners" -p $checked >"$RESULTS/check.txt" || {
        cat "$RESULTS/check.txt"
        exit 1
    }
    awk -v name="$1" '$1 == name && $3 ~ /^[0-9]+$/ { n++; equal += $3; different += $4 }
        END { printf("  %-9s  %2d algorithms: %d times are equal, %d differ\n", name, n, equal, different); exit n == 0 }' "$RESULTS/check.txt"
}

for collective in allreduce bcast; do
    csv=$RESULTS/$collective.csv
    sizes=8,64K,4M
    [ $collective = bcast ] && sizes=8,256,8K,64K,512K,4M
    # What cannot be among the fastest, by its form or by a bound, is left out, which takes less time than to run it.
    $COLLSIM best $collective --defaults --top 40 -p $ranks -m $sizes --element 8 --platform $platform \
        --format csv >"$csv.part"
    mv "$csv.part" "$csv"
    $COLLSIM plot "$csv" -o "$RESULTS/$collective.svg"
    $COLLSIM plot "$csv" -o "$RESULTS/$collective.png"
    echo
    $COLLSIM plot "$csv" | sed -n '1p; 2{/./p;}' # the title, which has one or two lines, names the winners
    for size in $shown; do
        fastest $collective "$csv" "$size" $(($(echo "$size" | sed 's/K/*1024/; s/M/*1048576/')))
    done
done

printf '\nthe fastest algorithms at %s ranks, on %s ranks and nodes of 4 compared with their closed forms as integers:\n' \
    $ranks $checked
certain allreduce
certain bcast

printf '\npictures:\n'
for collective in allreduce bcast; do
    printf '  %s\n' "$RESULTS/$collective.svg" "$RESULTS/$collective.png"
done
