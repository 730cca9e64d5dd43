#include "advice/learn/campaign_next.h"
#include "base/distinct.h"
#include <math.h>

static const LearnData *data_of(const Campaign *x, guint question)
{
    return ((const CampaignQuestion *)x->questions->pdata[question])->data;
}

static LearnPoint point_of(const LearnData *data, const CampaignNext *next)
{
    LearnPoint at = {.collective = learn_point(data, 0)->collective,
                     .p = next->p,
                     .per_node = next->per_node,
                     .m = next->m,
                     .group = ""};
    learn_set_place(&at);
    return at;
}

static gint by_place(gconstpointer a, gconstpointer b)
{
    const CampaignPlace *x = a, *y = b;
    return x->p != y->p ? (x->p > y->p) - (x->p < y->p) : (x->per_node > y->per_node) - (x->per_node < y->per_node);
}

// Adds the grid of a question, with the distances to what is measured.
static void add_grid(const Campaign *x, guint question, const GArray *places, const GArray *sizes, GArray *all)
{
    const LearnData *data = data_of(x, question);
    g_autoptr(GArray) own_places = g_array_new(FALSE, FALSE, sizeof(CampaignPlace)),
                      own_sizes = g_array_new(FALSE, FALSE, sizeof(size_t));
    for (guint i = 0; i < data->points->len; i++) {
        const LearnPoint *point = learn_point(data, i);
        g_array_append_val(own_places, ((CampaignPlace){point->p, point->per_node}));
        g_array_append_val(own_sizes, point->m);
    }
    distinct_sort(own_places, by_place);
    distinct_sort(own_sizes, distinct_by_size);
    const int usual = g_array_index(own_places, CampaignPlace, own_places->len - 1).per_node;
    places = places ? places : own_places;
    sizes = sizes ? sizes : own_sizes;
    for (guint i = 0; i < places->len; i++)
        for (guint k = 0; k < sizes->len; k++) {
            const CampaignPlace *place = &g_array_index(places, CampaignPlace, i);
            CampaignNext next = {question,
                                 place->p,
                                 place->per_node ? place->per_node : usual,
                                 g_array_index(sizes, size_t, k),
                                 INFINITY,
                                 {-1, -1},
                                 NAN};
            const LearnPoint at = point_of(data, &next);
            for (guint j = 0; j < data->points->len; j++)
                if (learn_point(data, j)->set == 0)
                    next.distance = fmin(next.distance, learn_distance(learn_point(data, j), &at));
            g_array_append_val(all, next);
        }
}

GArray *campaign_next(const Campaign *x, const GArray *places, const GArray *sizes, guint n)
{
    g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(CampaignNext));
    GArray *chosen = g_array_new(FALSE, FALSE, sizeof(CampaignNext));
    for (guint q = 0; q < x->questions->len; q++)
        add_grid(x, q, places, sizes, all);
    while (chosen->len < n && all->len) {
        CampaignNext *best = &g_array_index(all, CampaignNext, 0);
        for (guint i = 1; i < all->len; i++) {
            CampaignNext *other = &g_array_index(all, CampaignNext, i);
            best = other->distance > best->distance ? other : best;
        }
        if (best->distance == 0)
            break;
        const CampaignNext next = *best;
        const LearnPoint at = point_of(data_of(x, next.question), &next);
        g_array_append_val(chosen, next);
        for (guint i = 0; i < all->len; i++) {
            CampaignNext *other = &g_array_index(all, CampaignNext, i);
            const LearnPoint there = point_of(data_of(x, other->question), other);
            if (other->question == next.question)
                other->distance = fmin(other->distance, learn_distance(&at, &there));
        }
    }
    return chosen;
}

void campaign_next_choose(const Campaign *x, const double *predicted_s, CampaignNext *next)
{
    const LearnData *data = data_of(x, next->question);
    const guint n = data->choices->len;
    g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(guint));
    for (guint i = 0; i < data->points->len; i++)
        if (learn_point(data, i)->set == 0)
            g_array_append_val(rows, i);
    g_autoptr(Corrected) by = corrected_new(data, (const guint *)(const void *)rows->data, rows->len);
    g_autofree double *time_s = g_new(double, n);
    LearnPoint at = point_of(data, next);
    at.predicted_s = (double *)(uintptr_t)predicted_s;
    for (guint c = 0; c < n; c++)
        time_s[c] = corrected_time(by, &at, c);
    for (guint k = 0; k < CAMPAIGN_NEXT_CHOICES; k++) {
        int best = -1;
        for (guint c = 0; c < n; c++)
            if (!isnan(time_s[c]) && (best < 0 || time_s[c] < time_s[best]))
                best = (int)c;
        next->choices[k] = best;
        if (best < 0)
            return;
        next->time_s = k ? next->time_s : time_s[best];
        time_s[best] = NAN;
    }
}
