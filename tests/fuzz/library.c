// Names of MPI libraries. The name that a library prints finds it again.
#include "libraries/decide/library.h"
#include "fuzz.h"

FUZZ_HARNESS(library)
{
    g_auto(GStrv) text = fuzz_lines(data, size, 0);
    g_autoptr(GError) error = NULL;
    const Library *library = library_find(text[0], &error);
    if (fuzz_outcome(library != NULL, &error))
        g_assert_true(library_find(library->name, NULL) == library);
    return 0;
}
