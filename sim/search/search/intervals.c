#include "search/search/intervals.h"
#include "base/rounding.h"
#include "libraries/decide/selection_tree.h"
#include "libraries/decide/tuned.h"
#include <math.h>
#include <string.h>

typedef struct Intervals {
    Tune *tune;
    GArray *choices;  // of TuneChoice, all that are an option somewhere; the first is the default
    guint words;      // of a set of choices, one bit each
    guint64 *sets;    // of each place
    GArray *first;    // guint: the first place of each number of ranks, and the end
    GArray *all;      // guint: all places, by bytes
    GArray *by_bytes; // guint: those of the range of ranks that is being looked at
} Intervals;

typedef struct Interval {
    gint64 bytes; // from here on
    gint64 last;  // bytes of its last place
    guint choice;
} Interval;

static TunePlace *place_at(const Intervals *x, guint i)
{
    return &g_array_index(x->tune->places, TunePlace, i);
}

static gboolean has(const guint64 *set, guint choice)
{
    return ((set[choice / 64] >> choice % 64) & 1) != 0;
}

static void add(guint64 *set, guint choice)
{
    set[choice / 64] |= (guint64)1 << choice % 64;
}

// Sets `set` to what it has in common with another one. Returns FALSE and leaves it if they have nothing in common.
static gboolean intersect(const Intervals *x, guint64 *set, const guint64 *other)
{
    gboolean any = FALSE;
    for (guint i = 0; i < x->words; i++)
        any |= (set[i] & other[i]) != 0;
    for (guint i = 0; i < x->words && any; i++)
        set[i] &= other[i];
    return any;
}

const TuneOption *intervals_option(const TunePlace *place, const TuneChoice *choice)
{
    for (guint i = 0; i < place->options->len; i++) {
        const TuneOption *option = &g_array_index(place->options, TuneOption, i);
        if (memcmp(&option->choice, choice, sizeof *choice) == 0)
            return option;
    }
    return NULL;
}

// ---- Places and options ---------------------------------------------------------------------------------------------

int intervals_by_place(const void *a, const void *b)
{
    const TunePlace *x = a, *y = b;
    if (x->p != y->p)
        return x->p - y->p;
    if (x->m != y->m)
        return x->m < y->m ? -1 : 1;
    return x->per_node - y->per_node;
}

void intervals_offer(TunePlace *place, const TuneOption *option, double within, double *most_s)
{
    if (!intervals_option(place, &option->choice))
        g_array_append_vals(place->options, option, 1);
    *most_s = MIN(*most_s, option->time_s * (1 + within));
}

void intervals_keep(TunePlace *place, gboolean usual, double most_s)
{
    const TuneOption option = {{0}, place->usual_s, place->usual};
    if (place->options->len == 0 || usual)
        g_array_append_val(place->options, option);
    place->sure_s = INFINITY;
    for (guint i = place->options->len; i-- > 0;) {
        const double time_s = g_array_index(place->options, TuneOption, i).time_s;
        if (time_s > most_s)
            g_array_remove_index(place->options, i);
        else
            place->sure_s = MIN(place->sure_s, time_s);
    }
}

void intervals_apply(Tune *tune)
{
    for (guint i = 0; i < tune->places->len; i++) {
        TunePlace *place = &g_array_index(tune->places, TunePlace, i);
        place->choice = (TuneChoice){0};
        place->time_s = place->usual_s;
        place->runs = place->usual;
        const RuleCall call = rule_call(tune->number, place->p, place->bytes);
        const LibraryRule *rule = rule_find(tune->rules, &call);
        if (rule)
            place->choice =
                (TuneChoice){rule->id, rule->fanout, rule->segment, rule->max_requests, rule->runs, rule->params};
        const TuneOption *option = intervals_option(place, &place->choice);
        if (option) {
            place->time_s = option->time_s;
            place->runs = option->runs;
        }
    }
}

// ---- Sets of choices ------------------------------------------------------------------------------------------------

