// Our reader of HAN's rules files against the real one, of Open MPI 4.1.4, on random files: whether the file is taken, and
// which component then serves a call of each collective, at each level, on several numbers of ranks, at several sizes.
//
// The component's library exports its reader and the functions that search the rules, and needs no MPI_Init. They read a
// few fields of the communicator, the datatype and the module that they are given; ours have nothing else. The modules
// that HAN could choose have functions that note which module it is.
#include "libraries/decide/rules_han.h"
#include "rules_files.h"
#include "sample.h"
#include "tap.h"
#include <dlfcn.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

enum { COMPONENTS = 7, NONE = COMPONENTS, MOST_RANKS = 64 };

// Where the fields are, in bytes.
enum {
    COMPONENT_OUTPUT = 0x11c,    // int: where messages go
    COMPONENT_USES_FILE = 0x173, // bool
    COMPONENT_FILE = 0x178,      // const char *
    COMPONENT_RULES = 0x180,     // int: the number of collectives that rules were read of
    COMPONENT_DEFAULTS = 0x190,  // int [22][3]: who serves without a rule
    COMPONENT_DEFAULTS_END = 0x298,
    MODULE_LEVEL = 0x320,        // int
    MODULE_OTHERS = 0x328,       // module *[7]: by component
    MODULE_KNOWS_OTHERS = 0x360, // bool
    MODULE_SIZE = 0x400,
    COMM_RANK = 0xe4,   // int
    COMM_GROUP = 0xf8,  // group *
    GROUP_RANKS = 0x10, // int
    TYPE_SIZE = 0x18,   // size_t
};

// ---- The library ----------------------------------------------------------------------------------------------------

// Something of the library, as a number of pointers.
typedef struct Object {
    void *at[MODULE_SIZE / sizeof(void *)];
} Object;

static void put(void *object, size_t at, const void *value, size_t size)
{
    memcpy((char *)object + at, value, size);
}

static void put_int(void *object, size_t at, int value)
{
    put(object, at, &value, sizeof value);
}

static int served;

#define SERVE(i)                                                                                                       \
    static int serve_##i(void)                                                                                         \
    {                                                                                                                  \
        served = i;                                                                                                    \
        return 0;                                                                                                      \
    }
SERVE(0)
SERVE(1)
SERVE(2)
SERVE(3)
SERVE(4)
SERVE(5)
SERVE(6)
SERVE(7)

typedef int Serve(void);
static Serve *const serves[] = {serve_0, serve_1, serve_2, serve_3, serve_4, serve_5, serve_6, serve_7};

static Object modules[COMPONENTS], module, comm, group, type, op;
static char *component;
static int (*init_rules)(void);
static void (*free_rules)(void);

// The functions that search the rules.
static struct {
    int (*allgather)(void *, int, void *, void *, int, void *, void *, void *);
    int (*allgatherv)(void *, int, void *, void *, int *, int *, void *, void *, void *);
    int (*allreduce)(void *, void *, int, void *, void *, void *, void *);
    int (*barrier)(void *, void *);
    int (*bcast)(void *, int, void *, int, void *, void *);
    int (*gather)(void *, int, void *, void *, int, void *, int, void *, void *);
    int (*reduce)(void *, void *, int, void *, void *, int, void *, void *);
    int (*scatter)(void *, int, void *, void *, int, void *, int, void *, void *);
} search;

static const struct {
    const char *name;
    void *function;
} searched[] = {
    {"allgather", &search.allgather}, {"allgatherv", &search.allgatherv}, {"allreduce", &search.allreduce},
    {"barrier", &search.barrier},     {"bcast", &search.bcast},           {"gather", &search.gather},
    {"reduce", &search.reduce},       {"scatter", &search.scatter},
};

// Returns the folder of Open MPI's components, or NULL without Open MPI. Free with g_free.
static char *components_folder(void)
{
    const char *const argv[] = {"ompi_info", "--parsable", "--path", "pkglibdir", NULL}, before[] = "path:pkglibdir:";
    g_autofree char *out = NULL;
    if (!g_spawn_sync(NULL, (char **)(guintptr)argv, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL,
                      &out, NULL, NULL, NULL) ||
        !g_str_has_prefix(out, before))
        return NULL;
    return g_strstrip(g_strdup(out + strlen(before)));
}

