#include "measurements/logs/log_names.h"
#include "base/error.h"
#include "engine/formula/expression.h"
#include "base/limits.h"
#include "base/text.h"
#include "libraries/decide/names.h"
#include <math.h>
#include <stdint.h>
#include <string.h>

struct LogName {
    char *theirs, *ours, *params;
    gboolean of_kind; // `kind` and `collective` are given
    LogSampleKind kind;
    Collective collective;
    gboolean knows[N_COLLECTIVES]; // .. which have the algorithm
    char *column, *value;          // of `where`; NULL if not given
    Expression *bytes, *factor, *per_node;
    size_t element; // 0 if not given
    const char *map;
    char *line; // "names.csv:4", for errors
};

struct LogNames {
    GPtrArray *lines; // of LogName *
    gboolean own;     // lines are added when a row has a library's own name
    char *library;    // .. of this library; NULL for that of the row
};

static void name_free(gpointer data)
{
    LogName *const name = data;
    g_free(name->theirs);
    g_free(name->ours);
    g_free(name->params);
    g_free(name->column);
    g_free(name->value);
    expression_free(name->bytes);
    expression_free(name->factor);
    expression_free(name->per_node);
    g_free(name->line);
    g_free(name);
}

void log_names_free(LogNames *names)
{
    if (!names)
        return;
    g_ptr_array_unref(names->lines);
    g_free(names->library);
    g_free(names);
}

// ---- Reading --------------------------------------------------------------------------------------------------------

enum { THEIRS, OURS, PARAMS, COLLECTIVE, WHERE, BYTES, FACTOR, ELEMENT, PER_NODE, MAP, N_COLUMNS };
static const char *const columns[N_COLUMNS] = {"theirs", "ours",   "params",  "collective", "where",
                                               "bytes",  "factor", "element", "per_node",   "map"};

static gboolean read_expression(const LogName *name, const char *column, const char *text, Expression **e,
                                GError **error)
{
    static const char *const variables[] = {"p", "bytes", NULL};
    g_autofree char *what = g_strdup_printf("%s: %s", name->line, column);
    return !*text || (*e = expression_new(what, text, variables, error));
}

static gboolean read_where(LogName *name, const char *text, GError **error)
{
    const char *const equals = strchr(text, '=');
    if (!*text)
        return TRUE;
    if (!equals || equals == text)
        return bad_input(error, "%s: where is `%.40s`; allowed: COLUMN=VALUE", name->line, text);
    name->column = g_strndup(text, (gsize)(equals - text));
    name->value = g_strdup(equals + 1);
    return TRUE;
}

// Checks that collsim knows the algorithm. Without a collective, it must be one of any.
static gboolean check_ours(LogName *name, GError **error)
{
    gboolean known = FALSE;
    if (name->of_kind && name->kind != LOG_COLLECTIVE)
        return !*name->ours || bad_input(error, "%s: ours is `%.40s`; allowed: nothing, as %s has no algorithm",
                                         name->line, name->ours, log_kind_name(name->kind, name->collective));
    for (int i = 0; i < N_COLLECTIVES; i++)
        if (!name->of_kind || (int)name->collective == i)
            known |= name->knows[i] = names_entry((Collective)i, name->ours) != NULL;
    return known || bad_input(error,
                              "%s: no algorithm `%.40s`; allowed: a name or an alias of `collsim list%s%s`, or "
                              "LIB:NAME, such as ompi-4.1:3",
                              name->line, name->ours, name->of_kind ? " " : "",
                              name->of_kind ? collectives[name->collective].name : "");
}

static gboolean read_line(const Csv *csv, size_t row, const int *at, LogName *name, GError **error)
{
    const char *field[N_COLUMNS];
    for (int i = 0; i < N_COLUMNS; i++)
        field[i] = csv_field(csv, row, at[i]);
    name->line = g_strdup_printf("%s:%zu", csv_name(csv), csv_line(csv, row));
    name->theirs = g_strdup(field[THEIRS]);
    name->ours = g_strdup(field[OURS]);
    name->params = g_strdup(field[PARAMS]);
    name->of_kind = *field[COLLECTIVE] != '\0';
    if (!*name->theirs)
        return bad_input(error, "%s: theirs is empty; allowed: a name in the log", name->line);
    if (name->of_kind && !log_find_kind(field[COLLECTIVE], &name->kind, &name->collective))
        return bad_input(error,
                         "%s: unknown collective `%.40s`; allowed: pingpong, sendrecv, window, window_both, "
                         "reduce_local, single_copy, or one of `collsim list`",
                         name->line, field[COLLECTIVE]);
    if (*field[MAP] && strcmp(field[MAP], "block") != 0 && strcmp(field[MAP], "cyclic") != 0)
        return bad_input(error, "%s: map is `%.40s`; allowed: block or cyclic", name->line, field[MAP]);
    if (*field[MAP] && !*field[PER_NODE])
        return bad_input(error, "%s: map without per_node; allowed: both", name->line);
    name->map = strcmp(field[MAP], "cyclic") == 0 ? "cyclic" : "block";
    return check_ours(name, error) && read_where(name, field[WHERE], error) &&
           read_expression(name, "bytes", field[BYTES], &name->bytes, error) &&
           read_expression(name, "factor", field[FACTOR], &name->factor, error) &&
           read_expression(name, "per_node", field[PER_NODE], &name->per_node, error) &&
           (!*field[ELEMENT] || csv_size(csv, row, at[ELEMENT], 1, LOG_MAX_ELEMENT, &name->element, error));
}

