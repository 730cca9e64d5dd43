// Every algorithm of the registry computes its collective: the contents checker (contents.h) looks at the results of
// all ranks over a grid of points. And the checker can fail: it finds each of the planted errors.
#include "api/backend.h"
#include "api/make.h"
#include "contents.h"
#include "nodes.h"
#include "only.h"
#include "schedule/counts.h"
#include "registry/composition.h"
#include "registry/registry.h"
#include "tap.h"
#include <stdio.h>
#include <string.h>

// ---- The grid ----------------------------------------------------------------------------------------------------

typedef struct ContentsCount {
    long cases, fallbacks, refused;
} ContentsCount;

static void check(const ContentsCase *x, ContentsCount *count)
{
    const CollAlgorithm *ran;
    g_autofree char *error = contents_check(x, &ran);
    count->cases += ran != NULL;
    count->fallbacks += ran && ran != x->algorithm;
    count->refused += !ran;
    if (!error)
        return;
    g_autofree char *params = params_text(x->algorithm, &x->par), *nodes = nodes_text(x->nodes);
    g_test_message("p %d root %d m %zu elem %zu nodes %s%s%s%s %s: %s", x->p, x->root, x->m, x->elem, nodes,
                   x->commutative ? "" : ", ordered", x->in_place ? ", in place" : "", x->counts ? ", counts" : "",
                   params, error);
    g_test_fail();
}

// Sets `value` to the values of a parameter that are tried, and returns how many there are: the default and a few small
// numbers within the parameter's range; of a segment, also 1 and 3 elements; of a part of a composition, every
// algorithm that it allows.
static int values_of(const CollParam *param, size_t elem, int64_t *value)
{
    const int64_t sizes[] = {param->def, (int64_t)elem, 3 * (int64_t)elem};
    const int64_t ints[] = {param->def, param->min, 2, 3, 8}, choices[] = {0, 1, 2, 3, 4, 5, 6, 7};
    const int64_t *tried = param->kind == PARAM_SIZE ? sizes : param->kind == PARAM_INT ? ints : choices;
    const int n = param->kind == PARAM_SIZE ? 3 : param->kind == PARAM_INT ? 5 : 8;
    int distinct = 0;
    if (param->kind == PARAM_ALGORITHM) {
        for (int i = 0; i < n_algorithms; i++)
            if (param_allows(param, i) || param_shares(param, i))
                value[distinct++] = i;
        return distinct;
    }
    for (int i = 0; i < n; i++) {
        value[distinct] = tried[i];
        int j = 0;
        while (value[j] != value[distinct])
            j++;
        distinct += j == distinct && value[j] <= param->max && value[j] >= param->min;
    }
    return distinct;
}

// Under a sanitizer the test looks for memory errors, for which fewer p are enough, and each takes five times as long.
#ifdef __SANITIZE_ADDRESS__
static const int all_to = 9, beyond[] = {18}, both_elements_to = 4;
#else
static const int all_to = 33, beyond[] = {64, 100, 127}, both_elements_to = 17;
#endif

// Returns true if the algorithm itself runs, and not its fallback, which is an entry of its own and passes all these
// checks by itself.
static bool runs_itself(const ContentsCase *x)
{
    const Coll all = {.p = x->p,
                      .root = x->root,
                      .elem = x->elem,
                      .commutative = x->commutative,
                      .nodes = x->nodes,
                      .par = x->par,
                      .counts = x->counts};
    CollRun run; // for a view that is only asked about
    coll_run_init(&run, NULL);
    Coll view = coll_make(x->algorithm->collective, &all, 0, x->m, &run);
    const char *why;
    const bool itself = coll_resolve(x->algorithm, &view, &why) == x->algorithm;
    coll_run_clear(&run);
    return itself;
}

