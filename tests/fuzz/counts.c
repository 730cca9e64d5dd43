// Files of counts (--counts FILE) and of displacements (--displs FILE), then the blocks that they give.
#include "fuzz.h"
#include "engine/schedule/counts.h"

FUZZ_HARNESS(counts)
{
    enum { MOST_RANKS = 1000 };
    g_autoptr(GError) error = NULL;
    CountsSpec spec = {0};
    if (fuzz_outcome(counts_parse(fuzz_file(data, size), MOST_RANKS, &spec, &error), &error) && spec.file->len > 0 &&
        spec.file->len <= MOST_RANKS)
        for (size_t elem = 1; elem <= 4; elem *= 4) {
            CollCounts *counts = NULL;
            spec.gaps = elem > 1;
            fuzz_outcome(counts_make(&spec, (int)spec.file->len, 64, elem, &counts, &error), &error);
            counts_free(counts);
        }
    counts_clear(&spec);
    spec = (CountsSpec){0};
    if (fuzz_outcome(counts_parse_displs(fuzz_file(data, size), MOST_RANKS, &spec, &error), &error) &&
        spec.displs->len > 0)
        for (size_t m = 0; m <= 8; m += 4) {
            CollCounts *counts = NULL;
            fuzz_outcome(counts_make(&spec, (int)spec.displs->len, m, 4, &counts, &error), &error);
            counts_free(counts);
        }
    counts_clear(&spec);
    return 0;
}
