#define _GNU_SOURCE // for process_vm_readv
#include "run/mpi/mpi_measure.h"
#include "run/mpi/collect.h"
#include "run/mpi/host.h"
#include "run/mpi/like.h"
#include "run/launch/times.h"
#include "registry/composition.h"
#include <errno.h>
#include <glib.h>
#include <math.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

// A job that is being measured, at this rank.
typedef struct Session {
    MpiRun *run;
    const JobPlan *plan;
    const Job *job;
    const CollAlgorithm *algorithm; // the one that really runs: the job's, or its fallback
    MpiData data;
    LibraryCall call;
    bool first;
    double ahead;   // how far this rank's clock is ahead of rank 0's
    double *took_s; // the times of the n repetitions that count
    int n;
    pid_t other; // JOB_SINGLE: rank 1's process, and where its buffer is there
    void *theirs;
    char *wrong; // the first error at this rank; NULL if there is none
} Session;

// ---- Beginning together --------------------------------------------------------------------------------------------

// Returns how far this rank's clock is ahead of rank 0's. The quickest of some round trips gives the best estimate:
// rank 0 is assumed to have answered halfway.
static double clock_ahead(const MpiRun *run)
{
    enum { TRIPS = 20, TAG = 2 };
    double quickest = INFINITY, ahead = 0;
    for (int r = 1; r < run->p && !host_one_clock(); r++)
        for (int i = 0; i < TRIPS && (run->rank == 0 || run->rank == r); i++) {
            double there = 0;
            const double start = MPI_Wtime();
            if (run->rank == 0) {
                MPI_Recv(NULL, 0, MPI_BYTE, r, TAG, run->comm, MPI_STATUS_IGNORE);
                there = MPI_Wtime();
                MPI_Send(&there, 1, MPI_DOUBLE, r, TAG, run->comm);
                continue;
            }
            MPI_Send(NULL, 0, MPI_BYTE, 0, TAG, run->comm);
            MPI_Recv(&there, 1, MPI_DOUBLE, 0, TAG, run->comm, MPI_STATUS_IGNORE);
            const double end = MPI_Wtime();
            if (end - start < quickest) {
                quickest = end - start;
                ahead = (start + end) / 2 - there;
            }
        }
    return ahead;
}

// Lets all ranks begin together and returns the time of the beginning, by this rank's clock. Sets *late if this rank
// was not ready by then.
static double begin(const Session *s, bool *late)
{
    *late = false;
    if (s->first)
        return 0; // SMPI's clock has not moved yet
    if (s->plan->sync == SYNC_BARRIER) {
        MPI_Barrier(s->run->comm);
        return MPI_Wtime();
    }
    // The start must be so far ahead that all ranks know it in time. The last rank that comes to meet the others waits
    // for the shortest time, and this time shows how long a message to all ranks takes.
    enum { TIMES = 8 };
    const double before = MPI_Wtime();
    double none = 0;
    collect_max(s->run, &none, 1);
    collect_share(s->run, &none, sizeof none);
    const double now = MPI_Wtime();
    double latest[2] = {now - s->ahead, before - now};
    collect_max(s->run, latest, 2);
    collect_share(s->run, latest, sizeof latest);
    const double start = latest[0] - TIMES * latest[1] + s->ahead;
    *late = MPI_Wtime() > start;
    host_wait_until(start);
    return start;
}

// ---- One repetition ------------------------------------------------------------------------------------------------

static void pingpong(const Session *s)
{
    enum { TAG = 3 };
    char *const message = s->data.buffer[COLL_OUT];
    const int n = (int)s->job->m, other = 1 - s->run->rank;
    if (s->run->rank == 0) {
        MPI_Send(message, n, MPI_BYTE, other, TAG, s->run->comm);
        MPI_Recv(message, n, MPI_BYTE, other, TAG, s->run->comm, MPI_STATUS_IGNORE);
    } else if (s->run->rank == 1) {
        MPI_Recv(message, n, MPI_BYTE, other, TAG, s->run->comm, MPI_STATUS_IGNORE);
        MPI_Send(message, n, MPI_BYTE, other, TAG, s->run->comm);
    }
}

