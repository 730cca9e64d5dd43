#!/bin/sh
# MPICH's messages, in order, are those of the entries that have its names: five algorithms in one run of
# build/tests/order_mpich, and two over nodes. `make aliases` compares all of them (tests/order/mpich.sh).
. "$(dirname "$0")/tap.sh"
program=$(dirname "$COLLSIM")/tests/order_mpich
if [ ! -x "$program" ] || ! command -v mpiexec.mpich >/dev/null; then
    echo "ok 1 - MPICH's messages # SKIP mpiexec.mpich or order_mpich is missing"
    echo "1..1"
    exit
fi
# All messages go through UCX, and the collectives are those of MPICH itself, not of its device.
export MPIR_CVAR_NOLOCAL=1 MPIR_CVAR_DEVICE_COLLECTIVES=none MPIR_CVAR_BCAST_INTRA_ALGORITHM=binomial \
    MPIR_CVAR_ALLTOALL_INTRA_ALGORITHM=pairwise MPIR_CVAR_ALLGATHERV_INTRA_ALGORITHM=ring \
    MPIR_CVAR_REDUCE_SCATTER_BLOCK_INTRA_ALGORITHM=recursive_halving MPIR_CVAR_SCAN_INTRA_ALGORITHM=recursive_doubling
ok "it runs" sh -c 'mpiexec.mpich -n 4 "$@" </dev/null >out 2>err' sh "$program" \
    bcast binomial binomial_far alltoall pairwise pairwise_xor allgatherv ring segmented_ring \
    reduce_scatter_block recursive_halving recursive_halving scan recursive_doubling recursive_doubling \
    bcast binomial binomial

# The numbers are: equal cases, their messages, cases that differ, that differ in an uneven cut, that are not compared.
# p = 2 .. 4 and five lengths are 15 cases, with three roots 45. Messages of a case: bcast p-1, alltoall p (p-1).
ok "bcast" says out "bcast,binomial,binomial_far,4,45,90,0,0,0"
ok "alltoall" says out "alltoall,pairwise,pairwise_xor,4,15,100,0,0,0"
ok "allgatherv" grep -q "^allgatherv,ring,segmented_ring,4,15,[1-9][0-9]*,0,0,0$" out
ok "reduce_scatter_block" grep -q "^reduce_scatter_block,recursive_halving,recursive_halving,4,15,[1-9][0-9]*,0,0,0$" out
ok "scan" grep -q "^scan,recursive_doubling,recursive_doubling,4,15,[1-9][0-9]*,0,0,0$" out
ok "another tree is noticed where p > 2" says out "bcast,binomial,binomial,4,15,15,"
ok "both orders are shown" says err "MPICH's binomial: s2:12 s1:12"

# On two nodes of two ranks. Where p = 2, one node has both.
export MPIR_CVAR_NOLOCAL=0 MPIR_CVAR_NUM_CLIQUES=2 MPIR_CVAR_CLIQUES_BY_BLOCK=1 MPIR_CVAR_BCAST_INTRA_ALGORITHM=smp \
    MPIR_CVAR_SCAN_INTRA_ALGORITHM=smp
ok "it runs on nodes" sh -c 'mpiexec.mpich -n 4 "$@" </dev/null >out 2>err' sh "$program" \
    bcast smp mpich_smp bcast smp mpich_smp:short=ch4_beta scan smp smp
ok "bcast over nodes" grep -q "^bcast,smp,mpich_smp,4,30,[1-9][0-9]*,0,0,15$" out
ok "another branch is noticed where the root does not lead its node" says out "bcast,smp,mpich_smp:short=ch4_beta,4,20,"
ok "scan over nodes" grep -q "^scan,smp,smp,4,10,[1-9][0-9]*,0,0,5$" out

echo "1..$n"