static gboolean find_columns(const Csv *csv, int *at, GError **error)
{
    for (int i = 0; i < N_COLUMNS; i++)
        at[i] = csv_column(csv, columns[i]);
    for (int i = THEIRS; i <= OURS; i++)
        if (!csv_need(csv, columns[i], &at[i], error))
            return FALSE;
    return TRUE;
}

LogNames *log_names_parse(const char *text, size_t len, const char *file, GError **error)
{
    int at[N_COLUMNS];
    g_autoptr(Csv) csv =
        text_check(text, len, LIMIT_TABLE_BYTES, file, error) ? csv_parse(text, len, file, error) : NULL;
    if (!csv || !find_columns(csv, at, error))
        return NULL;
    LogNames *names = g_new0(LogNames, 1);
    names->lines = g_ptr_array_new_with_free_func(name_free);
    for (size_t row = 0; row < csv_rows(csv); row++) {
        LogName *const name = g_new0(LogName, 1);
        g_ptr_array_add(names->lines, name);
        if (!read_line(csv, row, at, name, error)) {
            log_names_free(names);
            return NULL;
        }
    }
    return names;
}

LogNames *log_names_read(const char *path, GError **error)
{
    size_t len;
    g_autofree char *text = text_read(path, LIMIT_TABLE_BYTES, &len, error);
    return text ? log_names_parse(text, len, text_name(path), error) : NULL;
}

LogNames *log_names_auto(const char *library, GError **error)
{
    if (library && !library_find(library, error))
        return NULL;
    LogNames *names = g_new0(LogNames, 1);
    names->lines = g_ptr_array_new_with_free_func(name_free);
    names->own = TRUE;
    names->library = g_strdup(library);
    return names;
}

// Returns the library of a row as LIB-VERSION, with as much of the version as collsim knows; NULL if the row does not say it.
// Free with g_free.
static char *library_of(const Csv *csv, size_t row)
{
    const int lib = csv_column(csv, "mpi_lib"), version = csv_column(csv, "mpi_version");
    g_autofree char *word = lib < 0 ? NULL : g_ascii_strdown(csv_field(csv, row, lib), -1);
    const char *const name = !word                                                                         ? NULL
                             : strstr(word, "ompi") || strstr(word, "open mpi") || strstr(word, "openmpi") ? "ompi"
                             : strstr(word, "mpich")                                                       ? "mpich"
                                                                                                           : NULL;
    g_autofree char *number = g_strdup(version < 0 ? "" : csv_field(csv, row, version));
    while (name && *number) {
        g_autofree char *full = g_strdup_printf("%s-%s", name, number);
        if (library_find(full, NULL))
            return g_steal_pointer(&full);
        char *const dot = strrchr(number, '.');
        *(dot ? dot : number) = '\0';
    }
    return g_strdup(name);
}

// Returns what a name of a library's is in collsim; NULL if nothing is. Free with g_free.
static char *own_name(const char *library, Collective collective, const char *theirs)
{
    static const char *const ends[] = {"_ompi", "_mpich", ""};
    g_autofree char *word = g_ascii_strdown(theirs, -1);
    g_strdelimit(word, "- ", '_');
    for (guint i = 0; i < G_N_ELEMENTS(ends); i++)
        if (*ends[i] && g_str_has_suffix(word, ends[i]))
            word[strlen(word) - strlen(ends[i])] = '\0';
    if (library && (strcmp(word, "0") == 0 || strcmp(word, "default") == 0))
        return g_strconcat(library, ":auto", NULL);
    g_autofree char *full = library ? g_strdup_printf("%s:%s", library, word) : NULL;
    if (full && names_entry(collective, full))
        return g_steal_pointer(&full);
    return names_entry(collective, word) ? g_steal_pointer(&word) : NULL;
}

// Adds the line for a name of a library's own; returns NULL if there is no such name.
static const LogName *add_own(LogNames *names, const Csv *csv, size_t row, const char *theirs, Collective collective)
{
    g_autofree char *of_row = names->library ? NULL : library_of(csv, row);
    const char *const library = names->library ? names->library : of_row;
    g_autofree char *ours = own_name(library, collective, theirs);
    if (!ours)
        return NULL;
    LogName *const name = g_new0(LogName, 1);
    *name = (LogName){.theirs = g_strdup(theirs),
                      .ours = g_steal_pointer(&ours),
                      .params = g_strdup(""),
                      .of_kind = TRUE,
                      .kind = LOG_COLLECTIVE,
                      .collective = collective,
                      .map = "block",
                      .line = g_strdup("--names auto")};
    name->knows[collective] = TRUE;
    if (of_row && csv_column(csv, "mpi_version") >= 0) { // rows of other versions have other lines
        name->column = g_strdup("mpi_version");
        name->value = g_strdup(csv_field(csv, row, csv_column(csv, "mpi_version")));
    }
    g_ptr_array_add(names->lines, name);
    return name;
}

