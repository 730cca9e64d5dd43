#include "answer/advice/guidelines_answer.h"
#include "answer/advice/tune_answer.h"
#include "answer/advice/tune_family.h"
#include "ask/ask.h"
#include "ask/ask_logs.h"
#include "ask/options.h"
#include "base/error.h"
#include "base/number.h"
#include "cli.h"
#include "figure/heat.h"
#include "libraries/decide/rules_call.h"
#include "libraries/decide/rules_han.h"
#include "libraries/decide/selection.h"
#include "out/picture.h"
#include "search/search/measurement_rows.h"
#include <string.h>

typedef struct GuidelinesOptions {
    RequestOptions request;
    LogOptions logs;
    PictureAsk draw;
    char *list, **add, *of, *tolerance, *rules, *top;
    gboolean best, means, strict, points;
} GuidelinesOptions;

static void options_clear(GuidelinesOptions *o)
{
    request_options_clear(&o->request);
    log_options_clear(&o->logs);
    picture_ask_clear(&o->draw);
    g_free(o->list);
    g_strfreev(o->add);
    g_free(o->of);
    g_free(o->tolerance);
    g_free(o->rules);
    g_free(o->top);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(GuidelinesOptions, options_clear)

static const char help_text[] = "Finds the collectives of a library that are slower than others which do the same\n"
                                "work: allgather than gather and bcast, 8 bytes than 16, 7 ranks than 8.\n"
                                "\n"
                                "  collsim guidelines ompi-4.1 -p 2..64:x2 -m 8..2M:x8 --platform lumi\n"
                                "  collsim guidelines osu_*.txt\n"
                                "  collsim guidelines ompi-4.1 osu_*.txt --platform ./here.ini\n"
                                "\n"
                                "With LIB, the times are what its defaults are predicted to take on the grid of\n"
                                "-p and -m. With LOGs, they are measured: files of OSU or IMB, or CSV with the\n"
                                "columns of docs/FORMATS.md. Rows of a library's own choice count, and with\n"
                                "--best the fastest algorithm that was measured. With both, what was measured is\n"
                                "predicted too, and the answer says which violations of either kind are of both.\n"
                                "LABEL=LOG says what the log does not: allreduce:library:16x4=osu_allreduce.txt.\n"
                                "\n"
                                "A guideline is LEFT <= RIGHT, and x is the time of the left divided by that of\n"
                                "the right. Above 1.1 (--tolerance 10%) it is violated:\n"
                                "\n"
                                "  allgather(m) <= gather(m) + bcast(p*m)\n"
                                "  each(m) <= each(next(m))\n"
                                "  each(m) <= each(m) on next(p)\n"
                                "  each(k*m) <= k*each(m)\n"
                                "  allreduce(m) on nodes <= allreduce(m)\n"
                                "\n"
                                "A size is what -m means for its collective. `next` is the next larger size or\n"
                                "number of ranks; k is any number for which k*m is a size too, and the worst\n"
                                "counts; `on nodes` runs one rank on each node. collsim has a list of them, with\n"
                                "the literature's source of each. --list FILE.csv replaces it (its columns are\n"
                                "guideline and source), and --add GUIDELINE adds one.\n"
                                "\n"
                                "Each predicted violation comes with the setting that cures it, and whether\n"
                                "a file of `tune` does. --rules predicts what the library runs with such a file,\n"
                                "or with the folder of two that tune writes for several nodes.\n"
                                "\n"
                                "OSU prints the average over the ranks unless it is asked for more (-f), which\n"
                                "makes collectives with a root look too fast. Such rows are marked and do not\n"
                                "count.\n"
                                "\n"
                                "The table has the worst violation of each guideline, JSON all of them, and\n"
                                "--points prints every row. --draw draws a map of ranks and sizes with the worst\n"
                                "x at each.\n"
                                "--strict ends with status 1 if there is a violation.\n"
                                "\n" HELP_NODES "\n" HELP_ON_NETWORK;

static const char usage[] = "LIB|LOG [LOG...]";

static gboolean read_options(int argc, char **argv, GuidelinesOptions *o, GError **error)
{
    RequestOptions *r = &o->request;
    const GOptionEntry entries[] = {
        ENTRY_RANKS(r->ranks),
        ENTRY_STRING("sizes", 'm', r->sizes, "sizes in bytes, such as 8,64K or 1K..1M:x4", "LIST"),
        ENTRY_ELEMENT(r->element),
        MACHINE_ENTRIES(*r),
        ENTRIES_HAN(*r),
        {"rules", 0, 0, G_OPTION_ARG_FILENAME, &o->rules, "the library runs by this file, or a folder of two", "FILE"},
        {"list", 0, 0, G_OPTION_ARG_FILENAME, &o->list, "guidelines, in place of collsim's own", "FILE.csv"},
        ENTRY_STRINGS("add", o->add, "one more guideline", "GUIDELINE"),
        ENTRY_STRING("of", 0, o->of, "only guidelines with these on the left", "COLLECTIVE,.."),
        ENTRY_STRING("tolerance", 0, o->tolerance, "what a violation is above (default 10%)", "PERCENT"),
        {"best", 0, 0, G_OPTION_ARG_NONE, &o->best, "the fastest algorithm in a log, not only the default", NULL},
        {"means", 0, 0, G_OPTION_ARG_NONE, &o->means, "times of a CSV are means over the ranks", NULL},
        {"names", 0, 0, G_OPTION_ARG_FILENAME, &o->logs.names, "names that a CSV has for algorithms", "FILE.csv"},
        ENTRY_STRING("bytes-are", 0, o->logs.bytes, "what bytes of a CSV are: total, block or vector", "KIND"),
        ENTRY_STRINGS("where", o->logs.where, "read only these rows of a CSV", "COLUMN=VALUE"),
        {"strict", 0, 0, G_OPTION_ARG_NONE, &o->strict, "end with status 1 if there is a violation", NULL},
        {"points", 0, 0, G_OPTION_ARG_NONE, &o->points, "print every row (csv: these rows)", NULL},
        ENTRY_STRING("top", 0, o->top, "print at most N violations (default 10)", "N"),
        DRAW_ENTRIES(o->draw, "draw a map to FILE.svg, .png or .pdf, or - for text"),
        ANSWER_ENTRIES(r->answer),
        {NULL},
    };
    return options_parse(argc, argv, usage, help_text, entries, 1, 1000, &o->logs.files, error);
}

// What is looked at.
typedef struct GuidelinesSetup {
    GPtrArray *list; // of Guideline *
    gboolean asked[N_COLLECTIVES];
    char *library; // LIB; NULL without predictions
    LogReading how;
    LogNames *names;
    GPtrArray *logs; // NULL without measurements
    Request request;
    RulesFile *rules, *first; // of --rules: a file, or a pair; NULL for none
    RulesPair pair;
    double tolerance;
    size_t top;
    gboolean once; // the answer has the worst violation of each guideline and collective
    guint listed;  // .. and at most so many
} GuidelinesSetup;

static void setup_clear(GuidelinesSetup *s)
{
    g_clear_pointer(&s->list, g_ptr_array_unref);
    g_free(s->library);
    log_names_free(s->names);
    g_clear_pointer(&s->logs, g_ptr_array_unref);
    request_clear(&s->request);
    rules_free(s->rules);
    rules_free(s->first);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(GuidelinesSetup, setup_clear)

static gboolean find_list(const GuidelinesOptions *o, GuidelinesSetup *s, GError **error)
{
    if (!(s->list = guidelines_read(o->list, error)))
        return FALSE;
    for (char **text = o->add; text && *text; text++) {
        Guideline *g = guideline_parse(*text, "--add", error);
        if (!g)
            return FALSE;
        g_free(g->source);
        g->source = g_strdup("--add");
        g_ptr_array_add(s->list, g);
    }
    return ask_collectives(o->of, s->asked, error);
}

static gboolean find_logs(GuidelinesOptions *o, GuidelinesSetup *s, GError **error)
{
    const RequestOptions *r = &o->request;
    if (library_names(*o->logs.files) && !strchr(*o->logs.files, '=') &&
        !g_file_test(*o->logs.files, G_FILE_TEST_EXISTS)) {
        s->library = g_strdup(*o->logs.files);
        g_free(*o->logs.files);
        memmove(o->logs.files, o->logs.files + 1, g_strv_length(o->logs.files + 1) * sizeof(char *) + sizeof(char *));
    }
    const char *needless = !s->library ? r->platform   ? "--platform"
                                         : r->model    ? "--model"
                                         : r->transfer ? "--transfer"
                                         : r->sets     ? "--set"
                                         : o->rules    ? "--rules"
                                         : r->han      ? "--han"
                                         : r->no_han   ? "--no-han"
                                                       : NULL
                                       : NULL;
    if (needless)
        return bad_input(error, "%s is for predictions; allowed: LIB before the logs, such as ompi-4.1", needless);
    if (!*o->logs.files)
        return !(o->best || o->means || o->logs.names || o->logs.bytes || o->logs.where) ||
               bad_input(error, "--best, --means, --names, --bytes-are and --where are for logs; allowed: LIB LOG");
    if (r->ranks || r->sizes || r->per_node || r->map)
        return bad_input(error,
                         "-p, -m, --per-node and --map are for a grid; allowed: without logs, which say their own; a "
                         "label says what one does not, as allreduce:library:16x4=FILE");
    o->logs.element = g_strdup(r->element);
    if (!ask_reading(&o->logs, "guidelines", &s->how, &s->names, error))
        return FALSE;
    s->how.defaults = TRUE;
    return (s->logs = ask_logs(&o->logs, &s->how, error)) != NULL;
}

// Reads the files that the library runs by.
static gboolean find_rules(const GuidelinesOptions *o, GuidelinesSetup *s, GError **error)
{
    const Library *library = s->request.library.only ? s->request.library.only->library : NULL;
    if (!o->rules)
        return TRUE;
    const TunePairNames names = tune_family_pair(library);
    const gboolean folder = names.first && g_file_test(o->rules, G_FILE_TEST_IS_DIR);
    g_autofree char *file = folder ? g_build_filename(o->rules, names.algorithms, NULL) : g_strdup(o->rules),
                    *first = folder ? g_build_filename(o->rules, names.first, NULL) : NULL;
    if (!(s->rules = rules_read(file, library, error)) || (first && !(s->first = rules_read(first, library, error))))
        return FALSE;
    const RulesFile *ignored = s->rules->ignored ? s->rules : s->first && s->first->ignored ? s->first : NULL;
    if (ignored)
        return bad_input(error, "%s: the library ignores this file; allowed: one that `collsim rules check` accepts",
                         ignored->name);
    if (!s->first && s->rules->han)
        return bad_input(error, "%s is a file for HAN; allowed: a file for tuned, or a folder with both", o->rules);
    for (int i = 0; i < 2; i++) {
        const RulesFile *read = i ? s->first : s->rules;
        if (read && read->selection && read->selection->kind == SELECTION_SHARED)
            return bad_input(error, "%s is a file for %s; allowed: one of algorithms, or of compositions", read->name,
                             read->variable);
    }
    s->pair = (RulesPair){s->rules, s->first};
    return TRUE;
}

static gboolean find_setup(GuidelinesOptions *o, GuidelinesSetup *s, GError **error)
{
    s->tolerance = 0.1;
    s->top = 10;
    s->request.question.asked = s->asked;
    if (!number_percent("--tolerance", o->tolerance, "10%", &s->tolerance, error) ||
        !options_number("--top", o->top, 1, 100000, &s->top, error) || !find_list(o, s, error) ||
        !find_logs(o, s, error))
        return FALSE;
    return !s->library ||
           (ask_about_library("guidelines", s->library, &o->request, &s->request, error) && find_rules(o, s, error));
}

// Finds the cures of predicted violations, first what the library can be told at all, and then what files of `tune` can name.
static gboolean find_cures(Guidelines *x, const GuidelinesSetup *s, Request *r, GError **error)
{
    const RequestLibrary library = r->library;
    g_autoptr(GArray) rows = guidelines_violations(x, s->once, s->listed);
    KnownTimes *own = known_begin(&r->known); // the second search times much of what the first one did
    gboolean good = guidelines_cure(x, rows, r, FALSE, error);
    tune_answer_ask(r, FALSE, TRUE);
    good = good && guidelines_cure(x, rows, r, TRUE, error);
    known_end(&r->known, own);
    r->library.by_file = library.by_file;
    r->library.any_operation = library.any_operation;
    r->library.pair = library.pair;
    r->library.no_compositions = library.no_compositions;
    r->library.no_han = library.no_han;
    return good;
}

static gboolean look(Guidelines *x, const GuidelinesOptions *o, GuidelinesSetup *s, GPtrArray *notes, GError **error)
{
    DecidePart *decide = !s->rules ? NULL : s->first ? rules_pair_decision : rules_decision;
    gconstpointer from = s->first ? (gconstpointer)&s->pair : s->rules;
    Request *r = &s->request;
    x->asked = s->asked;
    for (int i = 0; s->library && i < N_COLLECTIVES; i++)
        x->elem[i] = ask_library_element(&o->request, (Collective)i);
    x->elem[GUIDELINE_LOCAL] = x->elem[COLL_REDUCE];
    if (s->logs) {
        logs_note(s->logs, "rows of collectives with a root do not count", notes);
        return guidelines_measure(x, s->logs, o->best, o->means, notes, error) &&
               (!s->library || (guidelines_predict_logs(x, r, decide, from, error) && find_cures(x, s, r, error)));
    }
    return guidelines_predict(x, r, decide, from, error) && find_cures(x, s, r, error);
}

// Returns what was asked about: the library, or the files. Free with g_free.
static char *subject_of(const GuidelinesSetup *s)
{
    if (s->library)
        return g_strdup(s->request.library.only->library->title);
    const Log *first = s->logs->pdata[0];
    g_autofree char *name = g_path_get_basename(first->name);
    return s->logs->len > 1 ? g_strdup_printf("%s and %u more", name, s->logs->len - 1) : g_strdup(name);
}

static gboolean any_violation(const Guidelines *x)
{
    const GuidelineTotal total = guidelines_total(x, NULL);
    return total.violated[guidelines_side(x)] > 0;
}

int cmd_guidelines(int argc, char **argv, GError **error)
{
    g_auto(GuidelinesOptions) o = {0};
    g_auto(GuidelinesSetup) s = {0};
    g_auto(Output) drawing = {0};
    g_auto(Answer) answer = {0};
    if (!read_options(argc, argv, &o, error))
        return 2;
    const gboolean text = g_strcmp0(o.draw.path, "-") == 0;
    if ((!text && !picture_ask(&o.draw, "--draw", error)) || !find_setup(&o, &s, error) ||
        !answer_open(&answer, &o.request.answer, error) ||
        (text && answer.format != FORMAT_TABLE &&
         !bad_input(error, "--draw - is text among tables; allowed: without -f, or --draw FILE")) ||
        (!text && !picture_open(&o.draw, &drawing, error)))
        return 2;
    s.once = answer.format == FORMAT_TABLE && !o.points;
    s.listed = answer.format == FORMAT_TABLE && !o.points ? (guint)s.top
               : answer.format == FORMAT_CSV && !o.points ? 0
                                                          : G_MAXUINT;
    g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(Guidelines) x = guidelines_new(s.list, s.tolerance);
    if (!look(x, &o, &s, notes, error))
        return 2;
    g_autofree char *subject = subject_of(&s);
    const GuidelinesAnswer a = {
        x, s.library ? &s.request : NULL, subject, notes, s.once, s.listed, o.points, s.rules != NULL};
    g_autoptr(FigureGrid) map = o.draw.path ? guidelines_map(&a, error) : NULL;
    if (o.draw.path && (!map || (!text && !canvas_close(figure_grid_canvas(map, &o.draw), &drawing, error))))
        return 2;
    guidelines_report(&answer, &a);
    if (text)
        heat_print(map, "nothing is known", NULL, answer.to);
    if (!answer_close(&answer, error))
        return 2;
    return o.strict && any_violation(x);
}
