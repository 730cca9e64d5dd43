// What the ranks of a node share, by windows of many pairs.
#include "measurements/calibrate/measured_table.h"
#include "measurements/calibrate/site_parts.h"
#include <math.h>

#define SATURATED 1.25    // what ranks share limits them if each takes this many times as long as alone
enum { MANY_PAIRS = 16 }; // that are taken to fill what they share if nothing shows how fast one pair is

// What windows of several pairs show of one table: how long a message and a byte keep busy what the pairs share.
typedef struct SiteShared {
    const SiteTable *table;
    FitLadder ladder;     // of the time of each pair
    double message, byte; // of all pairs of a node; NAN if all messages are long, or short
    gboolean fills[2];    // the messages, and the bytes, take longer than those of one pair
    gboolean guessed[2];  // nothing shows how fast one pair is
} SiteShared;

// Fits the tables of a use. Returns an array of SiteShared; free with g_array_unref.
static GArray *shared_of(SiteFit *f, SiteUse use)
{
    GArray *all = g_array_new(FALSE, TRUE, sizeof(SiteShared));
    for (guint i = 0; i < f->site->tables->len; i++) {
        SiteShared s = {.table = &g_array_index(f->site->tables, SiteTable, i)};
        g_autoptr(SiteSweep) sweep = site_sweep_new();
        if (s.table->use != use)
            continue;
        site_sweep_add(sweep, s.table, 1);
        if (!site_sweep_ladder(sweep, &s.ladder))
            continue;
        site_sweep_note(sweep, f->site->notes);
        const double pairs = (double)s.table->pairs / s.table->senders;
        s.message = s.ladder.flat / pairs;
        s.ladder.slope[1] = s.ladder.rises ? s.ladder.slope[1] : NAN;
        s.byte = s.ladder.slope[1] / pairs;
        g_array_append_val(all, s);
    }
    return all;
}

// Sets fills[] of all tables. Each pair alone takes as long as the level's figures say, or as the table of the fewest pairs.
static void find_filled(const SiteFit *f, GArray *all)
{
    double least[2] = {INFINITY, INFINITY};
    int fewest = INT_MAX;
    for (guint i = 0; i < all->len; i++) {
        const SiteShared *const s = &g_array_index(all, SiteShared, i);
        fewest = MIN(fewest, s->table->pairs);
        least[0] = fmin(least[0], s->ladder.flat); // the other one if one is NAN
        least[1] = fmin(least[1], s->ladder.slope[1]);
    }
    for (guint i = 0; i < all->len; i++) {
        SiteShared *const s = &g_array_index(all, SiteShared, i);
        const SiteLevel *const x = &f->level[s->table->level];
        const gboolean sloped = x->known || x->windows;
        const double answer = x->known ? 2 * x->one.at_zero / s->table->window : 0; // and the last message's way
        const double alone[2] = {isnan(x->gap) ? least[0] : x->gap + answer, sloped ? x->one.slope : least[1]};
        const double own[2] = {s->ladder.flat, s->ladder.slope[1]};
        for (int k = 0; k < 2; k++) {
            const gboolean compared = s->table->pairs > fewest || (k ? sloped : !isnan(x->gap));
            s->guessed[k] = !compared;
            s->fills[k] = compared ? own[k] > SATURATED * alone[k] : s->table->pairs >= MANY_PAIRS;
        }
    }
}

// Adds the figure of messages (k = 0) or of bytes (k = 1): of the tables that fill what they share, those that take least, to
// within 5 %. `floor` is the least error. Returns the time that one takes, NAN if no table fills it; *best becomes the
// table of the most pairs.
static double add_shared(SiteFit *f, const GArray *all, int k, PlatformKey key, double floor, const char *what,
                         const char *missing, const SiteShared **best)
{
    double least = INFINITY, sum = 0, spread = 0, bound = INFINITY;
    guint n = 0, rows = 0;
    g_autoptr(SiteSweep) names = site_sweep_new();
    *best = NULL;
    for (guint i = 0; i < all->len; i++) {
        const SiteShared *const s = &g_array_index(all, SiteShared, i);
        const double own = k ? s->byte : s->message;
        bound = isnan(own) ? bound : MIN(bound, own);
        least = s->fills[k] && !isnan(own) ? MIN(least, own) : least;
    }
    for (guint i = 0; i < all->len; i++) {
        const SiteShared *const s = &g_array_index(all, SiteShared, i);
        const double own = k ? s->byte : s->message;
        if (!s->fills[k] || !(own <= 1.05 * least))
            continue;
        sum += own;
        n++;
        rows += k ? s->ladder.slope_rows : s->ladder.flat_rows;
        spread = MAX(spread, s->ladder.spread);
        site_sweep_add(names, s->table, 0);
        *best = *best && (*best)->table->pairs >= s->table->pairs ? *best : s;
    }
    if (!n) {
        g_autofree char *text =
            !isinf(bound)
                ? g_strdup_printf("%s; these are too few to fill it: it is at least %.3g/s", missing, 1 / bound)
                : g_strdup(missing);
        SiteFigure *const figure = site_parts_missing(f, key, NULL, text);
        if (!isinf(bound))
            figure->low = 1 / bound;
        return NAN;
    }
    g_autofree char *source = g_strdup_printf("%s: %s", names->from->str, what);
    const double value = (double)n / sum, error = MAX(SITE_SURE * site_parts_median_error(spread, rows), floor);
    SiteFigure *const figure = site_parts_figure(f, key, NULL, value, error * value, source);
    figure->high = (*best)->guessed[k] ? 2 * value : figure->high;
    return sum / n;
}

