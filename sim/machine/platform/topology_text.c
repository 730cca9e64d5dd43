// Reads the section [topology] of a platform's file.
#include "base/error.h"
#include "base/escape.h"
#include "base/nearest.h"
#include "base/number.h"
#include "machine/platform/figure_units.h"
#include "machine/platform/topology.h"
#include <string.h>

#define SOURCE ".source"

static const char *const keys[] = {"kind",
                                   "shape",
                                   "shape.source",
                                   "routing",
                                   "routing.source",
                                   "rate",
                                   "rate.CLASS",
                                   "rate.source",
                                   "background",
                                   "background.CLASS",
                                   "background.source",
                                   "hop",
                                   "hop.source",
                                   "hosts",
                                   "hosts.source",
                                   NULL};

// Keys that may have the name of a class behind them. Whether there is such a class is known once the kind is.
static const char *const class_keys[] = {"rate.", "background.", NULL};

// Returns the line that has a key; NULL if there is none.
static const TopologyLine *line_of(const TopologyText *given, const char *key)
{
    for (guint i = 0; given->lines && i < given->lines->len; i++) {
        const TopologyLine *x = &g_array_index(given->lines, TopologyLine, i);
        if (strcmp(x->key, key) == 0)
            return x;
    }
    return NULL;
}

static void line_clear(gpointer data)
{
    TopologyLine *x = data;
    g_free(x->key);
    g_free(x->value);
}

// Returns what stands behind the dot in a key of a class, or in its source; NULL if it is not such a key.
static const char *class_in(const char *key)
{
    for (const char *const *x = class_keys; *x; x++)
        if (g_str_has_prefix(key, *x))
            return key + strlen(*x);
    return NULL;
}

gboolean topology_read(TopologyText *given, guint line, const char *key, const char *value, GError **error)
{
    int i;
    const char *class = class_in(key);
    const gboolean example = class && strcmp(class, "CLASS") == 0;
    if (example || (!class && nearest_match(key, keys) < 0)) {
        g_autofree char *wrong = g_strndup(key, example ? (gsize)(class - key) : strlen(key));
        return nearest_find("key in [topology]", wrong, keys, &i, error);
    }
    const TopologyLine *before = line_of(given, key);
    if (before)
        return bad_input(error, "%s is set twice, first in line %u; allowed: once", key, before->line);
    if (!given->lines) {
        given->lines = g_array_new(FALSE, FALSE, sizeof(TopologyLine));
        g_array_set_clear_func(given->lines, line_clear);
    }
    const TopologyLine x = {g_strdup(key), g_strdup(value), line};
    g_array_append_val(given->lines, x);
    return TRUE;
}

// Sets *figure to the figure `key` and *source to where it comes from, if the section has it. `what` says what the
// figure is followed by in errors.
static gboolean read_figure(const TopologyText *given, const char *key, PlatformUnit unit, double *figure,
                            char **source, guint *line, GError **error)
{
    g_autofree char *source_key = g_strconcat(key, SOURCE, NULL);
    const TopologyLine *value = line_of(given, key), *from = line_of(given, source_key);
    if (!value && !from)
        return TRUE;
    *line = value ? value->line : from->line;
    if (!value)
        return bad_input(error, "%s has no figure; allowed: with %s = value", source_key, key);
    if (!figure_parse(unit, value->value, figure, error)) {
        g_prefix_error(error, "%s: ", key);
        return FALSE;
    }
    if (!from || !*from->value)
        return bad_input(error, "%s has no source; allowed: with %s = where it comes from", key, source_key);
    g_free(*source);
    *source = escape_line(from->value);
    return TRUE;
}

// Sets *share to the background traffic `key`, if the section has it. As an assumption it needs no source.
static gboolean read_background(const TopologyText *given, const char *key, double *share, guint *line, GError **error)
{
    const TopologyLine *x = line_of(given, key);
    if (!x)
        return TRUE;
    *line = x->line;
    return (number_real(x->value, share) && *share < 1) ||
           bad_input(error, "%s '%s' is not a share of a rate; allowed: from 0 to below 1, such as 0.3", key, x->value);
}

// Returns FALSE and an error if a figure is one of a class that the topology does not have.
static gboolean check_classes(const TopologyText *given, const Topology *t, guint *line, GError **error)
{
    const char *names[TOPOLOGY_CLASSES + 1] = {NULL};
    const int n = topology_classes(t);
    for (int i = 0; i < n; i++)
        names[i] = topology_class(t, i);
    for (guint i = 0; i < given->lines->len; i++) {
        const TopologyLine *x = &g_array_index(given->lines, TopologyLine, i);
        if (!class_in(x->key) || strcmp(class_in(x->key), &SOURCE[1]) == 0)
            continue;
        g_autofree char *class = g_strdup(class_in(x->key)),
                        *kind = g_strdup_printf("class of links of %s %s", topology_names[t->kind], t->shape);
        if (g_str_has_suffix(class, SOURCE))
            class[strlen(class) - strlen(SOURCE)] = '\0';
        *line = x->line;
        if (!g_strv_contains(names, class))
            return nearest_unknown(kind, class, names, error);
    }
    return TRUE;
}

