// Draws a machine: a box for each part of its network, with its hosts, and those of a job in a colour of their own.
#include "answer/engine/network_answer.h"
#include "answer/engine/traffic_answer.h"
#include "machine/platform/figure_units.h"
#include <math.h>

enum {
    HOST = 0xD9E2EC,
    USED = 0xD55E00,
    BORDER = 0x888888,
    MOST_BOXES = 120,
    MOST_SQUARES = 1024,
    GAP = 14,
    HEAD = 22
};

// How the boxes are laid out.
typedef struct MachinePlan {
    int parts, across; // boxes, and how many are side by side
    int columns, rows; // of squares in a box
    double square, width, height;
    bool squares; // hosts are squares; otherwise a bar says how many the job has
} MachinePlan;

static MachinePlan plan_of(const Network *n, int width)
{
    MachinePlan x = {.parts = MIN(n->hosts / n->part, MOST_BOXES)};
    x.across = (int)ceil(sqrt(x.parts * 1.6));
    x.across = CLAMP(x.across, 1, x.parts);
    x.width = (width - 2. * CANVAS_EDGE + GAP) / x.across - GAP;
    x.squares = n->part <= MOST_SQUARES;
    x.columns = !x.squares                           ? 1
                : n->topology.kind == TOPOLOGY_TORUS ? MIN(n->sizes[0], n->part)
                                                     : MAX(1, (int)ceil(sqrt(n->part * 1.5)));
    x.rows = x.squares ? (n->part + x.columns - 1) / x.columns : 1;
    x.square = MIN(18, (x.width - 12) / x.columns);
    x.height = HEAD + (x.squares ? x.rows * x.square : 18) + 10;
    return x;
}

static void draw_box(Canvas *canvas, const NetworkAnswer *x, const MachinePlan *plan, int part, double left, double top,
                     const bool *used, int count)
{
    const Network *n = x->network;
    g_autofree char *name =
        x->host && plan->width > 90 ? g_strdup_printf("%d: %d nodes", part, count) : g_strdup_printf("%d", part);
    canvas_box(canvas, left, top, plan->width, plan->height, CANVAS_WHITE, CANVAS_SOLID, BORDER);
    canvas_text(canvas, left + 6, top + HEAD / 2., CANVAS_BEGINS, LETTERS_SMALL, CANVAS_INK, name);
    if (!plan->squares) {
        const double all = plan->width - 12;
        canvas_box(canvas, left + 6, top + HEAD, all, 18, HOST, CANVAS_SOLID, -1);
        if (count)
            canvas_box(canvas, left + 6, top + HEAD, MAX(1, all * count / n->part), 18, USED, CANVAS_SOLID, -1);
        return;
    }
    const double inner = plan->square > 4 ? plan->square - 1.5 : plan->square * 0.8;
    for (int i = 0; i < n->part; i++) {
        const int row = i / plan->columns, column = i % plan->columns;
        canvas_box(canvas, left + 6 + column * plan->square, top + HEAD + row * plan->square, inner, inner,
                   used[part * n->part + i] ? USED : HOST, CANVAS_SOLID, -1);
    }
}

// Returns what is said below the boxes: the links.
static char *note_of(const NetworkAnswer *x, int boxes)
{
    const Network *n = x->network;
    GString *note = g_string_new("Links:");
    for (int c = 0; c < n->n_classes; c++) {
        const double per_byte = n->topology.links->per_byte_s[c];
        g_autofree char *rate = per_byte > 0 ? figure_text(PLATFORM_BANDWIDTH, per_byte) : NULL;
        g_string_append_printf(note, "%s %s %" G_GINT64_FORMAT "%s%s", c ? "," : "", n->class[c].name,
                               n->class[c].links, rate ? " of " : "", rate ? rate : "");
    }
    if (boxes < n->hosts / n->part)
        g_string_append_printf(note, ". The first %d of %d %ss are drawn", boxes, n->hosts / n->part, traffic_part(n));
    return g_string_free(note, FALSE);
}

Canvas *network_canvas(const NetworkAnswer *x, const PictureAsk *ask)
{
    const Network *n = x->network;
    const int width = canvas_width(ask, CANVAS_WIDTH);
    const MachinePlan plan = plan_of(n, width);
    Canvas *canvas = canvas_new(width, ask);
    g_autofree char *title = network_title(x), *job = network_job(x), *note = note_of(x, plan.parts),
                    *what = g_strdup_printf("a host; a box is a %s of %d", traffic_part(n), n->part);
    g_autofree bool *used = g_new0(bool, n->hosts);
    g_autofree int *count = network_used(x);
    for (int i = 0; x->host && i < x->nodes; i++)
        used[x->host[i]] = true;
    g_autoptr(GArray) keys = canvas_keys_new();
    canvas_keys_add(keys, g_strdup(what), (CanvasLook){.color = HOST, .pattern = CANVAS_SOLID});
    if (x->host)
        canvas_keys_add(keys, g_strdup("a node of the job"), (CanvasLook){.color = USED, .pattern = CANVAS_SOLID});
    int y = canvas_head(canvas, title, job ? job : "");
    y = canvas_legend(canvas, y, keys) + 8;
    const int rows = (plan.parts + plan.across - 1) / plan.across;
    for (int i = 0; i < plan.parts; i++) {
        const int row = i / plan.across, column = i % plan.across;
        draw_box(canvas, x, &plan, i, CANVAS_EDGE + column * (plan.width + GAP), y + row * (plan.height + GAP), used,
                 count[i]);
    }
    y += (int)(rows * (plan.height + GAP));
    canvas_note(canvas, y, note);
    return canvas;
}
