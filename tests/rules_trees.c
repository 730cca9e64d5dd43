#include "rules_trees.h"
#include <string.h>

static int pick(GRand *rand, int n)
{
    return g_rand_int_range(rand, 0, n);
}

static gboolean chance(GRand *rand, int of)
{
    return pick(rand, of) == 0;
}

// ---- Calls ---------------------------------------------------------------------------------------------------------

static TreesPoint random_point(GRand *rand)
{
    static const int counts[] = {1, 2, 3, 4, 5, 8, 16, 37, 64, 100, 256, 1000, 3000}, elems[] = {1, 4, 8};
    TreesPoint point = {(Collective)pick(rand, N_COLLECTIVES),
                        2 + pick(rand, TREES_RANKS - 1),
                        counts[pick(rand, G_N_ELEMENTS(counts))],
                        elems[pick(rand, G_N_ELEMENTS(elems))],
                        TREES_MPI,
                        FALSE,
                        NULL};
    const CollectiveInfo *info = &collectives[point.collective];
    if (selection_collective(info->name) < 0)
        return random_point(rand);
    if (info->reduces && chance(rand, 3))
        point.operation = chance(rand, 2) ? TREES_OWN : TREES_ORDERED;
    point.in_place = info->in_place && !info->rooted && chance(rand, 5);
    if (point.collective == COLL_BARRIER)
        point.count = 0, point.elem = 1;
    return point;
}

RuleCall trees_call(const TreesPoint *point)
{
    const DecideCall decide = {.collective = point->collective,
                               .p = point->p,
                               .m = (size_t)point->count * (size_t)point->elem,
                               .elem = (size_t)point->elem,
                               .commutative = point->operation != TREES_ORDERED,
                               .in_place = point->in_place,
                               .nodes = point->nodes};
    RuleCall call = selection_call(&decide);
    call.flags[SELECT_BUILT_IN] = point->operation == TREES_MPI;
    return call;
}

// Returns the nodes of the first p ranks, or NULL. They live as long as the program.
static const CollNodes *nodes_of(TreesPlaces places, int p)
{
    static CollNodes *known[TREES_CYCLIC + 1][TREES_RANKS + 1];
    int of[TREES_RANKS];
    for (int i = 0; i < p; i++)
        of[i] = places == TREES_BLOCKS ? i / (TREES_RANKS / 2) : i % 2;
    if (places != TREES_ALONE && !known[places][p])
        known[places][p] = coll_nodes_new(p, of);
    return known[places][p];
}

GArray *trees_points(guint32 seed, TreesPlaces places)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(seed ^ 0x7ee5);
    GArray *points = g_array_new(FALSE, FALSE, sizeof(TreesPoint));
    for (int i = 0; i < 24; i++) {
        TreesPoint point = random_point(rand);
        point.nodes = nodes_of(places, point.p);
        g_array_append_val(points, point);
    }
    return points;
}

void trees_print_point(FILE *to, const TreesPoint *x)
{
    fprintf(to, "%s %d %d %d %d %d", collectives[x->collective].name, x->p, x->count, x->elem, (int)x->operation,
            x->in_place);
}

gboolean trees_read_point(const char *line, TreesPoint *x)
{
    char name[32];
    int operation;
    if (sscanf(line, "%31s %d %d %d %d %d", name, &x->p, &x->count, &x->elem, &operation, &x->in_place) != 6)
        return FALSE;
    x->operation = (TreesOperation)operation;
    for (int i = 0; i < N_COLLECTIVES; i++)
        if (strcmp(collectives[i].name, name) == 0) {
            x->collective = (Collective)i;
            return TRUE;
        }
    return FALSE;
}

// ---- Random files --------------------------------------------------------------------------------------------------

typedef struct TreeMaker {
    GRand *rand;
    GString *s;
    GArray *points; // those of trees_points: the thresholds of the file are theirs
    gboolean wild;  // it may have mistakes
    int sparse;     // one of so many collectives is in it
} TreeMaker;

static gboolean slip(TreeMaker *m, int of)
{
    return m->wild && chance(m->rand, of * 8);
}

