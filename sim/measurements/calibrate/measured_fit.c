#include "measurements/calibrate/measured_fit.h"
#include "base/error.h"
#include "base/units.h"
#include "measurements/calibrate/measured_own.h"
#include "measurements/calibrate/measured_rest.h"
#include "measurements/calibrate/measured_rings.h"
#include "measurements/calibrate/measured_steps.h"
#include "measurements/calibrate/measured_table.h"
#include "measurements/calibrate/measured_terms.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FEW = 3 };      // this many sizes are too few for a table of their own if they can be added to another one
#define LEAST_GAP 0.02 // of the time of 8 bytes one way; bursts whose messages are closer than that say nothing
#define BYTES_DECIDE                                                                                                   \
    2 // at least half of a message's time is for its bytes if it takes this many times as long as the shortest

// What determines one table at one level.
typedef struct Evidence {
    GArray *points;    // of MeasuredPoint
    GString *from;     // the source: files and what was measured
    GHashTable *named; // what `from` names already
} Evidence;

typedef struct Fit {
    MeasuredFit *out;
    const GPtrArray *logs;
    const GArray *rows;
    const Platform *assumed;
    int n_levels;
    Evidence *evidence; // by level and part
    Evidence *both;     // by level: what windows in both directions show, whose slope adds to `step`
    Table **table;      // the same
    gboolean *kept;     // the same: the table is that of `assumed`
    double gamma;       // of a byte; NAN if it is not known
    char *gamma_from;   // its source, unless it was given
    MeasuredOwn *own;   // by row of equal steps; with reductions only if gamma is known
} Fit;

static Evidence *evidence_of(const Fit *f, int level, MeasuredPart part)
{
    return &f->evidence[level * N_MEASURED_PARTS + (int)part];
}

static Table **table_of(const Fit *f, int level, MeasuredPart part)
{
    return &f->table[level * N_MEASURED_PARTS + (int)part];
}

static gboolean *kept_of(const Fit *f, int level, MeasuredPart part)
{
    return &f->kept[level * N_MEASURED_PARTS + (int)part];
}

static const PlatformKey part_keys[N_MEASURED_PARTS] = {KEY_ONE, KEY_STEP, KEY_GAP};

// Returns the table that `assumed` has at a level; NULL if it has none.
static const Table *assumed_table(const Fit *f, int level, MeasuredPart part)
{
    const Platform *x = f->assumed;
    const PlatformKey key = part_keys[part];
    return x->by_level[key] ? x->level_table[key][level] : x->table[key];
}

// Returns TRUE if --set gave a table, so that no row changes it.
static gboolean is_fixed(const Fit *f, int level, MeasuredPart part)
{
    return calibration_is_set(f->assumed, part_keys[part], level);
}

static const char *level_name(const Fit *f, int level)
{
    return f->assumed->levels.at[level].name;
}

static const CalibrateRow *row_of(const Fit *f, guint i)
{
    return &g_array_index(f->rows, CalibrateRow, i);
}

// ---- Evidence -------------------------------------------------------------------------------------------------------

static void add_point(Evidence *e, const LogSample *s, uint64_t bytes, double time_s, const char *what)
{
    const MeasuredPoint point = {bytes, time_s};
    g_array_append_val(e->points, point);
    g_autofree char *base = g_path_get_basename(s->log->name);
    g_autofree char *named = g_strdup_printf("%s (%s): %s", base, s->log->format, what);
    if (g_hash_table_contains(e->named, named))
        return;
    enum { LONG = 600 }; // bytes of a source, after which further names become ".."
    if (e->from->len < LONG)
        g_string_append_printf(e->from, "%s%s", e->from->len ? "; " : "", named);
    else if (!g_str_has_suffix(e->from->str, ".."))
        g_string_append(e->from, "; ..");
    g_hash_table_add(e->named, g_steal_pointer(&named));
}

// Adds what one sample of messages determines. Its label, if it has one, chooses among several things.
static void add_message(Fit *f, const LogSample *s, int level)
{
    const gboolean any = s->part == LOG_PART_NONE;
    if ((s->kind == LOG_ONE_WAY || s->kind == LOG_PRTT) && (any || s->part == LOG_PART_ONE))
        add_point(evidence_of(f, level, PART_ONE), s, s->bytes, s->time_s, "one-way times");
    else if (s->kind == LOG_SENDRECV)
        add_point(evidence_of(f, level, PART_STEP), s, s->bytes, s->time_s, "sendrecv");
    else if (s->kind == LOG_WINDOW)
        add_point(evidence_of(f, level, PART_GAP), s, s->bytes, s->time_s, "messages of a window");
    else if (s->kind == LOG_WINDOW_BOTH)
        add_point(&f->both[level], s, s->bytes, s->time_s, "slope of messages of windows in both directions");
    if (s->kind == LOG_PRTT && s->prtt.many > s->prtt.one && (any || s->part == LOG_PART_GAP))
        add_point(evidence_of(f, level, PART_GAP), s, s->bytes, (s->prtt.many - s->prtt.one) / (s->prtt.n - 1),
                  "(PRTT(n,0,s) - PRTT(1,0,s))/(n-1)");
}

