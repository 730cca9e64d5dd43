#include "libraries/decide/rules_write.h"
#include "base/distinct.h"
#include "base/error.h"
#include "libraries/decide/text_sets.h"
#include <string.h>

// ---- Cells ---------------------------------------------------------------------------------------------------------

// Notes where a range begins, and where it has ended.
static void add_ends(GArray *ends, RuleRange range)
{
    if (range.first > range.last)
        return;
    g_array_append_val(ends, range.first);
    if (range.last == RULES_NO_LIMIT)
        return;
    range.last++;
    g_array_append_val(ends, range.last);
}

// Sorts the ends and drops those that are equal to the one before, or not above `least`, which becomes the first.
static void sort_ends(GArray *ends, gint64 least)
{
    guint n = 0;
    g_array_append_val(ends, least);
    g_array_sort(ends, distinct_by_number);
    for (guint i = 0; i < ends->len; i++) {
        const gint64 end = g_array_index(ends, gint64, i);
        if (end >= least && (n == 0 || g_array_index(ends, gint64, n - 1) < end))
            g_array_index(ends, gint64, n++) = end;
    }
    g_array_set_size(ends, n);
}

static RuleRange range_at(const GArray *ends, guint i)
{
    return (RuleRange){g_array_index(ends, gint64, i),
                       i + 1 < ends->len ? g_array_index(ends, gint64, i + 1) - 1 : RULES_NO_LIMIT};
}

// Appends the cells of one collective at a range of ranks.
static void add_cells(GArray *cells, const RulesFile *const *files, int n, int collective, RuleRange ranks)
{
    g_autoptr(GArray) ends = g_array_new(FALSE, FALSE, sizeof(gint64));
    for (int f = 0; f < n; f++)
        for (guint i = 0; i < files[f]->rules->len; i++) {
            const LibraryRule *rule = &g_array_index(files[f]->rules, LibraryRule, i);
            if (tuned_kind(files[f]->library->family, collective) != TUNED_SIZE_NONE &&
                rule->collective == collective && rule->when.ranks.first <= ranks.first &&
                ranks.first <= rule->when.ranks.last)
                add_ends(ends, rule->when.bytes);
        }
    sort_ends(ends, 0);
    for (guint i = 0; i < ends->len; i++) {
        const RulesCell cell = {collective, ranks, range_at(ends, i)};
        g_array_append_val(cells, cell);
    }
}

GArray *rules_cells(const RulesFile *const *files, int n)
{
    GArray *cells = g_array_new(FALSE, FALSE, sizeof(RulesCell));
    for (int collective = 0; collective < TUNED_COLLECTIVES; collective++) {
        g_autoptr(GArray) ends = g_array_new(FALSE, FALSE, sizeof(gint64));
        if (tuned_kind(files[0]->library->family, collective) == TUNED_SIZE_NO_METHOD)
            continue;
        for (int f = 0; f < n; f++)
            for (guint i = 0; i < files[f]->rules->len; i++) {
                const LibraryRule *rule = &g_array_index(files[f]->rules, LibraryRule, i);
                if (rule->collective == collective && rules_any_nodes(rule))
                    add_ends(ends, rule->when.ranks);
            }
        if (ends->len == 0)
            continue;
        sort_ends(ends, 2);
        for (guint i = 0; i < ends->len; i++)
            if (g_array_index(ends, gint64, i) <= G_MAXINT)
                add_cells(cells, files, n, collective, range_at(ends, i));
    }
    return cells;
}

// ---- What a file for another version says --------------------------------------------------------------------------

static gboolean cannot(const RulesFile *file, size_t line, const char *why, GError **error)
{
    return bad_input(error, "%s:%zu: %s", file->name, line, why);
}

