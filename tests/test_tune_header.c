// The headers of `collsim tune --format c`: compilers take them without a warning, and they decide as the rules that they
// are made from, and as the library's rules file where it knows the size of a call.
#include "libraries/decide/tuned.h"
#include "sample.h"
#include "tap.h"
#include "tunes.h"
#include "advice/tune/tune_header.h"
#include <glib/gstdio.h>
#include <string.h>

static const double within = 0.03;

#define RANKS "2 3 4 6 8 9 16"
#define SIZES "8 64 512 4096 16384 65536 262144 1048576"

static size_t element_of(int collective)
{
    return collectives[collective].reduces ? 8 : 1;
}

// ---- The program that asks ------------------------------------------------------------------------------------------

static const char program[] =
    "#include <stdio.h>\n"
    "#include \"my.h\"\n"
    "int main(void)\n"
    "{\n"
    "    int collective, ranks;\n"
    "    unsigned long size, element;\n"
    "    unsigned flags;\n"
    "    while (scanf(\"%d %d %lu %lu %u\", &collective, &ranks, &size, &element, &flags) == 5) {\n"
    "        const my_choice *c = my_algorithm((my_collective)collective, ranks, size, element, flags);\n"
    "        printf(\"%s %d %d %d %d %u %s\\n\", my_name((my_collective)collective), c->id, c->segment, c->fanout,\n"
    "               c->max_requests, c->needs, c->name);\n"
    "    }\n"
    "    return 0;\n"
    "}\n";

// ---- A header and what it is made from ------------------------------------------------------------------------------

typedef struct Made {
    Request r;
    GPtrArray *tunes[2]; // of Tune: for an operation that does not commute, and for one that does
    RulesFile *files[2]; // the library's: for any operation, and for those that commute
    char *folder, *header;
} Made;

// Tunes all collectives. Free with g_ptr_array_unref.
static GPtrArray *tune_all(Request *r, gboolean commutes, gboolean by_call)
{
    GPtrArray *tunes = tunes_new();
    r->library.any_operation = !commutes;
    r->question.ordered = by_call && !commutes;
    for (int i = 0; i < N_COLLECTIVES; i++) {
        const int number = tuned_collective(collectives[i].name);
        if (number < 0 || tuned_collectives[number].size == TUNED_SIZE_NO_METHOD)
            continue;
        GError *error = NULL;
        g_ptr_array_add(tunes, tune_compute(r, (Collective)i, element_of(i), within, by_call, &error));
        g_assert_no_error(error);
    }
    return tunes;
}

static void make(Made *x, LibraryId library)
{
    GError *error = NULL;
    tunes_request(&x->r, library, RANKS, SIZES);
    g_autoptr(GPtrArray) about = g_ptr_array_new();
    g_autoptr(GArray) parts = g_array_new(FALSE, FALSE, sizeof(TuneHeaderPart));
    g_ptr_array_add(about, (char *)(guintptr) "a comment */ int main; /* that tries to end");
    for (int commutes = 0; commutes <= 1; commutes++) {
        g_autoptr(GPtrArray) tunes = tune_all(&x->r, commutes, FALSE);
        g_autofree char *text = tune_file(x->r.library.only, tunes, about);
        x->files[commutes] = rules_parse(text, strlen(text), "rules", &libraries[library], &error);
        g_assert_no_error(error);
        x->tunes[commutes] = tune_all(&x->r, commutes, TRUE);
    }
    for (guint i = 0; i < x->tunes[0]->len; i++) {
        const Tune *any = x->tunes[0]->pdata[i];
        const TuneHeaderPart part = {any, collectives[any->collective].reduces ? x->tunes[1]->pdata[i] : NULL};
        g_array_append_val(parts, part);
    }
    x->header = tune_header(x->r.library.only, parts, "my", about, &error);
    g_assert_no_error(error);
    x->folder = g_dir_make_tmp("collsim-header-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(x->folder, "my.h", NULL),
                    *ask = g_build_filename(x->folder, "ask.c", NULL);
    g_assert_true(g_file_set_contents(path, x->header, -1, NULL));
    g_assert_true(g_file_set_contents(ask, program, -1, NULL));
}

static void made_clear(Made *x)
{
    static const char *const names[] = {"my.h", "ask.c", "ask", "points"};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *path = g_build_filename(x->folder, names[i], NULL);
        g_unlink(path);
    }
    g_rmdir(x->folder);
    g_free(x->folder);
    g_free(x->header);
    for (int i = 0; i < 2 && x->tunes[i]; i++) {
        g_ptr_array_unref(x->tunes[i]);
        rules_free(x->files[i]);
    }
    request_clear(&x->r);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Made, made_clear)

