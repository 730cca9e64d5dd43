#include "libraries/decide/selection_keys.h"

void selection_free(Selection *s)
{
    if (!s)
        return;
    g_array_unref(s->keys);
    g_array_unref(s->rows);
    g_free(s);
}

// ---- Conditions -----------------------------------------------------------------------------------------------------

gint64 selection_pow2(gint64 n)
{
    return n < 1 ? 0 : (gint64)1 << (g_bit_storage((gulong)n) - 1);
}

// Returns FALSE if no call fits; narrows the ranks where a power of two, or none, is asked for, and the hierarchies
// where only those with shared nodes are.
static gboolean when_settle(RuleWhen *when)
{
    RuleRange *ranks = &when->numbers[SELECT_RANKS];
    if (when->flags[SELECT_POW2] == 2) {
        const gint64 below = selection_pow2(ranks->first);
        ranks->first = below == ranks->first ? below : below * 2;
        ranks->last = selection_pow2(ranks->last);
    } else if (when->flags[SELECT_POW2] == 1) {
        for (int i = 0; i < 2; i++) { // 1 and 2 follow each other
            ranks->first += selection_pow2(ranks->first) == ranks->first;
            ranks->last -= selection_pow2(ranks->last) == ranks->last;
        }
    }
    if (when->flags[SELECT_ONE_NODE] == 2 || when->flags[SELECT_CONSECUTIVE] == 2)
        when->hierarchies &= SELECT_PARENT;
    for (int i = 0; i < SELECT_N_NUMBERS; i++)
        if (when->numbers[i].first > when->numbers[i].last)
            return FALSE;
    for (int i = 0; i < SELECT_N_FLAGS; i++)
        if (when->flags[i] == 0)
            return FALSE;
    return when->hierarchies != 0 && (when->flags[SELECT_BUILT_IN] != 2 || when->flags[SELECT_COMMUTATIVE] != 1);
}

gboolean selection_narrow(RuleWhen *when, const SelectionKey *key, int collective, gboolean at_call, gboolean holds)
{
    const SelectionWord *w = key->word;
    if (w->kind == WORD_ANY)
        return holds;
    if (w->kind == WORD_COLLECTIVE)
        return holds == (key->collective == collective);
    if (w->kind == WORD_NUMBER) {
        // comm_size<N is tested as <= at a call
        const gint64 last = key->number + (at_call && w->field == SELECT_RANKS ? w->value : 0);
        RuleRange *range = &when->numbers[w->field];
        if (holds)
            range->last = MIN(range->last, last);
        else
            range->first = MAX(range->first, last + 1);
    } else if (w->kind == WORD_FLAG) {
        when->flags[w->field] &= w->value == holds ? 2 : 1;
    } else {
        when->hierarchies &= (guint8)(holds ? w->value : ~w->value);
    }
    return when_settle(when);
}

gboolean selection_meet(const RuleWhen *a, const RuleWhen *b, RuleWhen *both)
{
    *both = *a;
    for (int i = 0; i < SELECT_N_NUMBERS; i++) {
        both->numbers[i].first = MAX(a->numbers[i].first, b->numbers[i].first);
        both->numbers[i].last = MIN(a->numbers[i].last, b->numbers[i].last);
    }
    for (int i = 0; i < SELECT_N_FLAGS; i++)
        both->flags[i] &= b->flags[i];
    both->hierarchies &= b->hierarchies;
    return when_settle(both);
}

// ---- Needs ----------------------------------------------------------------------------------------------------------

int selection_unmet(int needs, const RuleCall *call)
{
    int unmet = needs & LIBRARY_NEEDS_PARENT && call->hierarchy != SELECT_PARENT ? LIBRARY_NEEDS_PARENT : 0;
    for (const LibraryNeed *n = library_needs; n->need; n++)
        if (needs & (int)n->need && n->need != LIBRARY_NEEDS_PARENT && (call->flags[n->flag] != 0) != n->yes)
            unmet |= (int)n->need;
    return unmet;
}

