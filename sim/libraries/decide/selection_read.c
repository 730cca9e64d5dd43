#include "libraries/decide/selection.h"
#include "base/error.h"
#include "base/json.h"
#include <string.h>

static void key_clear(void *key)
{
    SelectionKey *k = key;
    g_free(k->params);
    g_free(k->text);
}

// ---- Keys -----------------------------------------------------------------------------------------------------------

// Notes that MPI_Init ends the program.
static void G_GNUC_PRINTF(3, 4) dies(Selection *s, size_t line, const char *format, ...)
{
    va_list words;
    va_start(words, format);
    g_autofree char *why = g_strdup_vprintf(format, words);
    va_end(words);
    rules_trap(s->file, TRAP_START, line, "MPI_Init ends the program: %s", why);
    s->file->ignored = TRUE;
}

// The library drops blanks, and no other white space. Free with g_free.
static char *without_blanks(const char *text)
{
    GString *out = g_string_new("");
    for (; *text; text++)
        if (*text != ' ')
            g_string_append_c(out, *text);
    return g_string_free(out, FALSE);
}

// Returns the number as the library's atoi() reads it, and says if that is not what stands there.
static gint64 read_number(Selection *s, const SelectionWord *word, const char *text, size_t line)
{
    char *end;
    const gint64 wide = g_ascii_strtoll(text, &end, 10);
    const gint64 value = (gint32)wide;
    g_autofree char *shown = error_quote(text);
    if (end == text)
        rules_trap(s->file, TRAP_MISREAD, line, "%s: %s is not a number and is read as 0", word->text, shown);
    else if (value != wide)
        rules_trap(s->file, TRAP_MISREAD, line, "%s: %s does not fit into 32 bits and becomes %" G_GINT64_FORMAT,
                   word->text, shown, value);
    else if (*end)
        rules_trap(s->file, TRAP_MISREAD, line, "%s: %s is read as %" G_GINT64_FORMAT, word->text, shown, value);
    else if (*text == '0' && end - text > 1)
        rules_trap(s->file, TRAP_MISREAD, line, "%s: %s is not octal: it is read as %" G_GINT64_FORMAT, word->text,
                   shown, value);
    return value;
}

// Returns the members of an object as the library keeps them: of equal names the last value counts, at the place of the
// first. Free with g_array_unref.
static GArray *members_of(Selection *s, const JsonNode *object)
{
    GArray *members = g_array_new(FALSE, FALSE, sizeof(JsonMember));
    for (guint i = 0; i < object->members->len; i++) {
        const JsonMember *m = &g_array_index(object->members, JsonMember, i);
        guint at = 0;
        while (at < members->len && strcmp(g_array_index(members, JsonMember, at).name, m->name) != 0)
            at++;
        if (at == members->len) {
            g_array_append_val(members, *m);
            continue;
        }
        JsonMember *first = &g_array_index(members, JsonMember, at);
        g_autofree char *shown = error_quote(m->name);
        rules_trap(s->file, TRAP_UNREAD, first->line, "%s is replaced by that of line %zu", shown, m->line);
        first->value = m->value;
    }
    return members;
}

// Reads the parameters of an algorithm, "k=4" as keys. Returns those that it reads, in its order. Free with g_free.
static char *read_params(Selection *s, const LibraryAlgorithm *a, const JsonNode *object, size_t line)
{
    g_auto(GStrv) names = g_strsplit(a->leaf, " ", -1); // each with a value
    for (char **name = names; *name; name++)
        (*name)[strcspn(*name, "=")] = '\0';
    GString *out = g_string_new("");
    g_autoptr(GArray) members = members_of(s, object);
    for (guint i = 0; i < members->len; i++) {
        const JsonMember *m = &g_array_index(members, JsonMember, i);
        g_autofree char *key = without_blanks(m->name), *shown = error_quote(m->name);
        const char *equals = strchr(key, '=');
        g_autofree char *name = g_strndup(key, equals ? (size_t)(equals - key) : 0);
        if (!*name || !g_strv_contains((const char *const *)names, name)) {
            rules_trap(s->file, TRAP_UNREAD, m->line, "%s does not read %s", a->function, shown);
        } else if (s->file->library->id == LIBRARY_MPICH_40 || strcmp(name, "tree_type") != 0) {
            const SelectionWord word = {name, WORD_NUMBER, .libraries = 0};
            const gint64 value = read_number(s, &word, equals + 1, m->line);
            g_string_append_printf(out, "%s%s=%" G_GINT64_FORMAT, out->len ? " " : "", name, value);
        } else {
            g_string_append_printf(out, "%s%s=%s", out->len ? " " : "", name, equals + 1);
        }
    }
    for (char **name = names; *name && **name; name++) {
        g_autofree char *given = g_strdup_printf("%s=", *name);
        if (!strstr(out->str, given))
            rules_trap(s->file, TRAP_CRASH, line, "%s reads memory that nobody has set, because %s is missing",
                       a->function, *name);
    }
    return g_string_free(out, FALSE);
}

