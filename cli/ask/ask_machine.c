#include "ask/ask.h"
#include "out/note.h"
#include "base/error.h"
#include "base/nearest.h"
#include "base/number.h"
#include "base/units.h"
#include <string.h>

char *ask_platform_path(const char *name, GError **error)
{
    g_auto(GStrv) names = platform_names();
    const gboolean file = strchr(name, '/') || g_str_has_suffix(name, ".ini");
    const int match = file ? -1 : nearest_match(name, (const char *const *)names);
    return platform_path(match >= 0 ? names[match] : name, error);
}

Platform *ask_platform(const char *name, GError **error)
{
    g_autofree char *path = ask_platform_path(name, error);
    return path ? platform_load(path, error) : NULL;
}

// Everyday names of parameters: what each stands for in hockney, and in the models of the LogP family.
static const struct {
    const char *name;
    PlatformKey hockney, logp;
} everyday[] = {{"latency", KEY_ALPHA, KEY_L}, {"bandwidth", KEY_BETA, KEY_G_BYTE}};

void ask_note_topology(const Platform *platform, const Model *model)
{
    const Topology *t = &platform->topology;
    if (t->kind != TOPOLOGY_FLAT && !t->ours)
        note("model %s ignores the topology of platform %s, %s %s: all ranks are equally far apart; SMPI simulates it "
             "(check --backends smpi)",
             model->name, platform->name, topology_names[t->kind], t->shape);
}

// The keys that --set allows with a model, a list that ends in NULL, and the figure that each stands for.
typedef struct SetKeys {
    const char *key[2 * N_PLATFORM_KEYS + 1];
    PlatformKey figure[2 * N_PLATFORM_KEYS];
} SetKeys;
_Static_assert(G_N_ELEMENTS(everyday) <= N_PLATFORM_KEYS, "set_keys adds each key of a platform once");

static gboolean has_key(const Model *model, int key)
{
    for (size_t i = 0; i < model->n_keys; i++)
        if (model->keys[i] == (PlatformKey)key)
            return TRUE;
    return FALSE;
}

static void add_key(SetKeys *keys, size_t *n, const char *name, PlatformKey figure)
{
    keys->key[*n] = name;
    keys->figure[(*n)++] = figure;
}

static SetKeys set_keys(const Model *model)
{
    SetKeys keys = {0};
    size_t n = 0;
    for (size_t i = 0; i < model->n_keys; i++)
        add_key(&keys, &n, platform_keys[model->keys[i]].name, model->keys[i]);
    for (size_t k = 0; k < G_N_ELEMENTS(everyday); k++)
        for (size_t i = 0; i < model->n_keys; i++)
            if (model->keys[i] == everyday[k].hockney || model->keys[i] == everyday[k].logp)
                add_key(&keys, &n, everyday[k].name, model->keys[i]);
    for (int k = KEY_NICS; k <= KEY_MEMORY && model_replays(model); k++)
        if (!has_key(model, k))
            add_key(&keys, &n, platform_keys[k].name, k);
    for (size_t i = 0; model == &hockney_model && i < shared_model.n_keys; i++) // for parts in shared memory
        if (!has_key(model, (int)shared_model.keys[i]))
            add_key(&keys, &n, platform_keys[shared_model.keys[i]].name, shared_model.keys[i]);
    return keys;
}

// Finds the key of one assignment in keys->key. If it has a level behind a dot, *level becomes its name, as the
// platform has it if only the case differs; the caller frees it. Returns FALSE and a bad-input error if there is no
// such key.
static gboolean find_set_key(const Platform *platform, const char *text, const SetKeys *keys, const char *kind,
                             int *index, char **level, GError **error)
{
    const char *dot = strrchr(text, '.');
    g_autofree char *head = dot ? g_strndup(text, (gsize)(dot - text)) : NULL;
    *index = nearest_match(text, keys->key);
    if (*index >= 0)
        return TRUE;
    if (!head || (!nearest_name(head, keys->key) && nearest_name(text, keys->key)))
        return nearest_find(kind, text, keys->key, index, error);
    if (!nearest_find(kind, head, keys->key, index, error))
        return FALSE;
    const char *names[LEVELS_MOST + 1] = {NULL};
    for (int i = 0; i < platform->levels.n; i++)
        names[i] = platform->levels.at[i].name;
    const int match = nearest_match(dot + 1, names);
    *level = g_strdup(match >= 0 ? names[match] : dot + 1);
    return TRUE;
}

