#include "figure.h"
#include "gnuplot.h"
#include <math.h>
#include <string.h>

// Okabe and Ito's colours, safe for the colour-blind. Their yellow does not show on white: a wine red and a grey, apart
// from the rest by their lightness, stand in for it. Each has a point and a dash of its own, so that it reads in grey.
static const struct {
    const char *color;
    int point, dash; // gnuplot's pt and dt
} LOOKS[] = {
    {"#0072B2", 7, 1},  // blue, disc
    {"#D55E00", 5, 1},  // vermillion, square
    {"#009E73", 9, 1},  // green, triangle
    {"#000000", 6, 2},  // black, circle
    {"#E69F00", 13, 4}, // orange, diamond
    {"#56B4E9", 11, 2}, // sky, triangle down
    {"#CC79A7", 4, 5},  // purple, open square
    {"#882255", 12, 4}, // wine, open diamond
    {"#808080", 2, 3},  // grey, cross
};
enum { BLUE, VERMILLION, GREEN, BLACK, ORANGE, SKY, PURPLE, WINE, GREY, N_LOOKS };
G_STATIC_ASSERT(G_N_ELEMENTS(LOOKS) == N_LOOKS);

// The looks that are fixed, one family one colour, so that an algorithm looks the same in every figure. Within one
// collective no two share one. Any other name gets its look from a hash of the name, among those still free.
static const struct {
    const char *name;
    int look;
} FIXED[] = {
    {"recursive_doubling", BLUE},
    {"scatter_rd_allgather", BLUE},
    {"redscat_gather", BLUE},
    {"ring", VERMILLION},
    {"scatter_ring_allgather", VERMILLION},
    {"double_ring", VERMILLION},
    {"rabenseifner", GREEN},
    {"binomial", GREEN},
    {"circulant", GREEN},
    {"sparbit", GREEN},
    {"tree", GREEN},
    {"knomial", BLACK},
    {"k_bruck", BLACK},
    {"linear_sync", BLACK},
    {"binary_blocks", BLACK},
    {"chain", ORANGE},
    {"chain_aggregated", ORANGE},
    {"recursive_halving", ORANGE},
    {"segmented_ring", ORANGE},
    {"neighbor_exchange", ORANGE},
    {"bintree", SKY},
    {"binary", SKY},
    {"bintree_aggregated", SKY},
    {"pairwise", SKY},
    {"reduce_bcast_binomial", SKY},
    {"split_bintree", PURPLE},
    {"in_order_binary", PURPLE},
    {"bruck", PURPLE},
    {"dissemination", PURPLE},
    {"pipeline", WINE},
    {"chain_blockwise", WINE},
    {"linear", GREY},
    {"direct", GREY},
};

// Sizes in pixels of what surrounds a panel's plot; the script's letters are 16 high, its titles 17.
enum {
    LEFT = 92,
    TOP = 88, // two lines of title and the word "time"
    BOTTOM = 66,
    NOTE = 28,
    NAMES_GAP = 56, // from the plot to the names: room for leaders and points
    LETTER = 10,
    NAME_ROW = 22,
    TITLE_LETTER = 11
};

static int fixed_look(const char *algorithm)
{
    for (size_t i = 0; i < G_N_ELEMENTS(FIXED); i++)
        if (!strcmp(FIXED[i].name, algorithm))
            return FIXED[i].look;
    return -1;
}

static int by_name(gconstpointer a, gconstpointer b)
{
    const FigureLine *const one = *(FigureLine *const *)a, *const two = *(FigureLine *const *)b;
    const gboolean known_one = fixed_look(one->algorithm) >= 0, known_two = fixed_look(two->algorithm) >= 0;
    return known_one != known_two ? known_two - known_one : strcmp(one->algorithm, two->algorithm);
}

// The look of each line of a panel, as index into LOOKS, plus N_LOOKS for each time that all were taken. Lines of one
// algorithm share it. Those with a fixed look come first, then the others by name: the file's order plays no part.
static GHashTable *choose_looks(const FigurePanel *panel)
{
    GHashTable *const looks = g_hash_table_new(g_str_hash, g_str_equal);
    guint taken[N_LOOKS] = {0};
    g_autoptr(GPtrArray) lines = g_ptr_array_new(); // borrows them, as a copy would not
    g_ptr_array_extend(lines, panel->lines, NULL, NULL);
    g_ptr_array_sort(lines, by_name);
    for (guint i = 0; i < lines->len; i++) {
        const char *const name = ((FigureLine *)lines->pdata[i])->algorithm;
        if (g_hash_table_contains(looks, name))
            continue;
        const int fixed = fixed_look(name);
        guint look = fixed >= 0 ? (guint)fixed : g_str_hash(name) % N_LOOKS;
        guint fewest = taken[look];
        for (guint k = 0; k < N_LOOKS; k++)
            fewest = MIN(fewest, taken[k]);
        while (taken[look] > fewest)
            look = (look + 1) % N_LOOKS;
        g_hash_table_insert(looks, (char *)name, GUINT_TO_POINTER(look + N_LOOKS * taken[look]++));
    }
    return looks;
}

