#include "answer/advice/learn_answer.h"
#include "ask/ask.h"
#include "base/error.h"
#include "base/nearest.h"
#include "base/number.h"
#include "base/output.h"
#include "cli.h"
#include "learn_campaign.h"
#include "out/picture.h"
#include <math.h>
#include <string.h>

static const char help_text[] = "Grows a decision tree that chooses the algorithm by the collective, the number\n"
                                "of ranks and the size, from simulated times, and says what it is worth on\n"
                                "ranks that it has not seen.\n"
                                "\n"
                                "  collsim learn ompi-4.1 bcast,reduce -p 2..64:x2 -m 8..1M:x4\n"
                                "  collsim learn ompi-4.1 allreduce -p 16x8,64x8 --platform lumi,leonardo\n"
                                "  collsim learn ompi-4.1 --choices experiments/choices/openmpi_report.csv\n"
                                "\n"
                                "LIB is ompi-4.1, ompi-5 or ompi-main. The choices are its algorithms, with\n"
                                "segments of 0, 8K, 32K and 128K and fanouts or radixes of 2, 4 and 8 where they\n"
                                "take them; or those of the CSV file of --choices, with its own ids. Without\n"
                                "COLLECTIVES, all of the library or of the file. The grid is each p with each m:\n"
                                "by default p = 2, 4 .. 32 and 64 bytes to 1M by factors of 4. With several\n"
                                "platforms, the tree also knows how long 8 bytes and 1 MiB take there.\n"
                                "\n"
                                "x is the time of a choice, divided by that of the best one. The tree is grown\n"
                                "as CART does, so that the sum of log2 x is smallest, in integers; of equal\n"
                                "splits it takes the first in the order op, p, m, per_node, latency, stream, and\n"
                                "the lowest threshold. Then it is pruned: each part that stays saves more than N\n"
                                "doublings of time, summed over its points, for each leaf that it adds\n"
                                "(--prune). Without --prune, N is the value with which trees that were grown\n"
                                "without one p do best at that p.\n"
                                "\n"
                                "The test grows a tree from all points but those with one p, and asks it about\n"
                                "these, for each p in turn; the smallest and the largest p are extrapolated.\n"
                                "`nearest` takes what is best over the three nearest points in log2 of p and m,\n"
                                "`single` the best one choice for each collective, and `default` is what the\n"
                                "library does by itself, which can be better than every choice. Two lines below\n"
                                "say what the parameters of the tree's choices are worth, and how wrong times\n"
                                "are that are predicted as sums of 1, log2 p, p, m, m log2 p, m p and m / p.\n"
                                "\n"
                                "  collsim learn --from rows.csv --leave-out m\n"
                                "  collsim learn --from osu.csv --names names.csv --platform lumi bcast\n"
                                "  collsim learn --from here.csv --test there.csv\n"
                                "\n"
                                "--from learns from measured times, and says what simulation is worth beside\n"
                                "them. FILE has the rows that `validate --points -f csv` prints, with measured\n"
                                "and predicted times; or it is a log, whose algorithms --platform simulates. A\n"
                                "point counts if three algorithms or more were measured there. `simulation` takes\n"
                                "what is predicted to be the fastest. `corrected` multiplies each prediction by\n"
                                "how much the algorithm's predictions missed where it was measured, near p and m\n"
                                "above all; median and p90 are the errors of these times. The rows of a\n"
                                "collective are learnt together; --apart learns each group of them by itself.\n"
                                "\n"
                                "The test leaves out each p (or m, per_node, octave of p) in turn; or with 'p>64'\n"
                                "it learns from 64 ranks or fewer and asks about more. --test asks about other\n"
                                "files, perhaps of another machine (--platform HERE,THERE).\n"
                                "\n"
                                "--share measures 1 to 50 % of the points, at random or each as far as possible\n"
                                "from the others, and asks about the rest: how much measurement does simulation\n"
                                "save? --draw draws it.\n"
                                "\n"
                                "--next names the points to measure next, each as far as possible from all that\n"
                                "are measured, of those of -p and -m or of the files; and, with --platform, the\n"
                                "two algorithms there that corrected predictions say are the fastest.\n"
                                "\n" HELP_NODES "\n" HELP_ON_NETWORK;

static const char usage[] = "[LIB] [COLLECTIVE,..]";

// What can be left out, by the names that users write.
static const char *const left_out_names[] = {"p", "m", "per_node", "platform", "octave", NULL};
static const LearnFeature left_out_features[] = {FEATURE_P, FEATURE_M, FEATURE_PER_NODE, FEATURE_LATENCY,
                                                 FEATURE_OCTAVE};

