// What ranks do in all, counted from their classes, is what an operation by operation count of every rank finds: over
// the registry, with blocks that an even cut makes longer and with loops that stride over them, and with copies.
#include "api/make.h"
#include "only.h"
#include "registry/composition.h"
#include "engine/schedule/record.h"
#include "judge/prove/nodes.h"
#include "sample.h"
#include "tap.h"
#include <string.h>

// Adds what v does, one operation after the other and round by round.
static void walk(const Schedule *s, int v, Totals *t)
{
    const Class *k = class_of(s, v);
    Totals own = {0};
    uint32_t round = 0;
    static const Stride none;
    for (uint32_t pc = 0; k->ops[pc].kind != OP_END; pc++) {
        const Op *op = &k->ops[pc];
        const Stride *d = k->loops ? &k->strides[pc] : &none;
        if (op->kind == OP_LOOP) {
            round = round + 1 < op->out.bytes ? round + 1 : 0;
            pc -= round ? (uint32_t)op->to + 1 : 0;
            continue;
        }
        if (op->kind == OP_SEND || op->kind == OP_ISEND || op->kind == OP_SENDRECV) {
            own.messages++;
            own.bytes_sent += length_of(s, v, op->out_cut, op->out, d->out, round);
        }
        if (op->kind == OP_RECV || op->kind == OP_IRECV || op->kind == OP_SENDRECV) {
            own.max_messages_received++;
            own.bytes_received += length_of(s, v, op->in_cut, op->in, d->in, round);
        }
        if (op_works(op->kind)) {
            const uint64_t bytes = length_of(s, v, op->in_cut, op->in, d->in, round);
            *(op->kind == OP_REDUCE ? &own.bytes_reduced
              : op->kind == OP_COPY ? &own.bytes_copied
                                    : &own.bytes_fresh) += bytes;
            own.works++;
        }
    }
    t->messages += own.messages;
    t->bytes_sent += own.bytes_sent;
    t->bytes_received += own.bytes_received;
    t->bytes_reduced += own.bytes_reduced;
    t->bytes_copied += own.bytes_copied;
    t->bytes_fresh += own.bytes_fresh;
    t->works += own.works;
    t->max_messages_sent = MAX(t->max_messages_sent, own.messages);
    t->max_messages_received = MAX(t->max_messages_received, own.max_messages_received);
    t->max_bytes_sent = MAX(t->max_bytes_sent, own.bytes_sent);
    t->max_bytes_received = MAX(t->max_bytes_received, own.bytes_received);
    t->max_bytes_reduced = MAX(t->max_bytes_reduced, own.bytes_reduced);
}

static void check(const CollAlgorithm *a, int p, size_t m, int *n, int *n_cut)
{
    Operation op = {.algorithm = a, .c = {.p = p, .elem = 1, .commutative = true, .nodes = nodes_of(p, 4)}, .m = m};
    op.c.par = algorithm_defaults(a);
    Coll c = coll_make(a->collective, &op.c, 0, m, NULL);
    const char *why;
    if (coll_resolve(a, &c, &why) != a)
        return;
    // With copies a rank does all that it does without.
    Schedule *s = schedule_record(&op, &(RecordOptions){.copies = true, .fresh = true, .isends = true});
    if (!s->shared) {
        const Totals t = schedule_totals(s);
        Totals each = {0};
        for (int v = 0; v < p; v++)
            walk(s, v, &each);
        if (memcmp(&t, &each, sizeof t) != 0)
            g_error("%s %s, p = %d, m = %zu: the totals are not those of all ranks", collectives[a->collective].name,
                    a->name, p, m);
        ++*n;
        bool cut = false;
        for (uint32_t k = 0; k < s->n_classes; k++)
            cut |= s->classes[k].cut;
        *n_cut += cut;
    }
    schedule_free(s);
}

static void test_totals(void)
{
    static const int ranks[] = {2, 3, 8, 12, 31, 100, 128, 300};
    int n = 0, n_cut = 0;
    for (int i = only_first(); i < only_end(); i++)
        for (size_t k = 0; k < G_N_ELEMENTS(ranks); k++) {
            if (ranks[k] >= 100 && !sample_takes((guint)(3 * i) + (guint)k - 5, 3))
                continue;
            const size_t p = (size_t)ranks[k], sizes[] = {p + 1, 2 * p - 1, 7 * p + 3, 1000};
            for (size_t j = 0; j < (algorithms[i]->collective == COLL_BARRIER ? 1 : G_N_ELEMENTS(sizes)); j++)
                check(algorithms[i], ranks[k], sizes[j], &n, &n_cut);
        }
    g_test_message("%d schedules, %d of them with blocks that differ in length", n, n_cut);
    only_visited(n);
    if (!only_one())
        g_assert_cmpint(n_cut, >, sample_of(200, 100));
}

static void add(void)
{
    g_test_add_func("/totals/every-rank", test_totals);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add);
}
