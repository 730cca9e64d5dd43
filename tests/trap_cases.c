#include "trap_cases.h"
#include <string.h>

RulesFile *trap_read(const char *text, LibraryId library)
{
    g_autoptr(GError) error = NULL;
    RulesFile *file = rules_parse(text, strlen(text), "rules", &libraries[library], &error);
    g_assert_no_error(error);
    return file;
}

static gboolean has(const RulesFile *file, const TrapCase *x)
{
    for (guint k = 0; k < file->traps->len; k++) {
        const Trap *trap = &g_array_index(file->traps, Trap, k);
        if (trap->kind == x->kind && trap->line == x->line && x->says && strstr(trap->text, x->says))
            return TRUE;
    }
    return FALSE;
}

void trap_check(const TrapCase *cases, size_t n, LibraryId first, LibraryId last)
{
    for (const TrapCase *x = cases; x < cases + n; x++)
        for (LibraryId id = first; id <= last; id++) {
            g_autoptr(RulesFile) file = trap_read(x->text, id);
            const gboolean due = x->says && x->libraries & 1u << id;
            if (has(file, x) == due)
                continue;
            for (guint k = 0; k < file->traps->len; k++) {
                const Trap *trap = &g_array_index(file->traps, Trap, k);
                g_test_message("has %s at %zu: %s", trap_names[trap->kind], trap->line, trap->text);
            }
            g_test_message("case %zu, %s: '%s' is %s", (size_t)(x - cases), libraries[id].name, x->says,
                           due ? "missing" : "there");
            g_test_fail();
        }
}
