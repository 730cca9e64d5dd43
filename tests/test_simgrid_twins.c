// The table of twins, which says how SimGrid's own collective algorithms compare with ours. The table is tested by
// itself, and where SimGrid is installed, with SimGrid:
// - On each of our topologies, a message of n bytes between neighbours takes alpha + n beta.
// - SimGrid has exactly the algorithms that the table names.
// - A twin takes the same time as our algorithm wherever the table says so, and another time at some point if the table
//   says that they differ.
#include "api/backend.h"
#include "api/make.h"
#include "engine/schedule/record.h"
#include "engine/replay/replay.h"
#include "run/launch/simgrid.h"
#include "registry/simgrid_twins.h"
#include "sample.h"
#include "tap.h"
#include "judge/prove/nodes.h"
#include "registry/composition.h"
#include "api/integers.h"
#include <glib/gstdio.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ELEMENT = 4, N_SIZES = 3, MOST_SIZES = 6 };
static const double ALPHA = 2e-6, BETA = 1e-9;

// A program that is called as COLLECTIVE BYTES.. and runs the collective on each size; each rank prints its time. The
// collective runs once before it is timed, and all ranks then begin together. The collective `pingpong` sends a message
// from rank 0 to rank 1 and back.
static const char program[] =
    "#include <mpi.h>\n"
    "#include <smpi/smpi.h>\n"
    "#include <stdio.h>\n"
    "#include <stdlib.h>\n"
    "#include <string.h>\n"
    "#define IS(x) (strcmp(what, x) == 0)\n"
    "static void run(const char *what, int m, char *a, char *b, int *n, int *at, int p)\n"
    "{\n"
    "    const MPI_Comm w = MPI_COMM_WORLD;\n"
    "    int e = m / 4;\n"
    "    for (int i = 0; i < p; i++) {\n"
    "        n[i] = IS(\"reduce_scatter\") ? e / p + (i < e % p) : e;\n"
    "        at[i] = i * e;\n"
    "    }\n"
    "    if (IS(\"allgather\")) MPI_Allgather(a, e, MPI_INT, b, e, MPI_INT, w);\n"
    "    else if (IS(\"allgatherv\")) MPI_Allgatherv(a, e, MPI_INT, b, n, at, MPI_INT, w);\n"
    "    else if (IS(\"allreduce\")) MPI_Allreduce(a, b, e, MPI_INT, MPI_SUM, w);\n"
    "    else if (IS(\"alltoall\")) MPI_Alltoall(a, e, MPI_INT, b, e, MPI_INT, w);\n"
    "    else if (IS(\"alltoallv\")) MPI_Alltoallv(a, n, at, MPI_INT, b, n, at, MPI_INT, w);\n"
    "    else if (IS(\"barrier\")) MPI_Barrier(w);\n"
    "    else if (IS(\"bcast\")) MPI_Bcast(a, e, MPI_INT, 0, w);\n"
    "    else if (IS(\"gather\")) MPI_Gather(a, e, MPI_INT, b, e, MPI_INT, 0, w);\n"
    "    else if (IS(\"gatherv\")) MPI_Gatherv(a, e, MPI_INT, b, n, at, MPI_INT, 0, w);\n"
    "    else if (IS(\"reduce\")) MPI_Reduce(a, b, e, MPI_INT, MPI_SUM, 0, w);\n"
    "    else if (IS(\"reduce_scatter\")) MPI_Reduce_scatter(a, b, n, MPI_INT, MPI_SUM, w);\n"
    "    else if (IS(\"reduce_scatter_block\")) MPI_Reduce_scatter_block(a, b, e, MPI_INT, MPI_SUM, w);\n"
    "    else if (IS(\"scatter\")) MPI_Scatter(a, e, MPI_INT, b, e, MPI_INT, 0, w);\n"
    "    else if (IS(\"scatterv\")) MPI_Scatterv(a, n, at, MPI_INT, b, e, MPI_INT, 0, w);\n"
    "    else abort();\n"
    "}\n"
    "int main(int argc, char **argv)\n"
    "{\n"
    "    int rank, p;\n"
    "    MPI_Init(&argc, &argv);\n"
    "    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
    "    MPI_Comm_size(MPI_COMM_WORLD, &p);\n"
    "    for (int i = 2; i < argc; i++) {\n"
    "        const int m = atoi(argv[i]);\n"
    "        char *a = calloc(p, m + 4), *b = calloc(p, m + 4);\n"
    "        int *n = calloc(p, sizeof *n), *at = calloc(p, sizeof *at);\n"
    "        double begin = MPI_Wtime();\n"
    "        if (strcmp(argv[1], \"pingpong\") != 0) {\n"
    "            run(argv[1], m, a, b, n, at, p);\n"
    "            smpi_execute_benched(0.25 * (i - 1) - MPI_Wtime());\n"
    "            begin = 0.25 * (i - 1);\n"
    "            run(argv[1], m, a, b, n, at, p);\n"
    "        } else if (rank < 2) {\n"
    "            if (rank == 0) MPI_Send(a, m, MPI_BYTE, 1, 0, MPI_COMM_WORLD);\n"
    "            MPI_Recv(b, m, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n"
    "            if (rank == 1) MPI_Send(a, m, MPI_BYTE, 0, 0, MPI_COMM_WORLD);\n"
    "        }\n"
    "        printf(\"%d %d %.17g\\n\", i - 2, rank, MPI_Wtime() - begin);\n"
    "        free(a); free(b); free(n); free(at);\n"
    "    }\n"
    "    MPI_Finalize();\n"
    "    return 0;\n"
    "}\n";

