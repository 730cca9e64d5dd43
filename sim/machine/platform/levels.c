#include "machine/platform/levels.h"
#include "base/error.h"
#include "base/limits.h"
#include "base/nearest.h"
#include "base/number.h"
#include <string.h>

void levels_init(Levels *x)
{
    *x = (Levels){.n = 1, .at = g_new0(PlatformLevel, 1)};
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
    x->at = g_renew(PlatformLevel, x->at, x->n + 1);
    x->at[x->n] = x->at[x->n - 1]; // far stays last
    x->at[x->n - 1] = (PlatformLevel){g_strdup(name), ranks};
    x->n++;
}

gboolean levels_find(const Levels *x, const char *name, int *level, GError **error)
{
    const char *names[LEVELS_MOST + 1] = {NULL};
    for (int i = 0; i < x->n; i++) {
        names[i] = x->at[i].name;
        if (strcmp(names[i], name) == 0) {
            *level = i;
            return TRUE;
        }
    }
    return nearest_unknown("level", name, names, error);
}

// ---- The section [levels] -------------------------------------------------------------------------------------------

static gboolean check_name(const Levels *x, const char *name, GError **error)
{
    static const char *const taken[] = {"far", "rank", "ranks", "source"};
    gboolean good = *name && !name[strspn(name, G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS "-_")];
    for (size_t i = 0; i < G_N_ELEMENTS(taken); i++)
        good &= strcmp(name, taken[i]) != 0;
    if (!good) {
        g_autofree char *shown = error_quote(name);
        return bad_input(error,
                         "%s is not the name of a level; allowed: letters, digits, - and _, but not far, rank, ranks "
                         "or source",
                         shown);
    }
    for (int i = 0; i < x->n; i++)
        if (strcmp(x->at[i].name, name) == 0)
            return bad_input(error, "level %s is set twice; allowed: once", name);
    return x->n < LEVELS_MOST ||
           bad_input(error, "level %s is one too many; allowed: at most %d levels", name, LEVELS_MOST - 1);
}

static const char *plural(const char *name)
{
    return g_str_has_suffix(name, "s") ? "" : "s";
}

// Returns TRUE if the unit is called `name`, or by its plural.
static gboolean is_unit(const char *unit, const char *name)
{
    const size_t length = strlen(name);
    return strncmp(unit, name, length) == 0 && (!unit[length] || strcmp(unit + length, "s") == 0);
}

// Returns how many ranks a unit has: 1 for "rank", 0 if no level has this name. It looks at outer levels first.
static size_t ranks_of(const Levels *x, const char *unit)
{
    for (int i = x->n - 2; i >= 0; i--)
        if (is_unit(unit, x->at[i].name))
            return x->at[i].ranks;
    return is_unit(unit, "rank");
}

gboolean levels_read(Levels *x, const char *name, const char *size, GError **error)
{
    if (!check_name(x, name, error))
        return FALSE;
    const PlatformLevel *before = x->n > 1 ? &x->at[x->n - 2] : NULL;
    const size_t digits = strspn(size, G_CSET_DIGITS), blanks = strspn(size + digits, " \t");
    g_autofree char *number = g_strndup(size, digits), *shown = error_quote(size);
    const size_t unit = blanks ? ranks_of(x, size + digits + blanks) : 0;
    size_t count;
    if (!unit || !number_size(number, 1, LIMIT_RANKS, &count)) {
        if (!before)
            return bad_input(error, "level %s: %s is not a size; allowed: a number of ranks, such as 48 ranks", name,
                             shown);
        return bad_input(error, "level %s: %s is not a size; allowed: a number of ranks or of units, such as 4 %s%s",
                         name, shown, before->name, plural(before->name));
    }
    if (count > LIMIT_RANKS / unit)
        return bad_input(error, "level %s: %s is too large; allowed: at most 2^27 ranks", name, shown);
    if (before && count * unit % before->ranks != 0)
        return bad_input(error,
                         "level %s: %s do not nest, because a %s has %" G_GSIZE_FORMAT
                         " ranks; allowed: a whole number of %s%s",
                         name, shown, before->name, before->ranks, before->name, plural(before->name));
    levels_add(x, name, count * unit);
    return TRUE;
}

static char *units_text(const char *unit, size_t count)
{
    return g_strdup_printf("%" G_GSIZE_FORMAT " %s%s", count, unit, count == 1 ? "" : plural(unit));
}

char *levels_units_text(const Levels *x, int level, size_t count)
{
    return units_text(x->at[level].name, count);
}

char *levels_size_text(const Levels *x, int level)
{
    const PlatformLevel *before = level ? &x->at[level - 1] : NULL;
    return before ? units_text(before->name, x->at[level].ranks / before->ranks)
                  : units_text("rank", x->at[level].ranks);
}

const char **levels_names(const Levels *x)
{
    const char **names = g_new(const char *, x->n);
    for (int i = 0; i < x->n; i++)
        names[i] = x->at[i].name;
    return names;
}

int levels_node(const Levels *x)
{
    for (int i = 0; i + 1 < x->n; i++)
        if (strcmp(x->at[i].name, "node") == 0)
            return i;
    return x->n > 1 ? 0 : -1;
}
