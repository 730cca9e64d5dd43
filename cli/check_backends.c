#include "check_backends.h"
#include "closed_form.h"
#include "error.h"
#include "json.h"
#include "launch.h"
#include "nearest.h"
#include "record.h"
#include "units.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

const char *const backend_names[] = {"sim", "smpi", "mpi", "simgrid", NULL};
const char *const class_names[] = {[CLASS_EQUAL] = "equal",
                                   [CLASS_SHARING] = "port sharing",
                                   [CLASS_UNMODELLED] = "unmodelled",
                                   [CLASS_DIFFERENT] = "different"};

static const double EQUAL = 1e-9; // relative

typedef struct Check {
    Request request;
    gboolean asked[N_BACKENDS];
    GPtrArray *points;
    Comparison *of;
    SimgridMachine machine;
} Check;

static void check_clear(Check *c)
{
    for (guint i = 0; c->of && i < c->points->len; i++)
        g_free(c->of[i].wrong);
    g_free(c->of);
    if (c->points)
        g_ptr_array_unref(c->points);
    request_clear(&c->request);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Check, check_clear)

// ---- What is asked for ---------------------------------------------------------------------------------------------

static gboolean find_backends(const char *list, Check *c, GError **error)
{
    g_auto(GStrv) name = g_strsplit(list, ",", -1);
    for (char **n = name; *n; n++) {
        int which;
        if (!find_name("backend", *n, backend_names, &which, error))
            return FALSE;
        c->asked[which] = TRUE;
    }
    return *name || bad_input(error, "--backends is empty; allowed: sim, smpi, mpi, simgrid, joined by commas");
}

// The times of sim are SMPI's transfer's.
static gboolean find_transfer(Check *c, GError **error)
{
    const gboolean smpi = c->asked[BACKEND_SMPI] || c->asked[BACKEND_SIMGRID];
    c->machine = (SimgridMachine){.platform = c->request.platform,
                                  .transfer = c->request.options.transfer == TRANSFER_EAGER ? SIMGRID_EAGER
                                                                                            : SIMGRID_RENDEZVOUS};
    return !smpi || c->request.options.transfer != TRANSFER_EAGER_PORT ||
           bad_input(error, "--transfer eager-port: SMPI has no such machine; allowed: rendezvous, eager");
}

static gboolean find_check(char **words, const RequestOptions *o, const char *backends, Check *c, GError **error)
{
    char *both[] = {words[0], words[0] && words[1] ? words[1] : (char *)(uintptr_t) "all", NULL};
    if (!words[0])
        return bad_input(error,
                         "--backends needs a COLLECTIVE; allowed: as check --backends sim,smpi bcast -p 16 -m 64K");
    return find_backends(backends, c, error) && request_operation(both, o, &c->request, error) &&
           request_machine(o, &c->request, error) && find_transfer(c, error);
}

// ---- The backends --------------------------------------------------------------------------------------------------

static gboolean is_messages(const Point *x)
{
    return !x->ran->shared;
}

static gboolean run_sim(Check *c, GError **error)
{
    for (guint i = 0; i < c->points->len; i++) {
        Point *x = g_ptr_array_index(c->points, i);
        if (!point_run(x, &c->request, error))
            return FALSE;
        c->of[i].point = x;
        if (!x->prediction)
            continue;
        const Operation op = point_operation(&c->request, x);
        c->of[i].time_s[BACKEND_SIM] = x->prediction->time_s;
        c->of[i].closed_form_s =
            closed_form(&op, c->request.platform, c->request.options.transfer == TRANSFER_EAGER, x->prediction->time_s);
    }
    return TRUE;
}

static Job job_of(const Check *c, const Point *x)
{
    const Request *r = &c->request;
    return (Job){.kind = JOB_ALGORITHM,
                 .collective = r->collective,
                 .algorithm = x->algorithm,
                 .par = x->par,
                 .root = x->root,
                 .per_node = r->per_node,
                 .m = x->m,
                 .elem = r->elem,
                 .counts = x->counts};
}

// Shortest first: SMPI's clock goes on from job to job, and keeps its digits for the short ones.
static int by_time(gconstpointer a, gconstpointer b)
{
    const Comparison *const *x = a, *const *y = b;
    const double s = (*x)->time_s[BACKEND_SIM], t = (*y)->time_s[BACKEND_SIM];
    return s < t ? -1 : s > t ? 1 : (*x)->point->algorithm < (*y)->point->algorithm ? -1 : 1;
}

static void show_progress(int done, int total, void *user)
{
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r%s: %d of %d ", (const char *)user, done, total);
    if (isatty(STDERR_FILENO) && done == total)
        fputs("\r                              \r", stderr);
}

