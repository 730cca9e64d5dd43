// The rules file of a tree.
#include "base/error.h"
#include "libraries/decide/rules_write.h"
#include "advice/learn/learn.h"
#include "advice/tune/tune.h"
#include <string.h>

// Checks that the tree asks for nothing but the collective, the ranks and the size.
static gboolean check_features(const Learnt *x, GError **error)
{
    for (guint i = 0; i < x->tree->len; i++) {
        const int feature = cart_node(x->tree, i)->feature;
        if (feature > FEATURE_M)
            return bad_input(error,
                             "--rules: the tree asks for %s, which no rules file knows; allowed: a grid in which "
                             "it does not vary",
                             learn_feature_names[feature]);
    }
    return TRUE;
}

// ---- Places ---------------------------------------------------------------------------------------------------------

// The points of one collective on one number of ranks, by rising size, in data->points; the first machine's points
// serve for all machines, because the tree does not know the machine.
typedef struct RulesRow {
    Collective collective;
    int p, next; // the next number of ranks of the grid; p + 1 at the last one
    guint n;
    const LearnPoint **points;
} RulesRow;

static int by_size(const void *a, const void *b)
{
    const LearnPoint *x = *(const LearnPoint *const *)a, *y = *(const LearnPoint *const *)b;
    return (x->m > y->m) - (x->m < y->m);
}

// Returns the smallest number of ranks above `p` at which the collective has points; INT_MAX if there is none.
static int next_ranks(const LearnData *data, Collective collective, int p)
{
    int next = INT_MAX;
    for (guint i = 0; i < data->points->len; i++) {
        const LearnPoint *point = learn_point(data, i);
        if (point->collective == collective && point->p > p)
            next = MIN(next, point->p);
    }
    return next;
}

// Sets the points of row->p, each size once.
static void set_points(const LearnData *data, RulesRow *row)
{
    guint n = 0;
    row->n = 0;
    for (guint i = 0; i < data->points->len; i++)
        if (learn_point(data, i)->collective == row->collective && learn_point(data, i)->p == row->p)
            row->points[n++] = learn_point(data, i);
    qsort(row->points, n, sizeof *row->points, by_size);
    for (guint i = 0; i < n; i++)
        if (i == 0 || row->points[i]->m != row->points[row->n - 1]->m)
            row->points[row->n++] = row->points[i];
}

// ---- Rules ----------------------------------------------------------------------------------------------------------

typedef struct RulesMaker {
    const Learnt *learnt;
    const Tables *tables;
    RulesFile *file;
    GPtrArray *left_out;
} RulesMaker;

// Returns the choice that the tree makes most often in a row; of several the first.
static guint most_often(const Learnt *x, const RulesRow *row)
{
    guint best = 0, most = 0;
    for (guint i = 0; i < row->n; i++) {
        const guint choice = learnt_choose(x, row->points[i]);
        guint times = 0;
        for (guint k = 0; k < row->n; k++)
            times += learnt_choose(x, row->points[k]) == choice;
        if (times > most || (times == most && choice < best)) {
            most = times;
            best = choice;
        }
    }
    return best;
}

// Adds a line about a choice that the library does not have, once.
static void note_missing(const RulesMaker *maker, const LearnChoice *c)
{
    char *line = g_strdup_printf("%s %d %s: %s does not have it, so its own decision stays",
                                 collectives[c->collective].name, c->id, c->name, maker->tables->library->name);
    for (guint i = 0; i < maker->left_out->len; i++)
        if (strcmp(maker->left_out->pdata[i], line) == 0) {
            g_free(line);
            return;
        }
    g_ptr_array_add(maker->left_out, line);
}

// Adds the rule of a choice, from `first` to `last` bytes as the file counts them.
static void add_rule(const RulesMaker *maker, const RulesRow *row, guint choice, gint64 first, gint64 last)
{
    const LearnChoice *c = learn_choice(maker->learnt->data, choice);
    if (!decide_algorithm(maker->tables, c->entry, &c->par)) {
        note_missing(maker, c);
        return;
    }
    const TuneChoice says = tune_choice(maker->tables, c->entry, &c->par);
    const LibraryRule rule = {.collective = tuned_collective(collectives[row->collective].name),
                              .when = rule_when((RuleRange){row->p, row->next - 1}, (RuleRange){first, last}),
                              .id = says.id,
                              .fanout = says.fanout,
                              .segment = says.segment,
                              .max_requests = says.max_requests};
    g_array_append_val(maker->file->rules, rule);
}

// Returns the file's bytes of the first size, m, of a row's point that the tree may treat otherwise than the one
// before: the sizes on both sides of a threshold are those of the grid.
static gint64 first_bytes(const RulesRow *row, guint i, const Learnt *x)
{
    const int number = tuned_collective(collectives[row->collective].name);
    const LearnPoint *below = row->points[i - 1], *above = row->points[i];
    gint64 low = (gint64)below->m, high = (gint64)above->m, at[N_LEARN_FEATURES];
    const guint leaf = cart_leaf(x->tree, &x->table, above->x);
    memcpy(at, above->x, sizeof at);
    while (high - low > 1) {
        const gint64 half = low + (high - low) / 2;
        at[FEATURE_M] = half;
        if (cart_leaf(x->tree, &x->table, at) == leaf)
            high = half;
        else
            low = half;
    }
    return tuned_size(number, row->p, high, (gint64)above->elem);
}

static void add_row(const RulesMaker *maker, const RulesRow *row)
{
    const Learnt *x = maker->learnt;
    const TunedSize size = tuned_collectives[tuned_collective(collectives[row->collective].name)].size;
    if (size == TUNED_SIZE_NONE || size == TUNED_SIZE_TYPE || row->collective == COLL_GATHER ||
        row->collective == COLL_SCATTER) {
        add_rule(maker, row, most_often(x, row), 0, RULES_NO_LIMIT);
        return;
    }
    gint64 from = 0;
    for (guint i = 0; i < row->n; i++) {
        const guint choice = learnt_choose(x, row->points[i]);
        if (i + 1 < row->n && learnt_choose(x, row->points[i + 1]) == choice)
            continue;
        const gint64 next = i + 1 < row->n ? first_bytes(row, i + 1, x) : RULES_NO_LIMIT;
        add_rule(maker, row, choice, from, next == RULES_NO_LIMIT ? next : next - 1);
        from = next;
    }
}

char *learn_rules(const Learnt *x, GPtrArray *left_out, GError **error)
{
    const LearnData *data = x->data;
    const Tables *tables = learn_point(data, 0)->request->library.only;
    if (!check_features(x, error))
        return NULL;
    g_autoptr(RulesFile) file = rules_new("rules", tables);
    g_autofree const LearnPoint **points = g_new(const LearnPoint *, data->points->len);
    const RulesMaker maker = {x, tables, file, left_out};
    for (int c = 0; c < N_COLLECTIVES; c++) {
        const int number = data->n[c] ? tuned_collective(collectives[c].name) : -1;
        if (number < 0 || tuned_collectives[number].size == TUNED_SIZE_NO_METHOD)
            continue;
        for (int p = next_ranks(data, (Collective)c, 1), next; p < INT_MAX; p = next) {
            next = next_ranks(data, (Collective)c, p);
            RulesRow row = {
                .collective = (Collective)c, .p = p, .next = next < INT_MAX ? next : p + 1, .points = points};
            set_points(data, &row);
            add_row(&maker, &row);
        }
    }
    return rules_convert(file, tables->library, error);
}
