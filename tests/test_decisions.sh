#!/bin/sh
# Names of libraries on the command line: LIB:auto, LIB:all, LIB:NAME and LIB:ID. test_decide has what libraries decide.
root=$(realpath "$(dirname "$0")/..")
. "$(dirname "$0")/tap.sh"
R="run allreduce"
export COLLSIM
bad() { # bad TEXT ARGUMENTS...: the program refuses the arguments with TEXT
    text=$1
    shift
    ok "refused: $text" fails "$text" "$@"
}

# ---- What runs ------------------------------------------------------------------------------------------------------------

# 48 ranks need 32 elements for rabenseifner; 16 doubles are sent linearly: 47 receptions, then 47 sends.
ok 'the fallback that runs' gives '1 basic_linear (chosen 6: count < 2^floor(log2 p))' $R ompi:auto -p 48 -m 128 --element 8
ok '.. is simulated' gives '94 alpha' $R ompi:auto -p 48 -m 128 --element 8 -f csv
ok '.. and more elements are not' gives '6 rabenseifner' $R ompi:auto -p 48 -m 256 --element 8
ok 'each point is decided anew' sh -c '
    "$COLLSIM" run bcast mpich:auto -p 8 -m 8,16K,1M -f csv >out &&
    for id in binomial scatter_recursive_doubling_allgather scatter_ring_allgather; do grep -q ",$id,$id," out || exit; done'
ok 'the setting of one point' gives \
    '--mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_allreduce_algorithm 3' $R ompi:auto -p 8 -m 8
ok '.. of MPICH' gives 'MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM=recursive_doubling' $R mpich:auto -p 8 -m 8
ok '.. but not of several points' sh -c '
    "$COLLSIM" run allreduce ompi:auto -p 8 -m 8,16 >out && ! grep "To set it" out'
ok 'a ranking says what ran' gives 'ompi-4.1:auto runs 3 recursive_doubling' $R ompi:auto,ring -p 8 -m 8

ok 'show draws what a library runs' sh -c '
    "$COLLSIM" show allgather ompi:auto -p 3 -m 8 >out 2>err && grep -q "allgather bruck" out &&
    grep -q "ompi-4.1:auto runs 2 bruck (chosen 3: p is not a power of two)" err'
ok 'export writes it' sh -c '
    "$COLLSIM" export goal bcast ompi:auto -p 4 -m 64 >a && "$COLLSIM" export goal bcast ompi:6 -p 4 -m 64 >out &&
    test "$(grep -v "^//" a)" = "$(grep -v "^//" out)"'

# ---- Nodes ----------------------------------------------------------------------------------------------------------------

ok 'HAN on several nodes' gives 'han (bcast: 1 basic_linear)' run bcast ompi-5:auto -p 4x4 -m 65537
ok '.. whose parts between nodes are unknown' gives 'what HAN runs between the nodes is not in the data' \
    run bcast ompi-5:auto -p 4x4 -m 65537
ok '.. but for a bcast of one segment' gives 'han (bcast: 5 binary_tree; bcast: 7 knomial)' \
    run bcast ompi-5:auto -p 12x32 -m 8K
ok '.. and says nothing is missing' sh -c '! grep "not in the data" out'
ok '.. however long that is' gives 'han (bcast: 1 basic_linear; bcast: 1 basic_linear)' \
    run bcast ompi-5:auto -p 4x4 -m 128K --han segsize=128K
ok '.. and for calls that block, which tuned decides with a rank for each node' gives \
    'han (barrier: 3 recursive_doubling; barrier: 1 linear)' run barrier ompi-5:auto -p 8x4
ok '.. and says nothing is missing' sh -c '! grep "not in the data" out'
ok '.. whose blocks have what all ranks of a node have' gives 'han (gather: 1 basic_linear; gather: 2 binomial)' \
    run gather ompi-5:auto -p 4x4 -m 256
ok '.. is not there with --no-han' gives '6 binomial' run bcast ompi-5:auto -p 4x4 -m 64K --no-han
ok 'a setting leaves HAN out on several nodes' sh -c '"$COLLSIM" best bcast --only ompi-5 -p 4x4 -m 64K >out && grep -q "set it.*--mca coll ^han" out'
ok '.. but not on one, which HAN leaves to tuned' sh -c '"$COLLSIM" best bcast --only ompi-5 -p 1x4 -m 64K >out && grep -q "set it" out && ! grep -q "\^han" out'
ok "HAN's variables" gives 'note: HAN runs with --mca coll_han_bcast_segsize 524288' run bcast ompi-5:auto -p 4x4 -m 1M --han segsize=512K
ok '.. all of them' gives 'coll_han_use_bcast_algorithm simple' \
    run bcast ompi-4.1:auto -p 4x4 -m 1M --han algorithm=simple,priority=40