static gboolean find(void *library, const char *name, void *function)
{
    void *symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL;
}

// Returns FALSE if the library is not there.
static gboolean load(void)
{
    g_autofree char *folder = components_folder();
    void *mpi = folder && sizeof(void *) == 8 ? dlopen("libmpi.so.40", RTLD_LAZY | RTLD_GLOBAL) : NULL;
    int (*get_version)(char *, int *), length;
    char version[1024];
    if (!mpi || !find(mpi, "MPI_Get_library_version", &get_version) || get_version(version, &length) != 0 ||
        !g_str_has_prefix(version, "Open MPI v4.1.4,"))
        return FALSE;
    g_autofree char *path = g_build_filename(folder, "mca_coll_han.so", NULL);
    void *library = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
    gboolean good = library && find(library, "mca_coll_han_component", &component) &&
                    find(library, "mca_coll_han_init_dynamic_rules", &init_rules) &&
                    find(library, "mca_coll_han_free_dynamic_rules", &free_rules);
    for (size_t i = 0; i < G_N_ELEMENTS(searched) && good; i++) {
        g_autofree char *name = g_strdup_printf("mca_coll_han_%s_intra_dynamic", searched[i].name);
        good = find(library, name, searched[i].function);
    }
    return good;
}

static void fill(Object *object, Serve *serve)
{
    for (size_t i = 0; i < G_N_ELEMENTS(object->at); i++)
        memcpy(&object->at[i], &serve, sizeof serve);
}

static void prepare(const char *path)
{
    static const char yes = 1;
    const void *const all = &group;
    put(component, COMPONENT_FILE, &path, sizeof path);
    put(component, COMPONENT_USES_FILE, &yes, sizeof yes);
    put_int(component, COMPONENT_OUTPUT, -1);
    for (size_t at = COMPONENT_DEFAULTS; at < COMPONENT_DEFAULTS_END; at += sizeof(int))
        put_int(component, at, -1); // without a rule the module's own fallback serves
    fill(&module, serves[NONE]);
    for (size_t i = 0; i < COMPONENTS; i++) {
        const void *const other = &modules[i];
        fill(&modules[i], serves[i]);
        put(&module, MODULE_OTHERS + i * sizeof other, &other, sizeof other);
    }
    put(&module, MODULE_KNOWS_OTHERS, &yes, sizeof yes);
    put_int(&comm, COMM_RANK, 1); // rank 0 prints
    put(&comm, COMM_GROUP, &all, sizeof all);
}

// Returns the component that serves a call, or NONE.
static int serves_really(const char *name, int level, int ranks, size_t bytes)
{
    int counts[MOST_RANKS] = {1}; // of allgatherv, whose longest block is the size
    put_int(&module, MODULE_LEVEL, level);
    put_int(&group, GROUP_RANKS, ranks);
    put(&type, TYPE_SIZE, &bytes, sizeof bytes);
    served = -1;
    if (strcmp(name, "allgather") == 0)
        search.allgather(NULL, 1, &type, NULL, 1, &type, &comm, &module);
    else if (strcmp(name, "allgatherv") == 0)
        search.allgatherv(NULL, 1, &type, NULL, counts, counts, &type, &comm, &module);
    else if (strcmp(name, "allreduce") == 0)
        search.allreduce(NULL, NULL, 1, &type, &op, &comm, &module);
    else if (strcmp(name, "barrier") == 0)
        search.barrier(&comm, &module);
    else if (strcmp(name, "bcast") == 0)
        search.bcast(NULL, 1, &type, 0, &comm, &module);
    else if (strcmp(name, "gather") == 0)
        search.gather(NULL, 1, &type, NULL, 1, &type, 0, &comm, &module);
    else if (strcmp(name, "reduce") == 0)
        search.reduce(NULL, NULL, 1, &type, &op, 0, &comm, &module);
    else
        search.scatter(NULL, 1, &type, NULL, 1, &type, 0, &comm, &module);
    return served;
}

