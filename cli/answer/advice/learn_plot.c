// Draws the tree of `learn`: the root on the left, the leaves in rows from the top.
#include "answer/advice/learn_answer.h"
#include "base/distinct.h"
#include "base/error.h"
#include "figure/figure.h"

// Sizes in pixels.
enum { ROW = 26, GAP = 46, MOST_LEAVES = 60 };

typedef struct TreePicture {
    const LearnAnswer *x;
    guint *depth;
    double *y;   // of each node, from the top
    int *column; // by depth: the left end
    int width, rows, top;
    GPtrArray *names;  // of the algorithms that leaves run
    CanvasLook *looks; // .. by their places there, as in all figures
    Canvas *canvas;
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
    t->column[0] = CANVAS_EDGE;
    t->width = CANVAS_WIDTH;
    for (guint d = 0; d <= depth; d++) {
        int wide = 0;
        for (guint i = 0; i < tree->len; i++) {
            g_autofree char *text = t->depth[i] == d ? node_text(t->x, i) : g_strdup("");
            const CartNode *node = cart_node(tree, i);
            const int length = (int)letters_width(text, LETTERS_TEXT) + 6;
            if (t->depth[i] == d && node->feature >= 0)
                wide = MAX(wide, length);
            if (t->depth[i] == d && node->feature < 0) // the number of points follows, and nothing else in the row
                t->width = MAX(t->width, t->column[d] + length + 160 + CANVAS_EDGE);
        }
        t->column[d + 1] = t->column[d] + wide + GAP;
    }
}

// Returns the index of the algorithm that a leaf runs.
static guint algorithm_of(const TreePicture *t, const CartNode *leaf)
{
    return distinct_name(t->names, learn_choice(t->x->data, leaf->choice)->entry->name);
}

static double place_of(const TreePicture *t, guint at)
{
    return t->top + ROW * (t->y[at] + 0.5);
}

static void add_leaf(const TreePicture *t, guint at, int left)
{
    const CartNode *node = cart_node(t->x->learnt->tree, at);
    g_autofree char *name = node_text(t->x, at);
    g_autofree char *text = node->misses ? g_strdup_printf("%s (%u, %u dearer)", name, node->rows, node->misses)
                                         : g_strdup_printf("%s (%u)", name, node->rows);
    canvas_box(t->canvas, left, place_of(t, at) - 6, 12, 12, t->looks[algorithm_of(t, node)].color, CANVAS_SOLID, -1);
    canvas_text(t->canvas, left + 20, place_of(t, at), CANVAS_BEGINS, LETTERS_TEXT, CANVAS_INK, text);
}

// Adds the node's text, and the lines to the nodes below it.
static void add_node(const TreePicture *t, guint at)
{
    const CartNode *node = cart_node(t->x->learnt->tree, at);
    const CanvasLook line = {.color = 0x999999, .width = 1.2};
    const int left = t->column[t->depth[at]];
    const double y = place_of(t, at);
    if (node->feature < 0) {
        add_leaf(t, at, left);
        return;
    }
    g_autofree char *text = node_text(t->x, at);
    const int start = left + (int)letters_width(text, LETTERS_TEXT) + 6, bend = t->column[t->depth[at] + 1] - GAP + 6;
    canvas_text(t->canvas, left, y, CANVAS_BEGINS, LETTERS_TEXT, CANVAS_INK, text);
    canvas_line(t->canvas, &line, start, y, bend, y);
    const guint below[] = {node->yes, node->no};
    for (int i = 0; i < 2; i++) {
        const double to = place_of(t, below[i]);
        canvas_path(t->canvas, &line);
        canvas_to(t->canvas, bend, y);
        canvas_to(t->canvas, bend, to);
        canvas_to(t->canvas, bend + GAP - 10, to);
        canvas_text(t->canvas, bend + 4, to - 10, CANVAS_BEGINS, LETTERS_SMALL, CANVAS_PALE, i == 0 ? "yes" : "no");
    }
}

static char *title_of(const LearnAnswer *x)
{
    const LearnTest *inner = &x->tests->inner, *outer = &x->tests->outer;
    const LearnTest *test = inner->points ? inner : outer;
    return g_strdup_printf("%u questions choose the best at %.0f %% of the points, and cost %.1f %% on a %s not seen",
                           cart_leaves(x->learnt->tree) - 1, 100.0 * x->tests->known.tree.best / x->tests->known.points,
                           100 * (test->tree.mean - 1),
                           x->tests->feature == FEATURE_LATENCY ? "platform" : learn_feature_names[x->tests->feature]);
}

static char *note_of(const LearnAnswer *x)
{
    g_autoptr(GString) machines = g_string_new(NULL);
    for (guint i = 0; i < x->requests->len; i++)
        g_string_append_printf(machines, "%s%s", i ? ", " : "",
                               ((const Request *)x->requests->pdata[i])->machine.platform->name);
    return g_strdup_printf("%s on %s, p %s, m %s; in brackets: points, and at how many of them another is faster",
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
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TreePicture, picture_clear)

Canvas *learn_canvas(const LearnAnswer *x, const PictureAsk *ask, GError **error)
{
    const Cart *tree = x->learnt->tree;
    if (cart_leaves(tree) > MOST_LEAVES) {
        bad_input(error, "--draw: the tree has %u leaves; allowed: %d, with fewer points or a larger --prune",
                  cart_leaves(tree), MOST_LEAVES);
        return NULL;
    }
    g_auto(TreePicture) t = {.x = x,
                             .depth = g_new0(guint, tree->len),
                             .y = g_new0(double, tree->len),
                             .column = g_new0(int, tree->len + 2),
                             .names = g_ptr_array_new()};
    g_autofree char *title = title_of(x), *note = note_of(x);
    for (guint i = 0; i < tree->len; i++)
        if (cart_node(tree, i)->feature < 0)
            algorithm_of(&t, cart_node(tree, i));
    t.looks = figure_winner_looks(t.names);
    set_places(&t, 0);
    set_columns(&t);
    t.canvas = canvas_new(t.width, ask);
    t.top = canvas_head(t.canvas, title, "") + CANVAS_EDGE / 2;
    for (guint i = 0; i < tree->len; i++)
        add_node(&t, i);
    canvas_note(t.canvas, t.top + ROW * t.rows + CANVAS_EDGE / 2, note);
    return t.canvas;
}
