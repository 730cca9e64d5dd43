#include "run/launch/backends.h"
#include "base/error.h"
#include "base/progress.h"
#include "search/form/closed_form.h"
#include "engine/schedule/record.h"
#include <math.h>
#include <string.h>

const char *const backend_names[] = {"sim", "smpi", "mpi", "simgrid", NULL};
const char *const backend_class_names[] = {[CLASS_EQUAL] = "equal",
                                           [CLASS_LINKS] = "link sharing",
                                           [CLASS_SHARING] = "port sharing",
                                           [CLASS_UNMODELLED] = "unmodelled",
                                           [CLASS_DIFFERENT] = "different"};

void backends_clear(BackendCheck *c)
{
    for (guint i = 0; c->of && i < c->points->len; i++)
        g_free(c->of[i].wrong);
    g_free(c->of);
    if (c->points)
        g_ptr_array_unref(c->points);
    request_clear(&c->request);
    meter_clear(&c->meter);
}

// ---- The backends --------------------------------------------------------------------------------------------------

static gboolean is_messages(const Point *x)
{
    return !x->ran->shared && !algorithm_shared_part(x->ran, &x->par);
}

// Finds SimGrid's own version of the point's algorithm. If the user asks for no parameters, the point gets those that
// SimGrid uses.
static void find_twin(const BackendCheck *c, Comparison *x)
{
    Point *point = x->point;
    const SimgridTwin *t = simgrid_twin(point->algorithm);
    if (!t || point->ran != point->algorithm || (t->pow2 && !is_pow2(point->p)))
        return;
    if (!c->request.question.params)
        point->par = simgrid_twin_params(t, point->p, point->m);
    const Operation op = point_operation(&c->request, point);
    x->twin = op.algorithm == point->algorithm ? t : NULL;
}

static gboolean run_sim(BackendCheck *c, GError **error)
{
    for (guint i = 0; i < c->points->len; i++) {
        Point *x = c->of[i].point = g_ptr_array_index(c->points, i);
        if (c->asked[BACKEND_SIMGRID])
            find_twin(c, &c->of[i]);
        if (!point_run(x, &c->request, error))
            return FALSE;
        if (!x->prediction)
            continue;
        const Operation op = point_operation(&c->request, x);
        c->of[i].time_s[BACKEND_SIM] = x->prediction->time_s;
        if (c->request.machine.model != &measured_model && !c->request.machine.options.network)
            c->of[i].closed_form_s =
                closed_form(&op, c->request.machine.platform, request_mapping(&c->request.machine, x->p, x->per_node),
                            c->request.machine.options.transfer == TRANSFER_EAGER, x->prediction->time_s);
    }
    return TRUE;
}

static Job job_of(const BackendCheck *c, const Point *x)
{
    const Request *r = &c->request;
    const Mapping *placed = request_mapping(&r->machine, x->p, x->per_node);
    return (Job){.kind = JOB_ALGORITHM,
                 .collective = r->question.collective,
                 .algorithm = point_entry(x),
                 .par = x->par,
                 .root = x->root,
                 .m = x->m,
                 .elem = r->question.elem,
                 .counts = x->counts,
                 .nodes = placed ? placed->nodes : NULL};
}

// The shortest runs first: SMPI's clock goes on from job to job, so short jobs need its early digits.
static int by_time(gconstpointer a, gconstpointer b)
{
    const Comparison *const *x = a, *const *y = b;
    const double s = (*x)->time_s[BACKEND_SIM], t = (*y)->time_s[BACKEND_SIM];
    return s < t ? -1 : s > t ? 1 : (*x)->point->algorithm < (*y)->point->algorithm ? -1 : 1;
}

typedef struct BackendRun {
    Backend backend;
    Launch launch;
    JobPlan plan;
} BackendRun;

static BackendRun run_of(const BackendCheck *c, Backend backend, int p)
{
    BackendRun run = {
        .backend = backend,
        .launch = {.kind = LAUNCH_SMPI, .machine = &c->machine, .patience_s = c->meter.launch.patience_s},
        .plan = {.sync = SYNC_WINDOW, .least = 1, .most = 1, .gamma_s = c->request.machine.platform->value[KEY_GAMMA]}};
    if (backend == BACKEND_MPI) {
        run.launch = c->meter.launch;
        run.plan = c->meter.plan;
        meter_warn(&c->meter, p);
    }
    run.plan.p = p;
    return run;
}

// The line of progress of one launch.
typedef struct BackendProgress {
    Progress line;
    const GPtrArray *some; // Comparison, in the order in which they run
} BackendProgress;

