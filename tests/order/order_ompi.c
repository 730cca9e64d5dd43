// order_ompi: says whether Open MPI's forced algorithms send the messages of our texts, in the same order.
//
//   mpirun -np 5 order_ompi              all ids of Open MPI that the registry has as aliases
//   mpirun -np 5 order_ompi bcast:6      only ompi:6 of bcast
//
// For every alias the program forces the id in the library, calls the MPI function on a new communicator, and notes
// what each rank posts: sends and receives with peer and length. A text's operations are noted too, and the two lists
// are compared. Nothing else could tell algorithms apart whose messages are equal in number, such as two binomial trees.
//
// Two facts about Open MPI 4.1 make this possible. Its collectives post messages through the pointers of a table that
// the library exports, `mca_pml`. And its settings can be written by MPI_T at any time, and take effect on the
// communicators that are made afterwards.
#define _GNU_SOURCE
#include "order/order.h"
#include "run/launch/forced.h"
#include "run/mpi/mpi_library.h"
#include <dlfcn.h>
#include <execinfo.h>
#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __SANITIZE_ADDRESS__
// MPI libraries leak memory at the end of a program, so leaks cannot be checked here.
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "detect_leaks=0";
}
#endif

// ---- What a rank posts ---------------------------------------------------------------------------------------------

// The posts of the library's call, while it runs. The library's functions have no argument that could hold it, hence
// variables of the file.
static GArray *posts;
static MPI_Comm watched = MPI_COMM_NULL;
static char entered[128], inside[384]; // the library's functions: the one that was called, and those it called

static void note(bool sends, int peer, size_t count, MPI_Datatype type, MPI_Comm comm, OrderWay way)
{
    enum { MOST_FRAMES = 32 };
    if (comm != watched)
        return;
    int size;
    MPI_Type_size(type, &size);
    const OrderPost post = {sends, peer, (uint64_t)count * (uint64_t)size, way};
    g_array_append_val(posts, post);
    void *frame[MOST_FRAMES];
    const char *outer = NULL;
    for (int i = 0, n = backtrace(frame, MOST_FRAMES); i < n; i++) {
        Dl_info info;
        if (!dladdr(frame[i], &info))
            continue;
        const char *base = info.dli_fname ? strrchr(info.dli_fname, '/') : NULL;
        const bool named = info.dli_sname && g_str_has_prefix(info.dli_sname, "ompi_coll_base_") &&
                           !strstr(info.dli_sname, "sendrecv");
        const char *now = named ? info.dli_sname : base && strstr(base, "mca_coll_basic") ? base + 1 : NULL;
        if (!now)
            continue;
        if (outer && !strstr(inside, outer) && strlen(inside) + strlen(outer) + 2 < sizeof inside) {
            g_strlcat(inside, *inside ? " " : "", sizeof inside);
            g_strlcat(inside, outer, sizeof inside);
        }
        outer = now;
    }
    if (outer && !*entered)
        g_strlcpy(entered, outer, sizeof entered);
}

// ---- The library's table -------------------------------------------------------------------------------------------

// Places in the table, which begins with add_procs, del_procs, enable, progress, add_comm, del_comm.
enum { IRECV_INIT = 6, IRECV = 7, RECV = 8, ISEND_INIT = 9, ISEND = 10, SEND = 11, N_TABLE = 12 };
static void *former[N_TABLE];

