#!/bin/sh
# Simulates every allreduce and bcast at 32,768 ranks of a real machine, says which one wins where, checks the winners
# against their closed forms, and draws pictures. `make demo` runs this script. COLLSIM is the program, RESULTS the folder
# to write to (results/demo). `make readme` draws one of these pictures for README.
set -eu
cd "$(dirname "$0")/.."
COLLSIM=${COLLSIM:-build/collsim} RESULTS=${RESULTS:-results/demo}
platform=lumi ranks=32K sizes=8,256..16M:x4 shown='8 64K 16M'
mkdir -p "$RESULTS"

# fastest CSV SIZE BYTES: prints a few rows with the fastest algorithms at one size; algorithms that tie share a row.
# Columns: 1 collective, 2 algorithm, 5 bytes, 10 time_s, 18 certificate, 19 ran. If `ran` is not empty, a fallback ran
# and the time is not the algorithm's.
fastest() {
    awk -F, -v bytes="$3" '$5 == bytes && $19 == ""' "$1" | sort -t, -k10,10g -k2,2 |
        awk -F, -v size="$2" '
            function scaled(t) {
                return t < 1e-3 ? sprintf("%.4g us", t * 1e6) : t < 1 ? sprintf("%.4g ms", t * 1e3) : sprintf("%.4g s", t)
            }
            NR == 1 { best = $10; printf("\n%s bytes: %s takes %s = %s\n", size, $1, scaled($10), $18) }
            $10 > last * (1 + 1e-9) && ++rows <= 4 { printf("%s%8.2fx ", rows > 1 ? "\n" : "", $10 / best); column = 10 }
            { last = $10 }
            rows > 4 { more++; next }
            column + length($2) > 96 { printf("\n%10s", ""); column = 10 }
            { printf(" %s", $2); column += length($2) + 1 }
            END { print more ? sprintf("\n           %d more, up to %.0fx", more, last / best) : "" }'
}

# certain COLLECTIVE: checks every algorithm that is the fastest at some size, and counts the times that check finds equal.
certain() {
    : >"$RESULTS/check.txt"
    # shellcheck disable=SC2013
    for algorithm in $(awk -F, 'NR == 1 || $19 != "" { next }
        { time[$5, $2] = $10; name[$2] }
        !($5 in best) || $10 < best[$5] { best[$5] = $10 }
        END {
            for (a in name) for (m in best) if ((m, a) in time && time[m, a] <= best[m]) win[a]
            for (a in win) print a
        }' "$RESULTS/$1.csv"); do
        $COLLSIM check "$1" "$algorithm" -p $ranks >>"$RESULTS/check.txt" || {
            cat "$RESULTS/check.txt"
            exit 1
        }
    done
    awk -v name="$1" '$1 == name && $3 ~ /^[0-9]+$/ { n++; equal += $3; different += $4 }
        END { printf("  %-9s  %2d algorithms: %d times are equal, %d differ\n", name, n, equal, different) }' "$RESULTS/check.txt"
}

for collective in allreduce bcast; do
    csv=$RESULTS/$collective.csv
    segment=
    [ $collective = bcast ] && segment='--param segment=64K'
    # shellcheck disable=SC2086
    $COLLSIM run $collective all -p $ranks -m $sizes --element 8 --platform $platform $segment \
        --format csv >"$csv.part"
    mv "$csv.part" "$csv"
    $COLLSIM plot "$csv" -o "$RESULTS/$collective.svg"
    $COLLSIM plot "$csv" -o "$RESULTS/$collective.png"
    echo
    $COLLSIM plot "$csv" | sed -n '1p; 2{/./p;}' # the title, which has one or two lines, names the winners
    for size in $shown; do
        fastest "$csv" "$size" $(($(echo "$size" | sed 's/K/*1024/; s/M/*1048576/')))
    done
done

printf '\nthe fastest algorithms at %s ranks, compared with their closed forms as integers:\n' $ranks
certain allreduce
certain bcast

printf '\npictures:\n'
for collective in allreduce bcast; do
    printf '  %s\n' "$RESULTS/$collective.svg" "$RESULTS/$collective.png"
done
