#include "answer/search/formulas_answer.h"
#include "base/parallel.h"
#include "search/search/formulas.h"
#include <string.h>

enum {
    SHOWN = 40,      // bytes of the list of p that a table shows
    SHOWN_LINES = 10 // differences of an algorithm that it shows
};

// Returns what a table notes about an entry. Free with g_free.
static char *notes_of(const FormulaTally *t)
{
    if (t->without)
        return g_strdup_printf("no formula: p = %.*s%s", SHOWN, t->missing->str, t->missing->len > SHOWN ? " .." : "");
    return t->refused ? g_strdup_printf("not simulated: %d", t->refused) : g_strdup("");
}

// Returns the lines of a text joined by "; ". Free with g_free.
static char *lines_joined(const char *text)
{
    g_autofree char *whole = g_strchomp(g_strdup(text));
    g_auto(GStrv) lines = g_strsplit(whole, "\n", -1);
    return g_strjoinv("; ", lines);
}

static void add_entry(Sheet *sheet, const CollAlgorithm *a, const FormulaTally *t)
{
    sheet_row(sheet);
    sheet_text(sheet, "model", a->shared ? "shared" : "hockney");
    sheet_text(sheet, "collective", collectives[a->collective].name);
    sheet_text(sheet, "algorithm", a->name);
    sheet_count(sheet, "equal", t->equal);
    sheet_count(sheet, "different", t->different);
    sheet_count(sheet, "without_formula", t->without);
    sheet_count(sheet, "fallback", t->fallback);
    sheet_count(sheet, "not_simulated", t->refused);
    sheet_text(sheet, "without_formula_ranks", t->missing->str);
    sheet_take(sheet, "differences", lines_joined(t->told->str));
    sheet_take(sheet, "notes", notes_of(t));
}

// Prints the first lines of what differs, and how many more there are. -f json has all of them.
static void print_told(const CollAlgorithm *a, const char *told, FILE *to)
{
    g_auto(GStrv) lines = g_strsplit(told, "\n", -1);
    const guint n = g_strv_length(lines) - 1; // the text ends with a line end
    for (guint i = 0; *told && i < MIN(n, SHOWN_LINES); i++)
        fprintf(to, "%s\n", lines[i]);
    if (*told && n > SHOWN_LINES)
        fprintf(to, "%s %s: %u more, see -f json\n", collectives[a->collective].name, a->name, n - SHOWN_LINES);
}

// An entry and its comparison, once it has run.
typedef struct FormulaJob {
    const CollAlgorithm *entry;
    FormulaTally tally;
    gboolean done; // the tally is set
} FormulaJob;

typedef struct FormulaReport {
    const Answer *answer;
    Sheet *sheet;
    const GPtrArray *jobs; // of FormulaJob *
    const GArray *ranks;
    guint told; // jobs that are in the sheet
    gboolean equal;
} FormulaReport;

static void job_free(gpointer job)
{
    if (((FormulaJob *)job)->done)
        formulas_clear(&((FormulaJob *)job)->tally);
    g_free(job);
}

static gboolean run_job(gpointer data, gpointer report, GError **error)
{
    FormulaJob *job = data;
    (void)error;
    job->tally = formulas_check(job->entry, ((const FormulaReport *)report)->ranks);
    job->done = TRUE;
    return TRUE;
}

static char *job_name(gconstpointer job, gconstpointer unused)
{
    const CollAlgorithm *a = ((const FormulaJob *)job)->entry;
    (void)unused;
    return g_strdup_printf("%s %s", collectives[a->collective].name, a->name);
}

// Reports the first n jobs, as far as they are not reported yet.
static void jobs_ready(guint n, gpointer data)
{
    FormulaReport *x = data;
    for (; x->told < n; x->told++) {
        const FormulaJob *job = x->jobs->pdata[x->told];
        if (x->answer->format == FORMAT_TABLE)
            print_told(job->entry, job->tally.told->str, x->answer->to);
        x->equal &= job->tally.different == 0;
        add_entry(x->sheet, job->entry, &job->tally);
    }
}

gboolean formulas_report(const Answer *answer, const GPtrArray *entries, const GArray *ranks, guint *done)
{
    static const char *const columns[] = {"model",       "collective",    "algorithm",
                                          "equal",       "different",     "without_formula",
                                          "fallback",    "not_simulated", "without_formula_ranks",
                                          "differences", "notes",         NULL};
    static const SheetView view[] = {{"collective"},      {"algorithm"}, {"equal"},     {"different"},
                                     {"without_formula"}, {"fallback"},  {"notes", ""}, {NULL}};
    g_autoptr(Sheet) sheet = sheet_new("rows", columns);
    g_autoptr(GPtrArray) jobs = g_ptr_array_new_with_free_func(job_free);
    for (guint i = 0; i < entries->len; i++) {
        FormulaJob *job = g_new0(FormulaJob, 1);
        job->entry = entries->pdata[i];
        g_ptr_array_add(jobs, job);
    }
    FormulaReport report = {answer, sheet, jobs, ranks, 0, TRUE};
    const ParallelWork work = {
        .run = run_job, .what = "algorithms", .name = job_name, .ready = jobs_ready, .user = &report};
    parallel_run(jobs, &work, NULL); // no job fails, but it may be stopped
    const gboolean equal = report.equal;
    *done = report.told;
    if (answer->format != FORMAT_TABLE) {
        answer_sheets(answer, "check", (const Sheet *const[]){sheet}, 1);
        return equal;
    }
    fputs("times as integers, hockney with rendezvous and eager; shared memory: model shared\n\n", answer->to);
    sheet_table(sheet, view, 0, sheet_rows(sheet), "", answer->to);
    fputs(equal ? "\nno difference\n" : "\nsimulation and formula differ: one of them is wrong\n", answer->to);
    return equal;
}