// Shows the point that runs after `done` of the n points of a launch.
static void show_progress(int done, int n, void *user)
{
    BackendProgress *progress = user;
    if (!progress_due(&progress->line))
        return;
    const Comparison *x = done < n ? g_ptr_array_index(progress->some, done) : NULL;
    g_autofree char *name = x ? point_name(x->point) : NULL;
    progress_show(&progress->line, (guint)done, name);
}

// Runs several comparisons in one launch.
static gboolean run_some(BackendCheck *c, const BackendRun *run, GPtrArray *some, GError **error)
{
    if (some->len == 0)
        return TRUE;
    g_ptr_array_sort(some, by_time);
    g_autofree Job *job = g_new(Job, some->len);
    g_autofree JobResult *result = g_new0(JobResult, some->len);
    BackendProgress progress = {.some = some};
    Launch launch = run->launch;
    launch.progress = show_progress;
    launch.user = &progress;
    progress_begin(&progress.line, backend_names[run->backend], some->len);
    for (guint i = 0; i < some->len; i++) {
        job[i] = job_of(c, ((Comparison *)g_ptr_array_index(some, i))->point);
        if (run->backend == BACKEND_SIMGRID)
            job[i].kind = JOB_LIBRARY, job[i].algorithm = NULL;
    }
    const gboolean good = launch_run(&launch, &run->plan, job, (int)some->len, result, error);
    progress_end(&progress.line);
    for (guint i = 0; i < some->len; i++) {
        Comparison *x = g_ptr_array_index(some, i);
        x->time_s[run->backend] = result[i].wrong ? NAN : result[i].median_s;
        if (result[i].wrong && !x->wrong)
            x->wrong = g_strdup_printf("%s: %s", backend_names[run->backend], result[i].wrong);
        job_result_clear(&result[i]);
    }
    return good;
}

static gboolean is_at(const Point *x, int p, int per_node)
{
    return x->p == p && x->per_node == per_node;
}

// Returns TRUE if the nodes of ranks may matter to the time of their messages. On other platforms every rank keeps a
// host and ports of its own.
static gboolean has_nodes(const Platform *x)
{
    return x->levels.n > 1 || x->has[KEY_NIC_RATE] || x->has[KEY_NIC_MESSAGES] || x->has[KEY_MEMORY];
}

// Returns the machine on which SMPI runs p ranks. If `nodes` is set, those of a node are on one host in any case.
static SimgridMachine machine_of(const BackendCheck *c, int p, int per_node, gboolean nodes)
{
    SimgridMachine machine = c->machine;
    if (nodes || machine.network || has_nodes(c->request.machine.platform))
        machine.map = request_mapping(&c->request.machine, p, per_node);
    return machine;
}

static gboolean run_texts(BackendCheck *c, Backend backend, int p, int per_node, GError **error)
{
    BackendRun run = run_of(c, backend, p);
    const SimgridMachine machine = machine_of(c, p, per_node, FALSE);
    if (backend == BACKEND_SMPI)
        run.launch.machine = &machine;
    g_autoptr(GPtrArray) some = g_ptr_array_new();
    for (guint i = 0; i < c->points->len; i++)
        if (is_at(c->of[i].point, p, per_node) && c->of[i].point->ran)
            g_ptr_array_add(some, &c->of[i]);
    return run_some(c, &run, some, error);
}

// Runs SimGrid's own algorithms: one launch for each name, because options choose the algorithm. Returns FALSE and an
// error if SimGrid cannot be started.
static gboolean run_twins(BackendCheck *c, int p, int per_node, GError **error)
{
    for (int t = 0; t < n_simgrid_twins; t++) {
        BackendRun run = run_of(c, BACKEND_SIMGRID, p);
        g_auto(GStrv) options = simgrid_twin_options(&simgrid_twins[t]);
        const SimgridMachine machine = machine_of(c, p, per_node, simgrid_twins[t].nodes);
        run.launch.machine = &machine;
        run.launch.options = (const char *const *)options;
        run.plan.warmup = 1; // the first run may make communicators
        gboolean started = FALSE;
        run.launch.started = &started;
        g_autoptr(GPtrArray) some = g_ptr_array_new();
        for (guint i = 0; i < c->points->len; i++)
            if (is_at(c->of[i].point, p, per_node) && c->of[i].twin == &simgrid_twins[t])
                g_ptr_array_add(some, &c->of[i]);
        g_autoptr(GError) failed = NULL;
        if (run_some(c, &run, some, &failed))
            continue;
        if (!started) {
            g_propagate_error(error, g_steal_pointer(&failed));
            return FALSE;
        }
        // Some of SimGrid's algorithms abort at some sizes. We run the points one by one to find out at which.
        for (guint i = 0; i < some->len; i++) {
            g_autoptr(GPtrArray) one = g_ptr_array_new();
            g_autoptr(GError) why = NULL;
            Comparison *x = g_ptr_array_index(some, i);
            g_ptr_array_add(one, x);
            if (!run_some(c, &run, one, &why))
                x->time_s[BACKEND_SIMGRID] = NAN, x->twin_why = "SimGrid's own algorithm aborts or never ends here";
        }
    }
    return TRUE;
}

