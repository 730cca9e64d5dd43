#include "search/search/request_machine.h"
#include "base/error.h"
#include "base/nearest.h"
#include "base/number.h"
#include <string.h>

static void mapping_destroy(gpointer mapping)
{
    mapping_free(mapping);
}

void request_machine_clear(RequestMachine *machine)
{
    map_clear(&machine->map);
    platform_free(machine->platform);
    if (machine->network)
        network_spec_clear(machine->network);
    g_clear_pointer(&machine->network, g_free);
    skew_clear(&machine->skew);
    g_clear_pointer(&machine->placed, g_hash_table_unref);
}

gboolean request_has_rates(const RequestMachine *machine)
{
    const TopologyLinks *links = machine->platform ? machine->platform->topology.links : NULL;
    return links && links->rated && model_replays(machine->model);
}

void request_price_links(RequestMachine *machine)
{
    if (!request_has_rates(machine) || machine->options.network)
        return;
    machine->network = g_new0(NetworkSpec, 1);
    machine->network->topology = topology_copy(&machine->platform->topology);
    machine->options.network = machine->network;
}

gboolean request_network(RequestMachine *x, const NetworkOptions *o, gboolean seeds, GError **error)
{
    const TopologyLinks *links = x->platform->topology.links;
    if (x->model->shared || (!o->topology && !o->routing && !o->nodes && !(links && links->rated)))
        return TRUE;
    x->network = g_new0(NetworkSpec, 1);
    if (!network_options_read(o, x->platform, x->network, error))
        return FALSE;
    const Topology *t = &x->network->topology;
    if (!t->links->rated)
        return bad_input(error,
                         "%s %s has no rate of links, so no time depends on it; allowed: a platform with rate in "
                         "[topology], of as many classes of links",
                         topology_names[t->kind], t->shape);
    if (!model_replays(x->model))
        return bad_input(error,
                         "model %s does not know the rates of links of platform %s; allowed: --model hockney or "
                         "measured",
                         x->model->name, x->platform->name);
    if (!seeds && placement_seeds(&x->network->nodes) > 1)
        return bad_input(error,
                         "--nodes %s has several seeds; allowed: one, such as random:1 (run, best, trace and traffic "
                         "take several)",
                         o->nodes);
    x->options.network = x->network;
    return TRUE;
}

gboolean request_is_mapped(const RequestMachine *machine, int per_node)
{
    return machine->map.kind != MAP_NONE || per_node;
}

gboolean request_has_nodes(const Platform *platform)
{
    return platform && (platform->levels.n > 1 || platform->has[KEY_NIC_RATE] || platform->has[KEY_NIC_MESSAGES] ||
                        platform->memory);
}

Mapping *request_place(const RequestMachine *machine, int p, int per_node, GError **error)
{
    const Levels *levels = machine->platform ? &machine->platform->levels : NULL;
    MapSpec spec = machine->map;
    if (spec.kind == MAP_NONE && per_node)
        spec.kind = MAP_BLOCK;
    spec.k = per_node;
    Mapping *m = mapping_new(&spec, levels, p, error);
    if (m)
        mapping_nest(m, levels);
    if (m && spec.kind == MAP_FILE && per_node && coll_nodes_equal(m->nodes) != per_node) {
        mapping_free(m);
        bad_input(error, "--map %s does not put %d rank%s on each node, as -p %dx%d says; allowed: a map that does",
                  spec.file, per_node, per_node == 1 ? "" : "s", p / per_node, per_node);
        return NULL;
    }
    return m;
}

const Mapping *request_mapping(const RequestMachine *machine, int p, int per_node)
{
    static GMutex lock;
    GHashTable **placed =
        (GHashTable **)(uintptr_t)&machine->placed; // to keep something for later does not change a request
    if (!request_is_mapped(machine, per_node) && !request_has_nodes(machine->platform))
        return NULL;
    const gpointer key = GSIZE_TO_POINTER((gsize)p << 32 | (gsize)per_node);
    g_mutex_lock(&lock);
    if (!*placed)
        *placed = g_hash_table_new_full(NULL, NULL, NULL, mapping_destroy);
    Mapping *m = g_hash_table_lookup(*placed, key);
    g_mutex_unlock(&lock);
    if (m)
        return m;
    Mapping *made =
        request_place(machine, p, per_node, NULL); // without the lock, which a lack of memory would leave locked
    g_assert(made);                                // request_check_map() has seen to that
    g_mutex_lock(&lock);
    m = g_hash_table_lookup(*placed, key);
    if (!m)
        g_hash_table_insert(*placed, key, m = g_steal_pointer(&made));
    g_mutex_unlock(&lock);
    mapping_free(made);
    return m;
}

char *request_map_text(const RequestMachine *machine)
{
    return machine->map.kind == MAP_FILE     ? g_strdup_printf("map %s", machine->map.file)
           : machine->map.kind == MAP_CYCLIC ? g_strdup("cyclic")
                                             : g_strdup("block");
}

int request_nodes(const RequestMachine *machine, int p, int per_node)
{
    return request_is_mapped(machine, per_node) ? request_mapping(machine, p, per_node)->nodes->n : 0;
}

