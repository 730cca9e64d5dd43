#include "advice/guidelines/guidelines.h"
#include "base/distinct.h"
#include "base/limits.h"
#include "base/units.h"
#include <math.h>
#include <string.h>

static void place_free(gpointer data)
{
    GuidelinePlace *place = data;
    for (int i = 0; i < N_GUIDELINE_COLLECTIVES; i++)
        g_array_unref(place->sizes[i]);
    g_free(place);
}

static void time_clear(gpointer data)
{
    GuidelineTime *time = data;
    g_free(time->decided);
    g_free(time->missing);
}

Guidelines *guidelines_new(const GPtrArray *list, double tolerance)
{
    Guidelines *x = g_new0(Guidelines, 1);
    x->list = list;
    x->tolerance = tolerance;
    x->places = g_ptr_array_new_with_free_func(place_free);
    x->times = g_array_new(FALSE, FALSE, sizeof(GuidelineTime));
    g_array_set_clear_func(x->times, time_clear);
    x->cases = g_array_new(FALSE, FALSE, sizeof(GuidelineCase));
    x->uses = g_array_new(FALSE, FALSE, sizeof(GuidelineUse));
    x->rows = g_array_new(FALSE, FALSE, sizeof(GuidelineRow));
    x->index = g_hash_table_new_full(g_bytes_hash, g_bytes_equal, (GDestroyNotify)g_bytes_unref, NULL);
    x->most = LIMIT_BYTES;
    for (int i = 0; i < N_GUIDELINE_COLLECTIVES; i++)
        x->elem[i] = 1;
    return x;
}

void guidelines_free(Guidelines *x)
{
    if (!x)
        return;
    g_ptr_array_unref(x->places);
    g_array_unref(x->times);
    g_array_unref(x->cases);
    g_array_unref(x->uses);
    g_array_unref(x->rows);
    g_hash_table_unref(x->index);
    if (x->cures)
        g_array_unref(x->cures);
    g_free(x);
}

static GuidelinePlace *place_at(const Guidelines *x, guint i)
{
    return x->places->pdata[i];
}

// Returns the index of a place; the number of places if it is not there.
static guint find_place(const Guidelines *x, const char *group, int p, int per_node)
{
    guint i = 0;
    for (; i < x->places->len; i++) {
        const GuidelinePlace *at = place_at(x, i);
        if (at->p == p && at->per_node == per_node && strcmp(at->group, group) == 0)
            break;
    }
    return i;
}

guint guidelines_place(Guidelines *x, const char *group, int p, int per_node, gboolean base)
{
    const guint at = find_place(x, group, p, per_node);
    if (at == x->places->len) {
        GuidelinePlace *place = g_new0(GuidelinePlace, 1);
        *place = (GuidelinePlace){group, p, per_node, base, {NULL}};
        for (int i = 0; i < N_GUIDELINE_COLLECTIVES; i++)
            place->sizes[i] = g_array_new(FALSE, FALSE, sizeof(size_t));
        g_ptr_array_add(x->places, place);
    }
    place_at(x, at)->base |= base;
    return at;
}

// ---- Times --------------------------------------------------------------------------------------------------------------

static GBytes *key_of(guint place, int collective, size_t m)
{
    const guint64 key[] = {place, (guint64)collective, m};
    return g_bytes_new(key, sizeof key);
}

// Returns the index of a time; G_MAXUINT if it is not there.
static guint find_time(const Guidelines *x, guint place, int collective, size_t m)
{
    g_autoptr(GBytes) key = key_of(place, collective, m);
    return GPOINTER_TO_UINT(g_hash_table_lookup(x->index, key)) - 1;
}

guint guidelines_time(Guidelines *x, guint place, int collective, size_t m)
{
    const guint at = find_time(x, place, collective, m);
    if (at != G_MAXUINT)
        return at;
    const GuidelineTime time = {
        .collective = collective, .place = place, .m = m, .time_s = {NAN, NAN}, .elem = x->elem[collective]};
    g_array_append_val(x->times, time);
    g_hash_table_insert(x->index, key_of(place, collective, m), GUINT_TO_POINTER(x->times->len));
    return x->times->len - 1;
}

