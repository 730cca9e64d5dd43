#include "search/search/try_values.h"
#include <math.h>
#include <string.h>

gboolean try_is_given(const Question *q, const CollParam *param)
{
    for (char **w = q->params; w && *w; w++)
        if (g_str_has_prefix(*w, param->name) && strchr("=.", (*w)[strlen(param->name)]))
            return TRUE;
    return FALSE;
}

// Adds a value to the n of `value` if it is allowed, at most `most` and not there yet, and returns their number.
static int add_value(const CollParam *param, int64_t most, int64_t x, int64_t *value, int n)
{
    bool fresh = x >= param->min && x <= MIN(most, param->max);
    for (int k = 0; k < n; k++)
        fresh &= value[k] != x;
    if (fresh)
        value[n++] = x;
    return n;
}

static int numbers(const CollParam *param, int p, int64_t *value)
{
    const int64_t few[] = {param->min, 1, 2, 3, 4, 5, 6, 7, 8, 16, 32, (int64_t)ceil(sqrt(p)), p - 1, p};
    const int64_t most = param->cut        ? param_most(param, p)
                         : param->min == 0 ? 2
                                           : p; // a minimum of 0 means "no bound", and larger values act much like it
    const gboolean all = param->cut == CUT_ROUNDS;
    int n = 1;
    value[0] = all ? MIN(param->def, most) : param->def;
    for (int64_t i = 0; i < (all ? most + 1 : (int64_t)G_N_ELEMENTS(few)); i++)
        n = add_value(param, most, all ? i : few[i], value, n);
    return n;
}

static int choices(const CollParam *param, int64_t *value)
{
    int n = 0;
    for (int64_t i = 0; i <= param->max; i++)
        value[n++] = (param->def + i) % (param->max + 1);
    return n;
}

int try_values(const CollParam *param, int p, int64_t value[TRY_MOST_VALUES])
{
    return param->kind == PARAM_CHOICE ? choices(param, value)
           : param->kind == PARAM_INT  ? numbers(param, p, value)
                                       : 0;
}
