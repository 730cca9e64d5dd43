// How the libraries decide. A decision on a call decides the calls of its parts, so all of it is in one file.
#include "libraries/decide/decide_entry.h"
#include "libraries/decide/rules_han.h"
#include "libraries/decide/selection.h"
#include "libraries/decide/tuned.h"
#include "libraries/decide/ucc.h"
#include "base/number.h"
#include <string.h>

// Returns the decision on the call of a part: by what the program gave for parts, or by the library's tables.
static Decision *decide_part(Tables *tables, const DecideCall *c, const DecideCall *part)
{
    return c->decide_part ? c->decide_part(tables, part, c->from) : decide_call(tables, part);
}

// Decides a part that runs within each node; nodes of different sizes must agree. A node of one rank does nothing.
static void decide_within(Tables *tables, Decision *d, const CollParam *param, const DecideCall *c)
{
    Decision *first = NULL;
    for (int i = 0; i < c->nodes->n_sizes; i++) {
        const int p = coll_nodes_size(c->nodes, c->nodes->sized[i]);
        DecideCall part = decide_part_call(c, param->of, p, DECIDE_ON_NODE);
        if (d->par.segment > 0 && collectives[param->of].vector)
            part.m = MIN(part.m, d->par.segment); // each segment is a call
        Decision *decided = p == 1 ? NULL : decide_part(tables, c, &part);
        if (!first) {
            first = decided;
            continue;
        }
        if (decided && (decided->entry != first->entry ||
                        (first->entry && !params_same(first->entry, &decided->par, &first->par))))
            decide_missing(d, "nodes of different sizes choose different algorithms for the %s", param->name);
        decision_free(decided);
    }
    decide_take_part(d, param, first);
}

// ---- Open MPI: the table of its component tuned, or HAN on several nodes --------------------------------------------

RuleCall decide_tuned_call(const DecideCall *c, gint64 bytes)
{
    RuleCall call = rule_call(tuned_collective(collectives[c->collective].name), c->p, bytes);
    call.flags[SELECT_COMMUTATIVE] = c->commutative;
    call.flags[SELECT_ONE_NODE] = c->nodes && c->nodes->n == 1;
    call.numbers[SELECT_NODES] = c->nodes ? c->nodes->n : 1;
    call.numbers[SELECT_PER_NODE] = (c->p + call.numbers[SELECT_NODES] - 1) / call.numbers[SELECT_NODES];
    if (c->nodes && c->nodes->n == c->p)
        call.hierarchy = SELECT_FLAT;
    return call;
}

// Finds the entry of an id, and gives it what the decision passes.
static void find_tuned_entry(const Tables *tables, Decision *d, const LibraryAlgorithm *a)
{
    const LibraryAlgorithm *same = a->takes & TAKES_FANOUT && d->fanout <= 1 && a->one_fanout
                                       ? tables_algorithm(tables, a->collective, a->one_fanout)
                                       : NULL;
    d->entry = decide_entry(tables, same ? same : a, &d->par);
    if (!d->entry) {
        g_autofree char *id = tables_id(a);
        decide_missing(d, "no algorithm here sends the messages of %s%s %s", d->library->title, a->by_name ? "'s" : "",
                       id);
        return;
    }
    if (a->takes & TAKES_SEGMENT) {
        decide_set(d, "segment", (int64_t)d->segment);
        decide_set(d, "first_segment", (int64_t)d->segment);
    }
    if (a->takes & TAKES_FANOUT)
        decide_set(d, "chains", MAX(d->fanout, 1));
    if (a->takes & (TAKES_FANOUT | TAKES_RADIX) && d->fanout > 0)
        decide_set(d, "radix", d->fanout);
    if (a->takes & TAKES_MAX_REQUESTS)
        decide_set(d, "max_requests", d->max_requests);
    if (*a->differs)
        decide_missing(d, "our %s stands for %s's %s of %s: %s", d->entry->name, d->library->title, a->name,
                       collectives[a->collective].name, a->differs);
}

