// The list of all algorithms. Every other list of algorithms is generated from this one.
#pragma once
#include "registry/entry.h"

// To add an algorithm, write its file and add its line here.
#define ALGORITHMS(X)                                                                                                  \
    X(allgather_bine)                                                                                                  \
    X(allgather_bruck)                                                                                                 \
    X(allgather_ch4_alpha)                                                                                             \
    X(allgather_circulant)                                                                                             \
    X(allgather_circulant_blocks)                                                                                      \
    X(allgather_direct)                                                                                                \
    X(allgather_han)                                                                                                   \
    X(allgather_k_bruck)                                                                                               \
    X(allgather_lane)                                                                                                  \
    X(allgather_lane_any)                                                                                              \
    X(allgather_lane_overlap)                                                                                          \
    X(allgather_linear)                                                                                                \
    X(allgather_multi_leader)                                                                                          \
    X(allgather_neighbor_exchange)                                                                                     \
    X(allgather_node_bruck)                                                                                            \
    X(allgather_pat)                                                                                                   \
    X(allgather_recexch)                                                                                               \
    X(allgather_recursive_doubling)                                                                                    \
    X(allgather_recursive_doubling_any)                                                                                \
    X(allgather_recursive_knomial)                                                                                     \
    X(allgather_ring)                                                                                                  \
    X(allgather_shm_flat)                                                                                              \
    X(allgather_shm_single)                                                                                            \
    X(allgather_sparbit)                                                                                               \
    X(allgather_swing)                                                                                                 \
    X(allgather_two_procs)                                                                                             \
    X(allgather_two_rings)                                                                                             \
    X(allgatherv_bine)                                                                                                 \
    X(allgatherv_bruck)                                                                                                \
    X(allgatherv_circulant)                                                                                            \
    X(allgatherv_circulant_blocks)                                                                                     \
    X(allgatherv_k_bruck)                                                                                              \
    X(allgatherv_lane)                                                                                                 \
    X(allgatherv_lane_any)                                                                                             \
    X(allgatherv_lane_overlap)                                                                                         \
    X(allgatherv_linear)                                                                                               \
    X(allgatherv_neighbor_exchange)                                                                                    \
    X(allgatherv_node_bruck)                                                                                           \
    X(allgatherv_pat)                                                                                                  \
    X(allgatherv_recursive_doubling)                                                                                   \
    X(allgatherv_recursive_doubling_any)                                                                               \
    X(allgatherv_recursive_knomial)                                                                                    \
    X(allgatherv_ring)                                                                                                 \
    X(allgatherv_segmented_ring)                                                                                       \
    X(allgatherv_sparbit)                                                                                              \
    X(allgatherv_swing)                                                                                                \
    X(allgatherv_two_procs)                                                                                            \
    X(allgatherv_two_rings)                                                                                            \
    X(allreduce_allgather_reduce)                                                                                      \
    X(allreduce_binary_blocks)                                                                                         \
    X(allreduce_bine)                                                                                                  \
    X(allreduce_butterfly_v1)                                                                                          \
    X(allreduce_butterfly_v2)                                                                                          \
    X(allreduce_census)                                                                                                \
    X(allreduce_circulant)                                                                                             \
    X(allreduce_grid)                                                                                                  \
    X(allreduce_han)                                                                                                   \
    X(allreduce_hybrid)                                                                                                \
    X(allreduce_hybrid_in_order)                                                                                       \
    X(allreduce_hybrid_overlap)                                                                                        \
    X(allreduce_k_census)                                                                                              \
    X(allreduce_k_census_overlap)                                                                                      \
    X(allreduce_k_ring)                                                                                                \
    X(allreduce_knomial_tree)                                                                                          \
    X(allreduce_lane)                                                                                                  \
    X(allreduce_lane_any)                                                                                              \
    X(allreduce_lane_overlap)                                                                                          \
    X(allreduce_linear)                                                                                                \
    X(allreduce_multi_leader)                                                                                          \
    X(allreduce_node_census)                                                                                           \
    X(allreduce_rabenseifner)                                                                                          \
    X(allreduce_recexch)                                                                                               \
    X(allreduce_recursive_doubling)                                                                                    \
    X(allreduce_recursive_knomial)                                                                                     \
    X(allreduce_recursive_multiplying)                                                                                 \
    X(allreduce_reduce_bcast)                                                                                          \
    X(allreduce_reduce_scatter_allgather)                                                                              \
    X(allreduce_ring)                                                                                                  \
    X(allreduce_scatter_allgather)                                                                                     \
    X(allreduce_segmented_ring)                                                                                        \
    X(allreduce_shm_flat)                                                                                              \
    X(allreduce_shm_kary)                                                                                              \
    X(allreduce_shm_knomial)                                                                                           \
    X(allreduce_shm_sets)                                                                                              \
    X(allreduce_smp)                                                                                                   \
    X(allreduce_sra_knomial)                                                                                           \
    X(allreduce_swing)                                                                                                 \
    X(allreduce_tree_v1)                                                                                               \
    X(allreduce_tree_v2)                                                                                               \
    X(allreduce_two_tree)                                                                                              \
    X(alltoall_bine)                                                                                                   \
    X(alltoall_bruck)                                                                                                  \
    X(alltoall_ch4_alpha)                                                                                              \
    X(alltoall_circulant)                                                                                              \
    X(alltoall_han)                                                                                                    \
    X(alltoall_k_bruck)                                                                                                \
    X(alltoall_lane)                                                                                                   \
    X(alltoall_lane_shares)                                                                                            \
    X(alltoall_linear)                                                                                                 \
    X(alltoall_linear_sync)                                                                                            \
    X(alltoall_multi_leader)                                                                                           \
    X(alltoall_node_pairs)                                                                                             \
    X(alltoall_node_pairwise)                                                                                          \
    X(alltoall_node_pairwise_overlap)                                                                                  \
    X(alltoall_pairwise)                                                                                               \
    X(alltoall_pairwise_xor)                                                                                           \
    X(alltoall_scattered)                                                                                              \
    X(alltoall_shm_flat)                                                                                               \
    X(alltoall_two_procs)                                                                                              \
    X(alltoallv_han)                                                                                                   \
    X(alltoallv_hybrid)                                                                                                \
    X(alltoallv_k_tuna)                                                                                                \
    X(alltoallv_lane)                                                                                                  \
    X(alltoallv_lane_shares)                                                                                           \
    X(alltoallv_linear)                                                                                                \
    X(alltoallv_multi_leader)                                                                                          \
    X(alltoallv_node_pairwise)                                                                                         \
    X(alltoallv_node_pairwise_overlap)                                                                                 \
    X(alltoallv_padded)                                                                                                \
    X(alltoallv_padded_bruck)                                                                                          \
    X(alltoallv_padded_k_bruck)                                                                                        \
    X(alltoallv_pairwise)                                                                                              \
    X(alltoallv_scattered)                                                                                             \
    X(alltoallv_tuna)                                                                                                  \
    X(barrier_dissemination)                                                                                           \
    X(barrier_double_ring)                                                                                             \
    X(barrier_han)                                                                                                     \
    X(barrier_k_dissemination)                                                                                         \
    X(barrier_linear)                                                                                                  \
    X(barrier_node_dissemination)                                                                                      \
    X(barrier_recexch)                                                                                                 \
    X(barrier_recursive_doubling)                                                                                      \
    X(barrier_recursive_knomial)                                                                                       \
    X(barrier_shm_flat)                                                                                                \
    X(barrier_shm_kary)                                                                                                \
    X(barrier_shm_knomial)                                                                                             \
    X(barrier_smp)                                                                                                     \
    X(barrier_tournament)                                                                                              \
    X(barrier_tree)                                                                                                    \
    X(barrier_two_procs)                                                                                               \
    X(bcast_bine)                                                                                                      \
    X(bcast_bine_scatter_allgather)                                                                                    \
    X(bcast_binomial)                                                                                                  \
    X(bcast_binomial_far)                                                                                              \
    X(bcast_bintree)                                                                                                   \
    X(bcast_ch4_alpha)                                                                                                 \
    X(bcast_ch4_beta)                                                                                                  \
    X(bcast_chain)                                                                                                     \
    X(bcast_circulant)                                                                                                 \
    X(bcast_dbt)                                                                                                       \
    X(bcast_generic)                                                                                                   \
    X(bcast_grid)                                                                                                      \
    X(bcast_han)                                                                                                       \
    X(bcast_hybrid)                                                                                                    \
    X(bcast_knomial)                                                                                                   \
    X(bcast_lane)                                                                                                      \
    X(bcast_lane_any)                                                                                                  \
    X(bcast_lane_overlap)                                                                                              \
    X(bcast_lane_shares)                                                                                               \
    X(bcast_linear)                                                                                                    \
    X(bcast_mpich_smp)                                                                                                 \
    X(bcast_multi_leader)                                                                                              \
    X(bcast_node_circulant)                                                                                            \
    X(bcast_node_postal)                                                                                               \
    X(bcast_node_streams)                                                                                              \
    X(bcast_node_tree)                                                                                                 \
    X(bcast_pipeline)                                                                                                  \
    X(bcast_postal)                                                                                                    \
    X(bcast_sag_knomial)                                                                                               \
    X(bcast_scatter_allgather)                                                                                         \
    X(bcast_scatter_rd_allgather)                                                                                      \
    X(bcast_scatter_ring_allgather)                                                                                    \
    X(bcast_shm_flat)                                                                                                  \
    X(bcast_shm_flat_counter)                                                                                          \
    X(bcast_shm_kary)                                                                                                  \
    X(bcast_shm_knomial)                                                                                               \
    X(bcast_shm_queue)                                                                                                 \
    X(bcast_shm_sets)                                                                                                  \
    X(bcast_shm_single)                                                                                                \
    X(bcast_shm_single_knomial)                                                                                        \
    X(bcast_smp)                                                                                                       \
    X(bcast_split_bintree)                                                                                             \
    X(bcast_tree)                                                                                                      \
    X(bcast_two_chains)                                                                                                \
    X(bcast_two_tree)                                                                                                  \
    X(exscan_binomial)                                                                                                 \
    X(exscan_dissemination)                                                                                            \
    X(exscan_grid)                                                                                                     \
    X(exscan_grid_pipeline)                                                                                            \
    X(exscan_halving)                                                                                                  \
    X(exscan_k_dissemination)                                                                                          \
    X(exscan_k_dissemination_overlap)                                                                                  \
    X(exscan_k_halving)                                                                                                \
    X(exscan_k_halving_overlap)                                                                                        \
    X(exscan_lane)                                                                                                     \
    X(exscan_linear)                                                                                                   \
    X(exscan_node_dissemination)                                                                                       \
    X(exscan_node_pipeline)                                                                                            \
    X(exscan_pipeline)                                                                                                 \
    X(exscan_recursive_doubling)                                                                                       \
    X(exscan_smp_exscan)                                                                                               \
    X(exscan_two_phase)                                                                                                \
    X(exscan_two_tree)                                                                                                 \
    X(gather_bine)                                                                                                     \
    X(gather_binomial)                                                                                                 \
    X(gather_binomial_detour)                                                                                          \
    X(gather_bintree_aggregated)                                                                                       \
    X(gather_chain)                                                                                                    \
    X(gather_chain_blockwise)                                                                                          \
    X(gather_han)                                                                                                      \
    X(gather_knomial)                                                                                                  \
    X(gather_lane)                                                                                                     \
    X(gather_linear)                                                                                                   \
    X(gather_linear_detour)                                                                                            \
    X(gather_linear_sync)                                                                                              \
    X(gather_node_relay)                                                                                               \
    X(gather_node_tree)                                                                                                \
    X(gather_pipeline)                                                                                                 \
    X(gather_postal)                                                                                                   \
    X(gather_shm_flat)                                                                                                 \
    X(gather_shm_single)                                                                                               \
    X(gatherv_binomial)                                                                                                \
    X(gatherv_binomial_chains)                                                                                         \
    X(gatherv_binomial_detour)                                                                                         \
    X(gatherv_han)                                                                                                     \
    X(gatherv_lane)                                                                                                    \
    X(gatherv_linear)                                                                                                  \
    X(gatherv_linear_detour)                                                                                           \
    X(gatherv_node_relay)                                                                                              \
    X(gatherv_node_tree)                                                                                               \
    X(reduce_binary)                                                                                                   \
    X(reduce_bine)                                                                                                     \
    X(reduce_bine_redscat_gather)                                                                                      \
    X(reduce_binomial)                                                                                                 \
    X(reduce_binomial_blocking)                                                                                        \
    X(reduce_ch4_alpha)                                                                                                \
    X(reduce_ch4_beta)                                                                                                 \
    X(reduce_chain)                                                                                                    \
    X(reduce_circulant)                                                                                                \
    X(reduce_circulant_overlap)                                                                                        \
    X(reduce_dbt)                                                                                                      \
    X(reduce_generic)                                                                                                  \
    X(reduce_grid)                                                                                                     \
    X(reduce_han)                                                                                                      \
    X(reduce_hybrid)                                                                                                   \
    X(reduce_hybrid_in_order)                                                                                          \
    X(reduce_in_order_binary)                                                                                          \
    X(reduce_knomial)                                                                                                  \
    X(reduce_knomial_levels)                                                                                           \
    X(reduce_lane)                                                                                                     \
    X(reduce_lane_any)                                                                                                 \
    X(reduce_lane_overlap)                                                                                             \
    X(reduce_linear)                                                                                                   \
    X(reduce_node_tree)                                                                                                \
    X(reduce_pipeline)                                                                                                 \
    X(reduce_postal)                                                                                                   \
    X(reduce_redscat_gather)                                                                                           \
    X(reduce_ring)                                                                                                     \
    X(reduce_ring_gather)                                                                                              \
    X(reduce_scatter_gather)                                                                                           \
    X(reduce_shm_flat)                                                                                                 \
    X(reduce_shm_fused)                                                                                                \
    X(reduce_shm_kary)                                                                                                 \
    X(reduce_shm_knomial)                                                                                              \
    X(reduce_shm_queue)                                                                                                \
    X(reduce_shm_sets)                                                                                                 \
    X(reduce_shm_single)                                                                                               \
    X(reduce_smp)                                                                                                      \
    X(reduce_srg_knomial)                                                                                              \
    X(reduce_two_chains)                                                                                               \
    X(reduce_two_tree)                                                                                                 \
    X(reduce_scatter_bine)                                                                                             \
    X(reduce_scatter_bruck_in_order)                                                                                   \
    X(reduce_scatter_bruck_in_order_overlap)                                                                           \
    X(reduce_scatter_butterfly)                                                                                        \
    X(reduce_scatter_circulant)                                                                                        \
    X(reduce_scatter_circulant_overlap)                                                                                \
    X(reduce_scatter_direct_in_order)                                                                                  \
    X(reduce_scatter_k_bruck)                                                                                          \
    X(reduce_scatter_k_bruck_overlap)                                                                                  \
    X(reduce_scatter_lane)                                                                                             \
    X(reduce_scatter_lane_any)                                                                                         \
    X(reduce_scatter_lane_overlap)                                                                                     \
    X(reduce_scatter_mirrored)                                                                                         \
    X(reduce_scatter_multi_leader)                                                                                     \
    X(reduce_scatter_node_pairs)                                                                                       \
    X(reduce_scatter_nonoverlapping)                                                                                   \
    X(reduce_scatter_pairwise)                                                                                         \
    X(reduce_scatter_pat)                                                                                              \
    X(reduce_scatter_recursive_doubling)                                                                               \
    X(reduce_scatter_recursive_halving)                                                                                \
    X(reduce_scatter_ring)                                                                                             \
    X(reduce_scatter_swing)                                                                                            \
    X(reduce_scatter_two_rings)                                                                                        \
    X(reduce_scatter_block_bine)                                                                                       \
    X(reduce_scatter_block_bruck_in_order)                                                                             \
    X(reduce_scatter_block_bruck_in_order_overlap)                                                                     \
    X(reduce_scatter_block_butterfly)                                                                                  \
    X(reduce_scatter_block_circulant)                                                                                  \
    X(reduce_scatter_block_circulant_overlap)                                                                          \
    X(reduce_scatter_block_direct_in_order)                                                                            \
    X(reduce_scatter_block_k_bruck)                                                                                    \
    X(reduce_scatter_block_k_bruck_overlap)                                                                            \
    X(reduce_scatter_block_lane)                                                                                       \
    X(reduce_scatter_block_lane_any)                                                                                   \
    X(reduce_scatter_block_lane_overlap)                                                                               \
    X(reduce_scatter_block_mirrored)                                                                                   \
    X(reduce_scatter_block_multi_leader)                                                                               \
    X(reduce_scatter_block_node_pairs)                                                                                 \
    X(reduce_scatter_block_nonoverlapping)                                                                             \
    X(reduce_scatter_block_pairwise)                                                                                   \
    X(reduce_scatter_block_pat)                                                                                        \
    X(reduce_scatter_block_recursive_doubling)                                                                         \
    X(reduce_scatter_block_recursive_halving)                                                                          \
    X(reduce_scatter_block_recursive_knomial)                                                                          \
    X(reduce_scatter_block_ring)                                                                                       \
    X(reduce_scatter_block_swing)                                                                                      \
    X(reduce_scatter_block_two_rings)                                                                                  \
    X(scan_binomial)                                                                                                   \
    X(scan_dissemination)                                                                                              \
    X(scan_grid)                                                                                                       \
    X(scan_grid_pipeline)                                                                                              \
    X(scan_halving)                                                                                                    \
    X(scan_k_dissemination)                                                                                            \
    X(scan_k_dissemination_overlap)                                                                                    \
    X(scan_k_halving)                                                                                                  \
    X(scan_k_halving_overlap)                                                                                          \
    X(scan_lane)                                                                                                       \
    X(scan_linear)                                                                                                     \
    X(scan_node_dissemination)                                                                                         \
    X(scan_node_pipeline)                                                                                              \
    X(scan_pipeline)                                                                                                   \
    X(scan_recursive_doubling)                                                                                         \
    X(scan_smp)                                                                                                        \
    X(scan_smp_exscan)                                                                                                 \
    X(scan_two_tree)                                                                                                   \
    X(scatter_bine)                                                                                                    \
    X(scatter_binomial)                                                                                                \
    X(scatter_binomial_detour)                                                                                         \
    X(scatter_bintree_aggregated)                                                                                      \
    X(scatter_chain_aggregated)                                                                                        \
    X(scatter_chain_blockwise)                                                                                         \
    X(scatter_han)                                                                                                     \
    X(scatter_knomial)                                                                                                 \
    X(scatter_lane)                                                                                                    \
    X(scatter_linear)                                                                                                  \
    X(scatter_linear_detour)                                                                                           \
    X(scatter_linear_nb)                                                                                               \
    X(scatter_node_relay)                                                                                              \
    X(scatter_node_tree)                                                                                               \
    X(scatter_pipeline)                                                                                                \
    X(scatter_postal)                                                                                                  \
    X(scatter_shm_flat)                                                                                                \
    X(scatterv_binomial)                                                                                               \
    X(scatterv_binomial_detour)                                                                                        \
    X(scatterv_han)                                                                                                    \
    X(scatterv_lane)                                                                                                   \
    X(scatterv_linear)                                                                                                 \
    X(scatterv_linear_detour)                                                                                          \
    X(scatterv_node_relay)                                                                                             \
    X(scatterv_node_tree)

