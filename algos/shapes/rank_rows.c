#include "shapes/rank_rows.h"
#include "api/communicate.h"
#include "shapes/postal.h"

// Returns the first v of a row.
static int row_first(int row, int rows, int p)
{
    return (int)((int64_t)row * p / rows);
}

static RankRows rows_at(const CollParams *par, int p, int v)
{
    const int K = par->chains < p ? par->chains : p, rows = p / K;
    const int row = (int)((((int64_t)v + 1) * rows - 1) / p), first = row_first(row, rows, p);
    return (RankRows){
        .K = K, .rows = rows, .row = row, .first = first, .n = row_first(row + 1, rows, p) - first, .i = v - first};
}

RankRows rank_rows_of(const Coll *c)
{
    return rows_at(&c->par, c->p, coll_v(c));
}

static int in_column(const Coll *up, int row)
{
    const RankRows g = rank_rows_of(up);
    return coll_rank(up, row_first(row, g.rows, up->p) + g.i);
}

Coll rank_rows_column(const Coll *c, const RankRows *g)
{
    return coll_sub(c, g->rows, g->row, in_column);
}

static int in_row(const Coll *c, const RankRows *g, int i)
{
    return coll_rank(c, g->first + i);
}

// Returns room for the part that comes from the j-th rank before the caller; it is as long as `sum`.
static Slice inbox_of(Slice inbox, int j, Slice sum)
{
    return slice_like(slice_at(inbox, (size_t)j * sum.len, sum.len), sum);
}

void rank_rows_reduce(const Coll *c, const RankRows *g, Slice sum)
{
    const Blocks part = blocks_even(c, c->in, g->K);
    const bool owns = g->i < g->K;
    const Slice inbox = coll_scratch_if(c, owns, (size_t)g->n * sum.len);
    CollReq *request = coll_ints(c, (size_t)g->n);
    const CollReq first = coll_mark(c);
    for (int j = 1; j < g->n; j++) {
        const int from = (g->i - j + g->n) % g->n, to = (g->i + j) % g->n;
        if (owns)
            request[j] = coll_irecv(c, in_row(c, g, from), inbox_of(inbox, j, sum));
        if (to < g->K)
            coll_isend(c, in_row(c, g, to), block(&part, to));
    }
    if (owns && g->n == 1)
        coll_copy(c, sum, block(&part, 0));
    for (int j = 1; j < g->n && owns; j++) {
        coll_wait(c, request[j]);
        coll_reduce(c, sum, j == 1 ? block(&part, g->i) : sum, inbox_of(inbox, j, sum));
    }
    coll_waitall(c, first);
}

void rank_rows_gather(const Coll *c, const RankRows *g)
{
    const Blocks part = blocks_even(c, c->out, g->K);
    const CollReq first = coll_mark(c);
    for (int j = 1; j < g->n; j++) {
        const int from = (g->i - j + g->n) % g->n, to = (g->i + j) % g->n;
        if (from < g->K)
            coll_irecv(c, in_row(c, g, from), block(&part, from));
        if (g->i < g->K)
            coll_isend(c, in_row(c, g, to), block(&part, g->i));
    }
    coll_waitall(c, first);
}

int rank_rows_pattern(const Coll *c, int *x)
{
    const RankRows g = rank_rows_of(c);
    if (c->p % g.rows != 0)
        return 0;
    int n = 0;
    x[n++] = g.i;
    x[n++] = g.row == 0;
    if (g.i >= g.K)
        return n;
    int tree[POSTAL_PATTERN];
    const Coll column = rank_rows_column(c, &g);
    const int more = postal_pattern(&column, tree);
    if (more == 0 || n + more > POSTAL_PATTERN)
        return 0;
    for (int i = 0; i < more; i++)
        x[n++] = tree[i];
    return n;
}
