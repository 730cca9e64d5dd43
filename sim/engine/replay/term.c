#include "engine/replay/term.h"
#include "base/units.h"
#include <string.h>

const char *const resource_names[N_RESOURCES] = {
    [RESOURCE_LATENCY] = "latency", [RESOURCE_BANDWIDTH] = "bandwidth", [RESOURCE_REDUCTION] = "reduction",
    [RESOURCE_NIC] = "NIC",         [RESOURCE_MEMORY] = "memory",       [RESOURCE_CPU] = "CPU",
    [RESOURCE_NETWORK] = "network", [RESOURCE_WAITING] = "waiting",     [RESOURCE_LATE] = "arrival",
    [RESOURCE_NOISE] = "noise",
};

const TermInfo term_kinds[N_TERM_KINDS] = {
    [TERM_ALPHA] = {"alpha", KEY_ALPHA, RESOURCE_LATENCY, PAID_BY_MESSAGES},
    [TERM_BETA] = {"beta", KEY_BETA, RESOURCE_BANDWIDTH, PAID_BY_MESSAGES, .per_byte = true},
    [TERM_L] = {"L", KEY_L, RESOURCE_LATENCY},
    [TERM_O_CPU] = {"o", KEY_O_CPU, RESOURCE_CPU},
    [TERM_G_GAP] = {"g", KEY_G_GAP, RESOURCE_NIC},
    [TERM_G_BYTE] = {"G", KEY_G_BYTE, RESOURCE_BANDWIDTH},
    [TERM_O_BYTE] = {"O", KEY_O_BYTE, RESOURCE_CPU},
    [TERM_WRITE] = {"write", KEY_WRITE, RESOURCE_MEMORY},
    [TERM_READ] = {"read", KEY_READ, RESOURCE_MEMORY},
    [TERM_CROWD] = {"read/lanes", KEY_READ, RESOURCE_MEMORY},
    [TERM_FLAG] = {"flag", KEY_FLAG, RESOURCE_WAITING},
    [TERM_LINE] = {"line", KEY_LINE, RESOURCE_MEMORY},
    [TERM_QUEUE] = {"queue", KEY_QUEUE, RESOURCE_MEMORY},
    [TERM_RAISE] = {"raise", KEY_RAISE, RESOURCE_MEMORY},
    [TERM_REUSE] = {"reuse", KEY_REUSE, RESOURCE_MEMORY},
    [TERM_LOCAL] = {"local", KEY_LOCAL, RESOURCE_MEMORY},
    [TERM_REMOTE] = {"remote", KEY_REMOTE, RESOURCE_MEMORY},
    [TERM_STREAMS] = {"read/streams", KEY_STREAMS, RESOURCE_MEMORY},
    [TERM_SINGLE] = {"single", KEY_SINGLE, RESOURCE_MEMORY},
    [TERM_TOUCH] = {"touch", KEY_TOUCH, RESOURCE_MEMORY},
    [TERM_CALL] = {"call", KEY_CALL, RESOURCE_REDUCTION},
    [TERM_GAMMA] = {"gamma", KEY_GAMMA, RESOURCE_REDUCTION, PAID_BY_REDUCTIONS, .per_byte = true},
    [TERM_REDUCE] = {"gamma", KEY_REDUCE, RESOURCE_REDUCTION},
    [TERM_COPY] = {"copy", KEY_COPY, RESOURCE_MEMORY},
    [TERM_FRESH] = {"fresh", KEY_FRESH, RESOURCE_MEMORY},
    [TERM_CONNECT] = {"connect", KEY_CONNECT, RESOURCE_CPU},
    [TERM_MATCH] = {"match", KEY_MATCH, RESOURCE_CPU},
    [TERM_BOUNCE] = {"bounce", KEY_BOUNCE, RESOURCE_MEMORY},
    [TERM_ONE] = {"one", KEY_ONE, RESOURCE_BANDWIDTH},
    [TERM_STEP] = {"step", KEY_STEP, RESOURCE_BANDWIDTH},
    [TERM_SWAP] = {"swap", KEY_SWAP, RESOURCE_BANDWIDTH},
    [TERM_FAR] = {"far", KEY_FAR, RESOURCE_LATENCY},
    [TERM_GAP] = {"gap", KEY_GAP, RESOURCE_BANDWIDTH},
    [TERM_TAKE] = {"take", KEY_TAKE, RESOURCE_BANDWIDTH},
    [TERM_SHARE] = {"share", KEY_GAP, RESOURCE_BANDWIDTH},
    [TERM_NIC_RATE] = {"nic.rate", KEY_NIC_RATE, RESOURCE_NIC},
    [TERM_NIC_MESSAGES] = {"nic.messages", KEY_NIC_MESSAGES, RESOURCE_NIC},
    [TERM_MEMORY] = {"memory", KEY_MEMORY, RESOURCE_MEMORY},
    [TERM_MEMORY_STEP] = {"memory_step", KEY_MEMORY, RESOURCE_MEMORY},
    [TERM_MEMORY_SWAP] = {"memory_swap", KEY_MEMORY, RESOURCE_MEMORY},
    [TERM_HOP] = {"hop", N_PLATFORM_KEYS, RESOURCE_LATENCY},
    [TERM_LINK] = {"link", N_PLATFORM_KEYS, RESOURCE_NETWORK},
    [TERM_CALC] = {"calc", KEY_GAMMA, RESOURCE_CPU},
    [TERM_ARRIVAL] = {"arrival", N_PLATFORM_KEYS, RESOURCE_LATE},
    [TERM_NOISE] = {"noise", N_PLATFORM_KEYS, RESOURCE_NOISE},
};