static gboolean read_rates(const TopologyText *given, Topology *t, guint *line, GError **error)
{
    TopologyLinks *links = t->links;
    const int n = topology_classes(t);
    double all = 0;
    g_autofree char *source = NULL;
    if (!check_classes(given, t, line, error) ||
        !read_figure(given, "rate", PLATFORM_BANDWIDTH, &all, &source, line, error))
        return FALSE;
    for (int i = 0; i < n; i++) {
        g_autofree char *key = g_strconcat("rate.", topology_class(t, i), NULL);
        links->per_byte_s[i] = all;
        links->source[i] = g_strdup(source);
        if (!read_figure(given, key, PLATFORM_BANDWIDTH, &links->per_byte_s[i], &links->source[i], line, error))
            return FALSE;
        links->rated |= links->per_byte_s[i] > 0;
    }
    return read_figure(given, "hop", PLATFORM_TIME, &links->hop_s, &links->hop_source, line, error);
}

// Takes the share of other traffic away from the rates.
static gboolean read_backgrounds(const TopologyText *given, Topology *t, guint *line, GError **error)
{
    TopologyLinks *links = t->links;
    double all = 0;
    if (!read_background(given, "background", &all, line, error))
        return FALSE;
    for (int i = 0; i < topology_classes(t); i++) {
        g_autofree char *key = g_strconcat("background.", topology_class(t, i), NULL);
        links->background[i] = links->per_byte_s[i] > 0 ? all : 0;
        if (!read_background(given, key, &links->background[i], line, error))
            return FALSE;
        if (links->background[i] > 0 && links->per_byte_s[i] <= 0)
            return bad_input(error, "%s has no rate to take from; allowed: with rate or rate.%s", key,
                             topology_class(t, i));
        links->per_byte_s[i] /= 1 - links->background[i];
    }
    return TRUE;
}

static gboolean read_routing(const TopologyText *given, Topology *t, guint *line, GError **error)
{
    const TopologyLine *x = line_of(given, "routing"), *source = line_of(given, "routing" SOURCE);
    int routing;
    if (!x && source) {
        *line = source->line;
        return bad_input(error, "routing" SOURCE " has no routing; allowed: with routing = minimal or spread");
    }
    if (!x)
        return TRUE;
    *line = x->line;
    if (!nearest_find("routing", x->value, routing_names, &routing, error))
        return FALSE;
    t->routing = (TopologyRouting)routing;
    return TRUE;
}

static gboolean read_hosts(const TopologyText *given, const char *path, Topology *t, guint *line, GError **error)
{
    const TopologyLine *x = line_of(given, "hosts"), *source = line_of(given, "hosts" SOURCE);
    if (!x && source) {
        *line = source->line;
        return bad_input(error, "hosts" SOURCE " has no hosts; allowed: with hosts = a file");
    }
    if (!x)
        return TRUE;
    *line = x->line;
    if (!*x->value)
        return bad_input(error, "hosts is empty; allowed: a file with a line for each host, its name and its number");
    g_autofree char *folder = g_path_get_dirname(path);
    t->links->hosts = g_path_is_absolute(x->value) ? g_strdup(x->value) : g_build_filename(folder, x->value, NULL);
    t->links->hosts_source = source ? escape_line(source->value) : NULL;
    return TRUE;
}

// Sets *line to that of the first key that a flat topology, or one without a kind, cannot have, and returns it.
static const char *needs_kind(const TopologyText *given, guint *line)
{
    for (guint i = 0; given->lines && i < given->lines->len; i++) {
        const TopologyLine *x = &g_array_index(given->lines, TopologyLine, i);
        if (strcmp(x->key, "kind") == 0 || g_str_has_prefix(x->key, "shape"))
            continue;
        *line = x->line;
        return x->key;
    }
    return NULL;
}

gboolean topology_finish(const TopologyText *given, const char *path, guint *line, Topology *out, GError **error)
{
    const TopologyLine *kind_line = line_of(given, "kind"), *shape = line_of(given, "shape"),
                       *source = line_of(given, "shape" SOURCE);
    int kind = TOPOLOGY_FLAT;
    *line = MAX(shape ? shape->line : 0, source ? source->line : 0);
    if (!kind_line && (*line || needs_kind(given, line)))
        return bad_input(error,
                         "[topology] has no kind; allowed: kind = flat, fat_tree, torus, dragonfly, hyperx or groups");
    if (kind_line) {
        *line = kind_line->line;
        if (!nearest_find("kind of topology", kind_line->value, topology_names, &kind, error))
            return FALSE;
    }
    *line = shape ? shape->line : source ? source->line : *line;
    if (source && !shape)
        return bad_input(error, "shape.source has no shape; allowed: with shape = numbers");
    if (shape && !(source && *source->value))
        return bad_input(error, "shape has no source; allowed: with shape.source = where it comes from");
    Topology t;
    if (!topology_make((TopologyKind)kind, shape ? shape->value : NULL, &t, error))
        return FALSE;
    const char *key = t.links ? NULL : needs_kind(given, line);
    if (key)
        return bad_input(error, "a flat topology has no %s; allowed: another kind", key);
    if (t.links && (!read_rates(given, &t, line, error) || !read_backgrounds(given, &t, line, error) ||
                    !read_routing(given, &t, line, error) || !read_hosts(given, path, &t, line, error))) {
        topology_clear(&t);
        return FALSE;
    }
    *out = t;
    return TRUE;
}

void topology_text_clear(TopologyText *given)
{
    if (given->lines)
        g_array_unref(given->lines);
}
