// Draws the regret of a collective as a map: places in the colour of x, with borders where there is a cliff.
#include "answer/advice/regret_answer.h"
#include "answer/report/report.h"
#include "base/error.h"
#include "base/units.h"
#include "figure/figure.h"
#include "figure/heat.h"
#include <math.h>
#include <string.h>

static HeatPlace heat_of(const RegretPlace *place)
{
    return (HeatPlace){place->p, place->per_node, place->m, regret_x(place)};
}

static char *title_of(const Regret *x, const Request *r)
{
    GString *const title = g_string_new(NULL);
    g_autofree char *root = report_root_text(x->root);
    g_string_append_printf(title, "%s, %s%s, %s: ", r->library.only->library->title, collectives[x->collective].name,
                           root, r->machine.platform->name);
    g_autoptr(GArray) worst = regret_worst(x, 1);
    if (!worst->len) {
        g_string_append(title, x->known ? "no default is slower than the best" : "no default is known");
        return g_string_free(title, FALSE);
    }
    const RegretPlace *const place = &g_array_index(x->places, RegretPlace, g_array_index(worst, guint, 0));
    g_autofree char *mean = heat_text(x->mean), *most = heat_text(regret_x(place)), *size = units_format_size(place->m);
    g_autofree char *ranks = units_format_size((size_t)place->p);
    g_string_append_printf(title, "the default takes %s times the best (geometric mean), %s times on %s ranks", mean,
                           most, ranks);
    if (x->collective != COLL_BARRIER)
        g_string_append_printf(title, " with %s bytes", size);
    return g_string_free(title, FALSE);
}

static char *note_of(const Regret *x, const RequestMachine *machine, guint unknown)
{
    g_autofree char *model = figure_model_text(
        machine->model->name, machine->model->transfers ? transfer_names[machine->options.transfer] : NULL);
    GString *const note = g_string_new(model);
    canvas_say(note, "best: of what this version can be told to run");
    if (x->cliffs->len)
        canvas_say(note,
                   "thick lines: cliffs, where x of two neighbours (p and p + 1, or two sizes one element apart) "
                   "differs by a factor of 1.5 or more, %u in all",
                   x->cliffs->len);
    if (unknown)
        canvas_say(note, "white: the default is not known, or too large to simulate");
    return g_string_free(note, FALSE);
}

FigureGrid *regret_map(const Regret *x, const Request *r, GError **error)
{
    g_autoptr(GArray) places = g_array_new(FALSE, FALSE, sizeof(HeatPlace));
    g_autoptr(GArray) cliffs = g_array_new(FALSE, FALSE, sizeof(HeatPlace));
    guint unknown = 0;
    if (!x->known) {
        bad_input(error, "--draw: the default is not known at any point of the grid; allowed: one or more");
        return NULL;
    }
    for (guint i = 0; i < x->places->len; i++) {
        const HeatPlace place = heat_of(&g_array_index(x->places, RegretPlace, i));
        if (!g_array_index(x->places, RegretPlace, i).grid)
            continue;
        g_array_append_val(places, place);
        unknown += isnan(place.x) != 0;
    }
    for (guint i = 0; i < 2 * x->cliffs->len; i++) {
        const guint at = g_array_index(x->cliffs, RegretPair, i / 2).place[i % 2];
        const HeatPlace place = heat_of(&g_array_index(x->places, RegretPlace, at));
        g_array_append_val(cliffs, place);
    }
    FigureGrid *map = heat_map(places, cliffs, "x: default / best");
    map->x_axis = "size (bytes)";
    map->title = title_of(x, r);
    map->note = note_of(x, &r->machine, unknown);
    return map;
}

void regret_print(const FigureGrid *map, FILE *to)
{
    heat_print(map, "the default is not known", "there is a cliff", to);
}
