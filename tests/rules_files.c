#include "rules_files.h"
#include <string.h>

// ---- Random files --------------------------------------------------------------------------------------------------

static const int asked[] = {0, 1, 2, 3, 4, 6, 7, 8, 9, 11, 12, 13, 14, 15}; // the collectives that tuned has

static int pick(GRand *rand, int n)
{
    return g_rand_int_range(rand, 0, n);
}

static gboolean chance(GRand *rand, int of)
{
    return pick(rand, of) == 0;
}

// Appends a number, now and then in a form that fscanf reads otherwise than people do.
static void put(GString *s, GRand *rand, gint64 value, gboolean wild)
{
    static const char *const odd[] = {
        "010", "0x10", "1e3", "64K", "-1",  "+3",         "08", "4294967298", "99999999999999999999", "two", "-", "1.5",
        "0x",  "3-",   "--2", "1,",  "0b1", "2147483648", "7#", "0xg4"};
    if (wild && chance(rand, 3))
        g_string_append(s, odd[pick(rand, G_N_ELEMENTS(odd))]);
    else if (wild && chance(rand, 4))
        g_string_append_printf(s, value > 7 && chance(rand, 2) ? "0%" G_GINT64_FORMAT : "%" G_GINT64_FORMAT "K", value);
    else
        g_string_append_printf(s, "%" G_GINT64_FORMAT, value);
}

static void separate(GString *s, GRand *rand, const char *usual)
{
    static const char *const other[] = {" ", "\n", "\t", "  ", "\r\n", " # 5 6 7\n", "\n# comment\n", "\n\n", "#\n"};
    g_string_append(s, chance(rand, 40) ? other[pick(rand, G_N_ELEMENTS(other))] : usual);
}

// Appends one rule. `n_ids` is the number of ids that the collective has; now and then an id has none.
static void put_rule(GString *s, GRand *rand, gint64 size, int n_ids, gboolean wild, gboolean fifth)
{
    static const int segments[] = {0, 0, 0, 1024, 8192, 100};
    put(s, rand, size, wild && chance(rand, 6));
    separate(s, rand, " ");
    put(s, rand, chance(rand, 12) ? n_ids + 1 + pick(rand, 3) : pick(rand, n_ids + 1), wild && chance(rand, 6));
    separate(s, rand, " ");
    put(s, rand, chance(rand, 3) ? pick(rand, 6) : 0, wild && chance(rand, 6));
    separate(s, rand, " ");
    put(s, rand, segments[pick(rand, G_N_ELEMENTS(segments))], wild && chance(rand, 6));
    if (fifth)
        g_string_append_printf(s, " %d", pick(rand, 4));
    separate(s, rand, "\n");
}

static int n_ids(int collective)
{
    g_autoptr(Tables) tables = tables_names(&libraries[LIBRARY_OMPI_41], NULL);
    int n = 0;
    while (tables_tuned(tables, collective, n + 1))
        n++;
    return n;
}

static void put_set(GString *s, GRand *rand, int collective, gint64 key, gboolean wild, gboolean fifth)
{
    const int n = chance(rand, 12) ? 0 : 1 + pick(rand, 4);
    gint64 size = wild && chance(rand, 10) ? 1 : 0;
    put(s, rand, key, wild && chance(rand, 6));
    separate(s, rand, " ");
    put(s, rand, wild && chance(rand, 8) ? pick(rand, 5) : n, wild && chance(rand, 12));
    separate(s, rand, "\n");
    for (int i = 0; i < n; i++) {
        put_rule(s, rand, size, n_ids(collective), wild, fifth && !chance(rand, 4));
        size = chance(rand, 6) ? pick(rand, 3000) : size + 1 + (chance(rand, 2) ? pick(rand, 64) : pick(rand, 4000));
    }
}

char *files_random(guint32 seed)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(seed);
    const gboolean wild = chance(rand, 2), fifth = wild && chance(rand, 5);
    GString *s = g_string_new("");
    if (wild && chance(rand, 10))
        g_string_append(s, "rule-file-version-2\n");
    if (chance(rand, 4))
        g_string_append(s, "# rules\n");
    const int n = 1 + pick(rand, 4);
    put(s, rand, wild && chance(rand, 8) ? pick(rand, 25) : n, wild && chance(rand, 12));
    separate(s, rand, "\n");
    for (int i = 0; i < n; i++) {
        const int collective = chance(rand, 10) ? pick(rand, 24) : asked[pick(rand, G_N_ELEMENTS(asked))];
        const int sets = chance(rand, 15) ? 0 : 1 + pick(rand, 3);
        gint64 key = 1 + pick(rand, 5);
        put(s, rand, collective, wild && chance(rand, 20));
        separate(s, rand, "\n");
        put(s, rand, wild && chance(rand, 12) ? pick(rand, 4) : sets, wild && chance(rand, 20));
        separate(s, rand, "\n");
        for (int k = 0; k < sets; k++) {
            put_set(s, rand, collective, key, wild, fifth);
            key = chance(rand, 6) ? pick(rand, 10) : key + 1 + pick(rand, 4);
        }
    }
    if (chance(rand, 10))
        g_string_append(s, "# end");
    if (wild && chance(rand, 8))
        g_string_append(s, "5 6 7\n");
    if (wild && chance(rand, 8))
        g_string_truncate(s, (gsize)pick(rand, (int)s->len + 1));
    return g_string_free(s, FALSE);
}

