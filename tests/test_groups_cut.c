// The bounds of a search's groups, whose texts are left far above the least bound: what remains to be found is found
// when a group's turn comes, and then all groups are in the order in which they are without this.
#include "library/library_types.h"
#include "search/search/tries.h"
#include "tap.h"
#include <math.h>

typedef struct GroupsCase {
    const char *collective, *platform;
    int p;
    uint64_t bytes;
} GroupsCase;

static const GroupsCase cases[] = {{"allreduce", "lumi", 1009, 64},
                                   {"reduce_scatter", "lumi", 2048, 8192},
                                   {"alltoall", "lumi", 600, 1024},
                                   {"bcast", "archer2", 600, 1024}};

// Calls check() with the request of a case.
static void with_request(const GroupsCase *x, void (*check)(const GroupsCase *x, const Request *r))
{
    collsim_platform *platform = collsim_platform_open(x->platform, NULL);
    collsim_request *request = collsim_request_new(platform, x->collective, NULL);
    g_autofree char *ranks = g_strdup_printf("%d", x->p);
    g_autoptr(GError) error = NULL;
    Request r = {0};
    g_assert_cmpint(collsim_request_ranks_list(request, ranks, NULL), ==, COLLSIM_OK);
    g_assert_cmpint(collsim_request_sizes(request, &x->bytes, 1, NULL), ==, COLLSIM_OK);
    library_request_make(request, FALSE, &r, &error);
    g_assert_no_error(error);
    check(x, &r);
    library_request_clear(&r);
    collsim_request_free(request);
    collsim_platform_free(platform);
}

static GArray *groups_of(const GroupsCase *x, const Request *r)
{
    g_autoptr(GError) error = NULL;
    GArray *groups = tries_groups(r, x->p, request_per_node(r, 0), x->bytes, &error);
    g_assert_no_error(error);
    return groups;
}

static const TryGroup *at(const GArray *groups, guint i)
{
    return &g_array_index(groups, TryGroup, i);
}

static int count_cut(const GArray *groups)
{
    int n = 0;
    for (guint i = 0; i < groups->len; i++)
        n += at(groups, i)->cut;
    return n;
}

// Finds the bounds of all groups up to limit_s, each when its turn comes.
static void deepen_all(const GroupsCase *x, const Request *r, double limit_s, GArray *groups)
{
    for (guint i = 0; i < groups->len;)
        i += !tries_deepen(r, x->p, request_per_node(r, 0), x->bytes, limit_s, groups, i);
}

static void check_order(const GArray *groups)
{
    for (guint i = 1; i < groups->len; i++) {
        const TryGroup *a = at(groups, i - 1), *b = at(groups, i);
        g_assert_true(a->from_s < b->from_s || (a->from_s == b->from_s && a->number < b->number));
    }
}

static const TryGroup *with_number(const GArray *groups, int number)
{
    for (guint i = 0; i < groups->len; i++)
        if (at(groups, i)->number == number)
            return at(groups, i);
    g_assert_not_reached();
}

static int n_longer; // bounds that were cut

static void check_case(const GroupsCase *x, const Request *r)
{
    g_autoptr(GArray) cut = groups_of(x, r), whole = groups_of(x, r), part = groups_of(x, r);
    check_order(cut);
    deepen_all(x, r, INFINITY, whole);
    check_order(whole);
    g_assert_cmpint(count_cut(whole), ==, 0);
    const double limit_s = at(whole, whole->len - 1 - whole->len / 16)->bound_s; // above what some texts were left at
    deepen_all(x, r, limit_s, part);
    check_order(part);
    for (guint i = 0; i < whole->len; i++) {
        const TryGroup *exact = at(whole, i), *first = with_number(cut, exact->number),
                       *then = with_number(part, exact->number);
        g_assert_cmpfloat(first->bound_s, <=, exact->bound_s);
        g_assert_true(first->cut || first->bound_s == exact->bound_s);
        g_assert_true(then->cut ? then->bound_s >= limit_s : then->bound_s == exact->bound_s);
        if (exact->bound_s < limit_s) // the turns of these come in the same order
            g_assert_cmpint(at(part, i)->number, ==, exact->number);
        n_longer += first->bound_s < exact->bound_s;
    }
    g_test_message("%s on %d ranks: %d of %u groups are cut, %d then", x->collective, x->p, count_cut(cut), cut->len,
                   count_cut(part));
}

static void test_order(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++)
        with_request(&cases[i], check_case);
    g_assert_cmpint(n_longer, >, 0);
}

static void add_tests(void)
{
    g_test_add_func("/groups cut/order", test_order);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add_tests);
}