static gboolean run_backend(BackendCheck *c, Backend backend, GError **error)
{
    for (guint i = 0; c->asked[backend] && i < c->request.question.ranks->len; i++) {
        const int p = (int)g_array_index(c->request.question.ranks, size_t, i),
                  per_node = request_per_node(&c->request, i);
        if (!(backend == BACKEND_SIMGRID ? run_twins(c, p, per_node, error)
                                         : run_texts(c, backend, p, per_node, error)))
            return FALSE;
    }
    return TRUE;
}

// ---- Judgement -----------------------------------------------------------------------------------------------------

static const char link_sharing[] =
    "messages share links: in SMPI those that are under way at once, in sim those of a round";

// Returns the time of a schedule under max-min sharing, SMPI's discipline: alpha plus the time of the busiest port.
// This holds if all messages are under way at once and either share the port of one rank or load all ports equally,
// because a port is then busy from beginning to end. Returns NAN for other schedules, and on machines where nodes
// matter, because a host is a node there and its ranks have no ports of their own. SMPI adds 16 bytes to every
// message, and alpha includes the time of one such envelope.
static double smpi_form(const BackendCheck *c, const Schedule *s)
{
    enum { ENVELOPE = 16 };
    const Totals t = schedule_totals(s);
    const uint64_t p = (uint64_t)s->p;
    const bool star = t.messages == t.max_messages_sent || t.messages == t.max_messages_received;
    const bool alike = t.messages == p * t.max_messages_sent && t.messages == p * t.max_messages_received &&
                       t.bytes_sent == p * t.max_bytes_sent && t.bytes_sent == p * t.max_bytes_received;
    if (!s->one_round || t.messages == 0 || !(star || alike) || c->machine.network ||
        has_nodes(c->request.machine.platform))
        return NAN;
    const double alpha = c->request.machine.platform->value[KEY_ALPHA],
                 beta = c->request.machine.platform->value[KEY_BETA];
    const double out = (double)t.max_bytes_sent + ENVELOPE * (double)t.max_messages_sent;
    const double in = (double)t.max_bytes_received + ENVELOPE * (double)t.max_messages_received;
    return alpha - ENVELOPE * beta + MAX(out, in) * beta;
}

static void judge_twin(const BackendCheck *c, Comparison *x)
{
    const double sim = x->time_s[BACKEND_SIM], theirs = x->time_s[BACKEND_SIMGRID];
    x->twin_difference = isnan(sim) || isnan(theirs) ? NAN : theirs > 0 ? sim / theirs - 1 : sim - theirs;
    if (!x->twin || isnan(x->twin_difference) || fabs(x->twin_difference) <= CHECK_EQUAL)
        return;
    const gboolean eager = c->machine.transfer == SIMGRID_EAGER,
                   flat = simgrid_topology(&c->machine)->kind == TOPOLOGY_FLAT;
    const CollNodes *nodes = job_of(c, x->point).nodes;
    if (c->machine.network)
        x->twin_why = link_sharing;
    else if (!flat)
        x->twin_why = "sim has no network between the ports";
    else if (c->request.question.params || c->request.question.counts_text)
        x->twin_why = "the parameters are not SimGrid's, or the blocks are not equal";
    else if (!simgrid_twin_equal(x->twin, x->point->p, nodes ? coll_nodes_block(nodes) : 0,
                                 x->point->m / c->request.question.elem, eager,
                                 c->request.machine.platform->value[KEY_GAMMA] > 0))
        x->twin_why = x->twin->difference ? x->twin->difference : "the nodes are not runs of equally many ranks";
}

