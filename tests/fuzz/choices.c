// Lists of choices (learn --choices). Those that can be read make labels; nothing is simulated.
#include "fuzz.h"
#include "advice/learn/data.h"

FUZZ_HARNESS(choices)
{
    g_autoptr(LearnData) x = learn_data_new();
    g_autoptr(GError) error = NULL;
    const char *path = fuzz_file(data, size);
    const gboolean read = learn_read_choices(x, path, &error);
    fuzz_outcome(read, &error);
    if (read)
        fuzz_outcome(learn_end_choices(x, &error), &error);
    return 0;
}
