#include "advice/targets/cover.h"
#include "advice/targets/tune_target.h"
#include "base/distinct.h"
#include "base/error.h"
#include "base/units.h"
#include <math.h>
#include <string.h>

// The mock-ups of a collective.
typedef struct MockUps {
    const TargetMockUp *of[16];
    guint n;
} MockUps;

static MockUps mock_ups_of(int collective)
{
    MockUps all = {.n = 0};
    for (guint i = 0; i < target_n_mock_ups; i++)
        if ((int)target_mock_ups[i].collective == collective && target_mock_ups[i].guideline) {
            g_assert(all.n < G_N_ELEMENTS(all.of));
            all.of[all.n++] = &target_mock_ups[i];
        }
    return all;
}

GPtrArray *tune_pgmpi_list(void)
{
    GPtrArray *list = g_ptr_array_new_with_free_func(guideline_free);
    for (guint i = 0; i < target_n_mock_ups; i++)
        if (target_mock_ups[i].guideline)
            g_ptr_array_add(list, guideline_parse(target_mock_ups[i].guideline, target_mock_ups[i].name, NULL));
    return list;
}

// Returns the mock-up of a guideline of tune_pgmpi_list.
static const TargetMockUp *mock_up_of(guint guideline)
{
    guint n = 0;
    for (guint i = 0; i < target_n_mock_ups; i++)
        if (target_mock_ups[i].guideline && n++ == guideline)
            return &target_mock_ups[i];
    return NULL;
}

static void make_rule(TargetRule *rule, guint choice, gconstpointer user)
{
    const MockUps *all = user;
    rule->id = -1;
    rule->runs = all->of[choice - 1]->name;
    rule->bytes.first = MAX(rule->bytes.first, 1); // a call of no bytes is always the library's own
}

// Returns the bytes of the library's buffer that a mock-up needs at most for calls up to m: all blocks, or two vectors.
static size_t buffer_of(Collective collective, int p, size_t m)
{
    return units_multiply_sizes(m, collectives[collective].vector ? 2 : (size_t)p);
}

// What is known of one collective at one place.
typedef struct PgmpiTable {
    const Guidelines *x;
    GuidelineSide side;
    int collective;
    guint place;
    MockUps all;
    GArray *sizes;  // size_t, ascending
    double *time_s; // as in TuneTargetTimes
} PgmpiTable;

// Returns TRUE if a case is about the table, and its times say when the last rank ended.
static gboolean is_of(const PgmpiTable *t, const GuidelineCase *at)
{
    const GuidelineTime *left = &g_array_index(t->x->times, GuidelineTime, at->left);
    gboolean good = left->collective == t->collective && left->place == t->place && left->m > 0 && !left->hides_last &&
                    left->m <= G_MAXINT32 && left->time_s[t->side] > 0;
    for (guint i = at->first; i < at->first + at->n && good; i++)
        good = !g_array_index(t->x->times, GuidelineTime, g_array_index(t->x->uses, GuidelineUse, i).time).hides_last;
    return good;
}

// Calls for each case of the table with the index of its size and of its mock-up.
static void fill(PgmpiTable *t, gboolean sizes_only)
{
    for (guint i = 0; i < t->x->cases->len; i++) {
        const GuidelineCase *at = &g_array_index(t->x->cases, GuidelineCase, i);
        const GuidelineTime *left = &g_array_index(t->x->times, GuidelineTime, at->left);
        if (!is_of(t, at))
            continue;
        if (sizes_only) {
            g_array_append_val(t->sizes, left->m);
            continue;
        }
        guint s = 0, c = 0;
        while (s < t->sizes->len && g_array_index(t->sizes, size_t, s) != left->m)
            s++;
        while (c < t->all.n && t->all.of[c] != mock_up_of(at->guideline))
            c++;
        if (s == t->sizes->len || c == t->all.n)
            continue;
        t->time_s[s * (t->all.n + 1)] = left->time_s[t->side];
        t->time_s[s * (t->all.n + 1) + c + 1] = guidelines_right(t->x, at, t->side);
    }
}

