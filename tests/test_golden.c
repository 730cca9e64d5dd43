// The golden tables: for p = 2 .. 9, every algorithm of the tables that the registry has sends the same messages and
// bytes, and takes the same time under rendezvous, eager and eager-port in every gear that applies. The tables were
// computed by two independent simulators in exact rationals. Times and bytes in them are for a message of unit length,
// so they are scaled.
#include "base/csv.h"
#include "engine/schedule/record.h"
#include "reference_sim.h"
#include "engine/replay/replay.h"
#include "api/integers.h"
#include "tap.h"
#include <stdlib.h>
#include <string.h>

typedef struct Fraction {
    int64_t num, den;
} Fraction;

static Fraction fraction(const char *text)
{
    char *end;
    Fraction f = {g_ascii_strtoll(text, &end, 10), 1};
    if (*end == '/')
        f.den = g_ascii_strtoll(end + 1, &end, 10);
    g_assert(end != text && *end == '\0');
    return f;
}

typedef struct GoldenRow {
    const CollAlgorithm *a;
    Coll c;
    size_t m;
} GoldenRow;

// Sets *row to the operation of a row of the table, whose parameters have other names there than in the registry.
// Returns false if the registry does not have the algorithm.
static bool read_row(GoldenRow *row, const char *collective, const char *algorithm, const char *params, int p)
{
    int k = 0;
    while (k < N_COLLECTIVES && strcmp(collectives[k].name, collective) != 0)
        k++;
    g_autofree char *name = g_strndup(algorithm, strcspn(algorithm, "(")); // "tree_v2(doc004)"
    row->a = k < N_COLLECTIVES ? algorithm_find((Collective)k, name) : NULL;
    if (!row->a)
        return false;
    row->m = (size_t)24 * (size_t)p * (size_t)pow2_floor(p);
    row->c = (Coll){.p = p, .elem = 1, .commutative = true};
    row->c.par = algorithm_defaults(row->a);
    g_auto(GStrv) words = g_strsplit(params, ";", -1);
    for (char **w = words; *w; w++) {
        const char *eq = strchr(*w, '=');
        const int64_t value = eq ? g_ascii_strtoll(eq + 1, NULL, 10) : 0;
        if (strcmp(*w, "root=p-1") == 0)
            row->c.root = p - 1;
        else if (g_str_has_prefix(*w, "np=")) // the number of segments of a block in segmented_ring
            row->c.par.segment = value == 1 ? 0 : row->m / (size_t)p / (size_t)value;
        else if (g_str_has_prefix(*w, "first="))
            row->c.par.segment = row->m / 4;
        else if (g_str_has_prefix(*w, "S_per_half="))
            row->c.par.segment = row->m / 2 / (size_t)value;
        else if (g_str_has_prefix(*w, "S="))
            row->c.par.segment = value == 1 ? 0 : row->m / (size_t)value;
        else if (g_str_has_prefix(*w, "chains=") || g_str_has_prefix(*w, "fanout="))
            row->c.par.chains = (int)value;
        else if (g_str_has_prefix(*w, "k="))
            row->c.par.radix = (int)value;
        else if (g_str_has_prefix(*w, "aggregated") || g_str_has_prefix(*w, "separate"))
            row->c.par.choice = **w == 's';
        else if (g_str_has_prefix(*w, "OMPI") || g_str_has_prefix(*w, "MPICH"))
            row->c.par.prestep = **w == 'O' ? PRESTEP_OMPI : PRESTEP_MPICH;
        else
            g_assert(strcmp(*w, "count=p") == 0 || **w == 0);
    }
    return true;
}

// Fails unless `got` is the table's fraction `text`, multiplied by `unit`.
static void expect(const char *what, const GoldenRow *row, uint64_t got, const char *text, int64_t unit)
{
    const Fraction f = fraction(text);
    if ((int64_t)got * f.den != f.num * unit)
        g_error("%s %s p=%d: %s is %" G_GUINT64_FORMAT ", not %s x %" G_GINT64_FORMAT,
                collectives[row->a->collective].name, row->a->name, row->c.p, what, got, text, unit);
}

