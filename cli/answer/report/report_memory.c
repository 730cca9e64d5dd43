#include "answer/report/report.h"

static void add_row(Sheet *sheet, char *name, const MemoryUse *use, size_t connection)
{
    sheet_row(sheet);
    sheet_take(sheet, "memory", name);
    sheet_count(sheet, "connections", (int64_t)use->connections);
    sheet_take(sheet, "connection_memory",
               g_strdup_printf("%.2f MiB", (double)use->connections * (double)connection / 0x1p20));
    sheet_count(sheet, "scratch_bytes", (int64_t)use->scratch);
    sheet_count(sheet, "copied_bytes", (int64_t)use->copied);
}

void report_memory(FILE *to, const Question *q, const Point *x, const Memory *memory)
{
    g_autofree char *head = g_strdup_printf("of %" G_GSIZE_FORMAT " bytes", q->connection);
    const SheetView view[] = {{"memory"},        {"connections"},  {"connection_memory", head},
                              {"scratch_bytes"}, {"copied_bytes"}, {NULL}};
    g_autoptr(Sheet) sheet = sheet_new("memory", (const char *const[]){"memory", "connections", "connection_memory",
                                                                       "scratch_bytes", "copied_bytes", NULL});
    if (collectives[q->collective].rooted)
        add_row(sheet, g_strdup_printf("root %d", x->root), &memory->root, q->connection);
    add_row(sheet, g_strdup("a rank, at most"), &memory->most, q->connection);
    add_row(sheet, g_strdup("all ranks"), &memory->all, q->connection);
    sheet_table(sheet, view, 0, sheet_rows(sheet), "  ", to);
}
