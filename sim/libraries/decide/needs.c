#include "libraries/decide/needs.h"
#include "api/integers.h"
#include <limits.h>

// Returns the elements of the vector, or of the blocks of all ranks.
static size_t count_of(const Coll *c)
{
    return c->in.len / c->elem;
}
static bool segments_hold(const Coll *c)
{
    const size_t whole = c->par.segment / c->elem;
    return count_of(c) / (size_t)c->p >= (whole ? whole : count_of(c));
}
static bool halves_hold(const Coll *c)
{
    const size_t less = count_of(c) / 2, segment = c->par.segment;
    return less > 0 && MAX(segment, segment ? c->elem : 0) <= less * c->elem;
}
static bool int_holds(const Coll *c)
{
    return count_of(c) <= INT_MAX;
}
static bool regular_holds(const Coll *c)
{
    return !c->counts && count_of(c) % (size_t)c->p == 0;
}
static bool built_in_holds(const Coll *c)
{
    return c->commutative;
}
static bool parent_holds(const Coll *c)
{
    return c->nodes && c->nodes->n < c->p;
}
static bool consecutive_holds(const Coll *c)
{
    return parent_holds(c) && c->nodes->ordered;
}
// Only conditions of a tuning file ask about the buffer.
static const CollNeed segments = {segments_hold, "count < p segments", "count >= p * elements of a segment"},
                      halves = {halves_hold, "a half of the vector is less than an element or a segment",
                                "both halves at least one element and one segment"},
                      fits_int = {int_holds, "p times count is above 2^31 - 1", "count * p <= INT_MAX"},
                      regular = {regular_holds, "the blocks differ in length", "blocks of one length"},
                      built_in = {built_in_holds, "the operation is not MPI's own", "an operation of MPI's own"},
                      in_place = {NULL, "the send buffer is not MPI_IN_PLACE", "MPI_IN_PLACE"},
                      apart = {NULL, "the send buffer is MPI_IN_PLACE", "no MPI_IN_PLACE"},
                      parent = {parent_holds, "no ranks share a node", "ranks that share a node"},
                      consecutive = {consecutive_holds, "the nodes are not runs of consecutive ranks",
                                     "nodes of consecutive ranks"};

const LibraryNeed library_needs[] = {
    {LIBRARY_NEEDS_POW2, &need_pow2, "a power of two of ranks", SELECT_POW2, TRUE},
    {LIBRARY_NEEDS_EVEN, &need_even, NULL},
    {LIBRARY_NEEDS_TWO, &need_two, NULL},
    {LIBRARY_NEEDS_COUNT_P, &need_count_p, NULL},
    {LIBRARY_NEEDS_COUNT_POW2, &need_count_pow2,
     "as many elements as the greatest power of two that is not above the ranks", SELECT_BELOW_POW2, FALSE},
    {LIBRARY_NEEDS_SEGMENTS, &segments, NULL},
    {LIBRARY_NEEDS_HALVES, &halves, NULL},
    {LIBRARY_NEEDS_BUILT_IN, &built_in, "an operation of MPI's own", SELECT_BUILT_IN, TRUE},
    {LIBRARY_NEEDS_COMMUTATIVE, &need_commutative, "a commutative operation", SELECT_COMMUTATIVE, TRUE},
    {LIBRARY_NEEDS_INT, &fits_int, NULL},
    {LIBRARY_NEEDS_REGULAR, &regular, "equal blocks", SELECT_REGULAR, TRUE},
    {LIBRARY_NEEDS_IN_PLACE, &in_place, "MPI_IN_PLACE", SELECT_IN_PLACE, TRUE},
    {LIBRARY_NEEDS_APART, &apart, "a send buffer that is not MPI_IN_PLACE", SELECT_IN_PLACE, FALSE},
    {LIBRARY_NEEDS_PARENT, &parent, "ranks that share a node"},
    {LIBRARY_NEEDS_CONSECUTIVE, &consecutive, "ranks of a node that follow each other", SELECT_CONSECUTIVE, TRUE},
    {0},
};

const char *needs_otherwise(int needs, const Coll *call)
{
    for (const LibraryNeed *n = library_needs; n->need; n++)
        if (needs & (int)n->need && n->met->holds && !n->met->holds(call))
            return n->met->otherwise;
    return NULL;
}

gboolean needs_suit(int needs, gint64 p)
{
    return (!(needs & LIBRARY_NEEDS_POW2) || (p & (p - 1)) == 0) && (!(needs & LIBRARY_NEEDS_EVEN) || p % 2 == 0) &&
           (!(needs & LIBRARY_NEEDS_TWO) || p == 2);
}

gint64 needs_least_size(int needs, int p, gint64 elem, int segment)
{
    if (needs & LIBRARY_NEEDS_SEGMENTS)
        return segment > 0 ? (gint64)p * segment : -1;
    return needs & LIBRARY_NEEDS_COUNT_P ? p * elem : needs & LIBRARY_NEEDS_COUNT_POW2 ? pow2_floor(p) * elem : 0;
}
