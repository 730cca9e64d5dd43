#!/bin/sh
# Checks whether this machine behaves as the models say. Measures every allreduce and bcast with MPI, calibrates in three
# ways, and holds the predictions of each against the measured times: hockney from these times themselves, hockney from a
# ping-pong, and the model measured from that ping-pong and a ring of two ranks. $COLLSIM, $RESULTS, $P, $SIZES and
# $BUDGET may be set.
set -e
cd "$(dirname "$0")/.."
COLLSIM=$(realpath "${COLLSIM:-build/collsim}")
RESULTS=${RESULTS:-results/measured}
SIZES=${SIZES:-8,512,4K,32K,256K,1M,4M}
BUDGET=${BUDGET:-150ms} # time for one point
P=${P:-$([ "$(nproc)" -ge 4 ] && echo 2,4 || echo 2)}
mkdir -p "$RESULTS"
cd "$RESULTS"

# ask ARGUMENTS: prints the command and runs it
ask() {
    printf '\n$ collsim %s\n' "$*"
    "$COLLSIM" "$@"
}

# hold PLATFORM MODEL WITH: predicts with these figures, and says how far off the predictions are
hold() {
    printf '\npredicted against measured times, %s:\n' "$3"
    ask validate allreduce.csv bcast.csv --platform "./$1.ini" --model "$2" --by collective --element 8
}

for collective in allreduce bcast; do
    ask measure $collective all -p "$P" -m "$SIZES" --element 8 --budget "$BUDGET" -o $collective.csv
done
ask calibrate allreduce.csv bcast.csv --write here.ini --title "This machine" --draw fit.svg
for collective in allreduce bcast; do
    ask run $collective all -p "$P" -m "$SIZES" --element 8 --platform ./here.ini -o here-$collective.csv
done
hold here hockney "with three figures from the same collectives"
ask plot here-allreduce.csv allreduce.csv here-bcast.csv bcast.csv -o measured.svg
"$COLLSIM" plot here-allreduce.csv allreduce.csv here-bcast.csv bcast.csv -o measured.png

ask calibrate --run --write pingpong.ini --title "This machine, by a ping-pong"
hold pingpong hockney "with figures from a ping-pong and reductions of one rank"

ask measure allgather ring -p 2 -m 8..2M:x4 --budget "$BUDGET" -o ring.csv
ask calibrate --run ring.csv --model measured --write tables.ini --title "This machine, by tables"
hold tables measured "with tables from a ping-pong and a ring of two ranks"

printf '\npictures:\n'
for picture in measured.svg measured.png fit.svg; do
    printf '  %s\n' "$RESULTS/$picture"
done
