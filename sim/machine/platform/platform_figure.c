#include "machine/platform/platform_figure.h"
#include "base/error.h"
#include "base/nearest.h"
#include "base/number.h"
#include "machine/platform/value.h"
#include <math.h>
#include <string.h>

// ---- Names ----------------------------------------------------------------------------------------------------------

// Returns the names of the figures in a section, or in all sections; a list that ends in NULL. Free with g_free.
static const char **names_of(const char *section, gboolean by_level)
{
    const char **names = g_new0(const char *, N_PLATFORM_KEYS + 1);
    for (int k = 0, n = 0; k < N_PLATFORM_KEYS; k++)
        if ((!section || strcmp(section, platform_keys[k].section) == 0) && (!by_level || platform_keys[k].by_level) &&
            (section || k != KEY_REDUCE)) // its name is that of KEY_GAMMA
            names[n++] = platform_keys[k].name;
    return names;
}

static int find_key(const char *name, const char *section)
{
    for (int k = 0; k < N_PLATFORM_KEYS; k++)
        if ((!section || strcmp(section, platform_keys[k].section) == 0) && strcmp(name, platform_keys[k].name) == 0)
            return k;
    return -1;
}

// Returns FALSE and an error unless the figure may be given per level.
static gboolean check_by_level(PlatformKey key, GError **error)
{
    g_autofree const char **names = names_of(NULL, TRUE);
    g_autofree char *allowed = g_strjoinv(", ", (char **)names);
    return platform_keys[key].by_level ||
           bad_input(error, "%s cannot be given per level; allowed: %s", platform_keys[key].name, allowed);
}

gboolean platform_figure_name(const char *text, const char *section, FigureName *out, GError **error)
{
    const char *dot = strrchr(text, '.');
    g_autofree char *head = dot ? g_strndup(text, (gsize)(dot - text)) : NULL;
    const int whole = find_key(text, section), key = whole < 0 && head ? find_key(head, section) : whole;
    if (key >= 0 && key != whole && !check_by_level(key, error))
        return FALSE;
    if (key >= 0) {
        *out = (FigureName){(PlatformKey)key, key == whole ? NULL : g_strdup(dot + 1)};
        return TRUE;
    }
    g_autofree const char **names = names_of(section, FALSE);
    g_autofree char *kind = section ? g_strdup_printf("key in [%s]", section) : g_strdup("parameter");
    return nearest_unknown(kind, head && nearest_name(head, names) ? head : text, names, error);
}

// ---- Values ---------------------------------------------------------------------------------------------------------

// Returns the place of a figure's table, whose level is -1 for the figure without a level.
static Table **table_place(Platform *platform, PlatformKey key, int level)
{
    return level >= 0          ? &platform->level_table[key][level]
           : key == KEY_MEMORY ? &platform->memory
                               : &platform->table[key];
}

// Reads the value of a figure. `level` is its level in errors, or NULL.
static gboolean read_value(PlatformKey key, const char *level, const char *text, FigureValue *value, GError **error)
{
    if (value_parse(platform_keys[key].unit, text, value, error)) {
        if ((key != KEY_ONE && key != KEY_STEP) || value->table->at[0].value > 0)
            return TRUE; // no later time is 0, because times hardly fall
        g_clear_pointer(&value->table, table_free);
        bad_input(error, "a message takes no time; allowed: times above 0");
    }
    g_prefix_error(error, "%s%s%s: ", platform_keys[key].name, level ? "." : "", level ? level : "");
    return FALSE;
}

static void clear_levels(Platform *platform, PlatformKey key)
{
    for (int i = 0; platform->by_level[key] && i < platform->levels.n; i++) {
        g_free(platform->level_source[key][i]);
        table_free(platform->level_table[key][i]);
    }
    g_clear_pointer(&platform->level_source[key], g_free);
    g_clear_pointer(&platform->level_table[key], g_free);
    g_clear_pointer(&platform->by_level[key], g_free);
}

void platform_figure_none(Platform *platform, PlatformKey key)
{
    clear_levels(platform, key);
    platform->has[key] = FALSE;
    platform->value[key] = platform_keys[key].otherwise;
    platform->above[key] = 0;
    g_clear_pointer(&platform->source[key], g_free);
    g_clear_pointer(table_place(platform, key, -1), table_free);
}

