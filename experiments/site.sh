#!/bin/sh
# A day with a cluster that you know only by its logs (docs/TUNING.md): from a folder of output of OSU and IMB to a machine file,
# what the defaults of Open MPI cost on it, a setting that costs less, and a page to show. Each step prints what was typed.
#
#   experiments/site.sh                                       the logs of an invented cluster, half a minute
#   LOGS=~/logs LEVELS=node=48 PLACES=16x48,96x48 experiments/site.sh     your own, with its grid
#
# COLLSIM is the program, RESULTS the folder to write to (results/site). LOGS is the folder of logs, and LEVELS what `calibrate` takes
# for --levels; without LOGS, tests/site_logs.py makes logs from the seed SEED (1), which needs python3. LIB (ompi-5) is the
# library, COLLECTIVES (allreduce,bcast) are tuned at PLACES (12 nodes, all cores) and SIZES (64..256K:x8).
set -eu
LOGS=${LOGS:+$(realpath "$LOGS")}
cd "$(dirname "$0")/.."
COLLSIM=$(realpath "${COLLSIM:-build/collsim}") RESULTS=${RESULTS:-results/site} LEVELS=${LEVELS:-}
LIB=${LIB:-ompi-5} COLLECTIVES=${COLLECTIVES:-allreduce,bcast} SIZES=${SIZES:-64..256K:x8}
mkdir -p "$RESULTS"
if [ -z "$LOGS" ]; then
    rm -rf "$RESULTS/logs"
    python3 tests/site_logs.py "$RESULTS" "${SEED:-1}"
    LOGS=logs LEVELS=$(cat "$RESULTS/levels")
fi
PLACES=${PLACES:-12x${LEVELS##*=}}
cd "$RESULTS"

step() { printf '\n== %s\n\n' "$1"; }
exec 3>&1
# type_it WORDS: prints a command, and runs it.
type_it() {
    printf '$ collsim %s\n' "$*" >&3
    "$COLLSIM" "$@"
}
on="--platform ./here.ini -p $PLACES -m $SIZES"

step '1. What the logs say: a machine file'
type_it calibrate --site "$LOGS" --levels "$LEVELS" --title 'our cluster' --write here.ini -o calibrated.txt
echo
sed -n '1,/^what the files/p' calibrated.txt | sed '$d'
sed -n '/^what no figure/,/^notes/p' calibrated.txt | sed '$d'
echo 'calibrated.txt has the rest: what each file was taken for, and the rows that were left out.'

step '2. What the defaults cost'
# shellcheck disable=SC2086 # words
type_it regret "$LIB" "$COLLECTIVES" $on --top 3 -o regret.txt
echo
sed -n '/^x: /,/^Cliffs/p' regret.txt | sed '$d'

step '3. A setting that costs less'
rm -rf setting
# shellcheck disable=SC2086
type_it tune "$LIB" "$COLLECTIVES" $on -o setting >load.txt
echo
sed -n '/^mpirun/{s/ --mca/ \\\n    --mca/g;p;}' load.txt
echo
echo 'Predicted times, over the best that the library can be told to run:'
sed -n 's/^#   \(.*default .*rules .*\)/\1/p' setting/han.conf

step '4. What the library makes of the files'
type_it rules check setting/tuned.conf --for "$LIB" --han setting/han.conf || [ $? = 1 ] # which only means that it has remarks

step '5. A page to show'
# shellcheck disable=SC2086
type_it report "$COLLECTIVES" --only "$LIB" $on -o page.html

step '6. On the cluster: paste, and look whether it acts'
cat <<END
$(grep '^export' load.txt)

Run your job once with --mca coll_base_verbose 30, and look at its standard error:
    comm_select: selecting han, priority .., Enabled      HAN serves this communicator
    init_dynamic_rules read .. rules from .../han.conf    HAN uses the file; or else "cannot open", or the line with the error
Tuned says nothing. In a copy of tuned.conf, set an id of a rule that your job needs to 99: if the job ends with MPI_ERR_ARG, the
file is used. Then measure, without and with the files: osu_bcast and osu_allreduce, as in the logs.
END
