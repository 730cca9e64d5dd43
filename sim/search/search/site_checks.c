#include "search/search/site_checks.h"
#include "base/number.h"
#include "base/units.h"
#include "coll.h"
#include "libraries/decide/library.h"
#include "measurements/calibrate/fit.h"
#include "search/search/measurement_rows.h"
#include "search/search/points.h"
#include <math.h>
#include <string.h>

enum {
    MOST_RANKS = 4096,     // of a table that is predicted
    MOST_SIZES = 6,        // of a table
    MOST_BYTES = 16 << 20, // of a size; longer vectors are cut into many segments
    TREE_MESSAGES = 64     // of a rank, about, where it does not send to all
};
#define MOST_MESSAGES 4e6 // in all sizes of a table

static void check_clear(gpointer data)
{
    SiteCheck *const check = data;
    g_free(check->library);
    g_free(check->decided);
    g_free(check->missing);
}

// Returns the library whose tables decide as the one of this name; NULL if none is known to.
static const Library *library_of(const char *mpi)
{
    static const struct {
        const char *name;
        int major, minor; // from this version on
        LibraryId id;
    } known[] = {{"Open MPI ", 5, 0, LIBRARY_OMPI_5},
                 {"Open MPI ", 4, 1, LIBRARY_OMPI_41}, // 4.0 has other decisions
                 {"MPICH ", 4, 1, LIBRARY_MPICH_43},
                 {"MPICH ", 4, 0, LIBRARY_MPICH_40}};
    for (guint i = 0; mpi && i < G_N_ELEMENTS(known); i++) {
        if (!g_str_has_prefix(mpi, known[i].name))
            continue;
        g_auto(GStrv) parts = g_strsplit(mpi + strlen(known[i].name), ".", 3);
        int major, minor = 0;
        if (!parts[0] || !number_int(parts[0], 0, 1 << 20, &major))
            continue;
        if (parts[1])
            number_int(parts[1], 0, 1 << 20, &minor);
        if (major > known[i].major || (major == known[i].major && minor >= known[i].minor))
            return &libraries[known[i].id];
    }
    return NULL;
}

// ---- Benchmarks of messages -----------------------------------------------------------------------------------------

enum { TIMES = 16 }; // a benchmark repeats its step, so that ranks no longer begin it together

// Rank i plays ping-pong with rank i + p/2.
static void run_pingpongs(const Coll *c)
{
    const int half = c->p / 2, peer = c->rank < half ? c->rank + half : c->rank - half;
    for (int i = 0; i < 2 * TIMES; i++)
        if ((i % 2 == 0) == (c->rank < half))
            coll_send(c, peer, c->out);
        else
            coll_recv(c, peer, c->out);
}

static void run_sendrecvs(const Coll *c)
{
    for (int i = 0; i < TIMES; i++)
        coll_sendrecv(c, (c->rank + 1) % c->p, c->out, (c->rank + c->p - 1) % c->p, c->out);
}

static void run_exchanges(const Coll *c)
{
    const int peers[] = {(c->rank + c->p - 1) % c->p, (c->rank + 1) % c->p};
    for (int i = 0; i < TIMES; i++) {
        for (int k = 0; k < 2; k++)
            coll_irecv(c, peers[1 - k], c->out);
        for (int k = 0; k < 2; k++)
            coll_isend(c, peers[k], c->out);
        coll_waitall(c, 0);
    }
}

static const struct {
    LogSampleKind kind;
    int steps; // in a run; the benchmark gives the time of one
    CollAlgorithm algorithm;
} patterns[] = {
    {LOG_MANY_WAYS, 2 * TIMES, {.collective = COLL_BCAST, .name = "ping-pongs at a time", .run = run_pingpongs}},
    {LOG_SENDRECV, TIMES, {.collective = COLL_BCAST, .name = "sendrecvs in a ring", .run = run_sendrecvs}},
    {LOG_EXCHANGE, TIMES, {.collective = COLL_BCAST, .name = "exchanges with both neighbours", .run = run_exchanges}},
};

// ---- Predictions ----------------------------------------------------------------------------------------------------

// Returns how many ranks a table had; 0 if nothing says it.
static int ranks_of(const SiteTable *t)
{
    return t->first->p ? t->first->p : t->launch.ranks;
}

// Returns the step between the rows of a table that are predicted, so that they are not too many, and the first of them.
static double step_of(const SiteTable *t, guint *first, guint *n)
{
    const Collective collective = t->first->collective;
    const gboolean all = collective == COLL_ALLTOALL || collective == COLL_ALLTOALLV || collective == COLL_ALLGATHER ||
                         collective == COLL_ALLGATHERV;
    const double messages = (double)ranks_of(t) * (all ? ranks_of(t) : TREE_MESSAGES);
    *n = MIN(t->n, (guint)CLAMP(MOST_MESSAGES / messages, 1, MOST_SIZES));
    *first = *n > 1 ? 0 : t->n / 2;
    return *n > 1 ? (double)(t->n - 1) / (*n - 1) : 0;
}