static guint number_of(GArray *choices, const TuneChoice *choice)
{
    for (guint i = 0; i < choices->len; i++)
        if (memcmp(&g_array_index(choices, TuneChoice, i), choice, sizeof *choice) == 0)
            return i;
    g_array_append_vals(choices, choice, 1);
    return choices->len - 1;
}

// Returns the sum of the logarithms of the times of a choice, at places begin .. end - 1.
static double logs_of_places(const Intervals *x, guint choice, guint begin, guint end)
{
    double sum = 0;
    for (guint i = begin; i < end; i++) {
        const TunePlace *place = place_at(x, i);
        const TuneOption *option = intervals_option(place, &g_array_index(x->choices, TuneChoice, choice));
        sum += log(MAX(option && choice ? option->time_s : place->usual_s, 1e-15));
    }
    return sum;
}

// Takes choices out of a set that do not gain over places begin .. end - 1 in all. The default stays, and is what is left if
// nothing gains.
static void keep_gains(const Intervals *x, guint64 *set, guint begin, guint end)
{
    const double usual = logs_of_places(x, 0, begin, end);
    gboolean any = has(set, 0);
    for (guint i = 1; i < x->choices->len; i++) {
        if (has(set, i) && logs_of_places(x, i, begin, end) > usual - 1e-9)
            set[i / 64] &= ~((guint64)1 << i % 64);
        any |= has(set, i);
    }
    if (!any)
        add(set, 0);
}

// Where one choice serves all sizes, gives all places with the same ranks what they have in common; the default if that
// is nothing.
static void share_sets(Intervals *x)
{
    for (guint i = 0; i + 1 < x->first->len; i++) {
        const guint begin = g_array_index(x->first, guint, i), end = g_array_index(x->first, guint, i + 1);
        guint64 *common = &x->sets[begin * x->words];
        for (guint k = begin + 1; k < end; k++)
            if (!intersect(x, common, &x->sets[k * x->words])) {
                memset(common, 0, x->words * sizeof *common);
                add(common, 0);
                break;
            }
        keep_gains(x, common, begin, end);
        for (guint k = begin + 1; k < end; k++)
            memcpy(&x->sets[k * x->words], common, x->words * sizeof *common);
    }
}

static void make_sets(Intervals *x)
{
    const TuneChoice usual = {0};
    const guint n = x->tune->places->len;
    g_array_append_val(x->choices, usual);
    for (guint i = 0; i < n; i++) {
        const TunePlace *place = place_at(x, i);
        for (guint k = 0; k < place->options->len; k++)
            number_of(x->choices, &g_array_index(place->options, TuneOption, k).choice);
        if (i == 0 || place->p != place[-1].p)
            g_array_append_val(x->first, i);
    }
    g_array_append_val(x->first, n);
    x->words = (x->choices->len + 63) / 64;
    x->sets = g_new0(guint64, (size_t)n * x->words);
    for (guint i = 0; i < n; i++) {
        const TunePlace *place = place_at(x, i);
        for (guint k = 0; k < place->options->len; k++)
            add(&x->sets[i * x->words], number_of(x->choices, &g_array_index(place->options, TuneOption, k).choice));
    }
    if (x->tune->one)
        share_sets(x);
}

// ---- Sizes ----------------------------------------------------------------------------------------------------------

static int by_bytes(const void *a, const void *b, gpointer intervals)
{
    const guint i = *(const guint *)a, k = *(const guint *)b;
    const gint64 one = place_at(intervals, i)->bytes, two = place_at(intervals, k)->bytes;
    return one != two ? (one < two ? -1 : 1) : (i > k) - (i < k);
}

// Returns the sum of the logarithms of the times of a choice, at places begin .. end - 1 of by_bytes.
static double logs_of(const Intervals *x, guint choice, guint begin, guint end)
{
    const TuneChoice *wanted = &g_array_index(x->choices, TuneChoice, choice);
    double sum = 0;
    for (guint i = begin; i < end; i++) {
        const TunePlace *place = place_at(x, g_array_index(x->by_bytes, guint, i));
        for (guint k = 0; k < place->options->len; k++) {
            const TuneOption *option = &g_array_index(place->options, TuneOption, k);
            if (memcmp(&option->choice, wanted, sizeof *wanted) == 0)
                sum += log(MAX(option->time_s, 1e-15));
        }
    }
    return sum;
}

