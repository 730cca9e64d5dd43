#include "search/form/text_count.h"
#include "search/form/text_run.h"
#include "api/make.h"
#include "registry/composition.h"
#include <math.h>

typedef struct Counter {
    TextRun text;
    TextCount *count;
    double most; // messages after which the text ends, as messages_of() counts them
} Counter;

static double messages_of(const TextCount *count)
{
    return (count->messages[TEXT_OUT] + count->messages[TEXT_IN]) / 2;
}

static void count_issue(CollRun *run, const CollIssue *op)
{
    Counter *counter = (Counter *)run;
    TextCount *x = counter->count;
    const CollOpKind k = op->kind;
    if (k == COLL_SEND || k == COLL_SENDRECV || k == COLL_ISEND) {
        x->messages[TEXT_OUT]++;
        x->bytes[TEXT_OUT] += (double)op->out->len;
    }
    if (k == COLL_RECV || k == COLL_SENDRECV || k == COLL_IRECV) {
        x->messages[TEXT_IN]++;
        x->bytes[TEXT_IN] += (double)op->in->len;
    }
    if (messages_of(x) >= counter->most)
        text_leave(&counter->text);
}

static bool count_up_to(const Operation *op, int rank, double most, TextCount *count)
{
    const char *why;
    Counter counter = {.count = count, .most = most};
    *count = (TextCount){.messages = {0}};
    text_run_init(&counter.text, count_issue);
    Coll view = coll_make(op->algorithm->collective, &op->c, rank, op->m, &counter.text.run);
    const bool runs = coll_resolve(op->algorithm, &view, &why) == op->algorithm;
    if (runs)
        text_run(&counter.text, op, rank);
    coll_run_clear(&counter.text.run);
    return runs;
}

bool text_count(const Operation *op, int rank, TextCount *count)
{
    return count_up_to(op, rank, INFINITY, count);
}

double text_messages(const Operation *op, int rank, double most)
{
    TextCount count;
    count_up_to(op, rank, most, &count);
    return fmin(messages_of(&count), most);
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