// Runs a command of the shell in the folder; it must succeed and write nothing to stderr. Returns its output. Free with
// g_free.
static char *run(const Made *x, const char *command)
{
    g_autofree char *line = g_strdup_printf("cd '%s' && %s", x->folder, command);
    char *args[] = {(char *)(guintptr) "/bin/sh", (char *)(guintptr) "-c", line, NULL}, *out = NULL;
    g_autofree char *err = NULL;
    int status;
    g_assert_true(g_spawn_sync(NULL, args, NULL, G_SPAWN_DEFAULT, NULL, NULL, &out, &err, &status, NULL));
    if (status != 0 || *err)
        g_error("%s: %s", command, err);
    return out;
}

// Compiles the header as C and C++, with the compilers that are there.
static void check_compilers(const Made *x)
{
    static const char *const compilers[][2] = {
        {"gcc", "gcc -std=c11"},
        {"clang", "clang -std=c11"},
        {"g++", "g++ -x c++ -std=c++11"},
        {"clang++", "clang++ -x c++ -std=c++17"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(compilers); i++) {
        g_autofree char *found = g_find_program_in_path(compilers[i][0]),
                        *command = g_strdup_printf("%s -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror "
                                                   "-fsyntax-only ask.c",
                                                   compilers[i][1]);
        g_free(found ? run(x, command) : NULL);
    }
}

// ---- Decisions ------------------------------------------------------------------------------------------------------

typedef struct Call {
    guint number; // of the collective in the header
    int ranks;
    size_t size, element;
    gboolean commutes;
} Call;

static gint64 bytes_of(const Tune *tune, const Call *call)
{
    return collectives[tune->collective].vector
               ? (gint64)call->size
               : tuned_size(tune->number, call->ranks, (gint64)call->size, (gint64)call->element);
}

// Returns the rule of a tune for a call, or NULL for the default.
static const LibraryRule *rule_of(const Tune *tune, const Call *call)
{
    const gint64 bytes = tune->one ? 0 : bytes_of(tune, call);
    const RuleCall asked = rule_call(tune->number, call->ranks, bytes);
    return rule_find(tune->rules, &asked);
}

static gboolean meets(const LibraryAlgorithm *a, const Call *call, size_t segment)
{
    const size_t count = call->size / call->element, each = count / (size_t)call->ranks;
    const DecideCall c = {.collective = a->collective,
                          .p = call->ranks,
                          .m = call->size,
                          .elem = call->element,
                          .commutative = call->commutes};
    const gboolean segments = segment >= call->element ? each >= segment / call->element : each >= count;
    return decide_can(a, &c) && (!(a->needs & LIBRARY_NEEDS_SEGMENTS) || segments) &&
           (!(a->needs & LIBRARY_NEEDS_HALVES) || (count >= 2 && count / 2 * call->element >= segment));
}

// Returns TRUE if the library's file has one choice for all sizes of the collective.
static gboolean file_has_one(const Tune *tune)
{
    const TunedSize size = tuned_collectives[tune->number].size;
    return size == TUNED_SIZE_TYPE || size == TUNED_SIZE_NONE || tune->collective == COLL_GATHER ||
           tune->collective == COLL_SCATTER;
}

typedef struct HeaderAnswer {
    char collective[32], name[64];
    int id, segment, fanout, max_requests;
    unsigned needs;
} HeaderAnswer;

static guint others; // calls whose rule names an algorithm that the call has too few elements for, or the like

// Checks the answer to a call.
static void check_answer(const Made *x, const Call *call, const char *line)
{
    HeaderAnswer got = {.id = -1};
    const int n = sscanf(line, "%31s %d %d %d %d %u %63s", got.collective, &got.id, &got.segment, &got.fanout,
                         &got.max_requests, &got.needs, got.name);
    const Tune *tune = x->tunes[call->commutes]->pdata[call->number];
    const LibraryRule none = {0}, *found = rule_of(tune, call), *rule = found ? found : &none;
    const LibraryAlgorithm *a = rule->id ? tables_algorithm(x->r.library.only, tune->collective, rule->id) : NULL,
                           *b = got.id ? tables_algorithm(x->r.library.only, tune->collective, got.id) : NULL;
    g_assert_cmpint(n, ==, 7);
    g_assert_cmpstr(got.collective, ==, collectives[tune->collective].name);
    g_assert_cmpstr(got.name, ==, b ? b->name : "default");
    g_assert_cmpint((int)got.needs, ==, b ? b->needs : 0);
    g_assert_true(!b || meets(b, call, (size_t)got.segment));
    if (a && !meets(a, call, (size_t)rule->segment)) {
        others++;
        g_assert_true(!(a->needs & (LIBRARY_NEEDS_POW2 | LIBRARY_NEEDS_EVEN)) || got.id == a->else_runs);
        g_assert_cmpint(got.id, !=, rule->id);
        return;
    }
    g_assert_cmpint(got.id, ==, rule->id);
    g_assert_cmpint(got.segment, ==, rule->segment);
    g_assert_cmpint(got.fanout, ==, rule->fanout);
    g_assert_cmpint(got.max_requests, ==, rule->max_requests);
    // The file says the same, where it knows the size; for reductions that do not commute the header knows more.
    if (file_has_one(tune) || (collectives[tune->collective].reduces && !call->commutes) || call->ranks < 2)
        return;
    const LibraryRule *same = rules_find(x->files[call->commutes], tune->number, call->ranks, bytes_of(tune, call));
    g_assert_cmpint(same ? same->id : 0, ==, rule->id);
    if (rule->id == 0)
        return;
    g_assert_cmpint(same->segment, ==, rule->segment);
    g_assert_cmpint(same->fanout, ==, rule->fanout);
    g_assert_cmpint(same->max_requests, ==, rule->max_requests);
}

// Returns calls (Call) at and beside all sizes of the rules and of the grid, on 1 to 20 ranks. Free with g_array_unref.
static GArray *make_calls(const Made *x)
{
    static const size_t elements[] = {1, 24, 65536};
    GArray *calls = g_array_new(FALSE, FALSE, sizeof(Call));
    for (guint i = 0; i < x->tunes[0]->len; i++)
        for (int ranks = 1; ranks <= 20; ranks += ranks < 10 ? 1 : 3)
            for (guint k = 0; k < x->r.question.sizes->len * 3; k++)
                for (guint e = 0; e < G_N_ELEMENTS(elements) * 2; e++) {
                    const size_t m = g_array_index(x->r.question.sizes, size_t, k / 3);
                    const gboolean vector = collectives[((const Tune *)x->tunes[0]->pdata[i])->collective].vector;
                    // on other numbers of ranks, the thresholds in bytes of all blocks are between the sizes
                    const size_t size = k % 3 == 2 && !vector ? (m * 8 + (size_t)ranks - 1) / (size_t)ranks : m;
                    const Call call = {i, ranks, size - k % 2, elements[e / 2], e % 2 == 1};
                    g_array_append_val(calls, call);
                }
    return calls;
}

static void check_decisions(const Made *x)
{
    g_autoptr(GArray) calls = make_calls(x);
    g_autoptr(GString) points = g_string_new(NULL);
    for (guint i = 0; i < calls->len; i++) {
        const Call *call = &g_array_index(calls, Call, i);
        g_string_append_printf(points, "%u %d %" G_GSIZE_FORMAT " %" G_GSIZE_FORMAT " %d\n", call->number, call->ranks,
                               call->size, call->element, call->commutes);
    }
    g_autofree char *in = g_build_filename(x->folder, "points", NULL);
    g_assert_true(g_file_set_contents(in, points->str, -1, NULL));
    g_autofree char *out = run(x, "gcc -std=c11 ask.c -o ask && ./ask <points");
    g_auto(GStrv) lines = g_strsplit(out, "\n", -1);
    g_assert_cmpuint(g_strv_length(lines), ==, calls->len + 1);
    others = 0;
    for (guint i = 0; i < calls->len; i++)
        check_answer(x, &g_array_index(calls, Call, i), lines[i]);
    g_assert_cmpuint(others, >, 0);
    for (int commutes = 0; commutes <= 1; commutes++) // at the points of the grid
        for (guint i = 0; i < x->tunes[0]->len; i++) {
            const Tune *tune = x->tunes[commutes]->pdata[i];
            for (guint k = 0; k < tune->places->len && !tune->one; k++) {
                const TunePlace *place = &g_array_index(tune->places, TunePlace, k);
                g_assert_cmpfloat(place->time_s, <=, place->sure_s * (1 + within) * (1 + 1e-9));
                g_assert_cmpfloat(place->sure_s, <=, place->best_s * 1.1); // whose segments may be of any length
            }
        }
}

// ---- Times between the grid's points --------------------------------------------------------------------------------

static double time_of(const TunePlace *place, const LibraryRule *rule)
{
    for (guint i = 0; i < place->options->len; i++) {
        const TuneOption *option = &g_array_index(place->options, TuneOption, i);
        if (option->choice.id == (rule ? rule->id : 0) && option->choice.segment == (rule ? rule->segment : 0))
            return option->time_s;
    }
    return place->default_s;
}

// Where the file has one choice for all sizes and the header has not, the header's takes at most a share 2 w more time
// than the file's on other ranks and sizes than those of the grid, and less on average.
static void check_between(const Made *x, LibraryId library)
{
    double gain = 0;
    guint n = 0;
    g_auto(Request) r = {0};
    tunes_request(&r, library, "2 3 4 5 7 12", "8 16 120 1016 8184 40000 131072 524288");
    for (guint i = 0; i < x->tunes[1]->len; i++) {
        const Tune *tune = x->tunes[1]->pdata[i];
        if (!file_has_one(tune) || tune->one || tune->collective == COLL_GATHER) // whose segments would take long
            continue;
        g_autoptr(Tune) all = tune_compute(&r, tune->collective, tune->elem, 1e6, TRUE, NULL);
        for (guint k = 0; k < all->places->len; k++) {
            const TunePlace *place = &g_array_index(all->places, TunePlace, k);
            const Call call = {i, place->p, place->m, tune->elem, TRUE};
            const gint64 bytes = tuned_size(tune->number, place->p, (gint64)place->m, (gint64)tune->elem);
            const LibraryRule *file = rules_find(x->files[1], tune->number, place->p, bytes);
            const double one = time_of(place, rule_of(tune, &call)), two = time_of(place, file);
            g_assert_cmpfloat(one, <=, two * (1 + 2 * within));
            gain += two / one;
            n++;
        }
    }
    g_assert_cmpuint(n, >, 0);
    g_assert_cmpfloat(gain / n, >, 1.01);
}

static void test_ompi_5(void)
{
    g_auto(Made) x = {0};
    make(&x, LIBRARY_OMPI_5);
    check_compilers(&x);
    check_decisions(&x);
    check_between(&x, LIBRARY_OMPI_5);
}

// Its header is that of ompi-5 with a few other algorithms, so every second sample has it.
static void test_ompi_main(void)
{
    g_auto(Made) x = {0};
    if (!sample_takes(0, 2)) {
        g_test_skip("not drawn");
        return;
    }
    make(&x, LIBRARY_OMPI_MAIN);
    check_decisions(&x);
}

// ---- The limit of lines -----------------------------------------------------------------------------------------------

// Returns rules for bcast with so many ranges of ranks, 20 intervals each. Free with tune_free.
static Tune *make_large(int ranges)
{
    Tune *tune = g_new0(Tune, 1);
    tune->collective = COLL_BCAST;
    tune->number = tuned_collective("bcast");
    tune->elem = 1;
    tune->places = g_array_new(FALSE, FALSE, sizeof(TunePlace));
    tune->rules = g_array_new(FALSE, FALSE, sizeof(LibraryRule));
    const TunePlace place = {.p = 2, .m = 8, .bytes = 8};
    g_array_append_val(tune->places, place);
    for (int i = 0; i < ranges * 20; i++) {
        const gint64 k = i % 20;
        const LibraryRule rule = {.collective = tune->number,
                                  .when = rule_when((RuleRange){2 + i / 20, 2 + i / 20},
                                                    (RuleRange){k * 1000, k == 19 ? RULES_NO_LIMIT : k * 1000 + 999}),
                                  .id = 1 + i % 3};
        g_array_append_val(tune->rules, rule);
    }
    return tune;
}

static void test_limit(void)
{
    g_auto(Made) x = {0};
    tunes_request(&x.r, LIBRARY_OMPI_41, RANKS, SIZES);
    g_autoptr(GPtrArray) about = g_ptr_array_new();
    x.folder = g_dir_make_tmp("collsim-header-XXXXXX", NULL);
    for (int i = 0; i < 2; i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(Tune) tune = make_large(i ? 400 : 60); // 1200 rules have a line for each number of ranks
        g_autoptr(GArray) parts = g_array_new(FALSE, FALSE, sizeof(TuneHeaderPart));
        const TuneHeaderPart part = {tune, NULL};
        g_array_append_val(parts, part);
        g_autofree char *text = tune_header(x.r.library.only, parts, "my", about, &error);
        if (i == 0) {
            g_autofree char *path = g_build_filename(x.folder, "my.h", NULL),
                            *ask = g_build_filename(x.folder, "ask.c", NULL), *out = NULL;
            g_assert_true(g_file_set_contents(path, text, -1, NULL));
            g_assert_true(g_file_set_contents(ask, program, -1, NULL));
            out = run(&x, "gcc -std=c11 -Wall -Wextra -Werror ask.c -o ask && echo 0 33 4999 1 0 | ./ask");
            g_assert_cmpstr(out, ==, "bcast 1 0 0 0 0 basic_linear\n"); // rule 31 * 20 + 4, which 3 divides
        } else {
            g_assert_null(text);
            g_assert_nonnull(strstr(error->message, "lines; allowed: at most 1000, as with a larger --within"));
        }
    }
}

static void test_prefix(void)
{
    static const struct {
        const char *text;
        gboolean good;
    } cases[] = {{"pick", TRUE}, {"a", TRUE},    {"Pick_2", TRUE},       {"", FALSE},   {"2pick", FALSE},
                 {"_p", FALSE},  {"a-b", FALSE}, {"caf\xc3\xa9", FALSE}, {"a b", FALSE}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++)
        g_assert_cmpint(tune_header_prefix(cases[i].text), ==, cases[i].good);
    g_autofree char *longest = g_strnfill(40, 'a'), *longer = g_strnfill(41, 'a');
    g_assert_true(tune_header_prefix(longest));
    g_assert_false(tune_header_prefix(longer));
}

static void add_tests(void)
{
    g_test_add_func("/tune_header/prefix", test_prefix);
    g_test_add_func("/tune_header/limit", test_limit);
    g_test_add_func("/tune_header/ompi-5", test_ompi_5);
    g_test_add_func("/tune_header/ompi-main", test_ompi_main);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add_tests);
}