// Compares T at (alpha, beta, gamma) = (1,0,0), (0,1,0), (0,0,1) and (7,3,1) with the columns that begin with `prefix`,
// in every gear that applies. Returns the number of times that were compared.
static int compare_times(const GoldenRow *row, const Schedule *s, Transfer transfer, const Csv *csv, size_t r,
                         const char *prefix)
{
    static const char *const columns[] = {"a", "b", "c", "7_3_1"};
    const double m = (double)row->m;
    const Hockney models[] = {{1, 0, 0, transfer}, {0, 1, 0, transfer}, {0, 0, 1, transfer}, {7 * m, 3, 1, transfer}};
    int compared = 0;
    for (int k = 0; k < 4; k++) {
        g_autofree char *name = g_strdup_printf("%s_%s", prefix, columns[k]);
        for (Gear gear = GEAR_AUTO; gear <= GEAR_LOCKSTEP; gear++) {
            const ReplayOptions o = {.gear = gear};
            if (!replay_gear_applies(s, &models[k], &o, gear))
                continue;
            g_autoptr(Replay) result = replay(s, &models[k], &o, NULL);
            g_assert_cmpuint(result->stuck->len, ==, 0);
            expect(name, row, (uint64_t)result->time_s, csv_field(csv, r, csv_column(csv, name)),
                   k == 0 ? 1 : (int64_t)row->m);
            compared++;
        }
    }
    return compared;
}

static Csv *load(const char *file)
{
    const char *dir = g_getenv("COLLSIM_TESTS");
    g_autofree char *path = g_build_filename(dir ? dir : "tests", "golden", file, NULL);
    GError *error = NULL;
    Csv *csv = csv_read(path, &error);
    g_assert_no_error(error);
    return csv;
}

static int compare_small(const GoldenRow *row, const Schedule *s, const Csv *csv, size_t r)
{
    const Totals t = schedule_totals(s);
    const int64_t m = (int64_t)row->m;
    expect("messages", row, t.messages, csv_field(csv, r, csv_column(csv, "messages")), 1);
    expect("bytes", row, t.bytes_sent, csv_field(csv, r, csv_column(csv, "bytes_total")), m);
    expect("messages sent", row, t.max_messages_sent, csv_field(csv, r, csv_column(csv, "max_msgs_sent")), 1);
    expect("messages received", row, t.max_messages_received, csv_field(csv, r, csv_column(csv, "max_msgs_recv")), 1);
    expect("bytes sent", row, t.max_bytes_sent, csv_field(csv, r, csv_column(csv, "max_bytes_sent")), m);
    expect("bytes received", row, t.max_bytes_received, csv_field(csv, r, csv_column(csv, "max_bytes_recv")), m);
    expect("bytes reduced", row, t.max_bytes_reduced, csv_field(csv, r, csv_column(csv, "reduced_bytes_max")), m);
    return compare_times(row, s, TRANSFER_RENDEZVOUS, csv, r, "R") +
           compare_times(row, s, TRANSFER_EAGER, csv, r, "E0");
}

static int compare_e1(const GoldenRow *row, const Schedule *s, const Csv *csv, size_t r)
{
    return compare_times(row, s, TRANSFER_EAGER_PORT, csv, r, "E1");
}

// Compares every row of a table whose algorithm the registry has. `compare` returns the number of times that it
// compared.
static void compare_table(const char *file, int (*compare)(const GoldenRow *, const Schedule *, const Csv *, size_t))
{
    g_autoptr(Csv) csv = load(file);
    int rows = 0, times = 0;
    for (size_t r = 0; r < csv_rows(csv); r++) {
        GoldenRow row;
        const int p = atoi(csv_field(csv, r, csv_column(csv, "p")));
        if (!read_row(&row, csv_field(csv, r, 0), csv_field(csv, r, 1), csv_field(csv, r, 2), p))
            continue;
        Schedule *s = schedule_record(&(Operation){row.a, row.c, row.m}, NULL);
        times += compare(&row, s, csv, r);
        schedule_free(s);
        rows++;
    }
    g_test_message("%d rows, %d times equal", rows, times);
    g_assert_cmpint(rows, >=, 200);
}

static void test_small(void)
{
    compare_table("golden_small.csv", compare_small);
}

static void test_e1(void)
{
    compare_table("golden_e1.csv", compare_e1);
}

// ---- Machines with levels -------------------------------------------------------------------------------------------

