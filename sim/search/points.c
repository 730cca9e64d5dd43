#include "search/points.h"
#include "base/error.h"
#include "base/nearest.h"
#include "base/units.h"
#include <math.h>
#include <string.h>
#include <time.h>

void point_free(gpointer data)
{
    Point *point = data;
    if (!point)
        return;
    prediction_free(point->prediction);
    counts_free(point->counts);
    g_free(point);
}

// schedule_check looks at what the messages really have.
size_t points_most(const Request *r, size_t p)
{
    return (size_t)ceil(0x1p62 / operation_weight(r->collective, (double)p)) - 1;
}

static gboolean check_size(const Request *r, size_t p, size_t m, GError **error)
{
    g_autofree char *ranks = units_format_size(p), *size = units_format_size(m);
    if (m > points_most(r, p))
        return bad_input(error, "-m %s on %s ranks overflows; allowed: less than 2^62 bytes in all messages", size,
                         ranks);
    if (m % r->elem != 0)
        return bad_input(error, "-m %s is no multiple of --element %" G_GSIZE_FORMAT, size, r->elem);
    return TRUE;
}

static gboolean set_params(const Request *r, Point *x, GError **error)
{
    x->asked = algorithm_defaults(x->algorithm);
    for (char **w = r->params; w && *w; w++) {
        gboolean known;
        if (!param_parse(x->algorithm, *w, &x->asked, &known, error) && known)
            return FALSE;
    }
    x->par = x->asked;
    for (int i = 0; i < algorithm_n_params(x->algorithm); i++) {
        const CollParam *param = &x->algorithm->params[i];
        if (param->cut && param_get(param, &x->par) > x->p - 1)
            param_set(param, &x->par, MAX(x->p - 1, 1));
    }
    return TRUE;
}

gboolean request_counts(Request *r, const char *counts, const char *displs, GError **error)
{
    static const char *const names[] = {"consecutive", "gaps", NULL};
    const char *collective = collectives[r->collective].name;
    int gaps = 0;
    if ((counts || displs) && !collectives[r->collective].counts)
        return bad_input(error, "%s: the blocks of %s are alike", counts ? "--counts" : "--displs", collective);
    if (displs && r->collective == COLL_REDUCE_SCATTER)
        return bad_input(error, "--displs: the blocks of %s touch each other", collective);
    if (displs && !nearest_find("displacements", displs, names, &gaps, error))
        return FALSE;
    r->counts.gaps = gaps;
    r->counts_text = counts;
    return counts_parse(counts, &r->counts, error);
}

char *request_layout(const Request *r)
{
    GString *s = g_string_new(NULL);
    if (r->counts_text)
        g_string_append_printf(s, ", counts %s", r->counts_text);
    if (r->counts.gaps)
        g_string_append(s, ", gaps");
    if (r->per_node)
        g_string_append_printf(s, ", %d rank%s per node", r->per_node, r->per_node == 1 ? "" : "s");
    return g_string_free(s, FALSE);
}

// The i-th algorithm, 0 .. n_algorithms-1, if it is asked for; else NULL.
static const CollAlgorithm *asked(const Request *r, int i)
{
    if (r->only)
        return i == 0 ? r->only : NULL;
    if (r->some)
        return i < (int)r->some->len ? g_ptr_array_index(r->some, i) : NULL;
    const CollAlgorithm *a = algorithms[i];
    return a->collective == r->collective && a->shared == r->model->shared ? a : NULL;
}

// The parameters of all algorithms that are asked for, each once; NULL-terminated, free with g_free.
static const char **param_names(const Request *r)
{
    GPtrArray *names = g_ptr_array_new();
    for (int i = 0; i < n_algorithms; i++)
        for (int k = 0; asked(r, i) && k < algorithm_n_params(asked(r, i)); k++) {
            const char *name = asked(r, i)->params[k].name;
            if (!g_ptr_array_find_with_equal_func(names, name, g_str_equal, NULL))
                g_ptr_array_add(names, (gpointer)(uintptr_t)name);
        }
    g_ptr_array_add(names, NULL);
    return (const char **)(void *)g_ptr_array_free(names, FALSE);
}

// A parameter that none of the algorithms has is a mistake, as is a value that one of them does not allow.
gboolean points_check_params(const Request *r, GError **error)
{
    for (char **w = r->params; w && *w; w++) {
        gboolean any = FALSE;
        for (int i = 0; i < n_algorithms; i++) {
            CollParams par = {0};
            gboolean known = FALSE;
            if (asked(r, i) && !param_parse(asked(r, i), *w, &par, &known, error) && known)
                return FALSE;
            any |= known;
        }
        if (any)
            continue;
        const char *of = collectives[r->collective].name, *name = r->only ? r->only->name : "all";
        g_autofree const char **names = param_names(r);
        g_autofree char *wrong = g_strndup(*w, strcspn(*w, "=")),
                        *kind = g_strdup_printf("parameter of %s %s", of, name);
        return names[0] ? nearest_unknown(kind, wrong, names, error)
                        : bad_input(error, "--param %s: %s %s has no parameters", *w, of, name);
    }
    return TRUE;
}