// The kinds of files: the variable that names one, and how its leaves begin.
typedef struct SelectionFile {
    const char *variable, *leaf;
} SelectionFile;
static const SelectionFile kinds[SELECTION_KINDS] = {
    [SELECTION_ALGORITHMS] = {"MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE", "algorithm=MPIR_"},
    [SELECTION_COMPOSITIONS] = {"MPIR_CVAR_CH4_COLL_SELECTION_TUNING_JSON_FILE", "composition=MPIDI_"},
    [SELECTION_SHARED] = {"MPIR_CVAR_CH4_POSIX_COLL_SELECTION_TUNING_JSON_FILE", "algorithm=MPIDI_POSIX_"},
};

// Returns the kind of file whose leaves begin as the text; SELECTION_KINDS if there is none.
static SelectionKind kind_of(const char *text)
{
    SelectionKind kind = 0;
    while (kind < SELECTION_KINDS && !g_str_has_prefix(text, kinds[kind].leaf))
        kind++;
    return kind;
}

// Reads an object that has a leaf among its members: all of them must be leaves then, and the last one counts.
static int read_leaf(Selection *s, const GArray *members)
{
    SelectionKey key = {.collective = -1, .inside = -1, .next = -1};
    for (guint i = 0; i < members->len; i++) {
        const JsonMember *m = &g_array_index(members, JsonMember, i);
        g_autofree char *text = without_blanks(m->name), *shown = error_quote(m->name);
        const char *rest = "";
        const SelectionWord *word = selection_word(s->file->library, text, &rest);
        const SelectionKind kind = kind_of(text);
        const LibraryAlgorithm *a = kind == s->kind ? tables_function(s->file->names, rest) : NULL;
        if (!m->value || m->value->kind != JSON_OBJECT)
            dies(s, m->line, "the value of %s is not an object", shown);
        if (word && word->kind != WORD_LEAF)
            dies(s, m->line, "%s stands beside an algorithm", shown);
        else if (!a && kind != s->kind && kind < SELECTION_KINDS)
            dies(s, m->line, "%s is for %s", shown, kinds[kind].variable);
        else if (!a)
            dies(s, m->line, "there is no %s in %s", shown, s->file->library->title);
        if (key.algorithm)
            rules_trap(s->file, TRAP_UNREAD, key.line, "%s does not run: the algorithm of line %zu replaces it",
                       key.algorithm->function, m->line);
        if (s->file->ignored)
            continue;
        key.word = word;
        key.algorithm = a;
        key.line = m->line;
        g_free(key.text);
        key.text = g_steal_pointer(&text);
        g_free(key.params);
        key.params = read_params(s, a, m->value, m->line);
    }
    if (!key.algorithm)
        return -1;
    g_array_append_val(s->keys, key);
    return (int)s->keys->len - 1;
}

static gboolean has_leaf(const GArray *members)
{
    for (guint i = 0; i < members->len; i++) {
        g_autofree char *text = without_blanks(g_array_index(members, JsonMember, i).name);
        if (g_str_has_prefix(text, "algorithm=") || g_str_has_prefix(text, "composition="))
            return TRUE;
    }
    return FALSE;
}

// Says what is wrong with the end of a chain of keys.
static void judge_chain(Selection *s, int first)
{
    for (int i = first; i >= 0; i = selection_key(s, i)->next) {
        const SelectionKey *key = selection_key(s, i);
        g_autofree char *shown = error_quote(key->text);
        if (key->word->kind == WORD_ANY && key->next >= 0)
            dies(s, selection_key(s, key->next)->line, "a key follows %s", shown);
        else if (key->word->chained && key->next < 0)
            dies(s, key->line, "%s is the last key of its object; %s must follow", shown,
                 s->file->library->id == LIBRARY_MPICH_40 ? "=any" : "any");
    }
}

