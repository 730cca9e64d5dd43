// rules_mpich: says whether MPICH does with a tuning file what `collsim rules check` says. `make rules-real` runs it.
//
//   rules_mpich SEED FILES FOLDER [HOW]        starts programs with random files, the first from SEED; the files are
//                                              made in the folder. HOW is `recorded`, which prints what happened with
//                                              each of them, or `blocks` or `cyclic`: the four ranks are on two nodes.
//   rules_mpich calls POINTS                   what it starts, under mpiexec: makes the calls of a file of points, and
//                                              notes for each a number that the lengths of all messages determine
//
// One program is started for each file. It makes all calls that should return, and then one that should end it, so its
// exit status and how far it came are compared. Which algorithm a call ran is known from the lengths of its messages:
// before, all calls are made with every algorithm forced by its variable (MPIR_CVAR_BCAST_INTRA_ALGORITHM ..). Where
// another algorithm sends the same, the call counts as one that could be another. Not compared are the lengths of calls
// that wait for a nonblocking collective, which no variable forces alike, and of those that return wrong data. The smp
// algorithms send nothing where no ranks share a node; where some do, they call others, and are not called.
//
// The tree sees all ranks, since DEVICE_COLLECTIVES is none. No two of them share a node, since NOLOCAL is set, or MPICH
// takes them for those of two nodes, since NUM_CLIQUES is set.
// Communicators are made by a group: that alone needs no collective of the tree.
#define _GNU_SOURCE // RTLD_NEXT
#include "order/calls.h"
#include "order/ucx.h"
#include "rules_trees.h"
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// ---- The program that is started ------------------------------------------------------------------------------------

static bool noting;
static uint64_t digest;

void *ucp_tag_send_nbx(void *ep, const void *buffer, size_t n, uint64_t tag, const void *param)
{
    static void *(*next)(void *, const void *, size_t, uint64_t, const void *);
    if (!next)
        *(void **)&next = dlsym(RTLD_NEXT, "ucp_tag_send_nbx");
    if (noting) // FNV-1a, a length at a time
        digest = ((digest ^ 1) * 1099511628211u ^ ucx_bytes(n, param)) * 1099511628211u;
    return next(ep, buffer, n, tag, param);
}

enum { FIRST_DIGEST = 7, TAG = 9 };

static void add(void *in, void *into, int *n, MPI_Datatype *type)
{
    (void)in;
    (void)into;
    (void)n;
    (void)type;
}

static void make_call(const TreesPoint *point, int rank, FILE *out)
{
    static MPI_Comm comms[TREES_RANKS + 1];
    static MPI_Op own = MPI_OP_NULL;
    const int p = point->p;
    if (own == MPI_OP_NULL)
        MPI_Op_create(add, 1, &own);
    comms[TREES_RANKS] = MPI_COMM_WORLD; // to make one of all ranks, the library asks the tree for a broadcast
    if (rank < p && !comms[p]) {
        MPI_Group all, some;
        int range[1][3] = {{0, p - 1, 1}};
        MPI_Comm_group(MPI_COMM_WORLD, &all);
        MPI_Group_range_incl(all, 1, range, &some);
        MPI_Comm_create_group(MPI_COMM_WORLD, some, TAG, &comms[p]);
    }
    digest = FIRST_DIGEST;
    if (rank < p) {
        const RandomCall call = {.collective = point->collective,
                                 .p = p,
                                 .count = point->count,
                                 .elem = point->elem,
                                 .commutative = point->operation != TREES_ORDERED,
                                 .in_place = point->in_place};
        noting = true;
        calls_make(&call, point->operation == TREES_OWN ? own : calls_operation(&call), comms[p]);
        noting = false;
    }
    fprintf(out, "%016" G_GINT64_MODIFIER "x\n", (guint64)digest);
    fflush(out);
}