// ---- Use ------------------------------------------------------------------------------------------------------------

const LogName *log_names_find(const LogNames *names, const Csv *csv, size_t row, const char *theirs, gboolean known,
                              const LogSample *sample)
{
    for (guint i = 0; i < names->lines->len; i++) {
        const LogName *const name = g_ptr_array_index(names->lines, i);
        if (strcmp(name->theirs, theirs) != 0)
            continue;
        const gboolean same_kind =
            !name->of_kind ||
            (name->kind == sample->kind && (name->kind != LOG_COLLECTIVE || name->collective == sample->collective));
        if (known ? !same_kind : !name->of_kind)
            continue;
        const int column = name->column ? csv_column(csv, name->column) : -1;
        if (!name->column || (column >= 0 && strcmp(csv_field(csv, row, column), name->value) == 0))
            return name;
    }
    return names->own && known ? add_own((LogNames *)(uintptr_t)names, csv, row, theirs, sample->collective) : NULL;
}

// Sets *result to the value of an expression, which `least` and `most` bound.
static gboolean evaluate(const LogName *name, const Expression *e, const char *column, const LogLines *at,
                         const LogSample *s, double least, double most, double *result, GError **error)
{
    if (expression_uses(e, "p") && s->p == 0)
        return log_bad(at, error, "the log does not say on how many ranks, which %s of %s needs; allowed: a column p",
                       column, name->line);
    *result = expression_value(e, (const double[]){s->p, (double)s->bytes});
    return (*result >= least && *result <= most) ||
           log_bad(at, error, "%s is %g by %s; allowed: %g to %g", column, *result, name->line, least, most);
}

// Converts bytes that are those of all blocks together, or of one block where -m is the whole vector.
static gboolean convert_bytes(const LogLines *at, LogSample *s, GError **error)
{
    const LogBytes bytes = at->how->bytes;
    const gboolean vector = collectives[s->collective].vector;
    if (s->kind != LOG_COLLECTIVE || bytes == LOG_BYTES_OSU ||
        (bytes == LOG_BYTES_TOTAL ? vector : s->collective != COLL_REDUCE_SCATTER))
        return TRUE;
    if (s->p == 0)
        return log_bad(at, error, "the log does not say on how many ranks, which --bytes needs; allowed: a column p");
    const size_t p = (size_t)s->p;
    if (bytes == LOG_BYTES_TOTAL)
        s->bytes = s->bytes / p + (s->bytes % p >= p - p / 2);
    else if (s->bytes > LIMIT_BYTES / p)
        return log_bad(at, error, "a vector of %zu blocks of %zu bytes; allowed: at most 2^50 bytes", p, s->bytes);
    else
        s->bytes *= p;
    return TRUE;
}

gboolean log_names_apply(const LogName *name, const LogLines *at, LogSample *s, GError **error)
{
    double bytes = 0, factor = 1, per_node = s->per_node;
    if (!name)
        return convert_bytes(at, s, error);
    if (name->of_kind) {
        s->kind = name->kind;
        s->collective = name->collective;
    }
    if ((name->bytes && !evaluate(name, name->bytes, "bytes", at, s, 0, (double)LIMIT_BYTES, &bytes, error)) ||
        (name->factor && !evaluate(name, name->factor, "factor", at, s, 1e-9, 1e9, &factor, error)) ||
        (name->per_node && !evaluate(name, name->per_node, "per_node", at, s, 1, LIMIT_RANKS, &per_node, error)))
        return FALSE;
    if (name->bytes)
        s->bytes = (size_t)floor(bytes + 0.5);
    else if (!convert_bytes(at, s, error))
        return FALSE;
    s->factor = factor;
    s->time_s /= factor;
    s->per_node = (int)per_node;
    s->element = name->element ? name->element : s->element;
    if (s->kind != LOG_COLLECTIVE)
        return TRUE;
    if (!name->knows[s->collective])
        return log_bad(at, error, "%s has no algorithm `%.40s`, which %s says; allowed: a collective in %s",
                       collectives[s->collective].name, name->ours, name->line, name->line);
    s->algorithm = g_string_chunk_insert_const(at->log->texts, name->ours);
    s->params = g_string_chunk_insert_const(at->log->texts, name->params);
    if (name->per_node) {
        g_autofree char *map = g_strdup_printf("%s:%d", name->map, s->per_node);
        s->map = g_string_chunk_insert_const(at->log->texts, map);
    }
    return TRUE;
}