// Copies out of rank 1's buffer. Returns how many bytes it copied, or -1 and errno.
static ssize_t single_copy(const Session *s)
{
    const struct iovec mine = {s->data.buffer[COLL_OUT], s->job->m}, theirs = {s->theirs, s->job->m};
    return process_vm_readv(s->other, &mine, 1, &theirs, 1, 0);
}

static void perform(const Session *s)
{
    const MpiReduction *r = &s->run->reduction;
    switch (s->job->kind) {
    case JOB_ALGORITHM:
        s->algorithm->run(&s->data.view);
        break;
    case JOB_LIBRARY:
        library_call(&s->call);
        break;
    case JOB_PINGPONG:
        pingpong(s);
        break;
    case JOB_SINGLE:
        if (s->run->rank == 0)
            single_copy(s); // prepare_single() has found that all bytes come
        break;
    case JOB_LIKE:
        break;
    case JOB_REDUCE:
        if (s->run->rank == 0 && s->job->m)
            MPI_Reduce_local(s->data.buffer[COLL_IN], s->data.buffer[COLL_OUT], (int)(s->job->m / r->size), r->type,
                             r->op);
        break;
    }
}

// Runs the job once and returns how many seconds it took this rank.
static double repeat(Session *s, bool *late)
{
    if (s->run->layout)
        MPI_Barrier(s->run->comm); // no rank may still wait for flags of the last repetition
    mpi_run_reset(s->run);
    mpi_data_restore(&s->data);
    const double start = begin(s, late);
    perform(s);
    double took = MPI_Wtime() - start;
    s->first = false;
    if (s->job->kind == JOB_PINGPONG)
        took /= 2;
    if (!s->wrong && (s->job->kind == JOB_ALGORITHM || s->job->kind == JOB_LIBRARY))
        s->wrong = mpi_data_error(&s->data, s->run->rank);
    return took;
}

// ---- Repetitions ---------------------------------------------------------------------------------------------------

// Returns the times of the slowest rank in all repetitions, sorted, at rank 0. Free with g_free. Collective.
static double *slowest(const Session *s)
{
    double *most = g_memdup2(s->took_s, (gsize)s->n * sizeof *most);
    collect_max(s->run, most, s->n);
    times_sort(most, s->n);
    return most;
}

static bool is_enough(const Session *s, double begun)
{
    const JobPlan *plan = s->plan;
    if (s->n >= plan->most)
        return true;
    g_autofree double *most = slowest(s);
    int enough = MPI_Wtime() - begun >= plan->budget_s || times_imprecision(most, s->n) <= plan->precision;
    collect_share(s->run, &enough, sizeof enough);
    return enough;
}

static void repeat_until_known(Session *s)
{
    bool late = false;
    for (int i = 0; i < s->plan->warmup; i++)
        repeat(s, &late);
    const double begun = MPI_Wtime();
    s->took_s = g_new(double, s->plan->most);
    do {
        const int until = MIN(MAX(2 * s->n, s->plan->least), s->plan->most);
        while (s->n < until)
            s->took_s[s->n++] = repeat(s, &late);
    } while (!is_enough(s, begun));
    if (late && host_one_clock() && !s->wrong)
        s->wrong = g_strdup_printf("rank %d could not begin in time", s->run->rank);
}

// Collects the times of all ranks into *result at rank 0.
static void summarise(const Session *s, JobResult *result)
{
    const int n = s->n;
    const bool rank0_alone = s->job->kind == JOB_PINGPONG || s->job->kind == JOB_REDUCE || s->job->kind == JOB_SINGLE;
    const bool counts = !rank0_alone || s->run->rank == 0;
    g_autofree double *most = g_new0(double, n + 1); // the repetitions' times, and the opposite of the least of them
    double sum = 0;
    most[n] = -INFINITY;
    for (int i = 0; i < n && counts; i++) {
        most[i] = s->took_s[i];
        most[n] = MAX(most[n], -most[i]);
        sum += most[i];
    }
    collect_max(s->run, most, n + 1);
    sum = collect_sum(s->run, sum);
    result->ranks_min_s = -most[n];
    result->ranks_mean_s = sum / ((double)n * (rank0_alone ? 1 : s->run->p));
    times_sort(most, n);
    times_summarise(most, n, result);
}

static void merge_text(void *mine, const void *other, size_t size)
{
    if (!*(char *)mine)
        memcpy(mine, other, size);
}