// Those of p ranks together, in one run of the backend.
static gboolean run_ranks(Check *c, Backend backend, int p, GError **error)
{
    enum { MEASURED = 10, MOST = 10000 };
    const gboolean real = backend == BACKEND_MPI;
    const JobPlan plan = {.p = p,
                          .sync = real ? SYNC_BARRIER : SYNC_WINDOW,
                          .warmup = real ? 2 : 0,
                          .least = real ? MEASURED : 1,
                          .most = real ? MOST : 1,
                          .budget_s = real ? 0.2 : 0,
                          .precision = 0.01,
                          .gamma_s = c->request.platform->value[KEY_GAMMA]};
    const Launch launch = {.kind = real ? LAUNCH_MPI : LAUNCH_SMPI,
                           .machine = &c->machine,
                           .progress = show_progress,
                           .user = (void *)(uintptr_t)backend_names[backend]};
    g_autoptr(GPtrArray) here = g_ptr_array_new();
    for (guint i = 0; i < c->points->len; i++)
        if (c->of[i].point->p == p && c->of[i].point->ran)
            g_ptr_array_add(here, &c->of[i]);
    g_ptr_array_sort(here, by_time);
    g_autofree Job *job = g_new(Job, here->len);
    g_autofree JobResult *result = g_new0(JobResult, here->len);
    for (guint i = 0; i < here->len; i++)
        job[i] = job_of(c, ((Comparison *)g_ptr_array_index(here, i))->point);
    const gboolean good = here->len == 0 || launch_run(&launch, &plan, job, (int)here->len, result, error);
    for (guint i = 0; i < here->len; i++) {
        Comparison *x = g_ptr_array_index(here, i);
        x->time_s[backend] = result[i].wrong ? NAN : result[i].median_s;
        if (result[i].wrong && !x->wrong)
            x->wrong = g_strdup_printf("%s: %s", backend_names[backend], result[i].wrong);
        job_result_clear(&result[i]);
    }
    return good;
}

static gboolean run_backend(Check *c, Backend backend, GError **error)
{
    for (guint i = 0; c->asked[backend] && i < c->request.ranks->len; i++)
        if (!run_ranks(c, backend, (int)g_array_index(c->request.ranks, size_t, i), error))
            return FALSE;
    return TRUE;
}

// ---- Judgement -----------------------------------------------------------------------------------------------------

// Where all messages are under way at once and share one rank's port, or all ports have the same to do, max-min sharing
// fills that port from beginning to end. A message has 16 bytes more there; alpha holds them too. NAN: it is not so.
static double smpi_form(const Check *c, const Schedule *s)
{
    enum { ENVELOPE = 16 };
    const Totals t = schedule_totals(s);
    const uint64_t p = (uint64_t)s->p;
    const bool star = t.messages == t.max_messages_sent || t.messages == t.max_messages_received;
    const bool alike = t.messages == p * t.max_messages_sent && t.messages == p * t.max_messages_received &&
                       t.bytes_sent == p * t.max_bytes_sent && t.bytes_sent == p * t.max_bytes_received;
    if (!s->one_round || t.messages == 0 || !(star || alike))
        return NAN;
    const double alpha = c->request.platform->value[KEY_ALPHA], beta = c->request.platform->value[KEY_BETA];
    const double out = (double)t.max_bytes_sent + ENVELOPE * (double)t.max_messages_sent;
    const double in = (double)t.max_bytes_received + ENVELOPE * (double)t.max_messages_received;
    return alpha - ENVELOPE * beta + MAX(out, in) * beta;
}

static void judge(const Check *c, Comparison *x)
{
    const double sim = x->time_s[BACKEND_SIM], smpi = x->time_s[BACKEND_SMPI];
    x->class = CLASS_NONE;
    if (isnan(sim) || isnan(smpi))
        return;
    x->difference = smpi > 0 ? sim / smpi - 1 : sim - smpi;
    x->class = CLASS_EQUAL;
    const gboolean flat = c->request.platform->topology.kind == TOPOLOGY_FLAT;
    if (fabs(x->difference) <= EQUAL && is_messages(x->point))
        return;
    x->class = CLASS_UNMODELLED;
    x->why = !is_messages(x->point) ? "SMPI moves the data of shared memory, but does not model its time"
                                    : "the engine has no network between the ports";
    if (!flat || !is_messages(x->point))
        return;
    Point point = *x->point;
    const Operation op = point_operation(&c->request, &point);
    Schedule *s = record(op.algorithm, op.algorithm->collective, &op.c, op.m, &(RecordOptions){0});
    const gboolean turns = s->one_send && s->one_source;
    x->class = turns ? CLASS_DIFFERENT : CLASS_SHARING;
    x->why = turns ? "no rank has two messages under way in one direction: one of the two is wrong"
                   : "messages that a rank has under way share its port there, and queue here";
    if (!turns && c->machine.transfer == SIMGRID_RENDEZVOUS)
        x->smpi_form_s = smpi_form(c, s);
    schedule_free(s);
}

// ---- Reports -------------------------------------------------------------------------------------------------------

static char *time_text(double seconds)
{
    return isnan(seconds) ? g_strdup("-") : units_format_time(seconds);
}

static char *relative_text(const Comparison *x)
{
    return x->class == CLASS_NONE ? g_strdup("") : g_strdup_printf("%+.1e", x->difference);
}

