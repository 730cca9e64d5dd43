// The contents checker can fail. In every algorithm, every operation of every rank is dropped, swapped with the next
// one, misrouted or shortened, one at a time, and the checker (contents.h) must reject the mutant. The only mutants
// that it may accept, and must accept, are those that a rule of mutant_rules.h proves to be equivalent without looking
// at contents.
#include "mutant_rules.h"
#include "registry/registry.h"
#include "nodes.h"
#include "only.h"
#include "tap.h"
#include <string.h>

typedef enum Mutation {
    DROP,
    SWAP,
    MISROUTE_TO,
    MISROUTE_FROM,
    SHORTEN_OUT,       // what is sent; in a copy or reduction, all operands
    SHORTEN_IN,        // what is received
    SHORTEN_BOTH_ENDS, // a message, at its sender and its receiver
    RAISE_MORE,        // a raise or await of a flag gets a value larger by 1
    RAISE_LESS,
    N_MUTATIONS
} Mutation;

static const char *const mutation_names[] = {
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

typedef struct MutantsTally {
    long mutants[N_MUTATIONS], caught[N_MUTATIONS], same[N_RULES];
} MutantsTally;

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

// Applies the mutation to operation i of this rank. Of SHORTEN_BOTH_ENDS it does the sender's part. Returns false if
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

// Returns the message that the operation sends.
static ContentsMessage message_of(const Contents *c, int rank, int i)
{
    Messages ms;
    g_autofree char *error = messages_match(c, &ms);
    g_assert_null(error);
    const ContentsMessage m = ms.of[ms.out[ms.first[rank] + i]];
    messages_clear(&ms);
    return m;
}

// Counts the mutant c, and fails the test unless the checker rejects it exactly if no rule calls it equivalent. `op`
// names the operation that was mutated.
static void judge(const Contents *c, const char *op, Mutation mutation, Rule rule, MutantsTally *tally)
{
    g_autofree char *error = contents_error(c);
    tally->mutants[mutation]++;
    tally->caught[mutation] += error != NULL;
    tally->same[rule] += rule != DIFFERENT;
    if ((error != NULL) == (rule == DIFFERENT))
        return;
    g_test_message("p %d root %d m %zu segment %zu%s%s, %s of %s: %s (rule: %s)", c->of.p, c->of.root, c->of.m,
                   c->of.par.segment, c->of.commutative ? "" : ", ordered", c->of.in_place ? ", in place" : "",
                   mutation_names[mutation], op, error ? error : "accepted", rule_names[rule]);
    g_test_fail();
}

// Returns the rule for a mutant c whose operation i, a raise or an await, is missing or changed.
static Rule rule_of_flag(Contents *c, int rank, int i, const ContentsRank *original)
{
    const int n = c->rank[rank].n;
    g_autofree int *was = g_new(int, n + 1);
    for (int k = 0; k < n; k++)
        was[k] = n < original->n && k >= i ? k + 1 : k;
    return rule_of_order(c, rank, original, was);
}

static void try_mutant(Contents *c, int rank, int i, Mutation mutation, MutantsTally *tally)
{
    ContentsRank *r = &c->rank[rank];
    const ContentsRank original = *r;
    const CollOp *op = &original.op[i];
    g_autofree char *name = contents_op(c, rank, i);
    Rule rule = DIFFERENT;
    CollOp *receive = NULL, receive_before;
    if (mutation == DROP) {
        rule = rule_of_missing_writes(c, rank, i, SIZE_MAX);
    } else if (mutation == SHORTEN_OUT && (op->kind == COLL_COPY || op->kind == COLL_REDUCE_OP)) {
        rule = rule_of_missing_writes(c, rank, i, 1);
    } else if (mutation == SHORTEN_BOTH_ENDS && contents_sends(op) && op->out.len > 0) {
        const ContentsMessage m = message_of(c, rank, i);
        rule = rule_of_missing_writes(c, m.dst, m.dst_op, 1);
        receive = &c->rank[m.dst].op[m.dst_op];
        receive_before = *receive;
        shorten(&receive->in, c->of.elem);
    }
    r->op = g_memdup2(original.op, (size_t)r->n * sizeof *r->op);
    if (mutate(r, i, mutation, c->of.p, c->of.elem)) {
        if (mutation == SWAP)
            rule = rule_of_swap(c, rank, i, original.op);
        else if (is_flag(op))
            rule = rule_of_flag(c, rank, i, &original);
        judge(c, name, mutation, rule, tally);
    }
    if (receive)
        *receive = receive_before;
    g_free(r->op);
    *r = original;
}

// Tries all mutants of one point, unless a fallback runs there, which is tried as an entry of its own. Returns true if
// the algorithm itself runs.
static bool try_case(const ContentsCase *x, MutantsTally *tally)
{
    Contents *c = contents_record(x);
    for (int rank = 0; c->ran == x->algorithm && rank < x->p; rank++)
        for (int i = 0; i < c->rank[rank].n; i++)
            for (Mutation mutation = 0; mutation < N_MUTATIONS; mutation++)
                try_mutant(c, rank, i, mutation, tally);
    const bool runs = c->ran == x->algorithm;
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
// in place, and every combination of these that the collective allows.
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
                               : info->vector                ? 2 * (size_t)p + 1
                                                             : 3,
                          .elem = 1,
                          .nodes = nodes_of(p, 3),
                          .commutative = !ordered,
                          .in_place = in_place};
        const bool runs = try_case(&x, tally);
        if (!runs && info->vector) {
            x.m -= 1; // the algorithm may need blocks of equal length
            try_case(&x, tally);
        }
    }
}

// Under a sanitizer the test looks for memory errors, for which fewer p are enough, and each takes ten times as long.
#ifdef __SANITIZE_ADDRESS__
static const int all_p[] = {2, 3, 4, 6, 7};
#else
static const int all_p[] = {2, 3, 4, 5, 6, 7, 8, 9, 13};
#endif

static void test_entry(const void *data)
{
    const CollAlgorithm *a = data;
    MutantsTally tally = {0};
    g_test_timer_start();
    for (size_t i = 0; i < G_N_ELEMENTS(all_p); i++)
        try_p(a, all_p[i], &tally);
    long mutants = 0, caught = 0;
    for (Mutation m = 0; m < N_MUTATIONS; m++) {
        g_test_message("%-16s %6ld mutants, %6ld caught", mutation_names[m], tally.mutants[m], tally.caught[m]);
        mutants += tally.mutants[m];
        caught += tally.caught[m];
    }
    for (Rule rule = REPEATS; rule < N_RULES; rule++)
        if (tally.same[rule])
            g_test_message("%-16s %6ld the same", rule_names[rule], tally.same[rule]);
    g_assert_cmpint(caught, >, 0);
    g_test_message("%ld mutants, %ld caught, %ld the same, %.1f s", mutants, caught, mutants - caught,
                   g_test_timer_elapsed());
}

static void add_tests(void)
{
    for (int i = only_first(); i < only_end(); i++) {
        g_autofree char *path =
            g_strdup_printf("/mutants/%s/%s", collectives[algorithms[i]->collective].name, algorithms[i]->name);
        g_test_add_data_func(path, algorithms[i], test_entry);
    }
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add_tests);
}