// Keeps the sizes at which most mock-ups are known: at others, as at those that are not a multiple of the ranks, a
// choice would be among a part of them.
static void keep_full(PgmpiTable *t)
{
    const guint n = t->all.n + 1;
    guint most = 0, kept = 0;
    g_autofree guint *known = g_new0(guint, t->sizes->len + 1);
    for (guint s = 0; s < t->sizes->len; s++) {
        for (guint c = 1; c < n; c++)
            known[s] += !isnan(t->time_s[s * n + c]);
        most = MAX(most, known[s]);
    }
    for (guint s = 0; s < t->sizes->len; s++) {
        if (known[s] < most)
            continue;
        g_array_index(t->sizes, size_t, kept) = g_array_index(t->sizes, size_t, s);
        memmove(&t->time_s[kept++ * n], &t->time_s[s * n], n * sizeof(double));
    }
    g_array_set_size(t->sizes, kept);
}

// Adds the rules of one collective at one place.
static gboolean add_table(TuneTarget *out, PgmpiTable *t, double within, GError **error)
{
    const GuidelinePlace *place = t->x->places->pdata[t->place];
    fill(t, TRUE);
    distinct_sort(t->sizes, distinct_by_size);
    if (t->sizes->len == 0)
        return TRUE;
    t->time_s = g_new(double, (gsize)t->sizes->len *(t->all.n + 1));
    for (guint i = 0; i < t->sizes->len * (t->all.n + 1); i++)
        t->time_s[i] = NAN;
    fill(t, FALSE);
    keep_full(t);
    for (guint c = 1; c <= t->all.n; c++)
        if (isnan(t->time_s[c]))
            tune_target_lack(out, "%s is not looked at: not all of its parts have times", t->all.of[c - 1]->name);
    if (t->sizes->len > COVER_MOST)
        return bad_input(error, "%s on %d ranks has %u sizes; allowed: at most %d", collectives[t->collective].name,
                         place->p, t->sizes->len, COVER_MOST);
    const TuneTargetTimes times = {t->sizes->len, t->all.n + 1, (const size_t *)(void *)t->sizes->data, t->time_s};
    const TuneTargetPart part = {.collective = (Collective)t->collective, .p = place->p, .per_node = place->per_node};
    tune_target_add(out, part, &times, t->x->tolerance, within, FALSE, FALSE, make_rule, &t->all);
    TuneTargetPart *added = &g_array_index(out->parts, TuneTargetPart, out->parts->len - 1);
    for (guint i = added->first; i < added->first + added->n; i++)
        added->buffer = MAX(added->buffer, buffer_of(added->collective, place->p,
                                                     (size_t)g_array_index(out->rules, TargetRule, i).bytes.last));
    return TRUE;
}

static gboolean add_collective(TuneTarget *out, const Guidelines *x, guint place, int collective, double within,
                               GError **error)
{
    PgmpiTable t = {.x = x,
                    .side = guidelines_side(x),
                    .collective = collective,
                    .place = place,
                    .all = mock_ups_of(collective),
                    .sizes = g_array_new(FALSE, FALSE, sizeof(size_t))};
    const gboolean good = t.all.n == 0 || add_table(out, &t, within, error);
    g_array_unref(t.sizes);
    g_free(t.time_s);
    return good;
}

// Returns FALSE and an error if two places have as many ranks.
static gboolean check_places(const Guidelines *x, GError **error)
{
    for (guint i = 0; i < x->places->len; i++)
        for (guint k = 0; k < i; k++) {
            const GuidelinePlace *a = x->places->pdata[i], *b = x->places->pdata[k];
            if (a->base && b->base && a->p == b->p)
                return bad_input(
                    error,
                    "there are times of %d ranks on different nodes, or of different runs; allowed: one of "
                    "these, because a profile asks for the number of ranks only (--where)",
                    a->p);
        }
    return TRUE;
}

TuneTarget *tune_pgmpi(const Guidelines *x, double within, GError **error)
{
    g_autoptr(TuneTarget) out = tune_target_new(TARGET_PGMPI);
    if (!check_places(x, error))
        return NULL;
    for (guint i = 0; i < x->places->len; i++)
        for (int c = 0; c < N_COLLECTIVES; c++)
            if (((const GuidelinePlace *)x->places->pdata[i])->base && !add_collective(out, x, i, c, within, error))
                return NULL;
    tune_target_lack(out,
                     "scatter is decided by sendcount on each rank, which MPI lets be anything but on the root: all "
                     "ranks of a program must give the same one, or the call can hang");
    for (guint i = 0; i < target_n_mock_ups; i++)
        if (!target_mock_ups[i].guideline)
            tune_target_lack(out,
                             "%s is not looked at: one rank's block is all, and no collective here has such blocks",
                             target_mock_ups[i].name);
    return g_steal_pointer(&out);
}
