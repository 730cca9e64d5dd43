// rules_ompi: says whether Open MPI does with a rules file what `collsim rules check` says. `make rules-real` runs it.
//
//   mpirun -np 9 rules_ompi 1 1000            1000 random files, the first from seed 1
//   mpirun -np 9 rules_ompi 1 120 recorded    the same with 120 files, and prints them with every fourth call
//   mpirun -np 9 --mca coll_tuned_dynamic_rules_filename FILE rules_ompi FILE
//                                             the file that the library has read itself, when it started
//
// Every file is read by the library's own reader, before communicators of 2 to 9 ranks are made. Then collectives are
// called on them, with sizes at the file's thresholds, and it is noted which of the library's functions was entered
// first. Where a file has no rule for a call, that must be the one that an equal call enters on a communicator without
// rules.
//
// Two facts about Open MPI 4.1 make this possible. Its component "tuned" calls the algorithms by their names in libmpi,
// so a program that exports functions of these names is called in their place. And the component exports its reader,
// and its variable, whose last field is the table that the reader has made.
#define _GNU_SOURCE
#include "libraries/decide/rules.h"
#include "order/ompi_functions.h"
#include "rules_files.h"
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// ---- The functions that run ----------------------------------------------------------------------------------------

static const RealFunction *entered; // the function that was entered first since it was NULL
static const char *watched;         // the collective that was called

static void real_enter(const RealFunction *function)
{
    if (!entered && watched && strcmp(function->collective, watched) == 0)
        entered = function;
}

// ---- The library's reader ------------------------------------------------------------------------------------------

typedef int RealReader(const char *path, void **rules, int collectives);

static RealReader *reader;
static void **table; // where the component has what the reader made

static int find_tuned(struct dl_phdr_info *info, size_t size, void *path)
{
    (void)size;
    if (strstr(info->dlpi_name, "mca_coll_tuned"))
        *(char **)path = strdup(info->dlpi_name);
    return 0;
}

static void reader_find(void)
{
    char *path = NULL;
    dl_iterate_phdr(find_tuned, &path);
    void *tuned = path ? dlopen(path, RTLD_LAZY | RTLD_NOLOAD) : NULL;
    void *component = tuned ? dlsym(tuned, "mca_coll_tuned_component") : NULL;
    void *read = tuned ? dlsym(tuned, "ompi_coll_tuned_read_rules_config_file") : NULL;
    Dl_info info;
    ElfW(Sym) *symbol = NULL;
    if (!read || !component || !dladdr1(component, &info, (void **)&symbol, RTLD_DL_SYMENT) || !symbol) {
        fputs("rules_ompi: this Open MPI does not export the reader of its component tuned\n", stderr);
        MPI_Abort(MPI_COMM_WORLD, 2);
        exit(2);
    }
    memcpy(&reader, &read, sizeof reader);
    table = (void **)(void *)((char *)component + symbol->st_size - sizeof(void *));
    free(path);
}

// ---- The calls -----------------------------------------------------------------------------------------------------

enum { MOST_RANKS = 9, MOST_BYTES = 1 << 20 };

static char *from, *to;
static int world_rank, world_size;
static MPI_Comm with_rules[MOST_RANKS + 1], without_rules[MOST_RANKS + 1]; // by ranks; MPI_COMM_NULL where not a member

static void make_comms(MPI_Comm *comms)
{
    for (int p = 2; p <= world_size; p++) {
        MPI_Comm_split(MPI_COMM_WORLD, world_rank < p ? 0 : MPI_UNDEFINED, world_rank, &comms[p]);
        if (comms[p] != MPI_COMM_NULL)
            MPI_Comm_set_errhandler(comms[p], MPI_ERRORS_RETURN);
    }
}

static void free_comms(MPI_Comm *comms)
{
    for (int p = 2; p <= world_size; p++)
        if (comms[p] != MPI_COMM_NULL)
            MPI_Comm_free(&comms[p]);
}