// ---- Cases --------------------------------------------------------------------------------------------------------------

// A guideline that is looked at at a place, for one collective in place of `each`.
typedef struct Expansion {
    Guidelines *x;
    guint guideline, place;
    const Guideline *g;
    int each;
    gboolean grid;
    size_t value[N_GUIDELINE_VARIABLES];
} Expansion;

static int collective_of(const Expansion *at, const GuidelineTerm *t)
{
    return t->collective == GUIDELINE_EACH ? at->each : t->collective;
}

// Returns the next larger number of ranks among places that are alike in all else; G_MAXUINT if there is none.
static guint next_place(const Guidelines *x, const GuidelinePlace *of)
{
    guint next = G_MAXUINT;
    for (guint i = 0; i < x->places->len; i++) {
        const GuidelinePlace *at = place_at(x, i);
        if (at->base && at->p > of->p && at->per_node == of->per_node && strcmp(at->group, of->group) == 0 &&
            (next == G_MAXUINT || at->p < place_at(x, next)->p))
            next = i;
    }
    return next;
}

// Returns the place where a term runs; G_MAXUINT if there is none.
static guint place_of(const Expansion *at, const GuidelineTerm *t)
{
    const Guidelines *x = at->x;
    const GuidelinePlace *place = place_at(x, at->place);
    if (t->on == GUIDELINE_ON_SAME)
        return at->place;
    if (t->on == GUIDELINE_ON_NEXT)
        return next_place(x, place);
    const int nodes = place->per_node > 1 && place->p % place->per_node == 0 ? place->p / place->per_node : 0;
    const guint found = nodes < 2 ? x->places->len : find_place(x, place->group, nodes, 1);
    return found < x->places->len ? found : G_MAXUINT;
}

// Returns the next larger one of ascending sizes; 0 if there is none.
static size_t next_size(const GArray *sizes, size_t m)
{
    for (guint i = 0; i < sizes->len; i++)
        if (g_array_index(sizes, size_t, i) > m)
            return g_array_index(sizes, size_t, i);
    return 0;
}

// Returns TRUE if calls of this size are looked at.
static gboolean fits(const Guidelines *x, int collective, size_t m)
{
    return m <= x->most && m % x->elem[collective] == 0;
}

// Returns the index of the time of a term; G_MAXUINT if there is none.
static guint use_term(Expansion *at, const GuidelineTerm *t, GuidelineUse *use)
{
    Guidelines *x = at->x;
    const int collective = collective_of(at, t);
    const guint place = place_of(at, t);
    size_t m = 0;
    use->time = G_MAXUINT;
    if (place == G_MAXUINT)
        return G_MAXUINT;
    at->value[GUIDELINE_NEXT] =
        t->size.power[GUIDELINE_NEXT] ? next_size(place_at(x, place)->sizes[collective], at->value[GUIDELINE_M]) : 0;
    if ((t->sized && !guideline_value(&t->size, at->value, &m)) ||
        !guideline_value(&t->count, at->value, &use->count) || (at->grid && !fits(x, collective, m)))
        return G_MAXUINT;
    return use->time = at->grid ? guidelines_time(x, place, collective, m) : find_time(x, place, collective, m);
}

// Adds the case with these values, if it has all of its times.
static void add_case(Expansion *at)
{
    Guidelines *x = at->x;
    const guint first = x->uses->len;
    GuidelineUse left, use;
    GArray *right = g_array_sized_new(FALSE, FALSE, sizeof use, at->g->right->len);
    gboolean good = use_term(at, &at->g->left, &left) != G_MAXUINT;
    for (guint i = 0; i < at->g->right->len && good; i++) {
        good = use_term(at, &g_array_index(at->g->right, GuidelineTerm, i), &use) != G_MAXUINT;
        g_array_append_val(right, use);
    }
    const GuidelineCase one = {at->guideline, at->place, at->value[GUIDELINE_M], at->value[GUIDELINE_K], left.time,
                               first,         right->len};
    if (good) {
        g_array_append_vals(x->uses, right->data, right->len);
        g_array_append_val(x->cases, one);
    }
    g_array_unref(right);
}

