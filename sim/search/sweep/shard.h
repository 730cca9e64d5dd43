// Shards: the parts of a sweep that processes work on side by side.
#pragma once
#include <glib.h>

typedef struct SweepShard {
    guint64 i, n; // part i of n, i from 1 on
} SweepShard;

// Reads "2/8", or "auto": the part that the environment of a launcher gives this process. Then *said becomes the
// variables that decided, to be freed with g_free; NULL for i/n. Returns FALSE and an error on bad input, or if the
// environment says nothing. The rule for `auto`:
//
// - The launcher that started the process says rank and size: mpirun of Open MPI (OMPI_COMM_WORLD_RANK and _SIZE), or
//   else of MPICH (PMI_RANK, PMI_SIZE), or else srun (SLURM_PROCID, SLURM_NTASKS). An mpirun comes before srun, because a
//   job of Slurm passes its variables on to an mpirun that it runs.
// - A Slurm array (SLURM_ARRAY_TASK_ID, _MIN, _MAX, _STEP, _COUNT) is around that: task a of A, whose launcher starts
//   ranks r = 0 .. R-1, has the parts a R + r + 1 of A R.
gboolean sweep_shard_parse(const char *text, SweepShard *shard, char **said, GError **error);

// Returns TRUE if a point belongs to the shard. `digits` is the sum of its places in all dimensions of the grid, so
// that neighbours in every dimension go to different shards.
gboolean sweep_shard_has(const SweepShard *shard, guint64 digits);
