// Which requests a text still has to wait for: each wait is issued with the place of its request among those that are
// pending, in any order of waits, and a plain list of the pending requests says what that place is.
#include "api/backend.h"
#include "api/communicate.h"
#include "api/make.h"
#include "base/draws.h"
#include "tap.h"

enum { RANKS = 2, MOST = 600, STEPS = 4000 };

typedef struct Watch {
    CollRun run;
    CollOpKind kind; // of the last operation
    int n;           // of the last wait
} Watch;

static void note(CollRun *run, const CollIssue *op)
{
    Watch *x = (Watch *)run;
    x->kind = op->kind;
    x->n = op->n;
}

// The pending requests, in the order of issue.
typedef struct Pending {
    CollReq open[MOST];
    int n;
} Pending;

static void issue(const Coll *c, Pending *list)
{
    list->open[list->n++] = coll_isend(c, 1, c->out);
}

// Waits for the request at a place, twice: the second wait has nothing to do.
static void wait_at(const Coll *c, Watch *x, Pending *list, int place)
{
    const CollReq request = list->open[place];
    coll_wait(c, request);
    g_assert_cmpint(x->kind, ==, COLL_WAIT);
    g_assert_cmpint(x->n, ==, list->n - 1 - place);
    list->n--;
    for (int i = place; i < list->n; i++)
        list->open[i] = list->open[i + 1];
    x->kind = COLL_ISEND;
    coll_wait(c, request);
    g_assert_cmpint(x->kind, ==, COLL_ISEND);
}

// Waits for those from a place on.
static void wait_from(const Coll *c, Watch *x, Pending *list, int place)
{
    coll_waitall(c, list->open[place]);
    g_assert_cmpint(x->kind, ==, COLL_WAITALL);
    g_assert_cmpint(x->n, ==, list->n - place);
    list->n = place;
}

// The orders in which a text waits: the oldest first, the newest first, and any.
enum { OLDEST, NEWEST, ANY, ORDERS };

static int place_in(const Pending *list, int order, uint64_t bits)
{
    return order == OLDEST ? 0 : order == NEWEST ? list->n - 1 : (int)(bits % (uint64_t)list->n);
}

// Keeps about `open` requests pending for a while, and then waits for what is left.
static void keep_open(const Coll *c, Watch *x, int order, int open, uint64_t stream)
{
    Pending list = {.n = 0};
    for (uint64_t i = 0; i < STEPS; i++) {
        const uint64_t bits = draws_bits(stream, i);
        const int place = list.n > 0 ? place_in(&list, order, bits >> 16) : 0;
        if (list.n == 0 || (list.n < MOST && bits % 64 < (list.n < open ? 48 : 16)))
            issue(c, &list);
        else if (bits % 1024 == 1023)
            wait_from(c, x, &list, place);
        else
            wait_at(c, x, &list, place);
    }
    while (list.n > 1)
        wait_at(c, x, &list, place_in(&list, order, (uint64_t)list.n / 2));
    if (list.n > 0)
        wait_from(c, x, &list, 0);
    x->kind = COLL_ISEND;
    coll_waitall(c, 0);
    g_assert_cmpint(x->kind, ==, COLL_ISEND); // nothing is pending
}

static void test_places(void)
{
    static const int open[] = {1, 5, 17, 500};
    const Coll shape = {.p = RANKS, .elem = 1};
    Watch x = {.n = 0};
    coll_run_init(&x.run, note);
    for (int order = 0; order < ORDERS; order++)
        for (size_t k = 0; k < G_N_ELEMENTS(open); k++) {
            coll_run_reset(&x.run);
            const Coll view = coll_make(COLL_BCAST, &shape, 0, 8, &x.run);
            keep_open(&view, &x, order, open[k], draws_stream(1, (uint64_t)order, k));
        }
    coll_run_clear(&x.run);
}

// A text that ended early leaves requests pending, with which the next text has nothing to do.
static void test_reset(void)
{
    const Coll shape = {.p = RANKS, .elem = 1};
    Watch x = {.n = 0};
    coll_run_init(&x.run, note);
    for (int left = 0; left < 40; left++) {
        const Coll view = coll_make(COLL_BCAST, &shape, 0, 8, &x.run);
        Pending list = {.n = 0};
        for (int i = 0; i < 40; i++)
            issue(&view, &list);
        while (list.n > left)
            wait_at(&view, &x, &list, 0);
        coll_run_reset(&x.run);
        g_assert_cmpint(x.run.n_pending, ==, 0);
    }
    coll_run_clear(&x.run);
}

static void add_tests(void)
{
    g_test_add_func("/requests/places", test_places);
    g_test_add_func("/requests/reset", test_reset);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add_tests);
}