// ---- The table ------------------------------------------------------------------------------------------------------

static void test_table(void)
{
    for (int i = 0; i < n_simgrid_twins; i++) {
        const SimgridTwin *t = &simgrid_twins[i];
        g_test_message("%s %s", collectives[t->collective].name, t->name);
        g_assert_true(i == 0 || simgrid_twins[i - 1].collective <= t->collective);
        for (int k = 0; k < i; k++)
            g_assert_false(simgrid_twins[k].collective == t->collective && strcmp(simgrid_twins[k].name, t->name) == 0);
        g_assert_true(t->difference || (t->algorithm && !t->shares && !t->differs && t->cut == CUT_ANY));
        if (!t->algorithm)
            continue;
        g_autofree char *alias = g_strconcat("smpi:", t->name, NULL);
        const CollAlgorithm *a = algorithm_find(t->collective, t->algorithm),
                            *named = algorithm_find(t->collective, alias);
        g_assert_true(a && named && named->run == a->run);
        const SimgridTwin *first = simgrid_twin(a);
        g_assert_true(first && first <= t && strcmp(first->algorithm, t->algorithm) == 0);
        g_assert_true(named == a || simgrid_twin(named) == t);
    }
    for (int i = 0; i < n_algorithms; i++) {
        int aliases = 0, twins = 0;
        for (int k = 0; k < COLL_MAX_ALIASES && algorithms[i]->aliases[k]; k++)
            aliases += g_str_has_prefix(algorithms[i]->aliases[k], "smpi:");
        for (int k = 0; k < n_simgrid_twins; k++)
            twins += simgrid_twins[k].algorithm && simgrid_twins[k].collective == algorithms[i]->collective &&
                     strcmp(simgrid_twins[k].algorithm, algorithms[i]->name) == 0;
        g_assert_cmpint(aliases, ==, twins);
        g_assert_true(!simgrid_twin(algorithms[i]) == !twins);
    }
}

// ---- Running SimGrid ------------------------------------------------------------------------------------------------

typedef struct Lab {
    char *dir, *source, *program, *xml, *hosts;
    gboolean ready;
} Lab;

static gboolean has_simgrid(void)
{
    g_autofree char *run = g_find_program_in_path("smpirun"), *cc = g_find_program_in_path("smpicc");
    if (run && cc)
        return TRUE;
    g_test_skip("no SimGrid: smpicc and smpirun are missing");
    return FALSE;
}

static void lab_open(Lab *lab, gconstpointer unused)
{
    (void)unused;
    lab->dir = g_dir_make_tmp("collsim-simgrid-XXXXXX", NULL);
    lab->source = g_build_filename(lab->dir, "program.c", NULL);
    lab->program = g_build_filename(lab->dir, "program", NULL);
    lab->xml = g_build_filename(lab->dir, "machine.xml", NULL);
    lab->hosts = g_build_filename(lab->dir, "hosts", NULL);
    lab->ready = has_simgrid();
    if (!lab->ready)
        return;
    int status = 1;
    g_autofree char *output = NULL;
    const char *const compile[] = {"smpicc", "-O1", lab->source, "-o", lab->program, NULL};
    g_assert_true(g_file_set_contents(lab->source, program, -1, NULL));
    g_assert_true(g_spawn_sync(NULL, (char **)(uintptr_t)compile, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, &output,
                               &status, NULL));
    if (status != 0)
        g_error("smpicc: %s", output);
}

