#include "judge/validate/winning.h"
#include "base/distinct.h"
#include "engine/schedule/parse.h"
#include "search/search/intervals.h"
#include "search/search/sure.h"
#include <math.h>
#include <string.h>

enum { LEAST_ALGORITHMS = 2 };

const char *const winning_rule_names[] = {"argmin", "gain 3%", "sure 90%", "perfect"};

// ---- Points ---------------------------------------------------------------------------------------------------------

typedef struct WinningTimes {
    int id; // from 1 on, in its part; 0: the default
    const CollAlgorithm *runs;
    double measured_s, predicted_s;
} WinningTimes;

typedef struct WinningPoint {
    TunePlace place; // first, for intervals_by_place
    WinningTimes usual;
    GArray *times; // of WinningTimes: the algorithms
} WinningPoint;

// What has rules of its own: a set's rows of one collective and one group.
typedef struct WinningPart {
    const char *set;
    Collective collective;
    GPtrArray *names; // of const char *: the algorithms; the first has id 1
    GArray *points;   // of WinningPoint
} WinningPart;

static void point_clear(gpointer data)
{
    g_array_unref(((WinningPoint *)data)->times);
}

static void part_free(gpointer data)
{
    WinningPart *part = data;
    g_ptr_array_unref(part->names);
    g_array_unref(part->points);
    g_free(part);
}

static WinningPart *part_of(GPtrArray *parts, GHashTable *index, const ValidateRow *row, Collective collective)
{
    g_autofree char *key = g_strdup_printf("%s\n%s\n%s", row->set, row->collective, row->group);
    WinningPart *part = g_hash_table_lookup(index, key);
    if (part)
        return part;
    part = g_new(WinningPart, 1);
    *part = (WinningPart){row->set, collective, g_ptr_array_new(), g_array_new(FALSE, FALSE, sizeof(WinningPoint))};
    g_array_set_clear_func(part->points, point_clear);
    g_ptr_array_add(parts, part);
    g_hash_table_insert(index, g_steal_pointer(&key), part);
    return part;
}

static WinningPoint *point_of(WinningPart *part, GHashTable *index, const ValidateRow *row)
{
    g_autofree char *key = validate_row_key(row, "");
    const guint at = GPOINTER_TO_UINT(g_hash_table_lookup(index, key));
    if (at)
        return &g_array_index(part->points, WinningPoint, at - 1);
    const WinningPoint point = {
        {.p = row->sample.p, .per_node = row->sample.per_node, .m = row->bytes, .bytes = (gint64)row->bytes},
        {0, NULL, NAN, NAN},
        g_array_new(FALSE, FALSE, sizeof(WinningTimes))};
    g_array_append_val(part->points, point);
    g_hash_table_insert(index, g_steal_pointer(&key), GUINT_TO_POINTER(part->points->len));
    return &g_array_index(part->points, WinningPoint, part->points->len - 1);
}

static const CollAlgorithm *entry_of(const ValidateRow *row, Collective collective)
{
    g_autofree char *name = validate_row_entry(row);
    return algorithm_find(collective, name);
}

// Adds the row's time, or that of another code of the algorithm if it is less.
static void add_row(WinningPart *part, WinningPoint *point, const ValidateRow *row)
{
    const gboolean usual = validate_row_default(row);
    const WinningTimes times = {usual ? 0 : (int)distinct_name(part->names, row->algorithm) + 1,
                                entry_of(row, part->collective), row->measured_s, row->predicted_s};
    WinningTimes *same = usual && !isnan(point->usual.measured_s) ? &point->usual : NULL;
    for (guint i = 0; !usual && !same && i < point->times->len; i++)
        if (g_array_index(point->times, WinningTimes, i).id == times.id)
            same = &g_array_index(point->times, WinningTimes, i);
    if (same)
        same->measured_s = MIN(same->measured_s, times.measured_s);
    else if (usual)
        point->usual = times;
    else
        g_array_append_val(point->times, times);
}

// Returns the parts (WinningPart *) that have points which count.
static GPtrArray *find_parts(const ValidateRows *rows)
{
    GPtrArray *parts = g_ptr_array_new_with_free_func(part_free);
    g_autoptr(GHashTable) index = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
                          places = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = 0; i < rows->rows->len; i++) {
        const ValidateRow *row = &g_array_index(rows->rows, ValidateRow, i);
        Collective collective;
        if (row->use == ROW_CALIBRATE || row->use == ROW_TWIN || !*row->algorithm || !(row->predicted_s > 0) ||
            !collective_parse(row->collective, &collective, NULL))
            continue;
        WinningPart *part = part_of(parts, index, row, collective);
        add_row(part, point_of(part, places, row), row);
    }
    for (guint i = parts->len; i-- > 0;) {
        const WinningPart *part = parts->pdata[i];
        for (guint k = part->points->len; k-- > 0;) {
            const WinningPoint *point = &g_array_index(part->points, WinningPoint, k);
            if (isnan(point->usual.measured_s) || point->times->len < LEAST_ALGORITHMS)
                g_array_remove_index(part->points, k);
        }
        g_array_sort(part->points, intervals_by_place);
        if (!part->points->len)
            g_ptr_array_remove_index(parts, i);
    }
    return parts;
}

// ---- Rules ----------------------------------------------------------------------------------------------------------

// Returns the time that an algorithm must be below, so that a rule names it.
static double limit_of(const WinningTimes *usual, const WinningTimes *of, WinningRule rule, const Platform *platform)
{
    switch (rule) {
    case WINNING_ARGMIN:
        return INFINITY;
    case WINNING_GAIN:
        return usual->predicted_s / (1 + WINNING_LEAST_GAIN);
    case WINNING_SURE:
        return sure_limit(platform, usual->predicted_s, usual->runs, of->runs, sure_z(SURE_DEFAULT));
    default:
        return usual->measured_s;
    }
}

