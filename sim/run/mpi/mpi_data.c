#include "run/mpi/mpi_data.h"
#include "registry/meaning.h"
#include "api/make.h"
#include <glib.h>
#include <limits.h>
#include <string.h>

static uint64_t scramble(uint64_t x) // splitmix64
{
    x += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

// ---- Numbers -------------------------------------------------------------------------------------------------------

// Rank r's i-th number is c(r) s(i) + d(r) modulo 2^64, and an element is its lowest bytes. So the sum over many ranks
// is as cheap to compute as the number of one rank: add up c and d.
typedef struct Sum {
    uint64_t c, d;
} Sum;

static void add_rank(Sum *sum, int r)
{
    const uint64_t c = scramble((uint64_t)r + 1);
    sum->c += c;
    sum->d += scramble(c);
}

static uint64_t number(const Sum *sum, size_t i)
{
    return sum->c * scramble(i) + sum->d;
}

// The numbers of ranks first .. end-1, reduced. An ordered element consists of two numbers, which stand for an affine
// map (see reduction.c).
typedef struct MpiNumbers {
    const MpiReduction *reduction;
    JobOp op;
    int first, end;
} MpiNumbers;

// Returns the lowest `size` bytes as a signed number.
static int64_t cut(uint64_t x, size_t size)
{
    const unsigned beyond = 64 - 8 * (unsigned)size;
    return (int64_t)(x << beyond) >> beyond;
}

static void write_number(char *at, uint64_t x, size_t size)
{
    memcpy(at, &x, size); // the lowest bytes come first: all supported machines are little-endian
}

static void write_plain(const MpiNumbers *x, char *at, size_t from, size_t n)
{
    const size_t size = x->reduction->size;
    Sum sum = {0}, one[1];
    for (int r = x->first; r < x->end && x->op != JOB_MAX; r++)
        add_rank(&sum, r);
    for (size_t i = 0; i < n; i++) {
        uint64_t value = number(&sum, from + i);
        for (int r = x->first; x->op == JOB_MAX && r < x->end; r++) {
            *one = (Sum){0};
            add_rank(one, r);
            const int64_t other = cut(number(one, from + i), size);
            value = (uint64_t)(r == x->first ? other : MAX((int64_t)value, other));
        }
        write_number(at + i * size, value, size);
    }
}

static void write_ordered(const MpiNumbers *x, char *at, size_t from, size_t n)
{
    const size_t half = x->reduction->size / 2;
    for (size_t i = 0; i < n; i++) {
        uint64_t a = 1, b = 0;
        for (int r = x->first; r < x->end; r++) {
            Sum sum = {0};
            add_rank(&sum, r);
            const uint64_t factor = number(&sum, 2 * (from + i)) | 1;
            a *= factor;
            b = b * factor + number(&sum, 2 * (from + i) + 1);
        }
        write_number(at + 2 * i * half, a, half);
        write_number(at + (2 * i + 1) * half, b, half);
    }
}

// Writes `len` bytes of the numbers from byte `from` on; both are whole elements.
static void write_numbers(const MpiNumbers *x, char *at, size_t from, size_t len)
{
    const size_t size = x->reduction->size;
    (x->reduction->ordered ? write_ordered : write_plain)(x, at, from / size, len / size);
}

// ---- Buffers -------------------------------------------------------------------------------------------------------

typedef struct Wanted {
    MpiData *data;
    const Job *job;
    const MpiReduction *reduction;
} Wanted;

static void want(const Due *due, void *user)
{
    const Wanted *w = user;
    const MpiNumbers numbers = {w->reduction, w->job->op, due->first, due->end};
    if (due->out.buf == COLL_OUT)
        write_numbers(&numbers, w->data->want + due->out.off, due->from, due->out.len);
}

static void fill(MpiData *data, const Job *job, const MpiRun *run)
{
    const Coll *view = &data->view;
    for (int b = 0; b < 2; b++)
        mpi_poison(data->buffer[b], data->len[b]);
    if (meaning_has_data(job->collective, view) && data->len[view->in.buf]) {
        const MpiNumbers own = {&run->reduction, job->op, run->rank, run->rank + 1};
        write_numbers(&own, data->buffer[view->in.buf] + view->in.off, 0, view->in.len);
    }
    data->before = g_memdup2(data->buffer[COLL_OUT], data->len[COLL_OUT]);
    // MPI leaves the result of an exscan undefined at rank 0.
    if (job->collective == COLL_EXSCAN && run->rank == 0)
        return;
    data->want = g_memdup2(data->before, data->len[COLL_OUT]);
    meaning_of(job->collective, view, job->m, want, &(Wanted){data, job, &run->reduction});
}

// Sets the lengths of the rank's buffers. A buffer that only the root has is empty at other ranks.
static void find_lengths(MpiData *data, Collective collective)
{
    const Coll *view = &data->view;
    data->len[COLL_IN] = data->len[COLL_OUT] = 0;
    data->len[view->in.buf] = view->in.off + view->in.len;
    data->len[view->out.buf] = MAX(data->len[view->out.buf], view->out.off + view->out.len);
    if (view->rank == view->root)
        return;
    if (collective == COLL_GATHER || collective == COLL_GATHERV || collective == COLL_REDUCE)
        data->len[COLL_OUT] = 0;
    if (collective == COLL_SCATTER || collective == COLL_SCATTERV)
        data->len[COLL_IN] = 0;
}

bool mpi_data_make(MpiData *data, const Job *job, MpiRun *run, bool blind)
{
    const Coll of = {.p = run->p,
                     .root = job->root,
                     .elem = job->elem,
                     .commutative = job->op != JOB_ORDERED,
                     .nodes = job->nodes,
                     .par = job->par,
                     .counts = job->counts};
    coll_run_forget(&run->run); // its nodes were those of the job before
    *data = (MpiData){.view = coll_make(job->collective, &of, run->rank, job->m, &run->run)};
    if (data->view.in.len > INT_MAX || data->view.out.len > INT_MAX)
        return false;
    if (job->in_place)
        coll_in_place(&data->view, job->collective);
    find_lengths(data, job->collective);
    for (int b = 0; b < 2; b++)
        data->buffer[b] = g_malloc0(MAX(data->len[b], 1));
    if (!blind)
        fill(data, job, run);
    run->base[COLL_IN] = data->buffer[COLL_IN];
    run->base[COLL_OUT] = data->buffer[COLL_OUT];
    return true;
}

void mpi_data_free(MpiData *data)
{
    g_free(data->buffer[COLL_IN]);
    g_free(data->buffer[COLL_OUT]);
    g_free(data->before);
    g_free(data->want);
}

void mpi_data_restore(MpiData *data)
{
    if (data->before)
        memcpy(data->buffer[COLL_OUT], data->before, data->len[COLL_OUT]);
}

char *mpi_data_error(const MpiData *data, int rank)
{
    const unsigned char *got = (const unsigned char *)data->buffer[COLL_OUT], *due = (const unsigned char *)data->want;
    if (!due || memcmp(got, due, data->len[COLL_OUT]) == 0)
        return NULL;
    size_t i = 0;
    while (got[i] == due[i])
        i++;
    return g_strdup_printf("rank %d: byte %zu of its result is %d, not %d", rank, i, got[i], due[i]);
}
