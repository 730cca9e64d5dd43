// Traps that are in what the rules of an Open MPI file say, however they were written.
#include "libraries/decide/rules.h"
#include <string.h>

// ---- Rules that no call reaches ------------------------------------------------------------------------------------

// Numbers that earlier ranges cover: disjoint ranges in ascending order, of RuleRange.
typedef GArray RangeCover;

// Returns the index of the first range that ends at or above `value`.
static guint cover_at(const RangeCover *cover, gint64 value)
{
    guint low = 0, high = cover->len;
    while (low < high) {
        const guint middle = (low + high) / 2;
        if (g_array_index(cover, RuleRange, middle).last < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static gboolean covers(const RangeCover *cover, RuleRange range)
{
    const guint i = cover_at(cover, range.first);
    return i < cover->len && g_array_index(cover, RuleRange, i).first <= range.first &&
           range.last <= g_array_index(cover, RuleRange, i).last;
}

static void cover_add(RangeCover *cover, RuleRange range)
{
    if (range.first > range.last)
        return;
    const guint from = cover_at(cover, range.first == G_MININT64 ? range.first : range.first - 1);
    guint to = from;
    for (; to < cover->len; to++) {
        const RuleRange other = g_array_index(cover, RuleRange, to);
        if (range.last != RULES_NO_LIMIT && other.first > range.last + 1)
            break;
        range = (RuleRange){MIN(range.first, other.first), MAX(range.last, other.last)};
    }
    if (to > from)
        g_array_remove_range(cover, from, to - from);
    g_array_insert_val(cover, from, range);
}

// Returns the first rule for the least call that fits a rule.
static const LibraryRule *taker_of(const RulesFile *file, const LibraryRule *rule)
{
    RuleCall call = rule_call(rule->collective, (int)rule->when.ranks.first, MAX(rule->when.bytes.first, 0));
    call.flags[SELECT_ONE_NODE] = rule->when.flags[SELECT_ONE_NODE] == RULE_YES;
    if (rule->when.hierarchies == SELECT_FLAT)
        call.hierarchy = SELECT_FLAT;
    return rule_find(file->rules, &call);
}

// Reports a set or a rule of JSON whose range is empty, or taken by what stands before it.
static void note_dead(RulesFile *file, const LibraryRule *rule, RuleRange range, const char *what)
{
    const char *name = tuned_collectives[rule->collective].name;
    const LibraryRule *taker =
        range.first > range.last || rule->when.ranks.first > G_MAXINT ? NULL : taker_of(file, rule);
    if (taker)
        rules_trap(file, TRAP_DEAD, rule->line, "%s: %s, as what stands before it, such as line %zu, takes all", name,
                   what, taker->line);
    else
        rules_trap(file, TRAP_DEAD, rule->line, "%s: %s, as its range is empty", name, what);
}

// Notes the sets and the rules that earlier ones hide, or that have an empty range, and reports them. In a text file,
// rules_keys_judge() has done that already, because it knows the keys.
static void find_dead(RulesFile *file)
{
    const gboolean text = g_str_has_prefix(file->format, "text");
    g_autoptr(GArray) ranks = g_array_new(FALSE, FALSE, sizeof(RuleRange));
    g_autoptr(GArray) bytes = g_array_new(FALSE, FALSE, sizeof(RuleRange));
    int collective = -1, set = -1;
    gboolean set_dead = FALSE;
    for (guint i = 0; i < file->rules->len; i++) {
        LibraryRule *rule = &g_array_index(file->rules, LibraryRule, i);
        const gboolean no_size = tuned_collectives[rule->collective].size == TUNED_SIZE_NONE;
        if (rule->collective != collective)
            g_array_set_size(ranks, 0);
        collective = rule->collective;
        if (rule->set != set) {
            set = rule->set;
            g_array_set_size(bytes, 0);
            set_dead = rule->when.ranks.first > rule->when.ranks.last || covers(ranks, rule->when.ranks);
            if (set_dead && !text)
                note_dead(file, rule, rule->when.ranks, "no communicator reaches this set of rules");
            if (rules_any_nodes(rule))
                cover_add(ranks, rule->when.ranks);
        }
        const gboolean hidden = rule->when.bytes.first > rule->when.bytes.last || covers(bytes, rule->when.bytes);
        rule->dead = set_dead || hidden || (no_size && rule->when.bytes.first > 0);
        if (rule->dead && !set_dead && rule->id != 0 && !rule->disabled && !hidden)
            rules_trap(file, TRAP_DEAD, rule->line,
                       "%s: the message size is always 0, so only the first rule of a set counts",
                       tuned_collectives[collective].name);
        else if (rule->dead && !set_dead && rule->id != 0 && !rule->disabled && !text)
            note_dead(file, rule, rule->when.bytes, "no size reaches this rule");
        cover_add(bytes, rule->when.bytes);
    }
}

// ---- What one rule says --------------------------------------------------------------------------------------------

// Returns TRUE if the range has a number of ranks, 2 or above, that is not a power of two, is odd, or is not 2.
static gboolean has_ranks_without(RuleRange ranks, int needs)
{
    const gint64 first = MAX(ranks.first, 2);
    for (gint64 p = first; p <= ranks.last && p < first + 2; p++)
        if (!needs_suit(needs, p))
            return TRUE;
    return needs & LIBRARY_NEEDS_POW2 && first + 2 <= ranks.last; // 2, 3; 4, 5; ..
}

// Returns the least size in bytes from which on the need is met on the fewest ranks of the rule, with elements of one
// byte; 0 if the need is not of this kind, RULES_NO_LIMIT if no size meets it.
static gint64 least_size(const LibraryRule *rule, int needs)
{
    const gint64 least = needs_least_size(needs, (int)CLAMP(rule->when.ranks.first, 2, G_MAXINT), 1, rule->segment);
    return least < 0 ? RULES_NO_LIMIT : least;
}

static const char *name_of(const RulesFile *file, int collective, int id)
{
    const LibraryAlgorithm *a = tables_tuned(file->names, collective, id);
    return a ? a->name : "?";
}

// Reports what runs in place of an algorithm whose need is not met in a part of the rule's ranges.
static void judge_need(RulesFile *file, const LibraryRule *rule, const LibraryAlgorithm *a)
{
    const char *collective = tuned_collectives[rule->collective].name;
    const gint64 least = least_size(rule, a->needs);
    if (a->needs & LIBRARY_NEEDS_TWO && has_ranks_without(rule->when.ranks, a->needs))
        rules_trap(file, TRAP_ERROR, rule->line, "%s %d (%s) needs two ranks; on others the call returns an error",
                   collective, a->id, a->name);
    else if (has_ranks_without(rule->when.ranks, a->needs))
        rules_trap(file, TRAP_ELSE, rule->line, "%s %d (%s) needs %s; otherwise %d (%s) runs", collective, a->id,
                   a->name, a->needs & LIBRARY_NEEDS_POW2 ? "a power of two of ranks" : "an even number of ranks",
                   a->else_runs, name_of(file, rule->collective, a->else_runs));
    else if (least == RULES_NO_LIMIT)
        rules_trap(file, TRAP_ELSE, rule->line, "%s %d (%s) without a segment size is always %d (%s)", collective,
                   a->id, a->name, a->else_runs, name_of(file, rule->collective, a->else_runs));
    else if (MAX(rule->when.bytes.first, 1) < least)
        rules_trap(file, TRAP_ELSE, rule->line,
                   "%s %d (%s) needs %" G_GINT64_FORMAT " %s or more on %" G_GINT64_FORMAT
                   " ranks, and more on more; with fewer %d (%s) runs",
                   collective, a->id, a->name, least, a->needs & LIBRARY_NEEDS_SEGMENTS ? "bytes" : "elements",
                   MAX(rule->when.ranks.first, 2), a->else_runs, name_of(file, rule->collective, a->else_runs));
}

// Reports fields that the algorithm does not use, and a radix that is taken from elsewhere.
static void judge_fields(RulesFile *file, const LibraryRule *rule, const LibraryAlgorithm *a)
{
    const char *collective = tuned_collectives[rule->collective].name;
    const char *unused = rule->fanout && !(a->takes & TAKES_FANOUT)               ? "fanout"
                         : rule->segment && !(a->takes & TAKES_SEGMENT)           ? "segment size"
                         : rule->max_requests && !(a->takes & TAKES_MAX_REQUESTS) ? "number of requests"
                                                                                  : NULL;
    if (unused)
        rules_trap(file, TRAP_UNREAD, rule->line, "%s %d (%s) does not use the %s%s", collective, a->id, a->name,
                   unused,
                   rule->collective == 7 && a->id == 7 && rule->fanout
                       ? "; its radix is the variable coll_tuned_bcast_algorithm_knomial_radix"
                       : "");
}

// Returns TRUE if a rule decides some call of its collective that the algorithm of another rule makes.
static gboolean acts_within(const LibraryRule *part, const LibraryRule *rule)
{
    const gint64 first = MAX(MAX(part->when.ranks.first, rule->when.ranks.first), 2),
                 last = MIN(part->when.ranks.last, rule->when.ranks.last);
    return part->id != 0 && !part->dead && !part->disabled && first <= MIN(last, G_MAXINT) &&
           part->when.bytes.first <=
               tuned_part_size(rule->collective, (int)MIN(last, G_MAXINT), rule->when.bytes.last) &&
           tuned_part_size(rule->collective, (int)first, rule->when.bytes.first) <= part->when.bytes.last;
}

// Returns what is wrong with calls that a rule decides, or NULL.
static const char *harm_of(const RulesFile *file, const LibraryRule *rule)
{
    const LibraryAlgorithm *a = tables_tuned(file->names, rule->collective, rule->id);
    return !a || (a->needs & LIBRARY_NEEDS_TWO && has_ranks_without(rule->when.ranks, a->needs)) ? "returns an error"
           : a->ordered ? "gives wrong results if the operation is not commutative"
                        : NULL;
}

static gboolean is_noted(const RulesFile *file, const char *text)
{
    for (guint i = 0; i < file->traps->len; i++)
        if (g_array_index(file->traps, Trap, i).kind == TRAP_NOTE &&
            g_str_equal(g_array_index(file->traps, Trap, i).text, text))
            return TRUE;
    return FALSE;
}

// Reports what the file's rules of a collective do within an algorithm that calls it. That they decide is how the
// library works, and is noted once for the algorithm; it is a trap if a rule that does harm acts in it.
static void judge_part(RulesFile *file, const LibraryRule *rule, const LibraryAlgorithm *a, const char *part)
{
    const char *name = tuned_collectives[rule->collective].name, *harm = NULL;
    const LibraryRule *acts = NULL;
    for (guint i = 0; i < file->rules->len && !harm; i++) {
        const LibraryRule *other = &g_array_index(file->rules, LibraryRule, i);
        if (other->collective != tuned_collective(part) || !acts_within(other, rule))
            continue;
        acts = other;
        harm = harm_of(file, other);
    }
    g_autofree char *text =
        g_strdup_printf("%s %d (%s) calls %s, so the rules of %s decide within it", name, a->id, a->name, part, part);
    if (harm)
        rules_trap(file, tables_tuned(file->names, acts->collective, acts->id) ? TRAP_ORDER : TRAP_REACH, rule->line,
                   "%s; that of line %zu %s", text, acts->line, harm);
    else if (acts && !is_noted(file, text))
        rules_trap(file, TRAP_NOTE, rule->line, "%s", text);
}

static void judge_parts(RulesFile *file, const LibraryRule *rule, const LibraryAlgorithm *a)
{
    for (size_t i = 0; i < G_N_ELEMENTS(a->calls) && a->calls[i]; i++)
        judge_part(file, rule, a, a->calls[i]);
}

// Returns an algorithm that does not notice an error of a collective, which it calls, or NULL.
static const LibraryAlgorithm *deaf_to(const Tables *names, const char *collective)
{
    for (guint i = 0; i < names->algorithms->len; i++) {
        const LibraryAlgorithm *a = &g_array_index(names->algorithms, LibraryAlgorithm, i);
        for (size_t k = 0; a->deaf && k < G_N_ELEMENTS(a->calls) && a->calls[k]; k++)
            if (strcmp(a->calls[k], collective) == 0)
                return a;
    }
    return NULL;
}

static void judge_rule(RulesFile *file, const LibraryRule *rule)
{
    const TunedCollective *collective = &tuned_collectives[rule->collective];
    const LibraryAlgorithm *a = tables_tuned(file->names, rule->collective, rule->id);
    if (!a) {
        const LibraryAlgorithm *deaf = deaf_to(file->names, tuned_collectives[rule->collective].name);
        g_autofree char *more = deaf ? g_strdup_printf(", but %s %d (%s) takes no notice and returns wrong data",
                                                       collectives[deaf->collective].name, deaf->id, deaf->name)
                                     : g_strdup("");
        rules_trap(file, TRAP_ERROR, rule->line, "%s has no algorithm %d in %s; calls return an error%s",
                   collective->name, rule->id, file->library->title, more);
        return;
    }
    judge_need(file, rule, a);
    judge_fields(file, rule, a);
    judge_parts(file, rule, a);
    if (a->ordered)
        rules_trap(file, TRAP_ORDER, rule->line,
                   "%s %d (%s) gives wrong results if the operation is not commutative, and is used all the same",
                   collective->name, a->id, a->name);
    if (rule->when.bytes.first > 0 && collective->size == TUNED_SIZE_TYPE)
        rules_trap(file, TRAP_REACH, rule->line, "%s: the message size is type x ranks, and the count is not in it",
                   collective->name);
}

// ---- Rules together ------------------------------------------------------------------------------------------------

// Reports sets of scatter and gather with several algorithms. The size that decides is made of the send arguments,
// which do not count on every rank, so that ranks of one call can take different rules.
static void judge_ranks(RulesFile *file)
{
    int reported = -1;
    for (guint i = 1; i < file->rules->len; i++) {
        const LibraryRule *rule = &g_array_index(file->rules, LibraryRule, i), *before = rule - 1;
        const char *name = tuned_collectives[rule->collective].name;
        const gboolean scatter = g_str_equal(name, "scatter"), gather = g_str_equal(name, "gather");
        if ((!scatter && !gather) || before->set != rule->set || before->id == rule->id || rule->set == reported ||
            rule->dead || before->dead)
            continue;
        reported = rule->set;
        rules_trap(
            file, TRAP_RANKS, rule->line,
            scatter ? "scatter with two algorithms for one number of ranks: ranks that pass another send count, which "
                      "MPI allows off the root, run another one; the call fails or hangs"
                    : "gather with two algorithms for one number of ranks: a root with MPI_IN_PLACE and another send "
                      "count runs another one; the call fails or hangs");
    }
}

void rules_judge(RulesFile *file)
{
    gboolean reported[TUNED_COLLECTIVES] = {FALSE};
    find_dead(file);
    for (guint i = 0; i < file->rules->len; i++) {
        const LibraryRule rule = g_array_index(file->rules, LibraryRule, i);
        const TunedCollective *collective = &tuned_collectives[rule.collective];
        if (collective->size == TUNED_SIZE_NO_METHOD) {
            if (!reported[rule.collective])
                rules_trap(file, TRAP_UNREAD, rule.line, "rules of %s have no effect", collective->name);
            reported[rule.collective] = TRUE;
        } else if (rule.id != 0 && !rule.dead) {
            judge_rule(file, &rule);
        }
    }
    judge_ranks(file);
}
