#include "libraries/decide/names.h"
#include "base/error.h"
#include "base/limits.h"
#include "base/nearest.h"
#include "engine/schedule/parse.h"
#include "base/ranks.h"
#include "measurements/logs/log_lines.h"
#include <string.h>

// What a label and the column `collective` of a CSV call the kinds of samples that are not collectives. The name of
// LOG_PRTT is only for messages: its files say themselves what they are.
static const char *const kinds[] = {
    [LOG_ONE_WAY] = "pingpong",    [LOG_PRTT] = "netgauge's loggp", [LOG_REDUCE] = "reduce_local",
    [LOG_SENDRECV] = "sendrecv",   [LOG_WINDOW] = "window",         [LOG_WINDOW_BOTH] = "window_both",
    [LOG_MANY_WAYS] = "pingpongs", [LOG_EXCHANGE] = "exchange",     [LOG_SINGLE] = "single_copy",
};

const char *const log_part_names[] = {
    [LOG_PART_ONE] = "one", [LOG_PART_STEP] = "step", [LOG_PART_GAP] = "gap", [LOG_PART_FLAG] = "flag"};

static const char of_library[] = "library";

gboolean log_of_library(const LogSample *s)
{
    return s->algorithm && g_str_has_prefix(s->algorithm, of_library);
}

void log_set_variant(GStringChunk *texts, const char *text, LogSample *s)
{
    g_autofree char *name = g_strndup(text, strcspn(text, " "));
    g_autofree char *params = g_strdelimit(g_strdup(text + strlen(name) + (text[strlen(name)] == ' ')), " ", ';');
    s->algorithm = g_string_chunk_insert_const(texts, name);
    s->params = g_string_chunk_insert_const(texts, params);
}

char *log_variant(const LogSample *s)
{
    g_autofree char *params = g_strdelimit(g_strdup(s->params), ";", ' ');
    return g_strdup_printf("%s%s%s", s->algorithm ? s->algorithm : "", *params ? " " : "", params);
}

gboolean log_find_kind(const char *name, LogSampleKind *kind, Collective *collective)
{
    for (guint k = 0; k < G_N_ELEMENTS(kinds); k++)
        if (k != LOG_COLLECTIVE && k != LOG_PRTT && strcmp(name, kinds[k]) == 0) {
            *kind = (LogSampleKind)k;
            return TRUE;
        }
    for (int i = 0; i < N_COLLECTIVES; i++)
        if (g_ascii_strcasecmp(name, collectives[i].name) == 0) {
            *kind = LOG_COLLECTIVE;
            *collective = (Collective)i;
            return TRUE;
        }
    return FALSE;
}

const char *log_kind_name(LogSampleKind kind, Collective collective)
{
    return kind == LOG_COLLECTIVE ? collectives[collective].name : kinds[kind];
}

// Returns TRUE if rows of this kind can determine a part. A collective can determine each, if its steps are such.
static gboolean determines(LogPart part, LogSampleKind kind)
{
    switch (kind) {
    case LOG_ONE_WAY:
        return part == LOG_PART_ONE;
    case LOG_PRTT:
        return part == LOG_PART_ONE || part == LOG_PART_GAP;
    case LOG_SENDRECV:
    case LOG_WINDOW_BOTH:
        return part == LOG_PART_STEP;
    case LOG_WINDOW:
        return part == LOG_PART_GAP;
    default:
        return kind == LOG_COLLECTIVE;
    }
}

// ---- Reading a label ------------------------------------------------------------------------------------------------

// Reads PART or PART@LEVEL, the first `len` characters of the text. Returns FALSE if it is neither.
static gboolean read_part(const char *text, gsize len, LogLabel *label)
{
    const char *const at = memchr(text, '@', len);
    const gsize word = at ? (gsize)(at - text) : len;
    for (guint k = LOG_PART_ONE; k < G_N_ELEMENTS(log_part_names); k++)
        if (strlen(log_part_names[k]) == word && strncmp(text, log_part_names[k], word) == 0) {
            label->part = (LogPart)k;
            label->level = at ? g_strndup(at + 1, len - word - 1) : g_strdup("far");
            return TRUE;
        }
    return FALSE;
}

