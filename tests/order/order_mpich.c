// Compares the messages of MPICH's collectives with those of the registry's entries: each rank's sends and receives, in
// order. The arguments are triples COLLECTIVE NAME ENTRY, for the algorithm that MPICH calls NAME and the entry that
// should send the same messages; the environment must make MPICH use it (MPIR_CVAR_..). The program is started on the
// largest number of ranks, and compares 2, 3 .. of them, several sizes, and the first, a middle and the last root.
//
// MPICH's nonblocking collectives send a message as soon as those that it depends on have arrived, so their order is not
// fixed. An ENTRY that begins with ~ is compared without the order, one with ^ where p is a power of two, because MPICH
// has another algorithm elsewhere, and one with + reduces by an operation of the program's own, for which the parts of
// MPICH's algorithm are the same for all lengths.
//
// If MPICH takes the ranks for those of several nodes (MPIR_CVAR_NUM_CLIQUES), the entry's text gets the same nodes, and
// is compared only where the entry itself runs.
//
// The arguments `calls SEED N` make N random calls, and `list FILE` the calls of a file (calls_read); rank 0 prints each
// call with a number for each rank that the messages which it sent determine.
//
// Rank 0 prints a line of CSV for each triple: collective, name, entry, the largest p, the number of cases (p, size,
// root) that are equal, the messages that were compared in these, the cases that differ, those that differ and whose
// vector cannot be cut evenly, and those in which the entry does not run and what runs in its place differs. Standard
// error gets both sequences of the first rank that differs.
//
// MPICH over UCX hands every message to ucp_tag_send_nbx() and ucp_tag_recv_nbx(). This program has functions of these
// names, which are called in place of the library's, note the message and pass it on. A receive's tag has the sender's
// rank; the endpoint of a send tells the receiver, once a first message to each rank has shown whose endpoint it is.
// The length of a receive is not compared, because a rank may expect more than is sent, and neither is that of a message
// of a derived type, which UCX learns too late.
#define _GNU_SOURCE // RTLD_NEXT
#include "order/calls.h"
#include "order/order.h"
#include "order/ucx.h"
#include "registry/meaning.h"
#include "registry/registry.h"
#include "api/integers.h"
#include "api/make.h"
#include <dlfcn.h>
#include <glib.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RANKS = 64, ELEM = sizeof(int), TAG = 7 };

// The functions of UCX have no argument that could hold our state, hence these variables.
static GArray *library; // of OrderPost
static bool noting, with_empty;
static void *endpoint[MOST_RANKS], *last_endpoint;
static CollNodes *nodes; // of the ranks that are compared; NULL if every rank is a node of its own
static int own_rank;

// Empty messages are left out, except those of a barrier: some of MPICH's algorithms do not send them.
static void note(bool sends, int peer, uint64_t len)
{
    const OrderPost post = {sends, peer, sends ? len : ORDER_UNKNOWN, POST_EITHER};
    if (len > 0 || with_empty)
        g_array_append_val(library, post);
}

// Returns the rank whose message a receive with this tag takes. A tag has 16 bits of context, 16 of the source's rank
// in the communicator, and 32 of MPI's tag. Two bits of the context are 1 if the communicator is the caller's node, and
// 2 if it is the group of the nodes' first ranks.
static int source_of(uint64_t tag)
{
    enum { ALL, IN_NODE, AMONG_FIRST } kind = tag >> 49 & 3;
    const int rank = (int)(tag >> 32 & 0xffff);
    if (!nodes || kind == ALL)
        return rank;
    return kind == IN_NODE ? nodes->member[nodes->first[nodes->of[own_rank]] + rank]
                           : nodes->member[nodes->first[rank]];
}

void *ucp_tag_recv_nbx(void *worker, void *buffer, size_t n, uint64_t tag, uint64_t mask, const void *param);