gboolean platform_figure_all(Platform *platform, PlatformKey key, const char *value, const char *source, GError **error)
{
    FigureValue read = {0};
    if (!read_value(key, NULL, value, &read, error))
        return FALSE;
    platform_figure_none(platform, key);
    platform->has[key] = TRUE;
    platform->value[key] = read.number;
    platform->above[key] = read.above;
    platform->source[key] = g_strdup(source);
    *table_place(platform, key, -1) = read.table;
    return TRUE;
}

int platform_figure_missing(const Platform *platform, PlatformKey key)
{
    for (int i = 0; platform->by_level[key] && i < platform->levels.n; i++)
        if (isnan(platform->by_level[key][i]))
            return i;
    return platform->by_level[key] || platform->has[key] ? -1 : 0;
}

// Makes the figure that holds for one machine as a whole agree with those of its levels. An optional figure may lack
// the value for far.
static void summarize(Platform *platform, PlatformKey key)
{
    const int far = platform->levels.n - 1;
    const double *values = platform->by_level[key];
    char **sources = platform->level_source[key];
    const char *any = NULL;
    gboolean own = TRUE;
    platform->has[key] = platform_figure_missing(platform, key) < 0 || platform_keys[key].optional;
    platform->value[key] = platform->has[key] && !isnan(values[far]) ? values[far] : platform_keys[key].otherwise;
    table_free(platform->table[key]);
    platform->table[key] = table_copy(platform->level_table[key][far]);
    for (int i = 0; i <= far; i++) {
        own &= sources[i] != NULL;
        any = sources[i] ? sources[i] : any;
    }
    if (own || (platform->has[key] && !platform->source[key])) { // no level has the figure without a level
        g_free(platform->source[key]);
        platform->source[key] = g_strdup(any);
    }
}

// Gives each level the value that the figure has without a level. If the figure has none, the levels have none either.
static void spread(Platform *platform, PlatformKey key)
{
    const int n = platform->levels.n;
    platform->by_level[key] = g_new(double, n);
    platform->level_table[key] = g_new(Table *, n);
    platform->level_source[key] = g_new0(char *, n);
    for (int i = 0; i < n; i++) {
        platform->by_level[key][i] = platform->has[key] ? platform->value[key] : NAN;
        platform->level_table[key][i] = table_copy(platform->table[key]);
    }
}

gboolean platform_figure_level(Platform *platform, PlatformKey key, const char *level, const char *value,
                               const char *source, GError **error)
{
    FigureValue read = {0};
    int i = 0;
    if (!levels_find(&platform->levels, level, &i, error)) {
        g_prefix_error(error, "%s.%s: ", platform_keys[key].name, level);
        return FALSE;
    }
    if (platform->levels.n == 1)
        return platform_figure_all(platform, key, value, source, error);
    if (!read_value(key, level, value, &read, error))
        return FALSE;
    if (!platform->by_level[key])
        spread(platform, key);
    platform->by_level[key][i] = read.number;
    table_free(platform->level_table[key][i]);
    platform->level_table[key][i] = read.table;
    g_free(platform->level_source[key][i]);
    platform->level_source[key][i] = g_strdup(source);
    summarize(platform, key);
    return TRUE;
}

// ---- Figures that are scaled ----------------------------------------------------------------------------------------

// Returns what the figure's values as they are kept are multiplied by, so that what people write becomes `factor` times
// as much; 0 and an error if the figure is not a time or a rate.
static double kept_factor(PlatformKey key, double factor, GError **error)
{
    switch (platform_keys[key].unit) {
    case PLATFORM_TIME:
    case PLATFORM_PER_BYTE:
    case PLATFORM_TIMES:
    case PLATFORM_TAKES:
    case PLATFORM_WORK:
    case PLATFORM_SHARE:
        return factor;
    case PLATFORM_BANDWIDTH: // kept in seconds
    case PLATFORM_FREQUENCY:
        return 1 / factor;
    default:
        bad_input(error, "%s: x%g would scale it; allowed: a value, because only times and rates are scaled",
                  platform_keys[key].name, factor);
        return 0;
    }
}