// Returns the values of m that the sizes of the left side give, ascending, and those of the grid too. Free with g_array_unref.
static GArray *values_of_m(Expansion *at, const GArray *sizes)
{
    GArray *values = g_array_new(FALSE, FALSE, sizeof(size_t));
    for (guint i = 0; i < sizes->len; i++) {
        const size_t size = g_array_index(sizes, size_t, i);
        if (guideline_invert(&at->g->left.size, at->value, size))
            g_array_append_val(values, at->value[GUIDELINE_M]);
        if (at->grid && size > 0)
            g_array_append_val(values, size);
    }
    return distinct_sort(values, distinct_by_size);
}

// Adds the cases in which k*m is one of the sizes and m is another one, in the order of k*m.
static void add_splits(Expansion *at, const GArray *sizes)
{
    for (guint i = 0; i < sizes->len; i++)
        for (guint k = 0; k < i; k++) {
            const size_t whole = g_array_index(sizes, size_t, i), part = g_array_index(sizes, size_t, k);
            if (part == 0 || whole % part != 0)
                continue;
            at->value[GUIDELINE_K] = whole / part;
            if (guideline_invert(&at->g->left.size, at->value, whole))
                add_case(at);
        }
}

static void expand_at(Expansion *at)
{
    const guint left = place_of(at, &at->g->left);
    const int collective = collective_of(at, &at->g->left);
    if (left == G_MAXUINT)
        return;
    const GArray *sizes = place_at(at->x, left)->sizes[collective];
    if (at->g->left.size.power[GUIDELINE_K]) {
        add_splits(at, sizes);
        return;
    }
    if (!at->g->left.size.power[GUIDELINE_M]) {
        add_case(at);
        return;
    }
    g_autoptr(GArray) values = values_of_m(at, sizes);
    for (guint i = 0; i < values->len; i++) {
        at->value[GUIDELINE_M] = g_array_index(values, size_t, i);
        add_case(at);
    }
}

// Makes the cases of a guideline at a place.
static void expand(Guidelines *x, guint guideline, guint place, gboolean grid)
{
    const Guideline *g = x->list->pdata[guideline];
    const GuidelinePlace *p = place_at(x, place);
    const gboolean even = p->per_node > 0 && p->p % p->per_node == 0, each = g->left.collective == GUIDELINE_EACH;
    for (int i = each ? 0 : g->left.collective; i <= (each ? N_COLLECTIVES - 1 : g->left.collective); i++) {
        Expansion at = {.x = x, .guideline = guideline, .place = place, .g = g, .each = i, .grid = grid};
        if (x->asked && !x->asked[i])
            continue;
        at.value[GUIDELINE_P] = (size_t)p->p;
        at.value[GUIDELINE_PER_NODE] = even ? (size_t)p->per_node : p->per_node ? 0 : 1;
        at.value[GUIDELINE_NODES] = even ? (size_t)(p->p / p->per_node) : p->per_node ? 0 : (size_t)p->p;
        expand_at(&at);
    }
}

void guidelines_expand(Guidelines *x, gboolean grid)
{
    for (guint i = 0; i < x->places->len; i++)
        for (int c = 0; c < N_GUIDELINE_COLLECTIVES; c++)
            distinct_sort(place_at(x, i)->sizes[c], distinct_by_size);
    for (guint g = 0; g < x->list->len; g++)
        for (guint i = 0; i < x->places->len; i++)
            if (place_at(x, i)->base)
                expand(x, g, i, grid);
}

// ---- Rows ---------------------------------------------------------------------------------------------------------------