// Checks the case with the default parameters, which it has. With `all`, also tries each parameter's values, with the others at their
// defaults; if the first parameter is a segment, again with the segment at the last of its values.
static void check_params(ContentsCase *x, bool all, ContentsCount *count)
{
    const CollAlgorithm *a = x->algorithm;
    const CollParams usual = x->par;
    int64_t value[64];
    check(x, count);
    for (int k = 0; all && k < COLL_MAX_PARAMS && a->params[k].name; k++) {
        // The parts of a composition are entries of their own, and pass all these checks by themselves.
        const bool few = a->params[k].kind == PARAM_ALGORITHM && x->p > 9 && x->p != 16;
        const int n = few ? 0 : values_of(&a->params[k], x->elem, value);
        const int64_t def = few ? 0 : param_get(&a->params[k], &usual);
        for (int i = 0; i < n; i++) {
            if (value[i] == def)
                continue;
            x->par = usual;
            param_set(&a->params[k], &x->par, value[i]);
            // Each part has one size of element at one root, and the other one at the next root and at the next p.
            if (a->params[k].kind == PARAM_ALGORITHM && ((x->elem == 1) != ((x->p + x->root + value[i]) % 2 == 0)))
                continue;
            if (a->params[k].kind == PARAM_ALGORITHM && !runs_itself(x))
                continue;
            // Checks of shared memory keep p numbers for each access, so of such parts few ranks must do.
            if (a->params[k].kind == PARAM_ALGORITHM && param_shares(&a->params[k], (int)value[i]) && x->p > 6)
                continue;
            check(x, count);
            if (k == 0 || a->params[0].kind != PARAM_SIZE)
                continue;
            int64_t first[64];
            param_set(&a->params[0], &x->par, first[values_of(&a->params[0], x->elem, first) - 1]);
            check(x, count);
        }
    }
    x->par = usual;
}

// Places p blocks in an order that has nothing to do with that of the ranks, with an unused element after every third.
static void shuffle_blocks(int p, size_t elem, size_t *at, const size_t *len)
{
    g_autofree int *order = g_new(int, p);
    GRand *random = g_rand_new_with_seed(1);
    for (int i = 0; i < p; i++) {
        const int j = g_rand_int_range(random, 0, i + 1);
        order[i] = order[j];
        order[j] = i;
    }
    g_rand_free(random);
    size_t end = 0;
    for (int i = 0; i < p; i++) {
        at[order[i]] = end;
        end += len[order[i]] + (i % 3 == 2 ? elem : 0);
    }
    at[p] = end;
}

// Repeats the checks for blocks of different lengths if the collective allows them. Every second kind of counts leaves
// gaps between the blocks and one shuffles them, except in reduce_scatter, which has no displacements in MPI.
static void check_counts(ContentsCase *x, bool all_params, ContentsCount *count)
{
    check_params(x, all_params, count);
    if (!collectives[x->algorithm->collective].counts)
        return;
    for (int kind = COUNTS_EQUAL; kind < N_COUNTS; kind++) {
        if (kind == COUNTS_ONE_BIG && x->algorithm->collective == COLL_ALLTOALLV && x->p > 33)
            continue; // padding every block to the longest one would make p^3 blocks
        const CountsSpec spec = {.kind = (CountsKind)kind,
                                 .seed = 1,
                                 .gaps = kind % 2 == 0 && x->algorithm->collective != COLL_REDUCE_SCATTER};
        CollCounts *counts;
        const size_t mean = x->m / (size_t)(x->algorithm->collective == COLL_REDUCE_SCATTER ? x->p : 1);
        counts_make(&spec, x->p, mean, x->elem, &counts, NULL);
        if (kind == COUNTS_RANDOM && x->algorithm->collective != COLL_REDUCE_SCATTER)
            shuffle_blocks(x->p, x->elem, (size_t *)(uintptr_t)counts->at, counts->len);
        x->counts = counts;
        check_params(x, false, count);
        counts_free(counts);
    }
    x->counts = NULL;
}

// Repeats the checks for several kinds and sizes of nodes if the algorithm needs nodes.
static void check_nodes(ContentsCase *x, bool all_params, ContentsCount *count)
{
    static const struct {
        NodesKind kind;
        int k;
    } tried[] = {{NODES_BLOCK, 4},  {NODES_BLOCK, 2}, {NODES_BLOCK, 3}, {NODES_BLOCK, 7},
                 {NODES_CYCLIC, 3}, {NODES_RUNS, 3},  {NODES_RANDOM, 4}};
    const bool nodes = algorithm_needs_nodes(x->algorithm);
    for (int i = 0; i < (nodes ? (int)G_N_ELEMENTS(tried) : 1); i++) {
        x->nodes = nodes ? nodes_kept(tried[i].kind, x->p, tried[i].k) : NULL;
        if (i > 0 && !runs_itself(x))
            continue; // the first kind has shown that the fallback is taken
        check_counts(x, all_params && (i == 0 || tried[i].kind == NODES_RANDOM), count);
    }
}