// Multiplies a value, unless it is NAN, and its table. With `check` it only checks that the products are in range.
static gboolean scale_value(PlatformKey key, double *value, Table *table, double factor, gboolean check, GError **error)
{
    const PlatformUnit unit = platform_keys[key].unit;
    if (!isnan(*value) && check && !figure_check(unit, *value * factor, error))
        return FALSE;
    for (int i = 0; table && i < table->n; i++)
        if (check ? !figure_check(unit, table->at[i].value * factor, error) : !(table->at[i].value *= factor, TRUE))
            return FALSE;
    if (!check)
        *value *= factor;
    return TRUE;
}

// Multiplies the figure at a level, or at all of them if `level` is -1.
static gboolean scale_all(Platform *platform, PlatformKey key, int level, double factor, gboolean check, GError **error)
{
    if (!platform->by_level[key])
        return scale_value(key, &platform->value[key], *table_place(platform, key, -1), factor, check, error);
    for (int i = 0; i < platform->levels.n; i++)
        if ((level < 0 || i == level) &&
            !scale_value(key, &platform->by_level[key][i], platform->level_table[key][i], factor, check, error))
            return FALSE;
    return TRUE;
}

static void set_text(char **text, const char *value)
{
    g_free(*text);
    *text = g_strdup(value);
}

// Sets the source of the figure at a level, or of all of them if `level` is -1.
static void set_sources(Platform *platform, PlatformKey key, int level, const char *source)
{
    if (level < 0)
        set_text(&platform->source[key], source);
    for (int i = 0; platform->by_level[key] && i < platform->levels.n; i++)
        if (level == i || (level < 0 && platform->level_source[key][i]))
            set_text(&platform->level_source[key][i], source);
}

// Returns FALSE and an error if the figure, at a level or at all of them (-1), is only the word gap.
static gboolean check_scaled(const Platform *platform, PlatformKey key, int level, double factor, GError **error)
{
    if (platform_keys[key].unit != PLATFORM_TAKES)
        return TRUE;
    gboolean any = !platform->by_level[key] && platform->table[key];
    for (int i = 0; platform->by_level[key] && i < platform->levels.n; i++)
        any |= (level < 0 || i == level) && platform->level_table[key][i];
    return any || bad_input(error, "%s: it is the gap; allowed: %s=x%g", platform_keys[key].name,
                            platform_keys[KEY_GAP].name, factor);
}

// Makes a figure `factor` times what it is, at one level or at all of them.
static gboolean scale_figure(Platform *platform, PlatformKey key, const char *level, double factor, const char *source,
                             GError **error)
{
    const double kept = kept_factor(key, factor, error);
    int i = -1;
    if (kept <= 0 || (level && !levels_find(&platform->levels, level, &i, error)))
        return FALSE;
    if (!platform->has[key] && !(platform->by_level[key] && i >= 0 && !isnan(platform->by_level[key][i])))
        return bad_input(error, "%s: platform %s does not have it; allowed: a value in place of x%g",
                         platform_keys[key].name, platform->name, factor);
    if (i >= 0 && platform->levels.n == 1)
        i = -1;
    if (i >= 0 && !platform->by_level[key])
        spread(platform, key);
    if (!check_scaled(platform, key, i, factor, error))
        return FALSE;
    if (!scale_all(platform, key, i, kept, TRUE, error)) {
        g_prefix_error(error, "%s: ", platform_keys[key].name);
        return FALSE;
    }
    scale_all(platform, key, i, kept, FALSE, NULL);
    set_sources(platform, key, i, source);
    if (platform->by_level[key])
        summarize(platform, key);
    return TRUE;
}

// ---- Platforms ------------------------------------------------------------------------------------------------------

Platform *platform_new(const char *name)
{
    Platform *platform = g_new0(Platform, 1);
    platform->name = g_strdup(name);
    for (int k = 0; k < N_PLATFORM_KEYS; k++)
        platform->value[k] = platform_keys[k].otherwise;
    levels_init(&platform->levels);
    return platform;
}

// ---- The section [measured] -----------------------------------------------------------------------------------------

// Returns TRUE if the platform gives the figure at the level.
static gboolean given(const Platform *platform, PlatformKey key, int level)
{
    return platform->by_level[key] ? !isnan(platform->by_level[key][level]) : platform->has[key];
}

