#!/bin/sh
# Checks whether this machine behaves as the model says. Measures every allreduce and bcast with MPI, fits three figures to
# the times, predicts each algorithm with them, and compares the times and the predicted winners with the measured ones.
# Then does the same with figures from a ping-pong, which does not depend on the collectives, and with the model measured,
# whose tables come from that ping-pong and a ring of two ranks. $COLLSIM, $RESULTS, $P,
# $SIZES and $BUDGET may be set.
set -e
cd "$(dirname "$0")/.."
COLLSIM=${COLLSIM:-build/collsim}
RESULTS=${RESULTS:-results/measured}
SIZES=${SIZES:-8,512,4K,32K,256K,1M,4M}
BUDGET=${BUDGET:-150ms} # time for one point
P=${P:-$([ "$(nproc)" -ge 4 ] && echo 2,4 || echo 2)}
COLLECTIVES="allreduce bcast"
PROGRAM=$(realpath "$COLLSIM")
mkdir -p "$RESULTS"

say() { printf '\n$ collsim %s\n' "$*"; }

# compare PREDICTED.csv MEASURED.csv RANKING.txt: compares predicted times (`run --format csv`) with measured ones, and the
# algorithms that `run` ranks first with the fastest ones.
compare() {
    awk -F, '
        function field(name) { return $(column[name]) }
        function bytes(text) { return text * (text ~ /K$/ ? 1024 : text ~ /M$/ ? 1048576 : text ~ /G$/ ? 1073741824 : 1) }
        function sort(n, i, k, x) { for (i = 2; i <= n; i++) { x = error[i]; for (k = i - 1; k > 0 && error[k] > x; k--) error[k + 1] = error[k]; error[k + 1] = x } }
        FNR == 1 { file++; first = 0 }
        file < 3 && FNR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
        file < 3 && field("ran") != "" { next }
        file == 1 { predicted[field("collective"), field("algorithm"), field("ranks"), field("bytes")] = field("time_s") }
        file == 2 {
            key = field("collective") SUBSEP field("algorithm") SUBSEP field("ranks") SUBSEP field("bytes")
            point = field("ranks") SUBSEP field("bytes")
            if (!(key in predicted)) next
            collective = field("collective")
            measured[point, field("algorithm")] = field("time_s")
            if (!(point in best) || field("time_s") < best[point]) best[point] = field("time_s")
            ratio = predicted[key] / field("time_s") - 1
            error[++n] = ratio < 0 ? -ratio : ratio
        }
        file == 3 && match($0, /^[0-9]+ ranks, [0-9]+[KMG]? bytes/) { split($0, word, /[ ,]+/); point = word[1] SUBSEP bytes(word[3]) }
        file == 3 && /^algorithm / { first = 1; next }
        file == 3 && first {
            first = 0
            split($0, word, " ")
            if (!((point, word[1]) in measured)) next
            points++
            hits += measured[point, word[1]] <= 1.1 * best[point]
            sum += log(measured[point, word[1]] / best[point])
        }
        END {
            sort(n)
            printf "  %-9s  error of %d times: median %.0f %%, p90 %.0f %%\n", collective, n, 100 * error[int((n + 1) / 2)], 100 * error[int(0.9 * n + 0.5)]
            printf "             predicted winner: within 10 %% of the fastest at %d of %d points; on average %.2f times its time\n", hits, points, exp(sum / points)
        }' "$1" "$2" "$3"
}

predict() { # predict PLATFORM: predicts all collectives and compares them with the measured times
    for collective in $COLLECTIVES; do
        $COLLSIM run $collective all -p "$P" -m "$SIZES" --element 8 --platform "$RESULTS/$1.ini" --format csv >"$RESULTS/$1-$collective.csv"
        $COLLSIM run $collective all -p "$P" -m "$SIZES" --element 8 --platform "$RESULTS/$1.ini" >"$RESULTS/$1-$collective.txt"
        compare "$RESULTS/$1-$collective.csv" "$RESULTS/$collective.csv" "$RESULTS/$1-$collective.txt"
    done
}

files=
for collective in $COLLECTIVES; do
    say measure $collective all -p "$P" -m "$SIZES" --element 8 -o $collective.csv
    $COLLSIM measure $collective all -p "$P" -m "$SIZES" --element 8 --budget "$BUDGET" -o "$RESULTS/$collective.csv"
    files="$files $collective.csv"
done

say calibrate $files --write here.ini
(cd "$RESULTS" && $PROGRAM calibrate $files --write here.ini --title "This machine" --draw fit.svg)
say run allreduce all -p "${P%%,*}" -m 8,1M --element 8 --platform ./here.ini
$COLLSIM run allreduce all -p "${P%%,*}" -m 8,1M --element 8 --platform "$RESULTS/here.ini" | sed -n '1,8p; /fastest/p'
printf '\npredicted against measured times, with figures from the same collectives:\n'
predict here
both=
for collective in $COLLECTIVES; do
    both="$both $RESULTS/here-$collective.csv $RESULTS/$collective.csv"
done
say plot $(for c in $COLLECTIVES; do echo here-$c.csv $c.csv; done) -o measured.svg
$COLLSIM plot $both -o "$RESULTS/measured.svg"
$COLLSIM plot $both -o "$RESULTS/measured.png"

say calibrate --run --write pingpong.ini
$COLLSIM calibrate --run --write "$RESULTS/pingpong.ini" --title "This machine, by a ping-pong"
printf '\npredicted against measured times, with figures from a ping-pong:\n'
predict pingpong

say measure allgather ring -p 2 -m 8..2M:x4 -o ring.csv
$COLLSIM measure allgather ring -p 2 -m 8..2M:x4 --budget "$BUDGET" -o "$RESULTS/ring.csv"
say calibrate --run --model measured ring.csv --write tables.ini
(cd "$RESULTS" && $PROGRAM calibrate --run --model measured ring.csv --write tables.ini --title "This machine, by tables")
printf '\npredicted against measured times, with tables:\n'
predict tables

printf '\npictures:\n  %s\n  %s\n  %s\n' "$RESULTS/measured.svg" "$RESULTS/measured.png" "$RESULTS/fit.svg"