#define DECLARE(name) extern const CollAlgorithm name##_algorithm;
ALGORITHMS(DECLARE)

// All entries, and their number. Entries are grouped by collective, and sorted by name within a collective.
extern const CollAlgorithm *const *algorithms;
extern int n_algorithms;

// Adds an entry, which must live as long as the program and keep the rules of registry/fault.h. The numbers of entries
// change, so this is only for the program's start, before it has threads or numbers of algorithms.
void algorithm_add(const CollAlgorithm *a);
// Removes all entries that were added, so that the list is that of the program's start. Call it while no other thread
// asks, and when nobody holds numbers of algorithms, or copies of those entries.
void algorithm_remove_added(void);

// Returns true if the entry, or what it is a variant of, was added.
bool algorithm_is_added(const CollAlgorithm *a);
// Returns true if any entry was added.
bool algorithm_any_added(void);

// Returns the algorithm with this name or alias ("ompi:6", "mpich:binomial"); NULL if there is none. If the alias sets
// parameters (CollPreset), this is a copy of the entry which has the alias as its name and these values as defaults.
const CollAlgorithm *algorithm_find(Collective collective, const char *name);
// Returns the entry with this alias itself, with its own defaults, or NULL if there is none.
const CollAlgorithm *algorithm_of_alias(Collective collective, const char *alias);
// Returns algorithm i: an entry if i < n_algorithms, otherwise one of the copies; and the number of an algorithm (for a
// variant: of the entry that it is).
const CollAlgorithm *algorithm_at(int64_t i);
int algorithm_number(const CollAlgorithm *a);
// Returns the entry that a variant is a copy of; another algorithm itself.
const CollAlgorithm *algorithm_entry(const CollAlgorithm *a);
// Returns the defaults of all parameters of an entry; fields that are not parameters of the entry are 0.
CollParams algorithm_defaults(const CollAlgorithm *a);
// Return, and set, a parameter's value in par: a size in bytes, an integer, the index of a choice, or the index of an
// algorithm (algorithm_at). param_set does not check the range.
int64_t param_get(const CollParam *param, const CollParams *par);
void param_set(const CollParam *param, CollParams *par, int64_t value);
// Returns the largest value that differs from all smaller ones on p ranks (CollParam.cut).
int64_t param_most(const CollParam *param, int p);
// Return, and set, the part that is the value of a PARAM_ALGORITHM, which may be a variant. If the parameter is of
// another kind, the part is NULL.
const CollAlgorithm *param_part(const CollParam *param, const CollParams *par);
void param_set_part(const CollParam *param, CollParams *par, const CollAlgorithm *part);
// Returns true if algorithm i can be the value of this PARAM_ALGORITHM and sends messages. It must be an algorithm of
// the parameter's collective.
bool param_allows(const CollParam *param, int i);
// Returns true if the algorithm groups ranks by node: need_nodes is one of its needs.
bool algorithm_needs_nodes(const CollAlgorithm *a);
// Returns true if algorithm i can be its value and works in shared memory, which a part within a node may.
bool param_shares(const CollParam *param, int i);
// Returns the first parameter whose value is an algorithm in shared memory, or NULL if there is none. Then the text has
// messages as well as slots and flags. `a` is the algorithm that runs, not one whose fallback runs.
const CollParam *algorithm_shared_part(const CollAlgorithm *a, const CollParams *par);
// Returns the values of an algorithm's parameters as text, "segment=0 chains=4", with those of its parts that differ
// from the part's own defaults, "outer=recexch outer.radix=4". Free with g_free.
char *params_text(const CollAlgorithm *a, const CollParams *par);
// Returns a value of a parameter as text, which params_part_text frees with g_free.
typedef char *ParamText(const CollParam *param, int64_t value);
// Returns the parameters of a part that differ from the defaults of its entry, each behind the separator and with the
// part's name: ";outer.radix=4" for the separator ";". The parameters of the part's own parts follow in the same way.
// Returns an empty text if the part is an entry and no variant. Free with g_free.
char *params_part_text(const char *name, const CollAlgorithm *part, const char *separator, ParamText *text);
// Compares two sets of parameters of an algorithm, with the parameters of parts: returns 0 if they are equal, and
// otherwise -1 or 1 by the first parameter that differs.
int params_compare(const CollAlgorithm *a, const CollParams *x, const CollParams *y);
// Returns true if they are equal. It takes much less time to find that parts differ than to find their order.
bool params_same(const CollAlgorithm *a, const CollParams *x, const CollParams *y);

// Return the number of parameters, and of needs, of an entry.
int algorithm_n_params(const CollAlgorithm *a);
int algorithm_n_needs(const CollAlgorithm *a);
// Returns the parameter with this name; NULL if the algorithm has none.
const CollParam *algorithm_param(const CollAlgorithm *a, const char *name);
// Returns T at this point; -1 if the entry has no formula, or if the formula does not know the point.
int64_t algorithm_time(const CollAlgorithm *a, const CollPoint *x);
// Returns the aliases of an entry as text, "ompi:6 mpich:binomial". Free with g_free.
char *algorithm_aliases(const CollAlgorithm *a);
