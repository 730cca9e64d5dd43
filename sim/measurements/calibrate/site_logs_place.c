// Where the ranks of a table were, and what it is used for.
#include "measurements/calibrate/site_logs.h"
#include <math.h>
#include <string.h>

enum { USUAL_WINDOW = 64 }; // messages, of OSU and IMB

// What says where the ranks of a table were.
typedef struct SitePlace {
    int level;      // -1 if nothing says it
    gboolean sure;  // it follows from the launch line
    gboolean mixed; // some pairs are at other levels than others
    const char *why;
} SitePlace;

static int far_of(const Levels *levels)
{
    return levels->n - 1;
}

// Returns the innermost level whose unit has this many ranks.
static int level_with(const Levels *levels, size_t ranks)
{
    int level = 0;
    while (level < far_of(levels) && levels->at[level].ranks < ranks)
        level++;
    return level;
}

// Returns the level beyond nodes: far, unless the nodes of the launch fit into one unit of a level outside of them.
static int beyond_nodes(const Levels *levels, const LogLaunch *launch)
{
    const int node = levels_node(levels);
    if (node < 0 || node + 1 >= far_of(levels))
        return far_of(levels);
    const size_t ranks = (size_t)MAX(launch->nodes, 1) * levels->at[node].ranks;
    return MAX(level_with(levels, ranks), node + 1);
}

// Returns the level of this name, or -1.
static int level_named(const Levels *levels, const char *name)
{
    int level;
    return levels_find(levels, name, &level, NULL) ? level : -1;
}

// Places pairs of ranks i and i + apart, i from 0 to apart - 1, in one node.
static SitePlace place_inside(const Levels *levels, const LogLaunch *launch, int apart)
{
    const int node = MAX(levels_node(levels), 0);
    if (node == 0)
        return (SitePlace){0, TRUE, FALSE, "on one node"};
    if (apart == 1 && (launch->cores[0] || launch->cores[1])) {
        int level = 0;
        while (level < node &&
               (size_t)launch->cores[0] / levels->at[level].ranks != (size_t)launch->cores[1] / levels->at[level].ranks)
            level++;
        return (SitePlace){level, TRUE, FALSE, "bound to these cores of one node"};
    }
    const int unit = launch->unit ? level_named(levels, launch->unit) : -1;
    if (unit >= 0 && unit < node)
        return (SitePlace){unit + 1, apart == 1, FALSE, "dealt out in one node"};
    const int block = MIN(level_with(levels, 2 * (size_t)apart), node);
    if (launch->unit && strcmp(launch->unit, "core") == 0)
        return (SitePlace){block, TRUE, FALSE, "side by side in one node"};
    if ((size_t)launch->ranks >= levels->at[node].ranks && 2 * apart == launch->ranks)
        return (SitePlace){node, TRUE, FALSE, "on all cores of one node"};
    return (SitePlace){block, FALSE, FALSE, "taken as side by side in one node"};
}

// Places them by the launch line. `playing` is the number of ranks that communicate.
static SitePlace place_launched(const Levels *levels, const LogLaunch *launch, int apart, int playing)
{
    const int node = MAX(levels_node(levels), 0);
    if (levels->n == 1)
        return (SitePlace){0, TRUE, FALSE, "on a machine of one level"};
    if (!launch->nodes && launch->ranks && (size_t)launch->ranks <= levels->at[node].ranks) {
        SitePlace p = place_inside(levels, launch, apart); // mpirun fills a node before it goes on
        p.sure = p.sure && (launch->cores[0] || launch->cores[1]);
        return p;
    }
    if (!launch->nodes)
        return (SitePlace){-1, FALSE, FALSE, ""};
    if (launch->nodes == 1)
        return place_inside(levels, launch, apart);
    const int beyond = beyond_nodes(levels, launch);
    const gboolean dealt = launch->unit && strcmp(launch->unit, "node") == 0;
    if (playing < launch->ranks)
        return (SitePlace){-1, FALSE, FALSE, "on several nodes, with ranks that wait"};
    if (dealt ? apart % launch->nodes != 0 : apart >= launch->per_node)
        return (SitePlace){beyond, TRUE, FALSE, "on different nodes"};
    if (dealt)
        return (SitePlace){node, TRUE, FALSE, "dealt out over nodes, each pair on one"};
    return (SitePlace){beyond, FALSE, TRUE, "some of the pairs are on one node, and others are not"};
}

