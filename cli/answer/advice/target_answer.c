#include "answer/advice/target_answer.h"
#include "base/units.h"
#include "base/version.h"
#include "out/wrap.h"
#include <math.h>
#include <string.h>

enum { WIDTH = 96 }; // of a comment: NCCL's reader cuts lines at 255 bytes, PGMPITuneLib's has room for 100

// Adds a sentence as lines of at most WIDTH bytes.
static void add(GPtrArray *lines, const char *format, ...) G_GNUC_PRINTF(2, 3);
static void add(GPtrArray *lines, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_autofree char *text = g_strdup_vprintf(format, args);
    va_end(args);
    g_auto(GStrv) words = g_strsplit(text, " ", -1);
    g_autoptr(GString) line = g_string_new(NULL);
    for (char **word = words; *word; word++) {
        if (line->len && line->len + 1 + strlen(*word) > WIDTH) {
            g_ptr_array_add(lines, g_strdup(line->str));
            g_string_assign(line, "  ");
        } else if (word != words) {
            g_string_append_c(line, ' ');
        }
        g_string_append(line, *word);
    }
    g_ptr_array_add(lines, g_strdup(line->str));
}

static void add_load(GPtrArray *lines, const TuneTarget *x)
{
    switch (x->target->id) {
    case TARGET_INTEL:
        add(lines, "Load it with `. FILE` before mpirun.");
        add(lines,
            "What Intel MPI chooses by itself is not known, so these lines name the fastest of the ids that are "
            "predicted, wherever they were looked at, and nothing says how much faster that is. Measure with and "
            "without them.");
        add(lines,
            "The ids are those of Intel's references of 2018 to 2024; since 2021.13 they are called presets, and there "
            "are more. The references do not say what the size of a call is: here it is that of -m of `collsim run`.");
        break;
    case TARGET_NCCL:
        add(lines,
            "Load it with NCCL_TUNER_PLUGIN=libnccl-tuner-example.so NCCL_TUNER_CONFIG_FILE=FILE, the plug-in of "
            "ext-tuner/example in NCCL's sources. A size is all that a rank has in the end, or at the beginning if "
            "that "
            "is more. The first row that fits decides; without one, NCCL does.");
        add(lines,
            "The file cannot ask for the datatype, the operation or whether a call is in place, and knows no machine.");
        break;
    default:
        add(lines,
            "Load it with PGMPI_PROFILE_PATH=FOLDER, or --ppath=FOLDER among the program's arguments, and link the "
            "program with libpgmpituned. A folder has the profiles of one number of ranks, because of several "
            "profiles of a collective the library keeps one.");
        add(lines, "A profile cannot ask for nodes, the datatype, the operation or the root. Sizes are the bytes of "
                   "the call's "
                   "count; versions of 2017 take the count itself for MPI_Allgather and MPI_Reduce_scatter_block.");
        break;
    }
}

// Adds what a part has, and what it is expected to gain.
static void add_part(GPtrArray *lines, const TuneTarget *x, const TuneTargetPart *part)
{
    g_autofree char *ranks = units_format_ranks(part->p, part->per_node);
    g_autofree char *usual = isnan(part->usual)
                                 ? g_strdup("")
                                 : g_strdup_printf("%s's own choice takes %.3f times the best, ",
                                                   x->target->id == TARGET_NCCL ? "NCCL" : "the library", part->usual);
    add(lines, "  %s on %s ranks, %u sizes: %sthis file %s%.3f, at worst %.3f (%u row%s)",
        collectives[part->collective].name, ranks, part->sizes, usual, *usual ? "" : "takes ", part->rules, part->worst,
        part->n, part->n == 1 ? "" : "s");
}

GPtrArray *target_answer_header(const TuneTarget *x, const TuneTargetPart *part, const GPtrArray *from, double within)
{
    GPtrArray *lines = g_ptr_array_new_with_free_func(g_free);
    add(lines, "%s: a %s, made by collsim %s tune %s", x->target->title, x->target->format, COLLSIM_VERSION,
        x->target->name);
    for (guint i = 0; i < from->len; i++)
        add(lines, "%s", (const char *)from->pdata[i]);
    add_load(lines, x);
    add(lines,
        "At each size that was looked at, what is named is within %g %% of the best%s, in as few rows as possible. The "
        "means over these sizes, as times of the best:",
        100 * within,
        x->target->id == TARGET_INTEL  ? " of these ids"
        : x->target->id == TARGET_NCCL ? " measured"
                                       : "");
    for (guint i = 0; i < x->parts->len; i++) {
        const TuneTargetPart *at = &g_array_index(x->parts, TuneTargetPart, i);
        if (!part || at == part)
            add_part(lines, x, at);
    }
    for (guint i = 0; i < x->lacks->len; i++) {
        const char *lack = x->lacks->pdata[i];
        if (!part || g_str_has_prefix(lack, collectives[part->collective].name))
            add(lines, "NOTE: %s", lack);
    }
    return lines;
}

// Returns the rules of a part, or all. Free with g_array_unref.
static GArray *rules_of(const TuneTarget *x, const TuneTargetPart *part)
{
    GArray *rules = g_array_new(FALSE, FALSE, sizeof(TargetRule));
    for (guint i = 0; i < x->rules->len; i++)
        if (!part || (i >= part->first && i < part->first + part->n))
            g_array_append_vals(rules, &g_array_index(x->rules, TargetRule, i), 1);
    return rules;
}

char *target_answer_text(const TuneTarget *x, const TuneTargetPart *part, const GPtrArray *from, double within)
{
    g_autoptr(GPtrArray) header = target_answer_header(x, part, from, within);
    g_autoptr(GArray) rules = rules_of(x, part);
    char *text = target_text(x->target, rules, header);
    g_autoptr(TargetFile) read = target_parse(text, strlen(text), "the file", x->target, NULL);
    g_assert(read && target_n_traps(read) == 0);
    for (guint i = 0; i < rules->len; i++) {
        const TargetRule *rule = &g_array_index(rules, TargetRule, i), *found = NULL;
        for (guint k = 0; k < read->rules->len && !found; k++) {
            const TargetRule *at = &g_array_index(read->rules, TargetRule, k);
            if (at->collective == rule->collective && at->bytes.first == rule->bytes.first &&
                at->ranks.first == rule->ranks.first && at->id == rule->id && at->nodes == rule->nodes)
                found = at;
        }
        g_assert(found);
    }
    return text;
}
