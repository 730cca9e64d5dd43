#include "bound.h"
#include "parallel.h"
#include <math.h>
#include <string.h>

static void cell_free(gpointer data)
{
    BoundCell *cell = data;
    g_clear_error(&cell->error);
    g_free(cell);
}

void bound_grid_clear(BoundGrid *grid)
{
    if (grid->cells)
        g_ptr_array_unref(grid->cells);
    if (grid->points)
        g_ptr_array_unref(grid->points);
    request_clear(&grid->request);
}

gboolean bound_eager(const BoundGrid *grid)
{
    return grid->request.options.transfer == TRANSFER_EAGER;
}

gboolean bound_by_size(const BoundGrid *grid)
{
    const Request *r = &grid->request;
    return r->sizes->len >= r->ranks->len && r->collective != COLL_BARRIER;
}

double bound_ratio(const BoundCell *cell)
{
    return cell->best && cell->bound_s > 0 ? cell->best->time_s / cell->bound_s : 0;
}

static BoundCell *cell_new(const BoundGrid *grid, guint first)
{
    const Request *r = &grid->request;
    const double *value = r->platform->value;
    BoundCell *cell = g_new0(BoundCell, 1);
    cell->points = (Point **)grid->points->pdata + first;
    cell->p = cell->points[0]->p;
    cell->m = cell->points[0]->m;
    cell->bounds = port_bounds(r->collective, cell->p, (double)cell->m, grid->ports, bound_eager(grid));
    cell->latency_s = cell->bounds.rounds * value[KEY_ALPHA];
    cell->bandwidth_s = cell->bounds.bytes * value[KEY_BETA];
    cell->computation_s = cell->bounds.work * value[KEY_GAMMA];
    cell->bound_s = bounds_time(&cell->bounds, r->platform);
    if (r->collective == COLL_BCAST && grid->ports == 1 && cell->bound_s > 0)
        cell->blocks_s = bcast_blocks_bound(cell->p, (double)cell->m, r->platform);
    return cell;
}

gboolean bound_cells(BoundGrid *grid, GError **error)
{
    grid->points = points_make(&grid->request, error);
    grid->cells = g_ptr_array_new_with_free_func(cell_free);
    const guint n = grid->request.ranks->len * grid->request.sizes->len;
    for (guint i = 0; grid->points && i < n; i++) { // every cell has all algorithms
        BoundCell *cell = cell_new(grid, i * (grid->points->len / n));
        cell->n_points = grid->points->len / n;
        g_ptr_array_add(grid->cells, cell);
    }
    return grid->points != NULL;
}

// ---- The fastest algorithm -----------------------------------------------------------------------------------------

static void predict(BoundCell *cell, Point *x, const Request *r)
{
    if (!cell->error)
        point_run(x, r, &cell->error);
}

// Did it run itself, to its end?
static gboolean ranked(const Point *x)
{
    return point_timed(x) && !x->why;
}

static void consider(BoundCell *cell, const Point *x)
{
    if (ranked(x) && (!cell->best || points_faster(&x, &cell->best) < 0))
        cell->best = x;
}

// An algorithm that is tried with shorter and shorter segments.
typedef struct Trial {
    Point *point; // the fastest so far
    const CollParam *segment;
    double last_s;
    int hopeless; // halvings on end
} Trial;

static void trial_add(GArray *trials, Point *x, const CollParam *segment)
{
    const Trial trial = {x, segment, ranked(x) ? x->time_s : INFINITY, 0};
    g_array_append_val(trials, trial);
}

static GArray *trials_of(const BoundCell *cell)
{
    GArray *trials = g_array_new(FALSE, FALSE, sizeof(Trial));
    for (guint i = 0; i < cell->n_points; i++) {
        const CollAlgorithm *a = cell->points[i]->algorithm;
        for (int k = 0; k < count_params(a); k++)
            if (strcmp(a->params[k].name, "segment") == 0)
                trial_add(trials, cell->points[i], &a->params[k]);
    }
    return trials;
}

// T of S segments is about a + b S + c/S, so each halving gains at most half as much as the one before: all that are to
// come gain less than the last one has.
static void judge(Trial *trial, double time_s, double fastest_s)
{
    if (time_s == trial->last_s)
        return;
    trial->hopeless = time_s - (trial->last_s - time_s) >= fastest_s ? trial->hopeless + 1 : 0;
    trial->last_s = time_s;
}

static void try_segment(BoundCell *cell, Trial *trial, size_t segment, const Request *r)
{
    Point x = *trial->point;
    x.prediction = NULL;
    x.why = NULL;
    param_set(trial->segment, &x.par, (int64_t)segment);
    param_set(trial->segment, &x.asked, (int64_t)segment);
    predict(cell, &x, r);
    if (ranked(&x))
        judge(trial, x.time_s, cell->best->time_s);
    if (ranked(&x) && (!ranked(trial->point) || x.time_s < trial->point->time_s)) {
        prediction_free(trial->point->prediction);
        *trial->point = x;
        consider(cell, trial->point);
    } else {
        prediction_free(x.prediction);
    }
}

// What any of them takes at least: a bcast's root sends the vector, a reduce's receives it (or else some rank sends it)
// segment by segment; of the other collectives some rank sends or receives half of m bytes so.
static double least_time(const BoundCell *cell, size_t segment, const Request *r)
{
    const double *value = r->platform->value, m = (double)cell->m, messages = m / (double)segment;
    const gboolean whole = r->collective == COLL_BCAST || r->collective == COLL_REDUCE;
    return whole ? messages * value[KEY_ALPHA] + m * value[KEY_BETA] : messages / 2 * value[KEY_ALPHA];
}

static void run_cell(gpointer data, gpointer user)
{
    BoundCell *cell = data;
    const Request *r = user;
    for (guint i = 0; i < cell->n_points; i++) {
        predict(cell, cell->points[i], r);
        consider(cell, cell->points[i]);
    }
    g_autoptr(GArray) trials = trials_of(cell);
    size_t segment = 1;
    while (2 * segment < cell->m)
        segment *= 2;
    for (; segment >= r->elem && cell->m / segment < BOUND_SEGMENTS && cell->best; segment /= 2)
        for (guint i = 0; i < trials->len; i++) {
            Trial *trial = &g_array_index(trials, Trial, i);
            if (trial->hopeless < 2 && least_time(cell, segment, r) < cell->best->time_s)
                try_segment(cell, trial, segment, r);
        }
}

gboolean bound_best(BoundGrid *grid, GError **error)
{
    run_jobs(grid->cells, FALSE, "points", run_cell, &grid->request);
    for (guint i = 0; i < grid->cells->len; i++) {
        BoundCell *cell = g_ptr_array_index(grid->cells, i);
        if (cell->error) {
            g_propagate_error(error, g_steal_pointer(&cell->error));
            return FALSE;
        }
    }
    return TRUE;
}
