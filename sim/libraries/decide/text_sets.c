// What versions of Open MPI make of the sets and the rules of a text file: ranges of ranks and of bytes.
#include "libraries/decide/text_sets.h"
#include "libraries/decide/rules_keys.h"

void text_set_clear(gpointer set)
{
    g_array_unref(((TextSet *)set)->rules);
}

// Sets the ranges of 4.1 and 5.0. The library goes through the keys in order and stops at the first above its number,
// so entry i is the last one reached by numbers from the greatest key up to its own on, and up to the next greater key.
// For ranks, the first entry also serves all numbers below its key.
static RuleRange range_after(gint64 *greatest, gint64 key, gboolean first, gboolean last, gint64 next)
{
    *greatest = first ? key : MAX(*greatest, key);
    return (RuleRange){first ? 0 : *greatest, last ? RULES_NO_LIMIT : MAX(*greatest, next) - 1};
}

// Main makes ranges of the keys while it reads, and the first range that fits decides. Returns what is left of a range
// when all numbers below *taken have been decided, and moves *taken to its end.
static RuleRange range_left(gint64 *taken, RuleRange range)
{
    range = *taken == RULES_NO_LIMIT ? (RuleRange){1, 0} : (RuleRange){MAX(range.first, *taken), range.last};
    if (range.first <= range.last)
        *taken = range.last == RULES_NO_LIMIT ? RULES_NO_LIMIT : range.last + 1;
    return range;
}

// In main, entry i ends below its own key, and begins at the key before. The last one has no end. So the rules under
// key i serve the numbers before it, where 4.1 and 5.0 use them from it on.
static RuleRange ranges_of_main(const GArray *sets, guint i)
{
    const gint64 before = i ? g_array_index(sets, TextSet, i - 1).key : 0;
    return (RuleRange){before, i + 1 == sets->len ? RULES_NO_LIMIT : (gint64)g_array_index(sets, TextSet, i).key - 1};
}

// Adds the rules of a set, and reports sizes that do not ascend.
static void add_set(RulesFile *file, int collective, const TextSet *set, int number, RuleRange ranks)
{
    const gboolean main = file->library->id == LIBRARY_OMPI_MAIN;
    LibraryRule rule = {
        .collective = collective, .set = number, .when = rule_when(ranks, (RuleRange){0, RULES_NO_LIMIT})};
    g_autoptr(GArray) keys = g_array_new(FALSE, FALSE, sizeof(RulesKey));
    gint64 greatest = 0, taken = 0;
    for (guint k = 0; k < set->rules->len; k++) {
        const TextRule *this = &g_array_index(set->rules, TextRule, k);
        const gboolean last = k + 1 == set->rules->len;
        const gint64 next = last ? 0 : g_array_index(set->rules, TextRule, k + 1).bytes;
        rule.id = this->id;
        rule.fanout = this->fanout;
        rule.segment = this->segment;
        rule.max_requests = this->max_requests;
        rule.line = this->line;
        // In main the end of a rule is the next size less 1, and unsigned: 0 gives no end.
        rule.when.bytes =
            main ? range_left(&taken, (RuleRange){this->bytes, last || next == 0 ? RULES_NO_LIMIT : next - 1})
                 : range_after(&greatest, this->bytes, k == 0, last, next);
        g_array_append_val(file->rules, rule);
        const RulesKey key = {this->bytes, this->line, rule.when.bytes};
        g_array_append_val(keys, key);
    }
    if (ranks.first <= ranks.last)
        rules_keys_judge(file, tuned_collectives[collective].name, RULES_KEYS_BYTES, keys);
    // Whatever the rules leave is for the fixed decision, not for later sets.
    const LibraryRule rest = {.collective = collective,
                              .set = number,
                              .when = rule_when(ranks, (RuleRange){0, RULES_NO_LIMIT}),
                              .line = set->line};
    if (set->rules->len == 0 || main)
        g_array_append_val(file->rules, rest);
}

// Reports whom the sets of a collective serve, where that is not the numbers of ranks from their keys on.
static void judge_sets(RulesFile *file, int collective, const GArray *keys)
{
    const char *name = tuned_collectives[collective].name;
    const gboolean main = file->library->id == LIBRARY_OMPI_MAIN;
    const RulesKey *first = &g_array_index(keys, RulesKey, 0);
    for (guint i = 0; main && keys->len > 1 && i < keys->len; i++) {
        const RulesKey *key = &g_array_index(keys, RulesKey, i);
        if (MAX(key->range.first, 2) > key->range.last && key->key > 2)
            continue; // rules_keys_judge() says that nothing reaches them
        if (i + 1 == keys->len)
            rules_trap(file, TRAP_SHIFTED, key->line,
                       "%s: these rules serve %" G_GINT64_FORMAT
                       " ranks and more, as main shifts the keys by one entry",
                       name, key->range.first);
        else
            rules_trap(file, TRAP_SHIFTED, key->line,
                       "%s: these rules serve fewer than %" G_GINT64_FORMAT
                       " ranks, as main shifts the keys by one entry",
                       name, key->key);
    }
    if (!main && first->key > 2 && (keys->len == 1 || rules_keys_ascend(keys)))
        rules_trap(file, TRAP_REACH, first->line,
                   "%s: the rules of the first number of ranks, %" G_GINT64_FORMAT
                   ", also serve 2 to %" G_GINT64_FORMAT,
                   name, first->key, first->key - 1);
    rules_keys_judge(file, name, main ? RULES_KEYS_SHIFTED : RULES_KEYS_RANKS, keys);
}

void text_sets_add(RulesFile *file, GArray *const text_sets[TUNED_COLLECTIVES])
{
    const gboolean main = file->library->id == LIBRARY_OMPI_MAIN;
    int number = 0;
    for (int c = 0; c < TUNED_COLLECTIVES; c++) {
        const GArray *sets = text_sets[c];
        g_autoptr(GArray) keys = g_array_new(FALSE, FALSE, sizeof(RulesKey));
        gint64 greatest = 0, taken = 0;
        for (guint i = 0; sets && i < sets->len; i++) {
            const TextSet *set = &g_array_index(sets, TextSet, i);
            const gboolean last = i + 1 == sets->len;
            const gint64 next = last ? 0 : g_array_index(sets, TextSet, i + 1).key;
            const RuleRange ranks = main ? range_left(&taken, ranges_of_main(sets, i))
                                         : range_after(&greatest, set->key, i == 0, last, next);
            const RulesKey key = {set->key, set->line, ranks};
            g_array_append_val(keys, key);
            add_set(file, c, set, number++, ranks);
        }
        if (keys->len > 0)
            judge_sets(file, c, keys);
    }
}