// Sets the machine to that of a row, for the second simulator and for the gears. Its costs have alpha in units of m,
// and its map is block:K, cyclic:K, or block:S/K for sockets of S ranks in nodes of K.
static void row_machine(ReferenceMachine *x, Levels *levels, Mapping **mapping, const GoldenRow *row, const char *map,
                        const char *costs)
{
    static const ReferenceMachine near = {.n_levels = 2, .alpha = {2, 7}, .beta = {1, 3}, .gamma = 1, .nics = 1};
    static const ReferenceMachine far = {.n_levels = 2, .alpha = {5, 3}, .beta = {4, 1}, .gamma = 2, .nics = 1};
    static const ReferenceMachine three = {
        .n_levels = 3, .alpha = {1, 3, 11}, .beta = {1, 2, 5}, .gamma = 1, .nics = 1};
    const int p = row->c.p;
    int of[9], sizes[2];
    const bool cyclic = g_str_has_prefix(map, "cyclic:"), sockets = strchr(map, '/');
    sizes[0] = sizes[1] = atoi(strchr(map, ':') + 1);
    if (sockets)
        sizes[1] = atoi(strchr(map, '/') + 1);
    for (int rank = 0; rank < p; rank++)
        of[rank] = cyclic ? rank % ((p - 1) / sizes[1] + 1) : rank / sizes[1];
    *x = strcmp(costs, "near") == 0 ? near : strcmp(costs, "far") == 0 ? far : three;
    g_assert(x->n_levels == 2 + sockets);
    for (int k = 0; k < x->n_levels; k++)
        x->alpha[k] *= (int64_t)row->m;
    reference_machine_place(x, p, of, sizes, x->n_levels - 2);
    const MapSpec spec = {.kind = cyclic ? MAP_CYCLIC : MAP_BLOCK, .k = sizes[1]};
    levels_init(levels);
    if (sockets)
        levels_add(levels, "socket", (size_t)sizes[0]);
    levels_add(levels, "node", (size_t)sizes[1]);
    *mapping = mapping_new(&spec, levels, p, NULL);
}

// Compares the row's time in every gear that applies. Returns the number of times that were compared.
static int compare_gears(const GoldenRow *row, const Schedule *s, const ReferenceMachine *x, const Mapping *mapping,
                         const char *what, const char *text)
{
    static const char *const names[] = {"inner", "outer", "far"};
    SiteCharges charges[3];
    for (int k = 0; k < x->n_levels; k++)
        site_textbook(charges[k], (double)x->alpha[k], (double)x->beta[k], (double)x->gamma);
    const SiteFigures figures = {.charges = charges};
    g_autoptr(Site) site = site_new(mapping, names, &figures);
    const int far = x->n_levels - 1;
    const Hockney h = {(double)x->alpha[far], (double)x->beta[far], (double)x->gamma, x->transfer, site};
    int compared = 0;
    for (Gear gear = GEAR_AUTO; gear <= GEAR_LOCKSTEP; gear++)
        for (int full = 0; full < 2; full++) {
            const ReplayOptions o = {.gear = gear, .full = full};
            if (!replay_gear_applies(s, &h, &o, gear))
                continue;
            g_autoptr(Replay) result = replay(s, &h, &o, NULL);
            g_assert_cmpuint(result->stuck->len, ==, 0);
            expect(what, row, (uint64_t)result->time_s, text, (int64_t)row->m);
            compared++;
        }
    return compared;
}

// Every row of the table: the second simulator, and all gears that apply.
static void test_levels(void)
{
    static const char *const columns[] = {"R", "E0", "E1"};
    g_autoptr(Csv) csv = load("golden_levels.csv");
    int times = 0, in_gears = 0;
    for (size_t r = 0; r < csv_rows(csv); r++) {
        GoldenRow row;
        const char *const text[] = {csv_field(csv, r, 0), csv_field(csv, r, 1), csv_field(csv, r, 2)};
        if (!read_row(&row, text[0], text[1], text[2], atoi(csv_field(csv, r, csv_column(csv, "p")))))
            g_error("%s %s %s: the registry has no such algorithm", text[0], text[1], text[2]);
        ReferenceMachine x;
        Levels levels;
        g_autoptr(Mapping) mapping = NULL;
        row_machine(&x, &levels, &mapping, &row, csv_field(csv, r, csv_column(csv, "map")),
                    csv_field(csv, r, csv_column(csv, "costs")));
        g_autoptr(ReferenceProgram) program = reference_program(row.a, row.a->collective, &row.c, row.m, 0);
        Schedule *s = schedule_record(&(Operation){row.a, row.c, row.m}, NULL);
        for (int k = 0; k < 3; k++) {
            const char *expected = csv_field(csv, r, csv_column(csv, columns[k]));
            ReferenceStamp ends[9];
            bool passed;
            x.transfer = (Transfer)k;
            expect(columns[k], &row, (uint64_t)reference_run(program, &x, NULL, ends, &passed), expected,
                   (int64_t)row.m);
            times++;
            in_gears += compare_gears(&row, s, &x, mapping, columns[k], expected);
        }
        schedule_free(s);
        levels_clear(&levels);
        reference_machine_clear(&x);
    }
    g_test_message("%d rows, %d times equal in the second simulator, %d in the gears", (int)csv_rows(csv), times,
                   in_gears);
    g_assert_cmpint(times, ==, 3 * 4062);
    g_assert_cmpint(in_gears, >, 4 * times);
}

static void add(void)
{
    g_test_add_func("/golden/levels", test_levels);
    g_test_add_func("/golden/rendezvous-and-eager", test_small);
    g_test_add_func("/golden/eager-port", test_e1);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add);
}
