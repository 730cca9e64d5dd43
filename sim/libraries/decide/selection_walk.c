#include "libraries/decide/selection.h"
#include "base/error.h"

// ---- Ways through the tree ------------------------------------------------------------------------------------------

static void add_row(Selection *s, int collective, SelectionEnd end, const SelectionKey *at, const RuleWhen *when)
{
    if (end == ROW_NOTHING && s->kind != SELECTION_ALGORITHMS)
        end = ROW_TREE;
    const gboolean runs = end == ROW_RUNS;
    const LibraryRule row = {.collective = collective,
                             .when = *when,
                             .line = at ? at->line : end != ROW_TREE, // 0: the file does not have the collective
                             .end = end,
                             .runs = runs ? at->algorithm->function : NULL,
                             .algorithm = runs ? at->algorithm : NULL,
                             .params = runs ? at->params : ""};
    g_array_append_val(s->rows, row);
}

// Returns TRUE if the key may be asked about calls of the collective.
static gboolean may_ask(const SelectionKey *key, int collective)
{
    const SelectionWord *w = key->word;
    const guint of_messages = 1u << SELECT_AVERAGE | 1u << SELECT_TOTAL | 1u << SELECT_COUNT;
    const guint flags_of_messages =
        1u << SELECT_COMMUTATIVE | 1u << SELECT_BUILT_IN | 1u << SELECT_REGULAR | 1u << SELECT_IN_PLACE;
    const SelectionCollective *c = &selection_collectives[collective];
    if (w->kind == WORD_NUMBER)
        return !(of_messages & 1u << w->field) || c->numbers & 1u << w->field;
    if (w->kind == WORD_FLAG && w->field == SELECT_BELOW_POW2)
        return (c->numbers & 1u << SELECT_COUNT) != 0;
    return w->kind != WORD_FLAG || !(flags_of_messages & 1u << w->field) || c->flags & 1u << w->field;
}

static void note_strict(Selection *s, const SelectionKey *key)
{
    g_autofree char *shown = error_quote(key->text);
    rules_trap(s->file, TRAP_SHIFTED, key->line,
               "%s is <= %" G_GINT64_FORMAT " here, behind a condition about messages", shown, key->number + 1);
}

// Follows the ways of a collective's calls from a key. While the communicator is made (`at_call` is FALSE), a way that
// finds nothing goes back to `top`, the whole of the collective's tree, from where the call starts then.
static void walk(Selection *s, int at, int collective, gboolean at_call, int top, RuleWhen when)
{
    int before = -1;
    for (; at >= 0; at = selection_key(s, at)->next) {
        SelectionKey *key = selection_key(s, at);
        before = at;
        key->reached = TRUE;
        if (key->word->kind == WORD_LEAF) {
            add_row(s, collective, ROW_RUNS, key, &when);
            return;
        }
        at_call |= !key->word->of_comm;
        if (at_call && !key->at_call && key->word->field == SELECT_RANKS && key->word->value == 1 &&
            key->word->kind == WORD_NUMBER && top >= 0)
            note_strict(s, key);
        key->at_call |= at_call && top >= 0;
        if (at_call && !may_ask(key, collective)) {
            add_row(s, collective, ROW_REFUSED, key, &when);
            return;
        }
        RuleWhen inside = when;
        if (selection_narrow(&inside, key, collective, at_call, TRUE))
            walk(s, key->inside, collective, at_call, top, inside);
        if (!selection_narrow(&when, key, collective, at_call, FALSE))
            return;
    }
    if (at_call || top < 0)
        add_row(s, collective, ROW_NOTHING, before >= 0 ? selection_key(s, before) : NULL, &when);
    else
        walk(s, top, collective, TRUE, -1, when);
}

// Follows the ways that lead to the collectives. The library takes all keys of the object for collectives.
static void walk_collectives(Selection *s, int first, const RuleWhen *when)
{
    for (int c = 0; c < SELECTION_COLLECTIVES; c++) {
        int found = -1;
        for (int at = first; at >= 0; at = selection_key(s, at)->next)
            if (selection_key(s, at)->collective == c)
                found = at; // of two, the later one replaces the earlier
        if (found >= 0)
            walk(s, selection_key(s, found)->inside, c, FALSE, selection_key(s, found)->inside, *when);
        else
            add_row(s, c, ROW_NOTHING, NULL, when);
    }
}

static void walk_root(Selection *s, int at, RuleWhen when)
{
    int before = -1;
    for (; at >= 0; at = selection_key(s, at)->next) {
        SelectionKey *key = selection_key(s, at);
        before = at;
        key->reached = TRUE;
        if (key->word->kind == WORD_COLLECTIVE) {
            for (int i = at; i >= 0; i = selection_key(s, i)->next) {
                selection_key(s, i)->reached = TRUE;
                g_autofree char *shown = error_quote(selection_key(s, i)->text);
                if (selection_key(s, i)->word->kind != WORD_COLLECTIVE) {
                    rules_trap(s->file, TRAP_CRASH, selection_key(s, i)->line,
                               "%s follows a collective: it is taken for one, and writes beyond the library's table",
                               shown);
                    s->file->ignored = TRUE;
                }
            }
            walk_collectives(s, at, &when);
            return;
        }
        if (!key->word->of_comm) {
            add_row(s, -1, ROW_COMM, key, &when);
            return;
        }
        RuleWhen inside = when;
        if (selection_narrow(&inside, key, -1, FALSE, TRUE))
            walk_root(s, key->inside, inside);
        if (!selection_narrow(&when, key, -1, FALSE, FALSE))
            return;
    }
    add_row(s, -1, ROW_COMM, before >= 0 ? selection_key(s, before) : NULL, &when);
}

static void add_dead(Selection *s)
{
    for (guint i = 0; i < s->keys->len; i++) {
        const SelectionKey *key = selection_key(s, (int)i);
        if (key->inside < 0 || !key->reached || selection_key(s, key->inside)->reached)
            continue;
        g_autofree char *shown = error_quote(key->text);
        rules_trap(s->file, TRAP_DEAD, key->line, "no call gets into %s", shown);
    }
}

// Lists every key that stands behind one which takes all calls.
static void add_hidden(Selection *s)
{
    for (guint i = 0; i < s->keys->len; i++) {
        const SelectionKey *key = selection_key(s, (int)i);
        const SelectionKey *next = key->next >= 0 ? selection_key(s, key->next) : NULL;
        if (!next || !key->reached || next->reached)
            continue;
        g_autofree char *shown = error_quote(next->text);
        rules_trap(s->file, TRAP_DEAD, next->line, "no call gets to %s: the keys before it take all", shown);
    }
}

void selection_walk(Selection *s)
{
    RuleWhen all = rule_all();
    all.ranks = all.per_node = (RuleRange){1, G_MAXINT};
    if (s->root >= 0)
        walk_root(s, s->root, all);
    for (int c = 0; s->root < 0 && c < SELECTION_COLLECTIVES; c++)
        add_row(s, c, ROW_NOTHING, NULL, &all);
    if (s->file->ignored)
        return;
    add_dead(s);
    add_hidden(s);
}