// Adds what ran in a row, unless the row before ran the same: "modified_bruck, from 1K linear_sync".
static void add_runs(GString *runs, GString *last, size_t bytes, const char *text)
{
    if (strcmp(last->str, text) == 0)
        return;
    g_autofree char *size = units_format_size(bytes);
    if (runs->len)
        g_string_append_printf(runs, ", from %s ", size);
    g_string_append(runs, text);
    g_string_assign(last, text);
}

// Predicts a row. Sets *off to predicted / measured - 1, NAN if it is not known what ran, and *decided to what the library
// ran, whose times go to `spreads`.
static gboolean predict_row(const SiteTable *t, LogSample s, const Library *library, Platform *platform,
                            GArray *spreads, double *off, char **decided, GError **error)
{
    Request r;
    g_autoptr(GPtrArray) points = NULL;
    g_autofree char *name = library ? g_strdup_printf("%s:auto", library->name) : NULL;
    const CollAlgorithm *a = NULL;
    int steps = 1;
    s.p = ranks_of(t);
    s.per_node = t->launch.per_node;
    for (guint i = 0; i < G_N_ELEMENTS(patterns); i++)
        if (patterns[i].kind == s.kind) {
            a = &patterns[i].algorithm;
            steps = patterns[i].steps;
        }
    gboolean good = measurement_request(&s, platform, &measured_model, &r, error);
    if (good && !a)
        a = request_named(&r, name, error);
    if (good && a && !r.question.named) {
        r.question.named = g_ptr_array_new();
        g_ptr_array_add(r.question.named, (gpointer)(uintptr_t)a);
    }
    points = good && a ? points_make(&r, error) : NULL;
    Point *const point = points ? g_ptr_array_index(points, 0) : NULL;
    good = point && point_run(point, &r, error);
    if (good && point_timed(point)) {
        const double time_s = prediction_mean(point->prediction) / steps;
        *off = time_s / s.time_s - 1;
        if (point->decision) {
            *decided = decision_text(point->decision);
            spreads_add(spreads, point->ran->name, s.time_s, time_s);
        }
    }
    measurement_request_clear(&r);
    return good;
}

// Predicts some rows of a table. Returns FALSE and an error if none of them can be.
static gboolean predict(SiteCheck *check, Platform *platform, const Library *library, GArray *spreads, GError **error)
{
    const SiteTable *const t = check->table;
    g_autoptr(GString) runs = g_string_new(NULL), last = g_string_new(NULL);
    g_autoptr(GError) first_fault = NULL;
    double offs[MOST_SIZES];
    guint first, n;
    const double step = step_of(t, &first, &n);
    for (guint i = 0; i < n; i++) {
        const LogSample *const s = &t->first[first + (guint)(i * step)];
        g_autofree char *text = NULL;
        double off = NAN;
        if (s->time_s <= 0 || s->bytes > MOST_BYTES)
            continue;
        if (!predict_row(t, *s, library, platform, spreads, &off, &text, first_fault ? NULL : &first_fault) ||
            isnan(off))
            continue;
        if (text)
            add_runs(runs, last, s->bytes, text);
        offs[check->n++] = off;
        if (check->n > 1 && fabs(off) < fabs(check->worst))
            continue;
        check->worst = off;
        check->worst_bytes = s->bytes;
    }
    if (!check->n && first_fault) {
        g_propagate_error(error, g_steal_pointer(&first_fault));
        return FALSE;
    }
    if (!check->n) {
        check->missing = g_strdup("nothing is known of what ran");
        return TRUE;
    }
    check->decided = runs->len ? g_strdup(runs->str) : NULL;
    check->median = fit_errors(offs, check->n).median;
    return TRUE;
}

GArray *site_checks_make(const SiteLogs *site, Platform *platform, const char *mpi, GArray *spreads)
{
    GArray *checks = g_array_new(FALSE, TRUE, sizeof(SiteCheck));
    g_array_set_clear_func(checks, check_clear);
    for (guint i = 0; i < site->tables->len; i++) {
        const SiteTable *const t = &g_array_index(site->tables, SiteTable, i);
        const gboolean called = t->first->kind == LOG_COLLECTIVE;
        const Library *const library = called ? library_of(t->log->mpi ? t->log->mpi : mpi) : NULL;
        SiteCheck check = {.table = t, .ranks = ranks_of(t), .library = library ? g_strdup(library->name) : NULL};
        g_autoptr(GError) fault = NULL;
        if (t->use != SITE_CHECK)
            continue;
        if (called && !library)
            check.missing =
                g_strdup("no log and no `mpi` of --base names a library whose defaults are known: Open MPI 4.1 or 5, "
                         "or MPICH 4");
        else if (!platform)
            check.missing = g_strdup("there is no machine to predict with");
        else if (check.ranks > MOST_RANKS)
            check.missing = g_strdup_printf("it had %d ranks, and more than %d take long; `run` predicts them",
                                            check.ranks, MOST_RANKS);
        else if (check.ranks < 2)
            check.missing = g_strdup("no launch line says how many ranks it had");
        else if (!predict(&check, platform, library, spreads, &fault))
            check.missing = g_strdup(fault->message);
        g_array_append_val(checks, check);
    }
    return checks;
}
