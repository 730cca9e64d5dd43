// Source: coll_han_dynamic_file.c (the reader), coll_han_dynamic.c (the search), coll_han_algorithms.c; run with 4.1.4.
#include "libraries/decide/rules_han.h"
#include "base/error.h"
#include "libraries/decide/rules_keys.h"
#include "libraries/decide/text_reader.h"
#include <limits.h>
#include <string.h>

// ---- Reading --------------------------------------------------------------------------------------------------------

typedef struct HanReader {
    TextReader in;
    GArray *all;                     // of LibraryRule, in the order of the file
    size_t lines[TUNED_COLLECTIVES]; // where a collective's rules begin; 0 for none
    size_t level_lines[TUNED_COLLECTIVES][HAN_LEVELS];
} HanReader;

static gboolean G_GNUC_PRINTF(3, 4) refuse(HanReader *h, size_t line, const char *format, ...)
{
    va_list words;
    va_start(words, format);
    g_autofree char *why = g_strdup_vprintf(format, words);
    va_end(words);
    return text_reader_ignore(&h->in, line, why);
}

// Takes a word that is a name, or its number. Sets *value to -1 for neither. Returns FALSE at the end of the file.
static gboolean take_name(HanReader *h, const char *what, int name(const char *), char **word, int *value, size_t *line)
{
    *word = text_reader_word(&h->in, line);
    if (!*word)
        return refuse(h, text_reader_line(&h->in, h->in.length), "it ends where %s should be", what);
    *value = name(*word);
    if (*value < 0)
        *value = text_reader_value(*word);
    return TRUE;
}

static gboolean take_level(HanReader *h, int *level, size_t *line)
{
    Number n;
    g_autofree char *word = NULL;
    if (h->in.file->library->id == LIBRARY_OMPI_41) { // it knows no names
        if (!text_reader_take(&h->in, "a level", HAN_LEVELS - 1, &n))
            return FALSE;
        *level = (int)n.value;
        *line = n.line;
        return TRUE;
    }
    if (!take_name(h, "a level", rules_han_level, &word, level, line))
        return FALSE;
    g_autofree char *shown = error_quote(word);
    return (*level >= 0 && *level < HAN_LEVELS) || refuse(h, *line, "there is no level %s", shown);
}

// Takes what may follow the word han: @ and the name of an algorithm. 4.1 does not know it.
static gboolean take_algorithm(HanReader *h, LibraryRule *rule)
{
    const Library *library = h->in.file->library;
    if (library->id == LIBRARY_OMPI_41) {
        const char *rest = h->in.text + text_reader_position(&h->in);
        if (rest[strspn(rest, " \t")] == '@')
            rules_trap(h->in.file, TRAP_UNREAD, rule->line,
                       "this version reads no algorithm: the word behind han is skipped, but for digits in it");
        return TRUE;
    }
    if (!text_reader_byte(&h->in, '@'))
        return TRUE;
    size_t line;
    const HanFile *served = rules_han_served(h->in.file->names, rule->collective);
    g_autofree char *word = text_reader_word(&h->in, &line);
    if (!word)
        return refuse(h, rule->line, "it ends where an algorithm should be");
    g_autofree char *shown = error_quote(word);
    if (strcmp(word, "default") != 0 && (!served || !*served->algorithms)) {
        rules_trap(h->in.file, TRAP_CRASH, line, "the library crashes: it has no algorithms of %s to find %s among",
                   tuned_collectives[rule->collective].name, shown);
        h->in.file->ignored = TRUE;
        return FALSE;
    }
    const char *algorithm = strcmp(word, "default") == 0 ? "" : rules_han_algorithm(served, word);
    if (!algorithm)
        return refuse(h, line, "%s has no algorithm %s in HAN", served->collective, shown);
    rule->params = algorithm;
    return TRUE;
}

static gboolean take_segments(HanReader *h, const LibraryRule *rule)
{
    Number n;
    if (!text_reader_byte(&h->in, '['))
        return TRUE;
    rules_trap(h->in.file, TRAP_UNREAD, rule->line,
               "the library throws away the segments in brackets; the variable coll_han_%s_segsize sets them",
               tuned_collectives[rule->collective].name);
    while (!text_reader_byte(&h->in, ']') && text_reader_position(&h->in) < h->in.length) // the end ends the list, too
        if (!text_reader_number(&h->in, &n))
            return refuse(h, rule->line, "it ends within the brackets");
    return TRUE;
}