void *ucp_tag_send_nbx(void *ep, const void *buffer, size_t n, uint64_t tag, const void *param)
{
    static void *(*next)(void *, const void *, size_t, uint64_t, const void *);
    if (!next)
        *(void **)&next = dlsym(RTLD_NEXT, "ucp_tag_send_nbx");
    last_endpoint = ep;
    for (int r = 0; noting && r < MOST_RANKS; r++)
        if (endpoint[r] == ep)
            note(true, r, ucx_bytes(n, param));
    return next(ep, buffer, n, tag, param);
}

void *ucp_tag_recv_nbx(void *worker, void *buffer, size_t n, uint64_t tag, uint64_t mask, const void *param)
{
    static void *(*next)(void *, void *, size_t, uint64_t, uint64_t, const void *);
    if (!next)
        *(void **)&next = dlsym(RTLD_NEXT, "ucp_tag_recv_nbx");
    const int from = source_of(tag);
    if (noting && endpoint[from]) // a rank's message to itself has no endpoint
        note(false, from, n);
    return next(worker, buffer, n, tag, mask, param);
}

static void learn_endpoints(int rank, int ranks)
{
    for (int i = 1; i < ranks; i++) {
        char out = 0, in;
        const int to = (rank + i) % ranks, from = (rank + ranks - i) % ranks;
        MPI_Request r;
        MPI_Irecv(&in, 1, MPI_CHAR, from, TAG, MPI_COMM_WORLD, &r);
        last_endpoint = NULL;
        MPI_Send(&out, 1, MPI_CHAR, to, TAG, MPI_COMM_WORLD);
        endpoint[to] = last_endpoint;
        MPI_Wait(&r, MPI_STATUS_IGNORE);
    }
}

// Sets the nodes of the first p ranks as MPICH sees them.
static void learn_nodes(int p, MPI_Comm comm)
{
    int of[MOST_RANKS], lowest, rank, n = 0;
    MPI_Comm node;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
    MPI_Allreduce(&rank, &lowest, 1, MPI_INT, MPI_MIN, node);
    MPI_Comm_free(&node);
    MPI_Allgather(&lowest, 1, MPI_INT, of, 1, MPI_INT, comm);
    for (int i = 0; i < p; i++) // number the nodes in the order of their lowest ranks
        of[i] = of[i] == i ? n++ : of[of[i]];
    nodes = n < p ? coll_nodes_new(p, of) : NULL;
}

// ---- Operations ----------------------------------------------------------------------------------------------------

static MPI_Op operation = MPI_SUM;

static void add(void *in, void *into, int *n, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *n; i++)
        ((int *)into)[i] += ((const int *)in)[i];
}

// ---- Comparing -----------------------------------------------------------------------------------------------------

static void say_difference(const char *name, const CollAlgorithm *a, int p, int rank, int root, size_t m,
                           const GArray *text)
{
    g_autoptr(GString) theirs = g_string_new(NULL), ours = g_string_new(NULL);
    order_describe(theirs, library, UINT_MAX);
    order_describe(ours, text, UINT_MAX);
    fprintf(stderr, "%s: p = %d, m = %zu, root %d, rank %d\n  MPICH's %s:%s\n  %s:%s\n",
            collectives[a->collective].name, p, m, root, rank, name, theirs->str, a->name, ours->str);
}

typedef struct MpichTally {
    int equal, different, uneven, skipped; // uneven: cases that differ and whose vector p does not divide
    long long messages;
} MpichTally;

