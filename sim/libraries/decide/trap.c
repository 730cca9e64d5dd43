#include "libraries/decide/trap.h"

const char *const trap_names[] = {
    [TRAP_IGNORED] = "ignored", [TRAP_MISREAD] = "misread", [TRAP_SHIFTED] = "shifted", [TRAP_UNREAD] = "unread",
    [TRAP_DEAD] = "dead",       [TRAP_REACH] = "reach",     [TRAP_ERROR] = "error",     [TRAP_ELSE] = "else",
    [TRAP_ORDER] = "order",     [TRAP_RANKS] = "ranks",     [TRAP_CRASH] = "crash",     [TRAP_START] = "start",
    [TRAP_CALL] = "call",       [TRAP_WRONG] = "wrong",     [TRAP_NOTE] = "note",
};

static void trap_clear(gpointer trap)
{
    g_free(((Trap *)trap)->text);
}

GArray *trap_list_new(void)
{
    GArray *traps = g_array_new(FALSE, FALSE, sizeof(Trap));
    g_array_set_clear_func(traps, trap_clear);
    return traps;
}

void trap_add(GArray *traps, TrapKind kind, size_t line, const char *format, va_list words)
{
    const Trap trap = {kind, line, g_strdup_vprintf(format, words)};
    g_array_append_val(traps, trap);
}

static int by_line(gconstpointer a, gconstpointer b)
{
    const Trap *x = a, *y = b;
    return (x->line > y->line) - (x->line < y->line);
}

void trap_sort(GArray *traps)
{
    g_array_sort(traps, by_line); // the sort is stable
}

guint trap_count(const GArray *traps, gboolean ordered)
{
    guint n = 0;
    for (guint i = 0; i < traps->len; i++) {
        const TrapKind kind = g_array_index(traps, Trap, i).kind;
        n += kind != TRAP_NOTE && (ordered || kind != TRAP_ORDER);
    }
    return n;
}
