#include "judge/prove/mutants.h"
#include "judge/prove/nodes.h"
#include "registry/registry.h"
#include <glib.h>
#include <string.h>

static const int some_p[] = {2, 3, 4, 5, 6, 7, 8, 9, 13};
const MutantsGrid mutants_grid = {some_p, G_N_ELEMENTS(some_p)};

const char *const mutation_names[N_MUTATIONS] = {
    [DROP] = "drop",
    [SWAP] = "swap",
    [MISROUTE_TO] = "misroute to",
    [MISROUTE_FROM] = "misroute from",
    [SHORTEN_OUT] = "shorten",
    [SHORTEN_IN] = "shorten receive",
    [SHORTEN_BOTH_ENDS] = "shorten message",
    [RAISE_MORE] = "flag says more",
    [RAISE_LESS] = "flag says less",
};

// ---- Mutants -----------------------------------------------------------------------------------------------------

static bool is_flag(const CollOp *op)
{
    return op->kind == COLL_RAISE || op->kind == COLL_AWAIT;
}

static bool shorten(Slice *s, size_t elem)
{
    const bool can = s->len > 0;
    s->len -= can ? elem : 0;
    return can;
}

// Applies the mutation to operation i of this rank. For SHORTEN_BOTH_ENDS it does the sender's part. Returns false if
// the mutation does not apply to the operation; the operation may then be changed all the same.
static bool mutate(ContentsRank *r, int i, Mutation mutation, int p, size_t elem)
{
    CollOp *op = &r->op[i];
    const bool operands = op->kind == COLL_COPY || op->kind == COLL_REDUCE_OP;
    const bool flag = is_flag(op);
    switch (mutation) {
    case DROP:
        memmove(op, op + 1, (size_t)(--r->n - i) * sizeof *op);
        return true;
    case SWAP:
        if (i + 1 < r->n) {
            const CollOp first = op[0];
            op[0] = op[1];
            op[1] = first;
        }
        return i + 1 < r->n;
    case MISROUTE_TO:
        op->to = (op->to + 1) % p;
        return contents_sends(op) || flag;
    case MISROUTE_FROM:
        op->from = (op->from + 1) % p;
        return contents_receives(op) || op->kind == COLL_AWAIT;
    case SHORTEN_OUT:
        if (op->kind == COLL_REDUCE_OP)
            shorten(&op->right, elem);
        if (operands)
            shorten(&op->in, elem);
        return (operands || contents_sends(op)) && shorten(&op->out, elem);
    case SHORTEN_IN:
        return contents_receives(op) && shorten(&op->in, elem);
    case SHORTEN_BOTH_ENDS:
        return contents_sends(op) && shorten(&op->out, elem);
    case RAISE_MORE:
        op->n += flag;
        return flag;
    case RAISE_LESS:
        op->n -= flag;
        return flag;
    case N_MUTATIONS:
        break;
    }
    return false;
}

// One operation of an algorithm, and the mutants that are made by changing it.
typedef struct MutantPlace {
    Contents *c;
    const Original *original;
    int rank, i;
    MutantsTally *tally;
} MutantPlace;

// Counts the mutant at->c, in which this rank and `other` have other operations than the algorithm, and keeps an error
// unless the checker rejects the mutant exactly if no rule calls it equivalent. The algorithm's ranks are `was`.
static void judge(const MutantPlace *at, int other, Mutation mutation, Rule rule, const ContentsRank *was)
{
    Contents *c = at->c;
    MutantsTally *tally = at->tally;
    g_autofree char *error = contents_error_in(c, at->rank, other);
    tally->mutants[mutation]++;
    tally->caught[mutation] += error != NULL;
    tally->same[rule] += rule != DIFFERENT;
    if ((error != NULL) == (rule == DIFFERENT))
        return;
    const ContentsRank mutated = c->rank[at->rank];
    c->rank[at->rank] = *was;
    g_autofree char *op = contents_op(c, at->rank, at->i);
    c->rank[at->rank] = mutated;
    tally->wrong = g_strdup_printf(
        "p %d root %d m %zu segment %zu%s%s, %s of %s: %s (rule: %s)", c->of.p, c->of.root, c->of.m, c->of.par.segment,
        c->of.commutative ? "" : ", ordered", c->of.in_place ? ", in place" : "", mutation_names[mutation], op,
        error ? error : "the checker accepts it, so that the operation seems to be needless", rule_names[rule]);
}

// Returns the rule for a mutant whose operation, a raise or an await, is missing or changed.
static Rule rule_of_flag(const MutantPlace *at, const ContentsRank *was)
{
    const int n = at->c->rank[at->rank].n;
    g_autofree int *from = g_new(int, n + 1);
    for (int k = 0; k < n; k++)
        from[k] = n < was->n && k >= at->i ? k + 1 : k;
    return story_holds(at->c, at->original->story, at->rank, from) ? ORDERED : DIFFERENT;
}