// Returns at rank 0 the text of the first rank that passes one (`own` is not NULL), or NULL if none does. Returns NULL
// at all other ranks. Free with g_free. Collective.
static char *first_text(const MpiRun *run, const char *own)
{
    char text[256] = "";
    if (own)
        g_strlcpy(text, own, sizeof text);
    collect_merge(run, text, sizeof text, merge_text);
    return run->rank == 0 && *text ? g_strdup(text) : NULL;
}

static void compare_messages(Session *s, JobResult *result)
{
    g_autofree char *unlike = like_difference(&s->call, s->algorithm, &result->counted);
    s->wrong = mpi_data_error(&s->data, s->run->rank);
    result->unlike = first_text(s->run, unlike);
    result->wrong = first_text(s->run, s->wrong);
}

// Finds rank 1's buffer, and copies once. Returns why that is impossible, which is the same at all ranks; NULL if it
// works.
static const char *prepare_single(Session *s)
{
    MPI_Comm host;
    int near, error = 0;
    uint64_t at[2] = {(uint64_t)getpid(), (uint64_t)(uintptr_t)s->data.buffer[COLL_IN]};
    MPI_Comm_split_type(s->run->comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
    MPI_Comm_size(host, &near);
    MPI_Comm_free(&host);
    MPI_Bcast(&near, 1, MPI_INT, 0, s->run->comm);
    if (near < 2)
        return "the two ranks are on different hosts";
    MPI_Bcast(at, 2, MPI_UINT64_T, 1, s->run->comm);
    s->other = (pid_t)at[0];
    s->theirs = (void *)(uintptr_t)at[1];
    if (s->run->rank == 0 && s->job->m > 0) {
        const ssize_t n = single_copy(s);
        error = n < 0 ? errno : n != (ssize_t)s->job->m ? EIO : 0;
    }
    MPI_Bcast(&error, 1, MPI_INT, 0, s->run->comm);
    return error ? strerror(error) : NULL;
}

// Prepares the job. Returns why it cannot run at all, which is the same at all ranks; NULL if it can.
static const char *prepare(Session *s)
{
    const Job *job = s->job;
    const char *why = NULL;
    if (!mpi_reduction_make(job->op, job->elem, s->plan->gamma_s, &s->run->reduction))
        return "elements of this size have no ordered operation; allowed: 2, 4, 8 or 16 bytes";
    if ((job->kind == JOB_PINGPONG || job->kind == JOB_SINGLE) && s->run->p < 2)
        return "it takes two ranks";
    if (!mpi_data_make(&s->data, job, s->run, s->plan->blind))
        return "a rank has more than 2 GiB to send or receive";
    if (job->algorithm && !(s->algorithm = coll_resolve(job->algorithm, &s->data.view, &why)))
        return why;
    if (job->kind == JOB_SINGLE && (why = prepare_single(s)))
        return why;
    mpi_run_unshare(s->run);
    const bool shares =
        s->algorithm && (s->algorithm->shared || algorithm_shared_part(s->algorithm, &s->data.view.par));
    if (shares && !mpi_run_share(s->run, &(Operation){s->algorithm, s->data.view, job->m}))
        return "ranks that are on different hosts would have to share memory";
    s->first &= !s->run->layout; // with shared memory a barrier must follow the reset of the flags
    if (job->kind == JOB_LIBRARY || job->kind == JOB_LIKE)
        library_call_make(&s->call, job, s->run, &s->data);
    return NULL;
}

void mpi_measure(MpiRun *run, const JobPlan *plan, const Job *job, bool first, JobResult *result)
{
    Session s = {.run = run, .plan = plan, .job = job, .first = first && host_one_clock()};
    *result = (JobResult){0};
    run->synchronous = job->synchronous;
    const char *why = prepare(&s);
    if (why)
        result->wrong = g_strdup(why);
    else if (job->kind == JOB_LIKE)
        compare_messages(&s, result);
    else {
        s.ahead = plan->sync == SYNC_WINDOW ? clock_ahead(run) : 0;
        repeat_until_known(&s);
        summarise(&s, result);
        result->wrong = first_text(run, s.wrong);
    }
    mpi_reduction_free(&run->reduction);
    mpi_data_free(&s.data);
    library_call_free(&s.call);
    g_free(s.took_s);
    g_free(s.wrong);
}
