#include "answer/advice/tune_family.h"
#include "advice/tune/ways.h"
#include "base/error.h"
#include "libraries/decide/decide_ways.h"

void tune_line(GPtrArray *lines, const char *format, ...)
{
    va_list words;
    va_start(words, format);
    g_ptr_array_add(lines, g_strdup_vprintf(format, words));
    va_end(words);
}

static char *write_file(const Request *r, const GPtrArray *tunes, const GPtrArray *lines, GError **error)
{
    (void)error;
    return tune_file(r->library.only, tunes, lines);
}

// ---- Open MPI -------------------------------------------------------------------------------------------------------

// Returns TRUE if HAN comes before tuned on several nodes.
static gboolean has_han(const RequestLibrary *lib)
{
    return !lib->no_han && decide_asks_nodes(lib->only, FALSE, &lib->han);
}

// Adds what to do on several nodes about rules that were found where nobody says what the nodes are. HAN leaves calls
// on one node to tuned, so there they act as they are.
static void add_han(GPtrArray *lines, const Request *r)
{
    gboolean known = TRUE; // where the ranks are
    for (guint i = 0; i < r->question.ranks->len; i++)
        known &= request_per_node(r, i) > 0;
    if (!known && !r->library.pair && has_han(&r->library))
        tune_line(lines,
                  "So it is on one node; on several, HAN comes first unless it is switched off (--mca coll ^han).");
}

static void ompi_header_holds(GPtrArray *lines, const Request *r)
{
    if (r->library.no_han)
        tune_line(lines, "They hold with --mca coll ^han: what HAN runs on several nodes, a program cannot "
                         "choose by id.");
    add_han(lines, r);
}

static char *ompi_load(const RequestLibrary *lib, const char *file)
{
    return g_strdup_printf("--mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_dynamic_rules_filename %s%s", file,
                           lib->no_han ? " --mca coll ^han" : "");
}

static void ompi_add_load(GPtrArray *lines, const Request *r)
{
    g_autofree char *load = ompi_load(&r->library, "FILE");
    tune_line(lines, "Load it with %s.", load);
    add_han(lines, r);
}

static char *ompi_write_first(const Request *r, const GPtrArray *tunes, const GPtrArray *lines, GError **error)
{
    (void)r, (void)error;
    return ways_file(tunes, lines);
}

static void ompi_pair_variables(const Request *r, const GPtrArray *tunes, const char *first, const char *second,
                                TuneFamilySet *set, gpointer user)
{
    const DecideHan *han = &r->library.han_usual;
    g_autofree char *priority = g_strdup_printf("%d", han->priority);
    if (han->priority)
        set(user, "coll_han_priority", priority);
    set(user, "coll_han_use_dynamic_file_rules", "1");
    set(user, "coll_han_dynamic_rules_filename", first);
    set(user, "coll_tuned_use_dynamic_rules", "1");
    set(user, "coll_tuned_dynamic_rules_filename", second);
    for (guint i = 0; i < tunes->len; i++) {
        const Tune *tune = tunes->pdata[i];
        const char *name = collectives[tune->collective].name;
        g_autofree char *segsize = g_strdup_printf("coll_han_%s_segsize", name),
                        *algorithm = g_strdup_printf("coll_han_use_%s_algorithm", name),
                        *bytes = g_strdup_printf("%zu", tune->segsize);
        if (tune->ways && tune->segsize)
            set(user, segsize, bytes);
        if (tune->ways && han->algorithm)
            set(user, algorithm, han->algorithm);
    }
}

// ---- MPICH ----------------------------------------------------------------------------------------------------------

static void mpich_header_holds(GPtrArray *lines, const Request *r)
{
    (void)r;
    tune_line(lines, "They hold with MPIR_CVAR_DEVICE_COLLECTIVES=none.");
}

static char *mpich_load(const RequestLibrary *lib, const char *file)
{
    (void)lib;
    return g_strdup_printf("MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=%s MPIR_CVAR_DEVICE_COLLECTIVES=none", file);
}

static void mpich_add_load(GPtrArray *lines, const Request *r)
{
    g_autofree char *load = mpich_load(&r->library, "FILE");
    tune_line(lines, "Load it with %s.", load);
    tune_line(lines, "Without the second one, the device ch4 divides calls into parts on nodes and on their "
                     "leaders,");
    tune_line(lines, "and what is said here of p ranks acts on parts with p ranks.");
}

// On several nodes, ch4 always decides first.
static gboolean mpich_decides_first(const RequestLibrary *lib)
{
    (void)lib;
    return TRUE;
}

static char *mpich_write(const Request *r, const GPtrArray *tunes, const GPtrArray *lines, GError **error)
{
    return tune_tree_file(r, tunes, FALSE, lines, error);
}

static char *mpich_write_first(const Request *r, const GPtrArray *tunes, const GPtrArray *lines, GError **error)
{
    return tune_tree_file(r, tunes, TRUE, lines, error);
}

static void mpich_pair_variables(const Request *r, const GPtrArray *tunes, const char *first, const char *second,
                                 TuneFamilySet *set, gpointer user)
{
    (void)r, (void)tunes;
    set(user, "MPIR_CVAR_CH4_COLL_SELECTION_TUNING_JSON_FILE", first);
    set(user, "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE", second);
}

