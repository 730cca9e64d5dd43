#include "answer/libraries/target_rules.h"
#include "answer/libraries/rules_answer.h"
#include "base/escape.h"
#include "base/units.h"
#include "out/wrap.h"
#include <string.h>

// Makes the sheet "rows". Free with sheet_free.
static Sheet *rows_sheet(const TargetFile *file)
{
    Sheet *sheet = sheet_new("rows", (const char *const[]){"collective", "nodes", "min_ranks", "max_ranks", "min_bytes",
                                                           "max_bytes", "counted_as", "condition", "rule_algorithm",
                                                           "line", NULL});
    for (guint i = 0; i < file->rules->len; i++) {
        const TargetRule *rule = &g_array_index(file->rules, TargetRule, i);
        sheet_row(sheet);
        sheet_text(sheet, "collective", collectives[rule->collective].name);
        if (rule->nodes)
            sheet_count(sheet, "nodes", rule->nodes);
        rules_fill_range(sheet, "min_ranks", "max_ranks", rule->ranks, rules_plain);
        rules_fill_range(sheet, "min_bytes", "max_bytes", rule->bytes, units_format_size);
        sheet_text(sheet, "counted_as", file->target->bytes);
        sheet_text(sheet, "condition", rule->condition);
        sheet_text(sheet, "rule_algorithm", rule->runs);
        sheet_count(sheet, "line", (int64_t)rule->line);
    }
    return sheet;
}

// Makes the sheet "traps". Free with sheet_free.
static Sheet *traps_sheet(const TargetFile *file)
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

// Returns TRUE if the file has rules of a collective.
static gboolean has_rules(const TargetFile *file, Collective collective)
{
    for (guint i = 0; i < file->rules->len; i++)
        if (g_array_index(file->rules, TargetRule, i).collective == collective)
            return TRUE;
    return FALSE;
}

// Makes the sheet "points": which rule decides. Free with sheet_free.
static Sheet *points_sheet(const TargetFile *file, const GArray *ranks, const GArray *sizes)
{
    Sheet *sheet =
        sheet_new("points", (const char *const[]){"collective", "ranks", "bytes", "rule_line", "decided", NULL});
    for (int c = 0; c < N_COLLECTIVES; c++)
        for (guint i = 0; has_rules(file, (Collective)c) && i < ranks->len; i++)
            for (guint k = 0; k < sizes->len; k++) {
                const int p = (int)g_array_index(ranks, size_t, i);
                const size_t m = g_array_index(sizes, size_t, k);
                const TargetRule *rule = target_rule(file, (Collective)c, 0, p, m);
                sheet_row(sheet);
                sheet_text(sheet, "collective", collectives[c].name);
                sheet_count(sheet, "ranks", p);
                sheet_count(sheet, "bytes", (int64_t)m);
                if (rule)
                    sheet_count(sheet, "rule_line", (int64_t)rule->line);
                else
                    sheet_show(sheet, "rule_line", g_strdup("none"));
                sheet_text(sheet, "decided", rule ? rule->runs : "the library's own choice");
            }
    return sheet;
}

static void print(const TargetFile *file, const Sheet *rows, const Sheet *points, gboolean traps, FILE *to)
{
    static const SheetView view[] =
        {{"collective"}, {"nodes"}, {"min_ranks", "ranks"}, {"min_bytes", "bytes"}, {"condition"}, {"rule_algorithm"},
         {"line"},       {NULL}},
                           each[] = {{"collective"}, {"ranks"}, {"bytes"}, {"rule_line"}, {"decided"}, {NULL}};
    const guint n = sheet_rows(rows), n_traps = target_n_traps(file);
    g_autofree char *head = g_strdup_printf("%s, a %s, as %s reads it: %u rule%s, %u trap%s; bytes are %s", file->name,
                                            file->target->format, file->target->title, n, n == 1 ? "" : "s", n_traps,
                                            n_traps == 1 ? "" : "s", file->target->bytes),
                    *name = escape_terminal(file->name);
    wrap_print(to, "", head);
    for (guint i = 0; traps && i < file->traps->len; i++) {
        const Trap *trap = &g_array_index(file->traps, Trap, i);
        g_autofree char *where = g_strdup_printf("%s:%zu: ", name, trap->line),
                        *text = g_strdup_printf("%s: %s", trap_names[trap->kind], trap->text);
        wrap_print(to, where, text);
    }
    if (n > 0) {
        fputc('\n', to);
        sheet_table(rows, view, 0, n, "", to);
    }
    if (points && sheet_rows(points)) {
        fputc('\n', to);
        sheet_table(points, each, 0, sheet_rows(points), "", to);
    }
}

void target_rules_report(const Answer *answer, const TargetFile *file, const GArray *ranks, const GArray *sizes)
{
    g_autoptr(Sheet) rows = rows_sheet(file), traps = traps_sheet(file),
                     points = ranks && sizes ? points_sheet(file, ranks, sizes) : NULL;
    if (answer->format == FORMAT_TABLE)
        print(file, rows, points, TRUE, answer->to);
    else
        answer_sheets(answer, "rules check", (const Sheet *const[]){rows, traps, points}, 3);
}

void target_rules_show(const Answer *answer, const TargetFile *file)
{
    g_autoptr(Sheet) rows = rows_sheet(file);
    if (answer->format == FORMAT_TABLE)
        print(file, rows, NULL, FALSE, answer->to);
    else
        answer_sheets(answer, "rules show", (const Sheet *const[]){rows}, 1);
}
