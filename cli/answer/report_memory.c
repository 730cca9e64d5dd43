#include "answer/report.h"
#include "out/table.h"
#include "base/units.h"

static void add_row(Table *t, char *name, const MemoryUse *use, size_t connection)
{
    table_add(t, name);
    table_add(t, g_strdup_printf("%" G_GUINT64_FORMAT, use->connections));
    table_add(t, g_strdup_printf("%.2f MiB", (double)use->connections * (double)connection / 0x1p20));
    table_add(t, units_format_size(use->scratch));
    table_add(t, units_format_size(use->copied));
}

void report_memory(const Request *r, const Point *x, const Memory *memory)
{
    Table *t = table_new(5);
    table_add(t, g_strdup("memory"));
    table_add(t, g_strdup("connections"));
    table_add(t, g_strdup_printf("of %" G_GSIZE_FORMAT " bytes", r->connection));
    table_add(t, g_strdup("scratch"));
    table_add(t, g_strdup("copied"));
    if (collectives[r->collective].rooted)
        add_row(t, g_strdup_printf("root %d", x->root), &memory->root, r->connection);
    add_row(t, g_strdup("a rank, at most"), &memory->most, r->connection);
    add_row(t, g_strdup("all ranks"), &memory->all, r->connection);
    table_print(t, "  ");
    table_free(t);
}