typedef int Irecv(void *, size_t, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
typedef int Recv(void *, size_t, MPI_Datatype, int, int, MPI_Comm, void *);
typedef int Isend(const void *, size_t, MPI_Datatype, int, int, int, MPI_Comm, MPI_Request *);
typedef int Send(const void *, size_t, MPI_Datatype, int, int, int, MPI_Comm);

static int irecv(void *buf, size_t n, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request *request)
{
    note(false, from, n, type, comm, POST_RETURNS);
    return ((Irecv *)former[IRECV])(buf, n, type, from, tag, comm, request);
}

static int recv(void *buf, size_t n, MPI_Datatype type, int from, int tag, MPI_Comm comm, void *status)
{
    note(false, from, n, type, comm, POST_WAITS);
    return ((Recv *)former[RECV])(buf, n, type, from, tag, comm, status);
}

static int isend(const void *buf, size_t n, MPI_Datatype type, int to, int tag, int mode, MPI_Comm comm,
                 MPI_Request *request)
{
    note(true, to, n, type, comm, POST_RETURNS);
    return ((Isend *)former[ISEND])(buf, n, type, to, tag, mode, comm, request);
}

static int send(const void *buf, size_t n, MPI_Datatype type, int to, int tag, int mode, MPI_Comm comm)
{
    note(true, to, n, type, comm, POST_WAITS);
    return ((Send *)former[SEND])(buf, n, type, to, tag, mode, comm);
}

// Persistent requests count as posted when they are made: the library starts them all together, in this order.
static int irecv_init(void *buf, size_t n, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request *request)
{
    note(false, from, n, type, comm, POST_RETURNS);
    return ((Irecv *)former[IRECV_INIT])(buf, n, type, from, tag, comm, request);
}

static int isend_init(const void *buf, size_t n, MPI_Datatype type, int to, int tag, int mode, MPI_Comm comm,
                      MPI_Request *request)
{
    note(true, to, n, type, comm, POST_RETURNS);
    return ((Isend *)former[ISEND_INIT])(buf, n, type, to, tag, mode, comm, request);
}

// Puts our functions into the table. Returns false if the library has none.
static bool watch(void)
{
    void **table = dlsym(RTLD_DEFAULT, "mca_pml");
    if (!table)
        return false;
    memcpy(former, table, sizeof former);
    table[IRECV_INIT] = (void *)irecv_init;
    table[ISEND_INIT] = (void *)isend_init;
    table[IRECV] = (void *)irecv;
    table[RECV] = (void *)recv;
    table[ISEND] = (void *)isend;
    table[SEND] = (void *)send;
    return true;
}

static void unwatch(void)
{
    memcpy(dlsym(RTLD_DEFAULT, "mca_pml"), former, sizeof former);
}

// ---- Settings ------------------------------------------------------------------------------------------------------

// Writes a setting of the library, an integer, and puts what it was into *before. Returns false if the library has no
// such setting, or does not let it be written.
static bool write_setting(const char *name, int value, int *before)
{
    int index, n;
    MPI_T_cvar_handle handle;
    if (MPI_T_cvar_get_index(name, &index) != MPI_SUCCESS ||
        MPI_T_cvar_handle_alloc(index, NULL, &handle, &n) != MPI_SUCCESS)
        return false;
    const bool read = MPI_T_cvar_read(handle, before) == MPI_SUCCESS;
    const bool written = read && (*before == value || MPI_T_cvar_write(handle, &value) == MPI_SUCCESS);
    MPI_T_cvar_handle_free(&handle);
    return written;
}

// Takes settings as environment variables, "OMPI_MCA_NAME=VALUE", and exchanges their values with those in `values`
// (`back`), or writes them and puts what they were into `values`. Returns false if one of them cannot be written.
static bool exchange_settings(char **words, int *values, bool back)
{
    bool all = true;
    for (int i = 0; words[i]; i++) {
        int before = 0;
        if (!g_str_has_prefix(words[i], "OMPI_MCA_coll_tuned_") || strstr(words[i], "use_dynamic_rules"))
            continue;
        g_auto(GStrv) part = g_strsplit(words[i] + strlen("OMPI_MCA_"), "=", 2);
        all = write_setting(part[0], back ? values[i] : atoi(part[1]), &before) && all;
        if (!back)
            values[i] = before;
    }
    return all;
}

// ---- Comparison ----------------------------------------------------------------------------------------------------

// How the posts of a call agree, at the rank where they agree least.
typedef enum {
    AGREE_SAME,
    AGREE_WAYS,  // the same posts in one order, but some return at once in one and wait in the other
    AGREE_APART, // sends in the same order, and receives in the same order, but not both together
    AGREE_NOT,
    N_AGREE
} OrderAgree;

// What was compared for an alias.
typedef struct OrderCount {
    int calls[N_AGREE];
    int uneven;       // of the calls that do not agree, those in which p does not divide the elements
    int refused;      // sets of parameters that the library did not take
    int64_t messages; // sent by this rank in calls with the same posts
    char function[128], parts[384];
    char differs[256],
        uneven_differs[256]; // the first call that does not agree at this rank, and one with uneven parts
} OrderCount;

// Returns true if the sends (or the receives) of x and y are the same in the same order.
static bool direction_equal(const GArray *x, const GArray *y, bool sends)
{
    guint i = 0, j = 0;
    for (;; i++, j++) {
        while (i < x->len && g_array_index(x, OrderPost, i).sends != sends)
            i++;
        while (j < y->len && g_array_index(y, OrderPost, j).sends != sends)
            j++;
        if (i >= x->len || j >= y->len)
            return i >= x->len && j >= y->len;
        if (!order_post_equal(&g_array_index(x, OrderPost, i), &g_array_index(y, OrderPost, j)))
            return false;
    }
}

// Compares the posts of this rank; notes how they differ if they do.
static OrderAgree compare(OrderCount *t, const GArray *library, const GArray *text, const char *call, bool even)
{
    enum { SHOWN = 9 };
    const bool same = order_equal(library, text);
    bool ways = false;
    for (guint i = 0; same && i < library->len; i++) {
        const OrderWay way = g_array_index(text, OrderPost, i).way;
        ways |= way != POST_EITHER && g_array_index(library, OrderPost, i).way != way;
    }
    if (same && !ways)
        return AGREE_SAME;
    char *into = even ? t->differs : t->uneven_differs;
    if (!*into) {
        g_autoptr(GString) s = g_string_new(call);
        g_string_append(s, " library");
        order_describe(s, library, SHOWN);
        g_string_append(s, " | text");
        order_describe(s, text, SHOWN);
        g_strlcpy(into, s->str, sizeof t->differs);
    }
    if (same)
        return AGREE_WAYS;
    return direction_equal(library, text, true) && direction_equal(library, text, false) ? AGREE_APART : AGREE_NOT;
}

// ---- Calls ---------------------------------------------------------------------------------------------------------

static void call_once(MpiRun *run, const Forced *forced, const CollParams *par, int root, size_t m, OrderCount *t)
{
    const CollAlgorithm *a = forced->base;
    const Job job = {.kind = JOB_LIKE,
                     .collective = a->collective,
                     .algorithm = a,
                     .par = *par,
                     .root = root,
                     .m = a->collective == COLL_BARRIER ? 0 : m,
                     .elem = collectives[a->collective].reduces || a->collective == COLL_BCAST ? 4 : 1,
                     .op = JOB_SUM};
    MpiData data;
    LibraryCall call;
    if (!mpi_data_make(&data, &job, run, true))
        return;
    g_autoptr(GArray) text = g_array_new(FALSE, FALSE, sizeof(OrderPost));
    if (order_text(a, &data.view, text)) {
        library_call_make(&call, &job, run, &data);
        g_array_set_size(posts, 0);
        *entered = *inside = 0;
        watched = run->comm;
        library_call(&call);
        watched = MPI_COMM_NULL;
        g_autofree char *params = params_text(a, par);
        g_autofree char *what = g_strdup_printf("p=%d root=%d m=%zu %s rank %d:", run->p, root, m, params, run->rank);
        const size_t parts =
            job.elem * (size_t)(collectives[a->collective].reduces || a->collective == COLL_BCAST ? run->p : 1);
        int mine = compare(t, posts, text, what, job.m % parts == 0), agree;
        MPI_Allreduce(&mine, &agree, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
        t->calls[agree]++;
        t->uneven += agree == AGREE_NOT && job.m % parts != 0;
        for (guint i = 0; agree <= AGREE_WAYS && i < posts->len; i++)
            t->messages += g_array_index(posts, OrderPost, i).sends;
        if (*entered) { // the last call is the one with the longest message
            g_strlcpy(t->function, entered, sizeof t->function);
            g_strlcpy(t->parts, inside, sizeof t->parts);
        }
        library_call_free(&call);
    }
    mpi_data_free(&data);
}

// Calls the forced algorithm with these parameters: from several roots, with several lengths.
static void call_with(MpiRun *run, const Forced *forced, const CollParams *par, OrderCount *t)
{
    const size_t lengths[] = {4, 8, 28, 96, 4 * (size_t)run->p, 12 * (size_t)run->p + 8, 480};
    g_auto(GStrv) words = forced_words(forced, TRUE, FALSE, par, NULL);
    if (!words)
        return; // the library has no setting for one of the values
    g_autofree int *values = g_new0(int, g_strv_length(words));
    if (!exchange_settings(words, values, false)) {
        t->refused++;
        exchange_settings(words, values, true);
        return;
    }
    MPI_Comm_dup(MPI_COMM_WORLD, &run->comm);
    const Collective collective = forced->base->collective;
    const bool rooted = collectives[collective].rooted, sized = collective != COLL_BARRIER;
    for (int i = 0; i < (rooted ? 3 : 1); i++) {
        const int root = i == 2 ? run->p - 1 : i;
        if (i == 2 && root == 1)
            continue;
        for (guint j = 0; j < (sized ? G_N_ELEMENTS(lengths) : 1); j++)
            call_once(run, forced, par, root, lengths[j], t);
    }
    MPI_Comm_free(&run->comm);
    exchange_settings(words, values, true);
}

static bool has_id(const CollAlgorithm *a)
{
    for (int i = 0; a && i < COLL_MAX_ALIASES && a->aliases[i]; i++)
        if (g_str_has_prefix(a->aliases[i], "ompi:"))
            return true;
    return false;
}

// Calls the algorithm with its defaults, then with other values of each parameter.
static void call_all(MpiRun *run, const Forced *forced, OrderCount *t)
{
    static const int64_t numbers[] = {0, 1, 2, 3, 5, 8}, sizes[] = {4, 8, 20, 64};
    const CollAlgorithm *a = forced->base;
    const CollParams defaults = algorithm_defaults(a);
    call_with(run, forced, &defaults, t);
    for (int k = 0; k < algorithm_n_params(a); k++) {
        const CollParam *param = &a->params[k];
        CollParams par = defaults;
        for (guint i = 0; param->kind == PARAM_SIZE && i < G_N_ELEMENTS(sizes); i++) {
            param_set(param, &par, sizes[i]);
            call_with(run, forced, &par, t);
        }
        for (guint i = 0; param->kind == PARAM_INT && i < G_N_ELEMENTS(numbers); i++) {
            if (numbers[i] < param->min)
                continue;
            param_set(param, &par, numbers[i]);
            call_with(run, forced, &par, t);
        }
        for (int i = 0; param->kind == PARAM_ALGORITHM && i < n_algorithms; i++) {
            const CollAlgorithm *part = algorithms[i];
            if (!param_allows(param, i) || !has_id(part) || i == param_get(param, &defaults))
                continue;
            param_set(param, &par, i);
            call_with(run, forced, &par, t);
        }
    }
}

// ---- The table -----------------------------------------------------------------------------------------------------

// Prints a line for an alias, at rank 0: COLLECTIVE,ID,ENTRY,RANKS,SAME,WAYS,APART,UNEVEN,NOT,REFUSED,MESSAGES,FUNCTION,
// PARTS,EXAMPLE. SAME .. NOT count calls, where those of UNEVEN are not counted in NOT. Returns the calls of NOT.
static int print_line(const MpiRun *run, const Forced *forced, const OrderCount *mine)
{
    g_autofree OrderCount *all = g_new0(OrderCount, run->p);
    int64_t messages = 0;
    const char *example = "", *function = "", *parts = "";
    MPI_Gather(mine, sizeof *mine, MPI_BYTE, all, sizeof *mine, MPI_BYTE, 0, MPI_COMM_WORLD);
    for (int i = 0; i < run->p; i++) {
        messages += all[i].messages;
        function = *function ? function : all[i].function;
        parts = *parts ? parts : all[i].parts;
        example = *example ? example : all[i].differs;
    }
    for (int i = 0; i < run->p; i++)
        example = *example ? example : all[i].uneven_differs;
    if (run->rank)
        return 0;
    printf("%s,ompi:%s,%s,%d,%d,%d,%d,%d,%d,%d,%" G_GINT64_FORMAT ",%s,%s,%s\n",
           collectives[forced->base->collective].name, forced->value, forced->base->name, run->p,
           all[0].calls[AGREE_SAME], all[0].calls[AGREE_WAYS], all[0].calls[AGREE_APART], all[0].uneven,
           all[0].calls[AGREE_NOT] - all[0].uneven, all[0].refused, messages, function, parts, example);
    fflush(stdout);
    return all[0].calls[AGREE_NOT] - all[0].uneven;
}

static bool is_wanted(int n, char **wanted, const Forced *forced)
{
    g_autofree char *name = g_strdup_printf("%s:%s", collectives[forced->base->collective].name, forced->value);
    bool found = n == 0;
    for (int i = 0; i < n; i++)
        found |= strcmp(wanted[i], name) == 0 || strcmp(wanted[i], collectives[forced->base->collective].name) == 0;
    return found;
}

int main(int argc, char **argv)
{
    int support;
    setenv("OMPI_MCA_coll_tuned_use_dynamic_rules", "1", 1);
    // The ids of allgatherv cannot be written later, so a single id that the command line names is set now.
    g_auto(GStrv) only = g_strsplit(argc == 2 ? argv[1] : "", ":", 2);
    if (only[0] && only[1]) {
        g_autofree char *name = g_strdup_printf("OMPI_MCA_coll_tuned_%s_algorithm", only[0]);
        setenv(name, only[1], 1);
    }
    MPI_Init(&argc, &argv);
    MPI_T_init_thread(MPI_THREAD_SINGLE, &support);
    MpiRun run;
    mpi_run_init(&run, MPI_COMM_WORLD);
    posts = g_array_new(FALSE, FALSE, sizeof(OrderPost));
    if (!watch() || !mpi_reduction_make(JOB_SUM, 4, 0, &run.reduction)) {
        fputs("order_ompi: this MPI library does not let its messages be seen; Open MPI 4.1 does\n", stderr);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    for (int collective = 0; collective < N_COLLECTIVES; collective++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(GPtrArray) list = forced_find((Collective)collective, TRUE, "all", &error);
        for (guint i = 0; list && i < list->len; i++) {
            const Forced *forced = g_ptr_array_index(list, i);
            OrderCount tally = {0};
            if (!is_wanted(argc - 1, argv + 1, forced))
                continue;
            call_all(&run, forced, &tally);
            print_line(&run, forced, &tally);
        }
    }
    unwatch();
    mpi_reduction_free(&run.reduction);
    run.comm = MPI_COMM_WORLD;
    mpi_run_clear(&run);
    g_array_unref(posts);
    MPI_T_finalize();
    MPI_Finalize();
    return 0;
}
