// The file of NCCL's example of a tuner plug-in. A line that does not begin with # and is not empty is
//     collective,min_bytes,max_bytes,algorithm,protocol,channels,nNodes,nRanks[,numPipeOps[,regBuff]]
// and -1 means any. Lines have at most 255 bytes; words that are not known are taken for allreduce, ring and simple.
#include "libraries/nccl/nccl.h"
#include "libraries/targets/target.h"
#include "base/limits.h"
#include "base/number.h"
#include <string.h>

enum { COLLECTIVE, LEAST, MOST, ALGORITHM, PROTOCOL, CHANNELS, NODES, RANKS, PIPE, BUFFER, N_FIELDS };
enum { LEAST_FIELDS = PIPE, LINE_BYTES = 255, MOST_CHANNELS = 64 };

// Finds a name of the plug-in, which knows small letters only.
static int find(TargetLines *at, const char *what, const char *word, int find_name(const char *),
                const char *name_of(int), int otherwise)
{
    const int found = find_name(word);
    if (found >= 0 && strcmp(name_of(found), word) == 0)
        return found;
    g_autofree char *shown = g_strndup(word, 40);
    target_trap(at->file, TRAP_MISREAD, at->line, "the %s '%s' is not known, and taken for %s", what, shown,
                name_of(otherwise));
    return otherwise;
}

// Reads a number; -1 means any. Returns -1 for that.
static gint64 number_or_any(TargetLines *at, const char *what, const char *word, size_t most)
{
    gint64 value;
    if (strcmp(word, "-1") == 0)
        return -1;
    target_number(at, what, word, most, &value);
    return value;
}

// Returns TRUE if NCCL has the pair for a collective at all.
static gboolean exists(int function, int algorithm, int protocol)
{
    const gboolean simple_only = algorithm != NCCL_TREE && algorithm != NCCL_RING;
    const gboolean half = function == NCCL_ALLGATHER || function == NCCL_REDUCESCATTER;
    if (simple_only && protocol != NCCL_SIMPLE)
        return FALSE;
    return algorithm == NCCL_RING || (function == NCCL_ALLREDUCE && algorithm != NCCL_PAT) ||
           (half && (algorithm == NCCL_NVLS || algorithm == NCCL_COLLNET_DIRECT || algorithm == NCCL_PAT));
}

static void read_rule(TargetLines *at, char **field, guint n)
{
    const int function = find(at, "collective", field[COLLECTIVE], nccl_function, nccl_function_name, NCCL_ALLREDUCE),
              algorithm = find(at, "algorithm", field[ALGORITHM], nccl_algorithm, nccl_algorithm_name, NCCL_RING),
              protocol = find(at, "protocol", field[PROTOCOL], nccl_protocol, nccl_protocol_name, NCCL_SIMPLE);
    gint64 least, most;
    target_number(at, "least size", field[LEAST], LIMIT_BYTES, &least);
    if (!number_size(field[MOST], LIMIT_BYTES, G_MAXSIZE, &(size_t){0}))
        target_number(at, "largest size", field[MOST], LIMIT_BYTES, &most);
    else
        most = RULES_NO_LIMIT;
    const gint64 channels = number_or_any(at, "number of channels", field[CHANNELS], MOST_CHANNELS),
                 nodes = number_or_any(at, "number of nodes", field[NODES], LIMIT_RANKS),
                 ranks = number_or_any(at, "number of ranks", field[RANKS], LIMIT_RANKS),
                 pipe = n > PIPE ? number_or_any(at, "number of operations", field[PIPE], LIMIT_RANKS) : -1,
                 buffer = n > BUFFER ? number_or_any(at, "registration of buffers", field[BUFFER], 1) : -1;
    g_autoptr(GString) condition = g_string_new(NULL);
    if (pipe >= 0)
        g_string_append_printf(condition, "%d operations at once", (int)pipe);
    if (buffer >= 0)
        g_string_append_printf(condition, "%s%s buffers", condition->len ? ", " : "", buffer ? "registered" : "other");
    g_autofree char *runs =
        channels < 0
            ? g_strdup(nccl_pair_name(NCCL_PAIR(algorithm, protocol)))
            : g_strdup_printf("%s, %d channels", nccl_pair_name(NCCL_PAIR(algorithm, protocol)), (int)channels);
    const TargetRule rule = {.collective = nccl_collective(function),
                             .ranks = {ranks < 0 ? 2 : ranks, ranks < 0 ? RULES_NO_LIMIT : ranks},
                             .bytes = {least, most},
                             .nodes = MAX((int)nodes, 0),
                             .id = NCCL_PAIR(algorithm, protocol),
                             .runs = runs,
                             .condition = condition->len ? condition->str : NULL,
                             .line = at->line};
    if (least > most || nodes == 0 || ranks == 0)
        target_trap(at->file, TRAP_DEAD, at->line, "no call reaches this: %s",
                    least > most ? "its sizes end before they begin" : "no communicator has 0 ranks or nodes");
    else if (!exists(function, algorithm, protocol))
        target_trap(at->file, TRAP_ELSE, at->line, "NCCL has no %s for %s, and goes on to the next line that fits",
                    nccl_pair_name(NCCL_PAIR(algorithm, protocol)), nccl_function_name(function));
    else
        target_add(at->file, &rule);
}

void target_nccl_read(TargetLines *at)
{
    for (char **line = at->lines; *line; line++) {
        at->line++;
        if (**line == '#' || !**line)
            continue;
        if (strlen(*line) > LINE_BYTES)
            target_trap(at->file, TRAP_SHIFTED, at->line,
                        "the line has more than %d bytes, so that its end is read as another line", LINE_BYTES);
        g_auto(GStrv) words = g_strsplit(*line, ",", -1);
        GPtrArray *fields = g_ptr_array_new(); // strtok passes over empty ones
        for (char **word = words; *word; word++)
            if (**word)
                g_ptr_array_add(fields, g_strstrip(*word));
        const guint n = fields->len;
        if (n < g_strv_length(words))
            target_trap(at->file, TRAP_SHIFTED, at->line,
                        "an empty field does not count, so that those behind it move up");
        if (n < LEAST_FIELDS)
            target_trap(at->file, TRAP_UNREAD, at->line, "the line is passed over: it has %u fields; allowed: %d to %d",
                        n, LEAST_FIELDS, N_FIELDS);
        else
            read_rule(at, (char **)fields->pdata, MIN(n, N_FIELDS));
        if (n > N_FIELDS)
            target_trap(at->file, TRAP_UNREAD, at->line, "what follows field %d is not read", N_FIELDS);
        g_ptr_array_unref(fields);
    }
}

void target_nccl_write(GString *text, const GArray *rules)
{
    for (guint i = 0; i < rules->len; i++) {
        const TargetRule *rule = &g_array_index(rules, TargetRule, i);
        g_autofree char *ranks =
            rule->ranks.last == RULES_NO_LIMIT ? g_strdup("-1") : g_strdup_printf("%d", (int)rule->ranks.first);
        g_string_append_printf(text, "%s,%zu,%zu,%s,%s,-1,%d,%s,-1,-1\n",
                               nccl_function_name(nccl_function_of(rule->collective)), (size_t)rule->bytes.first,
                               rule->bytes.last == RULES_NO_LIMIT ? G_MAXSIZE : (size_t)rule->bytes.last,
                               nccl_algorithm_name(rule->id / NCCL_N_PROTOCOLS),
                               nccl_protocol_name(rule->id % NCCL_N_PROTOCOLS), rule->nodes ? rule->nodes : -1, ranks);
    }
}