static void lab_close(Lab *lab, gconstpointer unused)
{
    (void)unused;
    char *const files[] = {lab->source, lab->program, lab->xml, lab->hosts, lab->dir};
    for (size_t i = 0; i < G_N_ELEMENTS(files); i++) {
        g_remove(files[i]);
        g_free(files[i]);
    }
}

// Runs the collective `what` on SimGrid, with n sizes and further options, which may be NULL. Sets end[i] to the
// latest end of any rank on size i, and *err to what was written to stderr (free with g_free). Returns FALSE if a rank
// did not come to its end.
static gboolean lab_run(const Lab *lab, const SimgridMachine *m, const char *what, const size_t *sizes, int n,
                        char **options, double *end, char **err)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *xml = simgrid_xml(m, &error), *hosts = simgrid_hostfile(m), *output = NULL;
    g_assert_no_error(error);
    g_assert_true(g_file_set_contents(lab->xml, xml, -1, NULL) && g_file_set_contents(lab->hosts, hosts, -1, NULL));
    char size[MOST_SIZES][24];
    const char *arguments[MOST_SIZES + 3] = {lab->program, what};
    for (int i = 0; i < n; i++) {
        g_snprintf(size[i], sizeof size[i], "%zu", sizes[i]);
        arguments[i + 2] = size[i];
    }
    g_auto(GStrv) words = simgrid_command(m, lab->xml, lab->hosts, arguments);
    g_autoptr(GStrvBuilder) all = g_strv_builder_new();
    g_strv_builder_add(all, words[0]);
    if (options)
        g_strv_builder_addv(all, (const char **)options);
    g_strv_builder_addv(all, (const char **)words + 1);
    g_auto(GStrv) argv = g_strv_builder_end(all);
    g_assert_true(g_spawn_sync(lab->dir, argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &output, err, NULL, &error));
    g_assert_no_error(error);
    g_auto(GStrv) lines = g_strsplit(output, "\n", -1);
    int ends = 0;
    memset(end, 0, (size_t)n * sizeof *end);
    for (char **line = lines; *line; line++) {
        int i, rank;
        double t;
        if (sscanf(*line, "%d %d %lf", &i, &rank, &t) != 3) // smpirun writes other lines if the program failed
            continue;
        end[i] = MAX(end[i], t);
        ends++;
    }
    return ends == n * m->p;
}

static Platform *platform_of(const char *topology)
{
    g_autofree char *text = g_strdup_printf(
        "[hockney]\nalpha = %.17gs\nalpha.source = x\nbeta = %.17gs/B\nbeta.source = x\n%s", ALPHA, BETA, topology);
    g_autoptr(GError) error = NULL;
    Platform *platform = platform_parse("box.ini", text, strlen(text), &error);
    g_assert_no_error(error);
    return platform;
}

// Returns nodes of k consecutive ranks, or NULL if k is 0. Free with mapping_free.
static Mapping *blocks(int p, int k)
{
    return k ? mapping_new(&(MapSpec){.kind = MAP_BLOCK, .k = k}, NULL, p, NULL) : NULL;
}

static gboolean near(double a, double b, double bound)
{
    return fabs(a - b) <= bound * fabs(b);
}