// Returns "x0.5" for "x2", because twice the bandwidth is half the time per byte; NULL for a text that does not scale.
// Free with g_free.
static char *inverse(const char *text)
{
    char digits[G_ASCII_DTOSTR_BUF_SIZE];
    double factor = 0;
    if (*text != 'x' || !number_real(text + 1, &factor) || factor <= 0)
        return NULL;
    return g_strconcat("x", g_ascii_dtostr(digits, sizeof digits, 1 / factor), NULL);
}

// Applies one KEY=VALUE, and replaces its key by the name of the parameter.
static gboolean set_parameter(Platform *platform, char **set, const SetKeys *keys, const Model *model, GError **error)
{
    const char *value = strchr(*set, '=');
    if (!value)
        return platform_set(platform, *set, error); // which reports the missing '='
    g_autofree char *key = g_strndup(*set, (gsize)(value - *set)),
                    *kind = g_strdup_printf("parameter of %s", model->name), *level = NULL;
    int i = 0;
    double cost = 1;
    if (!find_set_key(platform, key, keys, kind, &i, &level, error))
        return FALSE;
    // beta=0 means that bytes cost nothing, but bandwidth=0 that they never arrive.
    if (strcmp(keys->key[i], "bandwidth") == 0 && units_parse_per_byte(value + 1, &cost, NULL) && cost == 0)
        return bad_input(error, "--set bandwidth=0; allowed: a bandwidth above 0 such as 12.5GB/s");
    g_autofree char *slower = strcmp(keys->key[i], "bandwidth") == 0 ? inverse(value + 1) : NULL;
    char *assignment = g_strconcat(platform_keys[keys->figure[i]].name, level ? "." : "", level ? level : "",
                                   slower ? "=" : "", slower ? slower : value, NULL);
    g_autofree char *source = g_strconcat("--set ", assignment, NULL);
    const char *figure = slower ? slower : value + 1;
    const gboolean good = platform_set_figure(platform, keys->figure[i], level, figure, source, error);
    g_free(*set);
    *set = assignment;
    if (!good)
        g_prefix_error(error, "--set: ");
    return good;
}

gboolean ask_sets(Platform *platform, char **sets, const Model *model, GError **error)
{
    const SetKeys keys = set_keys(model);
    for (char **set = sets; set && *set; set++)
        if (!set_parameter(platform, set, &keys, model, error))
            return FALSE;
    return TRUE;
}

void ask_leave_links_out(Platform *platform)
{
    Topology *t = &platform->topology;
    if (!t->links || !t->links->rated)
        return;
    note("the network of platform %s, %s %s, is left out: formulas and bounds are those of ports alone", platform->name,
         topology_names[t->kind], t->shape);
    topology_clear(t);
    *t = (Topology){0};
}

gboolean ask_machine(const RequestOptions *o, Request *r, GError **error)
{
    if (!(r->machine.platform = ask_platform(o->platform ? o->platform : PLATFORM_DEFAULT, error)) ||
        !request_model(r, o->model, error))
        return FALSE;
    if (o->network && !o->model && r->machine.model == &measured_model)
        r->machine.model = &hockney_model;
    if (o->links == LINKS_LEFT_OUT)
        ask_leave_links_out(r->machine.platform);
    else if (!request_network(&r->machine, &o->on, o->seeds, error))
        return FALSE;
    if (!o->network && !r->machine.options.network)
        ask_note_topology(r->machine.platform, r->machine.model);
    r->machine.sets = o->sets;
    return ask_skew(&o->skew, &r->machine, error) && ask_sets(r->machine.platform, o->sets, r->machine.model, error) &&
           request_need_figures(&r->machine, question_reduces(&r->question), error) &&
           request_transfer(&r->machine, o->transfer, error);
}

void ask_note_network(const Request *r)
{
    g_autofree char *network = request_network_text(&r->machine);
    if (network)
        note_line(network);
}

void ask_note_unknowns(const Request *r)
{
    g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
    request_unknowns(r, notes);
    for (guint i = 0; i < notes->len; i++)
        note_line(notes->pdata[i]);
}
