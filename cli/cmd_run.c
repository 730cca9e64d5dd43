#include "error.h"
#include "nearest.h"
#include "points.h"
#include "units.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct Options {
    char *ranks, *sizes, *root, *element, *counts, *displs, *per_node, *connection, *platform, *model, *transfer,
        *format;
    char **params, **sets;
    gboolean full, why, timing, memory;
} Options;

static void options_clear(Options *o)
{
    g_free(o->ranks);
    g_free(o->sizes);
    g_free(o->root);
    g_free(o->element);
    g_free(o->counts);
    g_free(o->displs);
    g_free(o->per_node);
    g_free(o->connection);
    g_free(o->platform);
    g_free(o->model);
    g_free(o->transfer);
    g_free(o->format);
    g_strfreev(o->params);
    g_strfreev(o->sets);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Options, options_clear)

static void request_clear(Request *r)
{
    if (r->ranks)
        g_array_unref(r->ranks);
    if (r->sizes)
        g_array_unref(r->sizes);
    counts_clear(&r->counts);
    platform_free(r->platform);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Request, request_clear)

static const char help_text[] =
    "Predicts how long an algorithm takes, or ranks all of a collective.\n\n"
    "  collsim run bcast binomial -p 32768 -m 8K\n"
    "  collsim run allreduce all -p 1024 -m 8..64M:x8 --platform lumi\n"
    "  collsim run bcast pipeline -p 8 -m 1M --param segment=64K --why\n\n"
    "Lists: items by comma; 2..33 steps by 1; 1K..1M:x4 multiplies. Sizes and ranks: 8, 64K, 1M, 1G (binary).\n"
    "-m is the whole vector of bcast, reduce, allreduce, reduce_scatter and scans, a rank's block of the others.\n"
    "Algorithms of shared memory (shm_*) are timed by the model shared; `all` has them, and only them, with --model "
    "shared.\n"
    "The formula is exact: so many alpha, bytes of beta and of gamma on the path that takes longest.";

static gboolean find_root(const Options *o, Request *r, GError **error)
{
    size_t root = 0;
    if (!o->root)
        return TRUE;
    if (!collectives[r->collective].rooted)
        return bad_input(error, "--root %s: %s has no root", o->root, collectives[r->collective].name);
    if (strcmp(o->root, "all") == 0) {
        r->root = -1;
        return TRUE;
    }
    if (!units_parse_size(o->root, &root, NULL) || root >= MAX_RANKS)
        return bad_input(error, "--root %s; allowed: 0 .. p-1, or all", o->root);
    r->root = (int)root;
    return TRUE;
}

static gboolean find_transfer(const Options *o, Request *r, GError **error)
{
    if (!o->transfer)
        return TRUE;
    if (!r->model->transfers)
        return bad_input(error, "--transfer %s: %s has no such choice; only hockney has", o->transfer, r->model->name);
    int transfer = 0;
    const gboolean found = find_name("transfer", o->transfer, transfer_names, &transfer, error);
    r->options.transfer = (Transfer)transfer;
    return found;
}

// The platform, with --set, and the model, which must find in it what it needs.
static gboolean find_machine(const Options *o, Request *r, GError **error)
{
    const char *const usual = r->only && r->only->shared ? "shared" : "hockney";
    r->model = model_find(o->model ? o->model : usual, error);
    if (r->model && r->only && r->only->shared != r->model->shared)
        return bad_input(error, "--model %s is for algorithms of %s, %s %s is one of %s; allowed: %s", r->model->name,
                         r->model->shared ? "shared memory" : "messages", collectives[r->collective].name,
                         r->only->name, r->only->shared ? "shared memory" : "messages",
                         r->only->shared ? "--model shared" : "any other model");
    if (!r->model || !(r->platform = platform_load(o->platform ? o->platform : "generic-100g", error)))
        return FALSE;
    for (char **set = o->sets; set && *set; set++) {
        const char *names[N_PLATFORM_KEYS + 1] = {NULL};
        g_autofree char *key = g_strndup(*set, strcspn(*set, "="));
        for (size_t i = 0; i < r->model->n_keys; i++)
            names[i] = platform_keys[r->model->keys[i]].name;
        if (strchr(*set, '=') && !g_strv_contains(names, key)) {
            g_autofree char *kind = g_strdup_printf("parameter of %s", r->model->name);
            return unknown_name(kind, key, names, error);
        }
        if (!platform_set(r->platform, *set, error))
            return FALSE;
    }
    return platform_need(r->platform, r->model->keys, r->model->n_keys, r->model->name, error) &&
           find_transfer(o, r, error);
}