// Calls the collective with this many elements of the type (of each rank's block; of the whole vector where a rules
// file counts this). Returns MPI's error class.
static int call(int collective, MPI_Comm comm, int p, int count, MPI_Datatype type)
{
    int counts[MOST_RANKS], displs[MOST_RANKS], sum = 0;
    const MPI_Op op = type == MPI_BYTE ? MPI_BOR : MPI_SUM;
    const char *name = tuned_collectives[collective].name;
    for (int i = 0; i < p; i++) {
        // allgatherv and reduce_scatter: `count` is the mean, and the sum
        counts[i] = strcmp(name, "reduce_scatter") == 0 ? count / p + (i < count % p) : count;
        displs[i] = sum;
        sum += counts[i];
    }
    watched = name;
    entered = NULL;
    switch (collective) {
    case 0:
        return MPI_Allgather(from, count, type, to, count, type, comm);
    case 1:
        return MPI_Allgatherv(from, count, type, to, counts, displs, type, comm);
    case 2:
        return MPI_Allreduce(from, to, count, type, op, comm);
    case 3:
        return MPI_Alltoall(from, count, type, to, count, type, comm);
    case 4:
        return MPI_Alltoallv(from, counts, displs, type, to, counts, displs, type, comm);
    case 6:
        return MPI_Barrier(comm);
    case 7:
        return MPI_Bcast(to, count, type, 0, comm);
    case 8:
        return MPI_Exscan(from, to, count, type, op, comm);
    case 9:
        return MPI_Gather(from, count, type, to, count, type, 0, comm);
    case 11:
        return MPI_Reduce(from, to, count, type, op, 0, comm);
    case 12:
        return MPI_Reduce_scatter(from, to, counts, type, op, comm);
    case 13:
        return MPI_Reduce_scatter_block(from, to, count, type, op, comm);
    case 14:
        return MPI_Scan(from, to, count, type, op, comm);
    case 15:
        return MPI_Scatter(from, count, type, to, count, type, 0, comm);
    default:
        abort();
    }
}

// What a call did: the id of the algorithm, 0 if none was entered.
typedef struct Ran {
    int id;
    gboolean error;
} Ran;

static Ran ran(int collective, MPI_Comm comm, int p, int count, MPI_Datatype type)
{
    const int status = call(collective, comm, p, count, type);
    watched = NULL;
    return (Ran){entered ? entered->id : 0, status != MPI_SUCCESS};
}

// ---- Files ---------------------------------------------------------------------------------------------------------

typedef struct RealScore {
    int files, wrong_files, ignored_files, left_out, points, wrong_points, ruled_points;
} RealScore;

// Calls at one point on every rank of the communicator. Rank 0 counts, and prints what is not as predicted, or
// everything.
static void try_point(const RulesFile *file, const FilesPoint *point, RealScore *score, gboolean print)
{
    static const struct {
        int size;
        MPI_Datatype type;
    } types[] = {{1, MPI_BYTE}, {4, MPI_INT}, {8, MPI_DOUBLE}};
    const int p = point->ranks;
    if (with_rules[p] == MPI_COMM_NULL)
        return;
    const Ran real = ran(point->collective, with_rules[p], p, point->count, types[point->type].type);
    const Ran fixed = ran(point->collective, without_rules[p], p, point->count, types[point->type].type);
    if (world_rank > 0)
        return;
    const gint64 bytes = files_bytes(point);
    const FilesRun due = files_predict(file, point->collective, p, bytes, fixed.id);
    const gboolean right = real.error == due.error && (real.error || real.id == due.id);
    score->points++;
    score->ruled_points += due.ruled;
    score->wrong_points += !right;
    if (print)
        printf("%s %d %" G_GINT64_FORMAT " ran %s%d fixed %d\n", tuned_collectives[point->collective].name, p, bytes,
               real.error ? "error " : "", real.error ? 0 : real.id, fixed.id);
    else if (!right)
        printf("# %s on %d ranks, %" G_GINT64_FORMAT " bytes: ran %s%d, not %s%d\n",
               tuned_collectives[point->collective].name, p, bytes, real.error ? "error " : "", real.id,
               due.error ? "error " : "", due.id);
}