static gboolean add_messages(Fit *f, GError **error)
{
    for (const LogSample *s = NULL; (s = logs_next(f->logs, s));) {
        int level;
        if (s->kind == LOG_COLLECTIVE || s->kind == LOG_REDUCE || s->time_s <= 0)
            continue;
        if (!calibration_level_of(&f->assumed->levels, s, &level, error))
            return FALSE;
        add_message(f, s, level);
    }
    return TRUE;
}

// Returns what a row of equal steps is called in a source. Free with g_free.
static char *row_what(const CalibrateRow *row, const MeasuredSteps *steps)
{
    return steps->part == PART_GAP ? g_strdup_printf("%s, (time - one)/%" G_GINT64_FORMAT, row->series, steps->k)
           : steps->k == 1         ? g_strdup(row->series)
                                   : g_strdup_printf("%s, time/%" G_GINT64_FORMAT, row->series, steps->k);
}

// Returns the time of a row of equal steps without its ranks' own work.
static double steps_time(const Fit *f, guint i)
{
    return row_of(f, i)->sample->time_s - f->own[i].all_s;
}

// Adds a row of equal steps to the evidence of its table: each of its steps takes time_s.
static void add_row(Fit *f, guint i, int level, const MeasuredSteps *steps, double time_s)
{
    const CalibrateRow *row = row_of(f, i);
    if (time_s <= 0)
        return;
    g_autofree char *what = row_what(row, steps);
    add_point(evidence_of(f, level, steps->part), row->sample, steps->bytes, time_s, what);
    f->out->uses_row[i] = TRUE;
}

// Returns TRUE if a fallback of ours would run in place of the algorithm that was measured.
static gboolean falls_back(const CalibrateRow *row)
{
    const LogSample *s = row->sample;
    const CollAlgorithm *asked = s->algorithm ? algorithm_find(s->collective, s->algorithm) : NULL;
    return asked && asked != row->op.algorithm;
}

// Returns TRUE if the time is a mean over ranks that do not end together, from which the steps do not follow.
static gboolean hides_last(const LogSample *s, const MeasuredSteps *steps)
{
    return s->mean && steps->part != PART_STEP;
}

// Sets *level and *steps to what row i determines. Returns FALSE unless its time is that of equal steps at one level.
static gboolean simple(const Fit *f, guint i, int *level, MeasuredSteps *steps)
{
    const CalibrateRow *row = row_of(f, i);
    const LogSample *s = row->sample;
    if (s->time_s <= 0 || falls_back(row) || !measured_steps(&row->op, steps) || hides_last(s, steps))
        return FALSE;
    if (s->part == LOG_PART_NONE) {
        *level = measured_steps_level(row, &f->assumed->levels);
        return *level >= 0;
    }
    steps->part = (MeasuredPart)(s->part - LOG_PART_ONE);
    steps->rank = 0; // the user chose the row
    return calibration_level_of(&f->assumed->levels, s, level, NULL);
}

// Checks that the rows whose labels name a table can determine it.
static gboolean check_labels(const Fit *f, GError **error)
{
    for (guint i = 0; i < f->rows->len; i++) {
        const CalibrateRow *row = row_of(f, i);
        const LogSample *s = row->sample;
        MeasuredSteps steps;
        int level;
        if (s->part == LOG_PART_NONE)
            continue;
        if (!calibration_level_of(&f->assumed->levels, s, &level, error))
            return FALSE;
        const gboolean gap = s->part == LOG_PART_GAP;
        if (!measured_steps(&row->op, &steps) || (steps.part == PART_GAP) != gap)
            return bad_input(
                error, "%s:%u: %s does not determine `%s`; allowed: %s", row->sample->log->name, s->line, row->series,
                measured_part_names[s->part - LOG_PART_ONE],
                gap ? "bcast linear, scatter linear"
                    : "collectives of equal steps: bcast pipeline in one segment, allgather ring, allreduce "
                      "ring, recursive doubling or dissemination");
        if (hides_last(s, &steps))
            return bad_input(error,
                             "%s:%u: %s: the times are means over the ranks, which end at different times, and do not "
                             "determine `%s`; allowed: logs with the last rank's time, as OSU prints with -f",
                             row->sample->log->name, s->line, row->series, measured_part_names[s->part - LOG_PART_ONE]);
    }
    return TRUE;
}

static void say(GPtrArray *notes, char *text)
{
    g_ptr_array_add(notes, text);
}

static char *table_name(const Fit *f, int level, MeasuredPart part)
{
    return f->n_levels == 1 ? g_strdup(measured_part_names[part])
                            : g_strdup_printf("%s.%s", measured_part_names[part], level_name(f, level));
}

// Returns the least number of ranks of the rows that give points of a table at a level. Inside a node, further ranks
// compete for its memory, so that only the rows of the fewest ranks show what one message takes.
static int fewest_ranks(const Fit *f, int level, MeasuredPart part)
{
    int fewest = INT_MAX, at;
    MeasuredSteps steps;
    for (guint i = 0; i < f->rows->len; i++)
        if (simple(f, i, &at, &steps) && at == level && steps.part == part)
            fewest = MIN(fewest, row_of(f, i)->op.c.p);
    return fewest;
}