static const GuidelineCase *case_at(const Guidelines *x, guint i)
{
    return &g_array_index(x->cases, GuidelineCase, i);
}

static const GuidelineTime *time_at(const Guidelines *x, guint i)
{
    return &g_array_index(x->times, GuidelineTime, i);
}

static const GuidelineUse *use_at(const Guidelines *x, guint i)
{
    return &g_array_index(x->uses, GuidelineUse, i);
}

double guidelines_right(const Guidelines *x, const GuidelineCase *at, GuidelineSide side)
{
    double sum = 0;
    for (guint i = at->first; i < at->first + at->n; i++)
        sum += (double)use_at(x, i)->count * time_at(x, use_at(x, i)->time)->time_s[side];
    return sum;
}

static double ratio_of(const Guidelines *x, const GuidelineCase *at, GuidelineSide side)
{
    const double left = time_at(x, at->left)->time_s[side], right = guidelines_right(x, at, side);
    return left == right ? 1 : left / right; // both may be 0
}

static gboolean is_marked(const Guidelines *x, const GuidelineCase *at)
{
    gboolean marked = time_at(x, at->left)->hides_last;
    for (guint i = at->first; i < at->first + at->n; i++)
        marked |= time_at(x, use_at(x, i)->time)->hides_last;
    return marked;
}

void guidelines_judge(Guidelines *x)
{
    const GuidelineCase *last = NULL;
    for (guint i = 0; i < x->cases->len; i++) {
        const GuidelineCase *at = case_at(x, i);
        if (!last || last->guideline != at->guideline || last->place != at->place || last->left != at->left) {
            const GuidelineRow row = {at->guideline, at->place, {i, i}, {NAN, NAN}, is_marked(x, at)};
            g_array_append_val(x->rows, row);
        }
        last = at;
        GuidelineRow *row = &g_array_index(x->rows, GuidelineRow, x->rows->len - 1);
        for (int side = 0; side < N_GUIDELINE_SIDES; side++) {
            const double ratio = ratio_of(x, at, (GuidelineSide)side);
            if (isnan(ratio) || ratio <= row->x[side]) // x is NAN before the first ratio, which is never <= NAN
                continue;
            row->x[side] = ratio;
            row->worst[side] = i;
        }
    }
}

gboolean guidelines_violated(const Guidelines *x, const GuidelineRow *row, GuidelineSide side)
{
    return row->x[side] > 1 + x->tolerance && !(row->marked && side == GUIDELINE_MEASURED);
}

GuidelineSide guidelines_side(const Guidelines *x)
{
    return x->has[GUIDELINE_MEASURED] ? GUIDELINE_MEASURED : GUIDELINE_PREDICTED;
}

// Counts a row whose measured times are known, or not (GUIDELINE_PREDICTED).
static void count_row(const Guidelines *x, const GuidelineRow *row, GuidelineTotal *total)
{
    const gboolean predicted = guidelines_violated(x, row, GUIDELINE_PREDICTED),
                   measured = guidelines_violated(x, row, GUIDELINE_MEASURED),
                   known[] = {!isnan(row->x[GUIDELINE_PREDICTED]), !isnan(row->x[GUIDELINE_MEASURED])};
    if (row->marked) {
        total->marked++;
        total->marked_violated += row->x[GUIDELINE_MEASURED] > 1 + x->tolerance;
        return;
    }
    for (int side = 0; side < N_GUIDELINE_SIDES; side++) {
        total->checked[side] += known[side];
        total->violated[side] += guidelines_violated(x, row, (GuidelineSide)side);
    }
    if (!known[0] || !known[1])
        return;
    total->compared++;
    total->both += predicted && measured;
    total->missed += measured && !predicted;
    total->false_alarms += predicted && !measured;
}