// Appends a key and what opens its object.
static void put_key(TreeMaker *m, const char *format, ...) G_GNUC_PRINTF(2, 3);
static void put_key(TreeMaker *m, const char *format, ...)
{
    va_list words;
    va_start(words, format);
    g_autofree char *key = g_strdup_vprintf(format, words);
    va_end(words);
    const char *quote = slip(m, 40) ? "'" : "\"";
    g_string_append(m->s, quote);
    for (const char *c = key; *c; c++) {
        if (slip(m, 150))
            g_string_append_c(m->s, chance(m->rand, 8) ? '\t' : ' ');
        if (!slip(m, 2500))
            g_string_append_c(m->s, *c);
    }
    g_string_append_printf(m->s, "%s: ", quote);
    if (slip(m, 150))
        g_string_append(m->s, chance(m->rand, 2) ? "/* a comment */" : "// a comment\n");
}

static void put_comma(TreeMaker *m)
{
    if (!slip(m, 300))
        g_string_append(m->s, ",\n");
}

static void put_close(TreeMaker *m)
{
    g_string_append(m->s, slip(m, 60) ? ",}" : "}");
}

static void put_leaf(TreeMaker *m, int collective)
{
    const char *name = selection_collectives[collective].name;
    int n = 0;
    if (slip(m, 40)) {
        collective = pick(m->rand, SELECTION_COLLECTIVES);
        name = selection_collectives[collective].name;
    }
    const LibraryAlgorithm *a = NULL;
    g_autoptr(Tables) tables = tables_names(&libraries[LIBRARY_MPICH_40], NULL);
    const gboolean blocking = *name != 'i', waits = chance(m->rand, 12);
    for (guint i = 0; i < tables->functions->len; i++) {
        const LibraryAlgorithm *x = &g_array_index(tables->functions, LibraryAlgorithm, i);
        if (g_str_has_prefix(x->function, "MPIDI_") || strcmp(x->of, name) != 0)
            continue;
        if (!slip(m, 60) && (strstr(x->function, "_inter_") || *x->leaf || strstr(x->function, "_tsp_") ||
                             (blocking && !waits && strcmp(tables_short_name(x->function), "nb") == 0)))
            continue;
        a = pick(m->rand, ++n) == 0 ? x : a;
    }
    g_string_append_c(m->s, '{');
    if (slip(m, 120))
        put_key(m, "comm_size<=4"), g_string_append(m->s, "{},");
    put_key(m, "algorithm=%s%s", a ? a->function : "MPIR_None", slip(m, 300) ? "_x" : "");
    g_string_append(m->s, slip(m, 300) ? "3" : slip(m, 30) ? "{\"k=4\": {}}" : "{}");
    if (slip(m, 120)) {
        put_comma(m);
        put_key(m, "algorithm=%s", a ? a->function : "MPIR_None");
        g_string_append(m->s, "{}");
    }
    put_close(m);
}

static void put_object(TreeMaker *m, int collective, int levels);

// Returns a number at which a call of the file changes sides. Free with g_free.
static char *threshold(TreeMaker *m, int collective, SelectNumber number)
{
    static const char *const odd[] = {"1K", "4294967300",           "010",       "1e3", "-1", "", "x",
                                      "+8", "99999999999999999999", "2147483648"};
    if (slip(m, 12))
        return g_strdup(odd[pick(m->rand, G_N_ELEMENTS(odd))]);
    gint64 value = 1 + pick(m->rand, 6);
    for (guint i = 0, n = 0; number != SELECT_RANKS && i < m->points->len; i++) {
        const RuleCall call = trees_call(&g_array_index(m->points, TreesPoint, i));
        if (call.collective == collective && pick(m->rand, (int)++n) == 0)
            value = call.numbers[number];
    }
    return g_strdup_printf("%" G_GINT64_FORMAT, value - 1 + pick(m->rand, 3));
}