// Lets UCC choose what nobody passes to its algorithm. Returns FALSE if UCC does not take the call.
static gboolean decide_ucc_passes(const LibraryAlgorithm *a, const DecideCall *c, Decision *d)
{
    DecidePassed passed = {d->segment, d->fanout, d->max_requests};
    if (collectives[c->collective].reduces && !c->commutative) {
        d->name = "not in UCC";
        decide_missing(d, "UCC takes MPI's own operations only, and leaves others to Open MPI's next component");
        return FALSE;
    }
    ucc_usual(a, c, &passed);
    d->fanout = passed.fanout;
    d->max_requests = passed.max_requests;
    return TRUE;
}

// Runs an id, or the fallback that is left where needs are not met, with the parameters that d has.
static void decide_run_tuned(Tables *tables, const DecideCall *c, Decision *d, int id)
{
    const LibraryAlgorithm *a = tables_algorithm(tables, c->collective, id);
    for (const char *why; a && (why = decide_unmet(a, c, d->segment));) {
        d->why = d->why ? d->why : why;
        if (a->else_one_chain)
            d->fanout = 1;
        a = tables_algorithm(tables, c->collective, a->else_runs);
    }
    d->name = a ? a->name : "error";
    d->id = a ? a->id : 0;
    if (!a) {
        d->why = d->why                                     ? d->why
                 : d->library->family == LIBRARY_UCC && !id ? "tl/ucp leaves it to another layer"
                                                            : "its id is unknown";
        decide_missing(d, "%s refuses the call: %s", d->library->title, d->why);
        return;
    }
    if (d->library->family == LIBRARY_UCC && !decide_ucc_passes(a, c, d))
        return;
    find_tuned_entry(tables, d, a);
    const CollParam *param;
    for (int i = 0; d->entry && i < algorithm_n_params(d->entry); i++)
        if ((param = decide_part_param(d->entry, i))) {
            DecideCall part = decide_part_call(c, param->of, c->p, DECIDE_ON_ALL);
            part.nodes = c->nodes;
            part.decide_part = c->decide_part;
            decide_take_part(d, param, decide_part(tables, c, &part));
        }
    decide_check(d, c);
}

// Decides by the table of the component tuned, or of UCC's tl/ucp.
static void decide_tuned(Tables *tables, const DecideCall *c, Decision *d)
{
    const RuleCall call = decide_tuned_call(c, (gint64)d->bytes);
    const LibraryRule *row = rule_find(tables->tuned, &call);
    if (!row) {
        d->name = "basic linear";
        decide_missing(d,
                       d->library->family == LIBRARY_UCC
                           ? "%s leaves %s to Open MPI's next component"
                           : "%s leaves %s to its component basic, which is not in the data",
                       d->library->title, collectives[c->collective].name);
        return;
    }
    d->chosen = row->id;
    d->segment = (size_t)row->segment;
    d->fanout = row->fanout;
    d->max_requests = row->max_requests;
    decide_run_tuned(tables, c, d, row->id);
}

const char *decide_han_algorithm(const Tables *tables, Collective collective, const DecideHan *han)
{
    const HanFile *served = rules_han_of(tables, collective);
    const char *named = han->algorithm && served ? rules_han_algorithm(served, han->algorithm) : NULL;
    return named && *named ? named : tables->han[collective];
}

gboolean decide_han_has(Collective collective, const char *algorithm)
{
    CollParams par;
    return decide_alias(collective, "han:", algorithm, &par) != NULL;
}

gboolean decide_han_blocks(const Tables *tables, Collective collective, const char *algorithm, gboolean whole)
{
    const HanFile *served = rules_han_of(tables, collective);
    return strcmp(algorithm, "simple") == 0 || (whole && collective == COLL_BCAST) ||
           (served && rules_han_lists(served->by_levels, algorithm));
}

gboolean decide_han_calls(const Tables *tables, Collective collective, const char *algorithm, Collective called,
                          gboolean within)
{
    CollParams par;
    const CollAlgorithm *entry = decide_alias(collective, "han:", algorithm, &par);
    const gboolean blocks = within || decide_han_blocks(tables, collective, algorithm, TRUE);
    gboolean calls = FALSE;
    for (int i = 0; entry && blocks && i < algorithm_n_params(entry); i++) {
        const CollParam *param = decide_part_param(entry, i);
        calls |= param && param->of == called && !param->within == !within;
    }
    return calls;
}