// Where the names beside a plot stand, as shares of its height: as near to the ends of their lines as `gap` between
// neighbours allows. Lines come highest first; neighbours that collide form a block around their mean.
static void place_names(const Figure *figure, const FigurePanel *panel, double gap, double *place)
{
    const double low = log(figure->time_min), span = log(figure->time_max) - low;
    const guint n = panel->lines->len;
    g_autofree double *mean = g_new(double, n);
    g_autofree guint *size = g_new(guint, n);
    guint blocks = 0;
    for (guint i = 0; i < n; i++) {
        const FigureLine *const line = panel->lines->pdata[i];
        mean[blocks] = (log(line->last.time_s) - low) / span + i * gap;
        size[blocks++] = 1;
        while (blocks > 1 && mean[blocks - 1] > mean[blocks - 2]) {
            const guint a = size[blocks - 2], b = size[blocks - 1];
            mean[blocks - 2] = (mean[blocks - 2] * a + mean[blocks - 1] * b) / (a + b);
            size[blocks - 2] = a + b;
            blocks--;
        }
    }
    for (guint block = 0, i = 0; block < blocks; block++)
        for (guint k = 0; k < size[block]; k++, i++)
            place[i] = mean[block] - i * gap;
    for (guint i = 0; i < n; i++) // not above the plot ...
        place[i] = MIN(place[i], 1 - i * gap);
    for (guint i = n; i-- > 0;) // ... nor below it
        place[i] = MAX(place[i], (n - 1 - i) * gap);
}

static void set_text(GString *setup, const char *name, guint index, const char *text)
{
    g_autofree char *quoted = gnuplot_quote(text);
    g_string_append_printf(setup, "%s_%u = %s; ", name, index, quoted);
}

static void set_number(GString *setup, const char *name, double value)
{
    char buffer[G_ASCII_DTOSTR_BUF_SIZE];
    // A point, so that gnuplot never divides as integers do.
    g_string_append_printf(setup, "%s = %s + 0.0; ", name, g_ascii_dtostr(buffer, sizeof buffer, value));
}

// The variables of one panel's lines, numbered from `first`.
static void set_lines(const Figure *figure, const FigurePanel *panel, guint first, double gap, GString *setup)
{
    g_autoptr(GHashTable) looks = choose_looks(panel);
    g_autofree double *place = g_new(double, panel->lines->len);
    place_names(figure, panel, gap, place);
    for (guint i = 0; i < panel->lines->len; i++) {
        const FigureLine *const line = panel->lines->pdata[i];
        const guint look = GPOINTER_TO_UINT(g_hash_table_lookup(looks, line->algorithm));
        // Of lines that share a colour the second is hollow, and each has its own dash.
        const int again = (int)(look / N_LOOKS + line->variant);
        const int base = LOOKS[look % N_LOOKS].point, hollow = base < 4 ? 3 : base ^ 1;
        const int point = again % 2 ? hollow : base, dash = (LOOKS[look % N_LOOKS].dash - 1 + again) % 5 + 1;
        set_text(setup, "name", first + i, line->label);
        set_text(setup, "color", first + i, LOOKS[look % N_LOOKS].color);
        g_string_append_printf(setup, "dash_%u = %d; point_%u = %d; ", first + i, dash, first + i, point);
        g_string_append_printf(setup, "end_x_%u = %zu.; ", first + i, line->last.x);
        g_autofree char *end = g_strdup_printf("end_y_%u", first + i), *at = g_strdup_printf("place_%u", first + i);
        set_number(setup, end, line->last.time_s);
        set_number(setup, at, place[i]);
    }
}

static guint longest_name(const FigurePanel *panel)
{
    glong longest = 0;
    for (guint i = 0; i < panel->lines->len; i++)
        longest = MAX(longest, g_utf8_strlen(((FigureLine *)panel->lines->pdata[i])->label, -1));
    return (guint)longest;
}

// The figure with the time's range widened: a little air around the data, and no less than a factor of 4, so that noise
// does not look like a slope and the axis has labels. All panels share the ranges.
static Figure widened(const Figure *figure)
{
    Figure wide = *figure;
    const double ratio = figure->time_max / figure->time_min;
    const double air = ratio < 3 ? sqrt(4 / ratio) : pow(ratio, 0.04);
    wide.time_min /= air;
    wide.time_max *= air;
    return wide;
}

