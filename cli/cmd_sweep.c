#include "answer/search/sweep.h"
#include "ask/ask.h"
#include "ask/ask_sweep.h"
#include "out/note.h"
#include "base/error.h"
#include "base/parallel.h"
#include "cli.h"
#include "engine/schedule/parse.h"
#include "search/sweep/merge.h"
#include "search/sweep/sweep_rows.h"
#include "search/sweep/shard.h"
#include <stdio.h>
#include <string.h>

static const char help_text[] = "Predicts all points of a grid, and writes them to a CSV that plot, validate and\n"
                                "calibrate read. Rows that are done are kept in OUT.rows: if the sweep is killed,\n"
                                "the same command goes on where it was. OUT is written when the grid is complete.\n"
                                "\n"
                                "  collsim sweep experiments/sweeps/what_if.ini -o what_if.csv\n"
                                "  collsim sweep allreduce all -p 8..64:x2 -m 8,1M --set beta=x1,x0.5 -o a.csv\n"
                                "  collsim sweep bcast,reduce all,tuned:chain -p 64,16x4 -m 64K -o b.csv\n"
                                "\n"
                                "An .ini file has what the options have: [sweep] with collective, algorithm, p,\n"
                                "m, root, platform, model, transfer, element, per-node, map, topology, routing,\n"
                                "nodes, counts, displs and prune, [set] with figures and [param] with\n"
                                "parameters. Most are lists.\n"
                                "\n"
                                "An algorithm is a name, all, LIB:auto or LIB:NAME, with default parameters or\n"
                                "those of --param; tuned:NAME or tuned:all, with its best parameters; or best,\n"
                                "which is what collsim best finds. A file, ./mine.c or tuned:./mine.c, stands for\n"
                                "the algorithms in it; its path is relative to the current folder. Points that\n"
                                "cannot run have a row whose note says why. --set KEY=x0.5 scales a figure.\n"
                                "\n"
                                "--shard 2/8 does the second of eight parts and keeps it in OUT.2-of-8.rows;\n"
                                "collsim merge puts them together. --shard auto takes the part from mpirun, srun\n"
                                "or a Slurm array.\n"
                                "\n"
                                "  mpirun -n 8 collsim sweep SPEC.ini -o out.csv --shard auto\n"
                                "  collsim merge out.csv.*.rows -o out.csv\n"
                                "\n"
                                "--prune K leaves out what takes more than K times as long as the fastest closed\n"
                                "form at the same point, by its own form or by the messages of a few of its\n"
                                "ranks; its note says pruned. The model measured has no closed forms.\n"
                                "\n" HELP_LISTS;

typedef struct SweepOptions {
    char *text[N_SWEEP_KEYS]; // of the options
    char **sets, **params, *output, *shard;
} SweepOptions;

