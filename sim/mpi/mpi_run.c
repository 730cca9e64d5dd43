#include "mpi/mpi_run.h"
#include "mpi/host.h"
#include "api/blocks.h"
#include <glib.h>
#include <stdlib.h>
#include <string.h>

// A flag has a cache line, 64 bytes, for itself.
enum { TAG = 1, LINE = 64 };

// ---- Addresses -----------------------------------------------------------------------------------------------------

struct MpiChunk {
    struct MpiChunk *next;
    size_t used, size;
    char *at;
};

static char *address(const MpiRun *x, const Slice *s)
{
    if (is_slot(*s))
        return x->queues + (size_t)x->hosted_as[slot_owner(*s)] * x->queue_len + s->off;
    return x->base[s->buf] + s->off;
}

// Takes a scratch buffer from the chunks, in order; it begins on a cache line of its own.
static void take_room(CollRun *run, size_t len)
{
    MpiRun *x = (MpiRun *)run;
    const size_t needs = (len + LINE - 1) / LINE * LINE;
    if (run->next_scratch >= x->max_base) {
        x->max_base = 2 * x->max_base;
        x->base = g_renew(char *, x->base, x->max_base);
    }
    while (x->chunk && x->chunk->size - x->chunk->used < needs)
        x->chunk = x->chunk->next;
    if (!x->chunk) {
        x->chunk = g_new0(struct MpiChunk, 1);
        x->chunk->size = MAX(needs, (size_t)1 << 10);
        x->chunk->at = aligned_alloc(LINE, x->chunk->size);
        g_assert(x->chunk->at);
        mpi_poison(x->chunk->at, x->chunk->size);
        struct MpiChunk **last = &x->chunks;
        while (*last)
            last = &(*last)->next;
        *last = x->chunk;
    }
    x->base[run->next_scratch] = x->chunk->at + x->chunk->used;
    x->chunk->used += needs;
}

void mpi_poison(char *at, size_t len)
{
    memset(at, 0xa5, len);
}

// ---- Local work ----------------------------------------------------------------------------------------------------

static void reduce(MpiRun *x, const CollIssue *op)
{
    char *into = address(x, op->in);
    const char *left = address(x, op->out), *right = address(x, op->right);
    const size_t len = op->in->len;
    const MpiReduction *r = &x->reduction;
    if (into == left && r->ordered) {
        if (x->spare_len < len) {
            x->spare = g_realloc(x->spare, len);
            x->spare_len = len;
        }
        memcpy(x->spare, right, len);
        MPI_Reduce_local(left, x->spare, (int)(len / r->size), r->type, r->op);
        memcpy(into, x->spare, len);
    } else {
        const char *other = into == left ? right : left;
        if (into != left && into != right)
            memcpy(into, right, len);
        MPI_Reduce_local(other, into, (int)(len / r->size), r->type, r->op);
    }
}

static void pack(const MpiRun *x, const CollIssue *op)
{
    const bool packs = op->kind == COLL_PACK;
    char *whole = address(x, packs ? op->in : op->out);
    for (int i = 0; i < op->n; i++) {
        const Slice b = block(op->blocks, op->which[i]);
        char *part = address(x, &b);
        memcpy(packs ? whole : part, packs ? part : whole, b.len);
        whole += b.len;
    }
}

// ---- Messages ------------------------------------------------------------------------------------------------------

static MPI_Request *new_request(MpiRun *x)
{
    if (x->n_requests == x->max_requests) {
        x->max_requests = MAX(16, 2 * x->max_requests);
        x->request = g_renew(MPI_Request, x->request, x->max_requests);
    }
    return &x->request[x->n_requests++];
}

static void isend(MpiRun *x, const CollIssue *op)
{
    MPI_Request *request = new_request(x);
    if (x->synchronous)
        MPI_Issend(address(x, op->out), (int)op->out->len, MPI_BYTE, op->to, TAG, x->comm, request);
    else
        MPI_Isend(address(x, op->out), (int)op->out->len, MPI_BYTE, op->to, TAG, x->comm, request);
}

static void send(const MpiRun *x, const CollIssue *op)
{
    if (x->synchronous)
        MPI_Ssend(address(x, op->out), (int)op->out->len, MPI_BYTE, op->to, TAG, x->comm);
    else
        MPI_Send(address(x, op->out), (int)op->out->len, MPI_BYTE, op->to, TAG, x->comm);
}

