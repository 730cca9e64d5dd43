// Names of MPI libraries: prefixes of known versions, and those that are refused.
#include "decide/library.h"
#include "base/error.h"
#include "tap.h"
#include <string.h>

static void test_names(void)
{
    static const struct {
        const char *name;
        LibraryId id;
    } good[] = {
        {"ompi", LIBRARY_OMPI_41},         {"ompi-4", LIBRARY_OMPI_41},       {"ompi-4.1", LIBRARY_OMPI_41},
        {"ompi-4.1.4", LIBRARY_OMPI_41},   {"ompi-5", LIBRARY_OMPI_5},        {"ompi-5.0", LIBRARY_OMPI_5},
        {"ompi-5.0.9", LIBRARY_OMPI_5},    {"ompi-main", LIBRARY_OMPI_MAIN},  {"mpich", LIBRARY_MPICH_43},
        {"mpich-4.0", LIBRARY_MPICH_40},   {"mpich-4.0.2", LIBRARY_MPICH_40}, {"mpich-4.3", LIBRARY_MPICH_43},
        {"mpich-4.3.0", LIBRARY_MPICH_43}, {"mpich-4.3.2", LIBRARY_MPICH_43},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(good); i++) {
        g_autoptr(GError) error = NULL;
        const Library *library = library_find(good[i].name, &error);
        g_assert_no_error(error);
        g_assert_cmpint(library->id, ==, good[i].id);
    }
}

static void test_list(void)
{
    for (int i = 0; i < N_LIBRARIES; i++) {
        g_assert_cmpint(libraries[i].id, ==, i);
        g_assert_true(library_find(libraries[i].name, NULL) == &libraries[i]);
        g_assert_true(g_str_has_prefix(libraries[i].name, library_family(libraries[i].family)));
    }
}

static void test_refused(void)
{
    static const struct {
        const char *name, *what;
    } bad[] = {
        {"", "unknown"},          {"ompi-", "unknown"},       {"ompi4.1", "unknown"},  {"ompi-4.", "unknown"},
        {"ompi-4.1.", "unknown"}, {"ompi-4.1.40", "unknown"}, {"ompi-4.2", "unknown"}, {"ompi-mai", "unknown"},
        {"mpich-4", "ambiguous"}, {"mpich-5", "unknown"},     {"Ompi", "unknown"},     {"openmpi-4.1", "unknown"},
        {"impi", "unknown"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_autoptr(GError) error = NULL;
        g_assert_null(library_find(bad[i].name, &error));
        g_assert_error(error, COLLSIM_ERROR, COLLSIM_ERROR_INPUT);
        g_autofree char *message = g_strdup_printf("%s library '%s'; allowed: ompi-4.1, ompi-5, ompi-main, mpich-4.0, "
                                                   "mpich-4.3, ompi (ompi-4.1), mpich (mpich-4.3)",
                                                   bad[i].what, bad[i].name);
        g_assert_cmpstr(error->message, ==, message);
    }
}

static void add_tests(void)
{
    g_test_add_func("/library/names", test_names);
    g_test_add_func("/library/list", test_list);
    g_test_add_func("/library/refused", test_refused);
}

int main(int argc, char **argv)
{
    return tap_run(argc, argv, add_tests);
}