// Adds the rows for one table at one level, from the best kind of rows to the last; a worse kind only if the better
// ones have few sizes.
static void add_rows(Fit *f, int level, MeasuredPart part)
{
    Evidence *e = evidence_of(f, level, part);
    if (is_fixed(f, level, part)) {
        g_array_set_size(e->points, 0);
        return;
    }
    const int fewest = level < f->n_levels - 1 ? fewest_ranks(f, level, part) : 0;
    for (int rank = RANK_BEST; rank < N_ROW_RANKS && measured_table_sizes(e->points) <= FEW; rank++)
        for (guint i = 0; i < f->rows->len; i++) {
            int at;
            MeasuredSteps steps;
            if (!simple(f, i, &at, &steps) || at != level || steps.part != part || steps.rank != rank)
                continue;
            if (fewest && row_of(f, i)->sample->part == LOG_PART_NONE && row_of(f, i)->op.c.p != fewest)
                continue;
            if (steps.reduced == 0 || !isnan(f->gamma)) // or else its steps and reductions cannot be told apart
                add_row(f, i, level, &steps, steps_time(f, i) / (double)steps.k);
        }
}

// ---- Tables ---------------------------------------------------------------------------------------------------------

// Makes a table of its evidence, or leaves it NULL if it has none.
static void make_table(Fit *f, int level, MeasuredPart part)
{
    g_autofree char *name = table_name(f, level, part);
    *table_of(f, level, part) = measured_table(evidence_of(f, level, part)->points, name, f->out->notes);
}

// Takes a table of `assumed` if the rows did not make one.
static void keep_table(Fit *f, int level, MeasuredPart part)
{
    Table **t = table_of(f, level, part);
    const Table *before = assumed_table(f, level, part);
    if (!before || (*t && (part != PART_ONE || (*t)->n > 1)))
        return;
    g_autofree char *name = *t ? table_name(f, level, part) : NULL;
    if (name)
        say(f->out->notes, g_strdup_printf("%s: rows of one size do not make a table, so it stays as it was", name));
    table_free(*t);
    *t = table_copy(before);
    *kept_of(f, level, part) = TRUE;
}

// Returns the median of the values, or 0 if there are none.
static double median_of(const GArray *values)
{
    return fit_errors((const double *)(const void *)values->data, values->len).median;
}

// Appends to `slope` by how much a byte takes longer in windows of both directions than one way. Up to the eager limit,
// windows only show how often a rank can send.
static void add_slope_of_both(Fit *f, int level, GArray *slope)
{
    const Table *one = *table_of(f, level, PART_ONE);
    const MeasuredPoint *first = NULL, *last = NULL;
    GArray *points = f->both[level].points;
    measured_table_sizes(points);
    for (guint i = 0; i < points->len; i++) {
        last = &g_array_index(points, MeasuredPoint, i);
        if (!first && last->bytes > MEASURED_EAGER)
            first = last;
    }
    if (!first || first->bytes == last->bytes)
        return;
    const double bytes = (double)(last->bytes - first->bytes);
    const double more =
        (last->time_s - first->time_s) - (table_time_at(one, last->bytes) - table_time_at(one, first->bytes));
    const double value = more / bytes;
    g_array_append_val(slope, value);
}

// Makes the table of steps from times of a few sizes: to the time one way it adds a fixed time, and a time per byte.
// The fixed time is the median of what short messages take longer; a message is short if its bytes take less than half
// of its time. The time per byte is the median of what long messages take longer still. Neither is negative.
static void make_few_steps(Fit *f, int level)
{
    const Evidence *e = evidence_of(f, level, PART_STEP);
    const Table *one = *table_of(f, level, PART_ONE);
    g_autoptr(GArray) fixed = g_array_new(FALSE, FALSE, sizeof(double)),
                      slope = g_array_new(FALSE, FALSE, sizeof(double));
    const double shortest = table_time_at(one, 0);
    double a = 0, b = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (guint i = 0; i < e->points->len; i++) {
            const MeasuredPoint *p = &g_array_index(e->points, MeasuredPoint, i);
            const double way = table_time_at(one, p->bytes), more = p->time_s - way;
            const gboolean is_long = way >= BYTES_DECIDE * shortest;
            const double value = is_long ? (more - a) / (double)p->bytes : more;
            if (is_long == pass)
                g_array_append_val(pass ? slope : fixed, value);
        }
        if (pass && slope->len == 0)
            add_slope_of_both(f, level, slope);
        if (pass)
            b = MAX(median_of(slope), 0);
        else
            a = MAX(median_of(fixed), 0);
    }
    Table *t = table_copy(one);
    for (int i = 0; i < t->n; i++)
        t->at[i].value += a + b * (double)t->at[i].bytes;
    if (!e->from->len)
        g_string_assign(e->from, f->both[level].from->str);
    *table_of(f, level, PART_STEP) = t;
    g_autofree char *name = table_name(f, level, PART_STEP), *fixed_text = units_format_time(a),
                    *slope_text = platform_figure_text(KEY_BETA, b);
    say(f->out->notes, g_strdup_printf("%s: of too few sizes for a table, so it is `one` and %s and %s more", name,
                                       fixed_text, slope_text));
}

