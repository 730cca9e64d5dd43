#include "machines.h"

static int roll(GRand *random, int n)
{
    return g_rand_int_range(random, 0, n);
}

// Draws the levels: some of socket, node and group, or none. Returns the index of the node.
static int draw_levels(DrawnMachine *x, GRand *random, int per_node, int *sizes)
{
    Levels *levels = &x->platform->levels;
    const int kind = roll(random, 5), sockets = per_node % 2 == 0 ? 2 : 1;
    int n = 0, node;
    if (kind == 0)
        return 0;
    if (kind > 2) {
        levels_add(levels, "socket", (size_t)(sizes[n] = per_node / sockets));
        n++;
    }
    levels_add(levels, "node", (size_t)(sizes[node = n++] = per_node));
    if (kind % 2 == 0)
        levels_add(levels, "group", (size_t)(sizes[n++] = 2 * per_node));
    return node;
}

// Draws the node of every rank, and places the ranks accordingly on both machines. A file may name sockets as well.
static void draw_map(DrawnMachine *x, GRand *random, int p, int per_node, const int *sizes, int node)
{
    g_autofree int *of = g_new(int, p), *socket = g_new0(int, p);
    MapSpec spec = {.kind = (MapKind)(MAP_BLOCK + roll(random, 3)), .k = per_node};
    const int nodes = (p - 1) / per_node + 1;
    for (int rank = 0; rank < p; rank++)
        of[rank] = spec.kind == MAP_BLOCK ? rank / per_node : rank % nodes;
    if (spec.kind == MAP_FILE) {
        for (int rank = p - 1; rank > 0; rank--) { // shuffled, so that every node keeps its ranks
            const int other = roll(random, rank + 1), node_of_other = of[other];
            of[other] = of[rank];
            of[rank] = node_of_other;
        }
        spec.numbers = node > 0 && roll(random, 2) ? 2 : 1;
        spec.units = g_array_new(FALSE, FALSE, sizeof(int));
        for (int rank = 0; rank < p; rank++) {
            g_array_append_val(spec.units, of[rank]);
            if (spec.numbers == 2) {
                socket[rank] = roll(random, sizes[1] / sizes[0]);
                g_array_append_val(spec.units, socket[rank]);
            }
        }
    }
    x->map = mapping_new(&spec, &x->platform->levels, p, NULL);
    reference_machine_place(&x->reference, p, of, sizes, node);
    for (int rank = 0; rank < p; rank++) {
        g_assert_cmpint(x->map->nodes->of[rank], ==, of[rank]);
        if (spec.numbers == 2)
            x->reference.unit[0][rank] = of[rank] * p + socket[rank];
    }
    map_clear(&spec);
}

static void set(Platform *platform, PlatformKey key, int64_t value)
{
    platform->value[key] = (double)value;
    platform->has[key] = TRUE;
    platform->source[key] = g_strdup("drawn");
}

// Draws a figure for each level; in a third of the draws it is the same for all.
static void draw_figure(DrawnMachine *x, GRand *random, PlatformKey key, int least, int most, int64_t *values)
{
    const int n = x->platform->levels.n;
    const bool same = roll(random, 3) == 0;
    for (int k = n - 1; k >= 0; k--)
        values[k] = same && k < n - 1 ? values[n - 1] : g_rand_int_range(random, least, most + 1);
    set(x->platform, key, values[n - 1]);
    if (same || n == 1)
        return;
    x->platform->by_level[key] = g_new(double, n);
    x->platform->level_source[key] = g_new(char *, n);
    x->platform->level_table[key] = g_new0(Table *, n);
    for (int k = 0; k < n; k++) {
        x->platform->by_level[key][k] = (double)values[k];
        x->platform->level_source[key][k] = g_strdup("drawn");
    }
}

static void draw_memory(DrawnMachine *x, GRand *random)
{
    ReferenceMachine *r = &x->reference;
    r->n_points = 1 + roll(random, 2) * 2;
    Table *table = g_new(Table, 1);
    *table = (Table){.n = r->n_points, .at = g_new(TablePoint, r->n_points)};
    for (int i = 0; i < r->n_points; i++) {
        r->memory[i] = (ReferencePoint){i ? r->memory[i - 1].bytes + (1 << roll(random, 8)) : roll(random, 5),
                                        roll(random, 2 * REFERENCE_FACTOR)};
        table->at[i] =
            (TablePoint){(uint64_t)r->memory[i].bytes, (double)r->memory[i].factor / (double)REFERENCE_FACTOR};
    }
    x->platform->memory = table;
    x->platform->has[KEY_MEMORY] = TRUE;
    x->platform->source[KEY_MEMORY] = g_strdup("drawn");
}

void machines_draw(DrawnMachine *x, GRand *random, int p, int per_node, int has)
{
    const int least = has & MACHINES_FREE ? 0 : 1;
    int sizes[REFERENCE_LEVELS];
    *x = (DrawnMachine){.platform = platform_new("drawn")};
    ReferenceMachine *r = &x->reference;
    if (per_node == 0)
        per_node = 1 + roll(random, MIN(p, 9));
    const int node = has & MACHINES_LEVELS ? draw_levels(x, random, per_node, sizes) : 0;
    r->n_levels = x->platform->levels.n;
    draw_map(x, random, p, per_node, sizes, node);
    draw_figure(x, random, KEY_ALPHA, least, 4, r->alpha);
    draw_figure(x, random, KEY_BETA, 0, 3, r->beta);
    set(x->platform, KEY_GAMMA, r->gamma = roll(random, 3));
    r->nics = 1;
    if (has & MACHINES_NICS) {
        const int limits = 1 + roll(random, 3);
        set(x->platform, KEY_NICS, r->nics = 1 + roll(random, 2));
        if (limits & 1)
            set(x->platform, KEY_NIC_RATE, r->per_byte = 1 + roll(random, 4));
        if (limits & 2)
            set(x->platform, KEY_NIC_MESSAGES, r->per_message = 1 + roll(random, 9));
    }
    if (has & MACHINES_MEMORY)
        draw_memory(x, random);
    GString *s = g_string_new("machine");
    for (int k = 0; k < r->n_levels; k++)
        g_string_append_printf(s, " %s(%d,%d)", x->platform->levels.at[k].name, (int)r->alpha[k], (int)r->beta[k]);
    g_string_append_printf(s, " gamma %d nics %d rate %d messages %d memory", (int)r->gamma, r->nics, (int)r->per_byte,
                           (int)r->per_message);
    for (int i = 0; i < r->n_points; i++)
        g_string_append_printf(s, " %d:%d/%d", (int)r->memory[i].bytes, (int)r->memory[i].factor, REFERENCE_FACTOR);
    g_string_append(s, " nodes");
    for (int rank = 0; rank < p; rank++) {
        g_string_append_printf(s, " %d", r->node[rank]);
        for (int k = 0; k < node; k++)
            g_string_append_printf(s, ".%d", r->unit[k][rank] % p);
    }
    x->text = g_string_free(s, FALSE);
}

void machines_clear(DrawnMachine *x)
{
    reference_machine_clear(&x->reference);
    platform_free(x->platform);
    mapping_free(x->map);
    g_free(x->text);
}

Hockney machines_hockney(const DrawnMachine *x, Transfer transfer)
{
    Hockney h = hockney_figures(x->platform, transfer);
    h.site = site_of_platform(x->platform, x->map, transfer);
    return h;
}