// Repeats the checks for commutative and other operations, and in place, if the collective has these forms.
static void check_kinds(ContentsCase *x, bool all_params, ContentsCount *count)
{
    const CollectiveInfo *info = &collectives[x->algorithm->collective];
    for (int ordered = 0; ordered <= info->reduces; ordered++)
        for (int in_place = 0; in_place <= info->in_place; in_place++) {
            x->commutative = !ordered;
            x->in_place = in_place;
            check_nodes(x, all_params, count);
        }
}

// Sets `count` to the numbers of elements that are tried, and returns how many there are. A vector that is cut into p
// blocks gets numbers around p; a collective whose blocks stay whole needs only small ones for large p.
static int counts_of(Collective c, int p, int *count)
{
    const int cut[] = {0, 1, p - 1, p + 1, 13, 4 * p + 3}, whole[] = {0, 1, 13, p - 1, p + 1};
    if (c == COLL_BARRIER) {
        count[0] = 0;
        return 1;
    }
    const int n = collectives[c].vector ? (p <= 33 ? 6 : 5) : p <= 17 ? 5 : 3;
    memcpy(count, collectives[c].vector ? cut : whole, (size_t)n * sizeof *count);
    return n;
}

static void check_p(const CollAlgorithm *a, int p, ContentsCount *count)
{
    int counts[6];
    const int n = counts_of(a->collective, p, counts);
    for (int root = 0; root < (collectives[a->collective].rooted ? p : 1); root++) {
        const bool usual = p <= 9 || root == 0 || root == 1 || root == p / 2 || root == p - 1;
        // In shared memory texts are long, because a fragment may be a single element; so fewer ranks must do.
        const bool few = p <= (a->shared ? 9 : 17);
        const bool all_params = few || (p <= 33 && (!collectives[a->collective].rooted || root == p / 2));
        ContentsCase x = {.algorithm = a, .par = algorithm_defaults(a), .p = p, .root = root, .commutative = true};
        for (int i = 0; usual && i < n; i++)
            // A barrier moves no elements; its signals have one byte.
            for (x.elem = 1; x.elem <= (a->collective == COLL_BARRIER ? 1 : 8); x.elem *= 8) {
                // Few texts look at bytes. So of many ranks, each number of elements has one size of element at even p,
                // and the other one at odd p.
                if (p > both_elements_to && (x.elem == 1) != ((p + i) % 2 == 0))
                    continue;
                x.m = (size_t)counts[i] * x.elem;
                check_kinds(&x, all_params, count);
            }
        if (!usual && p <= 33) { // every root, at one size
            x.elem = a->collective == COLL_BARRIER ? 1 : 8;
            x.m = (size_t)(collectives[a->collective].vector ? p + 1 : 2) * x.elem;
            check_kinds(&x, few, count);
        }
    }
}

static void test_entry(const void *data)
{
    const CollAlgorithm *a = data;
    ContentsCount count = {0};
    g_test_timer_start();
    for (int p = 1; p <= all_to && !g_test_failed(); p++)
        check_p(a, p, &count);
    for (size_t i = 0; i < G_N_ELEMENTS(beyond) && !g_test_failed(); i++)
        check_p(a, beyond[i], &count);
    g_assert_cmpint(count.cases, >, count.fallbacks);
    g_test_message("%ld cases (%ld by a fallback), %ld refused, %.1f s", count.cases, count.fallbacks, count.refused,
                   g_test_timer_elapsed());
}

// ---- Planted errors ----------------------------------------------------------------------------------------------

typedef struct ContentsPlanted {
    const char *name;
    Collective collective;
    void (*run)(const Coll *c);
    int p;
    const char *error; // what the checker must say; NULL if it must accept the algorithm
} ContentsPlanted;

static int right_of(const Coll *c)
{
    return (c->rank + 1) % c->p;
}
static int left_of(const Coll *c)
{
    return (c->rank + c->p - 1) % c->p;
}

static void ring_of_blocking_sends(const Coll *c)
{
    coll_send(c, right_of(c), c->out);
    coll_recv(c, left_of(c), c->out);
}

static void ring_of_receives(const Coll *c)
{
    coll_recv(c, left_of(c), c->out);
    coll_send(c, right_of(c), c->out);
}

static void writes_what_it_sends(const Coll *c)
{
    const Slice inbox = coll_scratch(c, c->in.len);
    coll_copy(c, c->out, c->in);
    const CollReq r = coll_isend(c, right_of(c), c->out);
    coll_recv(c, left_of(c), inbox);
    coll_reduce(c, c->out, c->out, inbox);
    coll_wait(c, r);
}