static double last_slope(const Table *t)
{
    const TablePoint *b = &t->at[t->n - 1], *a = b - 1;
    return t->n < 2 ? 0 : (b->value - a->value) / (double)(b->bytes - a->bytes);
}

// Turns the evidence of gaps into a table. Rows of a linear tree have k gaps and then one message one way, which is
// taken off here. A gap is at least a small share of what a short message takes. A few sizes give a fixed time, which
// is added to the bytes' time of a message one way.
static void make_gaps(Fit *f, int level)
{
    Evidence *e = evidence_of(f, level, PART_GAP);
    const Table *one = *table_of(f, level, PART_ONE);
    const double least = LEAST_GAP * table_time_at(one, 8), slope = last_slope(one);
    for (guint i = 0; i < e->points->len; i++) {
        MeasuredPoint *p = &g_array_index(e->points, MeasuredPoint, i);
        p->time_s = MAX(p->time_s, least);
    }
    const guint sizes = measured_table_sizes(e->points);
    if (sizes == 0 || sizes > FEW) {
        make_table(f, level, PART_GAP);
        return;
    }
    g_autoptr(GArray) fixed = g_array_new(FALSE, FALSE, sizeof(double));
    for (guint i = 0; i < e->points->len; i++) {
        const MeasuredPoint *p = &g_array_index(e->points, MeasuredPoint, i);
        const double value = p->time_s - slope * (double)p->bytes;
        g_array_append_val(fixed, value);
    }
    const double a = MAX(median_of(fixed), least);
    Table *t = g_new(Table, 1);
    *t = (Table){.n = 2, .at = g_new(TablePoint, 2)};
    for (int i = 0; i < 2; i++)
        t->at[i] = (TablePoint){i ? 1 << 20 : 0, a + (i ? slope * (1 << 20) : 0)};
    *table_of(f, level, PART_GAP) = t;
}

// Returns the gap that a row of a linear tree shows. Its last message leaves after k gaps and arrives `one` later, but the
// root may have own work after the gap of that message too. No chain can take longer than the row, so the one that
// leaves less for a gap counts.
static double linear_gap(const Fit *f, guint i, int level, const MeasuredSteps *steps)
{
    const double time_s = row_of(f, i)->sample->time_s, k = (double)steps->k;
    const double one = table_time_at(*table_of(f, level, PART_ONE), steps->bytes);
    const double others = (time_s - one - f->own[i].others_s) / k, root = (time_s - f->own[i].all_s) / (k + 1);
    return f->own[i].all_s > f->own[i].others_s ? MIN(others, root) : others;
}

// Adds the rows of linear trees.
static void add_linear(Fit *f, int level)
{
    const double least = LEAST_GAP * table_time_at(*table_of(f, level, PART_ONE), 8); // so that the row counts as used
    if (evidence_of(f, level, PART_GAP)->points->len > 0 || is_fixed(f, level, PART_GAP))
        return;
    for (guint i = 0; i < f->rows->len; i++) {
        int at;
        MeasuredSteps steps;
        if (simple(f, i, &at, &steps) && at == level && steps.part == PART_GAP)
            add_row(f, i, level, &steps, MAX(linear_gap(f, i, level, &steps), least));
    }
}

// ---- gamma ----------------------------------------------------------------------------------------------------------

// A value and its weight.
typedef struct Weighted {
    double value, weight;
    guint row;
} Weighted;

static int compare_weighted(const void *a, const void *b)
{
    const Weighted *x = a, *y = b;
    return (x->value > y->value) - (x->value < y->value);
}

// Finds gamma from the rows of equal steps that reduce, by the steps that other rows have determined: the median of
// what is left of their times by byte. A row counts by the share of its time that a change of gamma would move.
static void find_gamma(Fit *f)
{
    g_autoptr(GArray) values = g_array_new(FALSE, FALSE, sizeof(Weighted));
    double weights = 0;
    for (guint i = 0; i < f->rows->len; i++) {
        int level;
        MeasuredSteps steps;
        if (!simple(f, i, &level, &steps) || steps.reduced == 0 || steps.rank != RANK_REDUCES)
            continue;
        const Table *step = *table_of(f, level, PART_STEP);
        const double time_s = row_of(f, i)->sample->time_s;
        if (!step || f->out->uses_row[i])
            continue;
        const double left = steps_time(f, i) - (double)steps.k * table_time_at(step, steps.bytes);
        const Weighted w = {left / (double)steps.reduced, (double)steps.reduced / time_s, i};
        g_array_append_val(values, w);
        weights += w.weight;
    }
    if (values->len == 0)
        return;
    g_array_sort(values, compare_weighted);
    double sum = 0;
    guint k = 0;
    for (; k + 1 < values->len; k++) {
        sum += g_array_index(values, Weighted, k).weight;
        if (sum >= weights / 2)
            break;
    }
    f->gamma = MAX(g_array_index(values, Weighted, k).value, 0);
    for (guint i = 0; i < values->len; i++)
        f->out->uses_row[g_array_index(values, Weighted, i).row] = TRUE;
    f->gamma_from = g_strdup_printf("%u rows of allreduce ring, less their steps", values->len);
    say(f->out->used, g_strdup_printf("gamma: %s", f->gamma_from));
}

