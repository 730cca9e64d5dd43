#include "search/sweep/shard.h"
#include "base/error.h"
#include "base/number.h"
#include <string.h>

enum { MOST_SHARDS = 1 << 20 };

// Reads a variable of the environment. Returns FALSE and an error if it is not a number up to `most`.
static gboolean read_variable(const char *name, size_t most, size_t *value, GError **error)
{
    const char *text = g_getenv(name);
    if (text && number_size(text, 0, most, value))
        return TRUE;
    g_autofree char *shown = text ? error_quote(text) : g_strdup("not set");
    return bad_input(error, "--shard auto: %s is %s; allowed: an integer up to %zu, or --shard i/n", name, shown, most);
}

// Reads what the launcher says, in a shard that is 1/1 if there is none.
static gboolean read_launcher(SweepShard *shard, GString *said, GError **error)
{
    static const char *const launchers[][2] = {
        {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"}, {"PMI_RANK", "PMI_SIZE"}, {"SLURM_PROCID", "SLURM_NTASKS"}};
    size_t rank = 0, size = 0;
    for (size_t i = 0; i < G_N_ELEMENTS(launchers); i++) {
        const char *const *name = launchers[i];
        // The script of a batch job has SLURM_PROCID, but no SLURM_NTASKS unless it asked for tasks.
        if (!g_getenv(name[0]) || !g_getenv(name[1]))
            continue;
        if (!read_variable(name[1], MOST_SHARDS, &size, error) || !read_variable(name[0], MOST_SHARDS, &rank, error))
            return FALSE;
        if (rank >= size)
            return bad_input(error, "--shard auto: %s is %zu and %s is %zu; allowed: ranks below the size", name[0],
                             rank, name[1], size);
        *shard = (SweepShard){rank + 1, size};
        g_string_append_printf(said, "%s=%zu, %s=%zu", name[0], rank, name[1], size);
        return TRUE;
    }
    return TRUE;
}

// Puts the array around the shard of the launcher.
static gboolean read_array(SweepShard *shard, GString *said, GError **error)
{
    size_t id = 0, min = 0, max = 0, step = 1, count = 0;
    if (!g_getenv("SLURM_ARRAY_TASK_ID"))
        return TRUE;
    if (!read_variable("SLURM_ARRAY_TASK_ID", G_MAXUINT32, &id, error) ||
        !read_variable("SLURM_ARRAY_TASK_MIN", G_MAXUINT32, &min, error) ||
        !read_variable("SLURM_ARRAY_TASK_MAX", G_MAXUINT32, &max, error) ||
        (g_getenv("SLURM_ARRAY_TASK_STEP") && !read_variable("SLURM_ARRAY_TASK_STEP", G_MAXUINT32, &step, error)) ||
        !read_variable("SLURM_ARRAY_TASK_COUNT", MOST_SHARDS, &count, error))
        return FALSE;
    // A list with gaps, --array=1,5,6, has no step that leads from one number to the next.
    if (step == 0 || id < min || id > max || (id - min) % step != 0 || (max - min) / step + 1 != count)
        return bad_input(error,
                         "--shard auto: the Slurm array has %zu tasks from %zu to %zu with step %zu, and this is %zu; "
                         "allowed: a range such as --array=1-8, or --shard i/n",
                         count, min, max, step, id);
    if (count * shard->n > MOST_SHARDS)
        return bad_input(error, "--shard auto: the array and its ranks make more than %d shards; allowed: fewer",
                         MOST_SHARDS);
    shard->i += (id - min) / step * shard->n;
    shard->n *= count;
    g_string_append_printf(said, "%sSLURM_ARRAY_TASK_ID=%zu, task %zu of %zu", said->len ? "; " : "", id,
                           (id - min) / step + 1, count);
    return TRUE;
}

static gboolean read_auto(SweepShard *shard, char **said, GError **error)
{
    g_autoptr(GString) text = g_string_new(NULL);
    *shard = (SweepShard){1, 1};
    if (!read_launcher(shard, text, error) || !read_array(shard, text, error))
        return FALSE;
    *said = g_strdup(text->str);
    return text->len > 0 ||
           bad_input(error, "--shard auto: no launcher is in the environment; allowed: under mpirun, srun or a Slurm "
                            "array, or --shard i/n");
}

gboolean sweep_shard_parse(const char *text, SweepShard *shard, char **said, GError **error)
{
    g_auto(GStrv) part = g_strsplit(text, "/", 2);
    size_t i = 0, n = 0;
    *said = NULL;
    if (strcmp(text, "auto") == 0)
        return read_auto(shard, said, error);
    if (*part && part[1] && number_size(part[1], 1, MOST_SHARDS, &n) && number_size(part[0], 1, n, &i)) {
        *shard = (SweepShard){i, n};
        return TRUE;
    }
    g_autofree char *shown = error_quote(text);
    return bad_input(error, "--shard %s; allowed: i/n with i from 1 to n, such as 2/8, or auto", shown);
}

gboolean sweep_shard_has(const SweepShard *shard, guint64 digits)
{
    return digits % shard->n == shard->i - 1;
}