// Returns the choice of a set for an interval, places begin .. end - 1 of by_bytes.
static guint pick(const Intervals *x, const guint64 *set, guint begin, guint end)
{
    guint best = 0;
    double best_log = INFINITY;
    if (has(set, 0))
        return 0;
    for (guint i = 1; i < x->choices->len; i++) {
        const double sum = has(set, i) ? logs_of(x, i, begin, end) : INFINITY;
        if (sum < best_log - 1e-9) { // sums of the same terms are equal, whatever their order
            best_log = sum;
            best = i;
        }
    }
    return best;
}

// Chooses for the last interval, places begin .. end - 1 of by_bytes.
static void end_interval(const Intervals *x, GArray *intervals, const guint64 *set, guint begin, guint end)
{
    Interval *interval = &g_array_index(intervals, Interval, intervals->len - 1);
    interval->choice = pick(x, set, begin, end);
    interval->last = place_at(x, g_array_index(x->by_bytes, guint, end - 1))->bytes;
}

// Returns the fewest intervals of sizes for the numbers of ranks from..to of x->first, or 0 if there are none: then two
// numbers of ranks have points of the same size for which they share no choice. Appends them to `intervals` unless it
// is NULL.
static guint cut_sizes(Intervals *x, guint from, guint to, GArray *intervals)
{
    g_autofree guint64 *set = g_new(guint64, x->words), *same = g_new(guint64, x->words);
    guint begin = 0, n = 0;
    const guint least = g_array_index(x->first, guint, from), end = g_array_index(x->first, guint, to + 1);
    g_array_set_size(x->by_bytes, 0);
    for (guint i = 0; i < x->all->len; i++) {
        const guint place = g_array_index(x->all, guint, i);
        if (place >= least && place < end)
            g_array_append_val(x->by_bytes, place);
    }
    for (guint i = 0, next; i < x->by_bytes->len; i = next) {
        const guint first = g_array_index(x->by_bytes, guint, i);
        const gint64 bytes = place_at(x, first)->bytes;
        memcpy(same, &x->sets[first * x->words], x->words * sizeof *same);
        for (next = i + 1; next < x->by_bytes->len; next++) {
            const guint k = g_array_index(x->by_bytes, guint, next);
            if (place_at(x, k)->bytes != bytes)
                break;
            if (intersect(x, same, &x->sets[k * x->words]))
                continue;
            if (from < to)
                return 0;
            memset(same, 0, x->words * sizeof *same); // the same ranks on other numbers of nodes
            add(same, 0);
        }
        if (i > 0 && intersect(x, set, same))
            continue;
        if (intervals && i > 0)
            end_interval(x, intervals, set, begin, i);
        const Interval interval = {i > 0 ? bytes : 0, 0, 0};
        if (intervals)
            g_array_append_val(intervals, interval);
        memcpy(set, same, x->words * sizeof *set);
        begin = i;
        n++;
    }
    if (intervals && n > 0)
        end_interval(x, intervals, set, begin, x->by_bytes->len);
    return n;
}

// Begins intervals that lengthen the segments right behind the last place of the interval below. Segments that just
// hold a part of that place's size would leave a short one more of each part that is a little longer, while longer
// segments cost little.
static void begin_early(const Intervals *x, GArray *intervals)
{
    enum { NEAR = 5 }; // sizes above 5/4 may want more segments
    for (guint i = 1; i < intervals->len; i++) {
        Interval *interval = &g_array_index(intervals, Interval, i);
        const gint64 last = interval[-1].last;
        const TuneChoice *below = &g_array_index(x->choices, TuneChoice, interval[-1].choice),
                         *choice = &g_array_index(x->choices, TuneChoice, interval->choice);
        if (choice->id && choice->id == below->id && below->segment > 0 && choice->segment > below->segment &&
            interval->bytes / NEAR <= last / (NEAR - 1))
            interval->bytes = last + 1;
    }
}

