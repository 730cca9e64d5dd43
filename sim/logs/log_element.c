// How long an element is: the one rule for all that reads measurements.
#include "logs/logs.h"
#include <string.h>

static const struct {
    const char *name; // of MPI's, without "MPI_", or of NCCL's
    size_t size;
} types[] = {
    {"CHAR", 1},
    {"BYTE", 1},
    {"SIGNED_CHAR", 1},
    {"UNSIGNED_CHAR", 1},
    {"INT8_T", 1},
    {"UINT8_T", 1},
    {"C_BOOL", 1},
    {"SHORT", 2},
    {"UNSIGNED_SHORT", 2},
    {"INT16_T", 2},
    {"UINT16_T", 2},
    {"INT", 4},
    {"UNSIGNED", 4},
    {"INT32_T", 4},
    {"UINT32_T", 4},
    {"FLOAT", 4},
    {"LONG", 8},
    {"UNSIGNED_LONG", 8},
    {"LONG_LONG", 8},
    {"LONG_LONG_INT", 8},
    {"UNSIGNED_LONG_LONG", 8},
    {"INT64_T", 8},
    {"UINT64_T", 8},
    {"DOUBLE", 8},
    {"C_COMPLEX", 8},
    {"C_FLOAT_COMPLEX", 8},
    {"2INT", 8},
    {"LONG_DOUBLE", 16},
    {"C_DOUBLE_COMPLEX", 16},
};

gboolean log_datatype(const char *name, size_t *size)
{
    static const char mpi[] = "MPI_";
    g_autofree char *bare = g_strdup(name);
    if (g_str_has_suffix(bare, ".")) // OSU ends its line like a sentence
        bare[strlen(bare) - 1] = '\0';
    for (guint i = 0; g_str_has_prefix(bare, mpi) && i < G_N_ELEMENTS(types); i++)
        if (strcmp(bare + strlen(mpi), types[i].name) == 0) {
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