// ---- Files ----------------------------------------------------------------------------------------------------------

static const char *const names[] = {"self", "basic", "libnbc", "tuned", "sm", "adapt", "han", "no rule"};

// What was compared.
typedef struct HanScore {
    guint files, ignored, written, calls, ruled;
} HanScore;

static Tables *names_41;

static int serves_here(const RulesFile *file, const char *name, int level, int ranks, size_t bytes)
{
    const LibraryRule *rule = rules_han_find(file, tuned_collective(name), level, ranks, (gint64)bytes);
    for (int i = 0; rule && i < COMPONENTS; i++)
        if (strcmp(names[i], rule->runs) == 0)
            return i;
    return NONE;
}

static int by_value(const void *a, const void *b)
{
    const gint64 x = *(const gint64 *)a, y = *(const gint64 *)b;
    return (x > y) - (x < y);
}

// Returns the numbers of a text and those beside them from `least` to `most`, each once. Free with g_array_unref.
static GArray *numbers_of(const char *text, gint64 least, gint64 most)
{
    g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(gint64));
    GArray *numbers = g_array_new(FALSE, FALSE, sizeof(gint64));
    for (const char *at = text; *at; at++)
        for (gint64 value = g_ascii_strtoll(at, NULL, 0) - 1, k = 0;
             k < 3 && g_ascii_isdigit(*at) && (at == text || !g_ascii_isdigit(at[-1])); k++, value++)
            if (value >= least && value <= most)
                g_array_append_val(all, value);
    g_array_sort(all, by_value);
    for (guint i = 0; i < all->len; i++)
        if (i == 0 || g_array_index(all, gint64, i) > g_array_index(all, gint64, i - 1))
            g_array_append_val(numbers, g_array_index(all, gint64, i));
    return numbers;
}

// Compares who serves the calls of a collective at a level.
static void compare_calls(const RulesFile *file, const char *text, const char *name, int level, HanScore *score)
{
    g_autoptr(GArray) ranks = numbers_of(text, 1, MOST_RANKS), sizes = numbers_of(text, 0, G_MAXINT64 - 2);
    for (guint i = 0; i < ranks->len * sizes->len; i++) {
        const int p = (int)g_array_index(ranks, gint64, i / sizes->len);
        const size_t bytes = strcmp(name, "barrier") == 0 ? 0 : (size_t)g_array_index(sizes, gint64, i % sizes->len);
        const int here = serves_here(file, name, level, p, bytes), real = serves_really(name, level, p, bytes);
        if (here != real)
            g_error("%s at level %d on %d ranks, %zu bytes: %s here, really %s, with\n%s", name, level, p, bytes,
                    names[here], names[real], text);
        score->calls++;
        score->ruled += here != NONE;
    }
}

// Has the library read a text. Returns FALSE if it drops it.
static gboolean really_reads(const char *text, const char *path)
{
    int n_read;
    g_assert_true(g_file_set_contents(path, text, -1, NULL));
    free_rules();
    init_rules();
    memcpy(&n_read, component + COMPONENT_RULES, sizeof n_read);
    return n_read > 0;
}

static void compare_all(const RulesFile *file, const char *text, HanScore *score)
{
    for (size_t i = 0; i < G_N_ELEMENTS(searched); i++)
        for (int level = 0; level < HAN_LEVELS; level++)
            compare_calls(file, text, searched[i].name, level, score);
}

// What is written for another version that knows numbers alone is what was read, to the library too.
static void compare_written(const RulesFile *file, const char *text, const char *path, HanScore *score)
{
    g_autofree char *written = rules_han_convert(file, file->library, NULL);
    if (!written)
        return; // no rule acts
    g_assert_true(really_reads(written, path));
    compare_all(file, text, score);
    score->written++;
}

