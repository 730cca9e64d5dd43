#!/bin/sh
# The main job on a real machine: every allreduce and bcast at 32,768 ranks, which one wins where, against the closed
# forms, and pictures. `make demo` runs it; COLLSIM is the program, RESULTS where to write (results/demo).
set -eu
cd "$(dirname "$0")/.."
COLLSIM=${COLLSIM:-build/collsim} RESULTS=${RESULTS:-results/demo}
platform=lumi ranks=32K sizes=8,16..64M:x4 shown='8 64K 64M'
mkdir -p "$RESULTS"

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
    for size in $shown; do
        bytes=$(($(echo "$size" | sed 's/K/*1024/; s/M/*1048576/')))
        printf '\n%s on %s, %s ranks, %s bytes: fastest first\n' $collective $platform $ranks "$size"
        # Columns 2 algorithm, 5 bytes, 10 time_s, 18 certificate, 19 ran; where a fallback ran there is no rank.
        awk -F, -v bytes="$bytes" '$5 == bytes && $19 == ""' "$csv" | sort -t, -k10,10g |
            awk -F, 'NR == 1 { best = $10 } { printf "  %-24s %12.2f us %9.2fx  %s\n", $2, $10 * 1e6, $10 / best, $18 }'
    done
    printf '\nfastest %s by size:' $collective
    awk -F, 'function people(n) { return n >= 1048576 ? n / 1048576 "M" : n >= 1024 ? n / 1024 "K" : n }
        NR > 1 && $19 == "" && !($5 in best) { order[++n] = $5 }
        NR > 1 && $19 == "" && (!($5 in best) || $10 < best[$5]) { best[$5] = $10; name[$5] = $2 }
        END {
            for (i = 1; i <= n; i++) {
                if (name[order[i]] != last)
                    printf("%s %s from %s", (i > 1 ? "," : ""), name[order[i]], people(order[i]))
                last = name[order[i]]
            }
            print " bytes on"
        }' "$csv"
done

printf '\nsimulation against the closed forms, as integers:\n'
$COLLSIM check allreduce -p 32K
$COLLSIM check bcast -p 32K

printf '\npictures:\n'
for collective in allreduce bcast; do
    printf '  %s\n' "$PWD/$RESULTS/$collective.svg" "$PWD/$RESULTS/$collective.png"
done
