// One algorithm in all gears, over a grid of ranks, roots, sizes, parameters, models, transfers and starts; and the
// symmetry that its entry declares.
#pragma once
#include "judge/prove/gears_proof.h"
#include "registry/registry.h"

typedef struct GearsPoint {
    const CollAlgorithm *a;
    Coll c;
    size_t m;
    uint32_t number; // counts the points that are visited of this algorithm at this p, from 0
} GearsPoint;

typedef void (*GearsVisit)(const GearsPoint *x, void *data);

typedef struct GearsGrid {
    const int *p; // the numbers of ranks
    int n;
    uint32_t models_apart; // one in this many models is tried at a point
} GearsGrid;
extern const GearsGrid gears_grid;

// What was done, and the first error, to be freed with g_free; NULL if there is none.
typedef struct GearsProof {
    GearsCounts n;
    char *wrong;
} GearsProof;

enum { GEARS_MODELS = 6 };
extern const Hockney gears_models[GEARS_MODELS];

// Returns the point as text; free with g_free.
char *gears_describe(gconstpointer point);

// Visits the algorithm on p ranks with n sizes, up to three roots, and few values of each parameter, where it runs
// itself; gears_visit_all chooses the sizes.
void gears_visit(const CollAlgorithm *a, int p, const size_t *sizes, size_t n, GearsVisit visit, void *data);
void gears_visit_all(const CollAlgorithm *a, int p, GearsVisit visit, void *data);

// Sets the start of each rank at random: up to 10 us, or if the model's costs are integers 0 to 3, which makes many
// ties.
void gears_skew(double *start, int p, const Hockney *model, uint32_t seed);
GearsCase gears_case(const GearsPoint *x, const Schedule *s, uint32_t model, Transfer transfer, const double *start,
                     int64_t cut_off);
// Runs the gears under all transfers, with all ranks starting at 0 and at random times, for one in `apart` of the
// models, which change from point to point.
void gears_agree_everywhere(const GearsPoint *x, const Schedule *s, int64_t cut_off, uint32_t apart, GearsProof *proof);

// Find out whether a schedule in which ranks share classes, as the entry declares, equals one for which every rank was
// recorded. They look at the grid. An entry that groups by node and declares ranks of different nodes alike is also
// tried on nodes of 4 and 6 ranks with every root, and an entry with a pattern on up to 40 ranks and 64 segments. They
// add to the proof, and do nothing if it has an error.
void gears_prove_symmetry(const CollAlgorithm *a, const GearsGrid *grid, GearsProof *proof);
void gears_prove_nodes(const CollAlgorithm *a, GearsProof *proof);
void gears_prove_pattern(const CollAlgorithm *a, GearsProof *proof);
// Runs the algorithm in all gears on the grid. Does nothing for one in shared memory, which has one gear.
void gears_prove_agree(const CollAlgorithm *a, const GearsGrid *grid, GearsProof *proof);