// Returns TRUE if several ranks send through one NIC to other nodes.
static gboolean shares_nics(const BackendCheck *c, const Point *x)
{
    const Platform *platform = c->request.machine.platform;
    const Mapping *map = request_mapping(&c->request.machine, x->p, x->per_node);
    const int most = map ? coll_nodes_largest(map->nodes) : 0;
    return platform->has[KEY_NIC_RATE] && most > platform->value[KEY_NICS] && map->nodes->n > 1;
}

// Returns TRUE if a rank may reduce while its port sends. SMPI's eager discipline charges a message to its sender, which is
// busy in MPI_Isend until the message has left; in sim only the port is busy, and the rank reduces meanwhile. A trace of two
// MPI_Isend in a row shows it: the second one begins where the first ends, and both messages travel in no time.
static gboolean reduces_while_sending(const BackendCheck *c, const Schedule *s)
{
    return c->machine.transfer == SIMGRID_EAGER && s->kinds & 1u << OP_REDUCE && s->kinds & 1u << OP_ISEND;
}

static void judge(const BackendCheck *c, Comparison *x)
{
    const double sim = x->time_s[BACKEND_SIM], smpi = x->time_s[BACKEND_SMPI];
    x->class = CLASS_NONE;
    if (isnan(sim) || isnan(smpi))
        return;
    x->difference = smpi > 0 ? sim / smpi - 1 : sim - smpi;
    x->class = CLASS_EQUAL;
    const gboolean flat = simgrid_topology(&c->machine)->kind == TOPOLOGY_FLAT;
    if (fabs(x->difference) <= CHECK_EQUAL && is_messages(x->point))
        return;
    x->class = CLASS_UNMODELLED;
    x->why = !is_messages(x->point) ? "SMPI moves the data of shared memory, but does not model its time"
                                    : "sim has no network between the ports";
    if (!flat || !is_messages(x->point))
        return;
    Point point = *x->point;
    point.decision = NULL; // the copy gets its own
    const Operation op = point_operation(&c->request, &point);
    Schedule *s = schedule_record(&op, NULL);
    // Under eager nothing shares a port in SMPI either.
    const gboolean turns = (s->one_send && s->one_source) || c->machine.transfer == SIMGRID_EAGER;
    x->class = turns ? CLASS_DIFFERENT : CLASS_SHARING;
    x->why = turns ? "no two messages of a rank share a port, so sim or SMPI is wrong"
                   : "a rank has several messages under way: in SMPI they share its port, in sim they queue";
    if (turns && c->machine.network) {
        x->class = CLASS_LINKS;
        x->why = link_sharing;
    }
    if (reduces_while_sending(c, s)) {
        x->class = CLASS_UNMODELLED;
        x->why = "SMPI's eager sender is busy until its messages have left; in sim it reduces while its port sends";
    }
    if (turns && shares_nics(c, x->point)) {
        x->class = CLASS_SHARING;
        x->why = "ranks of a node share a NIC at the same time in SMPI, in sim they take turns";
    }
    if (!turns && c->machine.transfer == SIMGRID_RENDEZVOUS)
        x->smpi_form_s = smpi_form(c, s);
    schedule_free(s);
    decision_free(point.decision);
}

static gboolean twin_is_wrong(const Comparison *x)
{
    return x->twin && fabs(x->twin_difference) > CHECK_EQUAL && !x->twin_why;
}

gboolean backends_wrong(const Comparison *x)
{
    return x->class == CLASS_DIFFERENT || x->wrong || twin_is_wrong(x);
}

gboolean backends_run(BackendCheck *c, GError **error)
{
    if (!(c->points = points_make(&c->request, error)))
        return FALSE;
    c->of = g_new0(Comparison, c->points->len);
    for (guint i = 0; i < c->points->len; i++) {
        Comparison *x = &c->of[i];
        for (int b = 0; b < N_BACKENDS; b++)
            x->time_s[b] = NAN;
        x->closed_form_s = x->smpi_form_s = NAN;
        const Point *point = g_ptr_array_index(c->points, i);
        if (point->ran && point_part_differs(point))
            return bad_input(error,
                             "--backends: a part of %s on %d ranks has parameters of its own, which backends are "
                             "not told; allowed: other algorithms or points",
                             point->algorithm->name, point->p);
    }
    if (!run_sim(c, error) || !run_backend(c, BACKEND_SMPI, error) || !run_backend(c, BACKEND_MPI, error) ||
        !run_backend(c, BACKEND_SIMGRID, error))
        return FALSE;
    for (guint i = 0; i < c->points->len; i++) {
        judge(c, &c->of[i]);
        judge_twin(c, &c->of[i]);
    }
    return TRUE;
}