static void reads_before_waiting(const Coll *c)
{
    const Slice inbox = coll_scratch(c, c->in.len);
    coll_irecv(c, left_of(c), inbox);
    coll_send(c, right_of(c), c->in);
    coll_reduce(c, c->out, c->in, inbox);
    coll_waitall(c, 0);
}

static void never_waits(const Coll *c)
{
    coll_isend(c, right_of(c), c->in);
    coll_recv(c, left_of(c), c->out);
}

static void overlapping_exchange(const Coll *c)
{
    coll_copy(c, c->out, c->in);
    coll_sendrecv(c, right_of(c), c->out, left_of(c), c->out);
}

static void unequal_lengths(const Coll *c)
{
    if (c->rank == 0)
        coll_send(c, 1, c->out);
    else
        coll_recv(c, 0, slice_at(c->out, 0, c->out.len - 1));
}

static void left_over(const Coll *c)
{
    if (c->rank == 0)
        coll_send(c, 1, c->out);
}

static void reverse_order(const Coll *c)
{
    const Slice inbox = coll_scratch(c, c->in.len);
    coll_sendrecv(c, right_of(c), c->in, left_of(c), inbox);
    coll_reduce(c, c->out, inbox, c->in);
}

static void rank_order(const Coll *c)
{
    const Slice inbox = coll_scratch(c, c->in.len);
    coll_sendrecv(c, right_of(c), c->in, left_of(c), inbox);
    coll_reduce(c, c->out, c->rank ? inbox : c->in, c->rank ? c->in : inbox);
}

static void counts_twice(const Coll *c)
{
    coll_reduce(c, c->out, c->in, c->in);
}

static void reads_scratch(const Coll *c)
{
    coll_reduce(c, c->out, c->in, coll_scratch(c, c->in.len));
}

static void sends_scratch(const Coll *c)
{
    coll_sendrecv(c, right_of(c), coll_scratch(c, c->out.len), left_of(c), c->out);
}

static void does_nothing(const Coll *c)
{
    (void)c;
}

static void writes_its_input(const Coll *c)
{
    const Slice inbox = coll_scratch(c, c->in.len);
    coll_sendrecv(c, right_of(c), c->in, left_of(c), inbox);
    coll_reduce(c, c->in, c->in, inbox);
    coll_copy(c, c->out, c->in);
}

static void splits_elements(const Coll *c)
{
    const Slice part = {.buf = COLL_OUT, .off = c->elem / 2, .len = c->elem};
    if (c->rank == 0)
        coll_send(c, 1, part);
    else
        coll_recv(c, 0, part);
}

static void runs_over(const Coll *c)
{
    const Slice part = {.buf = COLL_OUT, .len = c->out.len + c->elem};
    if (c->rank == 0)
        coll_send(c, 1, part);
    else
        coll_recv(c, 0, part);
}

static void root_of_another(const Coll *c)
{
    if (c->rank == c->root)
        coll_copy(c, c->out, c->in);
    else
        coll_reduce(c, c->out, c->in, c->in);
}

static void signals_one_side(const Coll *c)
{
    coll_sendrecv(c, right_of(c), c->out, left_of(c), c->out);
}

// A correct algorithm, the only one here that packs, unpacks and throttles: the root packs the blocks in reverse order,
// and the others put them back into place.
static void packs(const Coll *c)
{
    const Blocks out = blocks_even(c, c->out, 3);
    const Slice packed = coll_scratch(c, c->out.len);
    const int reverse[] = {2, 1, 0};
    if (c->rank == c->root) {
        coll_pack(c, packed, &out, 3, reverse);
        for (int r = 1; r < c->p; r++) {
            coll_throttle(c, 2);
            coll_isend(c, (c->root + r) % c->p, packed);
        }
        coll_waitall(c, 0);
    } else {
        coll_recv(c, c->root, packed);
        coll_unpack(c, &out, 3, reverse, packed);
    }
}

static void unpacks_forward(const Coll *c)
{
    const Blocks out = blocks_even(c, c->out, 3);
    const Slice packed = coll_scratch(c, c->out.len);
    const int reverse[] = {2, 1, 0}, forward[] = {0, 1, 2};
    coll_pack(c, packed, &out, 3, reverse);
    coll_unpack(c, &out, 3, forward, packed);
}

// In shared memory, rank 0 hands three fragments to rank 1 through two slots of 16 bytes. Each bit plants an error.
enum { NO_AWAIT = 1, EARLY_RAISE = 2, NO_REUSE = 4, ANOTHERS_QUEUE = 8, SHRINKS = 16, NO_SLOT = 32, LATE = 64 };