// Returns a copy of the figure's table at a level; NULL if it is not given there.
static Table *copy_table(const Platform *platform, PlatformKey key, int level)
{
    return table_copy(platform->by_level[key] ? platform->level_table[key][level] : platform->table[key]);
}

// Returns the default of lambda, which measurements of Open MPI gave; no other library showed one.
static double default_lambda(const Platform *platform)
{
    g_autoptr(GString) name = g_string_new(NULL);
    for (const char *c = platform->mpi ? platform->mpi : ""; *c; c++)
        if (!strchr(" -_", *c))
            g_string_append_c(name, g_ascii_tolower(*c));
    return strstr(name->str, "openmpi") ? 0.75 : 0;
}

static void take_level(const Platform *platform, MeasuredLevel *level, int i)
{
    level->one = copy_table(platform, KEY_ONE, i);
    level->step = copy_table(platform, KEY_STEP, i);
    level->gap = copy_table(platform, KEY_GAP, i);
    level->take = copy_table(platform, KEY_TAKE, i);
    level->take_gap = given(platform, KEY_TAKE, i) && !level->take;
    if (given(platform, KEY_EAGER, i)) {
        const double eager = platform_at(platform, KEY_EAGER, i);
        level->eager = eager < 0 ? MEASURED_ALL_RENDEZVOUS : eager < (double)INT64_MAX ? (int64_t)eager : INT64_MAX;
    }
    level->lambda = given(platform, KEY_LAMBDA, i) ? platform_at(platform, KEY_LAMBDA, i) : default_lambda(platform);
}

void platform_update_measured(Platform *platform)
{
    static const PlatformKey works[N_WORK_KINDS] = {
        [WORK_REDUCE] = KEY_REDUCE,   [WORK_COPY] = KEY_COPY,   [WORK_FRESH] = KEY_FRESH,
        [WORK_CONNECT] = KEY_CONNECT, [WORK_MATCH] = KEY_MATCH, [WORK_BOUNCE] = KEY_BOUNCE};
    g_clear_pointer(&platform->measured, measured_free);
    if (!platform->has[KEY_ONE])
        return;
    Measured *m = platform->measured = measured_new(platform->levels.n);
    for (int i = 0; i < m->n_levels; i++)
        take_level(platform, &m->level[i], i);
    m->ports = (int)platform->value[KEY_PORTS];
    m->far = platform->value[KEY_FAR];
    m->swap = platform->value[KEY_SWAP];
    for (int i = 0; i < N_WORK_KINDS; i++) {
        const PlatformKey key = works[i] == KEY_REDUCE && !platform->has[KEY_REDUCE] ? KEY_GAMMA : works[i];
        m->work[i] = (MeasuredWork){platform->value[key], platform->above[key], table_copy(platform->table[key])};
    }
    measured_complete(m);
}

// ---- Platforms ------------------------------------------------------------------------------------------------------

void platform_free(Platform *platform)
{
    if (!platform)
        return;
    for (int k = 0; k < N_PLATFORM_KEYS; k++)
        platform_figure_none(platform, k);
    g_free(platform->levels_source);
    levels_clear(&platform->levels);
    measured_free(platform->measured);
    topology_clear(&platform->topology);
    if (platform->pieces)
        g_array_unref(platform->pieces);
    g_free(platform->pieces_source);
    g_free(platform->spread_source);
    g_free(platform->title);
    g_free(platform->mpi);
    g_free(platform->model);
    g_free(platform->name);
    g_free(platform);
}

void platform_forget_tables(Platform *platform)
{
    for (PlatformKey key = KEY_ONE; key <= KEY_TAKE; key++)
        platform_figure_none(platform, key);
    platform_update_measured(platform);
}

gboolean platform_flatten(Platform *platform)
{
    gboolean taken = platform->levels.n > 1;
    for (int k = 0; k < N_PLATFORM_KEYS; k++) {
        const gboolean shared = k >= KEY_NICS && k <= KEY_MEMORY;
        taken |= shared && platform->has[k];
        if (shared || !given(platform, k, platform->levels.n - 1))
            platform_figure_none(platform, k);
        else
            clear_levels(platform, k);
    }
    levels_clear(&platform->levels);
    levels_init(&platform->levels);
    g_clear_pointer(&platform->levels_source, g_free);
    platform_update_measured(platform);
    return taken;
}

