// Functions with the names of Open MPI's algorithms, which note that they were entered and go on in the library.
//
// Open MPI 4.1's component "tuned" calls the algorithms by their names in libmpi, so a program that exports functions of
// these names is called in their place. A program includes this file once, and defines real_enter().
#pragma once
#include <dlfcn.h>
#include <stddef.h>

#ifndef __x86_64__
#error "the functions that stand in for the library's are written for x86-64 only"
#endif

// A function of the library: the algorithm with this id.
typedef struct RealFunction {
    void *real; // the first field: the stand-ins jump to it
    const char *collective, *name;
    int id;
} RealFunction;

// Called by all stand-ins.
static __attribute__((used)) void real_enter(const RealFunction *function);

// Defines a function with the library's name that notes that it was entered, and goes on in the library with the same
// arguments: six in registers, the others on the stack.
#define STAND_IN(collective, id, name)                                                                                 \
    __attribute__((used)) static RealFunction function_##name = {NULL, #collective, #name, id};                        \
    void name(void);                                                                                                   \
    __attribute__((naked)) void name(void)                                                                             \
    {                                                                                                                  \
        __asm__("pushq %rdi\n pushq %rsi\n pushq %rdx\n pushq %rcx\n pushq %r8\n pushq %r9\n subq $8, %rsp\n"          \
                "leaq function_" #name "(%rip), %rdi\n call real_enter\n"                                              \
                "addq $8, %rsp\n popq %r9\n popq %r8\n popq %rcx\n popq %rdx\n popq %rsi\n popq %rdi\n"                \
                "jmp *function_" #name "(%rip)\n");                                                                    \
    }

// Source: the switches of coll_tuned_*_decision.c in Open MPI 4.1.4.
#define FUNCTIONS(X)                                                                                                   \
    X(allgather, 1, ompi_coll_base_allgather_intra_basic_linear)                                                       \
    X(allgather, 2, ompi_coll_base_allgather_intra_bruck)                                                              \
    X(allgather, 3, ompi_coll_base_allgather_intra_recursivedoubling)                                                  \
    X(allgather, 4, ompi_coll_base_allgather_intra_ring)                                                               \
    X(allgather, 5, ompi_coll_base_allgather_intra_neighborexchange)                                                   \
    X(allgather, 6, ompi_coll_base_allgather_intra_two_procs)                                                          \
    X(allgatherv, 1, ompi_coll_base_allgatherv_intra_basic_default)                                                    \
    X(allgatherv, 2, ompi_coll_base_allgatherv_intra_bruck)                                                            \
    X(allgatherv, 3, ompi_coll_base_allgatherv_intra_ring)                                                             \
    X(allgatherv, 4, ompi_coll_base_allgatherv_intra_neighborexchange)                                                 \
    X(allgatherv, 5, ompi_coll_base_allgatherv_intra_two_procs)                                                        \
    X(allreduce, 1, ompi_coll_base_allreduce_intra_basic_linear)                                                       \
    X(allreduce, 2, ompi_coll_base_allreduce_intra_nonoverlapping)                                                     \
    X(allreduce, 3, ompi_coll_base_allreduce_intra_recursivedoubling)                                                  \
    X(allreduce, 4, ompi_coll_base_allreduce_intra_ring)                                                               \
    X(allreduce, 5, ompi_coll_base_allreduce_intra_ring_segmented)                                                     \
    X(allreduce, 6, ompi_coll_base_allreduce_intra_redscat_allgather)                                                  \
    X(alltoall, 1, ompi_coll_base_alltoall_intra_basic_linear)                                                         \
    X(alltoall, 2, ompi_coll_base_alltoall_intra_pairwise)                                                             \
    X(alltoall, 3, ompi_coll_base_alltoall_intra_bruck)                                                                \
    X(alltoall, 4, ompi_coll_base_alltoall_intra_linear_sync)                                                          \
    X(alltoall, 5, ompi_coll_base_alltoall_intra_two_procs)                                                            \
    X(alltoallv, 1, ompi_coll_base_alltoallv_intra_basic_linear)                                                       \
    X(alltoallv, 2, ompi_coll_base_alltoallv_intra_pairwise)                                                           \
    X(barrier, 1, ompi_coll_base_barrier_intra_basic_linear)                                                           \
    X(barrier, 2, ompi_coll_base_barrier_intra_doublering)                                                             \
    X(barrier, 3, ompi_coll_base_barrier_intra_recursivedoubling)                                                      \
    X(barrier, 4, ompi_coll_base_barrier_intra_bruck)                                                                  \
    X(barrier, 5, ompi_coll_base_barrier_intra_two_procs)                                                              \
    X(barrier, 6, ompi_coll_base_barrier_intra_tree)                                                                   \
    X(bcast, 1, ompi_coll_base_bcast_intra_basic_linear)                                                               \
    X(bcast, 2, ompi_coll_base_bcast_intra_chain)                                                                      \
    X(bcast, 3, ompi_coll_base_bcast_intra_pipeline)                                                                   \
    X(bcast, 4, ompi_coll_base_bcast_intra_split_bintree)                                                              \
    X(bcast, 5, ompi_coll_base_bcast_intra_bintree)                                                                    \
    X(bcast, 6, ompi_coll_base_bcast_intra_binomial)                                                                   \
    X(bcast, 7, ompi_coll_base_bcast_intra_knomial)                                                                    \
    X(bcast, 8, ompi_coll_base_bcast_intra_scatter_allgather)                                                          \
    X(bcast, 9, ompi_coll_base_bcast_intra_scatter_allgather_ring)                                                     \
    X(exscan, 1, ompi_coll_base_exscan_intra_linear)                                                                   \
    X(exscan, 2, ompi_coll_base_exscan_intra_recursivedoubling)                                                        \
    X(gather, 1, ompi_coll_base_gather_intra_basic_linear)                                                             \
    X(gather, 2, ompi_coll_base_gather_intra_binomial)                                                                 \
    X(gather, 3, ompi_coll_base_gather_intra_linear_sync)                                                              \
    X(reduce, 1, ompi_coll_base_reduce_intra_basic_linear)                                                             \
    X(reduce, 2, ompi_coll_base_reduce_intra_chain)                                                                    \
    X(reduce, 3, ompi_coll_base_reduce_intra_pipeline)                                                                 \
    X(reduce, 4, ompi_coll_base_reduce_intra_binary)                                                                   \
    X(reduce, 5, ompi_coll_base_reduce_intra_binomial)                                                                 \
    X(reduce, 6, ompi_coll_base_reduce_intra_in_order_binary)                                                          \
    X(reduce, 7, ompi_coll_base_reduce_intra_redscat_gather)                                                           \
    X(reduce_scatter, 1, ompi_coll_base_reduce_scatter_intra_nonoverlapping)                                           \
    X(reduce_scatter, 2, ompi_coll_base_reduce_scatter_intra_basic_recursivehalving)                                   \
    X(reduce_scatter, 3, ompi_coll_base_reduce_scatter_intra_ring)                                                     \
    X(reduce_scatter, 4, ompi_coll_base_reduce_scatter_intra_butterfly)                                                \
    X(reduce_scatter_block, 1, ompi_coll_base_reduce_scatter_block_basic_linear)                                       \
    X(reduce_scatter_block, 2, ompi_coll_base_reduce_scatter_block_intra_recursivedoubling)                            \
    X(reduce_scatter_block, 3, ompi_coll_base_reduce_scatter_block_intra_recursivehalving)                             \
    X(reduce_scatter_block, 4, ompi_coll_base_reduce_scatter_block_intra_butterfly)                                    \
    X(scan, 1, ompi_coll_base_scan_intra_linear)                                                                       \
    X(scan, 2, ompi_coll_base_scan_intra_recursivedoubling)                                                            \
    X(scatter, 1, ompi_coll_base_scatter_intra_basic_linear)                                                           \
    X(scatter, 2, ompi_coll_base_scatter_intra_binomial)                                                               \
    X(scatter, 3, ompi_coll_base_scatter_intra_linear_nb)

FUNCTIONS(STAND_IN)

// Finds the library's functions.
static __attribute__((constructor)) void real_find(void)
{
#define FIND(collective, id, name) function_##name.real = dlsym(RTLD_NEXT, #name);
    FUNCTIONS(FIND)
}