static void try_mutant(const MutantPlace *at, Mutation mutation)
{
    Contents *c = at->c;
    const Messages *ms = &at->original->ms;
    const int rank = at->rank, i = at->i;
    ContentsRank *r = &c->rank[rank];
    const ContentsRank was = *r;
    const CollOp *op = &was.op[i];
    Rule rule = DIFFERENT;
    int other = rank;
    CollOp *receive = NULL, receive_before;
    if (mutation == DROP) {
        rule = rule_of_missing_writes(c, ms, rank, i, SIZE_MAX);
    } else if (mutation == SHORTEN_OUT && (op->kind == COLL_COPY || op->kind == COLL_REDUCE_OP)) {
        rule = rule_of_missing_writes(c, ms, rank, i, 1);
    } else if (mutation == SHORTEN_BOTH_ENDS && contents_sends(op) && op->out.len > 0) {
        const ContentsMessage *m = &ms->of[ms->out[ms->first[rank] + i]];
        rule = rule_of_missing_writes(c, ms, m->dst, m->dst_op, 1);
        other = m->dst;
        receive = &c->rank[m->dst].op[m->dst_op];
        receive_before = *receive;
        shorten(&receive->in, c->of.elem);
    }
    r->op = g_memdup2(was.op, (size_t)r->n * sizeof *r->op);
    if (mutate(r, i, mutation, c->of.p, c->of.elem)) {
        if (mutation == SWAP)
            rule = rule_of_swap(c, at->original, rank, i, was.op);
        else if (is_flag(op))
            rule = rule_of_flag(at, &was);
        judge(at, other, mutation, rule, &was);
    }
    if (receive)
        *receive = receive_before;
    g_free(r->op);
    *r = was;
}

// Tries all mutants of an algorithm's operations.
static void try_all(Contents *c, MutantsTally *tally)
{
    Original original = {.story = c->flags || c->of.algorithm->shared ? story_new(c) : NULL};
    tally->wrong = messages_match(c, &original.ms);
    for (int rank = 0; rank < c->of.p; rank++)
        for (int i = 0; i < c->rank[rank].n; i++)
            for (Mutation mutation = 0; mutation < N_MUTATIONS && !tally->wrong; mutation++)
                try_mutant(&(MutantPlace){c, &original, rank, i, tally}, mutation);
    messages_clear(&original.ms);
    story_free(original.story);
}

// Tries all mutants of one point, unless a fallback runs there, which is tried as an entry of its own. Returns true if
// the algorithm itself runs.
static bool try_case(const ContentsCase *x, MutantsTally *tally)
{
    if (tally->wrong)
        return true;
    Contents *c = contents_record(x);
    const bool runs = c->ran == x->algorithm;
    if (runs)
        try_all(c, tally);
    contents_free(c);
    return runs;
}

// Returns the default parameters, or with `others` another value for every parameter that is not an algorithm.
static CollParams params_of(const CollAlgorithm *a, bool others)
{
    CollParams par = algorithm_defaults(a);
    for (int i = 0; others && i < COLL_MAX_PARAMS && a->params[i].name; i++) {
        const CollParam *param = &a->params[i];
        if (param->kind != PARAM_ALGORITHM)
            param_set(param, &par, param->kind == PARAM_CHOICE ? 1 : 3);
    }
    return par;
}

// Tries all variants on p ranks: with another root, with other parameters, with an operation that is not commutative,
// in place, and every combination of these that the collective allows. Two blocks are longer than others where p allows
// it, so that two nodes of equal size can have equal shares although their ranks cannot (rails_cut).
static void try_p(const CollAlgorithm *a, int p, MutantsTally *tally)
{
    const CollectiveInfo *info = &collectives[a->collective];
    for (int variant = 0; variant < 16; variant++) {
        const bool other_root = variant & 1, other_params = variant & 2, ordered = variant & 4, in_place = variant & 8;
        if ((other_root && !info->rooted) || (other_params && !a->params[0].name) || (ordered && !info->reduces) ||
            (in_place && !info->in_place))
            continue;
        ContentsCase x = {.algorithm = a,
                          .par = params_of(a, other_params),
                          .p = p,
                          .root = other_root ? (p + 1) / 2 : 0,
                          .m = a->collective == COLL_BARRIER ? 0
                               : info->vector                ? 2 * (size_t)p + MIN(2, (size_t)p - 1)
                                                             : 3,
                          .elem = 1,
                          .nodes = nodes_suited(a, p),
                          .commutative = !ordered,
                          .in_place = in_place};
        const bool runs = try_case(&x, tally);
        if (!runs && info->vector) {
            x.m = 2 * (size_t)p; // the algorithm may need blocks of equal length
            try_case(&x, tally);
        }
    }
}

void mutants_prove(const CollAlgorithm *a, const MutantsGrid *grid, MutantsTally *tally)
{
    *tally = (MutantsTally){0};
    for (int i = 0; i < grid->n && !tally->wrong; i++)
        try_p(a, grid->p[i], tally);
    for (Mutation m = 0; m < N_MUTATIONS; m++) {
        tally->all += tally->mutants[m];
        tally->all_caught += tally->caught[m];
    }
}
