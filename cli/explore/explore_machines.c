#include "explore/explore_machines.h"
#include "base/error.h"
#include "base/escape.h"
#include "machine/platform/platform.h"
#include "search/search/request_machine.h"
#include <string.h>

static void figure_clear(gpointer data)
{
    ExploreFigure *const figure = data;
    g_free(figure->name);
    g_free(figure->text);
}

static void machine_free(gpointer data)
{
    ExploreMachine *const machine = data;
    g_free(machine->name);
    g_free(machine->title);
    g_array_unref(machine->figures);
    g_free(machine);
}

static void add_figure(ExploreMachine *machine, PlatformKey key, const char *level, double value)
{
    const PlatformKeyInfo *const info = &platform_keys[key];
    const ExploreFigure figure = {.name = g_strconcat(info->name, level ? "." : NULL, level, NULL),
                                  .text = platform_figure_text(key, value),
                                  .meaning = info->meaning};
    g_array_append_val(machine->figures, figure);
}

// Adds what a slider can change: each value of the figures that hockney reads, apart from counts. A figure of 0 is left out,
// because it is 0 whatever it is multiplied by.
static void add_figures(ExploreMachine *machine, const Platform *platform)
{
    static const PlatformKey keys[] = {KEY_ALPHA, KEY_BETA, KEY_GAMMA, KEY_NIC_RATE};
    for (guint i = 0; i < G_N_ELEMENTS(keys); i++) {
        const PlatformKey key = keys[i];
        for (int level = 0; platform->by_level[key] && level < platform->levels.n; level++)
            if (platform->by_level[key][level] > 0)
                add_figure(machine, key, platform->levels.at[level].name, platform->by_level[key][level]);
        if (platform->has[key] && !platform->by_level[key] && platform->value[key] > 0)
            add_figure(machine, key, NULL, platform->value[key]);
    }
}

// Returns NULL if hockney does not know the machine.
static ExploreMachine *machine_new(const char *name, const Platform *platform)
{
    if (!platform->has[KEY_ALPHA] || !platform->has[KEY_BETA])
        return NULL;
    const int node = levels_node(&platform->levels);
    ExploreMachine *const machine = g_new0(ExploreMachine, 1);
    machine->name = g_strdup(name);
    machine->title = g_strdup(platform->title);
    machine->node = node >= 0 ? (int)MIN(platform->levels.at[node].ranks, G_MAXINT) : 0;
    machine->says_model = request_default_model(platform) != &hockney_model;
    machine->has_reduction = platform->has[KEY_GAMMA];
    machine->figures = g_array_new(FALSE, FALSE, sizeof(ExploreFigure));
    g_array_set_clear_func(machine->figures, figure_clear);
    add_figures(machine, platform);
    return machine;
}

GPtrArray *explore_machines_new(const char *first, GError **error)
{
    g_autoptr(GPtrArray) machines = g_ptr_array_new_with_free_func(machine_free);
    g_autoptr(Platform) asked = platform_load(first, error);
    ExploreMachine *const machine = asked ? machine_new(first, asked) : NULL;
    if (asked && !machine)
        bad_input(error, "%s has no alpha and beta, which the sliders change; allowed: a machine with both",
                  asked->name);
    if (!machine)
        return NULL;
    g_ptr_array_add(machines, machine);
    g_auto(GStrv) names = platform_names();
    for (char **name = names; *name; name++) {
        g_autoptr(Platform) platform = strcmp(*name, first) ? platform_load(*name, NULL) : NULL;
        ExploreMachine *const other = platform ? machine_new(*name, platform) : NULL;
        if (other)
            g_ptr_array_add(machines, other);
    }
    return g_steal_pointer(&machines);
}

const ExploreMachine *explore_machines_find(const GPtrArray *machines, const char *name)
{
    for (guint i = 0; i < machines->len; i++)
        if (strcmp(((const ExploreMachine *)machines->pdata[i])->name, name) == 0)
            return machines->pdata[i];
    return NULL;
}

void explore_machines_json(const GPtrArray *machines, GString *to)
{
    g_string_append_c(to, '[');
    for (guint i = 0; i < machines->len; i++) {
        const ExploreMachine *const machine = machines->pdata[i];
        g_autofree char *name = escape_json(machine->name), *title = escape_json(machine->title);
        g_string_append_printf(to, "%s{\"name\":\"%s\",\"title\":\"%s\",\"node\":%d,\"reduces\":%s,\"figures\":[",
                               i ? "," : "", name, title, machine->node, machine->has_reduction ? "true" : "false");
        for (guint k = 0; k < machine->figures->len; k++) {
            const ExploreFigure *const figure = &g_array_index(machine->figures, ExploreFigure, k);
            g_autofree char *called = escape_json(figure->name), *text = escape_json(figure->text),
                            *meaning = escape_json(figure->meaning);
            g_string_append_printf(to, "%s{\"name\":\"%s\",\"text\":\"%s\",\"meaning\":\"%s\"}", k ? "," : "", called,
                                   text, meaning);
        }
        g_string_append(to, "]}");
    }
    g_string_append_c(to, ']');
}
