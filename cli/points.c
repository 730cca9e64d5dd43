#include "points.h"
#include "error.h"
#include "units.h"
#include <time.h>

static void point_free(gpointer data)
{
    Point *point = data;
    prediction_free(point->prediction);
    g_clear_error(&point->error);
    g_free(point);
}

// The bytes of all messages stay below 2^63 for every algorithm: none sends more than p times what all ranks end up with.
static gboolean check_size(const Request *r, size_t p, size_t m, GError **error)
{
    g_autofree char *ranks = units_format_size(p), *size = units_format_size(m);
    const gboolean block =
        r->collective == COLL_ALLGATHER || r->collective == COLL_GATHER || r->collective == COLL_SCATTER;
    const double bytes = (double)m * (double)p * (block ? (double)p : 64);
    if (bytes >= 0x1p62)
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
    for (int i = 0; i < count_params(x->algorithm); i++) {
        const CollParam *param = &x->algorithm->params[i];
        if (param->cut && param_get(param, &x->par) > x->p - 1)
            param_set(param, &x->par, MAX(x->p - 1, 1));
    }
    return TRUE;
}

// A parameter that none of the algorithms has is a mistake.
static gboolean check_params(const Request *r, GError **error)
{
    for (char **w = r->params; w && *w; w++) {
        gboolean any = FALSE;
        for (int i = 0; i < n_algorithms && !any; i++) {
            CollParams par = {0};
            const CollAlgorithm *a = algorithms[i];
            if (r->only ? a != r->only : a->collective != r->collective)
                continue;
            g_autoptr(GError) wrong = NULL;
            gboolean known;
            if (!param_parse(a, *w, &par, &known, &wrong) && known) {
                g_propagate_error(error, g_steal_pointer(&wrong));
                return FALSE;
            }
            any = known;
        }
        if (!any)
            return bad_input(error, "--param %s: %s %s has no such parameter; see collsim list %s", *w,
                             collectives[r->collective].name, r->only ? r->only->name : "as a whole",
                             collectives[r->collective].name);
    }
    return TRUE;
}

static Operation operation(const Request *r, Point *x)
{
    Operation op = {.c = coll_make(r->collective, x->p, x->root, x->root, x->m, r->elem, NULL), .m = x->m};
    op.c.par = x->par;
    op.algorithm = x->ran = coll_resolve(x->algorithm, &op.c, &x->why);
    return op;
}

static gboolean add_point(const Request *r, GPtrArray *points, const CollAlgorithm *a, int p, size_t m, int root,
                          GError **error)
{
    Point *x = g_new0(Point, 1);
    g_ptr_array_add(points, x);
    *x = (Point){.algorithm = a, .p = p, .m = m, .root = root};
    if (!set_params(r, x, error))
        return FALSE;
    operation(r, x);
    if (!x->ran && r->only)
        return bad_input(error, "%s %s cannot run on %d ranks: %s", collectives[r->collective].name, a->name, p,
                         x->why);
    return TRUE;
}

GPtrArray *points_make(const Request *r, GError **error)
{
    g_autoptr(GPtrArray) points = g_ptr_array_new_with_free_func(point_free);
    if (!check_params(r, error))
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
                    if (r->only ? algorithms[k] == r->only : algorithms[k]->collective == r->collective)
                        if (!add_point(r, points, algorithms[k], (int)p, m, root, error))
                            return NULL;
        }
    return g_steal_pointer(&points);
}

gboolean point_run(Point *x, const Request *r, GError **error)
{
    const Operation op = operation(r, x);
    if (!x->ran)
        return TRUE;
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    x->prediction = r->model->predict(r->model, &op, r->platform, &r->options, error);
    clock_gettime(CLOCK_MONOTONIC, &end);
    x->wall_s = (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
    return x->prediction != NULL;
}

char *point_ran(const Point *x)
{
    return x->why && x->ran ? g_strdup_printf("%s (%s)", x->ran->name, x->why) : NULL;
}