// ---- The platform ---------------------------------------------------------------------------------------------------

// Makes the platform with the levels and the figures of `assumed`.
static void start_platform(Fit *f)
{
    const Platform *from = f->assumed;
    Platform *to = f->out->platform = platform_new_like(from->name, from);
    to->title = g_strdup(from->title);
    to->mpi = g_strdup(from->mpi);
    to->model = g_strdup(from->model ? measured_model.name : NULL);
    for (PlatformKey key = 0; key < N_PLATFORM_KEYS; key++)
        platform_take_figure(to, from, key);
}

// Returns the source of a table: the rows that made it, or what it was before.
static const char *table_source(Fit *f, int level, MeasuredPart part)
{
    const Platform *x = f->assumed;
    const PlatformKey key = part_keys[part];
    const char *own = x->by_level[key] ? x->level_source[key][level] : NULL;
    return !*kept_of(f, level, part) ? evidence_of(f, level, part)->from->str : own ? own : x->source[key];
}

static gboolean set_table(Fit *f, int level, MeasuredPart part, GError **error)
{
    const Table *t = *table_of(f, level, part);
    const gboolean kept = *kept_of(f, level, part);
    const char *source = table_source(f, level, part);
    if (!t || (kept && f->assumed->has[part_keys[part]]))
        return TRUE;
    g_autofree char *name = table_name(f, level, part), *text = table_text(PLATFORM_TIME, t);
    if (!kept)
        say(f->out->used, g_strdup_printf("%s: %d points from %s", name, t->n, source));
    return platform_set_figure(f->out->platform, part_keys[part], f->n_levels == 1 ? NULL : level_name(f, level), text,
                               source, error);
}

// Returns the level whose `one` stands for those that have none: the outermost that has one; -1 if none has.
static int common_level(Fit *f)
{
    int level = f->n_levels - 1;
    while (level >= 0 && (!*table_of(f, level, PART_ONE) || (*table_of(f, level, PART_ONE))->n < 2))
        level--;
    return level;
}

// Returns FALSE and an error if rows say how often a rank can send at a level, but none how long a message takes there.
static gboolean check_gaps(Fit *f, GError **error)
{
    for (int level = 0; level < f->n_levels; level++) {
        gboolean gaps = evidence_of(f, level, PART_GAP)->points->len + f->both[level].points->len > 0;
        for (guint i = 0; i < f->rows->len; i++) {
            const CalibrateRow *row = row_of(f, i);
            int at = -1;
            gaps |= row->sample->part == LOG_PART_GAP &&
                    calibration_level_of(&f->assumed->levels, row->sample, &at, NULL) && at == level;
        }
        if (gaps && !*table_of(f, level, PART_ONE))
            return bad_input(error,
                             "rows of windows or gaps at level %s do not say how long a message takes; allowed: with "
                             "one-way times there, as one@%s=FILE, or --base with a platform that has them",
                             level_name(f, level), level_name(f, level));
    }
    return TRUE;
}

// Sets the tables of all levels. Levels without a `one` have that of the common level.
static gboolean set_tables(Fit *f, GError **error)
{
    const int common = common_level(f);
    if (common < 0)
        return bad_input(error,
                         "`one` cannot be determined; missing: a ping-pong of at least 2 sizes, or as many rows of "
                         "bcast pipeline or allgather ring");
    g_autofree char *text = table_text(PLATFORM_TIME, *table_of(f, common, PART_ONE));
    if (!check_gaps(f, error))
        return FALSE;
    if (f->n_levels > 1 && !f->assumed->has[KEY_ONE] &&
        !platform_set_figure(f->out->platform, KEY_ONE, NULL, text, table_source(f, common, PART_ONE), error))
        return FALSE;
    for (int level = f->n_levels - 1; level >= 0; level--)
        for (MeasuredPart part = PART_ONE; part < N_MEASURED_PARTS; part++)
            if (!set_table(f, level, part, error))
                return FALSE;
    return TRUE;
}

// Notes a table that was given, or that stays as it was.
static void note_kept(Fit *f, int level, MeasuredPart part, const char *name)
{
    const char *source = table_source(f, level, part);
    say(f->out->assumed, is_fixed(f, level, part) ? g_strdup_printf("%s: %s", name, source)
                                                  : g_strdup_printf("%s: as it was, %s", name, source));
}

// Notes the tables that are defaults, and those that no row changed.
static void note_defaults(Fit *f)
{
    for (int level = f->n_levels - 1; level >= 0; level--)
        for (MeasuredPart part = PART_ONE; part < N_MEASURED_PARTS; part++) {
            g_autofree char *name = table_name(f, level, part);
            if (*kept_of(f, level, part))
                note_kept(f, level, part, name);
            if (*table_of(f, level, part))
                continue;
            say(f->out->assumed, part == PART_ONE    ? g_strdup_printf("%s: as at the next level that is known", name)
                                 : part == PART_STEP ? g_strdup_printf("%s: as `one`", name)
                                                     : g_strdup_printf("%s: from `one`, a share of one(8) and its last "
                                                                       "slope",
                                                                       name));
        }
    const MeasuredLevel *far = &f->out->platform->measured->level[f->n_levels - 1];
    g_autofree char *eager = units_format_size((size_t)MAX(far->eager, 0));
    if (!f->assumed->has[KEY_EAGER])
        say(f->out->assumed, g_strdup_printf("eager: %s", eager));
    if (!f->assumed->has[KEY_LAMBDA])
        say(f->out->assumed, g_strdup_printf("lambda: %g%s", far->lambda, far->lambda > 0 ? ", for Open MPI" : ""));
}