static void options_clear(SweepOptions *o)
{
    for (int i = 0; i < N_SWEEP_KEYS; i++)
        g_free(o->text[i]);
    g_strfreev(o->sets);
    g_strfreev(o->params);
    g_free(o->output);
    g_free(o->shard);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(SweepOptions, options_clear)

// ---- The specification ----------------------------------------------------------------------------------------------

static void take_list(GPtrArray **to, char **texts)
{
    *to = g_ptr_array_new_with_free_func(g_free);
    for (; texts && *texts; texts++)
        g_ptr_array_add(*to, g_strdup(*texts));
}

// Refuses the first option that a specification in a file would have to have in it. --prune may be given with both.
static gboolean check_alone(const SweepOptions *o, const char *file, GError **error)
{
    const char *also = o->sets ? "set" : o->params ? "param" : NULL;
    for (int i = 0; i < N_SWEEP_KEYS && !also; i++)
        also = o->text[i] ? sweep_key_names[i] : NULL;
    return !also || bad_input(error, "%s%s and %s both say what the grid is; allowed: one of them, with -o and --shard",
                              also[1] ? "--" : "-", also, file);
}

static gboolean make_spec(char **words, SweepOptions *o, SweepSpec *spec, GError **error)
{
    Collective collective;
    if (!words[1] && collective_parse(words[0], &collective, NULL) && !g_file_test(words[0], G_FILE_TEST_EXISTS))
        return bad_input(error, "ALGORITHM is missing behind %s; allowed: names of algorithms, or all", words[0]);
    if (!words[1])
        return check_alone(o, words[0], error) && sweep_spec_load(spec, words[0], error);
    *spec = (SweepSpec){0};
    memcpy(spec->text, o->text, sizeof spec->text);
    memset(o->text, 0, sizeof o->text);
    spec->text[SWEEP_COLLECTIVE] = g_strdup(words[0]);
    spec->text[SWEEP_ALGORITHM] = g_strdup(words[1]);
    take_list(&spec->sets, o->sets);
    take_list(&spec->params, o->params);
    return TRUE;
}

// ---- The points -----------------------------------------------------------------------------------------------------

// What the jobs share.
typedef struct SweepWork {
    SweepGrid *grid;
    const GPtrArray *columns;
    SweepRows *rows;
    gint failed; // a row could not be written, so no further point is run; access is atomic
} SweepWork;

static gboolean run_job(gpointer job, gpointer user, GError **error)
{
    SweepWork *work = user;
    if (g_atomic_int_get(&work->failed))
        return TRUE;
    const SweepCell cell = sweep_grid_at(work->grid, GPOINTER_TO_SIZE(job) - 1);
    g_autofree char *note = NULL;
    Point *x = sweep_grid_run(work->grid, &cell, &note);
    g_autofree char *cells = sweep_cells(work->columns, &cell, x, note);
    const gboolean ranked = point_timed(x) && !x->why;
    const SweepRow row = {.index = cell.index,
                          .place = cell.place,
                          .order = ranked ? (gint64)cell.choice->order : -1,
                          .time_s = x->time_s,
                          .cells = cells,
                          .length = strlen(cells)};
    point_free(x);
    if (sweep_rows_add(work->rows, &row, error))
        return TRUE;
    g_atomic_int_set(&work->failed, 1);
    return FALSE;
}

static char *job_name(gconstpointer job, gconstpointer user)
{
    const SweepCell cell = sweep_grid_at(((const SweepWork *)user)->grid, GPOINTER_TO_SIZE(job) - 1);
    return g_strdup_printf("%s, %d ranks", question_name(&cell.block->request->question), cell.p);
}

// Returns the points of the shard that have no row, as their index + 1. Free with g_ptr_array_unref.
static GPtrArray *missing_points(const SweepGrid *grid, const SweepRows *rows, const SweepShard *shard)
{
    GPtrArray *jobs = g_ptr_array_new();
    for (guint64 i = 0; i < grid->points; i++)
        if (!sweep_rows_has(rows, i) && (shard->n == 1 || sweep_shard_has(shard, sweep_grid_at(grid, i).digits)))
            g_ptr_array_add(jobs, GSIZE_TO_POINTER(i + 1));
    return jobs;
}

// ---- The command ----------------------------------------------------------------------------------------------------

static gboolean find_shard(const char *text, SweepShard *shard, GError **error)
{
    g_autofree char *said = NULL;
    *shard = (SweepShard){1, 1};
    if (!text)
        return TRUE;
    if (!sweep_shard_parse(text, shard, &said, error))
        return FALSE;
    if (said)
        note("shard %" G_GUINT64_FORMAT "/%" G_GUINT64_FORMAT " (%s)", shard->i, shard->n, said);
    return TRUE;
}

// Checks that OUT can be written, long before it is.
static gboolean check_output(const char *path, GError **error)
{
    g_auto(Output) output = {0};
    if (!path || strcmp(path, "-") == 0)
        return bad_input(error, "-o is missing; allowed: -o OUT.csv, beside which the rows are kept");
    if (g_file_test(path, G_FILE_TEST_EXISTS) && !g_file_test(path, G_FILE_TEST_IS_REGULAR))
        return bad_input(error, "-o %s is not a regular file; allowed: the name of one", path);
    return output_open(&output, path, error);
}

static gboolean write_out(const char *rows, const char *path, GError **error)
{
    g_auto(Output) output = {0};
    guint64 points = 0;
    return output_open(&output, path, error) &&
           sweep_merge((char *const[]){(char *)(uintptr_t)rows, NULL}, SHEET_SCHEMA, output.to, &points, error) &&
           output_close(&output, error);
}

// Runs what is missing, and writes OUT if nothing is then.
static gboolean sweep(const AskedSweep *asked, const SweepShard *shard, const char *path, GError **error)
{
    g_autofree char *file = shard->n == 1 ? g_strdup_printf("%s.rows", path)
                                          : g_strdup_printf("%s.%" G_GUINT64_FORMAT "-of-%" G_GUINT64_FORMAT ".rows",
                                                            path, shard->i, shard->n);
    g_autoptr(GPtrArray) columns = sweep_columns(asked->grid);
    g_autoptr(GString) names = g_string_new(NULL);
    for (guint i = 0; i < columns->len; i++)
        g_string_append_printf(names, "%s%s", i ? "," : "", (const char *)columns->pdata[i]);
    const SweepHead head = {asked->hash, asked->grid->points, names->str};
    g_autoptr(SweepRows) rows = sweep_rows_open(file, &head, error);
    if (!rows)
        return FALSE;
    if (sweep_rows_unlocked(rows))
        note("%s cannot be locked here; see that no other process writes it", file);
    if (sweep_rows_damaged(rows))
        note("%s: %u damaged lines, whose points are run again", file, sweep_rows_damaged(rows));
    g_autoptr(GPtrArray) jobs = missing_points(asked->grid, rows, shard);
    SweepWork shared = {asked->grid, columns, rows, 0};
    const ParallelWork work = {.run = run_job, .what = "points", .name = job_name, .user = &shared};
    const guint64 before = sweep_rows_done(rows);
    if (!parallel_run(jobs, &work, error))
        return FALSE;
    printf("%u point%s done, %" G_GUINT64_FORMAT " before: %s\n", jobs->len, jobs->len == 1 ? "" : "s", before, file);
    return shard->n > 1 || write_out(file, path, error);
}

int cmd_sweep(int argc, char **argv, GError **error)
{
    g_auto(SweepOptions) o = {0};
    char **t = o.text;
    const GOptionEntry entries[] = {
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &o.output, "write the rows to OUT, in order", "OUT"},
        ENTRY_STRING("shard", 0, o.shard, "do part i of n, from 1 on, or what a launcher says", "i/n|auto"),
        ENTRY_STRING("prune", 0, t[SWEEP_PRUNE], "leave out what is K times slower than a form", "K"),
        ENTRY_RANKS(t[SWEEP_P]),
        ENTRY_BYTES(t[SWEEP_M]),
        ENTRY_STRING("root", 0, t[SWEEP_ROOT], "root ranks (default 0), or every rank", "LIST|all"),
        ENTRY_PLATFORMS(t[SWEEP_PLATFORM]),
        ENTRY_STRING("model", 0, t[SWEEP_MODEL], "models (default as in run)", "LIST"),
        ENTRY_STRING("transfer", 0, t[SWEEP_TRANSFER], "rendezvous (default), eager, eager-port", "LIST"),
        ENTRY_SETS(o.sets),
        ENTRY_STRINGS("param", o.params, "parameters, such as segment=4K,64K", "NAME=LIST"),
        ENTRY_ELEMENT(t[SWEEP_ELEMENT]),
        ENTRY_PER_NODE(t[SWEEP_PER_NODE]),
        ENTRY_MAP(t[SWEEP_MAP]),
        NETWORK_TEXTS(t[SWEEP_TOPOLOGY], t[SWEEP_ROUTING], t[SWEEP_NODES]),
        ENTRY_COUNTS(t[SWEEP_COUNTS]),
        ENTRY_DISPLS(t[SWEEP_DISPLS]),
        {NULL},
    };
    g_auto(GStrv) words = NULL;
    g_auto(SweepSpec) spec = {0};
    g_auto(AskedSweep) asked = {0};
    SweepShard shard;
    if (!options_parse(argc, argv, "SPEC.ini, or COLLECTIVE ALGORITHM", help_text, entries, 1, 2, &words, error) ||
        !check_output(o.output, error) || !make_spec(words, &o, &spec, error) || !find_shard(o.shard, &shard, error) ||
        !ask_sweep(&spec, &asked, error) || !sweep(&asked, &shard, o.output, error))
        return 2;
    return 0;
}
