// Prints calls with which to try a tuning file of MPICH, the first argument: at the sizes of the file's grid, which are
// the third and further arguments, and one element below, with counts below the ranks, on 2 to as many ranks as the
// second argument says. A line has the cells that calls_read() reads, and what the file makes the library run. The ranks
// count as those of nodes of their own.
#include "registry/registry.h"
#include "selection_walk.h"
#include "advice/tune/tune.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct ListCall {
    Collective collective;
    int p, count;
    gboolean commutative, in_place, own;
} ListCall;

static int elem_of(Collective collective)
{
    return collectives[collective].reduces ? 8 : 1;
}

static void print_call(const JsonNode *tree, const ListCall *c)
{
    const CollectiveInfo *info = &collectives[c->collective];
    const gint64 block = (gint64)c->count * elem_of(c->collective);
    const WalkCall call = {.collective = info->name,
                           .hierarchy = "flat",
                           .p = c->p,
                           .average = block,
                           .total = c->collective == COLL_REDUCE_SCATTER ? block : block * c->p,
                           .count = c->count,
                           .commutative = c->commutative,
                           .built_in = c->commutative && !c->own,
                           .in_place = c->in_place,
                           .regular = c->count % c->p == 0};
    g_autofree char *runs = walk_find(tree, &call);
    printf("%s,%d,%d,%d,%d,%s,%s,%s,%s\n", info->name, c->p, c->count, elem_of(c->collective),
           info->rooted ? c->p / 2 : 0, c->commutative ? "yes" : "no", c->in_place ? "yes" : "no",
           c->own ? "yes" : "no", runs ? runs : "nothing");
}

// Prints the call with each kind of operation and of send buffer that the collective has.
static void print_kinds(const JsonNode *tree, Collective collective, int p, int count)
{
    const CollectiveInfo *info = &collectives[collective];
    for (int in_place = 0; in_place <= (info->in_place ? 1 : 0); in_place++)
        for (int kind = 0; kind < (info->reduces ? 3 : 1); kind++) {
            const ListCall call = {collective, p, count, kind != 1, in_place, kind > 0};
            if (in_place == 0 || kind == 0)
                print_call(tree, &call);
        }
}

int main(int argc, char **argv)
{
    g_autofree char *text = NULL;
    g_autoptr(GError) error = NULL;
    g_autoptr(Tables) tables = tables_load(&libraries[LIBRARY_MPICH_40], &error);
    if (argc < 4 || !g_file_get_contents(argv[1], &text, NULL, &error)) {
        fprintf(stderr, "%s\n", error ? error->message : "arguments: FILE RANKS SIZES..");
        return 2;
    }
    g_autoptr(JsonNode) tree = walk_read(text);
    for (int i = 0; i < N_COLLECTIVES; i++)
        for (int p = 2; p <= atoi(argv[2]) && tune_can(tables, (Collective)i); p++) {
            const int elem = elem_of((Collective)i);
            if (i == COLL_BARRIER) {
                print_kinds(tree, COLL_BARRIER, p, 0);
                continue;
            }
            print_kinds(tree, (Collective)i, p, p - 1);
            for (int k = 3; k < argc; k++) {
                const int n = atoi(argv[k]) / elem;
                if (n > 1)
                    print_kinds(tree, (Collective)i, p, n - 1);
                print_kinds(tree, (Collective)i, p, n);
            }
        }
    return 0;
}
