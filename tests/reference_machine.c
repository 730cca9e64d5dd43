#include "reference_machine.h"

void reference_machine_place(ReferenceMachine *x, int p, const int *of, const int *sizes, int node)
{
    x->node = g_memdup2(of, (gsize)p * sizeof(int));
    for (int k = 0; k < x->n_levels - 1; k++) {
        x->unit[k] = g_new(int, p);
        for (int rank = 0; rank < p; rank++)
            x->unit[k][rank] = k < node ? of[rank] * p + reference_machine_local(x, rank) / sizes[k]
                                        : of[rank] / (sizes[k] / sizes[node]);
    }
}

void reference_machine_clear(ReferenceMachine *x)
{
    for (int k = 0; k < x->n_levels - 1; k++)
        g_free(x->unit[k]);
    g_free(x->node);
}

int reference_machine_level(const ReferenceMachine *x, int a, int b)
{
    int level = 0;
    while (level < x->n_levels - 1 && x->unit[level][a] != x->unit[level][b])
        level++;
    return level;
}

bool reference_machine_near(const ReferenceMachine *x, int a, int b)
{
    return x->node ? x->node[a] == x->node[b] : a == b;
}

int reference_machine_local(const ReferenceMachine *x, int rank)
{
    int local = 0;
    for (int other = 0; other < rank; other++)
        local += reference_machine_near(x, other, rank);
    return local;
}

// Returns true if there are resources: NICs, or a memory of a node with several ranks.
static bool has_resources(const ReferenceMachine *x, int p)
{
    bool found = x->per_byte || x->per_message;
    for (int rank = 0; rank < p && !found; rank++)
        found = x->n_points && reference_machine_local(x, rank) > 0;
    return found;
}

int64_t reference_machine_key(const ReferenceMachine *x, int p, int sender)
{
    if (!has_resources(x, p))
        return sender;
    return (int64_t)reference_machine_local(x, sender) * p + (x->node ? x->node[sender] : sender);
}

int64_t reference_machine_copied(const ReferenceMachine *x, int64_t n)
{
    const ReferencePoint *low = x->memory, *high = low;
    for (int i = 0; i < x->n_points; i++) {
        if (x->memory[i].bytes <= n)
            low = &x->memory[i];
        high = &x->memory[i];
        if (high->bytes > n)
            break;
    }
    const __int128 width = high->bytes > low->bytes ? high->bytes - low->bytes : 1;
    const __int128 above = n > low->bytes ? MIN(n, high->bytes) - low->bytes : 0;
    const __int128 bytes = n * (low->factor * width + (high->factor - low->factor) * above);
    const __int128 unit = REFERENCE_FACTOR * width;
    return (int64_t)((2 * bytes + unit) / (2 * unit));
}
