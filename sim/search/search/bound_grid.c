#include "search/search/bound_grid.h"
#include <math.h>

void bound_grid_clear(BoundGrid *grid)
{
    if (grid->cells)
        g_ptr_array_unref(grid->cells);
    if (grid->contests)
        g_ptr_array_unref(grid->contests);
    request_clear(&grid->request);
}

gboolean bound_grid_eager(const BoundGrid *grid)
{
    return grid->request.machine.options.transfer == TRANSFER_EAGER;
}

gboolean bound_grid_by_size(const BoundGrid *grid)
{
    const Request *r = &grid->request;
    return r->question.sizes->len >= r->question.ranks->len && r->question.collective != COLL_BARRIER;
}

double bound_grid_ratio(const BoundCell *cell)
{
    return cell->best && cell->bound_s > 0 ? cell->best->time_s / cell->bound_s : 0;
}

static BoundCell *cell_new(const BoundGrid *grid, const Contest *contest)
{
    const Request *r = &grid->request;
    const Contender *best = contest->ranking && contest->ranking->len ? g_ptr_array_index(contest->ranking, 0) : NULL;
    BoundCell *cell = g_new0(BoundCell, 1);
    cell->p = contest->p;
    cell->per_node = contest->per_node;
    cell->m = contest->m;
    cell->best = best ? best->point : NULL;
    cell->times = request_bounds(r, cell->p, cell->per_node, cell->m, grid->ports);
    cell->bound_s = bound_times_longest(&cell->times);
    cell->bounds =
        bounds_of_ports(r->question.collective, cell->p, (double)cell->m, grid->ports, bound_grid_eager(grid));
    if (!request_has_bound(r))
        cell->bounds = (Bounds){NAN, NAN, NAN};
    else if (r->machine.model != &hockney_model)
        cell->bounds.rounds = NAN;
    cell->flat = request_one_level(r, cell->p, cell->per_node);
    if (r->question.collective == COLL_BCAST && grid->ports == 1 && cell->flat && cell->bound_s > 0)
        cell->blocks_s = bounds_bcast_blocks(cell->p, (double)cell->m, r->machine.platform);
    return cell;
}

gboolean bound_grid_make(BoundGrid *grid, GError **error)
{
    grid->contests = contest_make_all(&grid->request, 1, error);
    if (!grid->contests || (grid->ports == 1 && !contest_run_all(grid->contests, NULL, NULL, error)))
        return FALSE;
    if (grid->ports == 1)
        request_leave_out(&grid->request, contest_left_out(grid->contests, grid->contests->len));
    grid->cells = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < grid->contests->len; i++)
        g_ptr_array_add(grid->cells, cell_new(grid, g_ptr_array_index(grid->contests, i)));
    return TRUE;
}
