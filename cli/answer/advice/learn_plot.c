// Draws the tree of `learn` with plots/tree.gp: the root on the left, the leaves in rows from the top.
#include "answer/advice/learn_answer.h"
#include "base/error.h"
#include "base/escape.h"
#include "figure/figure.h"
#include "out/gnuplot.h"
#include "out/letters.h"
#include "out/picture.h"
#include <string.h>

// Sizes in pixels; the script's letters are 16 pixels high.
enum { ROW = 26, TOP = 70, BOTTOM = 50, LEFT = 20, GAP = 46, MOST_LEAVES = 60, LEAST_WIDTH = 900 };

typedef struct TreePicture {
    const LearnAnswer *x;
    guint *depth;
    double *y;   // of each node, from the top
    int *column; // by depth: the left end
    int width, height, rows;
    GPtrArray *names;                         // of the algorithms that leaves run
    FigureLook *looks;                        // .. by their places there
    GString *lines, *marks, *texts, *answers; // the blocks of the script's data
} TreePicture;

static char *node_text(const LearnAnswer *x, guint at)
{
    const CartNode *node = cart_node(x->learnt->tree, at);
    return node->feature >= 0 ? learn_question(x, node) : learn_leaf_text(x, at);
}

// Sets the heights of a node and those below it: leaves have rows of their own, and a question is between its answers.
static void set_places(TreePicture *t, guint at)
{
    const CartNode *node = cart_node(t->x->learnt->tree, at);
    t->depth[at] = at ? t->depth[node->above] + 1 : 0;
    if (node->feature < 0) {
        t->y[at] = t->rows++;
        return;
    }
    set_places(t, node->yes);
    set_places(t, node->no);
    t->y[at] = (t->y[node->yes] + t->y[node->no]) / 2;
}

static void set_columns(TreePicture *t)
{
    const Cart *tree = t->x->learnt->tree;
    const guint depth = cart_depth(tree);
    t->column[0] = LEFT;
    t->width = LEAST_WIDTH;
    for (guint d = 0; d <= depth; d++) {
        int wide = 0;
        for (guint i = 0; i < tree->len; i++) {
            g_autofree char *text = t->depth[i] == d ? node_text(t->x, i) : g_strdup("");
            const CartNode *node = cart_node(tree, i);
            const int length = (int)letters_width(text, LETTERS_TEXT) + 6;
            if (t->depth[i] == d && node->feature >= 0)
                wide = MAX(wide, length);
            if (t->depth[i] == d && node->feature < 0) // the number of points follows, and nothing else in the row
                t->width = MAX(t->width, t->column[d] + length + 160 + LEFT);
        }
        t->column[d + 1] = t->column[d] + wide + GAP;
    }
}

// Returns the looks of the algorithms that leaves run, as they are in all figures; *names has the algorithms. Free with
// g_free.
static FigureLook *looks_of(const LearnAnswer *x, GPtrArray *names)
{
    for (guint i = 0; i < x->learnt->tree->len; i++) {
        const char *name = learn_choice(x->data, x->learnt->choice[i])->entry->name;
        if (cart_node(x->learnt->tree, i)->feature < 0 &&
            !g_ptr_array_find_with_equal_func(names, name, g_str_equal, NULL))
            g_ptr_array_add(names, (gpointer)(uintptr_t)name);
    }
    return figure_winner_looks((const char *const *)names->pdata, names->len);
}

static void add_text(const TreePicture *t, int x, double y, const char *text, gboolean pale)
{
    g_autofree char *quoted = escape_gnuplot_data(text);
    g_string_append_printf(pale ? t->answers : t->texts, "%d %.1f %s\n", x, y, quoted);
}

static void add_leaf(const TreePicture *t, guint at, int left, double y)
{
    const CartNode *node = cart_node(t->x->learnt->tree, at);
    const LearnChoice *c = learn_choice(t->x->data, t->x->learnt->choice[at]);
    g_autofree char *name = node_text(t->x, at);
    g_autofree char *text = node->errors ? g_strdup_printf("%s (%u, %u else)", name, node->rows, node->errors)
                                         : g_strdup_printf("%s (%u)", name, node->rows);
    guint look = 0;
    g_ptr_array_find_with_equal_func(t->names, c->entry->name, g_str_equal, &look);
    g_string_append_printf(t->marks, "%d %.1f 0x%s\n", left + 6, y, t->looks[look].color + 1);
    add_text(t, left + 20, y, text, FALSE);
}

static void add_line(const TreePicture *t, int x, double y, int dx, double dy)
{
    g_string_append_printf(t->lines, "%d %.1f %d %.1f\n", x, y, dx, dy);
}