static const char *last_source(const SiteFit *f)
{
    return g_array_index(f->site->figures, SiteFigure, f->site->figures->len - 1).source;
}

// Finds the NICs. The logs do not say how many there are, so the machine has one that is as fast as all, unless the number is
// known.
static gboolean fit_nics(SiteFit *f, GError **error)
{
    g_autoptr(GArray) all = shared_of(f, SITE_NIC);
    const SiteShared *best;
    const double nics = f->assumed->has[KEY_NICS] ? f->assumed->value[KEY_NICS] : 1;
    find_filled(f, all);
    const double byte = add_shared(f, all, 1, KEY_NIC_RATE, 0.02, "windows of many pairs between nodes, long messages",
                                   "osu_mbw_mr between 2 nodes with all cores of a node", &best);
    if (!isnan(byte) && !site_parts_set(f, KEY_NIC_RATE, -1, byte * nics, last_source(f), error))
        return FALSE;
    const double message =
        add_shared(f, all, 0, KEY_NIC_MESSAGES, 0.03, "windows of many pairs between nodes, short messages",
                   "osu_mbw_mr between 2 nodes with all cores of a node", &best);
    if (!isnan(message) && !site_parts_set(f, KEY_NIC_MESSAGES, -1, message * nics, last_source(f), error))
        return FALSE;
    if (!f->assumed->has[KEY_NICS] && !(isnan(byte) && isnan(message)))
        g_ptr_array_add(
            f->site->notes,
            g_strdup(
                "nics: no log says how many NICs a node has, so the machine has one that is as fast as all together; "
                "with nics = N in [node] of --base, each has its part; `ibstat` or `fi_info` on a node counts them"));
    return TRUE;
}

// Returns the part of its bytes' time for which a message in a node keeps the memory busy, as a table; NULL if none does.
// Free with g_free.
static char *memory_text(const SiteFit *f, const SiteShared *best, double byte)
{
    enum { LEAST_TABLE = 2 };
    const GArray *const one = f->level[best->table->level].table;
    g_autoptr(GString) text = g_string_new(NULL);
    uint64_t before = 0;
    guint n = 0;
    for (guint i = 0; one && i < one->len; i++) {
        const MeasuredPoint *const p = &g_array_index(one, MeasuredPoint, i);
        const double more = p->time_s - g_array_index(one, MeasuredPoint, 0).time_s;
        if ((double)p->bytes < best->ladder.from[1]) {
            before = p->bytes;
            continue;
        }
        if (!(more > 0.05 * p->time_s))
            continue;
        g_autofree char *factor = figure_text(PLATFORM_SHARE, MIN((double)p->bytes * byte / more, 1024));
        if (!n && before > 0)
            g_string_append_printf(text, "%" G_GUINT64_FORMAT ":0 ", before);
        g_string_append_printf(text, "%s%" G_GUINT64_FORMAT ":%s", n ? " " : "", p->bytes, factor);
        n++;
    }
    return n >= LEAST_TABLE ? g_strdup(text->str) : NULL;
}

static gboolean fit_memory(SiteFit *f, GError **error)
{
    g_autoptr(GArray) all = shared_of(f, SITE_MEMORY);
    const SiteShared *best;
    find_filled(f, all);
    const double byte = add_shared(f, all, 1, KEY_MEMORY, 0.04, "windows of many pairs in a node, long messages",
                                   "osu_mbw_mr in one node with all its cores", &best);
    g_autofree char *text = best ? memory_text(f, best, byte) : NULL;
    return !text || platform_set_figure(f->assumed, KEY_MEMORY, NULL, text, last_source(f), error);
}

gboolean site_shared_fit(SiteFit *f, GError **error)
{
    return fit_nics(f, error) && fit_memory(f, error);
}