// Returns the kind of the first leaf, SELECTION_KINDS if there is none. JSON nests at most 32 levels here.
static SelectionKind first_leaf(const JsonNode *object)
{
    SelectionKind found = SELECTION_KINDS;
    for (guint i = 0; object && object->kind == JSON_OBJECT && i < object->members->len && found == SELECTION_KINDS;
         i++) {
        const JsonMember *m = &g_array_index(object->members, JsonMember, i);
        g_autofree char *text = without_blanks(m->name);
        const SelectionKind kind = kind_of(text);
        found = kind < SELECTION_KINDS                   ? kind
                : g_str_has_prefix(text, "composition=") ? SELECTION_COMPOSITIONS
                : g_str_has_prefix(text, "algorithm=")   ? SELECTION_ALGORITHMS
                                                         : first_leaf(m->value);
    }
    return found;
}

// Reads an object. Returns its first key, or -1 if it has none. JSON nests at most 32 levels here.
static int read_object(Selection *s, const JsonNode *object)
{
    g_autoptr(GArray) members = members_of(s, object);
    int first = -1, last = -1;
    if (has_leaf(members))
        return read_leaf(s, members);
    for (guint i = 0; i < members->len; i++) {
        const JsonMember *m = &g_array_index(members, JsonMember, i);
        SelectionKey key = {.collective = -1, .line = m->line, .inside = -1, .next = -1};
        key.text = without_blanks(m->name);
        g_autofree char *shown = error_quote(m->name);
        const char *rest = "";
        key.word = selection_word(s->file->library, key.text, &rest);
        const gboolean is_object = m->value && m->value->kind == JSON_OBJECT;
        if (!is_object)
            dies(s, m->line, "the value of %s is not an object", shown);
        else if (!key.word)
            dies(s, m->line, "the key %s is unknown", shown);
        else if (key.word->kind == WORD_NUMBER)
            key.number = read_number(s, key.word, rest, m->line) - key.word->value;
        else if (key.word->kind == WORD_COLLECTIVE && (key.collective = selection_collective(rest)) < 0)
            dies(s, m->line, "the collective %s is unknown", shown);
        const int inside = is_object ? read_object(s, m->value) : -1;
        if (is_object && m->value->members->len == 0)
            dies(s, m->line, "%s has nothing inside", shown);
        if (!key.word) {
            key_clear(&key);
            continue;
        }
        key.inside = inside;
        g_array_append_val(s->keys, key);
        if (last >= 0)
            selection_key(s, last)->next = (int)s->keys->len - 1;
        last = (int)s->keys->len - 1;
        first = first < 0 ? last : first;
    }
    judge_chain(s, first);
    return first;
}

Selection *selection_read(RulesFile *file, const char *text, size_t length)
{
    Selection *s = g_new0(Selection, 1);
    s->file = file;
    s->keys = g_array_new(FALSE, FALSE, sizeof(SelectionKey));
    g_array_set_clear_func(s->keys, key_clear);
    s->rows = g_array_new(FALSE, FALSE, sizeof(LibraryRule));
    g_autofree char *why = NULL;
    size_t line = 1;
    g_autoptr(JsonNode) root = json_parse(text, length, JSON_AS_C, &why, &line);
    s->kind = first_leaf(root) % SELECTION_KINDS; // without a leaf, a file of algorithms
    file->format = "JSON";
    file->variable = s->kind == SELECTION_ALGORITHMS ? NULL : kinds[s->kind].variable;
    if (root && root->more > 0)
        rules_trap(file, TRAP_UNREAD, root->more, "what follows the file's first value is not read");
    if (length == 0)
        dies(s, 1, "the file is empty");
    else if (!root)
        dies(s, line, "this is not JSON: %s", why);
    else if (root->kind != JSON_OBJECT)
        dies(s, root->line, "the file is not an object");
    else
        s->root = read_object(s, root);
    if (!file->ignored)
        selection_walk(s);
    if (file->ignored)
        g_array_set_size(s->rows, 0);
    s->file = NULL;
    return s;
}