static void compare(const char *name, const CollAlgorithm *a, const CollParams *par, int p, int root, int n,
                    bool ordered, MPI_Comm comm, MpichTally *tally)
{
    int rank, differs, differ;
    MPI_Comm_rank(comm, &rank);
    const size_t m = a->collective == COLL_BARRIER ? 0 : (size_t)n * ELEM;
    const Coll of = {.p = p, .root = root, .elem = ELEM, .commutative = true, .par = *par, .nodes = nodes};
    const Coll view = coll_make(a->collective, &of, rank, m, NULL);
    g_autoptr(GArray) text = g_array_new(FALSE, FALSE, sizeof(OrderPost));
    const bool runs = order_text(a, &view, text) == a;
    with_empty = m == 0;
    if (!with_empty)
        order_drop_empty(text);
    // MPICH 4.0.2's noncommutative dies if blocks are unequal. Where one node has all ranks, MPICH runs another algorithm.
    if (!runs && (a->collective == COLL_REDUCE_SCATTER || nodes)) {
        tally->skipped++;
        return;
    }
    MPI_Barrier(comm);
    g_array_set_size(library, 0);
    noting = true;
    const RandomCall made = {.collective = a->collective, .p = p, .root = root, .count = n, .elem = ELEM};
    calls_make(&made, operation, comm);
    noting = false;
    if (!ordered) {
        order_sort(library);
        order_sort(text);
    }
    differs = order_equal(library, text) ? p : rank;
    MPI_Allreduce(&differs, &differ, 1, MPI_INT, MPI_MIN, comm);
    if (runs && differ == rank && tally->different + tally->uneven == 0)
        say_difference(name, a, p, rank, root, m, text);
    tally->equal += differ == p;
    const bool uneven = collectives[a->collective].vector && (n % p || n % pow2_floor(p));
    tally->different += runs && differ < p && !uneven;
    tally->uneven += runs && differ < p && uneven;
    tally->skipped += !runs && differ < p;
    for (guint i = 0; differ == p && i < text->len; i++)
        tally->messages += g_array_index(text, OrderPost, i).sends;
}

// Returns the entry and its parameters that `text` names, as "k_ring" or "tree:radix=3".
static const CollAlgorithm *find(const char *collective, const char *text, CollParams *par)
{
    g_auto(GStrv) word = g_strsplit(text, ":", -1);
    for (int i = 0; i < N_COLLECTIVES; i++) {
        const CollAlgorithm *a =
            strcmp(collectives[i].name, collective) == 0 ? algorithm_find((Collective)i, word[0]) : NULL;
        if (!a)
            continue;
        *par = algorithm_defaults(a);
        for (int w = 1; word[w]; w++) {
            g_auto(GStrv) pair = g_strsplit(word[w], "=", 2);
            for (int k = 0; k < algorithm_n_params(a); k++) {
                const CollParam *param = &a->params[k];
                if (strcmp(param->name, pair[0]) != 0)
                    continue;
                int64_t value = g_ascii_strtoll(pair[1], NULL, 10);
                for (int j = 0; param->kind == PARAM_ALGORITHM && j < n_algorithms; j++)
                    if (algorithms[j] == algorithm_find(param->of, pair[1]))
                        value = j;
                for (int j = 0; param->kind == PARAM_CHOICE && param->choices[j]; j++)
                    value = strcmp(param->choices[j], pair[1]) == 0 ? j : value;
                param_set(param, par, value);
            }
        }
        return a;
    }
    return NULL;
}

// ---- Random calls --------------------------------------------------------------------------------------------------

// Returns a number that all messages of the caller determine: the receivers and lengths of what it sent, in order.
static guint64 digest_sent(void)
{
    guint64 digest = 14695981039346656037u; // FNV-1a, a word at a time
    for (guint i = 0; i < library->len; i++) {
        const OrderPost *post = &g_array_index(library, OrderPost, i);
        if (post->sends)
            digest = ((digest ^ (guint64)post->peer) * 1099511628211u ^ post->len) * 1099511628211u;
    }
    return digest;
}

// MPICH 4.0.2's noncommutative dies if blocks are unequal, or if p is not a power of two.
static bool would_die(const RandomCall *call)
{
    const char *forced = g_getenv("MPIR_CVAR_REDUCE_SCATTER_INTRA_ALGORITHM");
    return call->collective == COLL_REDUCE_SCATTER && (call->count % call->p != 0 || !is_pow2(call->p)) && forced &&
           strcmp(forced, "noncommutative") == 0;
}