// Places them by the words of the file's name, which - _ . and so on separate: "osu_latency_intra_socket.out". *exact becomes
// FALSE if it only says that they are in a node. Returns -1 if it says nothing.
static int place_named(const Levels *levels, const char *file, gboolean *exact)
{
    const int node = MAX(levels_node(levels), 0);
    g_autofree char *base = g_path_get_basename(file), *lower = g_ascii_strdown(base, -1);
    g_auto(GStrv) words = g_strsplit_set(g_strcanon(lower, "abcdefghijklmnopqrstuvwxyz0123456789", '_'), "_", -1);
    gboolean across = FALSE, within = FALSE;
    int named = -1;
    *exact = TRUE;
    for (char **w = words; *w; w++) {
        const char *word = *w;
        for (int k = 0; k < 2; k++) {
            static const char *const fronts[] = {"inter", "intra"};
            if (!g_str_has_prefix(word, fronts[k]))
                continue;
            *(k ? &within : &across) = TRUE;
            word += strlen(fronts[k]);
            break;
        }
        across |= strcmp(word, "cross") == 0 || strcmp(word, "between") == 0;
        within |= strcmp(word, "within") == 0 || strcmp(word, "same") == 0 || strcmp(word, "local") == 0;
        if (strcmp(word, "far") == 0 || strcmp(word, "network") == 0 || strcmp(word, "internode") == 0 ||
            strcmp(word, "2nodes") == 0 || strcmp(word, "2node") == 0)
            return far_of(levels);
        if (strcmp(word, "1node") == 0)
            within = TRUE;
        for (int i = 0; i < far_of(levels); i++) {
            const size_t n = strlen(levels->at[i].name);
            if (g_ascii_strncasecmp(word, levels->at[i].name, n) == 0 && (!word[n] || strcmp(word + n, "s") == 0))
                named = i;
        }
    }
    if (levels->n == 1)
        return 0;
    if (named >= 0)
        *exact = across || named < node || node == 0;
    if (named >= 0)
        return across ? (named >= node ? far_of(levels) : named + 1) : named;
    *exact = across || node == 0;
    return across ? far_of(levels) : within ? node : -1;
}

// ---- Uses -----------------------------------------------------------------------------------------------------------

static void say_why(SiteTable *t, const char *format, ...) G_GNUC_PRINTF(2, 3);
static void say_why(SiteTable *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_free(t->why);
    t->why = g_strdup_vprintf(format, args);
    va_end(args);
}

// Returns the use that the kind of a table has at a level.
static SiteUse use_of(const SiteTable *t, const Levels *levels)
{
    const gboolean inside = levels_node(levels) >= 0 && t->level <= levels_node(levels);
    switch (t->first->kind) {
    case LOG_ONE_WAY:
    case LOG_PRTT:
        return SITE_ONE;
    case LOG_SENDRECV:
        return t->first->p == 2 ? SITE_STEP : SITE_CHECK;
    case LOG_WINDOW:
        return t->pairs == 1 ? SITE_GAP : inside ? SITE_MEMORY : SITE_NIC;
    case LOG_WINDOW_BOTH:
        return t->pairs == 1 ? SITE_BOTH : SITE_NOTHING;
    case LOG_REDUCE:
        return SITE_GAMMA;
    default:
        return SITE_CHECK;
    }
}

// Returns how many pairs of ranks of a table send at a time.
static int pairs_of(const SiteTable *t)
{
    const LogSample *const s = t->first;
    return s->kind == LOG_MANY_WAYS ? t->launch.ranks / 2 : MAX(s->p / 2, 1);
}

// Places a table by its launch line, by its file's name, or not at all.
static void place(SiteTable *t, const Levels *levels)
{
    const gboolean two = t->first->kind == LOG_ONE_WAY || t->first->kind == LOG_PRTT || t->first->kind == LOG_SENDRECV;
    const int apart = two ? 1 : t->pairs, playing = two ? 2 : 2 * t->pairs;
    const SitePlace p = place_launched(levels, &t->launch, MAX(apart, 1), MAX(playing, 2));
    gboolean exact;
    const int named = place_named(levels, t->log->name, &exact), node = MAX(levels_node(levels), 0);
    t->level = p.sure || named < 0 ? p.level : named;
    t->sure = p.sure || (named >= 0 && exact);
    t->inside = t->launch.nodes == 1 || (named >= 0 && named <= node);
    if (p.sure || (named < 0 && p.level >= 0))
        say_why(t, "%d ranks %s", MAX(playing, 2), p.why);
    else if (named >= 0)
        say_why(t, "the file's name says %s", levels->at[named].name);
    if (p.mixed && !t->sure) {
        t->use = SITE_NOTHING;
        say_why(t, "%s", p.why);
        return;
    }
    t->use = t->level < 0 ? SITE_NOTHING : use_of(t, levels);
}

// ---- By the times ---------------------------------------------------------------------------------------------------

double site_logs_ratio(const SiteTable *a, const SiteTable *b, size_t least)
{
    g_autofree double *ratio = g_new(double, a->n);
    guint n = 0;
    for (guint i = 0; i < a->n; i++)
        for (guint k = 0; k < b->n && a->first[i].bytes >= least; k++)
            if (a->first[i].bytes == b->first[k].bytes && a->first[i].time_s > 0 && b->first[k].time_s > 0) {
                ratio[n++] = a->first[i].time_s / b->first[k].time_s;
                break;
            }
    return n ? fit_errors(ratio, n).median : NAN;
}