// Translates a rule. Returns FALSE and an error if the target has nothing that does the same.
static gboolean translate(const RulesFile *file, const Tables *target, const LibraryRule *rule, TextRule *out,
                          GError **error)
{
    const char *collective = tuned_collectives[rule->collective].name;
    const LibraryAlgorithm *a = tables_tuned(file->names, rule->collective, rule->id);
    const LibraryAlgorithm *b = a ? tables_tuned(target, rule->collective, rule->id) : NULL;
    g_autofree char *why =
        !a   ? g_strdup_printf("%s has no algorithm %d in %s", collective, rule->id, file->library->title)
        : !b ? g_strdup_printf("%s %d (%s) does not exist in %s", collective, a->id, a->name, target->library->title)
             : NULL;
    if (why)
        return cannot(file, rule->line, why, error);
    *out = (TextRule){.id = a->id,
                      .fanout = a->takes & TAKES_FANOUT ? rule->fanout : 0,
                      .segment = a->takes & TAKES_SEGMENT ? rule->segment : 0,
                      .max_requests = a->takes & TAKES_MAX_REQUESTS ? rule->max_requests : 0};
    // Where a version has made an algorithm more general, the older ones do what it does with one fanout.
    if (a->older_fanout != b->older_fanout && a->older_fanout && out->fanout != a->older_fanout)
        why = g_strdup_printf("%s %d with another fanout than %d does not exist in %s", collective, a->id,
                              a->older_fanout, target->library->title);
    else if (a->older_fanout != b->older_fanout)
        out->fanout = b->older_fanout;
    if (out->max_requests != 0 && target->library->id == LIBRARY_OMPI_41)
        why = g_strdup_printf("a number of requests cannot be said to %s", target->library->title);
    return !why || cannot(file, rule->line, why, error);
}

static gboolean same_rule(const TextRule *a, const TextRule *b)
{
    return a->id == b->id && a->fanout == b->fanout && a->segment == b->segment && a->max_requests == b->max_requests;
}

static gboolean same_set(const GArray *a, const GArray *b)
{
    if (a->len != b->len)
        return FALSE;
    for (guint i = 0; i < a->len; i++) {
        const TextRule *x = &g_array_index(a, TextRule, i), *y = &g_array_index(b, TextRule, i);
        if (x->bytes != y->bytes || !same_rule(x, y))
            return FALSE;
    }
    return TRUE;
}

// Drops the last set if it says what the one before it says.
static void join_sets(GArray *sets)
{
    if (sets->len >= 2 &&
        same_set(g_array_index(sets, TextSet, sets->len - 1).rules, g_array_index(sets, TextSet, sets->len - 2).rules))
        g_array_set_size(sets, sets->len - 1);
}

// Makes the sets of one collective from its cells, from *next on. Returns FALSE and an error if the target cannot have
// one of the rules.
static gboolean make_sets(const RulesFile *file, const Tables *target, const GArray *cells, guint *next, GArray *sets,
                          GError **error)
{
    const int collective = g_array_index(cells, RulesCell, *next).collective;
    gint64 ranks = 0;
    for (; *next < cells->len && g_array_index(cells, RulesCell, *next).collective == collective; ++*next) {
        const RulesCell *cell = &g_array_index(cells, RulesCell, *next);
        TextRule rule = {0};
        const LibraryRule *found = rules_find(file, collective, (int)cell->ranks.first, cell->bytes.first);
        if (found && found->id != 0 && !translate(file, target, found, &rule, error))
            return FALSE;
        rule.bytes = cell->bytes.first;
        if (cell->ranks.first != ranks) {
            join_sets(sets);
            ranks = cell->ranks.first;
            const TextSet set = {.key = (int)ranks, .rules = g_array_new(FALSE, FALSE, sizeof(TextRule))};
            g_array_append_val(sets, set);
        }
        GArray *rules = g_array_index(sets, TextSet, sets->len - 1).rules;
        if (rules->len == 0 || !same_rule(&g_array_index(rules, TextRule, rules->len - 1), &rule))
            g_array_append_val(rules, rule);
    }
    join_sets(sets);
    return TRUE;
}

// ---- Formats -------------------------------------------------------------------------------------------------------

// Returns a number of a rule as the text format says it. Its readers ignore a file with a number below 0, and keep the
// low 32 bits of one that an int does not hold, which is how such a number came about.
static gint64 text_number(int number)
{
    return (guint32)number;
}

// Writes the sets of one collective as text. Version 2 has a fifth number in each rule.
static void write_text(GString *s, int collective, const GArray *sets, gboolean fifth)
{
    g_string_append_printf(s, "%d %u # %s\n", collective, sets->len, tuned_collectives[collective].name);
    for (guint i = 0; i < sets->len; i++) {
        const TextSet *set = &g_array_index(sets, TextSet, i);
        g_string_append_printf(s, "%d %u # ranks, rules\n", set->key, set->rules->len);
        for (guint k = 0; k < set->rules->len; k++) {
            const TextRule *rule = &g_array_index(set->rules, TextRule, k);
            g_string_append_printf(s, "%" G_GINT64_FORMAT " %d %" G_GINT64_FORMAT " %" G_GINT64_FORMAT, rule->bytes,
                                   rule->id, text_number(rule->fanout), text_number(rule->segment));
            if (fifth)
                g_string_append_printf(s, " %" G_GINT64_FORMAT, text_number(rule->max_requests));
            g_string_append_c(s, '\n');
        }
    }
}

