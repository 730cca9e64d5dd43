#include "answer/run/measure_answer.h"
#include "ask/ask.h"
#include "ask/ask_meter.h"
#include "ask/options.h"
#include "base/error.h"
#include "base/nearest.h"
#include "base/output.h"
#include "base/units.h"
#include "cli.h"
#include "run/launch/probe.h"
#include "engine/schedule/parse.h"
#include <stdio.h>
#include <string.h>

typedef struct MeasureOptions {
    RequestOptions request;
    MeterOptions meter;
} MeasureOptions;

static void options_clear(MeasureOptions *o)
{
    request_options_clear(&o->request);
    meter_options_clear(&o->meter);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(MeasureOptions, options_clear)

static const char library[] = "library";

static const char help_text[] = "Measures algorithms with a real MPI on this machine, and verifies their results.\n"
                                "\n"
                                "  collsim measure allreduce all -p 2,4 -m 8,64K,1M\n"
                                "  collsim measure bcast pipeline -p 4 -m 1M --param segment=64K --sync window\n"
                                "  collsim measure allreduce library -p 4 -m 8..256K:x8 -f csv -o library.csv\n"
                                "  collsim measure allreduce library:3 -p 4 -m 64K\n"
                                "  collsim measure allreduce ring,library,library:4 -p 4 -m 64K,1M -o three.csv\n"
                                "  collsim measure bcast all -p 2 -m 64..16M:x4 --model shared\n"
                                "  collsim measure pingpong -m 1..1M:x4\n"
                                "  collsim measure reduce_local -m 1K..1M:x4\n"
                                "\n"
                                "LIB:NAME, LIB:ID, LIB:all and LIB:auto are collsim's texts of what a library\n"
                                "has, or runs by default, as `run` takes them.\n"
                                "\n"
                                "`library` is MPI's own collective. library:3, library:ring and library:all force\n"
                                "it to use an algorithm: Open MPI's by id, MPICH's by name, or either by our name\n"
                                "for it. An extra run verifies from the messages that Open MPI used it\n"
                                "(library_id_verified is 1). `pingpong` is the one-way time between two ranks;\n"
                                "`reduce_local` is the time in which one rank reduces m bytes with m others, and\n"
                                "`single_copy` that in which it copies them out of another process (CMA).\n"
                                "\n"
                                "A point is repeated until the median is known to 1 % or the budget is spent. The\n"
                                "times are those of the slowest rank in each repetition: time_s is their median,\n"
                                "min_s .. max_s their range. ranks_* are over the times of all ranks. If more\n"
                                "ranks run than there are cores (oversubscribed is 1), only the verification\n"
                                "means something. If a fallback runs, it is measured once for all its names. The\n"
                                "CSV has the columns of `run`, for `plot` and `calibrate`; columns that only a\n"
                                "simulation can fill are empty.\n"
                                "\n" HELP_BYTES "\n"
                                "The exit status is 1 if a result was wrong (the point is left out) or if the\n"
                                "library did not use the algorithm that was asked for; stderr says which.";

// ---- What is measured ----------------------------------------------------------------------------------------------

static gboolean find_probe(const RequestOptions *o, Measure *x, GError **error)
{
    const size_t p = (size_t)probe_ranks(x->kind);
    Request *r = &x->request;
    if (o->ranks || o->root || o->counts || o->displs || o->per_node || o->map || o->params)
        return bad_input(error, "%s takes only -m and --element; allowed: no other option of an operation",
                         probe_name(x->kind));
    r->question.name = probe_name(x->kind);
    r->question.collective = COLL_ALLREDUCE; // because a probe has a vector of bytes, too
    x->own = (CollAlgorithm){.collective = r->question.collective, .name = probe_algorithm(x->kind)};
    question_add(&r->question, &x->own);
    r->question.ranks = g_array_new(FALSE, FALSE, sizeof p);
    g_array_append_val(r->question.ranks, p);
    return (r->question.sizes = options_sizes(o->sizes, error)) &&
           options_element(o->element, &r->question.elem, error) && (r->question.elem = MAX(r->question.elem, 1));
}

// Adds the library's own collective to what is measured or, if `id` is not NULL, the algorithms that it forces the
// library to use, each once.
static gboolean add_library(Measure *x, const char *id, GError **error)
{
    Question *q = &x->request.question;
    if (!id) {
        x->own = (CollAlgorithm){.collective = q->collective, .name = library};
        question_add(q, &x->own);
        return TRUE;
    }
    if (!x->meter.mpi && !meter_open(&x->meter, error))
        return FALSE;
    g_autoptr(GPtrArray) found = forced_find(q->collective, x->meter.open_mpi, id, error);
    if (!found)
        return FALSE;
    if (!x->forced)
        x->forced = g_ptr_array_new_with_free_func(forced_free);
    while (found->len > 0) {
        Forced *forced = g_ptr_array_steal_index(found, 0);
        gboolean known = FALSE;
        for (guint i = 0; i < x->forced->len; i++)
            known |= strcmp(((const Forced *)g_ptr_array_index(x->forced, i))->value, forced->value) == 0;
        if (known) {
            forced_free(forced);
            continue;
        }
        g_ptr_array_add(x->forced, forced);
        question_add(q, &forced->entry);
    }
    return TRUE;
}

// Adds what a list names: algorithms of ours, and of the library.
static gboolean find_algorithms(const char *list, Measure *x, GError **error)
{
    g_auto(GStrv) names = g_strsplit(list, ",", -1);
    g_autoptr(GPtrArray) ours = g_ptr_array_new();
    for (char **name = names; *name; name++) {
        static const char *const words[] = {library, NULL};
        const gboolean forced = g_str_has_prefix(g_strstrip(*name), "library:");
        if (forced || strcmp(*name, library) == 0) {
            if (!add_library(x, forced ? *name + strlen("library:") : NULL, error))
                return FALSE;
            continue;
        }
        if (!algorithm_find(x->request.question.collective, *name) && nearest_name(*name, words))
            return nearest_unknown("algorithm", *name, words, error);
        g_ptr_array_add(ours, *name);
    }
    if (ours->len == 0)
        return TRUE;
    g_ptr_array_add(ours, NULL);
    g_autofree char *rest = g_strjoinv(",", (char **)ours->pdata);
    return ask_libraries(rest, &x->request, error);
}

static gboolean find_measure(char **words, const MeasureOptions *o, Measure *x, GError **error)
{
    Request *r = &x->request;
    for (int kind = JOB_PINGPONG; kind <= JOB_SINGLE; kind++)
        if (strcmp(words[0], probe_name((JobKind)kind)) == 0) {
            x->kind = (JobKind)kind;
            return (!words[1] || bad_input(error, "%s %s: %s has no algorithms; allowed: measure %s", words[0],
                                           words[1], words[0], words[0])) &&
                   find_probe(&o->request, x, error) && request_model(r, o->request.model, error);
        }
    const char *probes[] = {probe_name(JOB_PINGPONG), probe_name(JOB_REDUCE), probe_name(JOB_SINGLE), NULL};
    if (!collective_parse(words[0], &r->question.collective, error)) {
        if (!nearest_name(words[0], probes))
            return FALSE;
        g_clear_error(error);
        return nearest_unknown("probe", words[0], probes, error);
    }
    if (!words[1])
        return bad_input(error, "measure %s: ALGORITHM is missing; allowed: one of `collsim list %s`, all, or library",
                         words[0], words[0]);
    if (!find_algorithms(words[1], x, error))
        return FALSE;
    return ask_points(&o->request, r, error) && request_model(r, o->request.model, error);
}

// ---- Answers -------------------------------------------------------------------------------------------------------

// Reports on stderr where the data are wrong, and where the library did not use the algorithm that was asked for. Both
// are results, not errors. Returns the exit status: 1 if there is something to report, otherwise 0.
static int report_wrong(const Measure *x)
{
    int status = 0;
    for (guint i = 0; i < x->rows->len; i++) {
        const MeasureRow *row = &g_array_index(x->rows, MeasureRow, i);
        g_autofree char *size = units_format_size(row->point->m);
        if (!row->result.wrong && !row->unlike)
            continue;
        fprintf(stderr, "%s %s on %d ranks, %s bytes, root %d%s: %s\n", question_name(&x->request.question),
                row->point->algorithm->name, row->point->p, size, row->point->root,
                row->result.wrong ? "" : " does not send that algorithm's messages",
                row->result.wrong ? row->result.wrong : row->unlike);
        status = 1;
    }
    return status;
}

int cmd_measure(int argc, char **argv, GError **error)
{
    g_auto(MeasureOptions) o = {0};
    const GOptionEntry entries[] = {
        REQUEST_ENTRIES(o.request),
        ENTRY_STRING("model", 0, o.request.model, "shared: `all` is the shared-memory algorithms", "NAME"),
        METER_ENTRIES(o.meter),
        ANSWER_ENTRIES(o.request.answer),
        {NULL},
    };
    g_auto(GStrv) words = NULL;
    g_auto(Measure) x = {.rows = g_array_new(FALSE, FALSE, sizeof(MeasureRow))};
    g_auto(Answer) answer = {0};
    AnswerOptions *out = &o.request.answer;
    if (!options_parse(argc, argv, "COLLECTIVE ALGORITHM,..|all|library[:ID]", help_text, entries, 1, 2, &words,
                       error) ||
        !ask_meter(&o.meter, &x.meter, error) || !find_measure(words, &o, &x, error) || !measure_rows(&x, error))
        return 2;
    // Releases before 1.0 wrote CSV to a file of any name.
    if (out->output && !out->format && !g_str_has_suffix(out->output, ".json"))
        out->format = g_strdup("csv");
    if (!answer_open(&answer, out, error) || (!x.meter.mpi && !meter_open(&x.meter, error)))
        return 2;
    g_auto(MeasureReport) report = {0};
    measure_begin(&report, &answer, &x);
    x.ready = measure_ready;
    x.user = &report;
    if (!measure_run(&x, error))
        return 2;
    ask_note_idle(&x.request.question, x.points);
    measure_note_means(&x);
    const int status = report_wrong(&x);
    measure_end(&report);
    return answer_close(&answer, error) ? status : 2;
}