// Notes a figure that is not from rows: what it is, and whether it was given.
static void note_figure(Fit *f, PlatformKey key)
{
    const Platform *x = f->assumed;
    if (!x->has[key])
        return;
    g_autofree char *text = platform_value_text(x, key, -1);
    say(f->out->assumed, g_strdup_printf("%s: %s, %s", platform_keys[key].name, text, x->source[key]));
}

static gboolean set_gamma(Fit *f, GError **error)
{
    if (f->assumed->has[KEY_REDUCE] || f->assumed->has[KEY_GAMMA])
        return TRUE;
    if (isnan(f->gamma))
        return TRUE;
    if (!f->gamma_from)
        return measured_fit_assume_gamma(f->out, error);
    g_autofree char *text = platform_figure_text(KEY_REDUCE, f->gamma);
    return platform_set_figure(f->out->platform, KEY_REDUCE, NULL, text, f->gamma_from, error);
}

static gboolean make_platform(Fit *f, GError **error)
{
    start_platform(f);
    if (!set_tables(f, error))
        return FALSE;
    note_defaults(f);
    for (PlatformKey key = KEY_EAGER; key <= KEY_SWAP; key++)
        note_figure(f, key);
    note_figure(f, KEY_GAMMA);
    calibration_settle_sets(f->out->platform);
    return set_gamma(f, error);
}

// ---- The fit --------------------------------------------------------------------------------------------------------

// Collects into `rows` (of guint) rows of equal steps inside a node. They ran on more ranks than the rows that made the
// tables. If there are several numbers of such ranks, it takes the rows of the largest number.
static void busy_rows(const Fit *f, int level, GArray *rows)
{
    const int fewest = fewest_ranks(f, level, PART_STEP);
    int most = 0;
    for (int pass = 0; pass < 2; pass++)
        for (guint i = 0; i < f->rows->len; i++) {
            int at;
            MeasuredSteps steps;
            const int p = row_of(f, i)->op.c.p;
            if (!simple(f, i, &at, &steps) || at != level || steps.part != PART_STEP || steps.rank != RANK_BEST ||
                p <= fewest)
                continue;
            if (pass == 0)
                most = MAX(most, p);
            else if (p == most)
                g_array_append_val(rows, i);
        }
}

// Adds to the steps inside a node the delay of short messages when all ranks are busy: the median over the messages
// whose bytes take less than half of their time. The delay of long messages comes from the memory, which is fitted
// later.
static void add_busy(Fit *f, int level)
{
    const MeasuredPart part = *table_of(f, level, PART_STEP) ? PART_STEP : PART_ONE;
    Table *t = *table_of(f, level, part);
    if (*kept_of(f, level, part))
        return;
    g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(guint)), more = g_array_new(FALSE, FALSE, sizeof(double));
    busy_rows(f, level, rows);
    for (guint i = 0; i < rows->len; i++) {
        int at;
        MeasuredSteps steps;
        const guint row = g_array_index(rows, guint, i);
        simple(f, row, &at, &steps);
        const double alone = table_time_at(t, steps.bytes), value = steps_time(f, row) / (double)steps.k - alone;
        f->out->uses_row[row] = TRUE;
        if (alone < BYTES_DECIDE * table_time_at(t, 0))
            g_array_append_val(more, value);
    }
    const double a = MAX(median_of(more), 0);
    for (int i = 0; i < t->n; i++)
        t->at[i].value += a;
    if (a > 0) {
        g_autofree char *text = units_format_time(a), *name = table_name(f, level, PART_STEP);
        say(f->out->notes,
            g_strdup_printf("%s: short messages take another %s if many ranks of a node send", name, text));
    }
}

// Makes the tables of one level. Without `one`, the rows of `step` stand for both.
static void fit_level(Fit *f, int level)
{
    Evidence *one = evidence_of(f, level, PART_ONE), *step = evidence_of(f, level, PART_STEP);
    add_rows(f, level, PART_ONE);
    add_rows(f, level, PART_STEP);
    if (one->points->len == 0 && !assumed_table(f, level, PART_ONE)) {
        const Evidence moved = *one;
        *one = *step;
        *step = moved;
    }
    make_table(f, level, PART_ONE);
    keep_table(f, level, PART_ONE);
    if (!*table_of(f, level, PART_ONE))
        return;
    const guint sizes = measured_table_sizes(step->points);
    if (sizes > FEW)
        make_table(f, level, PART_STEP);
    else if ((sizes > 0 || f->both[level].points->len > 0) && !is_fixed(f, level, PART_STEP))
        make_few_steps(f, level);
    keep_table(f, level, PART_STEP);
    if (level < f->n_levels - 1)
        add_busy(f, level);
    add_linear(f, level);
    if (!is_fixed(f, level, PART_GAP))
        make_gaps(f, level);
    keep_table(f, level, PART_GAP);
}

