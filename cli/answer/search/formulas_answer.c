#include "answer/search/formulas_answer.h"
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

gboolean formulas_report(const Answer *answer, const GPtrArray *entries, const GArray *ranks)
{
    static const char *const columns[] = {"model",       "collective",    "algorithm",
                                          "equal",       "different",     "without_formula",
                                          "fallback",    "not_simulated", "without_formula_ranks",
                                          "differences", "notes",         NULL};
    static const SheetView view[] = {{"collective"},      {"algorithm"}, {"equal"},     {"different"},
                                     {"without_formula"}, {"fallback"},  {"notes", ""}, {NULL}};
    g_autoptr(Sheet) sheet = sheet_new("rows", columns);
    gboolean equal = TRUE;
    for (guint i = 0; i < entries->len; i++) {
        const CollAlgorithm *a = g_ptr_array_index(entries, i);
        FormulaTally t = formulas_check(a, ranks);
        if (answer->format == FORMAT_TABLE)
            print_told(a, t.told->str, answer->to);
        equal &= t.different == 0;
        add_entry(sheet, a, &t);
        formulas_clear(&t);
    }
    if (answer->format != FORMAT_TABLE) {
        answer_sheets(answer, "check", (const Sheet *const[]){sheet}, 1);
        return equal;
    }
    fputs("times as integers, hockney with rendezvous and eager; shared memory: model shared\n\n", answer->to);
    sheet_table(sheet, view, 0, sheet_rows(sheet), "", answer->to);
    fputs(equal ? "\nno difference\n" : "\nsimulation and formula differ: one of them is wrong\n", answer->to);
    return equal;
}