static void test_pingpong(Lab *lab, gconstpointer unused)
{
    (void)unused;
    static const struct {
        const char *topology;
        int p, per_node;
        SimgridTransfer transfer;
    } machines[] = {
        {"", 2, 0, SIMGRID_RENDEZVOUS},
        {"", 64, 0, SIMGRID_RENDEZVOUS},
        {"", 4, 2, SIMGRID_RENDEZVOUS},
        {"", 4, 0, SIMGRID_EAGER},
        {"", 4, 0, SIMGRID_EAGER_SHARED},
        {"[topology]\nkind = fat_tree\nshape = 2;4,4;1,2;1,2\nshape.source = x\n", 16, 0, SIMGRID_RENDEZVOUS},
        {"[topology]\nkind = fat_tree\nshape = 2;1,8;1,2;1,1\nshape.source = x\n", 5, 0, SIMGRID_EAGER_SHARED},
        {"[topology]\nkind = torus\nshape = 4,4\nshape.source = x\n", 16, 0, SIMGRID_RENDEZVOUS},
        {"[topology]\nkind = torus\nshape = 3,2,2\nshape.source = x\n", 24, 2, SIMGRID_RENDEZVOUS},
        {"[topology]\nkind = dragonfly\nshape = 2,1;2,1;2,1;2\nshape.source = x\n", 16, 0, SIMGRID_RENDEZVOUS},
        {"[topology]\nkind = dragonfly\nshape = 2,3;2,1;2,2;1\nshape.source = x\n", 8, 0, SIMGRID_RENDEZVOUS},
    };
    for (size_t i = 0; lab->ready && i < G_N_ELEMENTS(machines); i++) {
        static const size_t sizes[MOST_SIZES] = {0, 1, 1000, 65535, 65536, 1 << 20};
        g_autoptr(Platform) platform = platform_of(machines[i].topology);
        g_autoptr(Mapping) map = blocks(machines[i].p, machines[i].per_node);
        const SimgridMachine m = {platform, machines[i].transfer, machines[i].p, map};
        double end[MOST_SIZES];
        g_autofree char *err = NULL;
        if (!lab_run(lab, &m, "pingpong", sizes, MOST_SIZES, NULL, end, &err))
            g_error("smpirun: %s", err);
        for (int k = 0; k < MOST_SIZES; k++) {
            const double t = 2 * (ALPHA + (double)sizes[k] * BETA);
            g_test_message("%s, %d ranks, %zu bytes: %.17g", topology_names[platform->topology.kind], m.p, sizes[k],
                           end[k]);
            g_assert_true(near(end[k], t, 1e-12));
        }
    }
}

// ---- Names ----------------------------------------------------------------------------------------------------------

static void test_names(Lab *lab, gconstpointer unused)
{
    (void)unused;
    // These are not algorithms but rules that choose one.
    static const char *const rules[] = {"default", "ompi", "mpich", "mvapich2", "impi", "automatic", NULL};
    static const char lead[] = "Valid algorithms: ";
    g_autoptr(Platform) platform = platform_of("");
    const SimgridMachine m = {.platform = platform, .p = 2};
    for (int c = 0; lab->ready && c < N_COLLECTIVES; c++) {
        if (!sample_takes((guint)c, 4))
            continue;
        g_autoptr(GHashTable) ours = g_hash_table_new(g_str_hash, g_str_equal);
        for (int i = 0; i < n_simgrid_twins; i++)
            if (simgrid_twins[i].collective == (Collective)c)
                g_hash_table_add(ours, (gpointer)(uintptr_t)simgrid_twins[i].name);
        if (c == COLL_REDUCE_SCATTER_BLOCK || g_hash_table_size(ours) == 0 || g_hash_table_contains(ours, "default"))
            continue;
        double end[N_SIZES];
        g_autofree char *err = NULL, *option = g_strdup_printf("--cfg=smpi/%s:none", collectives[c].name);
        char *options[] = {option, NULL};
        g_assert_false(lab_run(lab, &m, collectives[c].name, (const size_t[N_SIZES]){0}, N_SIZES, options, end, &err));
        const char *list = strstr(err, lead);
        g_assert_nonnull(list);
        g_autofree char *all = g_strndup(list + strlen(lead), strcspn(list + strlen(lead), ".\n"));
        g_auto(GStrv) names = g_strsplit(all, ", ", -1);
        for (char **name = names; *name; name++) {
            g_test_message("%s %s", collectives[c].name, *name);
            g_assert_true(g_strv_contains(rules, *name) != g_hash_table_remove(ours, *name));
        }
        g_assert_cmpuint(g_hash_table_size(ours), ==, 0);
    }
}

// ---- Twins ----------------------------------------------------------------------------------------------------------

// Returns the time of our algorithm at this point, or -1 if a fallback would run.
static double simulate(const SimgridTwin *t, int p, int per_node, size_t m, Transfer transfer)
{
    const CollAlgorithm *a = algorithm_find(t->collective, t->algorithm);
    const Coll of = {.p = p,
                     .elem = ELEMENT,
                     .commutative = true,
                     .nodes = nodes_of(p, per_node),
                     .par = simgrid_twin_params(t, p, m)};
    Coll view = coll_make(t->collective, &of, 0, m, NULL);
    const char *why;
    if (coll_resolve(a, &view, &why) != a)
        return -1;
    Schedule *s = schedule_record(&(Operation){a, of, m}, NULL);
    const Hockney h = {ALPHA, BETA, 0, transfer};
    g_autoptr(Replay) r = replay(s, &h, &(ReplayOptions){0}, NULL);
    g_assert_nonnull(r);
    const Certificate c = r->certificate;
    schedule_free(s);
    return (double)c.alpha * ALPHA + (double)c.beta * BETA;
}