static void set_place(const WinningPoint *point, WinningRule rule, const Platform *platform, TunePlace *place)
{
    const gboolean measured = rule == WINNING_PERFECT;
    double most_s = INFINITY;
    *place = point->place;
    place->usual_s = measured ? point->usual.measured_s : point->usual.predicted_s;
    place->options = g_array_new(FALSE, FALSE, sizeof(TuneOption));
    for (guint i = 0; i < point->times->len; i++) {
        const WinningTimes *of = &g_array_index(point->times, WinningTimes, i);
        const double time_s = measured ? of->measured_s : of->predicted_s;
        const TuneOption option = {{.id = of->id}, time_s, NULL};
        if (time_s < limit_of(&point->usual, of, rule, platform) * (1 - 1e-9)) // clocks are a little wrong by rounding
            intervals_offer(place, &option, rule == WINNING_SURE ? TUNE_WITHIN : 0, &most_s);
    }
    intervals_keep(place, FALSE, most_s);
}

static void place_clear(gpointer data)
{
    g_array_unref(((TunePlace *)data)->options);
}

// Finds the rules of a part. Appends to `ratios` the measured time at each point, divided by that of the default. Returns
// the number of rules.
static guint apply(const WinningPart *part, WinningRule rule, const Platform *platform, GArray *ratios)
{
    g_autoptr(GArray) places = g_array_new(FALSE, FALSE, sizeof(TunePlace)),
                      rules = g_array_new(FALSE, FALSE, sizeof(LibraryRule));
    g_array_set_clear_func(places, place_clear);
    g_array_set_size(places, part->points->len);
    Tune tune = {.collective = part->collective, .number = (int)part->collective, .places = places, .rules = rules};
    for (guint i = 0; i < places->len; i++)
        set_place(&g_array_index(part->points, WinningPoint, i), rule, platform, &g_array_index(places, TunePlace, i));
    intervals_find(&tune);
    intervals_apply(&tune);
    for (guint i = 0; i < places->len; i++) {
        const WinningPoint *point = &g_array_index(part->points, WinningPoint, i);
        double ratio = 1;
        for (guint k = 0; k < point->times->len; k++) {
            const WinningTimes *of = &g_array_index(point->times, WinningTimes, k);
            if (of->id == g_array_index(places, TunePlace, i).choice.id)
                ratio = of->measured_s / point->usual.measured_s;
        }
        g_array_append_val(ratios, ratio);
    }
    return rules->len;
}

// ---- Scores ---------------------------------------------------------------------------------------------------------

static Winning winner_of(const char *set, WinningRule rule, const GArray *ratios, guint rules)
{
    Winning x = {.set = set, .rule = rule, .points = ratios->len, .rules = rules};
    double logs = 0;
    guint slower = 0;
    for (guint i = 0; i < ratios->len; i++) {
        const double ratio = g_array_index(ratios, double, i);
        logs += log(ratio);
        slower += ratio > 1 + WINNING_SLOWER;
        x.worst = MAX(x.worst, ratio);
    }
    x.time = exp(logs / ratios->len);
    x.slower = (double)slower / ratios->len;
    return x;
}

// Returns the mean of the sets' winners of one rule.
static Winning alike(const GArray *found, WinningRule rule)
{
    Winning all = {.set = WINNING_ALIKE, .rule = rule};
    double logs = 0;
    guint n = 0;
    for (guint i = 0; i < found->len; i++) {
        const Winning *x = &g_array_index(found, Winning, i);
        if (x->rule != rule || strcmp(x->set, WINNING_ALL) == 0)
            continue;
        n++;
        logs += log(x->time);
        all.slower += x->slower;
        all.points += x->points;
        all.rules += x->rules;
        all.worst = MAX(all.worst, x->worst);
    }
    all.time = exp(logs / n);
    all.slower /= n;
    return all;
}

// Appends what a rule gives in a set, or in all sets for NULL.
static void add_winner(const GPtrArray *parts, const char *set, WinningRule rule, const Platform *platform,
                       GArray *found)
{
    g_autoptr(GArray) ratios = g_array_new(FALSE, FALSE, sizeof(double));
    guint rules = 0;
    for (guint i = 0; i < parts->len; i++)
        if (!set || strcmp(((WinningPart *)parts->pdata[i])->set, set) == 0)
            rules += apply(parts->pdata[i], rule, platform, ratios);
    const Winning x = winner_of(set ? set : WINNING_ALL, rule, ratios, rules);
    g_array_append_val(found, x);
}

GArray *winning_find(const ValidateRows *rows, const Platform *platform)
{
    GArray *found = g_array_new(FALSE, FALSE, sizeof(Winning));
    g_autoptr(GPtrArray) parts = find_parts(rows), sets = g_ptr_array_new();
    for (guint i = 0; i < parts->len; i++)
        distinct_name(sets, ((WinningPart *)parts->pdata[i])->set);
    if (sets->len > 1)
        g_ptr_array_add(sets, NULL);
    for (guint i = 0; i < sets->len; i++)
        for (int rule = 0; rule < N_WINNING_RULES; rule++)
            add_winner(parts, sets->pdata[i], (WinningRule)rule, platform, found);
    for (int rule = 0; sets->len > 1 && rule < N_WINNING_RULES; rule++) {
        const Winning all = alike(found, (WinningRule)rule);
        g_array_append_val(found, all);
    }
    return found;
}
