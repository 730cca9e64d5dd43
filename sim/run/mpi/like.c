#include "run/mpi/like.h"
#include "run/mpi/collect.h"
#include "run/mpi/host.h"
#include <glib.h>

// A run of the algorithm that counts its messages and does nothing else.
typedef struct LikePass {
    CollRun run;
    HostSent *sent; // by receiver
} LikePass;

static void count(CollRun *run, const CollIssue *op)
{
    if (op->kind != COLL_SEND && op->kind != COLL_ISEND && op->kind != COLL_SENDRECV)
        return;
    HostSent *sent = &((LikePass *)run)->sent[op->to];
    sent->messages++;
    sent->bytes += op->out->len;
}

static HostSent *count_text(const CollAlgorithm *algorithm, const Coll *view)
{
    LikePass pass = {.sent = g_new0(HostSent, view->p)};
    Coll c = *view;
    coll_run_init(&pass.run, count);
    c.run = &pass.run;
    algorithm->run(&c);
    coll_run_clear(&pass.run);
    return pass.sent;
}

// Returns true if the library counts messages: if at all ranks a message that we send is counted exactly once.
static bool is_counting(const MpiRun *run, HostSent *sent)
{
    enum { TAG = 5, LENGTH = 13 };
    char out[LENGTH] = "", in[LENGTH];
    const int to = (run->rank + 1) % run->p, from = (run->rank + run->p - 1) % run->p;
    const HostSent before = sent[to];
    MPI_Sendrecv(out, LENGTH, MPI_BYTE, to, TAG, in, LENGTH, MPI_BYTE, from, TAG, run->comm, MPI_STATUS_IGNORE);
    double misses = sent[to].messages != before.messages + 1 || sent[to].bytes != before.bytes + LENGTH;
    collect_max(run, &misses, 1);
    collect_share(run, &misses, sizeof misses);
    return misses == 0;
}

static bool is_like(const HostSent *a, const HostSent *b, uint64_t rounding)
{
    const uint64_t apart = a->bytes > b->bytes ? a->bytes - b->bytes : b->bytes - a->bytes;
    return a->messages == b->messages && apart <= a->messages * rounding;
}

char *like_difference(const LibraryCall *call, const CollAlgorithm *algorithm, bool *counted)
{
    const MpiRun *run = call->run;
    g_autofree HostSent *sent = g_new0(HostSent, run->p), *text = count_text(algorithm, &call->data->view);
    host_count_sent(sent);
    *counted = is_counting(run, sent);
    MPI_Barrier(run->comm);
    for (int i = 0; i < run->p; i++)
        sent[i] = (HostSent){0};
    library_call(call);
    host_count_sent(NULL);
    for (int i = 0; *counted && i < run->p; i++)
        if (!is_like(&sent[i], &text[i], (uint64_t)run->p * call->job->elem))
            return g_strdup_printf("rank %d sends %" G_GUINT64_FORMAT " messages, %" G_GUINT64_FORMAT
                                   " bytes to rank %d; %s sends %" G_GUINT64_FORMAT ", %" G_GUINT64_FORMAT " bytes",
                                   run->rank, sent[i].messages, sent[i].bytes, i, algorithm->name, text[i].messages,
                                   text[i].bytes);
    return NULL;
}