static void hands_over(const Coll *c, int planted)
{
    const Blocks fragments = blocks_size(c, c->out, c->par.fragment);
    for (int i = 0; i < fragments.n; i++) {
        const Slice here = block(&fragments, i);
        Slice slot = coll_slot(c, planted & ANOTHERS_QUEUE ? 1 : 0, i, 1, here.len);
        slot.off += planted & NO_SLOT ? 8 : 0;
        if (c->rank == 1 && !(planted & NO_AWAIT))
            coll_await(c, 0, 0, i + 1);
        if (c->rank == 1 && planted & EARLY_RAISE)
            coll_raise(c, 0, i + 1);
        if (c->rank == 0 && i >= 2 && !(planted & NO_REUSE))
            coll_await(c, 1, 0, i - 1 + (planted & LATE ? 2 : 0));
        coll_copy(c, c->rank ? here : slot, c->rank ? slot : here);
        if (c->rank == 0 || !(planted & EARLY_RAISE))
            coll_raise(c, 0, planted & SHRINKS ? 3 - i : i + 1);
    }
}

static void shares(const Coll *c)
{
    hands_over(c, 0);
}
static void polls_no_flag(const Coll *c)
{
    hands_over(c, NO_AWAIT);
}
static void frees_before_reading(const Coll *c)
{
    hands_over(c, EARLY_RAISE);
}
static void overwrites(const Coll *c)
{
    hands_over(c, NO_REUSE);
}
static void writes_anothers_queue(const Coll *c)
{
    hands_over(c, ANOTHERS_QUEUE);
}
static void counts_down(const Coll *c)
{
    hands_over(c, SHRINKS);
}
static void misses_the_slot(const Coll *c)
{
    hands_over(c, NO_SLOT);
}
static void sends_a_slot(const Coll *c)
{
    const Slice slot = coll_slot(c, 0, 0, 1, c->elem);
    if (c->rank == 0) {
        coll_raise(c, 0, 1);
        coll_send(c, 1, slot);
    } else {
        coll_await(c, 0, 0, 1);
        coll_recv(c, 0, slice_at(c->out, 0, c->elem));
    }
}
static void awaits_what_follows(const Coll *c)
{
    hands_over(c, LATE);
}

