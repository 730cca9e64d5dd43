// Files that set UCC_TL_UCP_TUNE. docs/FORMATS.md says what they look like. UCC reads ucc.conf with inih, in pieces of
// LONGEST characters.
#include "libraries/decide/ucc_string.h"
#include "base/error.h"
#include <limits.h>
#include <string.h>

static const char tune[] = "UCC_TL_UCP_TUNE";

// A place where variables stand: the part before the first section, or a section.
typedef struct Section {
    UccScope scope;
    const char *vendor, *model; // interned; NULL for any
    RuleRange sock;             // the ranks of a socket
    size_t line;
    char *value;       // of UCC_TL_UCP_TUNE; NULL if it is not set
    size_t value_line; // where it is
} Section;

enum { LONGEST = 199 };

typedef struct Conf {
    RulesFile *file;
    GArray *sections;   // of Section; the first one is what stands before all sections
    guint now;          // the section that is being read
    GHashTable *names;  // of char *: "SECTION NAME" for each variable that is set
    gboolean shell;     // the lines are those of a shell
    gboolean continues; // an indented line continues the line before it
} Conf;

static void section_clear(void *section)
{
    g_free(((Section *)section)->value);
}

static Section *section_at(const Conf *x, guint i)
{
    return &g_array_index(x->sections, Section, i);
}

// Notes that the library does not read the file.
static void G_GNUC_PRINTF(4, 5) refuse(Conf *x, TrapKind kind, size_t line, const char *format, ...)
{
    va_list words;
    va_start(words, format);
    g_autofree char *why = g_strdup_vprintf(format, words);
    va_end(words);
    rules_trap(x->file, kind, line, "%s", why);
    x->file->ignored = TRUE;
}

// ---- Sections -------------------------------------------------------------------------------------------------------

// Reads "8" or "2-8". Returns FALSE if UCC cannot.
static gboolean read_range(const char *text, RuleRange *range)
{
    g_auto(GStrv) ends = g_strsplit(text, "-", -1);
    const guint n = g_strv_length(ends);
    gint64 value[2] = {0, 0};
    for (guint i = 0; i < n && n <= 2; i++) {
        char *end;
        value[i] = g_ascii_strtoll(ends[i], &end, 10);
        if (end == ends[i] || *end || value[i] < 0)
            return FALSE;
    }
    *range = (RuleRange){value[0], value[n == 2]};
    return n == 1 || n == 2;
}

// Takes a KEY=VALUE of a section's name. Returns FALSE, and says why, if UCC cannot read the section.
static gboolean take_key(Conf *x, Section *s, const char *word, size_t line)
{
    g_auto(GStrv) halves = g_strsplit(word, "=", 2);
    g_autofree char *shown = error_quote(word);
    struct {
        const char *name;
        RuleRange *range;
    } ranges[] = {
        {"team_size", &s->scope.ranks}, {"ppn", &s->scope.per_node}, {"nnodes", &s->scope.nodes}, {"sock", &s->sock}};
    if (!halves[0] || !halves[1] || !*halves[1]) {
        refuse(x, TRAP_CRASH, line, "UCC reads memory that is not there, because %s has no value", shown);
        return FALSE;
    }
    if (g_ascii_strcasecmp(halves[0], "vendor") == 0)
        s->vendor = g_intern_string(halves[1]);
    else if (strcmp(halves[0], "model") == 0)
        s->model = g_intern_string(halves[1]);
    else
        for (size_t i = 0; i <= G_N_ELEMENTS(ranges); i++) {
            if (i == G_N_ELEMENTS(ranges)) {
                refuse(x, TRAP_IGNORED, line,
                       "UCC refuses the whole file, because the section's %s is unknown; allowed: vendor, model, "
                       "team_size, "
                       "ppn, sock, nnodes",
                       shown);
                return FALSE;
            }
            if (strcmp(halves[0], ranges[i].name) != 0)
                continue;
            if (!read_range(halves[1], ranges[i].range)) {
                refuse(x, TRAP_IGNORED, line, "UCC refuses the whole file, because the section's %s is not a range",
                       shown);
                return FALSE;
            }
            break;
        }
    return TRUE;
}

static Section new_section(size_t line)
{
    const RuleRange all = {0, RULES_NO_LIMIT};
    return (Section){.scope = {all, all, all, ""}, .sock = all, .line = line};
}

// Begins a section, or goes on with the one of this name; one without a name is what stands before all others.
static void begin_section(Conf *x, const char *name, size_t line)
{
    for (x->now = 0; x->now < x->sections->len; x->now++)
        if (strcmp(section_at(x, x->now)->scope.section, name) == 0)
            return;
    Section s = new_section(line);
    s.scope.section = g_intern_string(name);
    g_auto(GStrv) words = g_strsplit(name, " ", -1);
    for (char **word = words; *word; word++)
        if (**word && !take_key(x, &s, *word, line))
            break;
    g_array_append_val(x->sections, s);
}