typedef struct LearnOptions {
    char *choices, *data, *rules, *leave_out, *depth, *leaf, *prune;
    char **from, **test; // measurements
    LogOptions logs;
    gboolean apart, share;
    char *seeds, *next;
    PictureAsk draw;
} LearnOptions;

static void learn_options_clear(LearnOptions *o)
{
    char *const texts[] = {o->choices, o->data, o->rules, o->leave_out, o->depth, o->leaf, o->prune};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
        g_free(texts[i]);
    g_free(o->seeds);
    g_free(o->next);
    g_strfreev(o->from);
    g_strfreev(o->test);
    log_options_clear(&o->logs);
    picture_ask_clear(&o->draw);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(LearnOptions, learn_options_clear)

// Returns P of --leave-out 'p>P'; NULL if it asks for something else.
static const char *ranks_above(const LearnOptions *o)
{
    return o->leave_out && g_str_has_prefix(o->leave_out, "p>") ? o->leave_out + 2 : NULL;
}

static gboolean ask_limits(const LearnOptions *o, LearnLimits *limits, LearnFeature *feature, GError **error)
{
    size_t depth = 32, leaf = 1;
    double doublings = 0;
    int i = 0;
    if (!options_number("--depth", o->depth, 0, 64, &depth, error) ||
        !options_number("--leaf", o->leaf, 1, 1 << 20, &leaf, error) ||
        (o->leave_out && !ranks_above(o) && !nearest_find("feature", o->leave_out, left_out_names, &i, error)))
        return FALSE;
    if (o->prune && (!number_real(o->prune, &doublings) || !(doublings >= 0 && doublings <= 1 << 20)))
        return bad_input(error, "--prune %s is not a number of doublings; allowed: 0 to %d, such as 0.1", o->prune,
                         1 << 20);
    *limits = (LearnLimits){{(guint)depth, (guint)leaf, (guint64)round(doublings * LEARN_UNIT)}, !o->prune};
    *feature = left_out_features[i];
    return TRUE;
}

static void request_delete(gpointer request)
{
    request_clear(request);
    g_free(request);
}

// Makes a request for each platform of the list. The requests point into `names`, and to `chosen`.
static gboolean ask_requests(const char *library, const RequestOptions *o, const gboolean *chosen, char **names,
                             GPtrArray *requests, GError **error)
{
    g_autofree char *sizes = NULL;
    for (char **name = names; !*names || *name; name++) {
        RequestOptions one = *o;
        Request *r = g_new0(Request, 1);
        one.platform = *name;
        one.sizes = sizes ? sizes : o->sizes; // what there is to note about -m is noted once
        g_ptr_array_add(requests, r);
        r->question.asked = chosen;
        if (!ask_about_library("learn", library, &one, r, error))
            return FALSE;
        if (r->library.only->library->family != LIBRARY_OMPI)
            return bad_input(error, "learn needs ids, which %s has not; allowed: ompi-4.1, ompi-5, ompi-main",
                             r->library.only->library->name);
        for (guint i = 0; i + 1 < requests->len; i++)
            if (strcmp(((const Request *)requests->pdata[i])->machine.platform->name, r->machine.platform->name) == 0)
                return bad_input(error, "--platform has %s twice; allowed: each once", r->machine.platform->name);
        if (!*names)
            return TRUE;
        if (!sizes)
            sizes = ask_sizes_text(r->question.sizes);
    }
    return TRUE;
}

// Makes the choices, and removes collectives without choices from `chosen`.
static gboolean make_choices(LearnData *data, const LearnOptions *o, const Tables *tables, gboolean *chosen,
                             GError **error)
{
    if (o->choices && !learn_read_choices(data, o->choices, error))
        return FALSE;
    for (int c = 0; c < N_COLLECTIVES && !o->choices; c++)
        if (chosen[c])
            learn_add_library(data, tables, (Collective)c);
    for (guint i = data->choices->len; i-- > 0;)
        if (!chosen[learn_choice(data, i)->collective])
            g_array_remove_index(data->choices, i);
    if (!learn_end_choices(data, error))
        return FALSE;
    for (int c = 0; c < N_COLLECTIVES; c++)
        chosen[c] = chosen[c] && data->n[c] > 0;
    return TRUE;
}

// Does what ask_library_sizes does for all requests, which have the same sizes.
static gboolean check_sizes(const GPtrArray *requests, RequestOptions *o, const gboolean *chosen, gboolean given,
                            GError **error)
{
    for (guint i = 0; i < requests->len; i++)
        if (!ask_library_sizes(o, chosen, given, requests->pdata[i], error))
            return FALSE;
    return TRUE;
}

static gboolean simulate(LearnData *data, const GPtrArray *requests, const RequestOptions *o, const gboolean *chosen,
                         GError **error)
{
    for (guint i = 0; i < requests->len; i++)
        for (int c = 0; c < N_COLLECTIVES; c++)
            if (chosen[c] && !learn_add_points(data, requests->pdata[i], (Collective)c,
                                               ask_library_element(o, (Collective)c), error))
                return FALSE;
    return data->points->len ||
           bad_input(error,
                     "nothing can run at any point of the grid; allowed: points where an algorithm's needs are met");
}

// The files written in addition to the answer; NULL where they were not asked for.
typedef struct LearnFiles {
    Output *data, *draw, *rules;
} LearnFiles;

// Opens the files that are asked for, before the work begins.
static gboolean open_files(OutputSet *set, const LearnOptions *o, LearnFiles *files, GError **error)
{
    return (!o->data || (files->data = output_set_open(set, o->data, error))) &&
           (!o->draw.path || (files->draw = output_set_open(set, o->draw.path, error))) &&
           (!o->rules || (files->rules = output_set_open(set, o->rules, error)));
}

static gboolean write_files(const LearnFiles *files, const LearnAnswer *x, const PictureAsk *draw, GError **error)
{
    if (files->data)
        learn_write_data(x, files->data->to);
    return (!files->draw || canvas_write(learn_canvas(x, draw, error), files->draw->to, error)) &&
           (!files->rules || learn_write_rules(x, files->rules->to, error));
}

// Refuses options that mean nothing for measurements, or nothing without them.
static gboolean check_from(const LearnOptions *l, const RequestOptions *o, GError **error)
{
    const char *const grid = l->choices             ? "--choices"
                             : l->data              ? "--data"
                             : l->rules             ? "--rules"
                             : o->ranks && !l->next ? "-p"
                             : o->sizes && !l->next ? "-m"
                             : o->per_node          ? "--per-node"
                             : o->map               ? "--map"
                             : o->han || o->no_han  ? "--han and --no-han"
                                                    : NULL;
    const char *const logs = l->test          ? "--test"
                             : l->apart       ? "--apart"
                             : l->share       ? "--share"
                             : l->seeds       ? "--seeds"
                             : l->next        ? "--next"
                             : l->logs.names  ? "--names"
                             : l->logs.bytes  ? "--bytes-are"
                             : l->logs.where  ? "--where"
                             : ranks_above(l) ? "--leave-out 'p>P'"
                                              : NULL;
    if (l->from && l->draw.path && !l->share)
        return bad_input(error, "--draw draws what --share finds; allowed: with --from and --share");
    if (l->seeds && !l->share)
        return bad_input(error, "--seeds is for the curve of --share; allowed: with --share");
    const char *const machine = o->model ? "--model" : o->transfer ? "--transfer" : o->sets ? "--set" : NULL;
    if (l->from && grid)
        return bad_input(
            error, "%s is for a grid that is simulated; allowed: without --from, and -p and -m with --next", grid);
    if (l->from && machine && !o->platform)
        return bad_input(error, "%s is for simulation; allowed: with --platform", machine);
    return l->from || !logs || bad_input(error, "%s is for measurements; allowed: with --from FILE", logs);
}

// Learns from measurements.
static int from_measurements(char **words, LearnOptions *l, RequestOptions *o, const LearnLimits *limits,
                             LearnFeature feature, GError **error)
{
    gboolean chosen[N_COLLECTIVES];
    if (words[0] && words[1]) {
        bad_input(error, "learn --from takes collectives alone; allowed: learn --from FILE [COLLECTIVE,..]");
        return 2;
    }
    if (feature == FEATURE_LATENCY) {
        bad_input(error, "--leave-out platform is for simulated times; allowed: --from FILE --test FILE");
        return 2;
    }
    size_t seeds = 20, next = 0;
    if (!ask_collectives(words[0], chosen, error) || !picture_ask(&l->draw, "--draw", error) ||
        !options_number("--seeds", l->seeds, 1, 10000, &seeds, error) ||
        !options_number("--next", l->next, 1, 1000, &next, error))
        return 2;
    l->logs.element = g_strdup(o->element);
    const LearnCampaign ask = {.from = l->from,
                               .test = l->test,
                               .platform = o->platform,
                               .above = ranks_above(l),
                               .feature = feature,
                               .apart = l->apart,
                               .seeds = l->share ? (guint)seeds : 0,
                               .next = (guint)next,
                               .draw = &l->draw,
                               .chosen = chosen,
                               .limits = limits,
                               .logs = &l->logs,
                               .request = o};
    return learn_campaign(&ask, error);
}

int cmd_learn(int argc, char **argv, GError **error)
{
    g_auto(RequestOptions) o = {0};
    g_auto(LearnOptions) l = {0};
    const GOptionEntry entries[] = {
        PORT_ENTRIES_ON(o, ENTRY_PLATFORMS, ENTRY_SET),
        NETWORK_ENTRIES(o.on),
        ENTRY_BYTES(o.sizes),
        ENTRIES_HAN(o),
        {"choices", 0, 0, G_OPTION_ARG_FILENAME, &l.choices, "choose from a list of ids and parameters", "FILE.csv"},
        ENTRY_STRING("leave-out", 0, l.leave_out, "p (default), m, per_node, octave (of p), platform", "WHAT"),
        ENTRY_STRINGS("from", l.from, "learn from measurements, in rows of validate or logs", "FILE"),
        ENTRY_STRINGS("test", l.test, "test on these in place of rows of --from", "FILE"),
        {"apart", 0, 0, G_OPTION_ARG_NONE, &l.apart, "learn each group of the rows by itself", NULL},
        {"share", 0, 0, G_OPTION_ARG_NONE, &l.share, "what measuring a share of the points is worth", NULL},
        ENTRY_STRING("seeds", 0, l.seeds, "random orders of --share (default 20)", "N"),
        ENTRY_STRING("next", 0, l.next, "which N points of -p and -m to measure next", "N"),
        {"names", 0, 0, G_OPTION_ARG_FILENAME, &l.logs.names, "names that a CSV has for algorithms", "FILE.csv|auto"},
        ENTRY_STRING("bytes-are", 0, l.logs.bytes, "what bytes of a CSV are: total, block or vector", "KIND"),
        ENTRY_STRINGS("where", l.logs.where, "read only these rows of a CSV", "COLUMN=VALUE"),
        ENTRY_STRING("depth", 0, l.depth, "at most N questions to a leaf (default 32)", "N"),
        ENTRY_STRING("leaf", 0, l.leaf, "at least N points in a leaf (default 1)", "N"),
        ENTRY_STRING("prune", 0, l.prune, "doublings of time that each leaf saves", "N"),
        {"data", 0, 0, G_OPTION_ARG_FILENAME, &l.data, "write the data set, all times, as CSV", "FILE"},
        DRAW_ENTRIES(l.draw, "draw the tree, or --share, to FILE.svg, .png or .pdf"),
        {"rules", 0, 0, G_OPTION_ARG_FILENAME, &l.rules, "write the tree as a rules file of LIB", "FILE"},
        {NULL},
    };
    g_auto(GStrv) words = NULL, names = NULL;
    g_auto(Answer) answer = {0};
    g_auto(OutputSet) set = {0};
    LearnFiles files = {0};
    g_autoptr(GPtrArray) requests = g_ptr_array_new_with_free_func(request_delete);
    g_autoptr(LearnData) data = learn_data_new();
    gboolean chosen[N_COLLECTIVES];
    LearnLimits limits;
    LearnFeature feature = FEATURE_P;
    if (!options_parse(argc, argv, usage, help_text, entries, 0, 2, &words, error) || !check_from(&l, &o, error) ||
        !ask_limits(&l, &limits, &feature, error))
        return 2;
    if (l.from)
        return from_measurements(words, &l, &o, &limits, feature, error);
    if (!words[0]) {
        bad_input(error, "learn needs a library, or measurements; allowed: learn LIB, or learn --from FILE");
        return 2;
    }
    picture_synonym(&o.answer.output, &l.draw);
    if (!o.ranks)
        o.ranks = g_strdup(LEARN_RANKS);
    const gboolean given = o.sizes != NULL;
    if (!given)
        o.sizes = g_strdup(LEARN_SIZES);
    names = o.platform ? g_strsplit(o.platform, ",", -1) : g_new0(char *, 1);
    if (!picture_ask(&l.draw, "--draw", error) || !ask_collectives(words[1], chosen, error) ||
        !ask_requests(words[0], &o, chosen, names, requests, error) ||
        !make_choices(data, &l, ((const Request *)requests->pdata[0])->library.only, chosen, error) ||
        !check_sizes(requests, &o, chosen, given, error) || !answer_open(&answer, &o.answer, error) ||
        !open_files(&set, &l, &files, error) || !simulate(data, requests, &o, chosen, error))
        return 2;
    g_autoptr(Learnt) learnt = learn_grow(data, &limits, feature, -1);
    g_autoptr(LearnTests) tests = learn_tests(learnt, &limits, feature, error);
    if (!tests)
        return 2;
    const LearnAnswer x = {requests, data, learnt, tests, &limits, o.ranks, o.sizes};
    if (!write_files(&files, &x, &l.draw, error) || (set.files && !output_set_close(&set, error)))
        return 2;
    learn_report(&answer, &x);
    return answer_close(&answer, error) ? 0 : 2;
}