static gboolean take_rule(HanReader *h, LibraryRule rule, gboolean first, GArray *sizes)
{
    const Library *library = h->in.file->library;
    Number size;
    if (!text_reader_size(&h->in, &size))
        return refuse(h, text_reader_line(&h->in, h->in.length), "it ends where a message size should be");
    const gint64 bytes = size.value < 0 ? RULES_NO_LIMIT : size.value;
    if (first && bytes > 1)
        return refuse(h, size.line, "the first message size of a set is %" G_GINT64_FORMAT ", not 0", bytes);
    size_t line;
    g_autofree char *word = text_reader_word(&h->in, &line);
    if (!word)
        return refuse(h, size.line, "it ends where a component should be");
    g_autofree char *shown = error_quote(word);
    const char *component = rules_han_component(library, word);
    if (!component)
        return refuse(h, line,
                      "%s is not a component; those that HAN knows are self, basic, libnbc, tuned, sm, adapt%s", shown,
                      library->id == LIBRARY_OMPI_MAIN ? ", han and xhc" : " and han");
    rule.runs = component;
    rule.line = size.line;
    rule.when.bytes = (RuleRange){bytes, RULES_NO_LIMIT};
    if ((strcmp(word, "han") == 0 && !take_algorithm(h, &rule)) || !take_segments(h, &rule))
        return FALSE;
    const RulesKey key = {bytes, size.line, rule.when.bytes};
    g_array_append_val(sizes, key);
    g_array_append_val(h->all, rule);
    return TRUE;
}

// Sets the ranges of keys: the library takes the last key that is not above its number.
static void set_ranges(GArray *keys)
{
    gint64 next = RULES_NO_LIMIT;
    for (guint i = keys->len; i-- > 0;) {
        RulesKey *key = &g_array_index(keys, RulesKey, i);
        key->range = (RuleRange){key->key, next == RULES_NO_LIMIT ? next : next - 1};
        next = MIN(next, key->key);
    }
}

// Takes the rules of one size of a level's communicator.
static gboolean take_set(HanReader *h, LibraryRule rule, const char *what, GArray *ranks)
{
    Number size, count;
    const guint from = h->all->len;
    if (!text_reader_take(&h->in, "a size of a communicator", LONG_MAX, &size))
        return FALSE;
    if (size.value < 1 || (ranks->len == 0 && size.value > 1))
        return refuse(h, size.line, "the first size of a level's communicator is %ld, not 1", size.value);
    if (!text_reader_take(&h->in, "a number of rules", LONG_MAX, &count))
        return FALSE;
    g_autoptr(GArray) sizes = g_array_new(FALSE, FALSE, sizeof(RulesKey));
    for (long i = 0; i < count.value; i++)
        if (!take_rule(h, rule, i == 0, sizes))
            return FALSE;
    set_ranges(sizes);
    for (guint i = 0; i < sizes->len; i++)
        g_array_index(h->all, LibraryRule, from + i).when.bytes = g_array_index(sizes, RulesKey, i).range;
    rules_keys_judge(h->in.file, what, RULES_KEYS_BYTES, sizes);
    const RulesKey key = {text_reader_narrow(&h->in, "the size of the communicator", &size), size.line, {0, 0}};
    g_array_append_val(ranks, key);
    return TRUE;
}

// The library takes the last rules of a collective and a level.
static void forget(HanReader *h, int collective, int level)
{
    for (guint i = h->all->len; i-- > 0;) {
        const LibraryRule *rule = &g_array_index(h->all, LibraryRule, i);
        if (rule->collective == collective && rule->level == level)
            g_array_remove_index(h->all, i);
    }
}

static gboolean take_level_rules(HanReader *h, int collective)
{
    Number count;
    int level = -1;
    size_t line;
    if (!take_level(h, &level, &line) || !text_reader_take(&h->in, "a count of sizes", LONG_MAX, &count))
        return FALSE;
    size_t *before = &h->level_lines[collective][level];
    if (*before)
        rules_trap(h->in.file, TRAP_UNREAD, *before, "the rules of %s for %s are replaced by those of line %zu",
                   tuned_collectives[collective].name, han_level_names[level], line);
    *before = line;
    forget(h, collective, level);
    g_autofree char *what = g_strdup_printf("%s, %s", tuned_collectives[collective].name, han_level_names[level]);
    g_autoptr(GArray) ranks = g_array_new(FALSE, FALSE, sizeof(RulesKey));
    LibraryRule rule = {.collective = collective, .level = level, .params = "", .when = rule_all()};
    const guint from = h->all->len;
    for (long i = 0; i < count.value; i++) {
        rule.set = (int)ranks->len;
        if (!take_set(h, rule, what, ranks))
            return FALSE;
    }
    set_ranges(ranks);
    for (guint i = from; i < h->all->len; i++) {
        LibraryRule *this = &g_array_index(h->all, LibraryRule, i);
        this->when.ranks = g_array_index(ranks, RulesKey, this->set).range;
    }
    rules_keys_judge(h->in.file, what, RULES_KEYS_RANKS, ranks);
    return TRUE;
}