// Returns how far two tables are apart that should be alike at one level, as the logarithm of a factor; NAN if they cannot be
// compared. Long messages of a window follow each other as fast as each is sent alone.
static double apart_by(const SiteTable *t, const SiteTable *other)
{
    enum { LONG = 1 << 18 };
    const gboolean one = other->first->kind == LOG_ONE_WAY, window = t->first->kind == LOG_WINDOW && t->pairs == 1;
    if ((other->first->kind != t->first->kind && !(one && window)) || t->pairs > 1 || other->pairs > 1)
        return NAN;
    return fabs(log(site_logs_ratio(t, other, one && window ? LONG : 0)));
}

// Returns the table whose times are nearest to those of t, if they are within a quarter; `same` says that it is of its kind.
static const SiteTable *nearest_to(const SiteLogs *site, const SiteTable *t, const Levels *levels, gboolean same)
{
    const SiteTable *best = NULL;
    double least = log(1.25);
    for (guint i = 0; i < site->tables->len; i++) {
        const SiteTable *const other = &g_array_index(site->tables, SiteTable, i);
        const gboolean may = other->sure && (other->first->kind == t->first->kind) == same &&
                             (!t->inside || other->level <= levels_node(levels));
        const double off = may ? apart_by(t, other) : NAN;
        if (off < least) {
            least = off;
            best = other;
        }
    }
    return best;
}

// Returns a table of the same ranks, of one launch, that has been placed by its times; NULL if there is none.
static const SiteTable *same_ranks(const SiteLogs *site, const SiteTable *t)
{
    for (guint i = 0; i < site->tables->len; i++) {
        const SiteTable *const other = &g_array_index(site->tables, SiteTable, i);
        if (other != t && other->log == t->log && other->launch.line && other->launch.line == t->launch.line &&
            other->first->p == t->first->p && other->placed)
            return other;
    }
    return NULL;
}

// Places a table where the table is whose times are nearest, if neither the launch line nor the name says where it was.
static void place_by_times(SiteLogs *site, SiteTable *t, const Levels *levels)
{
    const SiteTable *const ranks = same_ranks(site, t), *best = ranks ? NULL : nearest_to(site, t, levels, TRUE);
    best = best || ranks ? best : nearest_to(site, t, levels, FALSE);
    t->placed = best != NULL;
    if (ranks) {
        t->level = ranks->level;
        say_why(t, "on the ranks of the table in line %u", ranks->first->line);
    } else if (best) {
        t->level = best->level;
        say_why(t, "its times are those of %s", best->log->name);
    } else if (t->level < 0 && t->launch.nodes > 1) {
        t->level = beyond_nodes(levels, &t->launch);
        t->placed = TRUE;
        say_why(t, "on several nodes; nothing says which two ranks played");
    }
    if (t->level >= 0)
        t->use = use_of(t, levels);
    else
        say_why(t, "neither a launch line nor the file's name says where the ranks were");
}

// Says what nothing is done with a table for, if nothing else has said it.
static void note_unused(SiteTable *t)
{
    if (t->use == SITE_NOTHING && t->level >= 0 && t->first->kind == LOG_WINDOW_BOTH)
        say_why(t, "windows of %d pairs in both directions determine no figure", t->pairs);
}

// Returns why what a table is for does not follow from its level; NULL if it does.
static const char *why_anywhere(const LogSample *s)
{
    switch (s->kind) {
    case LOG_COLLECTIVE:
        return "a collective of the library";
    case LOG_REDUCE:
        return "one rank reduces";
    case LOG_SENDRECV:
        return s->p > 2 ? "a sendrecv of more than 2 ranks shares what a node has; 2 ranks make a table" : NULL;
    case LOG_EXCHANGE:
        return "a rank sends two messages and receives two at a time, and no table has the time of that";
    case LOG_MANY_WAYS:
        return "ping-pongs of many ranks share what a node has, which windows say better";
    default:
        return NULL;
    }
}

void site_logs_place(SiteLogs *site, const Levels *levels, const SiteLogsNames *names)
{
    for (guint i = 0; i < site->tables->len; i++) {
        SiteTable *const t = &g_array_index(site->tables, SiteTable, i);
        const char *level = NULL;
        SiteUse use;
        t->pairs = pairs_of(t);
        t->window = t->first->window ? t->first->window : t->launch.window ? t->launch.window : USUAL_WINDOW;
        t->senders = t->launch.per_node && t->pairs > t->launch.per_node
                         ? (t->pairs + t->launch.per_node - 1) / t->launch.per_node
                         : 1;
        const char *const why = why_anywhere(t->first);
        if (why) {
            t->use = t->first->kind == LOG_REDUCE ? SITE_GAMMA : SITE_CHECK;
            t->level = far_of(levels);
            t->sure = TRUE;
            say_why(t, "%s", why);
        } else {
            place(t, levels);
        }
        if (site_logs_names_find(names, t->log->name, &use, &level)) {
            t->use = use;
            t->level = level ? level_named(levels, level) : MAX(t->level, 0);
            t->sure = TRUE;
            say_why(t, "--names says it");
        }
    }
    for (guint i = 0; i < site->tables->len; i++) {
        SiteTable *const t = &g_array_index(site->tables, SiteTable, i);
        if (!t->sure && (t->use != SITE_NOTHING || t->level < 0))
            place_by_times(site, t, levels);
        note_unused(t);
    }
}
