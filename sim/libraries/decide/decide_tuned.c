// How Open MPI decides: by the table of its component tuned, or by HAN on several nodes.
#include "libraries/decide/decide_ways.h"
#include "libraries/decide/rules_han.h"
#include "libraries/decide/tuned.h"

RuleCall decide_tuned_call(const DecideCall *c, gint64 bytes)
{
    RuleCall call = rule_call(tuned_collective(collectives[c->collective].name), c->p, bytes);
    call.flags[SELECT_COMMUTATIVE] = c->commutative;
    call.flags[SELECT_ONE_NODE] = c->nodes && c->nodes->n == 1;
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
        decide_missing(d, "no algorithm here sends the messages of %s %d", d->library->title, a->id);
        return;
    }
    if (a->takes & TAKES_SEGMENT) {
        decide_set(d, "segment", (int64_t)d->segment);
        decide_set(d, "first_segment", (int64_t)d->segment);
    }
    if (a->takes & TAKES_FANOUT) {
        decide_set(d, "chains", MAX(d->fanout, 1));
        decide_set(d, "radix", d->fanout);
    }
    if (a->takes & TAKES_MAX_REQUESTS)
        decide_set(d, "max_requests", d->max_requests);
}

void decide_run_tuned(Tables *tables, const DecideCall *c, Decision *d, int id)
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
        d->why = d->why ? d->why : "its id is unknown";
        decide_missing(d, "%s refuses the call: %s", d->library->title, d->why);
        return;
    }
    find_tuned_entry(tables, d, a);
    const CollParam *param;
    for (int i = 0; d->entry && i < algorithm_n_params(d->entry); i++)
        if ((param = decide_part_param(d->entry, i))) {
            DecideCall part = decide_part_call(c, param->of, c->p, DECIDE_ON_ALL);
            part.nodes = c->nodes;
            part.decide_part = c->decide_part;
            decide_take_part(d, param,
                             c->decide_part ? c->decide_part(tables, &part, c->from) : decide_call(tables, &part));
        }
    decide_check(d, c);
}

void decide_tuned(Tables *tables, const DecideCall *c, Decision *d)
{
    const RuleCall call = decide_tuned_call(c, (gint64)d->bytes);
    const LibraryRule *row = rule_find(tables->tuned, &call);
    if (!row) {
        d->name = "basic linear";
        decide_missing(d, "%s leaves %s to its component basic, which is not in the data", d->library->title,
                       collectives[c->collective].name);
        return;
    }
    d->chosen = row->id;
    d->segment = (size_t)row->segment;
    d->fanout = row->fanout;
    d->max_requests = row->max_requests;
    decide_run_tuned(tables, c, d, row->id);
}

// Returns the algorithm that HAN runs: the one that its variable names, if it has that for this collective.
static const char *han_algorithm(const Tables *tables, const DecideCall *c)
{
    const HanFile *served = rules_han_served(tables, tuned_collective(collectives[c->collective].name));
    const char *named = c->han.algorithm && served ? rules_han_algorithm(served, c->han.algorithm) : NULL;
    return named ? named : tables->han[c->collective];
}

gboolean decide_han_has(Collective collective, const char *algorithm)
{
    CollParams par;
    return decide_alias(collective, "han:", algorithm, &par) != NULL;
}

gboolean decide_han(Tables *tables, const DecideCall *c, Decision *d)
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
    const char *name = han_algorithm(tables, c), *why;
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
        else {
            decide_missing(d, "what HAN runs between the nodes is not in the data");
            decide_take_part(d, param, NULL);
        }
    }
    decide_check(d, c);
    return TRUE;
}
