#include "contest.h"
#include "error.h"
#include "parallel.h"
#include "units.h"

static const char help_text[] =
    "The best algorithms of a collective for each p and m, each with its best parameters, by simulation.\n\n"
    "  collsim best bcast -p 64,1024 -m 1K..64M:x64\n"
    "  collsim best allreduce -p 1024 -m 8M --element 8 --platform lumi --top 10\n\n"
    "Of a parameter that is a number a few values are tried (2 .. 8, 16, 32, sqrt(p), p-1, p), of one that is a name "
    "all;\n"
    "the algorithms that compositions are made of stay at their defaults. Of segments: none, powers of two, and the "
    "best\n"
    "number by the closed form, T = (a + a' S) alpha + (b + b'/S) m beta + (c + c'/S) m gamma, rounded both ways:\n"
    "S* = sqrt((b' m beta + c' m gamma) / (a' alpha)), T* there, beside what was simulated. S counts the segments of "
    "the\n"
    "message, of its half, or of a rank's block, whichever it is that the algorithm cuts; no more are tried than make\n"
    "128M messages. What does not run, for count < p say, is left out. Closed forms tell which ones are worth a\n"
    "simulation, and all that is printed was simulated.";

static gboolean find_top(const char *text, int *top, GError **error)
{
    size_t n = 5;
    if (text && (!units_parse_size(text, &n, NULL) || n < 1 || n > 1000))
        return bad_input(error, "--top %s; allowed: a number of algorithms, 1 .. 1000", text);
    *top = (int)n;
    return TRUE;
}

static gboolean run_contests(const GPtrArray *contests, GError **error)
{
    run_jobs(contests, false, "points", contest_run, NULL);
    for (guint i = 0; i < contests->len; i++) {
        Contest *x = g_ptr_array_index(contests, i);
        if (x->error) {
            g_propagate_error(error, g_steal_pointer(&x->error));
            return FALSE;
        }
    }
    return TRUE;
}

int cmd_best(int argc, char **argv, GError **error)
{
    g_auto(RequestOptions) o = {0};
    g_autofree char *most = NULL;
    const GOptionEntry entries[] = {
        CONTEST_ENTRIES(o),
        {"bytes", 'm', 0, G_OPTION_ARG_STRING, &o.sizes, "sizes in bytes", "LIST"},
        {"param", 0, 0, G_OPTION_ARG_STRING_ARRAY, &o.params, "a parameter that is not searched, as segment=64K",
         "NAME=VALUE"},
        {"top", 0, 0, G_OPTION_ARG_STRING, &most, "so many algorithms at most (5)", "N"},
        {NULL},
    };
    g_auto(GStrv) words = NULL;
    g_auto(Request) r = {0};
    g_autoptr(GPtrArray) contests = g_ptr_array_new_with_free_func(contest_free);
    Format format;
    int top = 0;
    if (!parse_options(argc, argv, "COLLECTIVE", help_text, entries, 1, 1, &words, error) ||
        !find_format(o.format, &format, error) || !find_top(most, &top, error) ||
        !find_collective(words[0], &r.collective, error) || !request_points(&o, &r, error) ||
        !request_machine(&o, &r, error))
        return 2;
    g_autoptr(GPtrArray) points = points_make(&r, error); // which finds all that is wrong with the lists
    if (!points)
        return 2;
    for (guint i = 0; i < r.ranks->len; i++)
        for (guint k = 0; k < r.sizes->len; k++) {
            Contest *x = g_new0(Contest, 1);
            *x = (Contest){.request = &r,
                           .p = (int)g_array_index(r.ranks, size_t, i),
                           .m = g_array_index(r.sizes, size_t, k),
                           .top = top};
            g_ptr_array_add(contests, x);
        }
    if (!run_contests(contests, error))
        return 2;
    if (format == FORMAT_JSON)
        best_json(&r, contests);
    else if (format == FORMAT_CSV)
        best_csv(&r, contests);
    else
        best_table(&r, contests);
    return 0;
}
