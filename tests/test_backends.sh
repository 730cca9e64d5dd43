#!/bin/sh
# `collsim check --backends`. The engine and SMPI take the same time within 1e-9 if no rank has several messages under
# way at a time, and always if sends are eager; other points are classed by the reason why they may differ. Also tests
# SimGrid's own algorithms, a real MPI, topologies and bad input. Tests that need SMPI or MPI are skipped where it is
# missing.
. "$(dirname "$0")/tap.sh"

limit 300
field() { # field NAME: prints the field's values in the JSON answer, one per line
    tr ',{}' '\n\n\n' <out | sed -n "s/^\"$1\"://p"
}
# near FIELD FIELD LIMIT: some points have both fields, and at each of them the two differ by at most the share LIMIT
near() {
    field "$1" >a && field "$2" >b &&
        paste a b | awk -v limit="$3" '$1 != "null" && $2 != "null" { n++; d = $1 - $2; if ((d < 0 ? -d : d) > limit * $2) bad++ }
            END { exit !n || bad }'
}

ok "an unknown backend: the nearest is suggested" fails "did you mean smpi" check --backends sim,smp bcast -p 4 -m 8
ok "backends need a collective" fails "needs a COLLECTIVE" check --backends sim -p 4 -m 8
ok "sizes without backends" fails "without --backends" check bcast -p 4 -m 8
ok "the formula of a library's algorithm" gives "recursive_doubling     16" check allreduce ompi-4.1:3 -p 4,8
ok "several" gives "no difference" check allreduce ompi:ring,mpich:recursive_doubling,swing -p 4
ok "formulas of what a library decides" fails "allowed: with --backends" check allreduce ompi:auto -p 4
ok "the engine alone: what a library decides" gives "ompi-4.1:auto (ran recursive_doubling)" \
    check --backends sim allgather ompi:auto -p 4 -m 64
ok "the engine alone" c check --backends sim bcast binomial -p 16 -m 64K -f json
ok "the engine equals the closed form" near time_s closed_form_time_s 1e-12
ok "SMPI has no eager-port" fails "eager-port" check --backends sim,smpi bcast -p 4 -m 8 --transfer eager-port
ignored="model hockney ignores the topology of platform torus-16, torus 4,4"
noted() { c "$@" && [ "$(wc -l <err)" = 1 ] && says err "$ignored"; } # noted ARGUMENTS...: the topology is noted once
ok "a topology without SMPI is noted" noted check --backends sim bcast -p 4,8 -m 8 --platform torus-16
ok "run notes it" noted run bcast all -p 4,8 -m 8,64 --platform torus-16 -f csv
ok "best notes it" noted best bcast -p 4 -m 8,64 --platform torus-16
ok "bound notes it" noted bound bcast -p 4 -m 8 --platform torus-16
ok "crossover notes it" noted crossover bcast binomial scatter_ring_allgather -p 4 --platform torus-16
COLLSIM_BACKENDS=/nowhere
export COLLSIM_BACKENDS
ok "a backend that is not built" fails "collsim-smpi is missing" check --backends sim,smpi bcast -p 4 -m 8
ok "SimGrid's own algorithms need it as well" fails "collsim-smpi is missing" check --backends sim,simgrid bcast binomial_far -p 4 -m 8
unset COLLSIM_BACKENDS

built=$(dirname "$COLLSIM")
if [ ! -f "$built/collsim-smpi" ] || ! command -v smpirun >/dev/null; then
    echo "# SKIP: SMPI is not tested, because collsim-smpi or smpirun is missing"