// ---- Calls ---------------------------------------------------------------------------------------------------------

static const int type_sizes[] = {1, 4, 8};

gint64 files_bytes(const FilesPoint *point)
{
    const gint64 type = type_sizes[point->type];
    return tuned_size(point->collective, point->ranks, point->count * type, type);
}

// Returns the numbers of the text that can be sizes: an array of gint64. Free with g_array_unref.
static GArray *numbers_of(const char *text)
{
    GArray *numbers = g_array_new(FALSE, FALSE, sizeof(gint64));
    for (const char *at = text; *at;) {
        if (g_ascii_isdigit(*at)) {
            char *end;
            const gint64 value = g_ascii_strtoll(at, &end, 0);
            if (value > 1 && value < 20000)
                g_array_append_val(numbers, value);
            at = end;
        } else {
            at++;
        }
    }
    return numbers;
}

// Returns a number of elements with which the call has this size, or a little more.
static int count_for(int collective, int ranks, gint64 bytes, int type)
{
    const TunedSize size = tuned_collectives[collective].size;
    const gint64 block = size == TUNED_SIZE_ALL ? (bytes + ranks - 1) / ranks : bytes;
    return (int)MAX((block + type_sizes[type] - 1) / type_sizes[type], 1);
}

GArray *files_points(const char *text, guint32 seed, int most)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(seed ^ 0x5eed);
    g_autoptr(GArray) numbers = numbers_of(text);
    g_autoptr(GError) error = NULL;
    g_autoptr(RulesFile) file = rules_parse(text, strlen(text), "file", &libraries[LIBRARY_OMPI_41], &error);
    GArray *points = g_array_new(FALSE, FALSE, sizeof(FilesPoint));
    for (size_t i = 0; i < G_N_ELEMENTS(asked); i++) {
        gboolean ruled = FALSE;
        for (guint k = 0; k < file->rules->len; k++)
            ruled |= g_array_index(file->rules, LibraryRule, k).collective == asked[i];
        if (!ruled && !chance(rand, 7))
            continue;
        for (int p = 2; p <= most; p++)
            for (int k = 0; k < (ruled ? 4 : 1); k++) {
                const gint64 near =
                    numbers->len > 0 ? g_array_index(numbers, gint64, pick(rand, (int)numbers->len)) : 0;
                const gint64 bytes = near > 0 && !chance(rand, 4) ? near - 1 + pick(rand, 3) : 1 + pick(rand, 6000);
                FilesPoint point = {asked[i], p, 0, pick(rand, G_N_ELEMENTS(type_sizes))};
                point.count = count_for(asked[i], p, bytes, point.type);
                g_array_append_val(points, point);
            }
    }
    return points;
}

// Returns TRUE if the algorithm returns an error because a part of it does. allgatherv 1 (default) does not look at what
// its broadcast returns.
static gboolean part_fails(const RulesFile *file, const LibraryAlgorithm *a, int collective, int ranks, gint64 bytes)
{
    for (size_t i = 0; i < G_N_ELEMENTS(a->calls) && a->calls[i] && !a->deaf; i++)
        if (files_predict(file, tuned_collective(a->calls[i]), ranks, tuned_part_size(collective, ranks, bytes), 0)
                .error)
            return TRUE;
    return FALSE;
}

FilesRun files_predict(const RulesFile *file, int collective, int ranks, gint64 bytes, int fixed)
{
    const LibraryRule *rule = rules_find(file, collective, ranks, bytes);
    const int id = rule && rule->id != 0 ? rule->id : fixed;
    const LibraryAlgorithm *a = tables_tuned(file->names, collective, id);
    const gboolean two = a && a->needs & LIBRARY_NEEDS_TWO && ranks != 2;
    return (FilesRun){id, id != 0 && (!a || two || part_fails(file, a, collective, ranks, bytes)),
                      id != fixed || (rule && rule->id)};
}