ok '.. in regret' gives 'HAN runs with --mca coll_han_COLLECTIVE_segsize 524288' regret ompi-5 bcast -p 4x4 -m 1M --han segsize=512K
for word in segsize segsize= segsize=0 segsize=3G segsize=x algorithm=reproducible priority=0 priority=101 low=1 '' segsize=8,,; do
    bad "--han '${word##*,}'; allowed: segsize=BYTES" run bcast ompi-5:auto -p 4x4 -m 1M --han "$word"
done
bad 'allowed: one of them' run bcast ompi-5:auto -p 4x4 -m 1M --han segsize=512K --no-han
ok '.. nor on one node' gives '6 binomial' run bcast ompi-5:auto -p 1x16 -m 64K
ok '.. nor in 4.1' gives '6 binomial' run bcast ompi:auto -p 4x4 -m 64K
ok "a composition's parts see their own p" gives \
    'alpha (allreduce: reduce_scatter_allgather; reduce: binomial; bcast: binomial)' \
    $R mpich:auto -p 12x4 -m 248 --element 8
ok 'without a map a note asks for nodes' gives 'see -p NxK and --map' $R mpich:auto -p 8 -m 8

# ---- Names ----------------------------------------------------------------------------------------------------------------

ok 'an id of a version' gives 'sparbit' run allgather ompi-5:7 -p 8 -m 8
ok '.. also without the version, if only another one has it' gives 'sparbit' run allgather ompi:7 -p 8 -m 8
ok '.. and its name' gives 'rabenseifner' $R ompi-4.1.4:rabenseifner -p 8 -m 64
ok 'an id means what its version means' sh -c '
    "$COLLSIM" run allgather ompi-main:2,ompi-5:2 -p 9 -m 8 >out && grep -q ^k_bruck out && grep -q ^bruck out'
ok "MPICH's variant of an entry" gives 'prestep=mpich' $R mpich-4.0:reduce_scatter_allgather,ring -p 12 -m 4K
ok "a library's name in capitals" gives 'ompi-4.1:auto' $R OMPI-4.1:auto -p 8 -m 8
ok 'all beside a default' sh -c '
    "$COLLSIM" run barrier ompi:auto,all -p 2 -f csv >out 2>err && "$COLLSIM" run barrier all -p 2 -f csv >all &&
    [ "$(wc -l <out)" = $(($(wc -l <all) + 1)) ]'
ok '.. and beside a name that it has itself' sh -c '
    "$COLLSIM" run barrier linear,ALL -p 2 -f csv >out 2>err && sort out >a && sort all >b && cmp a b'
ok 'all of a version' sh -c 'test "$("$COLLSIM" run barrier ompi:all -p 2 -f csv | wc -l)" = 7'

# ---- --only ---------------------------------------------------------------------------------------------------------------

B="best allreduce -p 48 --element 8"
bad "has no bcast 'nonsense'" run bcast 5,nonsense -p 8 -m 64 --only ompi-4.1
ok '--only: the best of a version' gives 'recursive_doubling  3' $B -m 128 --only ompi-4.1
ok '.. has nothing that another one has' sh -c '
    "$COLLSIM" best allreduce -p 48 -m 1M --element 8 --only ompi --top 20 -f csv >out &&
    ! grep -e circulant -e k_ring -e allgather_reduce out'
ok '.. with the setting' gives '--mca coll_tuned_bcast_algorithm 4 --mca coll_tuned_bcast_algorithm_segmentsize' \
    best bcast -p 48 -m 1M --only ompi
ok '.. not of what nobody can tell it' sh -c '
    "$COLLSIM" best bcast -p 48 -m 1M --only ompi --top 20 -f csv >out && grep -q "knomial,.*radix=4" out'
ok '.. of MPICH, with its own parameters' gives 'rabenseifner prestep=mpich  reduce_scatter_allgather' $B -m 1M --only mpich-4.0
ok '.. where a need is met' sh -c '
    "$COLLSIM" best allgather -p 12 -m 8 --only mpich-4.0 --top 9 -f csv >out && ! grep "recursive_doubling.*alpha" out'
ok '--only any is all' sh -c '
    "$COLLSIM" $0 -m 1M --only any >a && "$COLLSIM" $0 -m 1M >out && cmp a out' "$B"
ok 'all are those of the library' sh -c 'test "$("$COLLSIM" run barrier all -p 2 --only ompi -f csv | wc -l)" = 7'
ok "the parts of a library's algorithm are decided" gives '2 nonoverlapping (reduce: 5 binomial; bcast: 6 binomial)' \
    $R nonoverlapping -p 48 -m 128 --only ompi