// Decides a part that one rank of each node runs, where the algorithm calls it as a program would. Blocks then have what all
// ranks of a node have.
static void decide_between(Tables *tables, Decision *d, const CollParam *param, const DecideCall *c,
                           const char *algorithm)
{
    if (!decide_han_blocks(tables, c->collective, algorithm, c->m <= d->par.segment)) {
        decide_missing(d, "what HAN runs between the nodes is not in the data");
        decide_take_part(d, param, NULL);
        return;
    }
    DecideCall part = decide_part_call(c, param->of, c->nodes->n, DECIDE_ON_ROOTS);
    if (!collectives[param->of].vector && c->collective != COLL_BARRIER)
        part.m = decide_total(c) / (size_t)c->nodes->n;
    part.decide_part = c->decide_part;
    decide_take_part(d, param, decide_part(tables, c, &part));
}

// Decides by HAN. Returns FALSE if HAN leaves the call to tuned.
static gboolean decide_han(Tables *tables, const DecideCall *c, Decision *d)
{
    if (!decide_has_han(tables, c->collective, &c->han) || c->no_han || !c->nodes || c->nodes->n == 1)
        return FALSE;
    if (collectives[c->collective].reduces && !c->commutative)
        return FALSE;
    if (c->nodes->n == c->p) {
        d->name = "han";
        decide_missing(d, "HAN takes ranks that share no node too, and what it then runs is not in the data");
        return TRUE;
    }
    const char *name = decide_han_algorithm(tables, c->collective, &c->han), *why;
    d->name = "han";
    d->entry = decide_alias(c->collective, "han:", name, &d->par);
    if (!d->entry) {
        decide_missing(d, "no algorithm here is HAN's %s of %s", name, collectives[c->collective].name);
        return TRUE;
    }
    const size_t segment = c->han.segment ? c->han.segment : tables->han_segments[c->collective];
    if (d->par.segment > 0 && segment > 0)
        decide_set(d, "segment", (int64_t)segment);
    if (!decide_runs(d->entry, &d->par, c, &why)) { // nodes of different sizes
        d->entry = NULL;
        return FALSE;
    }
    const CollParam *param;
    for (int i = 0; i < algorithm_n_params(d->entry); i++) {
        if (!(param = decide_part_param(d->entry, i)))
            continue;
        if (param->within)
            decide_within(tables, d, param, c);
        else
            decide_between(tables, d, param, c, name);
    }
    decide_check(d, c);
    return TRUE;
}

// ---- MPICH: its tree, or the compositions of its device ch4 on several nodes ----------------------------------------

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

// Runs an algorithm of MPICH, or another one that the library calls d->name if `algorithm` is NULL. `params` is what a
// leaf of a tree passes to it.
static void decide_run_tree(Tables *tables, const DecideCall *c, Decision *d, const LibraryAlgorithm *a,
                            const char *params)
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

// Decides by MPICH's tree, or by the one in its place.
static void decide_tree(Tables *tables, const DecideCall *c, Decision *d)
{
    const DecideLeaf leaf = c->tree ? c->tree(c, c->from) : own_leaf(tables, c);
    d->name = leaf.runs ? leaf.runs : "nothing";
    if (leaf.ends)
        decide_missing(d, "the program ends: %s", leaf.ends);
    else
        decide_run_tree(tables, c, d, tables_named(tables, c->collective, tables_short_name(leaf.runs)), leaf.params);
}

// Returns TRUE if a row of the table says that this composition leaves calls to the tree. There may be an entry of its name.
static gboolean on_all_ranks(const Tables *tables, const char *composition)
{
    for (guint i = 0; i < tables->compositions->len; i++) {
        const LibraryRule *row = &g_array_index(tables->compositions, LibraryRule, i);
        if (strcmp(row->runs, composition) == 0 && strcmp(row->params, "all ranks") == 0)
            return TRUE;
    }
    return FALSE;
}