static gboolean find_request(char **words, const Options *o, Request *r, GError **error)
{
    if (!find_collective(words[0], &r->collective, error))
        return FALSE;
    if (strcmp(words[1], "all") != 0 && !(r->only = find_algorithm(r->collective, words[1], error)))
        return FALSE;
    r->elem = 1;
    if (o->element && (!units_parse_size(o->element, &r->elem, error) || r->elem == 0))
        return error && *error ? FALSE : bad_input(error, "--element 0; allowed: 1 or more bytes");
    if (!(r->ranks = find_ranks(o->ranks, error)))
        return FALSE;
    if (!o->sizes && r->collective != COLL_BARRIER)
        return bad_input(error, "-m is missing; allowed: a list of sizes, as 8 or 1K..1M:x4");
    // A barrier moves nothing.
    r->sizes = units_parse_list(r->collective == COLL_BARRIER ? "0" : o->sizes, "-m", 0, (size_t)1 << 50, error);
    r->options.full = o->full;
    r->options.why = o->why;
    r->params = o->params;
    r->timing = o->timing;
    r->memory = o->memory || o->connection;
    r->connection = MEMORY_CONNECTION;
    if (o->connection && !units_parse_size(o->connection, &r->connection, error))
        return FALSE;
    return r->sizes && find_root(o, r, error) && request_counts(r, o->counts, o->displs, error) &&
           find_per_node(o->per_node, &r->per_node, error) && find_machine(o, r, error);
}

typedef struct Progress {
    const Request *request;
    guint done, total; // done: atomic
    gboolean shown;
} Progress;

static void run_point(gpointer data, gpointer user)
{
    Progress *progress = user;
    Point *point = data;
    point_run(point, progress->request, &point->error);
    const guint done = (guint)g_atomic_int_add(&progress->done, 1) + 1;
    if (progress->shown)
        fprintf(stderr, "\r%u of %u points ", done, progress->total);
}

// Runs all, on all processors unless it is the simulation itself that is timed; a terminal is told how far it is.
static gboolean run_points(const Request *r, const GPtrArray *points, GError **error)
{
    Progress progress = {.request = r, .total = points->len, .shown = isatty(STDERR_FILENO) && points->len > 1};
    const int threads = r->timing ? 1 : (int)MIN(g_get_num_processors(), points->len);
    GThreadPool *pool = threads > 1 ? g_thread_pool_new(run_point, &progress, threads, TRUE, NULL) : NULL;
    for (guint i = 0; i < points->len; i++)
        if (!pool || !g_thread_pool_push(pool, g_ptr_array_index(points, i), NULL))
            run_point(g_ptr_array_index(points, i), &progress);
    if (pool)
        g_thread_pool_free(pool, FALSE, TRUE);
    if (progress.shown)
        fputs("\r                              \r", stderr);
    for (guint i = 0; i < points->len; i++) {
        Point *point = g_ptr_array_index(points, i);
        if (point->error) {
            g_propagate_error(error, g_steal_pointer(&point->error));
            return FALSE;
        }
    }
    return TRUE;
}

