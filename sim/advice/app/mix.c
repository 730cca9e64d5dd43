#include "advice/app/mix.h"
#include "base/error.h"
#include <math.h>

static void row_clear(gpointer data)
{
    MixRow *row = data;
    g_free(row->decided);
    g_free(row->missing);
    g_free(row->best);
    g_free(row->best_id);
}

void mix_free(Mix *mix)
{
    if (!mix)
        return;
    g_array_unref(mix->rows);
    g_array_unref(mix->collectives);
    g_free(mix);
}

double mix_saves(const MixSum *sum)
{
    return sum->total_s - sum->best_s;
}

double mix_share(double part_s, const MixSum *sum)
{
    return sum->total_s > 0 ? part_s / sum->total_s : 0;
}

static MixRow *row_at(const GArray *rows, guint i)
{
    return &g_array_index(rows, MixRow, i);
}

// ---- Times ----------------------------------------------------------------------------------------------------------

// Rows of one collective and one length of elements: their indices (guint), and their places (ContestPlace).
typedef struct MixGroup {
    GArray *rows, *places;
} MixGroup;

static void mix_group_clear(MixGroup *group)
{
    g_clear_pointer(&group->rows, g_array_unref);
    g_clear_pointer(&group->places, g_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(MixGroup, mix_group_clear)

// Collects the rows from `first` on that belong together.
static MixGroup group_of(const GArray *rows, guint first)
{
    const ProfileRow *of = &row_at(rows, first)->of;
    const MixGroup group = {g_array_new(FALSE, FALSE, sizeof(guint)), g_array_new(FALSE, FALSE, sizeof(ContestPlace))};
    for (guint i = first; i < rows->len; i++) {
        const ProfileRow *x = &row_at(rows, i)->of;
        const ContestPlace place = {x->p, x->per_node, x->m};
        if (x->collective != of->collective || x->elem != of->elem)
            continue;
        g_array_append_val(group.rows, i);
        g_array_append_val(group.places, place);
    }
    return group;
}

// Times the library's default and the best that it can be told to run.
static gboolean time_library(Request *r, const GArray *rows, const MixGroup *group, GError **error)
{
    const ProfileRow *of = &row_at(rows, g_array_index(group->rows, guint, 0))->of;
    g_autoptr(Regret) regret = regret_at(r, of->collective, of->elem, group->places, error);
    if (!regret)
        return FALSE;
    g_assert(regret->places->len == group->rows->len); // rows differ, so their places do
    request_leave_out_of(r, r->question.collective, regret->left_out);
    for (guint i = 0; i < group->rows->len; i++) {
        RegretPlace *place = &g_array_index(regret->places, RegretPlace, i);
        MixRow *row = row_at(rows, g_array_index(group->rows, guint, i));
        row->default_s = place->default_s;
        row->best_s = place->best_s;
        row->sure = regret_sure(place, r->machine.platform);
        row->decided = g_steal_pointer(&place->decided);
        row->missing = g_steal_pointer(&place->missing);
        row->best = g_steal_pointer(&place->best);
        row->best_id = g_steal_pointer(&place->best_id);
    }
    return TRUE;
}

// Finds the best of all algorithms.
static gboolean time_best(Request *r, const GArray *rows, const MixGroup *group, GError **error)
{
    g_autoptr(GPtrArray) contests = contest_make_places(r, 1, group->places);
    if (!contest_run_all(contests, NULL, NULL, error))
        return FALSE;
    g_autofree char *left_out = contest_left_out(contests, contests->len);
    request_leave_out_of(r, r->question.collective, left_out);
    for (guint i = 0; i < contests->len; i++) {
        const GPtrArray *ranking = ((const Contest *)contests->pdata[i])->ranking;
        const Point *point = ranking->len ? ((Contender *)ranking->pdata[0])->point : NULL;
        MixRow *row = row_at(rows, g_array_index(group->rows, guint, i));
        row->default_s = row->best_s = point ? point->time_s : NAN;
        row->sure = (Sure){NAN, NAN, NAN, NAN};
        row->best = point ? point_choice(point) : NULL;
        row->missing = point ? NULL : g_strdup("no algorithm can run");
    }
    return TRUE;
}

static gboolean check_sizes(const Question *q, const Profile *profile, const MixGroup *group, GError **error)
{
    for (guint i = 0; i < group->places->len; i++) {
        const ContestPlace *place = &g_array_index(group->places, ContestPlace, i);
        if (place->m > question_most(q, (size_t)place->p))
            return bad_input(error,
                             "%s: %s of %" G_GSIZE_FORMAT
                             " bytes on %d ranks overflows; allowed: less than 2^62 bytes in "
                             "all messages",
                             profile->name, collectives[q->collective].name, place->m, place->p);
    }
    return TRUE;
}

static gboolean time_all(Request *r, const Profile *profile, const GArray *rows, GError **error)
{
    g_autofree gboolean *done = g_new0(gboolean, rows->len);
    for (guint i = 0; i < rows->len; i++) {
        if (done[i])
            continue;
        g_auto(MixGroup) group = group_of(rows, i);
        for (guint k = 0; k < group.rows->len; k++)
            done[g_array_index(group.rows, guint, k)] = TRUE;
        r->question.collective = row_at(rows, i)->of.collective;
        r->question.elem = row_at(rows, i)->of.elem;
        if (!check_sizes(&r->question, profile, &group, error) ||
            !(r->library.only ? time_library(r, rows, &group, error) : time_best(r, rows, &group, error)))
            return FALSE;
    }
    return TRUE;
}

// ---- Sums -----------------------------------------------------------------------------------------------------------

static gboolean add(MixSum *sum, const MixSum *more)
{
    sum->total_s += more->total_s;
    sum->best_s += more->best_s;
    sum->measured_s += more->measured_s;
    sum->unknown += more->unknown;
    return !__builtin_add_overflow(sum->calls, more->calls, &sum->calls) && isfinite(sum->total_s);
}

static int by_time(const MixSum *a, const MixSum *b)
{
    return a->total_s == b->total_s ? 0 : a->total_s > b->total_s ? -1 : 1;
}

static int by_row(const void *a, const void *b)
{
    const MixRow *x = a, *y = b;
    return by_time(&x->sum, &y->sum);
}

static int by_collective(const void *a, const void *b)
{
    const MixCollective *x = a, *y = b;
    return by_time(&x->sum, &y->sum);
}

static MixCollective *collective_of(Mix *mix, Collective collective)
{
    for (guint i = 0; i < mix->collectives->len; i++) {
        MixCollective *x = &g_array_index(mix->collectives, MixCollective, i);
        if (x->collective == collective)
            return x;
    }
    const MixCollective added = {.collective = collective};
    g_array_append_val(mix->collectives, added);
    return &g_array_index(mix->collectives, MixCollective, mix->collectives->len - 1);
}

// g_array_sort keeps the order of what compares equal, so the order is the same for any number of threads.
static gboolean sum_up(Mix *mix, const Profile *profile, GError **error)
{
    for (guint i = 0; i < mix->rows->len; i++) {
        MixRow *row = row_at(mix->rows, i);
        const gboolean known = !isnan(row->default_s);
        const double calls = (double)row->of.calls;
        row->sum = (MixSum){.calls = row->of.calls,
                            .total_s = known ? calls * row->default_s : 0,
                            .best_s = known ? calls * row->best_s : 0,
                            .measured_s = row->of.time_s,
                            .unknown = !known};
    }
    g_array_sort(mix->rows, by_row);
    for (guint i = 0; i < mix->rows->len; i++) {
        const MixRow *row = row_at(mix->rows, i);
        if (!add(&mix->sum, &row->sum) || !add(&collective_of(mix, row->of.collective)->sum, &row->sum))
            return bad_input(error, "%s: the sum of all calls or of their times is too large; allowed: below 2^63",
                             profile->name);
    }
    g_array_sort(mix->collectives, by_collective);
    return TRUE;
}

Mix *mix_compute(Request *r, const Profile *profile, GError **error)
{
    g_autoptr(Mix) mix = g_new0(Mix, 1);
    mix->rows = g_array_new(FALSE, TRUE, sizeof(MixRow));
    mix->collectives = g_array_new(FALSE, FALSE, sizeof(MixCollective));
    g_array_set_clear_func(mix->rows, row_clear);
    for (guint i = 0; i < profile->rows->len; i++) {
        MixRow row = {.of = g_array_index(profile->rows, ProfileRow, i)};
        row.of.per_node = row.of.per_node ? row.of.per_node : r->machine.map.k;
        g_array_append_val(mix->rows, row);
    }
    return time_all(r, profile, mix->rows, error) && sum_up(mix, profile, error) ? g_steal_pointer(&mix) : NULL;
}