int selection_unsure(int needs, const RuleWhen *when)
{
    int unsure = needs & LIBRARY_NEEDS_PARENT && when->hierarchies & ~SELECT_PARENT ? LIBRARY_NEEDS_PARENT : 0;
    for (const LibraryNeed *n = library_needs; n->need; n++) {
        RuleWhen other = *when;
        other.flags[n->flag] &= n->yes ? 1 : 2;
        if (needs & (int)n->need && n->need != LIBRARY_NEEDS_PARENT && when_settle(&other))
            unsure |= (int)n->need;
    }
    // enough elements for the greatest power of two that is possible
    if (when->numbers[SELECT_COUNT].first >= selection_pow2(when->numbers[SELECT_RANKS].last))
        unsure &= ~LIBRARY_NEEDS_COUNT_POW2;
    return unsure;
}

// ---- Words ----------------------------------------------------------------------------------------------------------

static void add_word(GString *s, const char *format, ...) G_GNUC_PRINTF(2, 3);
static void add_word(GString *s, const char *format, ...)
{
    va_list words;
    va_start(words, format);
    g_string_append(s, s->len ? ", " : "");
    g_string_append_vprintf(s, format, words);
    va_end(words);
}

char *selection_text(const RuleWhen *when, SelectNumber bytes)
{
    static const char *const numbers[] = {"ranks", "ranks per node", "average", "total", "count"};
    static const char *const flags[SELECT_N_FLAGS][2] = {
        [SELECT_INTER] = {NULL, "intercommunicator"},
        [SELECT_POW2] = {"not 2^k", "2^k ranks"},
        [SELECT_ONE_NODE] = {"not one node", "one node"},
        [SELECT_CONSECUTIVE] = {"nodes not in order", "nodes in order"},
        [SELECT_THREADED] = {"one thread", "threads"},
        [SELECT_BELOW_POW2] = {"count >= pof2", "count < pof2"},
        [SELECT_COMMUTATIVE] = {"not commutative", "commutative"},
        [SELECT_BUILT_IN] = {"own operation", "MPI's operation"},
        [SELECT_REGULAR] = {"unequal blocks", "equal blocks"},
        [SELECT_IN_PLACE] = {"not in place", "in place"},
    };
    static const char *const hierarchies[] = {"flat", "parent", "node", "node_roots"};
    GString *s = g_string_new("");
    for (int i = 0; i < SELECT_N_FLAGS; i++)
        if (when->flags[i] != 3 && flags[i][when->flags[i] == 2])
            add_word(s, "%s", flags[i][when->flags[i] == 2]);
    if (when->hierarchies == (SELECT_ANY_HIERARCHY & ~SELECT_PARENT)) {
        add_word(s, "not parent");
    } else if (when->hierarchies != SELECT_ANY_HIERARCHY) {
        g_string_append(s, s->len ? ", " : "");
        gboolean any = FALSE;
        for (int i = 0; i < 4; i++)
            if (when->hierarchies & 1 << i) {
                g_string_append_printf(s, "%s%s", any ? "|" : "", hierarchies[i]);
                any = TRUE;
            }
    }
    for (int i = SELECT_PER_NODE; i < SELECT_N_NUMBERS; i++) {
        const gint64 least = i == SELECT_PER_NODE, most = i == SELECT_PER_NODE ? G_MAXINT : RULES_NO_LIMIT;
        if (i == (int)bytes)
            continue;
        if (when->numbers[i].first > least)
            add_word(s, "%s > %" G_GINT64_FORMAT, numbers[i], when->numbers[i].first - 1);
        if (when->numbers[i].last < most)
            add_word(s, "%s <= %" G_GINT64_FORMAT, numbers[i], when->numbers[i].last);
    }
    return g_string_free(s, FALSE);
}