gboolean platform_set_figure(Platform *platform, PlatformKey key, const char *level, const char *value,
                             const char *source, GError **error)
{
    const gboolean may_go = !level && platform_keys[key].optional && platform_keys[key].unit != PLATFORM_LIMIT;
    gboolean set = TRUE;
    double factor = 0;
    if (*value == 'x' && (!number_real(value + 1, &factor) || factor <= 0)) {
        g_autofree char *shown = error_quote(value);
        return bad_input(error, "%s: %s is not a factor; allowed: x and a number above 0, such as x0.5",
                         platform_keys[key].name, shown);
    }
    if (*value == 'x')
        set = (!level || check_by_level(key, error)) && scale_figure(platform, key, level, factor, source, error);
    else if (may_go && strcmp(value, "none") == 0)
        platform_figure_none(platform, key);
    else if (level)
        set = check_by_level(key, error) && platform_figure_level(platform, key, level, value, source, error);
    else
        set = platform_figure_all(platform, key, value, source, error);
    platform_update_measured(platform);
    return set;
}

gboolean platform_set_rest(Platform *platform, PlatformKey key, const char *value, const char *source, GError **error)
{
    const int far = platform->levels.n - 1;
    char **own = platform->level_source[key];
    if (!platform->by_level[key] || own[far])
        return platform_set_figure(platform, key, own ? "far" : NULL, value, source, error);
    for (int i = 0; i <= far; i++)
        if (!own[i]) {
            if (!platform_figure_level(platform, key, platform->levels.at[i].name, value, source, error))
                return FALSE;
            g_clear_pointer(&own[i], g_free); // the value is still that without a level
        }
    set_text(&platform->source[key], source);
    platform_update_measured(platform);
    return TRUE;
}

gboolean platform_set(Platform *platform, const char *assignment, GError **error)
{
    g_autofree char *key = g_strndup(assignment, strcspn(assignment, "="));
    g_autofree char *source = g_strdup_printf("--set %s", assignment);
    if (strlen(key) == strlen(assignment)) {
        g_autofree char *shown = error_quote(assignment);
        return bad_input(error, "--set %s has no '='; allowed: KEY=VALUE, such as alpha=1us", shown);
    }
    FigureName name = {.level = NULL};
    const gboolean set =
        platform_figure_name(key, NULL, &name, error) &&
        platform_set_figure(platform, name.key, name.level, assignment + strlen(key) + 1, source, error);
    g_free(name.level);
    if (!set)
        g_prefix_error(error, "--set: ");
    return set;
}

// Adds the name of a figure that the platform lacks, and the first level without it if others have it.
static void add_missing(GString *text, const Platform *platform, PlatformKey key)
{
    g_string_append_printf(text, "%s%s", text->len ? ", " : "", platform_keys[key].name);
    if (platform->by_level[key])
        g_string_append_printf(text, ".%s", platform->levels.at[platform_figure_missing(platform, key)].name);
    if (platform_keys[key].unit == PLATFORM_TIMES) // the name of a table does not explain itself
        g_string_append_printf(text, " (%s)", platform_keys[key].meaning);
}

gboolean platform_need(const Platform *platform, const PlatformKey *keys, size_t n, const char *model, GError **error)
{
    g_autoptr(GString) missing = g_string_new(NULL);
    gboolean only_gamma = TRUE;
    for (size_t i = 0; i < n; i++) {
        const gboolean gamma = keys[i] == KEY_GAMMA || keys[i] == KEY_REDUCE;
        if (platform->has[keys[i]] || (gamma ? platform->has[KEY_GAMMA] : platform_keys[keys[i]].optional))
            continue;
        add_missing(missing, platform, keys[i]);
        only_gamma &= gamma;
    }
    g_autofree char *who = only_gamma ? g_strdup("reductions need") : g_strdup_printf("model %s needs", model);
    return missing->len == 0 ||
           bad_input(error, "platform %s lacks %s, which %s; allowed: another platform, or --set KEY=VALUE",
                     platform->name, missing->str, who);
}
