#include "search/search/left_out.h"
#include <math.h>
#include <string.h>

// ---- The points -----------------------------------------------------------------------------------------------------

// A place, as Point has it.
typedef struct LeftOutPlace {
    const Request *r;
    int p, per_node;
    size_t m;
} LeftOutPlace;

static void add_point(GPtrArray *points, const LeftOutPlace *x, const CollAlgorithm *a, const char *why)
{
    Point *point = g_new0(Point, 1);
    point->algorithm = a;
    point->par = point->asked = algorithm_defaults(a);
    point->p = x->p;
    point->per_node = x->per_node;
    point->m = x->m;
    point->root = x->r->question.root;
    point->why = why;
    point->time_s = NAN;
    g_ptr_array_add(points, point);
}

// Returns why an algorithm that a request may run has no time; NULL if it has one, or if that is not known.
static const char *reason(const LeftOutSearch *s)
{
    return s->ranked ? NULL : s->refused ? points_refusal(s->refused) : s->ran ? "its ranks wait for ever" : NULL;
}

static gboolean add_registry(GPtrArray *points, const LeftOutPlace *x, const LeftOutSearch *search, GError **error)
{
    const Request *r = x->r;
    for (int i = 0; i < n_algorithms; i++) {
        const CollAlgorithm *a = algorithms[i];
        if (!tries_has(r, a))
            continue;
        const char *why = reason(&search[i]);
        Point *point = why || search[i].seen ? NULL : point_new(r, a, x->p, x->per_node, x->m, error);
        if (!why && !search[i].seen && !point)
            return FALSE;
        if (why || (point && point->why))
            add_point(points, x, a, why ? why : point->why);
        point_free(point);
    }
    return TRUE;
}

// Adds what a library cannot be told to run here, if its messages are known.
static void add_library(GPtrArray *points, const LeftOutPlace *x, const LeftOutSearch *search)
{
    const Request *r = x->r;
    const DecideCall call = request_call(r, x->p, x->per_node, x->m, NULL);
    for (guint i = 0; i < r->library.only->algorithms->len; i++) {
        const LibraryAlgorithm *told = &g_array_index(r->library.only->algorithms, LibraryAlgorithm, i);
        CollParams par;
        const CollAlgorithm *a =
            told->collective == r->question.collective ? decide_entry(r->library.only, told, &par) : NULL;
        if (!a || a->shared != r->machine.model->shared || search[algorithm_number(a)].ranked)
            continue;
        const char *unmet = tries_cannot_tell(r, told, &call),
                   *why = unmet ? unmet : reason(&search[algorithm_number(a)]);
        if (why)
            add_point(points, x, a, why);
    }
}

GPtrArray *left_out_points(const Request *r, int p, int per_node, size_t m, const LeftOutSearch *search, GError **error)
{
    g_autoptr(GPtrArray) points = g_ptr_array_new_with_free_func(point_free);
    const LeftOutPlace x = {r, p, per_node, m};
    if (r->library.only)
        add_library(points, &x, search);
    else if (!add_registry(points, &x, search, error))
        return NULL;
    return g_steal_pointer(&points);
}

// ---- The text -------------------------------------------------------------------------------------------------------

typedef struct LeftOutEntry {
    char *name, *why;
    guint n; // places
} LeftOutEntry;

struct LeftOut {
    GArray *entries; // of LeftOutEntry, each name and reason once, in the order in which they came
};

static void entry_clear(gpointer data)
{
    LeftOutEntry *e = data;
    g_free(e->name);
    g_free(e->why);
}

LeftOut *left_out_new(void)
{
    LeftOut *x = g_new(LeftOut, 1);
    x->entries = g_array_new(FALSE, FALSE, sizeof(LeftOutEntry));
    g_array_set_clear_func(x->entries, entry_clear);
    return x;
}

void left_out_add(LeftOut *x, const char *name, const char *why)
{
    for (guint i = 0; i < x->entries->len; i++) {
        LeftOutEntry *e = &g_array_index(x->entries, LeftOutEntry, i);
        if (strcmp(e->name, name) == 0 && strcmp(e->why, why) == 0) {
            e->n++;
            return;
        }
    }
    const LeftOutEntry e = {g_strdup(name), g_strdup(why), 1};
    g_array_append_val(x->entries, e);
}

void left_out_add_points(LeftOut *x, const GPtrArray *points)
{
    for (guint i = 0; i < points->len; i++) {
        const Point *point = points->pdata[i];
        left_out_add(x, point->algorithm->name, point->why);
    }
}

char *left_out_end(LeftOut *x, guint places)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < x->entries->len; i++) {
        const LeftOutEntry *first = &g_array_index(x->entries, LeftOutEntry, i);
        const guint n = first->n;
        if (n == 0) // named already
            continue;
        g_string_append_printf(text, "%s%s", text->len ? "; " : "", first->name);
        for (guint k = i + 1; k < x->entries->len; k++) {
            LeftOutEntry *other = &g_array_index(x->entries, LeftOutEntry, k);
            if (other->n != n || strcmp(other->why, first->why) != 0)
                continue;
            g_string_append_printf(text, ", %s", other->name);
            other->n = 0;
        }
        g_string_append_printf(text, " (%s)", first->why);
        if (n < places)
            g_string_append_printf(text, " at %u of %u points", n, places);
    }
    g_array_unref(x->entries);
    g_free(x);
    return g_string_free(text, text->len == 0);
}