char *request_map(const RequestMachine *machine, int per_node)
{
    return !request_is_mapped(machine, per_node) ? NULL
           : machine->map.kind == MAP_FILE       ? g_strdup(machine->map.file)
           : machine->map.kind == MAP_CYCLIC     ? g_strdup_printf("cyclic:%d", per_node)
                                                 : g_strdup_printf("block:%d", per_node);
}

int request_node_ranks(const RequestMachine *machine, int p, int per_node)
{
    if (per_node || !request_is_mapped(machine, per_node))
        return per_node;
    return coll_nodes_largest(request_mapping(machine, p, per_node)->nodes);
}

char *request_nodes_text(const RequestMachine *machine, int p, int per_node)
{
    if (!request_is_mapped(machine, per_node))
        return NULL;
    const CollNodes *nodes = request_mapping(machine, p, per_node)->nodes;
    const int most = coll_nodes_largest(nodes);
    g_autofree char *map = request_map_text(machine);
    return g_strdup_printf("%d node%s of %s%d rank%s, %s", nodes->n, nodes->n == 1 ? "" : "s",
                           coll_nodes_equal(nodes) ? "" : "at most ", most, most == 1 ? "" : "s", map);
}

const Model *request_default_model(const Platform *platform)
{
    const gboolean other = platform && g_strcmp0(platform->model, hockney_model.name) == 0;
    return platform && platform->measured && !other ? &measured_model : &hockney_model;
}

gboolean request_knows(const char *command, const Model *model, gboolean measured, GError **error)
{
    return model == &hockney_model || model == &shared_model || (measured && model == &measured_model) ||
           bad_input(error, "%s does not know model %s; allowed: --model hockney%s or shared", command, model->name,
                     measured ? ", measured" : "");
}

Transfer request_discipline(const RequestMachine *machine)
{
    return machine->model == &hockney_model ? machine->options.transfer : TRANSFER_MEASURED;
}

gboolean request_transfer(RequestMachine *machine, const char *name, GError **error)
{
    if (!name)
        return TRUE;
    if (!machine->model->transfers)
        return bad_input(error, "--transfer: model %s has no choice of transfers; allowed: with --model hockney",
                         machine->model->name);
    int transfer = 0;
    const gboolean found = nearest_find("transfer", name, transfer_names, &transfer, error);
    machine->options.transfer = (Transfer)transfer;
    return found;
}

gboolean request_skew(RequestMachine *x, const RequestSkew *o, GError **error)
{
    static const char *const names[] = {"median", "p99", NULL};
    const int placements = x->options.network ? placement_seeds(&x->options.network->nodes) : 1;
    int seeds = placements, by = 0;
    if (!o->arrival && !o->noise && !o->seeds && !o->by && placements == 1)
        return TRUE;
    if (o->seeds && !number_int(o->seeds, 1, SKEW_MOST_SEEDS, &seeds)) {
        g_autofree char *quoted = error_quote(o->seeds);
        return bad_input(error, "--seeds %s; allowed: 1 .. %d", quoted, SKEW_MOST_SEEDS);
    }
    if ((o->by && !nearest_find("--by", o->by, names, &by, error)) ||
        (o->arrival && !skew_parse_arrival(o->arrival, &x->skew.arrival, error)) ||
        (o->noise && !skew_parse_noise(o->noise, &x->skew, error)))
        return FALSE;
    if (placements > 1 && seeds != placements)
        return bad_input(error, "--seeds %s: --nodes has %d seeds, and makes a run with each; allowed: --seeds %d",
                         o->seeds, placements, placements);
    if (o->seeds && placements == 1 && !skew_is_random(&x->skew))
        return bad_input(error,
                         "--seeds %s: nothing is random; allowed: with --arrival random:TIME or --noise (of --nodes a "
                         "range of seeds, random:1..20)",
                         o->seeds);
    if (o->by && !o->seeds && placements == 1)
        return bad_input(error, "--by %s says which of several runs counts; allowed: with --seeds", o->by);
    if (x->model != &hockney_model && x->model != &measured_model)
        return bad_input(error, "model %s does not know --arrival and --noise; allowed: --model hockney or measured",
                         x->model->name);
    x->skew.seeds = seeds;
    x->skew.p99 = by == 1;
    x->arrival = o->arrival;
    x->noise = o->noise;
    x->options.skew = &x->skew;
    return TRUE;
}

gboolean request_need_figures(const RequestMachine *machine, gboolean reduces, GError **error)
{
    PlatformKey needed[N_PLATFORM_KEYS];
    size_t n = 0;
    for (size_t i = 0; i < machine->model->n_keys; i++) {
        const PlatformKey key = machine->model->keys[i];
        if (reduces || (key != KEY_GAMMA && key != KEY_REDUCE))
            needed[n++] = key;
    }
    return platform_need(machine->platform, needed, n, machine->model->name, error);
}

gboolean request_has_level_figures(const RequestMachine *machine)
{
    for (size_t i = 0; i < machine->model->n_keys; i++)
        if (machine->platform->by_level[machine->model->keys[i]])
            return TRUE;
    return FALSE;
}

char *request_ignored_figures(const RequestMachine *machine)
{
    GString *s = g_string_new(NULL);
    for (int k = KEY_NICS; k <= KEY_MEMORY && !model_replays(machine->model); k++)
        if (machine->platform->has[k])
            g_string_append_printf(s, "%s%s", s->len ? ", " : "", platform_keys[k].name);
    return g_string_free(s, s->len == 0);
}
