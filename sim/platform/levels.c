#include "platform/levels.h"
#include <string.h>

void levels_init(Levels *x)
{
    *x = (Levels){.n = 1, .at = g_new0(Level, 1)};
    x->at[0].name = g_strdup("far");
}

void levels_clear(Levels *x)
{
    for (int i = 0; i < x->n; i++)
        g_free(x->at[i].name);
    g_free(x->at);
}

void levels_add(Levels *x, const char *name, size_t ranks)
{
    x->at = g_renew(Level, x->at, x->n + 1);
    x->at[x->n] = x->at[x->n - 1]; // far stays last
    x->at[x->n - 1] = (Level){g_strdup(name), ranks};
    x->n++;
}

int levels_node(const Levels *x)
{
    for (int i = 0; i + 1 < x->n; i++)
        if (strcmp(x->at[i].name, "node") == 0)
            return i;
    return x->n > 1 ? 0 : -1;
}