static gboolean take_collective(HanReader *h)
{
    g_autofree char *word = NULL;
    int c = -1;
    size_t line;
    Number count;
    if (!take_name(h, "a collective", tuned_collective_read, &word, &c, &line))
        return FALSE;
    g_autofree char *shown = error_quote(word);
    if (c < 0 || c >= TUNED_COLLECTIVES)
        return refuse(h, line, "there is no collective %s", shown);
    if (!text_reader_take(&h->in, "a count of levels", LONG_MAX, &count))
        return FALSE;
    const char *name = tuned_collectives[c].name;
    if (h->lines[c])
        rules_trap(h->in.file, TRAP_UNREAD, h->lines[c], "the rules of %s are replaced by those of line %zu", name,
                   line);
    h->lines[c] = line;
    for (int level = 0; level < HAN_LEVELS; level++) {
        forget(h, c, level);
        h->level_lines[c][level] = 0;
    }
    if (!rules_han_served(h->in.file->names, c))
        rules_trap(h->in.file, TRAP_UNREAD, line, "rules of %s have no effect", name);
    for (long i = 0; i < count.value; i++)
        if (!take_level_rules(h, c))
            return FALSE;
    return TRUE;
}

static gboolean take_all(HanReader *h)
{
    Number count;
    if (!text_reader_take(&h->in, "the number of collectives", LONG_MAX, &count))
        return FALSE;
    if (count.value == 0)
        return refuse(h, count.line, "the number of collectives is 0");
    for (long i = 0; i < count.value; i++)
        if (!take_collective(h))
            return FALSE;
    text_reader_rest(&h->in);
    return TRUE;
}

// ---- Traps ----------------------------------------------------------------------------------------------------------

// Returns TRUE if rules of the levels below the whole communicator choose the parts of an algorithm that some call of
// the collective can run.
static gboolean goes_by_levels(const HanReader *h, int collective)
{
    const HanFile *served = rules_han_served(h->in.file->names, collective);
    if (!served || !*served->usual)
        return TRUE; // what it goes by is not known
    g_auto(GStrv) names = g_strsplit(served->by_levels, " ", -1);
    gboolean goes = FALSE;
    for (char **name = names; *name; name++)
        goes |= rules_han_runs(h->in.file, collective, *name);
    return goes;
}

static void judge_levels(HanReader *h, int collective)
{
    const char *name = tuned_collectives[collective].name;
    if (goes_by_levels(h, collective))
        return;
    for (int level = 0; level < HAN_GLOBAL; level++)
        if (h->level_lines[collective][level])
            rules_trap(h->in.file, TRAP_UNREAD, h->level_lines[collective][level],
                       "%s: rules for %s have no effect: its algorithm here takes its parts from the variables "
                       "coll_han_%s_up_module and coll_han_%s_low_module",
                       name, han_level_names[level], name, name);
}

// Reports a rule by itself, and the first one that differs from the rule before it where all calls need the same.
static void judge_rule(HanReader *h, guint i)
{
    const LibraryRule *rule = &g_array_index(h->all, LibraryRule, i), *before = i > 0 ? rule - 1 : NULL;
    const char *name = tuned_collectives[rule->collective].name;
    if (rule->level != HAN_GLOBAL && strcmp(rule->runs, "han") == 0)
        rules_trap(h->in.file, TRAP_ELSE, rule->line,
                   "%s: han cannot serve %s: the component that is next in priority does", name,
                   han_level_names[rule->level]);
    if (rule->level == HAN_GLOBAL && before && before->collective == rule->collective && before->level == rule->level &&
        before->set == rule->set && (before->runs != rule->runs || strcmp(before->params, rule->params) != 0) &&
        (strcmp(name, "scatter") == 0 || strcmp(name, "gather") == 0))
        rules_trap(h->in.file, TRAP_RANKS, rule->line,
                   "%s with two ways for one size of a communicator: ranks that pass another count, which MPI allows "
                   "where it has no meaning, choose another one; the call fails or hangs",
                   name);
}

// Notes what comes before the algorithms that the file names.
static void note_algorithms(HanReader *h)
{
    for (guint i = 0; i < h->all->len; i++) {
        const LibraryRule *rule = &g_array_index(h->all, LibraryRule, i);
        if (!*rule->params)
            continue;
        rules_trap(h->in.file, TRAP_NOTE, rule->line,
                   "a variable such as coll_han_use_%s_algorithm, where it is set, comes before the algorithms here",
                   tuned_collectives[rule->collective].name);
        return;
    }
}

static void judge(HanReader *h)
{
    for (guint i = 0; i < h->all->len; i++)
        judge_rule(h, i);
    note_algorithms(h);
    for (int c = 0; c < TUNED_COLLECTIVES; c++)
        judge_levels(h, c);
    if (h->in.file->library->id == LIBRARY_OMPI_41)
        rules_trap(h->in.file, TRAP_NOTE, 1,
                   "HAN's priority is 0 in this version, so that no rule acts without "
                   "--mca coll_han_priority 35, or another above tuned's 30");
}

void rules_han(RulesFile *file, const char *text, size_t length)
{
    HanReader h = {.in = text_reader_open(file, text, length), .all = g_array_new(FALSE, FALSE, sizeof(LibraryRule))};
    file->format = "text";
    file->variable = "coll_han_dynamic_rules_filename";
    file->han = h.all;
    if (take_all(&h))
        judge(&h);
    if (file->ignored)
        g_array_set_size(h.all, 0);
    text_reader_close(&h.in);
}
