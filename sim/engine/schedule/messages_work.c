#include "engine/schedule/messages_work.h"
#include "api/backend.h"
#include "api/make.h"
#include <string.h>

// A request that is not waited for.
typedef struct OpenRequest {
    int from; // -1 for a send
    size_t bytes;
} OpenRequest;

struct MessagesRank {
    CollRun run; // while all texts run to find the lines
    const MessagesWork *work;
    int rank, p;
    int *
        met; // by rank: 1 + the last rank whose text had a message with it; 0 if none had; NULL if that does not matter
    uint32_t *line; // by rank: how many early messages it gets; NULL if lines do not matter
    uint32_t taken; // how many messages the rank has received
    bool received;  // its text has ended a receive
    GArray *open;   // of OpenRequest, in the order of issue
    GArray *ended;  // of OpenRequest: the receives that the last operation ended, the newest first
};

// Counts the early messages of the text that runs.
static void count_early(CollRun *run, const CollIssue *op)
{
    MessagesRank *x = (MessagesRank *)run;
    if (x->received)
        return;
    if (coll_kind_sends(op->kind))
        x->line[op->to]++;
    x->received = messages_end(x, op) > 0;
}

static void find_lines(MessagesRank *x, const Operation *op)
{
    coll_run_init(&x->run, count_early);
    x->run.no_copies = true;
    for (int rank = 0; rank < x->p; rank++) {
        const Coll view = coll_make(op->algorithm->collective, &op->c, rank, op->m, &x->run);
        messages_begin(x, rank);
        coll_run_reset(&x->run);
        op->algorithm->run(&view);
    }
    coll_run_clear(&x->run);
}

MessagesRank *messages_new(const Operation *op, const MessagesWork *work)
{
    MessagesRank *x = g_new0(MessagesRank, 1);
    x->work = work;
    x->p = op->c.p;
    x->met = work->connects ? g_new0(int, x->p) : NULL;
    x->line = work->matches ? g_new0(uint32_t, x->p) : NULL;
    x->open = g_array_new(FALSE, FALSE, sizeof(OpenRequest));
    x->ended = g_array_new(FALSE, FALSE, sizeof(OpenRequest));
    if (x->line)
        find_lines(x, op);
    return x;
}

void messages_begin(MessagesRank *x, int rank)
{
    x->rank = rank;
    x->taken = 0;
    x->received = false;
    g_array_set_size(x->open, 0);
    g_array_set_size(x->ended, 0);
}

bool messages_connects(MessagesRank *x, const CollIssue *op, int half)
{
    if (!x->met || (half == 0 ? !coll_kind_receives(op->kind) : !coll_kind_sends(op->kind)))
        return false;
    int *met = &x->met[half == 0 ? op->from : op->to];
    const bool is_new = *met != x->rank + 1;
    *met = x->rank + 1;
    return is_new;
}

uint64_t messages_in_line(MessagesRank *x, const CollIssue *op)
{
    if (!x->line || !coll_kind_receives(op->kind))
        return 0;
    const uint32_t early = x->line[x->rank], taken = x->taken;
    x->taken += taken < early;
    return early > taken ? early - taken - 1 : 0;
}

// Takes the request at this place off the list of those that are open.
static void end(MessagesRank *x, guint i)
{
    if (g_array_index(x->open, OpenRequest, i).from >= 0)
        g_array_append_val(x->ended, g_array_index(x->open, OpenRequest, i));
    g_array_remove_index(x->open, i);
}

size_t messages_end(MessagesRank *x, const CollIssue *op)
{
    g_array_set_size(x->ended, 0);
    if (coll_kind_receives(op->kind)) {
        const OpenRequest received = {op->from, op->in->len};
        g_array_append_val(op->kind == COLL_IRECV ? x->open : x->ended, received);
    } else if (op->kind == COLL_ISEND) {
        const OpenRequest sent = {-1, 0};
        g_array_append_val(x->open, sent);
    } else if (op->kind == COLL_WAITALL) {
        for (int i = 0; i < op->n; i++)
            end(x, x->open->len - 1);
    } else if (op->kind == COLL_WAIT) {
        end(x, x->open->len - 1 - (guint)op->n);
    }
    return x->ended->len;
}

bool messages_bounces(const MessagesRank *x, size_t i, size_t *bytes)
{
    const OpenRequest *r = &g_array_index(x->ended, OpenRequest, i);
    const MessagesWork *w = x->work;
    const int level = w->map ? mapping_level(w->map, x->rank, r->from) : w->far;
    *bytes = r->bytes;
    return w->eager && (int64_t)r->bytes <= w->eager[level];
}

void messages_free(MessagesRank *x)
{
    if (!x)
        return;
    g_free(x->met);
    g_free(x->line);
    g_array_unref(x->open);
    g_array_unref(x->ended);
    g_free(x);
}