// Sets gamma to what is given, or what one rank's reductions show; NAN otherwise.
static void known_gamma(Fit *f)
{
    const Platform *x = f->assumed;
    f->gamma = x->has[KEY_REDUCE] ? x->value[KEY_REDUCE] : x->has[KEY_GAMMA] ? x->value[KEY_GAMMA] : NAN;
    if (!isnan(f->gamma))
        return;
    g_autoptr(Calibration) c = calibration_new(&hockney_model);
    calibrate_reduce(c, f->logs);
    if (!c->figure[KEY_GAMMA].found)
        return;
    f->gamma = c->figure[KEY_GAMMA].value;
    f->gamma_from = g_strdup(c->figure[KEY_GAMMA].source);
    say(f->out->used, g_strdup_printf("gamma: %s", f->gamma_from));
}

// Returns TRUE if only rows that reduce show the steps at some level: then gamma and the steps cannot both come from them.
static gboolean needs_gamma(const Fit *f)
{
    for (int level = 0; level < f->n_levels; level++) {
        gboolean reducing = FALSE,
                 other = evidence_of(f, level, PART_STEP)->points->len > 0 || assumed_table(f, level, PART_STEP);
        for (guint i = 0; i < f->rows->len; i++) {
            int at;
            MeasuredSteps steps;
            if (!simple(f, i, &at, &steps) || at != level || steps.part != PART_STEP)
                continue;
            reducing |= steps.reduced > 0;
            other |= steps.reduced == 0;
        }
        if (reducing && !other)
            return TRUE;
    }
    return FALSE;
}

// Finds how long the ranks' own work takes in each row of equal steps.
static gboolean find_own(Fit *f, GError **error)
{
    g_autoptr(Platform) machine = measured_own_machine(f->assumed, f->gamma);
    int level;
    MeasuredSteps steps;
    f->own = g_new0(MeasuredOwn, MAX(f->rows->len, 1));
    for (guint i = 0; i < f->rows->len; i++)
        if (simple(f, i, &level, &steps) && !measured_own_time(machine, row_of(f, i), &f->own[i], error))
            return FALSE;
    return TRUE;
}

static void evidence_init(Evidence *e)
{
    *e = (Evidence){g_array_new(FALSE, FALSE, sizeof(MeasuredPoint)), g_string_new(NULL),
                    g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL)};
}

static void evidence_clear(Evidence *e)
{
    g_array_unref(e->points);
    g_string_free(e->from, TRUE);
    g_hash_table_unref(e->named);
}

static void fit_clear(Fit *f)
{
    for (int i = 0; i < f->n_levels * N_MEASURED_PARTS; i++) {
        evidence_clear(&f->evidence[i]);
        table_free(f->table[i]);
    }
    for (int i = 0; i < f->n_levels; i++)
        evidence_clear(&f->both[i]);
    g_free(f->evidence);
    g_free(f->both);
    g_free(f->table);
    g_free(f->kept);
    g_free(f->gamma_from);
    g_free(f->own);
}

// ---- The rest -------------------------------------------------------------------------------------------------------

// Fits the memory of a node to the rows inside it on many ranks, unless it is given.
static gboolean fit_memory(Fit *f, GError **error)
{
    g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(guint));
    if (f->n_levels < 2 || f->assumed->has[KEY_MEMORY])
        return TRUE;
    busy_rows(f, 0, rows);
    if (rows->len == 0)
        return TRUE;
    const char *source = row_of(f, g_array_index(rows, guint, 0))->series;
    say(f->out->used, g_strdup_printf("memory: %s", source));
    return measured_rest_memory(f->out->platform, f->rows, rows, source, error);
}

// Fits what is still missing by simulation. Rows that show another figure of their own are kept for that.
static gboolean fit_rest(Fit *f, GError **error)
{
    const gboolean timed = *table_of(f, f->n_levels - 1, PART_ONE) != NULL;
    g_autofree gboolean *kept = g_new0(gboolean, MAX(f->rows->len, 1));
    for (guint i = 0; i < f->rows->len; i++)
        kept[i] = measured_terms_wants(row_of(f, i), timed);
    return measured_rest_missing(f->out, f->rows, f->assumed, kept, timed, !isnan(f->gamma), error);
}

// Returns TRUE if messages, and not collectives, gave points of a table between nodes.
static gboolean has_messages(const Fit *f, MeasuredPart part)
{
    for (const LogSample *s = NULL; (s = logs_next(f->logs, s));) {
        int level;
        const gboolean one = s->kind == LOG_ONE_WAY || s->kind == LOG_PRTT;
        if ((part == PART_ONE ? one : s->kind == LOG_SENDRECV) &&
            calibration_level_of(&f->assumed->levels, s, &level, NULL) && level == f->n_levels - 1)
            return TRUE;
    }
    return FALSE;
}

