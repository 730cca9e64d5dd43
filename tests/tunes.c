#include "tunes.h"
#include "advice/tune/tune.h"

void tunes_request(Request *r, LibraryId library, const char *ranks, const char *sizes)
{
    GError *error = NULL;
    r->library.only = request_tables(&r->library, &libraries[library], &error);
    g_assert_no_error(error);
    r->machine.platform = platform_load("lumi", &error);
    g_assert_no_error(error);
    r->machine.model = &hockney_model;
    GArray **lists[] = {&r->question.ranks, &r->question.sizes};
    for (int i = 0; i < 2; i++) {
        g_auto(GStrv) words = g_strsplit(i ? sizes : ranks, " ", -1);
        *lists[i] = g_array_new(FALSE, FALSE, sizeof(size_t));
        for (char **w = words; *w; w++) {
            const size_t value = (size_t)g_ascii_strtoull(*w, NULL, 10);
            g_array_append_val(*lists[i], value);
        }
    }
    r->library.by_file = TRUE;
    r->library.no_han = r->library.only->library->family != LIBRARY_MPICH && library != LIBRARY_OMPI_41;
}

static void free_tune(gpointer tune)
{
    tune_free(tune);
}

GPtrArray *tunes_new(void)
{
    return g_ptr_array_new_with_free_func(free_tune);
}
