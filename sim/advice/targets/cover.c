#include "advice/targets/cover.h"
#include <math.h>

// How good a way is: fewer rows count before less cost.
typedef struct CoverPrice {
    guint rows;
    double cost;
} CoverPrice;

// A dynamic programme. best[i][j][c] is the price of sizes i .. j-1 if a row of choice c lies below them all (c = 0:
// none), and row[i][k] that of a row that begins at i and ends at k-1, with all that lies in it:
//
//     row[i][k]     = 1 row + the best choice c at i: cost[i][c] + best[i+1][k][c]
//     best[i][j][c] = cost[i][c] + best[i+1][j][c], if c is good at i
//                   or the best k: row[i][k] + best[k][j][c]
//
// Some best set of rows is of this kind: if two rows overlap without one being in the other, the second one can end
// where the first one begins.
typedef struct CoverPlan {
    guint n, n_choices;
    const gboolean *good;
    const double *cost;
    gboolean nested;
    CoverPrice *best, *row;
    guint *next;   // [i][j][c]: the k; 0 if the row below serves size i
    guint *choice; // [i][k]: that of the row
} CoverPlan;

static const CoverPrice none = {G_MAXUINT / 2, INFINITY};

static gsize at(const CoverPlan *x, guint i, guint j, guint c)
{
    return ((gsize)i * (x->n + 1) + j) * x->n_choices + c;
}

static gsize span(const CoverPlan *x, guint i, guint j)
{
    return (gsize)i * (x->n + 1) + j;
}

static gboolean less(CoverPrice a, CoverPrice b)
{
    return a.rows != b.rows ? a.rows < b.rows : a.cost < b.cost - 1e-12;
}

static CoverPrice plus(CoverPrice a, CoverPrice b)
{
    return (CoverPrice){MIN(a.rows + b.rows, none.rows), a.cost + b.cost};
}

static CoverPrice cost_of(const CoverPlan *x, guint i, guint c)
{
    return x->good[i * x->n_choices + c] ? (CoverPrice){0, x->cost[i * x->n_choices + c]} : none;
}

// Finds the price of a row from size i to k-1. Without nesting, its choice serves all of these.
static void find_row(CoverPlan *x, guint i, guint k)
{
    CoverPrice *row = &x->row[span(x, i, k)];
    *row = none;
    for (guint c = 1; c < x->n_choices; c++) {
        CoverPrice price = {1, 0};
        if (x->nested)
            price = plus(price, plus(cost_of(x, i, c), x->best[at(x, i + 1, k, c)]));
        else
            for (guint s = i; s < k; s++)
                price = plus(price, cost_of(x, s, c));
        if (!less(price, *row))
            continue;
        *row = price;
        x->choice[span(x, i, k)] = c;
    }
}

static void find_best(CoverPlan *x, guint i, guint j, guint c)
{
    CoverPrice *best = &x->best[at(x, i, j, c)];
    *best = plus(cost_of(x, i, c), x->best[at(x, i + 1, j, c)]);
    for (guint k = i + 1; k <= j; k++) {
        const CoverPrice price = plus(x->row[span(x, i, k)], x->best[at(x, k, j, c)]);
        if (!less(price, *best))
            continue;
        *best = price;
        x->next[at(x, i, j, c)] = k;
    }
}

// Adds the rows of sizes i .. j-1 above a row of choice c, those within others first.
static void collect(const CoverPlan *x, guint i, guint j, guint c, GArray *rows)
{
    while (i < j) {
        const guint k = x->next[at(x, i, j, c)];
        if (k == 0) {
            i++;
            continue;
        }
        const CoverRow row = {i, k - 1, x->choice[span(x, i, k)]};
        if (x->nested)
            collect(x, i + 1, k, row.choice, rows);
        g_array_append_val(rows, row);
        i = k;
    }
}

GArray *cover_rows(guint n, guint n_choices, const gboolean *good, const double *cost, gboolean nested)
{
    g_assert(n <= COVER_MOST && n_choices > 0);
    const gsize spans = (gsize)(n + 2) * (n + 1);
    CoverPlan x = {.n = n, .n_choices = n_choices, .good = good, .cost = cost, .nested = nested};
    x.best = g_new0(CoverPrice, spans * n_choices);
    x.next = g_new0(guint, spans * n_choices);
    x.row = g_new0(CoverPrice, spans);
    x.choice = g_new0(guint, spans);
    for (guint length = 1; length <= n; length++)
        for (guint i = 0; i + length <= n; i++) {
            find_row(&x, i, i + length);
            for (guint c = 0; c < (nested ? n_choices : 1); c++)
                find_best(&x, i, i + length, c);
        }
    GArray *rows = g_array_new(FALSE, FALSE, sizeof(CoverRow));
    collect(&x, 0, n, 0, rows);
    g_free(x.best);
    g_free(x.next);
    g_free(x.row);
    g_free(x.choice);
    return rows;
}
