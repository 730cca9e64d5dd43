#include "advice/tune/narrow.h"
#include "libraries/decide/tables.h"

enum { MOST_PIECES = 16 };

// Returns the rule for what runs in place of an algorithm.
static LibraryRule rule_otherwise(const LibraryRule *rule, const LibraryAlgorithm *a, const Tables *tables)
{
    const LibraryAlgorithm *otherwise = tables_tuned(tables, rule->collective, a->else_runs);
    LibraryRule other = *rule;
    other.id = a->else_runs; // 0: the fixed decision
    other.fanout = otherwise ? otherwise->older_fanout : 0;
    other.segment = other.max_requests = 0;
    return other;
}

// Appends the pieces of a rule whose numbers of ranks do not suit its algorithm. Returns FALSE if they are too many.
static gboolean add_pieces(GArray *rules, const LibraryRule *rule, const LibraryRule *otherwise, int needs)
{
    const guint before = rules->len;
    gint64 first = 0;
    for (gint64 p = rule->when.ranks.first; p <= rule->when.ranks.last + 1; p++) {
        const gboolean suits = p > rule->when.ranks.last || needs_suit(needs, p);
        if (!suits && first == 0)
            first = p;
        if (!suits || first == 0)
            continue;
        LibraryRule piece = *otherwise;
        piece.when.ranks = (RuleRange){first, p - 1};
        g_array_append_val(rules, piece);
        first = 0;
        if (rules->len - before > MOST_PIECES) {
            g_array_set_size(rules, before);
            return FALSE;
        }
    }
    return TRUE;
}

void narrow_add(GArray *rules, const Tune *tune, const LibraryRule *rule, const Tables *tables)
{
    const LibraryAlgorithm *a = tables_tuned(tables, rule->collective, rule->id);
    const LibraryRule otherwise = rule_otherwise(rule, a, tables);
    LibraryRule piece = *rule;
    const gint64 least = needs_least_size(a->needs, (int)rule->when.ranks.first, (gint64)tune->elem, rule->segment);
    if (least > piece.when.bytes.first && least <= piece.when.bytes.last)
        piece.when.bytes.first = least;
    if (add_pieces(rules, rule, &otherwise, a->needs)) {
        g_array_append_val(rules, piece);
        return;
    }
    for (guint i = 0; i < tune->places->len; i++) {
        const int p = g_array_index(tune->places, TunePlace, i).p;
        piece.when.ranks = (RuleRange){p, p};
        if ((i == 0 || p != g_array_index(tune->places, TunePlace, i - 1).p) && rule->when.ranks.first <= p &&
            p <= rule->when.ranks.last && needs_suit(a->needs, p))
            g_array_append_val(rules, piece);
    }
    g_array_append_val(rules, otherwise);
}
