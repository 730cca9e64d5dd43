// decisions_ompi: makes random calls, and prints which of Open MPI's algorithms each of them enters.
//
//   mpirun -np 9 decisions_ompi 1 1000     1000 calls, from seed 1
//
// A line has the call, the id that is entered first, the id that is entered last of those that follow it (a fallback
// follows the id that cannot run), and the ids of other collectives that are entered then, as "reduce:5 scatter:1".
#define _GNU_SOURCE // RTLD_NEXT
#include "order/calls.h"
#include "order/ompi_functions.h"
#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ENTERED = 64 };
static const RealFunction *entered[MOST_ENTERED]; // the functions have no argument that could hold these
static int n_entered;
static gboolean watching;

static void real_enter(const RealFunction *function)
{
    if (watching && n_entered < MOST_ENTERED)
        entered[n_entered++] = function;
}

static void print_entered(void)
{
    int own = 0;
    while (own < n_entered && strcmp(entered[own]->collective, entered[0]->collective) == 0)
        own++;
    printf("%d,%d,", own > 0 ? entered[0]->id : 0, own > 0 ? entered[own - 1]->id : 0);
    for (int i = own; i < n_entered; i++)
        if (i + 1 == n_entered || strcmp(entered[i]->collective, entered[i + 1]->collective) != 0)
            printf("%s%s:%d", i == own ? "" : " ", entered[i]->collective, entered[i]->id);
    putchar('\n');
}

int main(int argc, char **argv)
{
    int rank, ranks;
    MPI_Comm comms[CALLS_RANKS + 1];
    GError *error = NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    Tables *tables = tables_load(&libraries[LIBRARY_OMPI_41], &error);
    if (argc != 3 || ranks != CALLS_RANKS || !tables) {
        fprintf(stderr, "usage: mpirun -np %d decisions_ompi SEED CALLS\n", CALLS_RANKS);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    for (int p = 2; p <= ranks; p++)
        MPI_Comm_split(MPI_COMM_WORLD, rank < p ? 0 : MPI_UNDEFINED, rank, &comms[p]);
    g_autoptr(GArray) calls = calls_random(tables, (guint32)atoi(argv[1]), (guint)atoi(argv[2]));
    for (guint i = 0; i < calls->len; i++) {
        const RandomCall *call = &g_array_index(calls, RandomCall, i);
        if (comms[call->p] == MPI_COMM_NULL)
            continue;
        n_entered = 0;
        watching = TRUE;
        calls_make(call, calls_operation(call), comms[call->p]);
        watching = FALSE;
        MPI_Barrier(comms[call->p]);
        if (rank == 0) {
            calls_print(call);
            print_entered();
        }
    }
    tables_free(tables);
    MPI_Finalize();
    return 0;
}