// A deadlock is a result: who waits for whom.
static int report_stuck(const GPtrArray *points)
{
    enum { SHOWN = 16 };
    int status = 0;
    for (guint i = 0; i < points->len; i++) {
        const Point *x = g_ptr_array_index(points, i);
        const GPtrArray *stuck = x->prediction ? x->prediction->stuck : NULL;
        if (!stuck || stuck->len == 0)
            continue;
        status = 1;
        fprintf(stderr, "%s on %d ranks does not end:\n", x->ran->name, x->p);
        for (guint k = 0; k < MIN(stuck->len, SHOWN); k++)
            fprintf(stderr, "  %s\n", (const char *)g_ptr_array_index(stuck, k));
        if (stuck->len > SHOWN)
            fprintf(stderr, "  and %u more\n", stuck->len - SHOWN);
    }
    return status;
}

int cmd_run(int argc, char **argv, GError **error)
{
    g_auto(Options) o = {0};
    const GOptionEntry entries[] = {
        {"ranks", 'p', 0, G_OPTION_ARG_STRING, &o.ranks, "numbers of ranks", "LIST"},
        {"bytes", 'm', 0, G_OPTION_ARG_STRING, &o.sizes, "sizes in bytes", "LIST"},
        {"root", 0, 0, G_OPTION_ARG_STRING, &o.root, "root (0)", "R|all"},
        {"param", 0, 0, G_OPTION_ARG_STRING_ARRAY, &o.params, "a parameter of the algorithm, as segment=64K",
         "NAME=VALUE"},
        {"element", 0, 0, G_OPTION_ARG_STRING, &o.element, "bytes of an element (1)", "BYTES"},
        {"counts", 0, 0, G_OPTION_ARG_STRING, &o.counts,
         "lengths of the blocks, -m in the mean: equal, linear, one-big, random:SEED, zero-holes, a file", "NAME|FILE"},
        {"displs", 0, 0, G_OPTION_ARG_STRING, &o.displs, "consecutive blocks (default), or gaps between them", "NAME"},
        {"per-node", 0, 0, G_OPTION_ARG_STRING, &o.per_node, "ranks of a node, consecutive ones", "N"},
        {"platform", 0, 0, G_OPTION_ARG_STRING, &o.platform, "machine (generic-100g), or an .ini file", "NAME|FILE"},
        {"model", 0, 0, G_OPTION_ARG_STRING, &o.model, "hockney (default), loggops, loggp, logp or shared", "NAME"},
        {"transfer", 0, 0, G_OPTION_ARG_STRING, &o.transfer, "rendezvous (default), eager or eager-port", "NAME"},
        {"set", 0, 0, G_OPTION_ARG_STRING_ARRAY, &o.sets, "a parameter of the model, as alpha=1us", "KEY=VALUE"},
        {"full", 0, 0, G_OPTION_ARG_NONE, &o.full, "replay every rank even where one does", NULL},
        {"why", 0, 0, G_OPTION_ARG_NONE, &o.why, "the path that takes longest", NULL},
        {"memory", 0, 0, G_OPTION_ARG_NONE, &o.memory, "what it needs in memory, and copies there", NULL},
        {"connection", 0, 0, G_OPTION_ARG_STRING, &o.connection, "of which bytes of a connection (41989)", "BYTES"},
        {"timing", 0, 0, G_OPTION_ARG_NONE, &o.timing, "what the simulation itself took", NULL},
        {"format", 'f', 0, G_OPTION_ARG_STRING, &o.format, "table, csv or json", "FORMAT"},
        {NULL},
    };
    g_auto(GStrv) words = NULL;
    g_auto(Request) r = {0};
    Format format;
    if (!parse_options(argc, argv, "COLLECTIVE ALGORITHM|all", help_text, entries, 2, 2, &words, error) ||
        !find_format(o.format, &format, error) || !find_request(words, &o, &r, error))
        return 2;
    g_autoptr(GPtrArray) points = points_make(&r, error);
    if (!points || !run_points(&r, points, error))
        return 2;
    const int status = report_stuck(points);
    if (format == FORMAT_JSON)
        report_json(&r, points);
    else if (format == FORMAT_CSV)
        report_csv(&r, points);
    else
        report_table(&r, points);
    return status;
}
