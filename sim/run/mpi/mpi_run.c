#include "run/mpi/mpi_run.h"
#include "run/mpi/host.h"
#include "api/blocks.h"
#include <glib.h>
#include <stdlib.h>
#include <string.h>

// A flag has a cache line, 64 bytes, for itself.
enum { TAG = 1, LINE = SEGMENT_LINE };

// ---- Addresses -----------------------------------------------------------------------------------------------------

struct MpiChunk {
    struct MpiChunk *next;
    size_t used, size;
    char *at;
};

static char *address(const MpiRun *x, const Slice *s)
{
    if (is_slot(*s))
        return x->segment + x->layout->queue[slot_owner(*s)] + s->off;
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
    const size_t at = segment_flag(x->layout, queue, who);
    g_assert(at != SIZE_MAX);
    return (int *)(void *)(x->segment + at);
}

static void await(const MpiRun *x, const CollIssue *op)
{
    enum { TRIES = 1000 };
    const int *f = flag(x, op->to, op->from);
    for (int i = 0; __atomic_load_n(f, __ATOMIC_ACQUIRE) < op->n; i++)
        if (i >= TRIES || host_one_clock())
            host_pause();
}

void mpi_run_unshare(MpiRun *x)
{
    segment_layout_free(x->layout);
    x->layout = NULL;
}

// Finds the ranks that this rank can share memory with: all in SMPI, and otherwise those of its host.
static void find_hosted(MpiRun *x)
{
    if (host_one_clock())
        MPI_Comm_dup(x->comm, &x->host);
    else
        MPI_Comm_split_type(x->comm, MPI_COMM_TYPE_SHARED, x->rank, MPI_INFO_NULL, &x->host);
    int n;
    MPI_Comm_size(x->host, &n);
    g_autofree int *ranks = g_new(int, n);
    MPI_Allgather(&x->rank, 1, MPI_INT, ranks, 1, MPI_INT, x->host);
    x->hosted = g_new0(bool, x->p);
    for (int i = 0; i < n; i++)
        x->hosted[ranks[i]] = true;
}

// Looks at what a rank's text does in shared memory, without doing it.
typedef struct HostCheck {
    CollRun run;
    const MpiRun *of;
    int far; // 1 if it shares memory with a rank that is not on this host
} HostCheck;

static void check_host(CollRun *run, const CollIssue *op)
{
    HostCheck *x = (HostCheck *)run;
    const bool *hosted = x->of->hosted;
    const Slice *slices[] = {op->in, op->out, op->right};
    for (int i = 0; i < 3; i++)
        x->far |= is_slot(*slices[i]) && !hosted[slot_owner(*slices[i])];
    if (op->kind == COLL_AWAIT)
        x->far |= !hosted[op->from] || !hosted[op->to];
}

// Returns true if no rank's text shares memory with a rank of another host.
static bool stays_on_hosts(const MpiRun *x, const Operation *op)
{
    HostCheck check = {.of = x};
    Coll view = op->c;
    coll_run_init(&check.run, check_host);
    view.run = &check.run;
    op->algorithm->run(&view);
    coll_run_clear(&check.run);
    MPI_Allreduce(MPI_IN_PLACE, &check.far, 1, MPI_INT, MPI_MAX, x->comm);
    return !check.far;
}

bool mpi_run_share(MpiRun *x, const Operation *op)
{
    mpi_run_unshare(x);
    if (!x->hosted)
        find_hosted(x);
    if (!stays_on_hosts(x, op))
        return false;
    x->layout = segment_layout(op);
    const size_t needs = x->layout->bytes;
    if (needs <= x->window_len)
        return true;
    if (x->window_len)
        MPI_Win_free(&x->window);
    // The host's first rank allocates the whole window and we compute the offsets, because in SMPI a query returns that
    // rank's address for every rank.
    MPI_Aint len;
    int first, unit;
    void *mine, *all;
    MPI_Comm_rank(x->host, &first);
    MPI_Win_allocate_shared(first == 0 ? (MPI_Aint)needs : 0, 1, MPI_INFO_NULL, x->host, &mine, &x->window);
    MPI_Win_shared_query(x->window, 0, &len, &unit, &all);
    x->segment = all;
    x->window_len = needs;
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
    if (!x->layout)
        return;
    for (int queue = 0; queue < x->p; queue++)
        if (x->hosted[queue] && segment_flag(x->layout, queue, x->rank) != SIZE_MAX)
            *flag(x, queue, x->rank) = 0;
    // We do not poison our own queue: it would then be in this rank's cache, and writing it would be faster than in a
    // real run, where other ranks have read it last.
    const int other = (x->rank + 1) % x->p;
    const size_t *next = x->layout->queue + other;
    if (x->hosted[other] && next[1] > next[0])
        mpi_poison(x->segment + next[0], next[1] - next[0]);
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
    mpi_run_unshare(x);
    if (x->hosted)
        MPI_Comm_free(&x->host);
    g_free(x->hosted);
    g_free(x->base);
    g_free(x->request);
    g_free(x->spare);
    coll_run_clear(&x->run);
}
