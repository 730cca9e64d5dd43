#include "answer/engine/traffic_answer.h"
#include "ask/ask.h"
#include "base/error.h"
#include "base/nearest.h"
#include "base/parallel.h"
#include "cli.h"
#include "engine/schedule/record.h"
#include "out/note.h"
#include "out/picture.h"

static const char help_text[] = "Says what the links between nodes carry while algorithms run: for each class of\n"
                                "links the bytes, the messages, the busiest link, and the most in one round.\n"
                                "\n"
                                "  collsim traffic allreduce ring -p 64 -m 1M --topology torus:4,4,4\n"
                                "  collsim traffic allreduce all -p 2048x4 -m 64K --platform leonardo\n"
                                "  collsim traffic alltoall bruck -p 256 -m 1K --platform lumi --nodes random:1\n"
                                "  collsim traffic bcast binomial -p 64 -m 8 --topology groups:16 --draw map.svg\n"
                                "\n"
                                "A round has the messages that begin together if each takes one unit of time, as\n"
                                "show draws them. Everything is counted, so no machine's figures matter; the\n"
                                "loads are exact. A link's bytes over several links count once for each.\n"
                                "\n"
                                "With several algorithms, or all, those with the fewest bytes on the links of a\n"
                                "class come first; --by names the class.\n"
                                "\n" HELP_PLACEMENT "\n"
                                "--draw draws how much the groups of the network send to each other, and with\n"
                                "--rounds the largest load of each class in every round.\n"
                                "\n" HELP_BYTES "\n" HELP_NODES;

typedef struct TrafficOptions {
    RequestOptions request;
    NetworkOptions network;
    char *by;
    gboolean rounds;
    PictureAsk draw;
} TrafficOptions;

static void options_clear(TrafficOptions *o)
{
    request_options_clear(&o->request);
    network_options_clear(&o->network);
    g_free(o->by);
    picture_ask_clear(&o->draw);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TrafficOptions, options_clear)

// What all runs share.
typedef struct TrafficWork {
    const Request *request;
    LoadsOptions options; // without the hosts
    GPtrArray *hosts;     // of int *, by seed: the host of each node
    const Mapping *map;
    int p;
    uint32_t first_seed;
    gboolean all; // what is too large is left out
} TrafficWork;

static void run_free(gpointer data)
{
    loads_free(((TrafficRun *)data)->loads);
    g_free(data);
}

// Finds the loads of one run.
static gboolean run_one(gpointer job, gpointer user, GError **error)
{
    TrafficRun *run = job;
    const TrafficWork *work = user;
    Operation op = point_operation(work->request, (Point *)run->point);
    if (!op.algorithm || op.algorithm->shared)
        return TRUE;
    g_autoptr(GError) refused = NULL;
    Schedule *s = schedule_admit(&op, &(RecordOptions){.mixes = true}, 0, NULL, &refused);
    if (s) {
        const int *host = g_ptr_array_index(work->hosts, run->seed - work->first_seed);
        g_autofree int *of_rank = g_new(int, work->p);
        for (int rank = 0; rank < work->p; rank++)
            of_rank[rank] = host[work->map ? work->map->nodes->of[rank] : rank];
        LoadsOptions options = work->options;
        options.host = of_rank;
        run->loads = loads_new(s, run->network, &options, &refused);
        schedule_free(s);
    }
    if (!refused)
        return TRUE;
    if (!work->all) {
        g_propagate_error(error, g_steal_pointer(&refused));
        return FALSE;
    }
    return TRUE;
}

// Finds the class by which algorithms are ranked: the one that leads furthest.
static gboolean find_class(const char *by, const Topology *t, int *class, GError **error)
{
    const char *names[TOPOLOGY_CLASSES + 1] = {NULL};
    const int n = topology_classes(t);
    for (int i = 0; i < n; i++)
        names[i] = topology_class(t, i);
    *class = t->kind == TOPOLOGY_GROUPS ? 1 : n - 1;
    return !by || nearest_find("class of links", by, names, class, error);
}

// Asks for the one place that all algorithms run at, and makes their points.
static GPtrArray *find_points(char **words, const TrafficOptions *o, Request *r, GError **error)
{
    r->machine.model = &hockney_model; // no figure counts, but what runs must send messages
    if (!(r->machine.platform = ask_platform(o->request.platform ? o->request.platform : PLATFORM_DEFAULT, error)) ||
        !ask_operation(words, &o->request, r, error) || !request_transfer(&r->machine, o->request.transfer, error))
        return NULL;
    if (r->question.ranks->len != 1 || r->question.sizes->len != 1) {
        bad_input(error, "traffic shows one number of ranks and one size; allowed: -p P -m BYTES");
        return NULL;
    }
    return points_make(r, error);
}