void files_print(FILE *to, const char *text, guint32 seed)
{
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    fprintf(to, "file %u\n", seed);
    for (char **line = lines; *line; line++) {
        g_autofree char *shown = g_strescape(*line, "\"'");
        fprintf(to, "| %s\n", shown);
    }
}

// ---- Random files for HAN ------------------------------------------------------------------------------------------

// Appends a component, and what can stand behind it.
static void put_component(GString *s, GRand *rand, gboolean wild)
{
    static const char *const known[] = {"self", "basic", "libnbc", "tuned", "sm", "adapt", "han"},
                             *const odd[] = {"xhc",        "3",
                                             "Han",        "han#",
                                             "tuned# 5",   "han,",
                                             "hans",       "0",
                                             "han@simple", "averyveryveryverylongnamethathas40letters"},
                             *const behind[] = {" @simple",   " @ 2", " @intra # 7",  " [64]",
                                                " [ 64 8K ]", " []",  "\n# 1\n[ 8 ]", " [ 3 # ]\n ]",
                                                " [ 64",      " ]",   " @\n"};
    g_string_append(s, wild && chance(rand, 12) ? odd[pick(rand, G_N_ELEMENTS(odd))]
                                                : known[pick(rand, G_N_ELEMENTS(known))]);
    if (chance(rand, wild ? 8 : 30))
        g_string_append(s, behind[pick(rand, wild ? G_N_ELEMENTS(behind) : 6)]);
    separate(s, rand, "\n");
}

// Appends a number and, behind it, a count, which can be wrong.
static void put_counted(GString *s, GRand *rand, gint64 number, int count, gboolean wild)
{
    put(s, rand, number, wild && chance(rand, 8));
    separate(s, rand, " ");
    put(s, rand, wild && chance(rand, 20) ? pick(rand, 5) : count, wild && chance(rand, 14));
    separate(s, rand, "\n");
}

static void put_han_level(GString *s, GRand *rand, gboolean wild)
{
    static const char *const names[] = {"intra_node", "inter_node", "global_communicator"};
    const int sets = chance(rand, 15) ? 0 : 1 + pick(rand, 4), level = pick(rand, wild && chance(rand, 12) ? 5 : 3);
    if (wild && level < 3 && chance(rand, 10))
        g_string_append_printf(s, "%s ", names[level]);
    put_counted(s, rand, level, sets, wild);
    gint64 ranks = wild && chance(rand, 12) ? pick(rand, 4) : 1;
    for (int i = 0; i < sets; i++) {
        const int rules = chance(rand, 15) ? 0 : 1 + pick(rand, 4);
        gint64 size = wild && chance(rand, 12) ? pick(rand, 9) : 0;
        put_counted(s, rand, ranks, rules, wild);
        for (int k = 0; k < rules; k++) {
            put(s, rand, size, wild && chance(rand, 8));
            separate(s, rand, " ");
            put_component(s, rand, wild);
            size = chance(rand, 6) ? pick(rand, 3000) : size + 1 + pick(rand, chance(rand, 2) ? 64 : 4000);
        }
        ranks = chance(rand, 5) ? 1 + pick(rand, 20) : ranks + 1 + pick(rand, 8);
    }
}

char *files_random_han(guint32 seed)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(seed);
    const gboolean wild = chance(rand, 2);
    const int n = 1 + pick(rand, 3);
    GString *s = g_string_new(chance(rand, 4) ? "# rules\n" : "");
    put(s, rand, wild && chance(rand, 12) ? pick(rand, 5) : n, wild && chance(rand, 14));
    separate(s, rand, "\n");
    for (int i = 0; i < n; i++) {
        const int collective = pick(rand, chance(rand, 10) ? TUNED_COLLECTIVES + 2 * wild : 16),
                  levels = chance(rand, 20) ? 0 : 1 + pick(rand, 3);
        if (chance(rand, 3) && collective < TUNED_COLLECTIVES)
            g_string_append(s, tuned_collectives[collective].name);
        else
            put(s, rand, collective, wild && chance(rand, 8));
        separate(s, rand, " ");
        put(s, rand, wild && chance(rand, 20) ? pick(rand, 5) : levels, wild && chance(rand, 14));
        separate(s, rand, "\n");
        for (int k = 0; k < levels; k++)
            put_han_level(s, rand, wild);
    }
    if (wild && chance(rand, 6))
        g_string_append(s, chance(rand, 2) ? "5 6 7\n" : "more 3");
    if (wild && chance(rand, 6))
        g_string_truncate(s, (gsize)pick(rand, (int)s->len + 1));
    return g_string_free(s, FALSE);
}