static void compare_file(const char *text, const char *path, HanScore *score)
{
    const gboolean taken = really_reads(text, path);
    g_autoptr(RulesFile) file = rules_new("file", names_41);
    rules_han(file, text, strlen(text));
    if (file->ignored == taken)
        g_error("%s here, really %s:\n%s", file->ignored ? "ignored" : "taken", taken ? "taken" : "ignored", text);
    score->files++;
    score->ignored += file->ignored;
    if (file->ignored)
        return;
    compare_all(file, text, score);
    compare_written(file, text, path, score);
}

// Returns a random file that is right, but for a slip or two: characters or words are taken away, doubled, moved or put in.
// Free with g_free.
static char *slipped(guint32 seed)
{
    static const char *const words[] = {" ",       "\n",          "#",     "-1",        "+3",         "007",   "0x10",
                                        "2.5",     "99999999999", "[[",    "]]",        "[[1",        "tuned", "han",
                                        "@simple", "bcast",       "1",     "0",         "8K",         "\t",    "\r",
                                        "basic",   "1 1",         "# x\n", "allreduce", "intra_node", "TUNED", "--1",
                                        "\"han\"", "=",           ",",     ".",         "e5",         "\f",    "\v"};
    g_autoptr(GRand) random = g_rand_new_with_seed(seed);
    g_autofree char *text = NULL;
    for (gboolean ignored = TRUE; ignored;) {
        g_autoptr(RulesFile) file = rules_new("file", names_41);
        g_free(text);
        text = files_random_han(g_rand_int(random));
        rules_han(file, text, strlen(text));
        ignored = file->ignored;
    }
    GString *s = g_string_new(text);
    for (int n = g_rand_int_range(random, 1, 3); n > 0 && s->len > 0; n--) {
        const gssize at = g_rand_int_range(random, 0, (gint32)s->len), n_chars = g_rand_int_range(random, 1, 6),
                     end = MIN(at + n_chars, (gssize)s->len);
        g_autofree char *part = g_strndup(s->str + at, (gsize)(end - at));
        switch (g_rand_int_range(random, 0, 4)) {
        case 0:
            g_string_erase(s, at, end - at);
            break;
        case 1:
            g_string_insert(s, at, part);
            break;
        case 2:
            g_string_insert(s, g_rand_int_range(random, 0, (gint32)s->len), part);
            break;
        default:
            g_string_insert(s, at, words[g_rand_int_range(random, 0, G_N_ELEMENTS(words))]);
        }
    }
    return g_string_free(s, FALSE);
}

// `make` returns the text of a random file by its number.
static void compare_files(char *make(guint32 seed))
{
    HanScore score = {0};
    g_autofree char *path = NULL;
    const int file = g_file_open_tmp("han_reader.XXXXXX", &path, NULL);
    g_assert_cmpint(file, >=, 0);
    close(file);
    prepare(path);
    const guint32 first = sample_seed(1);
    for (int i = 0; i < sample_of(500, 100); i++) {
        g_autofree char *text = make(first + (guint32)i);
        compare_file(text, path, &score);
    }
    free_rules();
    g_unlink(path);
    g_test_message("%u files agree, %u of them ignored, %u written again; %u calls, %u of them by a rule", score.files,
                   score.ignored, score.written, score.calls, score.ruled);
    g_assert_cmpuint(score.ignored, >, 0);
    g_assert_cmpuint(score.ruled, >, 0);
}

static void test_random(void)
{
    compare_files(files_random_han);
}

static void test_slipped(void)
{
    compare_files(slipped);
}

static void add(void)
{
    g_autoptr(GError) error = NULL;
    names_41 = tables_names(&libraries[LIBRARY_OMPI_41], &error);
    g_assert_no_error(error);
    g_test_add_func("/han_reader/random", test_random);
    g_test_add_func("/han_reader/slipped", test_slipped);
}

// The library loses memory.
#ifdef __SANITIZE_ADDRESS__
static const gboolean is_sanitized = TRUE;
#else
static const gboolean is_sanitized = FALSE;
#endif

int main(int argc, char **argv)
{
    if (is_sanitized || !load()) {
        puts("1..0 # SKIP there is no Open MPI 4.1.4, or a sanitizer");
        return 0;
    }
    const int status = tap_run(argc, argv, add);
    tables_free(names_41);
    return status;
}