static void sendrecv(const MpiRun *x, const CollIssue *op)
{
    if (!x->synchronous) {
        MPI_Sendrecv(address(x, op->out), (int)op->out->len, MPI_BYTE, op->to, TAG, address(x, op->in),
                     (int)op->in->len, MPI_BYTE, op->from, TAG, x->comm, MPI_STATUS_IGNORE);
        return;
    }
    MPI_Request request;
    MPI_Irecv(address(x, op->in), (int)op->in->len, MPI_BYTE, op->from, TAG, x->comm, &request);
    send(x, op);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void wait_for(MpiRun *x, int n, bool all)
{
    const int first = x->n_requests - n - !all;
    if (all)
        MPI_Waitall(n, x->request + first, MPI_STATUSES_IGNORE);
    else
        MPI_Wait(&x->request[first], MPI_STATUS_IGNORE);
    x->n_requests -= all ? n : 1;
    for (int i = first; i < x->n_requests; i++)
        x->request[i] = x->request[i + 1];
    x->ended = MIN(x->ended, first);
}

// Requests that end here stay in the list as MPI_REQUEST_NULL until the algorithm waits for them.
static void throttle(MpiRun *x, int n)
{
    int pending = 0;
    for (int i = x->ended; i < x->n_requests; i++)
        pending += x->request[i] != MPI_REQUEST_NULL;
    for (; pending >= n; pending--) {
        int which;
        MPI_Waitany(x->n_requests - x->ended, x->request + x->ended, &which, MPI_STATUS_IGNORE);
    }
    while (x->ended < x->n_requests && x->request[x->ended] == MPI_REQUEST_NULL)
        x->ended++;
}

// ---- Shared memory -------------------------------------------------------------------------------------------------

// Returns the flag that says how far rank `who` has got with a queue.
static int *flag(const MpiRun *x, int queue, int who)
{
    const size_t line = (size_t)x->hosted_as[queue] * (size_t)x->hosted + (size_t)x->hosted_as[who];
    return (int *)(void *)(x->flags + line * LINE);
}

static void await(const MpiRun *x, const CollIssue *op)
{
    enum { TRIES = 1000 };
    const int *f = flag(x, op->to, op->from);
    for (int i = 0; __atomic_load_n(f, __ATOMIC_ACQUIRE) < op->n; i++)
        if (i >= TRIES || host_one_clock())
            host_pause();
}

// Finds the ranks that this rank can share memory with: all in SMPI, and otherwise those of its host.
static void find_hosted(MpiRun *x)
{
    if (host_one_clock())
        MPI_Comm_dup(x->comm, &x->host);
    else
        MPI_Comm_split_type(x->comm, MPI_COMM_TYPE_SHARED, x->rank, MPI_INFO_NULL, &x->host);
    MPI_Comm_size(x->host, &x->hosted);
    g_autofree int *ranks = g_new(int, x->hosted);
    MPI_Allgather(&x->rank, 1, MPI_INT, ranks, 1, MPI_INT, x->host);
    x->hosted_as = g_new(int, x->p);
    for (int i = 0; i < x->p; i++)
        x->hosted_as[i] = -1;
    for (int i = 0; i < x->hosted; i++)
        x->hosted_as[ranks[i]] = i;
}

// What a rank's text does in shared memory, found without doing it.
typedef struct SharedUse {
    CollRun run;
    const MpiRun *of;
    int far;          // 1 if it shares memory with a rank that is not on this host
    size_t queue_len; // bytes that it uses of a queue
} SharedUse;

static void note_use(CollRun *run, const CollIssue *op)
{
    SharedUse *x = (SharedUse *)run;
    const Slice *slices[] = {op->in, op->out, op->right};
    for (int i = 0; i < 3; i++)
        if (is_slot(*slices[i])) {
            x->far |= x->of->hosted_as[slot_owner(*slices[i])] < 0;
            x->queue_len = MAX(x->queue_len, slices[i]->off + slices[i]->len);
        }
    if (op->kind == COLL_AWAIT)
        x->far |= x->of->hosted_as[op->from] < 0 || x->of->hosted_as[op->to] < 0;
}

bool mpi_run_share(MpiRun *x, const CollAlgorithm *a, const Coll *view)
{
    if (!x->hosted_as)
        find_hosted(x);
    SharedUse use = {.of = x};
    Coll asked = *view;
    asked.run = &use.run;
    coll_run_init(&use.run, note_use);
    a->run(&asked);
    coll_run_clear(&use.run);
    uint64_t len = use.queue_len;
    MPI_Allreduce(MPI_IN_PLACE, &use.far, 1, MPI_INT, MPI_MAX, x->comm);
    MPI_Allreduce(MPI_IN_PLACE, &len, 1, MPI_UINT64_T, MPI_MAX, x->comm);
    if (use.far)
        return false;
    const size_t flags_len = (size_t)x->hosted * (size_t)x->hosted * LINE;
    x->queue_len = ((size_t)len + LINE - 1) / LINE * LINE;
    const size_t needs = flags_len + x->queue_len * (size_t)x->hosted;
    if (needs > x->window_len) {
        if (x->window_len)
            MPI_Win_free(&x->window);
        // The host's first rank allocates the whole window and we compute the offsets, because in SMPI a query returns
        // that rank's address for every rank.
        MPI_Aint size;
        int unit;
        void *mine, *all;
        const bool first = x->hosted_as[x->rank] == 0;
        MPI_Win_allocate_shared(first ? (MPI_Aint)needs : 0, 1, MPI_INFO_NULL, x->host, &mine, &x->window);
        MPI_Win_shared_query(x->window, 0, &size, &unit, &all);
        x->flags = all;
        x->window_len = needs;
    }
    x->queues = x->flags + flags_len;
    return true;
}

// ---- Runs ----------------------------------------------------------------------------------------------------------

static void perform(CollRun *run, const CollIssue *op)
{
    MpiRun *x = (MpiRun *)run;
    switch (op->kind) {
    case COLL_SEND:
        send(x, op);
        break;
    case COLL_RECV:
        MPI_Recv(address(x, op->in), (int)op->in->len, MPI_BYTE, op->from, TAG, x->comm, MPI_STATUS_IGNORE);
        break;
    case COLL_SENDRECV:
        sendrecv(x, op);
        break;
    case COLL_ISEND:
        isend(x, op);
        break;
    case COLL_IRECV:
        MPI_Irecv(address(x, op->in), (int)op->in->len, MPI_BYTE, op->from, TAG, x->comm, new_request(x));
        break;
    case COLL_WAIT:
        wait_for(x, op->n, false);
        break;
    case COLL_WAITALL:
        wait_for(x, op->n, true);
        break;
    case COLL_THROTTLE:
        throttle(x, op->n);
        break;
    case COLL_REDUCE_OP:
        reduce(x, op);
        break;
    case COLL_COPY:
        memmove(address(x, op->in), address(x, op->out), op->in->len);
        break;
    case COLL_PACK:
    case COLL_UNPACK:
        pack(x, op);
        break;
    case COLL_RAISE:
        __atomic_store_n(flag(x, op->to, x->rank), op->n, __ATOMIC_RELEASE);
        break;
    case COLL_AWAIT:
        await(x, op);
        break;
    }
}

void mpi_run_init(MpiRun *x, MPI_Comm comm)
{
    *x = (MpiRun){.comm = comm, .max_base = 16};
    coll_run_init(&x->run, perform);
    x->run.room = take_room;
    x->base = g_new0(char *, x->max_base);
    MPI_Comm_rank(comm, &x->rank);
    MPI_Comm_size(comm, &x->p);
}

void mpi_run_reset(MpiRun *x)
{
    coll_run_reset(&x->run);
    x->n_requests = x->ended = 0;
    for (struct MpiChunk *c = x->chunks; c; c = c->next)
        c->used = 0;
    x->chunk = x->chunks;
    if (!x->queues)
        return;
    const int me = x->hosted_as[x->rank], next = (me + 1) % x->hosted;
    for (int queue = 0; queue < x->p; queue++)
        if (x->hosted_as[queue] >= 0)
            *flag(x, queue, x->rank) = 0;
    // We do not poison our own queue: it would then be in this rank's cache, and writing it would be faster than in a
    // real run, where other ranks have read it last.
    mpi_poison(x->queues + (size_t)next * x->queue_len, x->queue_len);
}

void mpi_run_clear(MpiRun *x)
{
    while (x->chunks) {
        struct MpiChunk *next = x->chunks->next;
        free(x->chunks->at);
        g_free(x->chunks);
        x->chunks = next;
    }
    if (x->window_len)
        MPI_Win_free(&x->window);
    if (x->hosted_as)
        MPI_Comm_free(&x->host);
    g_free(x->hosted_as);
    g_free(x->base);
    g_free(x->request);
    g_free(x->spare);
    coll_run_clear(&x->run);
}