// Adds the node's text, and the lines to the nodes below it.
static void add_node(const TreePicture *t, guint at)
{
    const CartNode *node = cart_node(t->x->learnt->tree, at);
    const int left = t->column[t->depth[at]];
    const double y = t->height - TOP - ROW * (t->y[at] + 0.5);
    if (node->feature < 0) {
        add_leaf(t, at, left, y);
        return;
    }
    g_autofree char *text = node_text(t->x, at);
    const int start = left + (int)letters_width(text, LETTERS_TEXT) + 6, bend = t->column[t->depth[at] + 1] - GAP + 6;
    add_text(t, left, y, text, FALSE);
    add_line(t, start, y, bend - start, 0);
    const guint below[] = {node->yes, node->no};
    for (int i = 0; i < 2; i++) {
        const double to = t->height - TOP - ROW * (t->y[below[i]] + 0.5);
        add_line(t, bend, y, 0, to - y);
        add_line(t, bend, to, GAP - 10, 0);
        add_text(t, bend + 4, to + 10, i == 0 ? "yes" : "no", TRUE);
    }
}

static char *title_of(const LearnAnswer *x)
{
    const LearnTest *inner = &x->tests->inner, *outer = &x->tests->outer;
    const LearnTest *test = inner->points ? inner : outer;
    return g_strdup_printf("%u questions choose the best at %.0f %% of the points, and cost %.1f %% on a %s not seen",
                           cart_leaves(x->learnt->tree) - 1, 100.0 * x->tests->known.hits / x->tests->known.points,
                           100 * (test->tree.mean - 1),
                           x->tests->feature == FEATURE_LATENCY ? "platform" : learn_feature_names[x->tests->feature]);
}

static char *note_of(const LearnAnswer *x)
{
    g_autoptr(GString) machines = g_string_new(NULL);
    for (guint i = 0; i < x->requests->len; i++)
        g_string_append_printf(machines, "%s%s", i ? ", " : "",
                               ((const Request *)x->requests->pdata[i])->machine.platform->name);
    return g_strdup_printf("%s on %s, p %s, m %s; in brackets: points, and how many of them have another best id",
                           ((const Request *)x->requests->pdata[0])->library.only->library->title, machines->str,
                           x->ranks, x->sizes);
}

static void picture_clear(TreePicture *t)
{
    g_free(t->depth);
    g_free(t->y);
    g_free(t->column);
    g_free(t->looks);
    g_ptr_array_unref(t->names);
    GString *const parts[] = {t->lines, t->marks, t->texts, t->answers};
    for (size_t i = 0; i < G_N_ELEMENTS(parts); i++)
        g_string_free(parts[i], TRUE);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TreePicture, picture_clear)

gboolean learn_draw(const LearnAnswer *x, const char *format, FILE *to, GError **error)
{
    const Cart *tree = x->learnt->tree;
    if (cart_leaves(tree) > MOST_LEAVES)
        return bad_input(error, "--draw: the tree has %u leaves; allowed: %d, with fewer points or a larger --prune",
                         cart_leaves(tree), MOST_LEAVES);
    g_auto(TreePicture) t = {.x = x,
                             .depth = g_new0(guint, tree->len),
                             .y = g_new0(double, tree->len),
                             .column = g_new0(int, tree->len + 2),
                             .names = g_ptr_array_new(),
                             .lines = g_string_new(NULL),
                             .marks = g_string_new(NULL),
                             .texts = g_string_new(NULL),
                             .answers = g_string_new(NULL)};
    t.looks = looks_of(x, t.names);
    set_places(&t, 0);
    set_columns(&t);
    t.height = TOP + ROW * t.rows + BOTTOM;
    for (guint i = 0; i < tree->len; i++)
        add_node(&t, i);
    g_autoptr(GString) data = g_string_new(NULL), setup = g_string_new(NULL);
    g_string_append_printf(data, "%s\n\n%s\n\n%s\n\n%s", cart_leaves(tree) > 1 ? t.lines->str : "0 0 0 0\n",
                           t.marks->str, t.texts->str, cart_leaves(tree) > 1 ? t.answers->str : "0 -100 \"\"\n");
    g_autofree char *title = title_of(x), *note = note_of(x);
    t.width = MAX(t.width, (int)letters_width(title, LETTERS_TITLE) + 1 + 2 * LEFT);
    t.width = MAX(t.width, (int)letters_width(note, LETTERS_TEXT) + 1 + 2 * LEFT);
    g_string_append_printf(setup, "format = '%s'; ", format);
    gnuplot_number(setup, "width", t.width);
    gnuplot_number(setup, "height", t.height);
    gnuplot_text(setup, "title", 0, title);
    gnuplot_text(setup, "note", 0, note);
    return picture_write("tree.gp", setup->str, data, format, title, to, error);
}
