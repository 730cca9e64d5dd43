// Draws what parts of a network send to each other, and the largest loads of links round by round.
#include "answer/engine/matrix_answer.h"
#include "answer/engine/traffic_answer.h"
#include "figure/chart.h"

// Returns the bytes from the parts of a row to those of a column, as a matrix whose cells have a message each.
static Matrix *matrix_of(const Loads *l)
{
    Matrix *m = g_new0(Matrix, 1);
    *m = (Matrix){.p = l->parts, .width = 1, .n = l->parts, .cell = g_new0(MatrixSum, l->parts * l->parts)};
    for (int i = 0; i < l->parts * l->parts; i++)
        m->cell[i] = (MatrixSum){l->between[i] > 0, l->between[i]};
    return m;
}

static char *map_title(const TrafficAnswer *x, const TrafficRun *run)
{
    const Loads *l = run->loads;
    uint64_t inside = 0;
    for (int i = 0; i < l->parts; i++)
        inside += l->between[i * l->parts + i];
    const uint64_t all = l->bytes + l->bytes_inside;
    g_autofree char *name = traffic_name(x, run), *leaves = traffic_size_text((double)(l->bytes - inside)),
                    *bytes = traffic_size_text((double)all);
    return g_strdup_printf("%s: %s of %s bytes leave their %s", name, leaves, bytes, traffic_part(run->network));
}

static Canvas *map_canvas(const TrafficAnswer *x, const TrafficRun *run, const PictureAsk *ask)
{
    enum { MOST_LABELS = 16 };
    g_autoptr(Matrix) m = matrix_of(run->loads);
    const MatrixAnswer answer = {.matrix = m};
    g_autoptr(FigureGrid) grid = matrix_grid(&answer, (m->n + MOST_LABELS - 1) / MOST_LABELS);
    const char *part = traffic_part(run->network);
    g_autofree char *to = g_strdup_printf("receiving %s", part), *from = g_strdup_printf("sending %s", part);
    grid->x_axis = to;
    grid->y_axis = from;
    grid->title = map_title(x, run);
    g_autofree char *place = traffic_place(x);
    grid->note = g_strdup_printf("%s; a %s has %d hosts", place, part, run->network->part);
    return figure_grid_canvas(grid, ask);
}

static Canvas *rounds_canvas(const TrafficAnswer *x, const TrafficRun *run, const PictureAsk *ask)
{
    int worst = 0;
    for (int c = 0; c < run->network->n_classes; c++)
        if (run->loads->class[c].most > run->loads->class[worst].most)
            worst = c;
    const LoadClass *of = &run->loads->class[worst];
    g_autofree char *name = traffic_name(x, run), *place = traffic_place(x),
                    *most = traffic_size_text(traffic_bytes(run, of->most));
    g_autofree char *title = g_strdup_printf("%s: a link of class %s carries %s bytes in round %" G_GINT64_FORMAT, name,
                                             run->network->class[worst].name, most, of->most_round + 1);
    g_autoptr(Chart) chart = chart_new(&(ChartHead){.title = title,
                                                    .note = place,
                                                    .x = CHART_NUMBER,
                                                    .x_name = "round",
                                                    .y = CHART_SIZE,
                                                    .y_name = "most bytes on a link in the round"});
    for (int c = 0; c < run->network->n_classes; c++) {
        CanvasLook look = chart_look((guint)c);
        look.dash = 1;
        const guint series = chart_series(chart, run->network->class[c].name, look);
        for (guint i = 0; i < run->loads->rows->len; i++) {
            const LoadRow *row = &g_array_index(run->loads->rows, LoadRow, i);
            const double bytes = traffic_bytes(run, row->most[c]);
            if (bytes == 0)
                chart_gap(chart, 0, series);
            chart_point(chart, 0, series, (double)(row->first + 1), bytes);
            if (row->last > row->first)
                chart_point(chart, 0, series, (double)(row->last + 1), bytes);
        }
    }
    return chart_canvas(chart, ask);
}

Canvas *traffic_canvas(const TrafficAnswer *x, const PictureAsk *ask)
{
    const TrafficRun *run = g_ptr_array_index(x->runs, 0);
    return x->rounds ? rounds_canvas(x, run, ask) : map_canvas(x, run, ask);
}
