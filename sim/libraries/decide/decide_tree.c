// How MPICH decides: by its tree, or by the compositions of its device ch4 on several nodes.
#include "libraries/decide/decide_ways.h"
#include "libraries/decide/selection.h"
#include "base/number.h"
#include <string.h>

// Returns the first of MPICH's rules that a call fits. Unlike the conditions of a file, the table counts a vector once.
static const LibraryRule *find_tree(const GArray *rows, const DecideCall *c)
{
    RuleCall call = selection_call(c);
    call.numbers[SELECT_TOTAL] = (gint64)decide_total(c);
    return rule_find(rows, &call);
}

// Returns the only algorithm that the library has for a collective, or NULL.
static const LibraryAlgorithm *only_one(const Tables *tables, Collective collective)
{
    const LibraryAlgorithm *only = NULL;
    int n = 0;
    for (guint i = 0; i < tables->algorithms->len; i++) {
        const LibraryAlgorithm *a = &g_array_index(tables->algorithms, LibraryAlgorithm, i);
        only = a->collective == collective ? a : only;
        n += a->collective == collective;
    }
    return n == 1 ? only : NULL;
}

static void decide_parts(Tables *tables, const DecideCall *c, Decision *d);

// Decides the branch of an entry that the call takes: what it runs is known, and the library decides the parts of that.
static void decide_branch(Tables *tables, const DecideCall *c, Decision *d)
{
    const CollAlgorithm *runs = d->entry->branch(&d->par, c->p, c->m);
    const CollParam *param = NULL;
    for (int i = 0; !param; i++) {
        param = decide_part_param(d->entry, i);
        param = param && param_part(param, &d->par) == runs ? param : NULL;
    }
    Decision *part = decide_new(tables, c);
    part->entry = runs;
    part->name = runs->name;
    part->par = algorithm_defaults(runs);
    part->par.of = runs;
    if (algorithm_needs_nodes(runs))
        decide_parts(tables, c, part);
    decide_take_part(d, param, part);
}

// Decides all parts of an entry over nodes.
static void decide_parts(Tables *tables, const DecideCall *c, Decision *d)
{
    const CollParam *param;
    if (d->entry->branch) {
        decide_branch(tables, c, d);
        return;
    }
    for (int i = 0; i < algorithm_n_params(d->entry); i++) {
        if (!(param = decide_part_param(d->entry, i)))
            continue;
        // The leaders run the collective itself; another one is within the nodes, as a barrier's release.
        const gboolean within = param->within || param->of != c->collective;
        const DecideCall part = decide_part_call(c, param->of, c->nodes->n, DECIDE_ON_ROOTS);
        if (within)
            decide_within(tables, d, param, c);
        else
            decide_take_part(d, param, decide_call(tables, &part));
    }
}

// Gives the entry what a leaf passes, such as "tree_type=kary k=4".
static void take_leaf(Decision *d, const LibraryAlgorithm *a, const char *params)
{
    g_auto(GStrv) given = g_strsplit(params, " ", -1), known = g_strsplit(a->leaf, " ", -1);
    for (char **word = given; *word; word++) {
        const char *equals = strchr(*word, '='), *due = NULL;
        int value;
        for (char **other = known; equals && *other; other++)
            if (strncmp(*other, *word, (size_t)(equals + 1 - *word)) == 0)
                due = *other + (equals + 1 - *word);
        if (!due || strcmp(due, equals + 1) == 0)
            continue;
        const char *name = strcmp(due, "RADIX") == 0 ? "radix" : strcmp(due, "SEGMENT") == 0 ? "segment" : NULL;
        if (!name || !number_int(equals + 1, 0, INT_MAX, &value) || !decide_set(d, name, value))
            decide_missing(d, "our %s has not %s's %s", d->entry->name, d->library->title, *word);
    }
}

void decide_run_tree(Tables *tables, const DecideCall *c, Decision *d, const LibraryAlgorithm *a, const char *params)
{
    d->entry = a ? decide_entry(tables, a, &d->par) : NULL;
    if (!d->entry) {
        decide_missing(d, "no algorithm here sends the messages of %s's %s", d->library->title, d->name);
        return;
    }
    take_leaf(d, a, params);
    if (algorithm_needs_nodes(d->entry) && c->nodes && c->nodes->n > 1 && c->nodes->n < c->p)
        decide_parts(tables, c, d);
    if (!a->own_fallback)
        decide_check(d, c);
}

// Returns what the library's own tree has for a call. A collective that is not in the table has one algorithm.
static DecideLeaf own_leaf(const Tables *tables, const DecideCall *c)
{
    const LibraryRule *row = find_tree(tables->tree, c);
    const LibraryAlgorithm *only = row ? NULL : only_one(tables, c->collective);
    return (DecideLeaf){row ? row->runs : only ? only->name : "unknown", row ? row->params : "", NULL};
}

void decide_tree(Tables *tables, const DecideCall *c, Decision *d)
{
    const DecideLeaf leaf = c->tree ? c->tree(c, c->from) : own_leaf(tables, c);
    d->name = leaf.runs ? leaf.runs : "nothing";
    if (leaf.ends)
        decide_missing(d, "the program ends: %s", leaf.ends);
    else
        decide_run_tree(tables, c, d, tables_named(tables, c->collective, decide_short_name(leaf.runs)), leaf.params);
}

gboolean decide_composition(Tables *tables, const DecideCall *c, Decision *d)
{
    const LibraryRule *row = find_tree(tables->compositions, c);
    const CollAlgorithm *entry =
        row ? decide_alias(c->collective, "mpich-ch4:", decide_short_name(row->runs), &d->par) : NULL;
    if (!entry || strcmp(row->params, "all ranks") == 0 || !c->nodes)
        return FALSE;
    DecideCall node = *c;
    node.group = DECIDE_ON_NODE;
    d->name = row->runs;
    if (c->nodes->n == 1) { // then the part within the node is all there is, except in barrier and scan
        if (collectives[c->collective].rooted || c->collective == COLL_ALLREDUCE)
            decide_tree(tables, &node, d);
        else
            decide_missing(d, "no algorithm here is MPICH's %s over one node", collectives[c->collective].name);
        return TRUE;
    }
    d->entry = entry;
    decide_parts(tables, c, d);
    decide_check(d, c);
    return TRUE;
}