// Returns what `far` is without rows that show it. A ring on many nodes is in a steady state in which the next message has
// come before it is needed; one on few nodes, a ping-pong, a pipeline or recursive doubling has the delay inside.
static double usual_far(const Fit *f)
{
    enum { MANY = 32 }; // nodes
    const int level = f->n_levels - 1;
    const MeasuredPart part = *table_of(f, level, PART_STEP) ? PART_STEP : PART_ONE;
    guint rings = 0, n = 0;
    for (guint i = 0; i < f->rows->len; i++) {
        int at;
        MeasuredSteps steps;
        const CalibrateRow *row = row_of(f, i);
        if (!f->out->uses_row[i] || !simple(f, i, &at, &steps) || at != level || steps.part == PART_GAP)
            continue;
        if (steps.part == PART_ONE && part == PART_STEP)
            continue;
        n++;
        rings += strcmp(row->op.algorithm->name, "ring") == 0 && row->op.c.p > MANY;
    }
    const gboolean ring = n > 0 && rings == n && !*kept_of(f, level, part) && !has_messages(f, part);
    return ring ? 0.2 * table_time_at(*table_of(f, level, part), 8) : 0;
}

static gboolean run_fit(Fit *f, GError **error)
{
    if (!check_labels(f, error) || !add_messages(f, error))
        return FALSE;
    known_gamma(f);
    if (isnan(f->gamma) && needs_gamma(f))
        f->gamma = MEASURED_ASSUMED_GAMMA;
    if (!find_own(f, error))
        return FALSE;
    for (int level = 0; level < f->n_levels; level++)
        fit_level(f, level);
    if (isnan(f->gamma))
        find_gamma(f);
    f->out->ring = measured_rings_nodes(f->rows, f->out->uses_row);
    measured_rings_note(f->rows, f->out->uses_row, f->out->notes);
    if (!make_platform(f, error) || !fit_memory(f, error) || !fit_rest(f, error) ||
        !measured_terms_fit(f->out, f->logs, f->rows, f->assumed, usual_far(f), error))
        return FALSE;
    const Platform *x = f->out->platform;
    if (x->has[KEY_REDUCE] && x->value[KEY_REDUCE] == 0 && !x->table[KEY_REDUCE] && !f->assumed->has[KEY_REDUCE])
        say(f->out->notes,
            g_strdup("gamma came out at 0: the other figures explain these rows better without it, so it is "
                     "not known, and runs on this machine will say so"));
    for (guint i = 0; i < f->rows->len; i++)
        if (collectives[row_of(f, i)->op.algorithm->collective].reduces)
            return measured_fit_assume_gamma(f->out, error);
    if (!x->has[KEY_REDUCE] && !x->has[KEY_GAMMA])
        say(f->out->assumed, g_strdup("gamma: none; needs rows of reduce_local, of allreduce ring, or --set"));
    return TRUE;
}

gboolean measured_fit_assume_gamma(MeasuredFit *fit, GError **error)
{
    static const char source[] = "assumed: no row shows what a reduction takes";
    Platform *const x = fit->platform;
    if (x->has[KEY_REDUCE] || x->has[KEY_GAMMA])
        return TRUE;
    g_autofree char *text = platform_figure_text(KEY_REDUCE, MEASURED_ASSUMED_GAMMA);
    say(fit->assumed, g_strdup_printf("gamma: %s, as no row shows what a reduction takes; reduce_local, allreduce ring "
                                      "beside another ring, or --set gamma=%s would say it",
                                      text, text));
    return platform_set_figure(x, KEY_REDUCE, NULL, text, source, error);
}

MeasuredFit *measured_fit(const GPtrArray *logs, const GArray *rows, const Platform *assumed, GError **error)
{
    MeasuredFit *out = g_new0(MeasuredFit, 1);
    const int n = assumed->levels.n;
    Fit f = {.out = out, .logs = logs, .rows = rows, .assumed = assumed, .n_levels = n, .gamma = NAN};
    out->used = g_ptr_array_new_with_free_func(g_free);
    out->assumed = g_ptr_array_new_with_free_func(g_free);
    out->notes = g_ptr_array_new_with_free_func(g_free);
    out->uses_row = g_new0(gboolean, MAX(rows->len, 1));
    f.table = g_new0(Table *, n * N_MEASURED_PARTS);
    f.kept = g_new0(gboolean, n * N_MEASURED_PARTS);
    f.evidence = g_new(Evidence, n * N_MEASURED_PARTS);
    f.both = g_new(Evidence, n);
    for (int i = 0; i < n * N_MEASURED_PARTS; i++)
        evidence_init(&f.evidence[i]);
    for (int i = 0; i < n; i++)
        evidence_init(&f.both[i]);
    if (!run_fit(&f, error))
        g_clear_pointer(&out, measured_fit_free);
    fit_clear(&f);
    return out;
}

void measured_fit_free(MeasuredFit *fit)
{
    if (!fit)
        return;
    platform_free(fit->platform);
    g_ptr_array_unref(fit->used);
    g_ptr_array_unref(fit->assumed);
    g_ptr_array_unref(fit->notes);
    g_free(fit->uses_row);
    g_free(fit);
}