// Writes "NAME_min": FIRST, and "NAME_max": LAST unless there is no end.
static void write_range(GString *s, const char *name, gint64 first, gint64 next)
{
    g_string_append_printf(s, "\"%s_min\": %" G_GINT64_FORMAT, name, first);
    if (next > 0)
        g_string_append_printf(s, ", \"%s_max\": %" G_GINT64_FORMAT, name, next - 1);
}

static void write_json_rules(GString *s, const Tables *target, int collective, const GArray *rules)
{
    gboolean comma = FALSE;
    for (guint k = 0; k < rules->len; k++) {
        const TextRule *rule = &g_array_index(rules, TextRule, k);
        if (rule->id == 0)
            continue; // no rule: the fixed decision
        g_string_append(s, comma ? ",\n        {" : "\n        {");
        write_range(s, "msg_size", rule->bytes, k + 1 < rules->len ? rule[1].bytes : 0);
        g_string_append_printf(s, ", \"alg\": \"%s\"", tables_tuned(target, collective, rule->id)->name);
        if (rule->fanout)
            g_string_append_printf(s, ", \"faninout\": %d", rule->fanout);
        if (rule->segment)
            g_string_append_printf(s, ", \"seg_size\": %d", rule->segment);
        if (rule->max_requests)
            g_string_append_printf(s, ", \"reqs\": %d", rule->max_requests);
        g_string_append_c(s, '}');
        comma = TRUE;
    }
}

static void write_json(GString *s, const Tables *target, int collective, const GArray *sets, gboolean comma)
{
    g_string_append_printf(s, "%s\n    \"%s\": [", comma ? "," : "", tuned_collectives[collective].name);
    for (guint i = 0; i < sets->len; i++) {
        const TextSet *set = &g_array_index(sets, TextSet, i);
        g_string_append(s, i ? ",\n      {" : "\n      {");
        write_range(s, "comm_size", set->key, i + 1 < sets->len ? set[1].key : 0);
        g_string_append(s, ", \"rules\": [");
        write_json_rules(s, target, collective, set->rules);
        g_string_append(s, "]}");
    }
    g_string_append(s, "]");
}

char *rules_convert(const RulesFile *file, const Library *library, GError **error)
{
    const gboolean json = library->id == LIBRARY_OMPI_MAIN, fifth = library->id == LIBRARY_OMPI_5;
    g_autoptr(Tables) target = library == file->library ? tables_ref(file->names) : tables_names(library, error);
    g_autoptr(GArray) cells = rules_cells(&file, 1);
    g_autoptr(GString) body = g_string_new("");
    int n = 0;
    if (!target || !rules_usual(file, error))
        return NULL;
    if (file->ignored) {
        cannot(file, g_array_index(file->traps, Trap, file->traps->len - 1).line,
               "the library ignores this file, so there is nothing to convert; see collsim rules check", error);
        return NULL;
    }
    for (guint i = 0; i < file->rules->len; i++)
        if (!rules_any_nodes(&g_array_index(file->rules, LibraryRule, i))) {
            cannot(file, g_array_index(file->rules, LibraryRule, i).line, "comm_rank_distribution cannot be converted",
                   error);
            return NULL;
        }
    for (guint next = 0; next < cells->len; n++) {
        const int collective = g_array_index(cells, RulesCell, next).collective;
        g_autoptr(GArray) sets = g_array_new(FALSE, FALSE, sizeof(TextSet));
        g_array_set_clear_func(sets, text_set_clear);
        if (!make_sets(file, target, cells, &next, sets, error))
            return NULL;
        if (json)
            write_json(body, target, collective, sets, n > 0);
        else
            write_text(body, collective, sets, fifth);
    }
    return json ? g_strdup_printf("{\"rule_file_version\": 3, \"module\": \"tuned\", \"collectives\": {%s}}\n",
                                  body->str)
                : g_strdup_printf("%s%d # collectives\n%s", fifth ? "rule-file-version-2\n" : "", n, body->str);
}
