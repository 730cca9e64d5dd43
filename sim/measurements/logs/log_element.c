// How long an element is: the one rule for all that reads measurements.
#include "measurements/logs/log_lines.h"
#include <string.h>

// The names of MPI, without MPI_, and of nccl-tests, which are in small letters; blanks are around each.
static const struct {
    size_t size;
    const char *names;
} types[] = {
    {1, " CHAR BYTE SIGNED_CHAR UNSIGNED_CHAR INT8_T UINT8_T C_BOOL int8 uint8 f8e4m3 f8e5m2 "},
    {2, " SHORT UNSIGNED_SHORT INT16_T UINT16_T half bfloat16 "},
    {4, " INT UNSIGNED INT32_T UINT32_T FLOAT int32 uint32 float "},
    {8, " LONG UNSIGNED_LONG LONG_LONG LONG_LONG_INT UNSIGNED_LONG_LONG INT64_T UINT64_T DOUBLE C_COMPLEX "
        "C_FLOAT_COMPLEX 2INT int64 uint64 double "},
    {16, " LONG_DOUBLE C_DOUBLE_COMPLEX "},
};

gboolean log_datatype(const char *name, size_t *size)
{
    static const char prefix[] = "MPI_";
    const gboolean mpi = g_str_has_prefix(name, prefix);
    const char *const bare = mpi ? name + strlen(prefix) : name;
    const size_t dot = g_str_has_suffix(bare, ".") ? 1 : 0; // OSU ends its line like a sentence
    g_autofree char *word = g_strdup_printf(" %.*s ", (int)(strlen(bare) - dot), bare);
    for (guint i = 0; i < G_N_ELEMENTS(types); i++)
        if (mpi != g_ascii_islower(*bare) && !strchr(bare, ' ') && strstr(types[i].names, word)) {
            *size = types[i].size;
            return TRUE;
        }
    return FALSE;
}

size_t log_element_of(gboolean reduces, size_t bytes, size_t option, size_t said, size_t usual)
{
    if (option && reduces)
        return option;
    if (said)
        return said;
    size_t element = reduces && usual ? usual : 1;
    while (bytes % element)
        element /= 2;
    return element;
}

size_t log_whole_element(const LogSample *s)
{
    return s->element > 1 && s->bytes % s->element == 0 ? s->element : 1;
}

void log_decide_element(const LogLines *at, LogSample *s)
{
    const gboolean reduces = s->kind == LOG_COLLECTIVE && collectives[s->collective].reduces;
    const size_t said = s->element;
    s->element = log_element_of(reduces, 0, at->how->element, said, s->usual_element);
    if (said && said != s->element && !at->log->elements)
        at->log->elements = g_strdup_printf("%s:%u has elements of %zu byte%s, and --element makes them %zu",
                                            at->log->name, at->line, said, said == 1 ? "" : "s", s->element);
}
