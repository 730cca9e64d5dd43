#include "machines.h"
#include <string.h>

Platform *machines_parse(const char *text)
{
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    g_autoptr(GString) s = g_string_new(NULL);
    g_autoptr(GError) error = NULL;
    gboolean figures = FALSE;
    for (char **line = lines; *line; line++) {
        figures = **line == '[' ? strcmp(*line, "[levels]") != 0 : figures;
        g_string_append_printf(s, "%s\n", *line);
        if (figures && strchr(*line, '='))
            g_string_append_printf(s, "%.*s.source = a test\n", (int)strcspn(*line, " "), *line);
    }
    Platform *platform = platform_parse("test.ini", s->str, s->len, &error);
    g_assert_no_error(error);
    return platform;
}

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

// ---- Measured -------------------------------------------------------------------------------------------------------

// Draws a table whose values begin at `least` units or a few more. They rise; if `falls` is true, some of them fall.
static ReferenceTable draw_table(GRand *random, int least, bool falls)
{
    ReferenceTable x = {.n = 1 + roll(random, 4)};
    for (int i = 0; i < x.n; i++) {
        const int change = roll(random, 4) - (falls ? 1 : 0);
        x.at[i].bytes = i ? x.at[i - 1].bytes + (1 << roll(random, 5)) : roll(random, 4);
        x.at[i].time =
            i ? MAX(x.at[i - 1].time + change * MACHINES_UNIT, 0) : (least + roll(random, 4)) * MACHINES_UNIT;
    }
    return x;
}

// Returns the same table for the platform.
static Table *table_of(const ReferenceTable *x)
{
    Table *table = g_new(Table, 1);
    *table = (Table){.n = x->n, .at = g_new(TablePoint, x->n)};
    for (int i = 0; i < x->n; i++)
        table->at[i] = (TablePoint){(uint64_t)x->at[i].bytes, (double)x->at[i].time};
    return table;
}

static int64_t draw_eager(GRand *random)
{
    static const int64_t limits[] = {MEASURED_ALL_RENDEZVOUS, 0, 1, 2, INT64_MAX};
    const int kind = roll(random, 8);
    return kind < 5 ? limits[kind] : roll(random, 40);
}

static void draw_level(ReferenceFigures *x, GRand *random, int level)
{
    x->one[level] = draw_table(random, 1, false);
    x->step[level] = (ReferenceTable){0};
    if (roll(random, 2))
        x->step[level] = draw_table(random, 1, false);
    x->gap[level] = draw_table(random, 0, true);
    if (roll(random, 3))
        x->take[level] = draw_table(random, 0, true);
    x->eager[level] = draw_eager(random);
    x->lambda[level] = roll(random, REFERENCE_QUARTERS + 1);
}

// Some machines have what faster gears than event need: all messages use one discipline, and no gap is above its
// message's time.
static void draw_tame(ReferenceFigures *x, GRand *random, int n_levels)
{
    const int64_t eager = roll(random, 3) ? MEASURED_ALL_RENDEZVOUS : INT64_MAX;
    for (int k = 0; k < n_levels; k++) {
        x->eager[k] = eager;
        x->gap[k] = (ReferenceTable){.n = 1, .at = {{0, roll(random, 2) * MACHINES_UNIT}}};
    }
}

static ReferenceWork draw_work(GRand *random)
{
    ReferenceWork x = {.per_byte = roll(random, 4) * MACHINES_UNIT / 16};
    if (roll(random, 3) == 0)
        x.above = roll(random, 30);
    if (roll(random, 3) == 0)
        x.table = draw_table(random, 0, false);
    return x;
}

static void add_table(GString *s, const char *name, const ReferenceTable *x)
{
    g_string_append_printf(s, " %s", name);
    for (int i = 0; i < x->n; i++)
        g_string_append_printf(s, " %d:%d", (int)x->at[i].bytes, (int)(x->at[i].time / MACHINES_UNIT));
}

