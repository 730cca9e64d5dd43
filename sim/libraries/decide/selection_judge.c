// What is wrong with a tuning file of MPICH whose tree the library accepts.
#include "libraries/decide/selection_judge.h"
#include <string.h>

// Returns TRUE if a trap of the kind was noted already at the line with the same text.
static gboolean known(const RulesFile *file, TrapKind kind, size_t line, const char *text)
{
    for (guint i = 0; i < file->traps->len; i++) {
        const Trap *trap = &g_array_index(file->traps, Trap, i);
        if (trap->kind == kind && trap->line == line && strcmp(trap->text, text) == 0)
            return TRUE;
    }
    return FALSE;
}

static void G_GNUC_PRINTF(4, 5) note(RulesFile *file, TrapKind kind, size_t line, const char *format, ...)
{
    va_list words;
    va_start(words, format);
    g_autofree char *text = g_strdup_vprintf(format, words);
    va_end(words);
    if (!known(file, kind, line, text))
        rules_trap(file, kind, line, "%s", text);
}

// Returns TRUE if MPI has the collective on communicators of this kind.
static gboolean exists(int collective, gboolean inter)
{
    const char *name = collective < 0 ? "" : selection_collectives[collective].name;
    return !inter || (!strstr(name, "scan") && !strstr(name, "neighbor"));
}

// Names the collectives whose calls find nothing: those that the file does not have at all, in one trap.
static void judge_missing(RulesFile *file, const GArray *rows, gboolean inter)
{
    g_autoptr(GString) names = g_string_new("");
    size_t line = 1;
    int n = 0;
    for (guint i = 0; i < rows->len; i++) {
        const LibraryRule *row = &g_array_index(rows, LibraryRule, i);
        gboolean others = FALSE;
        for (guint k = 0; k < rows->len; k++) {
            const LibraryRule *other = &g_array_index(rows, LibraryRule, k);
            others |= other->collective == row->collective && other->end != ROW_NOTHING &&
                      other->when.flags[SELECT_INTER] & (inter ? 2 : 1);
        }
        const gboolean repeated = i > 0 && g_array_index(rows, LibraryRule, i - 1).collective == row->collective;
        if (row->end != ROW_NOTHING || others || repeated || !exists(row->collective, inter) ||
            !(row->when.flags[SELECT_INTER] & (inter ? 2 : 1)))
            continue;
        if (n < 6)
            g_string_append_printf(names, "%s%s", n ? ", " : "", selection_collectives[row->collective].name);
        line = n++ == 0 ? row->line : line;
    }
    if (n == SELECTION_COLLECTIVES)
        g_string_assign(names, "any collective");
    else if (n > 6)
        g_string_append_printf(names, " and %d others", n - 6);
    if (n > 0)
        note(file, TRAP_CALL, line, "the first call of %s%s ends the program, because the file has no algorithm for it",
             names->str, inter ? " on an intercommunicator" : "");
}

static gboolean has_others(const GArray *rows, const LibraryRule *row)
{
    for (guint k = 0; k < rows->len; k++) {
        const LibraryRule *other = &g_array_index(rows, LibraryRule, k);
        if (other->collective == row->collective && other->end != ROW_NOTHING &&
            other->when.flags[SELECT_INTER] & row->when.flags[SELECT_INTER])
            return TRUE;
    }
    return FALSE;
}

static void judge_needs(RulesFile *file, const LibraryRule *row)
{
    const LibraryAlgorithm *a = row->algorithm;
    const RuleRange *numbers = row->when.numbers;
    // without data, no result is wrong
    const gboolean empty = !numbers[SELECT_AVERAGE].last || !numbers[SELECT_TOTAL].last || !numbers[SELECT_COUNT].last;
    const int dies = selection_unsure(a->ends_without, &row->when),
              wrong = empty ? 0 : selection_unsure(a->wrong_without & ~a->ends_without, &row->when);
    for (const LibraryNeed *n = library_needs; n->need; n++) {
        if (dies & (int)n->need)
            note(file, TRAP_CALL, row->line,
                 "%s needs %s, for which the tree does not ask: other calls end the program", a->function, n->words);
        else if (wrong & (int)n->need)
            note(file, n->need == LIBRARY_NEEDS_COMMUTATIVE ? TRAP_ORDER : TRAP_WRONG, row->line,
                 "%s needs %s, for which the tree does not ask: other calls can return wrong data", a->function,
                 n->words);
    }
}

