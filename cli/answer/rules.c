#include "answer/rules.h"
#include "base/escape.h"
#include "base/units.h"
#include "decide/tuned.h"
#include "out/wrap.h"

// Returns "8", "2..7" or "8..". Free with g_free.
static char *range_text(RuleRange range, char *format(size_t))
{
    g_autofree char *first = format((size_t)range.first);
    if (range.first == range.last)
        return g_steal_pointer(&first);
    if (range.last == RULES_NO_LIMIT)
        return g_strdup_printf("%s..", first);
    g_autofree char *last = format((size_t)range.last);
    return g_strdup_printf("%s..%s", first, last);
}

static char *plain(size_t value)
{
    return g_strdup_printf("%zu", value);
}

static void fill_range(Sheet *sheet, const char *low, const char *high, RuleRange range, char *format(size_t))
{
    sheet_count(sheet, low, range.first);
    if (range.last != RULES_NO_LIMIT)
        sheet_count(sheet, high, range.last);
    sheet_show(sheet, low, range_text(range, format));
}

// Makes the sheet "rows": the rules that a communicator of two ranks or more can reach. Free with sheet_free.
static Sheet *rules_sheet(const RulesFile *file)
{
    Sheet *sheet =
        sheet_new("rows", (const char *const[]){"collective", "rank_distribution", "min_ranks", "max_ranks",
                                                "min_bytes", "max_bytes", "counted_as", "rule_id", "rule_algorithm",
                                                "fanout", "rule_segment_bytes", "max_requests", "line", NULL});
    for (guint i = 0; i < file->rules->len; i++) {
        const LibraryRule *rule = &g_array_index(file->rules, LibraryRule, i);
        const RuleRange ranks = {MAX(rule->ranks.first, 2), rule->ranks.last};
        const TunedCollective *collective = &tuned_collectives[rule->collective];
        if (ranks.first > ranks.last || rule->dead || collective->size == TUNED_SIZE_NO_METHOD)
            continue;
        const TunedAlgorithm *a = tuned_algorithm(file->library, rule->collective, rule->id);
        sheet_row(sheet);
        sheet_text(sheet, "collective", collective->name);
        sheet_text(sheet, "rank_distribution", rule_nodes_names[rule->nodes]);
        fill_range(sheet, "min_ranks", "max_ranks", ranks, plain);
        fill_range(sheet, "min_bytes", "max_bytes", rule->bytes, units_format_size);
        sheet_text(sheet, "counted_as", tuned_size_names[collective->size]);
        sheet_count(sheet, "rule_id", rule->id);
        sheet_text(sheet, "rule_algorithm", rule->id == 0 ? "fixed decision" : a ? a->name : NULL);
        sheet_show(sheet, "rule_algorithm",
                   rule->id == 0 ? g_strdup("fixed decision")
                                 : g_strdup_printf("%d %s", rule->id, a ? a->name : "(an error)"));
        sheet_count(sheet, "fanout", rule->fanout);
        sheet_count(sheet, "rule_segment_bytes", rule->segment);
        sheet_count(sheet, "max_requests", rule->max_requests);
        sheet_count(sheet, "line", (int64_t)rule->line);
    }
    return sheet;
}

// Makes the sheet "traps". Free with sheet_free.
static Sheet *traps_sheet(const RulesFile *file)
{
    Sheet *sheet = sheet_new("traps", (const char *const[]){"file", "line", "trap", "note", NULL});
    sheet_text(sheet, "file", file->name);
    for (guint i = 0; i < file->traps->len; i++) {
        const Trap *trap = &g_array_index(file->traps, Trap, i);
        sheet_row(sheet);
        sheet_count(sheet, "line", (int64_t)trap->line);
        sheet_text(sheet, "trap", trap_names[trap->kind]);
        sheet_text(sheet, "note", trap->text);
    }
    return sheet;
}

static void print_traps(const RulesFile *file, FILE *to)
{
    g_autofree char *name = escape_terminal(file->name);
    for (guint i = 0; i < file->traps->len; i++) {
        const Trap *trap = &g_array_index(file->traps, Trap, i);
        g_autofree char *head = g_strdup_printf("%s:%zu: ", name, trap->line);
        g_autofree char *text = g_strdup_printf("%s: %s", trap_names[trap->kind], trap->text);
        wrap_print(to, head, text);
    }
}

static const char *plural(guint n)
{
    return n == 1 ? "" : "s";
}

static gboolean asks_for_nodes(const RulesFile *file)
{
    for (guint i = 0; i < file->rules->len; i++)
        if (g_array_index(file->rules, LibraryRule, i).nodes != RULE_NODES_ANY)
            return TRUE;
    return FALSE;
}

void rules_report(const Answer *answer, const RulesFile *file)
{
    static const SheetView view[] = {{"rank_distribution"},
                                     {"collective"},
                                     {"min_ranks", "ranks"},
                                     {"min_bytes", "bytes"},
                                     {"counted_as"},
                                     {"rule_algorithm"},
                                     {"fanout"},
                                     {"rule_segment_bytes"},
                                     {"line"},
                                     {NULL}};
    g_autoptr(Sheet) rows = rules_sheet(file), traps = traps_sheet(file);
    if (answer->format != FORMAT_TABLE) {
        answer_sheets(answer, "rules", (const Sheet *const[]){rows, traps}, 2);
        return;
    }
    const guint n = sheet_rows(rows), n_traps = file->traps->len;
    g_autofree char *head = g_strdup_printf("%s, %s, as %s reads it: %u rule%s, %u trap%s", file->name, file->format,
                                            file->library->title, n, plural(n), n_traps, plural(n_traps));
    wrap_print(answer->to, "", head);
    if (n > 0) {
        fputc('\n', answer->to);
        sheet_table(rows, view + !asks_for_nodes(file), 0, n, "", answer->to);
    }
    fprintf(answer->to, "\n%s the fixed decision.\n",
            n > 0 ? "What is not listed runs" : "No rule is in effect: everything runs");
    if (n_traps > 0)
        fputc('\n', answer->to);
    print_traps(file, answer->to);
}
