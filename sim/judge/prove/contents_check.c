// The whole check of the contents of an algorithm: messages, rules, and then the execution.
#include "judge/prove/contents.h"
#include <glib.h>

// Up to this many ranks the operations are executed in every order. With more ranks, one order is enough: see
// contents_error.
enum { EVERY_ORDER = 5 };

static char *run_in_orders(const Contents *c, const Messages *ms)
{
    const int orders = c->of.p > EVERY_ORDER ? 1 : 4;
    char *error = NULL;
    for (int i = 0; !error && i < (ms->n ? orders : MIN(orders, 2)); i++)
        error = contents_run(c, ms, i / 2 == 1, i % 2 == 1);
    return error;
}

char *contents_error(const Contents *c)
{
    Messages ms;
    char *error = messages_match(c, &ms);
    for (int rank = 0; !error && rank < c->of.p; rank++)
        error = contents_rules(c, rank);
    if (!error)
        error = run_in_orders(c, &ms);
    messages_clear(&ms);
    return error;
}

char *contents_error_in(const Contents *c, int a, int b)
{
    char *error = contents_rules(c, a);
    if (!error && b != a)
        error = contents_rules(c, b);
    if (error)
        return error;
    Messages ms;
    error = messages_match(c, &ms);
    if (!error)
        error = run_in_orders(c, &ms);
    messages_clear(&ms);
    return error;
}

char *contents_check(const ContentsCase *x, const CollAlgorithm **ran)
{
    Contents *c = contents_record(x);
    char *error = c->ran ? contents_error(c) : NULL;
    if (ran)
        *ran = c->ran;
    contents_free(c);
    return error;
}