// Makes a call, and prints it with a number that the messages of all ranks determine, or with - if it was left out.
static void note_call(const RandomCall *made, MPI_Comm comm, int rank)
{
    guint64 all[MOST_RANKS], mine;
    g_array_set_size(library, 0);
    with_empty = noting = true;
    if (!would_die(made))
        calls_make(made, calls_operation(made), comm);
    noting = false;
    mine = digest_sent();
    MPI_Gather(&mine, 1, MPI_UINT64_T, all, 1, MPI_UINT64_T, 0, comm);
    if (rank > 0)
        return;
    g_autoptr(GString) digests = g_string_new(NULL);
    for (int i = 0; i < made->p; i++)
        g_string_append_printf(digests, "%" G_GINT64_MODIFIER "x ", all[i]);
    calls_print(made);
    puts(would_die(made) ? "-" : digests->str);
}

static void note_calls(const GArray *calls, int rank, int ranks)
{
    MPI_Comm comms[MOST_RANKS + 1];
    for (int p = 2; p <= ranks; p++)
        MPI_Comm_split(MPI_COMM_WORLD, rank < p ? 0 : MPI_UNDEFINED, rank, &comms[p]);
    for (guint i = 0; i < calls->len; i++) {
        const RandomCall *made = &g_array_index(calls, RandomCall, i);
        if (comms[made->p] != MPI_COMM_NULL)
            note_call(made, comms[made->p], rank);
    }
}

int main(int argc, char **argv)
{
    int rank, ranks;
    MPI_Op own;
    MPI_Init(&argc, &argv);
    MPI_Op_create(add, true, &own);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    library = g_array_new(FALSE, FALSE, sizeof(OrderPost));
    own_rank = rank;
    learn_endpoints(rank, ranks);
    g_autoptr(Tables) tables = tables_load(&libraries[LIBRARY_MPICH_40], NULL);
    g_autoptr(GArray) calls = NULL;
    if (argc == 4 && strcmp(argv[1], "calls") == 0 && ranks == CALLS_RANKS)
        calls = calls_random(tables, (guint32)atoi(argv[2]), (guint)atoi(argv[3]));
    if (argc == 3 && strcmp(argv[1], "list") == 0)
        calls = calls_read(argv[2]);
    if (calls)
        note_calls(calls, rank, ranks);
    for (int i = 1; i + 2 < argc && !calls; i += 3) {
        CollParams par;
        const char mark = argv[i + 2][0];
        const bool ordered = mark != '~', pow2 = mark == '^', owns = mark == '+';
        const CollAlgorithm *a = find(argv[i], argv[i + 2] + (!ordered || pow2 || owns), &par);
        if (!a) {
            fprintf(stderr, "%s %s: there is no such entry\n", argv[i], argv[i + 2]);
            MPI_Abort(MPI_COMM_WORLD, 2);
        }
        operation = owns ? own : MPI_SUM;
        MpichTally tally = {0};
        for (int p = 2; p <= ranks; p++) {
            const int sizes[] = {p, 8 * p, 2520 * p, 1, 37};
            MPI_Comm comm;
            MPI_Comm_split(MPI_COMM_WORLD, rank < p ? 0 : MPI_UNDEFINED, rank, &comm);
            if (rank >= p)
                continue;
            tally.skipped += pow2 && !is_pow2(p);
            if (pow2 && !is_pow2(p)) {
                MPI_Comm_free(&comm);
                continue;
            }
            const int roots[] = {0, p / 2, p - 1}, n_roots = collectives[a->collective].rooted ? 3 : 1;
            learn_nodes(p, comm);
            for (int s = 0; s < (a->collective == COLL_BARRIER ? 1 : (int)G_N_ELEMENTS(sizes)); s++)
                for (int r = 0; r < n_roots; r++)
                    compare(argv[i + 1], a, &par, p, roots[r], sizes[s], ordered, comm, &tally);
            coll_nodes_free(nodes);
            nodes = NULL;
            MPI_Comm_free(&comm);
        }
        long long messages = 0;
        MPI_Reduce(&tally.messages, &messages, 1, MPI_LONG_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
        if (rank == 0)
            printf("%s,%s,%s,%d,%d,%lld,%d,%d,%d\n", argv[i], argv[i + 1], argv[i + 2], ranks, tally.equal, messages,
                   tally.different, tally.uneven, tally.skipped);
    }
    g_array_unref(library);
    MPI_Op_free(&own);
    MPI_Finalize();
    return 0;
}
