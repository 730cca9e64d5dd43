// The times of guidelines that are measured.
#include "advice/guidelines/guidelines.h"
#include "base/error.h"
#include "measurements/logs/log_columns.h"
#include <math.h>
#include <string.h>

// Returns TRUE if a sample is what a library chose by itself.
static gboolean is_default(const LogSample *s)
{
    return !s->algorithm || !*s->algorithm || log_of_library(s) || strcmp(s->algorithm, "default") == 0 ||
           g_str_has_suffix(s->algorithm, ":auto");
}

// Returns the ranks, and those of a node, that a sample has, or else the line that started its benchmark; 0 if neither says it.
static int ranks_of(const LogSample *s, int *per_node)
{
    const LogBenchmark *benchmark = s->p ? NULL : log_benchmark_of(s);
    *per_node = benchmark ? benchmark->launch.per_node : s->per_node;
    return benchmark ? benchmark->launch.ranks : s->p;
}

// Returns why a sample is passed over; NULL if it is not. `best` is whether the fastest algorithm counts, and not only the
// default (gboolean *).
static const char *why_not(const LogSample *s, gconstpointer best)
{
    int per_node;
    const int p = ranks_of(s, &per_node);
    if (s->predicted)
        return "are predictions";
    if (s->kind == LOG_REDUCE)
        return s->time_s > 0 ? NULL : "took no time";
    if (s->kind != LOG_COLLECTIVE)
        return "are not of a collective";
    if (!(s->time_s > 0))
        return "took no time";
    if (p == 0)
        return "do not say on how many ranks; a label does, as allreduce:library:16x4=FILE,";
    if (p == 1)
        return "are of one rank";
    if (!*(const gboolean *)best && !is_default(s))
        return "are of an algorithm that was named; --best counts the fastest";
    if (collectives[s->collective].reduces && s->element && s->bytes % s->element != 0)
        return "reduce a part of an element";
    return s->root != 0 ? "have another root than rank 0" : NULL;
}

// Returns what rows that can be compared have in common, as a text that lives as long as the logs.
static const char *group_of(const LogSample *s)
{
    g_autofree char *text = g_strjoin("|", s->machine ? s->machine : "", s->run ? s->run : "", s->place ? s->place : "",
                                      s->map ? s->map : "", NULL);
    const size_t k = strcspn(text, "\n");
    text[k] = '\0';
    return g_string_chunk_insert_const(s->log->texts, text);
}

// Notes a measured time; of several, the least counts.
static void add_sample(Guidelines *x, const LogSample *s, gboolean mean)
{
    const gboolean local = s->kind == LOG_REDUCE;
    const int collective = local ? GUIDELINE_LOCAL : (int)s->collective;
    int per_node;
    const int p = ranks_of(s, &per_node);
    const guint place = guidelines_place(x, group_of(s), p, per_node, TRUE);
    const size_t m = collective == COLL_BARRIER ? 0 : s->bytes;
    const guint at = guidelines_time(x, place, collective, m);
    GuidelineTime *time = &g_array_index(x->times, GuidelineTime, at);
    GArray *sizes = ((GuidelinePlace *)x->places->pdata[place])->sizes[collective];
    g_array_append_val(sizes, m);
    if (time->sample && time->sample->time_s <= s->time_s)
        return;
    time->sample = s;
    time->time_s[GUIDELINE_MEASURED] = s->time_s;
    time->time_s[GUIDELINE_PREDICTED] = s->predicted_s > 0 ? s->predicted_s : NAN;
    time->mean = !local && (s->mean || mean);
    time->hides_last = time->mean && collectives[s->collective].rooted;
    time->elem = log_whole_element(s);
}

// Gives the times of reduce_local, which a log has of one rank, to all places.
static void spread_local(Guidelines *x)
{
    const guint n = x->times->len, places = x->places->len;
    for (guint i = 0; i < n; i++) {
        const GuidelineTime local = g_array_index(x->times, GuidelineTime, i);
        for (guint k = 0; k < places && local.collective == GUIDELINE_LOCAL; k++) {
            const guint at = guidelines_time(x, k, GUIDELINE_LOCAL, local.m);
            GuidelineTime *other = &g_array_index(x->times, GuidelineTime, at);
            if (other->sample)
                continue;
            other->sample = local.sample;
            other->elem = local.elem;
            other->time_s[GUIDELINE_MEASURED] = local.time_s[GUIDELINE_MEASURED];
        }
    }
}

gboolean guidelines_measure(Guidelines *x, const GPtrArray *logs, gboolean best, gboolean means, GPtrArray *notes,
                            GError **error)
{
    for (guint i = 0; i < logs->len; i++) {
        const Log *log = logs->pdata[i];
        const gboolean mean = means || (log->time_is && log_time_is_mean(log->time_is));
        g_autoptr(GPtrArray) samples = log_choose(log, why_not, &best, notes);
        for (guint k = 0; k < samples->len; k++) {
            const LogSample *s = samples->pdata[k];
            add_sample(x, s, mean);
            x->has[GUIDELINE_PREDICTED] |= s->predicted_s > 0;
        }
        x->has[GUIDELINE_MEASURED] |= samples->len > 0;
    }
    if (!x->has[GUIDELINE_MEASURED])
        return bad_input(
            error,
            "no row counts%s%s; allowed: rows of a library's own choice, which name no algorithm, `library` "
            "or LIB:auto, and any with --best",
            notes->len ? ": " : "", notes->len ? (const char *)notes->pdata[notes->len - 1] : "");
    spread_local(x);
    guidelines_expand(x, FALSE);
    guidelines_judge(x);
    return x->rows->len > 0 ||
           bad_input(error, "no guideline has both sides measured; allowed: several sizes of a collective, or several "
                            "collectives on the same ranks");
}
