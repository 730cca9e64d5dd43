#include "search/search/points.h"
#include "base/units.h"

char *point_params(const Point *x, gboolean brief)
{
    const CollAlgorithm *a = point_entry(x) ? point_entry(x) : x->algorithm;
    const CollParams defaults = algorithm_defaults(algorithm_entry(a));
    GString *s = g_string_new(NULL);
    for (int i = 0; i < algorithm_n_params(a); i++) {
        const CollParam *param = &a->params[i];
        const CollAlgorithm *part = param_part(param, &x->par);
        const int64_t value = param_get(param, &x->par), asked = param_get(param, &x->asked);
        g_autofree char *text = param_text(param, value),
                        *inner = part ? params_part_text(param->name, part, ";", param_text) : NULL;
        const gboolean usual = brief && asked == param_get(param, &defaults) && value == asked;
        if (!usual)
            g_string_append_printf(s, ";%s=%s", param->name, text);
        if (!usual && brief && value != asked)
            g_string_append_printf(s, " (of %" G_GINT64_FORMAT ")", asked);
        g_string_append(s, inner ? inner : "");
    }
    g_string_erase(s, 0, s->len > 0); // the first separator
    return g_string_free(s, FALSE);
}

char *point_choice(const Point *x)
{
    g_autofree char *params = point_params(x, TRUE);
    if (x->decision)
        return g_strdup(x->algorithm->name);
    return g_strdup_printf("%s%s%s", x->algorithm->name, *params ? " " : "", params);
}

char *point_name(const Point *x)
{
    g_autofree char *choice = point_choice(x), *size = units_format_size(x->m), *ran = point_ran(x);
    return g_strdup_printf("%s, %s bytes on %d rank%s%s%s", choice, size, x->p, x->p == 1 ? "" : "s",
                           ran ? ", ran: " : "", ran ? ran : "");
}