static char *figures_text(const DrawnMachine *x)
{
    const ReferenceFigures *f = &x->figures;
    GString *s = g_string_new(NULL);
    g_string_printf(s, "%s\nmeasured ports %d far %d swap %d/4 from %d", x->text, f->ports,
                    (int)(f->far / MACHINES_UNIT), (int)f->swap, (int)f->swap_from);
    for (int k = 0; k < x->reference.n_levels; k++) {
        g_string_append_printf(s, " %s(", x->platform->levels.at[k].name);
        add_table(s, "one", &f->one[k]);
        add_table(s, "step", &f->step[k]);
        add_table(s, "gap", &f->gap[k]);
        add_table(s, "take", &f->take[k]);
        g_string_append_printf(s, " eager %" G_GINT64_FORMAT " lambda %d/4)", f->eager[k], (int)f->lambda[k]);
    }
    for (int i = 0; i < N_WORK_KINDS; i++) {
        g_string_append_printf(s, " work %d above %d", (int)f->work[i].per_byte, (int)f->work[i].above);
        add_table(s, "table", &f->work[i].table);
    }
    return g_string_free(s, FALSE);
}

void machines_draw_measured(DrawnMachine *x, GRand *random, int p, int per_node, int has)
{
    machines_draw(x, random, p, per_node, has);
    ReferenceFigures *f = &x->figures;
    const int n = x->reference.n_levels;
    const bool same = roll(random, 3) == 0;
    f->ports = has & MACHINES_PORTS ? 1 + roll(random, REFERENCE_PORTS) : 1;
    draw_level(f, random, 0);
    for (int k = 1; k < n; k++) {
        draw_level(f, random, k);
        if (same) {
            f->one[k] = f->one[0];
            f->step[k] = f->step[0];
            f->gap[k] = f->gap[0];
            f->take[k] = f->take[0];
        }
    }
    if (roll(random, 3) == 0)
        draw_tame(f, random, n);
    f->far = roll(random, 3) * MACHINES_UNIT;
    f->swap = REFERENCE_QUARTERS + roll(random, 3) * 2;
    f->swap_from = 2 + roll(random, 3) * roll(random, 8); // more than 1 byte, as w of a memory compares with that
    for (int i = 0; i < N_WORK_KINDS; i++)
        if (i == WORK_REDUCE || has & MACHINES_WORK)
            f->work[i] = draw_work(random);
    x->reference.per_byte *= MACHINES_UNIT / 16;
    x->reference.per_message *= MACHINES_UNIT / 4;
    x->platform->value[KEY_NIC_RATE] = (double)x->reference.per_byte;
    x->platform->value[KEY_NIC_MESSAGES] = (double)x->reference.per_message;
    Measured *m = x->platform->measured = measured_new(n);
    m->ports = f->ports;
    m->far = (double)f->far;
    m->swap = (double)f->swap / REFERENCE_QUARTERS;
    m->swap_from = (uint64_t)f->swap_from;
    for (int k = 0; k < n; k++)
        m->level[k] = (MeasuredLevel){.one = table_of(&f->one[k]),
                                      .step = f->step[k].n ? table_of(&f->step[k]) : NULL,
                                      .gap = table_of(&f->gap[k]),
                                      .take = f->take[k].n ? table_of(&f->take[k]) : NULL,
                                      .take_gap = f->take[k].n == 0,
                                      .eager = f->eager[k],
                                      .lambda = (double)f->lambda[k] / REFERENCE_QUARTERS};
    for (int i = 0; i < N_WORK_KINDS; i++)
        m->work[i] = (MeasuredWork){.per_byte = (double)f->work[i].per_byte,
                                    .above = (uint64_t)f->work[i].above,
                                    .table = f->work[i].table.n ? table_of(&f->work[i].table) : NULL};
    char *text = figures_text(x);
    g_free(x->text);
    x->text = text;
}

Hockney machines_measured(const DrawnMachine *x)
{
    return (Hockney){.transfer = TRANSFER_MEASURED, .site = site_of_measured(x->platform, x->map)};
}

RecordOptions machines_record(const DrawnMachine *x)
{
    const Measured *m = x->platform->measured;
    RecordOptions o = {.copies = measured_charges(&m->work[WORK_COPY]),
                       .fresh = measured_charges(&m->work[WORK_FRESH]),
                       .isends = m->ports > 1};
    for (int k = 0; k < m->n_levels; k++)
        o.isends |= m->level[k].lambda > 0;
    return o;
}

Hockney machines_hockney(const DrawnMachine *x, Transfer transfer)
{
    Hockney h = hockney_figures(x->platform, transfer);
    h.site = site_of_platform(x->platform, x->map, transfer);
    return h;
}
