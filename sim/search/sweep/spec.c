#include "search/sweep/spec.h"
#include "base/error.h"
#include "base/ini.h"
#include "base/limits.h"
#include "base/nearest.h"
#include "base/text.h"
#include <string.h>

const char *const sweep_key_names[] = {
    [SWEEP_COLLECTIVE] = "collective",
    [SWEEP_ALGORITHM] = "algorithm",
    [SWEEP_P] = "p",
    [SWEEP_M] = "m",
    [SWEEP_ROOT] = "root",
    [SWEEP_PLATFORM] = "platform",
    [SWEEP_MODEL] = "model",
    [SWEEP_TRANSFER] = "transfer",
    [SWEEP_ELEMENT] = "element",
    [SWEEP_PER_NODE] = "per-node",
    [SWEEP_MAP] = "map",
    [SWEEP_COUNTS] = "counts",
    [SWEEP_DISPLS] = "displs",
    [SWEEP_TOPOLOGY] = "topology",
    [SWEEP_ROUTING] = "routing",
    [SWEEP_NODES] = "nodes",
    [SWEEP_PRUNE] = "prune",
    [N_SWEEP_KEYS] = NULL,
};

static const char *const sections[] = {"sweep", "set", "param", NULL};
enum { IN_SWEEP, IN_SET, IN_PARAM };

void sweep_spec_clear(SweepSpec *x)
{
    for (int i = 0; i < N_SWEEP_KEYS; i++)
        g_clear_pointer(&x->text[i], g_free);
    g_clear_pointer(&x->sets, g_ptr_array_unref);
    g_clear_pointer(&x->params, g_ptr_array_unref);
}

// Adds KEY=VALUE to a list in which no other text may have the key.
static gboolean add_assignment(GPtrArray *list, const char *key, const char *value, GError **error)
{
    const size_t length = strlen(key);
    for (guint i = 0; i < list->len; i++)
        if (strncmp(list->pdata[i], key, length) == 0 && ((const char *)list->pdata[i])[length] == '=')
            return bad_input(error, "%s is set twice; allowed: once, with its values joined by commas", key);
    g_ptr_array_add(list, g_strconcat(key, "=", value, NULL));
    return TRUE;
}

static gboolean read_line(SweepSpec *spec, const Ini *ini, int section, GError **error)
{
    int key = 0;
    if (!*ini->value)
        return bad_input(error, "%s is empty; allowed: a value, or no such line", ini->key);
    if (section != IN_SWEEP)
        return add_assignment(section == IN_SET ? spec->sets : spec->params, ini->key, ini->value, error);
    if (!nearest_find("key in [sweep]", ini->key, sweep_key_names, &key, error))
        return FALSE;
    if (spec->text[key])
        return bad_input(error, "%s is set twice; allowed: once, with its values joined by commas", ini->key);
    spec->text[key] = g_strdup(ini->value);
    return TRUE;
}

static gboolean read_lines(SweepSpec *spec, Ini *ini, const char *text, size_t length, GError **error)
{
    gboolean more = TRUE, seen[G_N_ELEMENTS(sections)] = {FALSE};
    int section = 0;
    if (!ini_open(ini, text, length, error))
        return FALSE;
    while (ini_next(ini, &more, error) && more) {
        if (ini->key) {
            if (!read_line(spec, ini, section, error))
                return FALSE;
            continue;
        }
        if (!nearest_find("section", ini->section, sections, &section, error))
            return FALSE;
        if (seen[section])
            return bad_input(error, "section [%s] appears twice; allowed: once", sections[section]);
        seen[section] = TRUE;
    }
    return !more;
}

gboolean sweep_spec_parse(SweepSpec *spec, const char *path, const char *text, size_t length, GError **error)
{
    *spec =
        (SweepSpec){.sets = g_ptr_array_new_with_free_func(g_free), .params = g_ptr_array_new_with_free_func(g_free)};
    if (!text_check(text, length, LIMIT_PLATFORM_BYTES, path, error))
        return FALSE;
    g_auto(Ini) ini = {0};
    if (read_lines(spec, &ini, text, length, error))
        return TRUE;
    g_prefix_error(error, "%s:%u: ", path, MAX(1, ini.line));
    return FALSE;
}

gboolean sweep_spec_load(SweepSpec *spec, const char *path, GError **error)
{
    size_t length = 0;
    g_autofree char *text = text_read(path, LIMIT_PLATFORM_BYTES, &length, error);
    return text && sweep_spec_parse(spec, text_name(path), text, length, error);
}