// ---- Variables ------------------------------------------------------------------------------------------------------

// Returns TRUE if the variable of tl/ucp sets what an algorithm takes.
static gboolean sets_parameter(const RulesFile *file, const char *name)
{
    for (guint i = 0; i < file->names->algorithms->len; i++) {
        const LibraryAlgorithm *a = &g_array_index(file->names->algorithms, LibraryAlgorithm, i);
        if (*a->variable && strcmp(a->variable, name) == 0)
            return TRUE;
    }
    return strcmp(name, "KN_RADIX") == 0;
}

static void take_variable(Conf *x, const char *name, const char *value, size_t line)
{
    static const char layer[] = "UCC_TL_UCP_";
    Section *s = section_at(x, x->now);
    g_autofree char *shown = error_quote(name);
    const char *ucc = strstr(name, "UCC_");
    if (!ucc && x->shell)
        return; // a variable of another program
    if (!ucc) {
        refuse(x, TRAP_IGNORED, line, "UCC refuses the whole file, because the name %s has no UCC_", shown);
    } else if (!x->shell && !g_hash_table_add(x->names, g_strdup_printf("%s\n%s", s->scope.section, name))) {
        refuse(x, TRAP_IGNORED, line, "UCC refuses the whole file, because %s stands there twice", shown);
    } else if (strcmp(ucc, tune) == 0) {
        if (s->value)
            rules_trap(x->file, TRAP_UNREAD, s->value_line, "%s is replaced by that of line %zu", tune, line);
        g_free(s->value);
        s->value = g_strdup(value);
        s->value_line = line;
    } else if (g_str_has_prefix(ucc, layer) && sets_parameter(x->file, ucc + strlen(layer))) {
        rules_trap(x->file, TRAP_NOTE, line, "%s is not looked at: times are those of the library's own choice", shown);
    } else if (strcmp(ucc, "UCC_CLS") == 0 && strstr(value, "hier")) {
        rules_trap(x->file, TRAP_NOTE, line,
                   "CL/hier comes before CL/basic: what it divides into parts on the nodes is not looked at");
    } else if (strcmp(ucc, "UCC_TUNE") == 0 || strcmp(ucc, "UCC_UCP_TUNE") == 0 || strcmp(ucc, "UCC_TL_TUNE") == 0) {
        rules_trap(x->file, TRAP_UNREAD, line, "UCC has no variable %s; it is called %s", shown, tune);
    }
}

// Returns a value without the quotes of a shell. Free with g_free.
static char *unquoted(const char *value)
{
    const size_t n = strlen(value);
    const gboolean quoted = n >= 2 && (*value == '"' || *value == '\'') && value[n - 1] == *value;
    return quoted ? g_strndup(value + 1, n - 2) : g_strdup(value);
}

// Reads a line of a shell.
static void take_shell(Conf *x, char *text, size_t line)
{
    char *equals = strchr(text, '=');
    if (!*text || *text == '#' || !equals)
        return;
    *equals = '\0';
    g_autofree char *value = unquoted(g_strstrip(equals + 1));
    take_variable(x, g_str_has_prefix(text, "export ") ? g_strstrip(text + strlen("export ")) : text, value, line);
}

// Returns the first of some characters, or the beginning of a comment, or the end.
static char *find(char *text, const char *characters)
{
    gboolean space = FALSE;
    while (*text && !(characters && strchr(characters, *text)) && !(space && *text == ';'))
        space = g_ascii_isspace(*text++);
    return text;
}

// Reads a line of ucc.conf, or a piece of a long one.
static void take_conf(Conf *x, char *text, size_t line)
{
    const gboolean indented = g_ascii_isspace(*text);
    char *start = g_strstrip(text);
    if (!*start || *start == '#' || *start == ';')
        return;
    if (indented && x->continues) {
        refuse(
            x, TRAP_IGNORED, line,
            "UCC refuses the whole file, because an indented line sets the variable of the line before it once more");
        return;
    }
    char *end = find(*start == '[' ? start + 1 : start, *start == '[' ? "]" : "=:");
    const gboolean ends = *end && *end != ';';
    if (!ends) {
        refuse(x, TRAP_IGNORED, line, "UCC refuses the whole file, because %s",
               *start == '[' ? "a ] is missing" : "a line is neither NAME=VALUE nor a section");
        return;
    }
    x->continues = *start != '[';
    *end = '\0';
    if (*start == '[') {
        begin_section(x, start + 1, line);
        return;
    }
    *find(end + 1, NULL) = '\0';
    take_variable(x, g_strstrip(start), g_strstrip(end + 1), line);
}