// Compares a twin with our algorithm on p ranks, under one transfer and on up to three sizes. Fails if the times differ where
// the table says that they are equal. Adds to *points the points that were compared, and to *different those that
// differ.
static void compare(const Lab *lab, const SimgridTwin *t, const Platform *platform, int p, gboolean eager, int *points,
                    int *different)
{
    const int per_node = t->nodes ? 4 : 0;
    g_autoptr(Mapping) map = blocks(p, per_node);
    const SimgridMachine m = {platform, eager ? SIMGRID_EAGER : SIMGRID_RENDEZVOUS, p, map};
    const size_t even = (size_t)ELEMENT * (size_t)p * (size_t)pow2_floor(p);
    // SimGrid's segmented ring only has segments from 1 MiB per rank on.
    const bool long_ones = strcmp(t->algorithm, "segmented_ring") == 0;
    const size_t candidates[N_SIZES] = {even, (size_t)ELEMENT * (t->cut == CUT_FILLED ? 3 : 1001),
                                        long_ones ? (size_t)p << 20 : even * 700};
    const char *name = collectives[t->collective].name;
    size_t sizes[N_SIZES];
    double ours[N_SIZES], end[N_SIZES];
    int n = 0;
    for (int i = 0; i < N_SIZES; i++) {
        sizes[n] = t->collective == COLL_BARRIER ? 0 : candidates[i];
        ours[n] = simulate(t, p, per_node, sizes[n], eager ? TRANSFER_EAGER : TRANSFER_RENDEZVOUS);
        n += ours[n] >= 0; // SimGrid's algorithm may never end where ours cannot run
    }
    if (n == 0)
        return;
    g_auto(GStrv) options = simgrid_twin_options(t);
    g_autofree char *err = NULL;
    const gboolean ran = lab_run(lab, &m, name, sizes, n, options, end, &err);
    for (int i = 0; i < n; i++) {
        const bool equal = simgrid_twin_equal(t, p, per_node, sizes[i] / ELEMENT, eager, false);
        g_test_message("%s %s: %s, p = %d, m = %zu, %s: %.17g, here %.17g", name, t->name, t->algorithm, p, sizes[i],
                       simgrid_transfers[m.transfer], end[i], ours[i]);
        if (equal && !ran)
            g_error("smpirun: %s", err);
        const bool same = ran && near(end[i], ours[i], 1e-9);
        g_assert_true(same || !equal);
        *different += !same;
        ++*points;
    }
}

static void test_twins(Lab *lab, gconstpointer unused)
{
    (void)unused;
    int all = 0, unlike = 0;
    g_autoptr(Platform) platform = platform_of("");
    for (int i = 0; lab->ready && i < n_simgrid_twins; i++) {
        static const int ranks[][2] = {{7, 8}, {8, 12}, {2}};
        const SimgridTwin *t = &simgrid_twins[i];
        const gboolean two = t->algorithm && strcmp(t->algorithm, "two_procs") == 0;
        int points = 0, different = 0;
        if (!sample_takes((guint)i, 6))
            continue;
        for (int k = 0; t->algorithm && k < 2; k++)
            for (int eager = 0; eager < 2; eager++) {
                const int p = ranks[two ? 2 : t->nodes][k];
                if (p)
                    compare(lab, t, platform, p, eager, &points, &different);
            }
        g_test_message("%s %s: %d points, %d differ", collectives[t->collective].name, t->name, points, different);
        if (t->algorithm) {
            g_assert_cmpint(points, >, 0);
            // A difference in the table must show at some point, except one in the order of reductions, which cost
            // nothing here.
            g_assert_true(!t->difference == !different || (t->order && !t->shares && !different));
        }
        all += points;
        unlike += different;
    }
    g_test_message("%d points, of these %d differ as the table says", all, unlike);
}

static void add(void)
{
    g_test_add_func("/simgrid-twins/table", test_table);
    g_test_add("/simgrid-twins/pingpong", Lab, NULL, lab_open, test_pingpong, lab_close);
    g_test_add("/simgrid-twins/names", Lab, NULL, lab_open, test_names, lab_close);
    g_test_add("/simgrid-twins/twins", Lab, NULL, lab_open, test_twins, lab_close);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add);
}