static const ContentsPlanted planted[] = {
    {"send for sendrecv", COLL_BARRIER, ring_of_blocking_sends, 3,
     "deadlock under synchronous sends: rank 0 operation 0 (send to 1) waits for rank 1 operation 0 (send to 2) waits "
     "for rank 2 operation 0 (send to 0) waits for rank 0"},
    {"receive first", COLL_BARRIER, ring_of_receives, 2,
     "deadlock under synchronous sends: rank 0 operation 0 (recv from 1) waits for rank 1 operation 0 (recv from 0) "
     "waits for rank 0"},
    {"write to a pending send", COLL_ALLREDUCE, writes_what_it_sends, 2,
     "rank 0 operation 3 (reduce): writes what operation 1, not waited for, sends"},
    {"read of a pending receive", COLL_ALLREDUCE, reads_before_waiting, 2,
     "rank 0 operation 2 (reduce): reads what operation 0, not waited for, receives"},
    {"no wait", COLL_ALLREDUCE, never_waits, 2, "rank 0 operation 0 (isend to 1): is never waited for"},
    {"sendrecv of one slice", COLL_ALLREDUCE, overlapping_exchange, 2,
     "rank 0 operation 1 (sendrecv to 1 from 1): operands overlap"},
    {"unequal lengths", COLL_BCAST, unequal_lengths, 2,
     "rank 0 operation 0 (send to 1) and its receive differ in length: rank 1 operation 0 (recv from 0)"},
    {"message left over", COLL_BCAST, left_over, 2,
     "rank 0 operation 0 (send to 1) meets no receive: a message is left over"},
    {"wrong order", COLL_ALLREDUCE, reverse_order, 2,
     "rank 0: element 0 of its result is wrong (contributions: 2, due: 2)"},
    {"right order", COLL_ALLREDUCE, rank_order, 2, NULL},
    {"own contribution twice", COLL_ALLREDUCE, counts_twice, 2,
     "rank 0: element 0 of its result is wrong (contributions: 2, due: 2)"},
    {"scratch in a reduction", COLL_ALLREDUCE, reads_scratch, 2,
     "rank 0 operation 0 (reduce): element 0 of the right operand was never written"},
    {"scratch in a result", COLL_ALLGATHER, sends_scratch, 2, "rank 0: element 0 of its result was never written"},
    {"nothing done", COLL_SCATTER, does_nothing, 2, "rank 0: element 0 of its result was never written"},
    {"write to the input", COLL_ALLREDUCE, writes_its_input, 2, "rank 0 operation 1 (reduce): writes its input"},
    {"split element", COLL_BCAST, splits_elements, 2,
     "rank 0 operation 0 (send to 1): bytes 4 + 8 of buffer 1 are not whole elements"},
    {"outside of the buffer", COLL_BCAST, runs_over, 2,
     "rank 0 operation 0 (send to 1): bytes 0 + 48 of buffer 1 lie outside of it"},
    {"output elsewhere than at the root", COLL_REDUCE, root_of_another, 2,
     "rank 1 operation 0 (reduce): bytes 0 + 40 of buffer 1 lie outside of it"},
    {"half a barrier", COLL_BARRIER, signals_one_side, 3, "rank 0 leaves the barrier and has not heard of rank 1"},
    {"pack, throttle, unpack", COLL_BCAST, packs, 4, NULL},
    {"shared memory", COLL_BCAST, shares, 2, NULL},
    {"flag not awaited", COLL_BCAST, polls_no_flag, 2,
     "rank 1 operation 0 (copy): rank 0 may still be writing the slot"},
    {"flag raised too early", COLL_BCAST, frees_before_reading, 2,
     "rank 0 operation 5 (copy): rank 1 may still be reading the slot"},
    {"slot not free", COLL_BCAST, overwrites, 2, "rank 1 operation 1 (copy): rank 0 may still be writing the slot"},
    {"another's queue", COLL_BCAST, writes_anothers_queue, 2, "rank 0 operation 0 (copy): writes into rank 1's queue"},
    {"flag goes back", COLL_BCAST, counts_down, 2, "rank 0 operation 3 (raise queue 0 to 2): the flag is already at 3"},
    {"between two slots", COLL_BCAST, misses_the_slot, 2,
     "rank 0 operation 0 (copy): bytes 8 + 16 of rank 0's queue are not a slot"},
    {"message from a slot", COLL_BCAST, sends_a_slot, 2,
     "rank 0 operation 1 (send to 1): is a message from or into a slot"},
    {"full queue", COLL_BCAST, awaits_what_follows, 2,
     "deadlock: rank 0 operation 4 (await of 1, queue 0 to 3) waits for rank 1 operation 6 (await of 0, queue 0 to 3) "
     "waits for rank 0"},
    {"unpack in another order", COLL_BCAST, unpacks_forward, 1,
     "rank 0: element 0 of its result is wrong (contributions: 1, due: 1)"},
};

static void test_planted(const void *data)
{
    const ContentsPlanted *bad = data;
    const CollAlgorithm algorithm = {.collective = bad->collective, .name = "planted", .run = bad->run};
    const ContentsCase x = {.algorithm = &algorithm,
                            .p = bad->p,
                            .elem = 8,
                            .m = bad->collective == COLL_BARRIER ? 0 : 40,
                            .par = {.slots = 2, .fragment = 16}};
    g_autofree char *error = contents_check(&x, NULL);
    g_assert_cmpstr(error, ==, bad->error);
}

static void test_refused(void)
{
    const CollAlgorithm algorithm = {
        .collective = COLL_BCAST, .name = "planted", .run = left_over, .needs = {&need_pow2}};
    const ContentsCase x = {.algorithm = &algorithm, .p = 3, .elem = 1, .m = 1};
    const CollAlgorithm *ran = &algorithm;
    g_assert_null(contents_check(&x, &ran));
    g_assert_null(ran);
}

static void add_tests(void)
{
    for (int i = only_first(); i < only_end(); i++) {
        g_autofree char *path =
            g_strdup_printf("/contents/%s/%s", collectives[algorithms[i]->collective].name, algorithms[i]->name);
        g_test_add_data_func(path, algorithms[i], test_entry);
    }
    if (only_one())
        return;
    for (size_t i = 0; i < G_N_ELEMENTS(planted); i++) {
        g_autofree char *path = g_strdup_printf("/planted/%s", planted[i].name);
        g_test_add_data_func(path, &planted[i], test_planted);
    }
    g_test_add_func("/planted/need not met", test_refused);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add_tests);
}
