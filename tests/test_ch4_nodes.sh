#!/bin/sh
# A pair of files that tune writes for MPICH, one for the compositions of its device ch4 and one for its algorithms, with MPICH
# 4.0.2 itself on two nodes of two ranks, which are pretended: MPIR_CVAR_NUM_CLIQUES divides the ranks of one machine. With
# CHECK_ALL the nodes have four ranks, which take three times as long.
# Each call sends what it sends when all calls run the composition that the file names or, where that leaves the call to
# the tree, the algorithm of the other file. CHECK_SEED draws the machine, and which of the cases that need launches of
# their own runs, if any; with CHECK_ALL all do.
. "$(dirname "$0")/tap.sh"
program=$(dirname "$COLLSIM")/tests/order_mpich
if [ ! -x "$program" ] || ! command -v mpiexec.mpich >/dev/null; then
    echo '1..0 # SKIP mpiexec.mpich or order_mpich is missing'
    exit
fi
# Where /sys is missing, as in a container, UCX prints errors among what the program prints, and goes on.
export MPIR_CVAR_NUM_CLIQUES=2 MPIR_CVAR_CLIQUES_BY_BLOCK=1 UCX_WARN_UNUSED_ENV_VARS=n UCX_LOG_LEVEL=fatal
CH4=MPIR_CVAR_CH4_COLL_SELECTION_TUNING_JSON_FILE MPIR=MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE
[ "${CHECK_ALL-}" ] && ranks=8 || ranks=4
machine=2x$((ranks / 2)) sizes='64 1024 8192 65536 524288'
bytes=$(echo $sizes | tr ' ' ,)
for size in $sizes; do # COLLECTIVE,RANKS,ELEMENTS,THEIR BYTES,ROOT,COMMUTATIVE,IN PLACE,OWN OPERATION
    for root in 0 $((ranks / 2 + 1)); do
        echo "bcast,$ranks,$size,1,$root,yes,no,no"
        echo "reduce,$ranks,$((size / 8)),8,$root,yes,no,no"
    done
    echo "allreduce,$ranks,$((size / 8)),8,0,yes,no,no"
    echo "alltoall,$ranks,$size,1,0,yes,no,no"
done >list
sends() { # sends FILE SETTINGS...: notes what all calls send
    to=$1
    shift
    env "$@" mpiexec.mpich -n $ranks "$program" list list </dev/null 2>err | cut -d, -f8- >"$to" &&
        [ "$(wc -l <"$to")" = "$(wc -l <list)" ]
}
tuned() { c tune mpich-4.0 bcast,reduce,allreduce,alltoall -p $machine -m "$bytes" --platform "$1" --sure "$2" -o pair; }
loaded() { sends loaded "$CH4=$PWD/pair/ch4.json" "$MPIR=$PWD/pair/mpir.json"; }

# Nothing is this sure, so the files say what the library does anyway.
ok 'files without a rule' tuned leonardo 99.9999999
ok '.. are those of the default' c rules diff default pair/ch4.json --for mpich-4.0
ok 'MPICH without files' sends usual A=1
ok '.. and with them' loaded
ok '.. sends the same' cmp usual loaded

# What it sends when one composition, or one algorithm on all ranks, runs everywhere.
everywhere() { # everywhere COMPOSITION
    sed "s/\\(MPIDI_Bcast\\|MPIDI_Reduce\\)_intra_composition_[a-z]*/\\1_intra_composition_$1/" pair/ch4.json >"$1.json"
    sends "composition_$1" "$CH4=$PWD/$1.json"
}
ok 'everywhere alpha' everywhere alpha
ok 'everywhere beta' everywhere beta
if takes 0 3; then
    ok 'everywhere gamma' everywhere gamma
    ok 'everywhere the tree' sends tree MPIR_CVAR_DEVICE_COLLECTIVES=none
    ok '.. is what gamma runs' sh -c 'for file in composition_gamma tree composition_alpha; do
        paste -d " " list $file | grep "^bcast\|^reduce" >calls_$file
    done; cmp calls_composition_gamma calls_tree && ! cmp -s calls_composition_alpha calls_tree'