static void print_table(const Check *c)
{
    const Request *r = &c->request;
    int n = 5;
    for (int b = 0; b < N_BACKENDS; b++)
        n += c->asked[b];
    Table *table = table_new(n);
    const char *const names[] = {"algorithm", "ranks", "bytes"};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
        table_add(table, g_strdup(names[i]));
    for (int b = 0; b < N_BACKENDS; b++)
        if (c->asked[b])
            table_add(table, g_strdup(backend_names[b]));
    table_add(table, g_strdup("closed form"));
    table_add(table, g_strdup("difference"));
    guint in_class[N_CLASSES] = {0};
    for (guint i = 0; i < c->points->len; i++) {
        const Comparison *x = &c->of[i];
        in_class[x->class]++;
        table_add(table, g_strdup(x->point->algorithm->name));
        table_add(table, g_strdup_printf("%d", x->point->p));
        table_add(table, units_format_size(x->point->m));
        for (int b = 0; b < N_BACKENDS; b++)
            if (c->asked[b])
                table_add(table, x->point->ran ? time_text(x->time_s[b]) : g_strdup(x->point->why));
        table_add(table, time_text(x->closed_form_s));
        table_add(table, x->class == CLASS_EQUAL || x->class == CLASS_NONE
                             ? relative_text(x)
                             : g_strdup_printf("%+.1f %% %s", 100 * x->difference, class_names[x->class]));
    }
    printf("%s on %s, model %s\n\n", collectives[r->collective].name, r->platform->name, r->model->name);
    table_print(table, "");
    table_free(table);
    if (c->asked[BACKEND_SIM] && c->asked[BACKEND_SMPI])
        printf("\nsim and smpi: %u equal to 1e-9, %u port sharing, %u unmodelled, %u different\n",
               in_class[CLASS_EQUAL], in_class[CLASS_SHARING], in_class[CLASS_UNMODELLED], in_class[CLASS_DIFFERENT]);
}

static void json_time(Json *json, const char *key, double seconds)
{
    if (isnan(seconds))
        json_string(json, key, NULL);
    else
        json_number(json, key, seconds);
}

static void print_json(const Check *c)
{
    Json json = {.text = g_string_new(NULL), .first = TRUE};
    json_open(&json, NULL, '{');
    json_string(&json, "platform", c->request.platform->name);
    json_open(&json, "points", '[');
    for (guint i = 0; i < c->points->len; i++) {
        const Comparison *x = &c->of[i];
        g_autofree char *params = params_text(x->point->algorithm, &x->point->par);
        json_open(&json, NULL, '{');
        json_string(&json, "collective", collectives[c->request.collective].name);
        json_string(&json, "algorithm", x->point->algorithm->name);
        json_string(&json, "parameters", params);
        json_string(&json, "ran", x->point->ran ? x->point->ran->name : NULL);
        json_integer(&json, "p", x->point->p);
        json_integer(&json, "bytes", (gint64)x->point->m);
        json_integer(&json, "root", x->point->root);
        for (int b = 0; b < N_BACKENDS; b++)
            if (c->asked[b])
                json_time(&json, backend_names[b], x->time_s[b]);
        json_time(&json, "closed_form", x->closed_form_s);
        json_time(&json, "smpi_form", x->smpi_form_s);
        json_time(&json, "difference", x->class == CLASS_NONE ? NAN : x->difference);
        json_string(&json, "class", x->class == CLASS_NONE ? NULL : class_names[x->class]);
        json_string(&json, "why", x->why);
        json_string(&json, "wrong", x->wrong);
        json_close(&json, '}');
    }
    json_close(&json, ']');
    json_close(&json, '}');
    puts(json.text->str);
    g_string_free(json.text, TRUE);
}

int check_backends(char **words, const RequestOptions *o, const char *backends, GError **error)
{
    g_auto(Check) c = {0};
    Format format;
    if (!find_format(o->format, &format, error) || !find_check(words, o, backends, &c, error) ||
        !(c.points = points_make(&c.request, error)))
        return 2;
    c.of = g_new0(Comparison, c.points->len);
    for (guint i = 0; i < c.points->len; i++) {
        Comparison *x = &c.of[i];
        for (int b = 0; b < N_BACKENDS; b++)
            x->time_s[b] = NAN;
        x->closed_form_s = x->smpi_form_s = NAN;
    }
    if (!run_sim(&c, error) || !run_backend(&c, BACKEND_SMPI, error) || !run_backend(&c, BACKEND_MPI, error))
        return 2;
    int status = 0;
    for (guint i = 0; i < c.points->len; i++) {
        judge(&c, &c.of[i]);
        status |= c.of[i].class == CLASS_DIFFERENT || c.of[i].wrong;
        if (c.of[i].wrong)
            fprintf(stderr, "%s on %d ranks, %s\n", c.of[i].point->algorithm->name, c.of[i].point->p, c.of[i].wrong);
    }
    if (format == FORMAT_JSON)
        print_json(&c);
    else
        print_table(&c);
    return status;
}