// Tries one file, which the library has read.
static void try_file(const char *text, guint32 seed, RealScore *score, gboolean print)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(RulesFile) file = rules_parse(text, strlen(text), "file", &libraries[LIBRARY_OMPI_41], &error);
    g_autoptr(GArray) points = files_points(text, seed, world_size);
    const int wrong = score->wrong_points;
    make_comms(with_rules);
    if (print && world_rank == 0)
        files_print(stdout, text, seed);
    for (guint i = 0; i < points->len; i++)
        try_point(file, &g_array_index(points, FilesPoint, i), score, print && i % 4 == 0);
    score->files++;
    score->ignored_files += file->ignored;
    score->wrong_files += score->wrong_points != wrong;
    if (world_rank == 0 && score->wrong_points != wrong && !print)
        files_print(stdout, text, seed);
    fflush(stdout);
    free_comms(with_rules);
}

// Returns TRUE if the library's memory does not survive the file.
static gboolean crashes(const char *text)
{
    g_autoptr(RulesFile) file = rules_parse(text, strlen(text), "file", &libraries[LIBRARY_OMPI_41], NULL);
    for (guint i = 0; i < file->traps->len; i++)
        if (g_array_index(file->traps, Trap, i).kind == TRAP_CRASH)
            return TRUE;
    return FALSE;
}

static void try_random(const char *path, guint32 seed, RealScore *score, gboolean print)
{
    g_autofree char *text = files_random(seed);
    if (crashes(text)) {
        score->left_out++;
        return;
    }
    if (world_rank == 0 && !g_file_set_contents(path, text, -1, NULL))
        MPI_Abort(MPI_COMM_WORLD, 2);
    MPI_Barrier(MPI_COMM_WORLD);
    void *rules = NULL;
    *table = reader(path, &rules, TUNED_COLLECTIVES) >= 0 ? rules : NULL;
    alarm(300);
    try_file(text, seed, score, print);
    *table = NULL;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world_size);
    if (argc < 2 || world_size > MOST_RANKS) {
        fputs("usage: mpirun -np 9 rules_ompi FILE | SEED FILES [recorded]\n", stderr);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    from = calloc(MOST_RANKS, MOST_BYTES);
    to = calloc(MOST_RANKS, MOST_BYTES);
    RealScore score = {0};
    reader_find();
    void *read_at_start = *table;
    *table = NULL;
    make_comms(without_rules);
    if (argc == 2) {
        g_autofree char *text = NULL;
        if (!g_file_get_contents(argv[1], &text, NULL, NULL))
            MPI_Abort(MPI_COMM_WORLD, 2);
        *table = read_at_start;
        try_file(text, g_str_hash(text), &score, FALSE);
    }
    // One file at a time stands there; all ranks read it.
    char path[64];
    snprintf(path, sizeof path, "/tmp/rules_ompi.%d", (int)getpid());
    MPI_Bcast(path, sizeof path, MPI_CHAR, 0, MPI_COMM_WORLD);
    const guint32 first = (guint32)strtoul(argv[1], NULL, 10);
    for (int i = 0; argc > 2 && i < atoi(argv[2]); i++)
        try_random(path, first + (guint32)i, &score, argc > 3);
    MPI_Barrier(MPI_COMM_WORLD);
    if (world_rank == 0) {
        unlink(path);
        fprintf(argc > 3 ? stderr : stdout,
                "%d of %d files agree, %d of them ignored; %d left out, which can crash; %d of %d calls, %d of them by "
                "a rule\n",
                score.files - score.wrong_files, score.files, score.ignored_files, score.left_out,
                score.points - score.wrong_points, score.points, score.ruled_points);
    }
    MPI_Finalize();
    return score.wrong_points > 0;
}