static gboolean check_level(const LogLabel *label, GError **error)
{
    const char *const level = label->level;
    const gsize good = strspn(level, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_");
    return (good > 0 && !level[good]) ||
           bad_input(error, "label %s@%s: `%s` is not a level; allowed: a level of the platform, such as node, or far",
                     log_part_names[label->part], level, level);
}

// Returns TRUE if a text names an algorithm, or what a library chooses.
static gboolean may_be_algorithm(Collective collective, const char *text)
{
    const char *const colon = strchr(text, ':');
    return names_entry(collective, text) || strcmp(text, of_library) == 0 || nccl_pair(text) >= 0 ||
           (colon && colon > text && strcmp(colon, ":auto") == 0);
}

static gboolean read_ranks(const char *text, LogLabel *label)
{
    g_autoptr(GArray) per_node = NULL;
    g_autoptr(GArray) ranks = ranks_parse_list(text, "ranks", &per_node, NULL);
    if (!ranks || ranks->len != 1)
        return FALSE;
    label->p = (int)g_array_index(ranks, size_t, 0);
    label->per_node = per_node ? g_array_index(per_node, int, 0) : 0;
    return TRUE;
}

// Reads the algorithm and the ranks of a collective, "ALGORITHM" or "ALGORITHM:P". `whole` is the label.
static gboolean read_algorithm(const char *rest, const char *whole, LogLabel *label, GError **error)
{
    const char *const name = collectives[label->collective].name;
    // The last part is the number of ranks, unless it belongs to an alias: "ompi:6" is not "ompi" on 6 ranks.
    label->algorithm = g_strdup(rest);
    char *last = strrchr(label->algorithm, ':');
    if (last && !may_be_algorithm(label->collective, label->algorithm)) {
        if (!read_ranks(last + 1, label))
            return bad_input(error,
                             "label %s: `%s` is not a number of ranks; allowed: COLLECTIVE:ALGORITHM:P=FILE, with a P "
                             "such as 8 or 2x4",
                             whole, last + 1);
        *last = '\0';
    }
    if (may_be_algorithm(label->collective, label->algorithm))
        return TRUE;
    g_autofree char *hint = algorithm_hint(label->collective, label->algorithm);
    return bad_input(error,
                     "label %s: %s has no algorithm `%s`%sallowed: COLLECTIVE:ALGORITHM:P=FILE with a name of `collsim "
                     "list %s`, library, LIB:NAME or LIB:auto, such as ompi-5:auto",
                     whole, name, label->algorithm, hint, name);
}

// Reads what was measured, "pingpong" or "allreduce:ring:8". Sets label->given if the text begins with such a word.
static gboolean read_what(const char *text, LogLabel *label, GError **error)
{
    g_autofree char *first = g_strndup(text, strcspn(text, ":"));
    const char *const rest = text + strlen(first);
    if (!log_find_kind(first, &label->kind, &label->collective))
        return TRUE;
    label->given = TRUE;
    if (label->part && !determines(label->part, label->kind))
        return bad_input(error, "label %s=%s: rows of %s do not determine `%s`; allowed: %s",
                         log_part_names[label->part], text, first, log_part_names[label->part],
                         label->part == LOG_PART_ONE    ? "pingpong, or a collective"
                         : label->part == LOG_PART_STEP ? "sendrecv, window_both, or a collective"
                         : label->part == LOG_PART_FLAG ? "a collective"
                                                        : "window, or a collective");
    if (label->kind != LOG_COLLECTIVE)
        return !*rest || bad_input(error, "label %s: %s has no algorithm; allowed: %s=FILE", text,
                                   label->kind == LOG_ONE_WAY ? "a ping-pong" : first, first);
    return !*rest || read_algorithm(rest + 1, text, label, error);
}

// Refuses a label that names nothing that can be measured. Returns FALSE.
static gboolean refuse_label(const char *text, GError **error)
{
    const char *names[G_N_ELEMENTS(kinds) + N_COLLECTIVES + 1];
    g_autofree char *first = g_strndup(text, strcspn(text, ":"));
    guint n = 0;
    for (guint k = 0; k < G_N_ELEMENTS(kinds); k++)
        if (k != LOG_COLLECTIVE && k != LOG_PRTT)
            names[n++] = kinds[k];
    for (int i = 0; i < N_COLLECTIVES; i++)
        names[n++] = collectives[i].name;
    names[n] = NULL;
    return nearest_unknown("label", first, names, error);
}

gboolean log_label(const char *argument, LogLabel *label, const char **path, GError **error)
{
    *label = (LogLabel){.kind = LOG_COLLECTIVE};
    *path = argument;
    const char *equals = strchr(argument, '=');
    const gsize word = strcspn(argument, "=:");
    if (equals && read_part(argument, word, label)) {
        if (!check_level(label, error))
            return FALSE;
        *path = argument + word + 1;
        equals = strchr(*path, '=');
    }
    if (!equals)
        return TRUE;
    g_autofree char *text = g_strndup(*path, (gsize)(equals - *path));
    if (!read_what(text, label, error))
        return FALSE;
    if (label->given)
        *path = equals + 1;
    // A file's name may have a '=', but a label with a slip in it is more likely.
    return label->given || g_file_test(*path, G_FILE_TEST_EXISTS) || !g_file_test(equals + 1, G_FILE_TEST_EXISTS) ||
           refuse_label(text, error);
}

void log_label_clear(LogLabel *label)
{
    g_clear_pointer(&label->algorithm, g_free);
    g_clear_pointer(&label->level, g_free);
}

// ---- Applying it to a row -------------------------------------------------------------------------------------------

static gboolean same_algorithm(Collective collective, const char *a, const char *b)
{
    const CollAlgorithm *const known = algorithm_find(collective, a);
    return strcmp(a, b) == 0 || (known && known == algorithm_find(collective, b));
}

// Returns TRUE if a label asks for this row; otherwise FALSE and an error that says where they differ.
static gboolean asks_for(const LogLines *at, const LogSample *s, GError **error)
{
    const LogLabel *const label = at->label;
    if (!label->given)
        return !label->part ||
               (determines(label->part, s->kind) && (s->kind != LOG_COLLECTIVE || label->part == LOG_PART_FLAG)) ||
               log_bad(at, error, "rows of %s do not determine `%s`%s", log_kind_name(s->kind, s->collective),
                       log_part_names[label->part],
                       s->kind == LOG_COLLECTIVE ? " without a label of the collective" : "");
    const gboolean one_way = s->kind == LOG_PRTT && label->kind == LOG_ONE_WAY;
    if (!one_way && (s->kind != label->kind || (s->kind == LOG_COLLECTIVE && s->collective != label->collective)))
        return log_bad(at, error, "the log is of %s, the label says %s", log_kind_name(s->kind, s->collective),
                       log_kind_name(label->kind, label->collective));
    if (s->kind != LOG_COLLECTIVE)
        return TRUE;
    if (s->p && label->p && s->p != label->p)
        return log_bad(at, error, "the log is of %d ranks, the label says %d", s->p, label->p);
    return !s->algorithm || !label->algorithm || same_algorithm(s->collective, s->algorithm, label->algorithm) ||
           log_bad(at, error, "the algorithm is %.40s, the label says %s", s->algorithm, label->algorithm);
}

gboolean log_label_apply(LogLines *at, LogSample *s, GError **error)
{
    const LogLabel *const label = at->label;
    if (!label)
        return TRUE;
    if (!asks_for(at, s, error))
        return FALSE;
    s->part = label->part;
    s->level = label->level ? g_string_chunk_insert_const(at->log->texts, label->level) : NULL;
    if (!label->given || s->kind != LOG_COLLECTIVE)
        return TRUE;
    if (!s->algorithm && label->algorithm)
        s->algorithm = g_string_chunk_insert_const(at->log->texts, label->algorithm);
    s->p = s->p ? s->p : label->p;
    s->per_node = s->per_node ? s->per_node : label->per_node;
    return TRUE;
}

gboolean log_add(LogLines *at, LogSample sample, GError **error)
{
    GArray *const samples = at->log->samples;
    const double t = sample.time_s;
    sample.log = at->log;
    sample.line = at->line;
    sample.sweep = at->sweep;
    if (!sample.params)
        sample.params = "";
    if (!sample.map)
        sample.map = "";
    if (sample.kind == LOG_COLLECTIVE && sample.factor == 0)
        sample.factor = 1;
    log_decide_element(at, &sample);
    GError *differs = NULL;
    if (!log_label_apply(at, &sample, &differs)) {
        log_count(at, "that the label does not ask for");
        if (at->first)
            g_error_free(differs);
        else
            at->first = differs;
        return TRUE;
    }
    if (sample.root && sample.root >= MAX(sample.p, 1))
        return log_bad(at, error, "root %d; allowed: 0 .. %d", sample.root, MAX(sample.p, 1) - 1);
    if (!(t == 0 || (t >= 1e-15 && t <= 1e9))) // a platform's figures, which follow from times, are at most 1e9 s
        return log_bad(at, error, "a time of %g s; allowed: 0, or 1e-15 to 1e9 s", t);
    at->full = samples->len == LIMIT_LOG_ROWS;
    if (at->full)
        return log_full(at, error);
    g_array_append_val(samples, sample);
    return TRUE;
}

// Returns an algorithm that shows what a label may say.
static const char *example_of(Collective collective, gboolean shared)
{
    const char *first = NULL;
    for (int i = 0; i < n_algorithms; i++) {
        const CollAlgorithm *const a = algorithms[i];
        if (a->collective != collective || a->shared != shared)
            continue;
        if (!first || strcmp(a->name, "ring") == 0 || strcmp(a->name, "binomial") == 0)
            first = a->name;
    }
    return first ? first : of_library;
}

char *log_label_for(const Log *log, const LogSample *s, gboolean shared)
{
    const char *const name = s->algorithm ? s->algorithm : example_of(s->collective, shared);
    return g_strdup_printf("%s:%s%s=%s", collectives[s->collective].name, name, s->p ? "" : ":8", log_path(log));
}
