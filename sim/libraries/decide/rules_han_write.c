// Writing files for HAN, for the version that made the rules or for another one.
#include "libraries/decide/rules_han.h"
#include "base/error.h"
#include <string.h>

static int by_place(const void *a, const void *b)
{
    const LibraryRule *x = a, *y = b;
    if (x->collective != y->collective)
        return x->collective - y->collective;
    if (x->level != y->level)
        return x->level - y->level;
    if (x->when.ranks.first != y->when.ranks.first)
        return x->when.ranks.first < y->when.ranks.first ? -1 : 1;
    return (x->when.bytes.first > y->when.bytes.first) - (x->when.bytes.first < y->when.bytes.first);
}

static const LibraryRule *rule_at(const GArray *rules, guint i)
{
    return &g_array_index(rules, LibraryRule, i);
}

// Returns the end of the rules that are like rule i in collective, level and ranks, as far as these are asked for.
static guint end_of(const GArray *rules, guint i, gboolean levels, gboolean ranks)
{
    const LibraryRule *first = rule_at(rules, i);
    guint end = i;
    while (end < rules->len && rule_at(rules, end)->collective == first->collective &&
           (!levels || rule_at(rules, end)->level == first->level) &&
           (!ranks || rule_at(rules, end)->when.ranks.first == first->when.ranks.first))
        end++;
    return end;
}

// Appends a set for the sizes from `ranks` on, with the rules i .. end - 1; without any, the variables decide.
static void write_set(GString *s, const GArray *rules, gint64 ranks, guint i, guint end)
{
    g_string_append_printf(s, "    %" G_GINT64_FORMAT " %u # ranks, rules\n", ranks, end - i);
    for (; i < end; i++) {
        const LibraryRule *rule = rule_at(rules, i);
        g_string_append_printf(s, "      %" G_GINT64_FORMAT " %s%s%s\n", rule->when.bytes.first, rule->runs,
                               *rule->params ? " @" : "", rule->params);
    }
}

// Appends a level: a set for each size of its communicator at which the rules change, from 1 on. Sizes that no rule is for
// have an empty one.
static void write_level(GString *s, const GArray *rules, guint i, guint end)
{
    g_autoptr(GString) sets = g_string_new("");
    const int level = rule_at(rules, i)->level;
    gint64 next = 1;
    guint n = 0;
    while (i < end) {
        const RuleRange ranks = rule_at(rules, i)->when.ranks;
        const guint set_end = end_of(rules, i, TRUE, TRUE);
        if (MAX(ranks.first, 1) > next) {
            write_set(sets, rules, next, i, i);
            n++;
        }
        write_set(sets, rules, MAX(ranks.first, 1), i, set_end);
        n++;
        next = ranks.last == RULES_NO_LIMIT ? RULES_NO_LIMIT : ranks.last + 1;
        i = set_end;
    }
    if (next != RULES_NO_LIMIT) {
        write_set(sets, rules, next, i, i);
        n++;
    }
    g_string_append_printf(s, "  %d %u # %s\n%s", level, n, han_level_names[level], sets->str);
}

// Returns TRUE if no call gets to the rule: others were written for all of its ranks, or sizes.
static gboolean serves_nothing(const LibraryRule *rule)
{
    const RuleRange ranks = rule->when.ranks, bytes = rule->when.bytes;
    return MAX(ranks.first, 1) > ranks.last || bytes.first > bytes.last;
}

char *rules_han_text(const GArray *unsorted)
{
    g_autoptr(GArray) rules = g_array_copy((GArray *)(guintptr)unsorted);
    g_autoptr(GString) body = g_string_new("");
    guint n = 0;
    for (guint i = rules->len; i-- > 0;)
        if (serves_nothing(rule_at(rules, i)))
            g_array_remove_index(rules, i);
    g_array_sort(rules, by_place);
    for (guint i = 0; i < rules->len; n++) {
        const guint end = end_of(rules, i, FALSE, FALSE);
        g_autoptr(GString) levels = g_string_new("");
        const char *name = tuned_collectives[rule_at(rules, i)->collective].name;
        guint n_levels = 0;
        for (; i < end; n_levels++) {
            const guint level_end = end_of(rules, i, TRUE, FALSE);
            write_level(levels, rules, i, level_end);
            i = level_end;
        }
        g_string_append_printf(body, "%s %u\n%s", name, n_levels, levels->str);
    }
    return g_strdup_printf("%u # collectives\n%s", n, body->str);
}

// ---- Other versions -------------------------------------------------------------------------------------------------

static gboolean G_GNUC_PRINTF(4, 5) cannot(const RulesFile *file, size_t line, GError **error, const char *format, ...)
{
    va_list words;
    va_start(words, format);
    g_autofree char *why = g_strdup_vprintf(format, words);
    va_end(words);
    return bad_input(error, "%s:%zu: %s", file->name, line, why);
}

// Changes a rule so that the target does the same. Returns FALSE and an error if it cannot.
static gboolean translate(const RulesFile *file, const Tables *target, LibraryRule *rule, GError **error)
{
    const char *name = tuned_collectives[rule->collective].name, *title = target->library->title;
    const HanFile *from = rules_han_served(file->names, rule->collective),
                  *to = rules_han_served(target, rule->collective);
    if (!to)
        return cannot(file, rule->line, error, "HAN does not serve %s in %s", name, title);
    if (!rules_han_component(target->library, rule->runs))
        return cannot(file, rule->line, error, "HAN does not know %s in %s", rule->runs, title);
    const gboolean han = strcmp(rule->runs, "han") == 0 && rule->level == HAN_GLOBAL; // below, it cannot serve
    const char *runs = *rule->params ? rule->params : rules_han_usual(file->library, from);
    if (!han || strcmp(runs, rules_han_usual(target->library, to)) == 0)
        rule->params = "";
    else if (target->library->id == LIBRARY_OMPI_41)
        return cannot(file, rule->line, error,
                      "a file for %s names no algorithm of HAN: allowed in its place is "
                      "coll_han_use_simple_%s",
                      title, name);
    else
        rule->params = runs;
    return TRUE;
}

char *rules_han_convert(const RulesFile *file, const Library *library, GError **error)
{
    g_autoptr(Tables) target = tables_names(library, error);
    g_autoptr(GArray) rules = g_array_new(FALSE, FALSE, sizeof(LibraryRule));
    if (!target)
        return NULL;
    if (file->ignored) {
        cannot(file, g_array_index(file->traps, Trap, file->traps->len - 1).line, error,
               "the library ignores this file, so there is nothing to convert; see collsim rules check");
        return NULL;
    }
    for (guint i = 0; i < file->han->len; i++) {
        LibraryRule rule = *rule_at(file->han, i);
        if (!rules_han_served(file->names, rule.collective) || serves_nothing(&rule))
            continue; // it has no effect
        if (!translate(file, target, &rule, error))
            return NULL;
        g_array_append_val(rules, rule);
    }
    if (rules->len == 0) {
        bad_input(error, "%s has no rule that acts, and a file for HAN must have one; allowed: see collsim rules check",
                  file->name);
        return NULL;
    }
    return rules_han_text(rules);
}
