// The specification of a sweep: which points its grid has, as texts that a user wrote.
#pragma once
#include <glib.h>

typedef enum SweepKey {
    SWEEP_COLLECTIVE,
    SWEEP_ALGORITHM,
    SWEEP_P,
    SWEEP_M,
    SWEEP_ROOT,
    SWEEP_PLATFORM,
    SWEEP_MODEL,
    SWEEP_TRANSFER,
    SWEEP_ELEMENT,
    SWEEP_PER_NODE,
    SWEEP_MAP,
    SWEEP_COUNTS,
    SWEEP_DISPLS,
    SWEEP_TOPOLOGY,
    SWEEP_ROUTING,
    SWEEP_NODES,
    SWEEP_PRUNE,
    N_SWEEP_KEYS
} SweepKey;
extern const char *const sweep_key_names[]; // by SweepKey, NULL-terminated

typedef struct SweepSpec {
    char *text[N_SWEEP_KEYS]; // NULL for what is not given
    GPtrArray *sets, *params; // of char *, NAME=VALUE,VALUE..; one value of each makes a variant
} SweepSpec;

// Reads a specification, an .ini file with the sections
//
//     [sweep]
//     collective = bcast, allreduce
//     algorithm = all, ompi-4.1:auto
//     p = 8..64:x2
//     m = 8, 64K
//     [set]
//     beta = x1, x0.5
//     [param]
//     segment = 4K, 64K
//
// It does not look into the values. `path` is its name in errors. Returns FALSE and an error with the line on bad
// input. Clear with sweep_spec_clear in any case.
gboolean sweep_spec_parse(SweepSpec *spec, const char *path, const char *text, size_t length, GError **error);
// Reads the file.
gboolean sweep_spec_load(SweepSpec *spec, const char *path, GError **error);
void sweep_spec_clear(SweepSpec *spec);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(SweepSpec, sweep_spec_clear)