// Waits for all ranks. A collective would be one of the file.
static void wait_for_all(int rank)
{
    int word = 0;
    for (int r = 1; r < TREES_RANKS && rank == 0; r++)
        MPI_Recv(&word, 1, MPI_INT, r, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank > 0)
        MPI_Send(&word, 1, MPI_INT, 0, TAG, MPI_COMM_WORLD);
    for (int r = 1; r < TREES_RANKS && rank == 0; r++)
        MPI_Send(&word, 1, MPI_INT, r, TAG, MPI_COMM_WORLD);
    if (rank > 0)
        MPI_Recv(&word, 1, MPI_INT, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

// Makes the calls of the file `path`. Rank r writes to PATH.r, because mpiexec may lose what a program prints before it
// is ended.
static int make_calls(const char *path)
{
    g_autofree char *text = NULL;
    int rank;
    alarm(120);
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    g_autofree char *name = g_strdup_printf("%s.%d", path, rank);
    FILE *out = fopen(name, "w");
    if (!out || !g_file_get_contents(path, &text, NULL, NULL))
        MPI_Abort(MPI_COMM_WORLD, 2);
    fputs("starts\n", out);
    fflush(out);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    TreesPoint point;
    for (char **line = lines; *line; line++)
        if (trees_read_point(*line, &point)) {
            if (!line[1] || !*line[1])
                wait_for_all(rank); // the last call may end the program
            make_call(&point, rank, out);
        }
    fclose(out);
    MPI_Finalize();
    return 0;
}

// ---- Starting it -----------------------------------------------------------------------------------------------------

static const char *folder;
static TreesPlaces places;
static char *program;

// What a program printed and how it ended.
typedef struct Launched {
    gboolean started, good; // it came through MPI_Init; its exit status is 0
    char **digests;         // of the calls that returned
} Launched;

// Makes the calls, TreesPoint, with a tuning file or with none, and with settings NAME=VALUE. Clear with g_strfreev.
static Launched launch(const GArray *points, const char *tuning, char **settings)
{
    g_autofree char *path = g_strdup_printf("%s/points", folder), *out = NULL, *err = NULL;
    g_autofree char *file = g_strdup_printf("MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=%s", tuning ? tuning : "");
    FILE *to = fopen(path, "w");
    for (guint i = 0; i < points->len; i++) {
        trees_print_point(to, &g_array_index(points, TreesPoint, i));
        fputc('\n', to);
    }
    fclose(to);
    g_autoptr(GPtrArray) words = g_ptr_array_new();
    char ranks[8];
    snprintf(ranks, sizeof ranks, "%d", TREES_RANKS);
    const char *const first[] = {"env",
                                 places == TREES_ALONE ? "MPIR_CVAR_NOLOCAL=1" : "MPIR_CVAR_NUM_CLIQUES=2",
                                 places == TREES_BLOCKS ? "MPIR_CVAR_CLIQUES_BY_BLOCK=1"
                                                        : "MPIR_CVAR_CLIQUES_BY_BLOCK=0",
                                 "MPIR_CVAR_DEVICE_COLLECTIVES=none",
                                 "UCX_WARN_UNUSED_ENV_VARS=n",
                                 "UCX_HANDLE_ERRORS=none",
                                 "UCX_TLS=self,sm",
                                 file};
    for (size_t i = 0; i < G_N_ELEMENTS(first); i++)
        g_ptr_array_add(words, (char *)first[i]);
    for (char **s = settings; s && *s; s++)
        g_ptr_array_add(words, *s);
    const char *const last[] = {"mpiexec.mpich", "-n", ranks, program, "calls", path, NULL};
    for (size_t i = 0; i < G_N_ELEMENTS(last); i++)
        g_ptr_array_add(words, (char *)last[i]);
    Launched l = {TRUE, FALSE, NULL};
    int status = -1;
    for (int r = 0; r < TREES_RANKS; r++) {
        g_autofree char *name = g_strdup_printf("%s.%d", path, r);
        unlink(name);
    }
    g_spawn_sync(NULL, (char **)words->pdata, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &out, &err, &status, NULL);
    g_autoptr(GPtrArray) digests = g_ptr_array_new_with_free_func(g_free); // all ranks' of a call, joined
    for (int r = 0; r < TREES_RANKS; r++) {
        g_autofree char *name = g_strdup_printf("%s.%d", path, r), *text = NULL;
        l.started &= g_file_get_contents(name, &text, NULL, NULL) && g_str_has_prefix(text, "starts\n");
        g_auto(GStrv) lines = g_strsplit(l.started ? text + strlen("starts\n") : "", "\n", -1);
        const guint n = *lines ? g_strv_length(lines) - 1 : 0; // a line is empty
        for (guint i = 0; r == 0 && i < n; i++)
            g_ptr_array_add(digests, g_strdup(""));
        g_ptr_array_set_size(digests, (int)MIN(n, digests->len));
        for (guint i = 0; i < digests->len; i++) {
            char *before = digests->pdata[i];
            digests->pdata[i] = g_strconcat(before, " ", lines[i], NULL);
            g_free(before);
        }
    }
    l.digests = g_new0(char *, digests->len + 1);
    for (guint i = 0; i < digests->len; i++)
        l.digests[i] = g_strdup(digests->pdata[i]);
    l.good = status == 0;
    return l;
}

// ---- Forced algorithms ----------------------------------------------------------------------------------------------

// By point, as text, and name of an algorithm: the digest of the call when it is forced.
static GHashTable *forced;

static char *point_text(const TreesPoint *point)
{
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    trees_print_point(to, point);
    fclose(to);
    return text;
}

static Tables *mpich; // of MPICH 4.0

static char *forced_key(const TreesPoint *point, const LibraryAlgorithm *a)
{
    g_autofree char *text = point_text(point);
    return g_strdup_printf("%s %s", text, a->function);
}

// Returns the k-th algorithm of the collective that a variable can force and whose lengths are compared, or NULL.
static const LibraryAlgorithm *kth(Collective collective, int k)
{
    for (guint i = 0; i < mpich->functions->len; i++) {
        const LibraryAlgorithm *a = &g_array_index(mpich->functions, LibraryAlgorithm, i);
        const char *how = tables_short_name(a->function);
        if (!g_str_has_prefix(a->function, "MPIDI_") && strcmp(a->of, collectives[collective].name) == 0 &&
            !strstr(a->function, "_inter_") && strcmp(how, "nb") != 0 && strcmp(how, "smp") != 0 && k-- == 0)
            return a;
    }
    return NULL;
}

static void force_all(guint32 seed, int files)
{
    g_autoptr(GHashTable) known = g_hash_table_new_full(g_str_hash, g_str_equal, free, NULL);
    g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(TreesPoint));
    mpich = tables_names(&libraries[LIBRARY_MPICH_40], NULL);
    forced = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    for (int i = 0; i < files; i++) {
        g_autoptr(GArray) points = trees_points(seed + (guint32)i, places);
        for (guint k = 0; k < points->len; k++)
            if (g_hash_table_add(known, point_text(&g_array_index(points, TreesPoint, k))))
                g_array_append_val(all, g_array_index(points, TreesPoint, k));
    }
    for (int k = 0; k < 4; k++) {
        g_autoptr(GArray) some = g_array_new(FALSE, FALSE, sizeof(TreesPoint));
        g_autoptr(GPtrArray) settings = g_ptr_array_new_with_free_func(g_free);
        for (int c = 0; c < N_COLLECTIVES; c++) {
            const LibraryAlgorithm *a = kth((Collective)c, k);
            g_autofree char *upper = g_ascii_strup(collectives[c].name, -1);
            if (a)
                g_ptr_array_add(settings, g_strdup_printf("MPIR_CVAR_%s_INTRA_ALGORITHM=%s", upper,
                                                          tables_short_name(a->function)));
        }
        g_ptr_array_add(settings, NULL);
        for (guint i = 0; i < all->len; i++) {
            const TreesPoint *point = &g_array_index(all, TreesPoint, i);
            const LibraryAlgorithm *a = kth(point->collective, k);
            const RuleCall call = trees_call(point);
            if (a && !selection_unmet(a->ends_without | a->wrong_without, &call))
                g_array_append_val(some, *point);
        }
        Launched l = launch(some, NULL, (char **)settings->pdata);
        if (!l.good || g_strv_length(l.digests) != some->len)
            g_error("the calls with forced algorithms do not return");
        for (guint i = 0; i < some->len; i++) {
            const TreesPoint *point = &g_array_index(some, TreesPoint, i);
            g_hash_table_insert(forced, forced_key(point, kth(point->collective, k)), g_strdup(l.digests[i]));
        }
        g_strfreev(l.digests);
    }
}

// ---- Files ------------------------------------------------------------------------------------------------------------

typedef struct TreesScore {
    int files, wrong_files, die, end, unknown, calls, wrong_calls, alone, apart;
} TreesScore;

// Says whether a call ran what the file says: "yes", "no", or "apart" if its lengths are not compared. Counts it.
static const char *judge_call(const TreesPoint *point, const SelectionRun *run, const char *real, TreesScore *score)
{
    const LibraryAlgorithm *a = run->row->algorithm;
    g_autofree char *key = forced_key(point, a);
    const char *due = g_hash_table_lookup(forced, key);
    int same = 0;
    if (run->nonblocking || !due) {
        score->apart++;
        return "apart";
    }
    for (int k = 0; k < 4; k++) {
        const LibraryAlgorithm *other = kth(point->collective, k);
        g_autofree char *name = other ? forced_key(point, other) : NULL;
        same += other && g_strcmp0(g_hash_table_lookup(forced, name), due) == 0;
    }
    score->calls++;
    score->alone += same == 1 && strcmp(due, real) == 0;
    score->wrong_calls += strcmp(due, real) != 0;
    return strcmp(due, real) == 0 ? "yes" : "no";
}

static void try_file(guint32 seed, TreesScore *score, gboolean print)
{
    g_autofree char *text = trees_random(seed), *path = g_strdup_printf("%s/tuning.json", folder);
    g_autoptr(GError) error = NULL;
    g_autoptr(RulesFile) file = rules_parse(text, strlen(text), "file", &libraries[LIBRARY_MPICH_40], &error);
    const TreesStart start = file ? trees_start(file, places) : TREES_UNKNOWN;
    g_autoptr(GArray) points = trees_points(seed, places), made = g_array_new(FALSE, FALSE, sizeof(TreesPoint));
    TreesPoint last;
    gboolean ends = FALSE;
    if (start == TREES_UNKNOWN || !g_file_set_contents(path, text, -1, NULL)) {
        score->unknown++;
        return;
    }
    for (guint i = 0; i < points->len; i++) {
        const TreesPoint *point = &g_array_index(points, TreesPoint, i);
        const SelectionRun run = trees_run(file, point);
        if (start == TREES_DIES || trees_unknown(file, point, &run))
            continue;
        if (!run.ends)
            g_array_append_val(made, *point);
        else if (!ends || g_strcmp0(run.ends, "the tree has no algorithm for it") != 0)
            last = *point;
        ends |= run.ends != NULL;
    }
    const guint n = made->len;
    if (ends)
        g_array_append_val(made, last);
    Launched l = launch(made, path, NULL);
    const guint returned = g_strv_length(l.digests);
    const gboolean right = start == TREES_DIES ? !l.good && !l.started : l.started && returned == n && l.good == !ends;
    const int wrong = score->wrong_calls;
    GString *said = g_string_new("");
    for (guint i = 0; i < MIN(n, returned); i++) {
        const TreesPoint *point = &g_array_index(made, TreesPoint, i);
        const SelectionRun run = trees_run(file, point);
        const char *same = judge_call(point, &run, l.digests[i], score);
        g_autofree char *shown = point_text(point);
        g_string_append_printf(said, "%s: %s %s\n", shown, same,
                               run.nonblocking ? run.nonblocking->algorithm->function : run.row->algorithm->function);
    }
    g_autofree char *shown = ends ? point_text(&last) : NULL;
    if (ends)
        g_string_append_printf(said, "%s: ends\n", shown);
    score->files++;
    score->die += start == TREES_DIES;
    score->end += ends;
    score->wrong_files += !right || wrong != score->wrong_calls;
    const gboolean failed = !right || wrong != score->wrong_calls;
    if (print || failed) {
        g_autofree char *sum = trees_sum(text);
        printf("file %u %s\n%s", seed, sum, failed ? text : "");
        printf("%s\n%s", start == TREES_DIES ? "dies" : "starts", said->str);
        if (!right)
            printf("# due: %s, %u calls, %s; real: %s, %u calls, status %s\n", start == TREES_DIES ? "dies" : "starts",
                   n, ends ? "one ends it" : "none ends it", l.started ? "starts" : "dies", returned,
                   l.good ? "0" : "not 0");
        fflush(stdout);
    }
    g_string_free(said, TRUE);
    g_strfreev(l.digests);
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "calls") == 0)
        return make_calls(argv[2]);
    if (argc < 4) {
        fputs("usage: rules_mpich SEED FILES FOLDER [recorded|blocks|cyclic]\n", stderr);
        return 2;
    }
    const guint32 first = (guint32)strtoul(argv[1], NULL, 10);
    const int files = atoi(argv[2]);
    const char *how = argc > 4 ? argv[4] : "";
    const gboolean print = strcmp(how, "recorded") == 0;
    TreesScore score = {0};
    places = strcmp(how, "blocks") == 0 ? TREES_BLOCKS : strcmp(how, "cyclic") == 0 ? TREES_CYCLIC : TREES_ALONE;
    program = argv[0];
    folder = argv[3];
    force_all(first, files);
    for (int i = 0; i < files; i++)
        try_file(first + (guint32)i, &score, print);
    g_hash_table_unref(forced);
    fprintf(print ? stderr : stdout,
            "MPICH: %d of %d files agree; %d end the program in MPI_Init, %d at a call; %d left out, which depend on "
            "memory; "
            "%d of %d calls send what is due, %d of them could be no other algorithm; %d not compared\n",
            score.files - score.wrong_files, score.files, score.die, score.end, score.unknown,
            score.calls - score.wrong_calls, score.calls, score.alone, score.apart);
    return score.wrong_files > 0;
}