GuidelineTotal guidelines_total(const Guidelines *x, const Guideline *of)
{
    GuidelineTotal total = {.worst = -1};
    const GuidelineSide side = guidelines_side(x);
    double worst = 0;
    for (guint i = 0; i < x->rows->len; i++) {
        const GuidelineRow *row = &g_array_index(x->rows, GuidelineRow, i);
        if (of && x->list->pdata[row->guideline] != of)
            continue;
        count_row(x, row, &total);
        if (!row->marked && row->x[side] > worst) {
            worst = row->x[side];
            total.worst = (int)i;
        }
    }
    return total;
}

// A row and its x, to sort rows by.
typedef struct RankedRow {
    double x;
    guint row;
} RankedRow;

static int by_x(gconstpointer a, gconstpointer b)
{
    const RankedRow *one = a, *two = b;
    if (one->x != two->x)
        return one->x > two->x ? -1 : 1;
    return one->row < two->row ? -1 : 1;
}

// Adds the rows that are violations on a side, the worst first, unless they are on the other one too.
static void add_violations(const Guidelines *x, GuidelineSide side, gboolean only, GArray *to)
{
    g_autoptr(GArray) ranked = g_array_new(FALSE, FALSE, sizeof(RankedRow));
    for (guint i = 0; i < x->rows->len; i++) {
        const GuidelineRow *row = &g_array_index(x->rows, GuidelineRow, i);
        const RankedRow one = {row->x[side], i};
        if (guidelines_violated(x, row, side) && !(only && guidelines_violated(x, row, guidelines_side(x))))
            g_array_append_val(ranked, one);
    }
    g_array_sort(ranked, by_x);
    for (guint i = 0; i < ranked->len; i++)
        g_array_append_val(to, g_array_index(ranked, RankedRow, i).row);
}

// Leaves the first row of each guideline and collective.
static void keep_first(const Guidelines *x, GArray *rows)
{
    g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
    guint n = 0;
    for (guint i = 0; i < rows->len; i++) {
        const guint row = g_array_index(rows, guint, i);
        const GuidelineRow *at = &g_array_index(x->rows, GuidelineRow, row);
        const int collective = time_at(x, case_at(x, at->worst[0])->left)->collective;
        const guint key = at->guideline * N_GUIDELINE_COLLECTIVES + (guint)collective + 1;
        if (g_hash_table_add(seen, GUINT_TO_POINTER(key)))
            g_array_index(rows, guint, n++) = row;
    }
    g_array_set_size(rows, n);
}

GArray *guidelines_violations(const Guidelines *x, gboolean once, guint most)
{
    GArray *rows = g_array_new(FALSE, FALSE, sizeof(guint));
    add_violations(x, guidelines_side(x), FALSE, rows);
    if (guidelines_side(x) == GUIDELINE_MEASURED)
        add_violations(x, GUIDELINE_PREDICTED, TRUE, rows);
    if (once)
        keep_first(x, rows);
    return rows->len > most ? g_array_set_size(rows, most) : rows;
}

// ---- Texts --------------------------------------------------------------------------------------------------------------

char *guidelines_right_text(const Guidelines *x, const GuidelineCase *at)
{
    const Guideline *g = x->list->pdata[at->guideline];
    const GuidelinePlace *place = place_at(x, time_at(x, at->left)->place);
    GString *s = g_string_new(NULL);
    for (guint i = 0; i < at->n; i++) {
        const GuidelineUse *use = use_at(x, at->first + i);
        const GuidelineTime *time = time_at(x, use->time);
        const GuidelinePlace *on = place_at(x, time->place);
        g_autofree char *size = units_format_size(time->m);
        g_string_append(s, i ? " + " : "");
        if (use->count != 1)
            g_string_append_printf(s, "%zu*", use->count);
        g_string_append_printf(s, "%s(%s)", guideline_collective(time->collective),
                               g_array_index(g->right, GuidelineTerm, i).sized ? size : "");
        if (on != place && on->per_node > 0 && on->p % on->per_node == 0)
            g_string_append_printf(s, " on %dx%d", on->p / on->per_node, on->per_node);
        else if (on != place)
            g_string_append_printf(s, " on %d ranks", on->p);
    }
    return g_string_free(s, FALSE);
}