// ---- UCC ------------------------------------------------------------------------------------------------------------

#define UCC_RUN        "mpirun -x UCC_TL_UCP_TUNE --mca coll_ucc_enable 1 --mca coll_ucc_priority 100 ..."
#define UCC_OPERATIONS "which takes MPI's own operations only, by a string of its own"

static char *ucc_load(const RequestLibrary *lib, const char *file)
{
    (void)lib;
    return g_strdup_printf(". %s", file);
}

static void ucc_add_load(GPtrArray *lines, const Request *r)
{
    g_autofree char *load = ucc_load(&r->library, "FILE");
    tune_line(lines, "Load it with");
    tune_line(lines, "  %s", load);
    tune_line(lines, "  " UCC_RUN);
    tune_line(lines, "It is for buffers in the host's memory, and holds where tl/ucp serves the calls: "
                     "UCC_CLS=basic, which");
    tune_line(lines, "is the default, and no layer with a higher score.");
}

// ---- The table ------------------------------------------------------------------------------------------------------

static const TuneFamily families[N_LIBRARY_FAMILIES] = {
    [LIBRARY_OMPI] =
        {
            .write = write_file,
            .load = ompi_load,
            .run = "mpirun %s ...",
            .add_load = ompi_add_load,
            .header_holds = ompi_header_holds,
            .limits = {"A file for tuned cannot say which root, operation or type a call has.",
                       "A file for HAN cannot say how long segments are, nor which modules run within nodes and "
                       "between them:\nthe variables coll_han_..._segsize, _low_module and _up_module do."},
            .names = {{"rules.conf", {"han.conf", "tuned.conf", "HAN", "tuned"}},
                      {"rules.json", {"han.conf", "tuned.json", "HAN", "tuned"}}},
            .decides_first = has_han,
            .alone = "--no-han for one that holds with --mca coll ^han",
            .first_leaves_nodes = TRUE,
            .write_first = ompi_write_first,
            .pair_variables = ompi_pair_variables,
            .setting = "--mca %s %s",
            .export = "export OMPI_MCA_%s=%s",
        },
    [LIBRARY_MPICH] =
        {
            .write = mpich_write,
            .load = mpich_load,
            .run = "%s mpiexec ...",
            .add_load = mpich_add_load,
            .header_holds = mpich_header_holds,
            .limits = {"A file cannot say which root or type a call has.",
                       "A composition has no parameters, and neither file says what runs in the shared memory of a "
                       "node."},
            .refuses = {[TUNE_FAMILY_COMMUTATIVE] = "whose file asks whether an operation commutes",
                        [TUNE_FAMILY_VERIFY] = ""},
            .names = {{"rules.json", {"ch4.json", "mpir.json", "ch4's compositions", "the algorithms"}}},
            .decides_first = mpich_decides_first,
            .write_first = mpich_write_first,
            .pair_variables = mpich_pair_variables,
            .setting = "%s=%s",
            .export = "export %s=%s",
        },
    [LIBRARY_UCC] =
        {
            .write = write_file,
            .load = ucc_load,
            .run = "%s\n" UCC_RUN,
            .add_load = ucc_add_load,
            .limits = {"A string cannot say on which nodes ranks are, nor which radix an algorithm has: UCC chooses "
                       "that itself."},
            .operations = "UCC takes MPI's own operations only, for which its results are right.",
            .refuses = {[TUNE_FAMILY_HEADER] = UCC_OPERATIONS, [TUNE_FAMILY_COMMUTATIVE] = UCC_OPERATIONS},
            .names = {{"ucc.sh"}},
        },
};

const TuneFamily *tune_family(const Library *library)
{
    return &families[library->family];
}

const char *tune_family_file(const Library *library)
{
    return families[library->family].names[!tune_has_comments(library)].file;
}

TunePairNames tune_family_pair(const Library *library)
{
    return families[library->family].names[!tune_has_comments(library)].pair;
}

// Returns the names of the libraries that take an option, joined by commas. Free with g_free.
static char *those_that_take(TuneFamilyOption option)
{
    GString *s = g_string_new("");
    for (int i = 0; i < N_LIBRARIES; i++)
        if (!families[libraries[i].family].refuses[option])
            g_string_append_printf(s, "%s%s", s->len ? ", " : "", libraries[i].name);
    return g_string_free(s, FALSE);
}

gboolean tune_family_takes(const Library *library, TuneFamilyOption option, GError **error)
{
    static const char *const options[N_TUNE_FAMILY_OPTIONS] = {[TUNE_FAMILY_HEADER] = "--format c",
                                                               [TUNE_FAMILY_COMMUTATIVE] = "--commutative-only",
                                                               [TUNE_FAMILY_VERIFY] = "--verify"};
    const char *why = families[library->family].refuses[option];
    if (!why)
        return TRUE;
    if (*why)
        return bad_input(error, "%s is not for %s, %s", options[option], library->name, why);
    g_autofree char *others = those_that_take(option);
    return bad_input(error, "%s is not for %s; allowed: %s", options[option], library->name, others);
}
