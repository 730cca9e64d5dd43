// Every algorithm of the registry computes its collective: the contents checker (contents.h) looks at the results of
// all ranks over a grid of points. And the checker can fail: it finds each of the planted errors.
#include "api/backend.h"
#include "api/make.h"
#include "judge/prove/contents_grid.h"
#include "only.h"
#include "engine/schedule/counts.h"
#include "registry/composition.h"
#include "registry/registry.h"
#include "sample.h"
#include "tap.h"
#include <stdio.h>
#include <string.h>

// ---- The grid ----------------------------------------------------------------------------------------------------

// Checks an algorithm on the whole grid, or on few ranks and on a p that is drawn. Some algorithms are also drawn to run
// on many ranks, which takes long.
static void prove(const CollAlgorithm *a, guint number, ContentsTally *tally)
{
    int beyond[2], n = 0;
    for (int p = 6; p <= 17; p++)
        if (sample_takes(12 * number + (guint)p - 6, 12))
            beyond[n++] = p;
    if (!a->shared && sample_takes(number, 12))
        beyond[n++] = contents_grid.beyond[number % (guint)contents_grid.n_beyond];
    contents_prove(a, &(ContentsGrid){5, beyond, n, 4}, tally);
    const int eight = 8; // two nodes of four ranks, which few algorithms need
    if (tally->cases == tally->fallbacks)
        contents_prove(a, &(ContentsGrid){0, &eight, 1, 4}, tally);
}

static void test_entry(const void *data)
{
    const CollAlgorithm *const *entry = data;
    ContentsTally tally;
    g_test_timer_start();
    if (sample_all())
        contents_prove(*entry, &contents_grid, &tally);
    else
        prove(*entry, (guint)(entry - algorithms), &tally);
    if (tally.wrong) {
        g_test_message("%s", tally.wrong);
        g_test_fail();
        g_free(tally.wrong);
        return;
    }
    g_assert_cmpint(tally.cases, >, tally.fallbacks);
    g_test_message("%ld cases (%ld by a fallback), %ld refused, %.1f s", tally.cases, tally.fallbacks, tally.refused,
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
        g_test_add_data_func(path, &algorithms[i], test_entry);
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