// Decides by the compositions of ch4. Returns FALSE if the tree decides for all ranks.
static gboolean decide_composition(Tables *tables, const DecideCall *c, Decision *d)
{
    const LibraryRule *row = c->compositions ? NULL : find_tree(tables->compositions, c);
    const DecideLeaf leaf =
        c->compositions ? c->compositions(c, c->from) : (DecideLeaf){row ? row->runs : NULL, "", NULL};
    if (leaf.ends) {
        d->name = leaf.runs ? leaf.runs : "nothing";
        decide_missing(d, "the program ends: %s", leaf.ends);
        return TRUE;
    }
    const CollAlgorithm *entry = leaf.runs && !on_all_ranks(tables, leaf.runs)
                                     ? decide_alias(c->collective, "mpich-ch4:", tables_short_name(leaf.runs), &d->par)
                                     : NULL;
    if (!entry || !c->nodes)
        return FALSE;
    DecideCall node = *c;
    node.group = DECIDE_ON_NODE;
    d->name = leaf.runs;
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

// ---- Calls ----------------------------------------------------------------------------------------------------------

Decision *decide_call(Tables *tables, const DecideCall *c)
{
    const gboolean part = c->group != DECIDE_ON_ALL;
    Decision *d = decide_new(tables, c);
    d->bytes = decide_bytes(c);
    if (tables->library->family == LIBRARY_MPICH) {
        if (part || c->no_compositions || !decide_composition(tables, c, d))
            decide_tree(tables, c, d);
    } else if (tables->library->family == LIBRARY_UCC) {
        d->bytes = ucc_bytes(c);
        decide_tuned(tables, c, d);
    } else if (c->p == 1) { // the component self, which sends nothing
        d->name = "self";
        d->entry = decide_alias(c->collective, "ompi:", "1", &d->par);
        if (!d->entry)
            decide_missing(d, "no algorithm here is %s's on one rank", d->library->title);
    } else if (part || !decide_han(tables, c, d)) {
        decide_tuned(tables, c, d);
    }
    return d;
}

Decision *decide_told(Tables *tables, const DecideCall *call, const LibraryAlgorithm *a)
{
    return decide_passing(tables, call, a, NULL);
}

Decision *decide_passing(Tables *tables, const DecideCall *call, const LibraryAlgorithm *a, const DecidePassed *passed)
{
    DecideCall without = *call;
    const DecideCall *c = &without;
    Decision *d = decide_new(tables, c);
    without.no_han = !call->han_stays;
    d->bytes = decide_bytes(c);
    d->told = TRUE;
    d->chosen = a->id;
    if (passed) {
        d->segment = passed->segment;
        d->fanout = passed->fanout;
        d->max_requests = passed->max_requests;
    }
    if (tables->library->family != LIBRARY_MPICH)
        decide_run_tuned(tables, c, d, a->id);
    else if ((d->why = decide_unmet(a, c, 0)))
        decide_tree(tables, c, d);
    else {
        d->name = a->name;
        decide_run_tree(tables, c, d, a, "");
    }
    return d;
}

const char *decide_cannot(const LibraryAlgorithm *algorithm, const DecideCall *c)
{
    LibraryAlgorithm a = *algorithm;
    a.needs &= ~(LIBRARY_NEEDS_SEGMENTS | LIBRARY_NEEDS_HALVES);
    return decide_unmet(&a, c, 0);
}

gboolean decide_can(const LibraryAlgorithm *algorithm, const DecideCall *c)
{
    return !decide_cannot(algorithm, c);
}

gboolean decide_has_han(const Tables *tables, Collective collective, const DecideHan *han)
{
    enum { TUNED_PRIORITY = 30 };
    const gboolean first = han->priority ? han->priority > TUNED_PRIORITY : !tables->han_low;
    return first && tables->han[collective];
}

gboolean decide_asks_nodes(const Tables *tables, gboolean no_han, const DecideHan *han)
{
    gboolean asks = tables->library->family != LIBRARY_OMPI; // UCC's radix depends on them
    for (int i = 0; i < N_COLLECTIVES && !no_han; i++)
        asks |= decide_has_han(tables, (Collective)i, han);
    return asks;
}
