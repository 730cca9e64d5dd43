#include "answer/measurements/calibrate_answer.h"
#include "ask/ask.h"
#include "ask/ask_logs.h"
#include "ask/ask_meter.h"
#include "out/note.h"
#include "ask/options.h"
#include "ask/plugins.h"
#include "base/error.h"
#include "base/output.h"
#include "calibrate_site.h"
#include "cli.h"
#include "run/launch/probe.h"
#include "out/picture.h"
#include "search/search/calibrated.h"
#include "search/search/request_machine.h"
#include <stdio.h>
#include <string.h>

typedef struct CalibrateOptions {
    char *model, *write, *base, *title, *site, *levels;
    PictureAsk draw;
    LogOptions logs;
    AnswerOptions answer;
    char **sets;
    gboolean points, run;
    MeterOptions meter;
} CalibrateOptions;

static void options_clear(CalibrateOptions *o)
{
    g_free(o->model);
    g_free(o->write);
    g_free(o->base);
    g_free(o->title);
    picture_ask_clear(&o->draw);
    g_free(o->site);
    g_free(o->levels);
    log_options_clear(&o->logs);
    answer_options_clear(&o->answer);
    meter_options_clear(&o->meter);
    g_strfreev(o->sets);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(CalibrateOptions, options_clear)

static const char help_text[] = "Computes a machine's figures from measurements, and writes a platform for `run`.\n"
                                "\n"
                                "  collsim calibrate --run --write here.ini\n"
                                "  collsim calibrate osu_latency.txt allreduce:ring:8=osu_allreduce.txt\n"
                                "  collsim calibrate loggp.out --model loggops --base lumi --write here.ini\n"
                                "  collsim calibrate --model measured osu_latency.txt --write here.ini\n"
                                "  collsim run allreduce all -p 1K -m 1M --platform ./here.ini\n"
                                "\n"
                                "It reads OSU benchmarks (osu_latency, blocking collectives), IMB (PingPong,\n"
                                "collectives), netgauge's loggp, and CSV: files of `run` and `measure`, or any\n"
                                "with the columns bytes (or size_bytes), a time (time_s, median_us, ..),\n"
                                "collective (also pingpong: one-way time, and reduce_local: one rank reduces),\n"
                                "algorithm and ranks. A label in front of a file gives what it does not say:\n"
                                "pingpong=FILE, allreduce:ring:8=FILE (OSU), allreduce:ring=FILE (IMB, which has\n"
                                "the ranks), or allreduce:ompi-5:auto:72x64=FILE (what a library chooses). Of a\n"
                                "file with several collectives it picks those rows. Several files describe one\n"
                                "machine; - is standard input. What stands around the tables is passed over, and\n"
                                "notes say by line what that is.\n"
                                "\n"
                                "CSV of others: --names FILE.csv says which algorithm each of their names is\n"
                                "(columns theirs, ours, params ..), or auto or auto:LIB if the names are those of\n"
                                "the library; --bytes says what their bytes are, and --where\n"
                                "which rows to read. Logs of several machines, runs or levels are refused, and\n"
                                "so are tables of one level in which a size has times over 3 times apart.\n"
                                "\n"
                                "--site reads the logs of a folder and of the folders in it, as a batch system\n"
                                "leaves them (OSU, IMB), and decides what each is for: by the line that started\n"
                                "it (srun -N 2 -n 2 ..), else by the words of its name (inter, intra_socket ..).\n"
                                "Several logs of one thing are one estimate, and rows that contradict their\n"
                                "sweep are left out. The answer has each level's figures, the NICs' and the\n"
                                "memory's, from .. to, and holds the library's own collectives against\n"
                                "predictions. --levels socket=24,node=48, or --base, says what no log does, and\n"
                                "--names FILE.csv (theirs,ours: NAME,one@far) what a file is:\n"
                                "\n"
                                "  collsim calibrate --site logs --levels node=48 --write here.ini\n"
                                "\n"
                                "--run measures a ping-pong of 1 to 4M bytes and reductions of 256 to 4M bytes on\n"
                                "this machine with MPI, which takes at most half a minute. You may add files.\n"
                                "Rows in which ranks share cores (oversubscribed is 1) are skipped unless there\n"
                                "are only such rows.\n"
                                "\n"
                                "hockney: alpha + n beta is one line through all one-way times; each doubling of\n"
                                "the size has the same weight. If the times bend, the answer also has up to three\n"
                                "lines, and [pieces] of the .ini keeps them for readers: no model uses them.\n"
                                "one@LEVEL=FILE, as one@node=osu_latency.txt, fits a line for that level alone,\n"
                                "alpha.LEVEL and beta.LEVEL; --base has the levels. gamma is the slope of\n"
                                "reduce_local. What these do not determine comes from the collectives, whose\n"
                                "simulated critical paths are equations in the figures. If nothing is missing,\n"
                                "the collectives are predicted and the error is printed.\n"
                                "\n"
                                "loggops: o_s, o_r, g and G come from netgauge's rows by its authors' formulas,\n"
                                "up to S, where the protocol changes. o is the mean of o_s and o_r, and O the\n"
                                "slope of o_s. L is PRTT(1,0,1)/2 - 2 o, as the model's one-way time is L + 2 o.\n"
                                "\n"
                                "measured: every measured size becomes a point of a table. `one` comes from\n"
                                "one-way times or bcast pipeline, `step` from sendrecv, allgather or allreduce\n"
                                "ring, or recursive doubling (time by step), `gap` from windows, netgauge, or\n"
                                "bcast linear. What ranks copy and reduce themselves is taken off first. far and\n"
                                "swap come from recursive doubling, take from gather linear, and nic.messages\n"
                                "from alltoall linear of many ranks a node. PART@LEVEL=FILE, as\n"
                                "one@node=osu_latency.txt or step=imb.txt, says which table a file is for; --base\n"
                                "has the levels. gamma comes from reduce_local or the rings, and what is then\n"
                                "missing (between nodes, NICs, memory) from the other collectives.\n"
                                "\n"
                                "shared: write, read, flag and lanes come from rows of shm_ algorithms. Times of\n"
                                "two ranks cannot separate write from read, which are then taken as equal, and do\n"
                                "not determine lanes: use --set lanes=1. If the rows are off by more than 10 %,\n"
                                "line, queue, raise, reuse, local and call are fitted too, as far as the rows\n"
                                "determine them. single is where the line through rows of single_copy begins:\n"
                                "one rank copies out of the memory of another (CMA). flag@LEVEL=FILE fits the\n"
                                "flag of that level from shm_ rows of ranks on it, as flag@socket=rows.csv;\n"
                                "all else is as without levels, and --base has the levels.\n"
                                "--run times single copies, and bcast, reduce and allreduce shm_flat in shared\n"
                                "memory on 2, 4 .. ranks up to the cores, of every second power of two to 512K.\n"
                                "Ranks are on the machine's sockets in turn, and if --base has a level `socket`,\n"
                                "two ranks of one socket determine flag.socket.\n"
                                "\n"
                                "The fit minimises relative errors. It leaves out outliers, and the answer lists\n"
                                "them.";

// Refuses what has no meaning with --site.
static gboolean check_site(const CalibrateOptions *o, GError **error)
{
    const gboolean measures = o->run || o->meter.mpi || o->meter.launcher || o->meter.budget;
    const gboolean taken = *o->logs.files || measures || o->draw.path || o->points || o->logs.bytes ||
                           o->logs.element || o->logs.where || (o->model && strcmp(o->model, measured_model.name) != 0);
    return !taken || bad_input(error,
                               "--site %s with other files or options; allowed: with --base, --levels, --names, --set, "
                               "--title, --write, -f and -o",
                               o->site);
}

static gboolean read_options(int argc, char **argv, CalibrateOptions *o, GError **error)
{
    const GOptionEntry entries[] = {
        ENTRY_STRING("model", 0, o->model, "hockney (default), measured, loggops, .. or shared", "NAME"),
        {"write", 0, 0, G_OPTION_ARG_FILENAME, &o->write, "write the figures as a platform", "FILE.ini"},
        {"base", 0, 0, G_OPTION_ARG_FILENAME, &o->base, "machine whose other figures --write keeps", "NAME|FILE.ini"},
        ENTRY_STRING("title", 0, o->title, "name the machine, in the .ini and the plot", "TEXT"),
        ENTRY_STRINGS("set", o->sets, "give a figure instead, as in gamma=0.1ns/B", "KEY=VALUE"),
        {"draw", 0, 0, G_OPTION_ARG_FILENAME, &o->draw.path, "draw what was measured and what is predicted", "FILE"},
        PICTURE_SIZE_ENTRIES(o->draw),
        {"plot", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_FILENAME, &o->draw.path, NULL, NULL}, // --draw before 1.0
        {"site", 0, 0, G_OPTION_ARG_FILENAME, &o->site, "read all logs of a folder, whatever they are", "DIR"},
        ENTRY_STRING("levels", 0, o->levels, "levels for --site, as socket=24,node=48 ranks", "LIST"),
        {"run", 0, 0, G_OPTION_ARG_NONE, &o->run, "measure a ping-pong and reductions here", NULL},
        ENTRY_MPI(o->meter.mpi),
        ENTRY_LAUNCHER(o->meter.launcher),
        ENTRY_STRING("budget", 0, o->meter.budget, "time to repeat each size for (default 500ms)", "TIME"),
        LOG_ENTRIES(o->logs),
        {"points", 0, 0, G_OPTION_ARG_NONE, &o->points, "print each row with its error (csv: these rows)", NULL},
        ANSWER_ENTRIES(o->answer),
        {NULL},
    };
    if (!options_parse(argc, argv, "--run or [LABEL=]FILE...", help_text, entries, 0, 1000, &o->logs.files, error) ||
        !ask_plugin_files(o->logs.files, error))
        return FALSE;
    if (o->site)
        return check_site(o, error);
    if (o->levels)
        return bad_input(error, "--levels %s; allowed: with --site", o->levels);
    if (!o->run && !*o->logs.files)
        return bad_input(error, "calibrate needs measurements; allowed: files, --run, both, or --site DIR");
    return o->run || !(o->meter.mpi || o->meter.launcher || o->meter.budget) ||
           bad_input(error, "--mpi, --launcher and --budget apply to measurements; allowed: with --run");
}

// Measures the probes of the model. Sets *mpi to the library that ran them; free with g_free.
static Log *measure_here(const CalibrateOptions *o, const Model *model, Platform *assumed, char **mpi, GError **error)
{
    char budget[] = "500ms";
    MeterOptions options = o->meter;
    if (!options.budget)
        options.budget = budget;
    g_auto(Meter) meter = {0};
    if (!ask_meter(&options, &meter, error) || !meter_open(&meter, error))
        return NULL;
    *mpi = g_strdup(meter.mpi);
    int level;
    const char *const socket = levels_find(&assumed->levels, "socket", &level, NULL) ? "socket" : NULL;
    // With fewer than 4 cores, only 2 ranks are measured. One of them reads, so the times do not show how many ranks can
    // read at a time.
    const gboolean few = model->shared && meter.cores < 4 && !assumed->has[KEY_LANES];
    return few && !platform_set_figure(assumed, KEY_LANES, NULL, "1",
                                       "only 2 ranks were measured, and one of them reads", error)
               ? NULL
               : probe_machine(model, &meter, socket, error);
}

// Returns the logs (Log) of the files, and of --run in front of them, whose MPI library becomes that of `assumed`. The
// files are read first, so that an error in them is found before anything is measured. Returns NULL and an error on bad
// input.
static GPtrArray *read_logs(const CalibrateOptions *o, const LogReading *how, const Model *model, Platform *assumed,
                            GError **error)
{
    g_autoptr(GPtrArray) logs = ask_logs(&o->logs, how, error);
    if (!logs)
        return NULL;
    if (o->run) {
        g_clear_pointer(&assumed->mpi, g_free);
        Log *log = measure_here(o, model, assumed, &assumed->mpi, error);
        if (!log)
            return NULL;
        g_ptr_array_insert(logs, 0, log);
    }
    return g_steal_pointer(&logs);
}

// Returns a platform that has the levels of --base and the figures of --set. Under measured it also has those of
// --base, which stay where no rows determine them. Returns NULL and an error if something is wrong.
static Platform *read_assumed(const CalibrateOptions *o, const Platform *base, const Model *model, GError **error)
{
    const gboolean measured = model == &measured_model;
    g_autoptr(Platform) platform = measured ? calibrated_assume(base) : platform_new_like("", base);
    if (!ask_sets(platform, o->sets, model, error))
        return NULL;
    for (int k = KEY_NICS; !measured && k <= KEY_MEMORY; k++)
        if (platform->has[k]) {
            bad_input(error, "--set %s: calibrate fits no figure that a node's ranks share; allowed: other figures",
                      platform_keys[k].name);
            return NULL;
        }
    return g_steal_pointer(&platform);
}

// Loads the machine of --base, whose file becomes o->base, or makes one without figures.
static Platform *load_base(CalibrateOptions *o, GError **error)
{
    if (!o->base)
        return platform_new("");
    char *path = ask_platform_path(o->base, error);
    if (!path)
        return NULL;
    g_free(o->base);
    o->base = path;
    return platform_load(path, error);
}

// Notes which model runs on the written platform use by default, unless it is the same as before and the one that was
// calibrated. `now` is the platform's model.
static void note_default(Calibration *c, const Platform *base, const Model *now)
{
    const gboolean had = base->measured || base->has[KEY_ALPHA];
    const Model *before = had ? request_default_model(base) : now;
    if (now != before && now == &hockney_model)
        g_ptr_array_add(c->notes,
                        g_strdup("runs on the machine that is written now have model hockney by default, by "
                                 "`model = hockney` in [machine]; its [measured] stays for --model measured"));
    else if (now != before)
        g_ptr_array_add(c->notes,
                        g_strdup_printf("runs on the machine that is written now have model %s by default; they had %s",
                                        now->name, before->name));
    else if (c->model != now && !c->model->shared)
        g_ptr_array_add(c->notes, g_strdup_printf("runs use these figures with --model %s; without it, they have model "
                                                  "%s",
                                                  c->model->name, now->name));
}

// Writes the platform to the file of --write, opened as `to`: that of a fit of the model measured, or that of `c`.
static gboolean write_platform(Calibration *c, MeasuredFit *fit, const CalibrateOptions *o, const Platform *base,
                               FILE *to, GError **error)
{
    g_autofree char *name = calibrate_name(o->write);
    const char *title = o->title || o->base ? o->title : name;
    g_autoptr(Platform) platform = fit ? NULL : calibration_platform(c, name, title, base, error);
    if (fit) {
        g_free(fit->platform->title);
        fit->platform->title = g_strdup(title);
    } else if (!platform) {
        return FALSE;
    }
    note_default(c, base, fit ? &measured_model : platform->model ? &hockney_model : request_default_model(base));
    g_autofree char *text = platform_text(fit ? fit->platform : platform, o->base, error);
    if (text)
        fputs(text, to); // output_set_close() reports a failure
    return text != NULL;
}

static gboolean check_output(CalibrateOptions *o, GError **error)
{
    if (o->title && !g_utf8_validate(o->title, -1, NULL))
        return bad_input(error, "--title is not text; allowed: UTF-8");
    if (o->write && !g_str_has_suffix(o->write, ".ini"))
        return bad_input(error, "--write %s; allowed: a file name that ends in .ini", o->write);
    return picture_ask(&o->draw, "--draw", error);
}

// Returns FALSE and an error if --base would have no effect: nothing is written, and neither the model nor a label
// needs its levels.
static gboolean check_base(const CalibrateOptions *o, const Model *model, const GPtrArray *logs, GError **error)
{
    gboolean needed = !o->base || o->write || model == &measured_model;
    for (const LogSample *s = NULL; !needed && (s = logs_next(logs, s));)
        needed = s->level != NULL;
    for (char **set = o->sets; set && *set && !needed; set++)
        needed = strcspn(*set, ".") < strcspn(*set, "="); // a figure at a level
    return needed || bad_input(error,
                               "--base %s; allowed: a machine or its .ini file, together with --write, with --model "
                               "measured, or with labels or --set that name a level, as one@node=FILE",
                               o->base);
}

// The files that calibrate writes in addition to its answer: both or neither.
typedef struct CalibrateFiles {
    OutputSet set;
    const Output *ini, *drawing; // NULL if not asked for
} CalibrateFiles;

static void files_clear(CalibrateFiles *files)
{
    output_set_abandon(&files->set);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(CalibrateFiles, files_clear)

static gboolean open_files(const CalibrateOptions *o, CalibrateFiles *files, GError **error)
{
    return (!o->write || (files->ini = output_set_open(&files->set, o->write, error))) &&
           (!o->draw.path || (files->drawing = output_set_open(&files->set, o->draw.path, error)));
}

static gboolean fill_files(const CalibrateOptions *o, CalibrateFiles *files, const Platform *base, Calibration *c,
                           MeasuredFit *fit, const GPtrArray *logs, GError **error)
{
    g_autoptr(Calibration) drawn = files->drawing && fit ? measured_points_picture(fit, logs, c) : NULL;
    return (!files->drawing ||
            canvas_write(calibrate_canvas(drawn ? drawn : c, o->title, &o->draw, error), files->drawing->to, error)) &&
           (!files->ini || write_platform(c, fit, o, base, files->ini->to, error)) &&
           output_set_close(&files->set, error);
}

// Notes the figures that the measurements do not determine and that stay as --base has them, instead of what would
// determine them.
static void note_kept(Calibration *c, const Platform *base)
{
    for (PlatformKey key = 0; key < N_PLATFORM_KEYS; key++) {
        if (!c->figure[key].missing || !base->has[key])
            continue;
        g_autofree char *text = platform_value_text(base, key, -1);
        g_ptr_array_add(c->notes, g_strdup_printf("%s stays as in --base: %s", platform_keys[key].name, text));
        g_clear_pointer(&c->figure[key].missing, g_free);
    }
}

// Finds the figure of a calibration that is furthest from its rows, if it is further than *bad, which may be NULL.
static void find_bad_fit(const Calibration *c, const CalibratedFigure **bad, PlatformKey *key)
{
    const double bad_median = 0.25, bad_worst = 9; // predicted / measured - 1: a quarter off, or ten times too long
    for (size_t i = 0; i < G_N_ELEMENTS(c->figure); i++) {
        const CalibratedFigure *f = &c->figure[i];
        if (f->found && f->rows && (f->errors.median > bad_median || f->errors.worst > bad_worst) &&
            (!*bad || f->errors.median > (*bad)->errors.median)) {
            *bad = f;
            *key = (PlatformKey)i;
        }
    }
}

// Notes the figure that is furthest from the rows it comes from, if they lie so far apart that one machine cannot be
// meant.
static void note_bad_fit(const Calibration *c)
{
    const CalibratedFigure *bad = NULL;
    PlatformKey key = 0;
    find_bad_fit(c, &bad, &key);
    for (guint i = 0; i < c->inner->len; i++)
        find_bad_fit(g_ptr_array_index(c->inner, i), &bad, &key);
    if (bad)
        note("the fit of %s is bad: its rows are off by %.0f %% in the median, and by %.0f %% at worst; they may be of "
             "several wires or settings, which --where or labels separate; --points lists them, and --model measured "
             "may fit "
             "better",
             platform_keys[key].name, 100 * bad->errors.median, 100 * bad->errors.worst);
}

int cmd_calibrate(int argc, char **argv, GError **error)
{
    g_auto(CalibrateOptions) o = {0};
    g_auto(Answer) answer = {0};
    g_auto(CalibrateFiles) files = {0};
    if (!read_options(argc, argv, &o, error))
        return 2;
    if (!o.write && o.answer.output && g_str_has_suffix(o.answer.output, ".ini")) // -o wrote the platform before 1.0
        o.write = g_steal_pointer(&o.answer.output);
    if (o.site)
        return check_output(&o, error) ? calibrate_site(&(CalibrateSite){o.site, o.levels, o.base, o.logs.names,
                                                                         o.write, o.title, o.sets, &o.answer},
                                                        error)
                                       : 2;
    const Model *model = model_find(o.model ? o.model : "hockney", error);
    g_autoptr(Platform) base = model && check_output(&o, error) ? load_base(&o, error) : NULL;
    g_autoptr(Platform) assumed = base ? read_assumed(&o, base, model, error) : NULL;
    if (!assumed || !answer_open(&answer, &o.answer, error) || !open_files(&o, &files, error))
        return 2;
    g_autoptr(LogNames) names = NULL;
    LogReading how;
    if (!ask_reading(&o.logs, NULL, &how, &names, error))
        return 2;
    g_autoptr(GPtrArray) logs = read_logs(&o, &how, model, assumed, error);
    g_autoptr(GPtrArray) keep = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
    g_auto(Calibrated) found = {0};
    if (!logs || !check_base(&o, model, logs, error) || !calibrated_find(model, logs, assumed, keep, &found, error) ||
        !fill_files(&o, &files, base, found.c, found.fit, logs, error))
        return 2;
    note_bad_fit(found.c);
    note_kept(found.c, base);
    if (found.fit)
        calibrate_report_measured(&answer, found.c, found.fit, logs, o.sets, o.points);
    else
        calibrate_report(&answer, found.c, logs, o.sets, o.points);
    return answer_close(&answer, error) ? 0 : 2;
}
