// The time of circulant halvings.
#include "times/times.h"

int64_t circulant_overlap_time(const CollPoint *x, const Circulant *graph, int rounds, int64_t block)
{
    int64_t t = 0, came = 0; // the blocks that came in the last round
    for (int k = graph->q - 1; k >= graph->q - rounds; k--) {
        const int64_t skip = graph->skip[k], n = graph->skip[k + 1] - skip, late = came < skip ? came : skip;
        t += g(x, (came - late) * block) + later(u(x, n * block), g(x, late * block));
        came = n;
    }
    return t + g(x, came * block);
}