// The ranges of the axes and the edges that all panels share. `wide` is the figure with air around its times.
static void set_frame(const Figure *wide, int height, double bottom, double plot_height, GString *setup)
{
    const double air = wide->x_min == wide->x_max ? 2 : pow((double)wide->x_max / (double)wide->x_min, 0.02);
    set_text(setup, "axis", 0, wide->x == FIGURE_X_SIZE ? "size (bytes)" : "ranks");
    set_number(setup, "x_min", (double)wide->x_min / air);
    set_number(setup, "x_max", (double)wide->x_max * air);
    set_number(setup, "x_last", (double)wide->x_max);
    set_number(setup, "y_min", wide->time_min);
    set_number(setup, "y_max", wide->time_max);
    set_number(setup, "bottom", bottom / height);
    set_number(setup, "top", (bottom + plot_height) / height);
}

// The title of panel k, its edges and the numbers of its lines.
static void set_panel(const Figure *figure, guint k, const char *title, int panel_width, guint first, GString *setup)
{
    const guint panels = figure->panels->len;
    const FigurePanel *const panel = figure->panels->pdata[k];
    g_auto(GStrv) lines = g_strsplit(title, "\n", 2);
    set_text(setup, "title", k + 1, lines[0] ? lines[0] : "");
    set_text(setup, "second", k + 1, lines[0] && lines[1] ? lines[1] : "");
    const double names = NAMES_GAP + LETTER * (double)longest_name(panel);
    g_autofree char *left = g_strdup_printf("left_%u", k + 1), *right = g_strdup_printf("right_%u", k + 1);
    set_number(setup, left, (k + (double)LEFT / panel_width) / panels);
    set_number(setup, right, (k + 1 - names / panel_width) / panels);
    g_string_append_printf(setup, "first_%u = %u; last_%u = %u; ", k + 1, first, k + 1, first + panel->lines->len - 1);
}

char *figure_setup(const Figure *figure, const char *format, const char *title, int columns, int rows)
{
    const guint panels = figure->panels->len;
    const gboolean dumb = !strcmp(format, "dumb");
    g_autofree char *note = figure_note(figure);
    guint most = 0;
    for (guint k = 0; k < panels; k++)
        most = MAX(most, ((FigurePanel *)figure->panels->pdata[k])->lines->len);
    const int bottom = BOTTOM + (*note ? NOTE : 0), names_height = TOP + bottom + NAME_ROW * (int)most;
    const int width = dumb ? columns : panels == 1 ? 900 : 750 * (int)panels;
    const int height = dumb ? rows - (*note ? 1 : 0) : MAX(panels == 1 ? 560 : 600, names_height);
    const int panel_width = dumb ? width : width / (int)panels, plot_height = height - bottom - TOP;
    const size_t title_letters = (size_t)(dumb ? width - 2 : (panel_width - 24) / TITLE_LETTER);
    const Figure wide = widened(figure);
    GString *const setup = g_string_new(NULL);
    g_string_append_printf(setup, "format = '%s'; width = %d; height = %d; panels = %u; ", format, width, height,
                           panels);
    set_text(setup, "note", 0, note);
    set_frame(&wide, height, bottom, plot_height, setup);
    for (guint k = 0, first = 1; k < panels; k++) {
        const FigurePanel *const panel = figure->panels->pdata[k];
        g_autofree char *text = title ? figure_wrap(title, title_letters) : figure_title(figure, panel, title_letters);
        set_panel(figure, k, text, panel_width, first, setup);
        set_lines(&wide, panel, first, dumb ? 0 : (double)NAME_ROW / plot_height, setup);
        first += panel->lines->len;
    }
    return g_string_free(setup, FALSE);
}

GString *figure_data(const Figure *figure)
{
    GString *const data = g_string_new(NULL);
    char buffer[G_ASCII_DTOSTR_BUF_SIZE];
    for (guint k = 0; k < figure->panels->len; k++) {
        const FigurePanel *const panel = figure->panels->pdata[k];
        for (guint l = 0; l < panel->lines->len; l++) {
            const GArray *const points = ((FigureLine *)panel->lines->pdata[l])->points;
            gboolean open = FALSE; // a blank line breaks a curve; two would end the block
            for (guint i = 0; i < points->len; i++) {
                const FigurePoint *const point = &g_array_index(points, FigurePoint, i);
                if (!point->hole)
                    g_string_append_printf(data, "%zu %s\n", point->x,
                                           g_ascii_dtostr(buffer, sizeof buffer, point->time_s));
                else if (open)
                    g_string_append_c(data, '\n');
                open = !point->hole;
            }
            g_string_append(data, open ? "\n\n" : "\n");
        }
    }
    return data;
}