// Appends the keys of an object that ask for a number, the last of them for anything.
static void put_numbers(TreeMaker *m, int collective, int levels, SelectNumber number)
{
    static const char *const names[] = {"comm_size", "comm_avg_ppn", "avg_msg_size", "total_msg_size", "count"};
    const int n = 1 + pick(m->rand, 3);
    for (int i = 0; i < n; i++) {
        g_autofree char *value = threshold(m, collective, number);
        const gboolean below =
            chance(m->rand, 3) && (number != SELECT_COUNT || slip(m, 4)) && number != SELECT_PER_NODE;
        if (number == SELECT_RANKS && chance(m->rand, 4))
            put_key(m, "comm_size=%s", chance(m->rand, 4) ? "node_comm_size" : "pow2");
        else if (number == SELECT_COUNT && chance(m->rand, 3))
            put_key(m, "count<pow2");
        else
            put_key(m, "%s%s%s", names[number], below ? "<" : "<=", value);
        put_object(m, collective, levels);
        put_comma(m);
    }
    if (slip(m, 25)) {
        g_string_truncate(m->s, m->s->len - (g_str_has_suffix(m->s->str, ",\n") ? 2 : 0));
        return;
    }
    put_key(m, "%s=any", number == SELECT_PER_NODE ? "comm_size" : names[number]);
    put_object(m, collective, levels);
    if (slip(m, 100)) {
        put_comma(m);
        put_key(m, "%s<=7", names[number]);
        put_object(m, collective, levels);
    }
}

static void put_flags(TreeMaker *m, int collective, int levels)
{
    static const char *const ofs[][3] = {{"is_commutative=yes", "is_commutative=no", NULL},
                                         {"is_op_built_in=yes", "is_op_built_in=no", NULL},
                                         {"is_block_regular=no", "is_block_regular=yes", NULL},
                                         {"is_sendbuf_inplace=yes", "is_sendbuf_inplace=no", NULL},
                                         {"comm_hierarchy=parent", "comm_hierarchy=any", NULL},
                                         {"comm_hierarchy=flat", "comm_hierarchy=node", NULL},
                                         {"is_node_consecutive=yes", "is_node_consecutive=no", NULL},
                                         {"comm_type=intra", "comm_type=inter", NULL},
                                         {"is_multi_threaded=no", "is_multi_threaded=yes", NULL}};
    static const SelectFlag flags[] = {SELECT_COMMUTATIVE, SELECT_BUILT_IN, SELECT_REGULAR, SELECT_IN_PLACE};
    int which;
    do
        which = pick(m->rand, G_N_ELEMENTS(ofs));
    while (which < 4 && !(selection_collectives[collective].flags & 1u << flags[which]) && !slip(m, 8));
    const gboolean both = !chance(m->rand, 12);
    put_key(m, "%s", ofs[which][0]);
    put_object(m, collective, levels);
    if (both) {
        put_comma(m);
        put_key(m, "%s", ofs[which][1]);
        put_object(m, collective, levels);
    }
}

static void put_object(TreeMaker *m, int collective, int levels)
{
    const guint numbers = selection_collectives[collective].numbers;
    if (levels <= 0 || chance(m->rand, 3)) {
        if (slip(m, 200))
            g_string_append(m->s, chance(m->rand, 2) ? "{}" : "[]");
        else
            put_leaf(m, collective);
        return;
    }
    g_string_append(m->s, "{\n");
    const int kind = pick(m->rand, 4);
    SelectNumber number = SELECT_RANKS;
    for (int i = 0; i < 4 && kind > 1; i++) {
        const SelectNumber x = (SelectNumber)(SELECT_AVERAGE + pick(m->rand, 3));
        if (numbers & 1u << x || slip(m, 30))
            number = x;
    }
    if (kind == 0)
        put_flags(m, collective, levels - 1);
    else
        put_numbers(m, collective, levels - 1, chance(m->rand, 12) ? SELECT_PER_NODE : number);
    put_close(m);
}

// Appends all collectives of an object.
static void put_collectives(TreeMaker *m, gboolean intra)
{
    gboolean any = FALSE;
    for (int c = 0; c < SELECTION_COLLECTIVES; c++) {
        const char *name = selection_collectives[c].name;
        if (strstr(name, "neighbor") || pick(m->rand, m->sparse * 2) >= (*name == 'i' ? 1 : 3))
            continue;
        if (any)
            put_comma(m);
        any = TRUE;
        put_key(m, "collective=%s", name);
        if (intra) {
            g_string_append_c(m->s, '{');
            put_key(m, "comm_type=intra");
        }
        put_object(m, c, *name == 'i' ? 0 : pick(m->rand, 3));
        if (intra)
            put_close(m);
    }
    if (slip(m, 100)) {
        put_comma(m);
        put_key(m, "comm_size=any");
        put_object(m, 0, 0);
    }
}

