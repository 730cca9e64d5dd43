#include "engine/schedule/phases.h"
#include "registry/registry.h"
#include <glib.h>

static void add_name(GString *s, const char *name)
{
    if (name)
        g_string_append_printf(s, "%s%s", s->len ? ", " : "", name);
}

static void add_part(GString *s, const struct CollPart *part)
{
    static const char *const where[] = {
        [COLL_SAME_LEVEL] = "", [COLL_INNER_LEVEL] = " inside nodes", [COLL_OUTER_LEVEL] = " across nodes"};
    if (!part)
        return;
    add_part(s, part->around);
    add_name(s, part->phase);
    add_name(s, collectives[part->ran->collective].name);
    g_string_append_printf(s, " %s%s", part->ran->name, where[part->level]);
}

uint16_t phases_number(Phases *x, const CollRun *run)
{
    if (!run->part && !run->phase)
        return 0;
    g_autoptr(GString) s = g_string_new(NULL);
    add_part(s, run->part);
    add_name(s, run->phase);
    const char *name = g_intern_string(s->str);
    for (int i = 1; i < x->n; i++)
        if (x->name[i] == name)
            return (uint16_t)i;
    if (x->n > UINT16_MAX)
        return 0;
    x->n = MAX(x->n, 1);
    x->name = g_renew(const char *, x->name, x->n + 1);
    x->name[0] = NULL;
    x->name[x->n] = name;
    return (uint16_t)x->n++;
}

const char *phases_name(const Phases *x, uint16_t number)
{
    return number ? x->name[number] : NULL;
}

Phases phases_copy(const Phases *x)
{
    return (Phases){.n = x->n, .name = x->name ? g_memdup2(x->name, (gsize)x->n * sizeof *x->name) : NULL};
}

void phases_clear(Phases *x)
{
    g_free(x->name);
    *x = (Phases){0};
}
