#include "answer/judge/validate.h"
#include "ask/ask.h"
#include "ask/ask_logs.h"
#include "ask/options.h"
#include "ask/plugins.h"
#include "base/error.h"
#include "base/nearest.h"
#include "base/number.h"
#include "base/output.h"
#include "base/units.h"
#include "cli.h"
#include "out/picture.h"
#include "engine/schedule/parse.h"
#include "search/search/calibrated.h"
#include "judge/validate/logged.h"
#include "judge/validate/predict.h"
#include <string.h>

typedef struct ValidateOptions {
    char **rows, *winners, *column, *by, *tie;
    PictureAsk draw;
    char *write, *platform, *model, *from, *barrier, **sets, **fallbacks, **places;
    LogOptions logs;
    NetworkOptions on;
    gboolean points;
    AnswerOptions answer;
} ValidateOptions;

static void options_clear(ValidateOptions *o)
{
    log_options_clear(&o->logs);
    network_options_clear(&o->on);
    g_strfreev(o->rows);
    g_free(o->winners);
    g_free(o->column);
    g_free(o->by);
    g_free(o->tie);
    picture_ask_clear(&o->draw);
    g_free(o->write);
    g_free(o->platform);
    g_free(o->model);
    g_free(o->from);
    g_free(o->barrier);
    g_strfreev(o->sets);
    g_strfreev(o->fallbacks);
    g_strfreev(o->places);
    answer_options_clear(&o->answer);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(ValidateOptions, options_clear)

static const char help_text[] = "Holds predictions against what was measured, row by row.\n"
                                "\n"
                                "  collsim validate measured.csv --rows rows.csv --platform here.ini\n"
                                "  collsim validate measured.csv --rows rows.csv --calibrate same-run\n"
                                "  collsim validate allreduce.csv bcast.csv --platform here.ini\n"
                                "  collsim validate pingpong=latency.txt mine.csv --calibrate all\n"
                                "  collsim validate --rows rows.csv --column line_us --draw fidelity.svg\n"
                                "\n"
                                "Without --rows, all rows of collectives that say which algorithm ran are scored,\n"
                                "in CSV, OSU or IMB files. A label says what a log does not, as in calibrate, and\n"
                                "rows of your own algorithms need the file that has these, too:\n"
                                "\n"
                                "  collsim validate allreduce:ring:8=osu_allreduce.txt --platform here.ini\n"
                                "  collsim validate allreduce:ompi-5:auto:4x16=osu.txt --platform leonardo\n"
                                "  collsim validate measured.csv ./mine.c --platform here.ini\n"
                                "\n"
                                "With --calibrate, the machine's figures come from rows that show them directly,\n"
                                "as a ping-pong or a ring do; these are named, and the others are scored.\n"
                                "same-run: each run of the data by itself; all: one machine.\n"
                                "\n"
                                "--rows says which lines of the data to score. It is a CSV with the columns use,\n"
                                "collective, algorithm (with its parameters), p, bytes, measured_us (or _s), and\n"
                                "perhaps file, line, set, per_node, group, time_is (mean if the time is the mean\n"
                                "over the ranks, and not the last one's), and predictions. use is\n"
                                "\n"
                                "  score      the row is predicted and scored\n"
                                "  calibrate  it calibrates, so it is not scored; it is a candidate of a choice\n"
                                "  twin       another code of an algorithm that calibrates; neither of the two\n"
                                "  winner     only a candidate of a choice\n"
                                "  default    what the library took by default: LIB:auto, or what that ran\n"
                                "\n"
                                "Each line of the data must have the row's measured time. A row's error is\n"
                                "|predicted/measured - 1|; the answer has the median, the 90th percentile and the\n"
                                "bias, which is the median of predicted/measured - 1.\n"
                                "\n"
                                "A choice takes the algorithm that is predicted to be the fastest. Its loss is\n"
                                "that algorithm's measured time, divided by that of the fastest one, less 1; of\n"
                                "tied ones, the mean. Choices have three algorithms or more. They are read from\n"
                                "--winners, or else made from the rows that differ in the algorithm alone.\n"
                                "\n"
                                "Where a row says what the library's default took, the answer also has what rules\n"
                                "would: argmin names the algorithm that is predicted to be the fastest,\n"
                                "`gain 3%` does where it is predicted to gain so much, `sure 90%` chooses as tune\n"
                                "does, and `perfect` knows the measured times. It has the time divided by that of\n"
                                "the default, the share of points that are slower by more than 5 %, the worst\n"
                                "ratio, and how many rules it took.\n"
                                "\n"
                                "The deviation of a family of algorithms is the |ln(measured / predicted)| that\n"
                                "two of three rows are within, from the median of all rows on. The spread is\n"
                                "what is left of it without the noise of a measurement, which tune adds again.\n"
                                "--write FILE.ini writes the machine of --platform with these spreads.\n"
                                "\n"
                                "Rows of several ranks per node are placed block by block. --place socket=node\n"
                                "deals out the ranks of the rows of group `socket` to the nodes one by one.\n"
                                "\n"
                                "With --barrier, the ranks begin when they come out of the barrier that the\n"
                                "benchmark calls first, and each rank's time counts from there.";

static gboolean check_options(const ValidateOptions *o, GError **error)
{
    if (!*o->logs.files && !o->column)
        return bad_input(error, "validate needs the data; allowed: MEASURED.csv.., or --column with predictions");
    if (!o->rows && (o->column || o->winners))
        return bad_input(error, "--column and --winners need rows; allowed: with --rows FILE.csv");
    if (o->column && (o->platform || o->model || o->sets || o->from || o->fallbacks || o->places || o->barrier ||
                      o->logs.names || o->logs.element))
        return bad_input(error,
                         "--column has the predictions, so nothing is predicted; allowed: without --platform, --set, "
                         "--model, --calibrate, --fallback, --place, --barrier, --names and --element");
    if (o->write && (!o->platform || o->from || o->column))
        return bad_input(error, "--write adds the spreads of the rows to a machine; allowed: with --platform, and "
                                "without --calibrate and --column");
    return !(o->rows && (o->logs.bytes || o->logs.where)) ||
           bad_input(error, "--bytes and --where say how to read data without --rows; allowed: without it");
}

static gboolean read_options(int argc, char **argv, ValidateOptions *o, GError **error)
{
    const GOptionEntry entries[] = {
        ENTRY_STRINGS("rows", o->rows, "which lines of the data to score, and how", "FILE.csv"),
        {"winners", 0, 0, G_OPTION_ARG_FILENAME, &o->winners, "the choices (default: winners.csv beside rows)",
         "FILE.csv"},
        ENTRY_STRING("platform", 0, o->platform, "machine, or an .ini file", "NAME|FILE"),
        ENTRY_SET(o->sets),
        ENTRY_STRING("model", 0, o->model, "measured (default), hockney ..", "NAME"),
        LOG_ENTRIES(o->logs),
        ENTRY_STRING("calibrate", 0, o->from, "from rows of the data: same-run or all", "FROM"),
        ENTRY_STRINGS("fallback", o->fallbacks, "predict a group of rows by another's figures", "GROUP=GROUP"),
        ENTRY_STRINGS("place", o->places, "deal out a group's ranks to units of this level", "GROUP=LEVEL"),
        NETWORK_ENTRIES(o->on),
        ENTRY_STRING("barrier", 0, o->barrier, "the benchmark's barrier, as linear:4..7:64K", "NAME:P..P"),
        ENTRY_STRING("column", 0, o->column, "score the predictions in this column of rows", "NAME"),
        ENTRY_STRING("by", 0, o->by, "collective, p, bytes (these), algorithm, group", "LIST"),
        ENTRY_STRING("tie", 0, o->tie, "predictions so close are tied (default 0.1%)", "PERCENT"),
        {"points", 0, 0, G_OPTION_ARG_NONE, &o->points, "print each row with its error (csv: these rows)", NULL},
        {"write", 0, 0, G_OPTION_ARG_FILENAME, &o->write, "write the machine with the spreads of these rows",
         "FILE.ini"},
        DRAW_ENTRIES(o->draw, "draw measured over predicted times"),
        ANSWER_ENTRIES(o->answer),
        {NULL},
    };
    return options_parse(argc, argv, "[LABEL=]MEASURED...", help_text, entries, 0, 1000, &o->logs.files, error) &&
           ask_plugin_files(o->logs.files, error) && check_options(o, error);
}

static gboolean find_by(const char *text, gboolean by[N_SCORE_BY], GError **error)
{
    g_auto(GStrv) words = g_strsplit(text ? text : "collective,p,bytes", ",", -1);
    for (char **w = words; *w; w++) {
        int i = 0;
        if (!nearest_find("--by", *w, score_by_names, &i, error))
            return FALSE;
        by[i] = TRUE;
    }
    return TRUE;
}

// Reads the rows, compares them with the data, and finds the choices. These are in the file of --winners or in
// winners.csv next to a rows file; if both are missing, the rows give them. Returns NULL and an error on bad input.
static ValidateRows *read_rows(const ValidateOptions *o, const LogReading *how, GError **error)
{
    g_autoptr(ValidateRows) rows = validate_rows_new();
    for (char **path = o->rows; *path; path++)
        if (!validate_rows_read(rows, *path, o->column, how, error))
            return NULL;
    if (*o->logs.files && !validate_rows_check(rows, o->logs.files, error))
        return NULL;
    g_autofree char *folder = g_path_get_dirname(o->rows[0]);
    g_autofree char *beside = g_build_filename(folder, "winners.csv", NULL);
    const char *const winners = o->winners ? o->winners : beside;
    if ((o->winners || g_file_test(winners, G_FILE_TEST_EXISTS)) && !validate_choices_read(rows, winners, error))
        return NULL;
    validate_choices_derive(rows);
    return g_steal_pointer(&rows);
}

// Parses NAME:P..P[:BYTES]: the barrier, with how many ranks it runs, and before collectives of how many bytes at most.
static gboolean find_barrier(const char *text, CaseBarrier *barrier, GError **error)
{
    *barrier = (CaseBarrier){.most = LIMIT_BYTES};
    if (!text)
        return TRUE;
    g_auto(GStrv) parts = g_strsplit(text, ":", -1);
    const guint n = g_strv_length(parts);
    char *dots = n > 1 ? strstr(parts[1], "..") : NULL;
    if (dots)
        *dots = '\0';
    if ((n != 2 && n != 3) || !dots || !number_int(parts[1], 1, LIMIT_RANKS, &barrier->p_least) ||
        !number_int(dots + 2, barrier->p_least, LIMIT_RANKS, &barrier->p_most))
        return bad_input(error, "--barrier %s; allowed: NAME:P..P or NAME:P..P:BYTES, such as linear:4..7:64K", text);
    g_autofree char *name = ask_plugin(parts[0], COLL_BARRIER, error);
    return name && (n == 2 || units_parse_size(parts[2], &barrier->most, error)) &&
           (barrier->algorithm = algorithm_parse(COLL_BARRIER, name, error));
}

// Sets the model and the platform. When calibrating, the platform gives levels, and figures that are taken as they are,
// but no tables apart from those of --set. Without a platform, the machine has one level.
static gboolean find_machine(const ValidateOptions *o, CalibrateFrom from, Request *machine, GError **error)
{
    const RequestOptions options = {.platform = o->platform, .model = o->model, .sets = o->sets, .on = o->on};
    if (from == CALIBRATE_NOTHING)
        return ask_machine(&options, machine, error);
    if (o->model && strcmp(o->model, measured_model.name) != 0)
        return bad_input(error, "--model %s with --calibrate; allowed: measured", o->model);
    machine->machine.model = &measured_model;
    g_autoptr(Platform) platform = o->platform ? ask_platform(o->platform, error) : platform_new("");
    if (!platform)
        return FALSE;
    machine->machine.platform = calibrated_assume(platform);
    platform_forget_tables(machine->machine.platform);
    return request_network(&machine->machine, &o->on, FALSE, error) &&
           ask_sets(machine->machine.platform, o->sets, machine->machine.model, error);
}

// What predictions are made with. Clear with setup_clear, after the rows.
typedef struct ValidateSetup {
    PredictPlan plan;
    Request machine;
    LogReading how;
    LogNames *names;
    GPtrArray *logs; // of Log *: the measurements, if there is no file of rows
} ValidateSetup;

static void setup_clear(ValidateSetup *setup)
{
    request_clear(&setup->machine);
    log_names_free(setup->names);
    if (setup->logs)
        g_ptr_array_unref(setup->logs);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(ValidateSetup, setup_clear)

static gboolean find_setup(const ValidateOptions *o, ValidateSetup *setup, GError **error)
{
    PredictPlan *plan = &setup->plan;
    *plan = (PredictPlan){.fallbacks = o->fallbacks, .places = o->places};
    int from = CALIBRATE_NOTHING;
    if ((o->from && !nearest_find("--calibrate", o->from, calibrate_from_names, &from, error)) ||
        !ask_reading(&o->logs, "validate", &setup->how, &setup->names, error) ||
        !find_barrier(o->barrier, &plan->barrier, error))
        return FALSE;
    plan->from = (CalibrateFrom)from;
    if (!find_machine(o, plan->from, &setup->machine, error))
        return FALSE;
    plan->model = setup->machine.machine.model;
    plan->platform = setup->machine.machine.platform;
    plan->network = setup->machine.machine.options.network;
    return TRUE;
}

static void find_spreads(const ValidateRows *rows, SpreadFound spreads[N_SPREADS])
{
    g_autoptr(GArray) found = g_array_new(FALSE, FALSE, sizeof(SpreadRow));
    for (guint i = 0; i < rows->rows->len; i++) {
        const ValidateRow *row = &g_array_index(rows->rows, ValidateRow, i);
        g_autofree char *name = validate_row_entry(row);
        if (row->use == ROW_SCORE && *row->algorithm)
            spreads_add(found, name, row->measured_s, row->predicted_s);
    }
    spreads_find(found, spreads);
}

// Adds the machine with the spreads to the files that are written. Notes the families whose rows are too few.
static gboolean write_machine(const ValidateOptions *o, OutputSet *set, const Platform *platform,
                              const SpreadFound spreads[N_SPREADS], GPtrArray *notes, GError **error)
{
    g_autoptr(Platform) machine = platform_copy(platform);
    g_autofree char *path = ask_platform_path(o->platform, error), *files = g_strjoinv(", ", o->logs.files),
                    *what = g_strconcat("validate, rows of ", files, NULL), *few = spreads_few(spreads);
    if (!path)
        return FALSE;
    if (!spreads_set(machine, spreads, what))
        return bad_input(error, "--write: no family of algorithms has %d rows; allowed: %d or more rows of a family",
                         SPREAD_LEAST_ROWS, SPREAD_LEAST_ROWS);
    if (few)
        g_ptr_array_add(notes,
                        g_strdup_printf("not written, because a family needs %d rows: %s", SPREAD_LEAST_ROWS, few));
    g_autofree char *text = platform_text(machine, path, error);
    const Output *out = text ? output_set_open(set, o->write, error) : NULL;
    if (out)
        fputs(text, out->to); // output_set_close() reports a failure
    return out != NULL;
}

int cmd_validate(int argc, char **argv, GError **error)
{
    g_auto(ValidateOptions) o = {0};
    g_auto(ValidateSetup) setup = {0};
    g_auto(Answer) answer = {0};
    g_auto(OutputSet) set = {0};
    const Output *drawing = NULL;
    gboolean by[N_SCORE_BY] = {FALSE};
    double tie = 0.001;
    if (!read_options(argc, argv, &o, error) || !find_by(o.by, by, error) ||
        !number_percent("--tie", o.tie, "0.1%", &tie, error) || !picture_ask(&o.draw, "--draw", error) ||
        (!o.column && !find_setup(&o, &setup, error)))
        return 2;
    g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
    if (!o.rows && !(setup.logs = ask_logs(&o.logs, &setup.how, error)))
        return 2;
    g_autoptr(ValidateRows) rows =
        o.rows ? read_rows(&o, &setup.how, error)
               : validate_rows_logged(setup.logs, setup.plan.model, setup.plan.from != CALIBRATE_NOTHING, FALSE, notes,
                                      error);
    if (!rows || !answer_open(&answer, &o.answer, error) ||
        (o.draw.path && !(drawing = output_set_open(&set, o.draw.path, error))) ||
        (!o.column && !validate_predict(rows, &setup.plan, notes, error)))
        return 2;
    g_autoptr(Platform) none = platform_new("");
    const Platform *const platform = setup.plan.platform ? setup.plan.platform : none;
    SpreadFound spreads[N_SPREADS];
    find_spreads(rows, spreads);
    g_autoptr(GArray) scores = score(rows, by, tie), won = winning_find(rows, platform);
    const Validation validation = {rows, platform, scores, won, spreads, notes};
    if ((o.draw.path && !canvas_write(validate_canvas(&validation, &o.draw, error), drawing->to, error)) ||
        (o.write && !write_machine(&o, &set, platform, spreads, notes, error)) || !output_set_close(&set, error))
        return 2;
    validate_report(&answer, &validation, o.points);
    return answer_close(&answer, error) ? 0 : 2;
}
