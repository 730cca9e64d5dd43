// Draws the worst x of all guidelines as a map, for each number of ranks and each size of the left side.
#include "answer/advice/guidelines_answer.h"
#include "base/error.h"
#include "figure/figure.h"
#include "figure/heat.h"
#include <math.h>

static char *title_of(const GuidelinesAnswer *a)
{
    const Guidelines *x = a->guidelines;
    const GuidelineTotal total = guidelines_total(x, NULL);
    const GuidelineSide side = guidelines_side(x);
    const char *machine = a->request && side == GUIDELINE_PREDICTED ? a->request->machine.platform->name : NULL;
    return g_strdup_printf("%s%s%s%s: %u of %u guidelines are violated", a->library,
                           a->rules ? " with a rules file" : "", machine ? ", " : "", machine ? machine : "",
                           total.violated[side], total.checked[side]);
}

static char *note_of(const GuidelinesAnswer *a)
{
    g_autofree char *how = guidelines_side(a->guidelines) == GUIDELINE_MEASURED
                               ? g_strdup("measured")
                               : figure_model_text(a->request->machine.model->name, NULL);
    return g_strdup_printf(
        "%s; a place has the worst of all guidelines with its size on the left; white: none is known", how);
}

FigureGrid *guidelines_map(const GuidelinesAnswer *a, GError **error)
{
    const Guidelines *x = a->guidelines;
    const GuidelineSide side = guidelines_side(x);
    g_autoptr(GArray) places = g_array_new(FALSE, FALSE, sizeof(HeatPlace));
    for (guint i = 0; i < x->rows->len; i++) {
        const GuidelineRow *row = &g_array_index(x->rows, GuidelineRow, i);
        const guint left = g_array_index(x->cases, GuidelineCase, row->worst[side]).left;
        const GuidelineTime *time = &g_array_index(x->times, GuidelineTime, left);
        const GuidelinePlace *where = x->places->pdata[time->place];
        const HeatPlace place = {where->p, where->per_node, time->m, row->marked ? NAN : row->x[side]};
        g_array_append_val(places, place);
    }
    g_autoptr(FigureGrid) map = heat_map(places, NULL, "worst x: left / right");
    const guint most = MAX(map->xs->len, map->ys->len);
    if (most == 0 || most > FIGURE_GRID_MAX) {
        bad_input(error,
                  "--draw: %u values on an axis; allowed: 1 to %d numbers of ranks and sizes of left sides, such as "
                  "those of --of allreduce",
                  most, FIGURE_GRID_MAX);
        return NULL;
    }
    map->x_axis = "size of the left side (bytes)";
    map->title = title_of(a);
    map->note = note_of(a);
    return g_steal_pointer(&map);
}