ok 'crossover takes ids' gives 'recursive_doubling against rabenseifner' crossover allreduce 3 6 -p 8 --only ompi
ok 'bound too' gives 'scatter_rd_allgather' bound bcast -p 48 -m 64K --only mpich
bad "--only: unknown library 'impi', did you mean ompi? allowed: ompi-4.1" $B -m 8 --only impi
bad "Open MPI 4.1.4 has no allreduce 'circulant'; allowed: " $R circulant -p 8 -m 8 --only ompi

# ---- Operations that are not commutative ----------------------------------------------------------------------------------

N="--element 8 --non-commutative"
ok 'Open MPI decides for the operation' gives '3 recursive_doubling' run allreduce ompi:auto -p 48 -m 64K $N
ok '.. and otherwise if it commutes' gives '4 ring' run allreduce ompi:auto -p 3 -m 64K --element 8
ok 'MPICH decides for it' gives ' 131.8 us  noncommutative' run reduce_scatter mpich:auto -p 16 -m 1M $N
c best allreduce --only ompi -p 16 -m 1M --top 20 $N
ok 'best leaves out what Open MPI runs with wrong results' says out 'left out: ring, segmented_ring (wrong for operations that do not commute)'
ok '.. and what falls back' says out 'rabenseifner (the operation is not commutative)'
ok '.. but not what is right' says out recursive_doubling
c best reduce_scatter -p 16 -m 1M --top 40 $N
ok 'best of all algorithms leaves out what reorders' says out 'left out: bine, circulant, circulant_overlap, k_bruck, k_bruck_overlap,'
ok '.. all of it' says out 'node_pairs, pairwise, pat, recursive_halving, ring, swing (the'
ok '.. and no closed form cuts it short' says out nonoverlapping
ok 'the answer says so' says out 'operation not commutative'
ok 'run refuses what reorders' fails 'pairwise cannot run on 4 ranks: the operation is not commutative' \
    run reduce_scatter pairwise -p 4 -m 64 $N
ok 'csv says so' gives ',commutative,' run allreduce linear -p 4 -m 64 $N -f csv
ok '.. only then' sh -c '"$1" run allreduce linear -p 4 -m 64 -f csv >out && ! grep commutative out' sh "$COLLSIM"
ok 'regret' gives 'operation not commutative' regret ompi allreduce -p 16 -m 1M $N
ok '.. whose best is right for it' says out 'rabenseifner (the operation is not commutative)'
ok 'a collective without an operation' fails '--non-commutative: bcast has no operation; allowed: with a reduction' \
    run bcast binomial -p 4 -m 8 --non-commutative

# ---- Aliases ------------------------------------------------------------------------------------------------------------------

# same_as_entry LIBRARY COLLECTIVE NAME ENTRY PARAMS...: true if the library has no NAME, or LIBRARY:NAME is the entry with these
# parameters, at a size for each branch of the library's text. (Parts that a library chooses anew, test_agree.sh runs.)
same_as_entry() {
    of="$2 $1:$3,$4" bytes='-m 8,20480,655360' elements=1
    case $2 in barrier) bytes= ;; *reduce*|*scan) elements=8 ;; esac
    shift 4
    params=
    for param; do params="$params --param $param"; done
    for p in 2,16,5x8 2 16 5x8; do # where one of the three is refused, each by itself
        # shellcheck disable=SC2086
        c run $of -p $p $bytes --element $elements --platform leonardo -f csv $params ||
            { grep -q ' has no ' err && return; grep -q ' cannot run on ' err && continue; return 1; }
        awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
            { place = $at["ranks"] " " $at["bytes"] }
            $at["decided"] ~ /\(/ || $at["time_s"] == "" || $at["ran"] != "" { skip[place] = 1; next }
            { bad += n[place]++ && time[place] != $at["time_s"] && !skip[place]; time[place] = $at["time_s"] }
            END { exit bad }' out || return 1
        held=1
        [ $p != 2,16,5x8 ] || break
    done
}
# The exception is what only MPICH's main branch has, for which there are no tables.
all_aliases() {
    tables='mpich:mpich-4.0,mpich-4.3 ompi:ompi-4.1 ompi-later:ompi-main'
    [ -z "${SANITIZED-}" ] || tables=ompi-later:ompi-main # the others reach no other code
    for table in $tables; do
        libraries=$(echo "${table#*:}" | tr , ' ')
        sed -n "/<!-- ${table%%:*} -->/,/<!-- end -->/p" "$root/docs/ALIASES.md" | tr -d '`' |
            awk -F ' *[|] *' '$2 == "collective" { for (i = 1; i <= NF; i++) column[$i] = i; next }
                NF > 6 && $2 !~ /^-/ { at = column["entry"]; gsub(/,/, "", $at)
                    print $(column["version"]) ~ /^main/, $2, $3, $at }' >rows
        while read -r held row; do
            for library in $libraries; do
                # shellcheck disable=SC2086
                same_as_entry $library $row || { echo "$library $row"; return 1; }
            done
            [ "$held" = 1 ] || { echo "no library has $row"; return 1; }
        done <rows
    done >wrong || { mv wrong out; false; }
}
serve
ok 'LIBRARY:NAME is the entry that docs/ALIASES.md names' all_aliases
ok "the process that answered ends well" served_well
smp() { # smp P M PLATFORM: MPICH's bcast smp and our entry of it are one run
    for library in mpich-4.0 mpich-4.3; do
        c run bcast $library:smp,mpich_smp -p "$1" -m "$2" --platform "$3" -f csv || return 1
        [ "$(column certificate | sort | uniq -c | awk '{ print $1 }')" = 2 ] || return 1
    done
}
ok "the long branch of MPICH's smp" smp 5x8 32K leonardo
ok '.. on many nodes' smp 63x12 32K lumi
ok '.. the short branch' smp 5x8 8 leonardo
ok '.. the medium one' smp 4x4 12K leonardo