// ---- Ranks ----------------------------------------------------------------------------------------------------------

static void add_rules(Intervals *x, guint from, guint to, int set)
{
    Tune *tune = x->tune;
    g_autoptr(GArray) intervals = g_array_new(FALSE, FALSE, sizeof(Interval));
    cut_sizes(x, from, to, intervals);
    begin_early(x, intervals);
    const guint end = g_array_index(x->first, guint, to + 1);
    const int p = place_at(x, g_array_index(x->first, guint, from))->p,
              last = end < tune->places->len ? place_at(x, end)->p - 1 : place_at(x, end - 1)->p;
    for (guint i = 0; i < intervals->len; i++) {
        const Interval *interval = &g_array_index(intervals, Interval, i);
        const TuneChoice *choice = &g_array_index(x->choices, TuneChoice, interval->choice);
        const LibraryRule rule = {
            .collective = tune->number,
            .set = set,
            .when = rule_when(
                (RuleRange){p, last},
                (RuleRange){interval->bytes, i + 1 < intervals->len ? interval[1].bytes - 1 : RULES_NO_LIMIT}),
            .id = choice->id,
            .fanout = choice->fanout,
            .segment = choice->segment,
            .max_requests = choice->max_requests,
            .runs = choice->runs,
            .params = choice->params};
        if (choice->id || choice->runs)
            g_array_append_val(tune->rules, rule);
    }
}

gint64 intervals_size(const Tune *tune, LibraryFamily family, int p, size_t m)
{
    const CollectiveInfo *info = &collectives[tune->collective];
    const gint64 bytes = (gint64)m;
    if (tune->one)
        return 0;
    if (tune->by_call) // as in the files of Open MPI that know it
        return info->vector || info->counts ? bytes : p * bytes;
    return family == LIBRARY_MPICH ? selection_tree_bytes(tune->collective, p, bytes)
                                   : tuned_kind_size(tuned_kind(family, tune->number), p, bytes, (gint64)tune->elem);
}

void intervals_find(Tune *tune)
{
    Intervals x = {.tune = tune,
                   .choices = g_array_new(FALSE, FALSE, sizeof(TuneChoice)),
                   .first = g_array_new(FALSE, FALSE, sizeof(guint)),
                   .all = g_array_new(FALSE, FALSE, sizeof(guint)),
                   .by_bytes = g_array_new(FALSE, FALSE, sizeof(guint))};
    make_sets(&x);
    for (guint i = 0; i < tune->places->len; i++)
        g_array_append_val(x.all, i);
    g_array_sort_with_data(x.all, by_bytes, &x);
    const guint n = x.first->len - 1;
    // best[i]: the least of the first i numbers of ranks; the last of their ranges begins with number begin[i]
    g_autofree guint *best = g_new0(guint, n + 1), *begin = g_new0(guint, n + 1);
    for (guint i = 1; i <= n; i++) {
        best[i] = G_MAXUINT;
        for (guint k = i; k-- > 0;) {
            const guint cost = cut_sizes(&x, k, i - 1, NULL);
            if (cost == 0 || cost >= best[i]) // more numbers of ranks have no fewer intervals
                break;
            if (best[k] + cost + 1 <= best[i]) {
                best[i] = best[k] + cost + 1;
                begin[i] = k;
            }
        }
    }
    tune->parts = best[n];
    g_autoptr(GArray) ends = g_array_new(FALSE, FALSE, sizeof(guint));
    for (guint i = n; i > 0; i = begin[i])
        g_array_append_val(ends, i);
    for (guint i = ends->len, set = 0; i-- > 0; set++)
        add_rules(&x, begin[g_array_index(ends, guint, i)], g_array_index(ends, guint, i) - 1, (int)set);
    g_array_unref(x.choices);
    g_array_unref(x.first);
    g_array_unref(x.all);
    g_array_unref(x.by_bytes);
    g_free(x.sets);
}