static gboolean check_number(const Request *r, GError **error)
{
    enum { MAX_POINTS = 10000 };
    double points = 0;
    for (guint i = 0; i < r->ranks->len; i++)
        points += r->sizes->len * (r->root < 0 ? (double)g_array_index(r->ranks, size_t, i) : 1);
    return points <= MAX_POINTS || bad_input(error, "%.0f points asked for; allowed: at most %d", points, MAX_POINTS);
}

const char *request_name(const Request *r)
{
    return r->name ? r->name : collectives[r->collective].name;
}

Operation point_operation(const Request *r, Point *x)
{
    const Coll all = {.p = x->p,
                      .root = x->root,
                      .elem = r->elem,
                      .commutative = true,
                      .per_node = r->per_node,
                      .par = x->par,
                      .counts = x->counts};
    Operation op = {.c = coll_make(r->collective, &all, x->root, x->m, NULL), .m = x->m};
    x->why = NULL;
    op.algorithm = x->ran = coll_resolve(x->algorithm, &op.c, &x->why);
    return op;
}

Point *point_new(const Request *r, const CollAlgorithm *a, int p, size_t m, int root, GError **error)
{
    Point *x = g_new0(Point, 1);
    *x = (Point){.algorithm = a, .p = p, .m = m, .root = root};
    const size_t mean = r->collective == COLL_REDUCE_SCATTER ? m / (size_t)p : m;
    if (!set_params(r, x, error) || !counts_make(&r->counts, p, mean, r->elem, &x->counts, error)) {
        point_free(x);
        return NULL;
    }
    point_operation(r, x);
    return x;
}

static gboolean add_point(const Request *r, GPtrArray *points, const CollAlgorithm *a, int p, size_t m, int root,
                          GError **error)
{
    Point *x = point_new(r, a, p, m, root, error);
    if (!x)
        return FALSE;
    g_ptr_array_add(points, x);
    if (!x->ran && r->only)
        return bad_input(error, "%s %s cannot run on %d ranks: %s", collectives[r->collective].name, a->name, p,
                         x->why);
    return TRUE;
}

GPtrArray *points_make(const Request *r, GError **error)
{
    g_autoptr(GPtrArray) points = g_ptr_array_new_with_free_func(point_free);
    if (!points_check_params(r, error) || !check_number(r, error))
        return NULL;
    for (guint i = 0; i < r->ranks->len; i++)
        for (guint j = 0; j < r->sizes->len; j++) {
            const size_t p = g_array_index(r->ranks, size_t, i), m = g_array_index(r->sizes, size_t, j);
            if (!check_size(r, p, m, error))
                return NULL;
            if (r->root >= (int)p) {
                bad_input(error, "--root %d is no rank of %" G_GSIZE_FORMAT "; allowed: 0 .. p-1, or all", r->root, p);
                return NULL;
            }
            const int first = MAX(r->root, 0), end = r->root < 0 ? (int)p : r->root + 1;
            for (int root = first; root < end; root++)
                for (int k = 0; k < n_algorithms; k++)
                    if (asked(r, k) && !add_point(r, points, asked(r, k), (int)p, m, root, error))
                        return NULL;
        }
    if (points->len == 0) {
        bad_input(error, "no algorithm of %s is for model %s", collectives[r->collective].name, r->model->name);
        return NULL;
    }
    return g_steal_pointer(&points);
}

gboolean point_run(Point *x, const Request *r, GError **error)
{
    const Operation op = point_operation(r, x);
    if (!x->ran)
        return TRUE;
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    g_autoptr(GError) why = NULL;
    x->prediction = r->model->predict(r->model, &op, r->platform, &r->options, &why);
    clock_gettime(CLOCK_MONOTONIC, &end);
    if (!x->prediction && !r->only && g_error_matches(why, COLLSIM_ERROR, COLLSIM_ERROR_TOO_LARGE)) {
        x->ran = NULL; // the other algorithms do run
        x->why = "2^62 bytes or more in all messages";
        return TRUE;
    }
    if (!x->prediction) {
        g_propagate_error(error, g_steal_pointer(&why));
        return FALSE;
    }
    if (r->memory)
        x->memory = memory_of(&op);
    x->time_s = x->prediction->time_s;
    x->wall_s = (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
    return TRUE;
}

char *point_ran(const Point *x)
{
    return x->why && x->ran ? g_strdup_printf("%s (%s)", x->ran->name, x->why) : NULL;
}