char *term_text(const CostTerm *x)
{
    const char *name = term_kinds[x->kind].name;
    if (x->bytes < 0)
        return x->level ? g_strdup_printf("%s.%s", name, x->level) : g_strdup(name);
    g_autofree char *size = units_format_size((size_t)x->bytes);
    return x->level ? g_strdup_printf("%s(%s, %s)", name, x->level, size) : g_strdup_printf("%s(%s)", name, size);
}

gboolean term_read(const char *text, CostTerm *x, char **level)
{
    *level = NULL;
    for (TermKind kind = 0; kind < N_TERM_KINDS; kind++) {
        const size_t length = strlen(term_kinds[kind].name);
        const char *rest = text + length;
        if (strncmp(text, term_kinds[kind].name, length) != 0 || (*rest != '\0' && *rest != '.' && *rest != '('))
            continue;
        *x = term_of(kind, NULL, 0);
        if (*rest == '(') {
            const char *comma = strchr(++rest, ','), *from = comma ? comma + 1 + strspn(comma + 1, " ") : rest,
                       *end = strchr(from, ')');
            g_autofree char *size = end ? g_strndup(from, (gsize)(end - from)) : NULL;
            size_t bytes = 0;
            if (!size || end[1] != '\0' || !units_parse_size(size, &bytes, NULL) || bytes > INT64_MAX)
                return FALSE;
            x->bytes = (int64_t)bytes;
            *level = comma ? g_strndup(rest, (gsize)(comma - rest)) : NULL;
        } else if (*rest == '.') {
            *level = g_strdup(rest + 1);
        }
        x->level = *level;
        return TRUE;
    }
    return FALSE;
}

guint term_hash(gconstpointer term)
{
    const CostTerm *x = term;
    return g_int64_hash(&x->bytes) * 31 + (guint)x->kind * 7 + (x->level ? g_str_hash(x->level) : 0);
}

gboolean term_equal(gconstpointer a, gconstpointer b)
{
    const CostTerm *x = a, *y = b;
    return x->kind == y->kind && x->bytes == y->bytes && g_strcmp0(x->level, y->level) == 0;
}

char *term_column(TermKind kind)
{
    g_auto(GStrv) parts = g_strsplit(term_kinds[kind].name, "/", -1);
    g_autofree char *name = g_strjoinv("_per_", parts);
    return g_strconcat(name, "_count", NULL);
}

gint term_compare(gconstpointer a, gconstpointer b)
{
    const CostTerm *x = a, *y = b;
    const int by_level = x->kind == y->kind ? g_strcmp0(x->level, y->level) : 0;
    return x->kind != y->kind ? (x->kind > y->kind) - (x->kind < y->kind)
           : by_level         ? by_level
                              : (x->bytes > y->bytes) - (x->bytes < y->bytes);
}
