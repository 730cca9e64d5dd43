// What a file with algorithms of its own exports, so that the program can load it without being built again.
//
// The last line of such a file names its entries:
//
//     COLL_PLUGIN(&bcast_mine_algorithm, &reduce_mine_algorithm)
#pragma once
#include "registry/entry.h"

// The number of this interface. It grows whenever something that coll.h declares changes its meaning or its layout; a
// file that was compiled with another number is refused.
#define COLL_ABI 5

// Plugins of every interface begin with `abi`, and only those of this one have the rest.
typedef struct CollPlugin {
    int abi;                             // COLL_ABI of the coll.h that the file was compiled with
    const CollAlgorithm *const *entries; // ended by NULL
} CollPlugin;

// Exports the table under the name that the program looks for.
#define COLL_PLUGIN(...)                                                                                               \
    __attribute__((visibility("default"))) extern const CollPlugin coll_plugin;                                        \
    const CollPlugin coll_plugin = {COLL_ABI, (const CollAlgorithm *const[]){__VA_ARGS__ __VA_OPT__(, ) 0}};
