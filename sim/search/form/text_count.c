#include "search/form/text_count.h"
#include "search/form/text_run.h"
#include "api/make.h"
#include "registry/composition.h"

typedef struct Counter {
    TextRun text;
    TextCount *count;
} Counter;

static void count_issue(CollRun *run, const CollIssue *op)
{
    TextCount *x = ((Counter *)run)->count;
    const CollOpKind k = op->kind;
    if (k == COLL_SEND || k == COLL_SENDRECV || k == COLL_ISEND) {
        x->messages[TEXT_OUT]++;
        x->bytes[TEXT_OUT] += (double)op->out->len;
    }
    if (k == COLL_RECV || k == COLL_SENDRECV || k == COLL_IRECV) {
        x->messages[TEXT_IN]++;
        x->bytes[TEXT_IN] += (double)op->in->len;
    }
}

bool text_count(const Operation *op, int rank, TextCount *count)
{
    const char *why;
    Counter counter = {.count = count};
    *count = (TextCount){.messages = {0}};
    text_run_init(&counter.text, count_issue);
    Coll view = coll_make(op->algorithm->collective, &op->c, rank, op->m, &counter.text.run);
    const bool runs = coll_resolve(op->algorithm, &view, &why) == op->algorithm;
    if (runs)
        text_run(&counter.text, op, rank);
    coll_run_clear(&counter.text.run);
    return runs;
}

typedef struct MessageMeter {
    TextRun text;
    double messages, most;
} MessageMeter;

static void meter_messages(CollRun *run, const CollIssue *op)
{
    MessageMeter *x = (MessageMeter *)run;
    const CollOpKind k = op->kind;
    x->messages += k == COLL_SENDRECV                                                       ? 1
                   : k == COLL_SEND || k == COLL_ISEND || k == COLL_RECV || k == COLL_IRECV ? 0.5
                                                                                            : 0;
    if (x->messages >= x->most)
        text_leave(&x->text);
}

double text_messages(const Operation *op, int rank, double most)
{
    const char *why;
    MessageMeter meter = {.most = most};
    text_run_init(&meter.text, meter_messages);
    Coll view = coll_make(op->algorithm->collective, &op->c, rank, op->m, &meter.text.run);
    if (coll_resolve(op->algorithm, &view, &why) == op->algorithm)
        text_run(&meter.text, op, rank);
    coll_run_clear(&meter.text.run);
    return MIN(meter.messages, most);
}

typedef struct LengthMeter {
    TextRun text;
    uint64_t operations, most;
} LengthMeter;

static void meter_issue(CollRun *run, const CollIssue *op)
{
    LengthMeter *x = (LengthMeter *)run;
    (void)op;
    if (++x->operations > x->most)
        text_leave(&x->text);
}

bool text_is_longer(const Operation *op, int rank, uint64_t most)
{
    LengthMeter meter = {.most = most};
    text_run_init(&meter.text, meter_issue);
    text_run(&meter.text, op, rank);
    coll_run_clear(&meter.text.run);
    return meter.operations > most;
}