// Returns TRUE if such a file is asked about the collective. The device asks for no composition of nonblocking ones, and
// of those of neighbours, and the module posix asks about four.
static gboolean asked(SelectionKind kind, int collective)
{
    static const char *const shared[] = {"bcast", "barrier", "allreduce", "reduce", NULL};
    const char *name = selection_collectives[collective].name;
    return kind == SELECTION_ALGORITHMS ||
           (kind == SELECTION_SHARED ? g_strv_contains(shared, name)
                                     : *name != 'i' && !g_str_has_prefix(name, "neighbor"));
}

static void judge_row(RulesFile *file, const Selection *s, const LibraryRule *row)
{
    const char *collective = row->collective < 0 ? NULL : selection_collectives[row->collective].name;
    const LibraryAlgorithm *a = row->algorithm;
    g_autofree char *asks = selection_text(&row->when, SELECT_RANKS);
    if (row->end == ROW_TREE) {
        return;
    } else if (row->collective >= 0 && !asked(s->kind, row->collective)) {
        note(file, TRAP_UNREAD, row->line,
             selection_composes(s) ? "the device does not ask how to compose %s"
                                   : "the device has nothing in shared memory for %s",
             collective);
    } else if (row->end == ROW_COMM) {
        note(file, TRAP_CALL, row->line, "the program ends when a communicator is made%s%s", *asks ? ": " : "", asks);
    } else if (row->end == ROW_REFUSED) {
        note(file, TRAP_CALL, row->line, "this cannot be asked about %s: a call that gets here ends the program",
             collective);
    } else if (row->end == ROW_NOTHING) {
        if (has_others(selection_rows(s), row))
            note(file, TRAP_CALL, row->line, "%s finds no algorithm here, which ends the program%s%s", collective,
                 *asks ? ": " : "", asks);
    } else if (strcmp(a->of, collective) != 0) {
        note(file, TRAP_CALL, row->line, "%s is not an algorithm of %s: a call that gets here ends the program",
             a->function, collective);
    } else if (row->when.flags[SELECT_INTER] & 1) {
        judge_needs(file, row);
    }
}

// Notes the first leaf that communicators of the wrong kind reach.
static void judge_kinds(RulesFile *file, const GArray *rows, gboolean inter)
{
    for (guint i = 0; i < rows->len; i++) {
        const LibraryRule *row = &g_array_index(rows, LibraryRule, i);
        if (row->end != ROW_RUNS || !strstr(row->algorithm->function, inter ? "_intra_" : "_inter_") ||
            !(row->when.flags[SELECT_INTER] & (inter ? 2 : 1)) || !exists(row->collective, inter))
            continue;
        note(file, TRAP_CALL, row->line,
             "calls on %scommunicators get to %s, and perhaps to others that are not for them",
             inter ? "inter" : "intra", row->algorithm->function);
        return;
    }
}

// Gather and scatter are decided by arguments that mean nothing on some ranks.
static void judge_ranks(RulesFile *file, const GArray *rows)
{
    const LibraryRule *first = NULL;
    for (guint i = 0; i < rows->len; i++) {
        const LibraryRule *row = &g_array_index(rows, LibraryRule, i);
        const char *collective = row->collective < 0 ? "" : selection_collectives[row->collective].name;
        const RuleRange total = row->when.numbers[SELECT_TOTAL];
        if ((strcmp(collective, "gather") != 0 && strcmp(collective, "scatter") != 0) || row->end != ROW_RUNS ||
            (total.first == 0 && total.last == RULES_NO_LIMIT))
            continue;
        if (!(row->when.flags[SELECT_INTER] & 1))
            continue;
        if (!first || first->collective != row->collective)
            note(file, TRAP_MISREAD, row->line,
                 "total_msg_size of %s is the elements of all ranks, and not their bytes", collective);
        if (first && first->collective == row->collective && first->algorithm != row->algorithm)
            note(file, TRAP_RANKS, row->line,
                 "%s with two algorithms: the root of a call with MPI_IN_PLACE may pass another count, and run the "
                 "other one",
                 collective);
        first = row;
    }
}

void selection_judge(RulesFile *file, const Selection *s)
{
    const GArray *rows = selection_rows(s);
    if (s->kind == SELECTION_SHARED && file->library->id == LIBRARY_MPICH_40)
        note(file, TRAP_UNREAD, 1,
             "MPICH 4.0.2 opens the file of MPIR_CVAR_CH4_COLL_SELECTION_TUNING_JSON_FILE in the place of this one");
    judge_missing(file, rows, FALSE);
    judge_missing(file, rows, TRUE);
    for (guint i = 0; i < rows->len; i++)
        judge_row(file, s, &g_array_index(rows, LibraryRule, i));
    judge_kinds(file, rows, FALSE);
    judge_kinds(file, rows, TRUE);
    judge_ranks(file, rows);
}