fi
for k in 'binomial binomial recursive_doubling pairwise' \
    'scatter_recursive_doubling_allgather reduce_scatter_gather reduce_scatter_allgather scattered' \
    'scatter_ring_allgather binomial recursive_doubling brucks'; do
    # shellcheck disable=SC2086 # words are words
    set -- $k
    ok "everywhere $1, $2, $3, $4" sends forced MPIR_CVAR_DEVICE_COLLECTIVES=none "MPIR_CVAR_BCAST_INTRA_ALGORITHM=$1" \
        "MPIR_CVAR_REDUCE_INTRA_ALGORITHM=$2" "MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM=$3" "MPIR_CVAR_ALLTOALL_INTRA_ALGORITHM=$4"
    for collective in bcast:$1 reduce:$2 allreduce:$3 alltoall:$4; do
        paste -d ' ' list forced | sed -n "s/^${collective%:*},/${collective#*:} &/p"
    done >>all
done
# A variable names the algorithm of the parts of a composition as well as a file does: this is what `best` prints.
if takes 1 3; then
    PARTS='MPIR_CVAR_BCAST_INTRA_ALGORITHM=scatter_ring_allgather MPIR_CVAR_BCAST_POSIX_INTRA_ALGORITHM=mpir'
    sed 's/MPIR_Bcast_intra_\(binomial\|scatter_recursive_doubling_allgather\|smp\)"/MPIR_Bcast_intra_scatter_ring_allgather"/' \
        pair/mpir.json >parts.json
    # shellcheck disable=SC2086 # words are words
    ok 'parts by variables' sends by_variables "$CH4=$PWD/alpha.json" $PARTS
    ok '.. and by a file' sends by_file "$CH4=$PWD/alpha.json" "$MPIR=$PWD/parts.json"
    ok '.. are the same' sh -c 'bcasts() { paste -d " " list "$1" | grep "^bcast"; }
        bcasts by_variables >one && bcasts by_file >two && bcasts composition_alpha >usual_parts && cmp one two && ! cmp -s one usual_parts'
fi

# compare: all calls send what the files say, a composition of parts or an algorithm. n_other calls differ from what the library
# does without files.
compare() {
    for file in ch4 mpir; do
        "$COLLSIM" rules check pair/$file.json --for mpich-4.0 -p $machine -m "$bytes" --element 8 >$file || return
    done
    paste -d '|' list loaded usual composition_alpha composition_beta >sent
    awk -v machine=$machine '
        FILENAME == "all" { known[$0]; next }
        FILENAME != "sent" { # a line of the answer: COLLECTIVE RANKS BYTES .. RUNS
            if ($2 == machine) { sub(/.*_intra_/, "", $NF); runs[FILENAME, $1, $3 * ($3 ~ /K$/ ? 1024 : 1)] = $NF }
            next
        }
        {
            split($0, is, "|")
            split(is[1], call, ",")
            m = call[3] * call[4]
            says = runs["ch4", call[1], m]
            tree = call[1] == "alltoall" || says == (call[1] == "allreduce" ? "composition_beta" : "composition_gamma")
            if (tree) says = runs["mpir", call[1], m]
            if (tree) good = (says " " is[1] " " is[2]) in known
            else if (call[1] == "allreduce") good = is[2] == is[3]
            else good = is[2] == is[says == "composition_alpha" ? 4 : 5]
            if (!good || says == "") { print call[1], m, call[5] ": not " says; bad = 1 }
            other += is[2] != is[3]
        }
        END { print other + 0 >"other"; exit bad || !NR }' all ch4 mpir sent
    set -- $?
    n_other=$(cat other)
    return $1
}
for platform in $(sampled 2 leonardo lumi); do
    ok "a pair for $platform" tuned $platform 50
    ok '.. is loaded' loaded
    ok '.. and does what its files say' compare
    ok '.. not as by default' [ "$n_other" -gt 0 ]
    echo "# $n_other of $(wc -l <list) calls differ from the default"
done
echo "1..$n"