// Reads the pieces of a line that the library reads as lines.
static void take_pieces(Conf *x, const char *text, size_t line)
{
    const size_t length = strlen(text);
    if (length > LONGEST && *text != '#' && *text != ';')
        rules_trap(x->file, TRAP_SHIFTED, line,
                   "this line has %zu characters; UCC takes what follows the first %d for another line", length,
                   LONGEST);
    for (size_t at = 0; at < length || at == 0; at += LONGEST) {
        g_autofree char *piece = g_strndup(text + at, LONGEST);
        take_conf(x, piece, line);
    }
}

// ---- The whole file -------------------------------------------------------------------------------------------------

static gboolean meet(RuleRange a, RuleRange b)
{
    return MAX(a.first, b.first) <= MIN(a.last, b.last);
}

static gboolean differ(const char *a, const char *b)
{
    return a && b && g_ascii_strcasecmp(a, b) != 0;
}

// Reports what is wrong with sections that set a string.
static void judge_sections(const Conf *x)
{
    const Section *top = section_at(x, 0);
    for (guint i = 1; i < x->sections->len; i++) {
        const Section *s = section_at(x, i);
        const RuleRange *ranges[] = {&s->scope.ranks, &s->scope.per_node, &s->scope.nodes, &s->sock};
        for (size_t k = 0; k < G_N_ELEMENTS(ranges); k++)
            if (ranges[k]->first > ranges[k]->last)
                rules_trap(x->file, TRAP_DEAD, s->line,
                           "no team fits this section, because one of its ranges is empty");
        if (s->value && top->value)
            rules_trap(x->file, TRAP_DEAD, s->value_line,
                       "the string of line %zu, outside of all sections, comes first", top->value_line);
        if (s->value && (s->vendor || s->model))
            rules_trap(x->file, TRAP_NOTE, s->line, "this section is for processors of %s%s%s alone",
                       s->vendor ? s->vendor : "any vendor", s->model ? ", model " : "", s->model ? s->model : "");
        for (guint k = 1; k < i && s->value && !top->value; k++) {
            const Section *other = section_at(x, k);
            if (other->value && meet(s->scope.ranks, other->scope.ranks) && meet(s->scope.nodes, other->scope.nodes) &&
                meet(s->scope.per_node, other->scope.per_node) && meet(s->sock, other->sock) &&
                !differ(s->vendor, other->vendor) && !differ(s->model, other->model))
                rules_trap(
                    x->file, TRAP_SHIFTED, s->line,
                    "some teams fit the section of line %zu too; the order in which UCC looks at them is that of a "
                    "hash table, and the last one counts",
                    other->line);
        }
    }
}

// Returns TRUE if the text is a selection string alone: its first line sets nothing.
static gboolean is_string(const char *first)
{
    return *first && *first != '[' && !strchr(first, '=');
}

// Reads the strings that are in effect.
static void read_strings(const Conf *x)
{
    const gboolean top = section_at(x, 0)->value != NULL;
    guint strings = 0;
    for (guint i = 0; i < (top ? 1 : x->sections->len); i++) {
        const Section *s = section_at(x, i);
        strings += s->value != NULL;
        if (s->value && *s->value)
            ucc_string_read(x->file, s->value, s->value_line, &s->scope);
    }
    if (strings == 0)
        rules_trap(x->file, TRAP_UNREAD, 1, "nothing here sets %s", tune);
}

void ucc_file_read(RulesFile *file, const char *text)
{
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    g_autoptr(GHashTable) names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    Conf x = {.file = file, .sections = g_array_new(FALSE, FALSE, sizeof(Section)), .names = names};
    const Section top = new_section(1);
    guint first = 0;
    g_array_set_clear_func(x.sections, section_clear);
    g_array_append_val(x.sections, top);
    while (lines[first] && strchr("#;", lines[first][strspn(lines[first], " \t\r")]))
        first++; // '\0' is among them: an empty line
    g_autofree char *content = g_strstrip(g_strdup(lines[first] ? lines[first] : ""));
    const gboolean string = is_string(content);
    for (guint i = 0; lines[i]; i++)
        x.shell |= g_str_has_prefix(lines[i], "export ");
    file->format = string ? "a selection string" : x.shell ? "variables of a shell" : "ucc.conf";
    if (string)
        take_variable(&x, tune, content, first + 1);
    for (guint i = first; lines[i] && !string; i++)
        if (x.shell)
            take_shell(&x, g_strstrip(lines[i]), i + 1);
        else
            take_pieces(&x, lines[i], i + 1);
    if (!file->ignored) {
        judge_sections(&x);
        read_strings(&x);
    }
    g_array_unref(x.sections);
}