// Places the nodes for each seed.
static gboolean place_all(TrafficWork *work, const NetworkSpec *asked, int nodes, GPtrArray *networks, GError **error)
{
    for (uint32_t seed = asked->nodes.seed;; seed++) {
        int *host = NULL;
        Network *n = placement_make(&asked->nodes, seed, &asked->topology, asked->hosts, nodes, &host, error);
        if (!n)
            return FALSE;
        g_ptr_array_add(networks, n);
        g_ptr_array_add(work->hosts, host);
        if (seed == asked->nodes.last_seed)
            return TRUE;
    }
}

// Writes the answer, and the picture if there is to be one. Returns the exit status.
static int write_answer(const TrafficAnswer *x, const TrafficOptions *o, GError **error)
{
    g_auto(Answer) answer = {0};
    g_auto(Output) drawing = {0};
    if (!answer_open(&answer, &o->request.answer, error) || !picture_open(&o->draw, &drawing, error) ||
        (o->draw.path && !canvas_close(traffic_canvas(x, &o->draw), &drawing, error)))
        return 2;
    if (!o->draw.path || o->request.answer.format || o->request.answer.output)
        traffic_report(&answer, x);
    return answer_close(&answer, error) ? 0 : 2;
}

static int run_traffic(char **words, const TrafficOptions *o, GError **error)
{
    g_auto(Request) r = {0};
    g_auto(NetworkSpec) asked = {0};
    g_autoptr(GPtrArray) points = find_points(words, o, &r, error);
    TrafficAnswer answer = {.request = &r, .asked = &asked, .rounds = o->rounds};
    if (!points || !network_options_read(&o->network, r.machine.platform, &asked, error) ||
        !find_class(o->by, &asked.topology, &answer.by, error))
        return 2;
    if (points->len > 1 && (o->rounds || o->draw.path))
        return bad_input(error, "%s shows one algorithm, and these are %u; allowed: one algorithm",
                         o->rounds ? "--rounds" : "--draw", points->len),
               2;
    const Point *first = g_ptr_array_index(points, 0);
    g_autoptr(GPtrArray) networks = g_ptr_array_new_with_free_func((GDestroyNotify)network_free),
                         hosts = g_ptr_array_new_with_free_func(g_free),
                         runs = g_ptr_array_new_with_free_func(run_free);
    TrafficWork work = {
        .request = &r,
        .options = {.transfer = r.machine.options.transfer, .rows = o->rounds, .between = true},
        .hosts = hosts,
        .map = request_is_mapped(&r.machine, first->per_node) ? request_mapping(&r.machine, first->p, first->per_node)
                                                              : NULL,
        .p = first->p,
        .first_seed = asked.nodes.seed,
        .all = points->len > 1,
    };
    if (!place_all(&work, &asked, work.map ? work.map->nodes->n : work.p, networks, error))
        return 2;
    for (guint i = 0; i < points->len; i++)
        for (guint k = 0; k < networks->len; k++) {
            TrafficRun *run = g_new0(TrafficRun, 1);
            *run = (TrafficRun){points->pdata[i], asked.nodes.seed + k, networks->pdata[k], NULL};
            g_ptr_array_add(runs, run);
        }
    const ParallelWork parallel = {.run = run_one, .what = "runs", .user = &work};
    if (!parallel_run(runs, &parallel, error))
        return 2;
    answer.runs = runs;
    answer.seeds = networks->len;
    if (points->len == 1 && !((TrafficRun *)runs->pdata[0])->loads)
        return bad_input(error, "%s sends no messages; allowed: an algorithm that does", first->algorithm->name), 2;
    return write_answer(&answer, o, error);
}

int cmd_traffic(int argc, char **argv, GError **error)
{
    g_auto(TrafficOptions) o = {.request.libraries = TRUE, .request.one_root = TRUE};
    const GOptionEntry entries[] = {
        ONE_RUN_ENTRIES("ranks", o.request),
        ENTRY_STRING("platform", 0, o.request.platform, "machine, or an .ini file, with its [topology]", "NAME|FILE"),
        NETWORK_ENTRIES(o.network),
        ENTRY_TRANSFER(o.request.transfer),
        ENTRY_STRING("by", 0, o.by, "rank algorithms by this class of links", "CLASS"),
        {"rounds", 0, 0, G_OPTION_ARG_NONE, &o.rounds, "show the largest loads of every round", NULL},
        DRAW_ENTRIES(o.draw, "draw to FILE.svg, .png or .pdf"),
        ANSWER_ENTRIES(o.request.answer),
        {NULL},
    };
    g_auto(GStrv) words = NULL;
    if (!options_parse(argc, argv, "COLLECTIVE ALGORITHM|all", help_text, entries, 2, 2, &words, error))
        return 2;
    picture_synonym(&o.request.answer.output, &o.draw);
    return picture_ask(&o.draw, "--draw", error) ? run_traffic(words, &o, error) : 2;
}