else
    # equal ARGUMENTS...: no point is of the class "different", and where SMPI's time has a closed form, it equals this
    # form
    equal() {
        c check --backends sim,smpi "$@" --per-node 4 -f json && [ ! -s err ] && ! field class | grep -q different &&
            { near smpi_form_time_s smpi_time_s 1e-12 || ! field smpi_form_time_s | grep -vq null; }
    }
    all_equal() { equal "$@" && ! field class | grep -vq -e '"equal"' -e null; } # every point is of the class "equal"
    # of_class CLASS: the names of the algorithms with points of the class, each with how many points
    of_class() { sed -n 's/.*"algorithm":"\([^"]*\)".*"class":"'"$1"'".*/\1/p' out | sort | uniq -c | awk '{ print $2, $1 }' | paste -sd,; }
    # Where a rank reduces while its port sends, SMPI has it wait until the message has left. The answer says so of each point
    # that is not equal.
    nearly_equal() { # nearly_equal UNMODELLED ARGUMENTS...: points that are not equal are of these algorithms, so many of each
        unmodelled=$1
        shift
        equal "$@" && [ "$(of_class unmodelled)" = "$unmodelled" ] && ! field class | grep -q sharing &&
            [ "$(grep -c '"class":"unmodelled","why":"SMPI.s eager sender is busy until' out)" = "$(grep -c '"class":"unmodelled"' out)" ]
    }
    # CHECK_SEED draws the collectives, and half of the numbers of ranks.
    ranks=$([ "${CHECK_ALL-}" ] && echo 2..9,12,16 || sampled 2 2 3 4 7 8 13 | paste -sd,)
    for collective in $(sampled 6 $("$COLLSIM" list -f csv | sed 1d | cut -d, -f1 | sort -u)); do
        sizes='-m 8,4003'
        [ "$collective" = barrier ] && sizes=
        # shellcheck disable=SC2086
        ok "$collective: rendezvous" equal "$collective" -p $ranks $sizes
        case $collective in
        allreduce) late='grid 4,hybrid_in_order 4,hybrid_overlap 6,k_census_overlap 6,lane_overlap 2,scatter_allgather 6' ;;
        exscan) late='grid 6,halving 2,k_dissemination_overlap 2,k_halving 6,k_halving_overlap 6,lane 2,two_tree 6' ;;
        reduce) late='circulant_overlap 4,grid 4,hybrid 4,hybrid_in_order 2,scatter_gather 6,two_chains 2' ;;
        reduce_scatter) late='bruck_in_order_overlap 4,circulant_overlap 6,direct_in_order 6,k_bruck 6,k_bruck_overlap 6,lane_overlap 2,two_rings 4' ;;
        reduce_scatter_block) late='bruck_in_order_overlap 4,circulant_overlap 6,direct_in_order 4,k_bruck 6,k_bruck_overlap 6,lane_overlap 2,two_rings 4' ;;
        scan) late='grid 6,halving 4,k_dissemination_overlap 2,k_halving 6,k_halving_overlap 6,lane 2,two_tree 4' ;;
        *) late= ;;
        esac
        # shellcheck disable=SC2086
        if [ "$late" ]; then
            ok "$collective: eager, equal where no reduction is under way" nearly_equal "$late" "$collective" -p 3,8,13 $sizes --transfer eager
        else
            ok "$collective: eager, equal at every point" all_equal "$collective" -p 3,8,13 $sizes --transfer eager
        fi
    done
    # Two messages of 1000 bytes, of 1.08 us each. SMPI sends both and then reduces twice, in 1 us each; in sim
    # the first reduction begins when the first message is there.
    busy() {
        c check --backends sim,smpi reduce_scatter k_bruck -p 3 -m 3000 --set gamma=1ns/B --transfer eager -f json &&
            [ "$(field time_s | cut -c1-7)" = 3.16000 ] && [ "$(field smpi_time_s | cut -c1-7)" = 4.16000 ] && [ "$(field class)" = '"unmodelled"' ]
    }
    ok "eager: a sender is busy on SMPI until its messages have left" busy
    ok "eager: the reason" says out "in sim it reduces while its port sends"
    printf '%s\n' 0 1 1 0 2 1 0 2 1 0 3 1 1 >nodes # 1 to 6 ranks on a node
    # mapped ARGUMENTS...: SMPI takes the engine's time on the map, which is another time than on nodes of 4 ranks
    mapped() {
        c check --backends sim,smpi "$@" -p 13 -m 8,4003 --transfer eager -f json --map nodes && field class >classes &&
            field smpi_time_s >times && ! grep -vq '"equal"' classes && [ -s classes ] &&
            c check --backends sim "$@" -p 13 -m 8,4003 --transfer eager -f json --per-node 4 && field time_s >block &&
            ! cmp -s times block
    }
    ok "a map of irregular nodes reaches SMPI: allreduce smp" mapped allreduce smp
    ok "a map of irregular nodes reaches SMPI: bcast smp" mapped bcast smp
    ok "more bytes" equal allreduce -p "$([ "${CHECK_ALL-}" ] && echo 32,64 || echo 10)" -m 64K
    ok "a root, parameters" equal bcast pipeline -p 7 -m 64K --root 3 --param segment=1000
    printf '%s\n' 24000 0 16000 20000 4000 8000 12000 >displs
    ok "blocks of different lengths" equal allgatherv ring -p 7 -m 2000 --counts linear --displs displs
    ok "reductions that take time" c check --backends sim,smpi allreduce ring -p 8 -m 64K --element 8 --set gamma=1ns/B -f json
    ok "reductions take as long on SMPI as in the engine" near smpi_time_s time_s 1e-12
    ok "linear: ranks share ports on SMPI" c check --backends sim,smpi bcast linear -p 16 -m 64K
    apart() { # apart DIFFERENCE TIME: the field DIFFERENCE is the time of sim over the field TIME, less 1
        { field time_s; field "$2"; field "$1"; } | paste -s - | awk '{ d = $1 / $2 - 1 - $3 } END { exit !(d < 1e-12 && d > -1e-12) }'
    }
    ok "linear: the answer names port sharing and SMPI's form" says out "port sharing, smpi by its form"
    ok "linear on all three" c check --backends sim,smpi,simgrid bcast linear -p 16 -m 64K -f json
    ok "linear: the difference to SMPI is that of the times" apart difference smpi_time_s
    ok "linear: the difference to SimGrid's own is that of the times" apart simgrid_difference simgrid_time_s
    ok "shared memory" c check --backends sim,smpi bcast shm_flat -p 4 -m 64K
    ok "shared memory: SMPI does not model its time" says out unmodelled
    for platform in $(sampled 3 fat-tree-16 torus-16 dragonfly-16); do
        ok "$platform runs" c check --backends sim,smpi allreduce ring -p 8 -m 4K --platform $platform
        ok "$platform: SMPI has its topology, so there is no note" test ! -s err
        ok "$platform: its network is not modelled" says out unmodelled
    done
    ok "alpha below 16 beta is refused by SimGrid's own" fails "16 bytes that SMPI adds" check --backends sim,simgrid bcast binomial_far -p 4 -m 8 --set alpha=1ns
    ok "SMPI that stays silent for too long is ended" fails "gave no answer for 0.001 s" \
        check --backends sim,smpi alltoall pairwise -p 128 -m 4K --patience 1ms
    ok "patience is a time" fails "--patience 'x'; allowed: a time above 0" check --backends sim bcast -p 4 -m 8 --patience x
    ok "alpha below 16 beta is refused" fails "16 bytes that SMPI adds" check --backends sim,smpi bcast -p 4 -m 8 --set alpha=1ns
    # SimGrid's lr of 8 bytes on 5 ranks: 8 rounds of 1 byte, then an allreduce of 3 bytes, in which rank 0 receives from
    # all at once (19 bytes each, with SMPI's envelope) and a binomial tree broadcasts in 3 rounds. On this platform alpha
    # is 1 us, beta 0.08 ns and gamma 0.05 ns: 8.00064 us + 0.0002 us, then 1.0048 us + 0.0006 us + 3.00072 us.
    lr() { c check --backends sim,smpi,simgrid allreduce ring -p 5 -m 8 -f json && [ "$(field simgrid_time_s | cut -c1-8)" = 1.200696 ]; }
    ok "SimGrid's lr reduces the remainder by SimGrid's own default" lr
    ok "SimGrid's lr: nothing else is chosen" says out '"simgrid_options":"--cfg=smpi/allreduce:lr"'
    ok "SimGrid's reduce of less than a block for each rank" c check --backends sim,smpi,simgrid reduce redscat_gather -p 3 -m 8
    ok "SimGrid's reduce of less than a block for each rank ends" says_not out "aborts"
    ok "SimGrid's allgather by GB" c check --backends sim,smpi,simgrid allgather linear -p 4 -m 64
    ok "the answer says what is chosen for the collectives that it calls" says out \
        "linear is SimGrid's GB with gather:ompi_basic_linear and bcast:flattree:"
    for collective in $(sampled 3 allgather bcast reduce_scatter); do
        ok "$collective: SimGrid's own algorithms" c check --backends sim,smpi,simgrid $collective -p "$(sampled 2 4 8 | paste -sd,)" -m 4096
        ok "$collective: SimGrid's own take the same time where they must" sh -c '! grep -q "must not" out && grep -q "SimGrid.s .*: equal" out'
    done
    # On a machine with levels SMPI's hosts are nodes, and messages inside them take another time.
    two_levels 4 1us 0.4us 0.08ns/B 0.05ns/B 0.1ns/B >nodes.ini
    # sharing NAME...: ranks share ports in these algorithms, and all others are equal
    sharing() {
        grep -q "^sim and smpi: [23][0-9] equal to 1e-9, $# port sharing, 0 unmodelled, 0 different" out &&
            [ "$(awk '/ port sharing$/ { print $1 }' out | paste -sd' ')" = "$*" ]
    }
    for map in $(sampled 2 block:4 cyclic:4); do
        overlap='' bcast=''
        [ $map = cyclic:4 ] || overlap=k_census_overlap bcast=reduce_bcast
        ok "levels: $map" c check --backends sim,smpi,simgrid allreduce -p 16 --map $map -m 64K --platform ./nodes.ini
        # shellcheck disable=SC2086
        ok "levels: $map: nearly all are equal, and no difference is without a reason" \
            sharing grid k_census $overlap knomial_tree lane_overlap linear recursive_knomial $bcast scatter_allgather sra_knomial
        ok "levels: $map: SimGrid's own rank by rank" says out "recursive_doubling is SimGrid's rdb: equal"
    done
    ok "levels: SimGrid's own by nodes" c check --backends sim,simgrid allreduce smp -p 4x4 -m 64K --platform ./nodes.ini
    ok "levels: SimGrid's own by nodes takes the same time" says out "smp is SimGrid's smp_rdb: equal"
    ok "levels: no form of port sharing" c check --backends sim,smpi alltoall linear -p 4x4 -m 64K --platform ./nodes.ini -f json
    ok "levels: no form of port sharing in the answer" says out '"smpi_form_time_s":null'
    percent=$(echo "$(field time_s) $(field smpi_time_s)" | awk '{ printf "%+.1f %% port sharing", 100 * ($1 / $2 - 1) }')
    ok "levels: the difference in per cent" gives "$percent" check --backends sim,smpi alltoall linear -p 4x4 -m 64K --platform ./nodes.ini
    ok "a NIC: ranks that share it" c check --backends sim,smpi allreduce -p 4x4 -m 64K --platform ./nodes.ini --set nic.rate=12.5GB/s
    ok "a NIC: one rank at a time is equal, others share" \
        grep -q "^sim and smpi: 4 equal to 1e-9, [0-9]* port sharing, 0 unmodelled, 0 different" out
    ok "a NIC: what SMPI cannot express is refused" fails "nics is 2, and SMPI's hosts have one link" \
        check --backends sim,smpi allreduce ring -p 4x4 -m 64K --platform ./nodes.ini --set nic.rate=12.5GB/s --set nics=2
    # On a torus whose links have rates, SMPI has the same links, and messages of 1 MiB share them in step.
    {
        printf '[hockney]\nalpha = 1us\nalpha.source = test\nbeta = 0.1ns/B\nbeta.source = test\ngamma = 0\ngamma.source = test\n'
        printf '[topology]\nkind = torus\nshape = 4,4\nshape.source = test\nrate = 10GB/s\nrate.source = test\n'
        printf 'rate.dim2 = 5GB/s\nrate.dim2.source = test\nhop = 0.1us\nhop.source = test\n'
    } >links.ini
    nearly() { # nearly ARGUMENTS..: sim and SMPI differ by less than 0.1 %
        c check --backends sim,smpi "$@" -m 1M --platform ./links.ini -f json &&
            grep -o '"difference":[^,]*' out | awk -F: '{ n++; bad += $2 > 0.001 || $2 < -0.001 } END { exit bad || !n }'
    }
    ok "links: what goes in step" nearly allreduce recursive_doubling,rabenseifner -p 16
    ok "links: the class of the rest" says out '"class":"link sharing"'
    ok "links: several ranks of a node" nearly allreduce recursive_doubling,ring -p 8x2
    ok "links: random hosts, where ranks drift apart" c check --backends sim,smpi allreduce ring -p 16 -m 1M --platform ./links.ini --nodes random:3
    ok "links: the network is named" says err "network: torus 4,4, minimal routing; nodes random:3"
    ok "links: one way each" fails "SMPI's messages take one way each" \
        check --backends sim,smpi allreduce ring -p 16 -m 64K --platform ./links.ini --routing spread
fi
if [ ! -f "$built/collsim-mpi" ] || ! command -v mpirun >/dev/null; then
    echo "# SKIP: a real MPI is not tested, because collsim-mpi or mpirun is missing"
else
    ok "a real MPI beside the engine" c check --backends sim,mpi allreduce ring -p 2 -m 64K -f json
    ok "the answer has the measured time" sh -c 'grep -q "\"mpi_time_s\":[0-9]" out'
fi
echo "1..$n"