char *trees_random(guint32 seed)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(seed);
    g_autoptr(GArray) points = trees_points(seed, TREES_ALONE);
    TreeMaker m = {rand, g_string_new(""), points, chance(rand, 2), chance(rand, 3) ? 8 : 2};
    const int shape = pick(rand, 5);
    g_string_append(m.s, slip(&m, 100) ? "[" : "{\n");
    if (shape == 1 || shape == 2) {
        put_key(&m, shape == 1 ? "comm_type=intra" : "comm_size<=%d", 2 + pick(rand, 3));
        g_string_append(m.s, "{\n");
    }
    put_collectives(&m, shape == 0);
    if (shape == 1 || shape == 2)
        put_close(&m);
    if (shape == 2) {
        put_comma(&m);
        put_key(&m, slip(&m, 6) ? "avg_msg_size=any" : "comm_size=any");
        g_string_append(m.s, "{\n");
        put_collectives(&m, FALSE);
        put_close(&m);
    }
    put_close(&m);
    g_string_append(m.s, slip(&m, 20) ? "\n} more" : "\n");
    if (slip(&m, 60))
        g_string_truncate(m.s, (gsize)pick(rand, (int)m.s->len + 1));
    return g_string_free(m.s, FALSE);
}

char *trees_sum(const char *text)
{
    char *sum = g_compute_checksum_for_string(G_CHECKSUM_MD5, text, -1);
    sum[8] = 0;
    return sum;
}

// ---- What is due ---------------------------------------------------------------------------------------------------

gboolean trees_unknown(const RulesFile *file, const TreesPoint *point, const SelectionRun *run)
{
    const LibraryRule *row = run->nonblocking ? run->nonblocking : run->row;
    for (guint i = 0; row && i < file->traps->len; i++) {
        const Trap *trap = &g_array_index(file->traps, Trap, i);
        if (trap->kind == TRAP_CRASH && trap->line == row->line)
            return TRUE;
    }
    return point->nodes && !run->ends && strcmp(tables_short_name(run->row->algorithm->function), "smp") == 0;
}

SelectionRun trees_run(const RulesFile *file, const TreesPoint *point)
{
    const TreesPoint first = {COLL_BCAST, point->p, 1, sizeof(gint32), TREES_MPI, FALSE, point->nodes};
    const RuleCall call = trees_call(point), before = trees_call(&first);
    SelectionRun run = selection_run(file->selection, &call);
    const SelectionRun made = selection_run(file->selection, &before);
    if (point->p < TREES_RANKS && (made.ends || trees_unknown(file, &first, &made)))
        return made;
    return run;
}

TreesStart trees_start(const RulesFile *file, TreesPlaces places)
{
    // the world, each rank alone, and the communicators of the world's nodes and of their first ranks
    const DecideCall made[] = {{.p = TREES_RANKS, .nodes = nodes_of(places, TREES_RANKS)},
                               {.p = 1},
                               {.p = TREES_RANKS / 2, .group = DECIDE_ON_NODE},
                               {.p = 2, .group = DECIDE_ON_ROOTS}};
    for (guint i = 0; file->ignored && i < file->traps->len; i++)
        if (g_array_index(file->traps, Trap, i).kind == TRAP_START)
            return TREES_DIES;
    if (file->ignored)
        return TREES_UNKNOWN;
    for (size_t i = 0; i < (places == TREES_ALONE ? 2 : G_N_ELEMENTS(made)); i++) {
        DecideCall decide = made[i];
        decide.collective = COLL_BARRIER;
        decide.elem = 1;
        decide.commutative = TRUE;
        const RuleCall call = selection_call(&decide);
        if (rule_find(selection_rows(file->selection), &call)->end == ROW_COMM)
            return TREES_DIES;
    }
    return TREES_STARTS;
}