# element BYTES COLLECTIVE ARGUMENTS...: elements that nobody gave have so many bytes.
element() {
    bytes=$1
    shift
    c run "$@" -p 8 --platform leonardo -f csv && [ "$(column element | sort -u)" = "$bytes" ]
}
ok 'elements of reductions where a library decides' element 8 allreduce ompi-5:auto,ring -m 8,64
ok '.. which the answer says' says err 'note: elements of reductions have 8 bytes, as none are given (--element)'
ok '.. of which sizes are a multiple' element 2 allreduce ompi-5:auto -m 8,6
ok '.. of other collectives' element 1 bcast ompi-5:auto -m 64
ok '.. says nothing' says_not err 'elements of'
ok '.. where none decides' element 1 allreduce ring -m 64
ok '.. says nothing either' says_not err 'elements of'
ok '.. that are given' element 4 allreduce ompi-5:auto -m 64 --element 4
ok '.. are not assumed' says_not err 'elements of'
regrets() { # run and regret time the same default of two elements
    c regret ompi-5 allreduce -p 16 -m 16 --platform leonardo -f json
    regret=$(grep -o '"default_s": *[0-9.e-]*' out | head -1 | sed 's/.*: *//')
    c run allreduce ompi-5:auto -p 16 -m 16 --platform leonardo -f csv
    [ -n "$regret" ] && [ "$(column time_s)" = "$regret" ]
}
ok 'run and regret agree on the default' regrets

# ---- Refused --------------------------------------------------------------------------------------------------------------

bad "unknown library 'ompi-3', did you mean ompi-5? allowed: ompi-4.1, ompi-5, ompi-main, mpich-4.0, mpich-4.3, ucc-1.3, ucc-1.4, ompi" \
    $R ompi-3:auto -p 8 -m 8
bad "ambiguous library 'mpich-4'; allowed: " $R mpich-4:auto -p 8 -m 8
bad "ambiguous library 'ucc-1'; allowed: " $R ucc-1:auto -p 8 -m 8
bad "UCC 1.3 has no reduce_scatter_block 'knomial'; allowed: auto, all, ring" \
    run reduce_scatter_block ucc-1.3:knomial -p 8 -m 8
bad "scatter ucc-1.4:auto cannot run on 8 ranks: UCC 1.4 leaves scatter to Open MPI's next component" \
    run scatter ucc:auto -p 8 -m 8
bad "Open MPI 4.1.4 has no allreduce '9'; allowed: auto, all, 1 (basic_linear), 2 (nonoverlapping)" \
    $R ompi-4.1:9 -p 8 -m 8
bad "MPICH 4.0.2 has no allreduce 'tree'; allowed: auto, all, recursive_doubling" $R mpich-4.0:tree -p 8 -m 8
bad 'scatterv ompi-4.1:auto cannot run on 8 ranks: Open MPI 4.1.4 leaves scatterv to its component basic' \
    run scatterv ompi:auto -p 8 -m 8
bad 'show ompi:all: these are several algorithms; allowed: one' show bcast ompi:all
export COLLSIM_DECISIONS=/nowhere
bad '/nowhere/openmpi-algorithms.csv: ' $R ompi:auto -p 8 -m 8
echo "1..$n"
